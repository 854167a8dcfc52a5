"""Names of components, made of what is printed on them, as far as it is needed to tell one from the others."""

from __future__ import annotations

import re

from ....table.table import Kind
from ...machine import NONE, Domain

PLACE = re.compile(r"\{([^{}]*)\}")  # of an attribute in `shown as`


def domain_of(kind: Kind, seats: tuple[str, ...]) -> Domain:
    """The faces of a kind, named: the first attributes that tell them apart, the others in brackets; or whose they are."""
    if kind.owned:
        each = kind.faces[0].copies
        copies_of_all = tuple(f for f in range(len(seats)) for _ in range(each)) if each > 1 else ()
        return Domain(tuple(f"{kind.name} of {seat}" for seat in seats), 0, copies_of_all)
    names = _shown(kind) if kind.shown else _names(kind, "")
    if len(set(names)) < len(names):  # which value is none makes the difference
        names = _names(kind, "none")
    copies: tuple[int, ...] = ()
    if any(face.copies > 1 for face in kind.faces):
        copies = tuple(f for f, face in enumerate(kind.faces) for _ in range(face.copies))
    return Domain(tuple(names), 0, copies)


def _names(kind: Kind, none: str) -> list[str]:
    """The names of all faces. ``none``: what is said where an attribute has no value."""
    said = [tuple(_said(kind, face.values, i) or none for i in range(len(kind.attributes))) for face in kind.faces]
    needed = next(
        (n for n in range(len(kind.attributes) + 1) if len({s[:n] for s in said}) == len(said)), len(kind.attributes)
    )
    names = []
    for values in said:
        name = " ".join(v for v in values[:needed] if v)
        speaks = any(ch.isalpha() for value in values[:needed] if value != none for ch in value)
        name = name if speaks else f"{kind.name} {name}".strip()  # 7 alone says too little
        rest = ", ".join(v for v in values[needed:] if v)
        names.append(f"{name} ({rest})" if rest else name)
    return names


def _shown(kind: Kind) -> list[str]:
    """The names that the rules give; where they are the same for different faces, the other values follow in brackets."""
    said = [tuple(_said(kind, face.values, i) for i in range(len(kind.attributes))) for face in kind.faces]
    names = [" ".join(_filled(kind, values).split()) for values in said]
    placed = set(PLACE.findall(kind.shown))
    unplaced = [i for i, attribute in enumerate(kind.attributes) if attribute not in placed]
    found = []
    for name, values in zip(names, said, strict=True):
        alike = [other for other, others_name in zip(said, names, strict=True) if others_name == name]
        rest = ", ".join(values[i] or "none" for i in unplaced if len({other[i] for other in alike}) > 1)
        found.append(f"{name} ({rest})".strip() if rest else name)
    return found


def _filled(kind: Kind, values: tuple[str, ...]) -> str:
    """The text of a kind with the values of one face in its places."""
    return PLACE.sub(lambda place: values[kind.attributes.index(place[1])].replace("_", " "), kind.shown)


def _said(kind: Kind, values: tuple[int, ...], index: int) -> str:
    """A value on a face in words; "" for none."""
    words = kind.words[index]
    value = values[index]
    if value == NONE and (words is not None or kind.optional[index]):
        return ""
    return str(value) if words is None else words[value]
