"""Emission of the flow that stops at decisions and goes on later: one function over basic blocks.

``run(entry, answer)`` jumps to a block (`machine/blocks.py`) and runs on to the next stop; each block ends by naming the next.
Behind the flow's own blocks there are two more kinds: for each decision one that takes an option, for each chance event one that
takes a value (``answer``). The legal options at a decision are computed by a function for each site, ``ask``, so that they can
also be computed for a record that came from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from ....machine import machine as m
from ....machine.analysis import derived
from ....machine.analysis.layout import OVER as STATUS_OVER
from ....machine.blocks import Begin, Branch, Decide, Enter, Exit, Goto, Happen, Over, Round
from ....machine.machine import DECISIONS_LIMIT
from ....machine.reference.observation import ACT, ACT_UNSEEN, CHANCE, CHANCE_UNSEEN, UNSEEN
from ...binary.code import Code
from ...binary.module import Function
from ...layout.storage import InLocals, InMemory, words_for
from .emitter import COUNTING, Emitter
from .expressions import NUMBER_LOADS, Expressions
from .memory import answer_sizes
from .statements import STORES, Statements

DECISION, CHANCE_EVENT, OVER, HALT, FAULTED = 1, 2, 3, 4, 5  # what `run` gives; a fault only `stop`, since it traps


class FlowEmitter:
    """Emits ``run`` and what goes with it. ``blocks``: how many entries there are before those of answers."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.machine = emitter.machine
        self.flow = emitter.flow
        self.memory = emitter.memory
        self.sites = sorted(self.flow.sites)
        self.answered = {site: len(self.flow.blocks) + number for number, site in enumerate(self.sites)}
        self.halt = len(self.flow.blocks) + len(self.sites)
        self.sizes = answer_sizes(self.machine)
        record = self.machine.layout.record
        place = emitter.field
        self.site, self.status = place(emitter.control.site), place(emitter.control.status)
        self.decisions = place(emitter.control.decisions)
        self.streams = place(emitter.control.streams).address
        first = min([record[emitter.control.site].offset, *(record[f].offset for f in emitter.control.returns.values())])
        self.flow_state = (self.memory.record + first, self.memory.record + self.machine.layout.regions["game"][1])

    @cached_property
    def run(self) -> int:
        """The number of ``run``."""
        return self.emitter.add("flow", "run", lambda: self._run(False))

    def end_of(self, site: int) -> Decide | Happen:
        """The decision or chance event of a site."""
        end = self.flow.blocks[self.flow.sites[site]].end
        assert isinstance(end, Decide | Happen)
        return end

    # ---- What is asked at a stop

    def ask(self, site: int) -> int:
        """The number of the function that works out the answers of a site: 1 where there is something to answer."""
        return self.emitter.add("ask", f"ask {site}", lambda: self._ask(site))

    def _ask(self, site: int) -> Function:
        code = Code([], ["i32"])
        values = self.emitter.values(code, self.emitter.places(code, stored=True))
        end = self.end_of(site)
        if isinstance(end, Happen):
            kept = self._pool(code, values, end.chance)
            for number, word in enumerate(kept):
                code.get(word)
                code.adds("i64.popcnt", "i32.wrap_i64")
                if number:
                    code.add("i32.add")
            code.i32(1)
            code.add("i32.gt_u")
            return code.function(f"ask {site}")
        code.clear(self.memory.offered, self.memory.offered + 8 * self.memory.option_words)
        some = code.local("i64")
        address = self.memory.answers
        for alternative, size in zip(end.choose.alternatives, self.sizes[site], strict=True):
            base = self.machine.groups[alternative.group].base
            with code.statement():
                for number, word in enumerate(values.sets.kept(alternative.legal, size)):
                    code.i32(0)
                    code.get(word)
                    code.add("i64.store", address + 8 * number)
                    code.get(some)
                    code.get(word)
                    code.add("i64.or")
                    code.set(some)
                    self._offer(code, word, base + 64 * number)
            address += 8 * size
        code.get(some)
        code.adds("i64.eqz", "i32.eqz")
        return code.function(f"ask {site}")

    def _pool(self, code: Code, values: Expressions, chance: m.Chance) -> list[int]:
        """Work out the pool of a chance event, in locals and among the answers."""
        kept = values.sets.kept(chance.pool, self.sizes[chance.site][0])
        for number, word in enumerate(kept):
            code.i32(0)
            code.get(word)
            code.add("i64.store", self.memory.answers + 8 * number)
        return kept

    def _offer(self, code: Code, word: int, first: int) -> None:
        """Let the options of a word be offered; its bit 0 is the option ``first``."""
        at, near = divmod(first, 64)
        for number, shift, way in ((at, near, "i64.shl"), (at + 1, 64 - near, "i64.shr_u")):
            if shift == 64 or number >= self.memory.option_words:
                continue
            address = self.memory.offered + 8 * number
            code.i32(0)
            code.i32(0)
            code.add("i64.load", address)
            code.get(word)
            if shift:
                code.i64(shift)
                code.add(way)
            code.add("i64.or")
            code.add("i64.store", address)

    # ---- The flow

    def run_imagined(self) -> int:
        """The number of ``run`` for games that are only imagined: without what seats observe and know (`unobserved.py`)."""
        return self.emitter.add("flow", "run, imagined", lambda: self._run(True))

    def _run(self, imagined: bool) -> Function:
        code = Code(["i32", "i32"], ["i32"])
        entry = 0
        places = self.emitter.places(code, stored=True)
        statements = self.emitter.statements(code, places, imagined, lambda: self._finish(code))
        clear = derived.clear_at_calls(self.machine)
        count = self.halt + 1
        with code.block("loop") as head:
            self.head = head
            for _ in range(count):
                code.add("block")
                code.depth += 1
            code.get(entry)
            code.add("br_table", *range(count))
            for number in range(count):
                code.add("end")
                code.depth -= 1
                with code.statement():
                    if number < len(self.flow.blocks):
                        block = self.flow.blocks[number]
                        statements.sequence(block.body)
                        self._end(statements, block.end, number + 1, clear.get(number, ()), imagined)
                    elif number < self.halt:
                        self._answer(statements, self.sites[number - len(self.flow.blocks)], imagined)
                    else:
                        code.i32(HALT)
                        code.add("return")
        code.add("unreachable")
        return code.function("run, imagined" if imagined else "run")

    def _go(self, code: Code, target: int, following: int = -1) -> None:
        if target != following:
            code.i32(target)
            code.set(0)
            code.br(self.head)

    def _finish(self, code: Code) -> None:
        """The game is over: nothing of the flow is left."""
        code.clear(*self.flow_state)
        self.count_anew(code)
        code.i32(0)
        code.i32(STATUS_OVER)
        code.add("i32.store8", self.status.address)
        code.i32(OVER)
        code.add("return")

    def _end(self, statements: Statements, end: object, following: int, clear: Sequence[m.Local], imagined: bool) -> None:
        code, values = statements.code, statements.values
        match end:
            case Goto(target=target):
                self._go(code, target, following)
            case Branch(condition=condition, then=then, otherwise=otherwise):
                code.i32(then)
                code.i32(otherwise)
                values.condition(condition)
                code.add("select")
                code.set(0)
                code.br(self.head)
            case Begin(target=target, loop=loop):
                statements.begin_loop(loop)
                self._go(code, target, following)
            case Round(loop=loop, body=body, after=after):
                values.condition(loop.condition)
                code.add("i32.eqz")
                with code.when():
                    self._go(code, after)
                statements.count_round(loop)
                self._go(code, body, following)
            case Enter(routine=name, args=args, address=address, entry=entry):
                self._enter(statements, self.machine.routines[name], args)
                self._clear(code, clear)
                code.i32(0)
                code.i32(address)
                statements.store_number(self.emitter.field(self.emitter.control.returns[name]), self._returns(name))
                self._go(code, entry, following)
            case Exit(routine=name, targets=targets):
                self._clear(code, clear)
                rows = [target.to_bytes(4, "little") for target in (self.halt, *targets)]
                table = self.emitter.tables.add(rows, 4).address
                place = self.emitter.field(self.emitter.control.returns[name])
                code.i32(0)
                code.add(NUMBER_LOADS[place.width], place.address)
                code.i32(2)
                code.add("i32.shl")
                code.add("i32.load", table)
                code.set(0)
                code.i32(0)
                code.i32(0)
                statements.store_number(place, place.address)
                code.br(self.head)
            case Decide(choose=choose, impossible=impossible):
                code.add("call", self.ask(choose.site))
                code.add("i32.eqz")
                with code.when():
                    self._count_nothing(code, choose.site)
                    self._go(code, impossible)
                code.i32(0)
                code.add("i32.load", self.decisions.address)
                code.i32(DECISIONS_LIMIT)
                code.add("i32.ge_u")
                with code.when():
                    statements.failed(self.emitter.faults.number(choose))
                self._stop(statements, choose.site, DECISION)
            case Happen(chance=chance, after=after):
                code.add("call", self.ask(chance.site))
                with code.when():
                    self._stop(statements, chance.site, CHANCE_EVENT)
                self._only_one(statements, chance, imagined)
                self._go(code, after, following)
            case Over():
                self._finish(code)
            case _:
                raise AssertionError(f"an unknown end of a block: {end}")

    def _count_nothing(self, code: Code, site: int) -> None:
        """Count that nothing was legal at a decision, where that is counted."""
        address = self.memory.counts.nothing + 4 * site
        code.i32(0)
        code.i32(0)
        code.add("i32.load", address)
        code.add("global.get", COUNTING)
        code.add("i32.add")
        code.add("i32.store", address)

    def _returns(self, name: str) -> int:
        return self.emitter.field(self.emitter.control.returns[name]).address

    def _enter(self, statements: Statements, routine: m.Routine, args: Sequence[m.Expr]) -> None:
        """Assign a routine's parameters, all arguments evaluated first."""
        code, values = statements.code, statements.values
        kept: list[list[int]] = []
        for parameter, arg in zip(routine.parameters, args, strict=True):
            if parameter.bits:
                kept.append(values.sets.kept(arg, words_for(parameter.bits)))
            else:
                values.number(arg)
                local = code.temporary("i32")
                code.set(local)
                kept.append([local])
        for parameter, words in zip(routine.parameters, kept, strict=True):
            place = values.places.place(parameter)
            if isinstance(place, InLocals):
                for index, word in zip(place.indices, words, strict=True):
                    code.get(word)
                    code.set(index)
            else:
                self._store(statements, place, [lambda word=word: code.get(word) for word in words])  # type: ignore[misc]

    def _store(self, statements: Statements, place: InMemory, words: Sequence[Callable[[], None]]) -> None:
        """Store a number or the words of a set in a field or a local of the record."""
        code = statements.code
        for number, word in enumerate(words):
            code.i32(0)
            word()
            if place.bits:
                code.add(STORES.get(place.width, "i64.store"), place.address + 8 * number)
            else:
                statements.store_number(place, place.address)

    def _clear(self, code: Code, variables: Sequence[m.Variable]) -> None:
        """Let locals of the record be zero bytes."""
        for variable in variables:
            place = self.machine.layout.record[variable]
            address = self.memory.record + place.offset
            code.clear(address, address + place.width)

    def _stop(self, statements: Statements, site: int, kind: int) -> None:
        code = statements.code
        self._clear(code, self.machine.clear[site])
        code.i32(0)
        code.i32(site + 1)
        statements.store_number(self.site, self.site.address)
        code.i32(kind)
        code.add("return")

    # ---- Going on

    def _answer(self, statements: Statements, site: int, imagined: bool) -> None:
        end = self.end_of(site)
        if isinstance(end, Happen):
            self._take_value(statements, end, imagined)
        else:
            self._take_option(statements, end, imagined)

    def _off(self, statements: Statements) -> None:
        """The record stands nowhere."""
        code = statements.code
        code.i32(0)
        code.i32(0)
        statements.store_number(self.site, self.site.address)

    def _take_option(self, statements: Statements, end: Decide, imagined: bool) -> None:
        code, values, choose = statements.code, statements.values, end.choose
        option = 1
        player = code.temporary("i32")
        if not imagined:
            values.number(choose.player)
            code.set(player)

        def take(alternative: m.Alternative, target: int) -> None:
            if not imagined:
                self._observe_act(statements, choose.site, alternative, player, option)
            code.i32(0)
            code.i32(0)
            code.add("i32.load", self.decisions.address)
            code.i32(1)
            code.add("i32.add")
            code.add("i32.store", self.decisions.address)
            self._off(statements)
            self._go(code, target)

        self._by_alternative(statements, end, option, take)
        code.add("unreachable")

    def _by_alternative(
        self, statements: Statements, end: Decide, option: int, then: Callable[[m.Alternative, int], None]
    ) -> None:
        """Do something by which alternative an option (in a local) is legal, its arguments assigned; ``then`` also gets the body.

        It must leave the function.
        """
        code, choose = statements.code, end.choose
        address = self.memory.answers
        for alternative, target, size in zip(choose.alternatives, end.bodies, self.sizes[choose.site], strict=True):
            group = self.machine.groups[alternative.group]
            position = code.temporary("i32")
            code.get(option)
            code.i32(group.base)
            code.add("i32.sub")
            code.tee(position)
            code.i32(group.size)
            code.add("i32.lt_u")
            with code.when():
                code.get(position)
                code.i32(3)
                code.add("i32.shr_u")
                code.add("i32.load8_u", address)
                code.get(position)
                code.i32(7)
                code.adds("i32.and", "i32.shr_u")
                code.i32(1)
                code.add("i32.and")
                with code.when():
                    self.assign_arguments(statements, alternative, group, position)
                    then(alternative, target)
            address += 8 * size

    def sees(self) -> Function:
        """(value, seat) -> whether the seat would see a legal option, or an outcome of chance."""
        code = Code(["i32", "i32"], ["i32"])
        statements = self.emitter.statements(code, self.emitter.places(code, stored=True), False, lambda: self._finish(code))

        def told(seen: m.Expr) -> None:
            code.get(statements.values.sets.kept(seen, 1)[0])
            code.get(1)
            code.adds("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
            code.i32(1)
            code.adds("i32.and", "return")

        def at(site: int) -> None:
            end = self.end_of(site)
            if isinstance(end, Happen):
                self._result(statements, end.chance, lambda: code.get(0))
                told(end.chance.seen)
            else:
                self._by_alternative(statements, end, 0, lambda alternative, target: told(alternative.seen))
                code.add("unreachable")

        self.by_site(code, self.sites, at)
        code.i32(0)
        return code.function("sees")

    def _observe_act(self, statements: Statements, site: int, alternative: m.Alternative, player: int, option: int) -> None:
        """Let the seats observe that a player (in a local) takes an option (in a local)."""
        code, values = statements.code, statements.values
        seen = values.sets.kept(alternative.seen, 1)[0]
        act = (ACT, site, player, lambda: self._number(code, option))
        if alternative.secret:
            self.emitter.observed(code, self.emitter.observe, seen, [act])
        else:
            verb = (ACT_UNSEEN, site, player, alternative.group)
            self.emitter.observed(code, self.emitter.observe_or_else, seen, [act, verb])

    def _number(self, code: Code, local: int) -> None:
        code.get(local)
        code.add("i64.extend_i32_s")

    def assign_arguments(self, statements: Statements, alternative: m.Alternative, group: m.Group, position: int) -> None:
        """Let the arguments of an alternative be those of the option at a position (in a local)."""
        code = statements.code
        pairs = list(zip(alternative.arguments, group.arguments, strict=True))
        rest = position
        for number, (argument, domain) in reversed(list(enumerate(pairs))):
            size = len(domain.names)

            def value(rest: int = rest, number: int = number, size: int = size, low: int = domain.low) -> None:
                code.get(rest)
                if number:
                    code.i32(size)
                    code.add("i32.rem_u")
                if low:
                    code.i32(low)
                    code.add("i32.add")

            place = statements.values.places.place(argument)
            if isinstance(place, InLocals):
                value()
                code.set(place.indices[0])
            else:
                self._store(statements, place, [value])
            if number:
                code.get(rest)
                code.i32(size)
                code.add("i32.div_u")
                rest = code.temporary("i32")
                code.set(rest)

    def _take_value(self, statements: Statements, end: Happen, imagined: bool) -> None:
        code = statements.code
        self._result(statements, end.chance, lambda: code.get(1))
        if not imagined:
            self._observe_chance(statements, end.chance)
        self._off(statements)
        self._go(code, end.after)

    def _only_one(self, statements: Statements, chance: m.Chance, imagined: bool) -> None:
        """Nothing else could come: the value is that of the only bit in the pool."""
        code = statements.code
        bit = code.temporary("i32")
        for number in range(self.sizes[chance.site][0]):
            code.i32(0)
            code.add("i64.load", self.memory.answers + 8 * number)
            code.adds("i64.eqz", "i32.eqz")
            with code.when():
                code.i32(0)
                code.add("i64.load", self.memory.answers + 8 * number)
                code.adds("i64.ctz", "i32.wrap_i64")
                code.i32(64 * number)
                code.add("i32.add")
                code.set(bit)
        self._result(statements, chance, lambda: self.value_of_bit(code, chance.domain, bit))
        if not imagined:
            self._observe_chance(statements, chance)

    def value_of_bit(self, code: Code, domain: m.Domain, bit: int) -> None:
        """Leave the value of a bit number (in a local) on the stack."""
        if domain.copies:
            code.get(bit)
            code.i32(1)
            code.add("i32.shl")
            code.add("i32.load16_u", self.copies(domain))
        else:
            code.get(bit)
            if domain.low:
                code.i32(domain.low)
                code.add("i32.add")

    def copies(self, domain: m.Domain) -> int:
        """The address of the table of the values of bits, two bytes each."""
        known = self.emitter.copies.get(domain.copies)
        if known is None:
            rows = [value.to_bytes(2, "little") for value in domain.copies]
            known = self.emitter.copies[domain.copies] = self.emitter.tables.add(rows, 2).address
        return known

    def _result(self, statements: Statements, chance: m.Chance, value: Callable[[], None]) -> None:
        place = statements.values.places.place(chance.result)
        if isinstance(place, InLocals):
            value()
            statements.code.set(place.indices[0])
        else:
            self._store(statements, place, [value])

    def _observe_chance(self, statements: Statements, chance: m.Chance) -> None:
        code, values = statements.code, statements.values
        seen = values.sets.kept(chance.seen, 1)[0]
        result = code.temporary("i32")
        values.number(m.Load(chance.result))
        code.set(result)
        self.emitter.observed(
            code,
            self.emitter.observe_or_else,
            seen,
            [(CHANCE, chance.site, None, lambda: self._number(code, result)), (CHANCE_UNSEEN, chance.site, None, UNSEEN)],
        )

    def count_anew(self, code: Code) -> None:
        """Rounds of loops that stop are counted from 0."""
        for depth in range(self.emitter.control.rounds.length):
            code.i32(0)
            code.i32(0)
            code.add("i32.store", self.emitter.rounds + 4 * depth)

    # ---- By site

    def by_site(self, code: Code, sites: Sequence[int], add: Callable[[int], None]) -> None:
        """Do something for the site at which the record stands; what is behind comes where it stands at none of them."""
        with code.block() as none:
            for _ in sites:
                code.add("block")
                code.depth += 1
            numbers = {site: number for number, site in enumerate(sites)}
            code.i32(0)
            code.add(NUMBER_LOADS[self.site.width], self.site.address)
            last = max(sites, default=-1) + 1
            code.add("br_table", *(numbers.get(site - 1, len(sites)) for site in range(last + 1)), len(sites))
            for site in sites:
                code.add("end")
                code.depth -= 1
                with code.statement():
                    add(site)
                code.br(none)

    def enter(self, code: Code, entry: Callable[[], None]) -> None:
        """Begin at a block, as if nothing had been before."""
        code.clear(*self.flow_state)
        self.count_anew(code)
        entry()
        code.i32(0)
        code.add("call", self.run)
