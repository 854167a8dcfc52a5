"""What moved since a baseline, as a page, as annotations of a workflow, and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...play.page import Grid, Line, Page
from ...reports.github import escaped, escaped_property
from ...simulate.output.comparison import value_text
from ...simulate.output.page import games_text
from ...simulate.statistics.statistics import number
from ...table.sampling.combinations import Choice
from ...words.words import ENGLISH, Words
from ..baseline import Baseline, Moved, Watched
from ..words import choice_told, tables_told


def page(before: Baseline, found: Watched, path: str, title: str = "", words: Words = ENGLISH) -> Page:
    """``path``: of the baseline. ``title``: of the game."""
    phrase = words.phrase
    of = phrase(
        "baseline {path}: {tables}, {games} each by {bots}",
        path=path,
        tables=tables_told(len(before.sides), words),
        games=games_text(before.games, words),
        bots=before.bots,
    )
    lines: list[Line | Grid] = [Line("title", title or before.game), Line("table", of)]
    if found.is_equal:
        return (*lines, Line("heading", phrase("Every game went as before")))
    for heading, settings in ((phrase("New tables"), found.added), (phrase("Tables that can no longer be played"), found.gone)):
        if settings:
            lines += [Line("heading", heading), *(Line("text", f"  {choice_told(choice, words)}") for choice in settings)]
    if found.stopping:
        lines.append(Line("heading", phrase("More games stop")))
        for each, (old, new) in found.stopping.items():
            told = phrase("{table}: {old} before, {new} now", table=choice_told(each, words), old=f"{old:,}", new=f"{new:,}")
            lines.append(Line("text", f"  {told}"))
    if found.moved:
        lines.append(Line("heading", phrase("What moved beyond chance")))
        header = ("", phrase("before"), phrase("now"), phrase("difference"), phrase("95 % interval"))
        lines.append(Grid(header, tuple(_row(moved, words) for moved in found.moved)))
    else:
        lines.append(Line("heading", phrase("Nothing moved beyond chance")))
    note = words.phrase_for(
        found.questions,
        "{number} number was compared; chance alone moves none in 95 of 100 runs",
        "{number} numbers were compared; chance alone moves none in 95 of 100 runs",
        number=f"{found.questions:,}",
    )
    return (*lines, Line("note", note))


def _row(moved: Moved, words: Words = ENGLISH) -> tuple[str, ...]:
    found = moved.difference
    assert found.interval is not None
    told = [value_text(found.statistic, value) for value in (found.first, found.second)]
    low, high = (value_text(found.statistic, limit, True) for limit in found.interval)
    difference = value_text(found.statistic, found.difference, True)
    return f"{choice_told(moved.table, words)}: {found.statistic}", *told, difference, f"{low} .. {high}"


def annotated(found: Watched, rules: str) -> Iterator[str]:
    """A line for all that moved at one table. ``rules``: the path of the rules."""
    file = f"file={escaped_property(rules)}"
    for choice, (old, new) in found.stopping.items():
        yield f"::error {file},title=more games stop::{escaped(f'{choice.said}: {old:,} before, {new:,} now')}"
    by_choice: dict[Choice, list[str]] = {}
    for moved in found.moved:
        about, first, second, difference, interval = _row(moved)
        by_choice.setdefault(moved.table, []).append(f"{about}: {first} before, {second} now ({difference}; {interval})")
    for lines in by_choice.values():
        yield f"::warning {file},title=the balance moved::{escaped(chr(10).join(lines))}"
    for title, settings in (("a new table", found.added), ("a table is gone", found.gone)):
        for choice in settings:
            yield f"::notice {file},title={title}::{escaped(choice.said)}"


def as_json(before: Baseline, found: Watched) -> dict[str, Any]:
    """What moved as data. Intervals are of 95 % for one number alone."""
    return {
        "game": before.game,
        "games": before.games,
        "seed": before.seed,
        "bots": before.bots,
        "compared": found.questions,
        "moved": [
            {
                **_setting(moved.table),
                "statistic": str(moved.difference.statistic),
                "before": number(moved.difference.statistic, moved.difference.first),
                "now": number(moved.difference.statistic, moved.difference.second),
                "interval": moved.difference.interval,
            }
            for moved in found.moved
        ],
        "stopping": [{**_setting(each), "before": old, "now": new} for each, (old, new) in found.stopping.items()],
        "added": list(map(_setting, found.added)),
        "gone": list(map(_setting, found.gone)),
    }


def _setting(choice: Choice) -> dict[str, Any]:
    return {"players": choice.players, "variants": list(choice.variants)}
