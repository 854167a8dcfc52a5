"""Compares the speed of our engines with each other, with plain Python, and with C written by hand, which is the limit.

``python bench/compare.py [--seconds S] [--rounds N]``: whole random games a second, in one run and on one core. The sides take
turns, for at least so many seconds each, and the best round of each counts: the rest is noise of other programs. The time of our
engines is CPU time. For each game a table is printed: the sides with their games a second, and the ratio of each to each.

``python bench/compare.py --against COMMIT`` compares our engines with themselves at an older commit instead. Old and new play
alternately, each in processes of its own and each by the rules that it ships. For each game a line is printed: the speeds, and
the ratio new / old of the best rounds, of the slowest round, and of the quickest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from time import process_time

from attrs import frozen
from rulesrun.bench.by_hand import PLAIN_MASTI, compiled, run
from rulesrun.bench.reference import rules
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
    def play(number: int) -> None:
        state = game.start(seed=number, story=False)
        while state.player:
            state.play_at_random()

    return games_per_cpu_second(play, 1, seconds)


def webassembly(game: Game, seconds: float) -> float:
    """Whole games inside a module, with their statistics, as ``rulesrun simulate`` plays them; compiling it is not counted."""
    engine = engine_for(game, (Bot("random"),) * game.players, "wasm", counts=False)
    engine.play(7, 0, 1000)
    return games_per_cpu_second(lambda first: engine.play(7, first, 10_000), 10_000, seconds)


def games_per_cpu_second(play: Callable[[int], object], games: int, seconds: float) -> float:
    """Call ``play`` with 0, then with the number of the next game, as it plays so many games a call."""
    first, began = 0, process_time()
    while (spent := process_time() - began) < seconds:
        play(first)
        first += games
    return first / spent


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


def checkout(commit: str, folder: Path) -> None:
    """Write the package of a commit into a folder, from which Python can import it."""
    here = Path(__file__).parent.parent
    packed = subprocess.run(["git", "-C", str(here), "archive", commit], stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder / "rulesrun", filter="data")


def in_a_process(engine: str, setting: int, folder: Path | None, seconds: float) -> float:
    """Games a second of the package in a folder, or of the one that is installed, in a new process."""
    environment = os.environ if folder is None else {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, __file__, "--play", engine, str(setting), "--seconds", str(seconds)]
    return float(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)


def against(commit: str, seconds: float, rounds: int) -> None:
    """Play each setting with each engine, the old commit and this one in turn, and print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        checkout(commit, Path(folder))
        print(f"{'games/s':<44}{'old':>12}{'new':>12}{'new / old':>12}{'slowest':>12}{'quickest':>12}")
        for number, (name, players, options) in enumerate(SETTINGS):
            words = [name, str(players), *map(str, options.values())]
            for engine in ENGINES:
                old = partial(in_a_process, engine, number, Path(folder))
                new = partial(in_a_process, engine, number, None)
                pairs = [(old(seconds), new(seconds)) for _ in range(rounds)]
                ratios = [after / before for before, after in pairs]
                before, after = (max(speeds) for speeds in zip(*pairs, strict=True))
                speeds = f"{before:>12,.0f}{after:>12,.0f}"
                print(
                    f"{' '.join(words) + ', ' + engine:<44}{speeds}"
                    + "".join(f"{ratio(value):>12}" for value in (after / before, min(ratios), max(ratios))),
                    flush=True,
                )


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
    parser = argparse.ArgumentParser(description="Speed of our engines beside hand-written yardsticks or an older commit.")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each side plays in a round (default 1)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side plays; the best counts (default 3)")
    parser.add_argument("--against", metavar="COMMIT", help="compare with an older commit, in turn")
    parser.add_argument("--play", nargs=2, metavar=("ENGINE", "SETTING"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.play:
        engine, (name, players, options) = arguments.play[0], SETTINGS[int(arguments.play[1])]
        print(ENGINES[engine](load(rules(name), players, (), options), arguments.seconds))
        return
    print(f"{stay_on_one_core()}, the best of {arguments.rounds} rounds of {arguments.seconds:g} s\n", flush=True)
    if arguments.against:
        against(arguments.against, arguments.seconds, arguments.rounds)
        return
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
