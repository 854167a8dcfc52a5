"""The places of zones, counters and markers in the record, for programs that drive a machine."""

from __future__ import annotations

from ....model.model import BOX, to_roll
from ...machine import NONE, VariableView, ZoneView
from .builder import Builder


def zone_views(b: Builder) -> tuple[ZoneView, ...]:
    """The zones, and the box of each kind."""
    found = []
    for zone in b.table.zones.values():
        ordered = zone.name in b.ordered and zone.shape == "pile"
        found.append(
            ZoneView(
                name=zone.name,
                kind=zone.kind,
                domain=b.components[zone.kind].domain,
                shape=zone.shape,
                visibility=zone.visibility,
                owner=None if zone.owner is None else b.domain(zone.owner),
                seats=b.table.seats_of(zone.owner),
                unused=b.table.unused(zone.owner),
                content=b.fields[zone.name],
                top=b.fields[f"top of {zone.name}"] if ordered else None,
                size=b.fields[f"size of top of {zone.name}"] if ordered else None,
                place=b.places.get(zone.name),
                held=b.held.get(zone.name),
                unrolled=zone.name == to_roll(zone.kind),
                grid=zone.grid,
            )
        )
    for kind, box in b.boxes.items():
        domain = b.components[kind].domain
        found.append(
            ZoneView(
                name=f"{BOX} of {kind}",
                kind=kind,
                domain=domain,
                shape="set",
                visibility="open",
                owner=None,
                seats=(NONE,),
                content=box,
            )
        )
    return tuple(found)


def variable_views(b: Builder) -> tuple[VariableView, ...]:
    """The counters and markers that rules name; what only limits count is nobody's business."""
    return tuple(
        VariableView(
            name=v.name,
            domain=b.domain(v.type),
            owner=None if v.owner is None else b.domain(v.owner),
            seats=b.table.seats_of(v.owner),
            unused=b.table.unused(v.owner),
            visibility=v.visibility,
            content=b.fields[v.name],
            optional=v.type.optional,
        )
        for v in b.table.variables.values()
        if v.form != "limit"
    )
