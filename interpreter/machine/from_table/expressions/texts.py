"""Lowers a text of the rules, with values in its places."""

from __future__ import annotations

from ....model import model
from ...machine import Message, Say
from ..building.builder import Builder
from ..building.lowering import bits_of_set, scalar_of
from ..building.values import Env


def message_of(reason: model.Reason, b: Builder, env: Env) -> Message:
    """A text with its places filled in by code."""
    parts: list[str | Say] = []
    for part in reason.parts:
        if isinstance(part, str):
            parts.append(part)
        elif part.type.is_set:
            parts.append(Say(bits_of_set(part, b, env).expr, b.domain(part.type), True))
        else:
            value = scalar_of(part, b, env)
            parts.append(Say(value.expr, b.domain(part.type, value.range)))
    return Message(tuple(parts))
