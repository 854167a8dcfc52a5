"""Traversal of machine code: the expressions and statements inside statements and expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import UnionType
from typing import assert_never

from attrs import evolve

from .machine import (
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Expr,
    Fail,
    Finish,
    If,
    Invoke,
    Leave,
    Load,
    Local,
    Lookup,
    Machine,
    Message,
    Note,
    Op,
    Return,
    Routine,
    Say,
    Show,
    Stmt,
    Variable,
    While,
)

WORD = 64  # bits of a set that are handled at once


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside one."""
    match expr:
        case Op() | Invoke():
            return expr.args
        case Load():
            return () if expr.index is None else (expr.index,)
        case Const():
            return ()
        case Lookup():
            return (expr.index,)
        case _:
            assert_never(expr)


def every_expression(expr: Expr) -> Iterator[Expr]:
    """An expression and all inside it, outermost first."""
    stack = [expr]
    while stack:
        outer = stack.pop()
        yield outer
        stack += operands(outer)[::-1]


def said(message: Message | None) -> Iterator[Expr]:
    """The values that a text says."""
    if message is not None:
        for part in message.parts:
            if isinstance(part, Say):
                yield part.value


def expressions(stmt: Stmt) -> Iterator[Expr]:
    """The outermost expressions of a statement, those of its texts too, but not those of statements inside it."""
    match stmt:
        case Assign(value=value, index=index):
            if index is not None:
                yield index
            yield value
        case If(condition=condition) | While(condition=condition):
            yield condition
        case Return(value=value):
            if value is not None:
                yield value
        case Call(args=args):
            yield from args
        case Fail(fault=fault):
            yield from said(fault.message)
        case Show(seats=seats, value=value, text=text):
            yield seats
            yield value
            yield from said(text)
        case Note(text=text, seen=seen, hidden=hidden):
            yield seen
            yield from said(text)
            yield from said(hidden)
        case Choose(player=player, alternatives=alternatives, so_far=so_far):
            yield player
            yield from said(so_far)
            for alternative in alternatives:
                yield alternative.candidates
                yield alternative.legal
                yield alternative.seen
                yield from said(alternative.not_candidate)
                if alternative.piece is not None:
                    yield alternative.piece.value
                for condition_ in (*alternative.outside, *alternative.conditions):
                    yield condition_.test
                    yield from said(condition_.reason)
        case Chance(pool=pool, seen=seen, text=text, hidden=hidden):
            yield pool
            yield seen
            yield from said(text)
            yield from said(hidden)
        case Block() | Leave() | Finish():
            return
        case _:
            assert_never(stmt)


def bodies(stmt: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The sequences of statements directly inside one."""
    match stmt:
        case Assign() | Call() | Return() | Note() | Leave() | Fail() | Finish() | Show() | Chance():
            return ()
        case If(then=then, otherwise=otherwise):
            return then, otherwise
        case While(body=body) | Block(body=body):
            return (body,)
        case Choose(alternatives=alternatives, impossible=impossible):
            return (*(alternative.body for alternative in alternatives), impossible)
        case _:
            assert_never(stmt)


def every_statement(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """The statements of a sequence and all inside them, in the order of the text."""
    stack = list(body[::-1])
    while stack:
        stmt = stack.pop()
        yield stmt
        for inner in reversed(bodies(stmt)):
            stack += inner[::-1]


def decisions(machine: Machine) -> Iterator[Choose]:
    """All places where somebody chooses."""
    for routine in machine.routines.values():
        for stmt in every_statement(routine.body):
            if isinstance(stmt, Choose):
                yield stmt


def replaced(body: Iterable[Stmt], change: Callable[[Stmt], Iterable[Stmt] | None]) -> tuple[Stmt, ...]:
    """The statements with some replaced: ``change`` gives the new ones, or None to look into the statement instead."""
    found: list[Stmt] = []
    for stmt in body:
        changed = change(stmt)
        if changed is not None:
            found += changed
            continue
        match stmt:
            case If(then=then, otherwise=otherwise):
                found.append(evolve(stmt, then=replaced(then, change), otherwise=replaced(otherwise, change)))
            case While(body=inner) | Block(body=inner):
                found.append(evolve(stmt, body=replaced(inner, change)))
            case Choose(alternatives=alternatives, impossible=impossible):
                done = tuple(evolve(a, body=replaced(a.body, change)) for a in alternatives)
                found.append(evolve(stmt, alternatives=done, impossible=replaced(impossible, change)))
            case _:
                found.append(stmt)
    return tuple(found)


def routines_with(routines: Mapping[str, Routine], kinds: type | UnionType) -> set[str]:
    """The routines that hold a statement of these kinds, themselves or in what they call."""
    inside = {name: tuple(every_statement(routine.body)) for name, routine in routines.items()}
    calls = {name: {s.routine for s in statements if isinstance(s, Call)} for name, statements in inside.items()}
    found = {name for name, statements in inside.items() if any(isinstance(s, kinds) for s in statements)}
    while more := {name for name, called in calls.items() if name not in found and called & found}:
        found |= more
    return found


def expressions_within(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    """Every expression anywhere in a sequence of statements."""
    for stmt in every_statement(body):
        for expr in expressions(stmt):
            yield from every_expression(expr)


def size(body: tuple[Stmt, ...], most: int) -> int:
    """How many statements and expressions a sequence has; a variable that is a large set counts once for each of its words.

    Where there are more than ``most``, counting ends: parts that are one object at many places count at each. This is done for
    all that is lowered, so it does as little as it can.
    """
    found = 0
    stack: list[Stmt | Expr] = list(body)
    while stack and found <= most:
        part = stack.pop()
        found += 1
        if isinstance(part, Const):
            continue
        if isinstance(part, Op | Invoke):
            stack += part.args
        elif isinstance(part, Load):
            found += _words(part.variable)
            if part.index is not None:
                stack.append(part.index)
        elif isinstance(part, Lookup):
            stack.append(part.index)
        else:
            if isinstance(part, Assign):
                found += _words(part.variable)
            stack += expressions(part)
            for inner in bodies(part):
                stack += inner
    return found


def _words(variable: Variable) -> int:
    """The words that a set takes beyond the first."""
    return max(0, variable.bits - 1) // WORD


def only_narrates(stmt: Stmt) -> bool:
    """Whether a statement does nothing but tell the story: a note, or a choice between notes.

    It is left out where nothing is told, so its conditions must not be what stops the game.
    """
    match stmt:
        case Note():
            return True
        case If(then=then, otherwise=otherwise):
            return all(only_narrates(inner) for inner in (*then, *otherwise))
        case _:
            return False


def cannot_stop(value: Expr) -> bool:
    """Whether to work a value out never stops the game, so that it can be left out: only functions hold what stops it."""
    return not any(isinstance(part, Invoke) for part in every_expression(value))


def most_rounds(loop: While) -> int:
    """How many rounds a loop can have at the most; 0 where nobody knows."""
    members = members_of(loop)
    return loop.most or (0 if members is None else members.bits)


def members_of(loop: While) -> Local | None:
    """The set that a loop over the members of a set takes them out of; None for any other loop."""
    match loop.condition, loop.body:
        case (
            Op(name="not", args=(Op(name="=", args=(Load(variable=Local() as rest), Const(value=0))),)),
            (
                Assign(variable=member, value=Op(name="first" | "after", args=(Load(variable=source), *_)), index=None),
                Assign(variable=less, value=Op(name="minus", args=(Load(variable=left), Op(name="bit", args=(taken,))))),
                *body,
            ),
        ) if rest == source == less == left and taken == Load(member):
            changed = any(isinstance(stmt, Assign) and stmt.variable == rest for stmt in every_statement(tuple(body)))
            return None if changed else rest
        case _:
            return None


def stops_within(routines: Mapping[str, Routine]) -> int:
    """At how many places routines do one that can stop: each is a number in the record, as each stop is."""
    stops = routines_with(routines, Choose | Chance)
    statements = (stmt for routine in routines.values() for stmt in every_statement(routine.body))
    return sum(1 for stmt in statements if isinstance(stmt, Call) and stmt.routine in stops)


def stopping(routines: Mapping[str, Routine]) -> dict[str, Routine]:
    """The routines with `Routine.stops` filled in."""
    stops = routines_with(routines, Choose | Chance)
    return {name: evolve(routine, stops=name in stops) for name, routine in routines.items()}
