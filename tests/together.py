"""Compares results of several threads with those of one thread alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

THREADS = 4

_Found = TypeVar("_Found")


@contextmanager
def many_turns(count: int = THREADS) -> Generator[ThreadPoolExecutor]:
    """So many threads, which take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(count) as threads:
            yield threads
    finally:
        sys.setswitchinterval(before)


def same_together_as_alone(work: Callable[[int], _Found], seeds: int) -> None:
    """What comes of each seed in threads is what came of it alone."""
    alone = [work(seed) for seed in range(seeds)]
    with many_turns() as threads:
        together = list(threads.map(work, range(seeds)))
    assert [seed for seed in range(seeds) if together[seed] != alone[seed]] == []
