"""Columns by an attribute that may be none, and what the rules around a lookup guarantee."""

from __future__ import annotations

import pytest

from ..pipeline import Found, machine_of, play, small, stages, value_of

WORLD = """
cards card
    kind: king, gold
    effect: rise, sink, both or none
    worth: 1..9 or none
    kind | effect | worth
    king | rise   | none
    king | both   | none
    gold | none   | 3
    gold | none   | 5
list change: up, down
table changes by effect
    effect | first_change | second_change
    rise   | up           | none
    sink   | none         | none
    both   | up           | down
zone hand of player: set of card, private
zone row: set of card, open
counter log: 0..999999
counter level of change: 0..9
define kings of player: hand of player with kind king
step decree of player for change
    add 1 to level of change
    set log to log * 10 + seat of player
setup
    move every card to hand of player 1
"""


def game(lines: str) -> str:
    return small(WORLD, lines)


def test_a_column_may_begin_with_none() -> None:
    found = stages(game("nothing"), 2)
    assert found.table is not None, found.messages
    column = found.table.columns["changes", "second_change"]
    assert column.values == {0: -1, 1: -1, 2: 1}


@pytest.mark.parametrize(
    "lines",
    [
        "for each card in hand of player 1 with kind king",
        "for each card in kings of player 1",
        "for each card in hand of player 1\n    if kind of card is king",
        "player 1 chooses\n    show a card from hand of player 1 with kind king",
        "player 1 chooses\n    show a card from hand of player 1\n        only if kind of card is king",
    ],
)
def test_what_is_printed_is_known_where_the_rules_say_so(lines: str) -> None:
    deepest = len(lines.splitlines()[-1]) - len(lines.splitlines()[-1].lstrip()) + ("only if" not in lines) * 4
    inside = ["do decree of player 1 for first_change of card", "if second_change of card is not none"]
    last = "    do decree of player 1 for second_change of card"
    text = "\n".join([lines, *(" " * deepest + line for line in (*inside, last))])
    found = stages(game(text), 2)
    assert found.messages == ""
    assert found.machine is not None
    played = play(found.machine)
    assert played.stop.kind == "over", played.stop
    assert value_of(played.executor, played.cells, "level", 0) >= 1


@pytest.mark.parametrize(
    "lines",
    [
        "for each card in hand of player 1: do decree of player 1 for first_change of card",
        "for each card in hand of player 1 with kind gold\n    let other be any card from row\n"
        "    do decree of player 1 for first_change of other",
    ],
)
def test_elsewhere_a_row_may_be_missing(lines: str) -> None:
    assert stages(game(lines), 2).codes == ["R303"]


BIDS = """
counter won: 0..5
counter bid: 0..5
counter log: 0..999
table points by number: 0: 3, 1: 2, 2: 1, 3: 0, 4: 0, 5: 0
define missed
    bid - won if bid > won
    otherwise won - bid
define over: won > bid
define too_many: won - bid
"""


@pytest.mark.parametrize(
    "lines",
    [
        "set log to points for missed",
        "if won at least bid: set log to points for (won - bid)",
        "if bid at most won: set log to points for too_many",
        "if over: set log to points for too_many",
        "if won < bid\n    nothing\notherwise\n    set log to points for (won - bid)",
        "if won at least bid and bid is not 5 and log is 0: set log to points for (won - bid)",
        "if won > bid: set log to points for (won - bid - 1)",
        "if won > bid + 2: set log to points for (won - 3 - bid)",
        "if won is bid: set log to points for (won - bid)",
        "if won is bid or bid > won: set log to points for (bid - won)",
        "if not (won < bid or log is 3): set log to points for (won - bid)",
        "if log is 1 and (won > 5 or points for missed is 3): set log to 0",
        "if won at least bid and points for (won - bid) is 3: set log to 0",
        "if bid > won or points for (won - bid) is 3: set log to 0",
        "if won at least bid and won - bid < 3: set log to points for (2 * (won - bid))",
        "player 1 chooses\n    go\n        only if won at least bid\n        set log to points for (won - bid)",
    ],
)
def test_a_difference_is_known_where_its_parts_have_been_compared(lines: str) -> None:
    assert stages(small(BIDS, lines), 2).codes == []


@pytest.mark.parametrize(
    ("lines", "could_be"),
    [
        ("set log to points for (won - bid)", "-5..5"),
        ("if won > bid: set log to points for (bid - won)", "-5..-1"),
        ("if won > bid: set log to points for (won - bid - 2)", "-1..3"),
        ("if won is not bid: set log to points for (won - bid)", "-5..5"),
        ("if won at least bid or log is 3: set log to points for (won - bid)", "-5..5"),
        ("if not (won at least bid and log is 3): set log to points for (won - bid)", "-5..5"),
        ("if won at least log: set log to points for (won - bid)", "-5..5"),
        ("if won < bid\n    nothing\notherwise\n    set log to points for (bid - won)", "-5..0"),
    ],
)
def test_other_conditions_leave_it_open(lines: str, could_be: str) -> None:
    found = stages(small(BIDS, lines), 2)
    assert found.codes == ["R303"]
    assert f"this can be {could_be}" in [label.text for label in found.diagnostics[0].labels]


def test_a_step_is_not_done_for_none() -> None:
    """It stops there: whoever means that nothing happens then asks first."""
    lines = "for each card in kings of player 1: do decree of player 1 for second_change of card"
    stop = play(machine_of(game(lines), 2)).stop
    assert stop.fault is not None
    assert (stop.fault.code, stop.text) == ("R610", "`second_change of card` is none, and a change is needed")


def test_lookups_of_and_for_and_counters_by_word() -> None:
    lines = """
    let rising be level of up
    set level of down to rising + 4
    if first_change for both is up and second_change for both is not up: add 1 to log
    for each card in kings of player 1
        if first_change for (effect of card) is first_change of card: add 2 to log
    if second_change for rise is none: add 10 to log
    for each change
        if change is not up or players is 5: add level of change * 100 to log
    """
    played = play(machine_of(game(lines), 2))
    assert played.stop.kind == "over", played.stop
    assert value_of(played.executor, played.cells, "log") == 1 + 4 + 10 + 400


PRICES = """
list colour: red, blue, green
table price by colour from "prices.csv"
counter found: 0..99
marker other: colour or none
"""


def found_in(prices: str, lines: str = "for each colour: add price for colour to found") -> Found:
    return stages(small(PRICES, lines), 2, files={"prices.csv": prices})


@pytest.mark.parametrize(
    ("prices", "lines", "expected"),
    [
        ("colour,price\nred,1\nblue,2\ngreen,40\n", "for each colour: add price for colour to found", 43),
        ("colour;price\nred;1\notherwise;5\n", "for each colour: add price for colour to found", 11),
        ("colour,price,next\nred,-1,blue\nblue,5,\ngreen,0,none\n", "set other to next for red\nadd price for other to found", 5),
        ("colour,price,cheap\nred,1,yes\nblue,2,no\ngreen,3,no\n", "if cheap for red: set found to 7", 7),
        ("colour,price\nred,7\nred_2,8\n", "add price for red to found", None),
    ],
)
def test_a_table_in_a_file(prices: str, lines: str, expected: int | None) -> None:
    found = found_in(prices, lines)
    if expected is None:
        assert found.codes == ["R201"]
        assert "prices.csv:3:1" in found.messages
        return
    assert found.machine is not None, found.messages
    game = play(found.machine)
    assert value_of(game.executor, game.cells, "found") == expected


@pytest.mark.parametrize(
    ("prices", "code", "said"),
    [
        ("colour,price\n", "R208", "there are no rows for the table `price`"),
        ("", "R208", "there are no rows for the table `price`"),
        ("color,price\nred,1\n", "R209", "does not begin with the column `colour`"),
        ("colour,price\nred,1,2\n", "R210", "this row has 3 values for 2 columns"),
        ("colour,price\nred,1\nred,2\n", "R202", "has two rows for red"),
        ("colour,price\nred,1\nblue,many\n", "R201", "there is no `many` here"),
        ("colour,price\nred,1\nblue,yes\n", "R204", "this is yes or no, unlike the rows above"),
        ("colour,price\nred,12345678901\n", "R201", "there is no `12345678901` here"),
        ("colour,pricey\nred,1\n", "R201", "there is no `price` here"),
    ],
)
def test_a_wrong_file_of_a_table(prices: str, code: str, said: str) -> None:
    found = found_in(prices)
    assert found.codes == [code], found.messages
    assert said in found.messages


def test_a_file_that_is_missing_is_one_message() -> None:
    found = stages(small(PRICES, "for each colour: add price for colour + discount to found"), 2, files={})
    assert found.codes == ["R001"]


def test_a_table_by_cards_is_printed_on_them() -> None:
    cards = 'cards card, 1 of each\n    rank: 1..3\ntable worth by card from "worth.csv"'
    found = stages(small(cards), 2, files={"worth.csv": "card,worth\n1,2\n"})
    assert found.codes == ["R204"]
    assert "print it on the cards" in found.messages
