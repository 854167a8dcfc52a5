"""Makes the memory with which a page begins: that of a Python that has imported rulesrun and used each part of it once.

Importing takes a browser ten seconds, and reading this memory two. Pyodide makes it in Node.js (`memory.mjs`), where
the page is written; the worker of the page reads it. It is the same for all games, and kept in the cache for the next page.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

from ..interpreter.common import cache

SCRIPT: Final = Path(__file__).with_suffix(".mjs")
SCRIPTS: Final = (SCRIPT, Path(__file__).parents[1] / "web/browser/archive.mjs")  # it and what it imports
SECONDS: Final = 300  # that Node.js may take
FILE: Final = "memory.gz"


def memory(kind: str, runtime: Mapping[str, bytes], archive: bytes) -> bytes | None:
    """The compressed memory, or None without Node.js, or with one that cannot make it. ``kind``: of page; the cache keeps one
    memory of each. ``runtime``: of Pyodide. ``archive``: the Python files, see `python_archive`."""
    node = which("node")
    if node is None:
        return None
    made_of = sha256(archive)
    for script in SCRIPTS:
        made_of.update(script.read_bytes())
    for name in sorted(runtime):
        made_of.update(name.encode() + b"\0" + sha256(runtime[name]).digest())
    digest, name = made_of.digest(), cache.name_for("memory", kind)
    kept = cache.read(name)
    if kept is not None and kept.startswith(digest):
        return kept.removeprefix(digest)
    made = _made(node, runtime, archive)
    if made is not None:
        cache.write(name, digest + made)
    return made


def _made(node: str, runtime: Mapping[str, bytes], archive: bytes) -> bytes | None:
    with TemporaryDirectory() as folder:
        page, result = Path(folder), Path(folder, FILE)
        (page / "pyodide").mkdir()
        (page / "rulesrun.gz").write_bytes(archive)
        for name, content in runtime.items():
            (page / "pyodide" / name).write_bytes(content)
        try:
            subprocess.run(
                [node, str(SCRIPT), str(page), str(result)],
                check=True,
                timeout=SECONDS,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            return result.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return None
