"""The command `show`: print the rules at a stage of the compiler."""

from __future__ import annotations

import click

from .shared.console import FINE, complain
from .shared.options import FILE, TableChoice, table_options


@click.command(epilog="Example: rulesrun show --stage machine games/masti.rules --players 4")
@click.option(
    "--stage",
    type=click.Choice(["tree", "model", "table", "machine", "wat", "scores"]),
    default="model",
    show_default=True,
    help="`tree`: syntax; `model`: names and types; `table`: one table; `machine`: executable form; `wat`: WebAssembly text; "
    "`scores`: least and greatest scores and returns.",
)
@FILE
@table_options
def show(stage: str, file: str, table: TableChoice) -> int:
    """Print the rules at a stage of the compiler."""
    if stage == "machine":
        from ..interpreter.machine.inspect.show import show as machine_text

        game = table.load(file)
        click.echo(machine_text(game.machine, game.scalar_loops), nl=False)
        return FINE
    if stage == "wat":
        from ..interpreter.wasm.binary.show import show_module
        from ..interpreter.wasm.emission import emit

        module, _ = emit(table.load(file).machine)
        click.echo(show_module(module), nl=False)
        return FINE
    if stage == "scores":
        from ..interpreter.checks.lints import scores
        from ..interpreter.common.deadline import patience
        from ..interpreter.simulate.engines.interface import PATIENCE

        shown = table.load(file).table
        with patience("counting what can be scored", PATIENCE, "write fewer rules, or fewer values in their ranges"):
            found = scores.scores(shown)
        click.echo("no game comes to its end\n" if found is None else scores.show(found), nl=False)
        return FINE
    if stage == "table":
        from ..interpreter.table.show import show as table_text

        click.echo(table_text(table.load(file).table), nl=False)
        return FINE
    from ..interpreter.rules import read_rules

    rules = read_rules(file)
    if stage == "tree" and rules.tree is not None:
        from ..interpreter.syntax.show import show as tree_text

        click.echo(tree_text(rules.tree), nl=False)
    elif rules.model is not None:
        from ..interpreter.model.show import show as model_text

        click.echo(model_text(rules.model), nl=False)
    return complain(rules.diagnostics)
