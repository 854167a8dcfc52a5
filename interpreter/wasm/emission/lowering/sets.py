"""Emission of sets, as words of 64 bits, and of what is computed from them.

For each 64 bits of a set, the lowest first, a word is a small function that adds the code which leaves it on the stack. Words are
independent of each other, so ``a intersect b`` costs one load or local and one ``and`` for each word, and nothing is kept in
between. Parts that must be computed once and in order (calls, since they may stop the game; the other words that shifts and
comparisons need) are kept in locals when the words are prepared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ....machine.analysis.widths import bits_of
from ....machine.machine import NONE, Const, Expr, Function, Invoke, Load, Lookup, Op
from ...binary.code import Code, Push
from ...layout.storage import WORD, InLocals, InMemory, Places, Tables, words_for
from ...optimize.known import StaticFacts
from ...optimize.speculation import Speculation

if TYPE_CHECKING:
    from .expressions import Expressions

Words = Sequence[Push]

ALL = (1 << WORD) - 1
POINTWISE = {"union": "i64.or", "intersect": "i64.and", "flip": "i64.xor"}
LOADS = {1: "i64.load8_u", 2: "i64.load16_u", 4: "i64.load32_u"}


class Sets:
    """Adds the code of sets to one function. ``values``: what adds that of the numbers in them."""

    def __init__(self, values: Expressions, functions: Mapping[str, Function]) -> None:
        self._values = values
        self._functions = functions
        self._code: Code = values.code
        self._places: Places = values.places
        self._tables: Tables = values.tables
        self._known: StaticFacts = values.known
        self._speculation: Speculation = values.speculation
        self.filled: Expr | None = None  # a set that is surely not empty, where code is being added now

    def words(self, expr: Expr, count: int = 0) -> Words:
        """The words of a set, ``count`` of them (0: as many as it has)."""
        count = count or self._known.width(expr)
        return self._words(expr, max(self._known.own_width(expr), count))[:count]

    def kept(self, expr: Expr, count: int = 0) -> list[int]:
        """The words of a set, computed now, in locals."""
        return [self._kept(word) for word in self.words(expr, count)]

    def _kept(self, word: Push) -> int:
        word()
        return self._code.keep("i64")

    # ---- Its words

    def _words(self, expr: Expr, count: int) -> Words:
        code = self._code
        known = self._known.value(expr)
        if known is not None:
            return [partial(code.i64, known >> WORD * number & ALL) for number in range(count)]
        tabulated = self._known.tabulated(expr, count)
        if tabulated is not None:
            return self._words(tabulated, count)
        match expr:
            case Const(value=value):
                return [partial(code.i64, value >> WORD * number & ALL) for number in range(count)]
            case Load(variable=variable, index=index):
                place = self._places.place(variable)
                if isinstance(place, InLocals):
                    return self._filled([partial(code.get, local) for local in place.indices], count)
                promoted = self._values.promoted(variable, index)
                if promoted is not None:
                    return self._filled([partial(code.get, promoted)], count)
                return self._loaded(place, index, count)
            case Lookup(table=table, index=index):
                return self._loaded(self._tables.place(table)[0], index, count)
            case Op(name="union" | "intersect" | "flip" as name, args=args):
                parts = [self._words(part, count) for part in args]
                return [self._joined([part[number] for part in parts], POINTWISE[name]) for number in range(count)]
            case Op(name="minus", args=(left, right)):
                one = self._words(left, count)
                taken = self._known.value(right)
                if taken is not None:
                    masks = [partial(code.i64, ~taken >> WORD * number & ALL) for number in range(count)]
                    return [self._joined([one[number], masks[number]], "i64.and") for number in range(count)]
                other = self._words(right, count)
                return [self._without(one[number], other[number]) for number in range(count)]
            case Op(name="bit", args=(member,)):
                return self._bit(member, count)
            case Op(name="left" | "right" as name, args=(part, by)):
                return self._shifted(name == "left", part, by, count)
            case Op(name="if", args=(condition, then, otherwise)):
                return self._either(condition, then, otherwise, count)
            case Invoke(function=name):
                self._values.invoke(expr)
                results = [code.temporary("i64") for _ in range(words_for(self._functions[name].bits))]
                for local in reversed(results):
                    code.set(local)
                return self._filled([partial(code.get, local) for local in results], count)
            case _:
                raise AssertionError(f"{expr} is no set")

    def _filled(self, words: list[Push], count: int) -> Words:
        """Words of zero behind those of a narrower set."""
        return words + [partial(self._code.i64, 0)] * (count - len(words))

    def _joined(self, parts: Sequence[Push], join: str) -> Push:
        def word() -> None:
            parts[0]()
            for part in parts[1:]:
                part()
                self._code.add(join)

        return word

    def _without(self, left: Push, right: Push) -> Push:
        def word() -> None:
            left()
            right()
            self._code.i64(ALL)
            self._code.adds("i64.xor", "i64.and")

        return word

    def _loaded(self, place: InMemory, index: Expr | None, count: int) -> Words:
        code = self._code
        load = LOADS.get(place.width, "i64.load")
        own = words_for(8 * place.width)
        at = 0 if index is None else self._known.value(index)
        if at is not None or index is None:
            base = partial(code.i32, 0)
            offset = place.address + (at or 0) * place.width
        else:
            offset = self._values.address(place, index)
            base = partial(code.get, code.keep("i32"))

        def loaded(number: int) -> Push:
            def word() -> None:
                base()
                code.add(load, offset + 8 * number)

            return word

        return self._filled([loaded(number) for number in range(min(own, count))], count)

    def _bit(self, member: Expr, count: int) -> Words:
        code = self._code
        number = self._values.number_kept(member)

        def shifted() -> None:
            code.i64(1)
            number()
            code.adds("i64.extend_i32_u", "i64.shl")

        if count == 1:
            return [shifted]
        local = self._kept(shifted)

        def chosen(position: int) -> Push:
            def word() -> None:
                code.get(local)
                code.i64(0)
                number()
                code.i32(6)
                code.add("i32.shr_u")
                code.i32(position)
                code.adds("i32.eq", "select")

            return word

        return [chosen(position) for position in range(count)]

    def _shifted(self, left: bool, part: Expr, by: Expr, count: int) -> Words:
        assert isinstance(by, Const), "a set is moved by a constant"
        code = self._code
        bits = bits_of(part, self._functions)
        far, near = divmod(by.value, WORD)
        own = words_for(bits)
        source: Words = self._words(part, own)
        if own > 1:
            source = [partial(code.get, self._kept(word)) for word in source]

        def moved(position: int) -> Push:
            first, second = (position - far, position - far - 1) if left else (position + far, position + far + 1)
            ways = ("i64.shl", "i64.shr_u") if left else ("i64.shr_u", "i64.shl")
            mask = min(max(bits - WORD * position, 0), WORD)

            def word() -> None:
                if not mask or not (0 <= first < own or (near and 0 <= second < own)):
                    code.i64(0)
                    return
                some = False
                for number, shift, way in ((first, near, ways[0]), (second, WORD - near, ways[1])):
                    if 0 <= number < own and shift < WORD:
                        source[number]()
                        if shift:
                            code.i64(shift)
                            code.add(way)
                        if some:
                            code.add("i64.or")
                        some = True
                if left and mask < WORD:
                    code.i64((1 << mask) - 1)
                    code.add("i64.and")

            return word

        return self._filled([moved(position) for position in range(min(own, count))], count)

    def _either(self, condition: Expr, then: Expr, otherwise: Expr, count: int) -> Words:
        code = self._code
        holds = self._known.value(condition)
        if holds is not None:
            return self._words(then if holds else otherwise, count)
        if count <= 2 and self._speculation.cheap(then) and self._speculation.cheap(otherwise):
            return self._selected(condition, then, otherwise, count)
        results = [code.temporary("i64") for _ in range(count)]
        self._values.condition(condition)
        with code.when():
            for local, word in zip(results, self._words(then, count), strict=True):
                word()
                code.set(local)
            code.otherwise()
            for local, word in zip(results, self._words(otherwise, count), strict=True):
                word()
                code.set(local)
        return [partial(code.get, local) for local in results]

    def _selected(self, condition: Expr, then: Expr, otherwise: Expr, count: int) -> Words:
        """Each word of one of two sets, both evaluated."""
        code = self._code
        self._values.condition(condition)
        holds = code.keep("i32")
        with self._speculation.perhaps():
            pairs = list(zip(self._words(then, count), self._words(otherwise, count), strict=True))
            kept = [(self._kept(one), self._kept(other)) for one, other in pairs]

        def chosen(one: int, other: int) -> Push:
            def word() -> None:
                code.get(one)
                code.get(other)
                code.get(holds)
                code.add("select")

            return word

        return [chosen(one, other) for one, other in kept]

    # ---- What is asked of it: each leaves a number on the stack

    def equal(self, left: Expr, right: Expr, test: str) -> None:
        """Whether two sets are equal (``test``: eq) or not (ne)."""
        code = self._code
        count = self._known.width_of_both(left, right)
        if right == Const(0):
            for number, word in enumerate(self.words(left, count)):
                word()
                if number:
                    code.add("i64.or")
        else:
            pairs = zip(self.words(left, count), self.words(right, count), strict=True)
            for number, (one, other) in enumerate(pairs):
                one()
                other()
                code.add("i64.xor")
                if number:
                    code.add("i64.or")
        if test == "eq":
            code.add("i64.eqz")
        else:
            code.i64(0)
            code.add("i64.ne")

    def count(self, members: Expr) -> None:
        """How many members there are."""
        for number, word in enumerate(self.words(members)):
            word()
            self._code.adds("i64.popcnt", "i32.wrap_i64")
            if number:
                self._code.add("i32.add")

    def has(self, members: Expr, member: Expr) -> None:
        """Whether a number is a member."""
        code = self._code
        count = self._known.width(members)
        if count == 1:
            words = self.words(members)
            words[0]()
            number = self._values.number_kept(member)
            number()
            code.adds("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
            code.i32(1)
            code.add("i32.and")
            if not 0 <= self._known.range(member)[0] <= self._known.range(member)[1] < WORD:
                number()
                code.i32(WORD)
                code.adds("i32.lt_u", "i32.and")
            return
        at = self._element(members)
        if at is not None:
            base, offset = at
            number = self._values.number_kept(member)
            number()
            code.i32(count * WORD)
            code.add("i32.lt_u")
            with code.when("i32"):
                base()
                number()
                code.i32(3)
                code.adds("i32.shr_u", "i32.add")
                code.add("i32.load8_u", offset)
                number()
                code.i32(7)
                code.adds("i32.and", "i32.shr_u")
                code.i32(1)
                code.add("i32.and")
                code.otherwise()
                code.i32(0)
            return
        kept = self.kept(members)
        number = self._values.number_kept(member)
        code.i64(0)
        for position, word in enumerate(kept):
            code.get(word)
            number()
            code.i32(6)
            code.add("i32.shr_u")
            code.i32(position)
            code.adds("i32.ne", "select")
        number()
        code.adds("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
        code.i32(1)
        code.add("i32.and")

    def _element(self, members: Expr) -> tuple[Push, int] | None:
        """Where in the memory a set lies as it is, as a base address and an offset to it."""
        match members:
            case Load(variable=variable, index=index):
                place = self._places.place(variable)
                if isinstance(place, InLocals):
                    return None
            case Lookup(table=table, index=index):
                place, _ = self._tables.place(table)
            case _:
                return None
        offset = self._values.address(place, index)
        return partial(self._code.get, self._code.keep("i32")), offset

    def first(self, members: Expr) -> None:
        """The lowest member, -1 where there is none."""
        if members == self.filled and self._known.width(members) == 1:
            self.words(members)[0]()
            self._code.adds("i64.ctz", "i32.wrap_i64")
        else:
            self._lowest(self.kept(members))

    def after(self, members: Expr, start: Expr) -> None:
        """The lowest member that is not below a number, else the lowest of all, -1 where there is none."""
        if members == self.filled and self._known.width(members) == 1 and self._known.range(start)[1] < WORD:
            self._next(members, start)
        else:
            self._after(members, start)

    def _lowest(self, kept: Sequence[int]) -> None:
        """The lowest bit number of words in locals, -1 where there is none."""
        code = self._code
        *_, last = kept
        if len(kept) == 1:
            code.get(last)
            code.adds("i64.ctz", "i32.wrap_i64")
            code.i32(NONE)
            code.get(last)
            code.i64(0)
            code.adds("i64.ne", "select")
            return
        found = code.temporary("i32")
        code.i32(NONE)
        code.set(found)
        with code.block() as done:
            for position, word in enumerate(kept):
                code.get(word)
                code.adds("i64.eqz", "i32.eqz")
                with code.when():
                    code.get(word)
                    code.adds("i64.ctz", "i32.wrap_i64")
                    code.i32(WORD * position)
                    code.add("i32.add")
                    code.set(found)
                    code.br(done)
        code.get(found)

    def _next(self, members: Expr, start: Expr) -> None:
        """Emit `after` for a set of one word that is not empty."""
        code = self._code
        word = self.kept(members)[0]
        rest = code.temporary("i64")
        code.get(word)
        code.i64(ALL)
        self._values.number(start)
        if self._known.range(start)[0] < 0:
            self._values.not_below_zero()
        code.adds("i64.extend_i32_u", "i64.shl", "i64.and")
        code.tee(rest)
        code.get(word)
        code.get(rest)
        code.i64(0)
        code.adds("i64.ne", "select", "i64.ctz", "i32.wrap_i64")

    def _after(self, members: Expr, start: Expr) -> None:
        code = self._code
        kept = self.kept(members)
        number = self._values.number_kept(start)
        rest = []
        for position, word in enumerate(kept):  # the members of this word that are >= the number
            shift = code.temporary("i32")
            number()
            code.i32(WORD * position)
            code.add("i32.sub")
            code.set(shift)
            code.get(word)
            code.i64(ALL)
            code.get(shift)
            code.i32(0)
            code.get(shift)
            code.i32(0)
            code.adds("i32.gt_s", "select", "i64.extend_i32_u", "i64.shl", "i64.and")
            code.i64(0)
            code.get(shift)
            code.i32(WORD)
            code.adds("i32.lt_s", "select")
            code.set(word_left := code.temporary("i64"))
            rest.append(word_left)
        chosen = []
        for word, word_left in zip(kept, rest, strict=True):
            code.get(word_left)
            code.get(word)
            for number_of, each in enumerate(rest):
                code.get(each)
                if number_of:
                    code.add("i64.or")
            code.i64(0)
            code.adds("i64.ne", "select")
            code.set(chosen_word := code.temporary("i64"))
            chosen.append(chosen_word)
        self._lowest(chosen)
