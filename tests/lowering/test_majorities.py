"""The prizes of majorities, and the keys of a winner block for each word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.inspect.invariants import violations

from ..pipeline import Played, machine_of, play, stages

GAME = """
game areas
    players 2..5

list region: north, south
counter men of player: 0..99
counter boats of player: 0..99

define worth of player for region
    men of player if region is north
    otherwise boats of player

phase only
    for each player
        player chooses
            man a number from 0..99
                set men of player to number
        player chooses
            boat a number from 0..99
                set boats of player to number

score of player
    {term}: majority
        among: {among}
        by: {by}
        prizes: {prizes}

winner {winner}
"""


EACH = "land for each region"


def game(
    by: str = "highest men, then shared",
    prizes: str = "5, 3, 1",
    among: str = "players",
    term: str = "land",
    winner: str = "highest score, then shared",
) -> str:
    return GAME.format(term=term, among=among, by=by, prizes=prizes, winner=winner)


def scores(men: list[int], boats: list[int] | None = None, **lines: str) -> list[int]:
    played = _played(men, boats, **lines)
    return [played.executor.evaluate(played.cells, "score", seat) for seat in range(len(men))]


def _played(men: list[int], boats: list[int] | None, **lines: str) -> Played:
    machine = machine_of(game(**lines), len(men))
    assert violations(machine) == []
    first, second = machine.groups
    wanted = zip(men, boats or [0] * len(men), strict=True)
    return play(machine, 0, [n for man, boat in wanted for n in (first.base + man, second.base + boat)])


def _winners(men: list[int], boats: list[int], **lines: str) -> int:
    played = _played(men, boats, **lines)
    return played.executor.evaluate(played.cells, "winner", 0b11)


@pytest.mark.parametrize(
    ("men", "shared", "nobody"),
    [
        ([4, 3, 2, 1], [5, 3, 1, 0], [5, 3, 1, 0]),
        ([4, 4, 2, 1], [5, 5, 1, 0], [0, 0, 1, 0]),  # two share the first place, and nobody has the second
        ([4, 3, 3, 3], [5, 3, 3, 3], [5, 0, 0, 0]),
        ([1, 1, 1, 1], [5, 5, 5, 5], [0, 0, 0, 0]),
        ([1, 2, 2, 4], [0, 3, 3, 5], [0, 0, 0, 5]),
    ],
)
def test_places_and_ties(men: list[int], shared: list[int], nobody: list[int]) -> None:
    assert scores(men) == shared
    assert scores(men, by="highest men, then nobody") == nobody


SPLIT = "highest men, then split rounded down"


@pytest.mark.parametrize(
    ("men", "split"),
    [
        ([4, 3, 2, 1], [5, 3, 1, 0]),
        ([4, 4, 2, 1], [4, 4, 1, 0]),  # 5 + 3
        ([4, 3, 3, 3], [5, 1, 1, 1]),  # 3 + 1
        ([4, 4, 4, 3], [3, 3, 3, 0]),  # 5 + 3 + 1
        ([1, 1, 1, 1], [2, 2, 2, 2]),
        ([1, 2, 2, 4], [0, 2, 2, 5]),
        ([3, 3, 1, 1], [4, 4, 0, 0]),
    ],
)
def test_a_tie_splits_the_prizes_of_all_places_that_it_takes(men: list[int], split: list[int]) -> None:
    assert scores(men, by=SPLIT) == split


@pytest.mark.slow
@given(st.lists(st.integers(0, 3), min_size=2, max_size=5))
def test_a_split_gives_away_no_more_than_there_is(men: list[int]) -> None:
    found = scores(men, by=SPLIT, prizes="10, 6, 3, 1", among="players with men > 0")
    ranked = sorted((own for own in men if own), reverse=True)
    prizes = [10, 6, 3, 1, 0]
    for own, points in zip(men, found, strict=True):
        places = [place for place, other in enumerate(ranked) if other == own]
        assert points == (sum(prizes[place] for place in places) // len(places) if own else 0)


def test_a_split_for_each_word() -> None:
    by = "highest worth for region, then split rounded down"
    assert scores([2, 2, 1], [1, 2, 2], term=EACH, by=by) == [4 + 1, 4 + 4, 1 + 4]


def test_split_is_no_reserved_word() -> None:
    text = game(by="highest split of player, then split rounded down").replace("men", "split").replace("highest split, ", "")
    assert stages(text, 2).diagnostics == ()


def test_who_wins_is_not_split() -> None:
    found = stages(game(winner="highest score, then split rounded down"), 2)
    assert found.codes == ["R204"]
    assert "`, then shared`" in found.messages


def test_only_those_among_take_part() -> None:
    assert scores([4, 0, 2], among="players with men > 0", by="lowest men, then shared", prizes="3, 1") == [1, 0, 3]


def test_the_number_of_prizes_may_be_more_or_less_than_the_players() -> None:
    assert scores([2, 1], prizes="5, 3, 1, 1, 1") == [5, 3]
    assert scores([2, 1], prizes="5") == [5, 0]


def test_the_keys_and_prizes_may_ask_for_the_noun_and_for_the_player() -> None:
    by = "highest worth for region, then shared"
    assert scores([2, 1], [1, 2], term=EACH, by=by) == [5 + 3, 3 + 5]
    assert scores([2, 1], [1, 4], term=EACH, by=by, prizes="boats of player, men of player") == [1 + 2, 1 + 4]


def test_player_in_a_key_is_the_one_who_is_ranked() -> None:
    assert scores([2, 7, 4], by="highest men of player, then shared", prizes="5, 1") == [0, 5, 1]


def test_seats_need_no_tie_break() -> None:
    assert scores([3, 3, 3], by="highest men, then lowest seat") == [5, 3, 1]


@pytest.mark.slow
@given(st.lists(st.integers(0, 3), min_size=2, max_size=5))
def test_a_place_is_one_more_than_how_many_are_better(men: list[int]) -> None:
    prizes = [10, 6, 3, 1]
    expected = [sum(prizes[place : place + 1]) for place in (sum(other > own for other in men) for own in men)]
    assert scores(men, prizes="10, 6, 3, 1") == expected
    alone = [points if men.count(own) == 1 else 0 for own, points in zip(men, expected, strict=True)]
    assert scores(men, by="highest men, then nobody", prizes="10, 6, 3, 1") == alone


def test_a_majority_without_a_tie_break_is_refused() -> None:
    found = stages(game(by="highest men"), 3)
    assert found.codes == ["R251"]
    assert stages(game(by="highest men, then shared, then lowest seat"), 3).codes == ["R107"]


BLOCK = """
    score: highest score
    for each region
        held: most worth for region
        small: lowest worth for region
    shared"""

VARIANTS = """
variant no_south
    remove held for south from winner
variant no_land
    remove held from winner
variant more
    add to score
        fleet: majority
            among: players
            by: most boats, then nobody
            prizes: 7
"""


def keys(*variants: str) -> list[str]:
    machine = machine_of(game(winner=BLOCK) + VARIANTS, 2, variants=variants)
    return [key.label for key in machine.keys]


def test_keys_for_each_word_stand_one_after_the_other() -> None:
    assert keys() == ["score", "held for north", "small for north", "held for south", "small for south"]


def test_a_variant_takes_out_one_of_them_or_all() -> None:
    assert keys("no_south") == ["score", "held for north", "small for north", "small for south"]
    assert keys("no_land") == ["score", "small for north", "small for south"]
    found = stages(game(winner=BLOCK) + VARIANTS, 2, ("no_south", "no_land"))
    assert found.codes == ["R403"]


def test_the_keys_decide_in_their_order() -> None:
    level = {"prizes": "0", "winner": BLOCK}
    assert _winners([2, 3], [9, 3], **level) == 0b10
    assert _winners([3, 3], [9, 3], **level) == 0b01


def test_a_majority_in_a_variant() -> None:
    machine = machine_of(game(winner=BLOCK) + VARIANTS, 2, variants=["more"])
    first, second = machine.groups
    played = play(machine, 0, [first.base, second.base + 4, first.base, second.base + 2])
    assert [played.executor.evaluate(played.cells, "score for fleet", seat) for seat in (0, 1)] == [7, 0]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("remove held for east from winner", "R201"),
        ("remove score for north from winner", "R206"),
        ("remove held for 3 from winner", "R206"),
        ("remove keld from winner", "R226"),
    ],
)
def test_what_is_not_there_cannot_be_removed(line: str, code: str) -> None:
    assert stages(f"{game(winner=BLOCK)}\nvariant odd\n    {line}\n", 2).codes == [code]


def test_keys_are_for_words_only() -> None:
    found = stages(game(winner=BLOCK.replace("for each region", "for each player")), 2)
    assert found.codes == ["R204"]


def test_a_key_that_does_not_ask_for_the_word_decides_nothing_twice() -> None:
    found = stages(game(winner=BLOCK.replace("most worth for region", "most men")), 2)
    assert found.codes == ["R230"]


def test_two_variants_with_a_majority_of_one_name_are_one_fault() -> None:
    again = VARIANTS.split("variant more")[1]
    found = stages(game(winner=BLOCK) + VARIANTS + "variant again" + again, 2, ("more", "again"))
    assert found.codes == ["R403"], found.messages


def test_each_player_of_a_team_is_ranked_alone() -> None:
    assert _scores_in_teams([1, 4, 3, 2]) == [0, 5, 3, 1]


def _scores_in_teams(men: list[int]) -> list[int]:
    machine = machine_of(game() + "teams of 2, in turn\n", 4)
    first, second = machine.groups
    played = play(machine, 0, [n for man in men for n in (first.base + man, second.base)])
    return [played.executor.evaluate(played.cells, "score", seat) for seat in range(4)]
