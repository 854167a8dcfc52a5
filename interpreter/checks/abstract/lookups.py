"""Proof that a table has a row for every key that is looked up, where the type of the key allows other values.

While the abstract interpreter visits a line (see `interpreter.py`), each lookup in the line is checked: which values can its key
have there? Only the key is evaluated, in the position in which the line begins, under the conditions of the cases around it;
names that are bound within the line can be anything. So the order of evaluation within the line does not matter. Expressions that
are evaluated at other times are not followed: heads of loops, destinations of moves, and what happens between the games of a
match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import define, field

from ...common.source import Span
from ...model import model
from ...model.model import Const, Expr, Var
from ...model.visitor import children, substituted, walk_statements
from ...table.table import Table
from ..dataflow.dependence import all_dependencies
from .domain.states import AbstractState
from .evaluation.evaluator import Evaluator
from .evaluation.narrowing import where

Given = tuple[tuple[Expr, bool], ...]  # conditions, and whether each holds
Doubtful = tuple[model.ColumnFor, Given]  # a lookup, and what holds where it is made


@define(eq=False)
class Lookups:
    """``doubtful``: the places of lookups of which it is asked. ``met``, ``lacking``: those that a line came to, and those that
    are not followed everywhere or for which some key has no row."""

    table: Table
    doubtful: Collection[Span]
    met: set[Span] = field(factory=set)
    lacking: set[Span] = field(factory=set)
    _asking: Evaluator = field(init=False)
    _of_lines: dict[int, tuple[model.Node, tuple[Doubtful, ...], frozenset[Var]]] = field(factory=dict)  # by identity

    def __attrs_post_init__(self) -> None:
        self._asking = Evaluator(self.table)
        for step in self.table.all_steps:
            for node in walk_statements(step.body):
                self._leave_out(_asked_elsewhere(node))
        if self.table.match is not None:
            self._leave_out(self._at_the_end())
        for node in self._everything((*self.table.all_steps, *self._at_the_end())):
            if isinstance(node, model.Knows):
                self._leave_out((node,))

    @property
    def answered(self) -> set[Span]:
        """The places at which there surely is a row."""
        return self.met - self.lacking

    def line(self, node: model.Statement, at: AbstractState) -> None:
        """A line begins in such positions."""
        self._note(node, _asked_by(node), at)

    def end(self, at: AbstractState) -> None:
        """A game is over in such positions."""
        self._note(self.table.winner, self._at_the_end(), at)

    def _leave_out(self, parts: tuple[model.Node, ...]) -> None:
        self.lacking |= {lookup.span for lookup, _ in self._within(parts)}

    def _at_the_end(self) -> tuple[model.Node, ...]:
        """What is asked when a game is over."""
        returns, match = self.table.defines.get(model.RETURNS), self.table.match
        asked = (None if returns is None else returns.value, None if match is None else match.until)
        return (*self.table.terms, self.table.winner, *(each for each in asked if each is not None))

    def _note(self, where: model.Node, parts: tuple[model.Node, ...], at: AbstractState) -> None:
        if id(where) not in self._of_lines:
            found = tuple(self._within(parts))
            self._of_lines[id(where)] = where, found, self._names_within(parts) if found else frozenset()
        _, lookups, names = self._of_lines[id(where)]
        for lookup, given in lookups:
            self.met.add(lookup.span)
            if lookup.span not in self.lacking:
                here = at.copy()
                here.names = {name: value for name, value in here.names.items() if name not in names}
                if not self._has_rows(lookup, given, here):
                    self.lacking.add(lookup.span)

    def _has_rows(self, lookup: model.ColumnFor, given: Given, at: AbstractState) -> bool:
        with self._asking.unsure():
            if not all(where(condition, holds, at, self._asking) for condition, holds in given):
                return True  # it is not made
            low, high = self._asking.number(lookup.key, at)
        column = self.table.columns[lookup.table, lookup.column]
        none = lookup.key.type.optional and low < 0
        return column.otherwise is not None or (
            not none and high - low < len(column.values) and all(key in column.values for key in range(low, high + 1))
        )

    def _within(self, parts: tuple[model.Node, ...], given: Given = ()) -> Iterator[Doubtful]:
        """The doubtful lookups that expressions make, with what defines and the score sheet say written out."""
        if not any(isinstance(node, model.ColumnFor) and node.span in self.doubtful for node in self._everything(parts)):
            return
        for node in parts:
            match node:
                case model.ColumnFor(span=span) if span in self.doubtful:
                    yield node, given
                case model.Apply(define=name, args=args):
                    word = self.table.defines[name]
                    yield from self._within((substituted(word.value, dict(zip(word.parameters, args, strict=True))),), given)
                case model.ScoreOf(term=name):
                    yield from self._within(tuple(term for term in self.table.terms if name in (None, term.name)), given)
                case model.Winners():
                    yield from self._within((self.table.winner,), given)
                case _:
                    pass
            match node:
                case model.Term():
                    for seat in range(self.table.players):
                        yield from self._in_term(node, Const(seat, type=model.PLAYER, span=node.span), given)
                case model.Cases(cases=cases, otherwise=otherwise):
                    before = given
                    for condition, value in cases:
                        yield from self._within((condition,), before)
                        yield from self._within((value,), (*before, (condition, True)))
                        before = (*before, (condition, False))
                    yield from self._within((otherwise,), before)
                case _:
                    yield from self._within(tuple(children(node)), given)

    def _in_term(self, term: model.Term, player: Const, given: Given) -> Iterator[Doubtful]:
        """The lookups in a line of the score sheet, as evaluated for one player."""
        of_player = {term.player: player}
        members, condition = (None if part is None else substituted(part, of_player) for part in (term.members, term.condition))
        yield from self._within(tuple(part for part in (members, condition) if part is not None), given)
        holds: Given = () if condition is None else ((condition, True),)
        yield from self._within((substituted(term.value, of_player),), (*given, *holds))

    def _everything(self, parts: tuple[model.Node, ...]) -> Iterator[model.Node]:
        """All nodes of expressions, with what they ask for by a define or the score sheet."""
        nodes = tuple(all_dependencies(parts, self.table))
        yield from nodes
        if any(isinstance(node, model.ScoreOf | model.Winners) for node in nodes):
            yield from all_dependencies((*self.table.terms, self.table.winner), self.table)

    def _names_within(self, parts: tuple[model.Node, ...]) -> frozenset[Var]:
        """The names that expressions give to something themselves."""
        found: set[Var] = set()
        for node in self._everything(parts):
            match node:
                case model.VarValue():
                    pass
                case model.Term(player=player, each=each):
                    found |= {player} | ({each} if each is not None else set())
                case _:
                    var = getattr(node, "var", None)
                    if isinstance(var, Var):
                        found.add(var)
        return frozenset(found)


def _asked_by(node: model.Node) -> tuple[model.Node, ...]:
    """What a line asks in the position in which it begins."""
    match node:
        case model.If(condition=asked) | model.Let(value=asked) | model.Draw(count=asked):
            return (asked,)
        case model.SetVariable(owner=owner, value=value):
            return (value,) if owner is None else (owner, value)
        case model.Do(args=args):
            return args
        case model.Announce(player=player, value=value, text=text):
            return player, value, text
        case model.Tell(text=text):
            return (text,)
        case model.Choose(player=player, options=options, so_far=so_far):
            conditions = (each for option in options for each in option.conditions if not each.laid)
            arguments = (each for option in options for each in option.arguments)
            return (player, *arguments, *conditions, *((so_far,) if so_far is not None else ()))
        case _:
            return ()


def _asked_elsewhere(node: model.Node) -> tuple[model.Node, ...]:
    """What a statement asks, or a part of one, and maybe not in the position in which the statement begins."""
    if isinstance(node, model.Argument | model.Reason) or (isinstance(node, model.Condition) and not node.laid):
        return ()
    at_once = _asked_by(node)
    return tuple(each for each in children(node) if isinstance(each, model.Typed) and all(each is not asked for asked in at_once))
