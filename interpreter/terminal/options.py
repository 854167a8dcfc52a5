"""Options as a person reads and types them: by number, by text, and on a grid by square and direction, as in ``c4 east``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cached_property

from attrs import frozen

from ..common.nouns import spoken
from ..machine.machine import GridView
from ..play.decisions import Argument
from ..play.game import Option, State
from ..words.words import ENGLISH, Words

COUNTED = 5  # options that only count up have a line each when they are no more than these
SPOTS = 8  # options on squares have a line each when they are no more than these
MEANT_SHOWN = 8  # options that a text could mean, as a message names them
WITHOUT_BRACKETS = str.maketrans("[]", "  ")  # tests write `play [red 3]`, and options are shown as `play red 3`
DIRECTIONS = {(1, 0): "east", (-1, 0): "west", (0, 1): "north", (0, -1): "south"}


@frozen
class Spot:
    """Where on a grid an option is: the square at which it begins, and the direction or the squares that follow ("": none)."""

    grid: str
    square: str
    then: str = ""

    def __str__(self) -> str:
        return f"{self.square} {self.then}".rstrip()

    @property
    def short(self) -> str:
        """``then`` as it need be typed: directions by their first letter, such as ``e``."""
        return self.then[0] if self.then in DIRECTIONS.values() else self.then


def spot_of(grids: Iterable[GridView], option: Option) -> Spot | None:
    """Where an option is that takes one thing only, a place on a grid."""
    if len(option.arguments) != 1 or option.arguments[0].sort not in ("cell", "way", "step"):
        return None
    (argument,) = option.arguments
    if not argument.cells:
        return None
    first, *others = argument.cells
    if argument.direction or len(others) != 1 or argument.sort != "way":
        return Spot(argument.of, first, argument.direction or " ".join(others))
    grid = next(each for each in grids if each.name == argument.of)
    return Spot(argument.of, first, _direction(grid, first, others[0]) or others[0])


def _direction(grid: GridView, start: str, end: str) -> str:
    """In which direction a square lies beside another; "" where it does not, or the grid has no such directions."""
    if grid.board or grid.hexagonal:
        return ""
    (y, x), (v, u) = (divmod(grid.domain.names.index(name), grid.width) for name in (start, end))
    return DIRECTIONS.get((u - x, v - y), "")


class Offer:
    """The options that a person has at a decision, in the order in which they are numbered."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.legal = tuple(map(state.game.option, state.legal))

    @cached_property
    def all(self) -> tuple[Option, ...]:
        """All options, also those that are not legal, with the reasons; what would leave a grid is left out."""
        decision = self._state.decision
        found = () if decision is None else decision.options
        return tuple(option for option in found if option.legal or all(map(_is_inside, option.arguments)))

    def _spot(self, option: Option) -> Spot | None:
        return spot_of(self._state.game.machine.grids, option)

    def verb(self, option: Option) -> str:
        """The words of an option that do not depend on what it takes, in the language of the game."""
        return option.verb

    def spots(self) -> list[Spot]:
        """Where the legal options are on grids."""
        return [spot for option in self.legal if (spot := self._spot(option)) is not None]

    def ways(self, option: Option) -> list[str]:
        """The square and direction of an option, as they may be typed."""
        spot = self._spot(option)
        if spot is None:
            return []
        said = f"{spot.square} {_direction_said(spot.then, self._words)}".rstrip()
        return [*dict.fromkeys((said, str(spot))), f"{spot.square} {spot.short}".rstrip()]

    def texts(self) -> list[str]:
        """What can be typed for an option."""
        ways = [self.ways(option)[0] for option in self.legal if self._spot(option) is not None]
        return [*(option.text for option in self.legal), *ways]

    def numbered(self, marked: bool = False) -> Iterator[str]:
        """The options with their numbers; many that only count up, or are on squares, share a line: ``1-30  bid 1..30``.

        ``marked``: the squares where one can begin are marked on a drawn grid.
        """
        start = 0
        while start < len(self.legal):
            end, text = self._run(start, marked)
            yield f"{start + 1:>4}{f'-{end}' if end > start + 1 else ''}  {text}"
            start = end

    def _run(self, start: int, marked: bool) -> tuple[int, str]:
        """Where the options end that share a line from one on, and its text."""
        texts, split = [option.text for option in self.legal], re.fullmatch(r"(.*?)(\d+)", self.legal[start].text)
        if split is not None:
            end, first = start + 1, int(split[2])
            while end < len(texts) and texts[end] == f"{split[1]}{first + end - start}":
                end += 1
            if end - start > COUNTED:
                return end, f"{texts[start]}..{first + end - start - 1}"
        verb, end = self.verb(self.legal[start]), start
        while end < len(texts) and self.verb(self.legal[end]) == verb and self._spot(self.legal[end]) is not None:
            end += 1
        if end - start > SPOTS:
            spots = [spot for option in self.legal[start:end] if (spot := self._spot(option)) is not None]
            return end, f"{verb} {spots_text(spots, marked, self._words)}"
        return start + 1, texts[start]

    def refused(self) -> Iterator[str]:
        """Every option that is not allowed, by reason; what one verb could take stands behind the verb."""
        by_reason: dict[str, dict[str, list[str]]] = {}
        for option in self.all:
            if not option.legal:
                verb = self.verb(option)
                by_verb = by_reason.setdefault(option.why_not or self._words.phrase("not allowed now"), {})
                by_verb.setdefault(verb, []).append(option.text[len(verb) + 1 :])
        for reason, by_verb in by_reason.items():
            yield f"   -  {reason}:"
            yield from (f"        {verb} {', '.join(taken)}".rstrip() for verb, taken in by_verb.items())

    # ---- What is typed

    def allowed(self, text: str) -> Option | str:
        """The legal option that a number or text means; or what is unclear about it."""
        return self._meant(text, self.legal)

    def any(self, text: str) -> Option | str:
        """The option, legal or not."""
        return self._meant(text, self.all)

    def _meant(self, text: str, options: Sequence[Option]) -> Option | str:
        if text.isdecimal():
            number = int(text) if len(text) < 9 else 0
            count = len(self.legal)
            none = self._words.phrase("the options are 1 to {number}", number=count)
            return self.legal[number - 1] if 1 <= number <= count else none
        wanted = " ".join(spoken(text).casefold().translate(WITHOUT_BRACKETS).split())
        named = [(option, spoken(option.text).casefold()) for option in options]
        words = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
        for fits in (
            [option for option in options if spoken(self._state.told(option.number)).casefold() == wanted],
            [option for option, name in named if name == wanted],
            [option for option in options if self._written(option) == wanted],
            [option for option in options if spoken(self._by_verb(option)).casefold() == wanted],
            [option for option in options if self._is_at(option, wanted)],
            [option for option in options if (spot := self._spot(option)) is not None and spot.square == wanted],
            [option for option, name in named if name.startswith(f"{wanted} ")],
            [option for option, name in named if words.search(name)],
        ):
            if len(fits) == 1:
                return fits[0]
            if fits:
                fitting = some([self._short(option) for option in fits], self._words)
                return self._words.phrase("`{text}` could be {options}", text=text, options=fitting)
        near = get_close_matches(wanted, [name for _, name in named], n=1, cutoff=0.6)
        if near:
            return self._words.phrase("there is no option `{text}`; did you mean `{other}`?", text=text, other=near[0])
        return self._words.phrase("there is no option `{text}`; `help` says what you can type", text=text)

    @property
    def _words(self) -> Words:
        return self._state.game.words

    def _written(self, option: Option) -> str:
        """An option in the rules' own words, as it may be typed in every language."""
        return spoken(self._state.game.written.option_text(option.number)).casefold()

    def _short(self, option: Option) -> str:
        spot = self._spot(option)
        return option.text if spot is None or not spot.then else str(spot)

    def _is_at(self, option: Option, wanted: str) -> bool:
        """Whether a text names the square and the direction of an option: ``c4 east``, ``c4 e``, ``place c4 east``."""
        written = self._state.game.machine.group_of(option.number).text
        verbs = self.verb(option), written
        return any(wanted.removeprefix(f"{spoken(verb).casefold()} ") in self.ways(option) for verb in verbs)

    def _by_verb(self, option: Option) -> str:
        """An option as a test in the rules names it: by its verb, also where it is shown by another text."""
        group = self._state.game.machine.group_of(option.number)
        return f"{group.verb}{self._state.game.written.option_text(option.number)[len(group.text) :]}"


def _is_inside(argument: Argument) -> bool:
    return argument.sort not in ("way", "step") or bool(argument.cells)


def spots_text(spots: Sequence[Spot], marked: bool, words: Words) -> str:
    """``a1..f1 h1`` for squares; ``a1: east north, b1: west`` with what follows each square. ``marked``: on a drawn grid."""
    by_square: dict[str, list[str]] = {}
    for spot in spots:
        by_square.setdefault(spot.square, []).append(
            spot.short if marked and words is ENGLISH else _direction_said(spot.then, words)
        )
    if any(spot.then for spot in spots):
        listed = ", ".join(f"{square}: {' '.join(then)}" for square, then in by_square.items())
        typed = f"{spots[0].square} {spots[0].short if words is ENGLISH else _direction_said(spots[0].then, words)}"
        return words.phrase("{options} (type `{text}`)", options=listed, text=typed) if marked else listed
    if marked:
        return words.phrase("on a square marked + (type `{text}`)", text=spots[0].square)
    return " ".join(_ranges([*by_square]))


def _direction_said(then: str, words: Words) -> str:
    return words.phrase(then) if then in DIRECTIONS.values() else then


def _ranges(squares: Sequence[str]) -> Iterator[str]:
    """Squares that follow one another in a row of a grid, as ``a1..f1``."""
    start = 0
    while start < len(squares):
        end = start + 1
        while end < len(squares) and _is_next(squares[end - 1], squares[end]):
            end += 1
        yield from [f"{squares[start]}..{squares[end - 1]}"] if end - start > 2 else squares[start:end]
        start = end


def _is_next(square: str, other: str) -> bool:
    one, two = (re.fullmatch(r"([a-z])(\d+)", name) for name in (square, other))
    return one is not None and two is not None and one[2] == two[2] and ord(two[1]) == ord(one[1]) + 1


def some(texts: Sequence[str], words: Words) -> str:
    """The first of these texts, and how many more there are."""
    rest, shown = len(texts) - MEANT_SHOWN, words.row(texts[:MEANT_SHOWN])
    return words.phrase("{things} and {number} more", things=shown, number=rest) if rest > 0 else shown
