"""Numbers stay within 32 bits: what could leave them is refused where it is written, once; what cannot is played alike."""

from __future__ import annotations

import pytest
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..generated.lockstep import differences
from ..pipeline import machine_of, play, small, stages, value_of

WIDE = "counter n: 0..999999999\ncounter m: -999999999..999999999\ncounter few: 0..9\n"
CARDS = """
cards card
    worth: 1..900000000
    worth | count
    1 | 500
    700000000 | 2
    900000000 | 2
zone deck: pile of card, hidden
zone hand of player: set of card, open
"""

TOO_LARGE = {
    "a product in a condition": ("if n * n < 5: set few to 1", "n * n", "999,999,998,000,000,001"),
    "a sum of three": ("if n + n + n < 5: set few to 1", "n + n + n", "2,999,999,997"),
    "a name for a sum": ("let k be n + n + n", "n + n + n", "2,999,999,997"),
    "below": ("if m - n - n < 5: set few to 1", "m - n - n", "-2,999,999,997"),
    "what is added": ("add n + n to n", "add n + n to n", "2,999,999,997"),
    "of what is too large, nothing more": ("if n * n * n + n < 5: set few to 1", "n * n", "999,999,998,000,000,001"),
    "constants": ("if few < 999999999 * 3: set few to 1", "999999999 * 3", "2,999,999,997"),
    "what a step is given": ("do grow for n", "amount * 5", "4,999,999,995"),
    "what a define is given": ("if fivefold for n > 7: set few to 1", "amount * 5", "4,999,999,995"),
    "a total": ("if total worth of every card < 5: set few to 1", "total worth of every card", "3,200,000,500"),
}
MORE = """
step grow for amount
    if amount * 5 > 7: set few to 1
define fivefold for amount
    amount * 5 if few is 3
    otherwise amount
"""


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_number_that_could_leave_is_refused_once(name: str) -> None:
    line, where, end = TOO_LARGE[name]
    (found,) = stages(small(WIDE + CARDS + MORE, line), 2).diagnostics
    assert found.code == "R306"
    assert end in found.message
    assert found.span is not None
    assert found.span.text == where


def test_scores() -> None:
    text = small(WIDE, "nothing")
    assert stages(text.replace("points: 0", "points: n + n + n\n    more: n"), 2).codes == ["R306"]
    assert stages(text.replace("points: 0", "points: n + n\n    more: n"), 2).codes == ["R306"]
    assert stages(text.replace("points: 0", "points: n + n\n    more: few"), 2).codes == []
    teams = text.replace("players 1..4", "players 4\nteams of 2, in turn")
    assert stages(teams.replace("points: 0", "points: n + n"), 4).codes == ["R306"]
    assert stages(teams.replace("points: 0", "points: n"), 4).codes == []


FITS = (
    "if total worth of (hand of player 1 with worth < 5) < 5: set few to 1",
    "if 0 - 999999999 * 2 < n: set few to 1",
    "add 1 to n",
    "add n to m",
    "do grow for few",
    "if fivefold for few > 7: set few to 1",
    "if fivefold for 400000000 > 7: set few to 1",
)


@pytest.mark.parametrize("line", FITS)
def test_what_fits_is_played_alike(line: str) -> None:
    machine = machine_of(small(WIDE + CARDS + MORE, line), 2)
    assert list(differences(Executor(machine), WasmExecutor(machine), 1, 0)) == []


def test_a_step_that_nothing_does_gives_no_alarm() -> None:
    assert stages(small(WIDE + MORE, "nothing"), 2).codes == []


def test_an_option_takes_numbers_up_to_what_a_step_is_given() -> None:
    steps = "step offer of player for amount\n    player chooses\n        bid a price from 1..amount: set few to price\n"
    play_it = "do offer of player 1 for 3\ndo offer of player 1 for 7"
    machine = machine_of(small(WIDE + steps, play_it), 2)
    assert machine.groups[0].size == 7
    assert value_of((played := play(machine, choices=[2, 6])).executor, played.cells, "few") == 7


@pytest.mark.slow
def test_numbers_at_the_end_of_what_there_is() -> None:
    """What is done with them on the way, such as the number behind the last one on offer, does not leave 32 bits either."""
    declared = "counter top: -1..999999999\n"
    line = "set top to 999999999\nplayer 1 chooses\n    bid a price from 1..9\n        only if price at most top * 2 + 147483649"
    machine = machine_of(small(WIDE + declared, f"{line}\n        set few to price"), 2)
    assert machine.groups[0].size == 9
    assert list(differences(Executor(machine), WasmExecutor(machine), 1, 0)) == []


def test_a_division_by_what_is_always_0() -> None:
    assert stages(small("counter n: 0..9\ncounter zero: 0..0", "if n / zero rounded down < 5: set n to 1"), 2).codes == ["R304"]


BEFORE = """
game small
    players 2
cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, open
marker leader: player
setup
    shuffle every card into deck
    draw 2 from deck to hand of player 1
    set leader to player 1
phase only: nothing
score of player
    points: count of hand of leader
winner highest score, then shared
"""


def test_a_score_that_is_asked_before_the_setup_is_over() -> None:
    machine = machine_of(BEFORE, 2)
    assert list(differences(Executor(machine), WasmExecutor(machine), 1, 0)) == []
    played = play(machine)
    assert played.executor.evaluate(played.cells, "score", 0) == 2
