"""Zones that hold components of several kinds."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.reference.executor import Executor
from rulesrun.interpreter.players.bots import bots_from
from rulesrun.interpreter.rules import rules_from
from rulesrun.interpreter.simulate.engines.engine import engine_for
from rulesrun.interpreter.wasm.running.executor import WasmExecutor

from ..games.honesty import honest, random_decisions
from ..generated.lockstep import differences
from ..pipeline import machine_of, play, small, stages, value_of
from ..simulate.games import game_of
from ..wasm.compiling import compiled

PURSE = """
cards gem, 2 of each
    colour: red, blue
    value: 1..2
pieces gold, 3
pieces meeple, 2 for each player
    value: 4..5
zone bank: set of gem or gold or meeple, open
zone purse of player: set of gem or gold, open
zone jewels: set of gem, open
zone pouch: pile of gem or gold, hidden
marker chosen: gem or none
counter found: 0..99
"""

START = "move every gem to bank\nmove every gold to bank\nmove meeple of player 1 to bank\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("set found to count of bank", 15),
        ("set found to count of every gem", 8),
        ("for each gem in bank: add 1 to found", 8),
        ("for each thing in bank: add 1 to found", 15),
        ("for each gold in bank: add value of gold to found", None),
        ("for each gem in bank with colour red: add value of gem to found", 6),
        ("set found to total value of bank", 12 + 18),
        ("set found to highest value among bank", 5),
        ("set found to lowest value among bank", 1),
        ("set found to count of bank with value 1", 4),
        ("set found to count of bank with value none", 3),
        ("set found to count of bank with value at most 4", 10),
        ("set found to count of bank with colour red", 4),
        ("set found to 10 * count of gold of bank + count of gem of bank", 38),
        ("set found to total value of gem of bank with colour red", 6),
        ("move gem of bank to jewels\nset found to count of bank", 7),
        ("if bank has a gem: set found to 1", 1),
        ("for each thing in bank\n    if thing is a gem: add 1 to found\n    if thing is not a gold: add 4 to found", 56),
        ("if chosen is a gem: set found to 1\nif chosen is not a gem: add 2 to found", 2),
        ("move every gem to box\nif bank has no gem and bank has a gold: set found to 2", 2),
        ("if bank has only gems with value at most 2: set found to 1\nset found to 2 + found", 2),
        ("move every gold to box\nmove every meeple to box\nif bank has only gems with value at most 2: set found to 3", 3),
        ("move any gold from bank to purse of player 2\nset found to 10 * count of purse of player 2 + count of bank", 24),
        ("move [red 2] to purse of player 1\nif [red 2] in purse of player 1: set found to total value of purse of player 1", 2),
        ("set chosen to [red 2]\nfor each thing in bank\n    if thing is chosen: add 1 to found", 2),
        ("set chosen to any gem from bank with value 2\nset found to value of chosen", 2),
        ("move a random gem from bank to purse of player 1\nset found to count of purse of player 1 with colour none", 0),
        ("set found to count of (purse of player 1 + bank)", 15),
        ("set found to count of (bank without jewels)", 15),
        ("move bank with colour red to jewels", None),
        ("for each gem in bank with colour red: move gem to jewels\nset found to 10 * total value of jewels + count of bank", 71),
        ("set found to count of bank with owner (player 1)", 4),
        ("for each meeple in bank: add seat of owner of meeple to found", 4),
        ("move meeple of player 2 to bank\nset found to count of meeple of player 2 also in bank", 4),
        ("move bank without every meeple to pouch", None),
        (
            "shuffle every gem into pouch\nmove every gold to pouch\nshuffle pouch\ndraw 11 from pouch to purse of player 1\n"
            "set found to 10 * count of every gem + count of purse of player 1 with value none",
            83,
        ),
        (
            "for each gem in bank with value 1: move gem to purse of player 1\n"
            "move any gold from bank to purse of player 1\nswap purse of player 1 with purse of player 2\n"
            "set found to 10 * count of purse of player 2 + count of purse of player 1",
            50,
        ),
        ("set found to total (if thing in every gold then 10, otherwise 1) for each thing in bank", None),
    ],
)
def test_zones_of_several_kinds(lines: str, expected: int | None) -> None:
    text = small(PURSE, START + lines)
    if expected is None:
        assert stages(text, 2).codes, "nothing is said"
    else:
        game = play(machine_of(text, 2))
        assert value_of(game.executor, game.cells, "found") == expected


BELONGING = """
counter uses of gem: 0..9
zone mat of gem: set of gold, open
whenever a gem enters purse of player
    add 1 to uses of gem
whenever a gold enters purse of player
    add 4 to found
whenever a gem enters jewels
    add 1 to found
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("move any gold from bank to purse of player 1", 4),
        ("move gem of bank + gold of bank to purse of player 2\nset found to uses of [red 1]", 2),
        ("move gem of bank with colour red to purse of player 2\nset found to count of every gem with uses 2", 2),
        ("move gem of bank with colour red to jewels", 4),
        ("move any gold from bank to mat of [red 2]\nset found to count of mat of [red 2] + count of every mat", 2),
        ("for each gem: add 1 to found", 8),
        ("move any gem from bank with uses 0 to box\nset found to count of bank", 14),
        ("for each gem in bank with colour red where (uses < 1): add value of gem to found", 6),
        ("set found to count of purse of player 1 with uses 0", None),
        ("for each thing in bank: add uses of thing to found", None),
        ("whenever a meeple enters jewels\n    nothing", None),
    ],
)
def test_what_belongs_to_one_kind(lines: str, expected: int | None) -> None:
    text = small(PURSE + BELONGING, START + lines)
    if expected is None:
        assert stages(text, 2).codes, "nothing is said"
    else:
        game = play(machine_of(text, 2))
        assert value_of(game.executor, game.cells, "found") == expected


@pytest.mark.parametrize("demand", ["with total value at most 3", "all of different colours, with total value at most 3"])
def test_a_selection_of_one_kind_may_have_a_total(demand: str) -> None:
    """Gold has no value at all, and this makes no value of a gem less than 0."""
    take = f"player 1 chooses\n    take 2 gems from bank, {demand}\n        move gems to purse of player 1"
    executor = Executor(machine_of(small(PURSE, START + take), 2))
    cells = executor.fresh()
    stop = executor.enter(cells)
    for _ in range(2):
        assert stop.kind == "decision", stop
        stop = executor.choose(cells, executor.options(cells)[-1])
    assert stop.kind == "over"


def test_nobody_is_told_what_cannot_be(tmp_path: Path) -> None:
    text = small(PURSE + BELONGING, START + "set found to uses of [red 1]")
    view = game_of(text, tmp_path, 2).start(1).view(1)
    assert {value.of for value in view.values if value.name == "uses"} == {"red 1", "red 2", "blue 1", "blue 2"}
    assert sum(zone.name.startswith("mat") for zone in view.zones) == 4


TREASURY = """
game treasury
    players 2..3

cards gem, 1 of each
    colour: red, blue, green
    value: 1..3
    shown as "{colour} gem worth {value}"

pieces gold, 4

pieces man, 2 for each player
    marker tired: yes or no

zone bank: set of gem or gold or man, open
zone pouch: pile of gem or gold or man, hidden
zone hand of player: set of gem or gold or man, private
zone discards of colour: set of gem or gold, open
zone vault of player: set of gem or man, private
zone camp of player: set of man, open

counter rounds: 0..8

define riches of player: total value of hand of player

setup
    move every gem to pouch
    move every gold to pouch
    for each player: move man of player to camp of player
    shuffle pouch
    draw 5 from pouch to bank
    for each player: draw 2 from pouch to hand of player

phase play
    take turns clockwise from player 1 until rounds is 8
        add 1 to rounds
        player chooses
            draw
                only if pouch is not empty otherwise "the pouch is empty"
                draw 1 from pouch to hand of player
            take 2 gems from bank, all different
                move gems to hand of player
            grab a gold from bank
                move gold to hand of player
            hide a thing from hand of player face down
                move thing to pouch
                shuffle pouch
            store a gem from hand of player face down
                move gem to vault of player
            throw a gem from hand of player
                move gem to discards of (colour of gem)
            pay a gold from hand of player
                only if discards of red has no gold otherwise "paid already"
                move gold to discards of red
            send a man from camp of player
                only if tired of man is no otherwise "he is tired"
                move man to pouch
                shuffle pouch
            call a man from hand of player
                set tired of man to yes
                move man to camp of (owner of man)
            pass: nothing

score of player
    gems: riches of player
    gold: 2 * count of gold of hand of player
    camp: 3 * count of camp of player

winner highest score, then shared

test "a hand may hold both"
    players Ann, Bob
    given hand of Ann: [red 1], gold
    given bank: [blue 2], [green 3], gold
    start play
    expect riches of Ann is 1
    expect Ann cannot hide [blue 2]
    Ann: take [blue 2]
    Ann: take [green 3]
    Bob: grab gold
    expect hand of Bob is (gold)
    Ann: throw [red 1]
    expect discards of red has a gem
    expect discards of red has no gold
    Bob: pay gold
    expect count of discards of red is 2
    expect score of Ann is 7

test "what is drawn from a pouch of several kinds"
    players Ann, Bob
    given pouch: gold, [red 3], [Bob 1]
    given camp of Bob: empty
    start play
    Ann: draw
    expect hand of Ann is (gold)
    Bob: draw
    expect Bob knows [red 3]
"""


@pytest.mark.slow
def test_a_game_of_three_kinds() -> None:
    rules = rules_from(Source("treasury.rules", TREASURY))
    assert [result.diagnostics for result in run_tests(rules) if not result.passed] == []
    assert check(rules).findings == ()
    machine = machine_of(TREASURY, 3)
    for game in range(3):
        assert list(differences(Executor(machine), WasmExecutor(machine, compiled(machine)), 5, game)) == []


@pytest.mark.slow
def test_what_is_hidden_among_several_kinds_stays_hidden(tmp_path: Path) -> None:
    """Worlds show a seat the same, and hold nothing where it cannot lie."""
    game = game_of(TREASURY, tmp_path, 3)
    honest(game, 12, 10)
    random = Random(1)
    for state in random_decisions(game, 12, random):
        for _ in range(10):
            world = state.determinise(state.player, random)
            vaults = [zone for zone in world.view(None).zones if zone.name == "vault"]
            assert vaults
            assert all("gem" in name for vault in vaults for name in vault.cards)


@pytest.mark.slow
def test_rollouts_imagine_several_kinds(tmp_path: Path) -> None:
    game = game_of(TREASURY, tmp_path, 3)
    bots = bots_from("rollouts:2,casual,rollouts:1", 3)
    one, other = (engine_for(game, bots, engine).play(3, 5, 3, rows=True).rows for engine in ("wasm", "reference"))
    assert one == other


BESIDE = """
cards slip
    debt: -2..2
    debt | count
    -2   | 3
    1    | 4
pieces man, 4 for each player
dice die, 2
    face: 1..6
zone board: grid of man, 4 x 4, open
zone tray: set of die, open
zone notes: set of slip, open
zone heap: pile of gem or gold, hidden
"""

BOTH = "set of gem or gold, open"


@pytest.mark.parametrize(
    ("zone", "lines", "code", "said"),
    [
        ("set of gem or golt, open", "", "R201", "did you mean `gold`?"),
        ("set of gem or gem, open", "", "R202", "`gem` is named twice"),
        ("set of gem or man, open", "", "R204", "a man lies on `board`, so no other kind can lie in one zone with it"),
        ("set of gem or die, open", "", "R204", "a die is rolled, so no other kind can lie in one zone with it"),
        ("set of gem and gold, open", "", "R101", "write `gem or gold`"),
        ("set of gem, gold, open", "", "R101", "write `gem or gold`"),
        ("set of gem or slip, open", "set found to total debt of stash", "R229", "`debt` can be none"),
        ("set of gem or slip, open", "set found to 9 + total debt of slip of stash", "", ""),
        ("set of gem, open", "move purse of player 1 to stash", "R204", "that it can hold: `gem of purse of player 1`"),
        ("set of gem, open", "draw 1 from heap to stash", "R204", "`stash` does not hold golds"),
        ("set of gem, open", "swap purse of player 1 with stash", "R204", "do not hold the same"),
        (BOTH, "for each meeple in stash: nothing", "R204", "these are gems or golds, and no meeples"),
        (BOTH, "move any meeple from stash to bank", "R204", "these are gems or golds, and no meeples"),
        (BOTH, "set found to count of meeple of stash", "R204", "these are gems or golds, and no meeples"),
        (BOTH, "move every meeple to stash", "R204", "`stash` holds gems or golds, and this is a set of meeples"),
        (BOTH, "for each gold in stash: add value of gold to found", "R204", "belongs to a gem or a meeple"),
        (BOTH, "move gold of stash with colour red to bank", "R204", "`colour` belongs to a gem; this is a gold"),
        (BOTH, "for each gem or gold in stash: add 1 to found", "R101", "take another word for both: `each thing in ...`"),
        (BOTH, "set found to count of gold in stash", "R204", "write `count of gold of stash`"),
        (BOTH, "move every gem in stash to bank", "R204", "write `gem of stash`"),
        (BOTH, "if gem in stash: set found to 1", "R204", "write `stash has a gem`"),
        (BOTH, "set found to count of stash where gem", "R204", "those that lie in a zone `gem of ZONE`"),
        (BOTH, "set found to size of stash", "R204", "write `count of stash`"),
        (BOTH, "for each thing in stash\n    if thing is a meeple: nothing", "R204", "so it is never a meeple"),
        (BOTH, "for each gem in stash\n    if gem is a gem: nothing", "R204", "so it is always a gem"),
        (BOTH, "for each thing in stash\n    if thing is a golt: nothing", "R201", "did you mean `gold`?"),
        (BOTH, "set found to total debt of stash", "R204", "`debt` belongs to a slip; this is a gem or gold"),
        (BOTH, "move [3] to stash", "R212", "name another gem"),
        (BOTH, "set chosen to any gold from stash", "R204", "this is a gold or none, where a gem"),
    ],
)
def test_messages(zone: str, lines: str, code: str, said: str) -> None:
    found = stages(small(f"{PURSE}{BESIDE}zone stash: {zone}", lines or "set found to count of stash"), 2)
    assert found.codes == [code] * bool(code)
    assert said in found.messages
