"""One game with chance from a seed, played decision by decision, as a record that is easily copied."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from ..common.diagnostics import RulesError
from ..machine.reference.executor import FunctionFault
from ..machine.reference.stops import Stop
from ..play.game import IllegalMove, State
from .adapted_tables import AdaptedTable, TableChoice, table_with
from .moments import fault_of, refusal_of


@define(eq=False)
class Playing:
    """A game in progress, at a decision or over. It changes when something is played; `copy` gives another one."""

    table: AdaptedTable
    cells: Any = field(repr=False)
    stop: Stop

    @classmethod
    def begun(cls, table: AdaptedTable, seed: int, game: int = 0) -> Playing:
        """Game number ``game`` of a seed. `RulesError` where a fault in the rules stops it."""
        executor = table.walker.executor
        cells = executor.fresh(seed, game)
        found = cls(table, cells, executor.enter(cells))
        if not found._settles():
            raise RulesError(fault_of(table.game.start(seed, game=game)))
        return found

    @classmethod
    def saved(cls, table: AdaptedTable, record: bytes) -> Playing:
        """The game that has a record."""
        cells = table.walker.executor.unpack(record)
        return cls(table, cells, table.walker.executor.stop(cells))

    @property
    def player(self) -> int:
        """The seat that decides (-1: nobody)."""
        return int(self.table.walker.executor.player(self.cells)) if self.stop.kind == "decision" else -1

    @property
    def options(self) -> list[int]:
        """The legal options, ascending."""
        return list(self.table.walker.executor.options(self.cells)) if self.stop.kind == "decision" else []

    def pick(self) -> int:
        """The option that the random bot of the seat that decides takes, drawn from its own stream."""
        return int(self.table.walker.executor.pick(self.cells, self.player))

    @property
    def is_over(self) -> bool:
        return self.stop.kind == "over"

    @property
    def returns(self) -> list[int]:
        """What each seat gets at the end. `RulesError` where the rules cannot say."""
        executor = self.table.walker.executor
        try:
            return [executor.evaluate(self.cells, executor.machine.returns, seat) for seat in range(self.table.seats)]
        except FunctionFault:
            raise RulesError(fault_of(self.state)) from None

    @property
    def record(self) -> bytes:
        return bytes(self.table.walker.executor.pack(self.cells))

    @property
    def state(self) -> State:
        """The game as rulesrun's own game in progress."""
        return self.table.game.from_record(self.record)

    def play(self, option: int) -> None:
        """Take an option, to the next decision.

        `IllegalMove`; `RulesError` where a fault in the rules stops the game. In both cases it stands where it stood.
        """
        if option not in self.options:
            raise IllegalMove(refusal_of(self.state, option))
        before = self.cells.copy(), self.stop
        self.stop = self.table.walker.executor.choose(self.cells, option)
        if not self._settles():
            self.cells, self.stop = before
            state = self.state
            state.play(option)
            raise RulesError(fault_of(state))

    def _settles(self) -> bool:
        """Let chance happen. Whether no fault in the rules comes, nor in the returns of a game that is over."""
        executor = self.table.walker.executor
        while self.stop.kind == "chance":
            self.stop = executor.happen(self.cells, executor.draw(self.cells))
        if self.stop.kind != "over":
            return self.stop.kind != "fault"
        try:
            _ = self.returns
        except RulesError:
            return False
        return True

    def copy(self) -> Playing:
        return Playing(self.table, self.cells.copy(), self.stop)

    def __deepcopy__(self, memo: object) -> Playing:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return saved_game, (self.table.choice, self.table.digest, self.record)


def saved_game(choice: TableChoice, digest: str, record: bytes) -> Playing:
    """A game in progress that was saved. `OtherRules` where the rules have changed since."""
    return Playing.saved(table_with(choice, digest), record)
