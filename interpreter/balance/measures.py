"""The measures of a table, each with its interval, from what was played there.

They are named as in conditions of `--fail-if`: ``win_share[seat 1]``, ``terms_mean[gems][seat 2]``,
``skill[search:500 > random]``. `MEANING` says what each name means, for readers of the page and of the docs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf, sqrt

from attrs import frozen

from ..machine.columns import DECISIONS, OPTIONS
from ..machine.machine import Chance, Machine
from ..machine.traverse import every_statement
from ..simulate.output.page import turn_name
from ..simulate.statistics.estimates import Estimate, Measured, difference, mean, quantile, ratio, share
from ..simulate.statistics.statistics import Statistic
from ..words.words import marked
from .playing.course import MILLION, Course
from .playing.ladder import Step, luck, skill
from .playing.leads import NOBODY, PHASES, Lead
from .playing.study import SidePlayed, shares_by_side

QUANTILES = {name: Fraction(name) for name in ("0.05", "0.25", "0.5", "0.75", "0.95")}
SHARES = (0.0, 1.0)
PARTS = {"0.25": PHASES // 4, "0.5": PHASES // 2, "0.7": 7}  # of the game, for who leads there: the tenth that begins there

MEANING = {
    "win_share": marked("share of the win of a seat; a win shared by k counts 1/k"),
    "turn_win_share": marked("the same by turn order: the seat that decides first, the next, and so on"),
    "first_seat_win_share": marked("the same for the seat that decides first"),
    "ties_share": marked("games whose win is shared"),
    "decisions_mean": marked("decisions in a game"),
    "decisions_deviation": marked("their standard deviation"),
    "length_quantiles": marked("so many decisions are not exceeded by this part of the games"),
    "options_mean": marked("legal options of a decision"),
    "forced_share": marked("decisions with a single legal option"),
    "matter_share": marked("decisions that matter in search's eyes, of all decisions"),
    "may_matter_share": marked("others that seem to matter, but chance in the search explains it as well"),
    "free_matter_share": marked("decisions that matter, of those with a choice"),
    "choice_cost": marked("what a choice at random would cost, in shares of the win, as a mean over decisions with a choice"),
    "score_mean": marked("score of a seat"),
    "terms_mean": marked("a line of the score sheet, for a seat"),
    "terms_gap": marked("how much more of it winners have than the others"),
    "margin_mean": marked("distance of the winner to the best of the others"),
    "lead_changes": marked("how often the lead changes in a game"),
    "leader_wins": marked("games that are won by who leads alone at this part of the game"),
    "leading": marked("games in which somebody leads alone at this part of the game"),
    "settled": marked("part of the game after which the winner leads to the end"),
    "runaway_share": marked("games in which who leads after a quarter leads to the end and wins"),
    "comeback_mean": marked("by how much the winner was behind at worst"),
    "drama": marked("mean root of the distance by which the winner is behind while it is"),
    "decided": marked("part of the game after which the winner may expect more than anybody else ever did"),
    "skill": marked("share of the win of the stronger of two bots that change places"),
    "deals_share": marked("part of who wins that the deal decides between equal players"),
}
SCORE, SEARCH = "score", "search"  # by what it is said who leads


@frozen(eq=False)
class Measures:
    """The numbers of one table. ``quantiles``: which are no means. What has no value is not here."""

    measured: Mapping[Statistic, Measured]
    quantiles: Mapping[Statistic, Estimate]

    @property
    def estimates(self) -> dict[Statistic, Estimate]:
        """All of them, in the order of `MEANING`."""
        found = {statistic: each.estimate() for statistic, each in self.measured.items()} | dict(self.quantiles)
        names = list(MEANING)
        return {statistic: found[statistic] for statistic in sorted(found, key=lambda each: names.index(each.name))}

    def get(self, name: str, part: str = "", seat: int = 0) -> Estimate | None:
        statistic = Statistic(name, part, seat)
        found = self.measured.get(statistic)
        return found.estimate() if found is not None else self.quantiles.get(statistic)


def known(played: SidePlayed, steps: tuple[Step, ...]) -> list[Statistic]:
    """All statistics that a table can have, whatever is played there."""
    columns, seats = played.side.columns, range(1, played.side.columns.seats + 1)
    several = columns.seats // columns.team_size > 1
    found = [Statistic(name) for name in ("decisions_mean", "decisions_deviation")]
    found += [Statistic("length_quantiles", name) for name in QUANTILES]
    found += [Statistic(name) for name in ("options_mean", "forced_share", "matter_share")]
    found += [Statistic(name) for name in ("may_matter_share", "free_matter_share", "choice_cost")]
    found += [Statistic("score_mean", "", seat) for seat in seats]
    found += [Statistic("terms_mean", term, seat) for term in columns.terms for seat in seats]
    if several:
        found += [Statistic("win_share", "", seat) for seat in seats]
        found += [Statistic("turn_win_share", turn_name(turn - 1)) for turn in seats]
        found += [Statistic(name) for name in ("first_seat_win_share", "ties_share")]
        found += [Statistic("terms_gap", term) for term in columns.terms] + [Statistic("margin_mean")]
        for basis in (SCORE, SEARCH):
            found += [Statistic(name, basis) for name in ("lead_changes", "settled", "runaway_share", "comeback_mean", "drama")]
            found += [Statistic(name, f"{basis} at {part}") for name in ("leader_wins", "leading") for part in PARTS]
        found.append(Statistic("decided"))
        found += [Statistic("skill", str(step)) for step in steps] + [Statistic("deals_share")]
    return found


def measures_of(played: SidePlayed, steps: tuple[Step, ...]) -> Measures:
    """All that can be said of a table."""
    columns, courses = played.side.columns, dict(sorted(played.courses.items()))
    found: dict[Statistic, Measured | None] = {}

    def put(name: str, measured: Measured | None, part: str = "", seat: int = 0) -> None:
        found[Statistic(name, part, seat)] = measured

    several = columns.seats // columns.team_size > 1

    def column(at: int) -> dict[int, float]:
        return {game: course.row[at] for game, course in courses.items()}

    def win(at: int) -> Measured | None:
        return share({game: float(columns.share(course.row[at])) for game, course in courses.items()})

    for seat in range(columns.seats):
        put("score_mean", mean(column(columns.score(seat))), seat=seat + 1)
        for number, term in enumerate(columns.terms):
            put("terms_mean", mean(column(columns.term(number, seat))), term, seat + 1)
        if several:
            put("win_share", win(columns.win(seat)), seat=seat + 1)
            put("turn_win_share", win(columns.turn_win(seat)), turn_name(seat))
    if several:
        put("first_seat_win_share", win(columns.turn_win(0)))
        put("ties_share", share({game: float(_winners(played, course) > 1) for game, course in courses.items()}))
    lengths = column(DECISIONS)
    put("decisions_mean", mean(lengths))
    put("decisions_deviation", _deviation(lengths))
    put("options_mean", ratio({game: (c.row[OPTIONS], c.row[DECISIONS]) for game, c in courses.items()}))
    free = {game: (c.row[DECISIONS] - sum(c.free), c.row[DECISIONS]) for game, c in courses.items()}
    put("forced_share", ratio(free, SHARES))
    thinking = {game: c for game, c in courses.items() if sum(c.thoughts)}
    mattering = {game: (sum(c.matter), sum(c.thoughts)) for game, c in thinking.items()}
    put("free_matter_share", ratio(mattering, SHARES))
    put("matter_share", ratio({game: (sum(c.matter), c.row[DECISIONS]) for game, c in thinking.items()}, SHARES))
    seeming = {game: (sum(c.may_matter) - sum(c.matter), c.row[DECISIONS]) for game, c in thinking.items()}
    put("may_matter_share", ratio(seeming, SHARES))
    put("choice_cost", ratio({game: (c.cost / MILLION, sum(c.thoughts)) for game, c in thinking.items()}))
    if several:
        _of_winners(played, courses, put)
        for basis in (SCORE, SEARCH):
            _of_leads(played, courses, basis, put)
        deals = dict(sorted(played.deals.items()))
        for number, step in enumerate(steps):
            put("skill", skill(deals, number), str(step))
        shares = {game: shares_by_side(played.side, course) for game, course in courses.items()}
        again = {number: deal.again for number, deal in deals.items() if deal.again is not None}
        put("deals_share", luck(shares, again) if has_chance(played.side.game.machine) else None)
    spread = {
        Statistic("length_quantiles", name): estimate
        for name, part in QUANTILES.items()
        if (estimate := quantile((int(length) for length in lengths.values()), part)) is not None
    }
    return Measures({statistic: measured for statistic, measured in found.items() if measured is not None}, spread)


def has_chance(machine: Machine) -> bool:
    """Whether anything is drawn in the game."""
    bodies = (routine.body for routine in machine.routines.values())
    return any(isinstance(statement, Chance) for body in bodies for statement in every_statement(body))


def differences(first: Measures, second: Measures) -> dict[Statistic, Estimate]:
    """Second minus first, for what both have; quantiles are left out."""
    return {
        statistic: difference(measured, second.measured[statistic])
        for statistic, measured in first.measured.items()
        if statistic in second.measured
    }


Put = Callable[..., None]


def _of_winners(played: SidePlayed, courses: Mapping[int, Course], put: Put) -> None:
    """What winners have that the others have not."""
    columns = played.side.columns
    sign = -1 if played.side.game.machine.keys and not played.side.game.machine.keys[0].highest else 1
    score = columns.team_score if columns.in_teams else columns.score
    seats = range(columns.seats)
    gaps: dict[str, dict[int, float]] = {term: {} for term in columns.terms}
    margins: dict[int, float] = {}
    for game, course in courses.items():
        won = [seat for seat in seats if course.row[columns.win(seat)]]
        lost = [seat for seat in seats if seat not in won]
        if not lost:
            margins[game] = 0.0
            continue
        best = max(sign * course.row[score(seat)] for seat in lost)
        margins[game] = max(sign * course.row[score(seat)] for seat in won) - best
        for number, term in enumerate(columns.terms):
            of_won, of_lost = ([course.row[columns.term(number, seat)] for seat in some] for some in (won, lost))
            gaps[term][game] = sum(of_won) / len(of_won) - sum(of_lost) / len(of_lost)
    put("margin_mean", mean(margins))
    for term, values in gaps.items():
        put("terms_gap", mean(values), term)


def lead(course: Course, basis: str) -> Lead | None:
    """Who led in a game, by the score or by what search expects."""
    return course.by_score if basis == SCORE else course.by_search


def _of_leads(played: SidePlayed, courses: Mapping[int, Course], basis: str, put: Put) -> None:
    leads = {game: found for game, course in courses.items() if (found := lead(course, basis)) is not None}
    put("lead_changes", mean({game: each.changes for game, each in leads.items()}), basis)
    won = {game: each for game, each in leads.items() if each.settled is not None}
    put("settled", mean({game: each.settled or 0.0 for game, each in won.items()}, SHARES), basis)
    put("runaway_share", share({game: float(bool(each.ran_away)) for game, each in won.items()}), basis)
    put("comeback_mean", mean({game: each.comeback or 0.0 for game, each in won.items()}), basis)
    put("drama", mean({game: each.drama or 0.0 for game, each in won.items()}), basis)
    if basis == SEARCH:
        put("decided", mean({game: each.decided or 0.0 for game, each in won.items()}, SHARES))
    for part, phase in PARTS.items():
        put("leading", share({game: float(each.leaders[phase] != NOBODY) for game, each in leads.items()}), f"{basis} at {part}")
        put("leader_wins", leader_wins(played, courses, basis, phase), f"{basis} at {part}")


def leader_wins(played: SidePlayed, courses: Mapping[int, Course], basis: str, phase: int) -> Measured | None:
    """The share of the win of who leads alone at the beginning of a tenth of the game."""
    found: dict[int, float] = {}
    for game, course in courses.items():
        each = lead(course, basis)
        if each is not None and each.leaders[phase] != NOBODY:
            found[game] = shares_by_side(played.side, course)[each.leaders[phase]]
    return share(found)


def _winners(played: SidePlayed, course: Course) -> int:
    """How many sides share the win."""
    return sum(part > 0 for part in shares_by_side(played.side, course))


def _deviation(values: Mapping[int, float]) -> Measured | None:
    """The standard deviation; its influence is that of the variance, by the delta method."""
    n = len(values)
    if n < 2:
        return None
    middle = sum(values.values()) / n
    variance = sum((value - middle) ** 2 for value in values.values()) / n
    deviation = sqrt(variance)
    below = 2 * deviation or 1.0
    influence = {game: ((value - middle) ** 2 - variance) / below for game, value in values.items()}
    return Measured(deviation, influence, (0.0, inf))
