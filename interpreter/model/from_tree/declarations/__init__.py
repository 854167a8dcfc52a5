"""Binds the declarations of a file: first their names, in file order, then their values.

`declare` makes the names known so that every body may use every name, and returns a function that finishes each declaration.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from attrs import evolve, fields

from ....syntax import tree
from ....syntax.traverse import lines_within
from ... import model
from ...model import Const
from ..expressions import wanted
from ..names.scope import COLUMNS, Column, Finish, Scope
from ..names.types import must_be_fixed
from .defines import bind_define, pending_define
from .domains import domain_of, word_list, words_of
from .kinds import kinds
from .matches import declare_match, match
from .parameters import parameters
from .positions import position
from .scoring import note_term, place, term, winner
from .steps import step_head, step_with_body, trigger
from .tables import table
from .variables import declared_variables
from .zones import grids, regions, zones


def declare(lines: Iterable[tree.Declaration], scope: Scope) -> list[Finish]:
    """Make the names of declarations known; what is returned finishes each, once all names are known."""
    lines = [each for line in lines for each in (line, *(regions(line) if isinstance(line, tree.Board) else ()))]
    order = sorted(range(len(lines)), key=lambda i: (_rank(lines[i]), i))
    for line in lines:
        _note_steps(line, scope)
        if isinstance(line, tree.Counter | tree.Marker):
            scope.coming |= {name.text for name in line.names}
        elif isinstance(line, tree.Define):
            scope.coming.add(line.name.text)
    later: dict[int, list[Finish]] = {}
    for index in order:
        later[index] = list(_declare(lines[index], scope))
    return [finish for index in range(len(lines)) for finish in later[index]]


def _rank(line: tree.Declaration) -> int:
    """Types come before what has them, and what is settled before the game before what changes in it."""
    match line:
        case tree.ListDeclaration():
            return 0
        case tree.OptionDeclaration():
            return 1
        case tree.Kind():
            return 2
        case tree.Grid() | tree.Board():
            return 3
        case tree.TableDeclaration(by=by):
            return 3 if by.text == "players" else 5
        case tree.Define():
            return 6
        case _:
            return 4


def _declare(line: tree.Declaration, scope: Scope) -> Iterable[Finish]:
    match line:
        case tree.ListDeclaration(name=name, words=words):
            found = word_list(name.text, words, scope)
            if scope.declare(name.text, found, name.span):
                yield lambda: found
        case tree.OptionDeclaration(name=name, domain=domain_line):
            option = _option(line, domain_line, scope)
            if scope.declare(name.text, option, name.span):
                yield lambda: _settled_option(option, line, domain_line, scope)
        case tree.Kind():
            yield from kinds(line, scope)
        case tree.Zone():
            yield from zones(line, scope)
        case tree.Grid() | tree.Board():
            yield from grids(line, scope)
        case tree.Counter(names=names, domain=range_line):
            domain = domain_of(tree.Domain(range_line, span=range_line.span), names[0].text, scope)
            yield from declared_variables(line, "counter", parameters(line, scope), domain, scope)
        case tree.Marker(names=names, domain=domain_line):
            domain = domain_of(domain_line, words_of(names[0]), scope)
            yield from declared_variables(line, "marker", parameters(line, scope), domain, scope)
        case tree.TableDeclaration(name=name):
            made = table(line, scope)
            if made is None:
                scope.faults.doubtful |= {name.text, *(c.text for c in line.columns), *([COLUMNS] if line.file else [])}
                return
            for column, type in zip(made.columns, made.types, strict=True):
                span = next((c.span for c in line.columns if c.text == column), name.span)
                scope.declare(column, Column(made, column, type), span)
            yield lambda: made
        case tree.Define(name=name):
            pending = pending_define(line, scope)
            if scope.declare(name.text, pending, name.span):
                yield lambda: bind_define(pending, name.span)
        case tree.Setup() | tree.Phase() | tree.Step():
            step = step_head(line, scope)
            if step.form == "setup" or scope.declare(step.name, step, step.span):
                yield lambda: step_with_body(step, line, scope)
        case tree.Whenever():
            yield lambda: trigger(line, scope)
        case tree.Score(terms=terms):
            for each in terms:
                note_term(each, scope)
                if isinstance(each, tree.Majority):
                    yield partial(place, each, scope)
                yield partial(term, each, scope)
        case tree.Winner():
            yield lambda: winner(line, scope)
        case tree.Teams(size=size):
            yield lambda: model.Teams(size, span=line.span)
        case tree.Position():
            yield lambda: position(line, scope)
        case tree.Match():
            if declare_match(line, scope):
                yield lambda: match(line, scope)


def _option(line: tree.OptionDeclaration, domain_line: tree.Domain, scope: Scope) -> model.OptionDeclaration:
    """An option with the type of its values. The ends of a range and the default may be columns of a table, which is declared
    later: see `_settled_option`."""
    if _asks_for_later(domain_line.base, scope):
        domain = model.Domain(model.NUMBER.maybe if domain_line.optional else model.NUMBER)
    else:
        domain = domain_of(domain_line, words_of(line.name), scope)
    return model.OptionDeclaration(line.name.text, domain, Const(0, type=domain.type, span=line.span), span=line.name.span)


def _asks_for_later(base: tree.Node, scope: Scope) -> bool:
    """Whether the ends of a range name something that is not declared yet."""
    if not isinstance(base, tree.RangeDomain):
        return False
    todo: list[object] = [base.low, base.high]
    while todo:
        node = todo.pop()
        if isinstance(node, tree.Ref) and scope.symbol(node.name) is None and node.name != "players":
            return True
        if isinstance(node, tree.Node):
            todo += [getattr(node, each.name) for each in fields(type(node)) if each.name != "span"]
        elif isinstance(node, tuple):
            todo += node
    return False


def _settled_option(
    option: model.OptionDeclaration, line: tree.OptionDeclaration, domain_line: tree.Domain, scope: Scope
) -> model.OptionDeclaration:
    """An option, where all names are known."""
    later = isinstance(domain_line.base, tree.RangeDomain) and option.domain.low is None
    domain = domain_of(domain_line, words_of(line.name), scope) if later else option.domain
    value = wanted(line.default, scope, domain.type)
    return evolve(option, domain=domain, default=must_be_fixed(value, f"the value of `{option.name}`", scope))


def _note_steps(line: tree.Declaration, scope: Scope) -> None:
    """Remember every named step, those in place too; two of one name are a fault."""
    if isinstance(line, tree.Phase | tree.Step):
        scope.steps.add(line.name.text)
    for node in (node for node in lines_within(line) if isinstance(node, tree.StepHere)):
        if node.name.text in scope.all_steps():
            scope.complain("R202", f"two steps are called `{node.name.text}`", node.name.span)
        scope.steps.add(node.name.text)
