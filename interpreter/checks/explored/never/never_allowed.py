"""Options that were never legal in many games, at any table that has them (R392).

All led games are watched for their legal options. For an option that was never legal, more games are led. If it is legal in none
of them either, it is reported: an act that the rules allow now and then comes up within some hundred games of players who like to
do what has not been done.

A game's options that are numbers are not tried at all values. So nothing is reported about a step that depends on such an option.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from attrs import define, frozen

from ....common.diagnostics import Diagnostic, warning
from ....common.source import Span
from ....machine.traverse import decisions
from ....model import model
from ....model.model import Model
from ....model.visitor import children, walk_statements
from ....play.game import Game
from ....table.sampling.combinations import Choice
from ..playing.led_games import lead, lead_few
from ..playing.spotted import Seen

GAMES = 2_000  # at all tables that have an option together
DECISIONS = 60_000  # of games that are led by modules for this, at all tables together
FEW_DECISIONS = 2_000  # the same of games that are led by the reference executor, which takes longer
TABLES = 6  # at which more games are led


@frozen
class LedAt:
    """A table and what its games have shown. ``game``: makes it ready to be played. ``is_little``: it has no module."""

    choice: Choice
    seen: Seen
    is_little: bool
    game: Callable[[], Game]


@define
class _Missing:
    """An option that was nowhere legal. ``conditions``: what it asks for. ``at``: the tables that have it."""

    span: Span
    verb: str
    choose: Span
    conditions: list[Span]
    at: list[LedAt]


def never_allowed(
    game: Model, tables: Sequence[LedAt], seed: int, fast: bool, told: Callable[[Span], bool], late: Callable[[], bool]
) -> Iterator[tuple[Diagnostic, list[Choice]]]:
    """Options of the rules that were never legal, with the tables that have them; one finding for a choice that nobody had.

    ``fast``: whether games are played by modules. ``told``: whether it is known already of the line at a place.
    """
    suspects = {span for at in tables for span in at.seen.missing or ()}
    if not suspects:
        return
    missing = [one for one in _written(suspects, tables) if not told(one.span) and not told(one.choose)]
    missing = [one for one in missing if all(one.span in (at.seen.missing or ()) for at in one.at)]
    missing = [one for one in missing if not _asks_for_numbers(one.span, game)]
    again = [at for at in tables if any(at in one.at for one in missing)]
    games = sum(at.seen.games for at in again)
    for at in sorted(again, key=lambda at: at.is_little)[:TABLES]:
        if not any(at in one.at for one in missing) or late():
            continue
        seen = Seen(missing=at.seen.missing)
        if fast and not at.is_little:
            lead(at.game(), seed + 1, DECISIONS // TABLES, late, seen, GAMES // min(len(again), TABLES))
        else:
            lead_few(at.game(), seed + 1, FEW_DECISIONS // TABLES, late, seen)
        games += seen.games
        missing = [one for one in missing if at not in one.at or one.span in (seen.missing or ())]
    if late() or games < GAMES:
        return
    chosen = {one.choose for one in missing}
    whole = {choose for choose in chosen if _is_all_of(choose, missing, tables)}
    said: set[Span] = set()
    for one in missing:
        place = one.choose if one.choose in whole else one.span
        if place not in said:
            said.add(place)
            what, mend = f"`{one.verb}` was never allowed", "loosen what it asks for"
            if one.choose in whole:
                what, mend = "nobody had this choice", "let the game lead here"
            why = [(span, f"`{one.verb}` asks for this") for span in one.conditions[:1]]
            why += [(span, "and for this") for span in one.conditions[1:]]
            places = why if place == one.span else ()
            finding = warning("R392", f"{what} in any of the test games", place, *places, help=f"{mend}, or leave it out")
            yield finding, [at.choice for at in one.at]


def _written(suspects: Collection[Span], tables: Iterable[LedAt]) -> list[_Missing]:
    """Those of some options that stand in the rules, with the tables that have them."""
    found: dict[Span, _Missing] = {}
    for at in tables:
        machine = at.game().machine
        for choose in decisions(machine):
            for each in choose.alternatives:
                verb = machine.groups[each.group].verb
                if each.span in suspects and verb in each.span.text:
                    asked = [condition.span for condition in each.conditions]
                    one = found.setdefault(each.span, _Missing(each.span, verb, choose.span, asked, []))
                    if at not in one.at:
                        one.at.append(at)
    return [*found.values()]


def _is_all_of(choose: Span, missing: Collection[_Missing], tables: Iterable[LedAt]) -> bool:
    """Whether all options of a choice are missing."""
    gone = {one.span for one in missing}
    choices = (stmt for at in tables for stmt in decisions(at.game().machine) if stmt.span == choose)
    return gone >= {each.span for stmt in choices for each in stmt.alternatives}


def _asks_for_numbers(option: Span, game: Model) -> bool:
    """Whether the step or phase in which an option stands asks for a number that is an option of the game."""
    whole = (game.declarations, game.variants)
    numbers, defines, todo = set[str](), dict[str, list[model.Node]](), list[model.Node]()
    for node in walk_statements(whole):
        match node:
            case model.OptionDeclaration(name=name, domain=domain) if domain.type.base == "number":
                numbers.add(name)
            case model.Define(name=name):
                defines.setdefault(name, []).append(node)
            case model.Step() if any(inside.span == option for inside in walk_statements(node)):
                todo.append(node)
            case _:
                pass
    while todo:
        part = todo.pop()
        if isinstance(part, model.OptionValue) and part.name in numbers:
            return True
        if isinstance(part, model.Apply):
            todo += defines.pop(part.define, [])
        if isinstance(part, model.Option) and not any(inside.span == option for inside in walk_statements(part.body)):
            todo += [*part.arguments, *part.conditions]  # what other options do comes later
        else:
            todo += children(part)
    return False
