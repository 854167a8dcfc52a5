"""Golden tests: each faulty source beside its messages. ``RULESRUN_RENEW=1 pytest`` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.common.source import Source

from ..goldens import check_golden
from ..pipeline import Found, run_stages

FILES = sorted((Path(__file__).parent / "messages").glob("*.rules"))


TABLES = {"R207_gap": 4, "R221_option": 2, "R405_domains": 6}  # players at the tables where the fault is


def found_in(file: Path, **more: object) -> Found:
    return run_stages(Source(file.name, file.read_text(encoding="utf-8")), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_messages(file: Path) -> None:
    found = found_in(file, players=TABLES.get(file.stem))
    check_golden(file.with_suffix(".messages"), found.messages + "\n")
    code = file.stem.split("_")[0]
    if code.startswith("R"):
        assert code in found.codes


def test_ten_faults_are_ten_messages() -> None:
    file = next(file for file in FILES if file.stem == "ten_faults")
    assert len(found_in(file).diagnostics) == 10
