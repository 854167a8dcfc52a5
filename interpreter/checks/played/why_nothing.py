"""Why a line of the score sheet gives nobody anything, as games show it: parts of its condition that never held, alone or
together, and numbers in it that always were the same.

The parts are asked for at the ends of games, of each player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...machine.from_table import lower
from ...machine.reference.executor import Executor, FunctionFault
from ...model import model
from ...model.model import Expr, Term
from ...model.rebuild import substituted
from ...source import Span
from ...table.table import Table

GAMES = 100
LONG = 2_000  # decisions of a game
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
    names = {
        f"part {number} of {seat}": substituted(part, {term.player: model.Const(seat, type=model.PLAYER, span=part.span)})
        for number, part in enumerate(parts)
        for seat in range(table.players)
    }
    machine = lower(table, extra=names).machine if names else None
    if machine is None:
        return {}
    executor = Executor(machine)
    found: dict[Span, list[int]] = {part.span: [] for part in parts}
    for number in range(GAMES):
        cells = executor.fresh(seed, number)
        stop = executor.enter(cells)
        for _ in range(LONG):
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
            elif stop.kind == "decision":
                stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
            else:
                break
        if stop.kind == "over":
            for name in names:
                span = parts[int(name.split()[1])].span
                try:
                    found[span].append(executor.evaluate(cells, name))
                except FunctionFault:
                    return {}
    return {span: values for span, values in found.items() if values}
