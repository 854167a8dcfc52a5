"""Runs a module: compiled once a process, with one instance, its own memory included, for each thread.

A module is confined: it imports nothing, so it can reach nothing; its memory has a maximum and its stack a limit; it never calls
itself, and counts the rounds of loops that might not end. wasmtime can also end a call at a deadline (its epochs), but the checks
for that cost 14 % of the speed of masti's playouts and 8 % of kingdomino's. So a call is ended from outside by the flag in the
module's memory (`FLAG`), which a playout reads at every decision and chance event, and any code in the rounds of the loops
that can be long (`analysis/rounds.py`). The flag is set when a deadline is over, and when a call has lasted for `PATIENCE`,
unless whoever calls sets a limit to each call.
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from functools import cache
from threading import Event, Lock, Thread
from typing import TypeVar
from weakref import WeakSet

import wasmtime

from ...common.deadline import PATIENCE, apart, tell, too_long
from ...common.diagnostics import RulesError
from ...common.source import Span
from ..layout.addresses import FLAG
from .calls import Call, call_of

# Bytes of a module whose functions are compiled one after the other: the longest can take 150 MB each for that time. The
# modules of real games have up to a quarter of it.
LARGE = 1_000_000
STACK = 512 * 1024  # bytes; functions never call themselves, and the deepest of real games takes a hundredth of it
GUARD = 1 << 28  # bytes; tables of large games lie tens of megabytes behind the record, and are read at each decision


_Owned = TypeVar("_Owned", wasmtime.Engine, wasmtime.Module, wasmtime.Store)
_open: WeakSet[wasmtime.Engine | wasmtime.Module | wasmtime.Store] = WeakSet()


@atexit.register
def _keep() -> None:
    """What is still there at the end is not freed, since threads may be playing in it that nobody waits for; and wasmtime's
    own clean-up would complain, when most of Python has gone."""
    for owned in list(_open):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(owned))


def _kept_at_the_end(owned: _Owned) -> _Owned:
    _open.add(owned)
    return owned


@cache
def engine(parallel: bool = True) -> wasmtime.Engine:
    """What compiles. With four gigabytes of addresses (not of memory) for each instance, no address of 32 bits needs a check,
    not even with a constant offset up to `GUARD`.

    ``parallel``: several functions at a time.
    """
    config = wasmtime.Config()
    config.parallel_compilation = parallel
    config.cranelift_opt_level = "speed"
    config.max_wasm_stack = STACK
    config.memory_reservation = 1 << 32
    config.memory_guard_size = GUARD
    config.memory_may_move = False
    config.memory_init_cow = False  # no file behind the memory, not even one in memory: a full disk is no hindrance
    return _kept_at_the_end(wasmtime.Engine(config))


def compile_module(content: bytes) -> wasmtime.Module:
    """Native code for the bytes of a module; threads may share it."""

    def compiled() -> wasmtime.Module:
        if len(content) < LARGE:
            return wasmtime.Module(engine(), content)
        return wasmtime.Module.deserialize(engine(), wasmtime.Module(engine(parallel=False), content).serialize())

    return _kept_at_the_end(apart(compiled))


class _Watch:
    """Asks instances to leave off whose call lasts too long, whoever called. One thread does it, as long as there are any."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._instances: WeakSet[Instance] = WeakSet()
        self._thread: Thread | None = None

    def over(self, instance: Instance) -> None:
        """Watch over one more."""
        with self._turn:
            self._instances.add(instance)
            if self._thread is None or not self._thread.is_alive():  # as in a process that was forked
                self._thread = Thread(target=self._watch, daemon=True)
                self._thread.start()

    def _watch(self) -> None:
        while True:
            _never.wait(1)
            with self._turn:
                found = list(self._instances)
            for instance in found:
                if instance.lasts[0]:
                    instance.lasts[0] += 1  # a call that begins in this very moment may be given a second less
                    if instance.lasts[0] > PATIENCE:
                        instance.leave_off()
            found.clear()


_never, _watch = Event(), _Watch()


class Instance:
    """One instance, for one thread at a time. ``memory``: its bytes. Its exports are called by name.

    ``watched``: whether a call is ended that lasts for `PATIENCE`; not for those who set a limit to each call.
    """

    def __init__(self, module: wasmtime.Module, watched: bool = True) -> None:
        self._store = _kept_at_the_end(wasmtime.Store(engine()))
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self.address = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value or 0
        content = (ctypes.c_ubyte * memory.data_len(self._store)).from_address(self.address)
        self.memory = memoryview(content).cast("B")
        self._calls: dict[str, Call] = {}
        self.lasts = [0]  # seconds of the call that runs, from 1 on; 0: none runs
        tell(self)
        if watched:
            _watch.over(self)

    def leave_off(self) -> None:
        """See `Player`. The call that runs traps soon."""
        self.put(FLAG, 1)

    def go_on(self) -> None:
        """See `Player`."""
        self.put(FLAG, 0)

    def in_time(self, where: Callable[[memoryview], Span | None]) -> None:
        """After a trap: RulesError (R820) where it came since the module was asked to leave off. ``where``: see
        `Compiled.left_off`."""
        if self.number(FLAG):
            self.go_on()
            raise RulesError([too_long("the game", PATIENCE, where(self.memory))])

    def export(self, name: str) -> Call:
        """The call of an exported function."""
        known = self._calls.get(name)
        if known is None:
            function = self._exports[name]
            assert isinstance(function, wasmtime.Func)
            known = self._calls[name] = call_of(self._store, function, self.lasts)
        return known

    def number(self, address: int, width: int = 4) -> int:
        """An unsigned number in the memory."""
        return int.from_bytes(self.memory[address : address + width], "little")

    def clear(self, address: int, size: int) -> None:
        """Let these bytes be zero. ValueError where they are not all in the memory."""
        if not 0 <= address <= address + size <= len(self.memory):
            raise ValueError(f"{size} bytes from {address} on do not lie in a memory of {len(self.memory)}")
        ctypes.memset(self.address + address, 0, size)

    def put(self, address: int, value: int, width: int = 4) -> None:
        """Store a number, signed or not."""
        self.memory[address : address + width] = (value & ((1 << 8 * width) - 1)).to_bytes(width, "little")
