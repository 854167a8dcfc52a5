"""Is a number given twice? Where components are numbered through, each number is on one of them.

As many components as the attribute has numbers, and all numbers but one are there: then the other was to be on one of the two
that have the same. Where another attribute is different on each of them, it is that which tells them apart, and nothing is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...diagnostics import Diagnostic, warning
from ...model import model
from ...model.model import Const

ROWS = 5  # at least: with fewer, the others say too little


def numbered(kind: model.Kind) -> Iterator[Diagnostic]:
    """Two components of a list with a number that one should have, and none has the number of the other (R332)."""
    rows = kind.rows or ()
    if len(rows) < ROWS or any(row.copies != 1 for row in rows):
        return
    for attribute in kind.attributes:
        domain = attribute.domain
        others = (other.name for other in kind.attributes if other is not attribute)
        if any(len({row.values[other] for row in rows}) == len(rows) for other in others):
            continue
        if isinstance(domain.low, Const) and isinstance(domain.high, Const) and not domain.type.optional:
            numbers = range(domain.low.value, domain.high.value + 1)
            values = [row.values[attribute.name] for row in rows]
            missing = [number for number in numbers if number not in values]
            twice = [number for number, often in Counter(values).items() if often > 1]
            if len(values) == len(numbers) and len(missing) == len(twice) == 1:
                other, slip = _in_order([place for place, value in enumerate(values) if value in twice], missing[0], values)
                message = f"the {attribute.name} {twice[0]} is on two {kind.name}s, and {missing[0]} is on none"
                yield warning(
                    "R332", message, rows[slip].span, (rows[other].span, f"{twice[0]} is here, too"),
                    help=f"write {missing[0]} on one of them; if they are meant so, say why behind `# allow R332:`",
                )  # fmt: skip


def _in_order(places: Sequence[int], missing: int, values: Sequence[int]) -> tuple[int, int]:
    """Of two rows with the same number, that which is to keep it and the other: with its own it lies between its neighbours."""
    one, other = places

    def fits(place: int) -> bool:
        before, after = values[:place][-1:], values[place + 1 :][:1]
        return all(number < missing for number in before) and all(missing < number for number in after)

    return (other, one) if fits(one) and not fits(other) else (one, other)
