"""Findings that follow from others, and so are not shown.

A finding follows from another if mending the other may mend it. `_FOLLOWS` lists the pairs of codes for which this may be so,
each with the relation that tells such findings from others. A code declares in the registry (`Code.hides`) what it may hide.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache

from ..common.codes import CODES
from ..common.diagnostics import Diagnostic
from ..common.source import Source, Span
from ..model.model import Define, Model, Repeat, Step, TakeTurns, Zone
from ..model.visitor import walk, walk_statements
from .selection import keeps_from_playing

CAUSES = 50  # findings of a code; with more, most of them are one slip that was copied
ONLY_HERE = " would change "  # what is said of a condition that asks for what changes only where it holds


def may_hide(finding: Diagnostic, code: str) -> bool:
    """Whether findings of a code may not be said because of another; where no game can be played, nothing is said of play."""
    return code.startswith("R3") if keeps_from_playing(finding) else CODES[finding.code].may_hide(code)


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
    relation = _relation(finding.code, other.code)
    return relation is not None and relation(finding, other, game)


# ---- Relations: whether a finding follows from another


def _is_of_a_game_that_is_not_complete(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return finding.case == "game not complete" and not in_a_test(other)


def _names_what_is_suggested(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return bool({*names_in(other.help)} & {word.rstrip("s") for word in re.findall(r"\w+", finding.message)})


def _is_about_its_first_name(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return finding.span is not None and _first_name(other) in re.findall(r"\w+", finding.span.text)


def _names_the_same_first(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return names_in(finding.message)[:1] == names_in(other.message)[:1]


def _is_in_a_test_of_it(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return in_a_test(finding) and not in_a_test(other) and _names_the_same_first(finding, other, game)


def _has_the_same_place(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return finding.span is not None and finding.span == other.span


def _overlaps_a_place_of_it(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return any(_overlap(finding.span, label.span) for label in other.labels)


def _shows_its_place(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return any(label.span == other.span for label in finding.labels)


def _shares_a_place(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return any(label.span == loop.span for label in finding.labels for loop in other.labels)


def _is_shown_by_it(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return any(label.span == finding.span for label in other.labels)


def _is_on_a_line_of_it(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return finding.span is not None and any(
        label.span.source == finding.span.source and label.span.line == finding.span.line for label in other.labels
    )


def _depends_on_its_names(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    words = related_words(finding, game)
    return any(name in words for name in names_in(other.message))


def _always(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return True


def _lacks_a_source(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return other.case == "nothing put there"  # which says where they should come


def _is_of_a_kind_for_its_zones(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    kinds, zones = names_in(finding.message), names_in(other.message)
    declared = () if game is None else game.declarations
    return any(isinstance(line, Zone) and line.name in zones and any(kind in kinds for kind in line.kinds) for line in declared)


def _is_what_its_loop_waits_for(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return any(name in names_in(label.text) for name in names_in(finding.message) for label in other.labels)


def _is_in_a_loop_that_asks_for_it(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return game is not None and any(
        other.span is not None
        and part.until.span.source == other.span.source
        and part.until.span.start <= other.span.start < part.until.span.end
        and any(inside.span == finding.span for inside in walk_statements(part.body))
        for part in _loops(game)
    )


def _is_in_what_is_never_set_off(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return (
        finding.code != other.code
        and game is not None
        and any(
            part.span == other.span and any(_overlap(finding.span, line.span) for line in (part, *walk(part.body)))
            for part in _set_off(game)
        )
    )


def _is_a_phase_behind_it(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    return finding.case == "phase never begins" and bool(_only_changed_behind(other))


def _asks_for_what_changes_only_there(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    names = _only_changed_behind(other)
    return bool(names) and not _only_changed_behind(finding) and bool({*names} & related_words(finding, game, of_line=True))


def _is_always_0_by_it(finding: Diagnostic, other: Diagnostic, game: Model | None) -> bool:
    if _only_changed_behind(other):
        return _asks_for_what_changes_only_there(finding, other, game)
    return "never" in other.message and _asks(finding, other, game)


_Relation = Callable[[Diagnostic, Diagnostic, Model | None], bool]
_OF_A_ZONE = ("R301", "R311", "R327", "R34", "R35", "R36", "R39")  # what may be so because nothing is ever put there
# Codes that follow, the codes that they follow from (beginnings of both), and the relation. Of several lines the first counts.
_FOLLOWS: tuple[tuple[tuple[str, ...], tuple[str, ...], _Relation], ...] = (
    # a game without a winner, where a line could not be read
    (("R219",), ("R1",), _is_of_a_game_that_is_not_complete),
    # components for which there is no grid, since their kind or the grid is misspelt
    (("R215",), ("R201",), _names_what_is_suggested),
    # what is the same for every player, where its declaration says so
    (("R230",), ("R206",), _is_about_its_first_name),
    # a row for players who cannot be, where one for others is missing
    (("R328",), ("R207",), _names_the_same_first),
    # a value in a test, where the rules say wrongly which there are
    (("R405",), ("R405",), _is_in_a_test_of_it),
    # a setting that changes nothing at the tables that are left, where others do not take it
    (("R381",), ("R405",), _has_the_same_place),
    # a test with a variant that cannot be played anywhere
    (("R402",), ("R408",), _names_the_same_first),
    # what a variant needs that never holds
    (("R327",), ("R408",), _overlaps_a_place_of_it),
    # a pile that runs out, where a wrong number was removed from it, or where a loop has too many rounds
    (("R340",), ("R301", "R342"), _shows_its_place),
    (("R340",), ("R310",), _shares_a_place),
    # what reads a zone into which nothing is ever put, or asks for components that never come
    (_OF_A_ZONE, ("R323", "R333"), _depends_on_its_names),
    # components for tables that cannot be played, by mistake, or that never come to where they are drawn, or into their zones
    (("R333",), ("R406", "R408"), _always),
    (("R333",), ("R340",), _lacks_a_source),
    (("R333",), ("R323",), _is_of_a_kind_for_its_zones),
    # a marker that nothing ever sets, where it is used before it is set
    (("R324",), ("R344",), _names_the_same_first),
    # a key that never decides, since it was asked already
    (("R361",), ("R329",), _has_the_same_place),
    # a counter that nothing sets, so that a loop never ends
    (("R324",), ("R305",), _is_what_its_loop_waits_for),
    # a loop that never ends, where it never begins at other tables
    (("R305",), ("R351",), _has_the_same_place),
    # a row that a table may lack, where a game has asked for it
    (("R303",), ("R603",), _shows_its_place),
    # a part of a loop's end that never holds, where nothing brings the whole
    (("R327",), ("R305",), _has_the_same_place),
    # players who go round and round in a loop, since its end asks for what never is
    (("R390", "R391"), ("R327",), _is_in_a_loop_that_asks_for_it),
    # an option that nobody can choose, since what it asks for never is
    (("R392",), ("R327",), _is_shown_by_it),
    # a line of the score that is always 0, where it is said why
    (("R393",), ("R324", "R327", "R360"), _is_on_a_line_of_it),
    # what a trigger asks for and does that nothing sets off
    (("R",), ("R326",), _is_in_what_is_never_set_off),
    # a phase that never begins, where an option before it can never be chosen
    (("R326",), ("R327",), _is_a_phase_behind_it),
    # a line of the score that is always 0, since a condition never holds
    (("R360",), ("R327",), _is_always_0_by_it),
    # what asks for a marker that is set only where it is set already
    (_OF_A_ZONE, ("R327",), _asks_for_what_changes_only_there),
)


@cache
def _relation(finding: str, other: str) -> _Relation | None:
    """The relation by which findings of a code follow from those of another; None if they never do."""
    fitting = (relation for codes, causes, relation in _FOLLOWS if finding.startswith(codes) and other.startswith(causes))
    return next(fitting, None)


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


def related_words(finding: Diagnostic, game: Model | None, of_line: bool = False) -> set[str]:
    """The words at the place of a finding, and those of the defines that it names, and of all that these name.

    ``of_line``: the words of the whole line in which it stands.
    """
    words: set[str] = set()
    if finding.span is None:
        return words
    defines: Mapping[str, Define] = {} if game is None else _defines(game)
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
def _set_off(game: Model) -> tuple[Step, ...]:
    """The steps that are done by themselves."""
    steps = (part for part in walk((game.declarations, game.variants)) if isinstance(part, Step))
    return tuple(step for step in steps if step.entered is not None)


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
