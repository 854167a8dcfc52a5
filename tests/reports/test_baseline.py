"""Baselines: what was found before does not fail, what is new does, and what is gone is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import Diagnostic, fault
from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.findings import baseline as baselines
from rulesrun.interpreter.findings.baseline import Baseline, compare
from rulesrun.interpreter.findings.fingerprints import counted

from ..cli.commands import MASTI, rulesrun
from .games import NO_GAME, loops
from .schemas import faults


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("game.rules")
    path.write_text(loops(), encoding="utf-8")
    return path


def write_baseline(*arguments: str) -> None:
    assert rulesrun("check", *arguments, "--write-baseline", "known.json").exit_code == 0


@pytest.mark.slow
def test_what_was_found_before_does_not_fail(game: Path) -> None:
    write_baseline("game.rules")
    result = rulesrun("check", "game.rules", "--baseline", "known.json")
    assert (result.stdout, result.exit_code) == ("1 file, 0 findings, 3 in the baseline\n", 0)
    assert faults("baseline", json.loads(Path("known.json").read_text(encoding="utf-8"))) == []


@pytest.mark.slow
def test_moved_lines_and_other_comments_are_no_new_findings(game: Path) -> None:
    write_baseline("game.rules")
    moved = loops(beside="   # it ends").replace("phase early", "# a phase\n\nphase early")
    moved = moved.replace("until pot is 9", "until  pot is 9")
    game.write_text(moved, encoding="utf-8")
    assert rulesrun("check", "game.rules", "--baseline", "known.json").exit_code == 0


@pytest.mark.slow
def test_a_new_finding_fails_though_there_was_one_like_it(game: Path) -> None:
    write_baseline("game.rules")
    again = "    repeat until pot is 9\n        add 1 to coins\n"
    game.write_text(loops().replace("phase late\n", "phase late\n" + again), encoding="utf-8")
    result = rulesrun("check", "game.rules", "--baseline", "known.json")
    assert (result.stdout.splitlines()[-1], result.exit_code) == ("1 file, 1 finding, 3 in the baseline", 1)
    assert "--> game.rules:13:18" in result.stdout


@pytest.mark.slow
def test_what_is_gone_is_told(game: Path) -> None:
    write_baseline("game.rules")
    ending = loops(inside="  # allow R351: the other loop is enough").replace("add 1 to coins", "add 1 to pot", 1)
    game.write_text(ending, encoding="utf-8")
    result = rulesrun("check", "game.rules", "--baseline", "known.json")
    assert result.exit_code == 0
    gone = [f"R305 in game.rules: {line}" for line in ("pot is 9", "repeat until pot is 9")]
    gone = [f"in the baseline, and not found any more: {each}" for each in (*gone, "R602 in game.rules: add 1 to coins")]
    assert all(f"note: {note}\n" in result.stdout for note in gone)
    notes = json.loads(rulesrun("check", "game.rules", "--baseline", "known.json", "--format", "json").stdout)["notes"]
    assert notes == gone


@pytest.mark.slow
def test_what_is_not_looked_for_is_not_gone(game: Path) -> None:
    Path("other.rules").write_text(NO_GAME.replace("to 7", "to 3"), encoding="utf-8")
    write_baseline("game.rules")
    for arguments in (["other.rules"], ["game.rules", "--ignore", "R3"]):
        result = rulesrun("check", *arguments, "--baseline", "known.json")
        assert (result.exit_code, "note" in result.stdout) == (0, False)


@pytest.mark.slow
def test_it_says_the_same_from_any_folder(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_baseline("game.rules")
    Path("below").mkdir()
    monkeypatch.chdir("below")
    assert rulesrun("check", "../game.rules", "--baseline", "../known.json").exit_code == 0


@pytest.mark.slow
def test_it_can_be_written_anew_and_keeps_what_is_still_there(game: Path) -> None:
    write_baseline("game.rules")
    before = Path("known.json").read_bytes()
    write_baseline("game.rules", "--baseline", "known.json")
    assert Path("known.json").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("only", [("--select", "R3"), ("--ignore", "R305")])
def test_what_is_not_shown_is_not_lost_from_it(game: Path, only: tuple[str, str]) -> None:
    write_baseline("game.rules")
    before = Path("known.json").read_bytes()
    result = rulesrun("check", "game.rules", *only, "--write-baseline", "known.json")
    assert (result.exit_code, result.stdout, Path("known.json").read_bytes()) == (2, "", before)
    assert "a baseline holds all findings: `--write-baseline` goes without `--select` and `--ignore`" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("seconds", ["0.00001", "1.5"])  # cut off before anything is proved, and in play
def test_what_there_was_no_time_for_is_not_lost_from_it(game: Path, seconds: str) -> None:
    write_baseline("game.rules")
    before = Path("known.json").read_bytes()
    result = rulesrun("check", "game.rules", MASTI, "--max-seconds", seconds, "--write-baseline", "known.json")
    assert (result.exit_code, Path("known.json").read_bytes()) == (2, before)
    assert "in the baseline" not in result.stdout
    assert "`known.json` is not written: there was no time to look at everything" in result.stderr


@pytest.mark.slow
def test_where_time_sufficed_it_is_written(game: Path) -> None:
    write_baseline("game.rules", "--max-seconds", "1000")
    assert "R305" in Path("known.json").read_text(encoding="utf-8")


def test_what_is_allowed_or_keeps_from_playing_is_not_in_it(game: Path) -> None:
    Path("other.rules").write_text(NO_GAME, encoding="utf-8")
    game.write_text(loops(beside="  # allow R305: it ends"), encoding="utf-8")
    result = rulesrun("check", "game.rules", "other.rules", "--proved", "--write-baseline", "known.json")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-2:] == ["2 files, 1 finding, 1 suppressed, 1 in the baseline", "known.json is written."]
    found = json.loads(Path("known.json").read_text(encoding="utf-8"))["findings"]
    assert found == [{"file": "game.rules", "code": "R305", "text": "pot is 9", "count": 1}]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "it has been cut off"),
        ('{"baseline": 1, "findings": [', "it has been cut off"),
        ("[[[", "it has been cut off"),
        ("[" * 100_000, "this is no JSON"),
        ("hello", "this is no JSON"),
        ("[]", "it has no `baseline`"),
        ('{"game": "masti"}', "it has no `baseline`"),
        ('{"baseline": 2, "findings": []}', "its format is 2, and this version reads format 1"),
        ('{"baseline": true, "findings": []}', "its format is true"),
        ('{"baseline": 1}', "`findings` is no list"),
        ('{"baseline": 1, "findings": [{"file": "a", "code": "R305", "text": "x"}]}', "item 1 of `findings`"),
        ('{"baseline": 1, "findings": [{"file": "a", "code": "R305", "text": "x", "count": 0}]}', "item 1 of `findings`"),
        ('{"baseline": 1, "findings": [{"file": "a", "code": "R305", "text": "x", "count": true}]}', "item 1 of `findings`"),
    ],
)
def test_what_is_no_baseline_is_refused(game: Path, content: str, why: str) -> None:
    Path("known.json").write_text(content, encoding="utf-8")
    result = rulesrun("check", "game.rules", "--baseline", "known.json")
    assert result.exit_code == 2
    assert "error[R706]: `known.json` is no baseline of findings: " in result.stderr
    assert why in result.stderr


def test_a_baseline_that_is_not_there_is_refused_before_anything_is_looked_at(game: Path) -> None:
    result = rulesrun("check", "game.rules", "--baseline", "none.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[R001]: there is no file `none.json`" in result.stderr


def test_nothing_else_is_overwritten(game: Path) -> None:
    result = rulesrun("check", "game.rules", "--write-baseline", "game.rules")
    assert (result.exit_code, game.read_text(encoding="utf-8")) == (2, loops())
    assert "`game.rules` is there already and is no baseline; nothing was written" in result.stderr


SOURCES = [Source(f"{name}.rules", "one\ntwo\n\n  two # again\n# alone\n") for name in "ab"]
FINDINGS = st.builds(
    lambda source, line, code: fault(code, "it is so", Span(source, source.line_starts[line], source.line_starts[line] + 1)),
    st.sampled_from(SOURCES),
    st.integers(0, 4),
    st.sampled_from(["R305", "R310"]),
)


@pytest.mark.slow
@given(st.lists(FINDINGS), st.lists(FINDINGS))
def test_known_new_and_gone_are_all_there_is(before: list[Diagnostic], now: list[Diagnostic]) -> None:
    old, new = counted(before, Path()), counted(now, Path())
    found = compare(now, Baseline(Path(), old))
    assert counted(found.new, Path()) == new - old
    assert counted(found.known, Path()) == new & old
    assert found.gone == old - new


@pytest.mark.slow
@given(st.lists(FINDINGS))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, found: list[Diagnostic]) -> None:
    path = tmp_path_factory.mktemp("baseline") / "known.json"
    path.write_text(baselines.to_text(found, str(path)), encoding="utf-8")
    read = baselines.read(str(path))
    assert isinstance(read, Baseline)
    assert read.counts == counted(found, path.parent)
    assert path.read_bytes().startswith(baselines.MARK)


# Nothing ends the loop (R305), and some day the deck is empty (R604).
DRAWS = """game draws
    players 2

cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
counter days: 0..9

setup
    shuffle every card into deck
phase only
    repeat until days is 9
        for each player
            player chooses
                take: {take}
                stop: nothing
score of player
    cards: count of hand of player
winner highest score, then shared
"""


@pytest.mark.slow
def test_a_new_fault_inside_of_a_known_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what was there when the baseline was written does not, though without a baseline it is not told."""
    monkeypatch.chdir(tmp_path)
    game, draw = Path("game.rules"), "draw 1 from deck to hand of player"
    game.write_text(DRAWS.format(take="nothing"), encoding="utf-8")
    write_baseline("game.rules")
    assert rulesrun("check", "game.rules", "--baseline", "known.json").exit_code == 0
    game.write_text(DRAWS.format(take=draw), encoding="utf-8")
    found = rulesrun("check", "game.rules", "--baseline", "known.json")
    assert found.exit_code == 1
    assert "error[R604]" in found.stdout
    assert "R604" not in rulesrun("check", "game.rules").stdout
    write_baseline("game.rules")
    again = rulesrun("check", "game.rules", "--baseline", "known.json")
    assert (again.exit_code, "not found any more" in again.stdout) == (0, False)


@pytest.mark.slow
def test_without_time_nothing_is_needless_or_gone(game: Path) -> None:
    write_baseline("game.rules")
    game.write_text(loops(beside="    # allow R305: it is meant so"), encoding="utf-8")
    result = rulesrun("check", "game.rules", "--baseline", "known.json", "--max-seconds", "0.000001")
    assert result.exit_code == 2  # nobody has looked
    assert "not found" not in result.stdout


@pytest.mark.slow
def test_behind_what_cannot_be_read_nothing_is_gone(game: Path) -> None:
    write_baseline("game.rules")
    text = game.read_text(encoding="utf-8").replace("phase", "zone lost: set of nothing_there, open\nphase", 1)
    game.write_text(text, encoding="utf-8")
    result = rulesrun("check", "game.rules", "--proved", "--baseline", "known.json")
    assert "error[R2" in result.stdout
    assert "not found any more" not in result.stdout
