"""Binds ``position: board, to_move``: what makes two positions the same."""

from __future__ import annotations

from ....syntax import tree
from ... import model
from ..names.scope import Scope

POSITIONS = 500  # that are remembered where the rules do not say how many: eight bytes each
POSITIONS_LIMIT = 10_000


def position(line: tree.Position, scope: Scope) -> model.Position:
    found = []
    for name in line.names:
        symbol = scope.symbol(name.text)
        match symbol:
            case model.Grid():
                found.append(name.text)
            case model.Zone(shape=shape, visibility=visibility) | model.Variable(form=shape, visibility=visibility):
                if visibility != "open" or shape == "pile":
                    what = "a pile, which may have an order" if shape == "pile" else f"{visibility}"
                    scope.complain(
                        "R204",
                        f"a position is what all see, and `{name.text}` is {what}",
                        name.span,
                        *scope.where_declared(name.text),
                        help="name grids, open sets and slots, open counters and markers",
                    )
                else:
                    found.append(name.text)
            case _:
                known = scope.names_of(model.Grid, model.Zone, model.Variable)
                scope.unknown(name.text, name.span, "zone, counter or marker", known)
    most = POSITIONS if line.most is None else line.most
    if not 1 <= most <= POSITIONS_LIMIT:
        scope.complain("R216", f"{most:,} positions; 1 to {POSITIONS_LIMIT:,} can be remembered", line.span)
        most = 1
    return model.Position(tuple(dict.fromkeys(found)), most, span=line.span)
