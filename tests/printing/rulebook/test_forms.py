"""Rulebooks as Markdown, HTML and PDF, notes of designers, and player aids."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.formatting.style import laid_out
from rulesrun.interpreter.printing.rulebook.aid import aid_of, aid_pdf
from rulesrun.interpreter.printing.rulebook.html import html, pdf
from rulesrun.interpreter.printing.rulebook.making import rulebook
from rulesrun.interpreter.printing.rulebook.markdown import markdown
from rulesrun.interpreter.printing.rulebook.telling.alphabet import alphabetical
from rulesrun.interpreter.printing.rulebook.telling.book import items_of
from rulesrun.interpreter.printing.rulebook.telling.names import STRONG, WEAK
from rulesrun.interpreter.rules import read_rules, rules_from
from rulesrun.interpreter.words.languages import words_of
from rulesrun.interpreter.words.words import ENGLISH

from ...cli.commands import rulesrun
from ...shipped import GAMES, SHIPPED

LONGEST = sorted(SHIPPED, key=lambda path: path.stat().st_size)[-6:]

LAMPS = """game lamps
    title en "<script>*Lamps*</script>"
    players 2..4
story "It is <dark>."
cards lamp, 1 of each
    power: 1..9
zone lit of player: set of lamp, open
    note instead "What burns before you."
phase evening
    for each player
        player chooses
            light a lamp from every lamp
                only if owner of lamp is none otherwise "it is lit already"
                    note instead "The lamp must be dark."
                move lamp to lit of player
                    note "Turn it around."
                    story "It shines."
score of player
    light: total power of lit of player
winner highest score, then shared
"""


class _Balanced(HTMLParser):
    """Checks that each element is closed where it was opened, and that nothing is fetched from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        for name, value in attrs:
            assert name != "src"
            assert tag not in ("script", "link", "iframe")
            if name == "id":
                self.names.add(value or "")
            if name == "href":
                assert value is not None
                assert value.startswith("#")
                self.links.add(value[1:])

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.slow
def test_the_page_is_well_formed_and_asks_for_nothing() -> None:
    for source in (Source("lamps.rules", LAMPS), None):
        rules = read_rules(GAMES / "masti.rules") if source is None else rules_from(source)
        page = html(rulebook(rules, pictures=True), ENGLISH)
        assert 'class="drawn"' in page
        assert len(page) < 200_000
        checked = _Balanced()
        checked.feed(page)
        assert checked.open == []
        assert checked.links <= checked.names
        assert re.findall(r"url\((?!.?data:)", page) == []


def test_names_are_no_markup() -> None:
    book = rulebook(rules_from(Source("lamps.rules", LAMPS)), with_example=False)
    assert "<script>" not in html(book, ENGLISH)
    assert markdown(book, ENGLISH).startswith("# \\<script\\>\\*Lamps\\*\\</script\\>\n")


def test_names_keep_their_direction() -> None:
    """A name from right to left turns nothing around it: a strong one stands for itself, headings and cells go as they begin."""
    page = html(rulebook(rules_from(Source("lamps.rules", LAMPS)), with_example=False), ENGLISH)
    assert "strong { unicode-bidi: isolate }" in page
    assert re.search(r"h1, h2, h3, [^{]*td \{ unicode-bidi: plaintext \}", page)


def test_notes_and_stories_stand_where_they_belong() -> None:
    book = rulebook(rules_from(Source("lamps.rules", LAMPS)), with_example=False)
    said = markdown(book, ENGLISH)
    assert "\n- *It is \\<dark\\>.*\n" in said
    assert "**Lit**: What burns before you." in said
    assert "The lamp must be dark." in said
    assert "Only if" not in said
    assert "*It shines.*" in said
    assert re.search(r"\. Turn it around\.\n", said)


def test_notes_change_no_rule_and_stay_when_rules_are_laid_out() -> None:
    lines = LAMPS.splitlines(keepends=True)
    without = "".join(line for line in lines if not line.strip().startswith(("note ", "story ")))
    assert rules_from(Source("lamps.rules", LAMPS)).digest() == rules_from(Source("lamps.rules", without)).digest()
    tidy = laid_out(Source("lamps.rules", LAMPS))
    assert isinstance(tidy, str)
    assert tidy.replace("\n\n", "\n") == LAMPS


@pytest.mark.parametrize("line", ["note", 'note "a" "b"', "note instead", "story dark", 'note "a" # b'])
def test_what_is_no_note_is_told(line: str) -> None:
    rules = rules_from(Source("lamps.rules", LAMPS.replace('story "It is <dark>."', line)))
    assert (rules.model is None) == (not line.endswith("b") or '"b"' in line)


def test_a_player_aid_has_the_acts_and_the_scores() -> None:
    book = aid_of(rulebook(read_rules(GAMES / "masti.rules"), with_example=False), ENGLISH)
    assert [chapter.key for chapter in book.chapters] == ["setup", "play", "scoring", "tables"]
    assert (book.title, book.subtitle) == ("Player aid", "Suits of Power")
    assert any("Play a gem" in item.text for item in items_of(book))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rulebook", "aid"])
def test_the_commands_write_what_they_are_asked_for(command: str, tmp_path: Path) -> None:
    file = str(GAMES / "kingdomino.rules")
    title = {"rulebook": "# Kingdomino\n", "aid": "# Player aid\n\n*Kingdomino*\n"}[command]
    assert rulesrun(command, file).output.startswith(title)
    assert rulesrun(command, file, "--language", "ja", "--out", str(tmp_path / "k.html")).exit_code == 0
    assert '<html lang="ja">' in (tmp_path / "k.html").read_text(encoding="utf-8")
    assert rulesrun(command, file, "--out", str(tmp_path / "k.md")).exit_code == 0
    assert "kingdomino.rules#L" in (tmp_path / "k.md").read_text(encoding="utf-8")
    refused = rulesrun(command, file, "--out", str(tmp_path / "k.docx"))
    assert refused.exit_code == 2
    assert ".html, .pdf, .md" in refused.output
    assert rulesrun(command, file, "--language", "xx").exit_code == 2
    assert rulesrun(command, file, "--variant", "nothing").exit_code == 2


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("weasyprint") is None, reason="the extra `print` is not installed")
def test_a_pdf() -> None:
    made = pdf(rulebook(rules_from(Source("lamps.rules", LAMPS)), with_example=False), ENGLISH)
    assert made.startswith(b"%PDF")


@pytest.mark.process
@pytest.mark.skipif(importlib.util.find_spec("weasyprint") is None, reason="the extra `print` is not installed")
@pytest.mark.skipif(shutil.which("pdfinfo") is None, reason="pdfinfo is not installed")
@pytest.mark.parametrize("path", LONGEST, ids=lambda path: path.stem)
def test_a_player_aid_is_one_page(path: Path, tmp_path: Path) -> None:
    words = words_of("uk")
    aid = aid_of(rulebook(read_rules(path), words, with_example=False), words)
    (tmp_path / "aid.pdf").write_bytes(aid_pdf(aid, words).content)
    said = subprocess.run(["pdfinfo", str(tmp_path / "aid.pdf")], capture_output=True, text=True, check=True).stdout
    assert re.search(r"Pages: +1\n", said)
    assert re.search(r"Page size: +595.* x 841.*A4", said)


@pytest.mark.process
@pytest.mark.skipif(importlib.util.find_spec("weasyprint") is None, reason="the extra `print` is not installed")
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
@pytest.mark.parametrize("language", ["uk", "ja"])
def test_the_sentences_of_a_pdf_can_be_read(language: str, tmp_path: Path) -> None:
    if language == "ja" and not subprocess.run(["fc-list", ":lang=ja"], capture_output=True, check=True).stdout:
        pytest.skip("fonts-noto-cjk is not installed")
    words = words_of(language)
    book = rulebook(rules_from(Source("lamps.rules", LAMPS)), words, with_example=False)
    (tmp_path / "lamps.pdf").write_bytes(pdf(book, words))
    said = subprocess.run(["pdftotext", str(tmp_path / "lamps.pdf"), "-"], capture_output=True, text=True, check=True).stdout
    own = re.compile("[а-яіїєґ]{4}" if language == "uk" else "[ぁ-んァ-ン一-龥]{4}")
    sentences = [re.sub(f"[{STRONG}{WEAK}]", "", item.text) for item in items_of(book)]
    told = [text for text in sentences if own.search(text)]
    assert len(told) > 5
    assert [text for text in told if "".join(text.split()) not in "".join(said.split())] == []


@pytest.mark.process
@pytest.mark.skipif(importlib.util.find_spec("weasyprint") is None, reason="the extra `print` is not installed")
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
@pytest.mark.parametrize("command", ["rulebook", "aid"])
def test_a_long_word_stays_on_the_page(command: str, tmp_path: Path) -> None:
    long = "lamp" * 30
    text = LAMPS.replace("*Lamps*", long).replace("lit of player", f"{long} of player").replace("dark.", f"{long}.")
    (tmp_path / "lamps.rules").write_text(text, encoding="utf-8")
    made = tmp_path / "lamps.pdf"
    assert rulesrun(command, str(tmp_path / "lamps.rules"), "--out", str(made)).exit_code == 0
    said = subprocess.run(["pdftotext", "-bbox", str(made), "-"], capture_output=True, text=True, check=True).stdout
    width = float(re.findall(r'<page width="([\d.]+)"', said)[0])
    ends = [float(end) for end in re.findall(r'<word .*xMax="([\d.]+)"', said)]
    assert len(ends) > 20
    assert max(ends) < width - 20  # points: the margins are wider


@pytest.mark.skipif(importlib.util.find_spec("weasyprint") is None, reason="the extra `print` is not installed")
def test_a_player_aid_without_a_library_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError("cannot load library 'libpango-1.0-0'\nand more")

    monkeypatch.setattr("rulesrun.interpreter.common.extras.import_module", missing)
    (tmp_path / "lamps.rules").write_text(LAMPS, encoding="utf-8")
    found = rulesrun("aid", str(tmp_path / "lamps.rules"), "--out", str(tmp_path / "lamps.pdf"))
    assert found.exit_code == 2
    assert "R804" in found.output
    assert "apt install" in found.output
    assert not (tmp_path / "lamps.pdf").exists()


@pytest.mark.process
@pytest.mark.skipif(importlib.util.find_spec("weasyprint") is None, reason="the extra `print` is not installed")
def test_a_player_aid_with_letters_that_no_font_has(tmp_path: Path) -> None:
    """An old script of Anatolia, for which only collections of all scripts have a font."""
    if shutil.which("fc-list") is None or subprocess.run(["fc-list", ":charset=14400"], capture_output=True, check=True).stdout:
        pytest.skip("a font has even these letters")
    (tmp_path / "lamps.rules").write_text(LAMPS.replace("*Lamps*", "\U00014400"), encoding="utf-8")
    found = rulesrun("aid", str(tmp_path / "lamps.rules"), "--out", str(tmp_path / "lamps.pdf"))
    assert found.exit_code == 2
    assert "R841" in found.output


def test_lines_without_a_sentence_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "lamps.rules"
    path.write_text(LAMPS, encoding="utf-8")
    found = rulesrun("rulebook", str(path), "--left-out")
    assert f"{path}:1:1: its name is in the title of the book\n    game lamps\n" in found.stdout
    told = rulesrun("rulebook", str(path), "--left-out", "--out", str(tmp_path / "lamps.md"))
    assert told.exit_code == 2
    assert "does not go with `--out`" in told.stderr


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("weasyprint") is None, reason="the extra `print` is not installed")
def test_what_has_no_room_on_a_player_aid_is_told(tmp_path: Path) -> None:
    notes = "".join(f'                    note "Number {number}. {"Look at it well. " * 60}"\n' for number in range(40))
    text = LAMPS.replace('                    note "Turn it around."\n', notes)
    (tmp_path / "lamps.rules").write_text(text, encoding="utf-8")
    found = rulesrun("aid", str(tmp_path / "lamps.rules"), "--out", str(tmp_path / "lamps.pdf"))
    assert found.exit_code == 0
    assert "not all has room on it; left out: " in found.output
    (tmp_path / "lamps.rules").write_text(LAMPS, encoding="utf-8")
    assert rulesrun("aid", str(tmp_path / "lamps.rules"), "--out", str(tmp_path / "lamps.pdf")).output == ""


def test_the_index_leads_to_its_sections() -> None:
    book = rulebook(read_rules(GAMES / "kingdomino.rules"), with_example=False)
    found = {entry.word: entry.heading for entry in book.index}
    assert found["Castles"] == "Components"
    assert found["Stack"] == "What lies where"
    assert [entry.word for entry in book.index] == sorted((entry.word for entry in book.index), key=str.casefold)


def test_words_are_sorted_as_their_language_does() -> None:
    words = ["яма", "їжак", "ґава", "Ера", "гай", "єнот", "ива", "дуб"]
    assert sorted(words, key=lambda word: alphabetical(word, "uk")) == ["гай", "ґава", "дуб", "Ера", "єнот", "ива", "їжак", "яма"]


def test_tokens_are_counted_where_counters_pay_one_another() -> None:
    book = rulebook(read_rules(GAMES / "masti.rules"), with_example=False)
    said = next(item.text for item in items_of(book) if "gems, wealth and pot" in item.text)
    assert said.endswith("12 with 3 players, 8 with 4 players, 20 with 5 players and 24 with 6 players.")


@pytest.mark.slow
def test_the_example_shows_what_the_winner_has() -> None:
    said = markdown(rulebook(read_rules(GAMES / "kingdomino.rules")), ENGLISH).partition("An example of scoring")[2]
    assert "What the winner, player" in said
    assert re.search(r"\*\*Kingdom\*\*\n\n(\|.*\n)+", said)


def dutch(folder: Path, code: str = "nl") -> str:
    (folder / "lamps.rules").write_text(LAMPS, encoding="utf-8")
    po = f'msgid ""\nmsgstr "Language: {code}\\nContent-Type: text/plain; charset=utf-8\\n"\n'
    po += '\nmsgctxt "zone"\nmsgid "lit"\nmsgstr "brandend"\n\nmsgctxt "phase"\nmsgid "evening"\nmsgstr "avond"\n'
    (folder / f"lamps.{code}.po").write_text(po, encoding="utf-8")
    return str(folder / "lamps.rules")


@pytest.mark.parametrize("command", ["rulebook", "aid"])
def test_a_language_that_only_a_game_has(command: str, tmp_path: Path) -> None:
    found = rulesrun(command, dutch(tmp_path), "--language", "nl")
    assert found.exit_code == 0
    assert "brandend" in found.output.lower()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rulebook", "aid", "print", "run"])
def test_the_environment_can_ask_for_it(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "nl_NL.UTF-8")
    more = ("--seed", "1") if command == "run" else ("--out", str(tmp_path / "made.html"))
    found = rulesrun(command, dutch(tmp_path), *more)
    assert found.exit_code == 0
    said = found.output if command == "run" else (tmp_path / "made.html").read_text(encoding="utf-8")
    assert ("avond" if command != "print" else '<html lang="nl"') in said.lower()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rulebook", "aid", "print", "run"])
def test_a_language_of_a_country_and_an_empty_one(command: str, tmp_path: Path) -> None:
    file = dutch(tmp_path, "nl_BE")
    more = () if command == "run" else ("--out", str(tmp_path / "made.html"))
    assert rulesrun(command, file, "--language", "nl-BE", *more).exit_code == 0
    refused = rulesrun(command, file, "--language", "", *more)
    assert refused.exit_code == 2
    assert "cannot be shown in the language ``" in refused.output


def test_links_to_a_folder_with_spaces_and_parentheses(tmp_path: Path) -> None:
    folder = tmp_path / "my games (new)"
    folder.mkdir()
    (folder / "lamps.rules").write_text(LAMPS, encoding="utf-8")
    assert rulesrun("rulebook", str(folder / "lamps.rules"), "--out", str(tmp_path / "lamps.md")).exit_code == 0
    said = (tmp_path / "lamps.md").read_text(encoding="utf-8")
    assert "(my%20games%20%28new%29/lamps.rules#L" in said
    assert "my games" not in said
