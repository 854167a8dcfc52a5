"""Findings that follow from others, and so are not shown.

A finding follows from another if mending the other may mend it: `follows` recognises such pairs by their subject. `HIDDEN_BY`
says which codes may be hidden in this way: a comment that allows such a code is not called needless.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from ..common.diagnostics import Diagnostic
from ..common.source import Source, Span
from ..model.model import Define, Model, Repeat, TakeTurns, Trigger, Zone
from ..model.visitor import walk, walk_statements
from .selection import keeps_from_playing

# Beginnings of codes, and of those that may be there but are not said, since they follow from it or lie behind it.
HIDDEN_BY = {
    "R301": ("R340",),
    "R305": ("R324", "R327", "R34", "R36"),
    "R31": ("R31", "R34", "R36"),
    "R323": ("R301", "R311", "R327", "R333", "R34", "R35", "R36", "R39"),
    "R326": ("R3",),
    "R327": ("R301", "R311", "R326", "R34", "R35", "R36"),
    "R329": ("R361",),
    "R333": ("R301", "R311", "R327", "R34", "R35", "R36", "R39"),
    "R34": ("R324", "R34", "R36"),
    "R350": ("R34", "R351", "R36"),
    "R351": ("R305", "R34", "R351", "R36"),
    "R352": ("R341",),
    "R603": ("R303",),
}
CAUSES = 50  # findings of a code; with more, most of them are one slip that was copied
ONLY_HERE = " would change "  # what is said of a condition that asks for what changes only where it holds
OF_A_ZONE = ("R301", "R311", "R327", "R34", "R35", "R36", "R39")  # what may be so because nothing is ever put there


def may_hide(finding: Diagnostic, code: str) -> bool:
    """Whether findings of a code may not be said because of another; where no game can be played, nothing is said of play."""
    if keeps_from_playing(finding):
        return code.startswith("R3")
    return any(finding.code.startswith(by) and code.startswith(hidden) for by, hidden in HIDDEN_BY.items())


def without_follow_ups(findings: Iterable[Diagnostic], game: Model | None) -> list[Diagnostic]:
    """The findings in the same order, without those that follow from others of them, the first `CAUSES` of each code; of two
    that follow from each other the first stays."""
    found = tuple(findings)
    often: Counter[str] = Counter()
    causes = []
    for place, finding in enumerate(found):
        often[finding.code] += 1
        if often[finding.code] <= CAUSES:
            causes.append((place, finding))

    def has_a_cause(place: int, finding: Diagnostic) -> bool:
        own = (each for each in causes if each[0] != place and follows(finding, each[1], game))
        return any(place > before or not follows(other, finding, game) for before, other in own)

    return [finding for place, finding in enumerate(found) if not has_a_cause(place, finding)]


def follows(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    """Whether who mends ``other`` has mended ``finding``, too, or may have."""
    if finding.code.startswith("R2") and _spoils_names(other) and in_a_test(finding) and not in_a_test(other):
        return True
    if finding.code.startswith("R2") and other.code.startswith("R2") and other.severity == "error" and _spoils(other, finding):
        return True
    match finding.code, other.code:
        case "R219", str(code) if code.startswith("R1"):  # a game without a winner, where a line could not be read
            return finding.case == "game not complete" and not in_a_test(other)
        case "R215", "R201":  # components for which there is no grid, since their kind or the grid is misspelt
            return bool({*names_in(other.help)} & {word.rstrip("s") for word in re.findall(r"\w+", finding.message)})
        case "R230", "R206":  # what is the same for every player, where its declaration says so
            return finding.span is not None and _first_name(other) in re.findall(r"\w+", finding.span.text)
        case "R328", "R207":  # a row for players who cannot be, where one for others is missing
            return names_in(finding.message)[:1] == names_in(other.message)[:1]
        case "R405", "R405":  # a value in a test, where the rules say wrongly which there are
            in_rules = in_a_test(finding) and not in_a_test(other)
            return in_rules and names_in(finding.message)[:1] == names_in(other.message)[:1]
        case "R381", "R405":  # a setting that changes nothing at the tables that are left, where others do not take it
            return finding.span is not None and finding.span == other.span
        case "R402", "R408":  # a test with a variant that cannot be played anywhere
            return names_in(finding.message)[:1] == names_in(other.message)[:1]
        case "R327", "R408":  # what a variant needs that never holds
            return any(_overlap(finding.span, label.span) for label in other.labels)
        case "R340", "R301" | "R342":  # a pile that runs out, where a wrong number was removed from it
            return any(label.span == other.span for label in finding.labels)
        case "R340", "R310":  # a pile that runs out, where a loop has too many rounds
            return any(label.span == loop.span for label in finding.labels for loop in other.labels)
        case str(code), "R323" if code.startswith(OF_A_ZONE):  # what reads a zone into which nothing is ever put
            return any(name in words_behind(finding, game) for name in names_in(other.message))
        case "R333", "R406" | "R408":  # components for tables that cannot be played, by mistake
            return True
        case "R333", "R340" if other.case == "nothing put there":  # which says where they should come
            return True
        case "R333", "R323":  # components that never enter the game, where nothing comes into a zone for them
            kinds, zones = names_in(finding.message), names_in(other.message)
            declared = () if game is None else game.declarations
            return any(isinstance(line, Zone) and line.name in zones and line.kind in kinds for line in declared)
        case str(code), "R333" if code.startswith(OF_A_ZONE):  # what asks for components that never come
            return any(name in words_behind(finding, game) for name in names_in(other.message))
        case "R324", "R344":  # a marker that nothing ever sets, where it is used before it is set
            return names_in(finding.message)[:1] == names_in(other.message)[:1]
        case "R361", "R329":  # a key that never decides, since it was asked already
            return finding.span == other.span
        case "R324", "R305":  # a counter that nothing sets, so that a loop never ends
            return any(name in names_in(label.text) for name in names_in(finding.message) for label in other.labels)
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
                for part in _loops(game)
            )  # fmt: skip
        case "R392", "R327":  # an option that nobody can choose, since what it asks for never is
            return any(label.span == finding.span for label in other.labels)
        case "R393", "R324" | "R327" | "R360":  # a line of the score that is always 0, where it is said why
            return finding.span is not None and any(
                label.span.source == finding.span.source and label.span.line == finding.span.line for label in other.labels
            )
        case _, "R326":  # what a trigger asks for and does that nothing sets off
            return finding.code != "R326" and game is not None and any(
                part.span == other.span and any(_overlap(finding.span, line.span) for line in (part, *walk(part.body)))
                for part in _triggers(game)
            )  # fmt: skip
        case "R326", "R327":  # a phase that never begins, where an option before it can never be chosen
            return finding.case == "phase never begins" and bool(_only_changed_behind(other))
        case str(code), "R327" if code.startswith(OF_A_ZONE) and (names := _only_changed_behind(other)):
            # what asks for a marker that is set only where it is set already
            return not _only_changed_behind(finding) and bool({*names} & words_behind(finding, game, of_line=True))
        case "R360", "R327":  # a line of the score that is always 0, since a condition never holds
            return "never" in other.message and _asks(finding, other, game)
        case _:
            return False


def _spoils(cause: Diagnostic, finding: Diagnostic) -> bool:
    """Whether a wrong name or declaration makes a finding about names and types at another place."""
    if finding.span is None or cause.span is None or finding.span == cause.span or (in_a_test(cause) and not in_a_test(finding)):
        return False
    declared = next((label.span for label in finding.labels[1:] if label.text == "declared here"), None)
    if declared is not None and declared.source == cause.span.source and declared.line == cause.span.line:
        return cause.span.line != finding.span.line
    words = re.findall(r"\w+", finding.span.source.line(finding.span.line))
    if finding.case == "one inside":  # what it is asked of has no type
        return cause.code in ("R201", "R206") and cause.case != "one inside" and _first_name(cause) in words
    if cause.code != "R201":
        return False
    if finding.code in ("R204", "R248") and re.search(r"\bcells?\b", finding.message):
        return "grid of" in cause.span.source.line(cause.span.line)
    missing = _first_name(cause)
    if finding.code == "R201":
        again = _first_name(finding) == missing and finding.message != cause.message
        return again and cause.span.start < finding.span.start
    return missing in words


def _only_changed_behind(finding: Diagnostic) -> list[str]:
    """The counters, markers and zones that change only behind a condition of which a finding says that it never holds."""
    text = finding.labels[0].text if finding.labels else ""
    return names_in(text.split(ONLY_HERE, 1)[1]) if ONLY_HERE in text else []


def _spoils_names(finding: Diagnostic) -> bool:
    """Whether names or types may be wrong elsewhere because of it: of an error in a sentence, a name or a type."""
    return finding.severity == "error" and finding.code.startswith(("R1", "R20", "R21", "R22", "R23", "R24", "R25"))


def _overlap(one: Span | None, other: Span) -> bool:
    return one is not None and one.source == other.source and one.start < other.end and other.start < one.end


def _asks(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    """Whether a finding is about the line of another, or names the define that holds it."""
    asking, asked = finding.span, other.span
    if game is None or asking is None or asked is None or asking.source != asked.source:
        return False
    before = [each for each in game.declarations if each.span.source == asked.source and each.span.start <= asked.start]
    holding = max(before, key=lambda each: each.span.start, default=None)
    named = isinstance(holding, Define) and holding.name in re.findall(r"\w+", asking.text)
    return named or asking.line == asked.line


def _first_name(finding: Diagnostic) -> str:
    """The first name in its message; "" where it has none."""
    return next(iter(names_in(finding.message)), "")


def names_in(text: str) -> list[str]:
    """What a message names."""
    return re.findall(r"`([^`]*)`", text)


def words_behind(finding: Diagnostic, game: Model | None, of_line: bool = False) -> set[str]:
    """The words at the place of a finding, and those of the defines that it names, and of all that these name.

    ``of_line``: the words of the whole line in which it stands.
    """
    words: set[str] = set()
    if finding.span is None:
        return words
    defines = {} if game is None else _defines(game)
    todo = [finding.span.source.line(finding.span.line) if of_line else finding.span.text]
    while todo:
        new = set(re.findall(r"\w+", todo.pop())) - words
        words |= new
        todo += [node.span.text for name in new if name in defines for node in walk(defines[name].value)]
    return words


# What is asked for each pair of findings about a game is looked for once.


@lru_cache(maxsize=2)
def _loops(game: Model) -> tuple[Repeat | TakeTurns, ...]:
    parts = walk_statements((game.declarations, game.variants))
    return tuple(part for part in parts if isinstance(part, Repeat | TakeTurns))


@lru_cache(maxsize=2)
def _triggers(game: Model) -> tuple[Trigger, ...]:
    return tuple(part for part in walk((game.declarations, game.variants)) if isinstance(part, Trigger))


@lru_cache(maxsize=2)
def _defines(game: Model) -> dict[str, Define]:
    return {line.name: line for line in game.declarations if isinstance(line, Define)}


def in_a_test(finding: Diagnostic) -> bool:
    """Whether a finding stands in a test."""
    if finding.span is None:
        return False
    starts, are_tests = _left_edge(finding.span.source)
    place = bisect_right(starts, finding.span.start) - 1
    return place >= 0 and are_tests[place]


@lru_cache(maxsize=16)
def _left_edge(source: Source) -> tuple[list[int], list[bool]]:
    """Where the lines at the left edge of a file begin, and which of them begin a test."""
    lines = list(re.finditer(r"^[^\s#].*", source.text, re.MULTILINE))
    return [line.start() for line in lines], [line.group().split()[0] == "test" for line in lines]
