"""One plain sentence on each subject, and how sure it is.

*Sure* means that the interval of 95 % says it, with some room; *fairly sure*, that the interval allows little else; *not sure*,
that the games were too few to say more. The limits stand here as constants. They are our own, made for a first look: the numbers
stand below each verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Literal

from attrs import frozen

from ..play.game import Game
from ..simulate.output.page import term_text
from ..simulate.statistics.compare import Z
from ..simulate.statistics.estimates import Estimate
from ..words.words import ENGLISH, Words, marked
from .measures import SCORE, SEARCH, Measures
from .playing.ladder import Step
from .words import capital, decimal, percent, span_told

Sure = Literal["sure", "fairly sure", "not sure"]

SURENESS: dict[Sure, str] = {"sure": marked("sure"), "fairly sure": marked("fairly sure"), "not sure": marked("not sure")}
"""The surest first."""
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
    words, even = game.words, 1 / sides
    by_seat = {name: found.get("win_share", "", seat + 1) for seat, name in enumerate(game.seat_names)}
    turns = [(each.part, value.estimate()) for each, value in found.measured.items() if each.name == "turn_win_share"]
    by_turn = {words.phrase("whoever is {turn} in turn order", turn=words.phrase(turn)): each for turn, each in turns}
    known = {name: each for name, each in (by_seat | by_turn).items() if each is not None and each.has_interval}
    if not known:
        return None
    clear = {name: each for name, each in known.items() if each.leaves_out(even)}
    if clear:
        # of two sides it is the one with the advantage, whichever share is computed a little farther from the middle
        name, worst = max(clear.items(), key=lambda item: (round(abs(item[1].value - even), 9), item[1].value))
        places = {"name": name, "share": percent(worst.value), "even": percent(even), "number": len(known)}
        distance, half = abs(worst.value - even), _half(worst)
        looked = len(known) if sides > 2 else len(known) / 2  # of two sides each has what the other has not
        if distance <= _beyond(looked, 0.95) * half:
            text = words.phrase(
                "{name} may have an advantage ({share} of the win), but one of {number} shares often looks so."
                if worst.value > even
                else "{name} may have a disadvantage ({share} of the win), but one of {number} shares often looks so.",
                **places,
            )
            return Verdict(capital(text), "not sure")
        told = words.phrase(
            "{name} has an advantage: {share} of the win, where {even} would be even."
            if worst.value > even
            else "{name} has a disadvantage: {share} of the win, where {even} would be even.",
            **places,
        )
        return Verdict(capital(told), "sure" if distance > _beyond(looked, 0.99) * half else "fairly sure")
    most = max(max(abs((each.high or 0) - even), abs((each.low or 0) - even)) for each in known.values())
    sure: Sure = "sure" if most <= CLOSE else "fairly sure" if most <= NEAR else "not sure"
    points = max(1, round(100 * most))
    ruled_out = words.phrase(
        "No seat has a clear advantage; one of more than {points} points of the win can be ruled out.", points=points
    )
    return Verdict(ruled_out, sure)


def _beyond(looked: float, confidence: float) -> float:
    """How many half widths of an interval of 95 % a value must be away, where several are looked at (Bonferroni's correction)."""
    return NormalDist().inv_cdf(1 - (1 - confidence) / 2 / looked) / Z


def _sentence(words: Words, *clauses: str) -> str:
    joined = clauses[0]
    for clause in clauses[1:]:
        joined = words.phrase("{first}; {next}", first=joined, next=clause)
    return words.phrase("{told}.", told=joined)


def skill(steps: Sequence[Step], found: Measures, words: Words = ENGLISH) -> Verdict | None:
    """How much stronger players win."""
    if not steps:
        return None
    whole = found.get("skill", str(steps[-1]))
    if whole is None:
        return None
    how = words.phrase(
        "Skill decides much: `{stronger}` has {share} of the win against `{weaker}`"
        if whole.value >= SKILFUL
        else "Skill helps: `{stronger}` has {share} of the win against `{weaker}`"
        if whole.value >= LUCKY
        else "Skill decides little: `{stronger}` has {share} of the win against `{weaker}`",
        stronger=steps[-1].stronger,
        weaker=steps[-1].weaker,
        share=percent(whole.value, 0),
    )
    is_weak = steps[-1].stronger.playouts < WEAK and whole.value < SKILFUL
    if is_weak:
        how = words.phrase("{told}, but it is a weak player, and a search of more iterations may see more", told=how)
    clauses = [how]
    deals = found.get("deals_share")
    if deals is not None and deals.has_interval:
        low, high = (percent(max(0.0, end), 0).removesuffix(" %") for end in (deals.low or 0.0, deals.high or 0.0))
        clauses.append(
            words.phrase(
                "between equally strong players the deal explains {share} ({interval}) of who wins",
                share=percent(max(0.0, deals.value), 0),
                interval=span_told(low, high, words),
            )
        )
    return Verdict(_sentence(words, *clauses), "not sure" if is_weak else sureness(whole, 0.06, 0.12))


def length(found: Measures, words: Words = ENGLISH) -> Verdict | None:
    mean, low, high = found.get("decisions_mean"), *(found.get("length_quantiles", part) for part in ("0.05", "0.95"))
    if mean is None or low is None or high is None:
        return None
    told = words.phrase("A game has {number} decisions", number=decimal(mean.value, 1))
    if low.value == high.value:
        spread = words.phrase("always {number}", number=decimal(low.value, 0))
    else:
        spread = words.phrase("nine in ten have {low} to {high}", low=f"{low.value:.0f}", high=f"{high.value:.0f}")
    fine, coarse = 0.02 * mean.value, 0.1 * mean.value
    return Verdict(_sentence(words, told, spread), sureness(mean, fine, coarse))


def decisions(found: Measures, words: Words = ENGLISH) -> Verdict | None:
    forced, matter = found.get("forced_share"), found.get("matter_share")
    if forced is None:
        return None
    if forced.value >= 1:
        text = words.phrase("Nobody ever has a choice: every decision has a single option.")
        return Verdict(text, sureness(forced, 0.03, 0.1))
    forced_told = percent(forced.value, 0)
    if matter is None:
        told = words.phrase("{forced} of the decisions are forced", forced=forced_told)
        rest = words.phrase("only bots that search say which of the others matter")
        return Verdict(_sentence(words, told, rest), sureness(forced, 0.03, 0.1))
    told = words.phrase(
        "{forced} of the decisions are forced and {share} matter", forced=forced_told, share=percent(matter.value, 0)
    )
    doubtful = estimate.value if (estimate := found.get("may_matter_share")) is not None else 0.0
    if doubtful > IN_DOUBT / 5:
        told = words.phrase("{told} ({share} more may: the search is too short to tell)", told=told, share=percent(doubtful, 0))
    clauses, cost = [told], found.get("choice_cost")
    if cost is not None:
        share = percent(max(0.0, cost.value))
        clauses.append(words.phrase("a choice at random costs {share} of the win on average", share=share))
    text = _sentence(words, *clauses)
    if matter.value + doubtful < FEW_MATTER:
        text = words.phrase("{told} Few decisions matter.", told=text)
    by_doubt: Sure = "not sure" if doubtful > IN_DOUBT else "fairly sure" if doubtful > IN_DOUBT / 5 else "sure"
    return Verdict(text, max(by_doubt, sureness(matter, 0.03, 0.1), key=list(SURENESS).index))


def course(found: Measures, words: Words = ENGLISH) -> Verdict | None:
    """Who leads, and whether it stays so."""
    for basis in (SEARCH, SCORE):
        wins, changes = found.get("leader_wins", f"{basis} at 0.5"), found.get("lead_changes", basis)
        if wins is None or changes is None:
            continue
        ran = found.get("runaway_share", basis)
        told = words.phrase(
            "The game is often decided early: who leads at half of it ({by}) wins {share} of the games, and the lead changes "
            "{number} times"
            if wins.value >= EARLY
            else "The game stays open for long: who leads at half of it ({by}) wins {share} of the games, and the lead changes "
            "{number} times",
            by=by_told(basis, words),
            share=percent(wins.value, 0),
            number=decimal(changes.value, 1),
        )
        share = None if ran is None else percent(ran.value, 0)
        rest = [] if ran is None else [words.phrase("{share} are run away with from the first quarter on", share=share)]
        return Verdict(_sentence(words, told, *rest), sureness(wins, 0.05, 0.12))
    return None


def by_told(basis: str, words: Words) -> str:
    """By what it is said who leads."""
    return words.phrase("by what search expects" if basis == SEARCH else "by the score")


def ties(found: Measures, words: Words = ENGLISH) -> Verdict | None:
    tied = found.get("ties_share")
    if tied is None or tied.high is None:
        return None
    if tied.is_above(MANY_TIES):
        return Verdict(words.phrase("Many games are tied: {share}.", share=percent(tied.value, 0)), "sure")
    if tied.is_below(FEW_TIES):
        return Verdict(words.phrase("Ties are rare: at most {share} of the games.", share=percent(tied.high)), "sure")
    text = words.phrase("{share} of the games are tied, at most {most}.", share=percent(tied.value), most=percent(tied.high))
    return Verdict(text, sureness(tied, 0.03, 0.08))


def score(game: Game, found: Measures) -> Verdict | None:
    """Which line of the score sheet makes the difference; of a game for one player, how much it scores."""
    words, alone = game.words, found.get("score_mean", "", 1)
    if found.get("win_share", "", 1) is None and alone is not None:
        near = max(0.5, 0.1 * abs(alone.value))
        text = words.phrase("The score is {number} on average.", number=decimal(alone.value, 1))
        return Verdict(text, sureness(alone, near / 2, near))
    gaps = {term: gap for term in game.columns.terms if (gap := found.get("terms_gap", term)) is not None}
    total = sum(abs(gap.value) for gap in gaps.values())
    if not gaps or total == 0:
        return None
    term, most = max(gaps.items(), key=lambda item: abs(item[1].value))
    places = {"term": term_text(game, term), "number": decimal(most.value, 1), "share": percent(abs(most.value) / total, 0)}
    if len(gaps) == 1:
        text = words.phrase("All of the score is `{term}`; winners have {number} more of it.", **places)
        return Verdict(text, sureness(most, 0.5, 2))
    rest = [other for each, other in gaps.items() if each != term]
    clear = (
        most.low is not None
        and most.high is not None
        and all(min(abs(most.low), abs(most.high)) > max(abs(other.low or 0), abs(other.high or 0)) for other in rest)
    )
    text = words.phrase(
        "`{term}` makes the difference most: winners have {number} more of it, {share} of all differences.", **places
    )
    return Verdict(text, "sure" if clear else "fairly sure" if most.leaves_out(0) else "not sure")
