"""Emission of whole games with the random bot inlined at every decision.

A playout is the flow once more, not as basic blocks but as it stands in the machine: a routine is a function, its locals are the
function's, and at a decision an option is drawn and its body runs right there. What seats observe and know is left out where no
rule asks for it (`unobserved.py`). The result of the game is then written into the row (`outcome.py`).

The flag is read wherever somebody decides or something is drawn; if it is set, the playout traps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from ....machine import machine as m
from ....machine.columns import MOST_OPTIONS
from ....machine.machine import DECISIONS_LIMIT
from ....machine.traverse import every_statement
from ...binary.code import Code
from ...binary.module import Function
from ...optimize.promotion import promoted
from . import ahead, runtime
from .drawing import count, draw, draw_rank, member_of_interval, member_of_rank
from .emitter import DECISIONS, FIRST, OPTIONS, Emitter, assign_parameters, parameter_types
from .flow import FlowEmitter
from .shrinking import MemberList, steadily_drawn
from .statements import Statements, leave_off_if_asked, size_of

WRITTEN_ONCE = 600  # expressions and statements of a routine that is written where it is called, if that is one place


class PlayoutEmitter:
    """Emits the function that plays a game. ``outcome``: the number of the one that writes the row."""

    def __init__(self, emitter: Emitter, flow: FlowEmitter, outcome: int) -> None:
        self.emitter = emitter
        self.flow = flow
        self.outcome = outcome
        self.machine = emitter.machine
        self.memory = emitter.memory
        self._once = _called_once(self.machine)

    # ---- The flow

    def call(self, name: str) -> tuple[int, bool]:
        """The number of a routine, with or without stops, and whether it can end the game."""
        if not self.machine.routines[name].stops:
            return self.emitter.routine(name, True)
        return self.emitter.add("playing", name, lambda: self._routine(name)), name in self.emitter.ends

    def _routine(self, name: str) -> Function:
        routine = self.machine.routines[name]
        ends = name in self.emitter.ends
        code = Code(parameter_types(routine.parameters), ["i32"] if ends else [])
        places = self.emitter.places(code)
        assign_parameters(places, routine.parameters)

        def finish() -> None:
            code.i32(1)
            code.add("return")

        lists: dict[int, MemberList] = {}  # by site: what is drawn from, in the loops that are being added
        statements = self.emitter.statements(
            code,
            places,
            True,
            finish,
            lambda stop: self._stop(statements, stop, lists),
            self.call,
            around_loop=lambda loop: self._listed(statements, loop, lists),
            once=self._once,
        )
        statements.promote(promoted(routine, self.machine.functions, self.machine.routines, self._once))
        statements.definition(routine)
        if ends:
            code.i32(0)
        return code.function(f"play {name}")

    @contextmanager
    def _listed(self, statements: Statements, loop: m.While, lists: dict[int, MemberList]) -> Generator[None]:
        """List what a loop draws from, where that only shrinks there: before it, and for as long as it goes on."""
        chance = steadily_drawn(loop, self.machine.routines)
        if chance is None or chance.site in lists:
            yield
            return
        members = lists[chance.site] = MemberList(statements.code, self.emitter, chance.domain)
        members.fill(statements.values.sets.kept(chance.pool, 1)[0])
        yield
        del lists[chance.site]

    def _stop(self, statements: Statements, stop: m.Choose | m.Chance, lists: Mapping[int, MemberList]) -> None:
        if isinstance(stop, m.Chance):
            self._chance(statements, stop, lists.get(stop.site))
        else:
            self._choose(statements, stop)

    def _chance(self, statements: Statements, chance: m.Chance, members: MemberList | None) -> None:
        code, values = statements.code, statements.values
        leave_off_if_asked(code)
        if members is None:
            words = values.sets.kept(chance.pool, self.flow.sizes[chance.site][0])
            bit = draw(code, self.emitter, words, chance.domain.bits, lambda total: draw_rank(code, self.flow.streams, total))
        else:
            bit = members.take(draw_rank(code, self.flow.streams, members.count))
        place = values.places.place(chance.result)
        self.flow.value_of_bit(code, chance.domain, bit)
        code.set(place.indices[0])  # type: ignore[union-attr]
        self._who_sees(statements, chance.seen)

    def _choose(self, statements: Statements, choose: m.Choose) -> None:
        code, values = statements.code, statements.values
        sizes = self.flow.sizes[choose.site]
        legal = [values.sets.kept(option.legal, size) for option, size in zip(choose.alternatives, sizes, strict=True)]
        groups = self._groups(code, choose, legal)
        counts = [self._weight(statements, choose, *each) for each in groups]
        total = counts[0]
        if len(counts) > 1:
            total = code.temporary("i32")
            for number, each in enumerate(counts):
                code.get(each)
                if number:
                    code.add("i32.add")
            code.set(total)
        code.get(total)
        with code.when():
            self._choose_among(statements, choose, groups, counts, total, legal)
            code.otherwise()
            self._impossible(statements, choose)

    def _impossible(self, statements: Statements, choose: m.Choose) -> None:
        """Go on where nothing is legal."""
        statements.sequence(choose.impossible)

    def _weight(
        self, statements: Statements, choose: m.Choose, group: m.Group, words: Sequence[int], alternatives: Sequence[int]
    ) -> int:
        """How likely it is that an option of a group is taken, beside the other groups; in a local."""
        return self._count(statements, choose, words, alternatives)

    def _count(self, statements: Statements, choose: m.Choose, words: Sequence[int], alternatives: Sequence[int]) -> int:
        """How many options of a group are legal; in a local."""
        code, values = statements.code, statements.values
        legal = [choose.alternatives[number].legal for number in alternatives]
        match [m.Const(known) if known is not None else each for each in legal for known in (values.known.value(each),)]:
            case [m.Const(value=value)]:
                code.i32(value.bit_count())
            case [m.Op(name="if", args=(condition, m.Const(value=1), m.Const(value=0)))] if values.speculation.cheap(condition):
                values.condition(condition)
            case _:
                return count(code, words)
        code.set(found := code.temporary("i32"))
        return found

    def _groups(self, code: Code, choose: m.Choose, legal: Sequence[list[int]]) -> list[tuple[m.Group, list[int], list[int]]]:
        """For each group on offer, by ascending options: the words of its legal positions, and its alternatives in order."""
        by_group: dict[int, list[int]] = {}
        for number, alternative in enumerate(choose.alternatives):
            by_group.setdefault(alternative.group, []).append(number)
        found = []
        for index, numbers in sorted(by_group.items(), key=lambda item: self.machine.groups[item[0]].base):
            words = legal[numbers[0]]
            if len(numbers) > 1:
                words = []
                for parts in zip(*(legal[number] for number in numbers), strict=True):
                    for position, part in enumerate(parts):
                        code.get(part)
                        if position:
                            code.add("i64.or")
                    code.set(word := code.temporary("i64"))
                    words.append(word)
            found.append((self.machine.groups[index], words, numbers))
        return found

    def _choose_among(
        self,
        statements: Statements,
        choose: m.Choose,
        groups: Sequence[tuple[m.Group, list[int], list[int]]],
        counts: Sequence[int],
        total: int,
        legal: Sequence[list[int]],
    ) -> None:
        code, values = statements.code, statements.values
        player = code.temporary("i32")
        self._count_decision(statements, choose, total)
        self.flow.count_anew(code)
        values.number(choose.player)
        code.set(player)
        pair = self._pair(code, player)
        ahead.draw_below(code, pair, total)
        code.set(rank := code.temporary("i32"))
        self._note_first(code, player)
        with code.block() as done:
            for number, ((group, words, alternatives), here) in enumerate(zip(groups, counts, strict=True)):
                if number == len(groups) - 1:
                    within = self._within(code, choose, group, words, pair, rank)
                    self._take(statements, choose, group, words, alternatives, within, legal)
                    break
                code.get(rank)
                code.get(here)
                code.add("i32.lt_u")
                with code.when():
                    within = self._within(code, choose, group, words, pair, rank)
                    self._take(statements, choose, group, words, alternatives, within, legal)
                    code.br(done)
                code.get(rank)
                code.get(here)
                code.add("i32.sub")
                code.set(rank)

    def _note_first(self, code: Code, player: int) -> None:
        """Note who was the first to decide."""
        code.add("global.get", FIRST)
        code.add("i32.eqz")
        with code.when():
            code.get(player)
            code.i32(1)
            code.add("i32.add")
            code.add("global.set", FIRST)

    def _within(self, code: Code, choose: m.Choose, group: m.Group, words: Sequence[int], pair: int, rank: int) -> int:
        """The rank of the option to take among the legal ones of a group, by its rank below the group's weight; in a local."""
        return rank

    def _pair(self, code: Code, player: int) -> int:
        """The address of a player's stream (`ahead.py`); in a local."""
        pair = code.temporary("i32")
        code.get(player)
        code.i32(ahead.PAIR.bit_length() - 1)
        code.add("i32.shl")
        code.i32(self.memory.ahead)
        code.add("i32.add")
        code.set(pair)
        return pair

    def _count_decision(self, statements: Statements, choose: m.Choose, total: int) -> None:
        code = statements.code
        leave_off_if_asked(code)
        now = code.temporary("i32")
        code.add("global.get", DECISIONS)
        code.tee(now)
        code.i32(DECISIONS_LIMIT)
        code.add("i32.ge_u")
        with code.when():
            statements.failed(self.emitter.faults.number(choose))
        code.get(now)
        code.i32(1)
        code.add("i32.add")
        code.add("global.set", DECISIONS)
        code.add("global.get", OPTIONS)
        code.get(total)
        code.add("i32.add")
        if DECISIONS_LIMIT * sum(group.size for group in self.machine.groups) > MOST_OPTIONS:
            all_options = code.temporary("i32")
            code.tee(all_options)
            code.i32(MOST_OPTIONS)
            code.get(all_options)
            code.i32(0)
            code.adds("i32.ge_s", "select")
        code.add("global.set", OPTIONS)

    def _take(
        self,
        statements: Statements,
        choose: m.Choose,
        group: m.Group,
        words: Sequence[int],
        alternatives: Sequence[int],
        rank: int,
        legal: Sequence[list[int]],
    ) -> None:
        """Take the option of a rank among the legal ones of a group."""
        code, known = statements.code, statements.values.known
        if group.size == 1:
            position = None
        elif len(words) == len(alternatives) == 1 and known.is_interval(choose.alternatives[alternatives[0]].legal):
            position = member_of_interval(code, words[0], rank)
        else:
            position = member_of_rank(code, self.emitter, words, rank, True if group.size <= runtime.FEW else None)
        with code.block() as taken:
            for number in alternatives:
                alternative = choose.alternatives[number]
                if number == alternatives[-1]:
                    self._body(statements, alternative, group, position)
                    break
                if position is None:
                    code.get(legal[number][0])
                    code.add("i32.wrap_i64")
                else:
                    self._member(code, legal[number], position)
                with code.when():
                    self._body(statements, alternative, group, position)
                    code.br(taken)

    def _body(self, statements: Statements, alternative: m.Alternative, group: m.Group, position: int | None) -> None:
        """Do what an option stands for."""
        self._take_up(statements, alternative, group, position)
        statements.sequence(alternative.body)

    def _take_up(self, statements: Statements, alternative: m.Alternative, group: m.Group, position: int | None) -> None:
        """Assign the arguments of an option."""
        code = statements.code
        if alternative.arguments:
            if position is None:
                position = code.temporary("i32")
                code.i32(0)
                code.set(position)
            self.flow.assign_arguments(statements, alternative, group, position)
        self._who_sees(statements, alternative.seen)

    def _who_sees(self, statements: Statements, seats: m.Expr) -> None:
        """Nobody looks on, but asking who does may stop the game."""
        if self.emitter.unseen.can_fail(seats):
            statements.values.sets.kept(seats, 1)

    def _member(self, code: Code, words: Sequence[int], position: int) -> None:
        """Leave 1 on the stack where a set has a member."""
        code.i64(0)
        for number, word in enumerate(words):
            code.get(word)
            code.get(position)
            code.i32(6)
            code.add("i32.shr_u")
            code.i32(number)
            code.adds("i32.ne", "select")
        code.get(position)
        code.adds("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
        code.i32(1)
        code.add("i32.and")

    # ---- A game

    def game(self) -> int:
        """The number of the function (seed, game) that plays one."""
        return self.emitter.add("playing", "a game", self._one_game)

    def _one_game(self) -> Function:
        """(seed, game): play it; the row tells what it came to."""
        code = Code(["i64", "i64"])
        layout = self.machine.layout
        for number in (DECISIONS, OPTIONS, FIRST):
            code.i32(0)
            code.add("global.set", number)
        self.flow.count_anew(code)
        for region in ("game", "index", *(["knowledge"] if self.emitter.unseen.knowledge_needed else [])):
            start, end = layout.regions[region]  # type: ignore[index]
            code.clear(self.memory.record + start, self.memory.record + end)
        runtime.keys_of_streams(code, self.emitter.mix64, self.flow.streams, 1 + self.machine.seats, 0, 1)
        ahead.fill(code, self.flow.streams + 8, self.memory.ahead, self.machine.seats)
        with code.block() as over:
            for name in self.machine.main:
                number, ends = self.call(name)
                code.add("call", number)
                if ends:
                    code.br_if(over)
        code.add("call", self.outcome)
        return code.function("a game")


def _called_once(machine: m.Machine) -> set[str]:
    """The routines, not very long ones, that one statement calls, and nothing else."""
    calls = Counter(machine.main)
    for routine in machine.routines.values():
        calls.update(stmt.routine for stmt in every_statement(routine.body) if isinstance(stmt, m.Call))
    once = {name for name, times in calls.items() if times == 1} - set(machine.main)
    return {name for name in once if size_of(machine.routines[name].body) <= WRITTEN_ONCE}
