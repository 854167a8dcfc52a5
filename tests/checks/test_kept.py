"""Results kept between checks: findings are those of a check with an empty cache, and a wrong entry does no harm."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.checks.explored.effort import Effort
from rulesrun.interpreter.checks.explored.exploring import explore
from rulesrun.interpreter.checks.explored.findings_from_play import Explored
from rulesrun.interpreter.checks.explored.kept import Kept
from rulesrun.interpreter.checks.explored.playing.digests import digest_of
from rulesrun.interpreter.common.diagnostics import as_json
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.coverage.parts import parts_of
from rulesrun.interpreter.rules import Rules, rules_from
from rulesrun.interpreter.table.sampling.combinations import tables_of

from ..pipeline import changed

GAME = """
game trial
    players 2..3
cards card, 1 of each
    suit: moon, sun, star
    rank: 1..8
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone won of player: set of card, open
counter purse of player: 0..9
table worth by cards: 0: 0, 1: 1, 2: 2, 3: 3, 4: 4
setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player
phase play
    repeat 4 times
        for each player
            player chooses
                play a card from hand of player
                    only if purse of player < 9 otherwise "your purse is full"
                    move card to won of player
                save: add 1 to purse of player
    if players is 3: add 1 to purse of player 1
score of player
    cards: count of won of player
    purse: purse of player
winner highest score, then shared
variant rich "Rich"
    add to score
        worth: worth for count of won of player
"""

FEW = """
game few
    players 2
counter coins of player: 0..4
counter rounds: 0..9
phase play
    repeat until rounds is 3
        for each player
            player chooses
                earn
                    only if coins of player < 4 otherwise "your purse is full"
                    add 1 to coins of player
                rest: nothing
        add 1 to rounds
score of player
    coins: coins of player
winner highest score, then shared
"""

TOO_SMALL = ("purse of player: 0..9", "purse of player: 0..3")
EDITS = {
    "nothing": ("", ""),
    "a comment": ("    repeat 4 times", "    # four rounds\n\n    repeat 4 times"),
    "a text": ("your purse is full", "no room"),
    "a counter that is too small": TOO_SMALL,
    "a table with too few rows": (", 4: 4", ""),
    "only with 3 players": ("add 1 to purse of player 1", "draw 20 from deck to won of player 1"),
    "only in a variant": ("worth for count of won of player", "worth for (1 + count of won of player)"),
    "another score": ("cards: count of won of player", "cards: 2 * count of won of player"),
    "more rounds": ("repeat 4 times", "repeat 5 times"),
    "another game": (GAME, FEW),
    "a dead end": (GAME, FEW.replace("rest: nothing", "rest: add 1 to rounds").replace("rounds: 0..9", "rounds: 0..5")),
    "a choice that never is": (GAME, FEW.replace("coins of player < 4", "coins of player > 4")),
}


def rules_of(text: str) -> Rules:
    rules = rules_from(Source("trial.rules", text))
    rules.required()
    return rules


def edited(*edits: str) -> Rules:
    return rules_of(changed(GAME, map(EDITS.__getitem__, edits)))


# What another edit shows as well.
UNLIKE = ("nothing", "a comment", "a text", "another score", "more rounds", "another game", "only in a variant")
KNOWN: dict[str, dict[str, object]] = {}  # by edit: what a check of it keeps


def known_of(edit: str) -> dict[str, object]:
    if edit not in KNOWN:
        kept = Kept()
        explore(edited(edit), kept=kept)
        KNOWN[edit] = json.loads(json.dumps(kept.known))
    return dict(KNOWN[edit])


def told(explored: Explored) -> object:
    places = [[label.span.place for label in each.labels] for each in explored.diagnostics]
    return evolve(explored, diagnostics=()), list(map(as_json, explored.diagnostics)), places, explored.transcripts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "edit"),
    [
        *(("nothing", edit) for edit in EDITS if edit not in UNLIKE),
        ("a counter that is too small", "a comment"),
        ("only in a variant", "a text"),
        ("a dead end", "a dead end"),
        ("a choice that never is", "a choice that never is"),
    ],
)
def test_findings_are_those_of_a_check_that_knows_nothing(before: str, edit: str) -> None:
    known = Kept("", known_of(before))
    rules = edited(edit) if before == edit else edited(before, edit)
    assert told(explore(rules, replays="there", kept=known)) == told(explore(rules, replays="there"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "edit"),
    [
        ("nothing", "a comment"),
        ("a counter that is too small", "a comment"),
        ("only in a variant", "a text"),
        ("a choice that never is", "a choice that never is"),
    ],
)
def test_what_an_edit_does_not_touch_is_not_played_again(before: str, edit: str) -> None:
    known = Kept("", known_of(before))
    explore(edited(edit) if before == edit else edited(before, edit), kept=known)
    assert known.known.keys() == known_of(before).keys()
    assert not known.changed


@pytest.mark.slow
def test_an_edit_for_some_tables_leaves_the_others() -> None:
    assert tables_in(known_of("nothing")) == 2  # those with the variant, which only scores more; the others have the same games
    known = Kept("", known_of("nothing"))
    explore(edited("only with 3 players"), kept=known)
    assert tables_in(known.known) == 3
    known = Kept("", known_of("nothing"))
    explore(edited("more rounds"), kept=known)
    assert tables_in(known.known) == 4


def tables_in(known: dict[str, object]) -> int:
    """Of how many tables it is kept what was found."""
    return sum(isinstance(data, list) and len(data) == 4 and isinstance(data[0], list) for data in known.values())


@pytest.mark.slow
def test_another_seed_is_another_check() -> None:
    known = Kept()
    explore(edited("a counter that is too small"), kept=known)
    rules = edited("a counter that is too small")
    assert told(explore(rules, Effort(seed=1), kept=known)) == told(explore(rules, Effort(seed=1)))


def test_what_the_time_cut_off_is_not_kept() -> None:
    known = Kept()
    explore(edited(), Effort(seconds=0.0), kept=known)
    assert not known.known


@pytest.mark.slow
def test_what_an_earlier_check_found_is_said_to_be_that_where_there_is_no_time_to_play_it() -> None:
    known = Kept()
    found = explore(edited("a counter that is too small"), kept=known).diagnostics
    again = explore(edited("a counter that is too small"), Effort(seconds=0.0), kept=known)
    assert [d.code for d in again.diagnostics] == [d.code for d in found]
    assert "time is over: R602 was found by an earlier check, and its game was not played again" in again.notes
    assert again.was_cut


# ---- Digests


def digests(text: str) -> dict[str, str]:
    whole = rules_of(text).required()
    parts = parts_of(whole)
    made = tables_of(whole).tables
    return {each.choice.said: digest_of(each.found, parts) for each in made if each.found.table is not None}


@pytest.mark.parametrize(("edit", "tables"), [
    ("nothing", ""), ("a comment", ""), ("a text", ""), ("only with 3 players", "3 players"), ("only in a variant", "rich"),
    ("another score", "players"), ("more rounds", "players"),
])  # fmt: skip
def test_the_digest_of_a_table_changes_with_what_is_played_there(edit: str, tables: str) -> None:
    old, new = EDITS[edit]
    before, after = digests(GAME), digests(GAME.replace(old, new) if old else GAME)
    assert len(set(before.values())) == len(before)
    assert {each for each in before if before[each] != after[each]} == {each for each in before if tables and tables in each}


def test_what_decides_the_numbers_of_acts_is_in_the_digest() -> None:
    """Options are numbered as they stand; with the lines of two exchanged, other games are played."""
    play, save = re.findall(r"(?m)^                (?:play|save).*\n(?:                    .*\n)*", GAME)
    assert digests(GAME) != digests(GAME.replace(play + save, save + play))


def test_texts_count_as_equal_or_not() -> None:
    """Two reasons that were one text and are two now tell players something."""
    full, line = '"your purse is full"', "\n                    "
    two = GAME.replace("move card to", f"only if rank of card > 0 otherwise {full}{line}move card to")
    assert digests(two) == digests(two.replace(full, '"no"'))
    assert digests(two) != digests(two.replace(f"{full}{line}only", f'"no"{line}only'))


# ---- The entry in the cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "rulesrun"


@pytest.mark.slow
def test_an_entry_belongs_to_a_file(folder: Path) -> None:
    kept = Kept.of("trial.rules")
    explore(edited("a counter that is too small"), kept=kept)
    assert Kept.of("trial.rules").known == json.loads(json.dumps(kept.known))
    assert not Kept.of("other.rules").known
    assert [file.name for file in folder.iterdir()] == [kept.name]


def test_an_entry_does_not_grow_without_end(folder: Path) -> None:
    kept = Kept.of("trial.rules")
    for number in range(30):
        kept.put("x" * 100_000, number)
    kept.get(25)
    kept.save()
    left = Kept.of("trial.rules")
    assert len(left.known) == 9
    assert left.get(25)
    assert not left.get(20)


def scrambled(data: object, random: st.DataObject) -> object:
    """Plain data with something in it replaced by something else."""
    if isinstance(data, list) and data and random.draw(st.integers(0, 3)):
        at = random.draw(st.integers(0, len(data) - 1))
        return [*data[:at], scrambled(data[at], random), *data[at + 1 :]]
    codes = ["R390", None], ["R391", 0]
    return random.draw(st.sampled_from([None, -1, 0, 1, 10**30, 0.5, "x", "led", [], [[]], {}, True, [0, 1, 2, 3], *codes]))


@cache
def findings_of(edit: str) -> int:
    return len(explore(edited(edit)).diagnostics)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(st.sampled_from(["a counter that is too small", "a dead end", "a choice that never is"]), st.data())
def test_what_is_wrong_in_an_entry_stops_nothing(edit: str, random: st.DataObject) -> None:
    """It can only hide what is found, or lead to what is."""
    known = known_of(edit)
    key = random.draw(st.sampled_from(sorted(known)))
    known[key] = scrambled(known[key], random)
    explored = explore(edited(edit), replays="there", kept=Kept("", known))
    assert len(explored.diagnostics) <= findings_of(edit) + 1


@pytest.mark.slow
def test_a_game_that_does_not_show_what_it_should_is_played_again() -> None:
    known = known_of("a counter that is too small")
    for key, data in known.items():
        if isinstance(data, list) and data and isinstance(data[0], list) and data[0]:
            data[0][0][2:5] = ["random", 7, []]
            known[key] = data
    rules = edited("a counter that is too small")
    assert told(explore(rules, kept=Kept("", known))) == told(explore(rules))
