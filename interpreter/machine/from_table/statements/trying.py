"""Lowers ``after this C``: an option is tried out, C is asked, and everything is put back.

What an option does is lowered once more, as a function: it stores to fields, and restores them when it returns
(`Function.restores`). So the question is a value like any other, asked of an option's arguments; who plays, observes or tells
never hears of it. ::

    play a card from hand of player                 function after play(card, player)  restores hand, table
        only if after this count of table < 4           hand[player] = hand[player] minus bit(card)
        move card to table                              table = table union bit(card)
                                                        return count(table) < 4

Not everything can be tried out. Where chance or a player decides, no single position follows; that is a finding (R247).
What seats would learn is left out, and so is the story. An `end` or a win ends what is tried: the position is the one it leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, assert_never

from attrs import evolve

from ....model import model
from ....model.visitor import walk, with_parts
from ...analysis.liveness import own_locals
from ...machine import (
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Expr,
    Fail,
    Field,
    Finish,
    Function,
    If,
    Invoke,
    Leave,
    Load,
    Local,
    Lookup,
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
from ...traverse import cannot_stop, every_statement, expressions_within, replaced
from ..building.builder import Builder, Here, kept
from ..building.lowering import lower, scalar_of
from ..building.values import Binding, Bits, Env, Scalar, with_expr
from ..components import places
from ..expressions import numbers  # which registers all expressions, before this one is registered here
from .block import body

assert numbers


@scalar_of.register
def _after(node: model.After, b: Builder, env: Env) -> Scalar:
    act = node.act
    assert act is not None, "only a condition of an option asks what it leads to"

    def build(inside: Env) -> list[Stmt]:
        chosen, code = dict(inside), list[Stmt]()
        for argument in act.arguments:
            if isinstance(argument.source, model.Typed) and argument.var.type.base == "component" and argument.var in chosen:
                more, spots = places.settled_spots(argument.source, b, inside)
                code += more
                chosen[argument.var] = evolve(chosen[argument.var], spots=spots)
        for let in node.before:
            value = lower(let.value, b, inside)
            more, kept_value = kept(value.expr, let.var.name, b, b.width(let.var.type) if isinstance(value, Bits) else 0)
            code += more
            inside[let.var] = Binding(with_expr(value, kept_value), places.spots_of_cells(let.value, b, inside))
        marks, b.marks = b.marks, None  # nothing of this is reached by a game
        sites = b.sites
        here = Here(act.verb, acting=frozenset(argument.var for argument in act.arguments), act=act, tried=True)
        code += body(act.body, b, chosen, here)
        b.sites = sites
        label = b.label("tried")
        done = _quietly(code, label, node, b)
        holding = b.holding
        b.holding = []
        test = scalar_of(node.test, b, places.after(act.body, b, inside)).expr
        b.holding, b.marks = holding, marks
        return [Block(label, done), Return(test)]

    return Scalar(b.function(f"after {act.verb}", (act, node.test, *node.before), env, 0, build), 0, 1)


def with_acts(option: model.Option) -> model.Option:
    """An option whose conditions know what is tried out: the option itself. Those that try come last."""
    if not any(map(tries, option.conditions)):
        return option
    act = evolve(option, conditions=())

    def change(part: Any) -> Any:
        return evolve(part, act=act) if isinstance(part, model.After) else with_parts(part, change)

    plain = [condition for condition in option.conditions if not tries(condition)]
    trying = [change(condition) for condition in option.conditions if tries(condition)]
    return evolve(option, conditions=(*plain, *trying))


def tries(condition: model.Condition) -> bool:
    return any(isinstance(part, model.After) for part in walk(condition.test))


def restoring(functions: Mapping[str, Function]) -> dict[str, Function]:
    """Functions with `Function.restores` filled in, without stores that nothing in them reads."""
    return {name: _restoring(function, functions) if _stored(function.body) else function for name, function in functions.items()}


def _restoring(function: Function, functions: Mapping[str, Function]) -> Function:
    read: set[Variable] = set()
    while True:
        body = replaced(function.body, partial(_without_unread, read=read))
        more = set(_read(body, functions, set()))
        if more <= read:
            return evolve(function, body=body, restores=_stored(body))
        read |= more


def _without_unread(stmt: Stmt, read: set[Variable]) -> tuple[Stmt, ...] | None:
    """Nothing, in place of a statement that makes no difference to what is asked."""
    match stmt:
        case Assign(variable=variable, value=value, index=index) if variable not in read:
            return () if cannot_stop(value) and (index is None or cannot_stop(index)) else None
        case If(condition=condition, then=then, otherwise=otherwise) if cannot_stop(condition):
            left = (replaced(part, partial(_without_unread, read=read)) for part in (then, otherwise))
            return None if any(left) else ()
        case _:
            return None


def _read(body: tuple[Stmt, ...], functions: Mapping[str, Function], seen: set[str]) -> Iterator[Variable]:
    """The variables that code reads, and the functions in it."""
    for part in expressions_within(body):
        if isinstance(part, Load):
            yield part.variable
        elif isinstance(part, Invoke) and part.function not in seen:
            seen.add(part.function)
            yield from _read(functions[part.function].body, functions, seen)


def _stored(body: tuple[Stmt, ...]) -> tuple[Field, ...]:
    stored = (stmt.variable for stmt in every_statement(body) if isinstance(stmt, Assign) and isinstance(stmt.variable, Field))
    return tuple(dict.fromkeys(stored))


# ---- What an option does, without what others learn of it


def _quietly(code: Iterable[Stmt], end: str, node: model.After, b: Builder) -> tuple[Stmt, ...]:
    """Code that only stores: routines are written out, and what would end the game or leave the option leaves ``end``."""

    def change(stmt: Stmt) -> Iterable[Stmt] | None:
        match stmt:
            case Note() | Show() | Assign(variable=Field(region="knowledge")):
                return ()
            case Call(routine=name, args=args):
                routine = b.routines[name]
                return () if _only_teaches(routine, b) else _quietly(_written_out(routine, args, b), end, node, b)
            case Finish() | Return():
                return (Leave(end),)
            case Choose(span=span) | Chance(span=span):
                what = "somebody chooses" if isinstance(stmt, Choose) else "chance decides"
                b.complain(
                    "R247",
                    f"what this option leads to is not known before: {what} on the way",
                    node.span,
                    (span, f"{what} here"),
                    help="ask `after this` of an option that settles everything by itself",
                )
                return (Leave(end),)
            case _:
                return None

    return replaced(code, change)


def _only_teaches(routine: Routine, b: Builder) -> bool:
    """Whether a routine stores nothing but what seats know."""
    for stmt in every_statement(routine.body):
        match stmt:
            case Assign(variable=Field(region=region)) if region != "knowledge":
                return False
            case Call(routine=name) if not _only_teaches(b.routines[name], b):
                return False
            case Fail() | Finish() | Choose() | Chance():
                return False
            case _:
                pass
    return True


def _written_out(routine: Routine, args: tuple[Expr, ...], b: Builder) -> tuple[Stmt, ...]:
    """The body of a routine where it is called, with locals and labels of its own."""
    locals_ = {local: b.local(local.name, local.bits) for local in own_locals(routine).values()}
    end = b.label(routine.name)
    labels = {stmt.label: b.label("within") for stmt in every_statement(routine.body) if isinstance(stmt, Block)}

    def value(expr: Expr) -> Expr:
        match expr:
            case Load(variable=variable, index=index):
                here = locals_[variable] if isinstance(variable, Local) else variable
                return Load(here, None if index is None else value(index))
            case Lookup(table=table, index=index):
                return Lookup(table, value(index))
            case Op(name=name, args=parts):
                return Op(name, tuple(map(value, parts)))
            case Invoke(function=name, args=parts):
                return Invoke(name, tuple(map(value, parts)))
            case Const():
                return expr
            case _:
                assert_never(expr)

    def statement(stmt: Stmt) -> Stmt:
        match stmt:
            case Assign(variable=variable, value=stored, index=index):
                here = locals_[variable] if isinstance(variable, Local) else variable
                return Assign(here, value(stored), None if index is None else value(index))
            case If(condition=condition, then=then, otherwise=otherwise):
                return If(value(condition), statements(then), statements(otherwise))
            case While(condition=condition, body=inside):
                return evolve(stmt, condition=value(condition), body=statements(inside))
            case Block(label=label, body=inside):
                return Block(labels[label], statements(inside))
            case Leave(label=label):
                return Leave(labels[label])
            case Return():
                return Leave(end)
            case Call(routine=name, args=parts):
                return Call(name, tuple(map(value, parts)))
            case Fail(fault=fault):
                said = (evolve(part, value=value(part.value)) if isinstance(part, Say) else part for part in fault.message.parts)
                return Fail(evolve(fault, message=Message(tuple(said))))
            case _:
                return stmt  # it is left out, or not allowed

    def statements(inside: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map(statement, inside))

    given = (Assign(locals_[parameter], arg) for parameter, arg in zip(routine.parameters, args, strict=True))
    return *given, Block(end, statements(routine.body))
