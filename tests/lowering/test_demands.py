"""Selections that demand something of all their members: exactly what can be completed is offered, and nothing else.

Random sets of tokens, with equal ones among them, are selected from by walking all decisions. The selections that are reached
are compared with those that a plain search finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import lying, machine_of, small
from ..wasm.compiling import compiled

Token = tuple[int, int]  # colour and value
COLOURS = ("red", "blue", "green")

GAME = """
cards token
    colour: red, blue, green
    value: 0..4
    colour | value | count
{rows}
zone bank: set of token, open
zone hand of player: set of token, private
zone spent: set of token, open
counter price: 0..30
counter log: 0..9
"""

PLAY = """
set price to {price}
move every token to bank
player 1 chooses
    take {what}
        move tokens to spent
        set log to count of tokens
    pass: set log to 9
"""


def total(tokens: Sequence[Token]) -> int:
    return sum(value for _, value in tokens)


def colours(tokens: tuple[Token, ...]) -> int:
    return len({colour for colour, _ in tokens})


# How it is written, and which sets are selected; those that are built up until it is enough have no smaller one within them.
DEMANDS: dict[str, Callable[[tuple[Token, ...]], bool]] = {
    "3 tokens from bank": lambda t: len(t) == 3,
    "exactly 2 tokens from bank": lambda t: len(t) == 2,
    "up to 2 tokens from bank": lambda t: len(t) <= 2,
    "any number of tokens from bank": lambda t: True,
    "3 tokens from bank, all different": lambda t: len(t) == len(set(t)) == 3,
    "3 tokens from bank, all of different colours": lambda t: len(t) == colours(t) == 3,
    "2 tokens from bank, all the same": lambda t: len(t) == 2 and len(set(t)) == 1,
    "3 tokens from bank, all of the same colour": lambda t: len(t) == 3 and colours(t) == 1,
    "up to 3 tokens from bank, all of different colours": lambda t: len(t) == colours(t),
    "any number of tokens from bank, all of the same colour": lambda t: colours(t) == 1,
    "any number of tokens from bank, with total value at most price": lambda t: total(t) <= 5,
    "up to 2 tokens from bank, with total value < price": lambda t: len(t) <= 2 and total(t) < 5,
    "2 tokens from bank, with total value price": lambda t: len(t) == 2 and total(t) == 5,
    "2 tokens from bank, all of the same colour, with total value at most 3": lambda t: (
        len(t) == 2 and colours(t) == 1 and total(t) <= 3
    ),
    "3 tokens from bank, all of different colours, with total value > price": lambda t: (
        len(t) == colours(t) == 3 and total(t) > 5
    ),
}
# Here the selection ends as soon as it is enough: with the last member, and not before.
GROWING: dict[str, Callable[[tuple[Token, ...]], bool]] = {
    "any number of tokens from bank, with total value at least price": lambda t: total(t) >= 5,
    "any number of tokens from bank, with total value price": lambda t: total(t) == 5,
    "up to 2 tokens from bank, with total value at least price": lambda t: len(t) <= 2 and total(t) >= 5,
    "any number of tokens from bank, all of different colours, with total value at least price": lambda t: (
        colours(t) == len(t) and total(t) >= 5
    ),
    "any number of tokens from bank, all of the same colour, with total value at least price": lambda t: (
        colours(t) == 1 and total(t) >= 5
    ),
}

BANKS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=3, max_size=6).filter(total)


def text(bank: list[Token], what: str) -> str:
    rows = "\n".join(f"    {COLOURS[colour]} | {value} | {count}" for (colour, value), count in Counter(bank).items())
    return small(GAME.format(rows=rows), PLAY.format(price=5, what=what))


def reached(bank: list[Token], what: str) -> Iterator[tuple[Token, ...]]:
    """Every selection that can be made, decision after decision; a dead end would stop the game."""
    machine = machine_of(text(bank, what), 2)
    assert violations(machine) == []
    executor = Executor(machine)
    faces = list(Counter(bank))
    spent = next(zone for zone in machine.zones if zone.name == "spent")
    cells = executor.fresh()
    todo = [(cells, executor.enter(cells))]
    while todo:
        cells, stop = todo.pop()
        assert stop.kind in ("decision", "over"), stop
        if stop.kind == "over":
            yield tuple(sorted(faces[face] for face in lying(executor, cells, spent)))
            continue
        legal = executor.options(cells)
        assert legal
        for option in legal:
            after = list(cells)
            todo.append((after, executor.choose(after, option)))


def found(bank: list[Token], fits: Callable[[tuple[Token, ...]], bool]) -> set[tuple[Token, ...]]:
    """Every selection that fits, and the empty one of who passes."""
    sets = (tuple(sorted(chosen)) for count in range(1, len(bank) + 1) for chosen in combinations(bank, count))
    return {()} | {chosen for chosen in sets if fits(chosen)}


@pytest.mark.slow
@pytest.mark.parametrize("what", DEMANDS)
@settings(max_examples=6, deadline=None)
@given(bank=BANKS)
def test_all_that_fits_can_be_selected_and_nothing_else(what: str, bank: list[Token]) -> None:
    assert set(reached(bank, what)) == found(bank, DEMANDS[what])


@pytest.mark.slow
@pytest.mark.parametrize("what", GROWING)
@settings(max_examples=6, deadline=None)
@given(bank=BANKS)
def test_a_selection_ends_when_it_is_enough(what: str, bank: list[Token]) -> None:
    """The members before the last one were not enough, in some order."""
    fits = GROWING[what]
    whole = {chosen for chosen in found(bank, fits) if chosen}
    minimal = {t for t in whole if any(total(t[:i] + t[i + 1 :]) < 5 for i in range(len(t)))}
    ends = set(reached(bank, what))
    if what.endswith("at least price") and not what.startswith("up to") and "different" not in what:
        minimal = {t for t in minimal if all(value for _, value in t)}  # what is worth nothing is never of use
    assert ends == minimal | {()}


@pytest.mark.slow
@pytest.mark.parametrize("what", [*DEMANDS, *GROWING])
def test_both_executors_offer_the_same(what: str) -> None:
    machine = machine_of(text([(0, 1), (0, 1), (0, 4), (1, 2), (1, 2), (2, 0), (2, 3)], what), 2)
    one, other = Executor(machine), WasmExecutor(machine, compiled(machine))
    for game in range(3):
        assert list(differences(one, other, 5, game)) == []
