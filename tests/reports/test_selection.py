"""`--select` and `--ignore`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesrun.interpreter.common.codes import CODES
from rulesrun.interpreter.findings.selection import Selection, beginnings

from ..cli.commands import rulesrun
from .games import NO_GAME, loops, report_of


@pytest.mark.parametrize(
    ("texts", "found"),
    [(["R310"], ("R310",)), (["r3, R605"], ("R3", "R605")), (["R3", "R4"], ("R3", "R4")), (["R"], ("R",)), ([], ())],
)
def test_codes_and_beginnings_of_codes_are_read(texts: list[str], found: tuple[str, ...]) -> None:
    assert beginnings(texts) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a code is missing; write for instance `R310,R4`"),
        ("R310,", "a code is missing; write for instance `R310,R4`"),
        ("R9", "there is no code `R9`, and none that begins so; `rulesrun explain` lists all"),
        ("R3055", "there is no code `R3055`, and none that begins so; did you mean `R305`?"),
        ("310", "there is no code `310`, and none that begins so; did you mean `R310`"),
        ("everything", "there is no code `everything`, and none that begins so; `rulesrun explain` lists all"),
        ("Р310", "there is no code `Р310`"),  # a Cyrillic letter that looks like the Latin one
    ],
)
def test_what_is_no_code_is_wrong_usage(text: str, why: str) -> None:
    for option in ("--select", "--ignore"):
        result = rulesrun("check", "any.rules", option, text)
        assert result.exit_code == 2
        assert why in " ".join(result.stderr.split())


@pytest.mark.slow
@given(st.lists(st.sampled_from(sorted(CODES))), st.lists(st.sampled_from(sorted(CODES))), st.sampled_from(sorted(CODES)))
def test_a_code_is_selected_or_not(select: list[str], ignore: list[str], code: str) -> None:
    chosen = Selection(tuple(select), tuple(ignore))
    assert chosen.has(code) == ((not select or code in select) and code not in ignore)
    assert Selection(tuple(each[:2] for each in select)).has(code) == (not select or code[:2] in {each[:2] for each in select})


def test_only_what_is_selected_is_shown_and_fails(tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text(loops() + "# allow R305: no line follows\n", encoding="utf-8")
    assert [d.code for d in report_of(path).findings] == ["R305", "R305", "R012"]
    assert [d.code for d in report_of(path, selection=Selection(("R0",))).findings] == ["R012"]
    assert [d.code for d in report_of(path, selection=Selection((), ("R30",))).findings] == ["R012"]
    assert report_of(path, selection=Selection(("R6",))).findings == ()
    assert rulesrun("check", str(path), "--proved", "--ignore", "R3,R0").exit_code == 0


@pytest.mark.parametrize(("text", "code"), [(NO_GAME, "R301"), (NO_GAME.replace("to 7", "to"), "R101")])
def test_what_keeps_a_game_from_being_played_is_always_shown(tmp_path: Path, text: str, code: str) -> None:
    path = tmp_path / "game.rules"
    path.write_text(text, encoding="utf-8")
    for selection in (Selection(("R605",)), Selection((), ("R",))):
        assert [d.code for d in report_of(path, selection=selection).findings] == [code]
    result = rulesrun("check", str(tmp_path / "none.rules"), "--select", "R605")
    assert (result.exit_code, "[R001]" in result.stdout) == (2, True)
