"""Checkpoints, from which a run goes on after it was killed: which run it is, how far it has come, and its tally so far.

A checkpoint is json. It ends with a digest of the rest, so that a damaged file is noticed. It fits only the run that wrote it:
the same rules, table, bots, seed and number of games. The engine and the number of threads may differ.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from attrs import frozen

from ..common.diagnostics import Diagnostic, fault
from ..common.source import Source
from .simulation import Plan, SoFar
from .statistics.counts import Counts
from .statistics.tally import NoTally, Tally

MARK = b'{"checkpoint":'  # how every checkpoint begins
FORMAT = 1
SIZE_LIMIT = 1_000_000_000  # bytes; a table with many lines and scores has some hundred thousand


@frozen(eq=False)
class Checkpoint:
    """``seconds``: how long all runs took up to here."""

    so_far: SoFar
    seconds: float


def described(plan: Plan, command: str = "simulate") -> dict[str, Any]:
    """What makes a run of a command this one and no other."""
    game = plan.table
    return {
        "command": command,
        "rules": game.rules_hash,
        "game": game.name,
        "players": game.players,
        "variants": list(game.variants),
        "options": game.options,
        "bots": [f"{bot} ({bot.digest})" if bot.digest else str(bot) for bot in plan.bots],
        "seed": plan.seed,
        "games": plan.games,
    }


def to_text(plan: Plan, so_far: SoFar, seconds: float) -> str:
    """A checkpoint of many games of one table as a file's text."""
    counts = None if so_far.counts is None else so_far.counts.to_data()
    return text_of(described(plan), seconds, {"tally": so_far.tally.to_data(plan.columns), "counts": counts})


def text_of(run: dict[str, Any], seconds: float, results: dict[str, Any]) -> str:
    """A checkpoint of any command as a file's text."""
    data = {"checkpoint": FORMAT, "run": run, "seconds": seconds, **results}
    return json.dumps({**data, "digest": _digest(data)}) + "\n"


def run_of(source: Source) -> dict[str, Any]:
    """What a checkpoint says of its run (`described`); empty where this is none."""
    found = _read(source)
    return {} if isinstance(found, Diagnostic) else found["run"]


def seed_of(source: Source) -> int | None:
    """The seed of the run that wrote a checkpoint; None where this is none."""
    return seed if isinstance(seed := run_of(source).get("seed"), int) else None


def from_text(source: Source, plan: Plan, counts: bool) -> Checkpoint | Diagnostic:
    """The checkpoint of a run that is to go on; R802 for what is none, R803 for one of another run.

    ``counts``: whether what was on offer is counted (see `Counts`), which must have been so from the beginning.
    """
    data = data_of(source, described(plan), () if not counts else ("counts",))
    if isinstance(data, Diagnostic):
        return data
    try:
        tally = Tally.from_data(plan.columns, data["tally"])
        counted = Counts.from_data(data["counts"]) if counts else None
        seconds = float(data["seconds"])
    except (NoTally, KeyError, TypeError, ValueError) as error:
        return none_here(source, str(error))
    return Checkpoint(SoFar(tally.games + tally.stopped, tally, counted), seconds)


def data_of(source: Source, run: dict[str, Any], needed: tuple[str, ...] = ()) -> dict[str, Any] | Diagnostic:
    """The data of the checkpoint of a run; R802 for what is none, R803 for one of another run.

    ``needed``: results that must have been collected from the beginning.
    """
    data = _read(source)
    if isinstance(data, Diagnostic):
        return data
    then = data["run"]
    differing = [_differs(key, then.get(key), run[key]) for key in run if then.get(key) != run[key]]
    if any(data.get(name) is None for name in needed):
        differing.append("nothing was counted for a report")
    if differing:
        help = "leave out --checkpoint, or name another file to begin anew"
        return fault("R803", f"the checkpoint `{source.path}` is of another run: {'; '.join(differing)}", help=help)
    return data


def _read(source: Source) -> dict[str, Any] | Diagnostic:
    """The data of a checkpoint whose digest is right."""
    try:
        data = json.loads(source.text)
    except (ValueError, RecursionError):
        return none_here(source, "it is no json, or was cut off")
    if not isinstance(data, dict) or data.get("checkpoint") != FORMAT or not isinstance(data.get("run"), dict):
        return none_here(source, "it is something else")
    if data.pop("digest", None) != _digest(data):
        return none_here(source, "it is damaged")
    return data


def _digest(data: dict[str, Any]) -> str:
    return blake2b(json.dumps(data).encode(), digest_size=16).hexdigest()


def none_here(source: Source, why: str) -> Diagnostic:
    """R802: what is wrong with the file."""
    help = "`--checkpoint FILE` of a run writes them, such as `rulesrun simulate`; name another file to begin anew"
    return fault("R802", f"`{source.path}` is no checkpoint: {why}", help=help)


def _differs(key: str, then: object, now: object) -> str:
    if key == "rules":
        return "the rules have changed"
    return f"{key} {_said(now)}, not {_said(then)}"


def _said(value: object) -> str:
    match value:
        case dict():
            return ", ".join(f"{name} = {_said(part)}" for name, part in value.items()) or "none"
        case list():
            return ", ".join(map(str, value)) or "none"
        case _:
            return str(value)
