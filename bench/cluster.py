"""Measures the cost of a cluster: with real workers on this machine, simulated for thousands.

``python bench/cluster.py [--seconds S] [--workers N] [--rounds N]`` prints

- the time of the same simulation on N threads and on a local cluster of N workers, in turn, each for about S seconds;
- the processor time that the scheduler and the client need for an empty chunk. Both share a process here, so their times add up;
- the share of the time that the workers play, for many workers and chunks of several lengths, as a simulation has it;
- the shortest of these chunks with which they play for `ENOUGH` of the time.

The simulation draws from the measured times: those for a chunk, and those that real chunks took beside what they should have
taken. Scheduler and client are one server, which takes results one after the other, in the order in which they come, and sends
the next chunk to whom it had the result from. Each worker has `AHEAD` chunks: one that it plays and one that waits.
"""

from __future__ import annotations

import argparse
import heapq
from collections.abc import Sequence
from functools import partial
from random import Random
from statistics import median
from time import perf_counter, process_time

from rulesrun.bench.reference import rules
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.simulate import cluster as clusters
from rulesrun.interpreter.simulate.cluster import Cluster, ClusterRun, local_cluster
from rulesrun.interpreter.simulate.engines.engine import engine_for, sent_table
from rulesrun.interpreter.simulate.engines.interface import SentTable
from rulesrun.interpreter.simulate.running import AHEAD, Work
from rulesrun.interpreter.simulate.simulation import Plan, added_up, nothing_yet, run_of

PLAYERS = 4
WORKERS = (10, 100, 300, 1_000, 3_000)
LENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)  # seconds of a chunk
CHUNKS = 40  # for each simulated worker
EMPTY = 3_000  # empty chunks that are sent
REAL = 30  # chunks of which it is measured how long they take
ENOUGH = 0.95


def seconds_of(plan: Plan, jobs: int, cluster: Cluster | None = None) -> float:
    """The time in which all games of a plan are played."""
    began = perf_counter()
    for _ in added_up(nothing_yet(plan), run_of(plan, 0, jobs, cluster=cluster)):
        pass
    return perf_counter() - began


def empty() -> Work[int]:
    return lambda first, count: count


def timed(table: SentTable) -> Work[float]:
    """Plays games, and tells how many seconds they took."""
    engine = engine_for(table, (Bot("random"),) * PLAYERS, "wasm")

    def play(first: int, count: int) -> float:
        began = perf_counter()
        engine.play(1, first, count)
        return perf_counter() - began

    return play


def times_for_a_chunk(cluster: Cluster) -> list[float]:
    """The seconds of processor time, here, from the result of one empty chunk to the next."""
    before = clusters.CHUNK, clusters.HANDLING
    clusters.CHUNK = clusters.HANDLING = 1e-9  # so that each stays a single game
    last = process_time()
    times: list[float] = []
    for _ in ClusterRun(cluster, empty, 0, EMPTY, 1):
        times.append(process_time() - last)
        last += times[-1]
    clusters.CHUNK, clusters.HANDLING = before
    return times[EMPTY // 3 :]  # at first the workers unpack what plays


def lengths_of_chunks(cluster: Cluster, table: SentTable) -> list[float]:
    """How long chunks took, beside what they should have taken."""
    times = []
    for seconds in (run := ClusterRun(cluster, partial(timed, table), 0, 10**9, 1000)):
        times.append(seconds / clusters.CHUNK)
        if len(times) == 2 * REAL:
            run.interrupt()
    return times[REAL:]  # until then their games are not as many as they should be


def share_of_play(workers: int, length: float, handling: Sequence[float], lengths: Sequence[float]) -> float:
    """The share of the time that simulated workers play."""
    random = Random(1)
    chunks = [0] * workers  # at each worker
    left = workers * (CHUNKS - AHEAD)
    free = played = now = 0.0  # free: when the server is
    events: list[tuple[float, int, bool]] = []  # when, at which worker, and whether it ends a chunk or gets one

    def begin(worker: int) -> None:
        nonlocal played
        seconds = length * random.choice(lengths)
        played += seconds
        heapq.heappush(events, (now + seconds, worker, True))

    for _ in range(AHEAD):
        for worker in range(workers):
            free += random.choice(handling) / 2
            events.append((free, worker, False))
    heapq.heapify(events)
    while events:
        now, worker, has_ended = heapq.heappop(events)
        if not has_ended:
            chunks[worker] += 1
            if chunks[worker] == 1:
                begin(worker)
            continue
        chunks[worker] -= 1
        if chunks[worker] > 0:
            begin(worker)
        free = max(free, now) + random.choice(handling)
        if left > 0:
            left -= 1
            heapq.heappush(events, (free, worker, False))
    return played / (workers * max(free, now))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    game = load(rules("masti"), PLAYERS)
    bots = (Bot("random"),) * PLAYERS
    few = Plan(game, bots, 1, 200_000, "wasm")
    plan = Plan(game, bots, 1, int(few.games * asked.seconds / seconds_of(few, asked.workers)), "wasm")
    alone: list[float] = []
    together: list[float] = []
    for _ in range(asked.rounds):
        alone.append(seconds_of(plan, asked.workers))
        began = perf_counter()
        with local_cluster(asked.workers) as cluster:
            seconds_of(plan, 1, cluster)
            together.append(perf_counter() - began)
    ratio = median(two / one for one, two in zip(alone, together, strict=True))
    said = " ".join(f"{two:.1f}/{one:.1f}" for one, two in zip(alone, together, strict=True))
    print(f"{plan.games:,} games of masti, cluster / threads, start included: {said} s, median ratio {ratio:.3f}")
    with local_cluster(asked.workers) as cluster:
        handling = sorted(times_for_a_chunk(cluster))
        lengths = sorted(lengths_of_chunks(cluster, sent_table(game, bots, False)))
    mean = sum(handling) / len(handling)
    print(f"a chunk costs {1000 * mean:.2f} ms, 99 in 100 at most {1000 * handling[len(handling) * 99 // 100]:.2f} ms")
    print(f"chunks took {lengths[0]:.2f} to {lengths[-1]:.2f} of the time that they should, half of them {median(lengths):.2f}")
    print("\nworkers  " + "".join(f"{length:>8} s" for length in LENGTHS) + "   enough")
    for workers in WORKERS:
        shares = [share_of_play(workers, length, handling, lengths) for length in LENGTHS]
        enough = next((f"{length} s" for length, share in zip(LENGTHS, shares, strict=True) if share >= ENOUGH), "-")
        print(f"{workers:>7}  " + "".join(f"{100 * share:>8.0f} %" for share in shares) + f"   {enough:>6}")


if __name__ == "__main__":
    main()
