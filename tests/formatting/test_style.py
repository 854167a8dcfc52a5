"""The one style: each source beside the same in the style. ``RULESRUN_RENEW=1 pytest`` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.common.files import SIZE_LIMIT
from rulesrun.interpreter.common.rewrite import Rewrite
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.formatting.style import in_one_style, laid_out

from .test_laws import anew

HERE = Path(__file__).parent


@pytest.mark.parametrize("file", sorted((HERE / "goldens").glob("*.rules")), ids=lambda file: file.stem)
def test_golden(file: Path) -> None:
    golden = file.with_suffix(".laid_out")
    actual = anew(file.read_text(encoding="utf-8"))
    if os.environ.get("RULESRUN_RENEW"):
        golden.write_text(actual, encoding="utf-8")
    assert actual == golden.read_text(encoding="utf-8")


def codes(found: object) -> list[str]:
    assert isinstance(found, tuple)
    return [diagnostic.code for diagnostic in found if isinstance(diagnostic, Diagnostic)]


def rewritten(content: bytes) -> bytes:
    found = in_one_style("example.rules", content)
    assert isinstance(found, Rewrite), found
    again = in_one_style("example.rules", found.after)
    assert isinstance(again, Rewrite)
    assert not again.changes
    return found.after


def test_lines_end_as_the_first_one_does() -> None:
    assert rewritten(b"game x\r\n  players 2\nphase y: nothing\r\n\r\n") == b"game x\r\n    players 2\r\n\r\nphase y: nothing\r\n"
    assert rewritten(b"game x\n  players 2\r\nphase y: nothing") == b"game x\n    players 2\n\nphase y: nothing\n"
    assert rewritten(b"game x\r  players 2\r") == b"game x\n    players 2\n"
    assert rewritten(b"game x") == b"game x\n"


def test_a_mark_of_the_byte_order_goes() -> None:
    assert rewritten(b"\xef\xbb\xbfgame x\r\n") == b"game x\r\n"
    assert rewritten(b"\xef\xbb\xbf# x\ngame y\n") == b"# x\ngame y\n"


def test_tabs_alone_are_levels() -> None:
    assert rewritten(b"game x\n\tplayers 2\nphase y\n\tif 1 is 1\n\t\tnothing\n\n \n") == (
        b"game x\n    players 2\n\nphase y\n    if 1 is 1\n        nothing\n"
    )


def test_tabs_among_spaces_are_a_fault() -> None:
    mixed = "game x\n    players 2\nphase y\n    if 1 is 1\n\t\tnothing\n"
    assert codes(laid_out(Source("mixed.rules", mixed))) == ["R104"]
    for odd in ("\ufeff\t", "\t\ufeff", "\u3000", "\t\u3000", "\t "):
        assert codes(laid_out(Source("odd.rules", f"game x\n{odd}players 2\n"))) == ["R104"]


def test_faults_of_sentences_are_told_where_they_stand() -> None:
    text = "game x\n  players 2\nzone y: heap of card, open\n  nothing\n"
    found = laid_out(Source("wrong.rules", text))
    assert not isinstance(found, str)
    assert [diagnostic.span.line for diagnostic in found if diagnostic.span] == [3]
    for nothing in ("", "\n\n", "# only a comment\n"):
        assert codes(laid_out(Source("empty.rules", nothing))) == ["R004"]
    assert codes(in_one_style("binary.rules", b"\xff\xfe")) == ["R002"]
    assert codes(in_one_style("large.rules", b"#" * (SIZE_LIMIT + 1))) == ["R003"]


def test_what_names_mean_does_not_matter() -> None:
    text = 'extends "nowhere.rules"\n\nvariant x\n    set nothing_there to 3\n'
    assert laid_out(Source("mine.rules", text)) == text


def test_a_line_may_be_long() -> None:
    words = ",".join(f"word_{n}" for n in range(300))
    assert rewritten(f"game x\n    players 2\nlist words:{words}\n".encode()) == (
        f"game x\n    players 2\n\nlist words: {words.replace(',', ', ')}\n".encode()
    )


@pytest.mark.slow_cases("file")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f'game x\n\ntest "y"\n chance:{"[1]" * 1_300}\n', "R005"),  # spaces between words
        ("game x\n\nphase y\n" + " nothing#\n" * 19_000, "R003"),  # comments move to their column
    ],
    ids=("line", "file"),
)
def test_what_would_grow_beyond_what_is_read_is_left_alone(text: str, code: str) -> None:
    assert codes(laid_out(Source("large.rules", text))) == [code]
