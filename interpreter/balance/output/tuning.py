"""What a search for numbers has found out, as a page and as data."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import inf
from typing import Any

from ...play.page import Grid, Line, Page, plain
from ...simulate.output.comparison import value_text as any_value
from ...simulate.output.page import games_text
from ...simulate.statistics.interval import Interval
from ...simulate.statistics.statistics import Statistic
from ...words.words import ENGLISH, Words, marked
from ..tuning.goals import Goal
from ..tuning.outcome import Checked, Effect, Outcome
from ..tuning.space import Knob
from ..words import is_percent
from . import drawing
from .document import document

MARK = b"<!doctype html><!-- rulesrun tune -->"  # how every report begins
_BARS = "▁▂▃▄▅▆▇█"
_UNKNOWN = "·"
_WIDEST = 24  # bars beside each other
_SHOWN = 5  # problems that are told
_VERDICTS = {
    "reached": marked("reached"),
    "likely": marked("likely"),
    "unlikely": marked("unlikely"),
    "missed": marked("missed"),
}


def page(found: Outcome, title: str, table: str, engine: str, seconds: float, words: Words = ENGLISH) -> Page:
    """``table``: the seats, the bots and the seed in a line."""
    task, phrase = found.task, words.phrase
    tried = words.phrase_for(
        len(found.trials),
        "{number} setting of {all} played, up to {games} each ({engine} engine, {seconds} s)",
        "{number} settings of {all} played, up to {games} each ({engine} engine, {seconds} s)",
        all=f"{task.space.size:,}",
        games=games_text(task.games, words),
        engine=engine,
        seconds=f"{seconds:.0f}",
    )
    lines: list[Line | Grid] = [Line("title", title), Line("table", table), Line("table", tried)]
    if found.checked:
        most = max(each.trial.games for each in found.checked)
        lines.append(Line("heading", _heading(found, words)))
        lines.append(_settings(found, words))
        note = phrase(
            "of {games} fresh games each, with 95 % intervals; the rules say {numbers} now",
            games=f"{most:,}",
            numbers=_now(found, words),
        )
        lines.append(Line("note", note))
    lines += [Line("text", told) for told in told_of(found, words)]
    lines.append(Line("heading", phrase("Which numbers are possible")))
    none = phrase("none")
    rows = [
        (knob.number.name, _values(knob), str(knob.number.value), none if limits is None else f"{limits[0]} .. {limits[1]}")
        for knob, limits in zip(task.space.knobs, found.possible, strict=True)
    ]
    lines.append(Grid(("", phrase("tried"), phrase("now"), phrase("may reach the goals")), tuple(rows)))
    lines.append(Line("heading", phrase("What each number does")))
    header = ("", phrase("one more"), phrase("95 % interval"), phrase("from the lowest value up"))
    lines.append(Grid(header, tuple(map(_effect, found.effects))))
    if found.problems:
        settings = len(found.problems)
        lines.append(Line("heading", words.phrase_for(
            settings, "{number} setting could not be played to the end", "{number} settings could not be played to the end"
        )))  # fmt: skip
        told = list(dict.fromkeys(f"{each.code}: {each.message}" for each in found.problems))
        lines += [Line("text", f"  {each}") for each in told[:_SHOWN]]
    return tuple(lines)


def _heading(found: Outcome, words: Words) -> str:
    if found.best is not None:
        return words.phrase("Settings that reach the goals")
    several = len(found.task.goals) > 1
    return words.phrase("The best trades between the goals" if several else "The settings that come nearest")


def _settings(found: Outcome, words: Words) -> Grid:
    names = [knob.number.name for knob in found.task.space.knobs]
    rows = tuple(
        (
            words.phrase(_VERDICTS[each.verdict]),
            *map(str, each.trial.setting),
            *(_measured(statistic, each.trial.found[statistic]) for statistic in found.task.statistics),
        )
        for each in found.checked
    )
    return Grid(("", *names, *map(_name, found.task.statistics)), rows)


def told_of(found: Outcome, words: Words = ENGLISH) -> Iterator[str]:
    """In sentences: what cannot be reached."""
    if found.is_interrupted:
        yield words.phrase("This was interrupted: not all settings were looked at.")
    if found.best is None and found.trials:
        yield words.phrase("No setting that was played reaches all goals.")
    for goal in found.never:
        values = [trial.found[goal.statistic].value for trial in found.trials if goal.statistic in trial.found]
        if values:
            low, high = (value_text(goal.statistic, value) for value in (min(values), max(values)))
            yield words.phrase("`{goal}` was never reached: it was from {low} to {high}.", goal=goal.text, low=low, high=high)
    for one, other in found.fighting:
        yield words.phrase("`{one}` and `{other}` fight each other: no setting reached both.", one=one.text, other=other.text)


def _now(found: Outcome, words: Words) -> str:
    return words.listed([f"{knob.number.name} = {knob.number.value}" for knob in found.task.space.knobs])


def _values(knob: Knob) -> str:
    return f"{knob.values[0]} .. {knob.values[-1]}"


def _measured(statistic: Statistic, found: Interval) -> str:
    value, low, high = (value_text(statistic, each) for each in (found.value, found.low, found.high))
    return f"{value} ({low} .. {high})"


def _effect(effect: Effect) -> tuple[str, ...]:
    statistic = effect.statistic
    about = f"{effect.knob.number.name}: {_name(statistic)}"
    if effect.slope is None:
        return about, "", "", _bars(effect)
    slope, low, high = (value_text(statistic, each, True) for each in effect.slope)
    return about, slope, f"{low} .. {high}", _bars(effect)


def _bars(effect: Effect) -> str:
    """The means as bars, from the lowest value of the number to the highest."""
    values, means = effect.knob.values, effect.means
    if len(values) > _WIDEST:
        values = tuple(values[round(at * (len(values) - 1) / (_WIDEST - 1))] for at in range(_WIDEST))
    low, high = min(means.values(), default=0.0), max(means.values(), default=0.0)

    def bar(value: int) -> str:
        if value not in means:
            return _UNKNOWN
        return _BARS[round((means[value] - low) / (high - low) * (len(_BARS) - 1))] if high > low else _BARS[0]

    return "".join(map(bar, values))


def as_json(found: Outcome, seconds: float) -> dict[str, Any]:
    """What came out, as data. Intervals are of 95 %; those of `settings` rest on fresh games, those of `trials` on the search."""
    task = found.task
    return {
        "game": task.space.rules.required().game,
        "games": task.games,
        "seed": task.seed,
        "seconds": round(seconds, 1),
        "goals": [_goal(goal) for goal in task.goals],
        "wish": {task.wish.way: str(task.wish.statistic)} if task.wish else None,
        "settings": [{**_trial(found, each), "verdict": each.verdict} for each in found.checked],
        "best": None if found.best is None else _named(found, found.best.trial.setting),
        "numbers": [
            {"name": knob.number.name, "now": knob.number.value, "values": list(knob.values), "possible": limits}
            for knob, limits in zip(task.space.knobs, found.possible, strict=True)
        ],
        "effects": [
            {"number": each.knob.number.name, "statistic": str(each.statistic), "slope": each.slope, "means": each.means}
            for each in found.effects
        ],
        "never": [goal.text for goal in found.never],
        "fighting": [[one.text, other.text] for one, other in found.fighting],
        "trials": [
            {
                "numbers": _named(found, trial.setting),
                "games": trial.games,
                "found": {str(statistic): each.value for statistic, each in trial.found.items()},
                "ruled_out": [goal.text for goal in trial.ruled_out],
                "problem": trial.problem and f"{trial.problem.code}: {trial.problem.message}",
            }
            for trial in found.trials
        ],
        "interrupted": found.is_interrupted,
    }


def value_text(statistic: Statistic, value: float, signed: bool = False) -> str:
    """A value as it is read; a quantile is a whole number."""
    return f"{value:,.0f}" if statistic.name.endswith("_quantiles") and not signed else any_value(statistic, value, signed)


def axis_text(statistic: Statistic, value: float) -> str:
    """A value beside an axis."""
    return f"{100 * value:g} %" if is_percent(statistic) else f"{value:,g}"


def report(found: Outcome, title: str, told: Page, asked: str, words: Words = ENGLISH) -> str:
    """A page with plots of what each number does. ``told``: what a terminal shows; ``asked``: the command that makes it again."""
    body = f"<pre>{escape(plain(told))}</pre><h2>{words.phrase('What each number does')}</h2>"
    for knob in found.task.space.knobs:
        panels = [_panel(effect) for effect in found.effects if effect.knob is knob and effect.means]
        if panels:
            body += f"<h3>{escape(knob.number.name)}</h3>" + drawing.small_multiples(panels, knob.number.name, alike=False)
    made = words.phrase("Means of all settings with a value, the other numbers held at their means.")
    body += f"<h2>{words.phrase('How this was made')}</h2><p>{made}</p><p><code>{escape(asked)}</code></p>\n"
    return document(MARK, words.phrase("{game}: numbers", game=title), body, words)


def _panel(effect: Effect) -> drawing.Panel:
    statistic, means = effect.statistic, effect.means
    marks = tuple(
        drawing.Mark(means[value], None, None, 0, f"{value}: {value_text(statistic, means[value])}") if value in means else None
        for value in effect.knob.values
    )
    return drawing.Panel(_name(statistic), tuple(map(str, effect.knob.values)), marks, lambda value: axis_text(statistic, value))


def _name(statistic: Statistic) -> str:
    return str(statistic).replace("_quantiles[0.5]", "_median")


def _goal(goal: Goal) -> dict[str, Any]:
    limits = [None if abs(limit) == inf else limit for limit in (goal.low, goal.high)]
    return {"goal": goal.text, "statistic": str(goal.statistic), "low": limits[0], "high": limits[1]}


def _named(found: Outcome, setting: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(found.task.space.names, setting, strict=True))


def _trial(found: Outcome, checked: Checked) -> dict[str, Any]:
    measured = {str(statistic): [each.value, each.low, each.high] for statistic, each in checked.trial.found.items()}
    return {"numbers": _named(found, checked.trial.setting), "games": checked.trial.games, "found": measured}
