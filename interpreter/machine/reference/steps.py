"""Compiles each basic block to one step of the executor.

A step is a closure that runs the block's statements, then its end, and returns the number of the next block, or why there is none
(`STOPPED`, `OVER`, `HALTED`). The executor's loop is ``while block >= 0: block = steps[block](cells)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from attrs import define, field, frozen

from ...common.deadline import OutOfTime
from ..analysis import derived
from ..analysis.layout import Control
from ..blocks import BasicBlock, Begin, Branch, Decide, Enter, Exit, Flow, Goto, Happen, Over, Round
from ..faults import Faults
from ..machine import DECISIONS_LIMIT, ROUNDS_LIMIT, Layout, Machine, Variable
from ..operators import Cells
from .closures import Closures, Faulted
from .stops import HALTED, OVER, STOPPED, ChanceEvent, Decision, Step, chance_event, decision

Zeros = list[tuple[int, int]]  # slots to clear, each with the value of zero bytes there


@frozen(eq=False)
class Slots:
    """Where the executor's numbers lie in the cells: first slots of the control fields, then what follows scratch.

    ``rounds``: rounds since the last decision, of loops that stop, by their depth. ``asked``: the site + 1 of the stop to which
    the answers belong (0: none). ``answers``: the first slot of the answers.
    """

    site: int
    status: int
    returns: dict[str, int]
    decisions: int
    streams: int
    digest: int
    rounds: slice
    asked: int
    answers: int


def slots_of(layout: Layout, control: Control) -> Slots:
    place = layout.record
    return Slots(
        place[control.site].slot,
        place[control.status].slot,
        {name: place[variable].slot for name, variable in control.returns.items()},
        place[control.decisions].slot,
        place[control.streams].slot,
        place[control.digest].slot,
        slice(place[control.rounds].slot, place[control.rounds].slot + control.rounds.length),
        layout.slots,
        layout.slots + 1,
    )


@define(eq=False)
class Steps:
    """The steps of all blocks, and by site the decisions and chance events at which they stop.

    ``without_options``: by site, how often a decision had no legal option, counted while the steps run.
    """

    steps: list[Step] = field(factory=list)
    decisions: dict[int, Decision] = field(factory=dict)
    events: dict[int, ChanceEvent] = field(factory=dict)
    without_options: dict[int, int] = field(factory=dict)


def compile_flow(machine: Machine, flow: Flow, slots: Slots, faults: Faults, closures: Closures) -> Steps:
    """Compile every basic block of a machine's flow."""
    compiler = _Compiler(machine, slots, faults, closures)
    clear = derived.clear_at_calls(machine)
    for number, block in enumerate(flow.blocks):
        compiler.found.steps.append(compiler.step(block, zeros(machine.layout, clear.get(number, ()))))
    return compiler.found


def zeros(layout: Layout, variables: Sequence[Variable]) -> Zeros:
    """The slots of locals in the record, with the value of zero bytes."""
    return [(layout.record[variable].slot, layout.record[variable].low) for variable in variables]


class _Compiler:
    def __init__(self, machine: Machine, slots: Slots, faults: Faults, closures: Closures) -> None:
        self.machine = machine
        self.slots = slots
        self.faults = faults
        self.closures = closures
        self.found = Steps()

    def step(self, block: BasicBlock, clear: Zeros) -> Step:
        """The step of one block; ``clear``: what its call or exit clears."""
        end = self._end(block, clear)
        if not block.body:
            return end
        body = self.closures.sequence(block.body)

        def step(cells: Cells) -> int:
            body(cells)
            return end(cells)

        return step

    def _end(self, block: BasicBlock, clear: Zeros) -> Step:
        match block.end:
            case Goto(target=target):
                return lambda cells: target
            case Branch(condition=condition, then=then, otherwise=otherwise):
                test = self.closures.test(condition)
                return lambda cells: then if test(cells) else otherwise
            case Begin():
                return self._begin(block.end)
            case Round():
                return self._round(block.end)
            case Enter():
                return self._enter(block.end, clear)
            case Exit():
                return self._exit(block.end, clear)
            case Decide():
                return self._decide(block.end)
            case Happen():
                return self._happen(block.end)
            case Over():
                return lambda cells: OVER
            case _:
                assert_never(block.end)

    def _begin(self, end: Begin) -> Step:
        target = end.target
        count = self.slots.rounds.start + self.closures.rounds.depth(end.loop)

        def begin(cells: Cells) -> int:
            cells[count] = 0
            return target

        return begin

    def _round(self, end: Round) -> Step:
        test = self.closures.test(end.loop.condition)
        number = self.faults.number(end.loop)
        body, after, loop, time_is_over = end.body, end.after, end.loop, self.closures.time_is_over
        counts, hears = self.closures.rounds.counts(loop), self.closures.rounds.hears(loop)
        rounds = self.slots.rounds.start + (self.closures.rounds.depth(loop) if counts else 0)

        def round_(cells: Cells) -> int:
            if not test(cells):
                return after
            if counts:
                cells[rounds] += 1
                if cells[rounds] > ROUNDS_LIMIT:
                    raise Faulted(number)
            if hears and time_is_over[0]:
                raise OutOfTime(loop.span)
            return body

        return round_

    def _enter(self, end: Enter, clear: Zeros) -> Step:
        routine = self.machine.routines[end.routine]
        assign = self.closures.parameters(routine, [self.closures.value(arg) for arg in end.args])
        back, address, entry = self.slots.returns[end.routine], end.address, end.entry

        def enter(cells: Cells) -> int:
            assign(cells)
            for slot, zero in clear:
                cells[slot] = zero
            cells[back] = address
            return entry

        return enter

    def _exit(self, end: Exit, clear: Zeros) -> Step:
        back = self.slots.returns[end.routine]
        targets = (HALTED, *end.targets)

        def exit_(cells: Cells) -> int:
            for slot, zero in clear:
                cells[slot] = zero
            address = cells[back]
            cells[back] = 0
            return targets[address]

        return exit_

    def _decide(self, end: Decide) -> Step:
        site = end.choose.site
        found = self.found.decisions[site] = decision(end, self.machine.groups, self.closures, self.slots.answers)
        clear = zeros(self.machine.layout, self.machine.clear[site])
        ask, impossible, number = found.ask, end.impossible, self.faults.number(end.choose)
        at, asked, decisions = self.slots.site, self.slots.asked, self.slots.decisions
        without_options = self.found.without_options

        def decide(cells: Cells) -> int:
            if not ask(cells):
                without_options[site] = without_options.get(site, 0) + 1
                return impossible
            if cells[decisions] >= DECISIONS_LIMIT:
                raise Faulted(number)
            for slot, zero in clear:
                cells[slot] = zero
            cells[at] = cells[asked] = site + 1
            return STOPPED

        return decide

    def _happen(self, end: Happen) -> Step:
        site = end.chance.site
        found = self.found.events[site] = chance_event(end, self.closures, self.slots.answers)
        clear = zeros(self.machine.layout, self.machine.clear[site])
        ask, observe, show, values, result, after = found.ask, found.observe, found.show, found.values, found.result, end.after
        at, asked, answer = self.slots.site, self.slots.asked, self.slots.answers

        def happen(cells: Cells) -> int:
            if not ask(cells):
                cells[result] = values[cells[answer].bit_length() - 1]
                observe(cells)
                show(cells)
                return after
            for slot, zero in clear:
                cells[slot] = zero
            cells[at] = cells[asked] = site + 1
            return STOPPED

        return happen
