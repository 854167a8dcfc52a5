"""Sizes of components, all in millimetres: what a look asks for, and what is usual for a form.

A look sets them by kind or, for the squares of a board, by zone::

    [data-kind="lamp"] { --print-width: 44mm; --print-height: 67mm; }
    [data-zone="board"] { --print-cell: 25mm; }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from attrs import field, frozen

from ...common.diagnostics import Diagnostic, fault
from ...common.source import Source, Span
from .things import Form, Style

CARD: Final = (63.0, 88.0)
TILE: Final = 40.0  # a part of a tile
WIDEST: Final = 160.0  # a tile of many parts
ROUND: Final = 16.0  # a piece
SQUARE: Final = 25.0  # a piece with words on it, and a tile of one part
LEAST, MOST = 5.0, 1000.0  # of what a look can ask for

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE: Final = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SIZE: Final = re.compile(r"--print-(width|height|cell)\s*:\s*([^;}]*)")
_NAMED: Final = re.compile(r"""\[data-(kind|zone)\s*=\s*["']?([^"'\]]+?)["']?\s*\]""")
_LENGTH: Final = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,5})?)(mm|cm|in)")
_UNITS: Final = {"mm": 1.0, "cm": 10.0, "in": 25.4}


@frozen(order=True)
class Size:
    """``letters``: the height from which letters and lines of a face take their size (`--size` on the page)."""

    width: float
    height: float
    letters: float = field(default=0.0)


@frozen
class Asked:
    """A size that a look asks for: of a kind or of the cells of a zone. ``name``: "" for all cards."""

    of: Literal["kind", "zone"]
    name: str
    side: str  # "width", "height", "cell"
    length: float
    span: Span = field(eq=False, repr=False)


@frozen
class Sizes:
    """The sizes that a look asks for; what is wrong with others (R840)."""

    asked: tuple[Asked, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def of_kind(self, kind: str, look: Style, written: str) -> Size:
        """The size of the components of a kind. ``written``: how the rules call them, "cards", "tiles", "pieces" or "dice"."""
        usual = _usual(look, written)
        width = self._side("kind", kind, "width", look.form) or usual[0]
        height = self._side("kind", kind, "height", look.form) or usual[1]
        return Size(width, height, _letters(look, width, height))

    def of_cell(self, zone: str) -> float | None:
        """The width of a cell of a grid; None where the look does not say it."""
        return self._side("zone", zone, "cell")

    def place_of(self, kind: str) -> Span | None:
        """Where the size of a kind is said."""
        return next((one.span for one in reversed(self.asked) if one.of == "kind" and one.name == kind), None)

    def _side(self, of: str, name: str, side: str, form: Form = "card") -> float | None:
        names = (name, "") if form in ("card", "playing-card") else (name,)
        for wanted in names:
            for one in reversed(self.asked):
                if (one.of, one.name, one.side) == (of, wanted, side):
                    return one.length
        return None


def _usual(look: Style, written: str) -> tuple[float, float]:
    match look.form:
        case "tile":
            part = min(TILE, WIDEST / max(look.across, look.down))
            return look.across * part, look.down * part
        case "piece" | "die":
            return ROUND, ROUND
        case "playing-card" | "card":
            return {"tiles": (TILE, TILE), "pieces": (SQUARE, SQUARE)}.get(written, CARD)


def _letters(look: Style, width: float, height: float) -> float:
    """The page draws a part of a tile as 0.54 of its size, and a piece and a die as half of it."""
    match look.form:
        case "tile":
            return min(width / look.across, height / look.down) / 0.54
        case "piece" | "die":
            return 2 * min(width, height)
        case "playing-card" | "card":
            return min(height, width / 0.7)


def sizes_in(source: Source | None) -> Sizes:
    """What a look says of sizes (None: there is no look)."""
    if source is None:
        return Sizes()
    found = list(_found(source))
    return Sizes(
        tuple(one for one in found if isinstance(one, Asked)), tuple(one for one in found if isinstance(one, Diagnostic))
    )


def _found(source: Source) -> Iterator[Asked | Diagnostic]:
    text = _COMMENT.sub(lambda comment: " " * len(comment[0]), source.text)
    for rule in _RULE.finditer(text):
        for said in _SIZE.finditer(rule[2]):
            start = rule.start(2) + said.start()
            span = Span(source, start, start + len(said[0].rstrip()))
            length = _LENGTH.fullmatch(said[2].strip())
            value = float(length[1]) * _UNITS[length[2]] if length else 0.0
            if not LEAST <= value <= MOST:
                help = f"write a length from {LEAST:g}mm to {MOST:g}mm, such as `63mm`, `6.3cm` or `2.5in`"
                yield fault("R840", f"`{said[2].strip()}` is no size that can be printed", span, help=help)
                continue
            for selector in rule[1].split(","):
                names = _NAMED.findall(selector)
                if said[1] == "cell":
                    yield from (Asked("zone", name, "cell", value, span) for of, name in names if of == "zone")
                else:
                    kinds = [name for of, name in names if of == "kind"] or [""]
                    yield Asked("kind", kinds[-1], said[1], value, span)


__all__ = ["CARD", "ROUND", "SQUARE", "Asked", "Size", "Sizes", "sizes_in"]
