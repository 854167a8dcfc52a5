"""Abstract values of the lines of the score sheet, for one player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....common.intervals import Interval, join
from ....model import model
from ....model.model import Expr, Var
from ..domain.sets import any_one
from ..domain.states import AbstractState
from ..domain.values import NO, NUMBER, YES, Cells, Group, Members, plus, sum_of, times

if TYPE_CHECKING:  # who asks here
    from .evaluator import Evaluator


def term_of(term: model.Term, player: Interval, at: AbstractState, evaluator: Evaluator) -> Interval:
    """What a line of the score sheet can come to, in one game."""
    at.names[term.player] = player
    with evaluator.unsure():
        if term.each is None or term.members is None:
            return _line(term, at, evaluator)
        members = evaluator.value(term.members, at)
        match members:
            case Members():
                total: Interval = (0, 0)
                for member in members.listed:
                    at.names[term.each] = member, member
                    line = _line(term, at, evaluator)
                    total = plus(total, line if members.surely >> member & 1 else join(line, NO))
                return total
            case Group(kind=kind, count=count, faces=faces):
                found = []
                for face, printed in enumerate(evaluator.table.kinds[kind].faces):
                    if faces >> face & 1:
                        at.names[term.each] = any_one(members, 1 << face)
                        found.append((_line(term, at, evaluator), printed.copies))
                return sum_of(found, count)
            case Cells(count=count, grid=grid):
                if term.members.type.base == "region" and _grows(term.value, term.each) and term.condition is None:
                    at.names[term.each] = Cells(count, grid)  # what grows with a region is most where there is only one
                    return 0, max(0, _line(term, at, evaluator)[1])
                at.names[term.each] = Cells((1, count[1]), grid)
                return times(join(_line(term, at, evaluator), NO), (0, count[1]))
            case _:
                return NUMBER


def score_of(term: str | None, team: bool, at: AbstractState, evaluator: Evaluator) -> Interval:
    """The score of anybody, or one line of it; in the middle of a match, it can be anything."""
    table, lines = evaluator.table, evaluator.lines
    if lines is None and table.match is not None and table.match.goes_on:
        return NUMBER
    total: Interval = (0, 0)
    for each in table.terms:
        if term in (None, each.name):
            total = plus(total, lines[each.name] if lines is not None else term_of(each, (0, table.players - 1), at, evaluator))
    size = max(table.teams.count(number) for number in table.teams) if team else 1
    return times(total, (size, size))


def _line(term: model.Term, at: AbstractState, evaluator: Evaluator) -> Interval:
    holds = YES if term.condition is None else evaluator.number(term.condition, at)
    value = NO if holds == NO else evaluator.worth(term.value, at)
    return value if holds == YES else join(value, NO)


def _grows(value: Expr, region: Var) -> bool:
    """Whether a number that is made of a region is at most as much for two regions apart as for both together."""
    match value:
        case model.Count(of=model.VarValue(var=var)):
            return var is region
        case model.Total(of=model.VarValue(var=var), value=model.AttributeOf()):
            return var is region
        case model.Arithmetic(op="*" | "+", left=left, right=right):
            return _grows(left, region) and _grows(right, region)
        case _:
            return False
