"""The evaluator: the abstract value of an expression in an abstract position.

`value` returns bounds that always contain the real value; an expression that is not understood can have any value of its type.
`Unanswerable` is raised where evaluation would surely stop the game, as with a table that has no row for the key. It is raised
only if the expression is surely evaluated, so not for what stands behind an ``and`` or in a case.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from attrs import define, evolve, field

from ....common.diagnostics import Diagnostic, fault
from ....common.intervals import Interval, join, join_all, meet, or_none, without_none
from ....common.nouns import with_article
from ....model import model
from ....model.model import Expr, Type, Var
from ....table.table import Table
from ..domain.sets import is_in, joined_sets, owner_of, same_components, some_member, some_members, without
from ..domain.states import AbstractState
from ..domain.values import (
    MOST,
    NO,
    NOBODY,
    NONE,
    NUMBER,
    TRUTH,
    YES,
    AbstractValue,
    Cells,
    Group,
    Members,
    Place,
    divided,
    minus,
    modulo,
    nothing,
    one_of,
    opposite,
    plus,
    times,
)
from . import grids, printed, sheet, shortfalls


class Unanswerable(Exception):
    """A question that stops the game whenever it is put. ``finding`` says why."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


@define(eq=False)
class Evaluator:
    """Questions at one table. ``sure``: whether what is asked is surely asked. ``lines``: what each line of the score sheet comes
    to in a whole match, where one has been played. ``in_one_piece``: whether all that lies on a grid hangs together.
    ``in_thought``: whether something lies there in thought, as ``so that`` asks. The rest is what was found out before.

    ``fitting``, ``worths``: for what is asked of faces, the faces that surely fit and that may, and what each is worth, with its
    copies; ``other_names``: the names on which an expression depends (see `printed`).
    """

    table: Table
    sure: bool = True
    lines: Mapping[str, Interval] | None = None
    in_one_piece: bool = False
    in_thought: bool = False
    fitting: dict[Hashable, tuple[int, int]] = field(factory=dict)
    worths: dict[Hashable, list[tuple[Interval, int]]] = field(factory=dict)
    other_names: dict[int, tuple[Var, ...] | None] = field(factory=dict)
    _attributes: dict[tuple[str, str, int], tuple[Interval | None, bool]] = field(factory=dict)
    _with_owners: dict[str, bool] = field(factory=dict)
    _rows: dict[tuple[str, str, Interval | None, bool], Interval | None] = field(factory=dict)

    def unsure(self) -> Speculative:
        """For ``with``: what is asked in there may not be asked in the game."""
        return Speculative(self, self.sure)

    # -- expressions

    def number(self, node: Expr, at: AbstractState) -> Interval:
        """A number, yes/no, word or player; of a component, which face it has."""
        found = self.value(node, at)
        if isinstance(found, Group):
            first = (found.faces & -found.faces).bit_length() - 1
            return (first if found.count[0] > 0 else NONE), found.faces.bit_length() - 1
        return found if isinstance(found, tuple) else self.anything(node.type, at)  # type: ignore[return-value]

    def group(self, node: Expr, at: AbstractState) -> Group:
        """A component or a set of components."""
        found = self.value(node, at)
        return found if isinstance(found, Group) else self.anywhere(node.type, at)

    def worth(self, node: Expr, at: AbstractState) -> Interval:
        """A number as it counts in a sum: none is 0."""
        numbers, maybe = _numbers(self.number(node, at), node.type)
        return join(numbers or NO, NO) if maybe else numbers or NO

    def count(self, node: Expr, at: AbstractState) -> Interval:
        """How many a set has."""
        found = self.value(node, at)
        return found if isinstance(found, tuple) else found.count

    def needed(self, node: Expr, at: AbstractState) -> Interval:
        """The range of a number that must not be none; raises `Unanswerable` if it surely is none."""
        found = self.number(node, at)
        numbers, _ = _numbers(found, node.type)
        if numbers is None and self.sure:
            message, why = f"{with_article(node.type.noun)} is needed, and this is none", grids.why_no_middle(node, self.table)
            raise Unanswerable(fault("R301", message, node.span, label=why))
        return numbers or found

    def value(self, node: model.Typed, at: AbstractState) -> AbstractValue:
        """What an expression can come to."""
        match node:
            case model.VarValue(var=var) if var in at.names:
                return at.names[var]
            case model.Const():
                return self._constant(node, at)
            case model.VariableValue() if node.type.base != "component":
                return self._variable(node, at)
            case model.AttributeOf(attribute=attribute, of=of):
                return self._attribute(attribute, of, node.type, at)
            case model.Compare():
                return self._compare(node, at)
            case model.ZoneContent() if node.type.base == "component":
                return self._lying(node, at)
            case model.Not(value=inner):
                return opposite(self.number(inner, at))
            case model.Index(parts=parts):
                return self._index([self.value(part, at) for part in parts], node.type.parts)
            case model.NumberOf(of=of):
                numbers = tuple(map(int, self.table.lists[of.type.of]))
                low, high = self.number(of, at)
                asked = numbers[max(0, low) : high + 1] or numbers
                found = min(asked), max(asked)
                return or_none(found) if low < 0 else found
            case model.WordFor(number=number):
                return self._word_for(self.number(number, at), self.table.lists[node.type.of])
            case model.Apply():
                return self._applied(node, at)
            case model.Arithmetic():
                return self._arithmetic(node, at)
            case model.ColumnFor():
                return self._column(node, at)
            case model.Logic(op=op, left=left, right=right):
                one = self.number(left, at)
                if one == (NO if op == "and" else YES):
                    return one
                with self.unsure():
                    other = self.number(right, at)
                pick = min if op == "and" else max
                return pick(one[0], other[0]), pick(one[1], other[1])
            case model.Cases(cases=cases, otherwise=otherwise):
                return self._cases(cases, otherwise, node.type, at)
            case model.Join(left=left, right=right):
                return joined_sets(self.value(left, at), self.value(right, at))
            case model.Without(left=left, right=right):
                return without(self.value(left, at), self.value(right, at))
            case model.SetOf(members=members) if members:
                return self._set_of(members, node.type, at)
            case model.Filter():
                return printed.filtered(node, at, self)
            case model.IsIn(member=member, of=of):
                with self.unsure():
                    return is_in(self.value(member, at), self.value(of, at))
            case model.Some(of=of):
                low, high = self.count(of, at)
                return min(1, low), min(1, high)
            case model.Count(of=of):
                return self.count(of, at)
            case model.Total():
                return printed.total(node, at, self)
            case model.Extreme():
                return printed.extreme(node, at, self)
            case model.First(of=of, start=start):
                self.number(start, at)  # of a marker that nothing has set there is no first one
                return some_member(self.value(of, at))
            case model.AnyOf(of=of) | model.RandomOf(of=of) | model.Best(of=of, all=False):
                return some_member(self.value(of, at))
            case model.RandomNumber(low=least, high=most):
                return self.number(least, at)[0], self.number(most, at)[1]
            case model.Best(of=of):
                these = self.value(of, at)
                with self.unsure():
                    return some_members(these)
            case model.PlaceOf(of=of):
                return NONE, self.count(of, at)[1]
            case model.OwnerOf(of=of):
                return owner_of(self.group(of, at), self.table)
            case model.OwnedBy(player=player):
                return self._owned(node.type, self.number(player, at), at)
            case model.SeatsAway(count=count, of=of, right=right):
                return self._seats_away(self.number(count, at), self.number(of, at), right)
            case model.SeatNumber(of=of):
                seats, maybe = _numbers(self.number(of, at), of.type)
                return _told(None if seats is None else plus(seats, YES), maybe, node.type)
            case model.TeamOf(of=of):
                return self._team(self.number(of, at), False)
            case model.Opponents(of=of):
                return self._team(self.number(of, at), True)
            case model.ScoreOf(team=team, term=term):
                return sheet.score_of(term, team, at, self)
            case model.Bounds(what=what, of=of) if of.type.of in self.table.grids:
                return grids.bounds(what, of, at, self)
            case model.Touches(left=left, right=right):
                return (0, int(self.count(left, at)[1] > 0 and self.count(right, at)[1] > 0))
            case model.TouchesSame(of=of, attribute=attribute):
                return (0, int(grids.others_show(attribute, of.type.of, at, self)))
            case model.CoveredBy(of=of) if node.type.of in self.table.grids:
                return grids.covered(self.value(of, at), node.type.of, self)
            case model.ZoneContent(zone=grid, owner=owner, every=every) if grid in self.table.grids:
                return Cells(grids.lying_cells(grid, owner, every, at, self), grid)
            case model.Regions(of=of):
                _, high = self.count(of, at)
                return Cells((0, high), node.type.of)
            case _:
                return self.anything(node.type, at)

    def _index(self, values: Sequence[AbstractValue], types: Sequence[Type]) -> Interval:
        """Between which numbers of combinations, row by row, one of some values is."""
        low = high = least = 0
        for value, type in zip(values, types, strict=True):
            size = self.table.size(type)
            first, last = value if isinstance(value, tuple) else (NONE, size - 1)
            least = min(least, first)
            low, high = low * size + max(0, first), high * size + min(size - 1, last)
        return (NONE if least < 0 else low), high

    def _word_for(self, number: Interval, words: Sequence[str]) -> Interval:
        """The places in a list of numbers of those between two ends; none where one of them is not in it."""
        places = [place for place, word in enumerate(words) if number[0] <= int(word) <= number[1]]
        if not places:
            return NONE, NONE
        return (min(places) if len(places) == number[1] - number[0] + 1 else NONE), max(places)

    def _applied(self, node: model.Apply, at: AbstractState) -> AbstractValue:
        """What a define says; where it may be asked of none, that may be none as well, or empty, or no."""
        define, of_none = self.table.defines[node.define], False
        given: list[tuple[Var, AbstractValue]] = []
        for var, arg in zip(define.parameters, node.args, strict=True):
            value = self.value(arg, at)
            needs_one = arg.type.optional and not var.type.optional and var.type.base != "number"
            there, maybe = _there(value, arg.type) if needs_one else (value, False)
            if there is None:
                return nothing(node.type)
            of_none = of_none or maybe
            given.append((var, there))
        at.names.update(given)
        before, self.sure = self.sure, self.sure and not of_none
        found = self.value(define.value, at)
        self.sure = before
        if isinstance(found, tuple) and node.type.base != "truth":
            numbers, maybe = _numbers(found, define.value.type)
            return _told(numbers, maybe or of_none, node.type)
        return one_of([found, nothing(node.type)]) if of_none else found

    def meaning(self, node: model.Apply, at: AbstractState) -> Expr:
        """What a define says, with the names of its arguments put into the position."""
        define = self.table.defines[node.define]
        given = [self.value(arg, at) for arg in node.args]
        at.names.update(zip(define.parameters, given, strict=True))
        return define.value

    def _constant(self, node: model.Const, at: AbstractState) -> AbstractValue:
        type, value = node.type, node.value
        if not type.is_set and type.base != "component":
            return value, value
        if type.base == "component":
            kind = self.table.kinds[type.of]
            if not type.is_set:
                return self._those(kind.name, YES, 1 << value, at) if value >= 0 else Group(kind.name, NO, {}, 0)
            if value == (1 << kind.bits) - 1:
                parts = {place: at.content[place] for place in at.ground.places[kind.name] if at.content[place][1]}
                return Group(kind.name, (kind.bits, kind.bits), parts, (1 << len(kind.faces)) - 1)
            return self._those(kind.name, (value.bit_count(), value.bit_count()), printed.faces_of(value, kind), at)
        size = value.bit_count()
        return Members(value, value) if type.base in ("player", "word") else Cells((size, size), type.of)

    def _those(self, kind: str, count: Interval, faces: int, at: AbstractState) -> Group:
        """So many components with these faces, wherever they are."""
        places = [place for place in at.ground.places[kind] if at.content[place][1]]
        low = count[0] if len(places) == 1 else 0
        return Group(kind, count, {place: (low, min(count[1], at.content[place][1])) for place in places}, faces)

    def anywhere(self, type: Type, at: AbstractState) -> Group:
        kind = self.table.kinds[type.of]
        count = (0, kind.bits) if type.is_set else (0 if type.optional else 1, 1)
        return self._those(kind.name, count, kind.faces_as(type.only), at)

    def anything(self, type: Type, at: AbstractState) -> AbstractValue:
        """All that a type has."""
        match type.base:
            case "component":
                return self.anywhere(type, at)
            case "player" | "word" if type.is_set:
                return Members(0, (1 << at.ground.size(type)) - 1)
            case "cell" | "region" | "way" if type.is_set or type.base == "region":
                return Cells((0, self.cells(type.of)), type.of)
            case "truth":
                return TRUTH
            case "player" | "word" | "index":
                return NONE if type.optional else 0, at.ground.size(type) - 1
            case _:
                return NUMBER

    def cells(self, grid: str) -> int:
        return self.table.grids[grid].cells if grid in self.table.grids else MOST

    def spots(self, zone: str, owner: Expr | None, every: bool, at: AbstractState) -> list[Place]:
        """The places that are meant by a zone, of an owner who may not be known."""
        if owner is None and not (every and self.table.zones[zone].owned):
            return [(zone, NOBODY)]
        if owner is None:
            return [(zone, index) for index in range(self.table.size(self.table.zones[zone].owner))]
        low, high = self.number(owner, at)
        last = self.table.size(self.table.zones[zone].owner) - 1
        return [(zone, index) for index in range(max(0, low), min(high, last) + 1)]

    def whole(self, node: model.Typed, at: AbstractState) -> list[Place]:
        """The places of which surely everything is meant, and nothing else; none where that is not known."""
        match node:
            case model.ZoneContent(zone=zone, owner=owner, every=every) if node.type.base == "component":
                places = self.spots(zone, owner, every, at)
                known = every or (len(places) == 1 and (owner is None or self.number(owner, at)[0] >= 0))
                return places if known else []
            case model.Const(value=value) if node.type.is_set and node.type.base == "component":
                kind = self.table.kinds[node.type.of]
                return list(at.ground.places[kind.name]) if value == (1 << kind.bits) - 1 else []
            case _:
                return []

    def _lying(self, node: model.ZoneContent, at: AbstractState) -> Group:
        kind = self.table.kinds[self.table.zones[node.zone].kind]
        places = self.spots(node.zone, node.owner, node.every, at)
        faces = kind.faces_as(node.type.only)
        absent = node.owner is not None and self.number(node.owner, at)[0] < 0
        if node.every or (len(places) == 1 and not absent):
            count = 0, 0
            for place in places:
                count = plus(count, at.content[place])
            return Group(kind.name, count, {place: at.content[place] for place in places if at.content[place][1]}, faces)
        if not places:
            return Group(kind.name, NO, {}, 0)
        counts = [at.content[place] for place in places]
        parts = {place: (0, high) for place, (_, high) in zip(places, counts, strict=True)}
        return Group(kind.name, join_all([*counts, NO] if absent else counts), parts, faces)

    def _variable(self, node: model.VariableValue, at: AbstractState) -> Interval:
        variable = self.table.variables[node.name]
        owner: Interval = (NOBODY, NOBODY)
        if node.owner is not None and not (variable.owner is not None and variable.owner.base == "component"):
            whose = self.value(node.owner, at)
            owner = whose if isinstance(whose, tuple) else (0, -1)
        found: Interval | None = None
        for index in at.ground.owners(variable):
            if owner[0] <= index <= owner[1]:
                one = at.variables[node.name, index]
                found = one if found is None else join(found, one)
        low, high = at.ground.domain(variable) if found is None else found
        if node.owner is not None and node.type.optional:
            low, high = or_none((low, high), variable.type.optional or variable.range is None)  # of none is none
        if low >= 0 or node.type.optional or variable.range is not None:
            return low, high
        if high == NONE and self.sure:
            raise Unanswerable(shortfalls.not_set(node, variable))
        return 0, max(0, high)

    def _attribute(self, attribute: str, of: Expr, type: Type, at: AbstractState) -> Interval:
        if of.type.base == "cell":
            shown = [
                value
                for name in (self.table.grids[of.type.of].kinds if of.type.of in self.table.grids else ())
                for part in self.table.kinds[name].parts
                for value in self.table.kinds[name].on_part(attribute, part) or ()
                if value is not None
            ]
            return or_none(join_all((value, value) for value in shown) if shown else None)
        thing = self.group(of, at)
        numbers, maybe = self._attribute_on(attribute, thing)
        return _told(numbers, maybe or not thing.count[0], type)

    def _attribute_on(self, attribute: str, thing: Group) -> tuple[Interval | None, bool]:
        """The values of an attribute on what has some faces, and whether one of them has none."""
        key = thing.kind, attribute, thing.faces
        if key not in self._attributes:
            printed_values = self.table.kinds[thing.kind].printed(attribute)
            shown = [value for face, value in enumerate(printed_values) if thing.faces >> face & 1]
            found = [(value, value) for value in shown if value is not None]
            self._attributes[key] = join_all(found) if found else None, None in shown
        return self._attributes[key]

    def _column(self, node: model.ColumnFor, at: AbstractState) -> Interval:
        low, high = key = self.number(node.key, at)
        found = self._in_rows(node.table, node.column, *_numbers(key, node.key.type))
        if found is not None:
            return found
        if self.sure and self.table.columns[node.table, node.column].values:
            words = self.table.lists.get(node.key.type.of) if node.key.type.base == "word" and low >= 0 else None
            ends = [words[end] if words else str(end) for end in (low, high)]
            where = ends[0] if low == high else " to ".join(ends) if words else "..".join(ends)
            said = f" for {where}" if words or node.key.type.base == "number" else ""
            raise Unanswerable(
                fault(
                    "R302",
                    f"the table `{node.table}` has no row{said}",
                    node.span,
                    (self.table.table_spans[node.table], "its rows"),
                    help="add a row for it",
                )
            )
        return NUMBER

    def _in_rows(self, table: str, column: str, keys: Interval | None, maybe: bool) -> Interval | None:
        """What stands in a column in the rows of some keys; None where there are none. ``maybe``: none may be asked for."""
        asked = table, column, keys, maybe
        if asked not in self._rows:
            rows, (low, high) = self.table.columns[table, column], keys or (0, -1)
            found = [value for key, value in rows.values.items() if low <= key <= high]
            if rows.otherwise is not None and (maybe or len(found) < high - low + 1):
                found.append(rows.otherwise)
            self._rows[asked] = (min(found), max(found)) if found else None
        return self._rows[asked]

    def _arithmetic(self, node: model.Arithmetic, at: AbstractState) -> Interval:
        left, right = self.needed(node.left, at), self.needed(node.right, at)
        match node.op:
            case "+":
                return plus(left, right)
            case "-":
                return minus(left, right)
            case "*":
                return times(left, right)
            case "mod":
                return modulo(left, right)
            case "min" | "max" as which:
                pick = min if which == "min" else max
                return pick(left[0], right[0]), pick(left[1], right[1])
            case _:
                return divided(left, right, node.op == "div up")

    def _compare(self, node: model.Compare, at: AbstractState) -> Interval:
        one, other = self.value(node.left, at), self.value(node.right, at)
        if isinstance(one, Group) and isinstance(other, Group):
            return same_components(one, other)
        if not isinstance(one, tuple) or not isinstance(other, tuple):
            return TRUTH
        (left, left_maybe), (right, right_maybe) = _numbers(one, node.left.type), _numbers(other, node.right.type)
        if node.op == "=":
            if not (left_maybe and right_maybe) and (left is None or right is None or meet(left, right) is None):
                return NO
            if left is None or right is None:
                return YES if left is right else TRUTH
            return YES if left[0] == left[1] == right[0] == right[1] and not left_maybe and not right_maybe else TRUTH
        if left is None or right is None:
            return NO
        less = 1 if node.op == "<" else 0
        return int(left[1] + less <= right[0] and not left_maybe and not right_maybe), int(left[0] + less <= right[1])

    def _cases(self, cases: tuple[tuple[Expr, Expr], ...], otherwise: Expr, type: Type, at: AbstractState) -> AbstractValue:
        found: list[tuple[AbstractValue, Type]] = []
        before = self.sure
        for condition, value in cases:
            holds = self.number(condition, at)
            if holds == NO:
                continue
            self.sure = self.sure and holds == YES
            found.append((self.value(value, at), value.type))
            if holds == YES:
                break
        else:
            found.append((self.value(otherwise, at), otherwise.type))
        self.sure = before
        if type.base != "number" or not type.optional:
            return one_of([value for value, _ in found])
        parts = [_numbers(value, of) for value, of in found if isinstance(value, tuple)]
        numbers = [interval for interval, _ in parts if interval is not None]
        return _told(join_all(numbers) if numbers else None, any(maybe for _, maybe in parts), type)

    def _set_of(self, members: tuple[Expr, ...], type: Type, at: AbstractState) -> AbstractValue:
        if type.base in ("player", "word"):
            surely = maybe = 0
            for low, high in (self.number(member, at) for member in members):
                surely |= 1 << low if low == high and low >= 0 else 0
                maybe |= sum(1 << each for each in range(max(0, low), high + 1))
            return Members(surely, maybe)
        if type.base != "component":
            return self.anything(type, at)
        found: AbstractValue = self.group(members[0], at)
        for member in members[1:]:
            found = joined_sets(found, self.group(member, at))
        return found

    # -- players

    def _owned(self, type: Type, player: Interval, at: AbstractState) -> Group:
        kind = self.table.kinds[type.of]
        seats = range(max(0, player[0]), min(player[1], self.table.players - 1) + 1)
        faces = sum(1 << face for seat in seats for face in kind.by_owner[seat])
        numbers = [sum(kind.faces[face].copies for face in kind.by_owner[seat]) if type.is_set else 1 for seat in seats] or [0]
        found = self._those(kind.name, (min(numbers) if player[0] >= 0 else 0, max(numbers)), faces, at)
        if kind.name not in self._with_owners:
            self._with_owners[kind.name] = grids.stays_with_its_owner(kind.name, self.table)
        if not self._with_owners[kind.name]:
            return found
        return found.lying({place: part for place, part in found.parts.items() if place[1] in (NOBODY, *seats)})

    def _seats_away(self, count: Interval, of: Interval, right: bool) -> Interval:
        if count[0] == count[1] and of[0] == of[1] >= 0:
            seat = (of[0] - count[0] if right else of[0] + count[0]) % self.table.players
            return seat, seat
        return (0 if of[0] >= 0 else NONE), self.table.players - 1

    def _team(self, of: Interval, others: bool) -> Members:
        everybody = (1 << self.table.players) - 1
        if of[0] != of[1] or of[0] < 0:
            return Members(0, everybody)
        team = everybody & ~self.table.team(of[0]) if others else self.table.team(of[0])
        return Members(team, team)


def _numbers(found: Interval, type: Type) -> tuple[Interval | None, bool]:
    """What a value of a type can be besides none, and whether it can be none; -1 is a number only of what is a number."""
    if found[0] >= 0 or (type.base == "number" and not type.optional):
        return found, False
    return without_none(found), True


def _told(numbers: Interval | None, maybe: bool, type: Type) -> Interval:
    """The interval of what is one of some numbers or, where it may be, none. Of a type that may be none, no number below 0 is the
    low end: that is none."""
    if numbers is None or maybe or (type.optional and numbers[0] < 0):
        return or_none(numbers)
    return numbers


def _there(value: AbstractValue, type: Type) -> tuple[AbstractValue | None, bool]:
    """What a single thing is where it is not none (None: it is none), and whether it may be."""
    match value:
        case Group(count=(low, high)):
            return (evolve(value, count=YES) if high else None), not low
        case (_, _):
            return _numbers(value, type)
        case _:
            return value, False


@define(eq=False)
class Speculative:
    """While this is entered, nothing is surely asked. ``before``: whether it was."""

    evaluator: Evaluator
    before: bool

    def __enter__(self) -> None:
        self.evaluator.sure = False

    def __exit__(self, *raised: object) -> None:
        self.evaluator.sure = self.before
