"""`rulesrun fmt`: what it writes, what it leaves alone, and how it ends."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ..test_cache import as_anybody
from .commands import MASTI, rulesrun

UGLY = "game x\n  players  2\nphase y:nothing"
NEAT = "game x\n    players 2\n\nphase y: nothing\n"
WRONG = "game x\n  players two\n"


@pytest.fixture
def ugly(tmp_path: Path) -> Path:
    file = tmp_path / "ugly.rules"
    file.write_text(UGLY, encoding="utf-8")
    return file


def test_a_file_is_rewritten_once(ugly: Path) -> None:
    first = rulesrun("fmt", str(ugly))
    assert (first.exit_code, first.output) == (0, f"{ugly}: rewritten\n1 file, 1 rewritten\n")
    assert ugly.read_text(encoding="utf-8") == NEAT
    before = ugly.stat()
    second = rulesrun("fmt", str(ugly), str(ugly))
    assert (second.exit_code, second.output) == (0, "1 file, 0 rewritten\n")
    assert ugly.stat().st_mtime_ns == before.st_mtime_ns
    assert os.listdir(ugly.parent) == [ugly.name]


def test_check_names_what_would_change_and_writes_nothing(ugly: Path) -> None:
    found = rulesrun("fmt", "--check", MASTI, str(ugly))
    assert (found.exit_code, found.output) == (1, f"{ugly}: would be rewritten\n2 files, 1 to be rewritten\n")
    assert ugly.read_text(encoding="utf-8") == UGLY
    assert rulesrun("fmt", "--check", MASTI).exit_code == 0


@pytest.mark.process
def test_a_diff_is_what_patch_needs(ugly: Path) -> None:
    ugly.write_bytes(b"game x\r\n  players  2\r\nphase y:nothing")
    found = rulesrun("fmt", "--diff", MASTI, str(ugly))
    assert found.exit_code == 0
    assert ugly.read_bytes() == b"game x\r\n  players  2\r\nphase y:nothing"
    assert found.stdout_bytes == (
        f"--- {ugly}\n+++ {ugly}\n".encode() + b"@@ -1,3 +1,4 @@\n game x\r\n-  players  2\r\n-phase y:nothing\n"
        b"\\ No newline at end of file\n+    players 2\r\n+\r\n+phase y: nothing\r\n"
    )
    assert rulesrun("fmt", "--diff", "--check", str(ugly)).exit_code == 1
    if program := shutil.which("patch"):
        subprocess.run([program, "--binary", "-s", str(ugly)], input=found.stdout_bytes, check=True)
        assert ugly.read_bytes() == NEAT.replace("\n", "\r\n").encode()


def test_standard_input_goes_to_standard_output() -> None:
    assert rulesrun("fmt", "-", typed=UGLY).output == NEAT
    assert rulesrun("fmt", "-", typed=NEAT).output == NEAT
    assert rulesrun("fmt", "-", typed=UGLY.replace("\n", "\r\n")).stdout_bytes == NEAT.replace("\n", "\r\n").encode()
    found = rulesrun("fmt", "--check", "-", typed=UGLY)
    assert (found.exit_code, found.output) == (1, "standard input: would be rewritten\n1 file, 1 to be rewritten\n")
    assert rulesrun("fmt", "--diff", "-", typed=UGLY).output.startswith("--- standard input\n+++ standard input\n@@")
    wrong = rulesrun("fmt", "-", typed=WRONG)
    assert (wrong.exit_code, wrong.stdout) == (1, "")
    assert "standard input:2:11" in wrong.stderr
    assert rulesrun("fmt", "-", typed="").exit_code == 2
    assert rulesrun("fmt", "-", MASTI, typed=UGLY).exit_code == 2


def test_a_file_with_faults_is_left_alone_and_the_others_are_not(ugly: Path) -> None:
    wrong, missing = ugly.with_name("wrong.rules"), ugly.with_name("missing.rules")
    wrong.write_text(WRONG, encoding="utf-8")
    found = rulesrun("fmt", str(wrong), str(ugly))
    assert found.exit_code == 1
    assert found.stdout == f"{ugly}: rewritten\n2 files, 1 rewritten\n"
    assert "error[R" in found.stderr
    assert wrong.read_text(encoding="utf-8") == WRONG
    assert ugly.read_text(encoding="utf-8") == NEAT
    unread = rulesrun("fmt", str(wrong), str(missing), str(ugly.parent))
    assert unread.exit_code == 2
    assert unread.stderr.count("error[R001]") == 2
    assert not missing.exists()


def test_a_file_that_extends_another_stands_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.rules"
    file.write_text('extends "nowhere.rules"\nvariant mine\n  set pace to 2\n', encoding="utf-8")
    assert rulesrun("fmt", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8") == 'extends "nowhere.rules"\n\nvariant mine\n    set pace to 2\n'


def test_permissions_and_links_stay(ugly: Path) -> None:
    ugly.chmod(0o751)
    link = ugly.with_name("link.rules")
    link.symlink_to(ugly.name)
    assert rulesrun("fmt", str(link)).exit_code == 0
    assert link.is_symlink()
    assert ugly.read_text(encoding="utf-8") == NEAT
    assert stat.S_IMODE(ugly.stat().st_mode) == 0o751


def test_what_may_not_be_read_or_written_is_said(ugly: Path) -> None:
    with TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        closed, fixed, other = (Path(place) / name for name in ("closed.rules", "fixed.rules", "other.rules"))
        for file, mode in ((closed, 0), (fixed, 0o444), (other, 0o666)):
            file.write_text(UGLY, encoding="utf-8")
            file.chmod(mode)
        with as_anybody():
            found = rulesrun("fmt", str(closed), str(fixed), str(other))
        assert found.exit_code == 2
        assert f"`{closed}` cannot be read: Permission denied" in found.stderr
        assert f"`{fixed}` cannot be written: Permission denied" in found.stderr
        assert found.stdout == f"{other}: rewritten\n3 files, 1 rewritten\n"
        assert [file.read_text(encoding="utf-8") for file in (closed, fixed, other)] == [UGLY, UGLY, NEAT]


def test_a_folder_that_takes_no_file(ugly: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    found = rulesrun("fmt", str(ugly))
    assert found.exit_code == 2
    assert "cannot be written: No space left on device" in found.stderr
    assert ugly.read_text(encoding="utf-8") == UGLY
    assert os.listdir(ugly.parent) == [ugly.name]
