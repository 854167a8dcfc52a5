"""The change of the text that mends a finding, only where there is one and it is safe.

Most findings bring their own (`Diagnostic.edits`). An unused or repeated line is removed; a table that lacks a row for a number
of players gets one in which the values are left open. A line that is never reached, a row that is never looked up, a repeated
condition, a variant that changes nothing and a step that nothing does stay: they may come from a slip nearby.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..common.diagnostics import Diagnostic, Edit
from ..common.source import Span
from ..rules import Rules
from ..syntax import tree
from ..syntax.traverse import lines_within

OPEN = "?"  # stands where a value is still to be written; it has no meaning, so the check goes on asking for it

_NAMED = (tree.OptionDeclaration, tree.TableDeclaration, tree.Define)


def edits_of(diagnostic: Diagnostic, rules: Rules) -> tuple[Edit, ...]:
    """What mends a finding in the file itself; nothing where there is no safe mend."""
    span = diagnostic.span
    found = diagnostic.edits
    if not found and span is not None and rules.tree is not None:
        match diagnostic.code:
            case "R320" | "R321":
                found = tuple(_without(line) for line in _lines(rules) if span in _declares(line))
            case "R382":
                needs = (line for line in _lines(rules) if isinstance(line, tree.Needs | tree.Excludes))
                found = tuple(_without(line) for line in needs if _covers(line.span, span))
            case "R207":
                tables = (line for line in _lines(rules) if isinstance(line, tree.TableDeclaration) and line.name.span == span)
                found = tuple(edit for table in tables for edit in _rows(table, diagnostic))
            case _:
                pass
    return found if all(edit.span.source == rules.source for edit in found) else ()


def _lines(rules: Rules) -> Iterator[tree.Line]:
    assert rules.tree is not None
    return lines_within((rules.tree.declarations, rules.tree.variants))


def _declares(line: tree.Line) -> tuple[Span, ...]:
    """Where a finding about what a line declares stands, if the line declares nothing else that could be used."""
    if isinstance(line, _NAMED):
        return (line.name.span,)
    match line:
        case tree.ListDeclaration(words=words):
            return (words.span,)
        case (
            tree.Zone(names=(name,))
            | tree.Grid(names=(name,))
            | tree.Board(names=(name,))
            | tree.Counter(names=(name,))
            | tree.Marker(names=(name,))
        ):
            return (name.span,)
        case tree.Let():
            return (line.span,)
        case _:
            return ()


def _covers(whole: Span, part: Span) -> bool:
    return whole.source == part.source and whole.start <= part.start and part.end <= whole.end


def _without(line: tree.Line) -> Edit:
    """A line, all below it and the comment above it taken out, and of two empty lines that would meet one."""
    source = line.span.source
    text = source.text
    end = max(each.span.end for each in lines_within(line))
    start, after = _with_comment(text, text.rfind("\n", 0, line.span.start) + 1), text.find("\n", end) + 1 or len(text)
    if text[max(0, start - 2) : start] == "\n\n" and text[after : after + 1] in ("\n", ""):
        start -= 1
    return Edit(Span(source, start, after), "")


def _with_comment(text: str, start: int) -> int:
    """Where the comment directly above a line begins, if nothing else stands directly above it; else where the line does."""
    indent = _indent(text[start:])
    first = start
    while (before := _line_before(text, first)).startswith(f"{indent}#"):
        first -= len(before)
    alone = not before.strip() or len(_indent(before)) < len(indent)
    return first if alone else start


def _line_before(text: str, start: int) -> str:
    """The line that ends where another begins; nothing above the first."""
    return text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _rows(table: tree.TableDeclaration, diagnostic: Diagnostic) -> Iterator[Edit]:
    """A row for each number of players that lacks one, like the rows above it."""
    if not table.rows:  # they are in a file
        return
    known = {row.cells[0].value for row in table.rows if isinstance(row.cells[0], tree.Number)}
    last = table.rows[-1]
    source = last.span.source
    above = source.line(last.span.line)
    indent = _indent(above)
    if "|" not in above or table.name.span.line == last.span.line:
        return
    widths = [len(cell) for cell in above.split("#")[0].rstrip().strip().split("|")]
    missing = sorted({int(at.split()[0]) for at in diagnostic.tables} - known)
    rows = []
    for players in missing:
        cells = [str(players).ljust(widths[0]), *(f" {OPEN}".ljust(width) for width in widths[1:])]
        rows.append(f"{indent}{'|'.join(cells).rstrip()}\n")
    end = source.text.find("\n", last.span.end) + 1 or len(source.text)
    if rows:
        yield Edit(Span(source, end, end), "".join(rows))
