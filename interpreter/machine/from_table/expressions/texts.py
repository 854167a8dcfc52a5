"""Lowers a text of the rules, with values in its places."""

from __future__ import annotations

from ....model import model
from ...machine import NONE, Domain, Message, Say
from ..building.builder import Builder
from ..building.lowering import bits_of_set, scalar_of
from ..building.values import Env

NUMBERS = 1_000  # that are named one by one, so that what is none is said to be none


def said(reason: model.Reason, b: Builder, env: Env) -> Message:
    """A text with its places filled in by code."""
    parts: list[str | Say] = []
    for part in reason.parts:
        if isinstance(part, str):
            parts.append(part)
        elif part.type.is_set:
            parts.append(Say(bits_of_set(part, b, env).expr, b.domain(part.type), True))
        else:
            number = scalar_of(part, b, env)
            may_be_none = part.type.base == "number" and part.type.optional and number.low == NONE and number.high < NUMBERS
            domain = Domain(tuple(map(str, range(number.high + 1)))) if may_be_none else b.domain(part.type)
            parts.append(Say(number.expr, domain))
    return Message(tuple(parts))
