"""Set algebra gives the same as testing every card in turn.

Random conditions, written in the language, are computed by the machine (masks, lookups, loops) and by plain Python over the same
cards. Kinds with equal components are among them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.machine import Invoke
from rulesrun.interpreter.machine.reference.executor import FunctionFault
from rulesrun.interpreter.machine.traverse import expressions_within

from ..pipeline import Played, lying, machine_of, play, small, stages, value_of

EXAMPLES = int(os.environ.get("RULESRUN_SEEDS", "40"))
SUITS, SEALS, WORTH = ("red", "blue", "green"), ("wax", "ink"), {1: -1, 2: 0, 3: -4, 4: 2}


@frozen
class Card:
    """A face: suit and seal as places in their lists (-1: none)."""

    suit: int
    rank: int
    seal: int


@frozen
class World:
    """What conditions ask beside the card."""

    n: int
    spot: Card | None
    row: list[Card]


@frozen
class Asked:
    """A condition as the language says it and as Python computes it."""

    text: str
    holds: Callable[[Card, World], bool]


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "is": lambda a, b: a == b,
    "is not": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "at least": lambda a, b: a >= b,
    "at most": lambda a, b: a <= b,
}


@st.composite
def atoms(draw: st.DrawFn) -> Asked:
    op = draw(st.sampled_from(list(COMPARE)))
    test = COMPARE[op]
    number = draw(st.integers(0, 5))
    word = draw(st.integers(0, 2))
    ordered = op not in ("is", "is not")

    def with_spot(value: Callable[[Card], int]) -> Callable[[Card, World], bool]:
        def holds(card: Card, world: World) -> bool:
            if world.spot is None:
                return op == "is not"
            return test(value(card), value(world.spot))

        return holds

    def sealed(card: Card, other: int) -> bool:
        return test(card.seal, other) if not ordered else card.seal >= 0 and test(card.seal, other)

    return draw(
        st.sampled_from(
            [
                Asked(f"rank of card {op} {number}", lambda c, w: test(c.rank, number)),
                Asked(f"{number} {op} rank of card", lambda c, w: test(number, c.rank)),
                Asked(f"rank of card {op} n", lambda c, w: test(c.rank, w.n)),
                Asked(f"rank of card * 2 - 3 {op} n", lambda c, w: test(c.rank * 2 - 3, w.n)),
                Asked(f"suit of card {op} {SUITS[word]}", lambda c, w: test(c.suit, word)),
                Asked(f"seal of card {op} {SEALS[word % 2]}", lambda c, w: sealed(c, word % 2)),
                Asked("seal of card is none", lambda c, w: c.seal < 0),
                Asked(f"worth for rank of card {op} {number - 4}", lambda c, w: test(WORTH[c.rank], number - 4)),
                Asked(f"suit of card {op} suit of spot", with_spot(lambda c: c.suit)),
                Asked(f"rank of card {op} rank of spot", with_spot(lambda c: c.rank)),
                Asked("card in row", lambda c, w: c in w.row),
                Asked("card is not spot", lambda c, w: c != w.spot),
                Asked(f"n {op} {number}", lambda c, w: test(w.n, number)),
                Asked("row has a card with suit suit of card", lambda c, w: any(r.suit == c.suit for r in w.row)),
                Asked("rank of card in (1, 3)", lambda c, w: c.rank in (1, 3)),
            ]
        )
    )


def joined(inner: st.SearchStrategy[Asked]) -> st.SearchStrategy[Asked]:
    return st.one_of(
        st.builds(lambda a, b: Asked(f"(({a.text}) and ({b.text}))", lambda c, w: a.holds(c, w) and b.holds(c, w)), inner, inner),
        st.builds(lambda a, b: Asked(f"(({a.text}) or ({b.text}))", lambda c, w: a.holds(c, w) or b.holds(c, w)), inner, inner),
        inner.map(lambda a: Asked(f"not ({a.text})", lambda c, w: not a.holds(c, w))),
    )


conditions = st.recursive(atoms(), joined, max_leaves=5)

GAME = """
cards card, {copies} of each
    suit: red, blue, green
    rank: 1..4
    seal: wax, ink or none
table worth by rank: 1: -1, 2: 0, 3: -4, 4: 2
zone deck: pile of card, hidden
zone held: set of card, open
zone row: set of card, open
zone spot: slot of card, open
counter n: 0..5
define good of card: {good}
define fine of card: good of card and {fine}
define counted: count of held where good
define both: count of held where fine
define together: count of (held + row) where good
define outside: count of every card where not good
define there: held has a card where good
define missing: held has no card where not fine
define sum: total rank of held where good
define top: highest rank among held where fine
define low: lowest rank among row where good
define first_rank: rank of best of held by good, then highest rank, then lowest suit, then seal_is_wax, then seal_is_none
define seal_is_wax of card: seal of card is wax
define seal_is_none of card: seal of card is none
define leading: all best of held by fine, then lowest rank
define alike: count of leading
define same: held where good is (held where not good)
define filtered: count of held with rank at least n with suit not red where good
define within: (held where fine) in (row where good)
"""


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(
    conditions,
    conditions,
    st.integers(1, 3),
    st.integers(0, 20),
    st.integers(0, 8),
    st.booleans(),
    st.integers(0, 5),
    st.integers(),
)
def test_sets_are_what_their_members_say(
    good: Asked, fine: Asked, copies: int, held: int, row: int, turned: bool, n: int, seed: int
) -> None:
    fill = f"shuffle every card into deck\ndraw {held} from deck to held\ndraw {row} from deck to row\nset n to {n}\n"
    text = small(
        GAME.format(copies=copies, good=good.text, fine=fine.text), fill + ("draw 1 from deck to spot" if turned else "")
    )
    check(play(machine_of(text, 1), seed), good, fine)


def check(game: Played, good: Asked, fine: Asked) -> None:
    executor, cells = game.executor, game.cells
    zones = {zone.name: zone for zone in game.machine.zones}
    faces = game.machine.kinds["card"]

    def card(face: int) -> Card:
        words = faces.names[face].replace("(", "").replace(")", "").split()
        return Card(SUITS.index(words[0]), int(words[1]), SEALS.index(words[2]) if len(words) > 2 else -1)

    def cards(zone: str) -> list[Card]:
        return [card(face) for face in lying(executor, cells, zones[zone])]

    held, row = cards("held"), cards("row")
    world = World(value_of(executor, cells, "n"), next(iter(cards("spot")), None), row)
    everything = [card(face) for face in faces.members((1 << faces.bits) - 1)]

    def fits(c: Card) -> bool:
        return good.holds(c, world)

    def fits_both(c: Card) -> bool:
        return fits(c) and fine.holds(c, world)

    def key(c: Card) -> tuple[int, ...]:
        return (-fits(c), -c.rank, c.suit, -(c.seal == 0), -(c.seal == -1))

    assert game.ask("counted") == sum(map(fits, held))
    assert game.ask("both") == sum(map(fits_both, held))
    assert game.ask("together") == sum(map(fits, held + row))
    assert game.ask("outside") == sum(not fits(c) for c in everything)
    assert game.ask("there") == int(any(map(fits, held)))
    assert game.ask("missing") == int(all(map(fits_both, held)))
    assert game.ask("sum") == sum(c.rank for c in held if fits(c))
    assert game.ask("top") == max((c.rank for c in held if fits_both(c)), default=-1)
    assert game.ask("low") == min((c.rank for c in row if fits(c)), default=-1)
    assert game.ask("same") == int(not held)
    assert game.ask("filtered") == sum(fits(c) and c.rank >= world.n and c.suit != 0 for c in held)
    assert game.ask("first_rank") == (min(held, key=key).rank if held else -1)
    assert game.ask("within") == int(not Counter(filter(fits_both, held)) - Counter(filter(fits, row)))
    leaders = [c for c in held if fits_both(c)] or held
    assert game.ask("alike") == sum(c.rank == min(d.rank for d in leaders) for c in leaders)


def test_a_tie_that_is_left_is_said() -> None:
    text = small(GAME.format(copies=1, good="yes", fine="yes") + "define tied: best of held by good", "move every card to held")
    game = play(machine_of(text, 1))
    with pytest.raises(FunctionFault) as found:
        game.ask("tied")
    assert found.value.stop.fault is not None
    assert found.value.stop.fault.code == "R605"


def test_a_total_works_its_set_out_once() -> None:
    declarations = """
cards card, 1 of each
    rank: 1..6
    seal: wax, ink
zone held: set of card, open
define alone of card: count of held with rank (rank of card) is 1
define sum: total rank of held where alone
"""
    machine = machine_of(small(declarations, "move ([3 wax], [4 wax], [4 ink]) to held"), 1)
    for function in machine.functions.values():
        assert len([part for part in expressions_within(function.body) if isinstance(part, Invoke)]) < 6
    assert play(machine).ask("sum") == 3


@pytest.mark.parametrize("nothing", ["none", "empty"])
def test_nothing_cannot_be_moved(nothing: str) -> None:
    found = stages(small(GAME.format(copies=1, good="yes", fine="yes"), f"move {nothing} to held"), 1)
    assert found.codes == ["R204"]
    assert "this moves nothing" in found.messages
