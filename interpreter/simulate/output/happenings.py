"""Counts of how often each act of the rules was on offer and was taken, and how often a choice had no legal option."""

from __future__ import annotations

from attrs import frozen

from ...common.source import Span
from ...machine.machine import Machine
from ...machine.traverse import decisions
from ...play.game import Game
from ..statistics.counts import Counts


@frozen
class Act:
    """An act as it stands on a line of the rules: how often it was on offer, and how often it was chosen.

    ``text``: in the language of the game.
    """

    text: str
    span: Span
    offered: int
    taken: int


@frozen
class Idle:
    """A choice in which nothing was legal: how often nobody was asked."""

    span: Span
    times: int


def acts_of(game: Game, counts: Counts) -> tuple[Act, ...]:
    """All acts of the rules, in the order of the lines. A line that is played in several places of the machine counts once."""
    found: dict[tuple[str, Span], tuple[int, int]] = {}
    for choose in decisions(game.machine):
        for index, alternative in enumerate(choose.alternatives):
            group = game.machine.groups[alternative.group]
            key = (game.speaks and group.said) or group.text, alternative.span
            offered, taken = found.get(key, (0, 0))
            place = choose.site, index
            found[key] = offered + counts.offered.get(place, 0), taken + counts.taken.get(place, 0)
    acts = (Act(text, span, offered, taken) for (text, span), (offered, taken) in found.items())
    return tuple(sorted(acts, key=lambda act: (act.span.source.path, act.span.start)))


def idle_choices(machine: Machine, counts: Counts) -> tuple[Idle, ...]:
    """All choices in which it came up that nothing was legal, in the order of the lines."""
    found: dict[Span, int] = {}
    for choose in decisions(machine):
        if choose.site in counts.nothing:
            found[choose.span] = found.get(choose.span, 0) + counts.nothing[choose.site]
    return tuple(Idle(span, found[span]) for span in sorted(found, key=lambda span: (span.source.path, span.start)))
