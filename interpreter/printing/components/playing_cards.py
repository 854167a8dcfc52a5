"""Playing cards: suits, pips and court cards on a card of 70 to 100, as the page draws them (`web/table/playing.js`).

A style sheet does not reach into a picture everywhere, so what it says on the page stands here in the picture itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .markup import Markup, element, together

# The shape of each suit, in a square of 20 around its middle.
SUITS: Final = {
    "hearts": (
        "M0 9.6"
        "C-3.4 5.4-9.4 2-9.4-3.7-9.4-7-7-9.2-4.4-9.2-2.4-9.2-.7-8 0-6 .7-8 2.4-9.2 4.4-9.2 7-9.2 9.4-7 9.4"
        "-3.7 9.4 2 3.4 5.4 0 9.6"
        "Z"
    ),
    "diamonds": ("M0-10C2-6.2 4.6-2.8 7.8 0 4.6 2.8 2 6.2 0 10-2 6.2-4.6 2.8-7.8 0-4.6-2.8-2-6.2 0-10Z"),
    "spades": (
        "M0-9.8C3.4-5.6 9.4-2.4 9.4 2.6 9.4 5.4 7.4 7 5.1 7 3.5 7 2.1 6.2 1.3 4.9 1.4 7 2.1 8.6 3.6 9.8H-3.6"
        "C-2.1 8.6-1.4 7-1.3 4.9-2.1 6.2-3.5 7-5.1 7-7.4 7-9.4 5.4-9.4 2.6-9.4-2.4-3.4-5.6 0-9.8Z"
    ),
    "clubs": (
        "M0-9.8"
        "C2.6-9.8 4.5-7.9 4.5-5.4 4.5-4 3.8-2.7 2.7-1.9 3.4-2.3 4.2-2.5 5.1-2.5 7.6-2.5 9.5"
        "-.6 9.5 1.9 9.5 4.4 7.6 6.3 5.1 6.3 3.4 6.3 1.9 5.4 1.1 4 1.2 6.6 2 8.5 3.6 9.8"
        "H-3.6"
        "C-2 8.5-1.2 6.6-1.1 4-1.9 5.4-3.4 6.3-5.1 6.3-7.6 6.3-9.5 4.4-9.5 1.9-9.5-.6-7.6-2.5-5.1-2.5-4.2-2.5-3.4"
        "-2.3-2.7-1.9-3.8-2.7-4.5-4-4.5-5.4-4.5-7.9-2.6-9.8 0-9.8"
        "Z"
    ),
}
_STAR: Final = "M0-10 2.9-3.4 10-2.7 4.7 2.1 6.2 9.2 0 5.5-6.2 9.2-4.7 2.1-10-2.7-2.9-3.4Z"
_COURTS: Final = {"jack": "J", "queen": "Q", "king": "K"}
_SHORT: Final = {**_COURTS, "ace": "A", "joker": "★"}
_NUMBERS: Final = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}  # fmt: skip
_CORNERS: Final = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_SIDES: Final = ((-1, -1), (1, -1), (-1, -0.34), (1, -0.34))
_LOWER: Final = ((-1, 0.34), (1, 0.34), (-1, 1), (1, 1))
# Where the pips of a number lie: left, middle and right, from the top.
_PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "2": ((0, -1), (0, 1)),
    "3": ((0, -1), (0, 0), (0, 1)),
    "4": _CORNERS,
    "5": (*_CORNERS[:2], (0, 0), *_CORNERS[2:]),
    "6": (*_CORNERS[:2], (-1, 0), (1, 0), *_CORNERS[2:]),
    "7": (*_CORNERS[:2], (0, -0.5), (-1, 0), (1, 0), *_CORNERS[2:]),
    "8": (*_CORNERS[:2], (0, -0.5), (-1, 0), (1, 0), (0, 0.5), *_CORNERS[2:]),
    "9": (*_SIDES, (0, 0), *_LOWER),
    "10": (_SIDES[0], _SIDES[1], (0, -0.67), _SIDES[2], _SIDES[3], *_LOWER[:2], (0, 0.67), *_LOWER[2:]),
}
_LINE: Final = {"stroke": "#3a2a1a", "stroke-width": "0.5"}
_PAINT: Final[dict[str, dict[str, str]]] = {
    "frame": {"fill": "#fdf3d6", "stroke": "currentColor", "stroke-width": "0.8"},
    "robe": {"fill": "currentColor"},
    "collar": {"fill": "#fbe3c4", **_LINE},
    "skin": {"fill": "#fbe3c4", **_LINE},
    "hair": {"fill": "#8a5f2a"},
    "gold": {"fill": "#e7b93c", **_LINE},
    "line": {"fill": "none", "stroke": "#3a2a1a", "stroke-width": "0.9"},
    "seam": {"fill": "none", "stroke": "#e7b93c", "stroke-width": "1.6"},
}
_SIZES: Final = {"rank": 15, "large": 36, "huge": 46}
_RED, _BLACK = "#c4142c", "#17171c"


def are_suits(words: Sequence[str]) -> bool:
    """Whether an attribute's words are suits of playing cards."""
    return any(word in SUITS for word in words) and all(word in SUITS or word == "joker" for word in words)


def are_ranks(words: Sequence[str]) -> bool:
    """Whether an attribute's words are ranks of playing cards."""
    return any(word in _SHORT and word != "joker" for word in words)


def playing_card(facts: Mapping[str, str]) -> Markup:
    """A playing card."""
    suit, rank = facts.get("suit", ""), facts.get("rank", "")
    shape = SUITS.get(suit) or (_STAR if "joker" in (rank, suit) else None)
    short = _SHORT.get(rank) or _NUMBERS.get(rank) or rank or "★"
    index = together(_text(8, 14.5, "rank", short), _sign(shape, 8, 23, 0.46))
    pips = None if shape is None else _PIPS.get(short) or (((0.0, 0.0),) if rank in ("ace", "joker") else None)
    size = 1.7 if rank in ("ace", "joker") else 0.68
    if rank in _COURTS:
        full = _court(rank, shape)
    elif pips:
        full = together(*(_sign(shape, 35 + x * 11.5, 50 + y * 32, size, y > 0) for x, y in pips))
    else:
        full = _text(35, 64, "huge", short)
    plain = together(_sign(shape, 41, 68, 2.2), _text(22, 37, "large", short)) if shape else _text(35, 66, "huge", short)
    red = suit in ("hearts", "diamonds")
    return element(
        "svg",
        {
            "aria-hidden": "true",
            "class": f"face playing {'red' if red else 'black'}",
            "viewBox": "0 0 70 100",
            "fill": "currentColor",
            "color": _RED if red else _BLACK,
        },
        element("g", {"class": "index"}, index),
        element("g", {"class": "index", "transform": "rotate(180 35 50)"}, index),
        element("g", {"class": "full"}, full),
        element("g", {"class": "plain", "display": "none"}, plain),
    )


def _text(x: float, y: float, name: str, text: str) -> Markup:
    size = _SIZES[name] if name == "rank" else min(_SIZES[name], 66 / max(1, len(text)))
    wide = {"textLength": "14", "lengthAdjust": "spacingAndGlyphs"} if name == "rank" and len(text) > 2 else {}
    return element(
        "text",
        {"x": f"{x:g}", "y": f"{y:g}", "class": name, "text-anchor": "middle", "font-weight": "700", "font-size": f"{size:g}",
         "font-family": "Liberation Serif, DejaVu Serif, serif", **wide},
        text,
    )  # fmt: skip


def _sign(shape: str | None, x: float, y: float, size: float, turned: bool = False) -> Markup | None:
    turn = " rotate(180)" if turned else ""
    return (shape and element("path", {"d": shape, "transform": f"translate({x:g} {y:g}) scale({size:g}){turn}"})) or None


def _court(rank: str, shape: str | None) -> Markup:
    """A court card: the same half figure twice, in a frame."""
    half = together(_figure(rank), _sign(shape, 22.5, 21, 0.5))
    return together(
        element("rect", {"x": "15", "y": "11", "width": "40", "height": "78", "rx": "2", "class": "frame", **_PAINT["frame"]}),
        element("g", {}, half),
        element("g", {"transform": "rotate(180 35 50)"}, half),
        _path("M15.5 58 54.5 42", "seam"),
    )


def _path(d: str, name: str) -> Markup:
    return element("path", {"d": d, "class": name, **_PAINT[name]})


def _figure(rank: str) -> Markup:
    """The upper half of a jack, a queen or a king."""
    king, queen, jack = rank == "king", rank == "queen", rank == "jack"
    return element(
        "g",
        {"class": "figure"},
        _path("M17 57C17 45 25 41 35 41s18 4 18 9v.6L17 57Z", "robe"),
        _path("M30.5 41 35 55l4.5-14Z", "collar"),
        _path("M31 49h8l-1 5h-6Z", "gold"),
        _path("M26 33c0-9 4-13 9-13s9 4 9 13c0 5 2 7 3 9H23c1-2 3-4 3-9Z", "hair") if queen else None,
        _path("M27.5 36c-1.5-9 2-14 7.5-14s9 5 7.5 14Z", "hair") if jack else None,
        _path("M29 29c0-4 2.5-6 6-6s6 2 6 6c0 7-2.5 12-6 12s-6-5-6-12Z", "skin"),
        _path("M28.6 31c.4 9 2.4 14 6.4 14s6-5 6.4-14c-1.4 4-3 5-6.4 5s-5-1-6.4-5Z", "hair") if king else None,
        _path("M32 30.5h1.4M36.6 30.5H38M34 36.5h2", "line"),
        _path("M27 24 25.5 15l4.7 3.8L35 12.5l4.8 6.3 4.7-3.8L43 24Z", "gold") if king else None,
        _path("M35 12.5V9.5M33.5 11h3", "line") if king else None,
        _path("M28 23.5 27 17.5l4 2.5 4-4.5 4 4.5 4-2.5-1 6Z", "gold") if queen else None,
        element("circle", {"cx": "35", "cy": "14.5", "r": "1.5", "class": "gold", **_PAINT["gold"]}) if queen else None,
        _path("M26.5 25c1-6 5-8 9.5-8 5 0 8 3 7.5 8Z", "robe") if jack else None,
        _path("M42 19c5-1 7-4 7.5-7.5-5 .5-8 3-8.5 6.5Z", "gold") if jack else None,
    )


__all__ = ["SUITS", "are_ranks", "are_suits", "playing_card"]
