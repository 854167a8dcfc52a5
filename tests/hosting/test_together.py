"""Choices of several people at once: all are asked, in any order, may change their minds, and nobody learns anything before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from rulesrun.interpreter.hosting import session as sessions
from rulesrun.interpreter.hosting.log import Entry
from rulesrun.interpreter.hosting.refusals import Refused

from .people import Person, Table, host_of

CARDS = "classics/goofspiel"
PASSING = """
game passing
    players 3
cards card, 1 of each
    rank: 1..9
zone deck: pile of card, hidden
zone hand of player: set of card, private
zone given of player: set of card, private
setup
    shuffle every card into deck
    for each player: draw 3 from deck to hand of player
phase only
    for each player at once
        player chooses
            give 2 cards from hand of player
                move cards to given of left of player
score of player
    points: total rank of given of player
winner highest score, then shared
"""


def choose(person: Person, number: int) -> None:
    person.act(person.options()[number]["number"])


def seen(person: Person) -> object:
    return person.position["view"], person.position["scores"]


@pytest.mark.parametrize("order", [*permutations((0, 1, 2))][::2])
def test_all_are_asked_in_any_order(order: tuple[int, ...], tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, CARDS, 3)
        assert table.watcher.position["deciding"] == [1, 2, 3]
        left = [1, 2, 3]
        for number in order:
            person = table.people[number]
            others = [seen(each) for each in (*table.people, table.watcher) if each is not person]
            before = len(table.session.acts)
            choose(person, number)
            left.remove(person.seat)
            if left:
                assert [seen(each) for each in (*table.people, table.watcher) if each is not person] == others
                assert all(each.position["deciding"] == left for each in (*table.people, table.watcher))
                assert all(each.position["events"] == each.position["log"] == [] for each in (*table.people, table.watcher))
                assert len(table.session.acts) == before
        acts = [(act.player, act.option) for act in table.session.acts if act.player]
        assert acts == [(1, 0), (2, 14), (3, 28)]
        assert table.watcher.position["deciding"] == [1, 2, 3]  # the next round


def test_a_choice_can_be_changed_until_the_last(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, CARDS, 3)
        ann, bob, cy = table.people
        choose(ann, 0)
        assert ann.position["chosen"] == 0
        old = ann.position["number"]
        for option in (4, 4):  # who sends something waits for an answer
            heard = len(ann.frames)
            choose(ann, option)
            assert len(ann.frames) == heard + 1
            assert ann.position["chosen"] == option
        ann.ask("undo")
        assert "chosen" not in ann.position
        assert ann.position["deciding"] == [1, 2, 3]
        with pytest.raises(Refused, match="earlier position"):
            ann.ask("act", position=old, option=2)
        choose(ann, 5)
        choose(bob, 0)
        choose(cy, 0)
        assert [act.option for act in table.session.acts if act.player] == [5, 13, 26]
        with pytest.raises(Refused, match="earlier position"):
            ann.ask("act", position=old, option=2)


def test_what_was_chosen_is_there_after_the_server_began_anew(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, CARDS, 3, seed=None)
        choose(table.people[2], 3)
        choose(table.people[0], 2)
        tokens = [person.token for person in table.people]
    with host_of(tmp_path) as host:
        ann, bob, cy = (Person(host, seat, token) for seat, token in enumerate(tokens, 1))
        assert (ann.position["chosen"], cy.position["chosen"]) == (2, 29)
        assert bob.position["deciding"] == [2]
        choose(bob, 1)
        assert [act.option for act in bob.place.session.acts if act.player] == [2, 14, 29]


def test_what_cannot_be_kept_has_not_happened(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, CARDS, 3)
        session, (ann, bob, cy) = table.session, table.people
        choose(ann, 3)
        choose(bob, 2)
        keep = session._written

        def full(table: str, number: int, entries: Sequence[Entry]) -> None:
            if entries[0].kind == "act":
                raise Refused("storage", "the disk is full")
            keep(table, number, entries)

        session._written = full
        with pytest.raises(Refused, match="the disk is full"):
            choose(cy, 1)
        assert not [act for act in session.acts if act.player]
        session._written = keep
        choose(cy, 5)
        assert [act.option for act in session.acts if act.player] == [3, 15, 31]


def test_nobody_changes_their_mind_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "CHANGES_LIMIT", 3)
    with host_of(tmp_path) as host:
        table = Table(host, CARDS, 3)
        ann, bob, cy = table.people
        choose(ann, 1)
        ann.ask("undo")
        choose(ann, 2)
        with pytest.raises(Refused, match="this was changed 3 times"):
            choose(ann, 3)
        with pytest.raises(Refused, match="this was changed 3 times"):
            ann.ask("undo")
        choose(bob, 0)
        choose(cy, 0)
        assert [act.option for act in table.session.acts if act.player] == [2, 13, 26]
        choose(ann, 3)


def test_several_things_are_chosen_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "passing.rules").write_text(PASSING, encoding="utf-8")
    with host_of(tmp_path / "data", tmp_path / "games") as host:
        table = Table(host, "passing", 3)
        ann, bob, cy = table.people
        for person in (cy, ann):
            choose(person, 0)
            assert "chosen" not in person.position
            assert person.seat in person.position["deciding"]
            choose(person, 0)
            assert "chosen" in person.position
        assert bob.position["deciding"] == [2]
        assert not [act for act in table.session.acts if act.player]
        choose(bob, 1)
        choose(bob, 0)
        assert [act.player for act in table.session.acts if act.player] == [1, 1, 2, 2, 3, 3]
        assert ann.position["over"]


@pytest.mark.slow
def test_whole_games_are_played_with_bots_between(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, CARDS, 3, seats=[{"kind": "open"}, {"kind": "bot", "bot": "random"}, {"kind": "open"}])
        luck, session = Random(4), table.session
        while not session.state.is_over:
            with session.turn:
                asked = [person for person in table.people if person.seat in person.position["deciding"]]
                if asked:
                    person = luck.choice(asked)
                    person.act(luck.choice(person.options())["number"])
            host.thinking.go_on(session)
        assert len([act for act in session.acts if act.player]) == 3 * 13
