"""All pages of the documentation site, made from the files of the project.

Nothing here knows which program turns the pages into HTML. `prepared` gives Markdown with the usual additions of Python-Markdown
(tables, fenced code, attributes in braces), files that are shown as they are, and the order of the pages. `mkdocs_hooks.py` hands
them to MkDocs.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

from attrs import frozen
from rulesrun.interpreter.packing.link import link_of

from .examples import Game, PageFiles
from .fences import DOCS, FENCE, ROOT, Fence
from .games import FOLDERS, ShippedGame, game_page, list_of_games, shipped_games
from .links import Places, anchor, outside_of_fences, relative, with_anchors
from .messages import list_of_messages
from .navigation import PLAYGROUND, Entry, navigation

# Files outside of `docs` that have a page.
_OTHERS: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "LICENSE": "license.md",
    "editors/vscode/README.md": "editors/vscode.md",
    "editors/vscode/INSTALL.md": "editors/vscode_install.md",
}
_CUT: Final = "docs/language.md"  # the page that is cut into several
_WIDE: Final = "---\nhide:\n  - toc\n---\n"  # without a table of contents beside the page, since rules have long lines


@frozen
class Page:
    """A page by its path on the site. ``file``: what it is made from, to which its links are relative."""

    path: str
    file: str
    text: str

    @property
    def title(self) -> str:
        """The first heading."""
        found = re.search(r"^# (.*)$", self.text, re.M)
        assert found is not None, self.path
        return found[1].replace("`", "")


@frozen
class Site:
    """All that the site consists of. ``pages`` and ``files`` by their paths on the site."""

    pages: Mapping[str, str]
    files: Mapping[str, Path]
    navigation: list[Entry]


def prepared() -> Site:
    """The site. Raises `LostLinkError` if a page links to something that is not on it."""
    games = shipped_games()
    files = {file.relative_to(DOCS).as_posix(): file for name in ("schemas", "pictures") for file in (DOCS / name).iterdir()}
    files |= {"site.css": Path(__file__).with_name("site.css"), "icon.png": ROOT / "editors" / "vscode" / "icon.png"}
    pages = [*_written(), *_sections()]
    pages.append(Page("codes/index.md", "docs/codes/", list_of_messages()))
    pages.append(Page("schemas.md", "docs/schemas/", _list_of_schemas()))
    places = _places(pages, list(files), games)
    done = {page.path: finished(places.rewritten(page.text, page.file, page.path), page.path) for page in pages}
    pages.append(Page("games/index.md", "games/", list_of_games(games)))
    done["games/index.md"] = finished(pages[-1].text, "games/index.md")
    done |= {game.path: _WIDE + finished(game_page(game), game.path, game) for game in games}
    titles = {page.path: page.title for page in pages} | {game.path: game.title for game in games}
    return Site(done, files, navigation(titles, games))


def _written() -> Iterator[Page]:
    """The pages that are written by hand, except for the one that is cut into several."""
    for file, path in _OTHERS.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        yield Page(path, file, text if text.startswith("# ") else f"# License\n\n{text}")
    for source in sorted(DOCS.rglob("*.md")):
        file = source.relative_to(ROOT).as_posix()
        if file != _CUT:
            yield Page(source.relative_to(DOCS).as_posix(), file, source.read_text(encoding="utf-8"))


def _places(pages: list[Page], files: list[str], games: tuple[ShippedGame, ...]) -> Places:
    """Where everything stands that pages link to."""
    folders = {f"games/{folder}": f"games/index.md#{anchor(headline)}" for folder, (headline, _) in FOLDERS.items() if folder}
    by_file = {page.file.rstrip("/"): page.path for page in reversed(pages)}  # of several pages, the first
    by_file |= {f"docs/{path}": path for path in files} | {"games": "games/index.md"} | folders
    by_file |= {game.file.relative_to(ROOT).as_posix(): game.path for game in games}
    sections = {
        (page.file, anchor(heading)): page.path
        for page in pages
        if page.file == _CUT
        for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", page.text), re.M)
    }
    return Places(by_file, sections)


def _sections() -> Iterator[Page]:
    """The page that is cut, as one page for each of its sections, and first what stands above them."""
    text = (ROOT / _CUT).read_text(encoding="utf-8")
    for start, end in pairwise([0, *_headings(text), len(text)]):
        part = text[start:end].rstrip() + "\n"
        if start:
            part = outside_of_fences(part, lambda lines: re.sub(r"^#(#+ )", r"\1", lines, flags=re.M))
        name = anchor(part.partition("\n")[0].removeprefix("# ")) if start else "index"
        yield Page(f"language/{name}.md", _CUT, part)


def _headings(text: str) -> Iterator[int]:
    """Where the headings of the second level stand in a text."""
    inside = [range(match.start(), match.end()) for match in FENCE.finditer(text)]
    for match in re.finditer(r"^## ", text, re.M):
        if not any(match.start() in fence for fence in inside):
            yield match.start()


def _list_of_schemas() -> str:
    text = "# JSON schemas\n\nThese schemas describe what rulesrun writes and reads as JSON.\n\n"
    text += "| file | what it describes |\n|---|---|\n"
    for file in sorted((DOCS / "schemas").glob("*.json")):
        text += f"| [{file.name}]({file.name}) | {json.loads(file.read_text(encoding='utf-8'))['title']} |\n"
    return text


def finished(text: str, page: str, game: ShippedGame | None = None) -> str:
    """The text of a page as Python-Markdown takes it, with a link to the playground beside each whole game.

    Headings state their anchors, fenced blocks have plain openings, and lists in lists are set in by four spaces.

    ``game``: the game of which the page shows the rules.
    """
    files = PageFiles.of(text)

    def block(match: re.Match[str]) -> str:
        fence = Fence(tuple(match[1].split()), match[2], "", 0)
        whole = game.game if game is not None and fence.language == "rules" else files.follow(fence)
        name = fence.setting("file") or fence.setting("append")
        title = f' title="{name}"' if name else ""
        plain = f"```{fence.language or 'text'}{title}\n{fence.text}```"
        parts = [plain] if whole is None else [plain, _try_it(whole, page)]
        return "\n\n".join(parts if game is None else reversed(parts))  # the rules of a whole game are long

    return FENCE.sub(block, outside_of_fences(with_anchors(text), _set_in))


def _set_in(text: str) -> str:
    """A text whose lists in lists are set in by four spaces, whatever the mark; numbered lists stand apart from others."""
    done: list[str] = []
    open_lists: list[tuple[int, bool]] = []  # around a line: how far each is set in, and whether it is numbered
    for line in text.split("\n"):
        if match := re.match(r"( *)(-|(\d+)\.) ", line):
            here = len(match[1]), match[3] is not None
            while open_lists and open_lists[-1][0] >= here[0]:
                if (last := open_lists.pop()) != here and last[0] == here[0]:
                    done.append("")
            line = "    " * len(open_lists) + line.lstrip()
            open_lists.append(here)
        elif line and not line.startswith(" "):
            open_lists = []
        done.append(line)
    return "\n".join(done)


def _try_it(game: Game, page: str) -> str:
    address = f"{relative(PLAYGROUND, page)}/#{link_of(game.files, game.open)}"
    name = html.escape(game.open)
    return f'<p class="try-it"><a href="{address}" title="Open {name} in the playground">Try it</a></p>'
