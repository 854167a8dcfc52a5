"""Classic games beside OpenSpiel's own: along the same random games, all that is legal and all that players get agree.

OpenSpiel plays a random game, and ours goes the same way: what chance brings there, it brings here, and an act is found by what
it says. ``RULESRUN_GAMES=10000`` plays so many of each.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import frozen
from rulesrun.interpreter.machine.machine import Chance
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.wasm.executor import WasmExecutor

pyspiel = pytest.importorskip("pyspiel")

CLASSICS = Path(__file__).parents[2] / "games" / "classics"
GAMES = int(os.environ.get("RULESRUN_GAMES", "100"))

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = {**{str(n): str(n) for n in range(2, 10)}, "T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


def card(said: str) -> str:
    """What we call a card that is called ``C2`` or ``2C`` there."""
    suit, rank = (0, 1) if said[0] in SUITS else (1, 0)
    return f"{SUITS[said[suit]]} {RANKS[said[rank]]}"


def act(said: str) -> str:
    """What we call an act, without its verb where it takes something."""
    match said.split():
        case ["Nil"]:
            return "0"
        case ["Draw" | "Pass" | "Hit" | "Stand"]:
            return said.lower()
        case ["Nominate", "suit", suit]:
            return SUITS[suit]
        case ["Play", played]:
            return card(played)
        case [number] if number.isdecimal():
            return number
        case [cell] if cell.islower():
            return cell
        case [played]:
            return card(played)
    raise AssertionError(said)


def dealt(said: str, number: int, players: bool) -> str:
    """What we call what chance brings. ``number``: that of the outcome there; ``players``: whether it brings a player."""
    words = said.split()
    if players:
        return f"player {int(words[2] if words[0] == 'Decide' else number) + 1}"
    return card(words[-1]) if set(words[-1]) & SUITS.keys() and len(words[-1]) == 2 else str(number)


@frozen
class Pair:
    """A game of ours and one of theirs."""

    name: str
    players: int
    variants: tuple[str, ...] = ()
    there: Mapping[str, Any] = {}


PAIRS = (
    Pair("hearts", 4),
    Pair("spades", 4),
    Pair("oh_hell", 3, there={"players": 3}),
    Pair("oh_hell", 6, there={"players": 6}),
    Pair("blackjack", 1),
    Pair("crazy_eights", 5, ("openspiel_points",)),
    Pair("crazy_eights", 2, ("openspiel_points",), {"players": 2}),
    Pair("crazy_eights", 6, ("openspiel_points",), {"players": 6}),
    Pair("othello", 2),
)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.name}-{pair.players}")
def test_what_is_legal_and_what_players_get_agree(pair: Pair) -> None:
    theirs = pyspiel.load_game(pair.name, dict(pair.there))
    ours = load(CLASSICS / f"{pair.name}.rules", pair.players, pair.variants)
    executor = WasmExecutor(ours.machine, ours.compiled)
    texts = {number: ours.option_text(number).split(" ", 1)[-1] for number in range(ours.machine.options)}
    for seed in range(GAMES):
        play_both(theirs, ours, executor, texts, Random(seed))


def play_both(theirs: Any, ours: Game, executor: WasmExecutor, texts: dict[int, str], random: Random) -> None:
    state, cells = theirs.new_initial_state(), executor.fresh()
    stop = executor.enter(cells)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = [number for number, _ in state.chance_outcomes()]
            number = random.choice(outcomes)
            said = state.action_to_string(state.current_player(), number)
            state.apply_action(number)
            if len(outcomes) == 1 and stop.kind != "chance":
                continue  # what nobody can be uncertain of is no event here
            assert isinstance(stop.node, Chance)
            domain = stop.node.domain
            possible = {domain.names[value - domain.low]: value for value, _ in executor.outcomes(cells)}
            assert len(possible) == len(outcomes)
            stop = executor.happen(cells, possible[dealt(said, number, "player 1" in possible)])
            continue
        there = {act(state.action_to_string(number)): number for number in state.legal_actions()}
        if there.keys() == {"pass"} - set(texts.values()):
            state.apply_action(there["pass"])
            continue  # who can do nothing is passed over here
        assert stop.kind == "decision"
        assert executor.player(cells) == state.current_player()
        legal = {texts[number]: number for number in executor.options(cells)}
        assert legal.keys() == there.keys()
        chosen = random.choice(sorted(legal))
        state.apply_action(there[chosen])
        stop = executor.choose(cells, legal[chosen])
    assert stop.kind == "over"
    assert [executor.evaluate(cells, ours.machine.returns, seat) for seat in range(ours.players)] == state.returns()
