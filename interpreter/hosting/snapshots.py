"""Rules as they were when a table was made: the texts of all their files. So the table can go on whatever becomes of these.

Their translations are kept with them, but rules with other translations are the same rules.
"""

from __future__ import annotations

import json
import os
import weakref
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import field, frozen

from ..common.diagnostics import Diagnostic
from ..common.files import read_bytes
from ..rules import Rules, read_rules
from ..translation.beside import catalogue_files


@frozen
class Snapshot:
    """``main``: the file of the game itself. ``files``: texts by path, relative to a folder that holds them all. ``words``: files
    of translations likewise, in base64."""

    main: str
    files: dict[str, str]
    words: dict[str, str] = field(factory=dict)

    @property
    def digest(self) -> str:
        return sha256(json.dumps(self._rules, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @property
    def _rules(self) -> dict[str, object]:
        return {"main": self.main, "files": self.files}

    def as_json(self) -> str:
        return json.dumps({**self._rules, "words": self.words}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Snapshot:
        data = json.loads(text)
        return cls(data["main"], data["files"], data.get("words", {}))

    def rules(self) -> Rules:
        """The rules, read from these texts. Their files lie in a folder of their own as long as these rules are in use, since
        translations are read when a table asks for its language."""
        folder = TemporaryDirectory(prefix="rulesrun", ignore_cleanup_errors=True)
        contents = {name: text.encode("utf-8", "surrogatepass") for name, text in self.files.items()}
        contents |= {name: b64decode(content) for name, content in self.words.items()}
        for name, content in contents.items():
            path = Path(folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        rules = read_rules(Path(folder.name, self.main))
        weakref.finalize(rules, folder.cleanup)
        return rules


def snapshot_of(rules: Rules) -> Snapshot:
    """The texts from which rules were read, with their translations as they are now."""
    assert rules.source is not None
    sources = {os.path.realpath(source.path): source.text for source in (rules.source, *rules.beside)}
    read = {os.path.realpath(path): read_bytes(path) for path in catalogue_files(rules)}
    root = os.path.commonpath([os.path.dirname(path) for path in sources])
    files = {_below(root, path): text for path, text in sources.items()}
    words = {
        name: b64encode(content).decode()
        for path, content in read.items()
        if not isinstance(content, Diagnostic) and not (name := _below(root, path)).startswith("..")  # a link to elsewhere
    }
    return Snapshot(_below(root, os.path.realpath(rules.source.path)), files, words)


def _below(root: str, path: str) -> str:
    return Path(os.path.relpath(path, root)).as_posix()
