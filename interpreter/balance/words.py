"""Numbers in words of a page: percentages, intervals, names of measures."""

from __future__ import annotations

from ..simulate.statistics.estimates import Estimate
from ..simulate.statistics.statistics import Statistic
from ..table.sampling.combinations import Choice
from ..words.words import ENGLISH, Role, Words, marked

IN_PERCENT = (
    "win_share", "turn_win_share", "first_seat_win_share", "ties_share", "forced_share", "matter_share",
    "may_matter_share", "free_matter_share", "choice_cost", "leader_wins", "leading", "settled", "runaway_share", "decided",
    "skill", "deals_share",
)  # fmt: skip
NAMES = {
    "win_share": marked("share of the win"),
    "turn_win_share": marked("share of the win in turn order"),
    "first_seat_win_share": marked("share of the win of the first seat"),
    "ties_share": marked("ties"),
    "decisions_mean": marked("decisions in a game, mean"),
    "decisions_deviation": marked("decisions in a game, standard deviation"),
    "length_quantiles": marked("decisions in a game"),
    "options_mean": marked("options of a decision"),
    "forced_share": marked("forced decisions"),
    "matter_share": marked("decisions that matter"),
    "may_matter_share": marked("others that may matter"),
    "free_matter_share": marked("decisions that matter, of those with a choice"),
    "choice_cost": marked("cost of a choice at random"),
    "score_mean": marked("score, mean"),
    "terms_mean": marked("mean"),
    "terms_gap": marked("winners above the others"),
    "margin_mean": marked("distance of the winner to the next"),
    "lead_changes": marked("lead changes"),
    "leader_wins": marked("who leads wins"),
    "leading": marked("somebody leads"),
    "settled": marked("lead for good after"),
    "runaway_share": marked("run-away leaders"),
    "comeback_mean": marked("greatest gap of the winner"),
    "drama": marked("drama"),
    "decided": marked("decided after"),
    "skill": marked("the stronger one's share"),
    "deals_share": marked("decided by the deal"),
}


def is_percent(statistic: Statistic) -> bool:
    in_shares = statistic.name == "comeback_mean" and statistic.part == "search"
    return statistic.name in IN_PERCENT or in_shares


def value_told(statistic: Statistic, value: float) -> str:
    if is_percent(statistic):
        return percent(value)
    return decimal(value, 0 if statistic.name == "length_quantiles" else 2)


def told(statistic: Statistic, estimate: Estimate, words: Words = ENGLISH) -> str:
    """A value with its interval: ``53.1 % (50.2 to 56.0)``."""
    return f"{value_told(statistic, estimate.value)} {interval_told(statistic, estimate, words)}".rstrip()


def interval_told(statistic: Statistic, estimate: Estimate, words: Words = ENGLISH) -> str:
    if estimate.low is None or estimate.high is None:
        return words.phrase("(too few games for an interval)")
    low, high = (value_told(statistic, end).replace(" %", "") for end in (estimate.low, estimate.high))
    return words.phrase("({low} to {high})", low=low, high=high)


def span_told(low: object, high: object, words: Words = ENGLISH) -> str:
    """``3 to 5``."""
    return words.phrase("{low} to {high}", low=low, high=high)


def percent(value: float, digits: int = 1) -> str:
    return f"{100 * value:z.{digits}f} %".replace("-", "\N{MINUS SIGN}")


def decimal(value: float, digits: int = 2) -> str:
    return f"{value:z,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def signed(statistic: Statistic, estimate: Estimate, words: Words = ENGLISH) -> str:
    """A difference with its interval and a mark where it is clear."""
    return f"{marked_difference(statistic, estimate)} {interval_told(statistic, estimate, words)}"


def marked_difference(statistic: Statistic, estimate: Estimate) -> str:
    """``+3.2 %*``: a difference with a mark where it is clear."""
    plus, mark = "+" if estimate.value > 0 else "", "*" if estimate.leaves_out(0) else ""
    return f"{plus}{value_told(statistic, estimate.value)}{mark}"


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def players_told(players: int, words: Words) -> str:
    """``3 players``."""
    return words.phrase_for(players, "{number} player", "{number} players")


def tables_told(tables: int, words: Words) -> str:
    """``12 tables``."""
    return words.phrase_for(tables, "{number} table", "{number} tables")


def deals_told(deals: int, words: Words) -> str:
    """``200 deals``."""
    return words.phrase_for(deals, "{number} deal", "{number} deals", number=f"{deals:,}")


def name_told(role: Role, name: str, words: Words) -> str:
    """A name of the rules: in English as a command line takes it."""
    return name if words is ENGLISH else words.name(role, name)


def variant_told(name: str, words: Words) -> str:
    """A variant in a table: its title up to a colon, behind which it may be explained."""
    return name_told("variant", name, words).partition(":")[0]


def value_of_option(value: object, words: Words) -> str:
    """A value of an option: ``yes``, ``50``, ``gems``."""
    said = str(value)
    return words.phrase(said) if said in ("yes", "no", "none") else name_told("word", said, words)


def setting_told(name: str, value: object, words: Words) -> str:
    """An option or another number with its value: ``target 50``."""
    return f"{name_told('option', name, words)} {value_of_option(value, words)}"


def choice_told(choice: Choice, words: Words) -> str:
    """``3 players with partners and target 50``."""
    players = players_told(choice.players, words)
    others = [variant_told(name, words) for name in choice.variants]
    others += [setting_told(name, value, words) for name, value in choice.options]
    return words.phrase("{players} with {others}", players=players, others=words.listed(others)) if others else players


def title_told(title: str, words: Words) -> str:
    """The title of a table or of a change: its variants, ``target = 50``, or ``plain``."""
    option, is_option, value = title.partition(" = ")
    if is_option:
        return f"{name_told('option', option, words)} = {value_of_option(value, words)}"
    return words.phrase("plain") if title == "plain" else words.row(variant_told(name, words) for name in title.split(", "))
