"""A balance report as values: what was played, the measures of each table, the differences, the acts, the games to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from ..common.diagnostics import Diagnostic
from ..play.game import State
from ..simulate.statistics.estimates import Estimate, ratio, share
from ..simulate.statistics.statistics import Statistic
from ..simulate.stops import what_stopped
from ..words.words import ENGLISH, Words, marked
from . import verdicts
from .highlights import Highlight, command, highlights
from .measures import Measures, differences, measures_of
from .playing.acts import UNIT, VERB, Key, Taken, added, words_of
from .playing.study import Side, SidePlayed, Study
from .verdicts import Verdict
from .words import title_told

if TYPE_CHECKING:
    from ..overview.difference import Comparison

ALONE = marked("Who plays alone wins against nobody, so search knows no aim here: this is no sign of skill.")
DIFFERENT = marked("The bots differ from seat to seat, so the shares show how strong they are, too.")
NEVER, ALWAYS = 0.02, 0.95  # an act that is taken less often, or more often, where there is a choice
EXPECTED = 10  # times at least that chance would have taken an act which is said to be never taken


@frozen
class ActFound:
    """``share``: how often it was taken where there was a choice for or against it. ``by_chance``: how often chance would have.
    ``habit``: `never`, `always` or "" (it depends)."""

    verb: str
    argument: str
    offered: int
    taken: int
    share: Estimate
    by_chance: float
    habit: str


@frozen
class StopFound:
    """Games that a fault stopped. ``example``: the number of the first."""

    diagnostic: Diagnostic
    games: int
    example: int
    command: str


@frozen(eq=False, slots=False)
class TableFound:
    """What is said of one table."""

    played: SidePlayed
    study: Study

    @property
    def side(self) -> Side:
        return self.played.side

    @cached_property
    def measures(self) -> Measures:
        return measures_of(self.played, self.study.steps)

    @cached_property
    def estimates(self) -> Mapping[Statistic, Estimate]:
        return self.measures.estimates

    @cached_property
    def acts(self) -> tuple[ActFound, ...]:
        """Verbs first, each with its arguments after it."""
        return acts_of(self.played)

    @cached_property
    def highlights(self) -> tuple[Highlight, ...]:
        return highlights(self.played, self.study.seed)

    @cached_property
    def stops(self) -> tuple[StopFound, ...]:
        return stops_of(self.played, self.study.seed)


@frozen(eq=False, slots=False)
class Analysis:
    """All of a report. ``rules``: those that differ between the two tables."""

    study: Study
    rules: Comparison | None = None

    @property
    def words(self) -> Words:
        """Of the language in which it is told."""
        return self.study.sides[0].side.game.words

    def in_language(self, language: str) -> Analysis:
        """The same in another language. `RulesError` where translations of the game cannot be read."""
        if language == self.words.language:
            return self
        sides, changes = (tuple(_in_language(each, language) for each in some) for some in (self.study.sides, self.study.changes))
        return evolve(self, study=evolve(self.study, sides=sides, changes=changes))

    @cached_property
    def tables(self) -> tuple[TableFound, ...]:
        return tuple(TableFound(played, self.study) for played in self.study.sides)

    @cached_property
    def changes(self) -> tuple[TableFound, ...]:
        return tuple(TableFound(played, self.study) for played in self.study.changes if played.courses)

    @cached_property
    def differences(self) -> Mapping[Statistic, Estimate]:
        """Second minus first; empty where there is one table."""
        if len(self.tables) < 2:
            return {}
        return differences(self.tables[0].measures, self.tables[1].measures)

    def difference_of(self, change: TableFound) -> Mapping[Statistic, Estimate]:
        """A change minus the first table, over the games that both played."""
        first, there = self.study.sides[0], change.played.courses
        both = SidePlayed(first.side, {game: course for game, course in first.courses.items() if game in there})
        return differences(measures_of(both, ()), change.measures)


def _in_language(played: SidePlayed, language: str) -> SidePlayed:
    game = played.side.game.in_language(language)
    return evolve(played, side=evolve(played.side, game=game, title=title_told(played.side.title, game.words)))


def acts_of(played: SidePlayed) -> tuple[ActFound, ...]:
    machine = played.side.game.machine
    counts: dict[Key, Taken] = added(course.acts for _, course in sorted(played.courses.items()))
    by_game: dict[Key, dict[int, tuple[int, int]]] = {}
    for game, course in sorted(played.courses.items()):
        for key, each in course.acts.items():
            by_game.setdefault(key, {})[game] = each.taken, each.offered
    found: list[ActFound] = []
    for key in sorted(counts, key=lambda key: (key[0], key[1] != VERB, *key[1:])):
        estimate = _taken_share(by_game[key])
        verb, argument = words_of(machine, key)
        each = counts[key]
        by_chance = each.by_chance / UNIT / each.offered
        found.append(ActFound(verb, argument, each.offered, each.taken, estimate, by_chance, _habit(each, estimate)))
    return tuple(found)


def _taken_share(by_game: Mapping[int, tuple[int, int]]) -> Estimate:
    """The share of the offers that were taken. Offers of one game are not independent, unless all were answered alike."""
    offers = sum(offered for _, offered in by_game.values())
    measured = ratio(by_game, (0.0, 1.0))
    assert measured is not None
    if len(by_game) < 2 or measured.value in (0.0, 1.0):
        measured = share(dict.fromkeys(range(offers), measured.value))
        assert measured is not None
    return measured.estimate(most=offers)


def _habit(taken: Taken, estimate: Estimate) -> str:
    if estimate.is_below(NEVER) or (not taken.taken and taken.by_chance >= EXPECTED * UNIT):
        return "never"
    return "always" if estimate.is_above(ALWAYS) else ""


def stops_of(played: SidePlayed, seed: int) -> tuple[StopFound, ...]:
    """What stopped games, each fault once. The first of its games is followed again for it."""
    found: dict[tuple[str, object], StopFound] = {}
    for game, course in sorted(played.stopped.items()):
        state = played.side.game.written.start(story=False)
        state.follow(course.history)
        diagnostic = _what_stopped(state)
        key = diagnostic.code, diagnostic.labels[0].span.start if diagnostic.labels else None
        before = found.get(key)
        if before is None:
            found[key] = StopFound(diagnostic, 1, game, command(played.side, seed, game))
        else:
            found[key] = StopFound(before.diagnostic, before.games + 1, before.example, before.command)
    return tuple(found.values())


def _what_stopped(state: State) -> Diagnostic:
    found = what_stopped(state)
    assert found is not None, "a game that stopped once stops again"
    return found


def verdicts_of(analysis: Analysis, table: TableFound) -> dict[str, Verdict]:
    """The verdicts on one table, by section."""
    found, game, words = table.measures, table.side.game, analysis.words
    alone = game.players // table.side.columns.team_size < 2
    fair = len(set(table.side.bots)) == 1
    said = {
        "fairness": verdicts.fairness(game, found) if fair else Verdict(words.phrase(DIFFERENT), "not sure"),
        "skill": verdicts.skill(analysis.study.steps, found, words),
        "length": verdicts.length(found, words),
        "decisions": verdicts.decisions(found, words),
        "acts": Verdict(words.phrase(ALONE), "not sure") if alone and table.acts else acts_verdict(table.acts, words),
        "score": verdicts.score(game, found),
        "course": verdicts.course(found, words),
        "ties": verdicts.ties(found, words),
    }
    return {name: verdict for name, verdict in said.items() if verdict is not None}


def acts_verdict(acts: Sequence[ActFound], words: Words = ENGLISH) -> Verdict | None:
    """Whether there are options that strong players never take, or always."""
    if not acts:
        return None
    never, always = ([act for act in acts if act.habit == habit] for habit in ("never", "always"))

    def named(some: Sequence[ActFound]) -> str:
        told = words.row(f"`{f'{act.verb} {act.argument}'.strip()}`" for act in sorted(some, key=lambda act: -act.offered)[:3])
        return words.phrase("{acts} and {number} more", acts=told, number=len(some) - 3) if len(some) > 3 else told

    if not never and not always:
        return Verdict(words.phrase("There is no option that strong players never take, or always."), "fairly sure")
    if not always:
        text = words.phrase("Strong players never take {acts}.", acts=named(never))
    elif not never:
        text = words.phrase("Strong players take {acts} whenever they can.", acts=named(always))
    else:
        text = words.phrase(
            "Strong players never take {acts}; they take {others} whenever they can.", acts=named(never), others=named(always)
        )
    return Verdict(text, "sure" if all(act.offered >= 100 for act in (*never, *always)) else "fairly sure")
