"""How does a game that was compiled once play again without its rules being read? From an entry of the cache.

Reading rules and compiling them takes most of a second, half of it for importing the compiler; an entry takes milliseconds. It
is found by all that goes into it: the text of the rules, how the table was asked for, and rulesrun's own files. It names the
other files that were read (parents, ``.csv``), with digests: where one has changed, the entry is made anew.

An entry is the length of its json text in 8 bytes, the text, and the bytes of the module. Native code is not kept: a flipped
bit there is native code gone wrong, and compiling it again costs milliseconds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from .. import cache
from ..diagnostics import Diagnostic
from ..files import read_text
from .compiled import Compiled

if TYPE_CHECKING:
    from ..machine.columns import Columns
    from ..play.game import Game

_PACKAGE = Path(__file__).parents[2]


@frozen(eq=False, slots=False)
class KeptTable:
    """One table of a rules file for those who play many games of it. What is told of it is told as `Game` tells it.

    ``told``: plain data. ``load``: reads the rules and makes the game, which is done when `game` is first asked for.
    """

    told: Mapping[str, Any] = field(repr=False)
    compiled: Compiled
    load: Callable[[], Game] = field(repr=False)

    @property
    def name(self) -> str:
        return str(self.told["name"])

    @property
    def players(self) -> int:
        return int(self.told["players"])

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(self.told["variants"])

    @property
    def options(self) -> dict[str, str]:
        return dict(self.told["options"])

    @property
    def rules_hash(self) -> str:
        return str(self.told["rules_hash"])

    @property
    def seat_names(self) -> tuple[str, ...]:
        return tuple(self.compiled.description["seat_names"])

    @property
    def columns(self) -> Columns:
        return self.compiled.columns

    @cached_property
    def game(self) -> Game:
        return self.load()


def kept_table(
    path: str | Path,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
) -> KeptTable:
    """A table by the arguments of `play.game.load`, from the cache if it is there. Raises `RulesError`."""
    chosen, settings = tuple(variants), dict(options or {})

    def load() -> Game:
        from ..play.game import load

        return load(path, players, chosen, settings)

    source = read_text(path)
    if isinstance(source, Diagnostic):
        return _made(load(), load)  # which says the same
    asked = json.dumps([str(path), players, chosen, sorted(settings.items())])
    name = cache.name_for("table", source.text, asked, _own_files())
    entry = cache.read(name)
    if entry is not None:
        size = int.from_bytes(entry[:8], "little")
        told = json.loads(entry[8 : 8 + size])
        if all(_digest_of(beside) == digest for beside, digest in told["beside"].items()):
            return KeptTable(told, Compiled(entry[8 + size :], told["module"]), load)
    game = load()
    table = _made(game, lambda: game)
    text = json.dumps(table.told, ensure_ascii=False).encode("utf-8", "surrogatepass")
    cache.write(name, len(text).to_bytes(8, "little") + text + table.compiled.content)
    return table


def _made(game: Game, load: Callable[[], Game]) -> KeptTable:
    compiled = game.compiled
    told = {
        "name": game.name,
        "players": game.players,
        "variants": list(game.variants),
        "options": game.options,
        "rules_hash": game.rules_hash,
        "beside": {source.path: _digest(source.text) for source in game.rules.beside},
        "module": compiled.description,
    }
    return KeptTable(told, compiled, load)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _digest_of(path: str) -> str:
    """The digest of a file's text; "" where it cannot be read."""
    found = read_text(path)
    return "" if isinstance(found, Diagnostic) else _digest(found.text)


def _own_files() -> str:
    """What tells these files of rulesrun from those of another version, or of the same after an edit."""
    found = [str(_PACKAGE)]
    for folder in ("interpreter", "grammar"):
        for at, _, names in os.walk(_PACKAGE / folder):
            for name in names:
                if name.endswith((".py", ".lark")):
                    file = os.stat(os.path.join(at, name))
                    found.append(f"{at}/{name} {file.st_size} {file.st_mtime_ns}")
    return "\n".join(sorted(found))
