"""What does a seat know of places it cannot see?

For each kind of component, each seat and each *place* (a zone, or one player's share of it) that is not open to all, the
record keeps two sets: ``known``, the copies that the seat is certain are there, and ``may``, the faces of which there may be
more. Only moves change them, and a move is either seen or not seen by a seat:

- seen, of some faces from Z to W: they are known to be in W and no longer in Z; of a face that exists once, nothing may be
  anywhere else any more.
- not seen, of k components from Z to W: of every face k fewer are certain in Z; whatever was or may have been in Z may be in W.
  When Z is empty afterwards, all went: what was known of Z is now known of W.

A seat sees a move when it sees the place it starts from, the place it goes to, or was shown the component by the act that
moves it. Shuffling changes nothing: it loses positions, not membership. This forgets correlations (that *one of two* cards
went); it never claims what is false. It is two routines a kind, called by every move between such places.
"""

from __future__ import annotations

from ....source import Span
from ...machine import Assign, Call, Const, Expr, Field, If, Knowledge, Load, Local, Routine, Stmt, While
from ..builder import Builder
from ..values import op, some
from .copies import faces, less, together


def allot(b: Builder) -> tuple[dict[str, int], tuple[Knowledge, ...]]:
    """Numbers for all places that are not open (the first one of each zone), and the fields that hold what is known of them."""
    first: dict[str, int] = {}
    kinds: list[Knowledge] = []
    for kind in b.table.kinds:
        places = 0
        for zone in b.table.zones.values():
            if zone.kind == kind and zone.visibility != "open":
                first[zone.name] = places
                places += b.players if zone.owned else 1
        if places:
            bits = b.components[kind].bits
            known = Field(f"known of {kind}", "knowledge", b.players * places, bits=bits)
            may = Field(f"may be of {kind}", "knowledge", b.players * places, bits=bits)
            kinds.append(Knowledge(kind, places, known, may))
    return first, tuple(kinds)


def moved(
    kind: str, came: Expr | None, went: Expr | None, part: Expr, amount: Expr, emptied: Expr, seers: Expr, b: Builder
) -> list[Stmt]:
    """What a move teaches. ``came``, ``went``: place numbers, None for open places. ``seers``: the players who saw it."""
    knowledge = b.knowledge.get(kind)
    if knowledge is None or (came is None and went is None) or (came is not None and came == went):
        return []
    nowhere = Const(-1)
    args = (nowhere if came is None else came, nowhere if went is None else went)
    found: list[Stmt] = [Call(_seen(kind, knowledge, b), (seers, *args, part))]
    if came is not None and went is not None:
        others = op("minus", Const(b.everybody), seers)
        found.append(Call(_unseen(kind, knowledge, b), (others, *args, amount, emptied)))
    return found


def learned(kind: str, place: Expr, part: Expr, seats: Expr, b: Builder) -> list[Stmt]:
    """What seats learn when all of a place is shown to them: just that part is there."""
    knowledge = b.knowledge[kind]
    return [Call(_seen(kind, knowledge, b), (seats, place, place, part))]


def _for_seats(seats: Local, base: Local, places: int, body: list[Stmt], b: Builder, span: Span) -> list[Stmt]:
    """Run ``body`` for each seat of a set, with ``base`` the number of its first element."""
    seat = b.local("seat")
    head: list[Stmt] = [
        Assign(seat, op("first", Load(seats))),
        Assign(seats, op("minus", Load(seats), op("bit", Load(seat)))),
        Assign(base, op("*", Load(seat), Const(places))),
    ]
    return [While(some(Load(seats)), (*head, *body), span)]


def _seen(kind: str, knowledge: Knowledge, b: Builder) -> str:
    name = f"{kind} moves, seen"
    if name in b.routines:
        return name
    components = b.components[kind]
    seats, came, went = b.local("seats", b.players), b.local("from"), b.local("to")
    part, base, place = b.local("part", components.bits), b.local("base"), b.local("place")
    known, may = knowledge.known, knowledge.may

    def element(at: Expr) -> Expr:
        return op("+", Load(base), at)

    from_index, to_index = element(Load(came)), element(Load(went))
    body: list[Stmt] = [
        If(
            op("<=", Const(0), Load(came)), (Assign(known, less(Load(known, from_index), Load(part), components, b), from_index),)
        ),
    ]
    if components.distinct:
        at = element(Load(place))
        forget = Assign(may, op("minus", Load(may, at), Load(part)), at)
        body += [
            Assign(place, Const(0)),
            While(
                op("<", Load(place), Const(knowledge.places)),
                (forget, Assign(place, op("+", Load(place), Const(1)))),
                components.kind.span,
            ),
        ]
    more = together(Load(known, to_index), Load(part), components, b)
    body.append(If(op("<=", Const(0), Load(went)), (Assign(known, more, to_index),)))
    loop = _for_seats(seats, base, knowledge.places, body, b, components.kind.span)
    b.routines[name] = Routine(name, (seats, came, went, part), tuple(loop), False)
    return name


def _unseen(kind: str, knowledge: Knowledge, b: Builder) -> str:
    name = f"{kind} moves, unseen"
    if name in b.routines:
        return name
    components = b.components[kind]
    seats, came, went = b.local("seats", b.players), b.local("from"), b.local("to")
    amount, emptied, base = b.local("amount"), b.local("emptied"), b.local("base")
    possible = b.local("possible", components.bits)
    known, may = knowledge.known, knowledge.may
    source, target = op("+", Load(base), Load(came)), op("+", Load(base), Load(went))
    all_went: tuple[Stmt, ...] = (
        Assign(known, together(Load(known, target), Load(known, source), components, b), target),
        Assign(may, op("union", Load(may, target), Load(may, source)), target),
        Assign(known, Const(0), source),
        Assign(may, Const(0), source),
    )
    some_went: list[Stmt] = [
        Assign(possible, op("union", faces(Load(known, source), components), Load(may, source))),
        Assign(may, Load(possible), source),
        Assign(may, op("union", Load(may, target), Load(possible)), target),
    ]
    if components.distinct:
        some_went.append(Assign(known, Const(0), source))
    else:
        one_less = op("minus", op("right", Load(known, source), Const(1)), Const(components.last_bits))
        some_went.append(
            While(
                op("<", Const(0), Load(amount)),
                (Assign(known, one_less, source), Assign(amount, op("-", Load(amount), Const(1)))),
                components.kind.span,
            )
        )
        # `amount` is used up by the first seat: each seat counts from the same number
        again = b.local("amount again")
        some_went.insert(0, Assign(again, Load(amount)))
        some_went.append(Assign(amount, Load(again)))
    body: list[Stmt] = [If(op("=", Load(emptied), Const(1)), all_went, (If(op("<", Const(0), Load(amount)), tuple(some_went)),))]
    loop = _for_seats(seats, base, knowledge.places, body, b, components.kind.span)
    b.routines[name] = Routine(name, (seats, came, went, amount, emptied), tuple(loop), False)
    return name
