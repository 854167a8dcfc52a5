"""Names of components, made of what is printed on them, as far as it is needed to tell one from the others."""

from __future__ import annotations

import re
from collections import Counter

from attrs import evolve

from ....common.nouns import spoken
from ....table.table import Face, Kind
from ....words.words import ENGLISH, Role, Words
from ...machine import NONE, Domain

PLACE = re.compile(r"\{([^{}]*)\}")  # of an attribute in `shown as`
OWNER = "{owner}"  # of the player to whom a piece belongs


def domain_of(kind: Kind, seats: tuple[str, ...]) -> Domain:
    """The faces of a kind, named as the rules have it (see `names_of`)."""
    copies: tuple[int, ...] = ()
    if any(face.copies > 1 for face in kind.faces):
        copies = tuple(f for f, face in enumerate(kind.faces) for _ in range(face.copies))
    return Domain(names_of(kind, seats, ENGLISH), 0, copies, "component", kind.name)


def names_of(kind: Kind, seats: tuple[str, ...], words: Words) -> tuple[str, ...]:
    """The names of faces: as the rules say, or by the first attributes that tell them apart and the others in brackets.

    What belongs to a player is called so, and components that are printed alike are numbered: ``man 2 of Ann``. Those of a joint
    kind have the names of their own kinds.
    """
    if kind.joint:
        own = [(each.name, name) for each in kind.joint for name in names_of(each, seats, words)]
        often = Counter(name for _, name in own)
        return tuple(f"{words.name('kind', of)} {name}" if often[name] > 1 else name for of, name in own)
    first = int(kind.owned)  # of what is printed
    printed = evolve(
        kind,
        attributes=kind.attributes[first:],
        words=kind.words[first:],
        optional=kind.optional[first:],
        faces=tuple(Face(values, 1) for values in dict.fromkeys(face.values[first:] for face in kind.faces)),
    )
    said = _shown(printed, words) if kind.shown else _by_values(printed, words)
    name_of = {face.values: name for face, name in zip(printed.faces, said, strict=True)}
    names = []
    for number, face in enumerate(kind.faces):
        name, same = name_of[face.values[first:]], [n for n, other in enumerate(kind.faces) if other.values == face.values]
        if len(same) > 1:
            number_of = same.index(number) + 1
            name = f"{name} ({number_of})" if OWNER in name else f"{name} {number_of}"
        if kind.owned:
            owner = seats[face.values[0]]
            theirs = words.phrase("{component} of {player}", component=name, player=owner)
            name = name.replace(OWNER, owner) if OWNER in name else theirs
        names.append(name)
    return tuple(names)


def _by_values(kind: Kind, words: Words) -> list[str]:
    names = _names(kind, "", words)
    if len(set(names)) == len(names):
        return names
    return _names(kind, words.phrase("none"), words)  # which value is none makes the difference


def _names(kind: Kind, none: str, words: Words) -> list[str]:
    """The names of all faces. ``none``: what is said where an attribute has no value."""
    said = [tuple(_said(kind, face.values, i, words) or none for i in range(len(kind.attributes))) for face in kind.faces]
    needed = next((n for n in range(len(kind.attributes) + 1) if len({s[:n] for s in said}) == len(said)), len(kind.attributes))
    names = []
    for values in said:
        name = " ".join(v for v in values[:needed] if v)
        speaks = any(ch.isalpha() for value in values[:needed] if value != none for ch in value)
        name = name if speaks else f"{words.name('kind', kind.name)} {name}".strip()  # 7 alone says too little
        rest = words.row(v for v in values[needed:] if v)
        names.append(f"{name} ({rest})" if rest else name)
    return names


def _shown(kind: Kind, words: Words) -> list[str]:
    """The names that the rules give; where they are the same for different faces, the other values follow in brackets."""
    said = [tuple(_said(kind, face.values, i, words) for i in range(len(kind.attributes))) for face in kind.faces]
    names = [" ".join(_filled(kind, words.text("component", kind.shown), values).split()) for values in said]
    placed = set(PLACE.findall(kind.shown))
    unplaced = [i for i, attribute in enumerate(kind.attributes) if attribute not in placed]
    found = []
    for name, values in zip(names, said, strict=True):
        alike = [other for other, others_name in zip(said, names, strict=True) if others_name == name]
        rest = words.row(values[i] or words.phrase("none") for i in unplaced if len({other[i] for other in alike}) > 1)
        found.append(f"{name} ({rest})".strip() if rest else name)
    return found


def _filled(kind: Kind, text: str, values: tuple[str, ...]) -> str:
    """The text of a kind with the values of one face in its places."""

    def value(place: re.Match[str]) -> str:
        return place[0] if place[0] == OWNER else values[kind.attributes.index(place[1])]

    return PLACE.sub(value, text)


def _said(kind: Kind, values: tuple[int, ...], index: int, words: Words) -> str:
    """A value on a face in words; "" for none."""
    names = kind.words[index]
    value = values[index]
    if value == NONE and (names is not None or kind.optional[index]):
        return ""
    return str(value) if names is None else word_of(names[value], words)


def word_of(name: str, words: Words) -> str:
    """A word on a component: of a list or an attribute, its name, or of a column of texts."""
    roles: tuple[Role, ...] = ("word", "component", "text")
    return next((said for role in roles if (said := words.name(role, name)) != spoken(name)), spoken(name))
