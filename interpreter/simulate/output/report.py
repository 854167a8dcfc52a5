"""The statistics of a run as one HTML page with plots that needs no other file and nothing from the net.

The plots are drawn by matplotlib as SVG and stand in the page itself. Their texts are texts of the SVG, in the fonts of whoever
reads it. Matplotlib has to know how wide they are, and its own fonts have no wide characters, such as those of Japanese. So it
draws stand-ins that are about as wide (`_Labels`), which are replaced afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape
from io import StringIO
from math import sqrt
from typing import Any
from warnings import catch_warnings, filterwarnings

from ...common.display import width
from ...common.extras import extra
from ...machine.columns import DECISIONS
from ...play.page import Grid, Line
from ...play.result import heading
from ...words.words import Words, filled, marked
from ..simulation import Plan, SoFar
from ..statistics.compare import Z
from ..statistics.counts import Counts
from ..statistics.statistics import Distribution, Statistic, buckets, means, turn_shares
from ..statistics.tally import Histogram
from ..stops import Stop
from .happenings import Act, acts_of, idle_choices
from .page import MEAN, bots_text, by_seat, by_turn, games_text, length, pace_text, percent, stops_page, term_text, turn_name

MARK = b"<!doctype html><!-- rulesrun simulate -->"  # how every report begins
STEPS = 40  # bars of a histogram at the most
_STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: .8rem 0; display: block; overflow-x: auto; }
td, th { padding: .15rem .7rem; text-align: right; white-space: nowrap; } td:first-child, th:first-child { text-align: left; }
thead th { border-bottom: 1px solid #888; } svg { max-width: 100%; height: auto; } code { background: #f3f3f3; }
.quiet { color: #666; }
"""

_Draw = Callable[[Any, "_Labels"], None]  # draws on the axes of matplotlib


def report(plan: Plan, so_far: SoFar, seconds: float, stops: Sequence[Stop]) -> str:
    """The page. Raises `RulesError` (R804) where matplotlib is missing."""
    body = "".join(f"{part}\n" for part in _parts(plan, so_far, seconds, stops))
    language, title = escape(plan.game.language.replace("_", "-")), escape(plan.game.title())
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    start = f'{MARK.decode()}\n<html lang="{language}"><head>{head}</head>'
    return f"{start}\n<body>\n{body}</body></html>\n"


def check_installed() -> None:
    """Raises `RulesError` (R804) where matplotlib is missing."""
    extra("matplotlib", "report", "`--report`")


def _parts(plan: Plan, so_far: SoFar, seconds: float, stops: Sequence[Stop]) -> Iterator[str]:
    title, *lines = [line for line in heading(plan.game, plan.seed) if isinstance(line, Line)]
    yield f"<h1>{escape(title.text)}</h1>"
    yield "".join(f'<p class="quiet">{escape(line.text)}</p>' for line in lines)
    words = plan.game.words
    run = words.phrase("{games} by {bots}", games=games_text(so_far.games, words), bots=bots_text(plan))
    yield f'<p class="quiet">{escape(words.row((run, pace_text(words, plan.engine, seconds))))}</p>'
    if stops:
        yield "".join(_told(line) for line in stops_page(so_far.games, stops, words) if isinstance(line, Line))
    if so_far.tally.games:
        yield from _plots(plan, so_far)
    if so_far.counts is not None:
        yield from _never(plan, so_far, so_far.counts)


def _plots(plan: Plan, so_far: SoFar) -> Iterator[str]:
    columns, tally, names, words = plan.columns, so_far.tally, plan.game.seat_names, plan.game.words
    found, phrase = means(columns, tally), words.phrase
    seats = range(columns.seats)
    yield _heading(phrase("Scores by seat"))
    spreads = [tally.histograms[columns.score(seat)] for seat in seats]
    yield _figure(words, lambda axes, labels: _scores(axes, labels, spreads, names), phrase("score of a seat"))
    yield _table(by_seat(plan, so_far))
    yield _heading(phrase("The win, by seat and by turn order"))
    shares = [found[Statistic("win_share", "", seat + 1)] for seat in seats]
    even = 1 / (columns.seats // columns.team_size)
    yield _figure(words, lambda axes, labels: _shares(axes, labels, shares, names, even), phrase("share of the win by seat"))
    turns, turn_names = turn_shares(columns, tally), [turn_name(turn, words) for turn in seats]
    title = phrase("share of the win by turn order")
    yield _figure(words, lambda axes, labels: _shares(axes, labels, turns, turn_names, even), title)
    yield _table(by_turn(plan, so_far))
    note = phrase("The lines are intervals of 95 %; the broken line is what each would have if all were alike.")
    yield f'<p class="quiet">{escape(note)}</p>'
    yield _heading(phrase("Length"))
    label = phrase("decisions in a game")
    yield _figure(words, lambda axes, labels: _histogram(axes, tally.histograms[DECISIONS], labels.of(label)), label)
    for item in length(plan, so_far):
        yield _table(item) if isinstance(item, Grid) else _told(item)
    if so_far.counts is not None and so_far.counts.options:
        options, legal = so_far.counts.options, phrase("legal options")
        yield _heading(phrase("Options of a decision"))
        title = phrase("legal options of a decision")
        yield _figure(words, lambda axes, labels: _histogram(axes, options, labels.of(legal)), title)
    if columns.terms:
        yield _heading(phrase("The score sheet"))
        terms = [term_text(plan.game, term) for term in columns.terms]
        values = [[float(found[Statistic("terms_mean", term, seat + 1)].mean) for seat in seats] for term in columns.terms]
        height, title = 0.35 * len(terms) + 1.5, phrase("mean of each line of the score sheet")
        yield _figure(words, lambda axes, labels: _terms(axes, labels, terms, values, names), title, height)


# ---- Plots


class _Labels:
    """The texts of a plot as they are drawn: with another character for each wide one, which matplotlib has and is about as wide.

    `back` undoes it.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._free = [*range(0x4DC0, 0x4E00), *range(0x1D306, 0x1D357)]  # hexagrams and tetragrams
        self._known: dict[str, str] = {}

    def of(self, text: str) -> str:
        """A text as it is drawn. When there are no more stand-ins, characters stand for themselves."""
        for character in text:
            if character not in self._known and width(character) > 1 and self._free:
                self._known[character] = chr(self._free.pop())
        return "".join(self._known.get(character, character) for character in text)

    def all_of(self, texts: Iterable[str]) -> list[str]:
        return [self.of(text) for text in texts]

    def phrase(self, sentence: str) -> str:
        """A sentence of the program as it is drawn."""
        return self.of(self._words.phrase(sentence))

    def back(self, drawn: str) -> str:
        """What was drawn, with its own characters."""
        return drawn.translate({ord(stand_in): character for character, stand_in in self._known.items()})


def _figure(words: Words, draw: _Draw, title: str, height: float = 3.2) -> str:
    """A plot as SVG. ``height``: in inches; it is nine inches wide."""
    matplotlib = extra("matplotlib", "report", "`--report`")
    figure = extra("matplotlib.figure", "report", "`--report`").Figure(figsize=(9, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    labels = _Labels(words)
    draw(axes, labels)
    text = StringIO()
    # names of parts follow from the title, so that those of two plots on a page are never the same
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": title}), catch_warnings():
        filterwarnings("ignore", "Glyph .* missing from")  # whoever reads the page may have it
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    drawn = labels.back(text.getvalue())
    svg = _unnamed(drawn[drawn.index("<svg") :])
    return f'<figure role="img" aria-label="{escape(title)}">{svg}</figure>'


def _unnamed(svg: str) -> str:
    """An SVG without the names of parts that nothing in it refers to: those of two plots would be the same."""
    used = set(re.findall(r"#([\w.-]+)", svg))
    return re.sub(r' id="([\w.-]+)"', lambda found: found[0] if found[1] in used else "", svg)


def _scores(axes: Any, labels: _Labels, spreads: Sequence[Histogram], names: Sequence[str]) -> None:
    """A line for each seat over the scores, as shares of the games."""
    low, high = min(map(min, spreads)), max(map(max, spreads))
    for counts, name in zip(spreads, labels.all_of(names), strict=True):
        total = sum(counts.values())
        steps = list(buckets({low: 0, high: 0} | dict(counts), STEPS))
        axes.plot([(a + b) / 2 for a, b, _ in steps], [100 * n / total for _, _, n in steps], label=name, drawstyle="steps-mid")
    axes.set_xlabel(labels.phrase("score"))
    axes.set_ylabel(labels.phrase("% of the games"))
    axes.figure.legend(loc="outside upper center", frameon=False, ncols=min(8, len(names)))


def _shares(axes: Any, labels: _Labels, spreads: Sequence[Distribution], names: Sequence[str], even: float) -> None:
    """A bar for each seat, with intervals."""
    values = [100 * float(spread.mean) for spread in spreads]
    errors = [100 * Z * sqrt(spread.variance / spread.games) for spread in spreads]
    axes.bar(range(len(names)), values, yerr=errors, width=0.6, color="#5b8db8", capsize=4)
    axes.set_xticks(range(len(names)), labels.all_of(names))
    axes.axhline(100 * even, color="#888", linewidth=1, linestyle="--")
    axes.set_ylabel(labels.phrase("% of the win"))


def _histogram(axes: Any, counts: Histogram, what: str) -> None:
    steps = list(buckets(counts, STEPS))
    total = sum(counts.values())
    wide = steps[0][1] - steps[0][0] + 1
    middles, shares = [low + (wide - 1) / 2 for low, _, _ in steps], [100 * n / total for _, _, n in steps]
    axes.bar(middles, shares, width=0.9 * wide, color="#5b8db8")
    axes.set_xlabel(what)
    axes.set_ylabel("%")


def _terms(axes: Any, labels: _Labels, terms: Sequence[str], values: Sequence[Sequence[float]], names: Sequence[str]) -> None:
    """For each line of the score sheet a bar for each seat."""
    thick = 0.8 / len(names)
    for seat, name in enumerate(labels.all_of(names)):
        at = [row - 0.4 + thick * (seat + 0.5) for row in range(len(terms))]
        axes.barh(at, [each[seat] for each in values], height=thick, label=name)
    axes.set_yticks(range(len(terms)), labels.all_of(terms))
    axes.invert_yaxis()
    axes.axvline(0, color="#888", linewidth=1)
    axes.set_xlabel(labels.phrase(MEAN))
    axes.figure.legend(loc="outside upper center", frameon=False, ncols=min(8, len(names)))


# ---- What never happened


def _never(plan: Plan, so_far: SoFar, counts: Counts) -> Iterator[str]:
    acts, words = acts_of(plan.game, counts), plan.game.words
    yield _heading(words.phrase("What never happened"))
    told = [_said(words, marked("never on offer: {act}"), act=_at(act)) for act in acts if not act.offered]
    left = [act for act in acts if act.offered and not act.taken]
    sentence = marked("on offer {number} times, never taken: {act}")
    told += [_said(words, sentence, number=f"{act.offered:,}", act=_at(act)) for act in left]
    columns, tally = plan.columns, so_far.tally
    for number, term in enumerate(columns.terms):
        values = {value for seat in range(columns.seats) for value in tally.histograms[columns.term(number, seat)]}
        if values == {0}:
            told.append(_said(words, marked("always 0 on the score sheet: {term}"), term=escape(term_text(plan.game, term))))
    nothing = f"<p>{_said(words, marked('Every act was taken in some game.'))}</p>"
    yield "<ul>" + "".join(f"<li>{line}</li>" for line in told) + "</ul>" if told else nothing
    idle = idle_choices(plan.game.machine, counts)
    if idle:
        yield f"<p>{_said(words, marked('Choices in which nothing was allowed, so that nobody was asked:'))}</p>"
        sentence = marked("{number} times: {place}")
        lines = (_said(words, sentence, number=f"{each.times:,}", place=_code(each.span.place)) for each in idle)
        yield "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
    yield _heading(words.phrase("What was done"))
    rows = ((act.text, act.span.place, f"{act.offered:,}", f"{act.taken:,}", _share(act.taken, act.offered)) for act in acts)
    header = (marked("act"), marked("where"), marked("on offer"), marked("taken"), marked("taken when on offer"))
    yield _table(Grid(tuple(map(words.phrase, header)), tuple(rows)))


def _said(words: Words, sentence: str, **places: str) -> str:
    """A sentence of the program as HTML. ``places``: HTML."""
    return filled(escape(words.template(sentence), quote=False), places)


def _share(part: int, whole: int) -> str:
    return percent(Fraction(part, whole)) if whole else ""


def _at(act: Act) -> str:
    return f"<b>{escape(act.text)}</b> ({_code(act.span.place)})"


def _code(place: str) -> str:
    return f"<code>{escape(place)}</code>"


def _table(grid: Grid) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.header)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in grid.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _told(line: Line) -> str:
    tag = "h2" if line.style == "heading" else "p"
    return f"<{tag}>{escape(line.text.strip())}</{tag}>"


def _heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"
