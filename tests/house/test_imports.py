"""The rooms of the house stand in one order, and nothing imports what comes after it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .imports import ROOT, imports, modules, room

ORDER = (
    "interpreter/common", "interpreter/syntax", "interpreter/model", "interpreter/table", "interpreter/machine",
    "interpreter/rules",
    "interpreter/players", "interpreter/wasm", "interpreter/play", "interpreter/terminal", "interpreter/simulate",
    "interpreter/search", "interpreter/testing", "interpreter/coverage", "interpreter/findings", "interpreter/checks",
    "interpreter/reports", "interpreter/fixing", "interpreter/formatting", "interpreter/overview", "interpreter/adapters",
    "commands", "cli",
)  # fmt: skip


def test_every_room_has_its_place() -> None:
    assert {room(name) for name in modules()} - {"rulesrun", "interpreter"} == set(ORDER)


def test_no_room_imports_a_later_one() -> None:
    wrong = [
        f"{name} imports {other}"
        for name, others in imports().items()
        for other in others
        if room(name) in ORDER and room(other) in ORDER and ORDER.index(room(name)) < ORDER.index(room(other))
    ]
    assert wrong == []


def test_a_folder_says_what_is_inside() -> None:
    for path in modules().values():
        if path.name == "__init__.py":
            assert path.parent == ROOT or ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each import has a process of its own, which is forked")
def test_each_module_can_be_imported_first() -> None:
    """A process forked for each module, from one that has imported nothing of the package."""
    code = """
import attr, attrs, click, json, lark, os, re, sys, wasmtime
for name in sys.stdin.read().split():
    child = os.fork()
    if not child:
        try:
            __import__(name)
        except BaseException as error:
            print(f"{name}: {error!r}", flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
    optional = ("rulesrun.interpreter.adapters",)  # of packages that are there only where they were asked for
    names = [name for name in modules() if not name.startswith(optional)]
    shown = subprocess.run(
        [sys.executable, "-c", code], input="\n".join(names), capture_output=True, text=True, check=True, cwd=Path(ROOT).parent
    )
    assert shown.stdout == ""
