"""Zones that not all see, and of which everybody knew everything whenever somebody decided.

A zone is told (R376) if some components came to it unseen, a line reveals what lies there, and all seats knew all of it at each
of many decisions, at every table that has the zone. Then it is revealed before its secret can matter. A zone to which everything
comes openly is not told: cards that were won lie face down in many games. Piles are left out, since their secret is the order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import define, field, frozen

from ....common.diagnostics import Diagnostic, warning
from ....common.source import Span
from ....machine.knowledge import closed_places, known_of
from ....machine.machine import Machine
from ....machine.places import amount, sees_faces
from ....model import model
from ....model.visitor import walk
from ....play.game import Game
from ....table.sampling.combinations import Choice
from ....table.table import Table

DECISIONS, GAMES = 200, 100  # that are looked at, at each table
ENOUGH = 100  # decisions while something lies in a zone


@define
class _Seen:
    """What was seen of a zone: at how many decisions something lay there, and whether somebody did not know it, between decisions
    (``came_unseen``) or at one (``is_secret``). ``shown``: a line that reveals it; ``at``: tables that have it."""

    zone: Span
    shown: Span
    decisions: int = 0
    came_unseen: bool = False
    is_secret: bool = False
    at: list[Choice] = field(factory=list)


@frozen
class PlayedAt:
    """A table. ``game``: makes it ready to be played, which takes a while."""

    choice: Choice
    table: Table
    game: Callable[[], Game]


def never_secret(
    first: Sequence[PlayedAt], others: Sequence[PlayedAt], seed: int, told: Callable[[Span], bool], late: Callable[[], bool]
) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """A finding for each zone that is never a secret, with the tables that have it.

    ``others``: further tables, which are looked at where one seems to be none. ``told``: whether something is known already of
    the line at a place. ``late``: whether there is no more time.
    """
    found: dict[str, _Seen] = {}
    for at in (*first, *others):
        for name, line in _revealed(at.table).items():
            if not told(at.table.zones[name].span):
                found.setdefault(name, _Seen(at.table.zones[name].span, line))
    for at in (*first, *others):
        there = {name: seen for name, seen in found.items() if not seen.is_secret and _is_closed(name, at.table)}
        if at in first or any(seen.came_unseen for seen in there.values()):
            _look(at.game(), there, seed, late)
        for seen in there.values():
            seen.at.append(at.choice)
        if late():
            return
    for name, seen in found.items():
        if seen.came_unseen and not seen.is_secret and seen.decisions >= ENOUGH:
            message = f"`{name}` never kept a secret: whenever somebody decided, all knew what lay there"
            help = f"reveal it later, or let `{name}` be `open`"
            places = [(seen.shown, "all see it here")]
            yield warning("R376", message, seen.zone, *places, label="not all are to see this", help=help), seen.at


def _revealed(table: Table) -> dict[str, Span]:
    """The zones of which a line shows to all what lies there, with that line."""
    shown: dict[str, Span] = {}
    for node in table.statements:
        if isinstance(node, model.Reveal) and node.to is None and node.what.type.base == "component":
            for part in walk(node.what):
                if isinstance(part, model.ZoneContent) and _is_closed(part.zone, table):
                    shown.setdefault(part.zone, node.span)
    return shown


def _is_closed(name: str, table: Table) -> bool:
    """Whether a table has this zone, and not all see what lies there; no piles."""
    zone = table.zones.get(name)
    return zone is not None and zone.visibility != "open" and zone.shape != "pile"


def _look(game: Game, zones: dict[str, _Seen], seed: int, late: Callable[[], bool]) -> None:
    """Play some games, and note what was seen of these zones."""
    executor, asked = game.executor, 0
    for number in range(GAMES):
        cells = executor.fresh(seed, number)
        stop = executor.enter(cells)
        while stop.node is not None:
            looked_at = [name for name, seen in zones.items() if not seen.is_secret]
            if asked == DECISIONS or not looked_at or late():
                return
            there = _known(game.machine, cells, looked_at)
            if stop.kind == "chance":
                for name, is_known in there.items():
                    zones[name].came_unseen |= not is_known
                stop = executor.happen(cells, executor.draw(cells))
                continue
            asked += 1
            for name, is_known in there.items():
                zones[name].decisions += 1
                zones[name].is_secret |= not is_known
            stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))


def _known(machine: Machine, cells: Sequence[int], zones: Sequence[str]) -> dict[str, bool]:
    """For each of these zones in which something lies, whether all know all of that."""
    found: dict[str, bool] = {}
    for knowledge in machine.knowledge:
        closed = closed_places(machine, knowledge)
        if not any(zone.name in zones and amount(machine, zone, owner, cells) for zone, owner in closed):
            continue
        for seat in range(1, machine.seats + 1):
            for (zone, owner), known in zip(closed, known_of(machine, knowledge, cells, seat), strict=True):
                many = amount(machine, zone, owner, cells)
                if many and zone.name in zones:
                    all_of_it = sees_faces(zone, owner, seat) or len(known.certain) == many
                    found[zone.name] = found.get(zone.name, True) and all_of_it
    return found
