"""Finds the legal ways to lay a component by set algebra: for each turn, a set of cells of the first part.

The sets of the turns are moved beside each other at the end. For a turn in which part b lies one column to the right of part a::

    a and b on empty cells              E and (E moved one to the left)
    it touches S                        N or (N moved one to the left), N the cells next to S
    it touches same terrain             the same, with the cells next to its own terrain for each part
    the width of the grid at most 5     W and (W moved one to the left), W the columns within reach

``and``, ``or`` and ``not`` of such conditions are set algebra as well. Moving takes longer than joining, so the cells that every
part must lie on (`_OnAllParts`) are intersected first, those that one part must lie on (`_OnSomePart`) united, and moved once. A
condition that mentions neither the component nor the grid is all or nothing. Any other is tested for each way, with the component
laid there during the test (`overlay`); the printed machine lists these. The same conditions, evaluated for one way, say why it is
not allowed.
"""

from __future__ import annotations

from attrs import evolve, frozen

from ....common.nouns import plural, with_article
from ....common.source import Span
from ....model import model
from ....model.model import Expr as ModelExpr
from ....model.model import Type, Var
from ....model.visitor import walk
from ....table.table import Kind
from ...machine import Assign, Const, Expr, If, Load, Lookup, Return, Stmt
from ..building import defines
from ..building.builder import Builder, kept
from ..building.lowering import bits_of_set, required, scalar_of
from ..building.values import Binding, Bits, Env, Scalar, Spot, clamped, op
from ..components import boards, cells, overlay
from ..components.copies import for_members
from ..components.overlay import Where
from ..grids import lying, printed
from ..grids.ways import candidates, with_it_laid

# Expressions that ask what lies on a grid: with a component laid there, they may have another value.
ASK_THE_GRID = (
    model.ZoneContent,
    model.CellsOf,
    model.CoveredBy,
    model.CellOf,
    model.LyingOn,
    model.TouchesSame,
    model.AttributeOf,
    model.Regions,
)


@frozen
class _Laying:
    """An option that lays a component: what, where and in which of its variables the way is."""

    ways: model.Ways
    var: Var
    kind: Kind
    place: Where
    face: Expr
    laid: bool  # whether conditions are asked of the table with the component lying there


def positions(option: model.Option, ways: model.Ways, b: Builder, env: Env) -> tuple[Bits, Bits]:
    """The ways that are candidates, and those that are legal."""
    found = candidates(ways, b, env)
    kind, grid = b.components[ways.piece.type.of].kind, b.table.grids[ways.grid]
    var = option.arguments[0].var
    width = overlay.turns(kind) * grid.cells
    tests = [evolve(condition, test=defines.written_out(condition.test, b)) for condition in option.conditions]
    for condition in tests:
        if condition.laid:
            check(condition, ways, b)

    loops: list[model.Condition] = []

    def build(inside: Env) -> list[Stmt]:
        code: list[Stmt] = []
        place = Where(grid, None)
        if ways.owner is not None:
            more, owner = kept(required(ways.owner, b, inside).expr, "whose", b)
            code, place = [*code, *more], Where(grid, owner)
        more, face = kept(required(ways.piece, b, inside).expr, kind.name, b)
        code += more
        laying = _Laying(ways, var, kind, place, face, False)
        fitting: list[_Ways] = [_OnAllParts(op("minus", Const(cells.all_cells(grid)), lying.filled(place, b, inside)))]
        for condition in tests:
            found = _sets(condition.test, evolve(laying, laid=condition.laid), b, inside)
            if found is None:
                loops.append(condition)
                continue
            code += found[0]
            fitting.append(found[1])
        fitting.sort(key=lambda ways: not isinstance(ways, _OnAllParts))
        legal_ways = fitting[0]
        for ways_that_fit in fitting[1:]:
            more, legal_ways = _joined("and", legal_ways, ways_that_fit, laying, b)
            code += more
        more, turned = _in_turns(legal_ways, laying, b)
        code += more
        legal = b.local("legal", width)
        whole: Expr = Load(legal)
        code.append(Assign(legal, Const(0)))
        for turn, these in reversed(list(enumerate(turned))):
            before = op("left", whole, Const(grid.cells)) if turn < len(turned) - 1 else Const(0)
            code.append(Assign(legal, op("union", before, these)))
        code.append(Assign(legal, op("intersect", whole, candidates(ways, b, inside).expr)))
        if not loops:
            return [*code, Return(whole)]
        return code + _one_by_one(loops, whole, laying, option.span, b, inside)

    around = {v: x for v, x in env.items() if v is not var}
    parts: list[model.Node] = [ways, *(condition.test for condition in tests)]
    call = b.function(f"ways to {option.verb}", parts, around, width, build)
    b.scalar_loops += [(call.function, f"{c.test.span.place}: {c.test.span.text}") for c in loops]
    return found, Bits(call, found.bound, found.most)


def _one_by_one(conditions: list[model.Condition], legal: Expr, laying: _Laying, span: Span, b: Builder, env: Env) -> list[Stmt]:
    """Ask each way that is left, with the component laid in it."""
    width = overlay.turns(laying.kind) * laying.place.grid.cells
    rest, way, fitting = b.local("rest", width), b.local("way"), b.local("kept", width)
    spots = (Spot(laying.place.grid.name, laying.place.owner),)
    before = env | {laying.var: Binding(Scalar(Load(way), 0, width - 1), spots)}
    laid = with_it_laid(laying.ways, Load(way), b, before)
    allowed: Expr = Const(1)
    for condition in conditions:
        allowed = op("and", allowed, scalar_of(condition.test, b, laid if condition.laid else before).expr)
    keep: list[Stmt] = [If(allowed, (Assign(fitting, op("union", Load(fitting), op("bit", Load(way)))),))]
    return [Assign(fitting, Const(0)), *for_members(rest, legal, way, keep, (), span), Return(Load(fitting))]


@frozen
class _OnAllParts:
    """The ways in which every part lies on one of these cells."""

    these: Expr


@frozen
class _OnSomePart:
    """The ways in which some part lies on one of the cells that there are for it."""

    these: tuple[Expr, ...]


@frozen
class _InTurns:
    """For each turn a set of cells of the first part."""

    these: tuple[Expr, ...]


_Ways = _OnAllParts | _OnSomePart | _InTurns


def _sets(node: ModelExpr, laying: _Laying, b: Builder, env: Env) -> tuple[list[Stmt], _Ways] | None:
    """The ways that fit a condition, and code that comes before; None where it takes a loop."""
    count = overlay.turns(laying.kind)
    grid = laying.place.grid
    everything = Const(cells.all_cells(grid))
    if not _depends(node, laying):
        test = scalar_of(node, b, env).expr
        return [], _InTurns((op("if", test, everything, Const(0)),) * count)
    match node:
        case model.Logic(op=name, left=left, right=right):
            one, other = _sets(left, laying, b, env), _sets(right, laying, b, env)
            if one is None or other is None:
                return None
            code, joined = _joined(name, one[1], other[1], laying, b)
            return one[0] + other[0] + code, joined
        case model.Not(value=value):
            inner = _sets(value, laying, b, env)
            if inner is None:
                return None
            code, turned = _in_turns(inner[1], laying, b)
            return inner[0] + code, _InTurns(tuple(op("minus", everything, these) for these in turned))
        case model.Touches(left=left, right=right):
            for mine, theirs in ((left, right), (right, left)):
                if _is_spot(mine, laying) and _stays(theirs, laying):
                    code, near = kept(lying.next_to(theirs, b, env), "next to it", b, grid.cells)  # before anything is laid
                    return code, _OnSomePart((near,) * len(laying.kind.parts))
            return None
        case model.IsIn(member=member, of=these) if _is_spot(member, laying) and not _depends(these, laying):
            return [], _OnAllParts(bits_of_set(these, b, env).expr)
        case model.TouchesSame(of=of, attribute=attribute) if of == laying.ways.piece:
            return [], _touching_same(attribute, laying, b, env)
        case model.Compare(op=name, left=model.Bounds() as bounds, right=right) if name != "=" and not _depends(right, laying):
            return _within(bounds, right, name == "<", laying, b, env)
        case _:
            return None


def _joined(name: str, one: _Ways, other: _Ways, laying: _Laying, b: Builder) -> tuple[list[Stmt], _Ways]:
    """The ways that fit both (``name`` "and") or one of two conditions: turned only where it must be, for that takes time."""
    match name, one, other:
        case ("and", _OnAllParts(these), _OnAllParts(more)):
            return [], _OnAllParts(op("intersect", these, more))
        case ("or", _OnSomePart(sets_of_parts), _OnSomePart(more_of_parts)):
            pairs = zip(sets_of_parts, more_of_parts, strict=True)
            return [], _OnSomePart(tuple(op("union", these, more) for these, more in pairs))
        case _:
            before, turned = _in_turns(one, laying, b)
            more_code, other_turned = _in_turns(other, laying, b)
            pairs = zip(turned, other_turned, strict=True)
            both = tuple(op("intersect" if name == "and" else "union", these, more) for these, more in pairs)
            return before + more_code, _InTurns(both)


def _in_turns(ways: _Ways, laying: _Laying, b: Builder) -> tuple[list[Stmt], tuple[Expr, ...]]:
    """Ways as a set of cells of the first part for each turn; and code that comes before."""
    grid, turns = laying.place.grid, range(overlay.turns(laying.kind))
    match ways:
        case _OnAllParts(these=these):
            before, local = kept(these, "free", b, grid.cells)
            return before, tuple(_on_all_parts(local, turn, laying) for turn in turns)
        case _OnSomePart(these=sets_of_parts):
            code: list[Stmt] = []
            known: dict[Expr, Expr] = {}
            for these, part in zip(sets_of_parts, laying.kind.parts, strict=True):
                if these not in known:
                    more, known[these] = kept(these, f"near {part.name}", b, grid.cells)
                    code += more
            own = [known[these] for these in sets_of_parts]
            return code, tuple(_on_some_part(own, turn, laying) for turn in turns)
        case _InTurns(these=turned):
            return [], turned


def _depends(node: ModelExpr, laying: _Laying) -> bool:
    """Whether the value of an expression may be another for another way."""
    for part in walk(node):
        if isinstance(part, model.VarValue) and part.var is laying.var:
            return True
        if laying.laid and isinstance(part, ASK_THE_GRID) and _of_grids(part):
            return True
    return False


def _of_grids(node: model.Node) -> bool:
    match node:
        case model.ZoneContent(type=type):
            return type.base == "cell"
        case model.AttributeOf(of=of):
            return of.type.base == "cell"
        case _:
            return True


def _is_spot(node: model.Typed, laying: _Laying) -> bool:
    """Whether these are the cells of the component, where it will lie."""
    match node:
        case model.CellsOfWay(way=model.VarValue(var=var)):
            return var is laying.var
        case model.AnyOf(of=cells_of_it) | model.SetOf(members=(cells_of_it,)):
            return len(laying.kind.parts) == 1 and _is_spot(cells_of_it, laying)
        case model.CoveredBy(of=of):
            return laying.laid and of == laying.ways.piece
        case _:
            return False


def _stays(node: model.Typed, laying: _Laying) -> bool:
    """Whether these are cells on which something lies already, the same for each way (but for its own)."""
    match node:
        case model.ZoneContent(owner=owner):
            return node.type == Type("cell", laying.place.grid.name).set and owner == laying.ways.owner
        case model.CoveredBy(of=of):
            return of.type.of != laying.kind.name and not _depends(of, laying)
        case model.Filter(of=of, condition=condition):
            return _stays(of, laying) and all(
                isinstance(part, model.Const | model.Compare | model.AttributeOf | model.Logic | model.VarValue)
                and not (isinstance(part, model.VarValue) and part.var is laying.var)
                for part in walk(condition)
            )
        case model.Join(left=left, right=right):
            return _stays(left, laying) and _stays(right, laying)
        case _:
            return False


def _on_all_parts(these: Expr, turn: int, laying: _Laying) -> Expr:
    """The cells of the first part for which every part lies on one of these (``these``: a local)."""
    found: Expr | None = None
    for part in laying.kind.parts:
        across, up = overlay.turned(part, turn)
        here = cells.moved(these, laying.place.grid, -across, -up)
        found = here if found is None else op("intersect", found, here)
    assert found is not None
    return found


def _on_some_part(these: list[Expr], turn: int, laying: _Laying) -> Expr:
    """The cells of the first part for which some part lies on one of its cells (for each part a local)."""
    found: Expr = Const(0)
    for part, own in zip(laying.kind.parts, these, strict=True):
        across, up = overlay.turned(part, turn)
        found = op("union", found, cells.moved(own, laying.place.grid, -across, -up))
    return found


def _touching_same(attribute: str, laying: _Laying, b: Builder, env: Env) -> _OnSomePart:
    near: list[Expr] = []
    for part in laying.kind.parts:
        values = laying.kind.on_part(attribute, part)
        if values is None:
            near.append(Const(0))
            continue
        shown = boards.value_of(f"{attribute} of {laying.kind.name} {part.name}".strip(), values, attribute, laying.place.grid, b)
        value = Scalar(Lookup(shown, laying.face), min(shown.values), max(shown.values))
        same = printed.cells_with(attribute, laying.place, value, b, env)
        near.append(cells.next_to(same, laying.place.grid, b))
    return _OnSomePart(tuple(near))


def _within(
    bounds: model.Bounds, limit: ModelExpr, below: bool, laying: _Laying, b: Builder, env: Env
) -> tuple[list[Stmt], _Ways] | None:
    """``width of kingdom at most 5``: every part within reach of what lies there, and the component itself not too wide."""
    grid = laying.place.grid
    own = bounds.of
    whole = isinstance(own, model.ZoneContent) and own.zone == grid.name and own.owner == laying.ways.owner
    if bounds.what == "middle" or not whole or not laying.laid:
        return None
    of_columns = bounds.what == "width"
    length = grid.width if of_columns else grid.height
    most = clamped(required(limit, b, env).expr, 0, length + 1)
    if below:
        most = op("-", most, Const(1))
    code, size = kept(most, "size", b)
    far, near = lying.reaches(laying.place, of_columns, b)
    reach = _OnAllParts(cells.band(far, near, grid, size, of_columns))
    not_too_long = []
    for turn in range(overlay.turns(laying.kind)):
        ends = [overlay.turned(part, turn)[0 if of_columns else 1] for part in laying.kind.parts]
        not_too_long.append(op("<=", Const(max(ends) - min(ends) + 1), size))
    if all(fits == Const(1) for fits in not_too_long):
        return code, reach
    everything = Const(cells.all_cells(grid))
    more, both = _joined("and", reach, _InTurns(tuple(op("if", f, everything, Const(0)) for f in not_too_long)), laying, b)
    return code + more, both


def check(condition: model.Condition, ways: model.Ways, b: Builder) -> None:
    """A finding for a `so that` that asks where components are in other ways than by cells."""
    kind = ways.piece.type.of
    for node in walk(defines.written_out(condition.test, b)):
        match node:
            case model.ZoneContent(zone=zone) if zone in b.table.zones and b.table.zones[zone].kind == kind:
                what = f"`{zone}` holds {plural(kind)}"
            case model.OwnerOf(of=of) if of.type.of == kind:
                what = f"the owner of {with_article(kind)} is in whose zone it lies"
            case model.ScoreOf() | model.Winners():
                what = "scores are counted when the piece lies there"
            case _:
                continue
        b.complain(
            "R247",
            f"`so that` cannot ask this of a table that is not there yet: {what}",
            node.span,
            help="ask for cells, or ask before it is laid: `only if ...`",
        )
