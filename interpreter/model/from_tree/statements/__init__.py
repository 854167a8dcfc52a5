"""Binds statements.

Shorter ways of writing end here: ``add 1 to x`` becomes ``set x to x + 1``, ``pay 1 from a to b`` two of these, and ``shuffle S
into P`` moves and mixes.
"""

from . import meaning
from .binding import body, statement

__all__ = ["body", "meaning", "statement"]
