"""Nothing is found in games that are right: those in ``sound`` use most constructs of the language, each in its usual way."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.findings.report import report
from rulesrun.interpreter.rules import Rules, read_rules, rules_from

from ..pipeline import changed

SOUND = sorted((Path(__file__).parent / "sound").glob("*.rules"))


def told(rules: Rules) -> list[str]:
    return [render(finding) for finding in report([rules], check(rules).findings).findings]


@pytest.mark.slow
@pytest.mark.parametrize("game", SOUND, ids=lambda game: game.stem)
def test_nothing_is_found_in_a_game_that_is_right(game: Path) -> None:
    assert told(read_rules(game)) == []


ALL = "players with held for office not empty"


def letters(*changes: tuple[str, str]) -> list[str]:
    """The codes of what is found in the majorities of letters, changed."""
    text = next(game for game in SOUND if game.stem == "letters").read_text(encoding="utf-8")
    return [finding.code for finding in check(rules_from(Source("letters.rules", changed(text, changes)))).findings]


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (("war    | D      | 2", "war    | A      | 2"), ["R251"]),  # two who hold the same letter tie
        ((ALL, "players"), ["R251"]),  # so do two who hold nothing
        (("hand of player with office (office)", "hand of player"), ["R251"]),  # letters come again in another office
        ((", then lowest best_letter for office", ""), ["R251"]),
        (("then lowest seat", "then most hand"), ["R219"]),
    ],
)
def test_a_tie_that_can_be_left_is_found(change: tuple[str, str], codes: list[str]) -> None:
    found = letters(change)
    assert found[:1] == codes


@pytest.mark.parametrize(
    ("condition", "codes"),
    [
        ("held of player for office is not empty", []),
        ("held of player for office is not empty and hand of player is not empty", []),
        ("held of player for office is empty", ["R251"]),
        ("count of held of player for office < 3", ["R251"]),
        ("held of player for office is not empty or hand of player is empty", ["R251"]),
    ],
)
def test_who_hold_something_is_certain_only_where_it_is_asked_in_every_case(condition: str, codes: list[str]) -> None:
    define = ("define best_letter", f"define fit of player for office: {condition}\ndefine best_letter")
    assert letters((ALL, "players where fit for office"), define)[:1] == codes
