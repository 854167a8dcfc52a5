"""How is an expression computed with numbers and sets?

`scalar_of` and `bits_of_set` lower one expression each and say what is known of its value. Defines become functions (short
ones are written out where they are used), loops over members become functions too; filters go through `sets`, rankings
through `rankings`.
"""

from __future__ import annotations

from attrs import evolve

from ...model import model
from ...model.model import Expr as ModelExpr
from ...model.model import Var
from ...model.rebuild import walk, with_parts
from ...source import Span
from ..machine import (
    NONE,
    Assign,
    Const,
    Constants,
    Expr,
    Field,
    Function,
    If,
    Invoke,
    Load,
    Local,
    Lookup,
    Return,
    Say,
    Stmt,
    While,
)
from .builder import (
    Binding,
    Bits,
    Builder,
    Components,
    Env,
    Scalar,
    Value,
    bits_of,
    for_members,
    op,
    scalar,
    some,
)
from .guards import narrowed, negated

SHORT = 9  # nodes of a define that is written out where it is used; longer ones are functions


def lower(node: ModelExpr, b: Builder, env: Env) -> Value:
    """The code of an expression of any type."""
    return bits_of_set(node, b, env) if node.type.is_set else scalar_of(node, b, env)


# ---- Numbers


def scalar_of(node: ModelExpr, b: Builder, env: Env) -> Scalar:
    """The code of an expression that is no set."""
    match node:
        case model.Const(value=value):
            return scalar(value)
        case model.VarValue(var=var):
            value_of = env[var].value
            assert isinstance(value_of, Scalar)
            return value_of
        case model.VariableValue():
            return variable_value(node, b, env)
        case model.ZoneContent(zone=zone, owner=owner):
            high = len(b.components[node.type.of].kind.faces) - 1
            return _of_owner(b.fields[zone], owner, Scalar(Const(0), NONE, high), b, env)
        case model.AttributeOf(attribute=attribute, of=of):
            thing = scalar_of(of, b, env)
            values = b.components[of.type.of].kind.attribute(attribute)
            found = Scalar(Lookup(Constants(f"{attribute} of {of.type.of}", values), thing.expr), min(values), max(values))
            return _none_of_none(thing, found)
        case model.ColumnFor():
            return _column(node, b, env)
        case model.Apply():
            applied = apply(node, b, env)
            assert isinstance(applied, Scalar)
            return applied
        case model.Arithmetic():
            return _arithmetic(node, b, env)
        case model.Compare():
            return _compare(node, b, env)
        case model.Logic(op=logic, left=left, right=right):
            one = scalar_of(left, b, env).expr
            with b.where(left if logic == "and" else negated(left)):
                return Scalar(op(logic, one, scalar_of(right, b, env).expr), 0, 1)
        case model.Not(value=inner):
            return Scalar(op("not", scalar_of(inner, b, env).expr), 0, 1)
        case model.Cases(cases=cases, otherwise=otherwise):
            excluded = [negated(condition) for condition, _ in cases]
            with b.where(*excluded):
                result = scalar_of(otherwise, b, env)
            for index, (condition, value_node) in reversed(list(enumerate(cases))):
                with b.where(*excluded[:index], condition):
                    value_here = scalar_of(value_node, b, env)
                chosen = op("if", scalar_of(condition, b, env).expr, value_here.expr, result.expr)
                result = Scalar(chosen, min(value_here.low, result.low), max(value_here.high, result.high))
            return result
        case model.IsIn(member=member, of=of):
            thing, members = scalar_of(member, b, env), bits_of_set(of, b, env)
            inside = op("has", members.expr, first_bit(thing.expr, member.type, b))
            return Scalar(op("and", op("<=", Const(0), thing.expr), inside) if thing.low < 0 else inside, 0, 1)
        case model.Some(of=of):
            return Scalar(some(bits_of_set(of, b, env).expr), 0, 1)
        case model.Count(of=of):
            members = bits_of_set(of, b, env)
            return Scalar(op("count", members.expr), 0, members.most)
        case model.Total():
            return _total(node, b, env)
        case model.Extreme():
            return _extreme(node, b, env)
        case model.First(of=of, start=start):
            members = bits_of_set(of, b, env)
            return Scalar(op("after", members.expr, required(start, b, env).expr), NONE, b.players - 1)
        case model.Best():
            from .rankings import best

            return best(node, b, env)
        case model.AnyOf(of=of):
            members = bits_of_set(of, b, env)
            lowest = op("first", members.expr)
            return Scalar(face_of_bit(lowest, of.type, b), NONE, b.size(of.type) - 1)
        case model.OwnerOf(of=of):
            return owner_of(of, b, env)
        case model.SeatsAway(count=count, of=of, right=right):
            away, player = required(count, b, env), scalar_of(of, b, env)
            moved = op("-" if right else "+", player.expr, away.expr)
            return _none_of_none(player, Scalar(op("mod", moved, Const(b.players)), 0, b.players - 1))
        case model.SeatNumber(of=of):
            player = scalar_of(of, b, env)
            return _none_of_none(player, Scalar(op("+", player.expr, Const(1)), 1, b.players))
        case model.ScoreOf(of=of, team=team, term=term):
            name = f"score{' of team' if team else ''}{f' for {term}' if term else ''}"
            low, high = b.score_ranges.get(name, (-(10**9), 10**9))
            return Scalar(Invoke(name, (required(of, b, env).expr,)), low, high)
        case model.RandomOf():
            b.complain(
                "R222", "chance can decide only what is set or moved", node.span,
                help="write `set X to a random ...` or `let x be a random ...`"
            )
            return scalar(0)
        case _:
            raise AssertionError(f"{type(node).__name__} is no number")


def _told_from_none(low: int, node: ModelExpr, b: Builder) -> None:
    """A finding where a number can be none, which is -1 in code, and can be below 0 as well."""
    if low < 0 and node.type.base == "number":
        b.complain(
            "R229", f"`{node.span.text}` can be none, and it can be a number below 0", node.span,
            help="let its numbers begin at 0, so that the two can be told apart",
        )  # fmt: skip


def required(node: ModelExpr, b: Builder, env: Env) -> Scalar:
    """The code of an expression that is needed: where it may be none, none stops the game."""
    return not_none(scalar_of(node, b, env), node, b)


def not_none(value: Scalar, node: ModelExpr, b: Builder) -> Scalar:
    """The value of ``node``, for which none stops the game."""
    if not node.type.optional or value.low >= 0:
        return value
    if value.constant == NONE:
        b.complain("R301", f"a {node.type.noun} is needed, and this is none", node.span)
        return scalar(0)
    parameter = b.local(node.type.noun)
    failing = b.stop(
        "R610", node.span, f"`{node.span.text}` is none, and a {node.type.noun} is needed", help="ask first: `if ... is not none`"
    )
    name = b.fresh(f"{node.type.noun}, not none")
    body = (If(op("=", Load(parameter), Const(NONE)), (failing,)), Return(Load(parameter)))
    b.functions[name] = Function(name, (parameter,), 0, body)
    return Scalar(Invoke(name, (value.expr,)), max(0, value.low), max(0, value.high))


def _none_of_none(thing: Scalar, value: Scalar) -> Scalar:
    """``X of none`` is none."""
    if thing.low >= 0:
        return value
    return Scalar(op("if", op("<", thing.expr, Const(0)), Const(NONE), value.expr), min(NONE, value.low), value.high)


def _of_owner(where: Field, owner: ModelExpr | None, value: Scalar, b: Builder, env: Env) -> Scalar:
    if owner is None:
        return Scalar(Load(where), value.low, value.high)
    whose = scalar_of(owner, b, env)
    return _none_of_none(whose, Scalar(Load(where, whose.expr), value.low, value.high))


def variable_value(node: model.VariableValue, b: Builder, env: Env) -> Scalar:
    """A counter or marker as it stands; one that is not set yet stops the game."""
    variable = b.table.variables[node.name]
    if variable.range is not None:
        low, high = variable.range.low, variable.range.high
        low = NONE if variable.type.optional else low
    else:
        low, high = b.span_of(variable.type)
    value = _of_owner(b.fields[node.name], node.owner, Scalar(Const(0), low, high), b, env)
    if not b.may_be_unset(node.name):
        return value
    return checked_set(node.name, value, node.span, b)


def checked_set(name: str, value: Scalar, span: Span, b: Builder) -> Scalar:
    """The value of a marker that must have been set before."""
    function = f"{name}, set"
    if function not in b.functions:
        parameter = b.local(name)
        failing = b.stop("R610", span, f"`{name}` is asked for before it is set", help=f"set `{name}` in the setup")
        body = (If(op("<", Load(parameter), Const(0)), (failing,)), Return(Load(parameter)))
        b.functions[function] = Function(function, (parameter,), 0, body)
    return Scalar(Invoke(function, (value.expr,)), value.low, value.high)


def _column(node: model.ColumnFor, b: Builder, env: Env) -> Scalar:
    column = b.table.columns[node.table, node.column]
    key = scalar_of(node.key, b, env)
    known = column.values
    low, high = key.low, key.high
    results = list(known.values()) + ([column.otherwise] if column.otherwise is not None else [])
    if not results:
        return scalar(0)
    value_low, value_high = min(results), max(results)
    asked = [k for k in known if low <= k <= high]
    where = b.table.table_spans[node.table]
    if column.otherwise is None and not asked:
        b.complain(
            "R302", f"the table `{node.table}` has no row for {_ranged(node, low, high, b)}", node.span,
            (where, _rows(node, known, b)),
            help="add a row for it",
        )  # fmt: skip
        return scalar(value_low)
    low, high = (max(low, min(known)), min(high, max(known))) if known else (0, 0)
    values = tuple(known.get(k, column.otherwise if column.otherwise is not None else value_low) for k in range(low, high + 1))
    table = Constants(node.column, values)
    index = op("-", key.expr, Const(low))
    complete = key.low >= low and key.high <= high and all(k in known for k in range(low, high + 1))
    if complete or (column.otherwise is not None and known and key.low >= low and key.high <= high):
        return Scalar(Lookup(table, index), min(values), max(values))
    here_low, here_high = narrowed(node.key, key.low, key.high, b)
    if column.otherwise is None and any(k not in known for k in range(here_low, here_high + 1)):
        missing = _ranged(node, here_low, here_high, b)
        b.complain(
            "R303", f"the table `{node.table}` may be asked for a row that it does not have", node.span,
            (where, _rows(node, known, b)),
            label=f"this can be {missing}", help="add the rows, or a row `otherwise`, or make the rules exclude it", warning=True,
        )  # fmt: skip
    parameter = b.local("key")
    inside = op("and", op("<=", Const(low), Load(parameter)), op("<=", Load(parameter), Const(high)))
    found = Lookup(table, op("-", Load(parameter), Const(low)))
    gaps = [k for k in range(low, high + 1) if k not in known]
    if gaps and column.otherwise is None:
        present = Constants(f"{node.column}, rows", tuple(int(k in known) for k in range(low, high + 1)))
        inside = op("and", inside, Lookup(present, op("-", Load(parameter), Const(low))))
    if column.otherwise is not None:
        rest: Stmt = Return(Const(column.otherwise))
    else:
        said = Say(Load(parameter), b.domain(node.key.type))
        rest = b.stop(
            "R603", node.span, f"the table `{node.table}` has no row for ", said, help="add the row, or a row `otherwise`"
        )
    name = b.fresh(f"{node.column} for")
    b.functions[name] = Function(name, (parameter,), 0, (If(inside, (Return(found),)), rest))
    return Scalar(Invoke(name, (key.expr,)), value_low, value_high)


def _ranged(node: model.ColumnFor, low: int, high: int, b: Builder) -> str:
    domain = b.domain(node.key.type)
    if low == NONE and node.key.type.optional:
        return "none"
    if domain is not None:
        return domain.name(low) if low == high else "another " + node.key.type.noun
    return str(low) if low == high else f"{low}..{high}"


def _rows(node: model.ColumnFor, known: dict[int, int], b: Builder) -> str:
    domain = b.domain(node.key.type)
    return "rows for " + ", ".join(domain.name(k) if domain else str(k) for k in sorted(known)[:12])


def _arithmetic(node: model.Arithmetic, b: Builder, env: Env) -> Scalar:
    left, right = required(node.left, b, env), required(node.right, b, env)
    a, c = left.expr, right.expr
    match node.op:
        case "+":
            return Scalar(op("+", a, c), left.low + right.low, left.high + right.high)
        case "-":
            return Scalar(op("-", a, c), left.low - right.high, left.high - right.low)
        case "*":
            ends = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
            return Scalar(op("*", a, c), min(ends), max(ends))
        case "mod":
            c = _divisor(node, right, b)
            bound = max(abs(right.low), abs(right.high))
            return Scalar(
                op("mod", a, c), min(0, right.low + 1), min(bound - 1, max(0, left.high)) if left.low >= 0 else bound - 1
            )
        case "div" | "div up":
            c = _divisor(node, right, b)
            divisors = [d for d in (right.low, right.high, 1, -1) if d and right.low <= d <= right.high]
            up = node.op == "div up"
            ends = [-(-x // d) if up else x // d for x in (left.low, left.high) for d in divisors]
            return Scalar(op(node.op, a, c), min(ends), max(ends))


def _divisor(node: model.Arithmetic, right: Scalar, b: Builder) -> Expr:
    if right.low > 0 or right.high < 0:
        return right.expr
    parameter = b.local("divisor")
    name = b.fresh("divisor")
    failing = b.stop("R611", node.span, "this divides by 0")
    body = (If(op("=", Load(parameter), Const(0)), (failing,)), Return(Load(parameter)))
    b.functions[name] = Function(name, (parameter,), 0, body)
    return Invoke(name, (right.expr,))


def _compare(node: model.Compare, b: Builder, env: Env) -> Scalar:
    if node.left.type.is_set or node.right.type.is_set:
        a, c = bits_of_set(node.left, b, env), bits_of_set(node.right, b, env)
        return Scalar(op("=", a.expr, c.expr), 0, 1)
    left, right = scalar_of(node.left, b, env), scalar_of(node.right, b, env)
    if node.op == "=":
        if left.high < right.low or right.high < left.low:
            return scalar(0)
        same = op("=", left.expr, right.expr)
        for (mine, what), theirs in (((left, node.left), node.right), ((right, node.right), node.left)):
            if theirs.type == model.NUMBER and what.type.optional and what.type.base == "number" and mine.low < 0:
                same = op("and", op("<=", Const(0), mine.expr), same)  # none is -1 in code, and no number
        return Scalar(same, 0, 1)
    test = op(node.op, left.expr, right.expr)
    for side, what in ((left, node.left), (right, node.right)):
        if what.type.optional and side.low < 0:
            test = op("and", op("<=", Const(0), side.expr), test)
    return Scalar(test, 0, 1)


def _total(node: model.Total, b: Builder, env: Env) -> Scalar:
    from .sets import static_values

    members = bits_of_set(node.of, b, env)
    values = static_values(node.value, node.var, b)
    if values is not None:
        by_value: dict[int, int] = {}
        optional = node.value.type.optional
        for face, value in values.items():
            if value != 0 and not (optional and value == NONE):
                by_value[value] = by_value.get(value, 0) | _block(face, node.of.type, b)
        total: Expr = Const(0)
        for value, mask in sorted(by_value.items()):
            total = op("+", total, op("*", Const(value), op("count", op("intersect", members.expr, Const(mask)))))
        spread = [v for v in values.values() if not (optional and v == NONE)] or [0]
        return Scalar(total, min(0, min(spread)) * members.most, max(0, max(spread)) * members.most)
    rest, member, sum_so_far, each = (
        b.local("rest", b.width(node.of.type)), b.local(node.var.name), b.local("total"), b.local("value")
    )  # fmt: skip
    spread_of: list[int] = [0]

    def build(inside: Env) -> list[Stmt]:
        of = bits_of_set(node.of, b, inside)
        value = scalar_of(node.value, b, inside | {node.var: member_binding(member, node.of.type, b)})
        spread_of.extend((min(0, value.low), max(0, value.high)))
        add = Assign(sum_so_far, op("+", Load(sum_so_far), Load(each)))
        body: list[Stmt] = [
            Assign(each, value.expr), If(op("=", Load(each), Const(NONE)), (), (add,)) if node.value.type.optional else add
        ]
        loop = for_members(rest, of.expr, member, body, copies_of(node.of.type, b), node.span)
        return [Assign(sum_so_far, Const(0)), *loop, Return(Load(sum_so_far))]

    call = b.function("total", (node.of, node.value), env, 0, build)
    return Scalar(call, min(spread_of) * members.most, max(spread_of) * members.most)


def _extreme(node: model.Extreme, b: Builder, env: Env) -> Scalar:
    rest, member, best_so_far, each, some_yet = (
        b.local("rest", b.width(node.of.type)), b.local(node.var.name), b.local("best"), b.local("value"), b.local("some yet")
    )  # fmt: skip
    spread: list[int] = []

    def build(inside: Env) -> list[Stmt]:
        of = bits_of_set(node.of, b, inside)
        value = scalar_of(node.value, b, inside | {node.var: member_binding(member, node.of.type, b)})
        spread.extend((value.low, value.high))
        better = op("<", Load(best_so_far), Load(each)) if node.direction == "highest" else op("<", Load(each), Load(best_so_far))
        take = op("or", op("not", Load(some_yet)), better)
        if node.value.type.optional:
            take = op("and", op("not", op("=", Load(each), Const(NONE))), take)
        body: list[Stmt] = [Assign(each, value.expr), If(take, (Assign(best_so_far, Load(each)), Assign(some_yet, Const(1))))]
        loop = for_members(rest, of.expr, member, body, copies_of(node.of.type, b), node.span)
        return [Assign(best_so_far, Const(NONE)), Assign(some_yet, Const(0)), *loop, Return(Load(best_so_far))]

    call = b.function(f"{node.direction} among", (node.of, node.value), env, 0, build)
    if not node.value.type.optional:
        _told_from_none(spread[0], node, b)
    return Scalar(call, min(NONE, spread[0]), spread[1])


def owner_of(of: ModelExpr, b: Builder, env: Env) -> Scalar:
    """The player in whose zone a component lies: of the zones where it can be, the first that has it."""
    from .moves import spots_of

    kind = of.type.of
    zones = [z for z in b.table.zones.values() if z.kind == kind and z.owned]
    spots = spots_of(of, b, env)
    if spots is not None:
        zones = [z for z in zones if any(s.zone == z.name for s in spots)]
    name = f"owner of {kind} in {', '.join(z.name for z in zones)}"
    if name not in b.functions:
        thing, player = b.local(kind), b.local("player")
        tests = [holds(z, Load(player), Load(thing), b) for z in zones]
        found: Expr = Const(0)
        for test in tests:
            found = op("or", found, test)
        loop = While(
            op("<", Load(player), Const(b.players)),
            (If(found, (Return(Load(player)),)), Assign(player, op("+", Load(player), Const(1)))),
            of.span,
        )
        body = (If(op("<", Load(thing), Const(0)), (Return(Const(NONE)),)), Assign(player, Const(0)), loop, Return(Const(NONE)))
        b.functions[name] = Function(name, (thing,), 0, body)
    return Scalar(Invoke(name, (scalar_of(of, b, env).expr,)), NONE, b.players - 1)


def holds(zone: model.Zone, owner: Expr | None, face: Expr, b: Builder) -> Expr:
    """Whether a component lies in a zone (of an owner)."""
    if zone.shape == "slot":
        return op("=", Load(b.fields[zone.name], owner), face)
    kind = b.components[zone.kind]
    bit = face if kind.distinct else Lookup(Constants(f"first copy of {zone.kind}", kind.starts), face)
    return op("has", content_of(zone, owner, b), bit)


# ---- Sets


def bits_of_set(node: ModelExpr, b: Builder, env: Env) -> Bits:
    """The code of a set."""
    match node:
        case model.Const(value=value):
            return bits_of(value)
        case model.VarValue(var=var):
            value_of = env[var].value
            assert isinstance(value_of, Bits)
            return value_of
        case model.ZoneContent(zone=zone, owner=owner, every=every):
            return zone_bits(b.table.zones[zone], owner, every, b, env)
        case model.Join(left=left, right=right):
            return join(
                bits_of_set(left, b, env), bits_of_set(right, b, env), node.type.of if node.type.base == "component" else "", b
            )
        case model.SetOf(members=members):
            result = bits_of(0)
            for member in members:
                one = _single(scalar_of(member, b, env), member.type, b)
                result = join(result, one, member.type.of if member.type.base == "component" else "", b)
            return result
        case model.Filter():
            from .sets import filtered

            return filtered(node, b, env)
        case model.Best():
            from .rankings import all_best

            return all_best(node, b, env)
        case model.TeamOf(of=of):
            player = scalar_of(of, b, env)
            teams = tuple(_team(seat, b) for seat in range(b.players))
            team = Lookup(Constants("team", teams, b.players), player.expr)
            return Bits(_empty_of_none(player, team), b.everybody, max(t.bit_count() for t in teams))
        case model.Opponents(of=of):
            player = scalar_of(of, b, env)
            others = tuple(b.everybody & ~_team(seat, b) for seat in range(b.players))
            opponents = Lookup(Constants("opponents", others, b.players), player.expr)
            return Bits(_empty_of_none(player, opponents), b.everybody, b.players - 1)
        case model.Winners():
            return Bits(Invoke("winner", (Const(b.everybody),)), b.everybody, b.players)
        case model.Cases(cases=cases, otherwise=otherwise):
            result = bits_of_set(otherwise, b, env)
            for condition, value_node in reversed(cases):
                here = bits_of_set(value_node, b, env)
                chosen = op("if", scalar_of(condition, b, env).expr, here.expr, result.expr)
                result = Bits(chosen, here.bound | result.bound, max(here.most, result.most))
            return result
        case model.Apply():
            value_of = apply(node, b, env)
            assert isinstance(value_of, Bits)
            return value_of
        case _:
            raise AssertionError(f"{type(node).__name__} is no set")


def _team(seat: int, b: Builder) -> int:
    return sum(1 << other for other in range(b.players) if b.table.teams[other] == b.table.teams[seat])


def _empty_of_none(thing: Scalar, bits: Expr) -> Expr:
    """A set that belongs to nobody is empty."""
    return bits if thing.low >= 0 else op("if", op("<", thing.expr, Const(0)), Const(0), bits)


def content_of(zone: model.Zone, owner: Expr | None, b: Builder) -> Expr:
    """The set of what lies in a zone of shape set or pile (of a pile with an ordered top: with that top)."""
    if zone.name in b.ordered:
        return Invoke(b.whole_pile(zone), () if owner is None else (owner,))
    return Load(b.fields[zone.name], owner)


def zone_bits(zone: model.Zone, owner: ModelExpr | None, every: bool, b: Builder, env: Env) -> Bits:
    kind = b.components[zone.kind]
    if every:
        result = bits_of(0)
        for player in range(b.players):
            result = join(
                result, zone_bits(zone, model.Const(player, type=model.PLAYER, span=zone.span), False, b, env), zone.kind, b
            )
        most = b.players if zone.shape == "slot" else kind.bits
        return Bits(result.expr, kind.all, most)
    whose = None if owner is None else scalar_of(owner, b, env)
    index = None if whose is None else whose.expr
    if zone.shape == "slot":
        high = len(kind.kind.faces) - 1
        one = _single(Scalar(Load(b.fields[zone.name], index), NONE, high), model.Type("component", zone.kind, optional=True), b)
        content = one.expr
    else:
        content = content_of(zone, index, b)
    if whose is not None:
        content = _empty_of_none(whose, content)
    return Bits(content, kind.all, 1 if zone.shape == "slot" else kind.bits)


def _single(value: Scalar, type: model.Type, b: Builder) -> Bits:
    """The set of one thing (none: empty)."""
    if value.constant is not None:
        return bits_of(0 if value.constant < 0 else 1 << _bit_number(value.constant, type, b))
    bit = op("bit", first_bit(value.expr, type, b))
    if value.low < 0:
        bit = op("if", op("<", value.expr, Const(0)), Const(0), bit)
    return Bits(bit, (1 << b.width(type)) - 1, 1)


def _bit_number(value: int, type: model.Type, b: Builder) -> int:
    return b.components[type.of].starts[value] if type.base == "component" else value


def first_bit(value: Expr, type: model.Type, b: Builder) -> Expr:
    """The bit number that says whether a value is in a set."""
    if type.base != "component" or b.components[type.of].distinct:
        return value
    return Lookup(Constants(f"first copy of {type.of}", b.components[type.of].starts), value)


def face_of_bit(bit: Expr, type: model.Type, b: Builder) -> Expr:
    """The value for which a bit of a set stands; -1 stays -1."""
    copies = copies_of(type, b)
    if not copies:
        return bit
    return Lookup(Constants(f"face of {type.of}, or none", (NONE, *copies)), op("+", bit, Const(1)))


def copies_of(type: model.Type, b: Builder) -> tuple[int, ...]:
    return b.components[type.of].domain.copies if type.base == "component" else ()


def _block(value: int, type: model.Type, b: Builder) -> int:
    return b.components[type.of].block(value) if type.base == "component" else 1 << value


def join(left: Bits, right: Bits, kind: str, b: Builder) -> Bits:
    """Both sets together; copies of one face are added up."""
    most = min(left.most + right.most, (left.bound | right.bound).bit_count())
    if not kind or b.components[kind].distinct or left.most == 0 or right.most == 0:
        return Bits(op("union", left.expr, right.expr), left.bound | right.bound, most)
    components = b.components[kind]
    return Bits(Invoke(joining(kind, b), (left.expr, right.expr)), components.all, min(left.most + right.most, components.bits))


def joining(kind: str, b: Builder) -> str:
    """The function that adds two sets of a kind with equal components, face by face."""
    name = f"{kind}s together"
    if name not in b.functions:
        components = b.components[kind]
        one, other, face = b.local("these", components.bits), b.local("those", components.bits), b.local("face")
        bit = op("first", Load(other))
        body = (
            Assign(face, bit),
            Assign(other, op("minus", Load(other), op("bit", Load(face)))),
            Assign(face, Lookup(Constants(f"face of {kind}", components.domain.copies), Load(face))),
            Assign(one, put(Load(one), Load(face), components)),
        )
        loop = While(some(Load(other)), body, components.kind.span)
        b.functions[name] = Function(name, (one, other), components.bits, (loop, Return(Load(one))))
    return name


def put(bits: Expr, face: Expr, components: Components) -> Expr:
    """A set with one more of a face."""
    if components.distinct:
        return op("union", bits, op("bit", face))
    name = components.kind.name
    block = Lookup(
        Constants(f"copies of {name}", tuple(components.block(f) for f in range(len(components.starts))), components.bits), face
    )
    first = op("bit", Lookup(Constants(f"first copy of {name}", components.starts), face))
    raised = op("union", op("left", op("intersect", bits, block), Const(1)), first)
    return op("union", bits, op("intersect", raised, block))


def taken(bits: Expr, face: Expr, components: Components) -> Expr:
    """A set with one less of a face (unchanged when it has none)."""
    if components.distinct:
        return op("minus", bits, op("bit", face))
    name = components.kind.name
    block = Lookup(
        Constants(f"copies of {name}", tuple(components.block(f) for f in range(len(components.starts))), components.bits), face
    )
    lowered = op("intersect", op("right", op("intersect", bits, block), Const(1)), block)
    return op("union", op("minus", bits, block), lowered)


def member_binding(member: Local, type: model.Type, b: Builder) -> Binding:
    """A member of a set as a name of its own."""
    return Binding(Scalar(Load(member), 0, b.size(type) - 1))


# ---- Defines


def apply(node: model.Apply, b: Builder, env: Env) -> Value:
    """A define at its arguments: written out when short, else a function."""
    define = b.table.defines[node.define]
    simple = all(isinstance(a, model.VarValue | model.Const) for a in node.args) and not of_none(node, b)
    if simple and sum(1 for _ in walk(define.value)) <= SHORT:
        return lower(substituted(define, node.args), b, env)
    args = [
        required(a, b, env) if v.type == model.NUMBER else lower(a, b, env) for a, v in zip(
            node.args, define.parameters, strict=True
        )
    ]
    if node.define not in b.results:
        _define_function(define, b)
    result = b.results[node.define]
    assert result is not None
    call: Expr = Invoke(define.name, tuple(a.expr for a in args))
    for arg, var in zip(args, define.parameters, strict=True):
        if isinstance(arg, Scalar) and arg.low < 0 and not var.type.optional and var.type.base != "number":
            # of none: none, and of a set or a yes/no: empty, no
            nothing = 0 if isinstance(result, Bits) or node.type.base == "truth" else NONE
            call = op("if", op("<", arg.expr, Const(0)), Const(nothing), call)
            if isinstance(result, Scalar):
                if not define.value.type.optional and nothing == NONE:
                    _told_from_none(result.low, node, b)
                result = Scalar(result.expr, min(nothing, result.low), result.high)
    return evolve(result, expr=call)


def of_none(node: model.Apply, b: Builder) -> bool:
    """Whether a define may be asked of none."""
    parameters = b.table.defines[node.define].parameters
    return any(a.type.optional and not v.type.optional for a, v in zip(node.args, parameters, strict=True))


def _define_function(define: model.Define, b: Builder) -> None:
    parameters, inside = [], {}
    for var in define.parameters:
        local = b.local(var.name)
        parameters.append(local)
        low, high = b.span_of(var.type) if var.type.base != "number" else (-(2**31), 2**31)
        inside[var] = Binding(Scalar(Load(local), low, high))
    b.results[define.name] = None
    value = lower(define.value, b, inside)
    b.results[define.name] = value
    b.names[define.name] = 1
    width = b.width(define.value.type) if isinstance(value, Bits) else 0
    b.functions[define.name] = Function(define.name, tuple(parameters), width, (Return(value.expr),))


def substituted(define: model.Define, args: tuple[ModelExpr, ...]) -> ModelExpr:
    """A define's value with its arguments in the places of its parameters."""
    values = dict(zip(define.parameters, args, strict=True))

    def change(node: object) -> object:
        if isinstance(node, model.VarValue) and node.var in values:
            return values[node.var]
        assert isinstance(node, model.Node)
        return with_parts(node, change)

    found = change(define.value)
    assert isinstance(found, model.Typed)
    return found  # type: ignore[return-value]


def uses(node: model.Node, var: Var) -> bool:
    """Whether an expression depends on a name."""
    return any(isinstance(n, model.VarValue) and n.var is var for n in walk(node))

