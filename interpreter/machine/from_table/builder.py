"""What is being built: the fields, functions, routines and option groups of the machine, as the passes add them.

Every value that is lowered carries what is known of it: the range of a number (`Scalar`), the possible members of a set and
how many there can be at most (`Bits`). From these follow the checks that a store needs or does not need, and the findings
that need no play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from attrs import define, evolve, field, frozen

from ...diagnostics import Diagnostic, fault
from ...model import model
from ...model.model import Type, Var
from ...model.rebuild import walk
from ...model.table import Kind, Table
from ...source import Span
from ..machine import (
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
    Op,
    OpName,
    Region,
    Return,
    Routine,
    Say,
    Stmt,
    While,
)

BOX = "box"


@frozen
class Scalar:
    """A number with its range; ``low`` is -1 or less where it may be none."""

    expr: Expr
    low: int
    high: int

    @property
    def constant(self) -> int | None:
        return self.expr.value if isinstance(self.expr, Const) else None


@frozen
class Bits:
    """A set; all its members are in ``bound``, and there are never more than ``most``."""

    expr: Expr
    bound: int
    most: int


Value = Scalar | Bits


@frozen
class Spot:
    """One place: a zone and, of a player's zone, whose (``owner`` None: of the table, or of any player)."""

    zone: str
    owner: Expr | None = None


@frozen
class Binding:
    """What a name of the model stands for in the code: its value, where the component was found, who has seen it.

    ``spots``: None when it can be anywhere. ``seen``: the players who have seen which it is; None is all.
    """

    value: Value
    spots: tuple[Spot, ...] | None = None
    seen: Expr | None = None


Env = dict[Var, Binding]


# ---- Small expressions


def op(name: OpName, *args: Expr) -> Expr:
    """An operation, with the most obvious simplifications."""
    match name, args:
        case ("intersect", (Const(value=0) as zero, _) | (_, Const(value=0) as zero)):
            return zero
        case ("union" | "+", (Const(value=0), other) | (other, Const(value=0))):
            return other
        case (("minus" | "-"), (other, Const(value=0))):
            return other
        case ("and", (Const(value=1), other) | (other, Const(value=1))):
            return other
        case ("or", (Const(value=0), other) | (other, Const(value=0))):
            return other
        case ("and", (Const(value=0) as no, _)):
            return no
        case ("or", (Const(value=1) as yes, _)):
            return yes
        case ("not", (Const(value=a),)):
            return Const(1 - a)
        case ("not", (Op(name="not", args=(inner,)),)):
            return inner
        case ("if", (Const(value=a), then, otherwise)):
            return then if a else otherwise
        case ("union" | "intersect" | "minus", (Const(value=a), Const(value=b))):
            return Const(a | b if name == "union" else a & b if name == "intersect" else a & ~b)
        case ("bit", (Const(value=a),)):
            return Const(1 << a)
        case ("=", (Const(value=a), Const(value=b))):
            return Const(int(a == b))
        case ("count", (Const(value=a),)):
            return Const(a.bit_count())
        case _:
            return Op(name, args)


def is_empty(bits: Expr) -> Expr:
    return op("=", bits, Const(0))


def some(bits: Expr) -> Expr:
    return op("not", is_empty(bits))


def scalar(value: int) -> Scalar:
    return Scalar(Const(value), value, value)


def bits_of(value: int) -> Bits:
    return Bits(Const(value), value, value.bit_count())


@define(eq=False)
class Components:
    """The bits of one kind: each face has a run of them, as long as there are copies of it."""

    kind: Kind
    domain: Domain
    starts: tuple[int, ...]

    @property
    def bits(self) -> int:
        return self.kind.bits

    @property
    def all(self) -> int:
        return (1 << self.bits) - 1

    @property
    def distinct(self) -> bool:
        """Whether no two components are equal: then a face and its bit have the same number."""
        return not self.domain.copies

    @property
    def first_bits(self) -> int:
        """The first bit of every face."""
        return sum(1 << s for s in self.starts)

    @property
    def last_bits(self) -> int:
        return sum(1 << (s + f.copies - 1) for s, f in zip(self.starts, self.kind.faces, strict=True))

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
    results: dict[str, Value | None] = field(factory=dict)  # of functions made for defines; None while being made
    group_list: list[Group] = field(factory=list)
    boxes: dict[str, Field] = field(factory=dict)
    places: dict[str, int] = field(factory=dict)  # of each zone that is not open, its first place number
    knowledge: dict[str, Knowledge] = field(factory=dict)
    score_ranges: dict[str, tuple[int, int]] = field(factory=dict)
    settled_markers: set[str] = field(factory=set)  # markers that the setup always sets
    seat_names: tuple[str, ...] = ()
    found: list[Diagnostic] = field(factory=list)
    scalar_loops: list[str] = field(factory=list)
    lets: dict[Var, model.Expr] = field(factory=dict)  # numbers that a `let` names
    locals: int = 0
    sites: int = 0
    labels: int = 0
    holding: list[model.Expr] = field(factory=list)  # conditions that lead to what is being lowered (see `guards`)
    left: set[str] = field(factory=set)  # labels of blocks that something leaves
    names: dict[str, int] = field(factory=dict)

    # -- numbering

    def local(self, name: str, bits: int = 0) -> Local:
        self.locals += 1
        return Local(self.locals, name.strip(), bits)

    def site(self) -> int:
        self.sites += 1
        return self.sites - 1

    def label(self, name: str) -> str:
        self.labels += 1
        return f"{name} {self.labels}"

    def fresh(self, name: str) -> str:
        """A name for a function or routine that no other has."""
        self.names[name] = self.names.get(name, 0) + 1
        return name if self.names[name] == 1 else f"{name} ({self.names[name]})"

    def complain(
        self, code: str, message: str, span: Span, *others: tuple[Span, str], label: str = "", help: str = "",
        warning: bool = False
    ) -> None:
        diagnostic = fault(code, message, span, *others, label=label, help=help)
        if warning:
            diagnostic = evolve(diagnostic, severity="warning")
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    @contextmanager
    def where(self, *conditions: model.Expr) -> Iterator[None]:
        """What is lowered inside is reached only where these conditions hold."""
        self.holding.extend(conditions)
        try:
            yield
        finally:
            del self.holding[len(self.holding) - len(conditions) :]

    # -- domains

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def everybody(self) -> int:
        return (1 << self.players) - 1

    def domain(self, type: Type) -> Domain | None:
        """How values of a type are said; None for plain numbers."""
        match type.base:
            case "player":
                return self.player_domain
            case "word":
                return Domain(self.table.lists[type.of])
            case "truth":
                return Domain(("no", "yes"))
            case "component":
                return self.components[type.of].domain
            case _:
                return None

    @property
    def player_domain(self) -> Domain:
        return Domain(self.seat_names)

    def size(self, type: Type) -> int:
        """How many values a type has (not a number's)."""
        domain = self.domain(type)
        return len(domain.names) if domain else 0

    def width(self, type: Type) -> int:
        """How many bits a set of these has."""
        domain = self.domain(type)
        return domain.bits if domain else 0

    def span_of(self, type: Type) -> tuple[int, int]:
        """The range of the values of a type, none included where it may be."""
        return (NONE if type.optional else 0), max(0, self.size(type) - 1)

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
        """Of a pile with an ordered top: the field of its size, and the element of ``top`` above the topmost component."""
        size = self.fields[f"size of top of {zone.name}"]
        if owner is None:
            return size, Load(size)
        return size, op("+", op("*", owner, Const(self.components[zone.kind].bits)), Load(size, owner))

    def whole_pile(self, zone: model.Zone) -> str:
        """The function that gives all that lies in a pile with an ordered top."""
        name = f"all of {zone.name}"
        if name not in self.functions:
            from .expressions import put

            components = self.components[zone.kind]
            owner = self.local("player") if zone.owned else None
            whose = None if owner is None else Load(owner)
            found, place = self.local("found", components.bits), self.local("place")
            base = Const(0) if whose is None else op("*", whose, Const(components.bits))
            face = Load(self.fields[f"top of {zone.name}"], op("+", base, Load(place)))
            size = Load(self.fields[f"size of top of {zone.name}"], whose)
            step = (Assign(found, put(Load(found), face, components)), Assign(place, op("+", Load(place), Const(1))))
            self.functions[name] = Function(
                name,
                () if owner is None else (owner,),
                components.bits,
                (
                    Assign(found, Load(self.fields[zone.name], whose)),
                    Assign(place, Const(0)),
                    While(op("<", Load(place), size), step, zone.span),
                    Return(Load(found)),
                ),
            )
        return name

    def wide_env(self, node: model.Expr) -> Env:
        """An environment in which every name of an expression can be anything of its type (to ask for ranges)."""
        env: Env = {}
        for part in walk(node):
            if isinstance(part, model.VarValue) and part.type.is_set:
                width = self.width(part.type)
                env[part.var] = Binding(Bits(Load(self.local(part.var.name, width)), (1 << width) - 1, width))
            elif isinstance(part, model.VarValue):
                low, high = self._span_of_name(part)
                env[part.var] = Binding(Scalar(Load(self.local(part.var.name)), low, high))
        return env

    def _span_of_name(self, name: model.VarValue) -> tuple[int, int]:
        if name.type.base != "number":
            return self.span_of(name.type)
        value = self.lets.get(name.var)
        if value is None:
            return -(2**31), 2**31
        from .expressions import scalar_of  # expressions are lowered with a builder

        found = scalar_of(value, self, self.wide_env(value))
        return found.low, found.high

    # -- functions

    def function(
        self,
        name: str,
        parts: Iterable[model.Node],
        env: Env,
        width: int,
        build: Callable[[Env], list[Stmt]],
        widths: dict[Var, int] | None = None,
    ) -> Expr:
        """A pure function over what ``parts`` use of ``env``, and the expression that calls it here.

        ``build`` gets the environment inside: the same names, as parameters.
        """
        used: list[Var] = []
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
            inside[var] = Binding(with_expr(binding.value, Load(parameter)), binding.spots, binding.seen)
        unique = self.fresh(name)
        self.functions[unique] = Function(unique, tuple(parameters), width, tuple(build(inside)))
        return Invoke(unique, tuple(args))

    def stop(self, code: str, span: Span, *parts: str | Say, help: str = "") -> Fail:
        return Fail(Fault(code, Message(tuple(parts)), span, help))


def with_expr(value: Value, expr: Expr) -> Value:
    """The same knowledge of another expression."""
    if isinstance(value, Scalar):
        return Scalar(expr, value.low, value.high)
    return Bits(expr, value.bound, value.most)


# ---- Loops over sets


def for_members(rest: Local, of: Expr, member: Local, body: list[Stmt], copies: tuple[int, ...], span: Span) -> list[Stmt]:
    """``for each member of a set``: the lowest bit first."""
    bit = Load(member)
    head: list[Stmt] = [
        Assign(member, op("first", Load(rest))),
        Assign(rest, op("minus", Load(rest), op("bit", bit))),
    ]
    if copies:
        head.append(Assign(member, Lookup(Constants("face of copy", copies), bit)))
    return [Assign(rest, of), While(some(Load(rest)), (*head, *body), span)]

