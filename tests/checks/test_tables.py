"""Findings about whole tables: merged over player counts and variants, silent where a table is not offered."""

from __future__ import annotations

from textwrap import indent

import pytest
from rulesrun.interpreter.checks.tests import run_tests
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.play.game import table_of

from ..pipeline import faults
from .tiny import tiny


def found(declarations: str = "", phase: str = "nothing", variants: str = "") -> tuple[Diagnostic, ...]:
    return faults(tiny(declarations, phase, variants))


def test_a_sound_game_has_no_findings() -> None:
    assert found(phase="    repeat until rounds is 3: add 1 to rounds") == ()


def test_a_finding_at_some_tables_says_at_which() -> None:
    table = "table start by players\n    players | points_then\n    2 | 1\n    3 | 2\n"
    (finding,) = found(table, "    for each player: set points of player to points_then")
    assert finding.code == "R207"
    assert finding.tables == ("4 players",)


@pytest.mark.slow
def test_a_finding_at_every_table_names_none() -> None:
    (finding,) = found(phase="    for each player: set points of player to 10 + 1")
    assert finding.code == "R301"
    assert finding.tables == ()


def test_a_table_that_a_variant_does_not_offer_is_no_fault() -> None:
    assert found(variants='variant duel "Duel"\n    needs players is 2\n    define word: points of player 1\n') == ()


def test_a_variant_that_no_table_admits_is_a_fault() -> None:
    (finding,) = found(variants='variant alone "Alone"\n    needs players is 1\n    define word: points of player 1\n')
    assert finding.code == "R408"
    assert "alone" in finding.message


def test_it_is_one_whatever_its_name_is_and_whatever_else_is_wrong() -> None:
    for name in ("loop", "ounds", "play"):
        lines = f'variant {name} "Us"\n    needs players is 6\n    replace winner lowest score, then shared\n'
        findings = found(phase="    repeat until rounds is 3: nothing", variants=lines)
        assert [finding.code for finding in findings] == ["R305", "R408"]


def test_two_variants_that_change_the_same_thing_are_named_both() -> None:
    change = "    replace define laps: {value}\n"
    variants = "".join(f'variant {n} "x"\n' + change.format(value=v) for n, v in (("one", 1), ("two", 2)))
    (finding,) = found("define laps: 3", "    repeat laps times: nothing", variants)
    assert finding.code == "R403"
    assert "`one`" in finding.message
    assert "`two`" in finding.message
    assert len(finding.labels) == 2


def test_a_loop_in_which_nothing_brings_its_end() -> None:
    (finding,) = found(phase="    repeat until rounds is 3: add 1 to points of player 1")
    assert finding.code == "R305"


def test_a_loop_whose_end_a_step_or_a_define_brings_passes() -> None:
    declarations = "define late: rounds at least 3\nstep next\n    add 1 to rounds"
    assert found(declarations, "    repeat until late: do next") == ()


def test_a_loop_with_a_limit_or_a_way_out_passes() -> None:
    assert found(phase="    repeat until rounds is 3 at most 5 times: nothing\n    otherwise: nothing") == ()
    assert found(phase="    repeat until rounds is 3: end game") == ()


@pytest.mark.parametrize(
    ("cannot_pay", "endless"),
    [
        ("bid again", 1),
        ("bid again without winner", 0),
        ("if points of winner > 0: take 1 from points of winner\nbid again", 1),
        ("if points of winner > 0\n    take 1 from points of winner\notherwise: end game\nbid again", 0),
        ("take 1 from points of winner\nbid again", 0),
        ("add 1 to rounds\nbid again", 1),
        ("add 1 to rounds\nif rounds < 3: bid again", 0),
        ("winner chooses\n    retry: bid again\n    leave: bid again without winner", 1),
        ("for each player: add 1 to points of player\nbid again", 0),
        ("do fine of winner\nbid again", 0),
    ],
)
def test_a_bidding_that_begins_again_and_need_never_end(cannot_pay: str, endless: int) -> None:
    step = "step fine of player: set points of player to 0"
    lines = """bidders: players
bids: 1..9, each higher than the last
a pass is final
payment: points of winner to rounds
won: nothing
cannot pay
""" + indent(cannot_pay, "    ")
    findings = found(step, "    auction for rounds\n" + indent(lines, " " * 8))
    assert [finding.code for finding in findings] == ["R243"] * endless, findings


def test_a_match_that_nothing_can_bring_to_its_end() -> None:
    match = "match until {}, at most 9 games, highest score, then shared"
    for never in ("rounds is 3", "1 is 2", "count of players > 7", "points of player 1 is 3", "somebody with score > 9"):
        (finding,) = found(match.format(never), "    add 1 to points of player 1")
        assert finding.code == "R305"
    for some_time in ("somebody with score > 3", "games_played is 2"):
        assert found(match.format(some_time), "    add 1 to points of player 1") == ()


def test_two_variants_that_make_a_match_are_named_both() -> None:
    variants = "variant short\n    match of 2 games\nvariant long\n    match of 5 games\n"
    (finding,) = found(variants=variants)
    assert finding.code == "R403"
    lines = [label.span.source.line(label.span.line).strip() for label in finding.labels]
    assert lines == ["match of 5 games", "match of 2 games"]


def test_a_match_line_that_cannot_be_read_is_one_message() -> None:
    (finding,) = found("match off 3 games", "    if games_played is 2: add 1 to rounds")
    assert finding.code == "R102"


def test_a_fault_in_a_test_is_a_finding_but_the_game_can_be_played() -> None:
    wrong = 'test "wrong"\n    players Ann, Bob\n    expect coins of Ann is 3\n'
    rules = tiny(variants=wrong)
    assert [d.code for d in faults(rules)] == ["R201"]
    assert table_of(rules).start(1).scores == [0, 0]
    (result,) = run_tests(rules)
    assert not result.passed
    assert result.diagnostics == faults(rules)


def test_two_tests_with_the_same_fault_are_two_findings() -> None:
    """A name that is missing is said once in the rules, but each test stands for itself."""
    cards = "cards card, 1 of each\n    rank: 1..3\nzone row: set of card, open\n"
    wrong = 'test "{}"\n    players Ann, Bob\n    given row: [crown 4]\n'
    results = run_tests(tiny(cards, variants=wrong.format("one") + "\n" + wrong.format("two")))
    assert [[d.code for d in result.diagnostics] for result in results] == [["R201"], ["R201"]]


def test_a_component_that_a_test_names_must_exist() -> None:
    cards = "cards card, 1 of each\n    rank: 1..3\nzone row: set of card, open\n"
    wrong = 'test "wrong"\n    players Ann, Bob\n    given row: [4]\n'
    assert [d.code for d in found(cards, variants=wrong)] == ["R212"]


def test_findings_that_differ_only_in_numbers_are_one() -> None:
    (finding,) = found(phase="    for each player: set points of player to 20 + players * players")
    assert finding.code == "R301"
    assert finding.tables == ()  # at every table, so none is named


@pytest.mark.parametrize(
    ("players", "at"), [("2..4", ("3 players", "4 players")), ("3..4", ("3 players", "4 players")), ("3", ())]
)
def test_where_one_number_of_players_is_said_all_are_named(players: str, at: tuple[str, ...]) -> None:
    cards = "cards card, 1 of each\n    rank: 1..10\nzone deck: pile of card, hidden\nzone hand of player: set of card, open"
    phase = "shuffle every card into deck\nrepeat until deck is empty\n    for each player: draw 1 from deck to hand of player"
    rules = tiny(cards, phase, players=players)
    (finding,) = faults(rules)
    assert finding.code == "R340"
    assert finding.message.startswith("with 3 players the 10 cards of `deck` do not come out even")
    assert finding.tables == at


def test_a_default_that_depends_on_itself_is_not_asked_for_its_value() -> None:
    (finding,) = found("option short: 5, 7, default long\noption long: 5, 7, default short")
    assert finding.code == "R221"


def test_a_variant_that_excludes_itself() -> None:
    (finding,) = found(variants='variant alone "Alone"\n    excludes alone\n    define word: 1\n')
    assert (finding.code, finding.message) == ("R204", "`alone` excludes itself")


def test_a_variant_that_sets_an_option_twice() -> None:
    (finding,) = found("option laps: 1..9, default 3", variants='variant long "Long"\n    set laps to 5\n    set laps to 6\n')
    assert (finding.code, finding.message) == ("R403", "`long` sets `laps` twice")


def test_a_variant_is_checked_with_what_it_needs() -> None:
    needing = "variant one\nvariant two\n    needs one\nvariant three\n    needs two\nvariant four\n    needs three\n"
    needing = needing.replace("variant one\n", "variant one\n    define word: 1\n")
    assert found(variants=needing) == ()
    (finding,) = found(variants=needing + "    excludes one\n")
    assert (finding.code, finding.message) == ("R408", "no table can be played with `four`")
    wrong = needing + "    add before play\n        for each player: set points of player to 10 + 1\n"
    (finding,) = found(variants=wrong)
    assert (finding.code, finding.tables) == ("R301", ("one and two and three and four",))  # with any number of players


def test_a_number_of_players_that_a_variant_rules_out_in_silence() -> None:
    always = "variant duel\n    always when players > 2\n    needs players is 2 or players is 4\n    define word: 1\n"
    (finding,) = found(variants=always + "variant three\n    needs players is 3\n    define other: 1\n")
    assert (finding.code, finding.tables) == ("R408", ("3 players",))
    assert "`duel` cannot be played here" in finding.message
    assert [label.span.source.line(label.span.line).strip() for label in finding.labels] == [
        "needs players is 2 or players is 4",
        "players 2..4",
    ]
    needing = "variant base\n    define word: 1\nvariant more\n    needs base\n    always when players is 3\n"
    (finding,) = found(variants=needing)
    assert (finding.code, finding.tables) == ("R408", ("3 players",))
    assert "`more` needs `base`" in finding.message


def test_a_line_of_the_score_that_a_variant_takes_out_is_not_asked_for() -> None:
    variants = """\
variant late
    remove points from score
    add to score
        rounds: rounds
test "late"
    players Ann, Bob
    with late
    expect score of Ann for {}is 0
"""
    phase = "    for each player: add 1 to points of player\n    if score of player 1 for points > 0: add 1 to rounds"
    (finding,) = faults(tiny(phase=phase, variants=variants.format("rounds ")))
    assert (finding.code, finding.message) == ("R201", "there is no line `points` of the score at this table")
    phase = "    for each player: add 1 to points of player\n    add 1 to rounds"
    (finding,) = faults(tiny(phase=phase, variants=variants.format("points ")))
    assert (finding.code, finding.message) == ("R201", "there is no line `points` of the score at this table")


def test_ranges_that_name_one_another_again_and_again_are_asked_once() -> None:
    ranges = "".join(f"option o{n}: 0..{f'o{n - 1} + o{n - 1}' if n else 1}, default 0\n" for n in range(24))
    assert faults(tiny(ranges, "if o23 > 3: add 1 to rounds")) == ()
