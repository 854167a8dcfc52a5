"""Links that hold a game: what is packed comes out again, and damage is refused with `ValueError` and nothing else."""

from __future__ import annotations

import base64
import json
import tracemalloc
import zlib
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rulesrun.interpreter.packing.link import SIZE_LIMIT, files_of, link_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
FILES = st.dictionaries(TEXT, TEXT, min_size=1)
GAMES = FILES.flatmap(lambda files: st.tuples(st.just(files), st.sampled_from(sorted(files))))
GAME = {"a.rules": "game a\n    players 2\n", "data/a.csv": "name,стоимость\nx,1\n"}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda values: st.lists(values) | st.dictionaries(st.sampled_from(["files", "open", "a"]) | TEXT, values),
)


def packed(data: bytes) -> str:
    """Some bytes, as a link holds them."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packing.compress(data) + packing.flush()).decode().rstrip("=")


@pytest.mark.slow
@given(GAMES)
def test_what_is_packed_comes_out_again(game: tuple[dict[str, str], str]) -> None:
    files, shown = game
    link = link_of(files, shown)
    assert files_of(link) == (files, shown)
    assert list(files_of(link)[0]) == list(files)
    assert files_of(f"https://example.org/playground/#{link}") == (files, shown)


def test_the_form_is_the_one_that_the_playground_reads() -> None:
    link = link_of(GAME, "a.rules")
    data = zlib.decompress(base64.urlsafe_b64decode(link + "=" * (-len(link) % 4)), -15)
    assert data.decode() == json.dumps({"files": GAME, "open": "a.rules"}, ensure_ascii=False, separators=(",", ":"))
    assert link == packed(data)


@given(st.data())
def test_a_link_that_is_cut_off_is_refused(data: st.DataObject) -> None:
    link = link_of(GAME, "a.rules")
    with pytest.raises(ValueError):  # noqa: PT011  (which of them depends on the place)
        files_of(link[: data.draw(st.integers(0, len(link) - 2))])


@given(st.data())
def test_a_damaged_link_gives_files_or_is_refused(data: st.DataObject) -> None:
    link = link_of(GAME, "a.rules")
    at = data.draw(st.integers(0, len(link) - 1))
    with suppress(ValueError):
        files, shown = files_of(link[:at] + data.draw(st.characters()) + link[at + 1 :])
        assert shown in files


@given(st.text() | st.binary().map(packed))
@example("")
@example("A")
@example("#")
@example("é")
@example(packed(b"[" * 100_000))
@example(packed(b"1" * 100_000))
@example(packed(b"\xff"))
def test_junk_is_refused(link: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        files_of(link)


@pytest.mark.slow
@given(VALUES)
@example({"files": {}, "open": "a"})
@example({"files": {"a": 1}, "open": "a"})
@example({"files": {"a": ""}, "open": ["a"]})
@example({"files": {"a": ""}, "open": "a", "more": 1})
@example({"files": {"a": "\ud800"}, "open": "a"})
def test_other_content_is_refused(value: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        files_of(packed(json.dumps(value).encode()))


def test_what_stands_behind_the_end_is_refused() -> None:
    data = base64.urlsafe_b64decode((link := link_of(GAME, "a.rules")) + "=" * (-len(link) % 4))
    with pytest.raises(ValueError, match="behind its end"):
        files_of(base64.urlsafe_b64encode(data + b"more").decode().rstrip("="))


def test_the_limit_is_the_same_for_packing_and_unpacking() -> None:
    room = SIZE_LIMIT - len('{"files":{"a":""},"open":"a"}')
    assert files_of(link_of({"a": "x" * room}, "a")) == ({"a": "x" * room}, "a")
    with pytest.raises(ValueError, match="limit"):
        link_of({"a": "x" * (room + 1)}, "a")
    with pytest.raises(ValueError, match="limit"):
        files_of(packed(b'{"files":{"a":"' + b"x" * (room + 1) + b'"},"open":"a"}'))


@pytest.mark.slow
def test_a_small_link_cannot_fill_the_memory() -> None:
    link = packed(b"x" * 300_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="limit"):
            files_of(link)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("files", "shown"), [({}, "a"), ({"a": ""}, "b"), ({"a": 1}, "a"), ({1: "a"}, 1), ({"a": "\udc00"}, "a")]
)
def test_only_files_of_text_are_packed(files: dict[str, str], shown: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        link_of(files, shown)
