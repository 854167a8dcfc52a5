"""The machine: one table of a game as flat data and small code, ready to run.

A machine is what both executors play. Its code knows only whole numbers and sets of small numbers (bits); players, cards
and words have become numbers, with `Domain`s to say them in the game's words again. Between two *stops* (a decision, a
chance event) and *the end* it runs without anything from outside.

Promises that every machine keeps (tested by ``invariants.py``):

- There is no recursion: the routines call each other without a circle. So every `Local` has a place of its own.
- A `Function` changes nothing but its own locals; only a `Routine` may store to fields, stop, show and note. A function that
  `restores` fields may store to these while it runs: it tries something out, asks, and puts them back.
- Everything that outlives a stop is in the record: a `Local` that is live at some stop has a place in `Layout.record`.
- ``none`` is -1 in code (`NONE`), or the number below all others where they go below 0 (see `intervals`); a field holds
  ``value - low``, so a record of zero bytes is the fresh record.
"""

from __future__ import annotations

from typing import Literal

from attrs import define, field, frozen

from ..common.intervals import NONE as NONE
from ..common.source import Span

OPTIONS_LIMIT = 65_536  # so that an option number fits in 16 bits
# Rounds of a loop that might never end, without a decision (`rounds.py`); real moves need some hundreds.
ROUNDS_LIMIT = 1_000_000
DECISIONS_LIMIT = 100_000  # decisions in one game; the longest match of a real game has some thousands


# ---- Domains: how numbers are said


Sort = Literal["word", "number", "player", "component", "cell", "way", "step"]


@frozen
class Domain:
    """The values ``low .. low + len(names) - 1`` and their names in the game's words (-1 is "none").

    ``copies`` is for kinds with equal components: bit b of a set of this domain stands for the value ``copies[b]``
    (equal values stand side by side, and the copies in a set fill from the left). Empty: bit b stands for ``low + b``.

    ``sort``, ``of``: what the values are, for those who show them: words of a list, components of a kind, cells of a grid, ways
    to lay something on a grid, steps on one (the last three are named by cells). Domains that say the same are equal, whatever
    they are of.

    ``said``, ``unset``, ``comma``: the names, "none", and what stands between names, in the language in which the machine speaks
    (no names: as the rules have them).
    """

    names: tuple[str, ...]
    low: int = 0
    copies: tuple[int, ...] = ()
    sort: Sort = field(default="word", eq=False)
    of: str = field(default="", eq=False)
    said: tuple[str, ...] = field(default=(), eq=False, repr=False)
    unset: str = field(default="none", eq=False, repr=False)
    comma: str = field(default=", ", eq=False, repr=False)

    @property
    def bits(self) -> int:
        """How many bits a set over this domain has."""
        return len(self.copies) or len(self.names)

    def name(self, value: int) -> str:
        return "none" if value == NONE and self.low >= 0 else self.names[value - self.low]

    def say(self, value: int) -> str:
        """The name of a value in the language in which the machine speaks."""
        return self.unset if value == NONE and self.low >= 0 else (self.said or self.names)[value - self.low]

    def members(self, bits: int) -> list[int]:
        """The values of a set, ascending, a copy each."""
        found = []
        while bits:
            bit = (bits & -bits).bit_length() - 1
            found.append(self.copies[bit] if self.copies else self.low + bit)
            bits &= bits - 1
        return found


# ---- Storage


Region = Literal["game", "knowledge", "digest", "run", "index"]  # index: follows from the game, kept only for speed


@frozen
class Field:
    """A part of the record: ``length`` elements, each a number ``low..high`` or (``bits`` > 0) a set of that many bits."""

    name: str
    region: Region
    length: int = 1
    low: int = 0
    high: int = 0
    bits: int = 0

    @property
    def width(self) -> int:
        """Bytes of one element: the fewest of 1, 2, 4, 8, then multiples of 8 that hold it."""
        needed = self.bits or max(1, (self.high - self.low).bit_length())
        return next((w for w in (1, 2, 4, 8) if needed <= 8 * w), (needed + 63) // 64 * 8)


@frozen
class Local:
    """A name inside one function or routine: a number, or (``bits`` > 0) a set. ``number`` is unique in the machine."""

    number: int
    name: str
    bits: int = 0


Variable = Field | Local


@frozen
class Place:
    """Where a variable lies: byte ``offset`` and ``width`` in the record; ``slot``, its first index among all elements."""

    offset: int
    width: int
    length: int
    low: int
    slot: int


@frozen(eq=False)
class Layout:
    """The record, field by field in order of offset, and after it the locals that never outlive a stop.

    ``record``: variables with a place in the record. ``scratch``: the other locals, slots after those of the record.
    ``regions``: first byte and byte after the last of each region. ``size``: bytes of the record.
    """

    record: dict[Variable, Place]
    scratch: dict[Local, int]
    regions: dict[Region, tuple[int, int]]
    size: int
    slots: int


# ---- Expressions: those that are made by the hundred thousand are not frozen, which would take twice as long


@define(unsafe_hash=True)
class Const:
    """A number, or a set as a bit pattern."""

    value: int


@define(unsafe_hash=True)
class Load:
    """The value of a variable; ``index`` picks the element of a field (0 when None)."""

    variable: Variable
    index: Expr | None = None


@frozen
class Constants:
    """A table of numbers or bit patterns that never changes."""

    name: str
    values: tuple[int, ...]
    bits: int = 0


@frozen
class Lookup:
    """``table[index]``; the lowering guarantees ``0 <= index < len(table.values)``."""

    table: Constants
    index: Expr


OpName = Literal[
    "+", "-", "*", "div", "div up", "mod", "min", "max",  # numbers; div rounds down, mod takes the sign of the divisor
    "=", "<", "<=",  # 1 or 0; = also compares sets
    "and", "or", "not", "if",  # lazy, on 1 and 0; "if" is (condition, then, else) and serves sets too
    "union", "intersect", "minus", "flip",  # sets; "flip" is the symmetric difference
    "bit",  # the set of one bit number, one that the set in which it stands can have: of others the executors may make anything
    "has",  # (set, bit number): 1 or 0
    "count",  # how many
    "first",  # the lowest bit number, -1 when empty
    "after",  # (set, n): the lowest bit number >= n, else the lowest of all; -1 when empty
    "left", "right",  # (set, constant): every bit number that much higher, lower; no bit above the set's own comes into being
]  # fmt: skip


@define(unsafe_hash=True)
class Op:
    name: OpName
    args: tuple[Expr, ...]


@frozen
class Invoke:
    """The value of a pure function."""

    function: str
    args: tuple[Expr, ...]


Expr = Const | Load | Lookup | Op | Invoke


# ---- Texts


@frozen
class Say:
    """A value in a text: a number of a domain, a plain number (no domain), or (``is_set``) a set of a domain."""

    value: Expr
    domain: Domain | None
    is_set: bool = False


@frozen
class Message:
    """A text in the game's words, made when it is needed.

    ``said``: the same in the language in which the machine speaks (nothing: as in ``parts``). It says no other values.
    ``sentence``: the sentence of the program that it is ("": a text of the rules), for narrators.
    """

    parts: tuple[str | Say, ...]
    said: tuple[str | Say, ...] = field(default=(), eq=False, repr=False)
    sentence: str = field(default="", eq=False, repr=False)


@frozen
class Fault:
    """Why a machine stops for good: a code of family R6, and the line. ``places``: others that belong to it, with words."""

    code: str
    message: Message
    span: Span = field(eq=False, repr=False)
    help: str = ""
    places: tuple[tuple[Span, str], ...] = field(default=(), eq=False, repr=False)


# ---- Statements


@frozen
class Assign:
    """``variable[index] = value``; the lowering guarantees that the value fits."""

    variable: Variable
    value: Expr
    index: Expr | None = None


@frozen
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@frozen
class While:
    """``span`` is the loop's line, named when it does not end (R606), or takes too long (R820).

    ``most``: so many rounds at the most, whatever happens in the game; 0 where nobody knows.
    """

    condition: Expr
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    most: int = 0


@frozen
class Block:
    """``Leave(label)`` inside goes on behind it. Labels are unique in a machine."""

    label: str
    body: tuple[Stmt, ...]


@frozen
class Leave:
    label: str


@frozen
class Return:
    """Leave the function (with its value) or the routine (with None)."""

    value: Expr | None = None


@frozen
class Call:
    """Run a routine; its parameters are assigned first."""

    routine: str
    args: tuple[Expr, ...] = ()


@frozen
class Fail:
    fault: Fault


@frozen
class Finish:
    """The game is over, wherever this stands."""


@frozen
class Show:
    """The seats in ``seats`` (a set) observe ``value``; ``site`` is unique among stops and shows (it enters the digest)."""

    site: int
    seats: Expr
    value: Expr
    text: Message


@frozen
class Note:
    """A line of the story, for a narrator; it changes nothing. Seats that are not in ``seen`` get ``hidden`` (None: nothing)."""

    text: Message
    seen: Expr
    hidden: Message | None = None


@frozen
class Condition:
    """One ``only if`` of an option, asked with the option's arguments in its locals; ``reason`` says why not."""

    test: Expr
    reason: Message
    span: Span = field(eq=False, repr=False)


Sources = tuple[tuple[tuple[str, bool], ...], ...]
"""For each argument of an act the names of the zones from which it is taken (none where it can come from anywhere), each with
whether that of whoever chooses is meant."""


@frozen
class Alternative:
    """One option line of a decision.

    ``group``: index in `Machine.groups`. ``arguments``: locals that receive the chosen option's arguments. ``candidates``,
    ``legal``: sets over the positions of the group (``legal`` is a subset). ``not_candidate``: why not, for the rest,
    unless one of ``outside`` fails before, of an act of several arguments: that each but the last is one it can be.
    ``conditions``: in order; legal = candidate and all of them. ``seen``: the set of players who see the arguments; the
    others see the verb or, where it is ``secret``, nothing; ``told``: of a secret one, whether all are told of it later.
    ``body``: what it does. ``piece``: what it lays on a grid, for texts (none where the player does not see which it is).
    """

    group: int
    arguments: tuple[Local, ...]
    candidates: Expr
    legal: Expr
    not_candidate: Message
    conditions: tuple[Condition, ...]
    seen: Expr
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    secret: bool = False
    piece: Say | None = None
    told: bool = False
    sources: Sources = field(default=(), eq=False, repr=False)
    outside: tuple[Condition, ...] = ()


@frozen
class Choose:
    """A decision. ``site``: its number. ``player``: who decides. ``impossible`` runs instead when nothing is legal.

    ``so_far``: in an act of several decisions what only the player is told of what was chosen before; None in its first one.
    ``at_once``: whether others choose at the same time, so that nobody is told anything before all have.
    """

    site: int
    player: Expr
    alternatives: tuple[Alternative, ...]
    impossible: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)
    so_far: Message | None = None
    at_once: bool = False


@frozen
class Chance:
    """A chance event: ``result`` becomes a member of ``pool``, uniform over its bits, named and numbered by ``domain``.

    With one bit there is no event; with several of one value there is, or those who do not see it could tell that they are
    equal. ``pool`` is never empty (the lowering guards it). ``seen``: who sees what it was (all see that it happened): they
    get ``text``, the others ``hidden``.
    """

    site: int
    result: Local
    pool: Expr
    domain: Domain
    seen: Expr
    text: Message
    hidden: Message
    span: Span = field(eq=False, repr=False)


Stmt = Assign | If | While | Block | Leave | Return | Call | Fail | Finish | Show | Note | Choose | Chance


# ---- The whole


@frozen
class Function:
    """A pure function: every path ends in ``Return(value)``. ``bits`` > 0: the value is a set.

    ``restores``: the fields to which it stores. They are saved when it begins, and are as
    they were when it has returned. No such function runs inside another.
    """

    name: str
    parameters: tuple[Local, ...]
    bits: int
    body: tuple[Stmt, ...]
    restores: tuple[Field, ...] = ()


@frozen
class Routine:
    """A piece of the game's flow. ``stops``: whether a decision or chance event can happen in it or below it."""

    name: str
    parameters: tuple[Local, ...]
    body: tuple[Stmt, ...]
    stops: bool


@frozen
class Group:
    """All options of one verb: ``size`` numbers from ``base``, the last argument running fastest.

    Option ``base + position``. ``text`` is the fixed text of a verb (its argument names follow), such as "play"; ``said`` is the
    same in the language in which the machine speaks ("": as in ``text``), and ``before`` what stands there before arguments.
    """

    verb: str
    text: str
    arguments: tuple[Domain, ...]
    base: int
    size: int
    said: str = field(default="", eq=False, repr=False)
    before: str = field(default="", eq=False, repr=False)

    @property
    def of_numbers(self) -> bool:
        """Whether it takes plain numbers and nothing else: a bid, an amount."""
        plain = (tuple(map(str, range(domain.low, domain.low + domain.bits))) == domain.names for domain in self.arguments)
        return bool(self.arguments) and all(plain)

    def values(self, position: int) -> tuple[int, ...]:
        """The arguments of the option at a position."""
        found: list[int] = []
        for domain in reversed(self.arguments):
            position, index = divmod(position, len(domain.names))
            found.append(domain.low + index)
        return tuple(reversed(found))


Visibility = Literal["open", "private", "hidden"]


FOR = " for "  # in the name of an instance: behind the player whose it is, before what tells it from the player's others
FOR_SAID = ": "  # the same in a name in another language


@frozen(kw_only=True)
class Instances:
    """How the instances of a zone, counter or marker are told apart.

    ``owner``: their names (None: there is one). ``seats``: the player whose each is, from 0 (none: nobody's). ``unused``: those
    of which no rule can speak, and nobody is told.
    """

    owner: Domain | None
    seats: tuple[int, ...]
    unused: frozenset[int] = frozenset()

    @property
    def owned(self) -> bool:
        """Whether there are several."""
        return self.owner is not None

    def beside(self, index: int) -> str:
        """What tells an instance from the others of the same player: " for red"; "" where each player has one."""
        return FOR + self.which(index) if self.which(index) else ""

    def which(self, index: int) -> str:
        """What tells an instance from the others of the same player, as in `beside`: "red"."""
        if self.owner is None or self.seats[index] == NONE or self.seats.count(self.seats[index]) == 1:
            return ""
        return self.owner.names[index].split(FOR, 1)[1]

    def said(self, index: int) -> str:
        """The same in the language in which the machine speaks."""
        if self.owner is None or not self.which(index):
            return ""
        return self.owner.say(index).split(FOR_SAID, 1)[1] if self.owner.said else self.which(index)


@frozen(kw_only=True)
class ZoneView(Instances):
    """A zone as seats see it. Fields have one element, or one for each instance.

    ``content``: a set field (shape set, and the unordered part of a pile), or a number field with none (slot).
    ``top``: of a pile whose top can have an order: its components from the bottom up, ``size`` elements of them in use
    (both with as many elements for each owner as the kind has components for ``top``, one for ``size``).
    ``grid``: the name of the grid of which this is one kind's share.
    ``place``: of a zone that is not open to all, the number of its first place (one for each owner) in its kind's
    `Knowledge`; None for an open zone.
    ``held``: of a pile of which some may be held back: how many of its unordered part will never be drawn.
    ``unrolled``: whether here are the faces that no die shows. What comes from here is rolled: each face is as likely.
    """

    name: str
    kind: str
    domain: Domain
    shape: Literal["set", "pile", "slot"]
    visibility: Visibility
    content: Field
    top: Field | None = None
    size: Field | None = None
    place: int | None = None
    held: Field | None = None
    unrolled: bool = False
    grid: str = ""


@frozen
class GridView:
    """A grid as seats see it: all see it. ``domain``: its cells, row by row from the lower left, each ``width`` cells long.

    ``kinds``: for each kind that it holds, where its components lie. Of a kind whose components all differ, a number field for
    each part (an element for each component: its cell, or none); else one field of sets of cells, with an element for each
    owner and face. `Machine.zones` say which components are on it. ``texts``: for each kind what stands on each part, by face.
    ``hexagonal``: whether each row lies half a cell further to the right than the one below it. ``board``: whether the cells are
    points of a board; then ``places`` are the column and row of each point in its picture, and empty without a picture.
    ``said``: the texts in the language in which the machine speaks (nothing: as in ``texts``).
    """

    name: str
    owned: bool
    width: int
    height: int
    domain: Domain
    kinds: dict[str, tuple[Field, ...]]
    texts: dict[str, tuple[tuple[str, ...], ...]]
    hexagonal: bool = False
    board: bool = False
    places: tuple[tuple[int, int], ...] = ()
    said: dict[str, tuple[tuple[str, ...], ...]] = field(factory=dict, eq=False, repr=False)


@frozen
class Knowledge:
    """What each seat knows of the places of one kind that are not open to all.

    ``may``: sets of faces; what may be in a place without the seat being certain of it. Of a face that exists once, the seat is
    certain where it lies and may not be. None where nothing can move unseen: all are certain of everything.
    ``elements``: for ``seat * places + place`` the element of ``may``, none where the seat sees the place itself.
    ``elsewhere``: whether a last element of each seat says what a test has put somewhere without the seat being told.
    ``certain``: of a kind with equal components, a set for each seat. The copies of a face stand in a row there, from bit
    ``rows[face]`` (none for a face that exists once): first those in place 0, ..., last those that lie openly; and of those
    in one place, first the ones of which the seat is certain.
    """

    kind: str
    places: int
    may: Field | None
    elements: tuple[int, ...]
    certain: Field | None
    rows: tuple[int, ...]
    elsewhere: bool = False


@frozen(kw_only=True)
class VariableView(Instances):
    """A counter or marker; ``domain`` None: plain numbers. ``optional``: whether it may be none."""

    name: str
    domain: Domain | None
    visibility: Visibility
    content: Field
    optional: bool = False


@frozen
class Term:
    """One line of the score sheet: a function of a player (0..). ``game``: in a match, the games of which it tells.

    ``said``: these games in the language in which the machine speaks.
    """

    name: str
    function: str
    game: str = ""
    said: str = field(default="", eq=False, repr=False)

    @property
    def title(self) -> str:
        """What the line is called: ``coins``, in a match ``coins, game 2``."""
        return f"{self.name}, {self.game}" if self.game else self.name


FACES = "faces of "  # of the name of a function of a set in which there are equal components: the faces that occur in it

RETURNS = "returns"  # where they are not the score: a function of a player, what that player gets when all is over
EARLIER = "earlier score"  # in a match: a function of a player, the sum of all lines over the games before this one


def earlier(line: str) -> str:
    """The field that holds a line of the score sheet in the games of a match that are over."""
    return f"earlier {line}"


@frozen
class RankKey:
    """One key of the winner's ranking: a function of a player; ``highest`` first, or lowest (none is always last).

    ``domain``: how its values are said (None: plain numbers). ``none``: which of its values is none (None: no value is).
    """

    label: str
    highest: bool
    function: str
    domain: Domain | None = None
    none: int | None = None


@frozen(eq=False)
class Machine:
    """One table, ready to run.

    ``seats``: number of players. ``seat_names``: what they are called. ``main``: routine names of setup and phases, in order
    (or of the match); after the last the game ends. ``steps``: routine names by step name, for tests. ``teams``: a set of
    players for each seat (itself and its partners). ``winner``: a function of a set of players that gives those of them who
    come first; ``keys``: what it compares, in order. ``returns``: the function of what a player gets (`RETURNS`, or the score).
    ``kinds``: the domain of each kind; ``lists``: the words of each list.
    """

    game: str
    seats: int
    seat_names: tuple[str, ...]
    groups: tuple[Group, ...]
    functions: dict[str, Function]
    routines: dict[str, Routine]
    main: tuple[str, ...]
    steps: dict[str, str]
    layout: Layout
    zones: tuple[ZoneView, ...]
    variables: tuple[VariableView, ...]
    teams: tuple[int, ...]
    terms: tuple[Term, ...]
    winner: str
    keys: tuple[RankKey, ...]
    knowledge: tuple[Knowledge, ...]
    kinds: dict[str, Domain]
    lists: dict[str, tuple[str, ...]]
    clear: dict[int, tuple[Variable, ...]]  # by site: locals of the record that are dead at that stop
    grids: tuple[GridView, ...] = ()
    returns: str = "score"

    @property
    def options(self) -> int:
        """How many option numbers there are."""
        return sum(group.size for group in self.groups)

    def group_of(self, option: int) -> Group:
        """The group of an option number."""
        return next(group for group in self.groups if group.base <= option < group.base + group.size)
