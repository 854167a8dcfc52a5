"""A text that is read block by block says what it says when it is read as a whole, and every place is the right one."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from rulesrun.interpreter.common.source import Source, Span
from rulesrun.interpreter.syntax.reading.again import Blocks
from rulesrun.interpreter.syntax.reading.from_text import parse

from ..shipped import SHIPPED
from .test_law import edited

SMALL = [path for path in SHIPPED if path.stat().st_size < 3_000]


def plain(value: Any) -> Any:
    """A value with all its places as numbers, so that blocks and whole texts compare."""
    if isinstance(value, Span):
        return value.source.path, value.start, value.end
    if attrs.has(type(value)):
        return type(value).__name__, *(plain(getattr(value, field.name)) for field in attrs.fields(type(value)))
    return tuple(map(plain, value)) if isinstance(value, (tuple, list)) else value


@pytest.mark.parametrize("seed", range(8))
def test_blocks_are_read_as_the_whole_is(seed: int) -> None:
    path, luck = SMALL[seed % len(SMALL)], Random(seed)
    text, blocks = path.read_text(encoding="utf-8"), Blocks()
    for _ in range(8):
        source = Source(str(Path(path.name)), text)
        assert plain(blocks.parse(source)) == plain(parse(source)), text
        text = edited(text, luck)
