"""Finds the files that extend another one.

They may use what is declared in it, and nothing in the file itself mentions them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..common.files import read_text, rules_in_folder
from ..common.source import Source
from ..rules import rules_from


def extensions_of(path: str, given: Iterable[str]) -> tuple[Source, ...]:
    """The files of the same folder, and of those that are given, that extend the one at a path, at once or through others."""
    own = Path(path).resolve()
    names = [*map(str, rules_in_folder(Path(path).parent)), *given]
    files = {Path(name).resolve(): name for name in names}
    sources = (read_text(name) for file, name in files.items() if file != own)
    return tuple(source for source in sources if isinstance(source, Source) and _extends(source, own))


def _extends(source: Source, path: Path) -> bool:
    return any(Path(each.path).resolve() == path for each in rules_from(source).beside)
