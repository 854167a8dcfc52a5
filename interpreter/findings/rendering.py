"""The text of a finding where its lines cannot be shown."""

from __future__ import annotations

from ..common.diagnostics import Diagnostic, tables_said


def rendered(diagnostic: Diagnostic) -> str:
    """The message, and on lines of their own what would be shown below it."""
    lines = [diagnostic.message]
    lines += [f"with: {tables_said(diagnostic)}"] if diagnostic.tables else []
    lines += [f"what happened last: {'; '.join(diagnostic.acts)}"] if diagnostic.acts else []
    lines += [diagnostic.how_to_see] if diagnostic.replay else []
    lines += [f"help: {diagnostic.help}"] if diagnostic.help else []
    return "\n".join(lines)
