"""Prints a machine as text.

For `rulesrun show --stage machine` and for golden tests: the layout of the record, the options with their numbers, and all code
as indented pseudo code. The same machine always gives the same text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import assert_never

from ..analysis.liveness import own_locals
from ..analysis.widths import bits_of
from ..machine import (
    RETURNS,
    Alternative,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
    Constants,
    Domain,
    Expr,
    Fail,
    Field,
    Finish,
    Function,
    If,
    Invoke,
    Leave,
    Load,
    Local,
    Lookup,
    Machine,
    Message,
    Note,
    Op,
    OpName,
    Region,
    Return,
    Routine,
    Show,
    Stmt,
    Variable,
    While,
)
from ..traverse import expressions_within

_PREFIXED: frozenset[OpName] = frozenset(("min", "max", "bit", "count", "first", "after"))
_INDENT = "    "


def show(machine: Machine, scalar_loops: Sequence[str] = ()) -> str:
    """The whole machine as text, ending with a line end. ``scalar_loops``: the conditions that run member by member."""
    printer = _Printer(machine)
    parts = [
        _heading(machine),
        _record(machine),
        _options(machine),
        _tables(machine),
        [f"scalar loop: {condition}" for condition in scalar_loops],
        *(printer.function(function) for function in machine.functions.values()),
        *(printer.routine(routine) for routine in machine.routines.values()),
    ]
    return "\n\n".join("\n".join(lines) for lines in map(list, parts) if lines) + "\n"


def _heading(machine: Machine) -> Iterator[str]:
    yield f"machine {machine.game}, {machine.seats} seats"
    yield f"{_INDENT}main: {', '.join(machine.main)}"
    yield f"{_INDENT}teams: {'; '.join(_set(team) for team in machine.teams)}"
    for term in machine.terms:
        yield f"{_INDENT}score {term.title}: {term.function}"
    yield f"{_INDENT}winner: {machine.winner}"
    for key in machine.keys:
        yield f"{_INDENT}{_INDENT}{'highest' if key.highest else 'lowest'} {key.label}: {key.function}"
    if machine.returns == RETURNS:
        yield f"{_INDENT}returns: {machine.returns}"
    for zone in machine.zones:
        owned = f", {len(zone.seats)}" if zone.owned else ""
        yield f"{_INDENT}zone {zone.name}{owned}: {zone.shape} of {zone.kind}, {zone.visibility}"
    for view in machine.variables:
        yield f"{_INDENT}variable {view.name}: {view.visibility}"


def _record(machine: Machine) -> Iterator[str]:
    layout = machine.layout
    sizes: dict[Region, int] = {region: end - start for region, (start, end) in layout.regions.items()}
    if not sizes["index"]:
        del sizes["index"]  # few games have any
    yield f"record: {layout.size} bytes ({', '.join(f'{region} {size}' for region, size in sizes.items())})"
    shown: Region | None = None
    for variable, place in layout.record.items():
        region: Region = variable.region if isinstance(variable, Field) else "game"
        if region != shown:
            shown = region
            yield f"  {region}"
        times = f" x {place.length}" if place.length > 1 else ""
        yield f"{place.offset:>8}  {_named(variable)}: {place.width}{times}, {_range(variable)}"
    scratch = Counter("set" if local.bits else "number" for local in layout.scratch)
    yield f"  scratch: {scratch['number']} numbers, {scratch['set']} sets"


def _named(variable: Variable) -> str:
    return f"local {variable.name} ({variable.number})" if isinstance(variable, Local) else variable.name


def _range(variable: Variable) -> str:
    if variable.bits:
        return f"set of {variable.bits}"
    return "number" if isinstance(variable, Local) else f"{variable.low}..{variable.high}"


def _options(machine: Machine) -> Iterator[str]:
    yield f"options: {machine.options}"
    for number, group in enumerate(machine.groups):
        sizes = " x ".join(str(len(domain.names)) for domain in group.arguments) or "1"
        yield f"{_INDENT}group {number}: {group.verb} {group.base}..{group.base + group.size - 1} ({sizes})"


def _tables(machine: Machine) -> Iterator[str]:
    """The constant tables in the order of their first use."""
    found: dict[Constants, None] = {}
    definitions: list[Function | Routine] = [*machine.functions.values(), *machine.routines.values()]
    for definition in definitions:
        for expr in expressions_within(definition.body):
            match expr:
                case Lookup(table=table):
                    found[table] = None
                case _:
                    pass
    for table in found:
        values = [_set(value) if table.bits else str(value) for value in table.values]
        yield f"table {table.name}: {' '.join(values)}"


def _set(bits: int) -> str:
    """A set's bit numbers, runs shortened: ``{0 2..5}``. A set that is all but some bits (below 0) as their complement."""
    if bits < 0:
        return f"not {_set(~bits)}"
    members = [bit for bit in range(bits.bit_length()) if bits >> bit & 1]
    runs = [[bit for _, bit in run] for _, run in groupby(enumerate(members), lambda pair: pair[1] - pair[0])]
    return "{" + " ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs) + "}"


class _Printer:
    """Prints code. ``names``: the names of the locals at hand; equal ones have their number behind them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.names: Mapping[int, str] = {}

    def function(self, function: Function) -> Iterator[str]:
        self.names = _local_names(function)
        kind = f" -> set of {function.bits}" if function.bits else ""
        restores = f" restores {', '.join(field.name for field in function.restores)}" if function.restores else ""
        yield f"function {function.name}({self.locals(function.parameters)}){kind}{restores}"
        yield from self.body(function.body, 1)

    def routine(self, routine: Routine) -> Iterator[str]:
        self.names = _local_names(routine)
        stops = ", stops" if routine.stops else ""
        yield f"routine {routine.name}({self.locals(routine.parameters)}){stops}"
        yield from self.body(routine.body, 1)

    def locals(self, locals_: Sequence[Local]) -> str:
        return ", ".join(self.names[local.number] for local in locals_)

    # ---- Statements

    def body(self, body: Sequence[Stmt], depth: int) -> Iterator[str]:
        if not body:
            yield f"{_INDENT * depth}nothing"
        for stmt in body:
            yield from self.statement(stmt, depth)

    def statement(self, stmt: Stmt, depth: int) -> Iterator[str]:
        margin = _INDENT * depth
        match stmt:
            case Assign(variable=variable, value=value, index=index):
                yield f"{margin}{self.variable(variable, index)} = {self.of_kind(value, variable.bits > 0)}"
            case If(condition=condition, then=then, otherwise=otherwise):
                yield f"{margin}if {self.text(condition)}"
                yield from self.body(then, depth + 1)
                if otherwise:
                    yield f"{margin}else"
                    yield from self.body(otherwise, depth + 1)
            case While(condition=condition, body=body):
                yield f"{margin}while {self.text(condition)}"
                yield from self.body(body, depth + 1)
            case Block(label=label, body=body):
                yield f"{margin}block {label}"
                yield from self.body(body, depth + 1)
            case Leave(label=label):
                yield f"{margin}leave {label}"
            case Return(value=value):
                yield f"{margin}return {self.text(value)}" if value is not None else f"{margin}return"
            case Call(routine=routine, args=args):
                yield f"{margin}call {routine}({self.texts(args)})"
            case Fail(fault=fault):
                yield f"{margin}fail {fault.code} {self.message(fault.message)}"
            case Finish():
                yield f"{margin}finish"
            case Show(site=site, seats=seats, value=value, text=text):
                yield f"{margin}show at site {site} to {self.set(seats)}: {self.text(value)}, {self.message(text)}"
            case Note(text=text, seen=seen, hidden=hidden):
                yield f"{margin}note {self.message(text)}{self.seen(seen, hidden)}"
            case Choose(site=site, player=player, alternatives=alternatives, impossible=impossible, so_far=so_far):
                others = " with others" if stmt.at_once else ""
                yield f"{margin}decide{others} at site {site}: player {self.text(player)}{self.cleared(site)}"
                if so_far is not None:
                    yield f"{margin}{_INDENT}told {self.message(so_far)}"
                for alternative in alternatives:
                    yield from self.alternative(alternative, depth + 1)
                yield f"{margin}{_INDENT}impossible"
                yield from self.body(impossible, depth + 2)
            case Chance(site=site, result=result, pool=pool, seen=seen, text=text, hidden=hidden):
                yield f"{margin}chance at site {site}: {self.names[result.number]} from {self.set(pool)}{self.cleared(site)}"
                yield f"{margin}{_INDENT}told {self.message(text)}{self.seen(seen, hidden)}"
            case _:
                assert_never(stmt)

    def alternative(self, alternative: Alternative, depth: int) -> Iterator[str]:
        margin = _INDENT * depth
        inner = margin + _INDENT
        yield f"{margin}option {self.machine.groups[alternative.group].verb}({self.locals(alternative.arguments)})"
        if alternative.piece is not None:
            yield f"{inner}lays {self.message(Message((alternative.piece,)))}"
        for condition in alternative.outside:
            yield f"{inner}outside unless {self.text(condition.test)} otherwise {self.message(condition.reason)}"
        yield f"{inner}candidates {self.set(alternative.candidates)} otherwise {self.message(alternative.not_candidate)}"
        yield f"{inner}legal {self.set(alternative.legal)}"
        for condition in alternative.conditions:
            yield f"{inner}only if {self.text(condition.test)} otherwise {self.message(condition.reason)}"
        yield f"{inner}seen by {self.set(alternative.seen)}{', secretly' if alternative.secret else ''}"
        yield f"{inner}then"
        yield from self.body(alternative.body, depth + 2)

    def cleared(self, site: int) -> str:
        names = [self.names[variable.number] for variable in self.machine.clear[site] if isinstance(variable, Local)]
        return f", clears {', '.join(names)}" if names else ""

    def seen(self, seen: Expr, hidden: Message | None) -> str:
        others = f", others {self.message(hidden)}" if hidden is not None else ""
        return f" to {self.set(seen)}{others}"

    def message(self, message: Message) -> str:
        parts = []
        for part in message.parts:
            if isinstance(part, str):
                parts.append(part.replace("\n", "\\n"))
            else:
                parts.append(f"{{{self.of_kind(part.value, part.is_set)}{_as(part.domain)}}}")
        return f'"{"".join(parts)}"'

    # ---- Expressions

    def texts(self, exprs: Sequence[Expr]) -> str:
        return ", ".join(self.text(expr) for expr in exprs)

    def of_kind(self, expr: Expr, is_set: bool) -> str:
        return self.set(expr) if is_set else self.text(expr)

    def set(self, expr: Expr) -> str:
        """A set expression: its constants are printed as sets."""
        match expr:
            case Const(value=value):
                return _set(value)
            case Op(name="union" | "intersect" | "minus" | "flip" as name, args=args):
                return f" {name} ".join(self.operand(part, True) for part in args)
            case Op(name="if", args=(condition, then, otherwise)):
                return f"{self.operand(then, True)} if {self.operand(condition)} else {self.operand(otherwise, True)}"
            case Op(name="left" | "right" as name, args=(part, by)):
                return f"{self.operand(part, True)} {name} {self.text(by)}"
            case _:
                return self.text(expr)

    def text(self, expr: Expr) -> str:
        match expr:
            case Const(value=value):
                return str(value)
            case Load(variable=variable, index=index):
                return self.variable(variable, index)
            case Lookup(table=table, index=index):
                return f"{table.name}[{self.text(index)}]"
            case Invoke(function=function, args=args):
                return f"{function}({self.texts(args)})"
            case Op(name="union" | "intersect" | "minus" | "flip" | "left" | "right"):
                return self.set(expr)
            case Op(name="if") if bits_of(expr, self.machine.functions):
                return self.set(expr)
            case Op(name="if", args=(condition, then, otherwise)):
                return f"{self.operand(then)} if {self.operand(condition)} else {self.operand(otherwise)}"
            case Op(name="not", args=(part,)):
                return f"not {self.operand(part)}"
            case Op(name="has", args=(whole, bit)):
                return f"{self.operand(whole, True)} has {self.operand(bit)}"
            case Op(name="count" | "first" as name, args=(whole,)):
                return f"{name}({self.set(whole)})"
            case Op(name="after", args=(whole, bit)):
                return f"after({self.set(whole)}, {self.text(bit)})"
            case Op(name=name, args=args) if name in _PREFIXED:
                return f"{name}({self.texts(args)})"
            case Op(name=name, args=args):
                sets = name == "=" and any(bits_of(part, self.machine.functions) for part in args)
                return f" {name} ".join(self.operand(part, sets) for part in args)
            case _:
                assert_never(expr)

    def operand(self, expr: Expr, is_set: bool = False) -> str:
        text = self.of_kind(expr, is_set)
        infix = isinstance(expr, Op) and expr.name not in _PREFIXED
        return f"({text})" if infix else text

    def variable(self, variable: Variable, index: Expr | None) -> str:
        name = self.names[variable.number] if isinstance(variable, Local) else variable.name
        return name if index is None else f"{name}[{self.text(index)}]"


def _as(domain: Domain | None) -> str:
    """A named domain in a text, by its first names."""
    if domain is None:
        return ""
    return f" as {'/'.join(domain.names[:3])}{'/...' if len(domain.names) > 3 else ''}"


def _local_names(definition: Function | Routine) -> dict[int, str]:
    own = own_locals(definition)
    times = Counter(local.name for local in own.values())
    return {number: local.name if times[local.name] == 1 else f"{local.name}.{number}" for number, local in own.items()}
