"""Neighbouring rows of a table whose values seem to be exchanged (R331).

Where a column rises, or falls, with every row, two neighbours that do not are suspicious. Many tables of points go up and down,
so a pair is reported only if exchanging it sets the whole column in order, and if the other rows suffice to know that there is an
order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from ....common.diagnostics import Diagnostic, warning
from ....model import model
from ....model.model import Const

ROWS = 5  # at least: with fewer, the others say too little


def exchanged(table: model.TableDeclaration) -> Iterator[Diagnostic]:
    """Two neighbouring rows of a table by numbers whose values seem to be exchanged (R331), column by column."""
    keyed = ((row.key.value, row) for row in table.rows if isinstance(row.key, Const))
    rows = [row for _, row in sorted(keyed, key=itemgetter(0))]
    for index, column in enumerate(table.columns):
        values = [cell.value for row in rows if isinstance(cell := row.values[index], Const) and cell.type == model.NUMBER]
        found = _exchanged(values) if len(values) == len(rows) >= ROWS else None
        if found is not None:
            place, up = found
            way = "up" if up else "down"
            yield warning(
                "R331", f"`{column}` goes {way} with every row but this one", rows[place + 1].span,
                (rows[place].span, f"{values[place]} comes before {values[place + 1]}"),
                help="exchange the two; if they are meant so, say why behind `# allow R331:`",
            )  # fmt: skip


def _exchanged(values: Sequence[int]) -> tuple[int, bool] | None:
    """The first of two neighbours that, exchanged, let all values go up (True) or down (False); None where there are none."""
    for up in (True, False):
        wrong = [place for place, (one, other) in enumerate(pairwise(values)) if (one < other) != up or one == other]
        if len(wrong) == 1:
            (place,) = wrong
            mended = [*values[:place], values[place + 1], values[place], *values[place + 2 :]]
            if all((one < other) == up and one != other for one, other in pairwise(mended)):
                return place, up
    return None
