"""A campaign of hostile inputs: ``python -m tests.fuzz.campaign [--count N] [--seed N] [--seconds S] [--folder FOLDER]``.

Each input is given to one command. A fault is a traceback, an exit code other than 0, 1 and 2, the message that rulesrun itself
has a fault (R699), more processor time than the command's bound, or more memory in use than 500 MB. Inputs are made from the
seed and their number alone. ``--families SIZE`` takes each family of growing files once instead, at this size, as it is.
``--folder`` keeps the progress, so that a campaign goes on where it was broken off, and one example of each fault, made smaller
where that is quick.

Commands are called in a forked process that has imported everything, and that takes many inputs one after the other. The
process that forked it watches its processor time and memory, and kills it when a bound is passed.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import importlib
import io
import json
import multiprocessing.connection
import os
import pkgutil
import re
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import Any

from attrs import define, evolve, field, fields, frozen

from .commands import BEFORE, Call, drawn
from .hostile import MAIN, Input, every_family, family_input, hostile_input

MEMORY = 500  # megabytes that a process has in use, measured
STALLED = 300.0  # seconds by the clock on the wall, for a process that neither computes nor ends
PATIENCE = 1.0  # seconds for a game, or for an act of a person, of whom many are typed
LIMITED = ("common.deadline", "simulate.engines.interface", "reports.tested", "wasm.running.instance")
INPUTS_EACH = 300  # that one process takes before another one is forked
POLL = 0.02  # seconds
SHRINKING = 20.0  # seconds of the clock that a fault may take to be made smaller
KEPT = 40  # faults that are written down; of more, only the number is told
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@frozen
class Outcome:
    """How a call ended. ``fault``: "" where all is well, else a name that is the same for faults that look alike."""

    fault: str
    detail: str
    seconds: float
    megabytes: float


# ---- In the process that is watched


def _call(arguments: Sequence[str], typed: str) -> tuple[str, str]:
    """Call a command; the fault and more about it."""
    from rulesrun.cli import cli

    out, streams = io.BytesIO(), (sys.stdin, sys.stdout, sys.stderr)
    written = io.TextIOWrapper(out, encoding="utf-8", errors="replace", write_through=True)
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(typed.encode())), written, written
    try:
        code: object = cli.main(list(arguments), prog_name="rulesrun", standalone_mode=False)
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "rulesrun" in frame.filename or "interpreter" in frame.filename] or list(frames)
        where = f"{Path(ours[-1].filename).name}, {ours[-1].name}" if ours else "nowhere"
        if isinstance(error, RecursionError):  # where it is noticed says nothing: what comes again and again does
            often = Counter(f"{Path(frame.filename).name}, {frame.name}" for frame in frames).most_common(1)
            where = often[0][0] if often else where
        shown = "".join(traceback.format_exception(error, limit=-12))
        return f"{type(error).__name__} in {where}", shown[-6000:]
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    if code not in (0, 1, 2, None):
        return f"exit code {code}", out.getvalue()[-3000:].decode("utf-8", "replace")
    if b"R699" in out.getvalue() and arguments[0] != "explain":
        return "R699", out.getvalue()[-3000:].decode("utf-8", "replace")
    return "", ""


def _peak() -> float:
    """The most megabytes in use since `_forget_peak`."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _forget_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def _work(pipe: Connection, folder: Path, stacks: Path) -> None:
    """Take inputs and calls, and say how each ended, until the pipe is closed."""
    faulthandler.register(signal.SIGUSR1, stacks.open("w"), all_threads=False)
    gc.set_threshold(500_000, 20, 100)
    for name in LIMITED:  # else what ends only after hours is waited for a minute
        vars(importlib.import_module(f"rulesrun.interpreter.{name}"))["PATIENCE"] = PATIENCE
    os.environ |= {"XDG_CACHE_HOME": str(folder / "cache"), "NO_COLOR": "1", "COLUMNS": "110"}
    while True:
        try:
            given, call = pipe.recv()
        except EOFError:
            os._exit(0)
        place = folder / "game"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        write_input(given, place)
        os.chdir(place)
        _forget_peak()
        began = process_time()
        fault, detail = _call(call.arguments, call.typed)
        seconds = process_time() - began
        pipe.send(Outcome(fault, detail, seconds, _peak()))


def write_input(given: Input, folder: Path) -> None:
    """Write the files of an input into a folder."""
    for name, text in {**given.files, BEFORE: given.before}.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode("utf-8", "surrogatepass"))


# ---- The process that watches


def import_everything() -> None:
    """Import what commands import when they run, and let one begin, so that a forked process need not."""
    import rulesrun.interpreter
    from rulesrun.cli import cli  # noqa: F401

    for module in pkgutil.walk_packages(rulesrun.interpreter.__path__, "rulesrun.interpreter."):
        if not any(part in module.name for part in (".adapters", ".in_browser")):  # which need more than is installed here
            importlib.import_module(module.name)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / MAIN
        file.write_text("game first\n    players 2\n", encoding="utf-8")
        _call(("check", "--proved", str(file)), "")
    gc.collect()
    gc.freeze()


@define
class Worker:
    """A process to which inputs are given, and which is made anew when it has to be ended."""

    folder: Path
    memory: float = MEMORY
    _pipe: Connection | None = None
    _pid: int = 0
    _taken: int = 0

    def outcome(self, given: Input, call: Call) -> Outcome:
        """Call a command on an input."""
        if self._pipe is None or self._taken >= INPUTS_EACH:
            self.close()
            self._fork()
        assert self._pipe is not None
        self._taken += 1
        before, seconds, moved = self._seconds(), 0.0, monotonic()
        self._pipe.send((given, call))
        most = 0.0
        while not self._pipe.poll(POLL):
            if self._seconds() - before > seconds:  # a busy machine may leave it hardly any time
                seconds, moved = self._seconds() - before, monotonic()
            megabytes = self._megabytes()
            most = max(most, megabytes)
            why = ""
            if seconds > call.seconds:
                why = "overtime"
            elif megabytes > self.memory:
                why = "memory"
            elif monotonic() - moved > STALLED:
                why = "stalled"
            if why:
                stack = self._stack()
                self._kill()
                return Outcome(f"{why} in {_busy(stack)}", stack, seconds, most)
        try:
            found: Outcome = self._pipe.recv()
        except EOFError:
            pid, self._pid = self._pid, 0
            _, status = os.waitpid(pid, 0)
            self._kill()
            return Outcome(f"died ({os.waitstatus_to_exitcode(status)})", self._stacks.read_text(errors="replace"), 0.0, most)
        if not found.fault and found.seconds > call.seconds:
            return evolve(found, fault="overtime, but ended")
        if not found.fault and found.megabytes > self.memory:
            return evolve(found, fault="memory, but ended")
        return found

    def close(self) -> None:
        """End the process, if there is one."""
        self._kill()

    @property
    def _stacks(self) -> Path:
        return self.folder / "stacks.txt"

    def _fork(self) -> None:
        here, there = multiprocessing.Pipe()
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            here.close()
            try:
                _work(there, self.folder, self._stacks)
            finally:
                os._exit(70)
        there.close()
        self._pipe, self._pid, self._taken = here, pid, 0

    def _kill(self) -> None:
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        if self._pipe is not None:
            self._pipe.close()
        self._pipe, self._pid = None, 0

    def _stack(self) -> str:
        """Where the process stands, innermost first."""
        os.kill(self._pid, signal.SIGUSR1)
        multiprocessing.connection.wait([], 0.1)
        return self._stacks.read_text(errors="replace")

    def _seconds(self) -> float:
        """The processor time that the process has taken."""
        try:
            fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / TICKS

    def _megabytes(self) -> float:
        try:
            return int(Path(f"/proc/{self._pid}/statm").read_text().split()[1]) * PAGE / 2**20
        except OSError:
            return 0.0


def _busy(stack: str) -> str:
    """What a process is busy with, by where it stands: the outermost places say it best that are not those of every command."""
    places = re.findall(r'File "([^"]+)", line \d+ in (\S+)', stack)
    ours = [f"{Path(file).stem}.{name}" for file, name in places if "/interpreter/" in file]
    return " < ".join(ours[-5:]) or "nothing of ours"


# ---- Making an input smaller


def smaller(given: Input, fails: Callable[[Input], bool], until: float) -> Input:
    """An input that still fails with as few lines as can be found in time: more and more lines left out at once, then fewer."""
    for name in sorted(given.files):
        lines = given.files[name].splitlines(keepends=True)
        size = max(1, len(lines) // 2)
        while size:
            at = 0
            while at < len(lines):
                if monotonic() > until:
                    return given
                fewer = lines[:at] + lines[at + size :]
                tried = evolve(given, files={**given.files, name: "".join(fewer)})
                if fails(tried):
                    lines, given = fewer, tried
                else:
                    at += size
            size //= 2
    return given


# ---- The campaign


@define
class Figures:
    """How far a campaign has come, and what it found."""

    seed: int
    size: int | None = None  # of the families
    next: int = 0
    inputs: int = 0
    calls: Counter[str] = field(factory=Counter)
    seconds: Counter[str] = field(factory=Counter)
    slowest: dict[str, tuple[float, int]] = field(factory=dict)  # seconds and number, by command
    largest: tuple[float, int] = (0.0, -1)  # megabytes and number
    faults: Counter[str] = field(factory=Counter)
    clock: float = 0.0

    def add(self, number: int, call: Call, outcome: Outcome) -> None:
        self.inputs += 1
        self.calls[call.name] += 1
        self.seconds[call.name] += outcome.seconds  # type: ignore[assignment]  # a counter of seconds
        self.slowest[call.name] = max(self.slowest.get(call.name, (0.0, -1)), (round(outcome.seconds, 2), number))
        self.largest = max(self.largest, (round(outcome.megabytes), number))
        if outcome.fault:
            self.faults[f"{call.arguments[0]}: {outcome.fault}"] += 1

    def page(self) -> str:
        lines = [
            f"{self.inputs:,} inputs, seed {self.seed}, {self.clock:,.0f} seconds; most memory {self.largest[0]:,.0f} MB"
            f" (input {self.largest[1]})"
        ]
        for name in sorted(self.calls):
            slowest, number = self.slowest[name]
            mean = self.seconds[name] / self.calls[name]
            lines.append(f"  {name:30}{self.calls[name]:8,}  mean {mean:6.3f} s  slowest {slowest:6.2f} s (input {number})")
        lines += [f"FAULT {often:6,} x {fault}" for fault, often in self.faults.most_common()]
        return "\n".join((*lines, f"{sum(self.faults.values()):,} faults"))


def campaign(
    seed: int,
    size: int | None,
    first: int,
    count: int,
    seconds: float | None,
    folder: Path | None,
    bounds: float = 1.0,
    memory: float = MEMORY,
) -> Figures:
    """Give the inputs from ``first`` on to commands, for at most so many seconds. ``size``: of families; None: see
    `hostile_input`. ``bounds``: a factor of commands' bounds."""
    figures = _progress(folder, seed, size) or Figures(seed, size, first)
    import_everything()
    began, before = monotonic(), figures.clock
    with tempfile.TemporaryDirectory() as place:
        worker = Worker(Path(place), memory)
        try:
            while figures.next < first + count and (seconds is None or monotonic() - began < seconds):
                number = figures.next
                given, call = input_and_call(seed, size, number)
                call = evolve(call, seconds=bounds * call.seconds)
                outcome = worker.outcome(given, call)
                figures.add(number, call, outcome)
                figures.next += 1
                figures.clock = before + monotonic() - began
                if outcome.fault and folder is not None:
                    seen = figures.faults[f"{call.arguments[0]}: {outcome.fault}"]
                    if seen == 1 and len(figures.faults) <= KEPT:
                        _keep(folder, number, given, call, outcome, worker)
                if folder is not None and (outcome.fault or figures.next % 100 == 0):
                    _write_progress(folder, figures)
        finally:
            worker.close()
            if folder is not None:
                _write_progress(folder, figures)
    return figures


def input_and_call(seed: int, size: int | None, number: int) -> tuple[Input, Call]:
    """The input of a number, and the command that it is given to."""
    given = hostile_input(seed, number) if size is None else family_input(number, size)
    return given, drawn(given, Random(f"{seed} {number} command"))


def _keep(folder: Path, number: int, given: Input, call: Call, outcome: Outcome, worker: Worker) -> None:
    """Write a fault down: its input, made smaller, and what happened."""
    if outcome.seconds < SHRINKING / 4:
        quick = evolve(call, seconds=max(1.0, min(call.seconds, 4 * outcome.seconds))) if "time" not in outcome.fault else call
        given = smaller(given, lambda tried: worker.outcome(tried, quick).fault == outcome.fault, monotonic() + SHRINKING)
    place = folder / f"{number}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    write_input(given, place)
    told = [
        f"rulesrun {' '.join(call.arguments)}",
        given.made,
        outcome.fault,
        f"{outcome.seconds:.1f} s, {outcome.megabytes:.0f} MB",
        "",
        outcome.detail,
    ]
    (place / "fault.txt").write_text("\n".join(told), encoding="utf-8", errors="replace")


def _write_progress(folder: Path, figures: Figures) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / "progress.new"
    new.write_text(json.dumps({each.name: getattr(figures, each.name) for each in fields(Figures)}, indent=1))
    new.replace(folder / "progress.json")


def _progress(folder: Path | None, seed: int, size: int | None) -> Figures | None:
    if folder is None or not (folder / "progress.json").exists():
        return None
    read = json.loads((folder / "progress.json").read_text())
    if (read["seed"], read.get("size")) != (seed, size):
        raise SystemExit(f"{folder} holds a campaign with seed {read['seed']} and families of size {read.get('size')}")
    counted = {name: Counter(read[name]) for name in ("calls", "seconds", "faults")}
    slowest = {name: (seconds, number) for name, (seconds, number) in read["slowest"].items()}
    kept: dict[str, Any] = {**read, **counted, "slowest": slowest, "largest": tuple(read["largest"])}
    return Figures(**kept)


def main() -> None:
    parser = argparse.ArgumentParser(description="Hostile inputs, given to commands.")
    parser.add_argument("--families", type=int, metavar="SIZE", help="each family once, at this size")
    parser.add_argument("--count", type=int, help="how many inputs (default 1000, or as many as there are families)")
    parser.add_argument("--seed", type=int, default=1, help="which inputs (default 1)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input (default 0)")
    parser.add_argument("--seconds", type=float, help="leave off after so long")
    parser.add_argument("--folder", type=Path, help="keeps how far it came, and the faults")
    parser.add_argument("--bounds", type=float, default=1.0, help="a factor of the commands' bounds of time (default 1)")
    parser.add_argument("--memory", type=float, default=MEMORY, help=f"megabytes that a command may use (default {MEMORY})")
    given = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets must be the same each time
        again = [sys.executable, "-m", "tests.fuzz.campaign", *sys.argv[1:]]
        os.execve(sys.executable, again, os.environ | {"PYTHONHASHSEED": "0"})
    count = given.count if given.count is not None else 1000 if given.families is None else len(every_family())
    figures = campaign(given.seed, given.families, given.first, count, given.seconds, given.folder, given.bounds, given.memory)
    print(figures.page())
    raise SystemExit(1 if figures.faults else 0)


if __name__ == "__main__":
    main()
