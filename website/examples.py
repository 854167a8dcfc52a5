"""The examples of the documentation as whole games: what stands around a part, and the files that a page makes step by step.

The info string behind an opening fence says what an example of rules consists of:

- ``rules`` alone, or with settings: a whole file;
- ``rules part``: a part of a file, without its head and without an end that says nothing (`whole`);
- ``rules declarations``, ``statements``, ``values``, ``tests``: lines that belong into a frame of the language page (`framed`);
- ``file=NAME``: the file NAME from here on; ``append=NAME``: what is added to it; ``diff file=NAME``: a change of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from attrs import Factory, define, frozen
from rulesrun.interpreter.packing.one_folder import NAMED, beside, in_one_folder

from .fences import DOCS, ROOT, Fence, fences

EXAMPLE: Final = "example.rules"  # the name of a file that a page gives no name

_SCORE: Final = "score of player\n    points: 0\n"
_WINNER: Final = "winner highest score, then shared\n"
_HEAD: Final = re.compile(r'^(?:game \w|extends ")', re.M)


@cache
def frames() -> Mapping[str | None, str]:
    """The frames of the language page by their names; the first one has none."""
    page = fences((DOCS / "language.md").read_text(encoding="utf-8"))
    return {fence.setting("name"): fence.text for fence in page if "frame" in fence.info}


def framed(declarations: str = "", statements: str = "nothing", tail: str = "", frame: str | None = None) -> str:
    """A frame with something put into its places. ``frame``: its name; by default it is the one without a name."""
    lines: list[str] = []
    for line in frames()[frame].splitlines():
        match line.strip():
            case "# (declarations)":
                lines.append(declarations)
            case "# (statements)":
                lines += [f"    {s}" for s in statements.rstrip("\n").splitlines()]
            case _:
                lines.append(line)
    return "\n".join(lines) + "\n" + tail


def whole(fence: Fence) -> str:
    """A part of a file with what it leaves out: head (``players=N``, by default 2), phase, score, winner line."""
    part = fence.text
    text = f"game example\n    players {fence.setting('players') or 2}\n\n{part}"
    if re.search(r"(player|nobody) wins$", text, re.M):
        return text
    text += "" if re.search(r"^phase ", part, re.M) else "\nphase only: nothing\n"
    text += "" if re.search(r"^score of player", part, re.M) else f"\n{_SCORE}"
    return text + ("" if re.search(r"^winner\b", part, re.M) else f"\n{_WINNER}")


@frozen
class Stated:
    """An expression and the result that the page states for it."""

    expression: str
    result: str


def stated(text: str) -> list[Stated]:
    """The lines ``EXPRESSION  # -> RESULT`` of a block."""
    found = re.findall(r"^\s*(.*?)\s*# -> (.*?)\s*$", text, re.M)
    return [Stated(expression, result) for expression, result in found]


def kind_of(fence: Fence) -> str:
    """What an example consists of; a whole file when it does not say."""
    return fence.info[1] if len(fence.info) > 1 and "=" not in fence.info[1] else "file"


def as_game(fence: Fence) -> str:
    """The text of an example with all that it leaves out."""
    match kind_of(fence):
        case "frame":
            return framed(frame=fence.setting("name"))
        case "part":
            return whole(fence)
        case "values":
            defines = [f"define example_{n}: {s.expression}  # -> {s.result}" for n, s in enumerate(stated(fence.text))]
            return framed("\n".join(defines), frame=fence.setting("frame"))
        case "declarations":
            return framed(fence.text)
        case "statements":
            return framed(statements=fence.text)
        case "tests":
            return framed(tail=fence.text)
        case _:
            return fence.text


@frozen
class Game:
    """A whole game: its files by name, and the name of the one that is meant."""

    files: Mapping[str, str]
    open: str


@define
class PageFiles:
    """The files that a page has made so far, by path. Those that come with rulesrun lie where the tutorial has them: in
    ``../rulesrun`` beside the reader's folder, or copied into it. ``later``: what the page makes further down."""

    later: Mapping[str, str] = Factory(dict)
    made: dict[str, str] = Factory(dict)

    @classmethod
    def of(cls, text: str) -> PageFiles:
        """The files of a page that nobody has begun to read."""
        later: dict[str, str] = {}
        for fence in fences(text):
            name = fence.setting("file") or (EXAMPLE if fence.language == "rules" else None)
            if name is not None and fence.language != "diff":
                later.setdefault(name, fence.text)
        return cls(later)

    def follow(self, fence: Fence) -> Game | None:
        """Do what an example says, and give the whole game that the reader has then, if it is rules and they are one."""
        name = fence.setting("file") or fence.setting("append")
        if name is not None:
            self.made[name] = self._changed(name, fence)
        if name is None and fence.language == "rules" and _HEAD.search(text := as_game(fence)):
            return self._game(EXAMPLE, text)
        if name is not None and name.endswith(".rules") and fence.language in ("rules", "diff") and _HEAD.search(self.made[name]):
            return self._game(name, self.made[name])
        return None

    def _changed(self, name: str, fence: Fence) -> str:
        if fence.language == "diff":
            return changed(self._text(name) or "", fence.text)
        before = self._text(name) or "" if fence.setting("append") else ""
        return before + (as_game(fence) if fence.language == "rules" else fence.text)

    def _text(self, path: str) -> str | None:
        if path in self.made:
            return self.made[path]
        there = path.removeprefix("../rulesrun/") if path.startswith("../") else f"games/{path}"
        file = ROOT / there
        if ".." not in PurePosixPath(there).parts and file.is_file():
            return file.read_text(encoding="utf-8")
        return self.later.get(path)

    def _game(self, name: str, text: str) -> Game:
        """A file with all that it names."""
        found: dict[str, str] = {}
        todo = {name: text}
        while todo:
            path, content = todo.popitem()
            found[path] = content
            for _, other in NAMED.findall(content):
                there = beside(path, other)
                if there not in found and (named := self._text(there)) is not None:
                    todo[there] = named
        return Game(*in_one_folder(found, name))


def changed(text: str, difference: str) -> str:
    """A text with the lines behind ``-`` replaced by those behind ``+``; the old ones must stand there exactly once."""
    old = "".join(f"{line[1:]}\n" for line in difference.splitlines() if line.startswith("-"))
    new = "".join(f"{line[1:]}\n" for line in difference.splitlines() if line.startswith("+"))
    assert text.count(old) == 1, old
    return text.replace(old, new)
