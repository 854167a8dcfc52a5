"""Texts of a machine, made of the program's sentences and the names of the rules, in English and in the machine's language."""

from __future__ import annotations

from collections.abc import Iterable

from ....common.nouns import plural, spoken, with_article
from ....model import model
from ....words.kept import value_name
from ....words.words import ENGLISH, Role, marked
from ...machine import Domain, Expr, Message, Say
from .builder import Builder, Place, joined

COUNTED = 200  # of more of a kind, the name is said as of so many: no game has more
# Acts of the language itself, where a game's catalogue has no other.
OWN_ACTS = (marked("pass"), marked("bid"), marked("enough"), marked("pay"))
OWN_NOUNS = (marked("game"), marked("round"), marked("hand"), marked("deal"))  # what games of a match are called, likewise
OWN_PLURALS = (marked("games"), marked("rounds"), marked("hands"), marked("deals"))
MANY = 5  # of so many things the name is that of any number of them
DIRECTIONS = (
    marked("north"), marked("northeast"), marked("east"), marked("southeast"), marked("south"), marked("southwest"),
    marked("west"), marked("northwest"), marked("forward"), marked("forward right"), marked("rightward"),
    marked("backward right"), marked("backward"), marked("backward left"), marked("leftward"), marked("forward left"),
)  # fmt: skip


def named(b: Builder, role: Role, name: str) -> Message:
    """A name of the rules."""
    return _both(b, spoken(name), b.words.name(role, name))


def thing(b: Builder, name: str) -> Message:
    """What a name that is bound in a body stands for: a name of its own, or that of a kind, a list or the players."""
    if spoken(name) == "player":
        return b.parts("player")
    roles: tuple[Role, ...] = ("argument", "kind", "list", "attribute")
    found = (said for role in roles if (said := b.words.name(role, name)) != spoken(name))
    return _both(b, spoken(name), next(found, spoken(name)))


def value_named(b: Builder, name: str) -> Message:
    """The name of a counter or marker, also of one that a construct keeps for itself."""
    return _both(b, spoken(name), value_name(name, b.words))


def one_of(b: Builder, kind: str) -> Message:
    """One component of a kind of which nobody is told which it is: ``a card``."""
    return _both(b, with_article(spoken(kind)), kind_name(b, kind))


def kind_name(b: Builder, kind: str) -> str:
    """The name of a kind in the machine's language; of several, ``gem or gold``."""
    return b.words.listed([b.words.name("kind", each) for each in kind.split(" or ")], "{first} or {last}")


def counted(b: Builder, count: Expr, kind: str, is_one: Expr, most: int) -> Message:
    """``1 card``, ``3 cards``. ``is_one``: whether the count is 1; ``most``: the greatest number that it can be."""
    english = Domain((f" {spoken(plural(kind))}", f" {spoken(kind)}"))
    parts = Say(count, None), Say(is_one, english)
    if b.words is ENGLISH:
        return Message(parts)
    names = Domain(tuple(b.words.names("kind", kind, number) for number in range(min(most, COUNTED) + 1)))
    said = b.words.parts("{number} {things}", number=Say(count, None), things=Say(count, names))
    return Message(parts, joined(said, spoken=True))


def _both(b: Builder, text: str, said: str) -> Message:
    return Message((text,), () if b.words is ENGLISH else (said,))


def act_names(text: str, b: Builder) -> tuple[str, str]:
    """The fixed text of an act in the machine's language, alone and before what it takes; "" in English."""
    if b.words is ENGLISH:
        return "", ""
    found = act_name(b, text)
    return found, b.words.phrase("{act} {thing}", act=found, thing="").strip()


def act_name(b: Builder, text: str) -> str:
    """The fixed text of an act in the machine's language."""
    found = b.words.name("act", text)
    return b.words.phrase(text) if found == text and text in OWN_ACTS else found


def game_name(noun: str, b: Builder) -> str:
    """What a game of a match is called, in the machine's language."""
    found = b.words.name("round", noun)
    return b.words.phrase(noun) if found == noun and noun in OWN_NOUNS else found


def games_name(noun: str, b: Builder) -> str:
    """What several of them are called."""
    if b.words is ENGLISH:
        return plural(noun)
    found = b.words.names("round", noun, MANY)
    return b.words.phrase(f"{noun}s") if found == plural(noun) and noun in OWN_NOUNS else found


def message_of(reason: model.Reason, b: Builder, values: list[Say]) -> Message:
    """A text of the model. ``values``: what its places say, in order."""
    rest = iter(values)
    parts = tuple(part if isinstance(part, str) else next(rest) for part in reason.parts)
    if b.words is ENGLISH or reason.sentence is None:
        return Message(parts)
    return Message(parts, joined((_in_sentence(reason.sentence, b, values),), spoken=True))


def _in_sentence(said: model.Sentence, b: Builder, values: list[Say]) -> Message:
    places = {name: _in_place(place, b, values) for name, place in said.places}
    if said.role is None:
        return b.parts(said.text, **places)
    return Message((), joined(_filled(b.words.text(said.role, said.text), places), spoken=True))


def _filled(text: str, places: dict[str, Place]) -> Iterable[Place]:
    for odd, piece in enumerate(model.PLACE.split(text)):
        yield places[piece] if odd % 2 and piece in places else piece


def _in_place(place: model.Said, b: Builder, values: list[Say]) -> Place:
    match place:
        case int():
            return values[place]
        case model.Sentence():
            return _in_sentence(place, b, values)
        case model.Named(role="act", name=name):
            return act_name(b, name)
        case model.Named(role="kind", name=name, count=None):
            return kind_name(b, name)
        case model.Named(role="kind", name=name, count=int(count)) if count >= 0:
            names = tuple(b.words.names("kind", name, number) for number in range(COUNTED + 1))
            things = Say(values[count].value, Domain(names))
            return Message((), tuple(b.words.parts("{number} {things}", number=values[count], things=things)))
        case model.Named(role=role, name=name):
            return b.words.name(role, name)


__all__ = [
    "act_name", "act_names", "counted", "game_name", "games_name", "kind_name", "message_of", "named", "one_of", "thing",
    "value_named",
]  # fmt: skip
