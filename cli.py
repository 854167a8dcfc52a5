"""The command line: the group of all commands, and the handling of their exit codes and errors.

Exit codes: 0 fine; 1 findings (rules at fault, a test that fails, a game stopped by a fault); 2 wrong usage or input that
cannot be read. Commands import what they need when they run, so that `--help` and completion are quick.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from .commands import (
    aid,
    analyse,
    baseline,
    check,
    compare,
    diff,
    explain,
    export,
    fix,
    fmt,
    help,
    lsp,
    new,
    pack,
    perft,
    play,
    print,
    replay,
    review,
    rulebook,
    run,
    serve,
    show,
    simulate,
    solve,
    sweep,
    test,
    tournament,
    translate,
    tune,
    unpack,
    variants,
)
from .commands.shared.console import INTERRUPTED, USAGE, complain, nobody_reads, open_closed_streams, output_lost


class Commands(click.Group):
    """The commands; a bare file name (or options alone) means `run`. A command returns its exit code."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, ["run", *args] if args and self._means_run(args[0]) else args)

    def _means_run(self, first: str) -> bool:
        if first.startswith("-"):
            return first not in ("-h", "--help", "--version", "--")
        return first not in self.commands and (any(c in first for c in "./\\") or os.path.exists(first))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not ctx.resilient_parsing:
            from .interpreter.common.diagnostics import did_you_mean

            known = f"commands: {', '.join(self.list_commands(ctx))}"
            begun = [name for name in self.list_commands(ctx) if name.startswith(args[0])]
            help = f"did you mean `{begun[0]}`?" if len(begun) == 1 else did_you_mean(args[0], self.commands, known)
            raise click.UsageError(f"there is no command and no file `{args[0]}`; {help}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        files = [] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")]
        return [*files, *super().shell_complete(ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would make it a failure
            return nobody_reads()

    def main(  # type: ignore[override]  # click's overloads only say that standalone mode never returns
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> int:
        open_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        try:
            code: int = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            code = INTERRUPTED
        except BrokenPipeError:
            code = nobody_reads()
        except OSError as error:
            if error.filename is not None:
                raise
            code = output_lost(error)
        except Exception as error:
            from .interpreter.common.diagnostics import RulesError
            from .interpreter.common.giving_up import reasons

            found = error.diagnostics if isinstance(error, RulesError) else reasons(error)
            if not found:
                raise
            code = complain(found)
            if any(d.code.startswith("R4") for d in found):
                code = USAGE  # the table asked for is none of the game's
        if standalone_mode:
            sys.exit(code)
        return code


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  rulesrun games/masti.rules --seed 7     play a whole game and show it
  rulesrun check games/*.rules            find faults in the rules
  rulesrun play games/masti.rules         take a seat yourself

\b
Completion in bash (for zsh or fish, replace `bash`). Activate the environment of
rulesrun first.
  . .venv/bin/activate        (Windows: .venv\\Scripts\\activate)
  eval "$(_RULESRUN_COMPLETE=bash_source rulesrun)"

Exit codes: 0 fine, 1 findings, 2 wrong usage or unreadable input.""",
)
@click.version_option(package_name="rulesrun", message="%(prog)s %(version)s")
def cli() -> None:
    """Check, play and measure tabletop games written as rules that designers can read.

    `rulesrun FILE` is short for `rulesrun run FILE`.
    """


for _command in (
    run.run, play.play, serve.serve, replay.replay, review.review, check.check, test.test, fix.fix, fmt.fmt, lsp.lsp,
    simulate.simulate, compare.compare, tournament.tournament, analyse.analyse, sweep.sweep, baseline.baseline, tune.tune,
    perft.perft, solve.solve, variants.variants, diff.diff, rulebook.rulebook, aid.aid, print.print_, show.show,
    translate.translate, export.export, pack.pack, unpack.unpack, explain.explain, help.help_, new.new,
):  # fmt: skip
    cli.add_command(_command)


def main() -> None:
    """The entry point of the `rulesrun` command."""
    gc.set_threshold(500_000, 20, 100)  # the values of the stages last: to look through them for garbage takes a tenth of a start
    cli(prog_name="rulesrun")


if __name__ == "__main__":
    main()
