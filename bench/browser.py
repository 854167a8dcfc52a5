"""Measures how long somebody waits for the playground, and how fast it plays.

``python bench/browser.py [--times N]``: the playground is written and served, and Chromium opens it N times with nothing in its
cache, and N times again after it has kept what it needs. Printed are the medians in seconds until the first game is shown, and
the size of what is loaded. Then 100,000 random games of Kingdomino are played there.

As yardsticks stand `rulesrun GAME.rules` as a command on this machine, started anew, and `rulesrun simulate` with the same games
on one thread: the ratios to them are what a slower or busier machine leaves as it is.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from playwright.sync_api import sync_playwright
from rulesrun.browser.bundle import playground
from rulesrun.browser.pyodide import pyodide
from rulesrun.tests.browser.pages import hosted

GAMES = Path(__file__).parent.parent / "games"
KEPT = "navigator.serviceWorker.ready.then(() => true)"
SHOWN = ".pane-game pre:has-text('Ranking')"
WAIT = 180_000  # milliseconds
COUNT = 100_000  # games

SIMULATE = """async ([files, games]) => {
    const began = performance.now();
    await rulesrun.machine.ask("simulate", {files, open: "kingdomino.rules", games, seed: 1}, {seconds: 600});
    return (performance.now() - began) / 1000;
}"""


def seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def command(*arguments: str) -> float:
    program = [sys.executable, "-c", "from rulesrun.cli import main; main()", *arguments]
    return seconds(lambda: subprocess.run(program, check=True, stdout=subprocess.DEVNULL))


def opened(context: Any, address: str) -> float:
    """Seconds until the first game is shown in a new page."""
    page = context.new_page()

    def open() -> None:
        page.goto(address)
        page.wait_for_selector(SHOWN, timeout=WAIT)

    return seconds(open)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    times = parser.parse_args().times
    files = playground(pyodide(), GAMES)
    whole, packed = sum(map(len, files.values())), sum(len(gzip.compress(content)) for content in files.values())
    print(f"{len(files)} files, {whole / 1e6:.1f} MB, {packed / 1e6:.1f} MB compressed")
    cold: list[float] = []
    warm: list[float] = []
    simulated = 0.0
    with TemporaryDirectory() as folder, hosted(Path(folder), files) as host, sync_playwright() as running:
        address = f"http://127.0.0.1:{host.port}/"
        for _ in range(times):
            browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            context = browser.new_context()
            cold.append(opened(context, address))
            page = context.pages[0]
            page.wait_for_function(KEPT, timeout=WAIT)
            page.close()
            warm.append(opened(context, address))
            simulated = context.pages[0].evaluate(SIMULATE, [_kingdomino(), COUNT])
            browser.close()
    native = median(command(str(GAMES / "templates/new.rules"), "--seed", "1") for _ in range(times))
    played = command("simulate", str(GAMES / "kingdomino.rules"), "--games", str(COUNT), "--seed", "1")
    print(f"{'first game':24}{'seconds':>9}{'to a command':>15}")
    for name, found in (("nothing kept", median(cold)), ("all kept", median(warm)), ("the command", native)):
        print(f"{name:24}{found:9.2f}{found / native:15.1f}")
    print(f"\n{COUNT:,} games of Kingdomino {simulated:.2f} s; `simulate` {played:.2f} s, ratio {simulated / played:.2f}")


def _kingdomino() -> dict[str, str]:
    rules = (GAMES / "kingdomino.rules").read_text(encoding="utf-8").replace("data/", "")
    return {"kingdomino.rules": rules, "kingdomino.csv": (GAMES / "data/kingdomino.csv").read_text(encoding="utf-8")}


if __name__ == "__main__":
    main()
