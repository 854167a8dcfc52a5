"""Numbers that depend on nothing but how many play and on the options, for each number of players."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from ....common.diagnostics import Diagnostic
from ....model import model as m
from ....model.visitor import walk, with_parts
from ....table.from_model import Specialised, specialise
from ....table.from_model.fold import Settled

_OPEN = (
    m.VarValue, m.VariableValue, m.ZoneContent, m.RandomOf, m.RandomNumber, m.AttributeOf, m.ScoreOf, m.After, m.Repeats,
    m.Possible, m.Winners, m.CellsOf, m.LyingOn, m.CoveredBy, m.CellOf, m.AllOf, m.OwnedBy, m.OwnerOf, m.Knows, m.Pick,
)  # fmt: skip


@frozen(eq=False)
class Tables:
    """The tables of a game that a book is about, by their numbers of players. ``refused``: why there are no others."""

    found: Mapping[int, Specialised]
    refused: tuple[Diagnostic, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(self.found)

    @property
    def first(self) -> Specialised:
        return next(iter(self.found.values()))


def tables_for(
    game: m.Model, players: int | None, variants: tuple[str, ...], options: Mapping[str, str | int | bool] | None
) -> Tables:
    """The tables with these variants and options; ``players`` None: of all numbers of players with which there is one."""
    low, high = game.players
    found: dict[int, Specialised] = {}
    refused: tuple[Diagnostic, ...] = ()
    for count in [players] if players is not None else range(low, high + 1):
        made = specialise(game, count, variants, options)
        if made.table is None:
            refused = refused or made.diagnostics
        else:
            found[count] = made
    return Tables(found, refused)


@frozen(eq=False)
class Numbers:
    """Asks for the values of closed expressions. ``defines``: the words of the game by name."""

    settled: Mapping[int, Settled]
    defines: Mapping[str, m.Define]

    def of(self, node: m.Expr) -> dict[int, int] | None:
        """The value of a number for each number of players; None where it can change in a game."""
        if node.type.base != "number" or node.type.is_set or not self._is_closed(node, frozenset()):
            return None
        found: dict[int, int] = {}
        for count, settled in self.settled.items():
            value = self._value(node, settled)
            if value is None:
                return None
            found[count] = value
        return found or None

    def _is_closed(self, node: m.Expr, around: frozenset[str]) -> bool:
        for part in walk(node):
            if isinstance(part, _OPEN) or not all(self._is_there(part, settled) for settled in self.settled.values()):
                return False
            if isinstance(part, m.Apply):
                define = self.defines.get(part.define)
                if define is None or define.parameters or part.define in around:
                    return False
                if not self._is_closed(define.value, around | {part.define}):
                    return False
        return True

    @staticmethod
    def _is_there(part: m.Node, settled: Settled) -> bool:
        """Whether what a node names is settled: variants that are not in play have options and tables of their own."""
        match part:
            case m.OptionValue(name=name):
                return name in settled.options
            case m.ColumnFor(table=table, column=column):
                return (table, column) in settled.columns
            case m.WordFor():
                return part.type.of in settled.lists
            case _:
                return True

    def _value(self, node: m.Expr, settled: Settled) -> int | None:
        folded = settled.fold(self._written_out(node))
        return folded.value if isinstance(folded, m.Const) else None

    def _written_out(self, node: m.Expr) -> m.Expr:
        """The expression with the words in it replaced by what they mean."""

        def change(part: m.Node) -> m.Node:
            if isinstance(part, m.Apply):
                return change(self.defines[part.define].value)
            return with_parts(part, change)

        written = change(node)
        assert isinstance(written, m.Expr)
        return written
