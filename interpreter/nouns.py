"""How is a noun of the game said: one of them, or so many?"""

from __future__ import annotations

_SOUNDS_LIKE_YOU = ("uni", "use", "usu", "eu", "one")  # these begin with a vowel for the eye only


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def with_article(noun: str) -> str:
    """``a card``, ``an advisor``."""
    word = noun.lower()
    return f"an {noun}" if word[:1] in tuple("aeiou") and not word.startswith(_SOUNDS_LIKE_YOU) else f"a {noun}"


def is_for(players: tuple[int, int]) -> str:
    """``the game is for 2 to 4 players``, ``the game is for 1 player``."""
    low, high = players
    return f"the game is for {f'{low} to ' if low < high else ''}{counted(high, 'player')}"
