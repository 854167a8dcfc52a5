"""Time limits interrupt work that takes too long."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, count, repeat
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
import rulesrun as rr
from attrs import define
from rulesrun.interpreter.checks import files as checked_files
from rulesrun.interpreter.checks.explored.effort import SILENT, Progress
from rulesrun.interpreter.checks.files import CheckedFiles, check_files
from rulesrun.interpreter.common.deadline import OutOfTime, apart, deadline
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.findings.selection import Selection
from rulesrun.interpreter.players.bots import Bot, bots_from
from rulesrun.interpreter.reports import tested
from rulesrun.interpreter.simulate.engines import interface
from rulesrun.interpreter.simulate.engines.engine import EngineName, engine_for
from rulesrun.interpreter.wasm.running import instance
from rulesrun.interpreter.wasm.running.executor import WasmExecutor
from rulesrun.interpreter.wasm.running.states import States

from ..cli.commands import MASTI, rulesrun
from ..pipeline import OF_HOURS


def test_an_interruption_at_any_step_of_its_end_locks_nothing() -> None:
    """The signal is sent at the first step after what is inside, then at the second, and so on."""
    before, step, left = signal.getsignal(signal.SIGABRT), 0, 0

    def trace(frame: Any, event: str, argument: object) -> Any:
        nonlocal left
        frame.f_trace_opcodes = True
        if signal.getsignal(signal.SIGABRT) is not before:
            left -= 1
            if left == 0:
                sys.settrace(None)
                signal.raise_signal(signal.SIGABRT)
        return trace

    traced = sys.gettrace()
    while left == 0:
        step += 1
        left = step
        with suppress(OutOfTime), deadline(3600):
            sys.settrace(trace)
        sys.settrace(traced)
        assert signal.getsignal(signal.SIGABRT) is before
    assert step > 10


@pytest.mark.clock
def test_it_is_interrupted_wherever_it_stands() -> None:
    with pytest.raises(OutOfTime), deadline(0.01):
        for _ in count():
            pass


@pytest.mark.clock
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


@pytest.mark.clock
def test_no_time_at_all_is_soon_over() -> None:
    with pytest.raises(OutOfTime), deadline(-1):
        sleep(5)


@pytest.mark.clock
def test_an_interruption_that_nobody_hears_comes_again() -> None:
    def deaf_at_first() -> None:
        until = monotonic() + 20
        with suppress(OutOfTime):  # as in a finalizer
            while monotonic() < until:
                pass
        while monotonic() < until:
            pass

    with pytest.raises(OutOfTime), deadline(0.01):
        deaf_at_first()


@pytest.mark.clock
def test_a_game_that_takes_minutes_is_interrupted_inside_of_its_module(tmp_path: Path) -> None:
    endless = tmp_path / "endless.rules"
    endless.write_text(OF_HOURS, encoding="utf-8")
    game = rr.load(str(endless), 2)
    plays = engine_for(game, (Bot("random"),) * 2, "wasm")
    began = monotonic()
    with pytest.raises(OutOfTime), deadline(0.1):
        plays.play(0, 0, 1)
    assert monotonic() - began < 20
    result = rulesrun("check", str(endless), "--max-seconds", "1")
    assert "time is over: 1 of 1 table (2 players) was not played" in result.stdout
    assert result.exit_code == 2
    assert monotonic() - began < 40


@pytest.fixture
def monstrous(tmp_path: Path) -> Path:
    """Rules in which one act ends after ten hours or so."""
    file = tmp_path / "monstrous.rules"
    file.write_text(OF_HOURS, encoding="utf-8")
    return file


def shows_the_line(error: RulesError) -> bool:
    (found,) = error.diagnostics
    place = found.labels[0].span
    return (found.code, "too long here" in found.message, place.source.line(place.line).strip()) == (
        "R820",
        True,
        "repeat 900000 times",
    )


@pytest.mark.clock
@pytest.mark.parametrize("name", ["wasm", "reference"])
@pytest.mark.parametrize("bot", ["random", "casual"])
def test_a_single_act_that_takes_hours_is_ended_at_its_line(name: EngineName, bot: str, monstrous: Path) -> None:
    game = rr.load(str(monstrous), 2)
    plays = engine_for(game, bots_from(bot, 2), name, patience=0.1)
    for _ in range(2):
        with pytest.raises(RulesError) as stopped:
            plays.play(0, 0, 9)
        assert shows_the_line(stopped.value)


@pytest.mark.clock
def test_a_call_that_nobody_set_a_limit_to_ends_too(monstrous: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rr.load(str(monstrous), 2)
    executor, states = WasmExecutor(game.machine, game.compiled), States(game.compiled, 2)
    cells = executor.fresh()
    executor.enter(cells)
    states.start(0)
    with monkeypatch.context() as patched:
        patched.setattr(instance, "PATIENCE", 1)
        for act in (lambda: executor.choose(cells, 0), lambda: states.step([1, 0])):
            with pytest.raises(RulesError) as stopped:
                act()
            assert shows_the_line(stopped.value)
    assert executor.choose(cells, 1).kind == "decision"


@pytest.mark.clock
@pytest.mark.parametrize("command", ["run", "test", "perft", "solve"])
def test_commands_end_in_the_middle_of_an_act(command: str, monstrous: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    works = '\ntest "works"\n    players Ann, Bob\n    start rounds\n    Ann: work\n'
    monstrous.write_text(OF_HOURS + works, encoding="utf-8")
    monkeypatch.setattr(interface, "PATIENCE", 0.3)
    monkeypatch.setattr(tested, "PATIENCE", 0.3)
    limits = {"perft": ("--depth", "2", "--max-seconds", "1"), "solve": ("--max-seconds", "0.1")}.get(command, ())
    began = monotonic()
    result = rulesrun(command, str(monstrous), *limits)
    assert result.exit_code == 1
    assert ("R831" if command == "perft" else "R820") in result.output
    assert ("repeat 900000 times" in result.output) == (command in ("run", "test"))
    assert monotonic() - began < 40


@pytest.mark.clock
def test_a_check_that_has_no_time_says_what_it_left_out(tmp_path: Path) -> None:
    broken, long = tmp_path / "broken.rules", tmp_path / "long.rules"
    broken.write_text("game broken\n    players\n", encoding="utf-8")
    defines = "".join(f"define sum_{number}: turns + {number}\n" for number in range(19_900))
    long.write_text(OF_HOURS.replace("phase", f"{defines}\nphase"), encoding="utf-8")
    result = rulesrun("check", str(broken), str(long), MASTI, "--max-seconds", "1", "--format", "json")
    data = json.loads(result.stdout)
    names = f"`{broken}` and `{long}` and `{MASTI}`"
    assert data["notes"] == [f"time is over: {names} were not looked at to the end, and nothing was played"]
    assert result.exit_code == 1
    assert {finding["places"][0]["path"] for finding in data["findings"]} == {str(broken)}  # what reading showed is told


def test_a_check_that_had_no_time_to_look_is_not_passed() -> None:
    result = rulesrun("check", MASTI, "--max-seconds", "0.000001", "--format", "sarif")
    assert result.exit_code == 2
    (invocation,) = json.loads(result.stdout)["runs"][0]["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)


@define
class Endless(Progress):
    """Each table takes for ever. The clock, ``seconds``, stands still but there."""

    seconds: float = 0.0

    def advance(self) -> None:
        while True:
            self.seconds += 1


IDLE = """game idle
    players 2

counter unused: 0..3

phase only
    nothing

score of player
    points: seat of player

winner highest score, then shared
"""


def proved(files: list[Path], proving: float, clock: Callable[[], float], progress: Progress = SILENT) -> CheckedFiles:
    selection = Selection((), (), proved=True)
    names = [str(file) for file in files]
    return check_files(names, selection, 0, None, None, None, False, progress, proving, clock)


def test_without_a_limit_a_file_that_takes_too_long_is_named_and_the_others_are_looked_at(tmp_path: Path) -> None:
    broken, long = tmp_path / "broken.rules", tmp_path / "long.rules"
    broken.write_text("game broken\n    players\n", encoding="utf-8")
    long.write_text(IDLE, encoding="utf-8")
    endless = Endless()
    look = proved([long, broken], 0.05, lambda: endless.seconds, endless)
    assert look.notes == [f"0 seconds of processor time are over: `{long}` was not looked at to the end, nor played"]
    assert [finding.code for finding in look.found] == ["R101"]
    assert [rules.path for rules in look.unproved] == [str(long)]


def test_reading_and_proving_share_their_time(tmp_path: Path) -> None:
    """The clock stands still but while the first file is read."""
    first, second = tmp_path / "first.rules", tmp_path / "second.rules"
    for file in (first, second):
        file.write_text(IDLE, encoding="utf-8")
    for reading, looked_at in ((0, [first, second]), (999, [first, second]), (1000, [second])):
        clock = chain((0.0, 0.0), repeat(float(reading)))
        look = proved([first, second], 1000, clock.__next__)
        assert [finding.span.source.path for finding in look.found if finding.span] == [str(file) for file in looked_at]
        assert len(look.notes) == len(look.unproved) == 2 - len(looked_at)


@pytest.mark.clock
def test_without_a_limit_a_file_whose_games_take_too_long_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = tmp_path / "endless.rules"
    endless.write_text(OF_HOURS, encoding="utf-8")
    monkeypatch.setattr(checked_files, "EXPLORING", 1.0)
    result = rulesrun("check", str(endless))
    note = f"{endless}: 1 seconds of processor time are over: 1 of 1 table (2 players) was not played"
    assert note in " ".join(result.stdout.split())
    assert result.exit_code == 2


@pytest.mark.clock
def test_a_game_that_takes_minutes_is_a_fault_for_whoever_plays_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = tmp_path / "endless.rules"
    variants = "".join(f"\nvariant v{number}\n    add after rounds\n        nothing\n" for number in range(300))
    works = '\ntest "works"\n    players Ann, Bob\n    start rounds\n    Ann: work\n'
    endless.write_text(OF_HOURS + variants + works, encoding="utf-8")
    monkeypatch.setattr(interface, "PATIENCE", 0.03)
    monkeypatch.setattr(tested, "PATIENCE", 0.03)
    monkeypatch.setattr(checked_files, "PROVING", 0.3)
    for command in ("run", "play", "test", "variants"):
        result = rulesrun(command, str(endless), typed="work\n")
        assert result.exit_code == 1, command
        assert "R820" in result.output, command


def test_mends_that_take_too_long_are_left(tmp_path: Path) -> None:
    endless = tmp_path / "endless.rules"
    endless.write_text(OF_HOURS.replace("phase", "counter unused: 0..3\n\nphase"), encoding="utf-8")
    result = rulesrun("fix", str(endless), "--max-seconds", "0.000001")
    assert result.exit_code == 1
    assert "seconds are over, and not everything was looked at" in result.stdout


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e7", "soon", "", "1_0x"])
def test_what_is_no_time_is_refused(seconds: str) -> None:
    result = rulesrun("check", MASTI, "--max-seconds", seconds)
    assert result.exit_code == 2
    assert f"`{seconds}` is no time: it is a number of seconds, more than 0" in result.stderr


@pytest.mark.clock
def test_native_code_that_cannot_be_told_is_left_alone() -> None:
    began = monotonic()
    with pytest.raises(OutOfTime), deadline(0.05):
        apart(lambda: sleep(60))
    assert monotonic() - began < 20


def test_what_is_done_apart_is_given_back_or_raised() -> None:
    with deadline(60):
        assert apart(lambda: 3) == 3
        with pytest.raises(ZeroDivisionError):
            apart(lambda: 1 // 0)  # pyrefly: ignore[division-by-zero]  # on purpose


@pytest.mark.clock
def test_an_interruption_that_a_finalizer_swallows_comes_again_and_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless:
        def __del__(self) -> None:
            while True:
                pass

    def finalize_and_go_on(sort: type) -> None:
        sort()
        while True:
            pass

    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    with pytest.raises(OutOfTime), deadline(0.2):
        finalize_and_go_on(Endless)
    assert told == []
    assert sys.unraisablehook == told.append
