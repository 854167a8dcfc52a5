"""The counters, markers, zones and grids that an expression depends on, defines included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model import model
from ...model.visitor import walk
from ...table.table import Table
from .effects import ZONES


def all_dependencies(parts: Iterable[model.Node], table: Table) -> Iterator[model.Node]:
    """All nodes of some expressions, with what the defines say for which they ask, each of these once."""
    seen: set[str] = set()
    todo = list(parts)
    while todo:
        for node in walk(todo.pop()):
            yield node
            if isinstance(node, model.Apply) and node.define not in seen:
                seen.add(node.define)
                todo.append(table.defines[node.define].value)


def named(parts: Iterable[model.Node], table: Table) -> set[str]:
    """The zones, counters and markers that expressions name."""
    return {
        node.zone if isinstance(node, model.ZoneContent) else node.name
        for node in all_dependencies(parts, table)
        if isinstance(node, model.ZoneContent | model.VariableValue)
    }


def read(expr: model.Node, table: Table) -> set[str]:
    """The counters and markers that an expression depends on, and whether it depends on zones (`ZONES`)."""
    found: set[str] = set()
    for node in all_dependencies((expr,), table):
        match node:
            case model.VariableValue(name=name):
                found.add(name)
            case model.ZoneContent() | model.OwnerOf():
                found.add(ZONES)
            case model.ScoreOf() | model.Winners() | model.Repeats():
                found |= {ZONES, *table.variables}
            case _:
                pass
    return found


def read_names(expr: model.Node, table: Table) -> set[str]:
    """The counters, markers, zones and grids that an expression depends on; `ZONES` where it is not known which."""
    found = read(expr, table) - {ZONES}
    for node in all_dependencies((expr,), table):
        match node:
            case model.ZoneContent(zone=zone):
                found.add(table.zones[zone].said if zone in table.zones else zone)
            case model.CellsOf(grid=grid) | model.Ways(grid=grid):
                found.add(grid)
            case (
                model.OwnerOf()
                | model.ScoreOf()
                | model.Winners()
                | model.Repeats()
                | model.LyingOn()
                | model.CoveredBy()
                | model.CellOf()
            ):
                found.add(ZONES)
            case _:
                pass
    return found
