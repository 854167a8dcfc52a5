"""Slips in the rows of tables and of lists of components.

A row whose key nothing can ask for (R328). Two neighbouring rows whose values seem to be exchanged (R331): where a column rises,
or falls, with every row, two neighbours that do not are suspicious. Many tables of points go up and down, so a pair is reported
only if exchanging it sets the whole column in order, and if the other rows suffice to know that there is an order. A component
with a number that another one has, where all other rows are numbered in order (R332).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from ....common.diagnostics import Diagnostic, warning
from ....common.nouns import is_for, plural
from ....model import model
from ....model.model import Const, Model
from ....model.visitor import walk
from ...dataflow.ranges import Ranges, may_be

ROWS_OF_A_TABLE, ROWS_OF_A_LIST = 5, 6  # at least: with fewer, the others say too little


def unused_rows(table: model.TableDeclaration, game: Model, ranges: Ranges) -> Iterator[Diagnostic]:
    """The rows of a table by numbers for which nothing can ask (R328)."""
    counts = range(game.players[0], game.players[1] + 1)
    everything = (game.declarations, game.variants, game.tests)
    keys = [node.key for node in walk(everything) if isinstance(node, model.ColumnFor) and node.table == table.name]
    domains = [line.default for line in game.declarations if isinstance(line, model.OptionDeclaration)]
    keys += [node.key for node in walk(tuple(domains)) if isinstance(node, model.ColumnFor) and node.table == table.name]
    asked = [ranges.span_of(key, players) for key in keys for players in counts]
    if not asked:
        return
    for row in table.rows:
        if isinstance(row.key, Const) and not any(span is None or may_be(row.key, span) for span in asked):
            by_players = table.by == "players"
            others = [(game.players_span, is_for(game.players))] if by_players else []
            yield warning(
                "R328",
                f"the table `{table.name}` is never asked for its row {row.key.span.text}",
                row.span,
                *others,
                help="remove the row" + (", or change the `players` line" if by_players else ", or ask for it"),
            )


def exchanged(table: model.TableDeclaration) -> Iterator[Diagnostic]:
    """Two neighbouring rows of a table by numbers whose values seem to be exchanged (R331), column by column."""
    keyed = ((row.key.value, row) for row in table.rows if isinstance(row.key, Const))
    rows = [row for _, row in sorted(keyed, key=itemgetter(0))]
    for index, column in enumerate(table.columns):
        values = [cell.value for row in rows if isinstance(cell := row.values[index], Const) and cell.type == model.NUMBER]
        found = _exchanged(values) if len(values) == len(rows) >= ROWS_OF_A_TABLE else None
        if found is not None:
            place, up = found
            way = "up" if up else "down"
            yield warning(
                "R331",
                f"`{column}` goes {way} with every row but this one",
                rows[place + 1].span,
                (rows[place].span, f"{values[place]} comes before {values[place + 1]}"),
                help="exchange the two; if they are meant so, say why behind `# allow R331:`",
            )


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


def numbered(kind: model.Kind) -> Iterator[Diagnostic]:
    """A component of a list with a number that another has, where all other rows count up from the first number (R332)."""
    rows = kind.rows or ()
    for attribute in kind.attributes:
        low, high = attribute.domain.low, attribute.domain.high
        if len(rows) < ROWS_OF_A_LIST or not (isinstance(low, Const) and isinstance(high, Const)):
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
