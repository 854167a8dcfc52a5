"""Where chance at a table comes from, so that nobody can work out what lies hidden.

A table of which somebody chose the seed draws from the streams of that seed, as a game on the command line does: whoever knows
the seed knows all, and everybody is told that it was chosen. Any other table has a secret of 128 bits, which is in its store and
nowhere else. Each outcome has a word of its own: BLAKE2b of its number, under the secret as the key (RFC 7693, 2.9). From
outcomes that somebody has seen, neither the secret nor another word can be worked out; and an act that is taken back and done
again meets the same outcome.
"""

from __future__ import annotations

from hashlib import blake2b
from secrets import token_hex

SECRET_BYTES = 16


def new_secret() -> str:
    return token_hex(SECRET_BYTES)


def word(secret: str, purpose: str, *numbers: int) -> int:
    """The word of 64 bits that a secret has for a purpose."""
    told = " ".join([purpose, *map(str, numbers)])
    return int.from_bytes(blake2b(told.encode(), key=bytes.fromhex(secret), digest_size=8).digest(), "little")
