"""Bots that think inside a module about games that are played elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import wasmtime

from ...players.bots import Bot
from .compiled import Compiled
from .instance import Instance


class Thoughts:
    """See `players.reference_table.OnCells`: the same options are taken, only faster."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled, self._memory = compiled, compiled.memory
        self._instance = Instance(compiled.module)
        self._kinds = compiled.description["bots"]
        self._lived: list[int] = []  # the options and outcomes that are remembered
        self._record = b""  # where they lead
        self._stop = 0

    def option(self, record: bytes, history: Sequence[int], seat: int, bot: Bot, seed: int) -> int:
        """The option that a bot that thinks takes for a seat (from 0) in a game with that record and that history.

        Raises `RulesError` (R820) where it thinks for too long.
        """
        instance, memory = self._instance, self._memory
        self._live(history)
        instance.put(memory.bots + 8 * seat, self._kinds[bot.kind])
        instance.put(memory.bots + 8 * seat + 4, bot.playouts)
        instance.memory[memory.record : memory.record + memory.record_size] = record
        instance.export("stop")()
        while True:
            try:
                return instance.export("think")(seat, seed)
            except wasmtime.Trap:
                if instance.number(memory.flag) or not instance.number(memory.thinking):
                    self._instance, self._stop = Instance(self._compiled.module), 0
                    instance.in_time(self._compiled.left_off)
                    raise

    def _live(self, history: Sequence[int]) -> None:
        """Remember what happened since the last time, or all of it in another game."""
        instance, memory = self._instance, self._memory
        at = slice(memory.record, memory.record + memory.record_size)
        if not self._stop or list(history[: len(self._lived)]) != self._lived:
            self._lived = []
            instance.put(memory.moments, 0)
            instance.export("reset")(0, 0)
            self._stop = instance.export("begin")(0)
        else:
            instance.memory[at] = self._record
            self._stop = instance.export("stop")()
        for value in history[len(self._lived) :]:
            self._stop = instance.export("live")(self._stop, value)
        self._lived, self._record = list(history), instance.memory[at].tobytes()
