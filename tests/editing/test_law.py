"""Whatever somebody types: never an exception, and always the findings of a check that begins anew."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from rulesrun.interpreter.checks.all_tables import check
from rulesrun.interpreter.common.diagnostics import Diagnostic
from rulesrun.interpreter.editing import hints, mending, outline
from rulesrun.interpreter.editing.colours import colours
from rulesrun.interpreter.editing.completion import completions
from rulesrun.interpreter.editing.hover import hover
from rulesrun.interpreter.editing.renaming import NotRenamed, renamed, uses
from rulesrun.interpreter.editing.signatures import signature
from rulesrun.interpreter.editing.workspace import Document, Workspace
from rulesrun.interpreter.findings.report import report
from rulesrun.interpreter.rules import read_rules
from rulesrun.interpreter.syntax.lines import reader
from rulesrun.interpreter.syntax.parsing import layout, sentence
from rulesrun.interpreter.syntax.reading.from_text import parse

from ..shipped import GAMES, SHIPPED

EDITS = 5  # of the longest sequences
SEQUENCES = int(os.environ.get("RULESRUN_SEEDS", "1"))  # of each game; ``RULESRUN_SEEDS=30`` are a thousand
SMALL = [path for path in SHIPPED if path.stat().st_size < 3_000]


def edited(text: str, luck: Random) -> str:
    """A text after something that people do: type, delete, copy, indent, go on in a new line, put quotes and brackets."""
    at = luck.randrange(len(text) + 1)
    lines = text.split("\n")
    line = luck.randrange(len(lines))
    match luck.randrange(9):
        case 0:
            return text[:at] + text[at + luck.randint(1, 12) :]
        case 1:
            return text[:at] + luck.choice(['"', "(", ")", ":", ",", "#", " ", "\n", "§", "é", "0", "-", "|"]) + text[at:]
        case 2:
            return text[:at] + luck.choice(text.split()) + text[at:]
        case 3:
            other = luck.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
        case 4:
            lines.insert(luck.randrange(len(lines)), lines[line])
        case 5:
            del lines[line]
        case 6:
            lines[line] = "    " + lines[line]
        case 7:
            lines[line] = lines[line].removeprefix("    ")
        case _:
            words = lines[line].split(" ")
            del words[luck.randrange(len(words))]
            lines[line] = " ".join(words)
    return "\n".join(lines)


def anew(path: Path) -> list[str]:
    """What a check finds that knows nothing from before."""
    for remembered in (parse, reader._read, layout._content, sentence._parsed):
        remembered.cache_clear()
    rules = read_rules(path)
    if rules.model is None:
        return shown(report([rules], check(rules).findings).findings)
    of_tests = (fault for test in rules.model.tests for fault in test.faults)
    return shown(report([rules], (*rules.diagnostics, *of_tests), unproved=[rules]).findings)


def shown(found: tuple[Diagnostic, ...]) -> list[str]:
    return [str(each) for each in found]


def look_around(workspace: Workspace, document: Document, at: int) -> None:
    """Ask all that an editor asks."""
    hover(document, at)
    completions(workspace, document, at)
    signature(document, at)
    outline.outline(document), outline.folds(document), outline.links(document)
    hints.hints(document), hints.lenses(document, {})
    list(colours(document))
    mending.actions(document, document.findings, max(0, at - 200), at + 200)
    mending.in_style(document)
    mending.indentation(document, at)
    mending.everything_mended(workspace, document)
    found = document.names.at(document.source.path, at)
    if found is not None:
        assert found.span in [each.span for each in uses(workspace, document, found.symbol)]
        with suppress(NotRenamed):
            renamed(workspace, document, at, "quite_another")


def try_sequence(path: Path, folder: Path, seed: int) -> None:
    luck = Random(f"{path.stem} {seed}")
    here = folder / path.name
    shutil.copytree(GAMES / "data", folder / "data", dirs_exist_ok=True)
    text = path.read_text(encoding="utf-8")
    workspace, kept = Workspace(), [text]
    told: list[list[str]] = []
    for _ in range(luck.randint(1, EDITS)):
        text = luck.choice(kept) if luck.random() < 0.1 else edited(text, luck)
        kept.append(text)
        workspace.write(here, text)
        glance = workspace.glance(here) if luck.random() < 0.5 else None
        document = workspace.document(here)
        if glance is not None:
            seen = shown(glance.findings)
            assert [each for each in shown(document.findings) if each not in shown(document.of_tests) or each in seen] == seen
        if luck.random() < 1 / 3:
            look_around(workspace, document, luck.randrange(len(text) + 1))
        told.append(shown(document.findings))
    for step, (text, found) in enumerate(zip(kept[1:], told, strict=True), 1):  # only now: a new check forgets what is remembered
        here.write_text(text, encoding="utf-8")
        assert found == anew(here), f"{path.stem} {seed}, after {step}"


@pytest.mark.parametrize("seed", range(15))
def test_what_is_typed_is_checked_as_if_it_were_new(seed: int, tmp_path: Path) -> None:
    try_sequence(SMALL[seed % len(SMALL)], tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_in_all_games(path: Path, tmp_path: Path) -> None:
    for seed in range(100, 100 + SEQUENCES):
        try_sequence(path, tmp_path, seed)
