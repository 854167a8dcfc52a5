"""Binds parameters: what zones, counters and markers belong to, and what defines, steps and triggers are given.

One rule holds for all of them: what is declared is what is written. ``counter men of player for point`` is used as `men of Ann
for 3`. A zone, counter or marker has one instance for each combination of values, so its parameters have finite types; a define
or step also takes numbers.
"""

from __future__ import annotations

import re

from attrs import evolve

from ....common.diagnostics import did_you_mean
from ....syntax import tree
from ...model import NUMBER, UNKNOWN, Parameter, Type, Var
from ..names.scope import Scope, variable
from ..names.types import numbers_printed
from .domains import named

Owned = tree.Zone | tree.Grid | tree.Board | tree.Counter | tree.Marker | tree.TableDeclaration


def parameters(line: Owned, scope: Scope) -> tuple[Parameter, ...]:
    """What each instance of a zone, counter or marker belongs to."""
    found = tuple(Parameter(each.place, _finite(each, scope)) for each in line.parameters)
    for each, parameter in zip(line.parameters, found, strict=True):
        if each.name is not None and sum(other.type == parameter.type for other in found) == 1:
            scope.complain("R206", f"`{each.name.text}` is not used here", each.name.span, help=f"write `{parameter}`")
    return found


def _finite(line: tree.Parameter, scope: Scope) -> Type:
    noun = line.noun
    found = named(noun, line.grid, scope)
    if found == NUMBER:
        found = numbers_printed(noun, scope)
    if found is None or found.base not in ("player", "word", "component", "cell", "unknown"):
        if noun.text == "number":
            help = f"declare a list, such as `list point: 1..6`, and write `{line.place} point`"
            scope.complain("R201", "it is not said which numbers", noun.span, help=help)
        else:
            scope.unknown(noun.text, noun.span, "player, list or kind", scope.type_names())
        return UNKNOWN
    return found


def given(lines: tuple[tree.Parameter, ...], scope: Scope) -> tuple[Parameter, ...]:
    """What a define, step or trigger is given."""
    return tuple(Parameter(each.place, _type(each, scope)) for each in lines)


def _type(line: tree.Parameter, scope: Scope) -> Type:
    """The type that a parameter's noun names; a word that names no type is a number (``betting for stake``)."""
    noun = line.noun
    found = named(noun, line.grid, scope)
    if found is None:
        types = {name for name in scope.type_names() if scope.type_named(name) != NUMBER}  # beside a number it is one anyway
        if noun.text in scope.faults.doubtful:
            return UNKNOWN
        scope.could_be(noun.text, types)
        if noun.text != "number" and did_you_mean(noun.text, types) and not _used_below(noun):
            scope.unknown(noun.text, noun.span, "player, list or kind", types)
            return UNKNOWN
    return found or NUMBER


def _used_below(noun: tree.Name) -> bool:
    """Whether the declaration goes on with a word: then it is hardly a slip of the pen, though it is like the name of a type."""
    declaration = re.split(r"\n(?=\S)", noun.span.source.text[noun.span.end :], maxsplit=1)[0]
    return re.search(rf"\b{re.escape(noun.text)}\b", declaration) is not None


def bound(lines: tuple[tree.Parameter, ...], types: tuple[Parameter, ...], scope: Scope) -> tuple[Var, ...]:
    """The parameters as names of a scope."""
    found = tuple(Var(each.called.text, type.type) for each, type in zip(lines, types, strict=True))
    for each, var in zip(lines, found, strict=True):
        scope.bind(var.name, evolve(variable(var, each.span), span=each.called.span), each.called.span)
    return found
