"""A side of a comparison that was played earlier: the json of `rulesrun simulate`, from a file."""

from __future__ import annotations

import json

from ...common.diagnostics import Diagnostic, fault
from ...common.source import Source
from ..simulation import Plan
from ..statistics.compare import Side
from ..statistics.tally import NoTally, Tally
from .comparison import Compared

SIZE_LIMIT = 1_000_000_000  # bytes; a table with many lines and scores has some hundred thousand


def baseline_from(source: Source, plan: Plan) -> Compared | Diagnostic:
    """The baseline of a plan in the text of a file; R807 for what is none or cannot be compared with it."""
    help = "it is written by `rulesrun simulate ... --format json > FILE`"
    try:
        data = json.loads(source.text)
        columns = Tally.columns_of(data["tally"])
        side = Side(columns, Tally.from_data(columns, data["tally"]))
        game, bots, players = str(data["game"]), list(map(str, data["bots"])), data["players"]
        table = {key: data[key] for key in ("variants", "options", "seed", "games")}
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, NoTally) else "it is something else, or was cut off"
        return fault("R807", f"`{source.path}` is no baseline: {why}", help=help)
    if game != plan.table.name:
        told = f"the baseline `{source.path}` is of the game `{game}`, not of `{plan.table.name}`"
        return fault("R807", told, help=f"compare with statistics of `{plan.table.name}`")
    if players != plan.table.players or columns.seats != players:
        told = f"the baseline `{source.path}` is of {players} players, not of {plan.table.players}"
        return fault("R807", told, help=f"compare at the same table: `--players {players}`")
    if bots != [str(bot) for bot in plan.bots]:
        given = bots[0] if len(set(bots)) == 1 else ",".join(bots)
        return fault("R807", f"the baseline `{source.path}` was played by other bots", help=f"play by the same: `--bots {given}`")
    return Compared(source.path, side, None, table)
