"""Test-plays: what the logs of all tables tell a designer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO
from statistics import median
from typing import Any

from ..common.extras import extra
from .log import Entry
from .messages import Data
from .session import Plan
from .storage import Store

REASONS_SHOWN = 50


def plays_of(store: Store) -> Data:
    """All tables, the latest first; and by game, the reasons that people ran into most, and the scores of people and bots."""
    logs = [(plan, store.log(plan.id)) for plan in store.plans() if not plan.replay]
    games: dict[str, list[tuple[Plan, list[Entry]]]] = {}
    for plan, log in logs:
        games.setdefault(plan.game, []).append((plan, log))
    return {
        "tables": [_table(plan, log) for plan, log in logs],
        "games": [{"game": game, **_game(found)} for game, found in sorted(games.items())],
    }


def happenings_of(store: Store) -> bytes:
    """A Parquet file: a row for everything that happened at a table, in order. Raises `RulesError` (R804) without pyarrow.

    ``waited``: seconds since the act, outcome or table before it. ``at``: how many acts and outcomes there were by then.
    """
    arrow, parquet = (extra(module, "parquet", "a Parquet file") for module in ("pyarrow", "pyarrow.parquet"))
    schema = arrow.schema([(name, _kind(arrow, kind)) for name, kind in COLUMNS.items()])
    into = BytesIO()
    with parquet.ParquetWriter(into, schema) as writer:
        for plan in store.plans():
            if not plan.replay:
                writer.write_table(arrow.Table.from_pylist(list(_happenings(plan, store.log(plan.id))), schema=schema))
    return into.getvalue()


COLUMNS = {
    "table": "string", "created": "timestamp", "game": "string", "players": "int32", "variants": "strings", "options": "string",
    "seed": "uint64", "number": "int32", "time": "timestamp", "kind": "string", "seat": "int32", "person": "bool",
    "name": "string", "bot": "string", "at": "int32", "waited": "float64", "option": "int32", "text": "string", "why": "string",
    "scores": "numbers",
}  # fmt: skip


def _kind(arrow: Any, kind: str) -> Any:
    match kind:
        case "timestamp":
            return arrow.timestamp("ms", tz="UTC")
        case "strings":
            return arrow.list_(arrow.string())
        case "numbers":
            return arrow.list_(arrow.int64())
        case "bool":
            return arrow.bool_()
        case _:
            return getattr(arrow, kind)()


def _happenings(plan: Plan, log: Sequence[Entry]) -> Iterator[Data]:
    names = [seat.name for seat in plan.seats]
    before, at, seed = plan.created, 0, _seed(plan, log)
    for number, entry in enumerate(log):
        happened = entry.kind in ("act", "chance")
        if entry.kind == "name":
            names[entry.seat - 1] = entry.data["text"]
        match entry.kind:
            case "undo":
                at = entry.data["kept"]
            case "rules":
                at = len(entry.data["acts"])
            case _:
                at += happened
        seat = plan.seats[entry.seat - 1] if entry.seat else None
        yield {
            "table": plan.id, "created": _moment(plan.created), "game": plan.game, "players": plan.players,
            "variants": list(plan.variants), "options": json.dumps(dict(plan.options)), "seed": seed, "number": number,
            "time": _moment(entry.time), "kind": entry.kind, "seat": entry.seat,
            "person": None if seat is None else not seat.is_bot, "name": names[entry.seat - 1] if seat else None,
            "bot": seat.bot if seat else None, "at": at, "waited": max(0.0, entry.time - before) if happened else None,
            "option": entry.data.get("option"), "text": entry.data.get("text"), "why": entry.data.get("why"),
            "scores": entry.data.get("scores"),
        }  # fmt: skip
        before = max(before, entry.time) if happened else before  # of acts chosen at once, the first need not be the earliest


def _seed(plan: Plan, log: Sequence[Entry]) -> int | None:
    """The seed that somebody chose; None before the end, since whoever knows it knows what lies hidden."""
    return plan.seed if any(entry.kind == "over" for entry in log) else None


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _table(plan: Plan, log: Sequence[Entry]) -> Data:
    happened = [entry for entry in log if entry.kind in ("act", "chance")]
    waits = _waits(plan, happened)
    return {
        "table": plan.id, "watch": plan.watch, "game": plan.game, "players": plan.players,
        "variants": list(plan.variants), "options": dict(plan.options), "seed": _seed(plan, log), "created": plan.created,
        "seats": [
            {"kind": "bot" if seat.is_bot else "person", "name": _name(plan, log, number), "bot": seat.bot,
             "acts": len(waits[number]), "waited": round(sum(waits[number]), 1),
             "longest": round(max(waits[number], default=0.0), 1)}
            for number, seat in enumerate(plan.seats, 1)
        ],
        "acts": sum(entry.kind == "act" for entry in log), "undone": sum(entry.kind == "undo" for entry in log),
        "seconds": round(happened[-1].time - plan.created, 1) if happened else 0.0, "scores": _scores(log),
        "notes": [{"seat": e.seat, "text": e.data["text"], "at": e.data["at"], "time": e.time} for e in log if e.kind == "note"],
        "refused": [{"seat": e.seat, **e.data, "time": e.time} for e in log if e.kind == "refused"],
    }  # fmt: skip


def _name(plan: Plan, log: Sequence[Entry], seat: int) -> str:
    said = [entry.data["text"] for entry in log if entry.kind == "name" and entry.seat == seat]
    return str(said[-1]) if said else plan.seats[seat - 1].name


def _waits(plan: Plan, happened: Sequence[Entry]) -> dict[int, list[float]]:
    """How many seconds the table waited for each act of each seat."""
    found: dict[int, list[float]] = {seat: [] for seat in range(1, plan.players + 1)}
    before = plan.created
    for entry in happened:
        if entry.seat:
            found[entry.seat].append(max(0.0, entry.time - before))
        before = max(before, entry.time)
    return found


def _scores(log: Sequence[Entry]) -> list[int] | None:
    """The scores of a game that is over, and was not taken back."""
    last = next((entry for entry in reversed(log) if entry.kind in ("over", "undo", "rules")), None)
    return last.data["scores"] if last is not None and last.kind == "over" else None


def _game(tables: Sequence[tuple[Plan, list[Entry]]]) -> Data:
    scores: dict[str, list[int]] = {"people": [], "bots": []}
    waits: dict[str, list[float]] = {"people": [], "bots": []}
    lengths = []
    for plan, log in tables:
        happened = [entry for entry in log if entry.kind in ("act", "chance")]
        final = _scores(log)
        for number, (seat, waited) in enumerate(zip(plan.seats, _waits(plan, happened).values(), strict=True)):
            who = "bots" if seat.is_bot else "people"
            waits[who] += waited
            if final is not None:
                scores[who].append(final[number])
        if final is not None:
            lengths.append(happened[-1].time - plan.created)
    return {
        "tables": len(tables),
        "over": len(lengths),
        "minutes": _middle(lengths, 60),
        "waited": {who: _middle(found) for who, found in waits.items()},
        "reasons": _reasons(tables),
        "scores": scores,
        "notes": sum(entry.kind == "note" for _, log in tables for entry in log),
    }


def _middle(found: Sequence[float], unit: float = 1.0) -> float | None:
    """The median, in so many seconds; None of nothing."""
    return round(median(found) / unit, 1) if found else None


def _reasons(tables: Sequence[tuple[Plan, list[Entry]]]) -> list[Data]:
    """The reasons why people could not do something, by the line of the rules that says so; those met most come first."""
    met: dict[tuple[object, ...], list[tuple[str, Data]]] = {}
    for plan, log in tables:
        for entry in log:
            if entry.kind == "refused":
                data = entry.data
                rule = (data["file"], data["rule"]) if "rule" in data else (data["why"],)
                met.setdefault(rule, []).append((plan.id, data))
    found = []
    for times in met.values():
        latest = times[-1][1]
        (why, _), *others = Counter(data["why"] for _, data in times).most_common()
        place: Data = {name: latest[name] for name in ("file", "line", "rule") if name in latest}
        found.append({"why": why, "others": len(others), "times": len(times), "tables": len({id for id, _ in times}), **place})
    return sorted(found, key=lambda reason: -reason["times"])[:REASONS_SHOWN]
