"""Where names are declared and used, and what becomes of them when they are renamed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rulesrun.interpreter.common.nouns import plural
from rulesrun.interpreter.editing.names import Symbol
from rulesrun.interpreter.editing.renaming import NotRenamed, renamed, uses
from rulesrun.interpreter.editing.workspace import Document, Workspace
from rulesrun.interpreter.fixing.fixed import edited
from rulesrun.interpreter.syntax.parsing.sentence import taken

from ..shipped import GAMES, SHIPPED, every

NEW = "quite_another"

# Names that are no names of the rules: they belong to the language, or stand for a number or for some word.
LANGUAGE = {
    "player", "players", "score", "winners", "winner", "owner", "left", "right", "box", "number", "cell", "cells", "returns",
    "row", "column", "seat", "opponents", "team", "game", "width", "height", "size", "length", "points", "direction", "north",
    "games", "bid", "pass", "pay", "bidder", "price", "card", "cards", "gold", "deal", "deals", "games_played",
}  # fmt: skip


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_names_of_a_game_are_found(path: Path) -> None:
    """All that a line has as a name, but for words of the language, cells and directions, titles' languages and codes."""
    document = Workspace().document(path)
    assert document.rules.model is not None
    found = document.names.in_file(document.source.path)
    for each in found:
        form = plural(each.symbol.name) if each.form == "plural" else each.symbol.name
        assert each.span.text == form or (each.form == "plural" and each.span.text.startswith(each.symbol.name[:-1]))
        assert each.symbol.places or each.symbol.sort == "point"  # which a picture can give
    places = {each.span.start for each in found}
    names = [
        sentence.words[part.first]
        for sentence in document.parsed.sentences
        for part in taken(sentence.words, sentence.start)
        if part.terminal in ("NAME", "EACH_NAME")
    ]
    missed = {word.text for word in names if word.start not in places} - LANGUAGE
    missed = {word for word in missed if not word[-1].isdigit() and len(word) > 2 and "north" not in word and "south" not in word}
    assert len(missed) <= 4, missed


def rename_and_back(workspace: Workspace, path: Path, symbol: Symbol) -> bool:
    """Rename a symbol, and then again to what it was: the text is as before. False where it cannot be renamed."""
    before = workspace.document(path).source.text
    try:
        changes = renamed(workspace, workspace.document(path), symbol.places[0].start, NEW)
    except NotRenamed:
        return False
    for file, edits in changes.items():
        workspace.write(file, edited(edits[0].span.source.text, edits))
    document = workspace.document(path)
    assert document.rules.model is not None, document.rules.diagnostics
    assert NEW in document.source.text
    there = next(each for each in document.names.symbols if each.name == NEW and each.sort == symbol.sort)
    for file, edits in renamed(workspace, document, there.places[0].start, symbol.name).items():
        workspace.write(file, edited(edits[0].span.source.text, edits))
    assert workspace.document(path).source.text == before
    return True


def renamable(document: Document) -> list[Symbol]:
    """The symbols of a file of which no csv, title or number range has another place."""
    return [each for each in document.names.symbols if each.places and each.places[0].source.path == document.source.path]


@pytest.mark.slow
@pytest.mark.parametrize("path", every(3, 1), ids=lambda path: path.stem)
def test_names_are_renamed_everywhere(path: Path) -> None:
    """Some symbols of each game: it can still be read, and renamed back it is the game that it was."""
    workspace = Workspace()
    some = random.Random(path.stem).sample(renamable(workspace.document(path)), 4)
    done = [rename_and_back(workspace, path, symbol) for symbol in some]
    assert sum(done) >= 2, [symbol.name for symbol in some]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classics/hearts"])
def test_all_names_can_be_renamed(name: str) -> None:
    """But those that stand in a csv file or in a phrase that is not the rules' own."""
    workspace, path = Workspace(), GAMES / f"{name}.rules"
    stay = [each.name for each in renamable(workspace.document(path)) if not rename_and_back(workspace, path, each)]
    assert len(stay) <= len(renamable(workspace.document(path))) // 5, stay


@pytest.mark.slow
def test_a_csv_file_is_changed_as_well() -> None:
    """Its columns, also where they are called after the parts of a tile, and the words in its rows."""
    workspace = Workspace()
    document = workspace.document(GAMES / "kingdomino.rules")
    for old, new in (("wheat", "rye"), ("terrain", "land")):
        changes = renamed(workspace, document, document.source.text.index(old), new)
        in_csv = changes[(GAMES / "data" / "kingdomino.csv").resolve()]
        assert {edit.text for edit in in_csv} == {new}
        assert len(in_csv) == (2 if old == "terrain" else 26)


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("draw", "a word of the rules"),
        ("player", "a word of the language"),
        ("two words", "is no name"),
        ("7up", "is no name"),
        ("", "is no name"),
        ("hand", "declared twice"),
        ("a-b", "is no name"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused(new: str, why: str) -> None:
    document = Workspace().document(GAMES / "masti.rules")
    with pytest.raises(NotRenamed, match=why):
        renamed(Workspace(), document, document.source.text.index("zone trumps") + 5, new)


def test_a_name_in_any_script(tmp_path: Path) -> None:
    path = tmp_path / "гра.rules"
    path.write_text((GAMES / "templates" / "new.rules").read_text(encoding="utf-8"), encoding="utf-8")
    workspace = Workspace()
    zone = next(each for each in workspace.document(path).names.symbols if each.sort == "zone")
    for file, edits in renamed(workspace, workspace.document(path), zone.places[0].start, "手札").items():
        workspace.write(file, edited(edits[0].span.source.text, edits))
    assert workspace.document(path).rules.model is not None


def test_files_that_extend_are_changed_as_well(tmp_path: Path) -> None:
    text = (GAMES / "masti.rules").read_text(encoding="utf-8").replace('from "data/masti.csv"', ", 1 of each")
    (tmp_path / "game.rules").write_text((GAMES / "classics" / "nim.rules").read_text(encoding="utf-8"), encoding="utf-8")
    assert text
    own = tmp_path / "house.rules"
    own.write_text('extends "game.rules"\nvariant low "Low"\n    set misere to yes\n', encoding="utf-8")
    workspace = Workspace()
    game = workspace.document(tmp_path / "game.rules")
    option = next(each for each in game.names.symbols if each.sort == "option")
    own.write_text(f'extends "game.rules"\nvariant low "Low"\n    set {option.name} to yes\n', encoding="utf-8")
    workspace.changed()
    found = uses(workspace, workspace.document(tmp_path / "game.rules"), option)
    assert {Path(each.span.source.path).name for each in found} == {"game.rules", "house.rules"}
    from_the_other = workspace.document(own)
    there = from_the_other.source.text.index(option.name)
    assert set(renamed(workspace, from_the_other, there, NEW)) == {own.resolve(), (tmp_path / "game.rules").resolve()}


@pytest.mark.slow
def test_points_of_a_picture_are_found_but_stay_as_they_are() -> None:
    """They are called by their places in it."""
    workspace = Workspace()
    document = workspace.document(GAMES / "classics" / "chinese_checkers.rules")
    offset = document.source.text.index("c11")
    found = document.names.at(document.source.path, offset)
    assert found is not None
    assert len(uses(workspace, document, found.symbol)) == 1
    with pytest.raises(NotRenamed, match="by its place in the picture"):
        renamed(workspace, document, offset, "corner_point")
