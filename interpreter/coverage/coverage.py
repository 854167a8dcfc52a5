"""The coverage of some rules: how often each part was reached, the share of each kind, and what never happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from attrs import field, frozen

from ..common.diagnostics import Diagnostic, fault
from ..model import model
from .kinds import FOLLOWING, LINES, SHARES, Kind
from .parts import Part, parts_of
from .playing import Covered
from .reached import Place, Reached


@frozen
class Share:
    """How many things of one sort were reached, out of how many."""

    name: str
    reached: int
    all: int


@frozen(eq=False)
class Coverage:
    """The parts of some rules, and how often tests and games reached each of them."""

    path: str
    game: model.Model = field(repr=False)
    parts: tuple[Part, ...]
    covered: Covered
    by_tests: dict[Place, int] = field(repr=False)
    by_games: dict[Place, int] = field(repr=False)

    def reached(self, place: Place) -> bool:
        return bool(self.by_tests.get(place) or self.by_games.get(place))

    @property
    def shares(self) -> tuple[Share, ...]:
        """The share of each sort of things that these rules have."""
        found = [_share("lines", _lines(self.parts), self.reached)]
        for name, kind in SHARES:
            found.append(_share(name, [[part.place] for part in self.parts if part.place.kind == kind], self.reached))
        return tuple(share for share in found if share.all)

    @property
    def percent(self) -> Fraction:
        """The share of all these things together, in percent; 100 where there is none."""
        whole = sum(share.all for share in self.shares)
        return Fraction(100 * sum(share.reached for share in self.shares), whole) if whole else Fraction(100)


def coverage_of(path: str, game: model.Model, covered: Covered) -> Coverage:
    """The coverage of a game by what has been played. ``path``: of the file that was asked for."""
    parts = parts_of(game)
    inside: dict[Place, list[Place]] = {}
    for part in parts:
        if part.within is not None:
            inside.setdefault(part.within, []).append(part.place)
    return Coverage(
        path, game, parts, covered, _completed(parts, inside, covered.by_tests), _completed(parts, inside, covered.by_games)
    )


def percent(share: Fraction) -> str:
    """With one digit; only what is all is 100 %, and only what is nothing is 0 %."""
    rounded = Fraction(round(share * 10), 10)
    if share < 100 <= rounded:
        rounded = Fraction(999, 10)
    if share > 0 >= rounded:
        rounded = Fraction(1, 10)
    return f"{float(rounded):.1f} %" if 0 < rounded < 100 else f"{int(rounded)} %"


def too_little(coverage: Coverage, least: float) -> tuple[Diagnostic, ...]:
    """The finding that less was reached than was asked for."""
    if coverage.percent >= Fraction(least):
        return ()
    by = "tests" if not coverage.covered.games else "tests and games"
    help = "`--coverage` lists what never happened: write tests for it, or take it out of the rules"
    message = f"{by} reach {percent(coverage.percent)} of the rules, and {least:g} % are asked for"
    return (fault("R395", message, coverage.game.span, help=help),)


def unseen(path: str, game: model.Model | None, least: float) -> Diagnostic:
    """The finding that there was no time to see whether as much was reached as was asked for. ``game``: None where there was none
    to read the file, either."""
    message = f"there was no time to see how much of `{path}` is reached, and {least:g} % are asked for"
    return fault("R395", message, None if game is None else game.span, help="give it more seconds, or fewer files at a time")


def _completed(parts: Iterable[Part], inside: dict[Place, list[Place]], reached: Reached) -> dict[Place, int]:
    """How often each part was reached: what is around something has been reached with it, such as a branch that a table settled.

    A step was reached as often as the first in it that was.
    """
    found = {part.place: reached.times(part.place) for part in parts}

    def times(place: Place) -> int:
        if not found[place] and place.kind not in _BY_THEMSELVES:
            below = [times(each) for each in inside.get(place, ())]
            found[place] = next(filter(None, below), 0) if place.kind in FOLLOWING else max(below, default=0)
        return found[place]

    for part in parts:
        times(part.place)
    return found


_BY_THEMSELVES: frozenset[Kind] = frozenset({"chosen", "define"})


def _lines(parts: Iterable[Part]) -> list[list[Place]]:
    """The places of each line that can be reached."""
    found: dict[tuple[str, int], list[Place]] = {}
    for part in parts:
        if part.place.kind in LINES:
            found.setdefault((part.place.span.source.path, part.place.span.line), []).append(part.place)
    return list(found.values())


def _share(name: str, things: Sequence[Sequence[Place]], reached: Callable[[Place], bool]) -> Share:
    return Share(name, sum(any(map(reached, places)) for places in things), len(things))
