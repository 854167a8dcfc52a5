"""What is told of a decision and of what was done? Small games, asked for the words that a person reads."""

from __future__ import annotations

from rulesrun.interpreter.play.game import Game, State, table_of
from rulesrun.interpreter.play.narration import narrate
from rulesrun.interpreter.play.page import begun, plain
from rulesrun.interpreter.play.seat import Session
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.source import Source


def game_of(text: str, players: int | None = None) -> Game:
    return table_of(rules_from(Source("told.rules", text.strip() + "\n")), players)


def heard(state: State, seat: int | None = None) -> list[str]:
    """The lines of the story, as a seat reads them."""
    return [begun(line) for line in narrate(state.game, state.events, seat)]


def after(state: State, *acts: str) -> State:
    """The game after these acts, whoever does them."""
    for act in acts:
        state.play(act)
    return state


# ---- What is laid

TILING = """
game tiling
    players 2

tiles tile, 1 of each
    number: 1..3
    shape "ab"
        land: meadow, sea

zone row: set of tile, {0}
zone map: grid of tile, 3 x 3, open

setup
    move every tile to row

phase only
    for each tile in row by lowest number
        player 1 chooses
            lay tile on map: nothing
            wait: nothing

score of player
    tiles: 0
winner highest score, then shared
"""


def test_the_piece_that_is_laid_is_named() -> None:
    session = Session(game_of(TILING.format("open")).start(1), 1, 1)
    decision = session.state.decision
    assert decision is not None
    assert decision.about == "lay 1 meadow meadow"
    assert "Your turn: lay 1 meadow meadow\n" in plain(session.question())
    told = "lay 1 meadow meadow on b2 c2"
    session.answer(told)
    for seat in (None, 1, 2):
        assert f"player 1: {told}" in heard(session.state, seat)
    assert [event.text for event in session.state.events if event.kind == "act"] == ["lay on b2 c2"]
    session.answer("lay on a1 a2")
    session.answer("wait")
    assert heard(session.state, 2)[-1] == "player 1: wait"


def test_a_piece_that_the_player_does_not_see_is_not_named() -> None:
    state = game_of(TILING.format("hidden")).start(1)
    assert state.about == ""
    assert state.told(state.legal[0]) == state.game.option_text(state.legal[0])


# ---- What was chosen so far

SALE = """
game sale
    players 3

cards coin, 1 of each
    worth: 1..5
cards lot, 1 of each
    number: 1..2

zone purse of player: set of coin, private
zone lots of player: set of lot, open
zone table: slot of lot, open
zone bank: set of coin, open
zone street: set of lot, open

setup
    move every lot with number 1 to table
    move every coin with worth 1 to purse of player 1
    move every coin with worth 2 to purse of player 1
    move every coin with worth 3 to purse of player 1
    move every coin with worth 4 to purse of player 1
    move every coin with worth 5 to purse of player 2

phase only
    auction for table
        bidders: players
        bids: 1..9
        {0}
        payment: worth of coins from purse of winner to bank
        won: move table to lots of winner
        no bids: move table to street
        cannot pay
            bid again without winner

score of player
    lots: count of lots of player
winner highest score, then shared
"""


def test_who_pays_is_told_what_is_owed_and_what_they_put_down() -> None:
    state = after(game_of(SALE.format("once around")).start(1), "bid 6", "pass", "pass")
    assert state.about == "to pay: 6; chosen so far: none (0)"
    after(state, "pay coin 1", "pay coin 3")
    assert state.about == "to pay: 6; chosen so far: coin 1, coin 3 (4)"
    assert "to pay: 6" in plain(Session(state.clone(), 1, 1).answer("view").page)
    after(state, "pay coin 2")
    assert state.about == ""
    assert not any("coin 1" in line for line in heard(state, 2) if "pay" in line)


SELECTING = """
game selecting
    players 2

cards card, 1 of each
    rank: 1..4
zone hand of player: set of card, private
zone heap: set of card, hidden

setup
    move every card to hand of player 1

phase only
    player 1 chooses
        discard 3 cards from hand of player 1
            move cards to heap
        wait: nothing

score of player
    cards: 0
winner highest score, then shared
"""


def test_who_selects_is_told_what_they_selected() -> None:
    state = game_of(SELECTING).start(1)
    assert state.about == ""
    after(state, "discard card 4", "discard card 2")
    assert state.about == "to discard: 3 cards; chosen so far: card 2, card 4"
