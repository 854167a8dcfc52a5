"""`rulesrun.analyse` gives what the command prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rulesrun as rr

from ..cli.commands import MASTI, rulesrun
from ..simulate.games import BIDS, written

KINGDOMINO = MASTI.replace("masti", "kingdomino")
PLAIN, HARMONY = rr.load(KINGDOMINO, 2), rr.load(KINGDOMINO, 2, ["harmony"])


@pytest.mark.slow
def test_a_report_is_that_of_the_command(tmp_path: Path) -> None:
    rules = str(written(BIDS, tmp_path))
    found = rr.analyse(rr.load(rules, 2, ["level"]), rr.load(rules, 2), "search:3", games=6, seed=3, jobs=2, changes=False)
    arguments = ("--variant", "level", "--against", "plain", "--players", "2", "--bots", "search:3", "--games", "6")
    data = json.loads(rulesrun("analyse", rules, *arguments, "--seed", "3", "--format", "json").stdout)
    ours = found.data
    assert ours["rules"] == data["rules"]
    assert ours["differences"] == data["differences"]
    for own, told in zip(ours["tables"], data["tables"], strict=True):
        assert {key: own[key] for key in ("measures", "verdicts", "acts", "games")} == {
            key: told[key] for key in ("measures", "verdicts", "acts", "games")
        }
    assert found.games == 6
    assert found["forced_share"].value == data["tables"][1]["measures"]["forced_share"]["value"]
    assert found.html.startswith("<!doctype html>")
    with pytest.raises(KeyError, match="forced_share"):
        found["forced_shares"]


@pytest.mark.slow
def test_rows_are_a_table() -> None:
    pytest.importorskip("pyarrow")
    found = rr.analyse(HARMONY, PLAIN, "search:3", games=4, seed=3, changes=False)
    table = found.table()
    assert table.column("table").to_pylist() == ["plain"] * 4 + ["harmony"] * 4
    forced, decisions = (sum(table.column(name).to_pylist()[4:]) for name in ("forced", "decisions"))
    assert forced / decisions == pytest.approx(found["forced_share"].value)


@pytest.mark.slow
def test_variants_and_options_that_are_tried() -> None:
    found = rr.analyse(rr.load(MASTI, 4), bots="random", games=3, seed=1)
    assert "partners" in found.changes
    assert all(estimates["decisions_mean"].games == 3 for estimates in found.changes.values())


@pytest.mark.parametrize(
    "arguments",
    [{"games": 0}, {"max_seconds": 0}, {"max_seconds": "1"}, {"jobs": 0}, {"bots": 3}, {"seed": -1}, {"engine": "fast"},
     {"against": rr.load(KINGDOMINO, 3)}, {"against": KINGDOMINO}],
)  # fmt: skip
def test_what_is_out_of_range(arguments: dict[str, object]) -> None:
    with pytest.raises(rr.ArgumentError):
        rr.analyse(PLAIN, **arguments)  # type: ignore[arg-type]


def test_the_page_is_in_the_language_of_the_game() -> None:
    found = rr.analyse(PLAIN.in_language("uk"), bots="random", games=2, seed=1, changes=False)
    assert found.verdicts["length"].text.startswith("A game has")
    assert "Рішень за партію" in found.html
