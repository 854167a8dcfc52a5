"""Packs: what comes out is what went in, and an archive of somebody else does no harm."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.cli import cli
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.packing import pack as packing
from rulesrun.interpreter.packing.pack import MANIFEST, Pack, opened, written
from rulesrun.interpreter.rules import read_rules

GAMES = Path(__file__).parents[2] / "games"
PART = st.from_regex(r"[a-zа-яé][a-z0-9_é -]{0,8}[a-z0-9]", fullmatch=True)


def allowed(name: str) -> bool:
    return not any(packing._DEVICE.fullmatch(part) for part in name.split("/"))


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


# ---- What comes out


@pytest.mark.slow
@given(st.dictionaries(st.lists(PART, min_size=1, max_size=3).map("/".join).filter(allowed), st.binary(max_size=300), max_size=6))
def test_what_was_packed_is_opened(some: dict[str, bytes]) -> None:
    """And the same files make the same bytes, in whatever order they are named."""
    files = {"a.rules": b"game a\n", **{f"{at}/{name}": content for at, (name, content) in enumerate(some.items())}}
    pack = Pack("a.rules", None, files)
    data = written(pack)
    assert opened("a.rulespack", data) == pack
    assert written(Pack("a.rules", None, dict(reversed(files.items())))) == data


@given(st.data())
def test_no_change_of_a_pack_goes_unseen(data: st.DataObject) -> None:
    """A byte changed or the end cut off: the same files come out, or none."""
    pack = Pack("a.rules", None, {"a.rules": b"game a\n", "data/b.csv": b"a,b\n1,2\n" * 20})
    whole = bytearray(written(pack))
    at = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        del whole[at:]
    else:
        whole[at] ^= data.draw(st.integers(1, 255))
    found = opened("a.rulespack", bytes(whole))
    assert isinstance(found, Diagnostic) or found.files == pack.files


@pytest.mark.slow
@pytest.mark.parametrize("game", ["masti", "kingdomino", "for_the_king"])
def test_a_game_plays_the_same_out_of_its_pack(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rules = GAMES / f"{game}.rules"
    saved = tmp_path / "saved.json"
    before = run("run", rules, "--seed", "7", "--save", saved)
    shutil.copytree(GAMES / "data", tmp_path / "games" / "data")
    for file in GAMES.glob(f"{game}.*"):
        shutil.copy(file, tmp_path / "games")
    assert run("pack", f"games/{game}.rules", "--game", saved).exit_code == 0
    assert "rulesrun replay" in run("unpack", f"{game}.rulespack", "--to", "there").output
    there = next((tmp_path / "there").rglob(f"{game}.rules"))
    assert run("run", there, "--seed", "7").output == before.output
    assert read_rules(there).digest() == read_rules(rules).digest()
    assert there.with_suffix(".look.css").read_bytes() == rules.with_suffix(".look.css").read_bytes()
    again = run("unpack", f"{game}.rulespack", "--to", "there")
    assert again.exit_code == 0, "the same files may be there"


def test_a_game_that_extends_another_goes_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    shutil.copy(GAMES / "classics" / "nim.rules", tmp_path)
    (tmp_path / "mine" / "quick.rules").write_text('extends "../nim.rules"\n', encoding="utf-8")
    (tmp_path / "mine" / "quick.look.css").write_text("a { background: url('a.png') } b { background: url(../../x.png) }")
    (tmp_path / "mine" / "a.png").write_bytes(b"picture")
    found = run("pack", "mine/quick.rules")
    assert "with 4 files: mine/a.png, mine/quick.look.css, mine/quick.rules, nim.rules" in found.output
    assert run("unpack", "quick.rulespack").exit_code == 0
    assert run("check", "--proved", "quick/mine/quick.rules").exit_code == 0


def test_what_cannot_be_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(GAMES / "masti.rules", tmp_path)
    lost = run("pack", "masti.rules")
    assert (lost.exit_code, "R001" in lost.stderr, list(tmp_path.glob("*.rulespack"))) == (2, True, [])
    assert run("pack", "nothing.rules").exit_code == 2
    assert run("pack", GAMES / "masti.rules", "--out", "masti.zip").exit_code == 2
    assert run("pack", GAMES / "masti.rules", "--game", "nothing.json").exit_code == 2
    (tmp_path / "mine.rulespack").write_text("my own notes")
    assert run("pack", GAMES / "masti.rules", "--out", "mine.rulespack").exit_code == 2
    assert (tmp_path / "mine.rulespack").read_text() == "my own notes"


# ---- What somebody else sends


def archive(content_of: dict[str, bytes], **manifest: object) -> bytes:
    """An archive as a hostile program could write it."""
    told = {
        "rulesrun pack": 1,
        "main": "a.rules",
        "transcript": None,
        "files": {name: sha256(content).hexdigest() for name, content in content_of.items()},
        **manifest,
    }
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as there:
        there.writestr(MANIFEST, json.dumps(told))
        for name, content in content_of.items():
            there.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


GAME = {"a.rules": b"game a\n"}
NAMES = [
    "../b.csv", "/etc/b.csv", "a/../../b.csv", "b\\..\\c.csv", "C:b.csv", "c:/b.csv", "a//b.csv", "./b.csv", "b/", "", "con.csv",
    "aux/b.csv", "b.csv.", "b.csv ", "b\x00.csv", "b\n.csv", "A.RULES", "a.rules/b.csv", "//server/b.csv", "~/../../b.csv",
    "b?.csv",
]  # fmt: skip


def doubled() -> bytes:
    made = BytesIO(archive(GAME))
    with zipfile.ZipFile(made, "a") as there, pytest.warns(UserWarning, match="Duplicate"):
        there.writestr("a.rules", b"game b\n")
    return made.getvalue()


def locked() -> bytes:
    data = bytearray(archive(GAME))
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        place = data.rindex(mark)
        data[place + at] |= 1
    return bytes(data)


def linked() -> bytes:
    """A symbolic link is a file whose content is a path: here it stays one."""
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(archive({**GAME, "b.csv": b"/etc/passwd"}))) as there, zipfile.ZipFile(made, "w") as other:
        for entry in there.infolist():
            content = there.read(entry)
            if entry.filename == "b.csv":
                entry.external_attr = 0o120777 << 16
            other.writestr(entry, content)
    return made.getvalue()


HOSTILE: dict[str, Callable[[], bytes]] = {
    **{f"name {name!r}": (lambda name=name: archive({**GAME, name: b"x"})) for name in NAMES},  # type: ignore[misc]
    "nothing": lambda: b"",
    "no archive": lambda: b"game a\n" * 100,
    "an empty archive": lambda: b"PK\x05\x06" + b"\0" * 18,
    "a half": lambda: archive(GAME)[:-40],
    "a bomb": lambda: archive({**GAME, "b.csv": b"0" * 60_000_000}),
    "many files": lambda: archive({**GAME, **{f"{n}.csv": b"" for n in range(600)}}),
    "another content": lambda: archive(GAME, files={"a.rules": "0" * 64}),
    "a file more": lambda: archive({**GAME, "b.csv": b""}, files={"a.rules": sha256(GAME["a.rules"]).hexdigest()}),
    "a file less": lambda: archive(GAME, files={}),
    "a later version": lambda: archive(GAME, **{"rulesrun pack": 2}),
    "another manifest": lambda: archive(GAME, **{"rulesrun pack": "1"}),
    "no game": lambda: archive(GAME, main="b.rules"),
    "a game that is none": lambda: archive({"a.csv": b""}, main="a.csv"),
    "no transcript": lambda: archive(GAME, transcript="b.json"),
    "names that are none": lambda: archive(GAME, main=["a.rules"], files=[1]),
    "two of a name": doubled,
    "a password": locked,
}


@pytest.mark.parametrize("what", HOSTILE)
def test_nothing_comes_out_of_a_hostile_pack(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "a" / "b"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    (here / "bad.rulespack").write_bytes(HOSTILE[what]())
    found = run("unpack", "bad.rulespack")
    assert (found.exit_code, "error[R707]" in found.stderr) == (2, True), found.output
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [here / "bad.rulespack"]


def test_a_link_comes_out_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.rulespack").write_bytes(linked())
    assert run("unpack", "bad.rulespack").exit_code == 0
    assert not (tmp_path / "bad" / "b.csv").is_symlink()


def test_what_is_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another file in a place of the pack, or a link on the way that leads out."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.rulespack").write_bytes(archive({**GAME, "data/b.csv": b"x"}))
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "a.rules").write_text("game mine\n")
    assert run("unpack", "good.rulespack").exit_code == 2
    assert (tmp_path / "good" / "a.rules").read_text() == "game mine\n"
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "data").symlink_to(tmp_path / "elsewhere")
    assert run("unpack", "good.rulespack", "--to", "other").exit_code == 2
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert run("unpack", "nothing.rulespack").exit_code == 2
