"""Parts of tables that are left out, or at which games stop, to see whether they do anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from attrs import evolve, frozen

from ....common.diagnostics import Diagnostic, warning
from ....common.source import Span
from ....model import model
from ....model.visitor import walk, walk_statements, with_bodies, with_parts
from ....table.table import Table


@frozen
class Without:
    """A part of a table. ``near``: the statement at which it is asked for or done, to which games must come; None: any will do.
    ``table``: makes the same without it. ``closely``: whether all must be the same then. ``instead``: makes a table where this
    part is stricter. ``stops``: whether a game stops where it would come to this part. ``choices``: what is said of all of these
    says enough."""

    span: Span
    near: Span | None
    table: Callable[[], Table]
    closely: bool
    finding: Diagnostic
    instead: Callable[[], Table] | None = None
    stops: bool = False
    choices: tuple[Span, ...] = ()


def left_out(table: Table) -> Iterator[Without]:
    """The lines that set something or move what they give no name, conditions of options with `unless` or `or`, blocks
    `if impossible`, triggers, and lines that do a step with choices that other lines do as well."""
    yield from _never_entered(table)
    yield from _calls(table)
    for node in table.statements:
        match node:
            case model.SetVariable() | model.Move(moved=None):
                help = "set it where it is asked for later, or leave the line out"
                finding = warning("R330", "this changes nothing: without it, all test games were the same", node.span, help=help)
                yield Without(node.span, node.span, partial(without, table, node.span), True, finding)
            case model.Choose(options=options, impossible=impossible):
                if impossible and not any(map(_lays, options)):  # on a grid, room is rarely so short
                    span = impossible[0].span
                    message = "this never came up: something was allowed in all of many test games"
                    finding = warning("R326", message, span, help="leave out `if impossible`, or let the acts ask for more")
                    yield Without(span, node.span, partial(_changed, table, node, evolve(node, impossible=None)), False, finding)
                for condition in (each for option in options for each in option.conditions if not each.laid):
                    match condition.test:
                        case model.Logic(op="or", left=left) as test:
                            yield _of_guard(table, node, condition, left, test)
                        case _:
                            pass
            case _:
                pass


def _never_entered(table: Table) -> Iterator[Without]:
    for name, step in table.steps.items():
        if step.entered is not None:
            help = "let it watch for something that comes there, or remove it"
            finding = warning("R326", "this trigger never fired in any of many test games", step.span, help=help)
            steps = {**table.steps, name: evolve(step, body=(_stop(step.span),))}
            yield Without(step.span, None, partial(evolve, table, steps=steps), False, finding, stops=True)


def _calls(table: Table) -> Iterator[Without]:
    lines: dict[str, dict[Span, None]] = {}
    for node in table.statements:
        if isinstance(node, model.Do) and table.steps[node.step].entered is None:
            lines.setdefault(node.step, {})[node.span] = None
    for name, spans in lines.items():
        done = _done_by(name, table).values() if len(spans) > 1 else ()
        choices = tuple(node.span for step in done for node in walk_statements(step.body) if isinstance(node, model.Choose))
        for span in spans if choices else ():
            message = f"nobody was asked anything here in any of many test games, though `{name}` has a choice"
            help = f"see that what `{name}` waits for comes up here, too, or leave the line out"
            finding = warning("R392", message, span, help=help)
            yield Without(span, span, partial(_stopped_at, table, span), False, finding, stops=True, choices=choices)


def _done_by(name: str, table: Table) -> dict[str, model.Step]:
    """A step and all that it does in turn, by name."""
    found, todo = dict[str, model.Step](), [name]
    while todo:
        one = todo.pop()
        if one not in found:
            found[one] = table.steps[one]
            todo += [node.step for node in walk_statements(found[one].body) if isinstance(node, model.Do)]
    return found


def _stopped_at(table: Table, line: Span) -> Table:
    """A table whose games stop where the line that does a step leads to a choice."""
    called = next(node.step for node in table.statements if isinstance(node, model.Do) and node.span == line)
    copies = {name: f"{name} that stops" for name in _done_by(called, table)}

    def copied(each: model.Statement) -> model.Statement:
        return evolve(each, step=copies[each.step]) if isinstance(each, model.Do) else each

    def stopping(body: model.Body) -> model.Body:
        return tuple(_stop(each.span) if isinstance(each, model.Choose) else copied(each) for each in body)

    def edited(body: model.Body) -> model.Body:
        return tuple(copied(each) if each.span == line else each for each in body)

    steps = {name: with_bodies(step, edited) for name, step in table.steps.items()}
    steps |= {copy: evolve(with_bodies(table.steps[name], stopping), name=copy) for name, copy in copies.items()}
    return evolve(table, flow=tuple(with_bodies(step, edited) for step in table.flow), steps=steps)


def _stop(span: Span) -> model.Statement:
    """What stops every game that comes to it."""
    never, none = model.Const(0, type=model.TRUTH, span=span), model.Const(0, type=model.NUMBER, span=span)
    return model.Repeat(never, none, (), None, span=span)


def _lays(option: model.Option) -> bool:
    """Whether an option asks where on a grid something goes."""
    return any(isinstance(node, model.Ways | model.CellsOf) for each in option.arguments for node in walk(each))


def _of_guard(table: Table, node: model.Choose, condition: model.Condition, left: model.Expr, test: model.Logic) -> Without:
    always = model.Const(1, type=test.type, span=test.span)
    message = "this never forbade anything in many test games: where the first part fails, the other always held"
    finding = warning("R327", message, test.span, help="let the exception ask for less, or leave the condition out")

    def with_test(value: model.Expr) -> Callable[[], Table]:
        return partial(_changed, table, condition, evolve(condition, test=value))

    return Without(test.span, node.span, with_test(always), False, finding, with_test(left))


def _changed(table: Table, node: model.Node, other: model.Node) -> Table:
    """A table with another node in the place of one."""

    def changed(each: Any) -> Any:
        return other if each is node else with_parts(each, changed)

    flow = tuple(changed(step) for step in table.flow)
    return evolve(table, flow=flow, steps={name: changed(step) for name, step in table.steps.items()})


def without(table: Table, line: Span) -> Table:
    """A table without the line at a place."""

    def edited(body: model.Body) -> model.Body:
        return tuple(each for each in body if each.span != line)

    flow = tuple(with_bodies(step, edited) for step in table.flow)
    return evolve(table, flow=flow, steps={name: with_bodies(step, edited) for name, step in table.steps.items()})
