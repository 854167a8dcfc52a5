"""Removes stores to fields whose values can make no difference in a module of playouts.

Where pieces lie is kept twice on a grid, as pieces and as cells, and most rules ask for the cells alone. A field counts as read
if an expression that is evaluated in a playout reads it, unless the expression only keeps fields up to date: the value of a store
to the field itself, or to another field that is not read. This is dead code elimination by mark and sweep (Cooper and Torczon,
*Engineering a Compiler*, 10.2), by fields and without the order of statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve

from ...machine.machine import (
    Assign,
    Call,
    Chance,
    Choose,
    Expr,
    Fail,
    Field,
    Finish,
    If,
    Invoke,
    Load,
    Machine,
    Note,
    Routine,
    Show,
    Stmt,
)
from ...machine.traverse import cannot_stop, every_expression, every_statement, expressions, expressions_within, replaced


def without_dead_stores(machine: Machine) -> Machine:
    """A machine without these stores, of the same games with the same rows; in its records, fields that nobody reads hold any
    value.
    """
    routines = machine.routines
    read = set(_scored(machine))
    while True:
        kept = {name: _without(routines, routine, read) for name, routine in routines.items()}
        more = {
            field
            for body in kept.values()
            for stmt in every_statement(body)
            for expr in _evaluated(stmt)
            for field in _fields(machine, every_expression(expr))
        }
        if more <= read:
            return evolve(machine, routines={name: evolve(routine, body=kept[name]) for name, routine in routines.items()})
        read |= more


def _scored(machine: Machine) -> Iterator[Field]:
    """What decides over the winner, the scores and the returns."""
    asked = {machine.winner, "score", "score of team", machine.returns, *(term.function for term in machine.terms)}
    for name in asked & machine.functions.keys():
        yield from _fields(machine, expressions_within(machine.functions[name].body))


def _fields(machine: Machine, parts: Iterable[Expr]) -> Iterator[Field]:
    """The fields that expressions and the functions in them read."""
    for part in parts:
        if isinstance(part, Load) and isinstance(part.variable, Field):
            yield part.variable
        elif isinstance(part, Invoke):
            yield from _fields(machine, expressions_within(machine.functions[part.function].body))


def _without(routines: Mapping[str, Routine], routine: Routine, read: set[Field]) -> tuple[Stmt, ...]:
    """The body of a routine, without what is left out if these are the fields that are read."""
    if not _matters(routines, routine, read):
        return routine.body  # nobody would see any more that it is left out anyway (`Rounds.free`)
    return replaced(routine.body, lambda stmt: () if _is_dead(stmt, read) else None)


def _matters(routines: Mapping[str, Routine], routine: Routine, read: set[Field]) -> bool:
    """Whether a routine does more than to keep what seats know, and what is not read."""
    for stmt in every_statement(routine.body):
        match stmt:
            case Assign(variable=Field(region=region) as field):
                found = region != "knowledge" and field in read
            case Call(routine=name):
                found = _matters(routines, routines[name], read)
            case _:
                found = isinstance(stmt, Choose | Chance | Fail | Finish | Show)
        if found:
            return True
    return False


def _is_dead(stmt: Stmt, read: set[Field]) -> bool:
    """Whether a statement makes no difference. What could stop the game, and loops in functions that count, are kept."""
    match stmt:
        case Assign(variable=Field() as field, value=value, index=index):
            return field not in read and cannot_stop(value) and (index is None or cannot_stop(index))
        case If(condition=condition, then=then, otherwise=otherwise):
            inside = (*then, *otherwise)
            return cannot_stop(condition) and all(isinstance(s, Note) or _is_dead(s, read) for s in inside)
        case _:
            return False


def _evaluated(stmt: Stmt) -> Iterator[Expr]:
    """The expressions of a statement that a playout asks: those of texts and of who sees what only where they could stop it."""
    match stmt:
        case Note() | Fail():
            return
        case Show(seats=seats, value=value):
            if not (cannot_stop(seats) and cannot_stop(value)):
                yield from (seats, value)
        case Chance(pool=pool, seen=seen):
            yield pool
            if not cannot_stop(seen):
                yield seen
        case Choose(player=player, alternatives=alternatives):
            yield player
            for alternative in alternatives:
                yield from (alternative.candidates, alternative.legal)
                yield from (condition.test for condition in (*alternative.outside, *alternative.conditions))
                if not cannot_stop(alternative.seen):
                    yield alternative.seen
        case _:
            yield from expressions(stmt)
