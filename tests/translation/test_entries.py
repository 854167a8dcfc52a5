"""What there is to translate of a game."""

from __future__ import annotations

from pathlib import Path

from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.translation.entries import entries_of, places_in
from rulesrun.interpreter.words.words import Role

from .games import LAMPS, lamps


def test_every_word_that_players_meet_is_an_entry(tmp_path: Path) -> None:
    found: list[tuple[Role, str]] = [entry.key for entry in entries_of(lamps(tmp_path))]
    assert found == [
        ("title", "Lamps"), ("kind", "lamp"), ("attribute", "colour"), ("list", "colour"), ("word", "red"), ("word", "dark blue"),
        ("attribute", "power"), ("zone", "lit"), ("phase", "evening"), ("act", "light"), ("reason", "the {lamp} is lit"),
        ("score", "light"), ("winner", "highest score"), ("variant", "A short evening"), ("act", "wait a while"),
    ]  # fmt: skip


def test_an_entry_says_what_it_is_and_where_it_stands(tmp_path: Path) -> None:
    zone = next(entry for entry in entries_of(lamps(tmp_path)) if entry.role == "zone")
    assert zone.about == "a zone: zone lit of player: set of lamp, open"
    assert zone.comment == "what a player has lit"
    assert [span.line for span in zone.places] == [7]


def test_kinds_have_a_plural_and_names_have_none(tmp_path: Path) -> None:
    many = {entry.key: entry.many for entry in entries_of(lamps(tmp_path))}
    assert many["kind", "lamp"] == "lamps"
    assert many["zone", "lit"] == ""


def test_what_stands_in_several_places_is_one_entry(tmp_path: Path) -> None:
    text = LAMPS.replace("player chooses\n            light", "player chooses\n            wait: nothing\n            light")
    found = [entry for entry in entries_of(lamps(tmp_path, text=text.replace(' "wait a while"', ""))) if entry.text == "wait"]
    assert [len(entry.places) for entry in found] == [2]


def test_what_a_file_adds_to_a_game_is_its_own(tmp_path: Path) -> None:
    lamps(tmp_path)
    (tmp_path / "more.rules").write_text(
        'extends "lamps.rules"\nvariant long "A long evening"\n    add to score\n        bonus: 1\n', encoding="utf-8"
    )
    entries = entries_of(read_rules(tmp_path / "more.rules"))
    own = [entry.text for entry in entries if Path(entry.home).name == "more.rules"]
    assert own == ["A long evening", "bonus"]


def test_places_have_their_braces() -> None:
    assert places_in("a {card} and {rank of top}") == {"{card}", "{rank of top}"}
