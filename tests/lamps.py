"""A small game of a few lines, for tests of all that is around games."""

from typing import Final

WITHOUT_TEST: Final = """\
game lamps
    players 2..4

cards lamp, 1 of each
    power: 1..9

zone lit of player: set of lamp, open

phase evening
    for each player
        player chooses
            light a lamp from every lamp
                only if owner of lamp is none otherwise "it is lit already"
                move lamp to lit of player

score of player
    light: total power of lit of player

winner highest score, then shared
"""
LAMPS: Final = (
    WITHOUT_TEST
    + """
test "a lamp is lit once only"
    players Ann, Bob
    start evening
    Ann: light [9]
    expect Bob cannot light [9] because "it is lit already"
"""
)
