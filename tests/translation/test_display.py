"""Words of any script, and of any length, are printed whole."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rulesrun.interpreter.play.page import Grid, Line, plain
from rulesrun.interpreter.terminal.terminal import renderables

HEBREW = "קלף של השחקן"
ARABIC = "بطاقة في يد اللاعب"
THAI = "ไพ่บนมือของผู้เล่น"
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3
WORDS = (HEBREW, ARABIC, THAI, LONG)


def _printed(columns: int) -> str:
    console = Console(file=StringIO(), width=columns, force_terminal=False)
    page: list[Line | Grid] = [
        Line("title", HEBREW),
        *(Line("act", text, 1, ARABIC) for text in WORDS),
        Grid(("", ARABIC), ((THAI, "1"), (HEBREW, "2"))),
    ]
    for item in renderables(page, console):
        console.print(item)
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalpha())


def test_a_terminal_prints_all_letters_in_their_order() -> None:
    for columns in (40, 80, 400):
        for text in WORDS:
            assert _letters(text) in _letters(_printed(columns))


def test_no_line_is_wider_than_the_terminal() -> None:
    assert max(map(len, _printed(60).splitlines())) <= 60


def test_a_pipe_gets_texts_as_they_are() -> None:
    said = plain([Line("act", text) for text in WORDS])
    assert said.split("\n")[:-1] == [f"  {text}" for text in WORDS]


def test_signs_that_turn_the_direction_of_a_whole_line_are_shown_as_such() -> None:
    assert "\u202e" not in plain([Line("text", f"\u202e{HEBREW}")])
