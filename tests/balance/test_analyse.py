"""`rulesrun analyse`: the games are those of `simulate`, the page stands alone, and bad input is told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from rulesrun.interpreter.balance.analysis import Analysis
from rulesrun.interpreter.balance.output.text import to_json
from rulesrun.interpreter.balance.playing import choosing
from rulesrun.interpreter.balance.playing.choosing import player_for
from rulesrun.interpreter.balance.playing.course import OutOfTime
from rulesrun.interpreter.balance.playing.ladder import Deal, Step, luck, seatings_of, skill, steps_of
from rulesrun.interpreter.balance.playing.study import Clock, Side, Studying
from rulesrun.interpreter.machine.columns import FAULT, Columns
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.players.bots import Bot, bots_from
from rulesrun.interpreter.simulate.engines.engine import engine_for

from ..cli.commands import rulesrun
from ..reports.schemas import faults as schema_faults
from ..simulate.games import BIDS, BREAKS, GAMES, PAIRS, written
from ..simulate.test_report import Page

ONE_OPTION = """
game walk
    players 2
counter steps of player: 0..3
phase only
    repeat 3 times
        for each player
            player chooses
                go
                    add 1 to steps of player
score of player
    steps: steps of player
winner highest score, then shared
"""


ENDLESS = """
game endless
    players 2
counter size: 0..1
phase only
    for each player
        player chooses
            go
                repeat 1000 times
                    repeat 1000 times
                        repeat 1000 times
                            set size to 1
score of player
    size: size
winner highest score, then shared
"""


def analysed(rules: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    result = rulesrun("analyse", str(rules), "--seed", "1", "--format", "json", *arguments)
    assert result.exit_code == code, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    assert schema_faults("analyse", data) == []
    return data


@pytest.mark.parametrize(("game", "bots"), [("kingdomino", "search:2"), ("kingdomino", "casual"), ("masti", "random")])
def test_its_games_are_those_that_simulate_plays(game: str, bots: str) -> None:
    table = load(GAMES / f"{game}.rules")
    named = bots_from(bots, table.players)
    player, engine = player_for(table, named, "wasm"), engine_for(table, named, "wasm")
    for number in range(2):
        course, played = player.play(5, number, lambda: False), engine.play(5, number, 1, rows=True)
        assert played.rows is not None
        assert course.row == tuple(played.rows)
        assert sum(course.thoughts) == (sum(course.free) if "search" in bots else 0)


@pytest.mark.slow
def test_played_anew_the_chance_is_the_same() -> None:
    """The first outcomes are those of chance, before anybody chose."""
    table = load(GAMES / "kingdomino.rules")
    player = player_for(table, bots_from("random", 2), "wasm")
    one, other = (player.play(3, 0, lambda: False, anew=anew) for anew in (False, True))
    assert one.history[:5] == other.history[:5]
    assert one.history != other.history


def test_a_game_that_stops_in_the_middle(tmp_path: Path) -> None:
    table = load(written(BREAKS, tmp_path))
    named = bots_from("random", 2)
    player, engine = player_for(table, named, "wasm"), engine_for(table, named, "wasm")
    played = engine.play(1, 0, 30, rows=True).rows
    assert played is not None
    width = len(table.columns)
    rows = [tuple(played[start : start + width]) for start in range(0, len(played), width)]
    courses = [player.play(1, number, lambda: False) for number in range(30)]
    assert [course.row for course in courses] == rows
    assert any(row[FAULT] for row in rows)
    with pytest.raises(OutOfTime):
        player.play(1, 0, lambda: True)


@pytest.mark.slow
def test_the_numbers_depend_on_the_seed_and_the_number_of_games_alone() -> None:
    arguments = ("--bots", "casual", "--games", "12", "--max-seconds", "100")
    one, two = (analysed(PAIRS, *arguments, "--jobs", jobs) for jobs in ("1", "3"))
    assert one["tables"][0]["games"] == 12
    del one["seconds"], two["seconds"]
    assert one == two


@pytest.mark.slow
def test_two_tables_side_by_side(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    arguments = ("--variant", "level", "--against", "plain", "--bots", "search:8", "--games", "8", "--report", str(report))
    data = analysed(written(BIDS, tmp_path), *arguments)
    assert [table["title"] for table in data["tables"]] == ["plain", "level"]
    assert data["differences"]["decisions_mean"]["value"] == 0
    assert data["rules"]["differences"][0]["kind"] == "added"
    assert "skill[search:8 > random]" in data["tables"][0]["measures"]
    text = report.read_text(encoding="utf-8")
    page = Page(text)
    assert all(target.startswith("#") for target in page.loaded)
    assert not re.search(r"@import|url\(", text)
    assert "script" not in page.tags
    assert len(set(page.ids)) == len(page.ids)
    for title in ("The rules that differ", "Is it fair?", "Skill and luck", "Decisions", "Games to look at", "gift: 3"):
        assert title in page.text


@pytest.mark.slow
def test_conditions(tmp_path: Path) -> None:
    rules = str(written(BIDS, tmp_path))
    arguments = ("analyse", rules, "--bots", "casual", "--games", "5", "--seed", "1", "--fail-if")
    assert rulesrun(*arguments, "decisions_mean > 1").exit_code == 1
    assert rulesrun(*arguments, "decisions_mean > 100").exit_code == 0
    assert rulesrun(*arguments, "skill[casual > random] >= 0").exit_code == 1
    result = rulesrun(*arguments, "fairness > 1")
    assert result.exit_code == 2
    assert "R805" in result.stderr


@pytest.mark.slow
def test_a_game_with_one_option_always(tmp_path: Path) -> None:
    data = analysed(written(ONE_OPTION, tmp_path), "--bots", "search:5", "--games", "4")
    table = data["tables"][0]
    assert table["measures"]["forced_share"]["value"] == 1
    assert "Nobody ever has a choice" in table["verdicts"]["decisions"]["text"]
    assert table["acts"] == []


def test_games_that_stop_are_left_out_and_told(tmp_path: Path) -> None:
    rules, report = written(BREAKS, tmp_path), tmp_path / "r.html"
    data = analysed(rules, "--bots", "random", "--games", "20", "--report", str(report), code=1)
    stop = data["tables"][0]["faults"][0]
    assert data["tables"][0]["games"] + stop["games"] == 20
    assert rulesrun(*stop["command"].split()[1:]).exit_code == 1
    assert "were stopped by" in report.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_player_from_outside_that_fails(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def mine(seen):\n    raise ValueError('oh dear')\n", encoding="utf-8")
    result = rulesrun("analyse", str(PAIRS), "--bots", f"{tmp_path / 'mine.py'}:mine", "--games", "2")
    assert result.exit_code != 0
    assert "error[R810]" in result.stderr
    assert "oh dear" in result.stderr


@pytest.mark.clock
def test_no_time_for_a_single_game() -> None:
    result = rulesrun("analyse", str(GAMES / "for_the_king.rules"), "--bots", "search:1000000", "--max-seconds", "0.01")
    assert result.exit_code == 1
    assert "R820" in result.stderr
    assert "--max-seconds" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--bots", "nobody"], "R801"),
        (["--bots", "search:0"], "R801"),
        (["--bots", "search:1000000000000"], "R801"),
        (["--bots", ""], "R801"),
        (["--against", "nothing"], "R40"),
        (["--against", "plain,level"], "plain"),
        (["--games", "0"], "number of games"),
        (["--max-seconds", "no"], "seconds"),
    ],
)
def test_bad_input(arguments: list[str], code: str, tmp_path: Path) -> None:
    result = rulesrun("analyse", str(written(BIDS, tmp_path)), *arguments)
    assert result.exit_code == 2
    assert code in result.stderr


def test_a_report_replaces_only_a_report(tmp_path: Path) -> None:
    other = tmp_path / "mine.html"
    other.write_text("<p>mine</p>", encoding="utf-8")
    result = rulesrun("analyse", str(PAIRS), "--bots", "random", "--games", "2", "--report", str(other))
    assert result.exit_code == 2
    assert other.read_text(encoding="utf-8") == "<p>mine</p>"


def test_an_interrupted_study_is_of_what_was_played() -> None:
    table = load(PAIRS)
    side = Side("plain", table, bots_from("search:5", 2), (str(PAIRS),))
    studying = Studying([side], table.rules, (), "wasm", 1, 1000, Clock(1000), 2)
    for _ in studying.play():
        studying.interrupt()
    study = studying.study
    assert not study.ended
    assert 1 <= study.sides[0].games < 1000
    data = to_json(Analysis(study))
    assert data["interrupted"]
    assert data["tables"][0]["games"] == study.sides[0].games


def test_how_often_a_thought_looks_at_the_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load(PAIRS)

    def histories() -> list[tuple[int, ...]]:
        player = player_for(table, bots_from("search:200", 2), "wasm")
        return [player.play(1, game, lambda: False).history for game in range(5)]

    whole = histories()
    monkeypatch.setattr(choosing, "AT_ONCE", 7)
    assert histories() == whole


@pytest.mark.slow
def test_a_game_for_one_is_no_sign_of_skill() -> None:
    data = analysed(GAMES / "classics" / "blackjack.rules", "--bots", "search:5", "--games", "6")
    table = data["tables"][0]
    assert "win_share[seat 1]" not in table["measures"]
    assert "matter_share" not in table["measures"]
    assert "no sign of skill" in table["verdicts"]["acts"]["text"]


# ---- The ladder


def test_the_ladder() -> None:
    assert [str(step) for step in steps_of(Bot("search", 500))] == [
        "casual > random",
        "search:20 > casual",
        "search:100 > search:20",
        "search:500 > search:100",
        "search:500 > random",
    ]
    assert [str(step) for step in steps_of(Bot("casual"))] == ["casual > random"]
    assert steps_of(Bot("random")) == ()


def test_two_bots_change_places() -> None:
    step = Step(Bot("random"), Bot("casual"))
    three = seatings_of(step, Columns(3, (), 1), ())
    assert [[bot.kind for bot in seats] for seats in three] == [["casual", "random", "casual"], ["random", "casual", "random"]]
    teams = seatings_of(step, Columns(4, (), 2), ((1, 3), (2, 4)))
    assert [[bot.kind for bot in seats] for seats in teams] == [["casual", "random"] * 2, ["random", "casual"] * 2]


def test_what_the_deal_decides() -> None:
    games = range(200)
    decided = {game: (1.0, 0.0) if game % 2 else (0.0, 1.0) for game in games}
    whole = luck(decided, decided)
    assert whole is not None
    assert whole.value == pytest.approx(1)
    nothing = luck(decided, {game: (1.0, 0.0) if game % 4 < 2 else (0.0, 1.0) for game in games})
    assert nothing is not None
    assert not nothing.estimate().leaves_out(0)
    always = dict.fromkeys(games, (1.0, 0.0))
    assert luck(always, always) is None
    found = skill({0: Deal((1.0,), None), 1: Deal((None,), None), 2: Deal((0.5,), None)}, 0)
    assert found is not None
    assert found.value == 0.75


@pytest.mark.clock
def test_a_step_that_does_not_end_hangs_nothing(tmp_path: Path) -> None:
    result = rulesrun("analyse", str(written(ENDLESS, tmp_path)), "--bots", "casual", "--max-seconds", "0.5", "--jobs", "1")
    assert result.exit_code == 1
    assert "R820" in result.stderr
