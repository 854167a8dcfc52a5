"""The stored balance of a version of the rules, and what a later version moved beyond chance.

A baseline holds the text of the rules and the tally of each table: every number of players, without variants and with each one.
A later version plays the same tables with the same seed, bots and number of games. Each mean and each variance of each table is
one question, "is it the same?", with a p-value from the normal approximation of `simulate/statistics/compare.py`. The sides count
as independent although they share a seed, so the intervals are rather too wide than too narrow. Holm's procedure keeps the
probability that anything is called moved by chance alone below 5 % over all questions together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ..common.diagnostics import Diagnostic, RulesError, fault
from ..common.source import Source
from ..simulate.statistics.beyond_chance import beyond_chance, chance_of
from ..simulate.statistics.compare import Difference, Side, differences
from ..simulate.statistics.tally import GAMES_LIMIT, NoTally, Tally
from ..table.sampling.combinations import Choice

VERSION = 1
MARK = b'{"rulesrun baseline":'  # how each file begins
SIZE_LIMIT = 1_000_000_000  # bytes
_HELP = "it is written by `rulesrun baseline GAME.rules --out FILE`"


@frozen(eq=False)
class Baseline:
    """What came of the games 0 .. games - 1 of a seed at each table. ``text``: the rules then; ``bots``: by seat."""

    game: str
    text: str
    seed: int
    games: int
    bots: str
    sides: Mapping[Choice, Side]


@frozen
class Moved:
    """A statistic of a table that differs beyond chance."""

    table: Choice
    difference: Difference


@frozen(eq=False)
class Watched:
    """What differs between a baseline and a later version. ``questions``: how many statistics were compared.

    ``stopping``: tables with more games that a fault stopped than before, with both numbers. ``added``, ``gone``: tables that
    only one of the versions has. ``is_equal``: every table has the very same tally.
    """

    moved: tuple[Moved, ...]
    stopping: Mapping[Choice, tuple[int, int]]
    added: tuple[Choice, ...]
    gone: tuple[Choice, ...]
    questions: int
    is_equal: bool

    @property
    def is_quiet(self) -> bool:
        """Whether nothing has to be looked at."""
        return not (self.moved or self.stopping or self.added or self.gone)


def watched(before: Baseline, after: Mapping[Choice, Side]) -> Watched:
    """What a later version moved. ``after``: its tables, played as the baseline was."""
    common = [choice for choice in after if choice in before.sides]
    asked = [
        Moved(choice, found)
        for choice in common
        for found in differences(before.sides[choice], after[choice], None).values()
        if found.interval is not None and not found.statistic.name.endswith("_quantiles")
    ]
    stops = {choice: (before.sides[choice].tally.stopped, after[choice].tally.stopped) for choice in common}
    return Watched(
        tuple(moved for moved, is_clear in zip(asked, beyond_chance(list(map(_chance, asked))), strict=True) if is_clear),
        {choice: (old, new) for choice, (old, new) in stops.items() if new > old},
        tuple(choice for choice in after if choice not in before.sides),
        tuple(choice for choice in before.sides if choice not in after),
        len(asked),
        set(after) == set(before.sides) and all(before.sides[each].tally == after[each].tally for each in common),
    )


def _chance(moved: Moved) -> float:
    assert moved.difference.interval is not None
    assert moved.difference.difference is not None
    return chance_of(float(moved.difference.difference), moved.difference.interval)


# ---- Files


def to_text(found: Baseline) -> str:
    """A baseline as json, one table in a line, so that versions differ in few lines."""
    head = {
        "rulesrun baseline": VERSION,
        "game": found.game,
        "seed": found.seed,
        "games": found.games,
        "bots": found.bots,
        "text": found.text,
    }
    tables = [
        json.dumps({"players": choice.players, "variants": choice.variants, "tally": side.tally.to_data(side.columns)})
        for choice, side in found.sides.items()
    ]
    return json.dumps(head)[:-1] + ', "tables": [\n' + ",\n".join(tables) + "\n]}\n"


def from_text(source: Source, game: str, rules: str) -> Baseline:
    """The baseline in the text of a file. ``game``: the name of the later version; ``rules``: its path.

    Raises `RulesError` (R807) if it is none, or one of another game.
    """
    try:
        data = json.loads(source.text)
        found = _baseline(data)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, NoTally) else "it is something else, or was cut off"
        raise _unusable(f"`{source.path}` is no baseline: {why}", _HELP) from None
    if found.game != game:
        told = f"the baseline `{source.path}` is of the game `{found.game}`, not of `{game}`"
        raise _unusable(told, f"store one of `{game}`: `rulesrun baseline {rules} --out FILE`")
    return found


def _baseline(data: Any) -> Baseline:
    if data["rulesrun baseline"] != VERSION:
        raise NoTally("it was written by another version of rulesrun")
    sides: dict[Choice, Side] = {}
    for table in data["tables"]:
        columns = Tally.columns_of(table["tally"])
        choice = Choice(columns.seats, tuple(map(str, table["variants"])))
        if choice in sides or table["players"] != columns.seats:
            raise NoTally("it holds a table twice, or one whose number of players is not that of its tally")
        sides[choice] = Side(columns, Tally.from_data(columns, table["tally"]))
    seed, games = data["seed"], data["games"]
    if not (_is_whole(seed, 0, (1 << 64) - 1) and _is_whole(games, 1, GAMES_LIMIT)):
        raise NoTally("its seed or its number of games is out of range")
    if any(side.tally.games + side.tally.stopped != games for side in sides.values()):
        raise NoTally("a table has another number of games than the others")
    return Baseline(str(data["game"]), str(data["text"]), seed, games, str(data["bots"]), sides)


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _unusable(told: str, help: str) -> RulesError:
    diagnostic: Diagnostic = fault("R807", told, help=help)
    return RulesError([diagnostic])
