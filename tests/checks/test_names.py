"""What is of no use in a small game, and what looks so and is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.tables import check
from rulesrun.interpreter.rules import read_rules, rules_from
from rulesrun.interpreter.source import Source

from ..pipeline import findings

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
        ("define d: 3\ndefine e: d", "", "", "", ["R320 e"]),
        ("define d: 3", "    player 1 chooses\n        take\n            only if laps < 5 otherwise \"{d} is most\"", "", "", []),
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
)  # fmt: skip
def test_what_is_of_no_use(declarations: str, phase: str, score: str, tail: str, codes: list[str]) -> None:
    assert found(declarations, phase, score, tail) == codes


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
