"""Every entry of the cookbook is a game without findings, in the one style, which plays with the fewest and the most players, and
whose tests pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.rewrite import Rewrite
from rulesrun.interpreter.formatting.style import in_one_style
from rulesrun.interpreter.rules import read_rules

from .examples import NAME, Choice, findings, played
from .markdown import DOCS, ROOT, Fence, fences

PAGE = DOCS / "cookbook.md"
TEXT = PAGE.read_text(encoding="utf-8")
ENTRIES = fences(TEXT)
HEADINGS = re.findall(r"^### (.*)$", re.sub(r"^```.*?^```$", "", TEXT, flags=re.M | re.S), re.M)
LONGEST = 140  # characters in a line, with room for a reason behind `otherwise`


@pytest.mark.slow
@pytest.mark.parametrize("fence", ENTRIES, ids=lambda fence: fence.heading)
def test_an_entry_is_without_findings_and_plays_and_its_tests_pass(
    fence: Fence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_text(fence.text, encoding="utf-8")
    model = read_rules(NAME).model
    assert model is not None
    for players in {*model.players}:
        assert "\n\n".join(render(d) for d in played(Choice(players, (), {}))) == "", players
    whole = Fence(("rules", "play", "test"), fence.text, fence.heading, fence.line)
    assert "\n\n".join(render(d) for d in findings(whole, tmp_path)) == ""
    assert len(run_tests(read_rules(NAME))) > 0
    styled = in_one_style(NAME, fence.text.encode())
    assert isinstance(styled, Rewrite)
    assert styled.after.decode() == fence.text
    assert max(map(len, fence.text.splitlines())) <= LONGEST


def test_there_is_one_example_under_each_heading() -> None:
    assert [fence.heading for fence in ENTRIES] == HEADINGS
    assert {fence.language for fence in ENTRIES} == {"rules"}
    assert len(HEADINGS) == len(set(HEADINGS))
    assert len(HEADINGS) >= 60


def test_each_example_marks_the_lines_that_say_the_rule() -> None:
    for fence in ENTRIES:
        rules, _, tests = fence.text.partition('\ntest "')
        marked = [line for line in rules.splitlines() if line.endswith("# <--")]
        assert 1 <= len(marked) <= 8, fence.heading
        assert "# <--" not in tests, fence.heading


def test_games_have_names_of_their_own() -> None:
    names = [re.match(r"game (\w+)\n", fence.text) for fence in ENTRIES]
    assert len({name[1] for name in names if name}) == len(ENTRIES)


def test_each_entry_names_games_and_says_little() -> None:
    parts = re.split(r"^### .*$", re.sub(r"^```.*?^```$", "", TEXT, flags=re.M | re.S), flags=re.M)[1:]
    for heading, part in zip(HEADINGS, parts, strict=True):
        words = part.partition("\n## ")[0].strip()
        assert words.startswith("As in: "), heading
        said = words.partition("\n")[2].replace("rulesrun.", "")
        assert len(re.findall(r"[.?](?=\s|$)", said)) <= 3, heading


def test_the_list_at_the_head_names_all_chapters_and_entries() -> None:
    """Where its links lead is tested with the links of all pages."""
    headings = re.findall(r"^##(#?) (.*)$", re.sub(r"^```.*?^```$", "", TEXT, flags=re.M | re.S), re.M)
    assert re.findall(r"^ *- \[(.*)\]\(#.*\)$", TEXT, re.M) == [heading for _, heading in headings]


def test_the_readme_names_the_page() -> None:
    assert "(docs/cookbook.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
