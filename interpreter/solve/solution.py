"""What is found out about a small game: its size, what uniform play gives away, and what it is worth.

What is found is plain data, which is also what `rulesrun solve --format json` prints (docs/schemas/solve.json).
"""

from __future__ import annotations

from math import isinf, log10
from time import monotonic
from typing import Any

from attrs import frozen

from ..diagnostics import RulesError, fault
from ..play.game import Game
from ..play.page import Grid, Line, Page
from ..play.result import heading
from ..simulate.engine import EngineName
from . import regret
from .regret import Value
from .sequences import Sequences
from .walking import TooLarge, guessed_ends, walk

HISTORIES_LIMIT = 5_000_000  # a walked history takes some two hundred bytes
HOPELESS = 100  # a game that is guessed so many times larger than that is not begun with
DIGITS = 7  # of figures that are exact but for rounding


@frozen
class Solution:
    """``sum_of_scores``: of both players at every end, where it is always the same. ``value`` None: ``why_no_value``."""

    game: Game
    chance: int
    decisions: int
    ends: int
    states: int
    information_states: tuple[int, ...]
    uniform_values: tuple[float, ...]
    nash_conv: float
    value: Value | None
    why_no_value: str


def solution(game: Game, engine: EngineName, seconds: float, accuracy: float) -> Solution:
    """Solve a game in so many seconds; to ``accuracy``, if they are enough. Raises `RulesError`, R830 where it is too large."""
    until = monotonic() + seconds

    def go_on() -> bool:
        return monotonic() < until

    guessed = guessed_ends(game, engine, go_on)
    if guessed > HOPELESS * HISTORIES_LIMIT:
        raise _too_large(_about(guessed))
    try:
        walked = walk(game, engine, HISTORIES_LIMIT, go_on)
    except TooLarge as left_off:
        over = "" if go_on() else f", when {seconds:g} s were over"
        size = _about(guessed) if guessed > left_off.ends else f"{left_off.ends:,} of them are ends"
        told = f"left off after {left_off.histories:,} histories{over}; {size}"
        raise _too_large(told, "" if go_on() else "give it more time by `--max-seconds`, or ") from None
    sequences = walked.sequences
    uniform = sequences.uniform
    why_not, both = _sum_of_both(sequences)
    return Solution(
        game,
        walked.chance,
        walked.decisions,
        walked.ends,
        walked.states,
        tuple(len(player.before) for player in sequences.players),
        tuple(sequences.value(number, uniform) for number in range(game.players)),
        sequences.nash_conv(uniform),
        None if why_not else regret.solve(sequences, both, accuracy, go_on),
        why_not,
    )


def _too_large(told: str, first: str = "") -> RulesError:
    help = f"{first}choose a smaller table by `--players` and `--set`; `rulesrun simulate` plays games of any size"
    return RulesError([fault("R830", f"this game is too large to be solved: {told}", help=help)])


def _about(ends: float) -> str:
    if isinf(ends):
        return "it has more ends than can be counted"
    return f"it has about {ends:,.0f} ends" if ends < 1e6 else f"it has about 10^{log10(ends):.0f} ends"


def _sum_of_both(game: Sequences) -> tuple[str, float]:
    """Why the game has no value that can be found here, or "" and what both players get together, at every end the same."""
    if len(game.players) != 2:
        return "a value is worked out for two players", 0.0
    first, second = game.ends.pays
    likely = game.ends.likely
    sums = [(one + other) / chance for one, other, chance in zip(first, second, likely, strict=True)]
    if max(sums) - min(sums) > 1e-6:
        return "a value is worked out where one player gets what the other loses", 0.0
    return "", sums[0]


def to_json(found: Solution) -> dict[str, Any]:
    """The data of `docs/schemas/solve.json`."""
    value = found.value
    return {
        "game": found.game.name,
        "players": found.game.players,
        "variants": list(found.game.variants),
        "options": found.game.options,
        "rules_hash": found.game.rules_hash,
        "histories": {"chance": found.chance, "decisions": found.decisions, "ends": found.ends},
        "states": found.states,
        "information_states": list(found.information_states),
        "uniform": {"values": [round(value, 12) for value in found.uniform_values], "nash_conv": round(found.nash_conv, 12)},
        "value": None if value is None else {
            "first_player": value.of_means, "accuracy": value.accuracy, "rounds": value.rounds
        },
        "left_out": [found.why_no_value] if found.why_no_value else [],
    }  # fmt: skip


def page(found: Solution) -> Page:
    """The same for people."""
    seats = found.game.seat_names
    histories = found.chance + found.decisions + found.ends
    counts = f"{found.chance:,} events of chance, {found.decisions:,} decisions, {found.ends:,} ends"
    gets = "score" if found.game.machine.returns == "score" else "return"
    rows = (
        ("information states", *(f"{count:,}" for count in found.information_states)),
        (f"mean {gets} of uniform play", *(_decimal(value) for value in found.uniform_values)),
    )
    if found.value is None:
        worth = f"value: left out, since {found.why_no_value}"
    else:
        value = found.value
        told = f"at most {value.accuracy:.1g} off ({value.rounds:,} rounds of CFR+)"
        worth = f"value for {seats[0]}: {_decimal(value.of_means)}, {told}"
    return (
        *heading(found.game),
        Line("heading", "Size"),
        Line("text", f"  {histories:,} histories: {counts}"),
        Line("text", f"  {found.states:,} states, {sum(found.information_states):,} information states"),
        Grid(("", *seats), rows),
        Line("heading", "Worth"),
        Line("text", f"  uniform play gives away {_decimal(found.nash_conv)} (NashConv)"),
        Line("text", f"  {worth}"),
    )


def _decimal(number: float) -> str:
    return f"{number:.{DIGITS}f}".replace("-", "−")
