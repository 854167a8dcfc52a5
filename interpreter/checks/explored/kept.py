"""The results of playing the tables of a rules file, kept from one check to the next.

A table that an edit does not touch is not played again. A rules file has one entry in the cache, which holds the results of each
table by a key: a digest of the table (`digests.py`), how much was played, the seed, and rulesrun's own files. Everything is plain
data. A fault is its number in the machine, and a game is its seed or its course, so findings are worded from the present text of
the rules.

The content of the cache is not trusted. Data of the wrong shape is ignored, and a game is played again before its finding is
reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from hashlib import sha256
from os.path import realpath
from typing import Any, get_args

from attrs import define, field

from ...common import cache
from ...machine.analysis import derived
from ...machine.machine import Alternative, Fault, Machine
from ...machine.traverse import decisions
from ...play.kept import own_files
from ...search.walker import Walker
from ...table.table import Table
from .playing.endless import CANNOT_END, NEED_NOT_END, cannot_end, comes_again
from .playing.exhausting import Exhausted
from .playing.spotted import By, Seen, Shown, Spot, alternatives, spot_at, spot_of

BYTES = 1_000_000  # of an entry; what was not asked for the longest time goes first
HIGHEST = 1 << 31  # above all numbers of games, decisions, options and outcomes

Data = Any  # as json has it


class NotSo(Exception):
    """What was kept is not so."""


@define(eq=False)
class Kept:
    """What is kept of one rules file, by key, what was asked for last at the end. ``name``: of its entry; "": it has none."""

    name: str = ""
    known: dict[str, Data] = field(factory=dict)
    changed: bool = False

    @classmethod
    def of(cls, path: str) -> Kept:
        """What earlier runs kept of the rules at a path."""
        kept = cls(cache.name_for("check", realpath(path), own_files()))
        entry = cache.read(kept.name)
        if entry is not None:
            try:
                found = json.loads(entry)
            except (ValueError, RecursionError):
                return kept
            if isinstance(found, dict):
                kept.known = found
        return kept

    def get(self, *asked: Hashable) -> Data:
        """What is kept under a key; None where nothing is."""
        key = _key(asked)
        found = self.known.pop(key, None)
        if found is not None:
            self.known[key] = found
        return found

    def put(self, found: Data, *asked: Hashable) -> None:
        """Keep something under a key."""
        self.known[_key(asked)] = found
        self.changed = True

    def add(self, known: Mapping[str, Data]) -> None:
        """Keep what another program kept."""
        self.known |= known
        self.changed |= bool(known)

    def forget(self) -> None:
        """Keep nothing of all this."""
        self.changed = True
        self.known = {}

    def save(self) -> None:
        """Write the entry, if there is anything new."""
        if not (self.name and self.changed):
            return
        size = 0
        last: list[str] = []
        for key in reversed(self.known):
            size += len(json.dumps(self.known[key])) + len(key)
            if size > BYTES:
                break
            last.append(key)
        cache.write(self.name, json.dumps({key: self.known[key] for key in reversed(last)}).encode())
        self.changed = False


def _key(asked: Sequence[Hashable]) -> str:
    return sha256(repr(asked).encode()).hexdigest()[:32]


# ---- Tables as data


Machined = Callable[[], Machine | None]  # a machine that is made when it is first asked for


def table_as_data(seen: Seen, exhausted: Exhausted | None, positions: int, machine: Machined) -> Data:
    """What was found at a table, as data; None where that cannot be."""
    games = []
    for shown in seen.found.values():
        fault = _fault_as_data(_required(machine), shown.fault)
        if fault is None:
            return None
        games.append([fault, shown.decisions, shown.by, shown.number, shown.options, shown.course])
    through = None
    if exhausted is not None:
        lines = [number for number, line in enumerate(_alternatives(_required(machine))) if line.span in exhausted.lines]
        through = [lines, sorted(exhausted.winners), sorted(exhausted.terms), exhausted.ends, exhausted.is_a_game]
    missing: list[int] | None = None if seen.missing is None else []
    if seen.missing:
        missing = [number for number, line in enumerate(_alternatives(_required(machine))) if line.span in seen.missing]
    return [games, [seen.games, seen.ends, sorted(seen.scored), seen.same, seen.wins, missing], through, positions]


def table_from_data(data: Data, table: Table, machine: Machined) -> tuple[Seen, Exhausted | None, int] | None:
    """The results at a table, read from data; None if the data does not have the right shape."""
    try:
        games, (played, ended, scored, same, wins, missing), through, positions = data
        seen = Seen(dict(_games(games, table, machine)), _number(played), _number(ended))
        seen.scored.update(term.name for term in table.terms if term.name in scored)
        seen.same = {name: None if number is None else _number(number, -HIGHEST) for name, number in dict(same).items()}
        seen.wins = {_number(int(seat)): _number(count) for seat, count in dict(wins).items()}
        if missing is not None:
            lines = list(_alternatives(_required(machine))) if missing else []
            seen.missing = frozenset(lines[_number(number)].span for number in missing)
        exhausted = None
        if through is not None:
            legal, winners, terms, ends, is_a_game = through
            lines = list(_alternatives(_required(machine)))
            spans = frozenset(lines[_number(number)].span for number in legal)
            named = frozenset(term.name for term in _required(machine).terms if term.name in terms)
            seats = frozenset(map(_number, winners))
            exhausted = Exhausted(_number(positions), seen.found, spans, seats, named, _number(ends), bool(is_a_game))
        return seen, exhausted, _number(positions)
    except (ValueError, TypeError, IndexError):
        return None


def _required(machine: Machined) -> Machine:
    found = machine()
    if found is None:
        raise ValueError("this table cannot be played")
    return found


def _games(games: Data, table: Table, machine: Machined) -> Iterator[tuple[Spot, Shown]]:
    for data, length, by, number, options, course in games:
        fault = _fault_from_data(data, table, _required(machine))
        if by not in get_args(By):
            raise ValueError(by)
        taken, way = tuple(_number(option, -1) for option in options), tuple(map(_number, course))
        yield spot_of(fault), Shown(fault, _number(length), by, _number(number), taken, way)


def course_from_data(data: Data) -> list[int]:
    """A course that was kept. Raises `NotSo` where it is none."""
    try:
        return [_number(value) for value in data]
    except (ValueError, TypeError):
        raise NotSo from None


def check_course(walker: Walker, course: Sequence[int], spot: Spot) -> None:
    """Raises `NotSo` where a course that was kept leads to no such fault."""
    try:
        end = walker.walk(course)
    except ValueError:
        raise NotSo from None
    if spot_at(end) != spot and spot[0] not in (CANNOT_END, NEED_NOT_END):
        raise NotSo


def _number(value: Data, least: int = 0) -> int:
    if type(value) is not int or not least <= value < HIGHEST:
        raise ValueError(value)
    return value


def _fault_as_data(machine: Machine, fault: Fault) -> Data:
    """A fault by its number in the machine, or what is said of games without an end by the number of the decision."""
    for number, each in enumerate(derived.faults(machine).table):
        if each is fault or (each == fault and (each.span, each.places) == (fault.span, fault.places)):
            return number
    places = [choose.span for choose in decisions(machine)]
    if fault.code in (CANNOT_END, NEED_NOT_END):
        return [fault.code, places.index(fault.span) if fault.span in places else None]
    return None


def _fault_from_data(data: Data, table: Table, machine: Machine) -> Fault:
    if isinstance(data, int):
        return derived.faults(machine).table[_number(data)]
    code, number = data
    decision = None if number is None else list(decisions(machine))[_number(number)]
    if code == NEED_NOT_END and decision is not None:
        return comes_again(decision)
    if code != CANNOT_END:
        raise ValueError(code)
    return cannot_end(decision, table.span)


def _alternatives(machine: Machine) -> Iterator[Alternative]:
    yield from (alternative for _, alternative in alternatives(machine))
