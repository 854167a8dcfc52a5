"""The options and arguments that several commands take: the file of rules, the choice of a table, a seed.

Each argument is checked where it is read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from ...interpreter.play.game import Game
    from ...interpreter.rules import Rules

_Command = TypeVar("_Command", bound=Callable[..., Any])


def variant_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of variants, or of options for `--set`, in the file on the command line."""
    from ...interpreter.model.model import OptionDeclaration
    from ...interpreter.rules import read_rules

    file = ctx.params.get("file") or next(iter(ctx.args), "")  # click leaves it in `args` before an option without its value
    model = read_rules(file).model
    if model is None:
        return []
    if param.name == "settings":
        names = [f"{d.name}=" for d in model.declarations if isinstance(d, OptionDeclaration)]
    else:
        before = "".join(incomplete.rpartition(",")[:2])
        names = [f"{before}{variant.name}" for variant in model.variants]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def names_given(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """``--variant a --variant b`` and ``--variant a,b`` are the same."""
    return tuple(name.strip() for value in values for name in value.split(","))


def settings_given(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in values:
        name, equals, text = (part.strip() for part in value.partition("="))
        if not equals or not name:
            such_as = f", here `{name}=...`" if name else ""
            raise click.BadParameter(f"`{value}` sets nothing: write OPTION=VALUE{such_as}", ctx, param)
        if name in found:
            raise click.BadParameter(f"`{name}` is set twice, to `{found[name]}` and to `{text}`; name it once", ctx, param)
        found[name] = text
    return found


def seed_given(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    if not (value.isascii() and value.isdecimal() and len(value) <= 20 and int(value) < 1 << 64):
        raise click.BadParameter(f"`{value}` is no seed: a seed is a whole number from 0 to 2**64 - 1", ctx, param)
    return int(value)


def random_seed(bots: str | None = None) -> int:
    """A seed where none is given: short enough to be told to somebody, unless a player from a file is among the bots, which could
    find a short one by trying."""
    from secrets import randbelow

    return randbelow(1 << 64 if ".py:" in (bots or "") else 1_000_000_000)


class TableChoice(NamedTuple):
    """The table that the command line asks for: how many ``players`` (None: the fewest that the game admits), which ``variants``
    are in play, and ``settings``, the values of options by their names."""

    players: int | None
    variants: tuple[str, ...]
    settings: Mapping[str, str]

    @property
    def is_given(self) -> bool:
        """Whether anything is asked for."""
        return self.players is not None or bool(self.variants or self.settings)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The options of a command line that ask for this table."""
        players = ("--players", str(self.players)) if self.players is not None else ()
        variants = [word for variant in self.variants for word in ("--variant", variant)]
        settings = [word for option, value in self.settings.items() for word in ("--set", f"{option}={value}")]
        return *players, *variants, *settings

    def load(self, file: str) -> Game:
        """The game of a file of rules at this table. Raises `RulesError`."""
        from ...interpreter.play.game import load

        return load(file, self.players, self.variants, self.settings)


def table_options(command: _Command) -> _Command:
    """The options that choose a table, given to the command as one `TableChoice` named ``table``."""
    add = (
        click.option("--players", type=int, metavar="N", help="Number of players (default: the fewest that the game allows)."),
        click.option(
            "--variant", "variants", multiple=True, metavar="NAME", callback=names_given, shell_complete=variant_names,
            help="A variant to play; can be repeated.",
        ),
        click.option(
            "--set", "settings", multiple=True, metavar="OPTION=VALUE", callback=settings_given, shell_complete=variant_names,
            help="Set an option of the game; can be repeated.",
        ),
    )  # fmt: skip

    @wraps(command)
    def with_table(players: int | None, variants: tuple[str, ...], settings: Mapping[str, str], **given: Any) -> Any:
        return command(table=TableChoice(players, variants, settings), **given)

    found: Any = with_table
    for option in reversed(add):
        found = option(found)
    return found  # type: ignore[no-any-return]


def check_seat(game: Game, seat: int | None) -> None:
    """Refuse a seat that the table has not."""
    if seat is not None and not 1 <= seat <= game.players:
        raise click.UsageError(f"seats go from 1 to {game.players} at this table; there is no seat {seat}")


def language_of(rules: Rules, language: str | None) -> str:
    """The language in which a game is shown: the one that is asked for on the command line (None: by the environment).

    Refuse a language that neither the program speaks nor the rules have translations or a title in. ``pt-BR`` is ``pt_BR``, and
    ``uk_UA`` is ``uk`` where there is none for that country.
    """
    from ...interpreter.play.language import languages_for
    from ...interpreter.words.languages import language_of_environment

    known = languages_for(rules)
    if language is None:
        return language_of_environment(known=known)
    code = language.replace("-", "_")
    code = next((each for each in (code, code.partition("_")[0].lower()) if each in known), "")
    if not code:
        name = Path(rules.path).stem if rules.model is None else rules.model.game
        raise click.UsageError(f"`{name}` cannot be shown in the language `{language}`: there are {', '.join(known)}")
    return code


def in_language(game: Game, language: str | None) -> Game:
    """The game in a language, see `language_of`."""
    return game.in_language(language_of(game.rules, language))


def rules_named(ctx: click.Context, param: click.Parameter, value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
    """The files of rules that are named; a file that is plainly something else is refused."""
    for path in (value,) if isinstance(value, str) else value or ():
        suffix = Path(path).suffix.casefold()
        if suffix == ".csv":
            raise click.UsageError(f"`{path}` is a table of components; name the file of rules that reads it", ctx)
        if suffix == ".json":
            help = "`rulesrun replay` shows it, `rulesrun play --continue` goes on with a saved one"
            raise click.UsageError(f"`{path}` is a played game, not its rules; {help}", ctx)
    return value


def whole_number(what: str, least: int, most: int, bounds: str) -> Callable[[click.Context, click.Parameter, str], int]:
    """A callback for an option that is a whole number in bounds, which are said as ``bounds``."""

    def given(ctx: click.Context, param: click.Parameter, value: str) -> int:
        if not (value.isascii() and value.isdecimal() and len(value) < 40 and least <= int(value) <= most):
            raise click.BadParameter(f"`{value}` is no {what}: it is a whole number from {bounds}", ctx, param)
        return int(value)

    return given


game_number_given = whole_number("number of a game", 0, 10**18, "0 to 1,000,000,000,000,000,000")

FILE = click.argument("file", type=click.Path(), callback=rules_named)
FILES = click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...", callback=rules_named)
BOTS = click.option(
    "--bots",
    default="random",
    show_default=True,
    metavar="BOT[,BOT...]",
    help="`random`, `casual`, `rollouts:N`, `search:N` or your own `FILE.py:NAME`: one bot for all seats, or one for each.",
)
SEED = click.option("--seed", metavar="N", callback=seed_given, help="Seed for all chance: the same seed gives the same game.")
LANGUAGE = click.option(
    "--language", metavar="CODE", help="Language in which the game is told, such as `uk` (default: that of your system)."
)
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


def seconds_given(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """A time in seconds, as an option gives it."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 1e6:  # eleven days; a clock of the system takes no more than some years
        bounds = "a number of seconds, more than 0 and at most 1,000,000"
        raise click.BadParameter(f"`{value}` is no time: it is {bounds}", ctx, param)
    return seconds


def time_in(what: str, most: float, said: str) -> Callable[[click.Context, click.Parameter, str | None], float | None]:
    """A callback for an option that is a time, in seconds at most so many. ``said``: how it is written."""

    def given(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
        if value is None:
            return None
        found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?) ?(ms|s|min|h|)", value.strip(), re.ASCII)
        seconds = float(found[1]) * {"ms": 0.001, "s": 1, "": 1, "min": 60, "h": 3600}[found[2]] if found else 0
        if not 1e-6 <= seconds <= most:
            raise click.BadParameter(f"`{value}` is no {what}: write {said}", ctx, param)
        return seconds

    return given


thinking_time = time_in("time to think", 3600, "`2s`, `500ms` or `1min`, at most an hour")  # how long a bot thinks
