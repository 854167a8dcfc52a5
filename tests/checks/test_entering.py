"""Components that never enter the game (R333), and components that look so and do."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import Rules, rules_from

from ..pipeline import findings

GAMES = Path(__file__).parents[2] / "games"

GAME = """game small
    players 2..4
{options}
cards card, 1 of each
    suit: moon, sun, crowns
    rank: 1..9
cards guest
    arrival: 1..6
    guests:  2..5
    arrival | guests
    1       | 2
    2       | 2
    3       | 3
    4       | 4
    5       | {last}
    leave out rows with guests > players
{declarations}
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone house of player: set of guest, open
setup
{setup}
    for each player: draw 1 from deck to hand of player
phase only
    for each player: move any guest from every guest to house of player
{phase}
score of player
    points: total rank of hand of player + total arrival of house of player
winner highest score, then shared
{tail}
"""
ALL = "    shuffle every card into deck"
NOT_CROWNS = "    shuffle every card with suit not crowns into deck"


def rules_of(
    setup: str = ALL, declarations: str = "", phase: str = "", tail: str = "", options: str = "", last: int = 4
) -> Rules:
    text = GAME.format(setup=setup, declarations=declarations, phase=phase, tail=tail, options=options, last=last)
    return rules_from(Source("small.rules", text))


def never(rules: Rules) -> list[Diagnostic]:
    return [found for found in findings(rules) if found.code == "R333"]


def messages(rules: Rules) -> list[str]:
    return [found.message for found in never(rules)]


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        (NOT_CROWNS, "no card with suit crowns ever enters the game"),
        ("    shuffle every card where low into deck", "no card with rank 7, 8 or 9 ever enters the game"),
        ("    shuffle every card into deck\n    move [moon 1] to box", ""),
        ("    for each card with rank not 9: shuffle card into deck", "no card with rank 9 ever enters the game"),
        (
            "    let these be every card with suit sun\n    shuffle these into deck\n"
            "    shuffle every card with rank 1 into deck",
            "some cards never enter the game: moon 2, moon 3, moon 4 and 13 more",
        ),
        ("    shuffle every card with suit not crowns into deck\n    do add_crowns", ""),
        ("    shuffle every card with rank at least players into deck", "no card with rank 1 ever enters the game"),
        ("    shuffle every card with rank at least (5 - players) into deck", ""),
    ],
)
def test_components_that_are_never_moved(setup: str, said: str) -> None:
    declarations = "define low of card: rank of card < 7\n"
    if "add_crowns" in setup:
        declarations += "step add_crowns\n    for each suit where high: shuffle every card with suit (suit) into deck\n"
        declarations += "define high of suit: suit is crowns\n"
    assert messages(rules_of(setup, declarations)) == ([said] if said else [])


def test_it_stands_where_the_component_is_declared_with_what_comes_in() -> None:
    (found,) = never(rules_of(NOT_CROWNS))
    assert [label.span.text for label in found.labels] == ["card", "every card with suit not crowns"]
    assert found.severity == "warning"
    (found,) = never(rules_of(last=5))
    assert found.message == "no guest with arrival 5 ever enters the game"
    assert [label.span.text for label in found.labels][1:] == ["leave out rows with guests > players", "guest"]


def test_with_more_players_or_in_a_variant_they_enter() -> None:
    assert messages(rules_of()) == []
    variant = "variant royal\n    replace setup\n        shuffle every card into deck\n"
    variant += "        for each player: draw 1 from deck to hand of player\n"
    assert messages(rules_of(NOT_CROWNS, tail=variant)) == []


WANDS = """variant magic
    cards wand, 4 of each
        power: 1..2
    zone bag of player: set of wand, open
    add after only
        for each player: {line}
    add to score
        wands: total power of bag of player
"""


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("move any wand from every wand with power 2 to bag of player", [("R333", "no wand with power 1 ever enters the game")]),
        ("move any wand from every wand to bag of player", []),
        # Where nothing comes into their only zone, that is said instead.
        ("move bag of player to box", [("R323", "nothing is ever put into the zone `bag`")]),
    ],
)
def test_components_of_a_variant(line: str, codes: list[tuple[str, str]]) -> None:
    found = findings(rules_of(tail=WANDS.format(line=line)))
    assert [(each.code, each.message) for each in found if each.code in ("R323", "R333")] == codes


PIECES = """pieces stone for each player
pieces marker, 4 for each player
zone board: grid of stone or marker, 3 x 3, open
"""
PUTS = """    for each player
        player chooses
            put a cell from empty cells of board
                put stone of player on cell
"""


def test_pieces_of_a_grid_that_only_others_come_to() -> None:
    asks = "    if board has a cell with owner player 1: nothing\n"
    assert messages(rules_of(declarations=PIECES, phase=PUTS + asks)) == ["no `marker` ever enters the game"]
    puts = PUTS + "                put marker of player on middle of board\n"
    assert messages(rules_of(declarations=PIECES.replace(" 4 for", " 1 for"), phase=puts + asks)) == []


def test_components_that_are_named_are_in_use() -> None:
    guess = "    for each player\n        player chooses\n            guess a card from every card with suit crowns\n"
    guess += "                set guessed of player to card\n"
    declarations = "marker guessed of player: card or none\n"
    asks = "    if guessed of player 1 is guessed of player 2: move hand of player 1 to box\n"
    assert messages(rules_of(NOT_CROWNS, declarations, guess + asks)) == []


@pytest.mark.parametrize(
    ("setup", "options", "said"),
    [
        # Between the ends of an option, another card comes.
        ("    shuffle every card with rank kept into deck", "option kept: 1..9, default 5", []),
        (NOT_CROWNS, "option kept: 1..9, default 5", ["no card with suit crowns ever enters the game"]),
        ("    shuffle every card where fits into deck", "option crowned: yes or no, default no", []),
    ],
)
def test_options_that_decide_what_comes(setup: str, options: str, said: list[str]) -> None:
    declarations = "define fits of card: crowned or suit of card is not crowns\n" if "crowned" in options else ""
    assert messages(rules_of(setup, declarations, options=options)) == said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "before", "after", "said"),
    [
        ("kingdomino", "every domino into stack", "every domino with number not 7 into stack", "no domino with number 7"),
        ("kingdomino", "put castle of player on middle of kingdom of player", "nothing", "no `castle`"),
        ("for_the_king", "every card into deck", "every card with kind not king into deck", "no card with kind king"),
        ("for_the_king", "from_players > players", "from_players at least players", "no card with office livestock"),
        ("masti", "every character into", "every character with rank at least 2 into", "no character with rank 1"),
    ],
)
def test_shipped_games_without_some_components(name: str, before: str, after: str, said: str) -> None:
    path = GAMES / f"{name}.rules"
    text = path.read_text(encoding="utf-8")
    assert before in text
    (found,) = never(rules_from(Source(str(path), text.replace(before, after, 1))))
    assert found.message == f"{said} ever enters the game"


@pytest.mark.slow
def test_what_asks_for_a_kind_that_never_enters_follows() -> None:
    path = GAMES / "kingdomino.rules"
    text = path.read_text(encoding="utf-8").replace("put castle of player on middle of kingdom of player", "nothing", 1)
    assert [found.code for found in check(rules_from(Source(str(path), text))).findings] == ["R333"]
