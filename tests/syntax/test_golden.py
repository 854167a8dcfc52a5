"""Golden tests: each source beside the outline of its tree, or beside its messages.

``RULESRUN_RENEW=1 pytest`` writes them anew; review the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.syntax.reading.from_text import parse
from rulesrun.interpreter.syntax.show import show

HERE = Path(__file__).parent


def compare(golden: Path, actual: str) -> None:
    if os.environ.get("RULESRUN_RENEW"):
        golden.write_text(actual, encoding="utf-8")
    assert golden.exists(), f"no {golden.name}: run with RULESRUN_RENEW=1"
    assert actual == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", sorted((HERE / "trees").glob("*.rules")), ids=lambda file: file.stem)
def test_tree(file: Path) -> None:
    parsed = parse(Source(file.name, file.read_text(encoding="utf-8")))
    assert [render(d) for d in parsed.diagnostics] == []
    assert parsed.doubtful == frozenset()
    assert parsed.tree is not None
    compare(file.with_suffix(".tree"), show(parsed.tree))


@pytest.mark.parametrize("file", sorted((HERE / "messages").glob("*.rules")), ids=lambda file: file.stem)
def test_messages(file: Path) -> None:
    parsed = parse(Source(file.name, file.read_text(encoding="utf-8")))
    compare(file.with_suffix(".messages"), "\n\n".join(render(d) for d in parsed.diagnostics) + "\n")
    if (code := file.stem.split("_")[0]).startswith("R"):
        assert code in {d.code for d in parsed.diagnostics}


def test_ten_faults_are_ten_messages() -> None:
    text = (HERE / "messages" / "ten_faults.rules").read_text(encoding="utf-8")
    parsed = parse(Source("ten_faults.rules", text))
    assert len(parsed.diagnostics) == 10
    assert len({d.span.line for d in parsed.diagnostics if d.span}) == 10
