"""Counting along the rules: components, counters and markers, with the numbers of the table in the message."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from rulesrun.interpreter.checks.abstract.domain.values import NOBODY
from rulesrun.interpreter.checks.abstract.interpreter import counted
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.checks.lints.scores import scores
from rulesrun.interpreter.common.diagnostics import render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.play.game import table_of
from rulesrun.interpreter.rules import Rules, read_rules, rules_from
from rulesrun.interpreter.table.from_model import specialise

from ..goldens import check_golden
from ..pipeline import GAMES, faults, findings

MESSAGES = Path(__file__).parent / "messages"

GAME = """
game small
    players 2..4
cards card, 2 of each
    suit: moon, sun
    rank: 1..5
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone shown: slot of card, open
zone table: set of card, open
counter rounds: 0..3
counter coins of player: 0..9
marker leader: player
table worth by number_of_cards: 0: 0, 1: 2, 2: 3
setup
    shuffle every card into deck
    {setup}
phase only
{phase}
score of player
    cards: count of hand of player
    coins: coins of player
winner highest score, then shared
"""


def rules(phase: str, setup: str = "set leader to player 1") -> Rules:
    text = GAME.format(phase=indent(dedent(phase).strip("\n"), "    "), setup=setup)
    return rules_from(Source("small.rules", text.strip() + "\n"))


def codes(phase: str, setup: str = "set leader to player 1") -> list[str]:
    return [finding.code for finding in faults(rules(phase, setup))]


ROUNDS = "repeat until deck is empty\n    for each player: draw {0} from deck to hand of player\n"
CHOICE = "player 1 chooses\n    draw\n        {0}\n    wait: nothing\n"


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("for each player: draw 5 from deck to hand of player", []),
        ("for each player: draw 6 from deck to hand of player", ["R340"]),
        ("for each player clockwise from leader: draw 6 from deck to hand of player", ["R340"]),
        ("repeat 21 times: draw 1 from deck to table", ["R340"]),
        ("repeat 20 times: draw 1 from deck to table", []),
        (ROUNDS.format(1), ["R340"]),  # 3 players do not share 20 cards
        (ROUNDS.format("(12 / players rounded down)"), ["R340"]),
        ("repeat until deck is empty: draw 4 from deck to table", []),
        ("repeat until deck is empty: draw 3 from deck to table", ["R340"]),
        ("repeat until deck is empty\n    repeat 3 times\n        if deck is not empty: draw 1 from deck to table", []),
        (CHOICE.format("draw 21 from deck to table"), ["R340"]),
        (CHOICE.format("only if coins of player 1 > 0\n        draw 21 from deck to table"), []),
        ("draw 20 from deck to table\n" + CHOICE.format("draw 1 from deck to table"), ["R340"]),
        ("if rounds is 1: draw 21 from deck to table", []),
        ("draw 1 from deck to shown\ndraw 1 from deck to shown", ["R341"]),
        ("draw 1 from deck to shown\nmove shown to table\ndraw 1 from deck to shown", []),
        ("move every card with suit moon to table\ndraw 10 from deck to table", []),
        ("move every card with suit moon to table\ndraw 11 from deck to table", ["R340"]),
        ("draw 2 from deck to table\nfor each card in table: move card to shown", ["R341"]),
        ("remove 18 from deck unseen\ndraw 2 from deck to table", []),
        ("remove 18 from deck unseen\ndraw 3 from deck to table", ["R340"]),
        ("draw 3 from deck to table\nremove 18 from deck unseen", ["R342"]),
        ("move a random card from table to shown\ndraw 1 from deck to table", ["R340"]),
        ("repeat 3 times: add 1 to rounds", []),
        ("repeat 4 times: add 1 to rounds", ["R301"]),
        ("repeat until rounds is 3: add 2 to rounds", ["R301"]),
        ("draw 2 from deck to table\nset coins of player 1 to worth for count of table", []),
        ("draw 3 from deck to table\nset coins of player 1 to worth for count of table", ["R302"]),
        ("repeat until rounds is 3\n    add 1 to rounds\n    if rounds is 2: end only\n    draw 7 from deck to table", []),
        ("draw 7 from deck to table\nrepeat until rounds is 3\n    add 1 to rounds\n    draw 5 from deck to table", ["R340"]),
    ],
)
def test_what_is_counted(phase: str, expected: list[str]) -> None:
    assert [code for code in codes(phase) if code != "R303"] == expected


WORTH = "set coins of player 1 to worth for count of hand of player 1"
TURNS = """
repeat until rounds is 3
    add 1 to rounds
    for each player
        player chooses
            wait: nothing
            take
                only if count of hand of player < {0} and deck is not empty
                draw 1 from deck to hand of player
"""
HOLDING = """
define holding of player: worth for count of hand of player
step deal for player
    if count of hand of player < 2: draw 1 from deck to hand of player
"""
PLAYED = """
for each player: draw {0} from deck to hand of player
repeat until rounds is 3
    add 1 to rounds
    for each player
        player chooses
            wait: nothing
            play a card from hand of player
                only if worth for count of hand of player > 1
                move card to table
            again
                only if table is not empty
                set coins of player to worth for count of hand of player
"""


@pytest.mark.parametrize(
    ("phase", "score", "settled"),
    [
        ("draw 2 from deck to hand of player 1\n" + WORTH, "0", True),
        ("draw 3 from deck to table\n" + WORTH, "0", True),
        ("for each player: draw 2 from deck to hand of player", "worth for count of hand of player", True),
        (f"{TURNS.format(2)}{WORTH}", "worth for count of hand of player", True),
        (f"{TURNS.format(3)}{WORTH}", "0", False),
        (TURNS.format(3), "worth for count of hand of player", False),
        (PLAYED.format(2), "worth for count of hand of player", True),
        (PLAYED.format(2).replace("card to table", "a random card from deck to hand of player"), "0", False),
        (CHOICE.format("draw 2 from deck to hand of player 1") + WORTH, "0", True),
        (CHOICE.format("draw 3 from deck to hand of player 1") + WORTH, "0", False),
        ("if rounds is 0: draw 2 from deck to hand of player 1\n" + WORTH, "0", True),
        ("move a random card from deck to hand of player 1\nif score of player 1 > 0: nothing", "holding of player", True),
        (f"{TURNS.format(9)}if score of player 1 > 0: move every card to deck", "holding of player", False),
        (f"{TURNS.format(9)}for each player: move hand of player to deck", "holding of player", True),
        (f"{TURNS.format(9)}move every hand to deck", "holding of player", True),
        (f"{TURNS.format(9)}move every card to deck", "holding of player", True),
        (f"set leader to a random player{TURNS.format(9)}move hand of leader to deck", "holding of player", False),
        (f"repeat 5 times: do deal for player 1\n{WORTH}", "0", True),
        (f"set rounds to a random number from 0..3\nrepeat rounds times: do deal for player 1\n{WORTH}", "0", True),
        (f"set rounds to a random number from 0..3\ndraw rounds from deck to hand of player 1\n{WORTH}", "0", False),
        ("repeat (worth for count of table) times: nothing", "0", False),  # what a loop asks for is not followed
    ],
)
def test_whether_there_always_is_a_row(phase: str, score: str, settled: bool) -> None:
    """A row that is missing by the number of all cards need not be there where the rules never come so far."""
    text = GAME.format(phase=indent(dedent(phase).strip("\n"), "    "), setup="nothing").replace("players 2..4", "players 2")
    text = text.replace("coins: coins of player", f"coins: {score}").replace("\nsetup", f"\n{HOLDING}\nsetup")
    found = faults(rules_from(Source("small.rules", text.strip() + "\n")))
    assert [finding.code for finding in found] == ([] if settled else ["R303"])


@pytest.mark.parametrize(
    ("line", "settled"),
    [
        ("pips for total rank of hand of player if count of hand of player is 1", True),
        ("pips for total rank of hand of player if hand of player is not empty", True),
        ("pips for total rank of hand of player", False),
        ("pips for total rank of hand of player if coins of player is 0", False),
        ("pips for total rank of hand of left of player if hand of player is not empty", False),
        ("worthy of player", True),
    ],
)
def test_a_condition_that_leads_to_a_lookup_is_heeded_within_a_line(line: str, settled: bool) -> None:
    """Each player has one card or none, and the table begins with 1."""
    digging = "for each player\n    player chooses\n        dig: draw 1 from deck to hand of player\n        rest: nothing"
    text = GAME.format(phase=indent(digging, "    "), setup="nothing").replace("coins: coins of player", f"coins: {line}")
    declared = """table pips by total_rank: 1: 3, 2: 1, 3: 0, 4: 0, 5: 2
define worthy of player
    0 if hand of player is empty
    otherwise pips for total rank of hand of player
"""
    found = faults(rules_from(Source("small.rules", text.strip().replace("\nsetup", f"\n{declared}setup") + "\n")))
    assert [finding.code for finding in found if finding.code == "R303"] == ([] if settled else ["R303"])


OPEN = """
draw 4 from deck to table
let kept be a random card from table
repeat until count of hand of player 1 is 3
    player 1 chooses
        wait: nothing
        go_on
            {0}
"""


@pytest.mark.parametrize(
    ("lines", "known"),
    [
        ("draw 1 from deck to hand of player 1", True),
        ("move a random card from table to hand of player 1", False),
        ("move kept to hand of player 1", False),  # by a name that is older than the loop
        ("do take for kept", False),
        ("let one be a random card from deck\nmove one to hand of player 1", True),
        ("let one be a random card from deck\nmove deck to table\nmove one to hand of player 1", False),
        ("let one be a random card from hand of player 2\nmove hand of player 2 to deck\nmove one to hand of player 1", True),
        ("let one be a random card from deck\nmove deck to hand of player 2\nmove one to table", False),
    ],
)
def test_what_an_open_loop_leaves_where_it_lies(lines: str, known: bool) -> None:
    """Four cards lie on the table before it."""
    phase = OPEN.format(indent(lines, " " * 12).strip()) + "step take for card\n    move card to hand of player 1\n"
    text = GAME.format(phase=indent(phase.strip(), "    ").replace("    step take", "step take"), setup="nothing").strip()
    made = specialise(rules_from(Source("small.rules", text + "\n")).required(), 2)
    assert made.table is not None, made.diagnostics
    end = counted(made.table).end
    assert end is not None
    assert (end.content["table", NOBODY] == (4, 4)) == known


MANY = """
move every card to table
let kept be a random card from table
move kept to shown
player 1 chooses
    go a number from 0..13
        repeat number times: move a random card from table to hand of player 1
for each card in hand of player 1 + shown
    {0}
"""


@pytest.mark.parametrize(
    ("lines", "known"),
    [
        ("nothing", True),
        ("if rank of card > 3: nothing", True),
        ("move card to table", False),  # that of the loop, which is done so often as nobody knows
        ("move kept to table", False),
    ],
)
def test_what_a_loop_through_many_leaves_where_it_lies(lines: str, known: bool) -> None:
    """A card lies in the slot before it."""
    phase = indent(MANY.format(lines).strip(), "    ")
    made = specialise(rules_from(Source("small.rules", GAME.format(phase=phase, setup="nothing").strip() + "\n")).required(), 2)
    assert made.table is not None, made.diagnostics
    end = counted(made.table).end
    assert end is not None
    assert (end.content["shown", NOBODY] == (1, 1)) == known


@pytest.mark.slow
@pytest.mark.parametrize(("match", "expected"), [("", []), ("match of 2 games", ["R303"])])
def test_between_the_games_of_a_match_nothing_is_counted(match: str, expected: list[str]) -> None:
    phase = "    for each player: draw 2 from deck to hand of player"
    text = GAME.format(phase=phase, setup="nothing").replace("coins: coins of player", "coins: worth for count of hand of player")
    found = faults(rules_from(Source("small.rules", f"{text.strip()}\n{match}\n")))
    assert [finding.code for finding in found] == expected


def test_a_marker_that_nothing_has_set() -> None:
    assert codes("add 1 to coins of leader", "nothing") == ["R344"]
    assert codes("add 1 to coins of leader", "set leader to a random player") == []


PAGE = [
    ("runs_out", "for each player: draw 6 from deck to hand of player"),
    ("not_even", ROUNDS.format(1)),
    ("second_in_slot", "draw 1 from deck to shown\ndraw 1 from deck to shown"),
    ("counter_too_far", "repeat until deck is empty\n    draw 4 from deck to table\n    add 1 to rounds"),
    ("no_row", "draw 3 from deck to table\nset coins of player 1 to worth for count of table"),
]


@pytest.mark.parametrize(("name", "phase"), PAGE, ids=[name for name, _ in PAGE])
def test_the_message_has_the_numbers_of_the_table(name: str, phase: str) -> None:
    found = faults(rules(phase))
    check_golden(MESSAGES / f"{name}.messages", "\n\n".join(map(render, found)) + "\n")


SHIPPED = [
    ("masti", "    4       | 10        | 2", "    4       | 14        | 2", {"R340"}),
    ("masti", "for each player: set gems of player to first_gems", "for each player: add 5 to gems of player", {"R301"}),
    ("masti", "    set leader to a random player\n", "", {"R344"}),
    ("kingdomino", "remove 48 -", "remove 47 -", {"R301"}),
    ("kingdomino", "x (2 * side - 1), open", "x (2 * side - 2), open", {"R301"}),
    ("for_the_king", "    3       | 13\n", "    3       | 12\n", {"R340"}),
    ("for_the_king", "repeat players + 1 times", "repeat players times", {"R340"}),
    ("for_the_king", "    set advisor to a random player\n", "", {"R344"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "old", "new", "expected"), SHIPPED)
def test_a_wrong_number_in_a_shipped_game_is_found(name: str, old: str, new: str, expected: set[str]) -> None:
    path = GAMES / f"{name}.rules"
    text = path.read_text(encoding="utf-8")
    assert old in text
    played = text[: text.index('\ntest "')].replace(old, new) + "\n"
    assert {finding.code for finding in faults(rules_from(Source(str(path), played)))} == expected


def test_the_ranges_of_a_score_sheet() -> None:
    """Eight symbols of each of six guilds, and a joker, which stands for one: the best and the worst that the table pays."""
    found = scores(table_of(read_rules(GAMES / "masti.rules"), 4).table)
    assert found is not None
    assert dict(found.terms)["power"] == (-6, 10)
    assert dict(found.terms)["bonus"] == (0, 8)
    assert dict(found.terms)["penalty"] == (-8, 0)
    assert found.score == (sum(low for _, (low, _) in found.terms), sum(high for _, (_, high) in found.terms))


MATCH = """
game small
    players 2
counter points of player: 0..9
phase only
    for each player
        player chooses
            earn: add 2 to points of player
            rest: nothing
score of player
    points: {term}
winner highest score, then shared
variant long "several games"
    match until {until}, at most 6 games, highest score, then shared
"""


@pytest.mark.parametrize(
    ("term", "until", "code"),
    [
        ("points of player", "somebody with score at least 12", ""),
        ("points of player", "somebody with score at least 13", "R305"),
        ("-points of player", "somebody with score at least 1", "R305"),
        ("points of player", "nobody with score > 12", "R351"),
        ("points of player", "nobody with score > 11", ""),
    ],
)
def test_a_match_that_never_ends_or_at_once(term: str, until: str, code: str) -> None:
    found = findings(rules_from(Source("small.rules", MATCH.format(term=term, until=until).strip() + "\n")))
    assert [(one.code, one.tables) for one in found] == [(code, ("2 players with long",))] * (code != "")


@pytest.mark.slow
def test_the_returns_of_a_match_are_of_the_scores_of_all_its_games() -> None:
    """No more than 50 games, in each of which no line takes more than 26; and what a side gets, which is two players' scores."""
    found = scores(table_of(read_rules(GAMES / "classics" / "hearts.rules"), variants=["until_100"]).table)
    assert found is not None
    assert found.returns == found.score == (-50 * (26 + 26), 0)
    found = scores(table_of(read_rules(GAMES / "classics" / "spades.rules"), variants=["until_500"]).table)
    assert found is not None
    assert found.returns == (2 * found.score[0], 2 * found.score[1])


def test_a_game_that_is_over_has_not_divided_by_nothing() -> None:
    """Three pay 13 each at most; that somebody is left to share the pot is not counted, but nobody could be paid without."""
    found = scores(table_of(read_rules(GAMES / "classics" / "leduc_poker.rules"), 3).table)
    assert found is not None
    assert dict(found.terms) == {"won": (0, 39), "odd_chip": (0, 2), "paid": (-13, -1)}


def test_a_line_and_a_key_that_make_no_difference() -> None:
    text = GAME.format(phase="    for each player: draw 3 from deck to hand of player", setup="set leader to player 1")
    idle = text.replace("to hand of player\n", "to hand of player\n    for each player: move hand of player to table\n")
    assert "R360" in [finding.code for finding in check(rules_from(Source("small.rules", idle.strip() + "\n"))).findings]
    again = text.replace("winner highest score, then", "winner highest score, then most hand, then")
    assert "R361" in [finding.code for finding in check(rules_from(Source("small.rules", again.strip() + "\n"))).findings]


def test_a_variant_that_leaves_no_line_of_the_score_asks_for_something_else() -> None:
    text = GAME.format(phase="    for each player: draw 3 from deck to hand of player", setup="set leader to player 1")
    text = text.strip() + "\nvariant bare\n    remove cards from score\n    remove coins from score\n"
    instead = text + "    replace winner most hand, then shared\n"
    for bare, expected in ((text, True), (text.replace("    remove coins from score\n", ""), False), (instead, False)):
        found = check(rules_from(Source("small.rules", bare))).findings
        assert any("no line of the score is left" in finding.message for finding in found) == expected


def test_beside_a_loop_without_an_end_only_what_does_not_depend_on_the_end_is_said() -> None:
    phase = "    repeat until deck is empty: set leader to player 1\n    for each player: draw 3 from deck to hand of player"
    text = GAME.format(phase=phase, setup="set leader to player 1") + "\n"
    text = text.replace("    coins: coins of player\n", "").replace("highest score, then", "highest score, then most hand, then")
    idle = text.replace("to hand of player\n", "to hand of player\n    for each player: move hand of player to table\n")
    for each in (text, idle):
        found = [finding.code for finding in check(rules_from(Source("small.rules", each.strip() + "\n"))).findings]
        assert [code for code in found if code.startswith(("R30", "R36"))] == ["R305", "R361"]


MAPS = """\
game maps
    players 2
pieces castle, 1 for each player
pieces tower, 1 for each player
zone map of player: grid of castle or tower, 9 x 9, open
counter kept of player: 0..9
setup
    for each player: put tower of player on middle of map of player
    put castle of player 1 on {0}
phase play
    if count of map of player 1 is 1: add 1 to kept of player 1
    add 1 to kept of player 2
score of player
    kept: kept of player
winner highest score, then shared
"""


@pytest.mark.parametrize(
    ("cells", "never"),
    [
        ("(any cell from cells next to map of player 1)", True),
        ("(best of empty cells of map of player 1 by lowest row, then lowest column)", True),
        ("(any cell from ((cells next to tower of player 2) with column (count of map of player 1 + 4)))", False),
    ],
)
def test_whose_cells_are_meant_is_not_told_by_what_is_asked_of_them(cells: str, never: bool) -> None:
    found = findings(rules_from(Source("maps.rules", MAPS.format(cells))))
    codes = [finding.code for finding in found if finding.code != "R333"]  # one player's castle stays in the box
    assert codes == ["R327"] * never


DIGGERS = """
game diggers
    players {players}
{teams}
cards card, 1 of each
    rank: 1..9
    suit: sun, moon
zone deck: pile of card, hidden
zone hand of player: set of card, private
counter coins of player: 0..9
counter gems of player: 0..9
marker target of player: player
define wealth of player: coins of player + 2 * gems of player
define rich of player: wealth of player > 1
define suns of player: hand of player with suit sun
define moons of player: hand of player with suit moon
define low of player: lowest rank among suns of player
define top of player: highest rank among hand of player
setup
    shuffle every card into deck
    for each player: set target of player to left of player
phase only
    for each player
        draw 2 from deck to hand of player
        player chooses
            dig: add 1 to gems of player
            earn: add 1 to coins of target of player
            rest: nothing
score of player
    gems: gems of player
    cards: total rank of hand of player
winner {keys}, then shared
"""


def test_keys_for_lines_of_the_score_of_which_one_asks_for_the_other() -> None:
    """All but one of the lines that make a known sum: none of them is known because the other is."""
    text = DIGGERS.format(players="2", teams="", keys="highest score, then highest score for cards")
    text = text.replace("    gems: gems of player\n", "    many: 1 if score of player for gems > 0\n    gems: gems of player\n")
    codes = [finding.code for finding in check(rules_from(Source("diggers.rules", text))).findings]
    assert not {"R216", "R361"} & set(codes)


@pytest.mark.parametrize(
    ("keys", "never"),
    [
        ("most coins, then fewest coins", "fewest coins"),
        ("most coins, then highest 3 * coins", "highest 3 * coins"),
        ("most coins, then most gems, then highest wealth", "highest wealth"),
        ("most gems, then most coins, then rich", "rich"),
        ("most gems, then highest score for gems", "highest score for gems"),
        ("most gems, then highest score for cards, then highest score", "highest score"),
        ("highest score, then most gems, then highest score for cards", "highest score for cards"),
        ("highest seat, then most coins", "most coins"),
        ("lowest low, then most suns", "most suns"),  # level are only those who have none
        ("lowest low, then most moons", ""),
        ("highest top, then most moons", ""),
        ("highest score, then most coins", ""),
        ("most coins, then highest wealth", ""),
        ("rich, then highest wealth", ""),
        ("most coins, then most gems, then highest score", ""),
        ("highest score, then most gems, then highest wealth", ""),
    ],
)
def test_a_key_that_follows_from_those_before_it(keys: str, never: str) -> None:
    def idle(players: str, teams: str) -> list[str]:
        source = Source("diggers.rules", DIGGERS.format(players=players, teams=teams, keys=keys))
        rules = rules_from(source)
        rules.required()
        return [d.span.text for d in check(rules).findings if d.code == "R361" and d.span is not None]

    assert idle("2..3", "") == ([never] if never else [])
    if never not in ("fewest coins", ""):
        the_same = [never] if never == "highest score for gems" else []
        assert idle("4", "teams of 2, in turn") == the_same  # the keys are sums


RACE = """
game race
    players 2
cards card, 1 of each
    rank: 1..9
    suit: sun, moon
cards tile
    number: 1..3
    crowns: 0..1

    number | crowns
    1      | 0
    2      | 1
    3      | 0
zone deck: pile of card, hidden
zone line: set of {kind}, open
zone hand of player: set of card, open
setup
    shuffle every card into deck
phase only
    draw 2 from deck to hand of player 1
    {loop}
score of player
    cards: count of hand of player
winner highest score, then shared
"""


@pytest.mark.parametrize(
    ("kind", "loop", "never"),
    [
        ("tile", "for each tile in line by lowest number, then lowest crowns: move tile to box", "lowest crowns"),
        ("tile", "for each tile in line by lowest crowns, then lowest number: move tile to box", ""),
        ("card", "for each card in line by lowest suit, then lowest rank: move card to box", ""),
        ("card", "let top be best of line by lowest suit, then lowest rank, then highest rank + 1", "highest rank + 1"),
        ("card", "for each player by lowest seat, then fewest hand: draw 1 from deck to hand of player", "fewest hand"),
        ("card", "for each player by most hand, then lowest seat: draw 1 from deck to hand of player", ""),
    ],
)
def test_a_key_behind_one_that_leaves_no_tie(kind: str, loop: str, never: str) -> None:
    rules = rules_from(Source("race.rules", RACE.format(kind=kind, loop=loop)))
    found = [d.span.text for d in check(rules).findings if d.code == "R361" and d.span is not None]
    assert found == ([never] if never else []), [d.message for d in rules.diagnostics]


def test_a_counter_of_a_cell_that_is_not_known_takes_no_time() -> None:
    """What belongs to cells is not counted, so none of the numbers that a cell could have is asked for."""
    text = GAME.format(setup="nothing", phase="    for each cell in cells of board: add heat of cell + 1 to heat of cell")
    declared = "pieces man, 1\nzone board: grid of man, 3 x 3, open\ncounter heat of cell: 0..9\ncounter rounds"
    found = findings(rules_from(Source("small.rules", text.replace("counter rounds", declared))))
    assert [each.code for each in found if "heat" in each.message] == ["R322"]  # nothing asks for it afterwards
