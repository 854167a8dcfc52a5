"""Abstract interpretation of moves, draws and lays, and the findings of those that surely stop the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from attrs import evolve

from ...common.source import Span
from ...model import model
from ...model.effects import OfPile
from .domain.states import CERTAIN, AbstractState, box_of, held_in
from .domain.values import NO, YES, Group, Place, plus
from .evaluation import shortfalls
from .evaluation.grids import lying_cells, owner_of_cells

if TYPE_CHECKING:  # where these lines stand
    from .interpreter import AbstractInterpreter


def move(node: model.Move, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind a move."""
    evaluator = interpreter.evaluator
    what = node.what.of if isinstance(node.what, model.RandomOf) else node.what
    group = evaluator.group(what, at)
    if isinstance(node.what, model.RandomOf):
        if group.count == NO:
            interpreter.report(shortfalls.nothing_by_chance(group.kind, node.span), at)
            return None
        group = evaluator.group(node.what, at)
        group = evolve(group, count=YES, parts=dict.fromkeys(group.parts, YES) if len(group.parts) == 1 else group.parts)
    to = _spots(node.to, group.kind, at, interpreter)
    if _overfull(group, to, node.span, at, interpreter):
        return None
    named = node.what.var if isinstance(node.what, model.VarValue) else None
    emptied = [place for place in evaluator.whole(node.what, at) if place not in to]
    at.move(group, to, named)
    at.content |= dict.fromkeys(emptied, NO)
    if node.moved is not None:
        part = group.count if len(to) == 1 else (0, group.count[1])
        at.names[node.moved] = evolve(group, parts=dict.fromkeys(to, part))
    return at


def of_pile(node: OfPile, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind what is done with the top of a pile."""
    match node:
        case model.Draw():
            return _draw(node, at, interpreter)
        case model.HoldBack():
            return _hold_back(node, at, interpreter)
        case model.Mix() | model.Peek():
            return at  # everything stays where it is
        case _:
            assert_never(node)


def _draw(node: model.Draw, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind a draw."""
    table = interpreter.table
    zone = table.zones[node.source.zone]
    count = interpreter.evaluator.needed(node.count, at)
    piles = _spots(node.source, zone.kind, at, interpreter)
    to = _spots(node.to, zone.kind, at, interpreter)
    if not piles or not to:
        return at
    most = max(at.content[pile][1] for pile in piles)
    if count[0] > most:
        before = [(span, total) for (name, span), total in interpreter.drawn.items() if name == zone.name and span != node.span]
        interpreter.report(shortfalls.runs_out(node, zone, count, piles, at, interpreter.loops, before), at)
        return None
    count = max(0, count[0]), max(0, min(count[1], most))
    if at.reach == CERTAIN and count[0] == count[1]:
        interpreter.drawn[zone.name, node.span] = interpreter.drawn.get((zone.name, node.span), 0) + count[0]
    faces = table.kinds[zone.kind].faces_as(zone.only)
    parts = {pile: count if len(piles) == 1 else (0, min(count[1], at.content[pile][1])) for pile in piles}
    group = Group(zone.kind, count, parts, faces)
    if _overfull(group, to, node.span, at, interpreter):
        return None
    at.move(group, to)
    if node.moved is not None:
        one = min(1, count[0]), min(1, count[1])
        at.names[node.moved] = Group(zone.kind, one, {place: one if len(to) == 1 else (0, 1) for place in to}, faces)
    return at


def _hold_back(node: model.HoldBack, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind what is removed unseen from a pile."""
    zone = interpreter.table.zones[node.pile.zone]
    count = interpreter.evaluator.needed(node.count, at)
    piles = _spots(node.pile, zone.kind, at, interpreter)
    most = max((at.content[pile][1] for pile in piles), default=0)
    if count[1] < 0 or count[0] > most:
        number = count[1] if count[1] < 0 else count[0]
        interpreter.report(shortfalls.too_many_removed(node.span, zone, number, most, interpreter.table), at)
        return None
    count = max(0, count[0]), max(0, min(count[1], most))
    if at.reach == CERTAIN and count[0] == count[1]:
        interpreter.drawn[zone.name, node.span] = interpreter.drawn.get((zone.name, node.span), 0) + count[0]
    if len(piles) == 1:
        held = held_in(piles[0])
        at.content[piles[0]] = max(0, at.content[piles[0]][0] - count[1]), at.content[piles[0]][1] - count[0]
        at.content[held] = plus(at.content[held], count)
    else:
        at.forget([zone.kind], ())
    return at


def lay(node: model.Lay, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind what is put on a grid."""
    evaluator, table = interpreter.evaluator, interpreter.table
    group = evaluator.group(node.what, at)
    zone = f"{group.kind} on {node.grid}"
    grid = table.grids[node.grid]
    for cell in node.on:
        if cell.type.base == "cell" and not cell.type.is_set:
            evaluator.needed(cell, at)
    owner = node.owner or owner_of_cells(node.on[0])
    to = evaluator.spots(zone, owner, owner is None, at)
    parts = len(table.kinds[group.kind].parts)
    if len(to) == 1 and to[0] not in group.parts:
        covered = lying_cells(node.grid, owner, False, at, evaluator)[0]
        if covered + group.count[0] * parts > grid.cells:
            interpreter.report(shortfalls.grid_full(node, grid, group.kind), at)
            return None
    at.move(group, to, node.what.var if isinstance(node.what, model.VarValue) else None)
    return at


def laid(ways: model.Ways, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState:
    """The position in which a component lies on a grid in one of some ways."""
    evaluator, after = interpreter.evaluator, at.copy()
    group = evaluator.group(ways.piece, after)
    to = evaluator.spots(f"{group.kind} on {ways.grid}", ways.owner, ways.owner is None, after)
    after.move(group, to, ways.piece.var if isinstance(ways.piece, model.VarValue) else None)
    return after


def _spots(spot: model.Spot, kind: str, at: AbstractState, interpreter: AbstractInterpreter) -> list[Place]:
    if spot.zone not in interpreter.table.zones:
        return [box_of(kind)]
    if spot.owner is not None:
        interpreter.evaluator.needed(spot.owner, at)
    return interpreter.evaluator.spots(spot.zone, spot.owner, False, at)


def _overfull(group: Group, to: Sequence[Place], span: Span, at: AbstractState, interpreter: AbstractInterpreter) -> bool:
    """Whether what moves surely does not fit into any of the places where it may go."""
    if not to or not group.count[0] or not group.parts.keys().isdisjoint(to):
        return False
    if any(at.content[place][0] + group.count[0] <= at.ground.most(place) for place in to):
        return False
    zone = interpreter.table.zones[to[0][0]]
    interpreter.report(shortfalls.slot_taken(zone, at.content[to[0]][0], group.count[0], span), at)
    return True
