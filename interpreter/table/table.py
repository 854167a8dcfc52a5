"""The table: one game as it is played tonight, with so many players, these options and these variants.

It has the nodes of the model, but nothing is open any more: options and numbers of players have become constants, replaced things
are gone, every kind has its list of faces. A table is what is lowered to a machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise, product
from math import prod

from attrs import field, frozen

from ..common.intervals import NONE
from ..common.source import Span
from ..model import model
from ..model.boards import Board, column_name
from ..model.visitor import walk_statements


@frozen
class Range:
    """``low..high`` of a number that is stored."""

    low: int
    high: int


@frozen
class Face:
    """What is printed on a component: a value for each attribute; and how many there are of it."""

    values: tuple[int, ...]
    copies: int


@frozen
class Kind:
    """``words``: for each attribute, how its values are said (None: as numbers); ``optional``: whether -1 is none there.
    ``file``: the path of the `.csv` that lists them, if one does. ``shown``: what a component is called.
    For the rest see `model.Kind`.

    The faces of an owned kind are those of the first player, then those of the second, and so on; ``owner`` is their first
    attribute. Components that are printed alike are one face with several copies, unless something is marked on them: then each
    is a face.

    ``joint``: the kinds of which this is the joint kind, whose faces follow one another. Each has an attribute with its name, yes
    or no; an attribute that only some have is none on the others.
    """

    name: str
    attributes: tuple[str, ...]
    words: tuple[tuple[str, ...] | None, ...]
    optional: tuple[bool, ...]
    faces: tuple[Face, ...]
    span: Span = field(eq=False, repr=False)
    parts: tuple[model.Part, ...] = (model.Part(""),)
    part_attributes: tuple[str, ...] = ()
    owned: bool = False
    file: str = field(default="", eq=False, repr=False)
    shown: str = ""
    joint: tuple[Kind, ...] = ()

    def faces_of(self, kind: str) -> range:
        """The faces of one of the kinds that are joint."""
        place = [each.name for each in self.joint].index(kind)
        first = sum(len(each.faces) for each in self.joint[:place])
        return range(first, first + len(self.joint[place].faces))

    def faces_as(self, kinds: tuple[str, ...]) -> int:
        """The faces of some of the kinds that are joint, as bits; (): all faces."""
        chosen = (face for kind in kinds for face in self.faces_of(kind)) if kinds else range(len(self.faces))
        return sum(1 << face for face in chosen)

    @cached_property
    def by_owner(self) -> tuple[range, ...]:
        """Of an owned kind, the faces of each player."""
        seats = [face.values[0] for face in self.faces]
        starts = [sum(other < seat for other in seats) for seat in range(max(seats) + 2)]
        return tuple(range(start, end) for start, end in pairwise(starts))

    @property
    def is_owner(self) -> bool:
        """Whether it is owned and has one face for each player, which then has the number of the seat."""
        return self.owned and len(self.attributes) == 1 and all(len(faces) == 1 for faces in self.by_owner)

    @cached_property
    def has_twins(self) -> bool:
        """Whether some components are printed alike, and yet are different ones."""
        return len({face.values for face in self.faces}) < len(self.faces)

    @cached_property
    def bits(self) -> int:
        """How many components there are."""
        return sum(face.copies for face in self.faces)

    def attribute(self, name: str) -> tuple[int, ...]:
        """The value of an attribute on every face."""
        index = self.attributes.index(name)
        return tuple(face.values[index] for face in self.faces)

    def printed(self, name: str) -> tuple[int | None, ...]:
        """The value of an attribute on every face, None where a face has none."""
        optional = self.optional[self.attributes.index(name)]
        return tuple(None if optional and value == NONE else value for value in self.attribute(name))

    def value(self, name: str, face: int) -> int:
        """The value of an attribute on one face."""
        return self.faces[face].values[self.attributes.index(name)]

    def on_part(self, attribute: str, part: model.Part) -> tuple[int | None, ...] | None:
        """The value of an attribute on a part of every face: the part's own, else that of the whole; None when there is none.

        A value is None where the face has none.
        """
        name = f"{attribute}_{part.name}" if attribute in self.part_attributes else attribute
        return self.printed(name) if name in self.attributes else None


@frozen
class Grid:
    """``width * height`` cells; cell ``row * width + column``, both from 0 at the lower left.

    ``hexagonal``: each row is half a cell further to the right than the one below it. ``board``: the cells are its points
    instead, and ``width`` and ``height`` those of its picture.
    """

    name: str
    owned: bool
    kinds: tuple[str, ...]
    width: int
    height: int
    span: Span = field(eq=False, repr=False)
    hexagonal: bool = False
    board: Board | None = None

    @property
    def cells(self) -> int:
        return self.width * self.height if self.board is None else len(self.board.names)

    def place(self, cell: int) -> tuple[int, int]:
        """Column and row of a cell, from 0."""
        if self.board is not None:
            return self.board.places[cell] if self.board.places else (cell, 0)
        row, column = divmod(cell, self.width)
        return column, row

    def room(self, across: int, up: int) -> int:
        """How many cells a line along an axis can have."""
        if self.board is not None:
            return self.board.longest((across, up))
        return min(self.width if across else self.height, self.height if up else self.width)

    @property
    def axes(self) -> tuple[tuple[int, int], ...]:
        """One of each two opposite steps, across and up, to a cell that shares a side."""
        if self.board is not None:
            return tuple(axis for axis, _ in self.board.axes)
        return ((1, 0), (0, 1), (-1, 1)) if self.hexagonal else ((1, 0), (0, 1))

    @property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """One of each two opposite steps along which lines run: those of `axes`, and on squares the diagonals as well."""
        return self.axes if self.hexagonal or self.board is not None else (*self.axes, (1, 1), (-1, 1))

    def cell_name(self, cell: int) -> str:
        """``d4``."""
        if self.board is not None:
            return self.board.names[cell]
        row, column = divmod(cell, self.width)
        return column_name(column) + str(row + 1)


@frozen
class Variable:
    """A counter or marker, what an auction keeps in view, what counts for a limit (``form`` "limit"), an open option ("option").

    ``range`` of numbers; None for other types.
    """

    name: str
    form: str
    owner: model.Type | None
    type: model.Type
    range: Range | None
    visibility: model.Visibility
    span: Span = field(eq=False, repr=False)


@frozen
class Column:
    """The values of one table column by key; ``otherwise`` None: no other key has a row. ``rows``: where those of keys stand."""

    values: dict[int, int]
    otherwise: int | None
    type: model.Type
    rows: dict[int, Span] = field(factory=dict, eq=False, repr=False)


@frozen
class Match:
    """Several games in a row (see `model.Match`). ``games``: how many there are, or can be, from 1; one is called a ``noun``.

    ``alone``: one game is taken out of the match, such as a test that begins in its middle; when it is over, all is over.
    """

    games: int
    noun: str
    until: model.Expr | None
    kept: tuple[str, ...]
    span: Span = field(eq=False, repr=False)
    alone: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether a further game can follow a game."""
        return self.games > 1 and not self.alone


def size_of(
    type: model.Type, players: int, lists: Mapping[str, tuple[str, ...]], kinds: Mapping[str, Kind], grids: Mapping[str, Grid]
) -> int:
    """How many values a type has, at a table with these. Numbers have no size."""
    match type.base:
        case "player":
            return players
        case "word":
            return len(lists[type.of])
        case "truth":
            return 2
        case "component":
            return len(kinds[type.of].faces)
        case "cell":
            return grids[type.of].cells
        case "index":
            return prod(size_of(part, players, lists, kinds, grids) for part in type.parts)
        case _:
            raise AssertionError(f"{type} has no size")


@frozen(eq=False)
class Table:
    """``files``: the paths of the rules, the game's first and then what extends it. ``options``: every option's value.
    ``option_spans``: what gives an option its value, its own line or a variant that sets it. ``teams``: seats with the same
    number play together. ``flow``: setup and phases. ``winner``: the ranking at the very end, in a match that of the match.

    Among ``zones``, a grid has one for each kind that it holds: where a component is, is asked of all zones alike.
    """

    game: str
    files: tuple[str, ...]
    titles: tuple[tuple[str, str], ...]
    players: int
    variants: tuple[str, ...]
    options: dict[str, int]
    option_words: dict[str, str]
    lists: dict[str, tuple[str, ...]]
    kinds: dict[str, Kind]
    zones: dict[str, model.Zone]
    grids: dict[str, Grid]
    variables: dict[str, Variable]
    columns: dict[tuple[str, str], Column]
    table_spans: dict[str, Span]
    defines: dict[str, model.Define]
    steps: dict[str, model.Step]
    flow: tuple[model.Step, ...]
    terms: tuple[model.Term, ...]
    winner: model.Winner
    match: Match | None
    teams: tuple[int, ...]
    position: model.Position | None
    span: Span
    option_spans: dict[str, Span] = field(factory=dict, eq=False, repr=False)

    def kind(self, name: str) -> Kind | None:
        """A kind as it was declared; None where there is none of this name."""
        found = self.kinds.get(name)
        return found or next((each for kind in self.kinds.values() for each in kind.joint if each.name == name), None)

    def team(self, seat: int) -> int:
        """The players of a seat's team, that seat included, as a set."""
        return team_of(seat, self.teams)

    def size(self, owner: model.Type | None) -> int:
        """How many values a type has; 1 of None, to which what there is once belongs. Numbers have no size."""
        return 1 if owner is None else size_of(owner, self.players, self.lists, self.kinds, self.grids)

    def seats_of(self, owner: model.Type | None) -> tuple[int, ...]:
        """Of each instance of a thing, the player whose it is, from 0; -1 where it is nobody's."""
        parts = () if owner is None else owner.parts or (owner,)
        if model.PLAYER not in parts:
            return (-1,) * self.size(owner)
        return tuple(values[parts.index(model.PLAYER)] for values in product(*(range(self.size(part)) for part in parts)))

    def unused(self, owner: model.Type | None) -> frozenset[int]:
        """The instances of a thing that belong to no component of the kinds meant: of a joint kind, those of the others."""
        parts = () if owner is None else owner.parts or (owner,)
        meant = [self.kinds[part.of].faces_as(part.only) if part.only else -1 for part in parts]
        if all(faces == -1 for faces in meant):
            return frozenset()
        indexes = enumerate(product(*(range(self.size(part)) for part in parts)))
        return frozenset(index for index, values in indexes if not all(m >> v & 1 for m, v in zip(meant, values, strict=True)))

    @property
    def all_steps(self) -> tuple[model.Step, ...]:
        """Setup and phases, then the steps that are done by name."""
        return (*self.flow, *self.steps.values())

    @cached_property
    def statements(self) -> tuple[model.Node, ...]:
        """What is done in all steps, as `walk_statements` finds it: most checks go through it."""
        return tuple(walk_statements(tuple(step.body for step in self.all_steps)))


def team_of(seat: int, teams: tuple[int, ...]) -> int:
    """The seats that have the same number as a seat, as a set."""
    return sum(1 << other for other, team in enumerate(teams) if team == teams[seat])
