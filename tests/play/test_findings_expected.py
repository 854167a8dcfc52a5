"""Tests in a file that say what the check of their table finds."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.testing.testing import TestResult as Result

from ..pipeline import faults

GAME = """
game refused
    players 2..3
option limit: 1..9, default 9
counter pot: 0..3
phase only
    step fill
        set pot to 0
score of player
    points: pot
winner highest score, then shared
variant flood "Flood"
    needs players is 3
    replace step fill
        set pot to 7
variant ebb "Ebb"
    replace step fill
        set pot to 1
variant few "Few"
    set limit to 5
"""


def results(test: str) -> list[Result]:
    text = GAME + 'test "as it says"\n' + "".join(f"    {line}\n" for line in test.splitlines())
    return list(run_tests(rules_from(Source("refused.rules", text))))


@pytest.mark.parametrize(
    "test",
    [
        "players A, B, C\nwith flood\nexpect finding R301",
        'players A, B, C\nwith flood\nexpect finding R301 "0..3"',
        "players A, B\nwith flood\nexpect finding R402",
        "players A, B, C\nwith flood, ebb\nexpect finding R403",
        "players A, B\nwith few\nset limit to 4\nexpect finding R407",
        "players A, B, C\nwith flood\nexpect finding R301\nexpect finding R301",
    ],
)
def test_it_passes_unplayed_where_the_check_finds_it(test: str) -> None:
    (result,) = results(test)
    assert result.passed, result.diagnostics
    assert result.acts == 0


@pytest.mark.parametrize(
    ("test", "codes", "said"),
    [
        ("players A, B, C\nexpect finding R301", ["R502"], "finds nothing, and R301 is expected"),
        ("players A, B, C\nwith flood\nexpect finding R302", ["R502", "R301"], "finds R301, and R302 is expected"),
        ('players A, B, C\nwith flood\nexpect finding R301 "water"', ["R502"], "R301 is found, and says: "),
        ("players A, B, C\nexpect pot is 0\nexpect finding R301", ["R502"], "finds nothing, and R301 is expected"),
        ("players A, B, C\nwith flood\nexpect finding R301\nexpect pot is 0", ["R301"], "pot"),
        ("players A, B, C\nexpect finding pots", ["R204"], "`pots` is no code"),
        ("players A, B, C\nexpect finding R999", ["R204"], "`R999` is no code"),
    ],
)
def test_else_it_fails_and_says_what_was_found(test: str, codes: list[str], said: str) -> None:
    (result,) = results(test)
    assert not result.passed
    assert [d.code for d in result.diagnostics] == codes
    assert said in result.diagnostics[0].message


@pytest.mark.parametrize(
    ("code", "help"),
    [
        ("r301", "did you mean `R301`?"),
        ("R2533", "did you mean `R253`?"),
        ("pots", "write one that `rulesrun check` shows; `rulesrun explain` lists all"),
    ],
)
def test_a_code_that_does_not_exist_is_said_once_and_helped(code: str, help: str) -> None:
    (result,) = results(f"players A, B, C\nwith flood\nexpect finding {code}")
    assert [(d.code, d.help) for d in result.diagnostics] == [("R204", help)]


def test_the_check_refuses_such_a_file_once() -> None:
    text = GAME + 'test "it runs over"\n    players A, B, C\n    with flood\n    expect finding R301\n'
    found = faults(rules_from(Source("refused.rules", text)))
    assert [d.code for d in found] == ["R301", "R403"]
    text = GAME.replace("needs players is 3", "needs players is 3 and limit is 1") + (
        'test "it runs over"\n    players A, B, C\n    with flood\n    set limit to 1\n    expect finding R301\n'
    )
    assert "R301" not in [d.code for d in faults(rules_from(Source("refused.rules", text)))]


def test_such_a_test_may_also_be_played() -> None:
    text = GAME.replace("variant ebb", 'test "plays"\n    players A, B\n    start only\n    expect pot is 0\nvariant ebb')
    assert [r.passed for r in run_tests(rules_from(Source("refused.rules", text)))] == [True]
