"""The last safety net of a stage: exhausted recursion or memory becomes a diagnostic.

Every stage has bounds of its own (see "Bounds" in ``docs/language.md``), with the place of what is too large. This is for what
none of them covers: deep recursion and lack of memory end the stage, never the program.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from .diagnostics import Diagnostic, fault
from .source import Span

P = ParamSpec("P")
R = TypeVar("R")


FAULTS_LIMIT = 100  # faults after which a stage looks for no more: nobody mends more in one go


class TooMuch(Exception):
    """Work that is more than a stage does. ``diagnostics``: what is said of it, and what was found before."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(diagnostics[-1].message)
        self.diagnostics = diagnostics


def add_to(found: list[Diagnostic], diagnostic: Diagnostic) -> None:
    """Note what was found, once. Raises `TooMuch` with all of it where so much is wrong that no more need be looked for."""
    if diagnostic not in found:
        if len(found) >= FAULTS_LIMIT and diagnostic.severity == "error":
            message = f"these are {FAULTS_LIMIT} faults; the rest of these rules was not looked at"
            raise TooMuch(*found, fault("R113", message, help="correct these first"))
        found.append(diagnostic)


@contextmanager
def keeping(found: Sequence[Diagnostic]) -> Generator[None]:
    """Inside of a stage that gives up: what was ``found`` by then is a part of its result."""
    try:
        yield
    except (TooMuch, RecursionError, MemoryError) as error:
        raise TooMuch(*dict.fromkeys((*found, *reasons(error)))) from None


def giving_up(result: Callable[[tuple[Diagnostic, ...]], R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A stage that ends in ``result`` of what was found where it would go too deep, take too much memory, or do too much."""

    def decorate(stage: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(stage)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return stage(*args, **kwargs)
            except (TooMuch, RecursionError, MemoryError) as error:
                found = reasons(error)
            return result(found)

        return run

    return decorate


def reasons(error: Exception) -> tuple[Diagnostic, ...]:
    """The diagnostics for an exception that says that something was too deep, too large or too much; none for any other."""
    match error:
        case TooMuch(diagnostics=found):
            return found
        case RecursionError():
            return (too_deep(),)
        case MemoryError():
            return (too_big(),)
        case _:
            return ()


def too_deep(span: Span | None = None) -> Diagnostic:
    return fault(
        "R216",
        "these rules are too deep: they hold too much in one another, or too long chains",
        span,
        help="divide the longest of them: use a `table`, a `define` or a `step`",
    )


def too_big(span: Span | None = None) -> Diagnostic:
    return fault("R216", "these rules take too much memory", span, help="divide the longest of them, or let them hold less")
