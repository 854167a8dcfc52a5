"""Each code is declared once in `common/codes.py`, used as it is declared there, and has a page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from rulesrun.interpreter.common.codes import CODES
from rulesrun.interpreter.findings.consequences import _FOLLOWS

from .imports import ROOT

REGISTRY = ROOT / "interpreter" / "common" / "codes.py"
REPORTS = {"fault": "error", "warning": "warning", "_warning": "warning"}  # what makes a diagnostic, and its severity


@cache
def files() -> dict[Path, ast.Module]:
    """The files of the package besides the registry."""
    paths = [path for folder in ("interpreter", "commands", "browser") for path in (ROOT / folder).rglob("*.py")]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths if path != REGISTRY}


def codes_in(node: ast.AST) -> set[str]:
    """The codes that stand in some code, outside of comments and docstrings."""
    values = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {value for value in values if isinstance(value, str) and re.fullmatch(r"R\d{3}", value)}


def reported() -> Iterator[tuple[Path, str, str]]:
    """Each code that is reported in a file, and the severity."""
    for path, module in files().items():
        for call in ast.walk(module):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in REPORTS and call.args:
                for code in codes_in(call.args[0]):
                    yield path, code, REPORTS[call.func.id]


@pytest.mark.slow
def test_every_code_that_is_used_is_declared_and_every_declared_one_is_used() -> None:
    used = {code for module in files().values() for code in codes_in(module)}
    assert used == set(CODES)


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {page.stem for page in (ROOT / "docs" / "codes").glob("*.md")} == set(CODES)


def test_codes_are_declared_in_their_order() -> None:
    assert list(CODES) == sorted(CODES)


@pytest.mark.slow
def test_a_code_is_reported_with_the_severity_that_is_declared() -> None:
    other = {(path.name, code) for path, code, severity in reported() if CODES[code].severity not in (severity, "either")}
    assert other == set()


def shown() -> set[tuple[str, str]]:
    """The codes in the messages that the pages show, which is real output, each with its severity."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    return {(code, severity) for severity, code in re.findall(r"(error|warning)\[(R\d{3})\]", pages)}


def test_messages_on_the_pages_have_the_severity_that_is_declared() -> None:
    assert {(code, severity) for code, severity in shown() if CODES[code].severity not in (severity, "either")} == set()


@pytest.mark.slow
def test_a_code_that_may_have_either_severity_is_reported_with_both() -> None:
    found: dict[str, set[str]] = {}
    for code, severity in (*shown(), *((code, severity) for _, code, severity in reported())):
        found.setdefault(code, set()).add(severity)
    assert {code for code, severities in found.items() if len(severities) == 2} == {
        code.name for code in CODES.values() if code.severity == "either"
    }


@pytest.mark.slow
def test_what_is_found_by_play_is_declared_so_and_what_is_proved_too() -> None:
    checks = ROOT / "interpreter" / "checks"
    found = [(path.relative_to(checks).parts[0], code) for path, code, _ in reported() if path.is_relative_to(checks)]
    by_play = {code for folder, code in found if folder == "explored"}
    proved = {code for folder, code in found if folder != "explored"}
    assert {code for code in by_play if CODES[code].strength == "proved"} == set()
    assert {code for code in proved if CODES[code].strength == "played"} == set()


def test_what_follows_from_a_code_is_declared_there() -> None:
    missing = {
        (cause.name, code)
        for codes, causes, _ in _FOLLOWS
        for cause in CODES.values()
        for code in CODES
        if cause.name.startswith(causes) and code.startswith(codes) and not cause.may_hide(code)
    }
    assert missing == set()


def test_what_a_code_hides_begins_codes() -> None:
    beginnings = {beginning for code in CODES.values() for beginning in code.hides}
    assert {each for each in beginnings if not any(code.startswith(each) for code in CODES)} == set()
