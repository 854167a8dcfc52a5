"""What the rules say at a place: the lines of the tree, and the expressions of the model, by where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import fields, frozen

from ....common.source import Span
from ....model import model as m
from ....model.visitor import walk
from ....syntax import tree

Place = tuple[str, int, int]


def place_of(span: Span) -> Place:
    return span.source.path, span.start, span.end


@frozen(eq=False)
class Written:
    """``nodes``: of the tree; ``values``: expressions of the model."""

    nodes: Mapping[Place, tuple[tree.Node, ...]]
    values: Mapping[Place, m.Expr]

    def at(self, span: Span, *kinds: type[tree.Node]) -> tree.Node | None:
        """What of these kinds stands at a place."""
        return next((node for node in self.nodes.get(place_of(span), ()) if isinstance(node, kinds)), None)

    def value(self, node: tree.Node) -> m.Expr | None:
        """What an expression of the tree means."""
        return self.values.get(place_of(node.span))


def written(whole: tree.Tree, declarations: Iterable[object]) -> Written:
    """All that stands in some rules. ``declarations``: those of the model, those of variants included."""
    nodes: dict[Place, tuple[tree.Node, ...]] = {}
    todo: list[object] = [whole.declarations, whole.variants]
    while todo:
        item = todo.pop()
        if isinstance(item, tuple):
            todo += item[::-1]
        elif isinstance(item, tree.Node):
            key = place_of(item.span)
            nodes[key] = (*nodes.get(key, ()), item)
            todo += [getattr(item, each.name) for each in reversed(fields(type(item))) if each.name not in ("span", "comments")]
    values: dict[Place, m.Expr] = {}
    for node in walk(tuple(declarations)):
        if isinstance(node, m.Typed):
            values.setdefault(place_of(node.span), node)  # type: ignore[arg-type]
    return Written(nodes, values)
