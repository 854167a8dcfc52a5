"""What is a component called? By what is printed on it, as far as that is needed to tell it from the others."""

from __future__ import annotations

from ....table.table import Kind
from ...machine import NONE, Domain


def domain_of(kind: Kind, seats: tuple[str, ...]) -> Domain:
    """The faces of a kind, named: the first attributes that tell them apart, the others in brackets; or whose they are."""
    if kind.owned:
        each = kind.faces[0].copies
        copies_of_all = tuple(f for f in range(len(seats)) for _ in range(each)) if each > 1 else ()
        return Domain(tuple(f"{kind.name} of {seat}" for seat in seats), 0, copies_of_all)
    said = [tuple(_said(kind, face.values, i) for i in range(len(kind.attributes))) for face in kind.faces]
    needed = next(
        (n for n in range(len(kind.attributes) + 1) if len({s[:n] for s in said}) == len(said)), len(kind.attributes)
    )
    names = []
    for values in said:
        name = " ".join(v for v in values[:needed] if v)
        name = f"{kind.name} {name}".strip() if not any(ch.isalpha() for ch in name) else name  # 7 alone says too little
        rest = ", ".join(v for v in values[needed:] if v)
        names.append(f"{name} ({rest})" if rest else name)
    copies: tuple[int, ...] = ()
    if any(face.copies > 1 for face in kind.faces):
        copies = tuple(f for f, face in enumerate(kind.faces) for _ in range(face.copies))
    return Domain(tuple(names), 0, copies)


def _said(kind: Kind, values: tuple[int, ...], index: int) -> str:
    """A value on a face in words; "" for none."""
    words = kind.words[index]
    value = values[index]
    if words is None:
        return "" if value == NONE else str(value)
    return "" if value == NONE else words[value]
