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


@pytest.mark.slow
def test_nobody_is_told_more_than_they_know(tmp_path: Path) -> None:
    path = tmp_path / "showing.rules"
    path.write_text(GAME, encoding="utf-8")
    honest(rulesrun.load(path, 3), decisions=12)


@pytest.mark.slow
def test_both_executors_show_the_same() -> None:
    machine = machine_of(GAME, 3)
    one, other = Executor(machine), WasmExecutor(machine, compiled(machine))
    for game in range(6):
        assert list(differences(one, other, 5, game)) == []


LOOKING = """
game looking
    players 3

cards card
    rank: 1..6
    rank | count
    1 | 2
    2 | 2
    3 | 1
    4 | 1
    5 | 3
    6 | 1

zone deck: pile of card, hidden
zone hand of player: set of card, private
counter turns: 0..20

setup
    shuffle every card into deck
    for each player: draw 1 from deck to hand of player

phase only
    take turns clockwise from player 1 until turns is 8
        add 1 to turns
        player chooses
            peek: player looks at the top 2 of deck
            glance
                player looks at the top of deck
            draw
                only if deck is not empty
                draw 1 from deck to hand of player
            put_back a card from hand of player face down
                move card to deck
            mix a card from hand of player face down
                shuffle card into deck
            pass: nothing

score of player
    ranks: total rank of hand of player
winner highest score, then shared

test "who looks knows what is drawn"
    players Ann, Bob, Cy
    given deck: [3] [4] [6]
    given hand of Ann: [1]
    start only
    Ann: peek
    expect Ann knows [3]
    expect Ann knows [4]
    expect Bob does not know [3]
    Bob: draw
    expect hand of Bob is [3]
    expect Ann knows [3]
    expect Cy does not know [3]
    Cy: draw
    expect Ann knows [4]
    expect Bob does not know [4]

test "what is not known is seen by chance, and stays"
    players Ann, Bob, Cy
    chance: [1], [2], [6], [3], [4]
    Ann: peek
    expect Ann knows [3]
    expect Ann knows [4]
    expect Bob does not know [3]
    Bob: draw
    expect hand of Bob is ([2], [3])
    Cy: draw
    expect hand of Cy is ([6], [4])
"""


def test_who_looks_at_a_pile_knows_what_lies_there_and_it_stays() -> None:
    assert [each.diagnostics for each in run_tests(rules_from(Source("looking.rules", LOOKING)))] == [(), ()]


@pytest.mark.slow
def test_nobody_else_is_told_what_was_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "looking.rules"
    path.write_text(LOOKING, encoding="utf-8")
    honest(rulesrun.load(path, 3), decisions=10)
    machine = machine_of(LOOKING, 3)
    one, other = Executor(machine), WasmExecutor(machine, compiled(machine))
    for game in range(6):
        assert list(differences(one, other, 5, game)) == []


def test_looking_at_more_than_there_are_is_looking_at_all() -> None:
    """Also at none, and where the rest was removed unseen; the setup of such a game is over without a stop."""
    setup = "    remove 7 from deck unseen\n    draw 2 from deck to hand of player 1\n"
    text = LOOKING.replace("    for each player: draw 1 from deck to hand of player\n", setup)
    text = text.replace("top 2 of deck", "top 9 of deck")
    machine = machine_of(text, 3)
    executor = Executor(machine)
    cells = executor.fresh()
    stop = executor.enter(cells)
    for _ in range(2):
        stop = executor.happen(cells, executor.draw(cells))
    peeked = [option for option in executor.options(cells) if machine.group_of(option).verb == "peek"]
    stop = executor.choose(cells, peeked[0])
    assert stop.kind == "chance"  # ten cards, of which seven are removed and two drawn
    assert executor.happen(cells, executor.draw(cells)).kind == "decision"


SWAPPING = """
game trading
    players 3

cards card
    rank: 1..6
    rank | count
    1 | 2
    2 | 2
    3 | 1
    4 | 1
    5 | 3
    6 | 1

zone deck: pile of card, hidden
zone hand of player: set of card, private
zone front of player: slot of card, open
zone table: set of card, open
counter turns: 0..20

setup
    shuffle every card into deck
    for each player
        draw 2 from deck to hand of player
        draw 1 from deck to front of player

phase only
    take turns clockwise from player 1 until turns is 8
        add 1 to turns
        player chooses
            trade a player other from opponents of player
                swap hand of player with hand of other
            change a player other from opponents of player
                swap front of player with front of other
            lay_out
                swap hand of player with table
            look a player other from opponents of player
                show hand of other to player
            give a card from hand of player face down
                move card to hand of left of player

score of player
    ranks: total rank of hand of player
    front: rank of front of player if front of player is not empty
winner highest score, then shared

test "what one knows of a hand goes along with it"
    players Ann, Bob, Cy
    given hand of Ann: [1] [3]
    given hand of Bob: [4] [5] [1]
    given front of Ann: [5]
    given front of Cy: [6]
    given Cy knows [3]
    start only
    Ann: trade Bob
    expect hand of Ann is ([1], [4], [5])
    expect hand of Bob is ([1], [3])
    expect Cy knows [3]
    expect Cy does not know [4]
    expect Ann knows hand of Bob
    expect Bob knows hand of Ann
    Bob: change Ann
    expect front of Ann is empty
    expect front of Bob is [5]
    Cy: change Bob
    expect front of Bob is [6]
    expect front of Cy is [5]
"""


@pytest.mark.slow
def test_what_is_known_of_cards_goes_along_when_hands_are_swapped(tmp_path: Path) -> None:
    """Also of single cards, which a slot holds, and of those that come to lie openly."""
    assert [each.diagnostics for each in run_tests(rules_from(Source("swapping.rules", SWAPPING)))] == [()]
    path = tmp_path / "swapping.rules"
    path.write_text(SWAPPING, encoding="utf-8")
    honest(rulesrun.load(path, 3), decisions=8)
    machine = machine_of(SWAPPING, 3)
    one, other = Executor(machine), WasmExecutor(machine, compiled(machine))
    for game in range(4):
        assert list(differences(one, other, 5, game)) == []
    assert "middle" not in str(rulesrun.load(path, 3).start(1).view(1))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("swap hand of player 1 with deck", "a pile cannot be swapped"),
        ("swap hand of player 1 with box", "what lies in the box cannot be swapped"),
        ("swap hand of player 1 with front of player 2", "`hand of player 1` and `front of player 2` do not hold the same"),
        ("swap hand of player 1 with turns", "`turns` is no zone"),
    ],
)
def test_what_cannot_be_swapped_is_said_once(line: str, message: str) -> None:
    text = SWAPPING.partition("test ")[0].replace("swap hand of player with table", line)
    assert [each.message for each in rules_from(Source("swapping.rules", text)).diagnostics] == [message]


def test_a_slot_is_revealed_whose_owner_is_not_yet_known() -> None:
    rules = rules_from(
        Source(
            "slot.rules",
            """game slot
    players 3

cards card, 1 of each
    rank: 1..5

zone deck: pile of card, hidden
zone hand of player: slot of card, private
marker opener: player or none

setup
    shuffle every card into deck
    for each player: draw 1 from deck to hand of player

phase only
    player 1 chooses
        expose a player other from opponents of player 1
            set opener to other
            reveal hand of opener

score of player
    rank: total rank of hand of player

winner highest score, then shared

test "all see what is opened, and nothing else"
    players Ann, Bob, Cy
    setup
    start only
    Ann: expose Bob
    expect Ann knows hand of Bob
    expect Cy knows hand of Bob
    expect Bob does not know hand of Cy
""",
        )
    )
    assert [result.diagnostics for result in run_tests(rules)] == [()]
