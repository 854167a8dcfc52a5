"""What does the file declare? Names first, in file order; then the values behind them.

`declare` makes the names known so that every body may use every name; `finish` returns the declarations with their bodies.
Defines are bound when they are first needed, because their types follow from their values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

from attrs import evolve

from ....diagnostics import did_you_mean
from ....source import Span
from ....syntax import tree
from ... import model
from ...model import BOX, DEPTH_LIMIT, NUMBER, PLAYER, TRUTH, UNKNOWN, Const, Expr, Type, Var
from ..expressions import expression, number, truth, wanted
from ..expressions.selecting import passes
from ..scope import Attribute, Column, Pending, Scope, Symbol, variable
from ..statements import body
from ..types import fixed, must_be_fixed, noun_is, of_something
from .components import rows_of
from .matches import declare_match, kept_things
from .scoring import note_term, place, term, winner
from .shapes import parts_of

WORDS_LIMIT = 1_000  # words of one list; a set of them must stay small
NUMBERS_LIMIT = 2_000_000_000  # the ends of a range of numbers: they must fit in 32 bits


def declare(lines: Iterable[tree.Declaration], scope: Scope) -> list[Callable[[], model.Declaration | None]]:
    """Make the names of declarations known; what is returned finishes each, once all names are known."""
    lines = list(lines)
    order = sorted(range(len(lines)), key=lambda i: (_rank(lines[i]), i))
    for line in lines:
        _note_steps(line, scope)
        if isinstance(line, tree.Counter | tree.Marker | tree.Define):
            scope.coming.add(line.name.text)
    later: dict[int, list[Callable[[], model.Declaration | None]]] = {}
    for index in order:
        later[index] = list(_declare(lines[index], scope))
    return [finish for index in range(len(lines)) for finish in later[index]]


def _rank(line: tree.Declaration) -> int:
    """Types come before what has them, and what is settled before the game before what changes in it."""
    match line:
        case tree.ListDeclaration():
            return 0
        case tree.OptionDeclaration():
            return 1
        case tree.Kind():
            return 2
        case tree.Grid():
            return 3
        case tree.TableDeclaration(by=by):
            return 3 if by.text == "players" else 5
        case tree.Define():
            return 6
        case _:
            return 4


def _declare(line: tree.Declaration, scope: Scope) -> Iterable[Callable[[], model.Declaration | None]]:
    match line:
        case tree.ListDeclaration(name=name, words=words):
            found = word_list(name.text, words, scope)
            if scope.declare(name.text, found, name.span):
                yield lambda: found
        case tree.OptionDeclaration(name=name, domain=domain_line):
            option = _option(line, domain_line, scope)
            if scope.declare(name.text, option, name.span):
                yield lambda: evolve(option, default=_default(option, line, scope))
        case tree.Kind():
            yield from _kind(line, scope)
        case tree.Zone(names=names, owner=owner, kind=kind_name, shape=shape, visibility=visibility):
            kind = scope.symbol(kind_name.text)
            if not isinstance(kind, model.Kind):
                kinds = {n for n, s in scope.all_symbols().items() if isinstance(s, model.Kind)}
                scope.unknown(kind_name.text, kind_name.span, "kind of component", kinds)
                scope.faults.doubtful |= {n.text for n in names}
                return
            if owner is not None and owner.text != "player":
                scope.complain("R204", f"a zone can belong to each player, not to each {owner.text}", owner.span)
            if visibility == "private" and owner is None:
                scope.complain("R204", "a private zone belongs to somebody", line.span, help="write `of player`, or `hidden`")
            for name in names:
                zone = model.Zone(name.text, owner is not None, shape, kind.name, visibility, span=name.span)
                if scope.declare(name.text, zone, name.span):
                    yield partial(_itself, zone)
        case tree.Grid():
            yield from _grid(line, scope)
        case tree.Counter(name=name, owner=owner, domain=range_line, visibility=seen):
            domain = domain_of(tree.Domain(range_line, span=range_line.span), name.text, scope)
            yield from _variable(line, "counter", name, owner, domain, seen, scope)
        case tree.Marker(name=name, owner=owner, domain=domain_line, visibility=seen):
            domain = domain_of(domain_line, words_of(name), scope)
            yield from _variable(line, "marker", name, owner, domain, seen, scope)
        case tree.TableDeclaration(name=name):
            made = table(line, scope)
            if made is None:
                scope.faults.doubtful |= {name.text, *(c.text for c in line.columns)}
                return
            for column, type in zip(made.columns, made.types, strict=True):
                span = next((c.span for c in line.columns if c.text == column), name.span)
                scope.declare(column, Column(made, column, type), span)
            yield partial(_itself, made)
        case tree.Define(name=name):
            pending = pending_define(line, scope)
            if scope.declare(name.text, pending, name.span):
                yield lambda: bind_define(pending, name.span)
        case tree.Setup() | tree.Phase() | tree.Step():
            step = step_head(line, scope)
            if step.form == "setup" or scope.declare(step.name, step, step.span):
                yield lambda: step_with_body(step, line, scope)
        case tree.Whenever():
            yield lambda: trigger(line, scope)
        case tree.Score(terms=terms):
            for each in terms:
                note_term(each, scope)
                if isinstance(each, tree.Majority):
                    yield partial(place, each, scope)
                yield partial(term, each, scope)
        case tree.Winner():
            yield lambda: winner(line, scope)
        case tree.Teams(size=size):
            yield lambda: model.Teams(size, span=line.span)
        case tree.Match():
            if declare_match(line, scope):
                yield lambda: match(line, scope)


def _grid(line: tree.Grid, scope: Scope) -> Iterable[Callable[[], model.Declaration | None]]:
    kinds = []
    for name in line.kinds:
        kind = scope.symbol(name.text)
        if not isinstance(kind, model.Kind):
            known = {n for n, s in scope.all_symbols().items() if isinstance(s, model.Kind)}
            scope.unknown(name.text, name.span, "kind of component", known)
            scope.faults.doubtful |= {n.text for n in line.names}
            return
        kinds.append(kind.name)
    if line.owner is not None and line.owner.text != "player":
        scope.complain("R204", f"a grid can belong to each player, not to each {line.owner.text}", line.owner.span)
    if line.visibility != "open":
        scope.complain("R204", "a grid is open: all see what lies where", line.span, help="end the line with `, open`")
    nothing = Const(1, type=NUMBER, span=line.span)

    def finish(grid: model.Grid) -> model.Declaration:
        across, up = (must_be_fixed(number(end, scope), "the size of a grid", scope) for end in (line.width, line.height))
        return evolve(grid, width=across, height=up)

    for name in line.names:
        grid = model.Grid(name.text, line.owner is not None, tuple(dict.fromkeys(kinds)), nothing, nothing, span=name.span)
        if scope.declare(name.text, grid, name.span):
            yield partial(finish, grid)


def _itself(found: model.Declaration) -> model.Declaration:
    return found


# ---- Domains and lists


def word_list(name: str, domain: tree.WordsDomain, scope: Scope) -> model.WordList:
    words = domain.words
    if len(words) > WORDS_LIMIT:
        scope.complain("R216", f"`{name}` has {len(words)} words; {WORDS_LIMIT} are allowed", domain.span)
        words = words[:1]
    for word in sorted({w for w in words if words.count(w) > 1}):
        scope.complain("R202", f"`{word}` stands twice in `{name}`", domain.span)
    return model.WordList(name, tuple(dict.fromkeys(words)), span=domain.span)


def words_of(name: tree.Name) -> str:
    """What a list of words is called that stands behind a name which means something else: an option, a marker."""
    return f"word of {name.text}"


def domain_of(domain: tree.Domain, name: str, scope: Scope) -> model.Domain:
    """The domain behind a name; words that stand right there become a list of that name."""
    base = domain.base
    match base:
        case tree.RangeDomain(low=low, high=high):
            ends = [number(low, scope), number(high, scope)]
            for end in ends:
                if not fixed(end):
                    scope.complain("R215", "the ends of a range are fixed before the game: numbers and options", end.span)
                    ends = [Const(0, type=NUMBER, span=end.span)] * 2
            if all(isinstance(e, Const) for e in ends):
                a, b = (e.value for e in ends if isinstance(e, Const))
                if a > b:
                    scope.complain("R215", f"there is no number from {a} to {b}", base.span, help=f"did you mean {b}..{a}?")
                elif max(abs(a), abs(b)) > NUMBERS_LIMIT:
                    scope.complain("R216", f"numbers go from {-NUMBERS_LIMIT} to {NUMBERS_LIMIT}", base.span)
                elif domain.optional and a < 0:
                    scope.complain("R215", "a domain with `or none` has no numbers below 0", base.span)
            type = NUMBER.maybe if domain.optional else NUMBER
            return model.Domain(type, ends[0], ends[1])
        case tree.NumbersDomain(values=values):
            for value in sorted({v for v in values if values.count(v) > 1}):
                scope.complain("R202", f"{value} stands twice here", base.span)
            low_end, high_end = (Const(end(values), type=NUMBER, span=base.span) for end in (min, max))
            return model.Domain(NUMBER.maybe if domain.optional else NUMBER, low_end, high_end, tuple(dict.fromkeys(values)))
        case tree.WordsDomain():
            found = word_list(name, base, scope)
            earlier = scope.symbol(name)
            if isinstance(earlier, model.WordList) and earlier.words == found.words:
                pass  # two kinds have the same attribute
            elif earlier is None:
                scope.symbols[name] = found
                scope.spans[name] = base.span
            else:
                scope.complain(
                    "R202", f"the words of `{name}` would be a list called `{name}`, and that name is taken", base.span,
                    *([(at, "here")] if (at := scope.declared_at(name)) else []), help="declare the words once, as a `list`",
                )  # fmt: skip
                return model.Domain(UNKNOWN)
            type = Type("word", name)
            return model.Domain(type.maybe if domain.optional else type)
        case tree.NamedDomain(name=named):
            found_type = scope.type_named(named)
            if found_type is None:
                types = {"player"} | {n for n in scope.all_symbols() if scope.type_named(n)}
                scope.unknown(named, base.span, "list, kind or attribute", types)
                return model.Domain(UNKNOWN)
            if found_type == NUMBER:
                symbol = scope.symbol(named)
                if isinstance(symbol, Attribute):
                    printed = symbol.any.domain
                    return model.Domain(NUMBER.maybe if domain.optional else NUMBER, printed.low, printed.high)
            return model.Domain(found_type.maybe if domain.optional else found_type)


def _option(line: tree.OptionDeclaration, domain_line: tree.Domain, scope: Scope) -> model.OptionDeclaration:
    domain = domain_of(domain_line, words_of(line.name), scope)
    # the default may be a column of a table, and those are declared later: it is bound when all names are known
    return model.OptionDeclaration(line.name.text, domain, Const(0, type=domain.type, span=line.span), span=line.name.span)


def _default(option: model.OptionDeclaration, line: tree.OptionDeclaration, scope: Scope) -> Expr:
    value = wanted(line.default, scope, option.domain.type)
    return must_be_fixed(value, f"the value of `{option.name}`", scope)


# ---- Kinds, counters, tables


def _kind(line: tree.Kind, scope: Scope) -> Iterable[Callable[[], model.Declaration | None]]:
    name = line.name.text
    faults_before = len(scope.faults.found)
    attributes: list[model.Attribute] = []
    for entry in line.attributes:
        attribute = _attribute(entry, line, attributes, scope)
        if attribute is not None:
            attributes.append(attribute)
            _note_attribute(attribute, name, False, scope)
    parts: tuple[model.Part, ...] = (model.Part(""),)
    part_attributes: list[model.Attribute] = []
    if line.shape is not None:
        parts = parts_of(line.shape, name, scope)
        for entry in line.shape.attributes:
            attribute = _attribute(entry, line, [*attributes, *part_attributes], scope)
            if attribute is not None:
                part_attributes.append(attribute)
                _note_attribute(attribute, name, True, scope)
        for part in parts:
            for attribute in part_attributes:
                own = evolve(attribute, name=f"{attribute.name}_{part.name}")
                attributes.append(own)
                _note_attribute(own, name, False, scope)
    owned = isinstance(line.rows, tree.Copies) and line.rows.owned
    if owned and attributes:
        scope.complain(
            "R204", f"the {name}s are told apart by whose they are; nothing else is printed on them", attributes[0].span,
            help="leave out `for each player`, or leave out the attributes",
        )  # fmt: skip
    if owned:
        attributes = [model.Attribute("owner", model.Domain(PLAYER), span=line.name.span)]
    rows, each = rows_of(line, tuple(attributes), scope)
    if len(scope.faults.found) > faults_before or (each is not None and scope.faults.doubtful):
        scope.faults.damaged.add(name)
    columns = {entry.column.text for entry in line.left_out}
    left_out = tuple(
        model.LeftOut(
            x.column.text, _COMPARE[x.op], must_be_fixed(number(x.value, scope), "which rows are left out", scope), span=x.span
        )
        for x in line.left_out
    )
    if rows and columns - set(rows[0].values):
        missing = next(x for x in line.left_out if x.column.text not in rows[0].values)
        scope.unknown(missing.column.text, missing.column.span, "column", set(rows[0].values))
        left_out = ()
    kind = model.Kind(
        name, line.form, tuple(attributes), rows, each, left_out, bool(line.markers), parts, tuple(part_attributes), owned,
        span=line.name.span,
    )  # fmt: skip
    if not scope.declare(name, kind, line.name.span):
        return

    def finish() -> model.Declaration:
        if not isinstance(line.rows, tree.Copies):
            return kind
        return evolve(kind, each=must_be_fixed(number(line.rows.count, scope), "how many there are", scope))

    yield finish
    for marker in line.markers:
        domain = domain_of(marker.domain, words_of(marker.name), scope)
        seen = marker.visibility or "open"
        found = model.Variable(marker.name.text, "marker", Type("component", name), domain, seen, span=marker.name.span)
        if scope.declare(marker.name.text, found, marker.name.span):
            yield partial(_itself, found)


def _attribute(
    entry: tree.Attribute, line: tree.Kind, earlier: list[model.Attribute], scope: Scope
) -> model.Attribute | None:
    name = line.name.text
    if any(a.name == entry.name.text for a in earlier):
        scope.complain("R202", f"a {name} has two attributes called `{entry.name.text}`", entry.name.span)
        return None
    domain = domain_of(entry.domain, entry.name.text, scope)
    if domain.type.base in ("player", "component", "cell"):
        scope.complain(
            "R204", f"nothing printed on a {name} can be a {domain.type.noun}", entry.name.span,
            help=f"a {domain.type.noun} is marked on it: `marker {entry.name.text}: {domain.type.noun}`",
        )  # fmt: skip
        domain = model.Domain(UNKNOWN)
    return model.Attribute(entry.name.text, domain, span=entry.name.span)


def _note_attribute(attribute: model.Attribute, kind: str, of_parts: bool, scope: Scope) -> None:
    """Make the name of an attribute known; that of a list of words is known as the list."""
    if attribute.domain.type == Type("word", attribute.name) or attribute.domain.type == Type("word", attribute.name).maybe:
        return
    found = scope.symbol(attribute.name)
    if not isinstance(found, Attribute):
        found = Attribute(attribute.name, {})
        scope.declare(attribute.name, found, attribute.span)
    (found.parts if of_parts else found.kinds)[kind] = attribute


_COMPARE: dict[str, Literal["=", "!=", "<", "<=", ">", ">="]] = {
    "is": "=", "is not": "!=", "<": "<", ">": ">", "at least": ">=", "at most": "<="
}


def _variable(
    line: tree.Line, form: str, name: tree.Name, owner: tree.Name | None, domain: model.Domain, seen: str | None, scope: Scope
) -> Iterable[Callable[[], model.Declaration | None]]:
    owner_type: Type | None = None
    if owner is not None:
        owner_type = scope.type_named(owner.text)
        if owner_type is None or owner_type.base not in ("player", "word", "component"):
            types = {"player"} | {n for n in scope.all_symbols() if scope.type_named(n)}
            scope.unknown(owner.text, owner.span, "player, list or kind", types)
            owner_type = PLAYER
    if seen == "private" and owner_type != PLAYER:
        scope.complain("R204", "what is private belongs to a player", line.span, help="write `of player`, or `hidden`")
    found = model.Variable(name.text, form, owner_type, domain, seen or "open", span=name.span)  # type: ignore[arg-type]
    if scope.declare(name.text, found, name.span):
        yield lambda: found


def table(line: tree.TableDeclaration, scope: Scope) -> model.TableDeclaration | None:
    by = line.by.text
    symbol = scope.symbol(by)
    key: Type | None = None
    if by == "players":
        key = NUMBER
    elif isinstance(symbol, model.OptionDeclaration | model.Variable):
        key = symbol.domain.type.required
    elif isinstance(symbol, Pending):
        key = None
    else:
        key = scope.type_named(by)
    rows: list[model.TableRow] = []
    spans: dict[int, Span] = {}
    types: list[Type | None] = [None for _ in line.columns]
    for row in line.rows:
        head, *cells = row.cells
        if len(cells) != len(line.columns):
            scope.complain(
                "R210", f"this row has {len(row.cells)} values for {len(line.columns) + 1} columns", row.span,
                (line.columns[0].span if line.columns else line.name.span, "the columns"),
            )  # fmt: skip
            continue
        otherwise = isinstance(head, tree.Ref) and head.name == "otherwise"
        key_value: Expr | None = None
        if not otherwise:
            key_value = expression(head, scope, key)
            key = key or key_value.type.required
            if not isinstance(key_value, Const):
                scope.complain("R215", "a row of a table begins with a number or a word", head.span)
                continue
            if key_value.type.base != "unknown" and key_value.type.required != key and key.base != "unknown":
                scope.complain("R204", f"this is {key_value.type}, and the rows are for {key.noun}s", head.span)
                continue
            if key_value.value in spans:
                scope.complain(
                    "R202", f"the table `{line.name.text}` has two rows for {head.span.text}", head.span,
                    (spans[key_value.value], "here first")
                )
                continue
            spans[key_value.value] = head.span
        elif any(r.key is None for r in rows):
            scope.complain("R202", f"the table `{line.name.text}` has two rows `otherwise`", head.span)
            continue
        values = []
        for index, cell in enumerate(cells):
            value = expression(cell, scope, types[index])
            value = must_be_fixed(value, "what stands in a table", scope)
            types[index] = _joined(types[index], value.type)
            if types[index] is None:
                scope.complain("R204", f"this is {value.type}, unlike the rows above", cell.span)
                types[index] = UNKNOWN
            values.append(value)
        rows.append(model.TableRow(key_value, tuple(values), span=row.span))
    if not rows:
        return None  # its rows could not be read, and that has been said
    names = tuple(c.text for c in line.columns)
    types_found = tuple(t or UNKNOWN for t in types)
    typed = tuple(evolve(r, values=tuple(map(_none_of, r.values, types_found))) for r in rows)
    return model.TableDeclaration(line.name.text, by, key or NUMBER, names, types_found, typed, span=line.name.span)


def _none_of(value: Expr, type: Type) -> Expr:
    """A value of a column; `none` above all other values gets its type from them."""
    return evolve(value, type=type) if isinstance(value, Const) and value.type == UNKNOWN.maybe else value


def _joined(a: Type | None, b: Type) -> Type | None:
    """The type of a column that holds both; None when there is none."""
    if a is None:
        return b
    if a.base == "unknown":
        a, b = b, a
    if b.base != "unknown" and a.required != b.required:
        return None
    return a.maybe if b.optional else a


# ---- Defines


def pending_define(line: tree.Define, scope: Scope) -> Pending:
    parameters = []
    for noun in (line.of, line.key):
        if noun is not None:
            parameters.append(parameter_type(noun, scope))
    return Pending(line.name.text, line, tuple(parameters), scope, bind_define)


def parameter_type(noun: tree.Name, scope: Scope) -> Type:
    """The type that a parameter's noun names; a word that names no type is a number (``betting for stake``)."""
    found = scope.type_named(noun.text)
    if found is None:
        types = {"player"} | {n for n in scope.all_symbols() if scope.type_named(n)}
        if noun.text in scope.faults.doubtful:
            return UNKNOWN
        if did_you_mean(noun.text, types):
            scope.unknown(noun.text, noun.span, "player, list or kind", types)
            return UNKNOWN
    return found or NUMBER


def bind_define(pending: Pending, asked_at: Span) -> model.Define | None:
    """The define with its value; None inside a circle of defines (and a finding)."""
    if pending.bound is not None:
        return pending.bound
    line, outer = pending.line, pending.scope
    running = [s for s in outer.all_symbols().values() if isinstance(s, Pending) and s.running]
    if len(running) > DEPTH_LIMIT:
        if not any(d.code == "R216" for d in outer.faults.found):
            outer.complain(
                "R216", f"to explain `{running[0].name}` takes more than {DEPTH_LIMIT} words one after the other", line.name.span,
                help="write it with fewer words",
            )  # fmt: skip
        return None
    if pending.running:
        outer.complain(
            "R221", f"`{pending.name}` is explained by itself", asked_at, (line.name.span, "it is defined here"),
            help="a word is explained by other words, which are explained without it",
        )
        return None
    pending.running = True
    scope = outer.inner()
    scope.locals = {}
    nouns = [n for n in (line.of, line.key) if n is not None]
    variables = []
    for noun, type in zip(nouns, pending.parameters, strict=True):
        var = Var(noun.text, type)
        scope.bind(noun.text, variable(var, noun.span), noun.span)
        variables.append(var)
    value = of_something(_cases(line, scope) if line.value is None else expression(line.value, scope), scope)
    pending.bound = model.Define(pending.name, tuple(variables), value, span=line.name.span)
    pending.running = False
    return pending.bound


def _cases(line: tree.Define, scope: Scope) -> Expr:
    cases: list[tuple[Expr, Expr]] = []
    otherwise: Expr | None = None
    type: Type | None = None
    for case in line.cases:
        value = expression(case.value, scope, type.required if type else None)
        joined = _joined(type, value.type)
        if joined is None:
            scope.complain("R204", f"this is {value.type}, unlike the case above", case.value.span)
        type = joined or type
        if case.condition is None:
            otherwise = value
        elif otherwise is not None:
            scope.complain("R107", "nothing can come after `otherwise`", case.span)
        else:
            cases.append((truth(case.condition, scope), value))
    if otherwise is None:
        if type is not None and type.base == "truth":
            otherwise = Const(0, type=TRUTH, span=line.span)
        else:
            scope.complain(
                "R219", f"`{line.name.text}` does not say what it is otherwise", line.name.span,
                help="add a last line `otherwise ...`"
            )
            otherwise = Const(0, type=UNKNOWN, span=line.span)
    return model.Cases(tuple(cases), otherwise, type=type or otherwise.type, span=line.span)


# ---- Steps


def step_head(line: tree.Setup | tree.Phase | tree.Step, scope: Scope) -> model.Step:
    """A step, phase or setup with its parameters and an empty body."""
    match line:
        case tree.Setup():
            return model.Step("setup", "setup", (), (), span=line.span)
        case tree.Phase(name=name):
            return model.Step(name.text, "phase", (), (), span=name.span)
        case tree.Step(name=name, of=of, key=key):
            parameters = []
            for noun in (of, key):
                if noun is not None:
                    parameters.append(Var(noun.text, parameter_type(noun, scope)))
            return model.Step(name.text, "step", tuple(parameters), (), span=name.span)


def step_with_body(head: model.Step, line: tree.Setup | tree.Phase | tree.Step, scope: Scope) -> model.Step:
    inner = scope.inner()
    inner.locals = {}
    inner.around = (head.name,) if head.form != "setup" else ()
    for var in head.parameters:
        inner.bind(var.name, variable(var, head.span), head.span)
    return evolve(head, body=body(line.body, inner))


def trigger(line: tree.Whenever, scope: Scope) -> model.Trigger | None:
    """``whenever ... enters ZONE``; None after a finding about the zone."""
    zone = scope.symbol(line.zone.text)
    if not isinstance(zone, model.Zone):
        if line.zone.text == BOX:
            scope.complain(
                "R204", "nothing can be said of what enters the box", line.zone.span,
                help="the box is out of the game; declare a zone for what is to be noticed",
            )  # fmt: skip
        elif zone is None:
            scope.unknown(line.zone.text, line.zone.span, "zone", {n for n, s in scope.all_symbols().items() if _is_zone(s)})
        else:
            scope.complain("R204", f"`{line.zone.text}` is no zone", line.zone.span)
        return None
    if zone.owned != (line.owner is not None):
        message = f"every player has a `{zone.name}`" if zone.owned else f"there is only one `{zone.name}`"
        of = " of player" if zone.owned else ""
        scope.complain("R206", message, (line.owner or line.zone).span, help=f"write `enters {zone.name}{of}`")
        return None
    inner = scope.inner()
    inner.locals = {}
    inner.around = ()
    component = Var(line.noun.text, Type("component", zone.kind))
    if noun_is(line.noun, component.type.set, scope):
        inner.bind(line.noun.text, variable(component, line.noun.span), line.noun.span)
    owner: Var | None = None
    if line.owner is not None:
        if line.owner.text != "player":
            scope.complain("R204", f"a zone belongs to a player, not to a {line.owner.text}", line.owner.span)
        owner = Var("player", PLAYER)
        inner.bind("player", variable(owner, line.owner.span), line.owner.span)
    condition: Expr = Const(1, type=TRUTH, span=line.span)
    for index, each in enumerate(line.filters):
        passing = passes(each, component, inner)
        condition = model.Logic("and", condition, passing, type=TRUTH, span=each.span) if index else passing
    name = scope.faults.fresh(f"whenever {component.type} enters {zone.name}")
    return model.Trigger(name, component, zone.name, owner, condition, body(line.body, inner), span=line.span)


def _is_zone(symbol: Symbol) -> bool:
    return isinstance(symbol, model.Zone)


def _note_steps(line: tree.Declaration, scope: Scope) -> None:
    """Remember every named step, those in place too; two of one name are a fault."""
    if isinstance(line, tree.Phase | tree.Step):
        scope.steps.add(line.name.text)
    for node in steps_in_place(line):
        if node.name.text in scope.all_steps():
            scope.complain("R202", f"two steps are called `{node.name.text}`", node.name.span)
        scope.steps.add(node.name.text)


def steps_in_place(node: object) -> Iterable[tree.StepHere]:
    """The steps that are written where they run, anywhere below a line."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tree.StepHere):
            yield item
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif isinstance(item, tree.Line):
            stack.extend(
                getattr(item, name)
                for name in ("cannot_pay", "won", "no_bids", "otherwise", "if_impossible", "options", "cases", "body")
                if hasattr(item, name)
            )


def match(line: tree.Match, scope: Scope) -> model.Match:
    games = must_be_fixed(number(line.games, scope), "how many games there are", scope)
    until = None if line.until is None else truth(line.until, scope)
    own = None if line.keys is None else winner(tree.Winner(line.keys, span=line.span), scope)
    return model.Match(games, until, own, kept_things(line, scope), span=line.span)
