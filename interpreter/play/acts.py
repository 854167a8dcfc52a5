"""Acts as data: the verb of an option, and references to the things that it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from ..machine.machine import Domain, Group, Machine, Sort


@frozen
class Argument:
    """One thing that an act takes. ``sort``: what it is. ``of``: the kind of a component, the grid of cells. ``value``: its
    number (a player's from 0). ``text``: how it is said.

    ``cells``: of a cell itself, of a way to lay something the cells of its parts, of a step where it begins and, unless that is
    given by a direction, where it ends; none for what would leave the grid. ``direction``: of a step, if that is given.
    """

    sort: Sort
    text: str
    value: int
    of: str = ""
    cells: tuple[str, ...] = ()
    direction: str = ""


def arguments_in(machine: Machine, group: Group) -> Iterator[tuple[Argument, ...]]:
    """What each option of a group takes, in order."""
    grids = {grid.name: frozenset(grid.domain.names) for grid in machine.grids}
    for position in range(group.size):
        yield tuple(_argument(d, value, grids) for d, value in zip(group.arguments, group.values(position), strict=True))


def _argument(domain: Domain, value: int, grids: Mapping[str, frozenset[str]]) -> Argument:
    text = domain.name(value)
    if domain.sort not in ("cell", "way", "step"):
        return Argument(domain.sort, text, value, domain.of)
    words = text.removeprefix("on ").split()
    inside = "outside" not in words and "outside," not in words
    cells = tuple(word for word in words if word in grids[domain.of]) if inside else ()
    way = words[1] if domain.sort == "step" and len(cells) == 1 and len(words) == 2 else ""
    return Argument(domain.sort, text, value, domain.of, cells, way)
