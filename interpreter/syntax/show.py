"""Prints a tree, so that a person can compare it with the text, and a test with the expected tree.

One line a node: its class, then its short fields; longer ones indented below. Spans and comments are left out. Works for any
attrs values, so a new node needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from .tree import Extension, Tree

_HIDDEN = ("span", "comments", "closing")
_WIDTH = 110


def show(tree: Tree | Extension) -> str:
    """An indented outline of a tree, ending in a line end."""
    return "\n".join(_lines(tree, 0)) + "\n"


def _lines(value: Any, depth: int, label: str = "") -> Iterator[str]:
    margin = "  " * depth + label
    short = _short(value, _WIDTH - len(margin))
    if short is not None or value is None or isinstance(value, bool | int):
        yield margin + str(value if short is None else short)
    elif isinstance(value, tuple):
        yield margin.rstrip()
        for item in value:
            yield from _lines(item, depth + 1, "- " if isinstance(item, tuple) else "")
    else:
        fields = [(f.name, getattr(value, f.name)) for f in attrs.fields(type(value)) if f.name not in _HIDDEN]
        inline = [(name, _short(field, 60)) for name, field in fields]
        shown = " ".join(f"{name}={text}" for name, text in inline if text not in (None, "None", "False", "()"))
        yield f"{margin}{type(value).__name__.strip('_')} {shown}".rstrip()
        for (name, field), (_, text) in zip(fields, inline, strict=True):
            if text is None:
                yield from _lines(field, depth + 1, f"{name}: ")


def _short(value: Any, room: int) -> str | None:
    """The value on one line, if it has the room and holds no lines of the file."""
    if room <= 0:
        return None
    if isinstance(value, tuple):
        items = [_short(item, room) for item in value]
        listed = "(" + ", ".join(item for item in items if item is not None) + ")"
        return None if None in items or len(listed) > room else listed
    if not attrs.has(type(value)):
        return repr(value) if isinstance(value, str) else str(value)
    fields = {f.name: getattr(value, f.name) for f in attrs.fields(type(value)) if f.name not in _HIDDEN}
    if "comments" in {f.name for f in attrs.fields(type(value))} and any(isinstance(f, tuple) and f for f in fields.values()):
        return None
    if set(fields) == {"text"}:
        return str(fields["text"])
    parts: list[str] = []
    skipped = False
    for name, field in fields.items():
        if field is None or field is False or field == ():
            skipped = True  # from here on the place does not tell which field it is
        elif (short := _short(field, room)) is None:
            return None
        else:
            parts.append(f"{name}={short}" if skipped else short)
    text = f"{type(value).__name__}({', '.join(parts)})"
    return None if len(text) > room else text
