"""Dead stores on a straight line, and markers that are read just after they were set to none.

Only lines that follow one another in a block are looked at, with nothing between them but lines that set or name something: no
place where a variant could add a line, no choice, and nothing that fires a trigger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ....common.diagnostics import Diagnostic, warning
from ....model import model
from ....model.model import Const, Expr
from ....model.visitor import blocks, walk
from ....table.from_model.fold import is_none

Defines = Mapping[str, Sequence[model.Define]]  # by name: a variant can replace one


def defines_of(game: model.Model) -> Defines:
    """The defines of a game and its variants."""
    found: dict[str, list[model.Define]] = {}
    for node in walk((game.declarations, game.variants)):
        if isinstance(node, model.Define):
            found.setdefault(node.name, []).append(node)
    return found


def overwritten(declared: model.Node, defines: Defines) -> Iterator[Diagnostic]:
    """Lines that set what is set again before it is used (R330), and markers asked for after they were set to none (R344)."""
    for body in blocks(declared):
        for place, line in enumerate(body):
            if isinstance(line, model.SetVariable) and _is_plain(line.owner):
                yield from _lost(line, body[place + 1 :], defines, in_every_case=True)


def _lost(line: model.SetVariable, behind: model.Body, defines: Defines, in_every_case: bool) -> Iterator[Diagnostic]:
    """What is wrong with a value, as the lines behind the one that sets it show. ``in_every_case``: whether these are reached
    whenever that line is."""
    to_none = isinstance(line.value, Const) and is_none(line.value)
    for following in behind:
        reading = next(_reading(line, _asked(following), defines), None)
        if reading is not None:
            own = any(reading is node for node in walk(_asked(following)))  # what a define says is also used elsewhere
            if to_none and own and isinstance(reading, model.VariableValue) and reading.owner == line.owner:
                yield warning(
                    "R344",
                    f"`{reading.span.text}` is always none here: it has just been set to none",
                    reading.span,
                    (line.span, "set to none here"),
                    help="use it before that line, or leave that line out",
                )
            return
        match following:
            case model.SetVariable(name=line.name, owner=owner):
                if owner == line.owner and in_every_case:
                    yield warning(
                        "R330",
                        "this changes nothing: it is set again before anything asks for it",
                        line.span,
                        (following.span, "set again here"),
                        help="remove one of these lines, or use the value between them",
                    )
                return
            case model.SetVariable() | model.Let():
                pass
            case model.If(then=then, otherwise=otherwise):
                for branch in (then, otherwise):
                    yield from _lost(line, branch, defines, in_every_case=False)
                return
            case _:
                return


def _reading(line: model.SetVariable, parts: Iterable[Expr], defines: Defines) -> Iterator[model.Node]:
    """What may depend in some expressions on what a line sets, with what defines say; of scores that is not known."""
    seen: set[str] = set()
    todo: list[model.Node] = [*parts]
    while todo:
        for node in walk(todo.pop(0)):
            match node:
                case model.VariableValue(name=line.name) | model.ScoreOf() | model.Winners():
                    yield node
                case model.Apply(define=name) if name not in seen:
                    seen.add(name)
                    todo += [define.value for define in defines.get(name, ())]
                case _:
                    pass


def _asked(line: model.Statement) -> tuple[Expr, ...]:
    """What a line asks for, before it does anything."""
    match line:
        case model.SetVariable(owner=owner, value=value):
            return (value,) if owner is None else (owner, value)
        case model.Let(value=value):
            return (value,)
        case model.If(condition=condition):
            return (condition,)
        case model.Do(args=args):
            return args
        case model.Choose(player=player):
            return (player,)
        case model.Draw(count=count):
            return (count,)
        case model.RepeatTimes(times=times):
            return (times,)
        case model.ForEach(members=members):
            return (members,)
        case _:
            return ()


def _is_plain(owner: Expr | None) -> bool:
    """Whether it stays the same whose counter or marker is meant."""
    return owner is None or isinstance(owner, model.VarValue | Const)
