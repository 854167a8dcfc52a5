"""The results of the tests in a file, with their times."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from attrs import evolve, frozen

from ..checks.one_table import findings_at
from ..checks.tests import run_test
from ..common.deadline import patience
from ..common.diagnostics import Diagnostic, RulesError
from ..coverage.coverage import Coverage, coverage_of
from ..coverage.parts import parts_of
from ..coverage.playing import Covered, run_watched
from ..coverage.reached import together
from ..model.model import Model, Test
from ..rules import Rules
from ..simulate.engines.interface import PATIENCE
from ..testing.testing import TestResult


@frozen
class Timed:
    """One test; ``seconds`` that it took."""

    result: TestResult
    seconds: float


@frozen
class TestedFile:
    """A file's tests, in order. ``diagnostics``: why it has none that can be run. ``coverage``: where it was asked for."""

    __test__ = False  # for pytest: this is none of its classes

    path: str
    tests: tuple[Timed, ...]
    diagnostics: tuple[Diagnostic, ...]
    coverage: Coverage | None = None

    @property
    def passed(self) -> int:
        return sum(each.result.passed for each in self.tests)

    @property
    def failed(self) -> int:
        return len(self.tests) - self.passed


def tested(rules: Rules) -> TestedFile:
    """Run every test of a file, in order."""
    return _tested(rules, run_test)


def tested_with_coverage(rules: Rules) -> TestedFile:
    """Run every test of a file, in order, and note what they reach."""
    if rules.model is None:
        return tested(rules)
    parts = parts_of(rules.model)
    reached = []

    def run(whole: Model, test: Test) -> TestResult:
        result, found = run_watched(whole, parts, test, findings_at)
        reached.append(found)
        return result

    file = _tested(rules, run)
    return evolve(file, coverage=coverage_of(rules.path, rules.model, Covered(len(reached), together(reached))))


def _tested(rules: Rules, run: Callable[[Model, Test], TestResult]) -> TestedFile:
    if rules.model is None:
        return TestedFile(rules.path, (), rules.diagnostics)
    found = []
    for test in rules.model.tests:
        start = perf_counter()
        try:
            with patience(f'the test "{test.title}"', PATIENCE):
                result = run(rules.model, test)
        except RulesError as error:
            result = TestResult(test.title, test.span, False, tuple(error.diagnostics), 0)
        found.append(Timed(result, perf_counter() - start))
    return TestedFile(rules.path, tuple(found), ())
