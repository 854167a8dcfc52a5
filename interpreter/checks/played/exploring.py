"""What goes wrong when a game is played? Every table that is looked at is played, many times and in several ways.

At each table: whole games of bots (`random_games.py`), games whose options are chosen from outside (`led_games.py`), and where
there are few positions, all of them (`exhausting.py`). What is found at several tables is told once, of the simplest: the
fewest options changed and variants named, the fewest players, the shortest game. That game is made as short as can be
(`shrinking.py`).

The effort is a number of decisions, so that what is found depends on the seed alone. A limit in seconds only cuts it off, and
then a note says what was left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from shlex import join
from time import monotonic
from typing import assert_never

from attrs import evolve, field, frozen

from ...diagnostics import Diagnostic, RulesError
from ...machine.from_table import lower
from ...play.game import Game
from ...rules import Rules, in_order
from ...simulate.engine import engine_to_use
from ...source import Span
from ...table.table import Table
from ..combinations import Choice, blamed, fewest, tables_of
from .endless import ENDLESS, NEED_NOT_END
from .exhausting import Exhausted, exhaust
from .led_games import lead
from .never import is_all_there_is, nowhere, without_win
from .random_games import play_many
from .shrinking import STEPS_LIMIT, shrink
from .spotted import Shown, Spot, note
from .telling import Transcript, by_seed, told, transcript
from .walking import Walker
from .worlds import differing_worlds

DECISIONS, DECISIONS_AT_A_TABLE = 4_000_000, 300_000  # of bots, at all tables together and at one
LED, LED_AT_A_TABLE = 60_000, 15_000  # of games that are led
STEPS = 400_000  # positions that are gone on from to make games shorter, for all findings together
WORLDS = 60.0  # seconds for worlds that look the same: nearly all games need few, but one may think for long at every act
WRITTEN = 5_000  # events of a game that is written down; a longer one is shown by its seed
NAMED = 3  # tables that a note names


@frozen
class Effort:
    """``seed``: of all chance. ``seconds``: after which nothing more is begun; None: the whole effort."""

    seed: int = 0
    seconds: float | None = None


@frozen
class Explored:
    """``notes``: what was left out, in words. ``transcripts``: where they were asked for, a game for each finding."""

    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[str, ...]
    transcripts: tuple[Transcript, ...] = field(default=(), repr=False)


@frozen(eq=False)
class _Played:
    """A table that was played. ``exhausted``: None where there are too many positions."""

    choice: Choice
    game: Game
    found: Mapping[Spot, Shown]
    exhausted: Exhausted | None


def explore(rules: Rules, effort: Effort | None = None, proved: Iterable[Diagnostic] = (), replays: str = "") -> Explored:
    """Play all tables of a game.

    ``proved``: what is known already: what comes up on a line of such an error is no second finding. ``replays``: the folder in
    which the transcripts will lie, for the commands that are told; "": none are made.
    """
    if rules.model is None:
        return Explored((), ())
    exploring = _Exploring(rules, effort or Effort())
    exploring.play()
    return exploring.explored(_lines(proved), replays)


class _Exploring:
    def __init__(self, rules: Rules, effort: Effort) -> None:
        self.rules, self.effort = rules, effort
        self.model = rules.required()
        self.began = monotonic()
        self.engine, notice = engine_to_use(None)
        self.fast = self.engine == "wasm"
        candidates = tables_of(self.model)
        self.tables = _different((each.choice, each.found.table) for each in candidates.tables)
        self.left_out = list(candidates.left_out)
        self.notes = [f"{notice}; fewer games are played, and none are led"] if notice else []
        self.played: list[_Played] = []

    def late(self) -> bool:
        return self.effort.seconds is not None and monotonic() - self.began > self.effort.seconds

    # ---- Playing

    def play(self) -> None:
        """Play the tables, one after the other, while there is time."""
        looked_at = 0
        for choice, table in self.tables.items():
            if self.late():
                break
            machine = lower(table).machine
            if machine is not None:
                self.played.append(self._table(choice, Game(self.rules, table, machine)))
            looked_at += 1
        if self.late():
            self._note_the_time(list(self.tables)[looked_at:])

    def _table(self, choice: Choice, game: Game) -> _Played:
        """Play one table: all there is if that is little, else many games."""
        seed, share = self.effort.seed, len(self.tables)
        exhausted = exhaust(Walker(game, self.fast), self.late)
        if isinstance(exhausted, Exhausted):
            return _Played(choice, game, exhausted.found, exhausted)
        try:
            found = play_many(game, seed, min(DECISIONS // share, DECISIONS_AT_A_TABLE), self.engine, self.late)
        except RulesError as error:  # a game takes longer than anybody waits
            self.notes.append(f"{choice.said}: {error.diagnostics[0].message}")
            return _Played(choice, game, {}, None)
        if self.fast:
            for shown in lead(game, seed, min(LED // share, LED_AT_A_TABLE), self.late).values():
                note(found, shown)
        return _Played(choice, game, found, None)

    def _note_the_time(self, left: Sequence[Choice]) -> None:
        """What the limit in seconds cut off."""
        cut = f"there was no time for more than {self.effort.seconds:g} seconds"
        if not left:
            self.notes.append(f"{cut}: fewer games were played")
            return
        named = ", ".join(choice.said for choice in left[:NAMED])
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        self.notes.append(f"{cut}: {len(left)} of {len(self.tables)} tables were not played ({named}{more})")

    # ---- Telling

    def explored(self, known: set[_Line], replays: str) -> Explored:
        """All findings, but for those on lines of which something is ``known``."""
        spotted: dict[Spot, list[tuple[_Played, Shown]]] = {}
        for one in self.played:
            for spot, shown in one.found.items():
                spotted.setdefault(spot, []).append((one, shown))
        said_more = False
        for code in ENDLESS:
            if said_more:
                spotted.pop((code, "", 0), None)
            said_more |= (code, "", 0) in spotted
        comes_to_an_end = all(code == NEED_NOT_END for code, _, _ in spotted)
        again = {spot for spot, seen in spotted.items() if _line(seen[0][1].fault.span) in known}
        stopped = sorted({spotted[spot][0][1].fault.span.line for spot in again if spot[0] not in ENDLESS})
        if stopped:
            self.notes.append(f"games stop in {_numbered(stopped)}, inside of what is proved to be wrong: mend that first")
        spotted = {spot: seen for spot, seen in spotted.items() if spot not in again}
        findings: list[Diagnostic] = []
        transcripts: list[Transcript] = []
        for spot, seen in spotted.items():
            to_blame = blamed([one.choice for one, _ in seen], self.tables)
            if not to_blame:
                continue
            one, shown = min((x for x in seen if x[0].choice in to_blame), key=_simplicity)
            walker = Walker(one.game, self.fast)
            course = self._shortest(walker, shown, spot, STEPS // len(spotted))
            finding = evolve(
                told(walker, course, shown.fault), tables=self._said(to_blame),
                strength="explored" if one.exhausted is None else "exhausted",
            )  # fmt: skip
            if replays and len(course) <= WRITTEN:
                place = f"{replays}/{finding.code}-{one.game.name}-{one.choice.players}"
                same = sum(known.place.startswith(place) for known in transcripts)
                place = f"{place}-{same + 1}.json" if same else f"{place}.json"
                transcripts.append(transcript(walker, course, place))
                command = join(["rulesrun", "replay", place])
            else:
                command = by_seed(one.game, one.choice, shown, self.effort.seed) or self._with_replays()
            findings.append(evolve(finding, replay=command))
        if comes_to_an_end:  # where games stop early, what comes later never happens
            findings += self._never()
            findings += [] if findings or known else self._worlds()
        return Explored(in_order(findings), (*self.left_out, *self.notes), tuple(transcripts))

    def _shortest(self, walker: Walker, shown: Shown, spot: Spot, steps: int) -> list[int]:
        """The shortest course that is found for a fault."""
        course = _course(walker, shown, self.effort.seed)
        if shown.by == "all" or shown.fault.code in ENDLESS or self.late():
            return course  # it is the shortest, or none is shorter, or there is no time
        return shrink(walker, course, spot, self.effort.seed, min(steps, STEPS_LIMIT), self.late)

    def _with_replays(self) -> str:
        """The command that writes the games of which bots do not play the like."""
        seed = ["--seed", str(self.effort.seed)] if self.effort.seed else []
        return join(["rulesrun", "check", self.rules.path, *seed, "--replays", "replays"])

    def _said(self, choices: Sequence[Choice]) -> tuple[str, ...]:
        """Tables in words; none where it is so at every table without variants."""
        plain = {choice for choice in self.tables if not choice.variants and not choice.options}
        return () if plain <= set(choices) else tuple(choice.said for choice in fewest(choices))

    def _worlds(self) -> Iterator[Diagnostic]:
        """Choices that differ in worlds which look the same; at tables without variants, since worlds are found slowly."""
        found: dict[_Line, list[tuple[Choice, Diagnostic]]] = {}
        until = monotonic() + WORLDS

        def late() -> bool:
            return self.late() or monotonic() > until

        for one in self.played:
            if not (one.choice.variants or one.choice.options or late()):
                for finding in differing_worlds(one.game, self.effort.seed, late=late):
                    assert finding.span is not None
                    found.setdefault(_line(finding.span), []).append((one.choice, finding))
        if late():
            self.notes.append("there was no time to look for worlds that look the same, and are not, in all games")
        for seen in found.values():
            yield evolve(seen[0][1], tables=self._said([choice for choice, _ in seen]))

    def _never(self) -> Iterator[Diagnostic]:
        """What cannot happen at the tables whose positions are all known."""
        known = [(x.choice, x.game, x.exhausted) for x in self.played if x.exhausted is not None and x.exhausted.is_a_game]
        gone = {choice: (game.table, game.machine, exhausted) for choice, game, exhausted in known}
        if len(gone) == len(self.tables) and not self.left_out and is_all_there_is(self.model):
            yield from nowhere(gone)
        losers = without_win(gone)
        if losers is not None:
            finding, choices = losers
            yield evolve(finding, tables=self._said(choices))


def _different(tables: Iterable[tuple[Choice, Table | None]]) -> dict[Choice, Table]:
    """The tables that can be played, those only once that are the same: with a variant named that is in play anyway."""
    found: dict[object, tuple[Choice, Table]] = {}
    for choice, table in tables:
        if table is not None:
            found.setdefault((table.players, table.variants, tuple(table.option_words.items())), (choice, table))
    return dict(found.values())


_Line = tuple[str, int]  # path and number


def _line(span: Span) -> _Line:
    return span.source.path, span.line


def _lines(proved: Iterable[Diagnostic]) -> set[_Line]:
    """The lines of errors, and what is written below the main one: what goes wrong inside of what is known to be wrong."""
    errors = [finding for finding in proved if finding.severity == "error" and finding.labels]
    labelled = {_line(label.span) for finding in errors for label in finding.labels}
    return labelled.union(*(_below(finding.labels[0].span) for finding in errors))


def _below(span: Span) -> set[_Line]:
    """The lines that belong to the one of a span: those behind it that are indented more."""
    lines = span.source.text.splitlines()
    own = _indentation(lines[span.line - 1])
    found = set()
    for number in range(span.line + 1, len(lines) + 1):
        line = lines[number - 1]
        if line.strip() and _indentation(line) <= own:
            break
        found.add((span.source.path, number))
    return found


def _numbered(lines: Sequence[int]) -> str:
    return f"line {lines[0]}" if len(lines) == 1 else "lines " + ", ".join(map(str, lines[:-1])) + f" and {lines[-1]}"


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
