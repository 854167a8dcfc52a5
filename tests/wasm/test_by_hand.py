"""Machines made by hand for what the emitter takes for granted: loops that are written out, what is known, what comes first."""

from __future__ import annotations

import pytest
from attrs import evolve
from rulesrun.interpreter.machine.columns import FAULT
from rulesrun.interpreter.machine.machine import (
    Assign,
    Block,
    Const,
    Domain,
    Expr,
    Field,
    If,
    Invoke,
    Leave,
    Load,
    Local,
    Machine,
    Return,
    Stmt,
    While,
)
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..machine.tables import LOOP, Build, fail, op
from ..pipeline import machine_of
from .test_lockstep import engines, written


def alike(machine: Machine) -> None:
    """Both executors play the same, stop by stop and as whole games."""
    assert list(differences(Executor(machine), WasmExecutor(machine), 7, 0)) == []
    slow, fast = engines(machine)
    expected, found = slow.play(7, 0, 5, rows=True), fast.play(7, 0, 5, rows=True)
    assert found.rows == expected.rows
    assert found.tally == expected.tally


def asking(build: Build, value: Expr) -> Machine:
    """A game of one decision after which a value is stored: 3 in ``given`` is not known before."""
    given, found = build.field("given", high=9), build.field("found", low=-999, high=999)
    go = build.verb("go", Assign(given, Const(3)), Assign(found, value))
    build.routine("main", [], build.decide(0, go))
    for name in ("score", "score of team"):
        build.function(name, [build.local("player")], Load(found))
    return build.machine("main", score="score")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "decided"), [("and", 0), ("or", 1)])
def test_what_comes_later_does_not_save_from_a_fault(name: str, decided: int) -> None:
    build = Build()
    build.function("failing", [], If(op("=", Load(build.field("pot", high=9)), 0), (fail("R602"),)), Const(1 - decided))
    alike(asking(build, op(name, Invoke("failing", ()), decided)))  # type: ignore[arg-type]


def members_loop(build: Build, members: int, *body: Stmt) -> tuple[Local, tuple[Stmt, ...]]:
    rest, member = Local(900, "rest", 6), Local(901, "member")
    head = (Assign(member, op("first", Load(rest))), Assign(rest, op("minus", Load(rest), op("bit", Load(member)))))
    return rest, (Assign(rest, Const(members)), While(op("not", op("=", Load(rest), 0)), (*head, *body), LOOP))


def test_what_is_left_of_a_loop_over_members_is_known_inside() -> None:
    build, total = Build(), Local(902, "total")
    left, member = op("count", Load(Local(900, "rest", 6))), op("+", Load(Local(901, "member")), 1)
    add = Assign(total, op("+", Load(total), op("*", left, member)))
    _, loop = members_loop(build, 0b101101, add)
    build.function("f", [], Assign(total, Const(0)), *loop, Load(total))
    alike(asking(build, Invoke("f", ())))


def test_what_is_left_of_a_loop_over_members_is_known_behind_it() -> None:
    build, wanted = Build(), Local(902, "wanted")
    rest, loop = members_loop(build, 0b101101, If(op("=", Load(Local(901, "member")), Load(wanted)), (Leave("out"),)))
    build.function("f", [wanted], Block("out", loop), op("count", Load(rest)))
    alike(asking(build, Invoke("f", (Load(build.field("pot", high=9)),))))


WINNER_FIRST = """
game order
    players 2
counter coins of player: 0..9
counter gems of player: 0..9
table worth by coins: 0: 5, 1: 6, 2: 7, 3: 8
table shine by gems: 0: 5, 1: 6, 2: 7, 3: 8
define glory of player: shine for gems of player
phase only
    for each player
        player chooses
            take a number n from 0..9
                set coins of player to n
                set gems of player to 9 - n
score of player
    points: worth for coins of player
winner highest glory, then highest score, then shared
"""

SEEN_BY_SEAT = """
game lazy
    players 3
counter coins of player: 0..9
counter gems of player: 0..9
table worth by coins: 0: 5, 1: 6, 2: 7, 3: 8
phase only
    for each player
        player chooses
            take a number n from 0..9
                set coins of player to n
    for each player
        if worth for coins of player > 6 and seat of player is 1
            add 1 to gems of player
score of player
    points: gems of player
winner highest score, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize("text", [WINNER_FIRST, SEEN_BY_SEAT], ids=["the winner is asked first", "a loop over seats"])
def test_the_fault_that_comes_first_stops_the_game(text: str) -> None:
    machine = written(text)
    slow, fast = engines(machine)
    expected, found = slow.play(7, 0, 60, rows=True), fast.play(7, 0, 60, rows=True)
    assert found.tally == expected.tally
    assert found.rows == expected.rows
    assert found.tally.stopped > 20


def test_a_score_is_more_than_the_lines_of_the_sheet() -> None:
    build = Build()
    pot = build.field("pot", high=9)
    build.function("line", [build.local("player")], Const(2))
    player = build.local("player")
    build.function("score", [player], op("+", Invoke("line", (Load(player),)), Load(pot)))
    build.function("score of team", [other := build.local("player")], Invoke("score", (Load(other),)))
    build.routine("main", [], build.decide(0, build.verb("go", Assign(pot, Const(7)))))
    alike(build.machine("main", score="line"))


def test_a_table_has_room_for_what_is_asked_for_though_more_could_be_worked_out() -> None:
    build = Build()
    given, here = Field("given", "game", high=9), build.field("here", bits=40)  # the first as `asking` has it
    where = op("bit", op("mod", op("*", Load(given), 11), 100))  # 33 of 40 for 3, and 99 for 9, of which it is never asked
    lies_here = op("=", op("intersect", Load(here), where), 0)
    build.function("f", [], If(op("<", Load(given), 4), (Return(lies_here),)), Const(7))
    alike(asking(build, Invoke("f", ())))


def test_an_option_at_a_chance_event_changes_nothing() -> None:
    build, counter, die = Build(), Local(900, "counter"), Local(901, "die")
    rounds = (Assign(counter, Const(0)), While(op("<", Load(counter), 99), (Assign(counter, op("+", Load(counter), 1)),), LOOP))
    build.routine("main", [], build.decide(0, build.verb("go", *rounds, build.draw(die, 0b111, Domain(("1", "2", "3"))))))
    executor = WasmExecutor(build.machine("main"))
    cells = executor.fresh()
    executor.enter(cells)
    assert executor.choose(cells, 0).kind == "chance"
    with pytest.raises(ValueError, match="not possible"):
        executor.choose(cells, 0)
    assert executor._record == cells


@pytest.mark.slow
def test_asking_who_sees_an_act_can_stop_the_game() -> None:
    for chance in (False, True):
        build, die = Build(), Local(900, "die")
        build.function("seen", [], If(op("=", Load(build.field("pot", high=9)), 0), (fail("R602"),)), Const(3), bits=2)
        asked = Invoke("seen", ())
        if chance:
            go = build.verb("go", build.draw(die, 0b111, Domain(("1", "2", "3")), asked))
        else:
            go = evolve(build.verb("go"), seen=asked)
        build.routine("main", [], build.decide(0, go))
        for name in ("score", "score of team"):
            build.function(name, [build.local("player")], Const(0))
        alike(build.machine("main", score="score"))


TIES = """
game ties
    players 3
counter coins of player: 0..3
counter gems of player: 0..3
phase only
    for each player
        set coins of player to a random number from 0..3
        set gems of player to a random number from 0..3
score of player
    richest: 1 if player is best of players by highest coins
    gems:    1 if player is best of players by lowest gems
winner {winner}, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize("winner", ["highest score", "lowest score, then most coins", "most coins, then highest score"])
def test_of_several_faults_of_the_scores_the_first_is_told(winner: str) -> None:
    """Two rankings can both be undecided; which is asked first depends on what the winner's chain begins with."""
    machine = machine_of(TIES.format(winner=winner))
    slow, fast = engines(machine)
    expected = slow.play(7, 0, 60, rows=True)
    assert fast.play(7, 0, 60, rows=True).rows == expected.rows
    width = len(expected.tally.histograms)
    assert expected.rows is not None
    assert len(set(expected.rows[FAULT::width]) - {0}) == 2
