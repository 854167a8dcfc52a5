"""Can a loop ever end? Something in it must be able to change what its end depends on.

This proves nothing about loops that it passes (a game may still run on; then it stops at a stated limit, with its line). It
finds the loop in which nothing that is done can bring the end nearer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...diagnostics import Diagnostic, fault
from ...model import model
from ...model.model import GAMES_PLAYED
from ...model.rebuild import walk
from ...table.table import Table

ZONES = " zones"  # a move can change any zone


def loops(table: Table) -> Iterator[Diagnostic]:
    """A finding (R305) for each loop whose end nothing in it can bring, and for a match of that sort."""
    for step in table.all_steps:
        for node in walk(step.body):
            if isinstance(node, model.Repeat) and node.at_most is not None:
                continue
            if isinstance(node, model.Repeat) and any(isinstance(s, model.Include) for s in walk(node.body)):
                continue  # a selection ends when there is enough in it, or nothing is left
            if isinstance(node, model.Repeat | model.TakeTurns) and not leaves(node.body, table):
                asked, done = read(node.until, table), written(node.body, table)
                if not asked & done:
                    what = " and ".join(f"`{name}`" for name in sorted(asked - {ZONES})) or "nothing that can change"
                    yield fault(
                        "R305", "nothing in this loop can bring its end", node.until.span, label=f"this depends on {what}",
                        help="change it in the loop, or say `at most N times`",
                    )  # fmt: skip
    match = table.match
    if match is not None and match.until is not None:
        asked, done = read(match.until, table), set().union(*(written(step.body, table) for step in table.flow))
        if not asked & (done | {GAMES_PLAYED}):
            what = " and ".join(f"`{name}`" for name in sorted(asked - {ZONES})) or "nothing that can change"
            yield fault(
                "R305", "nothing in the game can bring the end of this match", match.until.span, label=f"this depends on {what}",
                help="ask for what changes in a game, such as `somebody with score at least 10`",
            )  # fmt: skip


def read(expr: model.Node, table: Table) -> set[str]:
    """The counters and markers that an expression depends on, and whether it depends on zones."""
    found: set[str] = set()
    seen: set[str] = set()
    todo: list[model.Node] = [expr]
    while todo:
        for node in walk(todo.pop()):
            match node:
                case model.VariableValue(name=name):
                    found.add(name)
                case model.ZoneContent() | model.OwnerOf():
                    found.add(ZONES)
                case model.Apply(define=define) if define not in seen:
                    seen.add(define)
                    todo.append(table.defines[define].value)
                case model.ScoreOf() | model.Winners():
                    found |= {ZONES, *table.variables}
                case _:
                    pass
    return found


def _everything_done(body: model.Body, table: Table) -> Iterable[model.Node]:
    """All statements of a body, those of steps that it does included."""
    seen: set[str] = set()
    todo: list[model.Body] = [body]
    while todo:
        for node in walk(todo.pop()):
            yield node
            if isinstance(node, model.Do) and node.step not in seen:
                seen.add(node.step)
                todo.append(table.steps[node.step].body if node.step in table.steps else ())


def written(body: model.Body, table: Table) -> set[str]:
    """The counters and markers that statements may set, and whether they may move anything."""
    found: set[str] = set()
    for node in _everything_done(body, table):
        if isinstance(node, model.SetVariable):
            found.add(node.name)
        elif isinstance(node, model.Move | model.Draw | model.HoldBack):
            found.add(ZONES)
    return found


def leaves(body: model.Body, table: Table) -> bool:
    """Whether something in a loop can leave it (``end ...``)."""
    return any(isinstance(node, model.End) for node in _everything_done(body, table))
