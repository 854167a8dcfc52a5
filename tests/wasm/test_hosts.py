"""Exports for hosts: many states in one call are single steps, and a seat sees no more than it may."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.places import amount, content, places_of, sees_faces
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.machine.reference.stops import Stop
from rulesrun.interpreter.play.game import Game, NoWorld, State, load
from rulesrun.interpreter.play.knowledge.views import elements_seen
from rulesrun.interpreter.wasm.running.compiled import Compiled, compiled_from
from rulesrun.interpreter.wasm.running.instance import Instance
from rulesrun.interpreter.wasm.running.states import DECISION, FAULT, ILLEGAL, OVER, States, Stopped

from ..simulate.games import BREAKS, GAMES, PAIRS, game_of

TABLES = [(PAIRS, 3), (GAMES / "masti.rules", 4), (GAMES / "kingdomino.rules", 2), (GAMES / "for_the_king.rules", 3)]
tables = pytest.mark.parametrize("table", TABLES, ids=lambda table: table[0].stem)


class Single:
    """One game on the reference executor, stepped as a state is: chance goes by itself."""

    def __init__(self, executor: Executor, seed: int, game: int) -> None:
        self.executor = executor
        self.cells = executor.fresh(seed, game)
        self.stop = self._settled(executor.enter(self.cells))

    def _settled(self, stop: Stop) -> Stop:
        while stop.kind == "chance":
            stop = self.executor.happen(self.cells, self.executor.draw(self.cells))
        return stop

    def step(self, option: int) -> None:
        if self.stop.kind == "decision":
            executor, cells = self.executor, self.cells
            option = executor.pick(cells, executor.player(cells)) if option == -1 else option
            self.stop = self._settled(executor.choose(cells, option))

    def stopped(self) -> Stopped:
        executor, cells, seats = self.executor, self.cells, self.executor.machine.seats
        nothing = (0,) * seats
        match self.stop.kind:
            case "decision":
                return Stopped(DECISION, executor.player(cells), sum(1 << n for n in executor.options(cells)), nothing, nothing)
            case "over":
                functions = "score", executor.machine.returns
                ends = (tuple(executor.evaluate(cells, function, seat) for seat in range(seats)) for function in functions)
                return Stopped(OVER, -1, 0, *ends)
            case _:
                return Stopped(FAULT, -1, 0, nothing, nothing)


def records(states: States) -> list[bytes]:
    size = len(states.records) // states.count
    return [bytes(states.records[size * n : size * (n + 1)]) for n in range(states.count)]


@pytest.mark.slow
@tables
def test_many_states_are_single_steps(table: tuple[Path, int]) -> None:
    machine = load(*table).machine
    executor, states, random = Executor(machine), States(compiled_from(machine), 6), Random(7)
    singles = [Single(executor, 11, 4 + number) for number in range(6)]
    found = states.start(11, 4)
    for _ in range(1000):
        assert found == [single.stopped() for single in singles]
        assert records(states) == [executor.pack(single.cells) for single in singles]
        if all(stop.kind == OVER for stop in found):
            break
        chosen = [random.choice([-1, *stop.options]) for stop in found]
        for single, option in zip(singles, chosen, strict=True):
            single.step(option)
        found = states.step(chosen)
    else:
        raise AssertionError("the games do not end")


def test_a_fault_is_that_state_s_alone(tmp_path: Path) -> None:
    machine = game_of(BREAKS, tmp_path).machine
    executor, states = Executor(machine), States(compiled_from(machine), 50)
    singles = [Single(executor, 2, number) for number in range(50)]
    states.start(2)
    for _ in range(3):
        for single in singles:
            single.step(-1)
        assert states.step() == [single.stopped() for single in singles]
        assert records(states) == [executor.pack(single.cells) for single in singles]
    assert 5 < sum(stop.kind == FAULT for stop in states.step()) < 45


@pytest.mark.slow
def test_an_option_that_is_not_legal_changes_nothing() -> None:
    machine = load(PAIRS, 3).machine
    states = States(compiled_from(machine), 2)
    found = states.start(5)
    before = records(states)
    for wrong in (machine.options, 2**31 - 1, -2, next(n for n in range(machine.options) if not found[0].legal >> n & 1)):
        again = states.step([wrong, wrong])
        assert again[0] == Stopped(ILLEGAL, found[0].player, found[0].legal, found[0].scores, found[0].returns)
        assert records(states)[0] == before[0]
    with pytest.raises(ValueError, match="need as many options"):
        states.step([1])
    with pytest.raises(ValueError, match="no room"):
        States(compiled_from(machine), 10**6)


@pytest.mark.slow
def test_a_clone_is_a_copy_of_bytes() -> None:
    machine = load(GAMES / "masti.rules", 4).machine
    states = States(compiled_from(machine), 2)
    states.start(5)
    size = len(states.records) // 2
    states.records[size:] = states.records[:size]
    for _ in range(30):
        one, other = states.step()
        assert one == other


# ---- What a seat sees


class Sights:
    """What ``see`` gives for records of one machine."""

    def __init__(self, compiled: Compiled) -> None:
        self.told = compiled.description["sight"]
        self._memory, self._instance = compiled.memory, Instance(compiled)

    def see(self, record: bytes, seat: int) -> bytes:
        """``seat``: from 0."""
        memory, instance = self._memory, self._instance
        instance.memory[memory.record : memory.record + memory.record_size] = record
        instance.export("stop")()
        assert instance.export("see")(seat, memory.heap) == self.told["size"]
        return bytes(instance.memory[memory.heap : memory.heap + self.told["size"]])


def at_some_decisions(game: Game, seed: int) -> list[State]:
    state = game.start(seed)
    found: list[State] = []
    while state.player:
        found.append(state.clone())
        state.play_at_random()
    return found[:: max(1, len(found) // 6)]


@pytest.mark.slow
@tables
def test_a_seat_sees_what_it_may_and_zeros(table: tuple[Path, int]) -> None:
    game = load(*table)
    machine, executor, sights = game.machine, Executor(game.machine), Sights(compiled_from(game.machine))
    zeros = executor.unpack(bytes(machine.layout.size))
    for state in at_some_decisions(game, 3):
        cells = state._cells
        record = executor.pack(cells)
        for seat in range(game.players):
            seen = sights.see(record, seat)
            there = executor.unpack(seen[: sights.told["amounts"]])
            amounts = seen[sights.told["amounts"] :]
            for number, (zone, owner) in enumerate(places_of(machine)):
                assert int.from_bytes(amounts[2 * number : 2 * number + 2], "little") == amount(machine, zone, owner, cells)
                sees = sees_faces(zone, owner, seat + 1)
                assert content(machine, zone, owner, there) == content(machine, zone, owner, cells if sees else zeros)
            for variable in machine.variables:
                place = machine.layout.record[variable.content]
                for index in range(place.length):
                    sees = index in elements_seen(machine, variable, seat + 1)
                    assert there[place.slot + index] == (cells if sees else zeros)[place.slot + index]


@pytest.mark.slow
@tables
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same(table: tuple[Path, int]) -> None:
    game = load(*table)
    executor, sights, random = Executor(game.machine), Sights(compiled_from(game.machine)), Random(5)
    compared = 0
    for state in at_some_decisions(game, 4):
        seat = state.player
        try:
            world = state.determinise(seat, random)
        except NoWorld:
            continue
        one, other = executor.pack(state._cells), executor.pack(world._cells)
        assert sights.see(one, seat - 1) == sights.see(other, seat - 1)
        compared += one != other
    assert compared


# ---- Bytes that are no game

HOSTILE = load(GAMES / "masti.rules", 4).machine


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(st.randoms(use_true_random=False), st.sampled_from(["random", "damaged"]))
def test_bytes_that_are_no_game_end_in_a_stop(random: Random, how: str) -> None:
    states = hostile_states()
    states.start(1)
    for _ in range(random.randrange(20)):
        states.step()
    if how == "random":
        states.records[:] = random.randbytes(len(states.records))
    else:
        for _ in range(5):
            states.records[random.randrange(len(states.records))] = random.randrange(256)
    for stop in [*states.step(), *states.step([random.randrange(-1, HOSTILE.options) for _ in range(states.count)])]:
        assert stop.kind in (DECISION, OVER, FAULT, ILLEGAL, 4)


def hostile_states(made: list[States] = []) -> States:  # noqa: B006  # one for all examples
    if not made:
        made.append(States(compiled_from(HOSTILE), 4))
    return made[0]
