"""Finds the routines that can stop for a decision or a chance event, themselves or in a call."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from ...machine import Call, Chance, Choose, Routine
from ...traverse import every_statement, routines_with


def stops_within(routines: Mapping[str, Routine]) -> int:
    """At how many places routines do one that can stop: each is a number in the record, as each stop is."""
    stops = routines_with(routines, Choose | Chance)
    statements = (stmt for routine in routines.values() for stmt in every_statement(routine.body))
    return sum(1 for stmt in statements if isinstance(stmt, Call) and stmt.routine in stops)


def stopping(routines: Mapping[str, Routine]) -> dict[str, Routine]:
    """The routines with `Routine.stops` filled in."""
    stops = routines_with(routines, Choose | Chance)
    return {name: evolve(routine, stops=name in stops) for name, routine in routines.items()}
