"""Binds counters and markers: their values, what they belong to, and who sees them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ....syntax import tree
from ... import model
from ...model import PLAYER, Type
from ..names.scope import Finish, Scope


def declared_variable(
    line: tree.Counter | tree.Marker,
    form: Literal["counter", "marker"],
    owner: tree.Name | None,
    domain: model.Domain,
    scope: Scope,
) -> Iterable[Finish]:
    """A counter or marker of an owner (None: of the table); ``domain``: its values."""
    owner_type: Type | None = None
    if owner is not None:
        owner_type = scope.type_named(owner.text)
        if owner_type is None or owner_type.base not in ("player", "word", "component"):
            scope.unknown(owner.text, owner.span, "player, list or kind", scope.type_names())
            owner_type = PLAYER
    if line.visibility == "private" and owner_type != PLAYER:
        scope.complain("R204", "what is private belongs to a player", line.span, help="write `of player`, or `hidden`")
    found = model.Variable(line.name.text, form, owner_type, domain, line.visibility or "open", span=line.name.span)
    if scope.declare(found.name, found, found.span):
        yield lambda: found
