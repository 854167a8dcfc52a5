"""Is there anything wrong with the tables of a game? Every number of players, every variant alone and in pairs.

A finding that comes up at several tables is one finding, which says at which. A table that a variant's ``needs`` or
``excludes`` rules out is no fault; a variant that no table admits is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from attrs import evolve

from ..diagnostics import Diagnostic, fault
from ..model.model import Model
from ..play.testing import prepare
from ..rules import Rules, in_order
from ..table.table import Table
from .limits import Choice, limits
from .one_table import look_at

REFUSED = {"R402"}  # this table is not offered: a word of the rules, not a fault in them


def check(rules: Rules) -> tuple[Diagnostic, ...]:
    """All findings about a rules file that need no play, in reading order."""
    if rules.model is None:
        return rules.diagnostics
    found: dict[Diagnostic, list[Choice]] = {}
    admitted: set[str] = set()
    refusals: dict[str, Diagnostic] = {}
    choices = list(tables_of(rules.model))
    tables: dict[Choice, Table] = {}
    for players, variants in choices:
        looked = look_at(rules.model, players, variants)
        if any(d.code in REFUSED for d in looked.diagnostics):
            for name in variants:
                refusals.setdefault(name, looked.diagnostics[0])
            continue
        admitted.update(variants)
        if looked.table is not None:
            tables[players, variants] = looked.table
        for diagnostic in looked.diagnostics:
            found.setdefault(diagnostic, []).append((players, variants))
    found |= dict(limits(rules.model, tables))
    for variant in rules.model.variants:
        if variant.name not in admitted and not any(variant.name in d.message for d in found):
            refusal = refusals.get(variant.name)
            others = [(refusal.span, "it is refused here")] if refusal is not None and refusal.span is not None else []
            message = f"no table can be played with `{variant.name}`"
            found[fault("R408", message, variant.span, *others, help="loosen what it needs")] = []
    everywhere = {choice for choice in choices if not choice[1]}
    merged = [evolve(d, tables=() if everywhere <= set(at) else tuple(map(_said, fewest(at)))) for d, at in found.items()]
    said = {*rules.diagnostics, *merged}
    in_tests = [d for test in rules.model.tests for d in prepare(rules.model, test).diagnostics if d not in said]
    return in_order((*rules.diagnostics, *merged, *dict.fromkeys(in_tests)))


def tables_of(game: Model) -> Iterator[Choice]:
    """The tables that are checked: numbers of players, each with no variant, with each one, with each pair, and what these need."""
    names = [variant.name for variant in game.variants]
    for players in range(game.players[0], game.players[1] + 1):
        pairs = (pair for size in (0, 1, 2) for pair in combinations(names, size))
        for variants in dict.fromkeys(_in_file_order(game, pair) for pair in pairs):
            yield players, variants


def _in_file_order(game: Model, variants: tuple[str, ...]) -> tuple[str, ...]:
    """Variants with what they need."""
    needed = game.with_needed(variants)
    return tuple(variant.name for variant in game.variants if variant.name in needed)


def fewest(choices: list[Choice]) -> list[Choice]:
    """Those tables of a list that have no variants beyond what another of the list, with as many players, has."""
    return [c for c in choices if not any(o != c and o[0] == c[0] and set(o[1]) <= set(c[1]) for o in choices)]


def _said(choice: Choice) -> str:
    players, variants = choice
    return " with ".join(filter(None, (f"{players} player{'s' if players != 1 else ''}", " and ".join(variants))))
