"""Equal parts of several tables are looked at once; faults where they differ are found."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.abstract.condition_log import ConditionLog
from rulesrun.interpreter.checks.abstract.courses import course_of, covered
from rulesrun.interpreter.checks.abstract.interpreter import counted
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import read_rules, rules_from
from rulesrun.interpreter.table.from_model import specialise
from rulesrun.interpreter.table.sampling.combinations import tables_of

from ..pipeline import GAMES, faults, findings
from .tiny import tiny

PHASE = "    for each player: add worth of player to points of player"
VARIANT = 'define worth of player: 1 + rounds\nvariant more "More"\n'


def is_alike(variant: str, phase: str = PHASE) -> bool:
    """Whether a table with a variant is of the course of one without it."""
    rules = tiny(phase=phase, variants=f"{VARIANT}    {variant}\n", players="2..2")
    one, other = (specialise(rules.required(), 2, names).table for names in ((), ("more",)))
    assert one is not None
    assert other is not None
    course = course_of(one.all_steps, one)
    return course is not None and course == course_of(other.all_steps, other)


@pytest.mark.parametrize(
    "variant",
    [
        "add to score\n        rounds: rounds",
        "add to score\n        rounds: late of player\n    define late of player: 3 - rounds",
        "replace winner lowest score, then shared",
    ],
)
def test_who_wins_is_no_part_of_a_course(variant: str) -> None:
    assert is_alike(variant)


@pytest.mark.parametrize(
    "variant",
    [
        "replace define worth of player: 2 + rounds",
        "replace define worth of player: 1 + rounds",  # the same, but it stands elsewhere: so findings do
        "add before play\n        add 1 to rounds",
        "match of 2 games, highest score, then shared",
    ],
)
def test_what_happens_is_part_of_it(variant: str) -> None:
    assert not is_alike(variant)


@pytest.mark.slow_cases("for_the_king")
@pytest.mark.parametrize("game", ["for_the_king", "masti", "classics/liars_dice", "classics/goofspiel"])
def test_what_is_counted_once_for_several_tables_is_what_is_counted_at_each(game: str) -> None:
    """So are the conditions noted: what is known of them is the same after all tables."""
    together, asked = ConditionLog(), ConditionLog()
    candidates = tables_of(read_rules(GAMES / f"{game}.rules").required()).tables
    for table in [candidate.found.table for candidate in candidates if candidate.choice.players < 4]:
        if table is not None:
            shared, alone = counted(table, together), counted(table, asked)
            asked.gone_through.clear()
            assert shared.findings == alone.findings == ()
            assert shared.end is not None
            assert alone.end is not None
            assert shared.end.content == alone.end.content
            assert shared.end.variables == alone.end.variables
            assert shared.end.reach == alone.end.reach
    assert together.can == asked.can
    assert together.begun == asked.begun


def test_where_scores_are_asked_for_they_are_part_of_it() -> None:
    phase = "    for each player: set points of player to worth of player + score of left of player"
    assert not is_alike("add to score\n        rounds: rounds", phase)


def test_what_is_wrong_with_the_score_of_a_variant_is_found() -> None:
    variant = 'variant more "More"\n    add to score\n        much: (points of player + 1) * 999999999\n'
    (finding,) = faults(tiny(phase="    for each player: add 1 to points of player", variants=variant))
    assert (finding.code, finding.tables) == ("R306", ("more",))


MAPS = """\
game maps
    players 2
pieces castle, 1 for each player
zone map of player: grid of castle, 3 x 3, open
counter kept of player: 0..9
marker lead: player
setup
    set lead to player 2
    put castle of player 1 on middle of map of player 1
phase play
    move castle of lead to box
    if map of player 1 is empty: add 1 to kept of player 1
    add 1 to kept of player 1
score of player
    kept: kept of player
winner highest score, then shared
"""
IDLE = ("R324", "R333")  # one player leads for ever, and one castle stays in the box
ABROAD = """\
variant abroad
    replace setup
        set lead to player 2
        put castle of player 2 on middle of map of player 1
"""


@pytest.mark.parametrize(("variant", "expected"), [("", ["R327"]), (ABROAD, [])])
def test_whether_pieces_stay_with_their_owner_is_part_of_it(variant: str, expected: list[str]) -> None:
    rules = rules_from(Source("maps.rules", MAPS + variant))
    assert [finding.code for finding in findings(rules) if finding.code not in IDLE] == expected


@pytest.mark.parametrize(
    ("variant", "is_covered"),
    [
        ("add to score\n        rounds: rounds", True),
        ("add to score\n        rounds: late of player\n    define late of player: 3 - rounds", True),
        ("replace winner lowest score, then shared", False),
        ("returns of player: rounds", False),
        ("add before play\n        add 1 to rounds", False),
    ],
)
def test_games_are_those_of_a_table_that_scores_more(variant: str, is_covered: bool) -> None:
    rules = tiny(phase=PHASE, variants=f"{VARIANT}    {variant}\n", players="2..2")
    tables = {each.choice: each.found.table for each in tables_of(rules.required()).tables if each.found.table is not None}
    like = covered(tables)
    assert {one.said: other.said for one, other in like.items()} == ({"2 players": "2 players with more"} if is_covered else {})
