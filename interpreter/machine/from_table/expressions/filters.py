"""Lowers filters by set algebra wherever they decompose, member by member only where they do not.

A condition on a member of a set is turned into the set of all members that fit, without a loop:

    person of card is person of trump     the cards of each person are a constant; one is looked up by the trump's person
    rank of card > 9 and not joker        two constants, intersected
    card in hand of player                the hand itself
    hand of player is not empty           does not depend on the card: all or nothing

The lowering asks two questions. Does a part depend on the member through printed values alone (`static_values`)? Then it is a
table of constants by member. Does it not depend on the member at all? Then it is evaluated once. A comparison of the first with
the second is one lookup of a mask; ``and``, ``or`` and ``not`` are intersection, union and difference. Any other condition (a
comparison of two members' zones, say) is tested for each member in a loop, and the printed machine says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import add, mul, sub

from attrs import evolve

from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Var
from ....model.visitor import walk
from ...machine import NONE, Assign, Const, Constants, Domain, Expr, If, Load, Local, Lookup, Return, Stmt
from ..building import defines
from ..building.builder import Builder
from ..building.lowering import bits_of_set, scalar_of
from ..building.values import Binding, Bits, Env, Scalar, clamped, op
from ..components import cells, places
from ..components.copies import copies_of, face_of_bit, for_members, member_binding
from ..grids import lines, printed
from . import markers

Column = Sequence[int | None]  # values in some rows; None where it is none
Known = Mapping[Var, Column]  # for names, what they are in each of some rows

KEYS_LIMIT = 512  # masks of one table; a comparison with more values than this is asked member by member


def filtered(node: model.Filter, b: Builder, env: Env) -> Bits:
    """The members of a set for which a condition holds."""
    members = bits_of_set(node.of, b, env)
    if node.var.type.base == "cell":
        env = env | {node.var: asked_cell(node.of, b, env)}
    return fitting(members, node.of, node.var, node.condition, b, env)


def asked_cell(of: ModelExpr, b: Builder, env: Env) -> Binding:
    """Any cell of a set, of which it is known on which grid it is, while masks are made."""
    return Binding(Scalar(Const(0), 0, b.size(of.type) - 1), places.spots_of_cells(of, b, env))


def fitting(members: Bits, of: ModelExpr, var: Var, condition: ModelExpr, b: Builder, env: Env) -> Bits:
    """Those of ``members`` (the code of ``of``) for which a condition on ``var`` holds."""
    everything = (1 << b.width(of.type)) - 1
    mask = mask_of(condition, var, everything, b, env)
    if mask is None and isinstance(condition, model.Logic) and condition.op == "and":
        for first, second in ((condition.left, condition.right), (condition.right, condition.left)):
            if mask_of(first, var, everything, b, env) is not None:
                narrowed = model.Filter(of, var, first, type=of.type, span=condition.span)
                return fitting(filtered(narrowed, b, env), narrowed, var, second, b, env)
    if mask is None:
        ask = _of_one_member if members.most <= 1 else _by_loop
        return ask(members, of, var, condition, b, env)
    bound = members.bound & mask.bound
    return Bits(op("intersect", members.expr, mask.expr), bound, min(members.most, mask.most, bound.bit_count()))


def mask_of(condition: ModelExpr, var: Var, everything: int, b: Builder, env: Env) -> Bits | None:
    """All members of the type of ``var`` that fit a condition, as a set without a loop; None where it takes one."""
    if not defines.uses(condition, var):
        test = scalar_of(condition, b, env).expr
        return Bits(op("if", test, Const(everything), Const(0)), everything, everything.bit_count())
    values = static_values(condition, var, b)
    if values is not None:
        mask = sum(_bits(value, var, b) for value, fits in values.items() if fits)
        return Bits(Const(mask), mask, mask.bit_count())
    if var.type.base == "cell" and isinstance(condition, model.Compare | model.IsIn | model.VariableValue):
        shifted = _of_shifted(condition, var, everything, b, env)
        if shifted is not None:
            return shifted
    match condition:
        case model.Logic(op=name, left=left, right=right):
            one, other = mask_of(left, var, everything, b, env), mask_of(right, var, everything, b, env)
            if one is None or other is None:
                return None
            if name == "and":
                bound = one.bound & other.bound
                return Bits(op("intersect", one.expr, other.expr), bound, min(one.most, other.most, bound.bit_count()))
            bound = one.bound | other.bound
            return Bits(op("union", one.expr, other.expr), bound, min(one.most + other.most, bound.bit_count()))
        case model.Not(value=value):
            inner = mask_of(value, var, everything, b, env)
            if inner is None:
                return None
            return Bits(op("minus", Const(everything), inner.expr), everything, everything.bit_count())
        case model.VariableValue():
            return markers.mask(condition, var, everything, b, env)
        case model.Compare(left=model.Cases() as several) if not asks_member(several, var):
            compared = in_each_case(several, lambda value: evolve(condition, left=value))
            return mask_of(evolve(compared, type=condition.type), var, everything, b, env)
        case model.Compare(right=model.Cases() as several) if not asks_member(several, var):
            compared = in_each_case(several, lambda value: evolve(condition, right=value))
            return mask_of(evolve(compared, type=condition.type), var, everything, b, env)
        case model.Compare(left=left, right=right) if not left.type.is_set and not right.type.is_set:
            by_value = markers.mask(condition, var, everything, b, env)
            if by_value is not None:
                return by_value
            by_cell = printed.mask_by_attribute(condition, var, b, env)
            if by_cell is not None:
                return Bits(by_cell, everything, everything.bit_count())
            return _compared(condition, var, everything, b, env)
        case model.Some(of=model.Apply(define=define, args=args) as asked_of) if not defines.of_none(asked_of, b):
            asked_of_it = evolve(condition, of=defines.at(b.table.defines[define], args))
            return mask_of(asked_of_it, var, everything, b, env)
        case model.Some(of=model.LinesFrom(start=model.VarValue(var=asked)) as found) if asked is var and not (
            defines.uses(found.through, var) or defines.uses(found.end, var)
        ):
            return lines.cells_with_lines(found, b, env)
        case model.HasPath(of=of, start=start, end=end) if (
            not defines.uses(of, var)
            and not (defines.uses(start if _is_cell(end, var) else end, var))
            and (_is_cell(start, var) or _is_cell(end, var))
        ):
            return lines.cells_with_paths(of, start if _is_cell(end, var) else end, b, env)
        case model.IsIn(member=member, of=model.Cases() as cases) if not defines.uses(member, var):
            each = in_each_case(cases, lambda of: evolve(condition, of=of))
            return mask_of(evolve(each, type=model.TRUTH), var, everything, b, env)
        case model.IsIn(member=member, of=model.Apply(define=define, args=args) as asked_of) if not defines.uses(
            member, var
        ) and not defines.of_none(asked_of, b):
            return mask_of(evolve(condition, of=defines.at(b.table.defines[define], args)), var, everything, b, env)
        case model.Some(of=model.Filter(of=model.NextTo(of=beside), var=near, condition=fits)) if _is_cell(beside, var) and not (
            defines.uses(fits, var)
        ):
            members = mask_of(fits, near, everything, b, env | {near: env[var]})
            if members is None:
                return None
            return Bits(cells.having_beside(members.expr, b.table.grids[var.type.of], b), everything, everything.bit_count())
        case model.IsIn(member=model.VarValue(var=asked), of=of) if asked is var and not defines.uses(of, var):
            return bits_of_set(of, b, env) if not copies_of(var.type, b) else None
        case model.Cases(cases=cases, otherwise=otherwise):
            result = mask_of(otherwise, var, everything, b, env)
            for test_node, value_node in reversed(cases):
                value_mask = mask_of(value_node, var, everything, b, env)
                if result is not None and value_mask is not None and not defines.uses(test_node, var):
                    chosen = op("if", scalar_of(test_node, b, env).expr, value_mask.expr, result.expr)
                    result = Bits(chosen, value_mask.bound | result.bound, max(value_mask.most, result.most))
                    continue
                test_mask = mask_of(test_node, var, everything, b, env)
                if result is None or test_mask is None or value_mask is None:
                    return None
                here = op("intersect", test_mask.expr, value_mask.expr)
                rest = op("minus", result.expr, test_mask.expr)
                bound = value_mask.bound | result.bound
                result = Bits(op("union", here, rest), bound, bound.bit_count())
            return result
        case model.Apply(define=define, args=args) if not defines.of_none(condition, b):
            return mask_of(defines.at(b.table.defines[define], args), var, everything, b, env)
        case _:
            return None


def asks_member(node: model.Cases, var: Var) -> bool:
    """Whether the conditions of cases ask for a member: then they may differ between members."""
    return any(defines.uses(condition, var) for condition, _ in node.cases)


def in_each_case(node: model.Cases, change: Callable[[ModelExpr], ModelExpr]) -> model.Cases:
    """The cases with another value made of each value."""
    return evolve(
        node, cases=tuple((condition, change(value)) for condition, value in node.cases), otherwise=change(node.otherwise)
    )


def _of_shifted(condition: ModelExpr, var: Var, everything: int, b: Builder, env: Env) -> Bits | None:
    """A condition that asks nothing of a cell but of the one so far from it: the mask for that one, moved back."""
    there = [
        node
        for node in walk(condition)
        if isinstance(node, model.AnyOf)
        and isinstance(node.of, model.Shifted)
        and node.of.is_of_one_cell
        and defines.uses(node, var)
    ]
    grid = b.table.grids[var.type.of]
    path = lines.path_of(there[0].of, var, grid, b) if there else None
    if path is None:
        return None
    other = Var(var.name, var.type)
    it = model.VarValue(other, type=there[0].type, span=there[0].span)

    def of_other(part: ModelExpr) -> ModelExpr:
        return it if part == there[0] else defines.parts_changed(part, of_other)

    asked = of_other(condition)
    if defines.uses(asked, var):
        return None
    around = {**env, other: env[var]} if var in env else env
    mask = mask_of(asked, other, everything, b, around)
    if mask is None:
        return None
    found, staying = mask.expr, Const(everything)
    for across, up in reversed(path):
        found = cells.shifted(found, grid, -across, -up, b)
        back = cells.moved(staying, grid, -across, -up)
        assert isinstance(back, Const)
        staying = back
    nowhere = everything & ~staying.value
    of_none = scalar_of(asked, b, {**env, other: Binding(Scalar(Const(NONE), NONE, NONE))}).expr
    return Bits(op("union", found, op("if", of_none, Const(nowhere), Const(0))), everything, everything.bit_count())


def _is_cell(node: model.Typed, var: Var) -> bool:
    """Whether an expression is one cell, by this name."""
    match node:
        case model.SetOf(members=(only,)):
            return _is_cell(only, var)
        case model.VarValue(var=asked):
            return asked is var and not var.type.is_set
        case _:
            return False


def _compared(node: model.Compare, var: Var, everything: int, b: Builder, env: Env) -> Bits | None:
    """A printed value of the member against a value from elsewhere: the mask is looked up by that value."""
    for mine, theirs, swapped in ((node.left, node.right, False), (node.right, node.left, True)):
        values = static_values(mine, var, b)
        if values is None or defines.uses(theirs, var):
            continue
        other = scalar_of(theirs, b, env)
        low, high = other.low, other.high
        if high - low >= KEYS_LIMIT:
            return None
        masks = tuple(
            sum(
                _bits(member, var, b)
                for member, value in values.items()
                if _holds(node.op, *((key, value) if swapped else (value, key)))
            )
            for key in (None if theirs.type.optional and number == other.none else number for number in range(low, high + 1))
        )
        if low == high:
            return Bits(Const(masks[0]), masks[0], masks[0].bit_count())
        table = Constants(
            f"{var.type.noun}s whose {_said(mine)} {'is' if node.op == '=' else node.op}", masks, everything.bit_length()
        )
        bound = 0
        for mask in masks:
            bound |= mask
        return Bits(Lookup(table, op("-", other.expr, Const(low))), bound, max(m.bit_count() for m in masks))
    return None


def numbers_below(end: Expr, domain: Domain) -> Expr:
    """The positions of the numbers of a domain that are less than ``end``."""
    return _first_numbers(op("-", clamped(end, domain.low, domain.low + len(domain.names)), Const(domain.low)), domain)


def numbers_upto(end: Expr, domain: Domain) -> Expr:
    """The positions of the numbers of a domain that are ``end`` or less."""
    before = domain.low - 1
    return _first_numbers(op("-", clamped(end, before, before + len(domain.names)), Const(before)), domain)


def _first_numbers(count: Expr, domain: Domain) -> Expr:
    """The first positions of a domain, so many."""
    width = len(domain.names)
    first = Constants("first numbers", tuple((1 << n) - 1 for n in range(width + 1)), width)
    return Const(first.values[count.value]) if isinstance(count, Const) else Lookup(first, count)


def mask_of_numbers(condition: ModelExpr, var: Var, domain: Domain, b: Builder, env: Env) -> Bits | None:
    """The positions of all numbers of a domain that fit a condition on ``var``; None where they are asked one by one.

    The number may only be compared, with what can be worked out in any case: it is worked out even where an earlier
    condition does not hold.
    """
    everything = (1 << len(domain.names)) - 1
    condition = defines.written_out(condition, b)
    if not all(_always_known(part, b) for part in walk(condition)):
        return None

    def fitting(node: ModelExpr) -> Expr | None:
        if not defines.uses(node, var):
            return op("if", scalar_of(node, b, env).expr, Const(everything), Const(0))
        match node:
            case model.Logic(op=name, left=left, right=right):
                one, other = fitting(left), fitting(right)
                return None if one is None or other is None else op("intersect" if name == "and" else "union", one, other)
            case model.Not(value=model.Not(value=value)):
                return fitting(value)
            case model.Not(value=value):
                inner = fitting(value)
                return None if inner is None else op("minus", Const(everything), inner)
            case model.Some(
                of=model.Filter(
                    of=of,
                    var=cell,
                    condition=model.Compare(
                        op="=",
                        left=model.CellPlace(what="column", of=model.VarValue(var=asked_cell_)),
                        right=model.VarValue(var=number),
                    ),
                )
            ) if asked_cell_ is cell and number is var and not defines.uses(of, var) and b.table.grids[of.type.of].board is None:
                filled = cells.columns_of(bits_of_set(of, b, env).expr, b.table.grids[of.type.of], b)
                if domain.low > 1:
                    filled = op("right", filled, Const(domain.low - 1))
                filled = op("intersect", filled, Const(everything >> max(0, 1 - domain.low)))
                return filled if domain.low >= 1 else op("left", filled, Const(1 - domain.low))
            case model.Compare(op=name, left=left, right=right):
                for mine, theirs in ((left, right), (right, left)):
                    asked = isinstance(mine, model.VarValue) and mine.var is var
                    if asked and not theirs.type.optional and not defines.uses(theirs, var):
                        end = scalar_of(theirs, b, env).expr
                        below, upto = numbers_below(end, domain), numbers_upto(end, domain)
                        if name == "=":
                            return op("minus", upto, below)
                        if mine is left:
                            return below if name == "<" else upto
                        return op("minus", Const(everything), upto if name == "<" else below)
        return None

    mask = fitting(condition)
    return None if mask is None else Bits(mask, everything, everything.bit_count())


def _always_known(node: model.Node, b: Builder) -> bool:
    """Whether an expression (its parts aside) has a value in every position: no none in it can stop the game."""
    match node:
        case model.Arithmetic(op=name, left=left, right=right):
            return name in _ARITHMETIC and not left.type.optional and not right.type.optional
        case model.Compare(left=left, right=right):
            return not left.type.is_set and not right.type.is_set
        case model.VariableValue(name=variable, owner=owner):
            return not b.may_be_unset(variable) and (owner is None or not owner.type.optional)
        case model.Const() | model.VarValue() | model.Logic() | model.Not() | model.Count() | model.ZoneContent():
            return True
        case model.Some() | model.Filter() | model.CellsOf() | model.CellPlace():
            return True
        case _:
            return False


def _said(node: ModelExpr) -> str:
    match node:
        case model.AttributeOf(attribute=attribute):
            return attribute
        case model.Apply(define=define):
            return define
        case _:
            return "value"


def _holds(name: str, left: int | None, right: int | None) -> bool:
    if name == "=":
        return left == right
    if left is None or right is None:
        return False
    return left < right if name == "<" else left <= right


def _bits(value: int, var: Var, b: Builder) -> int:
    return b.components[var.type.of].block(value) if var.type.base == "component" else 1 << value


def _by_loop(members: Bits, of: ModelExpr, var: Var, condition: ModelExpr, b: Builder, env: Env) -> Bits:
    """Ask every member in turn."""
    width = b.width(of.type)
    rest, member, kept, bit = b.local("rest", width), b.local(var.name), b.local("kept", width), b.local("bit")
    copies = copies_of(of.type, b)

    def build(inside: Env) -> list[Stmt]:
        here = bits_of_set(of, b, inside)
        spots = places.spots_of_cells(of, b, inside)
        test = scalar_of(condition, b, inside | {var: member_binding(member, of.type, b, spots)}).expr
        remember: list[Stmt] = (
            [] if not copies else [Assign(member, Lookup(Constants(f"face of {var.type.of}", copies), Load(bit)))]
        )
        keep = If(test, (Assign(kept, op("union", Load(kept), op("bit", Load(bit if copies else member)))),))
        loop = for_members(rest, here.expr, bit if copies else member, [*remember, keep], (), condition.span)
        return [Assign(kept, Const(0)), *loop, Return(Load(kept))]

    call = b.function("those that fit", (of, condition), {v: x for v, x in env.items() if v is not var}, width, build)
    b.scalar_loops.append((call.function, f"{condition.span.place}: {condition.span.text}"))
    return Bits(call, members.bound, members.most)


def _of_one_member(members: Bits, of: ModelExpr, var: Var, condition: ModelExpr, b: Builder, env: Env) -> Bits:
    """A set that never has more than one member is asked once."""
    first = op("first", members.expr)

    def asked(member: Expr, inside: Env) -> Expr:
        """Whether a member fits; -1 does not."""
        binding = Binding(Scalar(member, 0, b.size(var.type) - 1), places.spots_of_cells(of, b, inside))
        return scalar_of(condition, b, inside | {var: binding}).expr

    known = isinstance(first.variable, Local) if isinstance(first, Load) else isinstance(first, Const) and first.value >= 0
    if known:
        fits = asked(face_of_bit(first, of.type, b), env)
        return Bits(op("if", fits, members.expr, Const(0)), members.bound, members.most)
    width = b.width(of.type)
    bit, member = b.local("bit"), b.local(var.name)

    def build(inside: Env) -> list[Stmt]:
        here = bits_of_set(of, b, inside)
        fits = op("and", op("<=", Const(0), Load(bit)), asked(Load(member), inside))
        found = [Assign(bit, op("first", here.expr)), Assign(member, face_of_bit(Load(bit), of.type, b))]
        return [*found, Return(op("if", fits, op("bit", Load(bit)), Const(0)))]

    around = {v: x for v, x in env.items() if v is not var}
    return Bits(b.function("the one that fits", (of, condition), around, width, build), members.bound, members.most)


def static_values(node: ModelExpr, var: Var, b: Builder) -> dict[int, int | None] | None:
    """The value of an expression for every value of ``var`` (None: it is none), where nothing else matters; else None."""
    every = range(b.size(var.type))
    found = column(node, {var: every}, len(every), b) if every else ()
    return None if found is None else dict(enumerate(found))


def column(node: ModelExpr, known: Known, rows: int, b: Builder) -> Column | None:
    """The values of an expression in some rows of values of names; None where it depends on more than these and on print."""

    def of_part(part: ModelExpr) -> Column | None:
        return column(part, known, rows, b)

    match node:
        case model.Const(value=value):
            return (None if node.type.optional and value == NONE else value,) * rows
        case model.VarValue(var=var):
            return known.get(var)
        case model.AttributeOf(attribute=attribute, of=of) if of.type.base == "component":
            things = of_part(of)
            if things is None:
                return None
            printed_values = b.components[of.type.of].kind.printed(attribute)
            return [None if thing is None else printed_values[thing] for thing in things]
        case model.CellPlace(what=what, of=of):
            here = of_part(of)
            if here is None:
                return None
            grid = b.table.grids[of.type.of]
            return [None if cell is None else lines.place_of_cell(what, cell, grid) for cell in here]
        case model.SeatNumber(of=of):
            seats = of_part(of)
            return None if seats is None else [None if seat is None else seat + 1 for seat in seats]
        case model.ColumnFor(table=table, column=name, key=key):
            keys, entries = of_part(key), b.table.columns[table, name]
            if keys is None:
                return None
            if b.marks is not None:
                b.marks.rows.update((table, NONE if asked is None else asked) for asked in keys)
            rows_asked = [entries.otherwise if asked is None else entries.values.get(asked, entries.otherwise) for asked in keys]
            found = [entry for entry in rows_asked if entry is not None]
            return found if len(found) == rows else None
        case model.Arithmetic(op="+" | "-" | "*" | "min" | "max" as sign, left=left, right=right):
            a, c = of_part(left), of_part(right)
            if a is None or c is None:
                return None
            pairs = [(x, y) for x, y in zip(a, c, strict=True) if x is not None and y is not None]
            return [_ARITHMETIC[sign](x, y) for x, y in pairs] if len(pairs) == rows else None
        case model.Compare(left=left, right=right) if not left.type.is_set and not right.type.is_set:
            a, c = of_part(left), of_part(right)
            return None if a is None or c is None else [int(_holds(node.op, x, y)) for x, y in zip(a, c, strict=True)]
        case model.Logic(left=left, right=right):
            a, c = of_part(left), of_part(right)
            join = all if node.op == "and" else any
            return None if a is None or c is None else [int(join(pair)) for pair in zip(a, c, strict=True)]
        case model.Not(value=inner):
            a = of_part(inner)
            return None if a is None else [int(not x) for x in a]
        case model.Cases():
            return _column_of_cases(node, known, rows, b)
        case model.Apply(define=define, args=args):
            given = [value for value in map(of_part, args) if value is not None]
            if len(given) < len(args) or node.type.is_set or defines.of_none(node, b):
                return None
            said = b.table.defines[define]
            return column(said.value, dict(zip(said.parameters, given, strict=True)), rows, b)
        case _:
            return None


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul, "min": min, "max": max}


def _column_of_cases(node: model.Cases, known: Known, rows: int, b: Builder) -> Column | None:
    """Each case is asked only in those rows in which none before it holds."""
    found: list[int | None] = [0] * rows
    open_rows: Sequence[int] = range(rows)

    def asked(part: ModelExpr, of: Sequence[int]) -> Column | None:
        return column(part, {var: [values[row] for row in of] for var, values in known.items()}, len(of), b) if of else ()

    for condition, value in (*node.cases, (None, node.otherwise)):
        holds = [1] * len(open_rows) if condition is None else asked(condition, open_rows)
        if holds is None:
            return None
        chosen = [row for row, fits in zip(open_rows, holds, strict=True) if fits]
        open_rows = [row for row, fits in zip(open_rows, holds, strict=True) if not fits]
        values = asked(value, chosen)
        if values is None:
            return None
        for row, result in zip(chosen, values, strict=True):
            found[row] = result
    return found
