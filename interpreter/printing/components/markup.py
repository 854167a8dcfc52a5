"""HTML that is built of values: whatever text stands in it, it stays text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Final

_NEVER: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")  # characters that no document holds
_EMPTY: Final = frozenset({"meta", "link", "br", "col", "path", "rect", "circle", "polyline", "polygon", "line"})


class Markup(str):
    """A piece of HTML, not to be escaped again."""

    __slots__ = ()


def text_of(text: object) -> Markup:
    """A text as HTML."""
    return text if isinstance(text, Markup) else Markup(escape(_NEVER.sub("\ufffd", str(text)), quote=False))


def element(tag: str, attributes: Mapping[str, object] | None = None, *children: object) -> Markup:
    """An element. Attributes that are None and children that are None or "" are left out."""
    said = "".join(
        f' {name}="{escape(_NEVER.sub(chr(0xFFFD), str(value)))}"'
        for name, value in (attributes or {}).items()
        if value is not None
    )
    inside = together(*children)
    if tag in _EMPTY:
        return Markup(f"<{tag}{said}/>" if tag in ("path", "rect", "circle", "polyline", "polygon", "line") else f"<{tag}{said}>")
    return Markup(f"<{tag}{said}>{inside}</{tag}>")


def together(*children: object) -> Markup:
    """Texts and elements, one after the other."""
    return Markup("".join(text_of(child) for child in children if child is not None))


def style(values: Mapping[str, object]) -> str | None:
    """A style attribute: ``--band: #123456; left: 3mm``. None for no values."""
    return "; ".join(f"{name}: {value}" for name, value in values.items()) or None


__all__ = ["Markup", "element", "style", "text_of", "together"]
