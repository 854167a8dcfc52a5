"""Checks that a description from outside is the one of its module.

A host reads and writes a module's memory where the description says (`addresses.py`), past all checks of the module's own. So a
description is refused if an address lies outside of that memory, or a value has another type than `description.py` gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import attrs
import wasmtime

from ...machine.columns import Columns
from ..layout.addresses import Addresses
from .compiled import Compiled

_PAGE = 65_536
_WIDTHS = (1, 2, 4, 8)


def fits(compiled: Compiled, columns: Columns) -> bool:
    """Whether a module can be run, its rows have these columns, and what is used of its description is true of it."""
    try:
        return (
            compiled.columns == columns
            and _exports_fit(compiled)
            and _memory_fits(compiled)
            and _counts_fit(compiled.description)
        )
    except (AttributeError, LookupError, TypeError, ValueError, wasmtime.WasmtimeError):
        return False


def _exports_fit(compiled: Compiled) -> bool:
    """Nothing is imported; and the exports are those that are told, with their types."""
    module = compiled.module
    found = {
        export.name: [[str(kind) for kind in export.type.params], [str(kind) for kind in export.type.results]]
        for export in module.exports
        if isinstance(export.type, wasmtime.FuncType)
    }
    return not module.imports and bool(found) and found == compiled.description["exports"]


def _memory_fits(compiled: Compiled) -> bool:
    memory = next((export.type for export in compiled.module.exports if export.name == "memory"), None)
    if not isinstance(memory, wasmtime.MemoryType):
        return False
    size = memory.limits.min * _PAGE
    told, at = compiled.description["memory"], compiled.memory
    numbers = all(_is_number(value) for value in attrs.astuple(at))
    return (
        numbers
        and set(told) == {field.name for field in attrs.fields(Addresses)}
        and at.site_width in _WIDTHS
        and at.columns == len(compiled.columns)
        and all(0 <= start <= start + length <= size for start, length in _parts(at, compiled.columns.seats))
    )


def _parts(at: Addresses, seats: int) -> Iterator[tuple[int, int]]:
    """What is read or written from outside: where it begins, and how many bytes it has."""
    for four in (at.flag, at.done, at.counting, at.remembering, at.again, at.moments, at.found, at.only, at.site):
        yield four, 4
    yield at.status, 1
    yield at.record, at.record_size
    yield at.offered, 8 * at.option_words
    yield at.answers, 0
    yield at.row, 4 * at.columns
    yield at.bins, 4 * at.bin_count * at.columns
    yield at.lows, 4 * at.columns
    yield at.oddities, 8
    yield at.bots, 8 * seats
    yield at.heap, at.heap_size
    counted = (at.counted, at.counted_offered, at.counted_taken, at.counted_nothing, at.counted_end)
    for start, end in (*pairwise(counted), (at.thinking, at.thinking_end), (at.edges, at.edges_end), (at.shares, at.shares_end)):
        yield start, end - start
        yield end, 0


def _counts_fit(told: Any) -> bool:
    """What is counted, and by whose kinds it is played: numbers and lists of them."""
    return (
        isinstance(told["faults"], list)
        and all(_is_number(kind) for kind in told["bots"].values())
        and set(told["bots"]) == {"random", "casual", "rollouts", "search"}
        and all(site.isdecimal() and isinstance(stop.get("groups", []), list) for site, stop in told["stops"].items())
    )


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value < 1 << 32
