"""Binds counters and markers: their values, what they belong to, and who sees them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Literal

from ....syntax import tree
from ... import model
from ...model import PLAYER, Parameter
from ..names.scope import Finish, Scope


def declared_variables(
    line: tree.Counter | tree.Marker,
    form: Literal["counter", "marker"],
    parameters: tuple[Parameter, ...],
    domain: model.Domain,
    scope: Scope,
) -> Iterable[Finish]:
    """The counters or markers of a line; ``domain``: their values."""
    if line.visibility == "private" and all(each.type != PLAYER for each in parameters):
        scope.complain("R204", "what is private belongs to a player", line.span, help="write `of player`, or `hidden`")
    for name in line.names:
        found = model.Variable(name.text, form, parameters, domain, line.visibility or "open", span=name.span)
        if scope.declare(found.name, found, found.span):
            yield partial(_whole, found)


def _whole(variable: model.Variable) -> model.Variable:
    return variable
