"""Bots that play rollouts: the same in every engine, blind for what their seat does not see, and good at playing."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random

import pytest
import wasmtime
from attrs import evolve
from rulesrun.interpreter.machine.columns import Columns
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.places import content, places_of
from rulesrun.interpreter.play.game import Game, State, load
from rulesrun.interpreter.play.knowledge.views import View, view_of
from rulesrun.interpreter.players.bots import Bot, bots_from
from rulesrun.interpreter.players.reference_table import OnCells
from rulesrun.interpreter.players.sampler import place_anew, prepare, write_world
from rulesrun.interpreter.simulate.engines.engine import EngineName, engine_for
from rulesrun.interpreter.simulate.engines.module import WasmEngine

from ..games.honesty import random_decisions
from .games import BIDS, BREAKS, GAMES, PAIRS, game_of

# Cards that all differ, some of which are passed on unseen, and a pile with an order.
PASSING = """
game passing
    players 3

cards card, 1 of each
    rank: 1..9

zone deck: pile of card, hidden
zone hand of player: set of card, private
zone away: pile of card, hidden
zone shown of player: set of card, open

setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player

phase rounds
    repeat 2 times
        for each player
            player chooses
                give a card from hand of player face down
                    move card to hand of left of player
                drop a card from hand of player face down
                    move card to away
            player chooses
                show a card from hand of player
                    move card to shown of player
                take
                    only if away is not empty otherwise "nothing lies there"
                    draw 1 from away to hand of player
                if impossible: nothing

score of player
    shown: total rank of shown of player
    held:  0 - count of hand of player

winner highest score, then shared
"""

# Equal cards, two teams, two games of it, and knowledge for which rules ask.
TEAMS = """
game teams
    players 4

teams of 2, in turn

cards card, 4 of each
    colour: red, blue, green

zone deck: pile of card, hidden
zone hand of player: set of card, private
zone heap: pile of card, hidden
zone won of player: set of card, open

match of 2 games

setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player

phase rounds
    for each player
        player chooses
            hide a card from hand of player face down
                move card to heap
                draw 1 from deck to hand of player
            keep a card from hand of player
                move card to won of player
            fetch
                only if heap is not empty otherwise "nothing lies there"
                draw 1 from heap to won of player
            if impossible: nothing

score of player
    won: count of won of player
    red:  2 * count of won of player with colour red

winner highest score, then shared
"""

# Dice, some of which are shown, passed on unseen or rolled again.
DICE = """
game dice
    players 3

dice die, 2 for each player
    face: 1..3

zone cup of player: set of die, private
zone shown of player: set of die, open

setup
    for each player: roll 2 dice to cup of player

phase rounds
    repeat 2 times
        for each player
            player chooses
                give a die from cup of player face down
                    move die to cup of left of player
                show a die from cup of player
                    move die to shown of player
                again
                    roll cup of player
                take a die from every shown
                    move die to cup of player

score of player
    shown: total face of shown of player
    held:  total face of cup of player

winner highest score, then shared
"""


TABLES = [
    "different, handed on unseen",
    "equal, in teams and a match",
    "teams",
    "dice, handed on unseen",
    "masti",
]


def table(name: str, folder: Path) -> Game:
    """A table with hidden components: different or equal ones, handed on unseen, in piles with and without an order."""
    match name:
        case "different, handed on unseen":
            return game_of(PASSING, folder)
        case "equal, in teams and a match":
            return game_of(TEAMS, folder)
        case "teams":
            return load(PAIRS, 4, ("together",))
        case "masti":
            return load(GAMES / "masti.rules", 3)
        case _:
            return game_of(DICE, folder)


def rows(game: Game, bots: str, engine: EngineName, count: int, seed: int = 3) -> tuple[object, object]:
    """The rows of some games, and what was counted."""
    found = engine_for(game, bots_from(bots, game.players), engine).play(seed, 5, count, rows=True, counts=True)
    return found.rows, found.counts


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_every_engine_plays_the_same(name: str, tmp_path: Path) -> None:
    game = table(name, tmp_path)
    bots = ",".join(["rollouts:2", "casual", "random", "rollouts:1"][: game.players])
    assert rows(game, bots, "wasm", 3) == rows(game, bots, "reference", 3)


@pytest.mark.slow
@pytest.mark.parametrize("bots", ["rollouts:7", "search:9"])
def test_what_is_imagined_may_stop(bots: str, tmp_path: Path) -> None:
    """A third of the games that are imagined stop with a fault; they are worth nothing, and the thought goes on."""
    game = game_of(BREAKS, tmp_path)
    found, counts = rows(game, bots, "wasm", 30)
    assert (found, counts) == rows(game, bots, "reference", 30)
    faults = found[3 :: len(Columns.of(game.machine))]  # type: ignore[index]
    assert not any(faults), "who counts to 3 and knows it does not stop"


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["rollouts:5", "search:20"])
def test_a_thought_that_is_interrupted_goes_on(bot: str, tmp_path: Path) -> None:
    """As after a deadline: the flag ends the call by a trap, and the next one finds out the same."""
    game = game_of(BREAKS.replace("0..3", "0..9"), tmp_path)
    columns = Columns.of(game.machine)
    bots = bots_from(bot, 2)
    expected = engine_for(game, bots, "wasm").play(3, 8, 1, rows=True).rows
    engine = WasmEngine(game.compiled, bots)
    instance, memory = engine._instance, engine._memory
    instance.put(memory.flag, 1)
    for _ in range(3):
        with pytest.raises(wasmtime.Trap):
            instance.export("play_bots")(3, 8, 1, memory.heap)
        assert instance.number(memory.thinking)
        instance.put(memory.again, 1)
    instance.put(memory.flag, 0)
    assert instance.export("play_bots")(3, 8, 1, memory.heap) == 1
    assert instance.memory[memory.heap : memory.heap + 4 * len(columns)].cast("i").tolist() == list(expected or ())


# ---- What a seat does not see


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_draft_shows_its_seat_the_same(name: str, tmp_path: Path) -> None:
    game = table(name, tmp_path)
    bot = OnCells(game.machine)
    changed = 0
    for state in random_decisions(game, 6, Random(name)):
        for seat in range(game.players):
            bot.cells = list(state._cells)
            bot.save(bot.at.base)
            bot.store64(bot.at.generator, seat + 1)
            prepare(bot, bot.at, seat)
            for _ in range(5):
                place_anew(bot, bot.at, seat)
                write_world(bot, bot.at, seat)
                bot.restore(bot.at.world)
                assert view_of(game.machine, bot.cells, seat + 1) == view_of(game.machine, state._cells, seat + 1)
                all_lies_somewhere(game, state, bot.cells)
                changed += bot.cells[: len(state._cells)] != state._cells[: len(bot.cells)]
    assert changed > 20


def all_lies_somewhere(game: Game, state: State, cells: list[int]) -> None:
    def lying(cells: list[int]) -> list[tuple[str, int]]:
        places = places_of(game.machine)
        return sorted((zone.kind, face) for zone, owner in places for face in content(game.machine, zone, owner, cells))

    assert lying(cells) == lying(state._cells)


@pytest.mark.slow
def test_hidden_dice_are_rolled_anew_in_a_draft() -> None:
    """No face is rarer because the seat has it: each pair of faces is as likely as any other."""
    game = load(GAMES / "classics" / "liars_dice.rules", 2, options={"dice_each": 2, "sides": 3})
    state = game.start()
    for outcome in (0, 2, 2, 0, 1):  # player 1 begins and has two threes
        state.happen(outcome)
    bot = OnCells(game.machine)
    bot.cells = list(state._cells)
    bot.save(bot.at.base)
    bot.store64(bot.at.generator, 1)
    prepare(bot, bot.at, 0)
    cup = next(zone for zone in game.machine.zones if zone.name == "cup")
    rolled: Counter[tuple[int, ...]] = Counter()
    for _ in range(450):
        place_anew(bot, bot.at, 0)
        write_world(bot, bot.at, 0)
        cells = bot.executor.unpack(bytes(bot.bytes[bot.at.world : bot.at.world + bot.at.record_size]))
        rolled[tuple(content(game.machine, cup, 1, cells))] += 1
    expected = {faces: 50 * (1 + (faces[0] != faces[1])) for faces in combinations_with_replacement(range(3), 2)}
    chi_squared = sum((rolled[faces] - count) ** 2 / count for faces, count in expected.items())
    assert chi_squared < 20.5  # of 5 degrees of freedom, at one in a thousand


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_a_bot_chooses_the_same_in_games_that_its_seat_cannot_tell_apart(name: str, tmp_path: Path) -> None:
    game = table(name, tmp_path)
    bot = OnCells(game.machine)
    random = Random(name)
    differ = 0
    for state in random_decisions(game, 8, random):
        seat = state.player
        other = state.determinise(seat, random)
        differ += other != state
        for seed in range(2):
            option, totals = thought(bot, state, seat, seed)
            assert thought(bot, other, seat, seed) == (option, totals)
    assert differ > 2


def thought(bot: OnCells, state: State, seat: int, seed: int) -> tuple[int, bytes]:
    """What a seat chooses after two worlds, and what all options came to in these."""
    option = bot.option(state._cells, state.history, seat - 1, Bot("rollouts", 2), seed)
    return option, bytes(bot.bytes[bot.at.totals : bot.at.totals + 16 * len(state.legal)])


# Player 1 writes a number and a mood down and gives a hint of the number; player 2 guesses both.
WRITTEN = """
game written
    players 2

list mood: calm, angry, merry
counter purse of player: 0..9, private
marker feeling of player: mood or none, private
counter points of player: 0..99

phase writing
    player 1 chooses
        write a number from 1..6 and a mood face down
            set purse of player 1 to number
            set feeling of player 1 to mood

phase hinting
    player 1 chooses
        call_it_high
            only if purse of player 1 > 3
            nothing
        call_it_low
            only if purse of player 1 < 4
            nothing

phase guessing
    player 2 chooses
        guess a number from 1..6 and a mood
            if number is purse of player 1: add 2 to points of player 2
            if mood is feeling of player 1: add 1 to points of player 2

score of player
    points: points of player

winner highest score, then highest seat
"""

SEALED = """
game sealed
    players 2
cards card, 1 of each
    rank: 1..2
zone lot: set of card, open
counter coins of player: 0..9
setup
    move every card to lot
phase only
    auction for lot
        bidders: players clockwise from player 1
        bids: 1..5
        sealed
        no bids: nothing
        won: set coins of winner to 9 - price
score of player
    coins: coins of player
winner highest score, then shared
"""


def with_hidden_values(name: str, folder: Path) -> Game:
    """A table with hidden counters and markers, bids under seal, or choices at once."""
    match name:
        case "written":
            return game_of(WRITTEN, folder)
        case "sealed":
            return game_of(SEALED, folder)
        case "night_ferry" | "attic_sale":
            return load(GAMES / "designs" / f"{name}.rules")
        case _:
            return load(GAMES / "classics" / f"{name}.rules")


SECRET = ["written", "sealed", "goofspiel", "night_ferry", "attic_sale"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SECRET)
def test_every_engine_imagines_the_same_values(name: str, tmp_path: Path) -> None:
    game = with_hidden_values(name, tmp_path)
    bots = ",".join(["rollouts:2", "rollouts:1", "casual", "random", "random"][: game.players])
    count = 20 if name in ("written", "sealed") else 1
    assert rows(game, bots, "wasm", count) == rows(game, bots, "reference", count)


def written(game: Game, number: int, mood: int) -> State:
    """Where player 2 guesses what player 1 wrote."""
    state = game.start()
    state.play((number - 1) * 3 + mood)
    state.play(state.legal[0])
    assert state.player == 2
    return state


@pytest.mark.slow
def test_what_a_seat_chooses_depends_on_no_hidden_value(tmp_path: Path) -> None:
    game = with_hidden_values("written", tmp_path)
    bot = OnCells(game.machine)
    for numbers in ((4, 5, 6), (1, 2, 3)):
        for seed in range(3):
            thoughts = {thought(bot, written(game, number, mood), 2, seed) for number in numbers for mood in range(3)}
            assert len(thoughts) == 1


@pytest.mark.slow
def test_every_value_that_is_possible_is_imagined(tmp_path: Path) -> None:
    """All that a hint leaves, equally often, and nothing else: what a guess scores says in how many worlds it is right."""
    game = with_hidden_values("written", tmp_path)
    bot = OnCells(game.machine)
    state = written(game, 5, 0)
    worlds = 400
    bot.option(state._cells, state.history, 1, Bot("rollouts", worlds), 1)
    points = [(int(bot.load64(bot.at.totals + 16 * option + 8)) - (1 << 62)) / worlds for option in range(18)]
    by_number = [sum(points[3 * number : 3 * number + 3]) / 3 for number in range(6)]  # 2 for the number, 1 for the mood
    assert by_number == pytest.approx([1 / 3] * 3 + [2 / 3 + 1 / 3] * 3, abs=0.15)


@pytest.mark.slow
def test_a_bid_under_seal_is_not_looked_at() -> None:
    game = with_hidden_values("goofspiel", Path())
    bot = OnCells(game.machine)
    thoughts = set()
    for bid in range(4):
        state = game.start(7)
        state.play(state.legal[bid])
        assert state.player == 2
        thoughts.add(thought(bot, state, 2, 1))
    assert len(thoughts) == 1


# Player 1 looks at the top of a pile of which everybody knows what is in it; player 2 guesses it. Then it is shown.
PEEKED = """
game peeked
    players 2

cards card, 1 of each
    rank: 1..6

zone deck: pile of card, hidden
zone shown: set of card, open
counter guessed: 0..6

setup
    shuffle every card into deck

phase only
    player 1 looks at the top 3 of deck
    player 2 chooses
        guess a number from 1..6
            set guessed to number
        pass: nothing
    draw 3 from deck to shown

score of player
    guess: 6 if count of shown with rank guessed is 1

winner highest score, then shared
"""

# Each keeps up to 3 of her cards for herself, at once; then player 2 bets on how many player 1 keeps.
KEPT = """
game kept
    players 2

cards card, 1 of each
    rank: 1..8

zone deck: pile of card, hidden
zone hand of player: set of card, private
zone tray of player: set of card, open
counter bet: 0..3

setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player

phase only
    for each player at once
        player chooses
            keep up to 3 cards from hand of player face down
                move cards to tray of player
            pass: nothing

score of player
    kept: total rank of tray of player
    alone: 9 if player is player 2 and count of tray of player is count of tray of player 1

winner highest score, then shared
"""


def test_the_order_of_a_pile_that_another_seat_has_seen_does_not_count(tmp_path: Path) -> None:
    game = game_of(PEEKED, tmp_path)
    bot = OnCells(game.machine)
    for seed in range(3):
        thoughts = set()
        for order in ((0, 1, 2), (2, 1, 0), (5, 4, 3), (3, 0, 5)):
            state = game.start()
            for outcome in order:
                state.happen(outcome)
            assert state.player == 2
            thoughts.add(thought(bot, state, 2, seed))
        assert len(thoughts) == 1


def test_how_many_another_seat_has_chosen_does_not_count(tmp_path: Path) -> None:
    """Of what is chosen at once nobody else sees before all have chosen, not even how much it is."""
    game = game_of(KEPT, tmp_path)
    bot = OnCells(game.machine)
    for seed in range(3):
        thoughts = set()
        for kept in range(4):
            state = game.start(5)
            for _ in range(kept):
                state.play(state.legal[0])
            while state.player == 1:
                state.play(state.legal[-1])
            assert state.player == 2
            thoughts.add(thought(bot, state, 2, seed))
        assert len(thoughts) == 1


class Watched(OnCells):
    """Keeps the worlds that are played in, each once for every option."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.worlds: list[list[int]] = []

    def restore(self, address: int) -> int:
        found = super().restore(address)
        if address == self.at.world:
            self.worlds.append(list(self.cells))
        return found


def seen(game: Game, cells: list[int], seat: int) -> View:
    """What a seat sees, without what it has concluded of places that it does not see."""
    view = view_of(game.machine, cells, seat)
    return evolve(view, zones=tuple(evolve(zone, may=()) for zone in view.zones))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"), [("goofspiel", {"ranks": 4, "bids_are_shown": "no"}), ("goofspiel", {"ranks": 4}), ("night_ferry", {})]
)
def test_worlds_are_found_and_show_their_seat_the_same(name: str, options: dict[str, int | str]) -> None:
    folder = "designs" if name == "night_ferry" else "classics"
    game = load(GAMES / folder / f"{name}.rules", options=options)
    bot = Watched(game.machine)
    for state in random_decisions(game, 8, Random(name)):
        bot.worlds.clear()
        thought(bot, state, state.player, 1)
        assert bot.worlds or len(state.legal) == 1
        for cells in bot.worlds:
            assert seen(game, cells, state.player) == seen(game, state._cells, state.player)


# ---- How well they play


@pytest.mark.slow
def test_rollouts_beat_chance_where_all_bid_at_once() -> None:
    game = load(GAMES / "classics" / "goofspiel.rules")
    columns = Columns.of(game.machine)
    found = engine_for(game, bots_from("rollouts:50,random", 2), "wasm").play(1, 0, 100, rows=True).rows
    assert found is not None
    assert sum(columns.share(each) for each in found[columns.win(0) :: len(columns)]) > 75


@pytest.mark.slow_cases("for_the_king-6-0.6", "kingdomino-30-0.6", "masti-60-0.5")
@pytest.mark.parametrize(("name", "count", "share"), [("masti", 60, 0.5), ("kingdomino", 30, 0.6), ("for_the_king", 6, 0.6)])
def test_rollouts_win_more_often_than_chance(name: str, count: int, share: float) -> None:
    """One of four who plays at random wins a quarter; with these seeds the numbers are always the same."""
    game = load(GAMES / f"{name}.rules", 4)
    columns = Columns.of(game.machine)
    bots = "rollouts:50,random,random,random" if name != "for_the_king" else "rollouts:10,random,random,random"
    found = engine_for(game, bots_from(bots, 4), "wasm").play(1, 0, count, rows=True)
    assert found.rows is not None
    won = sum(columns.share(win) for win in found.rows[columns.win(0) :: len(columns)])
    assert won > share * count


@pytest.mark.slow
def test_more_worlds_are_better(tmp_path: Path) -> None:
    game = game_of(BIDS, tmp_path, 2)
    columns = Columns.of(game.machine)
    found = engine_for(game, bots_from("rollouts:30,rollouts:1", 2), "wasm").play(1, 0, 400, rows=True)
    assert found.rows is not None
    won = [sum(columns.share(win) for win in found.rows[columns.win(seat) :: len(columns)]) for seat in (0, 1)]
    assert won[0] > won[1]
