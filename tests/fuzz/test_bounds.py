"""Bounds: a text just within a bound goes through all stages; one just beyond it gives one message, which says where."""

from __future__ import annotations

import inspect
import sys
import tracemalloc
from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import CheckedRules, check
from rulesrun.interpreter.checks.dataflow.effects import PointsTo
from rulesrun.interpreter.checks.lints.dead_ends.beginnings import LINES_LIMIT, Course
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.table.sampling.combinations import tables_of
from rulesrun.interpreter.wasm.emission import emit

from ..cli.commands import rulesrun
from ..pipeline import Found, run_stages
from .families import families

FAMILIES = dict(families())

# The family, the largest size that is allowed, and what is said of the next.
BOUNDS = {
    "list of otherwise if": (96, "this lies 101 levels deep in its rule; 100 are allowed"),
    "list of cases": (100, "these are 101 cases; 100 are allowed"),
    "list of only if": (100, "these are 101 conditions of an option; 100 are allowed"),
    "list of winner keys": (99, "these are 101 keys; 100 are allowed"),
    "list of keys in a row": (100, "these are 101 keys; 100 are allowed"),
    "options by default, alone": (99, "these are 101 options of the rules; 100 are allowed"),
    "defines, forward": (32, "to explain `x_0` takes 32 words one after the other"),
    "steps, backward": (31, "the phase `only` leads through more than 32 steps, one in another"),
    "steps, forward": (31, "the phase `only` leads through more than 32 steps, one in another"),
    "steps with one stop inside, backward": (31, "the phase `only` leads through more than 32 steps, one in another"),
    "triggers, backward": (31, "the phase `only` leads through more than 32 steps, one in another"),
    "steps, doubling": (12, "the step `x_12` is too long: more than 10,000 lines when each step in it is written out"),
    "steps that stop, doubling": (10, "the step `x_10` is too long: more than 10,000 lines when each step in it is written out"),
    "list of choices in a row": (499, "players choose, or chance decides, at more than 500 places of these rules"),
    "steps of a player with one stop, star": (
        251,
        "steps in which players choose, or chance decides, are done at more than 500 places",
    ),
}


def found_in(family: str, size: int) -> Found:
    files = FAMILIES[family](size)
    main = next(iter(files))
    return run_stages(Source(main, files[main]), files=files)


def checked(family: str, size: int) -> CheckedRules:
    files = FAMILIES[family](size)
    main = next(iter(files))
    return check(rules_from(Source(main, files[main])))


@pytest.mark.slow
@pytest.mark.parametrize("family", BOUNDS)
def test_within_a_bound(family: str) -> None:
    found = found_in(family, BOUNDS[family][0])
    assert found.machine is not None, found.messages
    assert Executor(found.machine)
    assert emit(found.machine)


@pytest.mark.parametrize("family", BOUNDS)
def test_beyond_a_bound(family: str) -> None:
    size, message = BOUNDS[family]
    found = found_in(family, size + 1)
    assert found.machine is None
    assert {d.code for d in found.diagnostics} == {"R216"}
    assert found.diagnostics[0].message == message
    assert found.diagnostics[0].span is not None


@pytest.mark.slow
def test_a_table_of_many_parts() -> None:
    found = found_in("list of ifs", 2_600)
    message = "this game is too long: more than 20,000 parts when all its words and steps are written out"
    assert [d.message for d in found.diagnostics] == [message]


@pytest.mark.slow
def test_a_machine_of_many_parts() -> None:
    """Each of these moves looks for the card in all of the zones, so the machine grows with the square of the file."""
    found = found_in("triggers with filters, fan", 120)
    assert [d.message for d in found.diagnostics] == ["the machine of this game is too long: more than 100,000 parts"]
    assert found.diagnostics[0].span is not None


@pytest.mark.slow
def test_what_was_found_before_a_bound_is_told() -> None:
    """The table that may have no row is asked for on the first line, and the bound is passed far behind it."""
    text = FAMILIES["list of ifs"](2_600)["grown.rules"]
    asked = "table worth by rank: 1: 1, 2: 2\nsetup\n    for each card in row: add worth for rank of card to n\n"
    found = run_stages(Source("grown.rules", text.replace("setup\n", asked, 1)))
    assert found.codes == ["R303", "R216"]
    rules = rules_from(Source("grown.rules", text.replace("setup\n", asked, 1)))
    assert {"R303", "R216"} <= {d.code for d in check(rules).findings}


@pytest.mark.slow
def test_a_check_that_gives_up_later_tells_no_less() -> None:
    """With more room, another part of a check is the one that gives up: what was found before stays."""
    rules = rules_from(Source("grown.rules", FAMILIES["list of otherwise if"](40)["grown.rules"]))
    everything, told, before = {*check(rules).findings}, set[Diagnostic](), sys.getrecursionlimit()
    for frames in range(100, 700, 150):
        sys.setrecursionlimit(len(inspect.stack(0)) + frames)
        try:
            found = {*check(rules).findings}
        finally:
            sys.setrecursionlimit(before)
        assert told <= found
        told = {d for d in found if d.code != "R216"}
        assert told < found or found == everything
    assert told == everything


@pytest.mark.slow
def test_a_chain_of_tables_is_checked() -> None:
    """The range of each depends on the one before."""
    assert checked("tables by players, backward", 400).findings


@pytest.mark.parametrize("values", ["0..3000000, default 1", "0..3000000 or none, default none"])
def test_an_option_of_very_many_values(values: str) -> None:
    """Its values are not listed: a thousand million of them took seven gigabytes."""
    text = f"game wide\n    players 2..3\noption far: {values}\nphase only\n    player 1 wins\n"
    game = rules_from(Source("wide.rules", text)).required()
    tracemalloc.start()
    try:
        assert tables_of(game).tables
        check(rules_from(Source("wide.rules", text)))
        assert tracemalloc.get_traced_memory()[1] < 30_000_000  # bytes; a list of its values is three times as long
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_many_faults() -> None:
    """No more are looked for after 100, and each looks for names that are alike among some only."""
    found = found_in("misspelt counters", 300)
    assert found.codes == ["R201"] * 100 + ["R113"]
    assert found.diagnostics[0].help == "did you mean `counting_0`?"


def test_the_last_net() -> None:
    """Where Python gives up before a bound is reached, a stage says so."""
    before = sys.getrecursionlimit()
    files = FAMILIES["list of otherwise if"](90)
    main = next(iter(files))
    frames = len(inspect.stack(0))
    sys.setrecursionlimit(frames + 150)
    try:
        found = run_stages(Source(main, files[main]))
    finally:
        sys.setrecursionlimit(before)
    assert found.codes == ["R216"]
    assert "these rules are too deep" in found.messages


def test_the_last_net_of_a_command(tmp_path: Path) -> None:
    """What no stage catches, such as printing, ends in a diagnostic, too."""
    main = ""
    for name, text in FAMILIES["list of otherwise if"](90).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        main = str(tmp_path / name)
    rulesrun("show", "--stage", "model", main)  # so that all is imported
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)
    try:
        result = rulesrun("show", "--stage", "model", main)
    finally:
        sys.setrecursionlimit(before)
    assert result.exit_code == 1
    assert "R216" in result.output


def test_many_faults_of_a_test(tmp_path: Path) -> None:
    """What is wrong with the test is told as far as it was looked at, and so is everything else."""
    place = tmp_path / "grown.rules"
    place.write_text(FAMILIES["list of given on a grid"](300)["grown.rules"], encoding="utf-8")
    for command in ("check", "test"):
        result = rulesrun(command, str(place), *(["--proved", "--all"] if command == "check" else []))
        assert result.exit_code == 1
        assert "these are 100 faults; the rest of these rules was not looked at" in result.stdout, command


def test_loops_in_one_another_are_not_followed_for_ever() -> None:
    """What comes after so many lines is not known, so no loop is said never to begin."""
    files = FAMILIES["nest of for each player around add 0"](13)
    rules = rules_from(Source("grown.rules", files["grown.rules"]))
    table = tables_of(rules.required()).tables[0].found.table
    assert table is not None
    course = Course(table, PointsTo.of(table))
    for step in table.flow:
        course.follow(step.body, {})
    assert course.followed == LINES_LIMIT + 1
    assert not course.reached


@pytest.mark.slow
def test_long_sums() -> None:
    """Lines of the score in a match, and a total over many values: they are added up in groups."""
    terms = ["ranks: total rank of hand of player", *(f"line_{at}: seat of player + {at}" for at in range(200))]
    lines = "\n".join(f"    {term}" for term in terms)
    declared = "cards card, 1 of each\n    rank: 1..700\nzone hand of player: set of card, open"
    ending = "winner highest score, then shared\nmatch of 3 games, highest score, then shared\n"
    text = f"game sums\n    players 2\n{declared}\nphase only\n    nothing\nscore of player\n{lines}\n{ending}"
    found = run_stages(Source("sums.rules", text))
    assert found.machine is not None, found.messages
    assert Executor(found.machine)
    assert emit(found.machine)
