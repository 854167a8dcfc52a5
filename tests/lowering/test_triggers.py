"""A trigger runs right after each move that fits, once for each component, and after no other.

``log`` records the events, digit by digit: a trigger writes the rank of its card.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.machine.reference.executor import Executor

from ..pipeline import Found, lying, machine_of, play, small, stages, value_of, walk_game

THINGS = """
counter log: 0..214000000
counter seen of player: 0..99
marker leader: player or none
cards card, {copies} of each
    rank: 1..3
    suit: red, blue
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone shelf of player: set of card, open
zone table: set of card, open
zone shown: slot of card, open
step mark for digit: set log to log * 10 + digit
define low of card: rank of card < 2
define strongest: best of every shelf by highest rank
"""

MARK = "whenever a card enters table\n    do mark for rank of card\n"
HAND = "whenever a card enters hand of player\n    do mark for seat of player\n"


def log_of(triggers: str, lines: str, copies: int = 1, seed: int = 0, choices: tuple[int, ...] = (), players: int = 2) -> int:
    game = play(machine_of(small(THINGS.format(copies=copies) + triggers, lines), players), seed, choices)
    assert game.stop.kind == "over", game.stop
    return value_of(game.executor, game.cells, "log")


def found(triggers: str, lines: str = "", copies: int = 1) -> Found:
    return stages(small(THINGS.format(copies=copies) + triggers, lines), 2)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("move [1 red] to table", 1),
        ("move [1 red] to shown\nmove [2 red] to table", 2),
        ("move (all [red]) to table", 123),
        ("move every card to table", 112233),
        ("move every card to table\nmove table to shelf of player 1", 112233),
        ("move all [blue] to shelf of player 2\nmove shelf of player 2 with rank > 1 to table", 23),
        ("move [3 red] to shown\nmove shown to table\nmove shown to table", 3),
        ("move all [2] to shelf of player 1\nmove any card from shelf of player 1 to table", 2),
        ("move all [red] to shelf of player 1\nfor each card in shelf of player 1 by highest rank: move card to table", 321),
        ("move [2 red] to shelf of player 1\nlet one be any card from shelf of player 1\nmove one to table\ndo mark for 9", 29),
        ("move [3 red] to deck\nmove [1 red] to deck\ndraw 2 from deck to table", 13),
        ("if log is 0: move [1 red] to table", 1),
    ],
)
def test_after_the_whole_move_and_in_the_order_of_the_list(lines: str, expected: int) -> None:
    assert log_of(MARK, lines) == expected


def test_the_rest_runs_after_the_trigger_and_the_whole_set_has_moved_before() -> None:
    counting = "whenever a card enters table\n    do mark for count of table\n"
    assert log_of(counting, "move all [red] to table\ndo mark for 9") == 3339
    assert log_of(counting, "move all [red] to deck\ndraw 3 from deck to table\ndo mark for 9") == 1239


@pytest.mark.slow
def test_moves_by_chance_and_shuffled_draws() -> None:
    by_chance = {
        log_of(MARK, "move all [red] to shelf of player 1\nmove a random card from shelf of player 1 to table", seed=s)
        for s in range(30)
    }
    assert by_chance == {1, 2, 3}
    game = play(machine_of(small(THINGS.format(copies=1) + MARK, "shuffle every card into deck\ndraw 4 from deck to table"), 2))
    assert len(str(value_of(game.executor, game.cells, "log"))) == 4


def test_the_owner_is_the_one_whose_zone_it_is_when_it_moves() -> None:
    """The owner may be named by what the move itself changes."""
    lines = """
    move [3 red] to shelf of player 2
    move [1 red] to shelf of player 1
    move every shelf to hand of owner of strongest
    """
    assert log_of(HAND, lines) == 22
    moving = "whenever a card enters hand of player\n    do mark for seat of player\n    set leader to left of player\n"
    assert log_of(moving, "set leader to player 1\nmove all [red] to deck\ndraw 3 from deck to hand of leader") == 111


def test_filters() -> None:
    red = "whenever a card with suit red with rank at least 2 enters table\n    do mark for rank of card\n"
    assert log_of(red, "move every card to table") == 23
    word = "whenever a card where low enters table\n    do mark for rank of card\n"
    assert log_of(word, "move every card to table") == 11
    own = "whenever a card with rank seat of player enters hand of player\n    do mark for rank of card\n"
    assert log_of(own, "move all [red] to hand of player 2\nmove all [blue] to hand of player 1") == 21


def test_a_move_that_cannot_fit_costs_nothing() -> None:
    red = "whenever a card with suit red enters table\n    do mark for rank of card\n"
    lines = "move {0} to table\nmove every card with suit {1} to table\nfor each card in table with suit {1}: move card to table"
    for colour, calls in (("red", 3), ("blue", 0)):
        game = found(red, lines.format(f"[1 {colour}]", colour)).table
        assert game is not None
        (phase,) = game.flow
        assert str(phase).count("whenever a card enters table") == calls


def test_several_triggers_run_in_the_order_of_the_file() -> None:
    assert log_of(MARK + "whenever a card enters table\n    do mark for 9\n", "move [1 red] to table") == 19
    chained = MARK + "    move card to shelf of player 1\nwhenever a card enters shelf of player\n    do mark for 8\n"
    assert log_of(chained, "move all [red] to table") == 182838


def test_a_trigger_may_hold_decisions() -> None:
    triggers = """
whenever a card enters hand of player
    player chooses
        one: do mark for 1
        two: do mark for 2
        show: do mark for rank of card
"""
    lines = """
    move every card to deck
    player 1 chooses
        go
            draw 2 from deck to hand of player 1
            do mark for 9
    """
    machine = machine_of(small(THINGS.format(copies=1) + triggers, lines), 2)
    executor = Executor(machine)
    verbs = {group.verb: group.base for group in machine.groups}
    for cells, stop in walk_game(executor, 3):
        if stop.kind == "decision":
            assert executor.player(cells) == 0
    game = play(machine, 0, [verbs["go"], verbs["two"], verbs["one"]])
    assert value_of(game.executor, game.cells, "log") == 219


def test_the_component_is_the_one_that_came_where_equal_ones_lie_elsewhere() -> None:
    """Player 2 holds an equal card: it stays, and the one that came to player 1 goes."""
    away = "whenever a card with rank 1 enters hand of player\n    move card to table\n    do mark for 5\n"
    lines = """
    move [2 red] to hand of player 2
    move every card with rank 1 to shelf of player 2
    {0}
    do mark for (count of hand of player 1 + 1)
    do mark for (count of hand of player 2 + 1)
    do mark for (count of shelf of player 2 + 1)
    do mark for (count of table + 1)
    """
    assert log_of(away, lines.format("move any card from shelf of player 2 to hand of player 1"), 2) == 51242
    assert log_of(away, lines.format("move shelf of player 2 with suit red to hand of player 1"), 2) == 551233
    assert log_of(away, lines.format("for each card in shelf of player 2: move card to hand of player 1"), 2) == 55551215
    both = HAND + away
    assert log_of(both, "move all [1] to hand of player 2", 2) == 2222_5555


def test_a_component_that_an_earlier_trigger_moved_is_found_where_it_is() -> None:
    """The first card clears the table; what the others do finds them on the shelf, and nothing is doubled."""
    clearing = """
whenever a card enters table
    move table to shelf of player 1
    move card to shelf of player 2
    do mark for (count of shelf of player 1 + count of shelf of player 2 + count of table)
"""
    for copies in (1, 2):
        lines = "move all [red] to table\ndo mark for (count of shelf of player 2 + 1)"
        expected = {1: 3334, 2: 6666667}[copies]
        assert log_of(clearing, lines, copies) == expected


def test_everybody_sees_what_a_trigger_puts_into_the_box() -> None:
    """A king drawn in secret is seen by all when it leaves the game; another card is not."""
    lines = """
    move [2 red] to deck
    move [{0}] to deck
    shuffle deck
    draw 1 from deck to hand of player 1
    """
    box = "whenever a card with rank 1 enters hand of player\n    move card to box\n"
    machine = machine_of(small(THINGS.format(copies=1) + box, lines.format("1 red")), 2)
    digests: dict[int, set[int]] = {}
    for seed in range(20):
        game = play(machine, seed)
        held = len(lying(game.executor, game.cells, next(z for z in machine.zones if z.name == "hand")))
        digests.setdefault(held, set()).add(game.executor.digest(game.cells, 1))
    assert set(digests) == {0, 1}
    assert not digests[0] & digests[1]


def test_setting_up_a_test_sets_off_nothing_and_the_setup_does() -> None:
    game = small(THINGS.format(copies=1) + MARK, "setup\n    move [2 red] to table\nphase only\n    nothing")
    assert value_of((played := play(machine_of(game, 2))).executor, played.cells, "log") == 2


VARIANT = """
variant noisy "Noisy"
    whenever a card with suit red enters table
        do mark for 7
"""


def test_a_trigger_of_a_variant() -> None:
    text = small(THINGS.format(copies=1) + MARK, "move all [1] to table") + VARIANT
    for variants, expected in (((), 11), (("noisy",), 117)):
        game = play(machine_of(text, 2, variants=variants))
        assert value_of(game.executor, game.cells, "log") == expected


def test_a_step_in_a_trigger_can_be_replaced() -> None:
    triggers = "whenever a card enters table\n    step noise: do mark for 1\n"
    text = small(THINGS.format(copies=1) + triggers, "move [1 red] to table")
    text += 'variant loud "Loud"\n    replace step noise\n        do mark for 2\n'
    game = play(machine_of(text, 2, variants=("loud",)))
    assert value_of(game.executor, game.cells, "log") == 2


@pytest.mark.parametrize(
    ("triggers", "code", "said"),
    [
        ("whenever a card enters tabel\n    nothing\n", "R201", "did you mean `table`?"),
        ("whenever a card enters hand\n    nothing\n", "R206", "every player has a `hand`"),
        ("whenever a card enters table of player\n    nothing\n", "R206", "there is only one `table`"),
        ("whenever a card enters hand of seat\n    nothing\n", "R206", "every player has a `hand`"),
        ("whenever a card enters box\n    nothing\n", "R204", "the box is out of the game"),
        ("whenever a card enters log\n    nothing\n", "R204", "`log` is no zone"),
        ("whenever a card with colour red enters table\n    nothing\n", "R201", "no `colour`"),
        ("whenever a tile enters table\n    nothing\n", "R204", "these are cards"),
        ("whenever a card enters table\n    end only\n", "R223", "not inside a step or phase `only`"),
    ],
)
def test_bad_triggers(triggers: str, code: str, said: str) -> None:
    bad = found(triggers)
    assert bad.codes == [code]
    assert said in bad.messages


CIRCLE = """
step refill of player
    draw 1 from deck to hand of player
whenever a card enters table
    do refill of player 1
whenever a card with suit red enters hand of player
    move card to table
"""


def test_a_trigger_that_sets_itself_off_is_refused_with_the_whole_circle() -> None:
    alone = found("whenever a card enters hand of player\n    move card to hand of left of player\n")
    assert alone.codes == ["R240"]
    bad = found(CIRCLE)
    assert bad.codes == ["R240"]
    circle = "whenever a card enters table -> refill -> whenever a card enters hand -> whenever a card enters table"
    assert circle in bad.messages
    for line in ("draw 1 from deck to hand of player", "do refill of player 1", "move card to table"):
        assert line in bad.messages


def test_triggers_that_can_be_seen_not_to_go_round_are_no_circle() -> None:
    assert found("whenever a card with suit red enters table\n    move all [blue] to table\n").codes == []
    assert found("whenever a card enters table\n    move card to shelf of player 1\n").codes == []
    other = CIRCLE.replace("whenever a card enters table", "whenever a card with suit blue enters table")
    assert found(other).codes == []


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(copies=st.integers(1, 3), seed=st.integers(0, 10_000), rounds=st.integers(1, 6))
def test_a_trigger_runs_as_often_as_cards_come(copies: int, seed: int, rounds: int) -> None:
    """Cards never leave a shelf, so each has come once: the count of the trigger is the count of the shelf."""
    triggers = "whenever a card with suit red enters shelf of player\n    add 1 to seen of player\n"
    lines = f"""
    shuffle every card into deck
    repeat {rounds} times
        for each player
            player chooses
                draw
                    if count of deck > 1: draw 2 from deck to hand of player
                lay a card from hand of player
                    only if hand of player is not empty
                    move card to shelf of player
                lay_all: move hand of player to shelf of left of player
                lay_red: move hand of player with suit red to shelf of player
                lose
                    if hand of player is not empty: move a random card from hand of player to shelf of player
                stop: nothing
    """
    machine = machine_of(small(THINGS.format(copies=copies) + triggers, lines), 2)
    executor = Executor(machine)
    shelf = next(z for z in machine.zones if z.name == "shelf")
    for cells, stop in walk_game(executor, seed):
        if stop.kind != "chance":
            for owner in range(2):
                red = [face for face in lying(executor, cells, shelf, owner) if face % 2 == 0]
                assert value_of(executor, cells, "seen", owner) == len(red)
        total = sum(len(lying(executor, cells, z, o)) for z in machine.zones for o in range(2 if z.owned else 1))
        assert total == 6 * copies
