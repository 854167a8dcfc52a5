"""Rules as they were when a table was made: the texts of all their files. So the table can go on whatever becomes of these."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from ..rules import Rules, read_rules


@frozen
class Snapshot:
    """``main``: the file of the game itself. ``files``: texts by path, relative to a folder that holds them all."""

    main: str
    files: dict[str, str]

    @property
    def digest(self) -> str:
        return sha256(self.as_json().encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def as_json(self) -> str:
        return json.dumps({"main": self.main, "files": self.files}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Snapshot:
        data = json.loads(text)
        return cls(data["main"], data["files"])

    def rules(self) -> Rules:
        """The rules, read from these texts."""
        with TemporaryDirectory(prefix="rulesrun") as folder:
            for name, text in self.files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
            return read_rules(Path(folder, self.main))


def snapshot_of(rules: Rules) -> Snapshot:
    """The texts from which rules were read."""
    assert rules.source is not None
    sources = {os.path.realpath(source.path): source.text for source in (rules.source, *rules.beside)}
    root = os.path.commonpath([os.path.dirname(path) for path in sources])
    files = {Path(os.path.relpath(path, root)).as_posix(): text for path, text in sources.items()}
    main = Path(os.path.relpath(os.path.realpath(rules.source.path), root)).as_posix()
    return Snapshot(main, files)
