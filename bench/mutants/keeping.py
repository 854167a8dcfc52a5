"""Verdicts kept from earlier runs in a file, each a line of json, so that nothing is lost when a run is broken off.

The key of a verdict is all that it depends on: the faulty rules, the files beside them, the seconds, rulesrun's own files.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

from attrs import asdict

from .judging import Verdict
from .making import Mutant

PACKAGE = Path(__file__).parents[2]


def kept(results: Path | None) -> dict[str, Verdict]:
    """The verdicts in a file, by their keys; none where there is no file yet."""
    if results is None or not results.exists():
        return {}
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    return {key: Verdict(**verdict) for key, verdict in lines}


def keep(results: Path | None, key: str, verdict: Verdict) -> None:
    """Write a verdict into the file of results, if there is to be one."""
    if results is not None:
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, asdict(verdict)], ensure_ascii=False) + "\n")


def key_of(mutant: Mutant, games: Path, seconds: float) -> str:
    """A digest of what the verdict about a fault depends on. ``games``: the folder of the games as they are."""
    beside = (f"{mutant.game}.rules", f"data/{mutant.game}.csv")
    parts = [mutant.file, mutant.text, *((games / name).read_text(encoding="utf-8") for name in beside), f"{seconds:g}"]
    return sha256("\0".join([*parts, _own_files()]).encode("utf-8")).hexdigest()


@cache
def _own_files() -> str:
    files = [*PACKAGE.glob("interpreter/**/*.py"), *PACKAGE.glob("grammar/*.lark"), *PACKAGE.glob("bench/mutants/*.py")]
    return sha256(b"\0".join(file.read_bytes() for file in sorted(files))).hexdigest()
