"""Where do the parser's tables come from?

From ``grammar/rules.lark``, by lark, in a fifth of a second; so they are kept (`cache.py`).
"""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Iterator
from typing import Any, Final, Literal, get_args

import lark
from lark.lexer import Lexer, Token

from .. import cache
from .words import grammar_text

Start = Literal[
    "file_line",
    "game_line",
    "kind_line",
    "part_line",
    "table_line",
    "define_line",
    "score_line",
    "majority_line",
    "winner_line",
    "match_line",
    "statement_line",
    "chooses_line",
    "option_line",
    "reason_line",
    "auction_line",
    "payment_line",
    "variant_line",
    "test_line",
]
STARTS: Final[tuple[Start, ...]] = get_args(Start)


class NoLexer(Lexer):
    """Words are cut by ``tokens.py``; lark only gets tokens."""

    __future_interface__ = 1

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:  # pragma: no cover - never asked
        return iter(())


@functools.cache
def tables() -> lark.Lark:
    """The parser, built once a process."""
    grammar = grammar_text()
    name = cache.name_for("grammar", grammar, *STARTS, lark.__version__, sys.version, __name__)
    kept = cache.read(name)
    if kept is not None:
        try:
            return lark.Lark.load(io.BytesIO(kept))
        except Exception:  # written by a lark that calls itself like this one and is another: build anew
            pass
    built = lark.Lark(grammar, parser="lalr", lexer=NoLexer, start=list(STARTS), strict=True, propagate_positions=True)
    saved = io.BytesIO()
    built.save(saved)
    cache.write(name, saved.getvalue())
    return built
