"""Draws a member of a set by chance, from words in locals or, for all options, from words in the memory.

A draw takes a number below the count of members from a random stream, and then the member of that rank. In playouts both are
inlined: they are what a random game spends most of its time on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from ...binary.code import Code
from . import runtime
from .emitter import Emitter


def count(code: Code, words: Sequence[int]) -> int:
    """How many members there are; in a local."""
    for number, word in enumerate(words):
        code.get(word)
        code.adds("i64.popcnt", "i32.wrap_i64")
        if number:
            code.add("i32.add")
    found = code.temporary("i32")
    code.set(found)
    return found


def member_of_rank(code: Code, emitter: Emitter, words: Sequence[int], rank: int, few: bool | None = None) -> int:
    """The member that has so many below it; in a local.

    ``few``: whether there surely are, or often, no more than `runtime.FEW` members in a word; None: that is to be asked.
    Of several words the right one is found without a jump, which would often be guessed wrongly: it is the last that has no
    more members below it than the rank says.
    """
    found = code.temporary("i32")
    if len(words) == 1:
        _select(code, emitter, words[0], rank, few)
        code.set(found)
        return found
    if len(words) == 2 and few is False:
        _select_from_two(code, emitter, words, rank)
        code.set(found)
        return found
    word, left, base = code.temporary("i64"), code.temporary("i32"), code.temporary("i32")
    below, reached = code.temporary("i32"), code.temporary("i32")
    code.get(words[0])
    code.set(word)
    code.get(rank)
    code.set(left)
    code.i32(0)
    code.set(base)
    code.i32(0)
    code.set(below)
    for before, here in pairwise(words):
        code.get(below)
        code.get(before)
        code.adds("i64.popcnt", "i32.wrap_i64", "i32.add")
        code.tee(below)
        code.get(rank)
        code.add("i32.le_u")
        code.set(reached)
        code.get(here)
        code.get(word)
        code.get(reached)
        code.add("select")
        code.set(word)
        code.get(rank)
        code.get(below)
        code.add("i32.sub")
        code.get(left)
        code.get(reached)
        code.add("select")
        code.set(left)
        code.get(base)
        code.get(reached)
        code.add("i32.add")
        code.set(base)
    _select(code, emitter, word, left, few)
    code.get(base)
    code.i32(6)
    code.adds("i32.shl", "i32.add")
    code.set(found)
    return found


def _select(code: Code, emitter: Emitter, word: int, rank: int, few: bool | None) -> None:
    """Leave the member of a rank on the stack. Of few it is found sooner."""
    if few is not None:
        if few:
            runtime.select_of_few(code, word, rank)
        else:
            runtime.select_bit(code, word, rank, emitter.select_table)
        return
    code.get(word)
    code.add("i64.popcnt")
    code.i64(runtime.FEW)
    code.add("i64.le_u")
    with code.when("i32"):
        runtime.select_of_few(code, word, rank)
        code.otherwise()
        runtime.select_bit(code, word, rank, emitter.select_table)


def _select_from_two(code: Code, emitter: Emitter, words: Sequence[int], rank: int) -> None:
    """Leave the member of a rank on the stack. The sums of both words are there before the rank is."""
    first, second = words
    sums = [runtime.byte_sums(code, word) for word in words]
    word, sums_of_word = code.temporary("i64"), code.temporary("i64")
    left, in_second = code.temporary("i32"), code.temporary("i32")
    code.get(rank)
    code.get(first)
    code.adds("i64.popcnt", "i32.wrap_i64", "i32.ge_u")
    code.set(in_second)
    for local, one, other in ((word, second, first), (sums_of_word, sums[1], sums[0])):
        code.get(one)
        code.get(other)
        code.get(in_second)
        code.add("select")
        code.set(local)
    code.get(rank)
    code.get(first)
    code.adds("i64.popcnt", "i32.wrap_i64", "i32.sub")
    code.get(rank)
    code.get(in_second)
    code.add("select")
    code.set(left)
    runtime.select_by_sums(code, word, sums_of_word, left, emitter.select_table)
    code.get(in_second)
    code.i32(6)
    code.adds("i32.shl", "i32.add")


def member_of_interval(code: Code, word: int, rank: int) -> int:
    """The member that has so many below it, in a set of one word without a gap; in a local."""
    found = code.temporary("i32")
    code.get(word)
    code.adds("i64.ctz", "i32.wrap_i64")
    code.get(rank)
    code.add("i32.add")
    code.set(found)
    return found


def draw(code: Code, emitter: Emitter, words: Sequence[int], bits: int, rank_below: Callable[[int], int]) -> int:
    """A member of a set that is not empty, each with the same chance; in a local. ``rank_below``: as `draw_rank` does.

    What is drawn from is seldom a small part of what there is: there are few members only where there can be no more.
    """
    return member_of_rank(code, emitter, words, rank_below(count(code, words)), bits <= runtime.FEW)


def draw_from_memory(code: Code, emitter: Emitter, address: int, count: int, stream: int) -> None:
    """Leave such a member on the stack, of a set of perhaps many words (``count``) at an address in the memory.

    ``stream``: a local with the address of what is drawn from.
    """
    at, rank, here = code.local("i32"), code.local("i32"), code.local("i32")
    with code.block("loop") as more:
        code.get(at)
        code.add("i64.load", address)
        code.adds("i64.popcnt", "i32.wrap_i64")
        code.get(rank)
        code.add("i32.add")
        code.set(rank)
        code.get(at)
        code.i32(8)
        code.add("i32.add")
        code.tee(at)
        code.i32(8 * count)
        code.add("i32.lt_u")
        code.br_if(more)
    code.get(stream)
    code.get(rank)
    code.add("call", emitter.below)
    code.set(rank)
    code.i32(0)
    code.set(at)
    with code.block("loop") as next_word:
        code.get(at)
        code.add("i64.load", address)
        code.adds("i64.popcnt", "i32.wrap_i64")
        code.tee(here)
        code.get(rank)
        code.add("i32.le_u")
        with code.when():
            code.get(rank)
            code.get(here)
            code.add("i32.sub")
            code.set(rank)
            code.get(at)
            code.i32(8)
            code.add("i32.add")
            code.set(at)
            code.br(next_word)
    code.get(at)
    code.add("i64.load", address)
    code.get(rank)
    code.add("call", emitter.select64)
    code.get(at)
    code.i32(3)
    code.adds("i32.shl", "i32.add")


def draw_rank(code: Code, stream: int, total: int) -> int:
    """A number below that in a local, from the stream at an address, for a chance event, of which there is none below 1."""
    address, rank = code.temporary("i32"), code.temporary("i32")
    code.i32(stream)
    code.set(address)
    runtime.draw_below(code, address, total, unless_alone=True)
    code.set(rank)
    return rank
