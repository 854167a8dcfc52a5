"""The bot that plays rollouts: flat Monte Carlo over worlds that its seat cannot tell from the real one.

In each of a number of worlds, every legal option is tried, and the game is played to its end by random bots. The bot takes the
option with the greatest share of the win over all worlds, among equals the one with the greatest score (of the team), among these
the one with the lowest number. All options are tried in the same worlds, which makes them easier to tell apart. A game that a
fault stops is not won, and has no score.

A world is the real game with everything that the seat does not know placed anew (`sampler.py`) and with new random streams. If no
kind has identical components, the seat's own log must also be possible in the world. To test that, the game is played again from
the moment when everything that was placed anew lay in one heap, with the components exchanged in every act and every outcome. If
all of it is allowed, and after each step the game stands where it stood and the seat has observed and sees the same, the position
that this leads to is the world. So a card that had to be played is in nobody's hand. After `TRIES` drafts that could not have
happened the next one is taken as it is. Drafts are also taken as they are where there are identical components, which do not say
which of them went where, and in games of more moments than are remembered.

Where there are hidden values that are no components (`hidden_values.py`), a world is always played again: from the last moment at
which none was kept, or the whole game. What the seat saw happens again. What it did not see is drawn anew, each possible option
or outcome with the same chance, but for components that are placed anew: these are exchanged as above, or drawn too where no
heap is known. After each step the game must stand where it stood, and the seat must have observed the same and see the same.
Where that fails, what was drawn at an earlier moment is drawn anew, often at the last one, and all that follows; if it fails at
all of them, the next draft is taken. After `DRAWS` failures the world is left out. So nothing is ever copied that the seat does
not know. A seat that finds no world at all chooses at random.

A fault ends a thought in the middle, by an exception in Python and by a trap in a module. So the state of a thought lies in the
memory: ``think`` called again goes on behind the failed step; if ``again`` is not 0, it tries that step once more.

All of this is written for `dialect.py`: one text for the reference engine and for modules.
"""

from __future__ import annotations

from typing import Protocol

from .dialect import Memory, Word, count_between, select_from
from .hidden_values import EVER, NEVER, PENDING
from .sampler import amount_in, draft, in_rest, number, prepare
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
    IS_SECRET,
    IS_TOLD,
    KIND_SIZE,
    LOW,
    OF_KIND,
    PLACES,
    VALUES,
    Workspace,
)

TRIES = 200  # drafts for a world, of which none could have happened
DRAWS = 1000  # failures for a world with hidden values
DECISION, CHANCE_EVENT = 1, 2  # stops, as `wasm/emission/lowering/flow.py` numbers them
DRAFTING, PROVING, PLAYING, LEFT_OUT = 1, 2, 3, 4  # what a thought is about; 0: there is none
NOT_KNOWN = -1  # a moment


class Table(Memory, Protocol):
    """A game that can be stepped. What is not possible gives -1, else the kind of stop.

    ``sees``: whether a seat sees what is about to be taken or to happen. ``step``: the random bot of a seat chooses, or chance
    happens, in a game that is only imagined: from then on nobody needs to know what its seats have observed and know.
    """

    def word(self, stream: int, /) -> Word: ...
    def save(self, address: int, /) -> None: ...
    def restore(self, address: int, /) -> int: ...
    def offered_to(self, address: int, /) -> None: ...
    def player(self) -> int: ...
    def sees(self, value: int, seat: int, /) -> int: ...
    def draw(self) -> int: ...
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
            failed = _prove(m, at)
            if failed >= 0:
                _fail(m, at, failed)
                continue
            _play_in_world(m, at)
        if m.load32(at.thinking) == PLAYING:
            _try_options(m, at)
            m.store32(at.found, 1)
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
    m.store32(at.found, 0)
    m.store32(at.watched, 0)
    m.store32(at.replaying, 0)
    moments = m.load32(at.moments)
    clear = moments
    if at.hiding != NEVER:
        clear = _clear(m, at)
        if at.hiding == EVER or clear < moments:
            m.store32(at.replaying, 1)
    m.store32(at.clear, clear)
    m.copy(at.base, at.real if clear == moments or clear < 0 else at.records + at.record_size * clear, at.record_size)
    since = NOT_KNOWN
    exchanging = 0
    if prepare(m, at, seat) > 0:
        since = _heaped(m, at)
        exchanging = since
    if m.load32(at.replaying) != 0:
        since = _replayed_since(m, at, since, exchanging)
    m.store32(at.since, since)
    m.store32(at.exchanging, exchanging)
    m.store32(at.thinking, DRAFTING)


def _replayed_since(m: Table, at: Workspace, heaped: int, exchanging: int) -> int:
    """From which moment on the game is played again; `NOT_KNOWN` where that is not remembered."""
    if m.load32(at.moments) > at.moments_limit or m.load32(at.clear) < 0:
        return NOT_KNOWN
    if at.hiding == EVER:
        return 0
    return heaped if heaped >= 0 and exchanging >= 0 else m.load32(at.clear)


def _clear(m: Table, at: Workspace) -> int:
    """The last moment at which nothing was kept until all have chosen, and nobody was in the middle of choosing unseen."""
    moments = m.load32(at.moments)
    if _at_rest(m, at, at.real) != 0:
        return moments
    moment = moments if moments < at.moments_limit else at.moments_limit
    while moment > 0:
        moment -= 1
        record = at.records + at.record_size * moment
        if _at_rest(m, at, record) != 0:
            if moment == 0:
                return 0
            before = record - at.record_size
            if _secrets(m, at, before) & IS_SECRET == 0 or _at_rest(m, at, before) == 0:
                return moment
    return NOT_KNOWN


def _at_rest(m: Memory, at: Workspace, record: int) -> int:
    """1 where nothing is kept in a record until all have chosen."""
    for part in range(at.kept_count):
        offset = m.load32(at.kept + 8 * part)
        for address in range(record + offset, record + offset + m.load32(at.kept + 8 * part + 4)):
            if m.load8(address) != 0:
                return 0
    return 1


def _secrets(m: Memory, at: Workspace, record: int) -> int:
    """What is known of the stop at which a record stands: `IS_SECRET`, `IS_TOLD`."""
    return m.load32(at.site_secrets + 4 * (number(m, record + at.site, at.site_width) - 1))


def _keep_on(m: Table, at: Workspace) -> None:
    if m.load32(at.flag) != 0:
        m.leave_off()


def _best(m: Table, at: Workspace) -> int:
    best = 0
    if m.load32(at.found) == 0:
        best = m.below(at.generator, count_between(m, at.wanted, 0, at.options))
        return select_from(m, at.wanted, 0, best)
    for option in range(1, count_between(m, at.wanted, 0, at.options)):
        share = m.load64(at.totals + 16 * option)
        most = m.load64(at.totals + 16 * best)
        if share > most or (share == most and m.load64(at.totals + 16 * option + 8) > m.load64(at.totals + 16 * best + 8)):
            best = option
    return select_from(m, at.wanted, 0, best)


# ---- Worlds


def _draft(m: Table, at: Workspace) -> None:
    replaying = m.load32(at.replaying)
    since = m.load32(at.since)
    if replaying != 0 and since >= 0 and m.load32(at.watched) == 0:
        _watch(m, at)
    draft(m, at, m.load32(at.seat))
    tries = m.load32(at.tries) + 1
    m.store32(at.tries, tries)
    if since >= 0 and tries <= (TRIES if replaying == 0 else DRAWS):
        m.store32(at.thinking, PROVING)
        if replaying != 0:
            start = at.records + at.record_size * since
            if at.hiding == PENDING and since == m.load32(at.clear):
                start = at.world  # the draft
            elif since == m.load32(at.moments):
                start = at.real
            m.copy(at.trail + at.record_size * since, start, at.record_size)
            _go_back(m, at, since)
    elif replaying == 0:
        _play_in_world(m, at)
    else:
        m.store32(at.thinking, LEFT_OUT)


def _watch(m: Table, at: Workspace) -> None:
    """Find what the seat did not see of what is played again."""
    for moment in range(m.load32(at.since), m.load32(at.moments)):
        m.restore(at.records + at.record_size * moment)
        m.store8(at.unseen + moment, 1 - m.sees(m.load32(at.happened + 4 * moment), m.load32(at.seat)))
    m.store32(at.watched, 1)


def _go_back(m: Table, at: Workspace, moment: int) -> None:
    """Let the game be played again from a moment on. If that is interrupted, the same is drawn once more."""
    m.store32(at.resumed, moment)
    m.store64(at.before, m.load64(at.generator))


def _fail(m: Table, at: Workspace, failed: int) -> None:
    """At a moment it is seen that what is played again is no world: go back to where something was drawn, or draft anew."""
    m.store32(at.thinking, DRAFTING)
    if m.load32(at.replaying) == 0:
        return
    tries = m.load32(at.tries) + 1
    m.store32(at.tries, tries)
    count = 0
    for moment in range(m.load32(at.since), failed):
        count += m.load8(at.drawn + moment)
    back = m.below(at.generator, count + 1)
    if m.below(at.generator, 2) == 0:
        back = 0
        while back < count and m.below(at.generator, 2) == 0:
            back += 1
    if back == count or tries > DRAWS:
        return
    moment = failed
    while back >= 0:
        moment -= 1
        if m.load8(at.drawn + moment) != 0:
            back -= 1
    _go_back(m, at, moment)
    m.store32(at.thinking, PROVING)


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
    if m.load32(at.clear) < moment:
        moment = m.load32(at.clear)
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


def _prove(m: Table, at: Workspace) -> int:
    """-1 where the seat's log could have happened in the draft; then it leads to ``at.world``. Else the moment that shows it."""
    seat = m.load32(at.seat)
    digest = at.digest + 8 * seat
    moment = m.load32(at.since)
    moments = m.load32(at.moments)
    replaying = m.load32(at.replaying)
    start = at.records + at.record_size * moment
    if replaying != 0:
        moment = m.load32(at.resumed)
        m.store64(at.generator, m.load64(at.before))
        start = at.trail + at.record_size * moment
        m.store64(start + at.streams, m.word(at.generator))
    stop = m.restore(start)
    if replaying != 0:
        m.save(at.world)
    while moment < moments:
        _keep_on(m, at)
        value = m.load32(at.happened + 4 * moment)
        value = _again(m, at, stop, moment, value) if replaying != 0 else _exchanged_at(m, at, stop, moment, value)
        stop = m.happen(value) if stop == CHANCE_EVENT else m.choose(value)
        if stop < 0:
            return moment
        moment += 1
        expected = at.real
        if moment < moments:
            expected = at.records + at.record_size * moment
        m.save(at.world)
        if m.load64(at.world + digest) != m.load64(expected + digest):
            return moment
        if number(m, at.world + at.site, at.site_width) != number(m, expected + at.site, at.site_width):
            return moment
        if stop == DECISION and _looks_the_same(m, at, expected, seat) == 0:
            return moment
    if replaying != 0 and m.player() != seat:
        return moments
    return NOT_KNOWN


def _looks_the_same(m: Memory, at: Workspace, expected: int, seat: int) -> int:
    """1 where a seat sees the same in ``at.world`` as in a record, amounts included."""
    parts = m.load32(at.sights + 8 * seat)
    for part in range(m.load32(at.sights + 8 * seat + 4)):
        offset = m.load32(parts + 8 * part)
        for byte in range(offset, offset + m.load32(parts + 8 * part + 4)):
            if m.load8(at.world + byte) != m.load8(expected + byte):
                return 0
    for index in range(at.kind_count):
        kind = at.kinds + KIND_SIZE * index
        for place in range(m.load32(kind + PLACES)):
            if amount_in(m, kind, at.world, place) != amount_in(m, kind, expected, place):
                return 0
    return 1


def _again(m: Table, at: Workspace, stop: int, moment: int, value: int) -> int:
    """What happens where something is played again: what the seat saw, else what is drawn. -1: nothing is possible."""
    m.store8(at.drawn + moment, 0)
    exchanging = m.load32(at.exchanging)
    pending = moment >= m.load32(at.clear)
    same = value
    if not pending and exchanging >= 0 and moment >= exchanging:
        same = _exchanged_at(m, at, stop, moment, value)
    if m.load8(at.unseen + moment) == 0:
        return same
    m.save(at.trail + at.record_size * moment)
    anew = pending or exchanging < 0
    record = at.records + at.record_size * moment
    if stop == CHANCE_EVENT:
        site = number(m, record + at.site, at.site_width) - 1
        if not anew and m.load32(at.site_kinds + 4 * site) != 0:
            return same
        m.store8(at.drawn + moment, 1)
        return m.draw()
    if not pending and _secrets(m, at, record) & IS_TOLD != 0:
        return same
    group = _group_of(m, at, value)
    first = m.load32(group + GROUP_BASE)
    last = first + m.load32(group + GROUP_SIZE)
    if pending and _secrets(m, at, record) & IS_SECRET != 0:
        first = 0
        last = at.options
    m.offered_to(at.choices)
    fitting = 0
    found = -1
    for index in range(count_between(m, at.choices, first, last)):
        option = select_from(m, at.choices, first, index)
        if anew or _of_same_components(m, group, option, same) != 0:
            fitting += 1
            if m.below(at.generator, fitting) == 0:
                found = option
    if fitting > 1:
        m.store8(at.drawn + moment, 1)
    return found


def _of_same_components(m: Memory, group: int, one: int, other: int) -> int:
    """1 where two options of a group take the same components."""
    one -= m.load32(group + GROUP_BASE)
    other -= m.load32(group + GROUP_BASE)
    argument = m.load32(group + ARGUMENT_COUNT)
    while argument > 0:
        argument -= 1
        entry = m.load32(group + ARGUMENTS) + ARGUMENT_ENTRY * argument
        values = m.load32(entry + VALUES)
        if m.load32(entry + OF_KIND) != 0 and one % values != other % values:
            return 0
        one = one // values
        other = other // values
    return 1


def _exchanged_at(m: Memory, at: Workspace, stop: int, moment: int, value: int) -> int:
    """What an option or outcome has become in the draft."""
    if stop == CHANCE_EVENT:
        site = number(m, at.records + at.record_size * moment + at.site, at.site_width) - 1
        return _exchanged(m, m.load32(at.site_kinds + 4 * site), value)
    return _exchanged_in_option(m, at, value)


def _exchanged(m: Memory, kind: int, value: int) -> int:
    """What a value has become in the draft; ``kind``: the entry of its kind, or 0."""
    if kind == 0 or value < 0:
        return value
    return m.load32(m.load32(kind + EXCHANGED) + 4 * value)


def _group_of(m: Memory, at: Workspace, option: int) -> int:
    """The entry of an option's group."""
    group = at.groups
    while option < m.load32(group + GROUP_BASE) or option >= m.load32(group + GROUP_BASE) + m.load32(group + GROUP_SIZE):
        group += GROUP_ENTRY
    return group


def _exchanged_in_option(m: Memory, at: Workspace, option: int) -> int:
    """The option with all components that it takes exchanged."""
    group = _group_of(m, at, option)
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


