"""The codes of findings. Each has a page in ``docs/codes``."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from .nouns import listed


@cache
def codes() -> frozenset[str]:
    """``R001`` and so on."""
    return frozenset(page.name.removesuffix(".md") for page in _folder().iterdir() if page.name.endswith(".md"))


def page(code: str) -> str:
    """The page of a code, as Markdown; its first line is ``# CODE: title``."""
    return (_folder() / f"{code}.md").read_text(encoding="utf-8")


def like(code: str) -> str:
    """Which codes may be meant by one that there is not, as a question; empty where none is near.

    What is written as codes are (a letter, three digits) may only mean one of its own family.
    """
    wanted = code.upper()
    whole = len(wanted) == 4 and wanted[1:].isdecimal()
    known = [name for name in codes() if not whole or name[1] == wanted[1]]
    near = [f"`{name}`" for name in sorted(get_close_matches(wanted, known, n=3, cutoff=0.75))]
    return f"did you mean {listed(near, 'or')}?" if near else ""


def _folder() -> Traversable:
    return files(__package__.partition(".interpreter")[0]) / "docs" / "codes"
