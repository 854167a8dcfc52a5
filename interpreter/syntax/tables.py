"""Where do the parser's tables come from?

From ``grammar/rules.lark``, by lark, in a third of a second; so they are shipped with it (``grammar/tables``). Where the grammar
was edited, or lark is another version, these do not fit: then they are made anew and kept (`cache.py`).
"""

from __future__ import annotations

import functools
import io
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
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
_FILE = Path(__file__).parents[2] / "grammar" / "tables"


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
    shipped = _loaded(shipped_tables(made_of()))
    if shipped is not None:
        return shipped
    name = cache.name_for("grammar", made_of(), sys.version, __name__)
    kept = _loaded(cache.read(name))
    if kept is not None:
        return kept
    built = _built()
    cache.write(name, _saved(built))
    return built


def made_of() -> str:
    """What tables are made of, in a few letters: equal for equal tables."""
    return cache.name_for("tables", grammar_text(), *STARTS, lark.__version__)


def shipped_tables(of: str) -> bytes | None:
    """What is shipped; None where it was made of something else. It says so in its first line."""
    try:
        said, packed = _FILE.read_bytes().split(b"\n", 1)
        return zlib.decompress(packed) if said == of.encode() else None
    except (OSError, ValueError, zlib.error):
        return None


def ship() -> None:
    """Write the tables that are to be shipped."""
    _FILE.write_bytes(made_of().encode() + b"\n" + zlib.compress(_saved(_built()), 9))


def _built() -> lark.Lark:
    return lark.Lark(grammar_text(), parser="lalr", lexer=NoLexer, start=list(STARTS), strict=True, propagate_positions=True)


def _saved(built: lark.Lark) -> bytes:
    saved = io.BytesIO()
    built.save(saved)
    return saved.getvalue()


def _loaded(saved: bytes | None) -> lark.Lark | None:
    """The parser of saved tables; None where there are none, or a lark saved them that only calls itself like this one."""
    try:
        return None if saved is None else lark.Lark.load(io.BytesIO(saved))
    except Exception:
        return None
