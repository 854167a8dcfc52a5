"""An option of a choice: one act, or the selection of several things."""

from __future__ import annotations

from collections.abc import Sequence

from ....syntax import tree
from ... import model
from ...model import Expr
from ..expressions.later import with_possible
from ..names.scope import Scope
from . import options as acts
from . import selections


def options(lines: Sequence[tree.Option], chooser: Expr, scope: Scope) -> tuple[model.Option, ...]:
    """The options of a choice of ``chooser``."""
    verbs = frozenset(line.verb.text for line in lines)
    return with_possible(option(line, chooser, scope, verbs) for line in lines)


def option(line: tree.Option, chooser: Expr, scope: Scope, verbs: frozenset[str] | None = None) -> model.Option:
    """An option of ``chooser``. ``verbs``: of its choice, where its conditions may ask of these and of what it leads to."""
    several = not isinstance(line.arguments, tree.Placing) and any(isinstance(each, tree.Several) for each in line.arguments)
    return selections.option(line, chooser, scope) if several else acts.option(line, chooser, scope, verbs)
