"""The results of tests in the XML that JUnit began, and that every server for continuous checks reads.

A file of rules is a suite, a test in it a case. A file that cannot be read, or has faults, is a suite with one case in error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..common.diagnostics import Diagnostic, render
from ..findings.fingerprints import path_from
from .tested import TestedFile, Timed

MARK = b"<?xml version='1.0' encoding='utf-8'?>\n<testsuites"  # how every report begins
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(files: Sequence[TestedFile]) -> str:
    """The document. Times are in seconds."""
    root = Element("testsuites", _attributes(files, name="rulesrun test"))
    for file in files:
        path = path_from(file.path, Path())
        suite = SubElement(root, "testsuite", _attributes([file], name=path))
        if file.diagnostics:
            case = SubElement(suite, "testcase", _case(path, "the rules", None, 0.0))
            _outcome(case, "error", file.diagnostics)
        for timed in file.tests:
            result = timed.result
            where = path_from(result.span.source.path, Path())
            case = SubElement(suite, "testcase", _case(where, result.title, result.span.line, timed.seconds))
            if not result.passed:
                _outcome(case, "failure", result.diagnostics)
    indent(root)
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content.decode("utf-8") + "\n"


def _attributes(files: Sequence[TestedFile], name: str) -> dict[str, str]:
    times: list[Timed] = [timed for file in files for timed in file.tests]
    errors = sum(bool(file.diagnostics) for file in files)
    return {
        "name": _clean(name),
        "tests": str(len(times) + errors),
        "failures": str(sum(file.failed for file in files)),
        "errors": str(errors),
        "time": _seconds(sum(timed.seconds for timed in times)),
    }


def _case(path: str, title: str, line: int | None, seconds: float) -> dict[str, str]:
    """``classname``: the path without its suffix, with dots, as servers group by it."""
    name = ".".join(part for part in PurePosixPath(path).with_suffix("").parts if part not in ("/", ".."))
    found = {"name": title, "classname": name, "file": path} | ({} if line is None else {"line": str(line)})
    return {key: _clean(value) for key, value in found.items()} | {"time": _seconds(seconds)}


def _outcome(case: Element, kind: str, diagnostics: Sequence[Diagnostic]) -> None:
    told = SubElement(case, kind, {"message": _clean(diagnostics[0].message), "type": diagnostics[0].code})
    told.text = _clean("\n\n".join(map(render, diagnostics)))


def _seconds(value: float) -> str:
    return f"{value:.3f}"


def _clean(text: str) -> str:
    """A text without what XML cannot hold."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
