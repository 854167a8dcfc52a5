"""Tests whether a seat is certain where components are, by sight or by what `knowledge` records."""

from __future__ import annotations

from ....model.model import Expr as ModelExpr
from ...machine import Const, Expr
from ..building.builder import Builder
from ..building.lowering import bits_of_set
from ..building.values import Env, Scalar, is_empty, op
from ..components import knowledge, places
from ..components.copies import together
from .parts import parts_of


def knows(seat: Expr, of: ModelExpr, b: Builder, env: Env) -> Scalar:
    """Whether a seat is certain where all members of a set are: each in its place, or where no place is named, anywhere."""
    kind = of.type.of
    parts = parts_of(of, b, env)
    if parts is None:
        these = bits_of_set(of, b, env).expr
        anywhere: Expr = Const(0)
        for place in places.all_places(kind, b):
            anywhere = together(anywhere, _certain(seat, place, b), b.components[kind], b)
        return Scalar(is_empty(op("minus", these, anywhere)), 0, 1)
    found: Expr = Const(1)
    for part in parts:
        found = op("and", found, is_empty(op("minus", part.bits, _certain(seat, part.place, b))))
    return Scalar(found, 0, 1)


def _certain(seat: Expr, place: places.Place, b: Builder) -> Expr:
    """What a seat is certain lies in a place."""
    number, there = places.number_of(place, b), places.content(place, b)
    if number is None:
        return there
    return op("if", op("has", places.viewers(place, b), seat), there, knowledge.certain_in(seat, number, there, place.kind, b))
