"""Ranges of values: a member of a set is not none, and none does not come through where it is refused."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.common.intervals import Interval
from rulesrun.interpreter.machine.analysis.ranges import Ranges
from rulesrun.interpreter.machine.machine import NONE, Assign, Const, Expr, If, Invoke, Load, Stmt, While

from .tables import LOOP, Build, fail, op


@pytest.mark.parametrize("value", [5, -1])
def test_a_member_of_a_set_is_not_none(value: int) -> None:
    build = Build()
    rest, bit, first = build.local("rest", bits=6), build.local("bit"), build.local("first")
    take: list[Stmt] = [
        Assign(bit, op("first", Load(rest))),
        Assign(rest, op("minus", Load(rest), op("bit", Load(bit)))),
    ]
    goes_on = op("not", op("=", Load(rest), 0))
    build.routine("main", [], Assign(rest, Const(0b101)), Assign(first, op("first", Load(rest))), While(goes_on, (*take,), LOOP))
    build.routine("other", [], Assign(bit, Const(value)), Assign(rest, Load(rest)))
    ranges = Ranges(build.machine("main", "other"))
    assert ranges.known(Load(bit)) == (min(0, value), 5)
    assert ranges.known(Load(first)) == (-1, 5)


@pytest.mark.parametrize(("refused", "found"), [(NONE, (0, 7)), (3, (-1, 7))])
def test_none_does_not_come_through_where_it_stops_the_game(refused: int, found: Interval) -> None:
    build = Build()
    given, slot = build.local("given"), build.field("slot", low=-1, high=7)
    build.function("checked", [given], If(op("=", Load(given), refused), (fail("R610"),)), Load(given))
    checked: Expr = Invoke("checked", (Load(slot),))
    build.routine("main", [], Assign(slot, checked))
    assert Ranges(build.machine("main")).known(checked) == found
