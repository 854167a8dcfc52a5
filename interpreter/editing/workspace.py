"""The rules files of an editor: texts that are not saved yet, and what is known about each file.

A `Document` is what is known about one file as it stands now. It is made when somebody asks for it, and again after any of the
files that it was made from has changed: in the editor, or on the disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from attrs import define, field, frozen

from ..checks.all_tables import check
from ..common.diagnostics import Diagnostic
from ..common.files import Stamp, reading, rules_in_folder, stamp
from ..common.source import Source
from ..findings.report import report
from ..rules import Rules, read_rules, rules_from
from ..syntax.reading.from_text import Parsed, parse
from .names import Names, names_of

FILES_LIMIT = 1_000  # files of rules in a folder that are looked through for those that extend another

_Stamp = Stamp | str | None  # of a file on the disk, or its unsaved text; None where there is none


@define(eq=False, slots=False)
class Document:
    """One file of rules, with all that it extends.

    ``source``: its own text (empty where it cannot be read). ``good``: the latest rules of this file that had a model; these
    ones, if they have.
    """

    path: Path
    source: Source
    rules: Rules
    good: Rules | None
    stamps: dict[Path, _Stamp] = field(factory=dict)

    @cached_property
    def parsed(self) -> Parsed:
        """What can be read of the file's own text."""
        return parse(self.source)

    @cached_property
    def names(self) -> Names:
        """The names of the game, as far as its lines can be read."""
        return Names((), ()) if self.rules.tree is None else names_of(self.rules.tree, self.rules.beside)

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """What is wrong with sentences and names, tests included. That is all there is to find in rules without a model."""
        if self.rules.model is None:
            return report([self.rules], check(self.rules).findings).findings
        of_tests = (fault for test in self.rules.model.tests for fault in test.faults)
        return report([self.rules], (*self.rules.diagnostics, *of_tests), unproved=[self.rules]).findings


@frozen
class _Kept:
    document: Document
    revision: int


class Workspace:
    """The files of an editor. Paths are resolved on their way in. Not safe for several threads."""

    def __init__(self) -> None:
        self.folders: list[Path] = []
        self._unsaved: dict[Path, str] = {}
        self._kept: dict[Path, _Kept] = {}
        self._revision = 0

    @property
    def unsaved(self) -> dict[Path, str]:
        """The texts of all open files, by their resolved paths."""
        return dict(self._unsaved)

    def write(self, path: Path, text: str) -> None:
        """The text of a file in the editor is this now. Lines may end with any of the usual line ends."""
        self._unsaved[path.resolve()] = text.replace("\r\n", "\n").replace("\r", "\n")
        self._revision += 1

    def close(self, path: Path) -> None:
        """A file is no longer open: what is on the disk counts."""
        if self._unsaved.pop(path.resolve(), None) is not None:
            self._revision += 1

    def is_open(self, path: Path) -> bool:
        return path.resolve() in self._unsaved

    def open_rules(self) -> list[Path]:
        """The open files of rules."""
        return [path for path in self._unsaved if path.suffix == ".rules"]

    def changed(self) -> None:
        """Files may have changed on the disk."""
        self._revision += 1

    def document(self, path: Path) -> Document:
        """What is known about a file of rules now."""
        path = path.resolve()
        kept = self._kept.get(path)
        if kept is not None and kept.revision == self._revision:
            return kept.document
        if kept is not None and all(self._stamp(file) == stamp for file, stamp in kept.document.stamps.items()):
            self._kept[path] = _Kept(kept.document, self._revision)
            return kept.document
        with reading(self._unsaved) as read:
            rules = read_rules(path)
        source = rules.source or Source(str(path), self._unsaved.get(path, ""))
        earlier = None if kept is None else kept.document.good
        document = Document(path, source, rules, earlier if rules.model is None else rules)
        document.stamps = {file: self._stamp(file) for file in read.paths}
        self._kept[path] = _Kept(document, self._revision)
        return document

    def read(self, source: Source) -> Rules:
        """The rules in another text of a file, with the other files as they are in the editor."""
        with reading(self._unsaved):
            return rules_from(source)

    def depends_on(self, path: Path, other: Path) -> bool:
        """Whether a file of rules is made from another one, or would be if that were there."""
        return other.resolve() in self.document(path).stamps

    def family(self, path: Path) -> list[Document]:
        """A file, and all others in its folder or open in the editor that extend it or that it extends. The file comes first."""
        own = self.document(path)
        found = {own.path: own}
        related = {Path(source.path).resolve() for source in own.rules.beside} | {own.path}
        for other in self._candidates(related):
            if other not in found and (other in related or related & self.document(other).stamps.keys()):
                found[other] = self.document(other)
        return list(found.values())

    def _candidates(self, around: Iterable[Path]) -> Iterator[Path]:
        folders = {path.parent for path in around}
        beside = [file.resolve() for folder in sorted(folders) for file in rules_in_folder(folder)[:FILES_LIMIT]]
        yield from dict.fromkeys((*self.open_rules(), *beside))

    def _stamp(self, path: Path) -> _Stamp:
        return self._unsaved[path] if path in self._unsaved else stamp(path)
