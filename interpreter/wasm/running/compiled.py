"""A compiled table: the module's bytes and their description, which is all that is needed to play it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from ...common.source import Source, Span
from ...machine.columns import Columns
from ..layout.addresses import Addresses

if TYPE_CHECKING:
    import wasmtime

    from ...machine.machine import Machine


@frozen(eq=False, slots=False)
class Compiled:
    """``content``: the ``.wasm``. ``description``: see `description.py`; plain data, as json has it."""

    content: bytes = field(repr=False)
    description: Mapping[str, Any] = field(repr=False)

    @cached_property
    def module(self) -> wasmtime.Module:
        """Native code, which threads may share."""
        from .instance import compile_module

        return compile_module(self.content)

    @cached_property
    def memory(self) -> Addresses:
        return Addresses(**self.description["memory"])

    def left_off(self, memory: memoryview) -> Span | None:
        """After a trap for lack of time: the line of the rules that was being done, where that is known."""
        at = self.memory
        if memory[at.status] != at.stopped:
            return None
        told = self.description["faults"][int.from_bytes(memory[at.site : at.site + at.site_width], "little") - 1]
        with suppress(OSError, ValueError):
            source = Source(told["path"], Path(told["path"]).read_text(encoding="utf-8"))
            return Span(source, told["start"], told["end"]) if told["end"] <= len(source.text) else None
        return None

    @cached_property
    def columns(self) -> Columns:
        return Columns.from_data(self.description["columns"])


def compiled_from(machine: Machine, playouts_only: bool = False) -> Compiled:
    """A machine as a module. ``playouts_only``: it plays whole random games and nothing else, made in less than half the time."""
    from ..binary.encoding import encode
    from ..emission import emit
    from .description import describe

    module, memory = emit(machine, playouts_only)
    return Compiled(encode(module), describe(machine, module, memory))
