"""What is wrong with files of translations, and what is missing in them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.translation.catalogues import Catalogue, catalogue_in, language_of
from rulesrun.interpreter.translation.checking import check_translations
from rulesrun.interpreter.translation.entries import entries_of

from ..cli.commands import rulesrun
from ..lamps import LAMPS as OTHER_LAMPS
from .games import HEADER, LAMPS, SOME, lamps

WRONG = {
    "a line that is none": (SOME + '\nmsgid oops\nmsgstr ""\nhello\n', "R720", "Unknown or misformatted keyword".lower()),
    "no translation": (SOME + '\nmsgid "a"\n', "R720", "missing msgstr"),
    "a text that does not end": (SOME.replace('"засвічені"', '"засвічені'), "R720", "no quotation mark at its end"),
    "a quotation mark too many": (SOME.replace('"засвічені"', '"за"свічені"'), "R720", "or one too many"),
    "another charset": (SOME.replace("UTF-8", "KOI8-U"), "R720", "written in KOI8-U"),
    "no rule for plurals": (SOME.replace("n%10==1", "n%10==import"), "R720", "its rule for plurals cannot be understood"),
    "a form that is not there": (SOME.replace("nplurals=3", "nplurals=2"), "R720", ""),
    "a division by zero": (SOME.replace("(n%10==1", "(n/0==1"), "R720", "its rule for plurals cannot be understood"),
    "too many forms": (SOME.replace("nplurals=3", "nplurals=99999999"), "R720", "nouns have 99999999 forms"),
    "a control character": (SOME.replace("горить", "гор\x1bить"), "R720", "U+001B"),
    "a mark that turns text around": (SOME.replace("горить", "гор\u202eить"), "R720", "U+202E"),
    "a mark that isolates text": (SOME.replace("горить", "гор\u2066ить"), "R720", "U+2066"),
    "two entries of one text": (SOME + '\nmsgctxt "zone"\nmsgid "lit"\nmsgstr "світло"\n', "R720", "`lit` (zone) has two"),
    "another language": (SOME.replace("Language: uk", "Language: de"), "R720", "its language is `de`"),
    "another game": (HEADER + '\nmsgctxt "zone"\nmsgid "attic"\nmsgstr "горище"\n', "R721", "has none of the words"),
    "an unknown place": (SOME.replace("горить: {lamp}", "горить: {лампа}"), "R722", "has `{лампа}`, which is no place of it"),
    "a lost place": (SOME.replace(": {lamp}", ""), "R722", "lacks `{lamp}`"),
    "a place that does not end": (SOME.replace("горить: {lamp}", "горить: {lamp"), "R722", "has a `{` that begins a place"),
    "a place that does not begin": (SOME.replace("горить: {lamp}", "горить: lamp}"), "R722", "has a `}` that ends a place"),
    "a brace beside a whole place": (SOME.replace("горить: {lamp}", "горить: {lamp} %s {"), "R722", "has a `{` that begins"),
    "a brace in a name": (SOME.replace("засвічені", "за {player"), "R722", "has a `{` that begins a place"),
    "a place in a name": (SOME.replace("засвічені", "засвічені {player}"), "R722", "has `{player}`"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_with_its_line(case: str, tmp_path: Path) -> None:
    text, code, said = WRONG[case]
    found = check_translations(lamps(tmp_path, text)).diagnostics
    assert [each.code for each in found] == [code], [render(each) for each in found]
    assert said in found[0].message
    assert found[0].help
    assert found[0].span is not None


GAMES = Path(__file__).parents[2] / "games"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "of"), [("masti", "kingdomino"), ("masti", "for_the_king"), ("lamps", "masti")])
def test_a_file_of_another_game_that_shares_some_words(game: str, of: str, tmp_path: Path) -> None:
    text = OTHER_LAMPS if game == "lamps" else (GAMES / f"{game}.rules").read_text("utf-8")
    (tmp_path / "mine.rules").write_text(text, encoding="utf-8")
    shutil.copytree(GAMES / "data", tmp_path / "data")
    place = tmp_path / "mine.uk.po"
    place.write_bytes((GAMES / f"{of}.uk.po").read_bytes())
    found = check_translations(read_rules(tmp_path / "mine.rules"))
    assert [each.code for each in found.diagnostics] == ["R721"]
    assert found.progress == ()
    refused = rulesrun("translate", str(tmp_path / "mine.rules"), "--language", "uk")
    assert refused.exit_code == 1
    assert "R721" in refused.output
    assert place.read_bytes() == (GAMES / f"{of}.uk.po").read_bytes()
    assert "R721" in rulesrun("rulebook", str(tmp_path / "mine.rules"), "--language", "uk").output


def test_a_game_that_has_become_small_keeps_its_file(tmp_path: Path) -> None:
    more = "".join(f'\nmsgctxt "zone"\nmsgid "shelf {number}"\nmsgstr "полиця {number}"\n' for number in range(200))
    entries = entries_of(lamps(tmp_path))
    kept = "".join(f'\nmsgctxt "{one.role}"\nmsgid "{one.text}"\nmsgstr "{one.text}"\n' for one in entries if not one.many)
    assert check_translations(lamps(tmp_path, HEADER + kept + more)).diagnostics == ()


def test_what_is_no_text_or_too_much_is_told(tmp_path: Path) -> None:
    assert [each.code for each in check_translations(lamps(tmp_path, SOME.encode("utf-16"))).diagnostics] == ["R002"]
    assert [each.code for each in check_translations(lamps(tmp_path, SOME + "#" * 1_000_000)).diagnostics] == ["R003"]


def test_markup_is_plain_text(tmp_path: Path) -> None:
    assert check_translations(lamps(tmp_path, SOME.replace("засвічені", "<b>засвічені</b> & 5 % $x"))).diagnostics == ()


def test_what_is_missing_is_a_note(tmp_path: Path) -> None:
    text = SOME.replace('msgctxt "zone"', '#, fuzzy\nmsgctxt "zone"') + '\nmsgctxt "zone"\nmsgid "dark"\nmsgstr "темрява"\n'
    checked = check_translations(lamps(tmp_path, text))
    path = tmp_path / "lamps.uk.po"
    assert checked.diagnostics == ()
    assert checked.notes == (
        f"{path}: 12 entries (`Lamps`, `colour`, `colour`, ...) are not translated",
        f"{path}: 1 entry (`lit`) is fuzzy",
        f"{path}: 1 entry (`dark`) is no longer in the rules",
    )
    assert [each.code for each in checked.incomplete] == ["R723"] * 3


@pytest.mark.slow
def test_check_tells_it_and_fails_where_that_is_asked_for(tmp_path: Path) -> None:
    path = lamps(tmp_path, SOME).path
    before = rulesrun("check", path, "--proved")
    assert "are not translated" in before.output
    assert before.exit_code == 0
    after = rulesrun("check", path, "--proved", "--strict-language")
    assert "R723" in after.output
    assert after.exit_code == 1
    (tmp_path / "lamps.uk.po").write_text("oops", encoding="utf-8")
    assert rulesrun("check", path, "--proved").exit_code == 1


def test_languages_are_those_that_there_are() -> None:
    assert [language_of(code) for code in ("uk", "pt-BR", "pt_BR", "zh_Hant_TW")] == ["uk", "pt_BR", "pt_BR", "zh_Hant_TW"]
    assert [language_of(code) for code in ("", "x", "xx", "klingon", "../uk", "uk\0", "uk_")] == [None] * 7


@pytest.mark.slow
@given(st.data())
def test_a_damaged_file_gives_a_diagnostic_and_no_traceback(data: st.DataObject) -> None:
    text = SOME
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 30)))
        text = text[:start] + data.draw(st.sampled_from(_PIECES) | st.text(max_size=5)) + text[end:]
    found = catalogue_in(Source("lamps.uk.po", text), "uk")
    if isinstance(found, Catalogue):
        found.translations().ngettext("lamp", "lamps", 10**20)
    else:
        assert [render(each) for each in found]


_PIECES = (
    'msgid ""\n', 'msgstr "', "msgctxt ", 'msgid_plural "x"\n', "msgstr[9]", "msgstr[-1]", "msgstr[x]", '"', "\\", "\n\n", "#~ ",
    "#| ", "#, fuzzy\n", "#, range:1..2\n", "POT-Creation-Date: x\\n", "Language: x\\n", "nplurals=0; plural=n;", "plural=n/n",
    "((((((((", "#-", "#: a:b\n", "charset=x", "{lamp}", "\ufeff", "\u2068x\u2069",
)  # fmt: skip


def test_the_game_is_not_asked_for_what_its_parent_has(tmp_path: Path) -> None:
    rules = lamps(tmp_path, SOME)
    assert len(LAMPS.splitlines()) == 21
    assert [each.entries for each in check_translations(rules).progress] == [15]
