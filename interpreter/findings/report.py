"""The report of a check as a value: findings that fail it, findings that do not and why, and notes; each format writes it.

The order: comments allow findings (`suppressions.py`), codes are selected (`selection.py`), a baseline is compared
(`baseline.py`). What keeps a machine from being built passes all three. Comments are judged by all findings, so a selection makes
none of them needless.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import frozen

from ..common.codes import CODES
from ..common.diagnostics import Diagnostic
from ..common.source import Source
from ..rules import Rules, in_order
from .baseline import Baseline, compare
from .consequences import may_hide
from .fingerprints import identity, path_from
from .selection import ALL, Selection, keeps_from_playing
from .suppressions import Allowance, Suppressed, judge


@frozen
class Played:
    """How much the game of a file was played: at so many ``tables``, and at those ``exhausted`` through all positions.

    ``positions``: how many each of the others surely has, which are too many; 0 where there are no others.
    """

    path: str
    tables: int
    exhausted: int
    positions: int


@frozen
class Report:
    """``files``: how many were looked at. ``findings``: those that count, file by file. ``suppressed``: those that comments
    allow. ``known``: those of the baseline. ``notes``: in words, what else there is to know. ``played``: of each file that could
    be played, if any was."""

    files: int
    findings: tuple[Diagnostic, ...]
    suppressed: tuple[Suppressed, ...] = ()
    known: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()
    played: tuple[Played, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many errors, warnings, suppressed and known findings there are."""
        severities = Counter(diagnostic.severity for diagnostic in self.findings)
        return {
            "errors": severities["error"],
            "warnings": severities["warning"],
            "suppressed": len(self.suppressed),
            "known": len(self.known),
        }


def report(
    looked_at: Sequence[Rules],
    found: Iterable[Diagnostic],
    notes: Iterable[str] = (),
    selection: Selection = ALL,
    baseline: Baseline | None = None,
    unproved: Iterable[Rules] = (),
    unplayed: Iterable[Rules] = (),
) -> Report:
    """All that was found in some files, each finding once: what is allowed, not selected or known before is put aside.

    ``unproved``, ``unplayed``: files that were not looked at, or not played, to the end. What was not found in them may be there.
    """
    once = _once(found)
    sources = {identity(source.path): source for rules in looked_at for source in sources_of(rules)}
    unread = _places((*unproved, *(rules for rules in looked_at if rules.model is None)))
    games = [_places([rules]) for rules in looked_at]

    def looked_for(allowance: Allowance) -> bool:
        """Whether a finding would have been told in every game that the file is a part of."""
        around = set().union(*(files for files in games if identity(allowance.span.source.path) in files))
        hiding = (d for d in once if d.span is not None and identity(d.span.source.path) in around)
        return (
            identity(allowance.span.source.path) not in unread
            and not CODES[allowance.code].comes_from_play
            and not any(may_hide(d, allowance.code) for d in hiding)
        )

    judged = judge(once, sources.values(), looked_for)
    findings = tuple(d for d in _file_by_file(judged.findings) if selection.shows(d))
    suppressed = tuple(s for s in judged.suppressed if selection.shows(s.diagnostic))
    if baseline is None:
        return Report(len(looked_at), findings, suppressed, (), tuple(notes))
    compared = compare([d for d in findings if not keeps_from_playing(d)], baseline)
    new = {id(d) for d in compared.new}
    stay = tuple(d for d in findings if keeps_from_playing(d) or id(d) in new)
    proved = {path_from(path, baseline.folder) for path in sources.keys() - unread}
    played = proved - {path_from(path, baseline.folder) for path in _places(unplayed)}
    gone = [
        f"in the baseline, and not found any more: {each.code} in {each.file}: {each.text}"
        + (f" ({count} times)" if count > 1 else "")
        for each, count in compared.gone.items()
        if each.file in (played if CODES[each.code].comes_from_play else proved) and selection.seeks(each.code)
    ]
    return Report(len(looked_at), stay, suppressed, compared.known, (*notes, *gone))


def sources_of(rules: Rules) -> Iterable[Source]:
    """The texts of rules that a file consists of; in tables of components there are no comments."""
    own = () if rules.source is None else (rules.source,)
    return (source for source in (*own, *rules.beside) if not source.path.casefold().endswith(".csv"))


def _places(files: Iterable[Rules]) -> set[str]:
    """What tells the texts of some files from others."""
    return {identity(source.path) for rules in files for source in sources_of(rules)}


def _once(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each finding once, also one of a game that several files extend and name by different paths."""
    kept: dict[tuple[object, ...], Diagnostic] = {}
    for diagnostic in found:
        places = tuple((identity(label.span.source.path), label.span.start, label.text) for label in diagnostic.labels)
        kept.setdefault((diagnostic.code, diagnostic.message, places, diagnostic.help), diagnostic)
    return list(kept.values())


def _file_by_file(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """In the order in which files first come up, and in each as it is read."""
    files: dict[str, list[Diagnostic]] = {}
    for diagnostic in found:
        files.setdefault("" if diagnostic.span is None else diagnostic.span.source.path, []).append(diagnostic)
    return [diagnostic for each in files.values() for diagnostic in in_order(each)]
