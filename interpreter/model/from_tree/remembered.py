"""Remembers what the names of a file meant, for the next time that it is bound while somebody writes it.

Nodes that were not read anew are the same objects as the last time (see `syntax/reading/again.py`). The game is kept while all
of its nodes are the same; then a test is kept while its node is. What depends on more than these nodes is made anew: whatever
was found wrong, because messages look at the whole text, and a test that leaves something behind for the ones after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, evolve, field, frozen

from ...common.diagnostics import Diagnostic
from ...common.source import Source, Span
from ...syntax import tree
from .. import model
from .names.scope import Faults, Scope, Sorted
from .tests import Verbs, bind_test

Read = Callable[[str, str], "Source | Diagnostic"]  # of a file: the path of the one that names it, and the name there


@frozen(eq=False)
class BoundGame:
    """A file without its tests, with its names bound. ``files``: what was read beside it, by who names it and the name.

    ``found``, ``left`` and ``sorted``: the findings, and what else the tests add to, as they were before the tests.
    """

    scope: Scope
    rings: dict[str, Scope]
    declarations: tuple[model.Declaration, ...]
    variants: tuple[model.Variant, ...]
    seats: tuple[int, int]
    players_at: Span
    verbs: Verbs
    files: dict[tuple[str, str], Source | Diagnostic]
    doubtful: frozenset[str]
    found: tuple[Diagnostic, ...] = field(init=False)
    left: dict[str, Any] = field(init=False)
    sorted: dict[int, Sorted] = field(init=False)

    @found.default
    def _found(self) -> tuple[Diagnostic, ...]:
        return tuple(self.scope.faults.found)

    @left.default
    def _left(self) -> dict[str, Any]:
        return _left_in(self.scope.faults)

    @sorted.default
    def _sorted(self) -> dict[int, Sorted]:
        return self.scope.faults.sorted.copy()


@define(eq=False)
class Remembered:
    """What is remembered of one file."""

    _game: BoundGame | None = None
    _nodes: tuple[object, ...] = ()
    _texts: dict[str, str] = field(factory=dict)
    _tests: dict[int, tuple[tree.Test, model.Test]] = field(factory=dict)  # by the `id` of their nodes

    @property
    def game(self) -> BoundGame | None:
        """The game that was bound the last time."""
        return self._game

    def knows(self, whole: tree.Tree, read: Read, doubtful: frozenset[str]) -> bool:
        """Whether the game of a tree is the one that was bound the last time."""
        game, nodes = self._game, tuple(_nodes(whole))
        return (
            game is not None
            # Where nothing is wrong with a game, words that may have been declared would change nothing.
            and (doubtful == game.doubtful or not (game.doubtful or game.found))
            and len(nodes) == len(self._nodes)
            and all(one is other for one, other in zip(nodes, self._nodes, strict=True))
            and (not game.found or self._texts == _texts(whole))
            and all(read(*names) == found for names, found in game.files.items())
        )

    def game_of(self, whole: tree.Tree, read: Read, doubtful: frozenset[str]) -> BoundGame | None:
        """The game of a tree, if it is the one that was bound the last time; else it is forgotten."""
        game = self._game if self.knows(whole, read, doubtful) else None
        self._game = None  # until `keep`: binding may be given up in the middle
        if game is None:
            self._tests = {}
            return None
        faults = game.scope.faults
        for name, value in game.left.items():
            setattr(faults, name, value.copy() if isinstance(value, (dict, set)) else value)
        faults.found[:] = game.found
        faults.sorted = game.sorted.copy()
        if doubtful != game.doubtful:
            faults.doubtful = Faults.where(doubtful).doubtful | game.left["doubtful"]
            faults.damaged |= faults.fragile
        return game

    def tests_of(self, whole: tree.Tree, game: BoundGame, doubtful: frozenset[str]) -> tuple[model.Test, ...]:
        """The tests of a tree, bound. Where it has none, those of the time before stay remembered."""
        if not whole.tests:
            return ()
        faults = game.scope.faults
        kept: dict[int, tuple[tree.Test, model.Test]] = {}
        tests: list[model.Test] = []
        always = [variant.name for variant in game.variants if variant.always]
        for line in whole.tests:  # a fault in a test is that test's: the game can be played all the same
            test = self._tests[id(line)][1] if id(line) in self._tests else None
            if test is None:
                before, left = len(faults.found), _left_in(faults)
                test = bind_test(line, game.scope, game.rings, always, game.verbs, game.seats, game.players_at)
                test = evolve(test, faults=tuple(faults.found[before:]))
                is_clean = doubtful == game.doubtful and not test.faults and _left_in(faults) == left
                del faults.found[before:]
                faults.doubtful = left["doubtful"]  # what one test has said of a name, the next must say too
            else:
                is_clean = True
            tests.append(test)
            if is_clean:
                kept[id(line)] = line, test
        self._tests = kept
        return tuple(tests)

    def keep(self, whole: tree.Tree, game: BoundGame) -> None:
        """Remember a game until the next time."""
        self._game, self._nodes, self._texts = game, tuple(_nodes(whole)), _texts(whole)


def _nodes(whole: tree.Tree) -> Iterator[object]:
    yield whole.game
    yield len(whole.declarations)
    yield from whole.declarations
    yield from whole.variants


def _texts(whole: tree.Tree) -> dict[str, str]:
    """The texts of the files from which a tree is made, by their paths."""
    lines = (whole, whole.game, *whole.declarations, *whole.variants, *whole.tests)
    return {line.span.source.path: line.span.source.text for line in lines}


def _left_in(faults: Faults) -> dict[str, Any]:
    """What the binding of a test may leave behind, beside findings."""
    return {
        "lists": faults.lists.copy(),
        "made": faults.made.copy(),
        "unknown": faults.unknown.copy(),
        "directions": faults.directions,
        "doubtful": faults.doubtful,
        "damaged": faults.damaged.copy(),
    }
