"""Declares the fields of the record: one for each zone, box, counter and marker of a table.

Components removed unseen from a pile are only counted: the set of the pile keeps all of them. So no chance event is spent, and
nothing that a seat knows of the pile becomes false. Draws and ``is empty`` compare with the count; any other question is R253.
"""

from __future__ import annotations

from ....model import model
from ....model.effects import effects_of
from ....model.model import BOX
from ....model.visitor import blocks, is_shuffled_in, with_following
from ....table.table import Table
from ...machine import NONE
from .builder import Builder


def fields(b: Builder) -> None:
    """The fields of everything but knowledge and grids."""
    held = held_piles(b.table)
    looked_at = _looked_at(b.table)
    for kind, components in b.components.items():
        b.boxes[kind] = b.field(f"{BOX} of {kind}", "game", bits=components.bits)
    for zone in b.table.zones.values():
        components = b.components[zone.kind]
        length = b.table.size(zone.owner)
        high = len(components.kind.faces) - 1
        if zone.shape == "slot":
            b.field(zone.name, "game", length, NONE, high)
            continue
        b.field(zone.name, "game", length, bits=components.bits)
        if zone.name in b.ordered:
            b.field(f"top of {zone.name}", "game", length * components.bits, NONE, high)
            b.field(f"size of top of {zone.name}", "game", length, 0, components.bits)
            if zone.name in looked_at and zone.visibility != "open":
                b.field(f"seen top of {zone.name}", "knowledge", length * components.bits, bits=b.players)
        if zone.name in held:
            b.held[zone.name] = b.field(f"held back of {zone.name}", "game", length, 0, components.bits)
    for variable in b.table.variables.values():
        length = b.table.size(variable.owner)
        if variable.range is not None:
            low, high = variable.range.low, variable.range.high
        else:
            low, high = 0, b.size(variable.type) - 1
        if variable.type.optional or variable.type.base not in ("number", "truth"):
            low = NONE
        b.field(variable.name, "game", length, low, max(low, high))


def ordered_piles(table: Table) -> set[str]:
    """Piles onto which something is put without shuffling right after, or at which somebody looks: their top has an order."""
    found = _looked_at(table)
    for step in table.all_steps:
        for block in blocks(step):
            for line, following in with_following(block):
                if isinstance(line, model.Draw) or (isinstance(line, model.Move) and not is_shuffled_in(line, following)):
                    zone = table.zones.get(line.to.zone)
                    if zone is not None and zone.shape == "pile":
                        found.add(zone.name)
    return found


def _looked_at(table: Table) -> set[str]:
    """Piles at the top of which somebody looks: of each component there it is kept who has seen it."""
    return {node.pile.zone for node in table.statements if isinstance(node, model.Peek)}


def held_piles(table: Table) -> set[str]:
    """Piles of which some components may be held back."""
    moves = (move for _, effect in effects_of(table.statements) for move in effect.moves if not move.place)
    return {
        move.source.zone
        for move in moves
        if move.source is not None and not (isinstance(move.count, model.Const) and move.count.value == 0)
    }


def always_set(table: Table) -> set[str]:
    """Markers of the table that the setup sets on every path."""
    setup = next((s for s in table.flow if s.form == "setup"), None)
    if setup is None:
        return set()
    return {line.name for line in setup.body if isinstance(line, model.SetVariable) and line.owner is None}
