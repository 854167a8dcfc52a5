"""The cache in the user's cache folder. If it cannot be read or written, results are computed again and nothing else is lost.

An entry is a file: a checksum of its name and its content, then the content. It is written whole or not at all, since other
processes may read at any moment; a damaged entry is ignored. The name is a digest of everything that the entry was made from, so
an entry never grows old, and one that stands under another's name is noticed. The least recently used entries go when there are
too many.

Files that somebody else could have written are not read: the folder and the entry must be the user's own, or the administrator's,
and nobody else may write there. A reader still checks what an entry says, and nothing in it may run as code of this process.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from .platform import HERE

_CHECK = 32  # bytes of the checksum
ENTRIES_LIMIT = 1000  # some fifty megabytes; an entry is a game at one table, or the tables of the parser
SIZE_LIMIT = 100_000_000  # bytes of an entry: no module comes near


def name_for(purpose: str, *parts: str) -> str:
    """The name of what is made of these parts; parts that differ have different names."""
    said = "\0".join([str(len(part)) + "\0" + part for part in parts])
    return f"{purpose}-{sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def read(name: str) -> bytes | None:
    """The content of an entry; None where there is none, one that is damaged, or one that others could have written."""
    file = _file(name)
    if file is None:
        return None
    try:
        if not _is_private(os.stat(file.parent)):
            return None
        with open(file, "rb", opener=_open) as entry:
            found = os.fstat(entry.fileno())
            if not stat.S_ISREG(found.st_mode) or not _is_private(found) or found.st_size > SIZE_LIMIT:
                return None
            data = entry.read()
    except OSError:
        return None
    check, content = data[:_CHECK], data[_CHECK:]
    if check != _checksum(name, content):
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
        file.parent.parent.mkdir(parents=True, exist_ok=True)
        file.parent.mkdir(mode=0o700, exist_ok=True)
        if not _made_private(file.parent):
            return
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=file.name)
        with os.fdopen(handle, "wb") as out:
            out.write(_checksum(name, content) + content)
        os.replace(temporary, file)
        _make_room(file.parent)
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _checksum(name: str, content: bytes) -> bytes:
    return sha256(name.encode() + b"\0" + content).digest()


def _open(path: str, flags: int) -> int:
    """Without going where a link leads, and without waiting for somebody who writes into a pipe."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _is_private(found: os.stat_result) -> bool:
    """Whether nobody else may write to a file or folder but the administrator. Windows keeps a user's folder for itself."""
    if sys.platform == "win32":
        return True
    return found.st_uid in (0, os.geteuid()) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _made_private(folder: Path) -> bool:
    """Whether nobody else may write in the folder, now that it was forbidden where that is possible."""
    found = os.stat(folder)
    if not _is_private(found) and found.st_uid == os.geteuid():
        os.chmod(folder, stat.S_IMODE(found.st_mode) & ~(stat.S_IWGRP | stat.S_IWOTH))
        found = os.stat(folder)
    return _is_private(found)


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
    """None where there is no home, or none that can be found."""
    if not HERE.keeps_files:
        return None
    from platformdirs import user_cache_path  # many commands need no cache

    try:
        return user_cache_path("rulesrun", appauthor=False, opinion=False) / name
    except (OSError, RuntimeError, ValueError):
        return None
