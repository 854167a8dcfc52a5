"""What clients are told of a game: enough to play it, and nothing that their seat does not see."""

from __future__ import annotations

import gc
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from rulesrun.interpreter.hosting.host import Host
from rulesrun.interpreter.hosting.library import Library
from rulesrun.interpreter.hosting.refusals import Refused

from ..serving import GAMES
from ..translation.games import LAMPS, SOME, lamps
from .people import Person, Table, host_of

SCHEMA = json.loads((GAMES.parent / "docs" / "schemas" / "session.json").read_text(encoding="utf-8"))
PLAYED = [
    ("kingdomino", 2), ("masti", 3), ("for_the_king", 2), ("classics/connect_four", 2), ("classics/hearts", 4),
    ("classics/tic_tac_toe", 2), ("classics/nine_mens_morris", 2), ("classics/gin_rummy", 2), ("classics/liars_dice", 2),
    ("designs/night_ferry", 4), ("designs/mushroom_walk", 3), ("classics/draughts", 2),
]  # fmt: skip
PENNIES = """\
game pennies
    title en "Pennies"
    players 2

pieces penny, 6

zone bank:            set of penny, open
zone purse of player: set of penny, open

setup
    move every penny to bank
    for each player: move any penny from bank to purse of player

phase play
    for each player
        player chooses
            take a penny from bank
                move penny to purse of player
            spend a penny from purse of player
                move penny to bank

score of player
    pennies: count of purse of player

winner highest score, then shared
"""


def valid(message: dict[str, Any], part: str = "") -> None:
    known = {"$ref": f"#/$defs/{part or message['type']}", "$defs": SCHEMA["$defs"]}
    error = next(jsonschema.Draft202012Validator(known).iter_errors(message), None)
    assert error is None, f"{error.json_path}: {error.message[:300]}"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), PLAYED)
def test_people_can_play_by_what_they_are_told(game: str, players: int, tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, game, players)
        table.play(40, Random(1))
        for person in [*table.people, table.watcher]:
            for message in person.messages[:8] + person.messages[-3:]:
                valid(message)
        if table.session.state.is_over:
            assert all(person.position["over"] for person in [*table.people, table.watcher])


def test_of_equal_components_those_are_meant_that_lie_where_they_are_taken_from(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "pennies.rules").write_text(PENNIES, encoding="utf-8")
    with host_of(tmp_path / "kept", tmp_path / "games") as host:
        person = Table(host, "pennies", 2).people[0]
        zones = [zone for zone in person.position["view"]["zones"] if zone["owner"] in (0, person.seat)]
        lying = {zone["zone"]: {one["id"] for one in zone["components"]} for zone in zones}
        meant = {option["verb"]: set(option["arguments"][0]["ids"]) for option in person.options()}
        assert meant["take"] == lying["bank"]
        assert meant["spend"] == lying["purse"]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "zone"), [("classics/hearts", 4, "hand"), ("masti", 3, "hand")])
def test_no_frame_holds_what_only_another_sees(game: str, players: int, zone: str, tmp_path: Path) -> None:
    """Each card that lies hidden from a seat is named in none of its frames before the seat has seen it."""
    with host_of(tmp_path) as host:
        table = Table(host, game, players)
        random = Random(2)
        told = {person.seat: 0 for person in table.people}
        for _ in range(40):
            for person in table.people:
                new = "".join(frame for frame in person.frames[told[person.seat] :] if json.loads(frame)["type"] == "position")
                told[person.seat] = len(person.frames)
                view = table.session.state.view()
                own = table.session.state.view(person.seat)
                known = {card for z in own.zones for card in (*z.cards, *z.may)}
                hidden = {card for z in view.zones if z.name == zone for card in z.cards} - known
                decision = person.position["decision"] or {"options": []}
                named = {a["ref"]["name"] for o in decision["options"] for a in o["arguments"] if "ref" in a}
                for card in hidden - named:
                    assert not re.search(rf'"{re.escape(card)}["#]', new), (person.seat, card)
            if not table.play(1, random):
                break


@pytest.mark.process
def test_a_frame_is_a_function_of_what_its_seat_has_observed(tmp_path: Path) -> None:
    """Two deals that a seat cannot tell apart give it the same frames."""
    from rulesrun import load
    from rulesrun.interpreter.hosting.eyes import seen_from
    from rulesrun.interpreter.hosting.identities import Identities
    from rulesrun.interpreter.hosting.messages import Facts, view_data

    for game, players in PLAYED:
        state = load(GAMES / f"{game}.rules", players).start(5)
        random = Random(3)
        for _ in range(12):
            if state.is_over:
                break
            state.play(random.choice(state.legal))
        for seat in range(1, players + 1):
            world = state.determinise(seat, Random(seat))
            both = []
            for each in (state, world):
                view, known = seen_from(each, seat), Identities(each.game.machine)
                known.update(view)
                both.append((view_data(view, known, Facts(each.game)), each.terms_seen(seat) if not each.is_over else None))
            assert both[0] == both[1], (game, seat)


SECRETIVE = """
game secretive
    players 4
cards card, 1 of each
    rank: 1..16
zone deck: pile of card, hidden
zone hand of player: set of card, private
marker favourite of player: card or none, private
setup
    move every card to deck
    shuffle deck
    for each player: draw 4 from deck to hand of player
phase thinking
    repeat 3 times
        for each player at once
            player chooses
                like a card from hand of player
                    only if favourite of player is none or rank of card > rank of favourite of player
                    set favourite of player to card
                if impossible: nothing
score of player
    liked: rank of favourite of player
winner highest score, then shared
"""


def test_nobody_is_told_of_an_act_that_they_do_not_notice(tmp_path: Path) -> None:
    unnoticed = 0
    games = tmp_path / "games"
    games.mkdir()
    (games / "secretive.rules").write_text(SECRETIVE, encoding="utf-8")
    with host_of(tmp_path / "tables", games) as host:
        table = Table(host, "secretive", 4)
        random = Random(1)
        for _ in range(8):
            state = table.session.state
            before = {
                p.seat: (state.observed(p.seat), state.view(p.seat), p.position["deciding"], len(p.frames)) for p in table.people
            }
            chooser = next(person for person in table.people if person.seat in person.position["deciding"])
            chooser.act(random.choice(chooser.options())["number"])
            state = table.session.state
            for person in table.people:
                observed, view, deciding, frames = before[person.seat]
                same = person != chooser and state.observed(person.seat) == observed and state.view(person.seat) == view
                if same and deciding == [] == person.position["deciding"] and state.decides_in_secret:
                    assert len(person.frames) == frames, person.seat
                    unnoticed += 1
    assert unnoticed == 6  # in both rounds, of who has chosen before: one, then two


def test_moves_say_who_went_where(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/hearts", 4)
        random = Random(1)
        while table.deciding().options()[0]["verb"] != "play":  # type: ignore[union-attr]
            table.play(1, random)
        person = table.deciding()
        assert person is not None
        option = person.options()[0]
        person.act(option["number"])
        card = option["arguments"][0]["ref"]
        for each in [*table.people, table.watcher]:
            moves = [move for event in each.position["events"] for move in event["moves"]]
            found = next(move for move in moves if move["component"].get("name") == card["name"])
            assert (found["from"]["zone"], found["from"]["owner"]) == ("hand", person.seat)
            assert found["to"]["zone"] == "played"


def test_what_is_not_allowed_says_why_and_changes_nothing(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/connect_four", 2)
        for _ in range(6):
            person = table.deciding()
            assert person is not None
            person.act(3)
        person = table.deciding()
        assert person is not None
        before = person.position
        person.act(3)
        refused = person.last("refused")
        assert (refused["reason"], person.position) == ("this column is full", before)
        assert refused["line"] > 0
        entries = [entry.data for entry in table.session.log if entry.kind == "refused"]
        assert [entry["why"] for entry in entries] == ["this column is full"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "act", "position": 0, "option": 3}, "old position"),
        ({"type": "act", "option": 3}, "message"),
        ({"type": "act", "position": True, "option": 3}, "message"),
        ({"type": "act", "position": -1, "option": 3}, "message"),
        ({"type": "dance"}, "message"),
        ({"kind": "act"}, "message"),
        ([], "message"),
        ({"type": "note", "text": 3}, "message"),
        ({"type": "answer", "agree": True}, "nothing asked"),
        ({"type": "hint", "iterations": 10**9}, "message"),
        ({"type": "undo"}, "no undo"),
    ],
)
def test_a_message_that_makes_no_sense_is_refused(message: Any, code: str, tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/connect_four", 2)
        with pytest.raises(Refused) as refused:
            host.answer(table.people[0].place, message, table.people[0].told.append)
        assert refused.value.code == code
        assert table.session.acts == []


def test_others_cannot_act_for_a_seat_nor_twice(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/connect_four", 2)
        first, second = table.people
        number = first.position["number"]
        for person in (second, table.watcher):
            with pytest.raises(Refused, match=r"your turn|only watch"):
                person.ask("act", position=number, option=0)
        first.ask("act", position=number, option=0)
        with pytest.raises(Refused, match="not your turn"):
            first.ask("act", position=number, option=0)
        second.act(0)
        with pytest.raises(Refused, match="earlier position"):
            first.ask("act", position=number, option=0)


@pytest.mark.slow
def test_undo_needs_the_others_and_nothing_learned(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/connect_four", 2)
        first, second = table.people
        assert not first.position["undo"]
        first.act(0)
        assert first.position["undo"]
        number = first.position["number"]
        first.ask("undo")
        assert second.last("undo")["waiting"] == [2]
        second.ask("answer", agree=False)
        assert len(table.session.acts) == 1
        first.ask("undo")
        second.ask("answer", agree=True)
        assert table.session.acts == []
        assert first.position["again"]
        assert first.position["number"] > number, "no number comes again"
        first.act(1)
        second.act(0)
    with host_of(tmp_path) as host:
        again = Person(host, 1, first.token)
        again.ask("undo")
        assert again.last("undo")["waiting"] == [2], "also if they have not come back since a restart"
    with host_of(tmp_path / "cards") as host:
        table = Table(host, "classics/gin_rummy", 2)
        random = Random(1)
        while table.session.acts[-1].player or not any(act.player for act in table.session.acts):
            table.play(1, random)
        last = next(act.player for act in reversed(table.session.acts) if act.player)
        person = table.people[last - 1]
        with pytest.raises(Refused, match="learned"):
            person.ask("undo")


@pytest.mark.slow
def test_all_is_there_again_after_a_restart(tmp_path: Path) -> None:
    for game, players in PLAYED[:6]:
        random = Random(1)
        with host_of(tmp_path) as host:
            table = Table(host, game, players)
            table.play(15, random)
            table.people[0].ask("name", text="Ann <script>")
            table.people[0].ask("note", text="unclear\x00")
            before = {person.token: person.position for person in [*table.people, table.watcher]}
            state = table.session.state
        with host_of(tmp_path) as host:
            for token, position in before.items():
                again = Person(host, 0, token)
                assert again.position["view"]["values"] == position["view"]["values"]
                assert again.position["number"] == position["number"]
                assert again.last("table")["players"][0]["name"] == "Ann <script>"
            found = host.place(table.made["watch"]).session
            assert found.state.to_bytes() == state.to_bytes(), "even chance goes on as it would have"
            assert [entry.data["text"] for entry in found.log if entry.kind == "note"] == ["unclear"]


@pytest.mark.slow
def test_a_table_keeps_its_language_when_its_rules_have_changed(tmp_path: Path) -> None:
    lamps(tmp_path, SOME)

    def told() -> list[str]:
        host = Host(Library(tmp_path), tmp_path / "data")
        try:
            token = Table(host, "lamps", 2, language="uk").made["watch"] if not tokens else tokens[0]
            tokens.append(token)
            table = Person(host, 0, token).last("table")
            return [table["speaks"], table["said"]["zone"]["lit"], table["said"]["kind"]["lamp"]]
        finally:
            host.close()

    tokens: list[str] = []
    before = told()
    assert before == ["uk", "засвічені", "лампа"]
    lamps(tmp_path, text=LAMPS.replace("1..9", "1..8"))
    (tmp_path / "lamps.uk.po").unlink()
    gc.collect()
    assert told() == before


@pytest.mark.clock
def test_bots_play_to_the_end(tmp_path: Path) -> None:
    from time import monotonic, sleep

    with host_of(tmp_path) as host:
        seats = [{"kind": "bot", "bot": "casual"}, {"kind": "bot", "bot": "search:20"}, {"kind": "bot", "bot": "random"}]
        table = Table(host, "masti", 3, seats=seats)
        end = monotonic() + 60
        while not table.watcher.position["over"] and monotonic() < end:
            sleep(0.01)
        assert table.session.state.is_over


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"game": "none"}, {"game": "../pyproject"}, {"game": "masti", "players": 9}, {"game": "masti", "variants": ["none"]},
        {"game": "masti", "seats": [{"kind": "me"}]}, {"game": "masti", "seats": [{"kind": "thief"}] * 3}, [],
        {"game": "masti", "players": 3, "seats": [{"kind": "bot", "bot": "x.py:Bot"}] * 3}, {"game": "masti", "seed": "x"},
        {"game": "masti", "players": 3, "seats": [{"kind": "bot", "bot": "search:99999999"}] * 3},
        {"game": "masti", "options": {"x": "y"}},
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_is_refused_with_words(asked: Any, tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        with pytest.raises(Refused) as refused:
            host.make(asked)
        assert refused.value.text
        assert host.store.plans() == []


@pytest.mark.slow
def test_one_folder_serves_one_server(tmp_path: Path) -> None:
    with host_of(tmp_path), pytest.raises(Refused, match="another server"):
        host_of(tmp_path).__enter__()


def test_a_store_of_another_version_is_left_alone(tmp_path: Path) -> None:
    import sqlite3

    base = sqlite3.connect(tmp_path / "tables.sqlite")
    base.execute("pragma user_version = 99")
    base.close()
    with pytest.raises(Refused, match="version 99"):
        host_of(tmp_path).__enter__()
    (tmp_path / "junk").mkdir()
    (tmp_path / "junk" / "tables.sqlite").write_bytes(b"junk" * 1000)
    with pytest.raises(Refused, match="not a database"):
        host_of(tmp_path / "junk").__enter__()


def test_messages_that_clients_send_are_in_the_schema() -> None:
    message: dict[str, Any]
    for message in (
        {"type": "act", "position": 1, "option": 2},
        {"type": "undo"},
        {"type": "answer", "agree": True},
        {"type": "note", "text": "x"},
        {"type": "name", "text": "x"},
        {"type": "hint"},
        {"type": "why", "position": 1, "option": 2},
        {"type": "rules"},
        {"type": "review"},
    ):
        valid(message, "request")


def test_nobody_takes_the_name_of_another(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        seats = [{"kind": "open", "name": "Ann"}, {"kind": "open"}, {"kind": "bot", "bot": "random"}]
        table = Table(host, "masti", 3, seats=seats)
        ann, other = table.people
        for taken in ("Ann", " ann ", "\uff21nn", "random", "Player 3"):
            with pytest.raises(Refused, match="is at this table already"):
                other.ask("name", text=taken)
        other.ask("name", text="Bruno")
        ann.ask("name", text="Anna")
        for taken in ("Bruno", "player 2"):
            with pytest.raises(Refused, match="is at this table already"):
                ann.ask("name", text=taken)
        with pytest.raises(Refused, match="is at this table already"):
            other.ask("name", text="Ann")  # so is her seat called in the rules' list and in links
        assert ann.last("people")["names"] == ["Anna", "Bruno", "random"]
        with pytest.raises(Refused, match="two people are called `Ann`"):
            Table(host, "classics/gin_rummy", 2, seats=[{"kind": "open", "name": "Ann"}, {"kind": "me", "name": "ANN"}])
