"""The cache: what was written is read, what is damaged is not, and a folder that cannot be used is no matter."""

from __future__ import annotations

import os
import resource
import signal
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common import cache

NAME = cache.name_for("test", "a part")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "rulesrun"


@contextmanager
def as_anybody() -> Generator[None]:
    """Without the rights of the administrator, who may write everywhere."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("content", [b"", b"x", bytes(100_000)], ids=len)
def test_what_was_written_is_read(folder: Path, content: bytes) -> None:
    assert cache.read(NAME) is None
    cache.write(NAME, content)
    assert cache.read(NAME) == content
    cache.write(NAME, b"new")
    assert cache.read(NAME) == b"new"
    assert [file.name for file in folder.iterdir()] == [NAME]


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_other_parts_have_another_name(one: list[str], other: list[str]) -> None:
    assert (cache.name_for("x", *one) == cache.name_for("x", *other)) == (one == other)


@pytest.mark.parametrize("cut", [0, 10, 32, 50])
def test_an_entry_cut_short_is_none(folder: Path, cut: int) -> None:
    cache.write(NAME, b"content" * 10)
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:cut])
    assert cache.read(NAME) is None


@pytest.mark.slow
def test_a_flipped_bit_is_noticed_wherever_it_is(folder: Path) -> None:
    cache.write(NAME, b"content")
    (file,) = folder.iterdir()
    sound = file.read_bytes()
    for bit in range(8 * len(sound)):
        damaged = bytearray(sound)
        damaged[bit // 8] ^= 1 << bit % 8
        file.write_bytes(damaged)
        assert cache.read(NAME) is None


def test_a_folder_that_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    cache.write(NAME, b"content")
    assert cache.read(NAME) is None


def test_the_folder_is_the_same_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path in the environment would lead elsewhere from each folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    cache.write(NAME, b"content")
    assert cache.read(NAME) == b"content"
    assert os.listdir(tmp_path) == ["home"]


def test_a_folder_that_can_only_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        monkeypatch.setenv("XDG_CACHE_HOME", place)
        cache.write(NAME, b"content")
        (file,) = (Path(place) / "rulesrun").iterdir()
        file.chmod(0o644)
        file.parent.chmod(0o555)
        with as_anybody():
            assert cache.read(NAME) == b"content"
            cache.write(NAME, b"new")
            cache.write("other", b"new")
            assert cache.read("other") is None
            assert cache.read(NAME) == b"content"
        file.parent.chmod(0o755)


def test_a_folder_that_nobody_may_enter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache.write(NAME, b"content")
    tmp_path.chmod(0)
    with as_anybody():
        assert cache.read(NAME) is None
        cache.write(NAME, b"new")
    tmp_path.chmod(stat.S_IRWXU)
    assert cache.read(NAME) == b"content"


def test_a_full_disk(folder: Path) -> None:
    cache.write(NAME, b"content")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        cache.write(NAME, bytes(5000))
        cache.write("other", bytes(5000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert cache.read(NAME) == b"content"
    assert [file.name for file in folder.iterdir()] == [NAME], "nothing half written is left"


def test_those_that_were_not_asked_for_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "ENTRIES_LIMIT", 3)
    for number in range(3):
        cache.write(f"entry {number}", b"content")
        os.utime(folder / f"entry {number}", (number, number))
    assert cache.read("entry 0") == b"content"
    cache.write("entry 3", b"content")
    assert sorted(file.name for file in folder.iterdir()) == ["entry 0", "entry 2", "entry 3"]


def test_an_entry_under_another_name_is_none(folder: Path) -> None:
    cache.write(NAME, b"content")
    cache.write("other", b"others")
    os.replace(folder / "other", folder / NAME)
    assert cache.read(NAME) is None


@pytest.fixture
def another_user() -> int:
    """The number of a user that this one is not."""
    if os.geteuid():
        pytest.skip("only the administrator can give a file away")
    return 65534


@pytest.mark.parametrize("whose", ["", NAME])
def test_what_belongs_to_another_user_is_not_read(folder: Path, another_user: int, whose: str) -> None:
    cache.write(NAME, b"content")
    os.chown(folder / whose, another_user, -1)
    assert cache.read(NAME) is None
    os.chown(folder / whose, 0, -1)
    assert cache.read(NAME) == b"content"


def test_a_folder_of_another_user_is_not_written(folder: Path, another_user: int) -> None:
    folder.mkdir()
    os.chown(folder, another_user, -1)
    cache.write(NAME, b"content")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("mode", [stat.S_IWGRP, stat.S_IWOTH])
@pytest.mark.parametrize("whose", ["", NAME])
def test_what_others_may_write_is_not_read(folder: Path, whose: str, mode: int) -> None:
    cache.write(NAME, b"content")
    place = folder / whose
    place.chmod(stat.S_IMODE(place.stat().st_mode) | mode)
    assert cache.read(NAME) is None
    cache.write(NAME, b"content")
    assert cache.read(NAME) == b"content", "it is kept where nobody else may write, from then on"


def test_a_new_folder_is_for_nobody_else(folder: Path) -> None:
    before = os.umask(0)
    try:
        cache.write(NAME, b"content")
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert cache.read(NAME) == b"content"


def test_what_is_no_plain_file_is_not_read(folder: Path) -> None:
    """Nobody waits for somebody who writes into a pipe, and nobody is led elsewhere."""
    cache.write(NAME, b"content")
    os.replace(folder / NAME, folder / "elsewhere")
    (folder / NAME).symlink_to(folder / "elsewhere")
    assert cache.read(NAME) is None
    (folder / NAME).unlink()
    os.mkfifo(folder / NAME)
    assert cache.read(NAME) is None
    (folder / NAME).unlink()
    (folder / NAME).mkdir()
    assert cache.read(NAME) is None


def test_an_entry_larger_than_any_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write(NAME, b"content")
    monkeypatch.setattr(cache, "SIZE_LIMIT", 10)
    assert cache.read(NAME) is None
