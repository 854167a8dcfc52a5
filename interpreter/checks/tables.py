"""Is there anything wrong with the tables of a game? Every number of players, every variant alone and in pairs.

A finding that comes up at several tables is one finding, which says at which. A table that a variant's ``needs`` or
``excludes`` rules out is no fault; a variant that no table admits is, and so is a number of players that the game cannot be
played with when no variant is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from attrs import evolve

from ..diagnostics import Diagnostic, fault
from ..model.model import Model
from ..play.testing import prepare
from ..rules import Rules, in_order
from ..table.table import Table
from .one_table import look_at
from .proved.counting import Counted
from .proved.limits import Choice, limits
from .proved.scores import idle

REFUSED = {"R402"}  # this table is not offered: a word of the rules, not a fault in them


def check(rules: Rules) -> tuple[Diagnostic, ...]:
    """All findings about a rules file that need no play, in reading order."""
    if rules.model is None:
        return rules.diagnostics
    found: dict[Diagnostic, list[Choice]] = {}
    admitted: set[str] = set()
    refusals: dict[str, Diagnostic] = {}
    plainly: set[Diagnostic] = set()  # what refuses tables without variants
    choices = list(tables_of(rules.model))
    tables: dict[Choice, Table] = {}
    counts: dict[Choice, tuple[Table, Counted]] = {}
    for players, variants in choices:
        looked = look_at(rules.model, players, variants)
        if any(d.code in REFUSED for d in looked.diagnostics):
            refusal = looked.diagnostics[0]
            if not variants:
                found.setdefault(_unplayable(rules.model, refusal), []).append((players, variants))
                plainly.add(refusal)
            if refusal in plainly:
                admitted.update(variants)  # nothing more is known of them here, and this has been said
            for name in variants:
                refusals.setdefault(name, refusal)
            continue
        admitted.update(variants)
        if looked.table is not None:
            tables[players, variants] = looked.table
            if looked.counted is not None:
                counts[players, variants] = looked.table, looked.counted
        for diagnostic in looked.diagnostics:
            found.setdefault(diagnostic, []).append((players, variants))
    found |= dict(limits(rules.model, tables))
    if not found:  # what stops a game, or is never chosen, counts for nothing
        found |= dict(idle(counts))
    for variant in rules.model.variants:
        why = refusals.get(variant.name)
        if variant.name not in admitted and all(variant.name not in d.message for d in found):
            others = [(why.span, "it is refused here")] if why is not None and why.span is not None else []
            message = f"no table can be played with `{variant.name}`"
            found[fault("R408", message, variant.span, *others, help="loosen what it needs")] = []
    found = _without_likes(found)
    everywhere = {choice for choice in choices if not choice[1]}
    merged = [evolve(d, tables=() if everywhere <= set(at) else tuple(map(_said, fewest(at)))) for d, at in found.items()]
    said = {*rules.diagnostics, *merged}
    in_tests = [d for test in rules.model.tests for d in prepare(rules.model, test).diagnostics if d not in said]
    return in_order((*rules.diagnostics, *merged, *dict.fromkeys(in_tests)))


def _without_likes(found: dict[Diagnostic, list[Choice]]) -> dict[Diagnostic, list[Choice]]:
    """Findings that differ only in numbers are one, said with the numbers of the first table where it is so."""
    earlier: dict[Diagnostic, Diagnostic] = {}
    together: dict[Diagnostic, list[Choice]] = {}
    for diagnostic, at in found.items():
        plain = evolve(
            diagnostic, message=_numberless(diagnostic.message), help=_numberless(diagnostic.help),
            labels=tuple(evolve(label, text=_numberless(label.text)) for label in diagnostic.labels),
        )  # fmt: skip
        together.setdefault(earlier.setdefault(plain, diagnostic), []).extend(at)
    return together


def _numberless(text: str) -> str:
    return re.sub(r"-?[0-9]+", "0", text)


def _unplayable(game: Model, refusal: Diagnostic) -> Diagnostic:
    """The finding that a table is refused for which no variant is named: what is always in play cannot be played there."""
    assert refusal.span is not None
    return fault(
        "R408", f"this cannot be played, though no variant is named: {refusal.message}", refusal.span,
        (game.players_span, "the game says that it can be"),
        help="loosen what the variant needs, or let it be in play at fewer tables",
    )  # fmt: skip


def tables_of(game: Model) -> Iterator[Choice]:
    """The tables that are checked: numbers of players, each without variants, with each one and each pair, and what they need."""
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
