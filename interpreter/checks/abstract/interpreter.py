"""The abstract interpreter: goes through the rules of a table once and bounds what lies where at each line.

At each line a `AbstractState` stands for all positions in which the game can be there, in intervals (Cousot and Cousot, "Abstract
interpretation", POPL 1977). Loops run round by round while another round is certain, so deals are counted exactly. Where that is
uncertain, everything that the loop can change is forgotten. The positions behind branches, and behind the options of a choice,
are joined. A value that is not understood can be anything, so nothing wrong is claimed.

A line that surely stops the game is a finding only if the line is surely reached: in every game, or after choices that a player
can surely make. Nothing is reported behind such a line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import assert_never

from attrs import define, evolve, field, frozen

from ...common.diagnostics import Diagnostic
from ...common.intervals import Interval, meet
from ...common.source import Span
from ...model import model
from ...model.effects import OfPile
from ...model.model import Body, Expr
from ...model.visitor import walk
from ...table.table import Table
from ..dataflow.effects import Touched, Zones, touched
from ..dataflow.mutated_zones import mutated_zones
from ..dataflow.passing import Passing, passing
from . import choosing, component_moves, extents, rounds
from .condition_log import ConditionLog
from .courses import GoneThrough, Spent, course_of
from .domain.states import UNKNOWN, AbstractState, beginning, ground_of, likeliest, together
from .domain.values import MOST, NO, NOBODY, NONE, YES, AbstractValue, Group, Members, Place, plus
from .evaluation import shortfalls
from .evaluation.evaluator import Evaluator, Unanswerable
from .evaluation.grids import touches
from .evaluation.narrowing import where
from .evaluation.shortfalls import Loop
from .lookups import Lookups
from .whole_game import overall

STATEMENTS_LIMIT = 3_000  # gone through at one table; then loops are no longer gone through round by round: a tenth of a second
LONG_LIMIT = 5 * STATEMENTS_LIMIT  # then no loop at all
VISITS_LIMIT = 8  # of a step that only sets counters and markers; then what it sets can be anything


@frozen
class Counted:
    """What was found at a table, and what is known of all positions in which a game can be over (None: none was reached).

    ``refused``: the places of each ``so that`` that did not hold when it was asked for the first time.
    """

    findings: tuple[Diagnostic, ...]
    end: AbstractState | None
    refused: frozenset[Span]


def counted(table: Table, asked: ConditionLog | None = None) -> Counted:
    """Go through the rules of one table. ``asked``: notes which conditions can hold, and which can fail."""
    counting = AbstractInterpreter(table, asked=asked)
    end = counting.game()
    return Counted(tuple(counting.found), end, frozenset(span for span, known in counting.at_first.items() if known == NO))


def answered(doubtful: Collection[Span], table: Table) -> set[Span]:
    """The lookups among these for which there is a row whenever they are made. All lines are gone through for it, in loops until
    nothing more is learned: that takes longer.
    """
    lookups = Lookups(table, doubtful)
    end = AbstractInterpreter(table, lookups.line).game()
    if end is not None:
        lookups.end(end)
    return lookups.answered


def over_at_once(ends: Collection[Span], table: Table) -> set[Span]:
    """The ends of loops among these that hold whenever the loop is reached, so that it never begins."""
    evaluator = Evaluator(table)
    held: dict[Span, bool] = {}

    def watch(node: model.Statement, at: AbstractState) -> None:
        if isinstance(node, model.Repeat | model.TakeTurns) and node.until.span in ends:
            with evaluator.unsure():
                held[node.until.span] = held.get(node.until.span, True) and evaluator.number(node.until, at.copy()) == YES

    AbstractInterpreter(table, watch).game()
    return {end for end, always in held.items() if always}


@define(eq=False)
class AbstractInterpreter:
    """``exits``: for each step or phase around, the positions from which it was left, ``ends`` of them in all; ``loops``: those
    around. ``drawn``: how many a line has drawn or removed from a zone so far, in every game. ``watch``: is told of every line
    that a game can come to, with all positions in which it begins. ``looked``: how many statements were looked over.
    ``at_first``: whether each ``so that`` held when it was asked for the first time; ``laying``: beside ``watch``, notes it
    whenever it is asked (see `laying`).
    """

    table: Table
    watch: Callable[[model.Statement, AbstractState], None] | None = None
    asked: ConditionLog | None = None
    laying: ConditionLog | None = None
    evaluator: Evaluator = field(init=False)
    found: list[Diagnostic] = field(factory=list)
    exits: dict[str, list[AbstractState]] = field(factory=dict)
    ends: int = 0
    loops: list[Loop] = field(factory=list)
    drawn: dict[tuple[str, Span], int] = field(factory=dict)
    line: model.Statement | None = None
    line_before: model.Statement | None = None
    done: int = 0
    tokens: int = 0
    visits: dict[str, int] = field(factory=dict)
    looked: int = 0
    at_first: dict[Span, Interval] = field(factory=dict)
    _open: set[int] = field(factory=set)  # by identity, bodies of which no condition needs to be looked at
    _touched: dict[int, tuple[Body, Touched]] = field(factory=dict)  # by identity of the body, which is kept
    _mutated: dict[Hashable, tuple[Body, Zones]] = field(factory=dict)
    _passing: list[Passing] = field(init=False)
    _passed: dict[int, tuple[Body, Sequence[Place]]] = field(factory=dict)  # by identity of the body

    def __attrs_post_init__(self) -> None:
        self.evaluator, self._passing = Evaluator(self.table), passing(self.table)

    def game(self) -> AbstractState | None:
        """The positions in which a game can be over; None where none is reached."""
        ground = ground_of(self.table)
        known = overall(ground)
        ground.unknown.update(known.ranges)
        ground.empty = known.empty
        if self.asked is not None:
            self.asked.done |= known.done
        if self.watch is None and extents.are_limited(self.table):
            known_extents = extents.Extents(ground)
            AbstractInterpreter(self.table, known_extents.line).game()
            ground.extents = known_extents.most
        at: AbstractState | None = beginning(ground)
        left: list[AbstractState] = []
        self.exits["game"] = left
        for step in self.table.flow:
            if at is not None:
                at = self.phase(step, at) if self.asked is None else self.noted(step, at, self.asked)
        return together([*self.exits["game"], *([at] if at is not None else [])], UNKNOWN)

    def phase(self, step: model.Step, at: AbstractState) -> AbstractState | None:
        """The position behind the setup or a phase."""
        self.exits[step.name] = []
        return self.left(step.name, self.body(step.body, at))

    def noted(self, step: model.Step, at: AbstractState, asked: ConditionLog) -> AbstractState | None:
        """Run a phase as `phase` does and log its conditions; reuse the result of another table where all that decides it is
        equal.
        """
        asked.begun.add(step.span)
        course, before, effort, ends = course_of([step], self.table), at.copy(), self.effort, self.ends
        if course is None:
            return self.phase(step, at)
        for other in asked.gone_through:
            if other.begins_so(course, at, effort):
                self.effort, self.at_first = other.effort_after, {**other.at_first, **self.at_first}
                return other.ended(at)
        found, known = len(self.found), set(self.at_first)
        after = self.phase(step, at)
        if after is not None and self.ends == ends and len(self.found) == found:
            at_first = {span: held for span, held in self.at_first.items() if span not in known}
            asked.gone_through.append(GoneThrough(course, before, after.copy(), effort, self.effort, at_first))
        return after

    @property
    def effort(self) -> Spent:
        """How much has been gone through so far: on this it depends how closely what follows is looked at."""
        return self.done, self.tokens, dict(self.visits), dict(self.drawn)

    @effort.setter
    def effort(self, effort: Spent) -> None:
        self.done, self.tokens = effort[0], effort[1]
        self.visits, self.drawn = dict(effort[2]), dict(effort[3])

    def body(self, body: Body, at: AbstractState | None) -> AbstractState | None:
        """The position behind some statements; None where none is reached."""
        for statement in body:
            if at is None:
                return None
            self.done += 1
            before = at
            self.line_before, self.line = self.line, statement
            if self.watch is not None:
                self.watch(statement, at)
            try:
                at = self.statement(statement, at)
            except Unanswerable as stop:
                self.report(stop.finding, before)
                return None
        return at

    def report(self, finding: Diagnostic, at: AbstractState) -> None:
        """A finding, if it is known that this is reached; one for each place."""
        if at.reach != UNKNOWN and all(other.span != finding.span for other in self.found):
            self.found.append(finding)

    def long_enough(self) -> bool:
        """Whether so much has been gone through that no loop is gone through round by round any more."""
        return self.done >= STATEMENTS_LIMIT

    def far_too_long(self) -> bool:
        """Whether rounds for each player are too many, too, as where one such loop stands in another, many times over."""
        return self.done >= LONG_LIMIT

    def left(self, name: str, at: AbstractState | None) -> AbstractState | None:
        """The position behind a step, with those in which it was left."""
        ends = self.exits.pop(name)
        if not ends:
            return at
        self.ends -= len(ends)
        return likeliest([*ends, *([at] if at is not None else [])])

    def statement(self, node: model.Statement, at: AbstractState) -> AbstractState | None:
        if isinstance(node, OfPile):
            return component_moves.of_pile(node, at, self)
        match node:  # what is met most comes first
            case model.Move():
                return component_moves.move(node, at, self)
            case model.SetVariable():
                return self.set_variable(node, at)
            case model.If():
                return self.branches(node, at)
            case model.Do():
                return self.do(node, at)
            case model.Choose():
                return choosing.choose(node, at, self)
            case model.Lay():
                return component_moves.lay(node, at, self)
            case model.Let(var=var, value=value):
                at.names[var] = self.by_chance(value, node.span, at)
            case model.Gather():
                of = self.evaluator.value(node.of, at)
                at.names[node.var] = _emptied(of)
            case model.Include(var=var, member=member):
                so_far, one = at.names.get(var), self.evaluator.value(member, at)
                if so_far is not None:
                    at.names[var] = _with_one_more(so_far, one)
            case model.ForEach():
                return rounds.for_each(node, at, self)
            case model.Repeat():
                return rounds.repeat(node, at, self)
            case model.RepeatTimes():
                return rounds.repeat_times(node, at, self)
            case model.TakeTurns():
                return rounds.take_turns(node, at, self)
            case model.NamedBlock(name=name, body=body):
                return self.named(name, body, at)
            case model.End(name=name):
                if name in self.exits:
                    self.exits[name].append(at)
                    self.ends += 1
                return None
            case model.Reveal() | model.Announce() | model.Tell() | model.Remember():
                pass
            case _:
                assert_never(node)
        return at

    def do(self, node: model.Do, at: AbstractState) -> AbstractState | None:
        """The position behind a step that is done by its name."""
        name, step = node.step, self.table.steps[node.step]
        self.visits[name] = self.visits.get(name, 0) + 1
        over = self.only_sets(name) if self.watch is None and self.visits[name] > VISITS_LIMIT else None
        if over is not None and not self.is_asked(step.body):
            at.forget((), over)
            return at
        given = [self.evaluator.value(arg, at) for arg in node.args]
        at.names.update(zip(step.parameters, given, strict=True))
        if over is None:
            return self.named(name, step.body, at)
        self.look_over(step.body, at.copy(UNKNOWN))
        at.forget((), over)
        return at

    def touched(self, body: Body) -> Touched:
        """What a body can touch; a loop is come to again and again, and this stays the same."""
        if id(body) not in self._touched:
            self._touched[id(body)] = body, touched(body, self.table)
        return self._touched[id(body)][1]

    def mutated(self, body: Body, at: AbstractState) -> Zones:
        """The zones in which a body can change something; also asked again and again."""
        names = {name: at.ground.zones_of(value) for name, value in at.names.items() if isinstance(value, Group)}
        key = id(body), frozenset(names.items())
        if key not in self._mutated:
            self._mutated[key] = body, mutated_zones(body, names, self.table)
        return self._mutated[key][1]

    def held(self, body: Body, at: AbstractState) -> dict[Place, Interval]:
        """What the zones hold through which components only pass in a body, if any: there is no more in them behind it."""
        if id(body) not in self._passed:
            zones = {zone.zone for zone in self._passing if zone.is_through(body)}
            self._passed[id(body)] = body, [place for place in at.content if place[0] in zones]
        return {place: at.content[place] for place in self._passed[id(body)][1]}

    def is_asked(self, body: Body) -> bool:
        """Whether something can still be found out about the conditions in a body, so that it is to be looked over."""
        if self.asked is None or id(body) in self._open:
            return False
        conditions = self.touched(body).conditions
        if self.looked >= STATEMENTS_LIMIT:
            self.asked.give_up(conditions)
        if self.asked.all_undetermined(conditions):
            self._open.add(id(body))
            return False
        return True

    def look_over(self, body: Body, at: AbstractState) -> None:
        """Go through a body that is left out otherwise, only for the conditions in it."""
        done, visits = self.done, dict(self.visits)
        self.body(body, at)
        self.looked += self.done - done
        self.done, self.visits = done, visits

    def fits(self, tests: Sequence[Expr], ways: model.Ways, at: AbstractState) -> bool:
        """Whether a component can lie as each ``so that`` asks, if all that lies there before it hangs together. Without
        ``laying`` this is asked only once, and nothing follows from it."""
        asked = None if self.asked is None or self.asked.all_undetermined(tests) else self.asked
        if self.laying is None and asked is None and tests[0].span in self.at_first:
            return True
        after = component_moves.laid(ways, at, self)
        self.evaluator.in_thought = True
        if asked is not None:
            for test in tests:
                asked.note(test, self.evaluator.number(test, after), after, self.evaluator)
        self.evaluator.in_one_piece = any(touches(test, ways, self.table) for test in tests)
        known = {test.span: self.evaluator.number(test, after) for test in tests}
        if self.laying is not None:
            for test in tests:
                self.laying.note(test, known[test.span], after, self.evaluator)
        self.evaluator.in_one_piece = self.evaluator.in_thought = False
        self.at_first = {**known, **self.at_first}
        return self.laying is None or NO not in known.values()

    def only_sets(self, step: str) -> frozenset[str] | None:
        """The counters and markers that a step sets, if it does nothing else: nothing moves and nothing is left."""
        found = self.touched(self.table.steps[step].body)
        return None if found.kinds or found.sets or found.leaves else found.variables

    def named(self, name: str, body: Body, at: AbstractState) -> AbstractState | None:
        reach, outside = at.reach, self.exits.get(name)
        leaks, held = self.ends, self.held(body, at)
        self.exits[name] = []
        after = self.left(name, self.body(body, at))
        if after is not None:
            after.hold_no_more(held)
        if outside is not None:
            self.exits[name] = outside
        return self.reached(after, reach, leaks)

    def reached(self, after: AbstractState | None, reach: int, leaks: int) -> AbstractState | None:
        """Behind a part of the rules that nothing has left, it is as sure that this is reached as before it."""
        if after is not None and self.ends == leaks:
            after.reach = reach
        return after

    def branches(self, node: model.If, at: AbstractState) -> AbstractState | None:
        """What is done where a condition holds, and where it does not."""
        reach, leaks = at.reach, self.ends
        found: list[AbstractState] = []
        known = self.evaluator.number(node.condition, at)
        if self.asked is not None:
            self.asked.note(node.condition, known, at, self.evaluator)
        for holds, body in ((True, node.then), (False, node.otherwise)):
            if known == (NO if holds else YES):
                continue
            here = at.copy(reach if known[0] == known[1] else UNKNOWN)
            if where(node.condition, holds, here, self.evaluator, known):
                after = self.body(body, here)
                if after is not None:
                    found.append(after)
        return self.reached(likeliest(found), reach, leaks)

    def by_chance(self, value: Expr, span: Span, at: AbstractState) -> AbstractValue:
        if isinstance(value, model.RandomOf) and self.evaluator.count(value.of, at) == NO:
            raise Unanswerable(shortfalls.nothing_by_chance(value.type.noun, span))
        if isinstance(value, model.RandomNumber):
            low, high = (self.evaluator.number(end, at) for end in (value.low, value.high))
            if high[1] < low[0]:
                raise Unanswerable(shortfalls.nothing_by_chance("number", span))
        return self.evaluator.value(value, at)

    def set_variable(self, node: model.SetVariable, at: AbstractState) -> AbstractState | None:
        variable = self.table.variables[node.name]
        found = self.by_chance(node.value, node.span, at)
        value = found if isinstance(found, tuple) else (NONE, MOST)
        match self.line_before, node.value:
            case model.Let(var=paid, value=left), model.Arithmetic(op="-", left=rest, right=model.VarValue(var=var)):
                value = NO if paid is var and left == rest else value  # `pay all` leaves nothing
            case _:
                pass
        is_of_components = variable.owner is not None and variable.owner.base == "component"
        owner = (NOBODY, NOBODY) if node.owner is None or is_of_components else self.evaluator.value(node.owner, at)
        domain = at.ground.domain(variable)
        if not variable.type.optional and variable.type.base in ("player", "word"):
            domain = 0, domain[1]
        stored = meet(value, domain)
        if stored is None:
            if variable.range is None:
                self.report(shortfalls.nobody(node, variable, self._nothing_in(node.value, at), self.loops, self.table), at)
            else:
                self.report(shortfalls.outside(node, variable, value, domain, self.loops, self.table), at)
            return None
        if not isinstance(owner, tuple):
            return at
        owners = [index for index in at.ground.owners(variable) if owner[0] <= index <= owner[1]]
        for index in owners:
            known = at.variables[node.name, index]
            weak = (min(known[0], stored[0]), max(known[1], stored[1]))
            at.variables[node.name, index] = weak if is_of_components or owner[0] != owner[1] else stored
        return at

    def _nothing_in(self, value: Expr, at: AbstractState) -> model.Typed | None:
        """The innermost set of which a value is made that has no member; None where that is not known."""
        empty: model.Typed | None = None
        with self.evaluator.unsure():
            for part in walk(value):
                if isinstance(part, model.Typed) and part.type.is_set:
                    match self.evaluator.value(part, at.copy()):
                        case Group(count=(_, 0)) | Members(maybe=0):
                            empty = part
                        case _:
                            pass
        return empty


def _emptied(of: AbstractValue) -> AbstractValue:
    """The empty set to which members of another are going to be added."""
    match of:
        case Group(kind=kind, parts=parts, faces=faces):
            return Group(kind, NO, {place: (0, part[1]) for place, part in parts.items()}, faces)
        case Members():
            return Members(0, 0)
        case _:
            return of


def _with_one_more(so_far: AbstractValue, one: AbstractValue) -> AbstractValue:
    match so_far, one:
        case Group(count=count, parts=parts), Group():
            more = plus(count, YES)
            lying = {**parts, **{place: (0, 1) for place in one.parts if place not in parts}}
            if len(lying) == 1:
                lying = dict.fromkeys(lying, more)
            return evolve(so_far, count=more, parts=lying)
        case Members(surely=surely, maybe=maybe), (low, high):
            new = sum(1 << member for member in range(max(0, low), high + 1))
            return Members(surely | (new if low == high else 0), maybe | new)
        case _:
            return so_far
