"""Demands of a selection on all its members together: how many, alike or different, with what total.

Members are chosen one by one, and no choice may lead where the selection cannot be completed: the acts cannot be taken back. So
each member is offered only if, with it, the demands can still be met. Where the chooser may stop at any time, or where every
other member only helps, that follows from the demands themselves. Elsewhere `Completable` finds out, with what would be left::

    take 3 tokens from bank, all different

    option take(token in bank) face down secretly
        only if completable(other in (bank without {token}) where not other = token, keys other, exactly (3 - 1))
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from ....common.source import Span
from ....syntax import tree
from ....words.words import marked
from ... import model
from ...model import NUMBER, TRUTH, Const, Expr, Type, Var
from ..expressions import number
from ..expressions.comparing import negate_if, some
from ..expressions.selecting import applied
from ..names.scope import Scope, unclear, variable
from ..names.types import as_number
from .texts import told


@frozen
class Whole:
    """The demands of one selection from ``source`` (the members that may be chosen at all).

    ``act``: the text of its act. ``count``: of the members (None: any); ``exact``: no fewer. ``alike``, ``total``: as they are
    written. ``low``, ``high``: of the total.
    """

    line: tree.Several
    verb: str
    act: str
    source: Expr
    count: Expr | None
    exact: bool
    alike: tree.Alike | None
    total: tree.WithTotal | None
    low: Expr | None
    high: Expr | None
    scope: Scope

    @property
    def may_stop(self) -> bool:
        """Whether the chooser says when it is enough: whatever is chosen so far is a selection."""
        return not self.exact and self.low is None

    @property
    def _only_grows(self) -> bool:
        """Whether any of them helps, and all of them together are the most that there can be."""
        return self.low is not None and self.high is None and self.count is None and not self._differ

    def useful(self, members: Expr) -> Expr:
        """Those of some members that can help."""
        if not self._only_grows:
            return members
        span, one = self.line.span, Var(members.type.noun, members.type.member)
        more = model.Compare("<", Const(0, type=NUMBER, span=span), self._worth(variable(one, span)), type=TRUTH, span=span)
        return model.Filter(members, one, more, type=members.type, span=span)

    def is_clear(self) -> bool:
        """Whether each member has one key and a number; a finding otherwise."""
        member = variable(Var(self.source.type.noun, self.source.type.member), self.line.span)
        asked: list[tuple[tree.Name, Expr, Type | None]] = []
        if self.alike is not None and self.alike.attribute is not None:
            asked.append((self.alike.attribute, self._key(member), None))
        if self.total is not None:
            asked.append((self.total.attribute, self._worth(member), NUMBER))
        for name, value, wanted in asked:
            if value.type.base == "unknown":
                return False
            if value.type.is_set or wanted not in (None, value.type.required):
                what = "numbers are added up" if wanted else "each has one value by which they are compared"
                self.scope.complain("R204", f"{what}; `{name.text}` is {value.type}", name.span)
                return False
        return True

    def conditions(self, member: Var, chosen: Expr | None) -> Iterator[model.Condition]:
        """What is asked of one more member beside those ``chosen`` (None: of the first)."""
        span = self.line.span
        this = variable(member, span)
        if self.alike is not None and chosen is not None:
            yield model.Condition(self._goes_with(this, chosen), self._unlike(), span=span)
        if self.total is None and not (self.exact and self.alike is not None):
            return
        so_far = _plus(self._sum(chosen), self._worth(this), span)
        if self.may_stop:
            assert self.high is not None
            parts = "with that it would be more than ", self.high
            too_many = told(parts, marked("with that it would be more than {number}"), span, number=0)
            yield model.Condition(model.Compare("<=", so_far, self.high, type=TRUTH, span=span), too_many, span=span)
            return
        if chosen is not None and (self._only_grows or (self.total is None and not self._differ)):
            return
        rest = self._left(this, chosen)
        test: Expr
        if self._only_grows:
            assert self.low is not None
            test = model.Compare("<=", self.low, _plus(so_far, self._sum(rest), span), type=TRUTH, span=span)
        elif self.total is None and not self._differ:
            test = model.Compare("<=", self._more(chosen), model.Count(rest, type=NUMBER, span=span), type=TRUTH, span=span)
        else:
            test = self._completable(rest, so_far, chosen)
        said = (f"with that there is no way to {self.verb} {self.line.span.text}",)
        act = model.Named("act", self.act)
        why = told(said, marked("with that there is no way to do this: {act}"), span, act=act)
        yield model.Condition(test, why, span=span)

    def enough(self, chosen: Expr) -> list[Expr]:
        """Conditions each of which ends the selection."""
        span = self.line.span
        found: list[Expr] = []
        if self.count is not None:
            found.append(model.Compare("<=", self.count, model.Count(chosen, type=NUMBER, span=span), type=TRUTH, span=span))
        if self.low is not None and not self.exact:
            found.append(model.Compare("<=", self.low, self._sum(chosen), type=TRUTH, span=span))
        return found

    @property
    def _differ(self) -> bool:
        return self.alike is not None and self.alike.different

    def _key(self, of: Expr) -> Expr:
        assert self.alike is not None
        return of if self.alike.attribute is None else self._asked(self.alike.attribute, None, of)

    def _worth(self, of: Expr) -> Expr:
        if self.total is None:
            return Const(0, type=NUMBER, span=self.line.span)
        return as_number(self._asked(self.total.attribute, self.total.key, of), self.scope)

    def _asked(self, name: tree.Name, key: tree.Expression | None, of: Expr) -> Expr:
        assert isinstance(of, model.VarValue)
        if of.type.base == "unknown":
            return unclear(name.span)
        return applied(name, key, of.var, self.scope)

    def _sum(self, of: Expr | None) -> Expr:
        if of is None or self.total is None:
            return Const(0, type=NUMBER, span=self.line.span)
        each = Var(of.type.noun, of.type.member)
        return model.Total(of, each, self._worth(variable(each, self.line.span)), type=NUMBER, span=self.line.span)

    def _goes_with(self, this: Expr, chosen: Expr) -> Expr:
        """Whether one differs from, or is like, one or each that is chosen."""
        span = self.line.span
        each = Var(chosen.type.noun, chosen.type.member) if chosen.type.is_set else None
        beside = chosen if each is None else variable(each, span)
        same = model.Compare("=", self._key(this), self._key(beside), type=TRUTH, span=span)
        if each is None:
            return negate_if(self._differ, same, span)
        against = model.Filter(chosen, each, negate_if(not self._differ, same, span), type=chosen.type, span=span)
        return negate_if(True, some(against, span), span)

    def _unlike(self) -> model.Reason:
        assert self.alike is not None
        span = self.line.span
        if self.alike.attribute is None:
            if self._differ:
                return told(("one like that is chosen already",), marked("one like that is chosen already"), span)
            return told(("those that are chosen are others",), marked("those that are chosen are others"), span)
        word = self.alike.attribute.text
        value = model.Named("attribute", word)
        if self._differ:
            parts = (f"one of that {word} is chosen already",)
            return told(parts, marked("one of that {value} is chosen already"), span, value=value)
        return told((f"it is not of the same {word}",), marked("it is not of the same {value}"), span, value=value)

    def _left(self, this: Expr, chosen: Expr | None) -> Expr:
        """What can be chosen after one more."""
        span, type = self.line.span, self.source.type
        rest: Expr = self.source if chosen is None else model.Without(self.source, chosen, type=type, span=span)
        rest = model.Without(rest, model.SetOf((this,), type=type, span=span), type=type, span=span)
        rest = self.useful(rest)
        if self.alike is None:
            return rest
        for each in (this, chosen) if self._differ else (this,):
            if each is not None:
                other = Var(type.noun, type.member)
                rest = model.Filter(rest, other, self._goes_with(variable(other, span), each), type=type, span=span)
        return rest

    def _more(self, chosen: Expr | None) -> Expr:
        """How many more there must be after the next one."""
        span = self.line.span
        assert self.count is not None
        so_far: Expr = Const(1, type=NUMBER, span=span)
        if chosen is not None:
            so_far = _plus(model.Count(chosen, type=NUMBER, span=span), so_far, span)
        return model.Arithmetic("-", self.count, so_far, type=NUMBER, span=span)

    def _completable(self, rest: Expr, so_far: Expr, chosen: Expr | None) -> Expr:
        span = self.line.span
        each = Var(rest.type.noun, rest.type.member)
        this = variable(each, span)

        def missing(end: Expr | None) -> Expr | None:
            return None if end is None else model.Arithmetic("-", end, so_far, type=NUMBER, span=span)

        return model.Completable(
            rest, each, self._key(this) if self._differ else None, None if self.total is None else self._worth(this),
            None if self.count is None else self._more(chosen), self.exact, missing(self.low), missing(self.high),
            type=TRUTH, span=span,
        )  # fmt: skip


def demands(line: tree.Several, verb: str, act: str, source: Expr, count: Expr | None, scope: Scope) -> Whole:
    """The demands of a selection; findings for those that are told twice, or that nobody can meet."""
    alike: tree.Alike | None = None
    total: tree.WithTotal | None = None
    low = high = None
    for each in line.whole:
        if (alike if isinstance(each, tree.Alike) else total) is not None:
            scope.complain("R204", "a selection has one such condition", each.span, help="leave one of them out")
        elif isinstance(each, tree.Alike):
            alike = each if each.attribute is None else evolve(each, attribute=_attribute(each.attribute, scope))
        else:
            total = each
            low, high = _ends(each, scope)
    found = Whole(line, verb, act, source, count, count is not None and not line.up_to, alike, total, low, high, scope)
    return found if found.is_clear() else evolve(found, alike=None, total=None, low=None, high=None)


def _attribute(name: tree.Name, scope: Scope) -> tree.Name:
    """``colour`` for ``colours``, as both are said."""
    one = name.text.removesuffix("s")
    return name if scope.symbol(name.text) is not None or scope.symbol(one) is None else tree.Name(one, span=name.span)


def _ends(total: tree.WithTotal, scope: Scope) -> tuple[Expr | None, Expr | None]:
    """The least and the most that a total may be."""
    value, span = number(total.value, scope), total.span
    one = Const(1, type=NUMBER, span=span)
    match total.op:
        case "is":
            return value, value
        case "at least":
            return value, None
        case "at most":
            return None, value
        case ">":
            return _plus(value, one, span), None
        case "<":
            return None, model.Arithmetic("-", value, one, type=NUMBER, span=span)
        case "is not":
            scope.complain("R204", "a total is compared by `at least`, `at most` or `is`", span)
            return value, value


def _plus(one: Expr, other: Expr, span: Span) -> Expr:
    if isinstance(one, Const) and one.value == 0:
        return other
    return model.Arithmetic("+", one, other, type=NUMBER, span=span)
