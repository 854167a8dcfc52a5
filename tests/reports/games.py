"""Small games with findings, and reports of them."""

from __future__ import annotations

from pathlib import Path

from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.findings.baseline import Baseline
from rulesrun.interpreter.findings.report import Report, report
from rulesrun.interpreter.findings.selection import ALL, Selection
from rulesrun.interpreter.rules import read_rules

# Two loops that nothing ends (R305), and room for comments.
LOOPS = """game loops
    players 2

counter pot: 0..9
counter coins: 0..9

phase early
    {above}
    repeat until pot is 9{beside}
        add 1 to coins

phase late
    repeat until (
        pot is 9{inside}
        or pot is 8
    ){behind}
        add 1 to coins

test "nothing comes of it"
    players ann, bob
    given coins: 4
    expect coins is 5

score of player
    coins: coins

winner highest score, then shared
"""

NO_GAME = """game no_game
    players 2

counter pot: 0..3

phase only
    set pot to 7

score of player
    coins: pot

winner highest score, then shared
"""

# Nobody needs to pay, so the game need not end: that is found by play (R391).
IDLE = """game idle
    players 2..3

counter coins of player: 0..9
counter pot: 0..3

phase only
    repeat until pot is 3
        for each player
            player chooses
                wait: nothing
                pay
                    only if coins of player < 9 otherwise "enough is enough"
                    set pot to 3
                    add 1 to coins of player

score of player
    coins: coins of player

winner highest score, then shared
"""


def loops(above: str = "", beside: str = "", inside: str = "", behind: str = "") -> str:
    """The game with comments; one above stands on a line of its own."""
    return LOOPS.format(above=above or "nothing", beside=beside, inside=inside, behind=behind)


def report_of(*paths: Path | str, selection: Selection = ALL, baseline: Baseline | None = None) -> Report:
    """What is proved about files."""
    looked_at = [read_rules(path) for path in paths]
    return report(looked_at, [d for rules in looked_at for d in check(rules).findings], (), selection, baseline)
