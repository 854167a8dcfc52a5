"""Coverage as text: the rules with a margin, the share that was reached, and what never happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Literal

from attrs import frozen

from ..common.display import padded, safe, width
from .coverage import Coverage, percent
from .listing import Column, Row, Style, margins, rows, text_of
from .never import Never, never

NOTE = 30  # cells of the margin's notes at the most; a longer one moves its line to the right
SHOWN = 12  # things of one sort that never happened
_STYLES: dict[Style, str] = {"": "", "reached": "32", "partly": "33", "never": "31"}


@frozen
class Line:
    """One line: the margin, and what it is about (or a line of text by itself). ``style``: of the margin."""

    margin: str
    text: str
    style: Style | Literal["heading"] = ""

    @property
    def plain(self) -> str:
        return f"{self.margin}{self.text}".rstrip()

    @property
    def coloured(self) -> str:
        """The line with colours (ANSI sequences); all of a line that was never reached is marked."""
        if self.style == "heading":
            return f"\x1b[1m{self.plain}\x1b[0m"
        colour = _STYLES[self.style]
        if not colour:
            return self.plain
        if self.style == "never":
            return f"\x1b[{colour}m{self.plain}\x1b[0m"
        return f"\x1b[{colour}m{self.margin}\x1b[0m{self.text}".rstrip()


def page(coverage: Coverage) -> Iterator[Line]:
    """The whole: the listing file by file, the shares, what never happened, and then what was left out."""
    columns: tuple[Column, ...] = ("tests", "games") if coverage.covered.games else ("tests",)
    yield from _listing(rows(coverage), columns)
    yield Line("", headline(coverage), "heading")
    yield Line("", "")
    yield from _shares(coverage)
    found = never(coverage)
    if found:
        yield Line("", "")
        yield Line("", "What never happened", "heading")
        for each in found:
            yield Line("", "")
            yield from _never(each, coverage)
        for note in coverage.covered.left_out:
            yield Line("", "")
            yield Line("", f"note: {note}")


def headline(coverage: Coverage) -> str:
    """``masti.rules: 31 tests and 267 games reach 98.1 % of the rules``."""
    covered = coverage.covered
    by = f"{covered.tests} test{'' if covered.tests == 1 else 's'}"
    if covered.games:
        by += f" and {covered.games:,} game{'' if covered.games == 1 else 's'}"
    reach = "reaches" if covered.tests + covered.games == 1 else "reach"
    return f"{coverage.path}: {by} {reach} {percent(coverage.percent)} of the rules"


def _listing(found: Sequence[Row], columns: tuple[Column, ...]) -> Iterator[Line]:
    for path, some in groupby(found, key=lambda row: row.source.path):
        here = list(some)
        cells = [margins(row, columns) for row in here]
        wide = [max(len(head), *(len(row[index]) for row in cells)) for index, head in enumerate(columns)]
        noted = min(NOTE, max(width(row.note) for row in here))
        digits = len(str(here[-1].number))
        head = "  ".join(f"{name:>{cells_}}" for name, cells_ in zip(columns, wide, strict=True))
        yield Line("", f"{head}  {padded('', noted)}  {'':>{digits}}   {safe(path)}", "heading")
        for row, row_cells in zip(here, cells, strict=True):
            counts = "  ".join(f"{cell:>{cells_}}" for cell, cells_ in zip(row_cells, wide, strict=True))
            note = row.note + " " * max(0, noted - width(row.note))
            yield Line(f"{counts}  {note}  ", f"{row.number:>{digits}} | {text_of(row)}".rstrip(), row.style)
        yield Line("", "")


def _shares(coverage: Coverage) -> Iterator[Line]:
    shares = coverage.shares
    name = max(len(share.name) for share in shares)
    wide = len(str(max(share.all for share in shares)))
    for share in shares:
        part = percent(Fraction(100 * share.reached, share.all))
        style: Style = "reached" if share.reached == share.all else "partly" if share.reached else "never"
        yield Line(f"  {share.name:<{name}}  {share.reached:>{wide}} of {share.all:>{wide}}", f"  {part:>7}", style)


def _never(found: Never, coverage: Coverage) -> Iterator[Line]:
    several = len({part.place.span.source.path for part in coverage.parts}) > 1
    yield Line("", f"{found.heading}:")
    shown = found.things[:SHOWN]
    places = [f"{place.span.source.path}:{place.span.line}" if several else f"line {place.span.line}" for _, place in shown]
    wide = max(map(width, places))
    for (text, _), place in zip(shown, places, strict=True):
        yield Line(f"  {padded(safe(place), wide)}", f"  {safe(text)}", "partly")
    if len(found.things) > len(shown):
        yield Line("", f"  and {len(found.things) - len(shown)} more")
