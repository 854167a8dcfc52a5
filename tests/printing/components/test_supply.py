"""What is printed of a game, how many of it, at which sizes, and what has changed since an earlier file."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.printing.components.making import Choice, changed_since
from rulesrun.interpreter.printing.components.pages import Setting
from rulesrun.interpreter.printing.components.sheets import PAPERS
from rulesrun.interpreter.words.languages import words_of

from ...cli.commands import rulesrun
from ...shipped import SHIPPED
from .games import GAMES, cards, components, page


class Balanced(HTMLParser):
    """Notes which elements are left open, and all texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "col"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def number(path: Path, kind: str, players: int | None = None) -> int:
    found = components(path, Choice(players)).supply.designs
    return sum(copies for design, copies in found.items() if design.kind == kind)


@pytest.mark.slow
@pytest.mark.parametrize("game", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_game_is_printed(game: Path) -> None:
    assert 'class="contents"' in page(game)


@pytest.mark.slow
def test_there_is_enough_for_each_number_of_players() -> None:
    king = GAMES / "for_the_king.rules"
    assert [number(king, "card", players) for players in (2, 3, 4, 5)] == [82, 85, 88, 108]
    assert number(king, "card") == 108
    kingdomino = GAMES / "kingdomino.rules"
    assert [number(kingdomino, "king", players) for players in (2, 3, 4)] == [4, 3, 4]
    assert number(kingdomino, "king") == 6  # two for each of two players, and one for each of four
    assert "4 players" in page(king)


@pytest.mark.slow
def test_usual_sizes() -> None:
    def sizes(game: str) -> dict[str, tuple[float, float]]:
        return {design.kind: (design.size.width, design.size.height) for design in components(GAMES / game).supply.designs}

    assert sizes("masti.rules")["character"] == (63, 88)
    found = sizes("kingdomino.rules")
    assert (found["domino"], found["castle"]) == ((80, 40), (16, 16))


def test_a_look_sets_sizes(tmp_path: Path) -> None:
    path = cards(tmp_path)
    path.with_suffix(".look.css").write_text(
        '[data-kind="lamp"] { --print-width: 4.4cm; --print-height: 67mm }', encoding="utf-8"
    )
    assert {(design.size.width, design.size.height) for design in components(path).supply.designs} == {(44, 67)}


@pytest.mark.parametrize(
    ("size", "why"), [("wide", "no size"), ("2mm", "no size"), ("5in", ""), ("300mm", "too large"), ("5000mm", "no size")]
)
def test_a_size_that_cannot_be_printed(size: str, why: str, tmp_path: Path) -> None:
    path = cards(tmp_path)
    path.with_suffix(".look.css").write_text(f'[data-kind="lamp"] {{\n  --print-width: {size};\n}}\n', encoding="utf-8")
    if not why:
        assert components(path)
        return
    with pytest.raises(RulesError, match="R840") as error:
        components(path)
    assert why in str(error.value)
    assert "lamps.look.css:2" in str(error.value)


def test_names_with_markup_stay_names(tmp_path: Path) -> None:
    found = page(cards(tmp_path, title="<script>alert(1)</script> & <b>"))
    assert "<script" not in found
    read = Balanced(found)
    assert read.open == []
    assert "<script>alert(1)</script> & <b>" in read.texts


def test_a_look_cannot_end_its_style_sheet_or_lead_elsewhere(tmp_path: Path) -> None:
    path = cards(tmp_path)
    (tmp_path / "sun.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    look = (
        '@import "http://example.org/a.css"; .face { background: url(sun.svg), url(../b.png), url("http://example.org/c.png") }'
    )
    path.with_suffix(".look.css").write_text(f"{look} </style><script>", encoding="utf-8")
    found = page(path)
    assert found.count("</style>") == 2  # that of the program, and that of the look
    assert "example.org" not in found
    assert "data:image/svg+xml;base64," in found


def test_a_number_of_players_that_there_is_not() -> None:
    with pytest.raises(RulesError, match="R406"):
        components(GAMES / "masti.rules", Choice(2))


@pytest.mark.slow
def test_a_title_in_the_language_that_is_asked_for() -> None:
    found = page(GAMES / "for_the_king.rules", words=words_of("ja"))
    assert "王のために" in found
    assert '<html lang="ja">' in found
    assert "印刷のしかた" in found


@pytest.mark.slow
def test_boards_have_room_for_their_pieces() -> None:
    for game in ("hex", "go", "othello", "chinese_checkers", "tic_tac_toe"):
        supply = components(GAMES / "classics" / f"{game}.rules").supply
        size = max(design.size.width for design in supply.designs)
        assert supply.boards, game
        cells = re.findall(r'class="spot cell[^>]*width: ([\d.]+)mm', supply.boards[0].content)
        assert min(map(float, cells)) >= size + 1, game


def test_only_what_has_changed(tmp_path: Path) -> None:
    old, new = cards(tmp_path, name="old"), cards(tmp_path, most=10, name="new", title="Lamps")
    text = new.read_text(encoding="utf-8").replace("1 of each", "2 of each")
    changed = changed_since(components(old), components(new), "old.rules")
    assert sorted(design.name for design in changed.designs) == ["moon 10", "sun 10"]
    assert (changed.kept, changed.gone) == (18, ())
    back = changed_since(components(new), components(old), "new.rules")
    assert (len(back.designs), back.kept, back.gone) == (0, 18, ("sun 10", "moon 10"))
    new.write_text(text, encoding="utf-8")
    doubled = changed_since(components(old), components(new), "old.rules")
    assert sum(doubled.designs.values()) == 22  # one more of each of 18, and two of each new one
    assert doubled.kept == 18


def test_nothing_has_changed(tmp_path: Path) -> None:
    old, new = cards(tmp_path, name="old"), cards(tmp_path, name="new")
    new.write_text(new.read_text(encoding="utf-8") + "# a comment\n", encoding="utf-8")
    out = tmp_path / "changed.html"
    result = rulesrun("print", str(new), "--since", str(old), "--out", str(out))
    assert result.exit_code == 0
    assert "nothing is written" in result.output
    assert not out.exists()


def test_the_command(tmp_path: Path) -> None:
    rules, out = str(cards(tmp_path)), tmp_path / "lamps.html"
    assert rulesrun("print", rules, "--out", str(out)).output == f"{out} is written, with 18 components.\n"
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert rulesrun("print", rules, "--out", str(out), "--paper", "letter", "--bleed", "0", "--no-backs").exit_code == 0
    for wrong, why in {
        ("--out", "lamps.txt"): "ends with `.pdf` or `.html`",
        ("--out", str(out), "--language", "xx"): "cannot be shown in the language `xx`: there are en, ja, uk",
        ("--out", str(out), "--bleed", "9"): "no bleed",
        ("--out", str(tmp_path / "no" / "lamps.html")): "cannot be written",
        ("--out", str(out), "--players", "9"): "R406",
        ("--out", str(out), "--since", str(tmp_path / "nothing.rules")): "R001",
    }.items():
        result = rulesrun("print", rules, *wrong)
        assert result.exit_code == 2, wrong
        assert why in result.output, wrong


def test_a_game_without_components_has_a_score_sheet() -> None:
    found = page(GAMES / "classics" / "nim.rules")
    assert 'class="pad"' in found
    assert 'class="back' not in found


def test_on_other_paper_all_is_there() -> None:
    setting = Setting(PAPERS["Letter"], 0, False)
    found = page(GAMES / "masti.rules", setting=setting)
    assert "size: 215.9mm 279.4mm" in found
    assert found.count('class="slot"') == 67
