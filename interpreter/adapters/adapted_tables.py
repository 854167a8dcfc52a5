"""The tables that adapters play, and the facts about them.

A table is found again by the choice that was made of it (`TableChoice`), in another process as well; its digest says whether its
rules are still the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import field, frozen

from ..machine.machine import Chance, Choose
from ..machine.traverse import every_statement
from ..play.arguments import ArgumentError, names_given, options_given, path_given, players_given, shown
from ..play.game import Game, load
from ..search.walker import Walker
from ..simulate.engines.engine import ENGINES, EngineName, engine_to_use
from .bounds import Bounds, bounds_of
from .narration import Narration
from .observation import Observations

RECENT = 10_000  # moments; each takes a kilobyte or two


class OtherRules(ValueError):
    """What was saved is of another version of the rules than those that are there now."""


@frozen
class TableChoice:
    """Which table of which file, as `rulesrun.load` is asked for it; it can be written down. ``engine``: None, the fastest."""

    path: str
    players: int | None = None
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, str | int | bool], ...] = ()
    engine: EngineName | None = None


def choice_of(
    path: str | Path,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, str | int | bool] | None = None,
    engine: EngineName | None = None,
) -> TableChoice:
    """A choice by the arguments of `rulesrun.load`. The path is kept whole, so that another process finds the file.

    ArgumentError for what `rulesrun.load` would not take, and for an engine that there is not.
    """
    if engine is not None and engine not in ENGINES:
        raise ArgumentError(f"an engine is {' or '.join(ENGINES)}, not {shown(engine)}")
    named, values = dict.fromkeys(names_given(variants, "variants")), options_given(options)
    whole_path = str(Path(path_given(path)).absolute())
    return TableChoice(whole_path, players_given(players), tuple(named), tuple(sorted(values.items())), engine)


@frozen(eq=False, slots=False)
class AdaptedTable:
    """One table as adapters play it. Seats count from 0. Threads may share it.

    ``recent``: the moments that were come to last, held so that an algorithm that walks a small tree again and again finds them.
    """

    choice: TableChoice
    game: Game = field(repr=False)
    engine: EngineName
    recent: deque[object] = field(factory=lambda: deque(maxlen=RECENT), repr=False)

    @cached_property
    def walker(self) -> Walker:
        """What leads from position to position, with chance by hand."""
        return Walker(self.game, self.engine)

    @cached_property
    def bounds(self) -> Bounds:
        return bounds_of(self.walker, self.game.table)

    @cached_property
    def digest(self) -> str:
        """What tells these rules, at this table, from others."""
        return self.game.table_digest.hex()[:16]

    @property
    def seats(self) -> int:
        return self.game.players

    @cached_property
    def observations(self) -> Observations:
        """What seats see, as numbers."""
        return Observations(self.game.machine)

    @property
    def manifest(self) -> dict[str, Any]:
        """What the numbers of options and of observations stand for, as plain data for json, with the digest of the rules."""
        game = self.game
        return {
            "game": game.name,
            "players": game.players,
            "variants": list(game.variants),
            "options": game.options,
            "digest": self.digest,
            "actions": [game.option_text(number) for number in range(game.machine.options)],
            "observation": [part.told for part in self.observations.parts],
        }

    def agree_with(self, manifest: Mapping[str, Any]) -> None:
        """`OtherRules` where a manifest is not of this table: what was learned with it has other numbers.

        ArgumentError for what is no manifest.
        """
        if not isinstance(manifest, Mapping):
            raise ArgumentError(f"a manifest is a dictionary, as `manifest` gives it, not {shown(manifest)}")
        if manifest.get("digest") != self.digest:
            its, digest = (each if isinstance(each, str) else shown(each) for each in map(manifest.get, ("game", "digest")))
            told = f"the manifest is of {its} with digest {digest}"
            raise OtherRules(f"{told}, and this is {self.game.name} with digest {self.digest}")

    @cached_property
    def chance(self) -> tuple[Chance, ...]:
        """The chance events there can be, one for each of their domains."""
        found = {stmt.domain: stmt for stmt in self._statements() if isinstance(stmt, Chance)}
        return tuple(found.values())

    @cached_property
    def is_open(self) -> bool:
        """Whether all see everything: nothing lies, is kept or is done out of anybody's sight."""
        machine = self.game.machine
        offers = [offer for stmt in self._statements() if isinstance(stmt, Choose) for offer in stmt.alternatives]
        seen = {zone.visibility for zone in machine.zones} | {variable.visibility for variable in machine.variables}
        return seen <= {"open"} and not any(offer.secret for offer in offers)

    @cached_property
    def narration(self) -> Narration:
        """What seats observe, in words."""
        return Narration(self.game)

    def _statements(self) -> Iterator[Any]:
        return (stmt for routine in self.game.machine.routines.values() for stmt in every_statement(routine.body))


_tables: dict[TableChoice, AdaptedTable] = {}


def table_for(choice: TableChoice) -> AdaptedTable:
    """The table of a choice, as it was when its file was last read. Raises `RulesError`."""
    return _tables.get(choice) or read_table(choice)


def read_table(choice: TableChoice) -> AdaptedTable:
    """The table of a choice, its file read now. Raises `RulesError`."""
    game = load(choice.path, choice.players, choice.variants, dict(choice.options))
    engine, _ = engine_to_use(choice.engine)
    return remember(choice, AdaptedTable(choice, game, engine))


def remember(choice: TableChoice, table: AdaptedTable) -> AdaptedTable:
    """Let a table be the one that `table_for` gives for a choice."""
    _tables[choice] = table
    return table


def table_saved(saved: object) -> AdaptedTable:
    """The table of a choice with its digest, as a pickle has them. ArgumentError for anything else; `OtherRules`."""
    match saved:
        case (TableChoice() as choice, str() as digest):
            return table_with(choice, digest)
        case _:
            raise ArgumentError(f"a table is saved as its choice and its digest, not as {shown(saved)}")


def table_with(choice: TableChoice, digest: str) -> AdaptedTable:
    """The table of a choice. `OtherRules` where it has another digest."""
    table = table_for(choice)
    if table.digest != digest:
        raise OtherRules(f"this was saved under other rules: {choice.path} has digest {table.digest} at this table, not {digest}")
    return table
