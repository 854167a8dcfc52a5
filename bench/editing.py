"""Measures how long somebody who writes rules waits for the language server.

``python bench/editing.py [--keys N] [--edits N]``: for the games of the seeds and a file of over 3,000 lines, N keys are typed
one after the other at random places, each a change of its own. Printed are the median and the 95th percentile in
milliseconds: from the key to the findings about its text, of a completion, and of a hover. Then the memory of the server for
the first and after the last of ``--edits`` changes of Kingdomino.

As a yardstick stands the time to read the file and bind its names where nothing is remembered, in this process: the ratio of the
median to it is what a slower or busier machine leaves as it is.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.syntax.lines import reader
from rulesrun.interpreter.syntax.parsing import layout, sentence
from rulesrun.interpreter.syntax.reading.from_text import parse
from rulesrun.tests.language_server.editor import Editor, real_editor

GAMES = Path(__file__).parent.parent / "games"
LONG = 950  # pairs of declarations that make Masti a file of over 3,000 lines


def long_game() -> str:
    """Masti with many more counters and defines."""
    pairs = (f"counter extra_{n} of player: 0..9\ndefine double_{n} of player: extra_{n} of player * 2\n" for n in range(LONG))
    text = (GAMES / "masti.rules").read_text(encoding="utf-8")
    return text.replace("# ---- How it is played", "\n".join(pairs) + "\n# ---- How it is played", 1)


def anew(path: Path) -> float:
    """Seconds to read a file and bind its names, with nothing remembered."""
    found = []
    for _ in range(3):
        for remembered in (parse, reader._read, layout._content, sentence._parsed):
            remembered.cache_clear()
        began = perf_counter()
        read_rules(path)
        found.append(perf_counter() - began)
    return median(found)


def keys(one: Editor, uri: str, text: str, count: int) -> dict[str, list[float]]:
    """Seconds that each of so many keys took, by what was waited for. Every second key takes the one before back."""
    luck, lines = Random(uri.rpartition("/")[2]), text.splitlines()
    written = [number for number, line in enumerate(lines) if line.strip()]
    found: dict[str, list[float]] = {"findings": [], "completion": [], "hover": []}
    for _ in range(count // 2):
        line = luck.choice(written)
        column = luck.randrange(len(lines[line]) + 1)
        place = {"line": line, "character": column}
        behind = {"line": line, "character": column + 1}
        typed = {"range": {"start": place, "end": place}, "text": "e"}
        for change in (typed, {"range": {"start": place, "end": behind}, "text": ""}):
            # A comment at the end grows with each key, so that no text comes twice: it would be remembered.
            end = {"line": len(lines), "character": 0}
            began = perf_counter()
            one.change(uri, change, {"range": {"start": end, "end": end}, "text": "#"})
            one.until(lambda: one.seen.get(uri) == one.versions[uri])
            found["findings"].append(perf_counter() - began)
        for feature in ("completion", "hover"):
            began = perf_counter()
            one.about(feature, uri, position=place)
            found[feature].append(perf_counter() - began)
    return found


def memory(process: int) -> float:
    """Megabytes that a process keeps in memory."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=True).stdout) / 1024


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--keys", type=int, default=200)
    options.add_argument("--edits", type=int, default=10_000)
    asked = options.parse_args()
    with TemporaryDirectory() as kept:
        folder = Path(kept)
        shutil.copytree(GAMES / "data", folder / "data")
        for name in ("masti", "kingdomino", "for_the_king"):
            shutil.copy(GAMES / f"{name}.rules", folder)
        (folder / "long.rules").write_text(long_game(), encoding="utf-8")
        head = (f"{what:>12}{'95 %':>8}{'ratio':>7}" for what in ("findings", "completion", "hover"))
        print(f"{'ms':<14}{'lines':>7}{'anew':>8}" + "".join(head))
        for name in ("masti", "kingdomino", "for_the_king", "long"):
            path = folder / f"{name}.rules"
            text, yardstick = path.read_text(encoding="utf-8"), anew(path)
            with real_editor(folder) as (one, _):
                uri = one.open(path)
                one.until(lambda one=one, uri=uri: uri in one.shown)  # type: ignore[misc]
                found = keys(one, uri, text, asked.keys)
            shown = (
                f"{1000 * median(each):12.1f}{1000 * quantiles(each, n=20)[-1]:8.1f}{median(each) / yardstick:7.2f}"
                for each in found.values()
            )
            print(f"{name:<14}{text.count(chr(10)):7}{1000 * yardstick:8.0f}" + "".join(shown), flush=True)
        with real_editor(folder) as (one, process):
            path = folder / "kingdomino.rules"
            uri = one.open(path)
            one.until(lambda: uri in one.shown)
            text = path.read_text(encoding="utf-8")
            keys(one, uri, text, 50)
            before = memory(process.pid)
            keys(one, uri, text, asked.edits)
            after = memory(process.pid)
            print(f"memory: {before:.0f} MB, after {asked.edits:,} edits {after:.0f} MB")


if __name__ == "__main__":
    main()
