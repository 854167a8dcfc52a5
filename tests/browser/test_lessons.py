"""The guided tour: each lesson can be done, is not done from the start, and is written for people who do not program."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from time import monotonic

import pytest
from rulesrun.browser.lessons import FILE, Lesson, is_solved, lessons
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.findings.report import report
from rulesrun.interpreter.formatting.style import laid_out
from rulesrun.interpreter.play.game import Game, table_of
from rulesrun.interpreter.play.narration import narrate
from rulesrun.interpreter.play.page import plain
from rulesrun.interpreter.play.result import result
from rulesrun.interpreter.rules import Rules, rules_in
from rulesrun.interpreter.table.sampling.combinations import tables_of

LESSONS = lessons()
BY_NAME = {lesson.name: lesson for lesson in LESSONS}
GAMES = 20
WORDS_OF_TEXT, WORDS_OF_DONE = 120, 30
TASK = r"(Add|Change|Mend) (?:(?!\.(\s|$)).)*\.( [^.]+\.)?"  # one sentence in the imperative, and perhaps one about the place
TRADE = (  # words of programmers
    r"arguments?|arrays?|booleans?|cod(e|es|ing)|compil\w+|debug\w*|execut\w+|functions?|identifiers?|instances?|integers?|"
    r"iterat\w+|loops?|methods?|null|objects?|parameters?|pars(e|er|ing)|program\w*|runtime|scopes?|strings?|syntax|variables?"
)

each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)


def read(text: str) -> Rules:
    return rules_in(FILE, text.encode())


def tables(text: str) -> Iterator[Game]:
    """All tables of a game, with its options at their defaults."""
    rules = read(text)
    for candidate in tables_of(rules.required()).plain if rules.model is not None else ():
        if candidate.found.table is not None:
            yield table_of(rules, candidate.choice.players, candidate.choice.variants)


def played(game: Game, seed: int, seat: int | None = None) -> str:
    """A game of random players, as a seat sees it, with its score sheet and its ranking."""
    state = game.start(seed=seed)
    while state.decision is not None:
        state.play_at_random()
    assert state.is_over
    assert state.fault is None
    return plain((*narrate(game, state.events, seat), *result(state)))


def test_there_are_fifteen_in_order() -> None:
    assert [lesson.number for lesson in LESSONS] == [*range(1, 16)]
    assert len(BY_NAME) == len({lesson.title for lesson in LESSONS}) == 15


# ---- Solving


@each_lesson
def test_a_lesson_is_not_solved_at_the_start_and_a_sentence_says_why(lesson: Lesson) -> None:
    solved, missing = is_solved(lesson, lesson.rules)
    assert not solved
    assert re.fullmatch(r"(Line \d+: |The test \"|This is not so yet: )[^\n]+[^.]\.", missing)


@each_lesson
def test_the_solution_solves(lesson: Lesson) -> None:
    assert is_solved(lesson, lesson.solution.rstrip()) == (True, "")


@pytest.mark.parametrize("lesson", [BY_NAME["a_message"], BY_NAME["a_test"]], ids=["without a goal", "with a goal"])
@pytest.mark.parametrize("text", ["", "\n", "game", "phase (((", "\0", "\ud800", "game x\n    players 2\n", "🎲" * 300_000])
def test_any_text_has_an_answer(lesson: Lesson, text: str) -> None:
    solved, missing = is_solved(lesson, text)
    assert not solved
    assert missing.endswith(".")


NOT_YET = "This is not so yet: "


@pytest.mark.parametrize(
    ("name", "old", "new", "missing"),
    [
        ("a_whole_game", "repeat 2", "repeat 4", f"{NOT_YET}each player finds pebbles five times."),
        ("a_whole_game", "repeat 2", "repeet 5", "Line 8: `repeet` is not a word of the rules."),
        (
            "whose_turn",
            "to pebbles of player",
            "to pebbles of player\n            set starter to left of starter",  # for each player, not for each round
            f"{NOT_YET}after each round, the player on the left is the starter.",
        ),
        ("cards", "1..4", "1..5", f"{NOT_YET}there are 18 cards, and the highest rank is 6."),
        ("who_sees_what", "card, open", "card, hidden", f"{NOT_YET}players see their own hand, and no other."),
        ("a_table", "3..4", "2..4", "Line 16: the table `deal` has no row for 2 players."),
        ("a_variant", "dark", "bright", f"{NOT_YET}in the variant, the stars are trumps and the lowest score wins."),
        ("a_test", "leader is Ann", "leader is Bob", f"{NOT_YET}only a trump or a card of the led suit can win."),
    ],
)
def test_what_is_missing_is_said(name: str, old: str, new: str, missing: str) -> None:
    lesson = BY_NAME[name]
    assert old in lesson.rules
    assert is_solved(lesson, lesson.rules.replace(old, new)) == (False, missing)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("who_sees_what", "rank: 1..6", "rank: 1..7"),
        ("choices", "too low", "play above {height of player}"),
        ("choices", "rank of card > height of player", "height of player < rank of card"),
        ("following_suit", "hand of player has no card with suit led", "count of hand of player with suit led is 0"),
        ("the_score_sheet", "stars: -2 * count of", "minus: 0 - 2 * count of"),
        ("a_thousand_games", "last:  3 if player is leader", "bonus: 3 if leader is player"),
    ],
)
def test_there_are_other_ways(name: str, old: str, new: str) -> None:
    lesson = BY_NAME[name]
    assert old in lesson.solution
    assert is_solved(lesson, lesson.solution.replace(old, new)) == (True, "")


def test_no_goal_is_needed_where_nothing_may_be_found() -> None:
    assert [lesson.name for lesson in LESSONS if not lesson.goal] == ["a_message"]


SLOW = """
test "slow"
    players Ann, Bob, Cy
    start walk
    expect pebbles of Ann is 3
"""


@pytest.mark.clock
def test_a_game_that_takes_too_long_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesrun.browser.lessons.SECONDS", 0.3)
    lesson = BY_NAME["a_whole_game"]
    often = "    repeat 1000 times\n        repeat 100000 times: set pebbles of player 1 to 3\n    repeat 5"
    began = monotonic()
    solved, missing = is_solved(lesson, lesson.rules.replace("    repeat 2", often) + SLOW)
    assert not solved
    assert missing == "After 0.3 seconds, the game was still going: let something happen less often."
    assert monotonic() - began < 10


@pytest.mark.process
def test_in_a_page_it_takes_no_thread_no_process_and_no_native_code() -> None:
    program = """
import sys, threading, types
from rulesrun.interpreter.common import platform
platform.HERE = platform.PAGE
sys.modules["rulesrun_page"] = types.SimpleNamespace(alarm=lambda seconds: None)
sys.modules |= dict.fromkeys(("wasmtime", "subprocess", "multiprocessing"))
threading.Thread.start = None
from rulesrun.browser.lessons import is_solved, lessons
print([is_solved(lesson, lesson.solution)[0] for lesson in lessons()[::7]])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout == "[True, True, True]\n"


# ---- The games


@each_lesson
def test_a_start_and_a_solution_are_in_one_style(lesson: Lesson) -> None:
    for text in (lesson.rules, lesson.solution):
        assert laid_out(Source(FILE, text)) == text


@pytest.mark.slow_cases("a_variant")
@each_lesson
def test_nothing_is_found_in_a_solution_nor_in_a_start_without_a_mistake(lesson: Lesson) -> None:
    for text in (lesson.rules, lesson.solution) if lesson.goal else (lesson.solution,):
        rules = read(text)
        assert report([rules], check(rules).findings).findings == ()


@pytest.mark.slow
@each_lesson
def test_a_solution_plays(lesson: Lesson) -> None:
    for number, game in enumerate(tables(lesson.solution)):
        for seed in range(GAMES if number == 0 else 2):
            assert "Ranking" in played(game, seed)


@each_lesson
def test_the_game_looks_different_once_it_is_solved(lesson: Lesson) -> None:
    before = {played(game, seed, seat=2) for game in tables(lesson.rules) for seed in range(3)}
    assert any(played(game, seed, seat=2) not in before for game in tables(lesson.solution) for seed in range(3))


# ---- The words


@each_lesson
def test_texts_are_short(lesson: Lesson) -> None:
    assert len(lesson.text.split()) <= WORDS_OF_TEXT
    assert len(lesson.done.split()) <= WORDS_OF_DONE


@each_lesson
def test_the_last_paragraph_is_the_task(lesson: Lesson) -> None:
    *others, task = lesson.text.split("\n\n")
    assert re.fullmatch(TASK, task, re.DOTALL)
    assert not any(re.match(TASK, other, re.DOTALL) for other in others)
    assert " Try it: " in lesson.done


@each_lesson
def test_words_are_plain(lesson: Lesson) -> None:
    prose = re.sub(r"`[^`]*`", "", f"{lesson.title}. {lesson.text} {lesson.done}")
    assert re.findall(rf"\b({TRADE})\b", prose, re.IGNORECASE) == []
    longest = max(re.split(r"[.:?!]\s", prose), key=lambda sentence: len(sentence.split()))
    assert len(longest.split()) <= 22, longest


@each_lesson
def test_what_a_text_calls_a_line_is_one(lesson: Lesson) -> None:
    lines = {line.strip() for line in (*lesson.rules.splitlines(), *lesson.solution.splitlines())}
    for quoted in re.findall(r"the line\s+`([^`]+)`", lesson.text):
        beginning = quoted.removesuffix("...").strip()
        assert any(line.startswith(beginning) for line in lines), quoted
