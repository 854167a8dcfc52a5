"""Writes pages that run rulesrun by themselves: a folder of static files, for any web host.

A page needs Pyodide (`pyodide.py`), rulesrun and the packages that it is made of as one archive, the memory with which it begins
(`memory.py`), and the files of `web/`. What a folder holds stands in its `offline.js`, which keeps all of it in the browser, so
that the page also works without a network.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Final

from ..interpreter.common.extras import extra
from ..interpreter.packing.one_folder import in_one_folder
from ..interpreter.packing.pack import Pack, written
from ..interpreter.translation.beside import SUFFIX
from ..interpreter.translation.compiling import compiled_files
from ..interpreter.words.for_pages import words_data
from ..interpreter.words.languages import compiled, languages
from ..interpreter.words.said import COMPILED
from .memory import FILE, memory

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("attrs", "click", "lark", "platformdirs", "rich")
PACKAGES_OF_EDITOR: Final = ("cattrs", "lsprotocol", "pygls", "typing_extensions")  # of the extra `lsp`
PARTS: Final = ("browser", "commands", "docs/codes", "docs/language.md", "grammar", "interpreter", "language_server")
LEFT_OUT: Final = re.compile(r"(^|/)__pycache__/|^interpreter/adapters/|^browser/(bundle|memory|pyodide)\.m?(py|js)$")
ONLY_OF_PLAYGROUND: Final = re.compile(r"playground/|vendor/(LICENSE\.)?codemirror")
WORKER: Final = "browser/worker.js"  # of `web/`


def page_of_game(pack: Pack, title: str, runtime: Mapping[str, bytes], language: str | None = None) -> dict[str, bytes]:
    """The files of a page that plays one game. ``runtime``: of Pyodide. ``language``: in which it begins (None: as the browser of
    who opens it is set).

    Raises `RulesError` (R720) where translations cannot be read.
    """
    files = compiled_files(pack.files)
    web = {path: content for path, content in _web() if not ONLY_OF_PLAYGROUND.match(path)}
    game = {"title": title, "main": pack.main, "language": language}
    page = {
        "index.html": _moved(ROOT / "web/browser/page.html"),
        "game.json": _json(game),
        "game.rulespack": written(Pack(pack.main, pack.transcript, files)),
        **{f"words/{code}.json": _json(words_data(code)) for code in languages()},  # for what is said before Python is there
    }
    return _offline({**page, **_running("game", runtime, web, PACKAGES, {})})


def playground(runtime: Mapping[str, bytes], games: Path | None = None) -> dict[str, bytes]:
    """The files of the playground. ``games``: a folder of games that it offers.

    Raises `RulesError` (R804) without the extra `lsp`.
    """
    extra("pygls", "lsp", "the playground")
    page = {
        "index.html": _moved(ROOT / "web/playground/index.html"),
        "table.html": _moved(ROOT / "web/browser/table.html"),
        "games.json": _json(_games(games) if games is not None else []),
    }
    words = {} if games is None else _words_of_games(games)
    return _offline({**page, **_running("playground", runtime, dict(_web()), (*PACKAGES, *PACKAGES_OF_EDITOR), words)})


def _running(
    kind: str, runtime: Mapping[str, bytes], web: dict[str, bytes], packages: Sequence[str], more: Mapping[str, bytes]
) -> dict[str, bytes]:
    """What every page has. ``more``: files for the archive."""
    archive = python_archive(packages, more)
    kept = memory(kind, runtime, archive)
    web[WORKER] = web[WORKER].replace(b'"MEMORY"', json.dumps("" if kept is None else FILE).encode())
    return {
        "rulesrun.gz": archive,
        **({} if kept is None else {FILE: kept}),
        **{f"pyodide/{name}": content for name, content in runtime.items()},
        **{f"web/{path}": content for path, content in web.items()},
    }


def python_archive(packages: Sequence[str], more: Mapping[str, bytes]) -> bytes:
    """rulesrun and the packages that it needs in a page, with ``more``, as one archive. The same files make the same bytes.

    A worker unpacks it at each start, so it is simple: compressed by gzip, the length of the index (4 bytes, little-endian), the
    index as JSON (names and lengths), then the contents one behind the other.
    """
    files = sorted({**dict(_own()), **dict(_of_others(packages)), **more}.items())
    index = _json([[name, len(content)] for name, content in files])
    return gzip.compress(len(index).to_bytes(4, "little") + index + b"".join(content for _, content in files), 9, mtime=0)


def _own() -> Iterator[tuple[str, bytes]]:
    for part in ("__init__.py", "cli.py", "web/playground/lessons", *PARTS):
        for path in sorted([ROOT / part] if (ROOT / part).is_file() else (ROOT / part).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and not LEFT_OUT.search(name):
                if path.suffix == SUFFIX:
                    with path.open("rb") as file:
                        yield f"rulesrun/{name.removesuffix(SUFFIX)}{COMPILED}", compiled(file)
                else:
                    yield f"rulesrun/{name}", path.read_bytes()
    told = f"Metadata-Version: 2.1\nName: rulesrun\nVersion: {version('rulesrun')}\n"
    yield f"rulesrun-{version('rulesrun')}.dist-info/METADATA", told.encode()


def _of_others(packages: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The Python files of other packages, as they are installed here, with their licences."""
    for package in packages:
        about = distribution(package)
        for file in about.files or ():
            name = file.as_posix()
            if name.startswith("..") or "__pycache__" in name:
                continue
            if name.endswith((".py", ".json", "/METADATA")) or "licen" in name.lower():
                yield name, Path(str(about.locate_file(file))).read_bytes()


def _web() -> Iterator[tuple[str, bytes]]:
    """The files of `web/` that a browser asks for."""
    for path in sorted((ROOT / "web").rglob("*")):
        name = path.relative_to(ROOT / "web").as_posix()
        asked_for = path.suffix in (".js", ".mjs", ".css", ".svg") or "LICENSE" in path.name
        if path.is_file() and asked_for and "node_modules" not in name:
            yield name, path.read_bytes()


def _games(folder: Path) -> list[dict[str, object]]:
    """The games of a folder with their files, for a list to choose from."""
    from ..interpreter.hosting.library import Library
    from ..interpreter.packing.pack import gathered

    library = Library(folder)
    found: list[dict[str, object]] = []
    for id in library.paths():
        overview, pack = library.overview_of(id), gathered(library.entry(id).rules, None)
        if isinstance(pack, Pack) and "error" not in overview:
            texts = {name: data.decode() for name, data in pack.files.items() if name.endswith((".rules", ".csv", ".css"))}
            files, open = in_one_folder(texts, pack.main)
            found.append({"id": id, "title": overview["title"], "about": overview["about"], "files": files, "open": open})
    return found


def _words_of_games(folder: Path) -> dict[str, bytes]:
    """The translations of the games of a folder, compiled, for the archive: all in the folder where `files.py` looks."""
    found = {path.name: path.read_bytes() for path in sorted(folder.rglob(f"*{SUFFIX}"))}
    return {f"rulesrun/browser/words/{name}": content for name, content in compiled_files(found).items()}


def _moved(page: Path) -> bytes:
    """A page of `web/` for the folder above it: its files are in `../`, or in `web/` from there."""
    return page.read_text(encoding="utf-8").replace('"../', '"web/').encode()


def _offline(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files and the script that keeps them in the browser, in which their version stands."""
    digest = sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + sha256(files[name]).digest())
    version = json.dumps(digest.hexdigest()[:16])
    script = (ROOT / "web/browser/offline.js").read_text(encoding="utf-8").replace('"VERSION"', version)
    script = script.replace("[/* FILES */]", json.dumps([".", *sorted(files.keys() - {"index.html"})]))
    return {**files, "offline.js": script.encode()}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
