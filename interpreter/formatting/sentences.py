"""The layout of one sentence: the spaces between its words, and where it continues on another line.

One space stands between two words, but none before `,`, `:` and closing brackets, none behind opening ones, none about `..`, and
none behind a `-` that is a sign (`-1`) or joins the parts of a language (`pt-BR`).

A sentence continues below, inside brackets or behind a comma, where its writer let it continue: lines are neither broken nor
joined. The continuation is indented by two levels and one more for each further bracket, so that it is not taken for a block; a
line that closes the last bracket stands as far left as the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs
from attrs import define, frozen

from ..common.source import Source
from ..syntax.parsing.layout import LogicalLine
from ..syntax.parsing.tokens import Word, all_words
from ..syntax.tree import Extension, Negative, Node, Pick, Text, Tree

LEVEL: Final = 4  # spaces

_NONE_BEFORE: Final = frozenset({",", ":", ")", "]", ".."})
_NONE_BEHIND: Final = frozenset({"(", "[", ".."})


@define(eq=False)
class Written:
    """One line of the file as it will be: its indentation in spaces, its text, and its comment, None where it has none."""

    indent: int
    text: str
    comment: str | None = None


@frozen(eq=False)
class Sentence:
    """A sentence: the line that it is, under which other it stands (None at the left edge), how deep, and its lines as they will
    be. ``words`` are those of the file, without `the`."""

    line: LogicalLine
    parent: Sentence | None
    depth: int
    words: Sequence[Word]
    written: Sequence[Written]

    @property
    def begins(self) -> str:
        """Its first word."""
        return self.words[0].text


@frozen
class Dashes:
    """Offsets of the `-` that are no subtractions: the signs, and those that join the parts of a language."""

    signs: frozenset[int]
    joints: frozenset[int]


def sentences(source: Source, lines: Sequence[LogicalLine], dashes: Dashes) -> list[Sentence]:
    """All sentences, in the order of the file."""
    found: list[Sentence] = []

    def walk(block: Sequence[LogicalLine], parent: Sentence | None, depth: int) -> None:
        for line in block:
            every = all_words(line.text, line.start)
            words = [word for word in every if word.text != "the"]
            sentence = Sentence(line, parent, depth, words, list(_written(source, line, every, dashes, LEVEL * depth)))
            found.append(sentence)
            walk(line.children, sentence, depth + 1)

    walk(lines, None, 0)
    return found


def dashes_of(tree: Tree | Extension) -> Dashes:
    """The dashes of a file. The parser has told them from subtractions: `3 -1` are two numbers where a test lists them."""
    signs: set[int] = set()
    joints: set[int] = set()
    stack: list[object] = [tree]
    while stack:
        match stack.pop():
            case tuple() as items:
                stack.extend(items)
            case Text(language=language, span=span) if "-" in language:
                joints.update(span.start + at for at, char in enumerate(span.text.partition('"')[0]) if char == "-")
            case Pick(span=span):
                signs.update(span.start + at for at, char in enumerate(span.text) if char == "-")
            case Node() as node:
                if isinstance(node, Negative):
                    signs.add(node.span.start)
                stack.extend(getattr(node, field.name) for field in attrs.fields(type(node)))
    return Dashes(frozenset(signs), frozenset(joints))


def comment_in(text: str) -> str | None:
    """The comment in a part of the file that holds nothing else, as it is written; None where there is none.

    A space stands before its first word; `#!`, `##` and the like stay.
    """
    _, sign, comment = text.partition("#")
    if not sign:
        return None
    return f"# {comment}".rstrip() if comment[:1].isalnum() else f"#{comment}".rstrip()


def _written(source: Source, line: LogicalLine, words: Sequence[Word], dashes: Dashes, margin: int) -> Iterator[Written]:
    """The lines of a sentence. The comment of its last line stands behind the sentence, so it is not known here."""
    start, at, open_brackets = line.start, 0, 0
    for raw in source.text[line.start : line.end].split("\n"):
        end = start + len(raw)
        first = at
        while at < len(words) and words[at].start < end:
            at += 1
        here = words[first:at]
        comment = comment_in(raw[here[-1].end - start :] if here else raw)
        if here or comment is not None:
            closed_first = next((n for n, word in enumerate(here) if word.text not in (")", "]")), len(here))
            inside = open_brackets - closed_first if open_brackets or not first else 1  # behind a comma
            yield Written(margin + (LEVEL * (inside + 1) if inside else 0), _spaced(here, dashes), comment)
        open_brackets += sum((word.text in ("(", "[")) - (word.text in (")", "]")) for word in here)
        start = end + 1


def _spaced(words: Sequence[Word], dashes: Dashes) -> str:
    text = ""
    attached = True  # whether the next word follows without a space
    for word in words:
        text += word.text if attached or word.text in _NONE_BEFORE or word.start in dashes.joints else f" {word.text}"
        attached = word.text in _NONE_BEHIND or word.start in dashes.signs or word.start in dashes.joints
    return text
