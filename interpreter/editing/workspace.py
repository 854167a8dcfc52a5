"""The rules files of an editor: texts that are not saved yet, and what is known about each file.

A `Document` is what is known about one file as it stands now. It is made when somebody asks for it, and again after any of the
files that it was made from has changed: in the editor, or on the disk.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from unicodedata import normalize

from attrs import define, evolve, field, frozen

from ..checks.all_tables import check
from ..common.diagnostics import Diagnostic
from ..common.files import Stamp, read_text, reading, rules_below, rules_in_folder, stamp
from ..common.source import Source, Span
from ..findings.report import report
from ..model.from_tree.remembered import Remembered
from ..rules import Memory, Rules, read_rules, rules_from
from ..syntax.reading.again import Blocks
from ..syntax.reading.from_text import Parsed, parse
from ..syntax.tree import Test
from .names import Names, names_of

FILES_LIMIT = 1_000  # files of rules in a folder, and below it, that are looked through for those that extend another
FOLDERS_LIMIT = 2_000  # folders that are gone through for them: a second, where the disk is slow

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
    _parse: Callable[[Source], Parsed] = parse

    @cached_property
    def parsed(self) -> Parsed:
        """What can be read of the file's own text."""
        return self._parse(self.source)

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

    @property
    def of_tests(self) -> tuple[Diagnostic, ...]:
        """The findings that stand in tests."""
        whole = self.rules.tree
        if whole is None:
            return ()
        begun = sorted(
            (line.span.start, isinstance(line, Test))
            for line in (*whole.declarations, *whole.variants, *whole.tests)
            if line.span.source.path == self.source.path
        )
        starts = [start for start, _ in begun]

        def is_in_test(span: Span | None) -> bool:
            at = 0 if span is None or span.source.path != self.source.path else bisect_right(starts, span.start)
            return at > 0 and begun[at - 1][1]

        return tuple(each for each in self.findings if is_in_test(each.span))


@frozen
class _Kept:
    document: Document
    revision: int


class Workspace:
    """The files of an editor. Paths are resolved on their way in. Not safe for several threads."""

    def __init__(self) -> None:
        self._folders: list[Path] = []
        self._below: dict[Path, list[Path]] = {}  # the files of rules in each folder that was gone through
        self._unsaved: dict[Path, str] = {}
        self._kept: dict[Path, _Kept] = {}
        self._revision = 0
        self._blocks: dict[Path, Blocks] = {}
        self._trials: dict[Path, Blocks] = {}
        self._memories: dict[Path, Memory] = {}

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

    def work_in(self, folders: Iterable[Path]) -> None:
        """From now on these folders are open in the editor, with all that is below them."""
        self._folders = [folder.resolve() for folder in folders]

    def changed(self) -> None:
        """Files may have changed on the disk."""
        self._revision += 1
        self._below.clear()

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
            rules = read_rules(path, self._memories.setdefault(path, Memory(self._parse, Remembered())))
        source = rules.source or Source(str(path), self._unsaved.get(path, ""))
        earlier = None if kept is None else kept.document.good
        document = Document(path, source, rules, earlier if rules.model is None else rules, parse=self._parse)
        document.stamps = {file: self._stamp(file) for file in read.paths}
        self._kept[path] = _Kept(document, self._revision)
        return document

    def glance(self, path: Path) -> Document | None:
        """What is known about a file without its tests, if its game has changed: sooner there than the whole. Else None."""
        path = path.resolve()
        memory = self._memories.get(path)
        if memory is None or memory.bound is None or (before := memory.bound.game) is None:
            return None
        with reading(self._unsaved):
            rules = read_rules(path, evolve(memory, of_game=True))
        if rules.source is None or rules.tree is None or memory.bound.game is before:
            return None
        return Document(path, rules.source, rules, None)

    def try_parse(self, source: Source) -> Parsed:
        """What can be read of another text of a file. What was read of the one before has the places of this one from now on."""
        return _parsed(self._trials, source)

    def try_rules(self, source: Source) -> Rules:
        """The rules in another text of a file, with the other files as they are in the editor; see `try_parse`."""
        with reading(self._unsaved):
            return rules_from(source, Memory(self.try_parse))

    def depends_on(self, path: Path, other: Path) -> bool:
        """Whether a file of rules is made from another one, or would be if that were there."""
        return other.resolve() in self.document(path).stamps

    def family(self, path: Path) -> list[Document]:
        """A file, and all others in its folder, in the editor's folders or open that extend it or that it extends, or that name a
        csv file of it. The file comes first."""
        own = self.document(path)
        found = {own.path: own}
        related = {Path(source.path).resolve() for source in own.rules.beside} | {own.path}
        named = {normalize("NFC", file.name) for file in related}
        for other in self._candidates(related):
            if other in found or not (other in related or self._may_name(other, named)):
                continue
            if other in related or related & self.document(other).stamps.keys():
                found[other] = self.document(other)
        return list(found.values())

    def _may_name(self, path: Path, names: set[str]) -> bool:
        """Whether a file of rules extends another or says one of these names of files. It is only looked at, and not read."""
        with reading(self._unsaved):
            source = read_text(path)
        if isinstance(source, Diagnostic):
            return False
        text = normalize("NFC", source.text)
        return "extends" in text or any(name in text for name in names)

    def _candidates(self, around: Iterable[Path]) -> Iterator[Path]:
        folders = {path.parent for path in around}
        beside = [file.resolve() for folder in sorted(folders) for file in rules_in_folder(folder)[:FILES_LIMIT]]
        below = [file for folder in self._folders for file in self._rules_below(folder)]
        yield from dict.fromkeys((*self.open_rules(), *beside, *below))

    def _rules_below(self, folder: Path) -> list[Path]:
        """The files of rules in an open folder. Which there are is remembered until something changes on the disk."""
        if folder not in self._below:
            self._below[folder] = [file.resolve() for file in rules_below(folder, FILES_LIMIT, FOLDERS_LIMIT)]
        return self._below[folder]

    def _parse(self, source: Source) -> Parsed:
        """Read a text as the newest one of its file."""
        return _parsed(self._blocks, source)

    def _stamp(self, path: Path) -> _Stamp:
        return self._unsaved[path] if path in self._unsaved else stamp(path)


def _parsed(blocks: dict[Path, Blocks], source: Source) -> Parsed:
    return blocks.setdefault(Path(source.path).resolve(), Blocks()).parse(source)
