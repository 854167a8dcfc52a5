"""Sweeps over the values of an option: ``highest_bid=5..30:5`` means 5, 10 and so on to 30, ``bonus=yes,no`` these two."""

from __future__ import annotations

import re

from attrs import frozen

from ..common.diagnostics import Diagnostic, RulesError, fault
from ..common.source import Source, Span

VALUES_LIMIT = 100  # a table with more rows is not read
_EXAMPLE = "write OPTION=LOW..HIGH:STEP, such as `highest_bid=5..30:5`, or OPTION=VALUE,VALUE"


@frozen
class Sweep:
    """Values of an option, in order, as they are written on a command line."""

    option: str
    values: tuple[str, ...]


def sweep_from(text: str, given: str = "--sweep") -> Sweep:
    """The sweep in a text. Whether the option has these values is seen when tables are made.

    ``given``: where it was written. Raises `RulesError` (R806).
    """
    source = Source(given, text)
    option, equals, values = text.partition("=")
    start = len(option) + 1
    if not equals or not option.strip() or not values.strip():
        raise _error("this is no sweep", Span(source, 0, len(text)), _EXAMPLE)
    where = Span(source, start, len(text))
    span = re.fullmatch(r"\s*(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})\s*(?::\s*(-?\d{1,9})\s*)?", values)
    if span is not None:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        if step < 1:
            at = Span(source, start + span.start(3), start + span.end(3))
            raise _error(f"a sweep goes up by 1 at least, not by {step}", at, _EXAMPLE)
        if low >= high:
            raise _error(f"there is nothing to sweep from {low} to {high}", where, "the first number is the lower one")
        numbers = range(low, high + 1, step)
        if len(numbers) > VALUES_LIMIT:
            help = f"at most {VALUES_LIMIT} are compared; take larger steps, such as `{low}..{high}:{-(-(high - low) // 10)}`"
            raise _error(f"these are {len(numbers):,} values", where, help)
        found = tuple(map(str, numbers))
    elif ".." in values or ":" in values:
        raise _error("this is no range", where, _EXAMPLE)
    else:
        found = tuple(value.strip() for value in values.split(","))
    if len(found) < 2:
        raise _error("one value has nothing to be compared with", where, _EXAMPLE)
    if len(found) > VALUES_LIMIT:
        raise _error(f"these are {len(found):,} values", where, f"at most {VALUES_LIMIT} are compared")
    if "" in found or len(set(found)) < len(found):
        raise _error("each value stands there once", where, _EXAMPLE)
    return Sweep(option.strip(), found)


def _error(message: str, where: Span, help: str) -> RulesError:
    found: Diagnostic = fault("R806", message, where, help=help)
    return RulesError([found])
