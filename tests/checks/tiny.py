"""A game in which there is next to nothing, for tests about its tables: who plays, with which variants and options."""

from __future__ import annotations

from textwrap import dedent, indent

from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.rules import Rules, rules_from

GAME = """
game tiny
    players {players}
counter points of player: 0..9
counter rounds: 0..9
{declarations}
phase play
{phase}
score of player
    points: points of player
winner highest score, then shared
{variants}
"""


def tiny(declarations: str = "", phase: str = "nothing", variants: str = "", players: str = "2..4") -> Rules:
    """The rules of the game with these lines; ``variants``: and tests."""
    lines = indent(dedent(phase), "    ")
    text = GAME.format(declarations=declarations, phase=lines, variants=variants, players=players)
    return rules_from(Source("tiny.rules", text))
