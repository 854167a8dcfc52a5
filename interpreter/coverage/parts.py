"""The parts of some rules that games could reach.

They are those of the whole file and of every variant, whichever tables are played.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from ..common.source import Span
from ..model import model
from ..model.visitor import children, walk
from .kinds import Kind
from .reached import Place


@frozen
class Part:
    """A place of the rules. ``text``: what it is called. ``within``: what is around it. ``variant``: where it belongs to one.

    ``of``: of a row its table, of a value its option.
    """

    place: Place
    text: str
    within: Place | None = None
    variant: str = ""
    of: str = ""


def parts_of(game: model.Model) -> tuple[Part, ...]:
    """All parts of some rules, each once, in the order in which they are written."""
    found = _Finder(game)
    low, high = game.players
    for players in range(low, high + 1):
        found.add("players", game.players_span, f"{players} player{'s' if players != 1 else ''}", said=str(players))
    for declaration in game.declarations:
        found.declaration(declaration)
    for variant in game.variants:
        found.variant = variant.name
        found.add("variant", variant.span, variant.name)
        for each in (*variant.adds, *variant.replaces):
            found.declaration(each)
        for insertion in variant.insertions:
            found.body(insertion.body, None)
    beside = (part.place.span.source.path for part in found.parts.values())  # rows of tables in files of their own
    paths = list(dict.fromkeys((game.span.source.path, *(v.span.source.path for v in game.variants), *beside)))
    return tuple(sorted(found.parts.values(), key=lambda p: (paths.index(p.place.span.source.path), p.place.span.start)))


@define(eq=False)
class _Finder:
    """Goes through a model."""

    game: model.Model
    variant: str = ""
    parts: dict[Place, Part] = field(factory=dict)

    def add(self, kind: Kind, span: Span, text: str = "", within: Place | None = None, said: str = "", of: str = "") -> Place:
        place = Place(kind, span, said)
        self.parts.setdefault(place, Part(place, text or _first_line(span), within, self.variant, of))
        return place

    def declaration(self, node: model.Declaration | model.NamedBlock) -> None:
        match node:
            case model.Step(fitting=condition, body=body) if condition is not None:
                trigger = self.add("trigger", node.span)
                self.expression(condition, trigger)
                self.body(body, trigger)
            case model.Step(form=form, name=name, body=body):
                self.body(body, self.add("step", node.span, name if form == "setup" else f"{form} {name}"))
            case model.NamedBlock():
                self.body((node,), None)
            case model.Define(name=name, value=value):
                place = None if isinstance(value, model.PlaceOf) else self.add("define", node.span, name)
                self.expression(value, place)
            case model.TableDeclaration(name=name, rows=rows):
                for row in rows:
                    self.add("row", row.span, row.span.text if row.key is None else row.key.span.text, of=name)
            case model.Term(name=name, value=value, members=members, condition=condition):
                line = self.add("statement", node.span, name)
                self.add("score", node.span, name, line)
                for part in (value, members, condition):
                    if part is not None:
                        self.expression(part, line)
            case model.Winner():
                self.expression(node, None)
            case model.Match(winner=winner, until=until):
                for each in (winner, until):
                    if each is not None:
                        self.expression(each, None)
            case model.OptionDeclaration():
                for said in self.values(node):
                    self.add("value", node.span, said, said=said, of=node.name)
            case _:
                pass  # what is only declared is not reached

    def values(self, option: model.OptionDeclaration) -> Iterator[str]:
        """The values of an option that are looked at, in words: of numbers the smallest, the default and the largest, where they
        do not depend on anything."""
        domain = option.domain
        if domain.type.base == "truth":
            yield from ("no", "yes")
        elif domain.type.base == "word":
            yield from (*self.game.lists[domain.type.of], *(("none",) if domain.type.optional else ()))
        elif domain.values:
            yield from map(str, domain.values)
        elif isinstance(domain.low, model.Const) and isinstance(domain.high, model.Const):
            default = (option.default.value,) if isinstance(option.default, model.Const) else ()
            yield from map(str, sorted({domain.low.value, *default, domain.high.value}))

    def body(self, body: model.Body, within: Place | None) -> None:
        for statement in body:
            self.statement(statement, within)

    def statement(self, node: model.Statement, within: Place | None) -> None:
        match node:
            case model.NamedBlock(body=body):
                inside = self.add("step", node.span, f"step {node.name}", within) if node.is_written else within
                self.body(body, inside)
            case model.Choose(player=player, options=options, impossible=impossible):
                place = self.add("statement", node.span, within=within)
                self.expression(player, place)
                for option in options:
                    self.option(option, place)
                self.body(impossible or (), place)
            case _:
                place = self.add("statement", node.span, within=within)
                for part in children(node):
                    if isinstance(part, model.Statement):
                        self.statement(part, place)
                    else:
                        self.expression(part, place)

    def option(self, node: model.Option, within: Place) -> None:
        name = node.text or node.verb
        self.add("offered", node.span, name, within, node.verb)
        chosen = self.add("chosen", node.span, name, within, node.verb)
        limits = {limit.span for limit in node.limits}
        for condition in node.conditions:
            self.add("limit" if condition.span in limits else "reason", condition.span, within=within)
            self.expression(condition.test, within)
        for argument in node.arguments:
            if isinstance(argument.source, model.Typed):
                self.expression(argument.source, within)
        self.body(tuple(line for line in node.body if line.span not in limits), chosen)  # without what counts for a limit

    def expression(self, node: model.Node, within: Place | None) -> None:
        """The cases and keys in an expression, or in a part of a statement that holds some."""
        for part in walk(node):
            if isinstance(part, model.Cases):
                for span in cases_of(part):
                    line = span.source.line(span.line)
                    self.add("case", span, line.strip() if not line[: span.column - 1].strip() else "", within)
            elif isinstance(part, model.Key):
                self.add("tie", part.span, within=within)


def cases_of(node: model.Cases) -> tuple[Span, ...]:
    """The cases that are written one by one; empty where the rules say only ``X if A``, or where a construct made them."""
    spans = dict.fromkeys((*(value.span for _, value in node.cases), node.otherwise.span))
    inside = all(span != node.span and node.span.source == span.source for span in spans)
    return tuple(spans) if len(spans) == len(node.cases) + 1 and inside else ()


def _first_line(span: Span) -> str:
    return span.text.splitlines()[0].strip() if span.text else span.source.line(span.line).strip()
