"""Rules that ask somebody to know what they may not know, and rules that do not although they look like it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.dataflow.sources import Reader, Sources
from rulesrun.interpreter.checks.explored.exploring import explore
from rulesrun.interpreter.checks.explored.playing.worlds import differing_worlds
from rulesrun.interpreter.checks.knowledge.knowledge import knowledge
from rulesrun.interpreter.common.diagnostics import Diagnostic, fault
from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.model import model
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.rules import Rules, build, rules_from
from rulesrun.interpreter.table.sampling.combinations import Choice

from ..goldens import check_golden
from ..pipeline import findings

GAMES = Path(__file__).parents[2] / "games"
MESSAGES = Path(__file__).parent / "messages"

GAME = """
game small
    players {players}
cards card, 2 of each
    suit: moon, sun
    rank: 1..6
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone front of player: slot of card, hidden
zone secret: slot of card, hidden
zone vault: set of card, hidden
zone trump: slot of card, open
zone row: set of card, open
counter pot: 0..20
counter gold of player: 0..20, private
counter purse of player: 0..20
marker leader: player
{declarations}
setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player
    draw 1 from deck to secret
    draw 1 from deck to trump
    draw 2 from deck to row
    set leader to player 1
phase only
{lines}
score of player
    points: purse of player
winner highest score, then shared
"""


def rules_of(lines: str, declarations: str = "", players: str = "3") -> Rules:
    text = GAME.format(lines=indent(lines.strip("\n"), "    "), declarations=declarations, players=players)
    return rules_from(Source("small.rules", text.lstrip()))


def found(lines: str, declarations: str = "", players: str = "3") -> list[tuple[str, str]]:
    """Code and what is not seen of each finding."""
    said = proved(rules_of(lines, declarations, players))
    return [(d.code, re.findall("`([a-z]+)`", d.message)[-1]) for d in said]


def proved(rules: Rules) -> list[Diagnostic]:
    """What the check says of who sees what."""
    return [diagnostic for diagnostic in findings(rules) if diagnostic.code.startswith("R37")]


CHOICE = "{who} chooses\n    go\n        only if {condition}\n        add 1 to pot\n    stay: nothing\n"


@pytest.mark.parametrize(
    ("who", "condition", "expected"),
    [
        ("leader", "rank of secret > 2", [("R370", "secret")]),
        ("leader", "secret is not none", []),
        ("leader", "count of hand of left of leader > 1", []),
        ("leader", "highest rank among hand of left of leader > 1", [("R370", "hand")]),
        ("leader", "highest rank among hand of 3 seats left of leader > 1", []),
        ("leader", "highest rank among hand of leader > 1", []),
        ("leader", "somebody with hand empty", []),
        ("leader", "every hand has a card with rank 6", [("R370", "hand")]),
        ("leader", "every hand has a card with rank 6 or player 1 is leader", [("R370", "hand")]),
        ("player 1", "gold of player 1 > 1", []),
        ("player 1", "gold of player 2 > 1", [("R370", "gold")]),
        ("leader", "total gold of players > 1", [("R370", "gold")]),
        ("leader", "purse of left of leader > 1", []),
        ("leader", "deck has no card with rank 6", [("R370", "deck")]),
    ],
)
def test_what_an_option_may_ask(who: str, condition: str, expected: list[tuple[str, str]]) -> None:
    assert found(CHOICE.format(who=who, condition=condition)) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("highest rank among letters of leader for left of leader > 1", []),
        ("highest rank among letters of leader for leader > 1", []),
        ("highest rank among letters of left of leader for leader > 1", [("R370", "letters")]),
        ("debt of leader for left of leader > 1", []),
        ("debt of left of leader for leader > 1", [("R370", "debt")]),
        ("highest rank among bids of sun for leader > 1", []),
        ("highest rank among bids of sun for left of leader > 1", [("R370", "bids")]),
    ],
)
def test_what_belongs_to_a_player_and_something_else(condition: str, expected: list[tuple[str, str]]) -> None:
    """It is seen by the first player whom it names."""
    declarations = """
zone letters of player for player other: set of card, private
zone bids of suit for player: set of card, private
counter debt of player for player other: 0..20, private
"""
    drawing = """
for each player
    draw 1 from deck to letters of player for left of player
    draw 1 from deck to bids of sun for player
"""
    assert found(drawing + CHOICE.format(who="leader", condition=condition), declarations) == expected
    turns = "for each player\n" + indent(CHOICE.format(who="player", condition=condition.replace("leader", "player")), "    ")
    assert found(drawing + turns, declarations) == expected


ANY = "{who} chooses\n    take a card from {source}\n        move card to row\n    stay: nothing\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Who asks and who is asked may be one player, or are surely two.
        ("for each player\n" + indent(ANY.format(who="player", source="hand of player"), "    "), []),
        ("for each player\n" + indent(ANY.format(who="player", source="hand of leader"), "    "), [("R370", "hand")]),
        ("for each player\n" + indent(ANY.format(who="leader", source="hand of player"), "    "), [("R370", "hand")]),
        (
            "for each player\n    set leader to player\n" + indent(ANY.format(who="player", source="hand of leader"), "    "),
            [],
        ),
        (
            "for each player\n    if player is leader\n" + indent(ANY.format(who="player", source="hand of leader"), " " * 8),
            [],
        ),
        (
            "for each player in opponents of leader\n" + indent(ANY.format(who="leader", source="hand of player"), "    "),
            [("R370", "hand")],
        ),
        (
            "for each player in opponents of leader\n" + indent(ANY.format(who="player", source="hand of leader"), "    "),
            [("R370", "hand")],
        ),
        # What is shown at some time, and what comes by chance.
        ("reveal hand of left of leader\n" + ANY.format(who="leader", source="hand of left of leader"), []),
        ("leader chooses\n    take\n        move a random card from hand of left of leader to hand of leader", []),
        # A place that nobody looks into, but all saw what came there.
        ("move row to vault\n" + ANY.format(who="leader", source="vault"), []),
        ("move hand of player 2 to vault\n" + ANY.format(who="player 1", source="vault"), [("R370", "vault")]),
        ("move hand of player 1 to vault\n" + ANY.format(who="player 1", source="vault"), []),
        ("draw 1 from deck to vault\n" + ANY.format(who="player 1", source="vault"), [("R370", "vault")]),
        # A player's own hidden place: only that player knows what lies there.
        (
            "for each player: move any card from hand of player to front of player\n"
            "for each player\n" + indent(CHOICE.format(who="player", condition="rank of front of player > 1"), "    "),
            [],
        ),
        (
            "for each player: move any card from hand of player to front of player\n"
            "for each player\n" + indent(CHOICE.format(who="leader", condition="rank of front of player > 1"), "    "),
            [("R370", "front")],
        ),
    ],
)
def test_who_knows_what_lies_somewhere(lines: str, expected: list[tuple[str, str]]) -> None:
    assert found(lines) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("set pot to rank of secret", [("R371", "secret")]),
        ("if secret is not none: set pot to count of deck", []),
        # Whether an open counter is set tells as much as what it is set to.
        ("if rank of secret > 2: set pot to 1", [("R371", "secret")]),
        ("if rank of secret > 2: do give", [("R371", "secret")]),
        ("leader chooses\n    go\n        if rank of secret > 2: add 1 to pot", [("R371", "secret")]),
        ("repeat until rank of secret > pot: add 1 to pot", [("R371", "secret")]),
        ("reveal secret\nif rank of secret > 2: set pot to 1", []),
        ("if rank of secret > 2: add 1 to gold of leader", []),
        ("leader chooses\n    go\n        if highest rank among hand of leader > 2: add 1 to pot", []),
        ("set leader to owner of [moon 1]", []),  # who has it begins
        ("set leader to best of players by highest gold, then lowest seat", []),  # so what was secret becomes known
        ("for each player: set gold of player to rank of secret", []),
        ("move secret to row\nset pot to highest rank among row", []),
        ('leader chooses\n    go\n        only if pot > 0 otherwise "it is {secret}"\n    stay: nothing', [("R371", "secret")]),
        ("if rank of secret > 2\n" + indent(CHOICE.format(who="leader", condition="pot is 0"), "    "), [("R372", "secret")]),
        (
            "repeat until rank of secret > 2 at most 3 times\n    leader chooses\n        go: nothing\notherwise: nothing",
            [("R372", "secret")],
        ),
        ("reveal secret\nif rank of secret > 2\n" + indent(CHOICE.format(who="leader", condition="pot is 0"), "    "), []),
        ("if hand of player 1 has a card with rank 6\n    player 1 chooses\n        show: nothing", []),
    ],
)
def test_what_is_told_of_what_nobody_sees(lines: str, expected: list[tuple[str, str]]) -> None:
    assert found(lines, "step give\n    add 1 to pot") == expected


THEN = "leader chooses\n    go: nothing\n    stay: nothing\n"
DRAWN = "draw 1 from deck to row"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # All see whether something moves, and who chooses then has learnt what decides it.
        (f"if rank of secret > 3: {DRAWN}\n" + THEN, [("R371", "secret")]),
        (f"if rank of secret > 3: {DRAWN}", [("R371", "secret")]),
        ("if rank of secret > 3: do take_one\n" + THEN, [("R371", "secret")]),
        ("if rank of secret > 3: remove 1 from deck unseen\n" + THEN, [("R371", "secret")]),
        (f"repeat rank of secret times: {DRAWN}\n" + THEN, [("R371", "secret")]),
        ("draw rank of secret from deck to row\n" + THEN, [("R371", "secret")]),
        (f"repeat until rank of secret + total rank of row > 9: {DRAWN}\n" + THEN, [("R371", "secret")]),
        (f"for each player\n    if rank of front of player > 3: {DRAWN}\n" + THEN, [("R371", "front")]),
        (
            "let best_one be best of players by highest rank of front, then lowest seat\nmove trump to hand of best_one\n" + THEN,
            [("R371", "front")],
        ),
        (f"leader chooses\n    go\n        if rank of secret > 3: {DRAWN}\n    stay: nothing\n" + THEN, [("R371", "secret")]),
        # Where it does not happen, the same is learnt, and nothing is shown.
        ("if highest rank among vault > 3: move a random card from vault to row\n" + THEN, [("R371", "vault")]),
        (f"if rank of secret > 3\n    reveal secret\n    {DRAWN}\n" + THEN, [("R371", "secret")]),
        # It is shown, but somebody has chosen before: here, in the next round, or in a step.
        (f"if rank of secret > 3: {DRAWN}\n" + THEN + "reveal secret", [("R371", "secret")]),
        (f"if rank of secret > 3: {DRAWN}\ndo ask\nreveal secret", [("R371", "secret")]),
        ("repeat 3 times\n" + indent(THEN + f"if rank of secret > 3: {DRAWN}", "    ") + "\nreveal secret", [("R371", "secret")]),
        (f"if rank of secret > 3: {DRAWN}\nif pot > 0\n" + indent(THEN, "    ") + "move secret to row", [("R371", "secret")]),
        (f"if rank of secret > 3: {DRAWN}\nif pot > 0: reveal secret\notherwise\n" + indent(THEN, "    "), [("R371", "secret")]),
        # It is shown before anybody chooses, or lies open already.
        (f"if rank of secret > 3: {DRAWN}\nreveal secret\n" + THEN, []),
        (f"if rank of secret > 3: {DRAWN}\nmove secret to row\n" + THEN, []),
        (f"repeat until rank of secret + total rank of row > 9: {DRAWN}\nmove secret to row\n" + THEN, []),
        (f"move secret to row\nrepeat until rank of secret + total rank of row > 9: {DRAWN}\n" + THEN, []),
        ("repeat 3 times\n" + indent(THEN + f"if rank of secret > 3: {DRAWN}\nreveal secret", "    "), []),
        (f"for each player\n    if rank of front of player > 3: {DRAWN}\nmove every front to row\n" + THEN, []),
        ("set pot to rank of secret\nreveal secret\n" + THEN, []),
        ("if rank of secret > 3\n    move secret to row\notherwise\n    reveal secret\n    " + DRAWN + "\n" + THEN, []),
        # Whatever is done, a component of the same place is shown.
        (
            "if vault has a card with suit sun: move a random card from vault to row\n"
            "otherwise: move best of vault by highest rank to row\n" + THEN,
            [],
        ),
        # Somebody knows it and says so; all know it; nobody sees that it is done.
        (f"if hand of leader has a card with rank 6: {DRAWN}\n" + THEN, []),
        ("move trump to vault\nif vault has a card with rank 6: draw 1 from deck to row\n" + THEN, []),
        ("if rank of secret > 3: add 1 to gold of leader\n" + THEN, []),
        (f"if secret is not none: {DRAWN}\n" + THEN, []),
    ],
)
def test_what_is_told_by_what_all_see_move(lines: str, expected: list[tuple[str, str]]) -> None:
    steps = "step take_one\n    " + DRAWN + "\nstep ask\n" + indent(THEN, "    ")
    deal = "" if "vault" not in lines or "to vault" in lines else "draw 3 from deck to vault\n"
    deal += "for each player: draw 1 from deck to front of player\n" if "front" in lines else ""
    assert found(deal + lines, steps) == expected


TOTALS = "for each player: set purse of player to total rank of hand of player\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # A number or a word that only some see, on an open counter, before somebody chooses.
        (TOTALS + THEN, [("R371", "hand")]),
        ("repeat 3 times\n" + indent(THEN + TOTALS, "    "), [("R371", "hand")]),
        ("set pot to highest rank among every hand\n" + THEN, [("R371", "hand")]),
        ("set pot to count of hand of leader with suit sun\n" + THEN, [("R371", "hand")]),
        (
            "let shown be best of hand of leader by highest rank, then highest suit\nset wanted to suit of shown\n" + THEN,
            [("R371", "hand")],
        ),
        ("set purse of leader to gold_of_hand of leader\n" + THEN + "reveal every hand", [("R371", "hand")]),
        (f"repeat gold_of_hand of leader times: {DRAWN}\n" + THEN, [("R371", "hand")]),
        # At the end of the game or of a deal, and where it is shown.
        (TOTALS, []),
        (THEN + TOTALS, []),
        ("repeat 3 times\n" + indent(THEN + TOTALS + "reveal every hand", "    "), []),
        ("repeat 3 times\n" + indent(THEN + TOTALS + "shuffle every card into deck", "    "), []),
        ("repeat 3 times\n" + indent(THEN + TOTALS + "for each player: move hand of player to vault", "    "), []),
        ("reveal every hand\n" + TOTALS + THEN, []),
        # A player has chosen it; what can be said by yes or no, or by a name.
        ("leader chooses\n    tell: set purse of leader to total rank of hand of leader\n" + THEN, []),
        ("leader chooses\n    tell: do count_up\n" + THEN, []),
        ("set leader to best of players by highest gold_of_hand, then lowest seat\n" + THEN, []),
        ("set pot to count of players with gold_of_hand > 5\n" + THEN, []),
        ("for each player\n    if gold_of_hand of player > 5: add 1 to purse of player\n" + THEN, []),
        ("set pot to bonus of leader\n" + THEN, []),
        ("let richest be best of players by highest gold_of_hand, then lowest seat\nset purse of richest to 3\n" + THEN, []),
        # How many there are, all see; so do they what came from open places, and a private counter tells nobody.
        ("set pot to count of every hand\n" + THEN, []),
        ("for each player: set gold of player to total rank of hand of player\n" + THEN, []),
        ("move row to purse_cards of leader\nset pot to total rank of purse_cards of leader\n" + THEN, []),
    ],
)
def test_what_is_told_of_what_some_see(lines: str, expected: list[tuple[str, str]]) -> None:
    declared = """
zone purse_cards of player: set of card, private
marker wanted: suit
define gold_of_hand of player: total rank of hand of player
define bonus of player
    2 if hand of player has a card with rank 6
    otherwise 1
step count_up
    add highest rank among hand of leader to pot
"""
    assert found(lines, declared) == expected


@pytest.mark.parametrize(
    ("before", "order", "expected"),
    [
        ("let starter be best of players by highest total rank of hand, then lowest seat", "clockwise from starter", []),
        ("let starter be owner of best of every hand by highest rank, then highest suit", "clockwise from starter", []),
        ("nothing", "by highest total rank of hand, then lowest seat", []),
        ("nothing", "by highest gold, then lowest seat", []),
        ("nothing", "in opponents of (best of players by highest total rank of hand, then lowest seat)", []),
        ("for each player: draw 1 from deck to front of player", "by highest rank of front, then lowest seat", ["R372"]),
    ],
)
def test_who_comes_first_by_a_private_hand_may_say_so(before: str, order: str, expected: list[str]) -> None:
    play = "player chooses\n        play a card from hand of player\n            move card to row\n"
    lines = f"{before}\nfor each player {order}\n    {play}"
    assert [code for code, _ in found(lines)] == expected


def test_what_is_told_by_a_trigger() -> None:
    trigger = "whenever a card enters {} of player\n    add rank of card to purse of player\n"
    assert found(THEN, trigger.format("hand")) == [("R371", "hand")]
    played = "zone played of player: set of card, open\n" + trigger.format("played")
    assert found("move a random card from hand of leader to played of leader\n" + THEN, played) == []


def test_who_plays_alone_is_told_nothing_new() -> None:
    assert found(TOTALS + THEN, players="1") == []


LEAK = CHOICE.format(who="leader", condition="rank of secret > 2")
FRONT = "player 1 chooses\n    go\n        only if highest rank among vault > 2\n        add 1 to pot\n    stay: nothing\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # What is revealed excuses only what is asked behind it.
        (LEAK + "reveal secret", [("R370", "secret")]),
        ("reveal secret\n" + LEAK, []),
        ("set pot to rank of secret\nleader chooses\n    go: nothing\nreveal secret", [("R371", "secret")]),
        ("if rank of secret > 2\n    leader chooses\n        go: nothing\nreveal secret", [("R372", "secret")]),
        (
            "for each player\n" + indent(ANY.format(who="player", source="hand of left of player"), "    ") + "reveal every hand",
            [("R370", "hand")],
        ),
        # Where nothing lies any more, nothing is asked for.
        ("move secret to row\n" + LEAK, []),
        ("move secret to row\ndraw 1 from deck to secret\n" + LEAK, [("R370", "secret")]),
        ("if pot > 0: move secret to row\n" + LEAK, [("R370", "secret")]),
        ("if pot > 0: move secret to row\notherwise: do put_away\n" + LEAK, []),
        # In a loop, the first round counts.
        ("repeat 3 times\n" + indent(LEAK + "reveal secret", "    "), [("R370", "secret")]),
        ("repeat 3 times\n    reveal secret\n" + indent(LEAK, "    "), []),
        (
            "repeat 3 times\n    if rank of secret > 2\n        leader chooses\n            go: nothing\n    reveal secret",
            [("R372", "secret")],
        ),
        ("repeat 3 times\n    if pot > 0\n" + indent(LEAK, " " * 8) + "    reveal secret\n    add 1 to pot", []),
        ("if pot > 0\n" + indent("repeat 3 times\n" + indent(LEAK + "reveal secret", "    "), "    "), [("R370", "secret")]),
        ("repeat 3 times\n    do begin_slowly\n    reveal secret", []),
        # A step that is done again when all see it; nothing lies there the first time, or nothing that is a secret.
        ("if pot > 0: do ask\nreveal secret\ndo ask", []),
        ("do ask\nreveal secret\ndo ask", [("R370", "secret")]),
        ("repeat 3 times\n" + indent(FRONT + "draw 1 from deck to vault\nreveal vault", "    "), []),
        ("repeat 3 times\n    draw 1 from deck to vault\n" + indent(FRONT + "reveal vault", "    "), [("R370", "vault")]),
        ("move row to vault\n" + FRONT + "draw 1 from deck to vault\nreveal vault", []),
        ("move row to vault\n" + FRONT + "draw 1 from deck to vault", [("R370", "vault")]),
    ],
)
def test_what_is_revealed_before_and_behind(lines: str, expected: list[tuple[str, str]]) -> None:
    steps = "step ask\n" + indent(LEAK, "    ") + "step begin_slowly\n    if pot is 0: end begin_slowly\n" + indent(LEAK, "    ")
    steps += "step put_away\n    move secret to vault\n"
    assert found(lines, steps) == expected


@pytest.mark.parametrize(
    ("declarations", "lines", "expected"),
    [
        ("marker turn: player, hidden", "set turn to player 2\nturn chooses\n    go: nothing", [("R372", "turn")]),
        ("counter laps: 0..9, hidden", "repeat until laps is 3\n    add 1 to laps\n    leader chooses\n        go: nothing", []),
        ("counter laps: 0..9, hidden", CHOICE.format(who="leader", condition="laps is 0"), [("R370", "laps")]),
        ("zone heap: pile of card, open", "shuffle row into heap\ndraw 1 from heap to hand of leader", [("R373", "heap")]),
        ("zone heap: pile of card, open", "move row to heap\ndraw 1 from heap to hand of leader", []),
        ("zone heap: pile of card, open", "shuffle row into heap\nremove 1 from heap unseen", [("R373", "heap")]),
        ("zone heap: pile of card, open", "shuffle row into heap\nshuffle heap into deck", []),
        ("zone heap: pile of card, hidden", "move every card to heap\ndraw 1 from heap to row", [("R375", "heap")]),
        ("zone heap: pile of card, hidden", "move every card to heap\nshuffle heap\ndraw 1 from heap to row", []),
        ("zone heap: pile of card, hidden", "move row to heap\ndraw 1 from heap to row", []),
        ("zone heap: pile of card, hidden", "move every card to heap\nmove row to heap\ndraw 1 from heap to row", []),
        (
            "whenever a card with rank 6 enters hand of player\n    player chooses\n        show: nothing",
            "draw 1 from deck to hand of leader",
            [],
        ),
        (
            "whenever a card with rank 6 enters vault\n    leader chooses\n        show: nothing",
            "draw 1 from deck to vault",
            [("R372", "vault")],
        ),
        ("step ask of player\n" + indent(ANY.format(who="player", source="hand of leader"), "    "), "do ask of leader", []),
        (
            "step ask of player\n" + indent(ANY.format(who="player", source="hand of leader"), "    "),
            "do ask of left of leader",
            [("R370", "hand")],
        ),
    ],
)
def test_declarations_and_steps(declarations: str, lines: str, expected: list[tuple[str, str]]) -> None:
    assert found(lines, declarations) == expected


BIDS = "auction for trump\n    bidders: {who}\n    bids: 1..6{ends}\n    no bids: nothing\n    won: nothing\n"
RISING = ", each higher than the last\n    "
TAKEN = "    player chooses\n        take a card from row\n            move card to hand of player\n"
MUST = "    player chooses\n        play a card from hand of player with suit sun\n            move card to row\n"
MAY = MUST + "        keep: nothing\n"
SECRETLY = "at once\n    player chooses\n        go: nothing\n        stay: nothing"
HAS_SUN = "hand of player has a card with suit sun"
HAS = "for each player\n    if {}\n" + indent(MAY, "    ")
ASKED = """
define suns of player: hand of player with suit sun
define rich: players with suns not empty
define may_act of player: suns of player is not empty
zone shown of player: set of card, private
define shown_suns of player: shown of player with suit sun
define cards_held of player: count of hand of player
step may_keep of player
    player chooses
        take a card from row
            move card to hand of player
        keep: nothing
"""


@pytest.mark.parametrize(
    ("lines", "secret"),
    [
        # Who is asked is chosen out of several by what only they know.
        (BIDS.format(who="players with suns not empty clockwise", ends=RISING + "once around"), "with suns not empty"),
        (BIDS.format(who="players with gold > 2", ends="\n    sealed"), "with gold > 2"),
        (BIDS.format(who="rich by highest purse, then lowest seat", ends=RISING + "a pass is final"), "with suns not empty"),
        ("for each player with suns not empty\n" + TAKEN, "with suns not empty"),
        ("for each player where may_act\n" + TAKEN, "may_act"),
        ("let able be players with suns not empty\nfor each player in able\n" + TAKEN, "with suns not empty"),
        ("for each player in opponents of leader with suns not empty\n" + TAKEN, "with suns not empty"),
        ("for each player with suns not empty\n    do may_keep of player", "with suns not empty"),
        ("for each player with suns not empty\n    add 1 to purse of player\n" + TAKEN, "with suns not empty"),
        ("for each player with suns not empty\n" + MAY, "with suns not empty"),
        ("for each player with gold > 2 " + SECRETLY, "with gold > 2"),
        ("take turns among players with gold > 0 until row is empty\n" + TAKEN, "with gold > 0"),
        # Where not all have to have gold to bid, and where nothing can be chosen without it.
        (
            "for each player with gold > 0\n    player chooses\n        name a number from 0..gold of player\n"
            "            take number from gold of player",
            "with gold > 0",
        ),
        (
            "for each player with gold > 0\n    player chooses\n        name a number from 1..gold of player\n"
            "            take number from gold of player",
            None,
        ),
        ("for each player with suns not empty\n" + MUST, None),
        ("for each player with suns not empty\n    move suns of player to row\n" + TAKEN, None),
        ("for each player with suns not empty\n    reveal hand of player\n" + TAKEN, None),
        ("reveal every hand\nfor each player with suns not empty\n" + TAKEN, None),
        ("for each player with suns not empty\n" + MAY + "reveal every hand", None),
        ("for each player with suns not empty\n" + MAY + THEN + "reveal every hand", "with suns not empty"),
        ("for each player with suns not empty: add 1 to purse of player", None),
        # All see how many cards each holds, whose they are, and what came from open places.
        ("for each player with hand not empty\n" + TAKEN, None),
        ("for each player with cards_held > 1\n" + TAKEN, None),
        ("for each player with purse > 0\n" + TAKEN, None),
        ("for each player with shown not empty\n" + TAKEN, None),
        (
            "for each player: move any card from row to shown of player\n"
            "for each player in players with shown_suns not empty\n" + TAKEN,
            None,
        ),
        # Whether somebody is asked, who may decline: nothing else tells the one who holds it.
        (HAS.format(HAS_SUN), HAS_SUN),
        (HAS.format("may_act of player"), "may_act of player"),
        (HAS.format("pot is 0 and gold of player > 2"), "pot is 0 and gold of player > 2"),
        (HAS.format("hand of left of player has a card with suit sun"), "hand of left of player has a card with suit sun"),
        (HAS.format(HAS_SUN) + "    otherwise: draw 1 from deck to hand of player", None),
        (HAS.format("count of hand of player > 1"), None),
        (HAS.format("pot is 0"), None),
        (f"for each player\n    if {HAS_SUN}\n" + indent(MUST, "    "), None),
        (f"for each player\n    if {HAS_SUN}\n" + indent(TAKEN, "    "), None),
        (f"for each player\n    if {HAS_SUN}\n        do may_keep of player", HAS_SUN),
        (
            "for each player\n    if suns of player is not empty\n"
            "        move suns of player to row\n        do may_keep of player",
            None,
        ),
        # Who begins by what they hold is no secret: the game says that they say so.
        (
            "let starter be best of players by highest total rank of hand, then lowest seat\n"
            "for each player clockwise from starter\n" + TAKEN,
            None,
        ),
        # What can be chosen is for the player who chooses alone.
        (
            "for each player\n    player chooses\n        play a card from hand of player\n"
            "            only if suit of card is sun unless hand of player has no card with suit sun\n"
            "            move card to row",
            None,
        ),
    ],
)
def test_who_is_asked_by_what_is_private(lines: str, secret: str | None) -> None:
    said = proved(rules_of(lines, ASKED))
    told = [(d.code, d.severity, d.span.text) for d in said if d.span is not None]
    assert told == ([] if secret is None else [("R372", "warning", secret)])


@pytest.mark.parametrize(
    ("name", "before", "after", "secret"),
    [
        ("for_the_king", "bidders: players ", "bidders: players with gold not empty ", "with gold not empty"),
        ("for_the_king", "in opponents of advisor ", "in opponents of advisor with gold not empty ", "with gold not empty"),
        (
            "classics/liars_dice",
            "among players with cup not empty until",
            "among (players with lowest_die 1) until",
            "with lowest_die 1",
        ),
        (
            "classics/kuhn_poker",
            "step bet_or_pass of player\n",
            "step bet_or_pass of player\n    if rank of hand of player > 1: do ask of player\n\nstep ask of player\n",
            "rank of hand of player > 1",
        ),
    ],
)
def test_shipped_games_that_ask_by_what_is_private(name: str, before: str, after: str, secret: str) -> None:
    path = GAMES / f"{name}.rules"
    text = path.read_text(encoding="utf-8") + "define lowest_die of player: lowest face among cup of player\n" * ("dice" in name)
    assert text.count(before) == 1
    model = rules_from(Source(str(path), text.replace(before, after))).required()
    (found,) = (found for found, _ in knowledge({Choice(3): build(model, 3).required()[0]}))
    assert found.span is not None
    assert (found.code, found.span.text) == ("R372", secret)


def mutants(text: str) -> Iterator[tuple[str, str]]:
    """A game with one zone, counter or marker seen by others than before, and what was changed."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        zone = re.match(r"( *zone [^:]*:[^#]*), (open|private|hidden)( *#.*)?$", line)
        variable = re.match(r"( *(?:counter|marker) [^:]*:[^#]*?)( *#.*)?$", line)
        kept, before = (zone[1], zone[2]) if zone else (variable[1], "open") if variable else ("", "")
        if not kept or "grid" in kept:
            continue
        for seen in ("open", "private", "hidden"):
            if seen != before and (seen != "private" or "of player" in kept):
                changed = [*lines[:number], f"{kept}, {seen}", *lines[number + 1 :]]
                yield f"{' '.join(kept.split())}, {before} -> {seen}", "\n".join(changed)


@pytest.mark.slow_cases("for_the_king", "kingdomino", "masti")
@pytest.mark.parametrize("name", ["masti", "kingdomino", "for_the_king"])
def test_shipped_games_with_something_seen_by_others(name: str) -> None:
    path = GAMES / f"{name}.rules"
    said: list[str] = []
    for changed, text in mutants(path.read_text(encoding="utf-8")):
        model = rules_from(Source(str(path), text)).required()
        players = range(model.players[0], model.players[1] + 1)
        tables = {Choice(count): build(model, count).required()[0] for count in players}
        said.append(changed)
        said += [f"    {found.code} {found.message}" for found, _ in knowledge(tables)]
    check_golden(MESSAGES / f"seen_in_{name}.messages", "\n".join(said) + "\n")


ROUND_ABOUT = """
for each player
    player chooses
        go
            only if highest rank among hand of leader {}
            add 1 to pot
        stay: nothing
    set leader to player
"""


def test_worlds_that_look_the_same_give_other_options() -> None:
    rules = rules_of(ROUND_ABOUT.format("> 4"))
    assert proved(rules) == []
    ((finding, state),) = differing_worlds(table_of(rules))
    assert (finding.code, finding.strength) == ("R374", "explored")
    assert "`go`" in finding.message
    assert finding.acts
    assert finding.replay.startswith("rulesrun run small.rules --players 3 --seed 0")
    assert finding.span == state.place
    assert [again for again, _ in differing_worlds(table_of(rules))] == [finding]


STOPS = """
let richest be best of players by highest purse
add 1 to purse of richest
"""


@pytest.mark.slow_cases("that end", "that stop")
@pytest.mark.parametrize("more", ["", STOPS], ids=["that end", "that stop"])
def test_what_else_is_found_hides_no_such_world(more: str) -> None:
    """Neither games that stop later on, nor errors of another kind or in another file; but one of its own kind does."""
    rules = rules_of(ROUND_ABOUT.format("> 4") + more)
    other = fault("R303", "a table has no row", rules.required().declarations[0].span)
    elsewhere = fault("R371", "this tells", Span(Source("other.rules", "game other\n"), 0, 4))
    explored = explore(rules, proved=[other, elsewhere], replays="games")
    assert "R374" in [found.code for found in explored.diagnostics]
    assert "rulesrun replay games/R374-small-3.json" in [found.replay for found in explored.diagnostics]
    assert "games/R374-small-3.json" in [transcript.place for transcript in explored.transcripts]
    leak = fault("R371", "this tells", rules.required().declarations[0].span)
    assert "R374" not in [found.code for found in explore(rules, proved=[leak]).diagnostics]


@pytest.mark.parametrize("condition", ["> 0", "in 1..6"])
def test_worlds_in_which_nothing_differs(condition: str) -> None:
    assert list(differing_worlds(table_of(rules_of(ROUND_ABOUT.format(condition))))) == []


REFILLED = """game refilled
    players 2
cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone discard: set of card, open
setup
    shuffle every card into deck
phase only
    repeat 9 times
        for each player
            {refill}
            draw 1 from deck to hand of player
            move hand of player to discard
score of player
    cards: count of hand of player + count of discard
winner highest score, then shared
"""
EMPTY = "if deck is empty"
REFILL = f"step refill\n    {EMPTY}: move discard to deck\n"
MIXING = "step mixing: shuffle deck\n"


@pytest.mark.parametrize(
    ("refill", "is_found"),
    [
        (f"{EMPTY}: move discard to deck", True),
        ("if count of deck < 1: move discard to deck", True),
        (f"{EMPTY}\n                move hand of left of player to discard\n                move discard to deck", True),
        (f"{EMPTY}: shuffle discard into deck", False),
        (f"{EMPTY}\n                move discard to deck\n                shuffle deck", False),
        (f"{EMPTY}: move discard to deck\n            shuffle deck", False),
        (f"{EMPTY}\n                move discard to deck\n                do mixing", False),
        (f"{EMPTY}\n                move discard to deck\n                step mix\n                    shuffle deck", False),
        (f"{EMPTY}\n                move discard to deck\n                if count of deck > 1: shuffle deck", False),
        ("do refill\n            shuffle deck", False),
        ("do refill", True),
        (f"{EMPTY}: move any card from discard to deck", False),  # one, as it may be meant
    ],
)
def test_a_pile_that_is_filled_again_and_not_shuffled(refill: str, is_found: bool) -> None:
    steps = REFILL * ("do refill" in refill) + MIXING * ("do mixing" in refill)
    rules = rules_from(Source("refilled.rules", REFILLED.format(refill=refill) + steps))
    rules.required()
    told = [(d.code, d.span.text) for d in check(rules).findings if d.code == "R375" and d.span is not None]
    assert told == ([("R375", "move discard to deck")] if is_found else [])


NEST = """
game nest
    players 2
cards card, 2 of each
    rank: 1..9
zone row: set of card, open
define those: {}
phase only
    move every card to row
score of player
    those: count of those
winner highest score, then shared
"""


def test_sets_in_one_another_are_read_once() -> None:
    """Each ``with`` goes through a set, so the work must not double with each."""

    class Counting(Reader):
        calls = 0

        def sources(self, node: model.Node) -> Sources:
            Counting.calls += 1
            return super().sources(node)

    nested = "(" * 20 + "row" + " with rank at least 2)" * 20
    rules = rules_from(Source("nest.rules", NEST.format(nested)))
    table = table_of(rules).table
    assert {source.name for source in Counting(table).sources(table.defines["those"].value)} == {"row"}
    assert Counting.calls < 20 * 10


@pytest.mark.parametrize(
    ("shown", "of", "expected"),
    [
        ("show front of one to opponents of one", "player", ["front"]),
        ("show front of one to left of one", "player", ["front"]),
        ("show front of one to opponents of one", "left of player", []),
        ("show front of one to one", "player", []),
        ("reveal front of one", "player", []),
        ("show front of one to opponents of one\n    reveal front of one", "player", []),
    ],
)
def test_what_others_are_shown_its_owner_does_not_know(shown: str, of: str, expected: list[str]) -> None:
    """As in Hanabi, where all but the owner see a hand."""
    lines = f"""
for each player one
    draw 1 from deck to front of one
    {shown}
for each player
    player chooses
        guess
            only if front of {of} has a card with suit moon
            add 1 to purse of player
        rest: nothing
"""
    assert [secret for code, secret in found(lines) if code == "R370"] == expected
