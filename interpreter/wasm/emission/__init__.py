"""Emission: from a machine to a WebAssembly module.

A module imports nothing, has one memory of fixed size, never recurses, and counts the rounds of its loops. It keeps nothing
between calls but the answers of the stop at which the working record stands: so a clone is a copy of bytes, and a record is set
by writing it and calling ``stop``. A record from elsewhere can neither hang a module nor reach outside it, but it may spoil the
module's own tables; play an untrusted record in an instance of its own.
"""

from __future__ import annotations

from ...machine.columns import Columns
from ...machine.machine import Machine
from ..binary.module import PAGE, Module
from ..optimize.dead_stores import without_dead_stores
from .exports.batches import add_batches
from .exports.bots import add_bots
from .exports.interface import add_interface
from .exports.many import add_many
from .exports.outcome import OutcomeEmitter
from .exports.perft import add_walking
from .exports.sight import add_sight
from .lowering.emitter import GLOBALS, Emitter
from .lowering.flow import FlowEmitter
from .lowering.memory import Memory
from .lowering.playouts import PlayoutEmitter

HEAP = 64 * PAGE  # bytes that are the host's: for some thousand games of the largest records; what is not used takes no memory


def emit(machine: Machine, playouts_only: bool = False) -> tuple[Module, Memory]:
    """The module of a machine, and what lies where in its memory. ``playouts_only``: ``play``, ``head`` and what these ask."""
    columns = Columns.of(machine)
    emitter = Emitter(without_dead_stores(machine) if playouts_only else machine, len(columns))
    flow = FlowEmitter(emitter)
    outcome = OutcomeEmitter(emitter, flow, columns)
    add_many(emitter, "play", PlayoutEmitter(emitter, flow, outcome.number).game)
    outcome.add_head()
    if not playouts_only:
        add_interface(emitter, flow)
        add_sight(emitter)
        add_batches(emitter)
        add_walking(emitter, flow)
        add_bots(emitter, flow, columns, outcome.number)
    functions = emitter.finish()
    heap = (emitter.tables.end + 63) // 64 * 64
    pages = (heap + HEAP + PAGE - 1) // PAGE
    return Module(functions, GLOBALS, (emitter.tables.data(),), pages), emitter.memory
