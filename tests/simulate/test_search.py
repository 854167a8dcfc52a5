"""Bots that search: the same in every engine, blind for what their seat does not see, and good at playing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from rulesrun.interpreter.machine.columns import Columns
from rulesrun.interpreter.play.game import Game, State, load
from rulesrun.interpreter.players.bots import Bot, bots_from
from rulesrun.interpreter.players.policies import policy_for
from rulesrun.interpreter.players.reference_table import OnCells
from rulesrun.interpreter.players.thoughts import think
from rulesrun.interpreter.players.workspace import (
    EDGE_OPTION,
    EDGE_PROOF,
    EDGE_SIZE,
    EDGE_VISITS,
    EDGES,
    NODE_SIZE,
    PROOF,
    VISITS,
    WIDTH,
)
from rulesrun.interpreter.simulate.engines.engine import EngineName, engine_for
from rulesrun.interpreter.wasm.running.thoughts import Thoughts

from ..games.honesty import random_decisions
from ..shipped import every
from .games import BREAKS, GAMES, PAIRS, game_of
from .test_rollouts import DICE, PASSING, SEALED, TEAMS, WRITTEN, rows
from .test_worlds import OPTIONS, SLOW, name_of

# Positions come again: from 2, going forward lets the other one win, so a game of experts has no end.
CIRCLES = """
game circles
    players 2
counter place: 0..6
phase only
    take turns
        player chooses
            walk
                add 1 to place
            run
                add 2 to place
            back
                only if place is not 0
                take 1 from place
        if place at least 5: player wins
"""

GAMBLE = """
game gamble
    players 2
phase only
    player 1 chooses
        gamble
            let luck be a random number from 1..6
            if luck is 6: player 1 wins
            otherwise: player 2 wins
        wait: nobody wins
"""

FORCED = """
game forced
    players 2
counter steps of player: 0..30
phase only
    repeat 20 times
        for each player
            player chooses
                walk
                    add 1 to steps of player
score of player
    steps: steps of player
winner highest score, then shared
"""

CLASSICS = GAMES / "classics"
FIELDS = """
game fields
    players 1

counter fields of player: 0..5
counter corn of player: 0..60

setup
    set fields of player 1 to 0
    set corn of player 1 to 0

phase years
    repeat 5 times
        player 1 chooses
            plant
                add 1 to fields of player 1
            reap
                add 3 to corn of player 1
        add 2 * fields of player 1 to corn of player 1

score of player
    corn: corn of player

winner highest score, then shared
"""
SMALL = {"passing": PASSING, "teams": TEAMS, "dice": DICE, "written": WRITTEN, "sealed": SEALED}


def share(game: Game, bots: str, count: int, seat: int) -> float:
    """A seat's share of the win in some games."""
    found = engine_for(game, bots_from(bots, game.players), "wasm").play(7, 0, count, rows=True)
    columns = Columns.of(game.machine)
    assert found.rows is not None
    return sum(1 / won for won in found.rows[columns.win(seat) :: len(columns)] if won) / count


def visits(bot: OnCells, of: int = EDGE_VISITS) -> dict[int, int]:
    """By option, how often the search tried it where the game stands (or something else that it keeps of it)."""
    edge = bot.load32(bot.at.nodes + EDGES)
    edges = [edge + EDGE_SIZE * number for number in range(bot.load32(bot.at.nodes + WIDTH))]
    return {bot.load32(edge + EDGE_OPTION): bot.load32(edge + of) for edge in edges}


def after(game: Game, acts: str) -> State:
    """A game in which these options were taken."""
    state = game.start()
    numbers = {game.option_text(number): number for number in range(game.machine.options)}
    for act in acts.split(", "):
        state.play(numbers[act])
    return state


def thought(bot: OnCells, state: State, iterations: int, seed: int = 5) -> str:
    """The option that a search takes for the player who decides."""
    option = bot.option(state._cells, state.history, state.player - 1, Bot("search", iterations), seed)
    return state.game.option_text(option)


# ---- One player


@pytest.mark.slow
@pytest.mark.parametrize(("wanted", "score"), [("highest", 31), ("lowest", 14)])
def test_who_plays_alone_plays_for_the_score(wanted: str, score: int, tmp_path: Path) -> None:
    """Planting costs at first, and pays later: four fields before anything is reaped are best."""
    game = game_of(FIELDS.replace("highest", wanted), tmp_path)
    engines: tuple[EngineName, ...] = ("wasm", "reference")
    for engine in engines:
        found = engine_for(game, bots_from("search:300", 1), engine).play(7, 0, 1, rows=True).rows
        assert found is not None
        assert found[Columns.of(game.machine).score(0)] == score
    fast = think(Thoughts(game.compiled), [], 0, 300, 5)
    assert think(OnCells(game.machine), [], 0, 300, 5) == fast
    assert score in fast.scores


@pytest.mark.slow
def test_who_plays_alone_against_chance_plays_well() -> None:
    """A random player loses 0.37 a game; who plays as well as possible some hundredths."""
    game = load(CLASSICS / "blackjack.rules", 1)
    found = engine_for(game, bots_from("search:100", 1), "wasm").play(7, 0, 400, rows=True).rows
    columns = Columns.of(game.machine)
    assert found is not None
    assert sum(found[columns.score(0) :: len(columns)]) / 400 > -0.2
    assert rows(game, "search:20", "wasm", 3) == rows(game, "search:20", "reference", 3)


# ---- All together

TOGETHER = """
game climbing
    players 2..4

DECLARED
counter ups of player: 0..20

phase only
    repeat 5 times
        for each player
            player chooses
                stay: nothing
                up: add 1 to ups of FIRST

score of player
    together: SCORE

winner highest score, then shared
"""
TEAM_OF_ALL = TOGETHER.replace("DECLARED", "teams of 2, in turn").replace("FIRST", "player").replace("SCORE", "ups of player")
ONE_SCORE = TOGETHER.replace("DECLARED", "").replace("FIRST", "player 1").replace("SCORE", "ups of player 1")
UNSEEN = """
game showing
    players 2

cards card, 1 of each
    rank: 1..6

zone deck: pile of card, hidden
zone hand of player: set of card, private
zone table: set of card, open

setup
    shuffle every card into deck
    for each player: draw 3 from deck to hand of player

phase only
    for each player
        player chooses
            play a card from hand of player
                move card to table

score of player
    together: total rank of table

winner highest score, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize("text", [TEAM_OF_ALL, ONE_SCORE], ids=["team", "score"])
def test_who_wins_and_loses_together_plays_for_the_score_of_all(text: str, tmp_path: Path) -> None:
    """Going up each time is best; whoever leaves it to the partner for once cannot make up for it."""
    game = game_of(text, tmp_path)
    assert rows(game, "search:100", "wasm", 2) == rows(game, "search:100", "reference", 2)
    found = engine_for(game, bots_from("search:100", 2), "wasm").play(7, 0, 20, rows=True).rows
    assert found is not None
    assert set(found[Columns.of(game.machine).score(0) :: len(Columns.of(game.machine))]) == {5 if "teams" in text else 10}
    assert thinks_of_score(game)


def thinks_of_score(game: Game) -> bool:
    return bool(think(Thoughts(game.compiled), [], 0, 50, 5).scores)


def test_who_plays_together_without_seeing_all_does_what_is_best(tmp_path: Path) -> None:
    game = game_of(UNSEEN, tmp_path)
    bot = policy_for(Bot("search", 60), game.machine)
    for seed in range(4):
        state = game.start(seed)
        hands = [
            [int(card.split()[1]) for zone in state.view(seat).zones if zone.owner == seat for card in zone.cards]
            for seat in (1, 2)
        ]
        while state.player:
            state.play_by(bot)
        assert state.scores == [max(hands[0]) + max(hands[1])] * 2


def test_a_game_in_which_scores_differ_is_not_played_together(tmp_path: Path) -> None:
    assert not thinks_of_score(
        game_of(TOGETHER.replace("DECLARED", "").replace("FIRST", "player").replace("SCORE", "ups of player"), tmp_path)
    )


# ---- Every engine


@pytest.mark.slow
@pytest.mark.parametrize("path", every(5), ids=name_of)
def test_every_engine_plays_shipped_games_the_same(path: Path) -> None:
    """Both players who think draw worlds; where a world takes the reference seconds, somebody thinks about two decisions."""
    game = load(path, options=OPTIONS.get(path.stem, {}))
    if path.stem in SLOW:
        slow, fast = OnCells(game.machine), Thoughts(game.compiled)
        for state in random_decisions(game, 2, Random(path.stem)):
            expected = slow.option(state._cells, state.history, state.player - 1, Bot("search", 2), 4)
            assert think(fast, state.history, state.player - 1, 2, 4).choice == expected
        return
    bots = ",".join(["search:2", "rollouts:1", *["random"] * (game.players - 2)][: game.players])
    assert rows(game, bots, "wasm", 1) == rows(game, bots, "reference", 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_every_engine_searches_the_same(name: str, tmp_path: Path) -> None:
    game = game_of(SMALL[name], tmp_path)
    bots = ",".join(["search:7", "casual", "random", "search:3"][: game.players])
    assert rows(game, bots, "wasm", 2) == rows(game, bots, "reference", 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim", "tic_tac_toe", "connect_four", "kalah"])
def test_every_engine_proves_the_same(name: str) -> None:
    game = load(CLASSICS / f"{name}.rules")
    assert rows(game, "search:60", "wasm", 1) == rows(game, "search:60", "reference", 1)


@pytest.mark.slow
def test_every_engine_goes_round_in_circles_the_same(tmp_path: Path) -> None:
    game = game_of(CIRCLES, tmp_path)
    assert rows(game, "search:50,random", "wasm", 5) == rows(game, "search:50,random", "reference", 5)


@pytest.mark.slow
def test_teams_search_the_same() -> None:
    game = load(PAIRS, 4, ("together",))
    assert rows(game, "search:5", "wasm", 2) == rows(game, "search:5", "reference", 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_module_thinks_the_same_about_games_that_are_played_elsewhere(name: str, tmp_path: Path) -> None:
    game = game_of(SMALL[name], tmp_path)
    slow, fast = OnCells(game.machine), Thoughts(game.compiled)
    for state in random_decisions(game, 6, Random(name)):
        seat = state.player - 1
        expected = slow.option(state._cells, state.history, seat, Bot("search", 9), 4)
        assert think(fast, state.history, seat, 9, 4).choice == expected


@pytest.mark.slow
def test_a_module_thinks_on_where_what_it_imagined_was_stopped(tmp_path: Path) -> None:
    game = game_of(BREAKS, tmp_path)
    state = game.start()
    slow = OnCells(game.machine).option(state._cells, state.history, 0, Bot("search", 30), 4)
    assert think(Thoughts(game.compiled), state.history, 0, 30, 4).choice == slow


# ---- What can happen to a thought


@pytest.mark.slow
def test_an_iteration_that_is_done_again_leaves_nothing_behind() -> None:
    """The tree is the same as if nobody had interrupted: the node that was added is taken back."""

    class LeaveOff(Exception):
        pass

    class Interrupted(OnCells):
        """Leaves off once, in the middle of an iteration, after some steps."""

        left = 200

        def step(self) -> int:
            self.left -= 1
            self.store32(self.at.flag, int(self.left == 0))
            return super().step()

        def leave_off(self) -> None:
            raise LeaveOff

    game = load(GAMES / "classics" / "connect_four.rules")
    state = game.start()
    plain, interrupted = OnCells(game.machine), Interrupted(game.machine)
    expected = plain.option(state._cells, state.history, 0, Bot("search", 30), 5)
    with pytest.raises(LeaveOff):
        interrupted.option(state._cells, state.history, 0, Bot("search", 30), 5)
    added = interrupted.load32(interrupted.at.node_count)
    assert 1 < added < 30
    interrupted.store32(interrupted.at.flag, 0)
    interrupted.store32(interrupted.at.again, 1)
    assert interrupted.option(state._cells, state.history, 0, Bot("search", 30), 5) == expected
    tree = slice(plain.at.nodes, plain.at.nodes + NODE_SIZE * plain.load32(plain.at.node_count))
    assert plain.bytes[tree] == interrupted.bytes[tree]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["wasm", "reference"])
def test_with_one_option_nobody_thinks(engine: EngineName, tmp_path: Path) -> None:
    game = game_of(FORCED, tmp_path)
    assert rows(game, "search:1000000", engine, 3) == rows(game, "random", engine, 3)


@pytest.mark.slow
def test_a_full_tree_grows_no_more() -> None:
    game = load(GAMES / "classics" / "tic_tac_toe.rules")
    state = game.start()
    bot = OnCells(game.machine)
    bot.at = evolve(bot.at, edges_limit=bot.at.edges + 30 * EDGE_SIZE)
    option = bot.option(state._cells, state.history, 0, Bot("search", 200), 5)
    assert option == max(visits(bot), key=visits(bot).__getitem__)
    assert bot.load32(bot.at.nodes + VISITS) == sum(visits(bot).values()) >= 200
    assert bot.load32(bot.at.node_count) == 3  # of 9, 8 and 8 options


# ---- What a seat does not see


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_search_is_the_same_in_games_that_its_seat_cannot_tell_apart(name: str, tmp_path: Path) -> None:
    game = game_of(SMALL[name], tmp_path)
    bot, random = OnCells(game.machine), Random(name)

    def imagined(state: State) -> tuple[str, dict[int, int]]:
        return thought(bot, state, 9), visits(bot)

    for state in random_decisions(game, 6, random):
        assert imagined(state) == imagined(state.determinise(state.player, random))


# ---- Where nothing is hidden


def test_ways_to_a_position_meet() -> None:
    game = load(CLASSICS / "tic_tac_toe.rules")
    bot = OnCells(game.machine)
    ways = [after(game, way.replace(", ", ", place on ")) for way in ("place on a1, b2, c3, a3", "place on c3, a3, a1, b2")]
    found = [(thought(bot, state, 50), visits(bot)) for state in ways]
    assert found[0] == found[1]
    assert found[0][0] == "place on c1"


@pytest.mark.slow
def test_a_search_ends_when_it_is_proven_who_wins() -> None:
    game = load(CLASSICS / "nim.rules")
    bot = OnCells(game.machine)
    assert thought(bot, after(game, "take D 4"), 100_000) == "take C 4"
    assert bot.load32(bot.at.nodes + PROOF)
    assert bot.load32(bot.at.worlds) < 1000
    thought(bot, after(game, "take D 4, take C 4"), 100_000)
    assert bot.load32(bot.at.nodes + PROOF)
    assert all(visits(bot, EDGE_PROOF).values()), "who loses knows it of all options"


def test_what_is_behind_chance_is_not_proven(tmp_path: Path) -> None:
    game = game_of(GAMBLE, tmp_path)
    bot = OnCells(game.machine)
    assert thought(bot, game.start(), 100) == "wait"
    assert {game.option_text(option): bool(proof) for option, proof in visits(bot, EDGE_PROOF).items()} == {
        "gamble": False,
        "wait": True,
    }


@pytest.mark.slow
def test_a_position_that_comes_again_ends_the_descent(tmp_path: Path) -> None:
    game = game_of(CIRCLES, tmp_path)
    bot = OnCells(game.machine)
    assert thought(bot, after(game, "run"), 400) == "back"
    proven = {game.option_text(option): bool(proof) for option, proof in visits(bot, EDGE_PROOF).items()}
    assert proven == {"walk": True, "run": True, "back": False}
    assert bot.load32(bot.at.node_count) <= 2 * 5, "by place and by who decides"
    assert bot.load32(bot.at.depth) <= 2 * 5


# ---- Strength


def losses(game: Game, bots: str, count: int, seat: int) -> int:
    """How many of some games a seat loses."""
    found = engine_for(game, bots_from(bots, game.players), "wasm").play(7, 0, count, rows=True).rows
    assert found is not None
    columns = Columns.of(game.machine)
    return list(found[columns.win(seat) :: len(columns)]).count(0)


@pytest.mark.slow_cases("random", "search:1000")
@pytest.mark.parametrize("other", ["search:1000", "random"])
def test_tic_tac_toe_is_never_lost(other: str) -> None:
    game = load(CLASSICS / "tic_tac_toe.rules")
    assert losses(game, f"search:1000,{other}", 300, 0) == 0
    assert losses(game, f"{other},search:1000", 300, 1) == 0


@pytest.mark.slow
@pytest.mark.parametrize("other", ["search:1000", "random"])
def test_nim_is_never_lost_by_who_can_win(other: str) -> None:
    game = load(CLASSICS / "nim.rules")
    assert losses(game, f"{other},search:1000", 300, 1) == 0
    game = load(CLASSICS / "nim.rules", options={"size_of_D": "6"})
    assert losses(game, f"search:1000,{other}", 300, 0) == 0


# Columns from the start of the game, and the only one that wins then; not at once, and nothing has to be answered at once.
# From random games with 10 to 28 discs, two of each length; found by an exact solver (alpha-beta, with proven values kept).
WINNING = {
    "635416477264": 4,
    "331714656547": 4,
    "44177361177164": 6,
    "62557613713414": 4,
    "6273563446156662": 3,
    "2722732741675526": 4,
    "417416141771472323": 6,
    "533311175515146671": 3,
    "66657262722732741675": 4,
    "54271154711744431175": 5,
    "6657262722732741675526": 5,
    "2447465514612426417263": 5,
    "164674166255667151157457": 7,
    "677222461563522755135751": 3,
    "56547623665247331127253776": 2,
    "25442235372177417357352257": 3,
    "6431251661732642371743771255": 4,
    "7616114161677713374654624245": 2,
    "477266353722362765165722746355": 3,
    "276465671627756222532641557457": 4,
}


@pytest.mark.slow
def test_the_only_winning_move_of_connect_four_is_found() -> None:
    game = load(CLASSICS / "connect_four.rules")
    thoughts = Thoughts(game.compiled)
    found = 0
    for moves, column in WINNING.items():
        state = after(game, ", ".join(f"drop {move}" for move in moves))
        option = think(thoughts, state.history, state.player - 1, 100_000, 1).choice
        found += game.option_text(option) == f"drop {column}"
    assert found >= 18


@pytest.mark.slow
def test_a_search_beats_random_bots_with_hidden_cards() -> None:
    game = load(GAMES / "classics" / "leduc_poker.rules")
    columns = Columns.of(game.machine)
    bots = bots_from("search:200,random", 2)
    found = engine_for(game, bots, "wasm").play(7, 0, 300, rows=True).rows
    assert found is not None
    assert sum(found[columns.score(0) :: len(columns)]) > 0
    assert share(load(GAMES / "masti.rules", 3), "search:20,random,random", 8, 0) > 0.5
