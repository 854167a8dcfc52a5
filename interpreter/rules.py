"""From a path to a game that can be played: runs all stages, one after the other, each once.

`read_rules` reads and binds a file; `Rules.table` and `build` make one table of it. Nothing here prints; faults are returned as
diagnostics, or raised as one `RulesError` for callers that need a game and nothing less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from attrs import Factory, evolve, frozen

from .common.diagnostics import Diagnostic, RulesError
from .common.files import read_beside, read_bytes, read_parent, text_of
from .common.source import Source
from .machine.from_table import lower
from .machine.machine import Machine
from .model.from_tree import bind
from .model.from_tree.remembered import Remembered
from .model.model import Model
from .model.show import name_of
from .syntax.reading.extending import whole_of
from .syntax.reading.from_text import Parsed, parse
from .syntax.tree import Tree
from .table.from_model import Specialised, specialise
from .table.table import Table


@frozen(eq=False)
class Rules:
    """One rules file, with all that it extends: ``tree`` and ``model`` are None where faults left nothing to go on with.

    ``beside``: the other files that it names and that were read, those of its parents included. ``unknown``: the names that
    stand for nothing, each with those that could stand there.
    """

    path: str
    source: Source | None
    tree: Tree | None
    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    beside: tuple[Source, ...] = ()
    unknown: Mapping[str, frozenset[str]] = Factory(dict)

    def required(self) -> Model:
        """The model. Raises `RulesError` when the rules have errors."""
        if self.model is None:
            raise RulesError(self.diagnostics)
        return self.model

    def digests(self) -> dict[str, str]:
        """A digest of each declaration's meaning: comments and layout do not count, the rows of a `.csv` do."""
        whole = self.required()
        found = {f"list {name}": _digest(words) for name, words in whole.lists.items()}
        for declaration in whole.declarations:
            found[name_of(declaration)] = _digest(declaration)
        for variant in whole.variants:
            found[f"variant {variant.name}"] = _digest(variant)
        return found

    def digest(self) -> str:
        """One digest for the meaning of the whole file."""
        whole = self.required()
        return _digest((whole.game, whole.players, sorted(self.digests().items())))


@frozen(eq=False)
class Memory:
    """What is remembered of rules that are being written, for the next time that they are read: how files are parsed, and what
    the names of one file meant. ``of_game``: tests are left out, which take most of the time."""

    parse: Callable[[Source], Parsed] = parse
    bound: Remembered | None = None
    of_game: bool = False


NOTHING: Final = Memory()


def read_rules(path: str | Path, memory: Memory = NOTHING) -> Rules:
    """Read a rules file and settle its names."""
    return rules_in(path, read_bytes(path), memory)


def rules_in(path: str | Path, content: bytes | Diagnostic, memory: Memory = NOTHING) -> Rules:
    """The rules in a text that was read from a path already, or the finding that it cannot be read."""
    source = content if isinstance(content, Diagnostic) else text_of(path, content)
    if isinstance(source, Diagnostic):
        return Rules(str(path), None, None, None, (source,))
    return rules_from(source, memory)


def rules_from(source: Source, memory: Memory = NOTHING) -> Rules:
    """The rules in a text that is there already; files that it names lie beside its path."""
    beside: dict[str, Source] = {}

    def noted(found: Source | Diagnostic) -> Source | Diagnostic:
        if isinstance(found, Source):
            beside[found.path] = found
        return found

    whole = whole_of(source, lambda rules, name: noted(read_parent(rules, name)), memory.parse)
    if whole.tree is None:
        return Rules(source.path, source, None, None, whole.diagnostics, tuple(beside.values()))
    tree = evolve(whole.tree, tests=()) if memory.of_game else whole.tree
    bound = bind(tree, lambda rules, name: noted(read_beside(rules, name)), whole.doubtful, memory.bound)
    diagnostics = in_order((*whole.diagnostics, *bound.diagnostics))
    failed = any(d.severity == "error" for d in diagnostics)
    model = None if failed else bound.model
    return Rules(source.path, source, tree, model, diagnostics, tuple(beside.values()), bound.unknown)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics as they are read: by file, then by place."""

    def place(diagnostic: Diagnostic) -> tuple[str, int]:
        span = diagnostic.span
        return ("", -1) if span is None else (span.source.path, span.start)

    return tuple(sorted(diagnostics, key=place))


@frozen(eq=False)
class Built:
    """A table and its machine; each None when something is wrong with it."""

    table: Table | None
    machine: Machine | None
    diagnostics: tuple[Diagnostic, ...]
    scalar_loops: tuple[str, ...] = ()

    def required(self) -> tuple[Table, Machine]:
        """Both. Raises `RulesError` when there is none."""
        if self.table is None or self.machine is None:
            raise RulesError(self.diagnostics)
        return self.table, self.machine


def build(
    whole: Model,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
    seats: Iterable[str] = (),
) -> Built:
    """The machine of one table (see `specialise` for what the arguments mean)."""
    return built_from(specialise(whole, players, variants, options), seats)


def built_from(found: Specialised, seats: Iterable[str] = ()) -> Built:
    """The machine of a table that has been made already."""
    if found.table is None:
        return Built(None, None, found.diagnostics)
    lowered = lower(found.table, seats)
    return Built(found.table, lowered.machine, (*found.diagnostics, *lowered.diagnostics), lowered.scalar_loops)


def _digest(value: object) -> str:
    return sha256(repr(value).encode()).hexdigest()[:16]
