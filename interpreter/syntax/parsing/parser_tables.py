"""The parser's tables.

lark makes them from ``grammar/rules.lark`` in a third of a second, so they are shipped with it (``grammar/tables``). If the
grammar was edited, or lark is of another series (1.3, 1.4), these do not fit: then they are made anew and kept (`cache.py`).

They are written as json, which cannot run code when it is read, and not by lark's own `save`, which pickles. The largest part is
the table of states, which is packed: for each state its number, the tokens that can come, and for each of these the state that
follows, or -1 - n for the rule number n.
"""

from __future__ import annotations

import functools
import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, get_args

import lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef, Token

from ...common import cache
from .words import grammar_text

Start = Literal[
    "file_line",
    "game_line",
    "kind_line",
    "part_line",
    "board_line",
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
_SHIPPED = files(__name__.partition(".interpreter")[0]) / "grammar" / "tables"  # in an archive, where that is imported from


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
    name = cache.name_for("grammar", made_of())
    kept = _loaded(cache.read(name))
    if kept is not None:
        return kept
    built = _built()
    with suppress(LookupError, TypeError, ValueError):  # of a lark whose tables look different: they are made each time
        cache.write(name, _saved(built))
    return built


def made_of() -> str:
    """What tables are made of, in a few letters: equal for equal tables. The grammar first, then the series of lark."""
    series = ".".join(lark.__version__.split(".")[:2])
    return f"{cache.name_for('tables', grammar_text(), *STARTS)} lark {series}"


def shipped_tables(of: str) -> bytes | None:
    """What is shipped; None where it was made of something else. It says so in its first line."""
    try:
        said, packed = _SHIPPED.read_bytes().split(b"\n", 1)
        return zlib.decompress(packed) if said == of.encode() else None
    except (OSError, ValueError, zlib.error):
        return None


def ship() -> None:
    """Write the tables that are to be shipped."""
    Path(str(_SHIPPED)).write_bytes(made_of().encode() + b"\n" + zlib.compress(_saved(_built()), 9))


def _built() -> lark.Lark:
    return lark.Lark(grammar_text(), parser="lalr", lexer=NoLexer, start=list(STARTS), strict=True, propagate_positions=True)


def _saved(built: lark.Lark) -> bytes:
    """The tables as json."""
    data, memo = built.memo_serialize([TerminalDef, Rule])
    parser = data["parser"]["parser"]
    states = [
        [state, list(row), [-1 - to["@"] if reduces else to for reduces, to in row.values()]]
        for state, row in parser["states"].items()
    ]
    for numbered in (parser["tokens"], memo):
        if list(numbered) != list(range(len(numbered))):
            raise ValueError("tables whose parts are numbered in another way")
    packed = {**parser, "states": states, "tokens": list(parser["tokens"].values())}
    told = [{**data, "parser": {**data["parser"], "parser": packed}}, list(memo.values())]
    return json.dumps(told, default=_no_lexer, separators=(",", ":")).encode()


def _no_lexer(found: object) -> None:
    """What json cannot hold is the lexer, which is none."""
    if found is not NoLexer:
        raise TypeError(f"no part of a parser's tables: {found!r}")


def _loaded(saved: bytes | None) -> lark.Lark | None:
    """The parser of saved tables; None where there are none, or a lark saved them that only calls itself like this one."""
    try:
        return None if saved is None else lark.Lark.load(_unpacked(saved))
    except Exception:
        return None


def _unpacked(saved: bytes) -> dict[str, Any]:
    """Saved tables as lark wants them."""
    data, memo = json.loads(saved)
    parser = data["parser"]["parser"]
    rules = [(1, {"@": number}) for number in range(len(memo))]
    parser["states"] = {
        state: {token: (0, to) if to >= 0 else rules[-1 - to] for token, to in zip(tokens, ways, strict=True)}
        for state, tokens, ways in parser["states"]
    }
    parser["tokens"] = dict(enumerate(parser["tokens"]))
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = NoLexer
    return {"data": data, "memo": dict(enumerate(memo))}
