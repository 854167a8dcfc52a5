"""The statistics of a run for people: tables and histograms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt

from ...machine.columns import DECISIONS
from ...play.page import Grid, Line, Page
from ...play.result import heading
from ..simulation import Plan, SoFar
from ..statistics.statistics import QUANTILES, Distribution, Statistic, buckets, means, options_mean, turn_shares
from ..statistics.tally import Histogram, add
from ..stops import Stop

BARS = 16  # lines of a histogram at the most
WIDE = 40  # cells of the longest bar
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_TURNS = ("first", "second", "third", "fourth", "fifth", "sixth")
QUANTILE_WORDS = {"0": "least", "0.05": "5 %", "0.25": "25 %", "0.5": "median", "0.75": "75 %", "0.95": "95 %", "1": "greatest"}


def page(plan: Plan, so_far: SoFar, seconds: float) -> Page:
    """``seconds``: how long the games took, those before a checkpoint included."""
    columns, tally = plan.columns, so_far.tally
    speed = f", {so_far.games / seconds:,.0f} games/s" if seconds else ""
    run = f"{games_text(so_far.games)} by {bots_text(plan)} ({plan.engine} engine, {seconds:.1f} s{speed})"
    top = (*heading(plan.game, plan.seed), Line("table", run))
    if not tally.games:
        return top
    scores: Histogram = {}
    for seat in range(columns.seats):
        scores = add(scores, tally.histograms[columns.score(seat)])
    return (
        *top,
        Line("heading", "By seat"),
        by_seat(plan, so_far),
        Line("heading", "By turn order"),
        by_turn(plan, so_far),
        Line("heading", "Length and choice"),
        *length(plan, so_far),
        Line("heading", "Decisions in a game"),
        *histogram(tally.histograms[DECISIONS]),
        Line("heading", "Scores, all seats together"),
        *histogram(scores),
    )


def stops_page(games: int, found: Sequence[Stop]) -> Page:
    """How many of so many games were stopped, and the command that shows one."""
    lines = [Line("heading", f"{sum(stop.games for stop in found):,} of {games:,} games stopped")]
    lines += [Line("text", f"  {stop.games:,} by {stop.diagnostic.code}, such as: {stop.command}") for stop in found]
    return tuple(lines)


def games_text(games: int) -> str:
    return f"{games:,} game{'' if games == 1 else 's'}"


def bots_text(plan: Plan) -> str:
    """``random bots``, or the bot of each seat."""
    named = [str(bot) for bot in plan.bots]
    return f"{named[0]} bots" if len(set(named)) == 1 else ", ".join(named)


def by_seat(plan: Plan, so_far: SoFar) -> Grid:
    """What each seat has of the win, how its score is spread, and the mean of each line of the score sheet and of the returns."""
    columns, tally = plan.columns, so_far.tally
    found = means(columns, tally)
    seats = range(columns.seats)

    def row(title: str, name: str, part: str = "", share: bool = False) -> tuple[str, ...]:
        values = (found[Statistic(name, part, seat + 1)].mean for seat in seats)
        return (title, *(percent(value) if share else decimal(value) for value in values))

    scores = [Distribution(tally.histograms[columns.score(seat)]) for seat in seats]
    rows = [row("share of the win", "win_share", share=True)]
    rows += [(f"{term.replace('_', ' ')}, mean", *row("", "terms_mean", term)[1:]) for term in columns.terms]
    rows += [row("score, mean", "score_mean"), ("score, deviation", *(deviation(score) for score in scores))]
    for name, share in QUANTILES.items():
        rows.append((f"score, {QUANTILE_WORDS[name]}", *(signed(score.quantile(share)) for score in scores)))
    if columns.in_teams:
        rows.append(row("team score, mean", "team_scores_mean"))
    if columns.returns:
        rows.append(row("returns, mean", "returns_mean"))
    return Grid(("", *plan.game.seat_names), tuple(rows))


def by_turn(plan: Plan, so_far: SoFar) -> Grid:
    """The share of the win in turn order."""
    turns = range(plan.columns.seats)
    shares = turn_shares(plan.columns, so_far.tally)
    return Grid(("", *map(turn_name, turns)), (("share of the win", *(percent(share.mean) for share in shares)),))


def turn_name(turn: int) -> str:
    """``first`` for turn 0."""
    return _TURNS[turn] if turn < len(_TURNS) else f"{turn + 1}th"


def length(plan: Plan, so_far: SoFar) -> Page:
    """How long games are, how much there is to choose from, and how often they end in a tie."""
    tally = so_far.tally
    decisions = Distribution(tally.histograms[DECISIONS])
    quantiles = [signed(decisions.quantile(share)) for share in QUANTILES.values()]
    ties = means(plan.columns, tally)[Statistic("ties_share")].mean
    options = options_mean(tally)
    return (
        Grid(
            ("", "mean", "deviation", *QUANTILE_WORDS.values()),
            (("decisions in a game", decimal(decisions.mean), deviation(decisions), *quantiles),),
        ),
        Line("text", f"  options of a decision: {'none' if options is None else decimal(options)} as a mean"),
        Line("text", f"  ties: {percent(ties)} of the games"),
    )


def histogram(counts: Histogram) -> Iterator[Line]:
    """A line with a bar for each step of a histogram."""
    steps = list(buckets(counts, BARS))
    names = [signed(low) if low == high else f"{signed(low)}..{signed(high)}" for low, high, _ in steps]
    most, total = max(count for _, _, count in steps), sum(count for _, _, count in steps)
    wide = max(map(len, names))
    for name, (_, _, count) in zip(names, steps, strict=True):
        yield Line("text", f"  {name:>{wide}} {bar(count, most):<{WIDE}} {percent(Fraction(count, total)):>6}")


def bar(count: int, most: int) -> str:
    """A bar of blocks, as long as a count is a part of the greatest; whatever happened at all has one."""
    eighths = max(1 if count else 0, round(8 * WIDE * count / most)) if most else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def decimal(value: Fraction) -> str:
    """With as many digits behind the point as are of use."""
    return f"{float(value):,.2f}".replace("-", "\N{MINUS SIGN}")


def deviation(spread: Distribution) -> str:
    """The standard deviation."""
    return f"{sqrt(spread.variance):,.2f}"


def percent(value: Fraction) -> str:
    return f"{100 * float(value):.1f} %".replace("-", "\N{MINUS SIGN}")


def signed(value: int) -> str:
    return f"{value:,}".replace("-", "\N{MINUS SIGN}")
