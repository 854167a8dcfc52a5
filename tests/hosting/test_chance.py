"""Chance at a table: what a seat is told says nothing of what lies hidden."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from rulesrun.interpreter.hosting.refusals import Refused
from rulesrun.interpreter.hosting.session import Session
from rulesrun.interpreter.play.game import State

from .people import Person, Table, host_of

GIN = "classics/gin_rummy"
SEEDS = 300  # that the attacker tries here; one core tries some 500,000 a second, and all of a billion in half an hour


def hand(session: Session, state: State, seat: int) -> list[str]:
    view = state.view(seat)
    return sorted(
        str(session.facts.reference(c.kind, c.face, "")) for zone in view.zones if zone.owner == seat for c in zone.components
    )


def hand_told(person: Person) -> list[str]:
    """The cards of somebody's own, from what came to them and nothing else."""
    zones = person.position["view"]["zones"]
    return sorted(str({**card, "id": ""}) for zone in zones if zone["owner"] == person.seat for card in zone["components"])


def seed_that_deals(table: Table, person: Person) -> int | None:
    """What an attacker does: deal the game with one seed after the other, until the own cards are those that one has."""
    game, own = table.session.game, hand_told(person)
    return next((seed for seed in range(SEEDS) if hand(table.session, game.start(seed), person.seat) == own), None)


def other_hand(table: Table) -> list[str]:
    return hand(table.session, table.session.state, 2)


def test_the_seed_of_a_table_is_found_by_trying_only_if_somebody_chose_it(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        chosen, other = Table(host, GIN, 2, seed=SEEDS - 7), Table(host, GIN, 2, seed=None)
        assert seed_that_deals(chosen, chosen.people[0]) == SEEDS - 7
        assert seed_that_deals(other, other.people[0]) is None


def test_everybody_is_told_that_a_seed_was_chosen(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        for seed in (7, None):
            table = Table(host, GIN, 2, seed=seed)
            for somebody in (*table.people, table.watcher):
                assert somebody.last("table")["seed_chosen"] is (seed is not None)


def test_no_frame_holds_a_seed_or_the_secret(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        for seed in (8_765_432_109_876, None):
            table = Table(host, GIN, 2, seed=seed)
            table.play(12, Random(1))
            plan = table.session.plan
            told = json.dumps([*(somebody.frames for somebody in (*table.people, table.watcher)), host.plays(host.key)])
            assert plan.secret not in told
            assert seed is None or str(seed) not in told


def test_a_table_is_the_same_after_the_server_began_anew(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, GIN, 2, seed=None)
        table.play(12, Random(1))
        token, before = table.made["watch"], table.session.state
    with host_of(tmp_path) as host:
        state = host.place(token).session.state
        assert state == before
        assert state.view(2) == before.view(2)


def test_an_act_done_again_meets_the_same_chance_and_rules_that_changed_meet_other(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, GIN, 2, seed=None)
        session, dealt = table.session, other_hand(table)
        begun = session.log[0]
        session.log.append(evolve(begun, kind="undo", data={"kept": 0}))
        session.restand(session.game)
        assert other_hand(table) == dealt
        session.log.append(evolve(begun, kind="rules", data={"rules": "", "acts": [], "same": False}))
        session.restand(session.game)
        assert other_hand(table) != dealt


def test_two_tables_are_dealt_differently(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        assert other_hand(Table(host, GIN, 2, seed=None)) != other_hand(Table(host, GIN, 2, seed=None))


def test_each_card_is_drawn_with_the_same_chance(tmp_path: Path) -> None:
    """Of 52 cards each comes up about 100 times under 5,200 secrets: none is 5 standard deviations away."""
    with host_of(tmp_path) as host:
        session = Table(host, GIN, 2, seed=None).session
        start = session.game.start(0, by_hand=True)
        counts: Counter[int] = Counter()
        for number in range(5200):
            session.plan = evolve(session.plan, secret=f"{number:032x}")
            counts[start.reseeded(session.luck("chance", start), by_hand=True).draw()] += 1
        assert len(counts) == 52
        assert all(abs(found - 100) < 50 for found in counts.values()), counts


def test_a_seed_beyond_its_range_is_told_the_limit(tmp_path: Path) -> None:
    with host_of(tmp_path) as host, pytest.raises(Refused, match="`seed` is a whole number from 0 to 18,446,744,073,709,551,615"):
        Table(host, GIN, 2, seed=10**30)


def test_a_transcript_needs_no_seed(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, GIN, 2, seed=None)
        table.play(10_000, Random(2))
        transcript = table.session.transcript()
        assert transcript["seed"] is None
        again = host.replay(json.dumps(transcript))
        assert again["acts"] == len(transcript["acts"])
        film = host.place(again["watch"]).session
        assert film.transcript()["scores"] == transcript["scores"]
        assert film.film(1, again["acts"])["over"]
