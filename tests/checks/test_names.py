"""Declarations of no use in a small game, and some that only look so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import read_rules, rules_from

from ..pipeline import findings
from .tiny import tiny

GAME = """game small
    players 2..3
option laps: 1..5, default 3
cards card, 1 of each
    rank: 1..4
zone hand of player: set of card, open
counter coins of player: 0..9
{declarations}
phase only
    repeat laps times
        for each player with hand empty
            move any card from every card to hand of player
            add 1 to coins of player
{phase}
score of player
    cards: count of hand of player + coins of player
{score}
winner highest score, then shared
{tail}
"""


SETTLED = "marker s: player\nsetup\n    set s to player 1\n"
MARKED = "    m: count of every card where (omega of card)"


def found(declarations: str = "", phase: str = "", score: str = "", tail: str = "") -> list[str]:
    """The codes, and of each the first name in its message."""
    text = GAME.format(declarations=declarations, phase=phase, score=score, tail=tail)
    said = [d for d in findings(rules_from(Source("small.rules", text))) if d.code.startswith(("R32", "R33", "R38"))]
    return [f"{d.code} {d.message.split('`')[1]}" for d in said]


def test_a_game_in_which_all_is_of_use() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("declarations", "phase", "score", "tail", "codes"),
    [
        ("zone spare: set of card, open", "", "", "", ["R320 spare"]),
        ("zone spare: set of card, open", "    if spare is empty: add 1 to coins of player 1", "", "", ["R323 spare"]),
        ("zone spare: pile of card, hidden", "    draw 1 from spare to hand of player 1", "", "", ["R323 spare"]),
        ("zone spare: set of card, open", "    move hand of player 1 to spare", "", "", []),  # a heap that nobody asks for
        ("zone spare: set of card, open", "", "", "variant v\n    add after only: move hand of player 1 to spare", []),
        ("counter n: 0..9", "    add 1 to n", "", "", ["R322 n"]),
        ("counter n: 0..9", "    add 1 to n", "    n: n", "", []),
        ("counter n: 0..9", "    add 1 to n", "", "variant v\n    add to score\n        n: n", []),
        ("counter n: 0..9", "    add 1 to n", "", 'test "n"\n    players A, B\n    start only\n    expect n is 1', []),
        ("counter n: 0..9", "    repeat until n is 9: add 1 to n", "", "", []),
        ("counter n: 0..9\nmarker m: 0..9", "    add 1 to n\n    set m to n", "", "", ["R322 m"]),
        ("marker m: yes or no", "    if m: add 1 to coins of player 1", "", "", ["R324 m"]),
        ("counter n: 0..9", "", "    n: n", 'test "n"\n    players A, B\n    given n: 1\n    expect n is 1', ["R324 n"]),
        (SETTLED, "    add 1 to coins of s", "", "", ["R324 s"]),
        (SETTLED, "    add 1 to coins of s\n    set s to left of s", "", "", []),
        (SETTLED, "    add 1 to coins of s", "", "variant v\n    add after only: set s to player 2", []),
        (SETTLED.replace("player 1", "left of player 1"), "    add 1 to coins of s", "", "", []),
        (SETTLED + "    if players is 2: set s to player 2", "    add 1 to coins of s", "", "", []),
        ("marker omega of card: yes or no\nsetup\n    for each card: set omega of card to yes", "", MARKED, "", ["R324 omega"]),
        (
            "marker omega of card: yes or no\nsetup\n    let one be any card from every card\n    set omega of one to yes",
            "",
            MARKED,
            "",
            [],
        ),
        (
            "marker omega of card: yes or no\nsetup\n    for each card\n        if rank of card > 2: set omega of card to yes",
            "",
            MARKED,
            "",
            [],
        ),
        (
            "list step_of: 0..3\ncounter n: 0..3\ncounter seen for step_of: 0..9",
            "    add 1 to n\n    add 1 to seen for n",
            "    m: seen for 2",
            "",
            [],
        ),
        ("define d: 3\ndefine e: d", "", "", "", ["R320 e"]),
        ("define d: 3", '    player 1 chooses\n        take\n            only if laps < 5 otherwise "{d} is most"', "", "", []),
        ("step s\n    do t\nstep t\n    nothing", "", "", "", ["R320 s"]),
        ("table t by players\n    players | one | two\n    2 | 1 | 2\n    3 | 1 | 2", "", "    a_line: one", "", ["R320 two"]),
        ("", "    let x be 3", "", "", ["R320 x"]),
        ("option lux: 1..3, default 1", "", "", 'test "o"\n    players A, B\n    expect lux is 1', ["R321 lux"]),
        ("list mood: sad, gay, mad\nmarker m: mood", "    set m to sad", "    m: 1 if m is gay", "", ["R325 mad"]),
        ("list mood: sad, gay, mad\nmarker m: mood", "    set m to a random mood", "    m: 1 if m is gay", "", []),
        ("option mood: sad, gay, mad, default sad", "", "    m: 1 if mood is gay", "", []),
        ("", "", "    m: 1 if coins of player > 9", "", ["R327 coins of player > 9"]),
        ("", "", "    m: 1 if coins of player in 0..8", "", []),
        ("", "", "    m: 1 if laps < 6", "", ["R327 laps < 6"]),
        ("", "", "    m: 1 if laps < 5", "", []),
        ("", "", "    m: 1 if players is 3 and laps is 1", "", []),
        ("", "", "", "variant v\n    needs players is 2\n    add to score\n        m: 1 if players is 3", ["R327 players is 3"]),
        ("table t by coins: 0: 1, 1: 3, 2: 4, 3: 5", "", "    t: t for (coins of player mod 3)", "", ["R328 t"]),
        ("table t by coins: 0: 1, 9: 3, 10: 4, otherwise: 0", "", "    t: t for coins of player", "", ["R328 t"]),
        ("table t by coins: 1: 1, 9: 3, 10: 4, otherwise: 0", "", "    t: t for (coins of player + 1)", "", []),
        ("", "", "", "variant v\n    set laps to 3", ["R380 v"]),
        ("", "", "", "variant v\n    set laps to 3\nvariant w\n    needs v\n    set laps to 3", ["R380 w"]),
        ("", "", "", "variant v\n    needs players at most 3\n    set laps to 4", ["R382 v"]),
        ("", "", "", "variant v\n    set laps to 4\nvariant w\n    excludes v\n    excludes v\n    set laps to 5", ["R382 w"]),
        ("", "", "", "variant v\n    excludes w\n    set laps to 4\nvariant w\n    excludes v\n    set laps to 5", ["R382 w"]),
        ("", "", "", "variant v\n    always when players is 2\n    needs laps > 1", []),
        ("", "", "", "variant v\n    always when players is 4\n    set laps to 4", ["R327 players is 4"]),
        ("", "", "", "variant v\n    always when players is 2 or players is 4\n    set laps to 4", ["R327 players is 4"]),
        ("", "", "", "variant v\n    always when players > 1\n    set laps to 4", []),  # as house rules may be
        ("", "", "", "variant v\n    needs players is 2 or players is 4\n    set laps to 4", ["R327 players is 4"]),
        ("", "", "", "variant v\n    needs players is 4 or players is 5\n    set laps to 4", []),  # R408
    ],
)
def test_what_is_of_no_use(declarations: str, phase: str, score: str, tail: str, codes: list[str]) -> None:
    assert found(declarations, phase, score, tail) == codes


ALWAYS = "variant crowd\n    always when players > {}\n    replace define wage: 2\n"


@pytest.mark.parametrize(
    ("variants", "told"),
    [
        (ALWAYS.format(4) + "variant own\n    needs players in 3..4\n    excludes crowd\n    replace define wage: 3", []),
        (ALWAYS.format(3) + "variant own\n    needs players in 3..4\n    excludes crowd\n    replace define wage: 3", ["4"]),
        (ALWAYS.format(3) + "variant own\n    needs players > 2\n    excludes crowd\n    replace define wage: 3", []),
        (ALWAYS.format(3) + "variant own\n    excludes crowd\n    replace define wage: 3", []),
        (
            "variant rich\n    needs players > 3\n    replace define wage: 2\n"
            "variant short\n    needs rich\n    needs players in 3..4\n    add to score\n        rank: 1 if player is player 1",
            ["3"],
        ),
    ],
)
def test_a_number_of_players_for_which_a_variant_says_it_is(variants: str, told: list[str]) -> None:
    """Where a variant draws a line at a number of players, it can be played with so many; elsewhere what it excludes decides."""
    rules = tiny("define wage: 1", "for each player: add wage to points of player", variants, "2..6")
    found = [one for one in check(rules).findings if one.code == "R382"]
    assert [re.findall("[0-9]", one.message)[0] for one in found] == told


def test_a_game_that_nobody_ever_wins() -> None:
    lines = "game idle\n    players 2\nphase only\n    player 1 chooses\n        stop: nobody wins\n"
    (finding,) = findings(rules_from(Source("idle.rules", lines)))
    assert (finding.code, finding.message) == ("R324", "nobody ever wins this game")
    assert "`player wins`" in finding.help


def test_a_column_is_shown_where_its_name_stands() -> None:
    rows = "table t by players\n    players | one | two\n    2 | 1 | 2\n    3 | 1 | 2"
    text = GAME.format(declarations=rows, phase="", score="    a_line: one", tail="")
    (unused,) = (d for d in findings(rules_from(Source("small.rules", text))) if d.code == "R320")
    assert unused.span is not None
    assert (unused.span.text, unused.span.column) == ("two", 21)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("move hand of player 1 to hand of player 1", "what lies in `hand of player 1` lies there already"),
        ("move hand of player 1 to hand of player 2", None),
        ("draw 1 from heap to heap", "what is drawn from `heap` comes to lie there again"),
        ("draw 0 from heap to hand of player 1", "it draws 0"),
        ("set coins of player 1 to coins of player 1", "`coins of player 1` is that already"),
        ("set coins of player 1 to coins of player 2", None),
        ("add 0 to coins of player 1", "the number is 0"),
        ("pay 0 from coins of player 1 to coins of player 2", "the number is 0"),
    ],
)
def test_a_line_that_changes_nothing(line: str, why: str | None) -> None:
    phase = f"    shuffle every card into heap\n    draw 1 from heap to hand of player 1\n    {line}"
    text = GAME.format(declarations="zone heap: pile of card, hidden", phase=phase, score="", tail="")
    said = [d for d in findings(rules_from(Source("small.rules", text))) if d.code == "R330"]
    assert [(d.message, d.span and d.span.text) for d in said] == ([(f"this changes nothing: {why}", line)] if why else [])


def test_what_another_file_leaves_unused_is_not_the_fault_of_one_that_extends_it(tmp_path: Path) -> None:
    game = GAME.format(declarations="counter n: 0..9", phase="    if players is 7: nothing", score="", tail="")
    (tmp_path / "small.rules").write_text(game, encoding="utf-8")
    (tmp_path / "house.rules").write_text('extends "small.rules"\nvariant v\n    set laps to 4\n', encoding="utf-8")
    assert [d.code for d in check(read_rules(tmp_path / "small.rules")).findings] == ["R320", "R327"]
    assert check(read_rules(tmp_path / "house.rules")).findings == ()


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ((0, 1, 3, 6, 10), False),
        ((0, 1, 6, 3, 10), True),
        ((10, 6, 1, 3, 0), True),
        ((1, 0, 3, 6, 10), True),
        ((0, 1, 3, 6, -1), False),  # too many are a loss
        ((0, 1, 3, 6, 6), False),
        ((0, 3, 1, 10, 6), False),  # there is no order
        ((0, 3, 1, 6), False),  # nobody knows
    ],
)
def test_rows_that_seem_to_be_exchanged(values: tuple[int, ...], wrong: bool) -> None:
    rows = ", ".join(f"{key}: {value}" for key, value in enumerate(values))
    table = f"table worth by coins: {rows}, otherwise: 7\n"
    assert found(table, score="    t: worth for coins of player") == (["R331 worth"] if wrong else [])


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((1, 2, 3, 4, 5, 6), []),
        ((1, 2, 3, 3, 5, 6), ["the rank 3 is on two tokens, and 4 is on none"]),
        ((1, 6, 3, 4, 5, 6), ["the rank 6 is on two tokens, and 2 is on none"]),
        ((6, 2, 3, 1, 5, 6), []),  # they do not count up
        ((1, 3, 3, 3, 5, 6), []),  # several alike may be meant
        ((1, 2, 2, 4, 4, 6), []),
        ((1, 2, 3, 3, 5), []),  # not as many as there are numbers
    ],
)
def test_a_number_that_two_components_have(numbers: tuple[int, ...], said: list[str]) -> None:
    rows = "".join(f"    {number}\n" for number in numbers)
    kind = f"tiles token\n    rank: 1..6\n    rank\n{rows}zone bag: set of token, open\n"
    text = GAME.format(declarations=kind, phase="    move any token from every token to bag", score="", tail="")
    found = [d for d in findings(rules_from(Source("small.rules", text))) if d.code == "R332"]
    assert [d.message for d in found] == said


def test_of_two_with_the_same_number_the_one_out_of_order_is_pointed_at() -> None:
    kind = "tiles token\n    rank: 1..6\n    rank\n    1\n    3\n    3\n    4\n    5\n    6\nzone bag: set of token, open\n"
    text = GAME.format(declarations=kind, phase="    move any token from every token to bag", score="", tail="")
    (finding,) = (d for d in findings(rules_from(Source("small.rules", text))) if d.code == "R332")
    first = text[: text.index("    rank\n    1\n")].count("\n") + 3
    assert finding.span is not None
    assert finding.span.line == first


HEAPS = """game heaps
    players 2..3
cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone {spare}
counter coins of player: 0..99
setup
    shuffle every card into deck
phase only
    for each player
        draw 2 from deck to hand of player
        add total rank of hand of player to coins of player
    {phase}
score of player
    coins: coins of player
    {score}
winner highest score, then shared
{tail}
"""
MOVED = "for each player: move hand of player to spare of player"
DRAWN = "    draw 1 from spare to hand of player 1"
ADDED = "variant v\n    add to score\n        n: count of spare of player"
GATHERED = "phase again\n    shuffle every card into deck\n    for each player: draw 1 from deck to hand of player"


@pytest.mark.parametrize(
    ("spare", "phase", "score", "tail", "is_found"),
    [
        ("spare of player: set of card, open", MOVED, "", "", True),
        ("spare of player: pile of card, hidden", MOVED, "", "", True),
        ("spare of player: slot of card, private", "draw 1 from deck to spare of player 1", "", "", True),
        ("spare: pile of card, hidden", "shuffle hand of player 1 into spare", "", "", True),
        ("spare: set of card, open", "move hand of player 1 to spare", "", "", False),  # out of the game
        ("spare: pile of card, hidden", "move hand of player 1 to spare", "", "", False),
        ("spare: pile of card, hidden", f"shuffle hand of player 1 into spare\n{DRAWN}", "", "", False),
        ("spare of player: slot of card, open", "draw 1 from deck to spare of player 1", "", "", False),  # to be seen
        ("spare of player: set of card, open", MOVED, "spare: count of spare of player", "", False),
        ("spare of player: set of card, open", MOVED, "", ADDED, False),
        ("spare of player: set of card, open", f"{MOVED}\n    add 1 to coins of owner of [1]", "", "", False),
        ("spare of player: set of card, open", MOVED, "", GATHERED, False),
    ],
)
def test_a_zone_from_which_nothing_comes_and_for_which_nothing_asks(
    spare: str, phase: str, score: str, tail: str, is_found: bool
) -> None:
    source = Source("heaps.rules", HEAPS.format(spare=spare, phase=phase, score=score, tail=tail))
    told = [(d.code, d.span.line) for d in findings(rules_from(source)) if d.span is not None and d.code.startswith("R32")]
    assert told == ([("R322", 7)] if is_found else [])


OPTION = """game small
    players 2
cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone heap of player: set of card, {heap}
counter told of player: 0..9, {told}
setup
    shuffle every card into deck
    for each player: draw 3 from deck to hand of player
phase only
    for each player{at_once}
        player chooses
            {option}
score of player
    heap: total rank of heap of player + told of player
winner highest score, then shared
"""
GIVE = "give a card from hand of player{}\n                {}move card to heap of player"
ONE_MORE = "add 1 to told of player\n                "
STEP = "step looking\n                    {}\n                "
UNUSED = ("R322", "R323", "R324")  # the zone or the counter, whichever an option leaves alone
TELL = "tell a number from 1..9{}\n                set told of player to number"


@pytest.mark.parametrize(
    ("option", "shown", "kept"),
    [
        (GIVE.format(" face down", ""), {"heap": "open"}, {"heap": "private"}),
        (GIVE.replace("a card", "2 cards").replace("move card", "move cards").format(" face down", ""), {"heap": "open"}, {}),
        (TELL.format(" face down"), {"told": "open"}, {"told": "private"}),
        (GIVE.format(" face down", ONE_MORE), {"heap": "open", "told": "open"}, {"told": "open"}),
        (GIVE.format("", ""), {}, {"heap": "open"}),
        (GIVE.format(" face down", "if rank of card is 1: "), {}, {"heap": "open"}),  # else it stays where it is
        (GIVE.format(" face down", STEP.format("nothing")), {"heap": "open"}, {"heap": "private"}),
        (GIVE.format(" face down", STEP.format("if rank of card is 1: end looking")), {}, {"heap": "open"}),
        (TELL.format(" face down"), {}, {"told": "open", "at_once": " at once"}),
    ],
)
def test_what_is_done_face_down_and_shown_at_once(option: str, shown: dict[str, str], kept: dict[str, str]) -> None:
    def codes(**parts: str) -> list[str]:
        text = OPTION.format(option=option, **{"heap": "private", "told": "private", "at_once": "", **parts})
        return [d.code for d in findings(rules_from(Source("small.rules", text))) if d.code not in UNUSED]

    assert codes(**kept) == []
    if shown:
        assert codes(**shown) == ["R376"]


@pytest.mark.parametrize(
    ("match", "is_found"),
    [
        ("match of 1 games", True),
        ("match of 1 games, lowest score, then shared", True),
        ("match until somebody with coins at least 5, at most 1 games", True),
        ("match of 2 games", False),
        ("option games: 1..3, default 1\nmatch of games games", False),
    ],
)
def test_a_match_of_one_game(match: str, is_found: bool) -> None:
    text = GAME.format(declarations=match, phase="", score="", tail="")
    told = [(d.code, d.span.text) for d in findings(rules_from(Source("small.rules", text))) if d.span is not None]
    assert told == ([("R330", match)] if is_found else [])
