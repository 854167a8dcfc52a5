"""Counts the acts that strong players take and leave, beside what chance would have taken.

An act is a verb, or a verb with one of its arguments: ``play``, ``play ace of spades``, ``bid 7``. It counts only where there was
a choice for or against it: some options are of the act, and some are not. Chance would take it with the part that its options
have of all legal options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from ...machine.machine import Machine

Key = tuple[int, int, int]  # a group of options, the place of an argument (-1: none), the argument's value
VERB = -1
UNIT = 1 << 20  # a whole act in `Taken.by_chance`


@frozen
class Taken:
    """``offered``: at how many decisions there was a choice for or against an act; ``taken``: how often it was taken.
    ``by_chance``: how often chance would have, times `UNIT`."""

    offered: int = 0
    taken: int = 0
    by_chance: int = 0

    def __add__(self, other: Taken) -> Taken:
        return Taken(self.offered + other.offered, self.taken + other.taken, self.by_chance + other.by_chance)


class ActCounter:
    """Counts the acts of one game."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._keys: dict[int, tuple[Key, ...]] = {}
        self.counts: dict[Key, Taken] = {}

    def clear(self) -> None:
        self.counts = {}

    def count(self, legal: Sequence[int], option: int) -> None:
        """A decision with more than one legal option."""
        of_each: dict[Key, int] = {}
        for each in legal:
            for key in self._of(each):
                of_each[key] = of_each.get(key, 0) + 1
        taken = self._of(option)
        for key, options in of_each.items():
            if options < len(legal):
                self.counts[key] = self.counts.get(key, Taken()) + Taken(1, int(key in taken), UNIT * options // len(legal))

    def _of(self, option: int) -> tuple[Key, ...]:
        found = self._keys.get(option)
        if found is None:
            number, group = next(
                (n, group) for n, group in enumerate(self._machine.groups) if group.base <= option < group.base + group.size
            )
            arguments = group.values(option - group.base)
            found = ((number, VERB, 0), *((number, place, value) for place, value in enumerate(arguments)))
            self._keys[option] = found
        return found


def words_of(machine: Machine, key: Key) -> tuple[str, str]:
    """A verb, and its argument ("": all of them), in the language in which the machine speaks."""
    number, place, value = key
    group = machine.groups[number]
    if place == VERB:
        return group.said or group.text, ""
    name = group.arguments[place].say(value)
    return group.before or group.text, f"{_ordinal(place, len(group.arguments))}{name}"


def _ordinal(place: int, places: int) -> str:
    """Which argument it is, where there are several."""
    return "" if places < 2 else f"({place + 1}) "


def added(counts: Iterable[Mapping[Key, Taken]]) -> dict[Key, Taken]:
    """The counts of many games together."""
    found: dict[Key, Taken] = {}
    for each in counts:
        for key, taken in each.items():
            found[key] = found[key] + taken if key in found else taken
    return found
