"""The moves that the rules can make, and from them who can know what lies in a closed place.

A move is seen by those who see where it starts or where it goes. So players who do not look into a closed place still know its
content as long as everything comes there from open places and goes to open ones. The content becomes unknown when something is
drawn by chance from one closed place to another, or when components that are unknown already, or somebody's choice, move so.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field, frozen

from ...common.source import Span
from ...model import model
from ...model.model import Expr
from ...table.table import Table
from ..dataflow.sources import Source, player_of


@frozen
class Way:
    """Components can go from one zone to another. ``by_chance``: nobody has chosen which; ``some``: not all that lie there."""

    start: str
    start_owner: Expr | None
    end: str
    end_owner: Expr | None
    by_chance: bool
    some: bool


@define(eq=False)
class Moving:
    """All ways that components can go in a table, and the piles of which some are taken out ``unseen``.

    ``shown``: zones whose faces are revealed at some time, with the loops in which this is done. ``shown_to_others``: those whose
    faces others see at some time than the player whose they are.
    """

    table: Table
    ways: list[Way] = field(factory=list)
    unseen: set[str] = field(factory=set)
    mixed: set[str] = field(factory=set)
    shown: dict[str, frozenset[Span]] = field(factory=dict)
    shown_to_others: set[str] = field(factory=set)

    def visibility(self, zone: str) -> model.Visibility:
        """Who sees the faces in a zone; the box and all grids are open."""
        return self.table.zones[zone].visibility if zone in self.table.zones else "open"

    def can_know(self, asked: Source, who: Expr | None, ways: Sequence[Way]) -> bool:
        """Whether a player who does not look into a place may know all the same what lies there (None: any player may).

        ``ways``: those by which something may have gone there.
        """
        return not self._unknown(asked.name, asked.owner, who, ways, ())

    def _unknown(self, zone: str, owner: Expr | None, who: Expr | None, ways: Sequence[Way], path: tuple[str, ...]) -> bool:
        if self.visibility(zone) == "open" or zone in path:
            return False
        if zone in self.unseen:
            return True
        for way in ways:
            if zone not in (way.start, way.end) or "open" in (self.visibility(way.start), self.visibility(way.end)):
                continue
            if self._takes_part(way, owner, who):
                continue
            if way.by_chance and (way.start in self.mixed or self.table.zones[way.start].shape != "pile"):
                return True
            if way.some or (way.end == zone and self._unknown(way.start, way.start_owner, who, ways, (*path, zone))):
                return True
        return False

    def _takes_part(self, way: Way, owner: Expr | None, who: Expr | None) -> bool:
        """Whether somebody sees what goes to or from a place (of ``owner``), whenever something goes so.

        A name that stands for one player after the other is not enough, unless it is that player's own place.
        """
        own = player_of(owner) == who and player_of(way.start_owner) == player_of(way.end_owner) is not None
        if who is None or (isinstance(who, model.VarValue) and not own):
            return False
        ends = (way.start, player_of(way.start_owner)), (way.end, player_of(way.end_owner))
        return any(self.visibility(zone) == "private" and (own or whose == who) for zone, whose in ends)
