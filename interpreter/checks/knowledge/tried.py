"""The dependencies of ``after this C``: what C reads, and what the option does to it."""

from __future__ import annotations

from collections.abc import Iterator

from ...model import model
from ...model.visitor import walk, walk_statements
from ...table.table import Table
from ..dataflow.dependence import read_names
from ..dataflow.sources import NOTHING, Reader, Sources


def tried(option: model.Option, test: model.Expr, reader: Reader, table: Table) -> Sources:
    """What a condition depends on by what its option does, where it asks ``after this``."""
    found = NOTHING
    for part in walk(test):
        if isinstance(part, model.After):
            asked = read_names(part.test, table)
            faces = {source.name for source in reader.sources(part.test)}
            found = found.union(*_sources(option.body, asked, faces, reader, table))
    return found


def _sources(body: model.Body, asked: set[str], faces: set[str], reader: Reader, table: Table) -> Iterator[Sources]:
    """``asked``: what the condition names; ``faces``: where it asks what lies."""
    for node in _done(body, table):
        match node:
            case model.Let(var=var, value=value):
                reader.faces[var] = reader.sources(value)
            case model.SetVariable(name=name, value=value) if name in asked:
                yield reader.sources(value)
            case model.Move(what=what, to=to) if to.zone in faces:
                yield reader.sources(what)
            case model.If(condition=condition, then=then, otherwise=otherwise) if _changes((*then, *otherwise), asked, table):
                yield reader.sources(condition)
            case model.Repeat(until=until, body=inside) if _changes(inside, asked, table):
                yield reader.sources(until)
            case _:
                pass


def _changes(body: model.Body, asked: set[str], table: Table) -> bool:
    """Whether statements change something of what is asked."""
    return any(
        (isinstance(node, model.SetVariable) and node.name in asked) or isinstance(node, model.Move | model.Lay)
        for node in _done(body, table)
    )


def _done(body: model.Body, table: Table) -> Iterator[model.Node]:
    """Statements, and those of the steps that they do."""
    seen: set[str] = set()
    todo: list[model.Body] = [body]
    while todo:
        for node in walk_statements(todo.pop(0)):
            yield node
            if isinstance(node, model.Do) and node.step not in seen:
                seen.add(node.step)
                todo.append(table.steps[node.step].body)
