"""Lowers the end of a game of a match in the middle of a step.

``end game`` ends everything, as the machine's `Finish` does. In a match another game comes after it. So it becomes a way back
through all running routines: a flag is set, the routine returns, and behind each call of a routine that may have set the flag its
caller tests it and returns as well. Routines never call themselves, so this is finite and small.

Before and after::

    routine phase rounds                     routine phase rounds
        call step turn                           call step turn
        coins = coins + 1                        if game is ended
                                                     return
    routine step turn                            coins = coins + 1
        if deck = {}
            finish                           routine step turn
                                                 if deck = {}
                                                     game is ended = 1
                                                     return
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from attrs import evolve

from ...machine import (
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Fail,
    Field,
    Finish,
    If,
    Leave,
    Load,
    Note,
    Return,
    Routine,
    Show,
    Stmt,
    While,
)
from ...traverse import routines_with


def may_end(routines: Mapping[str, Routine]) -> set[str]:
    """The routines in which the game can end, themselves or in what they call."""
    return routines_with(routines, Finish)


def unwound(routines: Mapping[str, Routine], flag: Field) -> dict[str, Routine]:
    """The routines with the end of the game as a way back; ``flag`` is 1 on this way."""
    ending = may_end(routines)

    def inside(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(new for stmt in body for new in changed(stmt))

    def changed(stmt: Stmt) -> tuple[Stmt, ...]:
        match stmt:
            case Finish():
                return Assign(flag, Const(1)), Return()
            case Call(routine=routine) if routine in ending:
                return stmt, If(Load(flag), (Return(),))
            case If(then=then, otherwise=otherwise):
                return (evolve(stmt, then=inside(then), otherwise=inside(otherwise)),)
            case While(body=body) | Block(body=body):
                return (evolve(stmt, body=inside(body)),)
            case Choose(alternatives=alternatives, impossible=impossible):
                offered = tuple(evolve(each, body=inside(each.body)) for each in alternatives)
                return (evolve(stmt, alternatives=offered, impossible=inside(impossible)),)
            case Assign() | Leave() | Return() | Call() | Fail() | Show() | Note() | Chance():
                return (stmt,)
            case _:
                assert_never(stmt)

    return {name: evolve(each, body=inside(each.body)) if name in ending else each for name, each in routines.items()}
