"""What must not take longer than so many seconds."""

from __future__ import annotations

import json
import signal
from itertools import count
from pathlib import Path
from time import monotonic, sleep

import pytest
from rulesrun.interpreter.deadline import OutOfTime, deadline

from ..cli.commands import MASTI, rulesrun


def test_it_is_interrupted_wherever_it_stands() -> None:
    with pytest.raises(OutOfTime), deadline(0.01):
        for _ in count():
            pass


def test_what_is_done_in_time_is_not_interrupted() -> None:
    before = signal.getsignal(signal.SIGABRT)
    with deadline(0.02):
        pass
    until = monotonic() + 0.05
    while monotonic() < until:
        sleep(0.001)
    assert signal.getsignal(signal.SIGABRT) == before


def test_without_a_deadline_nothing_is_set_up() -> None:
    before = signal.getsignal(signal.SIGABRT)
    with deadline(None):
        assert signal.getsignal(signal.SIGABRT) == before


def test_no_time_at_all_is_soon_over() -> None:
    with pytest.raises(OutOfTime), deadline(-1):
        sleep(5)


def test_a_check_that_has_no_time_says_what_it_left_out(tmp_path: Path) -> None:
    broken = tmp_path / "broken.rules"
    broken.write_text("game broken\n    players\n", encoding="utf-8")
    result = rulesrun("check", MASTI, str(broken), "--max-seconds", "0.01", "--format", "json")
    data = json.loads(result.stdout)
    names = f"`{MASTI}` and `{broken}`"
    assert data["notes"] == [f"time is over: {names} were not looked at to the end, and nothing was played"]
    assert result.exit_code == 1
    assert {finding["places"][0]["path"] for finding in data["findings"]} == {str(broken)}  # what reading showed is told


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e7", "soon", "", "1_0x"])
def test_what_is_no_time_is_refused(seconds: str) -> None:
    result = rulesrun("check", MASTI, "--max-seconds", seconds)
    assert result.exit_code == 2
    assert f"`{seconds}` is no time: it is a number of seconds, more than 0" in result.stderr
