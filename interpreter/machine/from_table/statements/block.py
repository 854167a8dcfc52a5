"""The code of a block of statements, one after the other; how each kind is lowered is registered here (`flow.py`)."""

from __future__ import annotations

from functools import singledispatch

from attrs import evolve

from ....common.source import Span
from ....model import model
from ....model.effects import Simple
from ....model.model import Body, Var
from ....model.visitor import with_following
from ...machine import Stmt
from ..building.builder import Builder, Here, kept
from ..building.lowering import scalar_of
from ..building.values import Env, Spot
from ..components import boards, places


def body(statements: Body, b: Builder, env: Env, here: Here) -> list[Stmt]:
    """The code of a block; a ``let`` is known to what comes after it."""
    env = dict(env)
    code: list[Stmt] = []
    line: Span | None = None  # of the statement before
    for statement, following in with_following(statements):
        named, target, whose = _named(statement, b)
        if target is not None and whose is not None:  # whose it is put to, now: later it is taken from there
            more, owner = kept(scalar_of(whose, b, env).expr, "whose", b)
            code += more
            target = evolve(target, owner=owner)
        if statement.span != line and statement.span not in b.around:  # where one of the rules became several, once
            code += b.mark("statement", statement.span)
        line = statement.span
        b.around.append(statement.span)
        done = statement_code(statement, following, b, env, here)
        if isinstance(statement, Simple) and not isinstance(statement, model.End):
            b.write(done)
        code += done
        b.around.pop()
        env = places.after((statement,), b, env)
        if named is not None and target is not None:
            env[named] = evolve(env[named], spots=(target,))
    return code


def _named(node: model.Statement, b: Builder) -> tuple[Var | None, Spot | None, model.Expr | None]:
    """The name of what a statement moves, where to, and whose that is; None where it has no name."""
    match node:
        case model.Move(what=model.VarValue(var=var), to=to):
            return var, Spot(to.zone), to.owner
        case model.Move(moved=Var() as var, to=to) | model.Draw(moved=Var() as var, to=to):
            return var, Spot(to.zone), to.owner
        case model.Lay(what=model.VarValue(var=var) as what, grid=grid, owner=whose):
            return var, Spot(boards.zone_of(what.type.of, b.table.grids[grid], b).name), whose
        case _:
            return None, None, None


@singledispatch
def statement_code(node: model.Statement, following: model.Statement | None, b: Builder, env: Env, here: Here) -> list[Stmt]:
    """The code of one statement; ``following``: the next one in its block."""
    raise AssertionError(f"no module lowers this: {node}")
