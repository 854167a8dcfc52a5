"""Games and their components, as tests of printing need them."""

from __future__ import annotations

from pathlib import Path

from rulesrun.interpreter.printing.components.making import Choice, Components, components_of, html_of
from rulesrun.interpreter.printing.components.pages import Setting
from rulesrun.interpreter.printing.components.sheets import PAPERS
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.words.words import ENGLISH, Words

GAMES = Path(__file__).parents[3] / "games"
A4 = Setting(PAPERS["A4"])

CARDS = """game {name}
    title "{title}"
    players 2..4
cards lamp, 1 of each
    word: {words}
    power: 1..{most}
zone lit of player: set of lamp, open
phase evening
    for each player
        player chooses
            light a lamp from every lamp
                only if owner of lamp is none otherwise "it is lit"
                move lamp to lit of player
score of player
    light: total power of lit of player
winner highest score, then shared
"""


def components(path: Path, choice: Choice | None = None, words: Words = ENGLISH, setting: Setting = A4) -> Components:
    return components_of(read_rules(path), choice or Choice(), words, setting)


def page(path: Path, choice: Choice | None = None, words: Words = ENGLISH, setting: Setting = A4) -> str:
    return html_of(components(path, choice, words, setting), setting, words)


def cards(folder: Path, words: str = "sun, moon", most: int = 9, title: str = "Lamps", name: str = "lamps") -> Path:
    """The rules of a small game with cards."""
    path = folder / f"{name}.rules"
    path.write_text(CARDS.format(name=name, title=title, words=words, most=most), encoding="utf-8")
    return path
