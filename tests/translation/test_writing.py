"""The file of translations: what is new, changed or gone in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import Rules
from rulesrun.interpreter.translation.catalogues import Catalogue, catalogue_in
from rulesrun.interpreter.translation.checking import entries_for
from rulesrun.interpreter.translation.entries import entries_of
from rulesrun.interpreter.translation.writing import written

from .games import LAMPS, SOME, lamps


def _read(text: str, language: str = "uk") -> Catalogue:
    found = catalogue_in(Source("lamps.po", text), language)
    assert isinstance(found, Catalogue), found
    return found


def _written(rules: Rules, before: str | None = None, language: str = "uk") -> str:
    entries = entries_for(entries_of(rules), rules.path, rules, language)
    return written(entries, language, None if before is None else _read(before, language))


def test_what_is_translated_stays_with_its_comments(tmp_path: Path) -> None:
    text = _written(lamps(tmp_path), SOME)
    assert '# said so on the box\n#. a kind of component: cards lamp, 1 of each\n#: lamps.rules:4\nmsgctxt "kind"' in text
    assert 'msgstr[1] "лампи"' in text
    assert '#, python-brace-format\nmsgctxt "reason"' in text
    assert text.startswith(SOME[: SOME.index("\n\n")])  # the header as it was


def test_what_has_changed_is_fuzzy_within_its_context(tmp_path: Path) -> None:
    changed = LAMPS.replace("the {lamp} is lit", "the {lamp} is lit already").replace("lit of player", "lighted of player")
    text = _written(lamps(tmp_path, text=changed), SOME)
    assert (
        '#| msgid "the {lamp} is lit"\nmsgctxt "reason"\nmsgid "the {lamp} is lit already"\nmsgstr "уже горить: {lamp}"' in text
    )
    assert 'msgctxt "zone"\nmsgid "lighted"\nmsgstr "засвічені"' in text
    assert text == _written(lamps(tmp_path, text=changed), text)


def test_what_is_gone_is_obsolete_and_comes_back(tmp_path: Path) -> None:
    without = LAMPS.replace(' otherwise "the {lamp} is lit"', "")
    text = _written(lamps(tmp_path, text=without), SOME)
    assert '#~ msgctxt "reason"\n#~ msgid "the {lamp} is lit"\n#~ msgstr "уже горить: {lamp}"' in text
    again = _written(lamps(tmp_path), text)
    assert '\nmsgctxt "reason"\nmsgid "the {lamp} is lit"\nmsgstr "уже горить: {lamp}"' in again
    assert "#~" not in again


def test_titles_that_the_rules_give_are_not_asked_for(tmp_path: Path) -> None:
    titled = LAMPS.replace('title en "Lamps"', 'title en "Lamps" uk "Лампи"')
    assert 'msgctxt "title"' in _written(lamps(tmp_path))
    assert 'msgctxt "title"' not in _written(lamps(tmp_path, text=titled))


def test_each_language_has_its_number_of_forms(tmp_path: Path) -> None:
    forms = {
        code: len(re.findall(r"msgstr\[\d\]", _written(lamps(tmp_path), language=code))) for code in ("ja", "de", "uk", "ar")
    }
    assert forms == {"ja": 2, "de": 4, "uk": 6, "ar": 12}  # of two entries with plurals


_said = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=40)


@pytest.mark.slow
@given(_said, _said, st.booleans())
def test_to_write_it_twice_changes_nothing(zone: str, act: str, fuzzy: bool) -> None:
    rules = _RULES
    said = f'''{SOME}
{"#, fuzzy" if fuzzy else "# by hand"}
msgctxt "act"
msgid "light"
msgstr "{_quoted(act)}"

#~ msgctxt "zone"
#~ msgid "elsewhere"
#~ msgstr "{_quoted(zone)}"
'''
    once = _written(rules, said)
    assert _written(rules, once) == once
    assert _read(once).messages["act", "light"].string == act


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _lamps_for_all() -> Rules:
    import tempfile

    return lamps(Path(tempfile.mkdtemp()))


_RULES = _lamps_for_all()
