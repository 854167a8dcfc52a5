"""The guided tour of the playground: its lessons, and whether a text solves one.

A lesson is a page in ``web/playground/lessons``. It begins with ``# TITLE`` and the prose. Three fences follow: the file with
which the reader starts (``rules``), tests that pass when the task is done (``rules goal``), and the solved file (``rules
solution``). The last paragraph begins with ``Done:``. A lesson about mistakes has no goal: it is solved when nothing is found.

The reference executor plays the tests, so nothing is needed that a page does not have. A text is as bounded as any file of rules:
by its size, the rounds of its loops, the decisions of its games, and by time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Final

from attrs import frozen

from ..interpreter.checks.all_tables import check
from ..interpreter.checks.tests import run_test, run_tests
from ..interpreter.common.deadline import OutOfTime, deadline
from ..interpreter.common.diagnostics import Diagnostic
from ..interpreter.findings.report import report
from ..interpreter.rules import Rules, rules_in

FILE: Final = "lesson.rules"  # what the reader's text is called in messages
SECONDS: Final = 20.0  # for a text; the solutions of the lessons take a third of a second, in a page a few times as much
_HEADING: Final = re.compile(r"# (.+)\n")
_FENCE: Final = re.compile(r"^```(rules(?: goal| solution)?)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_TEST: Final = re.compile(r'^test "(.+)"$', re.MULTILINE)


@frozen
class Lesson:
    """One lesson.

    ``number``: from 1. ``name``: its short name, as in an address. ``title``, ``text`` and ``done``: Markdown; ``text`` ends with
    the task, ``done`` is without the word before the colon. ``rules``: the file with which the reader starts. ``goal``: tests to
    append to the reader's file; empty where it is enough that nothing is found and the file's own tests pass. ``solution``: the
    solved file.
    """

    number: int
    name: str
    title: str
    text: str
    rules: str
    goal: str
    solution: str
    done: str


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in order."""
    folder = files(__name__.partition(".")[0]) / "web" / "playground" / "lessons"
    pages = {page.name: page.read_text(encoding="utf-8") for page in folder.iterdir() if page.name.endswith(".md")}
    return tuple(_lesson(name, pages[name]) for name in sorted(pages))


def _lesson(file: str, page: str) -> Lesson:
    """The lesson on a page. Raises `ValueError` where a part of it is missing."""
    number, _, name = file.removesuffix(".md").partition("_")
    heading = _HEADING.match(page)
    fences = {found[1]: found for found in _FENCE.finditer(page)}
    missing = {"rules", "rules solution"} - fences.keys()
    _, done, last = page.rpartition("\nDone: ")
    if heading is None or missing or not done:
        raise ValueError(f"{file}: a lesson has a title, a file to start with, a solution, and a paragraph `Done:`")
    goal = fences.get("rules goal")
    return Lesson(
        int(number),
        name,
        heading[1],
        page[heading.end() : fences["rules"].start()].strip(),
        fences["rules"][2],
        "" if goal is None else goal[2],
        fences["rules solution"][2],
        last.strip(),
    )


def is_solved(lesson: Lesson, text: str) -> tuple[bool, str]:
    """Whether a text solves a lesson, and otherwise one sentence that says what is missing; "" when it is solved."""
    try:
        with deadline(SECONDS):
            missing = next(_missing(lesson, text), "")
    except OutOfTime:
        missing = f"After {SECONDS:g} seconds, the game was still going: let something happen less often."
    return not missing, missing


def _missing(lesson: Lesson, text: str) -> Iterator[str]:
    """What keeps a text from solving a lesson: findings first, then the text's own tests, then the goal."""
    own = _read(text)
    for finding in report([own], check(own).findings).findings:
        if finding.severity == "error" or not lesson.goal:
            yield _said(finding)
    for result in run_tests(own):
        if not result.passed:
            yield f'The test "{result.title}" does not pass: {result.diagnostics[0].message}.'
    for title, test in _tests(lesson.goal):
        if not _passes(f"{text.rstrip()}\n\n{test}"):
            yield f"This is not so yet: {title}."


def _read(text: str) -> Rules:
    return rules_in(FILE, text.encode(errors="surrogatepass"))


def _said(finding: Diagnostic) -> str:
    line = "" if finding.span is None else f"Line {finding.span.line}: "
    return f"{line}{finding.message}."


def _tests(goal: str) -> Iterator[tuple[str, str]]:
    """The tests of a goal, each with its title."""
    begins = [*_TEST.finditer(goal)]
    for begin, after in zip_longest(begins, begins[1:]):
        yield begin[1], goal[begin.start() : after and after.start()]


def _passes(text: str) -> bool:
    """Whether the last test in a text can be run, and passes."""
    whole = _read(text).model
    return whole is not None and bool(whole.tests) and run_test(whole, whole.tests[-1]).passed
