"""Every shipped game at every table: each number of players with each set of variants that can be played, none picked by hand.

Twenty random games of each end, with nothing lost or doubled at any stop, a legal option at every decision, and a score that
is the sum of its lines. ``RULESRUN_SEEDS=500`` plays so many of each.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.rules import build, read_rules
from rulesrun.interpreter.table.from_model import specialise

from ..pipeline import walk_game

GAMES = Path(__file__).parents[2] / "games"
SEEDS = max(8, int(os.environ.get("RULESRUN_SEEDS", "8")))
# A bound that makes bids payable: at the default, random bidders ruin themselves and much of the rules is never reached.
OPTIONS: dict[str, list[dict[str, int]]] = {"for_the_king": [{}, {"highest_bid": 4}]}

Table = tuple[str, int, tuple[str, ...], dict[str, int]]


def tables() -> list[Table]:
    """Name of the file, number of players, variants, options: all that are not refused."""
    found: list[Table] = []
    for file in sorted(GAMES.glob("*.rules")):
        whole = read_rules(file).required()
        names = [variant.name for variant in whole.variants]
        chosen = [c for size in range(len(names) + 1) for c in combinations(names, size)]
        low, high = whole.players
        for players in range(low, high + 1):
            made = [specialise(whole, players, variants).table for variants in chosen]
            together = dict.fromkeys(table.variants for table in made if table is not None)  # some are in play unnamed
            found += [(file.stem, players, v, options) for v in together for options in OPTIONS.get(file.stem, [{}])]
    return found


def test_the_combinations_are_those_that_the_games_promise() -> None:
    counted = Counter((name, players) for name, players, _, options in tables() if not options)
    assert counted == {
        ("masti", 3): 1, ("masti", 4): 2, ("masti", 5): 1, ("masti", 6): 1,
        ("kingdomino", 2): 16, ("kingdomino", 3): 8, ("kingdomino", 4): 8,
        ("for_the_king", 2): 1, ("for_the_king", 3): 1, ("for_the_king", 4): 1, ("for_the_king", 5): 1,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "variants", "options"), tables(), ids=lambda value: "+".join(value) if isinstance(value, tuple) else None
)
def test_random_games_end_well(name: str, players: int, variants: tuple[str, ...], options: dict[str, int]) -> None:
    whole = read_rules(GAMES / f"{name}.rules").required()
    _, machine = build(whole, players, variants, options).required()
    executor = Executor(machine)
    for game in range(SEEDS):
        for cells, stop in walk_game(executor, 1, game):
            assert stop.fault is None, stop.fault
            everything_lies_somewhere(machine, cells)
            assert stop.kind != "decision" or executor.options(cells)
        assert stop.kind == "over"
        for seat in range(players):
            lines = [executor.evaluate(cells, term.function, seat) for term in machine.terms]
            assert sum(lines) == executor.evaluate(cells, "score", seat)


def everything_lies_somewhere(machine: Machine, cells: list[int]) -> None:
    """Every component is in exactly one zone."""
    record = machine.layout.record
    for kind, domain in machine.kinds.items():
        found: Counter[int] = Counter()
        count = union = 0
        for zone in machine.zones:
            if zone.kind != kind:
                continue
            for owner in range(machine.seats if zone.owned else 1):
                content = cells[record[zone.content].slot + owner]
                if zone.shape == "slot":
                    found.update([content] if content >= 0 else [])
                    continue
                count += content.bit_count()
                union |= content
                if domain.copies:
                    found.update(domain.members(content))
                if zone.top is not None and zone.size is not None:
                    start = record[zone.top].slot + owner * domain.bits
                    found.update(cells[start : start + cells[record[zone.size].slot + owner]])
        if domain.copies:
            assert found == Counter(domain.copies)
        else:
            singles = sum(1 << face for face in found)
            assert count + found.total() == domain.bits
            assert singles | union == (1 << domain.bits) - 1
