"""The outcome of a game whose cells stand at the end: scores, wins, lines of the score sheet and returns, by seat."""

from __future__ import annotations

from typing import Any, Protocol

from attrs import frozen

from ..machine import Machine


class FunctionEvaluator(Protocol):
    """An executor, which is asked for values of functions in cells of its own."""

    machine: Machine

    def evaluate(self, cells: Any, function: str, *arguments: int) -> int:
        """The value of a function. `FunctionFault` where it stops with a fault."""


@frozen
class Outcome:
    """All by seat. ``wins``: 0, or by how many seats the win is shared. ``terms``: for each line its values.

    ``team_scores``: of each seat's team (of itself, where there are none). ``returns``: what each gets.
    """

    scores: tuple[int, ...]
    wins: tuple[int, ...]
    terms: tuple[tuple[int, ...], ...]
    team_scores: tuple[int, ...]
    returns: tuple[int, ...]


def outcome_of(executor: FunctionEvaluator, cells: Any) -> Outcome:
    """The end of a game, asked in the order that `columns.py` states. `FunctionFault` where the rules cannot say something."""
    machine = executor.machine
    everybody = (1 << machine.seats) - 1

    winners = executor.evaluate(cells, machine.winner, everybody) or everybody  # as `State.ranking` has it
    scores = _by_seat(executor, cells, "score")
    return Outcome(
        scores,
        tuple(winners.bit_count() if winners >> seat & 1 else 0 for seat in range(machine.seats)),
        tuple(_by_seat(executor, cells, term.function) for term in machine.terms),
        _by_seat(executor, cells, "score of team"),
        scores if machine.returns == "score" else _by_seat(executor, cells, machine.returns),
    )


def _by_seat(executor: FunctionEvaluator, cells: Any, function: str) -> tuple[int, ...]:
    return tuple(executor.evaluate(cells, function, seat) for seat in range(executor.machine.seats))
