"""One plain sentence on each subject, and how sure it is.

*Sure* means that the interval of 95 % says it, with some room; *fairly sure*, that the interval allows little else; *not sure*,
that the games were too few to say more. The limits stand here as constants. They are our own, made for a first look: the numbers
stand below each verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Literal

from attrs import frozen

from ..play.game import Game
from ..simulate.statistics.compare import Z
from ..simulate.statistics.estimates import Estimate
from ..simulate.statistics.statistics import Statistic
from .measures import SCORE, SEARCH, Measures
from .playing.ladder import Step
from .words import decimal, percent

Sure = Literal["sure", "fairly sure", "not sure"]

SURENESS: tuple[Sure, ...] = ("sure", "fairly sure", "not sure")
CLOSE, NEAR = 0.03, 0.08  # of the win: an advantage below these hardly counts, or counts a little
MANY_TIES, FEW_TIES = 0.15, 0.02
FEW_MATTER, IN_DOUBT = 0.15, 0.25  # of the decisions
EARLY = 0.75  # who leads at half of the game wins so often: it is decided early
LUCKY, SKILFUL = 0.6, 0.75  # shares of the win of the strongest bot against the weakest
WEAK = 100  # iterations of a strongest bot: with fewer, it may just have missed what skill there is


@frozen
class Verdict:
    text: str
    sure: Sure


def sureness(estimate: Estimate | None, fine: float, coarse: float) -> Sure:
    """By the half width of an interval."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return "not sure"
    half = _half(estimate)
    return "sure" if half <= fine else "fairly sure" if half <= coarse else "not sure"


def _half(estimate: Estimate) -> float:
    """The half width of an interval."""
    assert estimate.low is not None
    assert estimate.high is not None
    return (estimate.high - estimate.low) / 2


def fairness(game: Game, found: Measures) -> Verdict | None:
    """Whether some seat has an advantage."""
    sides = len(game.teams) or game.players
    if sides < 2:
        return None
    even = 1 / sides
    by_seat = {name: found.get("win_share", "", seat + 1) for seat, name in enumerate(game.seat_names)}
    by_turn = {f"whoever is {each.part} in turn order": value.estimate() for each, value in found.measured.items()
               if each.name == "turn_win_share"}  # fmt: skip
    known = {name: each for name, each in (by_seat | by_turn).items() if each is not None and each.has_interval}
    if not known:
        return None
    clear = {name: each for name, each in known.items() if each.leaves_out(even)}
    if clear:
        # of two sides it is the one with the advantage, whichever share is computed a little farther from the middle
        name, worst = max(clear.items(), key=lambda item: (round(abs(item[1].value - even), 9), item[1].value))
        good = "an advantage" if worst.value > even else "a disadvantage"
        told = f"{name} has {good}: {percent(worst.value)} of the win, where {percent(even)} would be even."
        distance, half = abs(worst.value - even), _half(worst)
        looked = len(known) if sides > 2 else len(known) / 2  # of two sides each has what the other has not
        if distance <= _beyond(looked, 0.95) * half:
            text = f"{name} may have {good} ({percent(worst.value)} of the win), but one of {len(known)} shares often looks so."
            return Verdict(_capital(text), "not sure")
        return Verdict(_capital(told), "sure" if distance > _beyond(looked, 0.99) * half else "fairly sure")
    most = max(max(abs((each.high or 0) - even), abs((each.low or 0) - even)) for each in known.values())
    sure: Sure = "sure" if most <= CLOSE else "fairly sure" if most <= NEAR else "not sure"
    points = max(1, round(100 * most))
    return Verdict(f"No seat has a clear advantage; one of more than {points} points of the win can be ruled out.", sure)


def _beyond(looked: float, confidence: float) -> float:
    """How many half widths of an interval of 95 % a value must be away, where several are looked at (Bonferroni's correction)."""
    return NormalDist().inv_cdf(1 - (1 - confidence) / 2 / looked) / Z


def skill(steps: Sequence[Step], found: Measures) -> Verdict | None:
    """How much stronger players win."""
    if not steps:
        return None
    whole = found.get("skill", str(steps[-1]))
    if whole is None:
        return None
    stronger, weaker = steps[-1].stronger, steps[-1].weaker
    how = "Skill decides much" if whole.value >= SKILFUL else "Skill helps" if whole.value >= LUCKY else "Skill decides little"
    text = f"{how}: `{stronger}` has {percent(whole.value, 0)} of the win against `{weaker}`"
    is_weak = stronger.playouts < WEAK and whole.value < SKILFUL
    if is_weak:
        text += ", but it is a weak player, and a search of more iterations may see more"
    deals = found.get("deals_share")
    if deals is not None and deals.has_interval:
        low, high = (percent(max(0.0, end), 0).removesuffix(" %") for end in (deals.low or 0.0, deals.high or 0.0))
        part = percent(max(0.0, deals.value), 0)
        text += f"; between equally strong players the deal explains {part} ({low} to {high}) of who wins"
    return Verdict(f"{text}.", "not sure" if is_weak else sureness(whole, 0.06, 0.12))


def length(found: Measures) -> Verdict | None:
    mean, low, high = found.get("decisions_mean"), *(found.get("length_quantiles", part) for part in ("0.05", "0.95"))
    if mean is None or low is None or high is None:
        return None
    spread = f"nine in ten have {low.value:.0f} to {high.value:.0f}"
    same = f"always {decimal(low.value, 0)}" if low.value == high.value else spread
    fine, coarse = 0.02 * mean.value, 0.1 * mean.value
    return Verdict(f"A game has {decimal(mean.value, 1)} decisions; {same}.", sureness(mean, fine, coarse))


def decisions(found: Measures) -> Verdict | None:
    forced, matter = found.get("forced_share"), found.get("matter_share")
    if forced is None:
        return None
    text = f"{percent(forced.value, 0)} of the decisions are forced"
    if forced.value >= 1:
        return Verdict("Nobody ever has a choice: every decision has a single option.", sureness(forced, 0.03, 0.1))
    if matter is None:
        return Verdict(f"{text}; only bots that search say which of the others matter.", sureness(forced, 0.03, 0.1))
    cost = found.get("choice_cost")
    text += f" and {percent(matter.value, 0)} matter"
    doubtful = estimate.value if (estimate := found.get("may_matter_share")) is not None else 0.0
    if doubtful > IN_DOUBT / 5:
        text += f" ({percent(doubtful, 0)} more may: the search is too short to tell)"
    if cost is not None:
        text += f"; a choice at random costs {percent(max(0.0, cost.value))} of the win on average"
    few = " Few decisions matter." if matter.value + doubtful < FEW_MATTER else ""
    by_doubt: Sure = "not sure" if doubtful > IN_DOUBT else "fairly sure" if doubtful > IN_DOUBT / 5 else "sure"
    return Verdict(f"{text}.{few}", max(by_doubt, sureness(matter, 0.03, 0.1), key=SURENESS.index))


def course(found: Measures) -> Verdict | None:
    """Who leads, and whether it stays so."""
    for basis, by in ((SEARCH, "by what search expects"), (SCORE, "by the score")):
        wins, changes = found.get("leader_wins", f"{basis} at 0.5"), found.get("lead_changes", basis)
        if wins is None or changes is None:
            continue
        ran = found.get("runaway_share", basis)
        how = "The game is often decided early" if wins.value >= EARLY else "The game stays open for long"
        text = f"{how}: who leads at half of it ({by}) wins {percent(wins.value, 0)} of the games"
        text += f", and the lead changes {decimal(changes.value, 1)} times"
        if ran is not None:
            text += f"; {percent(ran.value, 0)} are run away with from the first quarter on"
        return Verdict(f"{text}.", sureness(wins, 0.05, 0.12))
    return None


def ties(found: Measures) -> Verdict | None:
    tied = found.get("ties_share")
    if tied is None or tied.high is None:
        return None
    if tied.is_above(MANY_TIES):
        return Verdict(f"Many games are tied: {percent(tied.value, 0)}.", "sure")
    if tied.is_below(FEW_TIES):
        return Verdict(f"Ties are rare: at most {percent(tied.high)} of the games.", "sure")
    return Verdict(f"{percent(tied.value)} of the games are tied, at most {percent(tied.high)}.", sureness(tied, 0.03, 0.08))


def score(found: Measures, terms: Sequence[str]) -> Verdict | None:
    """Which line of the score sheet makes the difference; of a game for one player, how much it scores."""
    alone = found.get("score_mean", "", 1)
    if found.get("win_share", "", 1) is None and alone is not None:
        near = max(0.5, 0.1 * abs(alone.value))
        return Verdict(f"The score is {decimal(alone.value, 1)} on average.", sureness(alone, near / 2, near))
    gaps = {term: gap for term in terms if (gap := found.get("terms_gap", term)) is not None}
    total = sum(abs(gap.value) for gap in gaps.values())
    if not gaps or total == 0:
        return None
    term, most = max(gaps.items(), key=lambda item: abs(item[1].value))
    name = term.replace("_", " ")
    if len(gaps) == 1:
        return Verdict(f"All of the score is `{name}`; winners have {decimal(most.value, 1)} more of it.", sureness(most, 0.5, 2))
    rest = [other for each, other in gaps.items() if each != term]
    clear = most.low is not None and most.high is not None and all(
        min(abs(most.low), abs(most.high)) > max(abs(other.low or 0), abs(other.high or 0)) for other in rest
    )
    part = percent(abs(most.value) / total, 0)
    text = f"`{name}` makes the difference most: winners have {decimal(most.value, 1)} more of it, {part} of all differences."
    return Verdict(text, "sure" if clear else "fairly sure" if most.leaves_out(0) else "not sure")


def changed(differences: Mapping[Statistic, Estimate], names: Sequence[str]) -> list[Statistic]:
    """The measures of some names that clearly differ."""
    return [statistic for statistic, each in differences.items() if statistic.name in names and each.leaves_out(0)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
