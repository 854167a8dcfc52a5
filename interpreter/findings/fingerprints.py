"""Fingerprints of findings, which stay the same when lines are moved.

A fingerprint is the code of a finding, its file, and the text of the line at which it is reported: with single spaces, and
without its comment unless the line is only a comment.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from ..common.diagnostics import Diagnostic
from ..syntax.parsing.layout import MARKS


@frozen(order=True)
class Fingerprint:
    """``file``: see `path_from`, empty where a finding has no place. ``text``: of its line. Equal findings are counted."""

    file: str
    code: str
    text: str


def fingerprint(diagnostic: Diagnostic, folder: Path) -> Fingerprint:
    """The fingerprint of a finding, its file named from a folder."""
    span = diagnostic.span
    if span is None:
        return Fingerprint("", diagnostic.code, diagnostic.message)
    return Fingerprint(path_from(span.source.path, folder), diagnostic.code, _sentence(span.source.line(span.line)))


def counted(diagnostics: Iterable[Diagnostic], folder: Path) -> Counter[Fingerprint]:
    return Counter(fingerprint(diagnostic, folder) for diagnostic in diagnostics)


def identity(path: str) -> str:
    """What is the same for a file however its path is written."""
    return os.path.abspath(path)


def path_from(path: str, folder: Path) -> str:
    """A path as it is named from a folder, with ``/``; an absolute one where no way leads there."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return Path(identity(path)).as_posix()


def _sentence(line: str) -> str:
    mark = next((found.start() for found in MARKS.finditer(line) if found.group() == "#"), len(line))
    return " ".join(line[:mark].split()) or " ".join(line.split())
