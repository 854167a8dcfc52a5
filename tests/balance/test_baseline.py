"""`rulesrun baseline`: what is stored, what counts as moved, and what it refuses."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.balance.baseline import Baseline, Watched, from_text, to_text, watched
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.columns import Columns
from rulesrun.interpreter.simulate.statistics.compare import Side
from rulesrun.interpreter.simulate.statistics.tally import Tally
from rulesrun.interpreter.table.sampling.combinations import Choice

from ..cli.commands import rulesrun

TOSS = """game toss
    players 2..3

marker lucky: player
counter coins of player: 0..9

phase only
    set lucky to a random player
    for each player
        player chooses
            bet
                add 1 to coins of player
            pass
                nothing

score of player
    coins: coins of player
    luck:  3 if player is lucky

winner highest score, then shared

variant even "Nobody is lucky"
    remove luck from score
"""


def stored(folder: Path, text: str = TOSS, games: int = 300) -> tuple[str, str]:
    """The rules of a game and a baseline of them."""
    rules, out = folder / "toss.rules", folder / "toss.json"
    rules.write_text(text, encoding="utf-8")
    result = rulesrun("baseline", str(rules), "--games", str(games), "--out", str(out))
    assert result.exit_code == 0, result.output
    return str(rules), str(out)


@pytest.mark.slow
def test_the_same_rules_move_nothing(tmp_path: Path) -> None:
    rules, out = stored(tmp_path)
    result = rulesrun("baseline", rules, "--compare", out)
    assert result.exit_code == 0
    assert "4 tables" in result.stdout
    assert result.stdout.endswith("\nEvery game went as before\n")


@pytest.mark.slow
def test_a_baseline_is_the_same_each_time(tmp_path: Path) -> None:
    _, out = stored(tmp_path)
    before = Path(out).read_text(encoding="utf-8")
    stored(tmp_path)
    assert Path(out).read_text(encoding="utf-8") == before


@pytest.mark.slow
def test_a_changed_number_moves_just_the_tables_that_have_it(tmp_path: Path) -> None:
    rules, out = stored(tmp_path)
    Path(rules).write_text(TOSS.replace("3 if", "1 if"), encoding="utf-8")
    found = json.loads(rulesrun("baseline", rules, "--compare", out, "--format", "json").stdout)
    moved = {(row["players"], *row["variants"]) for row in found["moved"]}
    assert moved == {(2,), (3,)}
    assert {"terms_mean[luck][seat 1]", "ties_share"} <= {row["statistic"] for row in found["moved"]}
    text = rulesrun("baseline", rules, "--compare", out)
    assert text.exit_code == 1
    assert "luck: 3 if player is lucky" in text.stdout
    assert text.stdout.index("score luck, changed") < text.stdout.index("What moved beyond chance")


@pytest.mark.slow
def test_annotations_name_the_rules_once_for_each_table(tmp_path: Path) -> None:
    rules, out = stored(tmp_path)
    Path(rules).write_text(TOSS.replace("3 if", "1 if"), encoding="utf-8")
    lines = rulesrun("baseline", rules, "--compare", out, "--format", "github").stdout.splitlines()
    assert [line.partition("::2 players")[0] for line in lines[:1]] == [f"::warning file={rules},title=the balance moved"]
    assert len(lines) == 2


@pytest.mark.slow
def test_tables_that_come_and_go_are_told(tmp_path: Path) -> None:
    rules, out = stored(tmp_path)
    Path(rules).write_text(TOSS.replace("2..3", "3..4"), encoding="utf-8")
    found = json.loads(rulesrun("baseline", rules, "--compare", out, "--format", "json").stdout)
    assert [row["players"] for row in found["added"]] == [4, 4]
    assert [row["players"] for row in found["gone"]] == [2, 2]
    assert found["moved"] == []


@pytest.mark.slow
def test_games_that_stop_are_told(tmp_path: Path) -> None:
    rules, out = stored(tmp_path)
    roll = "set coins of player to a random number from 0..9"
    Path(rules).write_text(TOSS.replace("add 1", f"{roll}\n                add 1"), encoding="utf-8")
    result = rulesrun("baseline", rules, "--compare", out)
    assert result.exit_code == 1
    assert "More games stop\n  2 players: 0 before, " in result.stdout


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text[:-40], "it is something else, or was cut off"),
        (lambda text: "[]", "it is something else, or was cut off"),
        (lambda text: text.replace('baseline": 1', 'baseline": 2'), "it was written by another version of rulesrun"),
        (lambda text: text.replace('"games": 300', '"games": 301', 1), "a table has another number of games"),
        (lambda text: text.replace('"seed": 1', '"seed": -1'), "its seed or its number of games is out of range"),
        (lambda text: text.replace('"players": 2', '"players": 3'), "it holds a table twice"),
        (lambda text: text.replace('"toss"', '"other"'), "is of the game `other`, not of `toss`"),
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, change: object, told: str) -> None:
    rules, out = stored(tmp_path)
    assert callable(change)
    Path(out).write_text(change(Path(out).read_text(encoding="utf-8")), encoding="utf-8")
    result = rulesrun("baseline", rules, "--compare", out)
    assert result.exit_code == 2
    assert "R807" in result.output
    assert told in result.output


def test_usage(tmp_path: Path) -> None:
    rules, out = stored(tmp_path)
    for arguments, told in (
        ((), "either store the balance"),
        (("--out", out, "--compare", out), "either store the balance"),
        (("--compare", out, "--games", "5"), "--games does not go with --compare"),
        (("--out", rules), "is there already and is no baseline"),
        (("--compare", str(tmp_path / "none.json")), "none.json"),
    ):
        result = rulesrun("baseline", rules, *arguments)
        assert result.exit_code == 2
        assert told in result.output


# ---- Chance

COLUMNS = Columns(2, ("coins",), 1)
TABLE = Choice(2)


def flipped(luck: Random, games: int, share: float = 0.5) -> Side:
    """Games in which the first seat wins this share by a coin, and scores something at random."""
    rows = array("i")
    for _ in range(games):
        win = luck.random() < share
        scores, wins = [luck.randrange(20), luck.randrange(20)], [int(win), int(not win)]
        rows.extend([luck.randrange(5, 9), luck.randrange(20, 40), 0, 0, *scores, *wins, *wins, *scores])
    return Side(COLUMNS, Tally.of(COLUMNS, 0, rows))


def seen(before: Side, after: Side) -> Watched:
    return watched(Baseline("coin", "", 1, 300, "random", {TABLE: before}), {TABLE: after})


@pytest.mark.slow
def test_chance_alone_rarely_moves_anything() -> None:
    """In 5 of 100 runs at the most, in the long run; with this luck it stays so."""
    luck = Random(7)
    told = [not seen(flipped(luck, 300), flipped(luck, 300)).is_quiet for _ in range(100)]
    assert sum(told) <= 5


def test_a_seat_that_wins_more_is_told() -> None:
    luck = Random(7)
    found = seen(flipped(luck, 2000), flipped(luck, 2000, 0.6))
    assert {str(moved.difference.statistic) for moved in found.moved} >= {"win_share[seat 1]", "win_share[seat 2]"}
    assert not any("score" in str(moved.difference.statistic) for moved in found.moved)


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(2, 30))
def test_a_tally_has_not_moved_from_itself(seed: int, games: int) -> None:
    side = flipped(Random(seed), games)
    assert seen(side, side).is_equal
    assert seen(side, side).is_quiet


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_a_baseline_is_read_as_it_was_written(seed: int) -> None:
    side = flipped(Random(seed), 30)
    before = Baseline("toss", TOSS, 3, 30, "random", {TABLE: side, Choice(2, ("even",)): side})
    after = from_text(Source("toss.json", to_text(before)), "toss", "toss.rules")
    assert (after.game, after.text, after.seed, after.games, after.bots) == ("toss", TOSS, 3, 30, "random")
    assert {each: (s.columns, s.tally) for each, s in after.sides.items()} == dict.fromkeys(before.sides, (COLUMNS, side.tally))


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    """With the checkpoint of the whole run nothing is played any more, and it comes to the same."""
    rules, out = stored(tmp_path)
    before = Path(out).read_text(encoding="utf-8")
    kept = str(tmp_path / "kept.json")
    base = ("baseline", rules, "--games", "300", "--checkpoint", kept)
    for _ in range(2):
        Path(out).unlink()
        assert rulesrun(*base, "--out", out).exit_code == 0
        assert Path(out).read_text(encoding="utf-8") == before
    other = rulesrun("baseline", rules, "--games", "301", "--checkpoint", kept, "--out", out)
    assert "[R803]" in other.stderr
