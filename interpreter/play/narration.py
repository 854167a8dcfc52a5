"""Turns events into lines of text, under headings for phases and rounds.

Consecutive events of one sort share a line: ten cards that one player draws, the gems that all get, what one act does to the
counters. Exact repeats of a line are told once, and so is information that is revealed later to those who had known it. A seat is
told what it saw and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from ..common.nouns import spoken
from ..words.words import Words
from .game import Event, Game
from .page import Line, Style

TOGETHER = 200  # events that one line can tell: longer lines nobody reads
COMES = "{component} comes to {zone}"  # the sentences of the program that are told together
GOES = "{things} to {zone}"
DRAWS = "{player} draws {component}"
VALUE, VALUE_OF = "{value}: {now}", "{value} of {owner}: {now}"
ROUND = "\n"  # notes that begin with it are headings; one that says no more begins a round


def narrate(game: Game, events: Sequence[Event], seat: int | None = None, start: int = 0) -> list[Line]:
    """The lines for ``events[start:]`` as a seat (None: somebody who sees everything) is told them."""
    teller = _Teller(game, seat)
    for event in events[:start]:
        teller.pass_over(event)
    lines: list[Line] = []
    seen = [(event, text) for event in events[start:] if (text := event.text_for(seat)) is not None]
    seen = list(_deduplicated(seen, game))
    index = 0
    while index < len(seen):
        taken, line = teller.next(seen[index : index + TOGETHER])
        index += taken
        if not (lines and lines[-1] == line and line.style == "note"):
            lines.append(line)
    return lines


def _deduplicated(seen: Sequence[tuple[Event, str]], game: Game) -> Iterator[tuple[Event, str]]:
    """What was seen, without what only told others again: an act that was secret, a component that the move names as well."""
    secret: list[str] = []
    for index, (event, text) in enumerate(seen):
        if event.kind == "act" and event.hidden is None:
            secret.append(game.words.phrase("{player}: {act}", player=game.seat_names[event.player - 1], act=text))
        if event.kind == "show":
            if text in secret:
                secret.remove(text)
                continue
            found = game.words.places_in(COMES, text) if event.sentence == COMES else None
            if found is not None and _moves_on(found["component"], found["zone"], seen[index + 1 :], game.words):
                continue
        yield event, text


def _moves_on(what: str, place: str, later: Sequence[tuple[Event, str]], words: Words) -> bool:
    """Whether the line of a move that follows names what comes to a place."""
    comma = words.row(("", ""))
    for event, text in later:
        if event.kind == "note":
            found = words.places_in(GOES, text) if event.sentence == GOES else None
            return (
                found is not None and found["zone"] == place and (f"{comma}{what}{comma}" in f"{comma}{found['things']}{comma}")
            )
        if event.kind != "show":
            return False
    return False


def headings(game: Game, events: Sequence[Event], start: int) -> list[Line]:
    """The phase and the round in which ``events[start]`` stands (nothing before the first phase)."""
    teller = _Teller(game, None)
    found: list[Line] = []
    for event in events[:start]:
        if event.text.startswith(ROUND):
            line = teller.heading(event.text)
            found = [*found[:1], line] if line.style == "round" else [line]
    return found


@frozen
class _Sort:
    """What lines that can share one line have in common: all but their subject."""

    before: str
    after: str = ""


class _Teller:
    def __init__(self, game: Game, seat: int | None) -> None:
        self.words = game.words
        self.names = game.seat_names
        self.seat = seat
        self.round = 0
        self.acted = False  # whether somebody has acted under this heading: then notes are consequences

    def pass_over(self, event: Event) -> None:
        """Let an earlier event count for headings."""
        if event.text.startswith(ROUND):
            self.heading(event.text)
        self.acted |= event.kind == "act"

    def heading(self, text: str) -> Line:
        self.acted = False
        if text == ROUND:
            self.round += 1
            return Line("round", self.words.phrase("Round {number}", number=self.round))
        self.round = 0
        name = spoken(text[len(ROUND) :])
        return Line("heading", name[:1].upper() + name[1:])

    def next(self, seen: Sequence[tuple[Event, str]]) -> tuple[int, Line]:
        """The line that the first of these begin, and how many of them it tells."""
        event, text = seen[0]
        if event.kind == "note" and text.startswith(ROUND):
            return 1, self.heading(text)
        if event.kind == "act":
            self.acted = True
            told = event.told if event.told and text == event.text else text
            return 1, Line("act", told, event.player, self.names[event.player - 1])
        if event.kind == "note" and self.value_in(event, text) is not None:
            return self.values([*self.run(seen, "note")])
        if event.kind == "chance":
            return self.draws(event, list(self.run(seen, "chance", "note", "show")))
        return 1, Line(self.style(event), text)

    def run(self, seen: Sequence[tuple[Event, str]], *kinds: str) -> Iterator[tuple[Event, str]]:
        """The first of these that are of some kinds and no headings."""
        for event, text in seen:
            if event.kind not in kinds or text.startswith(ROUND):
                return
            yield event, text

    def style(self, event: Event) -> Style:
        return "note" if self.acted and event.kind == "note" else "chance"

    def value_in(self, event: Event, text: str) -> tuple[str, str, str] | None:
        """The name of a counter or marker, its owner ("": the table's) and its value, where a line tells these."""
        if event.sentence not in (VALUE, VALUE_OF):
            return None
        found = self.words.places_in(event.sentence, text)
        return None if found is None else (found["value"], found.get("owner", ""), found["now"])

    def values(self, run: Sequence[tuple[Event, str]]) -> tuple[int, Line]:
        """``gems of Ann: 2``, ``gems of Bob: 2``, ``pot: 0`` become ``gems of Ann, Bob: 2; pot: 0``."""
        parts: list[tuple[str, list[str], str]] = []
        taken = 0
        for event, text in run:
            found = self.value_in(event, text)
            if found is None:
                break
            taken += 1
            name, owner, value = found
            if (name, [owner], value) in parts:
                continue
            if owner and parts and parts[-1][0] == name and parts[-1][2] == value and parts[-1][1][0]:
                parts[-1][1].append(owner)
            else:
                parts.append((name, [owner], value))
        told = "; ".join(
            self.words.phrase("{value} of {owner}: {now}", value=name, owner=self.words.row(owners), now=value)
            if owners[0]
            else self.words.phrase("{value}: {now}", value=name, now=value)
            for name, owners, value in parts
        )
        return taken, Line("note" if self.acted else "chance", told)

    def draws(self, first: Event, run: Sequence[tuple[Event, str]]) -> tuple[int, Line]:
        """``Ann draws crown 4``, ``Ann draws purse 2`` become ``Ann draws crown 4, purse 2``."""
        text = run[0][1]
        sort = sort_of(first, text, self.words)
        taken = 1
        if sort is None:
            while taken < len(run) and run[taken][1] == text:
                taken += 1
            times = self.words.phrase_for(taken, "{what}, {number} time", "{what}, {number} times", what=text)
            return taken, Line("chance", text if taken == 1 else times)
        named = [first.outcome]
        for _, other in run[1:]:
            if not (other.startswith(sort.before) and other.endswith(sort.after)):
                break
            named.append(other[len(sort.before) : len(other) - len(sort.after)])
        return len(named), Line("chance", f"{sort.before}{self.words.row(named)}{sort.after}")


def sort_of(event: Event, text: str, words: Words) -> _Sort | None:
    """What a chance event's line has in common with others of its sort; None when it stands alone or hides the outcome."""
    found = words.places_in(DRAWS, text) if event.sentence == DRAWS and event.outcome else None
    if found is None or found["component"] != event.outcome:
        return None
    before, _, after = words.phrase(DRAWS, player=found["player"], component="\0").partition("\0")
    return _Sort(before, after)
