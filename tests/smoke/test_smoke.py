"""Real processes in the gate, one test each: a server with a page in Chromium, a language server, a cluster.

Everything else that starts processes stands in the long half (`.ci/long`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ..cli.commands import MASTI, rulesrun
from ..language_server.editor import real_editor
from ..serving import served
from ..web.people import Person

NIM = Path(MASTI).parent / "classics" / "nim.rules"


@pytest.mark.browser
def test_a_game_is_set_up_and_won_or_lost_by_clicks(browser: Any, tmp_path: Path) -> None:
    with served(tmp_path) as server:
        somebody = Person(server, browser)
        somebody.go("")
        somebody.page.get_by_role("link", name="Tic-tac-toe").click()
        somebody.page.get_by_label("player 2").select_option("random")
        somebody.page.get_by_role("button", name="Play").click()
        somebody.page.wait_for_selector(".at-table")
        assert somebody.play() in (3, 4, 5)
        assert "over" in somebody.page.inner_text(".status")
        assert somebody.errors == []
        somebody.context.close()


@pytest.mark.process
def test_a_language_server_finds_a_slip_and_forgets_it_when_it_is_mended(tmp_path: Path) -> None:
    text = NIM.read_text(encoding="utf-8")
    wrong = text.replace("    players 2", "    playrs 2", 1)
    assert wrong != text
    path = tmp_path / "nim.rules"
    path.write_text(text, encoding="utf-8")
    with real_editor(tmp_path) as (one, _):
        uri = one.open(path, wrong)
        one.until(lambda: one.codes(uri) == ["R102"])
        one.write(uri, text)
        one.until(lambda: one.codes(uri) == [])


@pytest.mark.cluster
def test_two_workers_count_what_one_process_counts() -> None:
    def counted(*more: str) -> str:
        result = rulesrun("simulate", MASTI, "--games", "2000", "--seed", "3", "--format", "csv", *more)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert counted("--cluster", "local:2") == counted()
