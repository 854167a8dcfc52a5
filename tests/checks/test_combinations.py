"""The tables that are checked: all while they are few, each value with each, in a fixed order, within bounds."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.table.sampling.combinations import OPTIONS_LIMIT, TABLES_LIMIT, Candidates, tables_of

from ..pipeline import faults
from .tiny import tiny

KINDS = ("1..{n}, default 3", "yes or no, default no", "red{n}, blue{n}, green{n}, default blue{n}")  # of options


def tables(declarations: str = "", variants: str = "", players: str = "2..3") -> Candidates:
    return tables_of(tiny(declarations, variants=variants, players=players).required())


def several(count: int, lines: str = "") -> str:
    return "".join(f"variant v{n}\n    add before play\n        nothing\n{lines.format(n=n)}" for n in range(count))


def said(found: Candidates) -> list[str]:
    return [candidate.choice.said for candidate in found.tables]


def test_every_combination_of_variants_that_go_together() -> None:
    found = tables(variants=several(3) + "    excludes v0\n", players="2")
    assert said(found) == [
        "2 players",
        "2 players with v0",
        "2 players with v1",
        "2 players with v2",
        "2 players with v0 and v1",
        "2 players with v1 and v2",
    ]
    assert found.left_out == ()


def test_a_variant_comes_with_what_it_needs() -> None:
    found = tables(variants=several(1) + "variant w\n    needs v0\n    add after play\n        nothing\n", players="2")
    assert said(found) == ["2 players", "2 players with v0", "2 players with v0 and w"]


def test_twenty_variants_are_looked_at_in_pairs_and_the_rest_is_said_to_be_left_out() -> None:
    found = tables(variants=several(20), players="2")
    assert len(found.tables) <= TABLES_LIMIT
    sets = {candidate.choice.variants for candidate in found.tables}
    assert sets >= {(f"v{a}", f"v{b}") for a, b in combinations(range(20), 2)}
    (note,) = found.left_out
    assert "more than 256 combinations of the 20 variants" in note
    assert "alone and in pairs;" in note


def test_many_players_share_the_pairs() -> None:
    found = tables(variants=several(20), players="2..9")
    assert len(found.tables) <= TABLES_LIMIT
    assert {c.choice.players for c in found.tables if len(c.choice.variants) == 2} == set(range(2, 10))
    assert "in some pairs" in found.left_out[0]


@pytest.mark.slow
def test_of_very_many_variants_only_the_first_are_looked_at() -> None:
    found = tables(variants=several(700), players="2..3")
    assert len(found.tables) == 2 * (1 + 512)
    assert "of the 700 variants: the first 512 are checked alone" in found.left_out[0]


def test_needs_that_join_again_and_again_are_followed_once() -> None:
    needs = ["".join(f"    needs v{m}\n" for m in range(max(0, n - 2), n)) for n in range(60)]
    variants = "".join(several(1, needs[n]).replace("v0", f"v{n}", 1) for n in range(60))
    assert len(tables(variants=variants, players="2").tables) <= TABLES_LIMIT


def test_variants_that_all_exclude_one_another_are_few_combinations() -> None:
    excluding = ["".join(f"    excludes v{m}\n" for m in range(n)) for n in range(20)]
    variants = "".join(f"variant v{n}\n    add before play: nothing\n{lines}" for n, lines in enumerate(excluding))
    found = tables(variants=variants, players="2")
    assert len(found.tables) == 21
    assert found.left_out == ()


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(KINDS), max_size=5), st.integers(0, 3), st.booleans())
def test_each_value_of_an_option_meets_all_that_it_can(kinds: list[str], variants: int, setting: bool) -> None:
    declarations = "".join(f"option o{n}: {kind.format(n=n + 4)}\n" for n, kind in enumerate(kinds))
    lines = "    set o0 to 4\n" if setting and kinds and kinds[0].startswith("1") and variants else ""
    text = several(variants) + lines
    found = tables(declarations, text)
    assert found.tables == tables(declarations, text).tables
    values = {
        f"o{n}": ["1", "3", str(n + 4)]
        if "default 3" in kind
        else ["no", "yes"]
        if "yes" in kind
        else [f"{c}{n + 4}" for c in ("red", "blue", "green")]
        for n, kind in enumerate(kinds)
    }
    wanted = {
        frozenset(pair)
        for a, b in combinations(values, 2)
        for pair in ((((a, x)), ((b, y))) for x in values[a] for y in values[b])
    }
    wanted |= {frozenset(((a, x), ("players", p))) for a in values for x in values[a] for p in ("2", "3")}
    last = f"v{variants - 1}"
    wanted |= {
        frozenset(((a, x), ("variant", f"v{v}")))
        for a in values
        for x in values[a]
        for v in range(variants)
        if not (lines and a == "o0" and f"v{v}" == last)
    }
    met: set[frozenset[tuple[str, str]]] = set()
    for candidate in found.tables:
        table = candidate.found.table
        assert table is not None
        items = [*table.option_words.items(), ("players", str(table.players)), *(("variant", v) for v in table.variants)]
        met |= {frozenset(pair) for pair in combinations(items, 2)}
    assert wanted <= met


def test_options_of_many_values_are_bounded_and_it_is_said() -> None:
    words = ", ".join(f"w{{n}}x{k}" for k in range(12))
    declarations = "".join(f"option o{n}: {words.format(n=n)}, default w{n}x0\n" for n in range(6))
    found = tables(declarations)
    assert len(found.tables) == 2 + OPTIONS_LIMIT
    assert "only 40 tables with values of options are checked" in found.left_out[0]


@pytest.mark.parametrize(
    ("phase", "codes", "at"),
    [
        ("repeat 9 + steps times: add 1 to points of player 1", ["R301"], ()),
        ("for each player: set points of player to 5 + steps", ["R301"], ("steps 5",)),
        ("for each player: set points of player to 4 + steps + (players - 2)", ["R301"], ("3 players with steps 5",)),
    ],
)
def test_a_value_that_is_wrong_at_every_table_is_a_fault(phase: str, codes: list[str], at: tuple[str, ...]) -> None:
    """The range of an option can depend on how many players there are, and so can what it allows."""
    found = faults(tiny("option steps: 1..5, default 2", phase, players="2..3"))
    assert [d.code for d in found] == codes
    assert [d.tables for d in found] == [at] * len(codes)


@pytest.mark.parametrize(
    ("declarations", "tried"),
    [
        ("define half: steps / 2 rounded down\n", [4]),
        ("define half: (2 * steps - 1) / 2 rounded down\n", []),  # which is odd whatever `steps` is
        ("define half: (steps + rounds) / 2 rounded down\n", [4]),  # what comes of `rounds` is known only in a game
        ("define half of number: number / 2 rounded up\ndefine quarter: half of (half of steps)\n", [4]),
        ("define rest: steps mod 5\n", [6, 7]),
        ("define rest: 20 mod steps\n", []),
        ("define rest: steps mod 100\n", []),
        ("pieces stone, 9\nzone board: grid of stone, steps x 3, open\ndefine spot: middle of board\n", [4]),
        ("pieces stone, 9\nzone board: grid of stone, (2 * steps + 1) x 3, open\ndefine spot: middle of board\n", []),
        ("pieces stone, 9\nzone board: grid of stone, steps x 3, open\n", []),
    ],
)
def test_a_value_for_each_remainder_where_the_rules_divide(declarations: str, tried: list[int]) -> None:
    """The smallest, the largest and the default value are odd here, or leave 0, 3 and 4 when they are divided by 5."""
    found = tables(f"option steps: 3..9, default 5\noption rounds_left: 1..3, default 1\n{declarations}")
    between = [dict(candidate.choice.options).get("steps") for candidate in found.tables]
    assert [value for value in dict.fromkeys(between) if value not in (None, 3, 9)] == tried
    alone = [candidate.choice.options for value, candidate in zip(between, found.tables, strict=True) if value in tried]
    assert all(len(options) == 1 for options in alone)


@pytest.mark.parametrize(("size", "code"), [("side", ["R301"]), ("side + 4", ["R301"]), ("2 * side - 1", [])])
def test_a_grid_without_a_middle_between_sizes_that_have_one(size: str, code: list[str]) -> None:
    lines = f"option side: 3..9, default 5\npieces stone, 9\nzone board: grid of stone, ({size}) x 9, open\n"
    rules = tiny(lines, "put any stone from every stone on middle of board\nif board is full: add 1 to points of player 1")
    found = [finding for finding in faults(rules) if finding.code == "R301"]
    assert [finding.code for finding in found] == code
    assert all(finding.tables == ("side 4",) for finding in found)
    assert all("an odd width" in finding.labels[0].text for finding in found)
