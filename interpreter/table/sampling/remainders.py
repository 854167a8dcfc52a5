"""Values of an option that leave different remainders where the rules divide.

A grid of `side` x `side` cells has a middle only where `side` is odd, and a number that is halved may come out even or not. Where
the smallest, the largest and the default value of an option all leave the same remainder, tables with these three tell nothing
of the others. So for each division by a number that is settled before a game, and for each grid whose middle is asked for, one
more value is tried for each remainder that is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from attrs import evolve

from ...model import model
from ...model.model import NUMBER, Const, Expr
from ...model.visitor import substituted, walk
from ..from_model.fold import Settled

DIVISOR_LIMIT = 12  # larger divisors leave too many remainders
VALUES_LIMIT = 200  # of an option, those that are worth looking at


def with_other_remainders(
    name: str, values: Sequence[int], tried: Collection[int], declarations: Collection[model.Declaration], settled: Settled
) -> tuple[int, ...]:
    """The first value of an option for each remainder that no value among ``tried`` leaves.

    ``declarations``: those of a table, with its variants; ``settled``: its other options.
    """
    defines = {line.name: line for line in declarations if isinstance(line, model.Define)}
    grids = {line.name: line for line in declarations if isinstance(line, model.Grid)}
    found: list[int] = []
    for dividend, divisor in _divisions(declarations, defines, grids):
        by = settled.value(divisor) if _is_settled(divisor) else None
        if by is None or not 1 < by <= DIVISOR_LIMIT or not _asks_for(name, dividend, defines):
            continue
        left: set[int] = {_remainder(name, value, dividend, by, settled) for value in (*tried, *found)}
        for value in values:
            if len(left) == by:
                break
            remainder = _remainder(name, value, dividend, by, settled)
            if remainder not in left:
                left.add(remainder)
                found.append(value)
    return tuple(found)


def _divisions(
    declarations: Collection[model.Declaration], defines: dict[str, model.Define], grids: dict[str, model.Grid]
) -> Iterator[tuple[Expr, Expr]]:
    """What is divided, and by what. An argument of a define is looked at where it is given."""
    for node in walk(tuple(declarations)):
        match node:
            case model.Arithmetic(op="div" | "div up" | "mod", left=left, right=right):
                yield left, right
            case model.Apply(define=name, args=args) if name in defines and args:
                whole = substituted(defines[name].value, dict(zip(defines[name].parameters, args, strict=True)))
                for part in walk(whole):
                    if isinstance(part, model.Arithmetic) and part.op in ("div", "div up", "mod"):
                        yield part.left, part.right
            case model.Bounds(what="middle", of=of) if of.type.of in grids:
                grid = grids[of.type.of]
                yield from ((size, Const(2, type=NUMBER, span=node.span)) for size in (grid.width, grid.height))
            case _:
                pass


def _is_settled(node: Expr) -> bool:
    """Whether only options and numbers are asked for, which are known before a game."""
    return all(isinstance(part, Const | model.OptionValue | model.PlayerCount | model.Arithmetic) for part in walk(node))


def _asks_for(option: str, node: Expr, defines: dict[str, model.Define]) -> bool:
    """Whether an expression depends on an option, by way of defines too."""
    seen: set[str] = set()
    todo: list[Expr] = [node]
    while todo:
        for part in walk(todo.pop()):
            if isinstance(part, model.OptionValue) and part.name == option:
                return True
            if isinstance(part, model.Apply) and part.define in defines and part.define not in seen:
                seen.add(part.define)
                todo.append(defines[part.define].value)
    return False


def _remainder(name: str, value: int, dividend: Expr, by: int, settled: Settled) -> int:
    """What a value of an option leaves; of a dividend that is known only in a game, what the value itself leaves."""
    if not _is_settled(dividend):
        return value % by
    chosen = evolve(settled, options={**settled.options, name: value}, found=[], asked=set(), needed=set())
    whole = chosen.value(dividend)
    return (value if whole is None else whole) % by
