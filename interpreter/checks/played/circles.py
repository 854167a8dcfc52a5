"""Where can one go round and round? The way to a circle in a graph, and once round it.

A graph says for each node, by value, where it leads. A node is on a circle where it leads to itself, or to another node from
which a way leads back: in a strongly connected component (found as Kosaraju does; Sharir: "A strong-connectivity algorithm and
its applications in data flow analysis", Computers and Mathematics with Applications, 1981).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from attrs import frozen

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
    round_and_round = _on_circles({node: graph[node] for node in near})
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


def _on_circles(graph: Graph) -> set[int]:
    """The nodes that are on circles."""
    before: dict[int, list[int]] = {node: [] for node in graph}
    for node, leads in graph.items():
        for to in leads.values():
            before[to].append(node)
    found: set[int] = set()
    left = set(graph)
    for node in reversed(_left_in_order(graph)):
        component = _flood(node, before, left)
        left -= component
        if len(component) > 1 or node in graph[node].values():
            found |= component
    return found


def _left_in_order(graph: Graph) -> list[int]:
    """All nodes, each behind those that are found by going on from it, depth first."""
    order: list[int] = []
    seen: set[int] = set()
    for root in graph:
        todo = [(root, iter(graph[root].values()))] if root not in seen else []
        seen.add(root)
        while todo:
            node, leads = todo[-1]
            to = next((to for to in leads if to not in seen), None)
            if to is None:
                order.append(node)
                todo.pop()
            else:
                seen.add(to)
                todo.append((to, iter(graph[to].values())))
    return order


def _flood(first: int, before: Mapping[int, Iterable[int]], among: set[int]) -> set[int]:
    """The nodes ``among`` these from which a way inside them leads to a first one; none where that is not among them."""
    found = {first} & among
    todo = list(found)
    while todo:
        for node in before[todo.pop()]:
            if node in among and node not in found:
                found.add(node)
                todo.append(node)
    return found
