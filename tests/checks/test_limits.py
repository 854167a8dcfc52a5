"""Limits that leave too little to choose: counted over all tables, said once, with the numbers of players that work."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.rules import Rules, rules_from

from ..goldens import check_golden
from ..pipeline import faults

INFLUENCE = """
game influence
    players 2..5
option centre_cards: 1..4, default players - 1
cards card, 20 of each
    rank: 1..3
zone deck: pile of card, hidden
zone drawn of player: slot of card, private
zone hand of player: set of card, private
zone favour: pile of card, hidden
zone centre: set of card, open
marker advisor: player
setup
    shuffle every card into deck
    set advisor to player 1
phase influence
    repeat 4 times
        step turn
            repeat players + 1 times
                draw 1 from deck to drawn of advisor
                advisor chooses
                    keep "put it on your own pile"
                        limit 1 per turn otherwise "one card a turn goes to your own pile"
                        move drawn of advisor to hand of advisor
                    favour "put it on the favour pile"
                        limit 1 per turn otherwise "one card a turn goes to the favour pile"
                        move drawn of advisor to favour
                    offer "put it in the centre"
                        limit centre_cards per turn otherwise "the centre is full"
                        move drawn of advisor to centre
        for each player clockwise from left of advisor to right of advisor
            player chooses
                take a card from centre
                    move card to hand of player
        set advisor to left of advisor
score of player
    cards: count of hand of player
winner highest score, then shared
variant japanese_edition "Japanese edition"
    set centre_cards to 1
"""


MESSAGES = Path(__file__).parent / "messages"


def rules_of(text: str) -> Rules:
    return rules_from(Source("influence.rules", text.strip() + "\n"))


def test_the_reading_that_cannot_be_played_is_refused_by_counting() -> None:
    """With 3 players the advisor has 4 cards to place, and the limits admit 3; with 2 players it works."""
    (finding,) = faults(rules_of(INFLUENCE))
    assert finding.code == "R310"
    assert finding.tables == tuple(f"{n} players with japanese_edition" for n in (3, 4, 5))
    check_golden(MESSAGES / "japanese_edition.messages", render(finding) + "\n")


def stop_of(players: int) -> str | None:
    """The code of what stops a game of the variant, if anything does."""
    state = table_of(rules_of(INFLUENCE), players, ["japanese_edition"]).start(1)
    while state.player:
        state.play_at_random()
    return None if state.fault is None else state.fault.code


def test_it_is_played_where_it_works_and_stops_at_the_choice_where_it_does_not() -> None:
    assert [stop_of(players) for players in (2, 3, 5)] == [None, "R601", "R601"]


GAME = """
game small
    players 2..4
option most_times: 0..4, default 1
counter n: 0..9
{declarations}
phase only
{lines}
score of player
    points: n
winner highest score, then shared
{variants}
"""

CHOICE = """
player 1 chooses
    go
        limit {0} per turn
        add 1 to n
    stay
        limit {1} per turn
"""


def codes(lines: str, declarations: str = "", variants: str = "") -> list[str]:
    body = indent(lines.strip("\n"), "    ")
    text = GAME.format(declarations=declarations, lines=body, variants=variants)
    return [d.code for d in faults(rules_of(text))]


def turn(loop: str, *limits: object, more: str = "") -> str:
    """A turn with the choice inside a loop."""
    return f"step turn\n    {loop}\n" + indent(CHOICE.strip().format(*limits) + more, "        ")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (turn("repeat 3 times", 1, 2), []),
        (turn("repeat 4 times", 1, 2), ["R310"]),
        (turn("repeat players times", 1, 2), ["R310"]),
        (turn("repeat players - 1 times", 1, 2), []),
        (turn("for each player other", 2, 1), ["R310"]),
        (turn("repeat 4 times", 1, 2, more="\n    if impossible: nothing"), []),
        (turn("repeat 4 times", 1, 2, more="\n    rest: nothing"), []),
        (turn("repeat 4 times", 1, 2, more="\n    rest: end turn"), []),
        (turn("repeat until n is 9", 1, 2), []),
        (turn("if n is 0", 1, 2), []),
        (turn("repeat 4 times", "most_times", "most_times + 1"), ["R310"]),
        (turn("repeat 4 times", 0, 2), ["R311"]),
        (turn("repeat 1 times", "most_times - 1", 2), ["R311"]),
        (turn("repeat 3 times", "players - 2", 4), ["R311"]),
    ],
)
def test_counting(lines: str, expected: list[str]) -> None:
    assert codes(lines) == expected


def test_branches_and_steps_count_as_often_as_they_surely_run() -> None:
    asked = "if n is 0\n    do ask\notherwise\n    repeat 2 times: do ask"
    step = "step ask\n" + indent(CHOICE.strip().format(1, 1), "    ")
    for rounds, count in ((2, 0), (3, 1)):
        lines = f"step turn\n    repeat {rounds} times\n" + indent(asked, "        ")
        assert codes(lines, step) == ["R310"] * count
    left = "step turn\n    repeat 3 times\n        do ask\n        if n is 1: end turn"
    assert codes(left, step) == []


def test_who_chooses_in_a_step_is_named_as_by_all_who_do_it() -> None:
    place = "step place of player\n    do ask of player\nstep ask of player\n" + indent(
        CHOICE.strip().replace("player 1", "player").format(1, 1), "    "
    )
    marker = "marker dealer: player\nsetup\n    set dealer to player 1\n" + place
    for other, who in (("place of dealer", "dealer"), ("ask of dealer", "dealer"), ("ask of player 2", "player")):
        lines = f"    step turn\n        repeat 3 times: do place of dealer\n        if n is 9: do {other}\n"
        (finding,) = faults(rules_of(GAME.format(declarations=marker, lines=lines, variants="")))
        assert finding.message.startswith(f"`{who}` chooses 3 times in one `turn`")


def test_a_limit_that_forbids_at_one_number_of_players_says_at_which() -> None:
    text = GAME.format(declarations="", lines=indent(turn("repeat 1 times", "players - 2", 4), "    "), variants="")
    (finding,) = faults(rules_of(text))
    assert finding.code == "R311"
    assert finding.tables == ("2 players",)


def test_with_whom_a_limit_is_0_it_does_not_work_either() -> None:
    lines = indent(turn("repeat 3 times", 1, "players - 2"), "    ")
    found = {d.code: d for d in faults(rules_of(GAME.format(declarations="", lines=lines, variants="")))}
    assert found["R310"].help == "with 4 players it works: write `players 4`, or raise a limit"
    assert found["R311"].tables == ("2 players",)


def test_the_help_names_the_players_with_whom_it_works() -> None:
    lines = indent(turn("repeat players times", 1, 2), "    ")
    (finding,) = faults(rules_of(GAME.format(declarations="", lines=lines, variants="")))
    assert finding.help == "with 2 to 3 players it works: write `players 2..3`, or raise a limit"
    assert finding.tables == ("4 players",)
    more = GAME.format(declarations="", lines=lines.replace("players times", "5 times"), variants="")
    (everywhere,) = faults(rules_of(more))
    assert everywhere.tables == ()
    assert "if impossible" in everywhere.help


def test_steps_in_a_circle_are_one_fault_and_are_not_counted() -> None:
    circle = "step one\n    do two\nstep two\n    do one\n"
    assert codes("step turn\n    do one\n" + indent(CHOICE.strip().format(1, 1), "    "), circle) == ["R228"]
