"""Checks all tables of a game that `combinations.py` names, each made once.

A finding that comes up at several tables is one finding that lists them. A table that a variant's ``needs`` or ``excludes`` rules
out is no fault; a variant that no table admits is one, and so is a number of players that the game cannot be played with when no
variant is named.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence

from attrs import evolve, frozen

from ..common.codes import CODES
from ..common.diagnostics import Diagnostic, fault
from ..common.giving_up import giving_up, keeping
from ..common.nouns import is_for
from ..findings.deduplication import deduplicated
from ..findings.report import sources_of
from ..findings.suppressions import allowed_in
from ..model.model import Model
from ..rules import Rules, in_order
from ..table.from_model import Specialised
from ..table.sampling.combinations import Candidate, Candidates, Choice, alone, blamed, tables_of, tables_text_of
from ..table.table import Table
from ..testing.prepared_tests import faults_of_tests
from .abstract.condition_log import ConditionLog
from .abstract.courses import Course, course_of
from .abstract.evaluation.shortfalls import at_the_count
from .abstract.interpreter import Counted
from .explored.effort import SILENT, Progress
from .knowledge.knowledge import knowledge
from .lints.dead_ends.laying import never_laid
from .lints.dead_ends.limits import limits
from .lints.never import never_otherwise
from .lints.no_effect.conditions import compares_players
from .lints.no_effect.dead_stores import lost
from .lints.no_effect.decided import decided
from .lints.no_effect.paths import paths
from .lints.no_effect.shadowed import shadowed
from .lints.no_effect.unreachable import lines_after_the_end
from .lints.scores import idle, matches
from .lints.unused.entering import never_entered
from .lints.unused.names import names
from .lints.unused.variants import variants
from .one_table import CheckedTable, check_score, check_table

REFUSED = {"R402"}  # this table is not offered: a word of the rules, not a fault in them


@frozen
class CheckedRules:
    """What was found in a rules file, in reading order, and what was not looked at, in words."""

    findings: tuple[Diagnostic, ...]
    notes: tuple[str, ...] = ()


@giving_up(lambda found: CheckedRules(in_order(found)))
def check(rules: Rules, progress: Progress = SILENT) -> CheckedRules:
    """All findings about a rules file that need no play. ``progress``: hears of those that come up at each table."""
    if rules.model is None:
        return CheckedRules(deduplicated(rules.diagnostics, allowances=allowed_in(sources_of(rules))))
    so_far = [*rules.diagnostics]
    with keeping(so_far):
        return _check(rules, rules.model, progress, so_far)


def _check(rules: Rules, game: Model, progress: Progress, so_far: list[Diagnostic]) -> CheckedRules:
    """All findings, as in `check`, about rules with a model. ``so_far``: receives the findings, as ``progress`` does."""
    found: dict[Diagnostic, list[Choice]] = {}
    admitted: set[str] = set()
    refusals: dict[str, Diagnostic] = {}
    plainly: set[Diagnostic] = set()  # what refuses tables without variants
    tables: dict[Choice, Table] = {}
    counts: dict[Choice, tuple[Table, Counted]] = {}
    known: dict[Hashable, CheckedTable] = {}
    courses: list[tuple[Course, CheckedTable]] = []
    asked = ConditionLog()
    sound: dict[Hashable, Specialised] = {}
    candidates = tables_of(game)
    so_far += _of_the_file(rules, game, candidates)
    of_the_file = tuple(dict.fromkeys(so_far[len(rules.diagnostics) :]))
    progress.show(tuple(so_far))
    progress.begin(f"proving {rules.path}", len(candidates.tables))
    for candidate in candidates.tables:
        looked, choice = _look_at(candidate, known, courses, asked), candidate.choice
        progress.advance()
        if any(d.code in REFUSED for d in looked.diagnostics):
            refusal = looked.diagnostics[0]
            if not choice.variants and not choice.options:
                found.setdefault(_unplayable(game, refusal), []).append(choice)
                plainly.add(refusal)
            if refusal in plainly:
                admitted.update(choice.variants)  # nothing more is known of them here, and this has been said
            for name in choice.variants:
                refusals.setdefault(name, refusal)
            continue
        admitted.update(choice.variants)
        if looked.table is not None:
            tables[choice] = looked.table
            if looked.counted is not None:
                counts[choice] = looked.table, looked.counted
                sound[choice.players, choice.variants, choice.options] = candidate.found
        for diagnostic in looked.diagnostics:
            found.setdefault(diagnostic, []).append(choice)
        if looked.diagnostics and not choice.options:
            certain = {d: at for d, at in found.items() if not all(each.options for each in at)}
            so_far[:] = *rules.diagnostics, *of_the_file, *_without_likes(certain)
            progress.show(tuple(so_far))
    for candidate in alone(found.values(), tables, game):
        looked = _look_at(candidate, known, courses, asked)
        if looked.table is not None:
            tables[candidate.choice] = looked.table
        for diagnostic in looked.diagnostics:
            if diagnostic.code not in REFUSED and candidate.choice not in found.setdefault(diagnostic, []):
                found[diagnostic].append(candidate.choice)
    found |= dict((*limits(game, tables), *knowledge(tables), *never_laid(counts), *paths(game, tables)))
    in_the_way = any(d.severity == "error" and not CODES[d.code].reaches_ends for d in found)
    found |= dict(idle(counts, in_the_way))
    if not in_the_way:
        found |= dict(matches(counts))
    at_fault = {diagnostic: blamed(at, tables, game) for diagnostic, at in _without_likes(found).items()}
    players = {candidate.choice.players for candidate in candidates.tables}
    found = at_the_count({diagnostic: at for diagnostic, at in at_fault.items() if at}, players)
    tried = {name for candidate in candidates.tables for name in candidate.choice.variants}
    for variant in game.variants:
        why = refusals.get(variant.name)
        refused = variant.name in tried and variant.name not in admitted
        if refused and not any(d.code.startswith("R4") and f"`{variant.name}`" in d.message for d in found):
            others = [(why.span, "it is refused here")] if why is not None and why.span is not None else []
            refusing = (condition for condition in variant.needs if why is not None and condition.span == why.span)
            if any(map(compares_players, refusing)):
                others.append((game.players_span, is_for(game.players)))
            message = f"no table can be played with `{variant.name}`"
            found[fault("R408", message, variant.span, *others, help="loosen what it needs")] = []
    everywhere = {c.choice for c in candidates.tables if not c.choice.variants and not c.choice.options}
    offered = [candidate.choice for candidate in candidates.tables]
    merged = [
        evolve(d, tables=() if everywhere <= set(at) and not _speaks_of_one(d, at) else tables_text_of(at, offered))
        for d, at in found.items()
    ]
    merged += of_the_file
    assert rules.source is not None
    errors = [d for d in (*rules.diagnostics, *merged) if d.severity == "error"]
    merged += never_entered(game, rules.source, [*tables.values()], candidates)
    if not errors:
        assert rules.tree is not None
        places = [d.span for d in merged if d.span is not None]
        merged += decided(game, rules.source, rules.tree, candidates.plain, asked, places)
    said = set(map(_plain, (*rules.diagnostics, *merged)))
    in_tests = [d for d in faults_of_tests(game, sound) if _plain(d) not in said]
    findings = in_order((*rules.diagnostics, *merged, *dict.fromkeys(in_tests)))
    return CheckedRules(deduplicated(findings, game, allowed_in(sources_of(rules))), candidates.left_out)


def _of_the_file(rules: Rules, game: Model, candidates: Candidates) -> Iterator[Diagnostic]:
    """What is wrong with a file, whatever the table: what the files that it extends leave unused is not its fault."""
    assert rules.tree is not None
    assert rules.source is not None
    plain = [candidate for candidate in candidates.tables if not candidate.choice.options]
    yield from names(game, rules.source)
    yield from lines_after_the_end(rules.tree, rules.source)
    yield from shadowed(game, rules.source)
    yield from lost(game, rules.source)
    yield from never_otherwise(game, rules.source, plain)
    yield from variants(game, rules.source, plain)


def _look_at(
    candidate: Candidate, known: dict[Hashable, CheckedTable], courses: list[tuple[Course, CheckedTable]], asked: ConditionLog
) -> CheckedTable:
    """A table by itself; one that is equal to another, as variants that are always in play are named or not, is made once.

    ``courses``: of tables at which nothing is wrong; of another with one of these, only the score is looked at.
    """
    table = candidate.found.table
    if table is None:
        return check_table(candidate.found)
    key = (table.players, table.variants, tuple(table.options.items()))
    if key not in known:
        course = course_of(table.all_steps, table)
        alike = (looked for other, looked in courses if course == other)
        like = next((one for one in alike if one.table is not None and one.table.variables == table.variables), None)
        known[key] = check_table(candidate.found, asked) if like is None else check_score(candidate.found, like, asked)
        if like is None and course is not None and not known[key].diagnostics:
            courses.append((course, known[key]))
    return known[key]


def _without_likes(found: dict[Diagnostic, list[Choice]]) -> dict[Diagnostic, list[Choice]]:
    """Findings that differ only in numbers are one, said with the numbers of the first table where it is so."""
    earlier: dict[Diagnostic, Diagnostic] = {}
    together: dict[Diagnostic, list[Choice]] = {}
    for diagnostic, at in found.items():
        together.setdefault(earlier.setdefault(_plain(diagnostic), diagnostic), []).extend(at)
    return together


def _plain(diagnostic: Diagnostic) -> Diagnostic:
    """A finding without the numbers in its words."""
    return evolve(
        diagnostic,
        message=_numberless(diagnostic.message),
        help=_numberless(diagnostic.help),
        labels=tuple(evolve(label, text=_numberless(label.text)) for label in diagnostic.labels),
    )


def _speaks_of_one(finding: Diagnostic, at: Sequence[Choice]) -> bool:
    """Whether a message names one of several numbers of players with which it is so; all of them are to be named then."""
    counts = {choice.players for choice in at}
    return len(counts) > 1 and any(f"with {players} player" in finding.message for players in counts)


def _numberless(text: str) -> str:
    return re.sub(r"-?[0-9]+", "0", text)


def _unplayable(game: Model, refusal: Diagnostic) -> Diagnostic:
    """The finding that a table is refused for which no variant is named: what is always in play cannot be played there."""
    assert refusal.span is not None
    return fault(
        "R408",
        f"this cannot be played, though no variant is named: {refusal.message}",
        refusal.span,
        (game.players_span, "the game says that it can be"),
        help="loosen what the variant needs, or let it be in play at fewer tables",
    )
