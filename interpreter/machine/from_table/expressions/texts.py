"""Lowers a text of the rules, with values in its places."""

from __future__ import annotations

from ....model import model
from ...machine import Message, Say
from ..building import saying
from ..building.builder import Builder
from ..building.lowering import bits_of_set, scalar_of
from ..building.values import Env


def message_of(reason: model.Reason, b: Builder, env: Env) -> Message:
    """A text with its places filled in by code."""
    values: list[Say] = []
    for part in reason.parts:
        if isinstance(part, str):
            continue
        if part.type.is_set:
            values.append(Say(bits_of_set(part, b, env).expr, b.domain(part.type), True))
        else:
            value = scalar_of(part, b, env)
            values.append(Say(value.expr, b.domain(part.type, value.range)))
    return saying.message_of(reason, b, values)
