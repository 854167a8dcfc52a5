"""Marks in the code, which show to a watcher the parts of the rules that a game reaches.

A mark is a function that returns its argument, so a machine with marks plays the very games of the machine without them, in every
executor; the kernel knows nothing of marks. An executor that is told their names can watch their values. A mark stands before
each statement of the rules::

    draw 1 from deck to won of player        reached = at line 27(0)
                                             if deck = {} ...

and inside expressions a value goes through one: each case of ``X if A``, the key of a table lookup, the members that a key of a
ranking has to decide between, the value that a line of the score counts, the legal positions of an option.
"""

from __future__ import annotations

from typing import Literal

from attrs import define, field, frozen

from ....common.source import Span
from ...machine import Expr, Function, Invoke, Load, Local, Return

MarkKind = Literal["statement", "case", "table", "tie", "score", "offer", "impossible"]


@frozen
class Mark:
    """What stands at ``span`` in the rules, and what goes through it.

    ``statement``: nothing; it runs. ``case``: its value. ``table``: the key; ``of`` names the table. ``tie``: those between whom
    a key has to decide, as a set, of which only ``among`` (a set; -1: all) tells how many differ. ``score``: what is counted.
    ``offer``: the legal positions; ``of`` names the verb. ``impossible``: nothing; ``of`` names the site where nothing is legal.
    """

    kind: MarkKind
    span: Span
    of: str = ""
    among: int = -1


@define(eq=False)
class Marks:
    """The marks of a machine in the making, by the names of their functions.

    ``rows``: of each table, the keys with which it was asked already when the machine was made.
    """

    by_name: dict[str, Mark] = field(factory=dict)
    rows: set[tuple[str, int]] = field(factory=set)
    _names: dict[tuple[Mark, int], str] = field(factory=dict)

    def through(self, expr: Expr, mark: Mark, bits: int, parameter: Local) -> tuple[Expr, Function | None]:
        """An expression that goes through a mark (``bits`` as of a function), and the function of a mark that is new."""
        name = self._names.get((mark, bits))
        if name is not None:
            return Invoke(name, (expr,)), None
        name = self._names[mark, bits] = f"mark {len(self._names) + 1}"
        self.by_name[name] = mark
        return Invoke(name, (expr,)), Function(name, (parameter,), bits, (Return(Load(parameter)),))
