"""Checks one table of a game by itself, before it is played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from ..common.diagnostics import Diagnostic
from ..common.source import Span
from ..machine.from_table import faults, faults_of_score
from ..model import model
from ..model.model import Model
from ..table.from_model import Specialised, specialise
from ..table.sampling.combinations import Choice
from ..table.table import Table
from .abstract.condition_log import ConditionLog
from .abstract.interpreter import Counted, answered, counted, over_at_once
from .dataflow.effects import PointsTo, effects, everything_done
from .knowledge.knowledge import knowledge
from .lints.dead_ends.beginnings import beginnings, never_begins
from .lints.dead_ends.biddings import biddings
from .lints.dead_ends.laying import never_laid
from .lints.dead_ends.limits import limits
from .lints.dead_ends.loops import loops
from .lints.dead_ends.slots import slots


@frozen
class CheckedTable:
    """A table (None when it cannot be played), and what is wrong with it whatever the other tables are.

    ``counted``: what lies where, line by line; None where the table cannot be played.
    """

    table: Table | None
    diagnostics: tuple[Diagnostic, ...]
    counted: Counted | None = None


def check_table(made: Specialised, asked: ConditionLog | None = None) -> CheckedTable:
    """A table by itself; why it is refused, when it is. ``asked``: notes which conditions can hold, and which can fail."""
    table = made.table
    if table is None:
        return CheckedTable(None, made.diagnostics)
    in_code = faults(table)
    can_be_played = not any(finding.severity == "error" for finding in in_code)
    found = (*made.diagnostics, *in_code, *_flow(table, can_be_played))
    if not can_be_played:
        return CheckedTable(None, found)
    counts = counted(table, asked)
    certain = {finding.span for finding in counts.findings}
    errors = [finding for finding in found if finding.severity == "error"]
    own = _not_following(counts.findings, errors, table) if errors and counts.findings else counts.findings
    doubtful = {finding.span for finding in found if finding.code == "R303" and finding.span is not None} - certain
    settled = certain | (answered(doubtful, table) if doubtful else set())
    found = tuple(finding for finding in found if finding.code != "R303" or finding.span not in settled)
    return CheckedTable(table, (*found, *own), counts)


def check_score(made: Specialised, like: CheckedTable, asked: ConditionLog | None = None) -> CheckedTable:
    """A table of the same course as another at which nothing is wrong (see `courses`): so only its score is looked at, unless
    something is wrong with that."""
    if made.table is None or made.diagnostics or faults_of_score(made.table):
        return check_table(made, asked)
    return CheckedTable(made.table, (), like.counted)


def _not_following(found: Iterable[Diagnostic], errors: Iterable[Diagnostic], table: Table) -> Iterator[Diagnostic]:
    """What was found by counting and does not follow from errors.

    What follows stands where they do, or is done in a loop of which the end is wrong; or it stands behind a loop that never
    begins, and is about a zone, counter or marker that the loop would change.
    """
    codes = {finding.span: finding.code for finding in errors}
    places = set(codes)
    missed: list[tuple[Span, set[Span]]] = []
    lying = PointsTo.of(table)
    for node in table.statements:
        if isinstance(node, model.Repeat | model.TakeTurns) and node.until.span in codes:
            places |= {done.span for done in everything_done(node.body, table)}
            if codes[node.until.span] == "R351":
                changes = effects(node.body, lying).changes
                zones = {zone.span for zone in table.zones.values() if zone.said in changes}
                missed.append((node.until.span, zones | {each.span for each in table.variables.values() if each.name in changes}))
    for finding in found:
        about = {label.span for label in finding.labels}
        if finding.span not in places and not any(about & these and _is_behind(finding.span, loop) for loop, these in missed):
            yield finding


def _is_behind(span: Span | None, other: Span) -> bool:
    return span is not None and (span.source != other.source or span.start > other.start)


def _flow(table: Table, can_be_played: bool) -> Iterator[Diagnostic]:
    """What is wrong with the course of a game; of a loop that never begins it is not asked whether it ends."""
    never = tuple(beginnings(table)) if can_be_played else ()
    yield from never
    places = {found.span for found in never}
    endless = [found for found in loops(table) if found.span not in places]
    ends = {found.span for found in endless if found.span is not None}
    over = over_at_once(ends, table) if can_be_played and ends else set()
    for found in endless:
        if found.span is not None and found.span in over:
            yield never_begins(found.span, "this is so whenever it is reached")
        else:
            yield found
    yield from biddings(table)
    if can_be_played:
        yield from slots(table)


def findings_at(
    whole: Model, players: int, variants: Iterable[str], options: Mapping[str, str | int | bool] | None = None
) -> tuple[Diagnostic, ...]:
    """All findings at a table (see `specialise` for the arguments); but not what makes a difference at no table that there is."""
    chosen = tuple(variants)
    looked = check_table(specialise(whole, players, chosen, options))
    if looked.table is None:
        return looked.diagnostics
    choice = Choice(players, chosen)
    tables = {choice: looked.table}
    counts = {choice: (looked.table, looked.counted)} if looked.counted is not None else {}
    of_all = (*limits(whole, tables), *knowledge(tables), *never_laid(counts))
    return (*looked.diagnostics, *(diagnostic for diagnostic, _ in of_all))
