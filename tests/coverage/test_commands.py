"""The commands with coverage: what is printed, what it is as json, and when they fail."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from rulesrun.interpreter.checks.one_table import findings_at
from rulesrun.interpreter.coverage.coverage import coverage_of, percent
from rulesrun.interpreter.coverage.page import page
from rulesrun.interpreter.coverage.playing import by_tests
from rulesrun.interpreter.rules import read_rules

from ..cli.commands import rulesrun
from ..pipeline import GAMES
from ..reports.schemas import faults, unnoticed
from .test_coverage import SHOP, TESTS


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("shop.rules").write_text(SHOP.lstrip() + TESTS, encoding="utf-8")
    return "shop.rules"


@pytest.mark.slow_cases("kingdomino", "masti")
@pytest.mark.parametrize("name", ["masti", "kingdomino"])
def test_the_tests_of_a_shipped_game_reach_all_of_it(name: str) -> None:
    rules = read_rules(GAMES / f"{name}.rules")
    coverage = coverage_of(rules.path, rules.required(), by_tests(rules, findings_at)[1])
    assert coverage.percent == 100, "\n".join(line.plain for line in page(coverage))


@pytest.mark.slow
def test_tests_are_listed_with_a_column_and_checks_with_two(shop: str) -> None:
    told = rulesrun("test", shop, "--coverage")
    assert told.exit_code == 0
    assert "\n  2/4  " in told.stdout
    assert "shop.rules: 1 test reaches 76.3 % of the rules\n" in told.stdout
    assert "\nnever the case:\n  line 14  3 if generous\n" in told.stdout
    both = rulesrun("check", shop, "--coverage", "--ignore", "R3")
    assert both.exit_code == 0
    assert both.stdout.startswith("tests")
    assert both.stdout.splitlines()[0].split()[:2] == ["tests", "games"]
    assert "\nrows that nothing asked for:\n  line 9  `price` for 2\n" in both.stdout
    proved = rulesrun("check", shop, "--coverage", "--proved", "--ignore", "R3")
    assert "shop.rules: 1 test reaches 76.3 % of the rules\n" in proved.stdout


def test_without_coverage_nothing_of_it_is_printed(shop: str) -> None:
    assert rulesrun("test", shop).stdout == "shop.rules: . 1 of 1 passed\n1 passed, 0 failed, in 1 file\n"


@pytest.mark.slow
@pytest.mark.parametrize(("least", "code"), [("76", 0), ("76.4", 1), ("0", 0), ("100%", 1)])
def test_a_share_that_must_be_reached(shop: str, least: str, code: int) -> None:
    found = rulesrun("test", shop, "--coverage-at-least", least)
    assert found.exit_code == code
    assert ("error[R395]" in found.stderr) == bool(code)
    checked = rulesrun("check", shop, "--proved", "--select", "R395", "--coverage-at-least", least)
    assert checked.exit_code == code
    assert ("error[R395]" in checked.stdout) == bool(code)


def test_a_share_that_there_is_no_time_to_count_is_not_reached(shop: str) -> None:
    found = rulesrun("check", shop, "--select", "R395", "--coverage-at-least", "1", "--max-seconds", "0.000001")
    assert found.exit_code == 1
    assert f"error[R395]: there was no time to see how much of `{shop}` is reached, and 1 % are asked for" in found.stdout


@pytest.mark.parametrize(("command", "form"), [("check", "sarif"), ("check", "github"), ("test", "junit")])
def test_a_format_without_a_place_for_coverage(shop: str, command: str, form: str) -> None:
    found = rulesrun(command, shop, "--coverage", "--format", form)
    assert found.exit_code == 2
    assert f"`--format {form}` has no place for that" in found.stderr


@pytest.mark.parametrize("least", ["101", "-1", "much", "nan", ""])
def test_a_share_that_is_none(shop: str, least: str) -> None:
    found = rulesrun("test", shop, "--coverage-at-least", least)
    assert found.exit_code == 2
    assert "is a number of percent, from 0 to 100" in found.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", [("test",), ("check", "--ignore", "R3")])
def test_json_is_as_the_schema_says(shop: str, command: tuple[str, ...]) -> None:
    data = json.loads(rulesrun(*command, shop, "--coverage", "--format", "json").stdout)
    assert faults(command[0], data) == []
    assert unnoticed(command[0], data) == []
    (found,) = data["coverage"]
    assert faults("coverage", found) == []
    assert sum(share["of"] for share in found["shares"]) == 38


def test_a_file_that_cannot_be_read_has_no_coverage(shop: str) -> None:
    Path("broken.rules").write_text("game\n", encoding="utf-8")
    found = rulesrun("test", "broken.rules", shop, "--coverage", "--coverage-at-least", "50")
    assert found.exit_code == 1
    assert found.stdout.count("of the rules\n") == 1


def test_colours_mark_what_was_never_reached(shop: str) -> None:
    rules = read_rules(shop)
    lines = list(page(coverage_of(rules.path, rules.required(), by_tests(rules, findings_at)[1])))
    (never,) = [line for line in lines if line.text.endswith("| variant tax")]
    assert never.coloured == f"\x1b[31m{never.plain}\x1b[0m"
    (partly,) = [line for line in lines if "end game" in line.text and "|" in line.text]
    assert partly.coloured == f"\x1b[33m{partly.margin}\x1b[0m{partly.text}"


def test_only_all_is_100_percent() -> None:
    assert [percent(Fraction(100 * part, 100_000)) for part in (0, 1, 50_000, 99_999, 100_000)] == [
        "0 %",
        "0.1 %",
        "50.0 %",
        "99.9 %",
        "100 %",
    ]
