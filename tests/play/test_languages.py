"""A game in a reader's language: it plays as the game in the rules' own words does, and no word of another language is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.machine.inspect.show import show
from rulesrun.interpreter.play.game import ArgumentError, Game, State, load
from rulesrun.interpreter.play.narration import narrate
from rulesrun.interpreter.play.page import plain
from rulesrun.interpreter.play.records.transcript import to_data, transcript_of
from rulesrun.interpreter.play.result import heading, result
from rulesrun.interpreter.terminal.seat import Session

from ..serving import GAMES

SHIPPED = (
    "masti", "kingdomino", "for_the_king", "classics/hearts", "classics/backgammon", "classics/go_fish", "classics/draughts",
    "classics/liars_dice", "classics/gin_rummy", "designs/night_ferry", "designs/apiary", "designs/attic_sale",
)  # fmt: skip
TRANSLATED = ("masti", "kingdomino", "for_the_king")
LATIN = re.compile(r"[A-Za-z]{2,}")  # one letter names a column of cells, or a card


@cache
def games(name: str, language: str) -> tuple[Game, Game]:
    written = load(GAMES / f"{name}.rules")
    return written, written.in_language(language)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["uk", "ja"])
@pytest.mark.parametrize("name", SHIPPED)
def test_words_change_nothing_in_a_machine(name: str, language: str) -> None:
    written, spoken = games(name, language)
    assert show(spoken.machine) == show(written.machine)
    assert spoken.machine.layout.record == written.machine.layout.record
    assert [group.size for group in spoken.machine.groups] == [group.size for group in written.machine.groups]
    assert spoken.table_digest == written.table_digest
    assert spoken.written is written


@pytest.mark.slow
@settings(max_examples=15)
@given(st.sampled_from(SHIPPED), st.sampled_from(("uk", "ja")), st.integers(0, 2**32))
def test_a_game_plays_alike_in_every_language(name: str, language: str, seed: int) -> None:
    written, spoken = (game.start(seed) for game in games(name, language))
    for _ in range(40):
        if written.is_over:
            break
        assert spoken.legal == written.legal
        assert spoken.play_at_random() == written.play_at_random()
    assert spoken == written
    assert spoken.history == written.history
    assert [_outline(spoken)] == [_outline(written)]
    assert to_data(transcript_of(spoken, seed)) == to_data(transcript_of(written, seed))
    again = written.in_game(spoken.game)
    assert [event.text for event in again.events] == [event.text for event in spoken.events]


def _outline(state: State) -> list[tuple[object, ...]]:
    """What happened, without the texts."""
    return [(e.kind, e.player, e.number, e.seen, e.hidden is None, bool(e.outcome), e.sentence) for e in state.events]


@pytest.mark.slow
@pytest.mark.parametrize("name", TRANSLATED)
def test_a_game_is_told_without_a_word_of_another_language(name: str) -> None:
    _, spoken = games(name, "uk")
    state = spoken.start(7)
    while state.player:
        state.play_at_random()
    for seat in (None, 1, 2):
        told = plain((*heading(spoken, 7, seat), *narrate(spoken, state.events, seat), *result(state)))
        assert _latin(told) == []


def _latin(text: str) -> list[str]:
    return [line for line in text.splitlines() if LATIN.search(line)]


def _pages(session: Session) -> Iterator[str]:
    """What a person reads in a whole game at a terminal who asks for everything."""
    yield plain(session.opening())
    luck = Random(5)
    for _ in range(500):
        if session.is_over:
            return
        number = luck.randrange(len(session.offer.legal)) + 1
        for typed in ("огляд", "огляд усе", "ходи", "усе", f"чому {number}", "абищо", f"{number}"):
            yield plain(session.answer(typed).page)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRANSLATED)
def test_a_game_at_a_terminal_is_in_one_language(name: str) -> None:
    _, spoken = games(name, "uk")
    session = Session(spoken.start(7), 1, 7)
    for page in _pages(session):
        assert _latin(page) == []
    assert session.is_over
    assert _latin(plain(session.answer("журнал").page)) == []


@pytest.mark.slow
def test_commands_and_options_can_be_typed_in_both_languages() -> None:
    written, spoken = games("masti", "uk")
    session = Session(spoken.start(7), 1, 7)
    assert session.answer("довідка").page == session.answer("help").page
    assert session.answer("ходи").page == session.answer("options").page
    option = session.offer.legal[0]
    theirs = written.option_text(option.number)
    assert option.text != theirs
    before = len(session.state.history)
    assert session.answer(f"чому {theirs}").page == session.answer(f"why {option.text}").page
    assert session.answer(theirs).moved
    assert len(session.state.history) > before
    assert session.answer("повернути").moved


def test_a_saved_game_is_in_the_words_of_the_rules() -> None:
    written, spoken = games("masti", "uk")
    session, theirs = Session(spoken.start(7), 1, 7), Session(written.start(7), 1, 7)
    for each in (session, theirs):
        each.answer("1")
    assert session.saved == theirs.saved


def test_a_language_that_nobody_speaks_is_refused() -> None:
    with pytest.raises(ArgumentError, match="there are en, ja, ru, uk"):
        load(GAMES / "masti.rules").in_language("tlh")


def test_damaged_translations_are_told(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "tiny.rules").write_text((GAMES / "classics" / "tic_tac_toe.rules").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "tiny.uk.po").write_text("msgid nothing", encoding="utf-8")
    with pytest.raises(RulesError):
        load(folder / "tiny.rules").in_language("uk")
