"""Compiled games in the cache, to play again without reading the rules.

Reading rules and compiling them takes most of a second, half of it for importing the compiler; loading an entry takes
milliseconds. The key of an entry is everything that goes into it: the text of the rules, how the table was asked for, and
rulesrun's own files. The entry names the other files that were read (parents, ``.csv``), with digests: if one has changed, the
entry is made anew.

A table has an entry for its description, and one for each of its modules (`compiled.py`) that was asked for: the length of the
description in 8 bytes, the description in json, and the module's bytes. Native code is not kept: a flipped bit there would be
executed, and compiling again costs milliseconds.

An entry is not trusted, whoever wrote it: it must have the shape that is written here, and a module must be the one of its
description (`fitting.py`) and of this table. Any other is made anew.
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

from ..common import cache
from ..common.diagnostics import Diagnostic, RulesError
from ..common.files import read_text
from ..wasm.running.compiled import Compiled

if TYPE_CHECKING:
    from ..machine.columns import Columns
    from .game import Game

_PACKAGE = Path(__file__).parents[2]


@frozen(eq=False, slots=False)
class KeptTable:
    """One table of a rules file for those who play many games of it. What is told of it is told as `Game` tells it.

    ``told``: plain data. ``asked``: what its entries are named by, beside the other files that were read. ``load``: reads the
    rules and makes the game, which is done when `game` is first asked for.
    """

    told: Mapping[str, Any] = field(repr=False)
    asked: tuple[str, ...] = field(repr=False)
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
        return tuple(self.told["seat_names"])

    @property
    def columns(self) -> Columns:
        from ..machine.columns import Columns

        return Columns.from_data(self.told["columns"])

    @cached_property
    def game(self) -> Game:
        return self.load()

    @cached_property
    def playouts(self) -> Compiled:
        """See `Game.playouts`."""
        return self._module("playouts", lambda: self.game.playouts)

    @cached_property
    def compiled(self) -> Compiled:
        """See `Game.compiled`."""
        return self._module("module", lambda: self.game.compiled)

    def _module(self, purpose: str, make: Callable[[], Compiled]) -> Compiled:
        name = cache.name_for(purpose, *self.asked, json.dumps(self.told["beside"]))
        entry = cache.read(name)
        if entry is not None:
            size = int.from_bytes(entry[:8], "little")
            kept = Compiled(entry[8 + size :], _from_json(entry[8 : 8 + size]))
            if self._fits(kept):
                return kept
        compiled = make()
        text = _json(compiled.description)
        cache.write(name, len(text).to_bytes(8, "little") + text + compiled.content)
        return compiled

    def _fits(self, kept: Compiled) -> bool:
        """Whether a module that was read is one of this table, as far as can be seen."""
        from ..wasm.running.fitting import fits

        told = kept.description
        named = told.get("game") == self.name and told.get("seat_names") == list(self.seat_names)
        return named and fits(kept, self.columns)


def kept_table(
    path: str | Path,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
) -> KeptTable:
    """A table by the arguments of `play.game.load`, from the cache if it is there. Raises `RulesError`."""
    chosen, settings = tuple(variants), dict(options or {})

    def load() -> Game:
        from .game import load

        return load(path, players, chosen, settings)

    source = read_text(path)
    if isinstance(source, Diagnostic):
        load()  # which says the same
        raise RulesError([source])
    asked = (source.text, json.dumps([str(path), players, chosen, sorted(settings.items())]), own_files())
    name = cache.name_for("table", *asked)
    entry = cache.read(name)
    if entry is not None:
        told = _from_json(entry)
        if _is_told(told) and all(_digest_of(beside) == digest for beside, digest in told["beside"].items()):
            return KeptTable(told, asked, load)
    game = load()
    columns = game.columns
    told = {
        "name": game.name,
        "players": game.players,
        "variants": list(game.variants),
        "options": game.options,
        "seat_names": list(game.seat_names),
        "columns": columns.to_data(),
        "rules_hash": game.rules_hash,
        "beside": {source.path: _digest(source.text) for source in game.rules.beside},
    }
    cache.write(name, _json(told))
    return KeptTable(told, asked, lambda: game)


def _json(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _from_json(data: bytes) -> dict[str, Any]:
    """What was written by `_json`; nothing where it was something else."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_told(told: Mapping[str, Any]) -> bool:
    """Whether these are such data as `kept_table` writes of a table."""
    try:
        columns, players = told["columns"], told["players"]
        return (
            all(isinstance(told[name], str) for name in ("name", "rules_hash"))
            and all(_are_texts(texts) for texts in (told["variants"], told["seat_names"], columns["terms"]))
            and all(_are_texts([*pairs, *pairs.values()]) for pairs in (told["options"], told["beside"]))
            and all(type(number) is int for number in (players, columns["team_size"]))
            and 1 <= columns["team_size"] <= players == columns["seats"] == len(told["seat_names"])
            and isinstance(columns["returns"], bool)
        )
    except (AttributeError, LookupError, TypeError):
        return False


def _are_texts(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(each, str) for each in found)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _digest_of(path: str) -> str:
    """The digest of a file's text; "" where it cannot be read."""
    found = read_text(path)
    return "" if isinstance(found, Diagnostic) else _digest(found.text)


def own_files() -> str:
    """What tells these files of rulesrun from those of another version, or of the same after an edit."""
    found = [str(_PACKAGE)]
    for folder in ("interpreter", "grammar"):
        for at, _, names in os.walk(_PACKAGE / folder):
            for name in names:
                if name.endswith((".py", ".lark")):
                    file = os.stat(os.path.join(at, name))
                    found.append(f"{at}/{name} {file.st_size} {file.st_mtime_ns}")
    return "\n".join(sorted(found))
