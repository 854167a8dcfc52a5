"""The machine under construction: its fields, functions, routines and option groups, as the passes add them.

Every value that is lowered carries static knowledge: the range of a number (`Scalar`), or the possible members of a set and the
greatest number of them (`Bits`). From these follow the checks that a store needs or does not need, and the findings that need no
play.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import cached_property
from itertools import product

from attrs import define, evolve, field

from ....common.codes import CODES
from ....common.diagnostics import Diagnostic, fault, warning
from ....common.giving_up import TooMuch, add_to
from ....common.nouns import spoken
from ....common.source import Span
from ....model import model
from ....model.directions import DIRECTION
from ....model.model import NUMBER, PLAYER, Type, Var
from ....model.visitor import walk
from ....table.table import Kind, Table
from ....words.words import ENGLISH, Words, marked
from ...machine import (
    FOR,
    FOR_SAID,
    NONE,
    Assign,
    Const,
    Constants,
    Domain,
    Expr,
    Fail,
    Fault,
    Field,
    Function,
    Group,
    Invoke,
    Knowledge,
    Load,
    Local,
    Lookup,
    Message,
    Region,
    Routine,
    Say,
    Stmt,
)
from ...traverse import size
from .marks import Mark, MarkKind, Marks
from .sharing import Shapes
from .values import Binding, Bits, Env, Spot, Value, element, with_expr

# A component that already lies on a grid while `so that` is asked: which way, which component, whose grid it is. The spot of
# the way says which grid and kind (`GRID/KIND`). They are in an environment or not, and are handed on to every function.
LAID_WAY = Var("way laid", NUMBER)
LAID_FACE = Var("laid", NUMBER)
LAID_OWNER = Var("whose laid", NUMBER)
WORK_LIMIT = 20_000  # statements and expressions that are lowered for one table; real games have some hundreds
CODE_LIMIT = 100_000  # statements and expressions of a machine, large sets by their words; real games have up to 7,000
SITES_LIMIT = 500  # places where a game stops for a decision or for chance; real games have some dozens
NUMBERS = 256  # that are named one by one where a number may be none, so that none is said
Place = str | Say | Message  # what can stand in a place of a sentence
OVERLAY = (LAID_WAY, LAID_FACE, LAID_OWNER)


@define(eq=False)
class Components:
    """The bits of one kind: each face has a run of them, as long as there are copies of it."""

    kind: Kind
    domain: Domain
    starts: tuple[int, ...]

    @cached_property
    def bits(self) -> int:
        return self.kind.bits

    @property
    def all(self) -> int:
        return (1 << self.bits) - 1

    @property
    def distinct(self) -> bool:
        """Whether no two components are equal: then a face and its bit have the same number."""
        return not self.domain.copies

    @cached_property
    def first_bits(self) -> int:
        """The first bit of every face."""
        return sum(1 << s for s in self.starts)

    @cached_property
    def last_bits(self) -> int:
        return sum(1 << (s + f.copies - 1) for s, f in zip(self.starts, self.kind.faces, strict=True))

    @cached_property
    def blocks(self) -> tuple[int, ...]:
        """All bits of every face."""
        return tuple(map(self.block, range(len(self.starts))))

    def block(self, face: int) -> int:
        """All bits of a face."""
        return ((1 << self.kind.faces[face].copies) - 1) << self.starts[face]

    def mask(self, faces: Iterable[int]) -> int:
        return sum(self.block(face) for face in faces)


@define(eq=False)
class Builder:
    """The machine in the making, and the table it is made from."""

    table: Table
    careful: bool  # whether markers may be unset where the rules always set them first (a test may begin anywhere)
    ordered: set[str]  # piles whose top can have an order
    fields: dict[str, Field] = field(factory=dict)
    functions: dict[str, Function] = field(factory=dict)
    routines: dict[str, Routine] = field(factory=dict)
    components: dict[str, Components] = field(factory=dict)
    groups: dict[tuple[str, tuple[Domain, ...]], Group] = field(factory=dict)
    results: dict[tuple[str, tuple[tuple[int, int], ...]], tuple[str, Value]] = field(factory=dict)  # of defines: see `defines`
    group_list: list[Group] = field(factory=list)
    by_value: dict[str, Field] = field(factory=dict)  # of markers: sets of owners (see `expressions.markers`)
    boxes: dict[str, Field] = field(factory=dict)
    held: dict[str, Field] = field(factory=dict)  # of each pile of which some are held back: how many
    places: dict[str, int] = field(factory=dict)  # of each zone that is not open, its first place number
    knowledge: dict[str, Knowledge] = field(factory=dict)
    score_ranges: dict[str, tuple[int, int]] = field(factory=dict)
    emptied: dict[str, tuple[tuple[Span, str], ...]] = field(factory=dict)  # of each slot, the lines that move on what lies there
    settled_markers: set[str] = field(factory=set)  # markers that the setup always sets
    seat_names: tuple[str, ...] = ()
    seats_said: tuple[str, ...] = ()  # the same in the language in which the machine speaks
    found: list[Diagnostic] = field(factory=list)
    shapes: Shapes = field(factory=Shapes)  # of the functions made so far
    scalar_loops: list[tuple[str, str]] = field(factory=list)  # filters that run member by member: their function and line
    given: dict[Var, list[model.Expr]] = field(factory=dict)  # of each name for a number, what it is given (see `ranges`)
    ranges: dict[Var, tuple[int, int]] = field(factory=dict)  # of those that were asked for
    printed: set[tuple[str, str]] = field(factory=set)  # grids, and the attributes for which the record has sets of cells
    measured: set[str] = field(factory=set)  # grids of which the record has how far what lies there reaches from each side
    domains: dict[Type, Domain] = field(factory=dict)  # of cells, and of ways to lay a component
    where_given: dict[Var, tuple[Spot, ...] | None] = field(factory=dict)  # where the components that steps are given can be
    lowered: set[str] = field(factory=set)  # steps that are routines by now
    done_by: dict[str, set[str]] = field(factory=dict)  # of each step, those that it does
    done_from: dict[str, set[str]] = field(factory=dict)  # of each step, those that do it
    worked: int = 0  # statements and expressions that were lowered
    written: int = 0  # statements and expressions of the machine that were made of statements
    locals: int = 0
    sites: int = 0
    labels: int = 0
    holding: list[model.Expr] = field(factory=list)  # conditions that lead to what is being lowered (see `guards`)
    left: set[str] = field(factory=set)  # labels of blocks that something leaves
    names: dict[str, int] = field(factory=dict)
    words: Words = ENGLISH  # in which the machine speaks
    marks: Marks | None = None  # where it is to be seen what games come to
    around: list[Span] = field(factory=list)  # the statements inside which something is lowered

    # -- bounds

    def work(self, span: Span) -> None:
        """Count a statement or expression that is lowered. Raises `TooMuch` where there are more than any game needs."""
        self.worked += 1
        if self.worked > WORK_LIMIT:
            raise TooMuch(
                fault(
                    "R216",
                    f"this game is too long: more than {WORK_LIMIT:,} parts when all its words and steps are written out",
                    self.around[0] if self.around else span,
                    help="let it say less, or say it in a `step` or a `table`",
                )
            )

    def write(self, code: Iterable[Stmt]) -> None:
        """Count the code that a statement became. Raises `TooMuch` where a machine would be longer than any game needs."""
        self.written += size(tuple(code), CODE_LIMIT - self.written)
        if self.written > CODE_LIMIT:
            raise TooMuch(self.too_long())

    def check_length(self) -> None:
        """Count the code of the whole machine, with the functions that statements share. Raises `TooMuch`, too."""
        left = CODE_LIMIT
        definitions: list[Function | Routine] = [*self.functions.values(), *self.routines.values()]
        for definition in definitions:
            left -= size(definition.body, left)
            if left < 0:
                raise TooMuch(self.too_long())

    def too_long(self) -> Diagnostic:
        return fault(
            "R216",
            f"the machine of this game is too long: more than {CODE_LIMIT:,} parts",
            self.around[0] if self.around else self.table.span,
            help="use fewer zones of one kind, fewer components of a kind, or say what comes again once, in a `step`",
        )

    # -- numbering

    def local(self, name: str, bits: int = 0) -> Local:
        self.locals += 1
        return Local(self.locals, name.strip(), bits)

    def site(self) -> int:
        if self.sites >= SITES_LIMIT:
            raise TooMuch(
                fault(
                    "R216",
                    f"players choose, or chance decides, at more than {SITES_LIMIT} places of these rules",
                    self.around[-1] if self.around else None,
                    help="say what comes again once, in a `step` or a `repeat`",
                )
            )
        self.sites += 1
        return self.sites - 1

    def label(self, name: str) -> str:
        self.labels += 1
        return f"{name} {self.labels}"

    def fresh(self, name: str) -> str:
        """A name for a function or routine that no other has."""
        self.names[name] = self.names.get(name, 0) + 1
        return name if self.names[name] == 1 else f"{name} ({self.names[name]})"

    def complain(self, code: str, message: str, span: Span, *others: tuple[Span, str], label: str = "", help: str = "") -> None:
        diagnose = warning if CODES[code].is_warning else fault
        add_to(self.found, diagnose(code, message, span, *others, label=label, help=help))

    @contextmanager
    def where(self, *conditions: model.Expr) -> Generator[None]:
        """What is lowered inside is reached only where these conditions hold."""
        self.holding.extend(conditions)
        try:
            yield
        finally:
            del self.holding[len(self.holding) - len(conditions) :]

    # -- texts

    def parts(self, sentence: str, **places: Place) -> Message:
        """A sentence of the program with its places filled in by texts, values and other messages."""
        said = () if self.words is ENGLISH else joined(self.words.parts(sentence, **places), spoken=True)
        return Message(joined(ENGLISH.parts(sentence, **places), spoken=False), said, sentence)

    # -- domains

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def everybody(self) -> int:
        return (1 << self.players) - 1

    @property
    def alone(self) -> bool:
        """Whether nobody has a partner."""
        return len(set(self.table.teams)) == self.players

    def domain(self, type: Type, limits: tuple[int, int] | None = None) -> Domain | None:
        """How values of a type are said; None for plain numbers. ``limits``: of a number, which is said to be none if it
        can be."""
        match type.base:
            case "number" if type.optional and limits is not None and limits[0] >= NONE and limits[1] < NUMBERS:
                return self.in_words(Domain(tuple(map(str, range(limits[1] + 1)))))
            case "player":
                return self.player_domain
            case "word":
                words = self.table.lists[type.of]
                return self.in_words(Domain(tuple(map(spoken, words)), of=type.of), [self.word(type.of, each) for each in words])
            case "truth":
                return self.in_words(Domain((marked("no"), marked("yes"))), map(self.words.phrase, ("no", "yes")))
            case "component":
                return self.components[type.of].domain
            case "cell" | "region" | "way":
                return self.domains[Type("way" if type.base == "way" else "cell", type.of)]
            case "index":
                return self._combined(type)
            case _:
                return None

    def _combined(self, type: Type) -> Domain:
        """The combinations of an index, row by row; a player comes first: ``player 1 for red``."""
        if type.required not in self.domains:
            first = type.parts.index(PLAYER) if PLAYER in type.parts else 0
            found = product(*map(self.names_of, type.parts))
            names = ([one[first], *one[:first], *one[first + 1 :]] for one in found)
            said = product(*map(self.names_said, type.parts))
            in_order = ([one[first], *one[:first], *one[first + 1 :]] for one in said)
            self.domains[type.required] = self.in_words(
                Domain(tuple(f"{whose}{FOR}{', '.join(rest)}" for whose, *rest in names)),
                (f"{whose}{FOR_SAID}{self.words.row(rest)}" for whose, *rest in in_order),
            )
        return self.domains[type.required]

    def names_of(self, type: Type) -> tuple[str, ...]:
        domain = self.domain(type)
        assert domain is not None
        return domain.names

    def names_said(self, type: Type) -> tuple[str, ...]:
        """The names of the values of a type in the language in which the machine speaks."""
        domain = self.domain(type)
        assert domain is not None
        return domain.said or domain.names

    def in_words(self, domain: Domain, said: Iterable[str] = ()) -> Domain:
        """A domain with the names of its values, and "none", in the language in which the machine speaks."""
        if self.words is ENGLISH:
            return domain
        none, comma = self.words.phrase("none"), self.words.row(("", ""))
        return evolve(domain, said=tuple(said) or domain.said, unset=none, comma=comma)

    def word(self, list_name: str, name: str) -> str:
        """A word of a list in that language; those of built-in lists are the program's."""
        own = list_name == DIRECTION or " " in list_name  # no list of the rules has a space in its name
        return self.words.phrase(spoken(name)) if own else self.words.name("word", name)

    def seat_of(self, owner: Type, index: Expr) -> Expr | None:
        """The player whose an instance is, in code; None where instances are nobody's."""
        if owner.required == PLAYER:
            return index
        if PLAYER not in owner.parts:
            return None
        if isinstance(index, Const):
            return Const(self.table.seats_of(owner)[index.value])
        return Lookup(Constants(f"player of {owner.noun}", self.table.seats_of(owner)), index)

    @property
    def player_domain(self) -> Domain:
        return self.in_words(Domain(self.seat_names, sort="player"), self.seats_said)

    def size(self, type: Type) -> int:
        """How many values a type has (not a number's)."""
        domain = self.domain(type)
        return len(domain.names) if domain else 0

    def width(self, type: Type) -> int:
        """How many bits a set of these has."""
        domain = self.domain(type)
        return domain.bits if domain else 0

    def span_of(self, type: Type) -> tuple[int, int]:
        """The range of the values of a type (not a number's), none included where it may be."""
        return (NONE if type.optional else 0), max(0, self.size(type) - 1)

    def on_players_grid(self, type: Type) -> bool:
        """Whether values of a type are cells of a grid that each player has: by itself, such a cell does not say whose."""
        return type.base == "cell" and self.table.grids[type.of].owned

    # -- fields

    def field(self, name: str, region: Region, length: int = 1, low: int = 0, high: int = 0, bits: int = 0) -> Field:
        """A field of the record, made when it is first asked for."""
        if name not in self.fields:
            self.fields[name] = Field(name, region, length, low, high, bits)
        return self.fields[name]

    def may_be_unset(self, name: str) -> bool:
        """Whether a marker could be asked for before the rules have set it."""
        variable = self.table.variables[name]
        if variable.type.optional or variable.type.base in ("number", "truth"):
            return False
        return self.careful or name not in self.settled_markers

    def pile_index(self, zone: model.Zone, owner: Expr | None) -> tuple[Field, Expr]:
        """The field with the size of a pile with an ordered top, and the element of ``top`` above the topmost component."""
        size = self.fields[f"size of top of {zone.name}"]
        return size, element(owner, self.components[zone.kind].bits, Load(size, owner))

    # -- functions

    def function(
        self,
        name: str,
        parts: Iterable[model.Node],
        env: Env,
        width: int,
        build: Callable[[Env], list[Stmt]],
        widths: dict[Var, int] | None = None,
    ) -> Invoke:
        """A pure function over what ``parts`` use of ``env``, and the expression that calls it here.

        ``build`` gets the environment inside: the same names, as parameters.
        """
        used = [var for var in env if var in OVERLAY]
        for part in parts:
            for node in walk(part):
                if isinstance(node, model.VarValue) and node.var in env and node.var not in used:
                    used.append(node.var)
        parameters: list[Local] = []
        args: list[Expr] = []
        inside: Env = {}
        for var in used:
            binding = env[var]
            if isinstance(binding.value.expr, Const):
                inside[var] = binding
                continue
            width_of = (widths or {}).get(var) or self.width(var.type)
            parameter = self.local(var.name, width_of if isinstance(binding.value, Bits) else 0)
            parameters.append(parameter)
            args.append(binding.value.expr)
            zones = None if binding.spots is None else tuple(Spot(spot.zone) for spot in binding.spots)
            if binding.spots is not None and len(binding.spots) == 1 and var.type.base == "cell":
                whose = binding.spots[0].owner  # without it, nobody could tell what lies on the cell
                if whose is not None and not isinstance(whose, Const):
                    parameters.append(self.local("whose"))
                    args.append(whose)
                    whose = Load(parameters[-1])
                zones = (Spot(binding.spots[0].zone, whose),)
            inside[var] = Binding(with_expr(binding.value, Load(parameter)), zones, binding.seen)
        return Invoke(self.made(name, tuple(parameters), width, tuple(build(inside))), tuple(args))

    def made(self, name: str, parameters: tuple[Local, ...], bits: int, body: tuple[Stmt, ...]) -> str:
        """The name of a function: of one that does the same already, else of a new one."""
        key, found = self.shapes.name_of(parameters, bits, body)
        if found is None:
            found = self.shapes.known[key] = self.fresh(name)
            self.functions[found] = Function(found, parameters, bits, body)
        return found

    def marked(self, expr: Expr, kind: MarkKind, span: Span, bits: int = 0, of: str = "", among: int = -1) -> Expr:
        """The given value; where marks are asked for, it goes through one (see `marks`)."""
        if self.marks is None:
            return expr
        found, new = self.marks.through(expr, Mark(kind, span, of, among), bits, self.local("value", bits))
        if new is not None:
            self.functions[new.name] = new
        return found

    def mark(self, kind: MarkKind, span: Span, of: str = "") -> list[Stmt]:
        """A mark of something that runs; nothing where no marks are asked for."""
        return [] if self.marks is None else [Assign(self.local("reached"), self.marked(Const(0), kind, span, of=of))]

    def stop(self, code: str, span: Span, *parts: str | Say, help: str = "", places: tuple[tuple[Span, str], ...] = ()) -> Fail:
        return Fail(Fault(code, Message(tuple(parts)), span, help, places))


def joined(parts: Iterable[Place], spoken: bool) -> tuple[str | Say, ...]:
    """The parts of a message, those of messages in it among them; texts that stand side by side are one."""
    found: list[str | Say] = []
    for part in parts:
        inner = ((spoken and part.said) or part.parts) if isinstance(part, Message) else (part,)
        for one in inner:
            before = found[-1] if found else None
            if isinstance(one, str) and isinstance(before, str):
                found[-1] = before + one
            else:
                found.append(one)
    return tuple(found)


@define(eq=False)
class Here:
    """Where a body stands: in which routine (``step``), inside which blocks, under which option, in which loop."""

    step: str
    labels: dict[str, str] = field(factory=dict)
    acting: frozenset[Var] = frozenset()  # arguments of the option whose statements these are: their moves go without saying
    act: model.Option | None = None  # the option whose statements these are
    in_phase: bool = False
    loop: model.Body = ()  # what the `for each` around it does
    tried: bool = False  # whether it is only tried out, to ask what it leads to (`trying`)

    def inside(self, **changes: object) -> Here:
        return evolve(self, **changes)  # type: ignore[arg-type]


def kept(value: Expr, name: str, b: Builder, width: int = 0) -> tuple[list[Stmt], Expr]:
    """A value that is used more than once, computed once."""
    if isinstance(value, Const) or (isinstance(value, Load) and isinstance(value.variable, Local)):
        return [], value
    local = b.local(name, width)
    return [Assign(local, value)], Load(local)
