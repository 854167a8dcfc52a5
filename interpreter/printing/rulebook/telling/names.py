"""The names of a game and its plain values, as a reader's language says them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from ....common.nouns import with_article
from ....model import model as m
from ....words.words import ENGLISH, Role, Words
from .numbers import Numbers

STRONG, WEAK = "\ue000", "\ue001"  # around what is printed in bold; each form of a book has signs of its own for them


@frozen(eq=False)
class Facts:
    """What a book asks of a game. ``declared``: by name. ``numbers``: the values of closed expressions."""

    lists: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, m.Kind]
    zones: Mapping[str, m.Zone]
    grids: Mapping[str, m.Grid]
    variables: Mapping[str, m.Variable]
    defines: Mapping[str, m.Define]
    steps: Mapping[str, m.Step]
    tables: Mapping[str, m.TableDeclaration]
    numbers: Numbers


@frozen(eq=False)
class Names:
    """Says names. ``you``: the player to whom the sentence is said (None: to nobody in particular). ``ranked``:
    what is compared with others just now, and so is not named. ``apart``: what is told in a sentence of its own just now."""

    words: Words
    facts: Facts
    you: m.Expr | None = None
    ranked: m.Var | None = None
    apart: m.Expr | None = None

    def phrase(self, sentence: str, /, **places: object) -> str:
        return self.words.phrase(sentence, **places)

    def is_you(self, node: m.Expr | None) -> bool:
        if isinstance(node, m.VarValue) and isinstance(self.you, m.VarValue):
            return node.var is self.you.var
        return node is not None and self.you is not None and node == self.you

    def a(self, noun: str) -> str:
        """``a card``, ``an office``."""
        if with_article(noun).startswith("an "):
            return self.words.phrase("an {noun}", noun=noun)
        return self.words.phrase("a {noun}", noun=noun)

    def the(self, noun: str) -> str:
        return self.words.phrase("the {noun}", noun=noun)

    def quoted(self, name: str) -> str:
        return self.words.phrase("“{name}”", name=name)

    def listed(self, words: Sequence[str], last: str = "and") -> str:
        """``a``, ``a and b``, ``a, b and c``."""
        found = list(words)
        if len(found) < 2:
            return "".join(found)
        before = found[0]
        for word in found[1:-1]:
            before = self.words.phrase("{words}, {word}", words=before, word=word)
        if last == "or":
            return self.words.phrase("{words} or {word}", words=before, word=found[-1])
        return self.words.phrase("{words} and {word}", words=before, word=found[-1])

    def kind(self, names: Sequence[str], number: int = 1) -> str:
        return self.listed([self.words.names("kind", name, number) for name in names], "or")

    def noun(self, type: m.Type, number: int = 1) -> str:
        """The word for one, or several, of what a type holds."""
        words = self.words
        match type.base:
            case "component":
                return self.kind(type.kinds or (type.of,), number)
            case "player":
                return words.phrase("players") if number > 1 else words.phrase("player")
            case "word":
                return words.names("list", type.of, number)
            case "cell":
                return words.phrase("squares") if number > 1 else words.phrase("square")
            case "region":
                return words.phrase("regions") if number > 1 else words.phrase("region")
            case "way":
                return words.phrase("place")
            case "truth":
                return words.phrase("yes or no")
            case "index":
                return self.listed([self.noun(part) for part in type.parts])
            case _:
                return words.phrase("numbers") if number > 1 else words.phrase("number")

    def variable(self, var: m.Var) -> str:
        """A name bound in a body, without an article."""
        name = var.name.strip()
        if name in ("player", "cell", "region"):
            return self.noun(m.Type("region" if name == "region" else "cell" if name == "cell" else "player"))
        if name in self.facts.kinds or name in self.facts.lists:
            role: Role = "kind" if name in self.facts.kinds else "list"
            return self.words.name(role, name)
        match name:  # those that auctions bind
            case "winner":
                return self.words.phrase("winner")
            case "bidder":
                return self.words.phrase("bidder")
            case "price":
                return self.words.phrase("price")
            case _:
                return self.words.name("argument", name)

    def value_name(self, name: str) -> str:
        """The name of a counter or marker: ``pot``, ``changed office``."""
        declared = self.facts.variables.get(name)
        return self._with_noun(self.words.name("value", name), None if declared is None else declared.domain.type)

    def define_name(self, name: str) -> str:
        """The name of a word of the game: ``line size``, ``led suit``."""
        declared = self.facts.defines.get(name)
        return self._with_noun(self.words.name("define", name), None if declared is None else declared.value.type)

    def _with_noun(self, name: str, type: m.Type | None) -> str:
        """A name that is only a participle, with the noun for what it names; English as the rules are."""
        if type is None or type.base != "word" or type.is_set or self.words.is_translated or not name.endswith("ed"):
            return name
        return f"{name} {self.noun(type)}"

    def squares_of(self, type: m.Type) -> int:
        """How many squares a component covers; the most of several kinds."""
        kinds = [self.facts.kinds[name] for name in type.kinds or (type.of,) if name in self.facts.kinds]
        return max((len(kind.parts) for kind in kinds), default=1)

    def is_always_there(self, node: m.AttributeOf) -> bool:
        """Whether each component has a value of an attribute."""
        type = node.of.type
        kinds = [self.facts.kinds[name] for name in type.kinds or (type.of,) if name in self.facts.kinds]
        found = [each for kind in kinds for each in kind.attributes if each.name == node.attribute]
        return bool(found) and not any(each.domain.type.optional for each in found)

    def constant(self, value: int, type: m.Type) -> str:
        if type.is_set:
            members = [bit for bit in range(value.bit_length()) if value >> bit & 1]
            return self.listed([self.constant(bit, type.member) for bit in members]) if members else self.phrase("nothing")
        if value == -1 and type.optional:
            return self.phrase("none")
        match type.base:
            case "truth":
                return self.phrase("yes") if value else self.phrase("no")
            case "word" if 0 <= value < len(self.facts.lists.get(type.of, ())):
                return self.words.name("word", self.facts.lists[type.of][value])
            case "player":
                return self.phrase("player {number}", number=value + 1)
            case "component":
                return f"{self.noun(type)} {value + 1}"
            case _:
                return f"−{-value}" if value < 0 else str(value)

    def speaking_to(self, you: m.Expr | None) -> Names:
        return evolve(self, you=you)

    def strong(self, text: str) -> str:
        return f"{STRONG}{text}{WEAK}"

    def sentence(self, text: str) -> str:
        """A text that begins with a capital."""
        return text[:1].upper() + text[1:]


def english(facts: Facts) -> Names:
    return Names(ENGLISH, facts)
