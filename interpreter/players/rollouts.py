"""The bot that plays rollouts: flat Monte Carlo over worlds that its seat cannot tell from the real one.

In each of a number of worlds, every legal option is tried, and the game is played to its end by random bots. The bot takes the
option with the greatest share of the win over all worlds, among equals the one with the greatest score (of the team), among these
the one with the lowest number. All options are tried in the same worlds, which makes them easier to tell apart. A game that a
fault stops is not won, and has no score.

A world is the real game with everything that the seat does not know placed anew (`sampler.py`) and with new random streams. If no
kind has identical components, the seat's own log must also be possible in the world. To test that, the game is played again from
the moment when everything that was placed anew lay in one heap, with the components exchanged in every act and every outcome. If
all of it is allowed, and after each step the game stands where it stood and the seat has observed the same, then the position
that this leads to is the world. So a card that had to be played is in nobody's hand. After `TRIES` drafts that could not have
happened the next one is taken as it is. Drafts are also taken as they are where there are identical components, which do not say
which of them went where, and in games of more moments than are remembered.

A fault ends a thought in the middle, by an exception in Python and by a trap in a module. So the state of a thought lies in the
memory: ``think`` called again goes on behind the failed step; if ``again`` is not 0, it tries that step once more.

All of this is written for `dialect.py`: one text for the reference engine and for modules.
"""

from __future__ import annotations

from typing import Protocol

from .dialect import Memory, Word, count_between, select_from
from .sampler import draft, in_rest, number, prepare
from .workspace import (
    ARGUMENT_COUNT,
    ARGUMENT_ENTRY,
    ARGUMENTS,
    DISTINCT,
    EXCHANGED,
    FREE,
    FREE_COUNT,
    GROUP_BASE,
    GROUP_ENTRY,
    GROUP_SIZE,
    KIND_SIZE,
    LOW,
    OF_KIND,
    PLACES,
    VALUES,
    Workspace,
)

TRIES = 200  # drafts for a world, of which none could have happened
DECISION, CHANCE_EVENT = 1, 2  # stops, as `wasm/emission/lowering/flow.py` numbers them
DRAFTING, PROVING, PLAYING = 1, 2, 3  # what a thought is about; 0: there is none


class Table(Memory, Protocol):
    """A game that can be stepped. What is not possible gives -1, else the kind of stop.

    ``step``: the random bot of a seat chooses, or chance happens, in a game that is only imagined: from then on nobody needs
    to know what its seats have observed and know.
    """

    def word(self, stream: int, /) -> Word: ...
    def save(self, address: int, /) -> None: ...
    def restore(self, address: int, /) -> int: ...
    def offered_to(self, address: int, /) -> None: ...
    def step(self) -> int: ...
    def choose(self, option: int, /) -> int: ...
    def happen(self, value: int, /) -> int: ...
    def outcome(self) -> None: ...
    def leave_off(self) -> None: ...


def remember(m: Table, at: Workspace, value: int) -> None:
    """An option is about to be taken, or an outcome to happen."""
    moments = m.load32(at.moments)
    if moments < at.moments_limit:
        m.save(at.records + at.record_size * moments)
        m.store32(at.happened + 4 * moments, value)
    m.store32(at.moments, moments + 1)


def think(m: Table, at: Workspace, seat: int, worlds: int, seed: Word) -> int:
    """The option that a seat takes at the decision where the game stands; there the game stands again in the end.

    ``seed``: of the thought's own random stream. What ``seat`` and ``seed`` are does not count when a thought goes on.
    """
    if m.load32(at.thinking) == 0:
        _begin(m, at, seat, seed)
    elif m.load32(at.again) == 0:
        if m.load32(at.thinking) == PLAYING:
            m.store32(at.option, m.load32(at.option) + 1)
        else:
            m.store32(at.thinking, DRAFTING)
    m.store32(at.again, 0)
    while m.load32(at.worlds) < worlds:
        _keep_on(m, at)
        if m.load32(at.thinking) == DRAFTING:
            _draft(m, at)
        if m.load32(at.thinking) == PROVING:
            if _happened(m, at) == 0:
                m.store32(at.thinking, DRAFTING)
                continue
            _play_in_world(m, at)
        _try_options(m, at)
        m.store32(at.worlds, m.load32(at.worlds) + 1)
        m.store32(at.thinking, DRAFTING)
        m.store32(at.tries, 0)
    m.restore(at.real)
    m.store32(at.thinking, 0)
    return _best(m, at)


def _begin(m: Table, at: Workspace, seat: int, seed: Word) -> None:
    m.save(at.real)
    m.offered_to(at.wanted)
    m.store64(at.generator, seed)
    m.store32(at.seat, seat)
    m.store32(at.worlds, 0)
    m.store32(at.tries, 0)
    m.store32(at.again, 0)
    for option in range(count_between(m, at.wanted, 0, at.options)):
        m.store64(at.totals + 16 * option, Word(0))
        m.store64(at.totals + 16 * option + 8, Word(1) << 62)  # so that it never is below 0
    m.store32(at.since, _heaped(m, at) if prepare(m, at, seat) > 0 else -1)
    m.store32(at.thinking, DRAFTING)


def _keep_on(m: Table, at: Workspace) -> None:
    if m.load32(at.flag) != 0:
        m.leave_off()


def _best(m: Table, at: Workspace) -> int:
    best = 0
    for option in range(1, count_between(m, at.wanted, 0, at.options)):
        share = m.load64(at.totals + 16 * option)
        most = m.load64(at.totals + 16 * best)
        if share > most or (share == most and m.load64(at.totals + 16 * option + 8) > m.load64(at.totals + 16 * best + 8)):
            best = option
    return select_from(m, at.wanted, 0, best)


# ---- Worlds


def _draft(m: Table, at: Workspace) -> None:
    draft(m, at, m.load32(at.seat))
    tries = m.load32(at.tries) + 1
    m.store32(at.tries, tries)
    if m.load32(at.since) >= 0 and tries <= TRIES:
        m.store32(at.thinking, PROVING)
    else:
        _play_in_world(m, at)


def _play_in_world(m: Table, at: Workspace) -> None:
    """The world is found: it has streams of its own, and its options are tried."""
    for stream in range(at.seats + 1):
        m.store64(at.world + at.streams + 8 * stream, m.word(at.generator))
    m.store32(at.option, 0)
    m.store32(at.thinking, PLAYING)


def _heaped(m: Table, at: Workspace) -> int:
    """The last moment at which all free components of each kind lay in one heap; -1 where that is not known."""
    if m.load32(at.moments) > at.moments_limit:
        return -1
    for kind in range(at.kind_count):
        entry = at.kinds + KIND_SIZE * kind
        if m.load32(entry + FREE_COUNT) > 0 and m.load32(entry + DISTINCT) == 0:
            return -1
    moment = m.load32(at.moments) - 1
    while moment >= 0:
        apart = 0
        for kind in range(at.kind_count):
            entry = at.kinds + KIND_SIZE * kind
            if m.load32(entry + FREE_COUNT) > 0 and _in_one_heap(m, entry, at.records + at.record_size * moment) == 0:
                apart += 1
        if apart == 0:
            return moment
        moment -= 1
    return -1


def _in_one_heap(m: Table, kind: int, record: int) -> int:
    """1 where all that is free now lay in one place in a record, without an order."""
    free = m.load32(kind + FREE)
    for place in range(m.load32(kind + PLACES)):
        if in_rest(m, kind, record, place, m.load32(free)) != 0:
            for index in range(m.load32(kind + FREE_COUNT)):
                if in_rest(m, kind, record, place, m.load32(free + 4 * index)) == 0:
                    return 0
            return 1
    return 0


def _happened(m: Table, at: Workspace) -> int:
    """1 where the seat's log could have happened in the draft; then it leads to ``at.world``."""
    digest = at.digest + 8 * m.load32(at.seat)
    moment = m.load32(at.since)
    moments = m.load32(at.moments)
    stop = m.restore(at.records + at.record_size * moment)
    while moment < moments:
        _keep_on(m, at)
        record = at.records + at.record_size * moment
        value = m.load32(at.happened + 4 * moment)
        if stop == CHANCE_EVENT:
            site = number(m, record + at.site, at.site_width) - 1
            stop = m.happen(_exchanged(m, m.load32(at.site_kinds + 4 * site), value))
        else:
            stop = m.choose(_exchanged_in_option(m, at, value))
        if stop < 0:
            return 0
        moment += 1
        expected = at.real
        if moment < moments:
            expected = at.records + at.record_size * moment
        m.save(at.world)
        if m.load64(at.world + digest) != m.load64(expected + digest):
            return 0
        if number(m, at.world + at.site, at.site_width) != number(m, expected + at.site, at.site_width):
            return 0
    return 1


def _exchanged(m: Table, kind: int, value: int) -> int:
    """What a value has become in the draft; ``kind``: the entry of its kind, or 0."""
    if kind == 0 or value < 0:
        return value
    return m.load32(m.load32(kind + EXCHANGED) + 4 * value)


def _exchanged_in_option(m: Table, at: Workspace, option: int) -> int:
    """The option with all components that it takes exchanged."""
    group = at.groups
    while option < m.load32(group + GROUP_BASE) or option >= m.load32(group + GROUP_BASE) + m.load32(group + GROUP_SIZE):
        group += GROUP_ENTRY
    rest = option - m.load32(group + GROUP_BASE)
    found = m.load32(group + GROUP_BASE)
    scale = 1
    argument = m.load32(group + ARGUMENT_COUNT)
    while argument > 0:  # the last one runs fastest
        argument -= 1
        entry = m.load32(group + ARGUMENTS) + ARGUMENT_ENTRY * argument
        values = m.load32(entry + VALUES)
        low = m.load32(entry + LOW)
        value = _exchanged(m, m.load32(entry + OF_KIND), rest % values + low)
        found += scale * (value - low)
        scale = scale * values
        rest = rest // values
    return found


# ---- Playing on


def _try_options(m: Table, at: Workspace) -> None:
    """Try the options in the world, from the one on where the thought stands."""
    count = count_between(m, at.wanted, 0, at.options)
    while m.load32(at.option) < count:
        option = m.load32(at.option)
        _play_on(m, at, select_from(m, at.wanted, 0, option), at.totals + 16 * option)
        m.store32(at.option, option + 1)


def _play_on(m: Table, at: Workspace, option: int, total: int) -> None:
    """Take an option in the world, let all play at random from there, and add what it came to."""
    seat = m.load32(at.seat)
    m.restore(at.world)
    stop = m.choose(option)
    if stop < 0:
        return
    while stop in (DECISION, CHANCE_EVENT):
        _keep_on(m, at)
        stop = m.step()
    m.outcome()
    win = m.load32(at.wins + 4 * seat)
    if win > 0:
        m.store64(total, m.load64(total) + Word(at.whole_win // win))
    score = m.load32(at.scores + 4 * seat)
    before = m.load64(total + 8)
    m.store64(total + 8, before + Word(score) if score >= 0 else before - Word(-1 - score) - Word(1))


