"""How is a node of a tree or a model shown in Python? As attrs would: its class with its fields by name."""

from __future__ import annotations

from typing import Any

from attrs import fields

_NAMES: dict[type, tuple[str, ...]] = {}


def shown(node: Any) -> str:
    """``Const(value=3, type=...)``: the fields that are to be shown."""
    kind = type(node)
    if kind not in _NAMES:
        _NAMES[kind] = tuple(each.name for each in fields(kind) if each.repr)
    return f"{kind.__qualname__}({', '.join([f'{name}={getattr(node, name)!r}' for name in _NAMES[kind]])})"
