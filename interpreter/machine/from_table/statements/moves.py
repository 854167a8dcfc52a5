"""Lowers moves of components from one place to another, with the seats that see them.

A move takes components out of the places where they are, puts them into the new one, tells `knowledge` what it taught, and shows
each component to those who see it now and could not have known it. Whole zones move as sets, at once; a single component moves
from the one place where it can be or, if that is not known beforehand, from the place that has it. Laying one on a grid is such a
move: to a cell, to the cells that a test names, or to the chosen way.
"""

from __future__ import annotations

from attrs import evolve

from ....common.nouns import spoken
from ....common.source import Span
from ....model import model
from ....model.model import BOX, Var
from ....model.model import Expr as ModelExpr
from ....words.words import ENGLISH, marked
from ...machine import (
    NONE,
    Assign,
    Call,
    Chance,
    Const,
    Constants,
    Expr,
    Field,
    If,
    Invoke,
    Load,
    Local,
    Lookup,
    Message,
    Note,
    Routine,
    Say,
    Show,
    Stmt,
    While,
)
from ..building.builder import Builder, Components, Here, kept
from ..building.lowering import bits_of_set, required, scalar_of
from ..building.saying import counted, named, one_of, value_named
from ..building.values import Binding, Env, Scalar, Spot, bits_of, is_empty, op, some, with_expr
from ..components import boards, copies, covering, knowledge, overlay, places
from ..components.contents import content_of, drawable, holds
from ..components.copies import bit_of, put, taken
from ..components.places import (
    Place,
    content,
    everywhere,
    number_of,
    seers_of_all,
    settled_spots,
    spots_of,
    viewers,
    zone_text,
)
from ..expressions.parts import Part, parts_of, there

COMES = marked("{component} comes to {zone}")  # what is shown of a move to those who could not have known it
GOES = marked("{things} to {zone}")  # the line of a move
EMPTIED = 2  # lines that are shown of those that empty a slot


def fixed_owner(place: Place, b: Builder) -> tuple[list[Stmt], Place]:
    """A place whose owner is asked for once, and the code that does so."""
    if place.owner is None:
        return [], place
    code, owner = kept(place.owner, "whose", b)
    return code, evolve(place, owner=owner)


def move(node: model.Move, to: Place, melted: bool, b: Builder, env: Env, here: Here) -> list[Stmt]:
    """Put a component or a set somewhere; the name that the move gives it is added to ``env``."""
    what, span = node.what, node.span
    head, to = fixed_owner(to, b)
    kind = to.kind
    domain = b.components[kind].domain
    if isinstance(what, model.RandomOf):
        return head + _move_random(what, node.moved, to, b, env, span)
    if what.type.is_set:
        moving = move_set(what, to, melted, b, env, span)
        if every := _every(what, b):
            everything = b.parts("every {thing}", thing=named(b, "kind", every))
            if node.moved is not None:
                env[node.moved] = Binding(bits_of(b.components[kind].all), None, Const(0))
            return [*head, *moving, note_of(everything, everything, to, Const(b.everybody), b)]
        going = b.local("going", b.components[kind].bits)
        if node.moved is not None:
            env[node.moved] = Binding(with_expr(bits_of_set(what, b, env), Load(going)), None, Const(0))
        count = op("count", Load(going))
        few = counted(b, count, to.noun, op("=", count, Const(1)), b.components[kind].bits)
        note = note_of(Message((Say(Load(going), domain, True),)), few, to, _seen_moving(what, to, b, env), b)
        return [*head, Assign(going, bits_of_set(what, b, env).expr), *moving, If(some(Load(going)), (note,))]
    thing = scalar_of(what, b, env)
    code, face = kept(thing.expr, kind, b)
    whose, spots = settled_spots(what, b, env)
    code += whose
    seen = env[what.var].seen if isinstance(what, model.VarValue) and what.var in env else Const(0)
    moving = move_one(face, spots, seen, to, b, span)
    if node.moved is not None:
        env[node.moved] = Binding(with_expr(thing, face), None, seen)
    if not (isinstance(what, model.VarValue) and what.var in here.acting):
        sees = Const(b.everybody) if seen is None else op("union", seen, _seen_moving(what, to, b, env))
        moving = [*moving, note_of(Message((Say(face, domain),)), one_of(b, to.noun), to, sees, b)]
    if thing.low < 0:
        return [*head, *code, If(op("<=", Const(0), face), tuple(moving))]
    return head + code + moving


def _every(what: ModelExpr, b: Builder) -> str:
    """The kind of which a set is all components; "" where it is of none."""
    if not isinstance(what, model.Const) or not what.type.is_set:
        return ""
    components = b.components[what.type.of]
    whole = {each.name: components.mask(components.kind.faces_of(each.name)) for each in components.kind.joint}
    return next((kind for kind, all in {what.type.of: components.all, **whole}.items() if what.value == all), "")


def _seen_moving(what: ModelExpr, to: Place, b: Builder, env: Env) -> Expr:
    """Who sees the faces of what moves: who sees them where they are, and who sees where they go."""
    return op("union", viewers(to, b), seers_of_all(what, b, env))


def _move_random(what: model.RandomOf, moved: Var | None, to: Place, b: Builder, env: Env, span: Span) -> list[Stmt]:
    kind = to.kind
    components = b.components[kind]
    pool = bits_of_set(what.of, b, env).expr
    none_left = is_empty(pool)
    if what.each_face_alike:  # of each face there are as many as there are dice
        faces = len(components.starts)
        none_left = op("<=", op("count", pool), Const(components.bits - components.bits // faces))
        pool = copies.faces(pool, components)
    face = b.local(kind)
    whose, spots = settled_spots(what.of, b, env)
    seen = _seen_moving(what.of, to, b, env)
    domain = components.domain
    if moved is not None:
        env[moved] = Binding(Scalar(Load(face), 0, len(domain.names) - 1), None, Const(0))
    goes = marked("{thing} is rolled to {zone}") if what.each_face_alike else marked("by chance {thing} goes to {zone}")
    place = places.place_said(to, b)
    told = b.parts(goes, thing=Say(Load(face), domain), zone=place)
    event = Chance(b.site(), face, pool, domain, seen, told, b.parts(goes, thing=one_of(b, to.noun), zone=place), span)
    message, help = f"there is no {what.of.type.noun} to take by chance", "ask first whether there is one: `if ... is not empty`"
    if what.each_face_alike and to.zone is not None:
        message = f"every {kind} lies in a zone already"
        help = f"roll a zone again, as in `roll {to.zone.name}`, or declare more dice"
    empty = b.stop("R604", span, message, help=help)
    return [*whose, If(none_left, (empty,)), event, *move_one(Load(face), spots, seen, to, b, span)]


def _still_held(place: Place, b: Builder, span: Span) -> list[Stmt]:
    """After certain components have been taken out of a pile: as many must be left in it as are held back."""
    if place.zone is None or place.zone.name not in b.held:
        return []
    rest = drawable(place.zone, place.owner, Load(b.fields[place.zone.name], place.owner), b)
    where = zone_text(place, b)
    gone = b.stop("R604", span, "all that is left in ", *where, " was removed unseen", help="draw from it instead")
    return [If(op("<", rest, Const(0)), (gone,))]


def _gathered(every: str, kind: str, b: Builder) -> list[Stmt]:
    """Where every component of a kind is moved, those that were held back are no longer. ``kind``: perhaps the joint one."""
    zones = [z for z in b.table.zones.values() if z.kind == kind and every in (kind, z.noun)]
    held = [(b.held[z.name], z) for z in zones if z.name in b.held]
    return [
        Assign(field, Const(0), Const(index) if zone.owned else None)
        for field, zone in held
        for index in range(b.table.size(zone.owner))
    ]


def lay(node: model.Lay, b: Builder, env: Env) -> list[Stmt]:
    """Take a component from where it is and lay it on a grid."""
    grid = b.table.grids[node.grid]
    kind = node.what.type.of
    code: list[Stmt] = []
    thing = required(node.what, b, env)
    more, face = kept(thing.expr, kind, b)
    code += more
    owner: Expr | None = None
    if node.owner is not None:
        owner = required(node.owner, b, env).expr
    elif grid.owned:
        owner = places.where(node.on[0], b, env).owner
    if owner is not None:
        more, owner = kept(owner, "whose", b)
        code += more
    chosen = node.on[0].type.base == "way"
    if chosen:
        way = scalar_of(node.on[0], b, env).expr
        at = overlay.part_cells(way, b.components[kind].kind, grid)
    else:
        at = [required(cell, b, env).expr for cell in node.on]
    parts: list[Expr] = []
    for cell, part in zip(at, b.components[kind].kind.parts, strict=True):
        more, one = kept(cell, f"cell {part.name}", b)
        code += more
        parts.append(one)
    to = Place(boards.zone_of(kind, grid, b), kind, owner, tuple(parts), chosen)
    whose, spots = settled_spots(node.what, b, env)
    code += [*whose, *move_one(face, spots, None, to, b, node.span)]
    if not chosen:
        text = b.parts(GOES, things=Say(face, b.components[kind].domain), zone=places.place_said(to, b))
        code.append(Note(text, Const(b.everybody)))
    return code


def reveal(what: ModelExpr, to: ModelExpr | None, b: Builder, env: Env, span: Span) -> list[Stmt]:
    """All, or some players, see faces or learn a value: nothing moves, but they know where these are."""
    seeing: Expr = Const(b.everybody)
    if to is not None:
        seeing = bits_of_set(to, b, env).expr if to.type.is_set else op("bit", required(to, b, env).expr)
    kind = what.type.of
    if what.type.base != "component":
        return _told_value(what, seeing, b, env, span)
    components = b.components[kind]
    parts = parts_of(what, b, env)
    searched = parts is None
    spots = spots_of(what, b, env) if searched else None
    if searched and spots is None and not components.distinct and not b.careful:
        b.complain(
            "R204",
            "say where this lies: there are several alike",
            span,
            help="`reveal hand of player`, `show any card from hand of player with ... to other`",
        )
        return []
    code: list[Stmt] = []
    left = b.local("left", components.bits)
    if parts is None:
        code.append(Assign(left, bits_of_set(what, b, env).expr))
        parts = [there(place, spots, Load(left), b) for place in places.all_places(kind, b)]
    for part in parts:
        number = places.number_of(part.place, b)
        if number is None or part.bits == Const(0):
            continue
        shown, rest = b.local("shown", components.bits), b.local("rest", components.bits)
        bit, face = b.local("copy"), b.local(kind)
        others = op("minus", seeing, places.viewers(part.place, b))
        learned = knowledge.learned(kind, number, content(part.place, b), Load(shown), others, b)
        where = places.place_said(part.place, b)
        text = b.parts("{component} is revealed in {zone}", component=Say(Load(face), components.domain), zone=where)
        show = Show(b.site(), others, Load(face), text)
        each = (Assign(rest, Load(shown)), _one_after_the_other(rest, bit, face, [show], components, span))
        note = Note(b.parts("{zone}: {components}", zone=where, components=Say(Load(shown), components.domain, True)), seeing)
        done: list[Stmt] = [*learned, *each, note]
        if searched:  # of equal components, those that are found first
            done = [If(some(Load(shown)), (Assign(left, copies.less(Load(left), Load(shown), components, b)), *done))]
        code += [Assign(shown, part.bits), *done]
    return code


def _told_value(what: ModelExpr, seeing: Expr, b: Builder, env: Env, span: Span) -> list[Stmt]:
    """Some players learn a value: of a counter or marker, or what can be reckoned from what others do not see."""
    if what.type.is_set:
        b.complain("R204", f"components are revealed, and values; this is {what.type}", span)
        return []
    text = spoken(what.span.text)
    name = Message((text,), () if b.words is ENGLISH else (_said(what, text, b),))
    if isinstance(what, model.VariableValue):
        declared = b.table.variables[what.name]
        name = value_named(b, what.name)
        if what.owner is not None:
            owner = required(what.owner, b, env).expr
            name = b.parts("{value} of {owner}", value=name, owner=Say(owner, b.domain(what.owner.type)))
            if declared.visibility == "private" and declared.owner == model.PLAYER:
                seeing = op("minus", seeing, op("bit", owner))
        if declared.visibility == "open":
            return []
    value = scalar_of(what, b, env)
    now = Say(value.expr, b.domain(what.type))
    return [Show(b.site(), seeing, value.expr, b.parts("{value}: {now}", value=name, now=now))]


def _said(what: ModelExpr, text: str, b: Builder) -> str:
    """What is told that has no name of its own, in the language in which the machine speaks."""
    return b.words.name("define", what.define) if isinstance(what, model.Apply) else text


def move_one(face: Expr, spots: tuple[Spot, ...] | None, seen: Expr | None, to: Place, b: Builder, span: Span) -> list[Stmt]:
    """Move the component ``face`` (not none) to a place. ``seen``: who has seen which it is; None is all."""
    kind = to.kind
    code: list[Stmt] = []
    candidates = spots or ((Spot(BOX),) if to.cells and _never_all_laid(kind, b) else everywhere(kind, b))
    for spot in reversed(candidates):
        zone = None if spot.zone == BOX else b.table.zones[spot.zone]
        if zone is not None and zone.owned and spot.owner is None:
            player = b.local("owner")
            finder = places.finder(zone, b)
            here = _from_to(Place(zone, kind, Load(player)), to, face, seen, b, span)
            code = [Assign(player, Invoke(finder, (face,))), If(op("<=", Const(0), Load(player)), tuple(here), tuple(code))]
            continue
        place = Place(zone, kind, spot.owner, () if spot.cell is None else (spot.cell,))
        here = _from_to(place, to, face, seen, b, span)
        if len(candidates) == 1:
            return here
        test = op("has", Load(b.boxes[kind]), bit_of(face, kind, b)) if zone is None else holds(zone, spot.owner, face, b)
        if spot.when is not None:
            test = op("and", spot.when, test)
        code = [If(test, tuple(here), tuple(code))]
    return code


def _never_all_laid(kind: str, b: Builder) -> bool:
    """Whether one of each face is left in the box while a cell is empty: there are as many as cells, and nowhere else to lie."""
    zones = [zone for zone in b.table.zones.values() if zone.kind == kind]
    grids = [b.table.grids[zone.grid] for zone in zones if zone.grid]
    cells = sum(grid.cells * (b.players if grid.owned else 1) for grid in grids)
    faces = b.components[kind].kind.faces
    return len(grids) == len(zones) and not b.components[kind].distinct and min(face.copies for face in faces) >= cells


def _from_to(come: Place, to: Place, face: Expr, seen: Expr | None, b: Builder, span: Span) -> list[Stmt]:
    code = [*take_one(come, face, b), *_still_held(come, b, span), *give_one(to, face, b, span)]
    part = op("bit", bit_of(face, to.kind, b))
    return code + taught(come, to, part, op("bit", face), seen, b) + shown(come, to, face, seen, b)


def take_one(place: Place, face: Expr, b: Builder) -> list[Stmt]:
    components = b.components[place.kind]
    if place.zone is None:
        box = b.boxes[place.kind]
        return [Assign(box, taken(Load(box), face, components))]
    field = b.fields[place.zone.name]
    if place.zone.grid:
        return [*covering.take(place, face, b), *take_unordered(place, face, b)]
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
        help = f"`{place.zone.name}` holds one {place.kind}: move it away before the next one comes"
        if place.zone.owned:
            help += f" (`every {place.zone.name}` moves those of all players)"
        if any(each.form == "kept" for each in b.table.variables.values()):
            help += "; where nobody bids in an auction, `no bids: move ...` does"
        full = b.stop(
            "R609",
            span,
            Say(Load(field, place.owner), components.domain),
            " lies already in ",
            *zone_text(place, b),
            help=help,
            places=_emptied(place.zone, b),
        )
        return [If(op("<=", Const(0), Load(field, place.owner)), (full,)), Assign(field, face, place.owner)]
    if place.zone.name in b.ordered:
        size, index = b.pile_index(place.zone, place.owner)
        top = b.fields[f"top of {place.zone.name}"]
        return [Assign(top, face, index), Assign(size, op("+", Load(size, place.owner), Const(1)), place.owner)]
    one_more = Assign(field, put(Load(field, place.owner), face, components), place.owner)
    return [*covering.give(place, face, b, span), one_more] if place.zone.grid else [one_more]


def _emptied(zone: model.Zone, b: Builder) -> tuple[tuple[Span, str], ...]:
    """The lines that move on what lies in a zone, as places to look at."""
    if zone.name not in b.emptied:
        found = {
            node.span: f"`{node.what.span.text}` is moved away here{_alone(node.what)}"
            for node in b.table.statements
            if isinstance(node, model.Move) and isinstance(node.what, model.ZoneContent) and node.what.zone == zone.name
        }
        b.emptied[zone.name] = tuple(found.items())[:EMPTIED]
    return b.emptied[zone.name]


def _alone(what: model.ZoneContent) -> str:
    """What is said where the zone of one player is meant, not that of each in turn."""
    return ", and no other" if isinstance(what.owner, model.VariableValue) else ""


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
    looked_at = b.fields.get(f"seen top of {zone.name}")
    ends: list[Stmt] = [Assign(top, Const(NONE), at)]
    moves_up: list[Stmt] = [Assign(top, Load(top, behind), at)]
    if looked_at is not None:
        ends.append(Assign(looked_at, Const(0), at))
        moves_up.append(Assign(looked_at, Load(looked_at, behind), at))
    step: tuple[Stmt, ...] = (
        If(op("=", Load(top, at), Load(face)), (Assign(found, Const(1)),)),
        If(op("=", Load(found), Const(1)), (If(last, tuple(ends), tuple(moves_up)),)),
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
                While(op("<", Load(place), Load(size, whose)), step, zone.span, components.bits),
                Assign(size, op("-", Load(size, whose), Const(1)), whose),
            ),
        ),
    )
    b.routines[name] = Routine(name, (face,) if owner is None else (face, owner), body, False)
    return name


def seers_of(come: Place, to: Place, seen: Expr | None, b: Builder) -> Expr:
    """The players who see what moves from one place to another."""
    if seen is None:
        return Const(b.everybody)
    return op("union", op("union", viewers(come, b), viewers(to, b)), seen)


def taught(come: Place, to: Place, part: Expr, faces: Expr, seen: Expr | None, b: Builder) -> list[Stmt]:
    """What seats learn when ``part`` (a set of components of these faces) has moved."""
    if come.visibility == "open" and to.visibility == "open":
        return []
    openly = "open" in (come.visibility, to.visibility)
    seers = Const(b.everybody) if openly else seers_of(come, to, seen, b)
    if come.zone is None or come.visibility == "open" or come.zone.shape == "slot":
        left: Expr = Const(0)  # of an open place nobody asks
    else:
        left = content_of(come.zone, come.owner, b)
    return knowledge.moved(to.kind, number_of(come, b), number_of(to, b), part, faces, left, seers, b)


def shown(come: Place, to: Place, face: Expr, seen: Expr | None, b: Builder) -> list[Stmt]:
    """Show a component to those who see it in its new place and could not have known it."""
    if seen is None or seen == viewers(to, b) or come.visibility == "open" or to.visibility == "hidden":
        return []
    fresh = op("minus", op("minus", viewers(to, b), viewers(come, b)), seen)
    if isinstance(fresh, Const) and fresh.value == 0:
        return []
    text = b.parts(COMES, component=Say(face, b.components[to.kind].domain), zone=places.place_said(to, b))
    return [Show(b.site(), fresh, face, text)]


def move_set(node: ModelExpr, to: Place, melted: bool, b: Builder, env: Env, span: Span) -> list[Stmt]:
    """Move all members of a set to a place. ``melted``: onto a pile that is shuffled right after."""
    components = b.components[to.kind]
    ordered = to.zone is not None and (to.zone.shape == "slot" or (to.zone.name in b.ordered and not melted))
    parts = parts_of(node, b, env)
    if parts is None or ordered:
        rest, bit = b.local("rest", components.bits), b.local("copy")
        face = b.local(to.kind)
        remember, spots = settled_spots(node, b, env)
        seen = env[node.var].seen if isinstance(node, model.VarValue) and node.var in env else Const(0)
        one = move_one(Load(face), spots, seen, to, b, span)
        loop = _one_after_the_other(rest, bit, face, one, components, span)
        gathered = _gathered(_every(node, b), to.kind, b)
        return [*remember, *gathered, Assign(rest, bits_of_set(node, b, env).expr), loop]
    code: list[Stmt] = _gathered(_every(node, b), to.kind, b)
    going = [(part, b.local("moving", components.bits)) for part in parts if part.place != to]
    settled_first = len(going) > 1 and any(not part.whole for part, _ in going)  # what moves may change what fits
    if settled_first:
        code += [Assign(moving, part.bits) for part, moving in going]
    for part, moving in going:
        now = op("intersect", Load(moving), content(part.place, b)) if settled_first else part.bits
        give = _give_set(to, Load(moving), b)
        learned = taught(part.place, to, Load(moving), knowledge.faces_of(Load(moving), to.kind, b), Const(0), b)
        seen_now = _show_each(part.place, to, moving, b, span)
        here = (*_take_set(part, Load(moving), b), *_still_held(part.place, b, span), *give, *learned, *seen_now)
        code += [Assign(moving, now), If(some(Load(moving)), tuple(here))]
    return code


def _take_set(part: Part, moving: Expr, b: Builder) -> list[Stmt]:
    place = part.place
    if place.zone is None:
        field = b.boxes[place.kind]
    else:
        field = b.fields[place.zone.name]
        if place.zone.grid:
            components = b.components[place.kind]
            rest, face = b.local("rest", components.bits), b.local(place.kind)
            off = covering.take(place, Load(face), b)
            lifted = copies.for_members(rest, moving, face, off, components.domain.copies, place.zone.span)
            return [*lifted, *_less(field, place, part, moving, b)]
        if place.zone.shape == "slot":
            return [Assign(field, Const(NONE), place.owner)]
        if place.zone.name in b.ordered:
            return [
                Call(melt(place.zone, b), () if place.owner is None else (place.owner,)),
                *_less(field, place, part, moving, b),
            ]
    return _less(field, place, part, moving, b)


def _less(field: Field, place: Place, part: Part, moving: Expr, b: Builder) -> list[Stmt]:
    if part.whole:
        return [Assign(field, Const(0), place.owner)]
    return [Assign(field, copies.less(Load(field, place.owner), moving, b.components[place.kind], b), place.owner)]


def _give_set(to: Place, moving: Expr, b: Builder) -> list[Stmt]:
    field = b.boxes[to.kind] if to.zone is None else b.fields[to.zone.name]
    return [Assign(field, copies.together(Load(field, to.owner), moving, b.components[to.kind], b), to.owner)]


def _show_each(come: Place, to: Place, moving: Local, b: Builder, span: Span) -> list[Stmt]:
    components = b.components[to.kind]
    face, bit = b.local(to.kind), b.local("copy")
    shows = shown(come, to, Load(face), Const(0), b)
    if not shows:
        return []
    return [_one_after_the_other(moving, bit, face, shows, components, span)]


def _one_after_the_other(these: Local, bit: Local, face: Local, body: list[Stmt], components: Components, span: Span) -> While:
    """Take the components of a set out of it one by one, and do something with the face of each."""
    copies = components.domain.copies
    head = (
        Assign(bit, op("first", Load(these))),
        Assign(these, op("minus", Load(these), op("bit", Load(bit)))),
        Assign(face, Lookup(Constants(f"face of {components.kind.name}", copies), Load(bit)) if copies else Load(bit)),
    )
    return While(some(Load(these)), (*head, *body), span)


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
    looked_at = b.fields.get(f"seen top of {zone.name}")
    forget = () if looked_at is None else (Assign(looked_at, Const(0), at),)
    body: tuple[Stmt, ...] = (
        While(
            op("<", Const(0), Load(size, whose)),
            (
                Assign(size, op("-", Load(size, whose), Const(1)), whose),
                Assign(field, put(Load(field, whose), Load(top, at), components), whose),
                Assign(top, Const(NONE), at),
                *forget,
            ),
            zone.span,
            components.bits,
        ),
    )
    b.routines[name] = Routine(name, () if owner is None else (owner,), body, False)
    return name


def note_of(what: Message, few: Message, to: Place, seers: Expr, b: Builder) -> Note:
    """A line of the story: what went where; ``few`` is what those read who did not see it."""
    if to.zone is not None and to.zone.name == model.to_roll(to.kind):
        picked = marked("{things} picked up")
        return Note(b.parts(picked, things=what), seers, b.parts(picked, things=few))
    place = places.place_said(to, b)
    return Note(b.parts(GOES, things=what, zone=place), seers, b.parts(GOES, things=few, zone=place))
