"""One instance of a module, run by wasmtime: the fast executor of a machine, with the methods of the reference executor.

A game in progress is a bytearray, its record (`Cells` here). Each call copies it into the module's memory and out again. What the
reference executor explains (texts, why an option is not legal), this one does not.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import wasmtime

from ..machine.bitsets import members
from ..machine.faults import faults_of
from ..machine.layout import FAULT, control_fields
from ..machine.blocks import flatten
from ..machine.machine import Chance, Choose, Machine
from ..machine.reference.executor import FunctionFault
from ..machine.reference.stops import Stop
from ..machine.traverse import every_statement
from .encoding import encode
from .from_machine import emit
from .from_machine.flow import CHANCE_EVENT, DECISION, HALT, OVER
from .from_machine.memory import answer_sizes

KINDS = {DECISION: "decision", CHANCE_EVENT: "chance", OVER: "over", HALT: "halt"}


def configured() -> wasmtime.Engine:
    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    return wasmtime.Engine(config)


class WasmExecutor:
    """Plays one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        module, self.memory = emit(machine)
        engine = configured()
        self._store = wasmtime.Store(engine)
        self._instance = wasmtime.Instance(self._store, wasmtime.Module(engine, encode(module)), [])
        self._exports = self._instance.exports(self._store)
        memory = self._exports["memory"]
        address = ctypes.addressof(memory.data_ptr(self._store).contents)
        size = memory.data_len(self._store)
        self._bytes = memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")
        flow = flatten(machine.routines, machine.main)
        self._faults = faults_of(machine.functions, machine.routines)
        control = control_fields(machine.functions, machine.routines, flow, machine.seats)
        self._site, self._status = machine.layout.record[control.site], machine.layout.record[control.status]
        self._digest = machine.layout.record[control.digest]
        self._sizes = answer_sizes(machine)
        self._nodes: dict[int, Choose | Chance] = {
            stmt.site: stmt
            for routine in machine.routines.values()
            for stmt in every_statement(routine.body)
            if isinstance(stmt, Choose | Chance)
        }
        self._loaded: bytes = b""

    # ---- Games

    def fresh(self, seed: int = 0, game: int = 0) -> bytearray:
        self._call("reset", seed, game)
        return bytearray(self._record())

    def pack(self, cells: bytearray) -> bytes:
        return bytes(cells)

    def unpack(self, data: bytes) -> bytearray:
        return bytearray(data)

    def enter(self, cells: bytearray) -> Stop:
        return self._run(cells, "begin", 0)

    def stop(self, cells: bytearray) -> Stop:
        return self._run(cells, "stop")

    def choose(self, cells: bytearray, option: int) -> Stop:
        self._at(cells)
        return self._run(cells, "choose", option)

    def happen(self, cells: bytearray, value: int) -> Stop:
        self._at(cells)
        return self._run(cells, "happen", value)

    # ---- Questions

    def options(self, cells: bytearray) -> list[int]:
        self._at(cells)
        at = self.memory.offered
        return members(int.from_bytes(self._bytes[at : at + 8 * self.memory.option_words], "little"))

    def player(self, cells: bytearray) -> int:
        self._at(cells)
        return self._call("player")

    def pick(self, cells: bytearray, seat: int) -> int:
        self._at(cells)
        found = self._call("pick", seat)
        cells[:] = self._record()
        self._loaded = bytes(cells)
        return found

    def outcomes(self, cells: bytearray) -> list[tuple[int, int]]:
        self._at(cells)
        site = int.from_bytes(cells[self._site.offset : self._site.offset + self._site.width], "little") - 1
        node = self._nodes[site]
        assert isinstance(node, Chance)
        at = self.memory.answers
        pool = int.from_bytes(self._bytes[at : at + 8 * self._sizes[site][0]], "little")
        weights: dict[int, int] = {}
        for value in node.domain.members(pool):
            weights[value] = weights.get(value, 0) + 1
        return sorted(weights.items())

    def draw(self, cells: bytearray) -> int:
        self._at(cells)
        found = self._call("draw")
        cells[:] = self._record()
        self._loaded = bytes(cells)
        return found

    def digest(self, cells: bytearray, seat: int) -> int:
        at = self._digest.offset + 8 * seat
        return int.from_bytes(cells[at : at + 8], "little")

    def evaluate(self, cells: bytearray, function: str, *arguments: int) -> int:
        self._at(cells)
        self._loaded = b""
        try:
            found = self._call(f"evaluate {function}", *arguments)
        except wasmtime.Trap:
            raise FunctionFault(self._fault()) from None
        return found

    # ---- How it runs

    def _record(self) -> memoryview:
        return self._bytes[self.memory.record : self.memory.record + self.memory.record_size]

    def _at(self, cells: bytearray) -> None:
        """Let the module stand where a game stands."""
        if self._loaded != cells:
            self._record()[:] = cells
            self._call("stop")
            self._loaded = bytes(cells)

    def _call(self, name: str, *arguments: int) -> int:
        return self._exports[name](self._store, *map(_signed, arguments))  # type: ignore[operator, no-any-return]

    def _run(self, cells: bytearray, name: str, *arguments: int) -> Stop:
        self._record()[:] = cells
        self._loaded = b""
        try:
            kind = self._call(name, *arguments)
        except wasmtime.Trap:
            if self._bytes[self.memory.record + self._status.offset] != FAULT:
                raise
            cells[:] = self._record()
            return self._fault()
        if kind < 0:
            raise ValueError("this is not possible now")
        cells[:] = self._record()
        if kind not in (DECISION, CHANCE_EVENT):
            return Stop(KINDS[kind])  # type: ignore[arg-type]
        self._loaded = bytes(cells)
        return Stop(KINDS[kind], self._nodes[self._number(self._site) - 1])  # type: ignore[arg-type]

    def _number(self, place: object) -> int:
        at = self.memory.record + place.offset  # type: ignore[attr-defined]
        return int.from_bytes(self._bytes[at : at + place.width], "little")  # type: ignore[attr-defined]

    def _fault(self) -> Stop:
        return Stop("fault", None, self._faults.table[self._number(self._site) - 1])


def _signed(value: int) -> int:
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value
