"""A pack: a zip archive with the rules of a game and all that belongs to them, for somebody else.

It holds files with their places, and first a manifest (`MANIFEST`) that names the file of the game and the SHA-256 of each file.
The same files make the same bytes. An archive from elsewhere is trusted in nothing: its names, sizes and contents are checked
first.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, Final
from zlib import error as DamagedError

from attrs import frozen

from ..common.diagnostics import Diagnostic, fault
from ..common.files import read_bytes
from ..rules import Rules
from ..translation.beside import catalogue_files

MANIFEST: Final = "rulesrun.json"
FORMAT: Final = 1
FILES_LIMIT: Final = 500
SIZE_LIMIT: Final = 20_000_000  # bytes of all files together, and of an archive
SUFFIX: Final = ".rulespack"

_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)  # the time of every file: when something was packed does not matter
# Where a look names a picture beside it: its name, and the ending of that.
PICTURE: Final = re.compile(r"""url\(\s*["']?([^"'()/\\:]+\.(svg|png|jpe?g|webp|gif))["']?\s*\)""", re.IGNORECASE)
_PART: Final = re.compile(r"[^\x00-\x1f\x7f<>:\"/\\|?*]*[^\x00-\x1f\x7f<>:\"/\\|?* .]")  # of a path, as every system allows it
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # names that Windows keeps for itself


@frozen
class Pack:
    """``main``: the file of the game; ``transcript``: of a game that was played, if there is one. ``files``: contents by path,
    these two included."""

    main: str
    transcript: str | None
    files: dict[str, bytes]


def gathered(rules: Rules, transcript: Path | None) -> Pack | tuple[Diagnostic, ...]:
    """The files that belong to rules: those that they name, the look beside them with its pictures, their translations; and a
    transcript.

    Or what is wrong with them: a file that is not there or cannot be read, or too much.
    """
    lost = tuple(found for found in rules.diagnostics if found.code in ("R001", "R002", "R003"))
    if rules.source is None or lost:
        return lost or rules.diagnostics
    paths = [Path(source.path) for source in (rules.source, *rules.beside)]
    main = paths[0]
    look = main.with_suffix(".look.css")
    if look.is_file():
        paths += [look, *_pictures(look)]
    paths += catalogue_files(rules)
    paths += [] if transcript is None else [transcript]
    whole = {path: Path(os.path.realpath(path)) for path in paths}
    root = Path(os.path.commonpath([path.parent for path in whole.values()]))
    named = {path: there.relative_to(root).as_posix() for path, there in whole.items()}
    files: dict[str, bytes] = {}
    for path, name in named.items():
        content = read_bytes(path, SIZE_LIMIT)
        if isinstance(content, Diagnostic):
            return (content,)
        files[name] = content
    pack = Pack(named[main], None if transcript is None else named[transcript], files)
    wrong = _wrong_names(list(files)) or _too_much([len(content) for content in files.values()])
    return pack if wrong is None else (fault("R707", f"`{main}` cannot be packed: {wrong}"),)


def _pictures(look: Path) -> list[Path]:
    names = [found[1] for found in PICTURE.finditer(look.read_text(encoding="utf-8", errors="replace"))]
    return [path for name in dict.fromkeys(names) if (path := look.parent / name).is_file()]


def written(pack: Pack) -> bytes:
    """The archive."""
    manifest = {
        "rulesrun pack": FORMAT,
        "main": pack.main,
        "transcript": pack.transcript,
        "files": {name: sha256(pack.files[name]).hexdigest() for name in sorted(pack.files)},
    }
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in ((MANIFEST, _as_json(manifest)), *sorted(pack.files.items())):
            about = zipfile.ZipInfo(name, _LONG_AGO)
            about.create_system, about.external_attr = 3, 0o644 << 16  # on every system the same
            archive.writestr(about, content, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def _as_json(manifest: dict[str, Any]) -> bytes:
    return (json.dumps(manifest, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogatepass")


def opened(path: str, data: bytes) -> Pack | Diagnostic:
    """The pack in an archive, or why it is none (R707). Nothing of it is written anywhere. ``path`` is only for messages."""
    try:
        pack = _opened(data)
    except (zipfile.BadZipFile, DamagedError, EOFError, OSError, ValueError, RuntimeError):
        pack = "it is no archive, or a damaged one"  # each of these is raised for some damage
    if isinstance(pack, Pack):
        return pack
    help = "packs are written by `rulesrun pack GAME.rules`; let it be sent again"
    return fault("R707", f"`{path}` is no pack: {pack}", help=help)


def _opened(data: bytes) -> Pack | str:
    if len(data) > SIZE_LIMIT:
        return f"it has more than {SIZE_LIMIT:,} bytes, which is the limit"
    with zipfile.ZipFile(BytesIO(data)) as archive:
        entries = archive.infolist()
        names = [entry.filename for entry in entries]
        if MANIFEST not in names:
            return f"it has no file `{MANIFEST}`"
        wrong = _wrong_names(names) or _too_much([entry.file_size for entry in entries])
        if wrong is not None:
            return wrong
        if any(entry.flag_bits & 1 for entry in entries):
            return "its files are locked by a password"
        files = {}
        for entry in entries:
            with archive.open(entry) as stream:
                files[entry.filename] = stream.read(entry.file_size + 1)  # what an archive says of sizes need not be true
    return _agreeing(json.loads(files.pop(MANIFEST)), files)


def _agreeing(manifest: Any, files: dict[str, bytes]) -> Pack | str:
    """The pack, if its manifest says the same as its files."""
    if not isinstance(manifest, dict) or not isinstance(manifest.get("rulesrun pack"), int):
        return f"its `{MANIFEST}` says something else than that of a pack"
    if manifest["rulesrun pack"] > FORMAT:
        return "it was written by a later version of rulesrun; install that one"
    main, transcript, digests = (manifest.get(key) for key in ("main", "transcript", "files"))
    if not isinstance(digests, dict) or digests.keys() != files.keys():
        return "the files in it are not those that it names"
    changed = [name for name, content in files.items() if sha256(content).hexdigest() != digests[name]]
    if changed:
        return f"its file `{changed[0]}` is not what was packed"
    if not isinstance(main, str) or main not in files or not main.endswith(".rules"):
        return "it does not name the file of its game"
    if transcript is not None and (not isinstance(transcript, str) or transcript not in files):
        return "it does not name its transcript"
    return Pack(main, transcript, files)


def _wrong_names(names: list[str]) -> str | None:
    """What is wrong with the paths of files, which must be good on every system and lead nowhere else."""
    for name in names:
        parts = name.split("/")
        if not all(_PART.fullmatch(part) and not _DEVICE.fullmatch(part) for part in parts) or PurePosixPath(name).is_absolute():
            return f"`{name[:100]}` is no name for a file in it"
    low = [name.casefold() for name in names]
    if len(set(low)) < len(low):
        return "two of its files have one name"
    folders = {"/".join(name.split("/")[:count]) for name in low for count in range(1, name.count("/") + 1)}
    return "a file and a folder in it have one name" if folders & set(low) else None


def _too_much(sizes: list[int]) -> str | None:
    if len(sizes) > FILES_LIMIT:
        return f"it has more than {FILES_LIMIT} files, which is the limit"
    return f"its files have more than {SIZE_LIMIT:,} bytes, which is the limit" if sum(sizes) > SIZE_LIMIT else None
