"""The words of rules in a language."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.play.game import Game, State, load
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.translation.beside import catalogue_files, languages_of_rules
from rulesrun.interpreter.translation.checking import check_translations
from rulesrun.interpreter.translation.compiling import compiled_files
from rulesrun.interpreter.translation.loading import words_for_rules
from rulesrun.interpreter.words.words import ENGLISH as ENGLISH_WORDS

from .games import HEADER, LAMPS, SOME, lamps


def test_names_and_texts_are_translated(tmp_path: Path) -> None:
    words = words_for_rules(lamps(tmp_path, SOME), "uk").words
    assert words.name("zone", "lit") == "засвічені"
    assert [words.names("kind", "lamp", number) for number in (1, 3, 5, 21)] == ["лампа", "лампи", "ламп", "лампа"]
    assert words.text("reason", "the {lamp} is lit") == "уже горить: {lamp}"
    assert words.name("act", "light") == "light"  # not translated


def test_fuzzy_and_unfinished_entries_are_left_out(tmp_path: Path) -> None:
    text = SOME.replace('msgstr[2] "ламп"', 'msgstr[2] ""').replace('msgctxt "zone"', '#, fuzzy\nmsgctxt "zone"')
    words = words_for_rules(lamps(tmp_path, text), "uk").words
    assert words.name("kind", "lamp") == "lamp"
    assert words.name("zone", "lit") == "lit"


def test_titles_of_the_rules_count_where_the_file_has_none(tmp_path: Path) -> None:
    text = LAMPS.replace('title en "Lamps"', 'title en "Lamps" uk "Лампи"')
    words = words_for_rules(lamps(tmp_path, SOME, text=text), "uk").words
    assert words.name("title", "lamps") == "Лампи"
    assert words.text("title", "Lamps") == "Лампи"


def test_a_title_can_be_asked_for_by_name(tmp_path: Path) -> None:
    translated = f'{SOME}\nmsgctxt "title"\nmsgid "Lamps"\nmsgstr "Ліхтарі"\n'
    assert words_for_rules(lamps(tmp_path, translated), "uk").words.name("title", "lamps") == "Ліхтарі"


def test_what_rules_extend_is_translated_by_its_own_file(tmp_path: Path) -> None:
    lamps(tmp_path, SOME)
    (tmp_path / "more.rules").write_text(
        'extends "lamps.rules"\nvariant long\n    add to score\n        bonus: 1\n', encoding="utf-8"
    )
    (tmp_path / "more.uk.po").write_text(
        f'{HEADER}\nmsgctxt "score"\nmsgid "bonus"\nmsgstr "премія"\n\nmsgctxt "zone"\nmsgid "lit"\nmsgstr "світло"\n', "utf-8"
    )
    rules = read_rules(tmp_path / "more.rules")
    words = words_for_rules(rules, "uk").words
    assert words.name("score", "bonus") == "премія"
    assert words.name("zone", "lit") == "світло"  # the nearer file counts
    assert words.names("kind", "lamp", 2) == "лампи"
    assert [path.name for path in catalogue_files(rules)] == ["more.uk.po", "lamps.uk.po"]
    assert languages_of_rules(rules) == ("uk",)


def test_a_country_has_the_words_of_its_language(tmp_path: Path) -> None:
    lamps(tmp_path, SOME)
    rules = lamps(tmp_path, f'{HEADER}\nmsgctxt "zone"\nmsgid "lit"\nmsgstr "палає"\n', "uk_UA")
    words = words_for_rules(rules, "uk_UA").words
    assert words.name("zone", "lit") == "палає"
    assert words.names("kind", "lamp", 5) == "ламп"


def test_a_damaged_file_is_told_and_left_out(tmp_path: Path) -> None:
    found = words_for_rules(lamps(tmp_path, b"msgid oops"), "uk")
    assert [each.code for each in found.diagnostics] == ["R720"]
    assert found.words.name("zone", "lit") == "lit"


def test_other_files_beside_the_rules_are_no_translations(tmp_path: Path) -> None:
    rules = lamps(tmp_path, SOME)
    for name in ("lamps.po", "lamps.look.po", "lamp.uk.po", "lamps.uk.po~", "lamps..po"):
        (tmp_path / name).write_text("nothing", encoding="utf-8")
    assert [path.name for path in catalogue_files(rules)] == ["lamps.uk.po"]


ENGLISH = """\
msgid ""
msgstr ""
"Language: en\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgctxt "kind"
msgid "lamp"
msgid_plural "lamps"
msgstr[0] "oil lamp"
msgstr[1] "lamps of oil"
"""


def test_a_file_beside_the_rules_has_better_english_words(tmp_path: Path) -> None:
    assert load(lamps(tmp_path).path).in_language("en").words is ENGLISH_WORDS
    game = load(lamps(tmp_path, ENGLISH, "en").path).in_language("en")
    assert (game.words.names("kind", "lamp", 2), game.words.one("kind", "lamp")) == ("lamps of oil", "an oil lamp")
    assert game.words.name("zone", "lit") == "lit"
    assert "light an oil lamp, face down" in {event.hidden for event in _played(game).events}
    assert check_translations(game.rules).notes == ()


def _played(game: Game) -> State:
    state = game.start(1)
    while state.player:
        state.play_at_random()
    return state


def test_compiled_translations_say_the_same_without_babel(tmp_path: Path) -> None:
    rules = lamps(tmp_path, SOME)
    written = words_for_rules(rules, "uk").words
    file = tmp_path / "lamps.uk.po"
    made = compiled_files({"lamps.uk.po": file.read_bytes(), "lamps.rules": b""})
    assert set(made) == {"lamps.uk.mo", "lamps.rules"}
    file.unlink()
    (tmp_path / "lamps.uk.mo").write_bytes(made["lamps.uk.mo"])
    assert languages_of_rules(rules) == ("uk",)
    read = words_for_rules(rules, "uk").words
    for number in (1, 2, 5, 21):
        assert read.names("kind", "lamp", number) == written.names("kind", "lamp", number)
    assert read.name("zone", "lit") == "засвічені"
    assert read.text("reason", "the {lamp} is lit") == "уже горить: {lamp}"


@pytest.mark.slow
@given(st.binary(max_size=60), st.integers(0, 400))
def test_damaged_compiled_translations_are_told(junk: bytes, at: int) -> None:
    whole = compiled_files({"a.uk.po": SOME.encode()})["a.uk.mo"]
    with TemporaryDirectory() as folder:
        rules = lamps(Path(folder))
        (Path(folder) / "lamps.uk.mo").write_bytes(whole[:at] + junk + whole[at + len(junk) :])
        found = words_for_rules(rules, "uk")
        assert [each.code for each in found.diagnostics] in ([], ["R720"])
        found.words.names("kind", "lamp", 5)


def test_what_cannot_be_compiled_is_told() -> None:
    with pytest.raises(RulesError) as found:
        compiled_files({"lamps.uk.po": b"msgid oops"})
    assert [each.code for each in found.value.diagnostics] == ["R720"]
