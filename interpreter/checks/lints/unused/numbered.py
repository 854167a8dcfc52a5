"""Components of a list with a number that another one has, where all other rows are numbered in order (R332)."""

from __future__ import annotations

from collections.abc import Iterator

from ....common.diagnostics import Diagnostic, warning
from ....common.nouns import plural
from ....model import model
from ....model.model import Const

ROWS = 6  # at least: with fewer, the others say too little


def numbered(kind: model.Kind) -> Iterator[Diagnostic]:
    """A component of a list with a number that another has, where all other rows count up from the first number (R332)."""
    rows = kind.rows or ()
    for attribute in kind.attributes:
        low, high = attribute.domain.low, attribute.domain.high
        if len(rows) < ROWS or not (isinstance(low, Const) and isinstance(high, Const)):
            continue
        numbers = range(low.value, high.value + 1)
        values = [row.values[attribute.name] for row in rows]
        wrong = [place for place, number in enumerate(numbers) if place < len(values) and values[place] != number]
        if len(values) == len(numbers) and len(wrong) == 1 and values[wrong[0]] in numbers:
            missing, twice, slip = numbers[wrong[0]], values[wrong[0]], rows[wrong[0]].span
            other = rows[numbers.index(twice)].span
            message = f"the {attribute.name} {twice} is on two {plural(kind.name)}, and {missing} is on none"
            help = f"write {missing} here; if the two are meant so, say why behind `# allow R332:`"
            yield warning("R332", message, slip, (other, f"{twice} is here, too"), help=help)
