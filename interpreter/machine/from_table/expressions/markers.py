"""Sets of the owners by value of their counter or marker: ``cards with joined guild``, ``offices where level of office < 3``.

Where the rules test the values of many owners at once, the sets are kept beside the values, in the region *index* of the record:
a set of owners for each binary digit (`digits`) of the value as it is stored, so that zero bytes are right in a fresh record. The
record grows by little, and a test is set algebra::

    joined of card      0..5 or none, for each of 52 cards: a byte each, and three sets of 52
    with joined guild   the cards that agree with the guild in all three digits

Every store of a value brings the sets up to date (`followed`). Only small values are kept so: each digit costs a set, and
something at each store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from attrs import evolve

from ....model import model
from ....model.model import Var
from ....model.visitor import walk
from ...machine import NONE, Assign, Const, Expr, Field, Function, Load, Local, Lookup, Op, Routine, Stmt, While
from ...traverse import members_of, replaced
from ..building import defines, digits
from ..building.builder import Builder, kept
from ..building.lowering import scalar_of
from ..building.values import Bits, Env, op

D = TypeVar("D", bound=Function | Routine)

DIGITS_LIMIT = 4  # of a value; more take longer at each store than a loop now and then


def fields(asked: Iterable[model.Node], b: Builder) -> None:
    """The fields of the sets. ``asked``: everything in which the rules may ask which owners have a value."""
    for name in sorted({name for node in walk(tuple(asked)) for name in _names_asked(node, b)}):
        variable, field = b.table.variables[name], b.fields[name]
        many = digits.count_of(field.high - field.low)
        number_or_none = variable.type.optional and variable.type.base == "number"  # -1 and none are stored alike
        if many <= DIGITS_LIMIT and not number_or_none and not b.may_be_unset(name):
            b.by_value[name] = b.field(f"{name} by value", "index", many, bits=field.length)


def _names_asked(node: model.Node, b: Builder) -> Iterator[str]:
    """The counters and markers that a condition on many members compares, for each member."""
    match node:
        case model.Filter(var=var, condition=condition):
            asked: list[tuple[Var, model.Expr]] = [(var, condition)]
        case model.Best(var=var, keys=keys):
            asked = [(var, key.value) for key in keys if key.direction == "fits"]
        case model.Option(arguments=(model.Argument(var=var),), conditions=conditions):
            asked = [(var, condition.test) for condition in conditions]
        case _:
            return
    for var, condition in asked:
        for part in walk(defines.written_out(condition, b)):
            sides = (part.left, part.right) if isinstance(part, model.Compare) else (part,)
            for side in sides:
                compared = side is not part or (isinstance(part, model.Typed) and part.type.base == "truth")
                if compared and isinstance(side, model.VariableValue) and _is(side.owner, var):
                    yield side.name


def _is(node: model.Expr | None, var: Var) -> bool:
    return isinstance(node, model.VarValue) and node.var is var


def mask(condition: model.Expr, var: Var, everything: int, b: Builder, env: Env) -> Bits | None:
    """The owners whose value is yes, or compares so with one from elsewhere; None where that is not kept."""
    if isinstance(condition, model.VariableValue) and _is(condition.owner, var) and condition.name in b.by_value:
        return Bits(_sets(condition.name, b)[0], everything, everything.bit_count())
    if not isinstance(condition, model.Compare):
        return None
    for mine, theirs in ((condition.left, condition.right), (condition.right, condition.left)):
        if isinstance(mine, model.VariableValue) and _is(mine.owner, var) and mine.name in b.by_value:
            if defines.uses(theirs, var):
                return None
            found = _with_value(mine.name, theirs, b, env)
            if condition.op != "=":
                found = _compared(mine.name, condition, theirs, b)
            return None if found is None else Bits(found, everything, everything.bit_count())
    return None


def _sets(name: str, b: Builder) -> list[Expr]:
    field = b.by_value[name]
    return [Load(field, Const(digit)) for digit in range(field.length)]


def _with_value(name: str, value_node: model.Expr, b: Builder, env: Env) -> Expr | None:
    """The owners with a value."""
    field, everything = b.fields[name], (1 << b.fields[name].length) - 1
    value = scalar_of(value_node, b, env)
    if value_node.type.optional and value_node.type.base == "number" and field.low <= NONE:
        return None  # its none is no -1
    if value.constant is not None:
        return digits.with_code(_sets(name, b), value.constant - field.low, everything)
    low, high = max(value.low, field.low), min(value.high, field.high)
    if low > high:
        return Const(0)
    codes = [known - field.low for known in range(low, high + 1)]
    found: Expr = Const(everything)
    for agreeing in digits.agreeing(_sets(name, b), name, codes, op("-", value.expr, Const(low)), everything):
        found = op("intersect", found, agreeing) if found != Const(everything) else agreeing
    if (low, high) == (value.low, value.high):
        return found
    inside = op("and", op("<=", Const(low), value.expr), op("<=", value.expr, Const(high)))
    return op("if", inside, found, Const(0))


def _compared(name: str, condition: model.Compare, limit: model.Expr, b: Builder) -> Expr | None:
    """The owners whose number is less or more than a constant."""
    field, everything = b.fields[name], (1 << b.fields[name].length) - 1
    if not isinstance(limit, model.Const) or field.low == NONE or limit.type.optional:
        return None
    code = limit.value - field.low
    if limit is condition.right:
        return digits.below(_sets(name, b), Const(everything), code + (condition.op == "<="))
    return digits.from_code(_sets(name, b), code + (condition.op == "<"), everything)


# ---- Keeping them right


def begun(field: Field, value: int, b: Builder) -> list[Stmt]:
    """The sets of a field all of whose elements have just got the same value."""
    kept_sets = b.by_value.get(field.name)
    if kept_sets is None:
        return []
    everything = (1 << field.length) - 1
    return [
        Assign(kept_sets, Const(everything if (value - field.low) >> digit & 1 else 0), Const(digit))
        for digit in range(kept_sets.length)
    ]


def followed(definitions: Mapping[str, D], begins: Iterable[str], b: Builder) -> dict[str, D]:
    """Routines or functions in which the sets follow each store. ``begins``: those that see to it themselves."""
    if not b.by_value:
        return dict(definitions)
    alone = set(begins)

    def follow(stmt: Stmt) -> list[Stmt] | None:
        match stmt:
            case Assign(variable=Field(name=name), value=value, index=owner) if name in b.by_value and owner is not None:
                return _stored(name, value, owner, b)
            case While(body=(Assign(variable=member), _, Assign(variable=Field(name=name), value=value, index=owner))):
                rest = members_of(stmt)
                if rest is None or owner != Load(member) or name not in b.by_value:
                    return None
                match value:  # all get the same value, or those in a set another: the sets need not wait for each
                    case Const(value=same):
                        return [*_put_into(name, same, Load(rest), b), stmt]
                    case Op(
                        name="if",
                        args=(
                            Op(name="has", args=(Load(variable=Local(), index=None) as some, Load(variable=asked))),
                            Const(value=theirs),
                            Const(value=others),
                        ),
                    ) if asked == member and some != Load(rest):
                        owners = op("intersect", Load(rest), some)
                        return [*_put_into(name, others, Load(rest), b), *_put_into(name, theirs, owners, b), stmt]
                    case _:
                        return None
            case _:
                return None

    return {
        name: definition if name in alone else evolve(definition, body=replaced(definition.body, follow))
        for name, definition in definitions.items()
    }


def _stored(name: str, value: Expr, owner: Expr, b: Builder) -> list[Stmt]:
    """A store, and what follows from it."""
    field, sets = b.fields[name], b.by_value[name]
    everything = (1 << field.length) - 1
    code, whose = kept(owner, "whose", b)
    more, now = kept(value, name, b)
    code += [*more, Assign(field, now, whose)]
    bit = op("bit", whose)
    if isinstance(now, Const):
        return code + _put_into(name, now.value, bit, b)
    for digit in range(sets.length):
        before = Load(sets, Const(digit))
        codes = range(field.high - field.low + 1)
        new = Lookup(digits.all_or_none(name, digit, codes, everything), op("-", now, Const(field.low)))
        after = Op("flip", (before, op("intersect", op("flip", before, new), bit)))
        code.append(Assign(sets, after, Const(digit)))
    return code


def _put_into(name: str, value: int, owners: Expr, b: Builder) -> list[Stmt]:
    """The sets after some owners have got a value."""
    sets, code = b.by_value[name], value - b.fields[name].low
    return [
        Assign(sets, op("union" if code >> digit & 1 else "minus", Load(sets, Const(digit)), owners), Const(digit))
        for digit in range(sets.length)
    ]
