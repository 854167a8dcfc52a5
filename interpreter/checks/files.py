"""Checks whole files: proofs first, then games, within the given time; then what their tests and games reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import monotonic, process_time
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from ..common.deadline import OutOfTime, deadline
from ..common.diagnostics import Diagnostic
from ..findings.baseline import Baseline
from ..findings.consequences import follows
from ..findings.fingerprints import identity
from ..findings.report import Played, report
from ..findings.selection import Selection, keeps_from_playing
from ..rules import Rules, read_rules
from ..translation.beside import catalogue_files
from .all_tables import check as prove
from .explored.effort import SILENT, Progress
from .one_table import findings_at

if TYPE_CHECKING:
    from ..coverage.coverage import Coverage
    from ..simulate.cluster import Cluster
    from .explored.playing.replays import Transcript

NAMED = 3  # files that a note names
EXPLORING = 600.0  # seconds of processor time to play a file, where no limit is given; the shipped games take up to a minute
PROVING = 20.0  # seconds of processor time to read and to prove a file, where no limit is given; the shipped games take two


@define
class CheckedFiles:
    """The ``files``, each once; what is ``found`` in them; what was left out, in ``notes``. ``unproved``, ``unplayed``: the files
    that were not looked at to the end, and those that were not played to the end. ``untried``: those with a table of which not
    one game was played. ``played``: how much each file was played. ``transcripts``: games that show what is found."""

    files: list[Rules]
    found: list[Diagnostic] = field(factory=list)
    notes: list[str] = field(factory=list)
    unproved: list[Rules] = field(factory=list)
    unplayed: list[Rules] = field(factory=list)
    untried: list[Rules] = field(factory=list)
    played: list[Played] = field(factory=list)
    transcripts: list[Transcript] = field(factory=list)


def check_files(
    files: Sequence[str],
    selection: Selection,
    seed: int,
    replays: str | None,
    end: float | None,
    baseline: Baseline | None,
    nothing_is_known: bool,
    progress: Progress = SILENT,
    proving: float = PROVING,
    processor: Callable[[], float] = process_time,
    cluster: Cluster | None = None,
    strict_language: bool = False,
) -> CheckedFiles:
    """Look at files.

    What comes up in play inside of what was proved to be wrong is no second finding, but where that is allowed, not selected or
    in the baseline it is the only one. ``nothing_is_known``: nor is it where it might have been in a baseline. ``replays``: the
    folder for games that show a finding. ``end``: when to stop, by the monotonic clock (None: see `EXPLORING`); one game of each
    table is played even if it takes as much time again. ``progress``: hears how far this is. ``proving``: where there is no end,
    the seconds by the clock ``processor`` that reading and proving share, for each file. ``cluster``: it plays the tables. Raises
    `RulesError` (R809) where it cannot. ``strict_language``: what is missing in translations is a finding and no note.
    """
    latest = None if end is None else 2 * end - monotonic()

    def left(spent: float = 0.0) -> float:
        return proving - spent if end is None else end - monotonic()

    once = [*{identity(file): file for file in reversed(files)}.values()][::-1]
    clock = processor if end is None else monotonic
    looked_at: list[Rules] = []
    spent: list[float] = []  # on reading each file
    for file in once:
        began = clock()
        looked_at.append(_read(file, left(), clock))
        spent.append(clock() - began)
    look = CheckedFiles(looked_at)
    found, notes = look.found, look.notes
    for place, rules in enumerate(looked_at):
        counting = _Counting(progress, looked_at, selection, baseline, tuple(found))
        counting.show(rules.diagnostics)
        try:
            with deadline(left(spent[place]) if _was_read(rules) else 0, clock):
                checked = prove(rules, counting)
        except OutOfTime:
            late = [rules] if end is None else looked_at[place:]
            found += [d for each in late for d in each.diagnostics]
            look.unproved += late
            if end is None:
                over = f"{proving:.0f} seconds of processor time are over"
                notes.append(f"{over}: {_not_from(late)} not looked at to the end, nor played")
                continue
            notes.append(f"time is over: {_not_from(late)} not looked at to the end, and nothing was played")
            look.unplayed += looked_at
            return look
        found += checked.findings
        counting.show(checked.findings)
        notes += [f"{rules.path}: {note}" for note in checked.notes]
        if rules.model is not None and catalogue_files(rules):
            from ..translation.checking import check_translations

            translated = check_translations(rules)
            found += translated.diagnostics
            if strict_language:
                found += translated.incomplete
            else:
                notes += translated.notes
    if selection.proved:
        return look

    from .explored.effort import Effort
    from .explored.exploring import explore
    from .explored.kept import Kept

    places: list[str] = []  # of transcripts
    playable = [rules for rules in looked_at if rules.model is not None and rules not in look.unproved]
    look.unplayed += look.unproved
    for place, rules in enumerate(playable):
        share = None if end is None else max(left(), 0.0) / (len(playable) - place)
        at_first = None if latest is None else (latest - monotonic()) / (len(playable) - place)
        known = report([rules], found, selection=selection, baseline=baseline).findings
        if nothing_is_known:
            known = tuple(filter(keeps_from_playing, known))
        counting = _Counting(progress, looked_at, selection, baseline, tuple(found))
        effort = Effort(seed, share, at_first, EXPLORING)
        explored = explore(rules, effort, known, replays or "", places, counting, Kept.of(rules.path), cluster)
        for game in explored.transcripts:
            places.append(game.place)
            look.transcripts.append(game)
        shown = [d for d in explored.diagnostics if not any(follows(d, other, rules.model) for other in found)]
        told = report([rules], shown, selection=selection, baseline=baseline).findings
        found[:] = [*(d for d in found if not any(follows(d, other, rules.model) for other in told)), *shown]
        notes += [f"{rules.path}: {note}" for note in explored.notes]
        look.played.append(Played(rules.path, explored.tables, explored.exhausted, explored.positions))
        look.unplayed += [rules] if explored.was_cut else []
        look.untried += [rules] if explored.unplayed else []
    look.notes = list(dict.fromkeys(notes))
    return look


def _was_read(rules: Rules) -> bool:
    return rules.source is not None or bool(rules.diagnostics)


@frozen
class _Counting(Progress):
    """Passes on those findings that count, with all that was found ``before``."""

    progress: Progress
    looked_at: Sequence[Rules]
    selection: Selection
    baseline: Baseline | None
    before: tuple[Diagnostic, ...]

    def begin(self, what: str, tables: int) -> None:
        self.progress.begin(what, tables)

    def advance(self) -> None:
        self.progress.advance()

    def show(self, findings: Sequence[Diagnostic]) -> None:
        found = (*self.before, *findings)
        if found:
            told = report(self.looked_at, found, (), self.selection, self.baseline, unproved=self.looked_at)
            self.progress.show(told.findings)


def _read(file: str, seconds: float, clock: Callable[[], float]) -> Rules:
    """The rules of a file; where there is no time to read it, nothing is known of it."""
    try:
        with deadline(seconds, clock):
            return read_rules(file)
    except OutOfTime:
        return Rules(file, None, None, None, ())


def cover(looked_at: Sequence[Rules], proved: bool, seed: int, end: float | None, notes: list[str]) -> list[Coverage]:
    """What the tests of some files reach, and, where more is to be done than to prove, games at all their tables."""
    from ..coverage.coverage import coverage_of
    from ..coverage.playing import FOR_GAMES, SECONDS, by_games, by_tests

    found = []
    playable = [rules for rules in looked_at if rules.model is not None]
    for place, rules in enumerate(playable):
        share = PROVING if end is None else max(end - monotonic(), 0.0) / (len(playable) - place)
        try:
            with deadline(share, process_time if end is None else monotonic):
                covered = by_tests(rules, findings_at)[1]
                if not proved:
                    left = math.inf if end is None else max(end - monotonic(), 0.0) / (len(playable) - place)
                    covered += by_games(rules, seed, min(SECONDS, left * FOR_GAMES))
        except OutOfTime:
            notes.append(f"time is over: it was not seen what tests and games of `{rules.path}` reach")
            continue
        found.append(coverage_of(rules.path, rules.required(), covered))
    return found


def _not_from(files: Sequence[Rules]) -> str:
    more = [f"{len(files) - NAMED} more"] if len(files) > NAMED else []
    names = " and ".join([*(f"`{rules.path}`" for rules in files[:NAMED]), *more])
    return f"{names} {'was' if len(files) == 1 else 'were'}"
