"""Repeated conditions and ranking keys (R329), ranking keys behind one that leaves no tie (R361), and statements that leave
everything as it was (R330)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ....common.diagnostics import Diagnostic, warning
from ....common.intervals import NONE
from ....common.nouns import plural
from ....common.source import Span
from ....model import model
from ....model.from_tree.names.ties import tells_apart
from ....model.model import Const
from ....model.visitor import walk

OFFERED = 3  # lines of the score that are named


def twice(line: model.Node, game: model.Model) -> Iterator[Diagnostic]:
    """A condition of an option, or a key of a ranking, that has been asked before in the same place (R329)."""
    for node in walk(line):
        help = "ask for something else, or remove it"
        said: list[tuple[object, Span]]
        match node:
            case model.Winner(keys=keys) | model.Best(keys=keys) | model.PlaceOf(keys=keys) | model.ByKeys(keys=keys):
                said = [((key.direction, key.value), key.span) for key in keys]
                if isinstance(node, model.Winner):
                    help = _other_lines(node, game) or help
                why = "players who are equal in the first are equal in the second, too"
            case model.Option(conditions=conditions):
                said = [((each.laid, each.test), each.span) for each in conditions]
                why = "it holds already"
            case _:
                continue
        for index, (what, span) in enumerate(said):
            earlier = next((place for other, place in said[:index] if other == what), None)
            if earlier is not None:
                yield warning(
                    "R329",
                    f"`{span.text}` is asked a second time: {why}",
                    span,
                    (earlier, "here first"),
                    label="here again",
                    help=help,
                )


def untied(line: model.Node, kinds: Mapping[str, model.Kind]) -> Iterator[Diagnostic]:
    """A key of a ranking of components or players that never decides, since an earlier one leaves no tie (R361)."""
    for node in walk(line):
        match node:
            case model.Best(var=var, keys=keys) | model.PlaceOf(var=var, keys=keys) | model.ByKeys(var=var, keys=keys):
                pass
            case _:
                continue
        for index, key in enumerate(keys[:-1], 1):
            if _leaves_no_tie(keys[:index], var, kinds):
                who = "players sit on one seat" if var.type == model.PLAYER else f"{plural(var.type.of)} are the same in this"
                yield warning(
                    "R361",
                    "this never decides: no two are level in what was asked before",
                    keys[index].span,
                    (key.span, f"no two {who}"),
                    help="leave it out, or ask for it first",
                )
                break


def _leaves_no_tie(keys: Sequence[model.Key], var: model.Var, kinds: Mapping[str, model.Kind]) -> bool:
    own = [
        key.value
        for key in keys
        if isinstance(key.value, model.SeatNumber | model.AttributeOf)
        and isinstance(key.value.of, model.VarValue)
        and key.value.of.var is var
    ]
    if any(isinstance(each, model.SeatNumber) for each in own):
        return True
    kind, names = kinds.get(var.type.of), {each.attribute for each in own if isinstance(each, model.AttributeOf)}
    if kind is None or any(row.values.get(name, NONE) == NONE for row in kind.rows or () for name in names):
        return False
    return tells_apart(kind, names)


def _other_lines(winner: model.Winner, game: model.Model) -> str:
    """Which lines of the score could decide who wins, as keys; "" where there are not several, or all are asked."""
    asked = {key.value.term for key in winner.keys if isinstance(key.value, model.ScoreOf)}
    lines = [line.name for line in game.declarations if isinstance(line, model.Term)]
    left = [f"`highest score for {name}`" for name in lines if name not in asked]
    offered = " or ".join(left[:OFFERED])
    return f"leave the second out, or compare something else, such as {offered}" if left and len(lines) > 1 else ""


def idle(line: model.Node) -> Iterator[Diagnostic]:
    """Statements after which all is as it was (R330)."""
    idle = {node.span: (node, why) for node in walk(line) if (why := _idleness(node))}
    for span, (node, why) in idle.items():
        if isinstance(node, model.Match):
            help = f"let it have more {plural(node.noun)}, or leave it out; what else the winner line shall say is said there"
        else:
            help = "change it, or remove it"
        yield warning("R330", f"this changes nothing: {why}", span, help=help)


def _idleness(node: model.Node) -> str:
    """Why a statement changes nothing, in words; "" where it may change something."""
    match node:
        case model.Move(what=model.ZoneContent(zone=zone, owner=owner, every=False), to=there) if (zone, owner) == (
            there.zone,
            there.owner,
        ):
            return f"what lies in `{there.span.text}` lies there already"
        case model.Draw(source=source, to=there) if source == there:
            return f"what is drawn from `{source.span.text}` comes to lie there again"
        case model.Match(games=Const(value=1), noun=noun):
            return f"this match is over after one {noun}"
        case model.Draw(count=Const(value=0)):
            return "it draws 0"
        case model.SetVariable(name=name, owner=owner, value=model.VariableValue(name=other, owner=whose)) if (name, owner) == (
            other,
            whose,
        ):
            return f"`{node.value.span.text}` is that already"
        case model.SetVariable(name=name, owner=owner, value=model.Arithmetic(op="+" | "-", left=left, right=Const(value=0))) if (
            isinstance(left, model.VariableValue) and (name, owner) == (left.name, left.owner)
        ):
            return "the number is 0"
        case _:
            return ""
