"""What came of a sweep: as a page, as data, as rows of a table, and as a report with small multiples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from csv import DictWriter
from fractions import Fraction
from html import escape
from io import BytesIO, StringIO
from typing import Any

from attrs import field, frozen

from ...common.diagnostics import Diagnostic
from ...common.extras import extra
from ...play.page import Grid, Line, Page
from ...simulate.output.page import games_text
from ...simulate.statistics.compare import Side
from ...simulate.statistics.interval import Interval, interval
from ...simulate.statistics.statistics import Statistic, statistics
from ...table.sampling.combinations import Choice
from ...words.words import ENGLISH, Words, marked
from ..sweeping.outstanding import FIRST, GAMES_LEAST, Effect, Outstanding, Unfair, fair, outstanding
from ..words import (
    NAMES,
    capital,
    choice_told,
    decimal,
    is_percent,
    name_told,
    players_told,
    setting_told,
    span_told,
    tables_told,
    value_of_option,
    variant_told,
)
from . import drawing
from .document import document
from .tuning import axis_text, value_text

MARK = b"<!doctype html><!-- rulesrun sweep -->"  # how every report begins
SHOWN: tuple[Statistic, ...] = (
    Statistic("decisions_mean"),
    FIRST,
    Statistic("ties_share"),
    Statistic("score_mean", "", 1),
)
TOLD = 12  # of what stands out on a terminal
REFUSED_TOLD = 3  # tables that cannot be played
_SHORT = {
    "decisions_mean": marked("decisions"),
    "first_seat_win_share": marked("first seat"),
    "ties_share": marked("ties"),
    "score_mean": marked("score"),
}


@frozen(eq=False)
class Swept:
    """``name``, ``title``: of the game. ``sides``: what came of each table. ``swept``: the numbers that vary, with their values.

    ``shown``: the statistics that are told. ``faults``: what stopped games, by table. ``refused``: tables that the rules do not
    admit. ``words``: of the language in which it is told.
    """

    name: str
    title: str
    bots: str
    seed: int
    games: int
    sides: Mapping[Choice, Side]
    swept: Mapping[str, Sequence[str]]
    shown: Sequence[Statistic]
    seconds: float
    faults: Mapping[Choice, Diagnostic] = field(factory=dict)
    refused: Mapping[Choice, Diagnostic] = field(factory=dict)
    words: Words = ENGLISH

    @property
    def outstanding(self) -> Outstanding:
        return outstanding(self.sides, self.swept, self.shown)

    @property
    def is_interrupted(self) -> bool:
        """Whether games are missing."""
        return self.least < self.games

    @property
    def least(self) -> int:
        """The games of the table with the fewest."""
        return min(side.tally.games + side.tally.stopped for side in self.sides.values())

    @property
    def played(self) -> str:
        """``12 tables, 1,000 games each, random, seed 7, 3 s``."""
        most = max(side.tally.games + side.tally.stopped for side in self.sides.values())
        phrase, words = self.words.phrase, self.words
        if self.is_interrupted:
            games = phrase(
                "interrupted after {span} of {games}",
                span=span_told(f"{self.least:,}", f"{most:,}", words),
                games=games_text(self.games, words),
            )
        else:
            games = phrase("{games} each", games=games_text(self.games, words))
        seed, seconds = phrase("seed {seed}", seed=self.seed), phrase("{seconds} s", seconds=f"{self.seconds:.0f}")
        return words.row((tables_told(len(self.sides), words), games, self.bots, seed, seconds))

    def said(self, choice: Choice) -> str:
        """A table in words."""
        return choice_told(choice, self.words)


def page(found: Swept) -> Page:
    """For a terminal."""
    phrase, words = found.words.phrase, found.words
    lines: list[Line | Grid] = [Line("title", found.title), Line("table", found.played), Line("heading", phrase("Tables"))]
    lines += [Grid(*_table(found)), Line("heading", phrase("What stands out"))]
    told = list(_outstanding_told(found))
    lines += [Line("text", f"- {each}") for each in told[:TOLD]]
    if len(told) > TOLD:
        lines.append(Line("note", phrase("and {number} more, see --format json or --report", number=len(told) - TOLD)))
    if found.refused:
        tables = len(found.refused)
        title = words.phrase_for(tables, "{number} table cannot be played", "{number} tables cannot be played")
        lines.append(Line("heading", title))
        lines += [
            Line("text", f"- {found.said(choice)}: {_why(why)}") for choice, why in list(found.refused.items())[:REFUSED_TOLD]
        ]
        if tables > REFUSED_TOLD:
            lines.append(Line("note", phrase("and {number} more", number=tables - REFUSED_TOLD)))
    return tuple(lines)


def _table(found: Swept) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """A row for each table: which it is, and what it comes to."""
    words, with_variants = found.words, any(choice.variants for choice in found.sides)
    header = (
        words.phrase("players"),
        *([words.phrase("variants")] if with_variants else []),
        *(name_told("option", name, words) for name in found.swept),
        *(_short(each, words) for each in found.shown),
    )
    rows = tuple(
        (
            str(choice.players),
            *([_variants(choice, words)] if with_variants else []),
            *(value_of_option(value, words) for value in _values(choice, found).values()),
            *(_measured(side, each) for each in found.shown),
        )
        for choice, side in found.sides.items()
    )
    return header, rows


def _variants(choice: Choice, words: Words) -> str:
    return "+".join(variant_told(name, words) for name in choice.variants)


def as_json(found: Swept) -> dict[str, Any]:
    """All statistics of each table, and what stands out."""
    out = found.outstanding
    return {
        "game": found.name,
        "title": found.title,
        "bots": found.bots,
        "seed": found.seed,
        "games": found.games,
        "seconds": round(found.seconds, 1),
        "interrupted": found.is_interrupted,
        "tables": [
            {**_named(choice), "games": side.tally.games, "stopped": side.tally.stopped,
             "fault": _fault(found.faults.get(choice)), "statistics": _all(side)}
            for choice, side in found.sides.items()
        ],
        "unfair": [
            {**_named(each.choice), "first_seat_win_share": _three(each.found), "fair": each.fair} for each in out.unfair
        ],
        "effects": [
            {
                "of": each.what,
                "from": each.least or None,
                "to": each.greatest or None,
                "statistic": str(each.statistic),
                "tables": each.tables,
                "clear": [
                    {**_named(choice), "difference": float(difference.difference or 0), "interval": difference.interval,
                     "effect": difference.effect}
                    for choice, difference in each.clear
                ],
            }
            for each in out.effects
        ],
        "refused": [{**_named(choice), "why": _fault(why)} for choice, why in found.refused.items()],
    }  # fmt: skip


def rows(found: Swept) -> list[dict[str, Any]]:
    """A row for each statistic of each table."""
    return [
        {"players": choice.players, "variants": "+".join(choice.variants),
         **{f"set {name}": value for name, value in _values(choice, found).items()}, "statistic": name,
         "value": value, "low": low, "high": high, "games": side.tally.games, "stopped": side.tally.stopped}
        for choice, side in found.sides.items()
        for name, (value, low, high) in _all(side).items()
    ]  # fmt: skip


def parquet(found: Swept) -> bytes:
    """The rows as a Parquet file. Raises `RulesError` (R804) where pyarrow is missing."""
    table = extra("pyarrow", "parquet", "`--out`").Table.from_pylist(rows(found))
    stream = BytesIO()
    extra("pyarrow.parquet", "parquet", "`--out`").write_table(table, stream)
    return stream.getvalue()


def csv(found: Swept) -> str:
    """The rows as text."""
    every = rows(found)
    stream = StringIO()
    writer = DictWriter(stream, list(every[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(every)
    return stream.getvalue()


# ---- What stands out, in words


def _outstanding_told(found: Swept) -> Iterator[str]:
    """Sentences; one at least."""
    phrase, words = found.words.phrase, found.words
    stopped: dict[tuple[str, str], list[Choice]] = {}
    for choice, fault in found.faults.items():
        stopped.setdefault((fault.code, fault.message), []).append(choice)
    for (code, message), choices in stopped.items():
        games = sum(found.sides[choice].tally.stopped for choice in choices)
        where = found.said(choices[0]) if len(choices) == 1 else tables_told(len(choices), words)
        yield phrase(
            "{table}: {games} stopped by {code}, {message}",
            table=where,
            games=games_text(games, words),
            code=code,
            message=message,
        )
    out = found.outstanding
    yield from (_unfair_told(found, each) for each in out.unfair)
    yield from (_effect_told(found, each) for each in out.effects)
    few = sum(side.tally.games < GAMES_LEAST for side in found.sides.values())
    if few:
        yield phrase(
            "{tables} with fewer than {number} games, which is too few to say anything of",
            tables=tables_told(few, words),
            number=GAMES_LEAST,
        )
    elif not (out.unfair or out.effects):
        yield phrase("nothing else beyond chance" if stopped else "nothing beyond chance")


def _unfair_told(found: Swept, each: Unfair) -> str:
    share, low, high = (f"{100 * value:.1f}" for value in (each.found.value, *each.by_chance))
    return found.words.phrase(
        "{table}: the first seat wins {share} % ({interval}), more than its share of {fair} %"
        if each.found.value > each.fair
        else "{table}: the first seat wins {share} % ({interval}), less than its share of {fair} %",
        table=found.said(each.choice),
        share=share,
        interval=f"{low} .. {high}",
        fair=f"{100 * each.fair:.0f}",
    )


def _effect_told(found: Swept, each: Effect) -> str:
    phrase, words = found.words.phrase, found.words
    differences = [float(difference.difference or 0) for _, difference in each.clear]
    low, high = (value_text(each.statistic, abs(end)) for end in (min(differences, key=abs), max(differences, key=abs)))
    size = low if low == high else span_told(low.removesuffix(" %"), high, words)
    what = name_told("option", each.what, words) if each.what in found.swept else variant_told(each.what, words)
    if each.least:
        least, greatest = (value_of_option(value, words) for value in (each.least, each.greatest))
        what = phrase("{name} from {least} to {greatest}", name=what, least=least, greatest=greatest)
    told = phrase(
        "{what}: {statistic} up by {size}" if differences[0] > 0 else "{what}: {statistic} down by {size}",
        what=what,
        statistic=_long(each.statistic, words),
        size=size,
    )
    if each.tables == 1:
        return told
    if len(each.clear) == each.tables:
        return phrase("{told}, at all {number} tables", told=told, number=each.tables)
    return phrase("{told}, at {number} of {all} tables", told=told, number=len(each.clear), all=each.tables)


def _why(refused: Diagnostic) -> str:
    return ", ".join(filter(None, (refused.message, refused.help)))


def _long(statistic: Statistic, words: Words) -> str:
    phrase, name, part = words.phrase, NAMES.get(statistic.name, statistic.name).removesuffix(", mean"), statistic.part
    if statistic.name.endswith("_quantiles"):
        name = phrase(NAMES.get(statistic.name, marked("score")))
        name = words.row((name, phrase("median") if part == "0.5" else phrase("quantile {share}", share=part)))
    elif part:
        name = phrase("{statistic} of {part}", statistic=phrase(name), part=words.name("score", part))
    else:
        name = phrase(name)
    return phrase("{statistic} of seat {number}", statistic=name, number=statistic.seat) if statistic.seat else name


def _short(statistic: Statistic, words: Words) -> str:
    if statistic in SHOWN:
        return words.phrase(_SHORT[statistic.name])
    return str(statistic).replace("_quantiles[0.5]", "_median")


def _measured(side: Side, statistic: Statistic) -> str:
    """``48.1 % ± 1.5``; a quantile with the ends of its interval."""
    value, low, high = _all_of(side, statistic)
    if value is None:
        return ""
    if low is None or high is None or low == high:
        return value_text(statistic, value)
    if statistic.name.endswith("_quantiles"):
        return f"{value:,.0f} ({low:,.0f} .. {high:,.0f})"
    scale, sign = (100, " %") if is_percent(statistic) else (1, "")
    half = scale * (high - low) / 2
    return f"{decimal(scale * value, 1 if half >= 0.05 else 2)}{sign} ± {decimal(half, 1 if half >= 0.05 else 2)}"


def _all(side: Side) -> dict[str, tuple[float | None, float | None, float | None]]:
    known = statistics(side.columns, side.tally)
    return {str(statistic): _with_interval(side, statistic, value) for statistic, value in known.items()}


def _all_of(side: Side, statistic: Statistic) -> tuple[float | None, float | None, float | None]:
    """A value and its interval, as far as a table has them."""
    return _with_interval(side, statistic, statistics(side.columns, side.tally).get(statistic))


def _with_interval(side: Side, statistic: Statistic, value: Fraction | None) -> tuple[float | None, float | None, float | None]:
    found = None if value is None else interval(side, statistic)
    if value is None or found is None or statistic.part in ("0", "1"):  # the least and the greatest have no interval
        return None if value is None else float(value), None, None
    return _three(found)


def _three(found: Interval) -> tuple[float, float, float]:
    return found.value, found.low, found.high


def _fault(found: Diagnostic | None) -> str | None:
    return None if found is None else f"{found.code}: {_why(found)}"


def _named(choice: Choice) -> dict[str, Any]:
    values = {name: _number(value) for name, value in choice.options}
    return {"players": choice.players, "variants": list(choice.variants), "values": values}


def _values(choice: Choice, found: Swept) -> dict[str, Any]:
    return {name: _number(dict(choice.options)[name]) for name in found.swept}


def _number(value: str | int) -> str | int:
    """A value of an option or a number: a whole number where it is one."""
    return int(value) if re.fullmatch(r"-?\d+", str(value)) else value


# ---- The report


def report(found: Swept, asked: str) -> str:
    """A page with small multiples. ``asked``: the command that makes it again."""
    title = found.words.phrase("{game}: sweep", game=found.title)
    return document(MARK, title, "\n".join(_parts(found, asked)) + "\n", found.words)


def _parts(found: Swept, asked: str) -> Iterator[str]:
    phrase = found.words.phrase
    yield f'<h1>{escape(found.title)}</h1><p class="quiet">{escape(found.played)}</p>'
    yield f"<h2>{phrase('What stands out')}</h2>{_list(_outstanding_told(found))}"
    for statistic in found.shown:
        drawn = _small_multiples(found, statistic)
        if drawn:
            yield f"<h2>{escape(capital(_long(statistic, found.words)))}</h2>{drawn}"
    header, rows = _table(found)
    head = "".join(f"<th>{escape(each)}</th>" for each in header)
    body = "".join(f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in row)}</tr>" for row in rows)
    yield f"<h2>{phrase('All tables')}</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    if found.refused:
        why = _list(f"{found.said(choice)}: {_why(each)}" for choice, each in found.refused.items())
        yield f"<h2>{phrase('Tables that cannot be played')}</h2>{why}"
    made = phrase(
        "Every table played the same games of one seed. Intervals are of 95 %. The broken line is what the first seat would win "
        "if all were alike. What stands out is beyond chance by Holm’s procedure. Of a number, only the least and the greatest "
        "value are held against each other."
    )
    yield f"<h2>{phrase('How this was made')}</h2><p>{made}</p><p><code>{escape(asked)}</code></p>"


def _list(told: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(each)}</li>' for each in told)}</ul>"


def _small_multiples(found: Swept, statistic: Statistic) -> str:
    """A panel for each way of playing; along it the values of the number with the most, else the numbers of players."""
    words = found.words
    along = max(found.swept, key=lambda name: len(found.swept[name]), default="")
    ticks = list(found.swept[along] if along else dict.fromkeys(str(choice.players) for choice in found.sides))
    panels: dict[str, list[drawing.Mark | None]] = {}
    for choice, side in found.sides.items():
        value, low, high = _all_of(side, statistic)
        if value is None:
            continue
        parts = [players_told(choice.players, words)] if along else []
        parts += [_variants(choice, words)]
        parts += [setting_told(name, value, words) for name, value in choice.options if name != along]
        tick = str(dict(choice.options)[along]) if along else str(choice.players)
        empty: list[drawing.Mark | None] = [None] * len(ticks)
        marks = panels.setdefault(words.row(filter(None, parts)) or words.phrase("plain"), empty)
        told = f"{found.said(choice)}: {_measured(side, statistic)}"
        even = fair(side) if statistic == FIRST else None
        marks[ticks.index(tick)] = drawing.Mark(value, low, high, 0, told, even)
    if not panels:
        return ""

    def on_axis(value: float) -> str:
        return axis_text(statistic, value)

    drawn = [drawing.Panel(name, tuple(ticks), tuple(marks), on_axis) for name, marks in panels.items()]
    return drawing.small_multiples(
        drawn, capital(_long(statistic, words)), name_told("option", along, words) if along else words.phrase("players")
    )
