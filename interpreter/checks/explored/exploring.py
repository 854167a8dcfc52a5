"""Plays the tables of a game in several ways and collects the faults that come up.

Each table gets games of bots (`random_games.py`), games whose options are chosen from outside (`led_games.py`), games that go on
from rare lines (`rare_lines.py`), and where there are few positions, all of them (`exhausting.py`). A fault that comes up at
several tables is reported once, at the simplest: the fewest options changed and variants named, the fewest players, the shortest
game. That game is then made as short as possible (`shrinking.py`).

The effort is a number of decisions, so the findings depend on the seed alone. A limit in seconds only cuts the effort off:
findings until then are reported, and a note says what was left out. One game of each table comes before the limit counts; then
each table has its share of the time that is left. Without a limit in seconds, only games that take very long are cut off.

Behind these, rules are searched for parts that make no difference: lines of the score that were always 0 (`never_scored.py`),
options that were never legal (`never_allowed.py`), options of the game, lines, conditions and keys without an effect
(`idle_options.py`, `idle_lines.py`, `idle_keys.py`), and counters that may leave their ranges (`driving.py`). Choices that depend
on a secret (`worlds.py`) are looked for where nothing else was found. A game with an ``option`` gets no claim that something
never happens, since only some values are tried.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain, count
from pathlib import Path
from random import Random
from shlex import join
from time import monotonic, process_time
from typing import Literal, assert_never

from attrs import define, evolve, field, frozen

from ...common.codes import CODES
from ...common.deadline import OutOfTime, deadline
from ...common.diagnostics import Diagnostic, RulesError
from ...common.nouns import counted, listed
from ...common.source import Span
from ...coverage.parts import parts_of
from ...findings.progress import SILENT, Progress
from ...findings.report import sources_of
from ...machine.from_table import lower
from ...machine.machine import Machine
from ...model.model import OptionDeclaration
from ...play.game import Game, State, table_of
from ...rules import Rules, in_order
from ...simulate.engines.engine import engine_to_use
from ...table.sampling.combinations import Choice, alone, blamed, said_together, tables_of
from ...table.table import Table
from ..abstract.courses import covered
from .idle.idle_keys import Ranked, idle_keys
from .idle.idle_lines import LinesAt, idle_choices, idle_lines
from .idle.idle_options import Tables, idle_options
from .kept import Kept, NotSo, check_course, course_from_data, table_as_data, table_from_data
from .never.never import hardly_wins, is_all_there_is, nobody_wins, nowhere, without_win
from .never.never_allowed import LedAt, never_allowed
from .never.never_scored import GamesAt, always_the_same, never_scored
from .never.never_secret import PlayedAt, never_secret
from .playing.digests import digest_of
from .playing.driving import OUT_OF_RANGE, TABLES, DrivenAt, Way, drive, suspects_at
from .playing.endless import CANNOT_END, ENDLESS, NEED_NOT_END
from .playing.exhausting import STEPS_LIMIT as THROUGH_ALL_LIMIT
from .playing.exhausting import Exhausted, exhaust, many_at_once
from .playing.led_games import lead, lead_few
from .playing.random_games import play_many, play_one
from .playing.rare_lines import go_on_from_rare_lines
from .playing.replays import Transcript, by_seed, in_brief, told, transcript, transcript_at
from .playing.shrinking import STEPS_LIMIT, shrink
from .playing.spotted import Seen, Shown, Spot, alternatives, spot_of
from .playing.walker import Walker
from .playing.worlds import differing_worlds

STEPS_THROUGH_ALL = 500_000  # from position to position, at all tables together, where all positions are gone through
DECISIONS, DECISIONS_AT_A_TABLE = 1_200_000, 300_000  # of bots, at all tables together and at one
LED, LED_AT_A_TABLE = 45_000, 15_000  # of games that are led
FEW_LED = 7_000  # of games that are led without a module, at all tables together, where there are many
FIRST = 6  # tables that are played most; each of them is as unlike the others as can be
WATCHED, WATCHED_AT_A_TABLE = 3_500, 3_000  # of games that are watched, which takes ten times as long for each
STEPS = 400_000  # positions that are gone on from to make games shorter, for all findings together
KNOWLEDGE = "R37"  # how the codes of its family begin
WORLDS = 60.0  # seconds for worlds that look the same: nearly all games need few, but one may think for long at every act
FOR_PLAY = 0.9  # of the seconds that there are: in the others it is told what playing found
WRITTEN = 5_000  # events of a game that is written down; a longer one is shown by its seed
NAMED = 3  # tables that a note names
FEW = 4  # the first game of a table may take this part of the time for those that are left


@frozen
class Effort:
    """``seed``: of all chance. ``seconds``: for all, the last of them to tell what was found; None: the whole effort.

    ``at_first``: with a limit, the seconds for one game of each table, which is played even if it takes more than ``seconds``;
    None: as many as it takes. ``at_most``: without a limit, the seconds of processor time after which even so what is left is
    left out; None: never.
    """

    seed: int = 0
    seconds: float | None = None
    at_first: float | None = None
    at_most: float | None = None


@frozen
class Explored:
    """``notes``: what was left out, in words. ``transcripts``: where they were asked for, a game for each finding. ``was_cut``:
    whether a limit in seconds kept something from being found. ``unplayed``: whether of some table not one game was played.
    ``tables``: how many were played more than once; ``exhausted``: through all positions, since there are few; ``positions``:
    how many each of the others surely has, 0 where there is none."""

    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[str, ...]
    transcripts: tuple[Transcript, ...] = field(default=(), repr=False)
    was_cut: bool = False
    unplayed: bool = False
    tables: int = 0
    exhausted: int = 0
    positions: int = 0


@define(eq=False, slots=False)
class _Played:
    """A table that is played. ``seen``: more and more, but where it is ``exhausted``. ``positions``: so many there are, at least;
    0: there was no time to look for them. ``digest``: see `digests.py`. ``is_little``: few games are enough, where
    there are many tables. ``is_whole``: no limit in seconds cut anything off. ``is_kept``: this is from an earlier check."""

    choice: Choice
    rules: Rules
    table: Table
    digest: str
    seen: Seen = field(factory=Seen)
    exhausted: Exhausted | None = None
    positions: int = 0
    is_little: bool = False
    is_whole: bool = False
    is_kept: bool = False

    @cached_property
    def machine(self) -> Machine | None:
        """None where it cannot be played, which is a finding."""
        return lower(self.table).machine

    @cached_property
    def game(self) -> Game:
        """Where it can be played."""
        assert self.machine is not None
        return Game(self.rules, self.table, self.machine)

    @property
    def is_played(self) -> bool:
        """Whether at least one game was played, to its end or for as long as a game is followed."""
        return self.is_whole or self.is_kept or self.exhausted is not None or self.seen.games > 0

    @property
    def is_explored(self) -> bool:
        """Whether there was time for more than one game."""
        return self.is_whole or self.is_kept or self.exhausted is not None or self.seen.games > 1


def explore(
    rules: Rules,
    effort: Effort | None = None,
    proved: Iterable[Diagnostic] = (),
    replays: str = "",
    taken: Collection[str] = (),
    progress: Progress = SILENT,
    kept: Kept | None = None,
) -> Explored:
    """Play all tables of a game.

    ``proved``: what is known already: what comes up on a line of such an error is no second finding. ``replays``: the folder in
    which the transcripts will lie, for the commands that are told; "": none are made. ``taken``: places of earlier ones in it.
    ``progress``: hears of each table, and of what comes up there. ``kept``: what earlier checks found; this one adds to it.
    """
    if rules.model is None:
        return Explored((), ())
    effort, kept = effort or Effort(), kept or Kept()
    clock = _Clock(effort)
    try:
        return _explored(rules, effort, clock, tuple(proved), replays, taken, progress, kept)
    except NotSo:  # somebody else has written it
        kept.forget()
        return _explored(rules, effort, clock, tuple(proved), replays, taken, progress, kept)
    finally:
        kept.save()


def _explored(
    rules: Rules, effort: Effort, clock: _Clock, proved: Sequence[Diagnostic], replays: str, taken: Collection[str],
    progress: Progress, kept: Kept,
) -> Explored:
    """See `explore`. Raises `NotSo` where something was kept that is not so."""
    try:
        with deadline(effort.at_first if clock.is_shared else clock.left(FOR_PLAY), clock.now):
            exploring = _Exploring(rules, effort, clock, kept)
    except OutOfTime:
        return Explored((), ("time is over: it was not played",), was_cut=True, unplayed=True)
    if effort.seconds is not None:
        exploring.play_each_once()
    try:
        with deadline(clock.left(FOR_PLAY), clock.now):
            exploring.play(proved, progress)
    except OutOfTime:
        exploring.was_cut = True
    return exploring.explored(proved, replays, taken)


class _Clock:
    """The time since this was made. ``seconds``: that there are; None: as many as are needed. ``is_shared``: whether each table
    has its share of them. ``now``: what tells the time."""

    def __init__(self, effort: Effort) -> None:
        self.is_shared = effort.seconds is not None
        self.seconds = effort.seconds if self.is_shared else effort.at_most
        self.now = monotonic if self.is_shared else process_time
        self.began = self.now()

    def left(self, share: float = 1.0) -> float | None:
        """The seconds that are left of a share of all."""
        return None if self.seconds is None else self.began + share * self.seconds - self.now()


class _Patience:
    """How long a table may be played: until a time by the monotonic clock. ``was_lost``: whether that was ever over."""

    def __init__(self, until: float) -> None:
        self.until, self.was_lost = until, False
        self.half = monotonic() + (until - monotonic()) / 2

    def is_over(self) -> bool:
        self.was_lost |= monotonic() > self.until
        return self.was_lost

    def is_half_over(self) -> bool:
        self.was_lost |= monotonic() > self.half
        return monotonic() > self.half


class _Exploring:
    def __init__(self, rules: Rules, effort: Effort, clock: _Clock, kept: Kept) -> None:
        self.rules, self.effort, self.clock, self.kept = rules, effort, clock, kept
        self.model = rules.required()
        self.engine, notice = engine_to_use(None)
        self.fast = self.engine == "wasm"
        candidates = tables_of(self.model)
        self.tables = _different((each.choice, each.found.table) for each in candidates.tables)
        self.made_of = {each.choice: each.found for each in candidates.tables}
        self.parts = parts_of(self.model)
        self.like = covered(self.tables)
        apart = [choice for choice in self.tables if choice not in self.like]
        self.share = len(apart)
        self.first = set(spread(apart, effort.seed)[:FIRST])
        self.left_out = list(candidates.left_out)
        self.notes = [f"{notice}; fewer games are played"] if notice else []
        self.unplayable: set[Choice] = set()
        self.waiting = list(self.tables) if effort.seconds is None else spread(self.tables, effort.seed)
        self.played: dict[Choice, _Played] = {}
        self.was_cut = False

    @property
    def over(self) -> str:
        """A text that says that there is no more time."""
        given = self.clock.seconds
        by_itself = not self.clock.is_shared and given is not None
        return f"{given:.0f} seconds of processor time are over" if by_itself else "time is over"

    def late(self) -> bool:
        left = self.clock.left(FOR_PLAY)
        return left is not None and left <= 0

    # ---- Playing

    def play_each_once(self) -> None:
        """Play one game of each table. None may take more than a part of the time, so that the others are played as well."""
        seconds = self.effort.at_first
        until = math.inf if seconds is None else self.clock.began + seconds
        for number, choice in enumerate(self.waiting):
            left = (until - monotonic()) / min(len(self.waiting) - number, FEW)
            with suppress(OutOfTime), deadline(None if math.isinf(left) else left):
                one = self._made(choice)
                if not one.is_kept and self._can_be_played(one):
                    play_one(one.game, self.effort.seed, one.seen)

    def play(self, proved: Sequence[Diagnostic], progress: Progress) -> None:
        """Play the tables, one after the other. What comes up inside of what is ``proved`` to be wrong is not shown."""
        known = lines_of(proved)
        new: dict[Spot, Diagnostic] = {}
        progress.begin(f"playing {self.rules.path}", len(self.tables))
        self.waiting.sort(key=lambda choice: (choice in self.like, choice not in self.first))
        while self.waiting:
            left = self.clock.left(FOR_PLAY) if self.clock.is_shared else None
            until = math.inf if left is None else monotonic() + left / len(self.waiting)
            one = self._made(self.waiting.pop(0))
            if not one.is_kept and not self._plays_the_same(one) and self._can_be_played(one):
                self._table(one, _Patience(until))
            self.was_cut |= monotonic() > until
            progress.advance()
            if not self.waiting:
                self.waiting = self._doubtful()
                if self.waiting:
                    progress.begin(f"playing {self.rules.path} once more", len(self.waiting))
            for spot, shown in one.seen.found.items():
                if spot not in new and _line(shown.fault.span) not in known:
                    new[spot] = in_brief(one.game, shown.fault)
                    progress.show([*new.values()])
        self._drive()

    def _drive(self) -> None:
        """Drive counters at some tables: those with many players, for each of the variants and values of options."""
        there = [one for choice, one in self.played.items() if choice not in self.like and choice not in self.unplayable]
        there = [one for one in there if one.exhausted is None and one.is_explored]
        asked = "driven", tuple(one.digest for one in there), self.effort.seed, self.engine
        if not self.fast or not there or self.kept.get(*asked):
            return
        like = Counter[str]()
        order: list[tuple[int, int, _Played]] = []
        for number, one in enumerate(sorted(there, key=lambda one: -one.choice.players)):
            order.append((like[one.choice.others], number, one))
            like[one.choice.others] += 1
        driven: dict[tuple[str, Way], int] = {}  # at so many tables; `TABLES` where it has been found
        for _, _, one in sorted(order, key=lambda each: each[:2]):
            at = DrivenAt(one.game, one.seen.found)
            for name, way in suspects_at(at):
                done = driven.get((name, way), 0)
                if done < TABLES and not self.late():
                    driven[name, way] = TABLES if drive(at, name, way, self.effort.seed, self.engine) else done + 1
            if driven and one.is_whole:
                self._keep(one)
        if not self.late():
            self.kept.put(True, *asked)

    def _doubtful(self) -> list[Choice]:
        """Tables that were played little, of which it is asked whether what was found elsewhere is so there as well: those with
        nothing changed, and those with a value of an option where it came up only with options. Now they are played as others."""
        spots: dict[Spot, list[Choice]] = {}
        for choice, one in self.played.items():
            for spot in one.seen.found:
                spots.setdefault(spot, []).append(choice)
        for candidate in alone((at for spot, at in spots.items() if spot[0] not in ENDLESS), self.tables, self.model):
            assert candidate.found.table is not None
            self.tables[candidate.choice] = candidate.found.table
            self.made_of[candidate.choice] = candidate.found
        asked: set[Choice] = set()
        for spot, failing in spots.items():
            values = {value for choice in failing for value in choice.options} if all(each.options for each in failing) else set()
            missing = (choice for choice, one in self.played.items() if spot not in one.seen.found)
            asked |= {each for each in missing if (values & set(each.options) if each.options else not each.variants)}
        asked = {self.like.get(choice, choice) for choice in asked}
        doubtful = [choice for choice, one in self.played.items() if one.is_little and self.like.get(choice, choice) in asked]
        for choice in doubtful:
            one = self.played[choice]
            one.is_little = one.is_kept = one.is_whole = False
            if choice not in self.like:
                self._recall(one)
        return [*sorted(doubtful, key=self.like.__contains__), *(choice for choice in self.tables if choice not in self.played)]

    def _made(self, choice: Choice) -> _Played:
        """A table, with all that an earlier check found if that is kept."""
        if choice not in self.played:
            one = _Played(choice, self.rules, self.tables[choice], digest_of(self.made_of[choice], self.parts))
            one.is_little = self.like.get(choice, choice) not in self.first
            if choice not in self.like:
                self._recall(one)
            self.played[choice] = one
        return self.played[choice]

    def _recall(self, one: _Played) -> None:
        """Take what an earlier check found at a table."""
        kept = self.kept.get(*self._asked(one))
        found = None if kept is None else table_from_data(kept, one.table, lambda: one.machine)
        if found is not None:
            one.seen, one.exhausted, one.positions = found
            one.is_kept = one.is_whole = True

    def _can_be_played(self, one: _Played) -> bool:
        """Whether there is a machine of a table; if there is none, that is a finding."""
        if one.machine is None:
            self.unplayable.add(one.choice)
        return one.machine is not None

    def _asked(self, one: _Played) -> tuple[Hashable, ...]:
        """All that what is found at a table depends on."""
        return "table", one.digest, self.effort.seed, self.share, self.engine, one.is_little

    def _keep(self, one: _Played) -> None:
        """Keep what was found at a table for later checks."""
        data = table_as_data(one.seen, one.exhausted, one.positions, lambda: one.machine)
        if data is not None:
            self.kept.put(data, *self._asked(one))

    def _table(self, one: _Played, patience: _Patience) -> None:
        """Play one table: all there is if that is little, else many games.

        Where there are many tables, most are played without a module, which takes longer to make than these few games.
        """
        game, seen = one.game, one.seen
        seed, share = self.effort.seed, self.share
        positions = many_at_once(Walker(game, fast=False)) if one.is_little else 0
        steps = min(STEPS_THROUGH_ALL // share, THROUGH_ALL_LIMIT)
        if positions:
            one.positions = positions
            lead_few(game, seed, FEW_LED // share, patience.is_over, seen)
        elif isinstance(exhausted := exhaust(Walker(game, self.fast), patience.is_half_over, steps), Exhausted):
            one.exhausted, one.positions, seen.found = exhausted, exhausted.positions, exhausted.found
            seen.ends, seen.scored = exhausted.ends, set(exhausted.terms)
            seen.missing = frozenset(line.span for _, line in alternatives(game.machine)) - exhausted.lines
        else:
            one.positions = exhausted.found
            try:
                play_many(game, seed, min(DECISIONS // share, DECISIONS_AT_A_TABLE), self.engine, patience.is_over, seen)
            except RulesError as error:  # a game takes longer than anybody waits
                self.notes.append(f"{one.choice.said}: {error.diagnostics[0].message}")
                return
            if self.fast:
                lead(game, seed, min(LED // share, LED_AT_A_TABLE), patience.is_over, seen)
            watched = min(WATCHED // share, WATCHED_AT_A_TABLE)
            go_on_from_rare_lines(game, self.made_of[one.choice], self.parts, seed, watched, patience.is_over, seen)
        if not patience.was_lost:
            one.is_whole = True
            self._keep(one)

    def _plays_the_same(self, one: _Played) -> bool:
        """Whether the games of a table are those of another, of which there are many. What was found there is found here, where
        the same game shows it."""
        other = self.played.get(self.like.get(one.choice, one.choice))
        if other is None or other is one or other.exhausted is not None or not other.is_explored:
            return False
        one.positions, one.seen.games, one.seen.same = other.positions, other.seen.games, dict(other.seen.same)
        for spot, shown in other.seen.found.items():
            if self._comes_before_the_end(other, shown):
                one.seen.found[spot] = shown
                continue
            course = self._course(other, self._walker(other), shown)
            fault = Walker(one.game, fast=False).walk(course).fault
            if fault is not None and spot_of(fault) == spot:
                one.seen.found[spot] = evolve(shown, fault=fault)
        one.is_whole = other.is_whole
        return True

    def _comes_before_the_end(self, one: _Played, shown: Shown) -> bool:
        """Whether a game shows a fault while it is played, not when it is scored."""
        if shown.fault.code in (CANNOT_END, NEED_NOT_END):
            return True
        asked = "before the end", *_asked_game(one, shown, self.effort.seed)
        kept = self.kept.get(*asked)
        if not isinstance(kept, bool):
            walker = self._walker(one)
            kept = not walker.walk(self._course(one, walker, shown)).is_scored
            self.kept.put(kept, *asked)
        return kept

    def _course(self, one: _Played, walker: Walker, shown: Shown) -> list[int]:
        """The course of a game that shows a fault. Raises `NotSo` where an earlier check kept what is not so."""
        if not one.is_kept:
            return _course(walker, shown, self.effort.seed)
        try:
            course = _course(walker, shown, self.effort.seed)
        except ValueError:
            raise NotSo from None
        check_course(walker, course, spot_of(shown.fault))
        return course

    def _walker(self, one: _Played) -> Walker:
        """Who walks the games of a table: its module, where there is one."""
        return Walker(one.game, self.fast and not (one.is_little or one.is_kept))

    def unplayed(self) -> list[Choice]:
        """The tables of which not one game was played, though they can be."""
        left = (choice for choice in self.tables if choice not in self.unplayable)
        return [choice for choice in left if choice not in self.played or not self.played[choice].is_played]

    def left_off(self) -> Iterator[str]:
        """What was left out, in words."""
        over = f"{self.over}: " if self.was_cut else ""
        unplayed = self.unplayed()
        once = [choice for choice, one in self.played.items() if one.is_played and not one.is_explored]
        if unplayed:
            yield f"{over}{self._of_all(unplayed)} not played"
        if once:
            yield f"{over}{self._of_all(once)} played only once"
        if self.was_cut and not unplayed and not once:
            yield f"{over}fewer games were played"

    def _of_all(self, choices: Sequence[Choice]) -> str:
        """``2 of 9 tables (2 players, 3 players) were``."""
        named = ", ".join(choice.said for choice in choices[:NAMED])
        more = f" and {len(choices) - NAMED} more" if len(choices) > NAMED else ""
        return f"{len(choices)} of {counted(len(self.tables), 'table')} ({named}{more}) {'was' if len(choices) == 1 else 'were'}"

    # ---- Telling

    def explored(self, proved: Sequence[Diagnostic], replays: str, taken: Collection[str]) -> Explored:
        """All findings, but for those inside of what is ``proved`` to be wrong."""
        known = lines_of(proved)
        said = {_line(d.span) for d in proved if d.severity == "error" and d.span is not None}
        spotted: dict[Spot, list[tuple[_Played, Shown]]] = {}
        order = list(self.tables)
        self.played = dict(sorted(self.played.items(), key=lambda each: order.index(each[0])))
        for one in self.played.values():
            for spot, shown in one.seen.found.items():
                spotted.setdefault(spot, []).append((one, shown))
        said_more = False
        for code in ENDLESS:
            if said_more:
                spotted.pop((code, "", 0), None)
            said_more |= (code, "", 0) in spotted
        comes_to_an_end = all(code == NEED_NOT_END for code, _, _ in spotted)
        again = {spot for spot, seen in spotted.items() if _line(seen[0][1].fault.span) in known}
        stops = {_line(spotted[spot][0][1].fault.span) for spot in again if spot[0] not in ENDLESS}
        stopped = sorted({line for path, line in stops - said})
        if stopped:
            self.notes.append(f"test games could not be played past {_numbered(stopped)}, because of the error told above")
        spotted = {spot: seen for spot, seen in spotted.items() if spot not in again}
        findings: list[Diagnostic] = []
        transcripts: list[Transcript] = []

        def place_for(code: str, choice: Choice) -> str:
            """Where the next transcript will lie."""
            name = f"{replays}/{code}-{Path(self.rules.path).stem}-{choice.players}"
            places = chain([f"{name}.json"], (f"{name}-{number}.json" for number in count(2)))
            used = {*taken, *(each.place for each in transcripts)}
            return next(place for place in places if place not in used)

        for spot, seen in spotted.items():
            failing = [one.choice for one, _ in seen]
            to_blame = blamed(failing, self.tables, None if spot[0] in ENDLESS else self.model)
            if spot[0] == OUT_OF_RANGE:  # the range of a counter can depend on options
                to_blame = failing
            if not to_blame:
                continue
            one, shown = min((x for x in seen if x[0].choice in to_blame), key=_simplicity)
            finding = in_brief(one.game, shown.fault)
            command = by_seed(one.game, one.choice, shown, self.effort.seed) or self._with_replays()
            is_played = not one.is_kept
            with suppress(OutOfTime), deadline(self.clock.left(), self.clock.now):
                walker, course = self._shortest(one, shown, spot, STEPS // len(spotted))
                is_played = True
                finding = told(walker, course, shown.fault)
                if replays and len(course) <= WRITTEN:
                    transcripts.append(transcript(walker, course, place_for(finding.code, one.choice), shown.fault))
                    command = _to_replay(transcripts[-1])
            if not is_played:
                self.was_cut = True
                self.notes.append(f"{self.over}: {finding.code} was found by an earlier check, and its game was not played again")
            strength: Literal["explored", "exhausted"] = "explored" if one.exhausted is None else "exhausted"
            findings.append(evolve(finding, tables=self._said(to_blame), strength=strength, replay=command))
        goes_on = not again and all(finding.code == NEED_NOT_END for finding in findings)
        if comes_to_an_end:  # where games stop early, what comes later never happens
            findings += self._never()
        if goes_on:  # but at tables with values of options that do not go together, which is no fault
            with suppress(OutOfTime), deadline(self.clock.left(), self.clock.now):
                findings += self._never_scored([*proved, *findings])
            with suppress(OutOfTime), deadline(self.clock.left(), self.clock.now):
                findings += self._never_allowed([*proved, *findings])
            with suppress(OutOfTime), deadline(self.clock.left(), self.clock.now):
                findings += self._idle_options([*proved, *findings])
            with suppress(OutOfTime), deadline(self.clock.left(), self.clock.now):
                findings += self._idle_lines([*proved, *findings])
        if not self._leaks(proved):
            with suppress(OutOfTime), deadline(self.clock.left(), self.clock.now):
                for finding, choice, state in self._worlds():
                    if replays:
                        transcripts.append(transcript_at(state, place_for(finding.code, choice)))
                        finding = evolve(finding, replay=_to_replay(transcripts[-1]))
                    findings.append(finding)
            self.was_cut |= self.late()
        deep = [one for one in self.played.values() if one.is_explored]
        explored = [one.positions for one in deep if one.exhausted is None]
        notes, unplayed = (*self.left_out, *self.notes, *self.left_off()), bool(self.unplayed())
        return Explored(
            in_order(findings), notes, tuple(transcripts), self.was_cut, unplayed,
            len(deep), len(deep) - len(explored), min(explored, default=0),
        )  # fmt: skip

    def _shortest(self, one: _Played, shown: Shown, spot: Spot, steps: int) -> tuple[Walker, list[int]]:
        """The shortest course that is found for a fault, and who walks it.

        Raises `NotSo` where an earlier check kept something else.
        """
        seed = self.effort.seed
        asked = "shortest", *_asked_game(one, shown, seed), steps, self.engine
        kept = self.kept.get(*asked)
        if kept is not None:
            walker, course = Walker(one.game, fast=False), course_from_data(kept)
            check_course(walker, course, spot)
            return walker, course
        walker = Walker(one.game, self.fast)
        course = self._course(one, walker, shown)
        if shown.by == "all" or shown.fault.code in ENDLESS or self.late():
            return walker, course  # it is the shortest, or none is shorter, or there is no time
        course = shrink(walker, course, spot, seed, min(steps, STEPS_LIMIT), self.late)
        if not self.late():
            self.kept.put(course, *asked)
        return walker, course

    def _with_replays(self) -> str:
        """The command that writes the games of which bots do not play the like."""
        seed = ["--seed", str(self.effort.seed)] if self.effort.seed else []
        return join(["rulesrun", "check", self.rules.path, *seed, "--replays", "replays"])

    def _said(self, choices: Sequence[Choice]) -> tuple[str, ...]:
        """Tables in words; none where it is so at every table without variants."""
        plain = {choice for choice in self.tables if not choice.variants and not choice.options}
        return () if plain <= set(choices) else said_together(choices, self.tables)

    def _leaks(self, proved: Iterable[Diagnostic]) -> bool:
        """Whether it is proved that these rules tell what somebody may not know: then worlds differ by that."""
        own = {source.path for source in sources_of(self.rules)}
        return any(d.code.startswith(KNOWLEDGE) and d.span is not None and d.span.source.path in own for d in proved)

    def _worlds(self) -> Iterator[tuple[Diagnostic, Choice, State]]:
        """Choices that differ in worlds which look the same, and games that show it; at tables without variants, since worlds are
        found slowly."""
        found: dict[_Line, list[tuple[Choice, Diagnostic, State]]] = {}
        until = monotonic() + WORLDS

        def late() -> bool:
            return self.late() or monotonic() > until

        for one in self.played.values():
            asked = "no other worlds", one.digest, self.effort.seed
            if not (one.choice.variants or one.choice.options or late() or self.kept.get(*asked) or one.machine is None):
                differing = list(differing_worlds(one.game, self.effort.seed, late=late))
                for finding, state in differing:
                    assert finding.span is not None
                    found.setdefault(_line(finding.span), []).append((one.choice, finding, state))
                if not differing and not late():
                    self.kept.put(True, *asked)
        if monotonic() > until:
            self.notes.append("there was no time to look for worlds that look the same, and are not, in all games")
        for seen in found.values():
            choice, finding, state = seen[0]
            yield evolve(finding, tables=self._said([choice for choice, _, _ in seen])), choice, state

    def _never(self) -> Iterator[Diagnostic]:
        """What cannot happen at the tables whose positions are all known."""
        played = self.played.values()
        known = [(x.choice, x.game, x.exhausted) for x in played if x.exhausted is not None and x.exhausted.is_a_game]
        gone = {choice: (game.table, game.machine, exhausted) for choice, game, exhausted in known}
        if len(gone) == len(self.tables) and not self.left_out and is_all_there_is(self.model):
            yield from nowhere(gone)
        losers = without_win(gone)
        if losers is not None:
            finding, choices = losers
            yield evolve(finding, tables=self._said(choices))
            return
        explored = {x.choice: (x.table, x.seen) for x in played if x.exhausted is None and x.seen.wins}
        for finding, choices in chain(nobody_wins(explored), hardly_wins(explored)):
            yield evolve(finding, tables=self._said(choices))

    def _never_scored(self, known: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Lines of the score sheet that stayed at 0 at every table, but for those of which that is ``known``."""
        played = self.played.values()
        if self.unplayed() or not all(one.is_explored for one in played if one.choice not in self.unplayable):
            return
        lines = {_line(finding.span) for finding in known if finding.span is not None and finding.code in ("R360", "R393")}
        tables = [
            GamesAt(one.choice, one.table, one.seen, one.exhausted is not None, partial(_game_of, one))
            for one in played
        ]
        def is_told(span: Span) -> bool:
            return _line(span) in lines

        never = never_scored([at for at in tables if at.seen.ends], self.effort.seed, self.fast, is_told)
        same = always_the_same(tables, lambda span: is_told(span) or not self._is_own(span))
        for finding, choices in chain(never, same):
            yield evolve(finding, tables=self._said(choices), strength="explored")


    def _never_allowed(self, known: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
        """Options that were never legal at any table, but for those of which that is ``known``."""
        played = self.played.values()
        if self.unplayed() or not all(one.is_explored for one in played if one.choice not in self.unplayable):
            return
        lines = {_line(finding.span) for finding in known if finding.span is not None}
        tables = [
            LedAt(one.choice, one.seen, one.is_little or one.is_kept, partial(_game_of, one))
            for one in played
            if one.seen.missing is not None
        ]
        found = never_allowed(self.model, tables, self.effort.seed, self.fast, lambda span: _line(span) in lines, self.late)
        found = ((finding, choices) for finding, choices in found if self._is_own(finding.span))
        for finding, choices in found:
            yield evolve(finding, tables=self._said(choices), strength="explored")

    def _idle_options(self, known: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
        """Options that never did anything, but for those of which that is ``known``."""
        if not self.fast or self.unplayed():
            return
        lines = {_line(finding.span) for finding in known if finding.span is not None}
        declared = {each.name: each.span for each in self.model.declarations if isinstance(each, OptionDeclaration)}

        def is_told(name: str) -> bool:
            return _line(declared[name]) in lines or not self._is_own(declared[name])

        there = [choice for choice in spread(self.tables, self.effort.seed) if choice not in self.unplayable]

        made: dict[Choice, Game] = {}

        def game_at(choice: Choice) -> Game:
            if choice not in made:
                one = self.played.get(choice)
                options = {name: str(value) for name, value in choice.options}
                made[choice] = table_of(self.rules, choice.players, choice.variants, options) if one is None else one.game
            return made[choice]

        def asked(pair: tuple[Choice, Choice]) -> tuple[Hashable, ...]:
            return "an option does something", self.played[pair[1]].digest, str(pair[0].options)

        using = Tables(
            game_at,
            lambda pair: bool(self.kept.get(*asked(pair))),
            lambda pair: self.kept.put(True, *asked(pair)),
        )
        yield from idle_options(self.model, there, using, self.effort.seed, is_told, self.late)

    def _idle_lines(self, known: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
        """Lines that set something and never did anything, but for those of which something is ``known``."""
        if not self.fast or self.unplayed():
            return
        lines = {_line(label.span) for finding in known for label in finding.labels}
        there = [one for choice, one in self.played.items() if choice not in self.unplayable]
        tables = [self._with_lines(one) for one in there if one.choice in self.first]
        others = (self._with_lines(one) for one in there if one.choice not in self.first and one.choice not in self.like)

        def is_told(span: Span) -> bool:
            return _line(span) in lines or not self._is_own(span)

        seed = self.effort.seed
        found = [idle_lines(tables, others, self.parts, seed, is_told, self.late)]
        if not any(CODES[finding.code].explains_idleness for finding in known):
            found.append(idle_choices(tables, seed, is_told, self.late))
        playing = [PlayedAt(one.choice, one.table, partial(_game_of, one)) for one in there if one.choice not in self.like]
        first = [at for at in playing if at.choice in self.first]
        found.append(never_secret(first, [at for at in playing if at not in first], seed, is_told, self.late))
        if not any(at.game.table.match or len(set(at.game.table.teams)) < at.game.players for at in tables):
            ranked = [Ranked(at.choice, at.game) for at in tables]
            found.append(idle_keys(ranked, seed, is_told, self.late))
        for finding, choices in chain(*found):  # not at all tables: where it is so with nothing changed, it is so
            plain = any(not choice.variants and not choice.options for choice in choices)
            yield evolve(finding, tables=() if plain else self._said(choices), strength="explored")

    def _with_lines(self, one: _Played) -> LinesAt:
        asked = "lines that do something", one.digest, self.effort.seed
        kept = self.kept.get(*asked)
        does = frozenset(each for each in kept if isinstance(each, int)) if isinstance(kept, list) else frozenset[int]()
        return LinesAt(one.choice, one.game, self.made_of[one.choice], does, lambda lines: self.kept.put(sorted(lines), *asked))

    def _is_own(self, span: Span | None) -> bool:
        """Whether something stands in the file that is checked: what those that it extends leave unused is not its fault."""
        return span is not None and span.source == self.rules.source


def _game_of(one: _Played) -> Game:
    return one.game


def _asked_game(one: _Played, shown: Shown, seed: int) -> tuple[Hashable, ...]:
    """What tells a game of a table from all others."""
    return one.digest, shown.by, shown.number, shown.options, shown.course, seed


def _different(tables: Iterable[tuple[Choice, Table | None]]) -> dict[Choice, Table]:
    """The tables that can be played, those only once that are the same: with a variant named that is in play anyway."""
    found: dict[object, tuple[Choice, Table]] = {}
    for choice, table in tables:
        if table is not None:
            found.setdefault((table.players, table.variants, tuple(table.option_words.items())), (choice, table))
    return dict(found.values())


def spread(tables: Collection[Choice], seed: int) -> list[Choice]:
    """The tables in an order in which each is as unlike those before it as can be: in players, variants and values."""
    left = list(tables)
    Random(seed).shuffle(left)
    seen: Counter[object] = Counter()
    order: list[Choice] = []
    while left:
        items = {each: (each.players, *(each.variants or [()]), *each.options) for each in left}
        often = {each: sorted((seen[item] for item in items[each]), reverse=True) for each in left}
        order.append(min(left, key=often.__getitem__))
        left.remove(order[-1])
        seen.update(items[order[-1]])
    return order


def _to_replay(transcript: Transcript) -> str:
    return join(["rulesrun", "replay", transcript.place])


_Line = tuple[str, int]  # path and number


def _line(span: Span) -> _Line:
    return span.source.path, span.line


def lines_of(proved: Iterable[Diagnostic]) -> set[_Line]:
    """The lines of errors, and what is written below the main one: what goes wrong inside of what is known to be wrong."""
    errors = [finding for finding in proved if finding.severity == "error" and finding.labels]
    labelled = {_line(label.span) for finding in errors for label in finding.labels}
    return labelled.union(*(_below(finding.labels[0].span) for finding in errors))


def _below(span: Span) -> set[_Line]:
    """The lines that belong to the one of a span: those behind it that are indented more."""
    lines = span.source.text.split("\n")
    own = _indentation(lines[span.line - 1])
    found = set()
    for number in range(span.line + 1, len(lines) + 1):
        line = lines[number - 1]
        if line.strip() and _indentation(line) <= own:
            break
        found.add((span.source.path, number))
    return found


def _numbered(lines: Sequence[int]) -> str:
    return f"line{'' if len(lines) == 1 else 's'} {listed([str(line) for line in lines])}"


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _simplicity(seen: tuple[_Played, Shown]) -> tuple[bool, int, int, int, int]:
    one, shown = seen
    choice = one.choice
    return one.exhausted is None, len(choice.options), len(choice.variants), choice.players, shown.decisions


def _course(walker: Walker, shown: Shown, seed: int) -> list[int]:
    match shown.by:
        case "all":
            return list(shown.course)
        case "casual":
            return walker.casual_course_of(seed, shown.number)
        case "random":
            return walker.course_of(seed, shown.number)
        case "led":
            return walker.led_course_of(seed, shown.number, shown.options)
        case _:
            assert_never(shown.by)
