"""What may vary in the rules: numbers with their values."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from attrs import frozen

from ...common.diagnostics import RulesError, fault
from ...common.source import Source, Span
from ...rules import Rules
from ...simulate.sweep import sweep_from
from ..varying import Varied, number_named, whole_number, with_numbers

GIVEN = "--vary"
Setting = tuple[int, ...]  # a value of each number, in their order


@frozen
class Knob:
    """A number and the values that it may take, from the lowest up."""

    number: Varied
    values: tuple[int, ...]


@frozen(eq=False)
class Space:
    """All settings of some numbers in one file of rules."""

    rules: Rules
    knobs: tuple[Knob, ...]

    @property
    def size(self) -> int:
        return prod(len(knob.values) for knob in self.knobs)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(knob.number.name for knob in self.knobs)

    @property
    def now(self) -> Setting:
        """What stands in the rules now; it need not be one of the settings."""
        return tuple(knob.number.value for knob in self.knobs)

    def __contains__(self, setting: Setting) -> bool:
        return all(value in knob.values for value, knob in zip(setting, self.knobs, strict=True))

    def rules_with(self, setting: Setting) -> Rules:
        """The rules with other numbers. They may have faults then, as any rules may."""
        return with_numbers(self.rules, self.numbers(setting))

    def numbers(self, setting: Setting) -> dict[Varied, int]:
        return {knob.number: value for knob, value in zip(self.knobs, setting, strict=True)}


def space_from(rules: Rules, texts: Sequence[str]) -> Space:
    """What may vary, as somebody wrote it: ``highest_bid=3..30`` each. Raises `RulesError` (R806)."""
    knobs: list[Knob] = []
    for text in texts:
        sweep = sweep_from(text, GIVEN)
        number = number_named(rules, sweep.option, GIVEN)
        for knob in knobs:
            if knob.number.span == number.span:
                told = f"`{number.name}` is the same number as `{knob.number.name}`"
                where = Span(Source(GIVEN, text), 0, len(sweep.option))
                raise RulesError([fault("R806", told, where, help="vary each number once")])
        knobs.append(Knob(number, tuple(sorted(whole_number(sweep.option, value, GIVEN) for value in sweep.values))))
    return Space(rules, tuple(knobs))
