"""Which routines can stop for a decision or a chance event, themselves or in what they call?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve

from ..machine import Block, Call, Chance, Choose, If, Routine, Stmt, While


def stopping(routines: Mapping[str, Routine]) -> dict[str, Routine]:
    """The same routines with `Routine.stops` filled in."""
    calls = {name: set(_calls(routine.body)) for name, routine in routines.items()}
    stops = {name for name, routine in routines.items() if _stops_itself(routine.body)}
    while True:
        more = {name for name, called in calls.items() if name not in stops and called & stops}
        if not more:
            return {name: evolve(routine, stops=name in stops) for name, routine in routines.items()}
        stops |= more


def _inside(statement: Stmt) -> Iterable[tuple[Stmt, ...]]:
    match statement:
        case If(then=then, otherwise=otherwise):
            yield from (then, otherwise)
        case While(body=body) | Block(body=body):
            yield body
        case Choose(alternatives=alternatives, impossible=impossible):
            yield from (a.body for a in alternatives)
            yield impossible
        case _:
            pass


def _calls(body: tuple[Stmt, ...]) -> Iterable[str]:
    for statement in body:
        if isinstance(statement, Call):
            yield statement.routine
        for inner in _inside(statement):
            yield from _calls(inner)


def _stops_itself(body: tuple[Stmt, ...]) -> bool:
    return any(
        isinstance(s, Choose | Chance) or any(_stops_itself(inner) for inner in _inside(s)) for s in body
    )
