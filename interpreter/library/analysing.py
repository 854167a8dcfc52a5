"""The balance report from Python, with the numbers that `rulesrun analyse` prints."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import frozen

from ..balance.analysis import ActFound, Analysis, TableFound, verdicts_of
from ..balance.output import page, text
from ..balance.output.rows import table_of_rows
from ..balance.playing.study import Clock, Side, Studying, changes_of, default_bot, nothing_ended
from ..balance.verdicts import Verdict
from ..overview.difference import compare_tables
from ..play.arguments import ArgumentError, shown
from ..play.game import Game
from ..players.bots import bots_from
from ..simulate.statistics.estimates import Estimate
from .measuring import JOBS_LIMIT, _by_name, _engine, _game, _named, _seed, _whole

GAMES_LIMIT = 1_000_000


@frozen(eq=False, slots=False, repr=False)
class Balance:
    """A balance report. ``balance["win_share[seat 1]"]`` is an `Estimate`: ``value``, ``low``, ``high``, ``games``.

    Names are those of `--fail-if`. Where two tables are compared, it is of the second one. ``language``: of the page; all else is
    in English.
    """

    analysis: Analysis
    language: str = "en"

    @property
    def games(self) -> int:
        """How many games of strong play ended at each table."""
        return len(self._table.played.courses)

    @cached_property
    def measures(self) -> Mapping[str, Estimate]:
        """All numbers by name."""
        return _by_name(self._table.estimates)

    @cached_property
    def differences(self) -> Mapping[str, Estimate]:
        """The game minus the one that it is compared with; empty if there is none."""
        return _by_name(self.analysis.differences)

    @cached_property
    def changes(self) -> Mapping[str, Mapping[str, Estimate]]:
        """The numbers of each variant that is not in play, and of other values of options, by name."""
        return {change.side.title: _by_name(change.estimates) for change in self.analysis.changes}

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """By section: a sentence (``text``), and how sure it is (``sure``)."""
        return verdicts_of(self.analysis, self._table)

    @property
    def acts(self) -> tuple[ActFound, ...]:
        """What strong players take of what is on offer."""
        return self._table.acts

    @property
    def data(self) -> dict[str, Any]:
        """What `rulesrun analyse --format json` prints (``docs/schemas/analyse.json``)."""
        return text.to_json(self.analysis)

    @property
    def html(self) -> str:
        """The page that `--report` writes, in the language of the game that was given."""
        return page.page(self.analysis.in_language(self.language), "rulesrun.analyse(...)")

    def table(self) -> Any:
        """A ``pyarrow.Table`` with a row for each game at each table, which ``to_pandas()`` makes a data frame.

        It needs the extra `parquet`.
        """
        return table_of_rows(self.analysis)

    @property
    def _table(self) -> TableFound:
        return self.analysis.tables[-1]

    def __getitem__(self, name: str) -> Estimate:
        return _named(self.measures, name)

    def __repr__(self) -> str:
        return f"<balance of {self._table.side.game.name}: {self.games:,} games, seed {self.analysis.study.seed}>"


def analyse(
    game: Game,
    against: Game | None = None,
    bots: str | None = None,
    *,
    games: int | None = None,
    max_seconds: float = 240.0,
    seed: int = 0,
    jobs: int | None = None,
    engine: str | None = None,
    changes: bool = True,
) -> Balance:
    """Play a table with strong bots and report its balance; ``against``: beside another table.

    ``bots``: one for all seats or one for each (None: ``search:N`` with an N for which the time suffices). ``games``: of strong
    play (None: as many as ``max_seconds`` allows). ``jobs``: threads (None: as many as processors). ``changes``: whether variants
    and options are tried, too. For a seed and a number of games, the numbers are always the same.

    Raises `ArgumentError` for what is out of range, and `RulesError` (R801 for bots, R820 where no game ends in that time).
    """
    found = [_game(each).written for each in (against, game) if each is not None]
    if len({each.players for each in found}) > 1:
        raise ArgumentError("tables of different numbers of players cannot be compared")
    if not isinstance(max_seconds, int | float) or isinstance(max_seconds, bool) or not 0 < max_seconds <= 1e6:
        raise ArgumentError(f"max_seconds: more than 0 and at most 1,000,000, not {shown(max_seconds)}")
    if bots is not None and not isinstance(bots, str):
        raise ArgumentError(f"bots are a text such as `search:100`, not {shown(bots)}")
    if games is not None:
        _whole(games, "games", 1, GAMES_LIMIT)
    threads = _whole(os.cpu_count() or 1 if jobs is None else jobs, "jobs", 1, JOBS_LIMIT)
    named = bots_from("random" if bots is None else bots, game.players)
    name, clock = _engine(engine, named), Clock(max_seconds)
    if bots is None:
        named = (default_bot(found, name, max_seconds, threads),) * game.players
    sides = [_side(each, named) for each in found]
    wanted = changes_of(sides[0].game.rules, sides, sides[0].game.changed_options) if changes else []
    studying = Studying(sides, sides[0].game.rules, wanted, name, _seed(seed), games, clock, threads)
    for _ in studying.play():
        pass
    study = studying.study
    if not any(played.games for played in study.sides):
        raise nothing_ended(max_seconds)
    differing = None
    if against is not None and against.changed_options == game.changed_options:
        options = dict(game.changed_options)
        differing = compare_tables(against.rules, game.rules, against.variants, game.variants, game.players, options)
    return Balance(Analysis(study, differing), game.language)


def _side(game: Game, bots: Any) -> Side:
    words = ["--players", str(game.players)]
    words += [word for variant in game.variants for word in ("--variant", variant)]
    words += [word for option, value in game.changed_options.items() for word in ("--set", f"{option}={value}")]
    return Side(", ".join(game.variants) or "plain", game, bots, (game.rules.path, *words))
