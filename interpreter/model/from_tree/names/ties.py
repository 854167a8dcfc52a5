"""Finds rankings that leave a tie open: those that do not end with ``then shared`` or ``then nobody``, nor with a key that is
unique.

Players have different seats. They also have different cards, so the lowest letter of their cards is unique where no two cards
have the same letter; and where only players who hold such a card are ranked, nobody is without a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from ....common.diagnostics import Diagnostic
from ....common.intervals import NONE
from ... import model
from ...model import Expr, Var
from ...visitor import substituted, walk

DEPTH = 100  # defines that are one another's values


@frozen(eq=False)
class Unended:
    """A ranking of players that does not say what happens to a tie. ``of``: who are ranked, if not all; ``finding``: to be said
    where there can be one."""

    ranked: Var
    keys: tuple[model.Key, ...]
    of: Expr | None
    finding: Diagnostic


def ties(rankings: Iterable[Unended], declarations: Iterable[model.Node]) -> Iterator[Diagnostic]:
    """The findings of those rankings that can leave a tie. ``declarations``: of the game and its variants."""
    lines = tuple(declarations)
    kinds = {line.name: line for line in lines if isinstance(line, model.Kind)}
    defines = {line.name: line for line in lines if isinstance(line, model.Define)}
    zones = {line.name: line for line in lines if isinstance(line, model.Zone)}
    for each in rankings:
        if not any(_is_unique(_said(key.value, defines), each, kinds, defines, zones) for key in each.keys):
            yield each.finding


def _is_unique(
    value: Expr,
    ranking: Unended,
    kinds: Mapping[str, model.Kind],
    defines: Mapping[str, model.Define],
    zones: Mapping[str, model.Zone],
) -> bool:
    """Whether no two of those who are ranked can have the same value."""
    match value:
        case model.SeatNumber(of=model.VarValue(var=var)):
            return var is ranking.ranked
        case model.Extreme(of=of, var=var, value=model.AttributeOf(attribute=name, of=model.VarValue(var=asked))) if asked is var:
            members = _said(of, defines)
            lying, alike = _filtered(members, ranking.ranked)
            match lying:
                case model.ZoneContent(zone=zone, owner=model.VarValue(var=owner), every=False) if owner is ranking.ranked:
                    kind = kinds.get(zones[zone].kind) if zone in zones else None
                    return kind is not None and tells_apart(kind, {name, *alike}) and _ask_for(members, ranking, defines)
            return False
        case _:
            return False


def _ask_for(members: Expr, ranking: Unended, defines: Mapping[str, model.Define]) -> bool:
    """Whether the players are ranked by whether they have something in this set."""
    if not isinstance(ranking.of, model.Filter):
        return False
    ranked = model.VarValue(ranking.ranked, type=ranking.ranked.type, span=ranking.of.span)
    condition = substituted(_said(ranking.of.condition, defines), {ranking.of.var: ranked})
    return any(isinstance(part, model.Some) and _said(part.of, defines) == members for part in _all_asked(condition, defines))


def _all_asked(condition: Expr, defines: Mapping[str, model.Define]) -> Iterator[Expr]:
    """The conditions that all hold where one does."""
    match _said(condition, defines):
        case model.Logic(op="and", left=left, right=right):
            yield from _all_asked(left, defines)
            yield from _all_asked(right, defines)
        case model.Not(value=model.Not(value=inside)):  # `is not empty`
            yield from _all_asked(inside, defines)
        case other:
            yield other


def _filtered(members: Expr, ranked: Var) -> tuple[Expr, set[str]]:
    """What a set is a part of, and the attributes in which its members agree with those of the other players' sets."""
    alike: set[str] = set()
    while isinstance(members, model.Filter):
        match members.condition:
            case model.Compare(op="=", left=model.AttributeOf(attribute=name, of=model.VarValue(var=var)), right=other) if (
                var is members.var
                and not any(isinstance(node, model.VarValue) and node.var in (ranked, members.var) for node in walk(other))
            ):
                alike.add(name)
        members = members.of
    return members, alike


def tells_apart(kind: model.Kind, attributes: set[str]) -> bool:
    """Whether no two components of a kind agree in these attributes, leaving out those that lack one of them."""
    if kind.rows is None:
        one = isinstance(kind.each, model.Const) and kind.each.value == 1 and not kind.other_copies
        return one and not kind.owned and attributes >= {each.name for each in kind.attributes}
    rows = [row for row in kind.rows if all(row.values.get(name, NONE) != NONE for name in attributes)]
    values = [tuple(row.values[name] for name in sorted(attributes)) for row in rows]
    return not kind.owned and len(set(values)) == len(values) and all(row.copies == 1 for row in rows)


def _said(value: Any, defines: Mapping[str, model.Define]) -> Any:
    """What a define says, in the place of its name; of a set, also in the place of what it is a part of."""
    for _ in range(DEPTH):
        if not isinstance(value, model.Apply) or value.define not in defines:
            break
        word = defines[value.define]
        value = substituted(word.value, dict(zip(word.parameters, value.args, strict=True)))
    return evolve(value, of=_said(value.of, defines)) if isinstance(value, model.Filter) else value
