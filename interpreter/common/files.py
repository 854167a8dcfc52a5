"""Reads text files: with a size limit, as UTF-8, and a diagnostic for whatever is wrong."""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path, PurePath, PurePosixPath

from attrs import evolve, field, frozen

from .diagnostics import Diagnostic, fault, nearest
from .source import Source

SIZE_LIMIT = 1_000_000  # bytes; the longest rulebooks, written out as rules, take a tenth of it

_NO_OWN = frozenset({"node_modules", "venv", "site-packages", "__pycache__"})  # folders that hold what others wrote, or no text

Stamp = tuple[int, int]


@frozen
class Reading:
    """What is read while it lasts. ``unsaved``: what counts instead of what stands at these paths (resolved). ``paths``: the
    files that were asked for, whether they are there or not."""

    unsaved: Mapping[Path, str | bytes]
    paths: set[Path] = field(factory=set)


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


@contextmanager
def reading(unsaved: Mapping[Path, str | bytes]) -> Generator[Reading]:
    """Read files as an editor shows them, and note which. Paths in ``unsaved`` are resolved."""
    now = Reading(unsaved)
    before = _reading.set(now)
    try:
        yield now
    finally:
        _reading.reset(before)


def stamp(path: Path) -> Stamp | None:
    """What tells a file on the disk from its next state: when it was changed, and its size; None where it cannot be seen."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def read_text(path: str | Path, limit: int = SIZE_LIMIT) -> Source | Diagnostic:
    """The file at a path, of at most ``limit`` bytes, or what is wrong with it (codes R001 to R003)."""
    data = read_bytes(path, limit)
    return data if isinstance(data, Diagnostic) else text_of(path, data, limit)


def read_bytes(path: str | Path, limit: int = SIZE_LIMIT) -> bytes | Diagnostic:
    """What a file holds, as far as a byte behind the limit, or why it cannot be read (R001)."""
    file = Path(path)
    try:
        if (now := _reading.get()) is not None:
            now.paths.add(whole := file.resolve())
            if whole in now.unsaved:
                text = now.unsaved[whole]
                return (text if isinstance(text, bytes) else text.encode(errors="surrogatepass"))[: limit + 1]
        if file.is_dir():
            return fault("R001", f"`{path}` is a folder, not a file")
        if not file.exists():
            if file.is_symlink():
                return fault("R001", f"`{path}` is a link that leads to no file", help="let it lead to the file, or name that")
            return fault("R001", f"there is no file `{path}`", help=_rules_meant(file, file))
        if not stat.S_ISREG(file.stat().st_mode) and not _is_standard_input(file):
            return fault("R001", f"`{path}` is a device or a pipe, not a file")
        with file.open("rb") as stream:
            return stream.read(limit + 1)  # what a file says of its size need not be true
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name cannot be used"
        return fault("R001", f"`{path}` cannot be read: {reason}")


def text_of(path: str | Path, data: bytes, limit: int = SIZE_LIMIT) -> Source | Diagnostic:
    """The text that a file holds, or why it is none (R002, R003). Lines end with `\\n`, whatever they end with in the file."""
    if len(data) > limit:
        return fault("R003", f"`{path}` has more than {limit:,} bytes, which is the limit", help="is this the right file?")
    try:
        return Source(str(path), data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n"))
    except UnicodeDecodeError as error:
        return fault(
            "R002",
            f"`{path}` is no text in UTF-8 (byte {error.start + 1} is {data[error.start]:#04x})",
            help="save it as UTF-8 text",
        )


def _is_standard_input(file: Path) -> bool:
    """Whether a path is what is piped into this program."""
    return str(file) in ("/dev/stdin", "/dev/fd/0") and stat.S_ISFIFO(file.stat().st_mode)


def read_beside(rules: str | Path, name: str) -> Source | Diagnostic:
    """A file named in a rules file: in the same folder or below it, so that a game can be moved as a whole."""
    inside = PurePosixPath(name)
    if _is_foreign(name) or ".." in inside.parts:
        return fault("R007", f"`{name}` is not beside the rules", help="name a file in the same folder, or in a folder below it")
    folder = Path(rules).parent
    try:
        away = not (folder / inside).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a circle of links
        away = True
    if away:
        return fault("R007", f"`{name}` leads away from the rules", help="put the file itself into the same folder")
    return read_text(folder / inside)


def read_parent(rules: str | Path, name: str) -> Source | Diagnostic:
    """The rules that a rules file extends: in its own folder, below or above it, so that a folder of games can be moved.

    Only rules can be named: a message shows lines of what cannot be read, and no other file is anybody's business.
    """
    if _is_foreign(name):
        return fault("R007", f"`{name}` is not named from here", help="name it from this file's folder, as in `../game.rules`")
    if not name.endswith(".rules"):
        return fault("R007", f"`{name}` is no file of rules", help="what is extended is a game, and its name ends with `.rules`")
    path = Path(rules).parent / PurePosixPath(name)
    plain = Path(os.path.normpath(path))  # `games/game.rules` reads better than `games/refused/../game.rules`
    try:
        same = plain.resolve() == path.resolve()
    except (OSError, RuntimeError, ValueError):  # a circle of links, or no name of a file: reading says what is wrong
        same = False
    found = read_text(plain if same else path)
    if isinstance(found, Diagnostic) and found.code == "R001":
        return evolve(found, help=_rules_meant(path, PurePosixPath(name)))
    return found


def _rules_meant(file: Path, written: PurePath) -> str:
    """The help for rules that are not there: those in the same folder that are nearly called so; "" where there are none.

    ``written``: how the file is named by whoever wants it.
    """
    if file.suffix not in (".rules", ""):
        return ""
    near = nearest(file.stem, [other.stem for other in rules_in_folder(file.parent)])
    return f"did you mean `{written.with_name(near)}.rules`?" if near is not None else ""


def rules_in_folder(folder: Path) -> list[Path]:
    """The files of rules in a folder; none where it cannot be looked into."""
    try:
        return sorted(folder.glob("*.rules"))
    except (OSError, ValueError):
        return []


def rules_below(folder: Path, limit: int, folders: int) -> list[Path]:
    """The files of rules in a folder and in those below it, the nearest ones first: at most ``limit``, in at most ``folders``.

    Hidden folders, those of installed packages, and links to folders are left out.
    """
    found: list[Path] = []
    waiting = deque([folder])
    for _ in range(folders):
        if not waiting or len(found) >= limit:
            break
        try:
            entries = sorted(os.scandir(waiting.popleft()), key=lambda entry: entry.name)
        except (OSError, ValueError):
            continue
        for entry in entries:
            with suppress(OSError):
                if entry.name.endswith(".rules") and entry.is_file():
                    found.append(Path(entry.path))
                elif not entry.name.startswith(".") and entry.name not in _NO_OWN and entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
    return found[:limit]


def _is_foreign(name: str) -> bool:
    """Whether a name begins at the root of a disk, or is written as only some systems do."""
    return PurePosixPath(name).is_absolute() or "\\" in name or ":" in name
