"""A file before and after a change, and the difference between them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from typing import TypeVar

from attrs import frozen

WORK_LIMIT = 20_000_000  # steps of difflib for two texts: files of 4,000 lines, or of 250 equal lines
AROUND = 3  # equal lines that a diff shows around those that differ

T = TypeVar("T", bound=Hashable)


@frozen
class Rewrite:
    """A file by its name, and its bytes before and after."""

    name: str
    before: bytes
    after: bytes

    @classmethod
    def to(cls, text: str, name: str, before: bytes) -> Rewrite:
        """To a text whose lines end with ``\\n``.

        Lines end as the first one did: that is a matter of the system. A mark of the byte order goes.
        """
        line_end = "\r\n" if re.match(rb"[^\n]*\r\n", before) else "\n"
        return cls(name, before, text.replace("\n", line_end).encode())

    @property
    def changes(self) -> bool:
        return self.before != self.after

    def diff(self) -> str:
        """The unified diff, as `patch` reads it; empty where nothing changes."""
        return "".join(self._diff_lines())

    def _diff_lines(self) -> Iterator[str]:
        before, after = (re.findall(r"[^\n]*\n|[^\n]+", content.decode()) for content in (self.before, self.after))
        if before != after:
            yield f"--- {self.name}\n+++ {self.name}\n"
        for group in Matcher(before, after).get_grouped_opcodes(AROUND):
            first, last = group[0], group[-1]
            yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
            for tag, start, end, new_start, new_end in group:
                lines = [f"{' ' if tag == 'equal' else '-'}{line}" for line in before[start:end]]
                lines += [] if tag == "equal" else [f"+{line}" for line in after[new_start:new_end]]
                yield from (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _range(start: int, end: int) -> str:
    """Lines of a unified diff: the number of the first one (of none: of the one before), and how many unless it is one."""
    return f"{start + 1}" if end - start == 1 else f"{start + (end > start)},{end - start}"


class Matcher(SequenceMatcher[T]):
    """Matches two texts line by line, in time that grows with their length.

    The time of difflib grows with the square of the length, or its cube. Texts for which that is more than `WORK_LIMIT` are cut
    at lines that occur once in each, in the same order ("patience diff"), and each part is matched by itself. Where all parts
    together are still too much, only lines at the beginning and the end of the last ones match.
    """

    def __init__(self, before: Sequence[T], after: Sequence[T], autojunk: bool = True) -> None:
        super().__init__(None, before, after, autojunk)
        self.before, self.after = before, after

    def get_matching_blocks(self) -> list[Match]:
        if _work(self.before, self.after) <= WORK_LIMIT:
            return super().get_matching_blocks()
        blocks: list[Match] = []
        start, new_start, left = 0, 0, WORK_LIMIT
        for end, new_end in (*_anchors(self.before, self.after), (len(self.before), len(self.after))):
            first, second = self.before[start:end], self.after[new_start:new_end]
            left -= _work(first, second)
            for block in _part(first, second, left >= 0):
                _add(blocks, Match(start + block.a, new_start + block.b, block.size))
            _add(blocks, Match(end, new_end, int(end < len(self.before))))
            start, new_start = end + 1, new_end + 1
        return blocks


def _add(blocks: list[Match], block: Match) -> None:
    """Add a block; with one that ends where it begins, it is one."""
    last = blocks[-1] if blocks else None
    if block.size and last is not None and (last.a + last.size, last.b + last.size) == (block.a, block.b):
        blocks[-1] = Match(last.a, last.b, last.size + block.size)
    else:
        blocks.append(block)


def _work(first: Sequence[T], second: Sequence[T]) -> int:
    """How many steps difflib may take: it compares all pairs of equal lines, again for each block that it finds."""
    often = Counter(second)
    return min(len(first), len(second)) * sum(often[line] for line in first)


def _part(first: Sequence[T], second: Sequence[T], in_full: bool) -> Iterator[Match]:
    """The blocks of a part; unless ``in_full``, only those at its beginning and its end."""
    most = min(len(first), len(second))
    head = next((at for at in range(most) if first[at] != second[at]), most)
    tail = next((at for at in range(most - head) if first[-1 - at] != second[-1 - at]), most - head)
    yield from [Match(0, 0, head)] if head else []
    if in_full:
        inner, new_inner = first[head : len(first) - tail], second[head : len(second) - tail]
        blocks = SequenceMatcher(None, inner, new_inner).get_matching_blocks()[:-1]
        yield from (Match(head + block.a, head + block.b, block.size) for block in blocks)
    yield from [Match(len(first) - tail, len(second) - tail, tail)] if tail else []


def _anchors(first: Sequence[T], second: Sequence[T]) -> list[tuple[int, int]]:
    """The places of lines that occur once in each of two texts: the most of them that are in the same order."""
    often, new_often = Counter(first), Counter(second)
    places = {line: place for place, line in enumerate(second) if new_often[line] == 1}
    pairs = [(place, places[line]) for place, line in enumerate(first) if often[line] == 1 and line in places]
    tops: list[int] = []  # for each length, the place at which a rising sequence can end at the earliest
    ends: list[int] = []
    before: list[int | None] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(tops, place)
        before.append(ends[length - 1] if length else None)
        tops[length : length + 1] = [place]
        ends[length : length + 1] = [number]
    found = []
    at = ends[-1] if ends else None
    while at is not None:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]
