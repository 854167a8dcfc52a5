"""What a name wants behind it: the parameters of a step, define, zone, counter or table."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ..syntax import tree
from ..syntax.parsing.tokens import all_words
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
    begin = text.rfind("\n", 0, offset) + 1
    for found in reversed([each for each in document.names.in_file(document.source.path) if begin <= each.span.end <= offset]):
        parameters: tuple[tree.Parameter, ...] = getattr(found.symbol.line, "parameters", ())
        if found.declares or not parameters or found.symbol.sort in ("name", "word"):
            continue
        behind = [word.text for word in all_words(text[found.span.end : offset], 0)]
        given = [word for word in behind if word in _PLACES]
        if not behind:
            return None
        if behind[0] not in _PLACES:
            continue
        label, places = found.symbol.name, []
        for parameter in parameters:
            own = "" if parameter.name is None else f" {parameter.name.text}"
            shown = f"{parameter.place} {parameter.noun.text}{own}"
            places.append((len(label) + 1, len(label) + 1 + len(shown)))
            label += f" {shown}"
        active = next((at for at, each in enumerate(parameters) if each.place == given[-1]), len(given) - 1)
        return Signature(label, tuple(places), min(active, len(parameters) - 1))
    return None
