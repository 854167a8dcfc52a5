"""A small game to translate, and its file of translations."""

from __future__ import annotations

from pathlib import Path

from rulesrun.interpreter.rules import Rules, read_rules

LAMPS = """\
game lamps
    title en "Lamps"
    players 2..4
cards lamp, 1 of each
    colour: red, dark_blue
    power: 1..9
zone lit of player: set of lamp, open                # what a player has lit
phase evening
    for each player
        player chooses
            light a lamp from every lamp
                only if owner of lamp is none otherwise "the {lamp} is lit"
                move lamp to lit of player
score of player
    light: total power of lit of player
winner highest score, then shared
variant short "A short evening"
    replace phase evening
        for each player
            player chooses
                wait "wait a while": nothing
"""
HEADER = """\
msgid ""
msgstr ""
"Language: uk\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"
"""
SOME = f"""{HEADER}
# said so on the box
msgctxt "kind"
msgid "lamp"
msgid_plural "lamps"
msgstr[0] "лампа"
msgstr[1] "лампи"
msgstr[2] "ламп"

msgctxt "zone"
msgid "lit"
msgstr "засвічені"

msgctxt "reason"
msgid "the {{lamp}} is lit"
msgstr "уже горить: {{lamp}}"
"""


def lamps(folder: Path, translation: str | bytes | None = None, language: str = "uk", text: str = LAMPS) -> Rules:
    """The game in a folder, with a file of translations."""
    path = folder / "lamps.rules"
    path.write_text(text, encoding="utf-8")
    if translation is not None:
        data = translation if isinstance(translation, bytes) else translation.encode()
        (folder / f"lamps.{language}.po").write_bytes(data)
    return read_rules(path)
