"""Sweeps: which tables are played, what stands out, and that a run that was stopped goes on."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from rulesrun.interpreter.balance.output.sweep import MARK
from rulesrun.interpreter.balance.sweeping.playing import Sweeping, from_text, to_text
from rulesrun.interpreter.balance.sweeping.tables import tables_from
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.rules import Rules, read_rules
from rulesrun.interpreter.simulate.simulation import Plan
from rulesrun.interpreter.simulate.statistics.beyond_chance import beyond_chance
from rulesrun.interpreter.table.sampling.combinations import Choice

from ..cli.commands import rulesrun
from ..no_room import run_without_room

GAMES = Path(__file__).parents[2] / "games"
LEAD = """\
game lead
    players 2..3

option gift: 0..20, default 0                        # what others get than the leader

cards lot, 1 of each
    worth: 1..20

zone deck:           pile of lot, hidden
zone held of player: set of lot, open
define lead: 12

setup
    shuffle every lot into deck

phase only
    repeat 2 times                                   # tunable rounds
        for each player
            player chooses
                draw: draw 1 from deck to held of player

score of player
    worth: 2 * total worth of held of player
    ahead: lead if player is player 1
    gift:  gift if player is not player 1

winner highest score, then shared

variant fair "Fair"
    replace define lead: 0

variant long "Long"
    add after only
        for each player
            player chooses
                draw: draw 1 from deck to held of player

variant duel "Duel"
    needs players is 2
    add to score
        duel: 0
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "lead.rules"
    path.write_text(LEAD, encoding="utf-8")
    return path


def swept(path: Path, *arguments: str) -> Any:
    found = rulesrun("sweep", str(path), "--seed", "3", "--games", "2000", "--format", "json", *arguments)
    assert found.stderr == ""
    return json.loads(found.stdout)


def test_what_stands_out_is_what_the_rules_say(rules: Path) -> None:
    """The first seat is ahead by twelve points, but where a variant takes them away; only another one changes the length."""
    found = swept(rules, "--variants", "plain,fair,long")
    unfair = {(each["players"], *each["variants"]) for each in found["unfair"]}
    assert unfair == {(2,), (3,), (2, "long"), (3, "long")}
    effects = {(each["of"], each["statistic"]): each["clear"] for each in found["effects"]}
    assert effects.keys() == {
        ("fair", "first_seat_win_share"),
        ("fair", "score_mean[seat 1]"),
        ("long", "decisions_mean"),
        ("long", "score_mean[seat 1]"),
    }
    assert [each["difference"] for each in effects["long", "decisions_mean"]] == [2, 3]
    assert [each["difference"] for each in effects["fair", "score_mean[seat 1]"]] == [-12, -12]


def test_a_number_is_held_against_its_least_value(rules: Path) -> None:
    found = swept(rules, "--variants", "plain", "--players", "3", "--set", "gift=0..12:6", "--set", "rounds=2,4")
    assert [each["values"] for each in found["tables"]] == [
        {"gift": gift, "rounds": rounds} for gift in (0, 6, 12) for rounds in (2, 4)
    ]
    effects = {(each["of"], each["from"], each["to"], each["statistic"]): each for each in found["effects"]}
    gift = effects["gift", "0", "12", "first_seat_win_share"]
    assert gift["tables"] == 2
    assert all(each["difference"] < -0.1 for each in gift["clear"])
    assert [each["difference"] for each in effects["rounds", "2", "4", "decisions_mean"]["clear"]] == [6] * 3
    assert {tuple(each["values"].values()) for each in found["unfair"]} == {(0, 2), (0, 4), (6, 2), (6, 4)}


def test_tables_that_the_rules_do_not_admit_are_left_out_and_told(rules: Path) -> None:
    found = rulesrun("sweep", str(rules), "--games", "20", "--seed", "1")
    assert found.exit_code == 0
    assert "1 table cannot be played\n- 3 players with duel: `duel` cannot be played here, this" in found.stdout
    every = tables_from(read_rules(rules), "all", "all", [])
    assert len(every.games) + len(every.refused) == 2 * 2**3
    assert all(choice.players == 3 and "duel" in choice.variants for choice in every.refused)


def test_everything_is_written(rules: Path, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow.parquet")
    names = [tmp_path / name for name in ("t.csv", "t.parquet", "t.html")]
    base = ["sweep", str(rules), "--games", "30", "--seed", "1", "--variants", "plain", "--set", "gift=0,5"]
    assert rulesrun(*base, "--out", str(names[0]), "--report", str(names[2])).exit_code == 0
    assert rulesrun(*base, "--out", str(names[1])).exit_code == 0
    with names[0].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = arrow.read_table(names[1]).to_pylist()
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in table] == rows
    assert {(row["players"], row["set gift"]) for row in rows} == {("2", "0"), ("2", "5"), ("3", "0"), ("3", "5")}
    page = names[2].read_bytes()
    assert page.startswith(MARK)
    assert page.count(b"<circle") == 4 * 4
    names[2].write_text("mine", encoding="utf-8")
    refused = rulesrun(*base, "--report", str(names[2]))
    assert (refused.exit_code, names[2].read_text(encoding="utf-8")) == (2, "mine")


def plans_of(rules: Rules, games: int) -> dict[Choice, Plan]:
    tables = tables_from(rules, "all", "each", [])
    return {choice: Plan(game, bots_from("random", game.players), 4, games, "wasm") for choice, game in tables.games.items()}


def test_a_run_that_was_stopped_comes_to_the_same(rules: Path) -> None:
    """However far it had come. The tables that were dear play last."""
    plans = plans_of(read_rules(rules), 300)
    whole = Sweeping(plans, 1, None, None)
    for _ in whole.play():
        pass
    assert whole.ended
    for stop in (1, 5, 9):
        begun = Sweeping(plans, 1, None, None)
        for number, _ in enumerate(begun.play()):
            if number == stop:
                break
        assert not begun.ended
        kept = from_text(Source("kept.json", to_text(plans, begun.found, 2.0)), plans)
        assert isinstance(kept, tuple)
        later = Sweeping(plans, 1, None, kept[0])
        for _ in later.play():
            pass
        assert {choice: each.so_far.tally for choice, each in later.found.items()} == {
            choice: each.so_far.tally for choice, each in whole.found.items()
        }


def test_a_checkpoint_of_other_tables_is_refused(rules: Path, tmp_path: Path) -> None:
    kept = str(tmp_path / "kept.json")
    assert rulesrun("sweep", str(rules), "--games", "20", "--checkpoint", kept, "--seed", "1").exit_code == 0
    again = rulesrun("sweep", str(rules), "--games", "20", "--checkpoint", kept)
    assert (again.exit_code, "20 games each" in again.stdout) == (0, True)
    other = rulesrun("sweep", str(rules), "--games", "20", "--checkpoint", kept, "--players", "2")
    assert (other.exit_code, "[R803]" in other.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--players", "4"], "the game is for 2 to 3 players"),
        (["--players", "3..2"], "the game is for 2 to 3 players"),
        (["--players", "some"], "these are no numbers of players"),
        (["--variants", "fairr"], "there is no variant `fairr`"),
        (["--set", "gift"], "this is no sweep"),
        (["--set", "gift=0..20", "--set", "gift=5"], "`gift` is set twice"),
        (["--set", "gift=0,1,00"], "each value stands there once"),
        (["--set", "gift=5,21"], "21"),
        (["--variants", "plain+fair"], "`plain` is without variants"),
        (["--out", "t.csv", "--report", "t.csv"], "--out and --report name the same file"),
        (["--set", "gifts=3"], "no number is called `gifts`"),
        (["--set", "rounds=1,x"], "`x` is no value"),
        (["--set", "gift=21"], "gift"),
        (["--set", "gift=0..20", "--set", "rounds=1..60"], "these are 10,080 tables"),
        (["--show", "first_seat"], "there is no statistic `first_seat`"),
        (["--out", "table.txt"], "ends with `.parquet` or `.csv`"),
        (["--bots", "search:2,search:2,search:2"], "these are 3 bots, and there are 2 seats"),
    ],
)
def test_what_cannot_be_swept_is_told(rules: Path, arguments: list[str], told: str) -> None:
    found = rulesrun("sweep", str(rules), "--games", "20", *arguments)
    assert (found.exit_code != 0, told in found.stderr, found.stdout) == (True, True, ""), found.stderr


def test_no_statistic_alone_can_be_wrong(rules: Path) -> None:
    """Numbers in the rules that make faults at every table are told as the fault."""
    found = rulesrun("sweep", str(rules), "--games", "20", "--set", "line 4=5")
    assert found.exit_code != 0
    assert "error" in found.stderr
    with pytest.raises(RulesError):
        tables_from(read_rules(rules), "all", "each", ["gift=30"])


def test_values_are_compared_from_the_least_up(rules: Path) -> None:
    """However they are written, and as far as each table can be played."""
    found = swept(rules, "--variants", "plain", "--players", "2", "--set", "rounds=4,1,2")
    assert [each["values"]["rounds"] for each in found["tables"]] == [1, 2, 4]
    assert {(each["from"], each["to"]) for each in found["effects"]} == {("1", "4")}
    text = LEAD.replace("0..20, default", "0..players * 4, default")
    rules.write_text(text, encoding="utf-8")
    found = swept(rules, "--variants", "plain", "--set", "gift=0..12:4")
    (share,) = (each for each in found["effects"] if each["statistic"] == "first_seat_win_share")
    assert (share["from"], share["to"], share["tables"]) == (None, None, 2), "8 is the most for two, 12 for three"


def test_a_variant_that_makes_teams_is_not_called_unfair() -> None:
    """Of two teams each wins half of the games, and so does the first seat."""
    found = swept(GAMES / "masti.rules", "--players", "4", "--variants", "partners,plain", "--games", "400")
    assert not any(each["of"] == "partners" and each["statistic"] == "first_seat_win_share" for each in found["effects"])


def test_few_games_say_nothing(rules: Path) -> None:
    found = rulesrun("sweep", str(rules), "--games", "10", "--seed", "1", "--variants", "plain")
    assert "What stands out\n- 2 tables with fewer than 50 games, which is too few to say anything of\n" in found.stdout
    one = rulesrun("sweep", str(rules), "--games", "1", "--seed", "1", "--variants", "plain", "--players", "2")
    assert "1 game each" in one.stdout
    assert "  2              4.00" in one.stdout


@pytest.mark.process
def test_one_place_that_cannot_be_written_costs_nothing_else(rules: Path, tmp_path: Path) -> None:
    """What can be written is, and the tables are told."""
    csv, html = tmp_path / "t.csv", tmp_path / "t.html"
    program = [sys.executable, "-c", "from rulesrun.cli import main; main()", "sweep", str(rules), "--games", "10", "--seed", "1"]
    places = ["--report", str(html), "--out", str(csv)]
    done = run_without_room([*program, "--players", "2", "--variants", "plain", *places], 6000)
    assert (done.returncode, "t.html` cannot be written: File too large" in done.stderr) == (2, True)
    assert "Tables\n" in done.stdout
    assert csv.read_text(encoding="utf-8").startswith("players,variants,statistic,value")
    assert not html.exists()


def test_what_is_beyond_chance() -> None:
    """Holm's own example: the least p-value is held against a fourth of the bound, the next against a third."""
    assert beyond_chance([0.01, 0.04, 0.03, 0.005]) == [True, False, False, True]
    assert beyond_chance([]) == []
