"""The other commands, and what all have in common."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest
from rulesrun.cli import cli

from ..goldens import check_golden
from .commands import HERE, MASTI, PAIRS, rulesrun

COMMAND = [sys.executable, "-c", "from rulesrun.cli import main; main()"]


def test_every_help_has_an_example() -> None:
    assert rulesrun("--help").exit_code == 0
    for name in cli.commands:
        result = rulesrun(name, "--help")
        assert result.exit_code == 0
        assert f"rulesrun {name}" in result.stdout.partition("Example")[2]


def test_a_misspelt_command() -> None:
    result = rulesrun("chek", PAIRS)
    assert result.exit_code == 2
    assert "did you mean `check`?" in result.stderr


@pytest.mark.process
def test_help_imports_nothing_heavy() -> None:
    code = "import sys\nfrom rulesrun.cli import cli\ntry: cli(['--help'])\nexcept SystemExit: pass\nprint(sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("attr", "attrs", "lark", "rich", "wasmtime", "rulesrun.interpreter", "platformdirs", "starlette", "uvicorn"):
        assert f"'{heavy}'" not in shown


@pytest.mark.slow
def test_check(tmp_path: Path) -> None:
    found = rulesrun("check", MASTI, MASTI.replace("masti", "kingdomino"), "--proved")
    assert found.stdout == "2 files, 0 findings\n"
    broken = tmp_path / "broken.rules"
    broken.write_text(Path(PAIRS).read_text(encoding="utf-8").replace("every hand is", "every hnd is"), encoding="utf-8")
    result = rulesrun("check", PAIRS, str(broken))
    assert result.exit_code == 1
    assert "error[R201]" in result.stdout
    assert "number still grew): 7 tables (players, variants, options) explored instead\n\n2 files, 1 finding\n" in result.stdout
    data = json.loads(rulesrun("check", str(broken), "--format", "json").stdout)
    assert data["files"] == 1
    assert data["findings"][0]["code"] == "R201"
    assert data["findings"][0]["places"][0]["line"] > 1
    assert rulesrun("check").exit_code == 2


def test_tests(tmp_path: Path) -> None:
    result = rulesrun("test", PAIRS)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "1 passed, 0 failed, in 1 file")
    text = Path(PAIRS).read_text(encoding="utf-8")
    failing = tmp_path / "failing.rules"
    failing.write_text(text.replace("won of Bob is ([red 3], [red 5])", "won of Ann is ([red 3], [red 5])"), encoding="utf-8")
    result = rulesrun("test", str(failing))
    assert result.exit_code == 1
    assert "FAILED  the higher card wins both" in result.stdout
    assert "error[R5" in result.stdout
    none = tmp_path / "none.rules"
    none.write_text(text.partition("test ")[0], encoding="utf-8")
    result = rulesrun("test", str(none))
    assert result.exit_code == 0
    assert "no tests" in result.stdout
    assert "passed  the higher card" in rulesrun("test", "-v", PAIRS).stdout


@pytest.mark.slow
def test_show() -> None:
    check_golden(HERE / "goldens" / "pairs.model", rulesrun("show", PAIRS).stdout)
    assert rulesrun("show", "--stage", "tree", PAIRS).stdout.startswith("Tree\n")
    table = rulesrun("show", "--stage", "table", PAIRS, "--players", "4").stdout
    assert table.startswith("table pairs, 4 players\n\nsetup\n")
    machine = rulesrun("show", "--stage", "machine", PAIRS, "--players", "4", "--variant", "together").stdout
    assert "machine pairs, 4 seats" in machine
    assert "record: " in machine
    assert "scalar loop: " in rulesrun("show", "--stage", "machine", MASTI).stdout
    assert '(export "play")' in rulesrun("show", "--stage", "wat", PAIRS).stdout


@pytest.mark.slow
def test_export(tmp_path: Path) -> None:
    out = tmp_path / "pairs.wasm"
    for players in ("4", "3"):  # the second time over the first
        written = rulesrun("export", PAIRS, "--players", players, "--out", str(out))
        assert (written.exit_code, written.stdout) == (0, f"{out} and {out.with_suffix('.json')} are written.\n")
    told = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert (told["game"], told["seats"]) == ("pairs", 3)
    assert out.read_bytes()[:4] == b"\0asm"
    assert told["memory"]["record_size"] == told["record"]["size"]
    out.write_text("something else")
    refused = rulesrun("export", PAIRS, "--out", str(out))
    assert (refused.exit_code, out.read_text()) == (2, "something else")
    assert "is no WebAssembly module" in refused.stderr
    assert "ends with `.wasm`" in rulesrun("export", PAIRS, "--out", str(tmp_path / "pairs")).stderr


def test_explain() -> None:
    result = rulesrun("explain", "r201")
    assert result.exit_code == 0
    assert result.stdout.startswith("# R201")
    result = rulesrun("explain", "R2011")
    assert result.exit_code == 2
    assert "did you mean `R011`, `R201` or `R211`?" in result.stderr
    assert "R101" not in result.stderr
    assert "`rulesrun explain` lists all" in rulesrun("explain", "nonsense").stderr
    assert "did you mean" not in rulesrun("explain", "R999").stderr
    listed = rulesrun("explain")
    assert listed.exit_code == 0
    assert "\nR207: " in listed.stdout


def test_help() -> None:
    assert rulesrun("help").stdout == rulesrun("--help").stdout
    assert rulesrun("help", "check").stdout == rulesrun("check", "--help").stdout
    result = rulesrun("help", "chek")
    assert result.exit_code == 2
    assert "did you mean `check`?" in result.stderr


@pytest.mark.slow
def test_variants_named_together() -> None:
    assert (
        rulesrun(MASTI, "--players", "6", "--variant", "six,partners", "--seed", "1").stdout
        == rulesrun(MASTI, "--players", "6", "--variant", "six", "--variant", "partners", "--seed", "1").stdout
    )
    assert rulesrun(PAIRS, "--variant", "together,").exit_code == 2
    assert "can be repeated" in rulesrun("run", "--help").stdout


@pytest.mark.parametrize("command", ["run", "check", "test", "show", "play"])
def test_files_that_are_no_rules(command: str, tmp_path: Path) -> None:
    cards = tmp_path / "cards.csv"
    cards.write_text("face,value\na,1\nb,2\n", encoding="utf-8")
    result = rulesrun(command, str(cards))
    assert result.exit_code == 2
    assert result.output.count("Error: ") == 1
    assert "is a table of components" in result.stderr
    assert "is a played game" in rulesrun(command, "game.json").stderr


@pytest.mark.slow
def test_new(tmp_path: Path) -> None:
    path = tmp_path / "my_game.rules"
    assert rulesrun("new", str(tmp_path / "my_game")).exit_code == 0
    assert rulesrun("check", str(path)).exit_code == 0
    assert rulesrun("test", str(path)).stdout.splitlines()[-1] == "1 passed, 0 failed, in 1 file"
    for table in (["--players", "2"], ["--players", "4", "--variant", "misery"]):
        shown = rulesrun(str(path), "--seed", "1", *table)
        assert shown.exit_code == 0
        assert shown.stdout.startswith("My game\n")
    assert rulesrun("new", str(path)).exit_code == 2
    assert rulesrun("new", str(tmp_path / "моя_игра")).exit_code == 0
    assert rulesrun(str(tmp_path / "моя_игра.rules"), "--seed", "1").exit_code == 0


@pytest.mark.parametrize("name", ["if", "a b", "1st", "", "nowhere/at/all"])
def test_names_that_a_new_game_cannot_have(name: str, tmp_path: Path) -> None:
    assert rulesrun("new", f"{tmp_path}/{name}").exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_a_broken_pipe_ends_quietly() -> None:
    with subprocess.Popen([*COMMAND, MASTI, "--seed", "7"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


@pytest.mark.process
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk here that is always full")
@pytest.mark.parametrize(
    "arguments", [[MASTI, "--seed", "7"], ["simulate", PAIRS, "--games", "5"], ["show", "--stage", "wat", PAIRS], ["--help"]]
)
def test_output_that_finds_no_room(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, check=False, encoding="utf-8")
    assert (done.returncode, done.stderr) == (2, "Error: the output cannot be written: No space left on device\n")


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="only a POSIX shell closes streams")
def test_output_that_was_closed() -> None:
    command = f"{quote(sys.executable)} -m rulesrun.cli simulate {quote(PAIRS)} --games 5 >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.process
def test_letters_that_the_terminal_has_not() -> None:
    done = subprocess.run(
        [*COMMAND, MASTI, "--seed", "7"], env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("rulesrun pl", ["plain,play"]),
        ("rulesrun ga", ["file,ga"]),
        ("rulesrun run ga", ["file,ga"]),
        (f"rulesrun {PAIRS} --variant to", ["plain,together"]),
        (f"rulesrun {PAIRS} --set ", ["plain,bonus_for_low="]),
        ("rulesrun nothing.rules --variant ", []),
        (f"rulesrun {PAIRS} --see", ["plain,--seed"]),
    ],
)
def test_completion(words: str, expected: list[str]) -> None:
    count = len(words.split(" ")) - 1
    environment = {**os.environ, "_RULESRUN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(count)}
    done = subprocess.run(COMMAND, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert [line for line in done.stdout.splitlines() if line in expected] == expected
