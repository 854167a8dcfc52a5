"""The value of a word, a number or a bracket: ``crown``, ``none``, ``[crown 4]``, ``every hand``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from attrs import evolve

from ....common.diagnostics import did_you_mean
from ....common.nouns import with_article
from ....common.source import Span
from ....syntax import tree
from ... import model
from ...model import PLAYER, TRUTH, TWIN, UNKNOWN, Const, Expr, Type
from ..names.scope import Scope, unclear
from ..names.types import every_value

WAYS = 200  # to read the values of a component in; those with seven attributes of equal numbers have as many


def special(word: str, span: Span, expected: Type | None) -> Expr:
    match word:
        case "yes" | "no":
            return Const(int(word == "yes"), type=TRUTH, span=span)
        case "empty":
            return Const(0, type=(expected.set if expected else UNKNOWN.set), span=span)
        case _:
            return Const(-1, type=(expected.required.maybe if expected and not expected.is_set else UNKNOWN.maybe), span=span)


def word(word: str, span: Span, scope: Scope, expected: Type | None) -> Expr:
    """A word of a list, by the expected list or the only one that has it."""
    lists = scope.lists_with(word)
    if expected is not None and expected.base == "word":
        wanted_list = next((x for x in lists if x.name == expected.of), None)
        if wanted_list is not None:
            return Const(wanted_list.words.index(word), type=Type("word", expected.of), span=span)
        owner = scope.symbol(expected.of)
        if not lists and isinstance(owner, model.WordList):
            of_this_list = {name for name, value in scope.locals.items() if value.type.required == expected.required}
            scope.could_be(word, of_this_list | set(owner.words))
            return scope.unknown(word, span, "", set(owner.words))
    if len(lists) == 1:
        return Const(lists[0].words.index(word), type=Type("word", lists[0].name), span=span)
    if not lists and (points := with_point(word, scope)):
        return _point(word, span, points, scope, expected)
    if not lists and CELL.fullmatch(word) and (scope.grids() or (expected is not None and expected.base == "cell")):
        return _cell(word, span, scope, expected)
    if not lists and "grid" in scope.faults.doubtful and CELL.fullmatch(word.lower()):
        return unclear(span)  # a cell of the grid whose line could not be read
    if not lists:
        return scope.unknown(word, span)
    names = " and ".join(f"`{x.name}`" for x in lists)
    scope.complain(
        "R211",
        f"`{word}` is a word of {names}, and it is not clear which is meant",
        span,
        help=f"it is clear where it is compared: `... is {word}`",
    )
    return unclear(span)


SHOWN = 40  # points of a board that are listed where a name is none of them
HOW_TO_SAY_WHICH = "it is clear where one grid is asked for: compared with a cell of it, or given to what has `cell in GRID`"
CELL = re.compile("([a-z]{1,2})([1-9][0-9]{0,3})")


def _cell(word: str, span: Span, scope: Scope, expected: Type | None) -> Expr:
    """``d4``: of the grid that is expected, or of the only one."""
    grids = scope.grids()
    if expected is not None and expected.base == "cell":
        grid = expected.of
    elif len(grids) == 1:
        grid = grids[0].name
    else:
        names = " or ".join(f"`{grid.name}`" for grid in grids)
        scope.complain("R249", f"`{word}` can be a cell of {names}", span, help=HOW_TO_SAY_WHICH)
        return unclear(span)
    found = scope.symbol(grid)
    if isinstance(found, model.Grid) and found.board is not None:
        shown = f"its points are {', '.join(found.board.names)}"
        help = did_you_mean(word, found.board.names, shown if len(found.board.names) <= SHOWN else "")
        scope.complain("R248", f"there is no point {word} on {grid}", span, *scope.where_declared(grid), help=help)
        return unclear(span)
    return cell_named(word, grid, span)


def with_point(word: str, scope: Scope) -> list[model.Grid]:
    """The boards with a point of this name."""
    return [grid for grid in scope.grids() if grid.board is not None and word in grid.board.names]


def _point(word: str, span: Span, boards: list[model.Grid], scope: Scope, expected: Type | None) -> Expr:
    """A point by its name: of the board that is expected, or of the only one; a grid of cells may have a cell of that name."""
    if expected is not None and expected.base == "cell":
        here = [grid for grid in boards if grid.name == expected.of]
        if not here:
            return _cell(word, span, scope, expected)
        boards = here
    elif CELL.fullmatch(word):
        boards = [*boards, *(grid for grid in scope.grids() if grid.board is None)]
    if len(boards) > 1:
        return _cell(word, span, scope, None)
    assert boards[0].board is not None
    return model.CellNamed(boards[0].board.names.index(word), 0, type=Type("cell", boards[0].name), span=span)


def cell_named(word: str, grid: str, span: Span) -> model.CellNamed:
    """The cell with a name such as ``d4``; ``grid`` "": of whichever grid is meant."""
    found = CELL.fullmatch(word)
    if found is None:
        return model.CellNamed(0, 0, type=Type("cell", grid), span=span)  # a point of some board, known by its name alone
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - ord("a") + 1
    return model.CellNamed(column - 1, int(found[2]) - 1, type=Type("cell", grid), span=span)


def pick(node: tree.Pick, scope: Scope, expected: Type | None) -> Expr:
    """``[crown 4]``: the kind of which a component has these values, each for a different attribute.

    Of several ways to read them the first counts in which there is such a component; the earlier attributes come first.
    """
    node, named = _kind_said(node, scope)
    kinds = [kind for kind in scope.by_sort().kinds if named in (None, kind.name)]
    if expected is not None and expected.base == "component":
        among = expected.only
        kinds = [kind for kind in kinds if (kind.name in among if among else expected.of in (kind.name, kind.joint))]
    read = {kind.name: _first_ways_of(node.values, kind, scope) for kind in kinds}
    there = {kind.name: [way for way in read[kind.name] if _is_there(way, kind, scope)][:1] for kind in kinds}
    fitting = [(name, way) for found in (there, read) for name, ways in found.items() for way in ways[:1]]
    possible = sum(map(len, there.values())) or len(fitting)
    if not fitting and scope.faults.damaged:
        return unclear(node.span)
    if not fitting:
        text = node.span.text
        known = {w for k in kinds for a in k.attributes for w in words_of(a.domain.type, scope)}
        missing = [str(v) for v in node.values if isinstance(v, str) and v not in known]
        if missing and (value := scope.local(missing[0])) is not None:
            filters = [f"every {k.name} with {a.name}" for k in kinds for a in k.attributes if a.domain.type == value.type]
            scope.complain(
                "R212",
                f"in `[...]` stand values as they are printed, and `{missing[0]}` is one that changes",
                node.span,
                help=f"write `{next(iter(filters), 'every card with suit')} {missing[0]}`",
            )
            return unclear(node.span)
        if missing and isinstance(scope.symbol(missing[0]), model.Kind):
            help = f"write `any {missing[0]} from SET` or `every {missing[0]}`; as an argument in a test, just `{missing[0]}`"
            message = f"in `[...]` stand values as they are printed, and `{missing[0]}` is a kind of component"
            scope.complain("R212", message, node.span, help=help)
            return unclear(node.span)
        if missing:
            return scope.unknown(missing[0], node.span, "value", known)
        scope.complain("R212", f"no component can be {text}", node.span, help="name values of its attributes, such as [crown 4]")
        return unclear(node.span)
    if possible > 1:
        names = " or ".join(with_article(name) for name, _ in fitting[:possible])
        said = f"[{fitting[0][0]} {' '.join(map(str, node.values))}]"
        help = f"name values that only one of them has, or say the kind first: `{said}`"
        scope.complain("R213", f"{node.span.text} can be {names}", node.span, help=help)
        return unclear(node.span)
    kind_name, values = fitting[0]
    type = scope.component(kind_name)
    if type.only:
        values = ((kind_name, 1), *values)
    return model.Pick(values, type=type.set if node.all else type, span=node.span)


def _kind_said(node: tree.Pick, scope: Scope) -> tuple[tree.Pick, str | None]:
    """``[die 6]``: the values behind the name of a kind, and that name; a value that is called so comes before it."""
    first, *values = node.values
    kind = scope.symbol(first) if isinstance(first, str) else None
    if not values or not isinstance(kind, model.Kind) or scope.lists_with(kind.name):
        return node, None
    return evolve(node, values=tuple(values)), kind.name


def kinds_of(node: tree.Pick, names: Iterable[str], scope: Scope) -> list[Type]:
    """The kinds among these names of which a component can have the values."""
    node, named = _kind_said(node, scope)
    kinds = [kind for kind in map(scope.symbol, names) if isinstance(kind, model.Kind) and named in (None, kind.name)]
    return [scope.component(kind.name) for kind in kinds if any(_ways_of(node.values, kind, scope))]


def words_of(type: Type, scope: Scope) -> tuple[str, ...]:
    symbol = scope.symbol(type.of) if type.base == "word" else None
    return symbol.words if isinstance(symbol, model.WordList) else ()


def _first_ways_of(values: tuple[str | int, ...], kind: model.Kind, scope: Scope) -> tuple[tuple[tuple[str, int], ...], ...]:
    """The first ways to read values (see `_ways_of`), looked for once; but players have names that differ from place to place."""
    if any(attribute.domain.type == PLAYER for attribute in kind.attributes):
        return tuple(islice(_ways_of(values, kind, scope), WAYS))
    known, key = scope.by_sort().ways, (kind.name, values)
    if key not in known:
        known[key] = tuple(islice(_ways_of(values, kind, scope), WAYS))
    return known[key]


def _ways_of(values: tuple[str | int, ...], kind: model.Kind, scope: Scope) -> Iterator[tuple[tuple[str, int], ...]]:
    """The ways to read values as those of a component of a kind; of pieces that are printed alike the last can be the number."""
    yield from _ways(values, list(kind.attributes), scope)
    if kind.has_twins and isinstance(values[-1], int) and values[-1] > 0:
        for way in _ways(values[:-1], list(kind.attributes), scope):
            yield (*way, (TWIN, values[-1]))


def _ways(values: tuple[str | int, ...], free: list[model.Attribute], scope: Scope) -> Iterator[tuple[tuple[str, int], ...]]:
    """The ways in which attributes can have these values, each of them one; the earlier attributes come first."""
    if not values:
        yield ()
        return
    for attribute in free:
        one = _as_value(values[0], attribute, scope)
        if one is not None:
            others = [each for each in free if each is not attribute]
            yield from (((attribute.name, one), *rest) for rest in _ways(values[1:], others, scope))


def _as_value(value: str | int, attribute: model.Attribute, scope: Scope) -> int | None:
    """A word, number or player as a value of an attribute; None where it is none."""
    type = attribute.domain.type
    words = words_of(type, scope)
    if str(value) in words:
        return words.index(str(value))
    if type == PLAYER and isinstance(value, str):
        named = scope.local(value)
        if isinstance(named, Const) and named.type == PLAYER:
            return named.value
        return int(value.removeprefix("player ")) - 1 if value.startswith("player ") else None
    return value if isinstance(value, int) and type.base == "number" else None


def _is_there(way: tuple[tuple[str, int], ...], kind: model.Kind, scope: Scope) -> bool:
    """Whether a component of a kind has these values, as far as that is known before the game."""
    if kind.name in scope.faults.damaged:
        return True
    if kind.rows is not None:
        names = tuple(name for name, _ in way)
        there = scope.faults.rows.get((id(kind), names))
        if there is None:
            there = scope.faults.rows[id(kind), names] = {tuple(map(row.values.get, names)) for row in kind.rows}
        return tuple(value for _, value in way) in there
    way = tuple(pair for pair in way if pair[0] != TWIN)
    domains = {attribute.name: attribute.domain for attribute in kind.attributes}
    return all(
        (not domains[name].values or value in domains[name].values)
        and not (isinstance(low := domains[name].low, Const) and value < low.value)
        and not (isinstance(high := domains[name].high, Const) and value > high.value)
        for name, value in way
    )


def every(name: str, span: Span, scope: Scope) -> Expr:
    match scope.symbol(name):
        case model.Zone(owned=True, type=type):
            return model.ZoneContent(name, None, True, type=type.set, span=span)
        case model.Grid():
            scope.complain("R204", f"`{name}` is a grid: its cells are asked for one by one", span, help=f"write `{name} of ...`")
            return unclear(span)
        case model.Zone():
            declared = scope.where_declared(name)
            scope.complain("R206", f"there is only one `{name}`", span, *declared, help=f"write `{name}` without `every`")
            return unclear(span)
        case model.Kind() | model.WordList():
            return every_value(tree.Name(name, span=span), scope)
        case None if name == "player":
            scope.complain("R201", "all players together are `players`", span, help="write `players`, without `every`")
            return unclear(span)
        case None:
            zones = scope.names_of(model.Zone, model.Kind, model.WordList)
            return scope.unknown(name, span, "zone, kind or list", zones)
        case _:
            scope.complain("R204", f"`{name}` is no zone, no kind of component and no list", span)
            return unclear(span)
