"""The meaning of each form of expression, evaluated by a machine right after the setup."""

from __future__ import annotations

import pytest

from ..pipeline import machine_of, play, small, stages

WORLD = """
option bonus: 0..9, default 4
option mood: calm, wild, default wild
list guild: knights, artists, thieves
cards card, 2 of each
    suit: red, blue
    rank: 1..3
cards hero
    who: ann, bob, cid
    side: guild or none
    might: 1..9
    who | side | might
    ann | knights | 3
    bob | none | 5
    cid | thieves | 9
zone deck: pile of card, hidden
zone hand of player: set of card, open
zone camp of player: set of hero, open
zone throne: slot of hero, open
zone spot of player: slot of card, open
counter n: 0..9
counter depth: -9..9
counter coins of player: 0..9
counter fame of guild: 0..9
marker leader: player
marker guest: player or none
marker told of player: yes or no
table budget by players: 2: 5, 3: 7, otherwise: 9
table prize by rank
    rank | gold | kind_of
    1    | 3    | knights
    2    | 4    | artists
    otherwise | 8 | thieves
table wage by n: 3: 6, otherwise: 0
table luck by player: player 2: 5, otherwise: 1
table rate by grade: 0: 0, 1: 10, 2: 20
define rich of player: coins of player at least 3
define loved of player for guild: fame of guild > coins of player
define worth of card: rank of card * 2
define strong of card for number: rank of card at least number
define grade of player
    2 if coins of player > 4
    1 if coins of player > 0
    otherwise 0
"""

SETUP = """
setup
    for each card with rank 3: move card to hand of player 1
    for each card with rank 2: move card to hand of player 2
    for each card with suit red with rank 1: move card to hand of player 3
    move [ann] to camp of player 1
    move [bob] to camp of player 2
    move [cid] to throne
    move any card from hand of player 2 to spot of player 2
    set leader to player 2
    set n to 3
    set depth to -4
    set coins of player 1 to 7
    set coins of player 2 to 2
    set fame of thieves to 5
    set told of player 3 to yes
phase main
    nothing
"""

ASKED = [
    # numbers
    ("2 + 3 * 4 - 5", 9), ("-depth", 4), ("7 mod 3", 1), ("depth mod 3", 2), ("7 / 2 rounded down", 3), ("7 / 2 rounded up", 4),
    ("depth / 3 rounded down", -2), ("depth / 3 rounded up", -1), ("(2 + 3) * 4", 20),
    # options, the number of players, tables
    ("bonus", 4), ("mood is wild", 1), ("players", 7), ("players + 1", 4), ("players is 3", 1), ("budget", 7), ("gold for 1", 3),
    ("gold for 3", 8), ("gold of spot of player 2", 4), ("kind_of of spot of player 2 is artists", 1), ("wage", 6),
    # truths
    ("yes and not no", 1), ("no or yes", 1), ("n is 3 and n is not 4", 1), ("n in 1..3", 1), ("n not in 1..3", 0),
    ("n in (1, 3)", 1),
    ("n < 3", 0), ("n at most 3", 1), ("n > 2", 1), ("n at least 4", 0),
    # players
    ("leader is player 2", 1), ("left of leader is player 3", 1), ("left of left of leader is player 1", 1),
    ("right of leader is player 1", 1), ("2 seats left of leader is player 1", 1), ("2 seats right of leader is player 3", 1),
    ("seat of leader", 2), ("guest is none", 1), ("guest is leader", 0), ("count of opponents of leader", 2),
    ("team of leader", 0b10),
    ("players with rich", None), ("players with coins > 0", 0b11), ("players where rich", 0b1), ("players where not rich", 0b110),
    (
        "players where loved for thieves", 0b110
    ), ("somebody where rich", 1), ("nobody with coins > 7", 1), ("somebody is leader", None),
    ("first player where rich clockwise from leader", 0), ("first player with coins > 8 clockwise from leader", -1),
    ("best of players by highest coins", 0), ("best of players by rich, then lowest coins", 0),
    ("(player 1, player 3)", 0b101), ("leader in (player 1, player 3)", 0), ("leader in players where rich", 0),
    # components and sets
    ("count of deck", 0), ("count of every hand", 9), ("count of every card", 12), ("count of hand of player 1", 4),
    ("hand of player 1 is empty", 0), ("deck is empty", 1), ("hand of player 1 is not empty", 1), ("throne is empty", 0),
    ("hand of player 1 has a card with suit red", 1), ("hand of player 1 has no card with rank < 3", 1),
    ("count of hand of player 1 + 1", None), ("count of (hand of player 1 + hand of player 3)", 6),
    ("count of (hand of player 1 + spot of player 2)", 5), ("hand of player 1 is hand of player 2", 0),
    ("rank of spot of player 2", 2), ("rank of spot of player 1 is none", 1), ("might of throne", 9), ("who of throne is cid", 1),
    ("side of [bob] is none", 1), ("side of [ann] is knights", 1), ("owner of [ann] is player 1", 1),
    ("owner of throne is none", 1),
    ("[cid] is throne", 1), ("[cid 9] is throne", 1), ("count of all [red]", 6), ("count of all [red 3]", 2),
    ("throne in every hero", 1),
    ("total rank of hand of player 1", 12), ("total worth of hand of player 2", 12), ("total gold of hand of player 2", None),
    ("highest rank among every card", 3), ("lowest might among every hero", 3), ("highest rank among deck is none", 1),
    ("highest rank among deck > 0", 0), ("might of best of every hero by lowest might", 3),
    ("rank of any card from hand of player 1", None),
    ("rank of best of hand of player 1 by lowest suit", 3), ("count of hand of player 1 where strong for 3", 4),
    ("count of every card where not strong for 3", 8), ("count of every card with rank at least 2 with suit blue", 4),
    ("count of every hero with side none", 1), (
        "count of every hero with side not none", 2
    ), ("count of every hero with side thieves", 1),
    # without, also in, a condition in brackets, only, everybody
    ("count of hand of player 1 without [red 3]", 3), ("count of hand of player 1 without all [red 3]", 2),
    ("count of hand of player 1 without hand of player 2", 4), ("count of every card without every hand with suit red", 1),
    ("count of every card without (every hand with suit red)", 7), ("count of hand of player 1 also in all [red]", 2),
    ("players without leader", 0b101), ("players without opponents of leader", 0b10), ("count of players without leader", 2),
    ("count of players without leader with coins > 0", 1), ("(players where rich) also in opponents of leader", 0b1),
    ("players where (coins > coins of leader)", 0b1), ("players where not (coins > coins of leader)", 0b110),
    ("players where (count of hand > 3 and player is not leader)", 0b1), ("players where (hand has a card with rank 2)", 0b10),
    ("count of every card where (rank is 1 or suit is red and rank of card is 3)", 6),
    ("hand of player 1 has only cards with rank 3", 1), ("hand of player 1 has only cards with rank 3 with suit red", 0),
    ("deck has only cards with rank 1", 1), ("every hand has only cards where (rank > 1 or suit is red)", 1),
    ("total (x * 2) for each x in 1..5 where (x > 2)", 24), ("highest (7 - x) for each x in 1..5 where (x is not 1)", 5),
    ("total (rank of one) for each card one in hand of player 1 where (rank of one > 0 or one in deck)", 12),
    ("everybody with coins < 8", 1), ("everybody where (coins > 0)", 0),
    # columns of tables
    ("luck of leader", 5), ("players with luck 5", 0b10), ("highest luck among players", 5),
    ("best of players by highest luck", 1), ("count of every card with gold > 3", 8), ("players with rate > 5", 0b11),
    ("rate of player 1", 20), ("rate for 1", 10),
    # the larger, the smaller, the distance
    ("larger of n and 5", 5), ("smaller of n and 5", 3), ("larger of n and 5 + 1", 6), ("(larger of n and 5) + 1", 6),
    ("larger of 0 and coins of player 2 - 3", 0), ("2 * smaller of n and 2", 4), ("larger of smaller of 1 and 2 and n", 3),
    ("larger of n and larger of 4 and 2 > 3 and n is 3", 1), ("-larger of 1 and depth", -1), ("wage for larger of 2 and 3", 6),
    ("distance between 3 and 5", 2), ("distance between 5 and depth", 9), ("distance between n and 3 is 0", 1),
    ("distance between leader and player 1", 1), ("distance between player 3 and player 1", 1),
    # what ends in a value of its own
    ("best of players by highest coins is player 1", 1), ("player 1 is best of players by highest coins and n is 3", 1),
    ("coins of best of players by highest coins - 1", None), ("1 + coins of best of players by highest coins", 8),
    ("2 * rank of any card from hand of player 1 + 1", None), ("2 * rank of any card from hand of player 1 > 5", 1),
    ("count of all best of every card by highest rank, then lowest suit", 2),
    ("count of hand of best of players by lowest coins", 2), ("wage for count of all best of players by rich", 0),
    ("total rank of hand of best of players by highest coins at least 12", 1),
    ("highest rank among all best of every card by lowest rank < 2 or no", 1),
    ("best of players by (coins > coins of leader), then lowest coins", 0),
    ("best of players by highest coins of player 1 + seat", 2),
    ("players with seat seat of best of players by lowest coins", 0b100),
    ("count of hand of player 1 without best of hand of player 1 by lowest suit", 3),
    ("coins of first player where rich clockwise from leader + 1", 8),
    ("players with coins > count of hand of leader", 0b1), ("players with seat highest rank among every card", 0b100),
    ("somebody with coins count of players", 0),
    ("first player with coins < count of hand of leader clockwise from leader", 1),
    ("count of players with coins count of hand of player 3 with rank 1", 1),
    ("players without first player clockwise from leader", 5),
    ("left of first player where rich clockwise from leader is leader", 1),
    ("count of hand of first player where rich clockwise from leader", 4),
    # defines and scores
    ("grade of player 1", 2), ("grade of player 2", 1), ("grade of player 3", 0), ("worth of spot of player 2", 4),
    ("told of player 3", 1),
    ("worth of spot of player 1 is none", 1), ("loved of player 3 for thieves", 1), ("score of player 1", 11),
    ("score of player 1 for coins", 7), ("score of player 2 for heroes", 5), ("score of team of player 1", 11), ("winners", 0b1),
    ("fame of thieves + fame of knights", 5),
]  # fmt: skip

SCORE = """
score of player
    coins: coins of player
    heroes for each hero in camp of player: might of hero if side of hero is not knights
    cards: count of hand of player if rich of player
winner highest score, then lowest seat, then shared
"""


@pytest.mark.parametrize(("asked", "expected"), [(a, e) for a, e in ASKED if e is not None])
def test_it_means(asked: str, expected: int) -> None:
    text = small(WORLD + f"define asked: {asked}\n", SETUP).replace(
        "score of player\n    points: 0\nwinner highest score, then shared\n", SCORE.lstrip()
    )
    assert play(machine_of(text, 3)).ask("asked") == expected


@pytest.mark.parametrize("name", ["worth", "worths"])
def test_a_number_may_be_called_like_an_attribute(name: str) -> None:
    cards = "cards card, 1 of each\n    worth: 1..6\nzone row: set of card, open\ncounter pot: 0..9"
    defines = f"define over of card for {name}: worth of card > {name}\ndefine many of {name}: count of row with worth > {name}"
    found = stages(small(f"{cards}\n{defines}", "set pot to many of 3\nif row has a card where over for 2: add 1 to pot"), 2)
    assert found.diagnostics == (), found.messages


@pytest.mark.parametrize("word", ["place", "plan", "layer", "star", "suits", "cart", "handy"])
def test_a_free_word_that_is_used_is_no_slip_of_the_pen(word: str) -> None:
    cards = "cards card, 1 of each\n    suit: moon, star_like\nzone hand of player: set of card, open\n"
    text = small(f"{cards}define prize for {word}: 4 - {word}\ndefine asked: prize for 1")
    assert play(machine_of(text, 2)).ask("asked") == 3


@pytest.mark.parametrize("word", ["plyer", "cad"])
def test_a_slip_of_the_pen_in_a_parameter_is_told(word: str) -> None:
    cards = "cards card, 1 of each\n    suit: moon, star\nzone hand of player: set of card, open\n"
    meant = {"plyer": "player", "cad": "card"}[word]
    counted = {"player": "count of hand of player", "card": "1 if suit of card is moon, otherwise 2"}[meant]
    found = stages(small(f"{cards}define prize of {word}: {counted}\ndefine asked: prize of player 1"), 2)
    assert f"did you mean `{meant}`?" in found.messages


@pytest.mark.parametrize(
    "cases",
    [
        ("round + 3 if number is 1", "round if number is 2", "otherwise 0"),
        ("round if number is 2", "round + 3 if number is 1", "otherwise 0"),
        ("none if number is 7", "round if number is 2", "round + 3 if number is 1", "otherwise round"),
        ("7 if number is 1 and round is 4", "round if number is 2", "otherwise round + 3"),
    ],
)
def test_words_of_a_list_of_numbers_are_numbers_beside_others(cases: tuple[str, ...]) -> None:
    lines = "".join(f"    {case}\n" for case in cases)
    text = small(
        f"list round: 1..4\ndefine prize for round after number\n{lines}define asked: prize for 3 after 1 + prize for 3 after 2"
    )
    assert play(machine_of(text, 2)).ask("asked") == 9


@pytest.mark.parametrize(("square", "fine"), [("1..1", True), ("1..2", False)])
def test_the_only_tile_of_a_player_is_laid_by_their_name(square: str, fine: bool) -> None:
    text = f"""
        tiles ell, 1 for each player
            shape "abc" "d.."
                square: {square}
        zone board: grid of ell, 6 x 6, open
        """
    lines = "for each player\n    player chooses\n        lay ell of player on board: nothing\n        if impossible: nothing"
    assert (stages(small(text, lines), 2).codes == []) is fine
