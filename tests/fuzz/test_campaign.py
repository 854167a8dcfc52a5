"""A short campaign of hostile inputs finds no fault, and a campaign finds what it looks for and goes on where it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ..docs.markdown import ROOT
from .hostile import every_family, family_input

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a campaign forks its processes")

SECONDS = 600  # a safety net


def campaign(*arguments: str) -> tuple[int, str]:
    """The exit code of a campaign, and what it prints."""
    command = [sys.executable, "-m", "tests.fuzz.campaign", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def progress(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "progress.json").read_text())
    return found


@pytest.mark.process
def test_a_short_campaign_finds_nothing() -> None:
    code, told = campaign("--count", "100", "--seed", "1")
    assert code == 0, told


@pytest.mark.process
def test_a_bound_of_time_that_is_passed_is_a_fault_with_its_input(tmp_path: Path) -> None:
    code, told = campaign("--count", "3", "--bounds", "0.000001", "--folder", str(tmp_path))
    assert code == 1
    assert "overtime" in told
    kept = [file for file in tmp_path.iterdir() if file.is_dir()]
    assert kept
    assert all((file / "game.rules").exists() and "overtime" in (file / "fault.txt").read_text() for file in kept)


@pytest.mark.process
def test_memory_in_use_beyond_the_bound_is_a_fault() -> None:
    code, told = campaign("--count", "2", "--memory", "5")
    assert code == 1
    assert "memory" in told


@pytest.mark.process
def test_a_campaign_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    at_once, in_parts = tmp_path / "at_once", tmp_path / "in_parts"
    campaign("--count", "24", "--folder", str(at_once))
    campaign("--count", "10", "--folder", str(in_parts))
    campaign("--count", "24", "--folder", str(in_parts))
    first, second = progress(at_once), progress(in_parts)
    assert first["next"] == second["next"] == 24
    assert first["calls"] == second["calls"]


def test_each_family_is_taken_once() -> None:
    made = [family_input(number, 2).made for number in range(len(every_family()))]
    assert len({*made}) == len(made)


def test_the_first_families_are_a_sample_of_all() -> None:
    """Of any eighth of the numbers, about an eighth of each eighth of the table comes."""
    names = {family.name: place for place, family in enumerate(every_family())}
    count = len(names) // 8
    first = Counter(8 * names[family_input(number, 2).made.removesuffix(", size 2")] // len(names) for number in range(count))
    assert all(abs(first[part] - count / 8) <= count / 64 for part in range(8))


@pytest.mark.process
def test_a_campaign_of_families_goes_on_and_takes_no_other_size(tmp_path: Path) -> None:
    for count in ("4", "8"):
        code, told = campaign("--families", "5", "--count", count, "--folder", str(tmp_path))
        assert code == 0, told
    assert (progress(tmp_path)["next"], progress(tmp_path)["size"]) == (8, 5)
    refused = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.campaign", "--folder", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert "holds a campaign with seed 1 and families of size 5" in refused.stderr
