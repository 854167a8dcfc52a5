"""Classic games beside OpenSpiel's own: along the same random games, all that is legal and all that players get agree.

OpenSpiel plays a random game, and ours goes the same way: what chance brings there, it brings here, and an act is found by what
it says. ``RULESRUN_GAMES=10000`` plays so many of each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import frozen
from rulesrun.interpreter.machine.machine import Chance
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

pyspiel = pytest.importorskip("pyspiel")

CLASSICS = Path(__file__).parents[2] / "games" / "classics"
GAMES = int(os.environ.get("RULESRUN_GAMES", "50"))

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = {**{str(n): str(n) for n in range(2, 10)}, "T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}

MORRIS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"  # the points, as numbered there

FIRST_BID = 22  # in euchre, after the dealer and 21 cards

FISH = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"]  # the ranks, as numbered in `go_fish`


def card(said: str) -> str:
    """What we call a card that is called ``C2`` or ``2C`` there."""
    suit, rank = (0, 1) if said[0] in SUITS else (1, 0)
    return f"{SUITS[said[suit]]} {RANKS[said[rank]]}"


def melded(said: str) -> str:
    """What we call a meld that is called ``2C2D2H`` or ``AS2S3S`` there: three of a rank by the suit that is not there."""
    cards = [said[at : at + 2] for at in range(0, len(said), 2)]
    rank, suits = RANKS[cards[0][0]], {card[1] for card in cards}
    if len(suits) == 4:
        return f"four {rank}"
    if len(suits) == 3:
        return f"three of a rank, without {card(cards[0][0] + min(SUITS.keys() - suits))}"
    return f"run {card(cards[0])} {len(cards)}"


def act(pair: Pair, said: str, events: int) -> str:
    """What we call an act, without its verb where it takes something. ``events``: how many acts and chances there were before."""
    match pair.name, said.split():
        case "connect_four", [drop]:
            return str(int(drop[1:]) + 1)
        case "tic_tac_toe", [mark]:
            return "abc"[int(mark[4])] + str(int(mark[2]) + 1)
        case "breakthrough", [move]:  # who begins stands at the top there
            return " ".join(move[at] + str(pair.there.get("rows", 8) + 1 - int(move[at + 1])) for at in (0, 2))
        case "hex", [cell] if cell != "swap":  # who begins joins the top to the bottom there
            return "abcdefghijk"[int(cell[1:]) - 1] + str("abcdefghijk".index(cell[0]) + 1)
        case "draughts", [move]:
            across, up = ((move[at] > move[at - 2]) - (move[at] < move[at - 2]) for at in (2, 3))
            return f"{move[:2]} {'north' if up > 0 else 'south'}{'east' if across > 0 else 'west'}"
        case "nine_mens_morris", ["Point", point]:
            return MORRIS[3 * int(point) :][:2]
        case "nine_mens_morris", ["Move", start, _, end]:
            return " ".join(MORRIS[3 * int(point) :][:2] for point in (start, end))
        case "go", [_, point]:  # whose columns have no letter i there
            return "pass" if point == "PASS" else "abcdefghijklmnopqrs"["abcdefghjklmnopqrst".index(point[0])] + point[1:]
        case "dots_and_boxes", [line]:  # P1(v,0,1): whose dots and boxes all have a place in our grid, from above
            kind, row, column = line[3:-1].split(",")
            across, down = 2 * int(column) + (kind == "h"), 2 * int(row) + (kind == "v")
            return "abcdefghijklmnopqrs"[across] + str(2 * pair.there.get("num_rows", 2) + 1 - down)
        case "kalah", [pit]:  # pit 7 is a store there
            return str(int(pit) % 7)
        case "nim", [heap, taken]:
            return f"{'ABCD'[int(heap[5]) - 1]} {taken[5:].rstrip(';')}"
        case "euchre", ["Clubs" | "Diamonds" | "Hearts" | "Spades"]:
            return "up" if events < FIRST_BID + 4 else said.lower()
        case "euchre", ["Alone" | "Partner"]:
            return {"Alone": "alone", "Partner": "with your partner"}[said]
        case "cribbage", ["Choose", *cards]:
            return " + ".join(map(card, cards))
        case "goofspiel", [player, bid]:
            return f"card {int(player[2]) + 1} {bid}"
        case "liars_dice", ["Liar"]:
            return "liar!"
        case "liars_dice", [bid]:
            return bid.replace("-", " ")
        case "gin_rummy", [_, _, _, "Draw", where]:
            return "take" if where == "upcard" else "draw"
        case "gin_rummy", [_, _, _, said]:
            return said.lower() if said in ("Knock", "Pass") else card(said.upper()) if len(said) == 2 else melded(said.upper())
        case "go_fish", [asked]:
            return f"player {int(asked[0]) + 1} {FISH[ord(asked[1]) - ord('a')]}"
        case _, ["Nil"]:
            return "0"
        case _, ["Draw" | "Pass" | "Hit" | "Stand" | "Bet" | "Fold" | "Call" | "Raise"]:
            return said.lower()
        case _, ["Nominate", "suit", suit]:
            return SUITS[suit]
        case _, ["Play", played]:
            return card(played)
        case _, [number] if number.isdecimal():
            return number
        case _, [cell] if cell.islower():
            return cell
        case _, [played]:
            return card(played)
    raise AssertionError(said)


def dealt(pair: Pair, said: str, number: int, players: bool) -> str:
    """What we call what chance brings. ``number``: that of the outcome there; ``players``: whether it brings a player."""
    words = said.split()
    match pair.name:
        case "kuhn_poker":
            return f"card {number + 1}"
        case "liars_dice":
            return f"die {number + 1}"
        case "gin_rummy":
            return card(words[-1].upper())
        case "go_fish":
            return f"card {FISH[number]}" if FISH[number].isdecimal() else FISH[number]
        case "leduc_poker":
            return f"{number // 2 + 1} {('hearts', 'spades')[number % 2]}"
        case "goofspiel":
            return f"card {pair.players + 1} {words[1]}"
    if players:
        return f"player {int(words[2] if words[0] == 'Decide' else number) + 1}"
    return card(words[-1]) if set(words[-1]) & SUITS.keys() and len(words[-1]) == 2 else str(number)


@frozen
class Pair:
    """A game of ours and one of theirs, and what each is told. ``scale``: how many of our points are one of theirs. ``called``:
    what theirs is called, where that is another name."""

    name: str
    players: int
    there: Mapping[str, Any] = {}
    options: Mapping[str, int | str] = {}
    variants: tuple[str, ...] = ()
    scale: int = 1
    called: str = ""


Options = Mapping[str, Any]
GOOFSPIELS: tuple[tuple[Options, Options], ...] = (
    ({}, {}),
    ({"points_order": "descending"}, {"prizes_come": "highest_first"}),
    ({"points_order": "ascending"}, {"prizes_come": "lowest_first"}),
    ({"num_turns": 4}, {"unplayed": 2}),
    ({"imp_info": True}, {"bids_are_shown": "no"}),
)
CRAZY_EIGHTS: tuple[tuple[int, Options, Options], ...] = (
    (2, {}, {}),
    (5, {}, {}),
    (6, {}, {}),
    (5, {"reshuffle": True}, {"reshuffle": "yes"}),
    (2, {"use_special_cards": True}, {"special_cards": "yes"}),
    (3, {"use_special_cards": True}, {"special_cards": "yes"}),
    (7, {"use_special_cards": True}, {"special_cards": "yes"}),
    (4, {"use_special_cards": True, "reshuffle": True}, {"special_cards": "yes", "reshuffle": "yes"}),
    (2, {"use_special_cards": True, "reshuffle": True}, {"special_cards": "yes", "reshuffle": "yes"}),
    (3, {"max_draw_cards": 2, "max_turns": 30}, {"most_draws": 2, "most_plays": 30}),
)
PAIRS = (
    Pair("tic_tac_toe", 2),
    Pair("connect_four", 2),
    Pair("connect_four", 2, {"columns": 5, "rows": 8, "x_in_row": 3}, {"columns": 5, "rows": 8, "in_a_row": 3}),
    Pair("breakthrough", 2),
    Pair("breakthrough", 2, {"columns": 5, "rows": 6}, {"columns": 5, "rows": 6}),
    Pair("breakthrough", 2, {"columns": 6, "rows": 5}, {"columns": 6, "rows": 5}),
    Pair("othello", 2),
    Pair("hex", 2),
    Pair("hex", 2, {"num_cols": 3, "num_rows": 6}, {"columns": 6, "rows": 3}),
    Pair("hex", 2, {"num_cols": 3, "num_rows": 3, "swap": True}, {"columns": 3, "rows": 3}, ("swap",)),
    Pair("go", 2, {"board_size": 9}),
    Pair("go", 2, {"board_size": 5, "komi": 0.5}, {"side": 5, "komi": 0}),
    Pair("go", 2, {"board_size": 5, "komi": 0.5}, {"side": 5, "komi": 0, "ko": "superko"}),
    Pair("dots_and_boxes", 2),
    Pair("dots_and_boxes", 2, {"num_cols": 4, "num_rows": 3}, {"columns": 4, "rows": 3}),
    Pair("dots_and_boxes", 2, {"num_rows": 4, "utility_margin": True}, {"rows": 4}, ("by_difference",)),
    Pair("nim", 2),
    Pair("nim", 2, {"pile_sizes": "9;2;4;6"}, {"size_of_A": 9, "size_of_B": 2, "size_of_C": 4, "size_of_D": 6}),
    Pair("nim", 2, {"is_misere": False}, {"last_stone": "wins"}),
    Pair("nine_mens_morris", 2),
    Pair("draughts", 2, called="checkers"),
    Pair("kalah", 2, called="mancala"),
    Pair("kuhn_poker", 2),
    Pair("kuhn_poker", 5),
    Pair("leduc_poker", 2),
    Pair("leduc_poker", 3, options={"ante": 2}, scale=2),
    Pair("leduc_poker", 6, options={"ante": 2}, scale=2),
    Pair("leduc_poker", 3, {"starting_player": 2}, {"ante": 2, "opener": "player 3"}, scale=2),
    Pair("liars_dice", 2, {}, {"dice_each": 1}, ("one_round",)),
    Pair("liars_dice", 2, {"numdice": 3, "dice_sides": 4}, {"dice_each": 3, "sides": 4}, ("one_round",)),
    Pair("liars_dice", 2, {"bidding_rule": "reset-quantity"}, {"dice_each": 1, "faces_first": "yes"}, ("one_round",)),
    Pair("goofspiel", 2, variants=("win_or_lose",)),
    Pair("goofspiel", 2, {"returns_type": "point_difference"}, variants=("by_difference",), scale=2),
    Pair("goofspiel", 4, {"returns_type": "point_difference"}, variants=("by_difference",), scale=4),
    *(
        Pair("goofspiel", 3, {"num_cards": 6, "returns_type": "total_points", **there}, {"ranks": 6, **options})
        for there, options in GOOFSPIELS
    ),
    Pair("go_fish", 2, variants=("win_or_lose",)),
    Pair("go_fish", 3, variants=("win_or_lose",), scale=2),
    Pair("go_fish", 6, variants=("win_or_lose",), scale=60),
    Pair("go_fish", 4, {"end_on_first_out": True}, {"last_card_ends": "yes"}, ("win_or_lose",), scale=6),
    Pair("go_fish", 5, {"ask_after_empty_draw": False}, {"empty_hand_asks": "no"}, ("win_or_lose",), scale=12),
    Pair("gin_rummy", 2),
    Pair("gin_rummy", 2, {"hand_size": 7, "oklahoma": True}, {"hand_size": 7, "oklahoma": "yes"}),
    Pair("gin_rummy", 2, {"hand_size": 4, "knock_card": 6, "gin_bonus": 10}, {"hand_size": 4, "knock_card": 6, "gin_bonus": 10}),
    Pair("blackjack", 1),
    Pair("hearts", 4),
    Pair("hearts", 4, {"pass_cards": False}, {"cards_are_passed": "no"}),
    Pair("hearts", 4, {"no_pts_on_first_trick": False}, {"points_at_once": "yes"}),
    Pair("hearts", 4, {"can_lead_any_club": True}, {"any_club_opens": "yes"}),
    Pair("hearts", 4, {"jd_bonus": True, "avoid_all_tricks_bonus": True}, {"good_jack": "yes", "good_abstinence": "yes"}),
    Pair("hearts", 4, {"must_break_hearts": False}, {"hearts_must_be_broken": "no"}),
    Pair("hearts", 4, {"qs_breaks_hearts": False}, {"queen_breaks_hearts": "no"}),
    Pair("hearts", 4, {"can_lead_hearts_instead_of_qs": True}, {"queen_need_not_lead": "yes"}),
    Pair("spades", 4),
    Pair("euchre", 4),
    Pair("euchre", 4, {"stick_the_dealer": False}, {"stick_the_dealer": "no"}),
    Pair("euchre", 4, {"allow_lone_defender": True}, {"lone_defender": "yes"}),
    *(Pair("cribbage", players, variants=("openspiel_count",)) for players in (2, 3, 4)),
    Pair("oh_hell", 3),
    Pair("oh_hell", 6),
    Pair("oh_hell", 4, {"num_tricks_fixed": 5}, {"tricks_played": 5}),
    Pair("oh_hell", 4, {"off_bid_penalty": True}, {"off_bid_penalty": "yes"}),
    Pair("oh_hell", 4, {"num_suits": 3, "num_cards_per_suit": 8}, {"last_suit": "spades", "last_rank": "9"}),
    Pair("oh_hell", 5, {"points_per_trick": 3}, {"points_per_trick": 3}),
    *(Pair("crazy_eights", players, there, options, ("openspiel_points",)) for players, there, options in CRAZY_EIGHTS),
)


@pytest.mark.conformance
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "-".join([pair.name, str(pair.players), *pair.options, *pair.variants]))
def test_what_is_legal_and_what_players_get_agree(pair: Pair) -> None:
    called = pair.called or pair.name
    chosen = {"players": pair.players} if "players" in pyspiel.load_game(called).get_parameters() else {}
    theirs = pyspiel.load_game(called, {**chosen, **pair.there})
    if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    ours = load(CLASSICS / f"{pair.name}.rules", pair.players, pair.variants, pair.options)
    executor = WasmExecutor(ours.machine, ours.compiled)
    texts = {number: ours.option_text(number).split(" ", 1)[-1].removeprefix("on ") for number in range(ours.machine.options)}
    for seed in range(GAMES):
        play_both(pair, theirs, ours, executor, texts, Random(seed))


def play_both(pair: Pair, theirs: Any, ours: Game, executor: WasmExecutor, texts: dict[int, str], random: Random) -> None:
    state, cells = theirs.new_initial_state(), executor.fresh()
    stop = executor.enter(cells)
    while not state.is_terminal():
        if state.is_chance_node():
            # where hearts are not passed, chance there has outcomes that are not legal
            outcomes = sorted({number for number, _ in state.chance_outcomes()} & set(state.legal_actions()))
            number = random.choice(outcomes)
            brought = state.action_to_string(state.current_player(), number)
            state.apply_action(number)
            if len(outcomes) == 1 and (stop.kind != "chance" or len(executor.outcomes(cells)) > 1):
                continue  # what nobody can be uncertain of is no event here
            assert isinstance(stop.node, Chance)
            domain = stop.node.domain
            possible = {domain.names[value - domain.low]: value for value, _ in executor.outcomes(cells)}
            assert len(possible) == len(outcomes)
            stop = executor.happen(cells, possible[dealt(pair, brought, number, "player 1" in possible)])
            continue
        acts = state.legal_actions()
        if pair.options.get("ko") == "superko":  # what would end the game there as a draw is not legal here
            acts = [number for number in acts if not state.child(number).is_terminal() or any(state.child(number).returns())]
        said = {number: act(pair, state.action_to_string(number), state.move_number()) for number in acts}
        there = {frozenset(what.split(" + ")): number for number, what in said.items()}
        if there.keys() == {frozenset({"pass"} - set(texts.values()))}:
            state.apply_action(*there.values())
            continue  # who can do nothing is passed over here
        if pair.name == "go_fish" and stop.kind == "chance" and all(item.player < 0 for item in state.full_history()):
            return  # who completes a book with the very last card of the deal gets no other card there
        parts: frozenset[str] = frozenset()
        while parts not in there:  # several cards are chosen one by one here
            assert stop.kind == "decision"
            assert executor.player(cells) == state.current_player()
            legal = {texts[number]: number for number in executor.options(cells)}
            assert legal.keys() == {part for whole in there if parts <= whole for part in whole - parts}
            chosen = "knock" if "knock" in legal and random.random() < 0.8 else random.choice(sorted(legal))
            parts |= {chosen}
            stop = executor.choose(cells, legal[chosen])
        state.apply_action(there[parts])
    if pair.name == "go" and stop.kind == "decision":
        assert came_again(state)
        return  # that is a draw there, and nothing to us
    while stop.kind == "decision":  # the last card of a hand is bid by itself there
        [number] = executor.options(cells)
        stop = executor.choose(cells, number)
    assert stop.kind == "over"
    returns = [executor.evaluate(cells, ours.machine.returns, seat) for seat in range(ours.players)]
    assert returns == [pair.scale * value for value in state.returns()]


def came_again(state: Any) -> bool:
    """Whether the position on the board was there before."""
    earlier = state.get_game().new_initial_state()
    boards: list[str] = []
    for number in state.history():
        boards.append(earlier.observation_string(0).partition("\n")[2])
        earlier.apply_action(number)
    return state.observation_string(0).partition("\n")[2] in boards


BAR = 100  # the number of the bar, as it is asked for there


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("scoring", "options"),
    [("winloss_scoring", {}), ("full_scoring", {"gammons": "yes"})],
)
def test_backgammon_comes_to_the_same_positions(scoring: str, options: Mapping[str, str]) -> None:
    """An act there is the play of two numbers, and here of one: what agrees is where two plays can lead."""
    theirs = pyspiel.load_game("backgammon", {"scoring_type": scoring, "max_player_turns": 999})
    ours = load(CLASSICS / "backgammon.rules", 2, (), options)
    executor = WasmExecutor(ours.machine, ours.compiled)
    for seed in range(GAMES):
        play_backgammon(theirs, ours, executor, Random(seed))


def play_backgammon(theirs: Any, ours: Game, executor: WasmExecutor, random: Random) -> None:
    state, cells = theirs.new_initial_state(), executor.fresh()
    executor.enter(cells)
    while not state.is_terminal():
        if state.is_chance_node():
            number = random.choice(state.legal_actions())
            said = state.action_to_string(number)
            state.apply_action(number)
            one, other = int(said[-3]), int(said[-2])
            if "starts" not in said:
                brought = [str(one), str(other)]
            else:  # the second number is here one of those that the first is not
                brought = [str(one), str(other - (other > one)), f"player {1 + ('O starts' in said)}"]
            for name in brought:
                node = executor.stop(cells).node
                assert isinstance(node, Chance)
                [value] = [value for value, _ in executor.outcomes(cells) if node.domain.names[value - node.domain.low] == name]
                executor.happen(cells, value)
            continue
        mover = state.current_player()
        here = {tuple(reached[: len(men_there(state))]): reached for reached in after_plays(executor, cells, mover, 2)}
        there = {men_there(state.child(number)): number for number in state.legal_actions()}
        assert here.keys() == there.keys()
        chosen = random.choice(sorted(here))
        state.apply_action(there[chosen])
        cells = here[chosen]
    assert executor.stop(cells).kind == "over"
    assert [executor.evaluate(cells, ours.machine.returns, seat) for seat in (0, 1)] == state.returns()


def men_there(state: Any) -> tuple[int, ...]:
    """How many men each player has off the board, on the points, and on the bar."""
    ways = (reversed(range(24)), range(24))  # the points from 1 to 24, as each player counts them
    lying = [[*(state.board(player, point) for point in way), state.board(player, BAR)] for player, way in enumerate(ways)]
    return tuple(count for men in lying for count in (15 - sum(men), *men))


def after_plays(executor: WasmExecutor, cells: bytearray, mover: int, plays: int) -> Iterator[bytearray]:
    """The records after so many plays of a player, or fewer where the turn ends before."""
    if plays == 0 or executor.stop(cells).kind != "decision":
        yield cells
        return
    assert executor.player(cells) == mover
    for option in executor.options(cells):
        after = bytearray(cells)
        executor.choose(after, option)
        yield from after_plays(executor, after, mover, plays - 1)
