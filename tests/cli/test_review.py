"""`rulesrun review`: which acts gave away much, by what their seats knew."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rulesrun.interpreter.play.bots.thinking import thinker_for
from rulesrun.interpreter.play.game import Game, State, load
from rulesrun.interpreter.play.records.review import JudgedAct, decisions_of, judged
from rulesrun.interpreter.play.records.transcript import to_data, to_text, transcript_of

from .commands import HERE, MASTI, rulesrun
from .terminal import Terminal

GAMES = HERE.parent.parent / "games"
TIC_TAC_TOE = str(GAMES / "classics" / "tic_tac_toe.rules")


def saved(state: State, path: Path) -> str:
    path.write_text(to_text(to_data(transcript_of(state, 1))), encoding="utf-8")
    return str(path)


@pytest.fixture
def blunder(tmp_path: Path) -> str:
    """Player 2 does not stop two in a row, player 1 does not complete them, and player 2 wins."""
    state = load(TIC_TAC_TOE).start(1)
    for cell in ("a1", "a2", "b1", "b2", "c3", "c2"):
        state.play(next(number for number in state.legal if state.game.option_text(number).endswith(cell)))
    assert state.is_over
    return saved(state, tmp_path / "game.json")


def reviewed(*arguments: str) -> dict[str, Any]:
    result = rulesrun("review", *arguments, "--format", "json")
    assert result.exit_code == 0
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.slow
def test_what_gave_away_the_game_is_marked_with_what_was_better(blunder: str) -> None:
    acts = reviewed(blunder)["acts"]
    assert [each["number"] for each in acts if each["marked"]][-1] == 5
    assert not acts[3]["marked"], "all was lost already"
    missed = acts[4]
    assert (missed["act"]["share"], missed["best"]["share"], missed["best"]["proved"]) == (0, 1, True)
    assert missed["best"]["text"].endswith("c1")
    won = acts[5]
    assert won["act"] == won["best"]
    assert won["given_away"] == 0
    page = rulesrun("review", blunder).stdout
    assert "act 5 gave away 100 % of the win: 0 % after it, for sure" in page
    assert "100 % after place mark of player 1 on c1, for sure" in page


@pytest.mark.slow
def test_one_seat_and_another_threshold(blunder: str) -> None:
    assert [each["number"] for each in reviewed(blunder, "--seat", "2")["acts"]] == [2, 4, 6]
    marked = [each["number"] for each in reviewed(blunder, "--threshold", "95%")["acts"] if each["marked"]]
    assert 5 in marked
    assert "none of them gave away 100 % of the win" in rulesrun("review", blunder, "--seat", "2", "--threshold", "100").stdout


def judgements(game: Game, history: tuple[int, ...], places: list[int], iterations: int) -> list[JudgedAct]:
    return list(judged(game, history, places, thinker_for(game), iterations, 0.1))


@pytest.mark.slow
def test_a_judgement_depends_on_what_the_seat_knew_alone() -> None:
    """The same act in another game that looks the same to who acted."""
    game, random = load(MASTI), Random(2)
    state = game.start(5)
    for _ in range(9):
        state.play_at_random()
    seat, option = state.player, state.legal[-1]
    found = []
    for world in (state.clone(), state.determinise(seat, random), state.determinise(seat, random)):
        world.play(option)
        place = next(at for at in reversed(decisions_of(game, world.history, (seat,))) if world.history[at] == option)
        found.append(judgements(game, world.history, [place], 80)[0])
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
def test_few_iterations_prove_nothing() -> None:
    """Two games that were imagined are no proof, whatever came of them."""
    game = load(GAMES / "kingdomino.rules")
    state = game.start(1)
    for _ in range(12):
        state.play_at_random()
    places = decisions_of(game, state.history, (1, 2))
    assert not any(each.marked for each in judgements(game, state.history, places, 2))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--bots", "random"], "`random` cannot judge: name one bot that searches"),
        (["--bots", "search:5,search:5"], "cannot judge"),
        (["--bots", "search:0"], "`0` is no number of iterations"),
        (["--bots", "search"], "it is not said how many iterations"),
        (["--threshold", "0"], "`0` is no share of the win"),
        (["--threshold", "much"], "`much` is no share of the win"),
        (["--threshold", "nan"], "`nan` is no share of the win"),
        (["--seat", "3"], "there is no seat 3"),
        (["--rules", MASTI], "R702"),
    ],
)
def test_odd_arguments(blunder: str, arguments: list[str], told: str) -> None:
    result = rulesrun("review", blunder, *arguments)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.slow
def test_a_damaged_game_and_one_of_other_rules(blunder: str, tmp_path: Path) -> None:
    data = json.loads(Path(blunder).read_text(encoding="utf-8"))
    data["acts"][3]["option"] = data["acts"][0]["option"]
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(data), encoding="utf-8")
    result = rulesrun("review", str(bad))
    assert "R704" in result.stderr
    assert result.exit_code != 0
    assert rulesrun("review", str(tmp_path / "none.json")).exit_code == 2
    assert rulesrun("review", TIC_TAC_TOE).exit_code == 2


@pytest.mark.process
def test_ctrl_c_shows_what_there_is(tmp_path: Path) -> None:
    game = load(GAMES / "classics" / "breakthrough.rules")
    state = game.start(1)
    while state.player:
        state.play_at_random()
    terminal = Terminal(["review", saved(state, tmp_path / "long.json"), "--bots", "search:1000000"], tmp_path, NO_COLOR="1")
    terminal.until("0 of ")
    terminal.type("\x03")
    code, shown = terminal.end()
    assert code == 130
    assert "interrupted: these are the first " in shown
