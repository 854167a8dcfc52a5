"""Hostile inputs: spoiled files and generated families, each made from a seed and a number.

An input is some files, of which one is given to a command. Most are real rules (shipped games, examples of the documentation,
rules of the tests) after a few mutations: of tokens, lines, numbers, rare characters, blocks repeated many times, and parts of
another file. Tables (``.csv``) are spoiled as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from math import gcd
from pathlib import Path
from random import Random

from attrs import frozen

from ..docs.markdown import DOCS, ROOT, fences
from .families import Family, all_families
from .games import SMALL_GAMES

MAIN = "game.rules"
LONGEST = 200_000  # characters of a spoiled file; what is longer than the limit of a file is a case of its own
NAMED = re.compile(r'(?:from|extends) "([^"\n]+)"')


@frozen
class Input:
    """Files by name. ``main`` is given to commands; ``before`` is the text that it was made of; ``made``: how, in words."""

    files: Mapping[str, str]
    before: str
    made: str
    main: str = MAIN


@frozen
class Seed:
    """A text that is spoiled, with the files that it names."""

    name: str
    text: str
    files: Mapping[str, str]


def _flat(text: str) -> str:
    """A text that names files of folders above as if they lay beside it."""
    return text.replace('"../', '"')


def _named(text: str, folder: Path, found: dict[str, str] | None = None) -> dict[str, str]:
    """The files that a text names, and those that these name."""
    found = {} if found is None else found
    for name in NAMED.findall(text):
        place, flat = folder / name, name.removeprefix("../")
        if flat not in found and place.is_file():
            content = place.read_text(encoding="utf-8", errors="replace")
            found[flat] = _flat(content)
            _named(content, place.parent, found)
    return found


@cache
def seeds() -> tuple[Seed, ...]:
    """All texts to begin with, in a fixed order, the small ones more than once: they are quick, and leave most to mutations."""
    found: dict[str, Seed] = {}
    for file in sorted((*(ROOT / "games").rglob("*.rules"), *(ROOT / "tests").rglob("*.rules"))):
        text = file.read_bytes().decode("utf-8", "replace")
        found.setdefault(text, Seed(str(file.relative_to(ROOT)), _flat(text), _named(text, file.parent)))
    for page in (ROOT / "README.md", *sorted(DOCS.rglob("*.md"))):
        blocks = fences(page.read_text(encoding="utf-8"))
        beside = {name: fence.text for fence in blocks if (name := fence.setting("file")) is not None}
        for fence in blocks:
            if fence.language == "rules" and re.search(r"^(game|extends) ", fence.text, re.M):
                named = {name: beside[name] for name in NAMED.findall(fence.text) if name in beside}
                found.setdefault(fence.text, Seed(f"{page.relative_to(ROOT)}:{fence.line}", fence.text, named))
    for name, text in SMALL_GAMES.items():
        found.setdefault(text, Seed(f"tests/fuzz/games.py:{name}", text, {}))
    return tuple(found.values())


@cache
def _weights() -> tuple[float, ...]:
    return tuple(1 / (500 + len(seed.text)) for seed in seeds())


# ---- Mutations: each is a function from a text, and what chance and another text give, to a text

WORD = re.compile(r"\w+")
TOKEN = re.compile(r"\w+|[^\w\s]")
NUMBER = re.compile(r"\b\d+\b")
NUMBERS = (
    "0", "1", "2", "3", "-1", "7", "16", "17", "30", "31", "32", "63", "64", "65", "99", "100", "255", "256", "999", "1000",
    "1001", "1024", "1025", "20000", "65535", "65536", "99999", "100000", "999999", "1000000", "999999999", "1000000000",
    "2000000000", "2147483647", "2147483648", "4294967296", "99999999999999999999", "1.5", "0x10", "٣", "1e9", "007",
)  # fmt: skip
CHARACTERS = '0123456789-+*:,."[](){}#|<>= \t\r\n\0\x1b\x7f\u00a0\u0301\u200b\u2028\u202e\ufeff\ufffd\ud7ff😀яЯßİıﬁ𝟙'
REPEATS = (2, 3, 5, 10, 30, 31, 100, 300, 1000)


def _characters(text: str, chance: Random, other: str) -> str:
    at = chance.randrange(len(text) + 1)
    match chance.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[: at + 1] + text[at:]
        case 2:
            return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
        case _:
            return text[:at] + chance.choice(CHARACTERS) * chance.choice((1, 1, 1, 40, 5000)) + text[at:]


def _tokens(text: str, chance: Random, other: str) -> str:
    """A token that is lost, doubled, or another one of the same or of another file."""
    spans = [match.span() for match in TOKEN.finditer(text)]
    if not spans:
        return text
    start, end = chance.choice(spans)
    match chance.randrange(6):
        case 0:
            return text[:start] + text[end:]
        case 1:
            return text[:end] + (" " + text[start:end]) * chance.choice((1, 1, 1, 35, 1000)) + text[end:]
        case 2:
            words = WORD.findall(other) or [""]
            return text[:start] + chance.choice(words) + text[end:]
        case _:
            return text[:start] + text[slice(*chance.choice(spans))] + text[end:]


def _words(text: str, chance: Random, other: str) -> str:
    """A word that becomes another of the same file, here or everywhere."""
    words = [match.span() for match in WORD.finditer(text)]
    if not words:
        return text
    start, end = chance.choice(words)
    new = text[slice(*chance.choice(words))]
    if chance.random() < 0.15:
        return re.sub(rf"\b{re.escape(text[start:end])}\b", new, text)
    return text[:start] + new + text[end:]


def _numbers(text: str, chance: Random, other: str) -> str:
    spans = [match.span() for match in NUMBER.finditer(text)]
    if not spans:
        return text
    start, end = chance.choice(spans)
    near = str(max(0, int(text[start:end]) + chance.choice((-1, 1)))) if end - start < 10 else "1"
    return text[:start] + chance.choice((near, *NUMBERS)) + text[end:]


def _block(lines: list[str], at: int) -> int:
    """The end of the block that begins in a line: the lines below it that stand further in."""
    depth = len(lines[at]) - len(lines[at].lstrip())
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth):
        end += 1
    return end


def _lines(text: str, chance: Random, other: str) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    end = _block(lines, at) if chance.random() < 0.5 else at + 1
    match chance.randrange(6):
        case 0:
            del lines[at:end]
        case 1:
            lines[at:at] = lines[at:end]
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines[at:end] = ["    " + line for line in lines[at:end]]
        case 4:
            lines[at:end] = [line.removeprefix("    ") for line in lines[at:end]]
        case _:
            moved = lines[at:end]
            del lines[at:end]
            lines[to:to] = moved
    return "".join(lines)


def _renumbered(lines: list[str], copy: int) -> list[str]:
    """A copy of a block whose first name is its own, so that it is another declaration and no second one."""
    first = re.sub(r"^(\s*\w+\s+)(\w+)", rf"\g<1>\g<2>_{copy}", lines[0], count=1)
    return [first, *lines[1:]]


def _many(text: str, chance: Random, other: str) -> str:
    """A line or block many times, as it is or each time with another name."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    at = chance.randrange(len(lines))
    end = _block(lines, at) if chance.random() < 0.5 else at + 1
    block = lines[at:end]
    block[-1] = block[-1].rstrip("\n") + "\n"
    size = sum(map(len, block))
    times = min(chance.choice(REPEATS), max(2, 30_000 // max(size, 1)))
    more = block * times if chance.random() < 0.4 else [line for copy in range(times) for line in _renumbered(block, copy)]
    return "".join((*lines[:end], *more, *lines[end:]))


def _deeper(text: str, chance: Random, other: str) -> str:
    """A line that leads a block many times, each time in the one before: loops in loops, conditions in conditions."""
    lines = text.splitlines(keepends=True)
    heads = [at for at, line in enumerate(lines[:-1]) if line[:1] == " " and _block(lines, at) > at + 1]
    if not heads:
        return text
    at = chance.choice(heads)
    end, times = _block(lines, at), chance.choice((1, 2, 3, 5, 8, 24, 29, 40))
    nested = [" " * 4 * depth + lines[at] for depth in range(times)]
    inside = [" " * 4 * times + line if line.strip() else line for line in lines[at:end]]
    return "".join((*lines[:at], *nested, *inside, *lines[end:]))


def _splice(text: str, chance: Random, other: str) -> str:
    """The beginning of one file and the end of another, or a block of the other file in this one."""
    mine, others = text.splitlines(keepends=True), other.splitlines(keepends=True)
    if not mine or not others:
        return text
    at, start = chance.randrange(len(mine) + 1), chance.randrange(len(others))
    if chance.random() < 0.3:
        return "".join((*mine[:at], *others[start:]))
    return "".join((*mine[:at], *others[start : _block(others, start)], *mine[at:]))


Mutation = Callable[[str, Random, str], str]
MUTATIONS: tuple[tuple[Mutation, int], ...] = (
    (_words, 6), (_tokens, 4), (_numbers, 6), (_lines, 4), (_characters, 2), (_many, 2), (_deeper, 1), (_splice, 2),
)  # fmt: skip
TABLE_MUTATIONS: tuple[tuple[Mutation, int], ...] = (
    (_words, 3),
    (_tokens, 3),
    (_numbers, 3),
    (_lines, 3),
    (_characters, 2),
    (_many, 3),
)


def spoiled(text: str, chance: Random, other: str, among: tuple[tuple[Mutation, int], ...] = MUTATIONS) -> tuple[str, str]:
    """A text after one to six mutations, mostly few, and which."""
    chosen = chance.choices([m for m, _ in among], [w for _, w in among], k=chance.choice((1, 1, 1, 2, 2, 3, 6)))
    for mutation in chosen:
        changed = mutation(text, chance, other)
        text = changed if len(changed) <= LONGEST else text
    return text, ", ".join(mutation.__name__.strip("_") for mutation in chosen)


def spoiled_input(chance: Random) -> Input:
    """A text of the seeds, spoiled, or a table beside it."""
    seed, other = chance.choices(seeds(), _weights(), k=2)
    files, text = dict(seed.files), seed.text
    tables = [name for name in files if name.endswith(".csv")]
    if tables and chance.random() < 0.4:
        name = chance.choice(tables)
        files[name], made = spoiled(files[name], chance, other.text, TABLE_MUTATIONS)
        made = f"{name}: {made}"
    else:
        text, made = spoiled(text, chance, other.text)
    return Input(files | {MAIN: text}, seed.text, f"{seed.name}: {made}")


# ---- Families


GROWN = 0.2  # of all inputs
GOLDEN = 0.618  # about: steps of this part of a circle spread evenly, however many there are
SIZES = (2, 3, 5, 8, 13, 20, 40, 100, 300, 1200)


@cache
def every_family() -> tuple[Family, ...]:
    return tuple(all_families())


def grown_input(chance: Random) -> Input:
    """A file that a family has grown to some size, mostly a small one; at times spoiled."""
    family, size = chance.choice(every_family()), SIZES[min(chance.randrange(len(SIZES)), chance.randrange(len(SIZES)))]
    files = family.write(size)
    main = next(iter(files))
    before, made = files[main], f"{family.name}, size {size}"
    if len(before) < LONGEST and chance.random() < 0.4:
        files[main], mutations = spoiled(before, chance, chance.choice(seeds()).text)
        made = f"{made}: {mutations}"
    return Input(files, before, made, main)


def family_input(number: int, size: int) -> Input:
    """The family of this number at a size, as it is. Those of neighbouring numbers lie far
    apart, so the first so many are a fair sample; as many as there are families are each once."""
    count = len(every_family())
    family = every_family()[number * _stride(count) % count]
    files = family.write(size)
    main = next(iter(files))
    return Input(files, files[main], f"{family.name}, size {size}", main)


def _stride(count: int) -> int:
    """A step through so many that comes to each of them once, and soon to all regions: near the golden section, coprime."""
    return next(step for step in range(int(count * GOLDEN), count + 1) if gcd(step, count) == 1)


def hostile_input(seed: int, number: int) -> Input:
    """The input of this number; the same for the same seed, whatever was made before."""
    chance = Random(f"{seed} {number}")
    return grown_input(chance) if chance.random() < GROWN else spoiled_input(chance)
