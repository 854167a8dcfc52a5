"""The imports of the package: every import statement of every module, those inside functions and for types included.

What is imported only for types, under ``TYPE_CHECKING``, is left out: it is never imported in a run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "rulesrun"


@cache
def modules() -> dict[str, Path]:
    """All modules by their dotted names."""
    folders = ("browser", "commands", "interpreter", "language_server", "server", "website")
    files = [*ROOT.glob("*.py"), *(path for folder in folders for path in (ROOT / folder).rglob("*.py"))]
    files += (ROOT / "editors").glob("*.py")
    return {_name(path): path for path in files}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join((PACKAGE, *(parts[:-1] if parts[-1] == "__init__" else parts)))


@cache
def imports() -> dict[str, frozenset[str]]:
    """For each module the modules of the package that it imports."""
    return {name: frozenset(_imported(name, path)) - {name} for name, path in modules().items()}


def _imported(name: str, path: Path) -> Iterator[str]:
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in _nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{PACKAGE}."):
            base = node.module  # of a program that stands beside the package
        else:
            continue
        if base:
            yield from (f"{base}.{alias.name}" if f"{base}.{alias.name}" in modules() else base for alias in node.names)


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those under ``if TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from _nodes(child)


def room(name: str) -> str:
    """The top-level room of a module: ``commands``, ``interpreter/checks``, or the module itself where it stands in none."""
    parts = name.split(".")[1:]
    if parts[:1] == ["interpreter"]:
        parts = ["/".join(parts[:2]), *parts[2:]]
    return parts[0] if parts else PACKAGE
