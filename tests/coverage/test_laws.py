"""Laws of coverage, whatever is played: it changes nothing, it adds up, and its counts are those of the game itself."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.coverage.coverage import coverage_of
from rulesrun.interpreter.coverage.listing import rows
from rulesrun.interpreter.coverage.playing import Covered, play_by_chance
from rulesrun.interpreter.coverage.reached import Place, Reached, together
from rulesrun.interpreter.coverage.watch import Watch, watched
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.rules import Rules, build, read_rules, rules_from
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..generated.programs import player_counts, programs
from ..pipeline import GAMES, small, value_of

TABLES = [("masti", 4, ("partners",)), ("masti", 6, ()), ("kingdomino", 2, ("dynasty", "harmony")), ("for_the_king", 3, ())]
patient = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


def shipped(name: str) -> Rules:
    return read_rules(GAMES / f"{name}.rules")


def watch(rules: Rules, players: int, variants: tuple[str, ...] = ()) -> Watch:
    found = watched(rules.required(), players, variants)
    assert found is not None
    return found


# ---- It changes nothing


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "variants"), TABLES)
def test_a_watched_game_is_the_same_game(name: str, players: int, variants: tuple[str, ...]) -> None:
    rules = shipped(name)
    _, machine = build(rules.required(), players, variants).required()
    assert list(differences(Executor(machine), watch(rules, players, variants), 7, 0, 1000, counted=False)) == []


@pytest.mark.slow
@patient
@given(programs(), st.integers(0, 2**64 - 1))
def test_random_rules_are_played_alike_and_keep_the_promises_of_a_machine(text: str, seed: int) -> None:
    rules = rules_from(Source("test.rules", text))
    if rules.model is None:
        return
    for players in player_counts(text):
        plain = build(rules.model, players).machine
        if plain is not None:
            marked = watch(rules, players)
            assert violations(marked.machine) == []
            assert list(differences(Executor(plain), marked, seed, 0, scored="at the end", counted=False)) == []


@pytest.mark.slow
def test_the_fast_executor_plays_a_machine_with_marks_too() -> None:
    marked = watch(shipped("masti"), 3)
    assert list(differences(marked, WasmExecutor(marked.machine), 7, 0)) == []


# ---- It adds up


@pytest.mark.slow
@pytest.mark.parametrize("name", ["masti", "kingdomino"])
def test_what_several_games_reach_is_what_each_of_them_reaches(name: str) -> None:
    rules = shipped(name)
    one_by_one = [play_by_chance(watch(rules, 3), 5, game) for game in range(4)]
    in_a_row = watch(rules, 3)
    found = together(play_by_chance(in_a_row, 5, game) for game in range(4))
    assert found.places == frozenset().union(*(each.places for each in one_by_one))
    counted = {place for place in found.places if place.kind not in ("reason", "limit")}
    assert {place: found.times(place) for place in counted} == {
        place: sum(each.times(place) for each in one_by_one) for place in counted
    }


PLACES = [Place("statement", Span(Source("x", "0123456789"), at, at + 1)) for at in range(6)]


@pytest.mark.slow
@given(st.lists(st.dictionaries(st.sampled_from(PLACES), st.integers(1, 9))))
def test_the_order_in_which_games_are_added_up_does_not_matter(many: list[dict[Place, int]]) -> None:
    games = [Reached(each) for each in many]
    assert dict(together(games).counts) == dict(together(reversed(games)).counts)
    assert together(games).places == frozenset().union(*(game.places for game in games))
    assert together(games) + Reached() == together(games)


# ---- Its counts are those of the game itself


class Counted:
    """A body in which each line that does something counts itself in a counter of its own."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.numbers = count()

    def body(self, depth: int) -> list[str]:
        return [line for _ in range(self.draw(st.integers(1, 3))) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        kinds = ("count", "if", "settled", "each", "times", "choice", "end") if depth else ("count",)
        match self.draw(st.sampled_from(kinds)):
            case "if":
                low = self.draw(st.integers(0, 8))
                return [f"if total coins of players > {low}", *self.inside(depth), "otherwise", *self.inside(depth)]
            case "settled":
                return [f"if players is {self.draw(st.integers(1, 3))}", *self.inside(depth)]
            case "each":
                low = self.draw(st.integers(0, 3))
                return [f"for each player other{depth} with coins > {low}", *self.inside(depth)]
            case "times":
                return [f"repeat {self.draw(st.integers(0, 2))} times", *self.inside(depth)]
            case "choice":
                verbs = [f"act{next(self.numbers)}" for _ in range(2)]
                options = [line for verb in verbs for line in (verb, *self.inside(depth))]
                return ["player 1 chooses", *(f"    {line}" for line in options)]
            case "end":
                return [f"if total coins of players > {self.draw(st.integers(3, 9))}: end game"]
            case _:
                return [f"add 1 to seen{next(self.numbers)}", "set coins of player 2 to (coins of player 2 + 1) mod 6"]

    def inside(self, depth: int) -> list[str]:
        return [f"    {line}" for line in self.body(depth - 1)]


@st.composite
def counted(draw: st.DrawFn) -> str:
    body = Counted(draw)
    lines = body.body(3)
    counters = "counter coins of player: 0..9\n" + "".join(
        f"counter seen{number}: 0..9999\n" for number in range(next(body.numbers))
    )
    return small(counters, "\n".join(lines)).replace("players 1..4", "players 2..3")


@pytest.mark.slow
@patient
@given(counted(), st.integers(2, 3), st.integers(0, 9))
def test_a_line_was_reached_as_often_as_it_counted_itself(text: str, players: int, game: int) -> None:
    rules = rules_from(Source("test.rules", text))
    one = watch(rules, players)
    cells = one.fresh(1, game)
    stop = one.enter(cells)
    while stop.node is not None:
        stop = one.choose(cells, one.pick(cells, one.player(cells)))
    coverage = coverage_of("", rules.required(), Covered(games=1, by_games=one.taken()))
    for row in rows(coverage):
        line = text.splitlines()[row.number - 1].strip()
        if line.startswith("add 1 to "):
            assert row.games.reached == value_of(one, cells, line.removeprefix("add 1 to "))
