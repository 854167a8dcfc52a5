"""What some players are shown: they know it, the others do not, and a seat is told no more than it knows."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesrun
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..games.honesty import honest
from ..generated.lockstep import differences
from ..pipeline import machine_of
from ..wasm.compiling import compiled

GAME = """
game showing
    players 3

cards card
    name: moat, copper, estate
    name   | count
    moat   | 2
    copper | 4
    estate | 1

zone deck: pile of card, hidden
zone hand of player: set of card, private
zone table: set of card, open
counter shield of player: 0..9, private
counter turns: 0..30

define moats of player: count of hand of player with name moat

setup
    shuffle every card into deck
    for each player
        draw 2 from deck to hand of player
        set shield of player to a random number from 1..9

phase only
    take turns clockwise from player 1 until turns is 9
        add 1 to turns
        player chooses
            look a player other from opponents of player
                show hand of other to player
            block
                only if hand of player has a card with name moat
                show any card from hand of player with name moat to all
            flash a card from hand of player face down
                show card to left of player
            pair 2 cards from hand of player face down
                show cards to opponents of player
            prove: reveal shield of player
            whisper: show shield of player to left of player
            pick: show a random card from hand of left of player to player
            tally: show moats of player to opponents of player
            swear
                reveal hand of player
            discard a card from hand of player face down
                shuffle card into deck
            draw
                only if deck is not empty
                draw 1 from deck to hand of player

score of player
    coppers: count of hand of player with name copper
    shield: shield of player

winner highest score, then shared
"""

TESTS = {
    "another's hand": """
    given hand of Bob: [moat] [copper]
    start only
    Ann: look Bob
    expect Ann knows hand of Bob
    expect Cy does not know hand of Bob
""",
    "one of several, to all": """
    given hand of Ann: [moat] [moat] [copper]
    given hand of Bob: [estate]
    start only
    Ann: block
    expect Bob does not know hand of Ann
    Bob: look Ann
    expect Bob knows hand of Ann
    expect Cy does not know [estate]
""",
    "one component, to one player": """
    given hand of Ann: [moat] [copper] [estate]
    start only
    Ann: flash [estate]
    expect Bob knows [estate]
    expect Cy does not know [estate]
""",
    "what is taken together": """
    given hand of Ann: [estate] [copper]
    start only
    Ann: pair [copper]
    Ann: pair [estate]
    expect Bob knows hand of Ann
    expect Cy knows hand of Ann
""",
    "by chance": """
    given hand of Bob: [estate] [copper]
    chance: [estate]
    start only
    Ann: pick
    expect Ann knows [estate]
    expect Cy does not know [estate]
""",
    "until it can have gone": """
    given hand of Bob: [estate] [copper]
    given deck: [copper]
    start only
    Ann: look Bob
    Bob: discard [copper]
    expect Ann does not know [estate]
    expect Bob knows [estate]
""",
}


@pytest.mark.parametrize("name", TESTS)
def test_who_is_shown_knows(name: str) -> None:
    text = f'{GAME}\ntest "{name}"\n    players Ann, Bob, Cy\n{TESTS[name].lstrip(chr(10))}'
    assert [result.diagnostics for result in run_tests(rules_from(Source("showing.rules", text)))] == [()]


def test_nobody_is_told_more_than_they_know(tmp_path: Path) -> None:
    path = tmp_path / "showing.rules"
    path.write_text(GAME, encoding="utf-8")
    honest(rulesrun.load(path, 3), decisions=12)


def test_both_executors_show_the_same() -> None:
    machine = machine_of(GAME, 3)
    one, other = Executor(machine), WasmExecutor(machine, compiled(machine))
    for game in range(6):
        assert list(differences(one, other, 5, game)) == []
