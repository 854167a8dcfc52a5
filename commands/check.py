"""The commands `check` and `test`: parse arguments, look, print.

What is looked at is in `looking.py` and `interpreter/testing/testing.py`, how it is written for other programs in
`interpreter/reports`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from .console import (
    FINDINGS,
    FINE,
    USAGE,
    check_writable,
    complain,
    exit_code,
    make_folder,
    rendered,
    replace_file,
    shows_colours,
)
from .options import FILES, SEED, seconds_given

if TYPE_CHECKING:
    from ..interpreter.common.diagnostics import Diagnostic
    from ..interpreter.coverage.coverage import Coverage
    from ..interpreter.findings.baseline import Baseline
    from ..interpreter.findings.report import Report
    from ..interpreter.reports.tested import TestedFile

BEGINNING = 0.5  # seconds, about, that Python takes before a command begins and after it: they are a part of `--max-seconds`


def _codes(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        return ()  # and the codes need not be read
    from ..interpreter.findings.selection import beginnings

    try:
        return beginnings(values)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def _percent(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    try:
        percent = float(value.removesuffix("%"))
    except ValueError:
        percent = math.nan
    if not 0 <= percent <= 100:
        raise click.BadParameter(f"`{value}` is no share: it is a number of percent, from 0 to 100", ctx, param)
    return percent


COVERAGE = click.option("--coverage", "listing", is_flag=True, help="List the rules with what was reached.")
AT_LEAST = click.option(
    "--coverage-at-least", "least", metavar="PERCENT", callback=_percent, help="Fail where less of the rules was reached."
)
OUT = click.option("--out", type=click.Path(), metavar="FILE", help="Write the report into a file, and print its sum.")


@click.command(
    epilog="""\b
Examples:
  rulesrun check games/*.rules
  rulesrun check games/masti.rules --proved --ignore R3
  rulesrun check games/*.rules --format sarif --out check.sarif

\b
Exit codes: 0 no finding, 1 findings, 2 wrong usage, unreadable input, or no time to
look at all files and to play each table once."""
)
@FILES
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif", "github"]), default="text", show_default=True,
    help="`sarif`: for code hosts and editors; `github`: annotations in the log of a workflow.",
)
@OUT
@click.option("--all", "everything", is_flag=True, help="In text, show all findings of a file, however many.")
@click.option("--select", multiple=True, metavar="CODES", callback=_codes, help="Only these, such as `R3,R605`; can be repeated.")
@click.option("--ignore", multiple=True, metavar="CODES", callback=_codes, help="Not these; can be repeated.")
@click.option("--proved", is_flag=True, help="Only what can be proved without playing: quick.")
@click.option(
    "--max-seconds", "seconds", metavar="S", callback=seconds_given,
    help="Stop looking in time (else reading and proofs take at most 20 seconds a file).",
)  # fmt: skip
@SEED
@click.option("--replays", type=click.Path(), metavar="FOLDER", help="Write games that show findings, for `rulesrun replay`.")
@click.option("--baseline", "known", type=click.Path(), metavar="FILE", help="Only findings that are not in it count.")
@click.option("--write-baseline", "new_baseline", type=click.Path(), metavar="FILE", help="Write the findings of now into one.")
@COVERAGE
@AT_LEAST
def check(
    files: tuple[str, ...],
    form: str,
    out: str | None,
    everything: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    proved: bool,
    seconds: float | None,
    seed: int | None,
    replays: str | None,
    known: str | None,
    new_baseline: str | None,
    listing: bool,
    least: float | None,
) -> int:
    """Look for faults: prove what can be proved, then play.

    Syntax, names, types, tables, zones, variants; then many games, by chance and towards what is rare.
    """
    from attrs import evolve

    from ..interpreter.findings import baseline as baselines
    from ..interpreter.findings import report as reports
    from ..interpreter.findings.selection import Selection, keeps_from_playing
    from .looking import cover, look_at
    from .progress import shown_progress

    started = monotonic()
    _check_listing(listing, form)
    _check_out(out, form)
    if new_baseline is not None:
        if select or ignore:
            raise click.UsageError("a baseline holds all findings: `--write-baseline` goes without `--select` and `--ignore`")
        check_writable(new_baseline, baselines.MARK, "baseline")
    baseline: Baseline | Diagnostic | None = None if known is None else baselines.read(known)
    if baseline is not None and not isinstance(baseline, baselines.Baseline):
        return complain([baseline])
    end = None if seconds is None else started + max(seconds - BEGINNING, seconds / 2)
    if replays is not None:
        make_folder(replays)
    selection = Selection(select, ignore, proved)
    nothing_is_known = new_baseline is not None  # what it will hold must come up again where that hides nothing
    with shown_progress(form == "text" and out is None) as progress:
        look = look_at(files, selection, seed or 0, replays, end, baseline, nothing_is_known, progress)
    looked_at, found, notes = look.files, look.found, look.notes
    in_time = not (look.unproved or look.unplayed)
    coverage: list[Coverage] = []
    if listing or least is not None:
        coverage = cover(looked_at, proved, seed or 0, end, notes)
        in_time &= len(coverage) == sum(rules.model is not None for rules in looked_at)
    if least is not None:
        from ..interpreter.coverage.coverage import too_little, unseen

        found += [d for each in coverage for d in too_little(each, least)]
        seen = {each.path for each in coverage}
        sound = [rules for rules in looked_at if rules.model is not None or not rules.diagnostics]  # or not read at all
        found += [unseen(rules.path, rules.model, least) for rules in sound if rules.path not in seen]
    report = reports.report(looked_at, found, notes, selection, baseline, look.unproved, look.unplayed)
    report = evolve(report, played=tuple(look.played))
    if new_baseline is not None and in_time:
        kept = [d for d in (*report.findings, *report.known) if not keeps_from_playing(d)]
        replace_file(new_baseline, baselines.to_text(kept, new_baseline))
        stay = tuple(d for d in report.findings if keeps_from_playing(d))
        report = evolve(report, findings=stay, known=tuple(kept))
    code = exit_code(report.findings) or (USAGE if look.unproved or look.untried else FINE)
    _print_report(report, form, out, everything, code, coverage if listing else ())
    if new_baseline is not None and not in_time:
        raise click.UsageError(f"`{new_baseline}` is not written: there was no time to look at everything")
    if new_baseline is not None and (form == "text" or out is not None):
        click.echo(f"{new_baseline} is written.")
    return code


def _check_listing(listing: bool, form: str) -> None:
    """Refuse to list coverage in a format that has no place for it."""
    if listing and form not in ("text", "json"):
        raise click.UsageError(f"`--coverage` lists the rules in text and in json, and `--format {form}` has no place for that")


def _check_out(out: str | None, form: str) -> None:
    """Refuse a place where something else than an earlier report in the same format stands."""
    if out is None:
        return
    from ..interpreter.reports import github, junit, sarif, text

    marks = {
        "text": text.MARK.encode(), "json": b'{\n  "files":', "sarif": sarif.MARK, "github": github.MARK, "junit": junit.MARK,
    }  # fmt: skip
    check_writable(out, marks[form], f"report in this format ({form})")


def _print_report(
    report: Report, form: str, out: str | None, everything: bool, code: int, coverage: Sequence[Coverage]
) -> None:
    from ..interpreter.reports import text

    match form:
        case "json":
            from ..interpreter.reports.data import report_data

            written = _as_json(_with_coverage(report_data(report), coverage))
        case "sarif":
            from ..interpreter.reports.sarif import log

            written = _as_json(log(report, code))
        case "github":
            from ..interpreter.reports.github import annotated

            written = "".join(f"{line}\n" for line in annotated(report))
        case _:
            lines = text.text(report, _rendered(out), None if everything else text.SHOWN)
            heading = "" if out is None else f"{text.MARK}check\n\n"
            written = heading + "".join(f"{line}\n" for line in (*_listed(coverage, out), *lines))
    _tell(written, out, text.summary(report))


def _rendered(out: str | None) -> Callable[[Diagnostic], str]:
    """How findings are shown: with colours where they are printed on a terminal that has them."""
    from ..interpreter.common.diagnostics import render

    return render if out is not None else lambda diagnostic: rendered(diagnostic, sys.stdout)


def _listed(coverage: Sequence[Coverage], out: str | None) -> Iterator[str]:
    """Coverage as lines, with colours as findings."""
    if not coverage:
        return  # and nothing of it need be read
    from ..interpreter.coverage.page import page

    coloured = out is None and shows_colours(sys.stdout)
    for each in coverage:
        yield from (line.coloured if coloured else line.plain for line in page(each))
        yield ""


def _with_coverage(found: dict[str, Any], coverage: Sequence[Coverage]) -> dict[str, Any]:
    """The data of a report, with coverage where there is some."""
    from ..interpreter.coverage.data import coverage_data

    return found | {"coverage": [coverage_data(each) for each in coverage]} if coverage else found


def _as_json(found: object) -> str:
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _tell(written: str, out: str | None, summary: str) -> None:
    """Print a report, or write it into a file and print what it comes to."""
    if out is None:
        click.echo(written, nl=False)
        return
    replace_file(out, written.encode("utf-8", "replace"))
    click.echo(summary)
    click.echo(f"{out} is written.")


@click.command(
    epilog="""\b
Examples:
  rulesrun test games/*.rules
  rulesrun test games/*.rules --format junit --out tests.xml"""
)
@FILES
@click.option("-v", "--verbose", is_flag=True, help="In text, name every test.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "junit", "github"]), default="text", show_default=True,
    help="`junit`: the XML that servers for continuous checks read. `github`: annotations beside the rules.",
)
@OUT
@COVERAGE
@AT_LEAST
def test(
    files: tuple[str, ...], verbose: bool, form: str, out: str | None, listing: bool, least: float | None
) -> int:
    """Run the tests that stand in the rules."""
    from ..interpreter.coverage.coverage import too_little
    from ..interpreter.reports.tested import tested, tested_with_coverage
    from ..interpreter.rules import read_rules

    _check_listing(listing, form)
    _check_out(out, form)
    done: list[TestedFile] = []
    short: list[Diagnostic] = []
    for file in files:
        rules = read_rules(file)
        done.append(tested_with_coverage(rules) if listing or least is not None else tested(rules))
        coverage = done[-1].coverage
        short += [] if least is None or coverage is None else too_little(coverage, least)
        if form == "text" and out is None:
            complain(done[-1].diagnostics)
            click.echo("".join(f"{line}\n" for line in _tested(done[-1], verbose, out)), nl=False)
    _print_tests(done, form, out, verbose, [file.coverage for file in done if listing and file.coverage is not None])
    code = max((exit_code(file.diagnostics) for file in done), default=FINE)
    return max(code, complain(short), FINDINGS if any(file.failed for file in done) else FINE)


def _tested(file: TestedFile, verbose: bool, out: str | None) -> Iterator[str]:
    """What is printed of the tests of one file."""
    if file.diagnostics:
        return
    if not file.tests:
        yield f"{file.path}: no tests"
        return
    results = [timed.result for timed in file.tests]
    marks = "".join("." if result.passed else "F" for result in results)
    yield f"{file.path}: {marks} {file.passed} of {len(results)} passed"
    for result in results:
        if verbose or not result.passed:
            yield f"  {'passed' if result.passed else 'FAILED'}  {result.title}"
        if not result.passed:
            text = "\n".join(map(_rendered(out), result.diagnostics))
            yield from (f"    {line}" for line in text.splitlines())


def _print_tests(
    done: list[TestedFile], form: str, out: str | None, verbose: bool, coverage: Sequence[Coverage]
) -> None:
    from ..interpreter.common.nouns import counted
    from ..interpreter.reports import data, github, junit, text

    passed, failed = sum(file.passed for file in done), sum(file.failed for file in done)
    summary = f"{passed} passed, {failed} failed, in {counted(len(done), 'file')}"
    match form:
        case "json":
            _tell(_as_json(_with_coverage(data.tests_data(done), coverage)), out, summary)
        case "junit":
            _tell(junit.junit(done), out, summary)
        case "github":
            _tell("".join(f"{line}\n" for line in github.annotated_tests(done)), out, summary)
        case _ if out is not None:
            pages = [*_listed(coverage, out), *(line for file in done for line in _tested(file, verbose, out))]
            _tell(f"{text.MARK}test\n\n" + "".join(f"{line}\n" for line in (*pages, summary)), out, summary)
        case _:
            for line in _listed(coverage, out):
                click.echo(line)
            click.echo(summary)
