"""Play never contradicts the facts that counting proves: ends of games, numbers, and lookups for which there always is a row.

Random rules with all the constructs of the language, and all tables of the shipped games. ``RULESRUN_SEEDS=1000`` plays more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.checks.abstract.condition_log import BOTH, HOLDS, ConditionLog
from rulesrun.interpreter.checks.abstract.domain.states import Index, ground_of
from rulesrun.interpreter.checks.abstract.domain.values import NOBODY
from rulesrun.interpreter.checks.abstract.extents import Extent, Extents
from rulesrun.interpreter.checks.abstract.interpreter import AbstractInterpreter, answered, counted
from rulesrun.interpreter.checks.abstract.whole_game import of_components, overall
from rulesrun.interpreter.checks.lints.no_effect.decided import decided_by_markers
from rulesrun.interpreter.checks.lints.scores import scores
from rulesrun.interpreter.common.intervals import Interval
from rulesrun.interpreter.common.source import Span
from rulesrun.interpreter.machine.from_table import lower
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.places import amount, places_of
from rulesrun.interpreter.machine.reference.executor import Executor, FunctionFault
from rulesrun.interpreter.machine.reference.stops import Stop
from rulesrun.interpreter.model import model
from rulesrun.interpreter.model.visitor import with_parts
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.play.knowledge.views import lying
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.simulate.engines.engine import engine_for
from rulesrun.interpreter.table.from_model import specialise, with_open_options
from rulesrun.interpreter.table.sampling.combinations import tables_of
from rulesrun.interpreter.table.table import Table

from ..generated.lockstep import STOPS
from ..generated.programs import player_counts, programs
from ..pipeline import GAMES, stages

EXAMPLES = int(os.environ.get("RULESRUN_SEEDS", "12"))
GAMES_OF_EACH = 4


def stops(executor: Executor, game: int) -> Iterator[tuple[Stop, list[int]]]:
    """The positions in which a random game stops, until it is over or a fault stops it."""
    cells = executor.fresh(7, game)
    stop = executor.enter(cells)
    for _ in range(STOPS):
        yield stop, cells
        if stop.kind in ("over", "fault"):
            return
        if stop.kind == "decision":
            stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
        else:
            stop = executor.happen(cells, executor.draw(cells))


def ends(machine: Machine, games: int) -> Iterator[tuple[Executor, list[int], Stop]]:
    """The positions in which random games are over or stopped by a fault."""
    executor = Executor(machine)
    for game in range(games):
        for stop, cells in stops(executor, game):
            if stop.kind in ("over", "fault"):
                yield executor, cells, stop


def contradictions(table: Table, machine: Machine, doubtful: set[Span | None], games: int) -> Iterator[str]:
    """What games end with that was proved impossible. ``doubtful``: the lookups for which there may be no row."""
    end, ranges = counted(table).end, scores(table)
    settled = answered({span for span in doubtful if span is not None}, table)
    for executor, cells, stop in ends(machine, games):
        if stop.fault is not None:
            if stop.fault.code == "R603" and (stop.fault.span not in doubtful or stop.fault.span in settled):
                yield stop.text
            continue
        if end is None or ranges is None:
            yield "a game is over"
            continue
        if table.match is None:
            for zone, owner in places_of(machine):
                low, high = end.content[zone.name, NOBODY if owner is None else owner]
                there = amount(machine, zone, owner, cells)
                held = ("removed from " + zone.name, NOBODY if owner is None else owner)
                most = high + end.content.get(held, (0, 0))[1]
                if not low <= there <= most:
                    yield f"{there} in {zone.name} of {owner}, not {low}..{most}"
            yield from out_of_range(table, machine, cells, end.variables)
        for seat in range(machine.seats):
            for function, (low, high) in (("score", ranges.score), (machine.returns, ranges.returns)):
                with suppress(FunctionFault):
                    value = executor.evaluate(cells, function, seat)
                    if not low <= value <= high:
                        yield f"a {function} of {value}, not {low}..{high}"


def out_of_range(table: Table, machine: Machine, cells: list[int], ranges: Mapping[Index, Interval]) -> Iterator[str]:
    """Counters and markers that are not what was proved; of all components together one thing is known."""
    for view in machine.variables:
        place, variable = machine.layout.record[view.content], table.variables.get(view.name)
        if variable is None:
            continue
        for index in range(place.length):
            alone = view.owner is None or of_components(variable)
            low, high = ranges[view.name, NOBODY if alone else index]
            value = cells[place.slot + index]
            if not low <= value <= high:
                yield f"{value} in {view.name} {index}, not {low}..{high}"


def too_large(table: Table, machine: Machine, cells: list[int], most: Mapping[Extent, int]) -> Iterator[str]:
    """What is wider or higher on a grid than was proved."""
    for grid in machine.grids:
        shape = table.grids[grid.name]
        for owner in range(machine.seats) if shape.owned else (None,):
            covered = [cell for _, _, part in lying(machine, grid, owner, cells) for cell in part]
            for what, places in (("width", {c % shape.width for c in covered}), ("height", {c // shape.width for c in covered})):
                size = max(places) - min(places) + 1 if places else 0
                if size > most.get((grid.name, what), 0):
                    yield f"a {what} of {size} on {grid.name}, not {most.get((grid.name, what), 0)}"


@pytest.mark.slow
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None)
@given(programs(), st.data())
def test_counters_and_markers_never_leave_their_ranges(text: str, data: st.DataObject) -> None:
    """Those of a whole game, at every stop of it."""
    found = stages(text, data.draw(st.sampled_from(list(player_counts(text)))))
    assume(found.machine is not None and found.table is not None)
    assert found.table is not None
    assert found.machine is not None
    known = overall(ground_of(found.table))
    ranges = {index: of_one[index] for of_one in known.ranges.values() for index in of_one}
    executor = Executor(found.machine)
    extents = Extents(ground_of(found.table))
    AbstractInterpreter(found.table, extents.line).game()
    for game in range(GAMES_OF_EACH):
        for _, cells in stops(executor, game):
            assert list(too_large(found.table, found.machine, cells, extents.most)) == [], text
            assert list(out_of_range(found.table, found.machine, cells, ranges)) == [], text
            for zone, owner in places_of(found.machine):
                if (zone.name, NOBODY if owner is None else owner) in known.empty:
                    assert amount(found.machine, zone, owner, cells) == 0, text


@pytest.mark.slow
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None)
@given(programs(), st.data())
def test_random_rules_never_end_otherwise(text: str, data: st.DataObject) -> None:
    counts = player_counts(text)
    rows = data.draw(st.sampled_from((text, text.replace(", otherwise: 0", ""))))
    found = stages(rows, data.draw(st.sampled_from(list(counts))))
    assume(found.machine is not None and found.table is not None)
    assert found.table is not None
    assert found.machine is not None
    doubtful = {finding.span for finding in found.diagnostics if finding.code == "R303"}
    assert list(contradictions(found.table, found.machine, doubtful, GAMES_OF_EACH)) == [], rows


def as_decided(step: model.Step, asked: ConditionLog) -> model.Step:
    """A step in which the conditions that counting decides are constants."""

    def of(test: model.Expr) -> model.Expr:
        can = asked.can.get(test.span, BOTH)
        return test if can == BOTH else model.Const(int(can == HOLDS), type=model.TRUTH, span=test.span)

    def change(part: Any) -> Any:
        if isinstance(part, model.Typed):
            return part
        part = with_parts(part, change)
        if isinstance(part, model.If):
            return evolve(part, condition=of(part.condition))
        return evolve(part, test=of(part.test)) if isinstance(part, model.Condition) and not part.laid else part

    return with_parts(step, change)


def course(machine: Machine, game: int) -> list[tuple[str, list[int]]]:
    """The stops of a random game, with how much lies where; a fault is none."""
    return [
        (stop.kind, [amount(machine, zone, owner, cells) for zone, owner in places_of(machine)])
        for stop, cells in stops(Executor(machine), game)
        if stop.kind != "fault"
    ]


@pytest.mark.slow
@settings(max_examples=max(EXAMPLES // 4, 1), suppress_health_check=list(HealthCheck), deadline=None)
@given(programs(), st.integers(1, 4), st.data())
def test_games_are_the_same_without_the_conditions_that_are_decided(text: str, rounds: int, data: st.DataObject) -> None:
    """What is decided with the options left open is so whatever they are."""
    players = data.draw(st.sampled_from(list(player_counts(text))))
    found = stages(text, players)
    assume(found.machine is not None and found.model is not None)
    assert found.model is not None
    asked, open_table = ConditionLog(), with_open_options(found.model, players)
    assume(open_table.table is not None and not open_table.settled.needed)
    assert open_table.table is not None
    counted(open_table.table, asked)
    for span, can in decided_by_markers([open_table]).can.items():
        asked.can[span] = asked.can.get(span, BOTH) & can
    table = specialise(found.model, players, (), {"rounds": rounds}).table
    assert table is not None
    without = evolve(
        table,
        flow=tuple(as_decided(step, asked) for step in table.flow),
        steps={name: as_decided(step, asked) for name, step in table.steps.items()},
    )
    machine, other = lower(table).machine, lower(without).machine
    assert machine is not None
    assert other is not None
    for game in range(GAMES_OF_EACH):
        before, after = course(machine, game), course(other, game)
        assert after[: len(before)] == before, text  # to where it stops: a condition that is no longer asked cannot stop it


RULES = {name: read_rules(GAMES / f"{name}.rules") for name in ("masti", "kingdomino", "for_the_king", "templates/new")}
TABLES = [
    (name, each.choice.players, each.choice.variants)
    for name, rules in RULES.items()
    for each in tables_of(rules.required()).tables
    if len(each.choice.variants) <= 1 and not each.choice.options and each.found.table is not None
]
GAMES_PLAYED = 800


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "variants"), TABLES)
def test_shipped_games_score_within_the_ranges(name: str, players: int, variants: tuple[str, ...]) -> None:
    """Each line of the score sheet and the whole, of many random games, by the fast machine."""
    game = table_of(RULES[name], players, variants)
    ranges = scores(game.table)
    assert ranges is not None
    engine = engine_for(game, bots_from("random", players), "wasm")
    tally = engine.play(7, 0, GAMES_PLAYED).tally
    columns = game.columns
    assert tally.games == GAMES_PLAYED
    for seat in range(players):
        low, high = ranges.score
        assert all(low <= value <= high for value in tally.histograms[columns.score(seat)])
    if game.table.match is None:
        for number, (_, (low, high)) in enumerate(ranges.terms):
            for seat in range(players):
                assert all(low <= value <= high for value in tally.histograms[columns.term(number, seat)])
