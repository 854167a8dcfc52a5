"""Colours of words, as the page of a table paints them (`web/colours.js`): a word has the same colour wherever it stands.

All colours are ``#rrggbb``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

# The palette of Okabe and Ito, which colour-blind people can tell apart, and lighter and darker ones of it.
_PALETTE: Final = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c", "#004c78", "#8a5f00",
    "#00634a", "#8a3f6a",
)  # fmt: skip
# Words that name a colour, or a thing that everybody paints in one.
_KNOWN: Final = {
    "red": "#d0312d", "hearts": "#c8102e", "diamonds": "#c8102e", "blue": "#0072b2", "green": "#009e73", "yellow": "#f0c800",
    "orange": "#e69f00", "purple": "#8a4fbf", "violet": "#8a4fbf", "pink": "#e58bb5", "brown": "#8a5a2b", "black": "#222222",
    "clubs": "#1c1c1c", "spades": "#1c1c1c", "white": "#f7f7f2", "grey": "#8c8c8c", "gray": "#8c8c8c", "gold": "#d9a400",
    "silver": "#b8c0c8", "wheat": "#f2c530", "forest": "#1f6b3a", "lake": "#3f9fe0", "water": "#3f9fe0", "sea": "#2b7fc0",
    "pasture": "#9ad15b", "meadow": "#9ad15b", "swamp": "#8f7f6a", "mine": "#4a3f4f", "mountain": "#77706c", "desert": "#e8cf96",
    "fire": "#d55e00", "ice": "#bfe6f5",
}  # fmt: skip
_SEATS: Final = ("#8c8c8c", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e6a800", "#6a4fa3", "#7a8b1c", "#3aa6a0")
_SEAT: Final = re.compile(r"player (\d+)", re.ASCII)


def seat_colour(seat: int) -> str:
    """The colour of a seat, from 1; 0: of nobody."""
    return _SEATS[0] if seat == 0 else _SEATS[(seat - 1) % (len(_SEATS) - 1) + 1]


def word_colours(attributes: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The colour of each word of some attributes. The words of one attribute have different ones."""
    found: dict[str, str] = {}
    for word in (word for words in attributes.values() for word in words):
        seat = _SEAT.fullmatch(word)
        if seat:
            found[word] = seat_colour(int(seat[1]))
        elif word in _KNOWN:
            found[word] = _KNOWN[word]
    for _, words in sorted(attributes.items(), key=lambda item: _utf16(item[0])):
        taken = {found.get(word) for word in words}
        for word in sorted(words, key=_utf16):
            if word in found:
                continue
            at = _hash(word) % len(_PALETTE)
            tried = 0
            while tried < len(_PALETTE) and _choice(at) in taken:
                at, tried = (at + 1) % len(_PALETTE), tried + 1
            if _choice(at) in taken:
                at = len(_PALETTE)
                while _choice(at) in taken:
                    at += 1
            found[word] = _choice(at)
            taken.add(found[word])
    return found


def ink_on(colour: str) -> str:
    """Black or white, whichever can be read on a colour."""
    red, green, blue = ((int(colour[at : at + 2], 16) / 255) ** 2.2 for at in (1, 3, 5))
    return "#111111" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "#ffffff"


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with so much of it, from 0 to 1, and the rest of another."""
    parts = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one * share + two * (1 - share)):02x}" for one, two in parts)


def colour_of(name: str) -> str:
    """The colour of a kind of component, for its back: dark, so that nothing shows through."""
    return mixed(_PALETTE[_hash(name) % len(_PALETTE)], "#16202c", 0.55)


def _utf16(word: str) -> bytes:
    """Strings in the order of JavaScript."""
    return word.encode("utf-16-be", "surrogatepass")


def _hash(word: str) -> int:
    total = 2166136261
    for letter in word:
        total = ((total ^ ord(letter)) * 16777619) & 0xFFFFFFFF
    return total


def _choice(at: int) -> str:
    """The colours to choose from: the palette, then others that lie as far from each other as can be."""
    if at < len(_PALETTE):
        return _PALETTE[at]
    return _from_hue(((at - len(_PALETTE)) * 137.508 + 20) % 360, 0.36 if at % 2 == 0 else 0.68)


def _from_hue(hue: float, light: float) -> str:
    """A colour by its hue, in degrees, and its lightness."""

    def part(shift: int) -> int:
        at = (shift + hue / 30) % 12
        share = light - 0.6 * min(light, 1 - light) * max(-1, min(at - 3, 9 - at, 1))
        return int(255 * share + 0.5)

    return "#" + "".join(f"{part(shift):02x}" for shift in (0, 8, 4))


__all__ = ["colour_of", "ink_on", "mixed", "seat_colour", "word_colours"]
