"""What variants write for the place of a step knows what the lines there know, whatever other variants have put around it.

``log`` records what happened, digit by digit.
"""

from __future__ import annotations

import pytest

from ..pipeline import machine_of, play, small, stages, value_of

COUNTERS = """
counter log: 0..214000000
counter coins of player: 0..99
list mood: calm, angry
cards card, 1 of each
    rank: 1..3
zone hand of player: set of card, open
zone deck: pile of card, hidden
zone table: set of card, open
step mark for digit: set log to log * 10 + digit
step pay of player for mood
    do mark for 9
"""

LOOP = """
for each player
    let base be 3 * seat of player
    step income
        let inside be 5
        do mark for inside
    do mark for base
"""

TAKING = """
for each card in every card with rank at least 2
    step taken
        do mark for rank of card
"""


def log_of(lines: str, *variants: str, choices: tuple[int, ...] = (), more: str = "") -> int:
    """The log of a game with all these variants; each is written as its lines, and they are called v1, v2, ..."""
    machine = machine_of(_text(lines, variants, more), 2, variants=_names(variants))
    game = play(machine, 0, choices)
    assert game.stop.kind == "over", game.stop
    return value_of(game.executor, game.cells, "log")


def messages(lines: str, *variants: str, more: str = "") -> list[str]:
    found = stages(_text(lines, variants, more), 2, variants=_names(variants))
    return [f"{d.code} {d.message}" for d in found.diagnostics]


def _text(lines: str, variants: tuple[str, ...], more: str) -> str:
    written = "".join(f"variant {name}\n{_indented(each)}" for name, each in zip(_names(variants), variants, strict=True))
    return small(COUNTERS + more, lines) + written


def _names(variants: tuple[str, ...]) -> list[str]:
    return [f"v{index}" for index in range(1, len(variants) + 1)]


def _indented(lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines.strip("\n").splitlines())


@pytest.mark.parametrize(
    ("lines", "variant", "expected"),
    [
        (LOOP, "replace step income\n    do mark for (base + seat of player)", 4386),
        (LOOP, "add before income\n    do mark for seat of player", 153256),
        (LOOP, "add after income: do mark for (base + 1)", 543576),
        (LOOP, "replace step income\n    if seat of player is 1: end income\n    do mark for 8", 386),
        (LOOP, "replace step income\n    let inside be base / 3 rounded down\n    do mark for inside", 1326),
        (LOOP, "add before income\n    if seat of player is 2: end only", 53),
        (TAKING, "replace step taken: do mark for (4 - rank of card)", 21),
        ("repeat 2 times\n    let n be 1 + log mod 10\n    step round: do mark for 7", "add after round: do mark for n", 7172),
        (
            "take turns clockwise from player 2 until log > 9\n    step turn: do mark for 7",
            "replace step turn: do mark for seat of player",
            21,
        ),
        ("do pay of player 2 for calm", "add before pay\n    if mood is calm: do mark for seat of player", 29),
        ("do pay of player 1 for angry", "add after pay: do mark for count of hand of player", 90),
        (
            "move [1] to hand of player 1\nmove [2] to hand of player 2\nfor each player at once\n    player chooses\n"
            "        drop a card from hand of player\n            step dropping: move card to table",
            "add after dropping: do mark for rank of card",
            12,
        ),
    ],
)
def test_an_edit_knows_what_the_lines_at_the_step_know(lines: str, variant: str, expected: int) -> None:
    assert log_of(lines, variant) == expected


def test_a_step_in_a_trigger() -> None:
    trigger = "whenever a card enters table\n    step put_down: do mark for 0\n"
    moves = "move [3] to table\nmove [2] to table"
    assert log_of(moves, "add before put_down: do mark for rank of card", more=trigger) == 3020


def test_the_arguments_of_an_option_and_the_cell_of_a_piece() -> None:
    option = "player 1 chooses\n    say a number from 4..6\n        let twice be 2 * number\n        step said: do mark for twice"
    assert log_of(option, "add before said: do mark for number", choices=(1,)) == 60  # twice 5 is two digits: 5 * 10 + 10
    placing = "player 2 chooses\n    place stone of player 2 on board\n        step placed: do mark for 1"
    grid = "pieces stone for each player\nzone board: grid of stone, 2 x 2, open\n"
    assert log_of(placing, "add after placed: do mark for row of spot", choices=(3,), more=grid) == 12


def test_a_variant_knows_no_more_than_the_lines_before_the_step() -> None:
    assert messages(LOOP, "add after income: do mark for inside") == ["R201 there is no `inside` here"]
    late = "step early: nothing\nlet late be 3\ndo mark for late"
    assert messages(late, "replace step early: do mark for late") == ["R201 there is no `late` here"]
    assert messages(LOOP, "add before income: end income") == ["R223 this line is not inside a step or phase `income`"]
    assert messages(LOOP, "replace step income\n    for each player: nothing") == ["R205 `player` would hide another `player`"]


@pytest.mark.parametrize("order", [1, -1])
def test_variants_that_meet_at_one_step(order: int) -> None:
    """One writes the phase anew, with the step in a loop of its own; the others change what is in it."""
    anew = "replace phase only\n    for each player\n        let base be 1 + seat of player\n        step income: do mark for 0"
    instead = "replace step income\n    step inner: do mark for base\n"
    before = "add before income\n    step first_of_all: do mark for seat of player"
    inside = "add after inner: do mark for (base + seat of player)"
    variants = [anew, instead, before]
    assert log_of(LOOP, *variants[::order]) == 1223
    assert log_of(LOOP, instead, before) == 133266
    assert log_of(LOOP, instead, f"needs v1\n{inside}", anew) == 2335


def test_a_step_that_another_variant_has_inserted_can_be_replaced() -> None:
    inserted = "add before income\n    step bonus: do mark for 1"
    assert log_of(LOOP, inserted, "needs v1\nreplace step bonus: do mark for (base + 1)") == 453756
    assert log_of(LOOP, inserted, "needs v1\nadd after bonus: do mark for seat of player") == 11531256


def test_what_is_not_there_because_of_another_variant_is_a_finding() -> None:
    anew = "replace phase only\n    for each player other\n        step income: do mark for 0"
    assert messages(LOOP, anew, "replace step income: do mark for seat of player") == [
        "R226 there is no `player` where the step `income` stands at this table"
    ]
    base = "replace phase only\n    let base be calm\n    step income: nothing"
    assert messages(LOOP, base, "add before income: do mark for base") == [
        "R226 there is no `base` where the step `income` stands at this table"
    ]
    outer = "step outer\n    step inner: do mark for 1\ndo mark for 2"
    gone = "replace phase only\n    step inner: do mark for 3"
    assert log_of(outer, "replace step inner: end outer") == 2
    assert messages(outer, gone, "replace step inner: end outer") == [
        "R226 `outer` is not around where the step `inner` stands at this table"
    ]
    assert log_of(outer, gone, "replace step inner: end only") == 0


def test_a_name_of_the_variant_and_one_of_the_place_are_told_apart() -> None:
    variant = "counter base: 0..9\nreplace step income: do mark for base"
    assert messages(LOOP, variant) == ["R205 `base` would hide another `base`"]
