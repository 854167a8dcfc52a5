"""Files that extend others: what they are together, and what is said of those that cannot be."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.play.game import load
from rulesrun.interpreter.play.records.replay import replay
from rulesrun.interpreter.play.records.transcript import transcript_of
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.syntax.reading.extending import CHAIN_LIMIT

from ..goldens import check_golden

HERE = Path(__file__).parent
FILES = sorted(file.name for file in (HERE / "messages").glob("*.rules"))


@pytest.mark.parametrize("name", FILES)
def test_messages(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / "messages")
    found = check(read_rules(name)).findings
    check_golden((HERE / "messages" / name).with_suffix(".messages"), "\n\n".join(render(d) for d in found) + "\n")
    assert name.split("_")[0] in {d.code for d in found}


@pytest.fixture
def market(tmp_path: Path) -> Path:
    """A copy of the market and of what extends it: `house` extends `below/fair`, which extends `../market`."""
    return Path(shutil.copytree(HERE / "rules", tmp_path / "games"))


@pytest.mark.slow
def test_everything_of_the_parents_then_what_stands_here(market: Path) -> None:
    whole = read_rules(market / "house.rules").required()
    assert whole.game == "market"
    assert whole.titles == (("uk", "Ринок"), ("en", "Market"))
    assert [variant.name for variant in whole.variants] == ["dear_goods", "fair", "crowd", "house"]
    assert [test.title for test in whole.tests] == ["buying costs a coin", "dear goods count more", "begging brings a coin"]
    assert check(read_rules(market / "house.rules")).findings == ()


def test_tests_of_the_parents_are_run_again_without_the_variants_that_are_new(market: Path) -> None:
    results = run_tests(read_rules(market / "house.rules"))
    assert [result.passed for result in results] == [True, True, True]
    house = market / "house.rules"
    house.write_text(
        house.read_text(encoding="utf-8") + "    always when players is 2\n    add before buying\n"
        "        for each player: set coins of player to 0\n",
        encoding="utf-8",
    )
    results = run_tests(read_rules(house))
    assert [result.passed for result in results] == [False, True, True]  # what is always in play is in play there too
    assert results[0].span.source.path.endswith("market.rules")


def test_options_keep_their_numbers(market: Path) -> None:
    """Those of the game come first, then those of each file that extends it, the nearest first; whatever the files are called."""
    (market / "a_house.rules").write_text(
        'extends "below/fair.rules"\nvariant shout "Shouting"\n    add after buying\n        for each player\n'
        "            player chooses\n                shout\n                    nothing\n                wait\n"
        "                    nothing\n",
        encoding="utf-8",
    )
    verbs = {
        name: [group.verb for group in load(market / name, 2, variants).machine.groups]
        for name, variants in (("market.rules", ()), ("a_house.rules", ("shout",)), ("a_house.rules", ()))
    }
    assert verbs["market.rules"] == ["buy", "wait"]
    shouting = load(market / "a_house.rules", 2, ["shout"]).machine.groups
    assert [(group.verb, group.base) for group in shouting] == [("buy", 0), ("wait", 1), ("shout", 2)]
    fair = load(market / "a_house.rules", 2, ["fair", "shout"]).machine.groups
    assert [group.verb for group in fair] == ["beg", "buy", "shout", "wait"]


def test_digests_count_parents_and_lists(market: Path) -> None:
    house = market / "house.rules"
    before = read_rules(house)

    def changed(name: str, old: str, new: str) -> set[str]:
        """The declarations with another digest after a change in a file, which is then undone."""
        file = market / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")
        after = read_rules(house)
        file.write_text(text, encoding="utf-8")
        assert (after.digest() != before.digest()) == (after.digests() != before.digests())
        return {name for name, digest in after.digests().items() if before.digests().get(name) != digest}

    assert changed("market.rules", "worth of good is 3", "worth of good is 2") == {"define dear"}
    assert changed("data/goods.csv", "bread,1,3", "bread,1,4") == {"cards good"}
    assert changed("below/fair.rules", "add 1 to begged", "add 2 to begged") == {"variant fair"}
    assert changed("below/fair.rules", "# On fair days", "# At fairs\n\n# On fair days") == set()
    assert changed("market.rules", "# coins that end the game", "# when it ends") == set()


@pytest.mark.slow
def test_a_game_of_an_extending_file_is_replayed(market: Path) -> None:
    game = load(market / "house.rules", 4, ["fair"])
    state = game.start(seed=3)
    while state.player:
        state.play_at_random()
    transcript = transcript_of(state, 3)
    assert transcript.file.endswith("house.rules")
    assert transcript.variants == ("fair", "crowd")
    found = replay(transcript, load(market / "house.rules", 4, ["fair"]))
    assert found.diagnostics == ()
    assert found.state.scores == state.scores


def test_a_fault_while_playing_names_the_file_it_is_in(market: Path) -> None:
    (market / "greedy.rules").write_text(
        'extends "market.rules"\nvariant greedy "Greedy"\n    add before buying\n'
        "        for each player: take 1 from coins of player\n",
        encoding="utf-8",
    )
    state = load(market / "greedy.rules", 2, ["greedy"]).start(seed=1)
    while state.player:
        state.play(state.decision.legal[0].number if state.decision else 0)
    assert state.fault is not None
    assert state.fault.span is not None
    assert state.fault.span.source.path.endswith("greedy.rules")


def test_a_chain_that_is_too_long(tmp_path: Path) -> None:
    shutil.copy(HERE / "messages" / "games" / "small.rules", tmp_path / "0.rules")
    for number in range(1, CHAIN_LIMIT + 1):
        text = f'extends "{number - 1}.rules"\nvariant v{number}\n    set pace to 2\n'
        (tmp_path / f"{number}.rules").write_text(text, encoding="utf-8")
    assert read_rules(tmp_path / f"{CHAIN_LIMIT - 1}.rules").diagnostics == ()
    (found,) = read_rules(tmp_path / f"{CHAIN_LIMIT}.rules").diagnostics
    assert found.code == "R009"
    assert found.span is not None
    assert found.span.source.path.endswith("/1.rules")


def test_a_circle_through_a_link_is_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text('extends "b.rules"\nvariant v\n    set pace to 2\n', encoding="utf-8")
    (tmp_path / "b.rules").symlink_to(tmp_path / "a.rules")
    assert [d.code for d in read_rules(tmp_path / "a.rules").diagnostics] == ["R008"]
    (tmp_path / "c.rules").write_text('extends "d.rules"\nvariant v\n    set pace to 2\n', encoding="utf-8")
    (tmp_path / "d.rules").symlink_to("d.rules")
    assert [d.code for d in read_rules(tmp_path / "c.rules").diagnostics] == ["R001"]


def test_a_list_stays_beside_the_file_that_names_it(market: Path) -> None:
    """The list of the parent is found from below; one that a variant names is looked for beside the variant."""
    fair = market / "below" / "fair.rules"
    assert read_rules(fair).diagnostics == ()
    added = '    cards coin from "data/coins.csv"\n        size: 1..2\n'
    text = fair.read_text(encoding="utf-8").replace("    excludes dear_goods\n", "    excludes dear_goods\n" + added)
    fair.write_text(text, encoding="utf-8")
    (found,) = read_rules(fair).diagnostics
    assert found.code == "R001"
    assert "below/data/coins.csv" in found.message
