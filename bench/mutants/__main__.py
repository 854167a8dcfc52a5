"""Makes faults in the shipped games and reports what finds them.

``python bench/mutants [--each N] [--game NAME]... [--seed N] [--seconds S] [--jobs J] [--results FILE] [--all]`` lists first the
faults that nothing finds, each as ``file:line`` with the line before and after; then how many each finder finds, by game and by
family of faults. ``--results FILE`` keeps each verdict as soon as there is one: an interrupted run goes on where it was, and
after an edit of games or of rulesrun only the faults that it can affect are judged anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rulesrun.bench.mutants.judging import Verdict, judge
from rulesrun.bench.mutants.keeping import keep, kept, key_of
from rulesrun.bench.mutants.making import Mutant, mutants
from rulesrun.bench.mutants.telling import listed, told

GAMES = Path(__file__).parents[2] / "games"
NAMES = ("masti", "kingdomino", "for_the_king")


def main() -> None:
    parser = argparse.ArgumentParser(description="Single faults made in the shipped games, and what finds them.")
    parser.add_argument("--each", type=int, default=6, help="faults of each family in each game (default 6)")
    parser.add_argument("--game", action="append", choices=NAMES, help="only this game (may be given several times)")
    parser.add_argument("--seed", type=int, default=0, help="which faults are chosen (default 0)")
    parser.add_argument("--seconds", type=float, default=20, help="how long the checker may explore each (default 20)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--results", type=Path, help="a file that keeps the verdicts, from which a later run takes them")
    parser.add_argument("--all", action="store_true", help="list every fault, not only those that nothing finds")
    given = parser.parse_args()
    made = [mutant for name in given.game or NAMES for mutant in mutants(GAMES / f"{name}.rules", given.each, given.seed)]
    judged = _judged(made, given.seconds, given.jobs, given.results)
    console = Console(stderr=True)
    verdicts = dict(track(judged, "judging", len(made), console=console, disable=not sys.stderr.isatty()))
    for mutant in made:
        if given.all or verdicts[mutant].by == "nothing":
            print(listed(mutant, verdicts[mutant]) + "\n")
    print(told({mutant: verdicts[mutant] for mutant in made}))


def _judged(made: Sequence[Mutant], seconds: float, jobs: int, results: Path | None) -> Iterator[tuple[Mutant, Verdict]]:
    """The faults with their verdicts, in no order."""
    known = kept(results)
    keys = {mutant: key_of(mutant, GAMES, seconds) for mutant in made}
    yield from ((mutant, known[key]) for mutant, key in keys.items() if key in known)
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(judge, mutant, GAMES, seconds): mutant for mutant, key in keys.items() if key not in known}
        for future in as_completed(running):
            mutant, error = running[future], future.exception()
            if error is None:
                keep(results, keys[mutant], future.result())
                yield mutant, future.result()
            else:  # a fault in rulesrun itself, which is to be mended
                yield mutant, Verdict("nothing", "", f"judging it fails: {error!r}", False)


if __name__ == "__main__":
    main()
