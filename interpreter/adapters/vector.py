"""A Gymnasium vector environment, in which a learner plays thousands of games side by side.

>>> from rulesrun.interpreter.adapters.vector import VectorEnvironment
>>> games = VectorEnvironment("games/masti.rules", 1024, players=4)
>>> observations, infos = games.reset(seed=1)

All games lie in the memory of one module; a step is one call for all of them, and masks, players, scores and returns are views
of that memory. Needs the packages of ``rulesrun[rl]``.

**Who plays.** With ``seat``, one seat learns and the others are ``bots``. Without, the learner plays all seats: each observation
is that of the seat that decides (``infos["player"]``), and each reward, what the rules return at the end, is for the seat that
has just acted.

**Seeds.** ``reset(seed=s)`` begins the games number 0, 1, ... of the seed, those that `rulesrun.load(...).start(s, game=n)`
begins: equal seeds and actions give equal games. Without a seed the next games of the last one are begun.

**Searching.** `save` gives the games as an array, a row for each, and `restore` goes on from such rows: the same one in many
places, to try many actions from it, with new chance if ``seed`` is given.

**Autoreset.** In the same step: a game that ends is told by ``terminations``, ``infos["scores"]`` and ``infos["returns"]``, and
the observation is already the first of the next game. Nothing is ever truncated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy, deepcopy
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ..common.diagnostics import RulesError
from ..common.extras import extra
from ..machine.analysis import derived
from ..machine.random_streams import stream_key
from ..play.arguments import ArgumentError, game_number_given, seat_given, seed_given, shown, truth_given, whole
from ..play.game import SEAL, IllegalMove
from .adapted_tables import AdaptedTable, choice_of, read_table, table_saved
from .moments import fault_of, refusal_of
from .observation import Array
from .playing import Playing
from .spaces import (
    GAMES_LIMIT,
    Bots,
    actions_of,
    array_of,
    check_bots,
    check_no_options,
    check_whole,
    nothing_to_decide,
    space_of,
)

numpy = extra("numpy", "rl", "the vector environment")
gymnasium = extra("gymnasium", "rl", "the vector environment")
for module in ("gymnasium.vector", "wasmtime"):
    extra(module, "rl", "the vector environment")

from ..wasm.running.states import DECISION, OVER, States, room_in  # noqa: E402  # which needs wasmtime

_SAVED = ("num_envs", "_seat", "_bots", "_observe", "_seed", "_next", "_begun", "table", "records", "results")
RANDOM = -1  # as an option: let the module's random bot choose


class VectorEnvironment(gymnasium.vector.VectorEnv):  # type: ignore[misc,name-defined]  # it is there only with the extra
    """``num_envs`` games of one table. ``seat``: the one that learns, from 0 (None: all). ``bots``: who plays the others.

    More games than there is room for in the memory of a module are an ArgumentError, which says how many fit (some thousands).
    ``observe``: whether observations have numbers beside the masks; without, steps are some times as fast.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # as Gymnasium has it
        "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP,
        "render_modes": [],
    }

    def __init__(
        self,
        path: str | Path,
        num_envs: int,
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Mapping[str, str | int | bool] | None = None,
        *,
        seat: int | None = None,
        bots: Bots | None = None,
        observe: bool = True,
    ) -> None:
        table = read_table(choice_of(path, players, variants, options))
        self._set_up(table, num_envs, seat, bots, observe)
        self._seed, self._next = int(numpy.random.SeedSequence().generate_state(1, numpy.uint64)[0]), 0
        self._begun = False  # that is, every game stands at a decision of the learner; not so after a step that failed
        self._open(table)

    def _set_up(self, table: AdaptedTable, num_envs: object, seat: object, bots: Bots | None, observe: object) -> None:
        """Take what an environment is made with. ArgumentError for what cannot be."""
        learner = None if seat is None else seat_given(seat, table.seats, 0)
        check_bots(bots)
        if learner is None and bots is not None:
            raise ArgumentError("bots play the seats that do not learn: say which one learns, as in seat=0")
        count, most = whole(num_envs), room_in(table.game.compiled) // 2
        if count is None:
            raise ArgumentError(f"num_envs is a whole number, not {shown(num_envs)}")
        if not 1 <= count <= most:
            raise ArgumentError(f"a vector environment of {table.game.name} has 1 to {most} games, not {count}")
        self.num_envs, self._seat, self._bots, self._observe = count, learner, bots, truth_given(observe, "observe")

    def _open(self, table: AdaptedTable) -> None:
        """Make the memory, and the views of it."""
        self.table, count = table, self.num_envs
        self._states = States(table.game.compiled, 2 * count)  # behind those that are played, room to begin others in one call
        told, options = table.game.compiled.description["batches"], table.game.machine.options
        self._every_record = numpy.frombuffer(self._states.records, dtype=numpy.uint8).reshape(2 * count, -1)
        self._every_result = numpy.frombuffer(self._states.results, dtype=numpy.uint8).reshape(2 * count, told["result_size"])
        self._records, self._results = self._every_record[:count], self._every_result[:count]
        results = self._results
        self._actions = numpy.frombuffer(self._states.options, dtype=numpy.int32)[:count]
        self._kinds = results[:, 0:4].view(numpy.int32)[:, 0]
        self._players = results[:, 4:8].view(numpy.int32)[:, 0]
        self._masks = results[:, 8 : 8 + (options + 7) // 8]
        self._ends = results[:, told["scores"] : told["returns"] + 4 * table.seats].view(numpy.int32)  # scores, then returns
        self._rows = numpy.arange(count)
        self._sealed_with = repr((table.digest, self._seat)).encode()
        self._count = options
        self.single_action_space = actions_of(table)
        self.single_observation_space = space_of(table, self._observe)
        batched = gymnasium.vector.utils.batch_space
        self.action_space = batched(self.single_action_space, count)
        self.observation_space = batched(self.single_observation_space, count)

    @property
    def manifest(self) -> dict[str, Any]:
        """What the numbers stand for (see `AdaptedTable.manifest`)."""
        return self.table.manifest

    # ---- Playing

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin anew; observations and infos. ``options``: none are known."""
        check_no_options(options)
        if seed is not None:
            self._seed, self._next = seed_given(seed), 0
            super().reset(seed=self._seed)
        self._begun = False
        self._begin(0, self.num_envs)
        self._to_decisions(numpy.zeros(self.num_envs, dtype=bool), numpy.zeros_like(self._ends))
        self._begun = True
        found = self._observations()
        return found, self._infos(found)

    def step(self, actions: Sequence[int] | Array) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Let each game take an action; observations, rewards, terminations, truncations, infos.

        `IllegalMove` where one is not legal, and then no game has moved. `RulesError` where a fault in the rules stops a game.
        """
        if not self._begun:
            raise ValueError("call reset before the first step")
        chosen = array_of(actions, "step takes")
        self._check(chosen)
        self._actions[:] = chosen
        acted = self._players.copy()
        self._begun = False
        self._go_on(0, self.num_envs)
        ended, ends = numpy.zeros(self.num_envs, dtype=bool), numpy.zeros_like(self._ends)
        self._to_decisions(ended, ends)
        self._begun = True
        if self._seat is not None:
            acted[:] = self._seat
        scores, returns = ends[:, : self.table.seats], ends[:, -self.table.seats :]  # the same where they are one
        rewards = returns[self._rows, acted].astype(numpy.float64)
        found = self._observations()
        infos = self._infos(found)
        if ended.any():
            infos |= {"scores": scores, "_scores": ended, "returns": returns, "_returns": ended}
        return found, rewards, ended, numpy.zeros(self.num_envs, dtype=bool), infos

    def _check(self, chosen: Array) -> None:
        check_whole(chosen, self.num_envs, "step takes")
        self._check_legal(self._rows, chosen, "")

    def _check_legal(self, rows: Array, chosen: Array, who: str) -> None:
        """By what the module told: the masks that were given out may have been written to."""
        known = (chosen >= 0) & (chosen < self._count)
        sure = numpy.where(known, chosen, 0)
        legal = known & (self._masks[rows, sure >> 3] >> (sure & 7) & 1 == 1)
        if not legal.all():
            at = int(numpy.flatnonzero(~legal)[0])
            number, option = int(rows[at]), int(chosen[at])
            state = self.table.game.from_record(self._records[number].tobytes())
            raise IllegalMove(f"game {number}: {who}{refusal_of(state, option)}")

    def _to_decisions(self, ended: Array, ends: Array) -> None:
        """Lead every game to a decision of the learner: the bots play, and where a game is over, the next one begins.

        ``ended``, ``ends``: by game, where one was over, and its scores and returns; of several in one place, those of the first.
        ValueError where a place has had `GAMES_LIMIT` games without such a decision.
        """
        begun = numpy.zeros(self.num_envs, dtype=int)
        while True:
            over = self._kinds == OVER
            if over.any():
                first = over & ~ended
                ends[first] = self._ends[first]
                ended |= over
                begun += over
                if begun.max() > GAMES_LIMIT:
                    raise nothing_to_decide(self.table, self._seat)
                self._again(numpy.flatnonzero(over))
                continue
            rows = numpy.flatnonzero(self._players != self._seat) if self._seat is not None else []
            if not len(rows):
                return
            self._actions[rows] = self._chosen(rows)
            for run in numpy.split(rows, numpy.flatnonzero(numpy.diff(rows) > 1) + 1):
                self._go_on(int(run[0]), len(run))

    def _again(self, rows: Array) -> None:
        """Begin the next games in these places."""
        first, count = self.num_envs, len(rows)
        self._begin(first, count)
        self._records[rows] = self._every_record[first : first + count]
        self._every_result[rows] = self._every_result[first : first + count]

    def _chosen(self, rows: Array) -> Array | int:
        """What the bots choose in some games."""
        if self._bots is None:
            return RANDOM
        masks = numpy.unpackbits(self._masks[rows], axis=1, count=self._count, bitorder="little").view(numpy.int8)
        players = self._players[rows]
        chosen = array_of(self._bots(self.table.observations.read(self._records[rows], players, players), masks), "bots give")
        check_whole(chosen, len(rows), "bots give")
        self._check_legal(rows, chosen, "a bot chose what is not legal: ")
        return chosen

    def _observations(self) -> dict[str, Array]:
        found = {"action_mask": numpy.unpackbits(self._masks, axis=1, count=self._count, bitorder="little").view(numpy.int8)}
        if self._observe:
            found["observation"] = self.table.observations.read(self._records, self._players, self._players)
        return found

    def _infos(self, found: dict[str, Array]) -> dict[str, Any]:
        return {"player": self._players.copy(), "action_mask": found["action_mask"]}

    def _begin(self, first: int, count: int) -> None:
        """Begin the next games in these places. `RulesError` where a fault stops one before its first decision."""
        faults = self._states.begin(self._seed, self._next, first, count)
        if faults:
            raise RulesError(fault_of(self.table.game.start(self._seed, game=self._next + min(faults) - first)))
        self._next += count

    def _go_on(self, first: int, count: int) -> None:
        """Let these games take their actions. `RulesError` where a fault stops one."""
        faults = self._states.go_on(first, count)
        if not faults:
            return
        number = min(faults)
        before, option = Playing.saved(self.table, faults[number]), int(self._actions[number])
        before.play(before.pick() if option == RANDOM else option)

    # ---- Saved games

    def save(self) -> Array:
        """The games as they stand, a row of bytes (uint8) for each. Rows may be kept, copied, put in another order and left out.

        ValueError before the first `reset`, and after a step that failed.
        """
        if not self._begun:
            raise ValueError("there are no games to save: call reset first")
        rows = numpy.concatenate((self._records, self._results), axis=1)
        seals = numpy.frombuffer(b"".join(map(self._seal, rows)), dtype=numpy.uint8)
        return numpy.concatenate((seals.reshape(-1, SEAL), rows), axis=1)

    def restore(self, saved: Array, *, seed: int | None = None) -> tuple[dict[str, Array], dict[str, Any]]:
        """Go on from saved games, one for each place; observations and infos.

        Rows of one save may be repeated, and those of other environments of this table and this learning seat may be mixed in.
        ``seed``: the games get new random numbers, each its own (None: equal rows have the same luck). A game that ends is
        followed by the next one that this environment has not begun. ArgumentError for what `save` did not give; then nothing
        has changed.
        """
        width = SEAL + self._records.shape[1] + self._results.shape[1]
        if not isinstance(saved, numpy.ndarray) or (saved.shape, saved.dtype) != ((self.num_envs, width), numpy.uint8):
            given = f"{saved.dtype} {saved.shape}" if isinstance(saved, numpy.ndarray) else shown(saved)
            raise ArgumentError(f"restore takes {self.num_envs} rows of `save` (uint8, {self.num_envs} x {width}), not {given}")
        key = None if seed is None else seed_given(seed)
        sealed: dict[bytes, bool] = {}
        for number, row in enumerate(saved):
            content = row.tobytes()
            if content not in sealed:
                sealed[content] = self._seal(row[SEAL:]) == content[:SEAL]
            if not sealed[content]:
                raise ArgumentError(f"row {number} is damaged, or of another table, seat or version of the game")
        records = saved[:, SEAL : SEAL + self._records.shape[1]]
        self._records[:], self._results[:] = records, saved[:, SEAL + self._records.shape[1] :]
        if key is not None:
            streams = self.table.game.machine.layout.record[derived.control(self.table.game.machine).streams].offset
            count = 1 + self.table.seats
            words = [stream_key(key, number, stream) for number in range(self.num_envs) for stream in range(count)]
            fresh = numpy.array(words, dtype="<u8").view(numpy.uint8).reshape(self.num_envs, 8 * count)
            self._records[:, streams : streams + 8 * count] = fresh
        self._begun = True
        found = self._observations()
        return found, self._infos(found)

    def _seal(self, row: Array) -> bytes:
        """What stands before a saved row: it fits only this row, this table and this learning seat."""
        return blake2b(row.tobytes(), digest_size=SEAL, key=self._sealed_with).digest()

    # ---- Copies

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _SAVED[:-3]} | {
            "table": (self.table.choice, self.table.digest),
            "records": self._every_record.copy(),
            "results": self._every_result.copy(),
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """ArgumentError for what `__getstate__` did not give."""
        if not isinstance(saved, dict) or not set(_SAVED) <= set(saved):
            raise ArgumentError(f"this is no vector environment that was saved: {shown(saved)}")
        self._go_on_from(table_saved(saved["table"]), saved)

    def __copy__(self) -> VectorEnvironment:
        """Another one with the same bots, which only a deep copy copies, too."""
        other = object.__new__(type(self))
        other._go_on_from(self.table, self.__getstate__())
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnvironment:
        other = copy(self)
        other._bots = deepcopy(self._bots, memo)
        return other

    def _go_on_from(self, table: AdaptedTable, saved: dict[str, Any]) -> None:
        self._set_up(table, saved["num_envs"], saved["_seat"], saved["_bots"], saved["_observe"])
        self._seed, self._next = seed_given(saved["_seed"]), game_number_given(saved["_next"])
        self._begun = truth_given(saved["_begun"], "_begun")
        self._open(table)
        for kept, own in ((saved["records"], self._every_record), (saved["results"], self._every_result)):
            if not isinstance(kept, numpy.ndarray) or (kept.shape, kept.dtype) != (own.shape, own.dtype):
                raise ArgumentError(f"the games that were saved are {own.shape} bytes, not {shown(kept)}")
            own[:] = kept
        if self._begun and not ((self._kinds == DECISION) & (self._players >= 0) & (self._players < table.seats)).all():
            raise ArgumentError("not every game that was saved stands at a decision")
