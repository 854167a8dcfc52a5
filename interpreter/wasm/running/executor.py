"""The fast executor of a machine: plays it step by step as a WebAssembly module, with the methods of the reference executor.

A game in progress is a bytearray, its record. Each call copies it into the module's memory and, where it changed, out again: one
call at a time, whatever threads they come from. Explanations (texts, the reasons why an option is not legal) come from the
reference executor only.
"""

from __future__ import annotations

from threading import Lock

from ...machine.analysis import derived
from ...machine.analysis.layout import FAULT
from ...machine.bitsets import members
from ...machine.machine import Chance, Choose, Machine
from ...machine.reference.executor import FunctionFault
from ...machine.reference.stops import Stop
from ...machine.traverse import every_statement
from ..emission.lowering.flow import CHANCE_EVENT, DECISION, HALT, OVER
from ..emission.lowering.memory import answer_sizes
from .compiled import Compiled, compiled_from
from .instance import Instance, Trap

_KINDS = {DECISION: "decision", CHANCE_EVENT: "chance", OVER: "over", HALT: "halt"}


class WasmExecutor:
    """Plays one machine. ``compiled``: its module, where there is one already."""

    def __init__(self, machine: Machine, compiled: Compiled | None = None) -> None:
        self.machine = machine
        module = compiled or compiled_from(machine)
        addresses = module.memory
        self._compiled, self._instance = module, Instance(module)
        memory, at = self._instance.memory, addresses.record
        self._record = memory[at : at + addresses.record_size]
        at = addresses.offered
        self._offered = memory[at : at + 8 * addresses.option_words]
        self._answers = memory[addresses.answers :]
        self._faults, control = derived.faults(machine), derived.control(machine)
        places = machine.layout.record
        self._digests, self._site, self._status = (places[field] for field in (control.digest, control.site, control.status))
        self._sizes = answer_sizes(machine)
        self._nodes: dict[int, Choose | Chance] = {
            stmt.site: stmt
            for routine in machine.routines.values()
            for stmt in every_statement(routine.body)
            if isinstance(stmt, Choose | Chance)
        }
        self._turn = Lock()
        self._at: bytes = b""  # the record of which the module's memory has the answers

    # ---- Games

    def fresh(self, seed: int = 0, game: int = 0) -> bytearray:
        """A game that has not begun; its random streams are those of game number ``game`` of ``seed``."""
        with self._turn:
            self._at = b""
            self._instance.export("reset")(seed, game)
            return bytearray(self._record)

    def pack(self, cells: bytearray) -> bytes:
        """The record of a game."""
        return bytes(cells)

    def unpack(self, data: bytes) -> bytearray:
        """The game of a record. ValueError for a wrong size."""
        if len(data) != len(self._record):
            raise ValueError(f"a record of this game has {len(self._record)} bytes, not {len(data)}")
        return bytearray(data)

    def enter(self, cells: bytearray) -> Stop:
        """Play from the beginning to the first stop."""
        with self._turn:
            self._at = b""
            self._record[:] = cells
            return self._run(cells, "begin", 0)

    def stop(self, cells: bytearray) -> Stop:
        """Where a game stands. What is legal or possible there is worked out anew."""
        with self._turn:
            self._at = b""
            self._record[:] = cells
            return self._run(cells, "stop")

    # ---- What is asked

    def options(self, cells: bytearray) -> list[int]:
        """The numbers of the legal options, ascending."""
        with self._turn:
            self._stand(cells)
            return members(int.from_bytes(self._offered, "little"))

    def legal(self, cells: bytearray, alternative: int) -> int:
        """The legal positions of the alternative number ``alternative`` of the decision, as a set."""
        with self._turn:
            self._stand(cells)
            sizes = self._sizes[self._node().site]
            start = 8 * sum(sizes[:alternative])
            return int.from_bytes(self._answers[start : start + 8 * sizes[alternative]], "little")

    def player(self, cells: bytearray) -> int:
        """Who decides."""
        with self._turn:
            self._stand(cells)
            return self._asked("player")

    def pick(self, cells: bytearray, seat: int) -> int:
        """The option that the random bot of a seat takes, drawn from its own stream."""
        with self._turn:
            self._stand(cells)
            return self._drawn(cells, "pick", seat)

    def choose(self, cells: bytearray, option: int) -> Stop:
        """Take an option and run on to the next stop. ValueError if it is not legal."""
        with self._turn:
            self._stand(cells)
            return self._run(cells, "choose", option)

    def outcomes(self, cells: bytearray) -> list[tuple[int, int]]:
        """The possible values of the chance event, ascending, each with its weight."""
        with self._turn:
            self._stand(cells)
            node = self._node()
            assert isinstance(node, Chance)
            pool = int.from_bytes(self._answers[: 8 * self._sizes[node.site][0]], "little")
        weights: dict[int, int] = {}
        for value in node.domain.members(pool):
            weights[value] = weights.get(value, 0) + 1
        return sorted(weights.items())

    def draw(self, cells: bytearray) -> int:
        """A value for the chance event from the game's own stream."""
        with self._turn:
            self._stand(cells)
            return self._drawn(cells, "draw")

    def happen(self, cells: bytearray, value: int) -> Stop:
        """Let the chance event have a value and run on to the next stop. ValueError if the value is not possible."""
        with self._turn:
            self._stand(cells)
            return self._run(cells, "happen", value)

    def digest(self, cells: bytearray, seat: int) -> int:
        """The digest of all that a seat (from 0) has observed."""
        at = self._digests.offset + 8 * seat
        return int.from_bytes(cells[at : at + 8], "little")

    def evaluate(self, cells: bytearray, function: str, *arguments: int) -> int:
        """The value of a function of the score sheet, or of the winner. `FunctionFault` where it stops with a fault."""
        with self._turn:
            self._stand(cells)
            return self._asked(f"evaluate {function}", *arguments)

    # ---- How it runs

    def _stand(self, cells: bytearray) -> None:
        """Let the module stand where a game stands."""
        if self._at != cells:
            self._record[:] = cells
            self._at = b""
            try:
                self._instance.export("stop")()
            except Trap:
                self._instance.in_time(self._compiled.left_off)
                self._record[:] = cells  # it was stopped by a fault, or is no game: what is asked next will say so
            self._at = bytes(cells)

    def _asked(self, name: str, *arguments: int) -> int:
        try:
            return self._instance.export(name)(*arguments)
        except Trap:
            self._instance.in_time(self._compiled.left_off)
            raise FunctionFault(self._fault()) from None
        finally:
            if self._record != self._at:  # a fault is told in the record, but does not stop the game here
                self._at = b""

    def _drawn(self, cells: bytearray, name: str, *arguments: int) -> int:
        found = self._instance.export(name)(*arguments)
        cells[:] = self._record
        self._at = bytes(cells)
        return found

    def _run(self, cells: bytearray, name: str, *arguments: int) -> Stop:
        before, self._at = self._at, b""
        try:
            kind = self._instance.export(name)(*arguments)
        except Trap:
            self._instance.in_time(self._compiled.left_off)
            stop = self._fault()
            cells[:] = self._record
            return stop
        if kind < 0:
            self._at = before
            raise ValueError("this is not possible now")
        cells[:] = self._record
        if kind not in (DECISION, CHANCE_EVENT):
            return Stop(_KINDS[kind])  # type: ignore[arg-type]
        self._at = bytes(cells)
        return Stop(_KINDS[kind], self._node())  # type: ignore[arg-type]

    def _at_site(self) -> int:
        """The number that stands in the record for the site, 1 and on."""
        site = self._site
        return int.from_bytes(self._record[site.offset : site.offset + site.width], "little")

    def _node(self) -> Choose | Chance:
        return self._nodes[self._at_site() - 1]

    def _fault(self) -> Stop:
        """What a trap was. One of which the record says nothing is a promise that was broken."""
        status, site = self._status, self._site
        if self._record[status.offset] != FAULT:
            self._record[status.offset] = FAULT
            self._record[site.offset : site.offset + site.width] = (self._faults.broken + 1).to_bytes(site.width, "little")
        return Stop("fault", None, self._faults.table[self._at_site() - 1])
