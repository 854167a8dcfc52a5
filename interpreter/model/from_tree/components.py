"""What is in the box: the rows of a kind, from a table in the file, a `.csv` beside it, or every combination."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from attrs import frozen

from ...diagnostics import did_you_mean
from ...source import Source, Span
from ...syntax import tree
from .. import model
from ..model import NUMBER, Const, Type
from .expressions import number
from .scope import Scope

COMPONENTS_LIMIT = 1_000  # of one kind: a set of them must stay a few words of memory; the largest real decks have some hundreds
COPIES = "count"  # the reserved column that repeats a row


@frozen
class Cell:
    text: str
    span: Span


def rows_of(
    line: tree.Kind, attributes: tuple[model.Attribute, ...], scope: Scope
) -> tuple[tuple[model.WrittenRow, ...] | None, model.Expr | None]:
    """The rows of a kind (None: every combination, as often as the second value says)."""
    match line.rows:
        case tree.Copies(count=count):
            return None, number(count, scope)
        case tree.FromFile(path=path):
            source = scope.read(path, line.rows.span)
            if source is None:
                return (), None
            return tuple(_read(_csv(source), attributes, line, scope)), None
        case tree.Written(columns=columns, rows=rows):
            table = [[Cell(c.text, c.span) for c in columns]]
            table += [[Cell(x.span.text.strip(), x.span) for x in row.cells] for row in rows]
            return tuple(_read(table, attributes, line, scope)), None


def _csv(source: Source) -> list[list[Cell]]:
    """The cells of a `.csv`, each with its place (found line by line: a field never spans lines here)."""
    table = []
    for number, start in enumerate(source.line_starts, 1):
        text = source.line(number).lstrip("\N{ZERO WIDTH NO-BREAK SPACE}") if number == 1 else source.line(number)
        if not text.strip():
            continue
        offset = start + len(source.line(number)) - len(text)
        cells = []
        for value in next(csv.reader(io.StringIO(text))):
            at = source.text.find(value, offset, start + len(source.line(number)))
            at = offset if at < 0 else at
            cells.append(Cell(value.strip(), Span(source, at, at + max(1, len(value)))))
            offset = min(at + len(value) + 1, start + len(source.line(number)))
        table.append(cells)
    return table


def _read(
    table: list[list[Cell]], attributes: tuple[model.Attribute, ...], line: tree.Kind, scope: Scope
) -> Iterator[model.WrittenRow]:
    if not table:
        scope.complain("R208", f"the list of the {line.name.text}s is empty", line.rows.span)
        return
    header, *rows = table
    names = [cell.text for cell in header]
    for cell in header:
        if names.count(cell.text) > 1:
            scope.complain("R202", f"the column `{cell.text}` stands there twice", cell.span)
            return
    by_name = {a.name: a for a in attributes}
    left_out = {x.column.text for x in line.left_out}
    for name, attribute in by_name.items():
        if name not in names:
            scope.complain(
                "R209", f"the list of the {line.name.text}s has no column `{name}`", attribute.span,
                (header[0].span, f"columns: {', '.join(names)}"), help=did_you_mean(name, names),
            )  # fmt: skip
            return
    total = 0
    for row in rows:
        whole = Span(row[0].span.source, row[0].span.start, row[-1].span.end)
        if len(row) != len(header):
            scope.complain(
                "R210", f"this row has {len(row)} values for {len(header)} columns", whole, (header[0].span, "the columns")
            )
            continue
        values: dict[str, int] = {}
        copies = 1
        good = True
        for name, cell in zip(names, row, strict=True):
            if name == COPIES:
                copies = int(cell.text) if cell.text.isdecimal() and len(cell.text) < 5 else -1
                if copies < 0:
                    scope.complain("R208", f"`{cell.text}` is no number of copies", cell.span)
                    good = False
            elif name in by_name or name in left_out:
                domain = by_name[name].domain if name in by_name else model.Domain(NUMBER.maybe)
                value = _value(cell, name, domain, scope)
                good = good and value is not None
                values[name] = value or 0
        total += max(copies, 0)
        if total > COMPONENTS_LIMIT:
            scope.complain("R216", f"there are more than {COMPONENTS_LIMIT} {line.name.text}s", whole)
            return
        if good:
            yield model.WrittenRow(values, copies, whole)


def _value(cell: Cell, name: str, domain: model.Domain, scope: Scope) -> int | None:
    """The number that a field stands for; a finding and None when it is none of the domain's values."""
    if cell.text in ("", "none"):
        if domain.type.optional:
            return -1
        scope.complain("R208", f"`{name}` is empty in this row", cell.span, help=f"write a {name}, or `or none` behind its values")
        return None
    if domain.type.base == "word":
        symbol = scope.symbol(domain.type.of)
        assert isinstance(symbol, model.WordList)
        if cell.text in symbol.words:
            return symbol.words.index(cell.text)
        help = did_you_mean(cell.text, symbol.words, f"a {name} is one of: {', '.join(symbol.words[:20])}")
        scope.complain("R208", f"`{cell.text}` is no {name}", cell.span, help=help)
        return None
    if domain.type == Type("truth"):
        if cell.text in ("yes", "no"):
            return int(cell.text == "yes")
        scope.complain("R208", f"`{cell.text}` is neither yes nor no", cell.span)
        return None
    if not cell.text.lstrip("-").isdecimal() or len(cell.text) > 9:
        scope.complain("R208", f"`{cell.text}` is no number, as a {name} must be", cell.span)
        return None
    value = int(cell.text)
    low, high = domain.low, domain.high
    if isinstance(low, Const) and isinstance(high, Const) and not low.value <= value <= high.value:
        scope.complain("R208", f"{value} is outside {low.value}..{high.value}, the values of `{name}`", cell.span)
        return None
    return value
