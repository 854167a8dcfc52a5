"""Diagnostics, the one shape of every message: what is wrong, where, why, and what to write instead.

A diagnostic is a value. Stages make and return them; only `render` turns them into text. Nothing here prints. Codes are stable.
Each has a page in ``docs/codes``, which `rulesrun explain CODE` shows.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import takewhile
from typing import Any, Literal

from attrs import evolve, field, frozen

from .codes import Severity
from .display import safe, width
from .source import Span

NAMES_LIMIT = 100  # names that are compared with one that is misspelt
LETTERS_LIMIT = 60  # of a name to which a similar one is looked for


Strength = Literal["proved", "explored", "exhausted"]
# Which of the faults of one code it is, where other findings follow from just this one, or it from others.
Case = Literal["", "game not complete", "one inside", "nothing put there", "uneven rounds", "phase never begins"]


@frozen
class Label:
    """A place with a few words about it."""

    span: Span
    text: str = ""


@frozen
class Edit:
    """A change of a text: what stands at ``span`` becomes ``text``."""

    span: Span
    text: str


@frozen
class Diagnostic:
    """One finding.

    ``code``: its stable code, such as ``R207``. ``message``: what is wrong, in the game's words. ``labels``: the
    places, the main one first (none for a fault outside any file). ``help``: what to write instead. ``tables``: at
    which tables it was found, when not at all ("3 players", "partners"). ``strength``: how it was found, where rules are
    checked: without play, in some games, in all positions that there are. ``acts``: of a game that shows it, what happened
    last, in order. ``replay``: the command that shows that game. ``edits``: what mends it, where there is one safe mend.
    ``case``: see `Case`.
    """

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    help: str = ""
    severity: Severity = "error"
    tables: tuple[str, ...] = field(default=(), eq=False)
    strength: Strength = field(default="proved", eq=False)
    acts: tuple[str, ...] = field(default=(), eq=False)
    replay: str = field(default="", eq=False)
    edits: tuple[Edit, ...] = field(default=(), eq=False)
    case: Case = field(default="", eq=False)

    @property
    def span(self) -> Span | None:
        return self.labels[0].span if self.labels else None

    @property
    def how_to_see(self) -> str:
        """The command that shows the game, with what it does: some only write it into a folder."""
        return f"{'to write it down' if ' --replays ' in self.replay else 'to see it'}: {self.replay}"


class RulesError(Exception):
    """Rules that cannot be used. ``diagnostics`` says why; it holds at least one error."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(render(d) for d in diagnostics))
        self.diagnostics = tuple(diagnostics)

    def __reduce__(self) -> tuple[type[RulesError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


def fault(
    code: str, message: str, span: Span | None = None, *others: tuple[Span, str], label: str = "", help: str = "", case: Case = ""
) -> Diagnostic:
    """An error at ``span``, with further labelled places."""
    labels = ((Label(span, label),) if span else ()) + tuple(Label(s, t) for s, t in others)
    return Diagnostic(code, message, labels, help, case=case)


def warning(
    code: str, message: str, span: Span | None = None, *others: tuple[Span, str], label: str = "", help: str = ""
) -> Diagnostic:
    """A warning at ``span``, with further labelled places: the game can be played as it is."""
    return evolve(fault(code, message, span, *others, label=label, help=help), severity="warning")


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A help line that names the known word nearest to ``word``; ``otherwise`` when none is near."""
    near = nearest(word, known)
    return f"did you mean `{near}`?" if near is not None else otherwise


def of_two_scripts(*words: str) -> str:
    """A sentence on the first letter that is not Latin in a word with Latin ones, which may look like one; "" where none is."""
    for word in words:
        scripts = {letter: unicodedata.name(letter, "").split(" ")[0] for letter in word if letter.isalpha()}
        other = next((letter for letter, script in scripts.items() if script in ("CYRILLIC", "GREEK")), "")
        if other and "LATIN" in scripts.values():
            return f"the `{other}` in `{word}` is a {scripts[other].capitalize()} letter"
    return ""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to ``word``, capitals or not; None when none is near."""
    names = set(known)
    near = _near(word, names, 1)
    if not near:
        small = {name.lower(): name for name in sorted(names)}
        near = [small[name] for name in _near(word.lower(), small, 1)]
    return near[0] if near else None


def _near(word: str, known: Iterable[str], most: int) -> list[str]:
    """The known words near to ``word``, the nearest first.

    Each comparison takes time: no very long word is compared, and of more than `NAMES_LIMIT` words only those that begin or end
    with the same letters.
    """
    if len(word) > LETTERS_LIMIT:
        return []
    names = sorted(name for name in known if len(name) <= 2 * LETTERS_LIMIT)
    if len(names) > NAMES_LIMIT:
        names = [name for name in names if name[:2] == word[:2] or name[-2:] == word[-2:]][:NAMES_LIMIT]
    return get_close_matches(word, names, n=most, cutoff=0.6)


def only_one_near(word: str, known: Iterable[str]) -> str | None:
    """The known word that is nearest to ``word``, if no other is near at all, or none as near as this one, a slip away."""
    near = _near(word, set(known), 2)
    if len(near) == 2:
        first, second = (SequenceMatcher(None, name, word).ratio() for name in near)
        return near[0] if first > second and _one_slip(word, near[0]) else None
    return near[0] if near else None


def _one_slip(word: str, other: str) -> bool:
    """Whether two words differ by one letter that is another, or is missing in one, or by two that are exchanged."""
    start = _begin_alike(word, other)
    end = _begin_alike(word[start:][::-1], other[start:][::-1])
    left, right = word[start : len(word) - end], other[start : len(other) - end]
    return (len(left) <= 1 and len(right) <= 1) or (len(left) == 2 and left == right[::-1])


def _begin_alike(word: str, other: str) -> int:
    """How many letters two words have in common from the first on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))


def tables_text(diagnostic: Diagnostic) -> str:
    """At which tables it was found; of many, the first."""
    more = len(diagnostic.tables) - _TABLES_LIMIT
    return ", ".join(diagnostic.tables[:_TABLES_LIMIT]) + (f" and {more} more" if more > 0 else "")


def render(diagnostic: Diagnostic) -> str:
    """The plain text of a diagnostic: headline, places with their lines marked, help."""
    return "\n".join("".join(text for _, text in line) for line in _pieces(diagnostic))


def render_coloured(diagnostic: Diagnostic) -> str:
    """The text of a diagnostic for a terminal that shows colours (ANSI sequences)."""
    shades = _SHADES | ({"mark": "33", "head": "1;33"} if diagnostic.severity == "warning" else {})
    return "\n".join(
        "".join(f"\x1b[{shades[style]}m{text}\x1b[0m" if style and text else text for style, text in line)
        for line in _pieces(diagnostic)
    )


def render_flat(diagnostic: Diagnostic) -> str:
    """The text of a diagnostic where its lines cannot be shown: the message, and below it the rest."""
    lines = [diagnostic.message]
    lines += [f"with: {tables_text(diagnostic)}"] if diagnostic.tables else []
    lines += [f"what happened last: {'; '.join(diagnostic.acts)}"] if diagnostic.acts else []
    lines += [diagnostic.how_to_see] if diagnostic.replay else []
    lines += [f"help: {diagnostic.help}"] if diagnostic.help else []
    return "\n".join(lines)


_Style = Literal["", "head", "message", "frame", "mark"]
_SHADES: dict[str, str] = {"head": "1;31", "message": "1", "frame": "34", "mark": "31"}
_HOW: dict[Strength, str] = {
    "proved": "",
    "explored": " (explored: seen in a test game)",
    "exhausted": " (exhausted: all positions were tried)",
}
_IN_ALL = " (explored: so in every test game)"  # where no one game shows it
_LABELS_LIMIT = 6  # more places than these are named by their number: nobody reads a seventh
_TABLES_LIMIT = 12  # of tables


def _pieces(diagnostic: Diagnostic) -> Iterator[list[tuple[_Style, str]]]:
    """The lines of a diagnostic, in pieces of one style."""
    how = _IN_ALL if diagnostic.strength == "explored" and not diagnostic.replay else _HOW[diagnostic.strength]
    yield [("head", f"{diagnostic.severity}[{diagnostic.code}]"), ("message", f"{how}: {safe(diagnostic.message)}")]
    labels = _in_reading_order(diagnostic.labels[:_LABELS_LIMIT])
    gutter = " " * max([1, *(len(str(label.span.line)) for label in labels)])
    path, line, window = None, 0, 0
    for label in labels:
        span = label.span
        text, column, cells, cut = _window(span)
        if span.source.path != path:
            main = diagnostic.labels[0].span
            yield [("frame", f"{gutter}--> "), ("", main.place if main.source.path == span.source.path else span.place)]
            yield [("frame", f"{gutter} |")]
        if (span.source.path, span.line, cut) != (path, line, window):
            yield [("frame", f"{span.line:>{len(gutter)}} | "), ("", text)]
        path, line, window = span.source.path, span.line, cut
        note = f" {safe(label.text)}" if label.text else ""
        yield [("frame", f"{gutter} | "), ("mark", f"{' ' * column}{'^' * cells}{note}")]
    tail: tuple[_Style, str] = ("frame", f"{gutter} = ")
    if len(diagnostic.labels) > _LABELS_LIMIT:
        yield [tail, ("", f"and {len(diagnostic.labels) - _LABELS_LIMIT} more places")]
    if diagnostic.tables:
        yield [tail, ("", f"with: {tables_text(diagnostic)}")]
    if diagnostic.acts:
        yield [tail, ("", "what happened last:")]
        for act in diagnostic.acts:
            yield [("frame", f"{gutter}   "), ("", f"  {safe(act)}")]
    if diagnostic.replay:
        yield [tail, ("", safe(diagnostic.how_to_see))]
    if diagnostic.help:
        yield [tail, ("", f"help: {safe(diagnostic.help)}")]


def as_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as data: code, severity, message, help, tables, places (lines and columns from 1), and how it was found."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "tables": list(diagnostic.tables),
        "strength": diagnostic.strength,
        "acts": list(diagnostic.acts),
        "replay": diagnostic.replay,
        "places": [{"path": x.span.source.path, **_extent(x.span), "text": x.text} for x in diagnostic.labels],
    }


def _in_reading_order(labels: Sequence[Label]) -> list[Label]:
    if not labels:
        return []
    first = labels[0].span.source.path
    return sorted(labels, key=lambda label: (label.span.source.path != first, label.span.source.path, label.span.start))


def _window(span: Span, limit: int = 120) -> tuple[str, int, int, int]:
    """The part of a line worth showing; the first cell of the mark in it, and its width in cells; where the part begins."""
    text = span.source.line(span.line)
    column = span.column - 1
    cut = max(0, column - limit // 2) if len(text) > limit else 0
    shown = text[cut : cut + limit]
    marked = shown[column - cut : span.column - 1 - cut + max(0, span.end - span.start)]
    return safe(shown), width(safe(shown[: column - cut])), max(1, width(safe(marked))), cut


def _extent(span: Span) -> dict[str, int]:
    """From a line and column to the column behind the last character, all from 1."""
    end_line, end_column = span.source.position(max(span.start, span.end))
    return {"line": span.line, "column": span.column, "end_line": end_line, "end_column": end_column}
