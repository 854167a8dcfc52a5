"""Exact sums over deals, each of which was played in all seatings of a tournament.

Games of one deal share their luck, so they are not independent: the deals are. What each bot gets from a whole deal is one
observation. The sums of these observations and of their products give the means and covariances; they are whole numbers that can
be added up in any order. A deal counts when all of its games have been played and none of them was stopped by a fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import evolve, field, frozen

from .tally import NoTally


@frozen
class Deal:
    """A deal in play. ``games``: how many of its games were played; ``stopped``: whether a fault stopped one of them.

    ``shares``: for each bot the sum of its shares of the wins, times a scale.
    """

    games: int
    stopped: bool
    shares: tuple[int, ...]

    def __add__(self, other: Deal) -> Deal:
        shares = tuple(one + two for one, two in zip(self.shares, other.shares, strict=True))
        return Deal(self.games + other.games, self.stopped or other.stopped, shares)


@frozen
class Deals:
    """``games``: of each deal. ``whole``: how many deals count. ``sums``: by bot, of the shares; ``products``: row by row.

    ``open``: the deals of which games are missing, by number.
    """

    games: int
    whole: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]
    open: Mapping[int, Deal] = field(factory=dict)

    @classmethod
    def none(cls, games: int, bots: int) -> Deals:
        return cls(games, 0, (0,) * bots, ((0,) * bots,) * bots)

    def __add__(self, other: Deals) -> Deals:
        products = tuple(_added(one, two) for one, two in zip(self.products, other.products, strict=True))
        joined = Deals(self.games, self.whole + other.whole, _added(self.sums, other.sums), products, dict(self.open))
        return joined.with_deals(other.open)

    def with_deals(self, played: Mapping[int, Deal]) -> Deals:
        """These and others, by number; a deal may come in parts."""
        left, sums, whole = dict(self.open), list(self.sums), self.whole
        products = [list(row) for row in self.products]
        for number, deal in played.items():
            deal = left.pop(number) + deal if number in left else deal
            if deal.games < self.games:
                left[number] = deal
            elif not deal.stopped:
                whole += 1
                for bot, share in enumerate(deal.shares):
                    sums[bot] += share
                    products[bot] = [total + share * other for total, other in zip(products[bot], deal.shares, strict=True)]
        return Deals(self.games, whole, tuple(sums), tuple(map(tuple, products)), left)

    def covariance(self, one: int, other: int) -> Fraction:
        """The covariance of what two bots get from a deal, as a sample shows it. ZeroDivisionError below two deals."""
        mean = Fraction(self.sums[one] * self.sums[other], self.whole)
        return (self.products[one][other] - mean) / (self.whole - 1)

    def to_data(self) -> dict[str, Any]:
        """The sums as data for json."""
        left = {str(number): [deal.games, deal.stopped, list(deal.shares)] for number, deal in sorted(self.open.items())}
        return {"whole": self.whole, "sums": list(self.sums), "products": [list(row) for row in self.products], "open": left}

    def from_data(self, data: object) -> Deals:
        """The sums that became this data, of as many games and bots as these. `NoTally` where it is none."""
        try:
            sums, products = tuple(data["sums"]), tuple(map(tuple, data["products"]))  # type: ignore[index]  # errors are caught
            left = {int(n): Deal(games, stopped, tuple(shares)) for n, (games, stopped, shares) in data["open"].items()}  # type: ignore[index]
            found = evolve(self, whole=data["whole"], sums=sums, products=products, open=left)  # type: ignore[index]
        except (TypeError, KeyError, AttributeError, ValueError):
            raise NoTally("a part of its deals is missing or is no number") from None
        rows = (found.sums, *found.products, *(deal.shares for deal in left.values()))
        numbers = (found.whole, *(deal.games for deal in left.values()), *(number for row in rows for number in row))
        if {len(row) for row in (*rows, products)} != {len(self.sums)} or any(type(number) is not int for number in numbers):
            raise NoTally("its deals are of other bots")
        return found


def _added(one: Sequence[int], two: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, two, strict=True))
