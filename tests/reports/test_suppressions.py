"""Comments that allow a finding: where they may stand, and what is wrong with those that allow nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.findings.report import Report
from rulesrun.interpreter.findings.selection import Selection

from ..cli.commands import rulesrun
from .games import LOOPS, NO_GAME, loops, report_of

WHY = "# allow R305: the players end it by hand"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("game.rules")


def of(game: Path, text: str) -> Report:
    game.write_text(text, encoding="utf-8")
    return report_of(game)


def found(report: Report) -> list[tuple[str, int]]:
    return [(d.code, d.span.line) for d in report.findings if d.span is not None]


LOOKUP = """game lookup
    players 2

counter days: 0..3
table prize by days: 0: 1, 1: 2

phase only
    repeat until days is 3
        for each player
            player chooses
                bet
                    add prize for days to days    # allow R303: nobody bets so late
                stop
                    add 1 to days

score of player
    late: prize for {late}

winner highest score, then shared
"""


@pytest.mark.parametrize(("late", "left"), [("7", [("R302", 17)]), ("days", [("R303", 17)]), ("1", [])])
def test_a_comment_allows_one_place_and_no_other_of_the_same_table(game: Path, late: str, left: list[tuple[str, int]]) -> None:
    report = of(game, LOOKUP.format(late=late))
    assert found(report) == left
    assert [each.diagnostic.code for each in report.suppressed] == ["R303"]


def test_what_keeps_a_game_from_being_played_is_no_place_of_a_warning(game: Path) -> None:
    text = LOOKUP.format(late=7).replace("    # allow R303: nobody bets so late", "")
    (finding,) = of(game, text).findings
    assert (finding.code, finding.severity) == ("R302", "error")
    assert [label.span.line for label in finding.labels] == [17, 5, 12]


def test_without_comments_both_loops_are_found(game: Path) -> None:
    assert found(of(game, loops())) == [("R305", 9), ("R305", 14)]


@pytest.mark.parametrize(
    ("places", "left"),
    [
        ({"beside": f"  {WHY}"}, [14]),
        ({"above": WHY}, [14]),
        ({"above": f"{WHY}\n    # and why that is so\n"}, [16]),  # other comments and empty lines may stand between
        ({"inside": f"  {WHY}"}, [9]),  # beside any line of a sentence in several
        ({"behind": f"  {WHY}"}, [9]),
        ({"beside": f"  {WHY}", "behind": f"  {WHY}"}, []),
        ({"beside": "  # Allow r305 : in capitals or not"}, [14]),
        ({"beside": "  # allow R310, R305 and R605: all of these"}, [14]),
    ],
)
def test_a_comment_allows_what_stands_in_its_sentence_or_in_the_next(game: Path, places: dict[str, str], left: list[int]) -> None:
    report = of(game, loops(**places))
    assert [line for code, line in found(report) if code == "R305"] == left
    assert len(report.suppressed) == 2 - len(left)


def test_the_reason_is_told(game: Path) -> None:
    report = of(game, loops(beside=f"  {WHY}", above="# allow R305: twice is twice"))
    assert [each.reasons for each in report.suppressed] == [("twice is twice", "the players end it by hand")]
    assert [d.code for d in report.findings] == ["R305"]


def messages(report: Report, code: str) -> list[Diagnostic]:
    return [d for d in report.findings if d.code == code]


@pytest.mark.parametrize(
    "comment", ["# allow R305", "# allow R305:", "# allow R305 since it ends", "# allow R305, R310", "# allow R3"]
)
def test_a_comment_without_a_reason_allows_nothing_and_is_a_finding(game: Path, comment: str) -> None:
    report = of(game, loops(beside=f"  {comment}"))
    assert found(report) == [("R305", 9), ("R010", 9), ("R305", 14)]


def test_a_code_that_there_is_not_is_a_finding_and_the_others_count(game: Path) -> None:
    report = of(game, loops(beside="  # allow R3055, R305: yes"))
    assert found(report) == [("R011", 9), ("R305", 14)]
    assert messages(report, "R011")[0].help == "did you mean `R305`?"


@pytest.mark.parametrize("comment", ["# allow R3: yes", "# allow R30, R305: yes", "# allow r3 : yes"])
def test_a_beginning_of_codes_is_no_code(game: Path, comment: str) -> None:
    """Else whoever knows `--select R3` would think that it allows something."""
    report = of(game, loops(beside=f"  {comment}"))
    assert found(report)[-2:] == [("R011", 9), ("R305", 14)]
    assert messages(report, "R011")[0].help == "write each code that is meant, with all its digits"


def test_a_comment_that_allows_what_is_not_found_is_a_warning(game: Path) -> None:
    report = of(game, loops(beside="  # allow R310, R305: one of them"))
    assert [(d.code, d.severity) for d in messages(report, "R012")] == [("R012", "warning")]
    assert messages(report, "R012")[0].labels[0].span.text == "R310"


def test_at_the_end_of_the_file_a_comment_allows_nothing(game: Path) -> None:
    report = of(game, loops() + WHY)
    assert found(report)[-1] == ("R012", 28)


@pytest.mark.parametrize("code", ["R605", "R390", "R351", "R372", "R321", "R326", "R327", "R330", "R361"])
def test_what_comes_from_play_may_be_allowed_though_it_is_not_found_today(game: Path, code: str) -> None:
    assert found(of(game, loops(beside=f"  # allow {code}: it can happen"))) == [("R305", 9), ("R305", 14)]


def test_what_is_not_looked_for_is_not_missed(game: Path) -> None:
    game.write_text(loops(beside="  # allow R310: no"), encoding="utf-8")
    assert messages(report_of(game), "R012")
    assert messages(report_of(game, selection=Selection(select=("R012",))), "R012")  # all is looked for, and not all is shown
    game.write_text(loops(beside="  # allow R310: no") + "nonsense\n", encoding="utf-8")
    assert not messages(report_of(game), "R012")


def test_what_keeps_a_game_from_being_played_cannot_be_allowed(game: Path) -> None:
    report = of(game, NO_GAME.replace("to 7", "to 7  # allow R301: it is never that full"))
    assert found(report) == [("R301", 7), ("R013", 7)]
    assert report.suppressed == ()
    report = of(game, NO_GAME.replace("to 7", "to  # allow R101: it is understood"))
    assert [code for code, _ in found(report)] == ["R101", "R013"]


@pytest.mark.parametrize(("code", "said"), [("R324", False), ("R360", False), ("R340", False), ("R310", True), ("R380", True)])
def test_what_may_be_hidden_behind_another_finding_is_not_missed(game: Path, code: str, said: bool) -> None:
    """Also where that finding is allowed; and a game that stands in another file hides nothing of this one."""
    for why in ("", f"  {WHY}"):
        report = of(game, loops(beside=why).replace("    coins: coins", f"    coins: coins  # allow {code}: it counts"))
        assert bool(messages(report, "R012")) == said
    game.write_text(loops(beside=f"  {WHY}"), encoding="utf-8")
    other = LOOKUP.format(late=1).replace("late: prize for 1", f"late: prize for 1  # allow {code}: it counts")
    Path("other.rules").write_text(other, encoding="utf-8")
    assert messages(report_of("game.rules", "other.rules"), "R012")


@pytest.mark.parametrize(
    "comment",
    [
        "# allow a joker to be thrown away",
        "# we allow R305: no",
        "# allow P1 to pass",
        "# allow R2 to pass",
        "# allow P1: no",
        "# allowed",
        "# allow: R305",
    ],
)
def test_other_comments_are_let_alone(game: Path, comment: str) -> None:
    assert found(of(game, loops(beside=f"  {comment}"))) == [("R305", 9), ("R305", 14)]


def test_a_text_is_no_comment(game: Path) -> None:
    text = loops().replace('"nothing comes of it"', '"# allow R305"')
    assert found(of(game, text)) == [("R305", 9), ("R305", 14)]


def test_a_comment_of_a_game_counts_wherever_the_game_is_extended(game: Path) -> None:
    game.write_text(loops(beside=f"  {WHY}", behind=f"  {WHY}"), encoding="utf-8")
    Path("house.rules").write_text('extends "game.rules"\n\nvariant rich\n    add to score\n        gift: 3\n', encoding="utf-8")
    Path("other.rules").write_text('extends "game.rules"\n\nvariant poor\n    add to score\n        loss: -3\n', encoding="utf-8")
    for paths in (["house.rules"], ["other.rules", "house.rules"], ["game.rules", "./game.rules", "house.rules"]):
        assert report_of(*paths).findings == ()


def test_a_file_that_is_no_text_is_not_searched_for_comments(game: Path) -> None:
    assert [code for code, _ in found(of(game, "# allow R305: \x01\n" + LOOPS))] == ["R006"]


def test_they_are_counted_and_do_not_fail(game: Path) -> None:
    game.write_text(loops(beside=f"  {WHY}", behind=f"  {WHY}"), encoding="utf-8")
    result = rulesrun("check", str(game), "--proved")
    assert (result.stdout, result.exit_code) == ("1 file, 0 findings, 2 suppressed\n", 0)
