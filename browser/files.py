"""The files that the page gives to its worker: rules and tables that are being edited, in a folder that only the worker has."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..interpreter.hosting.refusals import Refused
from ..interpreter.words.said import COMPILED

FILES_LIMIT: Final = 50
SIZE_LIMIT: Final = 1_000_000  # characters of all files together
LETTERS_LIMIT: Final = 80  # of a name; these limits and names are those of `web/playground/files.js`
WORDS: Final = Path(__file__).with_name("words")  # translations of the games that come with the page, by name and language
NAME: Final = re.compile(r"[^.\s\x00-\x1f\x7f/\\:*?\"<>|][^\x00-\x1f\x7f/\\:*?\"<>|]*\.(rules|csv|look\.css)")


def is_name(name: str) -> bool:
    """Whether a file can be called so."""
    return len(name) <= LETTERS_LIMIT and NAME.fullmatch(name) is not None


class Files:
    """``folder``: it is made where it is missing, and becomes the current one, so that messages name files as the page does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: dict[str, str] = {}
        self._words: set[Path] = set()
        folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)

    def write(self, params: Mapping[str, Any]) -> str:
        """Let these be the files, ``params["files"]``; the name of the one that is open. Unchanged files are not touched."""
        files, name = params.get("files"), params.get("open")
        if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
            raise Refused("message", "`files` has a text for each name")
        if len(files) > FILES_LIMIT or sum(map(len, files.values())) > SIZE_LIMIT:
            raise Refused("too long", f"there can be {FILES_LIMIT} files with {SIZE_LIMIT:,} characters together")
        for each in files:
            if not is_name(each):
                help = "names end with .rules, .csv or .look.css, and have no /"
                raise Refused("name", f"`{each[:100]}` is no name for a file", help)
        if name not in files:
            raise Refused("message", "`open` is the name of a file")
        for gone in self._written.keys() - files.keys():
            (self.folder / gone).unlink(missing_ok=True)
        for each, text in files.items():
            if self._written.get(each) != text:
                (self.folder / each).write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        self._written = dict(files)
        self._write_words()
        return str(name)

    def _write_words(self) -> None:
        """Lay the translations of games that come with the page beside files of rules with the names of these. What the rules do
        not say is not asked for, so it does no harm that rules with such a name may be others."""
        wanted: dict[Path, Path] = {}
        for name in self._written:
            stem, _, ending = name.rpartition(".")
            if ending == "rules" and WORDS.is_dir():
                beside = (path for path in WORDS.iterdir() if path.name.endswith(COMPILED))
                wanted |= {self.folder / path.name: path for path in beside if path.name.rsplit(".", 2)[0] == stem}
        for gone in self._words - wanted.keys():
            gone.unlink(missing_ok=True)
        for place, path in wanted.items():
            if place not in self._words:
                place.write_bytes(path.read_bytes())
        self._words = set(wanted)
