"""The families of growing files cover every class of the syntax tree, and each of them grows what it says."""

from __future__ import annotations

import inspect
import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from attrs import fields
from rulesrun.interpreter.common.diagnostics import as_json
from rulesrun.interpreter.common.giving_up import FAULTS_LIMIT
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.traverse import every_expression, every_statement, expressions
from rulesrun.interpreter.syntax import tree
from rulesrun.interpreter.syntax.reading.extending import whole_of

from ..pipeline import run_stages
from .families import Family, Files, all_families

SMALL, LARGER = 2, 5
MOST_OF_A_FILE = 30  # statements and expressions of a machine for each letter of its rules
EVERY = int(os.environ.get("RULESRUN_EXAMPLES", "25")) >= 1_000
ALL = tuple(all_families())
BY_NAME = {family.name: family for family in ALL}
PAGES = {page.stem for page in (Path(__file__).parents[2] / "docs" / "codes").glob("*.md")}
# Of each construct only one shape is looked at here: the others grow the same.
FAMILIES = {family.name: family for family in ALL if family.grows and family.plain}


def counted(files: Files) -> Counter[type[tree.Node]]:
    """How many nodes of each class there are in all files."""
    found: Counter[type[tree.Node]] = Counter()
    for name, text in files.items():
        if name.endswith(".rules"):
            source = Source(name, text)
            whole = whole_of(source, lambda rules, path: Source(path, files[path]))
            stack: list[object] = [whole.tree]
            while stack:
                node = stack.pop()
                if isinstance(node, tuple):
                    stack.extend(node)
                elif isinstance(node, tree.Node):
                    found[type(node)] += 1
                    stack.extend(getattr(node, part.name) for part in fields(type(node)))
    return found


@cache
def grown_by(name: str) -> frozenset[type[tree.Node]]:
    """The classes of which a larger file of this family has more."""
    small, larger = (counted(FAMILIES[name].write(size)) for size in (SMALL, LARGER))
    return frozenset(cls for cls in larger if larger[cls] > small[cls])


@pytest.mark.parametrize("name", FAMILIES)
def test_it_grows_what_it_says(name: str) -> None:
    family: Family = FAMILIES[name]
    assert family.grows <= grown_by(name)


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.sound])
def test_a_small_file_has_no_fault(name: str) -> None:
    """So that the larger ones are read by every stage."""
    files = FAMILIES[name].write(SMALL)
    main = next(iter(files))
    found = run_stages(Source(main, files[main]), files=files)
    assert found.machine is not None, found.messages


def size_of(machine: Machine) -> int:
    """How many statements and expressions a machine has."""
    bodies = [definition.body for definition in (*machine.functions.values(), *machine.routines.values())]
    statements = [stmt for body in bodies for stmt in every_statement(body)]
    return sum(1 + sum(1 for expr in expressions(stmt) for _ in every_expression(expr)) for stmt in statements)


def is_bounded(family: Family, size: int) -> None:
    """A file ends in a machine whose size is in proportion to it, or in messages."""
    files = family.write(size)
    main = next(iter(files))
    found = run_stages(Source(main, files[main]), files=files)
    assert len(found.diagnostics) <= FAULTS_LIMIT + 1
    for diagnostic in found.diagnostics:
        assert diagnostic.code in PAGES
        # That would be the last net: a bound should have said where.
        assert not diagnostic.message.startswith(("these rules are too deep", "these rules take"))
        as_json(diagnostic)
    assert found.machine is not None or any(d.severity == "error" for d in found.diagnostics)
    if found.machine is not None:
        assert size_of(found.machine) <= MOST_OF_A_FILE * sum(map(len, files.values()))


@pytest.mark.parametrize("name", [family.name for family in ALL if family.plain])
def test_the_simplest_shapes(name: str) -> None:
    is_bounded(BY_NAME[name], 20)


@pytest.mark.parametrize("name", [family.name for family in ALL if not family.plain][:: 1 if EVERY else 48])
def test_other_shapes(name: str) -> None:
    """Some of them; ``RULESRUN_EXAMPLES=1000`` takes all."""
    is_bounded(BY_NAME[name], 14)


def test_every_class_of_the_tree_grows() -> None:
    """A new construct needs a family: see the tables in ``families.py``."""
    classes = {cls for _, cls in inspect.getmembers(tree, inspect.isclass) if issubclass(cls, tree.Node)}
    abstract = {cls for cls in classes if any(other is not cls and issubclass(other, cls) for other in classes)} - {tree.Define}
    once = {tree.Tree, tree.Extension, tree.Extends, tree.Game, tree.Title, tree.Players, tree.Position}  # in a file
    assert classes - abstract - once - frozenset().union(*(family.grows for family in FAMILIES.values())) == set()
