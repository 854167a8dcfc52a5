"""The command `tune`: search for the numbers in the rules that reach a goal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from shlex import join
from time import monotonic
from typing import TYPE_CHECKING

import click

from .shared.console import FINDINGS, FINE, INTERRUPTED, check_writable, complain, print_json, print_page, replace_file
from .shared.options import (
    BOTS,
    FILE,
    LANGUAGE,
    SEED,
    TableChoice,
    language_of,
    random_seed,
    table_options,
    time_in,
    whole_number,
)
from .shared.runs import CLUSTER, JOBS, cluster_of, ended_by_interrupt, engine_of, plan_of

if TYPE_CHECKING:
    from ..interpreter.balance.tuning.outcome import Outcome
    from ..interpreter.balance.tuning.search import Trial, Wish
    from ..interpreter.balance.tuning.space import Space
    from ..interpreter.rules import Rules
    from ..interpreter.simulate.cluster import Cluster
    from ..interpreter.simulate.running import AnyRun
    from ..interpreter.simulate.simulation import Plan, SoFar
    from ..interpreter.simulate.statistics.statistics import Statistic

MOST_GAMES = 10_000_000
MOST_TRIALS = 100_000

_games = whole_number("number of games", 10, MOST_GAMES, f"10 to {MOST_GAMES:,}")
_budget = time_in("budget", 7 * 86_400, "`90s`, `20min` or `2h`, at most a week")
_trials = whole_number("number of trials", 1, MOST_TRIALS, f"1 to {MOST_TRIALS:,}")


@click.command(
    epilog="""\b
Examples:
  rulesrun tune games/for_the_king.rules --vary highest_bid=5..60:5 \\
      --goal "length_median = 250..300" --bots casual
  rulesrun tune mine.rules --players 4 --vary "deal.hand_size for 4=6..12" \\
      --vary bonus=0..5 --goal "first_seat_win_share = 0.25 +- 0.02" --write

\b
Exit codes: 0 goals reached, 1 no setting reaches them, 2 wrong usage,
130 interrupted."""
)
@FILE
@table_options
@click.option(
    "--vary", multiple=True, required=True, metavar="NUMBER=LOW..HIGH:STEP", help="A number that may change; can be repeated."
)
@click.option(
    "--goal",
    "goals",
    multiple=True,
    required=True,
    metavar="GOAL",
    help='What is wanted, such as "ties_share <= 0.1"; can be repeated.',
)
@click.option("--maximise", metavar="STATISTIC", help="Of the settings that reach the goals, the one with the greatest of these.")
@click.option("--minimise", metavar="STATISTIC", help="The same with the least.")
@BOTS
@click.option("--games", metavar="N", default="2000", show_default=True, callback=_games, help="Games of a setting, at most.")
@click.option("--trials", metavar="N", default="100", show_default=True, callback=_trials, help="Settings, at most.")
@click.option(
    "--budget",
    metavar="TIME",
    default="10min",
    show_default=True,
    callback=_budget,
    help="How long to search: `90s`, `20min`, `2h`; the check takes as long again at most.",
)
@SEED
@JOBS
@CLUSTER
@click.option("--report", type=click.Path(), metavar="FILE.html", help="Write a page with plots.")
@click.option("--write", "writes", is_flag=True, help="Write the best setting into the rules, and run their tests.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@LANGUAGE
def tune(
    file: str,
    table: TableChoice,
    vary: tuple[str, ...],
    goals: tuple[str, ...],
    maximise: str | None,
    minimise: str | None,
    bots: str,
    games: int,
    trials: int,
    budget: float,
    seed: int | None,
    jobs: int,
    cluster: str | None,
    report: str | None,
    writes: bool,
    form: str,
    language: str | None,
) -> int:
    """Search for the numbers in the rules that reach a goal.

    A number is an option, a cell of a table, a line of the score, a line with `# tunable NAME`, or `line N`. A goal is a
    statistic of `simulate` and a range: `first_seat_win_share = 0.5 +- 0.02`, `length_median = 60..80`. The best settings are
    played again with fresh luck before anything is said of them.
    """
    from ..interpreter.balance.output import tuning as told
    from ..interpreter.balance.tuning.goals import goal_from
    from ..interpreter.balance.tuning.outcome import outcome
    from ..interpreter.balance.tuning.search import SKILL, Task, searched
    from ..interpreter.balance.tuning.space import space_from
    from ..interpreter.balance.words import players_told
    from ..interpreter.common.extras import extra
    from ..interpreter.play.game import Game, table_of
    from ..interpreter.rules import read_rules
    from ..interpreter.simulate.statistics.statistics import statistics
    from ..interpreter.simulate.statistics.tally import Tally

    extra("optuna", "tune", "`rulesrun tune`")
    if report is not None:
        check_writable(report, told.MARK, "report")
    rules = read_rules(file)
    first = table_of(rules, table.players, table.variants, table.settings)
    spoken = first.in_language(language_of(rules, language))
    space = space_from(rules, vary)
    if twice := next((name for name in space.names if name in table.settings), None):
        raise click.UsageError(f"`{twice}` is set and varied: leave out one of them")
    engine, seed = engine_of(None, bots), random_seed(bots) if seed is None else seed
    known = list(statistics(first.columns, Tally.empty(first.columns)))

    wish = _wish(maximise, minimise, [*known, SKILL])
    if wish is not None and wish.statistic == SKILL and (bots.split(",")[0] == "random" or first.players == 1):
        help = "others at the table and a bot that is better than `random`, such as `--bots search:200`"
        raise click.UsageError(f"`skill` needs {help}")

    def planned(game: Game, seed: int, games: int) -> Plan:
        return plan_of(game, file, table, bots, seed, games, engine)

    def alone(game: Game, seat: int, seed: int, games: int) -> Plan:
        seats = ["random"] * game.players
        seats[seat - 1] = bots.split(",")[0]
        return plan_of(game, file, table, ",".join(seats), seed, games, engine)

    task = Task(
        space,
        tuple(goal_from(goal, known) for goal in goals),
        wish,
        games,
        seed,
        lambda setting: table_of(space.rules_with(setting), table.players, table.variants, table.settings),
        planned,
        alone,
    )
    planned(first, seed, games)  # says what is wrong with the bots
    started = monotonic()
    found: list[Trial] = []
    with cluster_of(cluster, jobs, engine) as workers, _shown(trials, space.size) as shown:
        running = _Running(jobs, workers)
        with ended_by_interrupt(running.end):
            for trial in searched(task, running.play, trials, lambda: not running.ended and monotonic() - started < budget):
                found.append(trial)
                shown(found)
            until = monotonic() + budget
            result = outcome(task, found, running.play, lambda: running.ended, lambda: not running.ended and monotonic() < until)
    seconds = monotonic() - started
    seed_told = spoken.words.phrase("seed {seed}", seed=seed)
    seats = spoken.words.row((players_told(first.players, spoken.words), bots, seed_told))
    page = told.page(result, spoken.title(), seats, engine, seconds, spoken.words)
    if form == "json":
        print_json(told.as_json(result, seconds))
    else:
        print_page(page, first)
    if report is not None:
        asked = ["rulesrun", "tune", file, *table.arguments, *(word for each in vary for word in ("--vary", each))]
        asked += [word for goal in goals for word in ("--goal", goal)]
        asked += [word for name, each in (("--maximise", maximise), ("--minimise", minimise)) if each for word in (name, each)]
        asked += ["--bots", bots, "--games", str(games), "--trials", str(trials), "--budget", f"{budget:g}s", "--seed", str(seed)]
        replace_file(report, told.report(result, spoken.title(), page, join(asked), spoken.words))
    if result.is_interrupted:
        return INTERRUPTED
    if result.best is None:
        if found and all(trial.problem is not None for trial in found):
            complain(result.problems[:1])
        if writes:
            click.echo("nothing was written: no setting reaches the goals", err=True)
        return FINDINGS
    return _written(rules, space, result) if writes else FINE


def _wish(maximise: str | None, minimise: str | None, known: list[Statistic]) -> Wish | None:
    """What is to be great or small beside the goals. Raises `RulesError`."""
    from ..interpreter.balance.tuning.search import Wish
    from ..interpreter.common.source import Source, Span
    from ..interpreter.simulate.statistics.condition import statistic_named

    if maximise is not None and minimise is not None:
        raise click.UsageError("--maximise does not go with --minimise: make one of them a goal")
    if maximise is not None:
        return Wish(statistic_named(Span(Source("--maximise", maximise), 0, len(maximise)), known), "maximise")
    if minimise is not None:
        return Wish(statistic_named(Span(Source("--minimise", minimise), 0, len(minimise)), known), "minimise")
    return None


class _Running:
    """Plays what a search asks for. ``ended``: somebody has pressed Ctrl-C."""

    def __init__(self, jobs: int, workers: Cluster | None) -> None:
        self.ended = False
        self._jobs, self._workers = jobs, workers
        self._run: AnyRun[object] | None = None

    def play(self, plan: Plan) -> Iterator[SoFar]:
        from ..interpreter.simulate.simulation import added_up, nothing_yet, run_of

        run = run_of(plan, 0, self._jobs, cluster=self._workers)
        self._run = run
        if not self.ended:
            yield from added_up(nothing_yet(plan), run)

    def end(self) -> None:
        self.ended = True
        if self._run is not None:
            self._run.interrupt()


@contextmanager
def _shown(trials: int, size: int) -> Generator[Callable[[list[Trial]], None]]:
    """Say on a terminal how many settings were played, and how many may reach the goals."""
    if not sys.stderr.isatty():
        yield lambda found: None
        return
    from rich.console import Console

    with Console(stderr=True).status("the first setting is played ...") as status:
        most = min(trials, size)
        yield lambda found: status.update(
            f"{len(found):,} of {most:,} settings; {sum(trial.is_possible for trial in found):,} may reach the goals"
        )


def _written(rules: Rules, space: Space, result: Outcome) -> int:
    """Write the best setting into the rules: shows what changes, and says how their tests go."""
    from ..interpreter.balance.varying import text_with
    from ..interpreter.checks.tests import run_tests
    from ..interpreter.common.files import read_bytes, text_of
    from ..interpreter.common.rewrite import Rewrite
    from ..interpreter.formatting.style import in_one_style
    from ..interpreter.rules import read_rules

    assert result.best is not None
    there = read_bytes(rules.path)
    if not isinstance(there, bytes) or text_of(rules.path, there) != rules.source:
        click.echo(f"nothing was written: {rules.path} has changed meanwhile", err=True)
        return FINDINGS
    tuned = Rewrite.to(text_with(rules, space.numbers(result.best.trial.setting)), rules.path, there)
    formatted = in_one_style(rules.path, tuned.after)
    change = Rewrite(rules.path, there, formatted.after if isinstance(formatted, Rewrite) else tuned.after)
    click.echo()
    if not change.changes:
        click.echo("nothing was written: the rules have these numbers already")
        return FINE
    click.echo(change.diff(), nl=False)
    replace_file(rules.path, change.after)
    failed = [each for each in run_tests(read_rules(rules.path)) if not each.passed]
    click.echo(f"{rules.path} was written")
    for each in failed:
        click.echo(f"the test `{each.title}` fails now", err=True)
    return FINDINGS if failed else FINE
