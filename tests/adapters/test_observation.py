"""The numbers that a seat sees agree with what `State.view` tells it in words."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rulesrun.interpreter.adapters.adapted_tables import choice_of, read_table
from rulesrun.interpreter.play.game import State

np = pytest.importorskip("numpy")

GAMES = Path(__file__).parent.parent.parent / "games"
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("masti", {"players": 4, "variants": ["partners"]}),
    ("kingdomino", {"players": 3}),
    ("for_the_king", {"options": {"highest_bid": 4}}),
]


def fields(table: Any, record: bytes, seat: int, decider: int) -> dict[str, Any]:
    """What a seat (from 0) sees, by the names of fields."""
    rows = np.frombuffer(record, dtype=np.uint8)[None].repeat(2, axis=0)  # as one of several games
    seen = table.observations.read(rows, np.array([seat, seat]), np.array([decider, decider]))[1]
    assert table.observations.width == len(seen) == sum(part.size for part in table.observations.parts)
    return {p.name: seen[p.start : p.start + p.size].reshape(p.shape) for p in table.observations.parts}


def compare(table: Any, state: State, seat: int) -> None:
    names, machine = table.game.seat_names, table.game.machine
    numbers = fields(table, state.to_bytes()[8:], seat, state.player - 1)
    parts = {part.name: part for part in table.observations.parts}
    assert np.flatnonzero(numbers["seat"]).tolist() == [seat]
    assert np.flatnonzero(numbers["decides"]).tolist() == ([state.player - 1] if state.player else [])
    assert numbers["asked"].sum() == (state.player == seat + 1)
    view, unseen = state.view(seat + 1), {zone.name: zone.visibility for zone in machine.zones}
    for zone in view.zones:
        name = f"{zone.name} of {names[zone.owner - 1]}" if zone.owner else zone.name
        if zone.shape == "grid":
            cells = [set() if text == "" else {text} for row in zone.cells[::-1] for text in row]
            assert [{parts[name].meaning[at] for at in np.flatnonzero(cell)} for cell in numbers[name]] == cells
            continue
        count, *faces = numbers[name].astype(int).tolist()
        assert count == zone.count + zone.removed
        sees = unseen[zone.name] == "open" or (unseen[zone.name] == "private" and zone.owner == seat + 1)
        there = Counter(dict(zip(parts[name].meaning[1:], faces, strict=True)))
        assert +there == (Counter(zone.cards) if sees else Counter())
    for value in view.values:
        name = f"{value.name} of {value.of}" if value.of else value.name
        if name not in parts:
            continue
        meaning = parts[name].meaning
        found = [meaning[at] for at in np.flatnonzero(numbers[name])] or ["none"]
        if meaning == ("number",):
            found = [{-1: "none"}.get(int(numbers[name][0]), str(int(numbers[name][0])))]
        assert found == [value.value], name


@pytest.mark.conformance
@pytest.mark.parametrize(("name", "chosen"), TABLES, ids=[name for name, _ in TABLES])
def test_numbers_say_what_the_view_says(name: str, chosen: dict[str, Any]) -> None:
    table = read_table(choice_of(GAMES / f"{name}.rules", **chosen))
    random, compared = Random(1), 0
    for seed in range(2):
        state = table.game.start(seed=seed, story=False)
        while not state.is_over:
            if random.random() < 0.25:
                for seat in range(table.seats):
                    compare(table, state, seat)
                compared += 1
            state.play(random.choice(state.legal))
        compare(table, state, 0)
    assert compared > 10


PILES = """game piles
    players 2
cards card, 2 of each
    rank: 1..3
zone deck: pile of card, hidden
zone discard: pile of card, open
setup
    shuffle every card into deck
phase play
    repeat 5 times
        draw 1 from deck to discard
        for each player
            player chooses
                pass
                    nothing
score of player
    cards: count of discard
winner highest score, then shared
"""


def test_the_top_of_an_open_pile_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "piles.rules"
    path.write_text(PILES)
    table = read_table(choice_of(path))
    state = table.game.start(seed=3)
    while not state.is_over:
        compare(table, state, 1)
        top = fields(table, state.to_bytes()[8:], 1, 0)["top of discard"]
        pile = next(zone for zone in state.view().zones if zone.name == "discard")
        assert np.flatnonzero(top).tolist() == [int(pile.cards[0].split()[-1]) - 1]
        state.play("pass")


def test_what_is_not_seen_is_zero_for_every_seat() -> None:
    table = read_table(choice_of(GAMES / "classics" / "kuhn_poker.rules"))
    for seed in range(6):
        state = table.game.start(seed=seed)
        for seat in range(2):
            numbers = fields(table, state.to_bytes()[8:], seat, 0)
            own, other = (numbers[f"hand of {name}"] for name in (table.game.seat_names[seat], table.game.seat_names[1 - seat]))
            assert own[0] == other[0] == 1
            assert own[1:].sum() == 1
            assert not other[1:].any()
            assert numbers["deck"].tolist() == [1]
