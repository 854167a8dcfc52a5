"""Sources and spans: the text that a thing in the rules comes from, and its place there."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from attrs import field, frozen


@frozen(slots=False)
class Source:
    """One text file: its path as the user wrote it, and its whole text."""

    path: str
    text: str = field(repr=False)
    offset: int = field(default=0, init=False, eq=False, repr=False)
    """What places in spans count from; only a `Block` begins elsewhere than at 0."""

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets at which the lines begin; line n (from 1) begins at ``line_starts[n - 1]``."""
        return list(accumulate((len(line) + 1 for line in self.text.split("\n")[:-1]), initial=0))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line ``number`` (from 1), without its line end."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


class Block(Source):
    """A part of a text that is being written. It is equal to its whole text and can be used as that one.

    Spans in it count from its beginning. When the text above it changes, it is moved (`stands_in`), and all spans in it move
    along: what was made of it need not be made again. So this is the one source that changes, and only the newest text of a file
    may have blocks.
    """

    def __init__(self, whole: Source, offset: int) -> None:
        self.stands_in(whole, offset)

    def stands_in(self, whole: Source, offset: int) -> None:
        """From now on the block begins at an offset of this text."""
        vars(self).update(path=whole.path, text=whole.text, line_starts=whole.line_starts, offset=offset)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and (self.path, self.text) == (other.path, other.text)

    def __hash__(self) -> int:
        return hash(Source(self.path, self.text))

    def __repr__(self) -> str:
        return f"Source(path={self.path!r})"


@frozen(init=False, eq=False, repr=False)
class Span:
    """The part ``start <= offset < end`` of a source."""

    source: Source
    _start: int  # from the beginning of the source's block
    _end: int

    def __init__(self, source: Source, start: int, end: int) -> None:
        offset = source.offset
        _SET_SOURCE(self, source)
        _SET_START(self, start - offset)
        _SET_END(self, end - offset)

    @property
    def start(self) -> int:
        return self._start + self.source.offset

    @property
    def end(self) -> int:
        return self._end + self.source.offset

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return (self.start, self.end) == (other.start, other.end) and self.source == other.source

    def __hash__(self) -> int:
        return hash((self.start, self.end))

    def __repr__(self) -> str:
        return f"Span(source={self.source!r}, start={self.start}, end={self.end})"

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """``path:line:column``, as editors and terminals link it."""
        return f"{self.source.path}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of the other."""
        return Span(self.source, self.start, other.end)


# What frozen classes set their fields by, looked up once: spans are made by the thousand.
_SET_SOURCE = Span.__dict__["source"].__set__
_SET_START = Span.__dict__["_start"].__set__
_SET_END = Span.__dict__["_end"].__set__
