"""The rows of a kind of components: from a table in the file, a `.csv` beside it, or every combination of values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from ....common.diagnostics import did_you_mean, warning
from ....common.nouns import plural
from ....common.source import Source, Span
from ....syntax import tree
from ... import model
from ...model import NUMBER, Const, Type
from ..names.scope import Scope, unclear

COMPONENTS_LIMIT = 1_000  # of one kind: a set of them must stay a few words of memory; the largest real decks have some hundreds
COPIES = "count"  # the reserved column that repeats a row
LIKE_COPIES = frozenset({"amount", "copies", "copy", "number", "qty", "quantity"})  # what others call it


SHOWN = 3  # wrong values of one column that are shown; a whole wrong column is one fault


@frozen
class Cell:
    text: str
    span: Span


@frozen
class Wrong:
    """What is wrong with a field."""

    message: str
    help: str = ""


def rows_of(
    line: tree.Kind, attributes: tuple[model.Attribute, ...], scope: Scope
) -> tuple[tuple[model.WrittenRow, ...] | None, model.Expr | None]:
    """The rows of a kind (None: every combination, as often as the second value says; it is bound when all names are known)."""
    match line.rows:
        case tree.Copies(count=tree.Number(value=value)):
            return None, Const(value, type=NUMBER, span=line.rows.span)
        case tree.Copies():
            return None, unclear(line.rows.span)
        case tree.FromFile(path=path):
            source = scope.read(path, line.rows.span)
            if source is None:
                return (), None
            return tuple(_read(csv_of(source), attributes, line, scope)), None
        case tree.Written(columns=columns, rows=rows):
            table = [[Cell(c.text, c.span) for c in columns]]
            table += [[Cell(x.span.text.strip(), x.span) for x in row.cells] for row in rows]
            return tuple(_read(table, attributes, line, scope)), None


def csv_of(source: Source) -> list[list[Cell]]:
    """The cells of a `.csv` as spreadsheets write it, each with its place; without rows and columns in which nothing stands.

    A field in quotes may have several lines. Fields are divided by what divides the names in the first line: commas, semicolons
    or tabs; a line `sep=;` before it says by what.
    """
    text = source.text
    start = text.startswith("\N{ZERO WIDTH NO-BREAK SPACE}")
    said = re.compile(r"sep=(.)\r?\n").match(text, start)
    separator = said[1] if said else max(",;\t", key=text.partition("\n")[0].count)
    plain = f"[^{re.escape(separator)}\n]*"
    field = re.compile(f'[ ]*"([^"]*(?:""[^"]*)*)"[ \\r]*(?={re.escape(separator)}|\n|\\Z)|({plain})')
    rows: list[list[Cell]] = [[]]
    at = said.end() if said else int(start)
    while (found := field.match(text, at)) is not None:
        inside = 1 if found[1] is not None else 2
        value = found[inside].replace('""', '"').strip() if inside == 1 else found[2].strip()
        first = found.start(inside) + len(found[inside]) - len(found[inside].lstrip())
        rows[-1].append(Cell(value, Span(source, first, min(first + max(1, len(value)), len(text)))))
        at = found.end() + 1
        if at > len(text):
            break
        if text[at - 1] == "\n":
            rows.append([])
    rows = [row for row in rows if any(cell.text for cell in row)]
    width = len(rows[0]) if rows else 0
    used = [any(row[n].text for row in rows if n < len(row)) for n in range(width)]
    return [[cell for n, cell in enumerate(row) if (used[n] if n < width else any(c.text for c in row[n:]))] for row in rows]


def _read(
    table: list[list[Cell]], attributes: tuple[model.Attribute, ...], line: tree.Kind, scope: Scope
) -> Iterator[model.WrittenRow]:
    if not table:
        scope.complain("R208", f"the list of the {plural(line.name.text)} is empty", line.rows.span)
        return
    header, *rows = table
    names = [cell.text for cell in header]
    for cell in header:
        if cell.text and names.count(cell.text) > 1:
            scope.complain("R202", f"the column `{cell.text}` stands there twice", cell.span)
            return
    for entry in line.left_out:
        if entry.column.text not in names:
            scope.unknown(entry.column.text, entry.column.span, "column", {*names} - {COPIES})
    by_name = {a.name: a for a in attributes}
    left_out = {x.column.text for x in line.left_out}
    if any(name in scope.faults.doubtful and name not in by_name for name in names):
        scope.faults.damaged.add(line.name.text)
    said_nothing = line.shape is not None and not line.shape.attributes  # of what its parts have; its line is at fault
    for name, attribute in by_name.items():
        if name not in names or said_nothing:
            scope.faults.doubtful |= {*names, *(name.rpartition("_")[0] for name in names)}  # one of them may be meant
        if name not in names:
            scope.complain(
                "R209",
                f"the list of the {plural(line.name.text)} has no column `{name}`",
                attribute.span,
                (header[0].span, f"columns: {', '.join(names)}"),
                help=did_you_mean(name, names),
            )
            return
    for number, cell in enumerate(header):
        counts = cell.text.casefold() in LIKE_COPIES and all(row[number].text.isdecimal() for row in rows if len(row) > number)
        if counts and COPIES not in names and cell.text not in {*by_name, *left_out}:
            told = f"the column `{cell.text}` is not used: there is one {line.name.text} of each row"
            scope.faults.add(
                warning("R320", told, cell.span, help=f"call it `{COPIES}` if it says how many there are of each row")
            )
    total = 0
    wrong: dict[str, set[str]] = {}  # by column, the texts that do not fit: each is said once, for it is one slip
    at = {name: ((attribute.span, "declared here"),) for name, attribute in by_name.items()}
    same = {a.span: a.name for a in reversed(attributes)}  # an attribute of parts has a column for each, and the same values
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
                if isinstance(value, Wrong):
                    good = False
                    texts = wrong.setdefault(same[by_name[name].span] if name in by_name else name, set())
                    if cell.text in texts:
                        continue
                    texts.add(cell.text)
                    if len(texts) <= SHOWN:
                        scope.complain("R208", value.message, cell.span, *at.get(name, ()), help=value.help)
                else:
                    values[name] = value
        total += max(copies, 0)
        if total > COMPONENTS_LIMIT:
            scope.complain("R216", f"there are more than {COMPONENTS_LIMIT} {plural(line.name.text)}", whole)
            return
        if good:
            yield model.WrittenRow(values, copies, whole)
    for name, texts in wrong.items():
        if len(texts) > SHOWN:
            scope.complain(
                "R208",
                f"{len(texts)} values of `{name}` do not fit",
                header[names.index(name)].span,
                *at.get(name, ()),
                help=f"declare `{name}` with these values, too; or is this the wrong column?",
            )


def _value(cell: Cell, name: str, domain: model.Domain, scope: Scope) -> int | Wrong:
    """The number that a field stands for; what is wrong when it is none of the domain's values."""
    if domain.type.base == "unknown":
        return 0
    if cell.text in ("", "none"):
        return (
            -1
            if domain.type.optional
            else Wrong(f"`{name}` is empty in this row", f"write a value, or `or none` behind those of `{name}`")
        )
    if domain.type.base == "word":
        symbol = scope.symbol(domain.type.of)
        assert isinstance(symbol, model.WordList)
        if cell.text in symbol.words:
            return symbol.words.index(cell.text)
        known = f"there are: {', '.join(symbol.words[:20])}"
        return Wrong(f"`{cell.text}` is no value of `{name}`", did_you_mean(cell.text, symbol.words, known))
    if domain.type == Type("truth"):
        return int(cell.text == "yes") if cell.text in ("yes", "no") else Wrong(f"`{cell.text}` is neither yes nor no")
    if not cell.text.removeprefix("-").isdecimal() or len(cell.text) > 9:
        return Wrong(f"`{cell.text}` is no number, as `{name}` must be")
    value = int(cell.text)
    low, high = domain.low, domain.high
    if domain.values and value not in domain.values:
        return Wrong(f"{value} is no value of `{name}`", f"there are: {', '.join(map(str, domain.values[:20]))}")
    if isinstance(low, Const) and isinstance(high, Const) and not low.value <= value <= high.value:
        return Wrong(f"{value} is outside {low.value}..{high.value}, the values of `{name}`")
    return value
