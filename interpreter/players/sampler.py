"""Draws other places for the components that a seat does not see, consistent with what the seat knows.

``prepare`` reads from the record of a game what the seat knows (`machine/knowledge.py` says the same about cells). Components
that it knows to lie in a place stay there. The others are *free*: each of them may lie in any place in which the seat does not
know that its face is not. Each place keeps its number of components. ``place_anew`` places the free ones anew, as follows,
and ``write_world`` writes the record of such a *draft*:

- Dice are rolled: wherever one lies, each face that may be there is as likely as any other. The faces that none shows are placed
  like all other components.
- The other components come in a random order, each to a random place that has room and may hold it.
- If there is no such place, room is made by the shortest chain of exchanges: one component goes to where another was, that one to
  where a third was, and so on, until one goes to a place with room (a breadth-first search for an augmenting path, as in the
  matching of Hopcroft and Karp). There always is such a chain, since the real game is an arrangement of this sort.
- A pile has a random order, as far as it has any: others may have seen theirs.

So a draft contains nothing but what the seat knows. Not all drafts are exactly equally likely where little fits together. The
sampler also does not know that two components cannot both be somewhere; the seat's own log may tell (`worlds.py`).

The row of certain copies of each seat is written anew, since where a bit of it stands depends on what lies where; and the others
may think that what came to a place is where it is now.

All of this is written for `dialect.py`, so that it runs in Python and in a module alike. Its tables are made by `workspace.py`.
"""

from __future__ import annotations

from .dialect import Memory, Word
from .workspace import (
    CERTAIN,
    CERTAIN_WIDTH,
    CONTENT,
    CONTENT_WIDTH,
    COPIES,
    ELEMENTS,
    FACE_SIZE,
    FACES,
    FACES_TABLE,
    FIRST_BIT,
    FREE,
    FREE_COUNT,
    FREE_PLACE,
    KIND_SIZE,
    NOW,
    PLACE_SIZE,
    PLACES,
    PLACES_TABLE,
    QUEUE,
    ROOM,
    ROOM_LEFT,
    ROW,
    SHOWN,
    SIZE,
    SIZE_WIDTH,
    SLOT,
    SPARE,
    SURE,
    THERE,
    TOP,
    TOP_WIDTH,
    UNROLLED,
    VIA,
    Workspace,
)


def prepare(m: Memory, at: Workspace, seat: int) -> int:
    """Find what is free for a seat in the game at ``at.base``; how many components of all kinds."""
    free = 0
    for number in range(at.kind_count):
        free += _prepare_kind(m, at, at.kinds + KIND_SIZE * number, seat)
    return free


def place_anew(m: Memory, at: Workspace, seat: int) -> None:
    """Place all free components anew: how many of each face lie in each place (`NOW`)."""
    for number in range(at.kind_count):
        kind = at.kinds + KIND_SIZE * number
        if m.load32(kind + FREE_COUNT) > 0:
            _place_all(m, at, kind, seat)
            faces = m.load32(kind + FACES)
            now = m.load32(kind + NOW)
            m.copy(now, m.load32(kind + SURE), 4 * m.load32(kind + PLACES) * faces)
            for index in range(m.load32(kind + FREE_COUNT)):
                cell = now + 4 * (m.load32(m.load32(kind + FREE_PLACE) + 4 * index) * faces + _face(m, kind, index))
                m.store32(cell, m.load32(cell) + 1)


def write_world(m: Memory, at: Workspace, seat: int) -> None:
    """Let the game at ``at.world`` be that at ``at.base`` with all components as they have been placed."""
    m.copy(at.world, at.base, at.record_size)
    for number in range(at.kind_count):
        kind = at.kinds + KIND_SIZE * number
        if m.load32(kind + FREE_COUNT) > 0:
            _write(m, at, kind, seat)
            _write_rows(m, at, kind)
        for place in range(m.load32(kind + PLACES)):
            if m.load32(m.load32(kind + SHOWN) + 4 * (seat * m.load32(kind + PLACES) + place)) == 0:
                _shuffle_top(m, at, m.load32(kind + PLACES_TABLE) + PLACE_SIZE * place)


# ---- What the seat knows


def _prepare_kind(m: Memory, at: Workspace, kind: int, seat: int) -> int:
    faces = m.load32(kind + FACES)
    places = m.load32(kind + PLACES)
    free = 0
    m.fill(m.load32(kind + ROOM), 0, 4 * places)
    for face in range(faces):
        entry = m.load32(kind + FACES_TABLE) + FACE_SIZE * face
        row = m.load32(entry + ROW)
        for place in range(places):
            cell = 4 * (place * faces + face)
            there = in_rest(m, kind, at.base, place, face) + in_top(m, kind, at.base, place, face)
            m.store32(m.load32(kind + THERE) + cell, there)
            may = m.load32(m.load32(kind + ELEMENTS) + 4 * (seat * places + place))
            sure = there
            if may >= 0:
                if row >= 0:
                    base = at.base + m.load32(kind + CERTAIN) + seat * m.load32(kind + CERTAIN_WIDTH)
                    sure = count_bits(m, base, row, there)
                elif has(m, at.base + may, face) != 0:
                    sure = 0
            if row >= 0:
                row += there
            m.store32(m.load32(kind + SURE) + cell, sure)
            room = m.load32(kind + ROOM) + 4 * place
            m.store32(room, m.load32(room) + there - sure)
            for _ in range(there - sure):
                m.store32(m.load32(kind + FREE) + 4 * free, face)
                free += 1
    m.store32(kind + FREE_COUNT, free)
    m.copy(m.load32(kind + NOW), m.load32(kind + THERE), 4 * places * faces)
    return free


def knows_all(m: Memory, at: Workspace, kind: int, seat: int, record: int) -> int:
    """1 where a seat is certain of where all components of a kind lie in a record, and no pile has an order."""
    places = m.load32(kind + PLACES)
    for place in range(places):
        entry = m.load32(kind + PLACES_TABLE) + PLACE_SIZE * place
        if m.load32(entry + TOP) >= 0 and number(m, record + m.load32(entry + SIZE), m.load32(entry + SIZE_WIDTH)) > 0:
            return 0
    for place in range(places):
        if m.load32(m.load32(kind + ELEMENTS) + 4 * (seat * places + place)) >= 0:
            for face in range(m.load32(kind + FACES)):
                if sure_of(m, kind, seat, record, place, face) < in_rest(m, kind, record, place, face):
                    return 0
    return 1


def sure_of(m: Memory, kind: int, seat: int, record: int, place: int, face: int) -> int:
    """How many of a face a seat is certain of, in a place of a record that it does not see."""
    there = in_rest(m, kind, record, place, face) + in_top(m, kind, record, place, face)
    if there == 0:
        return 0
    row = m.load32(m.load32(kind + FACES_TABLE) + FACE_SIZE * face + ROW)
    if row < 0:
        return there - there * may_be_others(m, kind, seat, record, place, face)
    for before in range(place):
        row += in_rest(m, kind, record, before, face) + in_top(m, kind, record, before, face)
    return count_bits(m, record + m.load32(kind + CERTAIN) + seat * m.load32(kind + CERTAIN_WIDTH), row, there)


def may_be_others(m: Memory, kind: int, seat: int, record: int, place: int, face: int) -> int:
    """1 where others of a face may be in a place for a seat, beside those of which it is certain."""
    may = m.load32(m.load32(kind + ELEMENTS) + 4 * (seat * m.load32(kind + PLACES) + place))
    return 0 if may < 0 else has(m, record + may, face)


def has(m: Memory, bits: int, bit: int) -> int:
    """1 where a set has a member."""
    return m.load8(bits + (bit >> 3)) >> (bit & 7) & 1


def count_bits(m: Memory, bits: int, start: int, count: int) -> int:
    """How many of so many bits are members of a set."""
    found = 0
    while count > 0:
        taken = count if count < 56 else 56
        word = m.load64(bits + (start >> 3)) >> Word(start & 7)
        found += m.count(word & ((Word(1) << Word(taken)) - 1))
        start += taken
        count -= taken
    return found


def include(m: Memory, bits: int, start: int, count: int) -> None:
    """So many bits from one on become members of a set."""
    for bit in range(start, start + count):
        address = bits + (bit >> 3)
        m.store8(address, m.load8(address) | 1 << (bit & 7))


def number(m: Memory, address: int, width: int) -> int:
    """A number of 1, 2 or 4 bytes."""
    if width == 1:
        return m.load8(address)
    if width == 2:
        return m.load16(address)
    return m.load32(address)


def put(m: Memory, address: int, width: int, value: int) -> None:
    """Store a number of 1, 2 or 4 bytes."""
    if width == 1:
        m.store8(address, value)
    elif width == 2:
        m.store16(address, value)
    else:
        m.store32(address, value)


def in_rest(m: Memory, kind: int, record: int, place: int, face: int) -> int:
    """How many of a face lie in a place where no order is: all but those in the ordered top of a pile."""
    entry = m.load32(kind + PLACES_TABLE) + PLACE_SIZE * place
    content = record + m.load32(entry + CONTENT)
    width = m.load32(entry + CONTENT_WIDTH)
    if m.load32(entry + SLOT) != 0:
        return 1 if number(m, content, width) == face + 1 else 0
    of_face = m.load32(kind + FACES_TABLE) + FACE_SIZE * face
    return count_bits(m, content, m.load32(of_face + FIRST_BIT), m.load32(of_face + COPIES))


def in_top(m: Memory, kind: int, record: int, place: int, face: int) -> int:
    """How many of a face lie in the ordered top of a place."""
    entry = m.load32(kind + PLACES_TABLE) + PLACE_SIZE * place
    found = 0
    if m.load32(entry + TOP) >= 0:
        width = m.load32(entry + TOP_WIDTH)
        for index in range(number(m, record + m.load32(entry + SIZE), m.load32(entry + SIZE_WIDTH))):
            if number(m, record + m.load32(entry + TOP) + width * index, width) == face + 1:
                found += 1
    return found


def amount_in(m: Memory, kind: int, record: int, place: int) -> int:
    """How many components of a kind lie in a place."""
    entry = m.load32(kind + PLACES_TABLE) + PLACE_SIZE * place
    content = record + m.load32(entry + CONTENT)
    width = m.load32(entry + CONTENT_WIDTH)
    if m.load32(entry + SLOT) != 0:
        return 1 if number(m, content, width) != 0 else 0
    found = 0
    if m.load32(entry + SIZE) >= 0:
        found = number(m, record + m.load32(entry + SIZE), m.load32(entry + SIZE_WIDTH))
    while width >= 8:
        found += m.count(m.load64(content))
        content += 8
        width -= 8
    for address in range(content, content + width):
        found += m.count(Word(m.load8(address)))
    return found


# ---- Placing


def _may(m: Memory, at: Workspace, kind: int, seat: int, place: int, face: int) -> int:
    """1 where a free component of a face may lie in a place."""
    may = m.load32(m.load32(kind + ELEMENTS) + 4 * (seat * m.load32(kind + PLACES) + place))
    if may < 0:
        return 0
    return has(m, at.base + may, face)


def _place_all(m: Memory, at: Workspace, kind: int, seat: int) -> None:
    count = m.load32(kind + FREE_COUNT)
    free = m.load32(kind + FREE)
    placed = m.load32(kind + FREE_PLACE)
    left = m.load32(kind + ROOM_LEFT)
    places = m.load32(kind + PLACES)
    m.copy(left, m.load32(kind + ROOM), 4 * places)
    for back in range(count - 1):
        last = count - 1 - back
        other = m.below(at.generator, last + 1)
        face = m.load32(free + 4 * last)
        m.store32(free + 4 * last, m.load32(free + 4 * other))
        m.store32(free + 4 * other, face)
    for index in range(count):
        m.store32(placed + 4 * index, -1)
    if m.load32(kind + UNROLLED) >= 0:
        _roll(m, at, kind, seat)
    for index in range(count):
        if m.load32(placed + 4 * index) >= 0:
            continue
        face = m.load32(free + 4 * index)
        choices = 0
        for place in range(places):
            if m.load32(left + 4 * place) > 0:
                choices += _may(m, at, kind, seat, place, face)
        if choices == 0:
            _make_room(m, at, kind, seat, index)
        else:
            chosen = m.below(at.generator, choices)
            for place in range(places):
                if m.load32(left + 4 * place) > 0 and _may(m, at, kind, seat, place, face) != 0:
                    if chosen == 0:
                        m.store32(placed + 4 * index, place)
                        m.store32(left + 4 * place, m.load32(left + 4 * place) - 1)
                        break
                    chosen -= 1


def _roll(m: Memory, at: Workspace, kind: int, seat: int) -> None:
    """Let each free die show any face. It keeps none where there are not enough of that: the seat saw some of them once."""
    for place in range(m.load32(kind + PLACES)):
        left = m.load32(kind + ROOM_LEFT) + 4 * place
        if place != m.load32(kind + UNROLLED) and m.load32(left) > 0:
            choices = 0
            for face in range(m.load32(kind + FACES)):
                choices += _may(m, at, kind, seat, place, face)
            for _ in range(m.load32(left)):
                chosen = m.below(at.generator, choices)
                for face in range(m.load32(kind + FACES)):
                    if _may(m, at, kind, seat, place, face) != 0:
                        if chosen == 0:
                            m.store32(left, m.load32(left) - _show(m, kind, place, face))
                        chosen -= 1


def _show(m: Memory, kind: int, place: int, face: int) -> int:
    """Place a free component of a face; 0 where there is none left."""
    for index in range(m.load32(kind + FREE_COUNT)):
        placed = m.load32(kind + FREE_PLACE) + 4 * index
        if m.load32(placed) < 0 and m.load32(m.load32(kind + FREE) + 4 * index) == face:
            m.store32(placed, place)
            return 1
    return 0


def _make_room(m: Memory, at: Workspace, kind: int, seat: int, index: int) -> None:
    """Place a component for which there is no room: the shortest chain of exchanges, found from its places on."""
    places = m.load32(kind + PLACES)
    placed = m.load32(kind + FREE_PLACE)
    via = m.load32(kind + VIA)
    queue = m.load32(kind + QUEUE)
    for place in range(places):
        m.store32(via + 4 * place, -1)
    reached = _reach(m, at, kind, seat, index, 0)
    done = 0
    while done < reached:
        place = m.load32(queue + 4 * done)
        done += 1
        room = m.load32(kind + ROOM_LEFT) + 4 * place
        if m.load32(room) > 0:
            m.store32(room, m.load32(room) - 1)
            moved = m.load32(via + 4 * place)
            while moved != index:
                before = m.load32(placed + 4 * moved)
                m.store32(placed + 4 * moved, place)
                place = before
                moved = m.load32(via + 4 * place)
            m.store32(placed + 4 * index, place)
            break
        for other in range(m.load32(kind + FREE_COUNT)):
            if m.load32(placed + 4 * other) == place:
                reached = _reach(m, at, kind, seat, other, reached)


def _reach(m: Memory, at: Workspace, kind: int, seat: int, index: int, reached: int) -> int:
    """Put the places to which a component may go, and that nobody came to before, into the queue; how long it is now."""
    face = m.load32(m.load32(kind + FREE) + 4 * index)
    for place in range(m.load32(kind + PLACES)):
        via = m.load32(kind + VIA) + 4 * place
        if m.load32(via) < 0 and _may(m, at, kind, seat, place, face) != 0:
            m.store32(via, index)
            m.store32(m.load32(kind + QUEUE) + 4 * reached, place)
            reached += 1
    return reached


# ---- Writing


def _next(m: Memory, kind: int, place: int, index: int) -> int:
    """The first free component from a number on that is placed in a place; there is one."""
    while m.load32(m.load32(kind + FREE_PLACE) + 4 * index) != place:
        index += 1
    return index


def _write(m: Memory, at: Workspace, kind: int, seat: int) -> None:
    for place in range(m.load32(kind + PLACES)):
        if m.load32(m.load32(kind + ROOM) + 4 * place) > 0:
            _write_place(m, at, kind, place)
            _tell_others(m, at, kind, place, seat)


def _write_place(m: Memory, at: Workspace, kind: int, place: int) -> None:
    faces = m.load32(kind + FACES)
    entry = m.load32(kind + PLACES_TABLE) + PLACE_SIZE * place
    sure = m.load32(kind + SURE) + 4 * place * faces
    now = m.load32(kind + NOW) + 4 * place * faces
    spare = m.load32(kind + SPARE)
    index = 0
    for face in range(faces):  # spare: how many that lie in the top stay there
        staying = m.load32(sure + 4 * face) - in_rest(m, kind, at.base, place, face)
        m.store32(spare + 4 * face, staying if staying > 0 else 0)
    if m.load32(entry + TOP) >= 0:
        width = m.load32(entry + TOP_WIDTH)
        for position in range(number(m, at.base + m.load32(entry + SIZE), m.load32(entry + SIZE_WIDTH))):
            offset = m.load32(entry + TOP) + width * position
            face = number(m, at.base + offset, width) - 1
            staying = m.load32(spare + 4 * face)
            if staying > 0:
                m.store32(spare + 4 * face, staying - 1)
            else:
                index = _next(m, kind, place, index)
                put(m, at.world + offset, width, _face(m, kind, index) + 1)
                index += 1
    content = at.world + m.load32(entry + CONTENT)
    width = m.load32(entry + CONTENT_WIDTH)
    if m.load32(entry + SLOT) != 0:
        for face in range(faces):
            if m.load32(now + 4 * face) > 0:
                put(m, content, width, face + 1)
    else:
        m.fill(content, 0, width)
        for face in range(faces):
            of_face = m.load32(kind + FACES_TABLE) + FACE_SIZE * face
            resting = m.load32(now + 4 * face) - in_top(m, kind, at.world, place, face)
            include(m, content, m.load32(of_face + FIRST_BIT), resting)


def _face(m: Memory, kind: int, index: int) -> int:
    """The face of a free component."""
    return m.load32(m.load32(kind + FREE) + 4 * index)


def _shuffle_top(m: Memory, at: Workspace, entry: int) -> None:
    """Bring what has an order in a place into another one."""
    if m.load32(entry + TOP) < 0:
        return
    width = m.load32(entry + TOP_WIDTH)
    top = at.world + m.load32(entry + TOP)
    for back in range(number(m, at.world + m.load32(entry + SIZE), m.load32(entry + SIZE_WIDTH)) - 1):
        last = top + width * (back + 1)
        other = top + width * m.below(at.generator, back + 2)
        face = number(m, last, width)
        put(m, last, width, number(m, other, width))
        put(m, other, width, face)


def _tell_others(m: Memory, at: Workspace, kind: int, place: int, seat: int) -> None:
    """What came to a place may be there for all other seats."""
    faces = m.load32(kind + FACES)
    places = m.load32(kind + PLACES)
    cells = 4 * place * faces
    for other in range(at.seats):
        may = m.load32(m.load32(kind + ELEMENTS) + 4 * (other * places + place))
        if other != seat and may >= 0:
            for face in range(faces):
                if m.load32(m.load32(kind + NOW) + cells + 4 * face) > m.load32(m.load32(kind + SURE) + cells + 4 * face):
                    include(m, at.world + may, face, 1)


def _write_rows(m: Memory, at: Workspace, kind: int) -> None:
    """The certain copies of each seat: in each place as many as before, or all that are there now."""
    if m.load32(kind + CERTAIN) < 0:
        return
    faces = m.load32(kind + FACES)
    width = m.load32(kind + CERTAIN_WIDTH)
    for seat in range(at.seats):
        before = at.base + m.load32(kind + CERTAIN) + seat * width
        after = at.world + m.load32(kind + CERTAIN) + seat * width
        m.fill(after, 0, width)
        for face in range(faces):
            entry = m.load32(kind + FACES_TABLE) + FACE_SIZE * face
            then = m.load32(entry + ROW)
            if then >= 0:
                end = then + m.load32(entry + COPIES)
                row = then
                for place in range(m.load32(kind + PLACES)):
                    cell = 4 * (place * faces + face)
                    there = m.load32(m.load32(kind + THERE) + cell)
                    here = m.load32(m.load32(kind + NOW) + cell)
                    sure = count_bits(m, before, then, there)
                    include(m, after, row, sure if sure < here else here)
                    then += there
                    row += here
                for bit in range(then, end):  # those that lie openly
                    include(m, after, bit, has(m, before, bit))
