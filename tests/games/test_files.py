"""The shipped files: nothing is found in them, every point of a game's rules has a test in the file, all tests hold, and the
rules are short. That they are laid out in the one style is tested with the style."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.findings.report import report
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.simulate.engines.engine import engine_for

GAMES = Path(__file__).parents[2] / "games"

SHIPPED = sorted(path for folder in (GAMES, GAMES / "classics", GAMES / "designs") for path in folder.glob("*.rules"))


def numbered(**counts: int) -> list[str]:
    """``C1 C2 ...`` for each letter and how many points it has."""
    return [f"{letter}{n}" for letter, count in counts.items() for n in range(1, count + 1)]


POINTS = {
    "masti": ["MV-" + point for point in [*numbered(C=3, S=2, R=7, E=6, T=4), "6"]],
    "kingdomino": ["KD-" + point for point in numbered(C=2, S=5, T=6, P=4, E=2, V=4)],
    "for_the_king": ["FK-" + point for point in numbered(C=2, S=4, P=5, K=3, A=9, E=4)],
    "refused/for_the_king_japanese": ["FK-J"],
}
LINES = {"masti": 160, "kingdomino": 150, "for_the_king": 220}


@pytest.mark.parametrize("name", POINTS)
def test_every_point_of_the_rules_is_named_by_a_test(name: str) -> None:
    titles = " ".join(test.title for test in read_rules(GAMES / f"{name}.rules").required().tests)
    assert [point for point in POINTS[name] if not re.search(rf"{point}(?!\d)", titles)] == []


@pytest.mark.slow_cases("for_the_king", "kingdomino", "masti", "refused/for_the_king_japanese")
@pytest.mark.parametrize("name", POINTS)
def test_the_tests_in_the_file_hold(name: str) -> None:
    results = run_tests(read_rules(GAMES / f"{name}.rules"))
    assert results
    assert [result.title for result in results if not result.passed] == []


@pytest.mark.parametrize("name", LINES)
def test_the_rules_without_their_tests_are_short(name: str) -> None:
    rules = (GAMES / f"{name}.rules").read_text(encoding="utf-8").split('\ntest "')[0]
    lines = [line for line in rules.splitlines() if not line.lstrip().startswith(("note ", "story "))]  # which are for the book
    assert len(lines) < LINES[name]


@pytest.mark.slow
@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_nothing_is_found_and_games_come_to_their_end(file: Path) -> None:
    rules = read_rules(file)
    assert report([rules], check(rules).findings).findings == ()
    game = table_of(rules)
    tally = engine_for(game, bots_from("random", game.players), "wasm").play(7, 0, 5).tally
    assert (tally.games, tally.faults) == (5, {})
