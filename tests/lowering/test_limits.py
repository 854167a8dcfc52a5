"""An option with a limit is chosen no more often than it says, and anew when its step begins anew."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.play.knowledge.views import view_of

from ..pipeline import machine_of, play, small, stages, value_of, walk_game

COUNTERS = """
counter log: 0..214000000
counter n: 0..99
counter done of player: 0..99
marker opener: player or none
option rich: 1..5, default players
step mark for digit: set log to log * 10 + digit
"""

BIDDING = """
for each player
    step turn
        repeat 5 times
            player chooses
                raise
                    limit {limit} per turn otherwise "you have raised"
                    do mark for 1
                wait: do mark for 2
"""


def log_of(lines: str, players: int = 2, more: str = "", choices: tuple[int, ...] = (), seed: int = 0) -> int:
    game = play(machine_of(small(COUNTERS + more, lines), players), seed, choices)
    assert game.stop.kind == "over", game.stop
    return value_of(game.executor, game.cells, "log")


def options_at_stops(lines: str, players: int, choices: list[str], more: str = "") -> list[list[str]]:
    """The verbs that can be chosen at each decision, while those named are chosen."""
    machine = machine_of(small(COUNTERS + more, lines), players)
    executor = Executor(machine)
    cells = executor.fresh(0)
    stop = executor.enter(cells)
    verbs = {group.base: group.verb for group in machine.groups}
    found = []
    for verb in choices:
        assert stop.kind == "decision"
        found.append([verbs[option] for option in executor.options(cells)])
        stop = executor.choose(cells, next(option for option, name in verbs.items() if name == verb))
    return found


def test_an_option_is_legal_as_often_as_its_limit_says_and_anew_in_the_next_turn() -> None:
    both, wait = ["raise", "wait"], ["wait"]
    chosen = ["raise", "raise", "wait", "wait", "wait", "wait", "raise", "wait", "raise", "wait"]
    assert options_at_stops(BIDDING.format(limit=2), 2, chosen) == [both, both, wait, wait, wait, both, both, both, both, wait]


def test_the_number_may_come_from_options_and_the_number_of_players() -> None:
    lines = BIDDING.format(limit="rich - 1")
    assert options_at_stops(lines, 3, ["raise"] * 2 + ["wait"])[-1] == ["wait"]
    machine = machine_of(small(COUNTERS, lines), 3, options={"rich": 2})
    executor = Executor(machine)
    cells = executor.fresh(0)
    executor.enter(cells)
    executor.choose(cells, 0)
    assert list(executor.options(cells)) == [1]
    refusal = executor.why_not(cells, 0)
    assert refusal is not None
    assert refusal.text == "you have raised"


def test_without_a_reason_the_limit_itself_is_the_reason() -> None:
    lines = """
    step turn
        repeat 2 times
            player 1 chooses
                go
                    limit 1 per turn
                stay: nothing
    """
    machine = machine_of(small(COUNTERS, lines), 2)
    executor = Executor(machine)
    cells = executor.fresh(0)
    executor.enter(cells)
    executor.choose(cells, 0)
    refusal = executor.why_not(cells, 0)
    assert refusal is not None
    assert refusal.text == "limit 1 per turn"


def test_whoever_chooses_counts() -> None:
    lines = """
    step round
        for each player
            player chooses
                claim
                    limit 1 per round
                    do mark for seat of player
                pass: do mark for 9
    """
    assert log_of(lines, 3, choices=(0, 1, 1)) == 199
    assert options_at_stops(lines, 3, ["claim", "pass", "pass"])[1:] == [["pass"], ["pass"]]


def test_a_limit_with_an_argument_counts_the_option_and_not_the_argument() -> None:
    lines = """
    step turn
        repeat 3 times
            player 1 chooses
                take a number from 1..3
                    limit 2 per turn
                    do mark for number
                stop: do mark for 9
    """
    machine = machine_of(small(COUNTERS, lines), 2)
    executor = Executor(machine)
    cells = executor.fresh(0)
    executor.enter(cells)
    executor.choose(cells, 0)
    executor.choose(cells, 2)
    assert list(executor.options(cells)) == [3]


def test_two_limits_on_one_option() -> None:
    lines = """
    step round
        repeat 2 times
            step turn
                repeat 3 times
                    player 1 chooses
                        buy
                            limit 2 per turn otherwise "twice a turn"
                            limit 3 per round otherwise "three times a round"
                        pass: nothing
    """
    assert options_at_stops(lines, 2, ["buy", "buy", "pass", "buy", "pass", "pass"]) == [
        ["buy", "pass"],
        ["buy", "pass"],
        ["pass"],
        ["buy", "pass"],
        ["pass"],
        ["pass"],
    ]


def test_a_limit_per_phase_and_per_a_step_that_is_done_by_name() -> None:
    phases = """
    phase one
        do shopping
        do shopping
    phase two
        do shopping
    """
    more = """
step shopping
    repeat 2 times
        player 1 chooses
            buy
                limit 1 per shopping
            sell: nothing
"""
    both, sell = ["buy", "sell"], ["sell"]
    assert options_at_stops(phases, 2, ["buy", "sell"] * 3, more) == [both, sell] * 3
    phase = "phase one\n    repeat 2 times: do go\n"
    go = "\nstep go\n    player 1 chooses\n        buy\n            limit 1 per one\n        sell: nothing\n"
    assert options_at_stops(phase, 2, ["buy", "sell"], go) == [both, sell]


@pytest.mark.parametrize("leaving", ["end turn", "end round", "end only"])
def test_the_count_begins_anew_however_the_step_ends(leaving: str) -> None:
    """Two ways to one position: bytes of the game are the same, whether the limit was used up or not."""
    lines = f"""
    step round
        step turn
            player 1 chooses
                raise
                    limit 1 per turn
                wait: nothing
            {leaving}
    set n to 7
    player 2 chooses
        go: nothing
    """
    machine = machine_of(small(COUNTERS, lines), 2)
    start, end = machine.layout.regions["game"]
    found = []
    for choice in (0, 1):
        executor = Executor(machine)
        cells = executor.fresh(0)
        executor.enter(cells)
        executor.choose(cells, choice)
        found.append(executor.pack(cells)[start:end])
    assert found[0] == found[1]


def test_nobody_is_shown_the_count() -> None:
    machine = machine_of(small(COUNTERS, BIDDING.format(limit=2)), 2)
    executor = Executor(machine)
    cells = executor.fresh(0)
    executor.enter(cells)
    executor.choose(cells, 0)
    for seat in (None, 1, 2):
        assert {value.name for value in view_of(machine, cells, seat).values} == {"log", "n", "done", "opener"}


VARIANTS = """
variant twice "Twice a turn"
    replace step turn
        repeat 3 times
            player 1 chooses
                raise
                    limit 2 per turn
                    do mark for 1
                wait: do mark for 2

variant extra "An extra choice"
    add before inner
        player 1 chooses
            claim
                limit 1 per turn
                do mark for 3
            skip: do mark for 4
"""


def variant_log(variants: tuple[str, ...], choices: tuple[int, ...]) -> int:
    lines = """
    step turn
        step inner: nothing
        player 1 chooses
            raise
                limit 1 per turn
                do mark for 1
            wait: do mark for 2
        step inner_too: nothing
    """
    machine = machine_of(small(COUNTERS, lines) + VARIANTS, 2, variants=variants)
    game = play(machine, 0, choices)
    assert game.stop.kind == "over", game.stop
    return value_of(game.executor, game.cells, "log")


def test_a_limit_in_a_step_that_a_variant_replaces_or_adds_to() -> None:
    assert variant_log((), (0,)) == 1
    assert variant_log(("twice",), (0, 0, 1)) == 112
    assert variant_log(("extra",), (2, 0)) == 31


def test_a_limit_must_be_inside_its_step() -> None:
    text = """
    step turn
        nothing
    step night
        player 1 chooses
            go
                limit 1 per turn
            stay: nothing
    """
    found = stages(small(COUNTERS, text), 2)
    assert found.codes == ["R241"]
    assert "what is around it: `night`, `only`" in found.messages


def test_a_step_from_two_places_is_only_inside_what_is_around_both() -> None:
    more = "\nstep go\n    player 1 chooses\n        buy\n            limit 1 per turn\n        sell: nothing\n"
    assert stages(small(COUNTERS + more, "step turn\n    do go"), 2).codes == []
    assert stages(small(COUNTERS + more, "step turn\n    do go\ndo go"), 2).codes == ["R241"]


def test_bad_limits() -> None:
    line = "step turn\n    player 1 chooses\n        go\n            limit {}\n        stay: nothing"
    assert stages(small(COUNTERS, line.format("n per turn")), 2).codes == ["R215"]
    found = stages(small(COUNTERS, line.format("1 per trun")), 2)
    assert found.codes == ["R201"]
    assert "did you mean `turn`?" in found.messages
    assert stages(small(COUNTERS, line.format("yes per turn")), 2).codes == ["R204"]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(limit=st.integers(1, 4), rounds=st.integers(1, 6), players=st.integers(1, 3), seed=st.integers(0, 1000))
def test_no_limit_is_exceeded_and_none_forbids_more_than_it_says(limit: int, rounds: int, players: int, seed: int) -> None:
    lines = f"""
    for each player
        step turn
            set n to 0
            repeat {rounds} times
                player chooses
                    raise
                        limit {limit} per turn
                        add 1 to n
                    wait: nothing
            set done of player to n
    """
    machine = machine_of(small(COUNTERS, lines), players)
    executor = Executor(machine)
    for cells, stop in walk_game(executor, seed):
        if stop.kind == "decision":
            chosen = value_of(executor, cells, "n")
            assert (0 in executor.options(cells)) == (chosen < limit)
            assert 1 in executor.options(cells)
