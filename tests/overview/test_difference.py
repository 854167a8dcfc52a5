"""Differences of rules: what counts, what does not, and how they are shown."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rulesrun.interpreter.overview.difference import compare, compare_tables
from rulesrun.interpreter.rules import read_rules

from ..cli.commands import rulesrun
from ..goldens import check_golden

HERE = Path(__file__).parent
RULES = HERE.parent / "extending" / "rules"
GAMES = HERE.parent.parent / "games"

Change = Callable[..., dict[str, tuple[str, list[str], list[str]]]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(RULES, tmp_path / "games")
    monkeypatch.chdir(tmp_path / "games")
    return tmp_path / "games"


@pytest.fixture
def change(folder: Path) -> Change:
    """Compares the market with a copy in which some texts are replaced: by name, the kind and the lines of either side."""

    def changed(*replacements: tuple[str, str], goods: tuple[str, str] = ("", "")) -> dict[str, tuple[str, list[str], list[str]]]:
        text = (folder / "market.rules").read_text(encoding="utf-8")
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new, 1)
        (folder / "other").mkdir(exist_ok=True)
        (folder / "other" / "data").mkdir(exist_ok=True)
        (folder / "other" / "market.rules").write_text(text, encoding="utf-8")
        rows = (folder / "data" / "goods.csv").read_text(encoding="utf-8")
        (folder / "other" / "data" / "goods.csv").write_text(rows.replace(*goods, 1), encoding="utf-8")
        result = rulesrun("diff", "market.rules", "other/market.rules", "--format", "json")
        found = json.loads(result.stdout)["differences"]
        assert result.exit_code == (1 if found else 0)
        return {
            d["name"]: (d["kind"], [line["text"] for line in d["first"]], [line["text"] for line in d["second"]]) for d in found
        }

    return changed


def test_comments_layout_and_order_do_not_count(change: Change, folder: Path) -> None:
    counter = "counter coins of player: 0..9\n"
    assert (
        change(
            (counter, ""),
            ("define dear", counter + "\n# What is dear.\ndefine dear"),
            ("# coins that end the game", "# when it ends"),
            ("    repeat 2 times\n", "    repeat   2 times   # two rounds\n\n"),
            ("    2       | 2\n    3       | 1\n", "    3 | 1\n    2 | 2\n"),
        )
        == {}
    )
    assert change(goods=("apple,1,3\napple,2,2\n", "apple,2,2\napple,1,3\n")) == {}
    assert rulesrun("diff", "market.rules", "other/market.rules").stdout == (
        "market\n- market.rules\n+ other/market.rules\n\nNo rule differs\n"
    )


def test_the_winner_on_one_line_is_the_winner_in_a_block(change: Change) -> None:
    block = "winner\n    points: highest score\n    thrift: most coins\n    shared\n"
    assert change((block, "winner highest score, then most coins, then nobody\n"))["winner"] == (
        "changed",
        ["shared"],
        ["nobody"],
    )


@pytest.mark.parametrize(
    ("old", "new", "name", "kind", "first", "second"),
    [
        ("worth of good is 3", "worth of good is 2", "define dear", "changed", ["define dear of good: worth of good is 3"],
         ["define dear of good: worth of good is 2"]),
        ("counter coins of player: 0..9", "counter coins of player: 0..8", "counter coins", "changed",
         ["counter coins of player: 0..9"], ["counter coins of player: 0..8"]),
        ("hidden", "open", "zone stock", "changed", ["zone stock: pile of good, hidden"], ["zone stock: pile of good, open"]),
        ("default 5", "default 6", "option target", "changed", ["option target: 3..9, default 5"],
         ["option target: 3..9, default 6"]),
        ("players 2..4", "players 2..3", "players", "changed", ["players 2..4"], ["players 2..3"]),
        ("    3       | 1", "    3       | 2", "table start", "changed", ["3 | 1"], ["3 | 2"]),
        ("    coins: coins of player", "    coins: 2 * coins of player", "score coins", "changed", ["coins: coins of player"],
         ["coins: 2 * coins of player"]),
        ("    coins: coins of player\n", "", "score coins", "removed", ["coins: coins of player"], []),
        ("    thrift: most coins", "    thrift: fewest coins", "winner", "changed", ["most coins"], ["fewest coins"]),
        ("    thrift: most coins\n", "", "winner", "changed", ["most coins"], []),
        ("repeat 2 times", "repeat 3 times", "phase day", "changed", ["repeat 2 times"], ["repeat 3 times"]),
        ("take 1 from coins", "take 2 from coins", "step buying", "changed", ["take 1 from coins of player"],
         ["take 2 from coins of player"]),
        ("you have no coin", "no coin", "step buying", "changed",
         ['only if coins of player > 0 otherwise "you have no coin"'], ['only if coins of player > 0 otherwise "no coin"']),
        ("    for each player: set", "    for each player: nothing\n    for each player: set", "setup", "changed", [],
         ["for each player: nothing"]),
        ("define dear", "define cheap: 3\ndefine dear", "define cheap", "added", [], ["define cheap: 3"]),
        ("2 * count", "3 * count", "variant dear_goods", "changed", ["dear: 2 * count of hand of player where dear"],
         ["dear: 3 * count of hand of player where dear"]),
        ("apple, bread", "apple, bread, cake", "cards good", "changed", ["sort: apple, bread"], ["sort: apple, bread, cake"]),
        ("apple, bread", "bread, apple", "cards good", "changed", ["sort: apple, bread"], ["sort: bread, apple"]),
    ],
)  # fmt: skip
def test_one_change_is_one_difference(
    change: Change, old: str, new: str, name: str, kind: str, first: list[str], second: list[str]
) -> None:
    assert change((old, new)) == {name: (kind, first, second)}


def test_rows_of_a_list(change: Change) -> None:
    gone, come = ["sort bread, worth 3, 2 times"], ["sort bread, worth 3, 3 times"]
    assert change(goods=("bread,3,2", "bread,3,3")) == {"cards good": ("changed", gone, come)}
    assert change(goods=("apple,2,2\n", "")) == {"cards good": ("changed", ["sort apple, worth 2, 2 times"], [])}


def test_a_renamed_thing_went_and_came(change: Change) -> None:
    found = change(("define dear of good", "define costly of good"), ("where dear", "where costly"))
    assert {name: kind for name, (kind, _, _) in found.items()} == {
        "define dear": "removed",
        "define costly": "added",
        "variant dear_goods": "changed",
    }


@pytest.mark.parametrize(
    ("golden", "arguments"),
    [
        ("dear", ["market.rules", "--variant", "dear_goods"]),
        ("fair", ["house.rules", "--variant", "fair", "--players", "4"]),
        ("fair_or_dear", ["house.rules", "--against", "fair", "--variant", "dear_goods"]),
        ("extended", ["market.rules", "house.rules", "--variant", "house"]),
        ("files", ["market.rules", "below/fair.rules"]),
    ],
)
def test_as_text(golden: str, arguments: list[str], folder: Path) -> None:
    result = rulesrun("diff", *arguments)
    assert result.exit_code == 1
    check_golden(HERE / f"{golden}.diff", result.stdout)


def test_what_variants_put_into_a_step_stands_where_it_is_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Masti for six: the same rules without `always`, so that there is something to compare with."""
    text = (GAMES / "masti.rules").read_text(encoding="utf-8").partition("# ---- Examples")[0]
    shutil.copytree(GAMES / "data", tmp_path / "data")
    (tmp_path / "masti.rules").write_text(text.replace("    always when players is 6\n", ""), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = rulesrun("diff", "masti.rules", "--variant", "six", "--players", "6")
    assert (result.exit_code, result.stderr) == (1, "")
    check_golden(HERE / "six.diff", result.stdout)


def test_a_table_has_its_own_values_and_components(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        "game small\n    players 2..3\noption size: 1..9, default few\ntable few by players: 2: 4, 3: 6\n"
        "option most_tier: 0..9, default 1\n"
        "cards card\n    rank: 1..9\n    leave out rows with tier > most_tier\n    rank | tier\n    1 | 1\n    2 | 2\n    3 | 2\n"
        "phase only\n    nothing\nscore of player\n    points: 0\nwinner highest score, then shared\n"
        "variant wide\n    set most_tier to 2\n"
    )
    (tmp_path / "small.rules").write_text(text, encoding="utf-8")
    result = rulesrun("diff", "small.rules", "--variant", "wide", "--format", "json")
    found = {d["name"]: d for d in json.loads(result.stdout)["differences"]}
    assert found["option most_tier"]["values"] == ["1", "2"]
    assert found["cards card"]["values"] == ["1 component", "3 components"]
    assert [line["text"] for line in found["cards card"]["second"]] == ["rank 2, tier 2", "rank 3, tier 2"]
    assert set(found) == {"option most_tier", "cards card"}


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(GAMES.glob("*.rules")), ids=lambda file: file.stem)
def test_a_game_does_not_differ_from_itself(file: Path) -> None:
    rules = read_rules(file)
    assert compare(rules, read_rules(file)).differences == ()
    for players in range(rules.required().players[0], rules.required().players[1] + 1):
        assert compare_tables(rules, rules, (), (), players).differences == ()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["market.rules"], "compare it with what?"),
        (["market.rules", "nowhere.rules"], "there is no file"),
        (["market.rules", "--variant", "dear_good"], "did you mean `dear_goods`?"),
        (["house.rules", "--variant", "fair,dear_goods"], "`fair` excludes `dear_goods`"),
        (["market.rules", "faulty.rules"], "did you mean `players`"),
        (["market.rules", "data/goods.csv"], "is a table of components"),
        (["market.rules", "--variant", "dear_goods", "--players", "9"], "is for 2 to 4 players"),
    ],
)
def test_what_cannot_be_compared(arguments: list[str], said: str, folder: Path) -> None:
    (folder / "faulty.rules").write_text("game faulty\n    plyers 2\n", encoding="utf-8")
    result = rulesrun("diff", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


SALE = """game sale
    players 2
cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone lot: slot of card, open
zone hand of player: set of card, private
setup
    shuffle every card into deck
phase selling
    repeat 3 times
        draw 1 from deck to lot
        auction for lot
            bidders: players
            bids: 1..9, each higher than the last
            a pass is final
            no bids
                step unsold
                    move lot to box
            won: move lot to hand of winner
score of player
    cards: total rank of hand of player
winner highest score, then shared
"""
SEALED = """extends "sale.rules"
variant sealed
    replace phase selling
        repeat 3 times
            draw 1 from deck to lot
            auction for lot
                bidders: players
                bids: amount from 1..9
                sealed
                no bids
                    step unsold
                        move lot to box
                won: move lot to hand of winner
"""


def test_an_auction_is_told_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sale.rules").write_text(SALE, encoding="utf-8")
    (tmp_path / "house.rules").write_text(SEALED, encoding="utf-8")
    result = rulesrun("diff", "house.rules", "--variant", "sealed", "--format", "json")
    (found,) = json.loads(result.stdout)["differences"]
    assert found["name"] == "phase selling"
    assert [line["text"] for line in found["first"]] == ["bids: 1..9, each higher than the last", "a pass is final"]
    assert [line["text"] for line in found["second"]] == ["bids: amount from 1..9", "sealed"]
    (variant,) = json.loads(rulesrun("variants", "house.rules", "--format", "json").stdout)["variants"]
    assert [said["text"] for said in variant["changes"]] == ["replaces phase selling, instead of sale.rules:10"]


def test_a_step_in_an_auction_is_a_piece_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sale.rules").write_text(SALE, encoding="utf-8")
    house = 'extends "sale.rules"\nvariant given\n    replace step unsold: move lot to hand of player 1\n'
    (tmp_path / "house.rules").write_text(house, encoding="utf-8")
    (found,) = json.loads(rulesrun("diff", "house.rules", "--variant", "given", "--format", "json").stdout)["differences"]
    assert found["name"] == "step unsold"
    assert [line["text"] for line in found["second"]] == ["move lot to hand of player 1"]


JAPANESE = ["diff", str(GAMES / "refused" / "for_the_king_japanese.rules"), "--variant", "japanese_edition"]


@pytest.mark.slow
def test_what_differs_only_with_more_players_is_named(folder: Path) -> None:
    assert "cards for diplomacy: most cards_held for office\n" in rulesrun(*JAPANESE).stdout
    data = json.loads(rulesrun(*JAPANESE, "--format", "json").stdout)
    assert (data["players"], data["elsewhere"]) == (2, [])  # the others cannot be played with it
    four_only = 'extends "market.rules"\nvariant four\n    always when players is 4\n    set target to 7\n'
    (folder / "four.rules").write_text(four_only, encoding="utf-8")
    result = rulesrun("diff", "market.rules", "four.rules", "--set", "open_hands=yes")
    assert result.exit_code == 1
    assert result.stdout.endswith("\nNo rule differs\n\nWith 4 players: option target\n")
    data = json.loads(rulesrun("diff", "market.rules", "four.rules", "--set", "open_hands=yes", "--format", "json").stdout)
    assert data["elsewhere"] == [{"players": [4], "names": ["option target"]}]
