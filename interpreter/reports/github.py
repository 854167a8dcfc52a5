"""A report as annotations: lines that the log of a GitHub workflow turns into marks beside the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..common.codes import CODES
from ..common.diagnostics import Diagnostic, render_flat
from ..findings.fingerprints import path_from
from ..findings.report import Report
from .locations import region
from .tested import TestedFile

MARK = b"::"  # how every annotation begins


def annotated_tests(files: Iterable[TestedFile]) -> Iterator[str]:
    """A line for each reason why a test failed, and for each finding in a file whose tests cannot be run."""
    for file in files:
        yield from map(_annotation, file.diagnostics)
        for timed in file.tests:
            if not timed.result.passed:
                test = f'test "{timed.result.title}" fails'
                yield from (_annotation(diagnostic, test) for diagnostic in timed.result.diagnostics)


def annotated(report: Report) -> Iterator[str]:
    """A line for each finding and each note. What is suppressed or in the baseline is not rendered."""
    for diagnostic in report.findings:
        yield _annotation(diagnostic)
    for note in report.notes:
        yield f"::notice::{escaped(note)}"


def _annotation(diagnostic: Diagnostic, heading: str = "") -> str:
    """The annotation of a finding, under a heading or under what its code means."""
    properties: dict[str, str | int] = {}
    if diagnostic.span is not None:
        place = region(diagnostic.span)
        properties = {"file": path_from(diagnostic.span.source.path, Path()), "line": place.line, "col": place.column}
        properties["endLine"] = place.end_line
        if place.end_line == place.line:
            properties["endColumn"] = place.end_column
    properties["title"] = f"{diagnostic.code}: {heading or CODES[diagnostic.code].title}"
    named = ",".join(f"{name}={escaped_property(str(value))}" for name, value in properties.items())
    return f"::{diagnostic.severity} {named}::{escaped(render_flat(diagnostic))}"


def escaped(text: str) -> str:
    """A text of several lines as one line of an annotation."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """A text as the value of a property, such as the name of a file."""
    return escaped(text).replace(":", "%3A").replace(",", "%2C")
