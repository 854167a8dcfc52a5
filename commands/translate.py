"""The command `translate`: write the file in which somebody translates a game. `interpreter/translation` makes it."""

from __future__ import annotations

from pathlib import Path

import click

from .shared.console import FINE, complain, replace_file
from .shared.options import FILE


@click.command(
    epilog="""\b
Examples:
  rulesrun translate games/masti.rules
  rulesrun translate games/masti.rules --language uk

\b
See docs/translation.md."""
)
@FILE
@click.option("--language", "code", metavar="CODE", help="The language, such as `uk` or `pt_BR`.")
@click.option("--out", type=click.Path(), metavar="FILE.po", help="Another place for the file (default: beside the rules).")
def translate(file: str, code: str | None, out: str | None) -> int:
    """Write or update the file in which a game is translated.

    All words that players meet are in it. What is translated already stays. Without a language, list the languages there are and
    how complete they are. In English only the words are written that shall be others than those of the rules.
    """
    from ..interpreter.rules import read_rules
    from ..interpreter.translation.beside import catalogue_path
    from ..interpreter.translation.catalogues import Catalogue, language_of, read_catalogue
    from ..interpreter.translation.checking import another_game, check_translations, entries_for, progress_of
    from ..interpreter.translation.entries import entries_of
    from ..interpreter.translation.writing import written

    rules = read_rules(file)
    rules.required()
    if code is None:
        if out is not None:
            raise click.UsageError("--out goes with --language")
        checked = check_translations(rules)
        for progress in checked.progress:
            click.echo(f"{progress.path}: {progress.said}")
        if not checked.progress and not checked.diagnostics:
            click.echo(f"{file} is not translated yet; `--language CODE` begins a translation")
        return complain(checked.diagnostics)
    language = language_of(code)
    if language is None:
        raise click.UsageError(f"there is no language `{code}`; write its code, such as `uk` or `pt_BR`")
    place = catalogue_path(file, language) if out is None else Path(out)
    if place.suffix != ".po":
        raise click.UsageError(f"`{out}` is no name for translations; it ends with `.po`")
    before = read_catalogue(place, language) if place.exists() else None
    if before is not None and not isinstance(before, Catalogue):
        return complain(before)
    entries = entries_for(entries_of(rules), file, rules, language)
    another = another_game(entries, before) if before is not None else None
    if another is not None:
        return complain([another])
    text = written(entries, language, before)
    replace_file(str(place), text)
    now = read_catalogue(place, language)
    assert isinstance(now, Catalogue)
    click.echo(f"{place} is written. {progress_of(entries, now).said}.")
    return FINE
