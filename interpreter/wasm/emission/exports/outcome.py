"""The function that writes the result of a game into a row of numbers in the memory (`machine/columns.py`).

The scores are computed from the lines of the score sheet, each evaluated once, and the winner from the scores. If an evaluation
can stop the game, all are done separately, in the order that `machine/columns.py` states. For a game that a fault has stopped,
the row holds what is known of every game: decisions, options, the first seat.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....machine import machine as m
from ....machine.columns import Columns
from ....machine.traverse import expressions_within
from ...binary.code import Code
from ...binary.module import Function
from ...layout.storage import words_for
from ..lowering.emitter import DECISIONS, FIRST, OPTIONS, Emitter, assign_parameters, parameter_types
from ..lowering.flow import FlowEmitter
from .interface import evaluated


class OutcomeEmitter:
    """Emits the function that fills the row; ``number`` is its own."""

    def __init__(self, emitter: Emitter, flow: FlowEmitter, columns: Columns) -> None:
        self.emitter = emitter
        self.flow = flow
        self.columns = columns
        self.machine = emitter.machine
        self.number = emitter.add("playing", "outcome", self._outcome_of_a_game)

    def add_head(self) -> None:
        """Add ``head()``, which lets the row tell of a game that a fault has stopped."""
        self.emitter.exported("head", Code(), self._head)

    def _outcome_of_a_game(self) -> Function:
        """() : fill the row. The working record is at the end of a game."""
        code = Code()
        self._outcome(code)
        return code.function("outcome")

    def _cell(self, column: int) -> int:
        return self.emitter.memory.row + 4 * column

    def _outcome(self, code: Code) -> None:
        """Fill the row."""
        columns, seats = self.columns, self.machine.seats
        winners = code.local("i64")
        if not self._sheets_come_first():
            code.i64((1 << seats) - 1)
            code.add("call", evaluated(self.emitter, self.flow, self.machine.winner))
            code.set(winners)
            self._scores_and_terms(code)
        else:
            for seat in range(seats):
                self.flow.count_anew(code)
                self._terms(code, seat)
            self.flow.count_anew(code)
            code.i64((1 << seats) - 1)
            code.add("call", self._reading_scores(self.machine.winner))
            code.set(winners)
        code.i64((1 << seats) - 1)
        code.get(winners)
        code.get(winners)
        code.adds("i64.eqz", "select")
        code.set(winners)
        share, first = code.local("i32"), code.local("i32")
        code.get(winners)
        code.adds("i64.popcnt", "i32.wrap_i64")
        code.set(share)
        for seat in range(seats):
            code.i32(0)
            code.get(share)
            code.i32(0)
            code.get(winners)
            code.i64(1 << seat)
            code.adds("i64.and", "i64.eqz", "i32.eqz", "select")
            code.add("i32.store", self._cell(columns.win(seat)))
        self._head(code)
        code.add("global.get", FIRST)
        code.i32(1)
        code.adds("i32.sub")
        code.tee(first)
        code.i32(0)
        code.get(first)
        code.i32(0)
        code.adds("i32.gt_s", "select")
        code.set(first)
        for turn in range(seats):
            code.i32(0)
            code.get(first)
            code.i32(2)
            code.add("i32.shl")
            code.add("i32.load", self._cell(columns.win(0)))
            code.add("i32.store", self._cell(columns.turn_win(turn)))
            if turn < seats - 1:
                code.get(first)
                code.i32(1)
                code.add("i32.add")
                code.tee(first)
                code.i32(0)
                code.get(first)
                code.i32(seats)
                code.adds("i32.lt_u", "select")
                code.set(first)
        if columns.in_teams:
            for seat in range(seats):
                self._team_score(code, seat)
        for seat in range(seats) if columns.returns else ():
            code.i32(0)
            code.i32(seat)
            code.add("call", evaluated(self.emitter, self.flow, self.machine.returns))
            code.add("i32.store", self._cell(columns.return_(seat)))

    def _head(self, code: Code) -> None:
        """What is known of every game: decisions, options, the first seat, and that no fault stopped it."""
        for column, number in ((0, DECISIONS), (1, OPTIONS), (2, FIRST)):
            code.i32(0)
            code.add("global.get", number)
            if number == FIRST:
                code.i32(1)
                code.add("i32.sub")
            code.add("i32.store", self._cell(column))
        code.i32(0)
        code.i32(0)
        code.add("i32.store", self._cell(3))

    def _sheets_come_first(self) -> bool:
        """Whether nobody can tell that the score sheets are asked before the winner: nothing can stop the game there, or all
        that the winner's chain asks first is the sheets, seat by seat."""
        functions, unseen = self.machine.functions, self.emitter.unseen
        asked = {term.function for term in self.machine.terms} | {"score", "score of team"} & set(functions)
        if all(map(unseen.ends_by_itself, asked)):
            return True
        in_order = self._sum_of_terms() == list(range(len(self.machine.terms))) and not self.columns.in_teams
        return in_order and self._scores_are_asked_first()

    def _scores_are_asked_first(self) -> bool:
        """Whether the first that the winner's chain asks of all players is their score."""
        match self.machine.functions[self.machine.winner].body:
            case (m.Return(value=m.Invoke() as stage),):
                while isinstance(stage.args[0], m.Invoke):
                    stage = stage.args[0]
            case _:
                return False
        asked = expressions_within(self.machine.functions[stage.function].body)
        keys = {part.function for part in asked if isinstance(part, m.Invoke)}
        if len(keys) != 1:
            return False
        key = self.machine.functions[keys.pop()]
        return key.body == (m.Return(m.Invoke("score", (m.Load(key.parameters[0]),))),)

    def _scores_and_terms(self, code: Code) -> None:
        """All scores, lines of the sheet and team scores, asked apart and in the order that `machine/columns.py` states."""
        columns, seats = self.columns, range(self.machine.seats)
        cells = [(columns.score(seat), "score", seat) for seat in seats]
        cells += [(columns.term(n, seat), term.function, seat) for n, term in enumerate(self.machine.terms) for seat in seats]
        for column, function, seat in cells:
            code.i32(0)
            code.i32(seat)
            code.add("call", evaluated(self.emitter, self.flow, function))
            code.add("i32.store", self._cell(column))
        for seat in seats if "score of team" in self.machine.functions else ():
            code.i32(seat)
            code.add("call", evaluated(self.emitter, self.flow, "score of team"))
            code.add("drop")  # it is what the scores add up to

    def _terms(self, code: Code, seat: int) -> None:
        """The lines of a seat's score sheet, and their sum."""
        sums = self._sum_of_terms()
        for number, term in enumerate(self.machine.terms):
            code.i32(0)
            code.i32(seat)
            code.add("call", self.emitter.function(term.function))
            code.add("i32.store", self._cell(self.columns.term(number, seat)))
        code.i32(0)
        if sums is None:
            code.i32(seat)
            code.add("call", self.emitter.function("score"))
        else:
            code.i32(0)
            for number in sums:
                code.i32(0)
                code.add("i32.load", self._cell(self.columns.term(number, seat)))
                code.add("i32.add")
        code.add("i32.store", self._cell(self.columns.score(seat)))

    def _sum_of_terms(self) -> list[int] | None:
        """The lines of the sheet that ``score`` adds up; None where it is not the sum of some."""
        numbers = {term.function: number for number, term in enumerate(self.machine.terms)}
        if "score" not in self.machine.functions:
            return list(numbers.values())
        score = self.machine.functions["score"]
        match score.body:
            case (m.Return(value=value),) if value is not None:
                pass
            case _:
                return None
        found = []
        of_the_seat = (m.Load(score.parameters[0]),)
        for part in _summands(value):
            if isinstance(part, m.Invoke) and part.function in numbers and part.args == of_the_seat:
                found.append(numbers[part.function])
            elif part != m.Const(0):
                return None
        return found

    def _team_score(self, code: Code, seat: int) -> None:
        code.i32(0)
        code.i32(0)
        for other in range(self.machine.seats):
            if self.machine.teams[seat] >> other & 1:
                code.i32(0)
                code.add("i32.load", self._cell(self.columns.score(other)))
                code.add("i32.add")
        code.add("i32.store", self._cell(self.columns.team_score(seat)))

    def _reading_scores(self, name: str) -> int:
        """A function in which ``score`` is not worked out again, but read from the row."""
        if not self._asks_for_scores(name):
            return self.emitter.function(name)
        return self.emitter.add("reading scores", name, lambda: self._function_reading_scores(name))

    def _asks_for_scores(self, name: str) -> bool:
        if name == "score":
            return True
        body = self.machine.functions[name].body
        return any(isinstance(p, m.Invoke) and self._asks_for_scores(p.function) for p in expressions_within(body))

    def _function_reading_scores(self, name: str) -> Function:
        function = self.machine.functions[name]
        code = Code(parameter_types(function.parameters), ["i64"] * words_for(function.bits) if function.bits else ["i32"])
        if name == "score":
            code.get(0)
            code.i32(2)
            code.add("i32.shl")
            code.add("i32.load", self._cell(self.columns.score(0)))
            return code.function("score, read")
        places = self.emitter.places(code)
        assign_parameters(places, function.parameters)
        statements = self.emitter.statements(code, places, False, lambda: None, separate=self._asks_for_scores)
        statements.values.numbers = self._reading_scores
        statements.definition(function)
        code.add("unreachable")
        return code.function(f"{name}, reading scores")


def _summands(expr: m.Expr) -> Iterator[m.Expr]:
    """What an expression adds up."""
    match expr:
        case m.Op(name="+", args=args):
            for part in args:
                yield from _summands(part)
        case _:
            yield expr
