"""Commands that read standard input, and commands that go on each time that a file changes."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from rulesrun.cli import cli

GAMES = Path(__file__).parents[2] / "games"
START = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
from rulesrun.cli import main
main()
"""
RULESRUN = [sys.executable, "-c", START]


@pytest.fixture
def masti(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(GAMES / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(GAMES / "masti.rules", tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("command", [["check", "--proved"], ["test"]])
def test_standard_input_is_a_file_of_this_folder(command: list[str], masti: Path) -> None:
    """Its tables are found, and it is named in what is found."""
    text = masti.read_text(encoding="utf-8")
    assert CliRunner().invoke(cli, [*command, "-"], input=text).exit_code == 0
    wrong = CliRunner().invoke(cli, [*command, "-"], input=text.replace("    players", "    playrs", 1))
    assert wrong.exit_code == 1
    assert "standard input:3:5" in wrong.output


@pytest.mark.parametrize(("data", "code"), [(b"", "R004"), (b"game \xff", "R002"), (b"#" * 1_000_001, "R003")])
def test_standard_input_that_is_no_rules(data: bytes, code: str, masti: Path) -> None:
    found = CliRunner().invoke(cli, ["check", "-", "--format", "json"], input=data)
    assert found.exit_code == 2
    assert f'"code": "{code}"' in found.output


@pytest.mark.parametrize(
    ("options", "said"), [(["-"], "needs files"), (["masti.rules", "--format", "json"], "goes without `--format`")]
)
def test_what_cannot_be_watched(options: list[str], said: str, masti: Path) -> None:
    found = CliRunner().invoke(cli, ["check", "--watch", *options])
    assert (found.exit_code, said in found.output) == (2, True)


class Watch:
    """A command that watches files."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen([*RULESRUN, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def screen(self) -> str:
        """What is printed until it waits again."""
        assert self.process.stdout is not None
        shown = ""
        for line in self.process.stdout:
            shown += line
            if "Ctrl-C ends" in line:
                return shown
        raise AssertionError(f"it ended: {shown}")


@pytest.fixture
def watch(request: pytest.FixtureRequest, masti: Path) -> Iterator[Watch]:
    watching = Watch(*request.param, "masti.rules", "--watch")
    yield watching
    watching.process.kill()
    watching.process.communicate()


@pytest.mark.process
@pytest.mark.parametrize("watch", [["check", "--proved"], ["test"]], indirect=True)
def test_files_are_looked_at_again_when_they_change(watch: Watch, masti: Path) -> None:
    """The rules and their table; also when they are gone for a while, and come back."""
    text = masti.read_text(encoding="utf-8")
    assert "watching 2 files" in watch.screen()
    masti.write_text(text.replace("    players", "    playrs", 1), encoding="utf-8")
    shown = watch.screen()
    assert "masti.rules has changed." in shown
    assert "R102" in shown
    masti.unlink()
    assert "R001" in watch.screen()
    masti.write_text(text, encoding="utf-8")
    assert "R1" not in watch.screen()
    table = masti.parent / "data" / "masti.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("crown", "crwn", 1), encoding="utf-8")
    shown = watch.screen()
    assert "masti.csv has changed." in shown
    assert "crwn" in shown
    watch.process.send_signal(signal.SIGINT)
    assert watch.process.wait(timeout=60) == 0
