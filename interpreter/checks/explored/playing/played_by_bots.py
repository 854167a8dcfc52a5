"""Games that bots play: the course of each, and where a game of random bots stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....machine.reference.stops import Stop
from ....players.bots import Bot
from ....players.policies import policy_for
from ....search.walker import Cells, Walker

LONG = 2_000  # decisions and chance events of a game that is only looked at


def random_course(walker: Walker, seed: int, number: int) -> list[int]:
    """The course of the game of a seed with this number, played by random bots."""
    executor = walker.executor
    return _course(executor, seed, number, lambda cells: executor.pick(cells, executor.player(cells)))


def casual_course(walker: Walker, seed: int, number: int) -> list[int]:
    """The course of the game of a seed with this number, played by casual bots."""
    executor = walker.game.executor
    policy = policy_for(Bot("casual"), walker.game.machine)
    return _course(executor, seed, number, lambda cells: policy(executor, cells, executor.player(cells), ()))


def led_course(walker: Walker, seed: int, number: int, options: Sequence[int]) -> list[int]:
    """The course of the game of a seed with this number and these options (-1: the random bot's), up to the next decision."""
    executor = walker.executor
    given = iter(options)

    def pick(cells: Cells) -> int | None:
        option = next(given, None)
        return executor.pick(cells, executor.player(cells)) if option == -1 else option

    return _course(executor, seed, number, pick)


def random_game(executor: Any, seed: int, number: int) -> tuple[Cells, Stop]:
    """A game of random bots, and where it stops: at its end, or after `LONG` decisions and chance events."""
    cells = executor.fresh(seed, number)
    stop: Stop = executor.enter(cells)
    for _ in range(LONG):
        match stop.kind:
            case "chance":
                stop = executor.happen(cells, executor.draw(cells))
            case "decision":
                stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
            case _:
                break
    return cells, stop


def _course(executor: Any, seed: int, number: int, pick: Callable[[Cells], int | None]) -> list[int]:
    """A game with chance from its seed, played to its end, or until nothing is picked."""
    cells = executor.fresh(seed, number)
    stop = executor.enter(cells)
    course: list[int] = []
    while stop.node is not None:
        value = pick(cells) if stop.kind == "decision" else executor.draw(cells)
        if value is None:
            break
        course.append(value)
        stop = executor.choose(cells, value) if stop.kind == "decision" else executor.happen(cells, value)
    return course
