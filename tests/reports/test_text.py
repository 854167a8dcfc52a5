"""A report to be read: bounded for a file with very many findings, and with all that one has to know of a few."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import Diagnostic, Label, fault, render
from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.findings.report import Played, Report
from rulesrun.interpreter.reports.text import SHOWN, summary, text

from ..cli.commands import rulesrun
from ..goldens import check_golden
from .games import loops

HERE = Path(__file__).parent


def faulty(number: int) -> str:
    """A file with that many faults: most of one kind, some of another, one of a third."""
    lines = [f"    add {n} to nobody_knows_{n}" if n % 10 else f"    set pot to {n} +" for n in range(1, number)]
    head = ["game many", "    players 2", "counter pot: 0..900", "phase only"]
    return "\n".join([*head, *lines, "score of player", "    points: pto", "winner highest score, then shared", ""])


@pytest.mark.slow
def test_a_file_with_200_faults_stays_readable(tmp_path: Path) -> None:
    path = tmp_path / "many.rules"
    path.write_text(faulty(200), encoding="utf-8")
    shown = rulesrun("check", str(path)).stdout
    check_golden(HERE / "goldens" / "many.txt", shown.replace(str(path), "many.rules"))
    assert len(shown.splitlines()) < 200
    everything = rulesrun("check", str(path), "--all").stdout
    assert everything.count("error[") == int(shown.splitlines()[-1].split()[2])


MANY = Source("many.rules", "x\n" * 300)
FOUND = st.lists(st.tuples(st.integers(1, 300), st.sampled_from(["R201", "R207", "R305", "R605"])), max_size=80).map(
    lambda found: [fault(code, f"{code} here", Span(MANY, 2 * line - 2, 2 * line - 1)) for line, code in sorted(found)]
)


@pytest.mark.slow
@given(FOUND)
def test_every_finding_is_shown_or_counted(found: list[Diagnostic]) -> None:
    lines = list(text(Report(1, tuple(found)), render))
    heads = Counter(line[6:10] for line in lines if line.startswith("error["))
    counts = Counter(diagnostic.code for diagnostic in found)
    if len(found) <= SHOWN:
        assert heads == counts
    else:
        assert sum(heads.values()) <= SHOWN
        assert set(heads) == set(counts)  # of each kind one at least
        assert {line.split()[0]: int(line.split()[2]) for line in lines if line.startswith("  R")} == counts
    assert Counter(line[6:10] for line in text(Report(1, tuple(found)), render, None) if line.startswith("error[")) == counts


def test_a_finding_from_play_says_how_it_was_found_and_what_happened() -> None:
    source = Source("game.rules", "phase only\n    draw 1 from deck to hand\n")
    labels = (Label(Span(source, 15, 39), "the deck is empty"),)
    found = Diagnostic(
        "R604",
        "deck is empty, and a card is to be drawn",
        labels,
        "say what happens then: `if impossible`",
        tables=("3 players",),
        strength="explored",
        acts=("ann plays the king", "bob passes"),
        replay="rulesrun replay found.json",
    )
    shown = "\n".join(text(Report(1, (found,), notes=("3 of 1,024 combinations were played",)), render)) + "\n"
    check_golden(HERE / "goldens" / "explored.txt", shown)


def test_which_games_have_too_many_positions_is_told_once_for_each_file() -> None:
    numbers = {"a": (3, 0, 1601), "b": (2, 2, 0), "c": (38, 30, 20_001), "d": (1, 0, 1)}
    played = tuple(Played(f"{name}.rules", *each) for name, each in numbers.items())
    said, grew = "too many positions to go through all (given up at", "while their number still grew"
    instead = "(players, variants, options) explored instead"
    assert list(text(Report(4, (), notes=("time is over",), played=played), render)) == [
        "note: time is over",
        f"a.rules: {said} 1,601, {grew}): 3 tables {instead}",
        f"c.rules: {said} 20,001, {grew}): 8 of 38 tables {instead}",
        f"d.rules: {said} 1, {grew}): 1 table {instead}",
        "",
        "4 files, 0 findings",
    ]


def test_the_last_line_says_what_it_comes_to() -> None:
    source = Source("game.rules", "x\n")
    error = fault("R305", "it is so", Span(source, 0, 1))
    warning = Diagnostic("R012", "it is so", error.labels, severity="warning")
    assert summary(Report(1, ())) == "1 file, 0 findings"
    assert summary(Report(2, (error,))) == "2 files, 1 finding"
    assert summary(Report(3, (error, warning, warning))) == "3 files, 3 findings (1 error, 2 warnings)"
    assert summary(Report(3, (), known=(error, warning))) == "3 files, 0 findings, 2 in the baseline"


def test_findings_are_in_the_order_of_files_and_lines(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.rules").write_text(loops() + "# allow R310: no\n", encoding="utf-8")
    shown = rulesrun("check", str(tmp_path / "b.rules"), str(tmp_path / "a.rules"), "--proved").stdout
    places = [line.split("/")[-1] for line in shown.splitlines() if "-->" in line]
    assert places == [f"{name}.rules:{place}" for name in "ba" for place in ("9:18", "14:9", "28:9")]
