"""Says what can follow where somebody is typing.

Words of the rules come from the parser: those with which the sentence can go on. For names, a word that nothing is called stands
where the name would, and the rules are read: the message that there is no such name knows those that could be meant. So there is
no second list of what belongs where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Final, Literal

from attrs import evolve, frozen

from ..common.source import Source
from ..model.from_tree.names.scope import BUILT_IN
from ..rules import Rules
from ..syntax.lines.reader import Sentence
from ..syntax.mistakes.recovery import recovered
from ..syntax.parsing.parser_tables import Start, tables
from ..syntax.parsing.sentence import Stuck, following, sentence
from ..syntax.parsing.tokens import Word, cut
from ..syntax.reading.notes import NOTE_WORDS
from .names import Sort, Symbol
from .snippets import snippets_of, without_places
from .workspace import Document, Workspace

_NOTHING: Final = "nothing_is_called_so"  # what stands for the name that is being typed
_BEFORE_NOUNS: Final = frozenset({"of", "for", "after", "at", "against", "by"})
_NAMES: Final = frozenset({"NAME", "FREE_WORD", "ANY_WORD", "EACH_NAME"})
_HEADS: Final = 5  # lines around a place that are mended
_STAND_INS: Final[dict[Start, str]] = {"file_line": "setup", "statement_line": "for each player"}  # for heads that mean nothing
_LONGEST: Final = 3  # words of the longest phrase of which some may stand there already
_TEST: Final = re.compile(r"^test\b.*(?:\n(?:[ \t#)\]].*)?)*$", re.MULTILINE)  # with what stands under it
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

    @property
    def plain(self) -> str:
        """What is inserted where an editor knows no places to fill in."""
        return without_places(self.text) if self.sort == "snippet" else self.text


def completions(workspace: Workspace, document: Document, offset: int) -> list[Completion]:
    """What can stand at a place of a file; what is likelier comes first. Nothing inside of texts and comments."""
    text = document.source.text
    if is_quiet(text, offset):
        return []
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    place = _place(workspace, document, start, offset)
    if place is None:
        return []
    before, rule = place.before, place.rule
    names = [
        Completion(name, start, name, symbol.sort if symbol else "name", _detail(symbol), symbol)
        for name, symbol in _names(workspace, document, place)
    ]
    moved = start - place.start
    words = [
        Completion(label, begin + moved, rest, "keyword") for label, begin, rest in sorted(_keywords(before, rule, place.start))
    ]
    found: dict[str, Completion] = {}
    for each in (*names, *words) if before else (*words, *names):  # a line begins with a word of the rules most often
        found.setdefault(each.label, each)
    if not before:
        for word in NOTE_WORDS:
            found.setdefault(word, Completion(word, start, word, "keyword", "a sentence for the rulebook"))
        for snippet in snippets_of(rule):
            found[f"{snippet.label} ..."] = Completion(f"{snippet.label} ...", start, snippet.text, "snippet", snippet.detail)
    return list(found.values())


def is_quiet(text: str, offset: int) -> bool:
    """Whether a place lies in a text or a comment."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    quoted = False
    for char in line:
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted:
            return True
    return quoted


@frozen
class _Place:
    """Where somebody types: from ``start`` to ``end`` of a text without other tests, in which the lines around are mended.

    ``begin``: of its sentence; ``before``: the words from there on, mended; ``rule``: the start rule of that sentence.
    """

    text: str
    begin: int
    start: int
    end: int
    before: Sequence[Word]
    rule: Start

    def filled(self, word: str, rest: str, end: int) -> str:
        """The text with a word at the place, and the rest of its line up to ``end`` as given."""
        mended = "".join(f"{each.text} " for each in self.before)
        return f"{self.text[: self.begin]}{mended}{word}{rest}{self.text[end:]}"


def _place(workspace: Workspace, document: Document, start: int, offset: int) -> _Place | None:
    """The place from ``start`` to ``offset``; None where no line can stand."""
    names = {symbol.name for symbol in document.names.symbols} | set(BUILT_IN)
    text = document.source.text
    tests = [found.span() for found in _TEST.finditer(text)]
    for first, last in reversed(tests):  # in other tests stands nothing that could be meant
        if not first <= start <= last:
            text = text[:first] + text[last:]
            start, offset = (place - (last - first if first < start else 0) for place in (start, offset))
    sentences: Sequence[Sentence] = ()
    for _ in range(_HEADS):
        source = Source(document.source.path, f"{text[:start]}{_NOTHING}{text[offset:]}")
        sentences = workspace.try_parse(source).sentences
        heads = _heads(source, sentences, start)
        wrong = next((head for head in heads if isinstance(sentence(head.words, head.start), Stuck)), None)
        if wrong is None:
            break
        mended = recovered(wrong.words, wrong.start, names.__contains__)
        if mended is None or isinstance(sentence(mended, wrong.start), Stuck):
            mended = cut(_STAND_INS.get(wrong.start, _NOTHING), 0)
        first, last = wrong.words[0].start, wrong.words[-1].end
        written = " ".join(word.text for word in mended)
        text = f"{text[:first]}{written}{text[last:]}"
        start, offset = (place + len(written) - (last - first) for place in (start, offset))
    for each in sentences:
        if each.words and each.words[0].start <= start <= each.words[-1].end:
            before = recovered([word for word in each.words if word.end <= start], each.start, names.__contains__)
            return None if before is None else _Place(text, each.words[0].start, start, offset, before, each.start)
    return None


def _heads(source: Source, sentences: Sequence[Sentence], start: int) -> list[Sentence]:
    """The lines in whose blocks a place lies, the outermost first."""
    line = source.line(source.position(start)[0])
    column: int = len(line) - len(line.lstrip()) + 1
    found: list[Sentence] = []
    for each in reversed(sentences):
        if column > 1 and each.words and each.words[0].start <= start:
            own = source.position(each.words[0].start)[1]
            if own < column and start > each.words[-1].end:
                found.append(each)
            if own < column or start <= each.words[-1].end:
                column = own
    return found[::-1]


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


def _names(workspace: Workspace, document: Document, place: _Place) -> Iterator[tuple[str, Symbol | None]]:
    """The names that can stand here."""
    before = place.before
    if not _NAMES & following(before, place.rule):
        return
    wanted: set[str] = set()
    read = False
    for rules in _with_an_unknown(workspace, document, place):
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


def _with_an_unknown(workspace: Workspace, document: Document, place: _Place) -> Iterator[Rules]:
    """The rules with an unknown name at a place, the sentence ended in some ways; none where it cannot be ended.

    Where what stands behind the place fits, there is one way. Other names before it that are unknown are taken for near ones.
    """
    end = _end_of_line(place.text, place.end)
    rest = place.text[place.end : end]
    fits = rest.strip() and "$END" in following([*place.before, *cut(f"{_NOTHING}{rest}", place.start)], place.rule)
    for tail in [rest] if fits else _tails(tuple((word.text, word.start) for word in place.before), place.rule):
        rules = workspace.try_rules(Source(document.source.path, place.filled(_NOTHING, tail, end)))
        meant = [_meant(word, rules) for word in place.before]
        if meant != place.before:
            place = evolve(place, before=meant)
            rules = workspace.try_rules(Source(document.source.path, place.filled(_NOTHING, tail, end)))
        yield rules


def _meant(word: Word, rules: Rules) -> Word:
    """A word, or the name that it likely means where it is none."""
    near = get_close_matches(word.text, rules.unknown.get(word.text, ()), n=1)
    return evolve(word, text=near[0]) if near else word


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
