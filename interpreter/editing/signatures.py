"""What a name wants behind it: the parameters of a step, define, zone, counter or table."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ..syntax import tree
from ..syntax.parsing.tokens import all_words
from .completion import is_quiet
from .names import Symbol
from .workspace import Document

_PLACES: Final = frozenset({"of", "for", "after", "at", "against"})


@frozen
class Signature:
    """A name with its parameters as they are written (``claim of player for domino``), where each of these stands in ``label``
    (offsets), and which one is being written."""

    label: str
    parameters: tuple[tuple[int, int], ...]
    active: int


def signature(document: Document, offset: int) -> Signature | None:
    """The parameters of the name whose arguments are being written at a place; None where there is none."""
    text = document.source.text
    if is_quiet(text, offset):
        return None
    for end, symbol in _names_before(document, offset):
        parameters: tuple[tree.Parameter, ...] = getattr(symbol.line, "parameters", ())
        if not parameters or symbol.sort in ("name", "word"):
            continue
        if end == offset:
            return None  # the name itself is being written
        behind = [word.text for word in all_words(text[end:offset], 0)]
        given = [word for word in behind if word in _PLACES]
        if behind and behind[0] not in _PLACES:
            continue
        label = symbol.name
        places: list[tuple[int, int]] = []
        for parameter in parameters:
            own = "" if parameter.name is None else f" {parameter.name.text}"
            shown = f"{parameter.place} {parameter.noun.text}{own}"
            places.append((len(label) + 1, len(label) + 1 + len(shown)))
            label += f" {shown}"
        active = next((at for at, each in enumerate(parameters) if given[-1:] == [each.place]), max(len(given) - 1, 0))
        return Signature(label, tuple(places), min(active, len(parameters) - 1))
    return None


def _names_before(document: Document, offset: int) -> list[tuple[int, Symbol]]:
    """The names in a line before a place, the last one first: where each ends, and what it means.

    In a line that is not whole yet, a word means what is declared under it.
    """
    text, names = document.source.text, document.names
    begin = text.rfind("\n", 0, offset) + 1
    there = [each for each in names.in_file(document.source.path) if begin <= each.span.end <= offset]
    if there:
        return [(each.span.end, each.symbol) for each in reversed(there) if not each.declares]
    declared = {symbol.name: symbol for symbol in reversed(names.symbols) if symbol.sort != "name"}
    words = all_words(text[begin:offset], begin)
    return [(word.end, declared[word.text]) for word in reversed(words) if word.text in declared]
