"""What is a file like when all that has a safe mend is mended?

Mends are tried one by one, each on the text that the others have left, and kept where less is wrong afterwards. A text that can
be read further counts as better, though more is found in it then. As many findings may be left when something was only taken
out, or when a row was written whose values are open. What a comment allows is no finding.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from ..checks.tables import check
from ..diagnostics import Diagnostic, Edit
from ..files import read_bytes
from ..reports.report import report
from ..rules import Rules, rules_from, rules_in
from ..source import Source
from .mends import edits_of

ROUNDS = 100  # mends of one file


@frozen
class Fixed:
    """A file: its bytes as they were read, its text as it would be, what was mended, and what is still found."""

    path: str
    content: bytes
    after: str
    mended: tuple[Diagnostic, ...]
    left: tuple[Diagnostic, ...]


def fixed(path: str) -> Fixed:
    """A file with its mends; nothing is written."""
    content = read_bytes(path)
    rules = rules_in(path, content)
    found = _findings(rules)
    mended: list[Diagnostic] = []
    tried: set[tuple[Edit, ...]] = set()
    while len(mended) < ROUNDS:
        step = _next(rules, found, tried)
        if step is None:
            break
        diagnostic, rules, found = step
        mended.append(diagnostic)
        tried.clear()
    after = rules.source.text if rules.source is not None else ""
    return Fixed(path, content if isinstance(content, bytes) else b"", after, tuple(mended), found)


def _findings(rules: Rules) -> tuple[Diagnostic, ...]:
    """What is proved about a file and counts."""
    return report([rules], check(rules).findings).findings


def _next(
    rules: Rules, found: tuple[Diagnostic, ...], tried: set[tuple[Edit, ...]]
) -> tuple[Diagnostic, Rules, tuple[Diagnostic, ...]] | None:
    """The first mend that makes things better, and the rules and findings with it."""
    for diagnostic in sorted(found, key=_is_template):
        edits = edits_of(diagnostic, rules)
        if not edits or edits in tried or rules.source is None:
            continue
        tried.add(edits)
        new = rules_from(Source(rules.source.path, edited(rules.source.text, edits)))
        findings = _findings(new)
        if _badness(new, findings) < _badness(rules, found):
            return diagnostic, new, findings
        shorter = all(not edit.text for edit in edits)  # what it used may now be of no use in its turn
        if _badness(new, findings) == _badness(rules, found) and shorter:
            return diagnostic, new, findings
        if _is_template(diagnostic) and len(findings) <= len(found):
            return diagnostic, new, findings
    return None


def _is_template(diagnostic: Diagnostic) -> bool:
    """Whether its mend is a row whose values are open: a file with that cannot be read, so it comes last."""
    return diagnostic.code == "R207"


def _badness(rules: Rules, found: tuple[Diagnostic, ...]) -> tuple[bool, bool, int]:
    return rules.tree is None, rules.model is None, len(found)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with changes that do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text
