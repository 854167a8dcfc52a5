"""The table on one screen: the task, the grids in colour, what lies elsewhere, the scores, and what happened last.

A screen is drawn anew before each line that is typed. What does not fit is left out, the least urgent first, and a word says how
to see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from attrs import field, frozen
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ..common.diagnostics import RulesError
from ..common.display import safe
from ..common.nouns import spoken
from ..model.boards import column_name
from ..play.game import Game
from ..play.knowledge.views import NO_POINT, View, ZoneSeen, columns_and_rows, square_name, value_lines, zone_line, zone_name
from ..play.narration import headings
from ..play.page import SPACED, Line, Page, begun
from ..play.result import team_of
from .options import Spot
from .seat import Session
from .terminal import JOINED, joined, names_of, seat_colour

WIDTH, HEIGHT = 60, 20  # of the smallest terminal on which a screen is drawn
NEWS = 8  # lines of what happened last, where there is room
LEAST_NEWS, LEAST_OTHERS, LEAST_OPTIONS = 3, 1, 3  # lines that are left where there is none
MESSAGE = 4  # lines of an answer that are shown on the screen; a longer one is a page of its own
HUES = (208, 39, 178, 70, 170, 44, 203, 141, 107, 180, 75, 215)  # colours of words, of 256, readable on dark and light
BOX = "box of "  # where components lie that are not in the game
GAP = "   "  # between two grids side by side


def screen(session: Session, width: int, height: int, message: Page = ()) -> list[Text]:
    """The lines of a screen for the person at a session. ``message``: an answer to what they typed last."""
    view = session.state.view(session.seat)
    drawn, spots = _Drawn(session.state.game, session.seat, width), session.offer.spots()
    grids, legend = drawn.grids(view, spots)
    marked = any(spot.grid == zone.name for spot in spots for zone in view.zones if zone.cells)
    own, others = drawn.zones(view)
    options = drawn.options([*session.offer.numbered(marked)])
    title, told = drawn.title(session), drawn.news(session.recent)
    answer = [drawn.cut(Text(safe(begun(line)), "bold yellow")) for line in message if isinstance(line, Line)]
    task, scores = drawn.task(session), drawn.scores(session)
    room = height - 1 - sum(map(len, (title, grids, legend, own, answer, task, scores)))  # the last line is for typing
    if room < LEAST_NEWS + LEAST_OTHERS + LEAST_OPTIONS:
        room += len(legend)
        legend.clear()
    kept = _shared(room, [(min(NEWS, len(told)), LEAST_NEWS), (len(others), LEAST_OTHERS), (len(options), LEAST_OPTIONS)])
    words = session.state.game.words
    told = drawn.last(told, kept[0], words.phrase("`log` tells all"))
    others = drawn.first(others, kept[1], words.phrase("`view` shows more"))
    options = drawn.first(options, kept[2], words.phrase("`options` lists all"))
    return [*title, *told, *grids, *legend, *own, *others, *scores, *task, *options, *answer]


def _shared(room: int, parts: Sequence[tuple[int, int]]) -> list[int]:
    """How many lines each part gets, the last one first: those that it needs, then those that it has. A part: its lines, and how
    many are needed. The last gets one at least."""
    given = [0] * len(parts)
    for needs in (True, False):
        for number in reversed(range(len(parts))):
            count, needed = parts[number]
            more = max(0, min(room, (min(count, needed) if needs else count) - given[number]))
            given[number], room = given[number] + more, room - more
    return [*given[:-1], max(1, given[-1])]


@frozen
class _Drawn:
    """Parts of a screen as lines that fit its width."""

    game: Game
    seat: int
    width: int
    console: Console = field(factory=lambda: Console(width=200, color_system=None))

    def cut(self, text: Text) -> Text:
        text = text.copy()
        text.truncate(self.width - 1, overflow="ellipsis")
        return text

    def wrapped(self, text: Text, indent: int = 4) -> list[Text]:
        """A text on as many lines as it needs; no name is broken."""
        text.plain = joined(text.plain, names_of(self.game))
        lines = text.wrap(self.console, self.width - 1 - indent)
        for line in lines:
            line.rstrip()
            line.plain = line.plain.replace(JOINED, " ")
        return [line if not number else Text(" " * indent) + line for number, line in enumerate(lines)]

    def first(self, lines: Sequence[Text], count: int, more: str) -> list[Text]:
        """The first lines, and a word on the others."""
        if len(lines) <= count or not count:
            return list(lines[:count])
        return [*lines[: max(0, count - 1)], Text(f"    … {more}", "dim")]

    def last(self, lines: Sequence[Text], count: int, more: str) -> list[Text]:
        if len(lines) <= count or not count:
            return list(lines[:count])
        return [Text(f"  … {more}", "dim"), *lines[len(lines) - max(0, count - 1) :]]

    def title(self, session: Session) -> list[Text]:
        events = session.state.events
        where = [line.text for line in headings(self.game, events, len(events))]
        name = self.game.words.phrase("you are {player}", player=self.game.seat_names[self.seat - 1])
        you = Text(name, f"bold {seat_colour(self.seat)}")
        text = Text(safe(self.game.title()), "bold reverse")
        return [self.cut(Text(" · ").join([text, *([Text(safe(", ".join(where)))] if where else []), you]))]

    def news(self, page: Page) -> list[Text]:
        """What happened, a line each, without headings: these are in the title."""
        lines = []
        for item in page:
            if not isinstance(item, Line) or item.style in SPACED:
                continue
            text = Text(safe(item.text), "dim" if item.style == "note" else "")
            if item.name:
                text = Text.assemble((f"{safe(item.name)}: ", f"bold {seat_colour(item.player)}"), text)
            lines.append(self.cut(Text("    " if item.style == "note" else "  ") + text))
        return lines

    def task(self, session: Session) -> list[Text]:
        about, words = session.state.about, self.game.words
        task = words.phrase("Your turn: {task}", task=about) if about else words.phrase("Your turn")
        return [self.cut(Text(safe(task), "bold underline"))]

    def options(self, numbered: Sequence[str]) -> list[Text]:
        """The options, side by side where they are short."""
        texts = [safe(line.strip()) for line in numbered]
        wide = max(map(cell_len, texts), default=1) + 3
        columns = max(1, (self.width - 1) // wide)
        if columns > 1 and len(texts) > 2:
            down = -(-len(texts) // columns)  # numbers go down the columns
            rows = [[texts[at] for at in range(row, len(texts), down)] for row in range(down)]
            return [Text("  " + "".join(text + " " * (wide - cell_len(text)) for text in row).rstrip()) for row in rows]
        return [line for text in texts for line in self.wrapped(Text(f"  {text}"))]

    def zones(self, view: View) -> tuple[list[Text], list[Text]]:
        """A person's own things; and those of the others and of the table, the values among them."""
        names = self.game.seat_names
        there = [zone for zone in view.zones if not zone.cells and zone.count]
        open_to_all = {zone.name for zone in self.game.machine.zones if zone.visibility == "open"}
        mine = [zone for zone in there if zone.owner == self.seat and zone.name not in open_to_all]
        own = [line for zone in mine for line in self.wrapped(Text(safe(zone_line(zone, view, names))))]
        unknown: dict[str, dict[int, list[str]]] = {}
        words = self.game.words
        known: list[str] = []
        boxes: list[str] = []
        for zone in there:
            if zone in mine:
                continue
            if zone.owner and not zone.components and not zone.removed:
                unknown.setdefault(zone.label or spoken(zone.name), {}).setdefault(zone.count, []).append(names[zone.owner - 1])
            else:
                (boxes if zone.name.startswith(BOX) else known).append(zone_line(zone, view, names, False))
        hidden = [
            words.phrase(
                "{zone} of {owner}",
                zone=name,
                owner="; ".join(
                    f"{words.row(whose)}: {words.phrase('{number} unknown', number=count)}" for count, whose in found.items()
                ),
            )
            for name, found in unknown.items()
        ]
        yours, values = value_lines(view, names, team_of(self.game, self.seat))
        own += [line for text in yours for line in self.wrapped(Text(safe(text)))]
        return own, [line for text in (*known, *hidden, *values, *boxes) for line in self.wrapped(Text(safe(text)))]

    def scores(self, session: Session) -> list[Text]:
        try:
            sums = session.state.scores_seen(self.seat)
        except RulesError:
            return []
        text, you = Text(self.game.words.phrase("scores")), self.game.words.phrase("you")
        for seat, value in enumerate(sums, 1):
            name = you if seat == self.seat else self.game.seat_names[seat - 1]
            text += Text("  ") + Text(safe(name), f"bold {seat_colour(seat)}") + Text(f" {'?' if value is None else value}")
        return [self.cut(text)]

    # ---- Grids

    def grids(self, view: View, spots: Sequence[Spot]) -> tuple[list[Text], list[Text]]:
        """The grids, side by side as far as they fit, one's own first; and what their marks mean."""
        zones = [zone for zone in view.zones if zone.cells]
        zones.sort(key=lambda zone: zone.owner != self.seat)
        rows: list[list[list[Text]]] = []
        legend: dict[str, str] = {}
        for zone in zones:
            marks, meanings = marks_of(self.game, zone.name)
            legend |= meanings
            drawn = self.grid(zone, view, marks, spots)
            if rows and sum(_wide(each) + len(GAP) for each in [*rows[-1], drawn]) <= self.width:
                rows[-1].append(drawn)
            else:
                rows.append([drawn])
        lines = [self.cut(line) for row in rows for line in _beside(row)]
        told = ", ".join(f"{mark} {word}" for mark, word in legend.items())
        if any(spot.grid in {zone.name for zone in zones} for spot in spots):
            words = self.game.words
            told = words.row(filter(None, (words.phrase("+ is open to you"), told)))
        return lines, [self.cut(Text(f"  {told}", "dim"))] if told and lines else []

    def grid(self, zone: ZoneSeen, view: View, marks: Mapping[str, str], spots: Sequence[Spot]) -> list[Text]:
        own = zone.owner in (0, self.seat)
        open_to = {spot.square for spot in spots if spot.grid == zone.name} if own else set()
        columns, rows = columns_and_rows(zone, open_to)
        wide = max([1, *(cell_len(marks.get(zone.cells[row][column], "")) for row in rows for column in columns)])
        names = [column_name(column) for column in columns]
        wide, height = max(wide, *map(len, names)), len(zone.cells)
        label = len(str(height))
        name = zone_name(zone, view, self.game.seat_names)
        head = Text(" " * (label + 1) + " ".join(each.ljust(wide) for each in names), "dim")
        lines = [Text(safe(name), f"bold {seat_colour(zone.owner)}" if zone.owner else "bold")]
        lines += [] if zone.hexagonal else [head]
        for number, row in enumerate(rows):
            aside = " " * ((len(rows) - 1 - number) * ((wide + 1) // 2)) if zone.hexagonal else ""
            line = Text.assemble((f"{aside}{height - row:>{label}} ", "dim"))
            for column in columns:
                said, square = zone.cells[row][column], square_name(zone, column, row)
                line.append_text(self.cell(said, marks, wide, square in open_to)).append(" ")
            line.rstrip()
            lines.append(line)
        return [*lines, *([head] if zone.hexagonal else [])]

    def cell(self, said: str, marks: Mapping[str, str], wide: int, is_open: bool) -> Text:
        if said == NO_POINT:
            return Text(" " * wide)
        if not said:
            return Text(("+" if is_open else ".").ljust(wide), "bold green" if is_open else "dim")
        seat = next((seat for seat, name in enumerate(self.game.seat_names, 1) if name in said), 0)
        style = f"bold {seat_colour(seat)}" if seat else f"color({hue(said, marks)})"
        mark = safe(marks.get(said, said))
        return Text.assemble((mark, f"{style} {'reverse' if is_open else ''}"), " " * (wide - cell_len(mark)))


def hue(said: str, marks: Mapping[str, str]) -> int:
    """The colour of what stands on a cell, of 256: that of its first word, which no other first word of the marks has."""
    words = sorted({text.split()[0] for text in marks} | {said.split()[0]})
    taken: dict[int, str] = {}
    for word in words:
        place = blake2b(word.encode(), digest_size=2).digest()[0] % len(HUES)
        while place in taken and len(taken) < len(HUES):
            place = (place + 1) % len(HUES)
        taken[place] = word
        if word == said.split()[0]:
            return HUES[place]
    raise AssertionError(said)


def marks_of(game: Game, name: str) -> tuple[dict[str, str], dict[str, str]]:
    """Short marks for all that can stand on the cells of a grid; and the words that were shortened, by what is left of them."""
    grid = next(each for each in game.machine.grids if each.name == name)
    said = (game.speaks and grid.said) or grid.texts
    texts = {text for parts in said.values() for part in parts for text in part}
    words = {text: re.sub(r" of (player )?", " ", text).split() for text in texts}
    long = {len(found) for found in words.values()}
    if len(texts) > 1 and len(long) == 1 and long != {1}:
        telling = [place for place in range(min(long)) if len({found[place] for found in words.values()}) > 1]
        words = {text: [found[place] for place in telling] for text, found in words.items()}
    every = {word for found in words.values() for word in found}
    short: dict[str, str] = {}
    for letters in range(1, max(map(len, every), default=1) + 1):
        short = {word: word if word.isdecimal() else word[:letters] for word in every}
        if len(set(short.values())) == len(every):
            break
    marks = {text: "".join(short[word] for word in found) for text, found in words.items()}
    if len(set(marks.values())) < len(marks):
        marks = {text: " ".join(found) for text, found in words.items()}
        return marks, {}
    return marks, {short[word]: word for word in sorted(every) if short[word] != word}


def _wide(lines: Sequence[Text]) -> int:
    return max(line.cell_len for line in lines)


def _beside(blocks: Sequence[Sequence[Text]]) -> Iterator[Text]:
    """Blocks of lines side by side."""
    wide = [_wide(block) for block in blocks]
    for number in range(max(map(len, blocks))):
        line = Text()
        for block, room in zip(blocks, wide, strict=True):
            part = block[number] if number < len(block) else Text()
            line += part + Text(" " * (room - part.cell_len) + GAP)
        line.rstrip()
        yield line
