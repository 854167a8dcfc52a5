"""Graphs as mappings from a name to the names that it leads to: depth-first order, the names in circles, and the nearest circle.

No function here recurses, so a chain may be as long as a file allows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from attrs import frozen

T = TypeVar("T")


def callees_first(graph: Mapping[T, Iterable[T]]) -> list[T]:
    """All names, each behind those that it leads to (in a circle, behind those that were not entered before it)."""
    found: dict[T, None] = {}
    entered: set[T] = set()
    for root in graph:
        if root in entered:
            continue
        entered.add(root)
        stack: list[tuple[T, Iterator[T]]] = [(root, iter(graph[root]))]
        while stack:
            name, following = stack[-1]
            for other in following:
                if other in graph and other not in entered:
                    entered.add(other)
                    stack.append((other, iter(graph[other])))
                    break
            else:
                found[name] = None
                stack.pop()
    return list(found)


def in_circles(graph: Mapping[T, Iterable[T]]) -> set[T]:
    """The names that lead back to themselves, by Kosaraju's algorithm (Sharir: "A strong-connectivity algorithm and its
    applications in data flow analysis", Computers and Mathematics with Applications, 1981)."""
    backward: dict[T, list[T]] = {name: [] for name in graph}
    for name, others in graph.items():
        for other in others:
            if other in backward:
                backward[other].append(name)
    found = {name for name, others in graph.items() if name in others}
    seen: set[T] = set()
    for root in reversed(callees_first(graph)):
        if root in seen:
            continue
        component, todo = [root], [root]
        seen.add(root)
        while todo:
            for other in backward[todo.pop()]:
                if other not in seen:
                    seen.add(other)
                    component.append(other)
                    todo.append(other)
        if len(component) > 1:
            found.update(component)
    return found


Graph = Mapping[int, Mapping[int, int]]  # for each node, by value, the node to which that value leads


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
