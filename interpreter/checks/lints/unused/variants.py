"""Variants and their lines that make no difference (R380 to R382).

These are variants and edits without which the tables are the same, and needs and exclusions that hold anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, fields, frozen

from ....common.diagnostics import Diagnostic, warning
from ....common.nouns import is_for
from ....common.source import Source, Span
from ....model import model
from ....model.model import Model
from ....model.visitor import walk
from ....table.from_model import specialise
from ....table.from_model.fold import Settled
from ....table.sampling.combinations import Candidate
from ....table.table import Table


def variants(game: Model, file: Source, plain: Iterable[Candidate]) -> Iterator[Diagnostic]:
    """What is wrong with the variants of a file (R380 to R382); ``plain``: the tables with options at their defaults."""
    tables = {
        (candidate.found.table.players, candidate.found.table.variants): candidate.found.table
        for candidate in plain
        if candidate.found.table is not None
    }
    named = {other.variant for variant in game.variants for other in (*variant.builds_on, *variant.excludes)}
    for variant in game.variants:
        if variant.span.source == file:
            yield from _relations(variant, game)
            yield from _edits(variant, game, list(tables.values()), variant.name in named)


# ---- Edits


@frozen
class _Edit:
    """One line of a variant, and the variant without it."""

    span: Span
    without: model.Variant
    said: str


def _edits(variant: model.Variant, game: Model, tables: list[Table], is_named: bool) -> Iterator[Diagnostic]:
    """The lines without which every table that has the variant is the same; the variant itself where all its lines are such."""
    mine = sorted((table for table in tables if variant.name in table.variants), key=lambda table: len(table.variants))
    if not mine:
        return
    edits = list(_each(variant))
    bare = evolve(variant, options=(), replaces=(), insertions=(), removes=())
    if variant.adds or not all(_is_same(table, bare, game) for table in mine):
        for edit in (edit for edit in edits if all(_is_same(table, edit.without, game) for table in mine)):
            yield warning(
                "R381",
                f"{edit.said} changes nothing: without this line `{variant.name}` is the same",
                edit.span,
                help="change it, or remove it",
            )
    elif not is_named and not variant.always:  # what others need or exclude, and what refuses tables, is of use without edits
        yield warning(
            "R380",
            f"the variant `{variant.name}` changes nothing",
            variant.span,
            *((edit.span, "it is so without the variant, too") for edit in edits),
            *((each.span, f"the default is {each.default.span.text}") for each in _options_of(variant, game)),
            help=_another(variant) or "write under it what it changes, or remove it",
        )


def _options_of(variant: model.Variant, game: Model) -> list[model.OptionDeclaration]:
    """The options that a variant sets, as the game declares them."""
    names = {name for name, _ in variant.options}
    return [line for line in game.declarations if isinstance(line, model.OptionDeclaration) and line.name in names]


def _another(variant: model.Variant) -> str:
    """What could be meant by a variant that only gives options the values that they have; "" of others."""
    if not variant.options or variant.replaces or variant.insertions or variant.removes:
        return ""
    values = " and ".join(f"`{name}` to another value than {value.span.text}" for name, value in variant.options)
    return f"set {values}, or remove the variant"


def _each(variant: model.Variant) -> Iterator[_Edit]:
    for option in variant.options:
        without = evolve(variant, options=tuple(other for other in variant.options if other is not option))
        yield _Edit(option[1].span, without, f"setting `{option[0]}` to {option[1].span.text}")
    for replaced in variant.replaces:
        what = "the winner" if isinstance(replaced, model.Winner) else "the match" if isinstance(replaced, model.Match) else ""
        name = what or f"`{getattr(replaced, 'name', '')}`"
        without = evolve(variant, replaces=tuple(other for other in variant.replaces if other is not replaced))
        yield _Edit(replaced.span, without, f"replacing {name}")
    for insertion in variant.insertions:
        without = evolve(variant, insertions=tuple(other for other in variant.insertions if other is not insertion))
        yield _Edit(insertion.span, without, f"what is added {insertion.where} `{insertion.step}`")
    for removal in variant.removes:
        without = evolve(variant, removes=tuple(other for other in variant.removes if other is not removal))
        if changed := removal.name in variant.changed_terms and removal.source == "score":
            adds = tuple(d for d in variant.adds if not (isinstance(d, model.Term) and d.name == removal.name))
            without = evolve(without, adds=adds)
        yield _Edit(removal.span, without, f"{'replacing' if changed else 'removing'} `{removal.name}`")


def _is_same(table: Table, without: model.Variant, game: Model) -> bool:
    """Whether a table is the same when one of its variants is another."""
    others = tuple(without if variant.name == without.name else variant for variant in game.variants)
    found = specialise(evolve(game, variants=others), table.players, table.variants).table
    return found is not None and _meaning(found) == _meaning(table)


def _meaning(table: Table) -> str:
    """What a table says, whatever it is called and wherever it is written."""
    return repr([getattr(table, part.name) for part in fields(Table) if part.eq and part.name != "span"])


# ---- Needs and exclusions


def _relations(variant: model.Variant, game: Model) -> Iterator[Diagnostic]:
    by_name = {other.name: other for other in game.variants}
    counts = range(game.players[0], game.players[1] + 1)
    for condition in variant.needs:
        if all(_at(players, condition, game) == 1 for players in counts):
            yield warning(
                "R382",
                f"`{variant.name}` needs what is always so",
                condition.span,
                label=is_for(game.players),
                help="remove this line",
            )
    yield from _ends(variant, game)
    seen: dict[str, Span] = {}
    for needed in variant.builds_on:
        if needed.variant in seen:
            yield _said_before(f"`{variant.name}` needs `{needed.variant}`", needed.span, seen[needed.variant])
        seen.setdefault(needed.variant, needed.span)
    inherited = {
        other.variant: (name, other.span)
        for name in game.with_needed([variant.name])
        if name != variant.name
        for other in by_name[name].excludes
    }
    said: dict[str, Span] = {}
    for exclusion in variant.excludes:
        other = by_name[exclusion.variant]
        what = f"`{variant.name}` excludes `{other.name}`"
        mirrored = next((e.span for e in other.excludes if e.variant == variant.name), None)
        if other.name in said:
            yield _said_before(what, exclusion.span, said[other.name])
        elif mirrored is not None and game.variants.index(other) < game.variants.index(variant):
            yield _said_before(what, exclusion.span, mirrored)
        elif other.name in inherited:
            yield _said_before(what, exclusion.span, inherited[other.name][1])
        elif all(_refused(variant, players, game) or _refused(other, players, game) for players in counts):
            yield warning(
                "R382",
                f"{what}, and no number of players admits both",
                exclusion.span,
                *((condition.span, "this must hold") for condition in (*variant.needs, *other.needs)),
                help="remove this line",
            )
        said.setdefault(other.name, exclusion.span)


def _ends(variant: model.Variant, game: Model) -> Iterator[Diagnostic]:
    """The first or last number of players that a variant asks for, where it can never be in play with so many."""
    counts = range(game.players[0], game.players[1] + 1)
    admitted = [players for players in counts if all(_at(players, condition, game) == 1 for condition in variant.needs)]
    why = {players: found for players in admitted if (found := _never_in_play(variant, players, game)) is not None}
    if len(why) == len(admitted):  # then no table can be played with it
        return
    for players, (reason, span) in why.items():
        beyond = [count for count in (players - 1, players + 1) if count in counts]
        for condition in variant.needs:
            if any(_at(count, condition, game) == 0 for count in beyond):
                yield warning(
                    "R382",
                    f"`{variant.name}` admits {players} players, and can never be played with so many: {reason}",
                    condition.span,
                    (span, "this keeps it from being played"),
                    help=f"leave {players} out here, or change the other line",
                )
                break


def _never_in_play(variant: model.Variant, players: int, game: Model) -> tuple[str, Span] | None:
    """Why a variant cannot be in play with so many players, whatever else is, and the line; None where it may be."""
    needed = set(game.with_needed([variant.name]))
    for other in game.variants:
        if other.name in needed:
            for condition in other.needs:
                if other is not variant and _at(players, condition, game) == 0:
                    return f"it needs `{other.name}`, which is not for {players}", condition.span
        elif other.always and all(_at(players, condition, game) == 1 for condition in other.always):
            for one in (each for each in game.variants if each.name in needed):
                excluding = (
                    *(each.span for each in one.excludes if each.variant == other.name),
                    *(each.span for each in other.excludes if each.variant == one.name),
                )
                if excluding:
                    return f"`{other.name}` is always in play then, and they exclude each other", excluding[0]
    return None


def _said_before(what: str, span: Span, earlier: Span) -> Diagnostic:
    return warning("R382", f"that {what} is said already", span, (earlier, "here first"), help="remove this line")


def _refused(variant: model.Variant, players: int, game: Model) -> bool:
    """Whether a variant is surely not for so many players."""
    return any(_at(players, condition, game) == 0 for condition in variant.needs)


def _at(players: int, condition: model.Expr, game: Model) -> int | None:
    """A condition that asks for nothing but the number of players, with so many; None where it asks for more."""
    if any(isinstance(node, model.OptionValue | model.ColumnFor) for node in walk(condition)):
        return None
    return Settled(players, lists=game.lists).value(condition)
