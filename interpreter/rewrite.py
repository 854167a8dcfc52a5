"""What stands in a file, what is to stand there, and how is the difference shown?"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from attrs import frozen


@frozen
class Rewrite:
    """A file by its name, and its bytes before and after."""

    name: str
    before: bytes
    after: bytes

    @classmethod
    def to(cls, text: str, name: str, before: bytes) -> Rewrite:
        """To a text whose lines end with ``\\n``.

        Lines end as the first one did: that is a matter of the system. A mark of the byte order goes.
        """
        line_end = "\r\n" if re.match(rb"[^\n]*\r\n", before) else "\n"
        return cls(name, before, text.replace("\n", line_end).encode())

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
