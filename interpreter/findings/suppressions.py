"""Comments in the rules that allow findings, with their reasons.

    repeat until deck is empty    # allow R305: the deck is emptied by the draw step, once a round

A comment that begins with ``allow`` and a code says that this finding is meant, for the sentence beside which it stands, or for
the next one if the comment has a line of its own. The reason is part of it. A finding that keeps a game from being played cannot
be allowed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from ..common.codes import CODES, like
from ..common.diagnostics import Diagnostic, fault, warning
from ..common.source import Source, Span
from ..syntax.reading.comments import comments
from .fingerprints import identity
from .selection import keeps_from_playing

# A code is a letter and three digits, or was meant to be, or the beginning of some in front of a comma or colon: other comments
# that begin with "allow" speak of the game.
_ALLOW = re.compile(r"#\s*allow\s+(?P<codes>(?:[^\W\d_]\d{3,5}\b|R\d{1,2}\s*(?=[,:]|$))[^:]*)(?::(?P<reason>.*))?$", re.I)
_LIKELY = re.compile(r"#\s*allow\s", re.I)
_WORD = re.compile(r"[^\s,]+")


@frozen
class Allowance:
    """One code in one comment. ``span``: of the code; ``lines``: numbers of the lines (from 1) on which it is allowed."""

    code: str
    reason: str
    span: Span
    lines: range

    def covers(self, diagnostic: Diagnostic) -> bool:
        span = diagnostic.span
        return (
            span is not None
            and diagnostic.code == self.code
            and identity(span.source.path) == identity(self.span.source.path)
            and span.line in self.lines
        )


@frozen
class Unexplained:
    """A comment without a reason, which allows nothing. ``allowances``: what it would allow; ``fault``: what is said of it."""

    allowances: tuple[Allowance, ...]
    fault: Diagnostic


@frozen
class Suppressed:
    """A finding that is allowed, and by what."""

    diagnostic: Diagnostic
    by: tuple[Allowance, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(allowance.reason for allowance in self.by))


@frozen
class Judged:
    """Findings apart: those that stay (with what is wrong with the comments themselves), and those that are allowed."""

    findings: tuple[Diagnostic, ...]
    suppressed: tuple[Suppressed, ...]


def judge(found: Sequence[Diagnostic], sources: Iterable[Source], looked_for: Callable[[Allowance], bool]) -> Judged:
    """Take out what comments in the files allow. ``looked_for``: whether all that an allowance is for would have been found."""
    allowances: list[Allowance] = []
    faults: list[Diagnostic] = []

    def is_needless(allowance: Allowance) -> bool:
        return looked_for(allowance) and not any(allowance.covers(diagnostic) for diagnostic in found)

    for source in sources:
        for each in _allowances(source):
            match each:
                case Allowance():
                    allowances.append(each)
                case Unexplained(allowances=meant) if meant and all(map(is_needless, meant)):
                    faults += map(_needless, meant)
                case Unexplained(fault=unexplained):
                    faults.append(unexplained)
                case Diagnostic():
                    faults.append(each)
    stay: list[Diagnostic] = []
    suppressed: list[Suppressed] = []
    used: set[Allowance] = set()
    for diagnostic in found:
        by = tuple(allowance for allowance in allowances if allowance.covers(diagnostic))
        used.update(by)
        if by and not keeps_from_playing(diagnostic):
            suppressed.append(Suppressed(diagnostic, by))
            continue
        stay.append(diagnostic)
        faults += [
            fault(
                "R013",
                f"{allowance.code} cannot be allowed: as long as this is so, the game cannot be played",
                allowance.span,
                help="correct it, and delete the comment",
            )
            for allowance in by
        ]
    faults += [_needless(allowance) for allowance in allowances if allowance not in used and is_needless(allowance)]
    return Judged((*stay, *dict.fromkeys(faults)), tuple(suppressed))


def allowed_in(sources: Iterable[Source]) -> tuple[Allowance, ...]:
    """What the comments of some files allow, with reasons."""
    return tuple(each for source in sources for each in _allowances(source) if isinstance(each, Allowance))


def _needless(allowance: Allowance) -> Diagnostic:
    message = f"`allow {allowance.code}` is not needed: {allowance.code} ({CODES[allowance.code].title}) does not occur here"
    return warning("R012", message, allowance.span, help=f"take `{allowance.code}` out of the comment, or the whole comment away")


def _allowances(source: Source) -> Iterator[Allowance | Unexplained | Diagnostic]:
    """What the comments of a file allow, and what is wrong with them."""
    if _LIKELY.search(source.text) is None:
        return  # as in most files: their lines need not be laid out
    for comment in comments(source):
        match = _ALLOW.match(comment.span.text)
        if match is None:
            continue
        reason = (match["reason"] or "").strip()
        words = [word for word in _WORD.finditer(match["codes"]) if word.group() != "and"]
        spans = [_part(comment.span, match.start("codes") + word.start(), word.end() - word.start()) for word in words]
        if not reason:
            known = [span.text.upper() for span in spans if span.text.upper() in CODES] or [spans[0].text]
            named = " and ".join(known)
            help = f"write the reason behind a colon: `# allow {', '.join(known)}: ...`"
            meant = tuple(Allowance(s.text.upper(), reason, s, comment.lines) for s in spans if s.text.upper() in CODES)
            yield Unexplained(meant, fault("R010", f"this allows {named}, and does not say why", comment.span, help=help))
            continue
        for span in spans:
            code = span.text.upper()
            if code in CODES:
                yield Allowance(code, reason, span, comment.lines)
            else:
                help = like(code) or "`rulesrun explain` lists all"
                if any(each.startswith(code) for each in CODES):
                    help = "write each code that is meant, with all its digits"
                yield fault("R011", f"there is no code `{span.text}`", span, help=help)


def _part(span: Span, start: int, length: int) -> Span:
    return Span(span.source, span.start + start, span.start + start + length)
