"""Lowers the beginning of a game: the first content of the record, and its reset between the games of a match.

The first game begins in a fresh record: only what is not zero bytes has to be put there. A later game of a match begins in
the record of the game before it: all is made as in a fresh one, except for what the match keeps.

- Components go back to the box, openly, without those that lie in kept zones.
- Counters and markers get their first values; whatever else the record holds of the game (orders of piles, things that only
  the machine counts) becomes zero bytes.
- Nobody knows anything any more of places that are empty again; what was known of kept places stays.
"""

from __future__ import annotations

from ....common.source import Span
from ....model.model import GAMES_PLAYED, to_roll
from ....table.table import Match, Variable
from ...machine import NONE, Assign, Const, Expr, Field, Load, Routine, Stmt, While
from ..building.builder import Builder
from ..building.values import op
from ..components import knowledge, places
from ..components.copies import less
from ..components.places import all_places, content
from ..expressions import markers
from . import earlier_games

BACK = "back to the box"


def begin(b: Builder) -> Routine:
    """Everything in its box, and every counter at its start (0, or the lowest where 0 is outside)."""
    code: list[Stmt] = [Assign(b.boxes[kind], Const(c.all)) for kind, c in b.components.items()]
    code += _dice_out(b)
    for variable in b.table.variables.values():
        target, start = b.fields[variable.name], _start(variable, b)
        if start != target.low:
            code += [Assign(target, Const(start), Const(i) if target.length > 1 else None) for i in range(target.length)]
            code += markers.begun(target, start, b)
    for field in earlier_games.fields(b):
        if field.low < 0:
            code += _filled(field, 0, b, b.table.span)
    return Routine("begin", (), tuple(code), False)


def begin_again(match: Match, b: Builder) -> Routine:
    """The code that begins another game of a match; to be made when all fields are there."""
    lasting = {GAMES_PLAYED, *(field.name for field in earlier_games.fields(b))}
    for name in match.kept:
        lasting |= {name, f"top of {name}", f"size of top of {name}"}
    boxes = {field.name for field in b.boxes.values()}
    by_value: list[Stmt] = []
    code: list[Stmt] = [Assign(b.boxes[kind], _all_but_kept(kind, match, b)) for kind in b.components]
    for field in b.fields.values():
        if field.name in lasting or field.name in boxes or field.region not in ("game", "index"):
            continue
        variable = b.table.variables.get(field.name)
        start = _start(variable, b) if variable is not None else 0 if field.bits else field.low
        code += _filled(field, start, b, match.span)
        by_value += markers.begun(field, start, b) if start != field.low else []
    code += by_value
    for kind in b.knowledge:
        code = _known_of(kind, match, code, b)
    code += _dice_out(b)
    return Routine(BACK, (), tuple(code), False)


def _dice_out(b: Builder) -> list[Stmt]:
    """Out of the box, the faces of dice go to where they are rolled from; all know that they are there."""
    code: list[Stmt] = []
    for kind in b.components:
        zone = b.table.zones.get(to_roll(kind))
        if zone is not None:
            box, number = b.boxes[kind], places.number_of(places.Place(zone, kind, None), b)
            faces = knowledge.faces_of(Load(box), kind, b)
            learned = knowledge.moved(kind, None, number, Load(box), faces, Const(0), Const(b.everybody), b)
            code += [Assign(b.fields[zone.name], Load(box)), *learned, Assign(box, Const(0))]
    return code


def _known_of(kind: str, match: Match, back: list[Stmt], b: Builder) -> list[Stmt]:
    """Around the code by which everything goes ``back``: what makes the seats know of the places of a kind what they should."""
    known, closed = b.knowledge[kind], places.closed(kind, b)
    emptied = [(number, place) for number, place in enumerate(closed) if place.zone and place.zone.name not in match.kept]
    if len(emptied) == len(closed):
        return back + [line for field in (known.may, known.certain) if field for line in _filled(field, 0, b, match.span)]
    before: list[Stmt] = []
    after: list[Stmt] = []
    for number, place in emptied:
        lay_there = b.local("lay there", b.components[kind].bits)
        before.append(Assign(lay_there, places.content(place, b)))
        part, faces = Load(lay_there), knowledge.faces_of(Load(lay_there), kind, b)
        after += knowledge.moved(kind, Const(number), None, part, faces, Const(0), Const(b.everybody), b)
    if known.may is not None:
        found = (known.elements[seat * known.places + number] for seat in range(b.players) for number, _ in emptied)
        after += [Assign(known.may, Const(0), Const(element)) for element in found if element != NONE]
    return [*before, *back, *after]


def _start(variable: Variable, b: Builder) -> int:
    """The value of a counter or marker when a game begins."""
    target = b.fields[variable.name]
    counts = variable.range is not None and not variable.type.optional
    return 0 if counts and target.low <= 0 <= target.high else target.low


def _filled(field: Field, value: int, b: Builder, span: Span) -> list[Stmt]:
    """Give every element of a field the same value."""
    if field.length == 1:
        return [Assign(field, Const(value))]
    index = b.local("index")
    one = (Assign(field, Const(value), Load(index)), Assign(index, op("+", Load(index), Const(1))))
    return [Assign(index, Const(0)), While(op("<", Load(index), Const(field.length)), one, span, field.length)]


def _all_but_kept(kind: str, match: Match, b: Builder) -> Expr:
    """The components of a kind that go back to the box."""
    components = b.components[kind]
    found: Expr = Const(components.all)
    for place in all_places(kind, b):
        if place.zone is not None and place.zone.name in match.kept:
            found = less(found, content(place, b), components, b)
    return found
