"""The report of a comparison of tables: a page for people, in the language of the last game, json and csv for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import evolve, frozen

from ...common.diagnostics import Diagnostic, fault
from ...common.nouns import spoken
from ...common.source import Source
from ...play.page import Grid, Line, Page
from ...words.words import ENGLISH, Role, Words, marked
from ..simulation import Plan
from ..statistics.compare import Difference, Side, differences
from ..statistics.condition import Values
from ..statistics.pairs import Pairs
from ..statistics.statistics import Statistic, nested, number, statistics
from ..statistics.tally import NoTally, Tally
from ..stops import Stop, as_json
from .output import csv_text
from .page import QUANTILE_WORDS, bots_text, games_text, pace_text, stop_lines, term_text

_SHARES = ("win_share", "first_seat_win_share", "ties_share", "skill")
_SWEPT = tuple(map(Statistic, ("decisions_mean", "options_mean", "first_seat_win_share", "ties_share")))
BASELINE_LIMIT = 1_000_000_000  # bytes; a table with many lines and scores has some hundred thousand
CLEAR = "*"
PLAIN = marked("plain")  # no variants
_NAMES = {
    "decisions_mean": marked("decisions mean"),
    "decisions_var": marked("decisions var"),
    "options_mean": marked("options mean"),
    "score_mean": marked("score mean"),
    "score_var": marked("score var"),
    "score_quantiles": marked("score {part}"),
    "win_share": marked("win share"),
    "first_seat_win_share": marked("first seat win share"),
    "terms_mean": marked("{part} mean"),
    "team_scores_mean": marked("team scores mean"),
    "returns_mean": marked("returns mean"),
    "ties_share": marked("ties share"),
    "length_quantiles": marked("length {part}"),
}


@frozen(eq=False)
class Compared:
    """A side. ``title``: what makes it another than the others; ``plan``: None for what was played earlier; ``table``: its
    variants, options, seed and games. ``chosen``: the variants that the title names (None: it is no list of variants)."""

    title: str
    side: Side
    plan: Plan | None
    table: Mapping[str, Any]
    chosen: tuple[str, ...] | None = None

    @classmethod
    def of(cls, title: str, plan: Plan, tally: Tally) -> Compared:
        """A side that was played now, the value of an option."""
        game = plan.game
        table = {
            "variants": list(game.variants),
            "options": game.options,
            "seed": plan.seed,
            "games": tally.games + tally.stopped,
        }
        return cls(title, Side(plan.columns, tally), plan, table)

    @classmethod
    def with_variants(cls, chosen: tuple[str, ...], plan: Plan, tally: Tally) -> Compared:
        """A side that was played now, rules with variants or without."""
        return evolve(cls.of(f"{plan.arguments[0]}, {', '.join(chosen) or PLAIN}", plan, tally), chosen=chosen)


@frozen(eq=False)
class Comparison:
    """``sides``: the first, with which each of the others is compared. ``pairs``: of the first with each other side (None: it
    was played on its own). ``about``: of which option the others are values ("": there are two sides)."""

    sides: tuple[Compared, ...]
    pairs: tuple[Pairs | None, ...]
    games: int
    seconds: float
    about: str = ""

    @property
    def plan(self) -> Plan:
        """How the last side was played; all that were played now have its bots, seed and number of games."""
        plan = self.sides[-1].plan
        assert plan is not None
        return plan

    def told_with(self, plan: Plan) -> Comparison:
        """The same, told in the language of a plan of the last side."""
        return evolve(self, sides=(*self.sides[:-1], evolve(self.sides[-1], plan=plan)))

    def differences(self, number: int) -> dict[Statistic, Difference]:
        """How a side (from 1) differs from the first."""
        return differences(self.sides[0].side, self.sides[number].side, self.pairs[number - 1])

    def values(self, number: int) -> tuple[Values, Values]:
        """The statistics of a side (from 1), and how much greater they are than those of the first."""
        changes = {statistic: found.difference for statistic, found in self.differences(number).items()}
        side = self.sides[number].side
        return statistics(side.columns, side.tally), changes


# ---- For people


def page(comparison: Comparison) -> Page:
    """Two sides beside each other, or a row for each value."""
    plan, words, sides = comparison.plan, comparison.plan.game.words, comparison.sides
    luck = words.phrase("with common random numbers" if comparison.pairs[0] else "each with luck of its own")
    top = [Line("title", plan.game.title())]
    if comparison.about:
        values = words.phrase("{number} values of {option}", number=len(sides), option=_about(comparison))
        top.append(Line("table", values))
    else:
        for side, sentence in zip(sides, (marked("first: {side}"), marked("second: {side}")), strict=True):
            top.append(Line("table", words.phrase(sentence, side=_title(comparison, side))))
    players = words.phrase_for(plan.game.players, "{number} player", "{number} players")
    top.append(Line("table", words.row((players, words.phrase("seed {seed}", seed=plan.seed)))))
    games, pace = games_text(comparison.games, words), pace_text(words, plan.engine, comparison.seconds)
    run = words.phrase("{games} each by {bots}, {luck} ({pace})", games=games, bots=bots_text(plan), luck=luck, pace=pace)
    top.append(Line("table", run))
    if any(not compared.side.tally.games for compared in sides):
        return tuple(top)
    clear = marked("the interval of 95 % leaves out 0; where nothing differs, one number in twenty is marked all the same")
    note = Line("note", f"{CLEAR} {words.phrase(clear)}")
    if comparison.about:
        return (*top, *_sweep(comparison), note)
    return (*top, Line("heading", words.phrase("What differs")), _two_sides(comparison), note)


def _title(comparison: Comparison, compared: Compared) -> str:
    """What makes a side another than the others, as players say it."""
    game = comparison.plan.game
    if not game.speaks:
        return compared.title
    words = game.words
    if compared.plan is not None and compared.chosen is not None:
        variants = [words.name("variant", name) for name in compared.chosen] or [words.phrase(PLAIN)]
        return words.row((compared.plan.arguments[0], *variants))
    if comparison.about:
        said = {"yes": words.phrase("yes"), "no": words.phrase("no"), "none": words.phrase("none")}
        return said.get(compared.title) or _name_of(words, compared.title, "word")
    return compared.title


def _about(comparison: Comparison) -> str:
    """The option or number whose values are compared, as players say it."""
    game = comparison.plan.game
    return _name_of(game.words, comparison.about, "option", "define", "score") if game.speaks else comparison.about


def _name_of(words: Words, name: str, *roles: Role) -> str:
    """A name in the first of some roles in which it is translated; else as it is written."""
    return next((said for role in roles if (said := words.name(role, name)) != spoken(name)), name)


_HEADER = (marked("first"), marked("second"), marked("difference"), marked("95 % interval"), marked("effect"))


def _two_sides(comparison: Comparison) -> Grid:
    """Each statistic but the outer quantiles."""
    words = comparison.plan.game.words
    rows: list[tuple[str, ...]] = []
    for statistic, found in comparison.differences(1).items():
        if statistic.name.endswith("_quantiles") and statistic.part != "0.5":
            continue
        limits = () if found.interval is None else (value_text(statistic, limit, True, words) for limit in found.interval)
        rows.append(
            (
                _name(comparison.plan, statistic),
                value_text(statistic, found.first, words=words),
                value_text(statistic, found.second, words=words),
                value_text(statistic, found.difference, True, words) + (CLEAR if found.is_clear else " "),
                " .. ".join(limits),
                "" if found.effect is None else _signed(found.effect),
            )
        )
    first, second, difference, *others = map(words.phrase, _HEADER)
    return Grid(("", first, second, f"{difference} ", *others), tuple(rows))


def _sweep(comparison: Comparison) -> Page:
    """A row for each value, and below a rule how it differs from the first."""
    seats, words = comparison.plan.game.seat_names, comparison.plan.game.words
    by_seat = {name: [Statistic(name, "", seat + 1) for seat in range(len(seats))] for name in ("win_share", "score_mean")}
    return (
        Line("heading", words.phrase("Length, choice and ties")),
        _swept(comparison, _SWEPT, [_name(comparison.plan, statistic) for statistic in _SWEPT]),
        Line("heading", words.phrase("Share of the win")),
        _swept(comparison, by_seat["win_share"], seats),
        Line("heading", words.phrase("Score, mean")),
        _swept(comparison, by_seat["score_mean"], seats),
    )


def _swept(comparison: Comparison, shown: Sequence[Statistic], header: Sequence[str]) -> Grid:
    words = comparison.plan.game.words
    values: list[tuple[str, ...]] = []
    changes: list[tuple[str, ...]] = []
    first, about = _title(comparison, comparison.sides[0]), _about(comparison)
    for index, compared in enumerate(comparison.sides):
        found = statistics(compared.side.columns, compared.side.tally)
        title = _title(comparison, compared)
        values.append((title, *(value_text(statistic, found[statistic], words=words) + " " for statistic in shown)))
        if index:
            changed = comparison.differences(index)
            against = words.phrase("{value} against {other}", value=title, other=first)
            changes.append((against, *(_change(changed[statistic]) for statistic in shown)))
    return Grid((about, *(f"{name} " for name in header)), (*values, *changes), len(changes))


def _change(found: Difference) -> str:
    """A difference and half its interval."""
    if found.interval is None:
        return ""
    half = (found.interval[1] - found.interval[0]) / 2
    told = f"{value_text(found.statistic, found.difference, True)} ±{value_text(found.statistic, half)}"
    return told + (CLEAR if found.is_clear else " ")


def _name(plan: Plan, statistic: Statistic) -> str:
    """A statistic in a row or above a column, the seat by its name."""
    game, words = plan.game, plan.game.words
    quantile = QUANTILE_WORDS.get(statistic.part)
    part = term_text(game, statistic.part) if quantile is None else words.phrase(quantile)
    name = words.phrase(_NAMES[statistic.name], part=part)
    return words.row((name, game.seat_names[statistic.seat - 1])) if statistic.seat else name


def value_text(statistic: Statistic, value: Fraction | float | None, signed: bool = False, words: Words = ENGLISH) -> str:
    """A value of a statistic as it is read: a share in per cent, another with two digits."""
    if value is None:
        return words.phrase("none")
    if statistic.name in _SHARES:
        return (_signed(100 * float(value), 1) if signed else f"{100 * float(value):.1f}") + " %"
    return _signed(float(value)) if signed else f"{float(value):,.2f}".replace("-", "\N{MINUS SIGN}")


def _signed(value: float, digits: int = 2) -> str:
    if not round(value, digits):
        return f"{0:.{digits}f}"
    return f"{value:+,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def stops_page(comparison: Comparison, stops: Sequence[Sequence[Stop]]) -> Page:
    """How many games of each side were stopped, and the command that shows one."""
    lines: list[Line] = []
    words, sentence = comparison.plan.game.words, marked("{side}: {number} of {games} games stopped")
    for compared, found in zip(comparison.sides, stops, strict=True):
        if found:
            stopped, title = compared.side.tally.stopped, _title(comparison, compared)
            side = f"{_about(comparison)} = {title}" if comparison.about else title
            told = words.phrase(sentence, side=side, number=f"{stopped:,}", games=f"{comparison.games:,}")
            lines += [Line("heading", told), *stop_lines(found, words)]
    return tuple(lines)


# ---- For programs


def to_json(comparison: Comparison, stops: Sequence[Sequence[Stop]]) -> dict[str, Any]:
    """``stops``: what stopped games, for each side (of a baseline nothing is known but how many)."""
    plan = comparison.plan
    sides = [
        {"title": compared.title, **compared.table, "stopped": compared.side.tally.stopped, "faults": [as_json(s) for s in found]}
        for compared, found in zip(comparison.sides, stops, strict=True)
    ]
    data = {
        "game": plan.game.name,
        "players": plan.game.players,
        "seed": plan.seed,
        "games": comparison.games,
        "seconds": round(comparison.seconds, 3),
        "engine": plan.engine,
        "bots": [str(bot) for bot in plan.bots],
        "common_random_numbers": comparison.pairs[0] is not None,
    }
    if not comparison.about:
        return {**data, "first": sides[0], "second": sides[1], "statistics": _statistics(comparison, 1)}
    rows = []
    for index, (side, compared) in enumerate(zip(sides, comparison.sides, strict=True)):
        found = statistics(compared.side.columns, compared.side.tally)
        values = nested({statistic: number(statistic, value) for statistic, value in found.items()})
        changes = _statistics(comparison, index) if index else []
        rows.append({"value": compared.title, **side, "statistics": values, "differences": changes})
    return {**data, "sweep": comparison.about, "values": rows}


def _statistics(comparison: Comparison, index: int) -> list[dict[str, Any]]:
    return [
        {
            "statistic": str(statistic),
            "first": number(statistic, found.first),
            "second": number(statistic, found.second),
            "difference": number(statistic, found.difference),
            "interval": None if found.interval is None else list(found.interval),
            "effect": found.effect,
        }
        for statistic, found in comparison.differences(index).items()
    ]


def to_csv(comparison: Comparison) -> str:
    """A line for each statistic of each side but the first; ``low`` and ``high`` are the limits of the interval."""
    rows = []
    for index in range(1, len(comparison.sides)):
        for statistic, found in comparison.differences(index).items():
            rows.append(
                (
                    *([comparison.sides[index].title] if comparison.about else []),
                    statistic.name,
                    statistic.part,
                    statistic.seat or "",
                    *(number(statistic, value) for value in (found.first, found.second, found.difference)),
                    *(found.interval or ("", "")),
                    found.effect,
                )
            )
    header = ("statistic", "part", "seat", "first", "second", "difference", "low", "high", "effect")
    return csv_text((*([comparison.about] if comparison.about else []), *header), rows)


def baseline_from(source: Source, plan: Plan) -> Compared | Diagnostic:
    """The baseline of a plan in the text of a file; R807 for what is none or cannot be compared with it."""
    help = "it is written by `rulesrun simulate ... --format json > FILE`"
    try:
        data = json.loads(source.text)
        columns = Tally.columns_of(data["tally"])
        side = Side(columns, Tally.from_data(columns, data["tally"]))
        game, bots, players = str(data["game"]), list(map(str, data["bots"])), data["players"]
        table = {key: data[key] for key in ("variants", "options", "seed", "games")}
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, NoTally) else "it is something else, or was cut off"
        return fault("R807", f"`{source.path}` is no baseline: {why}", help=help)
    if game != plan.table.name:
        told = f"the baseline `{source.path}` is of the game `{game}`, not of `{plan.table.name}`"
        return fault("R807", told, help=f"compare with statistics of `{plan.table.name}`")
    if players != plan.table.players or columns.seats != players:
        told = f"the baseline `{source.path}` is of {players} players, not of {plan.table.players}"
        return fault("R807", told, help=f"compare at the same table: `--players {players}`")
    if bots != [str(bot) for bot in plan.bots]:
        given = bots[0] if len(set(bots)) == 1 else ",".join(bots)
        return fault("R807", f"the baseline `{source.path}` was played by other bots", help=f"play by the same: `--bots {given}`")
    return Compared(source.path, side, None, table)
