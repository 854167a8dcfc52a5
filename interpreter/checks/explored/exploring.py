"""Plays all tables of a game and reports the faults that come up.

`playing_tables.py` plays, and `findings_from_play.py` makes findings of it. Findings until a limit in seconds are reported, and a
note says what was left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from ...common.deadline import OutOfTime, deadline
from ...common.diagnostics import Diagnostic
from ...rules import Rules
from .effort import FOR_PLAY, SILENT, Clock, Effort, Progress
from .findings_from_play import Explored, explored
from .kept import Kept, NotSo
from .playing_tables import Playing

if TYPE_CHECKING:
    from ...simulate.cluster import Cluster


def explore(
    rules: Rules,
    effort: Effort | None = None,
    proved: Iterable[Diagnostic] = (),
    replays: str = "",
    taken: Collection[str] = (),
    progress: Progress = SILENT,
    kept: Kept | None = None,
    cluster: Cluster | None = None,
) -> Explored:
    """Play all tables of a game.

    ``proved``: what is known already: what comes up on a line of such an error is no second finding. ``replays``: the folder in
    which the transcripts will lie, for the commands that are told; "": none are made. ``taken``: places of earlier ones in it.
    ``progress``: hears of each table, and of what comes up there. ``kept``: what earlier checks found; this one adds to it.
    ``cluster``: it plays the tables. Raises `RulesError` (R809) where it cannot.
    """
    if rules.model is None:
        return Explored((), ())
    effort, kept = effort or Effort(), kept or Kept()
    clock = Clock(effort)
    try:
        return _explored(rules, effort, clock, tuple(proved), replays, taken, progress, kept, cluster)
    except NotSo:  # somebody else has written it
        kept.forget()
        return _explored(rules, effort, clock, tuple(proved), replays, taken, progress, kept, cluster)
    finally:
        kept.save()


def _explored(
    rules: Rules,
    effort: Effort,
    clock: Clock,
    proved: Sequence[Diagnostic],
    replays: str,
    taken: Collection[str],
    progress: Progress,
    kept: Kept,
    cluster: Cluster | None,
) -> Explored:
    """See `explore`. Raises `NotSo` where something was kept that is not so."""
    try:
        with deadline(effort.at_first if clock.is_shared else clock.left(FOR_PLAY), clock.now):
            playing = Playing(rules, effort, clock, kept)
    except OutOfTime:
        return Explored((), ("time is over: it was not played",), was_cut=True, unplayed=True)
    if effort.seconds is not None:
        playing.play_each_once()
    if cluster is not None:
        from .on_a_cluster import play_ahead

        play_ahead(playing, cluster, progress)
    try:
        with deadline(clock.left(FOR_PLAY), clock.now):
            playing.play(proved, progress)
    except OutOfTime:
        playing.was_cut = True
    return explored(playing, proved, replays, taken)
