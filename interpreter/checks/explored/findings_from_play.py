"""Makes the findings of what came up in play, each reported once and with a game that shows it.

A fault that comes up at several tables is reported at the simplest: the fewest options changed and variants named, the fewest
players, the shortest game. That game is then made as short as possible (`shrinking.py`).

Behind these, rules are searched for parts that make no difference: lines of the score that were always 0 (`never_scored.py`),
options that were never legal (`never_allowed.py`), and options of the game, lines, conditions and keys without an effect
(`idle_options.py`, `idle_lines.py`, `idle_keys.py`). Choices that depend on a secret (`worlds.py`) are looked for where nothing
else was found. A game with an ``option`` gets no claim that something never happens, since only some values are tried.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, count
from pathlib import Path
from shlex import join
from time import monotonic
from typing import Literal

from attrs import evolve, field, frozen

from ...common.codes import CODES
from ...common.deadline import OutOfTime, deadline
from ...common.diagnostics import Diagnostic
from ...common.nouns import listed
from ...common.source import Span
from ...findings.report import sources_of
from ...model.model import OptionDeclaration
from ...play.game import Game, State, table_of
from ...rules import in_order
from ...search.walker import Walker
from ...table.sampling.combinations import Choice, blamed, tables_text_of
from .idle.idle_keys import Ranked, idle_keys
from .idle.idle_lines import LinesAt, idle_choices, idle_lines
from .idle.idle_options import Tables, idle_options
from .kept import check_course, course_from_data
from .never.never import hardly_wins, is_all_there_is, nobody_wins, nowhere, without_win
from .never.never_allowed import LedAt, never_allowed
from .never.never_scored import GamesAt, always_the_same, never_scored
from .never.never_secret import PlayedAt, never_secret
from .playing.driving import OUT_OF_RANGE
from .playing.endless import ENDLESS, NEED_NOT_END
from .playing.replays import Transcript, by_seed, in_brief, transcript, transcript_at, with_course
from .playing.shrinking import STEPS_LIMIT, shrink
from .playing.spotted import Shown, Spot
from .playing.worlds import differing_worlds
from .playing_tables import LineNumber, PlayedTable, Playing, game_key, line_of, lines_of, spread

STEPS = 400_000  # positions that are gone on from to make games shorter, for all findings together
KNOWLEDGE = "R37"  # how the codes of its family begin
WORLDS = 60.0  # seconds for worlds that look the same: nearly all games need few, but one may think for long at every act
WRITTEN = 5_000  # events of a game that is written down; a longer one is shown by its seed


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


def explored(playing: Playing, proved: Sequence[Diagnostic], replays: str, taken: Collection[str]) -> Explored:
    """All findings, but for those inside of what is ``proved`` to be wrong."""
    known = lines_of(proved)
    said = {line_of(d.span) for d in proved if d.severity == "error" and d.span is not None}
    spotted: dict[Spot, list[tuple[PlayedTable, Shown]]] = {}
    order = list(playing.tables)
    playing.played = dict(sorted(playing.played.items(), key=lambda each: order.index(each[0])))
    for one in playing.played.values():
        for spot, shown in one.seen.found.items():
            spotted.setdefault(spot, []).append((one, shown))
    said_more = False
    for code in ENDLESS:
        if said_more:
            spotted.pop((code, "", 0), None)
        said_more |= (code, "", 0) in spotted
    comes_to_an_end = all(code == NEED_NOT_END for code, _, _ in spotted)
    again = {spot for spot, seen in spotted.items() if line_of(seen[0][1].fault.span) in known}
    stops = {line_of(spotted[spot][0][1].fault.span) for spot in again if spot[0] not in ENDLESS}
    stopped = sorted({line for path, line in stops - said})
    if stopped:
        playing.notes.append(f"test games could not be played past {_numbered(stopped)}, because of the error told above")
    spotted = {spot: seen for spot, seen in spotted.items() if spot not in again}
    findings: list[Diagnostic] = []
    transcripts: list[Transcript] = []

    def place_for(code: str, choice: Choice) -> str:
        """Where the next transcript will lie."""
        name = f"{replays}/{code}-{Path(playing.rules.path).stem}-{choice.players}"
        places = chain([f"{name}.json"], (f"{name}-{number}.json" for number in count(2)))
        used = {*taken, *(each.place for each in transcripts)}
        return next(place for place in places if place not in used)

    for spot, seen in spotted.items():
        failing = [one.choice for one, _ in seen]
        to_blame = blamed(failing, playing.tables, None if spot[0] in ENDLESS else playing.model)
        if spot[0] == OUT_OF_RANGE:  # the range of a counter can depend on options
            to_blame = failing
        if not to_blame:
            continue
        one, shown = min((x for x in seen if x[0].choice in to_blame), key=_simplicity)
        finding = in_brief(one.game, shown.fault)
        command = by_seed(one.game, one.choice, shown, playing.effort.seed) or _with_replays(playing)
        is_played = not one.is_kept
        with suppress(OutOfTime), deadline(playing.clock.left(), playing.clock.now):
            walker, course = _shortest(playing, one, shown, spot, STEPS // len(spotted))
            is_played = True
            finding = with_course(walker, course, shown.fault)
            if replays and len(course) <= WRITTEN:
                transcripts.append(transcript(walker, course, place_for(finding.code, one.choice), shown.fault))
                command = _to_replay(transcripts[-1])
        if not is_played:
            playing.was_cut = True
            earlier = f"{finding.code} was found by an earlier check, and its game was not played again"
            playing.notes.append(f"{playing.over}: {earlier}")
        strength: Literal["explored", "exhausted"] = "explored" if one.exhausted is None else "exhausted"
        findings.append(evolve(finding, tables=_said(playing, to_blame), strength=strength, replay=command))
    goes_on = not again and all(finding.code == NEED_NOT_END for finding in findings)
    if comes_to_an_end:  # where games stop early, what comes later never happens
        findings += _never(playing)
    if goes_on:  # but at tables with values of options that do not go together, which is no fault
        with suppress(OutOfTime), deadline(playing.clock.left(), playing.clock.now):
            findings += _never_scored(playing, [*proved, *findings])
        with suppress(OutOfTime), deadline(playing.clock.left(), playing.clock.now):
            findings += _never_allowed(playing, [*proved, *findings])
        with suppress(OutOfTime), deadline(playing.clock.left(), playing.clock.now):
            findings += _idle_options(playing, [*proved, *findings])
        with suppress(OutOfTime), deadline(playing.clock.left(), playing.clock.now):
            findings += _idle_lines(playing, [*proved, *findings])
    if not _leaks(playing, proved):
        with suppress(OutOfTime), deadline(playing.clock.left(), playing.clock.now):
            for finding, choice, state in _worlds(playing):
                if replays:
                    transcripts.append(transcript_at(state, place_for(finding.code, choice)))
                    finding = evolve(finding, replay=_to_replay(transcripts[-1]))
                findings.append(finding)
        playing.was_cut |= playing.late()
    deep = [one for one in playing.played.values() if one.is_explored]
    too_many = [one.positions for one in deep if one.exhausted is None]
    notes, unplayed = (*playing.left_out, *playing.notes, *playing.left_off()), bool(playing.unplayed())
    return Explored(
        in_order(findings),
        notes,
        tuple(transcripts),
        playing.was_cut,
        unplayed,
        len(deep),
        len(deep) - len(too_many),
        min(too_many, default=0),
    )


def _shortest(playing: Playing, one: PlayedTable, shown: Shown, spot: Spot, steps: int) -> tuple[Walker, list[int]]:
    """The shortest course that is found for a fault, and who walks it.

    Raises `NotSo` where an earlier check kept something else.
    """
    seed = playing.effort.seed
    asked = "shortest", *game_key(one, shown, seed), steps, playing.engine
    kept = playing.kept.get(*asked)
    if kept is not None:
        walker, course = Walker(one.game, "reference"), course_from_data(kept)
        check_course(walker, course, spot)
        return walker, course
    walker = Walker(one.game, playing.engine)
    course = playing.course(one, walker, shown)
    if shown.by == "all" or shown.fault.code in ENDLESS or playing.late():
        return walker, course  # it is the shortest, or none is shorter, or there is no time
    course = shrink(walker, course, spot, seed, min(steps, STEPS_LIMIT), playing.late)
    if not playing.late():
        playing.kept.put(course, *asked)
    return walker, course


def _with_replays(playing: Playing) -> str:
    """The command that writes the games of which bots do not play the like."""
    seed = ["--seed", str(playing.effort.seed)] if playing.effort.seed else []
    return join(["rulesrun", "check", playing.rules.path, *seed, "--replays", "replays"])


def _said(playing: Playing, choices: Sequence[Choice]) -> tuple[str, ...]:
    """Tables in words; none where it is so at every table without variants."""
    plain = {choice for choice in playing.tables if not choice.variants and not choice.options}
    return () if plain <= set(choices) else tables_text_of(choices, playing.tables)


def _leaks(playing: Playing, proved: Iterable[Diagnostic]) -> bool:
    """Whether it is proved that these rules tell what somebody may not know: then worlds differ by that."""
    own = {source.path for source in sources_of(playing.rules)}
    return any(d.code.startswith(KNOWLEDGE) and d.span is not None and d.span.source.path in own for d in proved)


def _worlds(playing: Playing) -> Iterator[tuple[Diagnostic, Choice, State]]:
    """Choices that differ in worlds which look the same, and games that show it; at tables without variants, since worlds are
    found slowly."""
    found: dict[LineNumber, list[tuple[Choice, Diagnostic, State]]] = {}
    until = monotonic() + WORLDS

    def late() -> bool:
        return playing.late() or monotonic() > until

    for one in playing.played.values():
        asked = "no other worlds", one.digest, playing.effort.seed
        if not (one.choice.variants or one.choice.options or late() or playing.kept.get(*asked) or one.machine is None):
            differing = list(differing_worlds(one.game, playing.effort.seed, late=late))
            for finding, state in differing:
                assert finding.span is not None
                found.setdefault(line_of(finding.span), []).append((one.choice, finding, state))
            if not differing and not late():
                playing.kept.put(True, *asked)
    if monotonic() > until:
        playing.notes.append("there was no time to look for worlds that look the same, and are not, in all games")
    for seen in found.values():
        choice, finding, state = seen[0]
        yield evolve(finding, tables=_said(playing, [choice for choice, _, _ in seen])), choice, state


def _never(playing: Playing) -> Iterator[Diagnostic]:
    """What cannot happen at the tables whose positions are all known."""
    played = playing.played.values()
    known = [(x.choice, x.game, x.exhausted) for x in played if x.exhausted is not None and x.exhausted.is_a_game]
    gone = {choice: (game.table, game.machine, exhausted) for choice, game, exhausted in known}
    if len(gone) == len(playing.tables) and not playing.left_out and is_all_there_is(playing.model):
        yield from nowhere(gone)
    losers = without_win(gone)
    if losers is not None:
        finding, choices = losers
        yield evolve(finding, tables=_said(playing, choices))
        return
    explored = {x.choice: (x.table, x.seen) for x in played if x.exhausted is None and x.seen.wins}
    for finding, choices in chain(nobody_wins(explored), hardly_wins(explored)):
        yield evolve(finding, tables=_said(playing, choices))


def _never_scored(playing: Playing, known: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Lines of the score sheet that stayed at 0 at every table, but for those of which that is ``known``."""
    played = playing.played.values()
    if playing.unplayed() or not all(one.is_explored for one in played if one.choice not in playing.unplayable):
        return
    lines = {line_of(finding.span) for finding in known if finding.span is not None and finding.code in ("R360", "R393")}
    tables = [GamesAt(one.choice, one.table, one.seen, one.exhausted is not None, partial(_game_of, one)) for one in played]

    def is_known(span: Span) -> bool:
        return line_of(span) in lines

    never = never_scored([at for at in tables if at.seen.ends], playing.effort.seed, playing.fast, is_known)
    same = always_the_same(tables, lambda span: is_known(span) or not _is_own(playing, span))
    for finding, choices in chain(never, same):
        yield evolve(finding, tables=_said(playing, choices), strength="explored")


def _never_allowed(playing: Playing, known: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Options that were never legal at any table, but for those of which that is ``known``."""
    played = playing.played.values()
    if playing.unplayed() or not all(one.is_explored for one in played if one.choice not in playing.unplayable):
        return
    lines = {line_of(finding.span) for finding in known if finding.span is not None}
    tables = [
        LedAt(one.choice, one.seen, one.is_little or one.is_kept, partial(_game_of, one))
        for one in played
        if one.seen.missing is not None
    ]
    seed = playing.effort.seed
    found = never_allowed(playing.model, tables, seed, playing.fast, lambda span: line_of(span) in lines, playing.late)
    for finding, choices in ((finding, choices) for finding, choices in found if _is_own(playing, finding.span)):
        yield evolve(finding, tables=_said(playing, choices), strength="explored")


def _idle_options(playing: Playing, known: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Options that never did anything, but for those of which that is ``known``."""
    if not playing.fast or playing.unplayed():
        return
    lines = {line_of(finding.span) for finding in known if finding.span is not None}
    declared = {each.name: each.span for each in playing.model.declarations if isinstance(each, OptionDeclaration)}

    def is_known(name: str) -> bool:
        return line_of(declared[name]) in lines or not _is_own(playing, declared[name])

    there = [choice for choice in spread(playing.tables, playing.effort.seed) if choice not in playing.unplayable]

    made: dict[Choice, Game] = {}

    def game_at(choice: Choice) -> Game:
        if choice not in made:
            one = playing.played.get(choice)
            options = {name: str(value) for name, value in choice.options}
            made[choice] = table_of(playing.rules, choice.players, choice.variants, options) if one is None else one.game
        return made[choice]

    def asked(pair: tuple[Choice, Choice]) -> tuple[Hashable, ...]:
        return "an option does something", playing.played[pair[1]].digest, str(pair[0].options)

    using = Tables(
        game_at,
        lambda pair: bool(playing.kept.get(*asked(pair))),
        lambda pair: playing.kept.put(True, *asked(pair)),
    )
    yield from idle_options(playing.model, there, using, playing.effort.seed, is_known, playing.late)


def _idle_lines(playing: Playing, known: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Lines that set something and never did anything, but for those of which something is ``known``."""
    if not playing.fast or playing.unplayed():
        return
    lines = {line_of(label.span) for finding in known for label in finding.labels}
    there = [one for choice, one in playing.played.items() if choice not in playing.unplayable]
    tables = [_with_lines(playing, one) for one in there if one.choice in playing.first]
    others = (_with_lines(playing, one) for one in there if one.choice not in playing.first and one.choice not in playing.like)

    def is_known(span: Span) -> bool:
        return line_of(span) in lines or not _is_own(playing, span)

    seed = playing.effort.seed
    found = [idle_lines(tables, others, playing.parts, seed, is_known, playing.late)]
    if not any(CODES[finding.code].explains_idleness for finding in known):
        found.append(idle_choices(tables, seed, is_known, playing.late))
    secrets = [PlayedAt(one.choice, one.table, partial(_game_of, one)) for one in there if one.choice not in playing.like]
    first = [at for at in secrets if at.choice in playing.first]
    found.append(never_secret(first, [at for at in secrets if at not in first], seed, is_known, playing.late))
    if not any(at.game.table.match or len(set(at.game.table.teams)) < at.game.players for at in tables):
        ranked = [Ranked(at.choice, at.game) for at in tables]
        found.append(idle_keys(ranked, seed, is_known, playing.late))
    for finding, choices in chain(*found):  # not at all tables: where it is so with nothing changed, it is so
        plain = any(not choice.variants and not choice.options for choice in choices)
        yield evolve(finding, tables=() if plain else _said(playing, choices), strength="explored")


def _with_lines(playing: Playing, one: PlayedTable) -> LinesAt:
    asked = "lines that do something", one.digest, playing.effort.seed
    kept = playing.kept.get(*asked)
    does = frozenset(each for each in kept if isinstance(each, int)) if isinstance(kept, list) else frozenset[int]()
    return LinesAt(one.choice, one.game, playing.made_of[one.choice], does, lambda lines: playing.kept.put(sorted(lines), *asked))


def _is_own(playing: Playing, span: Span | None) -> bool:
    """Whether something stands in the file that is checked: what those that it extends leave unused is not its fault."""
    return span is not None and span.source == playing.rules.source


def _game_of(one: PlayedTable) -> Game:
    return one.game


def _to_replay(transcript: Transcript) -> str:
    return join(["rulesrun", "replay", transcript.place])


def _numbered(lines: Sequence[int]) -> str:
    return f"line{'' if len(lines) == 1 else 's'} {listed([str(line) for line in lines])}"


def _simplicity(seen: tuple[PlayedTable, Shown]) -> tuple[bool, int, int, int, int]:
    one, shown = seen
    choice = one.choice
    return one.exhausted is None, len(choice.options), len(choice.variants), choice.players, shown.decisions
