"""The cache of the parser's tables: used when it is sound, never in the way when it is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rulesrun.interpreter import cache
from rulesrun.interpreter.syntax import tables as module


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    module.tables.cache_clear()
    yield
    module.tables.cache_clear()


def works() -> bool:
    parser = module.tables().parse_interactive(start="statement_line")
    return "NAME" in parser.choices()  # type: ignore[no-untyped-call]


def test_it_is_written_whole_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert works()
    assert len(list((tmp_path / "rulesrun").iterdir())) == 1
    module.tables.cache_clear()
    monkeypatch.setattr(cache, "write", lambda *_: pytest.fail("the cache was not used"))
    assert works()


@pytest.mark.parametrize("damage", ["empty", "cut short", "other bytes", "one bit"])
def test_a_damaged_file_is_replaced(tmp_path: Path, damage: str) -> None:
    assert works()
    (file,) = (tmp_path / "rulesrun").iterdir()
    sound = file.read_bytes()
    middle = len(sound) // 2
    flipped = sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :]
    damaged = {"empty": b"", "cut short": sound[:1000], "other bytes": b"x" * 5000, "one bit": flipped}[damage]
    file.write_bytes(damaged)
    module.tables.cache_clear()
    assert works()
    assert file.read_bytes() != damaged


def test_a_folder_that_cannot_be_written_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert works()
