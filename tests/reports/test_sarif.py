"""SARIF 2.1.0. The schema that the standard comes with is in no package from a Python index that a test could install, so
`docs/schemas/sarif.json` says what of the format is written, object by object as the standard has them; what a schema
cannot say of it is said here. ``RULESRUN_SARIF_SCHEMA`` names a file with the standard's own schema, which then judges every
report of these tests, too; ``.ci/run`` gets it from the npm package `@microsoft/jest-sarif`, where npm is there.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from jsonschema import Draft4Validator  # type: ignore[import-untyped]  # it says nothing of its types
from rulesrun.interpreter.common.diagnostics import Diagnostic, Label
from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.findings.report import Report
from rulesrun.interpreter.reports.sarif import MARK, log

from ..cli.commands import rulesrun
from .games import LOOPS, NO_GAME, loops
from .schemas import faults, unnoticed

OFFICIAL = os.environ.get("RULESRUN_SARIF_SCHEMA", "")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(*arguments: str, code: int = 1) -> dict[str, Any]:
    """The one run of a log that is as it has to be."""
    result = rulesrun("check", *arguments, "--format", "sarif")
    assert result.exit_code == code
    found = json.loads(result.stdout)
    hold(found)
    (run,) = found["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted(set(rules))
    for each in run["results"]:
        assert rules[each["ruleIndex"]] == each["ruleId"]
    prints = [(uri_of(each), *each["partialFingerprints"].values()) for each in run["results"]]
    assert len(set(prints)) == len(prints)
    assert run["invocations"][0]["exitCode"] == code
    return dict(run)


def hold(found: Any) -> None:
    """A log is as our schema says, and as the standard's does where that is there."""
    assert faults("sarif", found) == []
    if OFFICIAL:
        schema = json.loads(Path(OFFICIAL).read_text(encoding="utf-8"))
        assert [error.message for error in Draft4Validator(schema).iter_errors(found)] == []


def uri_of(result: dict[str, Any]) -> str:
    return str(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])


@pytest.mark.slow
def test_findings_have_their_places(folder: Path) -> None:
    Path("games").mkdir()
    Path("games/loops.rules").write_text(loops(), encoding="utf-8")
    run = checked("games/loops.rules")
    first, second = run["results"]
    assert (first["ruleId"], first["level"], uri_of(first)) == ("R305", "error", "games/loops.rules")
    region = first["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 9, "startColumn": 18, "endLine": 9, "endColumn": 26, "snippet": {"text": "pot is 9"}}
    assert first["message"]["text"].startswith("this loop never ends: nothing in it can bring its end\nhelp: ")
    assert second["locations"][0]["physicalLocation"]["region"]["endLine"] == 15
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == "a loop that nothing can end"
    assert "## Corrected" in rule["help"]["markdown"]


def test_columns_are_those_of_utf_16(folder: Path) -> None:
    Path("music.rules").write_text(NO_GAME.replace("coins: pot", 'coins: pot "𝄞𝄞é" pto'), encoding="utf-8")
    found = {each["ruleId"]: each["locations"][0]["physicalLocation"]["region"] for each in checked("music.rules")["results"]}
    line = '    coins: pot "𝄞𝄞é" pto'
    (region,) = found.values()
    start, end = ((region[f"{at}Column"] - 1) * 2 for at in ("start", "end"))
    assert line.encode("utf-16-le")[start:end].decode("utf-16-le") == region["snippet"]["text"]
    assert end // 2 > len(line.rstrip("pto"))


def test_a_name_is_written_as_a_uri(folder: Path) -> None:
    name = 'гра "100%", [1]#?:\n.rules'
    Path(name).write_text(LOOPS, encoding="utf-8")
    (uri,) = {uri_of(each) for each in checked(f"./{name}")["results"]}
    assert unquote(uri) == name
    assert urlsplit(uri).path == uri
    assert uri.isascii()


@pytest.mark.slow
def test_a_file_elsewhere_has_an_absolute_uri(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("loops.rules").write_text(loops(), encoding="utf-8")
    Path("below").mkdir()
    monkeypatch.chdir("below")
    place = checked("../loops.rules")["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": (folder / "loops.rules").as_uri()}


@pytest.mark.slow
def test_fingerprints_stay_when_lines_are_moved(folder: Path) -> None:
    path = Path("loops.rules")
    path.write_text(loops(), encoding="utf-8")
    before = [each["partialFingerprints"] for each in checked("loops.rules")["results"]]
    path.write_text("# moved\n\n" + loops(beside="  # what a loop"), encoding="utf-8")
    assert [each["partialFingerprints"] for each in checked("loops.rules")["results"]] == before


@pytest.mark.slow
def test_equal_lines_have_fingerprints_of_their_own(folder: Path) -> None:
    again = "    repeat until pot is 9\n        add 1 to coins\n"
    Path("loops.rules").write_text(loops().replace("phase late\n", "phase late\n" + again), encoding="utf-8")
    prints = [each["partialFingerprints"]["codeAndLine/v1"] for each in checked("loops.rules")["results"]]
    assert [each.split(":")[1] for each in prints[:2]] == ["1", "2"]
    assert prints[0].split(":")[0] == prints[1].split(":")[0]


def test_what_is_suppressed_is_there_with_its_reason(folder: Path) -> None:
    Path("loops.rules").write_text(loops(beside="  # allow R305: it {ends}"), encoding="utf-8")
    checked("loops.rules", "--proved", "--write-baseline", "known.json", code=0)
    results = checked("loops.rules", "--proved", "--baseline", "known.json", code=0)["results"]
    assert [[each["kind"] for each in result["suppressions"]] for result in results] == [["inSource"], ["external"]]
    (by,) = results[0]["suppressions"]
    assert by["justification"] == "it {ends}"
    assert by["location"]["physicalLocation"]["region"]["snippet"]["text"] == "R305"


def test_what_cannot_be_read_is_told_of_the_run(folder: Path) -> None:
    Path("loops.rules").write_text(loops(), encoding="utf-8")
    run = checked("loops.rules", "none.rules", ".", "--proved", code=2)
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [each["message"]["text"] for each in invocation["toolExecutionNotifications"]] == [
        "there is no file `none.rules`",
        "`.` is a folder, not a file",
    ]
    assert len(run["results"]) == 2


def test_what_was_found_by_play_has_its_game() -> None:
    source = Source("game.rules", "one two\nthree\n")
    labels = (Label(Span(source, 4, 7), "here {now}"), Label(Span(source, 0, 3)), Label(Span(source, 8, 13), "and there"))
    found = Diagnostic(
        "R604",
        "nothing is left",
        labels,
        "more cards",
        tables=("3 players",),
        strength="explored",
        acts=("ann passes",),
        replay="rulesrun replay found.json",
    )
    data = log(Report(1, (found,), notes=("half of it was played",)), 1)
    hold(data)
    assert unnoticed("sarif", data) == []
    run = data["runs"][0]
    (result,) = run["results"]
    assert result["properties"] == {
        "strength": "explored",
        "tables": ["3 players"],
        "acts": ["ann passes"],
        "replay": "rulesrun replay found.json",
    }
    assert result["locations"][0]["message"]["text"] == "here {{now}}"  # single braces would be a placeholder
    assert [each["id"] for each in result["relatedLocations"]] == [1, 2]
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (note["level"], note["message"]["text"]) == ("note", "half of it was played")


@pytest.mark.slow
def test_a_report_that_stands_there_is_replaced_and_nothing_else(folder: Path) -> None:
    Path("loops.rules").write_text(loops(), encoding="utf-8")
    for _ in range(2):
        result = rulesrun("check", "loops.rules", "--format", "sarif", "--out", "found.sarif")
        assert (result.stdout, result.exit_code) == ("1 file, 2 findings\nfound.sarif is written.\n", 1)
    assert Path("found.sarif").read_bytes().startswith(MARK)
    assert rulesrun("check", "loops.rules", "--format", "json", "--out", "found.sarif").exit_code == 2
