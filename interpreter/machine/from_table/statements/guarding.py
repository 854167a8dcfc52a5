"""Advice for a counter that could leave its domain: a condition at the right place, in the names of the game.

Inside an act the advice is a condition of the act: an ``if`` around the line would let an act be chosen that does nothing. If a
bid is more than the bidder has, the advice limits the bids. Elsewhere the rules must say what happens instead.
"""

from __future__ import annotations

import re

from ....common.source import Span
from ....model import model
from ....model.model import Expr, Var
from ....model.visitor import walk, walk_statements
from ....table.table import Range
from ..building.builder import Builder
from ..building.values import Scalar

_TO_THE_GREATEST = re.compile(r"\.\.\s*\S.*$", re.S)  # of an interval, from its dots


def advice(
    node: model.SetVariable, value: Scalar, domain: Range, act: model.Option | None, b: Builder
) -> tuple[str, tuple[tuple[Span, str], ...]]:
    """How to keep a number within its domain, and the places to look at. ``value``: what it can become; ``act``: the act
    whose statement it is."""
    bids = _bids(node, b)
    if bids is not None:
        line = bids.source.line(bids.line).split("#")[0]
        before, after = line[: bids.column - 1], line[bids.column - 1 + len(bids.text) :]
        written = _TO_THE_GREATEST.sub(f"..{node.name} of bidder", bids.text)
        advised = f"{before}{written}{after}".strip()
        return f"let nobody bid more than they have: `{advised}`", ((bids, "a bid may be more than the bidder has"),)
    wider = f"declare `{node.name}` with a wider range than `{domain.low}..{domain.high}`"
    fits = _fitting(node, value, domain.low, domain.high)
    match = b.table.match
    if match is not None and node.name in match.kept:
        kept = f"bring `{node.name}` back at the beginning or the end of each game, or {wider}"
        return kept, ((match.span, f"`{node.name}` is kept from game to game"),)
    if act is None:
        return f"{wider}, or say what happens where it does not fit: `if {fits or f'{node.name} ...'}: ...`", ()
    if fits is None or not _is_known_before(node, act):
        fits = "..."
    forbid = f'forbid `{act.verb}` where it does not fit: `only if {fits} otherwise "..."`'
    return f"{forbid}; or {wider}", ((act.span, "in this act"),)


def _fitting(node: model.SetVariable, value: Scalar, low: int, high: int) -> str | None:
    """The condition under which what is set fits, as it is written; None where that is no short sentence."""
    too_low, too_high = value.low < low, value.high > high
    match node.value:
        case model.Arithmetic(op="+" | "-" as sign, left=model.VariableValue(name=name, owner=owner) as there, right=amount) if (
            (name, owner) == (node.name, node.owner) and _is_plain(amount) and too_low != too_high
        ):
            of, by = _said(there), _said(amount)
            step = int(by) if by.isdecimal() else None
            if too_high and sign == "+":
                return f"{of} + {by} at most {high}" if step is None else f"{of} at most {high - step}"
            if too_low and sign == "-" and (step is not None or low == 0):
                return f"{of} at least {by if step is None else low + step}"
            return None
        case whole if _is_plain(whole) and too_low != too_high:
            return f"{_said(whole)} {f'at most {high}' if too_high else f'at least {low}'}"
        case _:
            return None


def _said(value: Expr) -> str:
    return " ".join(value.span.text.split())


def _is_plain(value: Expr) -> bool:
    """Whether a comparison can be written behind a value as it stands there."""
    return not isinstance(value, model.Arithmetic | model.Cases | model.RandomNumber | model.RandomOf | model.Extreme)


def _is_known_before(node: model.SetVariable, act: model.Option) -> bool:
    """Whether what is set can be asked for when the act is chosen: nothing before it in the act changes it or names it."""
    if node not in act.body:
        return False
    before = act.body[: act.body.index(node)]
    inside: set[Var] = {part.var for part in walk_statements(before) if isinstance(part, model.Let)}
    asked = {part.name for part in walk(node) if isinstance(part, model.VariableValue)}
    changed = any(
        isinstance(part, model.Do) or (isinstance(part, model.SetVariable) and part.name in asked)
        for part in walk_statements(before)
    )
    return not changed and not any(isinstance(part, model.VarValue) and part.var in inside for part in walk(node))


# ---- Bids


def _bids(node: model.SetVariable, b: Builder) -> Span | None:
    """Where it is said what can be bid, if a bid is taken from what its bidder has."""
    match node:
        case model.SetVariable(
            name=name,
            owner=model.VarValue(var=Var(name="winner")) as owner,
            value=model.Arithmetic(op="-", left=model.VariableValue(name=taken, owner=whose), right=model.VarValue(var=amount)),
        ) if (name, owner) == (taken, whose):
            pass
        case _:
            return None
    for line in b.table.statements:
        if isinstance(line, model.Let) and line.var is amount and isinstance(line.value, model.VariableValue):
            kept = b.table.variables[line.value.name]
            said = kept.span.text
            return kept.span if kept.form == "kept" and ".." in said and f"{name} of bidder" not in said else None
    return None
