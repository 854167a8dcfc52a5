"""Kingdomino written by hand in plain Python, from the rulebook's points alone: a second opinion on `games/kingdomino.rules`."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TypeAlias

from attrs import define, field, frozen

from .by_hand import Course, Play, Result, Turn, drawn, ranked

DATA = Path(__file__).parents[2] / "games" / "data" / "kingdomino.csv"
VARIANTS = frozenset({"dynasty", "middle_kingdom", "harmony", "mighty_duel"})

Cell: TypeAlias = tuple[int, int]  # column and row, counted from the castle
CASTLE: Cell = (0, 0)


@frozen
class Half:
    terrain: str
    crowns: int


@frozen
class Domino:
    number: int
    a: Half
    b: Half


with DATA.open(encoding="utf-8") as rows:
    DOMINOES = [
        Domino(
            int(row["number"]),
            Half(row["terrain_a"], int(row["crowns_a"])),
            Half(row["terrain_b"], int(row["crowns_b"])),
        )
        for row in csv.DictReader(rows)
    ]
BY_NUMBER = {domino.number: domino for domino in DOMINOES}


def neighbours(cell: Cell) -> list[Cell]:
    column, row = cell
    return [(column, row + 1), (column + 1, row), (column, row - 1), (column - 1, row)]


@define
class Kingdom:
    """What one player has laid. ``side``: of the square that it has to stay within."""

    side: int
    squares: dict[Cell, Half] = field(factory=dict)
    discarded: int = 0

    # ---- Cells: e5 (or g7) is the castle's, in the middle of all that can be reached from it

    def name(self, cell: Cell) -> str:
        column, row = cell
        return f"{'abcdefghijklm'[column + self.side - 1]}{row + self.side}"

    def cell(self, name: str) -> Cell:
        return "abcdefghijklm".index(name[0]) - self.side + 1, int(name[1:]) - self.side

    # ---- Placing

    def is_free(self, cell: Cell) -> bool:
        return cell != CASTLE and cell not in self.squares

    def stays_within(self, *new: Cell) -> bool:
        for axis in (0, 1):
            taken = [cell[axis] for cell in (CASTLE, *self.squares, *new)]
            if max(taken) - min(taken) >= self.side:
                return False
        return True

    def joins(self, cell: Cell, half: Half) -> bool:
        """Whether a half that lies there touches the castle or its own terrain."""
        return any(
            near == CASTLE or (near in self.squares and self.squares[near].terrain == half.terrain) for near in neighbours(cell)
        )

    def placements(self, domino: Domino) -> list[tuple[Cell, Cell]]:
        """Where its halves can lie; of two ways that look alike only the one whose first cell comes first, row by row."""
        reach = range(1 - self.side, self.side)
        free = [(column, row) for row in reach for column in reach if self.is_free((column, row))]
        return [
            (a, b)
            for a in free
            for b in neighbours(a)
            if self.is_free(b) and (domino.a != domino.b or a[::-1] < b[::-1])
            if self.joins(a, domino.a) or self.joins(b, domino.b)
            if self.stays_within(a, b)
        ]

    # ---- Counting

    def regions(self) -> list[list[Half]]:
        """The squares of one terrain that hang together, region by region."""
        found = []
        rest = dict(self.squares)
        while rest:
            cell, half = rest.popitem()
            region, reached = [half], [cell]
            while reached:
                for near in neighbours(reached.pop()):
                    if near in rest and rest[near].terrain == half.terrain:
                        region.append(rest.pop(near))
                        reached.append(near)
            found.append(region)
        return found

    def points(self) -> int:
        return sum(len(region) * sum(half.crowns for half in region) for region in self.regions())

    def largest(self) -> int:
        return max((len(region) for region in self.regions()), default=0)

    def crowns(self) -> int:
        return sum(half.crowns for half in self.squares.values())

    def is_centred(self) -> bool:
        """Whether the kingdom reaches as far as it may, and to every side of the castle equally far."""
        half = self.side // 2
        ends = [(min(line), max(line)) for line in zip(CASTLE, *self.squares, strict=True)]
        return ends == [(-half, half), (-half, half)]


@define
class Table:
    players: int
    variants: frozenset[str] = frozenset()
    games: list[list[Kingdom]] = field(factory=list)  # of each game the kingdoms, by seat

    def __attrs_post_init__(self) -> None:
        assert self.variants <= VARIANTS
        assert self.players == 2 or (2 < self.players < 5 and "mighty_duel" not in self.variants)

    @property
    def used(self) -> int:
        """How many dominoes a game takes."""
        return 48 if "mighty_duel" in self.variants else 12 * self.players

    # ---- The course of the game

    def play(self) -> Play:
        for _ in range(3 if "dynasty" in self.variants else 1):
            side = 7 if "mighty_duel" in self.variants else 5
            self.games.append([Kingdom(side) for _ in range(self.players)])
            yield from self.game(self.games[-1])
        return self.result()

    def game(self, kingdoms: list[Kingdom]) -> Course[None]:
        pool = {domino.number for domino in DOMINOES}
        kings = [seat for seat in range(self.players) for _ in range(2 if self.players == 2 else 1)]
        rounds = self.used // len(kings)
        line = yield from self.line(pool, len(kings))
        owners: dict[int, int] = {}  # of the dominoes that a king stands on, the seat
        while kings:
            king = yield from drawn(f"player {seat + 1}" for seat in kings)
            seat = int(king.removeprefix("player ")) - 1
            kings.remove(seat)
            owners[(yield from self.claim(seat, line))] = seat
        for number in range(1, rounds + 1):
            turns = sorted(owners.items())
            owners = {}
            line = (yield from self.line(pool, len(turns))) if number < rounds else set()
            for domino, seat in turns:
                yield from self.place(seat, BY_NUMBER[domino], kingdoms[seat])
                if line:
                    owners[(yield from self.claim(seat, line))] = seat

    def line(self, pool: set[int], length: int) -> Course[set[int]]:
        found = set()
        for _ in range(length):
            number = int((yield from drawn(map(str, pool))))
            pool.remove(number)
            found.add(number)
        return found

    def claim(self, seat: int, line: set[int]) -> Course[int]:
        chosen = yield Turn(seat, frozenset(f"claim {number}" for number in line))
        number = int(chosen.removeprefix("claim "))
        line.remove(number)
        return number

    def place(self, seat: int, domino: Domino, kingdom: Kingdom) -> Course[None]:
        legal = frozenset(f"place {kingdom.name(a)} {kingdom.name(b)}" for a, b in kingdom.placements(domino))
        if not legal:
            kingdom.discarded += 1
            return
        _, a, b = (yield Turn(seat, legal)).split()
        kingdom.squares[kingdom.cell(a)] = domino.a
        kingdom.squares[kingdom.cell(b)] = domino.b

    # ---- The end

    def sheet(self, kingdoms: list[Kingdom]) -> dict[str, list[int]]:
        """The score sheet of one game."""
        terms = {"regions": [kingdom.points() for kingdom in kingdoms]}
        if "middle_kingdom" in self.variants:
            terms["middle"] = [10 if kingdom.is_centred() else 0 for kingdom in kingdoms]
        if "harmony" in self.variants:
            terms["harmony"] = [0 if kingdom.discarded else 5 for kingdom in kingdoms]
        return terms

    def result(self) -> Result:
        sheets = [self.sheet(kingdoms) for kingdoms in self.games]
        terms = {name: [sum(column) for column in zip(*(sheet[name] for sheet in sheets), strict=True)] for name in sheets[0]}
        scores = [sum(column) for column in zip(*terms.values(), strict=True)]
        if "dynasty" in self.variants:
            return Result(terms, ranked([(score,) for score in scores]))
        kingdoms = self.games[0]
        return Result(terms, ranked([(s, k.largest(), k.crowns()) for s, k in zip(scores, kingdoms, strict=True)]))
