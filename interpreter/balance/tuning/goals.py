"""Goals, such as ``first_seat_win_share = 0.5 +- 0.02`` and ``length_median = 60..80``."""

from __future__ import annotations

import re
from collections.abc import Collection
from math import inf

from attrs import frozen

from ...common.diagnostics import RulesError, fault
from ...common.source import Source, Span
from ...simulate.statistics.condition import statistic_named
from ...simulate.statistics.interval import Interval
from ...simulate.statistics.statistics import Statistic

_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_SHAPE = re.compile(r"\s*(?P<statistic>\w+\s*(?:\[[^\]]*\]\s*)*)(?P<comparison>>=|<=|==|=)\s*(?P<range>.*?)\s*")
_MIDDLE = re.compile(rf"({_NUMBER})\s*(?:\+-|\+/-|±)\s*(\d+(?:\.\d+)?)")
_RANGE = re.compile(rf"({_NUMBER})\s*\.\.\s*({_NUMBER})")
_HELP = (
    "write a statistic and a range, such as `first_seat_win_share = 0.5 +- 0.02`, `length_median = 60..80` or `ties_share <= 0.1`"
)


@frozen
class Goal:
    """A statistic that is to be between two limits."""

    text: str
    statistic: Statistic
    low: float
    high: float

    def distance(self, value: float) -> float:
        """How far a value is from the range, by half the width of it (by the limit itself, where the range has one limit)."""
        off = max(self.low - value, value - self.high, 0.0)
        width = (self.high - self.low) / 2 if self.high - self.low < inf else abs(self.low if self.low > -inf else self.high)
        return off / width if off and width else off

    def is_missed(self, found: Interval) -> bool:
        """Whether it is sure that the goal is not reached."""
        return found.is_outside(self.low, self.high)


def goal_from(text: str, known: Collection[Statistic]) -> Goal:
    """The goal in a text. ``known``: the statistics that there are. Raises `RulesError` (R811, and R805 for the statistic)."""
    source = Source("--goal", text)
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise _error("this is no goal", Span(source, 0, len(text)), _HELP)
    statistic = statistic_named(Span(source, *found.span("statistic")), known)
    where = Span(source, *found.span("range"))
    low, high = _limits(found["comparison"], found["range"], where)
    if low > high:
        raise _error(f"there is nothing from {low:g} to {high:g}", where, "the first number is the lower one")
    return Goal(text.strip(), statistic, low, high)


def _limits(comparison: str, text: str, where: Span) -> tuple[float, float]:
    if comparison in (">=", "<="):
        if re.fullmatch(_NUMBER, text) is None:
            raise _error("this is no number", where, _HELP)
        return (float(text), inf) if comparison == ">=" else (-inf, float(text))
    if middle := _MIDDLE.fullmatch(text):
        return float(middle[1]) - float(middle[2]), float(middle[1]) + float(middle[2])
    if limits := _RANGE.fullmatch(text):
        return float(limits[1]), float(limits[2])
    if re.fullmatch(_NUMBER, text):
        raise _error("a goal needs some room", where, f"no game reaches a number to its last digit: write `{text} +- 0.02`")
    raise _error("this is no range", where, _HELP)


def _error(message: str, where: Span, help: str) -> RulesError:
    return RulesError([fault("R811", message, where, help=help)])
