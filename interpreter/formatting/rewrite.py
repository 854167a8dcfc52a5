"""What stands in a file, what is to stand there, and how is the difference shown?"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from attrs import frozen

from ..diagnostics import Diagnostic
from ..files import text_of
from .style import laid_out


@frozen
class Rewrite:
    """A file by its name, and its bytes before and after."""

    name: str
    before: bytes
    after: bytes

    @property
    def changes(self) -> bool:
        return self.before != self.after

    def diff(self) -> str:
        """The unified diff, as `patch` reads it; empty where nothing changes."""
        return "".join(self._diff_lines())

    def _diff_lines(self) -> Iterator[str]:
        before, after = (re.findall(r"[^\n]*\n|[^\n]+", content.decode()) for content in (self.before, self.after))
        for line in difflib.unified_diff(before, after, self.name, self.name):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def in_one_style(name: str, content: bytes) -> Rewrite | tuple[Diagnostic, ...]:
    """A file of rules in the one style, or the faults that keep it from being read.

    A mark of the byte order goes. Lines end as the first one does: that is a matter of the system, not of style.
    """
    source = text_of(name, content)
    if isinstance(source, Diagnostic):
        return (source,)
    text = laid_out(source)
    if not isinstance(text, str):
        return text
    line_end = "\r\n" if re.match(rb"[^\n]*\r\n", content) else "\n"
    return Rewrite(name, content, text.replace("\n", line_end).encode())
