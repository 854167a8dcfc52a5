"""The reasons why a line of the score sheet was always 0, as games show them.

Reasons are parts of its condition that never held, alone or together, and numbers in it that were always the same. They are
evaluated at the ends of games, for each player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....common.source import Span
from ....machine.from_table import lower
from ....machine.reference.executor import Executor, FunctionFault
from ....model import model
from ....model.model import Expr, Term
from ....model.visitor import substituted
from ....table.table import Table
from ..playing.played_by_bots import random_game

GAMES = 100
PARTS = 12  # of a line that are asked for


def why_nothing(term: Term, table: Table, seed: int) -> list[tuple[Span, str]]:
    """What explains that a line is 0, with places; nothing where games do not show it."""
    conditions = list(_parts(term.condition, "and", table)) if term.condition is not None else []
    numbers = list(_numbers(term.value)) if term.each is None else []
    asked = [part for part in (*conditions, *numbers) if term.each is None][:PARTS]
    found = _asked(asked, term, table, seed)
    if not found:
        return []
    never = [part for part in conditions if part.span in found and not any(found[part.span])]
    if never:
        return [(part.span, "this never held at the end of a game") for part in never]
    together = [found[part.span] for part in conditions if part.span in found]
    if len(together) > 1 and not any(map(all, zip(*together, strict=True))):
        first, *others = conditions
        return [(first.span, "this held, but never with the rest"), *((part.span, "of this") for part in others)]
    same = [(part, found[part.span][0]) for part in numbers if part.span in found and len({*found[part.span]}) == 1]
    return [(part.span, f"this was always {number} at the end of a game") for part, number in same]


def _parts(node: Expr, op: str, table: Table) -> Iterator[Expr]:
    """What a condition joins; of a define, what it says."""
    match node:
        case model.Logic(op=joined, left=left, right=right) if joined == op:
            yield from _parts(left, op, table)
            yield from _parts(right, op, table)
        case model.Apply(define=name, args=args) if isinstance(table.defines[name].value, model.Logic):
            define = table.defines[name]
            yield from _parts(substituted(define.value, dict(zip(define.parameters, args, strict=True))), op, table)
        case _:
            yield node


def _numbers(node: Expr) -> Iterator[Expr]:
    """The numbers of which one is reckoned, but those that are written as numbers."""
    if isinstance(node, model.Arithmetic):
        for part in (node.left, node.right):
            if not isinstance(part, model.Const):
                yield part
                yield from _numbers(part)


def _asked(parts: list[Expr], term: Term, table: Table, seed: int) -> Mapping[Span, list[int]]:
    """What parts of a line are, for each player at the end of each game."""
    seats = [model.Const(seat, type=model.PLAYER, span=term.span) for seat in range(table.players)]
    asked = {
        f"part {number} of {seat.value}": (part.span, substituted(part, {term.player: seat}))
        for number, part in enumerate(parts)
        for seat in seats
    }
    machine = lower(table, extra={name: part for name, (_, part) in asked.items()}).machine if asked else None
    if machine is None:
        return {}
    executor = Executor(machine)
    found: dict[Span, list[int]] = {part.span: [] for part in parts}
    for number in range(GAMES):
        cells, stop = random_game(executor, seed, number)
        for name, (span, _) in asked.items() if stop.kind == "over" else ():
            try:
                found[span].append(executor.evaluate(cells, name))
            except FunctionFault:
                return {}
    return {span: values for span, values in found.items() if values}
