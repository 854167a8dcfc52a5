"""The page on checking shows what is printed; the commands that it gives to servers can be run as they stand there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from .markdown import DOCS, ROOT, Fence, check_page, fences
from .shell import Shell

PAGE = DOCS / "check.md"


@pytest.mark.process
def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    shell = Shell(folder, tmp_path / "tools")

    def real(fence: Fence, _: int) -> str | None:
        if name := fence.setting("file"):
            (folder / name).write_text(fence.text, encoding="utf-8")
        return shell.session(fence.text) if fence.language == "console" else None

    check_page(PAGE, real)


@pytest.mark.process
def test_what_servers_run_can_be_run(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    (folder / "games").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "cli" / "pairs.rules", folder / "games")
    shell = Shell(folder, tmp_path / "tools")
    shell.run("rulesrun baseline games/pairs.rules --games 20 --out games/pairs.balance.json")
    commands = [
        command.replace("games/masti.", "games/pairs.")
        for fence in fences(PAGE.read_text(encoding="utf-8"))
        if fence.language in ("sh", "yaml")
        for command in re.findall(r"^(?:\s*- run: )?(rulesrun .*)$", fence.text, re.M)
    ]
    assert len(commands) == 6
    for command in commands:
        assert shell.run(f"{command}; echo exit code $?").splitlines()[-1] == "exit code 0", command
    assert {path.name for path in folder.iterdir()} == {"games", "check.sarif", "tests.xml"}


def test_every_schema_is_named() -> None:
    """By the page of its command."""
    text = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    assert {path.name for path in (DOCS / "schemas").iterdir()} == set(re.findall(r"schemas/(\w+\.json)", text))
