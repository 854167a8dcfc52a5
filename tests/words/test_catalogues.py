"""The program's catalogues hold all of its sentences, and nothing else.

After a change of sentences run ``python -m tests.words.extract``, and translate what is new.
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import PurePosixPath

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from rulesrun.interpreter.words.languages import languages

from .extract import AREAS, CATALOGUES, Sentence, area_of, is_whole, kept, sentence_of, sentences, written

SAID_OF_A_PLACE = {  # that it is empty, or not, which need not say again what can lie there
    "there are {contents} in {place}",
    "there are no {contents} in {place}",
    "with {contents} in {zone}",
    "without {contents} in {zone}",
}
TRANSLATED = [language for language in languages() if language != "en"]


def _messages(language: str, area: str) -> list[Message]:
    path = CATALOGUES / f"{area}.{language}.po"
    if not path.exists():
        return []
    with path.open("rb") as file:
        return [message for message in read_po(file, abort_invalid=True) if message.id]


@pytest.mark.slow
@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("area", AREAS)
def test_a_catalogue_holds_the_sentences_of_its_area(area: str, language: str) -> None:
    assert {sentence_of(message) for message in _messages(language, area)} == set(sentences()[area])


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("area", AREAS)
def test_all_is_translated_and_checked(area: str, language: str) -> None:
    messages = _messages(language, area)
    assert [message.id for message in messages if message.fuzzy or not is_whole(message)] == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("area", AREAS)
def test_a_translation_has_the_places_of_its_sentence(area: str, language: str) -> None:
    """A form for one number may leave that number out; other languages need not have the verb of an English sentence."""
    for message in _messages(language, area):
        plural = isinstance(message.id, (tuple, list))
        wanted = set(_places(" ".join(message.id) if plural else str(message.id)))
        for said in (message.string or ()) if plural else [str(message.string)]:
            free = {"is", *(["number"] if plural else []), *(["contents"] if message.id in SAID_OF_A_PLACE else [])}
            assert set(_places(said)) | free == wanted | free, said


def _places(text: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", text)


@pytest.mark.slow
@pytest.mark.parametrize("language", TRANSLATED)
def test_writing_the_catalogues_again_changes_nothing(language: str) -> None:
    """But the order, and the places, which other rooms change."""
    before, said = kept(language), sentences()
    for area, catalog in before.items():
        again = read_po(BytesIO(written(language, area, said, before).encode()), abort_invalid=True)
        assert _told(again) == _told(catalog)


def _told(catalog: Catalog) -> dict[Sentence, tuple[object, bool]]:
    return {sentence_of(message): (message.string, message.fuzzy) for message in catalog if message.id}


def test_a_file_belongs_to_one_area() -> None:
    assert area_of(PurePosixPath("web/table/scores.js")) == "page"
    assert area_of(PurePosixPath("interpreter/printing/rulebook.py")) == "rulebook"
    assert area_of(PurePosixPath("interpreter/printing/sheets.py")) == "print"
    assert area_of(PurePosixPath("interpreter/play/told.py")) == "play"
