"""Games that go on from the lines that the fewest games have reached, to find faults behind them.

Half of the effort goes into games from the beginning. They are watched (`coverage/watch.py`); where one reaches a line that few
games have reached, the decisions before and behind it are kept. The other half goes on from there, around the line that the
fewest games have reached so far, until nothing rare has come up for a while. A fault that needs several rare events in a row is
then found event by event, where a game from the beginning would need all of them at once. A continued game counts for all lines
on its way, so no line stays the rarest for long. (Coverage-guided fuzzing: Böhme, Pham and Roychoudhury, "Coverage-based greybox
fuzzing as Markov chain", ACM Conference on Computer and Communications Security, 2016. To return first, then explore: Ecoffet and
others, Nature 590, 2021.)

A line is any part that coverage counts: statements, conditions, the cases of a `define`, rows of tables, acts, refusals, ties.

In shipped games these games reach about as many lines as led games (84.3 and 85.8 of 88 in masti with 3 players, 3,000 decisions
each). They pay where several rare acts are needed in a row: seven doors, each opened by one number of six, were passed with all
of 12 seeds in 3,000 decisions, and not by 300,000 decisions of bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from attrs import frozen

from ....coverage.parts import Part
from ....coverage.reached import Place
from ....coverage.watch import Watch, watch_of
from ....machine.analysis import derived
from ....machine.operators import Cells
from ....machine.reference.executor import FunctionFault
from ....machine.reference.outcome import outcome_of
from ....machine.reference.stops import Stop
from ....play.game import Game
from ....table.from_model import Specialised
from .leading import RANDOM, leader_for, whim_of
from .spotted import Seen, Shown, note, spot_of

RARE = 8  # games that have reached a line: it is no longer rare when there are more
KEPT = 8  # decisions around each line, the last ones
WHILE = 15  # decisions without anything rare, after which a game that goes on is left
LONG = 2_000  # decisions of a game
IN_VAIN = 100  # games from the beginning in which nothing new is reached or taken


def go_on_from_rare_lines(
    game: Game, found_table: Specialised, parts: Sequence[Part], seed: int, decisions: int, late: Callable[[], bool], seen: Seen
) -> None:
    """Add to what was seen what comes up in games of a table that have so many decisions altogether, about.

    ``found_table``: what the game was made of. ``parts``: of its rules. ``late``: whether there is no more time.
    """
    watch = watch_of(game.rules.required(), parts, found_table)
    if watch is not None:
        _Explorer(game, watch, seed, seen).play(decisions, late)


@frozen(eq=False)
class _Around:
    """A decision before or behind a rare line. ``options``: what was chosen on the way there. ``lines``: reached until then."""

    number: int
    options: tuple[int, ...]
    lines: frozenset[Place]
    cells: Cells


class _Explorer:
    def __init__(self, game: Game, watch: Watch, seed: int, seen: Seen) -> None:
        self.watch, self.seed, self.seen = watch, seed, seen
        self.terms = watch.machine.terms
        self.leader = leader_for(watch.machine, seed)
        self.reached: Counter[Place] = Counter()  # by how many games
        self.kept: dict[Place, list[_Around]] = {}
        faults = derived.faults(game.machine).table
        self.faults = {spot_of(fault): fault for fault in reversed(faults)}  # those of the machine without marks

    def play(self, decisions: int, late: Callable[[], bool]) -> None:
        """Play games in turn from the beginning and around rare lines, each half of the decisions."""
        begun = gone_on = in_vain = number = 0
        while begun + gone_on < decisions and in_vain < IN_VAIN and not late():
            if self.kept and gone_on < begun:
                gone_on += 1 + self._go_on(whim_of(self.seed, gone_on) if gone_on % 2 else 0)
                continue
            known = len(self.reached) + len(self.leader.taken)
            begun += 1 + self._begin(number)
            number += 1
            in_vain = in_vain + 1 if len(self.reached) + len(self.leader.taken) == known else 0
        self.seen.note_allowed(self.watch.machine, self.leader.allowed)

    def _begin(self, number: int) -> int:
        """A game from the beginning; how many decisions it has."""
        cells = self.watch.fresh(self.seed, number)
        stop = self.watch.enter(cells)
        return self._play(number, cells, stop, [], set(), whim_of(self.seed, number) if number % 2 else 0, LONG)

    def _go_on(self, whim: int) -> int:
        """A game that goes on around the rarest line; how many decisions it takes."""
        rarest = min(self.kept, key=self.reached.__getitem__)
        start = self.kept[rarest][self.reached[rarest] % len(self.kept[rarest])]
        cells = start.cells.copy()
        stop = self.watch.stop(cells)
        self.watch.taken()
        return self._play(start.number, cells, stop, [*start.options], set(start.lines), whim, WHILE)

    def _play(
        self, number: int, cells: Cells, stop: Stop, options: list[int], lines: set[Place], whim: int, patience: int
    ) -> int:
        """Play until the game is over, or nothing rare comes up in so many decisions."""
        watch, before, last = self.watch, len(options), len(options)
        new: dict[Place, list[_Around]] = {}
        earlier: list[_Around] = []  # the decision before
        while (node := stop.node) is not None and len(options) < min(last + patience, LONG):
            if stop.kind == "chance":
                stop = watch.happen(cells, watch.draw(cells))
                continue
            seat, site = watch.player(cells), node.site
            here = watch.taken().counts
            rare = [line for line in here if line not in lines and self.reached[line] < RARE]
            lines.update(here)
            now = _Around(number, tuple(options), frozenset(lines), cells.copy())
            if rare:
                new |= {line: [*earlier, now] for line in rare}
                last = len(options)
            earlier = [now]
            legal = watch.options(cells)
            option = self.leader.option(site, seat, legal, whim)
            if option == RANDOM:  # not the bot's, who takes the same whenever a game goes on from there
                option = legal[self.leader.random.randrange(len(legal))]
            options.append(option)
            stop = watch.choose(cells, option)
        if stop.kind == "over":
            try:
                terms = outcome_of(watch, cells).terms
                self.seen.note_score(self.terms, lambda term: terms[self.terms.index(term)])
            except FunctionFault as stopped:
                stop = stopped.stop
        lines.update(watch.taken().counts)
        self.reached.update(lines)
        for line, around in new.items():
            self.kept[line] = [*self.kept.get(line, []), *around][-KEPT:]
        if stop.fault is not None and spot_of(stop.fault) in self.faults:
            fault = self.faults[spot_of(stop.fault)]
            note(self.seen.found, Shown(fault, len(options), "led", number, tuple(options)))
        return len(options) - before
