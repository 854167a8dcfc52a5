"""Reads a file of rules and writes it in the one style."""

from __future__ import annotations

from ..common.diagnostics import Diagnostic
from ..common.files import text_of
from ..common.rewrite import Rewrite
from .style import laid_out


def in_one_style(name: str, content: bytes) -> Rewrite | tuple[Diagnostic, ...]:
    """A file of rules in the one style, or the faults that keep it from being read."""
    source = text_of(name, content)
    if isinstance(source, Diagnostic):
        return (source,)
    text = laid_out(source)
    return Rewrite.to(text, name, content) if isinstance(text, str) else text
