"""Rulebooks of the shipped games: they say everything, in every language, and the kept ones are those of today's rules."""

from __future__ import annotations

import re
import shutil
from functools import cache
from gettext import NullTranslations
from pathlib import Path

import pytest
from rulesrun.bench.mutants.making import Mutant, mutants
from rulesrun.interpreter.common.diagnostics import RulesError
from rulesrun.interpreter.common.source import Span
from rulesrun.interpreter.model import model as m
from rulesrun.interpreter.model.visitor import walk_statements
from rulesrun.interpreter.printing.rulebook.difference import sentences
from rulesrun.interpreter.printing.rulebook.left_out import NOTHING
from rulesrun.interpreter.printing.rulebook.making import rulebook
from rulesrun.interpreter.printing.rulebook.markdown import markdown
from rulesrun.interpreter.printing.rulebook.telling.book import Book, Grid, items_of, told_by
from rulesrun.interpreter.rules import Rules, read_rules
from rulesrun.interpreter.syntax.parsing.layout import layout
from rulesrun.interpreter.translation.loading import words_for_rules
from rulesrun.interpreter.words.languages import program_translations, words_of
from rulesrun.interpreter.words.words import Words

from ...cli.commands import MASTI, rulesrun
from ...goldens import check_golden
from ...shipped import GAMES, SHIPPED, every

ROOT = Path(__file__).parents[3]
BOOKS = ROOT / "docs" / "rulebooks"
GAMES_KEPT = ("masti", "kingdomino", "for_the_king")
KEPT = [*((name, language) for name in GAMES_KEPT for language in ("en", "uk")), ("for_the_king", "ja")]


@cache
def rules_of(path: Path) -> Rules:
    return read_rules(path)


@cache
def book_of(path: Path) -> Book:
    return rulebook(rules_of(path), with_example=False)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), KEPT)
def test_the_kept_rulebooks_are_those_of_the_rules(name: str, language: str) -> None:
    words = words_for_rules(rules_of(GAMES / f"{name}.rules"), language).words
    book = rulebook(rules_of(GAMES / f"{name}.rules"), words)
    text = markdown(book, words, lambda span: f"../../games/{Path(span.source.path).name}#L{span.line}")
    check_golden(BOOKS / f"{name}.{language}.md", text)


class _Asked(NullTranslations):
    """The sentences of a language; one that is not translated is an error."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._found = program_translations(language)

    def gettext(self, message: str) -> str:
        found = self._found.gettext(message)
        assert found != message or not re.search("[a-z]{2}", re.sub(r"\{\w+\}", "", message)), f"not translated: {message}"
        return found

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._found.ngettext(msgid1, msgid2, n)


@pytest.mark.slow
@pytest.mark.parametrize("path", every(2, 1), ids=lambda path: path.stem)
def test_every_game_has_a_rulebook_in_every_language(path: Path) -> None:
    for language in ("uk", "ja"):
        book = rulebook(rules_of(path), Words(language, _Asked(language)), with_example=False)
        assert markdown(book, words_of(language))
    for item in items_of(book_of(path)):
        assert item.text.strip() or item.below, f"nothing is said at {item.span}"
        assert not re.search(r"\{\w+\}", item.text), item.text


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_statement_is_told_or_left_out_with_a_reason(path: Path) -> None:
    book, game = book_of(path), rules_of(path).required()
    told = {id(node) for node in told_by(book)} | {id(left.node) for left in book.left_out}
    statements = [node for node in walk_statements((game.declarations, game.variants)) if isinstance(node, m.Statement)]
    assert [node.span.place for node in statements if id(node) not in told] == []
    assert [left.span.place for left in book.left_out if left.reason == NOTHING] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_line_is_told_or_left_out_with_a_reason(path: Path) -> None:
    book, source = book_of(path), rules_of(path).source
    assert source is not None
    told = {item.span.line for item in items_of(book) if item.span is not None}
    told |= {part.span.line for chapter in book.chapters for part in chapter.sections if part.span is not None}
    blocks = [block for chapter in book.chapters for part in chapter.sections for block in part.blocks]
    told |= {block.span.line for block in blocks if isinstance(block, Grid) and block.span is not None}
    told |= {left.span.line for left in book.left_out if left.span.source == source}
    told |= {node.span.line for node in told_by(book) if node.span.source == source}
    todo = list(layout(source).lines)
    written: set[int] = set()
    while todo:
        line = todo.pop()
        written.add(Span(source, line.start, line.end).line)
        todo += line.children if not line.text.startswith("test ") else []
    assert written - told == set()


def changed(faults: list[Mutant], folder: Path) -> tuple[list[Mutant], int]:
    """The faults that change no sentence of the rulebook, and of how many; faults with which there is no game do not count."""
    silent: list[Mutant] = []
    count = 0
    (folder / "data").mkdir(exist_ok=True)
    for fault in faults:
        for name in (f"{fault.game}.rules", f"data/{fault.game}.csv"):
            shutil.copy(GAMES / name, folder / name)
        (folder / fault.file).write_text(fault.text, encoding="utf-8")
        try:
            found = sentences(rulebook(read_rules(folder / f"{fault.game}.rules"), with_example=False))
        except RulesError:
            continue
        count += 1
        if found == sentences(book_of(GAMES / f"{fault.game}.rules")):
            silent.append(fault)
    return silent, count


@pytest.mark.slow
def test_some_faults_in_rules_change_the_rulebook(tmp_path: Path) -> None:
    assert changed(mutants(GAMES / "kingdomino.rules", 1, seed=1)[:8], tmp_path)[0] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kingdomino", "masti"])
def test_nearly_every_fault_in_rules_changes_the_rulebook(name: str, tmp_path: Path) -> None:
    silent, count = changed(mutants(GAMES / f"{name}.rules", 4), tmp_path)
    assert count > 20
    assert len(silent) <= 0.05 * count, [(fault.line, fault.before, fault.after) for fault in silent]


def test_a_book_for_some_players_names_no_others() -> None:
    book = rulebook(rules_of(GAMES / "kingdomino.rules"), players=3, with_example=False)
    assert book.told_for == (3,)
    assert not any("with 2 / 3 / 4 players" in item.text for item in items_of(book))


def test_variants_in_play_are_part_of_the_game() -> None:
    plain = book_of(GAMES / "kingdomino.rules")
    duel = rulebook(rules_of(GAMES / "kingdomino.rules"), variants=("mighty_duel",), with_example=False)
    assert duel.told_for == (2,)
    assert duel.subtitle == "The Mighty Duel"
    assert any("at most 7 squares wide" in item.text for item in items_of(duel))
    assert any("at most 5 squares wide" in item.text for item in items_of(plain))


@pytest.mark.slow
def test_the_difference_for_people() -> None:
    found = rulesrun("diff", str(GAMES / "kingdomino.rules"), "--variant", "harmony", "--rulebook")
    assert found.exit_code == 1
    assert "+ Harmony: 5. Only if there are no dominos in your discards." in found.output
    assert rulesrun("diff", MASTI, MASTI, "--rulebook").exit_code == 0


@pytest.mark.slow
def test_a_difference_in_another_language() -> None:
    harmony = ("diff", str(GAMES / "kingdomino.rules"), "--variant", "harmony")
    found = rulesrun(*harmony, "--rulebook", "--language", "uk")
    assert found.exit_code == 1
    said = [line[2:] for line in found.output.splitlines() if line.startswith(("-", "+"))][2:]
    assert said
    assert all(re.search("[а-яіїє]", line) and not re.search("[A-Za-z]{3}", line) for line in said), said
    refused = rulesrun(*harmony, "--language", "uk")
    assert refused.exit_code == 2
    assert "add `--rulebook`" in refused.output
    assert rulesrun(*harmony, "--rulebook", "--language", "xx").exit_code == 2
