"""Where do the parser's tables come from?

From ``grammar/rules.lark``, by lark, in a fifth of a second; so they are kept in the user's cache folder. A cache that
cannot be read or written costs that time again and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, get_args

import lark
from lark.lexer import Lexer, Token

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


@cache
def tables() -> lark.Lark:
    """The parser, built once a process."""
    grammar = grammar_text()
    file = _cache_file(grammar)
    if file is not None:
        try:
            content = file.read_bytes()
            check, data = content[:32], content[32:]
            if check == hashlib.sha256(data).digest():
                return lark.Lark.load(io.BytesIO(data))
        except Exception:  # no file, or one that this lark cannot read: build anew
            pass
    built = lark.Lark(grammar, parser="lalr", lexer=NoLexer, start=list(STARTS), strict=True, propagate_positions=True)
    if file is not None:
        _write(built, file)
    return built


def _cache_file(grammar: str) -> Path | None:
    """One file for each grammar, lark and Python; None where there is no home."""
    key = "\0".join([grammar, *STARTS, lark.__version__, sys.version, __name__])
    name = f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:24]}.tables"
    try:
        return _cache_folder() / "rulesrun" / name
    except RuntimeError:
        return None


def _cache_folder() -> Path:
    configured = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(configured):
        return Path(configured)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path.home() / ".cache"


def _write(built: lark.Lark, file: Path) -> None:
    """Write whole or not at all: other processes may read at any moment."""
    temporary = None
    try:
        saved = io.BytesIO()
        built.save(saved)
        data = saved.getvalue()
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=file.name)
        with os.fdopen(handle, "wb") as out:
            out.write(hashlib.sha256(data).digest() + data)
        os.replace(temporary, file)
    except OSError:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
