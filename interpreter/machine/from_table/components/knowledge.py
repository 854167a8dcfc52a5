"""Records what a seat knows about places that it cannot see.

For each kind of component, each seat and each *place* (a zone, or one player's share of it) that the seat does not see, the
record says of which components the seat is *certain* that they are there, and of which faces there *may* be others. Only moves
change that, and a move is either seen or not seen by a seat:

- seen, of some faces from Z to W: they are certain in W and no longer in Z; a face that exists once may not be anywhere else any
  more.
- not seen, of k components from Z to W: for every face k fewer are certain in Z; whatever was or may have been in Z may be in W.
  When Z is empty afterwards, all went: components that were certain in Z are now certain in W.

A seat sees a move when it sees the place it starts from, the place it goes to, or was shown the component by the act that moves
it. Shuffling changes nothing: it loses positions, not membership.

Conclusions from the places of all others are drawn, too (`_conclude`): a place of which all components are certain holds no
other, and a face that may be in one place only is there. This forgets correlations (that *one of two* cards went); it never
claims what is false.

The representation. Since nothing false is claimed, the certain components are a part of what lies in a place, and the others
there are possible. So for a face that exists once, ``may`` says all: it is certain where it lies and may not be. For equal
components the number matters: for each of them a seat has one bit, which says whether it is certain of it, in a *row* in the
order of the places where they lie now. One that moves takes its bit along the row:

    in Z: 1 0    in W: 1 1 0    openly: 0        one goes from Z to W, and the seat sees it
    in Z: 0    in W: 1 1 1 0    openly: 0        not seen: `in Z: 0`, `in W: 1 1 0 0`

Nothing is kept for places that a seat sees itself, nor for a kind with a single place that is not open. A component that lies
openly may be nowhere else, so a move from an open place teaches nothing except about equal components. The code is a few routines
for each kind, called when a component moves between such places.

In For the King with 5 players (13 closed places, 108 cards of 63 faces, 53 of them equal) this takes 480 bytes; two sets of
copies for each seat and place would take 2080.
"""

from __future__ import annotations

from collections.abc import Callable

from ....common.source import Span
from ....model import model
from ...machine import (
    NONE,
    Assign,
    Call,
    Const,
    Constants,
    Expr,
    Field,
    Function,
    If,
    Invoke,
    Knowledge,
    Load,
    Local,
    Lookup,
    Return,
    Routine,
    Stmt,
    While,
)
from ..building.builder import Builder, Components
from ..building.values import op, some
from .contents import content_of
from .copies import bit_of, copies_of_face, for_members


def allot(b: Builder) -> tuple[dict[str, int], tuple[Knowledge, ...]]:
    """Numbers for all places that are not open (the first one of each zone), and the fields that hold what is known of them."""
    first: dict[str, int] = {}
    kinds = [_of_kind(kind, first, b) for kind in b.table.kinds if _closed_zones(kind, b)]
    return first, tuple(kinds)


def _of_kind(kind: str, first: dict[str, int], b: Builder) -> Knowledge:
    """The places of a kind are numbered, in ``first``, and what each seat does not see of them has an element."""
    players, components = range(b.players), b.components[kind]
    places = elements = 0
    element_of: dict[tuple[int, int], int] = {}
    for zone in _closed_zones(kind, b):
        first[zone.name] = places
        owners = b.table.seats_of(zone.owner)
        unseen: list[int] = []
        for seat in players:
            around = sorted(range(len(owners)), key=lambda index: (owners[index] - seat - 1) % b.players)
            unseen = [index for index in around if zone.visibility != "private" or owners[index] != seat]
            if zone.visibility != "private":
                unseen.sort()
            for index in range(len(owners)):
                element_of[seat, places + index] = elements + unseen.index(index) if index in unseen else NONE
        places += len(owners)
        elements += len(unseen)
    if not elements or (places == 1 and not b.careful):  # all is seen; but a test may put there what nobody knows
        return Knowledge(kind, places, None, (), None, ())
    elements += b.careful  # in a test, components can come from where nobody has seen them
    numbers = tuple(
        element if element == NONE else seat * elements + element
        for seat in players
        for element in (element_of[seat, place] for place in range(places))
    )
    may = Field(f"may be of {kind}", "knowledge", b.players * elements, bits=len(components.starts))
    equal = 0
    rows: list[int] = []
    for face in components.kind.faces:
        rows.append(equal if face.copies > 1 else NONE)
        equal += face.copies if face.copies > 1 else 0
    certain = Field(f"certain of {kind}", "knowledge", b.players, bits=equal) if equal else None
    return Knowledge(kind, places, may, numbers, certain, tuple(rows), b.careful)


def _closed_zones(kind: str, b: Builder) -> list[model.Zone]:
    """The zones of a kind that are not open; last those in which it takes longest to count what lies there."""
    closed = [zone for zone in b.table.zones.values() if zone.kind == kind and zone.visibility != "open"]
    return sorted(closed, key=lambda zone: (zone.name in b.ordered, zone.shape == "slot"))


# ---- What moves teach


def moved(
    kind: str, came: Expr | None, went: Expr | None, part: Expr, faces: Expr, left: Expr, seers: Expr, b: Builder
) -> list[Stmt]:
    """What a move teaches, after it is done.

    ``came``, ``went``: place numbers, None for open places. ``part``: what moved, and the ``faces`` of it. ``left``: what is
    left where it came from. ``seers``: the players who saw it.
    """
    knowledge = b.knowledge.get(kind)
    if knowledge is None or knowledge.may is None or came == went:
        return []
    found: list[Stmt] = []
    if came is not None and seers != Const(0):
        found.append(Call(_seen(knowledge.may, knowledge, b), (seers, came, _single(faces, knowledge))))
    others = op("minus", Const(b.everybody), seers)
    if came is not None and went is not None:
        found.append(Call(_unseen(knowledge.may, knowledge, b), (others, came, went, faces, left)))
    if knowledge.certain is not None:
        openly = Const(knowledge.places)
        start, end = openly if came is None else came, openly if went is None else went
        emptied = op("=", left, Const(0))
        found.append(Call(_equal_move(knowledge.certain, knowledge, b), (seers, start, end, part, emptied)))
        if came is not None and went is not None:
            found.append(Call(_fewer_certain(knowledge.certain, knowledge, b), (others, came, part, left)))
    if came is not None:
        concluding: Expr = Const(b.everybody)
        if went is not None and knowledge.certain is None:  # of what is left of different components, nothing can be certain
            concluding = op("union", seers, op("if", op("=", left, Const(0)), others, Const(0)))
        found.append(Call(_conclude(knowledge.may, knowledge, b), (concluding, came, left)))
    return found


def learned(kind: str, place: Expr, there: Expr, part: Expr, seats: Expr, b: Builder) -> list[Stmt]:
    """What seats learn when ``part`` of what lies ``there`` in a place is shown to them."""
    knowledge = b.knowledge[kind]
    if knowledge.may is None:
        return []
    single = _single(faces_of(part, kind, b), knowledge)
    found: list[Stmt] = [Call(_seen(knowledge.may, knowledge, b), (seats, place, single))]
    if knowledge.certain is not None:
        found.append(Call(_equal_shown(knowledge.certain, knowledge, b), (seats, place, part)))
    return [*found, Call(_conclude(knowledge.may, knowledge, b), (seats, place, there))]


def certain_in(seat: Expr, place: Expr, there: Expr, kind: str, b: Builder) -> Expr:
    """Of what lies in a place that a seat does not see, that of which it is certain."""
    knowledge = b.knowledge[kind]
    if knowledge.may is None:
        return there
    if knowledge.certain is None:
        return op("minus", there, Load(knowledge.may, _element(seat, place, knowledge)))
    return Invoke(_certain_copies(knowledge.may, knowledge.certain, knowledge, b), (seat, place, there))


def _element(seat: Expr, place: Expr, knowledge: Knowledge) -> Expr:
    table = Constants(f"place of {knowledge.kind} for a seat", knowledge.elements)
    return Lookup(table, op("+", op("*", seat, Const(knowledge.places)), place))


def _single(faces: Expr, knowledge: Knowledge) -> Expr:
    """Of a set of faces, those that exist once."""
    if knowledge.certain is None:
        return faces
    return op("minus", faces, Const(_equal_faces(knowledge)))


def _equal_faces(knowledge: Knowledge) -> int:
    """The set of the faces of which there are several copies."""
    return sum(1 << face for face, row in enumerate(knowledge.rows) if row != NONE)


def faces_of(bits: Expr, kind: str, b: Builder) -> Expr:
    """The faces that occur in a set of components, by their numbers."""
    components = b.components[kind]
    if components.distinct or bits == Const(0):
        return bits
    name = f"faces of {kind}s"
    if name not in b.functions:
        these, found = b.local("these", components.bits), b.local("found", len(components.starts))
        rest, face = b.local("rest", components.bits), b.local("face")
        same = sum(1 << face for face, start in enumerate(components.starts) if face == start)
        others = op("intersect", Load(these), Const(components.first_bits & ~same))
        add = Assign(found, op("union", Load(found), op("bit", Load(face))))
        loop = for_members(rest, others, face, [add], components.domain.copies, components.kind.span)
        body = (Assign(found, op("intersect", Load(these), Const(same))), *loop, Return(Load(found)))
        b.functions[name] = Function(name, (these,), found.bits, body)
    return Invoke(name, (bits,))


def _for_seats(seats: Local, seat: Local, body: list[Stmt], span: Span) -> While:
    """Run ``body`` for each seat of a set, which is empty afterwards."""
    head: tuple[Stmt, ...] = (
        Assign(seat, op("first", Load(seats))),
        Assign(seats, op("minus", Load(seats), op("bit", Load(seat)))),
    )
    return While(some(Load(seats)), (*head, *body), span)


def _seen(may: Field, knowledge: Knowledge, b: Builder) -> str:
    """The routine for faces that exist once: where one may have been that is seen now, it may be nowhere else."""
    name = f"{knowledge.kind} moves, seen"
    if name in b.routines:
        return name
    seats, seat, came, faces = b.local("seats", b.players), b.local("seat"), b.local("from"), b.local("faces", may.bits)
    at, end = b.local("element"), b.local("end")
    of_seat = may.length // b.players
    span = b.components[knowledge.kind].kind.span
    clear: tuple[Stmt, ...] = (
        Assign(at, op("*", Load(seat), Const(of_seat))),
        Assign(end, op("+", Load(at), Const(of_seat))),
        While(
            op("<", Load(at), Load(end)),
            (
                Assign(may, op("minus", Load(may, Load(at)), Load(faces)), Load(at)),
                Assign(at, op("+", Load(at), Const(1))),
            ),
            span,
            of_seat,
        ),
    )
    uncertain = some(op("intersect", Load(may, Load(at)), Load(faces)))
    body: list[Stmt] = [
        Assign(at, _element(Load(seat), Load(came), knowledge)),
        If(op("and", op("<=", Const(0), Load(at)), uncertain), clear),
    ]
    loop = _for_seats(seats, seat, body, span)
    b.routines[name] = Routine(name, (seats, came, faces), (loop,), False)
    return name


def _unseen(may: Field, knowledge: Knowledge, b: Builder) -> str:
    """The routine for what may be where: all that lay or may have lain there may have gone."""
    name = f"{knowledge.kind} moves, unseen"
    if name in b.routines:
        return name
    components = b.components[knowledge.kind]
    seats, seat, came, went = b.local("seats", b.players), b.local("seat"), b.local("from"), b.local("to")
    faces, left = b.local("faces", may.bits), b.local("left", components.bits)
    source, target = b.local("source"), b.local("target")
    lay_there = Assign(faces, op("union", Load(faces), faces_of(Load(left), knowledge.kind, b)))
    body: list[Stmt] = [
        Assign(source, _element(Load(seat), Load(came), knowledge)),
        Assign(target, _element(Load(seat), Load(went), knowledge)),
        Assign(may, op("union", Load(may, Load(source)), Load(faces)), Load(source)),
        Assign(may, op("union", Load(may, Load(target)), Load(may, Load(source))), Load(target)),
    ]
    loop = _for_seats(seats, seat, body, components.kind.span)
    head = If(some(Load(left)), (lay_there,), (Assign(faces, Const(0)),))
    b.routines[name] = Routine(name, (seats, came, went, faces, left), (head, loop), False)
    return name


# ---- What follows


def _conclude(may: Field, knowledge: Knowledge, b: Builder) -> str:
    """The routine for what some seats can conclude once all that is ``left`` in a place may be certain.

    Nothing else may be in a place of which all is certain. A face that may then be in one place only is certain there, which
    may leave no room for others in that place: so it goes round until nothing follows any more.
    """
    name = f"what follows of {knowledge.kind}s"
    if name in b.routines:
        return name
    components = b.components[knowledge.kind]
    span, of_seat = components.kind.span, may.length // b.players
    seats, came, left = b.local("seats", b.players), b.local("from"), b.local("left", components.bits)
    seat, source, at, again = b.local("seat"), b.local("source"), b.local("element"), b.local("again")
    once, twice = b.local("in a place", may.bits), b.local("in several", may.bits)
    face, start, player = b.local("face"), b.local("start"), b.local("player")
    here = Load(may, Load(at))

    elsewhere: Expr = Const(0)
    if knowledge.elsewhere:
        elsewhere = Load(may, op("-", op("*", op("+", Load(seat), Const(1)), Const(of_seat)), Const(1)))

    def is_certain(place: Expr, there: Expr) -> Expr:
        doubtful = op("intersect", faces_of(there, knowledge.kind, b), here)
        if knowledge.certain is None:
            return op("not", some(doubtful))
        certain = Invoke(_certain_copies(may, knowledge.certain, knowledge, b), (Load(seat), place, there))
        return op("or", op("not", some(doubtful)), op("not", some(op("minus", there, certain))))

    def look(place: Expr, there: Expr) -> list[Stmt]:
        return [
            If(op("and", some(here), is_certain(place, there)), (Assign(may, Const(0), Load(at)),)),
            Assign(twice, op("union", Load(twice), op("intersect", Load(once), here))),
            Assign(once, op("union", Load(once), here)),
        ]

    def settle(place: Expr, there: Expr) -> list[Stmt]:
        code: list[Stmt] = [Assign(again, Const(1))]
        if knowledge.certain is not None:
            sure = op("intersect", op("intersect", Load(once), here), Const(_equal_faces(knowledge)))
            row = Load(knowledge.certain, Load(seat))
            copies = op("count", op("intersect", there, copies_of_face(Load(face), components)))
            end = _below(op("+", Load(start), copies), knowledge.certain)
            these = op("minus", end, _below(Load(start), knowledge.certain))
            each: list[Stmt] = [
                Assign(start, _begins(Load(face), place, knowledge, b)),
                Assign(knowledge.certain, op("union", row, these), Load(seat)),
            ]
            code += for_members(b.local("rest", may.bits), sure, face, each, (), span)
        code.append(Assign(may, op("minus", here, Load(once)), Load(at)))
        return [If(some(op("intersect", Load(once), here)), tuple(code))]

    def in_each_place(do: Callable[[Expr, Expr], list[Stmt]]) -> list[Stmt]:
        code: list[Stmt] = []
        for zone in _closed_zones(knowledge.kind, b):
            whose = Load(player) if zone.owned else None
            count = b.table.size(zone.owner)
            number: Expr = Const(b.places[zone.name])
            place = number if whose is None else op("+", number, whose)
            if zone.shape == "slot":
                slot = Load(b.fields[zone.name], whose)
                there = op("if", op("<", slot, Const(0)), Const(0), op("bit", bit_of(slot, knowledge.kind, b)))
            else:
                there = content_of(zone, whose, b)
            is_closed = op("<=", Const(0), Load(at))
            found = (Assign(at, _element(Load(seat), place, knowledge)), If(is_closed, tuple(do(place, there))))
            if whose is None:
                code += found
            else:
                step = (*found, Assign(player, op("+", Load(player), Const(1))))
                more = op("<", Load(player), Const(count))
                code += [Assign(player, Const(0)), While(more, step, span, count)]
        return code

    round_: tuple[Stmt, ...] = (
        Assign(again, Const(0)),
        Assign(once, elsewhere),
        Assign(twice, Const(0)),
        *in_each_place(look),
        Assign(once, op("minus", Load(once), Load(twice))),
        If(some(Load(once)), tuple(in_each_place(settle))),
    )
    doubted: list[Stmt] = [Assign(at, Load(source))]
    follow = (Assign(again, Const(1)), While(Load(again), round_, span, of_seat + 1))
    doubted.append(If(op("and", some(here), is_certain(Load(came), Load(left))), follow))
    body: list[Stmt] = [
        Assign(source, _element(Load(seat), Load(came), knowledge)),
        If(op("<=", Const(0), Load(source)), tuple(doubted)),
    ]
    b.routines[name] = Routine(name, (seats, came, left), (_for_seats(seats, seat, body, span),), False)
    return name


# ---- Equal components


def _row(face: Expr, knowledge: Knowledge) -> Expr:
    return Lookup(Constants(f"row of {knowledge.kind}", knowledge.rows), face)


def _below(number: Expr, certain: Field) -> Expr:
    """All bits of a row below one."""
    table = Constants(f"bits of {certain.name} below", tuple((1 << n) - 1 for n in range(certain.bits + 1)), certain.bits)
    return Lookup(table, number)


def _equal(knowledge: Knowledge, components: Components) -> int:
    """The bits of all components that have equals."""
    return components.mask(face for face, row in enumerate(knowledge.rows) if row != NONE)


def _begins(face: Expr, place: Expr, knowledge: Knowledge, b: Builder) -> Expr:
    """The bit of a row from which the copies of a face in a place stand: behind those in the places before it."""
    kind = knowledge.kind
    name = f"where {kind}s begin"
    if name not in b.functions:
        components = b.components[kind]
        of, until, found, player = b.local("face"), b.local("place"), b.local("found"), b.local("player")
        body: list[Stmt] = [Assign(found, _row(Load(of), knowledge))]
        for zone in _closed_zones(kind, b):
            whose = Load(player) if zone.owned else None
            if zone.shape == "slot":
                here = op("=", Load(b.fields[zone.name], whose), Load(of))
            else:
                here = op("count", op("intersect", content_of(zone, whose, b), copies_of_face(Load(of), components)))
            place_here = op("+", Const(b.places[zone.name]), Load(player)) if zone.owned else Const(b.places[zone.name])
            step: list[Stmt] = [
                If(op("<=", Load(until), place_here), (Return(Load(found)),)),
                Assign(found, op("+", Load(found), here)),
            ]
            if zone.owned:
                step.append(Assign(player, op("+", Load(player), Const(1))))
                count = b.table.size(zone.owner)
                more = op("<", Load(player), Const(count))
                body += [Assign(player, Const(0)), While(more, tuple(step), zone.span, count)]
            else:
                body += step
        b.functions[name] = Function(name, (of, until), 0, (*body, Return(Load(found))))
    return Invoke(name, (face, place))


def _equal_move(certain: Field, knowledge: Knowledge, b: Builder) -> str:
    """The routine that takes the bits of what has moved along their rows.

    In a place whose content the seat knows in part, it is one of the certain ones that goes. It comes as a certain one where
    the seat sees it, or where all went and it was one.
    """
    name = f"equal {knowledge.kind}s move"
    if name in b.routines:
        return name
    components = b.components[knowledge.kind]
    span, openly = components.kind.span, Const(knowledge.places)
    seers, came, went = b.local("seers", b.players), b.local("from"), b.local("to")
    part, emptied = b.local("part", components.bits), b.local("emptied")
    face, back, waiting = b.local("face"), b.local("back"), b.local("waiting")
    gone, at, seat, sure = b.local("gone"), b.local("at"), b.local("seat"), b.local("sure", b.players)
    ends = tuple(
        NONE if row == NONE else row + each.copies - 1 for row, each in zip(knowledge.rows, components.kind.faces, strict=True)
    )
    end = Lookup(Constants(f"end of row of {knowledge.kind}", ends), Load(face))
    along = _along_the_row(certain, knowledge, b)
    # The zones have changed already, and in the row those that wait for their turn still stand where they came from: of those
    # that go, the last one in the row goes first.
    from_here = op("-", _begins(Load(face), Load(came), knowledge, b), Load(back))
    first = op("+", _begins(Load(face), Load(went), knowledge, b), op("*", op("-", Const(1), Load(back)), Load(waiting)))
    behind = _begins(Load(face), op("+", Load(went), Const(1)), knowledge, b)
    last = op("-", op("-", behind, Const(1)), op("*", Load(back), Load(waiting)))
    was_certain = op("has", Load(certain, Load(seat)), Load(gone))
    goes_along = If(was_certain, (Assign(sure, op("union", Load(sure), op("bit", Load(seat)))),))
    each_seat = (goes_along, Assign(seat, op("+", Load(seat), Const(1))))
    others = op("minus", Const(b.everybody), Load(sure))
    certainly: tuple[Stmt, ...] = (
        Assign(at, first),
        Call(along, (Load(sure), Load(gone), Load(at), op("bit", Load(at)))),
    )
    perhaps: tuple[Stmt, ...] = (Assign(at, last), Call(along, (others, Load(gone), Load(at), Const(0))))
    somewhere: tuple[Stmt, ...] = (
        Assign(sure, Load(seers)),
        Assign(seat, Const(0)),
        If(Load(emptied), (While(op("<", Load(seat), Const(b.players)), each_seat, span, b.players),)),
        If(some(Load(sure)), certainly),
        If(some(others), perhaps),
    )
    body: list[Stmt] = [
        Assign(waiting, op("count", op("intersect", Load(part), copies_of_face(Load(face), components)))),
        Assign(gone, op("if", op("=", Load(came), openly), end, from_here)),
        If(op("<", Load(went), openly), somewhere, (Call(along, (Const(b.everybody), Load(gone), end, Const(0))),)),
    ]
    equal = op("intersect", Load(part), Const(_equal(knowledge, components)))
    loop = for_members(part, equal, face, body, components.domain.copies, span)
    statements = (Assign(back, op("<", Load(went), Load(came))), *loop)
    b.routines[name] = Routine(name, (seers, came, went, part, emptied), statements, False)
    return name


def _along_the_row(certain: Field, knowledge: Knowledge, b: Builder) -> str:
    """The routine that takes the bit ``gone`` out of the rows of some seats and puts one in: ``coming`` is {at}, or {} for 0."""
    name = f"a {knowledge.kind} goes along the row"
    if name in b.routines:
        return name
    seats, seat, gone, at = b.local("seats", b.players), b.local("seat"), b.local("gone"), b.local("at")
    coming, between, moving = (b.local(text, certain.bits) for text in ("coming", "between", "moving"))
    row = Load(certain, Load(seat))
    after_gone, after_at = op("+", Load(gone), Const(1)), op("+", Load(at), Const(1))

    def in_rows(moved: Expr) -> Stmt:
        changed = op("union", op("union", op("minus", row, Load(between)), op("intersect", moved, Load(moving))), Load(coming))
        return _for_seats(seats, seat, [Assign(certain, changed, Load(seat))], b.components[knowledge.kind].kind.span)

    up: tuple[Stmt, ...] = (
        Assign(between, op("minus", _below(after_at, certain), _below(Load(gone), certain))),
        Assign(moving, op("minus", _below(Load(at), certain), _below(Load(gone), certain))),
        in_rows(op("right", row, Const(1))),
    )
    down: tuple[Stmt, ...] = (
        Assign(between, op("minus", _below(after_gone, certain), _below(Load(at), certain))),
        Assign(moving, op("minus", _below(after_gone, certain), _below(after_at, certain))),
        in_rows(op("left", row, Const(1))),
    )
    body = If(op("<=", Load(gone), Load(at)), up, down)
    b.routines[name] = Routine(name, (seats, gone, at, coming), (body,), False)
    return name


def _fewer_certain(certain: Field, knowledge: Knowledge, b: Builder) -> str:
    """The routine for what is left where something went unseen: of every face one fewer is certain for each that went.

    Of a face that went itself, `_equal_move` has taken as many.
    """
    name = f"fewer {knowledge.kind}s are certain"
    if name in b.routines:
        return name
    components = b.components[knowledge.kind]
    span = components.kind.span
    seats, came = b.local("seats", b.players), b.local("from")
    part, left = b.local("part", components.bits), b.local("left", components.bits)
    times, face, seat, at, end = b.local("times"), b.local("face"), b.local("seat"), b.local("at"), b.local("end")
    rest, others = b.local("rest", components.bits), b.local("others", b.players)
    here, behind_first = b.local("here", certain.bits), b.local("behind the first", certain.bits)
    block = copies_of_face(Load(face), components)
    add: tuple[Stmt, ...] = (
        Assign(at, _begins(Load(face), Load(came), knowledge, b)),
        Assign(end, op("+", Load(at), op("count", op("intersect", Load(left), block)))),
        Assign(here, op("union", Load(here), op("minus", _below(Load(end), certain), _below(Load(at), certain)))),
        Assign(
            behind_first,
            op(
                "union",
                Load(behind_first),
                op("minus", _below(Load(end), certain), _below(op("+", Load(at), Const(1)), certain)),
            ),
        ),
    )
    still = If(op("<", op("count", op("intersect", Load(part), block)), Load(times)), add)
    firsts = op("intersect", Load(left), Const(_equal(knowledge, components) & components.first_bits))
    row = Load(certain, Load(seat))
    one_less = op("union", op("minus", row, Load(here)), op("right", op("intersect", row, Load(behind_first)), Const(1)))
    once: tuple[Stmt, ...] = (
        Assign(here, Const(0)),
        Assign(behind_first, Const(0)),
        *for_members(rest, firsts, face, [still], components.domain.copies, span),
        Assign(others, Load(seats)),
        _for_seats(others, seat, [Assign(certain, one_less, Load(seat))], span),
        Assign(times, op("-", Load(times), Const(1))),
    )
    body: tuple[Stmt, ...] = (
        Assign(times, op("count", Load(part))),
        While(op("and", some(Load(left)), op("<", Const(0), Load(times))), once, span, components.bits),
    )
    b.routines[name] = Routine(name, (seats, came, part, left), body, False)
    return name


def _equal_shown(certain: Field, knowledge: Knowledge, b: Builder) -> str:
    """The routine that makes seats certain of components that are shown to them where they lie."""
    name = f"equal {knowledge.kind}s are shown"
    if name in b.routines:
        return name
    components = b.components[knowledge.kind]
    seats, place = b.local("seats", b.players), b.local("place")
    part, rest, seen = b.local("part", components.bits), b.local("rest", components.bits), b.local("seen", certain.bits)
    bit, seat = b.local("copy"), b.local("seat")
    add = Assign(seen, op("union", Load(seen), op("bit", _row_bit(Load(bit), Load(place), knowledge, b))))
    equal = op("intersect", Load(part), Const(_equal(knowledge, components)))
    learns = Assign(certain, op("union", Load(certain, Load(seat)), Load(seen)), Load(seat))
    body: list[Stmt] = [
        Assign(seen, Const(0)),
        *for_members(rest, equal, bit, [add], (), components.kind.span),
        _for_seats(seats, seat, [learns], components.kind.span),
    ]
    b.routines[name] = Routine(name, (seats, place, part), tuple(body), False)
    return name


def _certain_copies(may: Field, certain: Field, knowledge: Knowledge, b: Builder) -> str:
    """The function that gives those of the components in a place of which a seat is certain."""
    name = f"certain {knowledge.kind}s"
    if name in b.functions:
        return name
    components = b.components[knowledge.kind]
    seat, place, there = b.local("seat"), b.local("place"), b.local("there", components.bits)
    rest, bit, found = b.local("rest", components.bits), b.local("copy"), b.local("found", components.bits)
    face = Lookup(Constants(f"face of {knowledge.kind}", components.domain.copies), Load(bit))
    sure = op(
        "if",
        op("<", _row(face, knowledge), Const(0)),
        op("not", op("has", Load(may, _element(Load(seat), Load(place), knowledge)), face)),
        op("has", Load(certain, Load(seat)), _row_bit(Load(bit), Load(place), knowledge, b)),
    )
    add = If(sure, (Assign(found, op("union", Load(found), op("bit", Load(bit)))),))
    loop = for_members(rest, Load(there), bit, [add], (), components.kind.span)
    body = (Assign(found, Const(0)), *loop, Return(Load(found)))
    b.functions[name] = Function(name, (seat, place, there), components.bits, body)
    return name


def _row_bit(bit: Expr, place: Expr, knowledge: Knowledge, b: Builder) -> Expr:
    """The bit of a row for a copy in a place, by its bit in the set of what lies there."""
    components = b.components[knowledge.kind]
    face = Lookup(Constants(f"face of {knowledge.kind}", components.domain.copies), bit)
    first = Lookup(Constants(f"first copy of {knowledge.kind}", components.starts), face)
    return op("+", _begins(face, place, knowledge, b), op("-", bit, first))
