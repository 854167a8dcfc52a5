"""Members of bit sets are listed and selected correctly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.bitsets import lowest, lowest_from, members, select

SETS = st.frozensets(st.integers(0, 400))


def bits(numbers: frozenset[int]) -> int:
    return sum(1 << number for number in numbers)


@given(SETS, st.integers(0, 1000))
def test_members_ascend(numbers: frozenset[int], base: int) -> None:
    assert members(bits(numbers), base) == [base + number for number in sorted(numbers)]


@given(SETS)
def test_select_is_the_kth_member(numbers: frozenset[int]) -> None:
    assert [select(bits(numbers), k) for k in range(len(numbers))] == sorted(numbers)


@pytest.mark.slow
@given(SETS, st.integers(0, 410))
def test_lowest_bits(numbers: frozenset[int], n: int) -> None:
    assert lowest(bits(numbers)) == min(numbers, default=-1)
    above = [number for number in numbers if number >= n]
    assert lowest_from(bits(numbers), n) == min(above or numbers, default=-1)
