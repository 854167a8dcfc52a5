"""Abstract interpretation of loops: round by round while the next one is certain, then all possible rounds at once.

Where the number of rounds is unknown, everything that the loop can change is forgotten. The total number of rounds that are run
one by one is bounded (`AbstractInterpreter.long_enough`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

from attrs import evolve

from ...common.intervals import Interval
from ...common.source import Span
from ...model import model
from ...model.model import Body, Expr, Var
from .domain.states import UNKNOWN, AbstractState, likeliest, together
from .domain.values import MOST, NO, YES, AbstractValue, Cells, Group, Members, Place
from .evaluation.narrowing import where
from .evaluation.shortfalls import Loop, below_zero

if TYPE_CHECKING:  # which goes through the rounds
    from .interpreter import AbstractInterpreter

ROUNDS_LIMIT = 400  # of one loop; longer ones count something else than what is dealt
OPEN_ROUNDS_LIMIT = 12  # of which it is not known whether there are so many

# For each round, what the name of the loop stands for, and whether it surely comes.
Turns = Sequence[tuple[AbstractValue | None, bool]]


def _round(
    body: Body,
    span: Span,
    rounds: int | None,
    number: int,
    before: AbstractState,
    at: AbstractState,
    interpreter: AbstractInterpreter,
) -> AbstractState | None:
    start = before.content if rounds is not None else dict(at.content)
    interpreter.loops.append(Loop(span, rounds, number, before.content, start))
    after = interpreter.body(body, at)
    interpreter.loops.pop()
    return after


def repeat_times(node: model.RepeatTimes, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind so many rounds."""
    times = interpreter.evaluator.needed(node.times, at)
    if times[1] < 0:
        interpreter.report(below_zero(node.times.span, times[1], interpreter.table), at)
    low, high = max(0, times[0]), max(0, times[1])
    if low > ROUNDS_LIMIT or high - low > OPEN_ROUNDS_LIMIT or interpreter.long_enough():
        return _any_rounds(node.body, at, interpreter)
    return _members(None, [(None, number < low) for number in range(high)], node.body, node.span, at, interpreter)


def _members(
    var: Var | None, turns: Turns, body: Body, span: Span, at: AbstractState, interpreter: AbstractInterpreter
) -> AbstractState | None:
    """A round for each; those that are not sure may be left out."""
    reach, leaks = at.reach, interpreter.ends
    before = at.copy()
    rounds = len(turns) if all(surely for _, surely in turns) else None
    here: AbstractState | None = at
    for number, (member, surely) in enumerate(turns):
        if here is None:
            return None
        skipped = None if surely else here.copy()
        if skipped is not None:
            here.reach = skipped.reach = UNKNOWN
        if var is not None and member is not None:
            here.names[var] = member
        after = _round(body, span, rounds, number, before, here, interpreter)
        found = [each for each in (skipped, after) if each is not None]
        here = likeliest(found) if skipped is not None else after
        if skipped is not None:
            here = interpreter.reached(here, reach, leaks)
    return interpreter.reached(here, reach, leaks)


def _any_rounds(
    body: Body,
    at: AbstractState,
    interpreter: AbstractInterpreter,
    until: Expr | None = None,
    var: Var | None = None,
    member: AbstractValue | None = None,
) -> AbstractState | None:
    """Nobody knows how many rounds there are: what is so before each of them, and so behind the last.

    Where every line is to be gone through, this is done until one more round changes nothing that is known; what changes for too
    long can be anything (widening). Else all that they can change can be anything, and one is gone through for what it leaves.
    """
    reach, leaks = at.reach, interpreter.ends
    for number in count():
        last = interpreter.long_enough() or interpreter.watch is None
        if last:
            _forget(body, at, interpreter)
        inside = at.copy(UNKNOWN)
        if var is not None and member is not None:
            inside.names[var] = member
        in_full = interpreter.watch is not None or interpreter.touched(body).leaves
        looked_at = in_full or interpreter.is_asked(body)
        begins = looked_at and (until is None or where(until, False, inside, interpreter.evaluator))
        after = interpreter.body(body, inside) if begins and in_full else None
        if begins and not in_full:
            interpreter.look_over(body, inside)
        if last or after is None:
            break
        known = together([at, after], reach) or at
        if known.is_same_as(at):
            break
        if number >= OPEN_ROUNDS_LIMIT:
            forgotten = known.copy()
            _forget(body, forgotten, interpreter)
            known.widen(at, forgotten)
        at = known
    if until is not None and not where(until, True, at, interpreter.evaluator):
        return None
    if interpreter.ends != leaks:
        at.reach = UNKNOWN
    return interpreter.reached(at, reach, leaks)


def _forget(body: Body, at: AbstractState, interpreter: AbstractInterpreter) -> None:
    """Nothing is known any more of what a body can change."""
    touched, held = interpreter.touched(body), interpreter.held(body, at)
    at.forget(touched.kinds, touched.variables, interpreter.mutated(body, at))
    at.hold_no_more(held)
    for name in touched.sets:
        known = at.names.get(name)
        if known is not None:
            at.names[name] = _any_part(known)


def for_each(node: model.ForEach, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind a round for each member of a set."""
    members = interpreter.evaluator.value(node.members, at)
    if interpreter.asked is not None:
        interpreter.asked.note_members(node.members, members if isinstance(members, tuple) else members.count)
    match members:
        case Members():
            return _for_each_of(node, members, at, interpreter)
        case Group():
            low, high = members.count
            if low > ROUNDS_LIMIT or high - low > OPEN_ROUNDS_LIMIT or interpreter.long_enough():
                one = Group(members.kind, YES, dict.fromkeys(at.ground.places[members.kind], (0, 1)), members.faces)
                at.names[node.var] = one.lying(dict.fromkeys(members.parts, (0, 1)))  # so far
                return _any_rounds(node.body, at, interpreter, None, node.var, one)
            return _for_each_component(node, members, at, interpreter)
        case Cells() | _:
            at.names.pop(node.var, None)
            return _any_rounds(node.body, at, interpreter)


def _for_each_of(
    node: model.ForEach, members: Members, at: AbstractState, interpreter: AbstractInterpreter
) -> AbstractState | None:
    """Players or words: in their order, where it is known."""
    if interpreter.far_too_long():
        anybody = (min(members.listed, default=0), max(members.listed, default=0))
        return _any_rounds(node.body, at, interpreter, None, node.var, anybody) if members.maybe else at
    listed = list(members.listed)
    everyone: Turns = [((member, member), bool(members.surely >> member & 1)) for member in listed]
    if node.order is None or len(listed) < 2:
        return _members(node.var, everyone, node.body, node.span, at, interpreter)
    if isinstance(node.order, model.Clockwise) and node.order.stop is None:
        start = NO if node.order.start is None else interpreter.evaluator.needed(node.order.start, at)
        starts = range(max(0, start[0]), start[1] + 1)
        if len(starts) == 1 or (not interpreter.loops and members.surely == members.maybe):
            return _in_turn(node, everyone, starts, at, interpreter)
    number = members.count
    if isinstance(node.order, model.Clockwise) and node.order.stop is not None:
        span = _arc(node.order, at, interpreter)
        number = (span, span) if span is not None and members.surely == (1 << interpreter.table.players) - 1 else (0, number[1])
    anybody = listed[0], listed[-1]
    some: Turns = [(anybody, turn < number[0]) for turn in range(number[1])]
    return _members(node.var, some, node.body, node.span, at, interpreter)


def _in_turn(
    node: model.ForEach, everyone: Turns, starts: range, at: AbstractState, interpreter: AbstractInterpreter
) -> AbstractState | None:
    """Clockwise from each of some seats, and whatever then is so."""
    reach, leaks = at.reach, interpreter.ends
    found = []
    for start in starts:
        rest = [each for each in everyone if isinstance(each[0], tuple) and each[0][0] >= start]
        order = [*rest, *(each for each in everyone if each not in rest)]
        after = _members(node.var, order, node.body, node.span, at.copy() if len(starts) > 1 else at, interpreter)
        if after is not None:
            found.append(after)
    return interpreter.reached(likeliest(found), reach, leaks)


def _arc(order: model.Clockwise, at: AbstractState, interpreter: AbstractInterpreter) -> int | None:
    """How many seats there are from one to another, both counted, where both are counted from the same."""

    def seat(node: Expr) -> tuple[Expr, int]:
        if isinstance(node, model.SeatsAway) and isinstance(node.count, model.Const):
            return node.of, -node.count.value if node.right else node.count.value
        return node, 0

    if order.start is None or order.stop is None:
        return None
    one, other = interpreter.evaluator.number(order.start, at), interpreter.evaluator.number(order.stop, at)
    if one[0] == one[1] >= 0 and other[0] == other[1] >= 0:
        return (other[0] - one[0]) % interpreter.table.players + 1
    first, last = seat(order.start), seat(order.stop)
    if first[0] != last[0]:
        return None
    return (last[1] - first[1]) % interpreter.table.players + 1


def _for_each_component(
    node: model.ForEach, members: Group, at: AbstractState, interpreter: AbstractInterpreter
) -> AbstractState | None:
    """One after the other; those that are still to come lie where they lay, unless something has moved them."""
    rest = Var("rest", node.var.type)
    at.names[rest] = Group(members.kind, (0, members.count[1]), dict(members.parts), members.faces)
    reach, leaks = at.reach, interpreter.ends
    before = at.copy()
    low, high = members.count
    here: AbstractState | None = at
    for number in range(high):
        if here is None:
            break
        skipped = here.copy() if number >= low else None
        if skipped is not None:
            here.reach = skipped.reach = UNKNOWN
        left = here.names[rest]
        assert isinstance(left, Group)
        parts: dict[Place, Interval] = dict.fromkeys(left.parts, (0, 1))
        interpreter.tokens += 1
        parts = dict.fromkeys(parts, YES) if len(parts) == 1 else parts
        here.names[node.var] = Group(members.kind, YES, parts, members.faces, interpreter.tokens)
        here.names[rest] = evolve(left, token=-interpreter.tokens)
        after = _round(node.body, node.span, high if low == high else None, number, before, here, interpreter)
        found = [each for each in (skipped, after) if each is not None]
        here = interpreter.reached(likeliest(found), reach, leaks)
    return here


def repeat(node: model.Repeat, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind a loop that goes on until something holds."""
    if node.at_most is not None:
        after = _any_rounds(node.body, at, interpreter)
        if after is None:
            return None
        over, late = after.copy(), after
        found = [over] if where(node.until, True, over, interpreter.evaluator) else []
        late.reach = UNKNOWN
        if node.otherwise is not None and where(node.until, False, late, interpreter.evaluator):
            end = interpreter.body(node.otherwise, late)
            found += [end] if end is not None else []
        return together(found, UNKNOWN)
    return _until(node.until, [None], node.body, node.span, at, interpreter)


def take_turns(node: model.TakeTurns, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind turns that are taken until something holds."""
    players = interpreter.table.players
    start = interpreter.evaluator.needed(node.start, at)
    seats: list[AbstractValue | None] = [(0, players - 1)]
    if start[0] == start[1]:
        seats = [((start[0] + turn) % players, (start[0] + turn) % players) for turn in range(players)]
    inside = model.IsIn(model.VarValue(node.var, type=model.PLAYER, span=node.span), node.among, type=model.TRUTH, span=node.span)
    turn = (model.If(inside, node.body, (), span=node.span),)
    return _until(node.until, seats, turn, node.span, at, interpreter, node.var)


def _until(
    over: Expr,
    members: Sequence[AbstractValue | None],
    body: Body,
    span: Span,
    at: AbstractState,
    interpreter: AbstractInterpreter,
    var: Var | None = None,
) -> AbstractState | None:
    """Round by round while it is known that there is another; then however many there are."""
    reach, leaks = at.reach, interpreter.ends
    before = at.copy()
    ends: list[AbstractState] = []
    here: AbstractState | None = at
    number = 0
    while here is not None:
        known = interpreter.evaluator.number(over, here)
        if known == YES:
            ends.append(here)
            break
        if known != NO or here.reach == UNKNOWN or number >= ROUNDS_LIMIT or interpreter.long_enough():
            anybody = (0, interpreter.table.players - 1) if var is not None else None
            after = _any_rounds(body, here, interpreter, over, var, anybody)
            ends += [after] if after is not None else []
            break
        member = members[number % len(members)]
        if var is not None and member is not None:
            here.names[var] = member
        here = _round(body, span, None, number, before, here, interpreter)
        number += 1
    return interpreter.reached(likeliest(ends), reach, leaks)


def _any_part(of: AbstractValue) -> AbstractValue:
    """A set to which so many members may have been added as there are."""
    match of:
        case Group(kind=kind, parts=parts, faces=faces):
            return Group(kind, (0, MOST), dict.fromkeys(parts, (0, MOST)), faces)
        case Members(maybe=maybe):
            return Members(0, ~0 if maybe else maybe)
        case _:
            return of
