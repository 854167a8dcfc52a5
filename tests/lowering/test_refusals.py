"""Why an act cannot be done: of several things that it takes the first that is not there is named, and whose it would be."""

from __future__ import annotations

from itertools import product

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.rules import rules_from

SWAP = """
game swap
    players 2
cards card, 1 of each
    rank: 1..4
pieces stone for each player
zone hand of player: set of card, open
zone board: grid of stone, 2 x 1, open
define offered of player: hand of player with rank > 0
setup
    move every card with rank < 3 to hand of player 1
    move every card with rank > 2 to hand of player 2
    put stone of player 2 on a1
phase play
    for each player
        player chooses
            swap a card own from SET and a card other from hand of left of player and a cell from empty cells of board
                move own to hand of left of player
score of player
    cards: count of hand of player
winner highest score, then shared
"""
WHY = {
    "hand of player": ("it is not in hand of player 1", "it is not in hand of player 2", "it is not in empty cells of board"),
    "offered of player": (
        "it is not in offered of player 1",
        "it is not in hand of player 2",
        "it is not in empty cells of board",
    ),
}


@pytest.mark.parametrize("source", WHY)
def test_the_first_that_is_not_there_says_why(source: str) -> None:
    state = table_of(rules_from(Source("swap.rules", SWAP.replace("SET", source))), 2).start()
    assert state.decision is not None
    refused = {option.text: option.why_not for option in state.decision.options}
    for own, other, cell in product((1, 2, 3, 4), (1, 2, 3, 4), ("a1", "b1")):
        wrong = (own > 2, other < 3, cell == "a1")
        why = next((text for text, fails in zip(WHY[source], wrong, strict=True) if fails), None)
        if own != other:  # of which no act can take both
            assert refused[f"swap card {own} card {other} {cell}"] == (why or "")


@pytest.mark.parametrize("text", ["lay down {card}", "the {rank of card}"])
def test_a_place_in_the_text_of_an_option_is_found(text: str) -> None:
    rules = rules_from(Source("swap.rules", SWAP.replace("SET", f'hand of player "{text}"').replace(" and a card other", "\n#")))
    (found,) = [each for each in rules.diagnostics if "text of an option" in each.message]
    assert (found.code, found.span.text) == ("R201", text[text.index("{") :]) if found.span else False
