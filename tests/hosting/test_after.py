"""What comes after acts: films, replays, positions that are taken over, rules that change, test-plays."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from time import sleep

import pytest
from rulesrun.interpreter.hosting import session, thinking
from rulesrun.interpreter.hosting.refusals import Refused

from ..pipeline import OF_HOURS
from ..serving import GAMES
from .people import Person, Table, host_of
from .test_sessions import valid


def games(folder: Path) -> Path:
    """A copy of one game, to be changed."""
    (folder / "games").mkdir()
    shutil.copy(GAMES / "classics" / "connect_four.rules", folder / "games")
    return folder / "games"


@pytest.mark.slow
def test_a_game_can_be_looked_through_when_it_is_over(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/gin_rummy", 2, options={})
        person = table.people[0]
        with pytest.raises(Refused, match="when it is over"):
            person.ask("film", seat=2, at=3)
        with pytest.raises(Refused, match="when it is over"):
            table.session.transcript()
        table = Table(host, "classics/connect_four", 2)
        table.play(100, Random(1))
        person = table.people[0]
        for at in (0, 1, len(table.session.acts)):
            person.ask("film", seat=2, at=at)
            valid(person.told[-1])
        assert person.told[-1]["over"]
        assert len(person.told[-2]["moves"]) == 1
        with pytest.raises(Refused, match="acts"):
            person.ask("film", seat=2, at=1000)
        transcript = json.dumps(table.session.transcript())
        made = host.replay(transcript)
        watcher = Person(host, 0, made["watch"])
        assert watcher.last("table")["replay"]
        assert watcher.position["over"]
        watcher.ask("film", seat=1, at=4)
        seats = [{"kind": "me"}, {"kind": "open"}]
        again = host.make({"game": "classics/connect_four", "from": made["watch"], "at": 4, "seats": seats})
        other = Person(host, 1, again["seats"][0]["token"])
        there, then = (
            {(c["name"], *c["cells"]) for zone in found["view"]["zones"] if zone["zone"] == "board" for c in zone["components"]}
            for found in (other.position, watcher.told[-1])
        )
        assert there == then
        assert len(there) == 4
        other.act(0)


@pytest.mark.parametrize("text", ["", "{", "{}", "[]", "null", '{"format": 99}', "x" * 1000])
def test_what_is_no_transcript_is_refused(text: str, tmp_path: Path) -> None:
    with host_of(tmp_path) as host, pytest.raises(Refused):
        host.replay(text)


def test_rules_that_change_are_offered(tmp_path: Path) -> None:
    folder = games(tmp_path)
    file = folder / "connect_four.rules"
    text = file.read_text(encoding="utf-8")
    with host_of(tmp_path / "data", folder) as host:
        table = Table(host, "connect_four", 2)
        first, second = table.people
        for _ in range(3):
            first.act(0)
            second.act(0)
        host.watch_rules()
        assert "findings" not in {message["type"] for message in first.messages}
        file.write_text(text + "\nnonsense here\n", encoding="utf-8")
        host.watch_rules()
        found = first.last("findings")
        valid(found)
        assert (found["can_change"], found["findings"][0]["line"]) == (False, text.count("\n") + 2)
        with pytest.raises(Refused, match="no other rules"):
            first.ask("rules")
        first.act(1)  # the table lives on under its own
        file.write_text(text.replace("this column is full", "no room in this column"), encoding="utf-8")
        host.watch_rules()
        found = first.last("findings")
        assert (found["can_change"], found["kept"], found["acts"]) == (True, 7, 7)
        first.ask("rules")
        valid(first.last("rules"))
        assert (second.last("rules")["asked_by"], second.last("rules")["waiting"]) == (1, [2])
        assert "again" not in second.position
        second.ask("answer", agree=False)
        assert first.last("rules")["refused_by"] == 2
        first.ask("rules")
        second.ask("answer", agree=True)
        assert second.last("rules")["done"]
        assert second.position["again"]
        second.act(0)
        assert second.last("refused")["reason"] == "no room in this column"
        file.unlink()
        host.watch_rules()
    with host_of(tmp_path / "data", folder) as host:
        again = Person(host, 2, second.token)
        again.act(0)
        assert again.last("refused")["reason"] == "no room in this column", "the table keeps its rules"
        again.act(2)


@pytest.mark.slow
def test_only_what_is_in_play_is_offered(tmp_path: Path) -> None:
    """A variant that is not chosen is nothing to this table; where only the score is another, chance goes on as it would have."""
    text = (GAMES / "designs" / "thin_ice.rules").read_text(encoding="utf-8")
    text += "\nvariant greed\n    add to score\n        greed: 1 if catch of player > 9\n"
    (tmp_path / "games").mkdir()
    file = tmp_path / "games" / "thin_ice.rules"

    def played(name: str, old: str, new: str, offered: bool) -> list[str]:
        assert old in text
        file.write_text(text, encoding="utf-8")
        with host_of(tmp_path / name, tmp_path / "games") as host:
            table = Table(host, "thin_ice", 2)
            table.play(6, Random(1))
            host.watch_rules()
            file.write_text(text.replace(old, new), encoding="utf-8")
            host.watch_rules()
            assert {each["can_change"] for each in table.watcher.messages if each["type"] == "findings"} == {offered}
            if offered:
                table.people[0].ask("rules")
                table.people[1].ask("answer", agree=True)
            table.play(10, Random(1))
            return [act.text for act in table.session.acts]

    as_it_was = played("a", "game thin_ice", "game thin_ice", False)
    assert any("roll" in text for text in as_it_was[12:])
    assert as_it_was == played("b", "greed: 1 if", "greed: 2 if", False)
    assert as_it_was == played("c", "catch: catch of player", "catch: 2 * catch of player", True)


def test_acts_that_no_longer_fit_are_left_out(tmp_path: Path) -> None:
    folder = games(tmp_path)
    file = folder / "connect_four.rules"
    text = file.read_text(encoding="utf-8")
    with host_of(tmp_path / "data", folder) as host:
        table = Table(host, "connect_four", 2)
        for column in (6, 0, 6, 5):
            person = table.deciding()
            assert person is not None
            person.act(column)
        assert "7" in text
        file.write_text(text.replace("7", "6"), encoding="utf-8")
        host.watch_rules()
        found = table.people[0].last("findings")
        assert found["can_change"], found
        assert (found["kept"], found["acts"]) == (0, 4)
        assert "drop 7" in found["first"]
        table.people[0].ask("rules")
        table.people[1].ask("answer", agree=True)
        assert table.session.acts == []
        table.people[0].act(0)


@pytest.mark.clock
def test_rules_without_an_end_do_not_stop_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "PATIENCE", 0.5)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "of_hours.rules").write_text(OF_HOURS, encoding="utf-8")
    with host_of(tmp_path / "data", tmp_path / "games") as host:
        table = Table(host, "of_hours", 2)
        first = table.people[0]
        work, rest = (option["number"] for option in first.options())
        for _ in range(2):
            with pytest.raises(Refused, match="still at work"):
                first.act(work)
        first.act(rest)
        assert [act.text for act in table.session.acts] == ["rest"]


@pytest.mark.clock
@pytest.mark.parametrize("bot", ["random", "search:50", "rollouts:5"])
def test_bots_find_a_way_through_rules_without_an_end(bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they think of takes hours; so they act at random, until an act comes to its end."""
    monkeypatch.setattr(session, "PATIENCE", 0.3)
    monkeypatch.setattr(thinking, "SECONDS_LIMIT", 0.3)
    monkeypatch.setattr(thinking, "GRACE", 0.2)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "of_hours.rules").write_text(OF_HOURS, encoding="utf-8")
    with host_of(tmp_path / "data", tmp_path / "games") as host:
        asked = {"game": "of_hours", "players": 2, "seed": 1, "seats": [{"kind": "bot", "bot": bot}, {"kind": "me"}]}
        person = Person(host, 2, host.make(asked)["seats"][1]["token"])
        until(lambda: len(person.place.session.acts) >= 2)
        assert {act.text for act in person.place.session.acts} == {"rest"}
        if bot != "random":
            assert person.last("error")["code"] == "endless"


@pytest.mark.clock
def test_a_server_ends_while_a_bot_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "SECONDS_LIMIT", 1000.0)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "of_hours.rules").write_text(OF_HOURS, encoding="utf-8")
    with host_of(tmp_path / "data", tmp_path / "games") as host:
        host.make({"game": "of_hours", "players": 2, "seats": [{"kind": "bot", "bot": "search:100000"}, {"kind": "me"}]})
        until(lambda: any(mind.about is not None for mind in host.thinking._minds.values()))


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(3000):
        if is_so():
            return
        sleep(0.01)
    raise AssertionError("this never came")


@pytest.mark.clock
def test_a_game_can_be_reviewed_when_it_is_over(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/tic_tac_toe", 2)
        person, other = table.people
        with pytest.raises(Refused, match="when it is over"):
            person.ask("review")
        table.play(100, Random(1))
        person.ask("review", iterations=40)
        until(lambda: person.told[-1]["done"])
        found = [act for message in person.told for act in message["acts"]]
        for message in person.told:
            valid(message)
        assert len(found) == message["decisions"]
        acts = table.session.acts
        assert [acts[act["number"] - 1].option for act in found] == [act["act"]["option"] for act in found]
        other.ask("review", iterations=40)  # it is not thought once more
        assert other.told[-1]["done"]
        assert other.told[-1]["acts"] == found
        with pytest.raises(Refused, match="from 1 to"):
            person.ask("review", iterations=10**6)


def test_what_cannot_be_kept_is_not_done(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/connect_four", 2)
        store = host.store._base
        pages = store.execute("pragma page_count").fetchone()[0]
        store.execute(f"pragma max_page_count = {pages}")  # as on a full disk
        told = ""
        for _ in range(200):
            try:
                table.people[0].ask("note", text="x" * 2000)
            except Refused as refused:
                told = refused.text
                break
        assert told == "the disk is full, so this was not done"
        position = table.people[0].position
        store.execute("pragma max_page_count = 100000")
        table.people[0].act(0)
        assert table.people[0].position["number"] > position["number"]


@pytest.mark.slow
def test_a_designer_sees_what_people_ran_into(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "classics/connect_four", 2, seats=[{"kind": "me"}, {"kind": "open"}])
        for _ in range(6):
            person = table.deciding()
            assert person is not None
            person.act(3)
        person = table.deciding()
        assert person is not None
        person.act(3)
        person.act(3)
        person.ask("note", text="unclear")
        table.play(100, Random(1))
        found = host.plays(host.key)
        assert found["tables"][0]["notes"][0]["text"] == "unclear"
        (reason,) = found["games"][0]["reasons"]
        assert (reason["why"], reason["times"], reason["tables"]) == ("this column is full", 2, 1)
        assert reason["file"] == "connect_four.rules"
        rules = table.session.game.rules.source
        assert rules is not None
        assert rules.line(reason["line"]).strip() == reason["rule"]
        assert "this column is full" in reason["rule"]
        assert (found["games"][0]["over"], found["games"][0]["notes"]) == (1, 1)
        seats = found["tables"][0]["seats"]
        assert sum(seat["acts"] for seat in seats) == found["tables"][0]["acts"]
        assert all(0 <= seat["longest"] <= seat["waited"] + 0.1 for seat in seats)
        assert host.place(found["tables"][0]["watch"]).seat == 0
        assert len(found["games"][0]["scores"]["people"]) == 2
        for ask in (host.plays, host.happenings):
            with pytest.raises(Refused):
                ask("guess")
        parquet = pytest.importorskip("pyarrow.parquet")
        rows = parquet.read_table(BytesIO(host.happenings(host.key))).to_pylist()
        assert [row["number"] for row in rows] == list(range(len(table.session.log)))
        assert [row["why"] for row in rows if row["kind"] == "refused"] == ["this column is full"] * 2
        assert [row["text"] for row in rows if row["kind"] == "note"] == ["unclear"]
        assert rows[-1]["scores"] == table.session.state.scores
        assert rows[-1]["at"] == len(table.session.acts)


@pytest.mark.clock
def test_tables_at_which_nobody_looks_are_forgotten_and_come_back(tmp_path: Path) -> None:
    with host_of(tmp_path) as host:
        table = Table(host, "masti", 3)
        table.play(20, Random(1))
        before = table.session.state.to_bytes()
        host.sleep(0)
        assert host.place(table.made["watch"]).session is table.session
        for person in [*table.people, table.watcher]:
            person.place.session.leave(person.looking)
        host.sleep()
        assert host.place(table.made["watch"]).session is table.session, "somebody has just asked for it"
        host.sleep(0)
        again = host.place(table.made["watch"]).session
        assert again is not table.session
        assert again.state.to_bytes() == before
