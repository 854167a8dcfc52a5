"""Plays a game of any bots inside the module, one decision after the other, through the flow that stops.

These functions are translated (`from_python.py`) and never run in Python: the reference engine determines independently what they
must give.
"""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from ....machine.columns import MOST_OPTIONS
from ....players.dialect import Memory, Word, count_between, select_from
from ....players.rollouts import think
from ....players.search import Searched, ponder, search
from ....players.workspace import Workspace
from ....players.worlds import remember
from ..lowering.flow import CHANCE_EVENT, DECISION

RANDOM, CASUAL, ROLLOUTS, SEARCH = range(4)


class Game(Searched, Protocol):
    """The exports for one game, and the numbers that a row begins with."""

    decisions: int
    options: int
    first: int
    counting: int
    imagining: int

    def reset(self, seed: Word, game: Word, /) -> None: ...
    def begin(self, part: int, /) -> int: ...
    def site(self) -> int: ...
    def player(self) -> int: ...
    def pick(self, seat: int, /) -> int: ...
    def draw(self) -> int: ...


@frozen
class Places(Workspace):
    """Addresses and sizes beside those of `Workspace`.

    ``verbs``: for each group its first option, then whether it takes plain numbers alone. ``sites``: for each site the number
    of its first alternative, then that of the one behind its last. ``alternatives``: for each, where its legal positions lie,
    its first option, and how many it has. All of these take 4 bytes each.
    """

    bots: int
    bot_streams: int
    offered: int
    verbs: int
    group_legal: int
    counting: int
    counted_options: int
    counted_offered: int
    counted_taken: int
    sites: int
    alternatives: int


def bots_game(m: Game, at: Places, seed: Word, game: Word) -> None:
    """Play a game, or go on with the one in which somebody thinks; the row tells what it came to."""
    stop = DECISION
    if m.load32(at.thinking) == 0:
        m.decisions = 0
        m.options = 0
        m.first = 0
        m.counting = m.load32(at.counting)
        m.imagining = 0
        m.store32(at.moments, 0)
        m.reset(seed, game)
        stop = m.begin(0)
    while stop in (DECISION, CHANCE_EVENT):
        stop = m.happen(noted(m, at, m.draw())) if stop == CHANCE_EVENT else m.choose(noted(m, at, decided(m, at)))
        if m.load32(at.flag) != 0:
            m.leave_off()
    m.outcome()


def noted(m: Game, at: Places, value: int) -> int:
    """The given value; it is remembered if a bot needs the history."""
    if m.load32(at.remembering) != 0:
        remember(m, at, value)
    return value


def decided(m: Game, at: Places) -> int:
    """The option that is taken at the decision where the game stands, or stood before somebody thought."""
    if m.load32(at.thinking) != 0:
        seat = m.load32(at.seat)
        legal = count_between(m, at.wanted, 0, at.options)
    else:
        seat = m.player()
        legal = count_between(m, at.offered, 0, at.options)
        m.decisions += 1
        m.options += legal
        if m.options < 0:
            m.options = MOST_OPTIONS
        if m.first == 0:
            m.first = seat + 1
    bot = m.load32(at.bots + 8 * seat)
    if bot == CASUAL:
        option = casual(m, at, seat)
    elif bot == RANDOM:
        option = m.pick(seat)
    elif legal == 1:
        option = select_from(m, at.offered, 0, 0)  # nothing is drawn
    else:
        seed = Word(0)
        if m.load32(at.thinking) == 0:
            seed = m.word(at.bot_streams + 8 * seat)
        m.counting = 0
        option = thought(m, at, seat, seed)
        m.counting = m.load32(at.counting)
    if m.counting != 0:
        add_one(m, at.counted_options + 4 * legal)
        count_alternatives(m, at, option)
    return option


def thought(m: Game, at: Places, seat: int, seed: Word) -> int:
    """The option that a seat's bot, which thinks, takes where the game stands."""
    m.imagining = 1
    number = m.load32(at.bots + 8 * seat + 4)
    bot = m.load32(at.bots + 8 * seat)
    option = search(m, at, seat, number, seed) if bot == SEARCH else think(m, at, seat, number, seed)
    m.imagining = 0
    return option


def pondered(m: Game, at: Places, seat: int, iterations: int, seed: Word) -> int:
    """See `ponder`."""
    m.imagining = 1
    done = ponder(m, at, seat, iterations, seed)
    m.imagining = 0
    return done


def lived(m: Game, at: Places, stop: int, value: int) -> int:
    """Let an option be taken or an outcome happen, and remember it; the kind of the next stop."""
    m.imagining = 0  # a thought may have been left in the middle
    remember(m, at, value)
    return m.happen(value) if stop == CHANCE_EVENT else m.choose(value)


def casual(m: Game, at: Places, seat: int) -> int:
    """The option of the casual bot (`players/bots.py`)."""
    stream = at.bot_streams + 8 * seat
    groups = 0
    for group in range(at.group_count):
        entry = at.verbs + 8 * group
        count = count_between(m, at.offered, m.load32(entry), m.load32(entry + 8))
        m.store32(at.group_legal + 4 * group, count)
        if count > 0:
            groups += 1
    left = m.below(stream, groups)
    group = 0
    while left > 0 or m.load32(at.group_legal + 4 * group) == 0:
        if m.load32(at.group_legal + 4 * group) > 0:
            left -= 1
        group += 1
    count = m.load32(at.group_legal + 4 * group)
    entry = at.verbs + 8 * group
    if count == 1:
        index = 0  # nothing is drawn
    elif m.load32(entry + 4) != 0:
        index = 0
        word = m.word(stream)
        while index < count - 1 and word & 1 != 0:
            index += 1
            word = word >> 1
    else:
        index = m.below(stream, count)
    return select_from(m, at.offered, m.load32(entry), index)


def count_alternatives(m: Game, at: Places, option: int) -> None:
    """Count which alternatives have a legal option, and the first one that the option taken is of."""
    site = at.sites + 8 * (m.site() - 1)
    taken = 0
    for number in range(m.load32(site), m.load32(site + 4)):
        entry = at.alternatives + 12 * number
        legal = m.load32(entry)
        size = m.load32(entry + 8)
        if count_between(m, legal, 0, size) > 0:
            add_one(m, at.counted_offered + 4 * number)
        position = option - m.load32(entry + 4)
        if taken == 0 and position >= 0 and position < size and m.load8(legal + (position >> 3)) >> (position & 7) & 1 != 0:
            add_one(m, at.counted_taken + 4 * number)
            taken = 1


def add_one(m: Memory, address: int) -> None:
    m.store32(address, m.load32(address) + 1)
