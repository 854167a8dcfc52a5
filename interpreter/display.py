"""How wide is a text on a terminal, and which of its characters may be shown there?

Widths are those that glibc's ``wcwidth`` and most terminals use: East Asian wide and fullwidth characters take two cells,
combining and formatting characters none, all others one.
"""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width

_JOINERS = "\u200c\u200d"  # zero width (non-)joiner: part of the spelling in Hindi, Persian and others


def width(text: str) -> int:
    """How many cells a text takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(ch) for ch in text)


def _cells(ch: str) -> int:
    if combining(ch) or category(ch) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(ch) in "WF" else 1


def padded(text: str, cells: int) -> str:
    """A text with spaces behind it, to be that wide."""
    return text + " " * (cells - width(text))


def safe(text: str) -> str:
    """A line as it may be shown: whatever could move the cursor or turn the text round is replaced, a tab is a space."""
    return text if text.isprintable() else "".join(_shown(ch) for ch in text)


def _shown(ch: str) -> str:
    if ch.isprintable() or ch in _JOINERS:
        return ch
    return " " if ch == "\t" or category(ch) == "Zs" else "\N{REPLACEMENT CHARACTER}"
