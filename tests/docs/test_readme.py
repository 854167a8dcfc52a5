"""The README and the page for Python: games, Python, commands, and that what the README points to is there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .markdown import DOCS, ROOT, Fence, check_page, fences
from .shell import Shell

README = ROOT / "README.md"


@pytest.mark.process
@pytest.mark.parametrize("page", [README, DOCS / "python.md"], ids=["readme", "python"])
def test_the_game_and_the_python_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    shutil.copytree(ROOT / "games", folder / "games")
    shell = Shell(folder, tmp_path / "tools")
    printed = ""

    def real(fence: Fence, _: int) -> str | None:
        nonlocal printed
        match fence.language:
            case "rules":
                (folder / (fence.setting("file") or "game.rules")).write_text(fence.text, encoding="utf-8")
            case "console":
                return shell.session(fence.text)
            case "python":
                (folder / "example.py").write_text(fence.text, encoding="utf-8")
                printed = subprocess.run(
                    [sys.executable, "example.py"], cwd=folder, env=shell.environment, capture_output=True, text=True, check=True
                ).stdout
            case "text":
                return printed
        return None

    check_page(page, real)


def test_every_command_of_the_overview_exists() -> None:
    from rulesrun.cli import cli

    named = set(re.findall(r"^\| `rulesrun ([a-z]+)[ `]", README.read_text(encoding="utf-8"), re.M))
    assert named == set(cli.commands) - {"run"}  # a bare file name means `run`


def test_the_commands_that_set_up_are_those_of_the_continuous_checks() -> None:
    """What the README says to run is what `.ci/run` runs."""
    set_up = [f.text for f in fences(README.read_text(encoding="utf-8")) if f.language == "sh"]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert len(set_up) == 2
    found = re.search(r"^ *test_command=\$\(grep -B 1 -m 1 '(.*)' README.md\)", script, re.M)
    assert found is not None
    lines = README.read_text(encoding="utf-8").splitlines()
    last = next(number for number, line in enumerate(lines) if found[1] in line)
    assert lines[last - 1 : last + 1] == set_up[1].splitlines()


@pytest.mark.slow
def test_links_between_pages_lead_somewhere() -> None:
    for page in (README, *DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)]+)\)", text):
            path, _, anchor = target.partition("#")
            goal = page if not path else (page.parent / path)
            assert goal.exists(), f"{page.name}: {target}"
            if anchor:
                headings = re.findall(r"^#+ (.*)$", goal.read_text(encoding="utf-8"), re.M)
                assert anchor in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}, f"{page.name}: {target}"


def test_pages_keep_their_promises_of_form() -> None:
    for page in (README, *DOCS.rglob("*.md")):
        if page.parent.name == "rulebooks":
            continue  # they are generated, a sentence a line
        text = page.read_text(encoding="utf-8")
        assert text.startswith("# ") or page.name == "README.md"
        written = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)  # what is printed is as long as it is
        assert max(map(len, written.splitlines())) < 200, page.name
