"""Binds a kind of components with its attributes, its shape, its rows and the markers on it.

Where a zone holds components of several kinds, all these are components of one joint kind. So a set, a hidden pile or a hand has
components of one kind, whatever lies there; what is known of them, drawn or dealt by chance needs no further rule. The kind of a
component is an attribute (see `model.Kind`), and a type says which kinds it can be.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Literal

from attrs import evolve

from ....common.nouns import plural, with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, PLACE, PLAYER, TRUTH, UNKNOWN, Const, Parameter, Type, Var, to_roll
from ...visitor import with_parts
from ..expressions import number
from ..expressions.names import of_word
from ..expressions.selecting import passes
from ..names.scope import Attribute, Finish, Scope, unclear
from ..names.types import must_be_fixed
from .components import rows_of
from .domains import domain_of, words_of
from .shapes import parts_of
from .variables import declared_variables

HOW_MANY = "how many there are"
_COMPARE: dict[str, Literal["=", "!=", "<", "<=", ">", ">="]] = {
    "is": "=",
    "is not": "!=",
    "<": "<",
    ">": ">",
    "at least": ">=",
    "at most": "<=",
}


def joint_kinds(lines: Iterable[object]) -> dict[str, str]:
    """The joint kind of each kind that can lie beside others: it has all their names, in the order of the file."""
    lines = tuple(lines)
    declared = [line.name.text for line in lines if isinstance(line, tree.Kind)]
    together = {name: {name} for name in declared}
    for line in lines:
        if isinstance(line, tree.Zone):
            held = [kind.text for kind in line.kinds if kind.text in together]
            group = set().union(*(together[kind] for kind in held))
            together |= dict.fromkeys(group, group)
    ordered = {name: sorted(group, key=declared.index) for name, group in together.items()}
    return {name: " or ".join(group) for name, group in ordered.items() if len(group) > 1}


def kinds(line: tree.Kind, scope: Scope) -> Iterable[Finish]:
    """A kind, and the markers of its components."""
    name = line.name.text
    faults_before = len(scope.faults.found)
    attributes: list[model.Attribute] = []
    keyed: list[model.Attribute] = []
    for entry in line.attributes:
        attribute = _attribute(entry, line, [*attributes, *keyed], scope)
        if attribute is None:
            continue
        if entry.key is None:
            attributes.append(attribute)
            _note_attribute(attribute, name, "kinds", scope)
            continue
        keyed.append(evolve(attribute, key=entry.key.text))
        _note_attribute(keyed[-1], name, "keyed", scope)
        for word in _words_named(entry.key, scope):
            own = evolve(attribute, name=of_word(attribute.name, word))
            if any(own.name == each.name for each in attributes):
                _twice(own.name, attribute.span, name, scope)
                break
            attributes.append(own)
            _note_attribute(own, name, "kinds", scope)
    parts: tuple[model.Part, ...] = (model.Part(""),)
    part_attributes: list[model.Attribute] = []
    if line.shape is not None:
        drawn = parts_of(line.shape, name, scope)
        for entry in line.shape.attributes:
            attribute = _attribute(entry, line, [*attributes, *part_attributes], scope)
            if attribute is not None:
                part_attributes.append(attribute)
                _note_attribute(attribute, name, "parts", scope)
        for part in drawn or ():
            for attribute in part_attributes:
                own = evolve(attribute, name=f"{attribute.name}_{part.name}")
                attributes.append(own)
                _note_attribute(own, name, "kinds", scope)
        parts = drawn or parts
    owned = isinstance(line.rows, tree.Copies) and line.rows.owned
    if line.form == "dice":
        yield from _dice(line, tuple(attributes), scope)
        return
    if owned:
        attributes.insert(0, model.Attribute("owner", model.Domain(PLAYER), span=line.name.span))
    rows, each = rows_of(line, tuple(attributes), scope)
    if line.other_copies:
        each = unclear(line.rows.span)  # that there is one of each is not sure
    if each is not None:
        scope.faults.fragile.add(name)
    if len(scope.faults.found) > faults_before or (each is not None and scope.faults.doubtful):
        scope.faults.damaged.add(name)
    left_out = tuple(
        model.LeftOut(
            x.column.text, _COMPARE[x.op], must_be_fixed(number(x.value, scope), "which rows are left out", scope), span=x.span
        )
        for x in line.left_out
        if rows and x.column.text in rows[0].values
    )
    kind = model.Kind(
        name, line.form, tuple(attributes), rows, each, left_out, bool(line.markers), parts, tuple(part_attributes), owned,
        tuple(keyed), shown=_shown_as(line, tuple(attributes), scope), joint=scope.faults.joints.get(name, ""),
        span=line.name.span,
    )  # fmt: skip
    if not scope.declare(name, kind, line.name.span):
        return

    def finish() -> model.Declaration:
        match line.rows:
            case tree.Copies(count=None):
                _fit_somewhere(kind, line.rows.span, scope)
                return evolve(kind, each=None)
            case tree.Copies(count=count) if count is not None:
                others = tuple(_other_copies(each, kind, scope) for each in line.other_copies)
                return evolve(kind, each=must_be_fixed(number(count, scope), HOW_MANY, scope), other_copies=others)
        return kind

    yield finish
    for marker in line.markers:
        if marker.parameters:
            places = [f"for {each.noun.text}" if each.place == "of" else each.span.text for each in marker.parameters]
            whole = " ".join((f"marker {marker.names[0].text} of {name}", *places))
            span = marker.parameters[0].span.to(marker.parameters[-1].span)
            help = f"write at the left edge `{whole}: ...`"
            scope.complain("R112", f"this marker belongs to {with_article(name)}", span, help=help)
        domain = domain_of(marker.domain, words_of(marker.names[0]), scope)
        yield from declared_variables(marker, "marker", (Parameter("of", scope.component(name)),), domain, scope)


def _other_copies(line: tree.OtherCopies, kind: model.Kind, scope: Scope) -> model.OtherCopies:
    """``3 of each with value wager``."""
    count = must_be_fixed(number(line.count, scope), HOW_MANY, scope)
    var = Var(kind.name, scope.component(kind.name))
    tests = [passes(each, var, scope) for each in line.filters]

    def printed(part: model.Node) -> model.Node:
        """What is printed on a component is settled, too."""
        if isinstance(part, model.AttributeOf) and isinstance(part.of, model.VarValue):
            return Const(0, type=part.type, span=part.span)
        return with_parts(part, printed)

    condition = tests[0]
    for test in tests:
        must_be_fixed(printed(test), "which of them these are", scope)  # type: ignore[arg-type]
    for test in tests[1:]:
        condition = model.Logic("and", condition, test, type=TRUTH, span=line.span)
    return model.OtherCopies(count, var, condition, span=line.span)


def _dice(line: tree.Kind, attributes: tuple[model.Attribute, ...], scope: Scope) -> Iterable[Finish]:
    """Dice: of each face as many as there are dice, and where those lie that no die shows (see `statements/dice.py`)."""
    name, span = line.name.text, line.name.span
    rows = line.rows
    if not isinstance(rows, tree.Copies) or rows.count is None or line.markers or line.shape is not None or not attributes:
        scope.complain(
            "R204",
            "of dice it is said how many there are, and what their faces show",
            span,
            help="`dice die, 2`, and under it `face: 1..6`",
        )
        scope.faults.doubtful |= {name}
        return
    count = rows.count
    one = Const(1, type=NUMBER, span=rows.span)
    kind = model.Kind(name, "dice", attributes, None, one, (), False, shown=_shown_as(line, attributes, scope), span=span)
    if not scope.declare(name, kind, span):
        return
    hidden = model.Zone(to_roll(name), (), "set", name, "hidden", span=span)

    def finish() -> model.Declaration:
        each = must_be_fixed(number(count, scope), HOW_MANY, scope)
        if rows.owned:
            each = model.Arithmetic("*", each, model.PlayerCount(type=NUMBER, span=rows.span), type=NUMBER, span=rows.span)
        return evolve(kind, each=each)

    yield finish
    yield lambda: hidden


def _fit_somewhere(kind: model.Kind, span: Span, scope: Scope) -> None:
    """A finding where nobody can know how many pieces there are: they lie on no grid, or not only there."""
    elsewhere = [each.name for each in scope.all_symbols().values() if isinstance(each, model.Zone) and kind.name in each.kinds]
    grids = [grid for grid in scope.grids() if kind.name in grid.kinds]
    if elsewhere or (not grids and "grid" not in scope.faults.doubtful):
        why = f"they can lie in `{elsewhere[0]}`" if elsewhere else "they lie on no grid"
        scope.complain(
            "R215",
            f"it is not said how many {plural(kind.name)} there are: {why}",
            span,
            help=f"write how many: `pieces {kind.name}, 10 for each player`",
        )


def _attribute(entry: tree.Attribute, line: tree.Kind, earlier: list[model.Attribute], scope: Scope) -> model.Attribute | None:
    name = line.name.text
    if any(a.name == entry.name.text for a in earlier):
        _twice(entry.name.text, entry.name.span, name, scope)
        return None
    domain = domain_of(entry.domain, entry.name.text, scope)
    if domain.type.base in ("player", "component", "cell"):
        scope.complain(
            "R204",
            f"nothing printed on {with_article(name)} can be {with_article(domain.type.noun)}",
            entry.name.span,
            help=f"{with_article(domain.type.noun)} is marked on it: `marker {entry.name.text}: {domain.type.noun}`",
        )
        domain = model.Domain(UNKNOWN)
    return model.Attribute(entry.name.text, domain, span=entry.name.span)


def _twice(attribute: str, span: Span, kind: str, scope: Scope) -> None:
    scope.complain("R202", f"two attributes of the kind `{kind}` are called `{attribute}`", span)


def _words_named(name: tree.Name, scope: Scope) -> tuple[str, ...]:
    """The words of a list that is named; none after a finding."""
    found = scope.symbol(name.text)
    if isinstance(found, model.WordList):
        return found.words
    if found is None:
        scope.unknown(name.text, name.span, "list", scope.names_of(model.WordList))
    else:
        scope.complain("R204", f"`{name.text}` is no list of words", name.span, help="declare one: `list colour: red, blue`")
    return ()


def _note_attribute(attribute: model.Attribute, kind: str, of: Literal["kinds", "parts", "keyed"], scope: Scope) -> None:
    """Make the name of an attribute known; that of a list of words is known as the list."""
    if attribute.domain.type == Type("word", attribute.name) or attribute.domain.type == Type("word", attribute.name).maybe:
        return
    found = scope.symbol(attribute.name)
    if not isinstance(found, Attribute):
        found = Attribute(attribute.name, {})
        scope.declare(attribute.name, found, attribute.span)
    if of == "keyed" and found.key not in ("", attribute.key):
        scope.complain(
            "R204",
            f"`{attribute.name}` is asked for {with_article(found.key)} elsewhere",
            attribute.span,
            *scope.where_declared(attribute.name),
            help=f"write `{attribute.name} for {found.key}`, or take another name",
        )
        return
    {"kinds": found.kinds, "parts": found.parts, "keyed": found.keyed}[of][kind] = attribute


def _shown_as(line: tree.Kind, attributes: tuple[model.Attribute, ...], scope: Scope) -> str:
    """The text by which components are called, with the names of their attributes in braces; "" where none is given."""
    if line.shown is None:
        return ""
    if not line.shown.text.strip():
        help = "leave the line out, and a component is called by its values"
        scope.complain("R204", f"the kind `{line.name.text}` is shown as nothing", line.shown.span, help=help)
    known = {attribute.name for attribute in attributes}
    pieces = PLACE.split(unicodedata.normalize("NFC", line.shown.text))
    span = line.shown.span
    for index in range(1, len(pieces), 2):
        written = pieces[index]
        words = written.split()
        pieces[index] = of_word(words[0], words[2]) if len(words) == 3 and words[1] == "for" else written.strip()
        if pieces[index] not in known:
            start = span.source.text.find(written, span.start, span.end)
            at = Span(span.source, start, start + len(written)) if start >= 0 and written else span
            scope.unknown(pieces[index], at, "attribute", known)
    return "".join(f"{{{piece}}}" if index % 2 else piece for index, piece in enumerate(pieces))
