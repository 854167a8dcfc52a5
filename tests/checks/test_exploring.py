"""Games that are explored: each kind of fault is found, told once, and shown by a game that can be played again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.checks.explored.effort import Effort
from rulesrun.interpreter.checks.explored.exploring import explore
from rulesrun.interpreter.checks.explored.findings_from_play import Explored
from rulesrun.interpreter.checks.explored.never.never_scored import GamesAt, never_scored
from rulesrun.interpreter.checks.explored.playing.exhausting import Exhausted, TooMany, exhaust
from rulesrun.interpreter.checks.explored.playing.led_games import lead
from rulesrun.interpreter.checks.explored.playing.played_by_bots import random_course
from rulesrun.interpreter.checks.explored.playing.random_games import play_many, play_one
from rulesrun.interpreter.checks.explored.playing.replays import ACTS, CUT, in_brief
from rulesrun.interpreter.checks.explored.playing.shrinking import shrink
from rulesrun.interpreter.checks.explored.playing.spotted import Seen, spot_at
from rulesrun.interpreter.checks.explored.playing_tables import DECISIONS_AT_A_TABLE, LED_AT_A_TABLE, lines_of, spread
from rulesrun.interpreter.common.deadline import OutOfTime
from rulesrun.interpreter.common.diagnostics import Diagnostic, Label, as_json
from rulesrun.interpreter.common.graphs import circle_from
from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.play.game import Game, State, load, table_of
from rulesrun.interpreter.play.records import transcript
from rulesrun.interpreter.play.records.replay import COMES_AGAIN, HERE_AGAIN, replay
from rulesrun.interpreter.rules import Rules, read_rules, rules_from
from rulesrun.interpreter.search.walker import Walker
from rulesrun.interpreter.simulate.engines.engine import EngineName
from rulesrun.interpreter.simulate.stops import what_stopped
from rulesrun.interpreter.table.sampling.combinations import Choice

from ..pipeline import OF_HOURS

GAMES = Path(__file__).parents[2] / "games"

CARDS = """
game trial
    players 2..3
cards card, 1 of each
    suit: moon, sun, star
    rank: 1..8
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone won of player: set of card, open
counter purse of player: 0..{purse}
table worth by cards: 0: 0, 1: 1, 2: 2, 3: 3
{declared}
setup
    shuffle every card into deck
    for each player: draw 4 from deck to hand of player
phase play
    repeat 4 times
        for each player
            player chooses
                play a card from hand of player{condition}
                    move card to won of player
                    if rank of card is 8 and suit of card is moon: {moon}
                save: {save}
{impossible}
score of player
    cards: {score}
winner highest score, then shared
{variants}
"""

NOTHING = {
    "purse": "9",
    "condition": "",
    "moon": "nothing",
    "save": "add 1 to purse of player",
    "impossible": "",
    "score": "count of won of player",
    "variants": "",
    "declared": "",
}


def cards(**parts: str) -> Rules:
    """A game with too many positions, with one thing or another changed."""
    rules = rules_from(Source("trial.rules", CARDS.format(**{**NOTHING, **parts})))
    rules.required()  # in others nothing is explored
    return rules


COUNTERS = """
game few
    players {players}
counter coins of player: 0..4
counter rounds: 0..9
phase play
    repeat until {until}
        for each player
            player chooses
{options}
        {last}
score of player
    coins: coins of player
winner highest score, then shared
"""

BUY = """                buy
                    only if coins of player > {} otherwise "too dear"
                    end game
"""

EARN = """                earn
                    only if coins of player < 4 otherwise "your purse is full"
                    add 1 to coins of player
                rest: nothing
"""


def counters(until: str = "rounds is 3", options: str = EARN, last: str = "add 1 to rounds", players: str = "2") -> Rules:
    """A game with few positions."""
    rules = rules_from(Source("few.rules", COUNTERS.format(until=until, options=options, last=last, players=players)))
    rules.required()  # in others nothing is explored
    return rules


def only(explored: Explored) -> Diagnostic:
    (finding,) = explored.diagnostics
    return finding


# ---- Faults in games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "code", "line"),
    [
        ({"purse": "3"}, "R602", "save:"),  # only who always saves
        ({"moon": "draw 20 from deck to won of player"}, "R604", "if rank of card is 8"),
        ({"moon": "set purse of player to worth for rank of card"}, "R603", "if rank of card is 8"),
        ({"score": "worth for count of won of player"}, "R603", "cards: worth"),  # at the very end
        ({"variants": "returns of player: worth for count of won of player"}, "R603", "returns of player: worth"),
    ],
)
def test_a_fault_is_found_and_the_game_that_shows_it_can_be_played_again(parts: dict[str, str], code: str, line: str) -> None:
    rules = cards(**parts)
    explored = explore(rules, replays="replays")
    finding = only(explored)
    assert (finding.code, finding.strength, finding.tables) == (code, "explored", ())
    assert finding.span is not None
    assert line in finding.span.source.line(finding.span.line)
    assert 1 <= len([act for act in finding.acts if act != CUT]) <= ACTS
    (written,) = explored.transcripts
    assert finding.replay == f"rulesrun replay replays/{code}-trial-2.json"
    assert written.place == f"replays/{code}-trial-2.json"
    state = replayed(rules, written.text)
    again = what_stopped(state)
    assert again == Diagnostic(finding.code, finding.message, finding.labels, finding.help)


def replayed(rules: Rules, text: str) -> State:
    read = transcript.from_text(Source("game.json", text))
    assert isinstance(read, transcript.Transcript)
    return replay(read, table_of(rules, read.players, read.variants, read.options)).state


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\f"])
def test_lines_are_those_of_the_file(separator: str) -> None:
    """Other programs end lines at more than these."""
    text = f"# one{separator}two\n" + CARDS.format(**{**NOTHING, "purse": "3"})
    source = Source("trial.rules", text)
    start = text.index("repeat 4 times")
    proved = Diagnostic("R301", "", (Label(Span(source, start, start + 6)),))
    below = lines_of([proved])
    words = {word for _, number in below for word in source.line(number).split()[:1]}
    assert words == {"repeat", "for", "player", "play", "move", "if", "save:"}


@pytest.mark.slow
def test_the_game_that_shows_a_fault_is_as_short_as_it_can_be() -> None:
    """Four times saved by the same player, who is the first; the other plays what comes first."""
    explored = explore(cards(purse="3"), replays="replays")
    state = replayed(cards(purse="3"), explored.transcripts[0].text)
    acts = [(event.player, event.text.split()[0]) for event in state.events if event.kind == "act"]
    assert acts == [(1, "save"), (2, "play")] * 3 + [(1, "save")]


@pytest.mark.slow
def test_a_game_of_bots_is_shown_by_its_seed() -> None:
    rules = cards(purse="3")
    finding = only(explore(rules, Effort(seed=5)))
    words = finding.replay.split()
    assert words[:3] == ["rulesrun", "run", "trial.rules"]
    assert words[words.index("--seed") + 1] == "5"


@pytest.mark.slow
def test_a_fault_is_told_with_the_tables_where_it_is() -> None:
    """Of the variant, not of the game; and of both numbers of players at once."""
    parts = {"declared": "define filled: 9", "save": "set purse of player to filled"}
    assert explore(cards(**parts)).diagnostics == ()
    rich = 'variant rich "Rich"\n    replace define filled: 9 + count of won of player 1'
    finding = only(explore(cards(**parts, variants=rich)))
    assert finding.tables == ("rich",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "tables"),
    [
        ({"moon": "draw 20 from deck to won of player"}, ()),
        ({"moon": "set purse of player to worth for rank of card"}, ()),
        ({"score": "worth for count of won of player"}, ()),
        ({"variants": 'variant rich "Rich"\n    add to score\n        worth: worth for count of won of player'}, ("rich",)),
    ],
)
def test_a_table_with_the_games_of_another_has_its_faults(parts: dict[str, str], tables: tuple[str, ...]) -> None:
    """But not those of what only the other scores."""
    rich = 'variant rich "Rich"\n    add to score\n        purse: purse of player'
    assert only(explore(cards(**{"variants": rich, **parts}))).tables == tables


MANY = """
variant filling "Filling"
    replace define filled: 1 + count of won of player 1
variant saving "Saving"
    replace define saved: {saved}
variant giving "Giving"
    add before play
        add 1 to purse of player 1
"""


@pytest.mark.slow
@pytest.mark.parametrize(("saved", "tables"), [("2", ()), ("9 + count of won of player 1", ("saving",))])
def test_of_many_tables_those_that_are_played_little_are_told_as_well(saved: str, tables: tuple[str, ...]) -> None:
    """Sixteen tables. What comes up at the first ones is looked for at those without variants."""
    parts = {"declared": "define filled: 1\ndefine saved: 1", "save": "set purse of player to saved"}
    if not tables:
        parts["moon"] = "draw 20 from deck to won of player"
    explored = explore(cards(**parts, variants=MANY.format(saved=saved)))
    assert (explored.tables, only(explored).tables) == (16, tables)


@pytest.mark.slow
def test_two_explorations_under_a_seed_are_equal() -> None:
    rules = cards(purse="3", moon="draw 20 from deck to won of player")
    one, other = (explore(rules, Effort(seed=3), replays="there") for _ in range(2))
    assert list(map(as_json, one.diagnostics)) == list(map(as_json, other.diagnostics))
    assert one.transcripts == other.transcripts
    assert len(one.diagnostics) == 2


@pytest.mark.slow
def test_what_is_proved_is_not_told_again() -> None:
    """Neither what is on a line of a proved error, nor what is written below it, of which a note tells."""
    rules = cards(purse="3")
    for line, below in {"save: add 1 to purse": False, "repeat 4 times": True}.items():
        start = CARDS.format(**{**NOTHING, "purse": "3"}).index(line)
        assert rules.source is not None
        proved = Diagnostic("R301", "", (Label(Span(rules.source, start, start + len(line))),))
        told = explore(rules, proved=[proved])
        assert told.diagnostics == ()
        if below:
            (note,) = told.notes
            assert re.fullmatch(r"test games could not be played past line \d+, because of the error told above", note)
        else:
            assert told.notes == ()
        assert only(explore(rules, proved=[evolve(proved, severity="warning")])).code == "R602"


def test_one_game_of_each_table_is_played_before_a_limit_counts() -> None:
    """What every game comes to is found with no time at all."""
    assert explore(cards(), Effort(seconds=0.0)) == Explored((), (PLAYED_ONCE,), was_cut=True)
    explored = explore(cards(save="set purse of player to count of won of player + 9"), Effort(seconds=0.0))
    assert only(explored).code == "R602"
    assert (explored.notes, explored.was_cut, explored.unplayed) == ((PLAYED_ONCE,), True, False)


PLAYED_ONCE = "time is over: 2 of 2 tables (2 players, 3 players) were played only once"


@pytest.mark.clock
def test_a_table_that_was_not_played_is_named() -> None:
    """With three players a game takes minutes; there are games with two all the same."""
    work = "work\n                    repeat 900000 times: nothing\n                rest: nothing"
    hours = f"phase hours\n    if players is 3\n        repeat 9000 times\n            player 1 chooses\n                {work}"
    explored = explore(cards(impossible=hours), Effort(seconds=0.0, at_first=4.0))
    not_played = "time is over: 1 of 2 tables (3 players) was not played"
    assert explored.notes == (not_played, "time is over: 1 of 2 tables (2 players) was played only once")
    assert (explored.was_cut, explored.unplayed) == (True, True)
    nothing = explore(cards(), Effort(seconds=0.0, at_first=0.0))
    assert nothing == Explored((), ("time is over: it was not played",), was_cut=True, unplayed=True)


@pytest.mark.clock
def test_without_a_limit_games_that_take_very_long_are_left_off() -> None:
    """Not one game comes to its end."""
    explored = explore(rules_from(Source("hours.rules", OF_HOURS)), Effort(at_most=2.0))
    assert explored.notes == ("2 seconds of processor time are over: 1 of 1 table (2 players) was not played",)
    assert (explored.diagnostics, explored.was_cut, explored.unplayed) == ((), True, True)


def test_a_game_that_was_played_before_the_limit_is_not_played_again() -> None:
    game, seen = table_of(cards(save="set purse of player to count of won of player + 9"), 2), Seen()
    play_one(game, 0, seen)
    seen.found.clear()
    play_many(game, 0, 1, "reference", lambda: False, seen)
    assert [(shown.by, shown.number) for shown in seen.found.values()] == [("random", 1)]
    assert seen.games == 3  # with one of casual bots


@pytest.mark.slow
def test_what_was_found_before_the_time_was_over_is_not_lost() -> None:
    """The clock strikes while games are played, after some in which somebody has always saved."""
    seen = Seen()
    left = iter(range(12))

    def late() -> bool:
        if next(left, None) is None:
            raise OutOfTime
        return False

    game = table_of(cards(save="set purse of player to count of won of player 1 + 9"), 2)
    with pytest.raises(OutOfTime):
        play_many(game, 0, 10**9, "wasm", late, seen)
    assert [code for code, _, _ in seen.found] == ["R602"]


@pytest.mark.slow
def test_what_is_told_when_the_time_is_over() -> None:
    """The fault and its place, in words that need no game."""
    rules = cards(purse="3")
    game = table_of(rules, 2)
    seen = Seen()
    lead(game, 0, 15_000, lambda: False, seen)
    (shown,) = seen.found.values()
    brief, whole = in_brief(game, shown.fault), only(explore(rules))
    assert (brief.code, brief.labels, brief.help, brief.severity) == (whole.code, whole.labels, whole.help, whole.severity)
    assert brief.message


VAULT = """game vault
    players 1

cards card, 1 of each
    dial: 1..6
    colour: red, blue, green
zone deck: pile of card, hidden
zone spent: pile of card, open
counter doors: 0..6
counter turns: 0..100

table code by number_of_doors: 0: 3, 1: 4, 2: 1, 3: 6, 4: 1, 5: 4, 6: 3

setup
    shuffle every card into deck

phase vault
    repeat until turns is 100
        add 1 to turns
        if deck is empty: shuffle every card into deck
        draw 1 from deck to spent
        player 1 chooses
            turn a number from 1..6
                if number is code for doors: add 1 to doors
                otherwise: set doors to 0

score of player
    doors: doors
    turns: turns

winner highest score, then shared
"""


KNOCK = """
game knock
    players 3
cards card, 1 of each
    rank: 1..40
zone deck: pile of card, hidden
zone seen: pile of card, open
zone hand of player: set of card, private
counter turns: 0..60
setup
    shuffle every card into deck
    draw 1 from deck to seen
phase play
    repeat until turns is 60
        for each player
            player chooses
                draw: draw 1 from deck to hand of player
                take
                    only if seen is not empty otherwise "nothing lies there"
                    draw 1 from seen to hand of player
                knock: end game
            player chooses
                discard a card from hand of player: move card to seen
            add 1 to turns
score of player
    cards: count of hand of player
winner highest score, then shared
"""


HELD = """
game held
    players 2..3
option extra: {option}
cards card, 1 of each
    rank: 1..24
zone deck: pile of card, hidden
zone left_over: set of card, open
zone hand of player: set of card, private
setup
    shuffle every card into deck
    for each player: draw 6 from deck to hand of player
phase play
    repeat until every hand is empty
        for each player with hand not empty
            player chooses
                play a card from hand of player: move card to left_over
                drop
                    only if count of hand of player at least 2
                    for each card in hand of player: move card to left_over
phase afterwards
    for each player
        player chooses
            take a card from left_over
                only if {asked}
                move card to hand of player
            give a card from hand of player: move card to left_over
            rest: nothing
score of player
    cards: count of left_over
winner highest score, then shared
"""


def held(option: str = "yes or no, default no", asked: str = "rank of card > 3") -> list[tuple[str, str]]:
    text = HELD.format(option=option, asked=asked)
    explored = explore(rules_from(Source("held.rules", text)))
    return [(one.code, one.message) for one in explored.diagnostics if one.code == "R392"]


@pytest.mark.slow
def test_what_nobody_was_ever_allowed_is_told() -> None:
    """That no hand is left is not followed by counting, since players choose how many cards they play."""
    never = "`give` was never allowed in any of the test games"
    assert held() == [("R392", never)]
    assert held(asked="extra and rank of card > 3") == [("R392", never)]
    assert held("1..9, default 1", "extra is 5") == []  # nobody has tried 5


LEVEL = """
game level
    players 2..3
cards card, 1 of each
    rank: 1..24
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone kept of player: set of card, open
setup
    shuffle every card into deck
    for each player: draw 6 from deck to hand of player
phase play
    repeat 5 times
        for each player
            player chooses
                keep a card from hand of player: move card to kept of player
score of player
    cards: {line}
    ranks: total rank of kept of player
winner highest score, then shared
variant short "four rounds"
    add to score
        left: 2 * {left}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "left", "expected"),
    [
        ("total rank of hand of player", "count of hand of player", [("`left` gave everybody 2", ("short",))]),
        ("1 if hand of player is not empty", "total rank of kept of player", [("`cards` gave everybody 1", ())]),
        ("total rank of hand of player", "total rank of kept of player", []),
    ],
)
def test_a_line_that_gives_everybody_the_same(line: str, left: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    rules = rules_from(Source("level.rules", LEVEL.format(line=line, left=left)))
    rules.required()
    assert [(one.message.partition(" in all of")[0], one.tables) for one in explore(rules).diagnostics] == expected


SOFT = """
game soft
    players 2..3
option gentle: yes or no, default no
option seen: yes or no, default no
option limit: 1..40, default 40
cards card, 1 of each
    suit: sun, moon
    rank: 1..12
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone kept of player: set of card, private
setup
    shuffle every card into deck
    for each player: draw 5 from deck to hand of player
phase play
    repeat 4 times
        for each player
            player chooses
                keep a card from hand of player face down
                    move card to kept of player
                    if seen: reveal card
                    if gentle and total rank of kept of player > {many}: draw 1 from deck to hand of player
    if total rank of kept of player 1 > limit: draw 1 from deck to hand of player 1
score of player
    cards: total rank of kept of player
    hand: count of hand of player
winner highest score, then shared
"""


@pytest.mark.slow_cases("0-False", "39-False", "46-True")
@pytest.mark.parametrize(("many", "never"), [("39", False), ("46", True), ("0", False)])
def test_an_option_that_changes_no_game_is_told(many: str, never: bool) -> None:
    """Four cards are 46 at most, which counting does not know. That `seen` does something is seen by players alone."""
    rules = rules_from(Source("soft.rules", SOFT.format(many=many).strip() + "\n"))
    rules.required()
    explored = explore(rules)
    message = "whatever the option `gentle` is set to, all test games were the same"
    assert [(one.code, one.message, one.strength) for one in explored.diagnostics] == [("R321", message, "explored")] * never


@pytest.mark.slow
def test_what_takes_several_rare_acts_in_a_row_is_found_one_by_one() -> None:
    """Seven of six numbers each, in a row: by chance in one of 280,000 tries; rows of the table say how far one is."""
    rules = rules_from(Source("vault.rules", VAULT))
    game = table_of(rules)
    seen = Seen()
    play_many(game, 0, DECISIONS_AT_A_TABLE, "wasm", lambda: False, seen)
    lead(game, 0, LED_AT_A_TABLE, lambda: False, seen)
    assert not seen.found
    finding = only(explore(rules))
    assert (finding.code, finding.strength) == ("R602", "explored")


@pytest.mark.slow
def test_what_nobody_ever_does_is_left_out_in_some_games() -> None:
    """A deck that runs dry only if nobody knocks in forty turns."""
    rules = rules_from(Source("knock.rules", KNOCK))
    seen = Seen()
    play_many(table_of(rules), 0, DECISIONS_AT_A_TABLE, "wasm", lambda: False, seen)
    assert not seen.found
    assert only(explore(rules)).code == "R604"


def test_under_a_limit_tables_are_played_in_an_order_that_comes_about() -> None:
    """After as many tables as there are players, variants or values, each has been met."""
    tables = [Choice(players, variants) for players in range(2, 7) for variants in ((), ("fast",), ("slow",))]
    order = spread(tables, 0)
    assert sorted(map(tables.index, order)) == list(range(15))
    assert order == spread(tables, 0) != spread(tables, 1)
    assert len({choice.players for choice in order[:5]}) == 5
    assert len({choice.variants for choice in order[:3]}) == 3


def test_rules_that_cannot_be_played_are_not() -> None:
    assert explore(rules_from(Source("bad.rules", "game bad\n    players no\n"))) == Explored((), ())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["masti", "kingdomino"])
def test_the_shipped_games_have_no_findings(name: str) -> None:
    explored = explore(read_rules(GAMES / f"{name}.rules"))
    assert (explored.diagnostics, explored.notes) == ((), ())


# ---- All positions


def test_a_sound_game_has_no_findings() -> None:
    assert explore(counters()) == Explored((), (), tables=1, exhausted=1, positions=0)


def test_a_dead_end_is_found_by_going_through_all_positions() -> None:
    stuck = EARN.replace("                rest: nothing\n", "")
    finding = only(explore(counters("rounds is 5", stuck)))
    assert (finding.code, finding.strength) == ("R601", "exhausted")
    assert finding.message == "player 1 must choose, and nothing is allowed"
    assert finding.acts[-2:] == ("player 2: earn", "coins of player 2: 4; rounds: 4")


def test_a_game_that_need_not_end() -> None:
    explored = explore(counters("coins of player 1 is 4", last="nothing"), replays="there")
    finding = only(explored)
    assert (finding.code, finding.strength, finding.severity) == ("R391", "exhausted", "warning")
    assert finding.acts == (COMES_AGAIN, "player 1: rest", "player 2: rest", HERE_AGAIN)
    (written,) = explored.transcripts
    read = transcript.from_text(Source(written.place, written.text))
    assert isinstance(read, transcript.Transcript)
    assert (read.comes_again, len(read.acts)) == (0, 2)


def test_a_game_that_can_no_longer_end() -> None:
    trap = EARN + "                spoil\n                    set rounds to 7\n"
    finding = only(explore(counters("rounds is 3", trap, "if rounds < 3: add 1 to rounds")))
    assert (finding.code, finding.strength, finding.severity) == ("R390", "exhausted", "error")
    assert "player 1: spoil" in finding.acts


def test_chance_that_ends_a_game_sooner_or_later_ends_it() -> None:
    """Nobody can keep chance from it."""
    last = "set lucky to a random player\n        if lucky is player 1: set rounds to 3"
    text = COUNTERS.format(until="rounds is 3", options=EARN, last=last, players="2")
    rules = rules_from(Source("few.rules", text.replace("phase", "marker lucky: player or none\nphase", 1)))
    assert explore(rules).diagnostics == ()


SWAPS = """game circle
    players 1

counter room: 0..2

phase only
    player 1 chooses
        left: set room to 1
        right: set room to 2
    repeat until room is 0
        player 1 chooses
            swap: set room to 3 - room

score of player
    coins: room
winner highest score, then shared
"""

ROLLS = """game chance
    players 1

counter die: 0..3
counter over: 0..1

phase only
    repeat until over is 1
        player 1 chooses
            roll
                set die to 0
                repeat until die is 3: set die to a random number from 1..3
            stop: set over to 1

score of player
    coins: die
winner highest score, then shared
"""


def test_a_circle_that_no_shortest_way_goes_round() -> None:
    """To each of the two positions that lead to each other a shorter way leads from the beginning."""
    finding = only(explore(rules_from(Source("circle.rules", SWAPS))))
    acts = [act for act in finding.acts if act.startswith("player")]
    assert (finding.code, acts) == ("R390", ["player 1: left", "player 1: swap", "player 1: swap"])


@pytest.mark.slow
def test_a_circle_of_chance_alone_is_not_what_players_go_round() -> None:
    found = explore(rules_from(Source("chance.rules", ROLLS))).diagnostics
    (finding,) = (one for one in found if one.code != "R330")  # who rolls comes to 3, whatever it was before
    assert finding.code == "R391"
    assert finding.span is not None
    assert finding.span.text.startswith("player 1 chooses")
    assert "player 1: roll" in finding.acts


@pytest.mark.slow
@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_circle_is_found_wherever_every_node_leads_on(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 7))
    nodes = st.integers(0, size - 1)
    graph = {node: dict(enumerate(data.draw(st.lists(nodes, min_size=1, max_size=3)))) for node in range(size)}
    wanted = data.draw(st.sets(nodes))
    first = data.draw(nodes)

    def within(node: int, steps: int) -> set[int]:
        """Where so many steps lead."""
        found = {node}
        for _ in range(steps):
            found = {to for at in found for to in graph[at].values()}
        return found

    circle = circle_from(graph, first, wanted.__contains__)
    for start, values in ((first, circle.way), (circle.at, circle.round)):
        for value in values:
            start = graph[start][value]
        assert start == circle.at
    rounds = {node: next((n for n in range(1, size + 1) if node in within(node, n)), 0) for node in range(size)}
    ways = {node: n for n in range(size, -1, -1) for node in within(first, n) if rounds[node]}
    best = wanted & ways.keys() or ways.keys()
    assert circle.at in best
    assert len(circle.way) == min(ways[node] for node in best)
    assert len(circle.round) == rounds[circle.at]


@pytest.mark.slow
def test_what_never_happens_is_told_only_where_games_go_to_their_end() -> None:
    rich = BUY.format(4)
    assert only(explore(counters(options=EARN + rich))).code == "R392"
    earn_or_buy = EARN.replace("                rest: nothing\n", rich)
    assert only(explore(counters(options=earn_or_buy))).code == "R392"  # although nobody ever has a choice
    assert only(explore(counters("rounds is 5", earn_or_buy))).code == "R601"


@pytest.mark.slow
def test_what_never_happens_is_not_told_where_games_stop_in_what_is_known_to_be_wrong() -> None:
    overflows = EARN.replace('                    only if coins of player < 4 otherwise "your purse is full"\n', "")
    rules = counters("rounds is 5", overflows, last="nothing")
    assert rules.source is not None
    at = rules.source.text.index("rounds is 5")
    proved = Diagnostic("R305", "", (Label(Span(rules.source, at, at + 6)),))
    assert {finding.code for finding in explore(rules).diagnostics} == {"R391", "R602"}
    assert explore(rules, proved=[proved]).diagnostics == ()


@pytest.mark.slow
def test_options_leave_open_what_never_happens() -> None:
    text = COUNTERS.format(until="rounds is 3", options=EARN, last="add 1 to rounds", players="2")
    text = text.replace(EARN, EARN + BUY.format("price"))
    text = text.replace("counter coins", "option price: 0..9, default 7\ncounter coins", 1)
    assert explore(rules_from(Source("few.rules", text))).diagnostics == ()


def test_a_player_who_cannot_win() -> None:
    finding = only(explore(rules_from(Source("few.rules", COUNTERS.format(
        until="rounds is 3", options=EARN, last="add 1 to rounds", players="2..3"
    ).replace("winner highest score, then shared", "winner highest seat, then shared")))))  # fmt: skip
    assert (finding.code, finding.message, finding.tables) == ("R394", "with 2 players, player 1 can never win", ())


def test_too_many_positions_are_seen_soon() -> None:
    game = table_of(cards(), 2)
    assert isinstance(exhaust(Walker(game, "reference"), lambda: False), TooMany)


@pytest.mark.slow
def test_tic_tac_toe_is_gone_through() -> None:
    """More and more positions wait for a long time, and yet there are only these (as many as are published)."""
    exhausted = exhaust(Walker(table_of(read_rules(GAMES / "classics" / "tic_tac_toe.rules"), 2), "wasm"), lambda: False)
    assert isinstance(exhausted, Exhausted)
    assert exhausted.positions == 5_478


def brute_force(game: Game) -> tuple[int, set[str]]:
    """How many positions a game has, and what stops it: by walking through all of them with the reference executor."""
    seen: set[bytes] = set()
    faults: set[str] = set()
    todo = [game.start()]
    while todo:
        state = todo.pop()
        identity = state._position()
        if identity in seen:
            continue
        seen.add(identity)
        if state.fault is not None:
            faults.add(state.fault.code)
        for option in state.legal:
            todo.append(state.clone())
            todo[-1].play(option)
        for outcome in state.chance.outcomes if state.chance else ():
            todo.append(state.clone())
            todo[-1].happen(outcome.number)
    return len(seen), faults


@pytest.mark.parametrize("engine", ["reference", "wasm"])
@pytest.mark.parametrize(
    "rules",
    [
        counters(),
        counters("rounds is 5", EARN.replace("                rest: nothing\n", "")),
        counters("coins of player 1 is 4", last="nothing"),
        counters(players="3"),
    ],
)
def test_positions_are_as_many_as_there_are(rules: Rules, engine: EngineName) -> None:
    game = table_of(rules, rules.required().players[0])
    exhausted = exhaust(Walker(game, engine), lambda: False)
    assert isinstance(exhausted, Exhausted)
    positions, faults = brute_force(game)
    assert exhausted.positions == positions
    assert {code for code, _, _ in exhausted.found if code.startswith("R6")} == faults


# ---- Laws of shrinking

SHRUNK = Walker(table_of(cards(purse="2", moon="draw 20 from deck to won of player"), 3), "wasm")


@given(st.integers(0, 2**32), st.integers(0, 2_000))
@settings(max_examples=25, deadline=None)
def test_what_is_shrunk_shows_the_same_and_is_no_longer(number: int, steps: int) -> None:
    course = random_course(SHRUNK, 7, number)
    spot = spot_at(SHRUNK.walk(course))
    if spot is None:
        return
    shorter = shrink(SHRUNK, course, spot, 0, steps)
    assert len(shorter) <= len(course)
    assert spot_at(SHRUNK.walk(shorter)) == spot
    assert shrink(SHRUNK, course, spot, 0, steps) == shorter


@pytest.mark.slow
def test_the_course_of_a_seed_is_that_of_its_game() -> None:
    game = load(GAMES / "masti.rules", 3)
    walker = Walker(game, "wasm")
    for number in range(3):
        state = game.start(11, game=number, story=False)
        while state.player:
            state.play_at_random()
        assert tuple(random_course(walker, 11, number)) == state.history
        assert walker.record(walker.walk(random_course(walker, 11, number)))[: game.machine.layout.regions["game"][1]] == (
            state._position()
        )


# ---- Lines of the score that stay at 0 in all games

MARKET = """
game market
    players 2
cards card, 2 of each
    suit: moon, sun
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone won of player: set of card, open
zone prizes: set of card, open
counter coins of player: 0..200
counter turnover of player: 0..200
counter profit of player: 0..200
{option}
setup
    shuffle every card into deck
    for each player: draw 3 from deck to hand of player
phase market
    repeat until deck is empty
        for each player
            if deck is not empty: draw 1 from deck to hand of player
            player chooses
                sell a card from hand of player
                    move card to won of player
                    add rank of card to coins of player
                    add rank of card to turnover of player
                keep: nothing
            if coins of player > turnover of player
                add 1 to profit of player
                {prize}
    for each player: move hand of player to won of player
score of player
    coins: coins of player + turnover of player
    {line}
winner highest score, then shared
"""


def market(line: str, prize: str = "nothing", option: str = "") -> Rules:
    """A game with too many positions, in which sales and coins are always equal, which only play can say."""
    rules = rules_from(Source("market.rules", MARKET.format(line=line, prize=prize, option=option)))
    rules.required()
    return rules


WORTH = "option worth: 1..3, default 1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "name", "why"),
    [
        (market("profit: 3 * profit of player"), "profit", "counter profit of player: 0..200"),
        (market("prizes: count of prizes", "draw 1 from deck to prizes"), "prizes", "zone prizes: set of card, open"),
        (market("bonus: worth * profit of player", option=WORTH), "bonus", "counter profit of player: 0..200"),
    ],
)
def test_a_line_of_the_score_that_stays_at_0_is_told_with_what_explains_it(rules: Rules, name: str, why: str) -> None:
    finding = only(explore(rules))
    assert (finding.code, finding.severity, finding.strength, finding.tables) == ("R393", "warning", "explored", ())
    assert re.fullmatch(rf"nobody scored anything for `{name}` in at least [\d,]+000 games", finding.message)
    assert [label.span.source.line(label.span.line) for label in finding.labels[1:]] == [why]
    assert (finding.acts, finding.replay) == ((), "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "moons: count of won of player with suit moon",
        "flush: 90 if count of won of player with rank at least 6 is 16",  # as rare as a royal flush
        "points: 0",
    ],
)
def test_a_line_that_counts_seldom_is_not_told(line: str) -> None:
    rules = market(line, "draw 1 from deck to prizes")
    assert explore(rules).diagnostics == ()


@pytest.mark.slow
def test_how_many_games_it_takes() -> None:
    """A thousand where something explains it; where nothing does, so many that it is hardly by chance."""

    def found(line: str, ends: int, scored: str = "") -> list[str]:
        game = table_of(market(line), 2)
        at = GamesAt(Choice(2), game.table, Seen(ends=ends, scored={"coins", scored}), False, lambda: game)
        return [finding.code for finding, _ in never_scored([at], 0, True, lambda span: False)]

    explained, rare = "profit: profit of player", "flush: 90 if count of won of player with rank at least 6 is 16"
    assert [found(explained, ends) for ends in (999, 1_000)] == [[], ["R393"]]
    slam = "slam: 5 if profit of player is 0 and turnover of player is 200"  # what is asked to be 0 explains nothing
    assert found(slam, 1_000) == []
    assert [found(rare, ends) for ends in (19_999, 20_000)] == [[], ["R393"]]
    assert found(rare, 10**6, scored="flush") == []
