"""Static knowledge of values in the code (the range of a number, the possible members of a set), and small expressions of
them.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from ....common.intervals import Interval
from ....model.model import Var
from ...machine import NONE, Const, Expr, Op, OpName
from ...traverse import cannot_stop

TOGETHER = 50  # numbers that are added up one behind the other: so deep does a sum nest

MOST = 2**31 - 1  # numbers are signed and have 32 bits; of each there is the opposite
LEAST = -MOST


@frozen
class Scalar:
    """A number with its range; where it may be none, ``low`` is what none is in code (see `intervals`)."""

    expr: Expr
    low: int
    high: int

    @property
    def range(self) -> Interval:
        return self.low, self.high

    @property
    def none(self) -> int:
        """What none is in code where this may be none."""
        return min(NONE, self.low)

    @property
    def constant(self) -> int | None:
        return self.expr.value if isinstance(self.expr, Const) else None


@frozen
class Bits:
    """A set; all its members are in ``bound``, and there are never more than ``most``."""

    expr: Expr
    bound: int
    most: int


Value = Scalar | Bits


@frozen
class Spot:
    """One place: a zone and, of a player's zone, whose (``owner`` None: of the table, or of any player).

    Of cells, the zone is their grid. Of what lies on a certain cell, ``cell`` is that cell. ``when``: whether it counts at all
    (None: always).
    """

    zone: str
    owner: Expr | None = None
    cell: Expr | None = None
    when: Expr | None = None


@frozen
class Binding:
    """What a name of the model stands for in the code: its value, where the component was found, who has seen it.

    ``spots``: None when it can be anywhere. ``seen``: the players who have seen which it is; None is all.
    """

    value: Value
    spots: tuple[Spot, ...] | None = None
    seen: Expr | None = None


Env = dict[Var, Binding]


def added_up(numbers: Iterable[Expr]) -> Expr:
    """The sum of numbers, nested no deeper than `TOGETHER` for each group of them."""
    parts = list(numbers)
    while len(parts) > TOGETHER:
        parts = [added_up(parts[start : start + TOGETHER]) for start in range(0, len(parts), TOGETHER)]
    total: Expr = Const(0)
    for part in parts:
        total = op("+", total, part)
    return total


def op(name: OpName, *args: Expr) -> Expr:
    """An operation, with the most obvious simplifications; what can stop the game is never dropped."""
    if Const not in map(type, args) and name not in ("not", "first", "count", "="):  # none of these cases; most are such
        return Op(name, args)
    match name, args:
        case ("intersect", (Const(value=0) as zero, other) | (other, Const(value=0) as zero)) if cannot_stop(other):
            return zero
        case ("union" | "+", (Const(value=0), other) | (other, Const(value=0))):
            return other
        case (("minus" | "-"), (other, Const(value=0))):
            return other
        case ("and", (Const(value=1), other) | (other, Const(value=1))):
            return other
        case ("or", (Const(value=0), other) | (other, Const(value=0))):
            return other
        case ("and", (Const(value=0) as no, _)):
            return no
        case ("or", (Const(value=1) as yes, _)):
            return yes
        case ("not", (Const(value=a),)):
            return Const(1 - a)
        case ("not", (Op(name="not", args=(inner,)),)):
            return inner
        case ("if", (Const(value=a), then, otherwise)):
            return then if a else otherwise
        case ("union" | "intersect" | "minus", (Const(value=a), Const(value=b))):
            return Const(a | b if name == "union" else a & b if name == "intersect" else a & ~b)
        case ("bit", (Const(value=a),)):
            return Const(1 << a)
        case ("+" | "-" | "*" | "min" | "max", (Const(value=a), Const(value=b))):
            results: dict[str, int] = {"+": a + b, "-": a - b, "*": a * b, "min": min(a, b), "max": max(a, b)}
            return Const(results[name])
        case ("<" | "<=", (Const(value=a), Const(value=b))):
            return Const(int(a < b if name == "<" else a <= b))
        case ("first" | "count" | "=", _):
            return _of_one(name, args) or Op(name, args)
        case _:
            return Op(name, args)


def _of_one(name: OpName, args: tuple[Expr, ...]) -> Expr | None:
    """What is asked of a set with one member, or of one that has it only sometimes: no set is needed. None where it is."""
    match name, args:
        case ("first", (Const(value=value),)):
            return Const((value & -value).bit_length() - 1)
        case ("count", (Const(value=value),)):
            return Const(value.bit_count())
        case ("=", (Const(value=a), Const(value=b))):
            return Const(int(a == b))
        case ("first", (Op(name="bit", args=(member,)),)):
            return member
        case ("count", (Op(name="bit", args=(member,)),)) if cannot_stop(member):
            return Const(1)
        case ("=", (Op(name="bit", args=(member,)), Const(value=0))) if cannot_stop(member):
            return Const(0)
        case (_, (Op(name="if", args=(condition, then, otherwise)), *rest)):
            one, other = _of_one(name, (then, *rest)), _of_one(name, (otherwise, *rest))
            if one is None or other is None:
                return None
            match name, one, other:
                case ("=", Const(value=1), Const(value=0)):
                    return condition
                case ("=", Const(value=0), Const(value=1)):
                    return op("not", condition)
                case ("=", _, _):
                    return None
                case _:
                    return op("if", condition, one, other)
        case _:
            return None


def clamped(value: Expr, low: int, high: int) -> Expr:
    """The number of ``low..high`` that is next to a value; both may be one beyond 32 bits, and the value is not."""
    if isinstance(value, Const):
        return Const(min(max(value.value, low), high))
    return op("max", Const(low), op("min", Const(min(high, MOST)), value))


def element(owner: Expr | None, each: int, index: Expr) -> Expr:
    """The number of an element of a field that has ``each`` elements for every owner (None: for the table)."""
    return index if owner is None else op("+", op("*", owner, Const(each)), index)


def is_empty(bits: Expr) -> Expr:
    return op("=", bits, Const(0))


def some(bits: Expr) -> Expr:
    return op("not", is_empty(bits))


def scalar(value: int) -> Scalar:
    return Scalar(Const(value), value, value)


def bits_of(value: int) -> Bits:
    return Bits(Const(value), value, value.bit_count())


def with_expr(value: Value, expr: Expr) -> Value:
    """The knowledge of a value, moved to another expression."""
    if isinstance(value, Scalar):
        return Scalar(expr, value.low, value.high)
    return Bits(expr, value.bound, value.most)
