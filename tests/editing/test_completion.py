"""What can follow: checked by the words that stand at these places in shipped games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.editing.completion import Completion, completions
from rulesrun.interpreter.editing.snippets import snippets_of
from rulesrun.interpreter.editing.workspace import Document, Workspace
from rulesrun.interpreter.syntax.parsing.parser_tables import STARTS
from rulesrun.interpreter.syntax.parsing.sentence import taken
from rulesrun.interpreter.syntax.reading.from_text import parse

from ..shipped import GAMES, every

MASTI = GAMES / "masti.rules"
MARK = "§"


def at(text: str, path: Path = MASTI) -> list[Completion]:
    """What can follow at the `MARK`."""
    workspace = Workspace()
    workspace.write(path, text.replace(MARK, ""))
    return completions(workspace, workspace.document(path), text.index(MARK))


def labels(line: str) -> list[str]:
    """What can follow in a line at the beginning of Masti's setup, or in a declaration before it."""
    text, before = MASTI.read_text(encoding="utf-8"), "setup\n"
    new = f"{before}{line}\n" if line.startswith(" ") else f"{line}\n{before}"
    return [each.label for each in at(text.replace(before, new, 1))]


# ---- All shipped games


def words(document: Document) -> Iterator[tuple[int, str]]:
    """The words of a file that a reader can expect at their places, and where these are: words of the rules, and names that are
    used. Cells have as many names as nobody wants to choose from."""
    for sentence in document.parsed.sentences:
        for part in taken(sentence.words, sentence.start):
            if part.is_keyword and sentence.words[part.first].shape == "word":
                yield sentence.words[part.first].start, sentence.words[part.first].text
    for each in document.names.in_file(document.source.path):
        if not each.declares and not each.form and each.symbol.sort != "point":
            yield each.span.start, each.symbol.name


@pytest.mark.slow
@pytest.mark.parametrize("path", every(3), ids=lambda path: path.stem)
def test_what_stands_there_is_offered(path: Path) -> None:
    """Each time the rest of the line is not yet written."""
    text = path.read_text(encoding="utf-8")
    workspace = Workspace()
    count = 12
    missing: list[str] = []
    for start, word in random.Random(path.stem).sample(list(words(workspace.document(path))), count):
        workspace.write(path, text[:start] + text[text.find("\n", start) :])
        found = completions(workspace, workspace.document(path), start)
        if not any(word in (each.label, each.label.split()[0], each.label[start - each.start :].split(" ")[0]) for each in found):
            missing.append(text[text.rfind("\n", 0, start) + 1 : start].strip() + f" [{word}]")
    assert len(missing) <= count // 6, missing


# ---- Places


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("    draw 1 from §", {"hand", "played", "trump", "trumps", "won", "box"}),
        ("    set §", {"gems", "joined", "leader", "pot", "wealth"}),
        ("    do §", {"jokers", "rounds"}),
        ("    move [§", {"artisans", "artists", "assassins", "knights", "merchants", "crown", "mitre", "aristocrats"}),
        ('test "x"\n    with §', {"partners", "six"}),
        ('variant x "X"\n    set §', {"jokers_optional"}),
        ("    for each §", {"player", "character", "guild", "person", "rank"}),
        ("zone heap of §", {"player", "character", "guild", "person", "rank"}),
    ],
)
def test_names_are_those_that_fit(line: str, names: set[str]) -> None:
    """Zones, counters and markers, steps, words of the attributes, variants, nouns: each where it belongs."""
    assert names <= set(labels(line))
    assert len(labels(line)) <= len(names) + 5


def test_the_columns_of_a_table_are_numbers_of_it() -> None:
    text = MASTI.read_text(encoding="utf-8").replace("draw hand_size from", f"draw {MARK} from", 1)
    assert {each.label for each in at(text) if each.sort == "column"} == {"hand_size", "first_gems"}


def test_a_word_that_is_begun_is_completed() -> None:
    found = {each.label: each for each in at(MASTI.read_text(encoding="utf-8").replace("shuffle every", "shu§ every", 1))}
    text = MASTI.read_text(encoding="utf-8")
    assert found["shuffle"].start == text.index("shuffle every")


def test_a_phrase_is_offered_whole_and_from_its_beginning() -> None:
    """So that an editor that compares words with what stands there finds it."""
    line = "    if leader is §"
    found = {each.label: each for each in at(MASTI.read_text(encoding="utf-8").replace("setup\n", f"setup\n{line}\n", 1))}
    assert found["is not"].text == "is not"
    text = MASTI.read_text(encoding="utf-8").replace("setup\n", f"setup\n{line}\n", 1)
    assert text[found["is not"].start :].startswith("is §")


@pytest.mark.parametrize("line", ['test "§', "    set leader to none # §", "    nothing # see §"])
def test_nothing_is_offered_in_texts_and_comments(line: str) -> None:
    assert labels(line) == []


def test_what_is_not_saved_counts(tmp_path: Path) -> None:
    """Names of a file that another one extends, as they are in the editor."""
    game = tmp_path / "masti.rules"
    workspace = Workspace()
    text = MASTI.read_text(encoding="utf-8").replace('from "data/masti.csv"', ", 4 of each", 1)
    workspace.write(game, text.replace("marker leader:", "marker boss:").replace("leader", "boss"))
    own = 'extends "masti.rules"\nvariant quick "Quick"\n    add before §\n'
    workspace.write(tmp_path / "house.rules", own.replace(MARK, ""))
    found = completions(workspace, workspace.document(tmp_path / "house.rules"), own.index(MARK))
    assert "trick" in {each.label for each in found} or any(each.sort in ("step", "phase") for each in found)


# ---- Snippets


@pytest.mark.parametrize("start", [start for start in STARTS if snippets_of(start)])
def test_every_snippet_is_a_sentence_of_its_place(start: str) -> None:
    for snippet in snippets_of(start):  # type: ignore[arg-type]
        indent = "    " if start == "statement_line" else ""
        head = "phase only\n" if start == "statement_line" else ""
        lines = "".join(f"{indent}{line}\n" for line in snippet.plain.split("\n"))
        found = parse(Source("snippet.rules", f"game g\n    players 2\n\n{head}{lines}")).diagnostics
        assert not found, (snippet.label, found)


# ---- Behind mistakes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("    mvoe [crown 9] to §", "    move [crown 9] to §"),
        ("    move crad to §", "    move trump to §"),
        ("    shufle every crad into §", "    shuffle every character into §"),
        ("    drw 1 frm §", "    draw 1 from §"),
        ("    draw 1 1 from §", "    draw 1 from §"),
        ("    draw a 1 from dekc to §", "    draw 1 from trumps to §"),
        ("    move (crown to §", "    move (crown) to §"),
        ("    move all [crown] from box to §", "    move all [crown] to §"),
        ("    for ech player in §", "    for each player in §"),
        ("    for ech §", "    for each §"),
        ("    if leader iz §", "    if leader is §"),
        ("    if leader is is §", "    if leader is §"),
        ("    if leadr is none and trmp is §", "    if leader is none and trump is §"),
        ("    repeat untl §", "    repeat until §"),
        ("    for each character in hnd of player with gild §", "    for each character in hand of player with guild §"),
        ("    asdf qwer §", "    asdf §"),
        ("conter x: §", "counter x: §"),
        ("zone heap of plyer: st of §", "zone heap of player: set of §"),
        ("zone heap of player: st of character, §", "zone heap of player: set of character, §"),
    ],
)
def test_behind_a_mistake_follows_what_is_meant(wrong: str, right: str) -> None:
    """A word that is nearly one of the rules is taken for it, one too many is left out, and an unknown name for a near one."""
    assert labels(right)
    assert labels(wrong) == labels(right)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("setup\n", "stup\n"),
        ("setup\n", "qwertz uiop\n"),
        ("zone trumps: ", "zne trumps "),
        ("game masti", "gme masti"),
        ("phase rounds", "phase"),
    ],
)
def test_a_mistake_above_changes_nothing(right: str, wrong: str) -> None:
    """Neither in the line under which it stands nor elsewhere."""
    written = MASTI.read_text(encoding="utf-8").replace("setup\n", f"setup\n    draw 1 from {MARK}\n", 1)
    assert right in written
    found = {each.label for each in at(written.replace(right, wrong, 1))}
    assert found == {each.label for each in at(written)} - ({"trumps"} if "trumps" in right else set())


@pytest.mark.slow
def test_in_a_block_whose_heads_are_wrong() -> None:
    right = f"setup\n    for each player\n        player chooses\n            take a character\n                move {MARK}\n"
    wrong = f"setup\n    fr each player\n        player chosses\n            take 1 a character\n                move {MARK}\n"
    text = MASTI.read_text(encoding="utf-8")
    found, wanted = ([each.label for each in at(text.replace("setup\n", lines, 1))] for lines in (wrong, right))
    assert "player" in wanted
    assert found == wanted
