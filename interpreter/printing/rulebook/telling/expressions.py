"""Expressions of the rules as noun phrases: "your hand", "the highest rank of the cards in your hand"."""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from ....model import model as m
from ....words.words import marked
from .sets import Sets

NUMBERS_OF = {
    "+": marked("{left} plus {right}"),
    "-": marked("{left} minus {right}"),
    "*": marked("{left} times {right}"),
    "mod": marked("the rest of {left} divided by {right}"),
    "div": marked("{left} divided by {right}, rounded down"),
    "div up": marked("{left} divided by {right}, rounded up"),
    "min": marked("the smaller of {left} and {right}"),
    "max": marked("the larger of {left} and {right}"),
}
PLACES = {
    "width": marked("the width of {cells}"),
    "height": marked("the height of {cells}"),
    "middle": marked("the middle of {cells}"),
    "row": marked("the row of {cells}"),
    "column": marked("the column of {cells}"),
}


@frozen(eq=False)
class Expressions(Sets):
    """Says expressions as things. Conditions are said by the class that builds on this one."""

    def thing(self, node: m.Expr) -> str:
        """An expression as a noun phrase."""
        if self.is_you(node):
            return self.phrase("you")
        if (number := self.number(node)) is not None:
            return number
        if node.type.base == "truth" and not node.type.is_set and not isinstance(node, m.Const | m.VarValue | m.VariableValue):
            return self.condition(node)
        thing, words = self.thing, self.words
        match node:
            case m.Const():
                return self.constant(node.value, node.type)
            case m.OptionValue(name=name):
                return self.quoted(words.name("option", name))
            case m.PlayerCount():
                return self.phrase("the number of players")
            case m.AllPlayers() | m.AllOf():
                return self.phrase("all {things}", things=self.noun(node.type, 2))
            case m.VarValue(var=var):
                return self.the(self.variable(var))
            case m.ZoneContent():
                return self.place(node)
            case m.Pick():
                said = " ".join(self.constant(value, self._attribute(node.type.of, name)) for name, value in node.values if name)
                return self.the(f"{self.noun(node.type)} {said}".strip())
            case m.VariableValue():
                return self.of(self.value_name(node.name), node.owner)
            case m.AttributeOf(attribute="owner"):
                return self.phrase("the owner of {thing}", thing=thing(node.of))
            case m.AttributeOf():
                return self.of(words.name("attribute", node.attribute), node.of)
            case m.ColumnFor():
                column = words.name("column", node.column)
                return self.phrase("the {column} for {key} (see the table)", column=column, key=thing(node.key))
            case m.Index():
                return self.listed([thing(part) for part in node.parts])
            case m.NumberOf() | m.WordFor():
                return thing(node.of if isinstance(node, m.NumberOf) else node.number)
            case m.Apply():
                name = self.define_name(node.define)
                owner = None if not node.args else node.args[0]
                said = self.of(name, owner)
                if node.args[1:]:
                    said = self.phrase(
                        "{thing} for {others}", thing=said, others=self.listed([thing(arg) for arg in node.args[1:]])
                    )
                return said
            case m.Arithmetic():
                return self.arithmetic(node)
            case m.Cases():
                return self.cases(node)
            case m.Join():
                return self.listed([self.members(node.left), self.members(node.right)])
            case m.Union():
                return self.listed([self.members(each) for each in node.sets])
            case m.Without():
                return self.phrase("{things} except {others}", things=self.members(node.left), others=self.members(node.right))
            case m.SetOf():
                return self.listed([thing(each) for each in node.members]) if node.members else self.phrase("nothing")
            case m.Filter() if (narrow := self._of_one_kind(node)) is not node:
                return self.members(narrow)
            case m.Filter():
                return self.phrase("{things} {which}", things=self.members(node.of), which=self.which(node))
            case m.Count():
                return self.phrase("the number of {things}", things=self._plain(node.of))
            case m.Total() if not self._is_asked_of(node.value, node.var):
                return self.phrase("the sum, over {things}, of {value}", things=self.members(node.of), value=thing(node.value))
            case m.Total():
                return self.phrase(
                    "the total {value} of {things}",
                    value=self._plain_value(node.value, node.var),
                    things=self.members(node.of),
                )
            case m.Extreme(value=m.Count(of=m.VarValue(var=var))) if var is node.var and (
                var.type.base == "region" or (var.type.base == "cell" and var.type.is_set)
            ):
                return self.phrase(
                    "the number of squares in the largest of {things}"
                    if node.direction == "highest"
                    else "the number of squares in the smallest of {things}",
                    things=self.members(node.of),
                )
            case m.Extreme(direction="highest") if not self._is_asked_of(node.value, node.var):
                return self.phrase(
                    "the highest number, among {things}, for {value}", things=self.members(node.of), value=thing(node.value)
                )
            case m.Extreme() if not self._is_asked_of(node.value, node.var):
                return self.phrase(
                    "the lowest number, among {things}, for {value}", things=self.members(node.of), value=thing(node.value)
                )
            case m.Extreme(direction="highest"):
                return self.phrase(
                    "the highest {value} among {things}",
                    value=self._plain_value(node.value, node.var),
                    things=self.members(node.of),
                )
            case m.Extreme():
                return self.phrase(
                    "the lowest {value} among {things}",
                    value=self._plain_value(node.value, node.var),
                    things=self.members(node.of),
                )
            case m.First():
                return self.phrase(
                    "the first of {things} (clockwise, beginning with {start})",
                    things=self.members(node.of),
                    start=thing(node.start),
                )
            case m.Best() if node is self.apart:
                return self.phrase("the best of {things}", things=self.members(node.of))
            case m.Best():
                keys = self.keys(node.keys, node.var)
                if node.all:
                    return self.phrase("the best of {things} (all that tie): {keys}", things=self.members(node.of), keys=keys)
                return self.phrase("the best of {things}: {keys}", things=self.members(node.of), keys=keys)
            case m.PlaceOf():
                keys = self.keys(node.keys, node.var)
                among = self.members(node.of)
                if node.tied == "nobody":
                    return self.phrase(
                        "the place of {player} among {things}: {keys}; a tied place counts for nobody",
                        player=thing(node.player),
                        things=among,
                        keys=keys,
                    )
                return self.phrase(
                    "the place of {player} among {things}: {keys}; ties share the place",
                    player=thing(node.player),
                    things=among,
                    keys=keys,
                )
            case m.AnyOf():
                return self.phrase("any of {things}", things=self.members(node.of))
            case m.RandomOf(each_face_alike=True):
                return self.phrase("a random one of {things} (each kind equally likely)", things=self.members(node.of))
            case m.RandomOf():
                return self.phrase("a random one of {things}", things=self.members(node.of))
            case m.RandomNumber():
                return self.phrase("a random number from {low} to {high}", low=thing(node.low), high=thing(node.high))
            case m.OwnerOf():
                return self.phrase("the owner of {thing}", thing=thing(node.of))
            case m.OwnedBy():
                return self.of(self.noun(node.type, 2 if node.type.is_set else 1), node.player)
            case m.SeatsAway():
                return self._seat(node)
            case m.SeatNumber():
                return self.phrase("the seat number of {player}", player=thing(node.of))
            case m.TeamOf() if self.is_you(node.of):
                return self.phrase("your {thing}", thing=self.phrase("team"))
            case m.Opponents() if self.is_you(node.of):
                return self.phrase("your {thing}", thing=self.phrase("opponents"))
            case m.TeamOf():
                return self.phrase("the team of {player}", player=thing(node.of))
            case m.Opponents():
                return self.phrase("the opponents of {player}", player=thing(node.of))
            case m.ScoreOf(team=True) if self.is_you(node.of):
                return self.phrase("your team’s score")
            case m.ScoreOf():
                name = self.phrase("score") if node.term is None else words.name("score", node.term)
                return (
                    self.of(name, node.of) if not node.team else self.phrase("the team score of {player}", player=thing(node.of))
                )
            case m.Winners():
                return self.phrase("the winners")
            case m.CellNamed():
                return node.span.text
            case m.CellsOf(empty=True):
                return self.phrase("the empty squares of {grid}", grid=self.grid(node.grid, node.owner))
            case m.CellsOf():
                return self.phrase("the squares of {grid}", grid=self.grid(node.grid, node.owner))
            case m.CoveredBy():
                return self.phrase("the squares under {things}", things=self.members(node.of))
            case m.CellOf():
                return self.phrase("the square of {thing}", thing=thing(node.of))
            case m.LyingOn():
                return self.phrase("the {thing} on {cell}", thing=self.noun(node.type), cell=thing(node.cell))
            case m.NextTo():
                return self.phrase("the squares next to {cells}", cells=thing(node.of))
            case m.Shifted():
                return self._shifted(node)
            case m.Facing():
                return self.phrase(
                    "the direction {across} across and {up} up, as {player} sees it",
                    across=node.columns,
                    up=node.rows,
                    player=thing(node.player),
                )
            case m.CellPlace() | m.Bounds():
                return self.phrase(PLACES[node.what], cells=thing(node.of))
            case m.LongestLine():
                said = self.phrase("the longest straight line in {cells}", cells=thing(node.of))
                if node.through is not None:
                    said = self.phrase("{line} through {cell}", line=said, cell=thing(node.through))
                if node.along is not None:
                    said = self.phrase("{line} along {directions}", line=said, directions=thing(node.along))
                return said
            case m.LinesFrom():
                return self.phrase(
                    "the squares in straight lines from {start}, through {cells}, up to {end}",
                    start=thing(node.start),
                    cells=thing(node.through),
                    end=thing(node.end),
                )
            case m.Regions():
                return self.phrase("the regions of {grid}", grid=thing(node.of)) + self._alike(node)
            case m.Ways():
                return self.phrase(
                    "the ways to lay {thing} on {grid}", thing=thing(node.piece), grid=self.grid(node.grid, node.owner)
                )
            case m.CellsOfWay():
                return self.phrase("the squares of {place}", place=thing(node.way))
            case (
                m.Compare() | m.Logic() | m.Not() | m.IsIn() | m.Some() | m.Completable() | m.Knows() | m.After() | m.Possible()
                | m.Repeats() | m.HasLine() | m.HasPath() | m.Touches() | m.TouchesSame()
            ):  # fmt: skip
                return self.condition(node)
            case _:
                assert_never(node)

    def _attribute(self, kind: str, name: str) -> m.Type:
        declared = self.facts.kinds.get(kind)
        found = [each.domain.type for each in declared.attributes if each.name == name] if declared is not None else []
        return found[0] if found else m.NUMBER

    def cases(self, node: m.Cases) -> str:
        said = [
            self.phrase("{value} if {condition}", value=self.thing(value), condition=self.condition(condition))
            for condition, value in node.cases
        ]
        last = self.phrase("otherwise {value}", value=self.thing(node.otherwise))
        for each in reversed(said):
            last = self.phrase("{first}; {next}", first=each, next=last)
        return last

    def arithmetic(self, node: m.Arithmetic) -> str:
        def part(side: m.Expr) -> str:
            values, name = self.facts.numbers.of(side), self.name_of(side)
            if values is not None and name is not None and len(set(values.values())) > 1:
                return self.the(name)
            said = self.thing(side)
            composed = isinstance(side, m.Arithmetic | m.Cases) and self.number(side) is None
            return f"({said})" if composed else said

        if node.op == "-" and isinstance(node.left, m.Const) and node.left.value == 0:
            return self.phrase("minus {number}", number=part(node.right))
        return self.phrase(NUMBERS_OF[node.op], left=part(node.left), right=part(node.right))

    def _seat(self, node: m.SeatsAway) -> str:
        count, of = self.thing(node.count), self.thing(node.of)
        if count == "1" and self.is_you(node.of):
            return self.phrase("your right neighbour" if node.right else "your left neighbour")
        if not count.isdecimal():
            return self.phrase(
                "the player to the right of {player} by as many seats as {number}"
                if node.right
                else "the player to the left of {player} by as many seats as {number}",
                player=of,
                number=count,
            )
        if count == "1":
            if node.right:
                return self.phrase("the right neighbour of {player}", player=of)
            return self.phrase("the left neighbour of {player}", player=of)
        if node.right:
            return self.phrase("the player {number} seats to the right of {player}", number=count, player=of)
        return self.phrase("the player {number} seats to the left of {player}", number=count, player=of)

    def _shifted(self, node: m.Shifted) -> str:
        cells = self.thing(node.of)
        if node.way is not None:
            return self.phrase("the squares {direction} of {cells}", direction=self.thing(node.way), cells=cells)
        said = self.phrase(
            "the squares {across} across and {up} up from {cells}",
            across=_signed(node.columns),
            up=_signed(node.rows),
            cells=cells,
        )
        if node.player is None:
            return said
        return self.phrase("{thing}, as {player} sees it", thing=said, player=self.thing(node.player))


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else str(number)
