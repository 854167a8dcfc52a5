"""How fast is the reference executor, and how soon does a game begin?

``python bench/reference.py [--seconds N]``: games of masti a second for 3 to 6 players, beside a yardstick of the same run (a
fixed loop in plain Python, so that numbers from two machines can be compared by their ratio); the time of each compiler stage;
what a world takes that a seat cannot tell from the real one (`determinise.py`), at random decisions of masti; the time from the
start of a process to its first finished game, with an empty cache of parser tables and with a full one; and what `rulesrun
--help` takes beyond bare Python. Times are the best of several tries: the rest is noise of other programs.
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

from rulesrun.interpreter.files import read_beside, read_text
from rulesrun.interpreter.machine.from_table import lower
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.model.from_tree import bind
from rulesrun.interpreter.play.determinise import Worlds
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.source import Source
from rulesrun.interpreter.syntax.from_text import parse
from rulesrun.interpreter.syntax.tree import Tree
from rulesrun.interpreter.table.from_model import specialise

MASTI = Path(__file__).parent.parent / "games" / "masti.rules"
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


def games_a_second(players: int, seconds: float) -> tuple[float, float]:
    """Games and decisions a second, random play, without a story."""
    game = load(MASTI, players)
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


def stage_times() -> dict[str, float]:
    """Milliseconds of each stage for four players, each on the result of the one before."""
    source = read_text(MASTI)
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


def worlds(players: int, decisions: int) -> tuple[float, float, float, float]:
    """At random decisions: milliseconds to go through the log, then of a world, its tries, and the most tries of any."""
    game = load(MASTI, players)
    random = Random(players)
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the reference executor and of the start.")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each number of players is played (default 3)")
    seconds: float = parser.parse_args().seconds

    measure = best_of(5, yardstick)
    print(f"yardstick: 200,000 rounds in {measure * 1000:.1f} ms, so {1 / measure:.1f} a second\n")

    print("players   games/s   decisions/s   games for one yardstick")
    for players in (3, 4, 5, 6):
        games, decisions = games_a_second(players, seconds)
        print(f"{players:>7}{games:>10.0f}{decisions:>14,.0f}{games * measure:>26.2f}")

    print("\nstage         ms (4 players, parser tables in the cache)")
    times = stage_times()
    for name, milliseconds in times.items():
        print(f"{name:<12}{milliseconds:>6.1f}")
    print(f"{'together':<12}{sum(times.values()):>6.1f}")

    print("\nplayers   log ms   world ms   tries   most tries (a world for the seat that decides, in masti)")
    for players in (3, 4, 5, 6):
        log, world, tries, most = worlds(players, 40)
        print(f"{players:>7}{log:>9.1f}{world:>11.1f}{tries:>8.1f}{most:>13.0f}")

    run = ["-c", COMMAND, str(MASTI), "--seed", "7"]
    with tempfile.TemporaryDirectory() as cache:
        cold = process(run, cache)
        warm = min(process(run, cache) for _ in range(5))
        bare = min(process(["-c", "pass"], cache) for _ in range(7))
        helped = min(process(["-c", COMMAND, "--help"], cache) for _ in range(7))
    print(f"\nprocess start to the end of the first game: {cold:.2f} s with an empty cache, {warm:.2f} s with a full one")
    more = helped - bare
    print(f"rulesrun --help: {helped * 1000:.0f} ms, {more * 1000:.0f} ms more than bare Python ({bare * 1000:.0f} ms)")


if __name__ == "__main__":
    main()
