"""Compares the speed of our engines with each other, with plain Python, and with C written by hand, which is the limit.

``python bench/compare.py [--seconds S] [--rounds N]``: whole random games a second, in one run and on one core. The sides take
turns, for at least so many seconds each, and the best round of each counts: the rest is noise of other programs. For each game a
table is printed: the sides with their games a second, and the ratio of each to each.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from attrs import frozen
from rulesrun.bench.by_hand import PLAIN_MASTI, compiled, run
from rulesrun.bench.reference import games_a_second, rules
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.simulate.engines.engine import engine_for

SETTINGS: list[tuple[str, int, dict[str, int]]] = [
    ("masti", 4, {}),
    ("kingdomino", 4, {}),
    ("for_the_king", 4, {"highest_bid": 30}),
    ("for_the_king", 4, {"highest_bid": 4}),
    ("classics/tic_tac_toe", 2, {}),
    ("classics/connect_four", 2, {}),
    ("classics/breakthrough", 2, {}),
]
ARCHITECTURES = ("x86-64-v2", "native")

Play = Callable[[float], float]  # play for so many seconds at least: games a second


@frozen
class Side:
    name: str
    play: Play


def reference(game: Game, seconds: float) -> float:
    return games_a_second(game, seconds)[0]


def webassembly(game: Game, seconds: float) -> float:
    """Whole games inside a module, with their statistics, as ``rulesrun simulate`` plays them; compiling it is not counted."""
    engine = engine_for(game, (Bot("random"),) * game.players, "wasm", counts=False)
    engine.play(7, 0, 1000)
    games, began = 0, perf_counter()
    while (spent := perf_counter() - began) < seconds:
        engine.play(7, games, 10_000)
        games += 10_000
    return games / spent


# Our engines: each plays a table for some seconds and says how many games a second.
ENGINES: dict[str, Callable[[Game, float], float]] = {"WebAssembly": webassembly, "reference": reference}


def by_hand(command: tuple[str, ...], seconds: float) -> float:
    return run(command, str(seconds)).games_per_s


def sides(name: str, players: int, options: dict[str, int], folder: Path) -> Iterator[Side]:
    """All that can play this table here."""
    game = load(rules(name), players, (), options)
    for engine, play in ENGINES.items():
        yield Side(engine, partial(play, game))
    if name == "masti":
        yield Side("plain Python", partial(by_hand, PLAIN_MASTI))
    macros = {"PLAYERS": players} | {option.upper(): value for option, value in options.items()}
    for architecture in ARCHITECTURES:
        command = compiled(Path(name).name, architecture, macros, folder)
        if command is None:
            print(f"(no C for {architecture}: gcc is missing, or does not know it)")
        else:
            yield Side(f"C {architecture}", partial(by_hand, command))


def measure(sides: Sequence[Side], seconds: float, rounds: int) -> list[float]:
    """Games a second of each side, in its best round."""
    found = [[side.play(seconds) for side in sides] for _ in range(rounds)]
    return [max(speeds) for speeds in zip(*found, strict=True)]


def table(title: str, sides: Sequence[Side], speeds: Sequence[float]) -> str:
    """Games a second, and the ratio to each side."""
    lines = [f"{title:<44}{'games/s':>12}" + "".join(f"{'/ ' + side.name:>16}" for side in sides)]
    for side, speed in zip(sides, speeds, strict=True):
        lines.append(f"    {side.name:<40}{speed:>12,.0f}" + "".join(f"{ratio(speed / other):>16}" for other in speeds))
    return "\n".join(lines)


def ratio(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def stay_on_one_core() -> str:
    """Bind this process, and those that it starts, to one core, where that can be done: what is to be said of it."""
    if not hasattr(os, "sched_setaffinity"):
        return "not bound to a core: this system cannot"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"on core {core}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of our engines beside yardsticks written by hand.")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each side plays in a round (default 1)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side plays; the best counts (default 3)")
    arguments = parser.parse_args()
    print(f"{stay_on_one_core()}, the best of {arguments.rounds} rounds of {arguments.seconds:g} s\n")
    with tempfile.TemporaryDirectory() as folder:
        for name, players, options in SETTINGS:
            found = list(sides(name, players, options, Path(folder)))
            words = [name, f"{players} players", *(f"{option} {value}" for option, value in options.items())]
            print(table(", ".join(words), found, measure(found, arguments.seconds, arguments.rounds)), flush=True)
            print()
    if find_spec("pyspiel") is None:
        print("(OpenSpiel is not here: `pip install 'rulesrun[openspiel]'`)")
        return
    from rulesrun.bench.openspiel import SAME, compare  # which measures as this file does

    compare(SAME, arguments.seconds, arguments.rounds)


if __name__ == "__main__":
    main()
