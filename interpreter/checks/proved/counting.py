"""How many components lie where, at each line of a game? The rules are gone through once, without playing.

An abstract execution: at each line a `Position` stands for all positions in which the game can be there, in intervals (Cousot,
Cousot, "Abstract interpretation", POPL 1977). Loops are gone through round by round while it is known that they go on: so what is
dealt is counted exactly. Where it is not known whether a loop goes on, all that it can change is forgotten. Branches are
joined; of a choice, every option is gone through. Whatever is not understood can be anything, so nothing wrong is claimed.

A line that surely stops the game is a finding, but only where it is known that the line is reached: in every game, or after
choices that a player can surely make. Behind it nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from attrs import define, evolve, field, frozen

from ...diagnostics import Diagnostic
from ...model import model
from ...model.model import Body, Expr
from ...model.rebuild import walk, walk_statements
from ...source import Span
from ...table.table import Table
from . import shortfalls
from .amounts import MOST, NO, NOBODY, NONE, YES, Amount, Cells, Group, Members, Place, Range, met, plus
from .asking import Asking, Unanswerable
from .narrowing import where
from .positions import POSSIBLE, UNKNOWN, Position, beginning, box_of, ground_of, held_in, together
from .shortfalls import Loop

STATEMENTS_LIMIT = 3_000  # gone through at one table; then loops are no longer gone through round by round: a tenth of a second
ROUNDS_LIMIT = 400  # of one loop; longer ones count something else than what is dealt
VISITS_LIMIT = 8  # of a step that only sets counters and markers; then what it sets can be anything
OPEN_ROUNDS_LIMIT = 12  # of which it is not known whether there are so many


@frozen
class Counted:
    """What was found at a table, and what is known of all positions in which a game can be over (None: none was reached)."""

    findings: tuple[Diagnostic, ...]
    end: Position | None


def counted(table: Table) -> Counted:
    """Go through the rules of one table."""
    ground = ground_of(table)
    counting = _Counting(table, Asking(table))
    at: Position | None = beginning(ground)
    counting.exits["game"] = []
    for step in table.flow:
        counting.exits[step.name] = []
        if at is not None:
            at = counting.body(step.body, at)
        at = counting.left(step.name, at)
    ends = [*counting.exits["game"], *([at] if at is not None else [])]
    return Counted(tuple(counting.found), together(ends, UNKNOWN))


@define(eq=False)
class _Counting:
    """``exits``: for each step or phase around, the positions from which it was left; ``loops``: those around."""

    table: Table
    asking: Asking
    found: list[Diagnostic] = field(factory=list)
    exits: dict[str, list[Position]] = field(factory=dict)
    loops: list[Loop] = field(factory=list)
    line: model.Statement | None = None
    line_before: model.Statement | None = None
    done: int = 0
    tokens: int = 0
    visits: dict[str, int] = field(factory=dict)
    _setting: dict[str, set[str] | None] = field(factory=dict)

    # -- the flow

    def body(self, body: Body, at: Position | None) -> Position | None:
        """The position behind some statements; None where none is reached."""
        for statement in body:
            if at is None:
                return None
            self.done += 1
            before = at
            self.line_before, self.line = self.line, statement
            try:
                at = self.statement(statement, at)
            except Unanswerable as stop:
                self.claim(stop.finding, before)
                return None
        return at

    def claim(self, finding: Diagnostic, at: Position) -> None:
        """A finding, if it is known that this is reached; one for each place."""
        if at.reach != UNKNOWN and all(other.span != finding.span for other in self.found):
            self.found.append(finding)

    def left(self, name: str, at: Position | None) -> Position | None:
        """The position behind a step, with those in which it was left."""
        ends = self.exits.pop(name)
        if not ends:
            return at
        all_ends = [*ends, *([at] if at is not None else [])]
        return together(all_ends, max(end.reach for end in all_ends))

    def statement(self, node: model.Statement, at: Position) -> Position | None:
        match node:
            case model.Move():
                return self.move(node, at)
            case model.Draw():
                return self.draw(node, at)
            case model.HoldBack():
                return self.hold_back(node, at)
            case model.Lay():
                return self.lay(node, at)
            case model.SetVariable():
                return self.set_variable(node, at)
            case model.Let(var=var, value=value):
                at.names[var] = self.by_chance(value, node.span, at)
            case model.Gather():
                of = self.asking.value(node.of, at)
                at.names[node.var] = _emptied(of)
            case model.Include(var=var, member=member):
                so_far, one = at.names.get(var), self.asking.value(member, at)
                if so_far is not None:
                    at.names[var] = _with_one_more(so_far, one)
            case model.If(condition=condition, then=then, otherwise=otherwise):
                return self.branches([(condition, True, then), (condition, False, otherwise)], at)
            case model.ForEach():
                return self.for_each(node, at)
            case model.Repeat():
                return self.repeat(node, at)
            case model.RepeatTimes(times=times, body=body):
                return self.rounds(self.asking.needed(times, at), body, node.span, at)
            case model.TakeTurns():
                return self.take_turns(node, at)
            case model.Do(step=name, args=args):
                step = self.table.steps[name]
                self.visits[name] = self.visits.get(name, 0) + 1
                if self.visits[name] > VISITS_LIMIT and (changes := self.only_sets(name)) is not None:
                    at.forget((), changes)
                    return at
                given = [self.asking.value(arg, at) for arg in args]
                at.names.update(zip(step.parameters, given, strict=True))
                return self.named(name, step.body, at)
            case model.NamedBlock(name=name, body=body):
                return self.named(name, body, at)
            case model.End(name=name):
                if name in self.exits:
                    self.exits[name].append(at)
                return None
            case model.Choose():
                return self.choose(node, at)
            case model.Mix() | model.Reveal() | model.Announce() | model.Tell():
                pass
            case _:
                assert_never(node)
        return at

    def only_sets(self, step: str) -> set[str] | None:
        """The counters and markers that a step sets, if it does nothing else: nothing moves and nothing is left."""
        if step not in self._setting:
            body = (model.Do(step, (), span=self.table.span),)
            kinds, variables, names = self.changed(body)
            leaves = any(isinstance(node, model.End) for node in walk_statements(tuple(self.steps_of(body))))
            self._setting[step] = None if kinds or names or leaves else variables
        return self._setting[step]

    def steps_of(self, body: Body) -> list[Body]:
        """The bodies of all steps that a body does."""
        found: dict[str, Body] = {}
        todo = [body]
        while todo:
            for node in walk_statements(todo.pop()):
                if isinstance(node, model.Do) and node.step not in found:
                    found[node.step] = self.table.steps[node.step].body
                    todo.append(found[node.step])
        return list(found.values())

    def named(self, name: str, body: Body, at: Position) -> Position | None:
        reach, outside = at.reach, self.exits.get(name)
        leaks = self.leaks()
        self.exits[name] = []
        after = self.left(name, self.body(body, at))
        if outside is not None:
            self.exits[name] = outside
        return self.reached(after, reach, leaks)

    def leaks(self) -> int:
        """How often something around has been left so far."""
        return sum(map(len, self.exits.values()))

    def reached(self, after: Position | None, reach: int, leaks: int) -> Position | None:
        """Behind a part of the rules that nothing has left, it is as sure that this is reached as before it."""
        if after is not None and self.leaks() == leaks:
            after.reach = reach
        return after

    def branches(self, ways: Sequence[tuple[Expr, bool, Body]], at: Position) -> Position | None:
        """What is done where a condition holds, and where it does not."""
        reach, leaks = at.reach, self.leaks()
        found: list[Position] = []
        for condition, holds, body in ways:
            known = self.asking.number(condition, at)
            if known == (NO if holds else YES):
                continue
            here = at.copy(reach if known[0] == known[1] else UNKNOWN)
            if where(condition, holds, here, self.asking):
                after = self.body(body, here)
                if after is not None:
                    found.append(after)
        after = together(found, max((each.reach for each in found), default=UNKNOWN))
        return self.reached(after, reach, leaks)

    # -- loops

    def long_enough(self) -> bool:
        return self.done >= STATEMENTS_LIMIT

    def round(self, body: Body, span: Span, rounds: int | None, number: int, before: Position, at: Position) -> Position | None:
        self.loops.append(Loop(span, rounds, number, before.content))
        after = self.body(body, at)
        self.loops.pop()
        return after

    def rounds(self, times: Range, body: Body, span: Span, at: Position) -> Position | None:
        """So many rounds."""
        low, high = max(0, times[0]), max(0, times[1])
        if low > ROUNDS_LIMIT or self.long_enough() or high - low > OPEN_ROUNDS_LIMIT:
            return self.any_rounds(body, at, may_skip=low == 0)
        members: list[tuple[Amount | None, bool]] = [(None, number < low) for number in range(high)]
        return self.members(None, members, body, span, at)

    def members(
        self, var: model.Var | None, members: Sequence[tuple[Amount | None, bool]], body: Body, span: Span, at: Position
    ) -> Position | None:
        """A round for each; those that are not sure may be left out."""
        reach, leaks = at.reach, self.leaks()
        before = at.copy()
        rounds = len(members) if all(surely for _, surely in members) else None
        here: Position | None = at
        for number, (member, surely) in enumerate(members):
            if here is None:
                return None
            skipped = None if surely else here.copy()
            if skipped is not None:
                here.reach = skipped.reach = UNKNOWN
            if var is not None and member is not None:
                here.names[var] = member
            after = self.round(body, span, rounds, number, before, here)
            found = [each for each in (skipped, after) if each is not None]
            here = together(found, max((each.reach for each in found), default=UNKNOWN)) if skipped is not None else after
            if skipped is not None:
                here = self.reached(here, reach, leaks)
        return self.reached(here, reach, leaks)

    def any_rounds(
        self, body: Body, at: Position, may_skip: bool = True, until: Expr | None = None, var: model.Var | None = None,
        member: Amount | None = None,
    ) -> Position | None:  # fmt: skip
        """Nobody knows how many rounds: all that they can change is forgotten, and one is gone through for what it leaves."""
        reach, leaks = at.reach, self.leaks()
        kinds, variables, names = self.changed(body)
        at.forget(kinds, variables)
        for name in names:
            known = at.names.get(name)
            if known is not None:
                at.names[name] = _any_part(known)
        inside = at.copy(UNKNOWN)
        if var is not None and member is not None:
            inside.names[var] = member
        leaves = any(isinstance(node, model.End) for node in walk_statements((body, *self.steps_of(body))))
        if leaves and (until is None or where(until, False, inside, self.asking)):
            self.body(body, inside)
        if until is not None and not where(until, True, at, self.asking):
            return None
        return self.reached(at, reach, leaks) if self.leaks() == leaks else _with_reach(at, UNKNOWN)

    def changed(self, body: Body) -> tuple[set[str], set[str], set[model.Var]]:
        """The kinds of components that a body can move, the counters and markers that it can set, the sets that it adds to."""
        kinds: set[str] = set()
        variables: set[str] = set()
        names: set[model.Var] = set()
        for node in walk_statements((body, *self.steps_of(body))):
            match node:
                case model.Move() | model.Lay():
                    kinds.add(node.what.type.of)
                case model.Draw(source=spot) | model.HoldBack(pile=spot):
                    kinds.add(self.table.zones[spot.zone].kind)
                case model.SetVariable(name=name):
                    variables.add(name)
                case model.Include(var=var):
                    names.add(var)
                case _:
                    pass
        return kinds, variables, names

    def for_each(self, node: model.ForEach, at: Position) -> Position | None:
        members = self.asking.value(node.members, at)
        match members:
            case Members():
                return self.for_each_of(node, members, at)
            case Group():
                low, high = members.count
                if low > ROUNDS_LIMIT or high - low > OPEN_ROUNDS_LIMIT or self.long_enough():
                    one = Group(members.kind, YES, dict.fromkeys(at.ground.places[members.kind], (0, 1)), members.faces)
                    return self.any_rounds(node.body, at, low == 0, None, node.var, one)
                return self.for_each_component(node, members, at)
            case Cells() | _:
                at.names.pop(node.var, None)
                return self.any_rounds(node.body, at)

    def for_each_of(self, node: model.ForEach, members: Members, at: Position) -> Position | None:
        """Players or words: in their order, where it is known."""
        listed = list(members.listed)
        everyone: list[tuple[Amount | None, bool]] = [((m, m), bool(members.surely >> m & 1)) for m in listed]
        if node.order is None or len(listed) < 2:
            return self.members(node.var, everyone, node.body, node.span, at)
        if isinstance(node.order, model.Clockwise) and node.order.stop is None:
            start = NO if node.order.start is None else self.asking.needed(node.order.start, at)
            starts = range(max(0, start[0]), start[1] + 1)
            if len(starts) == 1 or (not self.loops and members.surely == members.maybe):
                return self.in_turn(node, everyone, starts, at)
        number = members.count
        if isinstance(node.order, model.Clockwise) and node.order.stop is not None:
            span = self.arc(node.order, at)
            number = (span, span) if span is not None and members.surely == (1 << self.table.players) - 1 else (0, number[1])
        anybody: Amount = (listed[0], listed[-1])
        some: list[tuple[Amount | None, bool]] = [(anybody, turn < number[0]) for turn in range(number[1])]
        return self.members(node.var, some, node.body, node.span, at)

    def in_turn(
        self, node: model.ForEach, everyone: list[tuple[Amount | None, bool]], starts: range, at: Position
    ) -> Position | None:
        """Clockwise from each of some seats, and whatever then is so."""
        reach, leaks = at.reach, self.leaks()
        found = []
        for start in starts:
            rest = [each for each in everyone if isinstance(each[0], tuple) and each[0][0] >= start]
            order = [*rest, *(each for each in everyone if each not in rest)]
            after = self.members(node.var, order, node.body, node.span, at.copy() if len(starts) > 1 else at)
            if after is not None:
                found.append(after)
        return self.reached(together(found, max((each.reach for each in found), default=UNKNOWN)), reach, leaks)

    def arc(self, order: model.Clockwise, at: Position) -> int | None:
        """How many seats there are from one to another, both counted, where both are counted from the same."""

        def seat(node: Expr) -> tuple[Expr, int] | None:
            if isinstance(node, model.SeatsAway) and isinstance(node.count, model.Const):
                return node.of, -node.count.value if node.right else node.count.value
            return node, 0

        if order.start is None or order.stop is None:
            return None
        one, other = self.asking.number(order.start, at), self.asking.number(order.stop, at)
        if one[0] == one[1] >= 0 and other[0] == other[1] >= 0:
            return (other[0] - one[0]) % self.table.players + 1
        first, last = seat(order.start), seat(order.stop)
        if first is None or last is None or first[0] != last[0]:
            return None
        return (last[1] - first[1]) % self.table.players + 1

    def for_each_component(self, node: model.ForEach, members: Group, at: Position) -> Position | None:
        """One after the other; those that are still to come lie where they lay, unless something has moved them."""
        rest = model.Var("rest", node.var.type)
        at.names[rest] = Group(members.kind, (0, members.count[1]), dict(members.parts), members.faces)
        reach, leaks = at.reach, self.leaks()
        before = at.copy()
        low, high = members.count
        here: Position | None = at
        for number in range(high):
            if here is None:
                break
            skipped = here.copy() if number >= low else None
            if skipped is not None:
                here.reach = skipped.reach = UNKNOWN
            left = here.names[rest]
            assert isinstance(left, Group)
            parts: dict[Place, Range] = dict.fromkeys(left.parts, (0, 1))
            self.tokens += 1
            parts = dict.fromkeys(parts, YES) if len(parts) == 1 else parts
            here.names[node.var] = Group(members.kind, YES, parts, members.faces, self.tokens)
            here.names[rest] = evolve(left, token=-self.tokens)
            after = self.round(node.body, node.span, high if low == high else None, number, before, here)
            found = [each for each in (skipped, after) if each is not None]
            here = self.reached(together(found, max((e.reach for e in found), default=UNKNOWN)), reach, leaks)
        return here

    def repeat(self, node: model.Repeat, at: Position) -> Position | None:
        if node.at_most is not None:
            after = self.any_rounds(node.body, at)
            if after is None:
                return None
            over, late = after.copy(), after
            found = [over] if where(node.until, True, over, self.asking) else []
            late.reach = UNKNOWN
            if node.otherwise is not None and where(node.until, False, late, self.asking):
                end = self.body(node.otherwise, late)
                found += [end] if end is not None else []
            return together(found, UNKNOWN)
        return self.until(node.until, [None], node.body, node.span, at)

    def take_turns(self, node: model.TakeTurns, at: Position) -> Position | None:
        players = self.table.players
        start = self.asking.needed(node.start, at)
        seats: list[Amount | None] = [(0, players - 1)]
        if start[0] == start[1]:
            seats = [((start[0] + turn) % players, (start[0] + turn) % players) for turn in range(players)]
        inside = model.IsIn(
            model.VarValue(node.var, type=model.PLAYER, span=node.span), node.among, type=model.TRUTH, span=node.span
        )
        turn = (model.If(inside, node.body, (), span=node.span),)
        return self.until(node.until, seats, turn, node.span, at, node.var)

    def until(
        self, over: Expr, members: Sequence[Amount | None], body: Body, span: Span, at: Position, var: model.Var | None = None
    ) -> Position | None:
        """Round by round while it is known that there is another; then however many there are."""
        reach, leaks = at.reach, self.leaks()
        before = at.copy()
        ends: list[Position] = []
        here: Position | None = at
        number = 0
        while here is not None:
            known = self.asking.number(over, here)
            if known == YES:
                ends.append(here)
                break
            if known != NO or here.reach == UNKNOWN or number >= ROUNDS_LIMIT or self.long_enough():
                anybody = (0, self.table.players - 1) if var is not None else None
                after = self.any_rounds(body, here, True, over, var, anybody)
                ends += [after] if after is not None else []
                break
            member = members[number % len(members)]
            if var is not None and member is not None:
                here.names[var] = member
            here = self.round(body, span, None, number, before, here)
            number += 1
        return self.reached(together(ends, max((end.reach for end in ends), default=UNKNOWN)), reach, leaks)

    # -- choices

    def choose(self, node: model.Choose, at: Position) -> Position | None:
        reach, leaks = at.reach, self.leaks()
        self.asking.needed(node.player, at)
        found: list[Position] = []
        offered = [(option, here) for option in node.options if (here := self.offered(option, at)) is not None]
        allowed = any(here.reach == POSSIBLE for _, here in offered)
        only = len(offered) == 1 and node.impossible is None
        for option, here in offered:
            here.reach = reach if only else min(reach, here.reach)
            after = self.body(option.body, here)
            found += [after] if after is not None else []
        if node.impossible is not None and not allowed:
            here = at.copy(reach if not offered else UNKNOWN)
            after = self.body(node.impossible, here)
            found += [after] if after is not None else []
        return self.reached(together(found, max((each.reach for each in found), default=UNKNOWN)), reach, leaks)

    def offered(self, option: model.Option, at: Position) -> Position | None:
        """The position in which an option is chosen, ``reach`` being whether it surely can; None where it never can."""
        here = at.copy(POSSIBLE)
        with self.asking.unsure():
            for argument in option.arguments:
                if not self.argument(argument, here):
                    return None
            for condition in option.conditions:
                if condition.laid:
                    here.reach = UNKNOWN
                    continue
                if self.asking.number(condition.test, here) != YES:
                    here.reach = UNKNOWN
                if not where(condition.test, True, here, self.asking):
                    return None
        return here

    def argument(self, argument: model.Argument, here: Position) -> bool:
        """What an option takes; False where there is nothing to take."""
        source, type = argument.source, argument.var.type
        if isinstance(source, tuple):
            (low, least), (most, high) = (self.asking.number(end, here) for end in source)
            if least > most:
                here.reach = UNKNOWN
            if low > high:
                return False
            here.names[argument.var] = low, high
            return True
        members: Amount
        if source is not None:
            members = self.asking.value(source, here)
        elif type.base in ("player", "word"):
            everything = (1 << here.ground.size(type)) - 1
            members = Members(everything, everything)
        else:
            members = Cells((0, MOST), type.of)
        low, high = members if isinstance(members, tuple) else members.count
        if high == 0:
            return False
        if low == 0 or len(here.names) == 0:
            here.reach = UNKNOWN
        match members:
            case Group(kind=kind, parts=parts, faces=faces):
                alone = len(parts) == 1
                here.names[argument.var] = Group(kind, YES, dict.fromkeys(parts, YES if alone else (0, 1)), faces)
            case Members():
                listed = list(members.listed)
                here.names[argument.var] = listed[0], listed[-1]
            case _:
                here.names.pop(argument.var, None)
        return True

    # -- moving

    def spots(self, spot: model.Spot, kind: str, at: Position) -> list[Place]:
        if spot.zone not in self.table.zones:
            return [box_of(kind)]
        if spot.owner is not None:
            self.asking.needed(spot.owner, at)
        return self.asking.spots(spot.zone, spot.owner, False, at)

    def move(self, node: model.Move, at: Position) -> Position | None:
        what = node.what.of if isinstance(node.what, model.RandomOf) else node.what
        group = self.asking.group(what, at)
        if isinstance(node.what, model.RandomOf):
            if group.count == NO:
                self.claim(shortfalls.nothing_by_chance(group.kind, node.span), at)
                return None
            group = self.asking.group(node.what, at)
            group = evolve(group, count=YES, parts=dict.fromkeys(group.parts, YES) if len(group.parts) == 1 else group.parts)
        to = self.spots(node.to, group.kind, at)
        if self.overfull(group, to, node.span, at):
            return None
        named = node.what.var if isinstance(node.what, model.VarValue) else None
        at.move(group, to, named)
        if node.moved is not None:
            part = group.count if len(to) == 1 else (0, group.count[1])
            at.names[node.moved] = evolve(group, parts=dict.fromkeys(to, part))
        return at

    def overfull(self, group: Group, to: Sequence[Place], span: Span, at: Position) -> bool:
        """Whether what moves surely does not fit into any of the places where it may go."""
        if not to or any(place in group.parts for place in to):
            return False
        if any(at.content[place][0] + group.count[0] <= at.ground.most(place) for place in to):
            return False
        if group.count[0] == 0:
            return False
        zone = self.table.zones[to[0][0]]
        self.claim(shortfalls.slot_taken(zone, at.content[to[0]][0], group.count[0], span), at)
        return True

    def draw(self, node: model.Draw, at: Position) -> Position | None:
        zone = self.table.zones[node.source.zone]
        count = self.asking.needed(node.count, at)
        piles = self.spots(node.source, zone.kind, at)
        to = self.spots(node.to, zone.kind, at)
        if not piles or not to:
            return at
        most = max(at.content[pile][1] for pile in piles)
        if count[0] > most:
            self.claim(shortfalls.runs_out(node, zone, count, piles, at, self.loops), at)
            return None
        count = max(0, count[0]), max(0, min(count[1], most))
        faces = (1 << len(self.table.kinds[zone.kind].faces)) - 1
        parts = {pile: count if len(piles) == 1 else (0, min(count[1], at.content[pile][1])) for pile in piles}
        group = Group(zone.kind, count, parts, faces)
        if self.overfull(group, to, node.span, at):
            return None
        at.move(group, to)
        if node.moved is not None:
            one = min(1, count[0]), min(1, count[1])
            at.names[node.moved] = Group(zone.kind, one, {place: one if len(to) == 1 else (0, 1) for place in to}, faces)
        return at

    def hold_back(self, node: model.HoldBack, at: Position) -> Position | None:
        zone = self.table.zones[node.pile.zone]
        count = self.asking.needed(node.count, at)
        piles = self.spots(node.pile, zone.kind, at)
        most = max((at.content[pile][1] for pile in piles), default=0)
        if count[1] < 0 or count[0] > most:
            number = count[1] if count[1] < 0 else count[0]
            self.claim(shortfalls.too_many_removed(node, zone, number, most, self.table), at)
            return None
        count = max(0, count[0]), max(0, min(count[1], most))
        if len(piles) == 1:
            held = held_in(piles[0])
            at.content[piles[0]] = max(0, at.content[piles[0]][0] - count[1]), at.content[piles[0]][1] - count[0]
            at.content[held] = plus(at.content[held], count)
        else:
            at.forget([zone.kind], ())
        return at

    def lay(self, node: model.Lay, at: Position) -> Position | None:
        group = self.asking.group(node.what, at)
        zone = f"{group.kind} on {node.grid}"
        grid = self.table.grids[node.grid]
        for cell in node.on:
            if cell.type.base == "cell" and not cell.type.is_set:
                self.asking.needed(cell, at)
        owner = node.owner or _owner_of_cells(node)
        if owner is None and grid.owned:
            to = [(zone, seat) for seat in range(self.table.players)]
        else:
            to = self.asking.spots(zone, owner, False, at)
        parts = len(self.table.kinds[group.kind].parts)
        if len(to) == 1 and to[0] not in group.parts:
            covered = self.asking.lying_cells(node.grid, owner, False, at)[0]
            if covered + group.count[0] * parts > grid.cells:
                self.claim(shortfalls.grid_full(node, grid, group.kind), at)
                return None
        at.move(group, to, node.what.var if isinstance(node.what, model.VarValue) else None)
        return at

    # -- counters and markers

    def by_chance(self, value: Expr, span: Span, at: Position) -> Amount:
        if isinstance(value, model.RandomOf) and self.asking.count(value.of, at) == NO:
            raise Unanswerable(shortfalls.nothing_by_chance(value.type.noun, span))
        if isinstance(value, model.RandomNumber) and self.asking.number(value.high, at)[1] < self.asking.number(value.low, at)[0]:
            raise Unanswerable(shortfalls.nothing_by_chance("number", span))
        return self.asking.value(value, at)

    def set_variable(self, node: model.SetVariable, at: Position) -> Position | None:
        variable = self.table.variables[node.name]
        found = self.by_chance(node.value, node.span, at)
        if variable.type.base == "component":
            return at
        value = found if isinstance(found, tuple) else (NONE, MOST)
        match self.line_before, node.value:
            case model.Let(var=paid, value=left), model.Arithmetic(op="-", left=rest, right=model.VarValue(var=var)):
                value = NO if paid is var and left == rest else value  # `pay all` leaves nothing
            case _:
                pass
        owner = (NOBODY, NOBODY) if node.owner is None else self.asking.value(node.owner, at)
        domain = at.ground.domain(variable)
        if not variable.type.optional and variable.type.base in ("player", "word"):
            domain = 0, domain[1]
        stored = met(value, domain)
        if stored is None:
            self.claim(shortfalls.outside(node, variable, value, domain, self.loops), at)
            return None
        if not isinstance(owner, tuple):
            return at
        owners = [index for index in range(owner[0], owner[1] + 1) if (node.name, index) in at.variables]
        for index in owners:
            known = at.variables[node.name, index]
            weak = (min(known[0], stored[0]), max(known[1], stored[1]))
            at.variables[node.name, index] = stored if owner[0] == owner[1] else weak
        return at


def _with_reach(at: Position, reach: int) -> Position:
    at.reach = min(at.reach, reach)
    return at


def _owner_of_cells(node: model.Lay) -> Expr | None:
    """Whose grid is meant by the cells on which something is put, where only one is named."""
    owners = [
        part.owner for part in walk(node.on) if isinstance(part, model.ZoneContent | model.CellsOf) and part.owner is not None
    ]
    return owners[0] if owners and all(owner == owners[0] for owner in owners) else None


def _emptied(of: Amount) -> Amount:
    """The empty set to which members of another are going to be added."""
    match of:
        case Group(kind=kind, parts=parts, faces=faces):
            return Group(kind, NO, {place: (0, part[1]) for place, part in parts.items()}, faces)
        case Members():
            return Members(0, 0)
        case _:
            return of


def _with_one_more(so_far: Amount, one: Amount) -> Amount:
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


def _any_part(of: Amount) -> Amount:
    """A set to which so many members may have been added as there are."""
    match of:
        case Group(kind=kind, parts=parts, faces=faces):
            return Group(kind, (0, MOST), dict.fromkeys(parts, (0, MOST)), faces)
        case Members(maybe=maybe):
            return Members(0, ~0 if maybe else maybe)
        case _:
            return of

