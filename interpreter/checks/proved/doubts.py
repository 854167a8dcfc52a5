"""Where do the rules ask for faces, counters or markers, and who would have to know them there?

All that is done in a table is gone through, from the setup on, steps as they are done, with what stands for their arguments.
Each place where something depends on a source is a doubt; whether it is a fault, `knowledge` says, when all moves are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import define, evolve, field, frozen

from ...model import model
from ...model.model import BOX, PLAYER, Const, Expr, Var
from ...model.rebuild import substituted, walk
from ...source import Span
from ...table.table import Table
from .effects import written
from .moving import Moving, Way
from .sources import NOTHING, Reader, Source, Sources

Asks = Literal["what can be chosen", "a value", "a text", "whether", "who", "whether it is set"]


@frozen
class Path:
    """How the rules come to a place.

    ``around``: what it depends on that this is done. ``guarded``: players have been compared on the way. ``loops``: those around.
    ``waits``: the loops around of which a later round may be the first that comes there. ``certain``: it comes there always.
    """

    around: Sources = NOTHING
    guarded: bool = False
    loops: frozenset[Span] = frozenset()
    waits: frozenset[Span] = frozenset()
    certain: bool = True

    def perhaps(self) -> Path:
        """The same where not every round comes there."""
        return evolve(self, waits=self.loops, certain=False)

    def round(self, loop: Span, around: Sources, guarded: bool = False) -> Path:
        """In a loop."""
        return evolve(self, around=self.around | around, guarded=self.guarded or guarded, loops=self.loops | {loop})


@frozen
class Doubt:
    """A place in the rules that may ask too much. ``who``: the player who would have to know (None: anybody would do).

    ``asks``: what depends on the source. ``what``: the same in words. ``path``: how the rules come there. ``ways``: how many ways
    have been noted before. ``shown``: whether the source has been revealed before.
    """

    asks: Asks
    source: Source
    who: Expr | None
    span: Span
    what: str
    path: Path = field(eq=False)
    ways: int = field(eq=False)
    shown: bool = field(eq=False)


@define(eq=False)
class Walker:
    """Goes through what is done in a table, from the setup on, and notes each doubt."""

    table: Table
    doubts: list[Doubt] = field(factory=list)
    moving: Moving = field(init=False)
    reader: Reader = field(init=False)
    places: dict[Var, Sources] = field(factory=dict)  # where the component that a name stands for may come from
    draws: dict[str, Span] = field(factory=dict)  # a draw from each pile
    gathered: dict[str, Span] = field(factory=dict)  # where components that are named, or all of a kind, go to each zone
    held: dict[str, Span] = field(factory=dict)  # where some are removed from each pile
    changed: dict[Var, set[str]] = field(factory=dict)  # what may be set while a name goes through a set of players
    done: set[tuple[object, ...]] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.moving, self.reader = Moving(self.table), Reader(self.table)

    def body(self, body: model.Body, path: Path) -> None:
        for line in body:
            self.line(line, path)
            if any(isinstance(part, model.End) for part in walk(line)):
                path = path.perhaps()

    def line(self, line: model.Statement, path: Path) -> None:
        sources = self.reader.sources
        match line:
            case model.Let(var=var, value=value):
                self.bind(var, value)
            case model.Gather(var=var, of=of):
                self.places[var] = self.origin(of)
            case model.Move(what=what, to=to, moved=moved):
                self.move(what, to, moved)
            case model.Draw(source=source, to=to, moved=moved, span=span):
                self.draws.setdefault(source.zone, span)
                self.moving.ways.append(Way(source.zone, source.owner, to.zone, to.owner, True, True))
                if moved is not None:
                    start = Source(source.zone, source.owner, False, source.span)
                    self.arrives(moved, frozenset({start}), to)
            case model.HoldBack(pile=pile, span=span):
                self.held.setdefault(pile.zone, span)
                self.moving.unseen.add(pile.zone)
            case model.Mix(pile=pile):
                self.moving.mixed.add(pile.zone)
            case model.Reveal(what=what):
                for place in self.origin(what):
                    self.moving.shown[place.name] = self.moving.shown.get(place.name, frozenset()) | path.loops
            case model.SetVariable(name=name, value=value, span=span):
                if name in self.table.variables and self.table.variables[name].visibility == "open":
                    said = f"`{name}` is open, and what it is set to depends on it"
                    self.doubt("a value", sources(value), None, span, said, path)
                    said = f"`{name}` is open, and whether it is set depends on it"
                    self.doubt("whether it is set", path.around, None, span, said, path)
            case model.If(condition=condition, then=then, otherwise=otherwise):
                compared = path.guarded or _compares_players(condition, self.table)
                inside = evolve(path, around=path.around | sources(condition), guarded=compared)
                if not self.turns_on_faces(condition):
                    inside = inside.perhaps()
                self.body(then, inside)
                self.body(otherwise, inside)
            case model.ForEach(var=var, members=members, order=order, body=body, span=span):
                self.bind(var, members)
                self.reader.members[var], self.changed[var] = members, written(body, self.table)
                self.reader.faces[var] |= NOTHING if order is None else sources(order)
                way = path if isinstance(members, Const) else path.perhaps()
                self.body(body, way.round(span, self.reader.faces[var], _compares_players(members, self.table)))
            case model.Repeat(until=until, body=body, otherwise=otherwise, span=span):
                self.body(body, path.perhaps().round(span, sources(until)))
                self.body(otherwise or (), path.perhaps())
            case model.RepeatTimes(times=times, body=body, span=span):
                way = path if isinstance(times, Const) else path.perhaps()
                self.body(body, way.round(span, sources(times)))
            case model.TakeTurns(var=var, start=start, among=among, until=until, body=body, span=span):
                self.bind(var, among)
                self.reader.members[var], self.changed[var] = among, written(body, self.table)
                self.reader.faces[var] |= sources(start)
                around = self.reader.faces[var] | sources(until)
                self.body(body, path.perhaps().round(span, around, _compares_players(among, self.table)))
            case model.Do(step=name, args=args):
                self.step(name, args, path)
            case model.NamedBlock(body=body):
                self.body(body, path)
            case model.Choose():
                self.choice(line, path)
            case model.Lay() | model.Include() | model.Announce() | model.Tell() | model.End():
                pass

    def turns_on_faces(self, condition: Expr) -> bool:
        """Whether a condition compares faces alone: it holds in some games the first time that it is asked."""
        sources = self.reader.sources(condition)
        if not isinstance(condition, model.Compare | model.IsIn) or not sources:
            return False
        parts = (model.VariableValue, model.Count, model.Some, model.Apply)
        return all(source.name in self.table.zones for source in sources) and not any(
            isinstance(part, parts) for part in walk(condition)
        )

    def step(self, name: str, args: tuple[Expr, ...], path: Path) -> None:
        known = tuple(self.reader.sources(arg) for arg in args)
        key = (name, args, known, path, frozenset(self.moving.shown))
        if key in self.done:
            return
        self.done.add(key)
        step = self.table.steps[name]
        values: Mapping[Var, Expr] = dict(zip(step.parameters, args, strict=True))
        self.body(tuple(substituted(line, values) for line in step.body), path)

    def bind(self, var: Var, value: Expr) -> None:
        """A name for a value, or for the members of a set."""
        self.reader.faces[var] = self.reader.sources(value)
        self.places[var] = self.origin(value)

    def move(self, what: Expr, to: model.Spot, moved: Var | None) -> None:
        if isinstance(what, Const) and to.zone in self.table.zones:
            self.gathered.setdefault(to.zone, what.span)
        start = self.origin(what)
        whole = isinstance(what, model.ZoneContent) or (isinstance(what, model.VarValue) and what.type.is_set)
        for place in start:
            by_chance = isinstance(what, model.RandomOf)
            self.moving.ways.append(Way(place.name, place.owner, to.zone, to.owner, by_chance, not whole))
        names = [moved] if moved is not None else []
        if isinstance(what, model.VarValue):
            names.append(what.var)
        faces = self.reader.sources(what)
        for name in names:
            self.arrives(name, faces, to)

    def arrives(self, name: Var, before: Sources, to: model.Spot) -> None:
        """Who sees what has moved: those who see where it came from, and those who see where it is."""
        now = frozenset({Source(to.zone, to.owner, False, to.span)})
        self.places[name] = now
        if self.seen_by_all(before) or to.zone == BOX or self.moving.visibility(to.zone) == "open":
            self.reader.faces[name] = NOTHING
        else:
            seen = {self.moving.visibility(source.name) for source in before}
            self.reader.faces[name] = before if self.moving.visibility(to.zone) == "hidden" and "private" in seen else now

    def seen_by_all(self, sources: Sources) -> bool:
        return all(self.moving.visibility(s.name) == "open" for s in sources if s.name in self.table.zones)

    def origin(self, node: Expr) -> Sources:
        """The places in which a component, or the members of a set, lie, as far as the rules say."""
        match node:
            case model.VarValue(var=var):
                return self.places.get(var, NOTHING)
            case model.ZoneContent(zone=zone, owner=owner, every=every):
                return frozenset({Source(zone, owner, every, node.span)})
            case model.Filter(of=of) | model.Best(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of) | model.Without(left=of):
                return self.origin(of)
            case model.Join(left=left, right=right):
                return self.origin(left) | self.origin(right)
            case model.SetOf(members=members):
                return NOTHING.union(*(self.origin(member) for member in members))
            case model.Apply(define=name, args=args):
                word = self.table.defines[name]
                return self.origin(substituted(word.value, dict(zip(word.parameters, args, strict=True))))
            case _:
                return NOTHING

    # ---- Doubts

    def choice(self, line: model.Choose, path: Path) -> None:
        sources, who = self.reader.sources, line.player
        name = named(who)
        self.doubt("whether", path.around, None, line.span, f"whether `{name}` chooses here depends on it", path)
        self.doubt("who", sources(who), None, line.span, "who chooses here depends on it", path)
        chosen = evolve(path, around=NOTHING)  # that there was something to choose tells it already
        for option in line.options:
            for argument in option.arguments:
                ends = argument.source if isinstance(argument.source, tuple) else (argument.source,)
                for end in ends:
                    if end is not None:
                        said = f"what `{name}` can choose here depends on it"
                        self.doubt("what can be chosen", sources(end), who, end.span, said, path)
                        self.places[argument.var] = self.origin(end)
                self.reader.faces[argument.var] = NOTHING  # who has chosen it knows it
            for condition in option.conditions:
                said = f"whether `{name}` can `{option.verb}` depends on it"
                asked = evolve(path, guarded=path.guarded or _compares_players(condition.test, self.table))
                self.doubt("what can be chosen", sources(condition.test), who, condition.span, said, asked)
                self.doubt("a text", sources(condition.reason), who, condition.reason.span, f"this tells it `{name}`", asked)
            self.body(option.body, chosen.perhaps() if option.arguments or option.conditions else chosen)
        self.body(line.impossible or (), chosen.perhaps())

    def doubt(self, asks: Asks, sources: Sources, who: Expr | None, span: Span, what: str, path: Path) -> None:
        for source in sources:
            shown = source.name in self.moving.shown
            self.doubts.append(Doubt(asks, source, who, span, what, path, len(self.moving.ways), shown))

    def can_be_shown(self, doubt: Doubt) -> bool:
        """Whether the source may have been revealed before it is asked for the first time: earlier, or in an earlier round."""
        name, match = doubt.source.name, self.table.match
        if doubt.shown or name not in self.moving.shown:
            return doubt.shown
        if self.moving.shown[name] & doubt.path.waits or (match is not None and name in match.kept):
            return True
        return not doubt.path.certain and any(again.shown for again in self.doubts if again == doubt)


def named(who: Expr | None) -> str:
    """What the rules call a player (None: no one player)."""
    if who is None:
        return "everybody"
    return who.var.name if isinstance(who, model.VarValue) else who.span.text


def _compares_players(node: model.Node, table: Table) -> bool:
    """Whether a condition asks which player somebody is."""
    for part in walk(node):
        match part:
            case model.Compare(left=left) if left.type.base == "player" and not _is_none(part):
                return True
            case model.IsIn(member=member) if member.type.base == "player":
                return True
            case model.Apply(define=name) if _compares_players(table.defines[name].value, table):
                return True
            case _:
                pass
    return False


def _is_none(compare: model.Compare) -> bool:
    return any(isinstance(side, Const) and side.type != PLAYER for side in (compare.left, compare.right))
