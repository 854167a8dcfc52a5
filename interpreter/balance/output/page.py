"""The report as one HTML page, which needs no other file and nothing from the net; light, dark and on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from time import monotonic

from ...machine.columns import DECISIONS
from ...overview.difference import page as difference_page
from ...play.page import Line
from ...play.result import heading
from ...simulate.output.page import games_text, term_text
from ...simulate.statistics.estimates import Estimate
from ...simulate.statistics.statistics import Statistic, buckets
from ...words.words import marked
from ..analysis import ActFound, Analysis, TableFound, verdicts_of
from ..highlights import Highlight, story
from ..measures import MEANING, SCORE, SEARCH, leader_wins
from ..playing.leads import PHASES
from ..verdicts import SURENESS, Verdict, by_told
from ..words import (
    NAMES,
    deals_told,
    decimal,
    interval_told,
    marked_difference,
    percent,
    players_told,
    signed,
    title_told,
    told,
    value_told,
)
from . import drawing
from .document import code, document, inline
from .drawing import Curve, Mark, Row

MARK = b"<!doctype html><!-- rulesrun analyse -->"  # how every report begins
STEPS = 30  # of a histogram
ACTS_SHOWN = 25  # rows of acts; the others are folded away
STORIES = 20.0  # seconds that the stories of games may take
OFTEN = 10  # choices for or against an act that is shown at once
TITLES = {
    "fairness": marked("Is it fair?"),
    "skill": marked("Skill and luck"),
    "decisions": marked("Decisions"),
    "acts": marked("What strong players do"),
    "score": marked("Where the score comes from"),
    "course": marked("Who leads, and for how long"),
    "length": marked("Length"),
    "ties": marked("Ties"),
    "changes": marked("What variants and options change"),
    "games": marked("Games to look at"),
    "method": marked("How this was made"),
}
FORCED_OR_NOT = (marked("forced"), marked("a choice"))
BY_WEIGHT = (marked("forced"), marked("little depends on it"), marked("may matter"), marked("matters"))  # of decisions
SHORTER = {"leader_wins": marked("who leads at half wins"), "decisions_mean": marked("decisions, mean")}  # above a column
HABITS = {"never": marked("never taken"), "always": marked("always taken")}
BASES = {SCORE: marked("by score"), SEARCH: marked("by search")}


def page(analysis: Analysis, asked: str) -> str:
    """The page. ``asked``: the command that makes the same report again."""
    title = analysis.words.phrase("{game}: balance", game=analysis.tables[0].side.game.title())
    return document(MARK, title, "".join(f"{part}\n" for part in _Page(analysis, asked).parts()), analysis.words)


class _Page:
    def __init__(self, analysis: Analysis, asked: str) -> None:
        self.analysis, self.asked = analysis, asked
        self.words, self.phrase = analysis.words, analysis.words.phrase
        self.tables = analysis.tables
        self.two = len(self.tables) > 1
        self.verdicts = [verdicts_of(analysis, table) for table in self.tables]
        self._telling = 0.0  # seconds that the stories of games took

    def parts(self) -> Iterator[str]:
        yield from self._head()
        if self.analysis.rules is not None:
            yield from self._rules()
        if not any(table.played.courses for table in self.tables):
            yield f'<p class="notice">{self.phrase("No game came to its end, so there is nothing to be said.")}</p>'
            return
        sections: dict[str, Callable[[], Iterator[str]]] = {
            "fairness": self._fairness,
            "skill": self._skill,
            "decisions": self._decisions,
            "acts": self._acts,
            "score": self._score,
            "course": self._course,
            "length": self._length,
            "ties": partial(self._numbers, "ties_share"),
        }
        present = [name for name in sections if any(name in verdicts for verdicts in self.verdicts)]
        yield from self._glance(present)
        for name in present:
            yield f'<h2 id="{name}">{self.phrase(TITLES[name])}</h2>'
            for number, verdicts in enumerate(self.verdicts):
                if name in verdicts:
                    yield self._verdict(number, verdicts[name])
            yield from sections[name]()
        if self.analysis.changes or self.analysis.study.left:
            yield f'<h2 id="changes">{self.phrase(TITLES["changes"])}</h2>'
            yield from self._changes()
        yield f'<h2 id="games">{self.phrase(TITLES["games"])}</h2>'
        yield from self._games()
        yield f'<h2 id="method">{self.phrase(TITLES["method"])}</h2>'
        yield from self._method()

    # ---- The top

    def _head(self) -> Iterator[str]:
        study = self.analysis.study
        first = self.tables[0]
        top, *lines = [line for line in heading(first.side.game, study.seed) if isinstance(line, Line)]
        yield f"<h1>{escape(top.text)}</h1>"
        if not self.two:
            yield "".join(f'<p class="quiet">{escape(line.text)}</p>' for line in lines)
        else:
            sides = self.words.listed([self._name(number) for number in range(len(self.tables))])
            seed = f'<span class="quiet">{self.phrase("seed {seed}", seed=study.seed)}</span>'
            yield f"<p>{self.words.row((sides, players_told(first.side.game.players, self.words), seed))}</p>"
        bots = ", ".join(dict.fromkeys(map(str, first.side.bots)))
        played = self.phrase(
            "{games} of strong play ({bots} at all seats), {deals} for skill and luck",
            games=games_text(len(first.played.courses), self.words),
            bots=f"<code>{escape(bots)}</code>",
            deals=deals_told(len(first.played.deals), self.words),
        )
        if changes := len(self.analysis.changes):
            told = self.words.phrase_for(
                changes, "{number} variant or value of an option", "{number} variants and values of options"
            )
            played = self.words.row((played, told))
        yield f'<p class="quiet">{self.phrase("{played}; {seconds} s", played=played, seconds=f"{study.seconds:.0f}")}</p>'
        if not study.ended:
            yield f'<p class="notice">{self.phrase("The run was interrupted: this is what there was.")}</p>'
        for table in self.tables:
            for stop in table.stops:
                told = self.phrase(
                    "{number} of {games} games were stopped by {code} ({message}) and are left out: {command}",
                    number=f"{stop.games:,}",
                    games=f"{table.played.games:,}",
                    code=stop.diagnostic.code,
                    message=escape(stop.diagnostic.message),
                    command=code(stop.command),
                )
                yield f'<p class="notice">{told}</p>'

    def _rules(self) -> Iterator[str]:
        assert self.analysis.rules is not None
        yield f'<h2 id="rules">{self.phrase("The rules that differ")}</h2>'
        lines: list[str] = []
        for line in difference_page(self.analysis.rules)[1:]:
            if isinstance(line, Line):
                kind = f' class="{line.style}"' if line.style in ("gone", "come") else ""
                text = f"<b>{escape(line.text)}</b>" if line.style == "round" else escape(line.text)
                lines.append(f"<span{kind}>{text}</span>")
        yield f"<pre>{chr(10).join(lines)}</pre>"

    def _glance(self, present: Sequence[str]) -> Iterator[str]:
        rows = []
        for name in present:
            told = "".join(
                f"<div>{f'{self._name(n)}: ' if self.two else ''}{inline(verdicts[name].text)} "
                f"{self._badge(verdicts[name])}</div>"
                for n, verdicts in enumerate(self.verdicts)
                if name in verdicts
            )
            rows.append(f'<div><a href="#{name}">{self.phrase(TITLES[name])}</a></div><div>{told}</div>')
        if self.two:
            told = inline(difference_told(self.analysis))
            told = self.phrase("{second} against {first}: {told}", first=self._name(0), second=self._name(1), told=told)
            rows.append(f"<div><b>{self.phrase('The difference')}</b></div><div><div>{told}</div></div>")
        yield f'<div class="glance">{"".join(rows)}</div>'

    # ---- Sections

    def _fairness(self) -> Iterator[str]:
        game, sides = self.tables[0].side.game, len(self.tables[0].side.game.teams) or self.tables[0].side.game.players
        wanted = [(name, "win_share", "", seat + 1) for seat, name in enumerate(game.seat_names)]
        turns = [statistic.part for statistic in self.tables[0].estimates if statistic.name == "turn_win_share"]
        wanted += [(self.phrase("{turn} in turn order", turn=self.phrase(part)), "turn_win_share", part, 0) for part in turns]
        yield self._intervals(wanted, percent_of(0), self.phrase("share of the win"), 1 / sides)
        yield self._quiet(
            self.phrase("Dots are values, bars intervals of 95 %. The broken line is what each would have if all were alike.")
        )
        yield from self._numbers("win_share", "turn_win_share", "score_mean")

    def _skill(self) -> Iterator[str]:
        steps = self.analysis.study.steps
        wanted = [(f"{step.stronger} / {step.weaker}", "skill", str(step), 0) for step in steps]
        yield self._intervals(wanted, percent_of(0), self.phrase("share of the win of the stronger bot"), 0.5)
        weak = [step for step in steps if any((e := t.measures.get("skill", str(step))) and e.is_below(0.5) for t in self.tables)]
        if weak:
            for step in weak:
                told = self.phrase("`{stronger}` is weaker than `{weaker}` here.", stronger=step.stronger, weaker=step.weaker)
                yield f"<p>{inline(told)}</p>"
        yield self._quiet(
            self.phrase(
                "Two bots change places in every deal, so both have the same luck. At the broken line strength is of no use."
            )
        )
        yield from self._numbers("skill", "deals_share")
        yield self._quiet(
            self.phrase(
                "<b>Decided by the deal</b>: the strongest bots play each deal twice and choose anew the second time. If the "
                "same side wins both times whatever the players do, the deal decides (100 %); if the two games have nothing in "
                "common, it decides nothing (0 %)."
            )
        )

    def _decisions(self) -> Iterator[str]:
        thinks = any(table.measures.get("matter_share") for table in self.tables)
        parts = FORCED_OR_NOT if not thinks else BY_WEIGHT
        names = [self.phrase(part) for part in parts]
        for number, table in enumerate(self.tables):
            if self.two:
                yield f"<h3>{self._name(number)}</h3>"
            yield drawing.stacked(_by_phase(table, thinks), names, self.phrase("tenths of the game"))
        yield drawing.legend(names, parts=True)
        of_choices = ("matter_share", "may_matter_share", "free_matter_share", "choice_cost")
        yield from self._numbers("options_mean", "forced_share", *of_choices)
        yield self._quiet(
            self.phrase(
                "A decision matters if a choice at random would cost 5 % of the win or more there, in search's eyes, and more "
                "than what chance in the search explains. Where chance explains it as well, it may matter; bots that search "
                "longer tell."
            )
        )

    def _acts(self) -> Iterator[str]:
        found: dict[tuple[str, str], list[ActFound | None]] = {}
        for number, table in enumerate(self.tables):
            for act in table.acts:
                nowhere: list[ActFound | None] = [None] * len(self.tables)
                found.setdefault((act.verb, act.argument), nowhere)[number] = act
        rows = sorted(found.values(), key=lambda acts: max(_surprise(act) for act in acts if act), reverse=True)
        verbs = [acts for (_, argument), acts in found.items() if not argument]
        arguments = [acts for acts in rows if acts not in verbs and max(act.offered for act in acts if act) >= OFTEN]
        shown = [*verbs, *arguments[: max(0, ACTS_SHOWN - len(verbs))]]
        rest = [acts for acts in found.values() if acts not in shown]
        yield self._acts_table(shown)
        if rest:
            more = self.phrase("{number} more, nearer to chance or rarer", number=f"{len(rest):,}")
            yield f"<details><summary>{more}</summary>{self._acts_table(rest)}</details>"
        yield self._quiet(
            self.phrase(
                "Only decisions with a choice for or against an act count; how many there were stands behind the interval. "
                "<b>By chance</b> is how often a random choice among the legal options would take it. First the verbs, then the "
                "arguments that are farthest from chance."
            )
        )

    def _score(self) -> Iterator[str]:
        terms = list(dict.fromkeys(term for table in self.tables for term in table.side.columns.terms))
        game = self.tables[0].side.game
        wanted = [(term_text(game, term), "terms_gap", term, 0) for term in terms]
        if len(terms) > 1:
            what = self.phrase("how much more winners have than the others")
            yield self._intervals(wanted, lambda value: decimal(value, 1), what, 0.0)
        yield from self._numbers("terms_mean", "terms_gap", "margin_mean")

    def _course(self) -> Iterator[str]:
        curves: list[Curve] = []
        for n, table in enumerate(self.tables):
            for basis, dashed in ((SEARCH, False), (SCORE, True)):
                points = []
                for phase in range(PHASES):
                    wins = leader_wins(table.played, table.played.courses, basis, phase)
                    each = wins.estimate() if wins is not None else None
                    if each is not None and each.low is not None and each.high is not None:
                        points.append((phase / PHASES, each.value, each.low, each.high))
                by = by_told(basis, self.words)
                name = self.words.row((table.side.title, by)) if self.two else by
                curves.append(Curve(name, tuple(points), n if self.two else int(dashed), dashed))
        sides = len(self.tables[0].side.game.teams) or self.tables[0].side.game.players
        over = self.phrase("part of the game that is over")
        yield drawing.lines(curves, over, percent_of(0), percent_of(0), 1 / sides, self.words)
        if not self.two:
            yield drawing.legend([curve.name for curve in curves])
        yield self._quiet(
            self.phrase(
                "How often the side that leads at this point goes on to win: full lines by what search expects, broken ones by "
                "the score on the table. At the broken straight line to lead is worth nothing; at 100 % the game is decided."
            )
        )
        yield from self._numbers("leader_wins", "lead_changes", "settled", "runaway_share", "decided", "comeback_mean", "drama")
        yield self._quiet(
            self.phrase(
                "Lead changes, drama and the moment of decision are after Cameron Browne, <i>Automatic Generation and "
                "Evaluation of Recombination Games</i> (2008)."
            )
        )

    def _length(self) -> Iterator[str]:
        lengths = [[course.row[DECISIONS] for course in table.played.courses.values()] for table in self.tables]
        together: dict[int, int] = {}
        for each in lengths:
            for value in each:
                together[value] = together.get(value, 0) + 1
        steps = [(low, high) for low, high, _ in buckets(together, STEPS)]
        series = [
            [(low, high, sum(low <= value <= high for value in each) / max(1, len(each))) for low, high in steps]
            for each in lengths
        ]
        titles = [table.side.title for table in self.tables]
        yield drawing.histogram(series, titles, self.phrase("decisions in a game"), self.words)
        yield from self._numbers("decisions_mean", "decisions_deviation", "length_quantiles")

    def _changes(self) -> Iterator[str]:
        if self.analysis.changes:
            games = min(len(change.played.courses) for change in self.analysis.changes)
            luck = self.phrase(
                "Each change is played with the luck of the first {games} of {table}; here is the difference to it. A star "
                "marks an interval of 95 % without 0: where nothing differs, one number in twenty has it all the same.",
                games=games_text(games, self.words),
                table=self._name(0) if self.two else self.phrase("this table"),
            )
            yield self._quiet(luck)
            wanted = ("first_seat_win_share", "ties_share", "decisions_mean", "options_mean", "matter_share", "lead_changes",
                      "leader_wins")  # fmt: skip
            names = tuple(name for name in wanted if any(each.name == name for each in self.tables[0].estimates))
            rows = []
            for change in self.analysis.changes:
                found = self.analysis.difference_of(change)
                played = games_text(len(change.played.courses), self.words)
                cells = [f"<td>{escape(change.side.title)}<br/><small>{played}</small></td>"]
                for name in names:
                    statistic = _preferred(name, found)
                    cells.append(self._difference_cell(statistic, found.get(statistic), "<br/>"))
                rows.append(f"<tr>{''.join(cells)}</tr>")
            head = "".join(f"<th>{escape(self.phrase(SHORTER.get(name, NAMES[name])))}</th>" for name in names)
            yield f'<table class="dense"><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
            yield from (self._stop_notes(change) for change in self.analysis.changes if change.played.stopped)
        if self.analysis.study.left:
            told = "".join(
                f"<li>{escape(title_told(left.title, self.words))}: {escape(left.told(self.words))}</li>"
                for left in self.analysis.study.left
            )
            yield f"<p>{self.phrase('Not played:')}</p><ul>{told}</ul>"

    def _stop_notes(self, table: TableFound) -> str:
        stop = table.stops[0]
        told = self.phrase(
            "{table}: {number} games were stopped, such as by {code}: {command}",
            table=escape(table.side.title),
            number=f"{len(table.played.stopped):,}",
            code=stop.diagnostic.code,
            command=code(stop.command),
        )
        return f'<p class="notice">{told}</p>'

    def _games(self) -> Iterator[str]:
        for n, table in enumerate(self.tables):
            if self.two:
                yield f"<h3>{self._name(n)}</h3>"
            for each in table.highlights:
                yield self._highlight(table, each)

    def _highlight(self, table: TableFound, found: Highlight) -> str:
        plot = ""
        if found.course.expected:
            names = _side_names(table)
            points = len(found.course.expected[0]) - 1
            curves = [
                Curve(names[side], tuple((i / points, value, value, value) for i, value in enumerate(values)), side)
                for side, values in enumerate(found.course.expected)
            ]
            over = self.phrase("part of the game that is over")
            plot = drawing.lines(curves, over, percent_of(0), percent_of(0), words=self.words) + drawing.legend(names)
            expected = self.phrase("What search expected of the win, each seat by what it knew:")
            plot = f"<p><small>{expected}</small></p>{plot}"
        began = monotonic()
        known = self._telling < STORIES
        told = escape(story(table.side, found.course.history) if known else self.phrase("the command above tells it"))
        self._telling += monotonic() - began
        said = self.phrase(
            "{title}: {why} (game {number})", title=f"<b>{escape(found.title)}</b>", why=escape(found.why), number=found.game
        )
        return (
            f"<p>{said}<br/>{code(found.command)}</p>"
            f"<details><summary>{self.phrase('its course and its story')}</summary>{plot}<pre>{told}</pre></details>"
        )

    def _method(self) -> Iterator[str]:
        study = self.analysis.study
        yield f"<p>{self.phrase('The same games again: {command}', command=code(self.asked))}</p>"
        sizes = [
            self.phrase(
                "{table}: {games} that ended, {stopped} stopped, {deals} for skill and luck",
                table=escape(table.side.title),
                games=games_text(len(table.played.courses), self.words),
                stopped=f"{len(table.played.stopped):,}",
                deals=deals_told(len(table.played.deals), self.words),
            )
            for table in self.tables
        ]
        engine = self.phrase("{seconds} s, {engine} engine", seconds=f"{study.seconds:.0f}", engine=study.engine)
        yield "".join(f"<p>{self.phrase('{told}.', told=each)}</p>" for each in (*sizes, engine))
        meant = self.phrase(
            "Every interval is of 95 %: in 95 of 100 reports it contains the true value for these bots. Bots are not people: "
            "what holds between them need not hold at your table. Two tables are played with the same luck, so their "
            "difference is known better than either value."
        )
        yield f"<p>{meant}</p>"
        names = dict.fromkeys(statistic.name for table in self.tables for statistic in table.estimates)
        rows = "".join(
            f'<tr><td><code>{name}</code></td><td class="words">{escape(self.phrase(MEANING[name]))}</td></tr>' for name in names
        )
        called = self.phrase("what the numbers are called in {option}", option="<code>--fail-if</code>")
        yield f"<details><summary>{called}</summary><table>{rows}</table></details>"

    # ---- Parts of sections

    def _numbers(self, *names: str) -> Iterator[str]:
        """A table of measures, each with its interval, for each table, and their difference."""
        wanted = list(dict.fromkeys(s for table in self.tables for s in table.estimates if s.name in names))
        wanted.sort(key=lambda statistic: names.index(statistic.name))
        head = (
            "".join(f"<th>{self._name(n)}</th>" for n in range(len(self.tables)))
            if self.two
            else f"<th>{self.phrase('value')}</th>"
        )
        head += f"<th>{self.phrase('difference')}</th>" if self.two else ""
        rows: list[str] = []
        for statistic in wanted:
            cells = [f"<td>{escape(name_of(statistic, self.tables[0]))}</td>"]
            for table in self.tables:
                each = table.estimates.get(statistic)
                cells.append(f"<td>{self._with_interval(statistic, each)}</td>")
            if self.two:
                cells.append(self._difference_cell(statistic, self.analysis.differences.get(statistic)))
            rows.append(f"<tr>{''.join(cells)}</tr>")
        yield f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"

    def _acts_table(self, rows: Sequence[Sequence[ActFound | None]]) -> str:
        """For each act, at each table: choices for or against it, how often it was taken, and by chance."""
        lines: list[str] = []
        for acts in rows:
            known = next(act for act in acts if act is not None)
            cells = [f"<td>{escape(f'{known.verb} {known.argument}'.strip())}</td>"]
            cells += [self._act_cell(act) for act in acts]
            cells.append(f"<td>{percent(known.by_chance)}</td>")
            lines.append(f"<tr>{''.join(cells)}</tr>")
        taken = self.phrase("taken")
        head = "".join(f"<th>{self._name(n)}: {taken}</th>" for n in range(len(self.tables))) if self.two else f"<th>{taken}</th>"
        head = f"<th>{self.phrase('act')}</th>{head}<th>{self.phrase('by chance')}</th>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"

    def _intervals(
        self, wanted: Sequence[tuple[str, str, str, int]], said: Callable[[float], str], what: str, line: float
    ) -> str:
        rows: list[Row] = []
        for title, name, part, seat in wanted:
            marks = []
            for n, table in enumerate(self.tables):
                each = table.measures.get(name, part, seat)
                if each is not None:
                    of = f"{table.side.title}: " if self.two else ""
                    marks.append(
                        Mark(each.value, each.low, each.high, n, f"{of}{told(Statistic(name, part, seat), each, self.words)}")
                    )
            if marks:
                rows.append(Row(title, tuple(marks)))
        return drawing.intervals(rows, said, what, line)

    def _verdict(self, number: int, verdict: Verdict) -> str:
        name = f"{self._name(number)}: " if self.two else ""
        return f'<p class="verdict">{name}{inline(verdict.text)} {self._badge(verdict)}</p>'

    def _name(self, number: int) -> str:
        return f'<span class="side c{number}">{escape(self.tables[number].side.title)}</span>'

    def _quiet(self, text: str) -> str:
        """A note; the text is HTML already."""
        return f'<p class="quiet">{text}</p>'

    def _with_interval(self, statistic: Statistic, each: Estimate | None) -> str:
        if each is None:
            return ""
        return f"{value_told(statistic, each.value)} <small>{interval_told(statistic, each, self.words)}</small>"

    def _difference_cell(self, statistic: Statistic, each: Estimate | None, between: str = " ") -> str:
        if each is None:
            return "<td></td>"
        text = marked_difference(statistic, each)
        shown = f"<b>{text}</b>" if each.leaves_out(0) else text
        return f"<td>{shown}{between}<small>{interval_told(statistic, each, self.words)}</small></td>"

    def _badge(self, verdict: Verdict) -> str:
        return f'<span class="sure {verdict.sure[0]}">{self.phrase(SURENESS[verdict.sure])}</span>'

    def _act_cell(self, act: ActFound | None) -> str:
        if act is None:
            return "<td></td>"
        habit = f" <b>{self.phrase(HABITS[act.habit])}</b>" if act.habit else ""
        interval = f"{interval_told(Statistic('win_share'), act.share, self.words)} " if act.share.has_interval else ""
        offered = self.phrase("of {number}", number=f"{act.offered:,}")
        return f"<td>{percent(act.share.value)}{habit} <small>{interval}{offered}</small></td>"


HEADLINES = (
    "first_seat_win_share", "ties_share", "decisions_mean", "options_mean", "forced_share", "matter_share", "choice_cost",
    "score_mean", "margin_mean", "lead_changes", "settled", "runaway_share", "skill", "deals_share",
)  # fmt: skip


def difference_told(analysis: Analysis) -> str:
    """Which measures of two tables clearly differ."""
    words = analysis.words
    looked = {statistic: each for statistic, each in analysis.differences.items() if statistic.name in HEADLINES}
    clear = {statistic: each for statistic, each in looked.items() if each.leaves_out(0)}
    if not clear:
        return words.phrase_for(
            len(looked),
            "{number} measure was looked at, and it does not differ clearly.",
            "none of {number} measures differs clearly.",
        )
    table = analysis.tables[1]
    said = "; ".join(f"{name_of(each, table)} {signed(each, found, words).replace('*', '')}" for each, found in clear.items())
    return words.phrase(
        "{told}. The other {number} of {all} measures do not differ clearly. Where nothing differs, one in twenty seems to.",
        told=said,
        number=len(looked) - len(clear),
        all=len(looked),
    )


def percent_of(digits: int) -> Callable[[float], str]:
    return lambda value: percent(value, digits)


def name_of(statistic: Statistic, table: TableFound) -> str:
    """A measure in words."""
    game, part = table.side.game, statistic.part
    words, name = game.words, game.words.phrase(NAMES[statistic.name])
    seat = (game.seat_names[statistic.seat - 1],) if statistic.seat else ()
    match statistic.name:
        case "terms_mean" | "terms_gap":
            return words.row((term_text(game, part), name, *seat))
        case "turn_win_share":
            turn = words.phrase("{turn} in turn order", turn=words.phrase(part))
            return words.row((words.phrase(NAMES["win_share"]), turn))
        case "length_quantiles":
            return words.phrase("{name}, {share} have at most", name=name, share=percent(float(part), 0))
        case "skill":
            return part
        case "leader_wins" | "leading":
            basis, _, at = part.partition(" at ")
            moment = words.phrase("at {share} of the game", share=percent(float(at), 0))
            return words.row((name, moment, words.phrase(BASES[basis])))
        case _:
            return words.row((name, *([words.phrase(BASES[part])] if part else []), *seat))


def _preferred(name: str, found: Mapping[Statistic, Estimate]) -> Statistic:
    """The statistic of a name that is shown among changes: by search where it is known, else by the score."""
    suffix = {"lead_changes": "{}", "leader_wins": "{} at 0.5"}.get(name)
    if suffix is None:
        return Statistic(name)
    by_search = Statistic(name, suffix.format(SEARCH))
    return by_search if by_search in found else Statistic(name, suffix.format(SCORE))


def _by_phase(table: TableFound, thinks: bool) -> list[tuple[str, list[float]]]:
    """For each tenth of the game what kinds of decisions there are."""
    courses = table.played.courses.values()
    all_of, free, matter, may = ([0] * PHASES for _ in range(4))
    for course in courses:
        length = course.row[DECISIONS]
        for phase in range(PHASES):
            start, end = (-(-part * length // PHASES) for part in (phase, phase + 1))
            all_of[phase] += end - start
            free[phase] += course.free[phase]
            matter[phase] += course.matter[phase]
            may[phase] += course.may_matter[phase]
    found = []
    for phase in range(PHASES):
        whole = all_of[phase] or 1
        parts = [(all_of[phase] - free[phase]) / whole]
        in_doubt = [free[phase] - may[phase], may[phase] - matter[phase], matter[phase]]
        parts += [part / whole for part in (in_doubt if thinks else [free[phase]])]
        found.append((str(phase + 1), parts))
    return found


def _surprise(act: ActFound) -> tuple[bool, float]:
    """How far an act is from chance: habits first, then by the distance in half widths of the interval."""
    low, high = act.share.low, act.share.high
    half = (high - low) / 2 if low is not None and high is not None else 1.0
    return bool(act.habit), abs(act.share.value - act.by_chance) / max(half, 1e-3)


def _side_names(table: TableFound) -> list[str]:
    game = table.side.game
    if game.teams:
        return [game.words.listed([game.seat_names[seat - 1] for seat in team]) for team in game.teams]
    return list(game.seat_names)
