"""What people do beside acting: names, notes, links, agreements, rules that change, reviews, long presses."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ..serving import GAMES, Server, served
from .people import MINE, Person
from .test_page import table

pytestmark = pytest.mark.browser
TIC_TAC_TOE = "classics/tic_tac_toe"
MARKED = """\
game marked
    title en "<b>Marked</b> <script>document.title = 'taken'</script>"
    players 2

counter points of player: 0..3
counter stars of player:  0..3

phase play
    for each player
        player chooses
            rest
                add 1 to points of player
                if stars of left of player is 0: add 1 to stars of player
            dance
                only if points of player > 0 otherwise "<img src=nothing onerror=alert(1)> rest first"
                add 1 to stars of player

score of player
    points: points of player

winner highest score, then most stars, then shared
"""


@contextmanager
def two_people(server: Server, browser: Any, game: str = TIC_TAC_TOE) -> Generator[tuple[Person, Person]]:
    seats = table(server, game, 2, people=2)["seats"]
    first, second = Person(server, browser), Person(server, browser)
    first.sit(seats[0]["token"])
    second.sit(seats[1]["token"])
    first.page.wait_for_function("!document.querySelector('.player:not(.me) h2').innerText.includes('away')")
    yield first, second
    for person in (first, second):
        person.context.close()
        assert person.errors == []


def click(person: Person, cell: str) -> None:
    person.page.locator(f'.cell.can[data-cell="{cell}"]').click()


def test_an_act_is_taken_back_when_the_other_agrees(server: Server, browser: Any) -> None:
    with two_people(server, browser) as (first, second):
        click(first, "b2")
        second.page.wait_for_selector('[data-turn="mine"]')
        for agrees in (False, True):
            first.page.get_by_role("button", name="Undo").click()
            asked = second.page.get_by_role("alert")
            asked.wait_for()
            assert "player 1 asks to take back their last act" in asked.inner_text()
            assert "You ask to take back your last act. Waiting for player 2." in first.page.get_by_role("alert").inner_text()
            second.page.reload()  # what is asked is asked of those who come later, too
            second.page.get_by_role("button", name="Agree" if agrees else "Refuse").click()
            if agrees:
                first.page.wait_for_selector('[data-turn="mine"] [data-cell="b2"].can')
                assert "was taken back" in second.page.inner_text(".news")
            else:
                first.page.wait_for_selector(".news")
                assert "player 2 does not agree" in first.page.inner_text(".news")
                assert first.page.locator('[data-cell="b2"].taken').count() == 1
        assert second.page.locator(".notice.asking").count() == 0


def test_names_are_seen_by_all_and_remembered(server: Server, browser: Any) -> None:
    with two_people(server, browser) as (first, second):
        first.page.get_by_role("button", name="More").click()
        first.page.get_by_label("Your name").fill("<b>Ada</b> & Co")
        first.page.get_by_role("button", name="Take it").click()
        second.page.wait_for_selector('.player:not(.me) .who:has-text("<b>Ada</b> & Co")')
        assert second.page.locator(".who b").count() == 0
        click(first, "a1")
        second.page.wait_for_selector('.log li:has-text("<b>Ada</b> & Co: place")')
        other = table(server, TIC_TAC_TOE, 2)["seats"][0]["token"]
        first.sit(other)
        first.page.wait_for_selector('.me .who:has-text("<b>Ada</b> & Co")')


def test_a_note_reaches_the_designer(server: Server, person: Any) -> None:
    somebody = person()
    somebody.sit(table(server, TIC_TAC_TOE, 2)["seats"][0]["token"])
    somebody.page.get_by_role("button", name="Note").click()
    somebody.page.get_by_label("Is something unclear here?").fill("which corner? <script>alert(1)</script>")
    somebody.page.get_by_role("button", name="Leave the note").click()
    somebody.page.wait_for_selector('.news:has-text("Your note is kept")')
    notes = [note["text"] for each in server.plays()["tables"] for note in each["notes"]]
    assert "which corner? <script>alert(1)</script>" in notes
    somebody.go(server.designer)
    somebody.page.wait_for_selector('text="which corner? <script>alert(1)</script>"')


def test_what_somebody_tries_in_vain_reaches_the_designer(tmp_path: Path, browser: Any) -> None:
    with served(tmp_path) as server:
        somebody = Person(server, browser)
        somebody.sit(table(server, TIC_TAC_TOE, 2)["seats"][0]["token"])
        click(somebody, "b2")
        somebody.page.wait_for_selector('[data-turn="mine"] [data-cell="b2"].cannot')
        somebody.page.mouse.move(0, 0)
        somebody.page.locator('[data-cell="b2"]').hover()
        somebody.page.wait_for_selector(".why:visible")
        assert server.plays()["games"][0]["reasons"] == []  # to look is not to try
        somebody.page.locator('[data-cell="b2"]').click(force=True)
        somebody.go(server.designer)
        somebody.page.wait_for_selector('.reasons li:has-text("1 × something lies on b2 already")')
        somebody.page.wait_for_selector('.reasons code:has-text("place mark of player on board")')
        somebody.context.close()
        assert somebody.errors == []


def test_a_long_press_says_why_not(server: Server, person: Any) -> None:
    somebody = person(width=360, height=740, has_touch=True, is_mobile=True)
    somebody.sit(table(server, TIC_TAC_TOE, 2)["seats"][0]["token"])
    somebody.page.locator('[data-cell="b2"]').tap()
    cell = somebody.page.wait_for_selector('[data-turn="mine"] [data-cell="b2"].cannot')
    somebody.page.evaluate("document.activeElement.blur()")
    somebody.page.wait_for_selector(".why", state="hidden")
    box = cell.bounding_box()
    point = [{"x": box["x"] + 20, "y": box["y"] + 20}]
    touch = somebody.context.new_cdp_session(somebody.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
    somebody.page.wait_for_selector(".why:visible")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    told = " ".join(somebody.page.inner_text(".why").split())
    assert "something lies on b2 already tic_tac_toe.rules:" in told
    somebody.page.wait_for_selector('.why code:has-text("place mark of player on board")')


def test_rules_that_change_are_told_and_taken_over_by_agreement(tmp_path: Path, browser: Any) -> None:
    folder = tmp_path / "games"
    shutil.copytree(GAMES / "classics", folder / "classics")
    file = folder / "classics" / "tic_tac_toe.rules"
    text = file.read_text(encoding="utf-8")
    with served(tmp_path / "kept", folder) as server, two_people(server, browser) as (first, second):
        click(first, "b2")
        second.page.wait_for_selector('[data-turn="mine"]')
        file.write_text(text + "nonsense here\n", encoding="utf-8")
        for each in (first, second):
            each.page.wait_for_selector('.findings:has-text("It cannot be played as it is")')
            assert f"tic_tac_toe.rules:{text.count(chr(10)) + 1}" in each.page.inner_text(".findings")
        click(second, "a1")  # the table lives on under its own rules
        two = text.replace("option in_a_row: 3..5, default 3", "option in_a_row: 2..5, default 2")
        file.write_text(two.partition('\ntest "')[0], encoding="utf-8")
        for each in (first, second):
            each.page.wait_for_selector('.findings:has-text("All 2 acts so far fit the new rules")')
        first.page.get_by_role("button", name="Go on under the new rules").click()
        second.page.wait_for_selector('.asking:has-text("player 1 asks to go on under the new rules")')
        second.page.get_by_role("button", name="Agree").click()
        for each in (first, second):
            each.page.wait_for_selector('.news:has-text("under the new rules")')
            each.page.wait_for_selector(".findings, .asking", state="detached")
            assert each.page.locator(".cell.taken").count() == 2
        click(first, "b3")
        second.page.wait_for_selector('.status:has-text("player 1 wins")')


def test_a_review_goes_on_when_the_connection_was_lost(server: Server, person: Any) -> None:
    somebody = person()
    somebody.page.add_init_script(
        "const Real = WebSocket; window.WebSocket = class extends Real { constructor(a) { super(a); window.line = this; } };"
    )
    somebody.sit(table(server, "classics/connect_four", 2)["seats"][0]["token"])
    somebody.play()
    page = somebody.page
    page.get_by_role("button", name="Review").click()
    page.wait_for_selector('.review:has-text("acts are reviewed")')
    page.evaluate("window.line.close()")
    page.wait_for_selector('[data-line="lost"]')
    page.wait_for_selector('.review:has-text("acts were reviewed")', timeout=60_000)
    acts = int(page.inner_text(".review p").split()[0])
    decisions = next(json.loads(frame)["decisions"] for frame in reversed(somebody.frames) if '"review"' in frame)
    assert acts == decisions
    marked = page.locator(".review li").count()
    if marked:
        page.locator(".review li button").first.click()
        page.wait_for_selector(".film .moment")


def test_forced_moves_play_themselves_if_one_likes(server: Server, person: Any) -> None:
    """In the last move of tic-tac-toe there is one square left."""
    somebody = person()
    for seed in range(9):
        somebody.sit(table(server, TIC_TAC_TOE, 2, seed=seed)["seats"][0]["token"])
        if seed == 0:
            somebody.page.get_by_role("button", name="More").click()
            somebody.page.get_by_label("Forced moves play themselves").check()
            somebody.page.keyboard.press("Escape")
        while somebody.wait() and somebody.page.locator(".cell.can").count() > 1:
            somebody.page.locator(".cell.can").first.click()
            somebody.page.wait_for_selector('[data-turn="mine"], [data-over="yes"]')
        if somebody.page.locator('[data-over="no"] .cell.taken').count() == 8:
            break
    else:
        pytest.fail("no game came to its last square")
    somebody.page.wait_for_selector('[data-over="yes"]')
    assert somebody.page.locator(".cell.taken").count() == 9


@pytest.mark.parametrize(("game", "players", "worth"), [(TIC_TAC_TOE, 2, "% of the win"), ("classics/blackjack", 1, "score -0.")])
def test_a_hint_is_what_the_search_tried_most(server: Server, person: Any, game: str, players: int, worth: str) -> None:
    somebody = person()
    somebody.sit(table(server, game, players, seed=3)["seats"][0]["token"])
    assert somebody.wait()
    somebody.page.get_by_role("button", name="Hint").click()
    said = somebody.page.wait_for_selector(".hint").inner_text()
    options = next(json.loads(frame)["options"] for frame in somebody.frames if '"type":"hint"' in frame.replace(" ", ""))
    assert [each["visits"] for each in options] == sorted((each["visits"] for each in options), reverse=True)
    assert worth in said
    assert somebody.page.locator(".hinted").count() > 0


def test_the_rules_can_be_read_at_the_table(server: Server, person: Any) -> None:
    somebody = person()
    somebody.sit(table(server, "kingdomino", 2)["seats"][0]["token"])
    somebody.page.get_by_role("button", name="Rules").click()
    somebody.page.wait_for_selector('dialog.rules:has-text("game kingdomino")')
    somebody.page.keyboard.press("Escape")
    somebody.page.wait_for_selector("dialog.rules", state="detached")


def test_a_capture_by_direction_can_be_clicked_where_it_ends(server: Server, person: Any) -> None:
    somebody = person()
    made = table(server, "classics/draughts", 2, people=2)
    other = person()
    somebody.sit(made["seats"][0]["token"])
    other.sit(made["seats"][1]["token"])
    for who, start, end in ((somebody, "c3", "d4"), (other, "f6", "e5")):
        click(who, start)
        click(who, end)
    click(somebody, "d4")  # only a capture is left, and only one
    other.page.wait_for_selector('[data-turn="mine"] [data-cell="f6"].taken')
    assert somebody.page.locator('[data-cell="e5"].taken').count() == 0


def test_words_of_the_rules_are_shown_and_never_run_and_a_tie_is_told(tmp_path: Path, browser: Any) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "marked.rules").write_text(MARKED, encoding="utf-8")
    with served(tmp_path / "kept", tmp_path / "games") as server:
        somebody = Person(server, browser)
        page = somebody.page
        alerts: list[str] = []
        page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
        title = "<b>Marked</b> <script>document.title = 'taken'</script>"
        for place in ("", "#new/marked", f"#table/{table(server, 'marked', 2)['seats'][0]['token']}"):
            somebody.go(place)
            page.locator("body").get_by_text(title).first.wait_for()
        page.locator(".acts .cannot").hover()
        page.locator(".why").get_by_text("<img src=nothing onerror=alert(1)> rest first").wait_for()
        page.locator(".acts .can").click()
        page.wait_for_selector('[data-over="yes"]')
        assert page.inner_text(".status") == "The game is over: you win (tie on highest score (1) broken by most stars: 1 > 0)"
        assert page.title() != "taken"
        assert page.locator("img[src=nothing], h1 b").count() == 0
        somebody.context.close()
        assert (somebody.errors, alerts) == ([], [])


def test_people_at_one_screen_hand_it_over_and_see_no_secret_of_each_other(person: Any) -> None:
    ann = person()
    ann.go("#new/masti")
    ann.page.get_by_label("Your name").fill("Ann")
    for seat in (2, 3):
        ann.page.get_by_label(f"player {seat}").select_option("me")
    ann.page.get_by_role("button", name="Play", exact=True).click()
    ann.page.wait_for_selector(".at-table")
    hands = {}
    named: set[str] = set()
    for turn in range(3):  # of the first trick; whoever takes it begins the next one, maybe at the same seat
        ann.page.wait_for_selector(".hand-over" if turn > 0 else f"{MINE}, .hand-over")
        if (over := ann.page.query_selector(".hand-over button")) is not None:
            over.click()
            own = ann.page.get_by_role("button", name=re.compile(r"^I am player \d$|^I am Ann$"))
            own.wait_for()
            for _ in range(2):
                ann.page.keyboard.press("Escape")
            assert ann.page.locator(".thing").count() == 0
            ann.page.reload()
            own.wait_for()
            assert ann.page.locator(".thing").count() == 0
            named.add(own.inner_text())
            own.click()
            ann.page.wait_for_selector(MINE)
        seat = ann.page.get_attribute(".player.me", "data-player")
        hands[seat] = ann.page.locator(".player.me .thing").all_inner_texts()
        ann.step(Random(1))
    assert len(hands) == 3
    assert len(set(map(str, hands.values()))) == 3
    assert len(named) >= 2


def test_a_browser_that_keeps_nothing_plays_too(person: Any) -> None:
    ann = person()
    ann.context.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        "  Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });"
    )
    ann.go("#new/masti")
    ann.page.get_by_label("player 2").select_option("me")
    ann.page.get_by_role("button", name="Play", exact=True).click()
    ann.page.wait_for_selector(f"{MINE}, .hand-over")


@pytest.mark.parametrize("address", ["#new/%", "#table/%E0%A4%A", "#%"])
def test_an_address_that_means_nothing_is_told(person: Any, address: str) -> None:
    ann = person()
    ann.go(address)
    ann.page.locator("main.page").wait_for()


def test_all_who_choose_at_once_are_asked_and_may_change_their_minds(server: Server, browser: Any) -> None:
    with two_people(server, browser, "classics/goofspiel") as (first, second):
        first.page.get_by_text("chose the seed").wait_for()  # as the helper has made the table
        before, luck = second.number(), Random(2)
        second.step(luck)
        chosen = second.page.locator(".chosen")
        chosen.get_by_text("You have chosen: bid").wait_for()
        first.page.wait_for_selector('[data-turn="mine"]')
        again = second.number()
        assert again != before
        chosen.get_by_role("button", name="Choose something else").click()
        second.step(luck)
        chosen.wait_for()
        assert first.page.locator(".log li").count() == second.page.locator(".log li").count()
        first.step(luck)
        for person in (first, second):
            person.page.wait_for_selector('[data-turn="mine"]')
            assert person.page.locator(".chosen").count() == 0
        assert second.number() != again
