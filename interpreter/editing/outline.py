"""The structure of a rules file: an outline of what it declares, blocks that can be folded, and the files that it names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from attrs import frozen

from ..common.source import Source, Span
from ..syntax import tree
from ..syntax.parsing.layout import LogicalLine, layout, refusal
from ..syntax.traverse import lines_within
from .workspace import Document

Shape = Literal["game", "kind", "place", "value", "table", "rule", "step", "score", "variant", "test"]

_SHAPES: Final[dict[type, Shape]] = {
    tree.Game: "game", tree.OptionDeclaration: "value", tree.ListDeclaration: "value", tree.Kind: "kind", tree.Zone: "place",
    tree.Grid: "place", tree.Board: "place", tree.Counter: "value", tree.Marker: "value", tree.TableDeclaration: "table",
    tree.Define: "rule", tree.Returns: "rule", tree.Setup: "step", tree.Phase: "step", tree.Step: "step", tree.StepHere: "step",
    tree.Whenever: "step", tree.Match: "game", tree.Teams: "game", tree.Position: "rule", tree.Score: "score",
    tree.ScoreTerm: "score", tree.Majority: "score", tree.AddToScore: "score", tree.Winner: "score", tree.Variant: "variant",
    tree.Test: "test", tree.Choose: "rule", tree.Option: "rule", tree.Auction: "rule",
}  # fmt: skip


@frozen
class Entry:
    """One thing in the outline: its name (``name_span``) and all of its lines (``span``), with what is inside of it."""

    name: str
    shape: Shape
    span: Span
    name_span: Span
    inside: tuple[Entry, ...]


@frozen
class Fold:
    """Lines (from 1) that can be shown as the first of them."""

    first: int
    last: int
    comment: bool = False


@frozen
class Link:
    """The name of another file in the text, and the file."""

    span: Span
    path: Path


def outline(document: Document) -> list[Entry]:
    """What the file declares, in its order."""
    parsed = document.parsed.tree
    if parsed is None:
        return []
    lines: list[tree.Line] = [*parsed.variants, *parsed.tests]
    lines += [parsed.game, *parsed.declarations] if isinstance(parsed, tree.Tree) else []
    lines = [line for line in lines if line.span.text]
    return [entry for line in sorted(lines, key=lambda line: line.span.start) for entry in _entries(line)]


def _entries(line: tree.Line) -> Iterator[Entry]:
    shape = _SHAPES.get(type(line))
    match line:
        case tree.Replace(declaration=declaration):
            yield from _entries(declaration)
            return
        case tree.Insert():
            yield Entry(f"{line.where} {line.step.text}", "step", _whole(line), line.step.span, tuple(_inside(line)))
            return
    if shape is None:
        yield from _inside(line)
        return
    names = getattr(line, "names", None)
    if names and not isinstance(line, tree.Position):
        for name in names:
            yield Entry(name.text, shape, _whole(line), name.span, ())
        return
    name = getattr(line, "name", None) or getattr(line, "verb", None)
    if isinstance(name, tree.Name) and name.span.text:
        yield Entry(name.text, shape, _whole(line), name.span, tuple(_inside(line)))
    elif isinstance(line, tree.Test):
        yield Entry(line.title, shape, _whole(line), line.span, ())
    else:
        first_line = line.span.text.split("\n", 1)[0].split("#", 1)[0].strip()
        yield Entry(first_line, shape, _whole(line), line.span, tuple(_inside(line)))


def _inside(line: tree.Line) -> Iterator[Entry]:
    """Named things below a line: steps, options, score terms."""
    for inner in lines_within(line):
        if inner is not line and isinstance(inner, tree.StepHere | tree.Option | tree.ScoreTerm | tree.Majority):
            name = inner.verb if isinstance(inner, tree.Option) else inner.name
            yield Entry(name.text, _SHAPES[type(inner)], _whole(inner), name.span, ())


def _whole(line: tree.Line) -> Span:
    return Span(line.span.source, line.span.start, max(inner.span.end for inner in lines_within(line)))


def folds(document: Document) -> list[Fold]:
    """Blocks under a line, and comments of several lines."""
    source = document.source
    if refusal(source) is not None:
        return []
    return sorted([*_blocks(source, layout(source).lines), *_comments(source)], key=lambda fold: (fold.first, -fold.last))


def _blocks(source: Source, lines: list[LogicalLine]) -> Iterator[Fold]:
    for line in lines:
        last = line
        while last.children:
            last = last.children[-1]
        first, end = source.position(line.start)[0], source.position(max(last.end - 1, last.start))[0]
        if end > first:
            yield Fold(first, end)
        yield from _blocks(source, line.children)


def _comments(source: Source) -> Iterator[Fold]:
    first: int | None = None
    for number in range(1, len(source.line_starts) + 2):
        is_comment = number <= len(source.line_starts) and source.line(number).lstrip().startswith("#")
        if is_comment and first is None:
            first = number
        elif not is_comment and first is not None:
            if number - 1 > first:
                yield Fold(first, number - 1, comment=True)
            first = None


def links(document: Document) -> list[Link]:
    """The files that this one names."""
    parsed = document.parsed.tree
    found: list[tuple[Span, str]] = []
    if isinstance(parsed, tree.Extension):
        found.append((parsed.extends.span, parsed.extends.path))
    for line in lines_within(() if parsed is None else (getattr(parsed, "declarations", ()), parsed.variants)):
        rows = line.rows if isinstance(line, tree.Kind) else line.file if isinstance(line, tree.TableDeclaration) else None
        if isinstance(rows, tree.FromFile):
            found.append((rows.span, rows.path))
    return [
        Link(Span(span.source, at, at + len(path)), document.path.parent / PurePosixPath(path))
        for span, path in found
        if (at := span.source.text.find(path, span.start, span.end + len(path) + 2)) >= 0
    ]
