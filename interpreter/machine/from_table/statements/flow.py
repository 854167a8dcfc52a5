"""Lowers statements: loops, steps, draws and stores become lists of machine statements.

Public events are also told (`Note`), so that a story of the game can be read; playouts leave that out.
"""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from ....model import model
from ....model.effects import OfPile
from ....model.visitor import is_shuffled_in, walk_statements
from ....table.table import Table
from ....words.words import ENGLISH
from ...machine import (
    Assign,
    Block,
    Call,
    Const,
    Finish,
    If,
    Leave,
    Load,
    Local,
    Message,
    Note,
    Return,
    Routine,
    Stmt,
    While,
)
from ...traverse import cannot_stop, only_narrates
from ..building.builder import Builder, Here, kept
from ..building.lowering import lower, required, scalar_of
from ..building.values import Binding, Env, Scalar, Spot, Value, op, with_expr
from ..components import places
from ..components.copies import copies_of
from ..components.places import place_of
from ..expressions.guards import negated
from ..expressions.ranges import range_of_name
from ..expressions.texts import message_of
from . import choices, gathering, history, loops, piles
from .block import body, statement_code
from .moves import lay, move, reveal
from .setting import let, set_variable


@statement_code.register(model.Statement)
def _statement(node: model.Statement, following: model.Statement | None, b: Builder, env: Env, here: Here) -> list[Stmt]:
    b.work(node.span)
    if isinstance(node, OfPile):
        return piles.of_pile(node, b, env)
    match node:
        case model.Move(what=what, to=to):
            return move(node, place_of(to, what.type.of, b, env), is_shuffled_in(node, following), b, env, here)
        case model.Lay():
            return lay(node, b, env)
        case model.Remember(forget=forget):
            return history.forget(b, node.span) if forget else history.remember(b, node.span)
        case model.Reveal(what=what, to=player):
            return reveal(what, player, b, env, node.span)
        case model.SetVariable():
            return set_variable(node, b, env, here.act)
        case model.Let():
            return let(node, here.loop, b, env)
        case model.Gather():
            return gathering.gather(node, b, env)
        case model.Include():
            return gathering.include(node, b, env)
        case model.Announce():
            return gathering.announce(node, b, env)
        case model.Tell(text=text):
            return [Note(message_of(text, b, env), Const(b.everybody))]
        case model.If(condition=condition, then=then, otherwise=otherwise):
            test = scalar_of(condition, b, env).expr
            with b.where(condition):
                done = tuple(body(then, b, env, here))
            with b.where(negated(condition)):
                return _with_condition_asked(If(test, done, tuple(body(otherwise, b, env, here))), b)
        case model.ForEach():
            return loops.for_each(node, b, env, here)
        case model.Repeat():
            return loops.repeat(node, b, env, here)
        case model.RepeatTimes(times=times, body=inner):
            left = b.local("rounds left")
            inside = places.after(inner, b, env)
            round_code = (Assign(left, op("-", Load(left), Const(1))), *body(inner, b, inside, here))
            count = required(times, b, env)
            return [Assign(left, count.expr), While(op("<", Const(0), Load(left)), round_code, node.span, max(0, count.high))]
        case model.TakeTurns():
            return loops.take_turns(node, b, env, here)
        case model.Do(step=step, args=args):
            called = b.table.steps[step]
            parameters = called.parameters
            given = [lower(a, b, env) if p.type.is_set else required(a, b, env) for a, p in zip(args, parameters, strict=True)]
            if here.tried or (called.entered is None and any(_known_here(a, b, env) for a in args)):
                return _done_here(called, args, given, b, env, here)
            _remember_spots(called, args, b, env)
            return [Call(f"step {step}", tuple(value.expr for value in given))]
        case model.End(name="game"):
            return [Finish()]
        case model.End(name=name):
            if name not in here.labels:
                return [Return()]
            b.left.add(here.labels[name])
            return [Leave(here.labels[name])]
        case model.NamedBlock(name=name, body=inner):
            label = b.label(name)
            code = body(inner, b, env, here.inside(labels={**here.labels, name: label}, in_phase=False))
            return [Block(label, tuple(code))] if label in b.left else code
        case model.Choose():
            return choices.choose(node, b, env, here)
        case _:
            assert_never(node)


def _with_condition_asked(choice: If, b: Builder) -> list[Stmt]:
    """What only tells is left out of playouts: so a condition that may stop the game is asked in a statement of its own."""
    if not only_narrates(choice) or cannot_stop(choice.condition):
        return [choice]
    holds = b.local("holds")
    return [Assign(holds, choice.condition), evolve(choice, condition=Load(holds))]


def only_written_out(step: model.Step, b: Builder) -> bool:
    """Whether a step is given cells of which only the place where it is done knows on whose grid they are."""
    return any(b.on_players_grid(v.type) for v in step.parameters)


def of_setup(table: Table) -> set[str]:
    """The setup, and the steps that it does or that those do."""
    steps = {step.name: step for step in table.all_steps}
    found: set[str] = set()
    todo = [step.name for step in table.flow if step.form == "setup"]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [node.step for node in walk_statements(steps[name]) if isinstance(node, model.Do)]
    return found


def is_done(step: model.Step, b: Builder) -> bool:
    """Whether something does a step that is given numbers: without it, nothing is known of them."""
    return all(var in b.given for var in step.parameters if var.type.base == "number")


def _known_here(value: model.Expr, b: Builder, env: Env) -> bool:
    """Whether of what a step is given, only this place knows all: which of equal components it is, or whose grid a cell is on."""
    if b.on_players_grid(value.type) or not copies_of(value.type, b):
        return b.on_players_grid(value.type)
    return isinstance(value, model.VarValue) or places.spots_of(value, b, env) is not None


def _done_here(
    step: model.Step, args: tuple[model.Expr, ...], given: list[Value], b: Builder, env: Env, here: Here
) -> list[Stmt]:
    """A step written out where it is done: which of several equal components it is given is known only here."""
    inside: Env = {}
    code: list[Stmt] = []
    for var, arg, value in zip(step.parameters, args, given, strict=True):
        more, expr = kept(value.expr, var.name, b, b.width(var.type) if var.type.is_set else 0)
        code += more
        known = env.get(arg.var) if isinstance(arg, model.VarValue) else None
        if known:
            spots = known.spots
        else:
            more, spots = places.settled_spots(arg, b, env)
            code += more
        inside[var] = Binding(with_expr(value, expr), spots, known.seen if known else Const(0))
    label = b.label(step.name)
    if step.entered is not None:
        _lies_there(step, step.entered, b, inside)
    done = body(step.body, b, inside, Here(step.name, {step.name: label}, tried=here.tried))
    return [*code, Block(label, tuple(done))] if label in b.left else code + done


def _remember_spots(step: model.Step, args: tuple[model.Expr, ...], b: Builder, env: Env) -> None:
    """Where the components that a step is given can be, at one more place where it is done."""
    for var, arg in zip(step.parameters, args, strict=True):
        spots = places.spots_of(arg, b, env) if arg.type.base == "component" else None
        before = b.where_given.get(var, ())
        zones = None if spots is None else tuple(Spot(spot.zone) for spot in spots)
        b.where_given[var] = None if zones is None or before is None else tuple(dict.fromkeys((*before, *zones)))


def _spots_given(step: model.Step, b: Builder) -> bool:
    """Whether all that leads to a step has been lowered, and nothing else begins it (as a test may)."""
    leading, todo = {step.name}, [step.name]
    while todo and not b.careful:
        name = todo.pop()
        if name not in b.lowered:
            return False
        more = b.done_from.get(name, set()) - leading
        leading |= more
        todo += more
    return not b.careful


def routine(step: model.Step, b: Builder) -> Routine:
    """A step, phase or setup as a routine."""
    parameters: list[Local] = []
    env: Env = {}
    b.lowered.add(step.name)
    for var in step.parameters:
        local = b.local(var.name)
        parameters.append(local)
        low, high = range_of_name(var, b)
        env[var] = Binding(Scalar(Load(local), low, high), (b.where_given.get(var) or None) if _spots_given(step, b) else None)
    if step.entered is not None:
        _lies_there(step, step.entered, b, env)
    label = b.label(step.name)
    here = Here(step.name, {step.name: label}, in_phase=step.form == "phase")
    with b.where(*(() if step.fitting is None else (step.fitting,))):
        code = body(step.body, b, env, here)
    if step.form != "step":
        said = () if b.words is ENGLISH else (f"{loops.ROUND}{_heading(step, b)}",)
        code = [Note(Message((f"{loops.ROUND}{step.name}",), said), Const(b.everybody)), *code]
    if label in b.left:
        code = [Block(label, tuple(code))]
    return Routine(name_of(step), tuple(parameters), tuple(code), False)


def _heading(step: model.Step, b: Builder) -> str:
    """What a phase is called in the language in which the machine speaks; the setup has a name of the program's."""
    found = b.words.name("phase", step.name)
    return b.words.phrase("setup") if step.form == "setup" and found == step.name else found


def _lies_there(step: model.Step, entered: model.Spot, b: Builder, env: Env) -> None:
    """Tell where the component of a trigger lies: where it came to, unless a trigger that ran before moved it on."""
    var = step.parameters[0]
    owner = None if entered.owner is None else scalar_of(entered.owner, b, env).expr
    others = tuple(
        line
        for other in b.table.steps.values()
        if other.entered is not None and other.entered.zone == entered.zone
        for line in other.body
    )
    there = Binding(env[var].value, (Spot(entered.zone, owner),), Const(0))
    env[var] = places.elsewhere(there, var.type, places.destinations(others, b, own=(var,)))


def name_of(step: model.Step) -> str:
    return step.form if step.form == "setup" else f"{step.form} {step.name}"
