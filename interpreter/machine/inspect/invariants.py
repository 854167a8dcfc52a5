"""Checks the promises that a machine makes (stated at the head of `machine.py` and in its classes).

Only tests use this: a machine that breaks a promise is a fault of the lowering, not of the rules. `violations` names each in a
sentence. Values that only a game shows (an index out of its table, a number too large for its field) are not checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from ..analysis import derived
from ..analysis.layout import REGIONS
from ..analysis.liveness import live_at_start, live_locals, locals_within, mask, own_locals
from ..analysis.ranges import Ranges
from ..analysis.widths import bits_of
from ..machine import (
    OPTIONS_LIMIT,
    Alternative,
    Assign,
    Block,
    Call,
    Chance,
    Choose,
    Const,
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
    Note,
    Op,
    Return,
    Routine,
    Show,
    Stmt,
    While,
)
from ..operators import ARITY, CHAINED
from ..traverse import bodies, every_statement, expressions_within

SEATS_LIMIT = 64  # a player takes 6 bits of an observation, and a set of players one word
SITES_LIMIT = 1 << 16  # a site takes 16 bits of an observation


def violations(machine: Machine) -> list[str]:
    """Every broken promise of a machine; none where it can be played.

    Later checks need what earlier ones have found to be so: names that lead somewhere, then jumps and stops that can be
    flattened. Where one of these is broken, the rest is not looked at.
    """
    for checks in (_FIRST, _SECOND, _THIRD):
        found = [violation for check in checks for violation in check(machine)]
        if found:
            return found
    return []


def _definitions(machine: Machine) -> list[Function | Routine]:
    return [*machine.functions.values(), *machine.routines.values()]


def _names(machine: Machine) -> Iterator[str]:
    listed: list[tuple[str, Function | Routine]] = [*machine.functions.items(), *machine.routines.items()]
    for name, definition in listed:
        if definition.name != name:
            yield f"{definition.name} is listed as {name}"
    for definition in _definitions(machine):
        for expr in expressions_within(definition.body):
            match expr:
                case Invoke(function=name, args=args) if name not in machine.functions:
                    yield f"{definition.name} invokes {name}, which is no function"
                case Invoke(function=name, args=args) if len(args) != len(machine.functions[name].parameters):
                    yield f"{definition.name} invokes {name} with {len(args)} arguments"
                case _:
                    pass
        for stmt in every_statement(definition.body):
            match stmt:
                case Call(routine=name, args=args) if name not in machine.routines:
                    yield f"{definition.name} calls {name}, which is no routine"
                case Call(routine=name, args=args) if len(args) != len(machine.routines[name].parameters):
                    yield f"{definition.name} calls {name} with {len(args)} arguments"
                case _:
                    pass
    for name in (*machine.main, *machine.steps.values()):
        if name not in machine.routines:
            yield f"{name} is no routine"
    for name in machine.main:
        if name in machine.routines and machine.routines[name].parameters:
            yield f"{name} is part of the main flow and has parameters"
    asked = {machine.winner, *(term.function for term in machine.terms), *(key.function for key in machine.keys)}
    asked |= {machine.returns} - {"score"}  # which a machine that is made by hand may do without
    for name in sorted(asked):
        if name not in machine.functions:
            yield f"{name} is no function"
        elif len(machine.functions[name].parameters) != 1:
            yield f"{name} scores or ranks, and must have one parameter"


def _recursion(machine: Machine) -> Iterator[str]:
    uses: dict[str, list[str]] = {f"function {name}": [] for name in machine.functions}
    for name, function in machine.functions.items():
        for expr in expressions_within(function.body):
            match expr:
                case Invoke(function=used):
                    uses[f"function {name}"].append(f"function {used}")
                case _:
                    pass
    for name, routine in machine.routines.items():
        uses[f"routine {name}"] = [f"routine {stmt.routine}" for stmt in every_statement(routine.body) if isinstance(stmt, Call)]
    done: set[str] = set()
    for name in uses:
        yield from _circles(name, uses, [], done)


def _circles(name: str, uses: Mapping[str, list[str]], path: list[str], done: set[str]) -> Iterator[str]:
    if name in path:
        yield " uses ".join([*path[path.index(name) :], name])
    elif name not in done:
        for used in uses.get(name, ()):
            yield from _circles(used, uses, [*path, name], done)
        done.add(name)


def _functions(machine: Machine) -> Iterator[str]:
    """Functions change nothing but their own locals and what they restore, and return a value on every path."""
    trying = {name for name, function in machine.functions.items() if function.restores}
    for function in machine.functions.values():
        if function.restores and _invoked_by(function, machine) & trying:
            yield f"the function {function.name} tries something out inside of which something is tried out"
        for stmt in every_statement(function.body):
            match stmt:
                case Assign(variable=Field(name=name) as field) if field not in function.restores:
                    yield f"the function {function.name} stores to {name}"
                case Return(value=None):
                    yield f"the function {function.name} returns nothing"
                case Call() | Finish() | Show() | Note() | Choose() | Chance():
                    yield f"the function {function.name} does more than compute: {type(stmt).__name__}"
                case _:
                    pass
        if _can_end(function.body):
            yield f"the function {function.name} can end without a value"


def _invoked_by(function: Function, machine: Machine) -> set[str]:
    """The functions that a function uses, and those that these use."""
    found: set[str] = set()
    todo = [function.name]
    while todo:
        for expr in expressions_within(machine.functions[todo.pop()].body):
            if isinstance(expr, Invoke) and expr.function not in found:
                found.add(expr.function)
                todo.append(expr.function)
    return found


def _can_end(body: tuple[Stmt, ...]) -> bool:
    """Whether what follows these statements can be reached."""
    return all(_can_go_on(stmt) for stmt in body)


def _can_go_on(stmt: Stmt) -> bool:
    match stmt:
        case Return() | Fail() | Finish() | Leave():
            return False
        case If(then=then, otherwise=otherwise):
            return _can_end(then) or _can_end(otherwise)
        case While(condition=Const(value=1)):
            return False
        case Block(label=label, body=body):
            left = any(isinstance(inner, Leave) and inner.label == label for inner in every_statement(body))
            return left or _can_end(body)
        case _:
            return True


def _routines(machine: Machine) -> Iterator[str]:
    """`Routine.stops` is true, and routines return nothing."""
    stopping: set[str] = set()
    changed = True
    while changed:
        changed = False
        for routine in machine.routines.values():
            if routine.name not in stopping and any(_is_stop(stmt, stopping) for stmt in every_statement(routine.body)):
                stopping.add(routine.name)
                changed = True
    for routine in machine.routines.values():
        if routine.stops != (routine.name in stopping):
            yield f"the routine {routine.name} {'stops' if routine.name in stopping else 'does not stop'}, and says otherwise"
        for stmt in every_statement(routine.body):
            match stmt:
                case Return(value=value) if value is not None:
                    yield f"the routine {routine.name} returns a value"
                case _:
                    pass


def _is_stop(stmt: Stmt, stopping: set[str]) -> bool:
    match stmt:
        case Choose() | Chance():
            return True
        case Call(routine=routine):
            return routine in stopping
        case _:
            return False


def _operators(machine: Machine) -> Iterator[str]:
    for definition in _definitions(machine):
        for expr in expressions_within(definition.body):
            match expr:
                case Op(name=name, args=args) if len(args) < ARITY[name] or (len(args) > ARITY[name] and name not in CHAINED):
                    yield f"{definition.name}: `{name}` with {len(args)} operands"
                case Op(name="left" | "right" as name, args=(_, by)) if not isinstance(by, Const) or by.value < 0:
                    yield f"{definition.name}: `{name}` by something that is no constant"
                case Op(name="left", args=(moved, _)) if not bits_of(moved, machine.functions):
                    yield f"{definition.name}: `left` of a set without a width"
                case Load(variable=Local(name=name), index=index) if index is not None:
                    yield f"{definition.name}: the local {name} has an index"
                case Lookup(table=table, index=Const(value=index)) if not 0 <= index < len(table.values):
                    yield f"{definition.name}: {table.name} has no element {index}"
                case Load(variable=Field() as variable, index=index) if not _within(index, variable.length):
                    yield f"{definition.name}: the field {variable.name} has no such element"
                case _:
                    pass


def _members(machine: Machine) -> Iterator[str]:
    """A bit number is one that the set can have in which it is stored, as far as the ranges of numbers tell."""
    ranges = Ranges(machine)
    for definition in _definitions(machine):
        for stmt in every_statement(definition.body):
            if isinstance(stmt, Assign) and stmt.variable.bits:
                for member in _single(stmt.value):
                    low, high = ranges.known(member)
                    if high < 0 or low >= stmt.variable.bits:
                        yield f"{definition.name}: {stmt.variable.name} cannot have the bit {low if low == high else (low, high)}"


def _single(expr: Expr) -> Iterator[Expr]:
    """The numbers of which a set is made with `bit`."""
    match expr:
        case Op(name="bit", args=(member,)):
            yield member
        case Op(name="union" | "intersect" | "minus" | "flip", args=parts) | Op(name="if", args=(_, *parts)):
            for part in parts:
                yield from _single(part)
        case _:
            pass


def _within(index: Expr | None, length: int) -> bool:
    return not isinstance(index, Const) or 0 <= index.value < length


def _labels(machine: Machine) -> Iterator[str]:
    known: set[str] = set()
    for definition in _definitions(machine):
        for stmt in every_statement(definition.body):
            match stmt:
                case Block(label=label) if label in known:
                    yield f"the label {label} is not unique"
                case Block(label=label):
                    known.add(label)
                case _:
                    pass
        yield from _leaves(definition.name, definition.body, frozenset())


def _leaves(name: str, body: tuple[Stmt, ...], inside: frozenset[str]) -> Iterator[str]:
    for stmt in body:
        match stmt:
            case Leave(label=label) if label not in inside:
                yield f"{name} leaves {label} from outside"
            case Block(label=label, body=inner):
                yield from _leaves(name, inner, inside | {label})
            case _:
                for inner in bodies(stmt):
                    yield from _leaves(name, inner, inside)


def _groups(machine: Machine) -> Iterator[str]:
    base = 0
    for group in machine.groups:
        if group.base != base:
            yield f"the options of {group.verb} begin at {group.base}, not at {base}"
        if group.size != prod(len(domain.names) for domain in group.arguments):
            yield f"{group.verb} has {group.size} options, which is not the product of its arguments"
        base += group.size
    if base > OPTIONS_LIMIT:
        yield f"there are {base} options; the limit is {OPTIONS_LIMIT}"


def _sites(machine: Machine) -> Iterator[str]:
    known: set[int] = set()
    for routine in machine.routines.values():
        for stmt in every_statement(routine.body):
            match stmt:
                case Choose(site=site) | Chance(site=site) | Show(site=site):
                    if site in known:
                        yield f"the site {site} is not unique"
                    if not 0 <= site < SITES_LIMIT:
                        yield f"the site {site} is not below {SITES_LIMIT}"
                    known.add(site)
                case _:
                    pass


def _alternatives(machine: Machine) -> Iterator[str]:
    for routine in machine.routines.values():
        for stmt in every_statement(routine.body):
            match stmt:
                case Choose(site=site, alternatives=alternatives):
                    for alternative in alternatives:
                        yield from _alternative(machine, site, alternative)
                case Chance(site=site, result=result) if result.bits:
                    yield f"the chance event {site} has a set as its result"
                case _:
                    pass


def _alternative(machine: Machine, site: int, alternative: Alternative) -> Iterator[str]:
    if not 0 <= alternative.group < len(machine.groups):
        yield f"decision {site}: there is no group {alternative.group}"
    elif len(alternative.arguments) != len(machine.groups[alternative.group].arguments):
        yield f"decision {site}: {len(alternative.arguments)} arguments are not those of group {alternative.group}"


def _owners(machine: Machine) -> Iterator[str]:
    """A local belongs to one function or routine; its number to one local."""
    owners: dict[Local, str] = {}
    numbers: dict[int, Local] = {}
    for definition in _definitions(machine):
        for local in locals_within(definition):
            if owners.setdefault(local, definition.name) != definition.name:
                yield f"the local {local.name} is used in {owners[local]} and in {definition.name}"
            elif numbers.setdefault(local.number, local) != local:
                yield f"the locals {numbers[local.number].name} and {local.name} have the same number"


def _assigned(machine: Machine) -> Iterator[str]:
    """No local can be read before it has a value."""
    flow = derived.flow(machine)
    live = live_locals(flow)
    for definition in _definitions(machine):
        if isinstance(definition, Routine) and definition.stops:
            start = live.before[flow.entries[definition.name]]
        else:
            start = live_at_start(definition.body)
        unset = start & ~mask(definition.parameters)
        for number, local in own_locals(definition).items():
            if unset >> number & 1:
                yield f"{definition.name} may read {local.name} before it has a value"


def _layout(machine: Machine) -> Iterator[str]:
    layout = machine.layout
    flow, control = derived.flow(machine), derived.control(machine)
    fields = [control.site, control.status, *control.returns.values(), control.decisions, control.streams, control.digest]
    if not 0 < machine.seats <= SEATS_LIMIT:
        yield f"{machine.seats} seats are not 1 to {SEATS_LIMIT}"
    yield from (f"the field {field.name} has no place" for field in fields if field not in layout.record)
    live = live_locals(flow)
    outlive = 0
    for found in (*live.at_stop.values(), *live.across.values()):
        outlive |= found
    for definition in _definitions(machine):
        for number, local in own_locals(definition).items():
            if local not in layout.record and (outlive >> number & 1 or local not in layout.scratch):
                yield f"the local {local.name} of {definition.name} has no place"
        for stmt in every_statement(definition.body):
            used = [expr.variable for expr in expressions_within((stmt,)) if isinstance(expr, Load)]
            used += [stmt.variable] if isinstance(stmt, Assign) else []
            for variable in used:
                if isinstance(variable, Field) and variable not in layout.record:
                    yield f"the field {variable.name}, used in {definition.name}, has no place"
    yield from _places(machine)
    if set(machine.clear) != set(flow.sites):
        yield "what to clear is not said for exactly the sites of decisions and chance events"


def _places(machine: Machine) -> Iterator[str]:
    layout = machine.layout
    end = slot = 0
    for variable, place in layout.record.items():
        region = variable.region if isinstance(variable, Field) else "game"
        first, last = layout.regions[region]
        if place.offset < end:
            yield f"{variable.name} overlaps what lies before it"
        if place.offset % min(place.width, 8):
            yield f"{variable.name} is not aligned"
        if place.slot != slot:
            yield f"{variable.name} has slot {place.slot}, not {slot}"
        end = place.offset + place.width * place.length
        slot += place.length
        if not (first <= place.offset and end <= last):
            yield f"{variable.name} lies outside its region"
    if layout.size < end:
        yield f"the record has {layout.size} bytes and needs {end}"
    if sorted(layout.scratch.values()) != list(range(slot, layout.slots)):
        yield "the slots of scratch do not follow those of the record"
    if list(layout.regions) != list(REGIONS):
        yield "the regions are not in order"


def _views(machine: Machine) -> Iterator[str]:
    if len(machine.teams) != machine.seats:
        yield f"there are teams for {len(machine.teams)} of {machine.seats} seats"
    for zone in machine.zones:
        for content in (zone.content, zone.top, zone.size, zone.held):
            if content is not None and content not in machine.layout.record:
                yield f"the zone {zone.name} shows {content.name}, which has no place"
    for knowledge in machine.knowledge:
        for content in (knowledge.may, knowledge.certain):
            if content is not None and content not in machine.layout.record:
                yield f"the knowledge of {knowledge.kind} is in {content.name}, which has no place"
    for view in machine.variables:
        if view.content not in machine.layout.record:
            yield f"{view.name} shows {view.content.name}, which has no place"


_FIRST = (_names, _recursion)
_SECOND = (_routines, _labels, _owners, _groups, _alternatives)
_THIRD = (_functions, _operators, _members, _sites, _assigned, _layout, _views)
