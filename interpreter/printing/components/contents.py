"""The first page: what there is, how many of it for each number of players, how to print it, and a ruler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import frozen

from ...words.words import Words, marked
from .boards import Board
from .markup import Markup, element, style, together
from .sheets import Arrangement
from .supply import Design, Supply

_NAMED = 80  # components that are named one by one


@frozen(eq=False)
class Changed:
    """What is not as it was in another file: ``designs`` and ``boards`` to be printed, with how many copies; how many components
    are ``kept`` as they were; ``gone``: the names of those that are no longer needed."""

    since: str
    designs: Mapping[Design, int]
    boards: tuple[Board, ...]
    kept: int
    gone: tuple[str, ...]

    @property
    def is_nothing(self) -> bool:
        return not (self.designs or self.boards or self.gone)


def contents(
    supply: Supply, sheets: Sequence[tuple[Sequence[Design], Arrangement]], backs: bool, words: Words, changed: Changed | None
) -> Markup:
    """The first pages. ``sheets``: the designs on each sheet, and how they lie."""
    fit = max(0.4, min(1.0, 14 / max(1, *(len(word) for word in supply.title.split())) if supply.title.split() else 1.0))
    over = backs and any(design.back for designs, _ in sheets for design in designs)
    both, one = marked("Print on both sides and turn the paper over along its long edge."), marked("Print on one side.")
    how = words.phrase(both if over else one)
    ticks = (
        element("i", {"style": style({"left": f"{n * 10 - 0.1:g}mm", "height": "4mm" if n in (0, 5) else "2mm"})})
        for n in range(1, 5)
    )
    return element(
        "section",
        {"class": "contents"},
        element("h1", {"style": style({"--fit": f"{fit:.3g}"})}, supply.title),
        element("p", {"class": "under"}, words.phrase("Components to print and cut out")),
        *(_changed(changed, words) if changed else ()),
        element("h2", {}, words.phrase("How to print")),
        element("p", {}, words.phrase("Print at actual size (100 %), without fitting to the page."), " ", how),
        element("p", {}, words.phrase("Cut along the marks at the edges of each sheet. Colour beyond the marks is bleed.")),
        element("div", {"class": "ruler"}, *ticks),
        element("p", {}, words.phrase("This ruler is 50 mm long. Measure it before you cut.")),
        element("h2", {}, words.phrase("What there is")),
        _table(supply, sheets, words),
        *_by_players(supply, words),
        *_not_printed(supply, words),
    )


def _table(supply: Supply, sheets: Sequence[tuple[Sequence[Design], Arrangement]], words: Words) -> Markup:
    """What is printed, by kind; with a column for each number of players where they differ."""
    counts = sorted(supply.by_players) if _differ(supply) else []
    printed: dict[tuple[str, str, float, float], int] = {}
    for designs, _ in sheets:
        for design in designs:
            key = words.name(design.role, design.kind), design.kind, design.size.width, design.size.height
            printed[key] = printed.get(key, 0) + 1
    columns = [words.phrase_for(count, "{number} player", "{number} players") for count in counts]
    head = element(
        "tr",
        {},
        element("th", {}, words.phrase("component")),
        element("th", {}, words.phrase("size")),
        element("th", {"class": "number"}, words.phrase("printed")),
        *(element("th", {"class": "number"}, column) for column in columns),
    )
    rows = []
    for (name, kind, width, height), number in printed.items():
        needed = [sum(n for one, n in supply.by_players[count].items() if one.kind == kind) for count in counts]
        cells = (element("td", {"class": "number"}, n) for n in (number, *needed))
        rows.append(element("tr", {}, element("td", {}, name), element("td", {}, f"{width:g} × {height:g} mm"), *cells))
    for board in supply.boards:
        empty = (element("td", {}) for _ in counts)
        size = f"{board.width:.0f} × {board.height:.0f} mm"
        rows.append(
            element(
                "tr",
                {},
                element("td", {}, words.phrase("{name} (board)", name=board.name)),
                element("td", {}, size),
                element("td", {"class": "number"}, board.copies),
                *empty,
            )
        )
    return element("table", {}, element("thead", {}, head), element("tbody", {}, *rows))


def _differ(supply: Supply) -> bool:
    """Whether what is needed depends on the number of players."""
    tables = [dict(found) for found in supply.by_players.values()]
    return any(table != tables[0] for table in tables)


def _by_players(supply: Supply, words: Words) -> Iterator[Markup]:
    """What is added, and taken out, from each number of players to the next."""
    counts = sorted(supply.by_players)
    lines = []
    for before, count in pairwise(counts):
        old, new = supply.by_players[before], supply.by_players[count]
        number = words.phrase_for(count, "{number} player", "{number} players")
        for more, less, sign in ((new, old, "+"), (old, new, "−")):
            names = [(design, n - less.get(design, 0)) for design, n in more.items() if n > less.get(design, 0)]
            if names:
                lines.append(element("p", {}, element("b", {}, f"{number}: {sign} "), _names(names, words)))
    if lines:
        yield element("h2", {}, words.phrase("For each number of players"))
        yield from lines


def _names(found: Sequence[tuple[Design, int]], words: Words) -> str:
    said = [f"{n} × {design.name}" if n > 1 else design.name for design, n in found]
    more = [f"… ({len(said) - _NAMED})"] if len(said) > _NAMED else []
    return ", ".join([*said[:_NAMED], *more])


def _not_printed(supply: Supply, words: Words) -> Iterator[Markup]:
    lines = [
        words.phrase("Dice to be taken from elsewhere: {number} × {kind}", number=number, kind=words.name("kind", kind))
        for kind, number in supply.dice.items()
    ]
    lines += [words.phrase("Laid out on the table, without a board: {name}", name=name) for name in supply.laid]
    if supply.pencil:
        lines.append(words.phrase("To be kept with pencil and paper: {names}", names=", ".join(supply.pencil)))
    if lines:
        yield element("h2", {}, words.phrase("What else you need"))
        yield from (element("p", {}, line) for line in lines)


def _changed(changed: Changed, words: Words) -> Iterator[Markup]:
    yield element("p", {}, words.phrase("Only what has changed since: {file}", file=changed.since))
    kept = words.phrase_for(changed.kept, "{number} component is as it was.", "{number} components are as they were.")
    yield element("p", {}, kept)
    if changed.gone:
        shown = ", ".join(changed.gone[:_NAMED]) + (" …" if len(changed.gone) > _NAMED else "")
        yield element("p", {}, together(words.phrase("To be taken out: {names}", names=shown)))


__all__ = ["Changed", "contents"]
