"""Annotations for the log of a workflow: one line each, whatever a name or a message holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.diagnostics import Diagnostic, Label
from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.findings.report import Report
from rulesrun.interpreter.reports.github import annotated

from ..cli.commands import rulesrun
from .games import loops


def read(line: str) -> tuple[str, dict[str, str], str]:
    """An annotation as its reader takes it apart: the command, its properties, the message."""
    assert "\n" not in line
    assert "\r" not in line
    empty, head, message = line.split("::", 2)
    assert empty == ""
    command, _, named = head.partition(" ")
    properties = dict(each.split("=", 1) for each in named.split(",")) if named else {}
    return command, {name: unescaped(value, ":,") for name, value in properties.items()}, unescaped(message, "")


def unescaped(text: str, more: str) -> str:
    for char in f"\r\n{more}":
        text = text.replace(f"%{ord(char):02X}", char)
    return text.replace("%25", "%")


def test_a_finding_is_an_annotation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loops.rules").write_text(loops(beside="  # allow R305: it ends"), encoding="utf-8")
    result = rulesrun("check", "./loops.rules", "none.rules", "--proved", "--format", "github")
    assert result.exit_code == 2
    first, second = result.stdout.splitlines()
    assert read(first) == (
        "error",
        {"file": "loops.rules", "line": "14", "col": "9", "endLine": "15", "title": "R305: a loop that nothing can end"},
        "this loop never ends: nothing in it can bring its end\n"
        "help: change it in the loop; or, if it shall end whatever happens, say `at most N times`",
    )
    assert read(second) == ("error", {"title": "R001: a file cannot be read"}, "there is no file `none.rules`")


TEXTS = st.text(alphabet=st.sampled_from("a:,%=\n\r\"'é 𝄞::") | st.characters(codec="utf-8"), min_size=1)


@pytest.mark.slow
@given(TEXTS.filter(lambda name: name.strip("/.") == name and "\0" not in name and "/" not in name), TEXTS, TEXTS)
def test_nothing_in_names_and_messages_breaks_an_annotation(name: str, message: str, note: str) -> None:
    label = Label(Span(Source(name, "𝄞𝄞 two\n"), 3, 6))
    found = Diagnostic("R605", message, (label,), severity="warning", strength="exhausted")
    first, second = annotated(Report(1, (found,), notes=(note,)))
    command, properties, told = read(first)
    assert (command, properties["file"], told) == ("warning", name, message)
    assert (properties["line"], properties["col"], properties["endColumn"]) == ("1", "6", "9")
    assert read(second) == ("notice", {}, note)
