"""Draws of random numbers in playouts, with the next word of each stream computed ahead.

A word takes some twenty cycles to mix, and which stream is needed often depends on the act before. So a draw takes the word that
the draw before has left, one load and one multiplication, and leaves the next one, for which nobody waits. The numbers are those
of `random_streams.below`. Streams are pairs here, of 16 bytes: the state, and the word that it comes to.
"""

from __future__ import annotations

from ....machine.random_streams import GAMMA
from ...binary.code import Code
from . import runtime

PAIR = 16  # bytes
_WORD = 8  # offset of the word in a pair


def fill(code: Code, keys: int, pairs: int, count: int) -> None:
    """Begin streams: their keys lie at the address ``keys``."""
    for stream in range(count):
        code.i32(0)
        code.add("i64.load", keys + 8 * stream)
        code.i64(GAMMA)
        code.add("i64.add")
        code.set(state := code.temporary("i64"))
        for offset in (0, _WORD):
            code.i32(0)
            code.get(state)
            if offset:
                runtime.mix(code)
            code.add("i64.store", pairs + PAIR * stream + offset)


def draw_below(code: Code, pair: int, n: int) -> None:
    """Leave a number below n on the stack; the locals ``pair`` (an address) and ``n``, which is not 0, are as they were.

    The next word need not wait for n.
    """
    product, state = code.temporary("i64"), code.temporary("i64")
    low = code.temporary("i32")
    with code.block("loop") as again:
        code.get(pair)
        code.add("i64.load", _WORD)
        code.i64(32)
        code.add("i64.shr_u")
        code.get(n)
        code.adds("i64.extend_i32_u", "i64.mul")
        code.set(product)
        code.get(pair)
        code.get(pair)
        code.add("i64.load", 0)
        code.i64(GAMMA)
        code.add("i64.add")
        code.tee(state)
        code.add("i64.store", 0)
        code.get(pair)
        code.get(state)
        runtime.mix(code)
        code.add("i64.store", _WORD)
        code.get(product)
        code.add("i32.wrap_i64")
        code.tee(low)
        code.get(n)
        code.add("i32.lt_u")
        with code.when():
            runtime.is_rejected(code, low, n)
            code.br_if(again)
    code.get(product)
    code.i64(32)
    code.adds("i64.shr_u", "i32.wrap_i64")
