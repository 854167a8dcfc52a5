"""Emission of the flow that plays an imagined game on to its end, from where it stands.

It runs over basic blocks, as the flow that stops does (`flow.py`), since it can begin at any stop. But it does not stop: at each
decision an option is drawn, at each chance event a value, right there, as in a playout (`playouts.py`). Low numbers are preferred
there, as `players/rollouts.py` says. What seats observe and know is left out. The draws are those of `step` after `step` on the
reference.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....machine import machine as m
from ....machine.analysis import derived
from ....machine.blocks import Decide, Happen
from ....machine.machine import DECISIONS_LIMIT
from ....players.ramps import LEAST, ramps_among
from ...binary.code import Code
from ...binary.module import Function
from . import ahead
from .drawing import count, draw_rank, member_of_rank
from .emitter import Emitter
from .flow import HALT, FlowEmitter
from .playouts import PlayoutEmitter
from .runtime import FEW
from .statements import Statements, leave_off_if_asked


class PlayOnEmitter(PlayoutEmitter):
    """Emits `play_on`."""

    def __init__(self, emitter: Emitter, flow: FlowEmitter) -> None:
        super().__init__(emitter, flow, -1)
        self._end: Decide | None = None  # of the block that is being emitted

    def play_on(self) -> Function:
        """(): play the game in the working record to its end."""
        flow = self.flow
        code = Code([])
        ahead.fill(code, flow.streams + 8, self.memory.ahead, self.machine.seats)

        def at(site: int) -> None:
            code.i32(flow.answered[site])
            code.add("call", self.emitter.add("flow", "run, to the end", self._run))
            code.add("drop")

        flow.by_site(code, flow.sites, at)
        return code.function("play on")

    def _run(self) -> Function:
        """(entry): run from there to the end. An entry is a block, or a site (`FlowEmitter.answered`)."""
        flow = self.flow
        code = Code(["i32"], ["i32"])
        statements = self.emitter.statements(code, self.emitter.places(code, stored=True), True, lambda: flow._finish(code))
        clear = derived.clear_at_calls(self.machine)
        ends = {flow.flow.sites[site]: flow.answered[site] for site in flow.sites}
        order = [entry for block in range(len(flow.flow.blocks)) for entry in (block, ends.get(block)) if entry is not None]
        order.append(flow.halt)
        position = {entry: number for number, entry in enumerate(order)}
        with code.block("loop") as head:
            flow.head = head
            for _ in order:
                code.add("block")
                code.depth += 1
            code.get(0)
            code.add("br_table", *(position[entry] for entry in range(len(order))))
            for entry, following in zip(order, [*order[1:], -1], strict=True):
                code.add("end")
                code.depth -= 1
                with code.statement():
                    if entry == flow.halt:
                        code.i32(HALT)
                        code.add("return")
                    elif entry in flow.answered.values():
                        self._draw_at(statements, flow.end_of(flow.sites[entry - len(flow.flow.blocks)]), following)
                    else:
                        block = flow.flow.blocks[entry]
                        statements.sequence(block.body)
                        if entry not in ends:  # else what follows is the stop
                            flow._end(statements, block.end, following, clear.get(entry, ()), True)
        code.add("unreachable")
        return code.function("run, to the end")

    def _draw_at(self, statements: Statements, end: Decide | Happen, following: int) -> None:
        if isinstance(end, Decide):
            self._end = end
            self._choose(statements, end.choose)
            code = statements.code
            code.add("unreachable")
            return
        self._happen(statements, end, following)

    def _happen(self, statements: Statements, end: Happen, following: int) -> None:
        code, chance, flow = statements.code, end.chance, self.flow
        words = statements.values.sets.kept(chance.pool, flow.sizes[chance.site][0])
        total = count(code, words)
        code.get(total)
        code.i32(1)
        code.add("i32.gt_u")
        with code.when():
            leave_off_if_asked(code)
            flow.count_anew(code)
        few = chance.domain.bits <= FEW
        bit = member_of_rank(code, self.emitter, words, draw_rank(code, flow.streams, total), few)
        flow._result(statements, chance, lambda: flow.value_of_bit(code, chance.domain, bit))
        self._who_sees(statements, chance.seen)
        flow._go(code, end.after, following)

    def _impossible(self, statements: Statements, choose: m.Choose) -> None:
        assert self._end is not None
        self.flow._go(statements.code, self._end.impossible)

    def _count_decision(self, statements: Statements, choose: m.Choose, total: int) -> None:
        code = statements.code
        leave_off_if_asked(code)
        code.i32(0)
        code.i32(0)
        code.add("i32.load", self.flow.decisions.address)
        code.tee(now := code.temporary("i32"))
        code.i32(1)
        code.add("i32.add")
        code.add("i32.store", self.flow.decisions.address)
        code.get(now)
        code.i32(DECISIONS_LIMIT)
        code.add("i32.ge_u")
        with code.when():
            statements.failed(self.emitter.faults.number(choose))

    def _weight(
        self, statements: Statements, choose: m.Choose, group: m.Group, words: Sequence[int], alternatives: Sequence[int]
    ) -> int:
        found = super()._weight(statements, choose, group, words, alternatives)
        if self._is_ramp(choose, group):
            code = statements.code
            code.get(found)
            code.i32(0)
            code.add("i32.ne")
            code.set(found := code.temporary("i32"))
        return found

    def _within(self, code: Code, choose: m.Choose, group: m.Group, words: Sequence[int], pair: int, rank: int) -> int:
        if not self._is_ramp(choose, group):
            return rank
        limit, least, last = (code.temporary("i32") for _ in range(3))
        code.i32(LEAST)
        code.set(limit)
        ahead.draw_below(code, pair, limit)
        code.i32(-1)
        code.adds("i32.xor", "i32.ctz")  # how many of the lowest digits are 1
        code.tee(least)
        code.get(count(code, words))
        code.i32(1)
        code.add("i32.sub")
        code.tee(last)
        code.get(least)
        code.get(last)
        code.adds("i32.lt_u", "select")
        code.set(found := code.temporary("i32"))
        return found

    def _is_ramp(self, choose: m.Choose, group: m.Group) -> bool:
        return any(self.machine.groups[each] is group for each in ramps_among(self.machine, choose.alternatives))

    def _note_first(self, code: Code, player: int) -> None:
        """Nobody asks for it."""

    def _body(self, statements: Statements, alternative: m.Alternative, group: m.Group, position: int | None) -> None:
        assert self._end is not None
        self._take_up(statements, alternative, group, position)
        bodies: Sequence[int] = self._end.bodies
        (target,) = (target for each, target in zip(self._end.choose.alternatives, bodies, strict=True) if each is alternative)
        self.flow._go(statements.code, target)
