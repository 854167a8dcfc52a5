"""The first chapters of a rulebook: who can play, what is in the box, what lies where and who sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from ....model import model as m
from ....model.visitor import walk
from ..telling.book import Block, Chapter, Grid, Item, Picture, Section
from ..telling.numbers import Tables
from ..telling.statements import Statements
from .tokens import paid_around

_FEW = 4  # different numbers of components that are said in a sentence


@frozen(eq=False)
class Opening:
    """Makes the chapters before the setup. ``declarations``: of the tables that the book is about."""

    teller: Statements
    tables: Tables
    declarations: tuple[m.Declaration, ...]

    def of(self, kind: type[m.Declaration]) -> Iterator[m.Declaration]:
        return (each for each in self.declarations if isinstance(each, kind))

    def players(self, whole: m.Model) -> Chapter:
        teller = self.teller
        counts = self.tables.counts
        if len(counts) == 1:
            said = teller.words.phrase_for(counts[0], "The game is for {number} player.", "The game is for {number} players.")
        elif list(counts) == list(range(counts[0], counts[-1] + 1)):
            said = teller.phrase("The game is for {low} to {high} players.", low=counts[0], high=counts[-1])
        else:
            said = teller.phrase("The game is for {numbers} players.", numbers=teller.listed([str(c) for c in counts], "or"))
        blocks: list[Block] = [Item(said, whole.players_span)]
        for each in self.declarations:
            if isinstance(each, m.Teams):
                blocks.append(self._teams(each))
            elif isinstance(each, m.Match):
                blocks += self._match(each)
        return Chapter("players", teller.phrase("Players"), (Section("", tuple(blocks)),))

    def _teams(self, node: m.Teams) -> Item:
        said = self.teller.phrase(
            "You play in teams of {number}. Partners do not sit side by side: seat by seat, the teams take turns. "
            "The score of a team is the sum of its partners’ scores.",
            number=node.size,
        )
        return Item(said, node.span, told=(node,))

    def _match(self, node: m.Match) -> Iterator[Item]:
        teller = self.teller
        number = teller.thing(node.games)
        noun = teller.phrase("games") if node.noun == "game" else teller.words.names("round", node.noun, 2)
        if node.until is None:
            said = teller.phrase(
                "You play {number} {things} one after the other. The scores are added up.",
                things=noun,
                number=number,
            )
        else:
            said = teller.phrase(
                "You play several times one after the other ({things}), until this is so: {condition}; at most {number} games.",
                things=noun,
                condition=teller.condition(node.until),
                number=number,
            )
        kept = [teller.the(teller.words.name("zone" if name in teller.facts.zones else "value", name)) for name in node.kept]
        below = (
            [Item(teller.phrase("This does not begin anew: {things}.", things=teller.listed(kept)), node.span)] if kept else []
        )
        yield Item(said, node.span, tuple(below), told=(node,))

    # ---- Components

    def components(self) -> Chapter:
        teller = self.teller
        blocks: list[Block] = []
        for kind in self.of(m.Kind):
            assert isinstance(kind, m.Kind)
            blocks += [self._kind(kind), Picture(kind.name, (), teller.words.names("kind", kind.name, 2))]
        differing = self._counts()
        if differing is not None:
            blocks.append(differing)
        blocks += self._tokens()
        places = [item for each in self.declarations if (item := self._place(each)) is not None]
        if any(map(_goes_to_the_box, walk(self.declarations))):
            box = teller.strong(teller.phrase("The box"))
            places.append(Item(teller.phrase("{place}: what goes back into it is out of the game.", place=box)))
        sections = [Section("", tuple(blocks))]
        if places:
            sections.append(Section(teller.phrase("What lies where"), tuple(places)))
        kept = [
            self._variable(each)
            for each in self.declarations
            if isinstance(each, m.Variable) and each.is_written and each.form in ("counter", "marker")
        ]
        if kept:
            sections.append(Section(teller.phrase("What you keep track of"), tuple(kept)))
        return Chapter("components", teller.phrase("Components"), tuple(sections))

    def _bits(self, name: str) -> dict[int, int]:
        """How many components of a kind there are, for each number of players."""
        found = {}
        for count, made in self.tables.found.items():
            assert made.table is not None
            kind = made.table.kind(name)
            found[count] = 0 if kind is None else kind.bits
        return found

    def _kind(self, kind: m.Kind) -> Item:
        teller, words = self.teller, self.teller.words
        bits = self._bits(kind.name)
        several = words.names("kind", kind.name, 2)
        if kind.owned and kind.each is not None:
            each = {count: number // count for count, number in bits.items()}
            said = teller.phrase("{name}: {values}", name=teller.strong(teller.sentence(several)), values=self._each(each))
        elif len(set(bits.values())) == 1:
            number = next(iter(bits.values()))
            said = teller.strong(teller.phrase("{number} {things}", number=number, things=words.names("kind", kind.name, number)))
        elif len(set(bits.values())) <= _FEW:
            said = teller.phrase("{name}: {values}", name=teller.strong(teller.sentence(several)), values=self._total(bits))
        else:
            said = teller.phrase("{things}, as many as the table below says", things=teller.strong(teller.sentence(several)))
        form = self._form(kind)
        said = teller.phrase("{things} ({form})", things=said, form=form) if form else said
        said = teller.phrase("{sentence}.", sentence=said)
        below = [self._attribute(each, kind) for each in self._printed(kind)]
        if kind.each is not None and not kind.owned and kind.attributes:
            below.append(
                Item(teller.phrase("Each combination is there {number} ×.", number=teller.thing(kind.each)), kind.each.span)
            )
        for other in kind.other_copies:
            count = teller.thing(other.count)
            below.append(
                Item(
                    teller.phrase(
                        "Those for which this holds are there {number} ×: {condition}.",
                        number=count,
                        condition=teller.condition(other.condition),
                    ),
                    other.span,
                )
            )
        for left in kind.left_out:
            below.append(Item(self._left(left), left.span))
        return Item(said, kind.span, tuple(below), told=(kind,))

    def _each(self, numbers: Mapping[int, int]) -> str:
        """``2 for each player with 2 players and 1 for each player with 3 or 4 players``."""
        teller = self.teller
        if len(set(numbers.values())) == 1:
            return teller.phrase("{number} for each player", number=next(iter(numbers.values())))
        return teller.listed(
            [
                teller.phrase("{number} for each player with {counts} players", number=number, counts=counts)
                for number, counts in self._grouped(numbers)
            ]
        )

    def _total(self, numbers: Mapping[int, int]) -> str:
        """``12 with 3 players, 8 with 4 players and 20 with 5 or 6 players``."""
        teller = self.teller
        if len(set(numbers.values())) == 1:
            return str(next(iter(numbers.values())))
        return teller.listed(
            [
                teller.phrase("{number} with {count} players", number=number, count=counts)
                for number, counts in self._grouped(numbers)
            ]
        )

    def _grouped(self, numbers: Mapping[int, int]) -> list[tuple[int, str]]:
        """Each value with the numbers of players for which it holds: ``3 or 4``."""
        values = dict.fromkeys(numbers.values())
        return [
            (value, self.teller.listed([str(count) for count, found in numbers.items() if found == value], "or"))
            for value in values
        ]

    def _tokens(self) -> list[Item]:
        """What is counted: in tokens where counters pay one another, else in any way."""
        teller = self.teller
        counters = [
            each for each in self.of(m.Variable) if isinstance(each, m.Variable) and each.form == "counter" and each.is_written
        ]
        paid, number = paid_around(teller, self.declarations, self.tables)
        tokens = teller.strong(teller.phrase("Tokens"))
        told = []
        if paid:
            names = teller.listed([teller.words.name("value", each.name) for each in counters if each.name in paid])
            told.append(teller.phrase("{name} ({things}): {values}.", name=tokens, things=names, values=self._total(number)))
        if any(each.name not in paid for each in counters):
            names = teller.listed([teller.words.name("value", each.name) for each in counters if each.name not in paid])
            told.append(teller.phrase("{name}, or paper and pencil, to count: {things}.", name=tokens, things=names))
        return [Item(each) for each in told]

    def _left(self, left: m.LeftOut) -> str:
        teller = self.teller
        name, value = teller.words.name("attribute", left.column), teller.thing(left.value)
        match left.op:
            case ">":
                return teller.phrase("Leave out those with {attribute} of more than {value}.", attribute=name, value=value)
            case ">=":
                return teller.phrase("Leave out those with {attribute} of at least {value}.", attribute=name, value=value)
            case "<":
                return teller.phrase("Leave out those with {attribute} of less than {value}.", attribute=name, value=value)
            case "<=":
                return teller.phrase("Leave out those with {attribute} of at most {value}.", attribute=name, value=value)
            case "!=":
                return teller.phrase("Leave out all but those with {attribute} {value}.", attribute=name, value=value)
            case _:
                return teller.phrase("Leave out those with {attribute} {value}.", attribute=name, value=value)

    def _form(self, kind: m.Kind) -> str:
        """What components of a kind are, where their name does not say it; pieces need no word."""
        teller = self.teller
        if kind.form == "tiles" and len(kind.parts) > 1:
            return teller.phrase("tiles of {number} squares", number=len(kind.parts))
        if kind.name == kind.form.removesuffix("s") or kind.form not in ("cards", "tiles"):
            return ""
        return teller.phrase("cards") if kind.form == "cards" else teller.phrase("tiles")

    @staticmethod
    def _printed(kind: m.Kind) -> list[m.Attribute]:
        """The attributes, those of parts and words once each."""
        parts = {f"{each.name}_{part.name}" for each in kind.part_attributes for part in kind.parts}
        keyed = {each.name for each in kind.attributes for short in kind.keyed if each.name.startswith(f"{short.name}_")}
        own = [each for each in kind.attributes if each.name not in parts | keyed and each.name != "owner"]
        return [*own, *kind.part_attributes, *kind.keyed]

    def _attribute(self, each: m.Attribute, kind: m.Kind) -> Item:
        teller = self.teller
        name = teller.words.name("attribute", each.name)
        said = teller.phrase("{name}: {values}", name=teller.sentence(name), values=self.domain(each.domain))
        if each in kind.part_attributes and len(kind.parts) > 1:
            said = teller.phrase("{attribute}, on each square", attribute=said)
        elif each.key:
            said = teller.phrase("{attribute}, for each {thing}", attribute=said, thing=teller.words.name("list", each.key))
        return Item(teller.phrase("{sentence}.", sentence=said), each.span)

    def domain(self, domain: m.Domain) -> str:
        teller = self.teller
        if domain.low is None or domain.high is None:
            said = self._values(domain.type)
        elif domain.values:
            said = teller.listed([str(value) for value in domain.values], "or")
        else:
            said = teller.phrase("{low} to {high}", low=teller.thing(domain.low), high=teller.thing(domain.high))
        return teller.phrase("{values}, or none", values=said) if domain.type.optional else said

    def _values(self, type: m.Type) -> str:
        teller = self.teller
        words = teller.facts.lists.get(type.of, ())
        if type.base == "word" and words and len(words) <= 12:
            return teller.listed([teller.words.name("word", word) for word in words], "or")
        return teller.a(teller.noun(type)) if type.base != "truth" else teller.noun(type)

    def _counts(self) -> Grid | None:
        """How many components there are of kinds of which there are very different numbers."""
        teller = self.teller
        kinds = [
            each
            for each in self.declarations
            if isinstance(each, m.Kind) and not each.owned and len(set(self._bits(each.name).values())) > _FEW
        ]
        if not kinds:
            return None
        head = (teller.phrase("Players"), *(teller.words.names("kind", each.name, 2) for each in kinds))
        columns = [self._bits(each.name) for each in kinds]
        rows = tuple((str(count), *(str(column[count]) for column in columns)) for count in self.tables.counts)
        return Grid(head, rows, teller.phrase("How many there are"), kinds[0].span)

    # ---- Places, counters and markers

    def _place(self, each: m.Declaration) -> Item | None:
        teller, words = self.teller, self.teller.words
        match each:
            case m.Zone():
                things = teller.kind(each.kinds, 1 if each.shape == "slot" else 2)
                whose = self._whose(teller.sentence(words.name("zone", each.name)), each.parameters)
                sight = self._sight(each.visibility)
                if each.shape == "pile":
                    said = teller.phrase("{place}: a pile of {things}, {sight}.", place=whose, things=things, sight=sight)
                elif each.shape == "slot":
                    said = teller.phrase("{place}: room for one {thing}, {sight}.", place=whose, thing=things, sight=sight)
                else:
                    said = teller.phrase("{place}: {things}, {sight}.", place=whose, things=things, sight=sight)
                return Item(said, each.span, told=(each,))
            case m.Grid():
                return self._grid(each)
            case _:
                return None

    def _grid(self, each: m.Grid) -> Item:
        teller = self.teller
        whose = self._whose(teller.sentence(teller.words.name("grid", each.name)), m.PLAYERS if each.owned else ())
        things = teller.kind(each.kinds, 2)
        if each.board is not None:
            number = len(each.board.names)
            said = teller.phrase("{place}: a board for {things}, of {number} points.", place=whose, things=things, number=number)
            names, drawn = each.board.names, () if each.board.places else each.board.lines()
            lines = [teller.listed([names[point] for point in line]) for line in drawn]
            below = tuple(Item(teller.phrase("In a line: {points}.", points=line), each.span) for line in lines)
            return Item(said, each.span, below, told=(each,))
        places = {"place": whose, "things": things, "width": teller.thing(each.width), "height": teller.thing(each.height)}
        if each.hexagonal:
            said = teller.phrase("{place}: a board of hexagons for {things}, {width} wide and {height} high.", **places)
        elif any(len(kind.parts) > 1 for name in each.kinds if (kind := teller.facts.kinds.get(name)) is not None):
            said = teller.phrase(
                "{place}: {things}, laid on the table as on a board of squares, {width} wide and {height} high.", **places
            )
        else:
            said = teller.phrase("{place}: a board of squares for {things}, {width} wide and {height} high.", **places)
        return Item(said, each.span, told=(each,))

    def _whose(self, name: str, parameters: Iterable[m.Parameter]) -> str:
        teller = self.teller
        said = teller.strong(name)
        for parameter in parameters:
            if parameter.type.base == "player":
                said = teller.phrase("{place} (each player has one)", place=said)
            else:
                said = teller.phrase("{place} (one for each: {thing})", place=said, thing=teller.noun(parameter.type))
        return said

    def _sight(self, visibility: m.Visibility) -> str:
        match visibility:
            case "open":
                return self.teller.phrase("face up")
            case "private":
                return self.teller.phrase("seen only by the owner")
            case "hidden":
                return self.teller.phrase("face down")

    def _variable(self, each: m.Variable) -> Item:
        teller = self.teller
        said = teller.strong(teller.sentence(teller.words.name("value", each.name)))
        for parameter in each.parameters:
            said = teller.phrase("{attribute}, for each {thing}", attribute=said, thing=teller.noun(parameter.type))
        said = teller.phrase("{name}: {values}", name=said, values=self.domain(each.domain))
        if each.visibility == "private":
            said = teller.phrase("{sentence} (known only to the owner)", sentence=said)
        elif each.visibility == "hidden":
            said = teller.phrase("{sentence} (known to nobody)", sentence=said)
        return Item(teller.phrase("{sentence}.", sentence=said), each.span, told=(each,))


def _goes_to_the_box(node: m.Node) -> bool:
    return isinstance(node, m.HoldBack) or (isinstance(node, m.Move) and node.to.zone == m.BOX)
