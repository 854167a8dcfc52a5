"""Plays the tables of a game on the workers of a cluster, before the check itself plays what is left.

A worker gets the texts of the rules, plays some tables as `playing_tables.py` does, and sends back what a check keeps of them
(`kept.py`). Then the check finds these tables kept, as if it had played them earlier. So its findings are those of a check
without a cluster, and what was played when a cluster is lost is kept as well.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TYPE_CHECKING

from ...rules import Rules, read_rules
from ...simulate.cluster import Cluster, ClusterRun
from .effort import FOR_PLAY, Clock, Effort, Progress
from .kept import Data, Kept
from .playing_tables import Playing

if TYPE_CHECKING:
    from ...simulate.running import Work

Found = list[tuple[int, dict[str, Data]]]  # the numbers of tables, and what is kept of each by key


def play_ahead(playing: Playing, cluster: Cluster, progress: Progress) -> None:
    """Let a cluster play the tables that are not kept yet, and keep what it finds. Raises `RulesError` (R809)."""
    numbers = playing.not_kept()
    if not numbers:
        return
    texts = _texts(playing.rules)
    make = partial(_player, texts, playing.effort.seed, playing.effort.at_most or math.inf, playing.engine, tuple(numbers))
    run = ClusterRun(cluster, make, 0, len(numbers), 1)
    left = playing.clock.left(FOR_PLAY)
    ending = None if left is None or not playing.clock.is_shared else Timer(max(left, 0.0), run.interrupt)
    progress.begin(f"playing {playing.rules.path} on {cluster.name}", len(numbers))
    if ending is not None:
        ending.start()
    try:
        for found in run:
            for number, known in found:
                playing.take(number, known)
                progress.advance()
    finally:
        if ending is not None:
            ending.cancel()


def _texts(rules: Rules) -> dict[str, str]:
    """The files that rules are made of, by paths from the folder that holds them all; the rules themselves come first."""
    assert rules.source is not None
    texts = {os.path.realpath(source.path): source.text for source in (rules.source, *rules.beside)}
    top = os.path.commonpath([os.path.dirname(path) for path in texts])
    return {Path(path).relative_to(top).as_posix(): text for path, text in texts.items()}


# ---- On a worker


def _player(texts: Mapping[str, str], seed: int, at_most: float, engine: str, numbers: Sequence[int]) -> Work[Found]:
    """What plays some of the tables of some rules, each for at most some seconds. Raises `ImportError` where the engine is not
    there."""
    if engine == "wasm":
        import wasmtime  # noqa: F401  # results of another engine are of no use
    with TemporaryDirectory() as folder:
        for name, text in texts.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        rules = read_rules(Path(folder, next(iter(texts))))
    effort = Effort(seed)
    playing = Playing(rules, effort, Clock(effort), Kept())

    def play(first: int, count: int) -> Found:
        return [(number, playing.keep_table(number, at_most)) for number in numbers[first : first + count]]

    return play
