"""Paths that begin and end at the same cells, so that one piece is a path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from ....common.diagnostics import Diagnostic, warning
from ....common.source import Span
from ....model import model
from ....model.model import PLAYER, Const, Expr, Model
from ....model.visitor import substituted, walk, with_parts
from ....table.from_model.fold import Settled
from ....table.sampling.combinations import Choice
from ....table.table import Grid, Table


@frozen
class _Ends:
    """The cells at which a path begins and ends, and the lines that say so for a player."""

    start: frozenset[int]
    end: frozenset[int]
    start_span: Span
    end_span: Span

    @property
    def are_one(self) -> bool:
        return bool(self.start & self.end) and (self.start <= self.end or self.end <= self.start)


def paths(game: Model, tables: Mapping[Choice, Table]) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Conditions `has a path from ... to ...` for which, for some player at every table, the cells of one end are all among those
    of the other (R329). Nothing is said where a grid is so narrow that its sides are the same, or where cells depend on play."""
    if not any(isinstance(node, model.HasPath) for node in walk((game.declarations, game.variants))):
        return
    having: dict[Span, list[tuple[Choice, dict[int, _Ends]]]] = {}
    for choice, table in tables.items():
        for node in walk((table.all_steps, tuple(table.defines.values()), table.terms, table.winner)):
            if isinstance(node, model.HasPath) and _is_wide(table.grids[node.of.type.of]):
                having.setdefault(node.span, []).append((choice, dict(_ends(node, table))))
    for span, places in having.items():
        seats = range(max(choice.players for choice, _ in places))
        same = [seat for seat in seats if all(seat >= c.players or (seat in ends and ends[seat].are_one) for c, ends in places)]
        if same:
            ends = next(ends for _, ends in places if same[0] in ends)[same[0]]
            message = f"for player {same[0] + 1} this path begins and ends at the same cells: one piece there is a path"
            said = [(ends.start_span, "it begins here"), (ends.end_span, "it ends here")] if ends.start_span != span else []
            help = "let it end at other cells, such as those of the opposite side"
            yield warning("R329", message, span, *said, help=help), [choice for choice, _ in places]


def _is_wide(grid: Grid) -> bool:
    return grid.width > 1 and grid.height > 1


def _ends(node: model.HasPath, table: Table) -> Iterator[tuple[int, _Ends]]:
    """For each seat the ends of a path; nothing where they depend on more than that."""
    cells = _Cells(table, table.grids[node.of.type.of])
    players = {part.var for part in walk((node.start, node.end)) if isinstance(part, model.VarValue) and part.type == PLAYER}
    for seat in range(table.players):
        known = {var: Const(seat, type=PLAYER, span=node.span) for var in players}
        start, end = (cells.inlined(substituted(part, known)) for part in (node.start, node.end))
        first, last = cells.of(start), cells.of(end)
        if first is not None and last is not None:
            yield seat, _Ends(first, last, start.span, end.span)


class _Cells:
    """Finds out which cells some expressions are, where nothing in play decides that."""

    def __init__(self, table: Table, grid: Grid) -> None:
        self.table, self.grid = table, grid
        self.settled = Settled(table.players, kinds=table.kinds, grids=table.grids, columns=table.columns, teams=table.teams)

    def inlined(self, node: Expr) -> Expr:
        """An expression with what defines say in their places, and folded."""

        def change(part: model.Node) -> model.Node:
            if isinstance(part, model.Apply):
                define = self.table.defines[part.define]
                return change(substituted(define.value, dict(zip(define.parameters, part.args, strict=True))))
            return with_parts(part, change)

        return self.settled.fold(change(node))  # type: ignore[arg-type]

    def of(self, node: Expr) -> frozenset[int] | None:
        """The cells of a set; None where they are not known."""
        match node:
            case model.CellsOf(empty=False):
                return frozenset(range(self.grid.cells))
            case Const(value=bits) if node.type.is_set:
                return frozenset(cell for cell in range(self.grid.cells) if bits >> cell & 1)
            case model.Filter(of=of, var=var, condition=condition) if (cells := self.of(of)) is not None:
                holding = {cell: self.holds(condition, var, cell) for cell in cells}
                return None if None in holding.values() else frozenset(cell for cell in cells if holding[cell])
            case model.Join(left=left, right=right) | model.Without(left=left, right=right):
                first, last = self.of(left), self.of(right)
                if first is None or last is None:
                    return None
                return first | last if isinstance(node, model.Join) else first - last
            case _:
                return None

    def holds(self, condition: Expr, var: model.Var, cell: int) -> bool | None:
        """Whether a condition holds for a cell; None where that is not known."""

        def change(part: model.Node) -> model.Node:
            if isinstance(part, model.CellPlace) and isinstance(part.of, model.VarValue) and part.of.var is var:
                place = self.grid.place(cell)[1 if part.what == "row" else 0]
                return Const(place + 1, type=part.type, span=part.span)
            return with_parts(part, change)

        value = self.settled.value(change(condition))  # type: ignore[arg-type]
        return None if value is None else bool(value)
