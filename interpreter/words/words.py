"""The words of one language: sentences of the program, and names and texts of a game.

Two catalogues are asked. The program's is in this package (`catalogues/AREA.LANG.po`), a game's lies beside its rules
(`NAME.LANG.po`). What a catalogue does not have is said in English, or as the rules write it.

A sentence is a template with named places, ``{player} draws {component}``. Translators may put the places in any order.
Nothing is bent to fit: a sentence has to be right whatever name stands in a place, so a language with cases names things
after a colon or in quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from gettext import GNUTranslations, NullTranslations
from typing import Final, Literal, TypeVar

from attrs import field, frozen

from ..common.nouns import listed, plural, spoken, with_article

_PLACE = re.compile(r"\{(\w+)\}", re.ASCII)
_Part = TypeVar("_Part")

Role = Literal[
    "title", "kind", "attribute", "word", "component", "text", "zone", "value", "grid", "phase", "step", "act", "argument",
    "reason", "score", "winner", "variant", "option", "define", "table", "column", "list", "note", "round",
]  # fmt: skip
"""What a name of a game names: the context (``msgctxt``) of its entry. A ``value`` is a counter or a marker. A ``word`` is one of
a list or an attribute; a ``text`` stands in a column of texts; a ``component`` has a name of its own."""


_KEYS: Final[tuple[Role, ...]] = ("winner", "score", "value", "attribute", "define")


@frozen(eq=False)
class Words:
    """The words of a language. ``language``: its code."""

    language: str = "en"
    _program: NullTranslations = field(factory=NullTranslations, repr=False)
    _game: NullTranslations = field(factory=NullTranslations, repr=False)

    @property
    def is_translated(self) -> bool:
        """Whether the program has sentences in this language; else they are English."""
        return isinstance(self._program, GNUTranslations)

    def phrase(self, sentence: str, /, **places: object) -> str:
        """A sentence of the program, with its places filled in."""
        return filled(self.template(sentence), places)

    def template(self, sentence: str) -> str:
        """A sentence of the program with its places still in braces."""
        return self._translated(sentence, self._program.gettext(sentence))

    def phrase_for(self, number: int, one: str, many: str, /, **places: object) -> str:
        """A sentence that depends on a number, which stands in its place ``number``."""
        found = self._program.ngettext(one, many, number)
        return filled(self._translated(many, found), {"number": number, **places})

    def parts(self, sentence: str, /, **places: _Part) -> tuple[str | _Part, ...]:
        """A sentence of the program as the texts and places that follow each other."""
        pieces = _PLACE.split(self.template(sentence))
        found: list[str | _Part] = [places[piece] if odd % 2 else piece for odd, piece in enumerate(pieces)]
        return tuple(each for each in found if each != "")

    def name(self, role: Role, name: str) -> str:
        """A name of the rules, as players say it."""
        said = spoken(name)
        return self._game.pgettext(role, said)

    def names(self, role: Role, name: str, number: int) -> str:
        """A name of the rules in the form that goes with a number: ``2`` ``cards``."""
        said = spoken(name)
        return self._game.npgettext(role, said, plural(said), number)

    def key(self, label: str) -> str:
        """What decides a ranking, as players say it: ``highest rank``, or the label that the rules give it."""
        for role in _KEYS:
            if (found := self.name(role, label)) != spoken(label):
                return found
        direction, _, value = label.partition(" ")
        if value and direction in ("highest", "lowest"):
            sentence = marked("highest {value}") if direction == "highest" else marked("lowest {value}")
            return self.phrase(sentence, value=self.key(value))
        return label

    def one(self, role: Role, name: str) -> str:
        """One of what a name of the rules names: ``a card``; with an article where the language has them."""
        return self.name(role, name) if self.is_translated else with_article(self.name(role, name))

    def listed(self, names: Sequence[str], last: str = "{first} and {last}") -> str:
        """``a``, ``a and b``, ``a, b and c``; empty for none. ``last``: the sentence that joins the last one to the others."""
        if len(names) < 2:
            return listed(names)
        return self.phrase(last, first=self.row(names[:-1]), last=names[-1])

    def row(self, names: Iterable[str]) -> str:
        """``a, b, c``: things side by side."""
        comma = self.phrase("{first}, {next}", first="", next="")
        return comma.join(names)

    def places_in(self, sentence: str, said: str) -> dict[str, str] | None:
        """What stands in the places of a sentence of the program that was said; None where it is another one."""
        pieces = _PLACE.split(self.template(sentence))
        written = (f"(?P<{piece}>.+)" if odd % 2 else re.escape(piece) for odd, piece in enumerate(pieces))
        found = re.fullmatch("".join(written), said, re.DOTALL)
        return None if found is None else found.groupdict()

    def text(self, role: Role, text: str) -> str:
        """A text of the rules, its places still in braces. A translation with other places than the text has is not taken."""
        return self._translated(text, self._game.pgettext(role, text)) if text else text

    @staticmethod
    def _translated(original: str, found: str) -> str:
        return found if set(_PLACE.findall(found)) <= set(_PLACE.findall(original)) else original


ENGLISH: Final = Words()


def filled(template: str, places: Mapping[str, object]) -> str:
    """A template with its places filled in. KeyError for a place that is not given."""
    return _PLACE.sub(lambda place: str(places[place[1]]), template)


def marked(sentence: str) -> str:
    """The sentence itself: marks one that is said later, so that it gets into the program's catalogues."""
    return sentence


__all__ = ["ENGLISH", "Role", "Words", "filled", "marked"]
