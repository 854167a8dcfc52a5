"""Acts and their arguments, decisions, chance events and events, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from attrs import field, frozen

from ..common.source import Span
from ..machine.machine import Domain, Group, Machine, Sort, Sources
from .arguments import ArgumentError, whole_given


@frozen
class Argument:
    """One thing that an act takes. ``sort``: what it is. ``of``: the kind of a component, the grid of cells, the list of a
    word. ``value``: its number (a player's from 0). ``text``: how it is said.

    ``cells``: of a cell itself, of a way to lay something the cells of its parts, of a step where it begins and, unless that is
    given by a direction, where it ends; none for what would leave the grid. ``direction``: of a step, if that is given.
    ``written``: how it is said in the rules' own words, where the text is in another language.
    """

    sort: Sort
    text: str
    value: int
    of: str = ""
    cells: tuple[str, ...] = ()
    direction: str = ""
    written: str = ""


def arguments_in(machine: Machine, group: Group, speaks: bool = False) -> Iterator[tuple[Argument, ...]]:
    """What each option of a group takes, in order. ``speaks``: with texts in the language in which the machine speaks."""
    grids = {grid.name: frozenset(grid.domain.names) for grid in machine.grids}
    for position in range(group.size):
        yield tuple(_argument(d, value, grids, speaks) for d, value in zip(group.arguments, group.values(position), strict=True))


def _argument(domain: Domain, value: int, grids: Mapping[str, frozenset[str]], speaks: bool) -> Argument:
    text = domain.say(value) if speaks else domain.name(value)
    if domain.sort not in ("cell", "way", "step"):
        return Argument(domain.sort, text, value, domain.of, written=domain.name(value) if speaks else "")
    words = domain.name(value).removeprefix("on ").split()
    inside = "outside" not in words and "outside," not in words
    cells = tuple(word for word in words if word in grids[domain.of]) if inside else ()
    way = words[1] if domain.sort == "step" and len(cells) == 1 and len(words) == 2 else ""
    return Argument(domain.sort, text, value, domain.of, cells, way)


class IllegalMove(ValueError):
    """An option or outcome that is not possible now; the text says why."""


@frozen
class Option:
    """One act that a decision is about. ``number``: its dense number in this game, which the option itself stands for as well.

    ``why_not``: "" when it is legal. ``place``: where the rules say why not. ``verb``, ``arguments``: the act as data.
    """

    number: int
    text: str
    legal: bool
    why_not: str = ""
    place: Span | None = field(default=None, eq=False, repr=False)
    verb: str = field(default="", repr=False)
    arguments: tuple[Argument, ...] = field(default=(), repr=False)

    def __index__(self) -> int:
        return self.number


@frozen
class Decision:
    """Somebody has to choose. ``options``: all acts offered here, by number, legal or not.

    ``about``: what else the player is told: which piece is to be laid, what was chosen so far of several things ("": nothing).
    ``sources``: from where acts take their arguments, by the first option of each.
    """

    player: int
    options: tuple[Option, ...]
    about: str = ""
    sources: Mapping[int, Sources] = field(factory=dict, eq=False, repr=False)

    @property
    def legal(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if option.legal)


@frozen
class Outcome:
    """What can come of a chance event: its ``number``, which it is as an index, and how likely it is beside the others."""

    number: int
    text: str
    weight: int

    def __index__(self) -> int:
        return self.number


@frozen
class ChanceEvent:
    """Something is drawn: the possible outcomes, with their integer weights."""

    text: str
    outcomes: tuple[Outcome, ...]


@frozen
class Event:
    """Something that happened, as seats saw it.

    ``kind``: an act of a player, a chance event, something shown (what is drawn last is no chance), or a line of the story.
    ``player``: who acted (0: nobody). ``number``: of the option or outcome. ``seen``: the seats that got ``text``, as a set of
    bits from seat 1; the others got ``hidden`` (None: nothing). ``outcome``: what came of a chance event, by name.
    ``told``: an act with the piece that it lays, for the story ("": there is none). ``sentence``: the sentence of the program
    that the text is ("": it is a text of the rules, or an act).
    """

    kind: Literal["act", "chance", "show", "note"]
    player: int
    number: int
    text: str
    seen: int
    hidden: str | None
    outcome: str = ""
    told: str = ""
    sentence: str = field(default="", eq=False, repr=False)

    def text_for(self, seat: int | None) -> str | None:
        """What a seat (None: somebody who sees everything) reads of this. ArgumentError for what is no seat."""
        if seat is not None and whole_given(seat, "a seat") < 1:
            raise ArgumentError(f"seats go from 1; there is no seat {seat}")
        return self.text if seat is None or self.seen >> (seat - 1) & 1 else self.hidden


def text_of(group: Group, position: int, speaks: bool = False) -> str:
    """The act at a position of its group: the verb and what it takes. ``speaks``: in the language in which the machine speaks."""
    values = zip(group.arguments, group.values(position), strict=True)
    return " ".join([verb_of(group, speaks), *(d.say(v) if speaks else d.name(v) for d, v in values)])


def verb_of(group: Group, speaks: bool) -> str:
    """The fixed text of the acts of a group, as it stands before what they take."""
    if not speaks:
        return group.text
    return (group.before if group.arguments else group.said) or group.text
