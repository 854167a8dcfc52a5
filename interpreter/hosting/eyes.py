"""The sight that one seat, or somebody who watches, has of a game in progress: its view, and the events as it was told them.

Somebody who watches sees what every seat sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce

from attrs import evolve

from ..play.game import Event, State
from ..play.knowledge.views import View, ZoneSeen

WATCHING = 0  # the seat of those who only watch


def seen_from(state: State, seat: int) -> View:
    """The view of a seat (`WATCHING`: what all seats see)."""
    if seat != WATCHING:
        return state.view(seat)
    return reduce(_both, (state.view(each) for each in range(1, state.game.players + 1)))


def _both(one: View, other: View) -> View:
    zones = tuple(_zone(mine, theirs) for mine, theirs in zip(one.zones, other.zones, strict=True))
    there = Counter(other.values)
    return View(None, zones, tuple(value for value in one.values if there[value]))


def _zone(one: ZoneSeen, other: ZoneSeen) -> ZoneSeen:
    if one.components == other.components:
        return one
    left = Counter(other.components)
    both = []
    for component in one.components:
        if left[component]:
            left[component] -= 1
            both.append(component)
    more = {component.name for component in one.components if component not in both}
    may = tuple(dict.fromkeys((*one.may, *other.may, *sorted(more)))) if one.may or other.may else ()
    return evolve(one, components=tuple(both), may=may)


def text_for(event: Event, seat: int, players: int) -> str | None:
    """What a seat (`WATCHING`: everybody) reads of an event."""
    if seat != WATCHING:
        return event.text_for(seat)
    return event.text if event.seen == (1 << players) - 1 else event.hidden


def events_seen(state: State, seat: int, start: int = 0) -> Iterator[tuple[int, Event, str | None]]:
    """The events from a place on, by number, with what a seat reads of them."""
    events: Sequence[Event] = state.events
    for index in range(start, len(events)):
        yield index, events[index], text_for(events[index], seat, state.game.players)


def deciding(state: State, seat: int) -> int | None:
    """The seat that has to choose, as a seat may know it; None where it is somebody, and 0 where nobody has.

    Who makes a choice that the others are told nothing of is their own secret.
    """
    player = state.player
    if player in (0, seat):
        return player
    return None if state.decides_in_secret else player
