"""Finds worlds that a seat cannot tell from the real game: courses of the game in which it would have observed the same.

``begin_worlds`` reads what the seat has observed, once for a decision; each ``find_world`` then draws another world and leaves
its record at ``at.world``. The real game counts only as far as the seat saw it, so two games that look the same to a seat give
the same worlds from the same stream.

A world is found in three steps:

1. A *draft*: everything that the seat does not know is placed anew (`sampler.py`).
2. The *ways* back. A *leg* is a component's way from a place to a place, from one moment to the next. That there was one is
   public, since all see how many lie where. Where the seat saw which component it was, that one goes back. Otherwise any goes
   back of those that lie there now and that may have lain at the other end, by what the seat knew at the time. This ends at the
   *start*: the last moment at which the seat knew where everything lay, no pile had an order, and nothing was kept. If not all
   components come to where they lay then, the next draft is taken. Nothing is played for that.
3. The *replay*, from the start. What the seat saw happens again. What it did not see is drawn: a component that has the next leg
   to go, and where there are no components, anything that is possible. What is chosen in secret, and never told, may also take
   another number of choices. After each step the seat must have observed the same, and at each decision it must see the same.
   Where that fails, something that was drawn before is drawn anew, often the last of it, and all that follows. Or the ways are
   *mended*: two components exchange theirs, as far as the seat saw neither, and the replay begins once more. One of the two lies
   with the player whose act was not possible; if other acts were, it is a component of these. Ways that fail earlier than before
   are not kept. After `MENDS` of these in a row the next draft is taken.

After ``bound`` failures no world is found in this way. Then a draft is taken of the last moment at which nothing was kept, and
only what is kept since is played again, with as many tries. Such a world contains only what the seat knows, but the seat's log
may be impossible in it. Where other values are hidden for longer (`hidden_values.py`), or that fails too, no world is found.
Each time it fails, the bound for the further worlds of the same thought falls to an eighth. So a thought ends soon, whatever the
game is like.

Not all worlds are equally likely. Games of more moments, moves or bytes than are remembered have no start.

A fault in a replay ends ``find_world`` in the middle, by an exception in Python and by a trap in a module. Called again, it goes
on with the next draft.

All of this is written for `dialect.py`.
"""

from __future__ import annotations

from typing import Protocol

from .dialect import Memory, Word, count_between, select_from
from .hidden_values import EVER
from .sampler import amount_in, in_rest, in_top, knows_all, may_be_others, number, place_anew, prepare, sure_of, write_world
from .workspace import (
    ARGUMENT_COUNT,
    ARGUMENT_ENTRY,
    ARGUMENTS,
    CONTENT,
    CONTENT_WIDTH,
    ELEMENTS,
    FACES,
    GROUP_BASE,
    GROUP_ENTRY,
    GROUP_SIZE,
    IS_SECRET,
    IS_TOLD,
    KIND_SIZE,
    LEG_CHANCES,
    LEG_COMES,
    LEG_FACE,
    LEG_GOES,
    LEG_IS_HIDDEN,
    LEG_KEPT,
    LEG_KIND,
    LEG_MOMENT,
    LEG_NEXT,
    LEG_SIZE,
    LEG_TAKEN,
    LOW,
    NEXT_LEGS,
    NOT_ASKED,
    NOW,
    OF_KIND,
    PLACE_SIZE,
    PLACES,
    PLACES_TABLE,
    QUEUE,
    SHOWN,
    SIZE,
    SIZE_WIDTH,
    THEN,
    TOP,
    TOP_WIDTH,
    UNROLLED,
    VALUES,
    VIA,
    WAYS,
    Workspace,
)

TRIES = 400  # failures for a world, until the bound falls
STEPS = 2_000  # of these tries, roughly: where more has happened since the start, there are fewer tries
DECISION, CHANCE_EVENT = 1, 2  # stops, as `wasm/emission/lowering/flow.py` numbers them
DRAFTING, REPLAYING = 0, 1  # what is being done for a world
SEEN, UNSEEN, UNNOTICED = 0, 1, 2  # what happened at a moment: the seat saw what it was, or that there was something, or nothing
NOT_KNOWN = -1  # a moment
GUESSES = 16  # outcomes of chance that are tried, of the ways drawn
MENDS = 24  # times that ways are mended and fail no later, until the next draft is taken
EXCHANGES = 8  # pairs of components that are tried
NO_WAY = 1 << 30  # later than all moments


class Game(Memory, Protocol):
    """A game that can be stepped. What is not possible gives -1 and changes nothing, else the kind of stop is given.

    ``sees``: whether a seat sees what is about to be taken or to happen.
    """

    def word(self, stream: int, /) -> Word: ...
    def save(self, address: int, /) -> None: ...
    def restore(self, address: int, /) -> int: ...
    def offered_to(self, address: int, /) -> None: ...
    def player(self) -> int: ...
    def sees(self, value: int, seat: int, /) -> int: ...
    def draw(self) -> int: ...
    def choose(self, option: int, /) -> int: ...
    def happen(self, value: int, /) -> int: ...
    def leave_off(self) -> None: ...


def remember(m: Game, at: Workspace, value: int) -> None:
    """An option is about to be taken, or an outcome to happen."""
    moments = m.load32(at.moments)
    if moments < at.moments_limit:
        m.save(at.records + at.record_size * moments)
        m.store32(at.happened + 4 * moments, value)
    m.store32(at.moments, moments + 1)


def begin_worlds(m: Game, at: Workspace, seat: int) -> None:
    """Prepare for worlds of the game that stands at ``at.real``, for a seat, whose log is remembered.

    Afterwards the game stands anywhere. `find_world` draws from the stream at ``at.generator``.
    """
    m.store32(at.seat, seat)
    m.store32(at.finding, DRAFTING)
    m.store32(at.bound, TRIES)
    m.store32(at.tries, 0)
    m.store32(at.loose, 0)
    m.store32(at.leg_count, 0)
    m.store32(at.start, NOT_KNOWN)
    clear = _clear(m, at)
    if m.load32(at.moments) > at.moments_limit and clear < m.load32(at.moments):
        clear = NOT_KNOWN
    m.store32(at.clear, clear)
    m.copy(at.base, _record(m, at, clear), at.record_size)
    if clear >= 0:
        m.store32(at.start, _start(m, at, seat))
        if m.load32(at.start) >= 0:
            _watch(m, at, m.load32(at.start))
            if _survey(m, at, seat) == 0:
                m.store32(at.start, NOT_KNOWN)
            length = m.load32(at.moments) - m.load32(at.start)
            if length * TRIES > STEPS:
                m.store32(at.bound, STEPS // length + 1)
        if m.load32(at.start) < 0 and at.hiding != EVER and m.load32(at.moments) <= at.moments_limit:
            _watch(m, at, clear)
    prepare(m, at, seat)


def find_world(m: Game, at: Workspace) -> int:
    """1: the record at ``at.world`` is a world, with random streams of its own; 0: none was found.

    Where ``at.loose`` is not 0, the seat's log may be impossible in it.
    """
    if m.load32(at.finding) == REPLAYING and m.load32(at.again) == 0:
        _fail(m, at, 0, NOT_KNOWN)  # where it was left, the game stopped with a fault
    elif m.load32(at.finding) == DRAFTING:
        m.store32(at.loose, 0)
    m.store32(at.again, 0)
    while m.load32(at.clear) >= 0:
        if m.load32(at.finding) == DRAFTING:
            start = m.load32(at.clear) if m.load32(at.loose) != 0 else m.load32(at.start)
            if m.load32(at.tries) >= m.load32(at.bound) or start < 0:
                if _loosen(m, at) == 0:
                    return 0
                continue
            m.store32(at.tries, m.load32(at.tries) + 1)
            place_anew(m, at, m.load32(at.seat))
            if m.load32(at.loose) != 0:
                write_world(m, at, m.load32(at.seat))
            else:
                if _find_ways(m, at) == 0:
                    continue
                m.copy(at.world, _record(m, at, start), at.record_size)
            m.copy(at.trail, at.world, at.record_size)
            m.store32(at.followed, start)
            m.store32(at.furthest, NOT_KNOWN)
            m.store32(at.mended, 0)
            _go_back(m, at, 0)
        if _replay(m, at) != 0:
            m.store32(at.finding, DRAFTING)
            m.store32(at.tries, 0)
            for stream in range(at.seats + 1):
                m.store64(at.world + at.streams + 8 * stream, m.word(at.generator))
            return 1
    return 0


def _loosen(m: Game, at: Workspace) -> int:
    """No world was found in so many tries. 1: less is asked from now on; 0: none is found."""
    m.store32(at.tries, 0)
    if m.load32(at.start) >= 0 or m.load32(at.loose) != 0:
        m.store32(at.bound, (m.load32(at.bound) >> 3) + 1)
    if m.load32(at.loose) == 0 and at.hiding != EVER:
        m.store32(at.loose, 1)
        return 1
    m.store32(at.loose, 0)
    return 0


def _record(m: Memory, at: Workspace, moment: int) -> int:
    """The address of the record of a moment; that of the real game where it is now, or none."""
    if moment < 0 or moment >= m.load32(at.moments):
        return at.real
    return at.records + at.record_size * moment


# ---- What the seat has observed


def _clear(m: Game, at: Workspace) -> int:
    """The last moment at which nothing was kept until all have chosen, and nobody was in the middle of choosing unseen."""
    moments = m.load32(at.moments)
    if _at_rest(m, at, at.real) != 0 and (moments == 0 or moments > at.moments_limit or _is_between(m, at, moments) != 0):
        return moments
    moment = moments if moments < at.moments_limit else at.moments_limit
    while moment > 0:
        moment -= 1
        if _at_rest(m, at, at.records + at.record_size * moment) != 0 and (moment == 0 or _is_between(m, at, moment) != 0):
            return moment
    return NOT_KNOWN


def _is_between(m: Memory, at: Workspace, moment: int) -> int:
    """1 where what happened before a moment was no choice in secret, or the last one of them all."""
    before = at.records + at.record_size * (moment - 1)
    if at.kept_count == 0:  # one seat after the other chooses in secret, and all notice the last choice of each
        digest = at.digest + 8 * m.load32(at.seat)
        return 1 if m.load64(before + digest) != m.load64(_record(m, at, moment) + digest) else 0
    return 1 if _secrets(m, at, before) & IS_SECRET == 0 or _at_rest(m, at, before) == 0 else 0


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


def _start(m: Game, at: Workspace, seat: int) -> int:
    """The last moment at which the seat knew all."""
    if m.load32(at.moments) > at.moments_limit:
        return NOT_KNOWN
    moment = m.load32(at.clear)
    while moment >= 0:
        record = _record(m, at, moment)
        between = 1 if moment == 0 or moment == m.load32(at.clear) else _is_between(m, at, moment)
        if (at.hiding != EVER or moment == 0) and between != 0 and _at_rest(m, at, record) != 0:
            known = 1
            for index in range(at.kind_count):
                if known != 0:
                    known = knows_all(m, at, at.kinds + KIND_SIZE * index, seat, record)
            if known != 0:
                return moment
        moment -= 1
    return NOT_KNOWN


def _watch(m: Game, at: Workspace, start: int) -> None:
    """Find what the seat noticed of what has happened since a moment."""
    digest = at.digest + 8 * m.load32(at.seat)
    for moment in range(start, m.load32(at.moments)):
        record = at.records + at.record_size * moment
        m.restore(record)
        noticed = SEEN
        if m.sees(m.load32(at.happened + 4 * moment), m.load32(at.seat)) == 0:
            noticed = UNSEEN
            if m.load64(record + digest) == m.load64(_record(m, at, moment + 1) + digest):
                noticed = UNNOTICED
        m.store8(at.noticed + moment, noticed)


def _survey(m: Game, at: Workspace, seat: int) -> int:
    """Find all legs, from the start to where nothing is kept. 0: there are too many."""
    for index in range(at.kind_count):
        _count_then(m, at, at.kinds + KIND_SIZE * index)
    for moment in range(m.load32(at.start), m.load32(at.clear)):
        first = m.load32(at.leg_count)
        for index in range(at.kind_count):
            kind = at.kinds + KIND_SIZE * index
            if m.load32(kind + UNROLLED) < 0 and _survey_kind(m, at, kind, seat, moment) == 0:
                return 0
        _sort(m, at, first)
    for index in range(m.load32(at.leg_count)):
        m.store32(at.legs + LEG_SIZE * index + LEG_CHANCES, at.chances + 2 * at.most_faces * index)
    m.fill(at.chances, 255, 2 * at.most_faces * m.load32(at.leg_count))
    return 1


def _count_then(m: Game, at: Workspace, kind: int) -> None:
    """Count how many of each face lay in each place at the start."""
    record = _record(m, at, m.load32(at.start))
    cell = m.load32(kind + THEN)
    for place in range(m.load32(kind + PLACES)):
        for face in range(m.load32(kind + FACES)):
            m.store32(cell, _there(m, kind, record, place, face))
            cell += 4


def _survey_kind(m: Game, at: Workspace, kind: int, seat: int, moment: int) -> int:
    """The legs of a kind from a moment to the next one."""
    before = _record(m, at, moment)
    after = _record(m, at, moment + 1)
    places = m.load32(kind + PLACES)
    change = m.load32(kind + QUEUE)
    changed = m.load32(kind + VIA)
    count = 0
    for place in range(places):
        differs = _differs(m, kind, place, before, after)
        m.store32(changed + 4 * place, differs)
        m.store32(change + 4 * place, 0)
        count += differs
    if count == 0:
        return 1
    for face in range(m.load32(kind + FACES)):
        found = 0
        for place in range(places):
            if m.load32(changed + 4 * place) != 0:
                here = _there(m, kind, after, place, face) - _there(m, kind, before, place, face)
                m.store32(change + 4 * place, here)
                if here != 0:
                    found = 1
        if found != 0 and _pair(m, at, kind, seat, moment, face) == 0:
            return 0
    return 1


def _differs(m: Memory, kind: int, place: int, before: int, after: int) -> int:
    """1 where a place looks otherwise in another record."""
    entry = m.load32(kind + PLACES_TABLE) + PLACE_SIZE * place
    for offset in range(m.load32(entry + CONTENT), m.load32(entry + CONTENT) + m.load32(entry + CONTENT_WIDTH)):
        if m.load8(before + offset) != m.load8(after + offset):
            return 1
    if m.load32(entry + TOP) >= 0:
        size = m.load32(entry + SIZE)
        count = number(m, before + size, m.load32(entry + SIZE_WIDTH))
        if count != number(m, after + size, m.load32(entry + SIZE_WIDTH)):
            return 1
        for offset in range(m.load32(entry + TOP), m.load32(entry + TOP) + m.load32(entry + TOP_WIDTH) * count):
            if m.load8(before + offset) != m.load8(after + offset):
                return 1
    return 0


def _there(m: Memory, kind: int, record: int, place: int, face: int) -> int:
    return in_rest(m, kind, record, place, face) + in_top(m, kind, record, place, face)


def _pair(m: Memory, at: Workspace, kind: int, seat: int, moment: int, face: int) -> int:
    """The legs of a face, by how many more or fewer of it lie in each place now."""
    places = m.load32(kind + PLACES)
    change = m.load32(kind + QUEUE)
    for place in range(places):
        while m.load32(change + 4 * place) < 0:
            goes = 0
            while goes < places and m.load32(change + 4 * goes) <= 0:
                goes += 1
            m.store32(change + 4 * place, m.load32(change + 4 * place) + 1)
            if goes < places:
                m.store32(change + 4 * goes, m.load32(change + 4 * goes) - 1)
            else:
                goes = NOT_KNOWN
            if _add_leg(m, at, kind, seat, moment, face, place, goes) == 0:
                return 0
    for place in range(places):
        while m.load32(change + 4 * place) > 0:
            m.store32(change + 4 * place, m.load32(change + 4 * place) - 1)
            if _add_leg(m, at, kind, seat, moment, face, NOT_KNOWN, place) == 0:
                return 0
    return 1


def _add_leg(m: Memory, at: Workspace, kind: int, seat: int, moment: int, face: int, comes: int, goes: int) -> int:
    count = m.load32(at.leg_count)
    if count == at.legs_limit:
        return 0
    hidden = 0
    if _is_seen(m, kind, seat, comes) == 0 and _is_seen(m, kind, seat, goes) == 0 and _is_named(m, at, kind, moment, face) == 0:
        hidden = 1
    leg = at.legs + LEG_SIZE * count
    m.store32(leg + LEG_MOMENT, moment)
    m.store32(leg + LEG_KIND, kind)
    m.store32(leg + LEG_FACE, NOT_KNOWN if hidden != 0 else face)
    m.store32(leg + LEG_COMES, comes)
    m.store32(leg + LEG_GOES, goes)
    m.store32(leg + LEG_IS_HIDDEN, hidden)
    m.store32(at.leg_count, count + 1)
    return 1


def _is_seen(m: Memory, kind: int, seat: int, place: int) -> int:
    """1 where a seat sees what lies in a place, or everybody does."""
    if place < 0:
        return 1
    return 1 if m.load32(m.load32(kind + ELEMENTS) + 4 * (seat * m.load32(kind + PLACES) + place)) < 0 else 0


def _is_named(m: Memory, at: Workspace, kind: int, moment: int, face: int) -> int:
    """1 where the seat saw an act with a component, or that it came by chance, at a moment."""
    if m.load8(at.noticed + moment) != SEEN:
        return 0
    value = m.load32(at.happened + 4 * moment)
    site = number(m, _record(m, at, moment) + at.site, at.site_width) - 1
    if m.load32(at.site_events + 4 * site) != 0:
        return 1 if m.load32(at.site_kinds + 4 * site) == kind and value == face else 0
    group = _group_of(m, at, value)
    rest = value - m.load32(group + GROUP_BASE)
    argument = m.load32(group + ARGUMENT_COUNT)
    while argument > 0:  # the last one runs fastest
        argument -= 1
        entry = m.load32(group + ARGUMENTS) + ARGUMENT_ENTRY * argument
        values = m.load32(entry + VALUES)
        if m.load32(entry + OF_KIND) == kind and rest % values + m.load32(entry + LOW) == face:
            return 1
        rest = rest // values
    return 0


def _sort(m: Memory, at: Workspace, first: int) -> None:
    """Bring the legs from a number on into an order that does not tell which components went."""
    for index in range(first + 1, m.load32(at.leg_count)):
        leg = at.legs + LEG_SIZE * index
        while leg > at.legs + LEG_SIZE * first and _is_before(m, leg, leg - LEG_SIZE) != 0:
            m.copy(at.spare_leg, leg, LEG_SIZE)
            m.copy(leg, leg - LEG_SIZE, LEG_SIZE)
            leg -= LEG_SIZE
            m.copy(leg, at.spare_leg, LEG_SIZE)


def _is_before(m: Memory, one: int, other: int) -> int:
    """1 where a leg comes before another one: by everything but what is found later, which lies behind."""
    for word in range(LEG_TAKEN >> 2):
        if m.load32(one + 4 * word) != m.load32(other + 4 * word):
            return 1 if m.load32(one + 4 * word) < m.load32(other + 4 * word) else 0
    return 0


# ---- The ways back


def _find_ways(m: Game, at: Workspace) -> int:
    """Draw which components took the hidden legs, so that they end in the draft. 0: these ways do not come from the start."""
    for index in range(at.kind_count):
        kind = at.kinds + KIND_SIZE * index
        m.copy(m.load32(kind + WAYS), m.load32(kind + NOW), 4 * m.load32(kind + PLACES) * m.load32(kind + FACES))
    end = m.load32(at.leg_count)
    while end > 0:
        moment = m.load32(at.legs + LEG_SIZE * (end - 1) + LEG_MOMENT)
        first = end
        while first > 0 and m.load32(at.legs + LEG_SIZE * (first - 1) + LEG_MOMENT) == moment:
            first -= 1
        for hidden in range(2):
            for index in range(first, end):
                leg = at.legs + LEG_SIZE * index
                if m.load32(leg + LEG_IS_HIDDEN) == hidden and _leave(m, at, leg) == 0:
                    return 0
        for index in range(first, end):
            leg = at.legs + LEG_SIZE * index
            if m.load32(leg + LEG_COMES) >= 0:
                cell = _cell(m, m.load32(leg + LEG_KIND), m.load32(leg + LEG_COMES), m.load32(leg + LEG_FACE))
                m.store32(cell, m.load32(cell) + 1)
        end = first
    for index in range(at.kind_count):
        kind = at.kinds + KIND_SIZE * index
        size = 4 * m.load32(kind + PLACES) * m.load32(kind + FACES)
        if m.load32(kind + UNROLLED) < 0 and _equal(m, m.load32(kind + WAYS), m.load32(kind + THEN), size) == 0:
            return 0
    return 1


def _equal(m: Memory, one: int, other: int, size: int) -> int:
    """1 where as many bytes are the same."""
    while size >= 8:
        if m.load64(one) != m.load64(other):
            return 0
        one += 8
        other += 8
        size -= 8
    for byte in range(size):
        if m.load8(one + byte) != m.load8(other + byte):
            return 0
    return 1


def _cell(m: Memory, kind: int, place: int, face: int) -> int:
    """Where it is said how many of a face lie in a place, on the way back."""
    return m.load32(kind + WAYS) + 4 * (place * m.load32(kind + FACES) + face)


def _leave(m: Game, at: Workspace, leg: int) -> int:
    """Let what took a leg leave its end, where the leg is hidden after drawing it. 0: nothing can have taken it."""
    kind = m.load32(leg + LEG_KIND)
    goes = m.load32(leg + LEG_GOES)
    m.store32(leg + LEG_TAKEN, NO_WAY)
    if goes < 0:
        return 1
    if m.load32(leg + LEG_IS_HIDDEN) != 0:
        face = _drawn_back(m, at, leg)
        if face < 0:
            return 0
        m.store32(leg + LEG_FACE, face)
    cell = _cell(m, kind, goes, m.load32(leg + LEG_FACE))
    if m.load32(cell) == 0:
        return 0
    m.store32(cell, m.load32(cell) - 1)
    return 1


def _drawn_back(m: Game, at: Workspace, leg: int) -> int:
    """A face that may have taken a hidden leg; what may not have been where it is now goes first. -1: none."""
    kind = m.load32(leg + LEG_KIND)
    chances = m.load32(leg + LEG_CHANCES)
    cells = _cell(m, kind, m.load32(leg + LEG_GOES), 0)
    weight = 0
    is_late = 0
    for face in range(m.load32(kind + FACES)):
        count = m.load32(cells + 4 * face)
        if count > 0:
            chance = m.load16(chances + 2 * face)
            if chance == NOT_ASKED:
                chance = _chance(m, at, leg, face)
                m.store16(chances + 2 * face, chance)
            free = count - (chance >> 1)
            if free > 0 and chance & 1 >= is_late:
                if chance & 1 > is_late:
                    weight = 0
                    is_late = 1
                weight += free
    if weight == 0:
        return NOT_KNOWN
    left = m.below(at.generator, weight)
    found = 0
    while True:
        count = m.load32(cells + 4 * found)
        if count > 0:
            chance = m.load16(chances + 2 * found)
            free = count - (chance >> 1)
            if free > 0 and chance & 1 == is_late:
                left -= free
                if left < 0:
                    break
        found += 1
    return found


def _chance(m: Game, at: Workspace, leg: int, face: int) -> int:
    """Twice how many of a face cannot have taken a hidden leg, and 1 where none may have been before where it goes."""
    kind = m.load32(leg + LEG_KIND)
    record = _record(m, at, m.load32(leg + LEG_MOMENT))
    goes = m.load32(leg + LEG_GOES)
    seat = m.load32(at.seat)
    if _may_be(m, kind, seat, record, m.load32(leg + LEG_COMES), face) == 0:
        return NOT_ASKED - 1
    late = 1 - may_be_others(m, kind, seat, record, goes, face)
    return 2 * sure_of(m, kind, seat, record, goes, face) + late


def _may_be(m: Memory, kind: int, seat: int, record: int, place: int, face: int) -> int:
    """1 where a component of a face may be in a place for a seat."""
    return 1 if may_be_others(m, kind, seat, record, place, face) != 0 or sure_of(m, kind, seat, record, place, face) > 0 else 0


# ---- The replay


def _go_back(m: Game, at: Workspace, step: int) -> None:
    """Let the game be played again from a step on. If that is interrupted, the same is drawn once more."""
    m.store32(at.resumed, step)
    m.store64(at.before, m.load64(at.generator))
    m.store32(at.finding, REPLAYING)


def _replay(m: Game, at: Workspace) -> int:
    """1 where the game came to where it stands, in ``at.world``. Else it is said what is to be done next."""
    step = m.load32(at.resumed)
    moment = m.load32(at.followed + 4 * step)
    moments = m.load32(at.moments)
    m.store64(at.generator, m.load64(at.before))
    m.store64(at.trail + at.record_size * step + at.streams, m.word(at.generator))
    _link_legs(m, at, step)
    stop = m.restore(at.trail + at.record_size * step)
    m.save(at.world)
    moment = _follow(m, at, stop, moment)
    failed = 0
    m.store32(at.blamed, NOT_KNOWN)
    while moment >= 0:
        _keep_on(m, at)
        secret = _chooses_in_secret(m, at, stop, moment)
        if moment == moments and secret == 0:
            if m.player() == m.load32(at.seat):
                return 1
            break
        m.store8(at.drawn + step, 0)
        m.store32(at.blamed, m.player())
        failed = moment
        if secret == 0 and (m.load8(at.noticed + moment) == SEEN or _is_told(m, at, moment) != 0):
            value = m.load32(at.happened + 4 * moment)
            stop = m.happen(value) if stop == CHANCE_EVENT else m.choose(value)
        else:
            m.copy(at.trail + at.record_size * step, at.world, at.record_size)
            m.store32(at.followed + 4 * step, moment)
            stop = _happen(m, at, step, moment) if stop == CHANCE_EVENT else _choose(m, at, step, moment, secret)
        step += 1
        if stop < 0 or step == at.moments_limit:
            break
        failed += 1
        m.save(at.world)
        if secret == 0:
            moment += 1
        elif _observes(m, at, moment) != 0:
            moment = _noticed_from(m, at, moment) + 1
        if moment > moments:
            break
        moment = _follow(m, at, stop, moment)
    if moment >= 0 and stop < 0 and m.load32(at.blamed) >= 0:
        m.offered_to(at.choices)
    else:
        m.fill(at.choices, 0, (at.options + 63) // 64 * 8)
    _fail(m, at, step, failed)
    return 0


def _link_legs(m: Game, at: Workspace, step: int) -> None:
    """Link the legs of each face that come from a hidden place. What was taken at a step or later is not taken any more."""
    for index in range(at.kind_count):
        kind = at.kinds + KIND_SIZE * index
        m.fill(m.load32(kind + NEXT_LEGS), 0, 4 * m.load32(kind + FACES))
    leg = at.legs + LEG_SIZE * m.load32(at.leg_count)
    while leg > at.legs:
        leg -= LEG_SIZE
        if m.load32(leg + LEG_TAKEN) >= step:
            m.store32(leg + LEG_TAKEN, NO_WAY)
        if m.load32(leg + LEG_COMES) >= 0:
            first = m.load32(m.load32(leg + LEG_KIND) + NEXT_LEGS) + 4 * m.load32(leg + LEG_FACE)
            m.store32(leg + LEG_NEXT, m.load32(first))
            m.store32(first, leg)


def _keep_on(m: Game, at: Workspace) -> None:
    if m.load32(at.flag) != 0:
        m.leave_off()


def _chooses_in_secret(m: Game, at: Workspace, stop: int, moment: int) -> int:
    """1 where somebody chooses in ``at.world`` of which the seat notices nothing, and is told nothing later."""
    if stop != DECISION or _secrets(m, at, at.world) & IS_SECRET == 0 or m.player() == m.load32(at.seat):
        return 0
    return 1 - _is_told(m, at, moment)


def _observes(m: Memory, at: Workspace, moment: int) -> int:
    """1 where the seat has observed something in ``at.world`` that it had not at a moment."""
    digest = at.digest + 8 * m.load32(at.seat)
    return 1 if m.load64(at.world + digest) != m.load64(_record(m, at, moment) + digest) else 0


def _noticed_from(m: Memory, at: Workspace, moment: int) -> int:
    """The first moment, from one on, of which the seat noticed what happened then; how many there are where there is none."""
    moments = m.load32(at.moments)
    while moment < moments and m.load8(at.noticed + moment) == UNNOTICED:
        moment += 1
    return moment


def _is_told(m: Memory, at: Workspace, moment: int) -> int:
    """1 where the seat did not see what was chosen, but has been told meanwhile."""
    if moment >= m.load32(at.clear) or m.load8(at.noticed + moment) == SEEN:
        return 0
    record = _record(m, at, moment)
    site = number(m, record + at.site, at.site_width) - 1
    return 1 if m.load32(at.site_events + 4 * site) == 0 and _secrets(m, at, record) & IS_TOLD != 0 else 0


def _follow(m: Game, at: Workspace, stop: int, moment: int) -> int:
    """The moment at which ``at.world`` stands for the seat, from a moment on; -1 where the seat notices a difference."""
    moments = m.load32(at.moments)
    seat = m.load32(at.seat)
    secret = _chooses_in_secret(m, at, stop, moment)
    while secret == 0 and moment < moments and m.load8(at.noticed + moment) == UNNOTICED and _is_told(m, at, moment) == 0:
        moment += 1
    expected = _record(m, at, moment)
    digest = at.digest + 8 * seat
    if m.load64(at.world + digest) != m.load64(expected + digest):
        return NOT_KNOWN
    if secret == 0:
        if number(m, at.world + at.site, at.site_width) != number(m, expected + at.site, at.site_width):
            return NOT_KNOWN
        if stop == DECISION and _looks_the_same(m, at, expected, seat) == 0:
            return NOT_KNOWN
    return moment


def _looks_the_same(m: Memory, at: Workspace, expected: int, seat: int) -> int:
    """1 where a seat sees the same in ``at.world`` as in a record, amounts included."""
    parts = m.load32(at.sights + 8 * seat)
    for part in range(m.load32(at.sights + 8 * seat + 4)):
        offset = m.load32(parts + 8 * part)
        if _equal(m, at.world + offset, expected + offset, m.load32(parts + 8 * part + 4)) == 0:
            return 0
    for index in range(at.kind_count):
        kind = at.kinds + KIND_SIZE * index
        for place in range(m.load32(kind + PLACES)):
            if amount_in(m, kind, at.world, place) != amount_in(m, kind, expected, place):
                return 0
    return 1


def _happen(m: Game, at: Workspace, step: int, moment: int) -> int:
    """Let a chance event that the seat does not see have an outcome: what has the next leg to go, else any."""
    kind = m.load32(at.site_kinds + 4 * (number(m, at.world + at.site, at.site_width) - 1))
    guesses = 0
    latest = NOT_KNOWN
    if kind != 0 and m.load32(at.loose) == 0:
        stop = _happen_now(m, at, kind, step, moment)
        if stop >= 0:
            return stop
    if kind != 0 and m.load32(at.loose) == 0:
        for index in range(_first_leg(m, at, moment), m.load32(at.leg_count)):
            leg = at.legs + LEG_SIZE * index
            if m.load32(leg + LEG_KIND) == kind and m.load32(leg + LEG_COMES) >= 0 and m.load32(leg + LEG_TAKEN) == NO_WAY:
                if guesses == GUESSES or (guesses > 0 and m.load32(leg + LEG_MOMENT) != latest):
                    break
                stop = m.happen(m.load32(leg + LEG_FACE))
                if stop >= 0:
                    m.store32(leg + LEG_TAKEN, step)
                    return stop
                if m.load32(leg + LEG_MOMENT) == moment:
                    latest = moment
                guesses += 1
    m.store8(at.drawn + step, 1)
    return m.happen(m.draw())


def _happen_now(m: Game, at: Workspace, kind: int, step: int, moment: int) -> int:
    """Let what takes a hidden leg at once be the outcome; -1: there is none, or it is not possible.

    Something else may go at the same moment without an event, where it is the last of a pile.
    """
    index = _first_leg(m, at, moment)
    while index < m.load32(at.leg_count) and m.load32(at.legs + LEG_SIZE * index + LEG_MOMENT) == moment:
        leg = at.legs + LEG_SIZE * index
        index += 1
        is_hidden = m.load32(leg + LEG_IS_HIDDEN) != 0 and m.load32(leg + LEG_TAKEN) == NO_WAY
        if is_hidden and m.load32(leg + LEG_KIND) == kind:
            stop = m.happen(m.load32(leg + LEG_FACE))
            if stop >= 0:
                m.store32(leg + LEG_TAKEN, step)
                return stop
    return NOT_KNOWN


def _choose(m: Game, at: Workspace, step: int, moment: int, secret: int) -> int:
    """Let somebody choose what the seat does not see."""
    return m.choose(_drawn_option(m, at, step, moment, secret))


def _first_leg(m: Memory, at: Workspace, moment: int) -> int:
    """The first leg that is gone at a moment or later."""
    low = 0
    high = m.load32(at.leg_count)
    while low < high:
        middle = (low + high) >> 1
        if m.load32(at.legs + LEG_SIZE * middle + LEG_MOMENT) < moment:
            low = middle + 1
        else:
            high = middle
    return low


def _drawn_option(m: Game, at: Workspace, step: int, moment: int, secret: int) -> int:
    """An option that may have been taken unseen: one with the components that have the next leg to go. -1: there is none."""
    first = 0
    last = at.options
    if secret == 0:  # the verb is seen
        group = _group_of(m, at, m.load32(at.happened + 4 * moment))
        first = m.load32(group + GROUP_BASE)
        last = first + m.load32(group + GROUP_SIZE)
    until = _noticed_from(m, at, moment)
    guided = 0
    if m.load32(at.loose) == 0 and moment < m.load32(at.clear):
        guided = 1
        if m.load32(at.tries) * 2 > m.load32(at.bound) and m.below(at.generator, 4) == 0:
            guided = 0
    m.offered_to(at.choices)
    fitting = 0
    found = NOT_KNOWN
    best = NO_WAY + 1
    for index in range(count_between(m, at.choices, first, last)):
        option = select_from(m, at.choices, first, index)
        when = 0
        if guided != 0:
            when = _goes_at(m, at, moment, until, option, best)
        if when < best:
            best = when
            fitting = 0
        if when == best:
            fitting += 1
            if m.below(at.generator, fitting) == 0:
                found = option
    if found >= 0 and guided != 0 and best < NO_WAY:
        _take(m, at, step, moment, found)
    if fitting > 1 and (guided == 0 or best > until):
        m.store8(at.drawn + step, 1)
    return found


def _goes_at(m: Game, at: Workspace, moment: int, until: int, option: int, best: int) -> int:
    """When all components of an option have gone on a leg; for an option without any, when the seat notices something again.

    Legs after ``best`` do not count.
    """
    group = _group_of(m, at, option)
    rest = option - m.load32(group + GROUP_BASE)
    argument = m.load32(group + ARGUMENT_COUNT)
    found = NOT_KNOWN
    while argument > 0:
        argument -= 1
        entry = m.load32(group + ARGUMENTS) + ARGUMENT_ENTRY * argument
        values = m.load32(entry + VALUES)
        kind = m.load32(entry + OF_KIND)
        if kind != 0:
            leg = _leg_of(m, at, moment, kind, rest % values + m.load32(entry + LOW), best)
            when = NO_WAY
            if leg != 0:
                when = m.load32(leg + LEG_MOMENT)
            if when > found:
                found = when
        rest = rest // values
    return until + 1 if found < 0 else found


def _take(m: Game, at: Workspace, step: int, moment: int, option: int) -> None:
    """The components of an option take their legs at a step."""
    group = _group_of(m, at, option)
    rest = option - m.load32(group + GROUP_BASE)
    argument = m.load32(group + ARGUMENT_COUNT)
    while argument > 0:
        argument -= 1
        entry = m.load32(group + ARGUMENTS) + ARGUMENT_ENTRY * argument
        values = m.load32(entry + VALUES)
        kind = m.load32(entry + OF_KIND)
        if kind != 0:
            leg = _leg_of(m, at, moment, kind, rest % values + m.load32(entry + LOW), NO_WAY)
            if leg != 0:
                m.store32(leg + LEG_TAKEN, step)
        rest = rest // values


def _leg_of(m: Game, at: Workspace, moment: int, kind: int, face: int, until: int) -> int:
    """The next leg of a face, up to a moment, that nothing has taken yet; 0: there is none."""
    leg = m.load32(m.load32(kind + NEXT_LEGS) + 4 * face)
    while leg != 0 and (m.load32(leg + LEG_MOMENT) < moment or m.load32(leg + LEG_TAKEN) != NO_WAY):
        leg = m.load32(leg + LEG_NEXT)
    return leg if leg != 0 and m.load32(leg + LEG_MOMENT) <= until else 0


def _group_of(m: Memory, at: Workspace, option: int) -> int:
    """The entry of an option's group."""
    group = at.groups
    while option < m.load32(group + GROUP_BASE) or option >= m.load32(group + GROUP_BASE) + m.load32(group + GROUP_SIZE):
        group += GROUP_ENTRY
    return group


def _fail(m: Game, at: Workspace, failed: int, moment: int) -> None:
    """After a number of steps it is seen that this is no world: go back to where something was drawn, mend, or draft anew.

    ``moment``: up to which it was one; -1: that is not known.
    """
    m.store32(at.finding, DRAFTING)
    tries = m.load32(at.tries)
    if tries >= m.load32(at.bound):
        return
    count = 0
    for step in range(failed):
        count += m.load8(at.drawn + step)
    back = m.below(at.generator, count + 1)
    if m.below(at.generator, 2) == 0:
        back = 0
        while back < count and m.below(at.generator, 2) == 0:
            back += 1
    if back == count:
        if moment >= 0 and m.load32(at.loose) == 0 and _mend(m, at, moment) != 0:
            m.store32(at.tries, tries + 1)
            _go_back(m, at, 0)
        return
    m.store32(at.tries, tries + 1)
    step = failed
    while back >= 0:
        step -= 1
        if m.load8(at.drawn + step) != 0:
            back -= 1
    _go_back(m, at, step)


# ---- Mending


def _mend(m: Game, at: Workspace, moment: int) -> int:
    """Change the ways, which failed at a moment, or those that came further before. 0: this does not help any more."""
    if m.load32(at.leg_count) == 0:
        return 0
    if moment > m.load32(at.furthest):
        m.store32(at.mended, 0)
    if m.load32(at.mended) == MENDS:
        return 0
    m.store32(at.mended, m.load32(at.mended) + 1)
    if moment >= m.load32(at.furthest):
        m.store32(at.furthest, moment)
        m.store32(at.furthest_blamed, m.load32(at.blamed))
        m.copy(at.furthest_record, at.world, at.record_size)
        m.copy(at.furthest_choices, at.choices, (at.options + 63) // 64 * 8)
        for index in range(m.load32(at.leg_count)):
            leg = at.legs + LEG_SIZE * index
            m.store32(leg + LEG_KEPT, m.load32(leg + LEG_FACE))
    else:
        for index in range(m.load32(at.leg_count)):
            leg = at.legs + LEG_SIZE * index
            m.store32(leg + LEG_FACE, m.load32(leg + LEG_KEPT))
    done = 0
    for index in range(count_between(m, at.furthest_choices, 0, at.options)):
        done += _exchange_those_of(m, at, select_from(m, at.furthest_choices, 0, index))
    tries = 0
    while done == 0 and tries < EXCHANGES:
        kind = at.kinds + KIND_SIZE * m.below(at.generator, at.kind_count)
        done = _exchange(m, at, kind, m.load32(at.furthest_blamed), NOT_KNOWN, NOT_KNOWN)
        tries += 1
    return done


def _exchange_those_of(m: Game, at: Workspace, option: int) -> int:
    """How many components of an option have exchanged their ways with others."""
    group = _group_of(m, at, option)
    rest = option - m.load32(group + GROUP_BASE)
    argument = m.load32(group + ARGUMENT_COUNT)
    done = 0
    while argument > 0:
        argument -= 1
        entry = m.load32(group + ARGUMENTS) + ARGUMENT_ENTRY * argument
        values = m.load32(entry + VALUES)
        kind = m.load32(entry + OF_KIND)
        if kind != 0:
            face = rest % values + m.load32(entry + LOW)
            for place in range(m.load32(kind + PLACES)):
                if _lies_hidden(m, at, kind, place) != 0 and _there(m, kind, at.furthest_record, place, face) > 0:
                    done += _exchange(m, at, kind, NOT_KNOWN, place, face)
        rest = rest // values
    return done


def _lies_hidden(m: Memory, at: Workspace, kind: int, place: int) -> int:
    return 1 - _is_seen(m, kind, m.load32(at.seat), place)


def _exchange(m: Game, at: Workspace, kind: int, blamed: int, place: int, face: int) -> int:
    """1 where a component has exchanged its way with another one: the given one, or any, rather one that ``blamed`` sees."""
    if m.load32(kind + UNROLLED) >= 0:
        return 0
    if face < 0:
        one = _any_component(m, at, kind, blamed, NOT_KNOWN)
        if one < 0:
            one = _any_component(m, at, kind, NOT_KNOWN, NOT_KNOWN)
        if one < 0:
            return 0
        place = one // m.load32(kind + FACES)
        face = one % m.load32(kind + FACES)
    for _ in range(EXCHANGES):
        other = _any_component(m, at, kind, NOT_KNOWN, place)
        if other < 0:
            return 0
        there = other // m.load32(kind + FACES)
        other = other % m.load32(kind + FACES)
        apart = other != face and _meet(m, at, kind, place, face, there, other, 0) != 0
        if apart and _part(m, at, kind, place, face, there, other, 0) != 0:
            _meet(m, at, kind, place, face, there, other, 1)
            _part(m, at, kind, place, face, there, other, 1)
            return 1
    return 0


def _any_component(m: Game, at: Workspace, kind: int, seen_by: int, but: int) -> int:
    """Any component where the seat does not see it: its place times the number of faces, and its face. -1: there is none.

    ``seen_by``: in a place that this seat sees (-1: any). ``but``: not in this place.
    """
    faces = m.load32(kind + FACES)
    places = m.load32(kind + PLACES)
    amounts = m.load32(kind + QUEUE)
    total = 0
    for place in range(places):
        amount = 0
        shown = 1 if seen_by < 0 else m.load32(m.load32(kind + SHOWN) + 4 * (seen_by * places + place))
        if place != but and shown != 0 and _lies_hidden(m, at, kind, place) != 0:
            amount = amount_in(m, kind, at.furthest_record, place)
        m.store32(amounts + 4 * place, amount)
        total += amount
    if total == 0:
        return NOT_KNOWN
    left = m.below(at.generator, total)
    place = 0
    while left >= m.load32(amounts + 4 * place):
        left -= m.load32(amounts + 4 * place)
        place += 1
    face = 0
    while face < faces:
        left -= _there(m, kind, at.furthest_record, place, face)
        if left < 0:
            return place * faces + face
        face += 1
    return NOT_KNOWN


def _part(m: Memory, at: Workspace, kind: int, place: int, face: int, there: int, other: int, rename: int) -> int:
    """Follow two components back to where they last lay together. 0: the seat saw one of them meanwhile, or they never did.

    ``rename``: whether each becomes the other one.
    """
    moment = m.load32(at.furthest)
    index = _first_leg(m, at, moment)
    while index > 0:
        index -= 1
        leg = at.legs + LEG_SIZE * index
        if m.load32(leg + LEG_MOMENT) != moment and place == there:
            return 1
        moment = m.load32(leg + LEG_MOMENT)
        if m.load32(leg + LEG_KIND) == kind and m.load32(leg + LEG_GOES) >= 0:
            if m.load32(leg + LEG_FACE) == face and m.load32(leg + LEG_GOES) == place:
                if m.load32(leg + LEG_IS_HIDDEN) == 0:
                    return 0
                place = m.load32(leg + LEG_COMES)
                if rename != 0:
                    m.store32(leg + LEG_FACE, other)
            elif m.load32(leg + LEG_FACE) == other and m.load32(leg + LEG_GOES) == there:
                if m.load32(leg + LEG_IS_HIDDEN) == 0:
                    return 0
                there = m.load32(leg + LEG_COMES)
                if rename != 0:
                    m.store32(leg + LEG_FACE, face)
    return 1 if place == there else 0


def _meet(m: Memory, at: Workspace, kind: int, place: int, face: int, there: int, other: int, rename: int) -> int:
    """Follow two components to where they lie together again, or lie now. 0: the seat sees one of them before."""
    moment = m.load32(at.furthest)
    for index in range(_first_leg(m, at, moment), m.load32(at.leg_count)):
        leg = at.legs + LEG_SIZE * index
        if m.load32(leg + LEG_MOMENT) != moment and place == there:
            return 1
        moment = m.load32(leg + LEG_MOMENT)
        if m.load32(leg + LEG_KIND) == kind and m.load32(leg + LEG_COMES) >= 0:
            if m.load32(leg + LEG_FACE) == face and m.load32(leg + LEG_COMES) == place:
                if m.load32(leg + LEG_IS_HIDDEN) == 0:
                    return 0
                place = m.load32(leg + LEG_GOES)
                if rename != 0:
                    m.store32(leg + LEG_FACE, other)
            elif m.load32(leg + LEG_FACE) == other and m.load32(leg + LEG_COMES) == there:
                if m.load32(leg + LEG_IS_HIDDEN) == 0:
                    return 0
                there = m.load32(leg + LEG_GOES)
                if rename != 0:
                    m.store32(leg + LEG_FACE, face)
    return 1
