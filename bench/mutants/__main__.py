"""``python bench/mutants [--each N] [--game NAME]... [--seconds S] [--jobs J] [--all]``: faults made, and what finds them.

A table by family of faults and a list of the faults that nothing finds. ``--each``: of each family in each game so many;
``--all`` lists every fault with what found it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from rulesrun.bench.mutants.judging import Verdict, judge
from rulesrun.bench.mutants.making import mutants

GAMES = Path(__file__).parents[2] / "games"
NAMES = ("masti", "kingdomino", "for_the_king")
BY = ("proved", "exhausted", "explored", "tests", "nothing", "the same")


def main() -> None:
    parser = argparse.ArgumentParser(description="Single faults made in the shipped games, and what finds them.")
    parser.add_argument("--each", type=int, default=6, help="faults of each family in each game (default 6)")
    parser.add_argument("--game", action="append", choices=NAMES, help="only this game (may be given several times)")
    parser.add_argument("--seconds", type=float, default=10, help="how long the checker may explore each (default 10)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--seed", type=int, default=0, help="which faults are chosen (default 0)")
    parser.add_argument("--all", action="store_true", help="list every fault")
    given = parser.parse_args()
    made = [mutant for name in given.game or NAMES for mutant in mutants(GAMES / f"{name}.rules", given.each, given.seed)]
    verdicts = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for verdict in pool.map(partial(judge, folder=GAMES, seconds=given.seconds), made):
            verdicts.append(verdict)
            if given.all or verdict.by == "nothing":
                print(f"{verdict.by:10}{verdict.code:6}{verdict.mutant}  {verdict.said}", flush=True)
    print("\n" + table(verdicts))


def table(verdicts: list[Verdict]) -> str:
    """How many faults each way of looking found, by family."""
    families = Counter(verdict.mutant.family for verdict in verdicts)
    counts = Counter((verdict.mutant.family, verdict.by) for verdict in verdicts)
    lines = [f"{'':20}{'faults':>9}" + "".join(f"{by:>11}" for by in BY)]
    for family in sorted(families):
        lines.append(f"{family:20}{families[family]:9}" + "".join(f"{counts[family, by] or '':>11}" for by in BY))
    total = Counter(verdict.by for verdict in verdicts)
    lines.append(f"{'all':20}{len(verdicts):9}" + "".join(f"{total[by]:11}" for by in BY))
    real = len(verdicts) - total["the same"]
    checker = total["proved"] + total["explored"] + total["exhausted"]
    rest = real - checker
    lines += [
        "",
        f"{real} faults change the game; the checker finds {checker} ({checker / max(1, real):.0%}): {total['proved']} proved, "
        f"{total['exhausted']} exhausted, {total['explored']} explored",
        f"the tests find {total['tests']} of the other {rest} ({total['tests'] / max(1, rest):.0%}), and with them "
        f"{sum(verdict.tests for verdict in verdicts)} in all",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
