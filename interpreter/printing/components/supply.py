"""The supply: everything of a game that is printed, and how many of each, for each number of players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from ...common.diagnostics import RulesError, fault
from ...common.source import Span
from ...model import model
from ...table.table import Grid, Kind, Table, Variable
from ...words.words import Role, Words
from .boards import Board, grid_board, size_in_cells, track
from .colours import seat_colour
from .faces import back, die_face, face, small, token_face
from .markup import Markup, element
from .sheets import MARGIN, MARKS, Paper
from .sizes import ROUND, Size, Sizes
from .things import Style, Thing, kinds_of, styles_of, things_of

COMPONENTS_LIMIT = 2_500  # of one table: three hundred sheets of cards
CELLS_LIMIT = 20_000  # of all copies of a board
_TRACK = 60  # steps of a counter for which there is a track
_TOKENS = 8  # things that have a token each on a track
_WIDEST_CELL = 30.0
_TIGHT = 1.0  # by how much a cell is larger than the piece in it, at least


@frozen
class Design:
    """One component as it is printed; components that are printed alike are one design. ``zone``: of a piece, the grid on which
    it lies, since looks know pieces by it. ``name``: of one of them, as players say it. ``role``: of ``kind``."""

    kind: str
    size: Size
    front: Markup = field(repr=False)
    back: Markup = field(repr=False)
    zone: str = ""
    name: str = field(default="", eq=False)
    role: Role = "kind"


@frozen(eq=False)
class Supply:
    """Everything that is printed of a game. ``title``: of the game.

    ``designs``: how many of each there are, at the table that needs most of it; ``by_players``: at the table of each number of
    players. ``boards``: with how many copies. ``dice``: how many dice of a kind are needed. ``laid``: grids that are not printed,
    as what lies there is laid on the table. ``pencil``: counters that are kept on paper. ``terms``: the lines of the score sheet.
    """

    title: str
    players: int
    designs: Mapping[Design, int]
    by_players: Mapping[int, Mapping[Design, int]]
    boards: tuple[Board, ...]
    dice: Mapping[str, int]
    laid: tuple[str, ...]
    pencil: tuple[str, ...]
    terms: tuple[str, ...]


def supply_of(
    tables: Sequence[tuple[Table, Sequence[model.Declaration]]], sizes: Sizes, title: str, words: Words, paper: Paper
) -> Supply:
    """The supply of tables of one game, with their declarations, by ascending numbers of players.

    Raises `RulesError` (R842) where there is more than can be printed.
    """
    makers = [_Maker(table, declarations, sizes, title, words, paper) for table, declarations in tables]
    by_players = {maker.table.players: maker.designs() for maker in makers}
    most: dict[Design, int] = {}
    for found in reversed(by_players.values()):  # the largest table first: its order counts
        for design, copies in found.items():
            most[design] = max(copies, most.get(design, 0))
    order = list(dict.fromkeys(design.kind for design in most))
    designs = dict(sorted(most.items(), key=lambda item: order.index(item[0].kind)))
    largest = makers[-1]
    boards: dict[tuple[str, Markup], Board] = {}
    for maker in makers:
        for board in maker.boards():
            if board.copies > (boards[key].copies if (key := (board.name, board.content)) in boards else 0):
                boards[key] = board
    dice = {kind: max(maker.dice().get(kind, 0) for maker in makers) for maker in makers for kind in maker.dice()}
    return Supply(
        title, largest.table.players, designs, by_players, tuple(boards.values()), dice, largest.laid(), largest.pencil(),
        tuple(words.name("score", term.name) for term in largest.table.terms),
    )  # fmt: skip


class _Maker:
    """Makes the designs and boards of one table."""

    def __init__(
        self, table: Table, declarations: Sequence[model.Declaration], sizes: Sizes, title: str, words: Words, paper: Paper
    ) -> None:
        self.table, self.sizes, self.title, self.words, self.paper = table, sizes, title, words, paper
        self.styles = styles_of(table)
        self.written = {each.name: each.form for each in declarations if isinstance(each, model.Kind)}
        self.zones = {kind: grid.name for grid in reversed(table.grids.values()) for kind in self._kinds_on(grid)}

    def designs(self) -> dict[Design, int]:
        found: Counter[Design] = Counter()
        number = 0
        for kind in kinds_of(self.table):
            number += kind.bits
            if number > COMPONENTS_LIMIT:
                raise _too_much(f"`{kind.name}`: {number:,} components", f"{COMPONENTS_LIMIT:,}", kind.span)
            look = self.styles[kind.name]
            size = self.size_of(kind)
            if self._is_die(kind):
                self._die(kind, look, size, found)
                continue
            behind = back(kind.name, look, self.title)
            for thing, printed in zip(things_of(kind, self.table.players, self.words), kind.faces, strict=True):
                front = face(thing, look, size, self.words)
                both = front if self._has_no_back(thing, look) else behind
                found[Design(kind.name, size, front, both, self.zones.get(kind.name, ""), thing.name)] += printed.copies
        for variable in self.table.variables.values():
            for label, colour, seat in self._tokens(variable):
                shown = _named_token(label, colour, seat)
                name = self.words.name("value", variable.name)
                said = name if label == name else f"{name}: {label}"
                found[Design(variable.name, Size(ROUND, ROUND, 2 * ROUND), shown, shown, "", said, "value")] += 1
        return dict(found)

    def boards(self) -> list[Board]:
        found = []
        for grid in self.table.grids.values():
            cells = grid.cells * (self.table.players if grid.owned else 1)
            if cells > CELLS_LIMIT:
                raise _too_much(f"`{grid.name}`: {cells:,} cells", f"{CELLS_LIMIT:,}", grid.span)
            cell = self._cell(grid)
            if cell is not None:
                found.append(grid_board(grid, cell, self.table.players if grid.owned else 1, self.words))
        for variable in self.table.variables.values():
            if variable.range is not None and self._has_track(variable):
                found.append(track(variable.name, variable.range.low, variable.range.high, self.words))
        return found

    def dice(self) -> dict[str, int]:
        """Kinds of dice with pips or numbers, which everybody has."""
        return {kind.name: kind.bits // len(kind.faces) for kind in kinds_of(self.table) if self._is_die(kind)}

    def laid(self) -> tuple[str, ...]:
        return tuple(self.words.name("grid", grid.name) for grid in self.table.grids.values() if self._cell(grid) is None)

    def pencil(self) -> tuple[str, ...]:
        counters = (one for one in self.table.variables.values() if one.form == "counter" and one.visibility == "open")
        return tuple(self.words.name("value", one.name) for one in counters if not self._has_track(one))

    def size_of(self, kind: Kind) -> Size:
        return self.sizes.of_kind(kind.name, self.styles[kind.name], self.written.get(kind.name, "cards"))

    def _kinds_on(self, grid: Grid) -> tuple[str, ...]:
        joint = {kind.name: tuple(each.name for each in kind.joint) for kind in self.table.kinds.values() if kind.joint}
        return tuple(name for kind in grid.kinds for name in joint.get(kind, (kind,)))

    def _is_die(self, kind: Kind) -> bool:
        return self.written.get(kind.name) == "dice" or self.styles[kind.name].form == "die"

    def _die(self, kind: Kind, look: Style, size: Size, found: Counter[Design]) -> None:
        """Of dice with words, the faces, to be glued on dice: one for each of them."""
        number = kind.bits // len(kind.faces)
        for thing in things_of(kind, self.table.players, self.words):
            value = thing.facts[0][1] if thing.facts else ""
            if not value.isdecimal():
                front = element("span", {"class": "thing die-thing", "data-kind": kind.name}, die_face(value, look, self.words))
                found[Design(kind.name, size, front, Markup(""), "", thing.name)] += number

    @staticmethod
    def _has_no_back(thing: Thing, look: Style) -> bool:
        """Whether a component is the same from both sides: a piece that does not lie face down."""
        return look.form == "piece" and len(thing.facts) <= (1 if thing.seat else 0)

    def _cell(self, grid: Grid) -> float | None:
        """How wide the cells of a grid are; None: it is larger than a page, and tiles are laid there, so nobody needs it."""
        asked = self.sizes.of_cell(grid.name)
        if asked is not None:
            return asked
        kinds = [kind for kind in kinds_of(self.table) if kind.name in self._kinds_on(grid)]
        tiles = [kind for kind in kinds if len(kind.parts) > 1]
        wide, high = size_in_cells(grid)
        across, down = self.paper.width - 2 * (MARGIN + MARKS), self.paper.height - 2 * (MARGIN + MARKS)
        room = max(min(across / wide, down / high), min(down / wide, across / high))  # upright or on its side
        if tiles:
            look = self.styles[tiles[0].name]
            part = self.size_of(tiles[0]).width / look.across
            return part if part <= room else None
        sizes = [self.size_of(kind) for kind in kinds]
        widest = max((max(size.width, size.height) for size in sizes), default=ROUND)
        usual = widest * 1.15
        return min(max(usual, _WIDEST_CELL), room) if room >= widest + _TIGHT else usual

    def _has_track(self, variable: Variable) -> bool:
        steps = variable.range is not None and variable.range.high - variable.range.low
        return (
            variable.form == "counter"
            and variable.visibility == "open"
            and bool(steps)
            and steps <= _TRACK
            and bool(self._owners(variable))
        )

    def _owners(self, variable: Variable) -> list[tuple[str, str, int]]:
        """What has a counter or marker: label, colour and seat of each; empty where it is too many."""
        owner = variable.owner
        if owner is None:
            return [(self.words.name("value", variable.name), "#d8cfb8", 0)]
        if owner == model.PLAYER:
            return [(str(seat), seat_colour(seat), seat) for seat in range(1, self.table.players + 1)]
        if owner.base == "word" and self.table.size(owner) <= _TOKENS:
            colours = next(iter(self.styles.values())).colours if self.styles else {}
            return [(self.words.name("word", word), colours.get(word, "#8c8c8c"), 0) for word in self.table.lists[owner.of]]
        return []

    def _tokens(self, variable: Variable) -> list[tuple[str, str, int]]:
        if variable.form == "counter":
            return self._owners(variable) if self._has_track(variable) else []
        if variable.form != "marker" or variable.visibility != "open" or " " in variable.name:  # no rule names such a one
            return []
        name = self.words.name("value", variable.name)
        if variable.owner is None and variable.type.base in ("player", "truth"):
            return [(name, "#efe2b0", 0)]
        if variable.owner == model.PLAYER and variable.type.base == "truth":
            return [(name, seat_colour(seat), seat) for seat in range(1, self.table.players + 1)]
        return []


def _too_much(what: str, limit: str, span: Span) -> RulesError:
    help = "lower the numbers in the rules, or choose a smaller table with `--players`, `--variant` or `--set`"
    return RulesError([fault("R842", f"{what} are more than can be printed: the limit is {limit}", span, help=help)])


def _named_token(label: str, colour: str, seat: int) -> Markup:
    """A round token with a name."""
    return element("span", {"class": "thing piece-thing"}, token_face(small(label, colour), colour, seat))


__all__ = ["Design", "Supply", "supply_of"]
