"""Spreads work over threads: hands out games in chunks, in order, and gives the results back in order.

The chunks do not depend on the number of threads, so neither do the results or their order. Only a few chunks are under way at
any time.

Python runs one thread at a time, so threads gain only where an engine releases the interpreter's lock while it plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import Generic, Protocol, TypeVar

from ..common.platform import HERE

_Result = TypeVar("_Result")
_Any = TypeVar("_Any", covariant=True)

Work = Callable[[int, int], _Result]  # plays the games from a number on, so many of them
AHEAD = 2  # chunks under way for each thread: one being played and one waiting


class AnyRun(Protocol[_Any]):
    """A run over games: iterate over it once, and it gives what comes of each chunk, in order."""

    def __iter__(self) -> Iterator[_Any]: ...

    def interrupt(self) -> None:
        """Let the iteration end with what has come out so far. It may be called from a signal handler."""


class Run(Generic[_Result]):
    """One run over the games ``first .. games - 1``; iterate over it once. ``workers``: one for each thread."""

    def __init__(self, workers: Sequence[Work[_Result]], first: int, games: int, at_once: int) -> None:
        self._workers = workers
        self._chunks = ((start, min(at_once, games - start)) for start in range(first, games, at_once))
        self._todo: SimpleQueue[tuple[int, int] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[int, _Result | BaseException] | None] = SimpleQueue()

    def interrupt(self) -> None:
        """Let the iteration end with what has come out so far. It may be called from a signal handler."""
        self._done.put(None)

    def __iter__(self) -> Iterator[_Result]:
        """What comes of each chunk. Raises what a worker raises."""
        if not HERE.has_threads:
            yield from self._one_after_the_other()
            return
        for worker in self._workers:
            # whoever is interrupted does not wait for games that nobody will look at
            Thread(target=self._work, args=(worker,), daemon=True).start()
        under_way = list(islice(self._chunks, AHEAD * len(self._workers)))
        for chunk in under_way:
            self._todo.put(chunk)
        waiting: dict[int, _Result] = {}
        try:
            while under_way:
                done = self._done.get()
                if done is None:
                    return
                start, result = done
                if isinstance(result, BaseException):
                    raise result
                waiting[start] = result
                while under_way and under_way[0][0] in waiting:
                    yield waiting.pop(under_way.pop(0)[0])
                    for chunk in islice(self._chunks, 1):
                        under_way.append(chunk)
                        self._todo.put(chunk)
        finally:
            for _ in self._workers:
                self._todo.put(None)

    def _one_after_the_other(self) -> Iterator[_Result]:
        """The same where there is one thread."""
        for chunk in self._chunks:
            yield self._workers[0](*chunk)
            if not self._done.empty():
                return

    def _work(self, worker: Work[_Result]) -> None:
        while (chunk := self._todo.get()) is not None:
            try:
                self._done.put((chunk[0], worker(*chunk)))
            except BaseException as error:  # it is raised where somebody hears it
                self._done.put((chunk[0], error))
