"""The storage of what lies on a grid.

A component lies in exactly one zone: for that, a grid is a zone of every kind that it holds (``domino on kingdom``), with a set
of components like any other. Beside it stands where they lie:

- for a kind whose components all differ, a number for each part and component: its cell, or none (``cell of domino a``);
- for a kind with equal components, a set of cells for each owner of the grid and each face (``cells of disc on board``).

Derived sets are kept as well, in the region *index* of the record, so that rules about cells need no loops: the cells that are
taken (named as the grid), how far these reach from each side (where rules ask how wide that is), and for each attribute for which
the rules ask by cell, its values in binary, a set of cells for each digit (``terrain on kingdom``): a value is on the cells that
are in the sets of its digits and in no other (see `digits`). For a few sorts of equal components, such as the stones of two
players, the cells of each sort tell it already. Zero in all digits is none. So the record stays short also for many values, sums
are counts, and two cells have the same value where no digit differs. Two routines for each kind and grid, `laying` and `lifting`,
change all of it together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ....common.intervals import or_none
from ....model import model
from ....model.model import Type
from ....model.visitor import walk
from ....table.table import Grid, Kind
from ....words.words import ENGLISH, Words
from ...machine import NONE, Assign, Const, Constants, Domain, Expr, Field, GridView, Load, Lookup, Routine, Stmt
from ..building.builder import Builder, Components, kept
from ..building.values import element, op
from . import cells
from .words import word_of

FACES_LIMIT = 4  # sorts of components that take no longer to unite than digits

# ---- Storage


def zone_of(kind: str, grid: Grid, b: Builder) -> model.Zone:
    """The zone for the components of a kind on a grid."""
    return next(z for z in b.table.zones.values() if z.grid == grid.name and z.kind == kind)


def owners(grid: Grid, b: Builder) -> int:
    return b.players if grid.owned else 1


def domains(b: Builder) -> None:
    """The names of all cells."""
    for grid in b.table.grids.values():
        b.domains[Type("cell", grid.name)] = Domain(
            tuple(grid.cell_name(n) for n in range(grid.cells)), sort="cell", of=grid.name
        )


def fields(asked: Iterable[model.Node], b: Builder) -> None:
    """The fields of all grids. ``asked``: everything in which the rules may ask for attributes by cell."""
    if not b.table.grids:
        return
    for node in walk(tuple(asked)):
        match node:
            case model.AttributeOf(attribute=attribute, of=of) if of.type.base == "cell":
                b.printed.add((of.type.of, attribute))
            case model.Regions(of=of, attribute=attribute):
                b.printed.add((of.type.of, attribute))
            case model.Bounds(what="width" | "height", of=model.ZoneContent(zone=zone)):
                b.measured.add(zone)
            case model.TouchesSame(of=of, attribute=attribute):
                b.printed |= {(grid.name, attribute) for grid in b.table.grids.values() if of.type.of in grid.kinds}
            case _:
                pass
    for grid in b.table.grids.values():
        b.field(grid.name, "index", owners(grid, b), bits=grid.cells)
        for side in cells.SIDES if grid.name in b.measured else ():
            b.field(_reach_field(side, grid), "index", owners(grid, b), 0, cells.length(side, grid))
        for kind in grid.kinds:
            components = b.components[kind]
            if components.distinct:
                high = max(g.cells for g in b.table.grids.values() if kind in g.kinds) - 1
                for part in components.kind.parts:
                    b.field(_cell_field(components.kind, part), "game", components.bits, NONE, high)
            else:
                b.field(f"cells of {kind} on {grid.name}", "game", owners(grid, b) * len(components.starts), bits=grid.cells)
    b.printed = {(grid, attribute) for grid, attribute in b.printed if not by_face(attribute, b.table.grids[grid], b)}
    for grid_name, attribute in sorted(b.printed):
        grid = b.table.grids[grid_name]
        _, digits = code_of(attribute, grid, b)
        b.field(f"{attribute} on {grid_name}", "index", owners(grid, b) * digits, bits=grid.cells)


def _reach_field(side: cells.Side, grid: Grid) -> str:
    return f"{grid.name}, {side}"


def reach(side: cells.Side, grid: Grid, owner: Expr | None, b: Builder) -> Expr:
    """How far what lies on a grid reaches from a side (see `cells.reach`)."""
    return Load(b.fields[_reach_field(side, grid)], owner)


def _cell_field(kind: Kind, part: model.Part) -> str:
    return f"cell of {kind.name} {part.name}".strip()


def cell_fields(kind: str, grid: Grid, b: Builder) -> tuple[Field, ...]:
    """The fields that say where the components of a kind lie (see `GridView.kinds`)."""
    components = b.components[kind]
    if components.distinct:
        return tuple(b.fields[_cell_field(components.kind, part)] for part in components.kind.parts)
    return (b.fields[f"cells of {kind} on {grid.name}"],)


def views(b: Builder) -> tuple[GridView, ...]:
    return tuple(
        GridView(
            grid.name,
            grid.owned,
            grid.width,
            grid.height,
            b.domains[Type("cell", grid.name)],
            {kind: cell_fields(kind, grid, b) for kind in grid.kinds},
            {kind: _texts(b.components[kind]) for kind in grid.kinds},
            grid.hexagonal,
            grid.board is not None,
            () if grid.board is None else grid.board.places,
            {} if b.words is ENGLISH else {kind: _texts_said(b.components[kind], b.words) for kind in grid.kinds},
        )
        for grid in b.table.grids.values()
    )


def _texts(components: Components) -> tuple[tuple[str, ...], ...]:
    """What stands on each part of a component, by face: the part's own attributes, or the component's name."""
    kind = components.kind
    if not kind.part_attributes:
        return (components.domain.names,) * len(kind.parts)
    return _on_parts(kind, lambda word: word)


def _texts_said(components: Components, words: Words) -> tuple[tuple[str, ...], ...]:
    """The same in another language."""
    kind, domain = components.kind, components.domain
    if not kind.part_attributes:
        return (domain.said,) * len(kind.parts)
    return _on_parts(kind, lambda word: word_of(word, words))


def _on_parts(kind: Kind, word: Callable[[str], str]) -> tuple[tuple[str, ...], ...]:
    found = []
    for part in kind.parts:
        names = [f"{attribute}_{part.name}" for attribute in kind.part_attributes]
        said = [(kind.printed(name), kind.words[kind.attributes.index(name)]) for name in names]
        found.append(
            tuple(
                " ".join(
                    str(value) if words is None else word(words[value])
                    for values, words in said
                    if (value := values[face]) is not None
                )
                for face in range(len(kind.faces))
            )
        )
    return tuple(found)


def values_of(attribute: str, grid: Grid, b: Builder) -> tuple[int, int]:
    """The least and the greatest value of an attribute on what a grid can hold (none left out)."""
    found = [value for _, _, values in printed_on(attribute, grid, b) for value in values if value is not None]
    return (min(found), max(found)) if found else (0, 0)


def code_of(attribute: str, grid: Grid, b: Builder) -> tuple[int, int]:
    """How the values of an attribute are written in digits: value minus the first of these, in so many binary digits."""
    low, high = values_of(attribute, grid, b)
    base = min(low, 1) - 1  # so that none, which is 0, is no value's
    return base, (high - base).bit_length()


def by_face(attribute: str, grid: Grid, b: Builder) -> bool:
    """Whether all that has an attribute are a few sorts of equal components, whose cells tell as much as digits would."""
    having = {name for name, _, _ in printed_on(attribute, grid, b)}
    equal = not any(b.components[name].distinct for name in having)
    return equal and sum(len(b.components[name].starts) for name in having) <= FACES_LIMIT


def cells_of_face(kind: str, grid: Grid, owner: Expr | None, face: Expr, b: Builder) -> Expr:
    """The cells on which a sort of equal components lies."""
    return Load(b.fields[f"cells of {kind} on {grid.name}"], element(owner, len(b.components[kind].starts), face))


def printed_on(attribute: str, grid: Grid, b: Builder) -> Iterator[tuple[str, int, tuple[int | None, ...]]]:
    """For each kind and (by its index) part that has an attribute, its values by face (None: it has none)."""
    for name in grid.kinds:
        kind = b.components[name].kind
        for index, part in enumerate(kind.parts):
            values = kind.on_part(attribute, part)
            if values is not None:
                yield name, index, values


# ---- Laying and lifting


def laying(kind: str, grid: Grid, b: Builder) -> str:
    """The routine that puts a component on cells: its face, whose grid, a cell for each part. It is on no grid before."""
    return _change(f"lay {kind} on {grid.name}", kind, grid, True, b)


def lifting(kind: str, grid: Grid, b: Builder) -> str:
    """The routine that takes a component away: its face, whose grid and, where components are equal, its cell."""
    return _change(f"lift {kind} from {grid.name}", kind, grid, False, b)


def _change(name: str, kind: str, grid: Grid, lay: bool, b: Builder) -> str:
    if name in b.routines:
        return name
    components = b.components[kind]
    parts = components.kind.parts
    face = b.local(kind)
    owner = b.local("player") if grid.owned else None
    whose = None if owner is None else Load(owner)
    at = [b.local(f"cell {part.name}") for part in parts]
    given = lay or not components.distinct
    body: list[Stmt] = []
    own = cell_fields(kind, grid, b)
    if not given:
        body += [Assign(cell, Load(field, Load(face))) for cell, field in zip(at, own, strict=True)]
    there: list[Expr] = []
    for cell, part in zip(at, parts, strict=True):
        more, one = kept(op("bit", Load(cell)), f"there {part.name}", b, grid.cells)
        body += more
        there.append(one)
    covered = _union(there)

    def changed(field: Field, index: Expr | None, these: Expr) -> Stmt:
        return Assign(field, op("union" if lay else "minus", Load(field, index), these), index)

    body.append(changed(b.fields[grid.name], whose, covered))
    for side in cells.SIDES if grid.name in b.measured else ():
        far = reach(side, grid, whose, b)
        if lay:
            for cell in at:
                far = op("max", far, Lookup(cells.reach_of_cell(side, grid), Load(cell)))
        else:
            far = cells.reach(side, Load(b.fields[grid.name], whose), grid, b)
        body.append(Assign(b.fields[_reach_field(side, grid)], far, whose))
    if components.distinct:
        body += [Assign(field, Load(cell) if lay else Const(NONE), Load(face)) for cell, field in zip(at, own, strict=True)]
    else:
        body.append(changed(own[0], element(whose, len(components.starts), Load(face)), covered))
    for grid_name, attribute in sorted(b.printed):
        if grid_name != grid.name:
            continue
        base, digits = code_of(attribute, grid, b)
        values_of_parts = [(part, values) for name, part, values in printed_on(attribute, grid, b) if name == kind]
        for digit in range(digits):
            these: list[Expr] = []
            for index, values in values_of_parts:
                having = digit_of(f"{attribute} of {kind} {parts[index].name}".strip(), values, base, digit)
                if any(having.values):
                    these.append(op("if", Lookup(having, Load(face)), there[index], Const(0)) if lay else there[index])
            if these:
                body.append(changed(b.fields[f"{attribute} on {grid_name}"], element(whose, digits, Const(digit)), _union(these)))
    parameters = (face, *(() if owner is None else (owner,)), *(at if given else ()))
    b.routines[name] = Routine(name, parameters, tuple(body), False)
    return name


def _union(sets: Iterable[Expr]) -> Expr:
    found: Expr = Const(0)
    for these in sets:
        found = op("union", found, these)
    return found


def digit_of(name: str, values: tuple[int | None, ...], base: int, digit: int) -> Constants:
    """Whether a value has a binary digit, for each face: a table of 1 and 0."""
    return Constants(f"{name}, digit {digit}", tuple(0 if v is None else (v - base) >> digit & 1 for v in values))


def value_of(name: str, values: tuple[int | None, ...], attribute: str, grid: Grid, b: Builder) -> Constants:
    """The value of each face; one that it does not have is none, as it is in code for what lies on a grid."""
    none, _ = or_none(values_of(attribute, grid, b))
    return Constants(name, tuple(none if value is None else value for value in values))
