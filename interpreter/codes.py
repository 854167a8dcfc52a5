"""Which codes of findings are there? Each has a page in ``docs/codes``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def codes() -> frozenset[str]:
    """``R001`` and so on."""
    package = __package__.rpartition(".")[0]
    pages = (files(package) / "docs" / "codes").iterdir()
    return frozenset(page.name.removesuffix(".md") for page in pages if page.name.endswith(".md"))
