"""Binding of statements: what each line does.

`binding.py` has the functions that everybody calls, `meaning.py` the list of all kinds of statements; it is imported here, so
that they are known. The other modules have a group of kinds each.
"""

from . import meaning
from .binding import body, statement

__all__ = ["body", "meaning", "statement"]
