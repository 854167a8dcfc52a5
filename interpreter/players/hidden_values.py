"""Finds how far back a table has hidden values that are no components: hidden counters and markers, and unseen choices or chance.

Such a value is imagined by playing what happened again (`rollouts.py`): since the last moment at which none was kept, if all of
them are kept only until everybody has chosen; else the whole game.
"""

from __future__ import annotations

from ..machine.machine import Chance, Choose, Const, Domain, Expr, Machine, VariableView
from ..machine.traverse import every_statement

NEVER, PENDING, EVER = range(3)  # there are none; only while players choose at once or bid under seal; at any time


def hidden_values(machine: Machine) -> int:
    """`NEVER`, `PENDING` or `EVER`."""
    hidden = [variable for variable in machine.variables if variable.visibility != "open"]
    if not all(is_kept(variable) for variable in hidden) or any(
        _stays_hidden(machine, stmt) for routine in machine.routines.values() for stmt in every_statement(routine.body)
    ):
        return EVER
    return PENDING if hidden else NEVER


def is_kept(variable: VariableView) -> bool:
    """Whether a construct keeps it for its player alone until all have chosen; nobody can declare a name with a space."""
    return variable.visibility != "open" and " " in variable.name


def is_kind(machine: Machine, domain: Domain) -> bool:
    """Whether a domain's values are components."""
    return any(domain is kind for kind in machine.kinds.values())


def _stays_hidden(machine: Machine, stmt: object) -> bool:
    """Whether a statement lets something be chosen or come by chance that is no component, and that not all are told of."""
    match stmt:
        case Choose(alternatives=alternatives):
            return any(
                not (each.told or _seen_by_all(machine, each.seen) or all(is_kind(machine, domain) for domain in arguments))
                for each in alternatives
                for arguments in [machine.groups[each.group].arguments]
            )
        case Chance(domain=domain, seen=seen):
            return not (is_kind(machine, domain) or _seen_by_all(machine, seen))
        case _:
            return False


def _seen_by_all(machine: Machine, seen: Expr) -> bool:
    return seen == Const((1 << machine.seats) - 1)
