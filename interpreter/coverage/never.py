"""A list of everything that never happened in any test or game, in the game's words.

Parts inside something that was never reached are not listed again, and neither is what belongs to a variant that was never played
with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from attrs import frozen

from .coverage import Coverage
from .kinds import HEADINGS, LINES
from .parts import Part
from .reached import Place


@frozen
class Never:
    """Things of one sort that never happened: a heading, and each thing with what it is called."""

    heading: str
    things: tuple[tuple[str, Place], ...]


def never(coverage: Coverage) -> tuple[Never, ...]:
    """What never happened, by sort, in the order of the lines."""
    within = {part.place: part.within for part in coverage.parts}
    played = {part.text for part in coverage.parts if part.place.kind == "variant" and coverage.reached(part.place)}
    left = [
        part
        for part in coverage.parts
        if not coverage.reached(part.place) and not _goes_without_saying(part, coverage, within, played)
    ]
    found = []
    for heading, kinds in HEADINGS:
        things = tuple((_said(part), part.place) for part in left if part.place.kind in kinds)
        if things:
            found.append(Never(heading, things))
    return tuple(found)


def _goes_without_saying(part: Part, coverage: Coverage, within: Mapping[Place, Place | None], played: Set[str]) -> bool:
    """Whether something else that is said says this, too.

    ``within``: what each thing stands inside of. ``played``: the variants that were played with.
    """
    if part.variant and part.place.kind != "variant" and part.variant not in played:
        return True
    if part.place.kind == "chosen" and not coverage.reached(Place("offered", part.place.span, part.place.said)):
        return True
    return any(not coverage.reached(place) for place in _around(part, within))


def _around(part: Part, within: Mapping[Place, Place | None]) -> Iterator[Place]:
    place = part.within
    while place is not None:
        yield place
        place = within[place]


def _said(part: Part) -> str:
    match part.place.kind:
        case "row":
            return f"`{part.of}` for {part.text}"
        case "value":
            return f"{part.of} {part.text}"
        case "variant":
            return f"variant {part.text}"
        case "case" | "reason" | "limit" | "tie" | "statement":
            return part.text
        case _:
            return part.text if part.place.kind in LINES or part.place.kind == "players" else part.text.replace("_", " ")
