"""Laid out twice is laid out once; nothing but the layout changes; and layout does not depend on layout."""

from __future__ import annotations

import os
import re
from itertools import accumulate
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.formatting.style import laid_out
from rulesrun.interpreter.syntax.parsing.tokens import all_words
from rulesrun.interpreter.syntax.reading.from_text import parse

from ..fuzz.test_mutations import characters
from ..generated.programs import programs
from .texts import comments, texts

EXAMPLES = int(os.environ.get("RULESRUN_SEEDS", "14"))
ORDINARY = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
ANY_TEXT = st.deferred(lambda: st.sampled_from(texts()))
BLANKS = (" ", "  ", "    ", "\t", " \t ", "\u3000", "\xa0")


def anew(text: str) -> str:
    """The text in the one style, after the laws that hold for every text."""
    first, before = laid_out(Source("example.rules", text)), parse(Source("example.rules", text))
    assert isinstance(first, str), text
    after = parse(Source("example.rules", first))
    assert after.diagnostics == ()
    assert after.tree == before.tree
    assert comments(first) == comments(text)
    assert words(first) == words(text)
    assert laid_out(Source("example.rules", first)) == first
    assert first.endswith("\n")
    assert not first.startswith("\n")
    assert "\n\n\n" not in first
    assert not any(line != line.rstrip() for line in first.split("\n"))
    return first


def words(text: str) -> list[list[str]]:
    """The words of each line, `the` included, without empty lines and comments."""
    cut = ([word.text for word in all_words(content_of(line)[0], 0)] for line in text.split("\n"))
    return [line for line in cut if line]


def content_of(line: str) -> tuple[str, str]:
    """A line without its comment, and the comment."""
    found = re.match(r'(?:[^"#]|"[^"]*")*', line)
    assert found is not None
    return found.group(), line[found.end() :]


@pytest.mark.slow
def test_all_texts_keep_the_laws() -> None:
    assert len(texts()) > 250
    for text in texts():
        anew(text)


@pytest.mark.slow
@ORDINARY
@given(programs())
def test_generated_programs_keep_the_laws(text: str) -> None:
    anew(text)


def disturbed(text: str, random: Random) -> str:
    """A text in the one style with other spaces: between words, before comments, at the left and at the ends of lines."""
    columns = list(accumulate((random.randint(1, 7) for _ in range(40)), initial=0))
    tabs = random.random() < 0.5
    lines: list[str] = []
    for line in text.removesuffix("\n").split("\n"):
        content, comment = content_of(line)
        level = (len(line) - len(line.lstrip(" "))) // 4
        new = "\t" * level if tabs else " " * columns[level]
        before = None
        for word in all_words(content, 0):
            if before is not None and ("mark" not in (before.shape, word.shape) or random.random() < 0.5):
                new += random.choice(BLANKS)
            new += word.text
            before = word
        if comment:
            new += random.choice(BLANKS) if before is not None else ""
            new += f"#{comment[2:]}" if comment[2:3].isalnum() and random.random() < 0.5 else comment
        lines.append(new + random.choice(("", "", " ", "\t")))
        if not line:
            lines += random.choice(((), ("",), ("", "  "), ("\t",)))
    return random.choice(("", "\n\n")) + "\n".join(lines) + random.choice(("", "\n", "\n \n\n"))


@pytest.mark.slow
@ORDINARY
@given(ANY_TEXT, st.integers(0, 2**32))
def test_layout_does_not_depend_on_layout(text: str, seed: int) -> None:
    text = anew(text)
    assert laid_out(Source("example.rules", disturbed(text, Random(seed)))) == text


NOTES = ("# a note", "#", "#note", "## heading ##", "#  indented", "#\ttab", '# "quoted" # twice', "# 注釈、｜", "#!x")


@pytest.mark.slow
@ORDINARY
@given(st.data())
def test_comments_may_stand_anywhere(data: st.DataObject) -> None:
    lines = data.draw(ANY_TEXT).split("\n")
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(lines) - 1))
        note = data.draw(st.sampled_from(NOTES))
        if data.draw(st.booleans()):
            lines.insert(at, " " * data.draw(st.integers(0, 14)) + note)
        elif not content_of(lines[at])[1]:
            lines[at] += data.draw(st.sampled_from(("", " ", "      "))) + note
        if data.draw(st.booleans()):
            lines.insert(at, "")
    anew("\n".join(lines))


@pytest.mark.slow
@ORDINARY
@given(ANY_TEXT.flatmap(characters))
def test_a_spoiled_text_is_refused_or_keeps_the_laws(text: str) -> None:
    found = laid_out(Source("example.rules", text))
    if isinstance(found, str):
        anew(text)
    else:
        assert found == parse(Source("example.rules", text)).diagnostics
