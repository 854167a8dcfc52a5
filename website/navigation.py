"""The order in which the site offers its pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from .games import FOLDERS, ShippedGame
from .messages import messages

# As MkDocs writes it: the path of a page, or a title with a path or with entries.
Entry = str | dict[str, "str | list[Entry]"]

PLAYGROUND: Final = "playground/"  # where the playground is on the site; it is built by itself

# Titles with the pages below them. What ends in `/` is a folder whose pages are listed by themselves. Pages that stand nowhere
# here come at the end.
_ORDER: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("Start", ("index.md",)),
    ("Playground", (PLAYGROUND,)),
    ("Tutorial", ("tutorial.md",)),
    ("Variant", ("variant.md",)),
    ("Cookbook", ("cookbook.md",)),
    ("Games", ("games/", "classics.md")),
    ("Language", ("language/",)),
    ("Messages", ("codes/",)),
    ("Checking", ("check.md", "style.md")),
    ("Playing", ("serve.md", "browser.md", "bots.md")),
    ("Paper and languages", ("rulebook.md", "printing.md", "translation.md")),
    ("Measuring", ("simulate.md", "analyse.md", "sweep.md", "tune.md", "balance.md", "cluster.md", "solve.md")),
    ("Python and learners", ("python.md", "environments.md", "schemas.md")),
    ("Editors", ("editors.md", "editors/vscode.md", "editors/vscode_install.md")),
    ("Internals", ("internals.md",)),
    ("Changes", ("changes.md", "license.md")),
)


def navigation(titles: Mapping[str, str], games: Sequence[ShippedGame]) -> list[Entry]:
    """All pages in their order. ``titles``: by the paths of the pages."""
    left = dict(titles)
    found: list[Entry] = []
    for title, paths in _ORDER:
        entries = [entry for path in paths for entry in _entries(path, titles, games)]
        for path in _paths(entries):
            left.pop(path, None)
        if len(paths) == 1 and len(entries) == 1:
            found += [{title: path} for path in _paths(entries)]
        elif entries:
            found.append({title: entries})
    if left:
        found.append({"More": [{title: path} for path, title in left.items()]})
    return found


def _entries(path: str, titles: Mapping[str, str], games: Sequence[ShippedGame]) -> Iterator[Entry]:
    """The entries for a part of the order; none for a page that is not there."""
    match path:
        case "playground/":
            yield path
        case "games/":
            yield "games/index.md"
            for folder, (headline, _) in FOLDERS.items():
                yield {headline: [{game.title: game.path} for game in games if game.folder == folder]}
        case "codes/":
            yield "codes/index.md"
            for title, codes in messages():
                yield {title: [{titles[page]: page} for page in (f"codes/{code.name}.md" for code in codes)]}
        case "language/":
            yield from (page for page in titles if page.startswith(path))
        case _ if path in titles:
            yield {titles[path]: path}


def _paths(entries: Sequence[Entry]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            for below in entry.values():
                yield from _paths(below if isinstance(below, list) else [below])
