"""Differences of two texts, line by line: they are right, and soon found even for long texts with equal lines."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common import rewrite
from rulesrun.interpreter.common.rewrite import Matcher, Rewrite

TEXTS = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@pytest.mark.slow
@given(TEXTS, TEXTS)
def test_a_short_diff_is_the_one_of_difflib(before: list[str], after: list[str]) -> None:
    first, second = ([f"{line}\n" for line in lines] for lines in (before, after))
    made = Rewrite("x", "".join(first).encode(), "".join(second).encode()).diff()
    assert made == "".join(difflib.unified_diff(first, second, "x", "x"))


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 20])
@given(before=TEXTS, after=TEXTS)
def test_what_matches_is_equal_and_in_order(limit: int, before: list[str], after: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rewrite, "WORK_LIMIT", limit)
        matcher = Matcher(before, after)
        rest = list(before)
        made: list[str] = []
        for tag, start, end, new_start, new_end in matcher.get_opcodes():
            assert (tag == "equal") <= (before[start:end] == after[new_start:new_end])
            made += before[start:end] if tag == "equal" else after[new_start:new_end]
            rest = rest[end - start :]
        assert made == after
        assert not rest
        tags = [tag for tag, *_ in matcher.get_opcodes()]
        assert "equal equal" not in " ".join(tags)


class Counted(str):
    """A line that counts how often one like it is looked up."""

    __slots__ = ()
    looked_up = 0

    def __hash__(self) -> int:
        Counted.looked_up += 1
        return super().__hash__()


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [3, 10_000])
def test_long_texts_are_matched_in_time_that_grows_with_their_length(kinds: int) -> None:
    """Every second line differs."""
    first = [Counted(f"{line * 7919 % kinds}") for line in range(10_000)]
    second = [Counted(f"{line} is new") if number % 2 else line for number, line in enumerate(first)]
    Counted.looked_up = 0
    Matcher(first, second, autojunk=False).get_opcodes()
    assert Counted.looked_up < 20 * len(first)


def test_one_line_more_in_a_long_text_of_equal_lines() -> None:
    first = ["equal"] * 10_000
    matcher = Matcher(first, [*first[:5_000], "new", *first[5_000:]], autojunk=False)
    assert [tag for tag, *_ in matcher.get_opcodes()] == ["equal", "insert", "equal"]
