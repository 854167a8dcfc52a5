"""Finds the nearest circle in a graph: the shortest way to it, and once round it.

A graph gives for each node, by value, the node to which that value leads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from attrs import frozen

from ....common.graphs import in_circles

Graph = Mapping[int, Mapping[int, int]]


@frozen
class Circle:
    """A circle through the node ``at``: the values that lead there, and those that lead once round."""

    at: int
    way: tuple[int, ...]
    round: tuple[int, ...]


def circle_from(graph: Graph, first: int, wanted: Callable[[int], bool]) -> Circle:
    """The nearest circle that can be reached, a shortest one, through a wanted node if there is such a circle.

    Every node of the graph must lead somewhere, so that there is one.
    """
    came = _came(graph, first)
    near = [first, *(node for node in came if node != first)]
    round_and_round = in_circles({node: graph[node].values() for node in near})
    circling = [node for node in near if node in round_and_round]
    at = next(filter(wanted, circling), circling[0])
    return Circle(at, _way(came, first, at) if at != first else (), _way(_came(graph, at), at, at))


def _came(graph: Graph, first: int) -> dict[int, tuple[int, int]]:
    """Breadth first, all nodes to which one or more steps lead: from which other one, by what value."""
    came: dict[int, tuple[int, int]] = {}
    todo = deque([first])
    while todo:
        node = todo.popleft()
        for value, to in graph[node].items():
            if to not in came:
                came[to] = node, value
                if to != first:
                    todo.append(to)
    return came


def _way(came: Mapping[int, tuple[int, int]], first: int, last: int) -> tuple[int, ...]:
    """The values of one or more steps from a node to another, or round to itself."""
    last, value = came[last]
    values = [value]
    while last != first:
        last, value = came[last]
        values.append(value)
    return tuple(values[::-1])
