"""The numbers that can be chosen: the masks, against testing every number in plain Python."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.reference.executor import Executor

from ..pipeline import machine_of, small

LOW, HIGH = 2, 9


@frozen
class Asked:
    """A condition as the language says it, and as Python computes it of a number, ``n`` and ``m`` (None: none)."""

    text: str
    holds: Callable[[int, int, int | None], bool]


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "is": lambda a, b: a == b,
    "is not": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "at least": lambda a, b: a >= b,
    "at most": lambda a, b: a <= b,
}


@st.composite
def atoms(draw: st.DrawFn) -> Asked:
    op = draw(st.sampled_from(list(COMPARE)))
    test, constant = COMPARE[op], draw(st.integers(0, 12))
    return draw(
        st.sampled_from(
            [
                Asked(f"number {op} {constant}", lambda x, n, m: test(x, constant)),
                Asked(f"{constant} {op} number", lambda x, n, m: test(constant, x)),
                Asked(f"number {op} n + 2", lambda x, n, m: test(x, n + 2)),
                Asked(f"n - 3 {op} number", lambda x, n, m: test(n - 3, x)),
                Asked(f"number {op} m", lambda x, n, m: op == "is not" if m is None else test(x, m)),
                Asked(f"number mod 3 {op} 1", lambda x, n, m: test(x % 3, 1)),
                Asked(f"n {op} {constant}", lambda x, n, m: test(n, constant)),
                Asked("m is none", lambda x, n, m: m is None),
                Asked("m is none or number > m + 1", lambda x, n, m: m is None or x > m + 1),
            ]
        )
    )


def joined(parts: st.SearchStrategy[Asked]) -> st.SearchStrategy[Asked]:
    return st.one_of(
        st.builds(lambda a: Asked(f"not ({a.text})", lambda x, n, m: not a.holds(x, n, m)), parts),
        st.builds(
            lambda a, b: Asked(f"({a.text}) and ({b.text})", lambda x, n, m: a.holds(x, n, m) and b.holds(x, n, m)), parts, parts
        ),
        st.builds(
            lambda a, b: Asked(f"({a.text}) or ({b.text})", lambda x, n, m: a.holds(x, n, m) or b.holds(x, n, m)), parts, parts
        ),
    )


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.recursive(atoms(), joined, max_leaves=5), min_size=1, max_size=2),
    st.integers(0, 9),
    st.one_of(st.none(), st.integers(0, 9)),
)
def test_the_numbers_that_fit(asked: list[Asked], n: int, m: int | None) -> None:
    only = "\n".join(f"        only if {each.text}" for each in asked)
    lines = f"""set n to {n}
set m to {"none" if m is None else m}
player 1 chooses
    name a number from {LOW}..n
{only}
        nothing
    pass: nothing"""
    machine = machine_of(small("counter n: 0..9\nmarker m: 0..9 or none", lines), 1)
    executor = Executor(machine)
    cells = executor.fresh()
    executor.enter(cells)
    group = next(g for g in machine.groups if g.verb == "name")
    named = [group.values(o - group.base)[0] for o in executor.options(cells) if group.base <= o < group.base + group.size]
    assert named == [x for x in range(LOW, n + 1) if all(each.holds(x, n, m) for each in asked)]
