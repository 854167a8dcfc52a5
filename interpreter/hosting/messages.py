"""Builds the messages that clients get, as JSON data (docs/schemas/session.json).

Everything is made of what one seat may know: its view, its options, the events that it observed. Places on the table are
``{"zone", "owner"}``, with ``cell`` and ``cells`` on a grid; a component is ``{"id", "kind", "name", "facts"}``, and one of
which the seat does not know which it is only ``{"kind"}``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import field, frozen

from ..machine.from_table.components.words import word_of
from ..machine.machine import GridView, Term, ZoneView
from ..model import model
from ..play.decisions import Argument, Decision
from ..play.game import Event, Game, Option
from ..play.knowledge.views import ValueSeen, View, ZoneSeen, is_shown
from ..table.table import Kind
from ..words.kept import value_name
from .identities import At, Identities, Move

Data = dict[str, Any]
Source = Sequence[tuple[str, bool]]  # the zones from which an argument is taken, see `Decision`

REASONS_LIMIT = 400  # options that are not legal whose reasons are sent at once; those of more are asked for one by one


@frozen
class Facts:
    """What never changes at a table, for its messages."""

    game: Game
    references: dict[tuple[str, int], Data] = field(factory=dict)  # of components, without their names
    arguments: dict[tuple[Argument, int], Data] = field(factory=dict)  # of options, by seat, where they never change

    def reference(self, kind: str, face: int, id: str) -> Data:
        """A component by name."""
        if (kind, face) not in self.references:
            self.references[kind, face] = _printed(self.game, kind, face)
        return {"id": id, **self.references[kind, face]}


def _printed(game: Game, kind: str, face: int) -> Data:
    """What is printed on a component."""
    whole = game.table.kinds[kind]
    domain = game.machine.kinds[kind]
    found: Data = {"kind": kind, "name": domain.names[face], "facts": _facts(whole, face, whole.attributes)}
    if game.speaks:
        found["label"] = domain.say(face)
    if whole.joint:
        found["kind"] = next(each.name for each in whole.joint if face in whole.faces_of(each.name))
    if len(whole.parts) > 1:
        found["parts"] = [
            {
                "name": part.name,
                "x": part.column,
                "y": part.row,
                "facts": {
                    attribute: text
                    for attribute in whole.part_attributes
                    for text in _facts(whole, face, [f"{attribute}_{part.name}"]).values()
                },
            }
            for part in whole.parts
        ]
    return found


def _facts(kind: Kind, face: int, attributes: Sequence[str]) -> dict[str, str]:
    """The values of attributes on a face, in words; those that it has not are left out."""
    found = {}
    for name in attributes:
        value, words = kind.printed(name)[face], kind.words[kind.attributes.index(name)]
        if value is not None:
            found[name] = str(value) if words is None else words[value]
    return found


# ---- The table


def table_facts(game: Game) -> Data:
    """What a client needs to know of a game before any position."""
    machine = game.machine
    return {
        "game": game.name,
        "title": game.title(),
        "titles": dict(game.table.titles),
        "language": next((language for language, _ in game.table.titles if language), "en"),
        "variants": [{"name": v, "title": _variant_title(game, v)} for v in game.variants],
        "options": game.options,
        "teams": [list(team) for team in game.teams],
        "kinds": [_kind(kind, game) for kind in game.table.kinds.values()],
        "zones": [*map(_zone, filter(is_shown, machine.zones)), *(_grid(grid, game) for grid in machine.grids)],
        "values": [_value(name, game) for name in (v.name for v in machine.variables)],
        "terms": [term.title for term in machine.terms],
        **({"speaks": game.language, "said": _said(game)} if game.speaks else {}),
    }


def _said(game: Game) -> Data:
    """The names of the rules in the language of the game, by role: those that are not said as the rules have them."""
    words, machine = game.words, game.machine
    lists = [word for each in machine.lists.values() for word in each]
    printed = [word for kind in game.table.kinds.values() for each in kind.words if each is not None for word in each]
    found = {
        "zone": {zone.name: words.name("zone", zone.name) for zone in machine.zones if is_shown(zone)}
        | {grid.name: words.name("grid", grid.name) for grid in machine.grids},
        "kind": {name: words.name("kind", name) for name in game.table.kinds},
        "attribute": {name: words.name("attribute", name) for kind in game.table.kinds.values() for name in kind.attributes},
        "word": {word: word_of(word, words) for word in (*lists, *printed)},
        "value": {each.name: value_name(each.name, words) for each in machine.variables},
        "score": {term.title: term_title(term, game) for term in machine.terms},
    }
    return found


def term_title(term: Term, game: Game) -> str:
    """What a line of the score sheet is called in the language of the game."""
    name = game.words.name("score", term.name)
    return game.words.row((name, term.said or term.game)) if term.game else name


def _variant_title(game: Game, name: str) -> str:
    texts = dict(next((v.texts for v in game.rules.required().variants if v.name == name), ()))
    return texts.get("en") or next(iter(texts.values()), name)


def _kind(kind: Kind, game: Game) -> Data:
    """A kind: its attributes with all their values, in the order of the rules."""
    attributes = []
    for name, words in zip(kind.attributes, kind.words, strict=True):
        values = [value for value in kind.printed(name) if value is not None]
        said = [str(value) for value in sorted(set(values))] if words is None else list(words)
        attributes.append({"name": name, "values": said, "numbers": words is None})
    parts = [{"name": part.name, "x": part.column, "y": part.row} for part in kind.parts]
    return {
        "kind": kind.name,
        "attributes": attributes,
        "parts": parts,
        "part_attributes": list(kind.part_attributes),
        "owned": kind.owned,
        "kinds": [each.name for each in kind.joint] or [kind.name],
    }


def _zone(zone: ZoneView) -> Data:
    return {"name": zone.name, "owned": zone.owned, "shape": zone.shape, "kinds": [zone.kind], "visibility": zone.visibility}


def _grid(grid: GridView, game: Game) -> Data:
    found = {
        "name": grid.name,
        "owned": grid.owned,
        "shape": "board" if grid.board else "grid",
        "kinds": list(grid.kinds),
        "visibility": "open",
    }
    board = game.table.grids[grid.name].board
    places = list(grid.places) if grid.board else [divmod(n, grid.width)[::-1] for n in range(len(grid.domain.names))]
    lines = [] if board is None else [[grid.domain.names[point] for point in line] for line in board.lines()]
    shape = {
        "width": grid.width,
        "height": grid.height,
        "hexagonal": grid.hexagonal,
        "places": [
            {"cell": name, **({"x": places[n][0], "y": places[n][1]} if places else {})}
            for n, name in enumerate(grid.domain.names)
        ],
        "lines": lines,
    }
    return {**found, "grid": shape}


def _value(name: str, game: Game) -> Data:
    view = next(v for v in game.machine.variables if v.name == name)
    variable = game.table.variables.get(name)
    found: Data = {"name": name, "owned": view.owned, "visibility": view.visibility}
    if variable is not None and variable.owner is not None:
        found["of"] = [_type(part) for part in (variable.owner.parts or (variable.owner,))]
    if variable is not None:
        found["type"] = _type(variable.type)
    if view.domain is not None:
        found["words"] = list(view.domain.names) if len(view.domain.names) <= 200 else []
    elif variable is not None and variable.range is not None:
        found |= {"least": variable.range.low, "most": variable.range.high}
    return found


def _type(type: model.Type) -> Data:
    return {"type": type.base, "of": type.of}


# ---- A position


def view_data(view: View, known: Identities, facts: Facts) -> Data:
    return {
        "zones": [_zone_data(zone, known, facts) for zone in view.zones],
        "values": [_value_data(value, facts.game) for value in view.values],
    }


def _value_data(value: ValueSeen, game: Game) -> Data:
    if not game.speaks:
        return {"name": value.name, "of": value.of, "owner": value.owner, "value": value.value}
    return {
        "name": value.name,
        "of": value.written_of,
        "owner": value.owner,
        "value": value.written,
        "label": value.label,
        "said": value.value,
        **({"which": value.which or (value.of if not value.owner else "")} if value.of else {}),
    }


def _zone_data(zone: ZoneSeen, known: Identities, facts: Facts) -> Data:
    found: Data = {
        "zone": zone.name,
        "owner": zone.owner,
        "shape": zone.shape,
        "count": zone.count,
        "removed": zone.removed,
        "may": list(zone.may),
    }
    if facts.game.speaks:
        found["label"] = zone.label
    references = [facts.reference(c.kind, c.face, id) for c, id in zip(zone.components, known.ids(zone), strict=True)]
    if zone.shape in ("grid", "board"):
        found["components"] = [
            {**reference, "cells": list(c.cells)} for reference, c in zip(references, zone.components, strict=True)
        ]
    else:
        found["components"] = references
        found["kind"] = zone.kind
    return found


def place_data(at: At | None) -> Data | None:
    if at is None:
        return None
    return {"zone": at.zone, "owner": at.owner} | ({"cell": at.cells[0], "cells": list(at.cells)} if at.cells else {})


def move_data(move: Move, facts: Facts) -> Data:
    component: Data = {"kind": move.kind}
    if move.id is not None and move.face is not None:
        component = facts.reference(move.kind, move.face, move.id)
    return {"component": component, "from": place_data(move.start), "to": place_data(move.end)}


def event_data(index: int, event: Event, text: str | None, moves: Sequence[Data] = ()) -> Data:
    """An event as a seat was told it (None: it was not)."""
    if text is None:
        return {"index": index, "kind": "unseen", "player": 0, "text": "", "moves": list(moves)}
    heading = event.kind == "note" and text.startswith("\n")
    kind = "heading" if heading else event.kind
    return {"index": index, "kind": kind, "player": event.player, "text": text.strip(), "moves": list(moves)}


# ---- Options


def option_data(decision: Decision, seat: int, known: Identities, facts: Facts) -> list[Data]:
    """The options of a decision. What would leave a grid is left out: nobody can try it."""
    there = [option for option in decision.options if option.legal or all(_is_inside(a) for a in option.arguments)]
    reasons = sum(not option.legal for option in there) <= REASONS_LIMIT
    sources: Sequence[Source] = ()
    upto = 0
    found: list[Data] = []
    for option in there:
        if option.number >= upto:
            group = facts.game.machine.group_of(option.number)
            sources, upto = decision.sources.get(group.base, ()), group.base + group.size
        found.append(_option(option, seat, known, facts, reasons, sources))
    return found


def _is_inside(argument: Argument) -> bool:
    return argument.sort not in ("way", "step") or bool(argument.cells)


def _option(option: Option, seat: int, known: Identities, facts: Facts, reasons: bool, sources: Sequence[Source]) -> Data:
    found: Data = {
        "number": option.number,
        "verb": option.verb,
        "text": option.text,
        "arguments": [
            _argument(argument, seat, known, facts, source)
            for argument, source in zip(option.arguments, sources or ((),) * len(option.arguments), strict=True)
        ],
        "legal": option.legal,
    }
    return found | (refusal_data(option) if reasons and not option.legal else {})


def refusal_data(option: Option) -> Data:
    """Why an option is not legal."""
    if option.place is None:
        return {"why": option.why_not}
    return {"why": option.why_not, "line": option.place.line, "file": _name(option.place.source.path)}


@lru_cache(maxsize=64)
def _name(path: str) -> str:
    return Path(path).name


def _argument(argument: Argument, seat: int, known: Identities, facts: Facts, source: Source) -> Data:
    if argument.sort != "component":
        if (argument, seat) not in facts.arguments:
            facts.arguments[argument, seat] = _fixed(argument, seat, facts)
        return facts.arguments[argument, seat]
    seen = known.named(argument.of, argument.value)
    ids = sorted(seen, key=lambda id: seen[id].owner != seat)
    ids = [id for id in ids if _is_from(seen[id], seat, source)] or ids
    found: Data = {"type": argument.sort, "text": argument.text, "ids": ids}
    found["ref"] = facts.reference(argument.of, argument.value, ids[0] if ids else "")
    return found | ({"place": place_data(seen[ids[0]])} if ids else {})


def _is_from(at: At, seat: int, source: Source) -> bool:
    return any(f"{at.zone} ".startswith(f"{zone} ") and (not own or at.owner == seat) for zone, own in source)


def _fixed(argument: Argument, seat: int, facts: Facts) -> Data:
    """What is said of an argument that is no component: always the same."""
    found: Data = {"type": argument.sort, "text": argument.text}
    match argument.sort:
        case "cell" | "way" | "step":
            owned = next(grid.owned for grid in facts.game.machine.grids if grid.name == argument.of)
            found["place"] = place_data(At(argument.of, seat if owned else 0, argument.cells))
            if argument.direction:
                found["direction"] = argument.direction
                if facts.game.speaks:
                    found["direction_label"] = facts.game.words.phrase(argument.direction)
        case "player":
            found["player"] = argument.value + 1
        case "number":
            found["value"] = argument.value
        case "word":
            found |= {"value": argument.written or argument.text, "list": argument.of}
        case "component":
            pass
    return found


def scores_data(terms: Mapping[str, Sequence[int | None]], sums: Sequence[int | None]) -> Data:
    return {"terms": [{"title": title, "values": list(values)} for title, values in terms.items()], "sums": list(sums)}
