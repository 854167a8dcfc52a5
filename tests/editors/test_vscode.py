"""The extension for VS Code in VS Code itself, as code-server serves it to a browser.

`RULESRUN_CODE_SERVER` names the file `lib/vscode/out/server-main.js` of npm's package `code-server`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
SERVER = os.environ.get("RULESRUN_CODE_SERVER")
NODE = shutil.which("node")
pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(SERVER is None or NODE is None, reason="code-server is not installed"),
    pytest.mark.skipif(not (EXTENSION / "node_modules").exists(), reason="the extension cannot be built: npm ci was not run"),
]
SECONDS = 60_000  # until something must be seen, in milliseconds
COLOURS = "(words) => words.map((word) => getComputedStyle(word).color)"
NIM = (ROOT / "games" / "classics" / "nim.rules").read_text(encoding="utf-8").split("test ")[0]
TESTS = """\
test "five stones"
    players Ann, Bob
    Ann: take C 5

test "a wrong winner"
    players Ann, Bob
    set size_of_A to 0
    set size_of_B to 0
    set size_of_C to 0
    Ann: take D 6
    Bob: take D 1
    expect winners is (Bob)
"""
BROKEN = """\
game duel
    playrs 2

cards card, 1 of each
    rank: 1..3
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where VS Code is served, with the extension as it is packaged now."""
    folder = tmp_path_factory.mktemp("vscode")
    package = folder / "rulesrun.vsix"
    subprocess.run(
        ["npm", "run", "--silent", "package", "--", "--out", str(package)], cwd=EXTENSION, check=True, capture_output=True
    )
    everyone = {"security.workspace.trust.enabled": False, "terminal.integrated.gpuAcceleration": "off"}
    settings = {"User": everyone, "Machine": {"rulesrun.command": str(Path(sys.executable).parents[1])}}
    for name, values in settings.items():
        (folder / "data" / name).mkdir(parents=True)
        (folder / "data" / name / "settings.json").write_text(json.dumps(values), encoding="utf-8")
    command = [str(NODE), str(SERVER), "--accept-server-license-terms", "--telemetry-level", "off"]
    for name, place in {"server-data-dir": "server", "user-data-dir": "data", "extensions-dir": "extensions"}.items():
        command += [f"--{name}", str(folder / place)]
    subprocess.run([*command, "--install-extension", str(package)], check=True, capture_output=True)
    command += ["--host", "127.0.0.1", "--port", "0", "--without-connection-token"]
    # Its own children go on without it, so all of them are a group that ends together.
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    try:
        assert running.stdout is not None
        found = next(filter(None, (re.search(r"listening on (\d+)", line) for line in running.stdout)))
        yield f"127.0.0.1:{found[1]}"
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()


@pytest.fixture
def window(address: str, browser: Any, tmp_path: Path) -> Iterator[Callable[[str], Any]]:
    """Opens a file of rules with this text, in a folder of its own."""
    context = browser.new_context(viewport={"width": 1500, "height": 950})
    context.set_default_timeout(SECONDS)

    def opened(text: str) -> Any:
        (tmp_path / "nim.rules").write_text(text, encoding="utf-8")
        page = context.new_page()
        opens = json.dumps([["openFile", f"vscode-remote://{address}{tmp_path}/nim.rules"]])
        page.goto(f"http://{address}/?folder={quote(str(tmp_path))}&payload={quote(opens)}")
        page.locator(".monaco-editor .view-line").first.wait_for()
        return page

    yield opened
    context.close()


def lens(page: Any, title: str) -> Any:
    return page.locator(".codelens-decoration a", has_text=re.compile(f"^{title}$")).first


def choose(page: Any, title: str) -> None:
    """Runs a command from the command palette."""
    page.keyboard.press("F1")
    page.locator(".quick-input-widget input").first.fill(f">{title}")
    page.locator(".quick-input-list .monaco-list-row", has_text=title).first.click()


def go_to(page: Any, place: str) -> None:
    page.keyboard.press("Control+G")
    page.locator(".quick-input-widget input").first.fill(f":{place}")
    page.keyboard.press("Enter")
    page.locator(".quick-input-widget").wait_for(state="hidden")


def test_findings_repairs_explanations_and_completion(window: Callable[[str], Any]) -> None:
    page = window(BROKEN)
    page.locator(".squiggly-error").first.wait_for()
    choose(page, "View: Toggle Problems")
    page.locator(".markers-panel .monaco-list-row", has_text="did you mean `players`?").first.wait_for()
    page.locator(".monaco-editor .view-line").first.click()
    go_to(page, "5:6")
    choose(page, "Show or Focus Hover")
    page.locator(".monaco-hover", has_text="rank: an attribute").first.wait_for()
    go_to(page, "2:6")
    page.keyboard.press("Control+.")
    page.locator(".action-widget .monaco-list-row", has_text="Change `playrs` to `players`").wait_for()
    page.keyboard.press("Enter")
    page.locator(".view-line", has_text=re.compile(r"players\s2")).wait_for()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nph", delay=100)
    page.locator(".suggest-widget .monaco-list-row", has_text="phase").first.wait_for()


def test_colours_and_commands_in_a_terminal(window: Callable[[str], Any]) -> None:
    page = window(NIM)
    lens(page, "Run").click()
    page.locator(".xterm-rows", has_text="Ranking").wait_for()
    assert len(set(page.locator(".view-line span span").evaluate_all(COLOURS))) >= 5  # keywords, names, numbers, texts, comments
    lens(page, "Simulate").click()
    page.locator(".xterm-rows", has_text="Scores, all seats together").wait_for()
    lens(page, "Play").click()
    page.locator(".xterm-rows", has_text="take D 1..7").wait_for()


def test_the_test_explorer(window: Callable[[str], Any]) -> None:
    page = window(NIM + TESTS)
    lens(page, "Simulate").wait_for()
    choose(page, "Testing: Focus on Test Explorer View")
    page.locator(".test-explorer .monaco-list-row", has_text="nim.rules").wait_for()
    choose(page, "rulesrun: Run the Tests of This File")
    results = page.locator(".test-output-peek-tree .monaco-list-row")
    results.filter(has_text="winners is (Ann), and (Bob) is expected").wait_for()
    results.filter(has_text="five stones").wait_for()
    choose(page, "Test: Run Tests with Coverage in Current File")
    page.locator(".coverage-deco-gutter.coverage-deco-hit").first.wait_for()


def test_a_table_opens_beside_the_rules_and_ends_with_its_panel(window: Callable[[str], Any]) -> None:
    page = window(NIM)
    lens(page, "Simulate").wait_for()
    choose(page, "rulesrun: Open a Table beside the Rules")
    table = page.frame_locator("iframe.webview.ready").frame_locator("iframe#active-frame").frame_locator("iframe[title=Table]")
    table.get_by_role("button", name="Play", exact=True).click()
    table.get_by_text("Your turn").first.wait_for()
    (served,) = (frame.url.split("#")[0] for frame in page.frames if "#" in frame.url and frame.name == "")
    assert page.request.get(served).ok
    page.locator(".tab", has_text="Table: nim").locator(".codicon-close").click()
    for _ in range(100):
        try:
            page.request.get(served)
        except Exception:  # the server has ended
            return
        page.wait_for_timeout(100)
    pytest.fail("the server of the table goes on")
