"""How is a member of a set drawn by chance? The words of the set lie in locals.

A draw takes a number below the count of members from a random stream, and then the member of that rank. In a playout both are
written where they stand: they are what a random game spends most of its time on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import runtime
from .code import Code
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


def member_of_rank(code: Code, emitter: Emitter, words: Sequence[int], rank: int) -> int:
    """The member that has so many below it; in a local. The local ``rank`` changes."""
    found = code.temporary("i32")
    with code.block() as done:
        for number, word in enumerate(words[:-1]):
            here = count(code, [word])
            code.get(rank)
            code.get(here)
            code.add("i32.lt_u")
            with code.when():
                _select(code, emitter, word, rank, 64 * number, found)
                code.br(done)
            code.get(rank)
            code.get(here)
            code.add("i32.sub")
            code.set(rank)
        _select(code, emitter, words[-1], rank, 64 * (len(words) - 1), found)
    return found


def _select(code: Code, emitter: Emitter, word: int, rank: int, base: int, found: int) -> None:
    runtime.select_bit(code, word, rank, emitter.select_table)
    if base:
        code.i32(base)
        code.add("i32.add")
    code.set(found)


def draw(code: Code, emitter: Emitter, words: Sequence[int], stream: Callable[[], None]) -> int:
    """A member of a set that is not empty, each with the same chance; in a local. ``stream``: leaves its address."""
    total = count(code, words)
    rank = draw_rank(code, stream, total)
    return member_of_rank(code, emitter, words, rank)


def draw_rank(code: Code, stream: Callable[[], None], total: int) -> int:
    """A number below that in a local; in a local."""
    address, rank = code.temporary("i32"), code.temporary("i32")
    stream()
    code.set(address)
    runtime.draw_below(code, address, total)
    code.set(rank)
    return rank
