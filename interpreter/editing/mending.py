"""Changes of the text that an editor offers: what mends a finding, allows it, or mends all there is."""

from __future__ import annotations

from difflib import SequenceMatcher

from attrs import frozen

from ..common.diagnostics import Diagnostic, Edit
from ..common.files import reading
from ..common.source import Source, Span
from ..findings.selection import keeps_from_playing
from ..fixing.fixed import fixed
from ..fixing.mends import edits_of
from ..formatting.style import laid_out
from .workspace import Document, Workspace

SECONDS = 10.0  # of processor time, to mend all that can be mended


@frozen
class Action:
    """A change that is offered. ``diagnostic``: what it is for. ``best``: it is the one to take."""

    title: str
    edits: tuple[Edit, ...]
    diagnostic: Diagnostic
    best: bool = False


def actions(document: Document, found: tuple[Diagnostic, ...], start: int, end: int) -> list[Action]:
    """What can be done about those findings in ``found`` that touch a part of the text."""
    result: list[Action] = []
    for diagnostic in found:
        span = diagnostic.span
        if span is None or span.source.path != document.source.path or span.end < start or end < span.start:
            continue
        if span.source.text != document.source.text:
            continue  # it is about an earlier text
        edits = edits_of(diagnostic, document.rules)
        if edits:
            result.append(Action(_title(diagnostic, edits), edits, diagnostic, best=True))
        if diagnostic.severity == "warning" and not keeps_from_playing(diagnostic):
            result.append(Action(f"Allow {diagnostic.code} here, with a reason", (_allowance(diagnostic, span),), diagnostic))
    return result


def _title(diagnostic: Diagnostic, edits: tuple[Edit, ...]) -> str:
    if diagnostic.code == "R207":
        return "Add the missing row" if len(edits) == 1 and edits[0].text.count("\n") < 2 else "Add the missing rows"
    first = edits[0]
    if all(not edit.text.strip() for edit in edits):
        lines = " ".join(first.span.text.split())
        return f"Remove `{lines if len(lines) <= 40 else lines[:37] + '...'}`"
    return f"Change `{first.span.text}` to `{first.text}`" if len(edits) == 1 and "\n" not in first.text else "Mend this"


def _allowance(diagnostic: Diagnostic, span: Span) -> Edit:
    """A comment that allows a finding, on a line of its own above."""
    start = span.source.line_starts[span.line - 1]
    line = span.source.line(span.line)
    indent = line[: len(line) - len(line.lstrip())]
    return Edit(Span(span.source, start, start), f"{indent}# allow {diagnostic.code}: \n")


def everything_mended(workspace: Workspace, document: Document) -> str | None:
    """The text of a file with everything mended that `rulesrun fix` would mend; None where that is nothing.

    It can take seconds.
    """
    with reading(workspace.unsaved):
        found = fixed(str(document.path), (), SECONDS)
    return found.after if found.mended else None


def in_style(document: Document) -> str | None:
    """The text in the one style; None where a sentence is faulty, or the text is so already."""
    text = laid_out(document.source)
    return text if isinstance(text, str) and text != document.source.text else None


def indentation(document: Document, offset: int) -> int | None:
    """How far a new line is indented that begins at an offset: deeper behind a line that needs something below it.

    None where nothing stands before it.
    """
    before = document.source.text[:offset].rstrip(" \n")
    if not before:
        return None
    line = before[before.rfind("\n") + 1 :]
    own = len(line) - len(line.lstrip())
    needy = {
        diagnostic.span.line
        for diagnostic in document.rules.diagnostics
        if diagnostic.code == "R106" and diagnostic.span is not None and diagnostic.span.source.path == document.source.path
    }
    begins = line.startswith("game ") or document.source.position(len(before) - 1)[0] in needy
    return own + 4 if begins else own


def mendable(diagnostic: Diagnostic, document: Document) -> bool:
    """Whether there is a safe mend of a finding."""
    span = diagnostic.span
    return span is not None and span.source.text == document.source.text and bool(edits_of(diagnostic, document.rules))


def differences(source: Source, text: str) -> list[Edit]:
    """The edits that make another text of one."""
    old, new = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    found: list[Edit] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if b - a == d - c:
            found += [_difference(source, starts[a + n], old[a + n], new[c + n]) for n in range(b - a)]
        else:
            found.append(_difference(source, starts[a], "".join(old[a:b]), "".join(new[c:d])))
    return found


def _difference(source: Source, start: int, old: str, new: str) -> Edit:
    """Only the letters that differ, so that a cursor beside them stays where it is."""
    before = _alike(old, new)
    behind = _alike(old[before:][::-1], new[before:][::-1])
    return Edit(Span(source, start + before, start + len(old) - behind), new[before : len(new) - behind])


def _alike(one: str, other: str) -> int:
    """With how many equal letters two texts begin."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
