"""Judges a fault: the checker finds it by proof or by play, or the tests in the game do, or it changes nothing, or it is
missed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

from attrs import frozen
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.explored.effort import Effort
from rulesrun.interpreter.checks.explored.exploring import explore
from rulesrun.interpreter.checks.tests import run_test
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.machine.from_table import lower
from rulesrun.interpreter.machine.inspect.show import show
from rulesrun.interpreter.rules import Rules, read_rules
from rulesrun.interpreter.table.sampling.combinations import tables_of

from .making import Mutant

STRENGTHS = ("proved", "exhausted", "explored")  # of what the checker finds


@frozen
class Verdict:
    """``by``: one of `STRENGTHS`, "tests", "nothing", or "the same" for a fault that changes nothing.

    ``code``, ``said``: of the checker's first finding, else the first test that fails. ``tests``: whether one does, where the
    rules can be used at all.
    """

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
        found = next(_findings(rules, seconds), None)
        failed = next(_failing(rules), None)
        if found is not None:
            return Verdict(found.strength, found.code, found.message, failed is not None)
        if failed is not None:
            return Verdict("tests", "", failed, True)
        same = _machines(rules) == _machines(read_rules(folder / f"{mutant.game}.rules"))
        return Verdict("the same" if same else "nothing", "", "", False)


def _failing(rules: Rules) -> Iterator[str]:
    """The titles of the tests that fail; none where the rules cannot be used."""
    if rules.model is not None:
        yield from (test.title for test in rules.model.tests if not run_test(rules.model, test).passed)


def _findings(rules: Rules, seconds: float) -> Iterator[Diagnostic]:
    proved = check(rules).findings
    yield from proved
    if seconds:
        yield from explore(rules, Effort(seconds=seconds), proved).diagnostics


def _machines(rules: Rules) -> list[str]:
    """The machines of all tables that are checked, as they are printed."""
    tables = [each.found.table for each in tables_of(rules.required()).tables]
    machines = [lower(table).machine for table in tables if table is not None]
    return [show(machine, ()) for machine in machines if machine is not None]
