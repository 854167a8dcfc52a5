"""The shipped files: every point of a game's rules has a test in the file, and the rules are short.

`.ci/run games` sees to it that nothing is found in them, that they are laid out in the one style, and that their tests hold.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesrun.interpreter.rules import read_rules

GAMES = Path(__file__).parents[2] / "games"


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


@pytest.mark.parametrize("name", LINES)
def test_the_rules_without_their_tests_are_short(name: str) -> None:
    rules = (GAMES / f"{name}.rules").read_text(encoding="utf-8").split('\ntest "')[0]
    lines = [line for line in rules.splitlines() if not line.lstrip().startswith(("note ", "story "))]  # which are for the book
    assert len(lines) < LINES[name]
