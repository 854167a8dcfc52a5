"""What is too much for the page: rules that are too large, and what does not end. The limits are smaller here, to save time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from rulesrun.browser.bundle import playground

from ..browser.pages import hosted, runtime
from ..lamps import LAMPS
from .visitors import Visitor, link
from .writing import write

pytestmark = pytest.mark.browser

LIMITS = {  # by file: a line as it stands there, and with a smaller limit
    "web/browser/machine.js": [("const SILENCE = 30;", "const SILENCE = 6;"), ("const PING = 5;", "const PING = 1;")],
    "web/browser/worker.js": [("const MOST_MEMORY = 1.2e9;", "const MOST_MEMORY = 3e8;")],
    "web/playground/panes/statistics.js": [("const SILENCE = 60;", "const SILENCE = 3;")],
}
LARGE = LAMPS + "".join(f"define number_{n} of player: count of lit of player + {n}\n" for n in range(14_000))
SLOW = """\
game slow
    players 2

counter steps: 0..1

phase walk
    repeat 999999999 times
        set steps to 1 - steps

score of player
    points: steps
winner highest score, then shared
"""


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The playground with smaller limits."""
    files = {f"playground/{name}": content for name, content in playground(runtime()).items()}
    for name, lines in LIMITS.items():
        for line, smaller in lines:
            assert line.encode() in files[f"playground/{name}"]
            files[f"playground/{name}"] = files[f"playground/{name}"].replace(line.encode(), smaller.encode())
    with hosted(tmp_path_factory.mktemp("site"), files) as host:
        yield f"http://127.0.0.1:{host.port}/playground/"


@pytest.fixture(scope="module")
def context(browser: Any) -> Iterator[Any]:
    """A browser that keeps the compiler for the next visitor."""
    found = browser.new_context(viewport={"width": 1280, "height": 800}, permissions=["clipboard-read", "clipboard-write"])
    yield found
    found.close()


@pytest.fixture
def somebody(strict: str, context: Any) -> Iterator[Visitor]:
    found = Visitor(strict, context)
    yield found
    found.leave()
    assert found.errors == [], "the page made mistakes"


def test_rules_that_stop_the_language_server_are_told_once_and_help_comes_back(somebody: Visitor) -> None:
    somebody.go(link({"lamps.rules": LAMPS}))
    somebody.helped()
    write(somebody, LARGE)
    told = somebody.page.get_by_role("alert").filter(has_text="too large for help while you write")
    told.wait_for(timeout=300_000)  # the server has begun anew twice by then
    somebody.page.locator(".status-line", has_text="too large for help").wait_for()
    somebody.page.get_by_role("button", name="Close this message").click()
    somebody.page.locator(".cm-content").press("Control+Home")
    somebody.page.keyboard.type("# still alive\n")
    assert "# still alive" in somebody.text()
    somebody.page.wait_for_timeout(8_000)
    assert told.count() == 0
    write(somebody, LAMPS)
    somebody.helped()
    somebody.line("zone lit").locator(".r-class", has_text="lamp").wait_for()


def test_a_language_server_that_hangs_is_started_again_without_a_word(somebody: Visitor) -> None:
    somebody.go(link({"lamps.rules": LAMPS}))
    somebody.helped()
    write(somebody, LARGE)
    somebody.page.locator(".status-line", has_text="Loading completion").wait_for()
    write(somebody, LAMPS.replace("lit of player\n", "lot of player\n", 1))
    somebody.page.locator(".cm-lintRange-error", has_text="lot").wait_for()
    assert somebody.page.get_by_role("alert").filter(has_text="too large for help").count() == 0


def test_what_takes_too_much_memory_is_stopped_and_all_goes_on(somebody: Visitor) -> None:
    somebody.go(link({"lamps.rules": LAMPS}))
    somebody.page.locator(".pane-game pre", has_text="Ranking").wait_for()
    write(somebody, LARGE)
    somebody.page.locator(".pane-game .trouble-box, .pane-game .failed").filter(has_text=re.compile("memory|stopped")).wait_for()
    write(somebody, LAMPS)
    somebody.page.locator(".pane-game pre:not(.failed):not(.old)", has_text="Ranking").wait_for()


def test_games_of_which_none_ends_are_stopped(somebody: Visitor) -> None:
    somebody.go(link({"slow.rules": SLOW}))
    pane = somebody.pane("Statistics")
    pane.get_by_role("button", name="Play 1,000 games").click()
    pane.get_by_role("alert").filter(has_text="nothing came of it for 3 seconds").wait_for()
    pane.get_by_role("button", name="Play 1,000 games").wait_for()


def test_findings_are_told_without_play_where_no_game_ends(somebody: Visitor) -> None:
    endless = LAMPS.replace("    for each player\n", "    repeat until 1 is 2: nothing\n    for each player\n", 1)
    somebody.go(link({"lamps.rules": endless}))
    pane = somebody.pane("Findings")
    pane.locator(".findings > li", has_text="R305").wait_for()
    pane.locator(".notice", has_text="never ends").wait_for()
