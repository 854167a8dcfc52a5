"""One mistake in a whole game is one message: lines that depend on the faulty line are not complained about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import rules_from

GAMES = Path(__file__).parents[2] / "games"

KINGDOMINO = [
    ("grid of domino", "gird of domino", "R102"),
    ("(2 * side - 1) x (2 * side - 1), open", "9, open", "R101"),
    ("(2 * side - 1) x (2 * side - 1), open", "open", "R101"),
    ("grid of domino", "grid of dominoo", "R201"),
    ("1 for each player", "1 for each team", "R101"),
    ("        terrain: wheat", "        terain: wheat", "R209"),
    ('shape "ab"', 'shpe "ab"', "R102"),
    ('shape "ab"', "shape ab", "R101"),
    ('shape "ab"', 'shape "a.b"', "R246"),
    ('shape "ab"', 'shape ""', "R246"),
    ("kingdom of player by terrain\n", "kingdom of player by terain\n", "R201"),
    ("regions for each region", "regions for each area", "R201"),
    ("size of region ", "size of regions ", "R201"),
    ("variant harmony", "variant with", "R108"),
    ("    needs players is 2\n", "    always when players is 2\n    always when players is 3\n", "R202"),
    ("option side: 3..9, default 5", "option side: 3..6, default 7", "R405"),
    ("option rounds: 1..12", "option rounds: 1..5", "R405"),
    ("    2       | 2     | 6\n", "", "R207"),
    ("add to score\n        harmony", "add to scores\n        harmony", "R102"),
    ("wheat, forest, lake", "wheat, forrest, lake", "R208"),
]
FOR_THE_KING = [
    ("whenever a card", "whenever a crad", "R204"),
    ("for each office: majority", "for each offic: majority", "R201"),
    ("office: majority", "office: majorty", "R102"),
    ("zone lot:", "zone lots:", "R201"),
    ("option highest_bid:", "option highest bid:", "R101"),
    ("limit centre_cards per turn", 'limit 4 per turn otherwise "enough"\n            limit centre_cards per turn', "R202"),
    ("bids: 1..highest_bid,", "bids: starter from 1..highest_bid,", "R205"),
    ("            bid again without winner", "            bid again without winner\n            move lot to spent", "R107"),
    ("for each office where in_this_game: set", "for each office: if in_this_game of office: set", "R101"),
    ("total value of cards_held of player for office", "sum of value of cards_held of player for office", "R201"),
    ("raise_one       | up ", "raise_on        | up ", "R201"),
    ("        cannot pay\n", "        can not pay\n", "R102"),
    ("    shared\n", "    share\n", "R102"),
    ("no bids: move", "no bid: move", "R102"),
    ("            move card to hand of player", "        move card to hand of player", "R106"),
    ("take a card from centre", "take card from centre", "R101"),
    ("bids: 1..highest_bid,", "bids: 1..highestbid,", "R201"),
    ("    otherwise level of office / 2 rounded down", "    otherwise level of office / 2 rounded dwn", "R102"),
]
CASES = [("kingdomino", *case) for case in KINGDOMINO] + [("for_the_king", *case) for case in FOR_THE_KING]


@pytest.mark.parametrize(("game", "sound", "wrong", "code"), CASES)
def test_one_mistake_is_one_message(game: str, sound: str, wrong: str, code: str) -> None:
    file = GAMES / f"{game}.rules"
    text = file.read_text(encoding="utf-8").partition("# ---- Examples")[0]
    assert sound in text
    found = check(rules_from(Source(str(file), text.replace(sound, wrong, 1)))).findings
    assert [finding.code for finding in found] == [code], found


# A name that cannot be one stands wherever the thing is used: by game, the name that it has in the file, the wrong one, the code.
MISNAMED = [
    ("kingdomino", "stack", "count", "R108"),
    ("kingdomino", "stack", "if", "R108"),
    ("kingdomino", "stack", "end", "R108"),
    ("kingdomino", "stack", "draw pile", "R101"),
    ("kingdomino", "stack", "player", "R203"),
    ("kingdomino", "stack", "left", "R203"),
    ("kingdomino", "line_size", "line size", "R101"),
    ("for_the_king", "level", "total", "R108"),
    ("for_the_king", "lot", "set", "R108"),
    ("for_the_king", "lot", "winner", "R203"),
    ("for_the_king", "advisor", "owner", "R203"),
    ("for_the_king", "value", "count", "R108"),
    ("for_the_king", "value", "real value", "R101"),
    ("for_the_king", "highest_bid", "highest bid", "R101"),
]


@pytest.mark.parametrize(("game", "name", "wrong", "code"), MISNAMED)
def test_a_name_that_cannot_be_one_is_said_where_it_is_declared(game: str, name: str, wrong: str, code: str) -> None:
    file = GAMES / f"{game}.rules"
    text = file.read_text(encoding="utf-8").partition("# ---- Examples")[0]
    found = check(rules_from(Source(str(file), re.sub(rf"\b{name}\b", wrong, text)))).findings
    assert [finding.code for finding in found] == [code], found


def test_a_shape_under_which_nothing_stands_is_one_message() -> None:
    file = GAMES / "kingdomino.rules"
    head, shape, rest = file.read_text(encoding="utf-8").partition("# ---- Examples")[0].partition('    shape "ab"')
    end_of_line, terrain, crowns, *others = rest.split("\n")
    assert "terrain:" in terrain
    assert "crowns:" in crowns
    found = check(rules_from(Source(str(file), head + shape + "\n".join((end_of_line, *others))))).findings
    assert [finding.code for finding in found] == ["R106"], found
