"""The words for decisions and for acts that were done, in small games."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import Game, State, load, table_of
from rulesrun.interpreter.play.narration import narrate
from rulesrun.interpreter.play.page import Grid, Line, begun, plain
from rulesrun.interpreter.play.result import result
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.terminal.seat import Session

ROOT = Path(__file__).parents[2]


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


def test_what_was_selected_is_told_as_the_verb_is_shown() -> None:
    state = game_of(SELECTING.replace("discard 3 cards", "lay_away 2 cards")).start(1)
    after(state, "lay away card 4")
    assert state.about == "to lay away: 2 cards; chosen so far: card 4"
    after(state, "lay away card 2")
    assert "player 1: lay away card 2, card 4" in heard(state)


# ---- What is told once


def test_who_cannot_pay_is_named() -> None:
    state = after(game_of(SALE.format("once around")).start(1), "bid 3", "bid 9", "pass")
    told = heard(state, 3)
    cannot = told.index("player 2 cannot pay 9")
    assert "the bidding begins anew without player 2" in told[cannot:]


def test_a_sealed_bid_is_told_once() -> None:
    state = after(game_of(SALE.format("sealed")).start(1), "bid 3", "bid 2")
    assert heard(state)[-2:] == ["player 1: bid 3", "player 2: bid 2"]
    after(state, "pass")
    for seat in (None, 1, 2, 3):
        told = heard(state, seat)
        assert [told.count(f"player {player}: {bid}") for player, bid in enumerate(("bid 3", "bid 2", "pass"), 1)] == [1, 1, 1]


def test_a_move_into_the_open_is_told_once() -> None:
    text = SELECTING.replace("hand of player 1\n\n", "heap\n\n").replace(
        "wait: nothing", "wait\n            for each card in heap by lowest rank: move card to centre"
    )
    state = after(game_of(text.replace("zone heap", "zone centre: set of card, open\nzone heap")).start(1), "wait")
    moves = [f"card {rank} to centre" for rank in (1, 2, 3, 4)]
    assert "card 1 comes to centre" in state.observed(2)
    for seat in (None, 1, 2):
        assert [line for line in heard(state, seat) if "centre" in line] == moves


# ---- What is seen


def test_much_in_one_place_is_counted_and_named_when_asked() -> None:
    text = SELECTING.replace("1..4", "1..30").replace("card to hand of player 1", "card to heap").replace("hidden", "open")
    session = Session(game_of(text).start(1), 1, 1)
    assert "  heap: 30, named by `view all`\n" in plain(session.question())
    assert "card 29, card 30" in plain(session.answer("view all").page)


def test_options_that_count_up_share_a_line() -> None:
    session = Session(game_of(SALE.format("once around")).start(1), 1, 1)
    assert plain(session.question()).endswith("  1-9  bid 1..9\n  10  pass\n")
    assert "player 1: bid 7" in plain(session.answer("7").page)


@pytest.mark.slow
def test_a_grid_is_drawn_with_a_ring_around_what_lies_there() -> None:
    text = TILING.format("open").replace("3 x 3", "9 x 9")
    session = Session(game_of(text).start(1), 1, 1)
    session.answer("lay on d4 e4")
    drawn = plain(session.answer("view").page).partition("map:\n")[2].splitlines()[:4]
    assert drawn == [
        "       c     d     e     f",
        "    5  .     .     .     .",
        "    4  .     mead  mead  .",
        "    3  .     .     .     .",
    ]
    end = plain(after_all(session))
    assert end.index("On the table\n  map:\n") < end.index("Scores")


def test_a_grid_as_large_as_a_chessboard_is_drawn_whole() -> None:
    session = Session(game_of(TILING.format("open").replace("3 x 3", "8 x 8")).start(1), 1, 1)
    session.answer("lay on d4 e4")
    drawn = plain(session.answer("view").page).partition("map:\n")[2].splitlines()
    assert drawn[0].split() == list("abcdefgh")
    assert [line.split()[0] for line in drawn[1:9]] == list("87654321")


def after_all(session: Session) -> tuple[Line | Grid, ...]:
    """The last page, where the person always waits."""
    page: tuple[Line | Grid, ...] = ()
    while not session.is_over:
        page = session.answer("wait").page
    return page


def test_a_tie_that_words_break_is_told_in_words() -> None:
    text = """
    game tie
        players 2
    list letter: A, B, F
    marker grade of player: letter
    setup
        set grade of player 1 to F
        set grade of player 2 to A
    phase only
        player 1 chooses
            wait: nothing
    score of player
        points: 1
    winner highest score, then lowest grade, then shared
    """
    state = after(game_of(dedent(text)).start(1), "wait")
    assert "tie on highest score (1) broken by lowest grade: A < F" in plain(result(state))


COURT = """
game court
    players 2

pieces advisor, 2 of each
    rank: 1..2

zone hand of player: set of advisor, private
zone away: set of advisor, hidden
define guests: count of hand of player 2

setup
    move every advisor with rank 1 to hand of player 1
    move a random advisor from every advisor with rank 2 to hand of player 2

phase only
    player 1 chooses
        dismiss guests advisors from hand of player 1 face down
            move advisors to away
    move hand of player 2 to away
    player 1 chooses
        exile an advisor from away face down: nothing

score of player
    points: 0
winner highest score, then shared
"""


def test_one_of_a_kind_is_told_in_the_singular_with_its_article() -> None:
    state = game_of(COURT).start(1)
    state.play(state.legal[0])
    assert "player 1: dismiss 1 advisor, face down" in heard(state, 2)
    assert "1 advisor to away" in heard(state, 1)
    state.play(state.legal[0])
    assert "player 1: exile an advisor, face down" in heard(state, 2)


def test_several_of_a_kind_are_told_in_the_plural() -> None:
    state = game_of(COURT.replace("a random advisor from every advisor", "every advisor")).start(1)
    while state.decision is not None:
        state.play(state.legal[0])
    assert "player 1: dismiss 2 advisors, face down" in heard(state, 2)
    assert "2 advisors to away" in heard(state, 1)


# ---- What things are called

PURSE = """
game purse
    players 2

cards coin, 1 of each
    metal: copper, gold
    worth: 1..2
    3 of each with metal copper
    shown as "{metal}, worth {worth}"

zone bank: set of coin, open
zone purse of player: set of coin, open

setup
    move every coin to bank

phase only
    for each player
        player chooses
            pick_up a coin from bank with worth 2
                move coin to purse of player
            go_on: nothing

score of player
    coins: total worth of purse of player
winner highest score, then shared

test "a test names components by their values"
    players Ann, Bob
    expect count of bank is 8
    expect Ann can pick_up [2 copper], pick_up [gold 2], go_on
    Ann: pick_up [gold 2]
    expect purse of Ann is ([gold 2])
"""


def test_acts_and_components_read_for_a_person() -> None:
    state = game_of(PURSE).start(0)
    assert state.decision is not None
    assert [option.text for option in state.decision.options if option.legal] == [
        "pick up copper, worth 2",
        "pick up gold, worth 2",
        "go on",
    ]
    after(state, "pick up gold, worth 2", "go_on")
    assert heard(state)[-2:] == ["player 1: pick up gold, worth 2", "player 2: go on"]
    assert next(zone.cards for zone in state.view(1).zones if zone.name == "purse") == ("gold, worth 2",)
    (result,) = run_tests(rules_from(Source("told.rules", PURSE)))
    assert result.passed, result.diagnostics


# ---- Names with several words

NAMES = """
game names
    players 2

list place_name: north_gate, south_gate
cards wild_card, 2 of each
    suit_of: dark_moon, bright_sun

zone draw_pile: set of wild_card, open
zone my_hand of player: set of wild_card, open
counter guards_of of player for place_name: 0..2

setup
    move every wild_card to draw_pile

phase only
    for each player
        player chooses
            send_guard a place_name
                add 1 to guards_of of player for place_name
            pick_up a wild_card from draw_pile
                move wild_card to my_hand of player

score of player
    guards: count of my_hand of player + total (guards_of of player for place_name) for each place_name
winner highest score, then shared

test "acts are written as the rules name them"
    players Ann, Bob
    Ann: send_guard north_gate
    Bob: pick_up [dark_moon]
    expect guards_of of Ann for north_gate is 1
"""


def test_no_underscore_is_shown_to_those_who_play() -> None:
    rules = rules_from(Source("names.rules", NAMES.strip() + "\n"))
    assert [ran.passed for ran in run_tests(rules)] == [True]
    state = table_of(rules).start(1)
    assert state.decision is not None
    texts = [option.text for option in state.decision.options]
    assert texts == ["send guard north gate", "send guard south gate", "pick up dark moon", "pick up bright sun"]
    after(state, texts[0], texts[2])
    session = Session(state.clone(), 1, 1)
    told = [*heard(state), *plain(session.answer("view").page).splitlines()]
    assert len(told) > 6
    assert not [line for line in told if "_" in line]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variants"), [("kingdomino", ["dynasty"]), ("classics/hearts", ["until_100"])])
def test_the_scores_of_games_that_are_over_are_known(name: str, variants: list[str]) -> None:
    """In a match, the lines of its earlier games; and they are the same in games that a seat cannot tell apart."""
    state = load(ROOT / "games" / f"{name}.rules", variants=variants).start(3)
    while state.view(1).values[-1].value == "0" and not state.is_over:
        state.play_at_random()
    for _ in range(10):
        state.play_at_random()
    earlier = next(line for line in state.terms if "earlier" in line or "game 1" in line)
    assert state.terms_seen(1)[earlier] == state.terms[earlier]
    assert state.terms_seen(1) == state.determinise(1, Random(1)).terms_seen(1)


@pytest.mark.parametrize(
    ("term", "known"),
    [
        ("count of hand of player", True),
        ("10 - 2 * count of hand of player", True),
        ("1 if hand of player is not empty", True),
        ("held of player", True),
        ("count of hand of player with rank 1", False),
        ("total rank of hand of player", False),
        ("count of (hand of player + hand of left of player)", False),  # the machine joins them first
        ("1 if hand of player has a card with rank > 1", False),
    ],
)
def test_how_many_lie_somewhere_is_known_to_all(term: str, known: bool) -> None:
    text = f"""
game few
    players 2
cards card, 3 of each
    rank: 1..3
zone deck: pile of card, hidden
zone hand of player: set of card, private
define held of player: count of hand of player
setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player
phase only
    for each player
        player chooses
            draw: draw 1 from deck to hand of player
            rest: nothing
score of player
    points: {term}
winner highest score, then shared
"""
    state = table_of(rules_from(Source("few.rules", text))).start(5)
    while state.player:
        for seat in (1, 2):
            own, other = state.terms_seen(seat)["points"][seat - 1], state.terms_seen(seat)["points"][2 - seat]
            assert (own is not None) or "left" in term
            assert other == (state.terms["points"][2 - seat] if known else None)
            worlds = [state.determinise(seat, Random(number)) for number in range(3)]
            assert all(world.terms_seen(seat) == state.terms_seen(seat) for world in worlds)
        state.play_at_random()
