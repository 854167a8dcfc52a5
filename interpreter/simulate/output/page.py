"""The statistics of a run for people: tables and histograms, in the language of the plan's game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt

from ...machine.columns import DECISIONS
from ...play.game import Game
from ...play.page import Grid, Line, Page
from ...play.result import heading
from ...words.words import ENGLISH, Words, marked
from ..simulation import Plan, SoFar
from ..statistics.statistics import QUANTILES, Distribution, Statistic, buckets, means, options_mean, turn_shares
from ..statistics.tally import Histogram, add
from ..stops import Stop

BARS = 16  # lines of a histogram at the most
WIDE = 40  # cells of the longest bar
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_TURNS = (marked("first"), marked("second"), marked("third"), marked("fourth"), marked("fifth"), marked("sixth"))
MEAN, DEVIATION = marked("mean"), marked("deviation")
QUANTILE_WORDS = {
    "0": marked("least"),
    "0.05": "5 %",
    "0.25": "25 %",
    "0.5": marked("median"),
    "0.75": "75 %",
    "0.95": "95 %",
    "1": marked("greatest"),
}


def page(plan: Plan, so_far: SoFar, seconds: float) -> Page:
    """``seconds``: how long the games took, those before a checkpoint included."""
    columns, tally, words = plan.columns, so_far.tally, plan.game.words
    games, bots = games_text(so_far.games, words), bots_text(plan)
    pace = pace_text(words, plan.engine, seconds, so_far.games)
    run = words.phrase("{games} by {bots} ({pace})", games=games, bots=bots, pace=pace)
    top = (*heading(plan.game, plan.seed), Line("table", run))
    if not tally.games:
        return top
    scores: Histogram = {}
    for seat in range(columns.seats):
        scores = add(scores, tally.histograms[columns.score(seat)])
    return (
        *top,
        Line("heading", words.phrase("By seat")),
        by_seat(plan, so_far),
        Line("heading", words.phrase("By turn order")),
        by_turn(plan, so_far),
        Line("heading", words.phrase("Length and choice")),
        *length(plan, so_far),
        Line("heading", words.phrase("Decisions in a game")),
        *histogram(tally.histograms[DECISIONS]),
        Line("heading", words.phrase("Scores, all seats together")),
        *histogram(scores),
    )


def stops_page(games: int, found: Sequence[Stop], words: Words = ENGLISH) -> Page:
    """How many of so many games were stopped, and the command that shows one."""
    stopped = sum(stop.games for stop in found)
    told = words.phrase("{number} of {games} games stopped", number=f"{stopped:,}", games=f"{games:,}")
    return Line("heading", told), *stop_lines(found, words)


def stop_lines(found: Sequence[Stop], words: Words) -> Iterator[Line]:
    """A line for each fault: how many games it stopped, and the command that shows one."""
    sentence = marked("{number} by {code}, such as: {command}")
    for stop in found:
        told = words.phrase(sentence, number=f"{stop.games:,}", code=stop.diagnostic.code, command=stop.command)
        yield Line("text", f"  {told}")


def interrupted_text(games: int, of: int, words: Words) -> str:
    """What is said where a run was ended early. ``of``: how many games it has."""
    return words.phrase("interrupted: these are the first {number} of {all} games", number=f"{games:,}", all=f"{of:,}")


def games_text(games: int, words: Words = ENGLISH) -> str:
    return words.phrase_for(games, "{number} game", "{number} games", number=f"{games:,}")


def bots_text(plan: Plan) -> str:
    """``random bots``, or the bot of each seat."""
    named, words = [str(bot) for bot in plan.bots], plan.game.words
    return words.phrase("{bot} bots", bot=named[0]) if len(set(named)) == 1 else words.row(named)


def pace_text(words: Words, engine: str, seconds: float, games: int | None = None) -> str:
    """``wasm engine, 0.1 s, 3,885 games/s``. ``games``: how many were played in that time (None: the speed is not told)."""
    parts = [words.phrase("{engine} engine", engine=engine), words.phrase("{seconds} s", seconds=f"{seconds:.1f}")]
    if games is not None and seconds:
        parts.append(words.phrase("{speed} games/s", speed=f"{games / seconds:,.0f}"))
    return words.row(parts)


def measured(words: Words, value: str, measure: str) -> str:
    """``score, mean``: a measure of a value that has many."""
    return words.phrase("{value}, {measure}", value=value, measure=words.phrase(measure))


def term_text(game: Game, title: str) -> str:
    """A line of the score sheet by its title, as players say it; also one that only another table of the game has."""
    line = next((line for line in game.machine.terms if line.title == title), None)
    if line is None or not game.speaks:
        return game.words.name("score", title)
    name = game.words.name("score", line.name)
    return game.words.row((name, line.said or line.game)) if line.game else name


def by_seat(plan: Plan, so_far: SoFar) -> Grid:
    """What each seat has of the win, how its score is spread, and the mean of each line of the score sheet and of the returns."""
    columns, tally, words = plan.columns, so_far.tally, plan.game.words
    found = means(columns, tally)
    seats = range(columns.seats)

    def row(title: str, name: str, part: str = "", share: bool = False) -> tuple[str, ...]:
        values = (found[Statistic(name, part, seat + 1)].mean for seat in seats)
        return (title, *(percent(value) if share else decimal(value) for value in values))

    def mean_of(value: str, name: str, part: str = "") -> tuple[str, ...]:
        return row(measured(words, value, MEAN), name, part)

    scores = [Distribution(tally.histograms[columns.score(seat)]) for seat in seats]
    score = words.phrase("score")
    rows = [row(words.phrase("share of the win"), "win_share", share=True)]
    rows += [mean_of(term_text(plan.game, term), "terms_mean", term) for term in columns.terms]
    rows.append(mean_of(score, "score_mean"))
    rows.append((measured(words, score, DEVIATION), *(deviation(spread) for spread in scores)))
    for name, share in QUANTILES.items():
        rows.append((measured(words, score, QUANTILE_WORDS[name]), *(signed(spread.quantile(share)) for spread in scores)))
    if columns.in_teams:
        rows.append(mean_of(words.phrase("team score"), "team_scores_mean"))
    if columns.returns:
        rows.append(mean_of(words.phrase("returns"), "returns_mean"))
    return Grid(("", *plan.game.seat_names), tuple(rows))


def by_turn(plan: Plan, so_far: SoFar) -> Grid:
    """The share of the win in turn order."""
    words, shares = plan.game.words, turn_shares(plan.columns, so_far.tally)
    turns = (turn_name(turn, words) for turn in range(plan.columns.seats))
    return Grid(("", *turns), ((words.phrase("share of the win"), *(percent(share.mean) for share in shares)),))


def turn_name(turn: int, words: Words = ENGLISH) -> str:
    """``first`` for turn 0."""
    return words.phrase(_TURNS[turn]) if turn < len(_TURNS) else words.phrase("{number}th", number=turn + 1)


def length(plan: Plan, so_far: SoFar) -> Page:
    """How long games are, how much there is to choose from, and how often they end in a tie."""
    tally, words = so_far.tally, plan.game.words
    decisions = Distribution(tally.histograms[DECISIONS])
    quantiles = [signed(decisions.quantile(share)) for share in QUANTILES.values()]
    ties = means(plan.columns, tally)[Statistic("ties_share")].mean
    options = options_mean(tally)
    mean = words.phrase("none") if options is None else decimal(options)
    return (
        Grid(
            ("", *map(words.phrase, (MEAN, DEVIATION, *QUANTILE_WORDS.values()))),
            ((words.phrase("decisions in a game"), decimal(decisions.mean), deviation(decisions), *quantiles),),
        ),
        Line("text", f"  {words.phrase('options of a decision: {number} as a mean', number=mean)}"),
        Line("text", f"  {words.phrase('ties: {share} of the games', share=percent(ties))}"),
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
