"""The targets of statements: places, counters and markers, steps, and the order in which members have their turns."""

from __future__ import annotations

from collections.abc import Iterator

from ....common.nouns import plural
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import BOX, NUMBER, PLAYER, Expr, Type, Var
from ...visitor import substituted
from ..expressions import wanted
from ..expressions.names import named
from ..expressions.selecting import ranking
from ..names.scope import Pending, Scope
from ..names.types import fits


def spot(ref: tree.Ref, scope: Scope, shape: str = "") -> tuple[model.Spot, Type | None]:
    """A zone as a place, and the type of what it holds (None: of anything, or unknown)."""
    nowhere = model.Spot(BOX, None, span=ref.span)
    if ref.name == BOX:
        if shape:
            scope.complain("R204", f"the box is no {shape}", ref.span, help=f"write the name of a {shape}")
        return nowhere, None
    symbol = scope.symbol(ref.name)
    if isinstance(symbol, model.Grid):
        scope.complain(
            "R204",
            f"`{ref.name}` is a grid: say on which of its cells",
            ref.span,
            help="`put X on CELL`, or let a player choose it: `place X on GRID`",
        )
        return nowhere, None
    content: Expr | None = None
    if isinstance(symbol, Pending):
        content = _place_defined(symbol, ref, scope)
        symbol = scope.symbol(content.zone) if isinstance(content, model.ZoneContent) and not content.every else symbol
        if content is None:
            return nowhere, None
    if isinstance(symbol, Pending):
        variant = scope.faults.replaced.get(ref.name)
        help = f"let its value be one zone, such as `define {ref.name} of player: hand of left of player`"
        message = f"`{ref.name}` is no zone" if variant is None else f"a variant replaces `{ref.name}`, so it is no one zone"
        scope.complain("R204", message, ref.span, *([] if variant is None else [(variant, "replaced here")]), help=help)
        return nowhere, None
    if not isinstance(symbol, model.Zone):
        zones = scope.names_of(model.Zone) | {BOX}
        if symbol is None:
            scope.unknown(ref.name, ref.name_span, "zone", zones)
        else:
            scope.complain("R204", f"`{ref.name}` is no zone", ref.span, help="a zone is declared by `zone NAME: ...`")
        return nowhere, None
    if shape and symbol.shape != shape:
        by_chance = f"a set has no order; one of it by chance is `a random ... from {ref.span.text}`"
        help = by_chance if shape == "pile" and symbol.shape == "set" else ""
        scope.complain("R204", f"`{ref.name}` is a {symbol.shape}, where a {shape} is wanted", ref.span, help=help)
        return nowhere, None
    content = content or named(ref.name, ref, scope, None)
    owner = content.owner if isinstance(content, model.ZoneContent) else None
    define = "" if symbol.name == ref.name else ref.name
    return model.Spot(symbol.name, owner, define, span=ref.span), symbol.type


def _place_defined(define: Pending, ref: tree.Ref, scope: Scope) -> Expr | None:
    """What a define means where it stands for a place; None after a finding. A variant could make it another place."""
    value = named(define.name, ref, scope, None)
    while isinstance(value, model.Apply):
        symbol = scope.symbol(value.define)
        meant = symbol.bind(symbol, ref.span) if isinstance(symbol, Pending) else None
        if meant is None or meant.name in scope.faults.replaced:
            break
        value = substituted(meant.value, dict(zip(meant.parameters, value.args, strict=True)))
    return None if value.type.base == "unknown" else value


def held_by(things: Type, zone: Type) -> bool:
    """Whether a zone can hold such components."""
    return things.of == zone.of and things.is_within(zone)


def target_of(ref: tree.Ref, scope: Scope) -> tuple[model.Variable | None, Expr | None]:
    """A counter or marker that is set, and whose."""
    symbol = scope.symbol(ref.name)
    if isinstance(symbol, model.Variable) and symbol.form == "built-in":
        scope.complain("R214", f"`{ref.name}` cannot be set", ref.span, help="the match counts its games itself")
        return None, None
    if isinstance(symbol, model.Variable):
        value = named(ref.name, ref, scope, None)
        if isinstance(value, model.VariableValue):
            return symbol, value.owner
        return None, None
    if symbol is None and scope.local(ref.name) is None:
        known = scope.names_of(model.Variable)
        scope.unknown(ref.name, ref.name_span, "counter or marker", known)
    else:
        of_place = isinstance(symbol, model.Zone | model.Grid)
        what = "a zone changes by `move`" if of_place else "only counters and markers can be set"
        scope.complain("R214", f"`{ref.name}` cannot be set", ref.span, help=what)
    return None, None


def change(ref: tree.Ref, op: str, amount: Expr, span: Span, scope: Scope) -> Iterator[model.Statement]:
    declared, owner = target_of(ref, scope)
    if declared is None:
        return
    old = model.VariableValue(declared.name, owner, type=declared.domain.type, span=ref.span)
    if not fits(old, NUMBER, scope):
        return
    new = model.Arithmetic(op, old, amount, type=NUMBER, span=span)  # type: ignore[arg-type]
    yield model.SetVariable(declared.name, owner, new, span=span)


def step_call(ref: tree.Ref, scope: Scope, verb: str = "do") -> tuple[str, tuple[Expr, ...]] | None:
    """A top-level step (or phase) with its arguments. ``verb``: what stands before it."""
    symbol = scope.symbol(ref.name)
    if not isinstance(symbol, model.Step):
        steps = scope.names_of(model.Step)
        if symbol is None and ref.name not in scope.all_steps():
            scope.unknown(ref.name, ref.name_span, "step", steps)
        else:
            scope.complain("R204", f"`{ref.name}` cannot be done from here", ref.span, help="a step at the left margin can")
        return None
    wants = dict(zip(symbol.places, symbol.parameters, strict=True))
    if ref.arguments.keys() != wants.keys():
        call = " ".join([ref.name, *(f"{place} {var.name}" for place, var in wants.items())])
        scope.complain("R206", f"the step is `{call}`", ref.span, help=f"write `{verb} {call}`")
        return None
    return symbol.name, tuple(wanted(ref.arguments[place], scope, var.type) for place, var in wants.items())


def order_of(line: tree.Order | None, type: Type, scope: Scope) -> model.Clockwise | model.ByKeys | model.InRandomOrder | None:
    """In which order the members of a set have their turns; ``type``: what they are."""
    match line:
        case tree.Clockwise(start=start, stop=stop):
            if type.base not in ("player", "unknown"):
                scope.complain("R204", f"only players sit clockwise, and these are {plural(type.noun)}", line.span)
            first = None if start is None else wanted(start, scope, PLAYER)
            last = None if stop is None else wanted(stop, scope, PLAYER)
            return model.Clockwise(first, last, span=line.span)
        case tree.ByKeys(keys=keys):
            ranked = Var(type.noun, type)
            with scope.about(ranked) as about:
                return model.ByKeys(ranked, ranking(keys, about), span=line.span)
        case tree.InRandomOrder():
            return model.InRandomOrder(span=line.span)
        case tree.AtOnce():
            scope.complain("R204", "a bidding in which all choose at once is sealed", line.span, help="write the line `sealed`")
            return None
        case None:
            return None
