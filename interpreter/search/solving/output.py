"""The output of a solution: a page, and data as in `docs/schemas/solve.json`."""

from __future__ import annotations

from fractions import Fraction
from math import log10
from typing import Any

from ...play.page import Grid, Line, Page
from ...play.result import heading
from .regret import Value
from .solution import Solution

DIGITS = 7  # of figures that are exact but for rounding
SHORT = 10**7  # a denominator: a fraction with a greater one says no more than its decimals
MANY = 10**15  # histories: of more, the number of digits says all
HUGE = 10**300  # above, few programs read a number


def to_json(found: Solution) -> dict[str, Any]:
    """The data."""
    return {
        "game": found.game.name,
        "players": found.game.players,
        "variants": list(found.game.variants),
        "options": found.game.options,
        "rules_hash": found.game.rules_hash,
        "histories": {"chance": _whole(found.chance), "decisions": _whole(found.decisions), "ends": _whole(found.ends)},
        "states": found.states,
        "information_states": [_whole(count) for count in found.information_states],
        "uniform": {"values": [round(value, 12) for value in found.uniform_values], "nash_conv": round(found.nash_conv, 12)},
        "value": _value(found.value),
        "left_out": [found.why_no_value] if found.why_no_value else [],
    }


def _value(value: Value | Fraction | None) -> dict[str, Any] | None:
    match value:
        case None:
            return None
        case Fraction():
            return {
                "first_player": float(value),
                "exact": str(value) if max(abs(value.numerator), value.denominator) < HUGE else None,
                "accuracy": 0,
                "rounds": 0,
            }
        case _:
            return {"first_player": value.of_means, "exact": None, "accuracy": value.accuracy, "rounds": value.rounds}


def _whole(count: int) -> int | None:
    return count if count < HUGE else None


def page(found: Solution) -> Page:
    """The page."""
    seats = found.game.seat_names
    histories = found.chance + found.decisions + found.ends
    counts = f"{_count(found.chance)} events of chance, {_count(found.decisions)} decisions, {_count(found.ends)} ends"
    gets = "score" if found.game.machine.returns == "score" else "return"
    rows = (
        ("information states", *map(_count, found.information_states)),
        (f"mean {gets} of uniform play", *(_decimal(value) for value in found.uniform_values)),
    )
    return (
        *heading(found.game),
        Line("heading", "Size"),
        Line("text", f"  {_count(histories)} histories: {counts}"),
        Line("text", f"  {found.states:,} states, {_count(sum(found.information_states))} information states"),
        Grid(("", *seats), rows),
        Line("heading", "Worth"),
        Line("text", f"  uniform play gives away {_decimal(found.nash_conv)} (NashConv)"),
        Line("text", f"  {_worth(found, seats[0])}"),
    )


def _worth(found: Solution, first: str) -> str:
    match found.value:
        case None:
            return f"value: left out, since {found.why_no_value}"
        case Fraction() as exact:
            told = _decimal(float(exact))
            if exact.denominator < SHORT:
                said = str(exact).replace("-", "−")
                told = said if exact.denominator == 1 else f"{said} = {told}"
            return f"value for {first}: {told}, exact (by backward induction)"
        case value:
            told = f"at most {value.accuracy:.1g} off ({value.rounds:,} rounds of CFR+)"
            return f"value for {first}: {_decimal(value.of_means)}, {told}"


def _count(number: int) -> str:
    return f"{number:,}" if number < MANY else f"about 10^{log10(number):.0f}"


def _decimal(number: float) -> str:
    return f"{round(number, DIGITS) + 0.0:.{DIGITS}f}".replace("-", "−")  # + 0.0: nothing less than nothing is 0
