"""The words of a game that players meet, each as an entry that translators fill in.

They are collected from the tree, which has them in the order of the file, with the comments of the designer. The words of lists
come from the model, which has read the tables of components, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve, fields, frozen

from ..common.nouns import plural, singular, spoken
from ..common.source import Span
from ..model import model
from ..model.directions import DIRECTION
from ..rules import Rules
from ..syntax import tree
from ..words.words import Role

PLACE = re.compile(r"\{[^{}]*\}")  # in a text
OWN_ACTS = ("pass", "bid", "pay", "enough")  # of the language: the program's catalogue has them
OWNER = "owner"  # an attribute of pieces of players, which the program says
LINE_SHOWN = 120  # letters of a line of the rules that a translator is shown

_WHAT: dict[Role, str] = {
    "title": "the title of the game", "kind": "a kind of component", "attribute": "what is printed on a component",
    "word": "a word of", "component": "what a component is called", "zone": "a zone", "value": "a counter or marker",
    "grid": "a grid or board", "phase": "a phase", "step": "a step", "act": "what a player can do",
    "argument": "the name of something", "reason": "why something is not allowed", "score": "a line of the score sheet",
    "winner": "a key of the ranking", "variant": "the title of a variant", "option": "an option of the game",
    "define": "a word that the rules define", "table": "a table", "column": "a column of a table", "list": "a list of words",
    "round": "what a game of the match is called",
    "note": "a sentence of the rulebook",
}  # fmt: skip


@frozen
class Entry:
    """Something to translate. ``role``: its context. ``text``: as it is said in English; ``many``: of several, "" where no number
    goes with it. ``places``: where it stands, the first one first. ``about``: what it is, in a few words; ``comment``: what the
    designer has written beside it."""

    role: Role
    text: str
    many: str
    places: tuple[Span, ...]
    about: str
    comment: str = ""

    @property
    def key(self) -> tuple[Role, str]:
        return self.role, self.text

    @property
    def home(self) -> str:
        """The path of the file in whose catalogue it is translated."""
        return self.places[0].source.path


def entries_of(rules: Rules) -> tuple[Entry, ...]:
    """All that is to be translated of a game with what extends it, in the order of the files; those of the game come first.

    Raises `RulesError` if the rules have errors.
    """
    whole = rules.required()
    assert rules.tree is not None
    found: dict[tuple[Role, str], Entry] = {}
    for entry in _Collecting(whole).of_tree(rules.tree):
        before = found.get(entry.key)
        if before is None:
            found[entry.key] = entry
        elif entry.places[0] not in before.places:
            found[entry.key] = evolve(before, places=(*before.places, *entry.places), comment=before.comment or entry.comment)
    files: dict[str, int] = {}
    for entry in found.values():
        files.setdefault(entry.home, len(files))
    return tuple(sorted(found.values(), key=lambda entry: (files[entry.home], entry.places[0].start)))


class _Collecting:
    """The words of one game, as they come. Lists whose words have been given are remembered."""

    def __init__(self, whole: model.Model) -> None:
        self._model = whole
        self._listed: set[str] = {DIRECTION}
        kinds = (each.name for each in whole.declarations if isinstance(each, model.Kind))
        self._nouns = frozenset(("player", *kinds, *whole.lists))

    def of_tree(self, whole: tree.Tree) -> Iterator[Entry]:
        title = dict(self._model.titles)
        english = title.get("en") or title.get("") or spoken(self._model.game)
        yield self._entry("title", english, (whole.game.title or whole.game.name).span, whole.game)
        for line in (*whole.declarations, *whole.variants):
            yield from self._of(line)
        for variant in whole.variants:
            if said := (variant.comments.after or "").strip().lstrip("# "):
                yield Entry("note", said, "", (variant.name.span,), f"what is said of a variant: {_shown(variant.span)}")
        for note in whole.notes:
            yield Entry("note", note.text, "", (note.span,), f"{_WHAT['note']}{_about(note)}")
        for name in self._model.lists:
            if " " not in name:  # lists with spaces in their names are no rules' own
                yield from self._words(name, whole.game.span, whole.game)

    def _of(self, node: tree.Node, line: tree.Line | None = None) -> Iterator[Entry]:
        """What a node and all below it give. ``line``: on which it stands."""
        line = node if isinstance(node, tree.Line) else line
        if line is not None:
            yield from self._own(node, line)
        if not isinstance(node, tree.Test):
            for each in fields(type(node)):
                yield from self._below(getattr(node, each.name), line)

    def _below(self, value: object, line: tree.Line | None) -> Iterator[Entry]:
        if isinstance(value, tree.Node):
            yield from self._of(value, line)
        elif isinstance(value, tuple):
            for each in value:
                yield from self._below(each, line)

    def _own(self, node: tree.Node, line: tree.Line) -> Iterator[Entry]:
        match node:
            case tree.OptionDeclaration():
                yield self._name("option", node.name, line)
                yield from self._words(node.name.text, node.span, line)
            case tree.ListDeclaration():
                yield from self._words(node.name.text, node.name.span, line)
            case tree.Kind():
                yield self._name("kind", node.name, line)
                yield from self._columns_of(node)
            case tree.Attribute():
                yield self._name("attribute", node.name, line)
                yield from self._words(node.name.text, node.name.span, line)
            case tree.ShownAs():
                yield self._entry("component", node.text, node.span, line)
            case tree.Zone():
                yield from (self._name("zone", name, line) for name in node.names)
            case tree.Grid() | tree.Board():
                yield from (self._name("grid", name, line) for name in node.names)
            case tree.Counter() | tree.Marker():
                for name in node.names:
                    yield self._name("value", name, line)
                    yield from self._words(name.text, name.span, line)
            case tree.TableDeclaration():
                yield self._name("table", node.name, line)
                yield from (self._name("column", name, line) for name in node.columns or (node.name,))
                if singular(node.by.text) not in self._nouns and node.by.text not in self._nouns:
                    yield evolve(self._name("list", node.by, line), many="")
            case tree.Returns():
                pass
            case tree.Define():
                yield self._name("define", node.name, line)
            case tree.Phase():
                yield self._name("phase", node.name, line)
            case tree.Step() | tree.StepHere():
                yield self._name("step", node.name, line)
            case tree.Match():
                yield self._entry("round", spoken(singular(node.noun.text)), node.noun.span, line)
            case tree.ScoreTerm() | tree.Majority():
                yield self._name("score", node.name, line)
            case tree.Option() if node.text is not None or node.verb.text not in OWN_ACTS:
                yield self._entry("act", spoken(node.text or node.verb.text), node.verb.span, line)
            case tree.OnlyIf() | tree.SoThat() | tree.Limit() if node.reason:
                yield self._entry("reason", node.reason, node.span, line)
            case tree.Variant():
                texts = {each.language: each.text for each in node.texts}
                yield self._entry("variant", texts.get("en") or texts.get("") or spoken(node.name.text), node.name.span, line)
            case tree.Winner():
                yield from self._keys(node, line)
            case tree.LeaveOut():
                yield self._name("attribute", node.column, line)
            case tree.Argument() | tree.Several() | tree.ForEach() | tree.Parameter():
                yield from self._bound(node.name or node.noun, line)
            case tree.Let():
                yield from self._bound(node.name, line)
            case tree.BidPart() if node.name is not None and node.amounts is not None:
                yield from self._bound(node.name, line)
            case tree.Auction():
                yield self._entry("argument", "winner", node.span, line)
            case _:
                pass

    def _columns_of(self, kind: tree.Kind) -> Iterator[Entry]:
        """The attributes of a kind that stand for one of its parts, or for one of a list."""
        written = {OWNER, *(line.name.text for line in (*kind.attributes, *(kind.shape.attributes if kind.shape else ())))}
        for declaration in self._model.declarations:
            if isinstance(declaration, model.Kind) and declaration.name == kind.name.text:
                for each in declaration.attributes:
                    if each.name not in written:
                        yield self._entry("attribute", spoken(each.name), kind.name.span, kind)

    def _bound(self, name: tree.Name, line: tree.Line) -> Iterator[Entry]:
        """A name that is bound in a body, if it is not the name of a kind, a list or the players."""
        if name.text not in self._nouns and singular(name.text) not in self._nouns:
            yield self._name("argument", name, line)

    def _keys(self, node: tree.Winner, line: tree.Line) -> Iterator[Entry]:
        for each in node.keys:
            for key in each.keys if isinstance(each, tree.KeysForEach) else (each,):
                if key.value is not None:
                    yield self._entry("winner", spoken(key.label or " ".join(key.span.text.split())), key.span, line)

    def _words(self, name: str, span: Span, line: tree.Line) -> Iterator[Entry]:
        """A list with its words, if there is such a list and it has not come yet. Numbers and single letters are left as they
        are."""
        words = self._model.lists.get(name)
        if words is None or name in self._listed:
            return
        self._listed.add(name)
        yield self._entry("list", spoken(name), span, line)
        for word in words:
            if len(word) > 1 and not word.isdecimal():
                yield self._entry("word", spoken(word), span, line, f" {spoken(name)}")

    def _name(self, role: Role, name: tree.Name, line: tree.Line) -> Entry:
        return self._entry(role, spoken(name.text), name.span, line)

    def _entry(self, role: Role, text: str, span: Span, line: tree.Line, more: str = "") -> Entry:
        many = plural(text) if role in ("kind", "list", "round") else ""
        return Entry(role, text, many, (span,), f"{_WHAT[role]}{more}: {_shown(line.span)}", _comment(line.comments))


def _about(note: tree.Note) -> str:
    return "" if note.about is None else f", about: {_shown(note.about)}"


def _shown(span: Span) -> str:
    """The line on which a span begins, without its comment, shortened where it is long."""
    text = re.sub(r'("[^"]*"?)|#.*', lambda found: found[1] or "", span.source.line(span.line))
    text = " ".join(text.split())
    return text if len(text) <= LINE_SHOWN else f"{text[:LINE_SHOWN]} ..."


def _comment(comments: tree.Comments) -> str:
    """What the designer has written at the end of a line, or right above it; headings of sections are left out."""
    above = [text.strip() for text in comments.before]
    last = above[len(above) - above[::-1].index("") :] if "" in above else above
    said = [text for text in (*last, (comments.after or "").strip()) if text and not text.startswith("--")]
    return " ".join(said)


def places_in(text: str) -> frozenset[str]:
    """The places in a text, with their braces."""
    return frozenset(PLACE.findall(text))


def lone_brace(text: str) -> str:
    """The first brace of a text that belongs to no whole place; "" where there is none."""
    return next((letter for letter in PLACE.sub("", text) if letter in "{}"), "")


__all__ = ["Entry", "entries_of", "lone_brace", "places_in"]
