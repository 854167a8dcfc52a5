"""The grammar for colours is made of the grammar of the language, and the words with which the extension's tests compare it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from rulesrun.interpreter.common.source import Source

EDITORS = Path(__file__).parents[2] / "editors"


def loaded(name: str) -> ModuleType:
    """A script of `editors`, which is no part of the package."""
    spec = importlib.util.spec_from_file_location(f"editors_{name}", EDITORS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.process
def test_the_files_are_what_the_generator_makes() -> None:
    grammar = loaded("grammar")
    assert grammar.FILE.read_text(encoding="utf-8") == grammar.written(), "run `python editors/grammar.py`"
    assert grammar.WORDS_FILE.read_text(encoding="utf-8") == grammar.words_written(), "run `python editors/grammar.py`"


def test_every_pattern_that_is_named_is_there() -> None:
    grammar = json.loads((EDITORS / "vscode" / "syntaxes" / "rulesrun.tmLanguage.json").read_text(encoding="utf-8"))
    todo, named = [grammar], set[str]()
    while todo:
        match todo.pop():
            case dict() as pattern:
                todo += pattern.values()
                if "include" in pattern:
                    named.add(pattern["include"].removeprefix("#"))
            case list() as patterns:
                todo += patterns
    assert named == set(grammar["repository"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('game x # "a"', [(0, 0, 4, "keyword"), (0, 5, 1, "name"), (0, 7, 5, "comment")]),
        ('test "𝄞" # x', [(0, 0, 4, "keyword"), (0, 5, 4, "string"), (0, 10, 3, "comment")]),
        (
            "phase take\n    move the card to hand of player 2",
            [
                *[(0, 0, 5, "keyword"), (0, 6, 4, "name")],
                *[(1, 4, 4, "keyword"), (1, 9, 3, "keyword"), (1, 13, 4, "name"), (1, 18, 2, "keyword"), (1, 21, 4, "name")],
                *[(1, 26, 2, "keyword"), (1, 29, 6, "keyword"), (1, 36, 1, "number")],
            ],
        ),
        (
            'game x\nnote instead "a" # b',
            [
                *[(0, 0, 4, "keyword"), (0, 5, 1, "name"), (1, 0, 4, "keyword"), (1, 5, 7, "keyword"), (1, 13, 3, "string")],
                (1, 17, 3, "comment"),
            ],
        ),
        ("zone zone zone\n", []),
        ("", []),
    ],
)
def test_words_as_the_parser_takes_them(text: str, expected: list[tuple[int, int, int, str]]) -> None:
    assert list(loaded("word_classes").classes(Source("x.rules", text))) == expected
