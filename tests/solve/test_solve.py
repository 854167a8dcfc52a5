"""Small games are counted and solved exactly: the figures are those published for them, or counted by hand."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from functools import reduce
from operator import xor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.play.page import Line
from rulesrun.interpreter.search.solving.histories import TooLarge, guessed_ends, walk
from rulesrun.interpreter.search.solving.output import page, to_json
from rulesrun.interpreter.search.solving.regret import Value, solve
from rulesrun.interpreter.search.solving.sequences import Ends, Player, Sequences
from rulesrun.interpreter.search.solving.solution import LIMIT, Solution, solution
from rulesrun.interpreter.search.solving.states import states_of
from rulesrun.interpreter.simulate.engines.engine import EngineName

from ..cli.commands import rulesrun

CLASSICS = Path(__file__).parents[2] / "games" / "classics"

ENGINES: tuple[EngineName, ...] = ("wasm", "reference")


def solved(name: str, players: int | None = None, accuracy: float = 0.001) -> Solution:
    return solution(load(CLASSICS / f"{name}.rules", players), "wasm", 60, accuracy)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "histories", "information_states", "nash_conv", "value"),
    [
        ("kuhn_poker", (4, 24, 30), (6, 6), 0.9166667, -1 / 18),
        ("leduc_poker", (157, 3780, 5520), (468, 468), 4.7472222, -0.085606424),
    ],
)
def test_the_figures_are_those_that_are_published(
    name: str, histories: tuple[int, int, int], information_states: tuple[int, int], nash_conv: float, value: float
) -> None:
    found = solved(name)
    assert (found.chance, found.decisions, found.ends) == histories
    assert found.information_states == information_states
    assert found.nash_conv == pytest.approx(nash_conv, abs=5e-8)
    assert isinstance(found.value, Value)
    assert found.value.low <= value <= found.value.high
    assert found.value.accuracy <= 0.001


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "states", "ends", "value"),
    [
        ("tic_tac_toe", {}, 5478, 255_168, 0),
        ("hex", {"columns": 3, "rows": 3}, 5514, 257_760, 1),
        ("connect_four", {"columns": 4, "rows": 4, "in_a_row": 3}, 41_750, 3_409_240, 1),
        ("breakthrough", {"columns": 3, "rows": 4}, 10_689, 3_781_574, 1),
        ("dots_and_boxes", {}, 5559, 479_001_600, 1),  # won by who begins; lines come in 12! orders
    ],
)
def test_who_wins_a_game_in_which_all_is_seen(name: str, options: dict[str, int], states: int, ends: int, value: int) -> None:
    found = solution(load(CLASSICS / f"{name}.rules", options=options), "wasm", 60, 0.1)
    assert (found.states, found.ends) == (states, ends)
    assert found.value == value


@pytest.mark.slow
@given(st.lists(st.integers(0, 3), min_size=2, max_size=4).filter(any))
@settings(max_examples=15, deadline=None)
def test_nim_is_won_as_bouton_says(heaps: list[int]) -> None:
    """C. L. Bouton, "Nim, a game with a complete mathematical theory", 1901."""
    sizes = {f"size_of_{name}": size for name, size in zip("ABCDE", [*heaps, 0, 0, 0], strict=False)}
    balance = reduce(xor, heaps)
    for last, wins in (("wins", balance != 0), ("loses", balance != 0 if max(heaps) > 1 else balance == 0)):
        found = solution(load(CLASSICS / "nim.rules", options={**sizes, "last_stone": last}), "reference", 60, 0.1)
        assert found.value == (1 if wins else -1)


DRAWN = """
game drawn
    players 2
cards card, 1 of each
    rank: 1..4
zone deck: pile of card, hidden
zone hand of player: set of card, {seen}
setup
    shuffle every card into deck
phase play
    take turns clockwise from player 1 until count of deck at most 1
        player chooses
            draw
                draw 1 from deck to hand of player
            stop: end game
score of player
    mine: total rank of hand of player
    rivals: -total rank of hand of left of player
winner highest score, then shared
"""


def drawn(folder: Path, seen: str) -> Game:
    (folder / "drawn.rules").write_text(DRAWN.format(seen=seen), encoding="utf-8")
    return load(folder / "drawn.rules")


@pytest.mark.slow
def test_states_are_left_off_with_their_number() -> None:
    game = load(CLASSICS / "othello.rules")
    for limit, go_on, count in ((100, True, 100), (5000, False, 1023)):
        with pytest.raises(TooLarge) as left_off:
            states_of(game, "wasm", limit, lambda go_on=go_on: go_on)  # type: ignore[misc]  # the value of now
        assert (left_off.value.count, left_off.value.what) == (count, "states")
    with pytest.raises(RulesError, match="left off after 1,023 states, when 1e-09 s were over"):
        solution(game, "wasm", 1e-9, 0.1)


@pytest.mark.slow
def test_chance_that_all_see_has_an_exact_value(tmp_path: Path) -> None:
    """By hand: what player 2 draws is lost again, as a mean, to what player 1 draws then; so player 1 keeps the first card."""
    found = solution(drawn(tmp_path, "open"), "wasm", 60, 0.1)
    assert found.value == Fraction(5, 2)
    (worth,) = [line.text for line in page(found) if isinstance(line, Line) and "value" in line.text]
    assert worth == "  value for player 1: 5/2 = 2.5000000, exact (by backward induction)"
    assert to_json(found)["value"] == {"first_player": 2.5, "exact": "5/2", "accuracy": 0, "rounds": 0}


LONG = """
game long
    players 2
counter hour: 0..1100
marker lit of player: yes or no
phase play
    take turns clockwise from player 1 until hour is 1100
        add 1 to hour
        player chooses
            leave: nothing
            switch
                if lit of player: set lit of player to no
                otherwise: set lit of player to yes
score of player
    won: 1 if lit of player
    lost: -1 if lit of left of player
winner highest score, then shared
"""


@pytest.mark.slow
def test_more_histories_than_can_be_written_are_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "long.rules").write_text(LONG, encoding="utf-8")
    found = solution(load(tmp_path / "long.rules"), "wasm", 60, 0.1)
    assert found.ends == 2**1100
    assert found.value == 0
    assert "10^331 ends" in str(page(found))
    assert to_json(found)["histories"]["ends"] is None


@pytest.mark.slow
def test_what_somebody_does_not_see_is_solved_by_histories(tmp_path: Path) -> None:
    assert states_of(drawn(tmp_path, "private"), "wasm", 1000, lambda: True) is None
    assert isinstance(solution(drawn(tmp_path, "private"), "wasm", 60, 0.1).value, Value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [("", {}), ("nim", {"size_of_D": 0}), ("hex", {"columns": 3, "rows": 2})],
)
def test_by_states_and_by_histories_the_same_is_found(name: str, options: dict[str, int], tmp_path: Path) -> None:
    game = load(CLASSICS / f"{name}.rules", options=options) if name else drawn(tmp_path, "open")
    found = solution(game, "wasm", 60, 0.1)
    assert isinstance(found.value, Fraction)
    walked = walk(game, "wasm", LIMIT, lambda: True)
    players = walked.sequences.players
    assert (found.chance, found.decisions, found.ends) == (walked.chance, walked.decisions, walked.ends)
    assert found.states == walked.states
    assert found.information_states == tuple(len(player.before) for player in players)
    uniform = walked.sequences.uniform
    assert found.uniform_values == pytest.approx([walked.sequences.value(number, uniform) for number in (0, 1)])
    assert found.nash_conv == pytest.approx(walked.sequences.nash_conv(uniform))
    by_regret = solve(walked.sequences, 0.0, 0.05, lambda: True)
    assert by_regret.low - 1e-9 <= found.value <= by_regret.high + 1e-9


@pytest.mark.slow
def test_both_engines_find_the_same() -> None:
    game = load(CLASSICS / "kuhn_poker.rules")
    one, other = (to_json(solution(game, engine, 60, 0.01)) for engine in ENGINES)
    assert one == other


WITHOUT = f"""
import sys
sys.modules["wasmtime"] = None
from rulesrun.cli import cli
cli(["solve", {str(CLASSICS / "kuhn_poker.rules")!r}, "--accuracy", "0.1"])
"""


@pytest.mark.slow
def test_what_players_play_for_are_the_returns(tmp_path: Path) -> None:
    doubled = tmp_path / "doubled.rules"
    rules = (CLASSICS / "kuhn_poker.rules").read_text(encoding="utf-8").split('\ntest "')[0]
    doubled.write_text(f"{rules}\nreturns of player: 2 * score of player\n", encoding="utf-8")
    one, other = solved("kuhn_poker"), solution(load(doubled), "wasm", 60, 0.001)
    assert other.uniform_values == pytest.approx([2 * value for value in one.uniform_values])
    assert other.nash_conv == pytest.approx(2 * one.nash_conv)
    assert isinstance(other.value, Value)
    assert other.value.low <= -2 / 18 <= other.value.high


@pytest.mark.process
def test_without_wasmtime_the_reference_walks() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert "58 histories" in done.stdout, done.stderr
    assert "games are played slowly" in done.stderr


@pytest.mark.slow
def test_liars_dice_has_the_published_size_and_value() -> None:
    """Of the value, only a few rounds: a minute brings it to 0.0001."""
    game = load(CLASSICS / "liars_dice.rules", 2, ["one_round"], {"dice_each": 1})
    walked = walk(game, "wasm", LIMIT, lambda: True)
    assert (walked.chance, walked.decisions, walked.ends) == (7, 147_456, 147_420)
    assert sum(len(player.before) for player in walked.sequences.players) == 24_576
    assert walked.sequences.nash_conv(walked.sequences.uniform) == pytest.approx(1.5614886, abs=5e-8)
    value = solve(walked.sequences, 0.0, 0.03, lambda: True)
    assert value.low <= -7 / 258 <= value.high
    assert value.accuracy <= 0.03


@pytest.mark.slow
def test_what_takes_too_long_is_left_off_with_its_size() -> None:
    game = load(CLASSICS / "leduc_poker.rules")
    with pytest.raises(TooLarge) as left_off:
        walk(game, "wasm", 1000, lambda: True)
    assert (left_off.value.count, left_off.value.what) == (1000, "histories")
    assert 3000 < guessed_ends(game, "wasm", lambda: True) < 9000  # it has 5,520


ROUND = """
game small
    players 2
marker done: yes or no
counter secret of player: 1..2, private
phase play
    player 1 chooses
        hide a number from 1..2 face down
            set secret of player 1 to number
    take turns clockwise from player 1 until done
        player chooses
            wait: nothing
            stay: nothing
            halt
                {when}
                set done to yes
score of player
    won: 1 if done
winner highest score, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("when", "seconds", "told"),
    [
        ("only if done", 60.0, "it has more ends than can be counted"),
        ("nothing", 1e-9, "left off after 1,024 histories, when 1e-09 s were over; 511 of them are ends"),
    ],
)
def test_where_play_goes_round_the_time_is_kept_and_no_guess_is_below_what_was_walked(
    tmp_path: Path, when: str, seconds: float, told: str
) -> None:
    (tmp_path / "small.rules").write_text(ROUND.format(when=when), encoding="utf-8")
    with pytest.raises(RulesError) as refused:
        solution(load(tmp_path / "small.rules"), "wasm", seconds, 0.1)
    assert told in refused.value.diagnostics[0].message


@pytest.mark.slow
def test_where_play_goes_round_and_all_is_seen_the_decision_is_told(tmp_path: Path) -> None:
    text = ROUND.format(when="nothing").replace(", private", "").replace(" face down", "")
    (tmp_path / "small.rules").write_text(text, encoding="utf-8")
    with pytest.raises(RulesError) as refused:
        solution(load(tmp_path / "small.rules"), "wasm", 60, 0.1)
    (told,) = refused.value.diagnostics
    assert told.code == "R833"
    assert told.span is not None
    assert told.span.line == 11


TELLTALE = """
game small
    players 2
counter secret of player: 0..3, private
counter x: 0..9
phase play
    player 1 chooses
        pick a number from 1..2 face down
            set secret of player 1 to number
    player 2 chooses
        low
            only if secret of player 1 is 1
            set x to 1
        mid
            {mid}
            set x to 4
        high
            only if secret of player 1 is 2
            set x to 5
score of player
    won: x if player is player 1
    lost: -x if player is player 2
winner highest score, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize("mid", ["only if x is 0", "only if secret of player 1 is 1"])
def test_options_that_tell_what_is_hidden_are_no_information_state(tmp_path: Path, mid: str) -> None:
    (tmp_path / "small.rules").write_text(TELLTALE.format(mid=mid), encoding="utf-8")
    with pytest.raises(RulesError) as refused:
        solution(load(tmp_path / "small.rules"), "wasm", 60, 0.1)
    (told,) = refused.value.diagnostics
    assert told.code == "R370"
    assert told.span is not None
    assert told.span.line == 10


@pytest.mark.slow
def test_three_players_have_no_value_and_still_a_nash_conv() -> None:
    found = solved("kuhn_poker", 3)
    assert (found.chance, found.decisions, found.ends) == (17, 288, 312)
    assert found.information_states == (16, 16, 16)
    assert found.value is None
    assert found.why_no_value == "a value is worked out for two players"
    assert found.nash_conv == pytest.approx(2.0625)


def matrix(pays: list[list[int]]) -> Sequences:
    """The game in which both choose at once, a row and a column, and the first gets what stands there."""
    players = Player(), Player()
    rows, columns = players[0].add(0, len(pays)), players[1].add(0, len(pays[0]))
    ends = [(row, column, float(pays[i][j])) for i, row in enumerate(rows) for j, column in enumerate(columns)]
    last = [row for row, _, _ in ends], [column for _, column, _ in ends]
    gets = [pay for _, _, pay in ends], [-pay for _, _, pay in ends]
    return Sequences(players, Ends([1.0] * len(ends), last, gets))


@pytest.mark.slow
@given(st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=2, max_size=2))
@settings(max_examples=50, deadline=None)
def test_the_value_of_two_by_two_is_that_of_the_formula(pays: list[list[int]]) -> None:
    (a, b), (c, d) = pays
    sure, held = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    value = sure if sure == held else (a * d - b * c) / (a + d - b - c)
    found = solve(matrix(pays), 0.0, 0.05, lambda: True)
    assert found.low - 1e-9 <= value <= found.high + 1e-9
    assert found.accuracy <= 0.05


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=4))
@settings(max_examples=50, deadline=None)
def test_what_uniform_play_gives_away_is_the_best_row_and_the_best_column(pays: list[list[int]]) -> None:
    rows = [sum(row) / 3 for row in pays]
    columns = [sum(row[j] for row in pays) / len(pays) for j in range(3)]
    game = matrix(pays)
    assert game.nash_conv(game.uniform) == pytest.approx(max(rows) - min(columns))


def test_when_the_time_is_over_the_bounds_are_those_that_were_reached() -> None:
    found = solve(matrix([[3, -1], [-2, 1]]), 0.0, 0.0, lambda: False)
    assert found.rounds == 1
    assert found.low <= 1 / 7 <= found.high


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--accuracy", "nan", "`nan` is no accuracy: it is a number from 0, such as 0.001"),
        ("--accuracy", "inf", "`inf` is no accuracy"),
        ("--max-seconds", "nan", "`nan` is no time"),
        ("--max-seconds", "0", "`0` is no time"),
    ],
)
def test_what_is_no_number_is_refused(option: str, value: str, told: str) -> None:
    result = rulesrun("solve", str(CLASSICS / "kuhn_poker.rules"), option, value)
    assert result.exit_code == 2
    assert told in " ".join(result.output.replace("│", " ").split())
