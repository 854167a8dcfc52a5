"""The few functions that every module has: random numbers, the k-th member of a word, observations, faults.

They do what `random_streams.py`, `bitsets.py` and `reference/observation.py` do, and must agree with them in every bit.
"""

from __future__ import annotations

from collections.abc import Callable

from ....machine.analysis.layout import FAULT
from ....machine.random_streams import GAMMA
from ....machine.reference.observation import ODD
from ...binary.code import Code
from ...binary.module import Function
from ...layout.storage import WORD

M1, M2 = 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB  # the multipliers of `mix64`

FEW = 8  # a power of 2


def select_table() -> bytes:
    """For each byte the numbers of its bits, ascending, in 8 bytes."""
    rows = [bytes(bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]
    return b"".join(row.ljust(8, b"\0") for row in rows)


def mix64() -> Function:
    """(word) -> word: `random_streams.mix64`."""
    code = Code(["i64"], ["i64"])
    code.get(0)
    mix(code)
    return code.function("mix64")


def mix(code: Code) -> None:
    """Mix the word on the stack."""
    word = code.temporary("i64")
    for shift, factor in ((30, M1), (27, M2), (31, 0)):
        code.tee(word)
        code.get(word)
        code.i64(shift)
        code.adds("i64.shr_u", "i64.xor")
        if factor:
            code.i64(factor)
            code.add("i64.mul")


def keys_of_streams(code: Code, mix_number: int, streams: int, count: int, seed: int, game: int) -> None:
    """Let the first streams be those of a game: `random_streams.stream_key`. ``seed``, ``game``: locals.

    ``mix_number``: of the function `mix64`. ``streams``: the address of so many (``count``) of them.
    """
    key = code.temporary("i64")
    code.get(seed)
    code.add("call", mix_number)
    code.get(game)
    code.add("i64.add")
    code.add("call", mix_number)
    code.set(key)
    for stream in range(count):
        code.i32(0)
        code.get(key)
        code.i64(stream)
        code.add("i64.add")
        code.add("call", mix_number)
        code.add("i64.store", streams + 8 * stream)


def next_word() -> Function:
    """(address of a stream) -> the next word: `random_streams.next_word`."""
    code = Code(["i32"], ["i64"])
    state = code.local("i64")
    code.get(0)
    code.get(0)
    code.add("i64.load", 0)
    code.i64(GAMMA)
    code.add("i64.add")
    code.tee(state)
    code.add("i64.store", 0)
    code.get(state)
    mix(code)
    return code.function("next word")


def below() -> Function:
    """(address of a stream, n) -> a number below n: `random_streams.below`."""
    code = Code(["i32", "i32"], ["i32"])
    draw_below(code, 0, 1)
    return code.function("below")


def draw_below(code: Code, stream: int, n: int, unless_alone: bool = False) -> None:
    """Leave a number below n on the stack; the locals ``stream`` (an address) and ``n``, which is not 0, are as they were.

    ``unless_alone``: below 1 nothing is drawn, as for what can turn out in one way only and so is no chance event. That is no
    jump, since nobody could guess it: what is drawn then comes to 0, and only the stream's new state is not kept.
    """
    state, product = code.temporary("i64"), code.temporary("i64")
    low = code.temporary("i32")
    code.get(stream)
    code.add("i64.load", 0)
    code.set(state)
    with code.block("loop") as again:
        code.get(state)
        code.i64(GAMMA)
        code.add("i64.add")
        code.tee(state)
        mix(code)
        code.i64(32)
        code.add("i64.shr_u")
        code.get(n)
        code.adds("i64.extend_i32_u", "i64.mul")
        code.tee(product)
        code.add("i32.wrap_i64")
        code.tee(low)
        code.get(n)
        code.add("i32.lt_u")
        with code.when():
            is_rejected(code, low, n)
            code.br_if(again)
    code.get(stream)
    code.get(state)
    if unless_alone:
        code.get(stream)
        code.add("i64.load", 0)
        code.get(n)
        code.i32(1)
        code.adds("i32.gt_u", "select")
    code.add("i64.store", 0)
    code.get(product)
    code.i64(32)
    code.adds("i64.shr_u", "i32.wrap_i64")


def is_rejected(code: Code, low: int, n: int) -> None:
    """Leave on the stack whether the lower half of a product with n says that it is drawn again; both in locals."""
    code.get(low)
    code.i32(0)
    code.get(n)
    code.add("i32.sub")  # 2**32 - n, which is 2**32 mod n, modulo n
    code.get(n)
    code.adds("i32.rem_u", "i32.lt_u")


def select64(table: int) -> Function:
    """(word, k) -> the number of its k-th lowest bit, k from 0, below the number of its bits."""
    code = Code(["i64", "i32"], ["i32"])
    select_bit(code, 0, 1, table)
    return code.function("select64")


def select_bit(code: Code, word: int, k: int, table: int) -> None:
    """Leave the number of the k-th lowest bit of a word on the stack; both in locals. ``table``: of `select_table`.

    Broadword selection (Vigna, "Broadword implementation of rank/select queries", WEA 2008): counts of all bytes at once, the
    byte by comparing all sums with k at once, then a table.
    """
    select_by_sums(code, word, byte_sums(code, word), k, table)


ONES = 0x0101_0101_0101_0101


def byte_sums(code: Code, word: int) -> int:
    """A word whose byte b says how many bits there are in the bytes 0..b of a word; in a local."""
    sums = code.temporary("i64")
    code.get(word)
    code.get(word)
    code.i64(1)
    code.add("i64.shr_u")
    code.i64(0x5555_5555_5555_5555)
    code.adds("i64.and", "i64.sub")
    code.tee(sums)
    code.i64(0x3333_3333_3333_3333)
    code.add("i64.and")
    code.get(sums)
    code.i64(2)
    code.add("i64.shr_u")
    code.i64(0x3333_3333_3333_3333)
    code.adds("i64.and", "i64.add")
    code.tee(sums)
    code.get(sums)
    code.i64(4)
    code.adds("i64.shr_u", "i64.add")
    code.i64(0x0F0F_0F0F_0F0F_0F0F)
    code.add("i64.and")
    code.i64(ONES)
    code.add("i64.mul")
    code.set(sums)
    return sums


def select_by_sums(code: Code, word: int, sums: int, k: int, table: int) -> None:
    """What `select_bit` does when the sums are known; in a local, as the others."""
    start = code.temporary("i32")
    code.get(k)
    code.add("i64.extend_i32_u")
    code.i64(ONES)
    code.add("i64.mul")
    code.i64(0x80 * ONES)
    code.add("i64.or")
    code.get(sums)
    code.add("i64.sub")
    code.i64(0x80 * ONES)
    code.adds("i64.and", "i64.popcnt", "i32.wrap_i64")
    code.i32(3)
    code.add("i32.shl")
    code.tee(start)  # where the byte begins in which the bit lies
    code.get(k)
    code.get(sums)
    code.i64(8)
    code.add("i64.shl")
    code.get(start)
    code.adds("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
    code.i32(0xFF)
    code.adds("i32.and", "i32.sub")  # its rank in that byte
    code.get(word)
    code.get(start)
    code.adds("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
    code.i32(0xFF)
    code.add("i32.and")
    code.i32(3)
    code.adds("i32.shl", "i32.add")
    code.add("i32.load8_u", table)
    code.add("i32.add")


def select_of_few(code: Code, word: int, k: int) -> None:
    """Select a bit as `select_bit` does where k is below `FEW`: choose among the words without the lowest bit, the lowest two,
    and so on.

    The words need not wait for k, nor the choice for a table: this takes half the time of `select_bit`.
    """
    left = [word]
    for _ in range(FEW - 1):
        code.get(left[-1])
        code.get(left[-1])
        code.i64(1)
        code.adds("i64.sub", "i64.and")
        code.set(less := code.temporary("i64"))
        left.append(less)
    for digit in range(FEW.bit_length() - 1):
        chosen = []
        for low, high in zip(left[::2], left[1::2], strict=True):
            code.get(high)
            code.get(low)
            code.get(k)
            code.i32(1 << digit)
            code.adds("i32.and", "select")
            code.set(one := code.temporary("i64"))
            chosen.append(one)
        left = chosen
    code.get(left[0])
    code.adds("i64.ctz", "i32.wrap_i64")


def list_members(table: int) -> Function:
    """(word, address): write the numbers of its bits there, ascending, a byte each; up to 64 bytes there are changed."""
    code = Code(["i64", "i32"])
    byte = code.local("i32")
    for start in range(0, WORD, 8):
        code.get(0)
        code.i64(start)
        code.adds("i64.shr_u", "i32.wrap_i64")
        code.i32(0xFF)
        code.add("i32.and")
        code.set(byte)
        code.get(1)
        code.get(byte)
        code.i32(3)
        code.add("i32.shl")
        code.add("i64.load", table)
        code.i64(start * 0x0101_0101_0101_0101)
        code.adds("i64.add")
        code.add("i64.store", 0)
        code.get(1)
        code.get(byte)
        code.adds("i32.popcnt", "i32.add")
        code.set(1)
    return code.function("list members")


def observe(digests: int, seats: int, mix_number: int) -> Function:
    """(set of seats, word): these seats observe a word, which is yet to be multiplied by ODD."""
    code = Code(["i64", "i64"])
    _observe(code, digests, seats, mix_number, None)
    return code.function("observe")


def observe_or_else(digests: int, seats: int, mix_number: int) -> Function:
    """(set of seats, word, other word): these seats observe the word, the others the other one."""
    code = Code(["i64", "i64", "i64"])
    _observe(code, digests, seats, mix_number, 2)
    return code.function("observe or else")


def _observe(code: Code, digests: int, seats: int, mix_number: int, otherwise: int | None) -> None:
    for seat in range(seats):
        if otherwise is None:
            code.get(0)
            code.i64(1 << seat)
            code.adds("i64.and", "i64.eqz", "i32.eqz")
            with code.when():
                _seat_observes(code, digests + 8 * seat, mix_number, lambda: code.get(1))
        else:

            def word(seat: int = seat) -> None:
                code.get(1)
                code.get(otherwise)
                code.get(0)
                code.i64(1 << seat)
                code.adds("i64.and", "i64.eqz", "i32.eqz", "select")

            _seat_observes(code, digests + 8 * seat, mix_number, word)


def _seat_observes(code: Code, digest: int, mix_number: int, word: Callable[[], None]) -> None:
    code.i32(0)
    code.i32(0)
    code.add("i64.load", digest)
    word()
    code.i64(ODD)
    code.adds("i64.mul", "i64.xor")
    code.add("call", mix_number)
    code.add("i64.store", digest)


def fail(status: int, site: int, site_width: int) -> Function:
    """(number of a fault): the record says that it stopped the game; then the call ends by a trap. Addresses of two fields."""
    code = Code(["i32"])
    code.i32(0)
    code.i32(FAULT)
    code.add("i32.store8", status)
    code.i32(0)
    code.get(0)
    code.i32(1)
    code.add("i32.add")
    code.add({1: "i32.store8", 2: "i32.store16", 4: "i32.store"}[site_width], site)
    code.add("unreachable")
    return code.function("fail")
