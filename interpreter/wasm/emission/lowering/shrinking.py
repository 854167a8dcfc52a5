"""Repeated draws from a set that only shrinks, by a list of its members in vectors.

A deal draws card after card, each from what the card before has left: to find the member of a rank in a set takes some thirty
cycles, and the next draw has to wait for it. In a loop in which a set changes only by what was drawn from it, its members stand,
ascending, as the bytes of vectors. Taking one out moves all behind it one byte down, in three cycles; which member it was is read
aside, and nothing waits for that.

`steadily_drawn` finds these loops. The set itself is kept as the machine says, so anything else may read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ....machine.machine import Assign, Call, Chance, Choose, Domain, Field, Load, Op, Routine, Stmt, While
from ....machine.traverse import bodies, every_statement, only_narrates
from ...binary.code import Code
from ...layout.storage import WORD
from .emitter import Emitter

LANES = 16  # bytes of a vector


def steadily_drawn(loop: While, routines: Mapping[str, Routine]) -> Chance | None:
    """The chance event of a loop that draws from a set of one word, which changes there by nothing but what was drawn.

    None where there is no such event, where something else is drawn or decided, too, or where a loop inside is the one.
    """
    match [stmt for stmt in every_statement(loop.body) if isinstance(stmt, Chance | Choose)]:
        case [Chance(pool=Load(variable=Field(bits=bits) as field, index=None) as pool, domain=domain) as chance] if (
            bits <= WORD and _are_bits(domain)
        ):
            less = Assign(field, Op("minus", (pool, Op("bit", (Load(chance.result),)))))
        case _:
            return None
    changes = [stmt for stmt in _all_that_runs(loop.body, routines) if isinstance(stmt, Assign) and stmt.variable == field]
    return chance if changes == [less] and _follows(loop.body, chance, less) else None


def _are_bits(domain: Domain) -> bool:
    """Whether a member of a set is its bit number."""
    return domain.low == 0 and not domain.copies


def _all_that_runs(body: tuple[Stmt, ...], routines: Mapping[str, Routine]) -> Iterator[Stmt]:
    """The statements of a body and of all routines that it calls."""
    for stmt in every_statement(body):
        yield stmt
        if isinstance(stmt, Call):
            yield from _all_that_runs(routines[stmt.routine].body, routines)


def _follows(body: Iterable[Stmt], chance: Chance, less: Assign) -> bool:
    """Whether what was drawn is taken out at once."""
    kept = [stmt for stmt in body if not only_narrates(stmt)]
    if chance in kept:
        return kept[kept.index(chance) + 1 :][:1] == [less]
    return any(_follows(inner, chance, less) for stmt in kept for inner in bodies(stmt))


class MemberList:
    """The members of a set in a playout, as a list."""

    def __init__(self, code: Code, emitter: Emitter, domain: Domain) -> None:
        self._code = code
        self._emitter = emitter
        self._at = emitter.memory.members
        self._vectors = [code.local("v128") for _ in range(-(-domain.bits // LANES))]
        self.count = code.local("i32")

    def fill(self, word: int) -> None:
        """List the members of a set, a word in a local. Of a whole pile, as most deals find it, the list is a constant."""
        code = self._code
        code.get(word)
        code.get(word)
        code.i64(1)
        code.adds("i64.add", "i64.and", "i64.eqz")
        with code.when():
            for number, vector in enumerate(self._vectors):
                code.add("v128.const", *range(LANES * number, LANES * (number + 1)))
                code.set(vector)
            code.otherwise()
            code.get(word)
            code.i32(self._at)
            code.add("call", self._emitter.list_members)
            for number, vector in enumerate(self._vectors):
                code.i32(0)
                code.add("v128.load", self._at + LANES * number)
                code.set(vector)
        code.get(word)
        code.adds("i64.popcnt", "i32.wrap_i64")
        code.set(self.count)

    def take(self, rank: int) -> int:
        """Take out the member of a rank; it is in a local then."""
        code = self._code
        found, ranks = code.temporary("i32"), code.temporary("v128")
        for number, vector in enumerate(self._vectors):
            code.i32(0)
            code.get(vector)
            code.add("v128.store", self._at + LANES * number)
        code.get(rank)
        code.add("i32.load8_u", self._at)
        code.set(found)
        code.get(rank)
        code.add("i8x16.splat")
        code.set(ranks)
        for number, vector in enumerate(self._vectors):  # what stands at the rank or behind it becomes the next one
            code.get(vector)
            code.get(self._vectors[number + 1] if number + 1 < len(self._vectors) else vector)
            code.add("i8x16.shuffle", *range(1, LANES + 1))
            code.get(vector)
            code.add("v128.const", *range(LANES * number + 1, LANES * (number + 1) + 1))
            code.get(ranks)
            code.adds("i8x16.gt_s", "v128.bitselect")
            code.set(vector)
        code.get(self.count)
        code.i32(1)
        code.add("i32.sub")
        code.set(self.count)
        return found
