"""The command line: parse arguments, call, print. Nothing in `interpreter` prints or exits.

Exit codes: 0 fine; 1 findings (rules at fault, a test that fails, a game stopped by a fault); 2 wrong usage or input that
cannot be read. Commands import what they need when they run, so that `--help` and completion are quick.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from .commands.check import check, test
from .commands.compare import compare
from .commands.console import (
    FINDINGS,
    FINE,
    INTERRUPTED,
    USAGE,
    check_writable,
    complain,
    nobody_reads,
    open_closed_streams,
    output_lost,
    print_json,
    print_page,
    quoted,
    replace_file,
    write,
)
from .commands.conversation import converse
from .commands.fix import fix, fmt
from .commands.options import (
    BOTS,
    FILE,
    FORMAT,
    LANGUAGE,
    SEED,
    game_number_given,
    names_given,
    random_seed,
    rules_named,
    table_options,
    variant_names,
)
from .commands.perft import perft
from .commands.simulate import simulate
from .commands.solve import solve

if TYPE_CHECKING:
    from .interpreter.play.game import Game
    from .interpreter.play.transcript import Transcript
    from .interpreter.terminal.seat import Session

class PlayCommand(click.Command):
    """Its help lists what can be typed in the game."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from .interpreter.terminal.seat import COMMANDS

        with formatter.section("What to type in the game"):
            formatter.write_dl(list(COMMANDS))
        super().format_epilog(ctx, formatter)


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
  rulesrun check games/*.rules            look for faults in the rules
  rulesrun play games/masti.rules         take a seat yourself

\b
Completion in bash (zsh, fish: the same with their names), once `rulesrun` is a
command: activate the environment that it is in first.
  . .venv/bin/activate        (Windows: .venv\\Scripts\\activate)
  eval "$(_RULESRUN_COMPLETE=bash_source rulesrun)"

Exit codes: 0 fine, 1 findings, 2 wrong usage or unreadable input.""",
)
@click.version_option(package_name="rulesrun", message="%(prog)s %(version)s")
def cli() -> None:
    """Rules of tabletop games as programs that designers can read.

    `rulesrun FILE` is short for `rulesrun run FILE`.
    """


# ---- The commands


@cli.command(epilog="Example: rulesrun run games/masti.rules --players 4 --variant partners --seed 7")
@FILE
@table_options
@SEED
@click.option(
    "--game", "number", metavar="N", default="0", callback=game_number_given, help="Number of the game under that seed, from 0."
)
@BOTS
@click.option("--seat", type=int, metavar="N", help="Show only what that seat may know.")
@click.option("--save", type=click.Path(), metavar="FILE", help="Write the transcript, for `rulesrun replay`.")
@FORMAT
@LANGUAGE
def run(
    file: str,
    players: int | None,
    variants: tuple[str, ...],
    settings: dict[str, str],
    seed: int | None,
    number: int,
    bots: str,
    seat: int | None,
    save: str | None,
    form: str,
    language: str | None,
) -> int:
    """Play a whole game between bots and show it."""
    from .interpreter.common.deadline import patience
    from .interpreter.play import result, transcript
    from .interpreter.play.narration import narrate
    from .interpreter.players.bots import bots_from
    from .interpreter.players.pickers import picker_for
    from .interpreter.simulate.engines.engine import PATIENCE

    game = _load(file, players, variants, settings)
    _check_seat(game, seat)
    _check_language(game, language)
    seed = random_seed() if seed is None else seed
    pickers = [picker_for(bot, game.machine) for bot in bots_from(bots, game.players)]
    with patience(f"game {number} of seed {seed}", PATIENCE):
        state = game.start(seed, game=number)
        while state.player:
            state.play_by(pickers[state.player - 1])
    if form == "json":
        whole = transcript.to_data(transcript.transcript_of(state, seed))
        click.echo(transcript.to_text(whole if seat is None else transcript.seen_by(state, seed, seat)), nl=False)
    else:
        print_page((*result.heading(game, seed, seat, language, number), *narrate(game, state.events, seat)), game)
        if state.fault is None:
            print_page(result.result(state), game, after=True)
    if save is not None:
        write(save, transcript.to_text(transcript.to_data(transcript.transcript_of(state, seed))))
    return FINE if state.fault is None else complain([state.fault])


@cli.command(
    cls=PlayCommand,
    epilog="""\b
Examples:
  rulesrun play games/masti.rules --seat 2
  rulesrun play --continue mine.json
  rulesrun play games/masti.rules --continue mine.json

A saved game holds everything, the hidden cards too: do not look into it."""
)
@click.argument("file", type=click.Path(), required=False, callback=rules_named)
@click.option("--seat", type=int, metavar="N", help="Your seat (1 when not said).")
@table_options
@SEED
@click.option("--continue", "saved", type=click.Path(), metavar="SAVE", help="Go on with a saved game.")
@LANGUAGE
def play(
    file: str | None,
    seat: int | None,
    players: int | None,
    variants: tuple[str, ...],
    settings: dict[str, str],
    seed: int | None,
    saved: str | None,
    language: str | None,
) -> int:
    """Take a seat yourself, against random players; you see only what your seat may."""
    from .interpreter.common.deadline import patience
    from .interpreter.simulate.engines.engine import PATIENCE
    from .interpreter.terminal.seat import Session, resumed

    session: Session

    if saved is not None:
        if players is not None or variants or settings or seed is not None:
            raise click.UsageError("a saved game has its table and seed already: leave out --players, --variant, --set, --seed")
        transcript = _transcript(saved)
        with_rules = f"rulesrun play GAME.rules --continue {quoted(saved)}"
        with patience("the game", PATIENCE):
            session, warnings = resumed(transcript, _rules_of(transcript, saved, file, with_rules), saved)
        complain(warnings)
        if seat not in (None, session.seat):
            raise click.UsageError(f"this game was saved from seat {session.seat}")
    elif file is None:
        raise click.UsageError("which game? `rulesrun play FILE`, or `rulesrun play --continue SAVE`")
    else:
        game = _load(file, players, variants, settings)
        _check_seat(game, seat)
        seed = random_seed() if seed is None else seed
        with patience("the game", PATIENCE):
            session = Session(game.start(seed), seat or 1, seed)
    _check_language(session.state.game, language)
    print_page(session.opening(language), session.state.game)
    return converse(session)


@cli.command(epilog="Example: rulesrun replay game.json --rules games/masti.rules")
@click.argument("transcript", type=click.Path(), metavar="FILE")
@click.option("--rules", type=click.Path(), metavar="FILE", help="Where the rules are now.")
@click.option("--seat", type=int, metavar="N", help="Show only what that seat may know.")
@LANGUAGE
def replay(transcript: str, rules: str | None, seat: int | None, language: str | None) -> int:
    """Play a transcript again and show it; say what has changed in the rules since."""
    from .interpreter.common.deadline import patience
    from .interpreter.play.replay import replay as play_again
    from .interpreter.play.result import heading, result
    from .interpreter.simulate.engines.engine import PATIENCE

    read = _transcript(transcript)
    game = _rules_of(read, transcript, rules, f"rulesrun replay {quoted(transcript)} --rules GAME.rules")
    _check_seat(game, seat)
    _check_language(game, language)
    with patience("the game", PATIENCE):
        found = play_again(read, game)
    state = found.state
    print_page((*heading(game, read.seed, seat, language), *found.told(seat)), game)
    if state.is_over and state.fault is None:
        print_page(result(state), game, after=True)
    if state.fault is not None and state.fault not in found.diagnostics:
        return complain([*found.diagnostics, state.fault])
    return complain(found.diagnostics)


@cli.command(epilog="Example: rulesrun variants games/masti.rules")
@FILE
@FORMAT
def variants(file: str, form: str) -> int:
    """List the options and variants of a game, and what each variant changes."""
    from .commands.looking import PROVING
    from .interpreter.common.deadline import patience
    from .interpreter.overview.variants import as_json, left_out, overview, page, with_tables
    from .interpreter.rules import read_rules

    began = process_time()
    with patience("reading the rules", PROVING, "put variants into files of their own that extend the game"):
        rules = read_rules(file)
        found = overview(rules)
    found = with_tables(found, rules.required(), PROVING - (process_time() - began))
    if form == "json":
        print_json(as_json(found))
    else:
        print_page(page(found))
    return complain(left_out(found, PROVING))


@cli.command(
    epilog="""\b
Examples:
  rulesrun diff games/masti.rules mine.rules
  rulesrun diff games/masti.rules --variant partners --players 4

\b
Exit codes: 0 no rule differs, 1 some do, 2 wrong usage or rules with faults."""
)
@FILE
@click.argument("other", required=False, type=click.Path(), callback=rules_named)
@table_options
@click.option(
    "--against", multiple=True, metavar="NAME", callback=names_given, shell_complete=variant_names,
    help="A variant on the first side; those of --variant are on the second.",
)  # fmt: skip
@FORMAT
def diff(
    file: str,
    other: str | None,
    players: int | None,
    variants: tuple[str, ...],
    settings: dict[str, str],
    against: tuple[str, ...],
    form: str,
) -> int:
    """Say which rules differ: between two files, or between a game with and without variants.

    Two files are compared whole. With --variant, --against, --players or --set, two tables are: the first without the
    variants of --variant, the second with them.
    """
    from .interpreter.common.diagnostics import RulesError
    from .interpreter.overview.difference import as_json, compare, compare_tables, page
    from .interpreter.rules import read_rules

    if other is None and not variants and not against:
        raise click.UsageError("compare it with what? name a second file, or variants: `--variant NAME`")
    first = read_rules(file)
    second = first if other is None else read_rules(other)
    try:
        if players is None and not variants and not against and not settings:
            found = compare(first, second)
        else:
            found = compare_tables(first, second, against, variants, players, settings)
    except RulesError as error:
        complain(error.diagnostics)
        return USAGE
    if form == "json":
        print_json(as_json(found))
    else:
        print_page(page(found))
    return FINDINGS if found.differences or found.elsewhere else FINE


@cli.command(epilog="Example: rulesrun export games/masti.rules --players 4 --out masti.wasm")
@FILE
@table_options
@click.option("--out", type=click.Path(), metavar="FILE.wasm", required=True, help="Where the module goes.")
def export(file: str, players: int | None, variants: tuple[str, ...], settings: dict[str, str], out: str) -> int:
    """Write a game as a WebAssembly module, and beside it a description (.json), for other programs to play it."""
    import json

    from .interpreter.wasm.running.compiled import compiled_from

    place = Path(out)
    if place.suffix != ".wasm":
        raise click.UsageError(f"`{out}` is no name for a module; it ends with `.wasm`")
    beside = str(place.with_suffix(".json"))
    check_writable(out, b"\0asm", "WebAssembly module")
    check_writable(beside, b'{"game": ', "description of a module")
    compiled = compiled_from(_load(file, players, variants, settings).machine)
    replace_file(out, compiled.content)
    replace_file(beside, json.dumps(compiled.description, ensure_ascii=False) + "\n")
    click.echo(f"{out} and {beside} are written.")
    return FINE


@cli.command(epilog="Example: rulesrun show --stage machine games/masti.rules --players 4")
@click.option(
    "--stage", type=click.Choice(["tree", "model", "table", "machine", "wat", "scores"]), default="model", show_default=True,
    help="`tree`: as read; `model`: names and types; `table`: at one table; `machine`: what is played; `wat`: as WebAssembly; "
    "`scores`: the least and the most that a player can score and get.",
)  # fmt: skip
@FILE
@table_options
def show(stage: str, file: str, players: int | None, variants: tuple[str, ...], settings: dict[str, str]) -> int:
    """Print the rules as a stage of the compiler sees them."""
    if stage == "machine":
        from .interpreter.machine.show import show as machine_text

        game = _load(file, players, variants, settings)
        click.echo(machine_text(game.machine, game.scalar_loops), nl=False)
        return FINE
    if stage == "wat":
        from .interpreter.wasm.binary.show import show_module
        from .interpreter.wasm.emission import emit

        module, _ = emit(_load(file, players, variants, settings).machine)
        click.echo(show_module(module), nl=False)
        return FINE
    if stage == "scores":
        from .interpreter.checks.lints import scores
        from .interpreter.common.deadline import patience
        from .interpreter.simulate.engines.engine import PATIENCE

        table = _load(file, players, variants, settings).table
        with patience("counting what can be scored", PATIENCE, "write fewer rules, or fewer values in their ranges"):
            found = scores.scores(table)
        click.echo("no game comes to its end\n" if found is None else scores.show(found), nl=False)
        return FINE
    if stage == "table":
        from .interpreter.table.show import show as table_text

        click.echo(table_text(_load(file, players, variants, settings).table), nl=False)
        return FINE
    from .interpreter.rules import read_rules

    rules = read_rules(file)
    if stage == "tree" and rules.tree is not None:
        from .interpreter.syntax.show import show as tree_text

        click.echo(tree_text(rules.tree), nl=False)
    elif rules.model is not None:
        from .interpreter.model.show import show as model_text

        click.echo(model_text(rules.model), nl=False)
    return complain(rules.diagnostics)


@cli.command(
    epilog="""\b
Examples:
  rulesrun explain R207
  rulesrun explain            all codes"""
)
@click.argument("code", required=False)
def explain(code: str | None) -> int:
    """Say what the code of a message means.

    With an example and its cure; without a code, all codes are listed.
    """
    from .interpreter.common.codes import codes, like, page

    if code is None:
        for each in sorted(codes()):
            click.echo(page(each).partition("\n")[0].removeprefix("# "))
        return FINE
    wanted = code.strip().upper()
    if wanted not in codes():
        meant = f"{like(wanted)} `rulesrun explain` lists all".strip()
        raise click.UsageError(f"there is no code `{code}`; {meant}")
    click.echo(page(wanted), nl=False)
    return FINE


@cli.command("help", epilog="Example: rulesrun help play")
@click.argument("command", required=False)
@click.pass_context
def help_(ctx: click.Context, command: str | None) -> int:
    """Say what a command does and takes.

    Without a command, say what commands there are.
    """
    assert ctx.parent is not None
    if command is None:
        click.echo(cli.get_help(ctx.parent))
        return FINE
    _, found, _ = cli.resolve_command(ctx.parent, [command])
    assert found is not None
    with click.Context(found, info_name=command, parent=ctx.parent) as context:
        click.echo(found.get_help(context))
    return FINE


@cli.command(epilog="Example: rulesrun new games/my_game")
@click.argument("name", type=click.Path())
def new(name: str) -> int:
    """Write a small commented game to start from."""
    from importlib.resources import files

    from .interpreter.syntax.lexing.words import RESERVED

    path = Path(name if name.endswith(".rules") else f"{name}.rules")
    game = path.stem
    if not game.isidentifier() or game in RESERVED:
        why = "it is a word of the language" if game in RESERVED else "letters, digits and _, no digit first"
        raise click.UsageError(f"`{game}` cannot be the name of a game: {why}")
    template = (files(__package__ or "rulesrun") / "games" / "templates" / "new.rules").read_text(encoding="utf-8")
    title = game.replace("_", " ").strip().capitalize() or game
    text = template.replace("game new_game", f"game {game}", 1).replace('title en "New game"', f'title en "{title}"', 1)
    if path.exists():
        raise click.UsageError(f"`{path}` is there already; nothing was written")
    write(str(path), text)
    click.echo(f"{path} is written. Next:\n  rulesrun {path}\n  rulesrun test {path}\n  rulesrun play {path}")
    return FINE


cli.add_command(check)
cli.add_command(test)
cli.add_command(fix)
cli.add_command(fmt)
cli.add_command(simulate)
cli.add_command(compare)
cli.add_command(perft)
cli.add_command(solve)


# ---- Helpers


def _load(file: str, players: int | None, variants: Sequence[str], settings: dict[str, str]) -> Game:
    from .interpreter.play.game import load

    return load(file, players, variants, settings)


def _check_seat(game: Game, seat: int | None) -> None:
    if seat is not None and not 1 <= seat <= game.players:
        raise click.UsageError(f"seats go from 1 to {game.players} at this table; there is no seat {seat}")


def _check_language(game: Game, language: str | None) -> None:
    try:
        game.title(language)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _transcript(path: str) -> Transcript:
    """The transcript in a file. Raises `RulesError`."""
    from .interpreter.common.diagnostics import Diagnostic, RulesError
    from .interpreter.common.files import read_text
    from .interpreter.play import transcript

    source = read_text(path, transcript.SIZE_LIMIT)
    found = source if isinstance(source, Diagnostic) else transcript.from_text(source)
    if isinstance(found, Diagnostic):
        raise RulesError([found])
    return found


def _rules_of(transcript: Transcript, path: str, given: str | None, command: str) -> Game:
    """The table of a transcript that was read from a path; ``command`` names the rules. Raises `RulesError`."""
    from .interpreter.common.diagnostics import Diagnostic, RulesError
    from .interpreter.play.replay import find_rules, table_for

    rules = find_rules(transcript, Path(path).parent, given, command)
    if isinstance(rules, Diagnostic):
        raise RulesError([rules])
    return table_for(transcript, rules)


def main() -> None:
    """The entry point of the `rulesrun` command."""
    gc.set_threshold(500_000, 20, 100)  # the values of the stages last: to look through them for garbage takes a tenth of a start
    cli(prog_name="rulesrun")


if __name__ == "__main__":
    main()
