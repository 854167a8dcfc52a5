"""Engines: rows that say how each game went, the same for every split; and the choices of bots."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.machine.bitsets import trailing_ones
from rulesrun.interpreter.machine.columns import MOST_OPTIONS, Columns
from rulesrun.interpreter.play.game import Game, load
from rulesrun.interpreter.players.bots import Bot, bots_from
from rulesrun.interpreter.simulate.engines.engine import ENGINES, engine_for, games_at_once
from rulesrun.interpreter.simulate.engines.interface import Played

from .games import BIDS, BREAKS, GAMES, PAIRS, game_of

TABLES: list[tuple[str, int, tuple[str, ...], dict[str, str]]] = [
    (str(PAIRS), 3, (), {}),
    (str(PAIRS), 4, ("together",), {"bonus_for_low": "yes"}),
    (str(GAMES / "masti.rules"), 4, ("partners",), {}),
    (str(GAMES / "kingdomino.rules"), 2, (), {}),
    (str(GAMES / "classics" / "goofspiel.rules"), 3, ("by_difference",), {"ranks": "5"}),  # in which returns are not the score
]

MANY_OPTIONS = """game many_options
    players 1

counter named of player: 0..60000

phase only
    repeat 36000 times
        player 1 chooses
            name a number from 0..60000
                set named of player 1 to number

score of player
    named: named of player

winner highest score, then shared
"""


def played(game: Game, bots: str = "random", seed: int = 5, first: int = 0, count: int = 8, engine: str = "reference") -> Played:
    return engine_for(game, bots_from(bots, game.players), engine).play(seed, first, count, rows=True, counts=True)  # type: ignore[arg-type]


def test_what_takes_longer_is_asked_for_in_smaller_goes() -> None:
    """Else Ctrl-C within a minute would leave nothing."""
    random, thinking = bots_from("random", 2), bots_from("rollouts:10", 2)
    assert games_at_once(random, "wasm") > games_at_once(random, "reference") > games_at_once(thinking, "reference")
    assert games_at_once(random, "wasm") > games_at_once(thinking, "wasm")


UNREACHED = """game unreached
    players 1

counter coins of player: 0..9

phase early
    if 7 > 2: end early
    player 1 chooses
        wait: nothing

phase late
    repeat 3 times
        player 1 chooses
            earn: add 1 to coins of player 1
            rest: nothing

score of player
    coins: coins of player

winner highest score, then shared
"""


@pytest.mark.slow
def test_choices_behind_one_that_nobody_comes_to_are_counted_as_themselves(tmp_path: Path) -> None:
    game = game_of(UNREACHED, tmp_path)
    found = [played(game, count=20, engine=engine).counts for engine in ENGINES]
    assert found[0] == found[1]
    assert found[0] is not None
    assert sum(found[0].taken.values()) == 60


@pytest.mark.slow_cases("casual", "random")
@pytest.mark.parametrize("bot", ["random", "casual"])
def test_more_options_than_a_column_holds_are_the_most_that_it_holds(bot: str, tmp_path: Path) -> None:
    game = game_of(MANY_OPTIONS, tmp_path)
    found = [played(game, bot, count=1, engine=engine).rows for engine in ENGINES]
    assert found[0] == found[1]
    assert found[0] is not None
    assert list(found[0][:2]) == [36_000, MOST_OPTIONS]  # and not 36,000 times 60,001


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: Path(table[0]).stem)
def test_rows_say_what_the_games_are(table: tuple[str, int, tuple[str, ...], dict[str, str]], engine: str) -> None:
    game = load(*table)
    columns = Columns.of(game.machine)
    found = played(game, first=3, engine=engine)
    assert found.rows is not None
    for number in range(8):
        row = found.rows[number * len(columns) : (number + 1) * len(columns)]
        state = game.start(5, game=3 + number, story=False)
        first = state.player
        legal: list[int] = []
        while state.player:
            legal.append(len(state.legal))
            state.play_at_random()
        winners = state.ranking[0]
        wins = [len(winners) if seat in winners else 0 for seat in range(1, game.players + 1)]
        expected = [len(legal), sum(legal), first - 1, 0, *state.scores, *wins, *wins[first - 1 :], *wins[: first - 1]]
        expected += [value for values in state.terms.values() for value in values]
        expected += state.team_scores if game.teams else []
        assert list(row) == expected + (state.returns if "returns_1" in columns.names else [])


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bots", ["random", "casual", "rollouts:2,random,casual"])
def test_a_game_is_the_same_in_any_company(bots: str, engine: str, tmp_path: Path) -> None:
    game = game_of(BIDS, tmp_path, 3)
    whole = played(game, bots, count=10, engine=engine)
    parts = [played(game, bots, first=first, count=count, engine=engine) for first, count in ((6, 4), (0, 1), (1, 5))]
    assert parts[0].tally + parts[1].tally + parts[2].tally == whole.tally
    assert whole.rows == parts[1].rows + parts[2].rows + parts[0].rows  # type: ignore[operator]
    counts = [part.counts for part in parts]
    assert counts[0] + counts[1] + counts[2] == whole.counts  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_games_that_stop_are_counted_apart(engine: str, tmp_path: Path) -> None:
    game = game_of(BREAKS, tmp_path)
    found = played(game, count=40, engine=engine)
    columns = Columns.of(game.machine)
    assert found.rows is not None
    rows = [list(found.rows[at : at + len(columns)]) for at in range(0, len(found.rows), len(columns))]
    ((number, stopped),) = found.tally.faults.items()
    broken = [index for index, row in enumerate(rows) if row[3]]
    assert stopped.games == len(broken)
    assert stopped.example == broken[0]
    assert all(rows[index] == [2, 4, 0, number + 1] + [0] * (len(columns) - 4) for index in broken)
    state = game.start(5, game=stopped.example)
    while state.player:
        state.play_at_random()
    assert state.fault is not None
    assert game.executor.faults.table[number].code == state.fault.code == "R602"


@pytest.mark.slow
def test_returns_that_cannot_be_worked_out_stop_the_game(tmp_path: Path) -> None:
    text = BREAKS.replace("0..3", "0..9") + "returns of player: 6 / (coins - 3) rounded down\n"
    game = game_of(text, tmp_path)
    found = [played(game, count=40, engine=engine) for engine in ENGINES]
    assert found[0].tally == found[1].tally
    assert found[0].rows == found[1].rows
    ((number, stopped),) = found[0].tally.faults.items()
    assert game.executor.faults.table[number].code == "R611"
    assert 0 < stopped.games < 40


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_what_nobody_could_do_is_counted(engine: str, tmp_path: Path) -> None:
    text = """
game stuck
    players 2
counter coins of player: 0..9
phase only
    for each player
        player chooses
            leave
                only if player is 1 otherwise "no"
                nothing
            stay
                only if player is 1 otherwise "no"
                add 1 to coins of player
            never
                only if coins of player > 5 otherwise "no"
                nothing
            if impossible: add 2 to coins of player
score of player
    coins: coins of player
winner highest score, then shared
"""
    found = played(game_of(text.replace("player is 1", "seat of player is 1"), tmp_path), count=6, engine=engine).counts
    assert found is not None
    ((site, nothing),) = found.nothing.items()
    assert nothing == 6
    assert found.options == {2: 6}
    assert found.offered == {(site, 0): 6, (site, 1): 6}
    assert sum(found.taken.values()) == 6


# ---- Bots


@given(st.integers(0, 2**64 - 1))
def test_trailing_ones(word: int) -> None:
    text = f"{word:064b}"
    assert trailing_ones(word) == len(text) - len(text.rstrip("1"))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_the_casual_bot_takes_each_verb_alike_and_numbers_near_the_least(engine: str, tmp_path: Path) -> None:
    """Bounds of six standard deviations: with the same seed these are always the same numbers."""
    game = game_of(BIDS, tmp_path, 2)
    count = 3000
    found = played(game, "casual", count=count, engine=engine)
    assert found.counts is not None
    assert found.rows is not None
    near(sorted(found.counts.taken.values()), [2 * count / 3] * 3, 2 * count)
    columns = Columns.of(game.machine)
    last = found.rows[2 :: len(columns)]  # who goes last keeps the number bid
    coins = [found.rows[index * len(columns) + columns.term(0, 1 - first)] for index, first in enumerate(last)]
    bids = Counter(coins)
    near([bids[n] for n in range(2, 8)], [count / 3 / 2**n for n in range(2, 8)], count)
    assert bids[8] > 0 or count / 3 / 2**7 < 20


def near(found: list[int], expected: list[float], tries: int) -> None:
    for one, other in zip(found, expected, strict=True):
        assert abs(one - other) < 6 * (other * (1 - other / tries)) ** 0.5, (found, expected)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_rollouts_find_the_greatest_bid(engine: str, tmp_path: Path) -> None:
    game = game_of(BIDS, tmp_path, 2)
    found = played(game, "rollouts:4,random", count=30, engine=engine)
    columns = Columns.of(game.machine)
    assert found.rows is not None
    shares = [columns.share(win) for win in found.rows[columns.win(0) :: len(columns)]]
    assert sum(shares) > Fraction(8, 10) * len(shares)


@pytest.mark.parametrize(
    ("text", "said", "help"),
    [
        ("randm", "there is no bot `randm`", "did you mean `random`?"),
        ("", "there is no bot ``", "the bots are"),
        ("random,random", "these are 2 bots, and there are 3 seats", "one for each"),
        ("random,,casual", "there is no bot ``", "the bots are"),
        ("rollouts", "it is not said how many playouts", "rollouts:50"),
        ("rollouts:", "`` is no number of playouts", "rollouts:50"),
        ("rollouts:0", "`0` is no number of playouts", "1 to 1,000,000"),
        ("rollouts:-3", "`-3` is no number of playouts", "1 to 1,000,000"),
        ("rollouts:9999999", "is no number of playouts", "1 to 1,000,000"),
        ("rollouts:5x", "`5x` is no number of playouts", "rollouts:50"),
        ("search", "it is not said how many iterations", "search:1000"),
        ("search:0", "`0` is no number of iterations", "1 to 1,000,000"),
        ("search:10^12", "`10^12` is no number of iterations", "1 to 1,000,000"),
        ("search:x", "`x` is no number of iterations", "1 to 1,000,000"),
        ("serch:5", "there is no bot `serch`", "did you mean `search`?"),
        ("casual:5", "the bot `casual` takes no number", "write `casual`"),
    ],
)
def test_bots_that_are_none(text: str, said: str, help: str) -> None:
    with pytest.raises(RulesError) as raised:
        bots_from(text, 3)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "R801"
    assert said in diagnostic.message
    assert help in diagnostic.help


def test_bots_are_said_as_they_are_named() -> None:
    assert bots_from("rollouts:50, random,casual", 3) == (Bot("rollouts", 50), Bot("random"), Bot("casual"))
    assert [str(bot) for bot in bots_from("rollouts:50,random,casual", 3)] == ["rollouts:50", "random", "casual"]
    assert bots_from("casual", 4) == (Bot("casual"),) * 4
