"""The command `check`: find faults in rules.

The checks are in `interpreter/checks`, the formats for other programs in `interpreter/reports`.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

import click

from .shared.again import on_texts
from .shared.console import FINE, USAGE, check_writable, complain, exit_code, make_folder, replace_file, write
from .shared.options import FILES, SEED, seconds_given
from .shared.reporting import (
    AT_LEAST,
    COVERAGE,
    OUT,
    as_json,
    check_listing,
    check_out,
    listed,
    print_or_write,
    renderer,
    with_coverage,
)
from .shared.runs import CLUSTER, cluster_of

if TYPE_CHECKING:
    from ..interpreter.common.diagnostics import Diagnostic
    from ..interpreter.coverage.coverage import Coverage
    from ..interpreter.findings.baseline import Baseline
    from ..interpreter.findings.report import Report

BEGINNING = 0.5  # seconds, about, that Python takes before a command begins and after it: they are a part of `--max-seconds`


def _codes(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    if not values:
        return ()  # and the codes need not be read
    from ..interpreter.findings.selection import beginnings

    try:
        return beginnings(values)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command(
    epilog="""\b
Examples:
  rulesrun check games/*.rules
  rulesrun check games/masti.rules --proved --ignore R3
  rulesrun check games/*.rules --format sarif --out check.sarif

\b
Exit codes: 0 no finding, 1 findings, 2 wrong usage, unreadable input, or too little
time to examine all files and to play each table once."""
)
@FILES
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="`sarif` is for code hosts and editors, `github` for annotations in the log of a workflow.",
)
@OUT
@click.option("--all", "everything", is_flag=True, help="Show all findings of a file, not only 20.")
@click.option(
    "--select", multiple=True, metavar="CODES", callback=_codes, help="Show only codes such as `R3,R605`; can be repeated."
)
@click.option("--ignore", multiple=True, metavar="CODES", callback=_codes, help="Hide these codes; can be repeated.")
@click.option("--strict-language", is_flag=True, help="Report what is missing in translations (R723) as findings, not as notes.")
@click.option("--proved", is_flag=True, help="Do not play; only report what can be proved. Quick.")
@click.option(
    "--max-seconds",
    "seconds",
    metavar="S",
    callback=seconds_given,
    help="Time limit for the whole command (default: 20 seconds a file for reading and proofs, 600 for play).",
)
@CLUSTER
@SEED
@click.option("--replays", type=click.Path(), metavar="FOLDER", help="Write games that show findings, for `rulesrun replay`.")
@click.option("--baseline", "known", type=click.Path(), metavar="FILE", help="Ignore the findings in this file.")
@click.option(
    "--write-baseline", "new_baseline", type=click.Path(), metavar="FILE", help="Write the current findings to this file."
)
@COVERAGE
@AT_LEAST
@on_texts
def check(
    files: tuple[str, ...],
    form: str,
    out: str | None,
    everything: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    strict_language: bool,
    proved: bool,
    seconds: float | None,
    cluster: str | None,
    seed: int | None,
    replays: str | None,
    known: str | None,
    new_baseline: str | None,
    listing: bool,
    least: float | None,
) -> int:
    """Find faults in rules by proofs and by playing.

    The proofs cover syntax, names, types, tables, zones and variants. Then many games are played, some at random and some
    towards rare situations.
    """
    from attrs import evolve

    from ..interpreter.checks.files import check_files, cover
    from ..interpreter.findings import baseline as baselines
    from ..interpreter.findings import report as reports
    from ..interpreter.findings.selection import Selection, keeps_from_playing
    from .shared.progress import shown_progress

    started = monotonic()
    check_listing(listing, form)
    check_out(out, form)
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
    if cluster is not None and proved:
        raise click.UsageError("--cluster does not go with --proved: only games are played on a cluster")
    with shown_progress(form == "text" and out is None) as progress, cluster_of(cluster, 1, "wasm") as workers:
        look = check_files(
            files, selection, seed or 0, replays, end, baseline, nothing_is_known, progress, cluster=workers,
            strict_language=strict_language,
        )  # fmt: skip
    looked_at, found, notes = look.files, look.found, look.notes
    for game in look.transcripts:
        try:
            write(game.place, game.text)
        except click.UsageError as error:  # what was found is told all the same
            notes.append(error.message)
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


def _print_report(report: Report, form: str, out: str | None, everything: bool, code: int, coverage: Sequence[Coverage]) -> None:
    from ..interpreter.reports import text

    match form:
        case "json":
            from ..interpreter.reports.data import report_data

            written = as_json(with_coverage(report_data(report), coverage))
        case "sarif":
            from ..interpreter.reports.sarif import log

            written = as_json(log(report, code))
        case "github":
            from ..interpreter.reports.github import annotated

            written = "".join(f"{line}\n" for line in annotated(report))
        case _:
            lines = text.text(report, renderer(out), None if everything else text.SHOWN)
            heading = "" if out is None else f"{text.MARK}check\n\n"
            written = heading + "".join(f"{line}\n" for line in (*listed(coverage, out), *lines))
    print_or_write(written, out, text.summary(report))
