"""What stands beside the lines of a rules file without being written there: values behind lines, and commands above them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from attrs import frozen

from ..common.nouns import counted, plural
from ..syntax import tree
from ..table.table import Table
from .tables import default_table, value_of
from .workspace import Document

Command = Literal["run", "play", "check", "simulate", "test"]

_TITLES: Final[dict[Command, str]] = {"run": "Run", "play": "Play", "check": "Check", "simulate": "Simulate"}


@frozen
class Hint:
    """A few words behind the text that ends at ``offset``. ``why``: what they say, at length."""

    offset: int
    text: str
    why: str


@frozen
class Lens:
    """A command above the line at ``offset``. ``test``: the title of the test that it runs."""

    offset: int
    title: str
    command: Command
    test: str | None = None


def hints(document: Document) -> list[Hint]:
    """Values at the default table: of options whose default is worked out, of defines, and how many components there are."""
    table, parsed = default_table(document), document.parsed.tree
    if table is None or not isinstance(parsed, tree.Tree):
        return []
    return [hint for line in parsed.declarations for hint in _hints(line, table)]


def _hints(line: tree.Line, table: Table) -> Iterator[Hint]:
    at = f"with {counted(table.players, 'player')}, and all options as they are by default"
    match line:
        case tree.OptionDeclaration(name=name, default=default) if not isinstance(default, tree.Number | tree.Special):
            value = value_of(name.text, table)
            if value is not None and value != default.span.text:
                yield Hint(line.span.end, f"= {value}", at)
        case tree.Define(name=name, value=value_node) if value_node is not None and not isinstance(value_node, tree.Number):
            value = value_of(name.text, table)
            if value is not None:
                yield Hint(line.span.end, f"= {value}", at)
        case tree.Kind(name=name, form=form):
            kind = table.kind(name.text)
            if kind is not None:
                noun = form.removesuffix("s") if form != "dice" else "die"
                yield Hint(line.span.end, f"{kind.bits} {noun if kind.bits == 1 else plural(noun)}", at)


def lenses(document: Document, results: dict[str, bool]) -> list[Lens]:
    """Commands above the game and above each test. ``results``: of the tests that were run, by title, whether they passed."""
    parsed = document.parsed.tree
    if parsed is None:
        return []
    head = parsed.game if isinstance(parsed, tree.Tree) else parsed.extends
    found = [Lens(head.span.start, title, command) for command, title in _TITLES.items()] if head.span.text else []
    for test in parsed.tests:
        passed = results.get(test.title)
        title = "Run test" if passed is None else "Passed: run again" if passed else "Failed: run again"
        found.append(Lens(test.span.start, title, "test", test.title))
    return found
