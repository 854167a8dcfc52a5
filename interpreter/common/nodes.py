"""Printing and comparison of nodes of a tree or a model, as attrs would do it, by functions that all nodes share.

To generate these methods for some hundred classes took a quarter of every start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from attrs import fields


def getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives some fields of a thing."""
    match names:
        case ():
            return lambda node: ()
        case (name,):
            get = attrgetter(name)
            return lambda node: (get(node),)
        case _:
            return attrgetter(*names)


class _Shown(dict[type, tuple[str, ...]]):
    """The names of the fields of each class that are shown."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = tuple(each.name for each in fields(kind) if each.repr)
        return self[kind]


class _Compared(dict[type, Callable[[Any], tuple[Any, ...]]]):
    """For each class, what gives the fields of a node by which it is compared."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]]:
        self[kind] = getter([each.name for each in fields(kind) if each.eq])
        return self[kind]


_SHOWN = _Shown()
_COMPARED = _Compared()


def shown(node: Any) -> str:
    """``Const(value=3, type=...)``: the fields that are to be shown."""
    kind = type(node)
    return f"{kind.__qualname__}({', '.join([f'{name}={getattr(node, name)!r}' for name in _SHOWN[kind]])})"


def equal(node: Any, other: object) -> bool:
    """Whether two nodes are of one class and say the same."""
    kind = type(node)
    compared = _COMPARED[kind]
    return type(other) is kind and compared(node) == compared(other)


def hashed(node: Any) -> int:
    """A hash that equal nodes have."""
    kind = type(node)
    return hash((kind, _COMPARED[kind](node)))
