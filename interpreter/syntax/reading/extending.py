"""Joins a file and the files that it extends, directly or through others, to one tree.

The tree has everything of the game, then the variants and tests of each file that extends it, the nearest to the game first.
Every node keeps the place where it stands, so a message names the right file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from attrs import evolve, frozen

from ...common.diagnostics import Diagnostic, Label, fault
from ...common.giving_up import giving_up
from ...common.source import Source
from ..tree import Extends, Extension, Tree
from .from_text import Parsed, parse

CHAIN_LIMIT = 10  # files that extend one another; a game, an edition of it and a house's variants of that are three

Read = Callable[[str, str], "Source | Diagnostic"]  # of a file: the path of the one that names it, and the name there


@frozen
class Whole:
    """A game with all that extends it; ``tree`` is None where a part is missing. ``doubtful``: see `Parsed`."""

    tree: Tree | None
    diagnostics: tuple[Diagnostic, ...]
    doubtful: frozenset[str]


@giving_up(lambda found: Whole(None, found, frozenset()))
def whole_of(source: Source, read: Read, parse: Callable[[Source], Parsed] = parse) -> Whole:
    """Parse a file and all that it extends. ``read`` gives a file that is extended, or says what is wrong (without a place).

    ``parse``: what reads each file, where some of its text has been read before.
    """
    found: list[Diagnostic] = []
    doubtful: frozenset[str] = frozenset()
    extensions: list[Extension] = []
    seen = [_identity(source)]
    while True:
        parsed = parse(source)
        found += parsed.diagnostics
        doubtful |= parsed.doubtful
        if parsed.tree is None:
            return Whole(None, tuple(found), doubtful)
        if isinstance(parsed.tree, Tree):
            return Whole(_joined(parsed.tree, extensions[::-1]), tuple(found), doubtful)
        extensions.append(parsed.tree)
        line = parsed.tree.extends
        following = read(source.path, line.path)
        if isinstance(following, Diagnostic):
            return Whole(None, (*found, evolve(following, labels=(Label(line.span),))), doubtful)
        if _identity(following) in seen:
            lines = [extension.extends for extension in extensions]
            return Whole(None, (*found, _circle(lines[seen.index(_identity(following)) :])), doubtful)
        if len(extensions) >= CHAIN_LIMIT:
            return Whole(None, (*found, _too_long(line)), doubtful)
        source = following
        seen.append(_identity(source))


def _identity(source: Source) -> Path:
    return Path(source.path).resolve()


def _joined(game: Tree, extensions: list[Extension]) -> Tree:
    variants = (variant for extension in extensions for variant in extension.variants)
    tests = (test for extension in extensions for test in extension.tests)
    notes = (note for extension in extensions for note in extension.notes)
    return evolve(game, variants=(*game.variants, *variants), tests=(*game.tests, *tests), notes=(*game.notes, *notes))


def _circle(lines: list[Extends]) -> Diagnostic:
    first, *others = lines
    if not others:
        return fault("R008", "this file extends itself", first.span, help="name the game of which these are variants")
    names = [f"`{line.span.source.path}`" for line in lines]
    return fault(
        "R008",
        f"files extend one another in a circle: {', '.join([*names, names[0]])}",
        first.span,
        *((line.span, "") for line in others),
        help="one of them must be a whole game, with a `game` line",
    )


def _too_long(line: Extends) -> Diagnostic:
    return fault(
        "R009",
        f"more than {CHAIN_LIMIT} files that extend one another are not read",
        line.span,
        help="put the variants of several of them into one file",
    )
