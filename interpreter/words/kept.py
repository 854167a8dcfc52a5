"""The names of what a construct of the language keeps for itself, such as the bids of an auction, as players say them."""

from __future__ import annotations

from typing import Final

from ..common.nouns import spoken
from .words import ENGLISH, Role, Words, marked

_NAMES: Final = (  # the first that fits counts
    marked("highest bidder for {lot}"),
    marked("bidding for {lot}"),
    marked("highest bid for {lot}"),
    marked("sealed bid for {lot}"),
    marked("highest {bid} for {lot}"),
    marked("sealed {bid} for {lot}"),
    marked("what is chosen"),
    marked("{thing} of {act}"),
)
_OF: Final[dict[str, tuple[Role, ...]]] = {
    "lot": ("kind", "argument", "zone", "step"),
    "bid": ("argument", "value"),
    "thing": ("argument", "kind"),
    "act": ("act",),
}


def value_name(name: str, words: Words) -> str:
    """The name of a counter or marker: as the rules' translations have it, or as the program says what a construct keeps."""
    found = words.name("value", name)
    if found != spoken(name) or not words.is_translated:
        return found
    for sentence in _NAMES:
        places = ENGLISH.places_in(sentence, found)
        if places is not None:
            return words.phrase(sentence, **{place: _name(place, said, words) for place, said in places.items()})
    return found


def _name(place: str, said: str, words: Words) -> str:
    return next((found for role in _OF[place] if (found := words.name(role, said)) != spoken(said)), said)


__all__ = ["value_name"]
