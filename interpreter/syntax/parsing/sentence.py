"""Parses one line by the start rule of its place, or says at which word it stops being a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen
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


def sentence(words: Sequence[Word], start: Start) -> LarkTree | Stuck:
    """The parse of one line by the start rule of its place."""
    parser = tables().parse_interactive(start=start)
    state = parser.parser_state
    possible = _Possible(state)
    keywords: set[int] = set()
    at, count = 0, len(words)
    try:
        while at < count:
            terminal, width = classify(words, at, possible)
            first, last = words[at], words[at + width - 1]
            state.feed_token(Token(terminal, last.text, first.start, 0, 0, 0, 0, last.end))
            if terminal not in ("NAME", "FREE_WORD", "ANY_WORD", "NUMBER", "STRING"):
                keywords.update(range(at, at + width))
            at += width
        tree: LarkTree = state.feed_token(Token("$END", "", 0, 0, 0, 0, 0, 0), True)
    except UnexpectedToken:
        return Stuck(at, frozenset(keywords), parser)
    return tree
