"""The fenced blocks of a page: where they stand, what they say, and how to write one anew."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"


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


_FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.M | re.S)


def fences(text: str) -> list[Fence]:
    """All fenced blocks of a page, in order."""
    found = []
    for match in _FENCE.finditer(text):
        above = re.findall(r"^#+ (.*)$", _FENCE.sub("", text[: match.start()]), re.M)
        line = text.count("\n", 0, match.start()) + 2
        found.append(Fence(tuple(match[1].split()), match[2], above[-1] if above else "", line))
    return found


def renewing() -> bool:
    """Whether shown output is written anew instead of compared (RULESRUN_RENEW=1)."""
    return bool(os.environ.get("RULESRUN_RENEW"))


def check_page(path: Path, real: Callable[[Fence, int], str | None]) -> None:
    """Compare what a page shows with what is so, block by block; or write it anew.

    ``real``: the true text of a block, or None for one that shows nothing to compare. It is asked in the order of the page.
    """
    page = path.read_text(encoding="utf-8")
    shown = fences(page)
    true = [real(fence, index) for index, fence in enumerate(shown)]
    if renewing():
        texts = iter(zip(shown, true, strict=True))

        def anew(match: re.Match[str]) -> str:
            fence, text = next(texts)
            return f"```{match[1]}\n{fence.text if text is None else text}```"

        path.write_text(_FENCE.sub(anew, page), encoding="utf-8")
        return
    for fence, text in zip(shown, true, strict=True):
        if text is not None:
            assert fence.text == text, f"{path.name}:{fence.line}: this is no longer so; RULESRUN_RENEW=1 writes it anew"
