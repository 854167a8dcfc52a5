"""Exported pages in a real browser: games are played by clicks, without a server, and later without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rulesrun.browser.pyodide import VERSION, pyodide
from rulesrun.interpreter.common.diagnostics import RulesError

from ..no_room import run_without_room
from ..web.people import MINE, OVER, Person
from .pages import Host, runtime

GAMES = Path(__file__).parents[2] / "games"
LOADED = 120_000  # milliseconds after which a page is given up, on a machine with other things to do


def export(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from rulesrun.cli import main; main()", "export", *arguments]
    return subprocess.run(program, capture_output=True, text=True, check=False, env=os.environ | environment)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Kingdomino as the command writes it, in a folder whose name has a space and other scripts in it."""
    runtime()
    folder = tmp_path_factory.mktemp("гра з") / "my page"
    done = export(str(GAMES / "kingdomino.rules"), "--page", str(folder))
    assert done.returncode == 0, done.stderr
    host = Host(folder.parent)
    yield host
    host.close()


class Visitor(Person):
    """Somebody who opens a page, and notes where its requests go."""

    def __init__(self, host: Host, browser: Any, **more: Any) -> None:
        super().__init__(host, browser, **more)  # type: ignore[arg-type]
        self.asked: list[str] = []
        self.context.on("request", lambda request: self.asked.append(request.url))

    @property
    def hosts(self) -> set[str]:
        """The hosts of all requests."""
        return {url.split("/")[2] for url in self.asked if not url.startswith(("blob:", "data:"))}


def begin(person: Person) -> None:
    person.go("my%20page/")
    person.page.get_by_role("button", name="Play", exact=True).click(timeout=LOADED)
    person.page.wait_for_selector(".at-table", timeout=LOADED)


@pytest.mark.browser
def test_a_game_is_played_against_a_bot_and_nobody_else_is_asked(exported: Host, browser: Any) -> None:
    person = Visitor(exported, browser)
    begin(person)
    assert person.play() >= 12
    assert person.page.query_selector(OVER)
    assert person.hosts == {f"127.0.0.1:{exported.port}"}
    assert person.errors == []
    person.context.close()


@pytest.mark.browser
def test_a_page_works_without_a_network(exported: Host, browser: Any) -> None:
    person = Visitor(exported, browser)
    begin(person)
    person.page.wait_for_function("navigator.serviceWorker.ready.then(() => true)", timeout=LOADED)
    person.page.close()
    person.page = person.context.new_page()
    person.context.set_offline(True)
    begin(person)
    assert person.wait()
    person.context.close()


def damaged(content: bytes) -> bytes:
    return content[: len(content) // 2] + bytes(100_000) + content[len(content) // 2 + 100_000 :]


@pytest.mark.browser
@pytest.mark.parametrize("harm", [damaged, lambda content: content[:-1_000_000]], ids=["damaged", "cut"])
def test_a_page_begins_where_its_memory_is_damaged(exported: Host, browser: Any, harm: Callable[[bytes], bytes]) -> None:
    person = Visitor(exported, browser, service_workers="block")
    content = harm((exported.folder / "my page/memory.gz").read_bytes())
    person.context.route("**/memory.gz", lambda route: route.fulfill(body=content))
    begin(person)
    assert person.wait()
    person.context.close()


@pytest.mark.browser
def test_a_page_that_is_written_without_node_begins_from_nothing(tmp_path: Path, browser: Any) -> None:
    runtime()
    done = export(str(GAMES / "classics/hex.rules"), "--page", str(tmp_path / "my page"), PATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Node.js" in done.stdout
    assert not (tmp_path / "my page/memory.gz").exists()
    host = Host(tmp_path)
    person = Visitor(host, browser)
    begin(person)
    assert not any("memory" in url for url in person.asked)
    person.context.close()
    host.close()


WASM = "**/pyodide.asm.wasm"


@pytest.mark.browser
def test_a_page_that_cannot_be_loaded_says_so(exported: Host, browser: Any) -> None:
    person = Visitor(exported, browser, service_workers="block")
    person.context.route(WASM, lambda route: route.fulfill(status=404))
    person.go("my%20page/")
    person.page.get_by_text("The game cannot be started here: ").wait_for(timeout=LOADED)
    person.context.close()


@pytest.mark.browser
def test_a_host_need_not_know_the_type_of_webassembly(exported: Host, browser: Any) -> None:
    person = Visitor(exported, browser, service_workers="block")
    content = (exported.folder / "my page/pyodide/pyodide.asm.wasm").read_bytes()
    person.context.route(WASM, lambda route: route.fulfill(body=content, content_type="application/octet-stream"))
    begin(person)
    person.context.close()


@pytest.mark.browser
def test_a_host_without_https_is_enough(exported: Host, browser: Any) -> None:
    person = Visitor(exported, browser)
    here, person.base = person.base, "http://game.test"  # there a browser has neither caches nor service workers
    person.context.route(
        "http://game.test/**", lambda route: route.fulfill(response=route.fetch(url=route.request.url.replace(person.base, here)))
    )
    begin(person)
    assert not person.page.evaluate("isSecureContext || 'caches' in window")
    person.context.close()


@pytest.mark.browser
def test_two_people_play_at_one_screen(exported: Host, browser: Any) -> None:
    person = Visitor(exported, browser)
    person.go("my%20page/")
    person.page.get_by_label("player 2").select_option("me", timeout=LOADED)
    assert person.page.locator("option", has_text="by a link").count() == 0
    person.page.get_by_role("button", name="Play", exact=True).click()
    seats = set()
    for _ in range(6):
        person.page.wait_for_selector(MINE, timeout=LOADED)
        seats.add(person.page.get_attribute(".player.me", "data-player"))
        person.step(Random(1))
        person.page.wait_for_timeout(900)
    assert seats == {"1", "2"}
    assert person.errors == []
    person.context.close()


LATIN = re.compile(r"[A-Za-z]{2,}")
BOTS = re.compile(r"Ada|Bruno|Chen|Dora|Emil|Freya|Goro|Hana|Ivo|Jun")


@pytest.mark.browser
def test_a_page_speaks_the_language_of_its_reader(exported: Host, browser: Any) -> None:
    person = Visitor(exported, browser, locale="uk-UA")
    person.go("my%20page/")
    page = person.page
    page.get_by_role("button", name="Грати", exact=True).wait_for(timeout=LOADED)
    assert page.locator("h1").inner_text() == "Доміношне королівство"
    page.get_by_label("Мова").select_option("ja")
    page.get_by_role("button", name="プレイ", exact=True).wait_for(timeout=LOADED)
    page.get_by_label("言語").select_option("uk")
    page.get_by_role("button", name="Грати", exact=True).click()
    for _ in range(4):
        page.wait_for_selector(MINE, timeout=LOADED)
        told = page.locator("body").inner_text()
        assert [line for line in told.splitlines() if LATIN.search(BOTS.sub("", line))] == []
        person.step(Random(1))
        page.wait_for_timeout(900)
    assert person.errors == []
    person.context.close()


@pytest.mark.browser
def test_a_page_begins_in_the_language_that_it_is_exported_in(tmp_path: Path, browser: Any) -> None:
    runtime()
    done = export(str(GAMES / "masti.rules"), "--page", str(tmp_path / "my page"), "--language", "ja")
    assert done.returncode == 0, done.stderr
    host = Host(tmp_path)
    person = Visitor(host, browser)
    person.go("my%20page/")
    person.page.get_by_role("button", name="プレイ", exact=True).wait_for(timeout=LOADED)
    person.context.close()
    host.close()
    done = export(str(GAMES / "masti.rules"), "--page", str(tmp_path / "other"), "--language", "tlh")
    assert (done.returncode, "there are en, ja, ru, uk" in done.stderr) == (2, True)


@pytest.mark.browser
def test_a_page_fits_a_phone(exported: Host, browser: Any) -> None:
    person = Visitor(exported, browser, width=360, height=740)
    begin(person)
    assert person.page.evaluate("document.documentElement.scrollWidth") <= 360
    person.context.close()


@pytest.mark.browser
def test_a_page_is_also_an_archive(exported: Host) -> None:
    page = exported.folder / "my page"
    with zipfile.ZipFile(exported.folder / "my page.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    assert files == {path.relative_to(page).as_posix(): path.read_bytes() for path in page.rglob("*") if path.is_file()}
    (listed,) = re.findall(r"FILES = .*\((\[.*\])\);", files["offline.js"].decode())
    assert set(json.loads(listed)) == {".", *files} - {"index.html", "offline.js"}


@pytest.mark.browser
def test_only_a_page_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/cat.png").write_bytes(b"cat")
    done = export(str(GAMES / "classics/hex.rules"), "--page", str(tmp_path / "photos"))
    assert done.returncode == 2
    assert "holds something other than a page" in done.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["photos", "cat.png"]


@pytest.mark.process
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--out", "a.wasm", "--page", "a"),
        ("--page", "a", "--players", "3"),
        ("--out", "a.wasm", "--pyodide", "b"),
        ("--out", "a.wasm", "--language", "uk"),
    ],
)
def test_wrong_usage_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    monkeypatch.chdir(tmp_path)
    assert export(str(GAMES / "classics/hex.rules"), *arguments).returncode == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.browser
def test_rules_with_faults_make_no_page(tmp_path: Path) -> None:
    (tmp_path / "bad.rules").write_text("game bad\n    players x\n", encoding="utf-8")
    done = export(str(tmp_path / "bad.rules"), "--page", str(tmp_path / "page"))
    assert done.returncode == 1
    assert "error[R" in done.stderr
    assert not (tmp_path / "page").exists()


@pytest.mark.browser
def test_what_lies_beside_a_page_stays(tmp_path: Path) -> None:
    runtime()
    page = tmp_path / "page"
    assert export(str(GAMES / "classics/hex.rules"), "--page", str(page)).returncode == 0
    (page / ".git").mkdir()
    (page / ".git/HEAD").write_text("mine", encoding="utf-8")
    (page / "web/gone.js").write_text("// of an earlier version", encoding="utf-8")
    script = page / "offline.js"
    script.write_bytes(script.read_bytes().replace(b'"web/main.js"', b'"web/main.js", "web/gone.js"'))
    done = export(str(GAMES / "masti.rules"), "--page", str(page))
    assert done.returncode == 0, done.stderr
    assert (page / ".git/HEAD").read_text(encoding="utf-8") == "mine"
    assert not (page / "web/gone.js").exists()
    assert json.loads((page / "game.json").read_bytes())["main"] == "masti.rules"
    with zipfile.ZipFile(tmp_path / "page.zip") as archive:
        assert not any("git" in name for name in archive.namelist())
    assert {path.name for path in tmp_path.iterdir()} == {"page", "page.zip"}


@pytest.mark.browser
def test_a_full_disk_leaves_the_page_before(tmp_path: Path) -> None:
    runtime()
    page = tmp_path / "page"
    assert export(str(GAMES / "classics/hex.rules"), "--page", str(page)).returncode == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    program = [sys.executable, "-c", "from rulesrun.cli import main; main()"]
    done = run_without_room([*program, "export", str(GAMES / "masti.rules"), "--page", str(page)], 5_000_000)
    assert done.returncode == 2
    assert "cannot be written: File too large" in done.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.browser
@pytest.mark.parametrize("name", ["a" * 300, "..", "a/..", "file.rules", "file.rules/page"])
def test_places_that_are_none_for_a_page_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "file.rules").write_text("mine", encoding="utf-8")
    done = export(str(GAMES / "classics/hex.rules"), "--page", name)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert {path.name for path in tmp_path.rglob("*")} == {"a", "file.rules"}


# ---- Pyodide


@pytest.mark.browser
def test_another_pyodide_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wrong.tgz").write_bytes(b"no archive")
    with pytest.raises(RulesError, match="damaged"):
        pyodide(tmp_path / "wrong.tgz")
    with pytest.raises(RulesError, match="cannot be read"):
        pyodide(tmp_path / "none.tgz")
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        about = tarfile.TarInfo("package/pyodide.mjs")
        content = b" ".join(b"%d" % number for number in range(100_000))
        about.size = len(content)
        archive.addfile(about, BytesIO(content))
        link = tarfile.TarInfo("package/package.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    whole = packed.getvalue()
    for damaged in (whole[:50_000], whole[:50_000] + b"\xff" * 1000 + whole[51_000:]):
        (tmp_path / "wrong.tgz").write_bytes(damaged)
        with pytest.raises(RulesError, match="damaged"):
            pyodide(tmp_path / "wrong.tgz")
    (tmp_path / "wrong.tgz").write_bytes(whole)
    with pytest.raises(RulesError, match=r"it has no `pyodide\.asm\.mjs`"):
        pyodide(tmp_path / "wrong.tgz")
    with pytest.raises(RulesError, match=r"has no `pyodide.mjs`"):
        pyodide(tmp_path)
    for name, content in runtime().items():
        (tmp_path / name).write_bytes(content)
    assert pyodide(tmp_path).keys() == runtime().keys()
    (tmp_path / "package.json").write_text('{"version": "0.1"}', encoding="utf-8")
    with pytest.raises(RulesError, match=f"is Pyodide 0.1, and this needs {VERSION}"):
        pyodide(tmp_path)
