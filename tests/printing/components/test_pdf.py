"""PDFs: real sizes, backs behind fronts, text that can be copied and that nothing cuts off. Read with tools of Poppler."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.printing.components.making import Choice
from rulesrun.interpreter.printing.components.pages import Setting
from rulesrun.interpreter.printing.components.pdf import pdf
from rulesrun.interpreter.printing.components.sheets import PAPERS, arranged
from rulesrun.interpreter.words.languages import words_of

from ...cli.commands import rulesrun
from .games import A4, GAMES, cards, page

DOTS = 254  # an inch, so that a millimetre has ten
POINT = 25.4 / 72  # millimetres


@pytest.fixture(autouse=True)
def _tools() -> None:
    pytest.importorskip("weasyprint", reason="WeasyPrint is not installed")
    if shutil.which("pdftotext") is None:
        pytest.skip("poppler-utils is not installed")


def written(html: str, folder: Path) -> Path:
    path = folder / "made.pdf"
    path.write_bytes(pdf(html))
    return path


def words_in(path: Path) -> list[list[tuple[float, float, float, float, str]]]:
    """The words of each page with their boxes: left, top, right and bottom in millimetres."""
    said = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, text=True, check=True).stdout
    word = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>')

    def boxed(found: re.Match[str]) -> tuple[float, float, float, float, str]:
        left, top, right, bottom = (float(found[number]) * POINT for number in range(1, 5))
        return left, top, right, bottom, found[5]

    return [[boxed(found) for found in word.finditer(part)] for part in said.split("<page ")[1:]]


def pictures(path: Path, first: int, last: int, dots: int = DOTS) -> list[Any]:
    from PIL import Image

    subprocess.run(
        ["pdftoppm", "-r", str(dots), "-f", str(first), "-l", str(last), "-gray", str(path), str(path.with_suffix(""))],
        check=True,
    )
    return [Image.open(each) for each in sorted(path.parent.glob("made-*.pgm"))]


def box_of(picture: Any, light: int = 215) -> tuple[float, float, float, float]:
    """What is darker than this on a page, in millimetres, without the margins where marks and names are."""
    inside = picture.crop((95, 95, picture.width - 95, picture.height - 95))
    found = inside.point(lambda grey: 255 * (grey < light)).getbbox()
    return tuple(side / 10 + 9.5 for side in found)


@pytest.mark.process
@pytest.mark.parametrize(("game", "paper"), [("masti", "A4"), ("kingdomino", "Letter"), ("classics/hearts", "A4")])
def test_sheets_have_real_sizes_and_backs_behind_fronts(game: str, paper: str, tmp_path: Path) -> None:
    setting = Setting(PAPERS[paper])
    path = written(page(GAMES / f"{game}.rules", setting=setting), tmp_path)
    sizes = subprocess.run(["pdfinfo", "-l", "99", str(path)], capture_output=True, text=True, check=True).stdout
    width, height = (float(each) * POINT for each in re.findall(r"size:\s+([\d.]+) x ([\d.]+) pts", sizes)[2])
    assert (width, height) == (pytest.approx(setting.paper.width, abs=0.1), pytest.approx(setting.paper.height, abs=0.1))
    found = arranged(80, 40, setting.paper, 3) if game == "kingdomino" else arranged(63, 88, setting.paper, 3)
    assert found is not None
    front, back = pictures(path, 3, 4)
    wide, high = found.columns * (found.width + 6), found.rows * (found.height + 6)
    left, top, right, bottom = box_of(back)
    assert (right - left, bottom - top) == (pytest.approx(wide, abs=0.35), pytest.approx(high, abs=0.35))
    assert left == pytest.approx((setting.paper.width - wide) / 2, abs=0.3)
    if game != "classics/hearts":  # whose cards are white at their edges
        x, y, x2, y2 = box_of(front, 250)
        assert (setting.paper.width - x2, y, setting.paper.width - x, y2) == pytest.approx((left, top, right, bottom), abs=0.35)
    for cut in found.cuts(len(found.places))[0]:  # each mark is where it is said
        column = [front.getpixel((min(int(cut * 10) + near, front.width - 1), 58)) for near in (-2, -1, 0, 1, 2)]
        assert min(column) < 160, cut


@pytest.mark.process
@pytest.mark.parametrize(
    ("language", "title", "heading"),
    [("uk", "Заради короля (і себе)", "Як друкувати"), ("ja", "王のために（わたしのために）", "印刷のしかた")],
)
def test_text_can_be_copied(language: str, title: str, heading: str, tmp_path: Path) -> None:
    if language == "ja" and not subprocess.run(["fc-list", ":lang=ja"], capture_output=True, check=True).stdout:
        pytest.skip("fonts-noto-cjk is not installed")
    html = page(GAMES / "for_the_king.rules", Choice(2), words_of(language))
    path = written(html, tmp_path)
    said = subprocess.run(["pdftotext", "-l", "1", str(path), "-"], capture_output=True, text=True, check=True).stdout
    assert title in said
    assert heading in said
    assert "yes yes yes" in subprocess.run(["pdffonts", str(path)], capture_output=True, text=True, check=True).stdout


LONG = "donaudampfschifffahrtsgesellschaftskapitaen"
MANY = ", ".join(f"{LONG}_{end}" for end in ("one", "two", "three", "four"))


@pytest.mark.process
def test_nothing_is_cut_off(tmp_path: Path) -> None:
    """Long words, on cards of the usual size and on small ones, stay inside of what is cut out; and each letter is there."""
    rules = cards(tmp_path, words=MANY, most=2, title="שלום עולם <b>Lamps</b> & " + LONG)
    for size in ((63, 88), (30, 42)):
        look = f'[data-kind="lamp"] {{ --print-width: {size[0]}mm; --print-height: {size[1]}mm; }}'
        rules.with_suffix(".look.css").write_text(look, encoding="utf-8")
        html = page(rules)
        path = written(html, tmp_path)
        sheet = arranged(*size, A4.paper, 3)
        assert sheet is not None
        for number in (2, 3):
            inside = [word for word in words_in(path)[number] if word[1] < 288]  # without the name of the sheet
            assert inside
            for left, top, right, bottom, word in inside:
                assert any(
                    place.x - 0.1 <= left
                    and right <= place.x + place.width + 0.1
                    and place.y - 0.1 <= top
                    and bottom <= place.y + place.height + 0.1
                    for place in sheet.places
                ), (size, number, word, left, top, right, bottom)
        letters = "".join(word[4] for word in words_in(path)[2])
        assert letters.count("d") >= 8


@pytest.mark.slow
def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    result = rulesrun("print", str(cards(tmp_path)), "--out", str(tmp_path / "lamps.pdf"))
    assert result.exit_code == 2
    assert "R804" in result.output
    assert "pip install 'rulesrun[print]'" in result.output
    assert not (tmp_path / "lamps.pdf").exists()


@pytest.mark.process
def test_letters_that_no_font_has(tmp_path: Path) -> None:
    """An old script of Anatolia, for which only collections of all scripts have a font."""
    html = page(cards(tmp_path, title="Lamps 𔐀𔐁"))
    if subprocess.run(["fc-list", ":charset=14400"], capture_output=True, check=True).stdout:
        pytest.skip("a font has even these letters")
    with pytest.raises(RulesError, match="R841") as error:
        pdf(html)
    assert "𔐀 𔐁" in str(error.value)
    assert "the package fonts-noto-core" in str(error.value)


@pytest.mark.slow
def test_nothing_is_fetched(tmp_path: Path) -> None:
    path = cards(tmp_path)
    svg = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'><image x:href='file:///etc/hostname'/></svg>"
    (tmp_path / "sun.svg").write_text(svg, encoding="utf-8")
    path.with_suffix(".look.css").write_text('.face { background: url("sun.svg") }', encoding="utf-8")
    assert pdf(page(path)).startswith(b"%PDF")


@pytest.mark.process
def test_a_thousand_different_cards(tmp_path: Path) -> None:
    words = ", ".join(f"w{number}" for number in range(100))
    html = page(cards(tmp_path, words=words, most=10), setting=Setting(PAPERS["A4"], 0))
    assert html.count('class="slot"') == 2000
    made = pdf(html)
    (tmp_path / "made.pdf").write_bytes(made)
    assert len(made) < 5_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 3_000_000  # kilobytes
    found = subprocess.run(["pdfinfo", str(tmp_path / "made.pdf")], capture_output=True, text=True, check=True).stdout
    assert re.search(r"Pages:\s+22[67]", found)  # 112 sheets with backs, the contents, and the score sheet
