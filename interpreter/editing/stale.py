"""Keeps findings of an earlier text that are still about the same lines."""

from __future__ import annotations

from attrs import evolve

from ..common.diagnostics import Diagnostic, Label
from ..common.source import Source, Span


def still_there(found: tuple[Diagnostic, ...], before: str, source: Source) -> tuple[Diagnostic, ...]:
    """The findings about lines that are as they were: those before the first and behind the last line that changed.

    ``before``: the text in which they were found. Findings about other files stay as they are.
    """
    old, new = before.split("\n"), source.text.split("\n")
    same = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new)))
    room = min(len(old), len(new)) - same
    behind = next((at for at in range(room) if old[-1 - at] != new[-1 - at]), room)
    kept = (_moved(each, source, same, len(old) - behind, len(new) - len(old)) for each in found)
    return tuple(each for each in kept if each is not None)


def _moved(diagnostic: Diagnostic, source: Source, first: int, last: int, lines: int) -> Diagnostic | None:
    """A finding in the new text; None where its main line is one of those that changed (from 0: ``first`` up to ``last``)."""
    labels: list[Label] = []
    for label in diagnostic.labels:
        span = label.span
        if span.source.path != source.path:
            labels.append(label)
            continue
        line = span.line - 1
        if first <= line < last:
            if label is diagnostic.labels[0]:
                return None
            continue
        start = source.line_starts[line + (lines if line >= last else 0)] + span.column - 1
        labels.append(Label(Span(source, start, min(start + span.end - span.start, len(source.text))), label.text))
    return evolve(diagnostic, labels=tuple(labels), edits=())
