"""Small languages on the command line: a text is understood or refused with one message and a help."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import RulesError, render
from rulesrun.interpreter.machine.columns import Columns
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.simulate.statistics.condition import condition_from
from rulesrun.interpreter.simulate.statistics.statistics import statistics
from rulesrun.interpreter.simulate.statistics.tally import Tally
from rulesrun.interpreter.simulate.sweep import sweep_from

COLUMNS = Columns(4, ("coins", "coins, game 2"), 2)
KNOWN = list(statistics(COLUMNS, Tally.empty(COLUMNS)))
PIECES = st.sampled_from([
    "random", "casual", "rollouts", ":", ",", "=", "..", "5", "-1", "0", "999999999999999999999", "stake", "win_share",
    "terms_mean",
    "[", "]", "[seat 1]", "[coins]", "[coins, game 2]", "[seat 9]", "difference.", ">", "<=", "0.3", " ", "\t", "é", "٣",
])  # fmt: skip
TYPED = st.text(max_size=30) | st.lists(PIECES, max_size=8).map("".join)


def understood_or_refused(read: Callable[[str], object], typed: str) -> None:
    try:
        read(typed)
    except RulesError as error:
        (diagnostic,) = error.diagnostics
        assert diagnostic.code in ("R801", "R805", "R806")
        assert diagnostic.help
        assert render(diagnostic)


@pytest.mark.slow
@given(TYPED)
def test_bots(typed: str) -> None:
    understood_or_refused(lambda text: bots_from(text, 2), typed)


@pytest.mark.slow
@given(TYPED, st.booleans())
def test_conditions(typed: str, of_two: bool) -> None:
    understood_or_refused(lambda text: condition_from(text, KNOWN, of_two), typed)


@pytest.mark.slow
@given(TYPED)
def test_sweeps(typed: str) -> None:
    understood_or_refused(sweep_from, typed)


@pytest.mark.slow
@given(st.sampled_from(KNOWN), st.sampled_from([">", ">=", "<", "<=", "="]), st.decimals(-99, 99, places=3), st.booleans())
def test_every_statistic_can_be_written_in_a_condition(statistic: object, comparison: str, number: object, of_two: bool) -> None:
    text = f"{'difference.' if of_two else ''}{statistic} {comparison} {number}"
    found = condition_from(text, KNOWN, of_two)
    assert (str(found.statistic), found.comparison, found.difference) == (str(statistic), comparison, of_two)
    assert float(found.number) == float(str(number))
