"""Measures how fast bots find worlds that their seat cannot tell from the real game.

``python bench/worlds.py [--seconds S] [--worlds N] [GAME ...]``: for each shipped game that hides something (or for those named),
games of bots that draw N worlds before each choice and play nothing out in them, inside the module and on one core. Printed are:

- the worlds a second, games with random choices included;
- the share of worlds that are courses of the game. In the others only what the seat knows of the components is kept;
- as a yardstick, the playouts a second from the start of the game.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

from rulesrun.bench.compare import stay_on_one_core
from rulesrun.interpreter.machine.columns import FIRST
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.players import rollouts
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.players.dialect import Word, count_between
from rulesrun.interpreter.players.hidden_values import NEVER
from rulesrun.interpreter.players.workspace import Workspace, workspace_for
from rulesrun.interpreter.simulate.engines.module import WasmEngine
from rulesrun.interpreter.wasm.emission.exports.driver import Game as Driver
from rulesrun.interpreter.wasm.running.compiled import compiled_from

GAMES = Path(__file__).parent.parent / "games"


def count_the_world(m: Driver, at: Workspace) -> None:
    """In place of playouts: any option wins. A course of the game is counted, where the row says who was the first to decide."""
    wins = at.totals + 16 * m.below(at.generator, count_between(m, at.wanted, 0, at.options))
    m.store64(wins, m.load64(wins) + Word(1))
    if m.load32(at.loose) == 0:
        m.first += 64


def hides(game: Game) -> bool:
    at, _ = workspace_for(game.machine, 0, 0)
    return at.kind_count > 0 or at.hiding != NEVER


def measure(game: Game, worlds: int, seconds: float) -> tuple[float, float]:
    """Worlds a second, and the share of them that are courses of the game."""
    engine = WasmEngine(compiled_from(game.machine), (Bot("rollouts", worlds),) * game.players)
    engine.play(7, 0, 1)
    games = thoughts = proved = 0
    began = perf_counter()
    while (spent := perf_counter() - began) < seconds:
        found = engine.play(7, 1 + games, 1, rows=True, counts=True)
        assert found.rows is not None
        assert found.counts is not None
        games += 1
        thoughts += sum(count for options, count in found.counts.options.items() if options > 1)
        proved += found.rows[FIRST] >> 6
    return thoughts * worlds / spent, proved / max(1, thoughts * worlds)


def playouts(game: Game, seconds: float) -> float:
    engine = WasmEngine(compiled_from(game.machine), (Bot("random"),) * game.players)
    games = 0
    began = perf_counter()
    while (spent := perf_counter() - began) < seconds:
        engine.play(7, games, 100)
        games += 100
    return games / spent


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast bots find worlds.")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each game is measured (default 1)")
    parser.add_argument("--worlds", type=int, default=20, help="how many worlds are drawn before each choice (default 20)")
    parser.add_argument("games", nargs="*", help="names of shipped games (default: all that hide something)")
    arguments = parser.parse_args()
    rollouts._try_options = count_the_world  # pyrefly: ignore[bad-assignment]  # in a module, the table is all of a `Driver`
    print(f"{stay_on_one_core()}, {arguments.worlds} worlds before each choice\n")
    print(f"{'':<20}{'worlds/s':>12}{'courses':>12}{'playouts/s':>12}")
    for path in sorted(GAMES.rglob("*.rules")):
        if path.parent.name in ("refused", "templates") or (arguments.games and path.stem not in arguments.games):
            continue
        game = load(path)
        if hides(game):
            speed, share = measure(game, arguments.worlds, arguments.seconds)
            print(f"{path.stem:<20}{speed:>12,.0f}{share:>12.1%}{playouts(game, arguments.seconds / 4):>12,.0f}", flush=True)


if __name__ == "__main__":
    main()
