"""Binding of expressions: what each means, and of which type it is.

`binding.py` has the functions that everybody calls, `meaning.py` the list of all kinds of expressions; it is imported here, so
that they are known. The other modules have a group of kinds each.
"""

from . import meaning
from .binding import expression, number, truth, wanted

__all__ = ["expression", "meaning", "number", "truth", "wanted"]
