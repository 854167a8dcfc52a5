"""Finds where each name of a game is declared and used.

Names are looked up in the tree, so this works while a file has faults. A name may not hide another (R205), so it means the same
wherever it stands inside its block: what a line around binds comes first, then what the file declares, then words of lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, Literal

from attrs import define, field, fields, frozen

from ..common.nouns import plural, singular
from ..common.source import Source, Span
from ..model.from_tree.declarations.components import csv_of
from ..syntax import tree
from ..syntax.lines.expressions import normal

Sort = Literal[
    "game", "option", "list", "kind", "attribute", "zone", "counter", "marker", "table", "column", "define", "phase", "step",
    "score term", "variant", "word", "point", "act", "player", "name",
]  # fmt: skip

_PIECE: Final = re.compile(r"[^\W\d]\w*")
_IN_BRACES: Final = re.compile(r"\{([^{}]*)\}")

_NOUNS: Final = frozenset({"player", "cell", "number", "card", "tile", "piece", "die"})  # which no rules need to declare

# Where the value of a field is looked up before all else.
_FIRST: Final[dict[tuple[type, str], tuple[Sort, ...]]] = {
    (tree.Do, "step"): ("step", "phase"),
    (tree.Start, "step"): ("step", "phase"),
    (tree.End, "name"): ("step", "phase"),
    (tree.Limit, "step"): ("step", "phase"),
    (tree.Insert, "step"): ("step", "phase"),
    (tree.Remove, "name"): ("score term",),
    (tree.Excludes, "name"): ("variant",),
    (tree.TestWith, "names"): ("variant",),
    (tree.Needs, "condition"): ("variant",),
    (tree.Act, "verb"): ("act",),
    (tree.With, "attribute"): ("attribute",),
    (tree.Total, "attribute"): ("attribute",),
    (tree.Extreme, "attribute"): ("attribute",),
}


@define(eq=False)
class Symbol:
    """A thing with a name. ``places``: where it is declared, the first one in ``line``. ``lists``: of a word, what it is a value
    of. Two words of the same spelling are one symbol."""

    sort: Sort
    name: str
    line: tree.Line
    places: list[Span] = field(factory=list)
    lists: list[str] = field(factory=list)


@frozen
class Occurrence:
    """A name in the text. ``form``: how it is written of what it means: as it is, as a plural, or as the beginning of the name
    of an attribute of a part (``terrain_a``)."""

    span: Span
    symbol: Symbol
    declares: bool = False
    form: Literal["", "plural", "part"] = ""


@frozen(eq=False)
class Names:
    """All names of a game with all files that it consists of. ``symbols``: all that are declared."""

    occurrences: tuple[Occurrence, ...]
    symbols: tuple[Symbol, ...]

    @cached_property
    def _by_path(self) -> Mapping[str, list[Occurrence]]:
        found: dict[str, list[Occurrence]] = {}
        for each in sorted(self.occurrences, key=lambda each: each.span.start):
            found.setdefault(each.span.source.path, []).append(each)
        return found

    def in_file(self, path: str) -> list[Occurrence]:
        """The names in one file, in its order."""
        return self._by_path.get(path, [])

    def at(self, path: str, offset: int) -> Occurrence | None:
        """The name at a place, or just before it."""
        touching = [each for each in self.in_file(path) if each.span.start <= offset <= each.span.end]
        return max(touching, key=lambda each: (each.span.start, each.span.start - each.span.end), default=None)

    def of(self, symbol: Symbol) -> list[Occurrence]:
        """All places of a symbol."""
        return [each for each in self.occurrences if each.symbol is symbol]


def names_of(whole: tree.Tree, beside: Iterable[Source] = ()) -> Names:
    """The names of a game. ``beside``: the other files that its files name, of which those with tables have names, too."""
    index = _Index()
    index.declare_all(whole)
    index.visit(whole, {}, ())
    for source in beside:
        if source.path.casefold().endswith(".csv"):
            index.visit_csv(source)
    once = {(each.span.source.path, each.span.start, each.span.end): each for each in index.found}
    return Names(tuple(once.values()), tuple(dict.fromkeys(index.symbols)))


_Locals = Mapping[str, Symbol]


class _Index:
    def __init__(self) -> None:
        self.found: list[Occurrence] = []
        self.symbols: list[Symbol] = []
        self._named: dict[tuple[Sort, str], Symbol] = {}
        self._by_name: dict[str, Symbol] = {}  # the first of those that an expression can name
        self._plurals: dict[str, Symbol] = {}
        self._parts: dict[str, Symbol] = {}  # attributes of parts, by their names with the part
        self._at: set[int] = set()  # ids of the `Name` nodes that declare

    # ---- Declaring

    def declare_all(self, whole: tree.Tree) -> None:
        self._declare("game", whole.game.name, whole.game)
        for line in (*whole.declarations, *whole.variants, *whole.tests):
            self._declarations(line)

    def _declare(self, sort: Sort, name: tree.Name, line: tree.Line) -> Symbol:
        symbol = self._named.get((sort, name.text))
        if symbol is None:
            symbol = Symbol(sort, name.text, line)
            self._named[sort, name.text] = symbol
            self.symbols.append(symbol)
            if sort not in ("word", "act", "variant", "score term", "game"):
                self._by_name.setdefault(name.text, symbol)
            if sort in ("kind", "list", "attribute"):
                self._plurals.setdefault(plural(name.text), symbol)
        if name.span.text and name.span not in symbol.places:
            symbol.places.append(name.span)
            self.found.append(Occurrence(name.span, symbol, declares=True))
        self._at.add(id(name))
        return symbol

    def _declarations(self, line: object) -> None:
        """What a line and the lines in it declare for the whole file."""
        match line:
            case tuple():
                for each in line:
                    self._declarations(each)
            case tree.OptionDeclaration(name=name, domain=domain):
                self._declare("option", name, line)
                self._words(domain, name.text, line)
            case tree.ListDeclaration(name=name, words=words):
                self._declare("list", name, line)
                self._words(words, name.text, line)
            case tree.Kind(name=name):
                self._declare("kind", name, line)
                self._declarations((line.attributes, line.markers))
                if line.shape is not None:
                    self._of_parts(line.shape)
                if isinstance(line.rows, tree.Written):
                    for column in line.rows.columns:
                        self._declare("attribute", column, line)
            case tree.Attribute(name=name, domain=domain):
                self._declare("attribute", name, line)
                self._words(domain, name.text, line)
            case tree.Zone() | tree.Grid() | tree.Board():
                for name in line.names:
                    self._declare("zone", name, line)
                if isinstance(line, tree.Board):
                    self._points(line)
            case tree.Counter() | tree.Marker():
                for name in line.names:
                    self._declare("counter" if isinstance(line, tree.Counter) else "marker", name, line)
                self._words(line.domain, line.names[0].text, line)
            case tree.TableDeclaration(name=name):
                self._declare("table", name, line)
                for column in line.columns:
                    if column.text != name.text:
                        self._declare("column", column, line)
            case tree.Define(name=name) if not isinstance(line, tree.Returns):
                self._declare("define", name, line)
            case tree.Phase(name=name, body=body):
                self._declare("phase", name, line)
                self._declarations(body)
            case tree.Step(name=name, body=body) | tree.StepHere(name=name, body=body):
                self._declare("step", name, line)
                self._declarations(body)
            case tree.Score(terms=terms) | tree.AddToScore(terms=terms):
                for term in terms:
                    self._declare("score term", term.name, term)
            case tree.Variant(name=name, body=body):
                self._declare("variant", name, line)
                self._declarations(body)
            case tree.Replace(declaration=declaration):
                self._declarations(declaration)
            case tree.Option(verb=verb, body=body):
                self._declare("act", verb, line)
                self._declarations(body)
            case tree.Line():
                for part in fields(type(line)):
                    value = getattr(line, part.name)
                    if isinstance(value, (tuple, tree.Line)):
                        self._declarations(value)
            case _:
                pass

    def _of_parts(self, shape: tree.Shape) -> None:
        letters = sorted({letter for row in shape.rows for letter in row if not letter.isspace()})
        for attribute in shape.attributes:
            self._declarations(attribute)
            symbol = self._named["attribute", attribute.name.text]
            for letter in letters:
                self._parts[f"{attribute.name.text}_{letter}"] = symbol

    def _points(self, board: tree.Board) -> None:
        """Points are declared where they are named first. An `o` in a picture is a point that is called by its place."""
        for row in board.picture:
            for word in _pieces(row.span):
                if word.text != "o":
                    self._declare("point", word, board)
        for region in board.regions:
            if region.region is not None:
                self._declare("point", region.region, region)
        named: list[tuple[tree.Line, tree.Name]] = [(line, name) for line in board.regions for name in line.names]
        named += [(board, name) for chain in board.chains for name in chain.names]
        for line, name in named:
            if ("point", name.text) not in self._named:
                placed = tree.Name(name.text, span=Span(name.span.source, name.span.start, name.span.start))
                self._declare("point", placed if board.picture else name, line)

    def _words(self, domain: object, of: str, line: tree.Line) -> None:
        """The words that a domain lists. Their places are found in its text, which says each of them once."""
        if isinstance(domain, tree.Domain):
            domain = domain.base
        if not isinstance(domain, tree.WordsDomain):
            return
        known = set(domain.words)
        for name in _pieces(domain.span):
            if name.text in known:
                symbol = self._declare("word", name, line)
                if of not in symbol.lists:
                    symbol.lists.append(of)

    # ---- Using

    def visit(self, node: object, around: _Locals, first: tuple[Sort, ...]) -> None:
        """Note the names in a part of the tree. ``around``: what lines around bind; ``first``: what is looked up first."""
        match node:
            case tuple():
                for each in node:
                    self.visit(each, around, first)
                    if isinstance(each, tree.Let):  # its name is known to the lines behind it
                        around = {**around, each.name.text: self._local(each.name, each)}
            case tree.Name():
                if id(node) not in self._at:
                    self._use(node.text, node.span, around, first)
            case tree.Ref():
                if node.name == "score" and isinstance(node.key, tree.Ref):
                    self.visit(node.key, around, ("score term",))
                    self.visit(node.of, around, ())
                    return
                self._use(node.name, node.name_span, around, first)
                for part in (node.of, node.key, node.further):
                    self.visit(part, around, ())
            case tree.Every():
                self._in_text(node.span, {node.name}, around)
            case tree.Pick():
                self._in_text(node.span, {value for value in node.values if isinstance(value, str)}, around)
            case tree.NamedDomain(name=name):
                self._in_text(node.span, {name}, around)
                self.visit(node.grid, around, ())
            case tree.Possible(verb=verb):
                self._use(verb, Span(node.span.source, node.span.start, node.span.start + len(verb)), around, ("act",))
            case tree.Node():
                inner = {**around, **self._bound(node)}
                for part in fields(type(node)):
                    if part.name not in ("span", "comments"):
                        self.visit(getattr(node, part.name), inner, _FIRST.get((type(node), part.name), first))
                said = getattr(node, "reason", None) or getattr(node, "text", None)
                if isinstance(said, str) and "{" in said:
                    self._in_braces(node.span, said, inner)
            case _:
                pass

    def _bound(self, node: tree.Node) -> _Locals:
        """The names that a node gives to things inside it. A noun alone stays what it is."""
        found: list[tree.Name | None] = []
        match node:
            case tree.ForEach() | tree.OverEach() | tree.Several():
                found += [self._new(node.noun) if node.name is None else node.name]
            case tree.Option(arguments=tuple(arguments)):
                found += [self._new(each.noun) if each.name is None else each.name for each in arguments]
            case tree.ScoreTerm(each=tree.Name() as each) | tree.Majority(each=tree.Name() as each):
                found.append(self._new(each))
            case tree.Whenever(noun=noun):
                found += [self._new(noun), *(each.name for each in node.parameters)]
            case tree.Auction(bids=bids):
                found += [part.name for part in bids if part.name is not None and part.amounts is not None]
            case tree.Test(body=body):
                found += [name for line in body if isinstance(line, tree.TestPlayers) for name in line.names]
            case _ if (parameters := getattr(node, "parameters", None)) is not None:
                found += [each.name for each in parameters]
        sort: Sort = "player" if isinstance(node, tree.Test) else "name"
        return {name.text: self._local(name, node, sort) for name in found if name is not None}

    def _new(self, noun: tree.Name) -> tree.Name | None:
        """A noun that is a name of its own, as in `for each region in ...`; None where it is a word of the rules or declared."""
        return None if noun.text in _NOUNS or self._meant(noun.text, {}, ())[0] is not None else noun

    def _local(self, name: tree.Name, node: tree.Node, sort: Sort = "name") -> Symbol:
        for each in self.symbols:
            if name.span in each.places:
                return each
        line = node if isinstance(node, tree.Line) else tree.Line(span=node.span)
        symbol = Symbol(sort, name.text, line, [name.span])
        self.symbols.append(symbol)
        self.found.append(Occurrence(name.span, symbol, declares=True))
        self._at.add(id(name))
        return symbol

    def _use(self, name: str, span: Span, around: _Locals, first: Iterable[Sort]) -> None:
        symbol, form = self._meant(name, around, first)
        if symbol is None or normal(span.text) != name:
            return
        if form == "part":
            span = Span(span.source, span.start, span.start + len(symbol.name))
        self.found.append(Occurrence(span, symbol, form=form))

    def _meant(self, name: str, around: _Locals, first: Iterable[Sort]) -> tuple[Symbol | None, Literal["", "plural", "part"]]:
        for sort in first:
            if (sort, name) in self._named:
                return self._named[sort, name], ""
        found = around.get(name) or self._by_name.get(name) or self._named.get(("word", name)) or self._named.get(("point", name))
        if found is not None:
            return found, ""
        if name in self._parts:
            return self._parts[name], "part"
        if name in self._plurals or singular(name) in self._by_name:
            return self._plurals.get(name) or self._by_name[singular(name)], "plural"
        return None, ""

    def _in_text(self, span: Span, wanted: set[str], around: _Locals) -> None:
        """Names of a node that keeps them without their places."""
        for name in _pieces(span):
            if name.text in wanted:
                words_first: tuple[Sort, ...] = ("word",) if span.text.startswith(("[", "all")) else ()
                self._use(name.text, name.span, around, words_first)

    def visit_csv(self, source: Source) -> None:
        """Note the attributes and columns in the first row of a file, and the words below them."""
        header, *rows = csv_of(source) or [[]]
        for cell in header:
            self._use(cell.text, cell.span, {}, ("attribute", "column"))
        for cell in (cell for row in rows for cell in row):
            if ("word", cell.text) in self._named:
                self._use(cell.text, cell.span, {}, ("word",))

    def _in_braces(self, span: Span, said: str, around: _Locals) -> None:
        """Names in a text that a line says, which may stand in the lines below it."""
        start = span.source.text.find(said, span.start)
        for braces in _IN_BRACES.finditer(said) if start >= 0 else ():
            inside = Span(span.source, start + braces.start(1), start + braces.end(1))
            for name in _pieces(inside):
                self._use(name.text, name.span, around, ())


def _pieces(span: Span) -> Iterator[tree.Name]:
    for piece in _PIECE.finditer(span.text):
        yield tree.Name(normal(piece.group()), span=Span(span.source, span.start + piece.start(), span.start + piece.end()))
