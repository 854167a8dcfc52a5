"""The results of a tournament: a page for people, json and csv for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import evolve, frozen

from ...machine.analysis.sharing import all_share
from ...play.page import Grid, Line, Page
from ...play.result import heading
from ...words.words import marked
from ..statistics.ratings import Rating
from ..statistics.statistics import Distribution, share_scale
from ..statistics.tally import Histogram, add
from ..stops import Stop, as_json
from ..tournament import Standing, Tournament, against, by_seat, ratings_of
from .output import csv_text, table_data
from .page import DEVIATION, MEAN, decimal, deviation, games_text, measured, pace_text, percent

_Place = tuple[int, int]  # (bot, seat), both from 0


@frozen(eq=False, repr=False)
class Standings:
    """``all_share``: whether all seats win and lose together; then the scores of its tables say how good a bot is, and no rating.
    ``order``: the bots, the best rating or score first. ``shares``, ``scores``: of each bot in each seat, where it sat.

    ``against``: for two bots, which part of their wins the first has.
    """

    tournament: Tournament
    standing: Standing
    ratings: tuple[Rating, ...]
    order: tuple[int, ...]
    shares: Mapping[_Place, Distribution]
    scores: Mapping[_Place, Distribution]
    against: Mapping[tuple[int, int], Fraction]
    all_share: bool

    def of(self, spreads: Mapping[_Place, Distribution], bot: int | None = None, seat: int | None = None) -> Distribution | None:
        """What is spread of one bot, of one seat, or of both; None where no game ended."""
        counts: Histogram = {}
        scale = 1
        for (each, place), spread in spreads.items():
            if bot in (None, each) and seat in (None, place):
                counts, scale = add(counts, spread.counts), spread.scale
        return Distribution(counts, scale) if counts else None

    def __repr__(self) -> str:
        plan = self.tournament
        return f"<standings of {plan.table.name}: {self.standing.games:,} games, seed {plan.seed}>"


def standings(tournament: Tournament, standing: Standing) -> Standings:
    """All that is told of a tournament."""
    columns = tournament.columns
    found = ratings_of(tournament, standing)
    scale = share_scale(columns)
    shares = {
        place: Distribution({int(columns.share(win) * scale): games for win, games in spread.counts.items()}, scale)
        for place, spread in by_seat(tournament, standing, columns.win).items()
    }
    scores = by_seat(tournament, standing, columns.score)
    together = all_share(tournament.game.machine)
    unordered = Standings(tournament, standing, found, (), shares, scores, against(tournament, standing), together)

    def worth(bot: int) -> float | Fraction:
        score = unordered.of(scores, bot)
        return found[bot].points if not together else score.mean if score is not None else -math.inf

    return evolve(unordered, order=tuple(sorted(range(len(found)), key=lambda bot: -worth(bot))))


# ---- For people


def page(found: Standings, seconds: float) -> Page:
    """``seconds``: how long the games took, those before a checkpoint included."""
    tournament, games, words = found.tournament, found.standing.games, found.tournament.game.words
    deals = words.phrase_for(
        tournament.deals,
        "{number} deal, each in {seatings} seatings",
        "{number} deals, each in {seatings} seatings",
        number=f"{tournament.deals:,}",
        seatings=f"{len(tournament.seatings):,}",
    )
    pace = pace_text(words, tournament.engine, seconds, games)
    run = words.phrase("{deals}: {games} ({pace})", deals=deals, games=games_text(games, words), pace=pace)
    top = (*heading(tournament.game, tournament.seed), Line("table", run))
    if not found.shares:
        return top
    if found.all_share:
        return (
            *top,
            Line("heading", words.phrase("Scores")),
            _scores(found),
            Line("note", words.phrase("all win and lose together: of each bot, the scores of the tables at which it sat")),
            Line("heading", words.phrase("Mean score by seat")),
            _seats(found, found.scores, lambda score: decimal(score.mean)),
        )
    return (
        *top,
        Line("heading", words.phrase("Ratings")),
        _ratings(found),
        Line("note", words.phrase("a rating 191 points higher wins three times as often; the mean is 0")),
        Line("heading", words.phrase("Against each other")),
        _cross_table(found),
        Line("note", words.phrase("how much the bot of the row has of what both won")),
        Line("heading", words.phrase("Share of the win by seat")),
        _seats(found, found.shares, lambda share: percent(share.mean)),
    )


def _name(found: Standings, place: int) -> str:
    return f"{place + 1}  {found.tournament.bots[found.order[place]]}"


def _ratings(found: Standings) -> Grid:
    words = found.tournament.game.words
    rows: list[tuple[str, ...]] = []
    for place, bot in enumerate(found.order):
        rating = found.ratings[bot]
        interval = "" if rating.interval is None else " .. ".join(map(_points, rating.interval))
        share, score = found.of(found.shares, bot), found.of(found.scores, bot)
        told = (_share(share), "" if score is None else decimal(score.mean))
        rows.append((_name(found, place), _points(rating.points), interval, *told))
    header = map(words.phrase, (marked("rating"), marked("95 % interval"), marked("share of the win")))
    return Grid(("", *header, measured(words, words.phrase("score"), MEAN)), tuple(rows))


def _scores(found: Standings) -> Grid:
    words = found.tournament.game.words
    rows = []
    for place, bot in enumerate(found.order):
        score = found.of(found.scores, bot)
        told = ("", "") if score is None else (decimal(score.mean), deviation(score))
        rows.append((_name(found, place), *told))
    return Grid(("", words.phrase(MEAN), words.phrase(DEVIATION)), tuple(rows))


def _cross_table(found: Standings) -> Grid:
    rows = []
    for place, bot in enumerate(found.order):
        parts = (found.against.get((bot, other)) for other in found.order)
        rows.append((_name(found, place), *("" if part is None else percent(part) for part in parts)))
    return Grid(("", *(str(place + 1) for place in range(len(found.order)))), tuple(rows))


def _seats(found: Standings, spreads: Mapping[_Place, Distribution], told: Callable[[Distribution], str]) -> Grid:
    def of(bot: int | None, seat: int) -> str:
        spread = found.of(spreads, bot, seat)
        return "" if spread is None else told(spread)

    seats = range(found.tournament.columns.seats)
    rows = [(_name(found, place), *(of(bot, seat) for seat in seats)) for place, bot in enumerate(found.order)]
    everybody = found.tournament.game.words.phrase("all together")
    together = (everybody, *(of(None, seat) for seat in seats))
    return Grid(("", *found.tournament.game.seat_names), (*rows, together), 1)


def _share(spread: Distribution | None) -> str:
    return "" if spread is None else percent(spread.mean)


def _points(value: float) -> str:
    return f"{round(value):+,}".replace("-", "\N{MINUS SIGN}") if round(value) else "0"


# ---- For programs


def to_json(found: Standings, seconds: float, stops: Sequence[Stop]) -> dict[str, Any]:
    """The bots are in the order of their ratings. Lists of a bot are in the order of seats."""
    tournament, standing = found.tournament, found.standing
    games, seats = standing.games, range(tournament.columns.seats)
    bots = [
        {
            "bot": str(tournament.bots[bot]),
            "rating": found.ratings[bot].points,
            "interval": None if (interval := found.ratings[bot].interval) is None else list(interval),
            "win_share": _mean(found.of(found.shares, bot)),
            "score_mean": _mean(found.of(found.scores, bot)),
            "win_share_by_seat": [_mean(found.of(found.shares, bot, seat)) for seat in seats],
            "score_mean_by_seat": [_mean(found.of(found.scores, bot, seat)) for seat in seats],
            "against": {
                str(tournament.bots[other]): float(part)
                for other in found.order
                if (part := found.against.get((bot, other))) is not None
            },
        }
        for bot in found.order
    ]
    return {
        **table_data(tournament.table, tournament.seed),
        "games": games,
        "deals": tournament.deals,
        "whole_deals": standing.deals.whole,
        "seconds": round(seconds, 3),
        "games_per_s": round(games / seconds, 1) if seconds else 0.0,
        "bots": bots,
        "all_share": found.all_share,
        "win_share": [_mean(found.of(found.shares, seat=seat)) for seat in seats],
        "faults": [as_json(stop) for stop in stops],
        "engine": tournament.engine,
        "seatings": [
            {"bots": [str(bot) for bot in tournament.seated(seating)], "tally": tally.to_data(tournament.columns)}
            for seating, tally in zip(tournament.seatings, standing.tallies, strict=True)
        ],
    }


def to_csv(found: Standings) -> str:
    """A line for each number. ``other``: the bot of a cross table; ``seat``: from 1, empty for all."""
    rows: list[tuple[object, ...]] = []
    for entry in to_json(found, 0, ())["bots"]:
        bot, (low, high) = entry["bot"], entry["interval"] or ("", "")
        rows.append(("rating", bot, "", "", entry["rating"], low, high))
        rows += [(name, bot, "", "", entry[name], "", "") for name in ("win_share", "score_mean")]
        for name in ("win_share", "score_mean"):
            rows += [(name, bot, "", seat, value, "", "") for seat, value in enumerate(entry[f"{name}_by_seat"], 1)]
        rows += [("against", bot, other, "", value, "", "") for other, value in entry["against"].items()]
    return csv_text(("statistic", "bot", "other", "seat", "value", "low", "high"), rows)


def _mean(spread: Distribution | None) -> float | None:
    return None if spread is None else float(spread.mean)
