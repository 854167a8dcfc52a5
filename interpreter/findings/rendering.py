"""The text of a finding where its lines cannot be shown: one text, or a title."""

from __future__ import annotations

from ..common.codes import page
from ..common.diagnostics import Diagnostic, tables_said


def rendered(diagnostic: Diagnostic) -> str:
    """The message, and on lines of their own what would be shown below it."""
    lines = [diagnostic.message]
    lines += [f"with: {tables_said(diagnostic)}"] if diagnostic.tables else []
    lines += [f"what happened last: {'; '.join(diagnostic.acts)}"] if diagnostic.acts else []
    lines += [diagnostic.how_to_see] if diagnostic.replay else []
    lines += [f"help: {diagnostic.help}"] if diagnostic.help else []
    return "\n".join(lines)


def title(code: str) -> str:
    """What a code is about, in a few words."""
    return page(code).partition("\n")[0].partition(": ")[2]
