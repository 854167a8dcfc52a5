"""Cases that are never reached, since an earlier case holds whenever theirs would: in defines, scores and `otherwise if`.

This follows from the words alone. Every value is taken as possible: a condition can hold or not, and a number can be equal to,
less than or greater than whatever it is compared with. All combinations of outcomes are gone through (a truth table).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from ....common.diagnostics import Diagnostic, warning
from ....common.source import Source, Span
from ....model import model
from ....model.model import Const, Expr, Model
from ....model.visitor import substituted, walk, with_parts
from ...abstract.domain.values import NONE

ROWS = 4_096  # of a truth table
DEPTH = 6  # defines in one another that are looked into
OTHER = 1 << 40  # a number that nothing is compared with
NOTHING = -OTHER  # none, which is no number


def shadowed(game: Model, file: Source) -> Iterator[Diagnostic]:
    """The cases of a file that are never reached (R327)."""
    defines = _defines(game)
    for node in walk((game.declarations, game.variants)):
        conditions = _conditions(node)
        if len(conditions) < 2 or conditions[0].span.source != file:
            continue
        plain = [_in_full(condition, defines) for condition in conditions]
        for number in range(1, len(plain)):
            above = _above(plain[:number], plain[number])
            if above is not None:
                yield _said(conditions[number], conditions[above] if above >= 0 else None)


def _conditions(node: model.Node) -> list[Expr]:
    """The conditions of cases, in their order."""
    if isinstance(node, model.Cases):
        return [condition for condition, _ in node.cases]
    found = []
    while isinstance(node, model.If):
        found.append(node.condition)
        rest = node.otherwise
        if len(rest) != 1 or rest[0].span != node.span:  # which it is where it is written as `otherwise if`
            break
        node = rest[0]
    return found


def _defines(game: Model) -> dict[str, model.Define]:
    """The defines that mean the same at every table."""
    found: dict[str, list[model.Define]] = {}
    for node in walk((game.declarations, game.variants)):
        if isinstance(node, model.Define):
            found.setdefault(node.name, []).append(node)
    return {name: several[0] for name, several in found.items() if len(several) == 1}


def _in_full(node: Expr, defines: Mapping[str, model.Define], depth: int = DEPTH) -> Expr:
    """A condition with what its defines say."""

    def change(part: model.Node) -> model.Node:
        part = with_parts(part, change)
        define = defines.get(part.define) if isinstance(part, model.Apply) else None
        if define is None or not isinstance(part, model.Apply) or not depth or define.value.type.base != "truth":
            return part
        meant = substituted(define.value, dict(zip(define.parameters, part.args, strict=True)))
        return _in_full(meant, defines, depth - 1)

    return change(node)  # type: ignore[return-value]


def _above(above: Sequence[Expr], condition: Expr) -> int | None:
    """Which of some conditions holds whenever another does; -1: one or another of them. None: there are positions in which only
    that other holds."""
    for number, one in enumerate(above):
        if _never([one], condition):
            return number
    return -1 if len(above) > 1 and _never(above, condition) else None


def _never(above: Sequence[Expr], condition: Expr) -> bool:
    """Whether a condition never holds where none of those above does, but does where they are not asked."""
    values: dict[Expr, set[int]] = {}
    for each in (*above, condition):
        _collect(each, values)
    ways = {what: (0, 1) if what.type.base == "truth" else (*numbers, OTHER) for what, numbers in values.items()}
    if not ways or prod(map(len, ways.values())) > ROWS:
        return False
    can_hold = False
    for row in product(*ways.values()):
        here = dict(zip(ways, row, strict=True))
        if _holds(condition, here) and _can_be(here):
            can_hold = True
            if not any(_holds(each, here) for each in above):
                return False
    return can_hold


def _can_be(here: Mapping[Expr, int]) -> bool:
    """Whether what is said of sets goes together: who is a set alone is in it, and nobody is in an empty one."""

    def is_in(member: Expr, of: Expr) -> int | None:
        return here.get(model.IsIn(member, of, type=model.TRUTH, span=member.span))

    for what, holds in here.items():
        match what:
            case model.Compare(op="=", left=one, right=other) if holds:
                for side, named in ((one, other), (other, one)):
                    if isinstance(named, model.SetOf) and any(is_in(member, side) == 0 for member in named.members):
                        return False
            case model.IsIn(of=of) if holds and here.get(model.Some(of, type=model.TRUTH, span=of.span)) == 0:
                return False
            case _:
                pass
    return True


def _collect(node: Expr, values: dict[Expr, set[int]]) -> None:
    """What a condition depends on, as one sees it from its words, with the values that make a difference."""
    match node:
        case model.Logic(left=left, right=right):
            _collect(left, values)
            _collect(right, values)
        case model.Not(value=value):
            _collect(value, values)
        case Const():
            pass
        case model.Compare(left=Const() as number, right=what) | model.Compare(left=what, right=Const() as number) if (
            not what.type.is_set
        ):
            given = _number(number)
            near = {given} if node.op == "=" else {given - 1, given, given + 1}
            values.setdefault(what, set()).update(near | ({NOTHING} if what.type.optional else set()))
        case _:
            values.setdefault(node, set()).update((0, 1))


def _number(const: Const) -> int:
    return NOTHING if const.value == NONE and const.type.optional else const.value


def _holds(node: Expr, here: Mapping[Expr, int]) -> bool:
    match node:
        case model.Logic(op=op, left=left, right=right):
            return (_holds(left, here) and _holds(right, here)) if op == "and" else (_holds(left, here) or _holds(right, here))
        case model.Not(value=value):
            return not _holds(value, here)
        case Const(value=number):
            return bool(number)
        case model.Compare(op=op, left=left, right=right) if node not in here:
            one, other = (_number(side) if isinstance(side, Const) else here[side] for side in (left, right))
            none = NOTHING in (one, other)
            return one == other if op == "=" else not none and (one < other if op == "<" else one <= other)
        case _:
            return bool(here[node])


def _said(condition: Expr, above: Expr | None) -> Diagnostic:
    places: list[tuple[Span, str]] = [] if above is None else [(above.span, "this holds whenever it would")]
    return warning(
        "R327",
        f"`{condition.span.text}` never holds",
        condition.span,
        *places,
        label="" if places else "one of those above holds whenever it would",
        help="write this case above the other, or remove it",
    )
