"""The engine that plays whole games inside a WebAssembly module, and turns the module's counts into a tally.

Games of random bots are played by `play`; all others, and games of which decisions are to be counted, by `play_bots`.

The module counts each column of a row in a number of bins. The engine chooses the least value of the bins so that the median of
the first few games lies in their middle. Values outside the bins are reported one by one, so the tally is exact whatever the bins
are.

A game that a fault stops ends the call by a trap. It becomes a row, and the next call begins with the game behind it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from statistics import median_low
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from ...machine.columns import FAULT as FAULT_COLUMN
from ...wasm.running.compiled import Compiled
from ...wasm.running.instance import Instance, Trap
from ..statistics.counts import Counts
from ..statistics.tally import Stopped, Tally
from .interface import PATIENCE, Played, game_too_long

if TYPE_CHECKING:
    from ...players.bots import Bot

CHUNK = 0.05  # seconds that a call should take, so that Ctrl-C is obeyed
FIRST_GAMES = 64  # of which the medians are taken
EMPTY_BINS = bytes(4 * 64)  # which are passed over at once


class WasmEngine:
    """See `Engine`. ``bots``: one for each seat. ``patience``: seconds that a call may take for its first game."""

    def __init__(self, compiled: Compiled, bots: Sequence[Bot], patience: float = PATIENCE) -> None:
        self._patience = patience
        self.columns = compiled.columns
        self._memory = compiled.memory
        self._faults = len(compiled.description["faults"])
        self._stops = sorted((int(site), stop) for site, stop in compiled.description["stops"].items())
        self._compiled, self._instance = compiled, Instance(compiled, watched=False)
        self._kinds = compiled.description["bots"]
        self._thought = b""  # how far one was when it was told to leave off
        self._settled = False
        self._turn = Lock()
        self._pace = {"play": FIRST_GAMES, "play_bots": 1}  # games a call
        self.seat(bots)

    def seat(self, bots: Sequence[Bot]) -> None:
        """See `Engine.seat`."""
        with self._turn:
            for seat, bot in enumerate(bots):
                self._instance.put(self._memory.bots + 8 * seat, self._kinds[bot.kind])
                self._instance.put(self._memory.bots + 8 * seat + 4, bot.playouts)
            self._instance.put(self._memory.remembering, any(bot.thinks for bot in bots))
            self._all_random = all(bot.kind == "random" for bot in bots)

    def play(self, seed: int, first: int, count: int, rows: bool = False, counts: bool = False) -> Played:
        """See `Engine.play`."""
        export = "play" if self._all_random and not counts else "play_bots"
        with self._turn:
            if not self._settled and count:
                self._settle(seed, first, min(count, FIRST_GAMES))
            self._instance.put(self._memory.counting, int(counts))
            return self._play(export, seed, first, count, rows, counts)

    def _settle(self, seed: int, first: int, count: int) -> None:
        """Put the bins around what the first games come to, where all play at random."""
        self._settled = True
        found = self._play("play", seed, first, count, rows=True)
        for column, counts in enumerate(found.tally.histograms):
            if counts:
                middle = median_low(sorted(value for value, games in counts.items() for _ in range(games)))
                self._instance.put(self._memory.lows + 4 * column, middle - self._memory.bin_count // 2)

    def _play(self, export: str, seed: int, first: int, count: int, rows: bool, counts: bool = False) -> Played:
        found: list[dict[int, int]] = [{} for _ in range(len(self.columns))]
        written = array("i") if rows else None
        stopped: dict[int, Stopped] = {}
        at = finished = 0
        counted = Counts() if counts else None
        self._empty_bins()
        while at < count:
            done, trapped = self._chunk(export, seed, first + at, count - at, written)
            at += done
            finished += done
            self._take_oddities(found)
            if counted is not None:
                counted += self._counts()
            if trapped:
                row = self._stopped(seed, first + at)
                number = row[FAULT_COLUMN] - 1
                stopped[number] = stopped.get(number, Stopped(0, first + at)) + Stopped(1, first + at)
                if written is not None:
                    written += row
                at += 1
        self._instance.put(self._memory.flag, 0)
        self._take_bins(found)
        return Played(Tally(finished, tuple(found), stopped), written, counted)

    def _chunk(self, export: str, seed: int, first: int, count: int, written: array[int] | None) -> tuple[int, bool]:
        """Play some games: how many came to their end, and whether one more was stopped. The rows of those that ended are
        appended to ``written``."""
        instance, memory = self._instance, self._memory
        room = (len(instance.memory) - memory.heap) // (4 * memory.columns)
        asked = min(count, self._pace[export], *([room] if written is not None else []))
        rows = memory.heap if written is not None else 0
        instance.put(memory.flag, 0)

        began = perf_counter()
        with instance.limited(self._patience):
            try:
                done = instance.export(export)(seed, first, asked, rows)
                trapped = False
            except Trap:
                done, trapped = instance.number(memory.done), True
        seconds = perf_counter() - began
        # all of these games together took that long, or it is an alarm of the call before: the next game goes first
        late = bool(instance.number(memory.flag)) and (done > 0 or seconds < self._patience)
        if trapped and instance.number(memory.thinking):
            trapped = self._thinks_for_ever() and not late
        elif trapped and late:
            trapped = False
        if not trapped:
            self._pace[export] = max(1, min(4 * asked, int(asked * CHUNK / max(seconds, 1e-6)) + 1))
        if written is not None:
            written.frombytes(instance.memory[rows : rows + 4 * memory.columns * done])
        return done, trapped

    def _thinks_for_ever(self) -> bool:
        """After a trap in the middle of a thought: whether it gets nowhere. Else the next call goes on with it."""
        instance, memory = self._instance, self._memory
        if not instance.number(memory.flag):
            return False  # what it imagined was stopped by a fault
        instance.put(memory.again, 1)
        before, self._thought = self._thought, instance.memory[memory.thinking : memory.thinking_end].tobytes()
        return before == self._thought

    def _stopped(self, seed: int, game: int) -> array[int]:
        """The row of the game that was stopped. RulesError where it was the deadline that stopped it."""
        instance, memory = self._instance, self._memory
        if instance.number(memory.flag):
            instance.put(memory.thinking, 0)
            instance.put(memory.flag, 0)
            raise game_too_long(seed, game, self._patience, self._compiled.left_off(instance.memory))
        instance.export("head")()
        row = array("i", bytes(4 * memory.columns))
        head = 4 * (FAULT_COLUMN + 1)
        row[: FAULT_COLUMN + 1] = array("i", instance.memory[memory.row : memory.row + head].tobytes())
        # A trap of which the record says nothing is the last of the faults, R699.
        told = instance.number(memory.status, 1) == memory.stopped
        row[FAULT_COLUMN] = instance.number(memory.site, memory.site_width) if told else self._faults
        return row

    # ---- What the module counted

    def _counts(self) -> Counts:
        """What was counted of decisions since the last time."""
        memory = self._memory
        size = memory.counted_end - memory.counted
        told = array("I", self._instance.memory[memory.counted : memory.counted_end].tobytes())
        self._instance.clear(memory.counted, size)

        def part(start: int, end: int) -> array[int]:
            return told[(start - memory.counted) // 4 : (end - memory.counted) // 4]

        places = [(site, index) for site, stop in self._stops for index in range(len(stop.get("groups", ())))]
        offered = part(memory.counted_offered, memory.counted_taken)
        taken = part(memory.counted_taken, memory.counted_nothing)
        return Counts(
            {legal: count for legal, count in enumerate(part(memory.counted, memory.counted_offered)) if count},
            {place: count for place, count in zip(places, offered, strict=False) if count},
            {place: count for place, count in zip(places, taken, strict=False) if count},
            {site: count for site, count in enumerate(part(memory.counted_nothing, memory.counted_end)) if count},
        )

    def _empty_bins(self) -> None:
        memory = self._memory
        self._instance.clear(memory.bins, 4 * memory.bin_count * memory.columns)
        self._instance.put(memory.oddities, 0)

    def _take_bins(self, found: list[dict[int, int]]) -> None:
        """Add what is in the bins."""
        instance, memory = self._instance, self._memory
        for column, counts in enumerate(found):
            start = memory.bins + 4 * memory.bin_count * column
            content = instance.memory[start : start + 4 * memory.bin_count].tobytes()
            first, end = 0, len(content)
            while content.startswith(EMPTY_BINS, first):
                first += len(EMPTY_BINS)
            while content.endswith(EMPTY_BINS, first, end):
                end -= len(EMPTY_BINS)
            low = _signed(instance.number(memory.lows + 4 * column)) + first // 4
            for value, games in enumerate(array("I", content[first:end]), low):
                if games:
                    value = _signed(value)
                    counts[value] = counts.get(value, 0) + games

    def _take_oddities(self, found: list[dict[int, int]]) -> None:
        """Add the values that no bin is for."""
        instance, memory = self._instance, self._memory
        count = instance.number(memory.oddities)
        if count:
            start = memory.oddities + 8
            told = array("i", instance.memory[start : start + 8 * count].tobytes())
            for column, value in zip(told[::2], told[1::2], strict=True):
                counts = found[column // 4]
                counts[value] = counts.get(value, 0) + 1
            instance.put(memory.oddities, 0)


def _signed(value: int) -> int:
    """The signed number of 32 bits."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)
