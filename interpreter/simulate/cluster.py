"""Spreads the games of a run over the workers of a cluster, by Dask's `distributed`.

What plays travels as bytes: modules, not rules, so a worker needs rulesrun and wasmtime and no file. A worker unpacks them once,
and keeps them by their digest, with one engine for each of its threads.

Results are exact and come out in order, as those of `running.py`, so they are equal for any number of workers and for chunks of
any size. A chunk takes about `CHUNK` seconds, as far as the chunks before tell; it takes longer where there are so many workers
that their results would have to wait. The scheduler gives the chunks of a worker that
died to another one; where it gives up, since it takes the chunk for what killed the workers, this gives it out again, `TRIES`
times. A result is taken once, however often a chunk was played.
"""

from __future__ import annotations

import logging
import pickle
import sys
import warnings
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from threading import local
from time import monotonic, perf_counter
from typing import Any, Generic, TypeVar

from attrs import frozen

from ..common.diagnostics import RulesError, fault
from ..common.extras import extra
from .running import AHEAD, Work

_Result = TypeVar("_Result")

CHUNK = 1.0  # seconds that a chunk should take, at least
HANDLING = 0.01  # seconds of a chunk for each thread: twice what scheduler and client need for one, by `bench/cluster.py`
GROWTH = 4  # times the games of the chunk before, at the most
WAITING = 8  # times the chunks under way may be done and wait for one before them
TRIES = 5  # of one chunk
KEPT = 4  # runs that a worker keeps ready
WORKERS_LIMIT = 256  # on one machine
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")
TO_CONNECT = 10.0  # seconds
TO_BEGIN = 30.0  # seconds until there must be a worker
NEWS = 1.0  # seconds after which workers are counted again


@frozen(eq=False)
class Cluster:
    """``client``: the connection. ``name``: as it was asked for."""

    client: Any
    name: str

    def threads(self) -> int:
        """How many threads its workers have now."""
        return sum(self.client.nthreads().values())


@contextmanager
def local_cluster(workers: int) -> Generator[Cluster]:
    """So many worker processes on this machine, each with one thread. Raises `RulesError` (R804, R809)."""
    distributed = _distributed()
    how = {"threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": "CRITICAL"}
    name = f"local:{workers}"
    with _quiet():
        try:
            processes = distributed.LocalCluster(n_workers=workers, **how)
        except (OSError, RuntimeError) as error:
            raise _no_cluster(name, f"its workers do not start ({error})", "try fewer of them, or `--jobs`") from None
        with processes, _connected(distributed, processes.scheduler_address, name) as cluster:
            yield cluster


@contextmanager
def remote_cluster(address: str) -> Generator[Cluster]:
    """The cluster whose scheduler is at an address such as ``tcp://host:8786``. Raises `RulesError` (R804, R809)."""
    distributed = _distributed()
    with _quiet(), _connected(distributed, address, address) as cluster:
        yield cluster


def cluster_at(where: str) -> AbstractContextManager[Cluster]:
    """The cluster that a text such as ``local:8`` or ``tcp://host:8786`` names. ValueError where it names none."""
    kind, _, rest = where.partition(":")
    if kind == "local":
        if not (rest.isascii() and rest.isdecimal() and 1 <= len(rest) <= 3 and 1 <= int(rest) <= WORKERS_LIMIT):
            raise ValueError(f"`{where}`: the number of workers is 1 to {WORKERS_LIMIT}")
        return local_cluster(int(rest))
    if kind in SCHEMES and rest.startswith("//") and len(rest) > 2:
        return remote_cluster(where)
    raise ValueError(f"`{where}` is no cluster: write `local:8` or `tcp://host:8786`")


class ClusterRun(Generic[_Result]):
    """See `running.Run`. ``make``: makes what plays, on a worker. ``at_once``: how many games are asked of it at first."""

    def __init__(self, cluster: Cluster, make: Callable[[], Work[_Result]], first: int, games: int, at_once: int) -> None:
        self._cluster = cluster
        self._sent = pickle.dumps(make)
        self._next, self._games, self._pace = first, games, at_once
        self._done: SimpleQueue[Any] = SimpleQueue()

    def interrupt(self) -> None:
        """Let the iteration end with what has come out so far. It may be called from a signal handler."""
        self._done.put(None)

    def __iter__(self) -> Iterator[_Result]:
        """What comes of each chunk. Raises what a worker raises, and `RulesError` (R809) where the cluster is of no use."""
        client = self._cluster.client
        # computed, not scattered: what was scattered to a worker is gone with it
        sent = client.submit(bytes, self._sent, pure=False)
        digest = blake2b(self._sent, digest_size=16).hexdigest()
        under_way: dict[int, tuple[Any, int, int]] = {}
        waiting: dict[int, tuple[_Result, int]] = {}
        expected, threads, counted = self._next, self._cluster.threads(), monotonic()

        def give_out(start: int, count: int, tries: int) -> None:
            asked = {"sent": sent, "digest": digest, "code": own_code(), "first": start, "count": count}
            future = client.submit(eval, PLAY, asked, pure=False, retries=0)
            under_way[start] = future, count, tries

            def told(done: Any) -> None:
                self._done.put((start, done))

            future.add_done_callback(told)

        def fill() -> None:
            while self._next < self._games and len(under_way) < AHEAD * threads and len(waiting) < WAITING * threads:
                count = max(1, min(self._pace, -(-(self._games - self._next) // max(1, threads))))
                give_out(self._next, count, TRIES)
                self._next += count

        try:
            fill()
            while expected < self._games:
                done = self._done.get()
                if done is None:
                    return
                start, future = done
                if under_way.get(start, (None,))[0] is not future:
                    continue
                _, count, tries = under_way.pop(start)
                result, seconds = self._result(future)
                if result is None:
                    if tries == 1:
                        raise self._useless(f"workers died {TRIES} times over the games from {start} on")
                    give_out(start, count, tries - 1)
                    continue
                length = max(CHUNK, HANDLING * threads)
                self._pace = max(1, min(GROWTH * count, int(count * length / max(seconds, 1e-6))))
                waiting[start] = result, count
                while expected in waiting:
                    found, count = waiting.pop(expected)
                    expected += count
                    yield found
                if monotonic() - counted > NEWS:
                    threads, counted = max(1, self._threads(threads)), monotonic()
                fill()
        finally:
            with suppress(Exception):  # of a scheduler that is gone
                client.cancel([future for future, *_ in under_way.values()], force=True)

    def _threads(self, before: int) -> int:
        try:
            return self._cluster.threads()
        except OSError:  # the next chunk says what has happened
            return before

    def _result(self, future: Any) -> tuple[_Result | None, float]:
        """What came of a chunk, and the seconds it took; None where the workers that played it died."""
        distributed = _distributed()
        try:
            result, seconds = future.result()
        except RulesError:
            raise
        except distributed.scheduler.KilledWorker:
            return None, 0.0
        except OtherCode as other:
            raise self._useless(str(other), "install the same rulesrun and Python on all machines") from None
        except ImportError as error:
            help = "install the same rulesrun, with wasmtime, on all machines"
            raise self._useless(f"a worker lacks something: {error}", help) from None
        except (OSError, TimeoutError, distributed.client.FutureCancelledError) as error:
            raise self._useless(f"its scheduler is gone ({error or type(error).__name__})") from None
        return result, seconds

    def _useless(self, why: str, help: str = "") -> RulesError:
        help = help or "begin again when it is back; with `--checkpoint FILE` a run goes on where it was"
        return _no_cluster(self._cluster.name, why, help)


# ---- On a worker

# Text, since a worker without rulesrun could not even read a task that names a function of it: it would be asked for ever.
PLAY = f"__import__({__name__!r}, fromlist=['_play'])._play(sent, digest, code, first, count)"


class OtherCode(Exception):
    """This worker runs another version of rulesrun or of Python than who asks."""


_ready = local()  # what was unpacked in this thread, by digest, the last used last


def _play(sent: bytes, digest: str, code: str, first: int, count: int) -> tuple[Any, float]:
    """Play a chunk: what came of it, and the seconds it took."""
    if code != own_code():
        raise OtherCode(f"a worker has {own_code()}, and here is {code}")
    kept: OrderedDict[str, Work[Any]] = _ready.__dict__.setdefault("kept", OrderedDict())
    if digest not in kept:
        kept[digest] = pickle.loads(sent)()
        while len(kept) > KEPT:
            kept.popitem(last=False)
    kept.move_to_end(digest)
    began = perf_counter()
    result = kept[digest](first, count)
    return result, perf_counter() - began


@cache
def own_code() -> str:
    """Which rulesrun and which Python this is, by version and by content."""
    digest = blake2b(digest_size=4)
    root = Path(__file__).parents[1]
    for file in sorted(root.rglob("*.py")):
        digest.update(str(file.relative_to(root)).encode() + file.read_bytes())
    return f"rulesrun {version('rulesrun')} ({digest.hexdigest()}) on Python {sys.version_info.major}.{sys.version_info.minor}"


# ---- Connecting


def _distributed() -> Any:
    return extra("distributed", "cluster", "`--cluster`")


@contextmanager
def _quiet() -> Generator[None]:
    """What goes wrong is told by this program, not by log lines in between."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


@contextmanager
def _connected(distributed: Any, address: str, name: str) -> Generator[Cluster]:
    try:
        client = distributed.Client(address, timeout=TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        help = "start one with `dask scheduler`, and give its address, such as `--cluster tcp://host:8786`"
        raise _no_cluster(name, f"no scheduler answers there ({error})", help) from None
    try:
        try:
            client.wait_for_workers(1, timeout=TO_BEGIN)
        except TimeoutError:
            help = "start one on each machine: `dask worker` with the scheduler's address"
            raise _no_cluster(name, f"no worker came in {TO_BEGIN:.0f} seconds", help) from None
        yield Cluster(client, name)
    finally:
        with suppress(Exception):
            client.close(timeout=2)


def _no_cluster(name: str, why: str, help: str) -> RulesError:
    return RulesError([fault("R809", f"the cluster `{name}` cannot be used: {why}", help=help)])
