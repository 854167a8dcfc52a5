"""An option of a choice: one act, or the selection of several things."""

from __future__ import annotations

from ....syntax import tree
from ... import model
from ...model import Expr
from ..names.scope import Scope
from . import options, selections


def option(line: tree.Option, chooser: Expr, scope: Scope) -> model.Option:
    """An option of ``chooser``."""
    several = not isinstance(line.arguments, tree.Placing) and any(isinstance(each, tree.Several) for each in line.arguments)
    return selections.option(line, chooser, scope) if several else options.option(line, chooser, scope)
