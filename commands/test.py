"""The command `test`: run the tests in files of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from .shared.again import on_texts
from .shared.console import FINDINGS, FINE, complain, exit_code
from .shared.options import FILES
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

if TYPE_CHECKING:
    from ..interpreter.common.diagnostics import Diagnostic
    from ..interpreter.coverage.coverage import Coverage
    from ..interpreter.reports.tested import TestedFile


@click.command(
    epilog="""\b
Examples:
  rulesrun test games/*.rules
  rulesrun test games/*.rules --format junit --out tests.xml"""
)
@FILES
@click.option("-v", "--verbose", is_flag=True, help="Name every test.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "github"]),
    default="text",
    show_default=True,
    help="`junit` is the XML that continuous integration servers read; `github` is for annotations in the log of a workflow.",
)
@OUT
@COVERAGE
@AT_LEAST
@on_texts
def test(files: tuple[str, ...], verbose: bool, form: str, out: str | None, listing: bool, least: float | None) -> int:
    """Run the tests in files of rules."""
    from ..interpreter.coverage.coverage import too_little
    from ..interpreter.reports.tested import tested, tested_with_coverage
    from ..interpreter.rules import read_rules

    check_listing(listing, form)
    check_out(out, form)
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
            text = "\n".join(map(renderer(out), result.diagnostics))
            yield from (f"    {line}" for line in text.splitlines())


def _print_tests(done: list[TestedFile], form: str, out: str | None, verbose: bool, coverage: Sequence[Coverage]) -> None:
    from ..interpreter.common.nouns import counted
    from ..interpreter.reports import data, github, junit, text

    passed, failed = sum(file.passed for file in done), sum(file.failed for file in done)
    summary = f"{passed} passed, {failed} failed, in {counted(len(done), 'file')}"
    match form:
        case "json":
            print_or_write(as_json(with_coverage(data.tests_data(done), coverage)), out, summary)
        case "junit":
            print_or_write(junit.junit(done), out, summary)
        case "github":
            print_or_write("".join(f"{line}\n" for line in github.annotated_tests(done)), out, summary)
        case _ if out is not None:
            pages = [*listed(coverage, out), *(line for file in done for line in _tested(file, verbose, out))]
            print_or_write(f"{text.MARK}test\n\n" + "".join(f"{line}\n" for line in (*pages, summary)), out, summary)
        case _:
            for line in listed(coverage, out):
                click.echo(line)
            click.echo(summary)
