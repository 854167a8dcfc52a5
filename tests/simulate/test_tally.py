"""Laws of what is kept of many games: it does not matter how the work is split, and nothing is lost on the way to a file."""

from __future__ import annotations

import json
from array import array
from functools import reduce
from itertools import pairwise
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.machine.columns import Columns
from rulesrun.interpreter.simulate.statistics.counts import Counts
from rulesrun.interpreter.simulate.statistics.tally import NoTally, Tally

COLUMNS = Columns(2, ("coins",), 1)
NUMBERS = st.integers(-(2**31), 2**31 - 1)
PLACES = st.tuples(st.integers(0, 5), st.integers(0, 3))


@st.composite
def rows(draw: st.DrawFn) -> list[int]:
    """A row, of a game that ended or of one that a fault stopped."""
    fault = draw(st.integers(0, 3) | st.just(0))
    head = [*draw(st.lists(st.integers(0, 9), min_size=3, max_size=3)), fault]
    rest = draw(st.lists(NUMBERS | st.integers(0, 2), min_size=8, max_size=8))
    return [*head, *([0] * 8 if fault else rest)]


COUNTS = st.builds(
    Counts,
    st.dictionaries(st.integers(1, 9), st.integers(1, 99)),
    st.dictionaries(PLACES, st.integers(1, 99)),
    st.dictionaries(PLACES, st.integers(1, 99)),
    st.dictionaries(st.integers(0, 9), st.integers(1, 99)),
)
GAMES = st.lists(rows(), max_size=12)


def tally(games: list[list[int]], first: int = 0) -> Tally:
    return Tally.of(COLUMNS, first, array("i", [value for row in games for value in row]))


@pytest.mark.slow
@given(GAMES, st.data())
def test_any_split_in_any_order_is_the_whole(games: list[list[int]], data: st.DataObject) -> None:
    cuts = sorted({0, len(games), *data.draw(st.lists(st.integers(0, len(games))))})
    parts = [tally(games[start:end], start) for start, end in pairwise(cuts)]
    shuffled = data.draw(st.permutations(parts))
    assert reduce(add, shuffled, Tally.empty(COLUMNS)) == tally(games)


@pytest.mark.slow
@given(GAMES, GAMES, GAMES)
def test_adding_is_associative_and_commutative(one: list[list[int]], two: list[list[int]], three: list[list[int]]) -> None:
    a, b, c = tally(one), tally(two, 100), tally(three, 200)
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@pytest.mark.slow
@given(GAMES)
def test_every_game_is_counted_once_in_every_column(games: list[list[int]]) -> None:
    found = tally(games)
    assert found.games + found.stopped == len(games)
    assert all(sum(counts.values()) == found.games for counts in found.histograms)
    for number, stopped in found.faults.items():
        assert [row[3] for row in games].index(number + 1) == stopped.example


@pytest.mark.slow
@given(GAMES, COUNTS, COUNTS)
def test_a_file_holds_the_same(games: list[list[int]], one: Counts, two: Counts) -> None:
    found = tally(games)
    data = json.loads(json.dumps(found.to_data(COLUMNS)))
    assert Tally.from_data(COLUMNS, data) == found
    assert one + two == two + one
    assert Counts.from_data(json.loads(json.dumps((one + two).to_data()))) == one + two


@pytest.mark.slow
@given(GAMES.filter(bool), GAMES.filter(bool))
def test_equal_tallies_are_equal_texts(one: list[list[int]], two: list[list[int]]) -> None:
    a, b = tally(one), tally(two, 100)
    assert json.dumps((a + b).to_data(COLUMNS)) == json.dumps((b + a).to_data(COLUMNS))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.pop("games"),
        lambda data: data.pop("faults"),
        lambda data: data["columns"].pop("win_1"),
        lambda data: data["columns"]["win_1"].update({"7": 1}),
        lambda data: data["columns"].update(win_1={"0": 1, "01": 1}),
        lambda data: data["columns"].update(win_1={"0": -1, "1": 3}),
        lambda data: data["columns"].update(win_1={"none": 2}),
        lambda data: data["columns"].update(win_1=[2]),
        lambda data: data["columns"].update(score_1={str(2**31): 2}),
        lambda data: data["columns"].update(score_1={str(10**400): 2}),
        lambda data: (data["columns"].update({name: {"0": 10**400} for name in COLUMNS.names}), data.update(games=10**400)),
        lambda data: data.update(games=True),
        lambda data: data.update(faults={"0": [1]}),
        lambda data: data.update(faults={"0": [0, 1]}),
    ],
)
def test_data_that_is_no_tally(spoil: object) -> None:
    data = tally([[1, 2, 0, 0, 5, 6, 0, 1, 0, 1, 5, 6], [1, 2, 1, 0, 5, 7, 1, 0, 1, 0, 5, 7]]).to_data(COLUMNS)
    spoil(data)  # type: ignore[operator]
    with pytest.raises(NoTally):
        Tally.from_data(COLUMNS, data)


@pytest.mark.parametrize("data", [None, [], 3, {}, {"columns": 7}])
def test_things_that_are_no_tally(data: object) -> None:
    with pytest.raises(NoTally):
        Tally.from_data(COLUMNS, data)


def test_the_names_of_columns_are_all_different() -> None:
    for terms in (("coins",), ("score", "win"), ("team_score", "coins", "coins_1"), ("coins, game 1", "coins, game 2")):
        columns = Columns(4, terms, 2)
        assert len(set(columns.names)) == len(columns.names) == len(columns)
        assert columns.names[columns.team_score(3)] == "team_score_4"
        assert columns.names[columns.term(len(terms) - 1, 0)].endswith(f"{terms[-1]}_1")
        assert columns.names[columns.turn_win(1)] == "turn_win_2"
