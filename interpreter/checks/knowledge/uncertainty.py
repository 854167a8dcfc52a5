"""Collects the places where the rules depend on faces, counters or markers, and who would have to know them.

The walk covers everything that is done at a table, from the setup on: steps as they are done, with their arguments put in. Each
place that depends on a source is a doubt; `knowledge` decides whether it is a fault, when all moves are known. An act that
everybody sees does no harm until somebody chooses by it. So doubts of that kind stand in the course of the game, among the events
that show their source and the choices; `course` says what comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from attrs import define, evolve, field

from ...common.source import Span
from ...model import model
from ...model.effects import Movement, Setting, Simple, effect_of
from ...model.model import BOX, PLAYER, Const, Expr, Var
from ...model.visitor import substituted, walk, walk_statements
from ...table.table import Table
from ..dataflow.effects import written
from ..dataflow.sources import NOTHING, Contents, Reader, Source, Sources
from .invited import Invited, may_be_declined
from .moving import Moving, Way
from .paths import Asks, Branches, Chosen, Course, Event, Gone, Path, Rounds, Seen, Shown, Uncertainty, first_choices, seen_in
from .tried import tried

_Names = set[str]  # under a name of its own, because `Walker` has a method `set`


@define(eq=False)
class Walker:
    """Goes through what is done in a table, from the setup on, and notes each doubt.

    ``course``: of the body that is gone through, as far as it has come.
    """

    table: Table
    doubts: list[Uncertainty] = field(factory=list)
    course: list[Event] = field(factory=list)
    moving: Moving = field(init=False)
    reader: Reader = field(init=False)
    contents: Contents = field(init=False)
    invited: Invited = field(init=False)
    places: dict[Var, Sources] = field(factory=dict)  # where the component that a name stands for may come from
    draws: dict[str, Span] = field(factory=dict)  # a draw from each pile
    gathered: dict[str, Span] = field(factory=dict)  # where components that are named, or all of a kind, go to each zone
    held: dict[str, Span] = field(factory=dict)  # where some are removed from each pile
    changed: dict[Var, _Names] = field(factory=dict)  # what may be set while a name goes through a set of players
    emptied: Sources = NOTHING  # hidden zones of which all has gone, and to which nothing has come since
    done: dict[tuple[object, ...], tuple[Course, Sources]] = field(factory=dict)  # steps, and what they leave empty

    def __attrs_post_init__(self) -> None:
        self.moving, self.reader = Moving(self.table), Reader(self.table)
        self.contents = Contents(self.table, self.reader.faces, self.reader.members)
        self.invited = Invited(self.table, self.reader)

    def body(self, body: model.Body, path: Path) -> Course:
        before = self.course
        self.course = []
        for line in body:
            self.line(line, path)
            if any(isinstance(part, model.End) for part in walk_statements(line)):
                path = path.perhaps()
        course, self.course = tuple(self.course), before
        return course

    def ways(self, *bodies: tuple[model.Body, Path]) -> tuple[Course, ...]:
        """Bodies of which one is done."""
        before = self.emptied
        courses: list[tuple[Event, ...]] = []
        emptied: list[frozenset[Source]] = []
        for body, path in bodies:
            self.emptied = before
            courses.append(self.body(body, path))
            emptied.append(self.emptied)
        self.emptied = before.union(*emptied).intersection(*emptied)
        return tuple(courses)

    def line(self, line: model.Statement, path: Path) -> None:
        if isinstance(line, Simple):
            self.simple(line, path)
            return
        sources = self.reader.sources
        match line:
            case model.If(condition=condition, then=then, otherwise=otherwise):
                compared = path.guarded or _compares_players(condition, self.table)
                decide = self.deciding(self.hidden(sources(condition)), path)
                inside = evolve(path, around=path.around | sources(condition), guarded=compared)
                if not self.turns_on_faces(condition):
                    inside = inside.perhaps()
                ways = self.ways((then, inside), (otherwise, inside))
                self.course += [*self.told(decide, *ways), Branches(ways)]
                if not (then and otherwise):
                    private = dict.fromkeys(self.invited.private(sources(condition)), condition.span)
                    self.asks(private, ways[0] if then else ways[1], path, may_be_declined)
            case model.ForEach(var=var, members=members, order=order, body=body, span=span):
                self.bind(var, members)
                self.reader.members[var], self.changed[var] = members, written(body, self.table)
                ordered = NOTHING if order is None else sources(order)
                if var.type.base == "player":
                    ordered = self.without_private(ordered)
                self.reader.faces[var] |= ordered
                decide = self.deciding(self.hidden(self.reader.amount(members) | ordered), path)
                way = path if isinstance(members, Const) else path.perhaps()
                round = self.body(body, way.round(span, self.reader.faces[var], _compares_players(members, self.table)))
                self.course += [*self.told(decide, round), Rounds(round)]
                self.asks(self.invited.by(members), round, path, self.invited.tells)
            case model.Repeat(until=until, body=body, otherwise=otherwise, span=span):
                decide = self.deciding(self.hidden(sources(until)), path)
                round, _ = self.ways((body, path.perhaps().round(span, sources(until))), ((), path))
                self.rounds(decide, round)
                self.course.append(Branches(self.ways((otherwise or (), path.perhaps()), ((), path))))
            case model.RepeatTimes(times=times, body=body, span=span):
                decide = self.deciding(self.read(path, times), path)
                way = path if isinstance(times, Const) else path.perhaps()
                round = self.body(body, way.round(span, sources(times)))
                self.course += [*self.told(decide, round), Rounds(round)]
            case model.TakeTurns(var=var, start=start, among=among, until=until, body=body, span=span):
                self.bind(var, among)
                self.reader.members[var], self.changed[var] = among, written(body, self.table)
                self.reader.faces[var] |= self.named_by(start)
                around = self.reader.faces[var] | sources(until)
                decide = self.deciding(self.hidden(sources(until)), path)
                way = path.perhaps().round(span, around, _compares_players(among, self.table))
                round, _ = self.ways((body, way), ((), path))
                self.asks(self.invited.by(among), round, path, self.invited.tells)
                self.rounds(decide, round)
            case model.Do(step=name, args=args):
                self.course.append(Branches((self.step(name, args, path),)))
            case model.NamedBlock(body=body):
                self.course += self.body(body, path)
            case model.Choose():
                self.choice(line, path)
            case _:
                assert_never(line)

    def simple(self, line: Simple, path: Path) -> None:
        effect = effect_of(line)
        for var, value in effect.names:
            self.bind(var, value)
        for var, of in effect.gathers:
            self.places[var] = self.origin(of)
        for move in effect.moves:
            self.move(move, line.span, path)
        self.moving.mixed.update(pile.zone for pile in effect.mixes)
        for what in effect.shows:
            for place in self.origin(what) if what.type.base == "component" else self.reader.sources(what):
                if isinstance(line, model.Reveal) and _is_for_others(line, place):
                    self.moving.shown_to_others.add(place.name)
                    continue
                self.moving.shown[place.name] = self.moving.shown.get(place.name, frozenset()) | path.loops
                self.course.append(Shown(place.name))
        for setting in effect.sets:
            self.set(setting, line.span, path)

    def set(self, setting: Setting, span: Span, path: Path) -> None:
        name, owner = setting.name, setting.owner
        if name in self.table.variables and self.table.variables[name].visibility == "open":
            said = f"`{name}` is open, and what it is set to depends on it"
            whose = owner if owner is not None and owner.type == PLAYER else None
            self.course += self.doubt("a value", self.read(path, setting.value, whose), None, span, said, path)
            self.course.append(Seen(span, f"`{name}` is open, and whether it is set depends on it"))

    def turns_on_faces(self, condition: Expr) -> bool:
        """Whether a condition compares faces alone: it holds in some games the first time that it is asked."""
        sources = self.reader.sources(condition)
        if not isinstance(condition, model.Compare | model.IsIn) or not sources:
            return False
        parts = (model.VariableValue, model.Count, model.Some, model.Apply)
        return all(source.name in self.table.zones for source in sources) and not any(
            isinstance(part, parts) for part in walk(condition)
        )

    def step(self, name: str, args: tuple[Expr, ...], path: Path) -> Course:
        known = tuple(self.reader.sources(arg) for arg in args)
        key = (name, args, known, path, frozenset(self.moving.shown), self.emptied)
        if key not in self.done:
            self.done[key] = (), self.emptied
            step = self.table.steps[name]
            values: Mapping[Var, Expr] = dict(zip(step.parameters, args, strict=True))
            course = self.body(tuple(substituted(line, values) for line in step.body), path)
            self.done[key] = course, self.emptied
        course, self.emptied = self.done[key]
        return course

    def bind(self, var: Var, value: Expr) -> None:
        """A name for a value, or for the members of a set."""
        self.reader.faces[var] = self.named_by(value)
        self.places[var] = self.origin(value)
        if value.type == PLAYER.set:
            self.invited.named[var] = self.invited.by(value)

    def named_by(self, value: Expr) -> Sources:
        """On what it depends what a name stands for."""
        found = self.reader.sources(value)
        return self.without_private(found) if value.type.base == "player" else found

    def without_private(self, sources: Sources) -> Sources:
        """The sources that decide which player is meant, without private ones: that player ("who holds most") may say so."""
        variables = self.table.variables
        counters = {source for source in sources if source.name in variables and variables[source.name].visibility == "private"}
        return sources - self.unseen(sources, "private") - counters

    def move(self, move: Movement, span: Span, path: Path) -> None:
        source, to = move.source, move.to
        if source is not None:
            (self.draws if move.place else self.held).setdefault(source.zone, span)
            if not move.place:
                self.moving.unseen.add(source.zone)
        self.moves(span, path, move.count, None if to is None else to.owner)
        if move.what is None:
            if source is not None and to is not None:
                self.goes(Way(source.zone, source.owner, to.zone, to.owner, True, True))
                if move.moved is not None:
                    self.arrives(move.moved, frozenset({Source(source.zone, source.owner, False, source.span)}), to)
        elif to is not None:
            self.put(move.what, to, move.moved)
        else:
            self.course += [Shown(place.name) for place in self.origin(move.what)]

    def put(self, what: Expr, to: model.Spot, moved: Var | None) -> None:
        """Components that are named go into a zone."""
        if isinstance(what, Const) and to.zone in self.table.zones:
            self.gathered.setdefault(to.zone, what.span)
        start = self.origin(what)
        whole = isinstance(what, model.ZoneContent) or (isinstance(what, model.VarValue) and what.type.is_set)
        for place in start:
            by_chance = isinstance(what, model.RandomOf)
            self.goes(Way(place.name, place.owner, to.zone, to.owner, by_chance, not whole))
            if isinstance(what, model.ZoneContent) and self.moving.visibility(place.name) == "hidden":
                self.emptied |= {place}
        if whole:
            self.course += [Gone(place.name) for place in start]
        elif what.type.is_set and not start:  # of all that there are, wherever they lie
            self.course += [Gone(zone.name) for zone in self.table.zones.values() if zone.kind == what.type.kind]
        names = [moved] if moved is not None else []
        if isinstance(what, model.VarValue):
            names.append(what.var)
        faces = self.reader.sources(what)
        for name in names:
            self.arrives(name, faces, to)

    def goes(self, way: Way) -> None:
        self.moving.ways.append(way)
        self.emptied = frozenset(place for place in self.emptied if place.name != way.end)
        if self.moving.visibility(way.end) == "open":
            self.course.append(Shown(way.start))

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

    def origin(self, node: model.Typed) -> Sources:
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
        chosen = evolve(path, around=NOTHING, chosen=True)  # that there was something to choose tells it already
        ways = []
        for option in line.options:
            for argument in option.arguments:
                ends = argument.source if isinstance(argument.source, tuple) else (argument.source,)
                for end in ends:
                    if end is not None:
                        said = f"what `{name}` can choose here depends on it"
                        self.doubt("what can be chosen", sources(end) - sources(who), who, end.span, said, path)
                        self.places[argument.var] = self.origin(end)
                self.reader.faces[argument.var] = NOTHING  # who has chosen it knows it
            for condition in option.conditions:
                said = f"whether `{name}` can `{option.verb}` depends on it"
                asked = evolve(path, guarded=path.guarded or _compares_players(condition.test, self.table))
                asks = sources(condition.test) | tried(option, condition.test, self.reader, self.table)
                self.doubt("what can be chosen", asks, who, condition.span, said, asked)
                self.doubt("a text", sources(condition.reason), who, condition.reason.span, f"this tells it `{name}`", asked)
            ways.append((option.body, chosen.perhaps() if option.arguments or option.conditions else chosen))
        ways.append((line.impossible or (), evolve(chosen.perhaps(), chosen=path.chosen)))
        self.course.append(Chosen(self.ways(*ways), line))

    def doubt(self, asks: Asks, sources: Sources, who: Expr | None, span: Span, what: str, path: Path) -> list[Uncertainty]:
        ways = len(self.moving.ways)
        found = [Uncertainty(asks, source, who, span, what, path, ways, self.is_shown(source)) for source in sources]
        self.doubts += found
        return found

    def is_shown(self, source: Source) -> bool:
        """Whether all have seen what lies there, or nothing does."""
        return source.name in self.moving.shown or source in self.emptied

    # ---- Who is asked

    def asks(
        self, private: Mapping[Source, Span], course: Course, path: Path, tells: Callable[[model.Choose, Source], bool]
    ) -> None:
        """Doubts where all see by who is asked to choose what is ``private``, and where that is read.

        ``course``: what is done where it is so. ``tells``: whether it is the asking that tells it, and not what is chosen.
        """
        for source, span in sorted(private.items(), key=lambda item: (item[1].start, item[0].span.start)):
            choice = next((line for line in first_choices(course, source.name)[0] if tells(line, source)), None)
            if choice is not None:
                places = {span: "this decides who is asked"}
                if not (span.source == source.span.source and span.start <= source.span.start < span.end):
                    places[source.span] = "here it is read"
                places[choice.span] = f"all see whether `{named(choice.player)}` is asked here"
                for place, said in places.items():
                    self.course += self.doubt("who is asked", frozenset({source}), None, place, said, path)

    # ---- What all can see

    def moves(self, span: Span, path: Path, *settle: Expr | None) -> None:
        """Components move; how many lie somewhere is known to all. ``settle``: how many move, and to whom."""
        said = "all see how many go, and to whom, and that depends on it"
        self.course += self.doubt("a value", self.read(path, *settle), None, span, said, path)
        self.course.append(Seen(span, "all see whether this is done, and that depends on it"))

    def read(self, path: Path, *values: Expr | None) -> Sources:
        """What is read off values that all see: anything that nobody sees, and numbers and words that only some players see.

        What a player has chosen to tell is not told by the rules.
        """
        found = NOTHING
        for value in filter(None, values):
            sources = self.reader.sources(value)
            found |= self.hidden(sources)
            if self.unseen(sources, "private") and not path.chosen and self.table.players > 1:
                found |= self.unseen(self.contents.sources(value), "private")
        return found

    def hidden(self, sources: Sources) -> Sources:
        """The zones among sources that nobody sees."""
        return self.unseen(sources, "hidden")

    def unseen(self, sources: Sources, visibility: model.Visibility) -> Sources:
        return frozenset(source for source in sources if self.moving.visibility(source.name) == visibility)

    def deciding(self, unseen: Sources, path: Path) -> list[Uncertainty]:
        """Doubts of what decides whether something is done, as it is known now; they do not say yet what is done."""
        ways = len(self.moving.ways)
        return [Uncertainty("whether it is done", each, None, each.span, "", path, ways, self.is_shown(each)) for each in unseen]

    def told(self, deciding: list[Uncertainty], *ways: Course) -> list[Uncertainty]:
        """Note the doubts of `deciding` for each visible act in these courses: everybody sees which of them is followed."""
        if not deciding:
            return []
        found = [evolve(doubt, span=seen.span, what=seen.what) for seen in seen_in(ways) for doubt in deciding]
        self.doubts += found
        return found

    def rounds(self, deciding: list[Uncertainty], body: Course) -> None:
        """A loop whose end is decided before each round and once more."""
        told = self.told(deciding, body)
        self.course += [Rounds((*told, *body)), *told]

    def can_be_shown(self, doubt: Uncertainty) -> bool:
        """Whether the source may have been revealed before it is asked for the first time: earlier, or in an earlier round."""
        name, match = doubt.source.name, self.table.match
        if doubt.shown or name not in self.moving.shown:
            return doubt.shown
        if self.moving.shown[name] & doubt.path.waits or (match is not None and name in match.kept):
            return True
        return not doubt.path.certain and any(again.shown for again in self.doubts if again == doubt)


def _is_for_others(line: model.Reveal, place: Source) -> bool:
    """Whether what a player has is shown to others, and never to that player."""
    return isinstance(line.to, model.Opponents | model.SeatsAway) and line.to.of == place.player


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
