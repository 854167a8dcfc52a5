"""The columns of a simulated game: a row of whole numbers, the same columns for every game of a machine.

The columns, in this order, each a signed 32-bit number:

- ``decisions``: how many decisions were made; ``options``: the sum over them of the number of legal options, `MOST_OPTIONS` if
  there are more;
- ``first``: the seat (from 0) that made the first, -1 where nobody decided anything;
- ``fault``: 0, or the number of the fault that stopped the game, plus 1 (see `machine.faults`);
- ``score``, ``win``: for each seat. A win is 0 for a seat that did not win, else k: the win is shared by k seats;
- ``turn_win``: the wins in turn order, first the seat that made the first decision (seat 0 where nobody did), then the next;
- for each line of the score sheet, its value for each seat;
- ``team_score``, only where there are teams: for each seat the score of its team;
- ``returns``, only where they are not the score: what each seat gets.

If a fault stopped the game, everything behind ``fault`` is 0. When a game is over, the rules are evaluated in this order
(`outcome.py`): who wins (all do where the rules name nobody), then scores, lines of the score sheet, team scores and returns,
each by seat. The first of them that stops with a fault stops the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from .machine import Machine

DECISIONS, OPTIONS, FIRST, FAULT = range(4)
MOST_OPTIONS = (1 << 31) - 1
_ALONE = ("decisions", "options", "first", "fault")  # one number for the table
_BY_SEAT = ("score", "win", "turn_win", "team_score", "returns")  # names that no line of the score sheet takes from these


@frozen(slots=False)
class Columns:
    """The columns of a machine's rows. ``terms``: the titles of the score sheet. ``team_size``: seats that win together.

    ``returns``: whether what players get is another thing than their score.
    """

    seats: int
    terms: tuple[str, ...]
    team_size: int
    returns: bool = False

    @classmethod
    def of(cls, machine: Machine) -> Columns:
        """The columns of the games of a machine; its teams are all of one size."""
        titles = tuple(term.title for term in machine.terms)
        return cls(machine.seats, titles, machine.teams[0].bit_count(), machine.returns != "score")

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Columns:
        """Those that became this data."""
        return cls(data["seats"], tuple(data["terms"]), data["team_size"], data.get("returns", False))

    def to_data(self) -> dict[str, Any]:
        """The columns as data for json."""
        return {"seats": self.seats, "terms": list(self.terms), "team_size": self.team_size, "returns": self.returns}

    @property
    def in_teams(self) -> bool:
        return self.team_size > 1

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each column: ``decisions``, ``score_1``, ``coins_2``: seats count from 1.

        Where a line of the score sheet is called like another column, all lines are ``term_coins_1``.
        """
        prefix = "term_" if any(term in _BY_SEAT for term in self.terms) else ""
        groups = ["score", "win", "turn_win", *(prefix + term for term in self.terms)]
        groups += ["team_score"] * self.in_teams + ["returns"] * self.returns
        return (*_ALONE, *(f"{group}_{seat + 1}" for group in groups for seat in range(self.seats)))

    def __len__(self) -> int:
        return len(_ALONE) + self.seats * (3 + len(self.terms) + self.in_teams + self.returns)

    def score(self, seat: int) -> int:
        """The index of a seat's score (from 0); the same for the others."""
        return len(_ALONE) + seat

    def win(self, seat: int) -> int:
        return len(_ALONE) + self.seats + seat

    def turn_win(self, turn: int) -> int:
        return len(_ALONE) + 2 * self.seats + turn

    def term(self, number: int, seat: int) -> int:
        return len(_ALONE) + (3 + number) * self.seats + seat

    def team_score(self, seat: int) -> int:
        """Only where there are teams."""
        return self.term(len(self.terms), seat)

    def return_(self, seat: int) -> int:
        """Only where returns are not the score."""
        return self.term(len(self.terms) + self.in_teams, seat)

    def share(self, win: int) -> Fraction:
        """What a seat has of the win: 1/k where k seats, or k teams, share it; each member of a team counts the team's share."""
        return Fraction(self.team_size, win) if win else Fraction(0)
