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
from ...simulate.statistics.estimates import Estimate
from ...simulate.statistics.statistics import Statistic, buckets
from ..analysis import ActFound, Analysis, TableFound, verdicts_of
from ..highlights import Highlight, story
from ..measures import MEANING, SCORE, SEARCH, leader_wins
from ..playing.leads import PHASES
from ..verdicts import Verdict
from ..words import NAMES, decimal, interval_told, percent, signed, told, value_told
from . import drawing
from .drawing import Curve, Mark, Row

MARK = b"<!doctype html><!-- rulesrun analyse -->"  # how every report begins
STEPS = 30  # of a histogram
ACTS_SHOWN = 25  # rows of acts; the others are folded away
STORIES = 20.0  # seconds that the stories of games may take
OFTEN = 10  # choices for or against an act that is shown at once
TITLES = {
    "fairness": "Is it fair?",
    "skill": "Skill and luck",
    "decisions": "Decisions",
    "acts": "What strong players do",
    "score": "Where the score comes from",
    "course": "Who leads, and for how long",
    "length": "Length",
    "ties": "Ties",
    "changes": "What variants and options change",
    "games": "Games to look at",
    "method": "How this was made",
}
_STYLE = """
:root { --page: #fff; --ink: #1f2430; --quiet: #667; --rule: #d8dce4; --box: #f5f6f9; --first: #2f6fb2; --second: #d2691e;
  --third: #3a8f5c; --fourth: #8a5aa8; --sure: #2e7d4f; --fair: #a06a00; --unsure: #8a3b3b; --gone: #b03030; --come: #22743f;
  --part0: #c9ced8; --part1: #b9d0e6; --part2: #7fa9d3; --part3: #2f6fb2;
  color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --page: #16191f; --ink: #e3e6ec; --quiet: #99a1b0; --rule: #353b47; --box: #1f242d;
  --first: #6aa9e6; --second: #f0965a; --third: #6cc493; --fourth: #c096dc; --sure: #6cc493; --fair: #e0b050; --unsure: #e08a8a;
  --gone: #ee8080; --come: #7ccf98; --part0: #4a5160; --part1: #37536f; --part2: #5587b8; --part3: #9fd0ff; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; color: var(--ink);
  background: var(--page); }
h1 { margin: 0; line-height: 1.2; } h2 { margin: 2.6rem 0 .4rem; padding-top: .4rem; border-top: 2px solid var(--rule); }
h3 { margin: 1.4rem 0 .2rem; font-size: 1rem; } p { margin: .5rem 0; } a { color: var(--first); }
.quiet, .quiet * { color: var(--quiet); fill: var(--quiet); } small { color: var(--quiet); }
code { background: var(--box); padding: 0 .25em; border-radius: 3px; overflow-wrap: anywhere; }
.verdict { font-size: 1.1rem; margin: .5rem 0; } .sure { font-size: .8rem; padding: .05rem .5rem; border-radius: 1rem;
  border: 1px solid; white-space: nowrap; margin-left: .35rem; } .sure.s { color: var(--sure); } .sure.f { color: var(--fair); }
.sure.n { color: var(--unsure); }
.glance { display: grid; gap: .1rem .9rem;
  grid-template-columns: minmax(7rem, 11rem) 1fr; background: var(--box); border-radius: .6rem;
  padding: .8rem 1.1rem; margin: 1rem 0; }
.glance a { font-weight: 600; text-decoration: none; } .glance div { padding: .2rem 0; }
.side { font-weight: 600; } .side::before { content: ""; display: inline-block; width: .7em; height: .7em; border-radius: 50%;
  margin-right: .4em; background: currentColor; } .side.c0 { color: var(--first); } .side.c1 { color: var(--second); }
.dense { font-size: .85rem; } .dense th, .dense td { padding: .15rem .35rem; }
.dense th { white-space: normal; min-width: 5rem; vertical-align: bottom; }
table { border-collapse: collapse; margin: .7rem 0; font-size: .92rem; display: block; overflow-x: auto; max-width: 100%; }
td, th { padding: .18rem .55rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td:first-child, th:first-child { text-align: left; padding-left: 0; white-space: normal; min-width: 9rem; }
 td.words { text-align: left; white-space: normal; }
 thead th { border-bottom: 1px solid var(--quiet); }
tbody tr + tr td { border-top: 1px solid var(--rule); } td b { color: var(--second); }
figure { margin: .6rem 0; } svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; } svg text { fill: var(--ink); }
svg text.quiet { fill: var(--quiet); } .grid { stroke: var(--rule); } .even { stroke: var(--ink); stroke-dasharray: 5 4; }
.part0 { fill: var(--part0); background: var(--part0); } .part1 { fill: var(--part1); background: var(--part1); }
.part2 { fill: var(--part2); background: var(--part2); } .part3 { fill: var(--part3); background: var(--part3); }
.legend span { margin-right: 1.2rem; white-space: nowrap; } .legend i { display: inline-block; width: .8em; height: .8em;
  border-radius: 2px; margin-right: .4em; }
pre { background: var(--box); padding: .7rem .9rem; border-radius: .4rem; overflow-x: auto; font-size: .85rem; line-height: 1.4; }
pre .gone { color: var(--gone); } pre .come { color: var(--come); } details { margin: .4rem 0; } summary { cursor: pointer; }
details pre { max-height: 26rem; } .notice { border-left: 4px solid var(--fair); padding: .2rem .8rem; background: var(--box); }
@media (max-width: 40rem) { .glance { grid-template-columns: 1fr; } td small { display: block; }
  figure { overflow-x: auto; } svg { min-width: 36rem; } }
@media print { body { max-width: none; font-size: 11pt; } h2 { break-after: avoid; }
  figure, table, .glance { break-inside: avoid; }
  details:not([open]) { display: none; } }
"""


def page(analysis: Analysis, asked: str) -> str:
    """The page. ``asked``: the command that makes the same report again."""
    title = analysis.tables[0].side.game.title()
    body = "".join(f"{part}\n" for part in _Page(analysis, asked).parts())
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}: balance</title>'
    return f'{MARK.decode()}\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body>\n{body}</body></html>\n'


class _Page:
    def __init__(self, analysis: Analysis, asked: str) -> None:
        self.analysis, self.asked = analysis, asked
        self.tables = analysis.tables
        self.two = len(self.tables) > 1
        self.verdicts = [verdicts_of(analysis, table) for table in self.tables]
        self._telling = 0.0  # seconds that the stories of games took

    def parts(self) -> Iterator[str]:
        yield from self._head()
        if self.analysis.rules is not None:
            yield from self._rules()
        if not any(table.played.courses for table in self.tables):
            yield '<p class="notice">No game came to its end, so there is nothing to be said.</p>'
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
            yield f'<h2 id="{name}">{TITLES[name]}</h2>'
            for number, verdicts in enumerate(self.verdicts):
                if name in verdicts:
                    yield self._verdict(number, verdicts[name])
            yield from sections[name]()
        if self.analysis.changes or self.analysis.study.left:
            yield f'<h2 id="changes">{TITLES["changes"]}</h2>'
            yield from self._changes()
        yield f'<h2 id="games">{TITLES["games"]}</h2>'
        yield from self._games()
        yield f'<h2 id="method">{TITLES["method"]}</h2>'
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
            sides = " and ".join(self._name(number) for number in range(len(self.tables)))
            yield f'<p>{sides}, {first.side.game.players} players, <span class="quiet">seed {study.seed}</span></p>'
        games, deals = len(first.played.courses), len(first.played.deals)
        bots = ", ".join(dict.fromkeys(map(str, first.side.bots)))
        changes = f", {len(self.analysis.changes)} variants and values of options" if self.analysis.changes else ""
        yield (
            f'<p class="quiet">{games:,} games of strong play (<code>{escape(bots)}</code> at all seats), '
            f"{deals:,} deals for skill and luck{changes}; {study.seconds:.0f} s</p>"
        )
        if not study.ended:
            yield '<p class="notice">The run was interrupted: this is what there was.</p>'
        for table in self.tables:
            for stop in table.stops:
                yield (
                    f'<p class="notice">{stop.games:,} of {table.played.games:,} games were stopped by {stop.diagnostic.code}, '
                    f"{escape(stop.diagnostic.message)}, and are left out: <code>{escape(stop.command)}</code></p>"
                )

    def _rules(self) -> Iterator[str]:
        assert self.analysis.rules is not None
        yield '<h2 id="rules">The rules that differ</h2>'
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
                f"<div>{self._name(n) + ': ' if self.two else ''}{_inline(verdicts[name].text)} {_badge(verdicts[name])}</div>"
                for n, verdicts in enumerate(self.verdicts)
                if name in verdicts
            )
            rows.append(f'<div><a href="#{name}">{TITLES[name]}</a></div><div>{told}</div>')
        if self.two:
            told = _inline(difference_told(self.analysis))
            rows.append(f"<div><b>The difference</b></div><div><div>{self._name(1)} against {self._name(0)}: {told}</div></div>")
        yield f'<div class="glance">{"".join(rows)}</div>'

    # ---- Sections

    def _fairness(self) -> Iterator[str]:
        game, sides = self.tables[0].side.game, len(self.tables[0].side.game.teams) or self.tables[0].side.game.players
        wanted = [(name, "win_share", "", seat + 1) for seat, name in enumerate(game.seat_names)]
        turns = [statistic.part for statistic in self.tables[0].estimates if statistic.name == "turn_win_share"]
        wanted += [(f"{part} in turn order", "turn_win_share", part, 0) for part in turns]
        yield self._intervals(wanted, percent_of(0), "share of the win", 1 / sides)
        yield self._quiet("Dots are values, bars intervals of 95 %. The broken line is what each would have if all were alike.")
        yield from self._numbers("win_share", "turn_win_share", "score_mean")

    def _skill(self) -> Iterator[str]:
        steps = self.analysis.study.steps
        wanted = [(f"{step.stronger} / {step.weaker}", "skill", str(step), 0) for step in steps]
        yield self._intervals(wanted, percent_of(0), "share of the win of the stronger bot", 0.5)
        weak = [step for step in steps if any((e := t.measures.get("skill", str(step))) and e.is_below(0.5) for t in self.tables)]
        if weak:
            yield f"<p>{_inline('; '.join(f'`{step.stronger}` is weaker than `{step.weaker}` here' for step in weak))}.</p>"
        yield self._quiet(
            "Two bots change places in every deal, so both have the same luck. At the broken line strength is of no use."
        )
        yield from self._numbers("skill", "deals_share")
        yield self._quiet(
            "<b>Decided by the deal</b>: the strongest bots play each deal twice and choose anew the second time. If the same "
            "side wins both times whatever the players do, the deal decides (100 %); if the two games have nothing in common, "
            "it decides nothing (0 %)."
        )

    def _decisions(self) -> Iterator[str]:
        thinks = any(table.measures.get("matter_share") for table in self.tables)
        names = ["forced", "little depends on it", "may matter", "matters"] if thinks else ["forced", "a choice"]
        for number, table in enumerate(self.tables):
            if self.two:
                yield f"<h3>{self._name(number)}</h3>"
            yield drawing.stacked(_by_phase(table, thinks), names, "tenths of the game")
        yield drawing.legend(names, parts=True)
        of_choices = ("matter_share", "may_matter_share", "free_matter_share", "choice_cost")
        yield from self._numbers("options_mean", "forced_share", *of_choices)
        yield self._quiet(
            "A decision matters if a choice at random would cost 5 % of the win or more there, in search's eyes, and more than "
            "what chance in the search explains. Where chance explains it as well, it may matter; bots that search longer tell."
        )

    def _acts(self) -> Iterator[str]:
        found: dict[tuple[str, str], list[ActFound | None]] = {}
        for number, table in enumerate(self.tables):
            for act in table.acts:
                found.setdefault((act.verb, act.argument), [None] * len(self.tables))[number] = act
        rows = sorted(found.values(), key=lambda acts: max(_surprise(act) for act in acts if act), reverse=True)
        verbs = [acts for (_, argument), acts in found.items() if not argument]
        arguments = [acts for acts in rows if acts not in verbs and max(act.offered for act in acts if act) >= OFTEN]
        shown = [*verbs, *arguments[: max(0, ACTS_SHOWN - len(verbs))]]
        rest = [acts for acts in found.values() if acts not in shown]
        yield self._acts_table(shown)
        if rest:
            yield f"<details><summary>{len(rest):,} more, nearer to chance or rarer</summary>{self._acts_table(rest)}</details>"
        yield self._quiet(
            "Only decisions with a choice for or against an act count; how many there were stands behind the interval. <b>By "
            "chance</b> is how often a random choice among the legal options would take it. First the verbs, then the arguments "
            "that are farthest from chance."
        )

    def _score(self) -> Iterator[str]:
        terms = list(dict.fromkeys(term for table in self.tables for term in table.side.columns.terms))
        wanted = [(term.replace("_", " "), "terms_gap", term, 0) for term in terms]
        if len(terms) > 1:
            yield self._intervals(wanted, lambda value: decimal(value, 1), "how much more winners have than the others", 0.0)
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
                by = "by what search expects" if basis == SEARCH else "by the score"
                name = f"{table.side.title}, {by}" if self.two else by
                curves.append(Curve(name, tuple(points), n if self.two else int(dashed), dashed))
        sides = len(self.tables[0].side.game.teams) or self.tables[0].side.game.players
        yield drawing.lines(curves, "part of the game that is over", percent_of(0), percent_of(0), 1 / sides)
        if not self.two:
            yield drawing.legend([curve.name for curve in curves])
        yield self._quiet(
            "How often the side that leads at this point goes on to win: full lines by what search expects, broken ones by the "
            "score on the table. At the broken straight line to lead is worth nothing; at 100 % the game is decided."
        )
        yield from self._numbers("leader_wins", "lead_changes", "settled", "runaway_share", "decided", "comeback_mean", "drama")
        yield self._quiet(
            "Lead changes, drama and the moment of decision are after Cameron Browne, <i>Automatic Generation and Evaluation of "
            "Recombination Games</i> (2008)."
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
        yield drawing.histogram(series, [table.side.title for table in self.tables], "decisions in a game")
        yield from self._numbers("decisions_mean", "decisions_deviation", "length_quantiles")

    def _changes(self) -> Iterator[str]:
        if self.analysis.changes:
            games = min(len(change.played.courses) for change in self.analysis.changes)
            yield self._quiet(
                f"Each change is played with the luck of the first {games:,} games of "
                f"{self._name(0) if self.two else 'this table'}; here is the difference to it. A star marks an interval of "
                "95 % without 0: where nothing differs, one number in twenty has it all the same."
            )
            wanted = ("first_seat_win_share", "ties_share", "decisions_mean", "options_mean", "matter_share", "lead_changes",
                      "leader_wins")  # fmt: skip
            names = tuple(name for name in wanted if any(each.name == name for each in self.tables[0].estimates))
            rows = []
            for change in self.analysis.changes:
                found = self.analysis.difference_of(change)
                cells = [f"<td>{escape(change.side.title)}<br/><small>{len(change.played.courses):,} games</small></td>"]
                for name in names:
                    statistic = _preferred(name, found)
                    cells.append(_difference_cell(statistic, found.get(statistic), "<br/>"))
                rows.append(f"<tr>{''.join(cells)}</tr>")
            at_half = {"leader_wins": "who leads at half wins", "decisions_mean": "decisions, mean"}
            head = "".join(f"<th>{escape(at_half.get(name, NAMES[name]))}</th>" for name in names)
            yield f'<table class="dense"><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
            yield from (self._stop_notes(change) for change in self.analysis.changes if change.played.stopped)
        if self.analysis.study.left:
            told = "".join(f"<li>{escape(left.title)}: {escape(left.why)}</li>" for left in self.analysis.study.left)
            yield f"<p>Not played:</p><ul>{told}</ul>"

    def _stop_notes(self, table: TableFound) -> str:
        stop = table.stops[0]
        return (
            f'<p class="notice">{escape(table.side.title)}: {len(table.played.stopped):,} games were stopped, such as by '
            f"{stop.diagnostic.code}: <code>{escape(stop.command)}</code></p>"
        )

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
            plot = drawing.lines(curves, "part of the game that is over", percent_of(0), percent_of(0)) + drawing.legend(names)
            plot = f"<p><small>What search expected of the win, each seat by what it knew:</small></p>{plot}"
        began = monotonic()
        told = escape(story(table.side, found.course.history)) if self._telling < STORIES else "the command above tells it"
        self._telling += monotonic() - began
        return (
            f"<p><b>{escape(found.title)}</b>: {escape(found.why)} (game {found.game})<br/>"
            f"<code>{escape(found.command)}</code></p>"
            f"<details><summary>its course and its story</summary>{plot}<pre>{told}</pre></details>"
        )

    def _method(self) -> Iterator[str]:
        study = self.analysis.study
        yield f"<p>The same games again: <code>{escape(self.asked)}</code></p>"
        sizes = "; ".join(
            f"{escape(table.side.title)}: {len(table.played.courses):,} games that ended, {len(table.played.stopped):,} stopped, "
            f"{len(table.played.deals):,} deals for skill and luck"
            for table in self.tables
        )
        yield f"<p>{sizes}. {study.seconds:.0f} s, {study.engine} engine.</p>"
        yield (
            "<p>Every interval is of 95 %: in 95 of 100 reports it contains the true value for these bots. Bots are not people: "
            "what holds between them need not hold at your table. Two tables are played with the same luck, so their "
            "difference is known better than either value.</p>"
        )
        names = dict.fromkeys(statistic.name for table in self.tables for statistic in table.estimates)
        rows = "".join(f'<tr><td><code>{name}</code></td><td class="words">{escape(MEANING[name])}</td></tr>' for name in names)
        yield f"<details><summary>what the numbers are called in <code>--fail-if</code></summary><table>{rows}</table></details>"

    # ---- Parts of sections

    def _numbers(self, *names: str) -> Iterator[str]:
        """A table of measures, each with its interval, for each table, and their difference."""
        wanted = list(dict.fromkeys(s for table in self.tables for s in table.estimates if s.name in names))
        wanted.sort(key=lambda statistic: names.index(statistic.name))
        head = "".join(f"<th>{self._name(n)}</th>" for n in range(len(self.tables))) if self.two else "<th>value</th>"
        head += "<th>difference</th>" if self.two else ""
        rows: list[str] = []
        for statistic in wanted:
            cells = [f"<td>{escape(name_of(statistic, self.tables[0]))}</td>"]
            for table in self.tables:
                each = table.estimates.get(statistic)
                cells.append(f"<td>{_with_interval(statistic, each)}</td>")
            if self.two:
                cells.append(_difference_cell(statistic, self.analysis.differences.get(statistic)))
            rows.append(f"<tr>{''.join(cells)}</tr>")
        yield f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"

    def _acts_table(self, rows: Sequence[Sequence[ActFound | None]]) -> str:
        """For each act, at each table: choices for or against it, how often it was taken, and by chance."""
        lines: list[str] = []
        for acts in rows:
            known = next(act for act in acts if act is not None)
            cells = [f"<td>{escape(f'{known.verb} {known.argument}'.strip())}</td>"]
            cells += [_act_cell(act) for act in acts]
            cells.append(f"<td>{percent(known.by_chance)}</td>")
            lines.append(f"<tr>{''.join(cells)}</tr>")
        head = "".join(f"<th>{self._name(n)}: taken</th>" for n in range(len(self.tables))) if self.two else "<th>taken</th>"
        head = f"<th>act</th>{head}<th>by chance</th>"
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
                    marks.append(Mark(each.value, each.low, each.high, n, f"{of}{told(Statistic(name, part, seat), each)}"))
            if marks:
                rows.append(Row(title, tuple(marks)))
        return drawing.intervals(rows, said, what, line)

    def _verdict(self, number: int, verdict: Verdict) -> str:
        name = f"{self._name(number)}: " if self.two else ""
        return f'<p class="verdict">{name}{_inline(verdict.text)} {_badge(verdict)}</p>'

    def _name(self, number: int) -> str:
        return f'<span class="side c{number}">{escape(self.tables[number].side.title)}</span>'

    def _quiet(self, text: str) -> str:
        """A note; the text is HTML already."""
        return f'<p class="quiet">{text}</p>'


HEADLINES = (
    "first_seat_win_share", "ties_share", "decisions_mean", "options_mean", "forced_share", "matter_share", "choice_cost",
    "score_mean", "margin_mean", "lead_changes", "settled", "runaway_share", "skill", "deals_share",
)  # fmt: skip


def difference_told(analysis: Analysis) -> str:
    """Which measures of two tables clearly differ."""
    looked = {statistic: each for statistic, each in analysis.differences.items() if statistic.name in HEADLINES}
    clear = {statistic: each for statistic, each in looked.items() if each.leaves_out(0)}
    if not clear:
        return f"none of {len(looked)} measures differs clearly."
    table = analysis.tables[1]
    said = "; ".join(f"{name_of(each, table)} {signed(each, found).replace('*', '')}" for each, found in clear.items())
    rest = f"The other {len(looked) - len(clear)} of {len(looked)} measures do not differ clearly."
    return f"{said}. {rest} Where nothing differs, one in twenty seems to."


def percent_of(digits: int) -> Callable[[float], str]:
    return lambda value: percent(value, digits)


def name_of(statistic: Statistic, table: TableFound) -> str:
    """A measure in words."""
    name = NAMES[statistic.name]
    seat = f", {table.side.game.seat_names[statistic.seat - 1]}" if statistic.seat else ""
    match statistic.name:
        case "terms_mean" | "terms_gap":
            return f"{statistic.part.replace('_', ' ')}, {name}{seat}"
        case "turn_win_share":
            return f"{NAMES['win_share']}, {statistic.part} in turn order"
        case "length_quantiles":
            return f"{name}, {percent(float(statistic.part), 0)} have at most"
        case "skill":
            return statistic.part
        case "leader_wins" | "leading":
            basis, _, at = statistic.part.partition(" at ")
            return f"{name}, at {percent(float(at), 0)} of the game, by {basis}"
        case _:
            return f"{name}{f', by {statistic.part}' if statistic.part else ''}{seat}"


def _preferred(name: str, found: Mapping[Statistic, Estimate]) -> Statistic:
    """The statistic of a name that is shown among changes: by search where it is known, else by the score."""
    suffix = {"lead_changes": "{}", "leader_wins": "{} at 0.5"}.get(name)
    if suffix is None:
        return Statistic(name)
    by_search = Statistic(name, suffix.format(SEARCH))
    return by_search if by_search in found else Statistic(name, suffix.format(SCORE))


def _with_interval(statistic: Statistic, each: Estimate | None) -> str:
    if each is None:
        return ""
    return f"{value_told(statistic, each.value)} <small>{interval_told(statistic, each)}</small>"


def _difference_cell(statistic: Statistic, each: Estimate | None, between: str = " ") -> str:
    if each is None:
        return "<td></td>"
    text, _, interval = signed(statistic, each).partition(" (")
    shown = f"<b>{text}</b>" if each.leaves_out(0) else text
    return f"<td>{shown}{between}<small>({interval}</small></td>"


def _inline(text: str) -> str:
    """Plain text with words in backticks."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if n % 2 else piece for n, piece in enumerate(pieces))


def _badge(verdict: Verdict) -> str:
    return f'<span class="sure {verdict.sure[0]}">{verdict.sure}</span>'


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


def _act_cell(act: ActFound | None) -> str:
    if act is None:
        return "<td></td>"
    habit = f" <b>{act.habit}</b>" if act.habit else ""
    interval = f"{interval_told(Statistic('win_share'), act.share)} " if act.share.has_interval else ""
    return f"<td>{percent(act.share.value)}{habit} <small>{interval}of {act.offered:,}</small></td>"


def _surprise(act: ActFound) -> tuple[bool, float]:
    """How far an act is from chance: habits first, then by the distance in half widths of the interval."""
    low, high = act.share.low, act.share.high
    half = (high - low) / 2 if low is not None and high is not None else 1.0
    return bool(act.habit), abs(act.share.value - act.by_chance) / max(half, 1e-3)


def _side_names(table: TableFound) -> list[str]:
    game = table.side.game
    if game.teams:
        return [" and ".join(game.seat_names[seat - 1] for seat in team) for team in game.teams]
    return list(game.seat_names)
