"""Visits and copies the nodes of a model, whatever kind of node they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import is_
from typing import Any, TypeVar

from attrs import fields

from ..common.nodes import getter
from . import model

N = TypeVar("N", bound=model.Node)


NO_PARTS = ("span", "type", "var", "label")  # fields, by name
PLAIN = ("str", "int", "bool")  # by type


_NAMES: dict[type[model.Node], tuple[str, ...]] = {}


def part_names(kind: type[model.Node]) -> tuple[str, ...]:
    """The fields of a node class that can hold other nodes."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(each.name for each in fields(kind) if each.name not in NO_PARTS and each.type not in PLAIN)
    return _NAMES[kind]


class _Parts(dict[type, Callable[[Any], tuple[Any, ...]] | None]):
    """For each class, what gives the fields of a node that can hold other nodes; None for what is no node."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
        self[kind] = getter(part_names(kind)) if issubclass(kind, model.Node) else None
        return self[kind]


class _Fields(dict[type[model.Node], tuple[str, ...]]):
    """The names of all fields of each class of nodes."""

    def __missing__(self, kind: type[model.Node]) -> tuple[str, ...]:
        self[kind] = tuple(each.name for each in fields(kind))
        return self[kind]


_PARTS = _Parts()
_FIELDS = _Fields()


def with_parts(node: N, change: Callable[[Any], Any]) -> N:
    """The node with ``change`` made to each node right below it; the same object when nothing changes."""
    return _with(node, _changed, change)


def _with(node: N, changed: Callable[[Any, Callable[[Any], Any]], Any], change: Callable[[Any], Any]) -> N:
    """The node with each of its fields that can hold nodes as ``changed`` makes it with ``change``."""
    changes = {}
    kind = type(node)
    for name in part_names(kind):
        old = getattr(node, name)
        new = changed(old, change)
        if new is not old:
            changes[name] = new
    if not changes:
        return node
    return kind(**{name: changes[name] if name in changes else getattr(node, name) for name in _FIELDS[kind]})


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, model.Node):
        return change(value)
    if isinstance(value, tuple) and value:
        new = tuple([_changed(v, change) for v in value])
        return value if all(map(is_, new, value)) else new
    return value


def substituted(node: N, values: Mapping[model.Var, model.Expr]) -> N:
    """The node with expressions in the places of names."""

    def change(part: Any) -> Any:
        if isinstance(part, model.VarValue) and part.var in values:
            return values[part.var]
        return with_parts(part, change)

    return change(node)  # type: ignore[no-any-return]


def with_bodies(node: N, edit: Callable[[model.Body], model.Body]) -> N:
    """The node with every block of statements below it as ``edit`` makes it, inner blocks first."""
    return _with(node, _edited, edit)


def body_with_bodies(body: model.Body, edit: Callable[[model.Body], model.Body]) -> model.Body:
    """A block of statements with every block below it, and then itself, as ``edit`` makes it."""
    return edit(tuple([with_bodies(statement, edit) for statement in body]))


def _edited(value: Any, edit: Callable[[model.Body], model.Body]) -> Any:
    if isinstance(value, model.Node):
        return value if isinstance(value, model.Typed) else with_bodies(value, edit)
    if isinstance(value, tuple) and value:
        if isinstance(value[0], model.Statement):
            return body_with_bodies(value, edit)
        new = tuple([_edited(v, edit) for v in value])
        return value if all(map(is_, new, value)) else new
    return value


def blocks(node: Any) -> Iterator[model.Body]:
    """Every block of statements in a node or tuple, the outer ones first."""
    stack = [node]
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            if item and isinstance(item[0], model.Statement):
                yield item
            stack += item[::-1]
        elif (below := _PARTS[type(item)]) is not None and not isinstance(item, model.Typed):
            stack += below(item)[::-1]


def with_following(body: model.Body) -> Iterator[tuple[model.Statement, model.Statement | None]]:
    """Each statement of a block with the one behind it."""
    return zip(body, (*body[1:], None), strict=False)  # of an empty block, the None is left over


def is_shuffled_in(move: model.Move, following: model.Statement | None) -> bool:
    """Whether a move and the statement behind it are ``shuffle ... into ...``: then what has moved lies in no order."""
    return isinstance(following, model.Mix) and following.pile.zone == move.to.zone


def children(node: model.Node) -> Iterator[model.Node]:
    """The nodes right below a node, in order."""
    below = _PARTS[type(node)]
    stack: list[object] = [] if below is None else [below(node)]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack += item[::-1]
        elif isinstance(item, model.Node):
            yield item


def walk(node: Any) -> Iterator[model.Node]:
    """A node and all nodes below it, parents first; also of a tuple of nodes.

    Every stage and every check goes through whole games by this, so it does as little as it can.
    """
    stack = [node]
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack += item[::-1]
        elif (below := _PARTS[type(item)]) is not None:
            yield item
            stack += below(item)[::-1]


def walk_statements(node: Any) -> Iterator[model.Node]:
    """A node and the nodes below it as in `walk`, but no expressions: only statements, options, and the places that they name."""
    stack = [node]
    while stack:
        item = stack.pop()
        if type(item) is tuple:
            stack += item[::-1]
        elif (below := _PARTS[type(item)]) is not None and not isinstance(item, model.Typed):
            yield item
            stack += below(item)[::-1]
