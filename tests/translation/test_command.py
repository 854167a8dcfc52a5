"""The command `translate`, and packs with translations."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..cli.commands import rulesrun
from .games import SOME, lamps


def test_a_file_is_begun_and_brought_up_to_date(tmp_path: Path) -> None:
    path = lamps(tmp_path).path
    place = tmp_path / "lamps.uk.po"
    assert rulesrun("translate", path).output == f"{path} is not translated yet; `--language CODE` begins a translation\n"
    began = rulesrun("translate", path, "--language", "uk")
    assert began.output == f"{place} is written. Ukrainian: 0 of 15 translated, 15 missing.\n"
    place.write_text(SOME, encoding="utf-8")
    assert "3 of 15 translated, 12 missing" in rulesrun("translate", path, "--language", "uk").output
    first = place.read_bytes()
    rulesrun("translate", path, "--language", "uk")
    assert place.read_bytes() == first
    assert rulesrun("translate", path).output == f"{place}: Ukrainian: 3 of 15 translated, 12 missing\n"


@pytest.mark.parametrize("language", ["klingon", "", "../uk", "x"])
def test_a_language_that_is_none_is_refused(language: str, tmp_path: Path) -> None:
    result = rulesrun("translate", lamps(tmp_path).path, "--language", language)
    assert result.exit_code == 2
    assert list(tmp_path.glob("*.po")) == []


def test_a_damaged_file_stays_as_it_is(tmp_path: Path) -> None:
    path = lamps(tmp_path, b"msgid oops").path
    result = rulesrun("translate", path, "--language", "uk")
    assert result.exit_code == 1
    assert "R720" in result.output
    assert (tmp_path / "lamps.uk.po").read_bytes() == b"msgid oops"


def test_another_place_for_the_file(tmp_path: Path) -> None:
    path, place = lamps(tmp_path).path, tmp_path / "mine.po"
    assert rulesrun("translate", path, "--language", "ja", "--out", str(place)).exit_code == 0
    assert "Plural-Forms: nplurals=1" in place.read_text(encoding="utf-8")
    assert rulesrun("translate", path, "--language", "ja", "--out", str(tmp_path / "mine.txt")).exit_code == 2
    assert rulesrun("translate", path, "--out", str(place)).exit_code == 2


def test_a_pack_takes_translations_along(tmp_path: Path) -> None:
    path, pack = lamps(tmp_path, SOME).path, tmp_path / "lamps.rulespack"
    result = rulesrun("pack", path, "--out", str(pack))
    assert "2 files: lamps.rules, lamps.uk.po" in result.output


def test_english_words_need_not_be_complete(tmp_path: Path) -> None:
    result = rulesrun("translate", lamps(tmp_path).path, "--language", "en")
    assert (result.exit_code, "0 of 14 in other words than those of the rules." in result.output) == (0, True), result.output
