"""Finds declarations whose name cannot be one: a word of the rules, or two words.

Such a name stands again wherever the thing is used. It is reported where it is declared; the other lines that fail because of it
are no faults of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from ..parsing.parser_tables import Start
from ..parsing.sentence import Stuck, sentence
from ..parsing.tokens import Word, cut
from ..parsing.words import RESERVED

# The words before the name in lines that declare something, and whether `NAME of NAME` may follow them.
_BEFORE_NAMES: Final = {
    "cards": False, "tiles": False, "pieces": False, "dice": False, "zone": False, "counter": True, "marker": True,
    "option": False, "list": False, "table": False, "define": True, "step": True, "phase": False, "variant": False,
}  # fmt: skip
# Of these, those that may list words.
_WITH_WORDS: Final = {"list", "marker", "option"}
_DECLARING: Final[tuple[Start, ...]] = ("file_line", "variant_line", "kind_line")
# In these a line may begin with the name, and a colon follows.
_NAME_FIRST: Final[tuple[Start, ...]] = ("kind_line", "part_line", "score_line", "winner_line")


@frozen
class Misnamed:
    """The words of a line that stand where a name must stand: from ``first`` on, so many. ``help``: what to write instead."""

    first: int
    count: int
    help: str

    def message(self, words: Sequence[Word]) -> str:
        written = " ".join(self.texts(words))
        if self.count == 1:
            return f"`{written}` is a word of the rules, so it cannot be a name"
        return f"`{written}` is two words, and a name is one"

    def texts(self, words: Sequence[Word]) -> tuple[str, ...]:
        return tuple(word.text for word in words[self.first : self.first + self.count])


def misnamed(words: Sequence[Word], start: Start, stuck: Stuck) -> Misnamed | None:
    """The name that is none, on a line which is no sentence and declares something; None where that is not the fault."""
    for at in _listed(words, start):
        if words[at].text in RESERVED and at <= stuck.at <= at + 1:
            return Misnamed(at, 1, f"take another name, such as `my_{words[at].text}`")
    for at in _places_of_names(words, start):
        first, second, *rest = words[at:]
        one = f"{first.text}_{second.text}"
        mended = [*words[:at], *cut(one, first.start), *rest]
        two = second.shape == "word" and second.text not in ("player", "of") and (not rest or rest[0].shape != "text")
        if two and stuck.at <= at + 2 and not isinstance(sentence(mended, start), Stuck):
            of_fits = at > 0 and _BEFORE_NAMES.get(words[at - 1].text, False) and not {first.text, second.text} & RESERVED
            or_so = f", or `{first.text} of {second.text}`" if of_fits and (not rest or rest[0].text != "of") else ""
            return Misnamed(at, 2, f"write `{one}`{or_so}")
        if first.text in RESERVED and stuck.at <= at + 1:
            return Misnamed(at, 1, f"take another name, such as `my_{first.text}`")
    return None


def _places_of_names(words: Sequence[Word], start: Start) -> list[int]:
    """Where a name must stand that is declared, each with a word after it."""
    colon = _colon(words)
    found: list[int] = []
    if words[0].text == "let":
        found = [1]
    elif words[0].text in _BEFORE_NAMES and start in _DECLARING:
        found = [1, *(at + 1 for at in range(1, colon) if words[at].text == ",")]
    elif start in _NAME_FIRST and colon in (1, 2):
        found = [0]
    return [at for at in found if at + 1 < len(words)]


def _listed(words: Sequence[Word], start: Start) -> list[int]:
    """Where a word stands alone in the list of values that a line declares: behind the colon, between commas."""
    colon = _colon(words)
    if start not in _DECLARING + _NAME_FIRST or not (words[0].text in _WITH_WORDS or (start in _NAME_FIRST and colon == 1)):
        return []
    ends = [at for at in range(colon, len(words)) if words[at].text in (":", ",")] + [len(words)]
    return [at + 1 for at, end in pairwise(ends) if end == at + 2 and words[at + 1].shape == "word"]


def _colon(words: Sequence[Word]) -> int:
    return next((at for at, word in enumerate(words) if word.text == ":"), len(words))
