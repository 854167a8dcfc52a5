"""A match is the games it says: the same rules again and again, the scores added up, and nothing else carried over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.knowledge import known_of
from rulesrun.interpreter.machine.machine import EARLIER, Field, Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.game import Game, table_of
from rulesrun.interpreter.play.page import plain
from rulesrun.interpreter.play.records.replay import replay
from rulesrun.interpreter.play.records.transcript import transcript_of
from rulesrun.interpreter.play.result import result
from rulesrun.interpreter.rules import rules_from

from ..pipeline import GAMES, lying, machine_of, play, small, value_of, walk_game

MATCH = "match of {} games, highest score, then shared\n"

DEEP = """
game deep
    players 2..3
cards card, 1 of each
    suit: moon, sun, star
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone shown of player: slot of card, open
zone vault: pile of card, hidden
counter coins of player: -30..60
counter pot: 2..9
define loose of card: not (card in vault or card in every hand or card in every shown)
marker dealer: player or none
marker mood of player: yes or no
{match}
setup
    shuffle every card where loose into deck
    if dealer is none: set dealer to player 2
    otherwise: set dealer to left of dealer
    for each player: draw 2 from deck to hand of player
step turn of player
    for each card in hand of player by highest rank: do offer of player for card
step offer of player for card
    player chooses
        keep
            set mood of player to yes
            if shown of player is none: move card to shown of player
            otherwise: do close of player
        sink
            move card to vault
            take 1 from coins of player
step close of player
    repeat until coins of player > 9
        add 2 to coins of player
        if pot is 9: end game
        add 1 to pot
phase early
    repeat 2 times
        for each player clockwise from dealer: do turn of player
phase late
    for each player: add 3 to coins of player
score of player
    coins: coins of player
    top: rank of shown of player if shown of player is not none
winner highest score, then shared
"""


def deep(match: str = "", keep: str = "") -> str:
    """A game with a kept dealer, whose end can come four steps deep, and a hidden zone to be kept."""
    return DEEP.format(match=match + (f"    keep {keep}\n" if keep else ""))


def masti(match: str) -> Machine:
    text = (GAMES / "masti.rules").read_text(encoding="utf-8")
    files = {"data/masti.csv": (GAMES / "data" / "masti.csv").read_text(encoding="utf-8")}
    return machine_of(text + "\n" + match, 3, files=files)


def field_of(machine: Machine, name: str) -> Field:
    return next(field for field in machine.layout.record if isinstance(field, Field) and field.name == name)


def acts(executor: Executor, seed: int) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """What happens in a game by bots: at each stop what it is, where, and the first bytes that every such machine has."""
    cells = executor.fresh(seed)
    stop = executor.enter(cells)
    while stop.node is not None:
        if stop.kind == "chance":
            taken = executor.draw(cells)
            yield stop.kind, taken, tuple(weight for _, weight in executor.outcomes(cells))
            stop = executor.happen(cells, taken)
        else:
            options = tuple(executor.options(cells))
            taken = executor.pick(cells, executor.player(cells))
            yield stop.kind, taken, options
            stop = executor.choose(cells, taken)


# ---- What carries over


def test_a_dealer_that_is_kept_moves_on() -> None:
    log = """
    counter log: 0..999
    counter deals: 0..9
    marker dealer: player or none
    match of 3 games, highest score, then shared
        keep log, dealer
    setup
        add 1 to deals
        if dealer is none: set dealer to player 3
        otherwise: set dealer to left of dealer
        set log to log * 10 + seat of dealer * deals
    """
    game = play(machine_of(small(log), 3))
    assert value_of(game.executor, game.cells, "log") == 312
    assert value_of(game.executor, game.cells, "deals") == 1


def test_the_rules_know_which_game_it_is() -> None:
    log = """
    counter log: 0..99999
    table passing by games_played: 0: 1, 1: 3, otherwise: 2
    match of 4 games, highest score, then shared
        keep log
    setup
        set log to log * 10 + passing
    """
    game = play(machine_of(small(log), 2))
    assert value_of(game.executor, game.cells, "log") == 1322


def test_a_match_until_somebody_has_enough() -> None:
    text = """
    game race
        players 2
    counter coins of player: 0..9
    match until somebody with score at least 10, at most {} games, highest score, then shared
    phase only
        set coins of player 2 to 3
    score of player
        coins: coins of player
        extra: 1
    winner highest score, then shared
    """
    game = play(machine_of(text.format(9)))
    assert [game.executor.evaluate(game.cells, "score", seat) for seat in (0, 1)] == [3, 12]
    assert value_of(game.executor, game.cells, "games_played") == 2
    assert [(term.title, game.executor.evaluate(game.cells, term.function, 1)) for term in game.machine.terms] == [
        ("coins, earlier games", 6),
        ("extra, earlier games", 2),
        ("coins, last game", 3),
        ("extra, last game", 1),
    ]
    assert value_of(*_ended(text.format(2)), "games_played") == 1


def _ended(text: str) -> tuple[Executor, list[int]]:
    game = play(machine_of(text))
    return game.executor, game.cells


def test_a_match_of_so_many_games_as_an_option_says() -> None:
    text = small("option rounds: 1..5, default 2\n" + MATCH.format("rounds"))
    for rounds in (1, 2, 5):
        game = play(machine_of(text, 2, options={"rounds": rounds}))
        assert value_of(game.executor, game.cells, "games_played") == rounds - 1


@pytest.mark.parametrize("seed", range(6))
def test_of_equal_components_those_that_are_kept_are_not_in_the_box(seed: int) -> None:
    lines = """
    cards card, 2 of each
        rank: 1..3
    zone deck, left_over: pile of card, hidden
    zone vault of player: pile of card, hidden
    zone crown: slot of card, open
    match of 2 games, highest score, then shared
        keep vault, crown
    """
    phase = """
    if games_played is 0
        shuffle every card into deck
        draw 1 from deck to crown
        for each player: draw 1 from deck to vault of player
        draw 1 from deck to left_over
    """
    machine = machine_of(small(lines, phase), 2)
    game = play(machine, seed)
    executor, cells = game.executor, game.cells
    assert len(_lying(executor, cells, "vault", "crown")) == 3
    assert _lying(executor, cells, "deck", "left_over") == []
    assert sorted(_lying(executor, cells, "vault", "crown", "box of card")) == [0, 0, 1, 1, 2, 2]


def _lying(executor: Executor, cells: list[int], *names: str) -> list[int]:
    zones = [zone for zone in executor.machine.zones if zone.name in names]
    return [card for zone in zones for owner in range(2 if zone.owned else 1) for card in lying(executor, cells, zone, owner)]


# ---- How a game of it ends


@pytest.mark.parametrize(
    ("place", "log"),
    [
        ("", 1212),
        ("    end game\n", 11),
        ("    for each player\n        if games_played is 0: end game\n", 112),
        ("    repeat until no\n        for each player by highest seat: do stop_at of player\n", 11),
        ("    do stop_at of player 1\n    do stop_at of player 2\n", 11),
        ("    for each player\n        step here\n            do stop_at of player\n", 11),
    ],
)
def test_the_end_of_a_game_is_not_the_end_of_the_match(place: str, log: int) -> None:
    declared = f"""
counter log: 0..99999
step stop_at of player
    if seat of player is 2: end game
    add 0 to log
{MATCH.format(2)}    keep log
"""
    phases = f"phase one\n    set log to log * 10 + 1\n{place}phase two\n    set log to log * 10 + 2\n"
    game = play(machine_of(small(declared, phases), 2))
    assert game.stop.kind == "over"
    assert value_of(game.executor, game.cells, "log") == log


def test_a_choice_can_end_a_game() -> None:
    declared = f"counter log: 0..99999\n{MATCH.format(2)}    keep log\n"
    phase = """
    for each player
        player chooses
            stop: end game
            go_on: set log to log * 10 + seat of player
    """
    machine = machine_of(small(declared, phase), 2)
    assert [value_of(*_chosen(machine, *choices), "log") for choices in ((0, 0), (1, 0, 1, 1), (1, 1, 0))] == [0, 112, 12]


def _chosen(machine: Machine, *choices: int) -> tuple[Executor, list[int]]:
    game = play(machine, choices=choices)
    assert game.stop.kind == "over"
    return game.executor, game.cells


def test_a_position_does_not_tell_how_the_game_before_it_ended() -> None:
    """The first game ends by itself, or in the middle: the second begins in the same bytes."""
    phase = """
    player 1 chooses
        stop: end game
        go_on: nothing
    """
    machine = machine_of(small(MATCH.format(2), phase), 2)
    executor = Executor(machine)
    found = set()
    for option in (0, 1):
        cells = executor.fresh(0)
        executor.enter(cells)
        executor.choose(cells, option)
        found.add(executor.record.game(executor.pack(cells)))
    assert len(found) == 1


HEADS = [
    "if log mod 2 is 0",
    "for each player {name}",
    "for each player {name} by lowest seat",
    "for each player {name} in random order",
    "repeat 2 times",
    "player 1 chooses\n    go_on: nothing\n    do_it",
]
Part = str | tuple[str, list["Part"]]


def _parts(*more: str) -> st.SearchStrategy[list[Part]]:
    """Statements that leave marks in the log, and end the game here and there. ``more``: statements that they use as well."""
    marks = st.integers(1, 9).map(lambda digit: f"do mark for {digit}")
    one: st.SearchStrategy[Part] = st.recursive(
        st.one_of(marks, marks, st.sampled_from(["end game", *more])),
        lambda inside: st.tuples(st.sampled_from(HEADS), st.lists(inside, min_size=1, max_size=3)),
        max_leaves=6,
    )
    return st.lists(one, min_size=1, max_size=3)


def _written(parts: list[Part], depth: int) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield " " * depth + part
            continue
        lines = part[0].format(name=f"one_{depth}").split("\n")
        yield from (" " * depth + line for line in lines)
        yield from _written(part[1], depth + 4 * min(2, len(lines)))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(_parts("do deep_step"), _parts(), st.integers(0, 99))
def test_wherever_a_game_ends_the_first_of_a_match_ends_there(phase: list[Part], step: list[Part], seed: int) -> None:
    lines = ["counter log: 0..999999", "step mark for digit: set log to (log * 7 + digit) mod 999983"]
    lines += ["step deep_step", *_written(step, 4)]
    phases = ["phase one", *_written(phase, 4), "phase two", "    do mark for 5"]
    text = small("\n".join(lines), "\n".join(phases) + "\n").replace("points: 0", "points: log")
    alone = play(machine_of(text, 2), seed)
    match = play(machine_of(text + MATCH.format(2), 2), seed)
    assert list(violations(match.machine)) == []
    assert match.stop.kind == alone.stop.kind == "over"
    first = match.machine.terms[0].function
    assert match.executor.evaluate(match.cells, first, 0) == alone.executor.evaluate(alone.cells, "score", 0)
    assert value_of(match.executor, match.cells, "games_played") == 1


# ---- Laws


@pytest.mark.parametrize("match", ["match of 3 games", "match until somebody with score > 25, at most 4 games"])
@pytest.mark.parametrize("keep", ["dealer", "dealer, vault, shown", "dealer, coins, hand"])
def test_the_score_is_the_sum_of_its_lines_and_nothing_is_lost(match: str, keep: str) -> None:
    machine = machine_of(deep(f"{match}, highest score, then shared\n", keep), 3)
    assert list(violations(machine)) == []
    executor = Executor(machine)
    everything = sorted(machine.kinds["card"].members((1 << machine.kinds["card"].bits) - 1))
    for seed in range(12):
        for cells, stop in walk_game(executor, seed):
            assert stop.kind != "fault", stop.text
            zones = [lying(executor, cells, zone, owner) for zone in machine.zones for owner in range(3 if zone.owned else 1)]
            assert sorted(card for zone in zones for card in zone) == everything
            for seat in range(3):
                total = executor.evaluate(cells, "score", seat)
                assert total == sum(executor.evaluate(cells, term.function, seat) for term in machine.terms)
                this = sum(executor.evaluate(cells, f"score for {name} in this game", seat) for name in ("coins", "top"))
                assert total == this + executor.evaluate(cells, EARLIER, seat)


@pytest.mark.parametrize("keep", ["", "dealer, mood", "dealer, vault", "dealer, hand, shown"])
def test_a_later_game_begins_as_the_first_did_except_for_what_is_kept(keep: str) -> None:
    machine = machine_of(deep(MATCH.format(3), keep), 3)
    executor = Executor(machine)
    fresh = executor.fresh(0)
    executor.enter(fresh, "begin")
    kept = {"games_played", "earlier coins", "earlier top", "box of card"}
    for name in keep.split(", "):
        kept |= {name, f"top of {name}", f"size of top of {name}"}
    hidden = {"hand", "vault"} & set(keep.split(", "))
    for seed in range(8):
        for cells, stop in walk_game(executor, seed):
            if stop.kind != "decision":
                continue
            again = list(cells)
            executor.enter(again, "back to the box")
            for field, place in machine.layout.record.items():
                if isinstance(field, Field) and field.region in ("game", "knowledge"):
                    if field.name in kept or (hidden and field.region == "knowledge"):
                        continue
                    here = slice(place.slot, place.slot + place.length)
                    assert again[here] == fresh[here], field.name
            if keep in ("", "dealer, mood"):
                box = machine.layout.record[field_of(machine, "box of card")].slot
                assert again[box] == fresh[box]


def test_what_is_known_of_kept_places_stays_and_is_true() -> None:
    machine = machine_of(deep(MATCH.format(3), "dealer, vault, hand"), 3)
    executor = Executor(machine)
    stayed = 0
    for seed in range(8):
        for cells, _ in walk_game(executor, seed):
            known = [known_of(machine, machine.knowledge[0], cells, seat) for seat in (1, 2, 3)]
            for zone in machine.zones:
                if zone.place is None:
                    continue
                for owner in range(3 if zone.owned else 1):
                    there = Counter(lying(executor, cells, zone, owner))
                    for each in known:
                        sure = Counter(each[zone.place + owner].certain)
                        assert sure <= there
                        assert set(there - sure) <= set(each[zone.place + owner].may)
                        stayed += bool(sure) and value_of(executor, cells, "games_played") > 0 and zone.name == "vault"
    assert stayed


@pytest.mark.parametrize("seed", range(3))
def test_the_first_game_of_a_match_is_the_game(seed: int) -> None:
    plain_game, match = masti(""), masti(MATCH.format(2))
    alone, both = list(acts(Executor(plain_game), seed)), list(acts(Executor(match), seed))
    assert both[: len(alone)] == alone
    assert len(both) > len(alone)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_match_of_one_game_is_the_game(seed: int) -> None:
    alone, match = play(masti(""), seed), play(masti("match of 1 games\n"), seed)
    assert list(acts(alone.executor, seed)) == list(acts(match.executor, seed))
    for function in ("score", "score of team"):
        for seat in range(3):
            assert alone.executor.evaluate(alone.cells, function, seat) == match.executor.evaluate(match.cells, function, seat)
    assert alone.executor.evaluate(alone.cells, "winner", 7) == match.executor.evaluate(match.cells, "winner", 7)
    assert [f"{term.name}, game 1" for term in alone.machine.terms] == [term.title for term in match.machine.terms]


def test_without_a_match_nothing_of_it_is_there() -> None:
    machine = machine_of(deep(), 2)
    assert "match" not in machine.routines
    assert EARLIER not in machine.functions
    assert machine.main == ("begin", "setup", "phase early", "phase late")


# ---- What is told of it


def game_of(text: str, *variants: str) -> Game:
    return table_of(rules_from(Source("match.rules", text)), 2, variants)


def counting(games: int, phase: str = "for each player: set coins of player to games_played + seat of player") -> str:
    """A match in which the coins of players are their points."""
    declared = "counter coins of player: 0..9\n" + MATCH.format(games)
    return small(declared, phase).replace("points: 0", "points: coins of player")


def test_the_sheet_is_told_game_by_game() -> None:
    state = game_of(counting(2).replace("points: ", "debts: -1\n    points: ")).start(0)
    assert state.scores == [1, 3]
    assert state.terms == {
        "debts, game 1": [-1, -1],
        "points, game 1": [1, 2],
        "debts, game 2": [-1, -1],
        "points, game 2": [2, 3],
    }
    assert plain(result(state)) == (
        "Scores\n"
        "             player 1   player 2\n"
        "  ------------------------------\n"
        "  game 1\n"
        "    debts          \N{MINUS SIGN}1         \N{MINUS SIGN}1\n"
        "    points          1          2\n"
        "  game 2\n"
        "    debts          \N{MINUS SIGN}1         \N{MINUS SIGN}1\n"
        "    points          2          3\n"
        "  ------------------------------\n"
        "  sum               1          3\n"
        "\nRanking\n"
        "  1. player 2 (3)\n"
        "  2. player 1 (1)\n"
    )
    assert [event.text for event in state.events if event.text.startswith("\ngame")] == ["\ngame 1", "\ngame 2"]
    for seat in (1, 2):
        assert state.observed(seat) == ("after game 1: player 1 0", "after game 1: player 2 1")


@pytest.mark.parametrize(
    ("line", "one", "blocks"),
    [
        ("match of 2 rounds", "round", ["round 1", "round 2"]),
        ("match of 2 deal", "deal", ["deal 1", "deal 2"]),
        ("match of players voyages", "voyage", ["voyage 1", "voyage 2"]),
        ("match until games_played is 1, at most 4 matches", "match", ["earlier matches", "last match"]),
    ],
)
def test_the_games_can_be_called_otherwise(line: str, one: str, blocks: list[str]) -> None:
    state = game_of(counting(2).replace("match of 2 games", line)).start(0)
    assert list(state.terms) == [f"points, {block}" for block in blocks]
    assert [event.text for event in state.events if event.text.startswith("\n")][::2] == [f"\n{one} 1", f"\n{one} 2"]
    assert state.observed(1)[0] == f"after {one} 1: player 1 1"


def test_a_view_tells_which_game_it_is_and_how_the_match_stands() -> None:
    phase = "for each player\n    set coins of player to 2 + seat of player\n    player chooses\n        pass: nothing\n"
    running = game_of(counting(2, phase)).start(0)
    for _ in range(2):
        running.play("pass")
    for seat in (None, 1, 2):
        values = {(value.name, value.of): value.value for value in running.view(seat).values}
        assert values["games_played", ""] == "1"
        assert [values[EARLIER, f"player {n}"] for n in (1, 2)] == ["3", "4"]


def test_a_match_is_saved_and_goes_on() -> None:
    game = game_of(deep(MATCH.format(2), "dealer, vault"))
    state = game.start(5)
    while not state.is_over:
        again = game.from_bytes(state.to_bytes())
        assert again == state
        assert again.scores == state.scores
        assert again.ranking == state.ranking
        state.play_at_random()


def test_a_match_is_written_down_and_played_again() -> None:
    game = game_of(deep(MATCH.format(3), "dealer"))
    state = game.start(2)
    while not state.is_over:
        state.play_at_random()
    again = replay(transcript_of(state, 2), game)
    assert again.diagnostics == ()
    assert again.state.terms == state.terms
    assert again.state.ranking == state.ranking


# ---- Tests in the file


def test_a_test_that_begins_in_the_middle_plays_one_game() -> None:
    text = (
        deep(MATCH.format(3), "dealer")
        + """
test "one game only"
    players Ann, Bob
    given coins of Ann: 4
    given games_played: 2
    start late
    expect score of Ann is 7
    expect coins of Ann is 7
    expect games_played is 2
test "a step that ends the game, and then a phase"
    players Ann, Bob
    given pot: 9
    start close of Ann
    expect coins of Ann is 2
    start late
    expect coins of Ann is 5
"""
    )
    assert [(r.title, r.passed, r.diagnostics) for r in run_tests(rules_from(Source("t.rules", text))) if not r.passed] == []


def test_a_test_from_the_beginning_plays_the_whole_match() -> None:
    text = (
        counting(3)
        + """
test "three games"
    players Ann, Bob
    expect score of Ann is 1 + 2 + 3
    expect score of Bob for points is 2 + 3 + 4
    expect winners is (Bob)
"""
    )
    assert all(result.passed for result in run_tests(rules_from(Source("t.rules", text))))


# ---- Variants


VARIANTS = (
    small("counter coins of player: 0..9", "for each player: set coins of player to seat of player")
    + """
variant long
    match of 4 games, highest score, then shared
variant short
    match of 2 games, lowest score, then shared
"""
)


def test_a_variant_can_make_a_match_of_a_game() -> None:
    text = VARIANTS.replace("points: 0", "points: coins of player")
    for variants, scores, first in (((), [1, 2], [2]), (("long",), [4, 8], [2]), (("short",), [2, 4], [1])):
        state = game_of(text, *variants).start(0)
        assert (state.scores, state.ranking[0]) == (scores, first)


def test_a_variant_can_replace_a_match() -> None:
    text = small(MATCH.format(3)).replace("points: 0", "points: 1") + "variant longer\n    replace match of 5 games\n"
    assert game_of(text).start(0).scores == [3, 3]
    assert game_of(text, "longer").start(0).scores == [5, 5]


def test_a_kept_thing_may_decide_the_match_when_the_game_asks_for_it() -> None:
    text = """
    game rounds
        players 2
    counter wins of player: 0..9
    match of 3 games
        keep wins
    phase only
        add 1 to wins of player 2
    score of player
        points: 0
    winner highest score, then most wins, then shared
    """
    game = play(machine_of(text))
    assert game.executor.evaluate(game.cells, "winner", 3) == 2
