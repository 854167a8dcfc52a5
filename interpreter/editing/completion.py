"""Says what can follow where somebody is typing.

Words of the rules come from the parser: those with which the sentence can go on. For names, a word that nothing is called stands
where the name would, and the rules are read: the message that there is no such name knows those that could be meant. So there is
no second list of what belongs where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, Literal

from attrs import frozen

from ..common.source import Source
from ..model.from_tree.names.scope import BUILT_IN
from ..rules import Rules
from ..syntax.parsing.parser_tables import Start, tables
from ..syntax.parsing.sentence import following
from ..syntax.parsing.tokens import Word, cut
from ..syntax.reading.from_text import parse
from .names import Sort, Symbol
from .snippets import snippets_of
from .workspace import Document, Workspace

_NOTHING: Final = "nothing_is_called_so"  # what stands for the name that is being typed
_BEFORE_NOUNS: Final = frozenset({"of", "for", "after", "at", "against", "by"})
_NAMES: Final = frozenset({"NAME", "FREE_WORD", "ANY_WORD", "EACH_NAME"})
_LONGEST: Final = 3  # words of the longest phrase of which some may stand there already
_TAIL: Final = 6  # terminals that are tried to end a sentence that is not whole
_TAILS: Final = 2  # ways in which it is ended
_BREADTH: Final = 60  # beginnings of such ways that are looked at
# With these a sentence is ended, the likely ones first: a name, a number, a text, and words and signs.
_ENDING: Final = (
    ":", "NAME", "NUMBER", "to", "from", "of", "is", "be", "into", "on", "chooses", ")", "]", ",", "..", "times", "by", "in",
    "STRING", "wins", "nothing", "highest", "and", "set of", "open", ", default",
    "rounded down",
)  # fmt: skip


@frozen
class Completion:
    """What can stand at ``start`` (an offset) up to where one is typing. ``sort``: of a name; "keyword" and "snippet" of others.

    ``text``: what is inserted; of a snippet with places to fill in, as editors write them. ``detail``: what it is, in short.
    """

    label: str
    start: int
    text: str
    sort: Sort | Literal["keyword", "snippet"]
    detail: str = ""
    symbol: Symbol | None = None


def completions(workspace: Workspace, document: Document, offset: int) -> list[Completion]:
    """What can stand at a place of a file; what is likelier comes first. Nothing inside of texts and comments."""
    text = document.source.text
    if _is_quiet(text, offset):
        return []
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    place = _place(document, start, offset)
    if place is None:
        return []
    before, rule = place
    names = [
        Completion(name, start, name, symbol.sort if symbol else "name", _detail(symbol), symbol)
        for name, symbol in _names(workspace, document, before, rule, start, offset)
    ]
    words = [Completion(label, begin, rest, "keyword") for label, begin, rest in sorted(_keywords(before, rule, start))]
    found: dict[str, Completion] = {}
    for each in (*names, *words) if before else (*words, *names):  # a line begins with a word of the rules most often
        found.setdefault(each.label, each)
    if not before:
        for snippet in snippets_of(rule):
            found[f"{snippet.label} ..."] = Completion(f"{snippet.label} ...", start, snippet.text, "snippet", snippet.detail)
    return list(found.values())


def _is_quiet(text: str, offset: int) -> bool:
    """Whether a place lies in a text or a comment."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    quoted = False
    for char in line:
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted:
            return True
    return quoted


def _place(document: Document, start: int, offset: int) -> tuple[Sequence[Word], Start] | None:
    """The words before a place on its line, and the start rule of that; None where no line can stand."""
    text = document.source.text
    source = Source(document.source.path, f"{text[:start]}{_NOTHING}{text[offset:]}")
    for sentence in parse(source).sentences:
        words = sentence.words
        if words and words[0].start <= start <= words[-1].end:
            return [word for word in words if word.end <= start], sentence.start
    return None


# ---- Words of the rules


def _keywords(before: Sequence[Word], rule: Start, start: int) -> Iterator[tuple[str, int, str]]:
    """The words and phrases that can stand here: each with where it begins, which is further left if some of it stands there."""
    for count in range(min(_LONGEST, len(before)) + 1):
        there, part = before[: len(before) - count], [word.text for word in before[len(before) - count :]]
        for terminal in following(there, rule):
            words = _words_of(terminal)
            if len(words) <= count or words[:count] != part:
                continue
            if words[0] == ",":  # the comma stands there already
                if count:
                    phrase = " ".join(words[count:])
                    yield phrase, start, phrase
            else:
                phrase = " ".join(words)
                yield phrase, before[len(before) - count].start if count else start, phrase


@cache
def _words_of(terminal: str) -> list[str]:
    """The words of a terminal that is a word or phrase of the rules; none of any other."""
    for each in tables().terminals:
        if each.name == terminal and each.pattern is not None and each.pattern.type == "str":
            words = [word.text for word in cut(each.pattern.value, 0)]
            return words if any(word[0].isalpha() for word in words) else []
    return []


# ---- Names


def _names(
    workspace: Workspace, document: Document, before: Sequence[Word], rule: Start, start: int, offset: int
) -> Iterator[tuple[str, Symbol | None]]:
    """The names that can stand here."""
    if not _NAMES & following(before, rule):
        return
    wanted: set[str] = set()
    read = False
    for rules in _with_an_unknown(workspace, document, before, rule, start, offset):
        read = True
        wanted |= rules.unknown.get(_NOTHING, frozenset())
    by_name: dict[str, Symbol] = {}
    for symbol in document.names.symbols:
        by_name.setdefault(symbol.name, symbol)
    if not read:
        wanted = {name for name, symbol in by_name.items() if symbol.sort not in _APART}
    elif not wanted and before and before[-1].text in _BEFORE_NOUNS:
        wanted = {"player"} | {name for name, symbol in by_name.items() if symbol.sort in ("kind", "list", "attribute")}
    locals_here = {symbol.name for symbol in document.names.symbols if symbol.sort == "name"}
    for name in sorted(wanted, key=lambda name: (name in BUILT_IN, name not in locals_here, name)):
        if " " not in name and name.isidentifier() and not name.startswith(_NOTHING):
            yield name, by_name.get(name)


_APART: Final = frozenset({"act", "variant", "score term", "game", "player", "word"})  # names that no expression has


def _with_an_unknown(
    workspace: Workspace, document: Document, before: Sequence[Word], rule: Start, start: int, offset: int
) -> Iterator[Rules]:
    """The rules with an unknown name at a place, the sentence ended in some ways; none where it cannot be ended.

    Where what stands behind the place fits, there is one way.
    """
    text = document.source.text
    end = _end_of_line(text, offset)
    rest = text[offset:end]
    fits = rest.strip() and "$END" in following([*before, *cut(f"{_NOTHING}{rest}", start)], rule)
    for tail in [rest] if fits else _tails(tuple((word.text, word.start) for word in before), rule):
        yield workspace.read(Source(document.source.path, f"{text[:start]}{_NOTHING}{tail}{text[end:]}"))


def _end_of_line(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    line = text[offset : len(text) if end < 0 else end]
    return offset + len(line.split("#", 1)[0].rstrip()) if '"' not in line else offset + len(line)


@lru_cache(1_000)
def _tails(before: tuple[tuple[str, int], ...], rule: Start) -> tuple[str, ...]:
    """What makes a sentence of words, a name, and itself: the shortest, and those that go on in other ways."""
    words = [word for text, start in before for word in cut(text, start)]
    names = [terminal for terminal in ("NAME", "FREE_WORD", "ANY_WORD") if terminal in following(words, rule)]
    level: list[tuple[str, ...]] = [(name,) for name in names[:1]]
    found: dict[str, tuple[str, ...]] = {}  # by what stands behind the name
    for _ in range(_TAIL):
        further: list[tuple[str, ...]] = []
        for terminals in level:
            possible = following(words, rule, terminals)
            if "$END" in possible:
                found.setdefault("".join(terminals[1:2]), terminals)
            if len(found) >= _TAILS:
                break
            if "$END" not in possible or len(terminals) == 1:
                further += [(*terminals, terminal) for terminal in _endings() if terminal in possible]
        level = [terminals for terminals in further if "".join(terminals[1:2]) not in found][:_BREADTH]
    return tuple("".join(f" {_endings()[terminal]}" for terminal in terminals[1:]) for terminals in found.values())


@cache
def _endings() -> dict[str, str]:
    """The terminals with which a sentence is ended, and how each is written."""
    written = {each.pattern.value.replace("\\", ""): each.name for each in tables().terminals if each.pattern is not None}
    own = {"NAME": f"{_NOTHING}_either", "NUMBER": "1", "STRING": '"x"'}
    return {written.get(text, text): own.get(text, text) for text in _ENDING}


def _detail(symbol: Symbol | None) -> str:
    if symbol is None:
        return ""
    return f"{symbol.sort} of {' and '.join(symbol.lists)}" if symbol.lists else symbol.sort
