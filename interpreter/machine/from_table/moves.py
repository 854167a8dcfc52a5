"""How does a component get from one place to another, and who sees it?

A move takes components out of the places where they are, puts them into the new one, tells `knowledge` what it taught, and
shows each component to those who see it now and could not have known it. Whole zones move as sets, at once; a single
component moves from the one place where it can be or, where that is not known beforehand, from the place that has it.
"""

from __future__ import annotations

from attrs import evolve, frozen

from ...model import model
from ...model.model import Expr as ModelExpr
from ...model.model import Var
from ...model.rebuild import walk
from ...source import Span
from ..machine import (
    NONE,
    Assign,
    Call,
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
    Message,
    Note,
    Return,
    Routine,
    Say,
    Show,
    Stmt,
    While,
)
from . import knowledge
from .builder import BOX, Binding, Builder, Env, Spot, is_empty, op, some
from .expressions import bits_of_set, content_of, holds, put, required, scalar_of, substituted, taken
from .sets import mask_of


@frozen
class Place:
    """A zone (with its owner in code) as the start or end of a move; zone None is the box."""

    zone: model.Zone | None
    kind: str
    owner: Expr | None

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
            assert place.owner is not None
            return op("bit", place.owner)
        case _:
            return Const(0)


def number_of(place: Place, b: Builder) -> Expr | None:
    """The number of a place for `knowledge`; None when it is open."""
    if place.zone is None or place.zone.visibility == "open":
        return None
    first = Const(b.places[place.zone.name])
    return first if place.owner is None else op("+", first, place.owner)


def zone_text(place: Place, b: Builder) -> list[str | Say]:
    """A place in words: ``hand of Ann``."""
    if place.zone is None:
        return ["the box"]
    if place.owner is None:
        return [place.zone.name]
    return [f"{place.zone.name} of ", Say(place.owner, b.player_domain)]


# ---- Where a thing can be


def spots_of(node: ModelExpr, b: Builder, env: Env, now: bool = False) -> tuple[Spot, ...] | None:
    """The places where a component (or the members of a set) can be; None for anywhere.

    ``now``: the answer is used at once, so an owner may be anything; else only owners that do not change are kept.
    """
    match node:
        case model.VarValue(var=var):
            return env[var].spots if var in env else None
        case model.ZoneContent(zone=zone, owner=owner):
            stable = owner is not None and (now or isinstance(owner, model.VarValue | model.Const))
            return (Spot(zone, scalar_of(owner, b, env).expr if stable and owner is not None else None),)
        case model.Filter(of=of) | model.Best(of=of) | model.AnyOf(of=of) | model.RandomOf(of=of):
            return spots_of(of, b, env, now)
        case model.Join(left=left, right=right):
            return _all_spots((left, right), b, env, now)
        case model.SetOf(members=members):
            return _all_spots(members, b, env, now)
        case model.Cases(cases=cases, otherwise=otherwise):
            return _all_spots((*(v for _, v in cases), otherwise), b, env, now)
        case model.Apply(define=define, args=args) if all(isinstance(a, model.VarValue | model.Const) for a in args):
            return spots_of(substituted(b.table.defines[define], args), b, env, now)
        case _:
            return None


def destinations(statements: model.Body, b: Builder, own: Var | None = None) -> dict[str, tuple[Spot, ...]]:
    """Where statements can put components, by kind; moves of what ``own`` stands for do not count."""
    found: dict[str, tuple[Spot, ...]] = {}
    steps: set[str] = set()
    todo: list[object] = [statements]
    while todo:
        for node in walk(todo.pop()):
            match node:
                case model.Move(what=model.VarValue(var=var)) if var is own:
                    continue
                case model.Move(what=what, to=to):
                    kind, spot = what.type.of, Spot(to.zone)
                case model.Draw(source=source, to=to):
                    kind, spot = b.table.zones[source.zone].kind, Spot(to.zone)
                case model.Do(step=step) if step not in steps:
                    steps.add(step)
                    todo.append(b.table.steps[step].body)
                    continue
                case _:
                    continue
            if spot not in found.get(kind, ()):
                found[kind] = (*found.get(kind, ()), spot)
    return found


def after(statements: model.Body, b: Builder, env: Env) -> Env:
    """The names after statements have run: a component that has a name may lie elsewhere now."""
    moved = destinations(statements, b)
    return {var: elsewhere(binding, var.type, moved) for var, binding in env.items()} if moved else env


def elsewhere(binding: Binding, type: model.Type, moved: dict[str, tuple[Spot, ...]]) -> Binding:
    """A name whose component may have moved."""
    more = moved.get(type.of, ()) if type.base == "component" else ()
    if binding.spots is None or not more:
        return binding
    return evolve(binding, spots=(*binding.spots, *(s for s in more if s not in binding.spots)))


def _all_spots(nodes: tuple[ModelExpr, ...], b: Builder, env: Env, now: bool) -> tuple[Spot, ...] | None:
    found: list[Spot] = []
    for node in nodes:
        spots = spots_of(node, b, env, now)
        if spots is None:
            return None
        found += [s for s in spots if s not in found]
    return tuple(found)


def everywhere(kind: str, b: Builder) -> tuple[Spot, ...]:
    """The box of a kind, and all its zones: of equal components, one that is not in play yet is taken first."""
    return (Spot(BOX), *(Spot(z.name) for z in b.table.zones.values() if z.kind == kind))


# ---- One component


def move_one(face: Expr, spots: tuple[Spot, ...] | None, seen: Expr | None, to: Place, b: Builder, span: Span) -> list[Stmt]:
    """Move the component ``face`` (not none) to a place. ``seen``: who has seen which it is; None is all."""
    kind = to.kind
    code: list[Stmt] = []
    candidates = spots or everywhere(kind, b)
    for spot in reversed(candidates):
        zone = None if spot.zone == BOX else b.table.zones[spot.zone]
        if zone is not None and zone.owned and spot.owner is None:
            player = b.local("owner")
            finder = _finder(zone, b)
            here = _from_to(Place(zone, kind, Load(player)), to, face, seen, b, span)
            code = [Assign(player, Invoke(finder, (face,))), If(op("<=", Const(0), Load(player)), tuple(here), tuple(code))]
            continue
        place = Place(zone, kind, spot.owner)
        here = _from_to(place, to, face, seen, b, span)
        if len(candidates) == 1:
            return here
        test = op("has", Load(b.boxes[kind]), bit_of(face, kind, b)) if zone is None else holds(zone, spot.owner, face, b)
        code = [If(test, tuple(here), tuple(code))]
    return code


def bit_of(face: Expr, kind: str, b: Builder) -> Expr:
    components = b.components[kind]
    return face if components.distinct else Lookup(Constants(f"first copy of {kind}", components.starts), face)


def _finder(zone: model.Zone, b: Builder) -> str:
    """The function that gives the player in whose share of a zone a component lies."""
    name = f"who has it in {zone.name}"
    if name not in b.functions:
        face, player = b.local(zone.kind), b.local("player")
        test = holds(zone, Load(player), Load(face), b)
        loop = While(
            op("<", Load(player), Const(b.players)),
            (If(test, (Return(Load(player)),)), Assign(player, op("+", Load(player), Const(1)))),
            zone.span,
        )
        b.functions[name] = Function(name, (face,), 0, (Assign(player, Const(0)), loop, Return(Const(NONE))))
    return name


def _from_to(come: Place, to: Place, face: Expr, seen: Expr | None, b: Builder, span: Span) -> list[Stmt]:
    code = [*take_one(come, face, b), *give_one(to, face, b, span)]
    part = op("bit", bit_of(face, to.kind, b))
    return code + taught(come, to, part, Const(1), seen, b) + shown(come, to, face, seen, b)


def take_one(place: Place, face: Expr, b: Builder) -> list[Stmt]:
    components = b.components[place.kind]
    if place.zone is None:
        box = b.boxes[place.kind]
        return [Assign(box, taken(Load(box), face, components))]
    field = b.fields[place.zone.name]
    if place.zone.shape == "slot":
        return [Assign(field, Const(NONE), place.owner)]
    if place.zone.name in b.ordered:
        return [Call(_out_of_pile(place.zone, b), (face,) if place.owner is None else (face, place.owner))]
    return take_unordered(place, face, b)


def take_unordered(place: Place, face: Expr, b: Builder) -> list[Stmt]:
    """Take a component out of the unordered part of a pile."""
    assert place.zone is not None
    field = b.fields[place.zone.name]
    return [Assign(field, taken(Load(field, place.owner), face, b.components[place.kind]), place.owner)]


def give_one(place: Place, face: Expr, b: Builder, span: Span) -> list[Stmt]:
    components = b.components[place.kind]
    if place.zone is None:
        box = b.boxes[place.kind]
        return [Assign(box, put(Load(box), face, components))]
    field = b.fields[place.zone.name]
    if place.zone.shape == "slot":
        full = b.stop(
            "R609", span, "there is a ", Say(Load(field, place.owner), components.domain), " already in ", *zone_text(place, b),
            help="move it away first",
        )  # fmt: skip
        return [If(op("<=", Const(0), Load(field, place.owner)), (full,)), Assign(field, face, place.owner)]
    if place.zone.name in b.ordered:
        size, index = b.pile_index(place.zone, place.owner)
        top = b.fields[f"top of {place.zone.name}"]
        return [Assign(top, face, index), Assign(size, op("+", Load(size, place.owner), Const(1)), place.owner)]
    return [Assign(field, put(Load(field, place.owner), face, components), place.owner)]


def _out_of_pile(zone: model.Zone, b: Builder) -> str:
    """The routine that takes a component out of a pile with an ordered top, wherever in the pile it is."""
    name = f"out of {zone.name}"
    if name in b.routines:
        return name
    components = b.components[zone.kind]
    face = b.local(zone.kind)
    owner = b.local("player") if zone.owned else None
    whose = None if owner is None else Load(owner)
    field, top = b.fields[zone.name], b.fields[f"top of {zone.name}"]
    size, _ = b.pile_index(zone, whose)
    base = Const(0) if whose is None else op("*", whose, Const(components.bits))
    place, found = b.local("place"), b.local("found")
    at = op("+", base, Load(place))
    behind = op("+", at, Const(1))
    last = op("=", op("+", Load(place), Const(1)), Load(size, whose))
    step: tuple[Stmt, ...] = (
        If(op("=", Load(top, at), Load(face)), (Assign(found, Const(1)),)),
        If(op("=", Load(found), Const(1)), (If(last, (Assign(top, Const(NONE), at),), (Assign(top, Load(top, behind), at),)),)),
        Assign(place, op("+", Load(place), Const(1))),
    )
    in_middle = op("has", Load(field, whose), bit_of(Load(face), zone.kind, b))
    body: tuple[Stmt, ...] = (
        If(
            in_middle,
            (Assign(field, taken(Load(field, whose), Load(face), components), whose),),
            (
                Assign(place, Const(0)),
                Assign(found, Const(0)),
                While(op("<", Load(place), Load(size, whose)), step, zone.span),
                Assign(size, op("-", Load(size, whose), Const(1)), whose),
            ),
        ),
    )
    b.routines[name] = Routine(name, (face,) if owner is None else (face, owner), body, False)
    return name


# ---- What it teaches and shows


def seers_of(come: Place, to: Place, seen: Expr | None, b: Builder) -> Expr:
    """The players who see what moves from one place to another."""
    if seen is None:
        return Const(b.everybody)
    return op("union", op("union", viewers(come, b), viewers(to, b)), seen)


def taught(come: Place, to: Place, part: Expr, amount: Expr, seen: Expr | None, b: Builder) -> list[Stmt]:
    """What seats learn when ``part`` (a set) has moved."""
    if come.visibility == "open" and to.visibility == "open":
        return []
    if "open" in (come.visibility, to.visibility):
        seers: Expr = Const(b.everybody)
    else:
        seers = seers_of(come, to, seen, b)
    emptied: Expr = Const(0)
    if come.zone is not None and come.visibility != "open" and to.visibility != "open":
        if come.zone.shape == "slot":
            emptied = op("<", Load(b.fields[come.zone.name], come.owner), Const(0))
        else:
            emptied = is_empty(content_of(come.zone, come.owner, b))
    return knowledge.moved(to.kind, number_of(come, b), number_of(to, b), part, amount, emptied, seers, b)


def shown(come: Place, to: Place, face: Expr, seen: Expr | None, b: Builder) -> list[Stmt]:
    """Show a component to those who see it in its new place and could not have known it."""
    if seen is None or come.visibility == "open" or to.visibility == "hidden":
        return []
    fresh = op("minus", op("minus", viewers(to, b), viewers(come, b)), seen)
    if isinstance(fresh, Const) and fresh.value == 0:
        return []
    text = Message((Say(face, b.components[to.kind].domain), " comes to ", *zone_text(to, b)))
    return [Show(b.site(), fresh, face, text)]


# ---- Sets


@frozen
class Part:
    """Some components in one place, as a set; ``whole``: all that is there."""

    place: Place
    bits: Expr
    whole: bool


def parts_of(node: ModelExpr, b: Builder, env: Env) -> list[Part] | None:
    """A set split by the places where its members are; None when that cannot be told from how it is written."""
    match node:
        case model.ZoneContent(zone=zone_name, owner=owner, every=every):
            zone = b.table.zones[zone_name]
            whose = None if owner is None else scalar_of(owner, b, env)
            if whose is not None and whose.low < 0:
                return None  # it may be nobody's
            owners: list[Expr | None] = [None if whose is None else whose.expr]
            if every:
                owners = [Const(p) for p in range(b.players)]
            return [Part(p, _content(p, b), True) for p in (Place(zone, zone.kind, o) for o in owners)]
        case model.Join(left=left, right=right):
            one, other = parts_of(left, b, env), parts_of(right, b, env)
            return None if one is None or other is None else one + other
        case model.AllOf():
            return _all_places(node.type.of, b)
        case model.Const() if node.type.is_set and node.value == b.components[node.type.of].all:
            return _all_places(node.type.of, b)
        case model.Filter(of=of, var=var, condition=condition):
            parts = parts_of(of, b, env)
            everything = b.components[node.type.of].all
            mask = mask_of(condition, var, everything, b, env) if parts is not None else None
            if parts is None or mask is None:
                return None
            return [Part(p.place, op("intersect", p.bits, mask.expr), False) for p in parts]
        case model.Apply(define=define, args=args) if all(isinstance(a, model.VarValue | model.Const) for a in args):
            return parts_of(substituted(b.table.defines[define], args), b, env)
        case _:
            return None


def _all_places(kind: str, b: Builder) -> list[Part]:
    places = [Place(None, kind, None)]
    for zone in b.table.zones.values():
        if zone.kind == kind:
            places += [Place(zone, kind, Const(p)) for p in range(b.players)] if zone.owned else [Place(zone, kind, None)]
    return [Part(p, _content(p, b), True) for p in places]


def _content(place: Place, b: Builder) -> Expr:
    if place.zone is None:
        return Load(b.boxes[place.kind])
    if place.zone.shape == "slot":
        slot = Load(b.fields[place.zone.name], place.owner)
        return op("if", op("<", slot, Const(0)), Const(0), op("bit", bit_of(slot, place.kind, b)))
    return content_of(place.zone, place.owner, b)


def move_set(node: ModelExpr, to: Place, melted: bool, b: Builder, env: Env, span: Span) -> list[Stmt]:
    """Move all members of a set to a place. ``melted``: onto a pile that is shuffled right after."""
    components = b.components[to.kind]
    ordered = to.zone is not None and (to.zone.shape == "slot" or (to.zone.name in b.ordered and not melted))
    parts = parts_of(node, b, env)
    if parts is None or ordered:
        rest, bit = b.local("rest", components.bits), b.local("copy")
        face = b.local(to.kind)
        spots = spots_of(node, b, env)
        one = move_one(Load(face), spots, Const(0), to, b, span)
        table = Constants(f"face of {to.kind}", components.domain.copies)
        body: tuple[Stmt, ...] = (
            Assign(bit, op("first", Load(rest))),
            Assign(rest, op("minus", Load(rest), op("bit", Load(bit)))),
            Assign(face, Load(bit) if components.distinct else Lookup(table, Load(bit))),
            *one,
        )
        return [Assign(rest, bits_of_set(node, b, env).expr), While(some(Load(rest)), body, span)]
    code: list[Stmt] = []
    going = [(part, b.local("moving", components.bits)) for part in parts if part.place != to]
    settled_first = len(going) > 1 and any(not part.whole for part, _ in going)  # what moves may change what fits
    if settled_first:
        code += [Assign(moving, part.bits) for part, moving in going]
    for part, moving in going:
        now = op("intersect", Load(moving), _content(part.place, b)) if settled_first else part.bits
        give = _give_set(to, Load(moving), b)
        learned = taught(part.place, to, Load(moving), op("count", Load(moving)), Const(0), b)
        seen_now = _show_each(part.place, to, moving, b, span)
        here = (*_take_set(part, Load(moving), b), *give, *learned, *seen_now)
        code += [Assign(moving, now), If(some(Load(moving)), tuple(here))]
    return code


def _take_set(part: Part, moving: Expr, b: Builder) -> list[Stmt]:
    place = part.place
    if place.zone is None:
        field = b.boxes[place.kind]
    else:
        field = b.fields[place.zone.name]
        if place.zone.shape == "slot":
            return [Assign(field, Const(NONE), place.owner)]
        if place.zone.name in b.ordered:
            return [
                Call(melt(place.zone, b), () if place.owner is None else (place.owner,)), *_less(field, place, part, moving, b)
            ]
    return _less(field, place, part, moving, b)


def _less(field: Field, place: Place, part: Part, moving: Expr, b: Builder) -> list[Stmt]:
    if part.whole:
        return [Assign(field, Const(0), place.owner)]
    return [Assign(field, knowledge.less(Load(field, place.owner), moving, b.components[place.kind], b), place.owner)]


def _give_set(to: Place, moving: Expr, b: Builder) -> list[Stmt]:
    field = b.boxes[to.kind] if to.zone is None else b.fields[to.zone.name]
    return [Assign(field, knowledge.together(Load(field, to.owner), moving, b.components[to.kind], b), to.owner)]


def _show_each(come: Place, to: Place, moving: Local, b: Builder, span: Span) -> list[Stmt]:
    components = b.components[to.kind]
    face, bit = b.local(to.kind), b.local("copy")
    shows = shown(come, to, Load(face), Const(0), b)
    if not shows:
        return []
    table = Constants(f"face of {to.kind}", components.domain.copies)
    body: tuple[Stmt, ...] = (
        Assign(bit, op("first", Load(moving))),
        Assign(moving, op("minus", Load(moving), op("bit", Load(bit)))),
        Assign(face, Load(bit) if components.distinct else Lookup(table, Load(bit))),
        *shows,
    )
    return [While(some(Load(moving)), body, span)]


def melt(zone: model.Zone, b: Builder) -> str:
    """The routine that forgets the order of a pile: its top goes into the unordered middle."""
    name = f"melt {zone.name}"
    if name in b.routines:
        return name
    components = b.components[zone.kind]
    owner = b.local("player") if zone.owned else None
    whose = None if owner is None else Load(owner)
    field, top = b.fields[zone.name], b.fields[f"top of {zone.name}"]
    size, _ = b.pile_index(zone, whose)
    base = Const(0) if whose is None else op("*", whose, Const(components.bits))
    at = op("+", base, Load(size, whose))
    body: tuple[Stmt, ...] = (
        While(
            op("<", Const(0), Load(size, whose)),
            (
                Assign(size, op("-", Load(size, whose), Const(1)), whose),
                Assign(field, put(Load(field, whose), Load(top, at), components), whose),
                Assign(top, Const(NONE), at),
            ),
            zone.span,
        ),
    )
    b.routines[name] = Routine(name, () if owner is None else (owner,), body, False)
    return name


# ---- The story


def told(what: list[str | Say], few: list[str | Say], to: Place, seers: Expr, b: Builder) -> Note:
    """A line of the story: what went where; ``few`` is what those read who did not see it."""
    to_text = [" to ", *zone_text(to, b)]
    return Note(Message((*what, *to_text)), seers, Message((*few, *to_text)))

