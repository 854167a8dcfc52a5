"""Binds statements."""

from . import meaning
from .binding import body, statement

__all__ = ["body", "meaning", "statement"]
