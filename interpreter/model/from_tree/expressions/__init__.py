"""Binds expressions: the meaning of each, and whether it is of the right type.

`expression` gives every tree expression its meaning; `wanted` does the same where a certain type is needed, and reports another
one. After a fault the expression is of the unknown type, which fits everywhere: one fault, one message.
"""

from . import meaning
from .binding import expression, number, truth, wanted

__all__ = ["expression", "meaning", "number", "truth", "wanted"]
