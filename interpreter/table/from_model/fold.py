"""Constant folding: the parts of an expression that are known before the game starts become constants.

``hand_size`` with 4 players is 10; a branch whose condition is known is taken or dropped. Example, with 6 players::

    if players is 6 { draw 1 ... }        becomes   draw 1 ...
    set gems of player to first_gems      becomes   set gems of player to 4
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, evolve, field

from ...common.diagnostics import Diagnostic, fault
from ...common.giving_up import add_to
from ...common.intervals import NONE
from ...common.nouns import plural
from ...common.source import Span
from ...model import model
from ...model.directions import DIRECTION, vector
from ...model.model import NUMBER, PLAYER, TRUTH, UNKNOWN, Body, Const, Expr
from ...model.visitor import children, with_parts
from ..table import Column, Grid, Kind, size_of, team_of

LIKES_SHOWN = 8  # values, or intervals of numbers, that are named beside one that there is not


@define(eq=False)
class Settled:
    """What is settled so far: the values that fold expressions, and what was found on the way."""

    players: int
    options: dict[str, int] = field(factory=dict)
    option_of: Callable[[str], int] | None = None  # asked for options that are not settled yet
    column_of: Callable[[str, str], Column] | None = None  # the same for columns of tables
    kinds: dict[str, Kind] = field(factory=dict)
    grids: dict[str, Grid] = field(factory=dict)
    columns: dict[tuple[str, str], Column] = field(factory=dict)
    teams: tuple[int, ...] = ()
    lists: dict[str, tuple[str, ...]] = field(factory=dict)  # the words of each list
    found: list[Diagnostic] = field(factory=list)
    asked: set[tuple[str, int]] = field(factory=set)  # rows that became constants: tables with the keys asked for
    left_open: frozenset[str] = frozenset()  # options that become markers of the same name, instead of constants
    needed: set[str] = field(factory=set)  # options that became constants

    # -- expressions

    def fold(self, node: Expr) -> Expr:
        """The expression with everything settled replaced by constants."""
        node = with_parts(node, self.fold_part)
        span = node.span
        match node:
            case model.Arithmetic() | model.SeatNumber() | model.SeatsAway() | model.TeamOf() | model.Opponents() if any(
                isinstance(part, Const) and is_none(part) for part in children(node)
            ):
                return node  # what comes of none is said where it is asked for
            case model.OptionValue(name=name) if name in self.left_open:
                return model.VariableValue(name, None, type=node.type, span=span)
            case model.OptionValue(name=name):
                self.needed.add(name)
                if name not in self.options and self.option_of is not None:
                    return Const(self.option_of(name), type=node.type, span=span)
                return Const(self.options[name], type=node.type, span=span)
            case model.PlayerCount():
                return Const(self.players, type=NUMBER, span=span)
            case model.AllPlayers():
                return Const((1 << self.players) - 1, type=node.type, span=span)
            case model.AllOf(kinds=()):
                return Const((1 << self.kinds[node.type.of].bits) - 1, type=node.type, span=span)
            case model.AllOf(kinds=kinds):
                of_them = [face for kind in kinds for face in self.kinds[node.type.of].faces_of(kind)]
                return Const(bits_of(self.kinds[node.type.of], of_them), type=node.type, span=span)
            case Const(type=type) if type == PLAYER and node.value >= self.players:
                self.complain(
                    "R406",
                    f"there is no player {node.value + 1}",
                    span,
                    help=f"write `if players at least {node.value + 1}` before it, or let more play",
                )
                return Const(0, type=UNKNOWN, span=span)
            case model.Pick():
                return self._pick(node)
            case model.CellNamed(column=column, row=row) if node.type.of in self.grids:
                grid = self.grids[node.type.of]
                if grid.board is not None:
                    return Const(column, type=node.type, span=span)
                if column >= grid.width or row >= grid.height:
                    last = grid.cell_name(grid.cells - 1)
                    help = f"its cells are a1 to {last}"
                    declared = grid.span, "declared here"
                    self.complain("R248", f"there is no cell {span.text} on {grid.name}", span, declared, help=help)
                    return Const(0, type=UNKNOWN, span=span)
                return Const(row * grid.width + column, type=node.type, span=span)
            case model.Shifted(way=Const(value=way, type=type)) if way >= 0 and DIRECTION in self.lists and not type.is_set:
                hexagonal = self.grids[node.type.of].hexagonal
                step = vector(self.lists[DIRECTION][way], hexagonal)
                nothing = Const(0, type=node.type, span=span)
                return nothing if step is None else model.Shifted(node.of, *step, type=node.type, span=span)
            case model.OwnedBy(player=Const(value=player)) if player >= 0 and node.type.of in self.kinds:
                own = bits_of(self.kinds[node.type.of], self.kinds[node.type.of].by_owner[player]) if node.type.is_set else player
                return Const(own, type=node.type, span=span)
            case model.ColumnFor(key=Const(value=key) as at) if not self.left_open:  # which may decide what stands there
                rows = self._column(node)
                self.asked.add((node.table, key))
                value = rows.otherwise if is_none(at) else rows.values.get(key, rows.otherwise)
                return (
                    Const(0, type=UNKNOWN, span=span)
                    if value is None and node.table in self.gaps
                    else (node if value is None else Const(value, type=node.type, span=span))
                )
            case model.NumberOf(of=Const(value=value, type=type)) if value >= 0:
                return Const(int(self.lists[type.of][value]), type=NUMBER, span=span)
            case model.WordFor(number=Const(value=value)):
                words = self.lists[node.type.of]
                found = words.index(str(value)) if str(value) in words else NONE
                return Const(found, type=node.type if found == NONE else node.type.required, span=span)
            case model.Arithmetic(left=Const(value=a), right=Const(value=b)):
                return self._arithmetic(node, a, b)
            case model.Compare(op=op, left=Const(value=a) as one, right=Const(value=b) as other):
                if is_none(one) or is_none(other):
                    holds = op == "=" and is_none(one) and is_none(other)
                else:
                    holds = a == b if op == "=" else a < b if op == "<" else a <= b
                return Const(int(holds), type=TRUTH, span=span)
            case model.Logic(op=op, left=left, right=right):
                for half, rest in ((left, right), (right, left)):
                    if isinstance(half, Const):
                        return rest if bool(half.value) == (op == "and") else half
            case model.Not(value=Const(value=a)):
                return Const(1 - a, type=TRUTH, span=span)
            case model.Cases(cases=cases, otherwise=otherwise):
                open_cases = []
                for condition, value_of_case in cases:
                    if not isinstance(condition, Const):
                        open_cases.append((condition, value_of_case))
                    elif condition.value:
                        otherwise = value_of_case
                        break
                return evolve(node, cases=tuple(open_cases), otherwise=otherwise) if open_cases else otherwise
            case model.AttributeOf(attribute=attribute, of=Const(value=face, type=type)) if (
                type.of in self.kinds and face >= 0 and not self.left_open
            ):
                printed = self.kinds[type.of].printed(attribute)[face]
                if printed is None:
                    return Const(NONE, type=node.type.maybe, span=span)
                return Const(printed, type=node.type.required, span=span)
            case model.SeatNumber(of=Const(value=a)):
                return Const(a + 1, type=NUMBER, span=span)
            case model.SeatsAway(count=Const(value=a) as count, of=of, right=right_of):
                away = (-a if right_of else a) % self.players  # so many seats clockwise
                if isinstance(of, Const):
                    return Const((of.value + away) % self.players, type=PLAYER, span=span)
                return evolve(node, count=evolve(count, value=away), right=False) if away else of
            case model.TeamOf(of=Const(value=a)):
                return Const(self.team(a), type=node.type, span=span)
            case model.Opponents(of=Const(value=a)):
                return Const((1 << self.players) - 1 & ~self.team(a), type=node.type, span=span)
            case _:
                pass
        return node

    def _column(self, node: model.ColumnFor) -> Column:
        found = self.columns.get((node.table, node.column))
        if found is None and self.column_of is not None:
            return self.column_of(node.table, node.column)
        assert found is not None
        return found

    @property
    def gaps(self) -> set[str]:
        """Tables by players without a row for this number: said once, at the table."""
        return {table for (table, _), column in self.columns.items() if column.otherwise is None and not column.values}

    def size(self, type: model.Type) -> int:
        """How many values a type has that is not a number."""
        return size_of(type, self.players, self.lists, self.kinds, self.grids)

    def team(self, seat: int) -> int:
        """The players of a seat's team, as a set."""
        return team_of(seat, self.teams)

    def value(self, node: Expr) -> int | None:
        """The value of an expression that must be settled; None after a finding."""
        folded = self.fold(node)
        return folded.value if isinstance(folded, Const) and folded.type.base != "unknown" else None

    def complain(
        self, code: str, message: str, span: Span | None, *others: tuple[Span, str], label: str = "", help: str = ""
    ) -> None:
        """Note an error, as `diagnostics.fault` makes it; one that is known already is not said again."""
        diagnostic = fault(code, message, span, *others, label=label, help=help)
        add_to(self.found, diagnostic)

    def fold_part(self, node: Any) -> Any:
        """What is right below a node: an expression folded, any other node with its own parts folded."""
        if isinstance(node, model.Typed):
            return self.fold(node)  # type: ignore[arg-type]
        return with_parts(node, self.fold_part)

    def _pick(self, node: model.Pick) -> Expr:
        whole = self.kinds[node.type.of]
        kind = next((each for each in whole.joint if (each.name, 1) in node.values), whole)
        first = whole.faces_of(kind.name).start if whole.joint else 0
        node = evolve(node, values=tuple((name, value) for name, value in node.values if name != kind.name))
        wanted = [(kind.attributes.index(name), value) for name, value in node.values if name != model.TWIN]
        fitting = [index for index, face in enumerate(kind.faces) if all(face.values[at] == value for at, value in wanted)]
        if not node.type.is_set and len({kind.faces[face].values for face in fitting}) == 1:  # they are printed alike
            number = dict(node.values).get(model.TWIN, 1)
            fitting = fitting[number - 1 : number]
        if node.type.is_set:
            return Const(bits_of(whole, [first + face for face in fitting]), type=node.type, span=node.span)
        if len(fitting) != 1:
            text = node.span.text
            if not fitting:
                add = f"a row for it to {kind.file}" if kind.file else "it to the list of them"
                said = text if re.search(rf"\b{kind.name}\b", text) else f"{kind.name} {text}"
                self.complain(
                    "R212",
                    f"there is no {said} in this game",
                    node.span,
                    (kind.span, _likes(node, kind)),
                    help=f"name another {kind.name}, or add {add}",
                )
            else:
                many = f"{len(fitting)} different {plural(kind.name)}"
                values = [(name, kind.printed(name)[fitting[0]]) for name in kind.attributes]
                every = " ".join(_said_value(kind, name, value) for name, value in values if value is not None)
                self.complain("R213", f"{text} can be {many}", node.span, help=f"name more of its values, such as [{every}]")
            return Const(0, type=UNKNOWN, span=node.span)
        return Const(first + fitting[0], type=node.type, span=node.span)

    def _arithmetic(self, node: model.Arithmetic, a: int, b: int) -> Expr:
        if node.op in ("mod", "div", "div up") and b == 0:
            self.complain("R304", "this divides by 0", node.span)
            return Const(0, type=UNKNOWN, span=node.span)
        match node.op:
            case "+":
                value = a + b
            case "-":
                value = a - b
            case "*":
                value = a * b
            case "mod":
                value = a % b
            case "div":
                value = a // b
            case "div up":
                value = -(-a // b)
            case "min" | "max" as which:
                value = min(a, b) if which == "min" else max(a, b)
        return Const(value, type=NUMBER, span=node.span)

    # -- statements

    def fold_body(self, body: Body) -> Body:
        """A body with its expressions folded and its known branches taken."""
        return tuple(done for statement in body for done in self._statement(statement))

    def _statement(self, statement: model.Statement) -> Body:
        match statement:
            case model.If(condition=condition, then=then, otherwise=otherwise):
                test = self.fold(condition)
                if isinstance(test, Const) and test.type.base != "unknown":
                    return self.fold_body(then if test.value else otherwise)
                return (evolve(statement, condition=test, then=self.fold_body(then), otherwise=self.fold_body(otherwise)),)
            case model.ForEach(members=members, order=order, body=body):
                new_order = order if order is None else with_parts(order, self.fold_part)
                return (evolve(statement, members=self.fold(members), order=new_order, body=self.fold_body(body)),)
            case model.Repeat(until=until, at_most=at_most, body=body, otherwise=rest):
                most = None if at_most is None else self.fold(at_most)
                inner = None if rest is None else self.fold_body(rest)
                return (evolve(statement, until=self.fold(until), at_most=most, body=self.fold_body(body), otherwise=inner),)
            case model.RepeatTimes(times=times, body=body):
                return (evolve(statement, times=self.fold(times), body=self.fold_body(body)),)
            case model.TakeTurns(start=start, among=among, until=until, body=body):
                return (
                    evolve(
                        statement,
                        start=self.fold(start),
                        among=self.fold(among),
                        until=self.fold(until),
                        body=self.fold_body(body),
                    ),
                )
            case model.NamedBlock(body=body):
                return (evolve(statement, body=self.fold_body(body)),)
            case model.Choose(player=player, options=options, impossible=impossible, so_far=so_far):
                inner = None if impossible is None else self.fold_body(impossible)
                folded = tuple(
                    evolve(with_parts(evolve(o, body=()), self.fold_part), body=self.fold_body(o.body)) for o in options
                )
                told = None if so_far is None else self.fold_part(so_far)
                return (evolve(statement, player=self.fold(player), options=folded, impossible=inner, so_far=told),)
            case _:
                return (with_parts(statement, self.fold_part),)


def is_none(node: Const) -> bool:
    return node.value == -1 and node.type.optional


def start_of(kind: Kind, face: int) -> int:
    """The first bit of a face in sets of its kind."""
    return sum(f.copies for f in kind.faces[:face])


def bits_of(kind: Kind, faces: Iterable[int]) -> int:
    """The bits of faces in sets of their kind."""
    return sum(((1 << kind.faces[face].copies) - 1) << start_of(kind, face) for face in faces)


def _likes(pick: model.Pick, kind: Kind) -> str:
    """What there is beside a component that there is not: all with the same values but for the last that is named."""
    if all(name == model.TWIN for name, _ in pick.values):
        return "declared here"
    *same, (last, _) = (pair for pair in pick.values if pair[0] != model.TWIN)
    alike = [face for face in kind.faces if all(face.values[kind.attributes.index(name)] == value for name, value in same)]
    index = kind.attributes.index(last)
    values = sorted({face.values[index] for face in alike} - ({NONE} if kind.optional[index] else set()))
    words = kind.words[index]
    if words is not None:
        listed = [words[value] for value in values]
    else:
        ends = [value for value in values if value - 1 not in values], [value for value in values if value + 1 not in values]
        listed = [str(low) if low == high else f"{low}..{high}" for low, high in zip(*ends, strict=True)]
    if not listed or len(listed) > LIKES_SHOWN:
        return "declared here"
    of = " ".join(_said_value(kind, name, value) for name, value in same)
    return f"there {'is' if len(values) == 1 else 'are'} {of}{' ' if of else ''}{', '.join(listed)}"


def _said_value(kind: Kind, attribute: str, value: int) -> str:
    words = kind.words[kind.attributes.index(attribute)]
    if kind.owned and attribute == kind.attributes[0]:
        return f"player {value + 1}"
    return str(value) if words is None or value == NONE else words[value]
