"""Binds tables: their columns, by the key of each row."""

from __future__ import annotations

from attrs import evolve

from ....common.nouns import plural, with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, UNKNOWN, Const, Expr, Parameter, Type
from ..expressions import expression, wanted
from ..names.scope import Pending, Scope, unclear
from ..names.types import joined, must_be_fixed
from .components import Cell, csv_of
from .parameters import parameters

DIGITS = 9  # of a number, as in a file of rules


def table(line: tree.TableDeclaration, scope: Scope) -> model.TableDeclaration | None:
    """A table with the types of its columns; None after a finding about all of it."""
    by = line.by.text
    if not line.parameters and isinstance(scope.symbol(by), model.Kind):
        scope.complain(
            "R204",
            f"a table is looked up by a number, a word or a player, and not by {with_article(by)}",
            line.by.span,
            help=f"print it on the {plural(by)}, as an attribute, or write `table {line.name.text} for {by}`",
        )
        return None
    if line.file is not None:
        read = _with_rows(line, line.file, scope)
        if read is None:
            return None
        line = read
    symbol = scope.symbol(by)
    key: Type | None = None
    several = tuple(parameters(line, scope))
    if several:
        key = model.index_type(several)
    elif by == "players":
        key = NUMBER
    elif isinstance(symbol, model.OptionDeclaration | model.Variable):
        key = symbol.domain.type.required
    elif isinstance(symbol, Pending):
        key = None
    else:
        key = scope.type_named(by)
        if key is None:
            scope.could_be(by, {"players", *scope.type_names(), *scope.names_of(model.OptionDeclaration, model.Variable)})
    rows: list[model.TableRow] = []
    spans: dict[Expr, Span] = {}
    types: list[Type | None] = [None for _ in line.columns]
    for row in line.rows:
        head, cells = row.cells[0], row.cells[len(several) or 1 :]
        if len(cells) != len(line.columns):
            heads = len(several) or 1
            scope.complain(
                "R210",
                f"this row has {len(row.cells)} values for {len(line.columns) + heads} columns",
                row.span,
                (line.columns[0].span if line.columns else line.name.span, "the columns"),
            )
            continue
        others = [_is_otherwise(each) for each in row.cells[: len(several) or 1]]
        otherwise = all(others)
        if any(others) and not otherwise:
            scope.complain(
                "R215",
                "a row says `otherwise` for all that it is asked for, or for nothing of it",
                head.span,
                help=f"write a row for each combination, or `{' | '.join(['otherwise'] * len(several))} | ...` for all others",
            )
            continue
        key_value: Expr | None = None
        if not otherwise:
            key_value = _combined(row.cells[: len(several)], several, scope) if several else expression(head, scope, key)
            key = key or key_value.type.required
            if not several and not isinstance(key_value, Const):
                scope.complain("R215", "a row of a table begins with a number or a word", head.span)
                continue
            if "unknown" not in (key_value.type.base, key.base) and not several and key_value.type.required != key:
                scope.complain("R204", f"this is {key_value.type}, and the rows are for {plural(key.noun)}", head.span)
                continue
            if key_value.type.base != "unknown" and key_value in spans:
                scope.complain(
                    "R202",
                    f"the table `{line.name.text}` has two rows for {head.span.text}",
                    head.span,
                    (spans[key_value], "here first"),
                )
                continue
            spans[key_value] = head.span
        elif any(r.key is None for r in rows):
            scope.complain("R202", f"the table `{line.name.text}` has two rows `otherwise`", head.span)
            continue
        values = []
        for index, cell in enumerate(cells):
            value = expression(cell, scope, types[index])
            value = must_be_fixed(value, "what stands in a table", scope)
            types[index] = joined(types[index], value.type)
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
    places = tuple(c.span for c in line.columns)
    return model.TableDeclaration(
        line.name.text, by, key or NUMBER, names, types_found, typed, places, several, span=line.name.span
    )


def _is_otherwise(head: tree.Expression) -> bool:
    return isinstance(head, tree.Ref) and head.name == "otherwise"


def _combined(heads: tuple[tree.Expression, ...], several: tuple[Parameter, ...], scope: Scope) -> Expr:
    """The key of a row: a value for each parameter."""
    parts = tuple(wanted(head, scope, parameter.type) for head, parameter in zip(heads, several, strict=True))
    span = heads[0].span.to(heads[-1].span)
    for value, parameter in zip(parts, several, strict=True):
        named = (isinstance(value, Const) and value.value >= 0) or isinstance(value, model.Pick | model.CellNamed)
        if not named or value.type.base == "unknown":
            if value.type.base != "unknown":
                scope.complain("R215", f"a row of this table begins with {with_article(parameter.type.noun)}", value.span)
            return unclear(span)
    key = model.index_of(parts, span)
    assert key is not None
    return key


def _none_of(value: Expr, type: Type) -> Expr:
    """A value of a column; `none` above all other values gets its type from them."""
    return evolve(value, type=type) if isinstance(value, Const) and value.type == UNKNOWN.maybe else value


def _with_rows(line: tree.TableDeclaration, file: tree.FromFile, scope: Scope) -> tree.TableDeclaration | None:
    """A table with the columns and rows of a `.csv`; None after a finding. A field is read as the same field in the rules."""
    source = scope.read(file.path, file.span)
    if source is None:
        return None
    cells = csv_of(source)
    if len(cells) < 2:
        scope.complain("R208", f"there are no rows for the table `{line.name.text}`", file.span)
        return None
    header, *rows = cells
    if header[0].text != line.by.text:
        scope.complain(
            "R209",
            f"the list for the table `{line.name.text}` does not begin with the column `{line.by.text}`",
            header[0].span,
            (line.by.span, "the table is by this"),
            help=f"columns: {', '.join(cell.text for cell in header)}",
        )
        return None
    columns = tuple(tree.Name(cell.text, span=cell.span) for cell in header[1:])
    read = tuple(tree.Row(tuple(map(_field, row)), span=Span(source, row[0].span.start, row[-1].span.end)) for row in rows)
    return evolve(line, columns=columns, rows=read)


def _field(cell: Cell) -> tree.Expression:
    """A field of a `.csv` as an expression; an empty one is none."""
    text = cell.text
    if text in ("", "none", "yes", "no"):
        return tree.Special(text or "none", span=cell.span)  # type: ignore[arg-type]
    digits = text.removeprefix("-")
    if digits.isdecimal() and len(digits) <= DIGITS:
        number = tree.Number(int(digits), span=cell.span)
        return tree.Negative(number, span=cell.span) if text.startswith("-") else number
    return tree.Ref(text, span=cell.span)
