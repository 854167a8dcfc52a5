"""The components of a table, the sizes of its grids, and its zones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import isqrt, prod
from typing import Any

from attrs import evolve

from ...common.intervals import NONE
from ...common.nouns import plural, with_article
from ...common.source import Span
from ...model import model
from ...model.from_tree.declarations.components import COMPONENTS_LIMIT
from ...model.model import PLAYER, Type
from ...model.visitor import walk, with_parts
from ..table import Face, Grid, Kind, Range, Table, Variable
from .fold import Settled

CELLS_LIMIT = 1_024  # of one grid: its sets stay a few words of memory; the largest boards in print have some hundreds
INSTANCES_LIMIT = 1_024  # of one zone, counter or marker: as many as a grid has cells
CORNERS_LIMIT = 6  # options in one range


def kind_of(kind: model.Kind, grids: Iterable[model.Grid], settled: Settled) -> Kind:
    """A kind with its faces; ``grids``: all of the game."""
    types = [(a.name, a.domain.type) for a in kind.attributes]
    names = tuple(name for name, _ in types)
    found: dict[tuple[int, ...], int] = {}
    for row in kind.rows or ():
        if not is_left_out(row, kind, settled):
            key = tuple(row.values[name] for name in names)
            found[key] = found.get(key, 0) + row.copies
    if kind.owned:
        found = _of_each_player(kind, grids, settled)
    elif kind.each is not None:
        found = _combinations(kind, _of_each(kind, kind.each, settled), kind.attributes, "", settled)
    if kind.marked and not kind.has_twins and any(n > 1 for n in found.values()):
        twice = [row.span for row in kind.rows or () if found.get(tuple(row.values[name] for name in names), 0) > 1]
        settled.complain(
            "R227",
            f"some {plural(kind.name)} are equal, and something is marked on them",
            kind.span,
            *((span, "one of these") for span in twice[:2]),
            help="give each row a number of its own, so that a marked one can be told from the others",
        )
    if len(kind.parts) > 1 and any(n > 1 for n in found.values()):
        settled.complain(
            "R227",
            f"some {plural(kind.name)} are equal, and each covers several cells",
            kind.span,
            help="give each row a number of its own, so that it can be told which of them lies where",
        )
    faces = tuple(face for key, n in found.items() if n for face in ([Face(key, 1)] * n if kind.has_twins else [Face(key, n)]))
    if not faces and not settled.found:
        settled.complain("R215", f"there is no {kind.name} in this game", kind.span)
    listed_in = kind.rows[0].span.source if kind.rows else kind.span.source
    return Kind(
        kind.name, names, tuple(words_of(type, settled) for _, type in types), tuple(type.optional for _, type in types), faces,
        kind.span, kind.parts, tuple(a.name for a in kind.part_attributes), kind.owned,
        file="" if listed_in == kind.span.source else listed_in.path, shown=kind.shown,
    )  # fmt: skip


def with_joint(kinds: list[tuple[model.Kind, Kind]], settled: Settled) -> dict[str, Kind]:
    """The kinds by name; those that have a joint kind are part of that."""
    groups: dict[str, list[Kind]] = {}
    for declared, kind in kinds:
        groups.setdefault(declared.joint or declared.name, []).append(kind)
    return {name: _joint(name, tuple(group), settled) if name != group[0].name else group[0] for name, group in groups.items()}


def _joint(name: str, kinds: tuple[Kind, ...], settled: Settled) -> Kind:
    """The joint kind of some kinds."""
    own = {attribute: words for kind in kinds for attribute, words in zip(kind.attributes, kind.words, strict=True)}
    names = tuple(kind.name for kind in kinds)

    def face(face: Face, of: Kind) -> Face:
        values = dict(zip(of.attributes, face.values, strict=True))
        return Face((*(int(each == of.name) for each in names), *(values.get(each, -1) for each in own)), face.copies)

    faces = tuple(face(each, kind) for kind in kinds for each in kind.faces)
    joint = Kind(
        name,
        (*names, *own),
        (*(("no", "yes") for _ in names), *own.values()),
        (*(False for _ in names), *(True for _ in own)),
        faces,
        kinds[0].span,
        joint=kinds,
    )
    if joint.bits > COMPONENTS_LIMIT:
        settled.complain(
            "R216",
            f"these are {joint.bits} {plural(name)}; {COMPONENTS_LIMIT} are allowed",
            kinds[0].span,
            help="let them lie in zones of their own",
        )
    return joint


def _combinations(kind: model.Kind, copies: int, size: object, help: str, settled: Settled) -> dict[tuple[int, ...], int]:
    """How many there are of each combination of attributes; none after a finding. ``copies``: where no line says otherwise.
    ``size``: what decides how many these are, and ``help`` what to do where they are too many."""
    others = [(_of_each(kind, other.count, settled), other) for other in kind.other_copies]
    spaces = [_space(a, settled) for a in kind.attributes]
    combinations = prod(map(len, spaces))
    found: dict[tuple[int, ...], int] = {}
    if combinations * (1 if others else copies) <= COMPONENTS_LIMIT:
        found = {values: _copies(values, copies, others, kind, settled) for values in product(*spaces)}
        for _, other in others:
            if not any(_is_meant(values, other, kind, settled) for values in found) and not _open(kind.attributes):
                settled.complain("R212", f"no {kind.name} fits this", other.span, (kind.span, "declared here"))
    total = sum(found.values()) if found else combinations * copies
    if total > COMPONENTS_LIMIT:
        most = COMPONENTS_LIMIT // combinations
        help = help or (f"there can be {most} of each" if most else "let its attributes have fewer values")
        _too_many(kind, total, size, help, settled)
        return {}
    return {values: number for values, number in found.items() if number}


def _of_each(kind: model.Kind, count: model.Expr, settled: Settled) -> int:
    """How many there are of each of some combinations."""
    copies = settled.value(count) or 0
    if copies < 0:
        settled.complain("R215", f"there cannot be {copies} of each {kind.name}", count.span)
    return max(0, copies)


def _copies(
    values: tuple[int, ...], copies: int, others: list[tuple[int, model.OtherCopies]], kind: model.Kind, settled: Settled
) -> int:
    """How many there are of a combination: as the last line says that fits it."""
    return next((number for number, other in reversed(others) if _is_meant(values, other, kind, settled)), copies)


def _is_meant(values: tuple[int, ...], other: model.OtherCopies, kind: model.Kind, settled: Settled) -> bool:
    """Whether a line about some combinations fits one."""
    printed = {a.name: (a.domain.type, value) for a, value in zip(kind.attributes, values, strict=True)}

    def filled(part: Any) -> Any:
        if isinstance(part, model.AttributeOf):
            type, value = printed[part.attribute]
            return model.Const(value, type=type, span=part.span)
        return with_parts(part, filled)

    return bool(settled.value(filled(other.condition)))


def _open(attributes: tuple[model.Attribute, ...]) -> bool:
    """Whether options decide which values there are."""
    return any(isinstance(part, model.OptionValue) for a in attributes for part in walk((a.domain.low, a.domain.high)))


def _of_each_player(kind: model.Kind, grids: Iterable[model.Grid], settled: Settled) -> dict[tuple[int, ...], int]:
    """How many there are of each combination of attributes, of which the first is the owner; after a finding some for each."""
    copies = _that_fit(kind, grids, settled) if kind.each is None else settled.value(kind.each)
    if copies is not None and copies < 1:  # else something was said of what their number depends on
        settled.complain("R215", f"there cannot be {copies} {plural(kind.name)} for each player", kind.span)
    sizes = tuple(size for grid in grids if kind.name in grid.kinds for size in (grid.width, grid.height))
    most = COMPONENTS_LIMIT // settled.players
    fewer = f"each player can have {most}: `pieces {kind.name}, {most} for each player`"
    help = fewer if kind.each else f"{fewer}; or let the grids have {most} cells together"
    return _combinations(kind, max(1, copies or 0), kind.each or sizes, help if len(kind.attributes) == 1 else "", settled) or {
        (seat, *(0 for _ in kind.attributes[1:])): 1 for seat in range(settled.players)
    }


def _that_fit(kind: model.Kind, grids: Iterable[model.Grid], settled: Settled) -> int:
    """How many pieces fit on all grids that hold them; 1 where one of these has an impossible size, of which `grid_of` speaks."""
    holding = [g for g in grids if kind.name in g.kinds]
    squares = [(settled.value(g.width) or 0, settled.value(g.height) or 0, g.owned) for g in holding if g.board is None]
    sizes = squares + [(len(g.board.names), 1, g.owned) for g in holding if g.board is not None]
    if any(min(width, height) < 1 or width * height > CELLS_LIMIT for width, height, _ in sizes):
        return 1
    return sum(width * height * (settled.players if owned else 1) for width, height, owned in sizes)


def _too_many(kind: model.Kind, number: int, size: object, help: str, settled: Settled) -> None:
    allowed = f"these are {number} {plural(kind.name)}; {COMPONENTS_LIMIT} are allowed"
    settled.complain("R216", allowed, kind.span, help=_smaller(size, settled) or help)


def _smaller(size: object, settled: Settled) -> str:
    """What to do where something is too large: which options, in the expressions of its ``size``, make it so ("": none)."""
    options = {part.name: part.type for part in walk(size) if isinstance(part, model.OptionValue)}
    told = " and ".join(f"`{name}` is {said(type, settled.options[name], settled)}" for name, type in options.items())
    return told and f"{told} at this table: choose less, or declare the option{'s' if len(options) > 1 else ''} with less"


def _space(attribute: model.Attribute, settled: Settled) -> list[int]:
    """The values of an attribute of which there are so many of each."""
    if attribute.domain.type == PLAYER:
        return list(range(settled.players))
    words = words_of(attribute.domain.type, settled)
    none = [-1] if attribute.domain.type.optional else []
    if words is not None:
        return [*range(len(words)), *none]
    found = range_of(attribute.domain, attribute.span, settled)
    if found is None or found.high - found.low > COMPONENTS_LIMIT:
        return list(range(COMPONENTS_LIMIT + 1))
    return [*(attribute.domain.values or range(found.low, found.high + 1)), *none]


def range_of(domain: model.Domain, span: Span, settled: Settled) -> Range | None:
    """The range of a domain of numbers; None of any other."""
    if domain.low is None or domain.high is None:
        return None
    low, high = settled.value(domain.low), settled.value(domain.high)
    if low is None or high is None:
        return None
    if low > high:
        settled.complain("R215", f"there is no number from {low} to {high}", span)
        high = low
    if low < 0 and domain.type.optional:
        settled.complain("R215", f"this begins at {low}, and what can be none has no numbers below 0", span)
    return Range(low, high)


def widest_range(domain: model.Domain, options: Mapping[str, model.Domain], settled: Settled) -> Range | None:
    """The range of a domain whose high end asks for some of ``options``, for all values of these. None where the low end may
    change (at which a counter may begin), and where the ends of the options' ranges do not give the largest number."""
    asked = [part.name for part in walk((domain.high,)) if isinstance(part, model.OptionValue)]
    low, ends = _of_no_option(domain.low, settled), [_ends(options.get(name), settled) for name in asked]
    bends = any(isinstance(part, model.Arithmetic) and part.op == "mod" for part in walk((domain.high,)))
    if domain.high is None or low is None or not 0 < len({*asked}) == len(asked) <= CORNERS_LIMIT or bends or () in ends:
        return None
    highest = []
    for corner in product(*ends):
        there = evolve(settled, options={**settled.options, **dict(zip(asked, corner, strict=True))}, needed=set(), found=[])
        highest.append(there.value(domain.high))
    known = [high for high in highest if high is not None]
    return Range(low, max(known)) if len(known) == len(highest) and min(known) >= max(low, 0) else None


def _of_no_option(node: model.Expr | None, settled: Settled) -> int | None:
    asks = any(isinstance(part, model.OptionValue) for part in walk((node,)))
    return None if node is None or asks else settled.value(node)


def _ends(domain: model.Domain | None, settled: Settled) -> tuple[int, ...]:
    """The least and the largest number of an option whose range asks for no other; none of any other option."""
    low, high = (None, None) if domain is None else (_of_no_option(end, settled) for end in (domain.low, domain.high))
    return () if domain is None or domain.type.optional or low is None or high is None else (low, high)


def words_of(type: Type, settled: Settled) -> tuple[str, ...] | None:
    """The words of a type, in the order of its values; None for numbers."""
    match type.base:
        case "player":
            return tuple(f"player {seat}" for seat in range(1, settled.players + 1))
        case "word":
            return settled.lists[type.of]
        case "truth":
            return ("no", "yes")
        case _:
            return None


def said(type: Type, value: int, settled: Settled) -> str:
    """An option's value in words."""
    words = words_of(type, settled)
    return "none" if value == -1 and type.optional else words[value] if words is not None else str(value)


def is_left_out(row: model.WrittenRow, kind: model.Kind, settled: Settled) -> bool:
    """Whether a row of a component list is not used at this table."""
    return any(_fits(row, entry, kind, settled) for entry in kind.left_out)


def _fits(row: model.WrittenRow, entry: model.LeftOut, kind: model.Kind, settled: Settled) -> bool:
    have, value = row.values[entry.column], settled.value(entry.value)
    declared = next((each.domain.type for each in kind.attributes if each.name == entry.column), None)
    if value is None or (have == NONE and (declared is None or declared.optional)):  # the field is empty
        return False
    return {
        "=": have == value,
        "!=": have != value,
        "<": have < value,
        "<=": have <= value,
        ">": have > value,
        ">=": have >= value,
    }[entry.op]


def grid_of(grid: model.Grid, settled: Settled) -> Grid:
    """A grid with its size; a finding for one that is too large, and for a tile that can never lie on it."""
    width, height = settled.value(grid.width) or 0, settled.value(grid.height) or 0
    if grid.board is not None:
        return Grid(grid.name, grid.owned, grid.kinds, width, height, grid.span, board=grid.board)
    if min(width, height) < 1:
        settled.complain("R215", f"a grid of {width} x {height} has no cells", grid.span)
        width = height = 1
    if max(width, height, width * height) > CELLS_LIMIT:
        help = _smaller((grid.width, grid.height), settled)
        if not any(known.code == "R216" and known.help == help != "" for known in settled.found):  # else it is the same mistake
            most = isqrt(CELLS_LIMIT)
            settled.complain(
                "R216",
                f"`{grid.name}` has {width * height} cells; {CELLS_LIMIT} are allowed",
                grid.span,
                help=help or f"the largest square is {most} x {most}",
            )
        width = height = 1
    for name in grid.kinds:
        parts = settled.kinds[name].parts
        across, up = (max(each) - min(each) + 1 for each in zip(*((p.column, p.row) for p in parts), strict=True))
        if not settled.found and (max(across, up) > max(width, height) or min(across, up) > min(width, height)):
            sizes = f"{with_article(name)} is {across} x {up} cells, and `{grid.name}` is {width} x {height}"
            help = "make the grid larger, or the shape smaller"
            settled.complain("R248", f"{sizes}: it can never lie there", grid.span, help=help)
    return Grid(grid.name, grid.owned, grid.kinds, width, height, grid.span, grid.hexagonal)


def zones_of(declarations: Iterable[model.Declaration], settled: Settled) -> dict[str, model.Zone]:
    """The zones by name, and those of the grids: one for each kind."""
    found = {d.name: d for d in declarations if isinstance(d, model.Zone)}
    for grid in settled.grids.values():
        for kind in grid.kinds:
            name = f"{kind} on {grid.name}"  # no name of a file has spaces
            found[name] = model.Zone(name, model.PLAYERS if grid.owned else (), "set", kind, "open", grid.name, span=grid.span)
    return found


def check_instances(table: Table, settled: Settled) -> None:
    """A finding for each zone, counter and marker of which there would be too many."""
    things: list[model.Zone | Variable] = [*table.zones.values(), *table.variables.values()]
    for thing in things:
        count = table.size(thing.owner)
        if count > INSTANCES_LIMIT and thing.owner is not None:
            sizes = [(part.noun, table.size(part)) for part in thing.owner.parts or (thing.owner,)]
            settled.complain(
                "R216",
                f"there would be {count:,} of `{thing.name}`; {INSTANCES_LIMIT:,} are allowed",
                thing.span,
                label=" times ".join(f"{size:,} for each {noun}" for noun, size in sizes),
                help="let it belong to fewer things",
            )
