"""Gets Pyodide, the Python that runs in browsers: from a folder or an archive, from the cache, or with npm.

Pyodide is made for one version of itself here; another is refused, since its files must fit together.
"""

from __future__ import annotations

import json
import subprocess
import tarfile
from base64 import b64encode
from hashlib import sha512
from io import BytesIO
from lzma import LZMAError
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final
from zlib import error as DamagedError

from ..interpreter.common import cache
from ..interpreter.common.diagnostics import RulesError, fault

VERSION: Final = "314.0.7"
INTEGRITY: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "package.json")
SIZE_LIMIT: Final = 60_000_000  # bytes of a file of it
SECONDS: Final = 300  # that npm may take

_HELP: Final = f"install npm, or get the npm package `pyodide` {VERSION} and name it: `--pyodide FILE.tgz`"


def pyodide(asked: Path | None = None) -> dict[str, bytes]:
    """The files of Pyodide that a page needs, by name. ``asked``: the npm package, as an archive or unpacked in a folder.

    Raises `RulesError` (R708).
    """
    if asked is not None and asked.is_dir():
        return _checked({name: _read(asked / name) for name in FILES if (asked / name).is_file()}, str(asked))
    if asked is not None:
        return _checked(_unpacked(_read(asked), str(asked)), str(asked))
    name = cache.name_for("pyodide", VERSION)
    kept = cache.read(name)
    if kept is None or _integrity(kept) != INTEGRITY:
        kept = _by_npm()
        cache.write(name, kept)
    return _checked(_unpacked(kept, "the npm package `pyodide`"), "the npm package `pyodide`")


def _by_npm() -> bytes:
    npm = which("npm")
    if npm is None:
        raise _missing("a page needs Pyodide, and npm is not here to get it")
    with TemporaryDirectory() as folder:
        try:
            subprocess.run(
                [npm, "pack", "--silent", f"pyodide@{VERSION}"],
                cwd=folder,
                check=True,
                timeout=SECONDS,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            (archive,) = Path(folder).glob("*.tgz")
            found = archive.read_bytes()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise _missing(f"a page needs Pyodide, and npm could not get it: {error}") from None
    if _integrity(found) != INTEGRITY:
        raise _missing(f"what npm got is not the npm package `pyodide` {VERSION}, as its checksum shows")
    return found


def _integrity(archive: bytes) -> str:
    return f"sha512-{b64encode(sha512(archive).digest()).decode()}"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _missing(f"`{path}` cannot be read: {error.strerror}") from None


def _unpacked(archive: bytes, what: str) -> dict[str, bytes]:
    found = {}
    try:
        with tarfile.open(fileobj=BytesIO(archive), mode="r:*") as files:
            for entry in files:
                name = entry.name.removeprefix("package/")
                if name in FILES and entry.isfile() and entry.size <= SIZE_LIMIT and (stream := files.extractfile(entry)):
                    found[name] = stream.read()
    except (tarfile.TarError, DamagedError, LZMAError, EOFError, OSError, ValueError, MemoryError):
        raise _missing(f"{what} is no archive, or a damaged one") from None
    return found


def _checked(files: dict[str, bytes], what: str) -> dict[str, bytes]:
    lost = [name for name in FILES if name not in files]
    if lost:
        raise _missing(f"{what} is not the npm package `pyodide`: it has no `{lost[0]}`")
    try:
        version = json.loads(files["package.json"]).get("version")
    except (ValueError, AttributeError, RecursionError):
        version = None
    if version != VERSION:
        raise _missing(f"{what} is Pyodide {version}, and this needs {VERSION}")
    return files


def _missing(text: str) -> RulesError:
    return RulesError([fault("R708", text, help=_HELP)])
