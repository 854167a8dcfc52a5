"""The closures of expressions agree with the meaning of the operators.

The other side is a naive evaluator that walks the tree, with Python's own sets for sets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.analysis.widths import bits_of
from rulesrun.interpreter.machine.machine import Const, Constants, Expr, Field, Invoke, Load, Lookup, Op, OpName
from rulesrun.interpreter.machine.reference.executor import Executor

from .tables import Build, op

BITS = 70  # more than a word of 64
NUMBERS = Field("numbers", "game", 4, -50, 50)
ONE = Field("one", "game", 1, 0, 3)
SETS = Field("sets", "game", 4, bits=BITS)
WHOLE = Field("whole", "game", bits=BITS)
TABLE = Constants("table", (7, -3, 0, 12))
SET_TABLE = Constants("set table", (0, 1 << 69, 0b1011, (1 << 70) - 1), BITS)

small = st.builds(Const, st.integers(-30, 30))
picked = st.builds(Const, st.integers(0, 3)) | st.just(Load(ONE)) | st.just(op("mod", Load(NUMBERS, Const(1)), 4))
bit_numbers = st.builds(Const, st.integers(0, BITS - 1)) | st.builds(lambda part: op("+", part, 60), picked)
simple_numbers = (
    small
    | st.just(Load(ONE))
    | st.builds(Load, st.just(NUMBERS), picked)
    | st.builds(Lookup, st.just(TABLE), picked)
    | st.builds(lambda part: Load(NUMBERS, op("-", op("+", part, 1), 1)), picked)
)
simple_sets = (
    st.just(Load(WHOLE))
    | st.builds(Load, st.just(SETS), picked)
    | st.builds(Lookup, st.just(SET_TABLE), picked)
    | st.builds(lambda part: op("bit", part), bit_numbers)
)


def several(name: OpName, parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.lists(parts, min_size=2, max_size=4).map(lambda args: Op(name, tuple(args)))


def binary(names: list[OpName], parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.builds(lambda name, a, b: Op(name, (a, b)), st.sampled_from(names), parts, parts)


def choice(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.builds(lambda c, a, b: Op("if", (c, a, b)), st.deferred(lambda: conditions), parts, parts)


numbers: st.SearchStrategy[Expr] = st.deferred(
    lambda: (
        simple_numbers
        | binary(["-"], numbers)
        | several("+", numbers)
        | several("min", numbers)
        | several("max", numbers)
        | st.builds(lambda a, b: op("*", a, b), simple_numbers, small)
        | st.builds(
            lambda name, a, b: Op(name, (a, Const(b))),
            st.sampled_from(["div", "div up", "mod"]),
            numbers,
            st.integers(-9, 9).filter(bool),
        )
        | choice(numbers)
        | st.builds(lambda name, a: op(name, a), st.sampled_from(["count", "first"]), sets)
        | st.builds(lambda a, b: op("after", a, b), sets, bit_numbers)
        | st.builds(lambda a, b: Invoke("less", (a, b)), numbers, numbers)
        | conditions
    )
)
sets: st.SearchStrategy[Expr] = st.deferred(
    lambda: (
        simple_sets
        | several("union", sets)
        | several("intersect", sets)
        | several("flip", sets)
        | binary(["minus"], sets)
        | choice(sets)
        | st.builds(lambda part, by: op("left", op("union", part, Load(WHOLE)), by), sets, st.integers(0, 80))
        | st.builds(lambda part, by: op("right", part, by), sets, st.integers(0, 80))
        | st.builds(lambda part: Invoke("others", (part,)), sets)
    )
)
conditions: st.SearchStrategy[Expr] = st.deferred(
    lambda: (
        st.builds(Const, st.integers(0, 1))
        | binary(["=", "<", "<="], numbers)
        | binary(["="], sets)
        | several("and", conditions)
        | several("or", conditions)
        | st.builds(lambda part: op("not", part), conditions)
        | st.builds(lambda a, b: op("has", a, b), sets, bit_numbers)
    )
)

Value = int | frozenset[int]
State = dict[Field, list[Value]]


def as_set(bits: int) -> frozenset[int]:
    return frozenset(bit for bit in range(bits.bit_length()) if bits >> bit & 1)


def walk(expr: Expr, state: State) -> Value:
    """The value by the definitions."""

    def number(part: Expr) -> int:
        value = walk(part, state)
        assert isinstance(value, int)
        return value

    def members(part: Expr) -> frozenset[int]:
        value = walk(part, state)
        assert isinstance(value, frozenset)
        return value

    match expr:
        case Const(value=value):
            return value
        case Load(variable=Field() as field, index=index):
            return state[field][0 if index is None else number(index)]
        case Load():
            raise AssertionError("no locals here")
        case Lookup(table=table, index=index):
            value = table.values[number(index)]
            return as_set(value) if table.bits else value
        case Invoke(function="less", args=(a, b)):
            return number(a) - number(b)
        case Invoke(args=(part,)):
            return frozenset(range(BITS)) - members(part)
        case Invoke():
            raise AssertionError("no other function")
        case Op(name=name, args=args):
            return operator(name, args, number, members, lambda part: walk(part, state))
        case _:
            assert_never(expr)


def operator(
    name: OpName,
    args: tuple[Expr, ...],
    number: Callable[[Expr], int],
    members: Callable[[Expr], frozenset[int]],
    either: Callable[[Expr], Value],
) -> Value:
    match name:
        case "+":
            return sum(map(number, args))
        case "-":
            return number(args[0]) - number(args[1])
        case "*":
            return number(args[0]) * number(args[1])
        case "div" | "mod" | "div up":
            a, b = number(args[0]), number(args[1])
            down = int(a / b) - (1 if a % b and (a < 0) != (b < 0) else 0)
            return {"div": down, "mod": a - b * down, "div up": down + (1 if a % b else 0)}[name]
        case "min":
            return min(map(number, args))
        case "max":
            return max(map(number, args))
        case "=":
            return int(either(args[0]) == either(args[1]))
        case "<":
            return int(number(args[0]) < number(args[1]))
        case "<=":
            return int(number(args[0]) <= number(args[1]))
        case "and":
            return int(all(map(number, args)))
        case "or":
            return int(any(map(number, args)))
        case "not":
            return 1 - number(args[0])
        case "if":
            return either(args[1] if number(args[0]) else args[2])
        case "union":
            return frozenset().union(*map(members, args))
        case "intersect":
            return frozenset.intersection(*map(members, args))
        case "minus":
            return members(args[0]) - members(args[1])
        case "flip":
            found: frozenset[int] = frozenset()
            for part in args:
                found = found ^ members(part)
            return found
        case "bit":
            return frozenset([number(args[0])])
        case "has":
            return int(number(args[1]) in members(args[0]))
        case "count":
            return len(members(args[0]))
        case "first":
            return min(members(args[0]), default=-1)
        case "after":
            from_there = [bit for bit in members(args[0]) if bit >= number(args[1])]
            return min(from_there or members(args[0]), default=-1)
        case "left":
            return frozenset(bit + number(args[1]) for bit in members(args[0]) if bit + number(args[1]) < BITS)
        case "right":
            return frozenset(bit - number(args[1]) for bit in members(args[0]) if bit >= number(args[1]))
        case _:
            assert_never(name)


def compute(expr: Expr, bits: int, contents: list[tuple[Field, list[int]]]) -> tuple[int, bool]:
    """What the executor makes of an expression, as a value and as a condition."""
    build = Build()
    build.fields = [NUMBERS, ONE, SETS, WHOLE]
    a, b, part = build.local("a"), build.local("b"), build.local("part", BITS)
    build.function("less", [a, b], op("-", Load(a), Load(b)))
    build.function("others", [part], op("minus", (1 << BITS) - 1, Load(part)), bits=BITS)
    build.function("it", [], expr, bits=bits)
    machine = build.machine()
    executor = Executor(machine)
    cells = executor.fresh()
    for field, values in contents:
        slot = machine.layout.record[field].slot
        cells[slot : slot + len(values)] = values
    return executor.evaluate(cells, "it"), bool(executor._closures.test(expr)(cells))


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.tuples(numbers, st.just(0)) | st.tuples(sets, st.just(BITS)),
    st.lists(st.integers(-50, 50), min_size=4, max_size=4),
    st.integers(0, 3),
    st.lists(st.integers(0, (1 << BITS) - 1), min_size=5, max_size=5),
)
def test_closures_agree_with_the_definitions(typed: tuple[Expr, int], number: list[int], one: int, whole: list[int]) -> None:
    expr, bits = typed
    state: State = {
        NUMBERS: list(number),
        ONE: [one],
        SETS: [as_set(value) for value in whole[:4]],
        WHOLE: [as_set(whole[4])],
    }
    expected = walk(expr, state)
    value, holds = compute(expr, bits, [(NUMBERS, number), (ONE, [one]), (SETS, whole[:4]), (WHOLE, whole[4:])])
    assert (as_set(value) if bits else value) == expected
    assert type(value) is int
    assert holds == bool(expected)


def test_a_call_within_the_arguments_of_the_same_function() -> None:
    inner = Invoke("less", (Const(10), Const(3)))
    assert compute(Invoke("less", (inner, Invoke("less", (Const(1), inner)))), 0, [])[0] == 7 - (1 - 7)


def test_expressions_may_be_long_and_deep() -> None:
    long, deep = Op("+", (Load(ONE),) * 1000), Load(ONE)
    for _ in range(120):  # Python's own parser does not go so deep
        deep = op("-", 1, op("max", deep, 0))
    assert compute(long, 0, [(ONE, [3])])[0] == 3000
    assert compute(deep, 0, [(ONE, [1])])[0] == 1


def test_widths_follow_from_variables_and_tables() -> None:
    functions = Build().machine().functions
    assert bits_of(op("union", op("bit", 3), Load(WHOLE)), functions) == BITS
    assert bits_of(op("if", 1, Const(0), Lookup(SET_TABLE, Const(0))), functions) == BITS
    assert bits_of(op("left", Load(SETS, Const(1)), 2), functions) == BITS
    assert bits_of(op("count", Load(WHOLE)), functions) == 0
    assert bits_of(op("bit", 3), functions) == 0


@pytest.mark.parametrize("name", ["and", "or"])
def test_and_or_evaluate_no_more_than_they_need(name: OpName) -> None:
    broken = op("=", op("div", 1, 0), 0)
    known = Const(0 if name == "and" else 1)
    assert compute(Op(name, (known, broken)), 0, []) == (known.value, bool(known.value))
