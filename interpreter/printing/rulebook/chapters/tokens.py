"""The tokens of a game: how many there are of those with which counters pay one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....model import model as m
from ....model.visitor import walk_statements
from ....syntax import tree
from ..telling.numbers import Tables
from ..telling.statements import Statements


def paid_around(teller: Statements, declarations: tuple[m.Declaration, ...], tables: Tables) -> tuple[set[str], dict[int, int]]:
    """The counters that only pay one another after the setup, and how many tokens they hold together, for each number of players.

    Nothing is found where that cannot be told: the set is empty then.
    """
    setup = [each for each in declarations if isinstance(each, m.Step) and each.form == "setup"]
    others = [each for each in declarations if each not in setup]
    names = {each.name for _, each in _changed(teller, others) if teller.written.at(each.span, tree.Pay)}
    counters = {each.name: each for each in declarations if isinstance(each, m.Variable) and each.form == "counter"}
    if not names or not all(_begins_empty(counters.get(name)) for name in names):
        return set(), {}
    for _, change in _changed(teller, others):
        is_paid = teller.written.at(change.span, tree.Pay) is not None
        if change.name in names and not is_paid and not (isinstance(change.value, m.Const) and change.value.value == 0):
            return set(), {}
    total = dict.fromkeys(tables.counts, 0)
    for _, change in _changed(teller, setup):
        if change.name not in names:
            continue
        values: Mapping[int, int] | None = teller.facts.numbers.of(change.value)
        if values is None or (change.owner is not None and change.owner.type.base != "player"):
            return set(), {}
        for count in total:
            total[count] += values[count] * (1 if change.owner is None else count)
    return (names, total) if any(total.values()) else (set(), {})


def _begins_empty(counter: m.Variable | None) -> bool:
    return counter is not None and isinstance(counter.domain.low, m.Const) and counter.domain.low.value == 0


def _changed(teller: Statements, declarations: Sequence[m.Declaration]) -> Iterator[tuple[m.Declaration, m.SetVariable]]:
    for each in declarations:
        yield from ((each, node) for node in walk_statements(each) if isinstance(node, m.SetVariable))
