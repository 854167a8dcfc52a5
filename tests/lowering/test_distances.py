"""Distances between players and cells are the fewest steps, counted by going there."""

from __future__ import annotations

import pytest

from ..pipeline import machine_of, play, small

SQUARES = ((0, 1), (1, 0), (0, -1), (-1, 0))
HEXAGONS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))


def steps(start: tuple[int, int], size: tuple[int, int], ways: tuple[tuple[int, int], ...]) -> dict[tuple[int, int], int]:
    """How far all cells of a grid are from one of them."""
    found, front = {start: 0}, [start]
    while front:
        (column, row), *front = front
        for right, up in ways:
            there = column + right, row + up
            if there not in found and 0 <= there[0] < size[0] and 0 <= there[1] < size[1]:
                found[there] = found[column, row] + 1
                front.append(there)
    return found


def name(cell: tuple[int, int]) -> str:
    return f"{'abcdefgh'[cell[0]]}{cell[1] + 1}"


@pytest.mark.parametrize(("grid", "ways"), [("grid", SQUARES), ("hexagonal grid", HEXAGONS)])
@pytest.mark.parametrize("start", [(0, 0), (1, 2), (4, 0), (3, 3)])
def test_cells(grid: str, ways: tuple[tuple[int, int], ...], start: tuple[int, int]) -> None:
    far = steps(start, (5, 4), ways)
    asked = "\n".join(f"define to_{name(there)}: distance between {name(start)} and {name(there)}" for there in far)
    game = play(machine_of(small(f"pieces stone, 1\nzone board: {grid} of stone, 5 x 4, open\n{asked}"), 1))
    assert {there: game.ask(f"to_{name(there)}") for there in far} == far


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_players(players: int) -> None:
    text = small("\n".join(f"define to_{seat}: distance between player 1 and player {seat}" for seat in range(1, players + 1)))
    game = play(machine_of(text.replace("players 1..4", "players 1..5"), players))
    assert [game.ask(f"to_{seat + 1}") for seat in range(players)] == [min(seat, players - seat) for seat in range(players)]


def test_a_piece_stands_for_its_cell() -> None:
    declared = "pieces stone for each player\nzone board: grid of stone, 5 x 4, open\ncounter far: 0..9"
    lines = """
        put stone of player 1 on a1
        for each cell in board: set far to distance between stone of cell and d2
    """
    game = play(machine_of(small(declared + "\ndefine asked: far", lines), 2))
    assert game.ask("asked") == 4


@pytest.mark.parametrize(("domain", "to"), [("player or none", "player 1"), ("cell or none", "a1")])
def test_a_distance_from_nothing_stops_the_game_in_its_own_words(domain: str, to: str) -> None:
    """What is none is the distance; neither a player nor a cell is a number."""
    declared = f"pieces stone, 1\nzone board: grid of stone, 2 x 2, open\ncounter far: 0..9\nmarker from_here: {domain}"
    game = play(machine_of(small(declared, f"add distance between from_here and {to} to far"), 2))
    assert game.stop.text == f"`distance between from_here and {to}` is none, and a number is needed"
