"""The report for programs, as json, and for a terminal, as a page of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...common.diagnostics import as_json as finding
from ...overview.difference import as_json as rules_as_json
from ...play.page import Grid, Line, Page
from ...play.result import heading
from ...simulate.output.page import games_text
from ...simulate.statistics.estimates import Estimate
from ...simulate.statistics.statistics import Statistic
from ...words.words import ENGLISH
from ..analysis import Analysis, TableFound, verdicts_of
from ..verdicts import SURENESS
from ..words import deals_told, players_told, signed, told
from .page import TITLES, difference_told, name_of

SHOWN = (
    "first_seat_win_share", "ties_share", "decisions_mean", "options_mean", "forced_share", "matter_share", "choice_cost",
    "lead_changes", "runaway_share", "skill", "deals_share",
)  # fmt: skip


def to_json(analysis: Analysis) -> dict[str, Any]:
    study = analysis.study
    first = study.sides[0].side
    return {
        "game": first.game.name,
        "players": first.game.players,
        "seed": study.seed,
        "bots": [str(bot) for bot in first.bots],
        "engine": study.engine,
        "seconds": round(study.seconds, 1),
        "interrupted": not study.ended,
        "rules": None if analysis.rules is None else rules_as_json(analysis.rules),
        "tables": [_table(analysis, table) for table in analysis.tables],
        "differences": _measures(analysis.differences),
        "changes": [
            {
                "change": change.side.title,
                "games": len(change.played.courses),
                "faults": _faults(change),
                "measures": _measures(change.estimates),
                "differences": _measures(analysis.difference_of(change)),
            }
            for change in analysis.changes
        ],
        "not_played": [{"change": left.title, "why": left.told(ENGLISH)} for left in study.left],
    }


def _table(analysis: Analysis, table: TableFound) -> dict[str, Any]:
    game = table.side.game
    return {
        "title": table.side.title,
        "variants": list(game.variants),
        "options": game.options,
        "games": len(table.played.courses),
        "deals": len(table.played.deals),
        "faults": _faults(table),
        "verdicts": {name: {"text": each.text, "sure": each.sure} for name, each in verdicts_of(analysis, table).items()},
        "measures": _measures(table.estimates),
        "acts": [
            {
                "verb": act.verb,
                "argument": act.argument or None,
                "offered": act.offered,
                "taken": act.taken,
                "share": _estimate(act.share),
                "by_chance": act.by_chance,
                "habit": act.habit or None,
            }
            for act in table.acts
        ],
        "games_to_look_at": [
            {"title": each.title, "why": each.why, "game": each.game, "command": each.command} for each in table.highlights
        ],
    }


def _faults(table: TableFound) -> list[dict[str, Any]]:
    return [
        {**finding(stop.diagnostic), "games": stop.games, "example": stop.example, "command": stop.command}
        for stop in table.stops
    ]


def _measures(found: Mapping[Statistic, Estimate]) -> dict[str, Any]:
    """By name, as `--fail-if` has it."""
    return {str(statistic): _estimate(each) for statistic, each in found.items()}


def _estimate(each: Estimate) -> dict[str, Any]:
    interval = None if each.low is None or each.high is None else [each.low, each.high]
    return {"value": each.value, "interval": interval, "games": each.games}


# ---- For a terminal


def page(analysis: Analysis) -> Page:
    study, first, words = analysis.study, analysis.tables[0], analysis.words
    phrase = words.phrase
    run = phrase(
        "{games} of strong play by {bots}, {deals} for skill and luck ({seconds} s)",
        games=games_text(len(first.played.courses), words),
        bots=", ".join(dict.fromkeys(map(str, first.side.bots))),
        deals=deals_told(len(first.played.deals), words),
        seconds=f"{study.seconds:.0f}",
    )
    two = len(analysis.tables) > 1
    top = heading(first.side.game, study.seed)
    if two:
        seed = phrase("seed {seed}", seed=study.seed)
        top = (top[0], Line("table", words.row((players_told(first.side.game.players, words), seed))))
    sides = [
        Line("table", phrase("against: {table}" if n else "first: {table}", table=table.side.title))
        for n, table in enumerate(analysis.tables)
    ]
    lines: list[Line | Grid] = [*top, *(sides if two else ()), Line("table", run)]
    for table in analysis.tables:
        verdicts = verdicts_of(analysis, table)
        lines.append(Line("heading", phrase("Verdicts on {table}", table=table.side.title) if two else phrase("Verdicts")))
        for name, each in verdicts.items():
            title, sure = phrase(TITLES[name]).rstrip("?？"), phrase(SURENESS[each.sure])
            lines.append(Line("text", f"  {title}: {each.text} ({sure})"))
    if two:
        lines += [Line("heading", phrase("The difference")), Line("text", f"  {difference_told(analysis)}")]
    if first.played.courses:
        lines += [Line("heading", phrase("Numbers")), Grid(("", *_head(analysis)), tuple(_rows(analysis)))]
        lines.append(Line("text", f"    {phrase('intervals of 95 %; `--report FILE.html` shows all')}"))
    return tuple(lines)


def _head(analysis: Analysis) -> tuple[str, ...]:
    titles, phrase = tuple(table.side.title for table in analysis.tables), analysis.words.phrase
    return (*titles, phrase("difference")) if len(titles) > 1 else (phrase("value"),)


def _rows(analysis: Analysis) -> Iterator[tuple[str, ...]]:
    words = analysis.words
    wanted = dict.fromkeys(s for table in analysis.tables for s in table.estimates if s.name in SHOWN)
    for statistic in wanted:
        cells = [told(statistic, each, words) if (each := table.estimates.get(statistic)) else "" for table in analysis.tables]
        if len(analysis.tables) > 1:
            each = analysis.differences.get(statistic)
            cells.append(signed(statistic, each, words) if each else "")
        yield (name_of(statistic, analysis.tables[0]), *cells)
