"""Lines, conditions and choices that change nothing in many games (R330).

Each line that sets or moves something is left out in turn, at some tables, and games with and without it are played beside each
other. Most lines show an effect in the first game: at the next decision something stands or lies differently. For lines without
an effect, modules play thousands more games. Only games that reach the line count.

Conditions of options that have an exception are treated alike: a condition that never forbids anything, but often would without
its exception, is swallowed by the exception. So are blocks that say what happens where nothing is allowed.

A trigger, or a line that does a step with choices, is reported if no game ever comes to it: games that would stop there go on.

A choice is reported if all is the same after it in many games, whether the first or the last option is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from ....common.diagnostics import Diagnostic, RulesError, warning
from ....common.source import Span
from ....coverage.parts import Part
from ....coverage.watch import watch_of
from ....machine.from_table import lower
from ....play.game import Game
from ....simulate.engines.engine import EngineName
from ....table.from_model import Specialised
from ....table.sampling.combinations import Choice
from ....table.table import Table
from ..playing.played_by_bots import random_game
from ..playing.random_games import play_many
from ..playing.spotted import Seen
from .left_out import Without, left_out
from .side_by_side import LONG, SideBySide

GAMES = 4  # of each line and table, by the reference executor
REACHED = 2  # of these, in which the line is come to
DECIDED, DECIDED_GAMES = 300, 30  # decisions of each table that are looked at, and games
TRIED = 20  # decisions after which all is the same
MODULES = 3  # tables at which modules play a line
MANY_GAMES, DECISIONS = 3_000, 100_000  # of each line and table, by modules
STOPPING = 300_000  # decisions of games that stop where they come to a part


@frozen
class LinesAt:
    """A table whose lines are left out. ``known``: the lines, by their places in the table, that an earlier check saw do
    something; ``note``: remembers more of them."""

    choice: Choice
    game: Game
    made: Specialised
    known: frozenset[int]
    note: Callable[[frozenset[int]], None]


def idle_lines(
    tables: Sequence[LinesAt],
    others: Iterable[LinesAt],
    parts: Sequence[Part],
    seed: int,
    is_known: Callable[[Span], bool],
    late: Callable[[], bool],
) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """A finding for each line that sets something and never did anything (R330), each condition of an option whose exception
    always held when it would have forbidden something (R327), each `if impossible` that never came up (R326), each trigger that
    never fired (R326), and each `do` of a step with choices that nobody was ever asked there (R392).

    ``others``: further tables, at which only what did nothing at the first is looked at: with other options, it may. ``parts``:
    of the rules. ``is_known``: whether something is known of the line at a place. ``late``: whether there is no more time.
    """
    suspects: dict[Span, list[tuple[LinesAt, Without]]] = {}
    doing: set[Span] = set()
    for at in tables:
        places = {one.span: number for number, one in enumerate(left_out(at.game.table)) if not _is_known(one, is_known)}
        doing |= {span for span, number in places.items() if number in at.known}
        left = [one for one in left_out(at.game.table) if one.span in places and one.span not in doing]
        reached = _reached(at, parts, seed) if left else set[Span]()
        for one in left:
            if late():
                return
            if (one.near is None or one.near in reached) and len(suspects.get(one.span, ())) < MODULES:
                if _differ(one.table(), at, seed, "reference", late, one.closely) or not _would_matter(one, at, seed, late):
                    doing.add(one.span)
                else:
                    suspects.setdefault(one.span, []).append((at, one))
        if late():
            return  # what there was no time for is not known to do anything
        does = frozenset(number for span, number in places.items() if span in doing)
        if does > at.known:
            at.note(does)
    for at in others if suspects.keys() - doing else ():
        for one in left_out(at.game.table):
            if one.span in suspects and one.span not in doing and _differ(one.table(), at, seed, "reference", late, one.closely):
                doing.add(one.span)
    for span, found in suspects.items():
        if span not in doing and not any(_does(one, at, seed, late) for at, one in found):
            yield found[0][1].finding, [at.choice for at, _ in found]


def _is_known(one: Without, is_known: Callable[[Span], bool]) -> bool:
    return is_known(one.span) or (bool(one.choices) and all(map(is_known, one.choices)))


def _does(one: Without, at: LinesAt, seed: int, late: Callable[[], bool]) -> bool:
    """Whether many games show that a part of a table does something."""
    if not one.stops:
        return _differ(one.table(), at, seed, "wasm", late, one.closely)
    table = one.table()
    machine = lower(table).machine
    if machine is None:
        return True
    seen = Seen()
    try:
        play_many(Game(at.game.rules, table, machine), seed, STOPPING, "wasm", late, seen)
    except RulesError:
        return True
    return bool(seen.found) or late()


def _would_matter(one: Without, at: LinesAt, seed: int, late: Callable[[], bool]) -> bool:
    """Whether it often comes up that what is stricter forbids something."""
    return one.instead is None or _differ(one.instead(), at, seed, "reference", late)


def idle_choices(
    tables: Sequence[LinesAt], seed: int, is_known: Callable[[Span], bool], late: Callable[[], bool]
) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """A finding (R330) for each choice after which all was the same, whatever was chosen, with the tables that have it; perhaps
    only of the player to whom some markers point."""
    same: dict[tuple[Span, tuple[str, ...]], int] = {}  # below 0: not always
    having: dict[Span, list[Choice]] = {}
    for at in tables:
        if late():
            return
        for span, markers, is_same in _choices(at.game, seed, lambda span, who: same.get((span, who), 0) < 0):
            for who in {(), markers}:
                same[span, who] = same.get((span, who), 0) + 1 if is_same and same.get((span, who), 0) >= 0 else -1
            if at.choice not in having.setdefault(span, []):
                having[span].append(at.choice)
    for (span, who), often in same.items():
        everybody = same[span, ()] >= TRIED
        if often >= TRIED and not is_known(span) and everybody == (not who):
            for_whom = f" for who is `{'` and `'.join(who)}`" if who else ""
            message = f"this choice changes nothing{for_whom}: all was the same, whatever was chosen"
            help = "let what is chosen set, move or count something, or ask nobody for it"
            yield warning("R330", message, span, help=help), having[span]


def _choices(
    game: Game, seed: int, known: Callable[[Span, tuple[str, ...]], bool]
) -> Iterator[tuple[Span, tuple[str, ...], bool]]:
    """The choices of some games: where they stand, the markers that point to who chooses, and whether what is on offer first does
    the same as what is last, and teaches the same. ``known``: for which of them and whom it is known that it does not."""
    executor, regions = game.executor, game.machine.layout.regions
    position, learned = slice(*regions["game"]), slice(*regions["knowledge"])
    pointing = {
        each.name: place.slot
        for each, place in game.machine.layout.record.items()
        if each.name in game.table.variables
        and (found := game.table.variables[each.name]).owner is None
        and found.type.base == "player"
    }
    asked = 0
    for number in range(DECIDED_GAMES):
        cells = executor.fresh(seed, number)
        stop = executor.enter(cells)
        while (node := stop.node) is not None and asked < DECIDED:
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
                continue
            asked += 1
            legal, seat = executor.options(cells), executor.player(cells)
            markers = tuple(name for name, slot in pointing.items() if cells[slot] == seat)
            if len(legal) > 1 and not known(node.span, markers):
                after = []
                for option in (legal[0], legal[-1]):
                    here = cells.copy()
                    then, record = executor.choose(here, option), executor.pack(here)
                    after.append((then.kind, record[position], record[learned]))
                yield node.span, markers, after[0] == after[1]
            stop = executor.choose(cells, executor.pick(cells, seat))


def _reached(at: LinesAt, parts: Sequence[Part], seed: int) -> set[Span]:
    """The statements to which games come."""
    watch = watch_of(at.game.rules.required(), parts, at.made)
    if watch is None:
        return set()
    games = Counter[Span]()
    for number in range(GAMES):
        random_game(watch, seed, number)
        games.update({place.span for place in watch.taken().counts if place.kind == "statement"})
    return {span for span, count in games.items() if count >= REACHED}


def _differ(table: Table, at: LinesAt, seed: int, engine: EngineName, late: Callable[[], bool], closely: bool = False) -> bool:
    """Whether games are others at a table with something left out, as far as there is time to see."""
    machine = lower(table).machine
    if machine is None:
        return True
    games, decisions = (GAMES, LONG) if engine == "reference" else (MANY_GAMES, DECISIONS)
    try:
        beside = SideBySide((at.game, Game(at.game.rules, table, machine)), engine, closely)
        return beside.differ(seed, 0, games, decisions, late) is not False
    except RulesError:
        return True
