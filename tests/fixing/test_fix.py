"""Mends that are made without asking: only where they are certain, never to the worse, and once and for all."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.fixing.fixed import fixed
from rulesrun.interpreter.rules import read_rules, rules_from

from ..cli.commands import rulesrun

GAME = """game small
    players 2..3

option laps: 1..9, default 3

# what everybody has
counter coins of player: 0..9
zone hand of player: set of card, private

cards card, 1 of each
    rank: 1..4

table deal by players
    players | coins_dealt
    2       | 3
    3       | 2           # a comment

define rich of player: coins of player > 2

step gift of player
    add coins_dealt to coins of player

phase only
    for each player: do gift of player
    repeat laps times
        for each player with hand empty: move any card from every card to hand of player

score of player
    points: coins of player
    cards: count of hand of player if rich of player

winner highest score, then most hand, then shared

variant long
    set laps to 9
"""


def mended(text: str, folder: Path) -> str:
    file = folder / "small.rules"
    file.write_text(text, encoding="utf-8")
    return fixed(str(file)).after


def codes(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in check(rules_from(Source("small.rules", text))).findings]


def test_a_sound_game_stays_as_it_is(tmp_path: Path) -> None:
    assert codes(GAME) == []
    assert mended(GAME, tmp_path) == GAME


@pytest.mark.parametrize(
    "line",
    [
        "counter spare of player: 0..9\n",
        "define poor of player: coins of player < 2\n",
        "list colour: red, blue   # of nothing\n",
        "table prize by players\n    players | prize_money\n    2       | 3\n    3       | 2\n",
        "# what is left over\n# of an edition\ncounter spare of player: 0..9\n",
        "zone discards: set of card, open\n",
        "option speed: 1..3, default 2\n",
    ],
)
def test_what_nothing_uses_goes_with_all_that_stands_under_it(line: str, tmp_path: Path) -> None:
    assert mended(GAME.replace("\nphase only", f"\n{line}\nphase only"), tmp_path) == GAME


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("\n# of what comes\n\ncounter spare: 0..9\n\n", "\n# of what comes\n\n"),
        ("# of what comes\ncounter spare: 0..9\n", "# of what comes\n"),
        ("counter spare: 0..9\n# of what comes\n", "# of what comes\n"),
    ],
)
def test_a_comment_that_may_be_of_something_else_stays(line: str, after: str, tmp_path: Path) -> None:
    text, wanted = (GAME.replace("zone hand", f"{each}zone hand") for each in (line, after))
    assert mended(text, tmp_path) == wanted


def test_a_comment_goes_with_the_line_of_a_variant_below_it(tmp_path: Path) -> None:
    text = GAME.replace("    set laps to 9", "    # of tokens\n    counter spare: 0..9\n    set laps to 9")
    assert mended(text, tmp_path) == GAME


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sound", "wrong"),
    [
        ("points: coins of player", "points: conis of player"),
        ("repeat laps times", "repaet laps times"),
        ("points: coins of player", "points: coins of plyaer"),
        ("for each player: do", "for each playr: do"),
        ("then shared", "then shaerd"),
        ("set laps to 9", "needs players at least 2\n    set laps to 9"),
        ("> 2\n", "> 2\ndefine very_rich of player: coins of player > 8\ndefine richest: very_rich of player 1\n"),
    ],
)
def test_what_has_one_mend_is_mended(sound: str, wrong: str, tmp_path: Path) -> None:
    assert GAME.count(sound) == 1
    assert mended(GAME.replace(sound, wrong), tmp_path) == GAME


SAVE = """    player 1 chooses
        save
            only if coins of player 1 < 9 otherwise "your purse is full"
            only if coins of player 1 < 9
            add 1 to coins of player 1
        pass: nothing
"""


@pytest.mark.parametrize(
    ("code", "sound", "wrong"),
    [
        ("R326", "\nscore of", "    if coins of player 1 is 9\n        end game\n        add 1 to coins of player 1\n\nscore of"),
        ("R328", "3       | 2           # a comment\n", "3       | 2           # a comment\n    4       | 2\n"),
        ("R320", "\nphase only", "\nstep thanks of player: add 1 to coins of player\n\nphase only"),
        ("R329", "then most hand, ", "then most hand, then highest score, then most hand, "),
        ("R329", "\nscore of", f"{SAVE}\nscore of"),
        ("R380", "variant long", "variant longer\n    # as it is\n    set laps to 3\n\nvariant long"),
        ("R381", "set laps to 9", "set laps to 9\n    set laps to 9"),
    ],
)
def test_what_may_be_a_slip_as_well_as_of_no_use_is_left(code: str, sound: str, wrong: str, tmp_path: Path) -> None:
    text = GAME.replace(sound, wrong)
    assert code in codes(text)
    assert mended(text, tmp_path) == text


@pytest.mark.parametrize("beside", [True, False])
def test_what_a_comment_allows_is_neither_mended_nor_left(beside: bool, tmp_path: Path) -> None:
    why = "# allow R320: the next edition needs it"
    spare = f"counter spare: 0..3    {why}" if beside else f"{why}\ncounter spare: 0..3"
    file = tmp_path / "small.rules"
    allowed = GAME.replace("\nphase only", f"\n{spare}\n\nphase only")
    file.write_text(allowed.replace("\nphase only", "\ncounter other: 0..3\n\nphase only"), encoding="utf-8")
    assert rulesrun("fix", "--yes", str(file)).stdout.endswith(f"{file}: 1 repair, 0 findings left\n")
    assert file.read_text(encoding="utf-8") == allowed


def test_what_is_wrong_with_the_comments_is_left(tmp_path: Path) -> None:
    file = tmp_path / "small.rules"
    file.write_text(GAME.replace("set laps to 9", "set laps to 9    # allow R320: no"), encoding="utf-8")
    assert [diagnostic.code for diagnostic in fixed(str(file)).left] == ["R012"]


def test_a_misspelt_word_with_two_that_are_near_is_left_alone(tmp_path: Path) -> None:
    text = GAME.replace("counter coins of player", "counter coats of player: 0..9\ncounter coins of player")
    text = text.replace("points: coins of player", "points: coans of player")
    assert "R201" in codes(text)
    assert mended(text, tmp_path) == text


def test_a_row_that_is_missing_is_written_with_its_values_open(tmp_path: Path) -> None:
    after = mended(GAME.replace("players 2..3", "players 2..4").replace("define rich", "define poor: 1\ndefine rich"), tmp_path)
    wanted = "    3       | 2           # a comment\n    4       | ?\n"
    assert after == GAME.replace("players 2..3", "players 2..4").replace("    3       | 2           # a comment\n", wanted)
    assert codes(after) == ["R115"]
    assert mended(after, tmp_path) == after


@pytest.mark.slow
def test_a_file_that_extends_another_is_mended_alone(tmp_path: Path) -> None:
    (tmp_path / "small.rules").write_text(GAME + "\ncounter spare: 0..9\n", encoding="utf-8")
    house = tmp_path / "house.rules"
    house.write_text('extends "small.rules"\n\nvariant house\n    set laps to 2\n    counter own: 0..9\n', encoding="utf-8")
    assert fixed(str(house)).after == 'extends "small.rules"\n\nvariant house\n    set laps to 2\n'


def test_what_a_test_sets_stays(tmp_path: Path) -> None:
    file = tmp_path / "small.rules"
    text = GAME.replace("\nphase only", "\noption speed: 1..3, default 2\n\nphase only")
    text += '\ntest "a game"\n    players Ann, Bob\n    set speed to 2\n    expect coins of Ann is 3\n'
    file.write_text(text, encoding="utf-8")
    found = fixed(str(file))
    assert found.after == text
    why = f"left as it is, since its repair brings R201: there is no option `speed` here ({file}:39:9)"
    assert [left.help for left in found.left] == [f"use it in a rule, or remove it; {why}"]


ENDLESS = """game small
    players 2..3

counter coins of player: 0..20
counter bank: 0..99
marker chair: player or none

phase only
    for each player: add 5 to coins of player
    auction for chair
        bidders: players
        bids: 1..20, each higher than the last
        a pass is final
        payment: coins of winner to bank
        won: set chair to winner
        cannot pay: bid again

score of player
    points: coins of player
    chair: 2 if chair is player

winner highest score, then shared
"""


def test_no_mend_makes_a_test_fail(tmp_path: Path) -> None:
    assert "bid again without winner" in mended(ENDLESS, tmp_path)
    text = ENDLESS + '\ntest "they may go on"\n    players Ann, Bob\n    expect finding R243\n'
    assert mended(text, tmp_path) == text


EXTENDING = 'extends "{}"\n\nvariant house\n    add to score\n        poor: spare of player\n'


@pytest.mark.slow
@pytest.mark.parametrize("broken", [False, True])
def test_what_a_file_of_the_folder_uses_stays(broken: bool, tmp_path: Path) -> None:
    text = GAME.replace("\nphase only", "\ncounter spare of player: 0..9\n\nphase only")
    (tmp_path / "sound.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "edition.rules").write_text('extends "small.rules"\n\nvariant edition\n    set laps to 2\n', encoding="utf-8")
    assert mended(text, tmp_path) == GAME
    house = EXTENDING.format("edition.rules") + ("        rich: sapre of player\n" if broken else "")
    (tmp_path / "house.rules").write_text(house, encoding="utf-8")
    assert mended(text, tmp_path) == text


@pytest.mark.slow
def test_what_a_given_file_uses_stays(tmp_path: Path) -> None:
    file, house = tmp_path / "small.rules", tmp_path / "houses" / "house.rules"
    text = GAME.replace("\nphase only", "\ncounter spare of player: 0..9\n\nphase only")
    file.write_text(text, encoding="utf-8")
    house.parent.mkdir()
    house.write_text(EXTENDING.format("../small.rules"), encoding="utf-8")
    shown = rulesrun("fix", "--yes", str(file), str(house)).stdout
    assert f"{file}: 0 repairs, 1 finding left\n" in shown
    assert f"since its repair brings R201: there is no `spare` here ({house}:5:15)\n" in shown
    assert file.read_text(encoding="utf-8") == text
    assert rulesrun("fix", "--yes", str(file)).stdout.endswith(f"{file}: 1 repair, 0 findings left\n")


WORDS = [m.span() for m in re.finditer(r"[a-z_]{4,}", GAME)]


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True),
    at=st.integers(0, 3),
    how=st.sampled_from(["", "x", "twice"]),
)
def test_whatever_is_misspelt_a_mended_file_is_never_worse_and_is_mended_for_good(
    words: list[tuple[int, int]], at: int, how: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = GAME
    for start, _ in sorted(words, reverse=True):
        place = start + at
        text = text[:place] + (text[place] * 2 if how == "twice" else how) + text[place + 1 :]
    folder = tmp_path_factory.mktemp("fix")
    after = mended(text, folder)
    before_rules, after_rules = (rules_from(Source("small.rules", each)) for each in (text, after))
    further = before_rules.model is None and after_rules.model is not None
    assert further or len(codes(after)) <= len(codes(text))
    assert after == text or further or len(codes(after)) < len(codes(text)) or before_rules.tree is None
    assert mended(after, folder) == after


@pytest.mark.slow
def test_the_command_shows_asks_and_writes(tmp_path: Path) -> None:
    file = tmp_path / "small.rules"
    wrong = GAME.replace("\nphase only", "\ncounter spare: 0..9\n\nphase only")
    file.write_text(wrong, encoding="utf-8")
    asks = " (`--yes` writes without asking)"
    for arguments, how in ((("--diff",), ""), ((), asks)):  # without a terminal, nobody can be asked
        shown = rulesrun("fix", *arguments, str(file))
        assert shown.exit_code == 1
        assert "\n-counter spare: 0..9\n" in shown.stdout
        assert f"1 repair, not written{how}, 0 findings left" in shown.stdout
        assert file.read_text(encoding="utf-8") == wrong
    written = rulesrun("fix", "--yes", str(file))
    assert (written.exit_code, file.read_text(encoding="utf-8")) == (0, GAME)
    assert rulesrun("fix", "--yes", str(file)).stdout == f"{file}: 0 repairs, 0 findings left\n"
    assert rulesrun("fix", "--yes", "--diff", str(file)).exit_code == 2
    assert read_rules(file).model is not None


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"game \x00"])
def test_what_cannot_be_read_is_no_finding(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "small.rules"
    if content is not None:
        file.write_bytes(content)
    assert rulesrun("fix", str(file)).exit_code == rulesrun("check", str(file)).exit_code == 2
    assert rulesrun("fix", str(tmp_path)).exit_code == 2
    (tmp_path / "sound.rules").write_text(GAME, encoding="utf-8")
    assert rulesrun("fix", str(file), str(tmp_path / "sound.rules")).exit_code == 2  # whatever comes after it


@pytest.mark.process
def test_what_is_piped_in_is_read_once(tmp_path: Path) -> None:
    wrong = GAME.replace("repeat laps", "repaet laps")
    command = [sys.executable, "-m", "rulesrun.cli", "fix", "--diff", "/dev/stdin"]
    shown = subprocess.run(command, input=wrong.encode(), capture_output=True, timeout=60, check=False)
    changed = [line for line in shown.stdout.decode().splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert changed == ["-    repaet laps times", "+    repeat laps times"]
    assert shown.returncode == 1


def test_lines_end_as_they_did(tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_bytes(GAME.replace("do gift of", "do gfit of").replace("\n", "\r\n").encode())
    assert rulesrun("fix", "--yes", str(path)).exit_code == 0
    assert path.read_bytes().count(b"\r\n") == path.read_bytes().count(b"\n") > 5
