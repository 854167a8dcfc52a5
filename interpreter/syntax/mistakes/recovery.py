"""Mends the beginning of a line that no sentence begins with, so that an editor can say what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Final

from ..parsing.parser_tables import Start
from ..parsing.sentence import Taken, following, understood
from ..parsing.tokens import Word, cut
from ..parsing.words import RESERVED
from .faults import FORGOTTEN, GUESSES, near_keywords, texts_of

_MENDS: Final = 3  # mistakes that are mended before the place where somebody types
_ALIKE: Final = 0.3  # how like a keyword a word inside a line must be where it can be nothing else, from 0 to 1


def recovered(words: Sequence[Word], start: Start, is_known: Callable[[str], bool]) -> Sequence[Word] | None:
    """Words with which a sentence of a place begins, and which are likely meant by others; None where too much is wrong.

    A word is taken for a keyword that is nearly the same, a small word is put in, or one is left out: whatever gets furthest.
    A word that could be a name, but is not ``is_known``, can also be a keyword: in `repeat untl` it is `until`.
    """
    for _ in range(_MENDS):
        found = understood(words, start)
        if not (left := _left(words, found)):
            break
        nearer = _furthest(_guesses(words, len(words) - left, found, start), start)
        if _left(nearer, understood(nearer, start)) >= left:
            return None
        words = nearer
    found = understood(words, start)
    if _left(words, found):
        return None
    unknown = {each.first for each in found if each.terminal == "NAME" and not is_known(words[each.first].text)}
    if not unknown:
        return words
    near = (guess for at, guess in _near(words, len(words), found) if at in unknown and _is_keyword(guess, at, start))
    return next(near, words)


def _guesses(words: Sequence[Word], at: int, found: Sequence[Taken], start: Start) -> Iterator[Sequence[Word]]:
    """What a line that is stuck ``at`` a word could be; what is likelier comes first."""
    for _, guess in _near(words, at, found):
        yield guess
    if at and words[at].text not in RESERVED:
        for text in get_close_matches(words[at].text, texts_of(following(words[:at], start)), cutoff=_ALIKE):
            yield [*words[:at], *cut(text, words[at].start), *words[at + 1 :]]
    for text in (*FORGOTTEN, ")", "]"):
        yield [*words[:at], *cut(text, words[at].start), *words[at:]]
    for place in (at, max(at - 1, 0)):
        yield [*words[:place], *words[place + 1 :]]


def _near(words: Sequence[Word], at: int, found: Sequence[Taken]) -> Iterator[tuple[int, Sequence[Word]]]:
    """The line with some words as a keyword that is nearly the same, and where these begin."""
    keywords = {at for each in found if each.is_keyword for at in range(each.first, each.first + each.count)}
    for first, width, text in islice(near_keywords(words, at, keywords), GUESSES):
        yield first, [*words[:first], *cut(text, words[first].start), *words[first + width :]]


def _furthest(guesses: Iterable[Sequence[Word]], start: Start) -> Sequence[Word]:
    """The first guess that is understood to its end; failing that, the one of which the fewest words are left."""
    best: tuple[int, Sequence[Word]] | None = None
    for guess in guesses:
        left = _left(guess, understood(guess, start))
        if best is None or left < best[0]:
            best = left, guess
        if not left:
            break
    assert best is not None  # one is to leave a word out
    return best[1]


def _left(words: Sequence[Word], found: Sequence[Taken]) -> int:
    """How many words stand behind those that are understood."""
    return len(words) - (found[-1].first + found[-1].count if found else 0)


def _is_keyword(words: Sequence[Word], at: int, start: Start) -> bool:
    """Whether all words are understood, and the one at a place as a keyword."""
    found = understood(words, start)
    return not _left(words, found) and any(each.is_keyword and each.first <= at < each.first + each.count for each in found)
