"""Conditions about which counting leaves no doubt: branches that are never taken, and options that nothing forbids."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from rulesrun.interpreter.common.diagnostics import Diagnostic, render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.findings.consequences import follows
from rulesrun.interpreter.rules import Rules, rules_from

from ..pipeline import findings

GAME = """
game small
    players 2..3
option lives: 1..50, default 3
option fast: yes or no, default no
list speed: slow, short, ultra
cards card, 2 of each
    rank: 1..30
zone deck: pile of card, hidden
zone hand of player: set of card, private
counter turn: 0..20
counter coins of player: 0..9
marker mode: speed or none
{declared}
setup
    shuffle every card into deck
phase play
    for each player
        player chooses
            slowly: set mode to slow
            in_short: set mode to short
            in_ultra: set mode to ultra
{lines}
phase finish
    do last
    for each player: draw 1 from deck to hand of player
    if coins of player 1 is lives - 1 or fast: add 1 to coins of player 1
    if mode is slow: add 1 to turn
step last
    nothing
score of player
    coins: coins of player
    cards: count of hand of player
    turns: turn
winner highest score, then shared
{variants}
"""


def game(lines: str, declared: str = "", variants: str = "") -> Rules:
    text = GAME.format(lines=indent(dedent(lines).strip("\n"), "    "), declared=declared, variants=variants)
    return rules_from(Source("small.rules", text.strip() + "\n"))


def decided(rules: Rules) -> list[str]:
    return [finding.message for finding in findings(rules) if finding.code == "R327"]


def test_the_game_itself_is_sound() -> None:
    assert findings(game("add 1 to coins of player 1")) == ()


TURNS = "repeat 5 times\n    add 1 to turn\n    "
EACH = "for each player\n    "
OPTION = "player 1 chooses\n        buy\n            only if {0}\n            {1}\n        rest: nothing"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (TURNS + "if turn > 6: add 1 to coins of player 1", ["`turn > 6` never holds"]),
        (TURNS + "if turn > 4: add 1 to coins of player 1", []),
        (TURNS + "if turn at least 1: add 1 to coins of player 1", ["`turn at least 1` always holds"]),
        (TURNS + OPTION.format("turn > 6", "add 1 to coins of player 1"), ["`turn > 6` never holds"]),
        (TURNS + OPTION.format("turn > 0", "add 1 to coins of player 1"), ["`turn > 0` always holds"]),
        (TURNS + OPTION.format("coins of player 1 < 9", "add 1 to coins of player 1"), []),  # a guard
        (TURNS + "if turn < 20: add 1 to turn", []),  # a guard
        ("if deck is not empty: draw 1 from deck to hand of player 1", []),  # a guard
        ("if mode is ultra and mode is short: add 1 to turn", ["`mode is ultra and mode is short` never holds"]),
        ("if mode is ultra or mode is not ultra: add 1 to turn", ["`mode is ultra or mode is not ultra` always holds"]),
        (
            EACH + "if mode is slow: add 3 to coins of player\n"
            "    if coins of player < 2\n        if coins of player > 1: add 1 to turn",
            ["`coins of player > 1` never holds"],
        ),
        ("if mode is slow: add 1 to turn\notherwise if mode is slow: add 2 to turn", ["`mode is slow` never holds"]),
        # the last of several may well say what else there is
        ("if mode is slow: add 1 to turn\notherwise if mode is not slow: add 2 to turn", []),
        (
            "if turn is 0: add 1 to coins of player 1\notherwise if turn > 0: add 1 to turn\notherwise: add 2 to turn",
            ["`turn is 0` always holds"],
        ),
        (EACH + "if hand of player is not empty: add 1 to turn", ["`hand of player is not empty` never holds"]),
        (EACH + "add 1 to turn\nif turn > 3: add 1 to coins of player 1", ["`turn > 3` never holds"]),
        (EACH + "add 1 to turn\nif turn > 2: add 1 to coins of player 1", []),  # with 3 players
        (EACH + "add 1 to turn\nif turn > 1: add 1 to coins of player 1", ["`turn > 1` always holds"]),
        # what is done until something holds, and nobody knows when
        (
            "repeat until coins of player 1 is 8\n    player 1 chooses\n        earn: add 1 to coins of player 1\n        wait\n"
            "            only if turn < 9\n            add 1 to turn\n"
            "    if turn < 5\n        if turn > 7: add 1 to coins of player 2",
            ["`turn > 7` never holds"],
        ),
        ("repeat until turn is 7\n    add 1 to turn\n    if turn is 0: add 1 to coins of player 1", ["`turn is 0` never holds"]),
        # what asks for what is changed where it holds is a guard; not where a marker is always the same when it is asked
        (TURNS + OPTION.format("mode is slow", "set mode to short"), []),
        (TURNS + "set mode to slow\n    " + OPTION.format("mode is slow", "set mode to short"), ["`mode is slow` always holds"]),
        # options of the game
        ("repeat lives times\n    if turn < 20: add 1 to turn\nif turn > 3: add 1 to coins of player 1", []),
        ("if fast: add 1 to turn\nif turn is 1: add 1 to coins of player 1", []),
        ("if not fast\n    if fast: add 1 to turn", ["`fast` never holds"]),
        ("if fast and not fast: add 1 to turn", ["`fast and not fast` never holds"]),
        ("if lives > 9: add 1 to turn\notherwise if lives > 20: add 2 to turn", ["`lives > 20` never holds"]),
        ("if lives > 9: add 1 to turn\notherwise if lives > 5: add 2 to turn", []),
        ("if mode is slow: add 1 to turn\nif lives > 1\n    if turn > 0: add 1 to coins of player 1", []),
        ("if lives > 1\n    if turn > 0: add 1 to coins of player 1", ["`turn > 0` never holds"]),
        (TURNS + "if turn is lives: add 1 to coins of player 1", []),
        (TURNS + "if turn > lives + 4: add 1 to coins of player 1", ["`turn > lives + 4` never holds"]),
        # what a condition joins
        (TURNS + "if mode is slow or turn > 6: add 1 to coins of player 1", ["`turn > 6` never holds"]),
        (TURNS + "if mode is slow or turn > 4: add 1 to coins of player 1", []),
        (TURNS + "if mode is slow and turn > 0: add 1 to coins of player 1", ["`turn > 0` always holds"]),
        (TURNS + "if mode is slow and turn > 1: add 1 to coins of player 1", []),
        (TURNS + "if mode is slow and turn < 20: add 1 to turn", []),  # a guard
        (TURNS + "if turn > 6 or turn > 7: add 1 to coins of player 1", ["`turn > 6 or turn > 7` never holds"]),
        (
            TURNS + "if fast or mode is slow and (coins of player 1 is 2 or turn > 8): add 1 to coins of player 1",
            ["`turn > 8` never holds"],
        ),
        (
            TURNS + OPTION.format("turn > 6 or mode is slow", "if mode is slow: add 1 to coins of player 1"),
            ["`turn > 6` never holds"],  # so what is asked inside always holds
        ),
    ],
)
def test_what_counting_decides(lines: str, expected: list[str]) -> None:
    assert decided(game(lines)) == expected


LOOP = "for each player\n    {0}for each card in hand of player: add 1 to turn"
KEEP = "for each player\n    {0}player chooses\n        keep a card from hand of player: add 1 to turn\n        rest: nothing"


@pytest.mark.parametrize(("lines", "code"), [(LOOP, "R351"), (KEEP, "R327")])
def test_a_set_in_which_nothing_ever_is(lines: str, code: str) -> None:
    (finding,) = findings(game(lines.format("")))
    assert finding.span is not None
    assert (finding.code, finding.span.text) == (code, "hand of player")
    assert findings(game(lines.format("if fast: draw 1 from deck to hand of player\n    "))) == ()


def test_an_option_that_changes_what_there_is_gets_all_its_values() -> None:
    never = TURNS + "if turn > 6: add 1 to coins of player 1"
    assert decided(game(never, "counter extra: 0..lives")) == ["`turn > 6` never holds"]
    with_17 = "add lives to extra\nif extra is 17: add 1 to coins of player 1"
    assert decided(game(with_17, "counter extra: 0..lives")) == []


def test_an_option_with_too_many_values_keeps_us_silent() -> None:
    lines = TURNS + "if turn > 6: add 1 to coins of player 1"
    assert decided(game(lines, "option large: 1..900000, default 3\ncounter extra: 0..large mod 7 + 1")) == []
    assert decided(game(lines, "option large: 1..900000, default 3\ncounter extra: large..large + 5")) == []


@pytest.mark.slow
def test_a_counter_up_to_an_option_is_known_for_all_values_of_it() -> None:
    with_large = "option large: 1..900000, default 3\ncounter extra: 0..2 * large + players"
    assert decided(game(TURNS + "if turn > 6: add 1 to coins of player 1", with_large)) == ["`turn > 6` never holds"]
    with_each_turn = TURNS + "set extra to 0\n    add 4 to extra\n    if extra is large: add 1 to coins of player 1"
    assert decided(game(with_each_turn, with_large)) == []
    with_each_turn = TURNS + "set extra to 0\n    if extra is large: add 1 to coins of player 1"
    assert decided(game(with_each_turn, with_large)) == ["`extra is large` never holds"]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (
            "add before last\n        add 3 to turn\n        if turn < 5: add 1 to coins of player 2",
            ["`turn > 9` never holds", "`turn < 5` never holds"],
        ),
        ("add before last\n        add 5 to turn", ["`turn > 9` never holds"]),
        ("replace step last\n        add 9 to turn", ["`turn > 9` never holds"]),
        ("set lives to 50", ["`turn > 9` never holds"]),
        ("set fast to yes", ["`turn > 9` never holds"]),
    ],
)
def test_variants_on_which_it_does_not_depend(variant: str, expected: list[str]) -> None:
    found = decided(game(TURNS + "if turn > 9: add 1 to coins of player 1", variants=f"variant other\n    {variant}"))
    assert found == expected


@pytest.mark.slow
@pytest.mark.parametrize("where", ["add before begin", "add after begin", "replace step begin"])
def test_a_variant_that_makes_the_difference(where: str) -> None:
    lines = "do begin\n" + TURNS + "if turn > 6: add 1 to coins of player 1"
    begin = "step begin\n    nothing"
    assert decided(game(lines, begin)) == ["`turn > 6` never holds"]
    assert decided(game(lines, begin, f"variant longer\n    {where}\n        add 2 to turn")) == []


def test_an_option_that_a_variant_sets() -> None:
    lines = "player 1 chooses\n    buy\n        only if turn < lives\n        add 1 to coins of player 1\n    rest: nothing"
    (finding,) = findings(game(lines, variants="variant brief\n    set lives to 1"))
    assert (finding.message, finding.labels[0].text) == ("`turn < lives` always holds", "`turn` is 0 and `lives` is 1 to 50 here")


PASSED_ON = """repeat 2 times
    let who be a random player
    step look
        draw 1 from deck to desk of who
        {0}
if desk of player 1 is not empty: add 1 to turn"""


@pytest.mark.parametrize("who", ["somebody", "everybody"])
def test_a_set_that_only_the_condition_names_is_not_said_again(who: str) -> None:
    (finding,) = (each for each in findings(game(f"if {who} with coins > 5: add 1 to turn")) if each.code == "R327")
    assert (finding.message, finding.labels[0].text) == (f"`{who} with coins > 5` never holds", "")


@pytest.mark.parametrize(
    ("then", "is_empty"),
    [
        ("move desk of who to box", True),
        ("if mode is slow: move desk of who to box\notherwise: move desk of who to hand of who", True),
        ("who chooses\n    keep: move desk of who to hand of who\n    lose: move desk of who to box", True),
        (
            "who chooses\n    keep\n        only if mode is slow\n        move desk of who to hand of who\n"
            "    if impossible: move desk of who to box",
            True,
        ),
        ("do last\nmove desk of who to box", False),  # whatever is done in between
        (
            "move desk of who to box\nrepeat until turn is 3\n    draw 1 from deck to desk of who\n    move desk of who to box\n"
            "    add 1 to turn",
            True,
        ),
        ("move desk of who to box\nif mode is slow: draw 1 from deck to desk of who", False),
        ("if mode is slow: move desk of who to box", False),
        ("move desk of left of who to box", False),
        ("who chooses\n    keep: nothing\n    lose: move desk of who to box", False),
        ("if mode is slow: end look\nmove desk of who to box", False),
        ("let other be left of who\nmove desk of who to desk of other\nmove desk of who to box", False),
    ],
)
def test_what_only_passes_through_a_place_does_not_stay_there(then: str, is_empty: bool) -> None:
    rules = game(PASSED_ON.format(indent(then, "        ").strip()), "zone desk of player: slot of card, open")
    assert decided(rules) == ["`desk of player 1 is not empty` never holds"] * is_empty


def test_how_it_is_told() -> None:
    (finding,) = findings(game(TURNS + OPTION.format("turn > 6 and mode is slow", "add 1 to coins of player 1")))
    assert finding.severity == "warning"
    assert [label.text for label in finding.labels] == ["`turn` is 1 to 5 here", "so `buy` can never be chosen"]
    assert "remove the option" in render(finding)


def test_exhausting_does_not_tell_it_a_second_time() -> None:
    rules = game(TURNS + OPTION.format("turn > 6", "add 1 to coins of player 1"))
    (told,) = findings(rules)
    again, other = Diagnostic("R392", "", told.labels[1:]), Diagnostic("R392", "")
    assert follows(again, told, rules.model)
    assert not follows(other, told, rules.model)


PHASES = """
game small
    players 2..3
option quick: yes or no, default yes
counter pot: 0..40
phase play
    take turns
        add 1 to pot
        player chooses
            go_on: nothing
            stop
                {0}
        if pot > 30: end game
phase pay
    add 2 to pot
phase tally
    add 1 to pot
score of player
    pot: pot + seat of player
winner highest score, then shared
variant long
    replace phase play
        {1}
"""


@pytest.mark.parametrize(
    ("stop", "replaced", "told"),
    [
        ("end game", "end game", ["pay"]),  # of the one behind it, a label speaks
        ("end play", "end game", []),
        ("if not quick: end play", "end game", []),
        ("end game", "if quick: end game", []),
    ],
)
def test_a_phase_to_which_no_game_comes(stop: str, replaced: str, told: list[str]) -> None:
    found = findings(rules_from(Source("small.rules", PHASES.format(stop, replaced).strip() + "\n")))
    assert [d.span.text for d in found if d.code == "R326" and d.span is not None] == told
