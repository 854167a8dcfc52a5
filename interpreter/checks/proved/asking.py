"""What can an expression come to in a position of which only so much is known?

`value` gives an amount in which the real value always is; whatever is not understood can be anything of its type. Where what is
asked can surely not be answered (a table without the row, none where something is needed), `Unanswerable` is raised, but only if
the question is surely put: not for what stands behind an ``and`` or in a case.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from attrs import define, field

from ...diagnostics import Diagnostic, fault
from ...model import model
from ...model.model import Expr, Type, Var
from ...model.rebuild import walk
from ...nouns import with_article
from ...table.table import Kind, Table
from .amounts import (
    MOST,
    NO,
    NOBODY,
    NONE,
    NUMBER,
    TRUTH,
    YES,
    Amount,
    Cells,
    Group,
    Members,
    Place,
    Range,
    divided,
    group_of,
    joined,
    met,
    minus,
    modulo,
    one_of,
    opposite,
    plus,
    times,
)
from .positions import Position


class Unanswerable(Exception):
    """A question that stops the game whenever it is put. ``finding`` says why."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


@define(eq=False)
class Asking:
    """Questions at one table. ``sure``: whether what is asked is surely asked. The rest is what was found out before."""

    table: Table
    sure: bool = True
    _fitting: dict[Hashable, tuple[int, int]] = field(factory=dict)
    _worths: dict[Hashable, list[tuple[Range, int]]] = field(factory=dict)
    _printed: dict[int, tuple[Var, ...] | None] = field(factory=dict)
    _attributes: dict[tuple[str, str, int], Range] = field(factory=dict)

    @contextmanager
    def unsure(self) -> Iterator[None]:
        """What is asked in here may not be asked in the game."""
        before, self.sure = self.sure, False
        yield
        self.sure = before

    # -- expressions

    def number(self, node: Expr, at: Position) -> Range:
        """A number, yes/no, word or player."""
        found = self.value(node, at)
        return found if isinstance(found, tuple) else self._anything(node.type, at)  # type: ignore[return-value]

    def group(self, node: Expr, at: Position) -> Group:
        """A component or a set of components."""
        found = self.value(node, at)
        return found if isinstance(found, Group) else self._anywhere(node.type, at)

    def count(self, node: Expr, at: Position) -> Range:
        """How many a set has."""
        found = self.value(node, at)
        return found if isinstance(found, tuple) else found.count

    def needed(self, node: Expr, at: Position) -> Range:
        """The same as `number` where none stops the game."""
        low, high = self.number(node, at)
        if high == NONE and node.type.optional and self.sure:
            raise Unanswerable(fault("R301", f"{with_article(node.type.noun)} is needed, and this is none", node.span))
        return (max(0, low), high) if node.type.optional and high >= 0 else (low, high)

    def value(self, node: Expr, at: Position) -> Amount:
        """What an expression can come to."""
        match node:
            case model.Const():
                return self._constant(node, at)
            case model.VarValue(var=var) if var in at.names:
                return at.names[var]
            case model.VariableValue() if node.type.base != "component":
                return self._variable(node, at)
            case model.AttributeOf(attribute=attribute, of=of):
                return self._attribute(attribute, of, at)
            case model.Compare():
                return self._compare(node, at)
            case model.ZoneContent() if node.type.base == "component":
                return self._lying(node, at)
            case model.Apply():
                return self.value(self.meaning(node, at), at)
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
            case model.Not(value=inner):
                return opposite(self.number(inner, at))
            case model.Cases(cases=cases, otherwise=otherwise):
                return self._cases(cases, otherwise, at)
            case model.Join(left=left, right=right):
                return _join(self.value(left, at), self.value(right, at))
            case model.Without(left=left, right=right):
                return _without(self.value(left, at), self.value(right, at))
            case model.SetOf(members=members) if members:
                return self._set_of(members, node.type, at)
            case model.Filter():
                return self._filter(node, at)
            case model.IsIn(member=member, of=of):
                with self.unsure():
                    return _is_in(self.value(member, at), self.value(of, at))
            case model.Some(of=of):
                low, high = self.count(of, at)
                return min(1, low), min(1, high)
            case model.Count(of=of):
                return self.count(of, at)
            case model.Total():
                return self._total(node, at)
            case model.Extreme(direction=direction):
                return self._extreme(node, direction, at)
            case model.First(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of) | model.Best(of=of, all=False):
                return _one(self.value(of, at))
            case model.RandomNumber(low=least, high=most):
                return self.number(least, at)[0], self.number(most, at)[1]
            case model.Best(of=of):
                these = self.value(of, at)
                with self.unsure():
                    return _some(these)
            case model.PlaceOf(of=of):
                return NONE, self.count(of, at)[1]
            case model.OwnerOf(of=of):
                return _owner(self.group(of, at))
            case model.OwnedBy(player=player):
                return self._owned(node.type, self.number(player, at), at)
            case model.SeatsAway(count=count, of=of, right=right):
                return self._seats_away(self.number(count, at), self.number(of, at), right)
            case model.SeatNumber(of=of):
                return plus(self.number(of, at), YES)
            case model.TeamOf(of=of):
                return self._team(self.number(of, at), False)
            case model.Opponents(of=of):
                return self._team(self.number(of, at), True)
            case model.ScoreOf(team=team, term=term):
                return self._score(term, team, at)
            case model.Bounds(what=what, of=of) if of.type.of in self.table.grids:
                return self._bounds(what, self.count(of, at), of.type.of)
            case model.CoveredBy(of=of) if node.type.of in self.table.grids:
                return self._covered(self.value(of, at), node.type.of)
            case model.ZoneContent(zone=grid, owner=owner, every=every) if grid in self.table.grids:
                low, high = self.lying_cells(grid, owner, every, at)
                return Cells((low, high), grid)
            case model.Regions(of=of):
                _, high = self.count(of, at)
                return Cells((0, high), node.type.of)
            case _:
                return self._anything(node.type, at)

    def meaning(self, node: model.Apply, at: Position) -> Expr:
        """What a define says, with the names of its arguments put into the position."""
        define = self.table.defines[node.define]
        given = [self.value(arg, at) for arg in node.args]
        at.names.update(zip(define.parameters, given, strict=True))
        return define.value

    def _constant(self, node: model.Const, at: Position) -> Amount:
        type, value = node.type, node.value
        if type.base == "component":
            kind = self.table.kinds[type.of]
            if not type.is_set:
                return self._those(kind.name, YES, 1 << value, at) if value >= 0 else Group(kind.name, NO, {}, 0)
            if value == (1 << kind.bits) - 1:
                parts = {place: at.content[place] for place in at.ground.places[kind.name] if at.content[place][1]}
                return Group(kind.name, (kind.bits, kind.bits), parts, (1 << len(kind.faces)) - 1)
            return self._those(kind.name, (value.bit_count(), value.bit_count()), _faces_of(value, kind), at)
        if type.is_set:
            size = value.bit_count()
            return Members(value, value) if type.base in ("player", "word") else Cells((size, size), type.of)
        return value, value

    def _those(self, kind: str, count: Range, faces: int, at: Position) -> Group:
        """So many components with these faces, wherever they are."""
        places = [place for place in at.ground.places[kind] if at.content[place][1]]
        low = count[0] if len(places) == 1 else 0
        return Group(kind, count, {place: (low, min(count[1], at.content[place][1])) for place in places}, faces)

    def _anywhere(self, type: Type, at: Position) -> Group:
        kind = self.table.kinds[type.of]
        count = (0, kind.bits) if type.is_set else (0 if type.optional else 1, 1)
        return self._those(kind.name, count, (1 << len(kind.faces)) - 1, at)

    def _anything(self, type: Type, at: Position) -> Amount:
        """All that a type has."""
        match type.base:
            case "component":
                return self._anywhere(type, at)
            case "player" | "word" if type.is_set:
                return Members(0, (1 << at.ground.size(type)) - 1)
            case "cell" | "region" | "way" if type.is_set or type.base == "region":
                return Cells((0, self._cells(type.of)), type.of)
            case "truth":
                return TRUTH
            case "player" | "word":
                return NONE if type.optional else 0, at.ground.size(type) - 1
            case _:
                return NUMBER

    def _cells(self, grid: str) -> int:
        return self.table.grids[grid].cells if grid in self.table.grids else MOST

    def spots(self, zone: str, owner: Expr | None, every: bool, at: Position) -> list[Place]:
        """The places that are meant by a zone, of an owner who may not be known."""
        if owner is None and not (every and self.table.zones[zone].owned):
            return [(zone, NOBODY)]
        if owner is None:
            return [(zone, seat) for seat in range(self.table.players)]
        low, high = self.number(owner, at)
        return [(zone, seat) for seat in range(max(0, low), min(high, self.table.players - 1) + 1)]

    def _lying(self, node: model.ZoneContent, at: Position) -> Group:
        kind = self.table.kinds[self.table.zones[node.zone].kind]
        places = self.spots(node.zone, node.owner, node.every, at)
        faces = (1 << len(kind.faces)) - 1
        absent = node.owner is not None and self.number(node.owner, at)[0] < 0
        if node.every or (len(places) == 1 and not absent):
            count = 0, 0
            for place in places:
                count = plus(count, at.content[place])
            return Group(kind.name, count, {place: at.content[place] for place in places if at.content[place][1]}, faces)
        alone = [Group(kind.name, at.content[place], {place: at.content[place]}, faces) for place in places]
        return group_of([*alone, *([Group(kind.name, NO, {}, 0)] if absent or not alone else [])])

    def _variable(self, node: model.VariableValue, at: Position) -> Range:
        variable = self.table.variables[node.name]
        owner: Range = (NOBODY, NOBODY)
        if node.owner is not None:
            whose = self.value(node.owner, at)
            owner = whose if isinstance(whose, tuple) else (0, -1)
        found = [at.variables[node.name, index] for index in range(owner[0], owner[1] + 1) if (node.name, index) in at.variables]
        low, high = joined(found) if found else at.ground.domain(variable)
        if node.owner is not None and node.type.optional:
            low = min(low, NONE)  # of none is none
        if low >= 0 or node.type.optional or variable.range is not None:
            return low, high
        if high == NONE and self.sure:
            raise Unanswerable(
                fault(
                    "R344", f"`{node.name}` is asked for, and nothing has set it before", node.span,
                    (variable.span, "declared here, without a first value"), help=f"set `{node.name}` in the setup",
                )
            )  # fmt: skip
        return 0, max(0, high)

    def _attribute(self, attribute: str, of: Expr, at: Position) -> Range:
        if of.type.base == "cell":
            printed = [
                value
                for name in (self.table.grids[of.type.of].kinds if of.type.of in self.table.grids else ())
                for part in self.table.kinds[name].parts
                for value in self.table.kinds[name].on_part(attribute, part) or ()
            ]
            return joined([(NONE, NONE), *((value, value) for value in printed)])
        thing = self.group(of, at)
        found = self._attribute_on(attribute, thing)
        return found if thing.count[0] else joined([found, (NONE, NONE)])

    def _attribute_on(self, attribute: str, thing: Group) -> Range:
        key = thing.kind, attribute, thing.faces
        if key not in self._attributes:
            values = self.table.kinds[thing.kind].attribute(attribute)
            found = [(value, value) for face, value in enumerate(values) if thing.faces >> face & 1]
            self._attributes[key] = joined(found or [(NONE, NONE)])
        return self._attributes[key]

    def _column(self, node: model.ColumnFor, at: Position) -> Range:
        column = self.table.columns[node.table, node.column]
        low, high = self.number(node.key, at)
        asked = [(value, value) for key, value in column.values.items() if low <= key <= high]
        if column.otherwise is not None and len(asked) < high - low + 1:
            asked.append((column.otherwise, column.otherwise))
        if asked:
            return joined(asked)
        if self.sure and column.values:
            where = str(low) if low == high else f"{low}..{high}"
            said = f" for {where}" if node.key.type.base == "number" else ""
            raise Unanswerable(
                fault(
                    "R302", f"the table `{node.table}` has no row{said}", node.span,
                    (self.table.table_spans[node.table], "its rows"), help="add a row for it",
                )
            )  # fmt: skip
        return NUMBER

    def _arithmetic(self, node: model.Arithmetic, at: Position) -> Range:
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
            case _:
                return divided(left, right, node.op == "div up")

    def _compare(self, node: model.Compare, at: Position) -> Range:
        one, other = self.value(node.left, at), self.value(node.right, at)
        if isinstance(one, Group) and isinstance(other, Group):
            return _same_components(one, other)
        if not isinstance(one, tuple) or not isinstance(other, tuple):
            return TRUTH
        if node.op == "=":
            if met(one, other) is None:
                return NO
            sorts = {node.left.type.optional, node.right.type.optional}
            alike = one[0] == one[1] == other[0] == other[1]
            return YES if alike and (one[0] != NONE or len(sorts) == 1 or node.left.type.base != "number") else TRUTH
        less = 1 if node.op == "<" else 0
        none = any(side.type.optional and found[0] < 0 for side, found in ((node.left, one), (node.right, other)))
        return int(one[1] + less <= other[0] and not none), int(one[0] + less <= other[1])

    def _cases(self, cases: tuple[tuple[Expr, Expr], ...], otherwise: Expr, at: Position) -> Amount:
        found: list[Amount] = []
        before = self.sure
        for condition, value in cases:
            holds = self.number(condition, at)
            if holds == NO:
                continue
            self.sure = self.sure and holds == YES
            found.append(self.value(value, at))
            if holds == YES:
                break
        else:
            found.append(self.value(otherwise, at))
        self.sure = before
        return one_of(found)

    def _set_of(self, members: tuple[Expr, ...], type: Type, at: Position) -> Amount:
        if type.base in ("player", "word"):
            surely = maybe = 0
            for low, high in (self.number(member, at) for member in members):
                surely |= 1 << low if low == high and low >= 0 else 0
                maybe |= sum(1 << each for each in range(max(0, low), high + 1))
            return Members(surely, maybe)
        if type.base != "component":
            return self._anything(type, at)
        found: Amount = self.group(members[0], at)
        for member in members[1:]:
            found = _join(found, self.group(member, at))
        return found

    # -- what fits a condition

    def _filter(self, node: model.Filter, at: Position) -> Amount:
        of = self.value(node.of, at)
        match of:
            case Group():
                surely, maybe = self._faces(node.condition, node.var, of, at)
                kind = self.table.kinds[of.kind]
                other = _copies(of.faces & ~surely, kind)
                most = _copies(maybe, kind)

                def kept(count: Range) -> Range:
                    low = max(0, count[0] - other)
                    return low, max(low, min(count[1], most))

                return Group(of.kind, kept(of.count), {place: kept(part) for place, part in of.parts.items()}, maybe)
            case Members():
                surely = maybe = 0
                with self.unsure():
                    for member in of.listed:
                        at.names[node.var] = member, member
                        holds = self.number(node.condition, at)
                        surely |= (of.surely & 1 << member) if holds == YES else 0
                        maybe |= 1 << member if holds != NO else 0
                return Members(surely, maybe)
            case Cells(count=(_, high)):
                return Cells((0, high), of.grid)
            case _:
                return self._anything(node.type, at)

    def _faces(self, condition: Expr, var: Var, of: Group, at: Position) -> tuple[int, int]:
        """Those faces of a group that surely fit, and those that may."""
        others = self._asked(condition, var)
        if others is None or any(name not in at.names for name in others):
            with self.unsure():
                at.names[var] = Group(of.kind, YES, dict.fromkeys(of.parts, (0, 1)), of.faces)
                holds = self.number(condition, at)
            return of.faces if holds == YES else 0, of.faces if holds != NO else 0
        key = id(condition), of.faces, tuple(_key(at.names[name]) for name in others)
        if key not in self._fitting:
            surely = maybe = 0
            with self.unsure():
                for face in range(of.faces.bit_length()):
                    if of.faces >> face & 1:
                        at.names[var] = Group(of.kind, YES, {}, 1 << face)
                        holds = self.number(condition, at)
                        surely |= (holds == YES) << face
                        maybe |= (holds != NO) << face
            self._fitting[key] = surely, maybe
        return self._fitting[key]

    def _asked(self, expr: Expr, var: Var) -> tuple[Var, ...] | None:
        """The other names on which an expression depends; None when it asks for more than what is printed."""
        if id(expr) not in self._printed:
            names: dict[Var, None] = {}
            found: tuple[Var, ...] | None = ()
            for node in walk(expr):
                if isinstance(node, model.VarValue):
                    names[node.var] = None
                elif isinstance(node, model.Apply):
                    if self._asked(self.table.defines[node.define].value, var) is None:
                        found = None
                elif not isinstance(node, _PRINTED):
                    found = None
            self._printed[id(expr)] = None if found is None else tuple(name for name in names if name is not var)
        return self._printed[id(expr)]

    def _total(self, node: model.Total, at: Position) -> Range:
        of = self.value(node.of, at)
        match of:
            case Group():
                values = self._values(node.value, node.var, of, at)
                return _sum(values, of.count)
            case Members():
                found: Range = (0, 0)
                for member in of.listed:
                    at.names[node.var] = member, member
                    with self.unsure():
                        value = _counted(self.number(node.value, at), node.value.type)
                    found = plus(found, value if of.surely >> member & 1 else joined([value, NO]))
                return found
            case Cells(count=count, grid=grid):
                with self.unsure():
                    at.names.pop(node.var, None)
                    value = _counted(self.number(node.value, at), node.value.type)
                found = times(joined([value, NO]), (0, count[1]))
                if isinstance(node.value, model.AttributeOf) and grid in self.table.grids:
                    printed = self._printed_on(grid, node.value.attribute, at)
                    found = max(found[0], printed[0]), min(found[1], printed[1])
                return found
            case _:
                return NUMBER

    def _printed_on(self, grid: str, attribute: str, at: Position) -> Range:
        """The least and the most that all that lies on one grid can show of an attribute, in any part of it."""
        low = high = 0
        for name in self.table.grids[grid].kinds:
            kind = self.table.kinds[name]
            number = max(at.content[place][1] for place in at.ground.places[name] if place[0] == f"{name} on {grid}")
            columns = [column for part in kind.parts if (column := kind.on_part(attribute, part)) is not None]
            ends = []
            for face, shown in enumerate(zip(*columns, strict=True)):
                counted = [0 if value == NONE else value for value in shown]
                least, most = sum(min(0, value) for value in counted), sum(max(0, value) for value in counted)
                ends.append(((least, most), kind.faces[face].copies))
            least, most = _sum(ends, (0, number))
            low, high = low + least, high + most
        return low, high

    def _values(self, expr: Expr, var: Var, of: Group, at: Position) -> list[tuple[Range, int]]:
        """What an expression is of each face of a group, and how many components have that face."""
        found: list[tuple[Range, int]] = []
        kind = self.table.kinds[of.kind]
        others = self._asked(expr, var)
        if others is None or any(name not in at.names for name in others):
            with self.unsure():
                at.names[var] = Group(of.kind, YES, dict.fromkeys(of.parts, (0, 1)), of.faces)
                return [(_counted(self.number(expr, at), expr.type), _copies(of.faces, kind))]
        key = id(expr), of.faces, tuple(_key(at.names[name]) for name in others)
        if key in self._worths:
            return self._worths[key]
        with self.unsure():
            for face, printed in enumerate(kind.faces):
                if of.faces >> face & 1:
                    at.names[var] = Group(of.kind, YES, {}, 1 << face)
                    found.append((_counted(self.number(expr, at), expr.type), printed.copies))
        self._worths[key] = found
        return found

    def _extreme(self, node: model.Extreme, direction: str, at: Position) -> Range:
        of = self.value(node.of, at)
        values: list[Range] = []
        with self.unsure():
            match of:
                case Group():
                    at.names[node.var] = Group(of.kind, YES, dict.fromkeys(of.parts, (0, 1)), of.faces)
                    values = [self.number(node.value, at)] if of.count[1] else []
                case Members():
                    for member in of.listed:
                        at.names[node.var] = member, member
                        values.append(self.number(node.value, at))
                case _:
                    at.names.pop(node.var, None)
                    values = [self.number(node.value, at)]
        if not values:
            return NONE, NONE
        found = joined(values)
        if node.type.base == "number" and isinstance(of, Cells):
            found = max(found[0], NONE), found[1]
        surely = not isinstance(of, tuple) and of.count[0] > 0 and not node.value.type.optional
        return found if surely else joined([found, (NONE, NONE)])

    # -- players and scores

    def _owned(self, type: Type, player: Range, at: Position) -> Group:
        kind = self.table.kinds[type.of]
        seats = range(max(0, player[0]), min(player[1], len(kind.faces) - 1) + 1)
        faces = sum(1 << seat for seat in seats)
        copies = kind.faces[0].copies if type.is_set else 1
        return self._those(kind.name, (copies if player[0] >= 0 else 0, copies), faces, at)

    def _seats_away(self, count: Range, of: Range, right: bool) -> Range:
        if count[0] == count[1] and of[0] == of[1] >= 0:
            seat = (of[0] - count[0] if right else of[0] + count[0]) % self.table.players
            return seat, seat
        return (0 if of[0] >= 0 else NONE), self.table.players - 1

    def _team(self, of: Range, others: bool) -> Members:
        everybody = (1 << self.table.players) - 1
        if of[0] != of[1] or of[0] < 0:
            return Members(0, everybody)
        team = everybody & ~self.table.team(of[0]) if others else self.table.team(of[0])
        return Members(team, team)

    def term(self, term: model.Term, player: Range, at: Position) -> Range:
        """What a line of the score sheet can come to, in one game."""
        at.names[term.player] = player
        with self.unsure():
            if term.each is None or term.members is None:
                return self._line(term, at)
            members = self.value(term.members, at)
            match members:
                case Members():
                    total: Range = (0, 0)
                    for member in members.listed:
                        at.names[term.each] = member, member
                        line = self._line(term, at)
                        total = plus(total, line if members.surely >> member & 1 else joined([line, NO]))
                    return total
                case Group(kind=kind, count=count, faces=faces):
                    found = []
                    for face, printed in enumerate(self.table.kinds[kind].faces):
                        if faces >> face & 1:
                            at.names[term.each] = Group(kind, YES, dict.fromkeys(members.parts, (0, 1)), 1 << face)
                            found.append((self._line(term, at), printed.copies))
                    return _sum(found, count)
                case Cells(count=count, grid=grid):
                    if term.members.type.base == "region" and _grows(term.value, term.each) and term.condition is None:
                        at.names[term.each] = Cells(count, grid)  # what grows with a region is most where there is only one
                        return 0, max(0, self._line(term, at)[1])
                    at.names[term.each] = Cells((1, count[1]), grid)
                    return times(joined([self._line(term, at), NO]), (0, count[1]))
                case _:
                    return NUMBER

    def _line(self, term: model.Term, at: Position) -> Range:
        holds = YES if term.condition is None else self.number(term.condition, at)
        value = NO if holds == NO else _counted(self.number(term.value, at), term.value.type)
        return value if holds == YES else joined([value, NO])

    def _score(self, term: str | None, team: bool, at: Position) -> Range:
        """The score of anybody; in a match, it can be anything."""
        if self.table.match is not None and self.table.match.goes_on:
            return NUMBER
        total: Range = (0, 0)
        for each in self.table.terms:
            if term in (None, each.name):
                total = plus(total, self.term(each, (0, self.table.players - 1), at))
        size = max(self.table.teams.count(number) for number in self.table.teams) if team else 1
        return times(total, (size, size))

    # -- on grids

    def lying_cells(self, grid: str, owner: Expr | None, every: bool, at: Position) -> Range:
        """How many cells of a grid are covered; of one of several grids, where it is not known of which."""
        shape = self.table.grids[grid]
        found: list[Range] = []
        for name in shape.kinds:
            zone = f"{name} on {grid}"
            parts = len(self.table.kinds[name].parts)
            counts = [times(at.content[place], (parts, parts)) for place in self.spots(zone, owner, every, at)]
            if every:
                found.append((sum(low for low, _ in counts), sum(high for _, high in counts)))
            elif counts:
                found.append(joined(counts))
        most = shape.cells * (self.table.players if every and shape.owned else 1)
        return min(most, sum(low for low, _ in found)), min(most, sum(high for _, high in found))

    def _bounds(self, what: str, cells: Range, name: str) -> Range:
        """The width, height or middle cell of some cells; of none, of the whole grid."""
        grid = self.table.grids[name]
        if what == "middle":
            middle = NONE if grid.width % 2 == 0 or grid.height % 2 == 0 else grid.cells // 2
            return (middle, middle) if cells == NO else (NONE, grid.cells - 1)
        most = grid.width if what == "width" else grid.height
        return (most, most) if cells == NO else (1, most)

    def _covered(self, of: Amount, grid: str) -> Cells:
        most = self._cells(grid)
        if isinstance(of, Group):
            return Cells((0, min(most, of.count[1] * len(self.table.kinds[of.kind].parts))), grid)
        return Cells((0, most), grid)


_PRINTED = (
    model.Const, model.AttributeOf, model.Compare, model.Logic, model.Not, model.Arithmetic, model.ColumnFor, model.Cases,
    model.IsIn, model.SetOf,
)  # fmt: skip


def _key(value: Amount) -> Hashable:
    return (value.count, value.faces) if isinstance(value, Group) else value


def _faces_of(bits: int, kind: Kind) -> int:
    """The faces of some components."""
    faces = start = 0
    for number, face in enumerate(kind.faces):
        faces |= bool(bits >> start & (1 << face.copies) - 1) << number
        start += face.copies
    return faces


def _copies(faces: int, kind: Kind) -> int:
    return sum(face.copies for number, face in enumerate(kind.faces) if faces >> number & 1)


def _counted(value: Range, type: Type) -> Range:
    """What counts of a number that may be none: then it is 0."""
    return (0 if value[0] == NONE else value[0], max(0, value[1])) if type.optional and value[0] <= NONE else value


def _sum(values: list[tuple[Range, int]], count: Range) -> Range:
    """The least and the most of a sum over so many of components that have these values (each with its number of copies)."""

    def most(ends: list[tuple[int, int]]) -> int:
        """The largest sum; ``ends``: value and copies."""
        total = taken = 0
        for value, copies in sorted(ends, reverse=True):
            number = min(copies, (count[1] if value > 0 else count[0]) - taken)
            if number > 0:
                total += number * value
                taken += number
        return total

    low = -most([(-low, copies) for (low, _), copies in values])
    return max(-MOST, low), min(MOST, most([(high, copies) for (_, high), copies in values]))


def _join(one: Amount, other: Amount) -> Amount:
    match one, other:
        case Members(), Members():
            return Members(one.surely | other.surely, one.maybe | other.maybe)
        case Cells(), Cells():
            return Cells((max(one.count[0], other.count[0]), one.count[1] + other.count[1]), one.grid)
        case Group(), Group():
            shared = one.parts.keys() & other.parts.keys()
            count = plus(one.count, other.count)
            parts = {**one.parts, **other.parts}
            for place in shared:
                here, there = one.parts[place], other.parts[place]
                parts[place] = max(here[0], there[0]), here[1] + there[1]
            if shared:
                count = max(one.count[0], other.count[0]), count[1]
            return Group(one.kind, count, parts, one.faces | other.faces)
        case _:
            return one


def _without(one: Amount, other: Amount) -> Amount:
    match one, other:
        case Members(), Members():
            return Members(one.surely & ~other.maybe, one.maybe & ~other.surely)
        case Cells(), _:
            return Cells((0, one.count[1]), one.grid)
        case Group(), Group():
            less = other.count[1]
            parts = {place: (max(0, low - less), high) for place, (low, high) in one.parts.items()}
            return Group(one.kind, (max(0, one.count[0] - less), one.count[1]), parts, one.faces)
        case _:
            return one


def _one(of: Amount) -> Amount:
    """Some member of a set, or none of an empty one."""
    match of:
        case Group(count=(low, high)):
            single = len(of.parts) == 1
            least, most = min(1, low), min(1, high)
            parts = {place: (least if single else 0, min(most, part[1])) for place, part in of.parts.items()}
            return Group(of.kind, (least, most), parts, of.faces)
        case Members(surely=surely):
            members = list(of.listed)
            if not members:
                return NONE, NONE
            return members[0] if surely else NONE, members[-1]
        case _:
            return NUMBER


def _some(of: Amount) -> Amount:
    """Some members of a set, at least one if it has any."""
    match of:
        case Group(count=(low, high)):
            parts = {place: (0, part[1]) for place, part in of.parts.items()}
            return Group(of.kind, (min(1, low), high), parts, of.faces)
        case Members(surely=surely, maybe=maybe):
            return Members(surely if maybe == surely and maybe.bit_count() == 1 else 0, maybe)
        case _:
            return of


def _is_in(one: Amount, these: Amount) -> Range:
    if isinstance(one, tuple) and isinstance(these, Members):
        possible = range(max(0, one[0]), min(one[1], these.maybe.bit_length()) + 1)
        surely = one[0] >= 0 and all(these.surely >> member & 1 for member in range(one[0], min(one[1], 1 << 10) + 1))
        return int(surely), int(any(these.maybe >> member & 1 for member in possible))
    if isinstance(these, Group) and these.count == NO:
        return NO
    return TRUTH


def _same_components(one: Group, other: Group) -> Range:
    """Whether two components, or two sets, are the same; or whether there is none."""
    if met(one.count, other.count) is None:
        return NO
    if one.count == NO and other.count == NO:
        return YES
    if one.count[0] and other.count[0] and not one.faces & other.faces:
        return NO
    return TRUTH


def _owner(of: Group) -> Range:
    owners = [(owner, owner) for (_, owner), (_, high) in of.parts.items() if high]
    found = joined(owners) if owners else (NONE, NONE)
    return found if of.count[0] else joined([found, (NONE, NONE)])


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
