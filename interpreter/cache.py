"""What costs time to make is kept in the user's cache folder. A cache that cannot be read or written costs that time again
and nothing else.

An entry is a file: a checksum, then its content. It is written whole or not at all, since other processes may read at any
moment; one that is damaged is as good as none. The name says what it was made of, so an entry never grows old, and those that
were not asked for the longest time go when there are too many.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

_CHECK = 32  # bytes of the checksum
ENTRIES_LIMIT = 200  # some ten megabytes; an entry is a game at one table, or the parser's tables


def name_for(purpose: str, *parts: str) -> str:
    """The name of what is made of these parts; parts that differ have different names."""
    said = "\0".join([str(len(part)) + "\0" + part for part in parts])
    return f"{purpose}-{sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def read(name: str) -> bytes | None:
    """The content of an entry; None where there is none, or one that is damaged."""
    file = _file(name)
    if file is None:
        return None
    try:
        data = file.read_bytes()
    except OSError:
        return None
    check, content = data[:_CHECK], data[_CHECK:]
    if check != sha256(content).digest():
        return None
    with suppress(OSError):
        os.utime(file)
    return content


def write(name: str, content: bytes) -> None:
    """Keep an entry, if that is possible."""
    file = _file(name)
    if file is None:
        return
    temporary = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=file.name)
        with os.fdopen(handle, "wb") as out:
            out.write(sha256(content).digest() + content)
        os.replace(temporary, file)
        _make_room(file.parent)
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _make_room(folder: Path) -> None:
    entries = list(os.scandir(folder))
    if len(entries) <= ENTRIES_LIMIT:
        return
    for entry in sorted(entries, key=_last_used)[: len(entries) - ENTRIES_LIMIT]:
        with suppress(OSError):
            os.unlink(entry.path)


def _last_used(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat().st_mtime
    except OSError:  # another process has taken it away
        return 0.0


def _file(name: str) -> Path | None:
    """None where there is no home."""
    try:
        return _folder() / "rulesrun" / name
    except RuntimeError:
        return None


def _folder() -> Path:
    configured = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(configured):
        return Path(configured)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path.home() / ".cache"
