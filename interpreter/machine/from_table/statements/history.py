"""Lowers positions that come again: ``remember position``, ``position repeats 3 times``.

A position is what its declaration names: grids, zones, counters and markers. Of each one that is remembered, the record keeps a
digest of 64 bits (Zobrist, *A New Hashing Method with Application for Game Playing*, 1970): each part has a random word for each
of its values, and the digest is the symmetric difference of the words of the present values. So it is set algebra, and needs no
operator of its own. Among 1,000 different positions, two have the same digest in one of 10^13 games.

The record has a place for each of so many digests as the declaration says; one more stops the game (R602). Places that are not in
use are empty, so that equal states have equal bytes.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b

from ....common.source import Span
from ....model import model
from ...machine import (
    Assign,
    Const,
    Constants,
    Expr,
    Field,
    Function,
    If,
    Invoke,
    Load,
    Local,
    Lookup,
    Return,
    Stmt,
    While,
)
from ..building.builder import Builder
from ..building.lowering import required, scalar_of
from ..building.values import Env, Scalar, op
from ..components import boards
from ..components.copies import for_members
from ..expressions import numbers  # which registers all expressions, before this one is registered here

assert numbers

DIGEST = 64  # bits
WORDS_LIMIT = 65_536  # random words of one part of a position


def remember(b: Builder, span: Span) -> list[Stmt]:
    position = _declared(b, span)
    if position is None:
        return []
    digests, number = _fields(position, b)
    full = b.stop(
        "R602",
        span,
        f"{position.most} positions are remembered, and this would be one more",
        help="write a larger number: `position: ..., at most N`; or `forget positions` after what can never be undone",
    )
    return [
        If(op("<=", Const(position.most), Load(number)), (full,)),
        Assign(digests, Invoke(_digest(position, b), ()), Load(number)),
        Assign(number, op("+", Load(number), Const(1))),
    ]


def forget(b: Builder, span: Span) -> list[Stmt]:
    position = _declared(b, span)
    if position is None:
        return []
    digests, number = _fields(position, b)
    last = op("-", Load(number), Const(1))
    one: tuple[Stmt, ...] = (Assign(number, last), Assign(digests, Const(0), Load(number)))
    return [While(op("<", Const(0), Load(number)), one, span, position.most)]


@scalar_of.register
def _repeats(node: model.Repeats, b: Builder, env: Env) -> Scalar:
    """Whether the present position is among those that are remembered, so many times."""
    position = _declared(b, node.span)
    if position is None:
        return Scalar(Const(0), 0, 1)
    digests, number = _fields(position, b)
    times = required(node.times, b, env)
    wanted, now = b.local("times"), b.local("now", DIGEST)
    found, place = b.local("found"), b.local("place")
    here = op("=", Load(digests, Load(place)), Load(now))
    more = Assign(found, op("+", Load(found), Const(1)))
    enough = If(op("<=", Load(wanted), Load(found)), (Return(Const(1)),))
    look: tuple[Stmt, ...] = (Assign(place, op("-", Load(place), Const(1))), If(here, (more, enough)))
    body: tuple[Stmt, ...] = (
        If(op("<=", Load(wanted), Const(0)), (Return(Const(1)),)),
        Assign(now, Invoke(_digest(position, b), ())),
        Assign(found, Const(0)),
        Assign(place, Load(number)),
        While(op("<", Const(0), Load(place)), look, position.span, position.most),
        Return(Const(0)),
    )
    return Scalar(Invoke(b.made("position repeats", (wanted,), 0, body), (times.expr,)), 0, 1)


def _declared(b: Builder, span: Span) -> model.Position | None:
    if b.table.position is None:
        b.complain(
            "R219",
            "the game does not say what makes up a position",
            span,
            help="declare it: `position: ` and the names of grids, zones, counters and markers",
        )
    return b.table.position


def _fields(position: model.Position, b: Builder) -> tuple[Field, Field]:
    """The digests of the positions that are remembered, and how many these are."""
    digests = b.field("positions", "game", position.most, bits=DIGEST)
    return digests, b.field("number of positions", "game", high=position.most)


# ---- What a position is


def _digest(position: model.Position, b: Builder) -> str:
    """The function that gives the digest of the present position."""
    name = "position"
    if name not in b.functions:
        digest = b.local("digest", DIGEST)
        code: list[Stmt] = [Assign(digest, Const(0))]
        for part in position.names:
            for field in _parts(part, b):
                code += _of_sets(field, digest, position, b) if field.bits else _of_numbers(field, digest, position, b)
        b.functions[name] = Function(name, (), DIGEST, (*code, Return(Load(digest))))
    return name


def _parts(name: str, b: Builder) -> list[Field]:
    """The fields that say what a part of a position is like."""
    grid = b.table.grids.get(name)
    if grid is None:
        return [b.fields[name]]
    return [field for kind in grid.kinds for field in boards.cell_fields(kind, grid, b)]


def _of_sets(field: Field, digest: Local, position: model.Position, b: Builder) -> list[Stmt]:
    code: list[Stmt] = []
    for element in range(field.length):
        rest, member = b.local("rest", field.bits), b.local("member")
        words = _words(field, element * field.bits, field.bits)
        add = Assign(digest, op("flip", Load(digest), Lookup(words, Load(member))))
        code += for_members(rest, Load(field, Const(element)), member, [add], (), position.span)
    return code


def _of_numbers(field: Field, digest: Local, position: model.Position, b: Builder) -> list[Stmt]:
    values = field.high - field.low + 1
    if values * field.length > WORDS_LIMIT:
        b.complain(
            "R216",
            f"`{field.name}` has {values * field.length:,} values, too many for a part of a position",
            position.span,
            help=f"up to {WORDS_LIMIT:,} are possible: name it not, or let its range be smaller",
        )
        return []
    words = _words(field, 0, values * field.length)
    element = b.local("element")

    def add(at: Expr) -> Stmt:
        value = op("-", Load(field, at), Const(field.low)) if field.low else Load(field, at)
        return Assign(digest, op("flip", Load(digest), Lookup(words, op("+", op("*", at, Const(values)), value))))

    if field.length == 1:
        return [add(Const(0))]
    each: tuple[Stmt, ...] = (add(Load(element)), Assign(element, op("+", Load(element), Const(1))))
    loop = While(op("<", Load(element), Const(field.length)), each, position.span, field.length)
    return [Assign(element, Const(0)), loop]


@cache
def _words(field: Field, start: int, count: int) -> Constants:
    """A random word for each value of a part."""
    texts = (f"{field.name}, {number}".encode() for number in range(start, start + count))
    words = tuple(int.from_bytes(blake2b(text, digest_size=DIGEST // 8).digest(), "little") for text in texts)
    return Constants(f"words of {field.name}", words, DIGEST)
