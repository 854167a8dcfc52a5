"""Puts the files of a game into one folder, for places that have no others, such as the playground."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final

NAMED: Final = re.compile(r'\b((?:from|extends) ")([^"\n]+)"')  # where rules name another file


def in_one_folder(files: Mapping[str, str], open: str) -> tuple[dict[str, str], str]:
    """Files by path, by their names alone, and the name of one of them. They name one another by their new names.

    Raises ValueError if two of them have one name.
    """

    def renamed(path: str) -> str:
        def name(match: re.Match[str]) -> str:
            there = beside(path, match[2])
            return f'{match[1]}{posixpath.basename(there)}"' if there in files else match[0]

        return NAMED.sub(name, files[path])

    found = {posixpath.basename(path): renamed(path) for path in files}
    if len(found) < len(files):
        raise ValueError(f"two files of one game have one name: {', '.join(files)}")
    return found, posixpath.basename(open)


def beside(path: str, name: str) -> str:
    """The path of a file that another one names."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
