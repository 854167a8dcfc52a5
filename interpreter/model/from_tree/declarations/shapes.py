"""The squares that a tile covers, read from the drawing of its shape."""

from __future__ import annotations

from ....common.nouns import with_article
from ....syntax import tree
from ... import model
from ..names.scope import Scope

PARTS_LIMIT = 12  # squares of one tile; the largest sets of polyominoes on the market have six


def parts_of(shape: tree.Shape, kind: str, scope: Scope) -> tuple[model.Part, ...] | None:
    """The parts of a tile in the order of their letters, each with its place beside the first one; None after a finding.

    ``shape "ab" ".c"``: b to the right of a, c below b. Spaces and dots are holes.
    """
    found: dict[str, tuple[int, int]] = {}
    for down, row in enumerate(shape.rows):
        for right, letter in enumerate(row):
            if letter in " .":
                continue
            if not letter.isalpha():
                _refused(f"`{letter}` is no letter", shape, kind, scope)
                return None
            if letter in found:
                _refused(f"`{letter}` stands there twice", shape, kind, scope)
                return None
            found[letter] = (right, -down)
    if not found:
        _refused("there is no letter in it", shape, kind, scope)
        return None
    if len(found) > PARTS_LIMIT:
        _refused(f"it has {len(found)} parts, and {PARTS_LIMIT} are allowed", shape, kind, scope)
        return None
    if not _connected(set(found.values())):
        _refused("its parts do not hang together", shape, kind, scope)
        return None
    first, up = found[min(found)]
    return tuple(model.Part(letter, found[letter][0] - first, found[letter][1] - up) for letter in sorted(found))


def _refused(why: str, shape: tree.Shape, kind: str, scope: Scope) -> None:
    scope.complain(
        "R246",
        f"this is no shape of {with_article(kind)}: {why}",
        shape.span,
        help='draw it row by row from the top, a letter for each part: `shape "ab" ".c"`',
    )


def _connected(places: set[tuple[int, int]]) -> bool:
    reached = {next(iter(places))}
    while True:
        more = {(x + dx, y + dy) for x, y in reached for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} & places - reached
        if not more:
            return reached == places
        reached |= more
