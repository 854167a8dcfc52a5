"""Loops that might not end are stopped at the same round by both executors, and what surely ends is not stopped (R606)."""

from __future__ import annotations

from textwrap import indent

import pytest
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference import closures, steps
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.players.bots import Bot
from rulesrun.interpreter.simulate.engines.module import WasmEngine
from rulesrun.interpreter.simulate.engines.reference import ReferenceEngine
from rulesrun.interpreter.wasm.emission.lowering import statements
from rulesrun.interpreter.wasm.running.compiled import Compiled, compiled_from
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences, trace
from ..pipeline import machine_of, small

LIMIT = 100
WORLD = """
cards card, 1 of each
    rank: 1..12
zone table: set of card, open
counter n: 0..1000000
counter steps: 0..1000000
define near of card: count of table where (distance between rank and rank of card < steps)
define alike of card: count of table with near (near of card)
define peers of card: count of table with alike (alike of card)
setup
    move every card to table
step roll_on
    set steps to 0
    repeat until steps is 20
        add 1 to steps
        set n to a random number from 0..9
"""
OPTION = "player 1 chooses\n    go\n        {lines}\n    stay: nothing\n"

ENDS = [
    "set steps to 3\nif table has a card with peers 7: add 1 to n",
    "repeat 30 times\n    repeat 30 times: add 1 to n",
    "repeat 20 times\n    set steps to 0\n    repeat until steps is 20: add 1 to steps",
    "repeat until n is 20\n    add 1 to n\n    set steps to 0\n    repeat until steps is 20: add 1 to steps",
    "repeat 30 times\n    repeat 30 times\n        set n to a random number from 0..9",
    "repeat 20 times: do roll_on",
    "set n to 1\nrepeat until n is 0\n    do roll_on\n    do roll_on",
    "set n to 0\nrepeat until n is 9 at most 12 times\n    do roll_on\n    repeat until n < 5: do roll_on",
]
ENDLESS = [
    "repeat until n is 1: set n to 0",
    "repeat 3 times\n    repeat until n is 3\n        add 1 to steps\n        set n to (n + 2) mod 4",
    "repeat until n is 1\n    add 1 to steps\n    repeat until n is 4: add 2 to n\n    set n to 0",
    "repeat until n is 1\n    repeat 2 times: add 1 to steps\n    repeat until n is 1: set n to 0",
    "repeat until n is 1\n    if n is 2\n        player 1 chooses\n            rest: nothing\n    add 1 to steps",
    "repeat until n is 10\n    set n to a random number from 0..9\n    add 1 to steps",
    "repeat until n is 3\n    set n to 1\n    repeat until n is 2\n        set n to 2\n        let k be a random player",
]


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (closures, steps, statements):
        monkeypatch.setattr(module, "ROUNDS_LIMIT", LIMIT)


def made(lines: str) -> tuple[Machine, Compiled]:
    machine = machine_of(small(WORLD, OPTION.format(lines=indent(lines, 8 * " ").lstrip())), 2)
    return machine, compiled_from(machine)


def how_it_ends(machine: Machine, compiled: Compiled) -> set[str]:
    """By which faults its games are stopped, in all that play them; empty: some is over."""
    executor = Executor(machine)
    ends = set()
    for game in range(4):
        assert list(differences(executor, WasmExecutor(machine, compiled), 0, game)) == []
        ends |= {seen.fault[0] for seen in trace(executor, 0, game)}
    bots = (Bot("random"), Bot("random"))
    engines = (ReferenceEngine(machine, bots), WasmEngine(compiled, bots), WasmEngine(compiled_from(machine, True), bots))
    rows = {tuple(engine.play(0, 0, 8, rows=True).rows or ()) for engine in engines}
    assert len(rows) == 1
    return ends - {""}


@pytest.mark.slow
@pytest.mark.parametrize("lines", ENDS, ids=lambda lines: lines.split("\n")[0])
def test_what_ends_is_never_stopped(lines: str) -> None:
    assert how_it_ends(*made(lines)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("lines", ENDLESS, ids=lambda lines: lines.split("\n")[0])
def test_what_does_not_end_is_stopped_at_the_same_round(lines: str) -> None:
    assert how_it_ends(*made(lines)) == {"R606"}
