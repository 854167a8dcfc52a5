"""Numbers in words of a page: percentages, intervals, names of measures."""

from __future__ import annotations

from ..simulate.statistics.estimates import Estimate
from ..simulate.statistics.statistics import Statistic

IN_PERCENT = (
    "win_share", "turn_win_share", "first_seat_win_share", "ties_share", "forced_share", "matter_share",
    "may_matter_share", "free_matter_share", "choice_cost", "leader_wins", "leading", "settled", "runaway_share", "decided",
    "skill", "deals_share",
)  # fmt: skip
NAMES = {
    "win_share": "share of the win",
    "turn_win_share": "share of the win in turn order",
    "first_seat_win_share": "share of the win of the first seat",
    "ties_share": "ties",
    "decisions_mean": "decisions in a game, mean",
    "decisions_deviation": "decisions in a game, standard deviation",
    "length_quantiles": "decisions in a game",
    "options_mean": "options of a decision",
    "forced_share": "forced decisions",
    "matter_share": "decisions that matter",
    "may_matter_share": "others that may matter",
    "free_matter_share": "decisions that matter, of those with a choice",
    "choice_cost": "cost of a choice at random",
    "score_mean": "score, mean",
    "terms_mean": "mean",
    "terms_gap": "winners above the others",
    "margin_mean": "distance of the winner to the next",
    "lead_changes": "lead changes",
    "leader_wins": "who leads wins",
    "leading": "somebody leads",
    "settled": "lead for good after",
    "runaway_share": "run-away leaders",
    "comeback_mean": "greatest gap of the winner",
    "drama": "drama",
    "decided": "decided after",
    "skill": "the stronger one's share",
    "deals_share": "decided by the deal",
}


def is_percent(statistic: Statistic) -> bool:
    in_shares = statistic.name == "comeback_mean" and statistic.part == "search"
    return statistic.name in IN_PERCENT or in_shares


def value_told(statistic: Statistic, value: float) -> str:
    if is_percent(statistic):
        return percent(value)
    return decimal(value, 0 if statistic.name == "length_quantiles" else 2)


def told(statistic: Statistic, estimate: Estimate) -> str:
    """A value with its interval: ``53.1 % (50.2 .. 56.0)``."""
    return f"{value_told(statistic, estimate.value)} {interval_told(statistic, estimate)}".rstrip()


def interval_told(statistic: Statistic, estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "(too few games for an interval)"
    ends = [value_told(statistic, end).replace(" %", "") for end in (estimate.low, estimate.high)]
    return f"({ends[0]} to {ends[1]})"


def percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:z.{digits}f} %".replace("-", "\N{MINUS SIGN}")


def decimal(value: float, digits: int = 2) -> str:
    return f"{value:z,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def signed(statistic: Statistic, estimate: Estimate) -> str:
    """A difference with its interval and a mark where it is clear."""
    plus = "+" if estimate.value > 0 else ""
    mark = "*" if estimate.leaves_out(0) else ""
    return f"{plus}{value_told(statistic, estimate.value)}{mark} {interval_told(statistic, estimate)}"
