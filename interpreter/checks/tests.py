"""Runs the tests in a rules file, with the checks that some of them ask for."""

from __future__ import annotations

from ..machine.reference.executor import Executor
from ..model.model import Model, Test
from ..rules import Rules
from ..testing.prepared_tests import prepare
from ..testing.testing import TestResult, run_prepared
from .one_table import findings_at


def run_tests(rules: Rules) -> tuple[TestResult, ...]:
    """Run every test of a file, in order. Raises `RulesError` when the rules have errors."""
    whole = rules.required()
    return tuple(run_test(whole, test) for test in whole.tests)


def run_test(whole: Model, test: Test) -> TestResult:
    """Run one test; one that only says what the check finds is not played."""
    ready = prepare(whole, test)
    return run_prepared(whole, test, ready, None if ready.machine is None else Executor(ready.machine), findings_at)
