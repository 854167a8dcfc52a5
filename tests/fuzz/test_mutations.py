"""Mutated files give only diagnostics: no Python exception, no hang, no flood of memory.

Real files are spoiled as people spoil them (a letter, a word, a line lost, doubled, swapped; one name in the place of another),
and then go through every stage, down to a few games. ``RULESRUN_EXAMPLES=5000`` runs many.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import as_json
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.inspect.invariants import violations
from rulesrun.interpreter.machine.reference.executor import Executor

from ..pipeline import GAMES, Found, run_stages
from .games import SMALL_GAMES

EXAMPLES = int(os.environ.get("RULESRUN_EXAMPLES", "25"))
DECISIONS = 150  # a spoiled game may well go on for ever; this much of it is played

fuzz = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))


@cache
def masti() -> str:
    return (GAMES / "masti.rules").read_text(encoding="utf-8").split("# ---- Examples")[0]


@cache
def rows() -> str:
    return (GAMES / "data" / "masti.csv").read_text(encoding="utf-8")


# ---- Spoiling


@st.composite
def characters(draw: st.DrawFn, text: str) -> str:
    """One to three characters lost, doubled, swapped or put in."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(text) - 2)))
        match draw(st.sampled_from(("lose", "double", "swap", "put"))):
            case "lose":
                text = text[:at] + text[at + 1 :]
            case "double":
                text = text[: at + 1] + text[at:]
            case "swap":
                text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
            case _:
                text = text[:at] + draw(st.sampled_from('0123456789-+*:,."[](){}# \tяか\u0301\0\r\n')) + text[at:]
    return text


@st.composite
def words(draw: st.DrawFn, text: str) -> str:
    """One to three words lost, doubled, or replaced by another word of the file."""
    for _ in range(draw(st.integers(1, 3))):
        found = [m.span() for m in re.finditer(r"\w+", text)]
        start, end = found[draw(st.integers(0, len(found) - 1))]
        other = text[slice(*found[draw(st.integers(0, len(found) - 1))])]
        match draw(st.sampled_from(("lose", "double", "replace", "replace", "replace"))):
            case "lose":
                text = text[:start] + text[end:]
            case "double":
                text = text[:end] + " " + text[start:]
            case _:
                text = text[:start] + other + text[end:]
    return text


@st.composite
def lines(draw: st.DrawFn, text: str) -> str:
    """One to three lines lost, doubled, swapped, or moved in or out."""
    all_lines = text.splitlines(keepends=True)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(all_lines) - 1))
        match draw(st.sampled_from(("lose", "double", "swap", "in", "out"))):
            case "lose" if len(all_lines) > 1:
                del all_lines[at]
            case "double":
                all_lines.insert(at, all_lines[at])
            case "swap":
                other = draw(st.integers(0, len(all_lines) - 1))
                all_lines[at], all_lines[other] = all_lines[other], all_lines[at]
            case "in":
                all_lines[at] = "    " + all_lines[at]
            case _:
                all_lines[at] = all_lines[at].removeprefix("    ")
    return "".join(all_lines)


def spoiled(text: str) -> st.SearchStrategy[str]:
    return st.one_of(characters(text), words(text), lines(text))


# ---- What must hold


def check(found: Found, seed: int) -> None:
    for diagnostic in found.diagnostics:
        as_json(diagnostic)
        for label in diagnostic.labels:
            assert 0 <= label.span.start <= label.span.end <= len(label.span.source.text)
    assert "R699" not in found.messages
    assert len(found.diagnostics) <= 100
    if found.machine is None:
        assert any(d.severity == "error" for d in found.diagnostics)
        return
    assert violations(found.machine) == []
    executor = Executor(found.machine)
    for game in range(2):
        cells = executor.fresh(seed, game)
        stop = executor.enter(cells)
        for _ in range(DECISIONS):
            if stop.node is None:
                break
            if stop.kind == "chance":
                stop = executor.happen(cells, executor.draw(cells))
            else:
                stop = executor.choose(cells, executor.pick(cells, executor.player(cells)))
        assert stop.fault is None or stop.fault.code != "R699", stop


@pytest.mark.slow
@fuzz
@given(spoiled(masti()), st.sampled_from((3, 4, 6)), st.integers(0, 99))
def test_masti(text: str, players: int, seed: int) -> None:
    check(run_stages(Source("masti.rules", text), players, files={"data/masti.csv": rows()}), seed)


@pytest.mark.slow
@fuzz
@given(spoiled(rows()), st.integers(0, 99))
def test_rows(text: str, seed: int) -> None:
    check(run_stages(Source("masti.rules", masti()), 3, files={"data/masti.csv": text}), seed)


MARKET = Path(__file__).parent.parent / "extending" / "rules"
MARKET_FILES = {name: (MARKET / name).read_text(encoding="utf-8") for name in ("market.rules", "data/goods.csv")}
FAIR = (MARKET / "below" / "fair.rules").read_text(encoding="utf-8").replace("../", "")


@pytest.mark.slow
@fuzz
@given(spoiled(FAIR), st.integers(0, 99))
def test_a_file_that_extends_another(text: str, seed: int) -> None:
    check(run_stages(Source("fair.rules", text), files=MARKET_FILES), seed)


@pytest.mark.slow_cases("grids", "loops", "sales")
@pytest.mark.parametrize("game", SMALL_GAMES)
@fuzz
@given(st.data(), st.integers(0, 99))
def test_small_games(game: str, data: st.DataObject, seed: int) -> None:
    """Small games that use, between them, every form of the language."""
    check(run_stages(Source("small.rules", data.draw(spoiled(SMALL_GAMES[game])))), seed)


@pytest.mark.parametrize("game", SMALL_GAMES)
def test_they_are_sound(game: str) -> None:
    found = run_stages(Source("small.rules", SMALL_GAMES[game]))
    assert found.machine is not None, found.messages
    check(found, 1)
