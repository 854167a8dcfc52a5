"""The entry points of binding: the statements that a line, or a block of lines, stands for.

The modules beside this one say what each kind of line means, and register it here; so they can bind the lines inside a line, and
none of them imports another that imports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from itertools import pairwise

from ....syntax import tree
from ... import model
from ...model import Body
from ..names.scope import Scope


def body(lines: tuple[tree.Statement, ...], scope: Scope) -> Body:
    """The statements of a block; a ``let`` is known to the lines after it."""
    inner = scope.inner()
    for line, following in pairwise(lines):
        if scope.begins_anew(line):
            scope.complain(
                "R107",
                "this line is never reached",
                following.span,
                (line.span, "the bidding begins anew here"),
                help="write it before `bid again`",
            )
    return tuple(found for line in lines for found in statement(line, inner))


@singledispatch
def statement(line: tree.Statement, scope: Scope) -> Iterator[model.Statement]:
    """The statements for which a line stands."""
    raise AssertionError(f"no module says what this means: {line}")
