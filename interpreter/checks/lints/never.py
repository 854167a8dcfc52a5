"""Runs the checks that need only the model: on conditions, rows, repetitions and lines that make no difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...common.diagnostics import Diagnostic
from ...common.source import Source
from ...model import model
from ...model.model import Model
from ...table.sampling.combinations import Candidate
from ..dataflow.ranges import Ranges
from ..knowledge.face_down import places_of, shown_to_all
from .dead_ends.loops import ends_that_never_come
from .no_effect.conditions import conditions, in_play
from .no_effect.needless import idle, twice, untied
from .no_effect.overwritten import defines_of, overwritten
from .unused.rows import exchanged, numbered, unused_rows


def never_otherwise(game: Model, file: Source, plain: Iterable[Candidate]) -> Iterator[Diagnostic]:
    """Conditions that hold always or never (R327), rows that are never asked for (R328) or seem to be exchanged (R331), what is
    said twice (R329), keys that never decide (R361), lines that change nothing (R330) or set to none what is asked for next
    (R344), components with a number that another has (R332), and options that are face down where all see what was taken
    (R376).

    ``plain``: the tables of the game with options at their defaults.
    """
    candidates = [c for c in plain if not any(d.code == "R402" for d in c.found.diagnostics)]
    own = {v.name: sorted({c.choice.players for c in candidates if v.name in _in_play(c)}) for v in game.variants}
    ranges, places, defines = Ranges.of(game), places_of(game), defines_of(game)
    kinds = {line.name: line for line in game.declarations if isinstance(line, model.Kind)}
    yield from ends_that_never_come(game, file)
    parts: list[tuple[list[int], str, tuple[model.Node, ...]]] = [
        (list(range(game.players[0], game.players[1] + 1)), "", game.declarations)
    ]
    for variant in (variant for variant in game.variants if variant.span.source == file):
        yield from in_play(variant, game, ranges)
    for variant in game.variants:
        lines: tuple[model.Node, ...] = (*variant.adds, *variant.replaces, *variant.insertions)
        parts.append((own[variant.name], variant.name, lines))
    for players, variant_name, these in parts:
        for line in (line for line in these if line.span.source == file):
            yield from conditions(line, players, variant_name, game, ranges)
            yield from twice(line, game)
            yield from untied(line, kinds)
            yield from idle(line)
            yield from shown_to_all(line, places)
            yield from overwritten(line, defines)
    declared = {id(d): d for v in game.variants for d in (*v.adds, *v.replaces)} | {id(d): d for d in game.declarations}
    for line in declared.values():
        match line:
            case _ if line.span.source != file:
                pass
            case model.TableDeclaration(key=model.NUMBER):
                yield from unused_rows(line, game, ranges)
                yield from exchanged(line)
            case model.Kind():
                yield from numbered(line)
            case _:
                pass


def _in_play(candidate: Candidate) -> tuple[str, ...]:
    """The variants in play at a table; where it could not be made, those that were asked for."""
    table = candidate.found.table
    return candidate.choice.variants if table is None else table.variants
