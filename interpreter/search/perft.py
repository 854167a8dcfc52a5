"""Counts the sequences of acts in the tree of a game (perft): for each depth, how many there are, and how many end the game.

Chess programs call this count *perft* and compare it with published numbers: faulty rules hardly ever give the same. It needs
games without chance in which everything is seen, so that a sequence of acts is one course of the game. Every depth is walked
anew, which takes little beside the one after it, and so each row is known as soon as it is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..common.diagnostics import Diagnostic, RulesError, fault
from ..machine.machine import Chance, Choose, Const
from ..machine.traverse import every_statement
from ..play.page import Grid, Line, Page
from ..simulate.engines.engine import EngineName
from ..simulate.stops import what_stopped
from .walker import Position, Walker

if TYPE_CHECKING:
    from ..play.game import Game, State


@frozen
class Row:
    """One depth. ``sequences``: how many there are of so many acts; ``ended``: how many of them end the game; ``positions``: how
    many different ones they lead to; ``so_far``: how many there are up to this depth, each counted once, the first one included
    (both None: not counted)."""

    depth: int
    sequences: int
    ended: int
    positions: int | None
    so_far: int | None


class OutOfSeconds(Exception):
    """There was no time for another row."""


def refused(game: Game) -> Diagnostic | None:
    """Why the sequences of a game cannot be counted; None where they can."""
    everybody = (1 << game.players) - 1
    for routine in game.machine.routines.values():
        for stmt in every_statement(routine.body):
            if isinstance(stmt, Chance):
                help = "it is for games in which the players decide everything: look at this one with `rulesrun simulate`"
                return fault("R832", "there is chance in this game, so its course is no sequence of acts", stmt.span, help=help)
            if not isinstance(stmt, Choose):
                continue
            for option in stmt.alternatives:
                if option.secret or option.seen != Const(everybody):
                    help = "it is for games in which everything is seen: look at this one with `rulesrun simulate`"
                    return fault("R832", "something is chosen here that others do not see", option.span, help=help)
    return None


def rows(game: Game, depth: int, engine: EngineName, positions: bool, seconds: float | None) -> Iterator[Row]:
    """A row for each depth from 1 to ``depth``, or up to the one behind which no sequence goes on.

    ``positions``: whether different positions are counted. Raises `OutOfSeconds` when the seconds (None: never) are over, and
    `RulesError` with the fault that stops the game after some sequence.
    """
    over = None if seconds is None else monotonic() + seconds

    def in_time() -> None:
        if over is not None and monotonic() >= over:
            raise OutOfSeconds

    different = _positions(game, engine, in_time) if positions else None
    count = _counter(game, engine)
    for level in range(1, depth + 1):
        counted = (0, 0)
        for counted in count(level):  # noqa: B007  # the last one counts
            in_time()
        if not counted[0]:
            return
        yield Row(level, *counted, *((None, None) if different is None else next(different)))


def _counter(game: Game, engine: EngineName) -> Callable[[int], Iterator[tuple[int, int]]]:
    """What counts the sequences of so many acts and those that end the game, so far and at last all."""
    if engine == "reference":
        return lambda depth: _one_by_one(game, depth)
    from ..wasm.running.perft import SequenceCounter, Stuck

    counter = SequenceCounter(game.compiled)

    def count(depth: int) -> Iterator[tuple[int, int]]:
        if depth > counter.deepest:
            raise RulesError([fault("R831", f"{counter.deepest} acts in a row are as many as can be counted")])
        try:
            yield from counter.walk(depth)
        except Stuck as stuck:
            state = game.start(0, story=False)
            for option in stuck.acts:
                state.play(option)
            if what_stopped(state) is None:
                raise RulesError([fault("R831", f"{counter.deepest} decisions in a row are as many as can be counted")]) from None
            raise RulesError([_what_stopped(state)]) from None

    return count


def _one_by_one(game: Game, depth: int) -> Iterator[tuple[int, int]]:
    """Count by the reference executor, whose result is the right one."""
    sequences = ended = 0
    todo = [(game.start(0, story=False), depth)]
    while todo:
        state, left = todo.pop()
        for option in state.legal:
            after = state.clone()
            after.play(option)
            if after.fault is not None:
                raise RulesError([_what_stopped(after)])
            if after.goes_on or left > 1:
                todo.append((after, left if after.goes_on else left - 1))
                continue
            sequences += 1
            ended += after.is_over
        yield sequences, ended
    yield sequences, ended


def _what_stopped(state: State) -> Diagnostic:
    found = what_stopped(state)
    assert found is not None, "a game that stopped once stops again"
    return found


def _positions(game: Game, engine: EngineName, in_time: Callable[[], None]) -> Iterator[tuple[int, int]]:
    """For each depth from 1 on, how many different positions there are at it, and up to it: each is gone on from once a depth."""
    walker = Walker(game, engine, scores=False)
    level = {walker.identity(here): here for here in (walker.begin(),)}
    met = set(level)
    while True:
        after: dict[bytes, Position] = {}
        todo, within = list(level.values()), set[bytes]()
        while todo:
            position = todo.pop()
            in_time()
            for option in position.answers:
                reached = walker.after(position, option)
                identity = walker.identity(reached)
                if not reached.stop.goes_on:
                    after.setdefault(identity, reached)
                elif identity not in within:
                    within.add(identity)
                    todo.append(reached)
        met.update(after)
        yield len(after), len(met)
        level = after


# ---- How it is told


def page(title: str, found: list[Row]) -> Page:
    """The rows as a table, and what they come to."""
    different = _different(found)
    counted = different is not None
    header = ("depth", "sequences of acts", "of them end the game", *(("positions",) if counted else ()))
    grid = Grid(
        header,
        tuple(
            (str(row.depth), f"{row.sequences:,}", f"{row.ended:,}", *((f"{row.positions:,}",) if counted else ()))
            for row in found
        ),
    )
    sums = f"{sum(row.ended for row in found):,} sequences of up to {len(found)} acts end the game"
    if counted:
        sums += f"; there are {different:,} positions, the first one included"
    return Line("title", title), grid, Line("text", ""), Line("text", sums)


def _different(found: list[Row]) -> int | None:
    return found[-1].so_far if found else None


def as_json(game: Game, found: list[Row], finished: bool) -> dict[str, Any]:
    """The rows as data. ``finished``: whether all rows that were asked for are there."""
    return {
        "game": game.name,
        "players": game.players,
        "variants": list(game.variants),
        "options": game.options,
        "rows": [
            {"depth": row.depth, "sequences": row.sequences, "ended": row.ended, "positions": row.positions} for row in found
        ],
        "positions": _different(found),
        "finished": finished,
    }
