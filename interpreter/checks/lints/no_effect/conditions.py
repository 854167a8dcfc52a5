"""Conditions that are always or never true, by the declared ranges of the numbers that they compare (R327)."""

from __future__ import annotations

from collections.abc import Iterator

from ....common.diagnostics import Diagnostic, warning
from ....common.nouns import is_for
from ....common.source import Span
from ....model import model
from ....model.model import Model, Typed
from ....model.visitor import children, walk
from ...dataflow.ranges import Ranges


def conditions(line: model.Node, players: list[int], variant: str, game: Model, ranges: Ranges) -> Iterator[Diagnostic]:
    """The conditions in a line of the rules, or of a variant, that are the same for all these numbers of players."""
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
                yield _same(node, found == {True}, players, variant, game, ranges)
                continue
        todo += [(part, _around(node, around)) for part in parts]


def _around(node: model.Node, around: Span | None) -> Span | None:
    """Where a condition of a construct's own making stands: it is written nowhere by itself.

    That is the place of the expression around it, or of what an option takes: a selection asks whether it can be completed.
    """
    match node:
        case model.Option(arguments=(argument, *_)):
            return argument.span
        case model.Condition():
            return around
        case _:
            return node.span if isinstance(node, model.Typed) else None


def in_play(variant: model.Variant, game: Model, ranges: Ranges) -> Iterator[Diagnostic]:
    """The constant conditions among a variant's needs and those that put it in play, for any number of players.

    Conditions under which nobody could play the variant are left out (R408). So are needs that hold at all tables (R382 reports
    these), and conditions that put the variant in play at all tables, since house rules may want that.
    """
    players = list(range(game.players[0], game.players[1] + 1))
    for condition in (*variant.always, *variant.needs):
        found = {ranges.holds(condition, count) for count in players}
        if found == {False} and condition in variant.always:
            yield _same(condition, False, players, "", game, ranges)
        elif found not in ({True}, {False}):
            yield from conditions(condition, players, "", game, ranges)


def _same(condition: model.Node, always: bool, players: list[int], variant: str, game: Model, ranges: Ranges) -> Diagnostic:
    often = "always" if always else "never"
    others: list[tuple[Span, str]] = []
    help = "change what is compared"
    if compares_players(condition):
        counts = f"{players[0]}" if len(players) == 1 else f"{players[0]} to {players[-1]}"
        label = f"`{variant}` is played by {counts}" if variant else ""
        others = [] if variant else [(game.players_span, is_for(game.players))]
        help = f"compare the number of players with {counts}"
        help += "" if variant else ", or change the line that says for how many the game is"
    else:
        label = " and ".join(ranges.said(condition, players[-1]))
        if isinstance(condition, model.Compare):
            limit = "" if always else ranges.could_hold(condition, players[-1])
            able = ranges.able(condition, players[-1])
            help = limit or (f"compare {able}" if able else help)
        if any(isinstance(node, model.PlayerCount) for node in walk(condition)):
            label = f"with {players[-1]} players {label}" if label else ""
            help = "change what is compared, or declare more values"
    help += "; or, if it shall always be so, write the rules without this condition" if always else ""
    return warning("R327", f"`{condition.span.text}` {often} holds", condition.span, *others, label=label, help=help)


def compares_players(condition: model.Node) -> bool:
    """Whether a condition is about the number of players, and about nothing else but numbers that are written."""
    parts = [node for node in walk(condition) if isinstance(node, Typed) and not isinstance(node, model.Const)]
    return any(isinstance(node, model.PlayerCount) for node in parts) and all(
        isinstance(node, model.PlayerCount | model.Arithmetic | model.Compare | model.Logic | model.Not) for node in parts
    )
