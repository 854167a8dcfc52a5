"""Rows of a table by numbers whose key nothing can ask for (R328)."""

from __future__ import annotations

from collections.abc import Iterator

from ....common.diagnostics import Diagnostic, warning
from ....common.nouns import is_for
from ....model import model
from ....model.model import Const, Model
from ....model.visitor import walk
from ...dataflow.ranges import Ranges, may_be


def unasked(table: model.TableDeclaration, game: Model, ranges: Ranges) -> Iterator[Diagnostic]:
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
                "R328", f"the table `{table.name}` is never asked for its row {row.key.span.text}", row.span, *others,
                help="remove the row" + (", or change the `players` line" if by_players else ", or ask for it"),
            )  # fmt: skip
