"""Where a name is used in all files of a game, and what changes when it gets another one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ..common.diagnostics import Edit
from ..common.nouns import plural
from ..fixing.fixed import edited
from ..model.from_tree.names.scope import BUILT_IN
from ..syntax.parsing.tokens import all_words
from .names import Occurrence, Symbol
from .workspace import Document, Workspace


class NotRenamed(Exception):
    """Why a name stays as it is, in words for the person who writes the rules."""


def uses(workspace: Workspace, document: Document, symbol: Symbol) -> list[Occurrence]:
    """All places of a name: in the file, in those that it extends, and in those of its folder, of the editor's folders or open
    that extend it."""
    found: dict[tuple[Path, int], Occurrence] = {}
    for member in workspace.family(document.path):
        for other in _same(member, symbol):
            for each in member.names.of(other):
                path = Path(each.span.source.path).resolve()
                found.setdefault((path, each.span.start), each)
    return list(found.values())


def _same(document: Document, symbol: Symbol) -> list[Symbol]:
    """The symbol as another file of the game has it: of the same name, declared at one of the same places."""
    places = {(Path(place.source.path).resolve(), place.start) for place in symbol.places}
    return [
        each
        for each in document.names.symbols
        if each.name == symbol.name
        and each.sort == symbol.sort
        and (
            any((Path(place.source.path).resolve(), place.start) in places for place in each.places)
            or not (places or each.places)  # a point that a picture gives
        )
    ]


def renamed(workspace: Workspace, document: Document, offset: int, name: str) -> dict[Path, tuple[Edit, ...]]:
    """What changes in which files when the name at a place becomes another. Raises `NotRenamed` where that would break them."""
    found = document.names.at(document.source.path, offset)
    if found is None:
        raise NotRenamed("there is no name here that the rules give")
    if found.symbol.name in BUILT_IN:
        raise NotRenamed(f"`{found.symbol.name}` is a word of the rules")
    if not found.symbol.places:
        raise NotRenamed(f"`{found.symbol.name}` is called by its place in the picture of the board")
    words = all_words(name, 0)
    if len(words) != 1 or words[0].shape != "word":
        raise NotRenamed(f"`{name}` is no name: a name is one word of letters, digits and `_`, and begins with a letter")
    edits: dict[Path, list[Edit]] = {}
    for each in uses(workspace, document, found.symbol):
        text = plural(name) if each.form == "plural" else name
        edits.setdefault(Path(each.span.source.path).resolve(), []).append(Edit(each.span, text))
    changes = {path: tuple(some) for path, some in edits.items()}
    _try(workspace, document, changes, name)
    return changes


def _try(workspace: Workspace, document: Document, changes: dict[Path, tuple[Edit, ...]], name: str) -> None:
    """Read all files as they would be. What is worse then stands against it, and what would mean another thing."""
    new = Workspace()
    for path, text in workspace.unsaved.items():
        new.write(path, text)
    for path, edits in changes.items():
        new.write(path, edited(edits[0].span.source.text, edits))
    for member in workspace.family(document.path):
        changed = new.document(member.path)
        before, after = member.findings, changed.findings
        if len(after) > len(before) or (member.rules.model is not None and changed.rules.model is None):
            known = {diagnostic.code for diagnostic in before}
            worse = next((each for each in after if each.code not in known), after[0] if after else None)
            raise NotRenamed("the rules could not be read any more" if worse is None else worse.message)
        if _uses_of_each(member) != _uses_of_each(changed):
            raise NotRenamed(f"`{name}` means something else already")


def _uses_of_each(document: Document) -> list[int]:
    """How often each name is used, whatever it is."""
    return sorted(Counter(id(each.symbol) for each in document.names.occurrences).values())
