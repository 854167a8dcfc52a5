"""Every example on the page of a code gives what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesrun.interpreter.common.codes import CODES
from rulesrun.interpreter.common.diagnostics import render

from ..pipeline import USELESS
from .examples import findings
from .markdown import DOCS, Fence, check_page, fences
from .shell import Shell, needs_a_shell

PAGES = sorted((DOCS / "codes").glob("R*.md"))
# No rules can produce most of these: they depend on the machine. R820 takes a minute.
INTERNAL = {"R699", "R804", "R809", "R820", "R841"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_a_headline_and_a_wrong_and_a_corrected_example(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {page.stem}: {CODES[page.stem].title}\n\n")
    headings = re.findall(r"^## (.*)$", text, re.M)
    assert headings == ([] if page.stem in INTERNAL else ["Wrong", "Corrected"])


@pytest.mark.slow_cases("R012", "R374", "R390", "R391", "R392", "R393", "R394", "R607")
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.process if needs_a_shell(page) else (), id=page.stem) for page in PAGES]
)
def test_the_wrong_example_gives_the_code_and_the_corrected_one_nothing(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    monkeypatch.chdir(folder)
    shell = Shell(folder, tmp_path / "tools")
    found: dict[str, list[str]] = {"Wrong": [], "Corrected": []}  # codes by heading
    messages = ""

    def real(fence: Fence, _: int) -> str | None:
        nonlocal messages
        if name := fence.setting("file"):
            (folder / name).write_text(fence.text, encoding="utf-8")
        elif fence.language == "rules":
            diagnostics = [d for d in findings(fence, folder) if d.code == page.stem or not USELESS.fullmatch(d.code)]
            found[fence.heading] += [d.code for d in diagnostics if d.code != fence.setting("also")]
            messages = "".join(f"{render(d)}\n" for d in diagnostics)
        elif fence.language == "text":
            return messages
        elif fence.language == "console":
            session = shell.session(fence.text)
            printed = "".join(line for line in session.splitlines(keepends=True) if not line.startswith("$ "))
            found[fence.heading] += re.findall(r"\[(R\d{3})\]", printed)
            return session
        return None

    check_page(page, real)
    if page.stem not in INTERNAL:
        assert set(found["Wrong"]) == {page.stem}
        assert found["Corrected"] == []


def test_sessions_and_examples_are_all_understood() -> None:
    """A block in a language that no test runs would be an example that nobody checks."""
    for page in PAGES:
        languages = {fence.language for fence in fences(page.read_text(encoding="utf-8"))}
        assert languages <= {"rules", "csv", "json", "python", "text", "console"}
