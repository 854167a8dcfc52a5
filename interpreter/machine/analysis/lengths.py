"""Upper bounds on the number of decisions, and of chance events, in one game, as far as its loops have known ends.

The counts of consecutive parts are added, alternative paths count as the longest, and a loop counts as often as it can go round:

- as `rounds.py` knows, over the members of a set and where the lowering says so;
- until there are enough in a set to which each round adds one that is not in it yet (a selection).

A loop has another bound where something in it only ever goes one way (`paths.py`): the empty cells of a board get fewer, as do
the cards of a deck. Where each round that goes on makes no more than k decisions for each step of such *measures*, the loop
makes no more than k times the steps that they have (a ranking function; Floyd, "Assigning meanings to programs", 1967). Where
some rounds do not, and those take a step of another measure, this holds between any two of them: the bound is lexicographic, as
in a betting in which each raise lets all others answer again. And a measure that is reset n times at the most has n + 1 times
its steps, where n is counted in the same way (Sinn, Zuleger, Veith, "Complexity and resource bound analysis of imperative
programs using difference constraints", Journal of Automated Reasoning, 2017): how many have passed in a row, which a card that
is played ends.

So a bound is never too low. It is high where a game mostly ends early, and infinite where no end is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial
from math import inf
from typing import assert_never

from attrs import define, field, frozen

from ..machine import DECISIONS_LIMIT, Alternative, Assign, Choose, Const, Field, Load, Machine, Op, Variable, While
from ..traverse import most_rounds
from .contents import Contents
from .paths import (
    NOTHING,
    NOWHERE,
    Alternatives,
    Decision,
    Event,
    Exit,
    Loop,
    Paths,
    Region,
    Row,
    Shift,
    Step,
    every_way,
    joined,
    row,
    ways_of,
)
from .ranges import Ranges

FACTORS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)  # of decisions for each step, that are tried
DEPTH = 3  # measures of a lexicographic bound
Measure = tuple[Field, bool]  # a field, and whether it grows
Cost = Callable[[Paths], bool]  # whether a way is one of what is counted


@frozen
class Length:
    """The most decisions and the most chance events; infinite where nobody knows."""

    decisions: float = 0
    chance: float = 0


def length_of(machine: Machine) -> Length:
    """The length of the longest game of a machine, of those that come to their end and do not stop with a fault.

    No game makes more decisions than `DECISIONS_LIMIT`.
    """
    ranges = Ranges(machine)
    ways = ways_of(machine, ranges)
    if ways is None:
        return Length(DECISIONS_LIMIT, inf)
    contents = Contents(machine, ranges)
    decisions, chance = (_Counting(machine, contents, partial(_is_a, cost)).most(ways) for cost in (Decision, Event))
    return Length(min(decisions, DECISIONS_LIMIT), chance)


# ---- How much there is of one sort


@define(eq=False)
class _Counting:
    """Counting ``cost``: decisions, chance events, or how often a measure is put back. ``depth``: see `by_measures`."""

    machine: Machine
    contents: Contents
    cost: Cost
    depth: int = DEPTH
    known: dict[int, tuple[Paths, float]] = field(factory=dict)  # of a loop, by identity, with what keeps it
    rounds_of: dict[tuple[int, int], float] = field(factory=dict)  # of a loop of the machine, by identity and by what it had

    def most(self, ways: Paths) -> float:
        """The most of it on any way."""
        match ways:
            case Row(parts=parts):
                return sum(map(self.most, parts))
            case Alternatives(ways=found):
                return max(map(self.most, found), default=0)
            case Region(body=body):
                return self.most(body)
            case Loop():
                return self.loop(ways)
            case Decision() | Event() | Step() | Shift() | Exit():
                return int(self.cost(ways))
            case _:
                assert_never(ways)

    def loop(self, loop: Loop) -> float:
        if id(loop) not in self.known:
            once = self.most(loop.body)
            self.known[id(loop)] = loop, once and min(self.rounds(loop) * once, self.by_measures(loop.body, self.depth))
        return self.known[id(loop)][1]

    def rounds(self, loop: Loop) -> float:
        """The most rounds of a loop, as far as they can be told from the loop alone."""
        key = id(loop.code), loop.had
        if key not in self.rounds_of:
            self.rounds_of[key] = _rounds(loop.code, loop.had)
        return self.rounds_of[key]

    # ---- Measures

    def by_measures(self, body: Paths, depth: int) -> float:
        """The most in all rounds of a loop, by what goes one way in them.

        ``depth``: how many measures a lexicographic bound may have; where it may have all, what is put back counts, too.
        """
        staying = self.without(body, _leaves)
        last = self.most(body) if staying != body else 0  # the round in which the loop is left
        if not any(map(self.cost, every_way(staying))):
            return last
        measures = _measures(staying)
        if not measures or last == inf:
            return inf
        steps: dict[Measure, float] = {measure: self.capacity(measure) for measure in measures}
        if depth == DEPTH:
            steps |= self.put_back(staying, [measure for measure in _stepping(staying) if measure not in steps])
        found = self.by_steps(body, staying, steps, last)
        if depth:
            for measure in measures:
                others = self.without(staying, partial(_is_step, measure=measure))
                if others != staying:
                    between = self.by_measures(others, depth - 1) if others != NOWHERE else 0
                    found = min(found, (steps[measure] + 1) * between + steps[measure] * self.most(staying) + last)
        return found

    def put_back(self, staying: Paths, measures: Iterable[Measure]) -> dict[Measure, float]:
        """The most steps of measures that are put back only so often."""
        found: dict[Measure, float] = {}
        for measure in measures:
            backs = _Counting(self.machine, self.contents, partial(_is_back, measure), 0)
            if (most := backs.by_measures(staying, 0)) < inf:
                found[measure] = self.capacity(measure) * (most + 1)
        return found

    def by_steps(self, body: Paths, staying: Paths, steps: Mapping[Measure, float], last: float) -> float:
        """So many for each of the ``steps`` of measures; of all of them at first, then without those that are not needed."""
        measures = list(steps)
        steady = set(_measures(body))  # also in a round in which the loop is left, so that its steps count, too
        whole, going_on = (self.counted(ways, set(measures)) for ways in (body, staying))

        def most(measures: Sequence[Measure]) -> float:
            for factor in FACTORS:
                if self.left(going_on, set(measures), factor)[0] >= 0:
                    left = min(self.left(whole, steady.intersection(measures), factor)[1].values(), default=0) if last else 0
                    return factor * sum(steps[measure] for measure in measures) + min(last, max(0, -left))
            return inf

        found = most(measures)
        for measure in sorted(measures, key=lambda each: -steps[each]):
            fewer = [each for each in measures if each != measure]
            if fewer and (better := most(fewer)) <= found:
                found, measures = better, fewer
        return found

    def without(
        self, ways: Paths, dropped: Callable[[Paths, frozenset[str]], bool], labels: frozenset[str] = frozenset()
    ) -> Paths:
        """The ways on which nothing is that is dropped. ``labels``: of the regions around."""
        if dropped(ways, labels):
            return NOWHERE
        match ways:
            case Row(parts=parts):
                return row(self.without(part, dropped, labels) for part in parts)
            case Alternatives(ways=found):
                return joined(self.without(way, dropped, labels) for way in found)
            case Loop(body=body, first=first):
                rounds, begun = self.without(body, dropped, labels), self.without(first, dropped, labels)
                if begun == NOWHERE or rounds in (NOTHING, NOWHERE):
                    return begun
                return ways if (rounds, begun) == (body, first) else self.instead(ways, rounds, begun)
            case Region(label=label, body=body):
                left = self.without(body, dropped, labels | {label})
                return left if left == NOWHERE else Region(label, left)
            case _:
                return ways

    def counted(self, ways: Paths, measures: Set[Measure]) -> Paths:
        """The ways reduced to the counted events, the sure steps of measures, and exits."""
        match ways:
            case Row(parts=parts):
                return row(self.counted(part, measures) for part in parts)
            case Alternatives(ways=found):
                return joined(self.counted(way, measures) for way in found)
            case Loop(body=body, first=first):
                rounds, begun = self.counted(body, measures), self.counted(first, measures)
                return begun if rounds in (NOTHING, NOWHERE) else self.instead(ways, rounds, begun)
            case Region(label=label, body=body):
                return Region(label, self.counted(body, measures))
            case Exit():
                return ways
            case Decision() | Event() | Shift() | Step():
                return ways if self.cost(ways) or _takes_one_of(measures, ways) else NOTHING
            case _:
                assert_never(ways)

    def instead(self, loop: Loop, body: Paths, first: Paths) -> Loop:
        """A loop with some of the ways of another. It makes no more than that one."""
        found = Loop(body, loop.code, first, loop.had)
        if (most := self.loop(loop)) < inf:
            self.known[id(found)] = found, most
        return found

    def left(self, ways: Paths, measures: Set[Measure], factor: int) -> tuple[float, dict[str, float]]:
        """The least of ``factor`` times the steps less the cost, on any way to the end; and to each label that is left."""
        match ways:
            case Decision() | Event() | Shift() | Step():
                return factor * _takes_one_of(measures, ways) - self.cost(ways), {}
            case Exit(label=label):
                return inf, {label: 0}
            case Alternatives(ways=found):
                each = [self.left(way, measures, factor) for way in found]
                return min((fall for fall, _ in each), default=inf), _least(exits for _, exits in each)
            case Row(parts=parts):
                total = 0.0
                exits: dict[str, float] = {}
                for part in parts:
                    fall, out = self.left(part, measures, factor)
                    exits = _least([exits, {label: total + value for label, value in out.items()}])
                    total += fall
                return total, exits
            case Region(label=label, body=body):
                fall, exits = self.left(body, measures, factor)
                return min(fall, exits.pop(label, inf)), exits
            case Loop(body=body, first=first):
                begun, early = self.left(first, measures, factor)
                fall, out = self.left(body, measures, factor)
                rounds = begun + (0 if fall >= 0 else fall * self.rounds(ways))
                at_least = -self.loop(ways)
                left = _least([early, {label: rounds + value for label, value in out.items()}])
                return max(rounds, at_least), {label: max(value, at_least) for label, value in left.items()}
            case _:
                assert_never(ways)

    def capacity(self, measure: Measure) -> int:
        """The most steps that a measure has, never put back. What lies in the zones of a kind lies in one of them only."""
        changed, _ = measure
        if not changed.bits:
            return (changed.high - changed.low) * changed.length
        had = self.contents.of(changed).bit_count()
        zone = next((zone for zone in self.machine.zones if zone.content == changed), None)
        if zone is None:
            return had * changed.length
        return min(changed.bits, had * changed.length) if zone.domain.copies else had


def _stepping(ways: Paths) -> list[Measure]:
    """What takes a sure step on some way."""
    return list(dict.fromkeys((way.field, way.up) for way in every_way(ways) if isinstance(way, Step) and way.surely))


def _measures(ways: Paths) -> list[Measure]:
    """What takes a sure step on some way, and never one back."""
    found = list(every_way(ways))
    return [measure for measure in _stepping(ways) if not any(_is_back(measure, way) for way in found)]


def _least(exits: Iterable[Mapping[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for each in exits:
        for label, value in each.items():
            found[label] = min(value, found.get(label, inf))
    return found


def _is_a(cost: type[Paths], way: Paths) -> bool:
    return isinstance(way, cost)


def _is_back(measure: Measure, way: Paths) -> bool:
    """Whether a measure may be put back."""
    match way:
        case Step(field=changed, up=up):
            return (changed, not up) == measure
        case Shift(field=changed):
            return changed == measure[0]
        case _:
            return False


def _takes_one_of(measures: Set[Measure], way: Paths) -> bool:
    return isinstance(way, Step) and way.surely and (way.field, way.up) in measures


def _is_step(way: Paths, labels: frozenset[str], measure: Measure) -> bool:
    return _takes_one_of({measure}, way)


def _leaves(way: Paths, labels: frozenset[str]) -> bool:
    return isinstance(way, Exit) and way.label not in labels


# ---- Rounds


def _rounds(loop: While, had: int) -> float:
    if most := most_rounds(loop):
        return most
    match loop.condition, loop.body:
        case Op(name="not", args=(Op(name="<=", args=(Const(value=enough), Op(name="count", args=(Load(found),)))),)), (
            Choose(alternatives=alternatives),
        ) if all(_adds(each, found) for each in alternatives):
            return max(1, enough - had)
        case _:
            return inf


def _adds(alternative: Alternative, found: Variable) -> bool:
    """Whether an option does nothing but add what is not yet in a set."""
    match alternative.candidates, alternative.body:
        case Op(name="minus", args=(_, Load(variable=without))), (
            Assign(variable=added, value=Op(name="union", args=(Load(variable=to), Op(name="bit")))),
        ):
            return without == added == to == found
        case _:
            return False
