"""Random numbers from counter-based streams, each one 64-bit word of state.

The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014; the
constants are those of Vigna's ``splitmix64.c``). Its state is a counter: the n-th word of a stream with key k is
``mix64(k + n * GAMMA)``. So a stream is its key, saving it is saving one word, and a stream for (seed, game, purpose) needs
no other stream to have been drawn from before it.

All numbers are 64 bits wide, unsigned, and wrap.
"""

from __future__ import annotations

from hashlib import blake2b

MASK = 0xFFFF_FFFF_FFFF_FFFF
GAMMA = 0x9E37_79B9_7F4A_7C15  # 2**64 divided by the golden ratio, made odd


def mix64(x: int) -> int:
    """A bijection of 64-bit words in which every input bit moves about half of the output bits.

    Stafford's variant 13 of the finaliser of MurmurHash3, as SplitMix64 uses it.
    """
    x = ((x ^ (x >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
    return x ^ (x >> 31)


def stream_key(seed: int, game: int, stream: int) -> int:
    """The first state of a stream: stream 0 is chance, stream ``1 + seat`` the bot of that seat.

    ``seed`` and ``game`` may be any whole numbers; they are taken modulo 2**64.
    """
    key = mix64(seed & MASK)
    key = mix64((key + game) & MASK)
    return mix64((key + stream) & MASK)


def next_word(state: int) -> tuple[int, int]:
    """The next state and the next 64-bit word."""
    state = (state + GAMMA) & MASK
    return state, mix64(state)


def below(state: int, n: int) -> tuple[int, int]:
    """The next state and a number ``0 <= value < n``, each with exactly the same chance; ``1 <= n < 2**32``.

    Each draw takes a word, below 1 too. Lemire's multiplication with rejection ("Fast random integer generation in
    an interval", ACM TOMACS 29, 2019) on the upper 32 bits of each word: of the 2**32 products ``word * n``, the first
    ``2**32 mod n`` of each interval of 2**32 are rejected, so that every value keeps equally many. Raises ValueError for
    another n.
    """
    if not 1 <= n < 1 << 32:
        raise ValueError(f"cannot draw below {n}")
    state, word = next_word(state)
    product = (word >> 32) * n
    if product & 0xFFFF_FFFF < n:
        rejected = rejection_threshold(n)
        while product & 0xFFFF_FFFF < rejected:
            state, word = next_word(state)
            product = (word >> 32) * n
    return state, product >> 32


def one_way(word: int) -> int:
    """Another word, from which the given one cannot be worked out, as it can from all that `mix64` gives: its BLAKE2b digest."""
    return int.from_bytes(blake2b(word.to_bytes(8, "little"), digest_size=8).digest(), "little")


def rejection_threshold(n: int) -> int:
    """Products whose lower 32 bits are under this are drawn again: ``2**32 mod n``."""
    return (1 << 32) % n
