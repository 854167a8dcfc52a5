"""The tour of the house names files and functions that exist, and shows what the stages print and what constructs cost."""

from __future__ import annotations

import re
import tokenize
from pathlib import Path

import pytest
from rulesrun.interpreter.machine.inspect.show import show as machine_text
from rulesrun.interpreter.model.show import show as model_text
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.syntax.show import show as tree_text

from ..house.test_imports import ORDER
from .markdown import DOCS, ROOT, Fence, check_page, renewing

PAGE = DOCS / "internals.md"
LENGTH = 300  # lines; details belong in the docstring of a module
FILE = re.compile(r"`([\w/]+\.(?:py|lark|md))`")
CONSTRUCTS = {"auction": "auction", "whenever": "whenever|trigger", "remove ... unseen": "hold_?back"}


@pytest.mark.process
def test_the_page_shows_what_is_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def real(fence: Fence, _: int) -> str | None:
        if fence.language == "rules":
            Path("tiny.rules").write_text(fence.text, encoding="utf-8")
        for stage in ("tree", "model", "machine"):
            if part := fence.setting(stage):
                return fragment(printed(stage), part.replace("_", " "))
        return costs(fence.text) if "cost" in fence.info else None

    check_page(PAGE, real)


def printed(stage: str) -> str:
    game = load("tiny.rules")
    match stage:
        case "tree":
            assert game.rules.tree is not None
            return tree_text(game.rules.tree)
        case "model":
            return model_text(game.rules.required())
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


def costs(shown: str) -> str:
    """For each construct the number of implementation files whose code names it; or what the page shows, if none has grown."""
    files = [*(ROOT / "interpreter").rglob("*.py"), ROOT / "grammar" / "rules.lark"]
    words = [frozenset(_words(file)) for file in files]
    found = {name: sum(any(re.search(said, word, re.I) for word in each) for each in words) for name, said in CONSTRUCTS.items()}
    grown = any(count > int(line.split()[-1]) for line, count in zip(shown.splitlines(), found.values(), strict=True))
    return "".join(f"{name:<19}{count}\n" for name, count in found.items()) if grown or renewing() else shown


def _words(file: Path) -> list[str]:
    """The identifiers and one-word strings in a file: no comments, docstrings or messages."""
    if file.suffix == ".lark":
        return re.findall(r"\w+", re.sub(r"//.*", "", file.read_text(encoding="utf-8")))
    with file.open("rb") as lines:
        tokens = [token for token in tokenize.tokenize(lines.readline) if token.type in (tokenize.NAME, tokenize.STRING)]
    return [token.string for token in tokens if token.type == tokenize.NAME or re.fullmatch(r'"\w+"', token.string)]


def test_the_page_is_short() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= LENGTH


def test_every_file_that_the_page_names_is_there() -> None:
    for name in set(FILE.findall(PAGE.read_text(encoding="utf-8"))):
        if "/" in name:
            assert _file(name).is_file(), name


def test_the_rooms_stand_in_their_order() -> None:
    rows = re.findall(r"^\| ((?:`\w+/?`(?:, )?)+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    named = [name.strip("/") for row in rows for name in re.findall(r"`(\w+/?)`", row) if name.islower()]
    assert named == [name.removeprefix("interpreter/") for name in ORDER if (ROOT / name).is_dir()]


def test_every_name_beside_a_file_is_defined_in_it() -> None:
    """In the tables: `file.py` `name`, `name` ..."""
    found = 0
    for row in re.findall(r"^\|.*", PAGE.read_text(encoding="utf-8"), re.M):
        for name, after in re.findall(rf"{FILE.pattern}((?:,? `\w+`)+)", row):
            text = _file(name).read_text(encoding="utf-8")
            for each in re.findall(r"`(\w+)`", after):
                assert re.search(rf"^ *(?:(?:def|class) {each}\b|{each}\b.* = )", text, re.M), f"{name}: {each}"
                found += 1
    assert found > 40


def _file(name: str) -> Path:
    path = ROOT / "interpreter" / name
    return path if path.exists() else ROOT / name
