"""Ramps: plain numbers that are offered beside something else, such as bids beside a pass.

Of these low ones matter first: who bids more than it takes has nothing of it. So bots that think play on with low ones rather
than high ones (`rollouts.py`), and a search looks at low ones before it looks at high ones (`search.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..machine.machine import Alternative, Machine

LEAST = 1 << 16  # of the numbers below it, half have no 1 as their last binary digit, a quarter one, and so on


def ramps_among(machine: Machine, alternatives: Sequence[Alternative]) -> frozenset[int]:
    """The groups of options that are ramps at a decision, by number."""
    groups = {each.group for each in alternatives}
    return frozenset(group for group in groups if machine.groups[group].of_numbers) if len(groups) > 1 else frozenset()
