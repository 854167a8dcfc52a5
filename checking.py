"""The commands `check` and `test`: parse arguments, look, print.

What is looked at is in `interpreter/checks` and `interpreter/play/testing.py`, how it is written for other programs in
`interpreter/reports`.
"""

from __future__ import annotations

import sys

import click

from .arguments import FILES, FORMAT
from .console import FINDINGS, FINE, complain, counted, exit_code, print_json, rendered


@click.command(epilog="Example: rulesrun check games/*.rules")
@FILES
@FORMAT
def check(files: tuple[str, ...], form: str) -> int:
    """Look for faults: syntax, names, types, tables, zones, variants."""
    from .interpreter.checks.tables import check as look
    from .interpreter.diagnostics import as_json
    from .interpreter.rules import read_rules

    checked = {file: look(read_rules(file)) for file in files}
    found = list(dict.fromkeys(d for each in checked.values() for d in each.findings))  # of a game that several extend: one
    notes = [f"{file}: {note}" for file, each in checked.items() for note in each.notes]
    if form == "json":
        print_json({"files": len(files), "findings": [as_json(diagnostic) for diagnostic in found], "notes": notes})
    else:
        for diagnostic in found:
            click.echo(rendered(diagnostic, sys.stdout) + "\n")
        for note in notes:
            click.echo(f"note: {note}")
        click.echo(f"{counted(len(files), 'file')}, {counted(len(found), 'finding')}")
    return exit_code(found)


@click.command(epilog="Example: rulesrun test games/*.rules")
@FILES
@click.option("-v", "--verbose", is_flag=True, help="Name every test.")
def test(files: tuple[str, ...], verbose: bool) -> int:
    """Run the tests that stand in the rules."""
    from .interpreter.play.testing import run_tests
    from .interpreter.rules import read_rules

    passed = failed = 0
    code = FINE
    for file in files:
        rules = read_rules(file)
        if rules.model is None:
            code = max(code, complain(rules.diagnostics))
            continue
        results = run_tests(rules)
        if not results:
            click.echo(f"{file}: no tests")
            continue
        marks = "".join("." if result.passed else "F" for result in results)
        click.echo(f"{file}: {marks} {sum(r.passed for r in results)} of {len(results)}")
        for result in results:
            if verbose or not result.passed:
                click.echo(f"  {'passed' if result.passed else 'FAILED'}  {result.title}")
            if not result.passed:
                text = "\n".join(rendered(diagnostic, sys.stdout) for diagnostic in result.diagnostics)
                click.echo("".join(f"    {line}\n" for line in text.splitlines()), nl=False)
        passed += sum(result.passed for result in results)
        failed += sum(not result.passed for result in results)
    click.echo(f"{passed} passed, {failed} failed, in {counted(len(files), 'file')}")
    return max(code, FINDINGS if failed else FINE)
