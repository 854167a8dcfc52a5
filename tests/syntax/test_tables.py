"""The parser's tables: the shipped ones fit the grammar; those in the cache are used when sound, and no hindrance when not."""

from __future__ import annotations

import os
import pickle
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark.grammar import Rule
from lark.lexer import TerminalDef
from rulesrun.interpreter.common import cache
from rulesrun.interpreter.syntax.parsing import parser_tables as module


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    module.tables.cache_clear()
    yield
    module.tables.cache_clear()


def works() -> bool:
    parser = module.tables().parse_interactive(start="statement_line")
    return "NAME" in parser.choices()  # type: ignore[no-untyped-call]


def test_what_is_shipped_is_made_of_this_grammar() -> None:
    if os.environ.get("RULESRUN_RENEW"):
        module.ship()
    made_of = module._SHIPPED.read_bytes().partition(b"\n")[0].decode()
    assert made_of.split()[0] == module.made_of().split()[0], "the grammar was edited: run with RULESRUN_RENEW=1"
    assert module.shipped_tables(made_of) is not None


def test_tables_of_another_series_of_lark_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.lark, "__version__", "1.99.0")
    assert module.shipped_tables(module.made_of()) is None
    assert works()


@pytest.mark.slow
def test_what_is_shipped_is_what_lark_makes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shipped = module.tables()
    assert not list(tmp_path.iterdir())
    module.tables.cache_clear()
    monkeypatch.setattr(module, "shipped_tables", lambda of: None)
    built = module.tables()
    assert shipped.rules == built.rules
    assert sorted(t.name for t in shipped.terminals) == sorted(t.name for t in built.terminals)
    for start in module.STARTS:
        of_both = (parser.parse_interactive(start=start).choices() for parser in (shipped, built))  # type: ignore[no-untyped-call]
        first, second = (set(choices) for choices in of_both)
        assert first == second


def plain(found: Any) -> Any:
    """Tables as json has them, but for the lexer."""
    if isinstance(found, dict):
        return {name: plain(each) for name, each in found.items()}
    return [plain(each) for each in found] if isinstance(found, (list, tuple)) else found


@pytest.mark.slow
def test_what_is_saved_is_all_that_lark_would_save() -> None:
    built = module._built()
    data, memo = built.memo_serialize([TerminalDef, Rule])
    assert plain(module._unpacked(module._saved(built))) == plain({"data": data, "memo": memo})


class Runs:
    """What leaves a file where a pickle of it is read."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.file,)


@pytest.mark.slow
def test_nothing_that_is_kept_or_shipped_can_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = tmp_path / "it ran"
    planted = pickle.dumps({"data": Runs(trap), "memo": {}})
    assert works()
    shipped = tmp_path / "tables"
    shipped.write_bytes(module.made_of().encode() + b"\n" + zlib.compress(planted))
    monkeypatch.setattr(module, "_SHIPPED", shipped)
    cache.write(cache.name_for("grammar", module.made_of()), planted)
    module.tables.cache_clear()
    assert works()
    assert not trap.exists()
    pickle.loads(planted)
    assert trap.exists(), "it would run where it is unpickled"


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["none", "of another grammar"])
def test_what_is_shipped_and_does_not_fit_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    file, of = tmp_path / "tables", module.made_of().encode()
    sound = module._SHIPPED.read_bytes()
    if damage != "none":
        file.write_bytes(sound.replace(of, of[::-1]))
    monkeypatch.setattr(module, "_SHIPPED", file)
    assert works()
    assert len(list((tmp_path / "rulesrun").iterdir())) == 1


@pytest.fixture
def unshipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "shipped_tables", lambda of: None)


@pytest.mark.slow
@pytest.mark.usefixtures("unshipped")
def test_it_is_written_whole_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert works()
    assert len(list((tmp_path / "rulesrun").iterdir())) == 1
    module.tables.cache_clear()
    monkeypatch.setattr(cache, "write", lambda *_: pytest.fail("the cache was not used"))
    assert works()


@pytest.mark.slow
@pytest.mark.usefixtures("unshipped")
@pytest.mark.parametrize("damage", ["empty", "one bit"])
def test_a_damaged_file_is_replaced(tmp_path: Path, damage: str) -> None:
    assert works()
    (file,) = (tmp_path / "rulesrun").iterdir()
    sound = file.read_bytes()
    middle = len(sound) // 2
    flipped = sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :]
    damaged = b"" if damage == "empty" else flipped
    file.write_bytes(damaged)
    module.tables.cache_clear()
    assert works()
    assert file.read_bytes() != damaged


@pytest.mark.slow
@pytest.mark.usefixtures("unshipped")
def test_a_folder_that_cannot_be_written_is_no_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert works()
