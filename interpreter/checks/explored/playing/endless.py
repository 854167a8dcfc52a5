"""The findings about games that need not end, or cannot."""

from __future__ import annotations

from ....common.source import Span
from ....machine.machine import Choose, Fault, Message
from ....model import model
from ....model.visitor import walk_statements
from ....table.table import Table

CANNOT_END, NEED_NOT_END, TOO_LONG = "R390", "R391", "R607"
ENDLESS = (CANNOT_END, TOO_LONG, NEED_NOT_END)  # the earlier ones say more


def comes_again(decision: Choose) -> Fault:
    """The finding that players can go round for ever, and come back to this decision."""
    text = "the same position can come again and again, so this game need not end"
    help = "let each turn use something up, or end the game after a number of rounds"
    return Fault(NEED_NOT_END, Message((text,)), decision.span, help)


def moves_instead(decision: Span, table: Table) -> dict[Span, str]:
    """Where a piece is put on a grid with more cells than its player has pieces: with none left, one that lies there is taken."""
    found: dict[Span, str] = {}
    for node in table.statements:
        if isinstance(node, model.Choose) and node.span == decision:
            for lay in walk_statements(node.options):
                if isinstance(lay, model.Lay) and isinstance(lay.what, model.AnyOf) and isinstance(lay.what.of, model.OwnedBy):
                    kind = table.kinds[lay.what.type.of]
                    each = min(sum(kind.faces[face].copies for face in faces) for faces in kind.by_owner)
                    cells = table.grids[lay.grid].cells
                    if each < cells:
                        found[lay.span] = f"with none of the {each} left, this moves a {kind.name} that lies there already"
                        found[kind.span] = f"{each} for each player, and `{lay.grid}` has {cells} cells"
    return found


def ends_at(decision: Span, table: Table) -> tuple[tuple[Span, str], ...]:
    """What would end the loop around a decision, as a place to look at; nothing where it is in no loop that has an end."""
    around = [
        loop
        for loop in table.statements
        if isinstance(loop, model.Repeat | model.TakeTurns) and any(part.span == decision for part in walk_statements(loop.body))
    ]
    return tuple((loop.until.span, "this would end it") for loop in around[-1:])


def cannot_end(decision: Choose | None, game: Span) -> Fault:
    """The finding that from some position on nothing can bring the end. ``decision``: one that comes again and again; None: there
    is none.
    """
    text = "this comes again and again, and nothing that can still be done or drawn ends the game"
    help = "let something that can still be done bring the end, or end the game after a number of rounds at the latest"
    return Fault(CANNOT_END, Message((text,)), game if decision is None else decision.span, help)
