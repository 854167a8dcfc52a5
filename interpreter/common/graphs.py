"""Graphs as mappings from a name to the names that it leads to: depth-first order, and the names in circles.

No function here recurses, so a chain may be as long as a file allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

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
