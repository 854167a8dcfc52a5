"""Pages without a server: all that their files ask for is among them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from rulesrun.browser.bundle import page_of_game, playground
from rulesrun.interpreter.packing.pack import Pack, gathered
from rulesrun.interpreter.rules import read_rules

GAMES = Path(__file__).parents[2] / "games"
RUNTIME = {"pyodide.mjs": b"", "pyodide.asm.mjs": b""}  # what the worker imports of it
IMPORTED = re.compile(r"^(?!.*@).*?\b(?:from|import)[ (]\"(\.[^\"]+)\"", re.M)  # not in the types of comments
NAMED = re.compile(r"(?:src|href)=\"(?![a-z]+:|#)([^\"]+)\"")


def lost(files: Mapping[str, bytes]) -> Iterator[str]:
    """What modules import and pages name, and no file is."""
    for path, content in files.items():
        asking = {".js": IMPORTED, "html": NAMED}.get(path[-3:] if path.endswith(".js") else path[-4:])
        for asked in asking.findall(content.decode()) if asking else ():
            if posixpath.normpath(posixpath.join(posixpath.dirname(path), asked)) not in files:
                yield f"{path}: {asked}"


@pytest.mark.slow
def test_the_page_of_a_game_has_all_that_it_imports() -> None:
    pack = gathered(read_rules(GAMES / "kingdomino.rules"), None)
    assert isinstance(pack, Pack)
    files = page_of_game(pack, "Kingdomino", RUNTIME)
    assert sum(len(IMPORTED.findall(content.decode())) for path, content in files.items() if path.endswith(".js")) > 40
    assert list(lost(files)) == []
    assert not any("playground" in path or "codemirror" in path for path in files)


@pytest.mark.slow
def test_the_playground_has_all_that_it_imports() -> None:
    assert list(lost(playground(RUNTIME))) == []
