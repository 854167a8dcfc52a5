"""Finds games with a constant sum: all seats together get the same in every game.

The sum is computed for every value of the fields that the returns depend on, whether a game can reach it or not. So a sum that is
found is true of every game, and for some games none is found.
"""

from __future__ import annotations

from itertools import product
from math import prod

from attrs import evolve

from ..common.intervals import Interval
from ..machine.analysis.layout import extended
from ..machine.analysis.ranges import ALL
from ..machine.machine import Field, Function, Invoke, Load, Machine, Return
from ..machine.reference.executor import Executor, FunctionFault
from ..machine.traverse import expressions_within

STATES_LIMIT = 20_000  # that are looked at: some tenths of a second
SCORE = "score"


def total_of(machine: Machine, score: Interval) -> int | None:
    """What all seats get together in every game; None where that is not known. ``score``: in what range any score lies."""
    if machine.returns != SCORE:
        machine = _with_any_score(machine, score)
    asked = _asked(machine.returns, machine)
    if any(field.bits for field in asked) or prod((field.high - field.low + 1) ** field.length for field in asked) > STATES_LIMIT:
        return None
    executor = Executor(machine)
    places = [machine.layout.record[field] for field in asked]
    slots = [place.slot + number for place in places for number in range(place.length)]
    values = [range(field.low, field.high + 1) for field in asked for _ in range(field.length)]
    found: set[int] = set()
    for state in product(*values):
        cells = executor.fresh()
        for slot, value in zip(slots, state, strict=True):
            cells[slot] = value
        try:
            found.add(sum(executor.evaluate(cells, machine.returns, seat) for seat in range(machine.seats)))
        except FunctionFault:
            continue  # a game that comes to this has no end
        if len(found) > 1:
            return None
    return found.pop() if found else None


def _with_any_score(machine: Machine, score: Interval) -> Machine:
    """The machine with the scores as fields of the record, which can be anything in a range."""
    low, high = (int(max(ALL[0], min(ALL[1], bound))) for bound in score)
    scores = Field("any scores", "game", machine.seats, low, high)
    (seat,) = machine.functions[SCORE].parameters
    functions = {**machine.functions, SCORE: Function(SCORE, (seat,), 0, (Return(Load(scores, Load(seat))),))}
    return evolve(machine, functions=functions, layout=extended(machine.layout, scores))


def _asked(name: str, machine: Machine) -> list[Field]:
    """The fields on which the value of a function depends."""
    found: dict[Field, None] = {}
    waiting, seen = [name], {name}
    while waiting:
        for expr in expressions_within(machine.functions[waiting.pop()].body):
            match expr:
                case Load(variable=Field() as field):
                    found[field] = None
                case Invoke(function=other) if other not in seen:
                    seen.add(other)
                    waiting.append(other)
                case _:
                    pass
    return list(found)
