"""Recognises common slips of people who are new to the rules, and says what they meant to write.

A slip is looked for by its own words, before the guesses that try any word: those can propose a sentence that fits and means
something else. Where the whole line can be mended, the mended line is parsed before it is proposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from ..lexing.parser_tables import Start
from ..lexing.tokens import Word, cut
from .sentence import Stuck, sentence


@frozen
class Slip:
    """The words ``first`` to ``last`` (indexes, both included) that are wrong. ``help``: what to write instead."""

    first: int
    last: int
    message: str
    help: str


def slip(words: Sequence[Word], start: Start, stuck: Stuck) -> Slip | None:
    """The slip on this line that is known, if there is one."""
    return _is_in(words, start) or _hyphen(words, start) or _draw_cards(words, start) or _nobody_has(words, stuck)


def _is_in(words: Sequence[Word], start: Start) -> Slip | None:
    """``player is in winners``, where ``is`` says nothing."""
    found = list(_phrases(words, ("is", "in"))) + list(_phrases(words, ("is", "not", "in")))
    if not found or 0 in found or not _fits([word for at, word in enumerate(words) if at not in found], start):
        return None
    at = found[0]
    last = at + 1 if words[at + 1].text == "in" else at + 2
    first = at - 1
    while first >= 2 and words[first - 1].text == "of":
        first -= 2
    single = words[last + 1].shape == "word" and (last + 2 == len(words) or words[last + 2].text != "of")
    texts = [*(word.text for word in (*words[first:at], *words[at + 1 : last + 1])), words[last + 1].text if single else "..."]
    written = " ".join(word.text for word in words[at : last + 1])
    return Slip(at, last, f"`{written}` cannot stand here", f"leave `is` out: `{' '.join(texts)}`")


def _hyphen(words: Sequence[Word], start: Start) -> Slip | None:
    """``players 3-4``: a range with the sign of a subtraction. (An option may lack its default besides.)"""
    for at in range(1, len(words) - 1):
        before, sign, after = words[at - 1 : at + 2]
        if sign.text == "-" and before.shape == after.shape == "number":
            mended = [*words[:at], *cut("..", sign.start), *words[at + 1 :]]
            defaulted = [*mended, *cut(f", default {before.text}", after.end)]
            if _fits(mended, start) or _fits(defaulted, start):
                shown = f"{before.text}..{after.text}"
                return Slip(at - 1, at + 1, "a range of numbers is written with two dots", f"write `{shown}`")
    return None


def _draw_cards(words: Sequence[Word], start: Start) -> Slip | None:
    """``draw 2 cards from deck``, where what is drawn is what lies there."""
    at = next((at for at, word in enumerate(words) if word.text == "from"), 0) - 1
    if words[0].text != "draw" or at < 2 or words[at].shape != "word" or not _fits([*words[:at], *words[at + 1 :]], start):
        return None
    return Slip(at, at, f"`{words[at].text}` cannot stand here", f"leave `{words[at].text}` out")


def _nobody_has(words: Sequence[Word], stuck: Stuck) -> Slip | None:
    """``nobody has coins``: those of whom something holds are named by ``with``."""
    at = stuck.at
    if not 0 < at < len(words) or words[at].text not in ("has", "have") or words[at - 1].text not in ("nobody", "somebody"):
        return None
    who = words[at - 1].text
    return Slip(at, at, f"`{words[at].text}` cannot follow `{who}` here", f"write `{who} with ...`, as in `{who} with coins < 3`")


def _phrases(words: Sequence[Word], texts: tuple[str, ...]) -> Iterator[int]:
    """Where these words stand one after the other."""
    for at in range(len(words)):
        if tuple(word.text for word in words[at : at + len(texts)]) == texts:
            yield at


def _fits(words: Sequence[Word], start: Start) -> bool:
    return not isinstance(sentence(words, start), Stuck)
