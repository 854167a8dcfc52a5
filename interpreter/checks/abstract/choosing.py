"""Abstract interpretation of choices: runs every option that can be legal and joins the positions behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import model
from .domain.states import POSSIBLE, UNKNOWN, AbstractState, likeliest
from .domain.values import MOST, YES, AbstractValue, Cells, Group, Members
from .evaluation.evaluator import Evaluator
from .evaluation.narrowing import where

if TYPE_CHECKING:  # which goes through what is chosen
    from .interpreter import AbstractInterpreter


def choose(node: model.Choose, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position behind a choice."""
    reach, leaks = at.reach, interpreter.ends
    interpreter.evaluator.needed(node.player, at)
    found: list[AbstractState] = []
    offered = [(option, here) for option in node.options if (here := _offered(option, at, interpreter)) is not None]
    allowed = any(here.reach == POSSIBLE for _, here in offered)
    only = len(offered) == 1 and node.impossible is None
    for option, here in offered:
        here.reach = reach if only else min(reach, here.reach)
        after = interpreter.body(option.body, here)
        found += [after] if after is not None else []
    if node.impossible is not None and not allowed:
        here = at.copy(reach if not offered else UNKNOWN)
        after = interpreter.body(node.impossible, here)
        found += [after] if after is not None else []
    return interpreter.reached(likeliest(found), reach, leaks)


def _offered(option: model.Option, at: AbstractState, interpreter: AbstractInterpreter) -> AbstractState | None:
    """The position in which an option is chosen, ``reach`` being whether it surely can; None where it never can."""
    evaluator, asked = interpreter.evaluator, interpreter.asked
    here = at.copy(POSSIBLE)
    with evaluator.unsure():
        for argument in option.arguments:
            if asked is not None and isinstance(argument.source, model.Typed) and argument.source.type.is_set:
                asked.note_members(argument.source, evaluator.count(argument.source, here))
            if not _taken(argument, here, evaluator):
                return None
        for condition in option.surely:
            if condition.laid:
                continue
            known = evaluator.number(condition.test, here)
            if asked is not None:
                asked.note(condition.test, known, here, evaluator)
            if known != YES:
                here.reach = UNKNOWN
            if not where(condition.test, True, here, evaluator, known):
                return None
        tests = [condition.test for condition in option.surely if condition.laid]
        if tests:
            here.reach = UNKNOWN
            ways = next(argument.source for argument in option.arguments if isinstance(argument.source, model.Ways))
            return here if interpreter.fits(tests, ways, here) else None
    return here


def _taken(argument: model.Argument, here: AbstractState, evaluator: Evaluator) -> bool:
    """What an option takes; False where there is nothing to take."""
    source, type = argument.source, argument.var.type
    if isinstance(source, tuple):
        (low, least), (most, high) = (evaluator.number(end, here) for end in source)
        if least > most:
            here.reach = UNKNOWN
        if low > high:
            return False
        here.names[argument.var] = low, high
        return True
    members: AbstractValue
    if source is not None:
        members = evaluator.value(source, here)
    elif type.base in ("player", "word"):
        everything = (1 << here.ground.size(type)) - 1
        members = Members(everything, everything)
    else:
        members = Cells((0, MOST), type.of)
    low, high = members if isinstance(members, tuple) else members.count
    if high == 0:
        return False
    if low == 0 or len(here.names) == 0:
        here.reach = UNKNOWN
    match members:
        case Group(kind=kind, parts=parts, faces=faces):
            alone = len(parts) == 1
            here.names[argument.var] = Group(kind, YES, dict.fromkeys(parts, YES if alone else (0, 1)), faces)
        case Members():
            listed = list(members.listed)
            here.names[argument.var] = listed[0], listed[-1]
        case _:
            here.names.pop(argument.var, None)
    return True
