"""The conditions that left a player without a legal option, where a game stopped for that (R601)."""

from __future__ import annotations

from ..common.source import Span
from ..machine.machine import Alternative, Machine
from ..machine.reference.stops import Refusal


def refusing(machine: Machine, refusals: list[tuple[Alternative, list[Refusal]]]) -> tuple[tuple[Span, str], ...]:
    """The conditions that refused something, with how much of it; the acts for which there was nothing to take.

    ``refusals``: for each alternative, why each of its candidates was not allowed.
    """
    places: dict[Span, str] = {}
    for alternative, each in refusals:
        verb = machine.groups[alternative.group].verb
        if not each:
            places.setdefault(alternative.span, f"there is nothing to `{verb}`")
        spans = [refusal.condition.span for refusal in each if refusal.condition is not None]
        for span in dict.fromkeys(spans):
            count = "" if len(each) == 1 else f" all {len(each)}" if spans.count(span) == len(each) else f" {spans.count(span)}"
            places.setdefault(span, f"refuses{count and f'{count} of'} `{verb}`")
    return tuple(places.items())
