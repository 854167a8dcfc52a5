"""Mends everything in a file that has a safe mend.

Mends are tried one by one, each on the text that the others have left, and kept if less is wrong afterwards. A text of which more
can be read counts as better, even if more is found in it then. The number of findings may stay the same if something was only
taken out, or if a row was written whose values are open. A finding that a comment allows does not count. No mend is kept with
which a test fails that passed before, or with which a file that extends this one is worse.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from time import process_time

from attrs import evolve, frozen

from ..checks.all_tables import check
from ..checks.tests import run_tests
from ..common.deadline import OutOfTime, deadline
from ..common.diagnostics import Diagnostic, Edit
from ..common.files import read_bytes, read_text, reading, rules_in_folder
from ..common.source import Source
from ..findings.report import report
from ..rules import Rules, rules_from, rules_in
from .mends import edits_of

ROUNDS = 100  # mends of one file


@frozen
class Fixed:
    """A file: its bytes as they were read, its text as it would be, what was mended, and what is still found.

    ``was_cut``: the time was over before everything was tried. If that was before anything was known, ``after`` is "".
    """

    path: str
    content: bytes
    after: str
    mended: tuple[Diagnostic, ...]
    left: tuple[Diagnostic, ...]
    was_cut: bool = False


@frozen(eq=False)
class _Seen:
    """A file and what is proved about it and counts."""

    rules: Rules
    findings: tuple[Diagnostic, ...]

    @property
    def badness(self) -> tuple[bool, bool, int, int]:
        errors = sum(diagnostic.severity == "error" for diagnostic in self.findings)
        return self.rules.tree is None, self.rules.model is None, errors, len(self.findings)

    @cached_property
    def failures(self) -> dict[int, Diagnostic]:
        """The tests that fail, by their places among all, and why."""
        results = () if self.rules.model is None else run_tests(self.rules)
        return {place: result.diagnostics[0] for place, result in enumerate(results) if not result.passed}


@frozen(eq=False)
class _State:
    """A file as it would be, and with it the files that extend it."""

    own: _Seen
    extending: tuple[Source, ...]

    @cached_property
    def others(self) -> tuple[_Seen, ...]:
        changed = self.own.rules.source
        with reading({} if changed is None else {Path(changed.path).resolve(): changed.text}):
            return tuple(_seen(rules_from(source)) for source in self.extending)


def fixed(path: str, given: Iterable[str] = (), seconds: float | None = None) -> Fixed:
    """A file with its mends; nothing is written. ``given``: other files that may extend it, beside those in its folder.

    ``seconds``: of processor time, after which it leaves off, with the mends so far (None: never).
    """
    content = read_bytes(path)
    state: _State | None = None
    mended: list[Diagnostic] = []
    refused: dict[Diagnostic, Diagnostic] = {}
    was_cut = False
    try:
        with deadline(seconds, process_time):
            own = _seen(rules_in(path, content))
            state = _State(own, extensions_of(path, given) if own.findings else ())
            while len(mended) < ROUNDS:
                refused = {}
                step = _next(state, refused)
                if step is None:
                    break
                state, mended = step[1], [*mended, step[0]]
    except OutOfTime:
        was_cut = True
    source = None if state is None else state.own.rules.source
    findings = () if state is None else state.own.findings
    left = tuple(_explained(diagnostic, refused.get(diagnostic)) for diagnostic in findings)
    as_read = content if isinstance(content, bytes) else b""
    return Fixed(path, as_read, "" if source is None else source.text, tuple(mended), left, was_cut)


def _seen(rules: Rules) -> _Seen:
    return _Seen(rules, report([rules], check(rules).findings).findings)


def _next(state: _State, refused: dict[Diagnostic, Diagnostic]) -> tuple[Diagnostic, _State] | None:
    """The first mend that makes things better, and how they are then. ``refused``: gets what stands against other mends."""
    tried: set[tuple[Edit, ...]] = set()
    own = state.own
    for diagnostic in sorted(own.findings, key=_is_template):
        edits = edits_of(diagnostic, own.rules)
        if not edits or edits in tried or own.rules.source is None:
            continue
        tried.add(edits)
        new = _seen(rules_from(Source(own.rules.source.path, edited(own.rules.source.text, edits))))
        after = evolve(state, own=new)
        if _is_template(diagnostic):
            if len(new.findings) <= len(own.findings):
                return diagnostic, after
            continue
        shorter = all(not edit.text for edit in edits)  # what it used may now be of no use in its turn
        harm = _harm(state, after)
        if not harm and (new.badness < own.badness or (new.badness == own.badness and shorter)):
            return diagnostic, after
        if harm:
            refused[diagnostic] = harm[0]
    return None


def _is_template(diagnostic: Diagnostic) -> bool:
    """Whether its mend is a row whose values are open: a file with that cannot be read, so it comes last."""
    return diagnostic.code == "R207"


def _harm(before: _State, after: _State) -> tuple[Diagnostic, ...]:
    """What a mend would bring about, in the file itself or, if nothing there, in one that extends it."""
    return _made_worse(before.own, after.own) or next(filter(None, map(_made_worse, before.others, after.others)), ())


def _made_worse(before: _Seen, after: _Seen) -> tuple[Diagnostic, ...]:
    """What is wrong with a file only afterwards, if it is worse then: findings, or else tests that fail."""
    if after.badness > before.badness:
        known = {(each.code, each.message) for each in before.findings}
        return tuple(each for each in after.findings if (each.code, each.message) not in known) or after.findings
    if before.rules.model is None:
        return ()
    return tuple(why for place, why in after.failures.items() if place not in before.failures)


def _explained(diagnostic: Diagnostic, harm: Diagnostic | None) -> Diagnostic:
    """A finding that is left, with what stands against its mend."""
    if harm is None:
        return diagnostic
    where = "" if harm.span is None else f" ({harm.span.place})"
    why = f"left as it is, since its repair brings {harm.code}: {harm.message}{where}"
    return evolve(diagnostic, help="; ".join(filter(None, (diagnostic.help, why))))


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with changes that do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def extensions_of(path: str, given: Iterable[str]) -> tuple[Source, ...]:
    """The files of the same folder, and of those that are given, that extend the one at a path, at once or through others."""
    own = Path(path).resolve()
    names = [*map(str, rules_in_folder(Path(path).parent)), *given]
    files = {Path(name).resolve(): name for name in names}
    sources = (read_text(name) for file, name in files.items() if file != own)
    return tuple(source for source in sources if isinstance(source, Source) and _extends(source, own))


def _extends(source: Source, path: Path) -> bool:
    return any(Path(each.path).resolve() == path for each in rules_from(source).beside)
