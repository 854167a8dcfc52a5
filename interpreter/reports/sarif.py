"""A report in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), which code hosts and editors read.

Facts about a finding that the format has no place for stand in its ``properties``: ``strength``, ``tables``, ``acts``,
``replay``, as in json. A finding without a place is about the run (a file that cannot be read), and so a notification of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..common.codes import CODES, page
from ..common.diagnostics import Diagnostic, Label, render_flat
from ..common.source import Span
from ..findings.fingerprints import fingerprint
from ..findings.report import Report
from ..findings.suppressions import Allowance
from .locations import region, uri

MARK = b'{\n  "$schema": "https://docs.oasis-open.org/sarif/'  # how every log begins
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HERE = "%SRCROOT%"  # the folder from which files are named; who reads the log knows where it is


def log(report: Report, code: int) -> dict[str, Any]:
    """The log of one run that ended with this exit code."""
    placed = [(d, [_in_source(a) for a in s.by]) for s in report.suppressed if (d := s.diagnostic).span is not None]
    in_baseline = [{"kind": "external", "justification": "it is in the baseline"}]
    results: list[tuple[Diagnostic, list[dict[str, Any]]]] = [
        *((d, []) for d in report.findings if d.span is not None),
        *placed,
        *((d, list(in_baseline)) for d in report.known if d.span is not None),
    ]
    rules = sorted({diagnostic.code for diagnostic, _ in results})
    notifications: list[dict[str, Any]] = [
        {"level": d.severity, "message": _message(render_flat(d)), "descriptor": {"id": d.code}}
        for d in report.findings
        if d.span is None
    ]
    notifications += [{"level": "note", "message": _message(note)} for note in report.notes]
    times: Counter[str] = Counter()
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "rulesrun", "version": version("rulesrun"), "rules": [_rule(code) for code in rules]}
                },
                "invocations": [
                    {"executionSuccessful": code in (0, 1), "exitCode": code, "toolExecutionNotifications": notifications}
                ],
                "originalUriBaseIds": {_HERE: {"description": {"text": "the folder in which the command was started"}}},
                "columnKind": "utf16CodeUnits",
                "results": [_result(d, rules.index(d.code), suppressions, times) for d, suppressions in results],
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    _, _, rest = page(code).partition("\n")
    paragraph = rest.strip().partition("\n\n")[0]
    return {
        "id": code,
        "shortDescription": {"text": _escaped(CODES[code].title)},
        "fullDescription": {"text": _escaped(" ".join(paragraph.split()))},
        "help": {"text": _escaped(rest.strip()), "markdown": _escaped(rest.strip())},
    }


def _result(diagnostic: Diagnostic, rule: int, suppressions: Sequence[dict[str, Any]], times: Counter[str]) -> dict[str, Any]:
    """``times``: how often each fingerprint came up before; equal lines are rendered apart by that."""
    main, *others = diagnostic.labels
    line = fingerprint(diagnostic, Path())
    digest = sha256(f"{line.code}\n{line.text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    nth = times[f"{line.file} {digest}"] = times[f"{line.file} {digest}"] + 1
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": _message(render_flat(diagnostic)),
        "locations": [_location(main)],
        "partialFingerprints": {"codeAndLine/v1": f"{digest}:{nth}"},
    }
    if others:
        result["relatedLocations"] = [_location(label) | {"id": number} for number, label in enumerate(others, 1)]
    if suppressions:
        result["suppressions"] = list(suppressions)
    result["properties"] = {
        "strength": diagnostic.strength,
        "tables": list(diagnostic.tables),
        "acts": list(diagnostic.acts),
        "replay": diagnostic.replay,
    }
    return result


def _in_source(allowance: Allowance) -> dict[str, Any]:
    return {"kind": "inSource", "justification": allowance.reason, "location": {"physicalLocation": _physical(allowance.span)}}


def _location(label: Label) -> dict[str, Any]:
    return {"physicalLocation": _physical(label.span)} | ({"message": _message(label.text)} if label.text else {})


def _physical(span: Span) -> dict[str, Any]:
    place = region(span)
    where = uri(span.source.path)
    base = {} if where.startswith("file:") else {"uriBaseId": _HERE}
    return {
        "artifactLocation": {"uri": where} | base,
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
            "snippet": {"text": span.text},
        },
    }


def _message(text: str) -> dict[str, str]:
    return {"text": _escaped(text)}


def _escaped(text: str) -> str:
    """Braces are placeholders in messages of the format, unless they are doubled."""
    return text.replace("{", "{{").replace("}", "}}")
