"""How to copy a model node with its parts changed, whatever kind of node it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from attrs import evolve, fields

from . import model

N = TypeVar("N", bound=model.Node)


_PARTS: dict[type[model.Node], tuple[str, ...]] = {}


def part_names(kind: type[model.Node]) -> tuple[str, ...]:
    """The fields of a node class that can hold other nodes."""
    if kind not in _PARTS:
        _PARTS[kind] = tuple(f.name for f in fields(kind) if f.name not in ("span", "type", "var", "label"))
    return _PARTS[kind]


def with_parts(node: N, change: Callable[[Any], Any]) -> N:
    """The node with ``change`` made to each node right below it; the same object when nothing changes."""
    changes = {}
    for name in part_names(type(node)):
        old = getattr(node, name)
        new = _changed(old, change)
        if new is not old:
            changes[name] = new
    return evolve(node, **changes) if changes else node


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, model.Node):
        return change(value)
    if isinstance(value, tuple) and value:
        new = tuple(_changed(v, change) for v in value)
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    return value


def substituted(node: N, values: Mapping[model.Var, model.Expr]) -> N:
    """An expression with others in the places of names."""

    def change(part: Any) -> Any:
        if isinstance(part, model.VarValue) and part.var in values:
            return values[part.var]
        return with_parts(part, change)

    return change(node)  # type: ignore[no-any-return]


def walk(node: Any) -> Iterator[model.Node]:
    """A node and all nodes below it, parents first; also of a tuple of nodes."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif isinstance(item, model.Node):
            yield item
            stack.extend(getattr(item, name) for name in reversed(part_names(type(item))))
