"""The description of a module for hosts, in plain data that json can hold: exported beside the ``.wasm``.

It is enough to play a table anywhere, a browser included, without the compiler. Numbers of players count from 0. The keys:

- ``game``, ``seats``, ``seat_names``, ``teams`` (for each seat, the set of its team's seats);
- ``exports``: for each function its parameters and results, as the format names them (``i32``, ``i64``);
- ``memory``: what lies where (`addresses.py`);
- ``record``: its size, its ``regions`` (first byte, and the one behind the last), its ``fields``;
- ``groups``: the options; those of a group are ``base .. base + size - 1``, the last argument running fastest;
- ``zones``, ``grids``, ``variables``, ``knowledge``: where what can be seen lies in the record, by the names of fields, with
  who sees it;
- ``kinds``, ``lists``: the names of components and words;
- ``stops``: by site, what is asked there: of a decision the group of each alternative and how many words its legal positions
  take in ``answers``, of a chance event the domain of its values;
- ``terms``, ``winner``, ``keys``, ``returns``: the functions of the score sheet, of the ranking and of what a player gets
  (``evaluate NAME``);
- ``sight``: of what ``see`` writes: its ``size``, where the ``amounts`` begin, and their ``places`` (zone, owner or none);
- ``walk``: of ``walk``, the ``frame_size`` and, as a part of it, the ``stop_size`` (see `emission/exports/perft.py`);
- ``batches``: of a result of ``step_many``: its ``result_size``, and where the ``scores`` and the ``returns`` begin;
- ``bots``: the numbers of the kinds of bots;
- ``columns``: of a row of statistics (`machine/columns.py`);
- ``faults``: by number, what can stop a game: code, text (as far as it does not depend on the game), where it stands, help.

A field is ``{"offset", "width", "length", "low", "bits"}``: ``length`` elements of ``width`` bytes, each a number less
``low``, or (``bits`` > 0) a set, bit n for copy n. A domain is ``{"names", "low", "copies"}`` (see `Domain`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from ...machine.analysis import derived
from ...machine.analysis.layout import FAULT
from ...machine.columns import Columns
from ...machine.machine import Chance, Choose, Domain, Fault, Field, Machine
from ...machine.places import places_of
from ...machine.traverse import every_statement
from ...players.workspace import EDGE_SIZE
from ..binary.module import PAGE, Module
from ..emission.exports.batches import result_size, returns_in_result, scores_in_result
from ..emission.exports.bots import workspace_in
from ..emission.exports.driver import CASUAL, RANDOM, ROLLOUTS, SEARCH
from ..emission.exports.perft import frame_size, stop_size
from ..emission.exports.sight import size_of_sight
from ..emission.lowering.memory import BINS, Memory, answer_sizes
from ..layout.addresses import FLAG, Addresses, Shared


def describe(machine: Machine, module: Module, memory: Memory) -> dict[str, Any]:
    """The description of the module of a machine."""
    columns = Columns.of(machine)
    return {
        "game": machine.game,
        "seats": machine.seats,
        "seat_names": list(machine.seat_names),
        "teams": list(machine.teams),
        "exports": {f.export: [list(f.parameters), list(f.results)] for f in module.functions if f.export},
        "memory": attrs.asdict(addresses_of(machine, module, memory)),
        "record": _record(machine),
        "groups": [
            {
                "verb": group.verb,
                "text": group.text,
                "arguments": [_domain(domain) for domain in group.arguments],
                "base": group.base,
                "size": group.size,
            }
            for group in machine.groups
        ],
        "zones": [
            {
                "name": zone.name,
                "kind": zone.kind,
                "shape": zone.shape,
                "visibility": zone.visibility,
                "owner": _domain(zone.owner),
                "seats": list(zone.seats),
                "content": zone.content.name,
                "top": _name(zone.top),
                "size": _name(zone.size),
                "held": _name(zone.held),
                "place": zone.place,
                "grid": zone.grid,
            }
            for zone in machine.zones
        ],
        "grids": [
            {
                "name": grid.name,
                "owned": grid.owned,
                "width": grid.width,
                "height": grid.height,
                "cells": _domain(grid.domain),
                "kinds": {kind: [field.name for field in fields] for kind, fields in grid.kinds.items()},
                "texts": {kind: [list(part) for part in parts] for kind, parts in grid.texts.items()},
            }
            for grid in machine.grids
        ],
        "variables": [
            {
                "name": variable.name,
                "content": variable.content.name,
                "domain": _domain(variable.domain),
                "owner": _domain(variable.owner),
                "seats": list(variable.seats),
                "visibility": variable.visibility,
            }
            for variable in machine.variables
        ],
        "knowledge": [
            {"kind": each.kind, "places": each.places, "may": _name(each.may), "elements": list(each.elements)}
            for each in machine.knowledge
        ],
        "kinds": {kind: _domain(domain) for kind, domain in machine.kinds.items()},
        "lists": {name: list(words) for name, words in machine.lists.items()},
        "stops": _stops(machine),
        "terms": [{"name": term.name, "title": term.title, "function": term.function} for term in machine.terms],
        "winner": machine.winner,
        "returns": machine.returns,
        "keys": [
            {
                "label": key.label,
                "highest": key.highest,
                "function": key.function,
                "domain": _domain(key.domain),
                "none": key.none,
            }
            for key in machine.keys
        ],
        "sight": {
            "size": size_of_sight(machine),
            "amounts": machine.layout.size,
            "places": [[zone.name, owner] for zone, owner in places_of(machine)],
        },
        "walk": {
            "frame_size": frame_size(memory, machine),
            "stop_size": stop_size(memory, machine),
        },
        "batches": {
            "result_size": result_size(memory.option_words, machine),
            "scores": scores_in_result(memory.option_words),
            "returns": returns_in_result(memory.option_words, machine),
        },
        "bots": {"random": RANDOM, "casual": CASUAL, "rollouts": ROLLOUTS, "search": SEARCH},
        "columns": {
            **columns.to_data(),
            "names": list(columns.names),
        },
        "faults": [_fault(each) for each in derived.faults(machine).table],
    }


def addresses_of(machine: Machine, module: Module, memory: Memory) -> Addresses:
    """What lies where in a module's memory."""
    control = derived.control(machine)
    site, status = machine.layout.record[control.site], machine.layout.record[control.status]
    heap = max(data.offset + len(data.content) for data in module.data)
    heap = (heap + 63) // 64 * 64
    workspace, _ = workspace_in(machine, memory, Columns.of(machine), 0)
    return Addresses(
        **{shared.name: getattr(memory, shared.name) for shared in attrs.fields(Shared)},
        flag=FLAG,
        remembering=workspace.remembering,
        thinking=workspace.thinking,
        thinking_end=workspace.generator,
        again=workspace.again,
        moments=workspace.moments,
        tree=workspace.nodes,
        found=workspace.found,
        edges=workspace.edges,
        edges_end=workspace.edges + EDGE_SIZE * machine.options,
        shares=workspace.shares,
        shares_end=workspace.shares + 8 * machine.options,
        only=workspace.only,
        alone=workspace.alone,
        lowest=workspace.lowest,
        counted=memory.counts.options,
        counted_offered=memory.counts.offered,
        counted_taken=memory.counts.taken,
        counted_nothing=memory.counts.nothing,
        counted_end=memory.counts.end,
        bin_count=BINS,
        heap=heap,
        heap_size=module.pages * PAGE - heap,
        site=memory.record + site.offset,
        site_width=site.width,
        status=memory.record + status.offset,
        stopped=FAULT,
    )


def _record(machine: Machine) -> Mapping[str, Any]:
    return {
        "size": machine.layout.size,
        "regions": {region: list(part) for region, part in machine.layout.regions.items()},
        "fields": {
            variable.name: {
                "offset": place.offset,
                "width": place.width,
                "length": place.length,
                "low": place.low,
                "bits": variable.bits,
            }
            for variable, place in machine.layout.record.items()
            if isinstance(variable, Field)
        },
    }


def _stops(machine: Machine) -> dict[str, Any]:
    """By site, but for those that the flow never comes to: a module does not count them either."""
    sizes = answer_sizes(machine)
    reached = derived.flow(machine).sites
    found: dict[str, Any] = {}
    for routine in machine.routines.values():
        for stmt in every_statement(routine.body):
            match stmt:
                case Choose(site=site, alternatives=alternatives) if site in reached:
                    found[str(site)] = {"groups": [a.group for a in alternatives], "words": sizes[site]}
                case Chance(site=site, domain=domain) if site in reached:
                    found[str(site)] = {"domain": _domain(domain), "words": sizes[site]}
                case _:
                    pass
    return found


def _domain(domain: Domain | None) -> dict[str, Any] | None:
    if domain is None:
        return None
    return {"names": list(domain.names), "low": domain.low, "copies": list(domain.copies)}


def _name(field: Field | None) -> str | None:
    return None if field is None else field.name


def _fault(fault: Fault) -> dict[str, Any]:
    text = "".join(part if isinstance(part, str) else "..." for part in fault.message.parts)
    span = fault.span
    return {
        "code": fault.code,
        "text": text,
        "path": span.source.path,
        "start": span.start,
        "end": span.end,
        "line": span.line,
        "help": fault.help,
    }
