"""Bounds on the width and height of what lies on a grid, where ``so that`` limits laying.

The proof is by induction: each line that lays something leaves no more than the bound. Either an option lays first and its ``so
that`` compares the width with a number; or nothing lies on the grid when the line is reached, and the width is that of the piece.
Removing a piece never makes anything wider. The analysis visits all lines, and repeats loops until nothing more is learned.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from ...model import model
from ...model.model import Expr
from ...model.visitor import walk
from ...table.table import Grid, Table
from .domain.states import AbstractState, Ground, beginning
from .domain.values import NO
from .evaluation.evaluator import Evaluator
from .evaluation.grids import owner_of_cells, reach

Extent = tuple[str, str]  # a grid, and "width" or "height"
EXTENTS = ("width", "height")


def are_limited(table: Table) -> bool:
    """Whether widths or heights are limited by ``so that``."""
    options = [node for node in table.statements if isinstance(node, model.Option)]
    return any(_is_extent(part) for option in options for each in option.conditions if each.laid for part in walk(each))


def _is_extent(node: model.Node) -> bool:
    return isinstance(node, model.Bounds) and node.what in EXTENTS


@define(eq=False)
class Extents:
    """Hears of every line. ``most``: what lies on a grid after something has been laid, at most."""

    ground: Ground
    most: dict[Extent, int] = field(factory=dict)
    _asking: Evaluator = field(init=False)
    _limits: dict[int, dict[str, int]] = field(factory=dict)  # by identity of a line that lays something

    def __attrs_post_init__(self) -> None:
        self._asking = Evaluator(self.ground.table)
        at = beginning(self.ground)
        at.forget(self.ground.table.kinds, self.ground.table.variables)
        for node in self.ground.table.statements:
            if isinstance(node, model.Option):
                self._note(node, at)

    def line(self, node: model.Statement, at: AbstractState) -> None:
        """A line begins in such positions."""
        if not isinstance(node, model.Lay):
            return
        table = self.ground.table
        grid, limits = table.grids[node.grid], self._limits.get(id(node), {})
        with self._asking.unsure():
            group = self._asking.group(node.what, at)
            owner = node.owner or owner_of_cells(node.on[0])
            zones = [zone.name for zone in table.zones.values() if zone.grid == node.grid]
            places = [place for name in zones for place in self._asking.spots(name, owner, owner is None, at)]
        alone = group.count[1] <= 1 and all(at.content[place] == NO for place in places)
        for what in EXTENTS:
            size = _size(grid, what)
            most = reach(table.kinds[group.kind]) if alone else size
            key = node.grid, what
            self.most[key] = max(self.most.get(key, 0), min(size, most, limits.get(what, size)))

    def _note(self, option: model.Option, at: AbstractState) -> None:
        """The limits of what an option lays before it does anything else."""
        first = next((node for node in option.body if not isinstance(node, model.SetVariable | model.Let)), None)
        for argument in option.arguments:
            ways = argument.source
            on_it = (model.VarValue(argument.var, type=argument.var.type, span=option.span),)
            if isinstance(ways, model.Ways) and isinstance(first, model.Lay) and first.on == on_it:
                limits = self._limits.setdefault(id(first), {})
                for condition in option.conditions:
                    for what, limit in self._limits_of(condition.test, ways, at) if condition.laid else ():
                        limits[what] = min(limit, limits.get(what, limit))

    def _limits_of(self, test: Expr, ways: model.Ways, at: AbstractState) -> Iterator[tuple[str, int]]:
        """Which widths or heights are at most what, where a condition holds."""
        match test:
            case model.Logic(op="and", left=left, right=right):
                yield from self._limits_of(left, ways, at)
                yield from self._limits_of(right, ways, at)
            case model.Compare(op=op, left=model.Bounds(what=what, of=model.ZoneContent() as of), right=right):
                if what in EXTENTS and (of.zone, of.owner, of.every) == (ways.grid, ways.owner, False):
                    with self._asking.unsure():
                        yield what, self._asking.number(right, at.copy())[1] - (op == "<")
            case _:
                pass


def _size(grid: Grid, what: str) -> int:
    return grid.width if what == "width" else grid.height
