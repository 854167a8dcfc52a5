"""Compiles the translations of games for places that cannot read them as they are written: pages without a server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from ..common.diagnostics import Diagnostic, RulesError
from ..common.files import text_of
from ..words.said import COMPILED
from .beside import CODE, SUFFIX
from .catalogues import Catalogue, catalogue_in


def compiled_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files by path, with ``NAME.LANG.mo`` in the place of each ``NAME.LANG.po``; all else as it is.

    Raises `RulesError` for translations that cannot be read (R002, R003, R720).
    """
    found: dict[str, bytes] = {}
    wrong: list[Diagnostic] = []
    for path, content in files.items():
        place = PurePosixPath(path)
        language = place.stem.rpartition(".")[2]
        if place.suffix != SUFFIX or not CODE.fullmatch(language):
            found[path] = content
            continue
        source = text_of(path, content)
        read = (source,) if isinstance(source, Diagnostic) else catalogue_in(source, language)
        if isinstance(read, Catalogue):
            found[place.with_suffix(COMPILED).as_posix()] = read.compiled()
        else:
            wrong += read
    if wrong:
        raise RulesError(wrong)
    return found


__all__ = ["compiled_files"]
