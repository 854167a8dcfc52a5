"""The shared part of `check` and `test`: the options for coverage and for a report in a file, and how either is written."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from .console import check_writable, rendered, replace_file, shows_colours

if TYPE_CHECKING:
    from ...interpreter.common.diagnostics import Diagnostic
    from ...interpreter.coverage.coverage import Coverage


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


COVERAGE = click.option("--coverage", "listing", is_flag=True, help="List the rules and how often each line was reached.")
AT_LEAST = click.option(
    "--coverage-at-least", "least", metavar="PERCENT", callback=_percent, help="Fail if less of the rules was reached."
)
OUT = click.option("--out", type=click.Path(), metavar="FILE", help="Write the report to a file, and print only a summary.")


def check_listing(listing: bool, form: str) -> None:
    """Refuse to list coverage in a format that has no place for it."""
    if listing and form not in ("text", "json"):
        raise click.UsageError(f"`--coverage` lists the rules in text and in json, and `--format {form}` has no place for that")


def check_out(out: str | None, form: str) -> None:
    """Refuse a place where something else than an earlier report in the same format stands."""
    if out is None:
        return
    from ...interpreter.reports import github, junit, sarif, text

    marks = {
        "text": text.MARK.encode(),
        "json": b'{\n  "files":',
        "sarif": sarif.MARK,
        "github": github.MARK,
        "junit": junit.MARK,
    }
    check_writable(out, marks[form], f"report in this format ({form})")


def renderer(out: str | None) -> Callable[[Diagnostic], str]:
    """How findings are shown: with colours where they are printed on a terminal that has them."""
    from ...interpreter.common.diagnostics import render

    return render if out is not None else lambda diagnostic: rendered(diagnostic, sys.stdout)


def listed(coverage: Sequence[Coverage], out: str | None) -> Iterator[str]:
    """Coverage as lines, with colours as findings."""
    if not coverage:
        return  # and nothing of it need be read
    from ...interpreter.coverage.page import page

    coloured = out is None and shows_colours(sys.stdout)
    for each in coverage:
        yield from (line.coloured if coloured else line.plain for line in page(each))
        yield ""


def with_coverage(found: dict[str, Any], coverage: Sequence[Coverage]) -> dict[str, Any]:
    """The data of a report, with coverage where there is some."""
    from ...interpreter.reports.data import coverage_data

    return found | {"coverage": [coverage_data(each) for each in coverage]} if coverage else found


def as_json(found: object) -> str:
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def print_or_write(written: str, out: str | None, summary: str) -> None:
    """Print a report, or write it into a file and print what it comes to."""
    if out is None:
        click.echo(written, nl=False)
        return
    replace_file(out, written.encode("utf-8", "replace"))
    click.echo(summary)
    click.echo(f"{out} is written.")
