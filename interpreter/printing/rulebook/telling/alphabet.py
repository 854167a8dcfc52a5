"""The order of words in a dictionary of a language."""

from __future__ import annotations

_UKRAINIAN = {letter: place for place, letter in enumerate("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя")}


def alphabetical(word: str, language: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts words as a dictionary does, signs and the size of letters left aside."""
    letters = [letter for letter in word.casefold() if letter.isalnum() or letter == " "]
    own = _UKRAINIAN if language == "uk" else {}
    return tuple((own.get(letter, ord(letter) if not own else 100 + ord(letter)), letter) for letter in letters)
