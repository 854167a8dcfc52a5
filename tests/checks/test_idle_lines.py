"""Lines and choices without which games are the same, and values of options that fail with some players only: by play."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from textwrap import indent

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.explored.exploring import explore
from rulesrun.interpreter.checks.explored.idle.idle_lines import LinesAt, idle_lines
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.coverage.parts import parts_of
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.rules import Rules, rules_from
from rulesrun.interpreter.table.sampling.combinations import Choice, tables_of

ANSWERS = """
game answers
    players 3..4
cards card, 1 of each
    rank: 1..16
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone won of player: set of card, open
marker waiting of player: yes or no
setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player
phase play
    repeat until every hand is empty
        for each player with hand not empty
            player chooses
                call a card from hand of player
{call}
                    move card to won of player
                rest: move best of hand of player by lowest rank to box
            {between}
            for each player rival clockwise from left of player to right of player
                if waiting of rival
                    rival chooses
                        follow: set waiting of rival to no
                        leave{leave}
score of player
    cards: count of won of player
    waits: 1 if waiting of player
winner highest score, then shared
"""


def answers(call: str = "set waiting of player to yes", between: str = "nothing", leave: str = ": nothing") -> Rules:
    text = ANSWERS.format(call=indent(call, " " * 20), between=between, leave=leave)
    return rules_from(Source("answers.rules", text))


ROUND = "for each player one: set waiting of one to yes"
CHOICE = "this choice changes nothing"
LINE = "this changes nothing: without it, all test games were the same"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "line", "message"),
    [
        (answers(f"set waiting of player to no\n{ROUND}"), "set waiting of player to no", LINE),
        (answers(f"{ROUND}\nset waiting of player to no"), "", ""),
        (answers(leave=": set waiting of rival to no"), "rival chooses", CHOICE),
    ],
)
def test_what_makes_no_difference_is_told(rules: Rules, line: str, message: str) -> None:
    """The line before is lost since who calls is one of those for whom it is set behind it: no proof sees that."""
    rules.required()
    proved = check(rules).findings
    found = [one for one in explore(rules, proved=proved).diagnostics if one.code == "R330"]
    assert [one.span.text.split("\n")[0] for one in found if one.span is not None] == [line] * bool(line)
    assert [one.message.startswith(message) for one in found] == [True] * bool(line)


@pytest.mark.slow
def test_a_choice_that_is_none_for_one_player() -> None:
    """Who has called waits already, and is asked once more."""
    rules = rules_from(
        Source(
            "bet.rules",
            """
game bet
    players 3
cards card, 1 of each
    rank: 1..4
zone deck: pile of card, hidden
zone hand of player: slot of card, private
counter paid of player: 1..2
marker bettor: player or none
setup
    shuffle every card into deck
    for each player: draw 1 from deck to hand of player
phase betting
    for each player
        if bettor is none: do answer of player
    if bettor is not none
        for each player clockwise from left of bettor to bettor: do answer of player
step answer of player
    player chooses
        pass: nothing
        bet
            set paid of player to 2
            if bettor is none: set bettor to player
score of player
    won:  total paid of players if player is best of (all best of players by highest paid) by highest rank of hand
    paid: -paid of player
winner highest score, then shared
""",
        )
    )
    rules.required()
    assert [one.message for one in explore(rules).diagnostics] == [
        "this choice changes nothing for who is `bettor`: all was the same, whatever was chosen"
    ]


TILES = """
game tiles
    players {players}
table sizes by players
    players | usual | most_each
    2       | 6     | 12
    3       | 6     | {three}
option each: 1..{top}, default usual
option open: yes or no, default no
cards card, 2 of each
    rank: 1..12
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone shown of player: set of card, open
setup
    shuffle every card into deck
    for each player: draw each from deck to hand of player
phase play
    for each player: move best of hand of player by highest rank to shown of player
score of player
    cards: total rank of shown of player
winner highest score, then shared
"""


@pytest.mark.parametrize(
    ("players", "three", "top", "tables"),
    [
        ("2..3", "8", "most_each", []),
        ("2..3", "9", "most_each", ["3 players with each 9"]),
        ("2..3", "8", "12", ["3 players with each 12"]),
        ("3", "8", "12", ["3 players with each 12"]),
    ],
)
def test_a_number_that_fails_with_some_players(players: str, three: str, top: str, tables: list[str]) -> None:
    """The range of an option can be a column of a table by players, so a number that only some can play with is a fault."""
    text = TILES.format(players=players, three=three, top=top)
    rules = rules_from(Source("tiles.rules", text))
    found = [one for one in check(rules).findings if one.severity == "error"]
    assert [table for one in found for table in one.tables] == tables


FOLLOW = """
game follow
    players 3
{option}
cards card, 1 of each
    suit: sun, moon, star
    rank: 1..6
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone played of player: slot of card, open
counter tricks of player: 0..5
marker leader: player
marker closed: yes or no
define led: suit of played of leader
setup
    shuffle every card into deck
    for each player: draw 5 from deck to hand of player
    set leader to player 1
    {closing}
phase play
    repeat 5 times
        for each player clockwise from leader
            player chooses
                play a card from hand of player
                    only if led is none or suit of card is led{exception} otherwise "follow"
                    move card to played of player
{throw}
        set leader to owner of best of every played by highest rank, then lowest suit
        add 1 to tricks of leader
        move every played to box
score of player
    tricks: tricks of player
winner highest score, then shared
"""
LOWEST = "move best of hand of player by lowest rank, then lowest suit to box"
IMPOSSIBLE = f"                if impossible: {LOWEST}"
THROW = f"""\
                throw
                    only if mild and led is not none and hand of player has no card with suit led otherwise "follow"
                    {LOWEST}
"""
NO_CARD = " unless hand of player has no card with suit led"
SWALLOWED = " unless hand of player has a card with suit not led"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("exception", "throw", "closing", "told"),
    [
        (NO_CARD, "", "", []),
        (NO_CARD, IMPOSSIBLE, "", [("R326", LOWEST)]),
        (SWALLOWED, "", "", [("R327", "only if led is none")]),
        ("", THROW + IMPOSSIBLE, "", [("R321", "mild")]),
        ("", THROW.replace("lowest rank", "highest rank") + IMPOSSIBLE, "", []),
        (NO_CARD + " or closed", THROW.replace(LOWEST, "nothing") + "", "set closed to mild", []),
    ],
)
def test_what_never_comes_up(exception: str, throw: str, closing: str, told: list[tuple[str, str]]) -> None:
    """An exception that swallows the rule, acts that are always there, and an act that does alone what is done without it."""
    option = "option mild: yes or no, default no" if throw.startswith(THROW[:30]) else ""
    rules = rules_from(Source("follow.rules", FOLLOW.format(exception=exception, throw=throw, option=option, closing=closing)))
    rules.required()
    found = explore(rules).diagnostics
    assert [(one.code, one.span.text[: len(text)]) for one, (_, text) in zip(found, told, strict=True) if one.span] == told


MEADOW = """
game meadow
    players 2..3
cards card, 4 of each
    worth: 1..4
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone field of player: set of card, open
counter harvest of player: 0..9
setup
    shuffle every card into deck
    for each player: draw 5 from deck to hand of player
phase plant
    for each player
        player chooses
            plant 2 cards from hand of player
                only if worth of card > 1 otherwise "too weak to grow"
                move cards to field of player
                add 1 to harvest of player
            rest: nothing
whenever a card with {what} enters field of player: add 1 to harvest of player
score of player
    field: total worth of field of player
    harvest: harvest of player
winner highest score, then shared
"""


@pytest.mark.slow_cases("worth 1-1", "worth 2-0")
@pytest.mark.parametrize(("what", "told"), [("worth 2", 0), ("worth 1", 1)])
def test_a_trigger_that_never_fires(what: str, told: int) -> None:
    """A trigger is told where what it watches for is never allowed to come; no proof knows which cards are."""
    rules = rules_from(Source("meadow.rules", MEADOW.format(what=what)))
    rules.required()
    found = [(one.code, one.message) for one in explore(rules, proved=check(rules).findings).diagnostics]
    assert found == [("R326", "this trigger never fired in any of many test games")] * told


BETTING = """
game betting
    players 2..3
cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
counter paid of player: 0..9
marker waiting of player: yes or no
setup
    shuffle every card into deck
    for each player: draw 1 from deck to hand of player
    for each player: set waiting of player to yes
phase early
    do betting for 1
phase late
    for each player: draw 1 from deck to hand of player
    {before}
    do betting for 2
step betting for stake
    take turns clockwise from player 1 among players where waiting until nobody where waiting
        player chooses
            call: add stake to paid of player
            pass: nothing
        set waiting of player to no
score of player
    rank: total rank of hand of player * paid of player
winner highest score, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "told"), [("for each player: set waiting of player to yes", []), ("nothing", ["do betting for 2"])]
)
def test_a_step_that_asks_nobody_where_it_is_done(before: str, told: list[str]) -> None:
    """The step asks where it is done first; where it is done next, its loop is over before it begins."""
    rules = rules_from(Source("betting.rules", BETTING.format(before=before)))
    rules.required()
    found = explore(rules, proved=check(rules).findings).diagnostics
    assert [(one.code, one.span.text) for one in found if one.span] == [("R392", line) for line in told]


ROPE = """
game rope
    players 3
counter mark: 0..80
counter heaves of player: 0..40
setup
    set mark to 40
phase heaving
    repeat 10 times
        for each player
            player chooses
                heave a number from 0..3
                    add number to heaves of player
                    if player is player 1: add number to mark
                    if player is player 2: take number from mark
score of player
    up:   mark - 40 if player is player 1
    down: 40 - mark if player is player 2
    even: 1 if player is player 3 and {even}
winner highest score, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("even", "told"),
    [
        ("mark is 40", []),
        ("heaves of player is 40", ["with 3 players, player 3 won none of at least 8,000 test games"]),
        ("mark is 40 and heaves of player > 23", ["with 3 players, player 3 won hardly any of at least 8,000 test games"]),
    ],
)
def test_a_player_who_hardly_ever_wins(even: str, told: list[str]) -> None:
    """Whoever heaves for neither side wins only where the score says so."""
    rules = rules_from(Source("rope.rules", ROPE.format(even=even)))
    rules.required()
    assert [one.message for one in explore(rules).diagnostics if one.code == "R394"] == told


HEX = (Path(__file__).parents[2] / "games/classics/hex.rules").read_text("utf-8").partition("\ntest ")[0]
SWAP = """
variant swap
    needs columns is rows
    replace phase play
        take turns until board is full
            player chooses
                place stone of player on board
                    if board with owner player has a path from start of player to goal of player: player wins
                swap
                    only if count of board is 1 otherwise "only the first stone"
                    only if board has no cell with owner ({whose}) otherwise "you have a stone already"
                    for each cell in board: set owner of cell to player
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEX.partition("\nvariant ")[0] + SWAP.format(whose="player"), []),
        (HEX.partition("\nvariant ")[0] + SWAP.format(whose="left of player"), [("R392", "swap", ("swap",))]),
        (HEX.replace("with row rows", "with row columns"), [("R394", "player wins", ("rows 2",))]),
    ],
)
def test_games_of_many_decisions(text: str, told: list[tuple[str, str, tuple[str, ...]]]) -> None:
    rules = rules_from(Source("hex.rules", text))
    rules.required()
    found = [one for one in explore(rules).diagnostics if one.code != "R391"]  # who swaps can be swapped with again
    assert [(one.code, one.span.text.split("\n")[0], one.tables) for one in found if one.span] == [
        (code, line, tuple(f"2 players with {table}" for table in tables)) for code, line, tables in told
    ]


UNIQUE = """
game unique
    players 2..3
cards card, 1 of each
    rank: 1..{ranks}
zone deck: pile of card, hidden
zone hand of player: set of card, private
counter given of player: 0..9
setup
    shuffle every card into deck
    for each player: draw 2 from deck to hand of player
phase play
    for each player
        player chooses
            give a number from 0..9: set given of player to number
score of player
    cards: {score}
winner highest score, then most given, then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("score", "told"),
    [
        (
            "highest rank among hand of player",
            ["this never decided: in at least 40,000 games nobody was level when it came to it"],
        ),
        ("total rank of hand of player", []),
    ],
)
def test_a_key_for_which_nobody_is_ever_level(score: str, told: list[str]) -> None:
    rules = rules_from(Source("unique.rules", UNIQUE.format(score=score, ranks=30)))
    rules.required()
    assert [one.message for one in explore(rules).diagnostics if one.code == "R361"] == told


@pytest.mark.slow
def test_what_there_was_no_time_to_see_is_not_remembered() -> None:
    rules = answers(f"set waiting of player to no\n{ROUND}")
    game = table_of(rules, 3, (), {})
    (made,) = (each.found for each in tables_of(rules.required()).tables if each.choice == Choice(3))
    noted: list[frozenset[int]] = []
    at = LinesAt(Choice(3), game, made, frozenset(), noted.append)

    def found(looks: int) -> int:
        """How many findings there are where it is late after so many looks at the clock."""
        clock = count()
        told = idle_lines([at], (), parts_of(rules.required()), 0, lambda _: False, lambda: next(clock) >= looks)
        return len(list(told))

    assert (found(3), noted) == (0, [])
    assert found(10_000_000) == 1
    assert len(noted) == 1


@pytest.mark.slow
def test_a_choice_of_who_learns_something_is_one() -> None:
    rules = rules_from(
        Source(
            "whisper.rules",
            """
game whisper
    players 3
cards card, 1 of each
    rank: 1..6
zone deck: pile of card, hidden
zone hand of player: slot of card, private
counter guessed of player: 0..9
setup
    shuffle every card into deck
    for each player: draw 1 from deck to hand of player
phase talk
    for each player
        player chooses
            tell a player other from opponents of player
                show hand of player to other
    for each player
        player chooses
            guess a number from 1..6
                if number is rank of hand of left of player: add 1 to guessed of player
score of player
    guessed: guessed of player
winner highest score, then shared
""",
        )
    )
    rules.required()
    assert [one.message for one in explore(rules).diagnostics if one.code == "R330"] == []
