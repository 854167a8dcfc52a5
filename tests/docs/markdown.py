"""The fenced blocks of a page beside what is so: to compare them, or to write them anew."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from rulesrun.website.fences import DOCS, FENCE, ROOT, Fence, fences

__all__ = ["DOCS", "ROOT", "Fence", "check_page", "fences", "renewing"]


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

        path.write_text(FENCE.sub(anew, page), encoding="utf-8")
        return
    for fence, text in zip(shown, true, strict=True):
        if text is not None:
            assert fence.text == text, f"{path.name}:{fence.line}: this is no longer so; RULESRUN_RENEW=1 writes it anew"
