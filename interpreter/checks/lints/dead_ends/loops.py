"""Loops that can never end, since nothing in them moves their end condition in the right direction (R305).

A loop that passes is not proved to end; a game that runs on stops at a stated limit, with its line. The finding is a loop in
which nothing that is done can bring the end nearer: ``repeat until deck is empty`` where cards only go into the deck, or ``repeat
until pot is 5`` where nobody touches the pot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from ....common.diagnostics import Diagnostic, fault, warning
from ....common.source import Source
from ....model import model
from ....model.model import GAMES_PLAYED, Const, Expr, Model
from ....model.visitor import substituted, walk, walk_statements
from ....table.table import Table
from ...dataflow.dependence import read, read_names
from ...dataflow.effects import ZONES, Effects, PointsTo, effects, everything_done, written

PLACES = 3  # of what sets a counter, so much is shown


def loops(table: Table) -> Iterator[Diagnostic]:
    """A finding (R305) for each loop whose end nothing in it can bring, and for a match of that sort."""
    lying = PointsTo.of(table)
    for node in table.statements:
        if isinstance(node, model.Repeat) and node.at_most is not None:
            continue
        if isinstance(node, model.Repeat) and any(isinstance(s, model.Include) for s in walk_statements(node.body)):
            continue  # a selection ends when there is enough in it, or nothing is left
        if isinstance(node, model.Repeat | model.TakeTurns) and not _leaves_the_loop(node.body, table):
            done = effects(node.body, lying)
            if not _can_come(node.until, done, table):
                yield fault(
                    "R305",
                    "this loop never ends: nothing in it can bring its end",
                    node.until.span,
                    label=_why(node.until, done, table),
                    help=_brought(node.until, done, table),
                )
    match = table.match
    if match is not None and match.until is not None:
        asked, done_there = read(match.until, table), set().union(*(written(step.body, table) for step in table.flow))
        if not asked & (done_there | {GAMES_PLAYED}):
            what = " and ".join(f"`{name}`" for name in sorted(asked - {ZONES})) or "nothing that can change"
            yield fault(
                "R305",
                "nothing in the game can bring the end of this match",
                match.until.span,
                label=f"this depends on {what}",
                help="ask for what changes in a game, such as `somebody with score at least 10`",
            )


def _leaves_the_loop(body: model.Body, table: Table) -> bool:
    """Whether something in a loop can leave it: an ``end`` of what is around it, or of the game."""
    done = list(everything_done(body, table))
    inside = {node.name for node in done if isinstance(node, model.NamedBlock)}
    inside |= {node.step for node in done if isinstance(node, model.Do)}
    return any(isinstance(node, model.End) and node.name not in inside for node in done)


# ---- What no counter ever becomes


def ends_that_never_come(game: Model, file: Source) -> Iterator[Diagnostic]:
    """A finding (R327) for each part of a loop's end that asks for what a counter never becomes, whatever is played.

    All that sets the counter, at whichever table, is looked at. Of one that nothing sets, R324 speaks.
    """
    lines = (*game.declarations, *game.variants)
    declared = [node for node in walk(lines) if isinstance(node, model.Variable) and node.form == "counter"]
    counters = {each.name: each for each in declared if sum(other.name == each.name for other in declared) == 1}
    settings: dict[str, list[model.SetVariable]] = {}
    for node in walk(lines):
        if isinstance(node, model.SetVariable):
            settings.setdefault(node.name, []).append(node)
    for loop in walk(lines):
        if not isinstance(loop, model.Repeat | model.TakeTurns) or loop.until.span.source != file:
            continue
        for part in _alternatives(loop.until):
            match part:
                case model.Compare(op=op, left=model.VariableValue(name=name), right=Const(value=wanted)):
                    counter_first = True
                case model.Compare(op=op, left=Const(value=wanted), right=model.VariableValue(name=name)):
                    counter_first = False
                case _:
                    continue
            values = _becomes(counters[name], settings.get(name, ())) if name in counters and name in settings else None
            if values is not None and not any(_holds(op, *((v, wanted) if counter_first else (wanted, v))) for v in values):
                said = " or ".join(map(str, sorted(values)))
                yield warning(
                    "R327",
                    f"`{part.span.text}` never holds, so it never ends this loop",
                    part.span,
                    *((node.span, f"`{name}` is set only to {node.value.span.text}") for node in settings[name][:PLACES]),
                    *((node.span, f"nothing is done here, `{name}` stays as it is") for node in _idle(loop)[:1]),
                    label=f"`{name}` is never anything but {said}",
                    help=f"change `{name}` in the loop, as in `add 1 to {name}`",
                )


def _idle(loop: model.Repeat | model.TakeTurns) -> list[model.Option]:
    """The options in a loop that do nothing."""
    return [node for node in walk_statements(loop.body) if isinstance(node, model.Option) and not node.body]


def _alternatives(end: Expr) -> Iterator[Expr]:
    """The conditions of which each would end a loop by itself, and those without which none of the former holds."""
    match end:
        case model.Logic(left=left, right=right):
            yield from _alternatives(left)
            yield from _alternatives(right)
        case _:
            yield end


def _becomes(counter: model.Variable, settings: Sequence[model.SetVariable]) -> set[int] | None:
    """All that a counter can ever be; None where it is set to anything but written numbers."""
    low = counter.domain.low
    if not isinstance(low, Const) or counter.domain.values or counter.domain.type.optional:
        return None
    values = {max(0, low.value)}
    for setting in settings:
        if not isinstance(setting.value, Const):
            return None
        values.add(setting.value.value)
    return values


def _holds(op: str, left: int, right: int) -> bool:
    return left == right if op == "=" else left < right if op == "<" else left <= right


# ---- Which way


def _can_come(end: Expr, done: Effects, table: Table, wanted: bool = True) -> bool:
    """Whether a condition that does not hold (``wanted`` False: that holds) could change its value by what is done."""
    match end:
        case Const():
            return False
        case model.Not(value=value):
            return _can_come(value, done, table, not wanted)
        case model.Logic(left=left, right=right):
            return any(_can_come(side, done, table, wanted) for side in (left, right))
        case model.Apply(define=name, args=args):
            word = table.defines[name]
            said = substituted(word.value, dict(zip(word.parameters, args, strict=True)))
            return _can_come(said, done, table, wanted) if said.type == model.TRUTH else _changes(end, done, table)
        case model.Some(of=model.ZoneContent() as zone):
            return _can_change(zone, done, table, more=wanted)
        case (
            model.Compare(op="=", left=model.ZoneContent() as zone, right=Const(value=-1 | 0))
            | model.Compare(op="=", left=Const(value=-1 | 0), right=model.ZoneContent() as zone)
        ):
            return _can_change(zone, done, table, more=not wanted)
        case model.Compare(op="<" | "<=" as op, left=left, right=right):
            less, more = (left, right) if wanted else (right, left)
            least, most = _range(less, table)[0], _range(more, table)[1]
            if least > most or (least == most and (op == "<") == wanted):
                return False  # whatever they become
            return _can_change(left, done, table, more=not wanted) or _can_change(right, done, table, more=wanted)
        case _:
            return _changes(end, done, table)


def _range(value: Expr, table: Table) -> tuple[float, float]:
    """The least and the greatest that a number can be."""
    match value:
        case Const(value=number):
            return number, number
        case model.VariableValue(name=name) if (domain := table.variables[name].range) is not None:
            return domain.low, domain.high
        case _:
            return -inf, inf


def _can_change(value: Expr, done: Effects, table: Table, *, more: bool) -> bool:
    """Whether a number, or how many components lie in a zone, can become more (else less)."""
    match value:
        case Const():
            return False
        case model.Count(of=model.ZoneContent() as zone):
            return _can_change(zone, done, table, more=more)
        case model.ZoneContent():
            return _somewhere(read_names(value, table), done.gains if more else done.loses) or _asks_of(value, done, table)
        case model.VariableValue(name=name):
            return name in (done.rises if more else done.falls) or _asks_of(value, done, table)
        case _:
            return _changes(value, done, table)


def _asks_of(value: model.ZoneContent | model.VariableValue, done: Effects, table: Table) -> bool:
    """Whether another player (or word) can come to be meant."""
    return value.owner is not None and _changes(value.owner, done, table)


def _changes(value: Expr, done: Effects, table: Table) -> bool:
    """Whether anything changes on which a value depends."""
    asked = read_names(value, table)
    return bool(asked & done.changes) or _somewhere(asked, done.gains | done.loses)


def _somewhere(asked: set[str], changed: frozenset[str]) -> bool:
    """Whether a zone that is asked for is among those that change."""
    return bool(changed) if ZONES in asked else bool(asked & changed)


def _why(end: Expr, done: Effects, table: Table) -> str:
    asked = sorted(name for name in read_names(end, table) if name != ZONES)
    if not asked:
        return "this depends on nothing that can change"
    one_way = [name for name in asked if name in done.changes]
    if not one_way:
        return f"nothing in the loop changes {' or '.join(f'`{name}`' for name in asked)}"
    more = [f"`{name}` only {'grows' if name in done.gains | done.rises else 'becomes less'}" for name in one_way]
    return " and ".join(more) + " here"


def _brought(end: Expr, done: Effects, table: Table) -> str:
    """What to write so that a loop comes to its end."""
    counters = [node for node in walk(end) if isinstance(node, model.VariableValue) and table.variables[node.name].range]
    last = "if it shall end whatever happens, say `at most N times`"
    if len(counters) == 1 and counters[0].name not in done.changes:
        down = isinstance(end, model.Compare) and Const(0, type=model.NUMBER, span=end.span) in (end.left, end.right)
        change = f"{'take 1 from' if down else 'add 1 to'} {counters[0].span.text}"
        return f"change `{counters[0].name}` in the loop, as in `{change}`; or, {last}"
    return f"change it in the loop; or, {last}"
