"""The zones whose content can change while statements are executed.

A named component lies where it lay when it got its name, or where something has moved it since: through another name, or with
everything that lay there. So ``move card to discard`` can take it from every zone to which the executed moves lead from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...model import model
from ...model.effects import Movement, effects_of
from ...model.model import BOX, Body, Var
from ...model.visitor import walk
from ...table.table import Table
from .effects import NOWHERE, PointsTo, Zones, everything_done

Move = tuple[Zones, bool, str]  # from where, whether by a name that it has, and to where


def mutated_zones(body: Body, names: Mapping[Var, Zones], table: Table) -> Zones:
    """The zones and grids whose content a body can change, with the steps that it does; nothing is said of the box.

    ``names``: those that stand for components before it, and where these lie.
    """
    done = list(everything_done(body, table))
    lying = PointsTo(table)
    for node in done:
        lying.note(node)
    for var, zones in names.items():
        lying.named_in[var] |= zones
    moves = [_through(move, lying) for _, effect in effects_of(done) for move in effect.moves]
    onwards = _onwards(moves)
    return NOWHERE.union(*(_at_last(sources, onwards) | {to} if named else sources | {to} for sources, named, to in moves))


def _through(move: Movement, lying: PointsTo) -> Move:
    to = move.place or ("" if move.source is None else move.source.zone)  # what never comes into play stays where it is
    return lying.taken_from(move), move.what is not None and _by_name(move.what), lying.place(to)


def _by_name(what: model.Expr) -> bool:
    return any(isinstance(part, model.VarValue) and part.type.base == "component" for part in walk(what))


def _onwards(moves: Iterable[Move]) -> Mapping[str, set[str]]:
    """For each zone, where what lies there can come to lie (a least fixed point)."""
    everywhere = {to for _, _, to in moves}
    onwards = {zone: {zone} for zone in everywhere.union(*(sources for sources, _, _ in moves))}
    onwards[BOX] = {BOX, *everywhere}
    goes_on = True
    while goes_on:
        goes_on = False
        for sources, named, to in moves:
            begins = _at_last(sources, onwards) if named else sources
            for reached in onwards.values():
                if to not in reached and not reached.isdisjoint(begins):
                    reached.add(to)
                    goes_on = True
    return onwards


def _at_last(zones: Zones, onwards: Mapping[str, set[str]]) -> Zones:
    """Where what has got its name in some zones can lie."""
    return zones.union(*(onwards[zone] for zone in zones))
