"""Findings about numbers that do not add up: what there is and what is wanted, at this table and in these loops."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from attrs import evolve, frozen

from ....common.diagnostics import Diagnostic, fault
from ....common.intervals import Interval
from ....common.nouns import plural, with_article
from ....common.source import Span
from ....model import model
from ....model.effects import effects_of
from ....model.model import BOX
from ....table.figures import figures
from ....table.sampling.combinations import Choice
from ....table.table import Grid, Table, Variable
from ...dataflow.dependence import read_names
from ..domain.states import AbstractState
from ..domain.values import Place

IN_ALL = "in all"
LINES_SHOWN = 3  # that could fill what is empty
DRAWS_SHOWN = 2  # lines that have taken what is missing


@frozen
class Loop:
    """A loop that is being gone through: its line, its rounds (None: not known before), the round; what lay where before
    it, and at the start of the round, where the rounds are not known."""

    span: Span
    rounds: int | None
    round: int
    before: dict[Place, Interval]
    start: dict[Place, Interval]


def runs_out(
    node: model.Draw,
    zone: model.Zone,
    count: Interval,
    piles: Sequence[Place],
    at: AbstractState,
    loops: Sequence[Loop],
    before: Sequence[tuple[Span, int]],
) -> Diagnostic:
    """Why there is not enough: how many are drawn by this line in all, where its loops are counted. ``before``: how many other
    lines have drawn there, or removed."""
    pile, kind, table = piles[0], zone.kind, at.ground.table
    left = max(at.content[each][1] for each in piles)
    earlier = [(span, number) for span, number in before if number]
    said = figures([node.span, *(span for span, _ in before), *(loop.span for loop in loops)], table)
    taken = [
        (span, f"{number} {_are(number)} {'removed' if span.text.startswith('remove') else 'drawn'} here before")
        for span, number in earlier[-DRAWS_SHOWN:]
    ]
    late = next((each for each in reversed(loops) if each.rounds is None and each.round > 0), None)
    if late is not None and late.before[pile][0] == late.before[pile][1] and len(piles) == 1:
        inner = [(loop.span, f"{loop.rounds} times") for loop in loops[loops.index(late) + 1 :] if loop.rounds is not None]
        return _uneven(node, zone, late, pile, [*taken, *said], inner, table)
    help = f"draw fewer here{' or before' if earlier else ''}, put more {plural(kind)} into `{zone.said}`, or let fewer play"
    places: list[tuple[Span, str]] = [(zone.span, "declared here"), *taken, *said]
    total, there, label = count[0], left, ""
    for loop in reversed(loops):
        if loop.rounds is None:
            break
        total, there = total * loop.rounds, loop.before[pile][1]
        if loop.span.line == node.span.line and loop.span.source == node.span.source:
            label = f"{loop.rounds} times {count[0]}"
        else:
            places.append((loop.span, f"{loop.rounds} times"))
    players = _with_players(table)
    if total > there and len(piles) == 1:
        drawn = f"{players}{total} {_plural(kind, total)} {_are(total)} drawn from `{zone.said}` here"
        if not there and not earlier:
            message = f"{drawn}, and nothing has been put there before"
            how = f"as by `shuffle every {kind} into {zone.said}` in the setup"
            help = f"put {plural(kind)} into `{zone.said}` before this, {how}"
            return fault("R340", message, node.span, *places, label=label, help=help, case="nothing put there")
        places.append((table.kinds[kind].span, in_all(kind, table)))
        return fault("R340", f"{drawn}, and there {_are(there)} {there}", node.span, *places, label=label, help=help)
    few = f"there {_are(left)} {left or 'none'} left"
    message = f"{players}{count[0]} {_plural(kind, count[0])} cannot be drawn from `{zone.said}` here: {few}"
    return fault("R340", message, node.span, *places, (table.kinds[kind].span, in_all(kind, table)), help=help)


def _uneven(
    node: model.Draw,
    zone: model.Zone,
    late: Loop,
    pile: Place,
    said: Sequence[tuple[Span, str]],
    inner: Sequence[tuple[Span, str]],
    table: Table,
) -> Diagnostic:
    """A pile that the rounds of a loop do not use up: how many are in it, how many a round takes, and how many are over."""
    kind, whole, over = zone.kind, late.before[pile][0], late.start[pile][0]
    message = f"{_with_players(table)}the {whole} {_plural(kind, whole)} of `{zone.said}` do not come out even"
    places = [(table.kinds[kind].span, in_all(kind, table)), *said, *inner]
    last = f"round {late.round + 1} cannot be finished"
    if over != late.start[pile][1] or (whole - over) % late.round:
        help = "let a round take as many as divide them, or ask in the round"
        return fault("R340", f"{message}: the last round runs out of them", node.span, *places, (late.span, last), help=help)
    each = (whole - over) // late.round
    message = f"{message}: each round takes {each}, and {over} {_are(over)} left for the last"
    help = f"{over} fewer or {each - over} more would come out even; or ask in the round whether there are enough"
    return fault("R340", message, node.span, *places, (late.span, last), help=help, case="uneven rounds")


def at_the_count(found: Mapping[Diagnostic, list[Choice]], players: Collection[int]) -> dict[Diagnostic, list[Choice]]:
    """Findings of piles that do not come out even, each at the line with the count that is in doubt, as far as can be told.

    With a single number of players it is the row for it, if there is one; else how many components there are. ``players``: the
    numbers of players for which the game is.
    """
    failing: dict[Span | None, list[Diagnostic]] = {}
    for finding in found:
        if finding.case == "uneven rounds":
            failing.setdefault(finding.span, []).append(finding)
    moved: dict[Diagnostic, Diagnostic] = {}
    for alike in failing.values():
        at = {choice.players for finding in alike for choice in found[finding]}
        fewer, more = zip(*(re.findall(r"\d+", finding.help) for finding in alike), strict=True)
        common = [f"{each[0]} {word}" for each, word in ((fewer, "fewer"), (more, "more")) if len(set(each)) == 1 < len(at)]
        for finding in alike:
            rows = [label for label in finding.labels if label.text.startswith("`")] if len(at) == 1 < len(players) else []
            main = next(iter(rows), next(label for label in finding.labels if label.text.endswith(IN_ALL)))
            drawn = evolve(finding.labels[0], text="drawn here")
            rest_of_them = (label for label in finding.labels[1:] if label is not main)
            help = f"{common[0]} with each number of players would come out even" if common else finding.help
            moved[finding] = evolve(finding, labels=(main, drawn, *rest_of_them), help=help)
    return {moved.get(finding, finding): at for finding, at in found.items()}


def in_all(kind: str, table: Table) -> str:
    """How many components of a kind there are at a table."""
    number = table.kinds[kind].bits
    return f"{number} {_plural(kind, number)} {IN_ALL}"


def outside(
    node: model.SetVariable, variable: Variable, value: Interval, domain: Interval, loops: Sequence[Loop], table: Table
) -> Diagnostic:
    """A counter that surely leaves its domain, by how many rounds it has been raised."""
    assert variable.range is not None
    become = f"{value[0]} or more" if value[0] > domain[1] else f"{value[1]} or less"
    become = str(value[0]) if value[0] == value[1] else become
    wide = f"{min(value[0], domain[0])}..{max(value[0], domain[1])}"
    message = f"`{node.name}` would become {become}, and it is {variable.range.low}..{variable.range.high}"
    return fault(
        "R301",
        message,
        node.span,
        (variable.span, "declared here"),
        *_rounds(loops, table),
        *figures([node.span], table),
        help=f"declare `{node.name}` with a wider range, such as `{wide}`, or change what is set here",
    )


def nobody(
    node: model.SetVariable, variable: Variable, empty: model.Typed | None, loops: Sequence[Loop], table: Table
) -> Diagnostic:
    """A marker that would surely become none. ``empty``: the set without a member that is the reason, where it is known."""
    message = f"`{node.name}` would become none, and it is {with_article(variable.type.noun)}"
    places = [(variable.span, "declared here"), *_rounds(loops, table)]
    last = f"declare `{node.name}` as `{variable.type.noun} or none` only if none is meant to be possible"
    if empty is None:
        return fault("R301", message, node.span, *places, help=f"see that there is one here; {last}")
    text = empty.span.text
    filling = _filling(empty, table)
    return fault(
        "R301",
        message,
        node.span,
        *places,
        *((span, "this changes it") for span in filling),
        label=f"there is nothing in `{text}` here",
        help=f"see that `{text}` is not empty here{'' if filling else ': nothing in the rules fills it'}; {last}",
    )


def _filling(empty: model.Typed, table: Table) -> list[Span]:
    """The lines that put something into the zones, or set the counters and markers, which an empty set asks for."""
    asked = read_names(empty, table)
    found: dict[Span, None] = {}
    for line, effect in effects_of(table.statements):
        zones = (move.to.zone for move in effect.moves if move.to is not None)
        if any(name in asked and name != BOX for name in (*zones, *(each.name for each in effect.sets))):
            found[line.span] = None
    return list(found)[:LINES_SHOWN]


def _rounds(loops: Sequence[Loop], table: Table) -> list[tuple[Span, str]]:
    """The loops around a line, each with its round."""
    places = []
    for loop in loops:
        in_round = f"in round {loop.round + 1} of this{_options_in(loop.span, table)}"
        places.append((loop.span, in_round if loop.rounds is None else f"{loop.rounds} times"))
    return places


def not_set(node: model.VariableValue, variable: Variable) -> Diagnostic:
    """A marker that has no value yet."""
    forms = [f"set {node.name} to {value}" for value in ("player 1", "a random player")]
    help = f"write `{forms[0]}` or `{forms[1]}` in the setup" if variable.type == model.PLAYER and variable.owner is None else ""
    return fault(
        "R344",
        f"`{node.name}` is used, and nothing has set it before",
        node.span,
        (variable.span, "declared here, without a first value"),
        help=help or f"set `{node.name}` in the setup",
    )


def nothing_by_chance(noun: str, span: Span) -> Diagnostic:
    return fault("R340", f"there is no {noun} to take by chance", span, help="ask first whether there is one")


def slot_taken(zone: model.Zone, held: int, coming: int, span: Span) -> Diagnostic:
    """A slot in which ``held`` components lie (0 or 1), and into which so many are put."""
    message = f"{with_article(zone.noun)} lies already in `{zone.said}`, and another is put there"
    if not held:
        message = f"{coming} {_plural(zone.noun, coming)} are put into `{zone.said}`"
    help = "move it away first, or declare a set or a pile"
    return fault("R341", message, span, (zone.span, "a slot holds one"), help=help)


def too_many_removed(span: Span, zone: model.Zone, number: int, most: int, table: Table) -> Diagnostic:
    """More is removed unseen than the ``most`` that lie in a pile, or less than nothing."""
    there = "a number cannot be below 0" if number < 0 else f"there {_are(most)} {most or 'none'}"
    kind = table.kinds[zone.kind]
    removed = f"{number} {_plural(zone.kind, number)} {_are(number)} removed from `{zone.said}`"
    return fault(
        "R342",
        f"{_with_players(table)}{removed}, and {there}",
        span,
        (zone.span, "declared here"),
        *figures([span], table),
        (kind.span, in_all(zone.kind, table)),
        help="remove as many as there are too many",
    )


def below_zero(span: Span, times: int, table: Table) -> Diagnostic:
    """A loop that is repeated so many times, which is less than 0."""
    return fault(
        "R351",
        f"{_with_players(table)}this loop never begins: it is repeated {times} times".replace("-", "−"),
        span,
        *figures([span], table),
        label="this is below 0",
        help="mend the number; if it may be below 0, write `larger of NUMBER and 0`",
    )


def grid_full(node: model.Lay, grid: Grid, kind: str) -> Diagnostic:
    message = f"`{grid.name}` is full: its {grid.cells} cells are covered, and another {kind} is put there"
    return fault("R343", message, node.span, (grid.span, "declared here"), help="make the grid larger, or put fewer there")


def _options_in(span: Span, table: Table) -> str:
    """``; `journeys` is 4``, where a line asks for options."""
    names = dict.fromkeys(re.findall(r"\w+", span.text))
    return "".join(f"; `{name}` is {table.option_words[name]}" for name in names if name in table.option_words)


def _with_players(table: Table) -> str:
    """For how many players this is said."""
    return f"with {table.players} player{'s' if table.players > 1 else ''} "


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else plural(noun)
