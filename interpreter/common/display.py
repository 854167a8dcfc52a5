"""The width of texts on a terminal, and the characters that may be shown there."""

from __future__ import annotations

from unicodedata import category

from rich.cells import cell_len

_JOINERS = "\u200c\u200d"  # zero width (non-)joiner: part of the spelling in Hindi, Persian and others


def width(text: str) -> int:
    """How many cells a text takes. Formatted files depend on it, so the environment has no say (`UNICODE_VERSION`)."""
    return cell_len(text, "latest")


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
