"""Joins findings that are one mistake.

A name that is declared nowhere is missed on every line that uses it, a row that a table lacks by every line that looks it up, and
a counter whose range is too small is too small in every test. The reader has one thing to mend, so this is one finding. It stands
where the first was, or the first that keeps a game from being played, and shows the other places, except those that a comment
allows. Findings that follow from another mistake are left out (`consequences.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import evolve

from ..common.codes import CODES
from ..common.diagnostics import Diagnostic, Label, fault, warning
from ..common.source import Span
from ..model.model import Model
from .consequences import names_in, without_follow_ups
from .selection import keeps_from_playing
from .suppressions import Allowance

DECLARED = "declared here"
IS_FOR = "the game is for"
RANGE = re.compile(r"`(-?\d+)\.\.(-?\d+)`")
MANY = 3  # places that name something: it is hardly a slip


def deduplicated(
    findings: Iterable[Diagnostic], game: Model | None = None, allowances: Sequence[Allowance] = ()
) -> tuple[Diagnostic, ...]:
    """The findings in the same order, without those that follow from others.

    ``game``: where its names could be settled. ``allowances``: of its comments; each is for its own place, and for no other one.
    """
    left = without_follow_ups(findings, game)
    together: dict[tuple[object, ...], list[Diagnostic]] = {}
    for finding in left:
        allowed = tuple(allowance for allowance in allowances if allowance.covers(finding))
        together.setdefault((*_mistake(finding), allowed), []).append(finding)
    return tuple(_joined(these) for these in together.values())


def _mistake(finding: Diagnostic) -> tuple[object, ...]:
    """What is equal for findings about the same name, the same table, the same declaration, or the same place."""
    match CODES[finding.code].joined:
        case "words":  # what a name stands for does not depend on the line
            return finding.code, finding.message, finding.help
        case "table":
            return "table", *names_in(finding.message)[:1]
        case "players" if (line := _players_line(finding)) is not None:  # other lines speak of other numbers of players
            return "players", line
        case "kind" if len(finding.labels) > 1:
            return finding.code, finding.labels[1].span
        case "declaration" if len(finding.labels) > 1 and finding.labels[1].text.startswith(DECLARED):
            return finding.code, finding.labels[1].span  # of a range, a grid, a type or an owner that does not fit the rest
        case "names":
            return finding.code, *names_in(finding.message)
        case _ if finding.case == "nothing put there":
            return finding.code, *names_in(finding.message)  # whichever line draws first
        case _:
            return finding.code, finding.span, *names_in(finding.message)


def _joined(findings: Sequence[Diagnostic]) -> Diagnostic:
    """Findings at several places become the first of them, or the first that keeps a game from being played, with all places."""
    main = next(filter(keeps_from_playing, findings), findings[0])
    if len(findings) == 1:
        return main
    if CODES[main.code].joined == "players" and (line := _players_line(main)) is not None:
        return _of_the_players(findings, main, line)
    own = {label.span for label in main.labels}
    others: dict[Span, Label] = {}
    for finding in findings:
        for label in finding.labels:
            if label.span not in own:
                others.setdefault(label.span, _labelled(label, finding, main))
    edits = tuple(dict.fromkeys(edit for finding in findings for edit in finding.edits))
    if main.code == "R212" and len(findings) >= MANY:  # who names a component again and again rather forgot to list it
        main = evolve(main, help=", or ".join(reversed(main.help.split(", or "))))
    if main.code == "R206" and len(findings) >= MANY:  # who writes it so again and again rather declared it wrongly
        main = evolve(main, help=f"change its declaration, or {main.help}")
    if main.code == "R301":
        main = evolve(main, help=_widest(findings, main.help))
    return evolve(main, labels=(*main.labels, *others.values()), tables=_tables_of(findings), edits=edits)


def _tables_of(findings: Sequence[Diagnostic]) -> tuple[str, ...]:
    everywhere = any(not finding.tables for finding in findings)
    return () if everywhere else tuple(dict.fromkeys(table for finding in findings for table in finding.tables))


def _labelled(label: Label, finding: Diagnostic, main: Diagnostic) -> Label:
    """A place of a finding that is joined to another: with its message, where it is reported and says something else."""
    if label.span != finding.span or label.text or finding.message == main.message:
        return label
    return evolve(label, text=finding.message.split(", and ")[0])


def _widest(findings: Sequence[Diagnostic], help: str) -> str:
    """How a counter is declared so that all that it would become fits: the help with the widest of the ranges in all of them."""
    ranges = [match for finding in findings if (match := RANGE.search(finding.help))]
    if not ranges or not RANGE.search(help):
        return help
    low, high = min(int(match[1]) for match in ranges), max(int(match[2]) for match in ranges)
    return RANGE.sub(f"`{low}..{high}`", help, count=1)


def _players_line(finding: Diagnostic) -> Span | None:
    """The line that says how many can play, where a finding shows it."""
    return next((label.span for label in finding.labels[1:] if label.text.startswith(IS_FOR)), None)


def _of_the_players(findings: Sequence[Diagnostic], main: Diagnostic, line: Span) -> Diagnostic:
    """One finding for several that all speak of numbers of players for which the game is not: its line of players is in doubt."""
    places = {finding.span: _labelled(finding.labels[0], finding, main) for finding in reversed(findings)}
    others = [(span, label.text or main.message) for span, label in reversed(places.items()) if span is not None]
    said = next(label.text for label in main.labels if label.span == line)
    code = "R406" if any(finding.code == "R406" for finding in findings) else main.code
    complain = fault if any(finding.severity == "error" for finding in findings) else warning
    return complain(
        code,
        f"{said}, and {len(others)} places are about other numbers of players",
        line,
        *others,
        help="write here for how many players the game is, or change these places",
    )
