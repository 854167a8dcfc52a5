"""Tables that are kept: found again without the compiler, and made anew whenever anything they were made of has changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rulesrun.interpreter.common import cache
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.play import kept
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.play.kept import KeptTable, kept_table
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.simulate.engines.module import WasmEngine
from rulesrun.interpreter.simulate.engines.reference import ReferenceEngine
from rulesrun.interpreter.wasm.running.compiled import Compiled
from rulesrun.interpreter.wasm.running.fitting import fits

from .compiling import compiled

RULES = Path(__file__).parents[1] / "extending" / "rules"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the market and of what extends it; and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Path(shutil.copytree(RULES, tmp_path / "games"))


def entries(folder: Path, purpose: str = "table") -> list[Path]:
    return sorted((folder.parent / "cache" / "rulesrun").glob(f"{purpose}-*"))


def was_kept(table: KeptTable) -> bool:
    """Whether a table came from the cache: then its rules have not been read."""
    return table.load.__name__ == "load"


def plays(table: KeptTable) -> None:
    """It is the table that it says, and plays its games."""
    game = load(table.game.rules.path, table.players, table.variants, dict(table.options))
    assert (game.name, game.players, game.variants, game.options) == (table.name, table.players, table.variants, table.options)
    assert (game.rules_hash, game.seat_names) == (table.rules_hash, table.seat_names)
    slow = ReferenceEngine(game.machine, (Bot("random"),) * game.players)
    for module in (table.compiled, table.playouts):
        fast = WasmEngine(module, ())
        assert fast.columns == slow.columns
        assert fast.play(3, 0, 20, rows=True).rows == slow.play(3, 0, 20, rows=True).rows


@pytest.mark.slow
def test_the_second_time_it_is_there(folder: Path) -> None:
    first = kept_table(folder / "house.rules")
    assert not was_kept(first)
    second = kept_table(folder / "house.rules")
    assert was_kept(second)
    assert second.compiled.content == first.compiled.content
    assert second.told == json.loads(json.dumps(first.told))
    plays(first)
    plays(second)


@pytest.mark.slow
def test_another_table_is_another_entry(folder: Path) -> None:
    whole = load(folder / "house.rules").rules.required()
    variant = whole.variants[0].name
    for number, (players, variants) in enumerate([(None, ()), (whole.players[1], ()), (None, (variant,))], 1):
        table = kept_table(folder / "house.rules", players, variants)
        assert not was_kept(table)
        assert len(entries(folder)) == number
        assert was_kept(kept_table(folder / "house.rules", players, variants))
        plays(table)


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["house.rules", "below/fair.rules", "market.rules", "data/goods.csv"])
def test_an_edit_anywhere_makes_it_anew(folder: Path, changed: str) -> None:
    kept_table(folder / "house.rules")
    file = folder / changed
    text = file.read_text(encoding="utf-8")
    text = text.replace("bread,1,3", "bread,1,4") if changed.endswith("csv") else text + "\n# a comment\n"
    file.write_text(text, encoding="utf-8")
    table = kept_table(folder / "house.rules")
    assert not was_kept(table)
    plays(table)
    assert was_kept(kept_table(folder / "house.rules"))


def test_a_file_that_is_gone_is_said_as_ever(folder: Path) -> None:
    kept_table(folder / "house.rules")
    (folder / "data" / "goods.csv").unlink()
    with pytest.raises(RulesError, match="R001"):
        kept_table(folder / "house.rules")
    (folder / "house.rules").unlink()
    with pytest.raises(RulesError, match="R001"):
        kept_table(folder / "house.rules")


def test_an_edit_of_this_program_makes_it_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_table(folder / "house.rules")
    before = kept.own_files()
    assert before == kept.own_files()
    monkeypatch.setattr(kept, "own_files", lambda: before + "x")
    assert not was_kept(kept_table(folder / "house.rules"))


@pytest.mark.slow
@pytest.mark.parametrize("purpose", ["table", "module", "playouts"])
@pytest.mark.parametrize("damage", [b"", b"x" * 100, None], ids=["empty", "other bytes", "one bit"])
def test_a_damaged_entry_is_made_anew(folder: Path, damage: bytes | None, purpose: str) -> None:
    first = kept_table(folder / "house.rules")
    made = first.compiled.content, first.playouts.content
    (file,) = entries(folder, purpose)
    sound = file.read_bytes()
    file.write_bytes(sound[:-5] + bytes([sound[-5] ^ 4]) + sound[-4:] if damage is None else damage)
    again = kept_table(folder / "house.rules")
    assert was_kept(again) == (purpose != "table")
    assert (again.compiled.content, again.playouts.content) == made
    assert file.read_bytes() == sound


def changed(description: dict[str, Any], path: str, value: object) -> None:
    """Change a value of a description, by the names that lead to it; None: take it away."""
    *way, last = path.split(".")
    for name in way:
        description = description[name]
    if value is None:
        del description[last]
    else:
        description[last] = value


NO_FLAGS: tuple[object, ...] = (True, 0.5, "0", [], None)
WRONG: list[tuple[str, object]] = [
    *((f"memory.{name}", value) for name in ("bins", "row", "counted", "heap") for value in (2**40, 2**31, -4096)),
    *((f"memory.{name}", value) for name in ("bin_count", "heap_size", "columns", "option_words") for value in (2**40, -1)),
    *(("memory.flag", value) for value in NO_FLAGS),
    ("memory.thinking_end", 0),
    ("memory.site_width", 3),
    ("memory", None),
    ("memory", []),
    ("memory.more", 1),
    ("columns.seats", 10**30),
    ("columns.terms", ["one more"] * 10),
    ("columns", None),
    ("exports", {}),
    ("exports.play", [["i32"], ["i32"]]),
    ("bots.random", "0"),
    ("bots", {}),
    ("stops", {"x": {}}),
    ("stops", {"1": 1}),
    ("faults", None),
]


@pytest.mark.slow
@pytest.mark.parametrize("playouts_only", [False, True])
def test_what_is_not_true_of_a_module_is_no_description_of_it(playouts_only: bool) -> None:
    game = load(RULES / "market.rules")
    made = compiled(game.machine, playouts_only)
    assert fits(Compiled(made.content, json.loads(json.dumps(made.description))), game.columns)
    for path, value in WRONG if playouts_only else WRONG[:3]:  # the whole module takes long to compile
        description = json.loads(json.dumps(made.description))
        changed(description, path, value)
        assert not fits(Compiled(made.content, description), game.columns), (path, value)


@pytest.mark.parametrize(
    ("path", "value"), [("memory.bins", 2**40), ("memory.bin_count", 2**40), ("game", "another"), ("seat_names", ["Ann", "Bob"])]
)
def test_a_description_that_does_not_fit_is_made_anew(folder: Path, path: str, value: object) -> None:
    made = kept_table(folder / "house.rules").playouts
    (file,) = entries(folder, "playouts")
    description = json.loads(json.dumps(made.description))
    changed(description, path, value)
    text = json.dumps(description).encode()
    cache.write(file.name, len(text).to_bytes(8, "little") + text + made.content)
    again = kept_table(folder / "house.rules")
    assert was_kept(again)
    assert WasmEngine(again.playouts, ()).play(3, 0, 20).tally == WasmEngine(made, ()).play(3, 0, 20).tally
    assert again.playouts.description == made.description


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 8,
        (2).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"[]",
        (20_000).to_bytes(8, "little") + b"[" * 20_000,
        "no module",
        "another table's",
    ],
    ids=str,
)
def test_a_module_that_is_none_of_this_table_is_made_anew(folder: Path, content: bytes | str) -> None:
    table = kept_table(folder / "house.rules")
    description = table.playouts.description
    (file,) = entries(folder, "playouts")
    if content == "another table's":
        other = kept_table(folder / "house.rules", table.players + 1)
        _ = other.playouts
        (another,) = set(entries(folder, "playouts")) - {file}
        found = cache.read(another.name)
        assert found is not None
        content = found
    elif isinstance(content, str):
        text = json.dumps(description).encode()
        content = len(text).to_bytes(8, "little") + text + b"\0asm\1\0\0\0"
    cache.write(file.name, content)
    again = kept_table(folder / "house.rules").playouts
    assert again.content == table.playouts.content
    assert cache.read(file.name) != content


TOLD_WRONG: list[tuple[str, object]] = [
    ("players", 10**30),
    ("players", True),
    ("players", None),
    ("name", 1),
    ("variants", "one"),
    ("seat_names", [1, 2]),
    ("options", []),
    ("columns", {}),
    ("columns.returns", 1),
    ("columns.team_size", 0),
    ("beside", {"a": 1}),
    ("beside", []),
]


@pytest.mark.parametrize(("path", "value"), TOLD_WRONG, ids=str)
def test_what_is_told_of_a_table_and_has_another_shape_is_made_anew(folder: Path, path: str, value: object) -> None:
    table = kept_table(folder / "house.rules")
    (file,) = entries(folder, "table")
    told = json.loads(json.dumps(table.told))
    changed(told, path, value)
    cache.write(file.name, json.dumps(told).encode())
    again = kept_table(folder / "house.rules")
    assert not was_kept(again)
    assert again.told == table.told


@pytest.mark.slow
def test_without_a_cache_everything_works(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "market.rules"))
    for _ in range(2):
        table = kept_table(folder / "house.rules")
        assert not was_kept(table)
        plays(table)


PROGRAM = """
import sys
from rulesrun.interpreter.simulate.engines.module import WasmEngine
from rulesrun.interpreter.play.kept import kept_table
table = kept_table(sys.argv[1])
played = WasmEngine(table.playouts, ()).play(3, 0, 100)
print(table.name, sorted(played.tally.histograms[4].items()))
compiler = ("lark", "rulesrun.interpreter.machine.machine", "rulesrun.interpreter.model", "rulesrun.interpreter.syntax")
print(any(name.startswith(compiler) for name in sys.modules), file=sys.stderr)
"""


@pytest.mark.process
def test_processes_at_once_do_not_disturb_each_other(folder: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, str(folder / "house.rules")]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ) for _ in range(2)]
    ended = [process.communicate() for process in started]
    assert ended[0][0] == ended[1][0] != b""
    (file,) = entries(folder)
    assert cache.read(file.name) is not None
    last = subprocess.run(command, capture_output=True, check=True)
    assert last.stdout == ended[0][0]
    assert last.stderr.strip() == b"False", "a table that is kept plays without the compiler"


@pytest.mark.process
def test_simulating_a_table_that_is_kept_imports_no_compiler(folder: Path) -> None:
    code = f"""
import sys
from rulesrun.cli import cli
try: cli(["simulate", {str(folder / "house.rules")!r}, "--games", "5", "--seed", "1", "--format", "json"])
except SystemExit: pass
compiler = ("lark", "rulesrun.interpreter.machine.machine", "rulesrun.interpreter.model", "rulesrun.interpreter.syntax")
print([name for name in sys.modules if name.startswith(compiler)], file=sys.stderr)
"""
    first, second = (subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(2))
    assert b"rulesrun.interpreter.syntax" in first.stderr
    assert second.stderr.strip() == b"[]"
    told = [json.loads(run.stdout) for run in (first, second)]
    for each in told:
        del each["seconds"], each["games_per_s"]
    assert told[0] == told[1]


PLAYING = """
import sys, threading, time
from rulesrun.interpreter.simulate.engines.module import WasmEngine
from rulesrun.interpreter.play.kept import kept_table
engine = WasmEngine(kept_table(sys.argv[1]).playouts, ())
threading.Thread(target=engine.play, args=(1, 0, 10**9), daemon=True).start()
time.sleep(0.1)
"""


@pytest.mark.process
def test_a_process_may_end_while_games_are_played(folder: Path) -> None:
    for _ in range(3):
        ended = subprocess.run([sys.executable, "-c", PLAYING, str(folder / "house.rules")], capture_output=True)
        assert (ended.returncode, ended.stderr) == (0, b"")
