"""The page in a real browser: whole games by clicking, two people, refusals, lost connections, a phone, keys."""

from __future__ import annotations

import json
import os
import shutil
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from ..serving import GAMES, Server, served
from .people import MINE, OVER, Person

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
AXE = os.environ.get("RULESRUN_AXE", "")  # the file axe.min.js of the npm package axe-core
THREE = ("kingdomino", "masti", "for_the_king")
BOARDS = ("nine_mens_morris", "backgammon", "kalah")
IN_SIGHT = """[...document.querySelectorAll("button.can")].some(node => {
    const box = node.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
})"""
BOT = {"kind": "bot", "bot": "random"}


def table(server: Server, game: str, players: int, *, people: int = 1, seed: int = 7) -> Any:
    seats = [{"kind": "me"}] * people + [BOT] * (players - people)
    return server.make(game=game, players=players, seed=seed, seats=seats)


@pytest.mark.browser
def test_a_game_is_chosen_set_up_and_played(person: Any) -> None:
    somebody = person()
    somebody.go("")
    somebody.page.get_by_role("link", name="Tic-tac-toe").click()
    somebody.page.get_by_label("player 2").select_option("random")
    somebody.page.get_by_role("button", name="Play").click()
    somebody.page.wait_for_selector(".at-table")
    assert somebody.play() in (3, 4, 5)
    assert "over" in somebody.page.inner_text(".status")
    somebody.page.get_by_role("link", name="Play again").click()
    somebody.page.wait_for_selector(".set-up")


@pytest.mark.browser
def test_a_variant_is_explained_by_its_comment(person: Any) -> None:
    somebody = person()
    somebody.go("#new/kingdomino")
    assert "Harmony 5 points for who has discarded nothing" in somebody.page.get_by_label("Harmony").locator("..").inner_text()


AT_ONCE = """() => {  // clicks twice, in two tasks, as soon as it is this person's turn
    const at = document.querySelector(".at-table");
    const click = () => document.querySelector("button.can")?.click();
    const twice = () => at.dataset.turn === "mine" && (click(), setTimeout(click));
    new MutationObserver(twice).observe(at, {attributes: true, attributeFilter: ["data-turn"]});
    twice();
}"""


@pytest.mark.browser
def test_two_clicks_at_once_are_one_act(server: Server, person: Any) -> None:
    somebody = person()
    somebody.sit(table(server, "classics/hex", 2)["seats"][0]["token"])
    somebody.wait()
    somebody.page.evaluate(AT_ONCE)
    somebody.page.wait_for_selector(".trouble, [data-over='yes']")
    assert [frame for frame in somebody.frames if '"type":"error"' in frame] == []


@pytest.mark.browser
@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("kingdomino", 2), ("masti", 3), ("for_the_king", 3), ("classics/connect_four", 2), ("classics/hearts", 4),
        ("classics/draughts", 2),
    ],
)  # fmt: skip
def test_a_whole_game_is_played_by_clicking(game: str, players: int, server: Server, person: Any) -> None:
    somebody = person()
    somebody.sit(table(server, game, players)["seats"][0]["token"])
    assert somebody.play() > 2
    if os.environ.get("RULESRUN_RENEW"):
        PICTURES.mkdir(exist_ok=True)
        somebody.sit(table(server, game, players)["seats"][0]["token"])
        luck = Random(2)
        for _ in range(9):
            if somebody.wait():
                somebody.step(luck)
        somebody.wait()
        somebody.page.mouse.move(0, 0)
        somebody.page.evaluate("document.querySelector('main').scrollTo(0, 0)")
        somebody.page.wait_for_timeout(300)
        somebody.page.screenshot(path=PICTURES / f"{game.split('/')[-1]}.png")


@pytest.mark.browser
def test_nobody_gets_what_another_hides(server: Server, person: Any) -> None:
    made = table(server, "classics/hearts", 4, people=2)
    first, second = person(), person()
    first.sit(made["seats"][0]["token"])
    second.sit(made["seats"][1]["token"])
    first.wait()

    def hand(somebody: Any) -> list[str]:
        return [node.get_attribute("data-id") for node in somebody.page.query_selector_all('.me [data-zone="hand"] [data-id]')]

    for mine, other in ((first, second), (second, first)):
        hidden = hand(other)
        assert len(hidden) == 13
        assert not set(hidden) & set(hand(mine))
        html = mine.page.content()
        for frame in mine.frames:
            data = json.loads(frame)
            seen = [thing["id"] for zone in data.get("view", {}).get("zones", ()) for thing in zone["components"]]
            assert not set(seen) & set(hidden)
        assert not any(f'data-id="{one}"' in html for one in hidden)


@pytest.mark.browser
def test_a_number_of_one_list_is_none_of_another(server: Server, person: Any) -> None:
    """In backgammon, a die is chosen first: no point glows before, and only points do after."""
    somebody = person()
    somebody.sit(table(server, "classics/backgammon", 2)["seats"][0]["token"])
    somebody.wait()
    dice, points = (somebody.page.locator(f'[data-value="{name}"] .token.can') for name in ("dice", "men"))
    assert dice.count() == 2
    assert points.count() == 0
    dice.first.click()
    points.first.wait_for()
    assert dice.count() == 0
    boxes = [each.bounding_box() for each in somebody.page.locator('[data-value="men"] .token').all()]
    assert len(boxes) == 52
    assert len({(round(box["x"]), round(box["y"])) for box in boxes}) == 28  # 24 points that both have, two bars, two places off


@pytest.mark.browser
def test_a_refused_act_says_why(server: Server, person: Any) -> None:
    somebody = person()
    somebody.sit(table(server, "classics/tic_tac_toe", 2)["seats"][0]["token"])
    somebody.page.locator('[data-cell="b2"]').click()
    somebody.page.wait_for_selector('[data-turn="mine"] [data-cell="b2"].cannot')
    somebody.page.mouse.move(0, 0)
    somebody.page.locator('[data-cell="b2"]').hover()
    assert "something lies on b2 already tic_tac_toe.rules:" in " ".join(somebody.page.inner_text(".why").split())


@pytest.mark.browser
def test_the_page_comes_back_when_the_server_does(tmp_path: Path, browser: Any) -> None:
    with served(tmp_path) as before:
        token = table(before, "classics/tic_tac_toe", 2)["seats"][0]["token"]
        somebody = Person(before, browser)
        somebody.sit(token)
        somebody.page.locator('[data-cell="b2"]').click()
        somebody.page.wait_for_selector('[data-turn="mine"] [data-cell="b2"].taken')
        somebody.context.set_offline(True)
    with served(tmp_path) as after:
        somebody.context.set_offline(False)
        somebody.base = f"http://127.0.0.1:{after.port}"
        somebody.sit(token)
        assert somebody.play() >= 2
    somebody.context.close()


@pytest.mark.browser
def test_a_connection_that_is_lost_is_taken_up_again(server: Server, person: Any) -> None:
    somebody = person()
    somebody.page.add_init_script(
        "const Real = WebSocket; window.WebSocket = class extends Real { constructor(a) { super(a); window.line = this; } };"
    )
    somebody.sit(table(server, "classics/connect_four", 2)["seats"][0]["token"])
    luck = Random(1)
    for _ in range(3):
        if somebody.wait():
            somebody.step(luck)
            somebody.page.evaluate("window.line.close()")
            somebody.page.wait_for_selector('.status:has-text("lost")')
            somebody.page.wait_for_selector('.status:not(:has-text("lost"))')
    assert somebody.play() >= 1


@pytest.mark.browser
@pytest.mark.parametrize(
    "game", ["kingdomino", "masti", "for_the_king", "classics/hearts", "classics/hex", "classics/backgammon", "classics/kalah"]
)
def test_a_phone_shows_all_without_moving_sideways(game: str, server: Server, person: Any) -> None:
    players = {"masti": 3, "for_the_king": 3, "classics/hearts": 4}.get(game, 2)
    somebody = person(width=360, height=740, has_touch=True, is_mobile=True)
    somebody.sit(table(server, game, players)["seats"][0]["token"])
    luck = Random(3)
    for _ in range(6):
        if somebody.wait():
            somebody.page.wait_for_function(IN_SIGHT)
            somebody.step(luck)
    somebody.wait()
    assert somebody.page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.browser
@pytest.mark.parametrize("game", ["classics/tic_tac_toe", "kingdomino"])
def test_a_whole_game_is_played_by_keys_alone(game: str, server: Server, person: Any) -> None:
    somebody = person()
    somebody.sit(table(server, game, 2)["seats"][0]["token"])
    luck = Random(5)
    while somebody.wait():
        before = somebody.number()
        for _ in range(200):
            somebody.page.keyboard.press("Tab")
            if somebody.page.evaluate("document.activeElement.matches('button.can')") and luck.random() < 0.6:
                somebody.page.keyboard.press("Enter")
                if somebody.number() != before or somebody.page.query_selector(MINE) is None:
                    break
        somebody.page.wait_for_function("before => document.querySelector('.at-table').dataset.position !== before", arg=before)
    assert somebody.page.query_selector(OVER) is not None


@pytest.mark.browser
@pytest.mark.parametrize("players", [4])
def test_kingdomino_fits_a_screen(players: int, server: Server, person: Any) -> None:
    somebody = person(width=1280, height=800)
    somebody.sit(table(server, "kingdomino", players)["seats"][0]["token"])
    luck = Random(1)
    while somebody.wait():
        high = "main => [main.scrollHeight - main.clientHeight, document.documentElement.scrollHeight - innerHeight]"
        assert somebody.page.locator(".at-table main").evaluate(high) == [0, 0]
        before = somebody.number()
        somebody.step(luck)
        somebody.page.wait_for_function("before => document.querySelector('.at-table').dataset.position !== before", arg=before)


@pytest.mark.browser
def test_escape_goes_back(server: Server, person: Any) -> None:
    somebody = person()
    somebody.sit(table(server, "classics/nim", 2)["seats"][0]["token"])
    somebody.wait()
    somebody.page.locator(".acts button.can").last.click()
    somebody.page.get_by_role("button", name="Back").wait_for()
    somebody.page.keyboard.press("Escape")
    somebody.page.get_by_role("button", name="Back").wait_for(state="detached")


@pytest.mark.browser
@pytest.mark.parametrize(("place", "scheme"), [
    *((place, "light") for place in ("", "set-up", "plays", "film", *THREE, *(f"classics/{name}" for name in BOARDS))),
    *((place, "dark") for place in ("", "plays", "masti", "kingdomino")),
])  # fmt: skip
def test_axe_finds_nothing_serious(place: str, scheme: str, server: Server, person: Any) -> None:
    if not AXE:
        pytest.skip("RULESRUN_AXE does not name axe.min.js of the npm package axe-core")
    somebody = person(color_scheme=scheme, bypass_csp=True)
    if place in ("", "set-up"):
        somebody.go("#new/kingdomino" if place else "")
        somebody.page.wait_for_selector(".set-up" if place else ".game")
    else:
        game = "classics/tic_tac_toe" if place in ("plays", "film") else place
        somebody.sit(table(server, game, 3 if game in ("masti", "for_the_king") else 2)["seats"][0]["token"])
        if place in ("plays", "film"):
            somebody.page.locator('[data-cell="b2"]').click()
            somebody.page.wait_for_selector('[data-turn="mine"] [data-cell="b2"].cannot')
            somebody.page.locator('[data-cell="b2"]').click(force=True)  # it does nothing but say why
            somebody.play()
        if place == "film":
            somebody.page.get_by_role("button", name="Look through the game").click()
            somebody.page.wait_for_selector(".film .moment")
        elif place == "plays":
            somebody.go(server.designer)
            somebody.page.wait_for_selector(".plays .reasons li")
        else:
            somebody.wait()
    somebody.page.add_script_tag(path=AXE)
    found = somebody.page.evaluate("axe.run()")["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in serious] == []


@pytest.mark.browser
def test_a_look_cannot_fetch_from_elsewhere(tmp_path: Path, browser: Any) -> None:
    """A server of another address is asked for nothing, and the table is drawn and played all the same."""
    asked: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

    folder = tmp_path / "games"
    folder.mkdir()
    shutil.copy(GAMES / "classics" / "tic_tac_toe.rules", folder)
    elsewhere = HTTPServer(("127.0.0.1", 0), Elsewhere)
    Thread(target=elsewhere.serve_forever, daemon=True).start()
    there = f"http://127.0.0.1:{elsewhere.server_port}"
    look = f"""@import "{there}/other.css";
        @font-face {{ font-family: theirs; src: url({there}/font.woff); }}
        .cell {{ background: url({there}/picture.png); font-family: theirs; }}
        .at-table {{ outline: 3px solid rgb(1, 2, 3); }}"""
    (folder / "tic_tac_toe.look.css").write_text(look, encoding="utf-8")
    with served(tmp_path / "kept", folder) as server:
        somebody = Person(server, browser)
        somebody.sit(table(server, "tic_tac_toe", 2)["seats"][0]["token"])
        somebody.page.wait_for_function("getComputedStyle(document.querySelector('.at-table')).outlineColor === 'rgb(1, 2, 3)'")
        assert somebody.play() >= 3
        somebody.context.close()
    elsewhere.shutdown()
    elsewhere.server_close()
    assert asked == []
    assert somebody.errors
    assert all("Content Security Policy" in error for error in somebody.errors)


@pytest.mark.browser
def test_a_look_comes_with_the_rules_and_nothing_else_does(server: Server) -> None:
    status, headers, body = server.ask("GET", "/looks/kingdomino/look.css")
    assert status == 200
    assert headers["content-type"].startswith("text/css")
    assert b"wheat" in body
    assert server.ask("GET", "/looks/classics/nim/look.css")[::2] == (200, b"")
    for path in ("kingdomino/kingdomino.rules", "kingdomino/..%2fREADME.svg", "kingdomino/../../README.md", "nothing/a.svg"):
        assert server.ask("GET", f"/looks/{path}")[0] == 404, path


@pytest.mark.browser
def test_a_game_that_is_over_is_a_film_and_goes_on_from_any_moment(server: Server, person: Any) -> None:
    somebody = person()
    somebody.sit(table(server, "classics/tic_tac_toe", 2)["seats"][0]["token"])
    somebody.play()
    page = somebody.page
    page.get_by_role("button", name="Look through the game").click()
    page.wait_for_selector('.film:has-text("0 of ")')
    assert page.locator(".cell.taken").count() == 0
    page.get_by_role("button", name="one on").click()
    page.wait_for_selector('.film:has-text("1 of ")')
    assert page.locator(".cell.taken").count() == 1
    page.get_by_role("button", name="Go on from here").click()
    page.wait_for_selector('[data-over="no"]')
    assert page.locator(".cell.taken").count() >= 1
    assert somebody.play() >= 2
