"""What is said of games that need not end, or cannot?"""

from __future__ import annotations

from ...machine.machine import Choose, Fault, Message
from ...source import Span

CANNOT_END, NEED_NOT_END, TOO_LONG = "R390", "R391", "R607"
ENDLESS = (CANNOT_END, TOO_LONG, NEED_NOT_END)  # the earlier ones say more


def comes_again(decision: Choose) -> Fault:
    """That players can go round for ever, and come back to this decision."""
    text = "the same position can come again and again, so this game need not end"
    help = "let each turn use something up (what only moves about does not), or end the game after a number of rounds"
    return Fault(NEED_NOT_END, Message((text,)), decision.span, help)


def cannot_end(decision: Choose | None, game: Span) -> Fault:
    """That from some position on nothing can bring the end. ``decision``: one that comes again and again; None: there is none."""
    text = "this comes again and again, and nothing that can still be done or drawn ends the game"
    help = "let something that can still be done bring the end, or end the game after a number of rounds at the latest"
    return Fault(CANNOT_END, Message((text,)), game if decision is None else decision.span, help)
