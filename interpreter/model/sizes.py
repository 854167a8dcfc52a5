"""Bounds on one declaration: how deep it is nested, how long its lists are, and how large it is when everything is written out.

Later stages go through expressions and blocks recursively, and Python gives up at a thousand calls. Lists that are evaluated one
after the other (cases, conditions of an option, keys) become nested conditions in the machine. So both are bounded here, once,
right after binding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..common.diagnostics import Diagnostic, fault
from . import model
from .visitor import children

LEVELS_LIMIT = 100  # of blocks, `otherwise if`s and expressions in one another; real games have up to 14
IN_TURN_LIMIT = 100  # parts that are asked in turn: cases, conditions of an option, keys of a ranking; real games have up to 14
OPTIONS_LIMIT = 100  # declared options: each value is tried with each value of the others; real games have up to ten
AMOUNTS_LIMIT = 65_535  # that can be bid or written: each is an option, and option numbers have 16 bits
NODES_LIMIT = 300_000  # parts of all rules of a file, when each is written out; real games have up to some thousand


def too_large(whole: model.Model) -> Iterator[Diagnostic]:
    """A finding for each declaration and variant that is deeper or longer than allowed; one for all, if all is too much."""
    lines = (*whole.declarations, *(line for variant in whole.variants for line in variant.adds))
    options = [line for line in lines if isinstance(line, model.OptionDeclaration)]
    if len(options) > OPTIONS_LIMIT:
        message = f"these are {len(options)} options of the rules; {OPTIONS_LIMIT} are allowed"
        yield fault("R216", message, options[OPTIONS_LIMIT].span, help="write what is rarely changed as a `define`")
        return
    left = NODES_LIMIT
    for declaration in (*whole.declarations, *whole.variants):
        found, count = _look_through(declaration, left)
        if found is not None:
            yield found
        left -= count
        if left < 0:
            return


def _look_through(declaration: model.Node, most: int) -> tuple[Diagnostic | None, int]:
    """What is wrong with one declaration, and how many nodes it has; no more than ``most`` are counted."""
    stack: list[tuple[model.Node, int]] = [(declaration, 0)]
    count = 0
    while stack:
        node, level = stack.pop()
        count += 1
        if count > most:
            message = f"these rules are too long: more than {NODES_LIMIT:,} parts when all is written out"
            return fault("R216", message, declaration.span, help="give what is said several times a name by a `define`"), count
        if level > LEVELS_LIMIT:
            message = f"this lies {level} levels deep in its rule; {LEVELS_LIMIT} are allowed"
            help = "each block, each `otherwise if` and each part of a value is a level: use a `table`, a `define` or a `step`"
            return fault("R216", message, node.span, (declaration.span, "in this rule"), help=help), count
        for what, parts, help in _in_turn(node):
            if len(parts) > IN_TURN_LIMIT:
                message = f"these are {len(parts)} {what}; {IN_TURN_LIMIT} are allowed"
                return fault("R216", message, parts[IN_TURN_LIMIT].span, help=help), count
        stack += [(below, level + 1) for below in children(node)]
    return None, count


def _in_turn(node: model.Node) -> Iterator[tuple[str, Sequence[model.Node], str]]:
    """The lists of a node whose members are asked one after the other: what they are, they, and what to write instead."""
    match node:
        case model.Cases(cases=cases):
            yield "cases", [condition for condition, _ in cases], "write a `table`, or divide it into several words"
        case model.Option(conditions=conditions):
            yield "conditions of an option", conditions, "join some of them by a `define`"
        case model.Winner(keys=keys) | model.Best(keys=keys) | model.PlaceOf(keys=keys) | model.ByKeys(keys=keys):
            yield "keys", keys, "leave out those that decide nothing"
        case _:
            pass
