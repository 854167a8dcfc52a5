"""Binds the ``{name}`` places in a text of the rules."""

from __future__ import annotations

import unicodedata

from ....common.source import Span
from ....syntax import tree
from ....syntax.parsing.words import RESERVED
from ... import model
from ...model import PLACE, Expr
from ..expressions import expression
from ..names.scope import Scope


def reason(text: str | None, span: Span, scope: Scope) -> model.Reason:
    """A text with its ``{name}`` places bound."""
    parts: list[str | Expr] = []
    places: list[tuple[str, model.Said]] = []
    pieces = PLACE.split(text or "")
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            parts += [piece] if piece else []
            continue
        start = span.source.text.find("{" + piece + "}", span.start, span.end)
        place = Span(span.source, start + 1, start + 1 + len(piece)) if start >= 0 else span
        names = unicodedata.normalize("NFC", piece).split(" of ")
        if any(not name.strip() or name.strip() in RESERVED or " " in name.strip() for name in names):
            scope.complain(
                "R201",
                f"`{piece}` cannot stand in a text: only names, and `X of Y`",
                place,
                help="name it by a `let` above, and write that name",
            )
            continue
        ref: tree.Expression = tree.Ref(names[-1].strip(), span=place)
        for name in reversed(names[:-1]):
            ref = tree.Ref(name.strip(), ref, span=place)
        parts.append(expression(ref, scope))
        places.append((piece, len(places)))
    said = model.Sentence(text, tuple(places), "reason") if text else None
    return model.Reason(tuple(parts), said, span=span)


def of_option(text: str | None, span: Span, scope: Scope) -> str | None:
    """The text of an option, which has no places: what it takes is told behind it."""
    found = PLACE.search(text or "")
    if found is not None:
        start = span.source.text.find(found[0], span.start, span.end)
        place = Span(span.source, start, start + len(found[0])) if start >= 0 else span
        help = "leave it out: what an option takes is told behind its text"
        scope.complain("R201", f"`{found[0]}` cannot stand in the text of an option", place, help=help)
    return text


def told(parts: tuple[str | Expr, ...], text: str, span: Span, **places: model.Said) -> model.Reason:
    """A text of the program: its parts in English, and the sentence for other languages. Values go by their number."""
    return model.Reason(parts, model.Sentence(text, tuple(places.items())), span=span)
