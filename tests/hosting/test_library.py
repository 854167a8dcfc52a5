"""What the page is told of the games in a folder: titles, languages, and what is said of a game in each."""

from __future__ import annotations

from pathlib import Path

from rulesrun.interpreter.hosting.library import UNPLAYED, Library
from rulesrun.interpreter.words.for_pages import words_data

from ..lamps import WITHOUT_TEST

GAMES = Path(__file__).parents[2] / "games"
HEADER = 'msgid ""\nmsgstr "Language: nl\\nContent-Type: text/plain; charset=utf-8\\n"\n'


def test_a_language_that_only_the_game_has_is_offered(tmp_path: Path) -> None:
    story = "Light lamps. Who has the brightest wins."
    (tmp_path / "lamps.rules").write_text(WITHOUT_TEST.replace("\ncards", f'\nstory "{story}"\n\ncards'), encoding="utf-8")
    said = f'\nmsgctxt "note"\nmsgid "{story}"\nmsgstr "Steek lampen aan. De helderste wint."\n'
    (tmp_path / "lamps.nl.po").write_text(HEADER + said, encoding="utf-8")
    found = Library(tmp_path).overview_of("lamps")
    assert found["languages"] == ["en", "ja", "nl", "uk"]
    assert found["about"] == story
    assert found["abouts"] == {"nl": "Steek lampen aan. De helderste wint."}


def test_the_words_of_a_language_that_the_program_lacks_are_english_ones() -> None:
    assert words_data("nl") == {"language": "nl", "plurals": [], "sentences": {}}
    assert words_data("<b>") == words_data("en") == {"language": "en", "plurals": [], "sentences": {}}


def test_what_is_said_of_variants_is_translated() -> None:
    found = Library(GAMES).overview_of("kingdomino")
    assert {variant["name"]: variant["abouts"].get("uk") for variant in found["variants"]} == {
        "dynasty": "три партії, рахується сума очок",
        "middle_kingdom": "10 очок за повний квадрат із замком посередині",
        "harmony": "5 очок тому, хто нічого не скинув",
        "mighty_duel": "для двох, з усіма кістками доміно, на полі 7 × 7",
    }


def test_what_is_said_of_a_game_is_whole_sentences_without_code(tmp_path: Path) -> None:
    head = "# The lamps of C. L. Dodgson, who took `lamp` cards. Mrs. Liddell won. " + "A further sentence is too long. " * 5
    (tmp_path / "lamps.rules").write_text(head + "\n" + WITHOUT_TEST, encoding="utf-8")
    said = Library(tmp_path).overview_of("lamps")["about"]
    assert said.startswith("The lamps of C. L. Dodgson, who took lamp cards. Mrs. Liddell won. A further")


def test_the_library_shows_what_can_be_played() -> None:
    assert not [id for id in Library(GAMES, without=UNPLAYED).paths() if id.startswith(("refused", "templates"))]
    assert "templates/new" in Library(GAMES).paths()  # as the playground needs it
    assert [*Library(GAMES / "refused", without=UNPLAYED).paths()] == ["for_the_king_japanese"]
