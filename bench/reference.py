"""Measures the reference executor, and how soon a game begins.

``python bench/reference.py [--seconds N]``: games a second and bytes of the record for the shipped games, beside a yardstick of
the same run (a fixed loop in plain Python, so that numbers from two machines can be compared by their ratio); the time of each
compiler stage; the time of drawing a world that a seat cannot tell from the real one (`determinise.py`), at random decisions; the
time from the start of a process to its first finished game, with an empty cache of parser tables and with a full one; and the
time of `rulesrun --help` beyond bare Python. Times are the best of several tries: the rest is noise of other programs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter

from rulesrun.interpreter.common.files import read_beside, read_text
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.from_table import lower
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.model.from_tree import bind
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.play.knowledge.determinise import Worlds
from rulesrun.interpreter.syntax.reading.from_text import parse
from rulesrun.interpreter.syntax.tree import Tree
from rulesrun.interpreter.table.from_model import specialise

GAMES = Path(__file__).parent.parent / "games"
NAMES = ("masti", "kingdomino", "for_the_king")
DUEL = ("mighty_duel", "middle_kingdom", "harmony")
TABLES: list[tuple[str, int, tuple[str, ...], dict[str, int]]] = [
    *[("masti", players, (), {}) for players in (3, 4, 5, 6)],
    *[("kingdomino", players, (), {}) for players in (2, 3, 4)],
    ("kingdomino", 2, DUEL, {}),
    ("kingdomino", 4, ("dynasty",), {}),
    *[("for_the_king", players, (), {"highest_bid": 4}) for players in (2, 3, 4, 5)],
]
COMMAND = "import sys; from rulesrun.cli import main; main()"


def yardstick() -> int:
    """A fixed amount of plain Python, of the kind that an executor does: calls, list stores, bits of ints."""

    def step(cells: list[int], at: int) -> int:
        cells[at] = (cells[at] * 5 + at) & 0xFFFF
        return cells[at] & -cells[at]

    cells = [1] * 64
    total = 0
    for round_ in range(200_000):
        total += step(cells, round_ & 63)
    return total


def best_of(tries: int, work: Callable[[], object]) -> float:
    """Seconds of the quickest try."""
    times = []
    for _ in range(tries):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def rules(name: str) -> Path:
    return GAMES / f"{name}.rules"


def games_a_second(game: Game, seconds: float) -> tuple[float, float]:
    """Games and decisions a second, random play, without a story."""
    count = decisions = 0
    start = perf_counter()
    while perf_counter() - start < seconds:
        state = game.start(seed=count, story=False)
        while state.player:
            state.play_at_random()
            decisions += 1
        assert state.fault is None
        count += 1
    passed = perf_counter() - start
    return count / passed, decisions / passed


def stage_times(name: str) -> dict[str, float]:
    """Milliseconds of each stage for four players, each on the result of the one before."""
    source = read_text(rules(name))
    assert isinstance(source, Source)
    tree = parse(source).tree
    assert isinstance(tree, Tree)
    model = bind(tree, read_beside).model
    assert model is not None
    table = specialise(model, 4).table
    assert table is not None
    machine = lower(table).machine
    assert machine is not None
    stages: dict[str, Callable[[], object]] = {
        "parse": lambda: parse(source),
        "bind": lambda: bind(tree, read_beside),
        "specialise": lambda: specialise(model, 4),
        "lower": lambda: lower(table),
        "closures": lambda: Executor(machine),
    }
    return {name: best_of(5, work) * 1000 for name, work in stages.items()}


def worlds(game: Game, decisions: int) -> tuple[float, float, float, float]:
    """At random decisions: milliseconds to go through the log, then of a world, its tries, and the most tries of any."""
    random = Random(game.players)
    prepared = passed = 0.0
    tries: list[int] = []
    for seed in range(decisions):
        seat, history = position(game, seed, random)
        start = perf_counter()
        found = Worlds(game.executor, history, seat - 1)
        began = perf_counter()
        tries += [found.draw(random).tries for _ in range(10)]
        prepared += began - start
        passed += perf_counter() - began
    return prepared * 1000 / decisions, passed * 1000 / len(tries), sum(tries) / len(tries), max(tries)


def position(game: Game, seed: int, random: Random) -> tuple[int, tuple[int, ...]]:
    """Who decides at a random decision of a random game, and what happened before."""
    state = game.start(seed, story=False)
    found = []
    while state.player:
        found.append((state.player, state.history))
        state.play_at_random()
    return random.choice(found)


def process(arguments: list[str], cache: str) -> float:
    """Seconds of a process of this Python."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "NO_COLOR": "1"}
    start = perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - start


def said(name: str, players: int, variants: tuple[str, ...]) -> str:
    return " ".join([name, str(players), *variants])


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the reference executor and of the start.")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each number of players is played (default 3)")
    seconds: float = parser.parse_args().seconds

    measure = best_of(5, yardstick)
    print(f"yardstick: 200,000 rounds in {measure * 1000:.1f} ms, so {1 / measure:.1f} a second\n")

    print(f"{'table':<50} games/s  decisions/s  games for one yardstick  bytes")
    for name, players, variants, options in TABLES:
        game = load(rules(name), players, variants, options)
        games, decisions = games_a_second(game, seconds)
        size = game.machine.layout.size
        print(f"{said(name, players, variants):<50}{games:>8.0f}{decisions:>13,.0f}{games * measure:>25.2f}{size:>7}")

    stages = {name: stage_times(name) for name in NAMES}
    print(f"\n{'ms for 4 players':<20}" + "".join(f"{name:>14}" for name in NAMES) + "  (parser tables in the cache)")
    for stage in stages["masti"]:
        print(f"{stage:<20}" + "".join(f"{stages[name][stage]:>14.1f}" for name in NAMES))
    print(f"{'together':<20}" + "".join(f"{sum(stages[name].values()):>14.1f}" for name in NAMES))

    print(f"\n{'a world for the seat that decides':<50} log ms  world ms  tries  most tries")
    for name, players, variants, options in TABLES:
        log, world, tries, most = worlds(load(rules(name), players, variants, options), 20)
        print(f"{said(name, players, variants):<50}{log:>7.1f}{world:>10.1f}{tries:>7.1f}{most:>12.0f}")

    print()
    with tempfile.TemporaryDirectory() as cache:
        for name in NAMES:
            run = ["-c", COMMAND, str(rules(name)), "--seed", "7"]
            cold = f"{process(run, cache):.2f} s with an empty cache, " if name == NAMES[0] else ""
            warm = min(process(run, cache) for _ in range(5))
            print(f"process start to the end of the first game of {name}: {cold}{warm:.2f} s with a full one")
        bare = min(process(["-c", "pass"], cache) for _ in range(7))
        helped = min(process(["-c", COMMAND, "--help"], cache) for _ in range(7))
    more = helped - bare
    print(f"rulesrun --help: {helped * 1000:.0f} ms, {more * 1000:.0f} ms more than bare Python ({bare * 1000:.0f} ms)")


if __name__ == "__main__":
    main()
