"""The statistics of a run for programs: as json and as csv."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from ..simulation import Plan, SoFar
from ..statistics.statistics import nested, number, statistics
from ..stops import Stop, as_json

if TYPE_CHECKING:
    from ...play.game import Game
    from ...play.kept import KeptTable


def to_json(plan: Plan, so_far: SoFar, seconds: float, stops: Sequence[Stop]) -> dict[str, Any]:
    """``seconds``: how long the games took, those before a checkpoint included.

    ``tally`` holds the histograms from which all else follows; `compare` reads it from a baseline.
    """
    columns = plan.columns
    found = {statistic: number(statistic, value) for statistic, value in statistics(columns, so_far.tally).items()}
    return {
        **table_data(plan.table, plan.seed),
        "games": so_far.games,
        "seconds": round(seconds, 3),
        "games_per_s": round(so_far.games / seconds, 1) if seconds else 0.0,
        **nested(found),
        "faults": [as_json(stop) for stop in stops],
        "engine": plan.engine,
        "bots": [str(bot) for bot in plan.bots],
        "tally": so_far.tally.to_data(columns),
    }


def table_data(game: Game | KeptTable, seed: int) -> dict[str, Any]:
    """Which table was played."""
    return {
        "game": game.name,
        "players": game.players,
        "variants": list(game.variants),
        "options": game.options,
        "seed": seed,
    }


def to_csv(plan: Plan, so_far: SoFar) -> str:
    """A line for each statistic. ``part``: a line of the score sheet or a quantile; ``seat``: empty for the whole table."""
    found = statistics(plan.columns, so_far.tally)
    rows = ((s.name, s.part, s.seat or "", number(s, value)) for s, value in found.items())
    return csv_text(("statistic", "part", "seat", "value"), rows)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lines of csv, with ``\\n``; None is an empty field."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
