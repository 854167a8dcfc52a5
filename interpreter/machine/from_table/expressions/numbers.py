"""Lowers numbers, truth values, words, players and components: one function for each kind of expression."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve

from ....common.intervals import add, divide, join_all, multiply, or_none, subtract
from ....common.nouns import listed
from ....common.source import Span
from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Type, Var
from ...machine import (
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
)
from ...traverse import cannot_stop
from ..building import defines
from ..building.builder import Builder
from ..building.lowering import alike, bits_of_set, numbers_of, of_type, required, scalar_of, with_none
from ..building.values import Env, Scalar, Spot, added_up, op, scalar, some
from ..components import contents, places
from ..components.copies import block_of, copies_of, face_of_bit, first_bit, for_members, member_binding
from ..grids import lines, lying, printed, regions
from . import completing, filters, overflow, rankings
from .guards import narrowed, negated
from .parts import knows

_ARITHMETIC = {"+": add, "-": subtract, "*": multiply}
SHOWN = 4  # rows that a table lacks: more are only counted


@scalar_of.register(ModelExpr)
def _scalar_of(node: ModelExpr, b: Builder, env: Env) -> Scalar:
    b.work(node.span)
    match node:
        case model.Const(value=value):
            overflow.report_too_large(value, value, (), b, node.span)
            return scalar(value)
        case model.VarValue(var=var):
            value_of = env[var].value
            assert isinstance(value_of, Scalar)
            return value_of
        case model.VariableValue():
            return variable_value(node, b, env)
        case model.ZoneContent(zone=zone, owner=owner):
            high = len(b.components[node.type.of].kind.faces) - 1
            return _of_owner(b.fields[zone], owner, Scalar(Const(0), NONE, high), node.type, True, b, env)
        case model.AttributeOf(of=of) if of.type.base == "cell":
            return printed.attribute_at(node, b, env)
        case model.AttributeOf(attribute=attribute, of=of):
            thing = scalar_of(of, b, env)
            kind = b.components[of.type.of].kind
            values = kind.attribute(attribute)
            meant = [value for face, value in enumerate(values) if kind.faces_as(of.type.only) >> face & 1]
            found = Scalar(Lookup(Constants(f"{attribute} of {of.type.of}", values), thing.expr), min(meant), max(meant))
            return _none_of_none(thing, found, node.type, kind.optional[kind.attributes.index(attribute)])
        case model.ColumnFor():
            return _column(node, b, env)
        case model.Index(parts=parts):
            return _index(parts, node, b, env)
        case model.NumberOf(of=of):
            word = scalar_of(of, b, env)
            numbers = tuple(map(int, b.table.lists[of.type.of]))
            is_run = numbers == tuple(range(numbers[0], numbers[0] + len(numbers)))
            table = Constants(f"numbers of {of.type.of}", numbers)
            number = op("+", word.expr, Const(numbers[0])) if is_run else Lookup(table, word.expr)
            low, high = (numbers[max(0, word.low)], numbers[word.high]) if is_run else (min(numbers), max(numbers))
            return _none_of_none(word, Scalar(number, low, high), node.type)
        case model.WordFor(number=number_node):
            return _word_for(number_node, node, b, env)
        case model.Apply():
            applied = defines.apply(node, b, env)
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
        case model.Cases() if (by_word := _printed_by_word(node, b, env)) is not None:
            return by_word
        case model.Cases(cases=cases, otherwise=otherwise):
            excluded = [negated(condition) for condition, _ in cases]
            with b.where(*excluded):
                values = [(otherwise, scalar_of(otherwise, b, env))]
            tests: list[Expr] = []
            for index, (condition, value_node) in reversed(list(enumerate(cases))):
                with b.where(*excluded[:index], condition):
                    values.append((value_node, scalar_of(value_node, b, env)))
                tests.append(scalar_of(condition, b, env).expr)
            found_last, *found_before = (
                Scalar(b.marked(value.expr, "case", of.span), value.low, value.high)
                for (of, _), value in zip(values, alike([(value, of.type) for of, value in values], b), strict=True)
            )
            chosen = found_last.expr
            for test, value in zip(tests, found_before, strict=True):
                chosen = op("if", test, value.expr, chosen)
            found = Scalar(chosen, *join_all([found_last.range, *(value.range for value in found_before)]))
            return of_type(found, node.type, any(of.type.optional and value.low < 0 for of, value in values))
        case model.IsIn(member=member, of=of):
            thing, members = scalar_of(member, b, env), bits_of_set(of, b, env)
            inside = op("has", members.expr, first_bit(thing.expr, member.type, b))
            return Scalar(op("and", op("<=", Const(0), thing.expr), inside) if thing.low < 0 else inside, 0, 1)
        case model.Some(of=of) if regions.is_region(of):
            return Scalar(op("<", Const(0), _count_regions(of, b, env).expr), 0, 1)
        case model.Count(of=of) if regions.is_region(of):
            return _count_regions(of, b, env)
        case model.CellOf():
            return lying.cell_of(node, b, env)
        case model.LyingOn():
            return lying.lying_on(node, b, env)
        case model.Bounds():
            return lying.bounds(node, b, env)
        case model.CellPlace():
            return lines.cell_place(node, b, env)
        case model.HasLine():
            return lines.has_line(node, b, env)
        case model.LongestLine():
            return lines.longest_line(node, b, env)
        case model.HasPath():
            return lines.has_path(node, b, env)
        case model.Touches():
            return lying.touches(node, b, env)
        case model.TouchesSame():
            return lying.touches_same(node, b, env)
        case model.OwnedBy(player=whose):
            return scalar_of(whose, b, env)  # its faces are the players
        case model.Some(of=of):
            still = contents.left_in(of, b, env)
            if still is not None:
                return Scalar(op("<", Const(0), still.expr), 0, 1)
            return Scalar(some(bits_of_set(of, b, env).expr), 0, 1)
        case model.Count(of=of):
            still = contents.left_in(of, b, env)
            if still is not None:
                return still
            members = bits_of_set(of, b, env)
            return Scalar(op("count", members.expr), 0, members.most)
        case model.Total():
            return _total(node, b, env)
        case model.Completable():
            return completing.completable(node, b, env)
        case model.Extreme():
            return _extreme(node, b, env)
        case model.First(of=of, start=start):
            members = bits_of_set(of, b, env)
            return Scalar(op("after", members.expr, required(start, b, env).expr), NONE, b.players - 1)
        case model.Best():
            return rankings.best(node, b, env)
        case model.PlaceOf():
            return rankings.place(node, b, env)
        case model.AnyOf(of=model.OwnedBy(player=whose)) if b.components[node.type.of].kind.is_owner:
            return scalar_of(whose, b, env)
        case model.Facing():
            return lines.facing(node, b, env)
        case model.AnyOf(of=model.Shifted() as shifted) if shifted.is_of_one_cell:
            return lines.next_cell(shifted, b, env)
        case model.AnyOf(of=of):
            members = bits_of_set(of, b, env)
            lowest = op("first", members.expr)
            if node.type.base == "component" and b.components[node.type.of].kind.has_twins:
                in_box = op("first", op("intersect", members.expr, Load(b.boxes[node.type.of])))
                lowest = op("if", op("<", in_box, Const(0)), lowest, in_box)  # what lies out of the game is taken first
            return Scalar(face_of_bit(lowest, of.type, b), NONE, b.size(of.type) - 1)
        case model.OwnerOf(of=of):
            return owner_of(of, b, env)
        case model.SeatsAway(count=count, of=of, right=right):
            away, player = required(count, b, env), scalar_of(of, b, env)
            ends = (player.low - away.high, player.high - away.low) if right else (player.low + away.low, player.high + away.high)
            overflow.report_too_large(*ends, [(away.low, away.high)], b, node.span)
            moved = op("-" if right else "+", player.expr, away.expr)
            return _none_of_none(player, Scalar(op("mod", moved, Const(b.players)), 0, b.players - 1), node.type)
        case model.SeatNumber(of=of):
            player = scalar_of(of, b, env)
            return _none_of_none(player, Scalar(op("+", player.expr, Const(1)), 1, b.players), node.type)
        case model.Knows(player=player_node, of=of):
            return knows(required(player_node, b, env).expr, of, b, env)
        case model.ScoreOf(of=of, team=team, term=term):
            name = f"score{' of team' if team else ''}{f' for {term}' if term else ''}"
            return Scalar(Invoke(name, (required(of, b, env).expr,)), *b.score_ranges[name])
        case model.RandomOf():
            _told_by_chance(node, b)
            return scalar(0)
        case model.RandomNumber(low=least, high=most):
            _told_by_chance(node, b)
            return Scalar(Const(0), required(least, b, env).low, required(most, b, env).high)
        case _:
            raise AssertionError(f"{type(node).__name__} is no number")


def _told_by_chance(node: ModelExpr, b: Builder) -> None:
    """A finding where chance stands in the middle of an expression."""
    b.complain(
        "R222",
        "chance can decide only what is set or moved",
        node.span,
        help="write `set X to a random ...` or `let x be a random ...`",
    )


def _index(parts: Sequence[ModelExpr], node: model.Index, b: Builder, env: Env) -> Scalar:
    """The number of a combination of values, row by row; none where one of them is none."""
    values = [scalar_of(part, b, env) for part in parts]
    sizes = [b.size(part) for part in node.type.parts]
    high = b.size(node.type) - 1
    if all(value.low >= 0 for value in values):
        return Scalar(_row_by_row([value.expr for value in values], sizes), 0, high)
    parameters = tuple(b.local(part.noun) for part in node.type.parts)
    loads = [Load(parameter) for parameter in parameters]
    missing: Expr = Const(0)
    for value, load in zip(values, loads, strict=True):
        missing = op("or", missing, op("<", load, Const(0))) if value.low < 0 else missing
    body = (If(missing, (Return(Const(NONE)),)), Return(_row_by_row(loads, sizes)))
    return Scalar(Invoke(b.made("which", parameters, 0, body), tuple(value.expr for value in values)), NONE, high)


def _row_by_row(values: Sequence[Expr], sizes: Sequence[int]) -> Expr:
    found = values[0]
    for value, size in zip(values[1:], sizes[1:], strict=True):
        found = op("+", op("*", found, Const(size)), value)
    return found


def _word_for(number: ModelExpr, node: model.WordFor, b: Builder, env: Env) -> Scalar:
    """The place of a number in a list of numbers; none where it is not in it."""
    numbers = tuple(map(int, b.table.lists[node.type.of]))
    value = scalar_of(number, b, env)
    least, most = min(numbers), max(numbers)
    is_run = numbers == tuple(range(least, most + 1))
    low, high = narrowed(number, value, b, env)
    if is_run and least <= value.low and value.high <= most:
        return Scalar(op("-", value.expr, Const(least)), value.low - least, value.high - least)
    if high < least or low > most:
        b.complain(
            "R301",
            f"there is no {node.type.noun} `{number.span.text}`: this is {low if low == high else f'{low}..{high}'}",
            number.span,
            label=f"{node.type.noun} goes from {least} to {most}",
            help="see that there is one here",
        )
    given = b.local("number")
    places = tuple(numbers.index(each) if each in numbers else NONE for each in range(least, most + 1))
    where = op("-", Load(given), Const(least))
    found = where if is_run else Lookup(Constants(f"words of {node.type.of}", places), where)
    inside = op("and", op("<=", Const(least), Load(given)), op("<=", Load(given), Const(most)))
    function = b.made(f"{node.type.noun} for", (given,), 0, (If(inside, (Return(found),)), Return(Const(NONE))))
    return Scalar(Invoke(function, (value.expr,)), NONE, len(numbers) - 1)


def _printed_by_word(node: model.Cases, b: Builder, env: Env) -> Scalar | None:
    """What is printed on a component for a word of a list (`cost of card for colour`): one lookup, and no case for each word."""
    keys = {condition.left for condition, _ in node.cases if isinstance(condition, model.Compare) and condition.op == "="}
    words = [condition.right for condition, _ in node.cases if isinstance(condition, model.Compare)]
    values = [value for value in (*(value for _, value in node.cases), node.otherwise) if isinstance(value, model.AttributeOf)]
    things = {value.of for value in values}
    if len(keys) != 1 or len(things) != 1 or len(values) != len(node.cases) + 1:
        return None
    (key,), (thing,) = keys, things
    in_order = [word.value if isinstance(word, model.Const) else NONE for word in words] == list(range(len(node.cases)))
    if not in_order or not isinstance(key, model.VarValue) or not isinstance(thing, model.VarValue):
        return None
    if key.type.optional or thing.type.optional or thing.type.base != "component" or b.size(key.type) != len(values):
        return None
    if len({value.type.optional for value in values}) > 1:
        return None
    kind = b.components[thing.type.of].kind
    rows = zip(*(kind.attribute(value.attribute) for value in values), strict=True)
    printed_values = tuple(value for row in rows for value in row)
    place = op("+", op("*", scalar_of(thing, b, env).expr, Const(len(values))), scalar_of(key, b, env).expr)
    table = Constants(f"{values[0].attribute} and the others of {kind.name}", printed_values)
    return Scalar(Lookup(table, place), min(printed_values), max(printed_values))


def _none_of_none(thing: Scalar, value: Scalar, type: Type, optional: bool = False) -> Scalar:
    """``X of none`` is none. ``optional``: whether X itself may be none already; ``type``: of the whole."""
    if thing.low >= 0:
        return of_type(value, type, optional)
    low, _ = or_none(value.range, optional)
    return Scalar(op("if", op("<", thing.expr, Const(0)), Const(low), value.expr), low, value.high)


def _of_owner(where: Field, owner: ModelExpr | None, value: Scalar, type: Type, optional: bool, b: Builder, env: Env) -> Scalar:
    if owner is None:
        return Scalar(Load(where), value.low, value.high)
    whose = scalar_of(owner, b, env)
    return _none_of_none(whose, Scalar(Load(where, whose.expr), value.low, value.high), type, optional)


def variable_value(node: model.VariableValue, b: Builder, env: Env) -> Scalar:
    """A counter or marker as it stands; one that is not set yet stops the game."""
    variable = b.table.variables[node.name]
    if variable.range is not None:
        low, high = variable.range.low, variable.range.high
        low = NONE if node.type.optional and variable.type.optional else low
    else:
        low, high = b.span_of(variable.type if node.type.optional else variable.type.required)
    value = _of_owner(b.fields[node.name], node.owner, Scalar(Const(0), low, high), node.type, variable.type.optional, b, env)
    if not b.may_be_unset(node.name):
        return value
    return checked_set(node.name, value, node.span, b)


def checked_set(name: str, value: Scalar, span: Span, b: Builder) -> Scalar:
    """The value of a marker that must have been set before; each place that asks has a fault of its own, which shows it."""
    parameter = b.local(name)
    failing = b.stop("R610", span, f"`{name}` is used before it is set", help=f"set `{name}` in the setup")
    body = (If(op("<", Load(parameter), Const(0)), (failing,)), Return(Load(parameter)))
    function = b.made(f"{name}, set", (parameter,), 0, body)
    return Scalar(Invoke(function, (value.expr,)), value.low, value.high)


def _column(node: model.ColumnFor, b: Builder, env: Env) -> Scalar:
    column = b.table.columns[node.table, node.column]
    key = scalar_of(node.key, b, env)
    if node.key.type.optional and column.values and key.none in column.values:
        key = with_none(key, node.key.type, or_none((min(column.values), 0))[0], b)
    key = Scalar(b.marked(key.expr, "table", node.span, of=node.table), key.low, key.high)
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
            "R302",
            f"the table `{node.table}` has no row for {_ranged(node, low, high, b)}",
            node.span,
            (where, _rows(node, known, b)),
            help=f"add {_new_rows([_ranged(node, low, high, b)], where)}" if low == high else "add rows for it",
        )
        return scalar(value_low)
    low, high = (max(low, min(known)), min(high, max(known))) if known else (0, 0)
    values = tuple(known.get(k, column.otherwise if column.otherwise is not None else value_low) for k in range(low, high + 1))
    table = Constants(node.column, values)
    index = op("-", key.expr, Const(low))
    complete = key.low >= low and key.high <= high and all(k in known for k in range(low, high + 1))
    if complete or (column.otherwise is not None and known and key.low >= low and key.high <= high):
        return Scalar(Lookup(table, index), min(values), max(values))
    here_low, here_high = narrowed(node.key, key, b, env)
    missing = () if column.otherwise is not None else [k for k in range(here_low, here_high + 1) if k not in known]
    if missing:
        words = _listed([_ranged(node, k, k, b) for k in missing[:SHOWN]], len(missing) - SHOWN)
        b.complain(
            "R303",
            f"the table `{node.table}` may be used for {words}, and has no row for that",
            node.span,
            (where, _rows(node, known, b)),
            label=f"this can be {_ranged(node, here_low, here_high, b) if node.key.type == model.NUMBER else words}",
            help=_completed(node, missing, where, b),
        )
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
            "R603",
            node.span,
            f"the table `{node.table}` has no row for ",
            said,
            help=_completed(node, missing, where, b) if missing else "add the row, or a row `otherwise`",
            places=((where, _rows(node, known, b)),),
        )
    name = b.made(f"{node.column} for", (parameter,), 0, (If(inside, (Return(found),)), rest))
    return Scalar(Invoke(name, (key.expr,)), value_low, value_high)


def _ranged(node: model.ColumnFor, low: int, high: int, b: Builder) -> str:
    domain = b.domain(node.key.type)
    if low < 0 and node.key.type.optional:
        return "none"
    if domain is not None:
        return domain.name(low) if low == high else "another " + node.key.type.noun
    return str(low) if low == high else f"{low}..{high}"


def _listed(words: list[str], more: int) -> str:
    """Things of which one comes, in words; ``more``: how many are left out."""
    return listed([*words, f"{more} others"] if more > 0 else words, "or")


def _completed(node: model.ColumnFor, missing: Sequence[int], where: Span, b: Builder) -> str:
    """How a table gets the rows that it lacks."""
    named = [_ranged(node, key, key, b) for key in missing if key != NONE]
    ways = [f"add {_new_rows(named[:SHOWN], where)}"] if named else []
    if len(named) > SHOWN:
        ways[0] += " and so on"
    if node.key.type == model.NUMBER or not named:  # words of a list are few, so each can have its own
        ways.append(f"{'' if named else 'add '}{_new_rows(['otherwise'], where)} for {'all others' if named else 'none'}")
        ways.append("use the table only `if` there is a row")
    return ", or ".join(ways)


def _new_rows(keys: Sequence[str], where: Span) -> str:
    """Rows as they are written in this table: on its own line, or each below it."""
    sign = ":" if ":" in where.source.line(where.line).partition("#")[0] else " |"
    return ", ".join(f"`{key}{sign} ...`" for key in keys)


def _rows(node: model.ColumnFor, known: dict[int, int], b: Builder) -> str:
    domain = b.domain(node.key.type)
    return "it has rows only for " + ", ".join(domain.name(k) if domain else str(k) for k in sorted(known)[:12])


def _arithmetic(node: model.Arithmetic, b: Builder, env: Env) -> Scalar:
    left, right = required(node.left, b, env), required(node.right, b, env)
    a, c = left.expr, right.expr
    match node.op:
        case "+" | "-" | "*":
            low, high = _ARITHMETIC[node.op](left.range, right.range)
            overflow.report_too_large(low, high, [left.range, right.range], b, node.span)
            return Scalar(op(node.op, a, c), low, high)
        case "mod":
            c = _divisor(node, right, b)
            bound = max(abs(right.low), abs(right.high))
            return Scalar(
                op("mod", a, c), min(0, right.low + 1), min(bound - 1, max(0, left.high)) if left.low >= 0 else bound - 1
            )
        case "div" | "div up":
            c = _divisor(node, right, b)
            low, high = divide(left.range, right.range, node.op == "div up") or left.range
            return Scalar(op(node.op, a, c), low, high)
        case "min":
            return Scalar(op("min", a, c), min(left.low, right.low), min(left.high, right.high))
        case "max":
            return Scalar(op("max", a, c), max(left.low, right.low), max(left.high, right.high))


def _divisor(node: model.Arithmetic, right: Scalar, b: Builder) -> Expr:
    if right.low == right.high == 0:
        b.complain("R304", "this divides by 0", node.span)
    if right.low > 0 or right.high < 0:
        return right.expr
    parameter = b.local("divisor")
    failing = b.stop("R611", node.span, "this divides by 0", help=f"ask first: `if {node.right.span.text} is not 0`")
    body = (If(op("=", Load(parameter), Const(0)), (failing,)), Return(Load(parameter)))
    return Invoke(b.made("divisor", (parameter,), 0, body), (right.expr,))


def _compare(node: model.Compare, b: Builder, env: Env) -> Scalar:
    if node.left.type.is_set or node.right.type.is_set:
        a, c = bits_of_set(node.left, b, env), bits_of_set(node.right, b, env)
        return Scalar(op("=", a.expr, c.expr), 0, 1)
    left, right = scalar_of(node.left, b, env), scalar_of(node.right, b, env)
    if node.op == "=":
        left, right = alike([(left, node.left.type), (right, node.right.type)], b)
        if (left.high < right.low or right.high < left.low) and cannot_stop(left.expr) and cannot_stop(right.expr):
            return scalar(0)
        return Scalar(op("=", left.expr, right.expr), 0, 1)
    test = op(node.op, left.expr, right.expr)
    for side, what in ((left, node.left), (right, node.right)):
        if what.type.optional and side.low < 0:
            test = op("and", op("<", Const(side.none), side.expr), test)
    return Scalar(test, 0, 1)


def _count_regions(of: ModelExpr, b: Builder, env: Env) -> Scalar:
    count = b.local("count")
    each = model.Var("region", of.type.member)

    def build(inside: Env) -> list[Stmt]:
        more: list[Stmt] = [Assign(count, op("+", Load(count), Const(1)))]
        return [Assign(count, Const(0)), *regions.region_loop(of, each, lambda _: more, b, inside), Return(Load(count))]

    return Scalar(b.function("count of regions", (of,), env, 0, build), 0, b.width(of.type))


def _members(
    of: ModelExpr, var: Var, rest: Local, member: Local, body: Callable[[Env], list[Stmt]], b: Builder, env: Env
) -> list[Stmt]:
    """Do something for each member of a set (or each region), bound to ``var``."""
    if regions.is_region(of):
        return regions.region_loop(of, var, body, b, env)
    members = bits_of_set(of, b, env)
    inside = env | {var: member_binding(member, of.type, b, places.spots_of_cells(of, b, env))}
    return for_members(rest, members.expr, member, body(inside), copies_of(of.type, b), of.span)


def _total(node: model.Total, b: Builder, env: Env) -> Scalar:
    if isinstance(node.value, model.Cases) and not filters.asks_member(node.value, node.var):
        return scalar_of(filters.in_each_case(node.value, lambda value: evolve(node, value=value)), b, env)
    if regions.is_region(node.of):
        return _total_by_loop(node, b.width(node.of.type), b, env)
    counted = printed.total(node, b, env)
    if counted is not None:
        overflow.report_too_large(counted.low, counted.high, (), b, node.span)
        return counted
    members = bits_of_set(node.of, b, env)
    values = filters.static_values(node.value, node.var, b)
    if values is not None:
        by_value: dict[int, int] = {}
        for face, value in values.items():
            there = block_of(face, node.of.type, b) & members.bound
            if value and there:
                by_value[value] = by_value.get(value, 0) | there
        those = b.local("those", b.width(node.of.type))
        once = len(by_value) > 1 and not cannot_stop(members.expr)  # a set that takes work is worked out once
        of = Load(those) if once else members.expr
        counted_by_value = (op("count", op("intersect", of, Const(mask))) for _, mask in sorted(by_value.items()))
        total = added_up(op("*", Const(value), many) for value, many in zip(sorted(by_value), counted_by_value, strict=True))
        if once:
            total = Invoke(b.made("total by value", (those,), 0, (Return(total),)), (members.expr,))
        ordered = sorted(value for value, mask in by_value.items() for _ in range(mask.bit_count()))
        low = sum(value for value in ordered[: members.most] if value < 0)
        high = sum(value for value in ordered[-members.most :] if value > 0) if members.most else 0
        overflow.report_too_large(low, high, (), b, node.span)
        return Scalar(total, low, high)
    return _total_by_loop(node, members.most, b, env)


def _total_by_loop(node: model.Total, most: int, b: Builder, env: Env) -> Scalar:
    rest, member, sum_so_far, each = (
        b.local("rest", b.width(node.of.type)),
        b.local(node.var.name),
        b.local("total"),
        b.local("value"),
    )
    spread: list[tuple[int, int]] = []

    def body(inside: Env) -> list[Stmt]:
        value = scalar_of(node.value, b, inside)
        low, high = numbers_of(value, node.value.type) or (0, 0)
        spread.append((min(0, low), max(0, high)))
        add = Assign(sum_so_far, op("+", Load(sum_so_far), Load(each)))
        is_none = op("=", Load(each), Const(value.none))
        return [Assign(each, value.expr), If(is_none, (), (add,)) if node.value.type.optional else add]

    def build(inside: Env) -> list[Stmt]:
        loop = _members(node.of, node.var, rest, member, body, b, inside)
        return [Assign(sum_so_far, Const(0)), *loop, Return(Load(sum_so_far))]

    call = b.function("total", (node.of, node.value), env, 0, build)
    low, high = min(low for low, _ in spread) * most, max(high for _, high in spread) * most
    overflow.report_too_large(low, high, spread, b, node.span)
    return Scalar(call, low, high)


def _extreme(node: model.Extreme, b: Builder, env: Env) -> Scalar:
    rest, member, best_so_far, each, some_yet = (
        b.local("rest", b.width(node.of.type)),
        b.local(node.var.name),
        b.local("best"),
        b.local("value"),
        b.local("some yet"),
    )
    result = Scalar(Const(NONE), NONE, NONE)

    def body(inside: Env) -> list[Stmt]:
        nonlocal result
        value = scalar_of(node.value, b, inside)
        result = Scalar(Const(NONE), *or_none(numbers_of(value, node.value.type)))
        better = op("<", Load(best_so_far), Load(each)) if node.direction == "highest" else op("<", Load(each), Load(best_so_far))
        take = op("or", op("not", Load(some_yet)), better)
        if node.value.type.optional:
            take = op("and", op("not", op("=", Load(each), Const(value.none))), take)
        return [Assign(each, value.expr), If(take, (Assign(best_so_far, Load(each)), Assign(some_yet, Const(1))))]

    def build(inside: Env) -> list[Stmt]:
        loop = _members(node.of, node.var, rest, member, body, b, inside)
        return [Assign(best_so_far, Const(result.none)), Assign(some_yet, Const(0)), *loop, Return(Load(best_so_far))]

    call = b.function(f"{node.direction} among", (node.of, node.value), env, 0, build)
    return Scalar(call, *result.range)


def _tells_which(spots: tuple[Spot, ...]) -> bool:
    """Whether of some places one is meant, and whose: there is only one, or each has a condition of its own."""
    alone = len(spots) == 1 or (all(spot.when is not None for spot in spots) and len({spot.when for spot in spots}) == len(spots))
    return alone and any(spot.owner is not None for spot in spots)


def owner_of(of: ModelExpr, b: Builder, env: Env) -> Scalar:
    """The player in whose zone a component lies: of the zones where it can be, the first that has it."""
    kind = of.type.of
    zones = [z for z in b.table.zones.values() if z.kind == kind and NONE not in b.table.seats_of(z.owner)]
    spots = places.spots_of(of, b, env)
    if spots is not None and b.components[kind].domain.copies and _tells_which(spots):
        owners = [places.whose(places.Place(b.table.zones.get(spot.zone), kind, spot.owner), b) for spot in spots]
        seat: Expr = Const(NONE)  # of equal components, the one that is meant lies there
        for spot, owner in zip(reversed(spots), reversed(owners), strict=True):
            whose = Const(NONE) if owner is None else owner
            seat = whose if spot.when is None else op("if", spot.when, whose, seat)
        owner_or_none = Scalar(seat, NONE if None in owners else 0, b.players - 1)
        return _none_of_none(scalar_of(of, b, env), owner_or_none, model.PLAYER.maybe, optional=True)
    if spots is not None:
        zones = [z for z in zones if any(s.zone == z.name for s in spots)]
    name = f"owner of {kind} in {', '.join(z.name for z in zones)}"
    if name not in b.functions:
        thing = b.local(kind)

        def has(player: Const) -> Expr:
            found: Expr = Const(0)
            for zone in zones:
                for index, seat in enumerate(b.table.seats_of(zone.owner)):
                    if seat == player.value:
                        found = op("or", found, contents.holds(zone, Const(index), Load(thing), b))
            return found

        owner = op("if", op("<", Load(thing), Const(0)), Const(NONE), places.first_of(b.players, has))
        b.functions[name] = Function(name, (thing,), 0, (Return(owner),))
    return Scalar(Invoke(name, (scalar_of(of, b, env).expr,)), NONE, b.players - 1)
