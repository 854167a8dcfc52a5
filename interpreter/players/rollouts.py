"""The bot that plays rollouts: flat Monte Carlo over worlds that its seat cannot tell from the real one.

In each of a number of worlds, every legal option is tried, and the game is played on to its end at random. The bot takes the
option with the greatest share of the win over all worlds, among equals the one with the greatest score (of the team), among these
the one with the lowest number. All options are tried in the same worlds, which makes them easier to tell apart. A game that a
fault stops is not won, and has no score.

In what is played on, each legal option has the same chance, but for a ramp (`ramps.py`), such as bids beside a pass. It has the
chance of one option. Of that the least number has 1/2, the next 1/4 and so on, the greatest what is left.

The worlds are those of `worlds.py`. A seat for which none is found chooses at random.

A fault ends a thought in the middle, by an exception in Python and by a trap in a module. So the state of a thought lies in the
memory: ``think`` called again goes on behind the failed step; if ``again`` is not 0, it tries that step once more.

All of this is written for `dialect.py`: one text for the reference engine and for modules.
"""

from __future__ import annotations

from typing import Protocol

from .dialect import Word, count_between, select_from
from .workspace import Workspace
from .worlds import CHANCE_EVENT, DECISION, Game, begin_worlds, find_world

FINDING, PLAYING = 1, 2  # what a thought is about: a world, or its options; 0: there is none


class Table(Game, Protocol):
    """A game that can be played to its end.

    ``play_on``: the game is played on to its end. It is only imagined: nobody needs to know what its seats observe and know.
    """

    def play_on(self) -> None: ...
    def outcome(self) -> None: ...


def think(m: Table, at: Workspace, seat: int, worlds: int, seed: Word) -> int:
    """The option that a seat takes at the decision where the game stands; there the game stands again in the end.

    ``seed``: of the thought's own random stream. What ``seat`` and ``seed`` are does not count when a thought goes on.
    """
    if m.load32(at.thinking) == 0:
        _begin(m, at, seat, seed)
    elif m.load32(at.thinking) == PLAYING:
        if m.load32(at.again) == 0:
            m.store32(at.option, m.load32(at.option) + 1)
        m.store32(at.again, 0)
    while m.load32(at.worlds) < worlds:
        if m.load32(at.thinking) == FINDING and find_world(m, at) != 0:
            m.store32(at.option, 0)
            m.store32(at.thinking, PLAYING)
        if m.load32(at.thinking) == PLAYING:
            _try_options(m, at)
            m.store32(at.found, 1)
        m.store32(at.worlds, m.load32(at.worlds) + 1)
        m.store32(at.thinking, FINDING)
    m.restore(at.real)
    m.store32(at.thinking, 0)
    return _best(m, at)


def _begin(m: Table, at: Workspace, seat: int, seed: Word) -> None:
    m.save(at.real)
    m.offered_to(at.wanted)
    m.store64(at.generator, seed)
    m.store32(at.worlds, 0)
    m.store32(at.again, 0)
    m.store32(at.found, 0)
    for option in range(count_between(m, at.wanted, 0, at.options)):
        m.store64(at.totals + 16 * option, Word(0))
        m.store64(at.totals + 16 * option + 8, Word(1) << 62)  # so that it never is below 0
    begin_worlds(m, at, seat)
    m.store32(at.thinking, FINDING)


def _best(m: Table, at: Workspace) -> int:
    best = 0
    if m.load32(at.found) == 0:
        best = m.below(at.generator, count_between(m, at.wanted, 0, at.options))
        return select_from(m, at.wanted, 0, best)
    for option in range(1, count_between(m, at.wanted, 0, at.options)):
        share = m.load64(at.totals + 16 * option)
        most = m.load64(at.totals + 16 * best)
        if share > most or (share == most and m.load64(at.totals + 16 * option + 8) > m.load64(at.totals + 16 * best + 8)):
            best = option
    return select_from(m, at.wanted, 0, best)


# ---- Playing on


def _try_options(m: Table, at: Workspace) -> None:
    """Try the options in the world, from the one on where the thought stands."""
    count = count_between(m, at.wanted, 0, at.options)
    while m.load32(at.option) < count:
        option = m.load32(at.option)
        _play_on(m, at, select_from(m, at.wanted, 0, option), at.totals + 16 * option)
        m.store32(at.option, option + 1)


def _play_on(m: Table, at: Workspace, option: int, total: int) -> None:
    """Take an option in the world, let all play at random from there, and add what it came to."""
    seat = m.load32(at.seat)
    m.restore(at.world)
    stop = m.choose(option)
    if stop < 0:
        return
    if stop in (DECISION, CHANCE_EVENT):
        m.play_on()
    m.outcome()
    win = m.load32(at.wins + 4 * seat)
    if win > 0:
        m.store64(total, m.load64(total) + Word(at.whole_win // win))
    score = m.load32(at.scores + 4 * seat)
    before = m.load64(total + 8)
    m.store64(total + 8, before + Word(score) if score >= 0 else before - Word(-1 - score) - Word(1))
