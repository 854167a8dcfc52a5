"""Commands run in this process, as a test needs them."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result
from rulesrun.cli import cli

HERE = Path(__file__).parent
PAIRS = str(HERE / "pairs.rules")
MASTI = str(HERE.parent.parent / "games" / "masti.rules")


def rulesrun(*arguments: str, typed: str | None = None) -> Result:
    """Run a command; a traceback fails the test."""
    result = CliRunner().invoke(cli, list(arguments), input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result
