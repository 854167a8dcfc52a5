"""Plots as SVG that stands in a page: intervals, histograms, lines with bands, stacked bars.

Colours are variables of the page (``--first``, ``--second`` ...), so that a plot fits a light and a dark page and paper. Every
mark has a title, which a browser shows where the pointer is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, floor, log10

from attrs import frozen

from ...words.words import ENGLISH, Words
from ..words import percent, span_told

WIDE = 720
COLOURS = ("var(--first)", "var(--second)", "var(--third)", "var(--fourth)")
LEFT, RIGHT = 190, 24  # room for names, and to the right
SIDE_BY_SIDE, TICKS_SHOWN, NAME_SHOWN = 3, 12, 32  # small plots in a row; names below one; letters of the name above it

Told = Callable[[float], str]


@frozen
class Mark:
    """A value with its interval. ``colour``: by number. ``even``: what it would be if all were alike."""

    value: float
    low: float | None
    high: float | None
    colour: int = 0
    told: str = ""
    even: float | None = None


@frozen
class Row:
    name: str
    marks: tuple[Mark, ...]


@frozen
class Curve:
    """``points``: (x, y, low, high)."""

    name: str
    points: tuple[tuple[float, float, float, float], ...]
    colour: int = 0
    dashed: bool = False


def intervals(rows: Sequence[Row], told: Told, what: str, line: float | None = None) -> str:
    """A row for each name, with a dot and its interval for each mark. ``line``: a value that is marked for all."""
    marks = [mark for row in rows for mark in row.marks]
    ends = [end for mark in marks for end in (mark.value, mark.low, mark.high) if end is not None]
    low, high = _around([*ends, *([line] if line is not None else [])])
    high_of = [18 + 13 * max(1, len(row.marks)) for row in rows]
    height = sum(high_of) + 44

    def at(value: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * (min(max(value, low), high) - low) / (high - low)

    parts = list(_x_axis(low, high, at, height - 40, told, what))
    if line is not None:
        parts.append(f'<line class="even" x1="{at(line):.1f}" x2="{at(line):.1f}" y1="4" y2="{height - 40}"/>')
    top = 4.0
    for row, room in zip(rows, high_of, strict=True):
        parts.append(_text(LEFT - 12, top + room / 2 + 4, row.name, "end"))
        for number, mark in enumerate(row.marks):
            y = top + (number + 0.5) * 13 + 9
            colour = COLOURS[mark.colour % len(COLOURS)]
            parts.append(f"<g><title>{escape(mark.told)}</title>")
            if mark.low is not None and mark.high is not None:
                parts.append(
                    f'<line x1="{at(mark.low):.1f}" x2="{at(mark.high):.1f}" y1="{y}" y2="{y}" stroke="{colour}" '
                    'stroke-width="5" stroke-linecap="round" opacity=".35"/>'
                )
            parts.append(f'<circle cx="{at(mark.value):.1f}" cy="{y}" r="5" fill="{colour}"/></g>')
        top += room
    return _svg(height, what, parts)


def histogram(series: Sequence[Sequence[tuple[int, int, float]]], names: Sequence[str], what: str, words: Words = ENGLISH) -> str:
    """For each series its steps: least and greatest value, and the share of the games. Several stand side by side in a step."""
    height, left, bottom = 240, 52, 200
    low = min(step[0] for steps in series for step in steps)
    high = max(step[1] for steps in series for step in steps) + 1
    most = max(step[2] for steps in series for step in steps) or 1.0

    def x(value: float) -> float:
        return left + (WIDE - left - RIGHT) * (value - low) / (high - low)

    parts = [*_y_axis(0, most, lambda v: bottom - (bottom - 14) * v / most, left, lambda v: f"{100 * v:.0f} %")]
    for number, steps in enumerate(series):
        for start, end, part in steps:
            wide = (x(end + 1) - x(start)) * 0.92 / len(series)
            tall = (bottom - 14) * part / most
            span = f"{start}" if start == end else span_told(start, end, words)
            share = words.phrase("{share} of the games", share=percent(part))
            title = f"{names[number]}: {words.row((span, share))}"
            parts.append(
                f'<rect x="{x(start) + number * wide:.1f}" y="{bottom - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
                f'fill="{COLOURS[number]}"><title>{escape(title)}</title></rect>'
            )
    whole = [tick for tick in _ticks(low, high) if float(tick).is_integer() and low <= tick < high]
    middle = (x(low + 1) - x(low)) / 2
    parts += [_text(x(tick) + middle, bottom + 18, f"{int(tick):,}", "middle") for tick in whole]
    parts.append(_text((left + WIDE) / 2, height - 4, what, "middle", "quiet"))
    return _svg(height, what, parts)


def lines(
    curves: Sequence[Curve], what: str, x_told: Told, y_told: Told, even: float | None = None, words: Words = ENGLISH
) -> str:
    """Curves over the course of a game, from 0 to 1, with bands."""
    height, left, bottom = 270, 56, 224
    values = [value for curve in curves for point in curve.points for value in point[1:]]
    low, high = _around([*values, *([even] if even is not None else [])], 0.0, 1.0)

    def x(value: float) -> float:
        return left + (WIDE - left - RIGHT) * value

    def y(value: float) -> float:
        return bottom - (bottom - 12) * (value - low) / (high - low)

    parts = [*_y_axis(low, high, y, left, y_told)]
    parts += [_text(x(part / 4), bottom + 18, x_told(part / 4), "middle") for part in range(5)]
    if even is not None:
        parts.append(f'<line class="even" x1="{left}" x2="{WIDE - RIGHT}" y1="{y(even):.1f}" y2="{y(even):.1f}"/>')
    for curve in curves:
        if not curve.points:
            continue
        colour = COLOURS[curve.colour % len(COLOURS)]
        there = [f"{x(at):.1f},{y(high_end):.1f}" for at, _, _, high_end in curve.points]
        back = [f"{x(at):.1f},{y(low_end):.1f}" for at, _, low_end, _ in reversed(curve.points)]
        parts.append(f'<polygon points="{" ".join([*there, *back])}" fill="{colour}" opacity=".15"/>')
        path = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value, _, _ in curve.points)
        dash = ' stroke-dasharray="6 4"' if curve.dashed else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"{dash}/>')
        for at, value, low_end, high_end in curve.points:
            title = f"{curve.name}, {x_told(at)}: {y_told(value)} ({span_told(y_told(low_end), y_told(high_end), words)})"
            dot = f'<circle cx="{x(at):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}">'
            parts.append(f"{dot}<title>{escape(title)}</title></circle>")
    parts.append(_text((left + WIDE) / 2, height - 8, what, "middle", "quiet"))
    return _svg(height, what, parts)


def stacked(bars: Sequence[tuple[str, Sequence[float]]], names: Sequence[str], what: str) -> str:
    """Bars that are made of parts; each part is a share of 1. ``names``: of the parts."""
    height, left, bottom = 230, 52, 184
    wide = (WIDE - left - RIGHT) / max(1, len(bars))
    parts = [*_y_axis(0, 1, lambda v: bottom - (bottom - 12) * v, left, lambda v: f"{100 * v:.0f} %")]
    for number, (name, shares) in enumerate(bars):
        base = 0.0
        for part, value in enumerate(shares):
            tall = (bottom - 12) * value
            title = f"{name}: {names[part]} {100 * value:.0f} %"
            top = bottom - (bottom - 12) * base - tall
            parts.append(
                f'<rect x="{left + wide * (number + 0.06):.1f}" y="{top:.1f}" width="{wide * 0.88:.1f}" height="{tall:.1f}" '
                f'class="part{part}"><title>{escape(title)}</title></rect>'
            )
            base += value
        parts.append(_text(left + wide * (number + 0.5), bottom + 17, name, "middle"))
    parts.append(_text((left + WIDE) / 2, height - 6, what, "middle", "quiet"))
    return _svg(height, what, parts)


@frozen
class Panel:
    """A small plot: a mark at each tick (None: there is none), joined by a line. ``told``: a value of its axis."""

    name: str
    ticks: tuple[str, ...]
    marks: tuple[Mark | None, ...]
    told: Told


def small_multiples(panels: Sequence[Panel], what: str, along: str = "", alike: bool = True) -> str:
    """Small plots beside each other. ``along``: what the ticks are steps of. ``alike``: whether all have one upright axis."""

    def ends(some: Iterable[Panel]) -> tuple[float, float]:
        marks = [mark for panel in some for mark in panel.marks if mark is not None]
        return _around([end for mark in marks for end in (mark.value, mark.low, mark.high, mark.even) if end is not None])

    longest = max(len(tick) for panel in panels for tick in panel.ticks)
    slanted = longest > 5 or max(len(panel.ticks) for panel in panels) > 5
    tall = 166 + (5 * longest if slanted else 0)
    parts: list[str] = []
    for number, panel in enumerate(panels):
        row, column = divmod(number, SIDE_BY_SIDE)
        inside = "".join(_panel(panel, *ends(panels if alike else [panel]), slanted))
        parts.append(f'<g transform="translate({column * WIDE / SIDE_BY_SIDE:.1f} {row * tall})">{inside}</g>')
    height = tall * -(-len(panels) // SIDE_BY_SIDE) + (18 if along else 0)
    if along:
        parts.append(_text(WIDE / 2, height - 4, along, "middle", "quiet"))
    return _svg(height, what, parts)


def _panel(panel: Panel, low: float, high: float, slanted: bool) -> Iterable[str]:
    wide, left, top, bottom = WIDE / SIDE_BY_SIDE, 58, 24, 130
    colour = COLOURS[0]

    def y(value: float) -> float:
        return bottom - (bottom - top) * (value - low) / (high - low)

    name = panel.name if len(panel.name) <= NAME_SHOWN else f"{panel.name[: NAME_SHOWN - 1]}…"
    yield f'<text x="6" y="14">{escape(name)}<title>{escape(panel.name)}</title></text>'
    for tick in _ticks(low, high, 5):
        yield f'<line class="grid" x1="{left}" x2="{wide - 8:.1f}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        yield _text(left - 5, y(tick) + 4, panel.told(tick), "end", "quiet")
    step = (wide - 8 - left) / len(panel.ticks)
    points: list[list[str]] = [[]]  # lines, which end where a mark is missing
    for at, (name, mark) in enumerate(zip(panel.ticks, panel.marks, strict=True)):
        x = left + (at + 0.5) * step
        if at % -(-len(panel.ticks) // TICKS_SHOWN) == 0:
            turned = f' transform="rotate(-40 {x:.1f} {bottom + 12})"' if slanted else ""
            place = f'x="{x:.1f}" y="{bottom + 14}" text-anchor="{"end" if slanted else "middle"}"{turned}'
            yield f'<text {place} class="quiet">{escape(name)}</text>'
        if mark is None:
            points.append([])
            continue
        points[-1].append(f"{x:.1f},{y(mark.value):.1f}")
        if mark.even is not None:
            ends = f'x1="{x - step / 2:.1f}" x2="{x + step / 2:.1f}"'
            yield f'<line class="even" {ends} y1="{y(mark.even):.1f}" y2="{y(mark.even):.1f}"/>'
        yield f"<g><title>{escape(mark.told)}</title>"
        if mark.low is not None and mark.high is not None:
            line = f'x1="{x:.1f}" x2="{x:.1f}" y1="{y(mark.low):.1f}" y2="{y(mark.high):.1f}"'
            yield f'<line {line} stroke="{colour}" stroke-width="4" opacity=".35"/>'
        yield f'<circle cx="{x:.1f}" cy="{y(mark.value):.1f}" r="3.5" fill="{colour}"/></g>'
    for some in points:
        yield f'<polyline points="{" ".join(some)}" fill="none" stroke="{colour}" stroke-width="1.5"/>' if len(some) > 1 else ""


def legend(names: Iterable[str], parts: bool = False) -> str:
    """What the colours stand for. ``parts``: those of stacked bars."""
    keys = (
        f'<span><i {f"""class="part{number}" """ if parts else ""}style="{"" if parts else f"background:{COLOURS[number]}"}"></i>'
        f"{escape(name)}</span>"
        for number, name in enumerate(names)
    )
    return f'<p class="legend">{"".join(keys)}</p>'


# ---- Axes


def _svg(height: float, title: str, parts: Iterable[str]) -> str:
    inside = "".join(parts)
    return f'<figure><svg viewBox="0 0 {WIDE} {height:.0f}" role="img" aria-label="{escape(title)}">{inside}</svg></figure>'


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(text)}</text>'


def _x_axis(low: float, high: float, at: Callable[[float], float], bottom: float, told: Told, what: str) -> Iterable[str]:
    for tick in _ticks(low, high):
        yield f'<line class="grid" x1="{at(tick):.1f}" x2="{at(tick):.1f}" y1="4" y2="{bottom:.0f}"/>'
        yield _text(at(tick), bottom + 16, told(tick), "middle")
    yield _text((LEFT + WIDE - RIGHT) / 2, bottom + 35, what, "middle", "quiet")


def _y_axis(low: float, high: float, at: Callable[[float], float], left: float, told: Told) -> Iterable[str]:
    for tick in _ticks(low, high, 5):
        yield f'<line class="grid" x1="{left}" x2="{WIDE - RIGHT}" y1="{at(tick):.1f}" y2="{at(tick):.1f}"/>'
        yield _text(left - 8, at(tick) + 4, told(tick), "end")


def _ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers between two."""
    if high <= low:
        return [low]
    step = 10.0 ** floor(log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10, 20) if (high - low) / (step * factor) <= most)
    return [round(step * number, 10) for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _around(values: Sequence[float], least: float = float("-inf"), most: float = float("inf")) -> tuple[float, float]:
    """A span with all values in it and some room."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.5 * abs(high) or 1.0
    return max(least, low - room), min(most, high + room)
