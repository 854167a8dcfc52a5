"""The points and lines of a board, read from the lines under it: rows of a picture, names of points, and lines of points.

In a picture a point is an `o`, or a word, which is its name; `-`, `|`, `/` and `\\` draw the lines between points, and `+` is
where two lines cross without a point. An `o` is called by its column and row among those in which points stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from attrs import frozen

from ....common.source import Span
from ....syntax import tree
from ...boards import Board, Vector, board, column_name
from ..names.scope import Scope

POINTS_LIMIT = 1_024  # as many as cells of a grid
_WORD = re.compile(r"[^\W_]\w*")
_STEPS: tuple[tuple[str, Vector, Vector], ...] = (  # for each line: a step down and aside in the picture, and its axis
    ("-", (0, 1), (1, 0)),
    ("|", (1, 0), (0, 1)),
    ("\\", (1, 1), (-1, 1)),
    ("/", (1, -1), (1, 1)),
)
_SIGNS = {"-": "-", "|": "|", "/": "/", "\\": "\\", "+": "-|"}


@frozen
class _Point:
    row: int
    first: int
    last: int
    word: str


def board_of(line: tree.Board, scope: Scope) -> Board | None:
    """The board that the lines under a zone describe; None after a finding."""
    listed = {name.text for region in line.regions for name in region.names if not line.picture}
    count = sum(1 for _ in _points(line.picture)) + len(listed)
    if count > POINTS_LIMIT:
        said = f"`{line.names[0].text}` has {count:,} points; {POINTS_LIMIT:,} are allowed"
        scope.complain("R216", said, line.names[0].span, help="the largest boards in print have some hundreds")
        return None
    drawn: list[tuple[int, int, Vector]] = []
    names: list[str] = []
    places: list[tuple[int, int]] = []
    if line.picture:
        points = sorted(_points(line.picture), key=lambda point: (-point.row, point.first))
        links = _links(points, line.picture, scope)
        if links is None:
            return None
        drawn = links
        columns = sorted({point.first for point in points})
        rows = sorted({point.row for point in points}, reverse=True)
        places = [(columns.index(point.first), rows.index(point.row)) for point in points]
        for point, (column, row) in zip(points, places, strict=True):
            name = column_name(column) + str(row + 1) if point.word == "o" else point.word
            if name in names:
                _twice(name, _place(line.picture, point.row, point.first, point.last), scope)
                return None
            names.append(name)
    fine = True
    for region in line.regions:
        before = {*names} if region.region is not None else set()  # a point may lie in several regions
        for name_node in region.names:
            if line.picture and name_node.text not in names:
                scope.unknown(name_node.text, name_node.span, "point", {*names})
                fine = False
            elif name_node.text in before:
                before.remove(name_node.text)
            elif not line.picture and name_node.text in names:
                _twice(name_node.text, name_node.span, scope)
                fine = False
            elif not line.picture:
                names.append(name_node.text)
    if not names:
        if line.picture or line.chains:  # else something was said about the empty block
            help = "draw them, or name them: `rome, milan, turin`"
            scope.complain("R246", "this board has no points", line.names[0].span, help=help)
        return None
    joined = {frozenset((one, other)) for one, other, _ in drawn}
    lines: list[list[int]] = []
    numbers = {name: number for number, name in enumerate(names)}
    for chain in (each.names for each in line.chains):
        unknown = [each for each in chain if each.text not in numbers]
        for each in unknown:
            scope.unknown(each.text, each.span, "point", {*names})
        if unknown:
            fine = False
            continue
        lines.append([numbers[each.text] for each in chain])
        for one, other in pairwise(chain):
            pair = frozenset((numbers[one.text], numbers[other.text]))
            if len(pair) == 1 or pair in joined:
                twice = f"`{one.text}` and `{other.text}` are joined twice"
                said = twice if len(pair) > 1 else f"`{one.text}` is joined to itself"
                scope.complain("R202", said, other.span, help="each pair of points stands in one line")
                fine = False
            joined.add(pair)
    return board(names, places, drawn, lines) if fine else None


def _points(picture: tuple[tree.PictureRow, ...]) -> Iterator[_Point]:
    for row, drawn in enumerate(picture):
        for word in _WORD.finditer(drawn.text):
            yield _Point(row, word.start(), word.end() - 1, word[0])


def _links(points: list[_Point], picture: tuple[tree.PictureRow, ...], scope: Scope) -> list[tuple[int, int, Vector]] | None:
    """The links that are drawn, each along its axis; None after a finding about what leads nowhere."""
    at = {(point.row, column): number for number, point in enumerate(points) for column in range(point.first, point.last + 1)}
    found: dict[frozenset[int], tuple[int, int, Vector]] = {}
    used: set[tuple[int, int]] = set()

    def sign(row: int, column: int) -> str:
        inside = 0 <= row < len(picture) and 0 <= column < len(picture[row].text)
        return picture[row].text[column] if inside and (row, column) not in at else " "

    def ends(row: int, column: int, drawn: str) -> bool:
        return drawn in _SIGNS.get(sign(row, column), "")

    for start in ((row, column) for row, text in enumerate(picture) for column in range(len(text.text))):
        for drawn, (down, aside), axis in _STEPS:
            row, column = start
            if not ends(row, column, drawn) or ends(row - down, column - aside, drawn):
                continue
            path = []
            while ends(row, column, drawn):
                path.append((row, column))
                row, column = row + down, column + aside
            # a slanted line may end a letter beside the point, since letters are higher than wide
            last = next((at[row, column + more] for more in (0, aside * down) if (row, column + more) in at), None)
            row, column = start[0] - down, start[1] - aside
            first = next((at[row, column - more] for more in (0, aside * down) if (row, column - more) in at), None)
            if first is not None and last is not None:
                link = (first, last, axis) if drawn == "-" else (last, first, axis)
                found.setdefault(frozenset((first, last)), link)
                used.update(path)
    for row, text in enumerate(picture):
        for column, char in enumerate(text.text):
            if char == " " or (row, column) in at or (row, column) in used:
                continue
            here = _place(picture, row, column, column)
            if char in _SIGNS:
                help = "draw it from one point, an `o` or a name, to another"
                scope.complain("R246", "this line joins no two points", here, help=help)
            else:
                help = r"points are `o` or names; lines are drawn by `-`, `|`, `/` and `\`, and cross at a `+`"
                scope.complain("R246", f"`{char}` means nothing in a picture of a board", here, help=help)
            return None
    return list(found.values())


def _place(picture: tuple[tree.PictureRow, ...], row: int, first: int, last: int) -> Span:
    span = picture[row].span
    return Span(span.source, span.start + 1 + first, span.start + 2 + last)


def _twice(name: str, span: Span, scope: Scope) -> None:
    scope.complain("R202", f"two points are called `{name}`", span, help="give each point a name of its own")
