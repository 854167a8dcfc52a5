"""The page in another language: a whole game is played, and no word of another language is to be read or heard."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from ..serving import Server

LATIN = re.compile(r"[A-Za-z]{2,}")  # one letter names a column of cells
READ = """() => [document.querySelector("#app").innerText, ...[...document.querySelectorAll("#app [aria-label], #app [title]")]
    .flatMap(node => [node.getAttribute("aria-label"), node.getAttribute("title")])].filter(Boolean)"""
ALLOWED = ("Esc",)  # a key


def words_read(page: Any, names: tuple[str, ...] = ()) -> list[str]:
    allowed = "|".join(map(re.escape, sorted((*ALLOWED, *names), key=len, reverse=True)))
    texts = [re.sub(allowed, "", text) for text in page.evaluate(READ)]
    return sorted({line for text in texts for line in text.splitlines() if LATIN.search(line)})


@pytest.mark.browser
@pytest.mark.parametrize(("game", "players"), [("masti", 3)])
def test_a_whole_game_is_played_in_ukrainian(game: str, players: int, server: Server, person: Any) -> None:
    somebody = person(locale="uk-UA")
    bots = [{"kind": "bot", "bot": "random", "name": name} for name in ("Оля", "Петро")[: players - 1]]
    made = server.make(game=game, players=players, seed=7, seats=[{"kind": "me", "name": "Ганна"}, *bots], language="uk")
    somebody.sit(made["seats"][0]["token"])
    luck = Random(3)
    found: list[str] = []
    for _ in range(200):
        if not somebody.wait():
            break
        found += words_read(somebody.page)
        somebody.step(luck)
    found += words_read(somebody.page)
    assert sorted(set(found)) == []
    assert "Партію завершено" in somebody.page.inner_text(".status")


@pytest.mark.browser
def test_no_other_word_is_read_before_a_table(server: Server, person: Any) -> None:
    """In the library and where a table is set up there are names of games, of their folders and of languages; else Ukrainian."""
    games = json.loads(server.ask("GET", "/api/games")[2])
    somebody = person(locale="uk-UA")
    somebody.go("")
    somebody.page.wait_for_selector(".games .about")
    names = tuple(name for game in games for name in (game["title"], *game["id"].split("/")[:-1]))
    assert words_read(somebody.page, names) == []
    assert "Вигравайте взятки" in somebody.page.inner_text(".games a[href='#new/masti'] .about")
    for game in ("masti", "kingdomino", "for_the_king", "classics/hearts"):
        somebody.go(f"#new/{game}")
        somebody.page.wait_for_selector(".set-up")
        somebody.page.evaluate("document.querySelector('details').open = true")
        assert words_read(somebody.page, ("English",)) == [], game


@pytest.mark.browser
def test_the_language_of_the_browser_is_that_of_a_new_table(server: Server, person: Any) -> None:
    somebody = person(locale="uk-UA")
    somebody.go("#new/masti")
    somebody.page.wait_for_selector(".set-up")
    assert somebody.page.inner_text("h1") == "Масти Власти"
    somebody.page.get_by_role("button", name="Грати").click()
    somebody.page.wait_for_selector(".at-table")
    assert somebody.page.get_by_role("button", name="Повернути хід").count() == 1
    assert somebody.page.evaluate("document.documentElement.lang") == "uk"


@pytest.mark.browser
def test_an_address_can_say_the_language(server: Server, person: Any) -> None:
    somebody = person()
    somebody.go("?lang=ja")
    somebody.page.wait_for_selector("h1")
    assert somebody.page.inner_text("h1") == "ゲームを選ぶ"
