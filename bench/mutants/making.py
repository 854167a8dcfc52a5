"""Makes single faults in a game: a slip of the pen at one place of its rules or its list of components.

Tests are left as they are: they say what the game should be. Each way to make faults is one function from a line, or from the
lines of a block, to what it may become.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from attrs import frozen


@frozen
class Mutant:
    """A game with one fault. ``family``: what was done; ``file``: in which file, of the folder of the game; ``line``: from 1.

    ``before``, ``after``: the line as it was and as it is (nothing where it has been left out); ``text``: of the whole file.
    """

    game: str
    family: str
    file: str
    line: int
    before: str
    after: str
    text: str


def mutants(game: Path, most: int, seed: int = 0) -> list[Mutant]:
    """Faults in the game at a path, at most so many of each family, chosen by chance under a seed; in reading order."""
    found: dict[str, list[Mutant]] = {}
    for mutant in (*_in_rules(game), *_in_components(game)):
        found.setdefault(mutant.family, []).append(mutant)
    chosen = [Random(f"{seed} {family}").sample(each, min(most, len(each))) for family, each in found.items()]
    return sorted((m for each in chosen for m in each), key=lambda m: (m.file, m.line, m.family, m.after))


# ---- In the rules

OF_WHAT_IS_DONE = {"wrong order", "wrong owner", "wrong amount", "wrong condition", "turned ranking"}  # not in declarations

Way = Callable[[str], Iterable[str]]  # what a line may become

WORD = r"[^\W\d][\w]*"


def _in_rules(game: Path) -> Iterator[Mutant]:
    text = game.read_text(encoding="utf-8")
    lines = text.splitlines()
    end = next(i for i, line in enumerate(lines) if line.startswith("test "))
    names = _zones(lines[:end])
    ways: dict[str, Way] = {
        **WAYS,
        "wrong zone": lambda line: _swapped_names(line, names),
        "misspelt name": lambda line: _misspelt(line, {name for group in names for name in group}),
    }
    for index in range(end):
        line, comment = _code(lines[index])
        if not line.strip() or re.match(r"\s*title\b", line):
            continue
        declared = re.match(r"\s*(zone|counter|marker|option|list|table|add (before|after|to))\b", line)
        for family, way in ways.items():
            if declared and family in OF_WHAT_IS_DONE:
                continue
            for after in dict.fromkeys(way(line)):
                if after != line:
                    yield _mutant(game, family, game.name, lines, index, index + 1, [after + comment])
        yield from _without_a_block(game, lines, index, end)
        if "|" in line and index + 1 < end and "|" in lines[index + 1] and re.search(r"\d", line):
            rows = (line, _code(lines[index + 1])[0])
            if _swapped(*rows) != rows:
                yield _mutant(game, "swapped rows", game.name, lines, index, index + 2, list(_swapped(*rows)))


def _mutant(game: Path, family: str, file: str, lines: Sequence[str], first: int, behind: int, becomes: list[str]) -> Mutant:
    text = "\n".join([*lines[:first], *becomes, *lines[behind:]]) + "\n"
    return Mutant(game.stem, family, file, first + 1, lines[first], becomes[0] if becomes else "", text)


def _code(line: str) -> tuple[str, str]:
    """A line without its comment, and the comment."""
    match = re.match(r'((?:[^"#]|"[^"]*")*)(\s*#.*)?$', line)
    assert match is not None
    line = match[1].rstrip()
    return line, match[0][len(line) :]


def _without_a_block(game: Path, lines: Sequence[str], index: int, end: int) -> Iterator[Mutant]:
    """A line and what is indented below it, left out."""
    line = lines[index]
    depth = len(line) - len(line.lstrip())
    if depth == 0 or re.match(r"\s*(players|from)\b", line):
        return
    behind = index + 1
    while behind < end and (not lines[behind].strip() or len(lines[behind]) - len(lines[behind].lstrip()) > depth):
        behind += 1
    word = line.split()[0]
    if word in ("otherwise", "among:", "by:"):
        return
    if "|" in line:
        family = "missing row" if re.search(r"\d", line) else ""
    elif word in FAMILY_OF_A_LINE:
        family = FAMILY_OF_A_LINE[word]
    else:
        family = "missing line" if behind == index + 1 else "missing block"
    if family:
        yield _mutant(game, family, game.name, lines, index, behind, [])


FAMILY_OF_A_LINE = {
    "limit": "dropped limit",
    "only": "dropped condition",
    "so": "dropped condition",
    "needs": "dropped need",
    "if": "missing case",
    "gold:": "lost tie-break",
    "shared": "lost tie-break",
    "letter:": "lost tie-break",
    "cards:": "lost tie-break",
}


def _outside_texts(line: str, pattern: str, becomes: Callable[[re.Match[str]], Iterable[str]]) -> Iterator[str]:
    """The line with one match, outside of quoted texts, replaced."""
    texts = [match.span() for match in re.finditer(r'"[^"]*"', line)]
    for match in re.finditer(pattern, line):
        if not any(start <= match.start() < end for start, end in texts):
            for new in becomes(match):
                yield line[: match.start()] + new + line[match.end() :]


def _always(new: str) -> Callable[[re.Match[str]], Iterable[str]]:
    return lambda match: (new,)


def _numbers(line: str) -> Iterator[str]:
    """One more, and one less."""

    def near(match: re.Match[str]) -> list[str]:
        return [str(number) for number in (int(match[0]) + 1, int(match[0]) - 1) if number >= 0]

    return _outside_texts(line, r"(?<![\w.])\d+(?!\w)", near)


def _replaced(*pairs: tuple[str, str]) -> Way:
    """Each of these patterns replaced, at one place."""

    return lambda line: (after for pattern, new in pairs for after in _outside_texts(line, pattern, _always(new)))


def _owners(line: str) -> Iterator[str]:
    """Somebody else's; not where all get the same, for then only the order is another, nor in what a line declares."""
    declared = re.match(r"\s*(define [^:]*|step .*|score .*|)", line)
    if declared is not None and not re.match(r"\s*for each player: (?!.*\bof player\b.*\bof player\b)", line):
        for after in _outside_texts(line[declared.end() :], r"\bof player\b", _always("of left of player")):
            yield declared[0] + after
    yield from _outside_texts(line, r"\bof winner\b", _always("of starter"))
    yield from _outside_texts(line, r"\bof leader\b", _always("of first player with hand not empty"))


def _visibility(line: str) -> Iterator[str]:
    if re.match(r"\s*zone\b", line):
        for word in ("open", "private", "hidden"):
            yield re.sub(r"\b(open|private|hidden)$", word, line)


def _keys(line: str) -> Iterator[str]:
    """A ranking with one key less."""
    if re.match(r"\s*(winner\b|by:|.*\bby\b.*\bthen\b)", line) and ", then " in line:
        parts = line.split(", then ")
        for left_out in range(1, len(parts)):
            yield ", then ".join(part for place, part in enumerate(parts) if place != left_out)
        head, first = re.match(r"(\s*winner |\s*by: |.*\bby )(.*)", parts[0]).groups()  # type: ignore[union-attr]
        yield head + ", then ".join([parts[1], first, *parts[2:]])


def _entries(line: str) -> Iterator[str]:
    """A table in one line with an entry less, or with the values of two that stand side by side exchanged."""
    match = re.match(r"(table [^:]*: *)(\d+: *-?\d+(?:, *\d+: *-?\d+)*)$", line)
    if match is None:
        return
    entries = re.split(r", *", match[2])
    for place in range(len(entries)):
        yield match[1] + ", ".join(entry for other, entry in enumerate(entries) if other != place)
    pairs = [re.split(r": *", entry) for entry in entries]
    for place in range(len(pairs) - 1):
        changed = [list(pair) for pair in pairs]
        changed[place][1], changed[place + 1][1] = changed[place + 1][1], changed[place][1]
        yield match[1] + ", ".join(": ".join(pair) for pair in changed)


def _swapped(first: str, second: str) -> tuple[str, str]:
    """Two rows of a table with their values, all but the first column, exchanged."""
    (a, *of_first), (b, *of_second) = first.split("|"), second.split("|")
    return "|".join([a, *of_second]), "|".join([b, *of_first])


WAYS: dict[str, Way] = {
    "wrong count": _numbers,
    "seen by the wrong": _visibility,
    "lost tie-break": _keys,
    "table entry": _entries,
    "turned ranking": _replaced(
        (r"\bhighest\b", "lowest"), (r"\blowest\b", "highest"), (r"(?<!at )\bmost\b", "fewest"), (r"\bfewest\b", "most"),
        (r"\bbest of\b", "any of"),
    ),
    "wrong order": _replaced(
        (r" clockwise from [\w ]+?(?=$|:| to )", ""), (r"\bleft of\b", "right of"), (r"\bright of\b", "left of"),
        (r"\bleader\b", "left of leader"), (r"\bplayers clockwise from\b", "opponents of advisor clockwise from"),
        (r"\badvisor\b", "starter"), (r"\bstarter\b", "advisor"),
    ),
    "wrong condition": _replaced(
        (r"\bis not\b", "is"), (r"\bis(?! not\b)", "is not"), (r" and ", " or "), (r" or (?!none|no\b)", " and "),
        (r">(?!=)", ">="), (r"\bat most\b", "at least"), (r"\bnot (?!none|empty)", ""), (r"\bif\b(?! impossible)", "if not"),
    ),
    "wrong owner": _owners,
    "wrong amount": _replaced(
        (r" \+ ", " - "), (r" \* ", " + "), (r" / ", " * "), (r"\badd (?=\d)", "take "), (r"\btake (?=\d)", "add "),
        (r"\ball from\b", "1 from"), (r"\bto pot\b", "to wealth of player"),
    ),
}  # fmt: skip


def _zones(lines: Sequence[str]) -> list[list[str]]:
    """The zones that one could be mistaken for another: of one kind, and all with an owner or none."""
    groups: dict[tuple[str, bool], list[str]] = {}
    for line in lines:
        match = re.match(rf"\s*zone ({WORD}(?:, {WORD})*)( of player)?: *(?:pile|slot|set) of ({WORD})", line)
        if match is not None:
            groups.setdefault((match[3], bool(match[2])), []).extend(match[1].split(", "))
    return list(groups.values())


def _swapped_names(line: str, names: list[list[str]]) -> Iterator[str]:
    if re.match(r"\s*zone\b", line):
        return
    for group in names:
        for place, name in enumerate(group):
            other = group[(place + 1) % len(group)]
            yield from _outside_texts(line, rf"\b{name}\b", _always(other))


def _misspelt(line: str, names: set[str]) -> Iterator[str]:
    """A name with two of its letters exchanged, where it is used."""
    if re.match(r"\s*zone\b", line):
        return
    for name in sorted(names):
        yield from _outside_texts(line, rf"\b{name}\b", lambda m: (m[0][0] + m[0][2] + m[0][1] + m[0][3:],))


# ---- In the list of components


def _in_components(game: Path) -> Iterator[Mutant]:
    path = game.parent / "data" / f"{game.stem}.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    header = lines[0].split(",")
    for index in range(1, len(lines), max(1, len(lines) // 12)):
        row = lines[index].split(",")
        yield _mutant(game, "missing component", f"data/{path.name}", lines, index, index + 1, [])
        yield _mutant(game, "component twice", f"data/{path.name}", lines, index, index + 1, [lines[index], lines[index]])
        for column, value in enumerate(row[: len(header)]):
            if value.isdigit():
                changed = [*row[:column], str(int(value) + 1), *row[column + 1 :]]
                yield _mutant(game, "wrong component", f"data/{path.name}", lines, index, index + 1, [",".join(changed)])
