"""The messages about single faults in real games, each of which is said once.

A file in ``faults`` holds a command, the lines of a game that a slip of the pen has changed (``-`` as they were, ``+`` as they
are), and what the command then prints. ``RULESRUN_RENEW=1`` writes that anew: read it as somebody who has never seen the inside
of this program and is to mend the rules by it. The games stand in ``games`` here and in the folder of the shipped ones.
"""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from ..cli.commands import rulesrun
from ..goldens import check_golden

HERE = Path(__file__).parent
SHIPPED = HERE.parents[1] / "games"
GAMES = sorted((HERE / "games").glob("*.rules"))
FAULTS = sorted((HERE / "faults").glob("*.txt"))


@pytest.fixture(autouse=True)
def _games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All games, to be changed, in the folder of work."""
    for folder in (SHIPPED, HERE / "games"):
        copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_game_without_the_fault_has_no_finding(game: Path) -> None:
    """Nor from play, as is seen where each fault is the only finding."""
    for command in (("check", "--proved"), ("test",)):
        result = rulesrun(*command, game.name)
        assert result.exit_code == 0, result.output


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.stem)
def test_the_message_of_a_fault(fault: Path) -> None:
    head = fault.read_text(encoding="utf-8").split("\n\n")[0]
    command, *change = head.splitlines()
    arguments = command.removeprefix("$ rulesrun ").split()
    place = Path(next(argument for argument in arguments if argument.endswith(".rules")))
    changed = next((Path(line[4:]) for line in change if line.startswith("in: ")), place)  # where the fault is not in the rules
    before, after = ("".join(f"{line[1:]}\n" for line in change if line.startswith(sign)) for sign in "-+")
    text = changed.read_text(encoding="utf-8")
    assert text.count(before) == 1
    changed.write_text(text.replace(before, after), encoding="utf-8")
    result = rulesrun(*arguments)
    assert result.exit_code == 1
    assert "1 file, 1 finding" in result.output or "1 failed" in result.output
    check_golden(fault, f"{head}\n\n{result.output}")


def test_there_are_enough_faults_found_in_every_way() -> None:
    messages = [fault.read_text(encoding="utf-8") for fault in FAULTS]
    assert len(messages) >= 30
    for way in ("(explored: seen in a test game)", "(exhausted: all positions were tried)", "--proved"):
        assert sum(way in message for message in messages) >= 3
