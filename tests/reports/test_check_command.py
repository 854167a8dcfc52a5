"""`rulesrun check` as a whole: what it does with odd files, places and names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from ..cli.commands import MASTI, rulesrun
from .games import IDLE, loops

FORMATS = ["text", "json", "sarif", "github"]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("game.rules")
    path.write_text(loops(), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_the_exit_code_is_the_same_in_every_format(game: Path, form: str) -> None:
    assert rulesrun("check", MASTI, "--proved", "--format", form).exit_code == 0
    assert rulesrun("check", "game.rules", "--format", form).exit_code == 1
    for path in ("none.rules", ".", "x" * 300, "game.csv"):
        assert rulesrun("check", "game.rules", path, "--format", form).exit_code == 2
    assert rulesrun("check", "--format", form).exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_two_runs_print_the_same(game: Path, form: str) -> None:
    Path("idle.rules").write_text(IDLE, encoding="utf-8")
    first, second = (rulesrun("check", "game.rules", "idle.rules", "--seed", "3", "--format", form).stdout for _ in range(2))
    assert "R391" in first
    assert first == second


@pytest.mark.slow
def test_games_that_show_findings_of_several_files_lie_beside_each_other(game: Path) -> None:
    """Of files in which games have the same name, and of files that have the same name in two folders."""
    Path("below").mkdir()
    for path in ("idle.rules", "lazy.rules", "below/lazy.rules"):
        Path(path).write_text(IDLE, encoding="utf-8")
    result = rulesrun("check", "idle.rules", "lazy.rules", "below/lazy.rules", "--replays", "shown")
    names = ["R391-idle-2.json", "R391-lazy-2-2.json", "R391-lazy-2.json"]
    assert sorted(path.name for path in Path("shown").iterdir()) == names
    assert all(f"rulesrun replay shown/{name}\n" in result.stdout for name in names)


@pytest.mark.slow
def test_a_game_that_cannot_be_written_down_loses_no_finding(game: Path) -> None:
    Path("idle.rules").write_text(IDLE, encoding="utf-8")
    Path("shown").mkdir()
    Path("shown/R391-idle-2.json").write_text("mine", encoding="utf-8")
    result = rulesrun("check", "idle.rules", "--replays", "shown")
    assert (result.exit_code, "warning[R391]" in result.stdout) == (1, True)
    assert "note: `shown/R391-idle-2.json` is there already and is no transcript; nothing was written" in result.stdout
    assert Path("shown/R391-idle-2.json").read_text(encoding="utf-8") == "mine"


@pytest.mark.slow
def test_what_follows_from_a_proof_is_not_found_by_play_again(game: Path) -> None:
    """Nobody scores anything for coins, since nobody ever gets any."""
    kept = [line for line in IDLE.split("\n") if not any(word in line for word in ("pot", "enough", "to coins"))]
    text = "\n".join(kept).replace("phase only", "phase only\n    repeat 2 times").replace("pay", "pay: nothing")
    game.write_text(text, encoding="utf-8")
    data = json.loads(rulesrun("check", "game.rules", "--format", "json").stdout)
    assert [finding["code"] for finding in data["findings"]] == ["R324"]


@pytest.mark.slow
@pytest.mark.parametrize(("more", "code"), [([], "R603"), (["--select", "R3"], "R303"), (["--proved"], "R303")])
def test_a_row_that_play_asks_for_is_no_second_finding(game: Path, more: list[str], code: str) -> None:
    """A table may be asked for a row that it lacks, and is: told is the game that shows it, with the rows that there are."""
    text = """
        game short
            players 1
        table prize by number_of_steps: 0: 0, 1: 1
        counter steps: 0..3
        counter coins of player: 0..9
        phase only
            repeat 3 times
                player 1 chooses
                    step_on: add 1 to steps
                    rest: nothing
            for each player: set coins of player to prize for steps
        score of player
            points: coins of player
        winner highest score, then shared
    """
    game.write_text(dedent(text), encoding="utf-8")
    (found,) = json.loads(rulesrun("check", "game.rules", "--format", "json", *more).stdout)["findings"]
    assert found["code"] == code
    assert "it has rows only for 0, 1" in [place["text"] for place in found["places"]]
    assert "add `2: ...`, `3: ...`" in found["help"]


@pytest.mark.slow
def test_a_file_that_is_named_twice_is_looked_at_once(game: Path) -> None:
    result = rulesrun("check", "game.rules", "./game.rules", str(game.absolute()), "--format", "json")
    data = json.loads(result.stdout)
    assert (data["files"], len(data["findings"])) == (1, 2)


@pytest.mark.slow
def test_a_fault_of_a_game_that_two_files_extend_is_one(game: Path) -> None:
    for name in ("one", "two"):
        text = f'extends "./game.rules"\n\nvariant {name}\n    add to score\n        gift: 3\n'
        Path(f"{name}.rules").write_text(text, encoding="utf-8")
    data = json.loads(rulesrun("check", "one.rules", "two.rules", "game.rules", "--format", "json").stdout)
    assert (data["files"], [finding["code"] for finding in data["findings"]]) == (3, ["R305", "R305"])


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("/", "it is no file"),
        (".", "it is no file"),
        ("/dev/full", "it is no file"),
        ("nowhere/found.txt", "there is no folder `nowhere`"),
        ("game.rules", "is there already and is no report in this format"),
        ("x" * 300, "File name too long"),
    ],
)
@pytest.mark.parametrize("form", FORMATS)
def test_a_report_that_cannot_be_written_is_wrong_usage(game: Path, form: str, place: str, why: str) -> None:
    result = rulesrun("check", "game.rules", "--format", form, "--out", place)
    assert result.exit_code == 2
    assert why in result.stderr
    assert game.read_text(encoding="utf-8") == loops()


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_what_is_written_is_what_would_be_printed(game: Path, form: str) -> None:
    printed = rulesrun("check", "game.rules", "--format", form).stdout
    for _ in range(2):  # a report that stands there is replaced
        assert rulesrun("check", "game.rules", "--format", form, "--out", "found").exit_code == 1
    assert Path("found").read_text(encoding="utf-8").removeprefix("rulesrun check\n\n") == printed


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes only on some systems")
def test_a_name_that_is_no_text(game: Path) -> None:
    name = b"caf\xe9.rules"
    with open(name, "wb") as file:
        file.write(loops().encode())
    for form in FORMATS:
        words = [sys.executable, "-m", "rulesrun.cli", "check", "--format", form, "--out", f"found.{form}"]
        command: list[str | bytes] = [*words, name]
        path = os.pathsep.join(sys.path)
        done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": path})
        assert (done.returncode, b"Traceback" in done.stderr) == (1, False), done.stderr
        Path(f"found.{form}").read_text(encoding="utf-8")
    (result, _) = json.loads(Path("found.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "caf%E9.rules"


@pytest.mark.process
def test_a_proof_is_quick_to_start() -> None:
    """Nothing that only other formats need is loaded."""
    code = (
        f"import sys; from rulesrun.cli import cli; cli(['check', {MASTI!r}, '--proved'], standalone_mode=False); "
        "print([m for m in sys.modules if m.endswith(('sarif', 'junit', 'github')) or 'wasmtime' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1 file, 0 findings\n[]\n"


@pytest.mark.slow
@pytest.mark.parametrize(("beside", "more"), [("", []), ("  # allow R305: it stops", []), ("", ["--ignore", "R305"])])
def test_what_is_allowed_hides_nothing_that_play_finds(game: Path, beside: str, more: list[str]) -> None:
    """Inside of a loop that nothing ends a counter runs over: that is one mistake, unless the loop is meant so."""
    text = IDLE.replace('                    only if coins of player < 9 otherwise "enough is enough"\n', "")
    text = text.replace("set pot to 3", "nothing").replace("pot is 3", f"pot is 3{beside}")
    game.write_text(text, encoding="utf-8")
    data = json.loads(rulesrun("check", "game.rules", "--format", "json", *more).stdout)
    found = {finding["code"] for finding in data["findings"] if not finding["suppressed"]}
    if beside or more:
        assert "R602" in found
        assert "R305" not in found
    else:
        assert found == {"R305"}
        assert "past line 14" in data["notes"][0]
