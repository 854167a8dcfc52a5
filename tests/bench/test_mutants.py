"""Faults made by a script: each is one fault, and what finds it is told and kept as it is."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest
from rulesrun.bench.mutants.judging import Verdict, judge
from rulesrun.bench.mutants.keeping import keep, kept, key_of
from rulesrun.bench.mutants.making import Mutant, mutants
from rulesrun.bench.mutants.telling import listed, told

GAMES = Path(__file__).parents[2] / "games"
ALL = 1_000_000


def made(game: str) -> list[Mutant]:
    return mutants(GAMES / f"{game}.rules", ALL)


@pytest.mark.parametrize("game", ["masti", "kingdomino", "for_the_king"])
def test_a_fault_is_one_place_of_a_game_and_not_of_its_tests(game: str) -> None:
    faults = made(game)
    assert len(faults) == len(set(faults)) > 200
    for fault in faults[::7]:
        before = (GAMES / fault.file).read_text(encoding="utf-8").splitlines()
        lines = list(unified_diff(before, fault.text.splitlines(), lineterm="", n=0))[2:]
        assert sum(line.startswith("@@") for line in lines) == 1, listed(fault, Verdict("", "", "", False))
        assert before[fault.line - 1] == fault.before
        assert not any(line.startswith(("+test", "-test", "+    expect", "-    expect")) for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "before", "by"),
    [
        ("misspelt name", "    move card to played of player", "proved"),
        ("turned ranking", "winner highest score", "tests"),
        ("wrong count", "    rank: 1..13", "the same"),  # it says 0..13, and no card has a 0
    ],
)
def test_what_finds_a_fault(family: str, before: str, by: str) -> None:
    fault = next(each for each in made("masti") if each.family == family and before in each.before)
    assert judge(fault, GAMES, seconds=0).by == by


def test_verdicts_are_kept_for_the_same_rules_and_seconds(tmp_path: Path) -> None:
    one, other = made("kingdomino")[:2]
    results = tmp_path / "results"
    verdict = Verdict("proved", "R301", "`größer`\n", True)
    assert kept(results) == {}
    keep(results, key_of(one, GAMES, 8), verdict)
    assert kept(results) == {key_of(one, GAMES, 8): verdict}
    assert len({key_of(one, GAMES, 8), key_of(other, GAMES, 8), key_of(one, GAMES, 9)}) == 3


def test_shares_are_of_what_changes_the_game() -> None:
    verdicts = ("proved", "explored", "tests", "tests", "nothing", "the same")
    faults = dict(zip(made("kingdomino"), (Verdict(by, "", "", by == "tests") for by in verdicts), strict=False))
    lines = told(faults).splitlines()
    assert " ".join(lines[2].split()) == "| kingdomino | 5 | 1 | | 1 | 2 (40%) | 2 (67%) | 1 |"
    assert lines[-1] == "6 faults, of which 1 change nothing; the tests alone find 2 of the others."
    fault = next(iter(faults))
    assert listed(fault, faults[fault]).splitlines()[0] == f"games/{fault.file}:{fault.line}: {fault.family}: proved"
