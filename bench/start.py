"""Measures how soon the fast machine begins, how big it is, and what a second thread gains.

``python bench/start.py [--seconds N]``, for each shipped game with four players: the milliseconds of emitting a module, of making
bytes of it, and of wasmtime's compiling, apart from each other; the time from an edited line to the first finished game inside a
running process; the time from the start of a process to a simulated game, with an empty cache and with a full one; bytes of the
state and of the module; microseconds of one call and of one step; games a second of two threads as a ratio to one. Times are the
best of several tries: the rest is noise of other programs.
"""

from __future__ import annotations

import argparse
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree
from time import perf_counter

from rulesrun.bench.compare import webassembly
from rulesrun.bench.reference import COMMAND, GAMES, NAMES, best_of, process, rules
from rulesrun.interpreter.machine.from_table import lower
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.simulate.engines.engine import engine_for
from rulesrun.interpreter.wasm.binary.encoding import encode
from rulesrun.interpreter.wasm.emission import emit
from rulesrun.interpreter.wasm.running.executor import WasmExecutor
from rulesrun.interpreter.wasm.running.instance import compile_module

PLAYERS = 4
ONE_GAME = ("--games", "1", "--seed", "7", "--format", "json")


def emission(name: str, playouts_only: bool) -> tuple[float, float, float, int]:
    """Milliseconds of emitting, of encoding and of wasmtime's compiling; bytes of the module: of all of it, or for playouts."""
    table = load(rules(name), PLAYERS).table

    def machine() -> Machine:  # a new one each time, of which nothing is known yet
        found = lower(table).machine
        assert found is not None
        return found

    times = []
    for _ in range(5):
        fresh = machine()
        start = perf_counter()
        module, _ = emit(fresh, playouts_only)
        times.append(perf_counter() - start)
    content = encode(module)
    encoding = best_of(5, lambda: encode(module))
    compiling = best_of(5, lambda: compile_module(content))
    return min(times) * 1000, encoding * 1000, compiling * 1000, len(content)


def edited(name: str) -> float:
    """Seconds from a line that was edited to the first simulated game, in a running process."""
    text = rules(name).read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copytree(GAMES / "data", Path(folder) / "data")
        times = []
        for number in range(5):
            path = Path(folder) / f"{name}.rules"
            path.write_text(f"{text}\n# edited {number}\n", "utf-8")
            start = perf_counter()
            engine_for(load(path, PLAYERS), (Bot("random"),) * PLAYERS, "wasm", counts=False).play(7, 0, 1)
            times.append(perf_counter() - start)
    return min(times)


def steps(game: Game) -> tuple[float, float]:
    """Microseconds of a question to the module, and of one decision or chance event of a whole game, asked for one by one."""
    executor = WasmExecutor(game.machine)
    cells = executor.fresh(1)
    stop = executor.enter(cells)
    while stop.kind != "decision":
        stop = executor.happen(cells, executor.draw(cells))
    question = best_of(5, lambda: [executor.player(cells) for _ in range(1000)]) * 1000
    made = 0
    start = perf_counter()
    while perf_counter() - start < 0.5:
        if stop.kind == "decision":
            stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
        elif stop.kind == "chance":
            stop = executor.happen(cells, executor.draw(cells))
        else:
            cells = executor.fresh(made)
            stop = executor.enter(cells)
        made += 1
    return question, (perf_counter() - start) / made * 1e6


def threads(game: Game, seconds: float) -> float:
    """Games a second of two threads, as a ratio to one."""
    ratios = []
    for _ in range(3):
        alone = webassembly(game, seconds)
        with ThreadPoolExecutor(2) as pool:
            running = [pool.submit(webassembly, game, seconds) for _ in range(2)]
            both = sum(each.result() for each in running)
        ratios.append(both / alone)
    return max(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description="How soon the fast machine begins, and what two threads bring.")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each thread plays (default 1)")
    seconds: float = parser.parse_args().seconds
    rows: list[tuple[str, list[str]]] = []

    def row(title: str, values: list[str]) -> None:
        rows.append((title, values))

    games = {name: load(rules(name), PLAYERS) for name in NAMES}
    for what, playouts_only in (("for playouts", True), ("for everything", False)):
        emitted = [emission(name, playouts_only) for name in NAMES]
        for index, title in enumerate(("emit", "encode", "wasmtime compiles")):
            row(f"{title}, {what}, ms", [f"{found[index]:.1f}" for found in emitted])
        row(f"bytes of the module {what}", [f"{found[3]:,}" for found in emitted])
    row("bytes of the state", [f"{game.machine.layout.size:,}" for game in games.values()])
    row("from an edited line to a game, s", [f"{edited(name):.3f}" for name in NAMES])
    with tempfile.TemporaryDirectory() as folder:
        cold: list[str] = []
        warm: list[str] = []
        for name in NAMES:
            cache = str(Path(folder) / name)
            command = ["-c", COMMAND, "simulate", str(rules(name)), "--players", str(PLAYERS), *ONE_GAME]
            cold.append(f"{process(command, cache):.2f}")
            warm.append(f"{min(process(command, cache) for _ in range(5)):.2f}")
    row("process start to a game, empty cache, s", cold)
    row("process start to a game, full cache, s", warm)
    asked = [steps(game) for game in games.values()]
    row("a question to the module, us", [f"{found[0]:.2f}" for found in asked])
    row("a step, asked for one by one, us", [f"{found[1]:.1f}" for found in asked])
    row("games of two threads / of one", [f"{threads(game, seconds):.2f}" for game in games.values()])

    print(f"{f'{PLAYERS} players':<44}" + "".join(f"{name:>14}" for name in NAMES))
    for title, values in rows:
        print(f"{title:<44}" + "".join(f"{value:>14}" for value in values))


if __name__ == "__main__":
    main()
