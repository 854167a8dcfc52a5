"""Parses one line by the start rule of its place, or says at which word it stops being a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final

from attrs import field, frozen
from lark import Token, Tree
from lark.exceptions import UnexpectedToken
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser
from lark.parsers.lalr_parser_state import ParserState

from .parser_tables import Start, tables
from .tokens import Word, classify

LarkTree = Tree[Token]


@frozen(eq=False)
class Stuck:
    """The words before ``at`` can begin a sentence, but no sentence goes on with the word ``at`` (the end, when past them).

    ``keywords``: the indexes of the words that were taken as keywords.
    """

    at: int
    keywords: frozenset[int]
    parser: InteractiveParser

    def possible(self) -> set[str]:
        """The terminals that can follow."""
        return set(self.parser.accepts())  # type: ignore[no-untyped-call]  # lark has no types here


@frozen(eq=False)
class _Possible:
    """The terminals that the parser can take next.

    An LALR state also lists what can follow elsewhere in the grammar; so it is tried out, without values, whether the
    terminal would be shifted. Otherwise `x is no or none is y` would have the `or none` of a domain in it.
    """

    state: ParserState[int]

    def __contains__(self, terminal: object) -> bool:
        states = self.state.parse_conf.states
        stack = self.state.state_stack
        if terminal not in states[stack[-1]]:
            return False
        stack = stack.copy()
        while True:
            action, argument = states[stack[-1]].get(terminal, (None, None))
            if action is None:
                return False
            if action is Shift:
                return True
            if size := len(argument.expansion):
                del stack[-size:]
            stack.append(states[stack[-1]][argument.origin.name][1])
            if stack[-1] == self.state.parse_conf.end_state:
                return terminal == "$END"


KEPT: Final = 8_192  # parses of lines: while a file is written, most of its lines stay as they are


_TAKEN_AS_THEY_ARE: Final = frozenset({"NAME", "FREE_WORD", "ANY_WORD", "NUMBER", "STRING"})  # terminals that are no keywords


@frozen
class Taken:
    """What some words of a line were taken for: ``terminal``, of ``count`` words from the one with the index ``first`` on."""

    terminal: str
    first: int
    count: int

    @property
    def is_keyword(self) -> bool:
        return self.terminal not in _TAKEN_AS_THEY_ARE


def sentence(words: Sequence[Word], start: Start) -> LarkTree | Stuck:
    """The parse of one line by the start rule of its place. The places of its tokens count from the first word on."""
    return _parsed(_line(words, start))[0]


def taken(words: Sequence[Word], start: Start) -> tuple[Taken, ...]:
    """What the words of a line are taken for, up to the word at which it is stuck."""
    return _parsed(_line(words, start))[1]


def _line(words: Sequence[Word], start: Start) -> _Line:
    base = words[0].start if words else 0
    return _Line(tuple((word.text, word.start - base) for word in words), start, words)


@frozen
class _Line:
    """A line to parse. Equal lines are parsed alike, wherever they stand."""

    texts: tuple[tuple[str, int], ...]
    start: Start
    words: Sequence[Word] = field(eq=False)


@lru_cache(KEPT)
def _parsed(line: _Line) -> tuple[LarkTree | Stuck, tuple[Taken, ...]]:
    parser = tables().parse_interactive(start=line.start)
    found: list[Taken] = []
    at = _feed(parser.parser_state, line.words, found)
    tree: LarkTree | None = None
    if at == len(line.words):
        with suppress(UnexpectedToken):
            tree = parser.parser_state.feed_token(Token("$END", "", 0, 0, 0, 0, 0, 0), True)
    keywords = (at for each in found if each.is_keyword for at in range(each.first, each.first + each.count))
    return Stuck(at, frozenset(keywords), parser) if tree is None else tree, tuple(found)


def _feed(state: ParserState[int], words: Sequence[Word], found: list[Taken]) -> int:
    """Feed a line to a parser. Returns at which word it is stuck. ``found``: gets what the words were taken for."""
    possible = _Possible(state)
    at, count = 0, len(words)
    base = words[0].start if words else 0
    while at < count:
        terminal, width = classify(words, at, possible)
        first, last = words[at], words[at + width - 1]
        try:
            state.feed_token(Token(terminal, last.text, first.start - base, 0, 0, 0, 0, last.end - base))
        except UnexpectedToken:
            return at
        found.append(Taken(terminal, at, width))
        at += width
    return at


def understood(words: Sequence[Word], start: Start) -> tuple[Taken, ...]:
    """As `taken`, of a guess at what a line could be: nothing is kept of it."""
    found: list[Taken] = []
    _feed(tables().parse_interactive(start=start).parser_state, words, found)
    return tuple(found)


def following(words: Sequence[Word], start: Start, more: Sequence[str] = ()) -> frozenset[str]:
    """The terminals that can stand behind the words with which a line begins, and behind ``more`` terminals after these.

    ``$END`` is one of them where the line can end there. Empty where no sentence begins so.
    """
    state = tables().parse_interactive(start=start).parser_state
    possible = _Possible(state)
    if _feed(state, words, []) < len(words):
        return frozenset()
    for terminal in more:
        if terminal not in possible:
            return frozenset()
        state.feed_token(Token(terminal, "x", 0, 0, 0, 0, 0, 0))
    symbols = state.parse_conf.states[state.state_stack[-1]]
    return frozenset(symbol for symbol in symbols if symbol.isupper() and symbol in possible)  # rules have small letters
