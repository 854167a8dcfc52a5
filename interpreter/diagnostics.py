"""What is wrong, where, why, and what to write instead: the one shape of every message.

A diagnostic is a value. Stages make and return them; only `render` turns them into text, and only `cli.py` prints.
Codes are stable. Each has a page in ``docs/codes``, which `rulesrun explain CODE` shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Literal

from attrs import field, frozen

from .source import Span

Severity = Literal["error", "warning"]


@frozen
class Label:
    """A place with a few words about it."""

    span: Span
    text: str = ""


@frozen
class Diagnostic:
    """One finding.

    ``code``: its stable code, such as ``R207``. ``message``: what is wrong, in the game's words. ``labels``: the
    places, the main one first (none for a fault outside any file). ``help``: what to write instead. ``tables``: at
    which tables it was found, when not at all ("3 players", "partners").
    """

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    help: str = ""
    severity: Severity = "error"
    tables: tuple[str, ...] = field(default=(), eq=False)

    @property
    def span(self) -> Span | None:
        return self.labels[0].span if self.labels else None


class RulesError(Exception):
    """Rules that cannot be used. ``diagnostics`` says why; it holds at least one error."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(render(d) for d in diagnostics))
        self.diagnostics = tuple(diagnostics)


def fault(
    code: str, message: str, span: Span | None = None, *others: tuple[Span, str], label: str = "", help: str = ""
) -> Diagnostic:
    """An error at ``span``, with further labelled places."""
    labels = ((Label(span, label),) if span else ()) + tuple(Label(s, t) for s, t in others)
    return Diagnostic(code, message, labels, help)


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A help line that names the known word nearest to ``word``; ``otherwise`` when none is near."""
    near = get_close_matches(word, sorted(set(known)), n=1, cutoff=0.6)
    return f"did you mean `{near[0]}`?" if near else otherwise


def render(diagnostic: Diagnostic) -> str:
    """The plain text of a diagnostic: headline, places with their lines marked, help."""
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    labels = list(diagnostic.labels)
    if labels:
        numbers = [label.span.line for label in labels]
        gutter = " " * len(str(max(numbers)))
        shown_path = ""
        for label in _in_reading_order(labels):
            span = label.span
            if span.source.path != shown_path:
                shown_path = span.source.path
                main = labels[0].span
                place = main.place if main.source.path == shown_path else span.place
                lines += [f"{gutter}--> {place}", f"{gutter} |"]
            text = span.source.line(span.line)
            shown, column, width = _window(text, span)
            lines.append(f"{span.line:>{len(gutter)}} | {shown}")
            lines.append(f"{gutter} | {' ' * column}{'^' * width} {label.text}".rstrip())
    tail = f"{' ' * len(str(max(label.span.line for label in labels)))} = " if labels else "  = "
    if diagnostic.tables:
        lines.append(f"{tail}with: {', '.join(diagnostic.tables)}")
    if diagnostic.help:
        lines.append(f"{tail}help: {diagnostic.help}")
    return "\n".join(lines)


def as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """The same as data: code, severity, message, help, tables and places (lines and columns from 1)."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "tables": list(diagnostic.tables),
        "places": [
            {"path": x.span.source.path, "line": x.span.line, "column": x.span.column, "text": x.text} for x in diagnostic.labels
        ],
    }


def _in_reading_order(labels: list[Label]) -> list[Label]:
    first = labels[0].span.source.path
    return sorted(labels, key=lambda label: (label.span.source.path != first, label.span.source.path, label.span.start))


def _window(text: str, span: Span, limit: int = 120) -> tuple[str, int, int]:
    """The part of a line worth showing, the column of the mark in it, and the width of the mark."""
    column = span.column - 1
    width = max(1, min(span.end - span.start, len(text) - column))
    cut = max(0, column - limit // 2) if len(text) > limit else 0
    shown = text[cut : cut + limit]
    printable = "".join(ch if ch.isprintable() else ("\t" if ch == "\t" else "\N{REPLACEMENT CHARACTER}") for ch in shown)
    return printable.replace("\t", " "), column - cut, min(width, max(1, limit - (column - cut)))
