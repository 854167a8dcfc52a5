"""The built site: its links and anchors lead somewhere, it asks no other host for anything, and its examples can be opened."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from attrs import Factory, define, field
from rulesrun.browser.files import NAME
from rulesrun.interpreter.common.codes import CODES
from rulesrun.interpreter.library.checking import check
from rulesrun.interpreter.packing.link import files_of
from rulesrun.interpreter.rules import read_rules
from rulesrun.website.fences import ROOT
from rulesrun.website.navigation import PLAYGROUND

from ..browser.pages import runtime
from ..pipeline import USELESS

pytestmark = pytest.mark.process

REQUESTING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "audio": "src", "video": "src", "embed": "src"}
SHOWING = {"stylesheet", "icon", "preconnect", "dns-prefetch", "preload", "prefetch", "modulepreload", "manifest"}


@define
class Reader(HTMLParser):
    """Reads a page: ``links`` are all links in it; ``asked``: what a browser loads to show it; ``names``: its anchors."""

    links: list[str] = Factory(list)
    asked: list[str] = Factory(list)
    names: set[str] = Factory(set)
    tried: list[str] = Factory(list)
    _trying: bool = field(default=False, init=False)

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.names |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            (self.tried if self._trying else self.links).append(found["href"])
        if tag in REQUESTING and REQUESTING[tag] in found:
            self.asked.append(found[REQUESTING[tag]])
        if tag == "link" and set(found.get("rel", "").split()) & SHOWING:
            self.asked.append(found["href"])
        if tag == "p":
            self._trying = found.get("class") == "try-it"

    def handle_endtag(self, tag: str) -> None:
        self._trying = self._trying and tag != "p"


class Built:
    """A site in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def pages(self) -> dict[str, Reader]:
        """All pages by their paths."""
        found = {}
        for file in self.folder.rglob("*.html"):
            reader = Reader()
            reader.feed(file.read_text(encoding="utf-8"))
            found[file.relative_to(self.folder).as_posix()] = reader
        return found

    def codes_in(self, page: str) -> set[str]:
        """The codes that a page names, those of the navigation left out."""
        return set(re.findall(r"R\d{3}", re.sub(r"href=\S+", "", self.article(page))))

    def article(self, page: str) -> str:
        """A page without its frame, which is the same for all."""
        return (self.folder / page).read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]

    def lost(self) -> Iterator[str]:
        """The links between pages, and what pages load, that lead nowhere."""
        for page, reader in self.pages.items():
            for link in [*reader.links, *reader.asked]:
                if re.match(r"(https?|mailto):", link):
                    continue
                path, name = urldefrag(urljoin(f"/{page}", link))
                goal = unquote(path).removeprefix("/")
                goal += "index.html" if goal.endswith("/") else ""
                there = not link.startswith("/") and (self.folder / goal).is_file()
                if not there or (name and goal in self.pages and unquote(name) not in self.pages[goal].names):
                    yield f"{page}: {link}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Built:
    runtime()  # of the playground; skipped where it is not to be had
    folder = tmp_path_factory.mktemp("built") / "site"
    command = ["mkdocs", "build", "--strict", "--config-file", "website/mkdocs.yml", "--site-dir", str(folder)]
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return Built(folder)


def test_every_link_and_anchor_is_there(site: Built) -> None:
    assert len(site.pages) > 250
    assert sum(len(reader.links) for reader in site.pages.values()) > 5000
    assert list(site.lost()) == []


def test_headings_are_found_by_the_search(site: Built) -> None:
    index = json.loads((site.folder / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {each["title"]: each["location"] for each in index["docs"] if each["location"].startswith("editors.html")}
    assert found["Neovim"] == "editors.html#neovim"


def test_all_markdown_is_understood(site: Built) -> None:
    """Code hosts understand some that the site does not, such as a table without an empty line above it."""
    left = re.compile(r"\*\*|\{ #|`|^\s*- |\]\(|^\s*\||\\[*_<]", re.M)
    for page in site.pages:
        text = re.sub(r"<(pre|code).*?</\1>", "", site.article(page), flags=re.S)
        assert left.findall(re.sub(r"<[^>]+>", "", text)) == [], page


def test_no_page_asks_another_host_for_anything(site: Built) -> None:
    foreign = [
        f"{page}: {asked}"
        for page, reader in site.pages.items()
        for asked in reader.asked
        if re.match(r"[a-z]+:(?!image/)|//", asked)
    ]
    assert foreign == []
    for file in site.folder.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", file.read_text(encoding="utf-8")), file


def test_every_page_of_a_code_and_of_a_game_is_there(site: Built) -> None:
    wanted = {f"codes/{code}.html" for code in CODES}
    wanted |= {file.relative_to(ROOT).with_suffix(".html").as_posix() for file in (ROOT / "games").rglob("*.rules")}
    assert wanted - set(site.pages) == set()


def test_an_example_to_try_has_no_fault_but_those_that_its_page_names(site: Built, tmp_path: Path) -> None:
    """Other than that it declares more than it uses, as most examples do."""
    wrong: list[str] = []
    checked: dict[str, set[str]] = {}  # the codes of the errors in a game, by its link
    for page, reader in site.pages.items():
        named = site.codes_in(page) | also(page)
        for link in reader.tried:
            assert urljoin(f"/{page}", link).startswith(f"/{PLAYGROUND}#")
            if link not in checked:
                checked[link] = errors(link, tmp_path / str(len(checked)))
            wrong += [f"{page}: {code}" for code in checked[link] - named if not USELESS.fullmatch(code)]
    assert wrong == []
    assert len(checked) > 300


def also(page: str) -> set[str]:
    """The codes that the source of a page says an example has besides."""
    source = ROOT / "docs" / Path(page).with_suffix(".md")
    return set(re.findall(r"^```.* also=(R\d{3})", source.read_text(encoding="utf-8"), re.M)) if source.is_file() else set()


def errors(link: str, folder: Path) -> set[str]:
    """The codes of what is wrong with the game in a link."""
    files, shown = files_of(link)
    folder.mkdir()
    for name, text in files.items():
        assert NAME.fullmatch(name), f"the playground would refuse {name}"
        (folder / name).write_bytes(text.encode("utf-8"))
    found = read_rules(folder / shown).diagnostics
    if not originals().issuperset(files.values()):
        found = check(folder / shown, proved=True)
    return {finding.code for finding in found if finding.severity == "error"}


@cache
def originals() -> frozenset[str]:
    """The texts of the games that come with rulesrun, which are checked elsewhere."""
    files = [file for ending in ("rules", "csv") for file in (ROOT / "games").rglob(f"*.{ending}")]
    return frozenset(file.read_text(encoding="utf-8") for file in files)
