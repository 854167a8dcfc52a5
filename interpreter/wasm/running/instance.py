"""Runs a module: compiled once a process, with one instance, its own memory included, for each thread.

A module is confined: it imports nothing, so it can reach nothing; its memory has a maximum and its stack a limit; it never calls
itself, and counts the rounds of loops that might not end. wasmtime can also end a call at a deadline (its epochs), but the checks
for that cost 14 % of the speed of masti's playouts and 8 % of kingdomino's. So a call is ended from outside by the flag in the
module's memory (`FLAG`), which a playout reads at every decision and chance event, and any code in the rounds of the loops
that can be long (`analysis/rounds.py`). The flag is set when a deadline is over, and when a call has lasted for `PATIENCE`,
unless whoever calls sets a limit to each call.

What runs modules is wasmtime (`native.py`); in a browser it is the browser itself (`in_browser.py`). There nobody sets the flag:
the page ends a worker that takes too long.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING
from weakref import WeakSet

from ...common.deadline import PATIENCE, tell, too_long
from ...common.diagnostics import RulesError
from ...common.platform import HERE, guarded
from ...common.source import Span
from ..layout.addresses import FLAG

if TYPE_CHECKING or HERE.has_native_code:
    from . import native as host
else:
    from . import in_browser as host

if TYPE_CHECKING:
    from .compiled import Compiled
    from .native import Call

Trap = host.Trap
compile_module = host.compile_module


class _Watch:
    """Asks instances to leave off whose call lasts too long, whoever called. One thread does it, as long as there are any."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._instances: WeakSet[Instance] = WeakSet()
        self._thread: Thread | None = None

    def over(self, instance: Instance) -> None:
        """Watch over one more."""
        if not HERE.has_threads:
            return
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

    def __init__(self, compiled: Compiled, watched: bool = True) -> None:
        self.lasts = [0]  # seconds of the call that runs, from 1 on; 0: none runs
        self._opened = host.Opened(compiled.module, compiled.description["exports"], self.lasts)
        self.memory = self._opened.memory
        self._calls: dict[str, Call] = {}
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

    @contextmanager
    def limited(self, seconds: float) -> Generator[None]:
        """Ask the instance to leave off when a call inside lasts longer."""
        with guarded(seconds, self.leave_off):
            yield

    def export(self, name: str) -> Call:
        """The call of an exported function."""
        known = self._calls.get(name)
        if known is None:
            known = self._calls[name] = self._opened.call(name)
        return known

    def number(self, address: int, width: int = 4) -> int:
        """An unsigned number in the memory."""
        return int.from_bytes(self.memory[address : address + width], "little")

    def clear(self, address: int, size: int) -> None:
        """Let these bytes be zero. ValueError where they are not all in the memory."""
        if not 0 <= address <= address + size <= len(self.memory):
            raise ValueError(f"{size} bytes from {address} on do not lie in a memory of {len(self.memory)}")
        self._opened.clear(address, size)

    def put(self, address: int, value: int, width: int = 4) -> None:
        """Store a number, signed or not."""
        self.memory[address : address + width] = (value & ((1 << 8 * width) - 1)).to_bytes(width, "little")
