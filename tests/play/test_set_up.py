"""Tests in a file: what they can set up, and what they can ask about the knowledge of players."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from rulesrun.interpreter.checks.tests import run_test, run_tests
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

GAMES = Path(__file__).parents[2] / "games"

GAME = """
game small
    players 3

cards card, {copies} of each
    suit: moon, sun
    rank: 1..3
pieces lord
    number: 1..2
    marker patron: player or none
    number
    1
    2
pieces stone, 2 for each player

zone deck: pile of card, hidden
zone board: grid of stone, 2 x 2, open
zone row: set of card, open
zone spot: slot of card, open
zone secret of player: slot of card, private
zone hand of player: set of card, private
zone heap of player: pile of card, hidden
zone map of player: grid of lord, 3 x 3, open
counter level of suit: 0..6
marker leader: player
marker wish of player: suit or none

setup
    set leader to player 1
    shuffle every card into deck
    draw 1 from deck to spot
    for each player: draw 1 from deck to hand of player

phase only
    repeat until deck is empty: draw 1 from deck to hand of leader

step give of player: move hand of player to secret of player
step pass_on: move hand of player 1 to hand of player 2
step look_at: reveal hand of player 2

score of player
    points: count of hand of player
winner highest score, then shared

test "this"
    players Ann, Bob, Cy
"""


def messages(lines: str, copies: int = 1) -> str:
    """What is wrong with a test of these lines."""
    text = GAME.format(copies=copies).strip() + "\n" + indent(dedent(lines).strip(), "    ") + "\n"
    rules = rules_from(Source("small.rules", text))
    return "".join(render(d) for d in rules.diagnostics) + "".join(render(d) for r in run_tests(rules) for d in r.diagnostics)


def holds(lines: str, copies: int = 1) -> None:
    assert messages(lines, copies) == ""


def test_zones_of_every_shape() -> None:
    holds(
        """
        given deck: [moon 1] [sun 3] [moon 2]
        given row: all [sun 1]
        given spot: [sun 2]
        given secret of Bob: [moon 3]
        given leader: Bob
        start only
        expect row is ([sun 1])
        expect spot is [sun 2]
        expect secret of Bob is [moon 3]
        expect hand of Bob is ([moon 1], [moon 2], [sun 3])
        """
    )


@pytest.mark.slow
def test_a_pile_lies_in_the_order_written_and_more_on_top_of_it() -> None:
    holds("given heap of Cy: [moon 1] [moon 2]\ngiven heap of Cy: [moon 3]\ngiven deck: [sun 1]\nexpect count of heap of Cy is 3")
    holds(
        """
        given deck: [moon 1] [moon 2] [moon 3]
        given leader: Ann
        given hand of Cy: [sun 1]
        start only
        expect hand of Ann is ([moon 1], [moon 2], [moon 3])
        """
    )


def test_after_the_setup_things_are_taken_from_where_they_lie() -> None:
    for copies in (1, 2):
        holds(
            """
            setup
            given hand of Bob: [moon 1] [moon 2] [moon 3]
            given row: [sun 1]
            expect hand of Bob has a card with rank 3
            expect count of row is 1
            expect count of every card is COUNT
            """.replace("COUNT", str(6 * copies)),
            copies,
        )


@pytest.mark.slow
def test_a_slot_is_given_another_thing_and_a_zone_nothing() -> None:
    holds("setup\ngiven spot: [moon 1]\nexpect spot is [moon 1]\ngiven spot: [moon 2]\nexpect spot is [moon 2]")
    holds("setup\ngiven spot: none\nexpect spot is empty\ngiven hand of Ann: empty\nexpect hand of Ann is empty")
    holds("setup\ngiven deck: empty\nexpect deck is empty\ngiven leader: Bob\nstart only\nexpect leader is Bob")
    holds("given hand of Ann: [moon 1] [moon 2]\ngiven box: [moon 1]\nexpect hand of Ann is ([moon 2])")


def test_a_grid_is_emptied_and_filled_anew() -> None:
    holds(
        """
        given map of Ann: [1] on a1
        given map of Bob: [2] on c3
        given map of Ann: empty
        expect map of Ann is empty
        expect count of map of Bob is 1
        given map of Bob: empty
        given map of Bob: [1] on c3, [2] on a1
        expect count of map of Bob is 2
        given map of Bob: none
        given patron of [1]: empty
        expect patron of [1] is none
        expect map of Bob is empty
        """
    )


def test_a_tile_goes_from_a_grid_with_all_its_parts() -> None:
    text = (GAMES / "kingdomino.rules").read_text(encoding="utf-8").partition("# ---- Examples")[0]
    test = """
        test "the kingdom is cleared"
            players Ann, Bob
            setup
            given kingdom of Ann: [19] on e6 e7, [1] on f5 g5
            given kingdom of Ann: empty
            expect kingdom of Ann is empty
            expect count of kingdom of Bob is 1
            given kingdom of Ann: castle of Ann on a1, [1] on e6 e7
            expect count of kingdom of Ann is 3
    """
    rules = rules_from(Source(str(GAMES / "kingdomino.rules"), text + dedent(test)))
    assert [d for r in run_tests(rules) for d in r.diagnostics] == []


def test_counters_and_markers_of_all_sorts() -> None:
    holds(
        """
        given level of sun: 6
        given wish of Cy: moon
        given patron of [1]: Bob
        given leader: Cy
        given wish of Cy: none
        expect level of sun is 6 and level of moon is 0
        expect wish of Cy is none
        expect patron of [1] is Bob and patron of [2] is none
        expect leader is Cy
        """
    )


@pytest.mark.parametrize("copies", [1, 3])
def test_setting_up_teaches_nobody_what_they_cannot_see(copies: int) -> None:
    holds(
        """
        given hand of Bob: [moon 1] [sun 2]
        given heap of Cy: [moon 3]
        given secret of Cy: [sun 3]
        expect Bob knows hand of Bob
        expect Cy knows secret of Cy
        expect Ann does not know hand of Bob
        expect Ann does not know secret of Cy
        expect Bob does not know heap of Cy
        """,
        copies,
    )


@pytest.mark.parametrize("copies", [1, 3])
def test_what_is_given_to_be_known(copies: int) -> None:
    holds(
        """
        given hand of Bob: [moon 1] [sun 2]
        given heap of Cy: [moon 3]
        given Ann knows hand of Bob
        expect Ann knows hand of Bob
        expect Cy does not know hand of Bob
        expect Ann does not know heap of Cy
        given Cy knows [moon 3]
        expect Cy knows heap of Cy
        """,
        copies,
    )


def test_one_of_several_is_not_all_of_them() -> None:
    holds(
        """
        given hand of Bob: [moon 1] [sun 2]
        given Ann knows [sun 2]
        expect Ann knows [sun 2]
        expect Ann does not know [moon 1]
        expect Ann does not know hand of Bob
        expect Ann knows [moon 3]
        """
    )  # [moon 3] lies in the box, which all can see


def test_of_equal_cards_one_in_some_place_is_enough() -> None:
    holds(
        """
        given hand of Bob: [sun 2] [moon 1] [moon 1]
        given hand of Cy: [sun 2] [moon 1]
        given Ann knows hand of Cy
        expect Ann knows [sun 2]
        expect Ann does not know hand of Bob
        expect Ann does not know ([moon 1], [moon 1])
        """,
        copies=3,
    )


def test_knowledge_goes_with_what_is_seen_and_fades_with_what_is_not() -> None:
    holds(
        """
        given hand of Ann: [moon 1] [moon 2]
        given Cy knows [moon 1]
        start pass_on
        expect Ann knows [moon 1]
        expect Cy knows [moon 1]
        expect Cy does not know [moon 2]
        start look_at
        expect Cy knows hand of Bob
        """
    )


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ("given hand of Bob: [moon 1]\nexpect Ann knows hand of Bob", "R502", "this does not hold: Ann knows hand of Bob"),
        ("given row: [moon 1]\nexpect Ann does not know row", "R502", "this does not hold: Ann does not know row"),
        ("given hand of Bob: [moon 1] none", "R204", "`none` stands alone"),
        ("given Ann knows leader", "R204", "a player knows where components are"),
        ("expect Dee knows row", "R201", "there is no `Dee` here"),
        ("setup\ngiven leader: Bob\nstart only", "R506", "this test expects nothing, so it cannot fail"),
        ("given spot: [moon 1] [moon 2]\nexpect spot is [moon 2]", "R609", "moon 1 lies already in spot"),
        ("given map: empty", "R206", "`map` belongs to a player: whose is meant?"),
        ("given map of Ann: [1]", "R204", "`map of Ann` is a grid: say on which of its cells"),
        ("given box: empty\nexpect row is empty", "R204", "the box cannot be emptied: what is in no zone lies in it"),
        ("given Ann knows empty\nexpect row is empty", "R204", "which components a player knows, and here are none"),
        ("given Ann knows none\nexpect row is empty", "R204", "which components a player knows, and here are none"),
        ("given leader: empty\nexpect row is empty", "R301", "`leader` would become none"),
        (
            "given map of Ann: [1] on a1\nexpect row is empty\ngiven map of Ann: [2] on a1",
            "R612",
            "or empty the grid first: `given map of Ann: empty`",
        ),
    ],
)
def test_messages(lines: str, code: str, said: str) -> None:
    found = messages(lines)
    assert code in found
    assert said in found


@pytest.mark.parametrize(
    ("lines", "copies", "said"),
    [
        ("given hand of Bob: [moon 1] [moon 2] [moon 1]", 1, "there is only one [moon 1] in this game"),
        ("given hand of Bob: [moon 1]\ngiven row: [moon 1]", 1, "there is only one [moon 1] in this game"),
        ("given hand of Bob: [moon 1] [moon 1]\ngiven row: [moon 1] [moon 1]", 2, "there are only 2 [moon 1] in this game"),
        ("given hand of Bob: all [moon 1]\ngiven row: all [moon 1]", 2, "there are only 2 moon 1 in this game"),
        ("given hand of Bob: all [moon 1]\ngiven row: [moon 1]", 2, "there are only 2 [moon 1] in this game"),
        ("given hand of Bob: [moon 1]\ngiven row: all [moon]", 2, "there are only 2 moon 1 in this game"),
        ("given hand of Bob: all [moon] all [1]", 1, "there is only one moon 1 in this game"),
        (
            "given board: stone of Bob on a1, stone of Bob on a2\ngiven board: stone of Ann on b1, stone of Bob on b2",
            1,
            "there are only 2 stone of Bob in this game",
        ),
    ],
)
def test_no_more_components_are_given_than_there_are(lines: str, copies: int, said: str) -> None:
    found = messages(f"{lines}\nexpect row is empty", copies)
    assert f"error[R507]: {said}" in found
    assert found.count("error[") == 1
    assert "was put here" in found


def test_after_play_and_from_the_box_a_component_is_given_again() -> None:
    holds("given row: [moon 1]\nstart give of Ann\ngiven hand of Ann: [moon 1]\nexpect row is empty")
    holds("given row: [moon 1]\ngiven box: [moon 1]\ngiven hand of Ann: [moon 1]\nexpect row is empty")
    holds("given spot: [moon 1]\ngiven spot: [moon 2]\ngiven hand of Ann: [moon 1]\nexpect spot is [moon 2]")


def test_a_test_of_knowledge_counts_no_acts() -> None:
    text = GAME.format(copies=1).strip()
    rules = rules_from(Source("small.rules", text + "\n    given Ann knows hand of Bob\n    expect Ann knows hand of Bob\n"))
    result = run_test(rules.required(), rules.required().tests[0])
    assert (result.passed, result.acts) == (True, 0)


AT_THREE = """
game small
    players 2..3

cards card, 3 of each
    suit: moon, sun

phase only
    step act
        player 1 chooses
            rest
                nothing

score of player
    points: 0
winner highest score, then shared

variant rich
    needs players is 3
    always when players is 3
    zone purse of player: set of card, open
    counter coins of player: 0..9
    define richest: best of players by highest coins, then lowest seat
    step act_twice
        nothing
    add to score
        coins: coins of player

test "of two"
    players Ann, Bob
    {line}
"""


@pytest.mark.parametrize(
    "line",
    [
        "expect coins of Ann is 0",
        "expect richest is Bob",
        "expect purse of Ann is empty",
        "expect score of Ann for coins is 0",
        "given coins of Ann: 2",
        "given purse of Ann: [moon]",
        "start act_twice",
        "expect Ann knows purse of Bob",
    ],
)
def test_a_name_of_a_variant_that_is_not_in_play_at_the_table(line: str) -> None:
    rules = rules_from(Source("small.rules", AT_THREE.format(line=line)))
    (result,) = run_tests(rules)
    assert [found.code for found in result.diagnostics] == ["R201"], rules.diagnostics
    assert "this is of the variant `rich`, which is not in play at this table" in result.diagnostics[0].message
    assert result.diagnostics[0].span is not None
    assert result.diagnostics[0].span.text in line


def test_what_a_test_lays_on_a_grid_is_there_without_the_setup() -> None:
    text = """
game small
    players 2

pieces castle, 1 for each player
zone map of player: grid of castle, 3 x 3, open

setup
    for each player: put castle of player on middle of map of player

phase only
    nothing

score of player
    points: 1 if map of player is not empty
winner highest score, then shared

test "laid"
    players Ann, Bob
    given map of Ann: castle of Ann on a1
    expect cell of castle of Ann is a1
    expect map of Bob is empty
    expect cell of castle of Bob is none
"""
    (result,) = run_tests(rules_from(Source("small.rules", text)))
    assert result.passed, result.diagnostics


def test_a_component_with_a_number_below_0_is_named_by_it() -> None:
    text = """
game below_0
    players 2
cards card, 1 of each
    suit: moon, sun
    worth: -3..2
zone hand of player: set of card, open
phase only
    for each player
        player chooses
            take a card from every card
                move card to hand of player
score of player
    worth: total worth of hand of player
winner highest score, then shared
test "below 0"
    players Ann, Bob
    given hand of Bob: [moon -1] [sun 2]
    start only
    expect Ann can take [moon -2], take [moon 2]
    Ann: take [sun -3]
    expect hand of Ann is [sun -3]
    expect score of Bob is 1
"""
    (result,) = run_tests(rules_from(Source("below_0.rules", text)))
    assert result.passed
