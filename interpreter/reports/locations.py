"""The place of a finding in the terms of other programs: files from the current folder, columns in UTF-16 code units."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from attrs import frozen

from ..common.source import Source, Span
from ..findings.fingerprints import identity, path_from


@frozen
class Region:
    """From a line and column to the column behind the last character, all from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


def region(span: Span) -> Region:
    line, column = _position(span.source, span.start)
    end_line, end_column = _position(span.source, max(span.start, span.end))
    return Region(line, column, end_line, end_column)


def uri(path: str) -> str:
    """The URI of a file: relative to the current folder if the file is in it or below, else absolute."""
    named = path_from(path, Path())
    if named == ".." or named.startswith("../") or Path(named).is_absolute():
        return Path(identity(path)).as_uri()
    return quote(os.fsencode(named))


def _position(source: Source, offset: int) -> tuple[int, int]:
    line, column = source.position(min(offset, len(source.text)))
    before = source.text[source.line_starts[line - 1] :][: column - 1]
    return line, len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1
