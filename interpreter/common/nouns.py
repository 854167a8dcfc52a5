"""Nouns and lists of them in messages."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SOUNDS_LIKE_YOU = ("uni", "use", "usu", "eu", "one")  # these begin with a vowel for the eye only


_IRREGULAR = {
    "child": "children", "die": "dice", "fish": "fish", "foot": "feet", "goose": "geese", "half": "halves", "knife": "knives",
    "leaf": "leaves", "loaf": "loaves", "mouse": "mice", "ox": "oxen", "person": "people", "sheep": "sheep", "thief": "thieves",
    "tooth": "teeth", "wolf": "wolves",
}  # fmt: skip
_NO_MEN = ("german", "human", "ottoman", "roman", "shaman", "talisman")  # no more than one of them ends in -men


def plural(noun: str) -> str:
    """``cards``, ``men``, ``berries``, ``boxes``; of several words, the last one changes, and of ``gem or card`` both."""
    if " or " in noun:
        return " or ".join(map(plural, noun.split(" or ")))
    *before, last = re.split(r"(?<=[_ ])", noun)
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last.endswith("man") and last not in _NO_MEN:
        last = f"{last[:-3]}men"
    elif re.search("[^aeiou]y$", last):
        last = f"{last[:-1]}ies"
    else:
        last += "es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return "".join((*before, last))


def singular(noun: str) -> str:
    """``card`` of ``cards``, and of ``card``: what `plural` makes it of."""
    *before, last = re.split(r"(?<=[_ ])", noun)
    if irregular := [one for one, many in _IRREGULAR.items() if many == last]:
        last = irregular[0]
    elif last.endswith("men"):
        last = f"{last[:-3]}man"
    elif re.search("[^aeiou]ies$", last):
        last = f"{last[:-3]}y"
    elif re.search("(x|z|ss|ch|sh)es$", last):
        last = last[:-2]
    elif re.search("[^s]s$", last):
        last = last[:-1]
    return "".join((*before, last))


def spoken(name: str) -> str:
    """A name of the rules for those who play: ``next line`` for ``next_line``."""
    return name.replace("_", " ")


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``; empty for none. ``last``: the word before the last one."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def with_article(noun: str) -> str:
    """``a card``, ``an advisor``."""
    word = noun.lower()
    return f"an {noun}" if word[:1] in tuple("aeiou") and not word.startswith(_SOUNDS_LIKE_YOU) else f"a {noun}"


def is_for(players: tuple[int, int]) -> str:
    """``the game is for 2 to 4 players``, ``the game is for 1 player``."""
    low, high = players
    return f"the game is for {f'{low} to ' if low < high else ''}{counted(high, 'player')}"
