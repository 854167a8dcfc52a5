"""Kingdomino written by hand keeps to the rulebook's counts and to examples worked out on paper; and the rules file agrees
with it: every chance event, every decision, the score sheet and the ranking.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from itertools import chain, combinations
from pathlib import Path

import pytest
import rulesrun

from .by_hand import Draw, Turn, alone, at_random, noted, side_by_side
from .kingdomino_by_hand import BY_NUMBER, CASTLE, DOMINOES, VARIANTS, Cell, Half, Kingdom, Table

FILE = Path(__file__).parents[2] / "games" / "kingdomino.rules"
GAMES = int(os.environ.get("RULESRUN_SEEDS", "1"))
TABLES = [
    (players, frozenset(chosen))
    for players in (2, 3, 4)
    for chosen in chain.from_iterable(combinations(sorted(VARIANTS), size) for size in range(len(VARIANTS) + 1))
    if players == 2 or "mighty_duel" not in chosen
]
NAMES = [" ".join([str(players), *sorted(variants)]) for players, variants in TABLES]
TERMS = {"middle_kingdom": "middle", "harmony": "harmony"}
TERRAINS = {"w": "wheat", "f": "forest", "l": "lake", "p": "pasture", "s": "swamp", "m": "mine"}


def said(text: str) -> str:
    """What the rules file says, as it is said here: a domino is its number alone, a king its owner alone."""
    text = text.replace("place on ", "place ")
    owner = re.search(r"player \d", text)
    return owner[0] if owner else re.sub(r"^(claim )?(domino )?(\d+)\b.*", r"\1\3", text)


def kingdom_of(*rows: str, side: int = 5) -> Kingdom:
    """A kingdom drawn from its top row down: terrain and crowns of each square, ``C0`` for the castle, ``--`` for a hole."""
    squares: dict[Cell, Half] = {}
    castle = CASTLE
    for row, line in enumerate(reversed(rows)):
        for column, square in enumerate(line.split()):
            if square == "C0":
                castle = (column, row)
            elif square != "--":
                squares[column, row] = Half(TERRAINS[square[0]], int(square[1]))
    return Kingdom(side, {(column - castle[0], row - castle[1]): half for (column, row), half in squares.items()})


def together(terms: dict[str, list[int]]) -> dict[str, list[int]]:
    """The lines of a score sheet, those of all games of a match added up."""
    found: dict[str, list[int]] = {}
    for name, values in terms.items():
        term = name.split(", game")[0]
        found[term] = [a + b for a, b in zip(found.get(term, [0] * len(values)), values, strict=True)]
    return found


def is_of_kings(draw: Draw) -> bool:
    return all(name.startswith("player") for name in draw.possible)


# ---- What is in the box


def test_the_box_has_48_dominoes_with_96_squares_and_39_crowns() -> None:
    """KD-C1, KD-C2."""
    assert [domino.number for domino in DOMINOES] == list(range(1, 49))
    halves = [half for domino in DOMINOES for half in (domino.a, domino.b)]
    assert Counter(half.terrain for half in halves) == dict(zip(TERRAINS.values(), (26, 22, 18, 14, 10, 6), strict=True))
    crowns: Counter[str] = Counter()
    for half in halves:
        crowns[half.terrain] += half.crowns
    assert crowns == dict(zip(TERRAINS.values(), (5, 6, 6, 6, 6, 10), strict=True))


# ---- Whole games


@pytest.mark.slow
@pytest.mark.parametrize(("players", "variants"), TABLES, ids=NAMES)
def test_random_games_end_with_every_domino_placed_or_discarded(players: int, variants: frozenset[str]) -> None:
    """KD-T4, KD-T6, KD-P2."""
    games = 3 if "dynasty" in variants else 1
    for seed in range(3):
        log: list[tuple[Draw | Turn, str]] = []
        table = Table(players, variants)
        result = alone(table.play(), noted(at_random(seed), log))
        claims = [happened for _, happened in log if happened.startswith("claim ")]
        for kingdoms in table.games:
            share = 48 if "mighty_duel" in variants else 24  # squares
            assert [len(kingdom.squares) + 2 * kingdom.discarded for kingdom in kingdoms] == [share] * players
            for kingdom in kingdoms:
                assert kingdom.stays_within()
                assert CASTLE not in kingdom.squares
            used = share * players // 2
            assert len(set(claims[:used])) == used
            del claims[:used]
        assert (len(table.games), claims) == (games, [])
        assert set(result.terms) == {"regions", *(TERMS[variant] for variant in variants & TERMS.keys())}
        assert sorted(chain.from_iterable(result.ranking)) == list(range(1, players + 1))


@pytest.mark.parametrize(("players", "kings", "rounds"), [(2, [1, 1, 2, 2], 6), (3, [1, 2, 3], 12), (4, [1, 2, 3, 4], 12)])
def test_a_game_goes_round_by_round(players: int, kings: list[int], rounds: int) -> None:
    """KD-S3 to KD-T5: when dominoes come in ascending order and all take the lowest free one, nobody overtakes."""
    numbers = iter(range(1, 49))
    log: list[tuple[Draw | Turn, str]] = []

    def choose(stop: Draw | Turn) -> str:
        if isinstance(stop, Turn):
            return min(stop.legal, key=lambda text: (len(text), text))
        return min(stop.possible) if is_of_kings(stop) else str(next(numbers))

    alone(Table(players).play(), noted(choose, log))
    said = ["claim" if text.startswith("claim") else "place" if isinstance(stop, Turn) else text for stop, text in log]
    first = said[: said.index("place")]
    chance = [f"player {king}" for king in kings[:-1]]  # the last king is no event
    assert [text for text in first if text != "claim"] == [
        *(str(number) for number in range(1, len(kings) + 1)),
        *chance,
        *(str(number) for number in range(len(kings) + 1, 2 * len(kings) + 1)),
    ]
    claims = [stop.seat + 1 for stop, text in log if isinstance(stop, Turn) and text.startswith("claim")]
    assert claims == kings * rounds
    options = [len(stop.legal) for stop, text in log if isinstance(stop, Turn) and text.startswith("claim")]
    assert options == [*range(len(kings), 0, -1)] * rounds


def test_the_dominoes_that_are_held_back_stay_possible() -> None:
    """KD-S2: nobody knows which they are."""
    log: list[tuple[Draw | Turn, str]] = []
    alone(Table(3).play(), noted(at_random(1), log))
    draws = [stop for stop, _ in log if isinstance(stop, Draw) and not is_of_kings(stop)]
    assert [len(draw.possible) for draw in draws] == list(range(48, 12, -1))


def test_a_king_is_drawn_not_a_player() -> None:
    """KD-S4: who has two kings left is twice as likely as who has one."""
    log: list[tuple[Draw | Turn, str]] = []
    random = at_random(1)

    def choose(stop: Draw | Turn) -> str:
        return min(stop.possible) if isinstance(stop, Draw) and is_of_kings(stop) else random(stop)

    alone(Table(2).play(), noted(choose, log))
    assert [stop.possible for stop, _ in log if isinstance(stop, Draw) and is_of_kings(stop)] == [
        {"player 1": 2, "player 2": 2},
        {"player 1": 1, "player 2": 2},
        {"player 2": 2},
    ]


# ---- Placing


def test_the_first_domino_can_lie_in_24_ways_and_in_12_when_its_halves_are_equal() -> None:
    """KD-P1: each half beside the castle on four sides, the other in three directions."""
    assert len(Kingdom(5).placements(BY_NUMBER[13])) == 24
    equal = [(Kingdom(5).name(a), Kingdom(5).name(b)) for a, b in Kingdom(5).placements(BY_NUMBER[1])]
    assert len(equal) == 12
    assert ("e3", "e4") in equal
    assert ("c5", "d5") in equal
    assert ("d6", "e6") in equal
    assert ("e4", "e3") not in equal


def test_only_the_first_twelve_dominoes_look_alike_both_ways_round() -> None:
    assert [domino.number for domino in DOMINOES if domino.a == domino.b] == list(range(1, 13))
    assert [domino.number for domino in DOMINOES if domino.a.terrain == domino.b.terrain] == list(range(1, 13))


def test_a_half_must_touch_the_castle_or_its_own_terrain() -> None:
    """KD-P1, KD-P3: a castle walled in by wheat takes no swamp."""
    walled = kingdom_of("-- w0 --", "w0 C0 w0", "-- w0 --")
    assert walled.placements(BY_NUMBER[12]) == []
    beside = {cell for placement in walled.placements(BY_NUMBER[16]) for cell in placement[:1]}  # its half a is wheat
    assert beside == {(-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)}


def test_a_kingdom_stays_within_five_by_five_anywhere() -> None:
    """KD-P2: with four columns to the right of the castle nothing goes to its left any more."""
    wide = kingdom_of("C0 w0 w0 w0 w0")
    assert {column for placement in wide.placements(BY_NUMBER[1]) for column, _ in placement} == {0, 1, 2, 3, 4}
    larger = kingdom_of("C0 w0 w0 w0 w0", side=7)
    assert {column for placement in larger.placements(BY_NUMBER[1]) for column, _ in placement} == set(range(-2, 7))


# ---- Scoring


FULL = kingdom_of(
    "w1 w0 w0 f1 f0",
    "w0 l1 l1 f0 p2",
    "m3 m0 C0 p0 p0",
    "s1 s2 l0 l0 f1",
    "s0 s0 l0 f1 f0",
)


def test_regions_count_squares_times_crowns() -> None:
    """KD-E1."""
    upper, lower = [4 * 1, 3 * 1, 2 * 2, 3 * 2, 2 * 3], [4 * 3, 3 * 0, 3 * 2]  # wheat, forest, lake, ... are regions of their own
    assert FULL.points() == sum(upper) + sum(lower)
    assert FULL.largest() == 4
    assert FULL.crowns() == 1 + 1 + 2 + 2 + 3 + 3 + 2


def test_the_middle_and_harmony() -> None:
    """KD-V2, KD-V3: holes do not matter for the middle, what was discarded does not either."""
    holes = kingdom_of("-- -- w0 -- --", "-- -- -- -- --", "w0 -- C0 -- w0", "-- -- -- -- --", "-- -- w0 -- --")
    aside = kingdom_of("-- -- w0 --", "w0 -- C0 w0", "-- -- -- --", "-- -- w0 --")
    short = kingdom_of("-- w0 --", "w0 C0 w0", "-- w0 --")
    holes.discarded = 2
    table = Table(4, frozenset({"middle_kingdom", "harmony"}))
    assert table.sheet([FULL, holes, aside, short])["middle"] == [10, 10, 0, 0]
    assert table.sheet([FULL, holes, aside, short])["harmony"] == [5, 0, 5, 5]


def test_ties_go_to_the_largest_territory_then_to_most_crowns_and_in_a_dynasty_are_shared() -> None:
    """KD-E2, KD-V1."""
    six = kingdom_of("C0 w1 w1 w0")
    broad = kingdom_of("C0 w1 l1 l1", "-- f0 f0 l0", "-- f0 f0 --")
    few = kingdom_of("C0 w2 w0 w0")
    crowned = kingdom_of("C0 w1 w0 w0", "-- l1 p1 s1")
    assert [kingdom.points() for kingdom in (six, broad, few, crowned)] == [6, 7, 6, 6]
    assert Table(4, games=[[six, broad, few, crowned]]).result().ranking == [[2], [4], [1, 3]]
    dynasty = Table(3, frozenset({"dynasty"}), [[six, broad, few], [broad, six, few], [few, few, crowned]])
    assert dynasty.result().ranking == [[1, 2], [3]]
    assert dynasty.result().terms == {"regions": [19, 19, 18]}


# ---- Side by side with the rules file


@pytest.mark.slow
@pytest.mark.parametrize(("players", "variants"), TABLES, ids=NAMES)
def test_both_play_the_same_game(players: int, variants: frozenset[str]) -> None:
    game = rulesrun.load(FILE, players, sorted(variants))
    for seed in range(GAMES):
        state = game.start()
        result = side_by_side(state, Table(players, variants).play(), at_random(seed), said)
        assert together(state.terms) == result.terms
        assert state.ranking == result.ranking
