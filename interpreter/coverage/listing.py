"""A listing of the rules with a margin that says how often each line was reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from attrs import frozen

from ..common.display import safe
from ..common.source import Source
from .coverage import Coverage
from .kinds import LINES, Kind
from .parts import Part
from .reached import Place

Style = Literal["", "reached", "partly", "never"]
Column = Literal["tests", "games"]

_WITHIN: frozenset[Kind] = frozenset({"case", "row", "tie", "chosen", "variant"})
_COUNTED = LINES - {"define"} | _WITHIN


@frozen
class Times:
    """How often a line was ``reached``; of an act, how often it was chosen, and how often it was ``offered``. ``counted``: else
    it is only known whether it was."""

    reached: int = 0
    offered: int = 0
    counted: bool = False

    @property
    def said(self) -> str:
        if self.offered:
            return f"{self.reached:,}/{self.offered:,}"
        if not self.reached:
            return "-"
        return f"{self.reached:,}" if self.counted else "yes"


@frozen
class Row:
    """A line of the rules, and what tests and games came to. ``note``: what on it was not reached, and when it is in play."""

    source: Source
    number: int
    style: Style
    tests: Times
    games: Times
    note: str


def rows(coverage: Coverage) -> tuple[Row, ...]:
    """The lines of each file, up to the last on which something can be reached."""
    by_line: dict[Source, dict[int, list[Part]]] = {}
    for part in coverage.parts:
        by_line.setdefault(part.place.span.source, {}).setdefault(part.place.span.line, []).append(part)
    return tuple(
        _row(source, number, lines.get(number, ()), coverage)
        for source, lines in by_line.items()
        for number in range(1, max(lines) + 1)
    )


def _row(source: Source, number: int, parts: Iterable[Part], coverage: Coverage) -> Row:
    places = [part.place for part in parts]
    if not places:
        return Row(source, number, "", Times(), Times(), "")
    tests, games = _times(places, coverage.by_tests), _times(places, coverage.by_games)
    notes = list(_notes(places, coverage))
    missing = [place for place in places if not coverage.reached(place)]
    style: Style = "reached" if not missing else "never" if len(missing) == len(places) else "partly"
    variant = next((part.variant for part in parts if part.variant and part.place.kind != "variant"), "")
    return Row(source, number, style, tests, games, ", ".join((*notes, *((f"with {variant}",) if variant else ()))))


def _times(places: list[Place], counts: Mapping[Place, int]) -> Times:
    """How often an act was chosen and offered; for any other line, how often its most frequent part was reached."""
    kinds: frozenset[Kind] = frozenset({"chosen"}) if any(place.kind == "chosen" for place in places) else _COUNTED
    offered = max((counts[place] for place in places if place.kind == "offered"), default=0)
    found = [counts[place] for place in places if place.kind in kinds]
    return Times(max(found or (counts[place] for place in places)), offered, bool(found))


def _notes(places: list[Place], coverage: Coverage) -> Iterator[str]:
    """What of a line was not reached."""

    def of(kind: Kind) -> tuple[int, int]:
        """How many of a kind were reached, of how many."""
        those = [place for place in places if place.kind == kind]
        return sum(map(coverage.reached, those)), len(those)

    for kind, noun in _SEVERAL:
        some, all = of(kind)
        if some < all and all > 1 and (some or kind not in LINES):
            yield f"{some} of {all} {noun}"
    for kind, words in _ONLY:
        some, all = of(kind)
        if some < all and (all == 1 or kind not in dict(_SEVERAL)):
            if kind == "chosen" and of("offered")[0] == 0:
                yield "never on offer"
            else:
                yield words


_SEVERAL: tuple[tuple[Kind, str], ...] = (
    ("statement", "parts"),
    ("case", "cases"),
    ("row", "rows"),
    ("tie", "keys"),
    ("value", "values"),
    ("players", "numbers"),
)
_ONLY: tuple[tuple[Kind, str], ...] = (
    ("chosen", "never chosen"),
    ("reason", "never refuses"),
    ("limit", "never refuses"),
    ("score", "always 0"),
    ("tie", "never decides"),
)


def margins(row: Row, columns: Iterable[Column]) -> tuple[str, ...]:
    """What stands beside a line: a cell for each column."""
    cells = tuple((row.tests if column == "tests" else row.games).said for column in columns)
    return cells if row.style in ("reached", "partly") else (row.style, *("" for _ in cells[1:]))


def text_of(row: Row) -> str:
    return safe(row.source.line(row.number)).rstrip()
