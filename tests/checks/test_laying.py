"""Pieces that can never be laid, since what is asked of them never holds: shown from the beginning of a game on."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.abstract.condition_log import ConditionLog
from rulesrun.interpreter.checks.abstract.interpreter import counted
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.table.from_model import specialise

from ..pipeline import changed, findings

GAME = """
game small
    players 2..3
option side: 3..7, default 5
option open_sea: yes or no, default no
tiles tile, 1 of each
    number: 1..3
    shape "ab"
        land: meadow, sea
pieces castle, 1 for each player
pieces tower, 2
zone map of player: grid of tile or castle or tower, 9 x 9, open
zone heap of player: set of tile, open
marker lead: player
setup
    set lead to a random player
    for each player: put castle of player on middle of map of player
phase play
    repeat until heap of lead is not empty
        for each tile
            lead chooses
                lay tile on map of lead
                    so that tile touches castle of lead or tile touches same land
                    so that height of map of lead at least side
                if impossible: nothing
            set lead to left of lead
        lead chooses
            stop: move a random tile from every tile to heap of lead
            go_on: nothing
score of player
    cells: count of map of player
    tiles: count of heap of player
winner highest score, then shared
"""
CASTLE = "    for each player: put castle of player on middle of map of player\n"
TOWERS = """\
    for each player
        let spot be a random cell from empty cells of map of player
        put any tower from every tower on spot
"""
TOUCH = "so that tile touches castle of lead or tile touches same land"
HIGH = "so that height of map of lead at least side"


LATER = """\
phase end
    set lead to player 1
"""


def test_what_was_refused_in_a_phase_is_known_at_all_tables_that_share_it() -> None:
    text = GAME.strip().replace("score of player", f"{LATER}score of player", 1)
    variant = "variant other\n    replace " + LATER.replace("player 1", "player 2").replace("    ", "        ")
    rules = rules_from(Source("small.rules", f"{text}\n{variant}"))
    asked = ConditionLog()
    one, other = (specialise(rules.required(), 2, names).table for names in ((), ("other",)))
    assert one is not None
    assert other is not None
    assert counted(one, asked).refused
    assert counted(other, asked).refused == counted(other).refused != frozenset()


def found(*changes: tuple[str, str]) -> list[Diagnostic]:
    text = changed(GAME.strip() + "\n", changes)
    return [finding for finding in findings(rules_from(Source("small.rules", text))) if finding.code == "R311"]


@pytest.mark.slow
def test_a_map_that_is_too_small_for_anything_to_be_laid_on_it() -> None:
    (finding,) = found()
    assert finding.message == "`lay` can never be chosen: `height of map of lead at least side` never holds"
    assert [label.text for label in finding.labels] == ["`height of map of lead` is 1 to 3 here", "this is the option"]
    assert finding.tables == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "never"),
    [
        ([("at least side", "at most side")], False),
        ([("default 5", "default 3")], False),  # castle and tile
        ([("default 5", "default 4")], True),
        ([("lead chooses\n                lay", "player 1 chooses\n                lay"), (" of lead", " of player 1")], True),
        ([('"ab"', '"abc"')], True),
        ([('"ab"', '"abcd"')], False),
        # what need not touch anything, or not on the same map, can lie far away
        ([(TOUCH, "so that tile touches castle of lead or count of map of lead < 9")], False),
        ([(TOUCH, "so that tile touches castle of left of lead")], False),
        ([("on middle of map of player", "on middle of map of left of player")], False),
        ([(CASTLE, CASTLE + TOWERS)], False),
        # what is there already can be taken away
        ([(CASTLE, CASTLE + "    move every castle to box\n")], False),
        # nothing to touch
        # that no castle ever comes (R333) is the cause
        ([(CASTLE, ""), (HIGH, "so that width of map of lead at most side")], False),
        ([(CASTLE, ""), (HIGH, "so that width of map of lead at most side"), (" or tile touches same land", "")], False),
        ([(HIGH, "so that width of map of lead at most side"), ("tile touches castle of lead or ", "")], True),
        ([(HIGH, "so that width of map of lead at most side"), (" or tile touches same land", "")], False),
        # players may switch it on
        ([(HIGH, "so that open_sea")], False),
    ],
)
def test_what_can_be_laid(changes: list[tuple[str, str]], never: bool) -> None:
    assert bool(found(*changes)) == never
