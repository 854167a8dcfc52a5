"""Which conditions are the same whenever they are asked? Those for which the ranges of what they compare leave no doubt."""

from __future__ import annotations

from collections.abc import Iterator

from ...diagnostics import Diagnostic, warning
from ...model import model
from ...model.model import Model
from ...model.rebuild import children, walk
from ...source import Span
from .ranges import Ranges


def conditions(line: model.Node, players: list[int], where: str, ranges: Ranges) -> Iterator[Diagnostic]:
    """The conditions in a declaration that are the same for all these numbers of players."""
    todo: list[tuple[model.Node, Span | None]] = [(line, None)]
    while todo:
        node, around = todo.pop()
        if isinstance(node, model.NamedBlock) and not node.is_written:
            continue  # its conditions are of its construct's making
        if isinstance(node, model.Repeat | model.TakeTurns):
            parts = [part for part in children(node) if part is not node.until]  # R305 knows more of those
        else:
            parts = list(children(node))
        if isinstance(node, model.Compare | model.Logic | model.Not) and node.span != around:
            found = {ranges.holds(node, count) for count in players}
            if len(found) == 1 and None not in found:
                yield _same(node, found == {True}, players, where, ranges)
                continue
        todo += [(part, node.span if isinstance(node, model.Typed) else None) for part in parts]


def in_play(variant: model.Variant, game: Model, ranges: Ranges) -> Iterator[Diagnostic]:
    """The same of what a variant needs, and of when it always is in play, with any number of players; not where nobody could
    play it (R408), nor of what holds at all tables, as house rules may want it (R382 says it of what is needed).
    """
    players = list(range(game.players[0], game.players[1] + 1))
    for condition in (*variant.always, *variant.needs):
        found = {ranges.holds(condition, count) for count in players}
        if found == {False} and condition in variant.always:
            yield _same(condition, False, players, game.game, ranges)
        elif found not in ({True}, {False}):
            yield from conditions(condition, players, game.game, ranges)


def _same(condition: model.Node, always: bool, players: list[int], where: str, ranges: Ranges) -> Diagnostic:
    often = "always" if always else "never"
    counts = f"{players[0]}" if len(players) == 1 else f"{players[0]} to {players[-1]}"
    by_players = any(isinstance(n, model.PlayerCount) for n in walk(condition))
    label = f"{where} is played by {counts}" if by_players else " and ".join(ranges.said(condition, players[-1]))
    help = "change what is compared"
    if isinstance(condition, model.Compare):
        able = f"the number of players with {counts}" if by_players else ranges.able(condition, players[-1])
        limit = "" if always else ranges.could_hold(condition, players[-1])
        help = limit or (f"compare {able}" if able else help)
    help += "; or, if it shall always be so, write the rules without this condition" if always else ""
    return warning("R327", f"`{condition.span.text}` {often} holds", condition.span, label=label, help=help)
