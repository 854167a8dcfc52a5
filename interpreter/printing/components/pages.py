"""The pages as HTML: what there is and a ruler, the sheets with their backs, boards, tracks, and score pads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby

from attrs import frozen

from ...words.words import Words, marked
from .boards import Board, shelved
from .contents import Changed, contents
from .markup import Markup, element, style
from .sheets import MARGIN, MARKS, OVERLAP, Arrangement, Paper, Place, Window, arranged, mirrored, windows
from .supply import Design, Supply

_SMALL_BLEED = 1.5  # of pieces, which lie close together
_ROUND_LIMIT = 20.0  # millimetres up to which a component is small
_PAD_ROW = 10.0
_PAD_GAP = 8.0  # between two score sheets
_STYLE = files(__name__.rpartition(".")[0]) / "sheets.css"


@frozen
class Setting:
    """How it is printed. ``bleed``: in millimetres, around each component; ``backs``: whether on both sides."""

    paper: Paper
    bleed: float = 3.0
    backs: bool = True


@frozen
class Sheet:
    """A sheet of components: a design for each place, as far as there are any."""

    arrangement: Arrangement
    designs: tuple[Design, ...]

    @property
    def has_backs(self) -> bool:
        return any(design.back for design in self.designs)


def document(supply: Supply, setting: Setting, look: str, words: Words, changed: Changed | None = None) -> str:
    """A whole document. ``look``: the style sheet of the game; ``changed``: since another file, where only that is printed."""
    paper = setting.paper
    page = f"@page {{ size: {paper.width}mm {paper.height}mm; margin: 0; }} @page contents {{ margin: 15mm; }}"
    page += f" .sheet {{ width: {paper.width}mm; height: {paper.height}mm; }}"
    sheets = sheets_of(supply.designs, setting)
    sides = _sides(supply, sheets, setting, words, changed)
    first = contents(supply, [(sheet.designs, sheet.arrangement) for sheet in sheets], setting.backs, words, changed)
    safe = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
    head = element(
        "head",
        {},
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": safe}),
        element("title", {}, supply.title),
        element("style", {}, Markup(page + "\n" + _STYLE.read_text(encoding="utf-8"))),
        element("style", {}, Markup(look)),
    )
    return f"<!doctype html>\n{element('html', {'lang': words.language}, head, element('body', {}, first, *sides))}\n"


def sheets_of(designs: Mapping[Design, int], setting: Setting) -> list[Sheet]:
    """The sheets that hold all components: those of one size together, in their order. Each size must have room on the paper."""
    found: list[Sheet] = []
    each = [design for design, copies in designs.items() for _ in range(copies)]
    sizes = list(dict.fromkeys((design.size.width, design.size.height) for design in each))
    each.sort(key=lambda design: sizes.index((design.size.width, design.size.height)))
    for (width, height), some in groupby(each, key=lambda design: (design.size.width, design.size.height)):
        arrangement = arrangement_of(width, height, setting)
        assert arrangement is not None, "sizes are checked before"
        alike = list(some)
        many = len(arrangement.places)
        found += [Sheet(arrangement, tuple(alike[at : at + many])) for at in range(0, len(alike), many)]
    return found


def arrangement_of(width: float, height: float, setting: Setting) -> Arrangement | None:
    """How components of a size lie on a sheet: with less bleed where they would have no room with all of it."""
    bleed = min(setting.bleed, _SMALL_BLEED) if max(width, height) <= _ROUND_LIMIT else setting.bleed
    return arranged(width, height, setting.paper, bleed) or arranged(width, height, setting.paper, 0)


def _sides(supply: Supply, sheets: Sequence[Sheet], setting: Setting, words: Words, changed: Changed | None) -> Iterator[Markup]:
    """All pages behind the first ones. Where sheets have backs, each page that has none is followed by an empty one."""
    both = setting.backs and any(sheet.has_backs for sheet in sheets)
    first = True
    for number, sheet in enumerate(sheets, 1):
        yield _front(sheet, _named(sheet, words, number, len(sheets), marked("front")), setting, both and first)
        first = False
        if both:
            yield _back(sheet, _named(sheet, words, number, len(sheets), marked("back")), setting)
    others = [*_boards(supply.boards if changed is None else changed.boards, setting.paper, words)]
    if changed is None and supply.terms:
        others += _score_pads(supply, setting.paper, words)
    for number, page in enumerate(others, 1):
        yield page
        if both and number < len(others):
            yield element("div", {"class": "sheet"})


def _named(sheet: Sheet, words: Words, number: int, total: int, side: str) -> str:
    kinds = dict.fromkeys(words.name(design.role, design.kind) for design in sheet.designs)
    name = ", ".join(list(kinds)[:2])[:40]
    return f"{name} · {number}/{total} · {words.phrase(side)}"


def _front(sheet: Sheet, name: str, setting: Setting, first: bool) -> Markup:
    places = sheet.arrangement.places
    slots = (
        _slot(design, design.front, place, sheet.arrangement.bleed, 90)
        for design, place in zip(sheet.designs, places, strict=False)
    )
    return element(
        "div",
        {"class": "sheet first" if first else "sheet"},
        *slots,
        *_marks(sheet.arrangement, len(sheet.designs), setting.paper),
        _said(name),
    )


def _back(sheet: Sheet, name: str, setting: Setting) -> Markup:
    paper, bleed = setting.paper, sheet.arrangement.bleed
    pairs = zip(sheet.designs, sheet.arrangement.places, strict=False)
    slots = (_slot(design, design.back, mirrored(place, paper), bleed, -90) for design, place in pairs if design.back)
    return element("div", {"class": "sheet"}, *slots, _said(name))


def _slot(design: Design, side: Markup, place: Place, bleed: float, turn: int) -> Markup:
    """A component in its box with the bleed. A turned one is placed upright around the middle of its box, and then turned."""
    width, height = design.size.width + 2 * bleed, design.size.height + 2 * bleed
    at = {
        "left": _mm(place.x + place.width / 2 - width / 2),
        "top": _mm(place.y + place.height / 2 - height / 2),
        "width": _mm(width),
        "height": _mm(height),
        "--w": _mm(design.size.width),
        "--h": _mm(design.size.height),
        "--size": _mm(design.size.letters),
        "--bleed": _mm(bleed),
        **({"transform": f"rotate({turn}deg)"} if place.turned else {}),
    }
    inside = element("div", {"class": "zone", "data-zone": design.zone}, side) if design.zone else side
    return element("div", {"class": "slot", "style": style(at)}, inside)


def _marks(arrangement: Arrangement, number: int, paper: Paper) -> Iterator[Markup]:
    """Cut marks in the margins."""
    across, down = arrangement.cuts(number)
    long = min(4.0, across[0] - arrangement.bleed - MARGIN), min(4.0, down[0] - arrangement.bleed - MARGIN)
    for x in across:
        for top in (MARGIN, paper.height - MARGIN - long[1]):
            yield _mark(x - 0.075, top, 0.15, long[1])
    for y in down:
        for left in (MARGIN, paper.width - MARGIN - long[0]):
            yield _mark(left, y - 0.075, long[0], 0.15)


def _mark(x: float, y: float, width: float, height: float) -> Markup:
    return element(
        "i", {"class": "mark", "style": style({"left": _mm(x), "top": _mm(y), "width": _mm(width), "height": _mm(height)})}
    )


def _said(name: str) -> Markup:
    return element("div", {"class": "said"}, name)


def _boards(boards: Sequence[Board], paper: Paper, words: Words) -> Iterator[Markup]:
    """Large boards on pages of their own, or on several; small ones together."""
    room = paper.width - 2 * (MARGIN + MARKS), paper.height - 2 * (MARGIN + MARKS)
    small = [board for board in boards for _ in range(board.copies) if board.width <= room[0] and board.height <= room[1]]
    for board in boards:
        turned = board.width > room[0] and board.height <= room[0] and board.width <= room[1]
        if board in small:
            continue
        for _ in range(board.copies):
            if turned:
                yield _lying(board, paper)
                continue
            parts = windows(board.width, board.height, paper)
            yield from (
                _window(board, part, paper, max(p.column for p in parts), max(p.row for p in parts), words) for part in parts
            )
    for shelf in shelved(small, *room):
        used = max(top + board.height for top, board in shelf)
        start = (paper.height - used) / 2 if len(shelf) == 1 else MARGIN + MARKS
        placed = (_placed(board, (paper.width - board.width) / 2, start + top) for top, board in shelf)
        names = ", ".join(dict.fromkeys(board.name for _, board in shelf))
        yield element("div", {"class": "sheet"}, *placed, _said(names[:80]))


def _placed(board: Board, x: float, y: float, **more: str) -> Markup:
    at = {"left": _mm(x), "top": _mm(y), "width": _mm(board.width), "height": _mm(board.height), **more}
    return element("div", {"class": "window", "style": style(at)}, element("div", {}, board.content))


def _lying(board: Board, paper: Paper) -> Markup:
    """A board on its side."""
    x, y = (paper.width - board.width) / 2, (paper.height - board.height) / 2
    return element("div", {"class": "sheet"}, _placed(board, x, y, transform="rotate(90deg)"), _said(board.name))


def _window(board: Board, part: Window, paper: Paper, last_column: int, last_row: int, words: Words) -> Markup:
    """A page of a board that needs several, with lines where the next page is glued on."""
    left, top = (paper.width - part.width) / 2, (paper.height - part.height) / 2
    box = {"left": _mm(left), "top": _mm(top), "width": _mm(part.width), "height": _mm(part.height)}
    inside = element("div", {"style": style({"left": _mm(-part.x), "top": _mm(-part.y)})}, board.content)
    joins = []
    if part.column < last_column:
        at = {"left": _mm(left + part.width - OVERLAP), "top": _mm(top), "height": _mm(part.height), "border-left-width": "0.3mm"}
        joins.append(element("i", {"class": "join", "style": style(at)}))
    if part.row < last_row:
        at = {"left": _mm(left), "top": _mm(top + part.height - OVERLAP), "width": _mm(part.width), "border-top-width": "0.3mm"}
        joins.append(element("i", {"class": "join", "style": style(at)}))
    place = words.phrase(
        "row {row}, column {column}; glue the next page on along the dashed line", row=part.row + 1, column=part.column + 1
    )
    return element(
        "div",
        {"class": "sheet"},
        element("div", {"class": "window", "style": style(box)}, inside),
        *joins,
        _said(f"{board.name} · {place}"),
    )


def _score_pads(supply: Supply, paper: Paper, words: Words) -> Iterator[Markup]:
    """Score sheets: as many below one another as have room, four at the most; one of very many lines goes on on the next page."""
    room = paper.height - 2 * (MARGIN + MARKS)
    lines = [*supply.terms, words.phrase("sum")]
    most = int(room / _PAD_ROW) - 1
    for start in range(0, len(lines), most):
        some = lines[start : start + most]
        high = (len(some) + 1) * _PAD_ROW
        many = min(4, int((room + _PAD_GAP) / (high + _PAD_GAP))) if len(lines) <= most else 1
        pads = [_pad(some, supply.players, paper, words, MARGIN + MARKS + n * (high + _PAD_GAP)) for n in range(many)]
        yield element("div", {"class": "sheet"}, *pads, _said(words.phrase("score sheet")))


def _pad(lines: Sequence[str], players: int, paper: Paper, words: Words, top: float) -> Markup:
    """A table with a row for each line and a column for each player. The last row is set off."""
    names = (element("th", {}, words.phrase("player {number}", number=seat)) for seat in range(1, players + 1))
    row = {"style": style({"height": _mm(_PAD_ROW)})}
    head = element("thead", {}, element("tr", row, element("th", {}, words.phrase("score sheet")), *names))
    empty = [element("td", {})] * players
    rows = [element("tr", row, element("th", {"style": _fitted(line)}, line), *empty) for line in lines]
    wide = paper.width - 2 * (MARGIN + MARKS)
    first = max(40.0, wide / (players + 2))
    columns = [element("col", {"style": style({"width": _mm(first)})}), *[element("col", {})] * players]
    box = {"left": _mm(MARGIN + MARKS), "top": _mm(top), "width": _mm(wide)}
    return element(
        "table", {"class": "pad", "style": style(box)}, element("colgroup", {}, *columns), head, element("tbody", {}, *rows)
    )


def _fitted(line: str) -> str | None:
    """Smaller letters for a line that has no room otherwise."""
    return None if len(line) <= 28 else style({"font-size": _mm(max(1.6, 4 * 28 / len(line)))})


def _mm(length: float) -> str:
    return f"{length:.3f}mm"


__all__ = ["Setting", "Sheet", "arrangement_of", "document", "sheets_of"]
