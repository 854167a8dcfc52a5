"""Small games whose coverage is counted by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest
from rulesrun.interpreter.checks.one_table import findings_at
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.coverage.coverage import Coverage, coverage_of, too_little
from rulesrun.interpreter.coverage.listing import margins, rows, text_of
from rulesrun.interpreter.coverage.never import never
from rulesrun.interpreter.coverage.playing import by_games, by_tests
from rulesrun.interpreter.rules import Rules, read_rules, rules_from

SHOP = """
game shop
    players 2..3

option generous: yes or no, default no
counter coins of player: 0..9
counter rounds: 0..9
marker buyer: player or none

table price by rounds: 0: 1, 1: 2, 2: 4

define rich of player: coins of player > 5
define bonus
    2 if rounds is 0
    3 if generous
    otherwise 0

setup
    for each player: set coins of player to 4

phase sale
    repeat until rounds is 2
        step day
            for each player
                player chooses
                    buy
                        limit 1 per day otherwise "one a day"
                        only if coins of player at least price for rounds otherwise "too dear"
                        take price for rounds from coins of player
                        set buyer to player
                    wait
                        add bonus to coins of player
            if buyer is none: end game
        add 1 to rounds
    if rich of player 1
        set coins of player 1 to 0

score of player
    coins: coins of player
    honour: 1 if buyer is player

winner highest score, then lowest seat, then shared

variant tax
    add after day
        for each player with coins > 0: take 1 from coins of player
"""

TESTS = """
test "one buys, one waits"
    players Ann, Bob
    Ann: buy
    expect Bob cannot buy because "one a day"
    Bob: wait
    expect coins of Bob is 6
    Ann: buy
    Bob: wait
    expect winners is (Bob)
"""


def rules(text: str) -> Rules:
    return rules_from(Source("shop.rules", dedent(text).strip() + "\n"))


def played(text: str) -> Coverage:
    read = rules(text)
    results, covered = by_tests(read, findings_at)
    assert all(result.passed for result in results), [render(d) for result in results for d in result.diagnostics]
    return coverage_of(read.path, read.required(), covered)


def listed(coverage: Coverage, *, games: bool = False) -> str:
    """The listing of lines that have a margin: counts, the line without what follows its `:`, and the note."""
    columns = ("tests", "games") if games else ("tests",)
    found = []
    for row in rows(coverage):
        if row.style:
            cells = " ".join(filter(None, margins(row, columns)))  # type: ignore[arg-type]
            found.append(f"{cells} | {row.source.line(row.number).strip()}" + (f" | {row.note}" if row.note else ""))
    return "\n".join(found) + "\n"


def test_the_margin_of_a_small_game_counted_by_hand() -> None:
    assert listed(played(SHOP + TESTS)) == dedent("""\
        yes | players 2..3 | 1 of 2 numbers
        yes | option generous: yes or no, default no | 1 of 2 values
        2 | table price by rounds: 0: 1, 1: 2, 2: 4 | 2 of 3 rows
        yes | define rich of player: coins of player > 5
        yes | define bonus
        1 | 2 if rounds is 0
        never | 3 if generous
        1 | otherwise 0
        1 | setup
        2 | for each player: set coins of player to 4
        1 | phase sale
        1 | repeat until rounds is 2
        2 | step day
        2 | for each player
        4 | player chooses
        2/2 | buy
        yes | limit 1 per day otherwise "one a day"
        never | only if coins of player at least price for rounds otherwise "too dear" | never refuses
        2 | take price for rounds from coins of player
        2 | set buyer to player
        2/4 | wait
        2 | add bonus to coins of player
        2 | if buyer is none: end game | 1 of 2 parts
        2 | add 1 to rounds
        1 | if rich of player 1
        never | set coins of player 1 to 0
        2 | coins: coins of player
        2 | honour: 1 if buyer is player
        1 | winner highest score, then lowest seat, then shared | 1 of 2 keys
        never | variant tax
        never | for each player with coins > 0: take 1 from coins of player | with tax
        """)


def test_returns_and_their_cases_are_reached_when_they_are_asked_for() -> None:
    text = (
        SHOP
        + """
returns of player
    1 if winners is (player)
    0 if player in winners
    otherwise -1
"""
        + TESTS
        + """
    expect returns of Bob is 1
"""
    )
    assert [line for line in listed(played(text)).splitlines() if "winners" in line or "-1" in line or "returns" in line] == [
        "yes | returns of player",
        "1 | 1 if winners is (player)",
        "never | 0 if player in winners",
        "never | otherwise -1",
    ]


def test_what_never_happened_in_words() -> None:
    found = [(each.heading, [text for text, _ in each.things]) for each in never(played(SHOP + TESTS))]
    assert found == [
        ("never played with", ["3 players", "generous yes", "variant tax"]),
        ("never done", ["end game", "set coins of player 1 to 0"]),
        ("never the case", ["3 if generous"]),
        ("rows that nothing asked for", ["`price` for 2"]),
        ("never a reason to refuse an act", ['only if coins of player at least price for rounds otherwise "too dear"']),
        ("keys that never had to decide", ["lowest seat"]),
    ]


def test_shares_are_of_things_and_the_whole_is_of_all_of_them() -> None:
    coverage = played(SHOP + TESTS)
    assert {share.name: (share.reached, share.all) for share in coverage.shares} == {
        "lines": (17, 19),
        "acts": (2, 2),
        "reasons": (0, 1),
        "limits": (1, 1),
        "cases": (2, 3),
        "table rows": (2, 3),
        "keys of rankings": (1, 2),
        "score lines": (2, 2),
        "variants": (0, 1),
        "values of options": (1, 2),
        "numbers of players": (1, 2),
    }
    assert coverage.percent == Fraction(100 * 29, 38)


def test_nothing_is_reached_by_no_tests() -> None:
    coverage = played(SHOP)
    assert coverage.percent == 0
    assert {row.style for row in rows(coverage)} == {"", "never"}


RARE = """
game rare
    players 2

cards card, 1 of each
    rank: 1..3
zone deck: pile of card, hidden
zone hand of player: set of card, private
counter coins of player: 0..9

whenever a card with rank 3 enters hand of player
    add 1 to coins of player

setup
    shuffle every card into deck

phase only
    for each player
        player chooses
            draw_one
                only if deck is not empty otherwise "the deck is empty"
                draw 1 from deck to hand of player
            cheat
                only if coins of player > 5 otherwise "you are too poor"
                set coins of player to 9
                if coins of player is 9
                    set coins of player to 0

score of player
    coins: coins of player
    luck: 1 if coins of player > 5

winner highest score, then shared
"""


def test_what_stands_inside_something_that_never_happened_is_not_said_again() -> None:
    coverage = played(
        RARE + '\ntest "two cards"\n    players Ann, Bob\n    chance: [1] [2]\n    Ann: draw_one\n'
        "    Bob: draw_one\n    expect score of Ann is 0\n"
    )
    assert {each.heading: [text for text, _ in each.things] for each in never(coverage)} == {
        "never set off": ["whenever a card with rank 3 enters hand of player"],
        "never on offer": ["cheat"],
        "never a reason to refuse an act": ['only if deck is not empty otherwise "the deck is empty"'],
        "keys that never had to decide": ["highest score"],
        "always 0 on the score sheet": ["coins", "luck"],
    }


def test_a_test_that_fails_has_reached_what_it_came_to() -> None:
    read = rules(RARE + '\ntest "wrong"\n    players Ann, Bob\n    Ann: draw_one\n    expect coins of Ann is 7\n')
    (result,), covered = by_tests(read, findings_at)
    assert not result.passed
    taken = next(p.place for p in coverage_of("", read.required(), covered).parts if p.place.kind == "chosen")
    assert covered.by_tests.times(taken) == 1


@pytest.mark.slow
def test_games_by_chance_reach_what_can_be_reached() -> None:
    read = rules(SHOP)
    coverage = coverage_of(read.path, read.required(), by_games(read, seed=3))
    assert [each.heading for each in never(coverage)] == ["rows that nothing asked for", "never a reason to refuse an act"]
    assert by_games(read, seed=3).by_games == by_games(read, seed=3).by_games


def test_a_file_that_extends_another_is_listed_behind_it(tmp_path: Path) -> None:
    (tmp_path / "shop.rules").write_text(SHOP.strip() + "\n", encoding="utf-8")
    house = 'extends "shop.rules"\nvariant house\n    replace define bonus: 1\n'
    (tmp_path / "house.rules").write_text(house + dedent(TESTS).replace("Bob\n", "Bob\n    with house\n", 1).replace("6", "5"))
    read = read_rules(tmp_path / "house.rules")
    results, covered = by_tests(read, findings_at)
    assert [result.passed for result in results] == [True], [render(d) for r in results for d in r.diagnostics]
    found = rows(coverage_of(read.path, read.required(), covered))
    assert list(dict.fromkeys(Path(row.source.path).name for row in found)) == ["shop.rules", "house.rules"]
    (base,) = [row for row in found if text_of(row).startswith("define bonus")]
    (own,) = [row for row in found if "replace define bonus" in text_of(row)]
    assert (base.style, own.style) == ("never", "reached")


def test_less_than_asked_for_is_a_finding() -> None:
    coverage = played(SHOP + TESTS)  # 29 of 38 things
    assert too_little(coverage, 76) == ()
    (finding,) = too_little(coverage, 77)
    assert finding.code == "R395"
    assert finding.message == "tests reach 76.3 % of the rules, and 77 % are asked for"
