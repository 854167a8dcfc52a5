"""The output of `rulesrun test` for other programs: JUnit's XML, json, and a file."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ..cli.commands import MASTI, rulesrun
from .games import NO_GAME, loops
from .schemas import faults, unnoticed

PASSING = """
test "it passes <&> \\u2028 'ja' — так"
    players ann, bob
    given coins: 4
    expect coins is 4
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    Path("games/loops.rules").write_text(loops() + PASSING, encoding="utf-8")
    Path("games/none.rules").write_text(NO_GAME.replace("to 7", "to"), encoding="utf-8")
    Path("games/no_tests.rules").write_text(NO_GAME.replace("to 7", "to 3"), encoding="utf-8")
    return tmp_path


def test_a_file_is_a_suite_and_a_test_a_case(folder: Path) -> None:
    files = ["games/loops.rules", "games/none.rules", "games/no_tests.rules", "missing.rules"]
    result = rulesrun("test", *files, "--format", "junit")
    assert result.exit_code == 2
    root = ElementTree.fromstring(result.stdout)
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == ("testsuites", "4", "1", "2")
    suites = {suite.get("name"): suite for suite in root.findall("testsuite")}
    assert list(suites) == files
    loops_suite = suites["games/loops.rules"]
    assert [loops_suite.get(name) for name in ("tests", "failures", "errors")] == ["2", "1", "0"]
    failing, passing = loops_suite.findall("testcase")
    assert (failing.get("name"), failing.get("classname")) == ("nothing comes of it", "games.loops")
    assert (failing.get("file"), failing.get("line")) == ("games/loops.rules", "19")
    failure = failing.find("failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("R502", "coins is 4, and 5 is expected")
    assert failure.text is not None
    assert "--> games/loops.rules:22:5" in failure.text
    assert list(passing) == []
    assert passing.get("name") == "it passes <&> \\u2028 'ja' — так"
    for name, code in (("games/none.rules", "R101"), ("missing.rules", "R001")):
        (case,) = suites[name].findall("testcase")
        error = case.find("error")
        assert error is not None
        assert error.get("type") == code
    assert list(suites["games/no_tests.rules"]) == []
    times = [float(case.get("time", "-1")) for case in root.iter("testcase")]
    assert min(times) >= 0
    assert float(root.get("time", "-1")) == pytest.approx(sum(times), abs=0.01)


def test_github_gets_an_annotation_for_each_fault(folder: Path) -> None:
    files = ["games/loops.rules", "games/none.rules", "games/no_tests.rules", "missing.rules"]
    result = rulesrun("test", *files, "--format", "github")
    assert result.exit_code == 2
    failed, unread, missing = result.stdout.splitlines()
    place = "file=games/loops.rules,line=22,col=5,endLine=22,endColumn=22"
    heading = 'title=R502%3A test "nothing comes of it" fails'
    help = "help: either the rules or the test is wrong: change one of them"
    assert failed == f"::error {place},{heading}::coins is 4, and 5 is expected%0A{help}"
    assert unread.startswith("::error file=games/none.rules,line=")
    assert missing.startswith("::error title=R001%3A ")


def test_a_name_that_xml_cannot_hold(folder: Path) -> None:
    Path("bell\a.rules").write_text(loops(), encoding="utf-8")
    root = ElementTree.fromstring(rulesrun("test", "bell\a.rules", "--format", "junit").stdout)
    assert [suite.get("name") for suite in root] == ["bell\N{REPLACEMENT CHARACTER}.rules"]


def test_json_says_the_same(folder: Path) -> None:
    result = rulesrun("test", "games/loops.rules", "games/none.rules", "games/no_tests.rules", "--format", "json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert faults("test", data) == []
    assert unnoticed("test", data) == []
    assert [data[key] for key in ("files", "passed", "failed")] == [3, 1, 1]
    assert [(test["line"], test["passed"], [d["code"] for d in test["findings"]]) for test in data["tests"]] == [
        (19, False, ["R502"]),
        (29, True, []),
    ]
    assert [finding["code"] for finding in data["findings"]] == ["R101"]


def test_a_report_goes_into_a_file(folder: Path) -> None:
    for form in ("text", "json", "junit"):
        for _ in range(2):
            result = rulesrun("test", "games/loops.rules", "--format", form, "--out", f"tests.{form}")
            assert (result.stdout, result.exit_code) == (f"1 passed, 1 failed, in 1 file\ntests.{form} is written.\n", 1)
    text = Path("tests.text").read_text(encoding="utf-8")
    assert text.startswith("rulesrun test\n\ngames/loops.rules: F. 1 of 2 passed\n  FAILED  nothing comes of it\n")
    assert text.endswith("\n1 passed, 1 failed, in 1 file\n")
    result = rulesrun("test", MASTI, "--out", "games/loops.rules")
    assert (result.exit_code, "nothing was written" in result.stderr) == (2, True)
