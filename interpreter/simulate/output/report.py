"""The statistics of a run as one HTML page with plots that needs no other file and nothing from the net.

The plots are drawn by matplotlib as SVG and stand in the page itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from html import escape
from io import StringIO
from math import sqrt
from typing import Any

from ...common.extras import extra
from ...machine.columns import DECISIONS
from ...play.page import Grid, Line
from ...play.result import heading
from ..simulation import Plan, SoFar
from ..statistics.compare import Z
from ..statistics.counts import Counts
from ..statistics.statistics import Distribution, Statistic, buckets, means, turn_shares
from ..statistics.tally import Histogram
from ..stops import Stop
from .happenings import acts_of, idle_choices
from .page import bots_text, by_seat, by_turn, games_text, length, percent, stops_page, turn_name

MARK = b"<!doctype html><!-- rulesrun simulate -->"  # how every report begins
STEPS = 40  # bars of a histogram at the most
_STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: .8rem 0; display: block; overflow-x: auto; }
td, th { padding: .15rem .7rem; text-align: right; white-space: nowrap; } td:first-child, th:first-child { text-align: left; }
thead th { border-bottom: 1px solid #888; } svg { max-width: 100%; height: auto; } code { background: #f3f3f3; }
.quiet { color: #666; }
"""

_Draw = Callable[[Any], None]  # draws on the axes of matplotlib


def report(plan: Plan, so_far: SoFar, seconds: float, stops: Sequence[Stop]) -> str:
    """The page. Raises `RulesError` (R804) where matplotlib is missing."""
    body = "".join(f"{part}\n" for part in _parts(plan, so_far, seconds, stops))
    title = escape(plan.game.title())
    start = f'{MARK.decode()}\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>'
    return f"{start}\n<body>\n{body}</body></html>\n"


def check_installed() -> None:
    """Raises `RulesError` (R804) where matplotlib is missing."""
    extra("matplotlib", "report", "`--report`")


def _parts(plan: Plan, so_far: SoFar, seconds: float, stops: Sequence[Stop]) -> Iterator[str]:
    title, *lines = [line for line in heading(plan.game, plan.seed) if isinstance(line, Line)]
    yield f"<h1>{escape(title.text)}</h1>"
    yield "".join(f'<p class="quiet">{escape(line.text)}</p>' for line in lines)
    yield f'<p class="quiet">{games_text(so_far.games)} by {escape(bots_text(plan))}, {plan.engine} engine, {seconds:.1f} s</p>'
    if stops:
        yield "".join(_told(line) for line in stops_page(so_far.games, stops) if isinstance(line, Line))
    if so_far.tally.games:
        yield from _plots(plan, so_far)
    if so_far.counts is not None:
        yield from _never(plan, so_far, so_far.counts)


def _plots(plan: Plan, so_far: SoFar) -> Iterator[str]:
    columns, tally, names = plan.columns, so_far.tally, plan.game.seat_names
    found = means(columns, tally)
    seats = range(columns.seats)
    yield "<h2>Scores by seat</h2>"
    yield _figure(lambda axes: _scores(axes, [tally.histograms[columns.score(seat)] for seat in seats], names), "score of a seat")
    yield _table(by_seat(plan, so_far))
    yield "<h2>The win, by seat and by turn order</h2>"
    shares = [found[Statistic("win_share", "", seat + 1)] for seat in seats]
    even = 1 / (columns.seats // columns.team_size)
    yield _figure(lambda axes: _shares(axes, shares, names, even), "share of the win by seat")
    turns = turn_shares(columns, tally)
    yield _figure(lambda axes: _shares(axes, turns, [turn_name(turn) for turn in seats], even), "share of the win by turn order")
    yield _table(by_turn(plan, so_far))
    yield '<p class="quiet">The lines are intervals of 95 %; the broken line is what each would have if all were alike.</p>'
    yield "<h2>Length</h2>"
    yield _figure(lambda axes: _histogram(axes, tally.histograms[DECISIONS], "decisions in a game"), "decisions in a game")
    for item in length(plan, so_far):
        yield _table(item) if isinstance(item, Grid) else _told(item)
    if so_far.counts is not None and so_far.counts.options:
        options = so_far.counts.options
        yield "<h2>Options of a decision</h2>"
        yield _figure(lambda axes: _histogram(axes, options, "legal options"), "legal options of a decision")
    if columns.terms:
        yield "<h2>The score sheet</h2>"
        by_term = {
            term.replace("_", " "): [float(found[Statistic("terms_mean", term, seat + 1)].mean) for seat in seats]
            for term in columns.terms
        }
        height = 0.35 * len(by_term) + 1.5
        yield _figure(lambda axes: _terms(axes, by_term, names), "mean of each line of the score sheet", height)


# ---- Plots


def _figure(draw: _Draw, title: str, height: float = 3.2) -> str:
    """A plot as SVG. ``height``: in inches; it is nine inches wide."""
    matplotlib = extra("matplotlib", "report", "`--report`")
    figure = extra("matplotlib.figure", "report", "`--report`").Figure(figsize=(9, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    draw(axes)
    text = StringIO()
    # names of parts follow from the title, so that those of two plots on a page are never the same
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": title}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    drawn = text.getvalue()
    svg = _unnamed(drawn[drawn.index("<svg") :])
    return f'<figure role="img" aria-label="{escape(title)}">{svg}</figure>'


def _unnamed(svg: str) -> str:
    """An SVG without the names of parts that nothing in it refers to: those of two plots would be the same."""
    used = set(re.findall(r"#([\w.-]+)", svg))
    return re.sub(r' id="([\w.-]+)"', lambda found: found[0] if found[1] in used else "", svg)


def _scores(axes: Any, spreads: Sequence[Histogram], names: Sequence[str]) -> None:
    """A line for each seat over the scores, as shares of the games."""
    low, high = min(map(min, spreads)), max(map(max, spreads))
    for counts, name in zip(spreads, names, strict=True):
        total = sum(counts.values())
        steps = list(buckets({low: 0, high: 0} | dict(counts), STEPS))
        axes.plot([(a + b) / 2 for a, b, _ in steps], [100 * n / total for _, _, n in steps], label=name, drawstyle="steps-mid")
    axes.set_xlabel("score")
    axes.set_ylabel("% of the games")
    axes.figure.legend(loc="outside upper center", frameon=False, ncols=min(8, len(names)))


def _shares(axes: Any, spreads: Sequence[Distribution], names: Sequence[str], even: float) -> None:
    """A bar for each seat, with intervals."""
    values = [100 * float(spread.mean) for spread in spreads]
    errors = [100 * Z * sqrt(spread.variance / spread.games) for spread in spreads]
    axes.bar(range(len(names)), values, yerr=errors, width=0.6, color="#5b8db8", capsize=4)
    axes.set_xticks(range(len(names)), names)
    axes.axhline(100 * even, color="#888", linewidth=1, linestyle="--")
    axes.set_ylabel("% of the win")


def _histogram(axes: Any, counts: Histogram, what: str) -> None:
    steps = list(buckets(counts, STEPS))
    total = sum(counts.values())
    wide = steps[0][1] - steps[0][0] + 1
    middles, shares = [low + (wide - 1) / 2 for low, _, _ in steps], [100 * n / total for _, _, n in steps]
    axes.bar(middles, shares, width=0.9 * wide, color="#5b8db8")
    axes.set_xlabel(what)
    axes.set_ylabel("%")


def _terms(axes: Any, by_term: dict[str, list[float]], names: Sequence[str]) -> None:
    """For each line of the score sheet a bar for each seat."""
    thick = 0.8 / len(names)
    for seat, name in enumerate(names):
        at = [row - 0.4 + thick * (seat + 0.5) for row in range(len(by_term))]
        axes.barh(at, [values[seat] for values in by_term.values()], height=thick, label=name)
    axes.set_yticks(range(len(by_term)), list(by_term))
    axes.invert_yaxis()
    axes.axvline(0, color="#888", linewidth=1)
    axes.set_xlabel("mean")
    axes.figure.legend(loc="outside upper center", frameon=False, ncols=min(8, len(names)))


# ---- What never happened


def _never(plan: Plan, so_far: SoFar, counts: Counts) -> Iterator[str]:
    acts = acts_of(plan.game.machine, counts)
    yield "<h2>What never happened</h2>"
    told = [f"never on offer: {_at(act.text, act.span.place)}" for act in acts if not act.offered]
    left = [act for act in acts if act.offered and not act.taken]
    told += [f"on offer {act.offered:,} times, never taken: {_at(act.text, act.span.place)}" for act in left]
    columns, tally = plan.columns, so_far.tally
    for number, term in enumerate(columns.terms):
        values = {value for seat in range(columns.seats) for value in tally.histograms[columns.term(number, seat)]}
        if values == {0}:
            told.append(f"always 0 on the score sheet: {escape(term.replace('_', ' '))}")
    yield "<ul>" + "".join(f"<li>{line}</li>" for line in told) + "</ul>" if told else "<p>Every act was taken in some game.</p>"
    idle = idle_choices(plan.game.machine, counts)
    if idle:
        yield "<p>Choices in which nothing was allowed, so that nobody was asked:</p>"
        lines = (f"<li>{each.times:,} times: <code>{escape(each.span.place)}</code></li>" for each in idle)
        yield "<ul>" + "".join(lines) + "</ul>"
    yield "<h2>What was done</h2>"
    rows = ((act.text, act.span.place, f"{act.offered:,}", f"{act.taken:,}", _share(act.taken, act.offered)) for act in acts)
    yield _table(Grid(("act", "where", "on offer", "taken", "taken when on offer"), tuple(rows)))


def _share(part: int, whole: int) -> str:
    return percent(Fraction(part, whole)) if whole else ""


def _at(text: str, place: str) -> str:
    return f"<b>{escape(text)}</b> (<code>{escape(place)}</code>)"


def _table(grid: Grid) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.header)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in grid.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _told(line: Line) -> str:
    tag = "h2" if line.style == "heading" else "p"
    return f"<{tag}>{escape(line.text.strip())}</{tag}>"
