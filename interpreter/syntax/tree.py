"""The tree: what a `.rules` file says, sentence by sentence, before any name has a meaning.

One node for each construct, in the words of the language. Nodes are frozen values; two trees are equal when they say the same
thing (spans and comments do not count). Nothing here knows what a name refers to: `hand of player` is `Ref("hand",
of=Ref("player"))` whether `hand` is a zone, a counter or a mistake.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from ..common.nodes import equal, hashed, shown
from ..common.source import Span

RETURNS = "returns of player"  # as a name: it holds spaces, so that nothing else can be called so


@frozen
class Comments:
    """Comment lines above a line (``before``, without ``#``; "" is an empty line) and the comment at its end (``after``)."""

    before: tuple[str, ...] = ()
    after: str | None = None


@frozen(repr=False, eq=False)
class Node:
    """Shown and compared by functions for all nodes (see `nodes`)."""

    span: Span = field(kw_only=True, eq=False, repr=False)

    __repr__, __eq__, __hash__ = shown, equal, hashed


@frozen(repr=False, eq=False)
class Line(Node):
    """A node that has a line of its own in the file, and so may carry comments."""

    comments: Comments = field(default=Comments(), eq=False, repr=False, kw_only=True)


@frozen(repr=False, eq=False)
class Name(Node):
    """A name where it is introduced or where it is only pointed at (never an expression)."""

    text: str


# ---- Expressions


@frozen(repr=False, eq=False)
class Number(Node):
    value: int


@frozen(repr=False, eq=False)
class Special(Node):
    """``none``, ``empty``, ``yes``, ``no``."""

    word: Literal["none", "empty", "yes", "no"]


@frozen(repr=False, eq=False)
class Ref(Node):
    """``NAME``, ``NAME of X``, ``NAME for Y``, ``NAME of X for Y [after Z]``. ``further``: the places after `for`."""

    name: str
    of: Expression | None = None
    key: Expression | None = None
    further: tuple[tuple[Place, Expression], ...] = ()

    @property
    def arguments(self) -> dict[Place, Expression]:
        """What is given, by its place; of two at one place the last."""
        found: dict[Place, Expression] = {}
        if self.of is not None:
            found["of"] = self.of
        if self.key is not None:
            found["for"] = self.key
        return found | dict(self.further)

    @property
    def name_span(self) -> Span:
        """The span of the name alone."""
        return Span(self.span.source, self.span.start, self.span.start + len(self.name))


@frozen(repr=False, eq=False)
class Pick(Node):
    """``[crown 4]``: the component with these values (words, numbers, of pieces also ``player 1``); ``all [hearts]``: all."""

    values: tuple[str | int, ...]
    all: bool = False


@frozen(repr=False, eq=False)
class Every(Node):
    """``every hand``: that zone of all players together; ``every card``: all components of a kind."""

    name: str


@frozen(repr=False, eq=False)
class PlayerNumber(Node):
    """``player 1``."""

    number: int


@frozen(repr=False, eq=False)
class SeatsAway(Node):
    """``3 seats left of P`` (left is clockwise)."""

    count: Expression
    direction: Literal["left", "right"]
    of: Expression


@frozen(repr=False, eq=False)
class With(Node):
    """``with ATTRIBUTE [of X] [for KEY] [OP] VALUE``; the plain form (``with kind king``) has the op ``is``."""

    attribute: Name
    key: Expression | None
    op: CompareOp
    value: Expression
    of: Expression | None = None


@frozen(repr=False, eq=False)
class Where(Node):
    """``where [not] C``; C is a defined yes or no (``where low``, ``where low for suit``) or a condition in brackets."""

    negated: bool
    condition: Expression


@frozen(repr=False, eq=False)
class Within(Node):
    """``also in S``; negated: ``without S``."""

    negated: bool
    of: Expression


Filter = With | Where | Within


@frozen(repr=False, eq=False)
class Filtered(Node):
    base: Expression
    filters: tuple[Filter, ...]


@frozen(repr=False, eq=False)
class Arithmetic(Node):
    """``+ - * mod``; ``+`` also joins sets."""

    op: Literal["+", "-", "*", "mod"]
    left: Expression
    right: Expression


@frozen(repr=False, eq=False)
class Division(Node):
    """``A / B rounded down|up``."""

    left: Expression
    right: Expression
    rounded: Literal["down", "up"]


@frozen(repr=False, eq=False)
class Negative(Node):
    value: Expression


Place = Literal["of", "for", "after", "at", "against"]  # where an argument stands, in this order
CompareOp = Literal["is", "is not", "<", ">", "at least", "at most"]


@frozen(repr=False, eq=False)
class Comparison(Node):
    """``A is B``, ``A < B``, ``A at least B`` ...; ``is not empty`` is ``Comparison("is not", A, Special("empty"))``."""

    op: CompareOp
    left: Expression
    right: Expression


@frozen(repr=False, eq=False)
class Interval(Node):
    """``A..B``, both ends included; only after ``in`` and ``from``."""

    low: Expression
    high: Expression


@frozen(repr=False, eq=False)
class Membership(Node):
    """``A in S``, ``A not in S``, ``A in 1..5``."""

    negated: bool
    member: Expression
    of: Expression | Interval


@frozen(repr=False, eq=False)
class Logic(Node):
    op: Literal["and", "or"]
    left: Expression
    right: Expression


@frozen(repr=False, eq=False)
class Not(Node):
    value: Expression


@frozen(repr=False, eq=False)
class IsA(Node):
    """``X is a gem`` / ``X is not a gem``."""

    what: Expression
    negated: bool
    noun: Name


@frozen(repr=False, eq=False)
class Has(Node):
    """``S has a card FILTER*`` / ``S has no card FILTER*``."""

    base: Expression
    negated: bool
    noun: Name
    filters: tuple[Filter, ...]


@frozen(repr=False, eq=False)
class HasOnly(Node):
    """``S has only cards FILTER+``; ``everybody FILTER+`` is ``players has only players FILTER+``."""

    base: Expression
    noun: Name
    filters: tuple[Filter, ...]


@frozen(repr=False, eq=False)
class Somebody(Node):
    """``somebody [in S] FILTER+`` / ``nobody [in S] FILTER+``; ``nobody is WORD`` is ``nobody where WORD``."""

    negated: bool
    among: Expression | None
    filters: tuple[Filter, ...]


@frozen(repr=False, eq=False)
class Count(Node):
    """``count of S``."""

    of: Expression


@frozen(repr=False, eq=False)
class Total(Node):
    """``total ATTRIBUTE [for KEY] of S``: the sum over the members."""

    attribute: Name
    key: Expression | None
    of: Expression


@frozen(repr=False, eq=False)
class OverEach(Node):
    """``total (E) for each NOUN [NAME] [of S | in S | in A..B | FILTER+]``; ``highest`` and ``lowest`` likewise."""

    what: Literal["total", "highest", "lowest"]
    value: Expression
    noun: Name
    name: Name | None
    members: Expression | Interval | None
    filters: tuple[Filter, ...]


@frozen(repr=False, eq=False)
class Extreme(Node):
    """``highest ATTRIBUTE [for KEY] among S`` / ``lowest ...``."""

    direction: Literal["highest", "lowest"]
    attribute: Name
    key: Expression | None
    among: Expression


@frozen(repr=False, eq=False)
class First(Node):
    """``first player FILTER* clockwise from P``; P itself comes first."""

    noun: Name
    filters: tuple[Filter, ...]
    start: Expression


@frozen(repr=False, eq=False)
class Key(Node):
    """One key of a ranking: ``highest E``, ``lowest E``, ``most E``, ``fewest E``, or a yes/no word (``fits``).

    ``shared``, ``split`` and ``nobody`` end a ranking and have no value. ``label`` is the name that a winner block gives a key.
    """

    direction: Literal["highest", "lowest", "most", "fewest", "fits", "shared", "split", "nobody"]
    value: Expression | None = None
    label: str | None = None


@frozen(repr=False, eq=False)
class Best(Node):
    """``best of S by KEYS``, ``all best of S by KEYS``."""

    of: Expression
    keys: tuple[Key, ...]
    all: bool = False


@frozen(repr=False, eq=False)
class LargerOf(Node):
    """``larger of A and B``; with ``smaller``: ``smaller of A and B``."""

    left: Expression
    right: Expression
    smaller: bool = False


@frozen(repr=False, eq=False)
class Distance(Node):
    """``distance between A and B``: numbers, players or cells."""

    left: Expression
    right: Expression


@frozen(repr=False, eq=False)
class AnyOne(Node):
    """``any NOUN from S``: it does not matter which."""

    noun: Name
    source: Expression


@frozen(repr=False, eq=False)
class RandomOne(Node):
    """``a random NOUN [from S]``, ``a random NOUN from A..B``: one chance event."""

    noun: Name
    source: Expression | Interval | None


@frozen(repr=False, eq=False)
class Group(Node):
    """``(A, B, ...)`` with at least two members, or ``(A)`` where a set is wanted: the set of these."""

    members: tuple[Expression, ...]


# ---- On grids


@frozen(repr=False, eq=False)
class Touches(Node):
    """``X touches Y`` (some cell of X lies next to one of Y); ``X touches same ATTRIBUTE`` (then ``right`` is a `Name`)."""

    left: Expression
    right: Expression | Name


@frozen(repr=False, eq=False)
class EmptyCells(Node):
    """``empty cells of GRID``."""

    grid: Expression


@frozen(repr=False, eq=False)
class CellsNextTo(Node):
    """``cells next to X``: orthogonally, without X itself."""

    of: Expression


@frozen(repr=False, eq=False)
class Shifted(Node):
    """``X shifted north [for P]``: the same cells, one further in a direction (as P sees it), or in each of some directions; what
    leaves the grid is gone.
    """

    of: Expression
    direction: Expression


@frozen(repr=False, eq=False)
class AfterThis(Node):
    """``after this C``: asked of the position to which the option around it leads."""

    condition: Expression


@frozen(repr=False, eq=False)
class Possible(Node):
    """``VERB is possible``: whether an option of the same choice would be allowed."""

    verb: str


@frozen(repr=False, eq=False)
class Repeats(Node):
    """``position repeats N times``; ``position was seen before`` is ``position repeats 1 times``."""

    times: Expression


@frozen(repr=False, eq=False)
class HasLine(Node):
    """``X has a line of N [through CELL]``: so many of these cells side by side, in any direction."""

    of: Expression
    length: Expression
    through: Expression | None


@frozen(repr=False, eq=False)
class LongestLine(Node):
    """``count of longest line [through CELL] [along DIRECTIONS] in X``: how many of these cells lie side by side at most."""

    of: Expression
    through: Expression | None
    along: Expression | None


@frozen(repr=False, eq=False)
class HasPath(Node):
    """``X has a path from Y to Z``: cells of X, each next to the one before it, the first of them in Y and the last in Z."""

    of: Expression
    start: Expression
    end: Expression


@frozen(repr=False, eq=False)
class LinesFrom(Node):
    """``lines from CELL through X to Y``: in each direction the cells of X behind the cell, where a cell of Y ends them."""

    start: Expression
    through: Expression
    end: Expression


@frozen(repr=False, eq=False)
class Regions(Node):
    """``regions of GRID by ATTRIBUTE``: the connected cells that agree in it."""

    grid: Expression
    attribute: Name


Expression = (
    Number
    | Special
    | Ref
    | Pick
    | Every
    | PlayerNumber
    | SeatsAway
    | Filtered
    | Arithmetic
    | Division
    | Negative
    | Comparison
    | Membership
    | Logic
    | Not
    | Has
    | IsA
    | HasOnly
    | Somebody
    | Count
    | Total
    | OverEach
    | Extreme
    | First
    | Best
    | LargerOf
    | Distance
    | AnyOne
    | RandomOne
    | Group
    | Touches
    | EmptyCells
    | CellsNextTo
    | Shifted
    | AfterThis
    | Repeats
    | Possible
    | HasLine
    | LongestLine
    | HasPath
    | LinesFrom
    | Regions
)


# ---- Domains


@frozen(repr=False, eq=False)
class RangeDomain(Node):
    """``A..B``. The ends are numbers or sums of options (``0..target + 25``)."""

    low: Expression
    high: Expression


@frozen(repr=False, eq=False)
class WordsDomain(Node):
    """``crown, mitre``; ``2..10, jack, queen``; ``A..I``: words in order, written out (a run of numbers gives number words)."""

    words: tuple[str, ...]


@frozen(repr=False, eq=False)
class NamedDomain(Node):
    """``player``, the name of a list, an attribute or a kind, ``cell in GRID``, or ``yes or no`` (the name ``yes or no``)."""

    name: str
    grid: Name | None = None


@frozen(repr=False, eq=False)
class NumbersDomain(Node):
    """``24, 36, 48``: just these numbers."""

    values: tuple[int, ...]


@frozen(repr=False, eq=False)
class Domain(Node):
    """A domain, and whether ``or none`` follows."""

    base: RangeDomain | NumbersDomain | WordsDomain | NamedDomain
    optional: bool = False


# ---- Statements


@frozen(repr=False, eq=False)
class Move(Line):
    """``move X to ZONE``."""

    what: Expression
    to: Ref


@frozen(repr=False, eq=False)
class Put(Line):
    """``put X on CELL``."""

    what: Expression
    on: Expression


@frozen(repr=False, eq=False)
class Remember(Line):
    """``remember position``; or (``forget``) ``forget positions``."""

    forget: bool


@frozen(repr=False, eq=False)
class HoldBack(Line):
    """``remove N from PILE unseen``: so many of a shuffled pile will never be drawn."""

    count: Expression
    pile: Ref


@frozen(repr=False, eq=False)
class Draw(Line):
    """``draw N from PILE to ZONE``."""

    count: Expression
    source: Ref
    to: Ref


@frozen(repr=False, eq=False)
class Roll(Line):
    """``roll N dice to ZONE`` (with ``noun``), ``roll SET to ZONE``, or ``roll ZONE`` (``to`` is None)."""

    what: Expression
    noun: Name | None
    to: Ref | None


@frozen(repr=False, eq=False)
class Shuffle(Line):
    """``shuffle PILE`` (``pile`` is None) or ``shuffle SET into PILE``."""

    what: Expression
    pile: Ref | None


@frozen(repr=False, eq=False)
class Swap(Line):
    """``swap ZONE with ZONE``: what lies in each comes to lie in the other."""

    one: Ref
    other: Ref


@frozen(repr=False, eq=False)
class Reveal(Line):
    """``reveal X``: everybody sees these components, or learns this value."""

    what: Expression


@frozen(repr=False, eq=False)
class Look(Line):
    """``P looks at the top [N] of PILE``; ``count`` None: one."""

    player: Expression
    count: Expression | None
    pile: Ref


@frozen(repr=False, eq=False)
class Show(Line):
    """``show X to P``: these players see them, or learn the value (``to`` None: all)."""

    what: Expression
    to: Expression | None


@frozen(repr=False, eq=False)
class Set(Line):
    """``set P to E``."""

    target: Ref
    value: Expression


@frozen(repr=False, eq=False)
class Add(Line):
    """``add N to P``."""

    amount: Expression
    target: Ref


@frozen(repr=False, eq=False)
class Take(Line):
    """``take N from P``."""

    amount: Expression
    target: Ref


@frozen(repr=False, eq=False)
class Pay(Line):
    """``pay N from P to Q`` or ``pay all from P to Q`` (``amount`` is None)."""

    amount: Expression | None
    source: Ref
    target: Ref


@frozen(repr=False, eq=False)
class Let(Line):
    """``let NAME be E``."""

    name: Name
    value: Expression


@frozen(repr=False, eq=False)
class If(Line):
    """``if C`` with its ``otherwise if`` and ``otherwise`` parts; a condition of None is ``otherwise``."""

    cases: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]


@frozen(repr=False, eq=False)
class Clockwise(Node):
    """``clockwise [from P [to Q]]``."""

    start: Expression | None = None
    stop: Expression | None = None


@frozen(repr=False, eq=False)
class ByKeys(Node):
    """``by KEYS``."""

    keys: tuple[Key, ...]


@frozen(repr=False, eq=False)
class InRandomOrder(Node):
    """``in random order``."""


@frozen(repr=False, eq=False)
class AtOnce(Node):
    """``at once``: all choose, and only then anything is done."""


Order = Clockwise | ByKeys | InRandomOrder | AtOnce


@frozen(repr=False, eq=False)
class ForEach(Line):
    """``for each NOUN [NAME] [in SET] FILTER* [ORDER]``; members and order are settled when it begins."""

    noun: Name
    name: Name | None
    members: Expression | Interval | None
    filters: tuple[Filter, ...]
    order: Order | None
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class Repeat(Line):
    """``repeat until C [at most N times]`` or ``repeat N times``.

    Exactly one of ``until`` and ``times`` is given. ``otherwise`` runs when the rounds of ``at most`` are used up (None: then
    the game stops there with a message).
    """

    until: Expression | None
    times: Expression | None
    at_most: Expression | None
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] | None


@frozen(repr=False, eq=False)
class TakeTurns(Line):
    """``take turns [clockwise from P] [among SET] [until C]``; C and SET are asked anew before each turn."""

    start: Expression | None
    among: Expression | None
    until: Expression | None
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class Do(Line):
    """``do STEP [of E] [for E]``."""

    step: Ref


@frozen(repr=False, eq=False)
class End(Line):
    """``end game``, ``end STEP``, ``end PHASE``."""

    name: Name


@frozen(repr=False, eq=False)
class Wins(Line):
    """``P wins``, ``nobody wins`` (None): the game is over, and P has won it."""

    player: Expression | None


@frozen(repr=False, eq=False)
class Nothing(Line):
    """``nothing``."""


@frozen(repr=False, eq=False)
class StepHere(Line):
    """``step NAME`` inside a flow: it runs where it stands, and a variant can reach it by its name."""

    name: Name
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class OnlyIf(Line):
    """``only if C [unless D] [otherwise "why not"]``. ``where_possible``: the form ``unless impossible``."""

    condition: Expression
    unless: Expression | None
    reason: str | None
    where_possible: bool = False


@frozen(repr=False, eq=False)
class SoThat(Line):
    """``so that C [otherwise "why not"]``: asked of the table as it is with the piece already lying there."""

    condition: Expression
    reason: str | None


@frozen(repr=False, eq=False)
class Limit(Line):
    """``limit N per STEP [otherwise "why not"]``: so often since the step last began, whoever chooses it."""

    count: Expression
    step: Name
    reason: str | None


Clause = OnlyIf | SoThat | Limit


@frozen(repr=False, eq=False)
class Argument(Node):
    """``[on] a NOUN [NAME] [from SET | from A..B]``; without a set, each value of the domain NOUN."""

    noun: Name
    name: Name | None
    source: Expression | Interval | None
    on: bool = False


@frozen(repr=False, eq=False)
class Alike(Node):
    """``all different``, ``all of the same colour``: what the members of a selection are to each other.

    ``attribute`` None: whether they are identical.
    """

    different: bool
    attribute: Name | None


@frozen(repr=False, eq=False)
class WithTotal(Node):
    """``with total ATTRIBUTE [for KEY] at least N``: what the members of a selection come to."""

    attribute: Name
    key: Expression | None
    op: CompareOp
    value: Expression


@frozen(repr=False, eq=False)
class Several(Node):
    """``3 NOUN [NAME] from SET``: a selection; one decision for each, and they take effect together.

    ``count`` None: any number. ``up_to``: or fewer. ``whole``: what holds of all of them together.
    """

    count: Expression | None
    noun: Name
    name: Name | None
    source: Expression
    up_to: bool = False
    whole: tuple[Alike | WithTotal, ...] = ()


@frozen(repr=False, eq=False)
class Placing(Node):
    """``PIECE on GRID``: each way to lay it on empty cells."""

    piece: Ref
    grid: Ref


@frozen(repr=False, eq=False)
class Option(Line):
    """``VERB [ARG {and ARG}] [face down] ["text"]`` or ``VERB PIECE on GRID``, with its clauses and its statements.

    ``face_down``: the others see that it is done, not to what.
    """

    verb: Name
    arguments: tuple[Argument | Several, ...] | Placing
    face_down: bool
    text: str | None
    clauses: tuple[Clause, ...]
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class Choose(Line):
    """``P chooses`` with its options; ``if_impossible`` runs instead when none is legal (None: that stops the game).

    ``goes_on``: ``P goes on``, a further part of the act before.
    """

    player: Expression
    options: tuple[Option, ...]
    if_impossible: tuple[Statement, ...] | None
    goes_on: bool = False


# ---- Auctions


@frozen(repr=False, eq=False)
class BidPart(Node):
    """``A..B``, ``NAME from A..B`` (``name`` is then bound) or ``NAME``, a list of which a word is named."""

    name: Name | None
    amounts: Interval | None


@frozen(repr=False, eq=False)
class PayComponents(Node):
    """``[VALUE of] cards from SET to ZONE``: the noun is ``cards``; by number, or until their values are enough."""

    measure: Ref
    source: Expression
    to: Ref


@frozen(repr=False, eq=False)
class PayCounter(Node):
    """``coins of winner to bank``."""

    source: Ref
    to: Ref


Payment = PayComponents | PayCounter
BiddingEnd = Literal["a pass is final", "a pass is not final", "once around", "sealed"]


@frozen(repr=False, eq=False)
class Auction(Line):
    """``auction for LOT`` with its lines.

    ``bids``: the parts of a bid. ``raise_by``: by how much each must be higher than the last (None: any amount may be bid).
    ``payment``: cases, of which the last condition may be None (otherwise); empty: nothing is paid. The three blocks are None
    where the line is missing.
    """

    lot: Expression
    bidders: Expression
    order: Order | None
    bids: tuple[BidPart, ...]
    raise_by: Expression | None
    ends: BiddingEnd
    payment: tuple[tuple[Expression | None, Payment], ...]
    no_bids: tuple[Statement, ...] | None
    won: tuple[Statement, ...] | None
    cannot_pay: tuple[Statement, ...] | None


@frozen(repr=False, eq=False)
class BidAgain(Line):
    """``bid again [without P]``, under ``cannot pay``."""

    without: Name | None


Statement = (
    Move
    | Put
    | HoldBack
    | Remember
    | Draw
    | Roll
    | Shuffle
    | Swap
    | Reveal
    | Show
    | Look
    | Set
    | Add
    | Take
    | Pay
    | Let
    | If
    | ForEach
    | Repeat
    | TakeTurns
    | Do
    | End
    | Wins
    | Nothing
    | StepHere
    | Choose
    | Auction
    | BidAgain
)


# ---- Declarations


@frozen(repr=False, eq=False)
class Text(Node):
    """A text in one language (``language`` is "" where none is named)."""

    language: str
    text: str


@frozen(repr=False, eq=False)
class Title(Line):
    texts: tuple[Text, ...]


@frozen(repr=False, eq=False)
class Players(Line):
    """``players 3..6`` or ``players 4``."""

    low: int
    high: int


@frozen(repr=False, eq=False)
class Game(Line):
    """``game NAME``, its title and its numbers of players."""

    name: Name
    title: Title | None
    players: Players | None


@frozen(repr=False, eq=False)
class OptionDeclaration(Line):
    """``option NAME: DOMAIN, default E``."""

    name: Name
    domain: Domain
    default: Expression


@frozen(repr=False, eq=False)
class ListDeclaration(Line):
    """``list NAME: word, word``."""

    name: Name
    words: WordsDomain


@frozen(repr=False, eq=False)
class Attribute(Line):
    """``NAME [for LIST]: DOMAIN`` under a kind; with a list, one for each of its words."""

    name: Name
    domain: Domain
    key: Name | None = None


@frozen(repr=False, eq=False)
class Marker(Line):
    """``marker NAME, NAME PARAMETER*: DOMAIN[, VISIBILITY]``, of the table, of others or (under a kind) of a component."""

    names: tuple[Name, ...]
    parameters: tuple[Parameter, ...]
    domain: Domain
    visibility: Visibility | None = None


@frozen(repr=False, eq=False)
class LeaveOut(Line):
    """``leave out rows with COLUMN OP E``."""

    column: Name
    op: CompareOp
    value: Expression


@frozen(repr=False, eq=False)
class Row(Line):
    """One row of a table: words, numbers, ``none`` or ``otherwise`` (as text) and expressions for values."""

    cells: tuple[Expression, ...]


@frozen(repr=False, eq=False)
class FromFile(Node):
    """``from "data/masti.csv"``."""

    path: str


@frozen(repr=False, eq=False)
class Copies(Node):
    """``, N of each``: every combination of the attributes, N times; ``, N``; ``, N for each player``: owned by the players.

    Without a number they are as many as fit on the grids.
    """

    count: Expression | None
    owned: bool = False


@frozen(repr=False, eq=False)
class Written(Node):
    """The rows stand in the file: a header line and rows, separated by ``|``."""

    columns: tuple[Name, ...]
    rows: tuple[Row, ...]


@frozen(repr=False, eq=False)
class Shape(Line):
    """``shape "ab" "cd"``: the picture of a tile, row by row from the top; each letter is a part with these attributes."""

    rows: tuple[str, ...]
    attributes: tuple[Attribute, ...]


@frozen(repr=False, eq=False)
class ShownAs(Line):
    """``shown as "{name}"``: what a component is called for those who play."""

    text: str


@frozen(repr=False, eq=False)
class OtherCopies(Line):
    """``3 of each with value wager``: how many there are of these combinations."""

    count: Expression
    filters: tuple[Filter, ...]


@frozen(repr=False, eq=False)
class Kind(Line):
    """``cards|tiles|pieces NAME ...`` with its attributes, markers, shape and rows."""

    form: Literal["cards", "tiles", "pieces", "dice"]
    name: Name
    rows: FromFile | Copies | Written
    attributes: tuple[Attribute, ...]
    markers: tuple[Marker, ...]
    left_out: tuple[LeaveOut, ...]
    shape: Shape | None = None
    shown: ShownAs | None = None
    other_copies: tuple[OtherCopies, ...] = ()


Visibility = Literal["open", "private", "hidden"]


@frozen(repr=False, eq=False)
class Parameter(Node):
    """``of NOUN [NAME] [in GRID]``, ``for NOUN``, ...: what a zone, counter, marker, define or step belongs to, or is given."""

    place: Place
    noun: Name
    name: Name | None = None
    grid: Name | None = None

    @property
    def called(self) -> Name:
        """What it is called inside."""
        return self.name or self.noun


@frozen(repr=False, eq=False)
class Zone(Line):
    """``zone NAME[, NAME] PARAMETER*: set|pile|slot of KIND [or KIND]*, VISIBILITY``."""

    names: tuple[Name, ...]
    parameters: tuple[Parameter, ...]
    shape: Literal["set", "pile", "slot"]
    kinds: tuple[Name, ...]
    visibility: Visibility


@frozen(repr=False, eq=False)
class Grid(Line):
    """``zone NAME[, NAME] PARAMETER*: [hexagonal] grid of KIND [or KIND], W x H, VISIBILITY``."""

    names: tuple[Name, ...]
    parameters: tuple[Parameter, ...]
    hexagonal: bool
    kinds: tuple[Name, ...]
    width: Expression
    height: Expression
    visibility: Visibility


@frozen(repr=False, eq=False)
class PictureRow(Line):
    """``"o---o---o"``: a row of the picture of a board, from the top."""

    text: str


@frozen(repr=False, eq=False)
class Points(Line):
    """``rome, milan``, ``italy: rome, milan``: points of a board; ``region``: the name of all of them together."""

    region: Name | None
    names: tuple[Name, ...]


@frozen(repr=False, eq=False)
class Chain(Line):
    """``rome - milan - turin``: points of a board that are joined one after the other, in a line."""

    names: tuple[Name, ...]


@frozen(repr=False, eq=False)
class Board(Line):
    """``zone NAME[, NAME] PARAMETER*: board of KIND [or KIND], VISIBILITY`` with what describes it."""

    names: tuple[Name, ...]
    parameters: tuple[Parameter, ...]
    kinds: tuple[Name, ...]
    visibility: Visibility
    picture: tuple[PictureRow, ...]
    regions: tuple[Points, ...]
    chains: tuple[Chain, ...]


@frozen(repr=False, eq=False)
class Counter(Line):
    """``counter NAME, NAME PARAMETER*: A..B[, VISIBILITY]``."""

    names: tuple[Name, ...]
    parameters: tuple[Parameter, ...]
    domain: RangeDomain
    visibility: Visibility | None = None


@frozen(repr=False, eq=False)
class TableDeclaration(Line):
    """``table NAME by KEY`` with columns, or ``table NAME by KEY: k: v, k: v`` (then the one column has the table's name).

    In a row the first cell is the key; the key ``otherwise`` (a ``Ref``) stands for all that are not named. With a ``file``,
    columns and rows are there. Of ``table NAME PARAMETER+``, the first cells are the key, one for each parameter.
    """

    name: Name
    by: Name
    columns: tuple[Name, ...]
    rows: tuple[Row, ...]
    file: FromFile | None = None
    parameters: tuple[Parameter, ...] = ()


@frozen(repr=False, eq=False)
class Case(Line):
    """``E if C`` or ``otherwise E`` (then the condition is None), in a define."""

    value: Expression
    condition: Expression | None


@frozen(repr=False, eq=False)
class Define(Line):
    """``define NAME PARAMETER*: E``, or a block of cases."""

    name: Name
    parameters: tuple[Parameter, ...]
    value: Expression | None
    cases: tuple[Case, ...]


@frozen(repr=False, eq=False)
class Returns(Define):
    """``returns of player: E``, or a block of cases: a define that is called `RETURNS`."""


@frozen(repr=False, eq=False)
class Setup(Line):
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class Phase(Line):
    name: Name
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class Step(Line):
    """``step NAME PARAMETER*`` at the top level; it runs by ``do``."""

    name: Name
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class Whenever(Line):
    """``whenever a NOUN FILTER* enters ZONE PARAMETER*``: runs right after each move that fits."""

    noun: Name
    filters: tuple[Filter, ...]
    zone: Name
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class Match(Line):
    """``match of N games`` or ``match until C, at most N games``, with a ranking of its own and what is kept. ``noun``: what they
    are called, of one or of several."""

    games: Expression
    noun: Name
    until: Expression | None
    keys: tuple[Key, ...] | None
    kept: tuple[Name, ...]


@frozen(repr=False, eq=False)
class Teams(Line):
    """``teams of N, in turn``."""

    size: int


@frozen(repr=False, eq=False)
class Position(Line):
    """``position: NAMES [, at most N]``: what makes up a position, and how many are remembered."""

    names: tuple[Name, ...]
    most: int | None


@frozen(repr=False, eq=False)
class ScoreTerm(Line):
    """``TERM [for each NOUN [in SET]]: E [if C]``."""

    name: Name
    each: Name | None
    members: Expression | None
    value: Expression
    condition: Expression | None


@frozen(repr=False, eq=False)
class Majority(Line):
    """``TERM [for each NOUN [in SET]]: majority`` with ``among``, ``by`` and ``prizes``."""

    name: Name
    each: Name | None
    members: Expression | None
    among: Expression
    keys: tuple[Key, ...]
    prizes: tuple[Expression, ...]


@frozen(repr=False, eq=False)
class Score(Line):
    """``score of player`` with its terms."""

    terms: tuple[ScoreTerm | Majority, ...]


@frozen(repr=False, eq=False)
class KeysForEach(Line):
    """``for each NOUN`` in a winner block: these keys for the first word, then for the next."""

    noun: Name
    keys: tuple[Key, ...]


@frozen(repr=False, eq=False)
class Winner(Line):
    """``winner KEYS``, on one line or as a block."""

    keys: tuple[Key | KeysForEach, ...]


# ---- Variants


@frozen(repr=False, eq=False)
class Needs(Line):
    """``needs C``."""

    condition: Expression


@frozen(repr=False, eq=False)
class Excludes(Line):
    """``excludes VARIANT``."""

    name: Name


@frozen(repr=False, eq=False)
class Always(Line):
    """``always when C``: in play without being named."""

    condition: Expression


@frozen(repr=False, eq=False)
class SetOption(Line):
    """``set OPTION to E``."""

    name: Name
    value: Expression


@frozen(repr=False, eq=False)
class Replace(Line):
    """``replace DECLARATION``: a define, table, step, phase, setup, score or winner of the same name."""

    declaration: Declaration


@frozen(repr=False, eq=False)
class Insert(Line):
    """``add before|after STEP`` and statements."""

    where: Literal["before", "after"]
    step: Name
    body: tuple[Statement, ...]


@frozen(repr=False, eq=False)
class AddToScore(Line):
    """``add to score`` and terms."""

    terms: tuple[ScoreTerm | Majority, ...]


@frozen(repr=False, eq=False)
class Remove(Line):
    """``remove NAME [for WORD] from score|winner``."""

    name: Name
    source: Literal["score", "winner"]
    key: Expression | None = None


Edit = Needs | Excludes | Always | SetOption | Replace | Insert | AddToScore | Remove


@frozen(repr=False, eq=False)
class Variant(Line):
    """``variant NAME "text"`` with its edits and its own declarations, in the order written."""

    name: Name
    texts: tuple[Text, ...]
    body: tuple[Edit | Declaration, ...]


# ---- Tests


@frozen(repr=False, eq=False)
class TestPlayers(Line):
    """``players Ann, Bob``: seats and names."""

    names: tuple[Name, ...]


@frozen(repr=False, eq=False)
class TestWith(Line):
    """``with VARIANT, VARIANT``."""

    names: tuple[Name, ...]


@frozen(repr=False, eq=False)
class RunSetup(Line):
    """``setup``."""


@frozen(repr=False, eq=False)
class Given(Line):
    """``given ZONE: things`` or ``given COUNTER: 3``; a thing is a value, and a zone may be given none."""

    target: Ref
    things: tuple[Expression, ...]


@frozen(repr=False, eq=False)
class Laid(Node):
    """``[19] on e6 e7``: a component and the cells of its parts."""

    what: Expression
    cells: tuple[Name, ...]


@frozen(repr=False, eq=False)
class GivenLaid(Line):
    """``given GRID: [19] on e6 e7, ...``."""

    grid: Ref
    laid: tuple[Laid, ...]


@frozen(repr=False, eq=False)
class GivenKnown(Line):
    """``given Ann knows SET``: where each of these is now."""

    player: Name
    what: Expression


@frozen(repr=False, eq=False)
class Chance(Line):
    """``chance: things``: what the next chance events bring, in order."""

    things: tuple[Expression, ...]


@frozen(repr=False, eq=False)
class Start(Line):
    """``start PHASE`` or ``start STEP``."""

    step: Ref


@frozen(repr=False, eq=False)
class Act(Node):
    """``VERB VALUE*`` as it is chosen in a test."""

    verb: Name
    arguments: tuple[Expression, ...]


@frozen(repr=False, eq=False)
class Plays(Line):
    """``Ann: play [crown 4]``."""

    player: Name
    act: Act


@frozen(repr=False, eq=False)
class Expect(Line):
    """``expect C``."""

    condition: Expression


@frozen(repr=False, eq=False)
class ExpectCan(Line):
    """``expect Ann can VERB ..., VERB ...``."""

    player: Name
    acts: tuple[Act, ...]


@frozen(repr=False, eq=False)
class ExpectCannot(Line):
    """``expect Ann cannot VERB ... [because "reason"]``."""

    player: Name
    act: Act
    reason: str | None


@frozen(repr=False, eq=False)
class ExpectKnows(Line):
    """``expect Ann knows SET``, ``expect Ann does not know SET``."""

    player: Name
    negated: bool
    what: Expression


@frozen(repr=False, eq=False)
class ExpectFinding(Line):
    """``expect finding CODE ["text"]``: what the check of this table must find."""

    code: Name
    text: str | None


TestLine = (
    TestPlayers
    | TestWith
    | SetOption
    | RunSetup
    | Given
    | GivenLaid
    | GivenKnown
    | Chance
    | Start
    | Plays
    | Expect
    | ExpectCan
    | ExpectCannot
    | ExpectKnows
    | ExpectFinding
)


@frozen(repr=False, eq=False)
class Test(Line):
    """``test "title"`` and its lines in order."""

    title: str
    body: tuple[TestLine, ...]


Declaration = (
    OptionDeclaration
    | ListDeclaration
    | Kind
    | Zone
    | Grid
    | Board
    | Counter
    | Marker
    | TableDeclaration
    | Define
    | Setup
    | Phase
    | Step
    | Whenever
    | Match
    | Teams
    | Position
    | Score
    | Winner
)


@frozen(repr=False, eq=False)
class Note(Node):
    """``note "..."``, ``note instead "..."`` or ``story "..."``: a sentence for the rulebook. ``about``: the line under which it
    stands (None: it stands at the left edge)."""

    form: Literal["note", "instead", "story"]
    text: str
    about: Span | None = field(eq=False)


@frozen(repr=False, eq=False)
class Tree(Node):
    """A whole game. ``declarations`` holds everything after ``game`` but variants and tests, in order."""

    game: Game
    declarations: tuple[Declaration, ...]
    variants: tuple[Variant, ...]
    tests: tuple[Test, ...]
    closing: tuple[str, ...] = field(default=(), eq=False)  # comment lines after the last line
    notes: tuple[Note, ...] = field(default=(), repr=False)

    @property
    def stories(self) -> tuple[str, ...]:
        """What the designer tells of the whole game: the stories at the left edge."""
        return tuple(note.text for note in self.notes if note.form == "story" and note.about is None)


@frozen(repr=False, eq=False)
class Extends(Line):
    """``extends "FILE"``: everything of that file, and then what stands here."""

    path: str


@frozen(repr=False, eq=False)
class Extension(Node):
    """A file that adds variants and tests to the game of another."""

    extends: Extends
    variants: tuple[Variant, ...]
    tests: tuple[Test, ...]
    closing: tuple[str, ...] = field(default=(), eq=False)  # comment lines after the last line
    notes: tuple[Note, ...] = field(default=(), repr=False)
