"""Every example of the language reference is run; every result, word and bound that it states is checked."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import attrs
import pytest
from rulesrun.interpreter.common.diagnostics import Diagnostic, render
from rulesrun.interpreter.common.source import Source
from rulesrun.interpreter.machine.machine import Machine
from rulesrun.interpreter.model.from_tree.names.scope import BUILT_IN
from rulesrun.interpreter.model.model import Type
from rulesrun.interpreter.syntax import tree
from rulesrun.interpreter.syntax.parsing.words import RESERVED
from rulesrun.interpreter.syntax.reading.from_text import parse
from rulesrun.website.examples import as_game, framed, kind_of, stated, whole

from ..pipeline import USELESS, Found, play, stages
from .examples import findings
from .markdown import DOCS, Fence, check_page, fences

PAGE = DOCS / "language.md"
FENCES = fences(PAGE.read_text(encoding="utf-8"))
EXAMPLES = [f for f in FENCES if f.language == "rules" and "frame" not in f.info]
FILES = {name: f.text for f in FENCES if (name := f.setting("file"))}


def asked(text: str) -> tuple[str, list[str]]:
    """Statements with a question behind each that states a condition, and the conditions."""
    lines: list[str] = []
    conditions: list[str] = []
    waiting: list[str] = []
    for line in [*text.splitlines(), "."]:
        code, _, condition = (part.strip() for part in line.partition("# -> "))
        if code and not line.startswith(" ") and not code.startswith("otherwise"):
            for each in waiting:
                lines.append(f"if {each}: set stated_{len(conditions)} to yes")
                conditions.append(each)
            waiting = []
        waiting += [condition] if condition else []
        lines.append(line)
    return "\n".join(lines[:-1]), conditions


def values(expressions: list[str], statements: str = "nothing", declarations: str = "", frame: str | None = None) -> list[str]:
    """What expressions are worth in a frame after some statements, in words."""
    defines = "\n".join(f"define example_{n}: {e}" for n, e in enumerate(expressions))
    found = stages(framed(f"{declarations}\n{defines}", statements, frame=frame), 3 if frame is None else 2)
    assert found.machine is not None, found.messages
    assert found.table is not None
    assert found.diagnostics == (), found.messages
    played = play(found.machine)
    assert played.stop.kind == "over", played.stop
    types = [found.table.defines[f"example_{n}"].value.type for n in range(len(expressions))]
    return [said(played.ask(f"example_{n}"), type, found, found.machine) for n, type in enumerate(types)]


def said(value: int, type: Type, found: Found, machine: Machine) -> str:
    """A value in the game's words."""
    assert found.table is not None
    if type.base == "component" and type.is_set:
        domain = machine.kinds[type.of]
        return ", ".join(domain.name(v) for v in domain.members(value)) or "empty"
    if type.is_set:
        return ", ".join(said(n, type.member, found, machine) for n in range(value.bit_length()) if value >> n & 1) or "empty"
    if value == -1 and type.optional:
        return "none"
    match type.base:
        case "truth":
            return "yes" if value else "no"
        case "player":
            return machine.seat_names[value]
        case "word":
            return found.table.lists[type.of][value]
        case "cell":
            return f"{'abcdefgh'[value % BOARD_WIDTH]}{value // BOARD_WIDTH + 1}"
        case "component":
            return machine.kinds[type.of].name(value)
        case _:
            return str(value)


BOARD_WIDTH = 5  # of the grid in the frame of that name


def example_id(fence: Fence) -> str:
    return f"{fence.heading} (line {fence.line})"


def shown(diagnostics: list[Diagnostic]) -> str:
    return "\n\n".join(render(d) for d in diagnostics)


@pytest.mark.parametrize("fence", EXAMPLES, ids=example_id)
def test_an_example_is_without_fault_and_gives_what_it_states(
    fence: Fence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    kind = kind_of(fence)
    match kind:
        case "values":
            results = stated(fence.text)
            assert results
            assert values([r.expression for r in results], frame=fence.setting("frame")) == [r.result for r in results]
        case "declarations":
            text = framed(fence.text)
            assert stages(text, 3, files=FILES).messages == ""
        case "part":
            part = Fence(("rules", "play", "test"), whole(fence), "", 0)
            assert shown([d for d in findings(part, tmp_path) if not USELESS.fullmatch(d.code)]) == ""
        case "statements":
            statements, conditions = asked(fence.text)
            markers = [f"marker stated_{n}: yes or no" for n in range(len(conditions))]
            held = values([f"stated_{n}" for n in range(len(conditions))], statements, "\n".join(markers))
            assert dict(zip(conditions, held, strict=True)) == dict.fromkeys(conditions, "yes")
        case "tests":
            (tmp_path / "framed.rules").write_text(framed(tail=fence.text), encoding="utf-8")
            story = Fence(("rules", "test"), framed(tail=fence.text), "", 0)
            assert shown([d for d in findings(story, tmp_path) if not USELESS.fullmatch(d.code)]) == ""
        case "file":
            game = Fence(("rules", "play", "test"), fence.text, "", 0)
            assert shown(findings(game, tmp_path)) == ""
        case _:
            raise AssertionError(f"nobody runs an example of the kind `{kind}`")


def constructs(value: object) -> set[str]:
    """The kinds of node in a tree."""
    if isinstance(value, tuple):
        return {name for item in value for name in constructs(item)}
    if not isinstance(value, tree.Node):
        return set()
    return {type(value).__name__}.union(*(constructs(getattr(value, a.name)) for a in attrs.fields(type(value))))


@pytest.mark.slow
def test_every_construct_of_the_language_has_an_example() -> None:
    every = {
        name
        for name, kind in vars(tree).items()
        if isinstance(kind, type) and issubclass(kind, tree.Node) and kind not in (tree.Node, tree.Line)
    }
    shown: set[str] = set()
    for fence in EXAMPLES:
        shown |= constructs(parse(Source("example.rules", as_game(fence))).tree)
    assert every - shown == set()


def test_the_names_that_are_built_in_are_listed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    listed = re.search(r"^Built-in names, which cannot be declared either: (.*?)\.", text, re.M | re.S)
    assert listed
    assert set(re.findall(r"`(\w+)`", listed[1])) == BUILT_IN


def test_generated_blocks_are_what_is_so() -> None:
    """The list of reserved words, and the table of bounds."""

    def real(fence: Fence, _: int) -> str | None:
        match fence.info:
            case ("text", "reserved"):
                return reserved_words()
            case ("text", "bounds"):
                return bounds(fence.text)
            case _:
                return None

    check_page(PAGE, real)


def reserved_words() -> str:
    lines: list[str] = [""]
    for word in sorted(RESERVED):
        if len(lines[-1]) + len(word) > 90:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines) + "\n"


BOUNDS = {
    "bytes in a file": ("common.files", "SIZE_LIMIT"),
    "files that extend one another": ("syntax.reading.extending", "CHAIN_LIMIT"),
    "blocks in one another": ("syntax.parsing.layout", "MAX_NESTING"),
    "brackets in one another": ("syntax.mistakes.faults", "MAX_BRACKETS"),
    "defines in one another": ("model.model", "DEPTH_LIMIT"),
    "steps in one another": ("model.model", "DEPTH_LIMIT"),
    "places for choices and chance": ("machine.from_table.building.builder", "SITES_LIMIT"),
    "options of the rules": ("model.sizes", "OPTIONS_LIMIT"),
    "players": ("model.from_tree", "SEATS_LIMIT"),
    "components of a kind": ("model.from_tree.declarations.components", "COMPONENTS_LIMIT"),
    "words in a list": ("model.from_tree.declarations.domains", "WORDS_LIMIT"),
    "cells of a grid": ("table.from_model.components", "CELLS_LIMIT"),
    "parts of a tile": ("model.from_tree.declarations.shapes", "PARTS_LIMIT"),
    "ends of a range, either way from 0": ("model.from_tree.declarations.domains", "NUMBERS_LIMIT"),
    "positions remembered": ("model.from_tree.declarations.positions", "POSITIONS_LIMIT"),
    "games of a match": ("table.from_model.matches", "GAMES_LIMIT"),
    "options at one choice": ("machine.machine", "OPTIONS_LIMIT"),
    "rounds of an endless loop": ("machine.machine", "ROUNDS_LIMIT"),
    "decisions in a game": ("machine.machine", "DECISIONS_LIMIT"),
}


def bounds(text: str) -> str:
    """The rows of the table of bounds, with the numbers of the program."""
    assert [re.split(r"  +", line)[0] for line in text.splitlines()] == list(BOUNDS)
    values = {what: getattr(import_module(f"rulesrun.interpreter.{module}"), name) for what, (module, name) in BOUNDS.items()}
    return "".join(f"{what:<35}{value:>14,}\n" for what, value in values.items())
