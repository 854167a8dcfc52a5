"""Between which numbers a value lies: what loops take out of sets is a member."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.machine.machine import Assign, Const, Load, Stmt, While
from rulesrun.interpreter.machine.ranges import Ranges

from .tables import LOOP, Build, op


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
