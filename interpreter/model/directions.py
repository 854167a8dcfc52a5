"""The directions on a grid: their words, in a list that no file declares, and how far each leads, across and up."""

from __future__ import annotations

DIRECTION = "direction"  # the built-in list of the words below; on grids of hexagons alone, of their six
DIRECTIONS = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
DIRECTIONS_OF_HEXAGONS = {
    "northeast": (0, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "southwest": (0, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
DIRECTIONS_OF_PLAYERS = {
    "forward": (0, 1),
    "forward_right": (1, 1),
    "rightward": (1, 0),
    "backward_right": (1, -1),
    "backward": (0, -1),
    "backward_left": (-1, -1),
    "leftward": (-1, 0),
    "forward_left": (-1, 1),
}
SETS = {"orthogonals": ("north", "east", "south", "west"), "diagonals": ("northeast", "southeast", "southwest", "northwest")}


def vector(word: str, hexagonal: bool) -> tuple[int, int] | None:
    """How far a direction leads, across and up; None where cells have no neighbour in it."""
    return (DIRECTIONS_OF_HEXAGONS if hexagonal else DIRECTIONS).get(word)
