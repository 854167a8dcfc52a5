"""Which findings are one mistake, and are said once?

A name that is declared nowhere is missed on every line that uses it, a row that a table lacks by every line that asks for it, and
what nothing sets brings no loop to its end. The reader has one thing to mend, so this is one finding: it stands where the first
was, or the first that keeps a game from being played, and shows the other places. A place that a comment allows is none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import evolve

from ..diagnostics import Diagnostic, Label
from ..model.model import Define, Model, Repeat, TakeTurns
from ..model.rebuild import walk_statements
from ..reports.selection import keeps_from_playing
from ..reports.suppressions import Allowance
from ..source import Span

OF_A_NAME = {"R201", "R212", "R213"}  # what a name stands for does not depend on the line
OF_A_TABLE = {"R302", "R303"}
MANY = 3  # places that name something: it is hardly a slip

# Beginnings of codes, and of those that may be there but are not said, since they follow from it or lie behind it.
HIDDEN_BY = {
    "R305": ("R324", "R327", "R34", "R36"),
    "R31": ("R31", "R36"),
    "R327": ("R36",),
    "R329": ("R361",),
    "R34": ("R34", "R36"),
    "R350": ("R34", "R351", "R36"),
    "R351": ("R305", "R34", "R351", "R36"),
    "R352": ("R341",),
    "R603": ("R303",),
}


def said_once(
    findings: Iterable[Diagnostic], game: Model | None = None, allowances: Sequence[Allowance] = ()
) -> tuple[Diagnostic, ...]:
    """The findings in the same order, without those that follow from others.

    ``game``: where its names could be settled. ``allowances``: of its comments; each is for its own place, and for no other one.
    """
    found = tuple(findings)
    left = [d for d in found if not any(follows(d, other, game) for other in found)]
    together: dict[tuple[object, ...], list[Diagnostic]] = {}
    for place, finding in enumerate(left):
        allowed = tuple(allowance for allowance in allowances if allowance.covers(finding))
        together.setdefault((*_mistake(finding, place), allowed), []).append(finding)
    return tuple(_joined(these) for these in together.values())


def _mistake(finding: Diagnostic, place: int) -> tuple[object, ...]:
    """What is equal for findings about the same name or the same table."""
    if finding.code in OF_A_NAME:
        return finding.code, finding.message, finding.help
    if finding.code in OF_A_TABLE:
        return "table", *_names(finding.message)[:1]
    return (place,)


def _joined(findings: Sequence[Diagnostic]) -> Diagnostic:
    """Findings at several places become the first of them, or the first that keeps a game from being played, with all places."""
    main = next(filter(keeps_from_playing, findings), findings[0])
    own = {label.span for label in main.labels}
    others: dict[Span, Label] = {}
    for label in (label for finding in findings for label in finding.labels if label.span not in own):
        others.setdefault(label.span, label)
    everywhere = any(not finding.tables for finding in findings)
    tables = () if everywhere else tuple(dict.fromkeys(table for finding in findings for table in finding.tables))
    edits = tuple(dict.fromkeys(edit for finding in findings for edit in finding.edits))
    if main.code == "R212" and len(findings) >= MANY:  # who names a component again and again rather forgot to list it
        main = evolve(main, help=", or ".join(reversed(main.help.split(", or "))))
    return evolve(main, labels=(*main.labels, *others.values()), tables=tables, edits=edits)


def may_hide(finding: Diagnostic, code: str) -> bool:
    """Whether findings of a code may not be said because of another; where no game can be played, nothing is said of play."""
    if keeps_from_playing(finding):
        return code.startswith("R3")
    return any(finding.code.startswith(by) and code.startswith(hidden) for by, hidden in HIDDEN_BY.items())


def follows(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    """Whether who mends ``other`` has mended ``finding``, too."""
    match finding.code, other.code:
        case "R361", "R329":  # a key that never decides, since it was asked already
            return finding.span == other.span
        case "R324", "R305":  # a counter that nothing sets, so that a loop never ends
            return any(name in _names(label.text) for name in _names(finding.message) for label in other.labels)
        case "R305", "R351":  # a loop that never ends, where it never begins at other tables
            return finding.span == other.span
        case "R303", "R603":  # a row that a table may lack, where a game has asked for it
            return any(label.span == other.span for label in finding.labels)
        case "R327", "R305":  # a part of a loop's end that never holds, where nothing brings the whole
            return finding.span == other.span
        case "R390" | "R391", "R327":  # players who go round and round in a loop, since its end asks for what never is
            return game is not None and any(
                other.span is not None and part.until.span.source == other.span.source
                and part.until.span.start <= other.span.start < part.until.span.end
                and any(inside.span == finding.span for inside in walk_statements(part.body))
                for part in walk_statements((game.declarations, game.variants))
                if isinstance(part, Repeat | TakeTurns)
            )  # fmt: skip
        case "R392", "R327":  # an option that nobody can choose, since what it asks for never is
            return any(label.span == finding.span for label in other.labels)
        case "R393", "R324":  # a line of the score that is always 0, since nothing sets what it counts
            return finding.span is not None and any(
                label.span.source == finding.span.source and label.span.line == finding.span.line for label in other.labels
            )
        case "R360", "R327":  # a line of the score that is always 0, since a condition never holds
            return "never" in other.message and _asks(finding, other, game)
        case _:
            return False


def _asks(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    """Whether a finding is about the line of another, or names the define that holds it."""
    asking, asked = finding.span, other.span
    if game is None or asking is None or asked is None or asking.source != asked.source:
        return False
    before = [each for each in game.declarations if each.span.source == asked.source and each.span.start <= asked.start]
    holding = max(before, key=lambda each: each.span.start, default=None)
    named = isinstance(holding, Define) and holding.name in re.findall(r"\w+", asking.text)
    return named or asking.line == asked.line


def _names(text: str) -> list[str]:
    """What a message names."""
    return re.findall(r"`([^`]*)`", text)
