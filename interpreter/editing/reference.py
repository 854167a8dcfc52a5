"""Finds what the language reference says about a word of the rules.

The reference is ``docs/language.md`` itself. A row of a table, an item of a list or a paragraph belongs to the words with which
the forms in it begin (the code between backquotes); examples belong to the words of the rules in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from attrs import frozen

from ..syntax.parsing.parser_tables import Start

_CODE: Final = re.compile(r"`([^`]+)`")
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_PART: Final = re.compile(r"[^\W\d_]\w*|\S")
_EXAMPLE: Final = re.compile(r"\s+#.*$")


@frozen
class Paragraph:
    """A part of the reference. ``section``: the heading above it; ``text``: Markdown without links to the same page; ``forms``:
    the code in it."""

    section: str
    text: str
    forms: tuple[str, ...]


@frozen
class Entry:
    """What the reference says about a word: a paragraph, the section in which it stands, and an example ("" for none)."""

    section: str
    text: str
    example: str

    @property
    def anchor(self) -> str:
        """The section as the end of an address: ``#at-once``."""
        return "#" + re.sub(r"[^\w-]", "", self.section.lower().replace(" ", "-"))


# The section that tells about lines of a place, where the first word of a line is asked for.
_ABOUT: Final[dict[Start | None, str]] = {
    "game_line": "The game", "kind_line": "Components", "part_line": "Tiles of several cells", "board_line": "Boards of points",
    "table_line": "Tables", "define_line": "Defines", "score_line": "Score and winner", "majority_line": "Majorities",
    "winner_line": "Score and winner", "match_line": "Matches", "statement_line": "Statements", "chooses_line": "Choices",
    "option_line": "Choices", "auction_line": "Auctions", "payment_line": "Auctions", "variant_line": "Variants",
    "test_line": "Tests",
}  # fmt: skip


def entry(phrase: str, start: Start | None = None) -> Entry | None:
    """What the reference says about a word or phrase of the rules, such as ``draw`` or ``only if``; None if it does not have it.

    A phrase that it has only in examples is given one of them, and no text. ``start``: the start rule of the line that begins
    with the phrase, where one does.
    """
    words = phrase.split()
    about = _ABOUT.get(start, "")

    def rank(paragraph: Paragraph) -> int:
        return _rank(paragraph, words) - 3 * (paragraph.section == about)

    found = min(_paragraphs(), key=rank)
    if _rank(found, words) < _NOT_THERE:
        return Entry(found.section, found.text, _example(words, found.section)[1])
    section, example = _example(words, "")
    if example:
        return Entry(section, "", example)
    simpler = [("a" if word == "an" else word) for word in words if word != "not"]
    return entry(" ".join(simpler)) if simpler and simpler != words else entry(words[0]) if len(words) > 1 else None


_NOT_THERE: Final = 9


def _rank(paragraph: Paragraph, words: list[str]) -> int:
    """How well a paragraph explains a phrase, 0 best: where its first form begins with the phrase, then another one, then where
    the phrase stands alone, or further on in a form. `_NOT_THERE` where it is in no form."""
    best = _NOT_THERE
    for place, form in enumerate(paragraph.forms):
        parts = [part for part in _PART.findall(form) if part != "the"]
        for at in range(len(parts)):
            if parts[at : at + len(words)] == words:
                begins = all(part.isupper() or part in "[]" for part in parts[:at])
                behind = parts[at + len(words) : at + len(words) + 1]
                longer = bool(behind) and behind[0][0].islower()  # `take turns` says nothing of `take`
                whole = bool(behind) or paragraph.text.startswith(f"`{form}`")
                first = place == 0 and paragraph.text.startswith("`")
                best = min(best, 4 if longer or not begins else 2 if not whole else 0 if first else 1)
    return best


def _example(words: list[str], section: str) -> tuple[str, str]:
    """The section and the first line of an example with a phrase: of the given section, if that has one; "" if there is none."""
    pattern = re.compile(rf"(?<!\w){' (?:the )?'.join(map(re.escape, words))}(?!\w)")
    lines = [(place, line) for place, line in _examples() if pattern.search(line)]
    place, line = min(lines, key=lambda each: (each[0] != section, not pattern.match(each[1].strip())), default=("", ""))
    return place, _EXAMPLE.sub("", line).strip()


@cache
def _text() -> str:
    folder = files(__name__.partition(".interpreter")[0]) / "docs"
    return (folder / "language.md").read_text(encoding="utf-8")


@cache
def _examples() -> tuple[tuple[str, str], ...]:
    """The lines of all examples, each with its section."""
    found: list[tuple[str, str]] = []
    for section, block in _blocks():
        if block.startswith("```rules"):
            found += [(section, line) for line in block.split("\n")[1:] if line.strip() and not line.startswith("```")]
    return tuple(found)


@cache
def _paragraphs() -> tuple[Paragraph, ...]:
    found: list[Paragraph] = []
    for section, block in _blocks():
        if block.startswith("```"):
            continue
        for piece in _pieces(block):
            plain = _LINK.sub(r"\1", piece)
            found.append(Paragraph(section, plain, tuple(_CODE.findall(piece))))
    return tuple(found)


def _pieces(block: str) -> Iterator[str]:
    """The rows of a table, each as a sentence; the items of a list; else the paragraph as it is."""
    lines = block.split("\n")
    if lines[0].startswith("|"):
        for line in lines[2:]:
            form, _, meaning = line.strip("| ").partition(" | ")
            yield f"{form}: {meaning.rstrip(' |')}"
        return
    if not lines[0].startswith("- "):
        yield " ".join(lines)
        return
    item: list[str] = []
    for line in lines:
        if line.startswith("- ") and item:
            yield " ".join(item)
            item = []
        item.append(line.removeprefix("- ").strip())
    yield " ".join(item)


@cache
def _blocks() -> tuple[tuple[str, str], ...]:
    """The text between empty lines, each part with its section; an example is one part."""
    found: list[tuple[str, str]] = []
    section, fenced = "", False
    block: list[str] = []
    for line in (*_text().split("\n"), ""):
        if line.startswith("```"):
            fenced = not fenced
        if (not line and not fenced) or (line.startswith("#") and not fenced):
            if any(block):
                found.append((section, "\n".join(filter(None, block))))
            block = []
            if line.startswith("#"):
                section = line.lstrip("# ")
        else:
            block.append(line)
    return tuple(found)
