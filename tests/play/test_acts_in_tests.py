"""Acts in tests: which option they name, who has to choose, and the finding if they name none."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

GAME = """
game small
    players 2

option start_coins: 1..20, default 10

cards card, 1 of each
    suit: moon, sun
    rank: 1..3
tiles tile, 1 of each
    number: 1..2
    shape "ab"
        land: wood, lake

zone hand of player: set of card, private
zone deck: pile of card, hidden
zone row: set of card, open
zone next_tile: slot of tile, open
zone realm: grid of tile, 4 x 3, open
counter coins of player: 0..30

setup
    shuffle every card into deck
    move any tile from every tile to next_tile
    for each player
        draw 1 from deck to hand of player
        set coins of player to start_coins

phase sale
    player 1 chooses
        bid a number from 1..30
            only if number at most coins of player 1 otherwise "too much"
            take number from coins of player 1
        play a card from hand of player 1
            move card to row
        place next_tile on realm
            only if coins of player 1 > 0
        walk a cell from cells of realm to a cell target from cells next to cell
            nothing
        pass
            nothing
    player 2 chooses
        pass
            nothing

score of player
    points: coins of player
winner highest score, then shared

test "this"
    players Ann, Bob
"""

BEGIN = "given coins of Ann: 10\ngiven hand of Ann: [moon 1]\ngiven next_tile: [1 wood wood]\nstart sale\n"


def messages(lines: str) -> str:
    """What is wrong with a test of these lines."""
    text = GAME.strip() + "\n" + indent(dedent(lines).strip(), "    ") + "\n"
    rules = rules_from(Source("small.rules", text))
    return "".join(render(d) for d in rules.diagnostics) + "".join(render(d) for r in run_tests(rules) for d in r.diagnostics)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        ("bid 31", "`bid` goes from 1 to 30"),
        ("bid 0", "`bid` goes from 1 to 30"),
        ("bid", "`bid` takes 1 thing, and here are none"),
        ("bid [moon 1]", "`bid` goes from 1 to 30"),
        ("bid 11", "too much"),
        ("play 3", "`play` takes a card"),
        ("play [sun 1]", "it is not in hand of Ann"),
        ("place on z1 z2", "there is no cell z1 on realm, which goes from a1 to d3"),
        ("place on a3 a4", "there is no cell a4 on realm, which goes from a1 to d3"),
        ("place on a1 b2", "what is laid does not fit the cells a1 b2"),
        ("place on a1", "what is laid covers 2 cells, and here are 1"),
        ("place", "`place` takes the cells, such as `place on a1 b1`"),
        ("walk b2 b4", "there is no cell b4 on realm, which goes from a1 to d3"),
        ("walk b2 d2", "no step of `walk` leads from b2 to d2"),
        ("walk b2", "`walk` takes two cells, such as `walk a1 b1`"),
        ("place on b1 a1", "this is the same as `place on a1 b1`"),
    ],
)
def test_what_is_wrong_with_an_act(act: str, why: str) -> None:
    shown = act.replace("[sun 1]", "sun 1")
    assert f"Ann cannot {shown}: {why}" in messages(f"{BEGIN}Ann: {act}\nexpect coins of Ann is 10")
    assert messages(f'{BEGIN}expect Ann cannot {act} because "{why}"') == ""
    assert messages(f"{BEGIN}expect Ann cannot {act}") == ""


def test_cannot_is_said_of_the_player_who_has_to_choose() -> None:
    assert "R502]: it is Ann who has to choose now" in messages(f"{BEGIN}expect Bob cannot pass")
    assert messages(f'{BEGIN}expect Bob cannot pass because "it is Ann who has to choose now"') == ""
    assert "R502]: nobody has to choose now" in messages("given coins of Ann: 0\nexpect Ann cannot bid 5")
    assert messages('setup\nexpect Ann cannot bid 5 because "nobody has to choose now"') == ""
    over = f"{BEGIN}Ann: pass\nBob: pass\nexpect Ann cannot pass"
    assert "R502]: the game is over" in messages(over)
    assert messages(f'{over} because "the game is over"') == ""


def test_what_can_be_chosen_is_told_where_the_verb_is_not_among_it() -> None:
    lines = f'{BEGIN}Ann: pass\nexpect Bob cannot bid 2 because "what can be chosen here is pass"'
    assert messages(lines) == ""


def test_a_whole_game_is_played_up_to_its_first_choice() -> None:
    assert messages("expect coins of Ann is 10\nexpect count of hand of Bob is 1\nAnn: bid 3\nexpect coins of Ann is 7") == ""
    assert "coins of Ann is 10, and 0 is expected" in messages("expect coins of Ann is 0")


def test_two_pieces_on_one_cell_are_found_before_anything_is_played() -> None:
    found = messages("given realm: [1 wood wood] on a1 b1, [2 wood wood] on b1 b2\nexpect coins of Ann is 0")
    assert "R505]: [1 wood wood] and [2 wood wood] both lie on b1" in found
    assert found.count("error[") == 1
    found = messages("given realm: [1 wood wood] on a1 b1, [2 wood wood] on e1 d1\nexpect coins of Ann is 0")
    assert "R248]: there is no cell e1 on realm" in found
    assert found.count("error[") == 1
    found = messages("given realm: [1 wood wood] on a1 b1\ngiven realm: [1 wood wood] on c2 c3\nexpect coins of Ann is 0")
    assert "R507]: there is only one [1 wood wood] in this game" in found


def test_an_option_that_a_test_sets_wrongly_is_shown_at_its_line() -> None:
    found = messages("set start_coins to 40\nsetup\nexpect coins of Ann is 10")
    assert "R405]: `start_coins` can be 1 to 20, not 40" in found
    assert "set start_coins to 40\n   |                        ^^" in found


def test_chance_that_comes_too_late_says_where_it_belongs() -> None:
    found = messages("setup\nchance: [moon 1]\nexpect coins of Ann is 10")
    assert "R503]: chance never came to [moon 1]" in found
    assert "write the line before the one that brings it about" in found


def test_chance_that_can_come_out_in_one_way_only_is_none() -> None:
    found = messages("given hand of Ann: [moon 2]\nchance: [moon 2]\nexpect coins of Ann is 0")
    assert "what can come out in one way only is no chance event" in found


def test_chance_that_brings_cards_is_given_cards() -> None:
    found = messages("chance: 2\nexpect coins of Ann is 0")
    assert "R503]: chance cannot bring 2 here" in found
    assert "components stand in square brackets: `[" in found


def test_what_is_given_to_a_grid_is_given_cells() -> None:
    found = messages("given realm: [1 wood wood]\nexpect coins of Ann is 0")
    assert "R204]: `realm` is a grid: say on which of its cells" in found
    assert "`given realm: [1] on e6 e7`" in found


TWO_KINDS = """
game purses
    players 1
cards note, 1 of each
    value: 1..9
cards coin, 1 of each
    worth: 1..9
zone till: set of note, open
zone bowl: set of coin, open
phase sale
    player 1 chooses
        pay a note from every note
            only if value of note < 7 otherwise "not that one"
            move note to till
    player 1 chooses
        toss a coin from every coin
            move coin to bowl
score of player
    notes: total value of till
    coins: total worth of bowl
winner highest score, then shared
test "what an act takes says which is meant"
    players Ann
    expect Ann cannot pay [7] because "not that one"
    Ann: pay [5]
    Ann: toss [4]
    expect score of Ann is 9
"""


def test_values_that_two_kinds_have_are_of_the_kind_that_the_act_takes() -> None:
    results = run_tests(rules_from(Source("two.rules", TWO_KINDS.strip() + "\n")))
    assert [render(d) for result in results for d in result.diagnostics] == []


def test_a_free_noun_does_not_say_of_which_kind_they_are() -> None:
    text = TWO_KINDS.replace("toss a coin", "pay a treasure").replace("move coin", "move treasure").replace(": toss", ": pay")
    (result,) = run_tests(rules_from(Source("two.rules", text.strip() + "\n")))
    assert {d.message for d in result.diagnostics} == {f"[{value}] can be a note or a coin" for value in (7, 5, 4)}


def test_a_number_that_is_none_is_told_as_none() -> None:
    text = """
game heights
    players 2
cards card, 1 of each
    rank: 1..3
zone hand of player: set of card, open
define top of player: highest rank among hand of player
phase only
    nothing
score of player
    top: top of player
winner highest score, then shared
test "the hand is empty"
    players ann, bob
    expect top of ann is 3
"""
    (result,) = run_tests(rules_from(Source("heights.rules", text)))
    assert [found.message for found in result.diagnostics] == ["top of ann is none, and 3 is expected"]
