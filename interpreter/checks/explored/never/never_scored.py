"""Lines of the score sheet that gave nobody anything in many games, and the zones and counters that explain it.

A line is reported (R393) if it was 0 for everybody at the end of every game, at every table that has it. The number of games that
this takes depends on the line. A zone that was empty, or a counter that was 0, whenever a game was over explains the zero: then
`ENOUGH` games do, since an event of one game in a hundred is hardly missed in so many. A condition that never held may be as rare
as a royal flush, so it is reported only after `MANY` games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from attrs import frozen

from ....common.diagnostics import Diagnostic, warning
from ....common.source import Span
from ....machine.machine import Choose, Machine
from ....machine.traverse import every_statement
from ....model import model
from ....model.model import Expr, Node, Term
from ....play.game import Game
from ....search.walker import Walker
from ....table.sampling.combinations import Choice
from ....table.table import Table
from ...dataflow.dependence import all_dependencies
from ..playing.played_by_bots import random_course
from ..playing.spotted import Seen, rounded
from .never import is_number
from .why_nothing import why_nothing

ENOUGH = 1_000  # games that came to an end, where an empty zone or a counter at 0 explains it
MANY = 20_000  # the same where nothing does
LOOKED_AT, LOOKED_AT_A_TABLE = 400, 20  # games at whose ends zones and counters are looked at: together, and at least at each
DEPTH = 100  # parts of values in one another
NOTHING = ("0", "no", "none")  # values of counters and markers that say nothing


@frozen
class GamesAt:
    """What the games of a table have shown. ``all``: whether all of its positions were gone through. ``game``: makes the table
    ready to be played, which takes a while."""

    choice: Choice
    table: Table
    seen: Seen
    all: bool
    game: Callable[[], Game]


def never_scored(
    tables: Iterable[GamesAt], seed: int, fast: bool, told: Callable[[Span], bool]
) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Lines of the score sheet that stayed at 0, with the tables that have them.

    ``fast``: whether games are played by modules. ``told``: whether it is known already of the line at a place.
    """
    having: dict[Span, list[tuple[Term, GamesAt]]] = {}
    for at in tables:
        for term in at.table.terms:
            having.setdefault(term.span, []).append((term, at))
    for span, places in having.items():
        if told(span) or any(term.name in at.seen.scored or is_number(term) for term, at in places):
            continue
        ends = sum(at.seen.ends for _, at in places)
        through_all = all(at.all for _, at in places)
        if (ends < ENOUGH and not through_all) or not all(_is_a_game(at.game().machine) for _, at in places):
            continue
        missing = _missing(places, seed, fast)
        if missing or through_all or ends >= MANY:
            when = "at any end at the tables that were tried" if through_all else f"in at least {rounded(ends):,} games"
            term, at = places[0]
            why: list[tuple[Span, str]] = [] if missing else why_nothing(term, at.table, seed)
            yield _said(term, at, when, missing, why), [at.choice for _, at in places]


def always_the_same(tables: Iterable[GamesAt], told: Callable[[Span], bool]) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Lines of the score sheet that gave everybody the same number, and not 0, with the tables at which they did, the options
    being as they are. It takes `ENOUGH` games at each of these."""
    found: dict[tuple[Span, int], list[tuple[Term, GamesAt]]] = {}
    for at in tables:
        for term in at.table.terms:
            number = at.seen.same.get(term.name)
            plain = not at.choice.options and not at.all and not is_number(term) and not told(term.span)
            if number and plain and at.seen.games >= ENOUGH and at.table.players > 1:
                found.setdefault((term.span, number), []).append((term, at))
    for (span, number), places in found.items():
        games = rounded(max(at.seen.games for _, at in places))
        help = "let it count something that can differ, or leave the line out"
        message = f"`{places[0][0].name}` gave everybody {number} in all of at least {games:,} games"
        yield warning("R393", message, span, help=help), [at.choice for _, at in places]


def _is_a_game(machine: Machine) -> bool:
    """Whether there is a choice of several acts, allowed or not."""
    done = (stmt for routine in machine.routines.values() for stmt in every_statement(routine.body))
    decided = ({each.group for each in stmt.alternatives} for stmt in done if isinstance(stmt, Choose))
    return any(sum(machine.groups[number].size for number in groups) > 1 for groups in decided)


def _missing(places: Collection[tuple[Term, GamesAt]], seed: int, fast: bool) -> list[str]:
    """The zones and counters for which a line asks, and in which nothing was whenever a game was over."""
    missing: set[str] | None = None
    for term, at in places:
        table = at.table
        parts = [part for part in (term.value, term.members) if part is not None]
        asked = {name for node in all_dependencies(parts, table) if (name := _name(node, table)) is not None}
        asked &= asked if missing is None else missing
        games = max(LOOKED_AT // len(places), LOOKED_AT_A_TABLE)
        missing = asked - _there(at.game(), asked, games, seed, fast) if asked else set()
        missing = {name for name in missing if any(_is_nothing(part, {name}, table) for part in parts)} or missing
        if not any(_is_nothing(part, missing, table) for part in parts):
            return []
    return sorted(missing or ())


def _name(node: Node, table: Table) -> str | None:
    """The zone or counter whose content or value a node is."""
    match node:
        case model.ZoneContent(zone=zone):
            return table.zones[zone].said if zone in table.zones else None
        case model.VariableValue(name=name):
            return name
        case _:
            return None


def _is_nothing(value: Expr, missing: Collection[str], table: Table, depth: int = DEPTH) -> bool:
    """Whether a value is surely 0, or a set surely empty, where some zones are empty and some counters 0.

    What a condition asks for says nothing of that: it may ask that they are.
    """

    def nothing(*parts: Expr) -> list[bool]:
        return [_is_nothing(part, missing, table, depth - 1) for part in parts]

    match value:
        case _ if not depth:
            return False
        case model.ZoneContent() | model.VariableValue():
            return _name(value, table) in missing
        case model.Const(value=number):
            return number == 0 and value.type.base == "number"
        case model.Count(of=of) | model.Filter(of=of) | model.Extreme(of=of) | model.Without(left=of):
            return all(nothing(of))
        case model.Total(of=of, value=each):
            return any(nothing(of, each))
        case model.Arithmetic(op="*", left=left, right=right):
            return any(nothing(left, right))
        case model.Arithmetic(op="+" | "-" | "min" | "max", left=left, right=right) | model.Join(left=left, right=right):
            return all(nothing(left, right))
        case model.Arithmetic(left=left):
            return all(nothing(left))
        case model.Cases(cases=cases, otherwise=otherwise):
            return all(nothing(otherwise, *(each for _, each in cases)))
        case model.Apply(define=name):
            return all(nothing(table.defines[name].value))
        case _:
            return False


def _there(game: Game, names: Collection[str], games: int, seed: int, fast: bool) -> set[str]:
    """The zones and counters among these that are not empty, or not 0, at the end of one of some games."""
    walker, found = Walker(game, "wasm" if fast else "reference"), set[str]()
    for number in range(games):
        position = walker.walk(random_course(walker, seed, number))
        if position.kind == "over":
            view = game.from_record(walker.record(position)).view()
            found |= {zone.name for zone in view.zones if zone.count}
            found |= {value.name for value in view.values if value.value not in NOTHING}
        if found >= set(names):
            break
    return found


def _said(term: Term, at: GamesAt, when: str, missing: Collection[str], others: Collection[tuple[Span, str]]) -> Diagnostic:
    table = at.table
    declared = {each.name: each.span for each in table.variables.values()}
    declared |= {zone.said: zone.span for zone in table.zones.values()}
    zones = {zone.said for zone in table.zones.values()}
    why = [(declared[name], f"this was {'empty' if name in zones else '0'} whenever a game was over") for name in missing]
    what = "count what there is when a game is over" if why else "let something count here"
    message, help = f"nobody scored anything for `{term.name}` {when}", f"{what}, or leave the line out"
    return warning("R393", message, term.span, *why, *others, help=help)
