"""The rooms of the house stand in one order, and nothing imports what comes after it."""

from __future__ import annotations

import ast
from collections import Counter
from graphlib import TopologicalSorter

import pytest

from .imports import ROOT, imports, modules, room

ORDER = (
    "interpreter/common", "interpreter/words", "interpreter/syntax", "interpreter/model", "interpreter/table",
    "interpreter/machine", "interpreter/rules", "interpreter/translation", "interpreter/players", "interpreter/wasm",
    "interpreter/play", "interpreter/terminal", "interpreter/simulate", "interpreter/search", "interpreter/testing",
    "interpreter/coverage", "interpreter/findings", "interpreter/checks", "interpreter/reports", "interpreter/fixing",
    "interpreter/formatting", "interpreter/overview", "interpreter/printing", "interpreter/packing", "interpreter/editing",
    "interpreter/balance", "interpreter/adapters", "interpreter/library", "interpreter/hosting", "server", "language_server",
    "browser", "commands", "cli", "website", "editors",
)  # fmt: skip


def test_every_room_has_its_place() -> None:
    assert {room(name) for name in modules()} - {"rulesrun", "interpreter"} == set(ORDER)


@pytest.mark.slow
def test_no_room_imports_a_later_one() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, others in imports().items()
        for other in others
        if room(name) in ORDER and room(other) in ORDER and ORDER.index(room(name)) < ORDER.index(room(other))
    ]
    assert wrong == []


@pytest.mark.slow
def test_no_modules_import_in_a_circle() -> None:
    """So each can be imported first. `graphlib` names the circle."""
    TopologicalSorter(imports()).prepare()


def test_no_folders_import_in_a_circle() -> None:
    folders: dict[str, set[str]] = {}
    for name, others in imports().items():
        folders.setdefault(_folder(name), set()).update(map(_folder, others))
    TopologicalSorter({folder: others - {folder} for folder, others in folders.items()}).prepare()


def _folder(name: str) -> str:
    """The folder of a module; the file that makes the package, and the command line above it, are folders of their own."""
    path = modules()[name]
    return name if path.parent == ROOT else path.parent.relative_to(ROOT).as_posix()


def test_a_folder_says_what_is_inside() -> None:
    for path in modules().values():
        if path.name == "__init__.py":
            assert path.parent == ROOT or ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_no_folder_holds_more_than_fifteen_modules() -> None:
    """Besides the file that makes the package. `commands` holds one module per command."""
    sizes = Counter(path.parent for path in modules().values() if path.name != "__init__.py")
    assert [folder for folder, size in sizes.items() if size > 15 and folder != ROOT / "commands"] == []
