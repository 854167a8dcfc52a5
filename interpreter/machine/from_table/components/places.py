"""The places of components: where each is, who sees it there, and which parts of a set are where."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import evolve, frozen

from ....common.nouns import with_article
from ....model import model
from ....model.model import BOX, Var, to_roll
from ....model.model import Expr as ModelExpr
from ....model.visitor import walk_statements
from ....words.words import Role
from ...machine import NONE, Const, Expr, Function, Invoke, Load, Message, Return, Say, Stmt
from ..building import defines
from ..building.builder import Builder, kept
from ..building.lowering import required, scalar_of
from ..building.saying import named
from ..building.values import Binding, Env, Spot, op
from . import boards, overlay
from .contents import content_of, holds
from .copies import bit_of


@frozen
class Place:
    """A zone (with its owner in code) as the start or end of a move; zone None is the box.

    On a grid, ``cells`` are those of the parts, and ``chosen`` says that they are known to be empty.
    """

    zone: model.Zone | None
    kind: str
    owner: Expr | None
    cells: tuple[Expr, ...] = ()
    chosen: bool = False

    @property
    def noun(self) -> str:
        """What one component there is called."""
        return self.kind if self.zone is None else self.zone.noun

    @property
    def visibility(self) -> str:
        return "open" if self.zone is None else self.zone.visibility


def place_of(spot: model.Spot, kind: str, b: Builder, env: Env) -> Place:
    """A spot as a place."""
    if spot.zone == BOX:
        return Place(None, kind, None)
    owner = None if spot.owner is None else required(spot.owner, b, env).expr
    return Place(b.table.zones[spot.zone], kind, owner)


def viewers(place: Place, b: Builder) -> Expr:
    """The players who see the faces in a place."""
    match place.visibility:
        case "open":
            return Const(b.everybody)
        case "private":
            seat = whose(place, b)
            assert seat is not None
            return op("bit", seat)
        case _:
            return Const(0)


def whose(place: Place, b: Builder) -> Expr | None:
    """The player to whom a place belongs, in code; None where it belongs to nobody."""
    owner = None if place.zone is None else place.zone.owner
    return None if owner is None or place.owner is None else b.seat_of(owner, place.owner)


def seers_of_all(node: ModelExpr, b: Builder, env: Env) -> Expr:
    """The players who see the faces of every member of a set, where its members are now; of what is no component, all."""
    if node.type.base != "component":
        return Const(b.everybody)
    seers: Expr = Const(b.everybody)
    for spot in spots_of(node, b, env) or everywhere(node.type.of, b):
        zone = b.table.zones.get(spot.zone)
        if zone is not None and zone.visibility != "open":
            owned = zone.visibility == "private" and spot.owner is not None
            seers = op("intersect", seers, viewers(Place(zone, zone.kind, spot.owner), b)) if owned else Const(0)
    return seers


def number_of(place: Place, b: Builder) -> Expr | None:
    """The number of a place for `knowledge`; None when it is open."""
    if place.zone is None or place.zone.visibility == "open":
        return None
    first = b.places[place.zone.name]
    if isinstance(place.owner, Const):
        return Const(first + place.owner.value)
    return Const(first) if place.owner is None else op("+", Const(first), place.owner)


def place_said(place: Place, b: Builder) -> Message:
    """A place as players say it: ``hand of Ann``."""
    if place.zone is None or place.zone.name == to_roll(place.zone.kind):
        return b.parts("the box")
    role: Role = "grid" if place.zone.grid else "zone"
    found = named(b, role, place.zone.said)
    if place.owner is not None and place.zone.owner is not None:
        found = b.parts("{zone} of {owner}", zone=found, owner=Say(place.owner, b.domain(place.zone.owner)))
    if not place.cells:
        return found
    domain = b.domains[model.Type("cell", place.zone.grid)]
    first, *others = (Say(cell, domain) for cell in place.cells)
    at = Message((first, *(part for cell in others for part in (" ", cell))))
    return b.parts("{cells} of {zone}", cells=at, zone=found)


def zone_text(place: Place, b: Builder, name: Callable[[str], str] = str) -> list[str | Say]:
    """A place in a fault: ``hand of Ann``. ``name``: how its name is said; `str` as the rules have it."""
    if place.zone is None or place.zone.name == to_roll(place.zone.kind):
        return ["the box"]
    at: list[str | Say] = []
    if place.cells:
        domain = b.domains[model.Type("cell", place.zone.grid)]
        at = [part for cell in place.cells for part in (Say(cell, domain), " ")] + ["of "]
    if place.owner is None or place.zone.owner is None:
        return [*at, name(place.zone.said)]
    return [*at, f"{name(place.zone.said)} of ", Say(place.owner, b.domain(place.zone.owner))]


def settled_spots(node: ModelExpr, b: Builder, env: Env) -> tuple[list[Stmt], tuple[Spot, ...] | None]:
    """The places of `spots_of`, to be used later: the code that remembers whose they are now, and the places."""
    code: list[Stmt] = []
    spots = spots_of(node, b, env)
    settled: list[Spot] = []
    for spot in spots or ():
        now: list[Expr | None] = []
        for value, name in ((spot.owner, "whose"), (spot.cell, "cell"), (spot.when, "whether")):
            if value is None:
                now.append(None)
                continue
            more, one = kept(value, name, b)
            code += more
            now.append(one)
        settled.append(Spot(spot.zone, *now))
    return code, None if spots is None else tuple(settled)


def spots_of(node: model.Typed, b: Builder, env: Env) -> tuple[Spot, ...] | None:
    """The places where a component (or the members of a set) can be just now; None for anywhere."""
    match node:
        case model.VarValue(var=var):
            return env[var].spots if var in env else None
        case model.ZoneContent(zone=zone, owner=owner):
            return (Spot(zone, None if owner is None else scalar_of(owner, b, env).expr),)
        case model.Filter(of=of) | model.Best(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of):
            return spots_of(of, b, env)
        case model.Without(left=left):
            return spots_of(left, b, env)
        case model.NextTo(of=of) | model.Shifted(of=of) | model.Bounds(of=of) | model.Regions(of=of) | model.CellsOfWay(way=of):
            return spots_of(of, b, env)
        case model.LinesFrom(through=through):
            return spots_of(through, b, env)
        case model.CellsOf(grid=grid, owner=owner) | model.Ways(grid=grid, owner=owner):
            return (Spot(grid, None if owner is None else scalar_of(owner, b, env).expr),)
        case model.CellOf(of=of) | model.CoveredBy(of=of) if not of.type.is_set and b.table.grids[node.type.of].owned:
            face = scalar_of(of, b, env).expr
            found: Expr = Invoke(finder(boards.zone_of(of.type.of, b.table.grids[node.type.of], b), b), (face,))
            over = overlay.laid_there(of.type.of, b.table.grids[node.type.of], env)
            if over is not None:
                found = op("if", op("=", face, over.face), over.owner, found)
            return (Spot(node.type.of, op("max", Const(0), found)),)  # of what lies nowhere there is no cell to ask about
        case model.LyingOn(cell=cell):
            there = where(cell, b, env)
            return (Spot(boards.zone_of(node.type.of, there.grid, b).name, there.owner, scalar_of(cell, b, env).expr),)
        case model.Join(left=left, right=right):
            return _all_spots((left, right), b, env)
        case model.SetOf(members=members) | model.Union(sets=members):
            return _all_spots(members, b, env)
        case model.Cases(cases=cases, otherwise=otherwise):
            return _spots_by_case(cases, otherwise, b, env)
        case model.Apply(define=define, args=args):
            return spots_of(defines.at(b.table.defines[define], args), b, env)
        case _:
            return None


def spots_of_cells(node: ModelExpr, b: Builder, env: Env) -> tuple[Spot, ...] | None:
    """On which grids the cells of a set are; None of what is no cell."""
    return spots_of(node, b, env) if node.type.base == "cell" else None


def finder(zone: model.Zone, b: Builder) -> str:
    """The function that gives the instance of a zone in which a component lies; none when it lies in no instance."""
    name = f"who has it in {zone.name}"
    if name not in b.functions:
        face = b.local(zone.kind)
        found = first_of(b.table.size(zone.owner), lambda index: holds(zone, index, Load(face), b))
        b.functions[name] = Function(name, (face,), 0, (Return(found),))
    return name


def first_of(count: int, test: Callable[[Const], Expr]) -> Expr:
    """The first of so many players or instances of whom something holds; none where it holds of nobody."""
    found: Expr = Const(NONE)
    for each in reversed(range(count)):
        found = op("if", test(Const(each)), Const(each), found)
    return found


def destinations(statements: model.Body, b: Builder, own: Iterable[Var] = ()) -> dict[str, tuple[Spot, ...]]:
    """Where statements can put components, by kind; moves of what the names ``own`` stand for do not count, in steps that it is
    given to neither."""
    found: dict[str, tuple[Spot, ...]] = {}
    mine = frozenset(own)
    seen: set[tuple[str, frozenset[Var]]] = set()
    todo: list[tuple[object, frozenset[Var]]] = [(statements, mine)]
    while todo:
        part, mine = todo.pop()
        for node in walk_statements(part):
            match node:
                case model.Move(what=model.VarValue(var=var)) | model.Lay(what=model.VarValue(var=var)) if var in mine:
                    continue
                case model.Move(what=what, to=to):
                    kind, spot = what.type.of, Spot(to.zone)
                case model.Lay(what=what, grid=grid):
                    kind = what.type.of
                    spot = Spot(boards.zone_of(kind, b.table.grids[grid], b).name)
                case model.Draw(source=source, to=to):
                    kind, spot = b.table.zones[source.zone].kind, Spot(to.zone)
                case model.Do(step=step, args=args):
                    called = b.table.steps[step]
                    pairs = zip(called.parameters, args, strict=True)
                    inside = frozenset(p for p, arg in pairs if isinstance(arg, model.VarValue) and arg.var in mine)
                    if (step, inside) not in seen:
                        seen.add((step, inside))
                        todo.append((called.body, inside))
                    continue
                case _:
                    continue
            if spot not in found.get(kind, ()):
                found[kind] = (*found.get(kind, ()), spot)
    return found


def after(statements: model.Body, b: Builder, env: Env) -> Env:
    """The names after statements have run: a component that has a name may lie elsewhere now."""
    if all(binding.spots is None for binding in env.values()):
        return env  # of none is it known where it lies
    moved = destinations(statements, b)
    return {var: elsewhere(binding, var.type, moved) for var, binding in env.items()} if moved else env


def elsewhere(binding: Binding, type: model.Type, moved: dict[str, tuple[Spot, ...]]) -> Binding:
    """A name whose component may have moved."""
    more = moved.get(type.of, ()) if type.base == "component" else ()
    if binding.spots is None or not more:
        return binding
    return evolve(binding, spots=(*binding.spots, *(s for s in more if s not in binding.spots)))


def _all_spots(nodes: tuple[ModelExpr, ...], b: Builder, env: Env) -> tuple[Spot, ...] | None:
    found: list[Spot] = []
    for node in nodes:
        spots = spots_of(node, b, env)
        if spots is None:
            return None
        found += [s for s in spots if s not in found]
    return tuple(found)


def _spots_by_case(
    cases: tuple[tuple[ModelExpr, ModelExpr], ...], otherwise: ModelExpr, b: Builder, env: Env
) -> tuple[Spot, ...] | None:
    """The places in each case, with its condition: of equal components, none is meant that lies in the place of another case."""
    branches = [spots_of(value, b, env) for value in (*(value for _, value in cases), otherwise)]
    found: list[Spot] = []
    if branches.count(branches[0]) == len(branches):
        return branches[0]
    earlier: Expr = Const(0)
    for number, spots in enumerate(branches):
        if spots is None:
            return None
        test = scalar_of(cases[number][0], b, env).expr if number < len(cases) else Const(1)
        now = op("and", op("not", earlier), test)
        found += [evolve(spot, when=now if spot.when is None else op("and", now, spot.when)) for spot in spots]
        earlier = op("or", earlier, test)
    return tuple(found)


def everywhere(kind: str, b: Builder) -> tuple[Spot, ...]:
    """The box of a kind, and all its zones: of equal components, one that is not in play yet is taken first."""
    return (Spot(BOX), *(Spot(z.name) for z in b.table.zones.values() if z.kind == kind))


def all_places(kind: str, b: Builder) -> list[Place]:
    """The box of a kind and all its zones, one for each owner."""
    places = [Place(None, kind, None)]
    for zone in b.table.zones.values():
        if zone.kind == kind:
            owners = map(Const, range(b.table.size(zone.owner))) if zone.owned else (None,)
            places += [Place(zone, kind, owner) for owner in owners]
    return places


def closed(kind: str, b: Builder) -> list[Place]:
    """The places of a kind that are not open to all, in the order of their numbers."""
    found = [(number.value, place) for place in all_places(kind, b) if isinstance(number := number_of(place, b), Const)]
    return [place for _, place in sorted(found, key=lambda numbered: numbered[0])]


def content(place: Place, b: Builder) -> Expr:
    if place.zone is None:
        return Load(b.boxes[place.kind])
    if place.zone.shape == "slot":
        slot = Load(b.fields[place.zone.name], place.owner)
        return op("if", op("<", slot, Const(0)), Const(0), op("bit", bit_of(slot, place.kind, b)))
    return content_of(place.zone, place.owner, b)


def where(node: ModelExpr, b: Builder, env: Env) -> overlay.Where:
    """On which grid, and whose, the cells of an expression lie; a finding where that cannot be told."""
    grid = b.table.grids[node.type.of]
    if not grid.owned:
        return overlay.Where(grid, None)
    spots = spots_of(node, b, env)
    if spots is not None and len(spots) == 1 and spots[0].owner is not None:
        return overlay.Where(grid, spots[0].owner)
    b.complain(
        "R249",
        f"each player has {with_article(grid.name)}, and it is not clear on whose this lies: `{node.span.text}`",
        node.span,
        help=f"take it from somebody's: `{grid.name} of player`, `empty cells of {grid.name} of player`",
    )
    return overlay.Where(grid, Const(0))
