"""Conditions of the rules as clauses: "your hand is empty", "the card has rank 1"."""

from __future__ import annotations

from attrs import frozen

from ....model import model as m
from ....words.words import marked
from .expressions import Expressions


def is_whole_place(node: m.ZoneContent) -> bool:
    """Whether all components in a place are meant, not those of one kind."""
    return not node.type.only


def _is_listed(node: m.Expr) -> bool:
    """Whether the members of a set are told with an article: ``the squares next to the stone``."""
    while isinstance(node, m.Filter):
        node = node.of
    return not isinstance(node, m.ZoneContent | m.AllOf | m.AllPlayers | m.Const)


@frozen(eq=False)
class Conditions(Expressions):
    """Says conditions, and what is not so."""

    def condition(self, node: m.Expr) -> str:
        thing = self.thing
        match node:
            case m.Const(value=value):
                return self.phrase("always") if value else self.phrase("never")
            case m.Compare(op="=", left=m.PlayerCount(), right=right):
                return self.phrase("there are {number} players", number=thing(right))
            case m.Compare():
                return self._compared(node)
            case m.Logic(
                op="and", left=m.Compare(op="<=", left=low, right=asked), right=m.Compare(op="<=", left=same, right=high)
            ) if asked == same:
                return self.phrase(
                    "{thing} {is} from {low} to {high}", thing=thing(asked), **self._be(asked), low=thing(low), high=thing(high)
                )
            case m.Logic(
                op="and",
                left=m.Compare(op=op, left=m.Bounds(what="width", of=of), right=width),
                right=m.Compare(op=same, left=m.Bounds(what="height", of=other), right=height),
            ) if op == same and op in ("=", "<=") and of == other:
                return self.phrase(
                    "{cells} is {width} squares wide and {height} squares high"
                    if op == "="
                    else "{cells} is at most {width} squares wide and {height} squares high",
                    cells=thing(of),
                    width=thing(width),
                    height=thing(height),
                )
            case m.Logic(op="and"):
                return self.phrase("{first} and {last}", first=self._part(node.left, "or"), last=self._part(node.right, "or"))
            case m.Logic():
                return self.phrase("{first} or {last}", first=self._part(node.left, "and"), last=self._part(node.right, "and"))
            case m.Not():
                return self._negated(node.value)
            case m.IsIn():
                if isinstance(node.of, m.ZoneContent):
                    return self.phrase("{thing} is in {place}", thing=thing(node.member), place=self.place(node.of))
                if self.is_you(node.member):
                    return self.phrase("you are one of {things}", things=self.members(node.of))
                return self.phrase("{thing} is one of {things}", thing=thing(node.member), things=self.members(node.of))
            case m.Some():
                return self._some(node.of)
            case m.Apply(args=()):
                return self.quoted(self.words.name("define", node.define))
            case m.Apply(args=(one,)):
                return self._is(one, self.quoted(self.words.name("define", node.define)))
            case m.Apply():
                word = self.quoted(self.words.name("define", node.define))
                if node.args[0].type.base == "player" and not node.args[0].type.is_set:
                    others = self.listed([thing(arg) for arg in node.args[1:]])
                    if self.is_you(node.args[0]):
                        return self.phrase("you fit {word} for {others}", word=word, others=others)
                    return self.phrase("{player} fits {word} for {others}", player=thing(node.args[0]), word=word, others=others)
                return self.phrase("{word} holds for {things}", word=word, things=self.listed([thing(arg) for arg in node.args]))
            case m.AttributeOf(attribute=kind, of=of) if kind in self.facts.kinds:
                return self.phrase("{thing} is {noun}", thing=thing(of), noun=self.a(self.words.name("kind", kind)))
            case m.Completable():
                return self._completable(node)
            case m.Knows():
                return self.phrase("{player} knows where {things} are", player=thing(node.player), things=self.members(node.of))
            case m.After():
                return self.phrase("afterwards {condition}", condition=self.condition(node.test))
            case m.Possible():
                return self.phrase("{act} is possible", act=self.quoted(self.words.name("act", node.verb)))
            case m.Repeats():
                return self.phrase("this position stands there for the {number}th time", number=thing(node.times))
            case m.HasLine(through=None):
                return self.phrase("{number} of {cells} lie in a straight line", number=thing(node.length), cells=thing(node.of))
            case m.HasLine(through=through):
                assert through is not None
                said = self.phrase("{number} of {cells} lie in a straight line", number=thing(node.length), cells=thing(node.of))
                return self.phrase("{line} through {cell}", line=said, cell=thing(through))
            case m.HasPath():
                return self.phrase(
                    "{cells} join {start} and {end} without a gap",
                    cells=thing(node.of),
                    start=thing(node.start),
                    end=thing(node.end),
                )
            case m.Touches(left=m.CoveredBy(of=one), right=m.CoveredBy(of=other)):
                return self.phrase("{thing} lies side by side with {other}", thing=thing(one), other=thing(other))
            case m.Touches():
                return self.phrase("{cells} share a side with {others}", cells=thing(node.left), others=thing(node.right))
            case m.TouchesSame():
                attribute = self.words.name("attribute", node.attribute)
                match self.squares_of(node.of.type):
                    case 1:
                        sentence = marked("{thing} lies side by side with a square of the same {attribute}")
                    case 2:
                        sentence = marked(
                            "at least one half of {thing} lies side by side with a square of the same {attribute} as that half"
                        )
                    case _:
                        sentence = marked(
                            "at least one square of {thing} lies side by side with another square of the same {attribute}"
                        )
                return self.phrase(sentence, thing=thing(node.of), attribute=attribute)
            case m.Cases():
                return self.cases(node)
            case m.OptionValue(name=name):
                return self.phrase("{thing} is agreed", thing=self.quoted(self.words.name("option", name)))
            case m.VariableValue(owner=None, name=name):
                return self.phrase(
                    "{thing} is {value}", thing=self.quoted(self.words.name("value", name)), value=self.phrase("yes")
                )
            case m.VarValue() | m.VariableValue() | m.AttributeOf() | m.ColumnFor():
                return self.phrase("{thing} is {value}", thing=thing(node), value=self.phrase("yes"))
            case _:
                return thing(node)

    def _part(self, node: m.Expr, other: str) -> str:
        said = self.condition(node)
        return f"({said})" if isinstance(node, m.Logic) and node.op == other else said

    def _some(self, of: m.Expr) -> str:
        match of:
            case m.ZoneContent() if of.zone in self.facts.grids:
                return self.phrase("there is something on {place}", place=self.place(of))
            case m.ZoneContent(every=True) if is_whole_place(of):
                return self._every(of, empty=False)
            case m.ZoneContent() if is_whole_place(of):
                return self.phrase("there are {contents} in {place}", contents=self.noun(of.type, 2), place=self.place(of))
            case m.ZoneContent():
                return self.phrase("there are {things}", things=self._plain(of))
            case _ if _is_listed(of) and not isinstance(of, m.CellsOf):
                return self.phrase("there is at least one of {things}", things=self.members(of))
            case m.Filter():
                return self.phrase("there are {things}", things=self._plain(of))
            case m.CellsOf(empty=True):
                return self.phrase("{place} is not full", place=self.grid(of.grid, of.owner))
            case _:
                return self.phrase("there are {things}", things=self.members(of))

    def _sized(self, node: m.Compare) -> str | None:
        """``your kingdom is at most 5 squares wide``."""
        match node:
            case m.Compare(op="<=", left=m.Bounds(what="width", of=of), right=number):
                sentence = marked("{cells} is at most {number} squares wide")
            case m.Compare(op="<=", left=m.Bounds(what="height", of=of), right=number):
                sentence = marked("{cells} is at most {number} squares high")
            case m.Compare(op="=", left=m.Bounds(what="width", of=of), right=number):
                sentence = marked("{cells} is {number} squares wide")
            case m.Compare(op="=", left=m.Bounds(what="height", of=of), right=number):
                sentence = marked("{cells} is {number} squares high")
            case _:
                return None
        return self.phrase(sentence, cells=self.thing(of), number=self.thing(number))

    def _compared(self, node: m.Compare) -> str:
        left, right = node.left, node.right
        if (sized := self._sized(node)) is not None:
            return sized
        if node.op == "=" and isinstance(right, m.Const):
            if right.value == -1 and right.type.optional:
                return self._missing(self._behind(left))
            if right.type.base == "truth":
                return self.condition(left) if right.value else self._negated(left)
        if node.op != "=" and (isinstance(left, m.Const) or (self.number(left) and not self.number(right))):
            if node.op == "<":
                return self.phrase(
                    "{thing} {is} more than {number}", thing=self.thing(right), **self._be(right), number=self.thing(left)
                )
            return self.phrase(
                "{thing} {is} at least {number}", thing=self.thing(right), **self._be(right), number=self.thing(left)
            )
        if node.op == "<":
            return self.phrase(
                "{thing} {is} less than {number}", thing=self.thing(left), **self._be(left), number=self.thing(right)
            )
        if node.op == "<=":
            return self.phrase(
                "{thing} {is} at most {number}", thing=self.thing(left), **self._be(left), number=self.thing(right)
            )
        return self._is(right, self.thing(left)) if self.is_you(right) else self._is(left, self.thing(right))

    def _is(self, thing: m.Expr, value: str) -> str:
        if self.is_you(thing):
            return self.phrase("you are {value}", value=value)
        return self.phrase("{thing} {is} {value}", thing=self.thing(thing), **self._be(thing), value=value)

    def _be(self, thing: m.Expr) -> dict[str, str]:
        """The verb that goes with a thing, as the place ``is``."""
        match thing:
            case m.VariableValue(name=name) | m.Apply(define=name) | m.ZoneContent(zone=name) | m.AttributeOf(attribute=name):
                many = self.words.name("define", name).endswith("s") and not name.endswith("ss")
            case _:
                many = thing.type.is_set
        return {"is": self.phrase("are") if many else self.phrase("is")}

    def _is_not(self, thing: m.Expr, value: str) -> str:
        if self.is_you(thing):
            return self.phrase("you are not {value}", value=value)
        return self.phrase("{thing} {is} not {value}", thing=self.thing(thing), **self._be(thing), value=value)

    def _has_no(self, owner: m.Expr, thing: str) -> str:
        if self.is_you(owner):
            return self.phrase("you have no {thing}", thing=thing)
        return self.phrase("{owner} has no {thing}", owner=self.thing(owner), thing=thing)

    def _has(self, owner: m.Expr, thing: str) -> str:
        if self.is_you(owner):
            return self.phrase("you have {thing}", thing=self.a(thing))
        return self.phrase("{owner} has {thing}", owner=self.thing(owner), thing=self.a(thing))

    def _missing(self, node: m.Expr) -> str:
        match node:
            case m.VariableValue(owner=owner) if owner is not None and not isinstance(owner, m.Index):
                name = self.words.name("value", node.name)
                return self._has_no(owner, name)
            case m.AttributeOf(of=of):
                name = self.words.name("attribute", node.attribute)
                return self._has_no(of, name)
            case m.ZoneContent():
                return self.phrase("{place} is empty", place=self.place(node))
            case _ if (single := self._single(node)) is not None:
                return self.phrase("there is no {thing}", thing=single)
            case m.ColumnFor(column=column, key=key):
                return self.phrase(
                    "the table has no {column} for {key}", column=self.words.name("column", column), key=self.thing(key)
                )
            case _:
                return self.phrase("{thing} is {value}", thing=self.thing(node), value=self.phrase("none"))

    def _single(self, node: m.Expr) -> str | None:
        """The name of what there is at most one of in the game."""
        match node:
            case m.VariableValue(owner=None, name=name):
                return self.value_name(name)
            case m.Apply(args=(), define=define):
                return self.define_name(define)
            case _:
                return None

    def _behind(self, node: m.Expr) -> m.Expr:
        """What is missing exactly when something else is: without a card led, there is no suit of it."""
        if isinstance(node, m.Apply) and not node.args and node.define in self.facts.defines:
            node = self.facts.defines[node.define].value
            if isinstance(node, m.AttributeOf) and self.is_always_there(node) and isinstance(node.of, m.ZoneContent):
                return node.of
        return node

    def _every(self, of: m.ZoneContent, empty: bool) -> str:
        zone = self.facts.zones.get(of.zone)
        name = self.words.name("zone", of.zone)
        if zone is not None and all(each.type.base != "player" for each in zone.parameters):
            return self.phrase("every {zone} is empty" if empty else "at least one {zone} is not empty", zone=name)
        return self.phrase("every player’s {zone} is empty" if empty else "at least one player’s {zone} is not empty", zone=name)

    def _negated(self, node: m.Expr) -> str:
        thing = self.thing
        match node:
            case m.Not():
                return self.condition(node.value)
            case m.Some(of=m.ZoneContent() as of) if of.zone in self.facts.grids:
                return self.phrase("there is nothing on {place}", place=self.place(of))
            case m.Some(of=m.ZoneContent(every=True) as of) if is_whole_place(of):
                return self._every(of, empty=True)
            case m.Some(of=m.ZoneContent() as of) if is_whole_place(of):
                return self.phrase("there are no {contents} in {place}", contents=self.noun(of.type, 2), place=self.place(of))
            case m.Some(of=m.ZoneContent() as of):
                return self.phrase("there are no {things}", things=self._plain(of))
            case m.Some(of=m.CellsOf(empty=True) as of):
                return self.phrase("{place} is full", place=self.grid(of.grid, of.owner))
            case m.Some(of=of) if _is_listed(of) and not isinstance(of, m.CellsOf):
                return self.phrase("there is none of {things}", things=self.members(of))
            case m.Some(of=m.Filter() as of):
                return self.phrase("there are no {things}", things=self._plain(of))
            case m.Some(of=of):
                return self.phrase("there are no {things}", things=self.members(of))
            case m.Compare(op="=", right=m.Const(value=-1, type=type)) if type.optional:
                match node.left:
                    case m.VariableValue(owner=owner, name=name) if owner is not None and not isinstance(owner, m.Index):
                        return self._has(owner, self.words.name("value", name))
                    case m.AttributeOf(of=of, attribute=attribute):
                        return self._has(of, self.words.name("attribute", attribute))
                    case m.ZoneContent() as zone:
                        return self.phrase("{place} is not empty", place=self.place(zone))
                    case m.ColumnFor(column=column, key=key):
                        return self.phrase(
                            "the table has {column} for {key}", column=self.a(self.words.name("column", column)), key=thing(key)
                        )
                behind = self._behind(node.left)
                if isinstance(behind, m.ZoneContent):
                    return self.phrase("{place} is not empty", place=self.place(behind))
                if (single := self._single(node.left)) is not None:
                    return self.phrase("there is {thing}", thing=self.a(single))
                return self.phrase("{thing} is not {value}", thing=thing(node.left), value=self.phrase("none"))
            case m.Compare(op="=", right=m.Const(value=value, type=type)) if type.base == "truth":
                return self.condition(node.left) if not value else self._negated(node.left)
            case m.Compare(op="=", left=m.PlayerCount(), right=right):
                return self.phrase("there are not {number} players", number=thing(right))
            case m.Compare(op="="):
                return self._is_not(node.left, thing(node.right))
            case m.Compare(op="<"):
                return self.phrase(
                    "{thing} {is} at least {number}", thing=thing(node.left), **self._be(node.left), number=thing(node.right)
                )
            case m.Compare():
                return self.phrase(
                    "{thing} {is} more than {number}", thing=thing(node.left), **self._be(node.left), number=thing(node.right)
                )
            case m.IsIn(of=m.ZoneContent() as of):
                return self.phrase("{thing} is not in {place}", thing=thing(node.member), place=self.place(of))
            case m.IsIn():
                if self.is_you(node.member):
                    return self.phrase("you are none of {things}", things=self.members(node.of))
                return self.phrase("{thing} is none of {things}", thing=thing(node.member), things=self.members(node.of))
            case m.Apply(args=(one,)):
                return self._is_not(one, self.quoted(self.words.name("define", node.define)))
            case m.Apply(args=()):
                return self.phrase("{word} does not hold", word=self.quoted(self.words.name("define", node.define)))
            case m.Apply():
                word = self.quoted(self.words.name("define", node.define))
                if node.args[0].type.base == "player" and not node.args[0].type.is_set:
                    others = self.listed([thing(arg) for arg in node.args[1:]])
                    if self.is_you(node.args[0]):
                        return self.phrase("you do not fit {word} for {others}", word=word, others=others)
                    return self.phrase(
                        "{player} does not fit {word} for {others}", player=thing(node.args[0]), word=word, others=others
                    )
                args = self.listed([thing(arg) for arg in node.args])
                return self.phrase("{word} does not hold for {things}", word=word, things=args)
            case m.OptionValue(name=name):
                return self.phrase("{thing} is not agreed", thing=self.quoted(self.words.name("option", name)))
            case m.AttributeOf(attribute=kind, of=of) if kind in self.facts.kinds:
                return self.phrase("{thing} is not {value}", thing=thing(of), value=self.a(self.words.name("kind", kind)))
            case m.VariableValue(owner=None, name=name):
                return self.phrase(
                    "{thing} is {value}", thing=self.quoted(self.words.name("value", name)), value=self.phrase("no")
                )
            case m.VarValue() | m.VariableValue() | m.ColumnFor():
                return self.phrase("{thing} is {value}", thing=thing(node), value=self.phrase("no"))
            case _:
                return self.phrase("this is not so: {condition}", condition=self.condition(node))

    def _completable(self, node: m.Completable) -> str:
        demands = []
        if node.count is not None:
            number = self.thing(node.count)
            demands.append(
                self.phrase("exactly {number}", number=number) if node.exact else self.phrase("at most {number}", number=number)
            )
        if node.key is not None:
            demands.append(self.phrase("all with a different {value}", value=self._plain_value(node.key, node.var)))
        if node.value is not None:
            value = self._plain_value(node.value, node.var)
            if node.low is not None:
                demands.append(
                    self.phrase("with {value} of at least {number} together", value=value, number=self.thing(node.low))
                )
            if node.high is not None:
                demands.append(
                    self.phrase("with {value} of at most {number} together", value=value, number=self.thing(node.high))
                )
        return self.phrase(
            "the choice can still be completed from {things}: {demands}",
            things=self.members(node.of),
            demands=self.listed(demands),
        )
