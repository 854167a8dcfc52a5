"""Files of every unfriendly kind are refused, soon and with a code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.files import SIZE_LIMIT, read_beside, read_text, rules_below
from rulesrun.interpreter.common.source import Source


def code_of(found: Source | Diagnostic) -> str:
    assert isinstance(found, Diagnostic)
    return found.code


def test_a_text_is_read_with_unix_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes("\ufeffgame a\r\n\rб".encode())
    found = read_text(tmp_path / "a.rules")
    assert isinstance(found, Source)
    assert found.text == "game a\n\nб"


def test_what_is_no_text_file(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "utf16").write_text("game a", encoding="utf-16")
    (tmp_path / "large").write_bytes(b"#" * (SIZE_LIMIT + 1))
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    os.mkfifo(tmp_path / "pipe")
    found = {name: code_of(read_text(tmp_path / name)) for name in ("binary", "utf16", "large", "circle", "pipe", "nowhere", ".")}
    assert found == {
        "binary": "R002",
        "utf16": "R002",
        "large": "R003",
        "circle": "R001",
        "pipe": "R001",
        "nowhere": "R001",
        ".": "R001",
    }


@pytest.mark.parametrize(
    ("name", "meant"),
    [("lamp.rules", "lmap.rules"), ("lmap", "lmap.rules"), ("Lmap.rules", "lmap.rules"), ("chess.rules", ""), ("lamp.csv", "")],
)
def test_rules_with_nearly_the_name_of_those_that_are_not_there(tmp_path: Path, name: str, meant: str) -> None:
    for there in ("lmap.rules", "hearts.rules"):
        (tmp_path / there).touch()
    found = read_text(tmp_path / name)
    assert isinstance(found, Diagnostic)
    assert found.help == (f"did you mean `{tmp_path / meant}`?" if meant else "")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
def test_a_device_without_an_end() -> None:
    assert code_of(read_text("/dev/zero")) == "R001"


def test_files_lie_beside_the_rules(tmp_path: Path) -> None:
    rules = tmp_path / "game" / "a.rules"
    (tmp_path / "game" / "data").mkdir(parents=True)
    (tmp_path / "game" / "data" / "list.csv").write_text("suit\nred\n")
    (tmp_path / "secret.csv").write_text("suit\nred\n")
    (tmp_path / "game" / "link.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "game" / "inside.csv").symlink_to(tmp_path / "game" / "data" / "list.csv")
    assert isinstance(read_beside(rules, "data/list.csv"), Source)
    assert isinstance(read_beside(rules, "inside.csv"), Source)
    for name in ("../secret.csv", str(tmp_path / "secret.csv"), "link.csv", "data\\list.csv"):
        assert code_of(read_beside(rules, name)) == "R007"


def test_rules_are_found_in_a_folder_and_below_it(tmp_path: Path) -> None:
    """The nearest ones first, up to a limit; links in a circle, hidden folders and installed packages are left out."""
    for name in ("z.rules", "a/b/deep.rules", "a/near.rules", ".venv/x.rules", "node_modules/y.rules", "c.rules/in.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("game g\n")
    (tmp_path / "circle.rules").symlink_to(tmp_path / "circle.rules")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    wanted = [tmp_path / name for name in ("z.rules", "a/near.rules", "a/b/deep.rules")]
    assert rules_below(tmp_path, 10, 10) == wanted
    assert rules_below(tmp_path, 2, 10) == wanted[:2]
    assert rules_below(tmp_path, 10, 1) == wanted[:1]
    assert rules_below(tmp_path / "nowhere", 10, 10) == []
