"""Binds defines: each when it is first needed, since its type follows from its value."""

from __future__ import annotations

from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import DEPTH_LIMIT, NUMBER, TRUTH, UNKNOWN, Const, Expr, Type
from ..expressions import expression, truth
from ..names.scope import Pending, Scope, unclear
from ..names.types import as_number, as_set, fits, joined, of_something
from .parameters import bound, given


def pending_define(line: tree.Define, scope: Scope) -> Pending:
    return Pending(line.name.text, line, given(line.parameters, scope), scope, bind_define)


def bind_define(pending: Pending, asked_at: Span) -> model.Define | None:
    """The define with its value; None inside a circle of defines (and a finding)."""
    if pending.bound is not None:
        return pending.bound
    line, outer = pending.line, pending.scope
    running = outer.faults.explaining
    if len(running) > DEPTH_LIMIT:
        if not any(d.code == "R216" for d in outer.faults.found):
            outer.complain(
                "R216",
                f"to explain `{running[0].name}` takes more than {DEPTH_LIMIT} words one after the other",
                line.name.span,
                help="write it with fewer words",
            )
        return None
    if pending.running:
        outer.complain(
            "R221",
            f"`{pending.name}` is explained by itself",
            asked_at,
            (line.name.span, "it is defined here"),
            help="a word is explained by other words, which are explained without it",
        )
        return None
    pending.running = True
    running.append(pending)
    scope = outer.inner()
    scope.locals = {}
    variables = bound(line.parameters, pending.parameters, scope)
    value = of_something(_cases(line, scope) if line.value is None else expression(line.value, scope), scope)
    if isinstance(line, tree.Returns):
        value = as_number(value, scope)
        value = value if fits(value, NUMBER, scope) else unclear(line.span)
    pending.bound = model.Define(pending.name, variables, value, span=line.name.span)
    pending.running = False
    running.pop()
    return pending.bound


def _cases(line: tree.Define, scope: Scope) -> Expr:
    cases: list[tuple[Expr, Expr]] = []
    otherwise: Expr | None = None
    type: Type | None = None
    for case in line.cases:
        value = expression(case.value, scope, type.required if type else None)
        if type is not None and type.is_set != value.type.is_set and type.base == value.type.base == "cell":
            type, value = type.set, as_set(value, scope)
            cases = [(condition, as_set(before, scope)) for condition, before in cases]
            otherwise = None if otherwise is None else as_set(otherwise, scope)
        both = joined(type, value.type)
        if both is None and type is not None and "number" in (type.base, value.type.base):  # a list's number beside others
            value = as_number(value, scope)
            cases = [(condition, as_number(before, scope)) for condition, before in cases]
            otherwise = None if otherwise is None else as_number(otherwise, scope)
            both = value.type
            for before in (*(before for _, before in cases), *([] if otherwise is None else [otherwise])):
                both = None if both is None else joined(both, before.type)
        if both is None:
            scope.complain("R204", f"this is {value.type}, unlike the case above", case.value.span)
        type = both or type
        if case.condition is None:
            otherwise = value
        elif otherwise is not None:
            scope.complain("R107", "nothing can come after `otherwise`", case.span)
        else:
            cases.append((truth(case.condition, scope), value))
    if type is not None and type.is_set:
        for each in (*(value for _, value in cases), otherwise):
            if each is not None and not each.type.is_set and each.type == UNKNOWN.maybe:
                scope.complain("R204", "a set is never none", each.span, help="write `empty` for a set without members")
    if otherwise is None:
        if type is not None and type.base == "truth":
            otherwise = Const(0, type=TRUTH, span=line.span)
        else:
            if line.name.text not in scope.faults.doubtful:
                scope.complain(
                    "R219",
                    f"`{line.name.text}` does not say what it is otherwise",
                    line.name.span,
                    help="end it with `otherwise ...`",
                )
            otherwise = unclear(line.span)
    return model.Cases(tuple(cases), otherwise, type=type or otherwise.type, span=line.span)
