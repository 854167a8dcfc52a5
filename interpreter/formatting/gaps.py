"""The gaps between two sentences: the comment behind the first, comments on lines of their own, and empty lines.

Writers separate things by empty lines, so these stay, one at a time; there are none at the ends of the file and none directly
under a line that opens a block. A line at the left edge with a block under it always has one above and one below, except for a
define: that is an entry among others.

A comment on a line of its own belongs to the sentence below it and is indented like that, unless it follows a block and is
indented like a line of this block: then it belongs there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from ..common.source import Source
from .sentences import LEVEL, Sentence, Written, comment_in


@frozen(eq=False)
class Gap:
    """What stands before a sentence or the end of the file, line by line.

    ``behind``: the comment at the end of the sentence above.
    """

    behind: str | None
    lines: Sequence[Written]

    @property
    def parts(self) -> bool:
        """Whether there is an empty line."""
        return not all(line.comment for line in self.lines)


def gaps(source: Source, sentences: Sequence[Sentence]) -> list[Gap]:
    """What stands before each sentence, and last what stands before the end of the file."""
    found = []
    above: Sentence | None = None
    for sentence in (*sentences, None):
        start = above.line.end if above else 0
        raw = source.text[start : sentence.line.start if sentence else None].split("\n")
        behind = comment_in(raw.pop(0)) if above else None
        if sentence:
            raw.pop()  # the indentation of the sentence
        lines = _parted_as_needed(list(_own_lines(raw, above, sentence)), above, sentence)
        found.append(Gap(behind, lines))
        above = sentence
    return found


def _own_lines(raw: Sequence[str], above: Sentence | None, below: Sentence | None) -> Iterator[Written]:
    """The comments, and an empty line wherever there was one or more."""
    depth = below.depth if below else 0
    blocks = _chain(above)[depth + 1 :]  # what a comment can belong to, the deepest last
    beginning = above is None or (below is not None and below.parent is above)
    empty = False
    for line in raw:
        comment = comment_in(line)
        if comment is None:
            empty = not beginning
            continue
        column = len(line.partition("#")[0].lstrip("\ufeff").expandtabs(LEVEL))
        while blocks and column < blocks[-1].line.indent:
            blocks.pop()
        if empty:
            yield Written(0, "")
        yield Written(LEVEL * (blocks[-1].depth if blocks else depth), "", comment)
        beginning = empty = False
    if empty and below:
        yield Written(0, "")


def _parted_as_needed(lines: list[Written], above: Sentence | None, below: Sentence | None) -> list[Written]:
    """The gaps with an empty line above and below each sentence that stands apart."""
    if above is None or (below and below.depth) or not (_stands_apart(_chain(above)[0]) or (below and _stands_apart(below))):
        return lines
    of_block = 1 + max((at for at, line in enumerate(lines) if line.indent), default=-1)  # comments that end the block above
    rest = lines[of_block:]
    if (below or rest) and all(line.comment for line in rest):
        return [*lines[:of_block], Written(0, ""), *rest]
    return lines


def _stands_apart(sentence: Sentence) -> bool:
    return bool(sentence.line.children) and sentence.begins != "define"


def _chain(sentence: Sentence | None) -> list[Sentence]:
    """A sentence and those that it stands under, the one at the left edge first."""
    found = []
    while sentence:
        found.append(sentence)
        sentence = sentence.parent
    return found[::-1]
