"""Digests of tables, equal where the same games are played and the same lines of the rules are reached.

Comments, empty lines and unrelated rules do not count. A place counts only by its rank among all places of the table, so a line
has the same place and an option the same number at both tables. Likewise a text that is only shown is written as a number, since
a game can only depend on whether two texts are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any

from attrs import fields, has

from ....common.nodes import getter
from ....common.source import Span
from ....coverage.parts import Part
from ....model import model
from ....table.from_model import Specialised
from ....table.table import Table

_PLAIN = (str, int, bool, type(None))


def digest_of(made: Specialised, parts: Sequence[Part]) -> str:
    """The digest of a table. ``parts``: of the rules; those that lie in the table say which of its places are counted."""
    table = made.table
    assert table is not None
    writer = _Writer()
    writer.write(table)
    writer.write(tuple(each for each in made.declarations if isinstance(each, model.TableDeclaration)))
    writer.write(tuple(sorted(made.settled.asked)))
    writer.write_places(parts)
    return writer.digest()


class _Writer:
    """Writes values as words. ``spans``: in the order in which they come, each with its place among the words."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.spans: list[tuple[int, Span]] = []
        self.vars: dict[int, int] = {}  # by identity
        self.texts: dict[str, int] = {}

    def write(self, value: object) -> None:
        """Write a value with all that is in it, without recursion: rules can be nested deeply."""
        words = self.words
        todo: list[Any] = [value]
        while todo:
            part = todo.pop()
            kind = type(part)
            if kind in _PLAIN:
                words.append(repr(part))
            elif kind is Span:
                self.spans.append((len(words), part))
                words.append("")
            elif kind is tuple or kind is list:
                words.append(f"({len(part)}")
                todo.extend(reversed(part))
            elif kind is dict:
                words.append(f"{{{len(part)}")
                todo.extend(each for item in reversed(part.items()) for each in reversed(item))
            elif kind is model.Var:
                number = self.vars.setdefault(id(part), len(self.vars))
                words.append(f"V{number} {part.name} {part.type!r}")
            elif kind is _Text:
                number = self.texts.setdefault(part, len(self.texts)) if part else -1
                words.append(f"T{number}")
            else:
                words.append(kind.__name__)
                todo.extend(reversed(_PARTS[kind](part)))

    def write_places(self, parts: Iterable[Part]) -> None:
        """Write what is counted at the places that have been written."""
        here = {span for _, span in self.spans}
        for part in parts:
            if part.place.span in here:
                self.write((part.place.kind, part.place.span, part.place.said))

    def digest(self) -> str:
        """The digest of all that was written."""
        files: dict[str, int] = {}  # in the order in which they come, whatever they are called
        spans = [(at, files.setdefault(span.source.path, len(files)), span) for at, span in self.spans]
        starts = _ranks({(file, span.start) for _, file, span in spans})
        ranks = _ranks({(file, span.start, span.end) for _, file, span in spans})
        for at, file, span in spans:
            self.words[at] = f"@{starts[file, span.start]} {ranks[file, span.start, span.end]}"
        return sha256("\0".join(self.words).encode("utf-8", "surrogatepass")).hexdigest()


class _Text(str):
    """A text that is only shown."""


def _ranks(places: set[Any]) -> dict[Any, int]:
    return {place: rank for rank, place in enumerate(sorted(places))}


class _Parts(dict[type, Callable[[Any], Sequence[Any]]]):
    """For each class of things in a table, what gives all that is written of one."""

    def __missing__(self, kind: type) -> Callable[[Any], Sequence[Any]]:
        assert has(kind), kind
        self[kind] = getter([each.name for each in fields(kind)])
        return self[kind]


def _reason(reason: model.Reason) -> Sequence[Any]:
    return reason.span, tuple(_Text(part) if isinstance(part, str) else part for part in reason.parts)


def _condition(condition: model.Condition) -> Sequence[Any]:
    """A condition without a reason is its own."""
    said = () if condition.reason.parts else (_Text(condition.span.text),)
    return condition.span, condition.test, condition.reason, condition.laid, *said


def _argument(argument: model.Argument) -> Sequence[Any]:
    """An argument with its words: a message in the words of the rules says that something is not in its source."""
    said = (_Text(argument.source.span.text),) if isinstance(argument.source, model.Typed) else ()
    return argument.span, argument.var, argument.source, *said


_ELSEWHERE = getter([each.name for each in fields(Table) if each.name != "files"])  # wherever its files lie

_PARTS = _Parts({Table: _ELSEWHERE, model.Reason: _reason, model.Condition: _condition, model.Argument: _argument})
