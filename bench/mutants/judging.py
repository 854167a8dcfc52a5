"""What finds a fault: the checker, by proof or by play, or the tests that stand in the game; or does it change nothing?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

from attrs import frozen
from rulesrun.interpreter.checks.combinations import tables_of
from rulesrun.interpreter.checks.played.exploring import Effort, explore
from rulesrun.interpreter.checks.tables import check
from rulesrun.interpreter.diagnostics import Diagnostic
from rulesrun.interpreter.machine.from_table import lower
from rulesrun.interpreter.machine.show import show
from rulesrun.interpreter.play.testing import run_tests
from rulesrun.interpreter.rules import Rules, read_rules

from .making import Mutant


@frozen
class Verdict:
    """``by``: "proved", "explored", "exhausted", "tests", "nothing", or "the same" for a fault that changes nothing.

    ``code``, ``said``: of the first finding. ``tests``: whether a test fails, where the rules can be used at all.
    """

    mutant: Mutant
    by: str
    code: str
    said: str
    tests: bool


def judge(mutant: Mutant, folder: Path, seconds: float) -> Verdict:
    """Give a fault to the checker, which may explore for so many seconds, and to the tests. ``folder``: where the games are."""
    with tempfile.TemporaryDirectory() as elsewhere:
        games = Path(elsewhere) / "games"
        copytree(folder, games)
        (games / mutant.file).write_text(mutant.text, encoding="utf-8")
        rules = read_rules(games / f"{mutant.game}.rules")
        first = next(_findings(rules, seconds), None)
        tests = rules.model is not None and not all(result.passed for result in run_tests(rules))
        if first is not None:
            return Verdict(mutant, first.strength, first.code, first.message, tests)
        if tests:
            return Verdict(mutant, "tests", "", "", True)
        same = _machines(rules) == _machines(read_rules(folder / f"{mutant.game}.rules"))
        return Verdict(mutant, "the same" if same else "nothing", "", "", False)


def _findings(rules: Rules, seconds: float) -> Iterator[Diagnostic]:
    proved = check(rules).findings
    yield from proved
    yield from explore(rules, Effort(seconds=seconds), proved).diagnostics


def _machines(rules: Rules) -> list[str]:
    """The machines of all tables that are checked, as they are printed."""
    tables = [each.found.table for each in tables_of(rules.required()).tables]
    machines = [lower(table).machine for table in tables if table is not None]
    return [show(machine, ()) for machine in machines if machine is not None]
