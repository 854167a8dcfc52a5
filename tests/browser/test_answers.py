"""What a page's worker answers, asked here without a browser: the same as the commands say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rulesrun.browser.answers import Answers
from rulesrun.browser.worker import start
from rulesrun.cli import cli
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.hosting.refusals import Refused

from ..lamps import WITHOUT_TEST as LAMPS

GAMES = Path(__file__).parents[2] / "games"


class Page:
    """A page that asks, and keeps what it is told."""

    def __init__(self, folder: Path, files: dict[str, str] | None = None, open: str = "lamps.rules") -> None:
        self.given = {"files": files or {"lamps.rules": LAMPS}, "open": open}
        self.told: list[dict[str, Any]] = []
        self.answers = Answers(cli.main, lambda event, **more: self.told.append({"event": event, **more}), folder)

    def ask(self, method: str, **more: Any) -> Any:
        self.progress: list[Any] = []
        return self.answers.answer(method, {**self.given, **more}, self.progress.append)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    before = Path.cwd()
    yield Page(tmp_path / "rules")
    os.chdir(before)


def command(folder: Path, *arguments: str) -> str:
    program = [sys.executable, "-c", "from rulesrun.cli import main; main()", *arguments]
    return subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False).stdout


@pytest.mark.process
def test_a_run_is_what_the_command_prints(page: Page, tmp_path: Path) -> None:
    found = page.ask("run", seed=7, players=3)
    assert found == {"text": command(tmp_path / "rules", "lamps.rules", "--seed", "7", "--players", "3"), "exit": 0}
    assert "3 players, seed 7" in found["text"]


@pytest.mark.process
def test_findings_are_those_of_the_command(page: Page, tmp_path: Path) -> None:
    page.given["files"] = {"lamps.rules": LAMPS.replace("lit of player\n", "lot of player\n", 1)}
    found = page.ask("check", proved=True)
    assert [each["code"] for each in found["findings"]] == ["R201"]
    assert found == json.loads(command(tmp_path / "rules", "check", "lamps.rules", "--proved", "--format", "json"))


@pytest.mark.process
def test_statistics_are_those_of_the_command_and_grow_while_one_waits(page: Page, tmp_path: Path) -> None:
    found = page.ask("simulate", games=3000, seed=5, bots="random")
    arguments = ("lamps.rules", "--games", "3000", "--seed", "5", "--format", "json")
    printed = json.loads(command(tmp_path / "rules", "simulate", *arguments))
    for each in (found, printed):
        del each["seconds"], each["games_per_s"]
    assert found == printed
    assert page.progress
    games = [each["games"] for each in page.progress]
    assert games == sorted(set(games))
    assert all(each["statistics"]["games"] == each["games"] < each["whole"] == 3000 for each in page.progress)


def test_rules_are_formatted_unless_they_cannot_be_read(page: Page) -> None:
    assert page.ask("format") == {"text": LAMPS}
    page.given["files"] = {"lamps.rules": LAMPS.replace("players 2..4", "players   2..4")}
    assert page.ask("format") == {"text": LAMPS}


def test_a_table_is_described_for_its_selectors(page: Page) -> None:
    text = (GAMES / "kingdomino.rules").read_text(encoding="utf-8").replace("data/", "")
    page.given.update(
        files={"kingdomino.rules": text, "kingdomino.csv": (GAMES / "data/kingdomino.csv").read_text(encoding="utf-8")},
        open="kingdomino.rules",
    )
    found = page.ask("table")
    assert found["players"] == [2, 4]
    assert {"harmony", "dynasty"} <= {variant["name"] for variant in found["variants"]}


def test_rules_with_faults_offer_no_table(page: Page) -> None:
    page.given["files"] = {"lamps.rules": LAMPS.replace("players 2..4", "players none")}
    with pytest.raises(Refused, match="players"):
        page.ask("table")


def test_stages_are_shown(page: Page) -> None:
    assert "option light(" in page.ask("show", stage="model")["text"]
    assert page.ask("show", stage="nonsense")["exit"] == 2


@pytest.mark.parametrize(
    ("files", "open"),
    [
        ({"../lamps.rules": LAMPS}, "../lamps.rules"),
        ({"/lamps.rules": LAMPS}, "/lamps.rules"),
        ({"lamps.txt": LAMPS}, "lamps.txt"),
        ({".rules": LAMPS}, ".rules"),
        ({"lamps.rules": 7}, "lamps.rules"),
        ({"lamps.rules": LAMPS}, "other.rules"),
        ({"lamps.rules": LAMPS}, None),
        ({f"{number}.rules": "" for number in range(51)}, "0.rules"),
        ({"lamps.rules": "#" * 1_000_001}, "lamps.rules"),
        ([LAMPS], "lamps.rules"),
    ],
)
def test_files_that_are_none_are_refused(page: Page, tmp_path: Path, files: Any, open: Any) -> None:
    page.given.update(files=files, open=open)
    with pytest.raises(Refused):
        page.ask("run", seed=1)
    assert [path.name for path in tmp_path.iterdir()] == ["rules"]
    assert not list((tmp_path / "rules").iterdir())


def test_what_prints_megabytes_is_stopped(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesrun.browser.answers.PRINTED_LIMIT", 100)
    with pytest.raises(Refused, match="printed more than 100 characters"):
        page.ask("run", seed=1)


@pytest.mark.parametrize("params", [{"seed": -1}, {"seed": "1"}, {"seed": True}, {"seed": 1 << 60}, {}])
def test_a_seed_is_a_number(page: Page, params: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        page.ask("run", **params)


# ---- Tables


def test_a_game_is_played_by_messages(page: Page) -> None:
    page.ask("request")
    page.given.clear()
    (game,) = page.ask("request", path="/api/games")
    asked = {"game": game["id"], "players": 2, "seats": [{"kind": "me"}, {"kind": "me"}]}
    made = page.ask("request", path="/api/tables", body=asked)
    numbers = [page.ask("connect", token=seat["token"]) for seat in made["seats"]]
    while not (last := _position(page, numbers[0]))["over"]:
        number = numbers[last["deciding"][0] - 1]
        position = _position(page, number)
        option = next(option for option in position["decision"]["options"] if option["legal"])
        page.ask("say", number=number, message={"type": "act", "position": position["number"], "option": option["number"]})
    assert last["ranking"]
    page.ask("say", number=numbers[0], message={"type": "act", "position": 0, "option": 0})
    assert page.told[-1]["message"]["code"] == "over"
    told = page.ask("request", path=f"/api/tables/{made['seats'][0]['token']}/transcript")
    assert page.ask("request", path="/api/replays", body=json.dumps(told))["acts"] == 2
    page.ask("leave", number=numbers[0])
    with pytest.raises(Refused):
        page.ask("say", number=numbers[0], message={"type": "undo"})


def _position(page: Page, number: int) -> Any:
    return next(t["message"] for t in reversed(page.told) if t["number"] == number and t["message"]["type"] == "position")


@pytest.mark.parametrize("path", ["/api/tables/none/transcript", "/api/plays/x", "/nothing", "/api/tables/none/rules"])
def test_addresses_that_lead_nowhere_are_refused(page: Page, path: str) -> None:
    page.ask("table")
    page.given.clear()
    with pytest.raises(Refused):
        page.ask("request", path=path)


def test_looks_come_with_their_pictures(page: Page, tmp_path: Path) -> None:
    page.ask("table")
    (tmp_path / "rules/lamps.look.css").write_text('.card { background: url("lamp.svg") url("gone.svg") }', encoding="utf-8")
    (tmp_path / "rules/lamp.svg").write_text("<svg/>", encoding="utf-8")
    page.given.clear()
    look = page.ask("request", path="/looks/lamps")
    assert look == '.card { background: url("data:image/svg+xml;base64,PHN2Zy8+") url("gone.svg") }'
    assert page.ask("request", path="/looks/other") == ""


# ---- Messages


def heard(folder: Path, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    said: list[str] = []
    hear = start("player", cli.main, said.append, folder)
    for message in messages:
        hear(json.dumps(message))
    return [json.loads(text) for text in said]


@pytest.mark.slow
def test_every_question_has_one_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"files": {"a.rules": LAMPS}, "open": "a.rules"}
    found = heard(
        tmp_path / "rules",
        {"id": 1, "method": "nothing", "params": {}},
        {"id": 2, "method": "format", "params": {"files": {"a.rules": "game\n"}, "open": "a.rules"}},
        {"id": 3, "method": "simulate", "params": {**files, "games": 5, "seed": 1, "bots": "nobody"}},
        {"id": 4, "method": "simulate", "params": {**files, "games": 5, "seed": 1, "players": 9}},
        {"id": 5, "method": "table", "params": files, "seconds": 30},
        {"id": 6, "method": "simulate", "params": {**files, "games": 10**12, "seed": 1}, "seconds": 1},
        {"id": 7, "method": "say", "params": {"number": 1}},
        {"id": 8, "method": "prove", "params": {"content": "AAAA"}},
    )
    answers = [each for each in found if "progress" not in each]
    assert [each["id"] for each in answers] == [*range(1, 9)]
    codes = ["message", "rules", "rules", "rules", None, "stopped", "broken", "broken"]
    assert [each.get("error", {}).get("code") for each in answers] == codes


# ---- Packs


def test_a_game_is_packed_and_opened_again(page: Page) -> None:
    files = {"lamps.rules": LAMPS, "bright.rules": 'extends "lamps.rules"\n', "bright.look.css": ".at-table { color: red }\n"}
    page.given.update(files=files, open="bright.rules")
    pack = page.ask("pack")["pack"]
    assert page.ask("unpack", pack=pack) == {"files": files, "open": "bright.rules", "left_out": []}
    page.given.update(files={"lamps.rules": LAMPS}, open="lamps.rules")
    assert page.ask("unpack", pack=page.ask("pack")["pack"])["files"] == {"lamps.rules": LAMPS}


@pytest.mark.process
def test_a_pack_of_the_command_is_shown_in_one_folder(page: Page, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    command(tmp_path / "elsewhere", "pack", str(GAMES / "kingdomino.rules"))
    (written,) = (tmp_path / "elsewhere").glob("*.rulespack")
    found = page.ask("unpack", pack=b64encode(written.read_bytes()).decode())
    assert found["open"] == "kingdomino.rules"
    assert "kingdomino.csv" in found["files"]
    assert 'from "kingdomino.csv"' in found["files"]["kingdomino.rules"]
    assert all("/" not in name for name in found["files"])


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive", LAMPS.encode()])
def test_what_is_no_pack_is_refused(page: Page, content: bytes) -> None:
    with pytest.raises(Refused, match="is no pack"):
        page.ask("unpack", pack=b64encode(content).decode())


def test_rules_that_lack_a_file_are_not_packed(page: Page) -> None:
    page.given["files"] = {"lamps.rules": LAMPS.replace("cards lamp, 1 of each", 'cards lamp from "lamps.csv"')}
    with pytest.raises(RulesError):
        page.ask("pack")


# ---- Tables


def positions(page: Page) -> list[dict[str, Any]]:
    """The positions that a table has told."""
    return [each["message"] for each in page.told if each["event"] == "told" and each["message"]["type"] == "position"]


def test_tables_outlive_a_worker(tmp_path: Path) -> None:
    """The next worker is given what the one before told, and nothing else."""
    before = Path.cwd()
    try:
        first = Page(tmp_path / "one" / "rules")
        first.ask("request")
        seats = [{"kind": "open"}, {"kind": "open"}]
        answers = first.answers
        made = answers.answer("request", {"path": "/api/tables", "body": {"game": "lamps", "players": 2, "seats": seats}}, print)
        tokens = [seat["token"] for seat in made["seats"]]
        number = answers.answer("connect", {"token": tokens[0]}, print)
        position = positions(first)[-1]
        option = position["decision"]["options"][4]
        act = {"type": "act", "position": position["number"], "option": option["number"]}
        answers.answer("say", {"number": number, "message": act}, print)
        kept = [each["step"] for each in first.told if each["event"] == "kept"]

        second = Page(tmp_path / "two" / "rules")
        second.answers.answer("restore", {"kept": kept}, print)
        assert not [each for each in second.told if each["event"] == "kept"]
        second.answers.answer("connect", {"token": tokens[1]}, print)
        again = positions(second)[-1]
        assert again["number"] == positions(first)[-1]["number"] > position["number"]
    finally:
        os.chdir(before)
