"""What came of the tests in a file, and how long did each take?"""

from __future__ import annotations

from time import perf_counter

from attrs import frozen

from ..diagnostics import Diagnostic
from ..play.testing import TestResult, run_test
from ..rules import Rules


@frozen
class Timed:
    """One test; ``seconds`` that it took."""

    result: TestResult
    seconds: float


@frozen
class TestedFile:
    """A file's tests, in order. ``diagnostics``: why it has none that can be run."""

    __test__ = False  # for pytest: this is none of its classes

    path: str
    tests: tuple[Timed, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def passed(self) -> int:
        return sum(each.result.passed for each in self.tests)

    @property
    def failed(self) -> int:
        return len(self.tests) - self.passed


def tested(rules: Rules) -> TestedFile:
    """Run every test of a file, in order."""
    if rules.model is None:
        return TestedFile(rules.path, (), rules.diagnostics)
    found = []
    for test in rules.model.tests:
        start = perf_counter()
        result = run_test(rules.model, test)
        found.append(Timed(result, perf_counter() - start))
    return TestedFile(rules.path, tuple(found), ())
