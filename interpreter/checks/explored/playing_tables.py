"""Plays the tables of a game in several ways, and keeps what came up at each.

Each table gets games of bots (`random_games.py`), games whose options are chosen from outside (`led_games.py`), games that go on
from rare lines (`rare_lines.py`), and where there are few positions, all of them (`exhausting.py`). Counters that may leave their
ranges are driven to their ends (`driving.py`).

The effort is a number of decisions, so what is found depends on the seed alone. A limit in seconds only cuts the effort off. One
game of each table comes before the limit counts; then each table has its share of the time that is left. Without a limit in
seconds, only games that take very long are cut off.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from random import Random
from time import monotonic
from typing import assert_never

from attrs import define, evolve, field

from ...common.deadline import OutOfTime, deadline
from ...common.diagnostics import Diagnostic, RulesError
from ...common.nouns import counted
from ...common.source import Span
from ...coverage.parts import parts_of
from ...machine.from_table import lower
from ...machine.machine import Machine
from ...play.game import Game
from ...rules import Rules
from ...search.walker import Walker
from ...simulate.engines.engine import engine_to_use
from ...table.sampling.combinations import Choice, alone, tables_of
from ...table.table import Table
from ..abstract.courses import covered
from .effort import FOR_PLAY, Clock, Effort, Patience, Progress
from .kept import Data, Kept, NotSo, check_course, table_as_data, table_from_data
from .playing.digests import digest_of
from .playing.driving import TABLES, DrivenAt, Way, drive, suspects_at
from .playing.endless import CANNOT_END, ENDLESS, NEED_NOT_END
from .playing.exhausting import STEPS_LIMIT as THROUGH_ALL_LIMIT
from .playing.exhausting import Exhausted, exhaust, many_at_once
from .playing.led_games import lead, lead_few
from .playing.played_by_bots import casual_course, led_course, random_course
from .playing.random_games import play_many, play_one
from .playing.rare_lines import go_on_from_rare_lines
from .playing.replays import in_brief
from .playing.spotted import Seen, Shown, Spot, alternatives, spot_of

STEPS_THROUGH_ALL = 500_000  # from position to position, at all tables together, where all positions are gone through
DECISIONS, DECISIONS_AT_A_TABLE = 1_200_000, 300_000  # of bots, at all tables together and at one
LED, LED_AT_A_TABLE = 45_000, 15_000  # of games that are led
FEW_LED = 7_000  # of games that are led without a module, at all tables together, where there are many
FIRST = 6  # tables that are played most; each of them is as unlike the others as can be
WATCHED, WATCHED_AT_A_TABLE = 3_500, 3_000  # of games that are watched, which takes ten times as long for each
NAMED = 3  # tables that a note names
FEW = 4  # the first game of a table may take this part of the time for those that are left


@define(eq=False, slots=False)
class PlayedTable:
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


class Playing:
    def __init__(self, rules: Rules, effort: Effort, clock: Clock, kept: Kept) -> None:
        self.rules, self.effort, self.clock, self.kept = rules, effort, clock, kept
        self.model = rules.required()
        self.engine, notice = engine_to_use(None)
        self.fast = self.engine == "wasm"
        candidates = tables_of(self.model)
        self.tables = _different((each.choice, each.found.table) for each in candidates.tables)
        self.made_of = {each.choice: each.found for each in candidates.tables}
        self.parts = parts_of(self.model)
        self.like = covered(self.tables)
        self.apart = [choice for choice in self.tables if choice not in self.like]
        self.share = len(self.apart)
        self.first = set(spread(self.apart, effort.seed)[:FIRST])
        self.left_out = list(candidates.left_out)
        self.notes = [f"{notice}; fewer games are played"] if notice else []
        self.unplayable: set[Choice] = set()
        self.waiting = list(self.tables) if effort.seconds is None else spread(self.tables, effort.seed)
        self.played: dict[Choice, PlayedTable] = {}
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

    def not_kept(self) -> list[int]:
        """The tables, by number, of which no earlier check kept what it found; none whose games are those of another."""
        return [number for number, choice in enumerate(self.apart) if not self._made(choice).is_kept]

    def keep_table(self, number: int, seconds: float) -> dict[str, Data]:
        """Play a table, and give what is to be kept of it, by key: nothing where it cannot be played, or not in these seconds."""
        self.kept = Kept()
        one = self._made(self.apart[number])
        if self._can_be_played(one):
            self._table(one, Patience(monotonic() + seconds))
        return self.kept.known

    def take(self, number: int, known: Mapping[str, Data]) -> None:
        """Keep what another program found at a table."""
        self.kept.add(known)
        self._recall(self._made(self.apart[number]))

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
                self._table(one, Patience(until))
            self.was_cut |= monotonic() > until
            progress.advance()
            if not self.waiting:
                self.waiting = self._doubtful()
                if self.waiting:
                    progress.begin(f"playing {self.rules.path} once more", len(self.waiting))
            for spot, shown in one.seen.found.items():
                if spot not in new and line_of(shown.fault.span) not in known:
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
        order: list[tuple[int, int, PlayedTable]] = []
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

    def _made(self, choice: Choice) -> PlayedTable:
        """A table, with all that an earlier check found if that is kept."""
        if choice not in self.played:
            one = PlayedTable(choice, self.rules, self.tables[choice], digest_of(self.made_of[choice], self.parts))
            one.is_little = self.like.get(choice, choice) not in self.first
            if choice not in self.like:
                self._recall(one)
            self.played[choice] = one
        return self.played[choice]

    def _recall(self, one: PlayedTable) -> None:
        """Take what an earlier check found at a table."""
        kept = self.kept.get(*self._asked(one))
        found = None if kept is None else table_from_data(kept, one.table, lambda: one.machine)
        if found is not None:
            one.seen, one.exhausted, one.positions = found
            one.is_kept = one.is_whole = True

    def _can_be_played(self, one: PlayedTable) -> bool:
        """Whether there is a machine of a table; if there is none, that is a finding."""
        if one.machine is None:
            self.unplayable.add(one.choice)
        return one.machine is not None

    def _asked(self, one: PlayedTable) -> tuple[Hashable, ...]:
        """All that what is found at a table depends on."""
        return "table", one.digest, self.effort.seed, self.share, self.engine, one.is_little

    def _keep(self, one: PlayedTable) -> None:
        """Keep what was found at a table for later checks."""
        data = table_as_data(one.seen, one.exhausted, one.positions, lambda: one.machine)
        if data is not None:
            self.kept.put(data, *self._asked(one))

    def _table(self, one: PlayedTable, patience: Patience) -> None:
        """Play one table: all there is if that is little, else many games.

        Where there are many tables, most are played without a module, which takes longer to make than these few games.
        """
        game, seen = one.game, one.seen
        seed, share = self.effort.seed, self.share
        positions = many_at_once(Walker(game, "reference")) if one.is_little else 0
        steps = min(STEPS_THROUGH_ALL // share, THROUGH_ALL_LIMIT)
        if positions:
            one.positions = positions
            lead_few(game, seed, FEW_LED // share, patience.is_over, seen)
        elif isinstance(exhausted := exhaust(Walker(game, self.engine), patience.is_half_over, steps), Exhausted):
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

    def _plays_the_same(self, one: PlayedTable) -> bool:
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
            course = self.course(other, self._walker(other), shown)
            fault = Walker(one.game, "reference").walk(course).fault
            if fault is not None and spot_of(fault) == spot:
                one.seen.found[spot] = evolve(shown, fault=fault)
        one.is_whole = other.is_whole
        return True

    def _comes_before_the_end(self, one: PlayedTable, shown: Shown) -> bool:
        """Whether a game shows a fault while it is played, not when it is scored."""
        if shown.fault.code in (CANNOT_END, NEED_NOT_END):
            return True
        asked = "before the end", *game_key(one, shown, self.effort.seed)
        kept = self.kept.get(*asked)
        if not isinstance(kept, bool):
            walker = self._walker(one)
            kept = not walker.walk(self.course(one, walker, shown)).is_scored
            self.kept.put(kept, *asked)
        return kept

    def course(self, one: PlayedTable, walker: Walker, shown: Shown) -> list[int]:
        """The course of a game that shows a fault. Raises `NotSo` where an earlier check kept what is not so."""
        if not one.is_kept:
            return _course(walker, shown, self.effort.seed)
        try:
            course = _course(walker, shown, self.effort.seed)
        except ValueError:
            raise NotSo from None
        check_course(walker, course, spot_of(shown.fault))
        return course

    def _walker(self, one: PlayedTable) -> Walker:
        """Who walks the games of a table: its module, where there is one."""
        return Walker(one.game, "reference" if one.is_little or one.is_kept else self.engine)

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


def game_key(one: PlayedTable, shown: Shown, seed: int) -> tuple[Hashable, ...]:
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


LineNumber = tuple[str, int]  # path and number


def line_of(span: Span) -> LineNumber:
    return span.source.path, span.line


def lines_of(proved: Iterable[Diagnostic]) -> set[LineNumber]:
    """The lines of errors, and what is written below the main one: what goes wrong inside of what is known to be wrong."""
    errors = [finding for finding in proved if finding.severity == "error" and finding.labels]
    labelled = {line_of(label.span) for finding in errors for label in finding.labels}
    return labelled.union(*(_below(finding.labels[0].span) for finding in errors))


def _below(span: Span) -> set[LineNumber]:
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


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _course(walker: Walker, shown: Shown, seed: int) -> list[int]:
    match shown.by:
        case "all":
            return list(shown.course)
        case "casual":
            return casual_course(walker, seed, shown.number)
        case "random":
            return random_course(walker, seed, shown.number)
        case "led":
            return led_course(walker, seed, shown.number, shown.options)
        case _:
            assert_never(shown.by)
