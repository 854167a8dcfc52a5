"""Plays two executors in lockstep and compares them at each stop, in everything that a machine can be asked.

`trace` plays a game by an executor's own random streams and gives everything that can be seen at each stop; `differences`
compares the traces of two executors. An executor is whatever has the public methods of the reference executor (`Plays`); its
representation of a game in progress is its own affair.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from operator import itemgetter
from typing import Any, Literal, Protocol

from attrs import evolve, frozen
from rulesrun.interpreter.machine.analysis import derived
from rulesrun.interpreter.machine.machine import Field, Machine
from rulesrun.interpreter.machine.reference.executor import FunctionFault
from rulesrun.interpreter.machine.reference.stops import Stop

STOPS = 150  # of one game; where random games are longer, the rest is more of the same

Scored = Literal["always", "at the end"]  # before the end the rules may not have set what a score speaks of


class Plays(Protocol):
    """The methods of `Executor` by which a game is played. ``Any`` is a game in progress."""

    machine: Machine

    def fresh(self, seed: int = ..., game: int = ...) -> Any: ...
    def enter(self, cells: Any, /) -> Stop: ...
    def options(self, cells: Any, /) -> list[int]: ...
    def player(self, cells: Any, /) -> int: ...
    def outcomes(self, cells: Any, /) -> list[tuple[int, int]]: ...
    def pick(self, cells: Any, /, seat: int) -> int: ...
    def draw(self, cells: Any, /) -> int: ...
    def choose(self, cells: Any, /, option: int) -> Stop: ...
    def happen(self, cells: Any, /, value: int) -> Stop: ...
    def pack(self, cells: Any, /) -> bytes: ...
    def digest(self, cells: Any, /, seat: int) -> int: ...
    def evaluate(self, cells: Any, /, function: str, *arguments: int) -> int: ...


@frozen
class Seen:
    """One stop of a game as it can be seen from outside.

    ``site``: of the decision or chance event (-1 elsewhere). ``fault``: code and where its place begins, where a fault stopped
    the game. ``player``: who decides (-1 elsewhere). ``possible``: the legal options, or the outcomes, each with its weight.
    ``answer``: the option that the seat's own bot takes, or the outcome that is drawn (-1 elsewhere). ``scores``: each term
    of each seat, then the winners; a code where a term stops with a fault. ``record``: the bytes before the answer is drawn.
    """

    kind: str
    site: int
    fault: tuple[str, int]
    player: int
    possible: tuple[tuple[int, int], ...]
    answer: int
    digests: tuple[int, ...]
    scores: tuple[int | str, ...]
    record: bytes


def uncounted(executor: Plays, record: bytes) -> bytes:
    """What a record says of the game, not where its code stands: code that is shared otherwise counts its rounds otherwise."""
    control = derived.control(executor.machine)
    own = (control.site, control.rounds, *control.returns.values())
    places = executor.machine.layout.record.items()
    fields = [(field.name, place) for field, place in places if isinstance(field, Field) and field not in own]
    ordered = [place for _, place in sorted(fields, key=itemgetter(0))]
    return b"".join(record[place.offset : place.offset + place.width * place.length] for place in ordered)


def trace(
    executor: Plays, seed: int, game: int, stops: int = STOPS, scored: Scored = "always", counted: bool = True
) -> Iterator[Seen]:
    """A game by the executor's own streams, stop after stop, the last one included; after ``stops`` of them it is left."""
    cells = executor.fresh(seed, game)
    stop = executor.enter(cells)
    for _ in range(stops):
        found = seen_at(executor, cells, stop, scored)
        yield found if counted else evolve(found, record=uncounted(executor, found.record))
        if stop.kind == "decision":
            stop = executor.choose(cells, found.answer)
        elif stop.kind == "chance":
            stop = executor.happen(cells, found.answer)
        else:
            return


def seen_at(executor: Plays, cells: Any, stop: Stop, scored: Scored = "always") -> Seen:
    """What can be seen at a stop. The answer is drawn from its stream, and nothing else changes."""
    record = executor.pack(cells)
    player, answer = -1, -1
    possible: list[tuple[int, int]] = []
    if stop.kind == "decision":
        player = executor.player(cells)
        possible = [(option, 1) for option in executor.options(cells)]
        answer = executor.pick(cells, player)
    elif stop.kind == "chance":
        possible = executor.outcomes(cells)
        answer = executor.draw(cells)
    seats = range(executor.machine.seats)
    return Seen(
        stop.kind,
        stop.node.site if stop.node is not None else -1,
        (stop.fault.code, stop.fault.span.start) if stop.fault is not None else ("", -1),
        player,
        tuple(possible),
        answer,
        tuple(executor.digest(cells, seat) for seat in seats),
        tuple(scores(executor, cells)) if scored == "always" or stop.kind == "over" else (),
        record,
    )


def scores(executor: Plays, cells: Any) -> Iterator[int | str]:
    """Every line of the score sheet and what they get for every seat, then who wins."""
    machine = executor.machine
    for function in (*(term.function for term in machine.terms), *({machine.returns} & set(machine.functions))):
        for seat in range(machine.seats):
            yield value_or_fault(executor, cells, function, seat)
    yield value_or_fault(executor, cells, machine.winner, (1 << machine.seats) - 1)


def value_or_fault(executor: Plays, cells: Any, function: str, *arguments: int) -> int | str:
    """The value of a function, or the code of the fault with which it stops."""
    try:
        return executor.evaluate(cells, function, *arguments)
    except FunctionFault as fault:
        return fault.stop.fault.code if fault.stop.fault is not None else ""


def differences(
    one: Plays, other: Plays, seed: int, game: int, stops: int = STOPS, scored: Scored = "always", counted: bool = True
) -> Iterator[str]:
    """In what two executors differ at the first stop at which they do; nothing where they play the same game."""
    traces = (trace(each, seed, game, stops, scored, counted) for each in (one, other))
    for number, (a, b) in enumerate(zip_longest(*traces)):
        if a != b:
            if a is None or b is None:
                yield f"stop {number}: one game ends before it, the other at {a or b}"
                return
            for name in ("kind", "site", "fault", "player", "possible", "answer", "digests", "scores", "record"):
                if getattr(a, name) != getattr(b, name):
                    yield f"stop {number}, {a.kind} at site {a.site}: {name} is {getattr(a, name)} and {getattr(b, name)}"
            return
