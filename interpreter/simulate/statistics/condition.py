"""Conditions under which a run fails, such as ``win_share[seat 1] > 0.30``.

A condition is a statistic, a comparison and a number. A statistic is named as in the json, followed in brackets by the line of
the score sheet or the quantile, and by the seat (from 1): ``terms_mean[coins][seat 2]``. In a comparison of two tables, the
prefix ``difference.`` means how much greater it is on the second side. `length_median` is short for `length_quantiles[0.5]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from operator import eq, ge, gt, le, lt

from attrs import frozen

from ...common.diagnostics import RulesError, did_you_mean, fault
from ...common.source import Source, Span
from .statistics import Statistic, number

Values = Mapping[Statistic, Fraction | None]

_COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {">=": ge, "<=": le, ">": gt, "<": lt, "=": eq}
_SHAPE = re.compile(
    r"\s*(?P<difference>difference\s*\.\s*)?(?P<name>\w+)\s*(?P<parts>(?:\[[^\]]*\]\s*)*)"
    r"(?P<comparison>>=|<=|==|>|<|=)\s*(?P<number>[-+]?\d+(?:\.\d+)?)\s*"
)
_NAMED = re.compile(r"(?P<name>\w+)\s*(?P<parts>(?:\[[^\]]*\]\s*)*)")
_EXAMPLE = "write a statistic, a comparison (>, >=, <, <=, =) and a number, such as `win_share[seat 1] > 0.30`"
_PERCENT = "a share is a number from 0 to 1: write 0.30 for 30 %"


@frozen
class Condition:
    """``difference``: it is about the difference between two sides."""

    text: str
    statistic: Statistic
    difference: bool
    comparison: str
    number: Fraction

    def holds(self, values: Values) -> bool:
        """Whether it holds for these statistics. A statistic without a value fulfils nothing."""
        value = values.get(self.statistic)
        return value is not None and _COMPARE[self.comparison](value, self.number)

    def told(self, values: Values) -> str:
        """A line that the condition holds, and why."""
        return f"`{self.text}` holds: it is {number(self.statistic, values[self.statistic])}"


def condition_from(text: str, known: Collection[Statistic], of_two: bool) -> Condition:
    """The condition in a text. ``known``: the statistics that there are; ``of_two``: whether two sides are compared.

    Raises `RulesError` (R805).
    """
    source = Source("--fail-if", text)
    whole = Span(source, 0, len(text))
    found = _SHAPE.fullmatch(text)
    if found is None:
        help = _PERCENT if text.rstrip().endswith("%") else _EXAMPLE
        raise RulesError([fault("R805", "this is no condition", whole, help=help)])
    if found["difference"] and not of_two:
        where = Span(source, *found.span("difference"))
        told = "there is no difference here: this is one table"
        raise RulesError([fault("R805", told, where, help="`rulesrun compare` has two")])
    statistic = statistic_named(Span(source, found.start("name"), found.end("parts")), known)
    comparison = found["comparison"].replace("==", "=")
    return Condition(text.strip(), statistic, bool(found["difference"]), comparison, Fraction(found["number"]))


def statistic_named(where: Span, known: Collection[Statistic]) -> Statistic:
    """The statistic that a part of a text names. Raises `RulesError` (R805)."""
    source, begin = where.source, where.start
    found = _NAMED.fullmatch(where.text)
    if found is None:
        raise RulesError([fault("R805", "this is no statistic", where, help="write one such as `win_share[seat 1]`")])
    names = list(dict.fromkeys(statistic.name for statistic in known))
    name, part, seat = found["name"], "", 0
    if name not in names and (median := re.sub(r"_median$", "_quantiles", name)) in names:
        name, part = median, "0.5"
    if name not in names:
        at = Span(source, begin + found.start("name"), begin + found.end("name"))
        help = did_you_mean(name, names, f"there are {', '.join(names)}")
        raise RulesError([fault("R805", f"there is no statistic `{name}`", at, help=help)])
    of_name = [statistic for statistic in known if statistic.name == name]
    for bracket in re.finditer(r"\[([^\]]*)\]", found["parts"]):
        start = begin + found.start("parts") + bracket.start()
        at = Span(source, start, start + len(bracket[0]))
        inside = " ".join(bracket[1].split())
        seated = re.fullmatch(r"seat (\d{1,4})", inside)
        if seated and not seat:
            seat = int(seated[1])
            if not any(statistic.seat == seat for statistic in of_name):
                most = max(statistic.seat for statistic in of_name)
                told = f"seats go from 1 to {most}" if most else f"`{name}` is of the whole table"
                raise RulesError([fault("R805", f"`{name}` has no seat {seat}", at, help=told)])
            continue
        parts = list(dict.fromkeys(statistic.part for statistic in of_name if statistic.part))
        if inside not in parts or part:
            help = did_you_mean(inside, parts, f"there are {', '.join(parts)}" if parts else f"write `{of_name[0]}`")
            raise RulesError([fault("R805", f"`{name}` has no part `{inside}`", at, help=help)])
        part = inside
    statistic = Statistic(name, part, seat)
    if statistic not in known:
        missing = "it is not said of which seat" if any(s.seat for s in of_name) and not seat else "it is not said of which part"
        raise RulesError([fault("R805", missing, where, help=f"write it like `{of_name[0]}`")])
    return statistic
