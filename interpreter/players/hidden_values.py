"""Refuses tables at which a bot that plays rollouts cannot play: those with hidden values that are no components (R808).

Such a bot imagines worlds by placing hidden components anew. To draw a hidden number anew it would have to know everything that
depends on the number. So it refuses to play instead of looking at the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..common.diagnostics import RulesError, fault

if TYPE_CHECKING:  # a table that is kept is played without the compiler
    from ..machine.machine import Domain, Expr, Machine


def refuse(hidden: Sequence[str]) -> None:
    """Raise R808 where there is something that the bot cannot imagine."""
    if hidden:
        told = f"the bot `rollouts` cannot imagine what its seat does not see of {' and '.join(hidden)}"
        raise RulesError([fault("R808", told, help="it imagines hidden components, not hidden values: let `casual` play here")])


def hidden_values(machine: Machine) -> tuple[str, ...]:
    """What some seat may not see, as told: counters and markers, and what is chosen or comes by chance and is no component."""
    from ..machine.machine import Chance, Choose
    from ..machine.traverse import every_statement

    found = [f"`{variable.name}`" for variable in machine.variables if variable.visibility != "open"]
    for routine in machine.routines.values():
        for stmt in every_statement(routine.body):
            match stmt:
                case Choose(alternatives=alternatives):
                    for alternative in alternatives:
                        group = machine.groups[alternative.group]
                        plain = any(not _is_kind(machine, domain) for domain in group.arguments)
                        if plain and not _seen_by_all(machine, alternative.seen):
                            found.append(f"the option `{group.verb}`")
                case Chance(domain=domain, seen=seen):
                    if not _is_kind(machine, domain) and not _seen_by_all(machine, seen):
                        found.append("what comes by chance")
                case _:
                    pass
    return tuple(dict.fromkeys(found))


def _is_kind(machine: Machine, domain: Domain) -> bool:
    return any(domain is kind for kind in machine.kinds.values())


def _seen_by_all(machine: Machine, seen: Expr) -> bool:
    from ..machine.machine import Const

    return seen == Const((1 << machine.seats) - 1)
