"""The fenced blocks of a page of Markdown: where they stand and what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from attrs import frozen

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"

FENCE: Final = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.M | re.S)


@frozen
class Fence:
    """One fenced block. ``info``: the words behind the opening fence; ``heading``: the last heading above it."""

    info: tuple[str, ...]
    text: str
    heading: str
    line: int

    @property
    def language(self) -> str:
        return self.info[0] if self.info else ""

    def setting(self, name: str) -> str | None:
        """The value of ``name=value`` in the info string."""
        return next((word[len(name) + 1 :] for word in self.info if word.startswith(f"{name}=")), None)


def fences(text: str) -> list[Fence]:
    """All fenced blocks of a page, in order."""
    found = []
    for match in FENCE.finditer(text):
        above = re.findall(r"^#+ (.*)$", FENCE.sub("", text[: match.start()]), re.M)
        line = text.count("\n", 0, match.start()) + 2
        found.append(Fence(tuple(match[1].split()), match[2], above[-1] if above else "", line))
    return found
