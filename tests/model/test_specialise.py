"""Tables: numbers of players, options, variants, and what cannot go together."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import pytest

from ..pipeline import Found, machine_of, play, small, stages, value_of

GAME = (
    small(
        """
option pace: 1..5, default few
option mood: calm, wild, default calm
list kind_of_end: soon, late
option goal: kind_of_end or none, default none
table few by players: 1: 1, 2: 2, otherwise: 3
counter log: 0..214000000
define size: 1
define twice: size * 2
step mark for digit: set log to log * 10 + digit
""",
        """
phase one
    do mark for pace
    step inner
        do mark for 5
    do mark for twice
phase two
    do mark for 9
""",
    )
    + """
variant big "Big" uk "Великий"
    replace define size: 3
    set pace to 4
variant huge
    replace define size: 4
variant slow
    set pace to 5
variant more
    add before inner
        do mark for 1
    add after inner
        do mark for 2
    add before two
        do mark for 3
variant again
    add before inner
        do mark for 7
variant other
    needs players is 3
    replace step inner
        do mark for 6
variant alone
    excludes big
    replace phase two
        do mark for 8
variant auto
    always when players is 4
    add after two
        do mark for 4
variant scores
    add to score
        extra: 7
    remove points from score
variant last
    replace winner lowest score, then shared
variant prepared
    replace setup
        do mark for 8
"""
)


def log_of(players: int, *variants: str, text: str = GAME, **options: str | int | bool) -> int:
    game = play(machine_of(text, players, variants=variants, options=options))
    return value_of(game.executor, game.cells, "log")


def test_players_options_and_variants() -> None:
    assert log_of(1) == 1529
    assert log_of(2) == 2529
    assert log_of(3) == 3529
    assert log_of(3, pace=4) == 4529
    assert log_of(3, pace="2") == 2529
    assert log_of(4) == 35294
    assert log_of(4, "auto") == 35294
    assert log_of(2, "big") == 4569
    assert log_of(2, "huge") == 2589
    assert log_of(3, "other") == 3629
    assert log_of(2, "alone") == 2528
    assert log_of(2, "prepared") == 82529
    assert log_of(2, "more") == 2152239
    assert log_of(2, "more", "again") == 21752239
    assert log_of(2, "again", "more") == 21752239  # in the order of the file, however they are named


def test_scores_and_winners_change() -> None:
    machine = machine_of(GAME, 2, variants=["scores"])
    assert [term.name for term in machine.terms] == ["extra"]
    assert [key.highest for key in machine_of(GAME, 2, variants=["last"]).keys] == [False]


@pytest.mark.parametrize(
    ("code", "players", "variants", "options", "said"),
    [
        ("R401", 2, ["bigg"], {}, "did you mean `big`"),
        ("R402", 2, ["other"], {}, "`other` cannot be played here"),
        ("R402", 2, ["alone", "big"], {}, "`alone` excludes `big`"),
        ("R403", 2, ["big", "huge"], {}, "`big` and `huge` both change `size`"),
        ("R403", 2, ["big", "slow"], {}, "`big` and `slow` both set `pace`"),
        ("R404", 2, [], {"pase": 3}, "did you mean `pace`"),
        ("R405", 2, [], {"pace": 9}, "`pace` can be 1 to 5, not 9"),
        ("R405", 2, [], {"pace": "9" * 24}, f"`pace` can be 1 to 5, not {'9' * 24}"),
        ("R405", 2, [], {"pace": -(10**50)}, "`pace` can be 1 to 5, not -1000"),
        ("R405", 2, [], {"pace": "0" * 50 + "6"}, "`pace` can be 1 to 5, not 6"),
        ("R405", 2, [], {"pace": "fast"}, "`pace` is a number, and `fast` is none"),
        ("R405", 2, [], {"mood": "wyld"}, "did you mean `wild`"),
        ("R406", 5, [], {}, "small is for 1 to 4 players, not for 5"),
        ("R406", 0, [], {}, "not for 0"),
        ("R407", 2, ["big"], {"pace": 3}, "the variant `big` sets `pace` itself"),
    ],
)
def test_what_cannot_be_played(
    code: str, players: int, variants: list[str], options: Mapping[str, str | int | bool], said: str
) -> None:
    found = stages(GAME, players, variants, options)
    assert found.table is None
    assert found.codes == [code]
    assert said in found.messages


CONFLICTS = """
variant no_tie
    replace winner
        points: lowest score
        shared
variant calm_first
    remove calmness from winner
variant calm_too
    remove calmness from winner
variant short
    replace phase one
        nothing
variant poor
    remove points from score
variant poorer
    remove points from score
variant gold
    counter gold: 0..9
variant golden
    counter gold: 0..5
variant twice_big
    replace define size: 5
    replace define size: 6
"""
KEYS = "winner\n    points: highest score\n    calmness: lowest seat\n    shared\n"


@pytest.mark.parametrize(
    ("code", "variants", "options", "lines"),
    [
        ("R402", ["other"], {}, ["needs players is 3", "variant other"]),
        ("R402", ["alone", "big"], {}, ["excludes big", 'variant big "Big" uk "Великий"']),
        ("R403", ["big", "huge"], {}, ["replace define size: 3", "replace define size: 4"]),
        ("R403", ["big", "slow"], {}, ["set pace to 4", "set pace to 5"]),
        ("R403", ["no_tie", "calm_first"], {}, ["remove calmness from winner", "replace winner"]),
        ("R403", ["calm_first", "calm_too"], {}, ["remove calmness from winner", "remove calmness from winner"]),
        ("R403", ["last", "no_tie"], {}, ["replace winner", "replace winner lowest score, then shared"]),
        ("R403", ["poor", "poorer"], {}, ["remove points from score", "remove points from score"]),
        ("R403", ["gold", "golden"], {}, ["counter gold: 0..5", "counter gold: 0..9"]),
        ("R403", ["twice_big"], {}, ["replace define size: 5", "replace define size: 6"]),
        ("R407", ["slow"], {"pace": 2}, ["option pace: 1..5, default few", "set pace to 5"]),
        ("R226", ["short", "more"], {}, ["add before inner", "replace phase one"]),
        ("R226", ["short", "other"], {}, ["replace phase one", "replace step inner"]),
    ],
)
def test_a_conflict_names_both_lines(code: str, variants: list[str], options: Mapping[str, int], lines: list[str]) -> None:
    text = GAME.replace("winner highest score, then shared\n", KEYS, 1) + CONFLICTS
    found = stages(text, 3 if "other" in variants and len(variants) > 1 else 2, variants, options)
    assert found.codes == [code]
    assert sorted(label.span.source.line(label.span.line).strip() for label in found.diagnostics[0].labels) == lines


def test_removing_different_keys_is_no_conflict() -> None:
    keys = KEYS.replace("    shared", "    wealth: highest seat\n    shared")
    more = "variant no_calm\n    remove calmness from winner\nvariant no_wealth\n    remove wealth from winner\n"
    text = GAME.replace("winner highest score, then shared\n", keys, 1) + more
    assert [key.label for key in machine_of(text, 2, variants=["no_calm", "no_wealth"]).keys] == ["points"]


def test_a_line_of_the_score_can_come_back_as_another() -> None:
    text = GAME + "variant dearer\n    remove points from score\n    add to score\n        points: 5\n"
    text = text.replace("    points: 0\n", "    points: 0\n    more: 1\n", 1) + "define sum: score of player 1\n"
    assert [term.name for term in machine_of(text, 2, variants=["dearer"]).terms] == ["points", "more"]
    dearest = "variant dearest\n    needs dearer\n    remove points from score\n"
    dearest += "    add to score\n        last: 2\n        points: 9\n"
    machine = machine_of(text + dearest, 2, variants=["dearest", "dearer"])
    assert [term.name for term in machine.terms] == ["points", "more", "last"]
    assert play(machine).ask("sum") == 12
    assert stages(text, 2, ["dearer", "scores"]).codes == ["R403"]
    assert stages(text.replace("        points: 5\n", "        points: 5\n        points: 6\n"), 2).codes == ["R202"]
    assert stages(GAME + "variant dearer\n    add to score\n        points: 5\n", 2).codes == ["R202"]


def test_what_is_always_in_play_and_excluded_names_why() -> None:
    found = stages(GAME + "variant quiet\n    excludes auto\n", 4, ["quiet"])
    assert found.codes == ["R402"]
    assert [label.span.source.line(label.span.line).strip() for label in found.diagnostics[0].labels] == [
        "excludes auto",
        "always when players is 4",
    ]
    assert "`auto` is always in play with 4 players" in found.messages


def test_the_same_value_twice_is_no_conflict() -> None:
    assert log_of(2, "slow", pace=5) == 5529


def test_the_smallest_table_that_a_variant_admits() -> None:
    found = stages(GAME, None, ["other"])
    assert found.table is not None
    assert found.table.players == 3


def test_options_are_said_in_words() -> None:
    found = stages(GAME, 2, options={"goal": "late", "mood": "wild"})
    assert found.table is not None
    assert found.table.option_words == {"pace": "2", "mood": "wild", "goal": "late"}


def test_an_option_can_be_a_player() -> None:
    text = GAME.replace("option pace", "option opener: player, default player 1\noption pace")
    text = text.replace("do mark for pace", "do mark for seat of opener")
    assert log_of(2, opener="player 2", text=text) == 2529
    assert log_of(2, text=text) == 1529
    found = stages(text, 2, options={"opener": "player 2"})
    assert found.table is not None
    assert found.table.option_words["opener"] == "player 2"
    assert "values: player 1, player 2" in stages(text, 2, options={"opener": 1}).messages
    assert "`player 3` is no value of `opener`" in stages(text, 2, options={"opener": "player 3"}).messages


def test_teams() -> None:
    text = GAME + "variant pairs\n    teams of 2, in turn\n"
    found = stages(text, 4, ["pairs"])
    assert found.table is not None
    assert found.table.teams == (0, 1, 0, 1)
    assert stages(text, 3, ["pairs"]).codes == ["R405"]


def test_replacing_what_is_not_there() -> None:
    text = GAME + "variant wrong\n    add before outer\n        nothing\n"
    assert stages(text, 2).codes == ["R226"]


def test_a_step_that_another_variant_takes_away() -> None:
    text = GAME + "variant nested\n    replace phase one\n        nothing\n"
    found = stages(text, 2, ["nested", "more"])
    assert found.codes == ["R226"]
    assert "there is no step `inner` in this game" in found.messages


def test_a_circle_that_only_a_variant_makes() -> None:
    text = GAME + "variant round\n    replace define size: twice\n"
    assert stages(text, 2).codes == []
    assert stages(text, 2, ["round"]).codes == ["R221"]


# ---- Lists of components


def cards(rows: str, more: str = "") -> Found:
    declared = 'cards card from "cards.csv"\n    suit: red, blue\n    rank: 1..13 or none\n    brave: yes or no\n' + more
    return stages(small(declared + "define all_of: every card\n"), 2, files={"cards.csv": rows})


@pytest.mark.parametrize(
    ("rows", "code", "line", "said"),
    [
        ("suit,rank,brave\nred,3,yes\ngreen,4,no\n", "R208", 3, "`green` is no value of `suit`"),
        ("suit,rank,brave\nred,14,yes\n", "R208", 2, "14 is outside 1..13"),
        ("suit,rank,brave\nred,--3,yes\n", "R208", 2, "`--3` is no number"),
        ("suit,rank,brave\n,3,yes\n", "R208", 2, "`suit` is empty in this row"),
        ("suit,rank,brave\nred,3\n", "R210", 2, "this row has 2 values for 3 columns"),
        ("suit,rank,brave\nred,3,yes,4\n", "R210", 2, "this row has 4 values for 3 columns"),
        ("suit,rnk,brave\nred,3,yes\n", "R209", 4, "has no column `rank`"),
        ("suit,rank,brave,suit\nred,3,yes,red\n", "R202", 1, "the column `suit` stands there twice"),
        ("suit,rank,brave,count\nred,3,yes,x\n", "R208", 2, "`x` is no number of copies"),
        ("suit,rank,brave,count\nred,3,yes,1001\n", "R216", 2, "more than 1000"),
        ("", "R208", 2, "the list of the cards is empty"),
        ("suit,rank,brave\n", "R215", 2, "there is no card in this game"),
    ],
)
def test_a_wrong_list(rows: str, code: str, line: int, said: str) -> None:
    found = cards(rows)
    assert found.codes == [code]
    assert said in found.messages
    assert found.diagnostics[0].span is not None
    at_line = found.diagnostics[0].span.line
    assert at_line == line or found.diagnostics[0].span.source.path == "test.rules"


def test_a_column_of_nonsense_is_one_story() -> None:
    found = cards("suit,rank,brave\n" + "".join(f"red,{rank},{rank}\n" for rank in range(1, 13)))
    assert found.codes == ["R208"] * 4
    assert "12 values of `brave` do not fit" in found.messages


@pytest.mark.parametrize(
    "rows",
    [
        'suit,rank,brave,count,note\nred,3,yes,2,"hot\nthick"\nblue,4,no,1,x\n',
        "suit,rank,brave,count,,\nred,3,yes,2,,\nblue,4,no,1,,\n,,,,,\n,,,,,\n",
        "sep=;\nsuit;rank;brave;count\nred;3;yes;2\nblue;4;no;1\n",
        "suit\trank\tbrave\tcount\nred\t3\tyes\t2\nblue\t4\tno\t1\n",
        '\ufeff"suit";"rank";brave;"count"\r\n"red"; 3 ;yes;2\r\n\r\nblue;4;no;"1"',
        "suit,rank,brave,count,note\nred,3,yes,2," + "x" * 200_000 + "\nblue,4,no,1,\n",
        'suit,rank,brave,count,note\nred,3,yes,2,"he said ""no"", and left"\nblue,4,no,1,a "quote" inside\n',
    ],
)
def test_lists_are_read_as_spreadsheets_write_them(rows: str) -> None:
    found = cards(rows)
    assert found.codes == []
    assert found.table is not None
    assert sum(face.copies for face in found.table.kinds["card"].faces) == 3


def test_a_column_like_a_number_of_copies_is_named() -> None:
    found = cards("suit,rank,brave,Qty\nred,3,yes,2\nblue,4,no,1\n")
    assert found.codes == ["R320"]
    assert "the column `Qty` is not used: there is one card of each row" in found.messages
    assert cards("suit,rank,brave,qty\nred,3,yes,many\nblue,4,no,1\n").codes == []
    assert cards("suit,rank,brave,qty,count\nred,3,yes,2,2\n").codes == []


def test_a_list_that_is_not_there() -> None:
    found = stages(small('cards card from "nowhere.csv"\n    suit: red, blue\n'), 2)
    assert found.codes == ["R001"]


def test_a_good_list() -> None:
    rows = '\ufeffsuit,rank,brave,count,note\nred,3,yes,2,"a, b"\r\n\nblue,,no,0,x\n red , 4 , no ,1,\n'
    found = cards(rows)
    assert found.table is not None, found.messages
    assert [(face.values, face.copies) for face in found.table.kinds["card"].faces] == [((0, 3, 1), 2), ((0, 4, 0), 1)]


def test_a_list_with_semicolons() -> None:
    found = cards("suit;rank;brave\nred;3;yes\nblue;4;no\n")
    assert found.table is not None, found.messages
    assert [face.values for face in found.table.kinds["card"].faces] == [(0, 3, 1), (1, 4, 0)]


def test_rows_left_out() -> None:
    rows = "suit,rank,brave,from_players\nred,3,yes,2\nred,4,yes,3\nblue,4,no,\n"
    found = cards(rows, "    leave out rows with from_players > players\n")
    assert found.table is not None, found.messages
    assert [face.values[1] for face in found.table.kinds["card"].faces] == [3, 4]


# ---- Names in any script


def test_names_in_any_script() -> None:
    text = small(
        """
option швидко: yes or no, default no
cards карта, 1 of each
    масть: червона, 青, लाल
    сила: 1..2
zone колода: pile of карта, hidden
zone рука of player: set of карта, private
counter монети of player: 0..9
define 強い of карта: сила of карта is 2
define café: count of колода
""",
        """
setup
    shuffle every карта into колода
    for each player: draw 2 from колода to рука of player
phase гра
    player 1 chooses
        खेलो a карта from рука of player 1 "зіграти"
            only if 強い of карта otherwise "{карта} заслабка, カード"
            move карта to box
        пас
            add 1 to монети of player 1
""",
    )
    machine = machine_of(text, 2, options={"швидко": "yes"})
    assert machine.kinds["карта"].names[:4] == ("червона 1", "червона 2", "青 1", "青 2")
    assert [group.verb for group in machine.groups] == ["खेलो", "пас"]
    assert machine.groups[0].text == "зіграти"
    game = play(machine)
    assert game.stop.kind == "over"
    assert game.ask("café") == 2


def test_a_name_may_be_composed_of_accents_or_have_them() -> None:
    decomposed = unicodedata.normalize("NFD", "carté")
    text = small(
        f"cards {decomposed}, 1 of each\n    rang: 1..2\nzone pile: set of carté, open\n",
        f"phase one\n    player 1 chooses\n        take a {decomposed} from every carté\n"
        f'            only if rang of carté is 2 otherwise "pas de {{{decomposed}}}"\n            move carté to pile\n',
    )
    game = play(machine_of(text, 2))
    assert game.stop.kind == "over"


@pytest.mark.parametrize("line", ["define rich: none with log at least 3", "define rich: none", "define rich: count of empty"])
def test_none_of_nothing(line: str) -> None:
    found = stages(GAME + line + "\n", 2)
    assert found.codes == ["R204"]
    assert "it is not clear what is" in found.messages


def test_a_table_with_other_rows() -> None:
    prizes = (
        small("table prize by place: 1: 5, 2: 3\ncounter log: 0..99", "phase one\n    set log to prize for 1\n")
        + """
variant rich
    replace table prize by place: 1: 50, 2: 60
"""
    )
    for variants, log in (((), 5), (("rich",), 50)):
        game = play(machine_of(prizes, 2, variants=variants))
        assert value_of(game.executor, game.cells, "log") == log


NUMBERS = (
    small(
        """
option side: 5, 7, default 5
option stock: 24, 36, 48, default dominoes
option reach: 1..3, default players - 1
table dominoes by players: 1: 24, 2: 24, 3: 36, 4: 47
cards card, 1 of each
    number: 2, 3, 5, 7
counter log: 0..99999
""",
        "set log to stock * 100 + side * 10 + total number of every card",
    )
    + """
variant broad
    set side to 7
variant wrong
    set side to 6
"""
)


def test_just_these_numbers() -> None:
    def log(players: int, *variants: str, **options: int) -> int:
        game = play(machine_of(NUMBERS, players, variants=variants, options=options))
        return value_of(game.executor, game.cells, "log")

    assert log(2) == 2400 + 50 + 17
    assert log(3, "broad") == 3600 + 70 + 17
    assert log(3, side=7, stock=48) == 4800 + 70 + 17


def test_other_numbers_are_refused_with_the_list() -> None:
    assert "`side` can be 5 or 7, not 6" in stages(NUMBERS, 3, (), {"side": 6}).messages
    assert "`side` can be 5 or 7, not 6" in stages(NUMBERS, 3, ("wrong",)).messages
    assert "`stock` can be 24, 36 or 48, and its default is 47" in stages(NUMBERS, 4).messages
    assert "`reach` can be 1 to 3, and its default is 0" in stages(NUMBERS, 1).messages


def test_variants_that_exclude_each_other_may_set_the_same_option() -> None:
    """They are never in play together, so only that is said; the same where one of them is not for so many players."""
    text = small(
        """
        option size: 1..9, default 5
        variant large
            needs players is 2
            set size to 9
        variant tiny
            excludes large
            set size to 1
        """
    )
    assert stages(text, 2, ["large", "tiny"]).codes == ["R402"]
    assert stages(text, 3, ["large"]).codes == ["R402"]
    assert stages(text.replace("excludes large", "needs players < 9"), 2, ["large", "tiny"]).codes == ["R403"]
    assert stages(text.replace("excludes large", "needs players < 9"), 3, ["large", "tiny"]).codes == ["R402"]


NEEDING = (
    GAME
    + """
variant court
    needs dynasty
    replace define heirs: 7
    replace step inherit
        do mark for heirs
        do mark for 1
    add after inherit
        do mark for 8
    remove heirs from score
    add to score
        heirs: 2 * heirs
variant dynasty
    define heirs: 6
    step inherit: do mark for heirs
    add after inner
        step wedding: do inherit
    add to score
        heirs: heirs
variant splendour
    needs court
    needs players is 2
"""
)


def test_a_variant_that_needs_another_knows_and_changes_what_that_one_adds() -> None:
    def log_with(*variants: str) -> int:
        game = play(machine_of(NEEDING, 2, variants=variants))
        return value_of(game.executor, game.cells, "log")

    assert log_with("dynasty") == 25629
    assert log_with("court", "dynasty") == 2571829
    assert log_with("splendour", "dynasty", "court") == 2571829
    assert [term.name for term in machine_of(NEEDING, 2, variants=["dynasty"]).terms] == ["points", "heirs"]
    assert machine_of(NEEDING, 2, variants=["dynasty", "court"]).terms == machine_of(NEEDING, 2, variants=["dynasty"]).terms


@pytest.mark.parametrize(
    ("variants", "said", "lines"),
    [
        (["court"], "`court` needs `dynasty`", ["needs dynasty", "variant dynasty"]),
        (["splendour", "dynasty"], "`splendour` needs `court`", ["needs court", "variant court"]),
    ],
)
def test_a_variant_without_one_that_it_needs(variants: list[str], said: str, lines: list[str]) -> None:
    found = stages(NEEDING, 2, variants)
    assert found.codes == ["R402"]
    assert said in found.messages
    assert [label.span.source.line(label.span.line).strip() for label in found.diagnostics[0].labels] == lines


def test_an_option_may_be_called_as_what_is_needed() -> None:
    """A name that is declared means that; it is no variant then."""
    text = GAME + "option open: yes or no, default no\nvariant late\n    needs open\n"
    assert stages(text, 2, ["late"]).codes == ["R402"]
    assert stages(text, 2, ["late"], {"open": "yes"}).codes == []
