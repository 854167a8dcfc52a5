"""The games that the internals follow through the stages are printed as the stages print them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesrun.interpreter.machine.inspect.show import show as machine_text
from rulesrun.interpreter.model.show import show as model_text
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.syntax.show import show as tree_text
from rulesrun.interpreter.table.show import show as table_text

from .markdown import DOCS, ROOT, Fence, check_page

PAGE = DOCS / "internals.md"
LENGTH = 820  # lines; whoever needs more reads the docstrings


def test_the_fragments_are_what_the_stages_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    def real(fence: Fence, _: int) -> str | None:
        if more := fence.setting("append"):
            (tmp_path / more).write_text((tmp_path / more).read_text(encoding="utf-8") + fence.text, encoding="utf-8")
            return None
        if fence.language == "rules":
            (tmp_path / (fence.setting("file") or "tiny.rules")).write_text(fence.text, encoding="utf-8")
            return None
        for stage in ("tree", "model", "table", "machine"):
            if part := fence.setting(stage):
                return fragment(printed(stage, fence.setting("of") or "tiny.rules"), part.replace("_", " "))
        return None

    check_page(PAGE, real)


def printed(stage: str, file: str) -> str:
    game = load(file)
    match stage:
        case "tree":
            assert game.rules.tree is not None
            return tree_text(game.rules.tree)
        case "model":
            return model_text(game.rules.required())
        case "table":
            return table_text(game.table)
        case _:
            return machine_text(game.machine, game.scalar_loops)


def fragment(text: str, beginning: str) -> str:
    """The first line that begins so, and what stands deeper below it, moved to the left edge."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.strip().startswith(beginning))
    depth = len(lines[first]) - len(lines[first].lstrip())
    found = [lines[first]]
    for line in lines[first + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        found.append(line)
    return "\n".join(line[depth:] for line in found).rstrip() + "\n"


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= LENGTH


def test_every_file_that_the_page_names_is_there() -> None:
    folders = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
    there = [*ROOT.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.*"))]
    for name in set(re.findall(r"`([a-z_/]+\.(?:py|lark))`", PAGE.read_text(encoding="utf-8"))):
        assert any(str(path).endswith(name) for path in there), name
