"""The differences in the rules of two files, or of two tables of a game.

Meanings are compared: comments, layout and the order of a file do not count. Differences are shown as the designer wrote them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from attrs import evolve, frozen

from ..common.diagnostics import Diagnostic, RulesError
from ..common.rewrite import Matcher
from ..play.page import Line, Page
from ..rules import Rules
from ..table.from_model import specialise
from .side import Piece, Side, table_side, whole_side
from .written import Lines, Written, number_of_players

Sign = Literal["-", "+", " "]  # only on the first side; only on the second; on both, and shown for what is around it


@frozen
class Difference:
    """A piece of the rules that differs. ``values``: what it comes to on either side, where that differs ("" on a side that has
    it not). ``lines``: in the order in which they are read."""

    kind: Literal["added", "removed", "changed"]
    name: str
    values: tuple[str, str] | None
    lines: tuple[tuple[Sign, Written], ...]


@frozen
class Comparison:
    """``players``: of the tables that are compared; None for whole files. ``elsewhere``: pieces that differ only at tables of
    other numbers of players, by these numbers."""

    game: str
    players: int | None
    sides: tuple[str, str]
    differences: tuple[Difference, ...]
    elsewhere: Mapping[tuple[int, ...], tuple[str, ...]] = {}


def compare(first: Rules, second: Rules) -> Comparison:
    """Two whole files, with all their variants. Raises `RulesError` when one has errors."""
    in_words = first.required().lists != second.required().lists
    return _compared(whole_side(first, in_words), whole_side(second, in_words), None)


def compare_tables(
    first: Rules,
    second: Rules,
    against: Iterable[str],
    variants: Iterable[str],
    players: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Comparison:
    """A table of each: the first with the variants ``against``, the second with ``variants``, both with these options.

    ``players``: None for the fewest with which both can be played; what differs only with more is named. Raises `RulesError`
    when one cannot be.
    """
    sides = ((first, tuple(against)), (second, tuple(variants)))
    low, high = (max(rules.required().players[0] for rules, _ in sides), min(rules.required().players[1] for rules, _ in sides))
    counts = [players] if players is not None else list(range(low, high + 1)) or [low]
    in_words = first.required().lists != second.required().lists
    compared: dict[int, Comparison] = {}
    wrong: tuple[Diagnostic, ...] = ()
    for count in counts:
        found = [specialise(rules.required(), count, names, options) for rules, names in sides]
        refused = next((each.diagnostics for each in found if each.table is None), ())
        if refused:
            wrong = refused
        else:
            one, two = (table_side(rules, each, in_words) for (rules, _), each in zip(sides, found, strict=True))
            compared[count] = _compared(one, two, count)
    if not compared:
        raise RulesError(wrong)
    fewest, *others = compared.values()
    return evolve(fewest, elsewhere=_elsewhere(fewest, others))


def _elsewhere(fewest: Comparison, others: Iterable[Comparison]) -> Mapping[tuple[int, ...], tuple[str, ...]]:
    """The pieces that differ only in the other comparisons, by their numbers of players."""
    known = {difference.name for difference in fewest.differences}
    where: dict[str, tuple[int, ...]] = {}
    for other in others:
        assert other.players is not None
        for difference in other.differences:
            if difference.name not in known:
                where[difference.name] = (*where.get(difference.name, ()), other.players)
    return {counts: tuple(name for name in where if where[name] == counts) for counts in dict.fromkeys(where.values())}


def _compared(first: Side, second: Side, players: int | None) -> Comparison:
    names = list(dict.fromkeys((*first.pieces, *second.pieces)))
    found = [d for name in names if (d := _difference(name, first.pieces.get(name), second.pieces.get(name))) is not None]
    shown = [d for d in found if d.lines or d.values is not None]
    # A piece that is written as before may still mean something else, since what it names has changed; that change is shown.
    game = first.rules.required().game
    return Comparison(game, players, (first.label, second.label), tuple(shown or found))


def _difference(name: str, old: Piece | None, new: Piece | None) -> Difference | None:
    if old is None or new is None:
        there = old or new
        assert there is not None
        sign: Sign = "+" if old is None else "-"
        values = None if not there.value else ("", there.value) if old is None else (there.value, "")
        return Difference("added" if old is None else "removed", name, values, tuple((sign, line) for line in there.lines))
    if old.meaning == new.meaning and old.value == new.value:
        return None
    values = (old.value, new.value) if old.value != new.value else None
    return Difference("changed", name, values, tuple(_lines(old.lines, new.lines, context=old.in_order)))


def _lines(old: Lines, new: Lines, context: bool) -> Iterator[tuple[Sign, Written]]:
    """The lines that differ; with ``context``, the nearest line above and below as well."""
    first, second = ([(line.depth, line.text) for line in lines] for lines in (old, new))
    around = 1 if context else 0
    for group in Matcher(first, second, autojunk=False).get_grouped_opcodes(around):
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from ((" ", line) for line in new[new_start:new_end])
            else:
                yield from (("-", line) for line in old[start:end])
                yield from (("+", line) for line in new[new_start:new_end])


# ---- As a page, and as data


def page(found: Comparison) -> Page:
    """A comparison to be read."""
    first, second = found.sides
    players = "" if found.players is None else f", {found.players} player{'' if found.players == 1 else 's'}"
    lines = [Line("title", f"{found.game}{players}"), Line("gone", f"- {first}"), Line("come", f"+ {second}")]
    if not found.differences:
        lines.append(Line("round", "No rule differs"))
    for difference in found.differences:
        values = "" if difference.values is None else ": " + " -> ".join(v for v in difference.values if v)
        lines.append(Line("round", f"{difference.name}, {difference.kind}{values}"))
        width = max((len(line.place) for _, line in difference.lines), default=0)
        for sign, line in difference.lines:
            style: Literal["gone", "come", "text"] = "gone" if sign == "-" else "come" if sign == "+" else "text"
            lines.append(Line(style, f"{sign} {line.place:<{width}}  {' ' * line.depth}{line.text}"))
    for counts, names in found.elsewhere.items():
        also = " also" if found.differences else ""
        lines.append(Line("round", f"With {number_of_players(counts)}{also}: {', '.join(names)}"))
    return tuple(lines)


def as_json(found: Comparison) -> dict[str, Any]:
    """A comparison as JSON data."""
    return {
        "game": found.game,
        "players": found.players,
        "first": found.sides[0],
        "second": found.sides[1],
        "differences": [
            {
                "name": difference.name,
                "kind": difference.kind,
                "values": None if difference.values is None else list(difference.values),
                "first": _written(difference, "-"),
                "second": _written(difference, "+"),
            }
            for difference in found.differences
        ],
        "elsewhere": [{"players": list(counts), "names": list(names)} for counts, names in found.elsewhere.items()],
    }


def _written(difference: Difference, wanted: Sign) -> list[dict[str, Any]]:
    return [{"path": line.path, "line": line.number, "text": line.text} for sign, line in difference.lines if sign == wanted]
