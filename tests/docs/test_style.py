"""The page on the one style shows what is printed, and names the hooks that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesrun.cli import cli

from .markdown import DOCS, ROOT, Fence, check_page
from .shell import Shell

PAGE = DOCS / "style.md"
HOOKS = ROOT / ".pre-commit-hooks.yaml"


@pytest.mark.process
def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    shell = Shell(tmp_path / "here", tmp_path / "tools")

    def real(fence: Fence, _: int) -> str | None:
        if name := fence.setting("file"):
            (tmp_path / "here" / name).write_text(fence.text, encoding="utf-8")
        return shell.session(fence.text) if fence.language == "console" else None

    check_page(PAGE, real)


def hooks() -> list[dict[str, str]]:
    """The hooks, each with its settings. Only what is needed of YAML is read: a list of entries, a setting a line."""
    found: list[dict[str, str]] = []
    for line in HOOKS.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        setting = re.fullmatch(r"(- |  )([a-z]+): ([^\s'\"&*!|>%@`{\[#][^#]*)", line)
        assert setting is not None, f"not understood: {line}"
        assert re.search(r":( |$)", setting[3]) is None, f"to be quoted: {line}"
        if setting[1] == "- ":
            found.append({})
        assert setting[2] not in found[-1], f"said twice: {line}"
        found[-1][setting[2]] = setting[3]
    return found


def test_the_hooks_run_commands_on_rules() -> None:
    assert [hook["id"] for hook in hooks()] == ["rulesrun-check", "rulesrun-fmt", "rulesrun-test"]
    for hook in hooks():
        assert set(hook) == {"id", "name", "description", "entry", "language", "files"}
        program, command, *options = hook["entry"].split()
        assert options == (["--proved"] if command == "check" else [])  # no hook plays games
        assert (program, hook["id"]) == ("rulesrun", f"rulesrun-{command}")
        assert command in cli.commands
        assert hook["language"] == "python"
        assert re.search(hook["files"], "games/masti.rules")
        assert not re.search(hook["files"], "games/data/masti.csv")


def test_the_page_names_every_hook() -> None:
    named = set(re.findall(r"- id: (\S+)", PAGE.read_text(encoding="utf-8")))
    assert named == {hook["id"] for hook in hooks()}
