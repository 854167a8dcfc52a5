"""The model: what a `.rules` file means, for all its tables at once.

Every name is settled and every expression has a type; sugar that is only another way of writing (``somebody``, ``has no``,
``add 1 to``, nouns as names) is gone. Numbers of players, option values and variants are still open: `specialise` fixes
them and makes a `Table` of the same nodes.

Things that are declared are referred to by name, so that a variant can put another thing in the place of one. Names bound
inside a body (loop names, arguments, parameters) are `Var`s and are equal only to themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Literal

from attrs import evolve, field, frozen

from ..common.diagnostics import Diagnostic
from ..common.nodes import equal, hashed, shown
from ..common.nouns import plural, with_article
from ..common.source import Span
from ..syntax import tree
from ..words.words import Role
from .boards import Board

# ---- Types


@frozen
class Type:
    """What an expression can be: a number, a yes/no, a word of a list, a player, a component of a kind, or a set of these.

    On a grid also a cell, a region (only as a set of regions: each of them is a set of cells) and a way to lay a component
    (of the grid and the kind, as ``GRID/KIND``). ``of``: the list, kind or grid. ``optional``: may also be none.
    An index (`Index`) is a combination of values, one of each of ``parts``.

    Kinds that lie in one zone are components of one joint kind (see `Kind`), which is ``of`` then. ``only``: those of them that
    it can be, as far as the text tells; types that differ in nothing else are the same.
    """

    base: Literal["number", "truth", "word", "player", "component", "cell", "region", "way", "index", "unknown"]
    of: str = ""
    is_set: bool = False
    optional: bool = False
    parts: tuple[Type, ...] = ()
    only: tuple[str, ...] = field(default=(), eq=False)

    @property
    def member(self) -> Type:
        if self.base == "region":
            return Type("cell", self.of, is_set=True)
        if not self.is_set and not self.optional:
            return self  # here and below: most types are already what is asked for
        return Type(self.base, self.of, parts=self.parts, only=self.only)

    @property
    def required(self) -> Type:
        return Type(self.base, self.of, self.is_set, parts=self.parts, only=self.only) if self.optional else self

    @property
    def set(self) -> Type:
        return Type(self.base, self.of, is_set=True, only=self.only)

    @property
    def maybe(self) -> Type:
        return Type(self.base, self.of, self.is_set, optional=True, parts=self.parts, only=self.only)

    @property
    def wide(self) -> Type:
        """The same of any of the kinds that are joint."""
        return evolve(self, only=()) if self.only else self

    def beside(self, other: Type) -> Type:
        """The type of what is of either of two types, which differ only in the kinds that they can be."""
        both = tuple(dict.fromkeys((*self.only, *other.only))) if self.only and other.only else ()
        return self if both == self.only else evolve(self, only=both)

    def is_within(self, wider: Type) -> bool:
        """Whether it can be no other kinds than another type of the same joint kind."""
        return not wider.only or {*self.kinds} <= {*wider.only}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of components that it can be; of any other type none."""
        return (self.only or (self.of,)) if self.base == "component" else ()

    @property
    def kind(self) -> str:
        """The kind of components; "" for any other type."""
        return self.of if self.base == "component" else ""

    @property
    def noun(self) -> str:
        """The word for one of these in the game's words."""
        words = {"number": "number", "truth": "yes or no", "word": self.of, "unknown": "thing"}
        if self.base == "index":
            return " and ".join(part.noun for part in self.parts)
        if self.base == "component":
            return " or ".join(self.kinds)
        return words.get(self.base, self.base)

    def __str__(self) -> str:
        if self.base == "truth":
            return "yes or no"
        if self.is_set:
            return f"a set of {plural(self.noun)}"
        return with_article(self.noun) + (" or none" if self.optional else "")


NUMBER = Type("number")
TRUTH = Type("truth")
PLAYER = Type("player")
UNKNOWN = Type("unknown")  # of an expression that has been complained about; fits everywhere, silently


@frozen(eq=False)
class Var:
    """A name bound in a body."""

    name: str
    type: Type


@frozen
class Parameter:
    """What a thing belongs to, or is given, and the place where that stands: ``of player``, ``for point``."""

    place: tree.Place
    type: Type

    def __str__(self) -> str:
        return f"{self.place} {self.type.noun}"


PLAYERS = (Parameter("of", PLAYER),)  # of what each player has one of


def index_type(parameters: Iterable[Parameter]) -> Type | None:
    """The type of what says which of many is meant: that of the only parameter, an index of several; None of what is one."""
    types = tuple(parameter.type for parameter in parameters)
    return types[0] if len(types) == 1 else Type("index", parts=types) if types else None


# ---- Expressions


@frozen(repr=False, eq=False)
class Node:
    """Shown and compared by functions for all nodes (see `nodes`)."""

    span: Span = field(kw_only=True, eq=False, repr=False)

    __repr__, __eq__, __hash__ = shown, equal, hashed


@frozen(repr=False, eq=False)
class Typed(Node):
    type: Type = field(kw_only=True)


@frozen(repr=False, eq=False)
class Const(Typed):
    """A number; 0 or 1; the place of a word in its list; a seat from 0; a face of a kind; -1 for none; a set as bits."""

    value: int


@frozen(repr=False, eq=False)
class OptionValue(Typed):
    name: str


@frozen(repr=False, eq=False)
class PlayerCount(Typed):
    """How many players there are."""


@frozen(repr=False, eq=False)
class AllPlayers(Typed):
    pass


@frozen(repr=False, eq=False)
class VarValue(Typed):
    var: Var


@frozen(repr=False, eq=False)
class ZoneContent(Typed):
    """A set (or, of a slot, a component or none). ``owner`` None: of the table, or (``every``) of all players together."""

    zone: str
    owner: Expr | None
    every: bool = False


@frozen(repr=False, eq=False)
class AllOf(Typed):
    """All components of a kind; of a joint one, those of some of its kinds."""

    kinds: tuple[str, ...] = ()


@frozen(repr=False, eq=False)
class Pick(Typed):
    """The component with these values (or all of them): pairs of attribute name and value. The value of `TWIN` says which is
    meant of those that are printed alike, from 1; without it, it is the first."""

    values: tuple[tuple[str, int], ...]


@frozen(repr=False, eq=False)
class VariableValue(Typed):
    """A counter or marker, of its owner (a player, word or component) when it has one."""

    name: str
    owner: Expr | None


@frozen(repr=False, eq=False)
class AttributeOf(Typed):
    attribute: str
    of: Expr


@frozen(repr=False, eq=False)
class ColumnFor(Typed):
    """The value in a column of a table, in the row of a key."""

    table: str
    column: str
    key: Expr


@frozen(repr=False, eq=False)
class Index(Typed):
    """One value of each of several types together, which say which of many is meant; none where a part is none."""

    parts: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class NumberOf(Typed):
    """The number for which a word of a list of numbers stands; none of none."""

    of: Expr


@frozen(repr=False, eq=False)
class WordFor(Typed):
    """The word of a list of numbers that stands for a number; none where there is none."""

    number: Expr


@frozen(repr=False, eq=False)
class Apply(Typed):
    """A define with its arguments."""

    define: str
    args: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Arithmetic(Typed):
    op: Literal["+", "-", "*", "mod", "div", "div up", "min", "max"]
    left: Expr
    right: Expr


@frozen(repr=False, eq=False)
class Compare(Typed):
    """``=`` on two things of one type (sets included); ``<`` and ``<=`` on numbers and ordered words, false with none."""

    op: Literal["=", "<", "<="]
    left: Expr
    right: Expr


@frozen(repr=False, eq=False)
class Logic(Typed):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@frozen(repr=False, eq=False)
class Not(Typed):
    value: Expr


@frozen(repr=False, eq=False)
class Cases(Typed):
    """The value of the first case whose condition holds, else ``otherwise``."""

    cases: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr


@frozen(repr=False, eq=False)
class Join(Typed):
    """Two sets together."""

    left: Expr
    right: Expr


@frozen(repr=False, eq=False)
class Union(Typed):
    """What is in any of several sets; a component that is in two of them counts once, unlike in `Join`."""

    sets: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Without(Typed):
    """A set without the members of another; of equal components, one for one."""

    left: Expr
    right: Expr


@frozen(repr=False, eq=False)
class SetOf(Typed):
    """The set of these (none adds nothing)."""

    members: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Filter(Typed):
    """The members of a set for which a condition on ``var`` holds."""

    of: Expr
    var: Var
    condition: Expr


@frozen(repr=False, eq=False)
class IsIn(Typed):
    member: Expr
    of: Expr


@frozen(repr=False, eq=False)
class Some(Typed):
    """Whether a set has a member."""

    of: Expr


@frozen(repr=False, eq=False)
class Count(Typed):
    of: Expr


@frozen(repr=False, eq=False)
class Total(Typed):
    """The sum of a value over the members of a set; none counts nothing."""

    of: Expr
    var: Var
    value: Expr


@frozen(repr=False, eq=False)
class Completable(Typed):
    """Whether some members of a set meet demands: how many there are, what they come to, and that all their keys differ.

    ``key``, ``value``: asked of ``var``; None where nothing is demanded of them. ``count``: no more than these (None: any
    number), and no fewer where it is ``exact``. ``low``, ``high``: of the total of their values.
    """

    of: Expr
    var: Var
    key: Expr | None
    value: Expr | None
    count: Expr | None
    exact: bool
    low: Expr | None
    high: Expr | None


@frozen(repr=False, eq=False)
class Extreme(Typed):
    """The highest or lowest value among the members of a set; none when there is no value."""

    direction: Literal["highest", "lowest"]
    of: Expr
    var: Var
    value: Expr


@frozen(repr=False, eq=False)
class First(Typed):
    """The first player of a set at or clockwise after ``start``; none of an empty set."""

    of: Expr
    start: Expr


@frozen(repr=False, eq=False)
class Key(Node):
    """One key of a ranking, asked of ``Best.var``: numbers and ordered words up or down, or those that fit first."""

    direction: Literal["highest", "lowest", "fits"]
    value: Expr
    label: str


@frozen(repr=False, eq=False)
class Best(Typed):
    """The member of a set that ranks first (none of an empty set; a tie that is left stops the game), or all that do."""

    of: Expr
    var: Var
    keys: tuple[Key, ...]
    all: bool


@frozen(repr=False, eq=False)
class PlaceOf(Typed):
    """The place, from 1, of a player in a ranking of a set of players; none for who is not in the set.

    Who share a place all have it, and take as many places as they are. ``tied`` "nobody": then they have none.
    """

    player: Expr
    of: Expr
    var: Var
    keys: tuple[Key, ...]
    tied: Literal["shared", "nobody"]


@frozen(repr=False, eq=False)
class AnyOf(Typed):
    """Some member; the lowest in order is taken. None of an empty set."""

    of: Expr


@frozen(repr=False, eq=False)
class RandomOf(Typed):
    """A member by chance; only as the whole value of a ``set``, ``let`` or ``move``.

    ``each_face_alike``: each face in the set has the same weight, however many there are of it.
    """

    of: Expr
    each_face_alike: bool = False


@frozen(repr=False, eq=False)
class RandomNumber(Typed):
    """A number from ``low`` to ``high`` by chance, each with the same weight; only as the whole value of a ``set`` or ``let``."""

    low: Expr
    high: Expr


@frozen(repr=False, eq=False)
class OwnerOf(Typed):
    """The player in whose zone a component lies; none when it lies in no player's."""

    of: Expr


@frozen(repr=False, eq=False)
class OwnedBy(Typed):
    """A player's own components of a kind; the component itself where each player has one."""

    player: Expr


@frozen(repr=False, eq=False)
class SeatsAway(Typed):
    """The player ``count`` seats clockwise of ``of`` (counter-clockwise when ``right``)."""

    count: Expr
    right: bool
    of: Expr


@frozen(repr=False, eq=False)
class SeatNumber(Typed):
    """The number of a player's seat, from 1."""

    of: Expr


@frozen(repr=False, eq=False)
class TeamOf(Typed):
    """The players of somebody's team, that player included."""

    of: Expr


@frozen(repr=False, eq=False)
class Opponents(Typed):
    """The players of all other teams."""

    of: Expr


@frozen(repr=False, eq=False)
class Knows(Typed):
    """Whether a player is certain where each of these components is."""

    player: Expr
    of: Expr


@frozen(repr=False, eq=False)
class ScoreOf(Typed):
    """The score of a player, of a whole team, or one term of it."""

    of: Expr
    team: bool
    term: str | None


@frozen(repr=False, eq=False)
class Winners(Typed):
    """Those who would win if the game ended now."""


@frozen(repr=False, eq=False)
class After(Typed):
    """Whether a condition of an option holds in the position to which the option leads.

    ``before``: names for values as they are before it. ``act``: the option, in the lowering.
    """

    test: Expr
    before: tuple[Let, ...] = ()
    act: Option | None = None


@frozen(repr=False, eq=False)
class Repeats(Typed):
    """Whether the present position has been remembered so many times at least.

    ``parts``: what may make up a position, for those who ask what is read; see `Position`.
    """

    times: Expr
    parts: tuple[Expr, ...] = ()


@frozen(repr=False, eq=False)
class Possible(Typed):
    """Whether some option of a choice would be allowed. ``options``: those that the verb names, without what they do."""

    verb: str
    options: tuple[Option, ...] = ()


def index_of(parts: tuple[Expr, ...], span: Span) -> Expr | None:
    """What says which of many is meant, of a value for each parameter; None where there are none."""
    if len(parts) < 2:
        return parts[0] if parts else None
    type = Type("index", optional=any(part.type.optional for part in parts), parts=tuple(part.type.required for part in parts))
    return Index(parts, type=type, span=span)


# ---- On grids


@frozen(repr=False, eq=False)
class CellNamed(Typed):
    """``d4``: a cell by its column and row, both from 0."""

    column: int
    row: int


@frozen(repr=False, eq=False)
class CellsOf(Typed):
    """All cells of a grid, or those on which nothing lies."""

    grid: str
    owner: Expr | None
    empty: bool


@frozen(repr=False, eq=False)
class CoveredBy(Typed):
    """The cells that a component, or any of a set of components, covers; none of it lies on a grid: the empty set."""

    of: Expr


@frozen(repr=False, eq=False)
class CellOf(Typed):
    """The cell of (the first part of) a component; none when it lies on no grid."""

    of: Expr


@frozen(repr=False, eq=False)
class LyingOn(Typed):
    """The component of a kind that lies on a cell, or none."""

    cell: Expr


@frozen(repr=False, eq=False)
class NextTo(Typed):
    """The cells that share a side with one of a set and are not in it."""

    of: Expr


@frozen(repr=False, eq=False)
class Shifted(Typed):
    """The cells of a set, each so many columns to the right and rows up; what leaves the grid is gone.

    ``player``: as this player sees the grid, who sits at the side from which its rows go up (None: as the table sees it).
    ``way``: instead of columns and rows, a direction that only the game knows; of a set of directions, one step in each.
    """

    of: Expr
    columns: int
    rows: int
    player: Expr | None = None
    way: Expr | None = None

    @property
    def is_of_one_cell(self) -> bool:
        """Whether one cell is shifted in one direction, so that there is at most one cell."""
        if self.way is not None and self.way.type.is_set:
            return False
        match self.of:
            case Shifted():
                return self.of.is_of_one_cell
            case SetOf(members=(_,)):
                return True
            case _:
                return False


@frozen(repr=False, eq=False)
class Facing(Typed):
    """A direction as a player sees the grid: so many columns to the right and rows up for player 1."""

    columns: int
    rows: int
    player: Expr


@frozen(repr=False, eq=False)
class CellPlace(Typed):
    """In which row or column a cell lies, from 1 at the lower left."""

    what: Literal["row", "column"]
    of: Expr


@frozen(repr=False, eq=False)
class HasLine(Typed):
    """Whether so many cells of a set lie side by side in some direction, one of them at ``through`` (None: wherever)."""

    of: Expr
    length: Expr
    through: Expr | None


@frozen(repr=False, eq=False)
class LongestLine(Typed):
    """How many cells of a set lie side by side in some direction, at most; through a cell, 0 if that is not one of them.

    ``along``: the directions that count (None: all); a direction and the opposite one are the same line.
    """

    of: Expr
    through: Expr | None
    along: Expr | None


@frozen(repr=False, eq=False)
class HasPath(Typed):
    """Whether a cell of ``start`` hangs together with one of ``end`` by cells of a set, to which both belong."""

    of: Expr
    start: Expr
    end: Expr


@frozen(repr=False, eq=False)
class LinesFrom(Typed):
    """In each direction from a cell the cells of ``through`` up to the first that is not; none, where that is not in ``end``."""

    start: Expr
    through: Expr
    end: Expr


@frozen(repr=False, eq=False)
class Bounds(Typed):
    """The width, height or middle cell, or none, of the smallest rectangle around some cells (of the whole grid if there are
    none).
    """

    what: Literal["width", "height", "middle"]
    of: Expr


@frozen(repr=False, eq=False)
class Touches(Typed):
    """Whether a cell of one set shares a side with a cell of another; cells that are in the first do not count."""

    left: Expr
    right: Expr


@frozen(repr=False, eq=False)
class TouchesSame(Typed):
    """Whether some cell of a component shares a side with a cell of another that agrees with it in an attribute."""

    of: Expr
    attribute: str


@frozen(repr=False, eq=False)
class Regions(Typed):
    """The connected parts of some cells that agree in an attribute; cells with none belong to no region."""

    of: Expr
    attribute: str


@frozen(repr=False, eq=False)
class Ways(Typed):
    """All ways to lay a component on empty cells of a grid: positions and turns, each picture once."""

    piece: Expr
    grid: str
    owner: Expr | None


@frozen(repr=False, eq=False)
class CellsOfWay(Typed):
    """The cells on which a component lies when it is laid in a way."""

    way: Expr


Expr = (
    Const
    | OptionValue
    | PlayerCount
    | AllPlayers
    | VarValue
    | ZoneContent
    | AllOf
    | Pick
    | VariableValue
    | AttributeOf
    | ColumnFor
    | Index
    | NumberOf
    | WordFor
    | Apply
    | Arithmetic
    | Compare
    | Logic
    | Not
    | Cases
    | Join
    | Union
    | Without
    | SetOf
    | Filter
    | IsIn
    | Some
    | Count
    | Total
    | Completable
    | Extreme
    | First
    | Best
    | PlaceOf
    | AnyOf
    | RandomOf
    | RandomNumber
    | OwnerOf
    | OwnedBy
    | SeatsAway
    | SeatNumber
    | TeamOf
    | Opponents
    | Knows
    | ScoreOf
    | Winners
    | After
    | Possible
    | Repeats
    | CellNamed
    | CellsOf
    | CoveredBy
    | CellOf
    | LyingOn
    | NextTo
    | Shifted
    | Facing
    | CellPlace
    | HasLine
    | LongestLine
    | HasPath
    | LinesFrom
    | Bounds
    | Touches
    | TouchesSame
    | Regions
    | Ways
    | CellsOfWay
)


# ---- Statements


@frozen(repr=False, eq=False)
class Spot(Node):
    """A zone as a place to put things. ``define``: the word by which the rules name it ("": its own)."""

    zone: str
    owner: Expr | None
    define: str = field(default="", eq=False)


@frozen(repr=False, eq=False)
class Move(Node):
    """Put a component, or all of a set, into a zone (onto a pile); ``moved`` is a name for it afterwards."""

    what: Expr
    to: Spot
    moved: Var | None = None


@frozen(repr=False, eq=False)
class Lay(Node):
    """Put a component on a grid: on a cell, on a cell for each of its parts, or in a chosen way.

    ``owner`` None: of the table, or (where the grid is a player's) whose the cell is.
    """

    what: Expr
    grid: str
    owner: Expr | None
    on: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Draw(Node):
    """Take ``count`` from the top of a pile; each is a chance event where the order is not known. ``moved``: the last one."""

    count: Expr
    source: Spot
    to: Spot
    moved: Var | None = None


@frozen(repr=False, eq=False)
class HoldBack(Node):
    """So many of the unordered rest of a pile will never be drawn; nobody learns which they are."""

    count: Expr
    pile: Spot


@frozen(repr=False, eq=False)
class Remember(Node):
    """Remember the present position; or forget all that are remembered. ``parts``: as in `Repeats`."""

    forget: bool
    parts: tuple[Expr, ...] = ()


@frozen(repr=False, eq=False)
class Mix(Node):
    """Forget the order of a pile."""

    pile: Spot


@frozen(repr=False, eq=False)
class Reveal(Node):
    """A player, or each of a set of players (None: all), sees the faces of these where they are, or learns a value."""

    what: Expr
    to: Expr | None = None


@frozen(repr=False, eq=False)
class Peek(Node):
    """A player alone sees the first ``count`` components of a pile (all where there are fewer), which stay where they are."""

    count: Expr
    pile: Spot
    player: Expr


@frozen(repr=False, eq=False)
class SetVariable(Node):
    name: str
    owner: Expr | None
    value: Expr


@frozen(repr=False, eq=False)
class Let(Node):
    """A name for a value as it is now.

    ``source``: of a component or cell that was chosen before the loop around this began, what it was chosen from. Only what is
    done in that loop can have moved it.
    """

    var: Var
    value: Expr
    source: Expr | None = None


@frozen(repr=False, eq=False)
class Gather(Node):
    """A name for a set that is empty here and to which `Include` adds members of ``of``, at least ``least`` of them.

    ``face_down``: what moves from it later was not shown to the others.
    """

    var: Var
    of: Expr
    least: Expr
    face_down: bool


@frozen(repr=False, eq=False)
class Include(Node):
    """One more member of a set that is gathered."""

    var: Var
    member: Expr


@frozen(repr=False, eq=False)
class Announce(Node):
    """All but ``player``, who knows it, learn a value; the text says it."""

    player: Expr
    value: Expr
    text: Reason


@frozen(repr=False, eq=False)
class Tell(Node):
    """A line of the story, of what all know."""

    text: Reason


@frozen(repr=False, eq=False)
class If(Node):
    condition: Expr
    then: Body
    otherwise: Body


@frozen(repr=False, eq=False)
class Clockwise(Node):
    """Seat by seat from ``start`` (seat 1 when None), up to and including ``stop`` when given."""

    start: Expr | None
    stop: Expr | None


@frozen(repr=False, eq=False)
class ByKeys(Node):
    var: Var
    keys: tuple[Key, ...]


@frozen(repr=False, eq=False)
class InRandomOrder(Node):
    pass


@frozen(repr=False, eq=False)
class ForEach(Node):
    """Once for each member; members and order are settled when it begins. Order None: as declared."""

    var: Var
    members: Expr
    order: Clockwise | ByKeys | InRandomOrder | None
    body: Body


@frozen(repr=False, eq=False)
class Repeat(Node):
    """Until a condition holds, asked before each round; at most so many times, then ``otherwise`` (None: a stop)."""

    until: Expr
    at_most: Expr | None
    body: Body
    otherwise: Body | None


@frozen(repr=False, eq=False)
class RepeatTimes(Node):
    times: Expr
    body: Body


@frozen(repr=False, eq=False)
class TakeTurns(Node):
    """Round and round from ``start``; who takes part and whether it is over is asked before each turn."""

    var: Var
    start: Expr
    among: Expr
    until: Expr
    body: Body


@frozen(repr=False, eq=False)
class Do(Node):
    step: str
    args: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class End(Node):
    """Leave the named step or phase around this, or ("game") the game."""

    name: str


@frozen(eq=False)
class Place:
    """What the statements at one place know: ``names`` with what they mean there, of which the lines before it have bound the
    first ``count``, and the steps and phases ``around`` it.

    It is kept for variants, which write statements for the places of steps. No node: nothing goes through it.
    """

    names: dict[str, Expr]
    count: int
    around: tuple[str, ...]

    @property
    def known(self) -> dict[str, Expr]:
        return dict(self.names) if self.count == len(self.names) else dict(islice(self.names.items(), self.count))


@frozen(repr=False, eq=False)
class NamedBlock(Node):
    """A step written where it runs, or one that a construct made, such as an auction (then ``place`` is None)."""

    name: str
    body: Body
    place: Place | None = field(default=None, eq=False, repr=False)

    @property
    def is_written(self) -> bool:
        """Whether it stands in the rules by its name; one that was made has a space in it."""
        return " " not in self.name


PLACE = re.compile(r"\{([^{}]*)\}")  # in a text of the rules or of the program


@frozen
class Named:
    """A name of the rules in a text. ``count``: of a kind, the part that says how many there are (None: one)."""

    role: Role
    name: str
    count: int | None = None


@frozen
class Sentence:
    """How a text is said in another language: a sentence with places, of the rules (with its ``role``) or of the program (None).

    ``places``: what stands in each: a value of the text by its number, a name of the rules, or another sentence.
    """

    text: str
    places: tuple[tuple[str, Said], ...] = ()
    role: Role | None = None


Said = int | Named | Sentence


@frozen(repr=False, eq=False)
class Reason(Node):
    """A text with places to fill in; "" where the rules give none. ``sentence``: for other languages (None: it is the same)."""

    parts: tuple[str | Expr, ...]
    sentence: Sentence | None = field(default=None, repr=False, eq=False)


@frozen(repr=False, eq=False)
class Condition(Node):
    """``laid``: asked of the table as it is with the component already lying there (`Ways`).

    ``where_possible``: asked only if some option of this line that fits all before it fits it as well.
    """

    test: Expr
    reason: Reason
    laid: bool = False
    where_possible: bool = False


@frozen(repr=False, eq=False)
class Argument(Node):
    """What an option takes: a member of ``source`` (None: each value of its type)."""

    var: Var
    source: Expr | tuple[Expr, Expr] | None


@frozen(repr=False, eq=False)
class Limit(Node):
    """At most ``count`` times since ``step`` last began.

    An option with a limit asks ``counter`` among its conditions and adds 1 to it when it is chosen; what sets it to 0 again is
    put where the step ends, once the variants have changed what they change (see `limits`). ``options``: the names of the
    options that give the number.
    """

    counter: str
    count: Expr
    step: str
    options: tuple[str, ...]


@frozen(repr=False, eq=False)
class Option(Node):
    """``face_down``: the others do not see what it takes; ``secret``: they do not even see that it is taken.

    ``told``: of a secret one, whether all are told later what it takes.
    """

    verb: str
    text: str | None
    arguments: tuple[Argument, ...]
    face_down: bool
    conditions: tuple[Condition, ...]
    body: Body
    limits: tuple[Limit, ...] = ()
    secret: bool = False
    told: bool = field(default=False, repr=False)

    @property
    def surely(self) -> tuple[Condition, ...]:
        """The conditions that hold wherever it is chosen: those that are waived where nothing fulfils them are not among them."""
        return tuple(condition for condition in self.conditions if not condition.where_possible)


@frozen(repr=False, eq=False)
class Choose(Node):
    """``so_far``: of a further part of an act, what the player alone is told of what was chosen before. An act of several parts
    counts as one; that is no part of what the rules mean. ``at_once``: whether others choose at the same time."""

    player: Expr
    options: tuple[Option, ...]
    impossible: Body | None
    so_far: Reason | None = field(default=None, repr=False)
    at_once: bool = False


Statement = (
    Move
    | Lay
    | Draw
    | HoldBack
    | Remember
    | Mix
    | Reveal
    | Peek
    | SetVariable
    | Let
    | Gather
    | Include
    | Announce
    | Tell
    | If
    | ForEach
    | Repeat
    | RepeatTimes
    | TakeTurns
    | Do
    | End
    | NamedBlock
    | Choose
)
Body = tuple[Statement, ...]


TWIN = ""  # stands for the number of a component among those that are printed alike, where that of an attribute does
BOX = "box"  # where every component is before it comes into play
BIDDING = "bidding of "  # with the name of an auction: the step in which all bid, and which begins anew when they bid again
ASIDE = "the middle"  # where components wait while others take their place; no name of a file has spaces


def to_roll(kind: str) -> str:
    """The zone in which the faces of dice lie that no die shows now; no name of a file has spaces."""
    return f"{kind} to roll"


DEPTH_LIMIT = 32  # words that explain one another; a machine's functions nest as deep
RETURNS = tree.RETURNS  # the define of what players get, where that is not the score
GAMES_PLAYED = "games_played"  # in a match: how many of its games came before this one


# ---- What is declared


@frozen
class Domain:
    """The values a thing may have: those of its type; for numbers ``low..high``, and of these only ``values`` where given."""

    type: Type
    low: Expr | None = None
    high: Expr | None = None
    values: tuple[int, ...] = ()


@frozen(repr=False, eq=False)
class Declared(Node):
    name: str


@frozen(repr=False, eq=False)
class OptionDeclaration(Declared):
    domain: Domain
    default: Expr


@frozen(repr=False, eq=False)
class WordList(Declared):
    words: tuple[str, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Of a list of nothing but numbers, those for which its words stand; else empty."""
        return tuple(map(int, self.words)) if all(word.isdecimal() for word in self.words) else ()


@frozen(repr=False, eq=False)
class Attribute(Declared):
    """``key``: the list for which it stands for one attribute a word; "" for an attribute of its own."""

    domain: Domain
    key: str = ""


@frozen
class WrittenRow:
    """One row of a component list: a value for each column (None: an empty field), its own span and those of its cells."""

    values: dict[str, int]
    copies: int
    span: Span = field(eq=False, repr=False)


@frozen(repr=False, eq=False)
class LeftOut(Node):
    """Rows for which the condition on the column holds are not used."""

    column: str
    op: Literal["=", "!=", "<", "<=", ">", ">="]
    value: Expr


@frozen(repr=False, eq=False)
class OtherCopies(Node):
    """How many there are of the combinations of a kind (``var``) for which the condition on what is printed holds."""

    count: Expr
    var: Var
    condition: Expr


@frozen
class Part:
    """A part of a tile: its letter, and how many columns to the right of the first part and rows above it it lies."""

    name: str
    column: int = 0
    row: int = 0


@frozen(repr=False, eq=False)
class Kind(Declared):
    """Components of one kind. Either ``rows`` are listed or ``each`` says how many there are of every combination; of owned ones
    without either there are as many for each player as fit on the grids.

    ``parts``: the squares of a tile (one without a name where no shape is given). Each of ``part_attributes`` stands for one
    attribute a part: ``terrain`` for ``terrain_a`` and ``terrain_b``. Each of ``keyed`` stands for one attribute a word of a
    list: ``cost`` for ``cost_red`` and ``cost_blue``. ``owned``: so many for each player. ``other_copies``: of some combinations,
    how many there are instead; the last that fits counts. ``shown``: what a component is called, with names of attributes in
    braces; "": by its values.

    ``joint``: where some zone holds several kinds, the kind of which all components are that can lie there, called by all their
    names ("": none). A kind's own name is then an attribute of it, yes or no.
    """

    form: Literal["cards", "tiles", "pieces", "dice"]
    attributes: tuple[Attribute, ...]
    rows: tuple[WrittenRow, ...] | None
    each: Expr | None
    left_out: tuple[LeftOut, ...]
    marked: bool  # whether something can be marked on its components: then rows are distinct
    parts: tuple[Part, ...] = (Part(""),)
    part_attributes: tuple[Attribute, ...] = ()
    owned: bool = False
    keyed: tuple[Attribute, ...] = ()
    other_copies: tuple[OtherCopies, ...] = ()
    shown: str = ""
    joint: str = ""

    @property
    def has_twins(self) -> bool:
        """Whether components that are printed alike can be different ones, since something is marked on each."""
        return self.marked and (self.owned or not self.attributes)


Visibility = Literal["open", "private", "hidden"]


@frozen(repr=False, eq=False)
class Zone(Declared):
    """``parameters``: there is one of it for each combination of these. ``kind``: what lies there, perhaps a joint kind;
    ``only`` (): any of its kinds."""

    parameters: tuple[Parameter, ...]
    shape: Literal["set", "pile", "slot"]
    kind: str
    visibility: Visibility
    grid: str = ""  # of a zone that the lowering makes: the grid whose components of one kind these are
    only: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that it holds."""
        return self.only or (self.kind,)

    @property
    def noun(self) -> str:
        """What one component there is called: ``gem or gold``."""
        return " or ".join(self.kinds)

    @property
    def type(self) -> Type:
        """The type of one component there."""
        return Type("component", self.kind, only=self.only)

    @property
    def owner(self) -> Type | None:
        """The type of what says which is meant; None where there is only one."""
        return index_type(self.parameters)

    @property
    def owned(self) -> bool:
        """Whether there are several."""
        return bool(self.parameters)

    @property
    def said(self) -> str:
        """What it is called in the game."""
        return self.grid or self.name


@frozen(repr=False, eq=False)
class Grid(Declared):
    """A grid for components of some kinds, one for the table or one for each player; all see it. ``board``: its points, where
    it is no rectangle."""

    owned: bool
    hexagonal: bool
    kinds: tuple[str, ...]
    width: Expr
    height: Expr
    board: Board | None = None


@frozen(repr=False, eq=False)
class Variable(Declared):
    """A counter or marker, or what a construct has ``kept`` in view, of which its acts tell; one for each combination of
    ``parameters``. What is built in, no rule sets."""

    form: Literal["counter", "marker", "kept", "built-in"]
    parameters: tuple[Parameter, ...]
    domain: Domain
    visibility: Visibility

    @property
    def owner(self) -> Type | None:
        """The type of what it belongs to (None: the table)."""
        return index_type(self.parameters)

    @property
    def is_written(self) -> bool:
        """Whether it stands in the rules by its name; one that a construct keeps has a space in it."""
        return " " not in self.name


@frozen(repr=False, eq=False)
class TableRow(Node):
    """``key`` None stands for all keys that have no row."""

    key: Expr | None
    values: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class TableDeclaration(Declared):
    """``column_spans``: where the names of the columns stand; that of the table where it has no other. ``parameters``: of a table
    that is asked for several things, an `Index` of which is the key."""

    by: str
    key: Type
    columns: tuple[str, ...]
    types: tuple[Type, ...]
    rows: tuple[TableRow, ...]
    column_spans: tuple[Span, ...] = field(eq=False, repr=False)
    parameters: tuple[Parameter, ...] = ()


@frozen(repr=False, eq=False)
class Define(Declared):
    parameters: tuple[Var, ...]
    value: Expr


@frozen(repr=False, eq=False)
class Step(Declared):
    """A step done by name, or a phase or the setup (without parameters).

    A step with ``entered`` is done by itself whenever a component (its first parameter) has come there and ``fitting`` holds for
    it. Its other parameters are the owners of the place.
    """

    form: Literal["setup", "phase", "step"]
    parameters: tuple[Var, ...]
    body: Body
    places: tuple[tree.Place, ...] = ()  # of the parameters that rules write
    entered: Spot | None = None
    fitting: Expr | None = None


@frozen(repr=False, eq=False)
class Term(Declared):
    """One line of the score sheet of ``player``: a sum over ``members`` of ``each`` when given."""

    player: Var
    each: Var | None
    members: Expr | None
    value: Expr
    condition: Expr | None


@frozen(repr=False, eq=False)
class Winner(Node):
    """A ranking of the players; ``undecided``: who wins when a tie is left."""

    var: Var
    keys: tuple[Key, ...]
    undecided: Literal["shared", "nobody"]


@frozen(repr=False, eq=False)
class Teams(Node):
    size: int


@frozen(repr=False, eq=False)
class Position(Node):
    """What makes up a position: grids, zones, counters and markers. ``most``: how many are remembered."""

    names: tuple[str, ...]
    most: int


@frozen(repr=False, eq=False)
class Match(Node):
    """Several games in a row, their scores added up.

    ``games``: how many; with ``until``, a condition asked after each game, at most so many. ``noun``: what one of them is called.
    ``winner``: the ranking over the sums (None: the game's own). ``kept``: zones, counters and markers that do not begin anew in
    each game.
    """

    games: Expr
    noun: str
    until: Expr | None
    winner: Winner | None
    kept: tuple[str, ...]


Declaration = (
    OptionDeclaration
    | WordList
    | Kind
    | Zone
    | Grid
    | Variable
    | TableDeclaration
    | Define
    | Step
    | Term
    | Winner
    | Match
    | Teams
    | Position
)


# ---- Variants


@frozen(repr=False, eq=False)
class Insertion(Node):
    """``place``: where the step stands, as the variant knows it."""

    where: Literal["before", "after"]
    step: str
    body: Body
    place: Place = field(eq=False, repr=False)


@frozen(repr=False, eq=False)
class OtherVariant(Node):
    """A variant that another needs or excludes."""

    variant: str


@frozen(repr=False, eq=False)
class Removal(Node):
    """A line of the score sheet, or a key of the winner line, that goes."""

    name: str
    source: Literal["score", "winner"]


@frozen(repr=False, eq=False)
class Variant(Declared):
    """What it asks for and what it changes. ``builds_on``: variants that it needs; ``adds``: declarations of its own;
    ``replaces``: ones in the place of others."""

    texts: tuple[tuple[str, str], ...]
    needs: tuple[Expr, ...]
    builds_on: tuple[OtherVariant, ...]
    excludes: tuple[OtherVariant, ...]
    always: tuple[Expr, ...]
    options: tuple[tuple[str, Expr], ...]
    adds: tuple[Declaration, ...]
    replaces: tuple[Declaration | NamedBlock, ...]
    insertions: tuple[Insertion, ...]
    removes: tuple[Removal, ...]

    @property
    def changed_terms(self) -> frozenset[str]:
        """The lines of the score that it takes out and adds in another form."""
        added = {declaration.name for declaration in self.adds if isinstance(declaration, Term)}
        return frozenset(removal.name for removal in self.removes if removal.source == "score" and removal.name in added)


# ---- Tests


@frozen(repr=False, eq=False)
class GivenZone(Node):
    """These lie there; none: what lies there goes to the box."""

    spot: Spot
    things: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class GivenLaid(Node):
    laid: tuple[Lay, ...]


@frozen(repr=False, eq=False)
class GivenVariable(Node):
    name: str
    owner: Expr | None
    value: Expr


@frozen(repr=False, eq=False)
class GivenKnown(Node):
    """This player knows where each of these is."""

    player: Expr
    what: Expr


@frozen(repr=False, eq=False)
class RunSetup(Node):
    pass


@frozen(repr=False, eq=False)
class Chance(Node):
    outcomes: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Start(Node):
    """Begin at a phase (and go on to the end) or run one step."""

    step: str
    args: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Act(Node):
    player: Expr
    verb: str
    arguments: tuple[Expr, ...]


@frozen(repr=False, eq=False)
class Expect(Node):
    condition: Expr


@frozen(repr=False, eq=False)
class ExpectCan(Node):
    acts: tuple[Act, ...]


@frozen(repr=False, eq=False)
class ExpectCannot(Node):
    act: Act
    reason: str | None


@frozen(repr=False, eq=False)
class ExpectFinding(Node):
    """The check of the test's table finds this code, with ``text`` in its message ("": any)."""

    code: str
    text: str


TestLine = (
    GivenZone
    | GivenLaid
    | GivenVariable
    | GivenKnown
    | RunSetup
    | Chance
    | Start
    | Act
    | Expect
    | ExpectCan
    | ExpectCannot
    | ExpectFinding
)


@frozen(repr=False, eq=False)
class Test(Node):
    """``seats``: the names of the players. ``options``: option values it sets. ``faults``: why it cannot be run."""

    title: str
    seats: tuple[str, ...]
    variants: tuple[str, ...]
    options: tuple[tuple[str, Expr], ...]
    lines: tuple[TestLine, ...]
    faults: tuple[Diagnostic, ...] = ()


@frozen(eq=False)
class Model:
    """A whole game. ``declarations`` are those outside the variants, in file order; ``lists``: the words of every list."""

    game: str
    titles: tuple[tuple[str, str], ...]
    players: tuple[int, int]
    lists: dict[str, tuple[str, ...]]
    declarations: tuple[Declaration, ...]
    variants: tuple[Variant, ...]
    tests: tuple[Test, ...]
    span: Span
    players_span: Span

    def with_needed(self, variants: Iterable[str]) -> tuple[str, ...]:
        """These variants, and before each the variants that it needs."""
        by_name = {variant.name: variant for variant in self.variants}
        found: dict[str, None] = {}
        todo = list(variants)[::-1]
        while todo:
            missing = [other.variant for other in by_name[todo[-1]].builds_on if other.variant not in found]
            if missing:
                todo += missing[::-1]
            else:
                found[todo.pop()] = None
        return tuple(found)
