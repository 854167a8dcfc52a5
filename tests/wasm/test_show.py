"""The printed module is a module: assembled, it plays the same games as the encoded one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import wasmtime
from rulesrun.interpreter.rules import build, read_rules
from rulesrun.interpreter.simulate.engines.module import WasmEngine
from rulesrun.interpreter.wasm.binary.module import PAGE
from rulesrun.interpreter.wasm.binary.show import DEEP, show_module
from rulesrun.interpreter.wasm.emission import emit
from rulesrun.interpreter.wasm.running.compiled import Compiled, compiled_from

from ..pipeline import machine_of, small
from ..simulate.games import GAMES, PAIRS

FILES = [PAIRS, *sorted(GAMES.glob("*.rules"))]


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_printed_module_plays_the_same(file: Path) -> None:
    _, machine = build(read_rules(file).required()).required()
    module, _ = emit(machine)
    compiled = compiled_from(machine)
    assembled = Compiled(bytes(wasmtime.wat2wasm(show_module(module))), compiled.description)
    one, other = WasmEngine(compiled, ()), WasmEngine(assembled, ())
    assert one.play(3, 0, 200, rows=True).rows == other.play(3, 0, 200, rows=True).rows


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_module_can_reach_nothing_and_cannot_grow(file: Path) -> None:
    _, machine = build(read_rules(file).required()).required()
    module = compiled_from(machine).module
    assert list(module.imports) == []
    (limits,) = [export.type.limits for export in module.exports if isinstance(export.type, wasmtime.MemoryType)]
    assert limits.max is not None
    assert limits.min == limits.max
    assert limits.max * PAGE < 44_000_000  # most of it is the tree of a search


@pytest.mark.slow
def test_many_blocks_in_one_another_stand_on_short_lines() -> None:
    """Each stop of a flow lies in a block of its own, around those before it."""
    turn = "player 1 chooses\n    go: nothing\n    stay: nothing\n"
    printed = show_module(emit(machine_of(small("", 2 * DEEP * turn), 1))[0])
    assert max(len(line) - len(line.lstrip()) for line in printed.splitlines()) == 2 * DEEP


WITHOUT = f"""
import sys
sys.modules["wasmtime"] = None
from rulesrun.interpreter.simulate.engines.engine import engine_to_use, engine_for
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.play.game import load
for asked in (None, "wasm"):
    name, notice = engine_to_use(asked)
    print(name, notice)
game = load({str(PAIRS)!r})
print(engine_for(game, bots_from("random", game.players), name).play(1, 0, 3).tally.games)
from rulesrun.cli import cli
cli(["show", "--stage", "wat", {str(PAIRS)!r}])
"""


@pytest.mark.process
def test_without_wasmtime_the_reference_plays_and_the_text_is_shown() -> None:
    shown = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    lines = shown.stdout.splitlines()
    notice = "reference games are played slowly, since the package `wasmtime` is missing: `pip install wasmtime`"
    assert lines[:4] == [notice, notice, "3", "(module"]
    assert lines[-1] == ")"
    assert shown.stderr == ""


@pytest.mark.parametrize("playouts_only", [True, False])
def test_what_nothing_calls_is_not_in_the_module(playouts_only: bool) -> None:
    _, machine = build(read_rules(GAMES / "classics" / "connect_four.rules").required()).required()
    functions = emit(machine, playouts_only)[0].functions
    called = {int(rest[0]) for function in functions for name, *rest in function.body if name == "call"}
    assert [function.name for number, function in enumerate(functions) if not function.export and number not in called] == []
